//! Where a request came from: the peer, or whom a trusted proxy says that it speaks for.
//!
//! Always holds: a header is believed only as far as the proxies that wrote it are trusted, read from the nearest one
//! on; so nobody chooses the address that their failed sign-ins are counted under.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

use crate::access::ClientAddress;
use crate::core::network::Network;
use crate::server::ServerSettings;

/// The header in which proxies say for whom they speak. The other one is the client's own writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For: client, proxy`.
    XForwardedFor,
    /// `Forwarded: for=client, for=proxy` (RFC 7239).
    Forwarded,
}

/// Where this request came from; none when the connection does not tell.
pub(crate) fn address(extensions: &Extensions, headers: &HeaderMap, settings: &ServerSettings) -> Option<ClientAddress> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip();
    Some(ClientAddress(behind(peer, headers, settings.proxy_header, &settings.trusted_proxies)))
}

/// Goes from proxy to proxy while they are trusted.
fn behind(peer: IpAddr, headers: &HeaderMap, header: ProxyHeader, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let name = match header {
        ProxyHeader::XForwardedFor => "x-forwarded-for",
        ProxyHeader::Forwarded => "forwarded",
    };
    let lines: Vec<&str> = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or_default()).collect();
    let mut client = peer;
    for said in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        if !is_trusted(client) {
            break;
        }
        let said = if header == ProxyHeader::Forwarded { of_element(said) } else { Some(said) };
        let Some(next) = said.and_then(parse) else { break };
        client = next;
    }
    client
}

/// The `for` of an element of `Forwarded`.
fn of_element(element: &str) -> Option<&str> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("for")).map(|(_, value)| value)
}

/// An address, perhaps quoted, perhaps with a port.
fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse().map(|address: SocketAddr| address.ip()).ok())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn seen(peer: &str, header: ProxyHeader, lines: &[(&'static str, &'static str)]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()];
        behind(peer.parse().unwrap(), &headers, header, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let x = |peer, lines: &'static [&'static str]| {
            let lines: Vec<_> = lines.iter().map(|line| ("x-forwarded-for", *line)).collect();
            seen(peer, ProxyHeader::XForwardedFor, &lines)
        };
        assert_eq!(x("192.0.2.1", &["198.51.100.7"]), "192.0.2.1", "a stranger says what he likes");
        assert_eq!(x("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(x("10.0.0.1", &["203.0.113.9, 198.51.100.7, 10.0.0.2"]), "198.51.100.7", "what the client wrote before is not read");
        assert_eq!(x("10.0.0.1", &["203.0.113.9", "198.51.100.7"]), "198.51.100.7", "lines are one list");
        assert_eq!(x("10.0.0.1", &["198.51.100.7, unknown"]), "10.0.0.1");
        assert_eq!(x("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(x("::1", &["[2001:db8::7]:4711"]), "2001:db8::7");
    }

    #[test]
    fn the_header_that_was_not_named_is_not_read() {
        let forwarded =
            [("forwarded", "for=203.0.113.9;proto=https, For=\"[2001:db8::7]:4711\";by=10.0.0.1"), ("x-forwarded-for", "192.0.2.1")];
        assert_eq!(seen("10.0.0.1", ProxyHeader::Forwarded, &forwarded), "2001:db8::7");
        assert_eq!(seen("10.0.0.1", ProxyHeader::XForwardedFor, &forwarded), "192.0.2.1");
        assert_eq!(seen("10.0.0.1", ProxyHeader::XForwardedFor, &forwarded[..1]), "10.0.0.1");
    }
}
