//! What the engine tells about its tables.

use crate::probe::Tablebase;
use crate::text::count;

/// How many tables there are, and where.
pub fn announce(tables: &Tablebase) -> String {
    let most = tables.most_pieces();
    if most == 0 {
        let (rules, folders) = (tables.rules().name(), folders(tables));
        return format!(
            "info string no tables for the rules {rules} in {folders}: playing by search only; set the option TablePath"
        );
    }
    let number = count(tables.available().len() as u64, "table", "tables");
    let places: Vec<String> = tables.registry().populated().map(|place| place.display().to_string()).collect();
    format!("info string {number} of up to {most} pieces in {}", places.join(", "))
}

/// The folders of tables, in the form of the option.
pub fn folders(tables: &Tablebase) -> String {
    let paths = std::env::join_paths(tables.registry().roots());
    paths.map(|paths| paths.display().to_string()).unwrap_or_default()
}
