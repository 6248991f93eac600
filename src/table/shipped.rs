//! The tables of up to three pieces that are part of the library: those of `tablebases/standard`, see `build.rs`.

use super::source::ByteSource;
use super::store::Store;
use crate::game::Rules;
use std::io;
use std::path::Path;

/// File names and contents, by name.
static TABLES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The rule set of the tables.
const RULES: &str = "standard";

/// The tables of up to three pieces under the standard rules, 660 KB, in memory.
#[derive(Clone, Copy, Debug)]
pub struct Shipped;

impl Store for Shipped {
    fn name(&self) -> &Path {
        Path::new("shipped")
    }

    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ByteSource>>> {
        let name = file.strip_prefix(RULES).and_then(|rest| rest.strip_prefix('/'));
        let found = name.and_then(|name| TABLES.binary_search_by_key(&name, |(name, _)| name).ok());
        Ok(found.and_then(|at| TABLES.get(at)).map(|(_, bytes)| Box::new(*bytes) as Box<dyn ByteSource>))
    }

    fn serves(&self, rules: &Rules) -> bool {
        rules.keys() == Rules::standard().keys()
    }

    fn list(&self, rules: &str) -> Vec<String> {
        let names = TABLES.iter().map(|(name, _)| (*name).to_owned());
        if rules == RULES { names.collect() } else { Vec::new() }
    }
}
