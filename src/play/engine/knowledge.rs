//! Table access for a search: a probe without an answer costs next to nothing, and no error ends the game. The registry
//! caches which tables exist.

use crate::game::Position;
use crate::material::Material;
use crate::probe::{Answer, ProbeError, Tablebase};
use crate::table::TableError;
use std::collections::HashSet;
use std::path::PathBuf;

/// Tables, with the errors found in them.
pub struct Knowledge<'a> {
    tables: &'a Tablebase,
    /// Files known to be unusable.
    faulty: HashSet<PathBuf>,
    complaints: Vec<String>,
    /// Number of probes with an answer.
    pub hits: u64,
}

impl<'a> Knowledge<'a> {
    /// Checks which tables exist.
    pub fn new(tables: &'a Tablebase) -> Self {
        let mut knowledge = Self { tables, faulty: HashSet::new(), complaints: Vec::new(), hits: 0 };
        knowledge.look_again();
        knowledge
    }

    /// Checks for tables that were created or replaced in the meantime.
    pub fn look_again(&mut self) {
        self.tables.refresh();
        self.faulty.clear();
        // Finding the classes takes longer than a probe should; this does it once per number of pieces.
        for pieces in 2..=self.tables.most_pieces() {
            self.tables.classes().with_pieces(self.tables.rules(), pieces);
        }
    }

    /// Errors of table files since the last call, one line per file.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// The answer of the tables for a position; `None` if they have none.
    pub fn ask(&mut self, position: &Position) -> Option<Answer> {
        if position.conversion(self.tables.rules()).is_some() {
            return self.tables.value(position).ok();
        }
        self.ask_running(position, Material::of(position))
    }

    /// As `ask`, for a position of this material in which no den is entered and each side has a piece.
    #[inline]
    pub fn ask_running(&mut self, position: &Position, material: Material) -> Option<Answer> {
        // The search itself finds what follows from other tables.
        if self.tables.is_missing(material) {
            return None;
        }
        let answer = self.look_up(position);
        self.hits += u64::from(answer.is_some());
        answer
    }

    fn look_up(&mut self, position: &Position) -> Option<Answer> {
        match self.tables.value(position) {
            Ok(answer) => return Some(answer),
            Err(ProbeError::Table(error)) => self.complain(&error),
            Err(_) => return None,
        }
        // An intact WDL table may exist.
        match self.tables.wdl(position) {
            Ok(category) => Some(Answer { category, dtw: None, over: None }),
            Err(error) => {
                if let ProbeError::Table(error) = &error {
                    self.complain(error);
                }
                None
            }
        }
    }

    fn complain(&mut self, error: &TableError) {
        if self.faulty.insert(error.path().to_owned()) {
            self.complaints.push(error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SHIPPED;
    use crate::game::Rules;
    use std::path::Path;

    /// A folder with copies of these shipped files.
    fn copy(files: &[&str], to: &Path) {
        std::fs::create_dir_all(to.join("standard")).unwrap();
        for file in files {
            std::fs::copy(Path::new(SHIPPED).join("standard").join(file), to.join("standard").join(file)).unwrap();
        }
    }

    /// Looking for a file in every position would take most of a search's time.
    #[test]
    fn a_missing_table_is_looked_for_once() {
        let folder = tempfile::tempdir().unwrap();
        copy(&["EvL.dtw"], folder.path());
        let rules = Rules::standard();
        let tables = Tablebase::open(folder.path(), &rules).unwrap();
        let mut knowledge = Knowledge::new(&tables);
        let position = Position::parse(&rules, "7/7/2r4/7/7/3L3/7/7/7 w").unwrap();
        assert_eq!(knowledge.ask(&position), None);
        copy(&["LvR.dtw"], folder.path());
        assert_eq!(knowledge.ask(&position), None);
        knowledge.look_again();
        let found = knowledge.ask(&position);
        assert!(found.is_some());
        assert_eq!(found, tables.value(&position).ok());
        assert!(knowledge.complaints().is_empty());
    }

    #[test]
    fn distances_are_told_where_there_are_any() {
        let folder = tempfile::tempdir().unwrap();
        copy(&["EvL.wdl", "EvL.dtw", "EvE.dtw", "LvR.wdl"], folder.path());
        let rules = Rules::standard();
        let tables = Tablebase::open(folder.path(), &rules).unwrap();
        let mut knowledge = Knowledge::new(&tables);
        for (text, is_told) in
            [("7/3E3/7/7/7/7/7/2l4/7 w", true), ("7/3E3/7/7/7/7/7/2e4/7 w", true), ("7/3L3/7/7/7/7/7/2r4/7 w", false)]
        {
            let position = Position::parse(&rules, text).unwrap();
            for _ in 0..3 {
                let answer = knowledge.ask(&position).unwrap();
                assert_eq!(answer.category, tables.value(&position).unwrap().category);
                assert_eq!(answer.dtw.is_some(), is_told, "{text}: {answer:?}");
            }
        }
        assert_eq!(knowledge.hits, 9);
        // Games that are over need no table.
        let over = Position::parse(&rules, "3L3/7/7/7/7/7/7/7/d6 b").unwrap();
        assert_eq!(knowledge.ask(&over).unwrap().dtw, Some(0));
        assert_eq!(knowledge.ask(&Position::start(&rules).unwrap()), None);
    }
}
