//! Reading ahead, for stores whose bytes come over a network: the values of a position and of its moves may depend on
//! what lies two plies ahead, which a probe learns one ply after the other.

use super::conclude::Glance;
use super::{ProbeError, Tablebase, keep};
use crate::game::Position;
use crate::material::Material;
use crate::table::{Metric, Pending, TableError};
use crossbeam_epoch as epoch;
use std::collections::HashSet;

/// Blocks that were asked for, by the checksum of their table.
type Asked = HashSet<(u64, usize)>;

impl Tablebase {
    /// Asks a store ([`crate::table::Store`]) for the results of a position and of all positions up to two plies
    /// ahead, so that few rounds bring what [`Tablebase::value`] and [`Tablebase::moves`] need.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, if a table is damaged, or if bytes are on their way
    /// ([`TableError::is_pending`]).
    pub fn read_ahead(&self, position: &Position) -> Result<(), ProbeError> {
        position.check(&self.rules)?;
        let mut asked = Asked::new();
        let mut pending = Pending::default();
        let mut ask = |position: &Position| {
            keep(&mut pending, self.ask(position, &mut asked).map_err(ProbeError::from))?;
            Ok(self.conversion(position).is_none() && Glance::new(&self.rules, position).decided.is_none())
        };
        ask(position)?;
        for successor in position.successors(&self.rules) {
            let goes_on: Result<bool, ProbeError> = ask(&successor.position);
            if goes_on? {
                successor.position.successors(&self.rules).try_for_each(|next| ask(&next.position).map(|_| ()))?;
            }
        }
        Ok(pending.end()?)
    }

    /// Asks for the results around a position.
    fn ask(&self, position: &Position, asked: &mut Asked) -> Result<(), TableError> {
        if self.conversion(position).is_some() {
            return Ok(());
        }
        let Some(place) = self.classes.place(&self.rules, Material::of(position)) else { return Ok(()) };
        let guard = epoch::pin();
        let table = match self.registry.look(&place.class, Metric::Dtw, &guard)? {
            None => self.registry.look(&place.class, Metric::Wdl, &guard)?,
            table => table,
        };
        let Some(table) = table else { return Ok(()) };
        let (sets, side) = place.sets(&self.rules, position);
        let number = place.class.index().encode(&sets);
        let (block, _) = table.locate(side, number);
        if asked.insert((table.checksum(), block)) { table.ask(side, number) } else { Ok(()) }
    }
}
