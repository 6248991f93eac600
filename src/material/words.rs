//! Tokens of a material as people write it: letters, names and signs of animals, and separators between the sides.

use crate::game::Animal;

/// A token of a material's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// An animal, by its letter, name or sign.
    Animal(Animal),
    /// A separator between the sides.
    Between,
    /// A symbol that is neither.
    Unknown(char),
}

/// Names and signs, in lower case: English, German, Russian, Japanese, Chinese.
const NAMES: [(Animal, &[&str]); 8] = [
    (Animal::Rat, &["rat", "mouse", "ratte", "maus", "крыса", "мышь", "ネズミ", "鼠"]),
    (Animal::Cat, &["cat", "katze", "кошка", "ネコ", "猫", "貓"]),
    (Animal::Dog, &["dog", "hund", "собака", "イヌ", "狗", "犬"]),
    (Animal::Wolf, &["wolf", "волк", "オオカミ", "狼"]),
    (Animal::Leopard, &["leopard", "panther", "jaguar", "леопард", "пантера", "ヒョウ", "豹"]),
    (Animal::Tiger, &["tiger", "тигр", "トラ", "虎"]),
    (Animal::Lion, &["lion", "löwe", "loewe", "лев", "ライオン", "獅", "狮"]),
    (Animal::Elephant, &["elephant", "elefant", "слон", "ゾウ", "象"]),
];

/// Separators between the sides, in lower case.
const BETWEEN: [&str; 15] =
    ["v", "v.", "vs", "vs.", "versus", "gegen", "против", "対", "对", "對", ":", "：", "–", "—", "|"];

/// The tokens of a text. Spaces and list separators are skipped.
pub fn read(text: &str) -> impl Iterator<Item = Word> {
    let symbols: Vec<char> = text.chars().collect();
    // One symbol each, so that positions in both correspond.
    let lower: Vec<char> = symbols.iter().map(|symbol| symbol.to_lowercase().next().unwrap_or(*symbol)).collect();
    let mut at = 0;
    std::iter::from_fn(move || {
        while symbols.get(at).is_some_and(|symbol| symbol.is_whitespace() || "_,+&、・".contains(*symbol)) {
            at += 1;
        }
        let symbol = *symbols.get(at)?;
        let (word, length) = longest(&lower[at..]).unwrap_or_else(|| {
            let animal = Animal::from_letter(symbol.to_ascii_uppercase());
            (animal.map_or(Word::Unknown(symbol), Word::Animal), 1)
        });
        at += length;
        Some(word)
    })
}

/// The longest name at the start of a text.
fn longest(text: &[char]) -> Option<(Word, usize)> {
    let animals = NAMES.iter().flat_map(|(animal, names)| names.iter().map(|name| (Word::Animal(*animal), *name)));
    let words = animals.chain(BETWEEN.iter().map(|between| (Word::Between, *between)));
    let found = words.filter(|(_, name)| {
        let mut rest = text.iter();
        name.chars().all(|symbol| rest.next() == Some(&symbol))
    });
    found.map(|(word, name)| (word, name.chars().count())).max_by_key(|(_, length)| *length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's search and the program accept the same names.
    #[test]
    #[cfg(feature = "serve")]
    fn every_name_on_the_page_is_read() {
        let mut checked = 0;
        for code in ["en", "de", "ru", "ja", "zh"] {
            let file = format!("{}/src/serve/assets/lang/{code}/general.js", env!("CARGO_MANIFEST_DIR"));
            for line in std::fs::read_to_string(file).unwrap().lines() {
                let Some((letter, name)) =
                    line.trim().strip_prefix("\"animal.").and_then(|rest| rest.split_once("\": \""))
                else {
                    continue;
                };
                let animal = Animal::from_letter(letter.chars().next().unwrap()).unwrap();
                let words: Vec<_> = read(name.trim_end_matches(['"', ','])).collect();
                assert_eq!(words, [Word::Animal(animal)], "{line}");
                checked += 1;
            }
        }
        assert_eq!(checked, 40);
    }
}
