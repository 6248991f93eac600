//! All values of a class with one side to move, in the order of the index.

use super::half::Half;
use super::layout::{Layout, material_without};
use super::losses::Losses;
use super::moves::{Capture, Moves};
use crate::game::{Category, Rules};
use crate::material::{Class, Classes, Material, Side};
use crate::table::{Metric, Registry, Table, TableError, Value};
use std::fmt;
use std::sync::Arc;

/// Where tables come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The classes of the rules.
    pub classes: &'a Classes,
    /// Their tables.
    pub registry: &'a Registry,
}

/// All values of a class with one side to move.
///
/// The distances of a DTW table of format version 2 take the lost positions of the other side in memory: about one byte
/// for each position of a side, and a fiftieth of that for each capture. Other tables need nothing in memory.
pub struct SideValues {
    table: Arc<Table>,
    side: Side,
    class: Arc<Class>,
    moves: Option<Width>,
}

/// Moves with distances of one byte or two.
enum Width {
    One(Moves<u8>),
    Two(Moves<u16>),
}

impl SideValues {
    /// Prepares the values of a table of a class, with a stored side to move.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged, or if memory is exhausted.
    pub fn of_table(source: Source<'_>, class: &Arc<Class>, table: Arc<Table>, side: Side) -> Result<Self, TableError> {
        let moves = if table.header().is_losses() {
            let needed = Needed::new(source, class, &table, side)?;
            let is_short = u8::of_plies(needed.longest).is_some();
            Some(if is_short { Width::One(needed.moves()?) } else { Width::Two(needed.moves()?) })
        } else {
            None
        };
        Ok(Self { table, side, class: Arc::clone(class), moves })
    }

    /// The table.
    pub const fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Reads the values of the placements from number `start` on; with a WDL table, wins and losses have the least
    /// possible distance. Fastest if `start` and the length of `out` are multiples of the table's block length.
    ///
    /// # Errors
    /// Returns an error if a table is damaged.
    ///
    /// # Panics
    /// Panics if `start` plus the length of `out` exceeds the number of placements.
    pub fn read(&self, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        self.table.read(self.side, start, out)?;
        match &self.moves {
            None => Ok(()),
            Some(Width::One(moves)) => self.restore(moves, start, out),
            Some(Width::Two(moves)) => self.restore(moves, start, out),
        }
    }

    /// Fills in the distances of won positions.
    fn restore<H: Half>(&self, moves: &Moves<H>, start: u64, values: &mut [Value]) -> Result<(), TableError> {
        let layout = moves.layout();
        let plane_group = layout.slots[layout.plane()].group;
        let mut rest = values;
        for run in self.class.index().runs(start..start + rest.len() as u64) {
            let (values, later) = std::mem::take(&mut rest).split_at_mut(run.plane.len());
            rest = later;
            if values.iter().all(|value| value.category() != Category::Win) {
                continue;
            }
            let mut best =
                if run.plane_group == plane_group { moves.best(&layout.sets(&run.sets)) } else { [H::NONE; 64] };
            for ((square, value), number) in run.plane.into_iter().zip(values).zip(run.start..) {
                if value.category() != Category::Win {
                    continue;
                }
                let mut lane = square;
                if run.plane_group != plane_group {
                    let mut sets = run.with(square);
                    let plane = sets[plane_group].first().unwrap_or(square);
                    sets[plane_group] = sets[plane_group].without(plane.set());
                    (lane, best) = (plane, moves.best(&layout.sets(&sets)));
                }
                let half = best[lane.index()];
                if half == H::NONE {
                    let what = format!("position {number} is won, but no move leads to a lost one");
                    return Err(TableError::damaged(self.table.path(), what));
                }
                *value = Value::decided(half.plies() + 1);
            }
        }
        Ok(())
    }
}

impl fmt::Debug for SideValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SideValues").field("table", &self.table).field("side", &self.side).finish_non_exhaustive()
    }
}

/// The tables from which the distances of a side follow.
struct Needed<'a> {
    source: Source<'a>,
    class: &'a Class,
    layout: Layout,
    side: Side,
    table: &'a Table,
    /// By slot, the table after a capture; `None` for slots of the moving side and where the game ends.
    smaller: Vec<Option<(Material, Arc<Table>)>>,
    /// The greatest distance of these tables.
    longest: u16,
}

impl<'a> Needed<'a> {
    fn new(source: Source<'a>, class: &'a Class, table: &'a Table, side: Side) -> Result<Self, TableError> {
        let layout = Layout::new(source.rules, class);
        let mut longest = table.summary().longest_plies();
        let mut smaller = Vec::new();
        for slot in &layout.slots {
            let rest = Some(material_without(class, slot)).filter(|rest| slot.side != side && !rest.is_one_sided());
            let place = rest.and_then(|rest| Some((rest, source.classes.place(source.rules, rest)?)));
            smaller.push(match place {
                None => None,
                Some((rest, place)) => {
                    let found = source.registry.table(&place.class, Metric::Dtw).map_err(|error| match error {
                        TableError::Missing { path: needs } => {
                            TableError::Incomplete { path: table.path().to_owned(), needs }
                        }
                        error => error,
                    })?;
                    longest = longest.max(found.summary().longest_plies());
                    Some((rest, found))
                }
            });
        }
        Ok(Self { source, class, layout, side, table, smaller, longest })
    }

    fn moves<H: Half>(self) -> Result<Moves<H>, TableError> {
        let Source { rules, classes, .. } = self.source;
        let other = self.side.other();
        let losses = |victim: Option<usize>, material: Material, table: &Table| {
            let place = classes.place(rules, material).map(Arc::clone);
            let place = place.ok_or_else(|| TableError::damaged(table.path(), "its material has no class"))?;
            Losses::new(rules, self.class, &self.layout, victim, &place, table, other)
        };
        let quiet = losses(None, self.class.material(), self.table)?;
        let mut captures = Vec::new();
        for (at, (slot, smaller)) in self.layout.slots.iter().zip(&self.smaller).enumerate() {
            captures.push(match smaller {
                _ if slot.side == self.side => None,
                None => Some(Capture::Last),
                Some((material, table)) => Some(Capture::Losses(losses(Some(at), *material, table)?)),
            });
        }
        Ok(Moves::new(rules, self.layout, self.side, quiet, captures))
    }
}
