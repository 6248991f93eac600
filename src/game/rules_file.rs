//! Rule files: reading and writing TOML.

use super::animal::Animal;
use super::rules::{
    Blockers, BoardName, ElephantTakesRat, Jumps, NoLegalMove, PRESETS, RuleKeys, Rules, TrappedAttack, Traps,
};
use crate::text::{excerpt, read_text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use thiserror::Error;

/// Why a rule set is unavailable.
#[derive(Debug, Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum RulesError {
    #[error(
        "unknown rules {0:?}: name a preset ({presets}) or a file ending in .toml",
        presets = PRESETS.join(", ")
    )]
    Unknown(String),
    #[error("unknown base {0:?}: a rule file builds on one of {presets}", presets = PRESETS.join(", "))]
    UnknownBase(String),
    #[error("{path}: cannot read the rule file: {cause}")]
    Unreadable { path: String, cause: std::io::Error },
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("{path}: {fault}")]
    InFile { path: String, fault: Box<RulesError> },
    #[error("{key}: {animal} cannot be named here; allowed are {allowed}")]
    WrongAnimal { key: &'static str, animal: &'static str, allowed: &'static str },
    #[error("{key}: {value} is out of range; give a strength from 1 to {max}", max = MAX_STRENGTH)]
    Strength { key: String, value: i64 },
    #[error("a game with hidden pieces is not a game of perfect information and has no table")]
    Hidden,
    #[error("a rule file may not be called {0}.toml unless its rules are those of the preset: rename it")]
    TakenName(String),
    #[error("the name {0:?} cannot name a folder of tables: name the file with letters, digits, '-', '_' and '.'")]
    BadName(String),
}

/// Maximum size of a rule file in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Maximum strength; only the order of strengths counts.
const MAX_STRENGTH: i64 = 99;

/// Names of the variant with face-down pieces, for which a specific error is given.
const HIDDEN: [&str; 6] = ["hidden", "hidden-pieces", "hidden_pieces", "dark", "face-down", "face_down"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    base: Option<String>,
    board: Option<BoardName>,
    strength: Option<BTreeMap<Animal, i64>>,
    elephant_takes_rat: Option<ElephantTakesRat>,
    rat_from_water_takes: Option<Vec<Animal>>,
    rat_on_land_takes_rat_in_water: Option<bool>,
    jumps: Option<BTreeMap<Animal, Jumps>>,
    jumps_over_rats: Option<Vec<Animal>>,
    jump_blockers: Option<Blockers>,
    traps: Option<Traps>,
    trapped_piece_attacks: Option<TrappedAttack>,
    trap_entry_max_strength: Option<i64>,
    swimmers: Option<Vec<Animal>>,
    no_legal_move: Option<NoLegalMove>,
}

#[derive(Serialize)]
struct FullRuleFile<'a> {
    board: BoardName,
    elephant_takes_rat: ElephantTakesRat,
    rat_from_water_takes: &'a [Animal],
    rat_on_land_takes_rat_in_water: bool,
    jumps_over_rats: &'a [Animal],
    jump_blockers: Blockers,
    traps: Traps,
    trapped_piece_attacks: TrappedAttack,
    trap_entry_max_strength: u8,
    swimmers: &'a [Animal],
    no_legal_move: NoLegalMove,
    strength: BTreeMap<Animal, u8>,
    jumps: BTreeMap<Animal, Jumps>,
}

impl RuleKeys {
    /// Parses a rule file: `base` names a preset (default `standard`), every other key overrides it.
    ///
    /// # Errors
    /// Returns an error if the TOML is invalid, a key or value is unknown (with its line), or a value is not allowed.
    pub fn from_toml(text: &str) -> Result<Self, RulesError> {
        let syntax = |error: &toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start).min(text.len());
            let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
            let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            RulesError::Syntax { line, message }
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let table: toml::Table = toml::from_str(text).map_err(|error| syntax(&error))?;
        if HIDDEN.iter().any(|&key| table.contains_key(key)) {
            return Err(RulesError::Hidden);
        }
        let file: RuleFile = toml::from_str(text).map_err(|error| syntax(&error))?;

        let base = file.base.as_deref().unwrap_or("standard");
        if is_hidden(base) {
            return Err(RulesError::Hidden);
        }
        let mut keys = Self::preset(base).ok_or_else(|| RulesError::UnknownBase(excerpt(base)))?;
        for (animal, value) in file.strength.unwrap_or_default() {
            keys.strength[animal.index()] = strength(&format!("strength.{}", animal.name()), value)?;
        }
        for (animal, jumps) in file.jumps.unwrap_or_default() {
            keys.jumps[animal.index()] = jumps;
        }
        if let Some(value) = file.trap_entry_max_strength {
            keys.trap_entry_max_strength = strength("trap_entry_max_strength", value)?;
        }
        if let Some(animals) = file.rat_from_water_takes {
            keys.rat_from_water_takes = some_of("rat_from_water_takes", animals, IN_WATER_TAKES)?;
        }
        if let Some(animals) = file.swimmers {
            keys.swimmers = some_of("swimmers", animals, SWIMMERS)?;
        }
        if let Some(animals) = file.jumps_over_rats {
            keys.jumps_over_rats = some_of("jumps_over_rats", animals, (&Animal::ALL, "all"))?;
        }
        macro_rules! take {
            ($($key:ident),*) => { $(if let Some(value) = file.$key { keys.$key = value; })* };
        }
        take!(board, elephant_takes_rat, rat_on_land_takes_rat_in_water, jump_blockers);
        take!(traps, trapped_piece_attacks, no_legal_move);
        Ok(keys)
    }

    /// The keys as a rule file that lists every key.
    ///
    /// # Panics
    /// Never panics: every value has a TOML form.
    pub fn to_toml(&self) -> String {
        let file = FullRuleFile {
            board: self.board,
            elephant_takes_rat: self.elephant_takes_rat,
            rat_from_water_takes: &self.rat_from_water_takes,
            rat_on_land_takes_rat_in_water: self.rat_on_land_takes_rat_in_water,
            jumps_over_rats: &self.jumps_over_rats,
            jump_blockers: self.jump_blockers,
            traps: self.traps,
            trapped_piece_attacks: self.trapped_piece_attacks,
            trap_entry_max_strength: self.trap_entry_max_strength,
            swimmers: &self.swimmers,
            no_legal_move: self.no_legal_move,
            strength: Animal::ALL.into_iter().map(|a| (a, self.strength[a.index()])).collect(),
            jumps: Animal::ALL.into_iter().map(|a| (a, self.jumps[a.index()])).collect(),
        };
        toml::to_string(&file).expect("rule keys are plain values")
    }
}

impl Rules {
    /// Loads a preset by name, in any case, or a rule file if the argument ends in `.toml`.
    ///
    /// # Errors
    /// Returns an error if there is no such preset, the file is unreadable or invalid, or the name cannot be a folder
    /// name.
    pub fn load(preset_or_file: impl AsRef<OsStr>) -> Result<Self, RulesError> {
        let argument = preset_or_file.as_ref();
        let path = Path::new(argument);
        if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("toml")) {
            let name = argument.to_string_lossy();
            if is_hidden(&name) {
                return Err(RulesError::Hidden);
            }
            return Self::preset(&name).ok_or_else(|| RulesError::Unknown(excerpt(&name)));
        }
        let shown = path.display().to_string();
        let text =
            read_text(path, MOST_BYTES).map_err(|cause| RulesError::Unreadable { path: shown.clone(), cause })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::from_toml(&name, &text)
            .map(|rules| rules.with_argument(argument))
            .map_err(|fault| RulesError::InFile { path: shown, fault: Box::new(fault) })
    }

    /// The rules of a rule file, named `name`.
    ///
    /// # Errors
    /// As [`RuleKeys::from_toml`]; also returns an error if the name cannot be a folder name or belongs to other rules.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, RulesError> {
        Self::new(name, RuleKeys::from_toml(text)?)
    }

    /// The rules with these keys, named `name`.
    ///
    /// ```
    /// use jungletb::game::{Animal, RuleKeys, Rules, RulesError};
    ///
    /// let keys = RuleKeys::standard();
    /// let bad = Rules::new("../../x", keys.clone());
    /// assert!(matches!(bad, Err(RulesError::BadName(_))));
    /// let bad = Rules::new("swimming", RuleKeys { swimmers: vec![Animal::Elephant], ..keys });
    /// assert!(matches!(bad, Err(RulesError::WrongAnimal { key: "swimmers", .. })));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the name cannot be a folder name or belongs to other rules, or if the keys are not allowed
    /// in a rule file.
    pub fn new(name: &str, keys: RuleKeys) -> Result<Self, RulesError> {
        let keys = keys.checked()?;
        if !name.starts_with(char::is_alphanumeric) || !name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)) {
            return Err(RulesError::BadName(excerpt(name)));
        }
        // On file systems that ignore case, tables of both would share a folder.
        match Self::preset(name) {
            Some(preset) if *preset.keys() == keys => Ok(preset),
            Some(preset) => Err(RulesError::TakenName(preset.name().to_owned())),
            None => Ok(Self::build(name, keys)),
        }
    }
}

const IN_WATER_TAKES: (&[Animal], &str) = (&[Animal::Rat, Animal::Elephant], "rat and elephant");
const SWIMMERS: (&[Animal], &str) = (&[Animal::Rat, Animal::Dog], "rat and dog");

impl RuleKeys {
    /// The keys, if a rule file may contain them, with lists in the animals' order.
    fn checked(self) -> Result<Self, RulesError> {
        for (animal, value) in Animal::ALL.into_iter().zip(self.strength) {
            strength(&format!("strength.{}", animal.name()), value.into())?;
        }
        strength("trap_entry_max_strength", self.trap_entry_max_strength.into())?;
        let rat_from_water_takes = some_of("rat_from_water_takes", self.rat_from_water_takes, IN_WATER_TAKES)?;
        let swimmers = some_of("swimmers", self.swimmers, SWIMMERS)?;
        let jumps_over_rats = some_of("jumps_over_rats", self.jumps_over_rats, (&Animal::ALL, "all"))?;
        Ok(Self { rat_from_water_takes, jumps_over_rats, swimmers, ..self })
    }
}

fn is_hidden(name: &str) -> bool {
    HIDDEN.iter().any(|hidden| name.eq_ignore_ascii_case(hidden))
}

fn strength(key: &str, value: i64) -> Result<u8, RulesError> {
    if (1..=MAX_STRENGTH).contains(&value) {
        Ok(value as u8)
    } else {
        Err(RulesError::Strength { key: key.to_owned(), value })
    }
}

/// A list without repetitions, in the animals' order.
fn some_of(
    key: &'static str,
    animals: Vec<Animal>,
    (allowed, allowed_text): (&[Animal], &'static str),
) -> Result<Vec<Animal>, RulesError> {
    if let Some(animal) = animals.iter().find(|animal| !allowed.contains(animal)) {
        return Err(RulesError::WrongAnimal { key, animal: animal.name(), allowed: allowed_text });
    }
    let mut animals = animals;
    animals.sort_unstable();
    animals.dedup();
    Ok(animals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_survive_a_round_trip_through_toml() {
        for name in PRESETS {
            let keys = RuleKeys::preset(name).unwrap();
            assert_eq!(RuleKeys::from_toml(&keys.to_toml()).unwrap(), keys, "{name}");
        }
    }

    #[test]
    fn a_file_overrides_its_base_key_by_key() {
        let keys =
            RuleKeys::from_toml("base = \"leiden\"\n[strength]\ntiger = 7\n[jumps]\nleopard = \"across\"").unwrap();
        let leiden = RuleKeys::preset("leiden").unwrap();
        assert_eq!(keys.strength, [1, 2, 4, 3, 5, 7, 7, 8]);
        assert_eq!(keys.jumps[Animal::Leopard.index()], Jumps::Across);
        assert_eq!(keys.jumps[Animal::Lion.index()], Jumps::Both);
        assert_eq!(keys.elephant_takes_rat, leiden.elephant_takes_rat);
    }

    #[test]
    fn bad_files_say_what_and_where() {
        for (text, part) in [
            ("base = \"chess\"", "unknown base \"chess\""),
            ("bord = \"jungle\"", "line 1: unknown field `bord`"),
            ("board = \"chess\"", "line 1: unknown variant `chess`"),
            ("\n\nstrength = { cow = 3 }", "line 3: unknown variant `cow`"),
            ("strength = { rat = 0 }", "strength.rat: 0 is out of range"),
            ("strength = { rat = 100 }", "strength.rat: 100 is out of range"),
            ("strength = { rat = \"1\" }", "line 1: invalid type"),
            ("trap_entry_max_strength = -4", "trap_entry_max_strength: -4 is out of range"),
            ("swimmers = [\"lion\"]", "swimmers: lion cannot be named here; allowed are rat and dog"),
            ("rat_from_water_takes = [\"cat\"]", "rat_from_water_takes: cat"),
            ("hidden = true", "not a game of perfect information"),
            ("base = \"dark\"", "not a game of perfect information"),
            ("traps = ", "line 1:"),
            ("traps = \"enemy\"\ntraps = \"all\"", "line 2: duplicate key"),
            ("jumps = { lion = \"up\" }", "line 1: unknown variant `up`"),
        ] {
            let error = RuleKeys::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text:?} gave {error:?}");
            assert!(!error.contains('\n'), "{error:?}");
        }
    }

    #[test]
    fn file_names_become_folder_names() {
        assert_eq!(Rules::from_toml("my-rules", "").unwrap().name(), "my-rules");
        assert!(matches!(Rules::from_toml("leiden", ""), Err(RulesError::TakenName(_))));
        assert!(Rules::from_toml("standard", "").is_ok());
        for (name, kept) in [("Standard", "standard"), ("Правила_2", "Правила_2"), ("规则", "规则")] {
            assert_eq!(Rules::from_toml(name, "").unwrap().name(), kept);
        }
        assert!(matches!(Rules::from_toml("LEIDEN", ""), Err(RulesError::TakenName(_))));
        for name in ["", "..", "a/b", "a b", ".x", "a\u{fffd}"] {
            assert!(matches!(Rules::from_toml(name, ""), Err(RulesError::BadName(_))), "{name}");
        }
    }
}
