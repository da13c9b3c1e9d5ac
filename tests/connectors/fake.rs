//! Servers that a connection test meets: well-behaved ones, and others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The certificate of `localhost`, which nobody vouches for but itself.
pub const CERTIFICATE: &str = include_str!("fixtures/certificate.pem");
const KEY: &str = include_str!("fixtures/key.pem");

/// A server on a port of this machine.
pub struct Fake {
    pub port: u16,
    connections: Arc<AtomicUsize>,
}

impl Fake {
    /// One that does this to every connection.
    pub async fn start<F: Future<Output = ()> + Send + 'static>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let connections = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream));
            }
        });
        Self { port, connections }
    }

    /// One that takes connections and never says a word.
    pub async fn silent() -> Self {
        Self::start(|stream| async move {
            std::future::pending::<()>().await;
            drop(stream);
        })
        .await
    }

    /// One that says this at once and then nothing more.
    pub async fn saying(words: &'static [u8]) -> Self {
        Self::start(move |mut stream| async move {
            let _ = stream.write_all(words).await;
            std::future::pending::<()>().await;
        })
        .await
    }

    /// How many connections were opened.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Encrypts as a server with [`CERTIFICATE`].
async fn encrypted(stream: TcpStream) -> std::io::Result<tokio_rustls::server::TlsStream<TcpStream>> {
    let config =
        ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider())).with_safe_default_protocol_versions().unwrap();
    let chain = CertificateDer::pem_slice_iter(CERTIFICATE.as_bytes()).collect::<Result<_, _>>().expect("a certificate");
    let config = config.with_no_client_auth().with_single_cert(chain, PrivateKeyDer::from_pem_slice(KEY.as_bytes()).expect("a key"));
    TlsAcceptor::from(Arc::new(config.expect("they belong together"))).accept(stream).await
}

/// A PostgreSQL server that speaks TLS and lets everybody in.
pub async fn encrypting_postgres() -> Fake {
    Fake::start(|mut stream| async move {
        let mut request = [0; 8];
        stream.read_exact(&mut request).await.expect("the request for TLS");
        stream.write_all(b"S").await.expect("yes");
        // A client that does not trust us goes away.
        let Ok(mut stream) = encrypted(stream).await else { return };
        let length = stream.read_u32().await.expect("a startup message") as usize;
        stream.read_exact(&mut vec![0; length - 4]).await.expect("all of it");
        let _ = stream.write_all(b"R\0\0\0\x08\0\0\0\0S\0\0\0\x18server_version\x0017.0\0Z\0\0\0\x05I").await;
        let _ = stream.read(&mut [0; 16]).await;
    })
    .await
}

/// A PostgreSQL server that asks for the password in the clear and repeats it in its refusal.
pub async fn parrot() -> Fake {
    Fake::start(|mut stream| async move {
        let length = stream.read_u32().await.expect("a startup message") as usize;
        stream.read_exact(&mut vec![0; length - 4]).await.expect("all of it");
        stream.write_all(b"R\0\0\0\x08\0\0\0\x03").await.expect("asked");
        let mut head = [0; 5];
        stream.read_exact(&mut head).await.expect("an answer");
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut password = vec![0; length - 4];
        stream.read_exact(&mut password).await.expect("a password");
        password.pop();
        let fields = [b"SFATAL\0C28P01\0Mno entry with ", password.as_slice(), b"\n!\0\0"].concat();
        let mut refusal = vec![b'E'];
        refusal.extend(u32::try_from(fields.len() + 4).expect("a length").to_be_bytes());
        refusal.extend(fields);
        let _ = stream.write_all(&refusal).await;
        let _ = stream.read(&mut [0; 16]).await;
    })
    .await
}

/// What a Kafka broker does: how one signs in, and whom it names as its neighbour.
#[derive(Clone, Copy)]
pub struct Broker {
    pub encrypts: bool,
    /// User and password of PLAIN.
    pub plain: Option<(&'static str, &'static str)>,
    /// The port of another broker on this machine.
    pub neighbour: u16,
}

impl Broker {
    pub async fn start(self) -> Fake {
        Fake::start(move |stream| async move {
            if self.encrypts {
                if let Ok(stream) = encrypted(stream).await {
                    self.serve(stream).await;
                }
            } else {
                self.serve(stream).await;
            }
        })
        .await
    }

    async fn serve(self, mut stream: impl AsyncRead + AsyncWrite + Unpin) {
        let mut let_in = self.plain.is_none();
        while let Ok(length) = stream.read_u32().await {
            let mut request = vec![0; length as usize];
            stream.read_exact(&mut request).await.expect("a request");
            let (api, correlation) = (i16::from_be_bytes([request[0], request[1]]), &request[4..8]);
            let body = &request[10 + usize::from(request[9])..];
            let answer = match api {
                18 => b"\0\0\0\0\0\x01\0\x03\0\0\0\x09".to_vec(),
                17 => vec![0; 6],
                36 => {
                    let (user, password) = self.plain.expect("signing in");
                    let_in = body[4..] == *format!("\0{user}\0{password}").as_bytes();
                    let refusal = format!("Authentication failed with {}", String::from_utf8_lossy(&body[4..]));
                    let length = i16::try_from(refusal.len()).expect("a length").to_be_bytes();
                    if let_in {
                        [&[0; 2], &[0xff; 2], &[0; 4][..]].concat()
                    } else {
                        [&[0, 58], &length, refusal.as_bytes(), &[0; 4]].concat()
                    }
                }
                3 if let_in => {
                    let port = i32::from(self.neighbour).to_be_bytes();
                    [
                        b"\0\0\0\x02",
                        b"\0\0\0\x01\0\x09127.0.0.1" as &[u8],
                        &port,
                        b"\xff\xff",
                        b"\0\0\0\x02\0\x09127.0.0.1",
                        &port,
                        b"\xff\xff\0\0\0\x01\0\0\0\0",
                    ]
                    .concat()
                }
                _ => return,
            };
            let length = u32::try_from(answer.len() + 4).expect("a length").to_be_bytes();
            stream.write_all(&[&length, correlation, &answer].concat()).await.expect("answered");
        }
    }
}
