//! A limit on requests by address.

use quick_cache::sync::Cache;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A number of requests per second and address, in bursts of up to one second's worth.
///
/// The generic cell rate algorithm (ITU-T I.371): each address has a theoretical arrival time; a request advances it by
/// its share of a second, and is refused while it is more than a second ahead. The most recent and most frequent
/// addresses are kept, so memory is bounded.
#[derive(Debug)]
pub struct RateLimit {
    /// Requests per second.
    pub per_second: u32,
    start: Instant,
    paid_until: Cache<IpAddr, Arc<AtomicU64>>,
}

/// Number of addresses that are kept.
const ADDRESSES: usize = 1 << 16;
const SECOND: u64 = 1_000_000_000;

impl RateLimit {
    /// A limit without any requests so far.
    pub fn new(per_second: u32) -> Self {
        Self { per_second, start: Instant::now(), paid_until: Cache::new(ADDRESSES) }
    }

    /// Whether a request from this address is within the limit; if so it counts.
    pub fn allows(&self, address: IpAddr) -> bool {
        self.allows_at(address, self.start.elapsed().as_nanos() as u64)
    }

    fn allows_at(&self, address: IpAddr, now: u64) -> bool {
        let step = SECOND / u64::from(self.per_second.max(1));
        let paid = self.paid_until.get_or_insert_with(&network(address), || Ok::<_, ()>(Arc::default()));
        let Ok(paid) = paid else { return true };
        let pay = |until: u64| {
            let next = until.max(now) + step;
            (next <= now + SECOND).then_some(next)
        };
        paid.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay).is_ok()
    }
}

/// The key of a client: an IPv6 subscriber has all addresses of one /64 prefix.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let half = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(half))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_paid_off_at_the_rate() {
        let limit = RateLimit::new(10);
        let (a, b) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let allowed = |address, now| (0..50).filter(|_| limit.allows_at(address, now)).count();
        assert_eq!(allowed(a, 0), 10);
        assert_eq!(allowed(a, SECOND / 2), 5);
        assert_eq!(allowed(b, SECOND / 2), 10);
        assert_eq!(allowed(a, 100 * SECOND), 10, "no more is saved up than a second's worth");
    }

    #[test]
    fn neighbors_share_an_address_of_version_6() {
        let parse = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(network(parse("2001:db8::1")), network(parse("2001:db8::ffff:1")));
        assert_ne!(network(parse("2001:db8::1")), network(parse("2001:db8:0:1::1")));
        assert_eq!(network(parse("::ffff:10.0.0.1")), parse("10.0.0.1"));
    }
}
