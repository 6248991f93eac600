//! Open connections by client address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the open connections of each client, up to a limit.
#[derive(Clone, Debug)]
pub struct Clients {
    limit: u32,
    open: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

/// One open connection of a client, until dropped.
#[derive(Debug)]
pub struct Guest {
    clients: Clients,
    network: IpAddr,
}

impl Clients {
    /// At most `limit` connections per client, at least one.
    pub fn new(limit: u32) -> Self {
        Self { limit: limit.max(1), open: Arc::default() }
    }

    /// The limit.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// A place for a connection from this address; `None` if its client has as many as it may.
    pub fn admit(&self, address: IpAddr) -> Option<Guest> {
        let network = network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(network).or_insert(0);
        (*count < self.limit).then(|| {
            *count += 1;
            Guest { clients: self.clone(), network }
        })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut open = self.clients.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

/// The address that identifies a client: an IPv6 client has all addresses with the same first 64 bits.
pub fn network(address: IpAddr) -> IpAddr {
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

    fn parse(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_has_so_many_connections_and_no_more() {
        let clients = Clients::new(2);
        let guests = [clients.admit(parse("10.0.0.1")), clients.admit(parse("::ffff:10.0.0.1"))];
        assert!(guests.iter().all(Option::is_some));
        assert!(clients.admit(parse("10.0.0.1")).is_none());
        assert!(clients.admit(parse("10.0.0.2")).is_some());
        drop(guests);
        assert!(clients.open.lock().unwrap().is_empty(), "addresses without connections are forgotten");
        assert!(clients.admit(parse("10.0.0.1")).is_some());
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        assert_eq!(network(parse("2001:db8::1")), network(parse("2001:db8::ffff:1")));
        assert_ne!(network(parse("2001:db8::1")), network(parse("2001:db8:0:1::1")));
        assert_eq!(network(parse("::ffff:10.0.0.1")), parse("10.0.0.1"));
    }
}
