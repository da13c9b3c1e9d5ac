//! An Apache Kafka cluster: a broker of those named is reached, encrypted as asked, signed in to, and asked for the cluster.
//!
//! A library's client goes on to the brokers that the first one names, which is a redirect to wherever that one likes; here
//! nobody is followed.

use serde::Deserialize;
use serde_json::Value;

use super::scram::{Hash, Scram};
use super::tls::{Encryption, Trust, encrypt};
use super::wire::{Parts, Stream, Wire, garbage};
use super::{End, Stage, Tried, Turn, address, failed, secret};

/// The longest answer that is read.
const LONGEST: usize = 128 * 1024;
const CLIENT: &str = "pumphouse-test";

const METADATA: (i16, i16) = (3, 1);
const SASL_HANDSHAKE: (i16, i16) = (17, 1);
const API_VERSIONS: (i16, i16) = (18, 0);
const SASL_AUTHENTICATE: (i16, i16) = (36, 0);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Configuration {
    bootstrap_servers: String,
    #[serde(default)]
    security_protocol: Protocol,
    sasl_mechanism: Option<String>,
    #[serde(default)]
    sasl_username: String,
    sasl_password: Option<Value>,
    ssl_root_certificate: Option<String>,
    ssl_client_certificate: Option<String>,
    ssl_client_key: Option<Value>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Protocol {
    #[default]
    Plaintext,
    Ssl,
    SaslPlaintext,
    SaslSsl,
}

/// A broker that is talked to.
struct Broker {
    wire: Wire,
    asked: i32,
}

/// Signs in at the first broker that can be reached; answers what the cluster is.
pub(super) async fn test(turn: &Turn, configuration: &Value) -> Tried<String> {
    let Ok(configuration) = Configuration::deserialize(configuration) else {
        return failed("The configuration needs bootstrapServers and, where one signs in, the sasl fields of a Kafka cluster.");
    };
    let mut tried = failed("`bootstrapServers` names no broker as `host:port`.");
    for server in configuration.bootstrap_servers.split(',') {
        let Some((host, port)) = server.trim().rsplit_once(':') else { continue };
        let Ok(port) = port.parse() else { continue };
        tried = at(turn, (host, port), &configuration).await;
        // Only a broker that is not there may be stood in for by another.
        if turn.reached() {
            break;
        }
    }
    tried
}

async fn at(turn: &Turn, (host, port): (&str, u16), configuration: &Configuration) -> Tried<String> {
    let stream = address::connect(turn, host, port).await?;
    let stream: Box<dyn Stream> = if matches!(configuration.security_protocol, Protocol::Ssl | Protocol::SaslSsl) {
        let key = match (&configuration.ssl_client_certificate, &configuration.ssl_client_key) {
            (Some(_), Some(key)) => Some(secret("sslClientKey", Some(key))?),
            _ => None,
        };
        let client = configuration.ssl_client_certificate.as_deref().zip(key.as_ref().map(|key| key.as_str()));
        let root = configuration.ssl_root_certificate.as_deref();
        Box::new(encrypt(turn, stream, &Encryption { trust: Trust::Host, host, root, client }).await?)
    } else {
        Box::new(stream)
    };
    let mut broker = Broker { wire: Wire::new(stream), asked: 0 };
    turn.at(Stage::SignIn);
    broker.versions().await?;
    if matches!(configuration.security_protocol, Protocol::SaslPlaintext | Protocol::SaslSsl) {
        broker.sign_in(configuration).await?;
    }
    turn.at(Stage::Ready);
    let brokers = broker.count().await?;
    Ok(format!("Apache Kafka, {brokers} {}", if brokers == 1 { "broker" } else { "brokers" }))
}

impl Broker {
    /// Asks something; answers the body of what comes back.
    async fn ask(&mut self, (api, version): (i16, i16), body: &[u8]) -> Tried<Vec<u8>> {
        self.asked += 1;
        let mut request = [api.to_be_bytes(), version.to_be_bytes()].concat();
        request.extend_from_slice(&self.asked.to_be_bytes());
        request.extend_from_slice(&text(CLIENT));
        request.extend_from_slice(body);
        let length = i32::try_from(request.len()).unwrap_or(i32::MAX);
        self.wire.write(&[length.to_be_bytes().as_slice(), &request].concat()).await?;
        let length = usize::try_from(i32::from_be_bytes(self.wire.take().await?)).unwrap_or(usize::MAX);
        if !(4..=LONGEST).contains(&length) || i32::from_be_bytes(self.wire.take().await?) != self.asked {
            return garbage();
        }
        self.wire.read(length - 4).await
    }

    /// Whether it is a broker at all.
    async fn versions(&mut self) -> Tried<()> {
        let answer = self.ask(API_VERSIONS, &[]).await?;
        let mut parts = Parts(&answer);
        if i16::from_be_bytes(parts.take()?) != 0 || i32::from_be_bytes(parts.take()?) <= 0 {
            return garbage();
        }
        Ok(())
    }

    async fn sign_in(&mut self, configuration: &Configuration) -> Tried<()> {
        let mechanism = configuration.sasl_mechanism.as_deref().unwrap_or_default();
        if !["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"].contains(&mechanism) {
            return Err(End::Unknown(format!("The broker was reached; signing in by {mechanism} is not supported in a test.")));
        }
        let answer = self.ask(SASL_HANDSHAKE, &text(mechanism)).await?;
        if i16::from_be_bytes(Parts(&answer).take()?) != 0 {
            return failed(format!("The broker does not take {mechanism}."));
        }
        let (user, password) = (&configuration.sasl_username, configuration.sasl_password.as_ref());
        let password = secret("saslPassword", password)?;
        let hash = match mechanism {
            "PLAIN" => return self.authenticate(format!("\0{user}\0{}", password.as_str()).as_bytes()).await.map(drop),
            "SCRAM-SHA-256" => Hash::Sha256,
            _ => Hash::Sha512,
        };
        let mut scram = Scram::begin(hash, user, &password)?;
        let challenge = self.authenticate(scram.first().as_bytes()).await?;
        let second = scram.second(&challenge).await?;
        scram.verify(&self.authenticate(second.as_bytes()).await?)
    }

    /// A step of signing in; answers what the broker says to it.
    async fn authenticate(&mut self, token: &[u8]) -> Tried<String> {
        let length = i32::try_from(token.len()).unwrap_or(i32::MAX);
        let answer = self.ask(SASL_AUTHENTICATE, &[length.to_be_bytes().as_slice(), token].concat()).await?;
        let mut parts = Parts(&answer);
        let code = i16::from_be_bytes(parts.take()?);
        let words = optional_text(&mut parts)?;
        if code != 0 {
            return failed(words.unwrap_or_else(|| format!("The broker refused to let the user in (error {code}).")));
        }
        let length = usize::try_from(i32::from_be_bytes(parts.take()?)).unwrap_or(0);
        Ok(String::from_utf8_lossy(parts.bytes(length)?).into_owned())
    }

    /// How many brokers the cluster has.
    async fn count(&mut self) -> Tried<i32> {
        // Of no topic: their number is nobody's business here, and has no bound.
        let answer = self.ask(METADATA, &0_i32.to_be_bytes()).await?;
        let count = i32::from_be_bytes(Parts(&answer).take()?);
        if count < 1 { garbage() } else { Ok(count) }
    }
}

/// A text with its length.
fn text(text: &str) -> Vec<u8> {
    let length = i16::try_from(text.len()).unwrap_or(i16::MAX);
    [length.to_be_bytes().as_slice(), text.as_bytes()].concat()
}

fn optional_text(parts: &mut Parts<'_>) -> Tried<Option<String>> {
    let length = i16::from_be_bytes(parts.take()?);
    let Ok(length) = usize::try_from(length) else { return Ok(None) };
    Ok(Some(String::from_utf8_lossy(parts.bytes(length)?).into_owned()))
}
