//! A cell that many threads read and few replace: readers take no lock and write to no shared memory.
//!
//! A replaced value is freed with epoch-based reclamation (Fraser, *Practical lock freedom*, 2004): a reader pins the
//! epoch, and a value stays allocated until every thread that was pinned when it was taken out has unpinned.

use crossbeam_epoch::{Atomic, Guard, Owned, Shared};
use std::fmt;
use std::sync::atomic::Ordering;

/// A cell that holds a value or is empty.
pub struct Cell<T>(Atomic<T>);

impl<T: Send + Sync + 'static> Cell<T> {
    /// An empty cell.
    pub const fn empty() -> Self {
        Self(Atomic::null())
    }

    /// The current value. The reference stays valid while the guard lives, even if the value is replaced meanwhile.
    #[inline]
    pub fn get<'g>(&'g self, guard: &'g Guard) -> Option<&'g T> {
        // SAFETY: the pointer is null or was stored by `put`, which initialized the value (acquire pairs with its
        // release). The value is freed only through `defer_destroy`, after the guard is gone, or by `drop`, which needs
        // the cell exclusively and so runs after the reference, which borrows the cell.
        unsafe { self.0.load(Ordering::Acquire, guard).as_ref() }
    }

    /// Stores a value if the cell is empty; returns the value that is then in the cell, which may be another thread's.
    pub fn put<'g>(&'g self, value: T, guard: &'g Guard) -> &'g T {
        let new = Owned::new(value);
        let found = self.0.compare_exchange(Shared::null(), new, Ordering::AcqRel, Ordering::Acquire, guard);
        let there = found.unwrap_or_else(|error| error.current);
        // SAFETY: as in `get`; not null: it is either the value stored just now or the one already present.
        unsafe { there.deref() }
    }

    /// Removes the value `seen` if it is still in the cell. Readers that hold it keep it while their guards live.
    pub fn take(&self, seen: &T, guard: &Guard) -> bool {
        let seen = Shared::from(std::ptr::from_ref(seen));
        let taken = self.0.compare_exchange(seen, Shared::null(), Ordering::AcqRel, Ordering::Acquire, guard);
        if taken.is_ok() {
            // SAFETY: the value is no longer in the cell, so no new reader can reach it, and only the thread that
            // removed it gets here.
            unsafe { guard.defer_destroy(seen) };
        }
        taken.is_ok()
    }
}

impl<T> Drop for Cell<T> {
    fn drop(&mut self) {
        // SAFETY: no other reference to the cell exists, and the value is still in it, so it was not destroyed.
        drop(unsafe { std::mem::take(&mut self.0).try_into_owned() });
    }
}

impl<T> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cell")
    }
}
