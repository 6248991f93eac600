//! The part of the JavaScript package that runs as WebAssembly: positions, moves, and probing of tables whose bytes
//! JavaScript brings. `js/lib` has the interface that programs use.
//!
//! A question whose bytes are not all there gives an empty text; [`Core::needs`] then tells which bytes to bring with
//! [`Core::supply`] before asking again. All other answers are JSON: what the program prints for the same question, or
//! `{"error","code"}` with fields for the kind of error.

mod answers;
mod needs;
mod remote;

use jungletb::game::{PRESETS, Position, Rules};
use jungletb::material::Material;
use jungletb::probe::{Options, ProbeError, Tablebase};
use jungletb::table::Store;
use remote::Remote;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Tables of one rule set.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    tables: Tablebase,
    sources: Vec<Arc<Remote>>,
}

/// What [`Core::wdl`] gives besides the number of a category.
const PENDING: i32 = -1;
const FAILED: i32 = -2;

#[wasm_bindgen]
impl Core {
    /// Tables of a preset, or of the rules of a rule file. `names`: those of the sources, in messages.
    ///
    /// # Errors
    /// Throws a text if the rules are malformed.
    #[wasm_bindgen(constructor)]
    pub fn new(rules: &str, toml: Option<String>, names: Vec<String>, cache_bytes: f64) -> Result<Core, String> {
        let rules = answers::rules(rules, toml)?;
        let sources: Vec<Arc<Remote>> = names.into_iter().map(|name| Arc::new(Remote::new(name))).collect();
        let stores = sources.iter().map(|source| Arc::clone(source) as Arc<dyn Store>).collect();
        let options = Options::default().cache_bytes(cache_bytes as u64);
        Ok(Self { tables: Tablebase::of_stores(stores, &rules, options), sources })
    }

    /// Name of the rules.
    #[wasm_bindgen(getter)]
    pub fn rules(&self) -> String {
        self.tables.rules().name().to_owned()
    }

    /// Everything about a position; without the best line if that is not asked for.
    pub fn probe(&self, position: &str, line: bool) -> String {
        self.ask(position, |position| answers::report(&self.tables, position, line))
    }

    /// Category, distance, and why the game is over.
    pub fn value(&self, position: &str) -> String {
        self.ask(position, |position| Ok(answers::value(self.tables.value(position)?)))
    }

    /// Number of the category: 0 loss, 1 draw, 2 win; negative if it is not known at once.
    pub fn wdl(&self, position: &str) -> i32 {
        let parsed = Position::parse(self.tables.rules(), position).map_err(ProbeError::from);
        match parsed.and_then(|position| self.tables.wdl(&position)) {
            Ok(category) => category as i32,
            Err(ProbeError::Table(error)) if error.is_pending() => PENDING,
            Err(_) => FAILED,
        }
    }

    /// As [`Core::wdl`], as JSON.
    pub fn category(&self, position: &str) -> String {
        self.ask(position, |position| Ok(self.tables.wdl(position)?.name().into()))
    }

    /// The legal moves, best first.
    pub fn moves(&self, position: &str) -> String {
        self.ask(position, |position| answers::moves(&self.tables, position))
    }

    /// The best line.
    pub fn line(&self, position: &str) -> String {
        self.ask(position, |position| {
            Ok(self.tables.line(position)?.iter().map(ToString::to_string).collect::<Vec<_>>().into())
        })
    }

    /// The legal moves with the positions after them, without any table.
    pub fn successors(&self, position: &str) -> String {
        self.ask(position, |position| Ok(answers::successors(self.tables.rules(), position)))
    }

    /// Whether a material has a table.
    pub fn has(&self, material: &str) -> String {
        answers::has(&self.tables, material)
    }

    /// The classes that have tables, as far as the sources are known.
    pub fn available(&self) -> String {
        answers::available(&self.tables)
    }

    /// Asks for the bytes that a position and its moves may need, besides those that it certainly needs.
    #[wasm_bindgen(js_name = readAhead)]
    pub fn read_ahead(&self, position: &str) {
        if let Ok(position) = Position::parse(self.tables.rules(), position) {
            // A table that is damaged is reported when it is used.
            let _ = self.tables.read_ahead(&position);
        }
    }

    /// The bytes that the questions since the last call missed.
    pub fn needs(&self) -> String {
        needs::all(&self.tables, &self.sources)
    }

    /// Brings bytes of a file of a source from `start` on. `size`: length of the file; negative if it is not known.
    pub fn supply(&self, source: usize, file: &str, start: f64, bytes: Vec<u8>, size: f64) {
        if let Some(source) = self.sources.get(source) {
            source.supply(file, start as u64, bytes, (size >= 0.0).then_some(size as u64));
        }
    }

    /// Tells that a source does not have a file.
    pub fn absent(&self, source: usize, file: &str) {
        if let Some(source) = self.sources.get(source) {
            source.absent(file);
        }
    }

    /// Tells that a source has files.
    pub fn list(&self, source: usize, files: Vec<String>) {
        if let Some(source) = self.sources.get(source) {
            source.list(files);
        }
    }

    /// Drops the compressed bytes brought so far.
    #[wasm_bindgen(js_name = dropBytes)]
    pub fn drop_bytes(&self) {
        self.sources.iter().for_each(|source| source.drop_bytes());
    }

    /// Cost of probing so far.
    pub fn statistics(&self) -> String {
        answers::statistics(&self.tables)
    }

    fn ask(&self, position: &str, answer: impl FnOnce(&Position) -> Result<serde_json::Value, ProbeError>) -> String {
        let parsed = Position::parse(self.tables.rules(), position).map_err(ProbeError::from);
        answers::text(&self.tables, parsed.and_then(|position| answer(&position)))
    }
}

/// The names of the presets.
#[wasm_bindgen]
pub fn presets() -> Vec<String> {
    PRESETS.iter().map(|name| (*name).to_owned()).collect()
}

/// Every key of a preset or of the rules of a rule file, as a rule file.
///
/// # Errors
/// Throws a text if the rules are malformed.
#[wasm_bindgen(js_name = rulesText)]
pub fn rules_text(rules: &str, toml: Option<String>) -> Result<String, String> {
    Ok(answers::rules(rules, toml)?.keys().to_toml())
}

/// The starting position.
///
/// # Errors
/// Throws a text if the rules are malformed.
#[wasm_bindgen(js_name = startPosition)]
pub fn start_position(rules: &str, toml: Option<String>) -> Result<Option<String>, String> {
    let rules = answers::rules(rules, toml)?;
    Ok(Position::start(&rules).map(|position| position.to_text(&rules)))
}

/// The material of a name, such as `ERvL`.
fn material(rules: &Rules, name: &str) -> Result<Material, String> {
    Material::parse(rules, name).map_err(|error| error.to_string())
}
