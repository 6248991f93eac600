//! Rule sets as data: the keys, the presets, and the masks computed from them.

use super::animal::{Animal, Color};
use super::board::{self, Board};
use super::movement::Movement;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::sync::Arc;

/// The board of a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardName {
    /// 7x9 with lakes and traps.
    Jungle,
    /// 7x7 without lakes and traps.
    AnimalCheckers,
}

/// When the elephant may capture the rat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElephantTakesRat {
    /// Never, not even in a trap.
    Never,
    /// When the rat stands in a trap that weakens it.
    InTrap,
    /// Always, like any weaker animal.
    Always,
}

/// How an animal may cross the river.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Jumps {
    /// Not at all.
    None,
    /// Along a file, three squares of water.
    Along,
    /// Across a rank, two squares of water.
    Across,
    /// Both ways.
    Both,
}

/// Whose pieces in the water block a jump over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blockers {
    /// Pieces of either side.
    Any,
    /// Only the opponent's.
    Enemy,
    /// No pieces.
    None,
}

/// Which traps weaken a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traps {
    /// None: traps are plain land.
    None,
    /// The opponent's.
    Enemy,
    /// The opponent's and its own.
    All,
}

/// What a piece weakened by a trap may capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrappedAttack {
    /// The same as any piece.
    Normal,
    /// Only pieces that are weakened too.
    Powerless,
}

/// The result for a side to move without a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoLegalMove {
    /// It has lost.
    Loss,
    /// The game is drawn.
    Draw,
}

/// All properties that vary between rule sets, one field per key of the rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleKeys {
    /// The board.
    pub board: BoardName,
    /// Strength by [`Animal::index`]; ties are allowed.
    pub strength: [u8; 8],
    /// When the elephant may capture the rat.
    pub elephant_takes_rat: ElephantTakesRat,
    /// Which of rat and elephant a rat in the water may capture on land.
    pub rat_from_water_takes: Vec<Animal>,
    /// Whether a rat on land may capture a rat in the water.
    pub rat_on_land_takes_rat_in_water: bool,
    /// Jumps by [`Animal::index`].
    pub jumps: [Jumps; 8],
    /// Animals whose jump is never blocked.
    pub jumps_over_rats: Vec<Animal>,
    /// Whose pieces in the water block a jump.
    pub jump_blockers: Blockers,
    /// Which traps weaken a piece.
    pub traps: Traps,
    /// What a weakened piece may capture.
    pub trapped_piece_attacks: TrappedAttack,
    /// Stronger animals may not enter any trap square.
    pub trap_entry_max_strength: u8,
    /// Animals that may stand in the water: rat, dog.
    pub swimmers: Vec<Animal>,
    /// The result for a side without a legal move.
    pub no_legal_move: NoLegalMove,
}

/// Names of the presets, in listing order.
pub const PRESETS: [&str; 6] = ["standard", "leiden", "german", "japanese", "russian", "animal-checkers"];

impl RuleKeys {
    /// The rules of most programs.
    pub fn standard() -> Self {
        let mut jumps = [Jumps::None; 8];
        jumps[Animal::Tiger.index()] = Jumps::Both;
        jumps[Animal::Lion.index()] = Jumps::Both;
        Self {
            board: BoardName::Jungle,
            strength: [1, 2, 3, 4, 5, 6, 7, 8],
            elephant_takes_rat: ElephantTakesRat::InTrap,
            rat_from_water_takes: Vec::new(),
            rat_on_land_takes_rat_in_water: false,
            jumps,
            jumps_over_rats: Vec::new(),
            jump_blockers: Blockers::Any,
            traps: Traps::Enemy,
            trapped_piece_attacks: TrappedAttack::Normal,
            trap_entry_max_strength: 8,
            swimmers: vec![Animal::Rat],
            no_legal_move: NoLegalMove::Loss,
        }
    }

    /// The keys of the preset with this name, in any case; `None` if there is none.
    ///
    /// `leiden`: van Rijn & Vis, *Endgame Analysis of Dou Shou Qi* (2014).
    pub fn preset(name: &str) -> Option<Self> {
        let standard = Self::standard();
        let mut dog_above_wolf = standard.strength;
        dog_above_wolf.swap(Animal::Dog.index(), Animal::Wolf.index());
        Some(match name.to_ascii_lowercase().as_str() {
            "standard" => standard,
            "leiden" => Self {
                elephant_takes_rat: ElephantTakesRat::Always,
                rat_from_water_takes: vec![Animal::Rat],
                rat_on_land_takes_rat_in_water: true,
                strength: dog_above_wolf,
                ..standard
            },
            "german" => Self { traps: Traps::All, ..standard },
            "japanese" => {
                let mut jumps = standard.jumps;
                jumps[Animal::Tiger.index()] = Jumps::Along;
                Self {
                    elephant_takes_rat: ElephantTakesRat::Always,
                    rat_from_water_takes: vec![Animal::Rat],
                    jumps,
                    ..standard
                }
            }
            "russian" => Self { strength: dog_above_wolf, ..standard },
            "animal-checkers" => Self { board: BoardName::AnimalCheckers, ..standard },
            _ => return None,
        })
    }
}

/// A rule set ready to play: its name, its keys, and the masks of each animal. Cheap to clone.
#[derive(Clone)]
pub struct Rules {
    name: String,
    /// How the user names the rules: the preset, or the path of the rule file.
    argument: OsString,
    keys: RuleKeys,
    board: &'static Board,
    /// By color and animal. Animals that are not on the board have an empty domain.
    movements: Arc<[[Movement; 8]; 2]>,
}

impl Rules {
    /// Computes the masks of a rule set whose name and keys are valid.
    pub(super) fn build(name: impl Into<String>, keys: RuleKeys) -> Self {
        let board = match keys.board {
            BoardName::Jungle => &board::JUNGLE,
            BoardName::AnimalCheckers => &board::ANIMAL_CHECKERS,
        };
        let movements =
            Arc::new(Color::BOTH.map(|color| Animal::ALL.map(|animal| Movement::new(&keys, board, color, animal))));
        let name = name.into();
        Self { argument: name.clone().into(), name, keys, board, movements }
    }

    /// The rule set of most programs.
    pub fn standard() -> Self {
        Self::build("standard", RuleKeys::standard())
    }

    /// The preset with this name, in any case.
    pub fn preset(name: &str) -> Option<Self> {
        let name = PRESETS.into_iter().find(|preset| preset.eq_ignore_ascii_case(name))?;
        Some(Self::build(name, RuleKeys::preset(name)?))
    }

    /// The name of the folder for tables of these rules.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The argument of `--rules` that gives these rules: the preset, or the path of the rule file.
    pub fn argument(&self) -> &OsStr {
        &self.argument
    }

    #[must_use]
    pub(super) fn with_argument(self, argument: &OsStr) -> Self {
        Self { argument: argument.to_owned(), ..self }
    }

    /// The keys.
    pub const fn keys(&self) -> &RuleKeys {
        &self.keys
    }

    /// The board.
    pub const fn board(&self) -> &'static Board {
        self.board
    }

    /// What an animal of a side may do.
    #[inline]
    pub fn movement(&self, color: Color, animal: Animal) -> &Movement {
        &self.movements[color.index()][animal.index()]
    }
}

/// Rules are equal if their names and keys are.
impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.keys) == (&other.name, &other.keys)
    }
}

impl Eq for Rules {}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("name", &self.name).field("keys", &self.keys).finish_non_exhaustive()
    }
}
