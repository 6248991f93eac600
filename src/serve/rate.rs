//! Rate limit by client address.

use super::clients::network;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use quick_cache::sync::Cache;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

/// A number of requests per second for each client address, in bursts of up to one second's worth.
///
/// Remembers the most frequent and most recent addresses, up to 65,536, so that many addresses cannot fill the memory.
pub struct RateLimit<C: Clock = DefaultClock> {
    per_second: NonZeroU32,
    clock: C,
    clients: Cache<IpAddr, Arc<Limiter<C>>>,
}

type Limiter<C> = RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Addresses to remember.
const ADDRESSES: usize = 1 << 16;

impl RateLimit {
    /// A limit of `per_second` requests per second, at least one.
    pub fn new(per_second: u32) -> Self {
        Self::with_clock(per_second, DefaultClock::default())
    }
}

impl<C: Clock + Clone> RateLimit<C> {
    fn with_clock(per_second: u32, clock: C) -> Self {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        Self { per_second, clock, clients: Cache::new(ADDRESSES) }
    }

    /// Requests per second.
    pub fn per_second(&self) -> u32 {
        self.per_second.get()
    }

    /// Whether a request from this address is within the limit. If it is, it counts.
    pub fn allows(&self, address: IpAddr) -> bool {
        let quota = Quota::per_second(self.per_second);
        let new = || Ok::<_, ()>(Arc::new(RateLimiter::direct_with_clock(quota, self.clock.clone())));
        let client = self.clients.get_or_insert_with(&network(address), new);
        client.is_ok_and(|limiter| limiter.check().is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use governor::clock::FakeRelativeClock;
    use std::time::Duration;

    #[test]
    fn bursts_are_refilled_at_the_rate() {
        let clock = FakeRelativeClock::default();
        let limit = RateLimit::with_clock(10, clock.clone());
        let (a, b) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let allowed = |address| (0..50).filter(|_| limit.allows(address)).count();
        assert_eq!(allowed(a), 10);
        clock.advance(Duration::from_millis(500));
        assert_eq!(allowed(a), 5);
        assert_eq!(allowed(b), 10);
        clock.advance(Duration::from_secs(100));
        assert_eq!(allowed(a), 10, "at most one second's worth is saved up");
    }
}
