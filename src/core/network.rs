//! Networks of addresses: `10.0.0.0/8`, `fd00::/8`, or one address alone; and the classes of addresses that are not public.
//!
//! Always holds: an address of version 4 is the same in its mapped form of version 6.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The bits that every address of version 4 begins with in its mapped form.
const MAPPED: u32 = 96;

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
        let most: u32 = if address.is_ipv4() { 32 } else { 128 };
        let bits =
            bits.map_or(Ok(most), |bits| bits.parse().map_err(drop)).and_then(|bits| if bits <= most { Ok(bits) } else { Err(()) })?;
        match (address.to_canonical(), bits.checked_sub(MAPPED)) {
            (mapped @ IpAddr::V4(_), Some(bits)) if address.is_ipv6() => Ok(Self { address: mapped, bits }),
            _ => Ok(Self { address, bits }),
        }
    }
}

/// A class of addresses that one may not want to be led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressClass {
    /// This machine itself.
    Loopback,
    /// Its neighbours, among them the metadata services of clouds.
    LinkLocal,
    /// Networks that are not of the internet.
    Private,
}

impl AddressClass {
    /// Every class.
    pub const ALL: [Self; 3] = [Self::Loopback, Self::LinkLocal, Self::Private];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Loopback => "loopback",
            Self::LinkLocal => "link-local",
            Self::Private => "private",
        }
    }

    /// The class of an address; none for a public one. One of version 6 that only wraps one of version 4 is as that one.
    #[must_use]
    pub fn of(address: IpAddr) -> Option<Self> {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) if address.is_unspecified() || address.is_loopback() => Some(Self::Loopback),
            IpAddr::V6(address) if address.is_unicast_link_local() => Some(Self::LinkLocal),
            IpAddr::V6(address) if address.is_unique_local() => Some(Self::Private),
            IpAddr::V6(address) => wrapped(address).and_then(Self::of_v4),
        }
    }

    fn of_v4(address: Ipv4Addr) -> Option<Self> {
        let [first, second, ..] = address.octets();
        match (first, second) {
            // "This network", which a connection takes for this machine.
            (0 | 127, _) => Some(Self::Loopback),
            (169, 254) => Some(Self::LinkLocal),
            // Shared between a carrier and its customers (RFC 6598).
            (100, 64..=127) => Some(Self::Private),
            _ => address.is_private().then_some(Self::Private),
        }
    }
}

/// The address of version 4 inside one of version 6: translated (RFC 6052), 6to4 (RFC 3056) or "compatible" (RFC 4291).
fn wrapped(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let pair = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0, high, low] => Some(pair(high, low)),
        [0x2002, high, low, ..] => Some(pair(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_that_is_not_public_has_its_class() {
        use AddressClass::{LinkLocal, Loopback, Private};
        for (class, addresses) in [
            (
                Some(Loopback),
                &["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"][..],
            ),
            (Some(LinkLocal), &["169.254.169.254", "fe80::1", "::ffff:169.254.0.1", "64:ff9b::a9fe:a9fe"]),
            (Some(Private), &["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "fd00:ec2::254", "::10.0.0.1"]),
            (None, &["8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:db8::1", "64:ff9b::808:808"]),
        ] {
            for address in addresses {
                assert_eq!(AddressClass::of(address.parse().unwrap()), class, "{address}");
            }
        }
    }

    #[test]
    fn a_network_holds_the_addresses_with_its_first_bits() {
        let holds = |network: &str, address: &str| network.parse::<Network>().unwrap().contains(address.parse().unwrap());
        for (network, address) in [
            ("10.0.0.0/8", "10.255.0.1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3"),
            ("::ffff:10.0.0.0/104", "10.1.2.3"),
            ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
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
