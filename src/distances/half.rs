//! Distances of lost positions in memory: half the plies, in one byte or two.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// Half the plies of a lost position, or [`Half::NONE`].
pub trait Half: Copy + Ord + Send + Sync + 'static {
    /// The type in memory that several threads write.
    type Shared: Send + Sync;
    /// Not lost.
    const NONE: Self;
    /// No plies.
    const ZERO: Self;
    /// From a number of plies; `None` if it is too large.
    fn of_plies(plies: u16) -> Option<Self>;
    /// The number of plies.
    fn plies(self) -> u16;
    /// Stores to shared memory, with relaxed ordering.
    fn store(self, to: &Self::Shared);
    /// Allocates shared memory, filled with [`Half::NONE`].
    fn shared(len: usize) -> Result<Vec<Self::Shared>, TryReserveError>;
    /// Converts shared memory that is no longer written.
    fn unshare(shared: Vec<Self::Shared>) -> Vec<Self>;
}

macro_rules! half {
    ($half:ty, $shared:ty) => {
        impl Half for $half {
            type Shared = $shared;
            const NONE: Self = Self::MAX;
            const ZERO: Self = 0;

            #[inline]
            fn of_plies(plies: u16) -> Option<Self> {
                Self::try_from(plies / 2).ok().filter(|&half| half < Self::NONE)
            }

            #[inline]
            fn plies(self) -> u16 {
                u16::from(self) * 2
            }

            #[inline]
            fn store(self, to: &Self::Shared) {
                to.store(self, Ordering::Relaxed);
            }

            fn shared(len: usize) -> Result<Vec<Self::Shared>, TryReserveError> {
                let mut cells = crate::system::room(len)?;
                cells.resize_with(len, || <$shared>::new(Self::NONE));
                Ok(cells)
            }

            fn unshare(shared: Vec<Self::Shared>) -> Vec<Self> {
                shared.into_iter().map(<$shared>::into_inner).collect()
            }
        }
    };
}

half!(u8, AtomicU8);
half!(u16, AtomicU16);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_holds_losses_up_to_508_plies() {
        assert_eq!(u8::of_plies(508).map(Half::plies), Some(508));
        assert_eq!(u8::of_plies(510), None);
        assert_eq!(u16::of_plies(65_000).map(Half::plies), Some(65_000));
    }
}
