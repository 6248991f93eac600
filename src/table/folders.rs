//! The places in which the tables of one rule set are looked for, as messages need them.

use super::search_path::SearchPath;
use crate::game::Rules;
use crate::material::Material;
use crate::text::quote;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folders and stores that hold tables of one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// The folders in search order. Each has a subfolder per rule set.
    roots: Vec<PathBuf>,
    /// The subfolder of the rule set in each of them.
    of_rules: Vec<PathBuf>,
    /// The same of each store.
    of_stores: Vec<PathBuf>,
    /// The number of the folder that is written to.
    written: usize,
    /// The argument of `--rules`.
    rules: OsString,
}

impl Folders {
    pub(super) fn new(path: &SearchPath, rules: &Rules) -> Self {
        let roots = path.folders().to_vec();
        let written = path.written().and_then(|written| roots.iter().position(|root| root == written));
        Self {
            of_rules: roots.iter().map(|root| root.join(rules.name())).collect(),
            of_stores: path.stores().iter().map(|store| store.name().join(rules.name())).collect(),
            written: written.unwrap_or(0),
            rules: rules.argument().to_owned(),
            roots,
        }
    }

    /// All folders with a subfolder per rule set, in search order.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// All folders with tables of the rules, in search order.
    pub fn of_rules(&self) -> &[PathBuf] {
        &self.of_rules
    }

    /// The names of the stores, with that of the rules, in search order.
    pub(super) fn of_stores(&self) -> &[PathBuf] {
        &self.of_stores
    }

    /// The folder that is written to, with a subfolder per rule set, and that of the rules; empty without any folder.
    pub(super) fn written(&self) -> [&Path; 2] {
        [&self.roots, &self.of_rules].map(|all| all.get(self.written).map_or(Path::new(""), PathBuf::as_path))
    }

    /// The folders, and the names of the stores that are searched after them.
    pub fn searched(&self) -> impl Iterator<Item = &Path> {
        self.of_rules.iter().chain(&self.of_stores).map(PathBuf::as_path)
    }

    /// When the contents of each folder last changed; `None` if there is no such folder.
    pub(super) fn times(&self) -> Vec<Option<SystemTime>> {
        let time = |folder: &PathBuf| folder.metadata().and_then(|metadata| metadata.modified()).ok();
        self.of_rules.iter().map(time).collect()
    }

    /// The command that generates a table in the folder that is written to.
    pub fn command(&self, material: Material) -> String {
        let (before, from) = self.roots.split_at(self.written.min(self.roots.len()));
        let (written, after) = from.split_at(from.len().min(1));
        let roots = written.iter().chain(before).chain(after);
        let tables = roots.map(|root| format!(" --tables {}", quote(root.as_ref())));
        format!("jungletb generate {material} --rules {}{}", quote(&self.rules), tables.collect::<String>())
    }
}
