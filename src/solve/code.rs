//! Codes: the value of a position after its best capture.
//!
//! It is nothing, a gate (all captures lose, the slowest at that ply), a save (some capture does not lose, none wins),
//! or the ply of the fastest winning capture. Codes are ordered by how good that is for the side to move, so the best of
//! several captures has the greatest code.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// A code: one byte, or two if a smaller class has very long wins.
pub trait Code: Copy + Ord + Debug + Send + Sync + 'static {
    /// The type in memory that several threads write.
    type Shared: Send + Sync;
    /// No capture.
    const NONE: Self;
    /// A capture that does not lose, and none that wins.
    const SAVED: Self;
    /// Won at this odd ply; `None` if the code is too small for it.
    fn win(ply: u16) -> Option<Self>;
    /// Not lost before this even ply; `None` if the code is too small for it.
    fn gate(ply: u16) -> Option<Self>;
    /// The ply of a win; `None` for all other codes.
    fn win_ply(self) -> Option<u16>;
    /// The ply of a gate.
    fn gate_ply(self) -> u16;
    /// Stores to shared memory, with relaxed ordering.
    fn store(self, to: &Self::Shared);
    /// Converts shared memory that is no longer written.
    fn unshare(shared: Vec<Self::Shared>) -> Vec<Self>;
    /// Allocates shared memory, with every code [`Code::SAVED`].
    fn shared(len: usize) -> Result<Vec<Self::Shared>, std::collections::TryReserveError>;
}

macro_rules! code {
    ($code:ty, $shared:ty) => {
        impl Code for $code {
            type Shared = $shared;
            const NONE: Self = 0;
            const SAVED: Self = Self::MAX / 2;

            #[inline]
            fn win(ply: u16) -> Option<Self> {
                debug_assert!(ply % 2 == 1);
                Self::try_from(ply / 2).ok().filter(|&half| half <= Self::SAVED).map(|half| Self::MAX - half)
            }

            #[inline]
            fn gate(ply: u16) -> Option<Self> {
                debug_assert!(ply % 2 == 0);
                Self::try_from(ply / 2).ok().filter(|&half| half < Self::SAVED)
            }

            #[inline]
            fn win_ply(self) -> Option<u16> {
                (self > Self::SAVED).then(|| u16::from(Self::MAX - self) * 2 + 1)
            }

            #[inline]
            fn gate_ply(self) -> u16 {
                u16::from(self) * 2
            }

            #[inline]
            fn store(self, to: &Self::Shared) {
                to.store(self, Ordering::Relaxed);
            }

            fn unshare(shared: Vec<Self::Shared>) -> Vec<Self> {
                shared.into_iter().map(<$shared>::into_inner).collect()
            }

            fn shared(len: usize) -> Result<Vec<Self::Shared>, std::collections::TryReserveError> {
                let mut codes = crate::system::room(len)?;
                codes.resize_with(len, || <$shared>::new(Self::SAVED));
                Ok(codes)
            }
        }
    };
}

code!(u8, AtomicU8);
code!(u16, AtomicU16);

#[cfg(test)]
mod tests {
    use super::*;

    fn codes_are_ordered_by_merit<C: Code>(last_win: u16, last_gate: u16) {
        let gates = (2..=last_gate).step_by(2).map(|ply| C::gate(ply).unwrap());
        let wins = (1..=last_win).step_by(2).rev().map(|ply| C::win(ply).unwrap());
        let codes: Vec<C> = [C::NONE].into_iter().chain(gates).chain([C::SAVED]).chain(wins).collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        assert!((2..=last_gate).step_by(2).all(|ply| C::gate(ply).unwrap().gate_ply() == ply));
        assert!((1..=last_win).step_by(2).all(|ply| C::win(ply).unwrap().win_ply() == Some(ply)));
        assert_eq!(C::SAVED.win_ply(), None);
    }

    #[test]
    fn one_byte_and_two() {
        codes_are_ordered_by_merit::<u8>(255, 252);
        assert_eq!(u8::win(257), None);
        assert_eq!(u8::gate(254), None);
        codes_are_ordered_by_merit::<u16>(60_001, 60_000);
    }
}
