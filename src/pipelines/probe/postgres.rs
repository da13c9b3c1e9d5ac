//! A PostgreSQL server: reached, encrypted as asked, and signed in to, by its own protocol (version 3.0).
//!
//! A library's client would look the name up a second time, which may then lead elsewhere, and reads what it is sent
//! without a bound.

use md5::{Digest as _, Md5};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::scram::{Hash, Scram};
use super::tls::{Encryption, Trust, encrypt};
use super::wire::{Parts, Stream, Wire, garbage};
use super::{End, Stage, Tried, Turn, address, failed, secret};
use crate::core::canonical::hex;

/// Asks whether the server encrypts.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
/// Version 3.0.
const VERSION: [u8; 4] = [0, 3, 0, 0];
/// The longest message that a server has a reason to send before it is asked anything.
const LONGEST: usize = 32 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Configuration {
    host: String,
    #[serde(default = "usual_port")]
    port: u16,
    database: String,
    user: String,
    password: Option<Value>,
    #[serde(default)]
    ssl_mode: SslMode,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SslMode {
    Disable,
    #[default]
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

fn usual_port() -> u16 {
    5432
}

/// Signs in and out again; answers what the server says that it is.
pub(super) async fn test(turn: &Turn, configuration: &Value) -> Tried<String> {
    // Without the offending value: it could be a password in the wrong place.
    let Ok(configuration) = Configuration::deserialize(configuration) else {
        return failed("The configuration needs host, port, database, user, password and sslMode of a PostgreSQL server.");
    };
    let stream: Box<dyn Stream> = if configuration.host.starts_with('/') {
        Box::new(address::connect_socket(turn, &format!("{}/.s.PGSQL.{}", configuration.host, configuration.port)).await?)
    } else {
        let stream = address::connect(turn, &configuration.host, configuration.port).await?;
        secured(turn, stream, &configuration).await?
    };
    let mut wire = Wire::new(stream);
    turn.at(Stage::SignIn);
    wire.write(&startup(&configuration)).await?;
    sign_in(&mut wire, &configuration).await?;
    turn.at(Stage::Ready);
    let version = ready(&mut wire).await?;
    // Terminate; a server that is gone by now has still let us in.
    let _ = wire.write(&[b'X', 0, 0, 0, 4]).await;
    Ok(format!("PostgreSQL {version}"))
}

async fn secured(turn: &Turn, mut stream: TcpStream, configuration: &Configuration) -> Tried<Box<dyn Stream>> {
    let trust = match configuration.ssl_mode {
        SslMode::Disable => return Ok(Box::new(stream)),
        SslMode::Prefer | SslMode::Require => Trust::Anyone,
        SslMode::VerifyCa => Trust::Authority,
        SslMode::VerifyFull => Trust::Host,
    };
    turn.at(Stage::Encrypt);
    let asked = async {
        stream.write_all(&SSL_REQUEST).await?;
        // One byte and no more: whatever came behind it in the clear would be taken for the server's.
        stream.read_u8().await
    };
    match asked.await {
        Ok(b'S') => {
            let with = Encryption { trust, host: &configuration.host, root: None, client: None };
            Ok(Box::new(encrypt(turn, stream, &with).await?))
        }
        Ok(b'N') if configuration.ssl_mode == SslMode::Prefer => Ok(Box::new(stream)),
        Ok(b'N') => failed("The server does not encrypt connections, and `sslMode` asks for it."),
        Ok(_) => garbage(),
        Err(error) => failed(format!("The connection broke: {}.", error.kind())),
    }
}

fn startup(configuration: &Configuration) -> Vec<u8> {
    let mut body = VERSION.to_vec();
    for text in ["user", &configuration.user, "database", &configuration.database, "application_name", "pumphouse connection test", ""] {
        body.extend_from_slice(text.as_bytes());
        body.push(0);
    }
    framed(None, &body)
}

/// A message with its length.
fn framed(kind: Option<u8>, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap_or(u32::MAX);
    kind.into_iter().chain(length.to_be_bytes()).chain(body.iter().copied()).collect()
}

/// The next message that is no notice; one that is an error ends the test with the server's own words.
async fn message(wire: &mut Wire) -> Tried<(u8, Vec<u8>)> {
    loop {
        let [kind, length @ ..] = wire.take::<5>().await?;
        let length = u32::from_be_bytes(length).checked_sub(4).and_then(|length| usize::try_from(length).ok());
        let Some(length) = length.filter(|length| *length <= LONGEST) else { return garbage() };
        let body = wire.read(length).await?;
        match kind {
            b'E' => return refusal(&body),
            b'N' | b'v' => {}
            _ => return Ok((kind, body)),
        }
    }
}

fn refusal<T>(body: &[u8]) -> Tried<T> {
    let (mut parts, mut message, mut code) = (Parts(body), String::new(), String::new());
    loop {
        match parts.take::<1>()? {
            [b'M'] => message = parts.text()?,
            [b'C'] => code = parts.text()?,
            [0] => return failed(format!("{message} ({code})")),
            _ => drop(parts.text()?),
        }
    }
}

/// Answers whatever the server asks until it is content.
async fn sign_in(wire: &mut Wire, configuration: &Configuration) -> Tried<()> {
    loop {
        let (b'R', body) = message(wire).await? else { return garbage() };
        let mut parts = Parts(&body);
        let asked = u32::from_be_bytes(parts.take()?);
        if asked == 0 {
            return Ok(());
        }
        let password = secret("password", configuration.password.as_ref())?;
        match asked {
            3 => wire.write(&framed(Some(b'p'), &[password.as_bytes(), &[0]].concat())).await?,
            5 => {
                let inner = hex(&Md5::digest([password.as_bytes(), configuration.user.as_bytes()].concat()));
                let outer = hex(&Md5::digest([inner.as_bytes(), &parts.take::<4>()?].concat()));
                wire.write(&framed(Some(b'p'), format!("md5{outer}\0").as_bytes())).await?;
            }
            10 => {
                if !offers_scram(parts)? {
                    return Err(End::Unknown("The server asks for a way to sign in that is not supported in a test.".to_owned()));
                }
                by_scram(wire, &password).await?;
            }
            _ => return Err(End::Unknown("The server asks for a way to sign in that is not supported in a test.".to_owned())),
        }
    }
}

fn offers_scram(mut parts: Parts<'_>) -> Tried<bool> {
    loop {
        match parts.text()?.as_str() {
            "SCRAM-SHA-256" => return Ok(true),
            "" => return Ok(false),
            _ => {}
        }
    }
}

async fn by_scram(wire: &mut Wire, password: &str) -> Tried<()> {
    let mut scram = Scram::begin(Hash::Sha256, "", password)?;
    let first = scram.first();
    let length = u32::try_from(first.len()).unwrap_or_default().to_be_bytes();
    wire.write(&framed(Some(b'p'), &[b"SCRAM-SHA-256\0", length.as_slice(), first.as_bytes()].concat())).await?;
    let second = scram.second(&said(wire, 11).await?).await?;
    wire.write(&framed(Some(b'p'), second.as_bytes())).await?;
    scram.verify(&said(wire, 12).await?)
}

/// What the server says in this step of a sign-in.
async fn said(wire: &mut Wire, step: u32) -> Tried<String> {
    let (b'R', body) = message(wire).await? else { return garbage() };
    let mut parts = Parts(&body);
    if u32::from_be_bytes(parts.take()?) != step {
        return garbage();
    }
    Ok(String::from_utf8_lossy(parts.0).into_owned())
}

/// Waits until the server is ready; answers its version.
async fn ready(wire: &mut Wire) -> Tried<String> {
    let mut version = String::new();
    loop {
        match message(wire).await? {
            (b'Z', _) => return Ok(version),
            (b'S', body) => {
                let mut parts = Parts(&body);
                if parts.text()? == "server_version" {
                    version = parts.text()?;
                }
            }
            (b'K', _) => {}
            _ => return garbage(),
        }
    }
}
