//! From a name to a connection: looked up once, judged, and connected to as judged.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

use super::{End, Stage, Tried, Turn, failed};
use crate::core::network::AddressClass;

/// How long one address of a name may take to answer.
const EACH: Duration = Duration::from_secs(4);
/// Most addresses of a name that are tried.
const MOST: usize = 4;

/// Opens a connection to the first address of a name that may be connected to and answers.
pub(super) async fn connect(turn: &Turn, host: &str, port: u16) -> Tried<TcpStream> {
    turn.at(Stage::Address);
    let addresses = judged(host, look_up(turn, host, port).await?, &turn.settings.forbidden)?;
    turn.at(Stage::Connect);
    let mut words = String::new();
    for address in addresses.into_iter().take(MOST) {
        match timeout(EACH, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => words = format!("{host} port {port} cannot be reached: {}.", error.kind()),
            Err(_elapsed) => words = format!("{host} port {port} does not answer."),
        }
    }
    failed(words)
}

/// Opens the socket of a server on this machine, which is the worker's only where this machine may be connected to.
pub(super) async fn connect_socket(turn: &Turn, path: &str) -> Tried<UnixStream> {
    if turn.settings.forbidden.contains(&AddressClass::Loopback) {
        return Err(End::Unknown("A socket on the worker's machine cannot be tested from here.".to_owned()));
    }
    turn.at(Stage::Connect);
    UnixStream::connect(path).await.or_else(|error| failed(format!("The socket cannot be reached: {}.", error.kind())))
}

async fn look_up(turn: &Turn, host: &str, port: u16) -> Tried<Vec<SocketAddr>> {
    let name = host.trim_matches(['[', ']']).to_owned();
    // The system's resolver blocks a thread, however long it takes; meanwhile its turn is taken.
    let permit = Arc::clone(&turn.permit);
    let looking = tokio::task::spawn_blocking(move || {
        let found = (name.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        drop(permit);
        found
    });
    match looking.await {
        Ok(Ok(found)) if !found.is_empty() => Ok(found),
        _ => failed(format!("There is no address for the name {host}.")),
    }
}

/// The addresses that may be connected to.
fn judged(host: &str, found: Vec<SocketAddr>, forbidden: &[AddressClass]) -> Tried<Vec<SocketAddr>> {
    let forbidden = |address: &SocketAddr| AddressClass::of(address.ip()).filter(|class| forbidden.contains(class));
    let first = found.iter().find_map(&forbidden);
    let permitted: Vec<SocketAddr> = found.into_iter().filter(|address| forbidden(address).is_none()).collect();
    match first {
        Some(class) if permitted.is_empty() => failed(format!(
            "{host} has a {} address, which this server is set not to connect to in tests (`connection_test_forbids`).",
            class.as_str()
        )),
        _ => Ok(permitted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_may_be_are_connected_to() {
        let found = ["8.8.8.8:1", "127.0.0.1:1", "[::ffff:10.0.0.1]:1"].map(|address| address.parse().unwrap()).to_vec();
        let left = judged("db", found.clone(), &AddressClass::ALL).unwrap();
        assert_eq!(left, ["8.8.8.8:1".parse().unwrap()]);
        assert_eq!(judged("db", found.clone(), &[]).unwrap(), found);
        assert!(judged("db", found[1..].to_vec(), &AddressClass::ALL).is_err());
    }
}
