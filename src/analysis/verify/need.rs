//! The memory that the check of a class needs, known before it begins.

use super::VerifyError;
use super::bits::Bits;
use super::captures::Smaller;
use super::lanes::{Code, Row};
use super::layout::Layout;
use super::moves::Moves;
use super::slabs::PIECE;
use crate::game::Rules;
use crate::material::{Class, Side};
use crate::table::Header;

/// Bytes for block tables, for the buffers of the threads, and for the program itself.
const OVERHEAD: u64 = 32 << 20;

/// Bytes needed for a class.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// What is in memory from beginning to end.
    always: u64,
    /// What reading takes at a time: first of a smaller class, with what restores the distances that its table leaves
    /// out, then of the class itself.
    stretches: [u64; 2],
    /// A slab.
    slab: u64,
    /// The number of slabs without which no step is possible.
    slabs: u64,
}

impl Need {
    /// For the check of a DTW table.
    pub fn of_distances<R: Row>(
        rules: &Rules,
        class: &Class,
        layout: &Layout,
        smaller: &Smaller,
        header: &Header,
        is_vague: bool,
    ) -> Self {
        let moves: Moves<'_, R> = Moves::new(rules, class, layout);
        let copies = if is_vague { 2 } else { 1 };
        let is_losses = header.is_losses();
        let sides = if is_losses { &Side::BOTH[..] } else { class.stored_sides() };
        let captures: u64 = sides.iter().map(|&side| captures::<R>(class, layout, side)).sum();
        // A slab, that of the other side, and those that a move of the lead leads to; where distances must be restored,
        // these with either side to move.
        let near = (0..layout.slabs()).map(|slab| {
            let near = moves.slabs_near(layout, slab);
            let other = (near.len() + usize::from(!near.contains(&slab))) as u64;
            if is_losses { 2 * other } else { other + 1 }
        });
        let [others, own] = stretches::<R>(class, layout, smaller);
        Self {
            always: OVERHEAD + captures * copies,
            stretches: [others.max(restoring::<R>(smaller)), own],
            slab: (layout.slab_rows().min(layout.rows) * size_of::<R>()) as u64,
            slabs: near.max().unwrap_or(2),
        }
    }

    /// For the proof of a WDL table.
    pub fn of_results(class: &Class, layout: &Layout, smaller: &Smaller) -> Self {
        let captures: u64 = Side::BOTH.iter().map(|&side| captures::<Bits>(class, layout, side)).sum();
        Self {
            always: OVERHEAD + captures + 2 * (layout.rows * size_of::<Bits>()) as u64,
            stretches: stretches::<Bits>(class, layout, smaller),
            slab: (layout.slab_rows().min(layout.rows) * size_of::<Bits>()) as u64,
            slabs: if class.index().leads().is_some() { 1 } else { layout.slabs() as u64 },
        }
    }

    /// Bytes without which the check is impossible.
    pub fn least(&self) -> u64 {
        self.always + self.stretches[0].max(self.stretches[1] + self.slab * self.slabs)
    }

    /// The number of slabs that fit in this many bytes.
    ///
    /// # Errors
    /// Returns an error if the check is impossible with so few.
    pub fn room(&self, class: &Class, limit: u64) -> Result<usize, VerifyError> {
        let need = self.least();
        if need > limit {
            return Err(VerifyError::NeedsMemory { class: class.name(), need, limit });
        }
        Ok(((limit - self.always - self.stretches[1]) / self.slab.max(1)) as usize)
    }
}

/// The values after the captures of a side.
fn captures<R: Row>(class: &Class, layout: &Layout, side: Side) -> u64 {
    let victims = layout.dims.iter().enumerate().filter(|(_, dim)| dim.side != side);
    let rows: u64 = victims.map(|(victim, _)| Layout::after(class, Some(victim)).rows as u64).sum();
    let lane = if layout.lane.side == side { 0 } else { layout.rows as u64 * R::Code::BYTES };
    rows * size_of::<R>() as u64 + lane
}

/// What restores the distances of a smaller class: the rows of a side, the values after captures, and the values of the
/// other side. The tables that these captures lead to are smaller than that of the class.
fn restoring<R: Row>(smaller: &Smaller) -> u64 {
    let losses = smaller.iter().filter(|(_, table)| table.header().is_losses());
    let bytes = losses.map(|(place, _)| {
        let (class, layout) = (&place.class, Layout::new(&place.class));
        let captures = Side::BOTH.map(|side| captures::<R>(class, &layout, side));
        let rows = (layout.rows * size_of::<R>()) as u64;
        rows + captures[0].max(captures[1]) + class.index().len() * R::Code::BYTES
    });
    bytes.max().unwrap_or(0)
}

/// The longest stretches that are read of a smaller table, and of the class's own.
fn stretches<R: Row>(class: &Class, layout: &Layout, smaller: &Smaller) -> [u64; 2] {
    let others = smaller.classes.iter().flatten().map(|place| place.class.index().len());
    let own = class.index().leads().map_or(class.index().len(), |leads| {
        let slabs = (0..layout.slabs()).map(|slab| &leads[layout.leads(slab)]);
        let longest = slabs.map(|leads| leads.iter().map(|(_, numbers)| numbers.end - numbers.start).sum()).max();
        let longest: u64 = longest.unwrap_or(0);
        if class.symmetric { longest.max(class.index().len().min(PIECE)) } else { longest }
    });
    [others.max().unwrap_or(0), own].map(|numbers| numbers * R::Code::BYTES)
}
