//! Material: which animals each side has.

use super::words::{self, Word};
use crate::game::{Animal, Color, Piece, Position, Rules};
use crate::text::{excerpt, tidy};
use std::fmt;
use thiserror::Error;

/// The animals on the board, one bit each ([`Animal::index`]), by side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    sides: [u8; 2],
}

/// Why the text of a material is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// No `v` between the sides.
    #[error("material {0:?}: write White's letters, v, Black's letters, as in ERvL")]
    NoSides(String),
    /// More than two sides.
    #[error("material {0:?}: write two sides with one v between them, as in ERvL")]
    ManySides(String),
    /// A side without a letter.
    #[error("material {0:?}: each side needs an animal, as in ERvL")]
    EmptySide(String),
    /// A letter that stands for no animal.
    #[error("material {text:?}: {letter:?} is not an animal; the letters are E L T P W D C R")]
    UnknownLetter {
        /// The whole text.
        text: String,
        /// The letter.
        letter: char,
    },
    /// An animal twice on one side.
    #[error("material {text:?}: a side has at most one {animal}")]
    Duplicate {
        /// The whole text.
        text: String,
        /// The animal's name.
        animal: &'static str,
    },
    /// An animal that does not exist in the rule set.
    #[error("material {text:?}: there is no {animal} in {rules}")]
    NotInGame {
        /// The whole text.
        text: String,
        /// The animal's name.
        animal: &'static str,
        /// The rule set's name.
        rules: String,
    },
}

impl Material {
    /// The material with these animals of White and Black, one bit each.
    pub const fn new(white: u8, black: u8) -> Self {
        Self { sides: [white, black] }
    }

    /// The animals of White and Black, one bit each ([`Animal::index`]): the inverse of [`Material::new`].
    pub const fn sides(self) -> [u8; 2] {
        self.sides
    }

    /// Parses a material such as `ERvL`: letters in any order and case, `J` for the leopard, names or signs of animals
    /// in the languages of the web page, `v`, `vs`, `:`, `对` and similar between the sides, spaces anywhere. All
    /// interfaces parse materials with this function.
    ///
    /// ```
    /// use jungletb::game::Rules;
    /// use jungletb::material::Material;
    ///
    /// for text in ["ERvL", "er v l", "Elephant, rat vs. lion", "象鼠对狮"] {
    ///     assert_eq!(Material::parse(&Rules::standard(), text)?.to_string(), "ERvL");
    /// }
    /// # Ok::<(), jungletb::material::MaterialError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not two sides of different animals of this game.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, MaterialError> {
        let text = tidy(text);
        let whole = || excerpt(text);
        let mut sides = [0_u8; 2];
        let mut side = 0;
        let words: Vec<Word> = words::read(text).collect();
        if !words.contains(&Word::Between) {
            return Err(MaterialError::NoSides(whole()));
        }
        for word in words {
            let animal = match word {
                Word::Between if side == 0 => {
                    side = 1;
                    continue;
                }
                Word::Between => return Err(MaterialError::ManySides(whole())),
                Word::Unknown(letter) => return Err(MaterialError::UnknownLetter { text: whole(), letter }),
                Word::Animal(animal) => animal,
            };
            if !rules.board().animals.contains(&animal) {
                let rules = rules.name().to_owned();
                return Err(MaterialError::NotInGame { text: whole(), animal: animal.name(), rules });
            }
            if sides[side] >> animal.index() & 1 != 0 {
                return Err(MaterialError::Duplicate { text: whole(), animal: animal.name() });
            }
            sides[side] |= 1 << animal.index();
        }
        if sides.contains(&0) {
            return Err(MaterialError::EmptySide(whole()));
        }
        Ok(Self { sides })
    }

    /// The material of a position.
    pub fn of(position: &Position) -> Self {
        let mut sides = [0; 2];
        for (piece, _) in position.pieces() {
            sides[piece.color.index()] |= 1 << piece.animal.index();
        }
        Self { sides }
    }

    /// The animals of a side, weakest first.
    pub fn animals(self, color: Color) -> impl DoubleEndedIterator<Item = Animal> {
        let side = self.sides[color.index()];
        Animal::ALL.into_iter().filter(move |animal| side >> animal.index() & 1 != 0)
    }

    /// All pieces in the order of its name: White's before Black's, strongest first.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        Color::BOTH
            .into_iter()
            .flat_map(move |color| self.animals(color).rev().map(move |animal| Piece { color, animal }))
    }

    /// Whether a piece is on the board.
    pub const fn has(self, piece: Piece) -> bool {
        self.sides[piece.color.index()] >> piece.animal.index() & 1 != 0
    }

    /// Number of pieces on the board.
    pub const fn len(self) -> usize {
        (self.sides[0].count_ones() + self.sides[1].count_ones()) as usize
    }

    /// Whether no piece is on the board.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether a side has no piece left.
    pub const fn is_one_sided(self) -> bool {
        self.sides[0] == 0 || self.sides[1] == 0
    }

    /// The same with the colors exchanged.
    #[must_use]
    pub const fn swap_colors(self) -> Self {
        Self { sides: [self.sides[1], self.sides[0]] }
    }

    /// The material after a piece is captured.
    #[must_use]
    pub const fn without(self, piece: Piece) -> Self {
        let mut sides = self.sides;
        sides[piece.color.index()] &= !(1 << piece.animal.index());
        Self { sides }
    }

    /// Keys of materials are below this.
    pub const KEYS: usize = 1 << 16;

    /// A number below [`Material::KEYS`] that identifies the material.
    pub const fn key(self) -> usize {
        self.sides[0] as usize | (self.sides[1] as usize) << 8
    }

    /// All materials with `pieces` pieces under these rules and an animal on each side; White has the larger side and
    /// stronger animals come first, so the first of any set of them is its representative.
    pub fn all(rules: &Rules, pieces: usize) -> Vec<Self> {
        let present = rules.board().animals.iter().fold(0_u8, |set, animal| set | 1 << animal.index());
        let mut all = Vec::new();
        for white in 1..=u8::MAX {
            for black in 1..=u8::MAX {
                let material = Self { sides: [white, black] };
                let sizes = material.sides.map(u8::count_ones);
                if material.len() == pieces && sizes[0] >= sizes[1] && (white | black) & !present == 0 {
                    all.push(material);
                }
            }
        }
        all.sort_unstable_by_key(|material| material.naming_order());
        all
    }

    /// Sort key: by White's number of pieces, then the strongest animals first.
    pub(super) fn naming_order(self) -> impl Ord {
        let strongest_first = |side: u8| std::cmp::Reverse(side);
        (self.sides[1].count_ones(), strongest_first(self.sides[0]), strongest_first(self.sides[1]))
    }
}

/// White's letters, strongest first (in the animals' standard order, whatever their order under the rules), `v`,
/// Black's letters.
/// The material of a position.
impl From<&Position> for Material {
    fn from(position: &Position) -> Self {
        Self::of(position)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::BOTH {
            if color == Color::Black {
                f.write_str("v")?;
            }
            for animal in self.animals(color).rev() {
                write!(f, "{}", animal.letter())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_material_agree() {
        let rules = Rules::standard();
        for (text, printed) in [
            ("ERvL", "ERvL"),
            ("REvL", "ERvL"),
            ("JvJC", "PvPC"),
            ("CDWPTLERvR", "ELTPWDCRvR"),
            ("lvr", "LvR"),
            ("evL", "EvL"),
            ("LVR", "LvR"),
            (" e r  v  l ", "ERvL"),
            ("LvsR", "LvR"),
            ("L vs. R", "LvR"),
            ("L:R", "LvR"),
            ("L_v_R", "LvR"),
            ("\"LvR\";", "LvR"),
            ("\u{feff}LvR", "LvR"),
            ("lion v rat", "LvR"),
            ("Elephant & Rat versus Jaguar", "ERvP"),
            ("Löwe, Ratte gegen Elefant", "LRvE"),
            ("лев + крыса против слон", "LRvE"),
            ("狮对鼠", "LvR"),
            ("獅、象対ライオン", "ELvL"),
            ("Lwolf v cat", "LWvC"),
        ] {
            assert_eq!(Material::parse(&rules, text).unwrap().to_string(), printed);
        }
        for (text, part) in [
            ("ER", "write White's letters, v"),
            ("", "write White's letters, v"),
            ("vL", "each side needs an animal"),
            ("Lv", "each side needs an animal"),
            ("EXvL", "'X' is not an animal"),
            ("EvLvL", "write two sides"),
            ("lion", "write White's letters, v"),
            ("rats v L", "'s' is not an animal"),
            ("EEvL", "at most one elephant"),
            ("EvÄ", "'Ä' is not an animal"),
        ] {
            let error = Material::parse(&rules, text).unwrap_err().to_string();
            assert!(error.contains(part), "{text} gave {error}");
        }
        let checkers = Rules::preset("animal-checkers").unwrap();
        let error = Material::parse(&checkers, "EvL").unwrap_err().to_string();
        assert!(error.contains("no lion in animal-checkers"), "{error}");
    }

    #[test]
    fn materials_are_counted_without_their_color_swapped_twins() {
        let rules = Rules::standard();
        // 8 animals per side: all pairs of sides, halved where both sides have the same number of pieces.
        assert_eq!(Material::all(&rules, 2).len(), 64);
        assert_eq!(Material::all(&rules, 3).len(), 224);
        assert_eq!(Material::all(&rules, 4).len(), 8 * 56 + 28 * 28);
        assert_eq!(Material::all(&rules, 2)[0].to_string(), "EvE");
        assert_eq!(Material::all(&rules, 3)[0].to_string(), "ELvE");
    }
}
