//! The slabs in memory: read from the table when they are needed, and dropped when they have not been for longest.

use super::gather::Source;
use super::lanes::Row;
use super::layout::Layout;
use super::mapping::Mapping;
use super::stored::Stored;
use super::{Failure, VerifyError};
use crate::game::{Rules, SquareSet};
use crate::material::Side;
use crate::system::filled;
use std::collections::HashMap;
use std::ops::Range;

/// A slab: the positions with this side to move and these states of the lead.
pub type Slab = (Side, usize);

/// Values read at a time if a table must be read as a whole.
pub const PIECE: u64 = 1 << 28;

/// The slabs of a class in memory.
pub struct Slabs<'a, R: Row> {
    rules: &'a Rules,
    layout: &'a Layout,
    stored: &'a Stored<R::Code>,
    /// By side to move.
    mappings: [Mapping; 2],
    /// The numbers of the placements with each set of the first group; empty if they are not consecutive.
    leads: Vec<(SquareSet, Range<u64>)>,
    held: HashMap<Slab, Held<R>>,
    /// Maximum number of slabs in memory.
    room: usize,
    clock: u64,
}

struct Held<R> {
    rows: Vec<R>,
    used: u64,
    /// Once the distances that the table leaves out are restored: whether the results follow from the successors.
    agrees: Option<bool>,
}

impl<'a, R: Row> Slabs<'a, R> {
    /// No slabs, and room for some.
    pub fn new(
        rules: &'a Rules,
        layout: &'a Layout,
        stored: &'a Stored<R::Code>,
        mappings: [Mapping; 2],
        room: usize,
    ) -> Self {
        let leads = mappings[0].class.index().leads().unwrap_or_default();
        Self { rules, layout, stored, mappings, leads, held: HashMap::new(), room, clock: 0 }
    }

    /// Reads the slabs `now`. Where one pass over the table serves several slabs, reads those of `soon` as well, as far
    /// as there is room.
    pub fn ensure(&mut self, now: &[Slab], soon: impl Iterator<Item = Slab>) -> Result<(), Failure> {
        self.clock += 1;
        let mut missing = Vec::new();
        for &slab in now {
            match self.held.get_mut(&slab) {
                Some(held) => held.used = self.clock,
                None if missing.contains(&slab) => {}
                None => missing.push(slab),
            }
        }
        let (whole, single): (Vec<Slab>, Vec<Slab>) = missing.iter().partition(|slab| self.is_scattered(slab.0));
        let mut whole = whole;
        if !whole.is_empty() {
            let more = soon.filter(|slab| self.is_scattered(slab.0) && !self.held.contains_key(slab));
            for slab in more {
                if now.len() + whole.len() >= self.room {
                    break;
                }
                if !whole.contains(&slab) && !now.contains(&slab) {
                    whole.push(slab);
                }
            }
        }
        self.evict(whole.len() + single.len());
        for slab in single {
            self.read_one(slab)?;
        }
        if !whole.is_empty() {
            self.read_scattered(&whole)?;
        }
        Ok(())
    }

    /// The rows of a slab; none if it is not in memory.
    pub fn rows(&self, slab: Slab) -> &[R] {
        self.held.get(&slab).map_or(&[], |held| &held.rows)
    }

    /// Restores the distances of a slab, unless that is done: `restore` is given the rows of the other side by slab, and
    /// tells whether the results of the slab follow from them. Returns what it told.
    pub fn restore(
        &mut self,
        slab: Slab,
        restore: impl FnOnce(&[&[R]], &mut [R]) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let Some(mut held) = self.held.remove(&slab) else { return Ok(true) };
        let agrees = match held.agrees {
            Some(agrees) => agrees,
            None => restore(&self.of_side(slab.0.other()), &mut held.rows)?,
        };
        held.agrees = Some(agrees);
        self.held.insert(slab, held);
        Ok(agrees)
    }

    /// The rows with a side to move, by slab; none for a slab that is not in memory.
    pub fn of_side(&self, side: Side) -> Vec<&[R]> {
        (0..self.layout.slabs()).map(|slab| self.rows((side, slab))).collect()
    }

    /// Whether the positions of a slab lie all over the table.
    fn is_scattered(&self, side: Side) -> bool {
        self.leads.is_empty() || self.mappings[side.index()].turned
    }

    /// Makes room for more slabs, but keeps those used now.
    fn evict(&mut self, more: usize) {
        while self.held.len() + more > self.room {
            let oldest = self.held.iter().filter(|(_, held)| held.used < self.clock).min_by_key(|(_, held)| held.used);
            let Some((&oldest, _)) = oldest else { return };
            self.held.remove(&oldest);
        }
    }

    fn blank(&self, slab: usize) -> Result<Vec<R>, Failure> {
        filled(self.layout.rows_of(slab).len(), R::ABSENT)
            .map_err(|_| VerifyError::OutOfMemory(self.mappings[0].class.name()).into())
    }

    fn read_one(&mut self, slab: Slab) -> Result<(), Failure> {
        let (side, number) = slab;
        let leads = &self.leads[self.layout.leads(number)];
        let numbers = leads.first().map_or(0, |lead| lead.1.start)..leads.last().map_or(0, |lead| lead.1.end);
        let mapping = &self.mappings[side.index()];
        let values = self.stored.read(mapping.side, numbers.clone())?;
        let mut rows = self.blank(number)?;
        let first = self.layout.rows_of(number).start;
        Source::new(self.rules, mapping, &values, numbers.start).fill(self.layout, first, &mut rows);
        self.held.insert(slab, Held { rows, used: self.clock, agrees: None });
        Ok(())
    }

    /// Reads several slabs in one pass over the table.
    fn read_scattered(&mut self, slabs: &[Slab]) -> Result<(), Failure> {
        let mut blank = slabs.iter().map(|slab| self.blank(slab.1)).collect::<Result<Vec<_>, _>>()?;
        let len = self.mappings[0].class.index().len();
        let pieces: Vec<(Option<SquareSet>, Range<u64>)> = if len <= PIECE || self.leads.is_empty() {
            vec![(None, 0..len)]
        } else {
            self.leads.iter().map(|(lead, numbers)| (Some(*lead), numbers.clone())).collect()
        };
        for side in Side::BOTH {
            if !slabs.iter().any(|slab| slab.0 == side) {
                continue;
            }
            let mapping = &self.mappings[side.index()];
            for (lead, numbers) in &pieces {
                let values = self.stored.read(mapping.side, numbers.clone())?;
                for (slab, rows) in slabs.iter().zip(&mut blank).filter(|(slab, _)| slab.0 == side) {
                    let source = Source::new(self.rules, mapping, &values, numbers.start);
                    let source = match lead {
                        Some(lead) => source.with_lead(*lead),
                        None => source,
                    };
                    source.fill(self.layout, self.layout.rows_of(slab.1).start, rows);
                }
            }
        }
        for (&slab, rows) in slabs.iter().zip(blank) {
            self.held.insert(slab, Held { rows, used: self.clock, agrees: None });
        }
        Ok(())
    }
}
