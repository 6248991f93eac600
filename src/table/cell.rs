//! A place for a value that many threads read and few replace: readers take no lock and write to no memory that they
//! share.
//!
//! What was replaced is freed once no thread can still read it, which epochs tell (Fraser, *Practical lock freedom*,
//! 2004): a reader pins the epoch, and a value lives on until all who were pinned when it was taken out are not any more.

use crossbeam_epoch::{Atomic, Guard, Owned, Shared};
use std::fmt;
use std::sync::atomic::Ordering;

/// Holds a value, or none.
pub struct Cell<T>(Atomic<T>);

impl<T: Send + Sync + 'static> Cell<T> {
    /// Without a value.
    pub const fn empty() -> Self {
        Self(Atomic::null())
    }

    /// The value there is now. It can be read while the guard lasts, whatever becomes of it meanwhile.
    #[inline]
    pub fn get<'g>(&'g self, guard: &'g Guard) -> Option<&'g T> {
        // SAFETY: the pointer is null or that of a value put in by `put`, which has initialised it (acquire pairs with
        // its release). It is freed only through `defer_destroy`, after the guard is gone, or by `drop`, which needs the
        // cell for itself and so comes after the reference, which borrows the cell.
        unsafe { self.0.load(Ordering::Acquire, guard).as_ref() }
    }

    /// Puts a value where there is none; gives the one that is there then, which may be another thread's.
    pub fn put<'g>(&'g self, value: T, guard: &'g Guard) -> &'g T {
        let new = Owned::new(value);
        let found = self.0.compare_exchange(Shared::null(), new, Ordering::AcqRel, Ordering::Acquire, guard);
        let there = found.unwrap_or_else(|error| error.current);
        // SAFETY: as in `get`; it is not null, being either the value put in just now or the one that was in its way.
        unsafe { there.deref() }
    }

    /// Takes out the value `seen`, if it is still there. Readers that have it keep it while their guards last.
    pub fn take(&self, seen: &T, guard: &Guard) -> bool {
        let seen = Shared::from(std::ptr::from_ref(seen));
        let taken = self.0.compare_exchange(seen, Shared::null(), Ordering::AcqRel, Ordering::Acquire, guard);
        if taken.is_ok() {
            // SAFETY: it is in the cell no more, so no new reader can come by it, and only the thread that took it out
            // gets here.
            unsafe { guard.defer_destroy(seen) };
        }
        taken.is_ok()
    }
}

impl<T> Drop for Cell<T> {
    fn drop(&mut self) {
        // SAFETY: nobody else has the cell any more, and the value is in it, so it was not destroyed.
        drop(unsafe { std::mem::take(&mut self.0).try_into_owned() });
    }
}

impl<T> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cell")
    }
}
