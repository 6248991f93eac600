//! Rate limit by client address.

use super::clients::network;
use quick_cache::sync::Cache;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A number of requests per second for each client address, in bursts of up to one second's worth.
///
/// A request that asks for much counts as many, also for more than a burst: it is answered, and the next ones wait
/// until it is paid off. Remembers the most frequent and most recent addresses, up to 65,536, so that many addresses cannot
/// fill the memory.
pub struct RateLimit {
    per_second: NonZeroU32,
    clients: Cache<IpAddr, Arc<Account>>,
}

/// When everything that a client has asked for is paid off.
struct Account(Mutex<Instant>);

/// Addresses to remember.
const ADDRESSES: usize = 1 << 16;
/// Maximum debt of a client that makes another request, this one included.
const BURST: Duration = Duration::from_secs(1);

impl RateLimit {
    /// A limit of `per_second` requests per second, at least one.
    pub fn new(per_second: u32) -> Self {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        Self { per_second, clients: Cache::new(ADDRESSES) }
    }

    /// Requests per second.
    pub fn per_second(&self) -> u32 {
        self.per_second.get()
    }

    /// Counts a request from this address.
    ///
    /// # Errors
    /// Returns the time until the next request is within the limit, if this one is not. Then it does not count.
    pub fn allow(&self, address: IpAddr) -> Result<(), Duration> {
        self.allow_at(address, Instant::now())
    }

    /// Counts a request that was allowed as `more` further ones.
    pub fn charge(&self, address: IpAddr, more: u32) {
        self.charge_at(address, more, Instant::now());
    }

    fn allow_at(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        let account = self.account(address, now);
        let mut paid_off = account.0.lock().unwrap_or_else(PoisonError::into_inner);
        let debt = paid_off.saturating_duration_since(now) + self.price();
        if let Some(wait) = debt.checked_sub(BURST).filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        *paid_off = now + debt;
        Ok(())
    }

    fn charge_at(&self, address: IpAddr, more: u32, now: Instant) {
        let account = self.account(address, now);
        let mut paid_off = account.0.lock().unwrap_or_else(PoisonError::into_inner);
        *paid_off = now.max(*paid_off) + self.price() * more;
    }

    /// The time that a request takes to be paid off.
    fn price(&self) -> Duration {
        Duration::from_secs(1) / self.per_second.get()
    }

    fn account(&self, address: IpAddr, now: Instant) -> Arc<Account> {
        let new = || Ok::<_, std::convert::Infallible>(Arc::new(Account(Mutex::new(now))));
        match self.clients.get_or_insert_with(&network(address), new) {
            Ok(account) => account,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_refilled_at_the_rate() {
        let limit = RateLimit::new(10);
        let mut now = Instant::now();
        let (a, b) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let allowed = |address, now| (0..50).filter(|_| limit.allow_at(address, now).is_ok()).count();
        assert_eq!(allowed(a, now), 10);
        assert_eq!(limit.allow_at(a, now), Err(Duration::from_millis(100)));
        now += Duration::from_millis(500);
        assert_eq!(allowed(a, now), 5);
        assert_eq!(allowed(b, now), 10);
        now += Duration::from_secs(100);
        assert_eq!(allowed(a, now), 10, "at most one second's worth is saved up");
    }

    #[test]
    fn what_asks_for_much_is_paid_off_afterwards() {
        let limit = RateLimit::new(10);
        let now = Instant::now();
        let address = IpAddr::from([10, 0, 0, 1]);
        assert!(limit.allow_at(address, now).is_ok());
        limit.charge_at(address, 999, now);
        assert_eq!(limit.allow_at(address, now), Err(Duration::from_millis(99_100)));
        assert!(limit.allow_at(address, now + Duration::from_secs(99)).is_err());
        assert!(limit.allow_at(address, now + Duration::from_millis(99_100)).is_ok());
    }
}
