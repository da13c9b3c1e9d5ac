//! A stretch of network between replicas and the database, which may fall silent without a word to either side.
//!
//! Always holds: it works without any right of the system. Its host's side acknowledges what it holds back, as a proxy or a
//! balancer does; where nothing is acknowledged any more is tried with `namespace.rs`.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

#[derive(Clone, Copy, Default)]
struct State {
    /// Nothing passes.
    silent: bool,
    /// Connections of an earlier one never pass anything again.
    generation: u64,
}

pub struct Wire {
    address: SocketAddr,
    state: watch::Sender<State>,
}

impl Wire {
    /// From this address to the PostgreSQL behind a URL of its socket.
    pub async fn to(url: &str, listen: &str) -> Self {
        let value = |key: &str| url.split(['?', '&']).find_map(|pair| pair.strip_prefix(key)).expect("a socket").to_owned();
        let host = PathBuf::from(value("host=")).join(format!(".s.PGSQL.{}", value("port=")));
        let listener = TcpListener::bind(listen).await.expect("an address");
        let address = listener.local_addr().expect("an address");
        let (state, looked_at) = watch::channel(State::default());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, host.clone(), looked_at.clone()));
            }
        });
        Self { address, state }
    }

    /// The URL of a database at its other end.
    pub fn url(&self, url: &str) -> String {
        let database = url.trim_start_matches("postgres:///").split('?').next().expect("a name");
        format!("postgres://pumphouse@{}/{database}?sslmode=disable", self.address)
    }

    /// Passes nothing any more, closes nothing; who connects is let in and hears nothing.
    pub fn fall_silent(&self) {
        self.state.send_modify(|state| state.silent = true);
    }

    /// Passes everything again, what came meanwhile first.
    pub fn pass(&self) {
        self.state.send_modify(|state| state.silent = false);
    }

    /// The database's ends of all connections are gone, and the replicas are not told, as by a host that was switched
    /// off; new connections pass.
    pub fn lose(&self) {
        self.state.send_modify(|state| *state = State { silent: false, generation: state.generation + 1 });
    }
}

async fn carry(mut client: TcpStream, host: PathBuf, mut state: watch::Receiver<State>) {
    let own = state.borrow().generation;
    let passing = async {
        let mut begins = state.clone();
        drop(begins.wait_for(|state| !state.silent).await);
        let Ok(mut server) = UnixStream::connect(host).await else { return };
        let ((from_client, to_client), (from_server, to_server)) = (client.split(), server.split());
        tokio::select! {
            () = pass(from_client, to_server, state.clone()) => {}
            () = pass(from_server, to_client, state.clone()) => {}
        }
    };
    let mut lost = state.clone();
    tokio::select! {
        () = passing => return,
        _ = lost.wait_for(|state| state.generation > own) => {}
    }
    // Kept open, unread, until the wire itself is gone.
    let _gone = state.wait_for(|_| false).await;
}

async fn pass(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, mut state: watch::Receiver<State>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if state.wait_for(|state| !state.silent).await.is_err() || to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
