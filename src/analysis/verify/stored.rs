//! The values of one side of a table as codes, in the order of its index.

use super::captures::Bound;
use super::lanes::Code;
use super::{Failure, VerifyError};
use crate::game::Category;
use crate::material::{Class, Side};
use crate::probe::Tablebase;
use crate::system::{Cancel, filled};
use crate::table::{Metric, Table, TableError, Value};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The stored values of a class.
pub struct Stored<C> {
    /// The table they come from.
    pub table: Arc<Table>,
    /// A WDL table that must agree with it.
    results: Option<Arc<Table>>,
    /// The first placement about which it does not.
    dissent: Mutex<Option<(Side, u64)>>,
    /// By [`Value::code`]; `None` for a value that no lane can hold.
    codes: Vec<Option<C>>,
    cancel: Cancel,
}

impl<C: Code> Stored<C> {
    /// The values of a table. If it has results only, and lanes hold distances, they are replaced by bounds. If it has
    /// distances of lost positions only, the won ones are [`Code::latest`], and `results` are its own.
    pub fn new(
        tables: &Tablebase,
        class: &Class,
        results: Option<Arc<Table>>,
        bound: Bound,
        cancel: &Cancel,
    ) -> Result<Self, VerifyError> {
        let table = tables.table(class.representative)?;
        let header = table.header();
        let is_losses = header.is_losses();
        let kinds = match (header.metric, header.width) {
            (Metric::Wdl, _) => 3,
            (Metric::Dtw, 1) if !is_losses => 256,
            (Metric::Dtw, _) => u32::from(Value::MAX_PLIES) + 2,
        };
        let code = |code: u32| {
            let value = Value::from_code(code as u16)?;
            match (header.metric, value.category(), bound) {
                (Metric::Wdl, Category::Loss, Bound::Least) | (Metric::Wdl, Category::Win, Bound::Most) => {
                    Some(C::latest(value.category()))
                }
                (_, Category::Win, _) if is_losses => Some(C::latest(Category::Win)),
                // The wins before it must fit too.
                (_, Category::Loss, _) if is_losses => C::of(value.before()).and(C::of(value)),
                _ => C::of(value),
            }
        };
        let codes = (0..kinds).map(code).collect();
        let results = results.filter(|_| !is_losses);
        Ok(Self { table, results, dissent: Mutex::default(), codes, cancel: cancel.clone() })
    }

    /// The values of the placements with these numbers.
    pub fn read(&self, side: Side, numbers: Range<u64>) -> Result<Vec<C>, Failure> {
        let len = (numbers.end - numbers.start) as usize;
        let mut codes = filled(len, C::ABSENT)
            .map_err(|_| TableError::io(self.table.path(), "load")(std::io::ErrorKind::OutOfMemory.into()))?;
        // Each block is unpacked once.
        let step = u64::from(self.table.header().block_len);
        let mut parts = Vec::new();
        let (mut start, mut rest) = (numbers.start, &mut codes[..]);
        while !rest.is_empty() {
            let (part, later) = rest.split_at_mut(rest.len().min((step - start % step) as usize));
            let len = part.len() as u64;
            parts.push((start, part));
            (start, rest) = (start + len, later);
        }
        parts.into_par_iter().try_for_each_init(Vec::new, |values, (start, part)| {
            if self.cancel.is_cancelled() {
                return Err(Failure::from(VerifyError::Interrupted));
            }
            values.resize(part.len(), Value::DRAW);
            self.table.read(side, start, values)?;
            for (code, value) in part.iter_mut().zip(&*values) {
                let known = self.codes.get(usize::from(value.code())).copied().flatten();
                *code = known.ok_or(Failure::TooLong)?;
            }
            let Some(results) = &self.results else { return Ok(()) };
            let categories: Vec<Category> = values.iter().map(|value| value.category()).collect();
            results.read(side, start, values)?;
            let differs = |(value, category): (&Value, &Category)| value.category() != *category;
            if let Some(at) = values.iter().zip(&categories).position(differs) {
                let mut dissent = self.dissent.lock().unwrap_or_else(PoisonError::into_inner);
                let (known, here) = (*dissent, (side, start + at as u64));
                *dissent = Some(known.map_or(here, |known| known.min(here)));
            }
            Ok(())
        })?;
        Ok(codes)
    }

    /// The first placement read whose values in the two tables of the class differ.
    pub fn dissent(&self) -> Option<(Side, u64)> {
        *self.dissent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
