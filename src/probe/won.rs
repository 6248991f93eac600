//! The distance of a won position, where the tables leave it out: one ply more than that of the quickest lost position
//! that a move leads to.

use super::cache::Stored;
use super::conclude::{self, Glance};
use super::{Answer, Tablebase};
use crate::game::{Category, Position};
use crate::material::{Material, Place};
use crate::table::{Metric, Pending, TableError};
use crossbeam_epoch::Guard;

/// What is known about a position that a move leads to.
enum After {
    /// Not lost.
    Safe,
    /// Lost in this number of plies.
    Lost(u16),
    /// Perhaps lost, and the distance is unknown.
    Unknown,
}

impl Tablebase {
    /// The distance of a won position in plies; `None` if it rests on a table that is missing.
    pub(super) fn plies_of_win(
        &self,
        position: &Position,
        place: &Place,
        guard: &Guard,
    ) -> Result<Option<u16>, TableError> {
        if let Some(Answer { category: Category::Win, dtw, .. }) = Glance::new(&self.rules, position).decided {
            return Ok(dtw);
        }
        let mut best: Option<u16> = None;
        let mut is_known = true;
        let mut pending = Pending::default();
        for successor in position.successors(&self.rules) {
            let after = if successor.capture.is_none() {
                self.after(&successor.position, place, guard)
            } else {
                let material = Material::of(&successor.position);
                match self.classes.place(&self.rules, material) {
                    Some(place) => self.after(&successor.position, place, guard),
                    None => Ok(After::Unknown),
                }
            };
            match pending.keep(after)?.unwrap_or(After::Unknown) {
                After::Safe => {}
                After::Lost(plies) => best = Some(best.map_or(plies, |best| best.min(plies))),
                After::Unknown => is_known = false,
            }
        }
        pending.end()?;
        // No loss is faster than one without any move.
        let best = best.filter(|&best| is_known || best == 0);
        Ok(best.map(|plies| plies + 1))
    }

    /// What the tables tell about a position in which the game has not ended by a capture or in a den.
    #[inline]
    fn after(&self, position: &Position, place: &Place, guard: &Guard) -> Result<After, TableError> {
        match self.of_table(position, place, Metric::Dtw, guard)? {
            Some(Stored::Win) => return Ok(After::Safe),
            Some(Stored::Exact(value)) => {
                let plies = value.plies().filter(|_| value.category() == Category::Loss);
                return Ok(plies.map_or(After::Safe, After::Lost));
            }
            None => {}
        }
        if let Some(Stored::Exact(value)) = self.of_table(position, place, Metric::Wdl, guard)? {
            return Ok(if value.category() == Category::Loss { After::Unknown } else { After::Safe });
        }
        Ok(match Glance::new(&self.rules, position).decided {
            Some(answer) if answer == conclude::without_moves(&self.rules) => {
                answer.dtw.map_or(After::Safe, After::Lost)
            }
            Some(_) => After::Safe,
            None => After::Unknown,
        })
    }
}
