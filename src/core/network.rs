//! Networks of addresses: `10.0.0.0/8`, `fd00::/8`, or one address alone.
//!
//! Always holds: an address of version 4 is the same in its mapped form of version 6.

use std::net::IpAddr;
use std::str::FromStr;

/// The addresses with the same first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether the address lies in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.bits,
            (IpAddr::V6(own), IpAddr::V6(other)) => (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.bits,
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().map_err(drop)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(drop))?;
        if bits <= most { Ok(Self { address, bits }) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_the_addresses_with_its_first_bits() {
        let holds = |network: &str, address: &str| network.parse::<Network>().unwrap().contains(address.parse().unwrap());
        for (network, address) in [
            ("10.0.0.0/8", "10.255.0.1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3"),
            ("127.0.0.1", "127.0.0.1"),
            ("0.0.0.0/0", "8.8.8.8"),
            ("::/0", "2001:db8::1"),
            ("fd00::/8", "fd12::1"),
            ("::1", "::1"),
        ] {
            assert!(holds(network, address), "{network} {address}");
        }
        for (network, address) in [("10.0.0.0/8", "11.0.0.1"), ("127.0.0.1", "127.0.0.2"), ("0.0.0.0/0", "::1"), ("fd00::/8", "fe00::1")] {
            assert!(!holds(network, address), "{network} {address}");
        }
        for text in ["", "10.0.0.0/33", "::/129", "example.org", "10.0.0.0/", "10.0.0/8"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
