//! Encrypting a connection, with as much trust as the configuration asks for.

use std::sync::{Arc, LazyLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{Stage, Tried, Turn, failed};

/// Whom the other side must prove to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Anyone.
    Anyone,
    /// Somebody whom a known authority vouches for.
    Authority,
    /// The host of this name.
    Host,
}

/// What a connection is encrypted with.
pub(super) struct Encryption<'a> {
    pub(super) trust: Trust,
    pub(super) host: &'a str,
    /// The authority that is trusted instead of those of this machine, in PEM.
    pub(super) root: Option<&'a str>,
    /// The certificate to show and its key, in PEM.
    pub(super) client: Option<(&'a str, &'a str)>,
}

static PROVIDER: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| Arc::new(aws_lc_rs::default_provider()));

/// The authorities that this machine and the web's browsers trust.
static KNOWN: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let mut roots: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    Arc::new(roots)
});

/// Encrypts a connection.
pub(super) async fn encrypt(turn: &Turn, stream: TcpStream, with: &Encryption<'_>) -> Tried<TlsStream<TcpStream>> {
    turn.at(Stage::Encrypt);
    let Ok(name) = ServerName::try_from(with.host.trim_matches(['[', ']']).to_owned()) else {
        return failed("The host is no name that a certificate could be for.");
    };
    let Some(config) = config(with) else {
        return failed("A certificate or key of the configuration is not one in PEM, or they do not belong together.");
    };
    match TlsConnector::from(Arc::new(config)).connect(name, stream).await {
        Ok(stream) => Ok(stream),
        Err(error) => failed(format!("The connection cannot be encrypted: {}.", words(&error))),
    }
}

/// Why TLS gave up; whatever else came is not repeated.
fn words(error: &std::io::Error) -> String {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(Error::InvalidCertificate(reason)) => format!("its certificate is not trusted ({reason:?})"),
        Some(Error::AlertReceived(alert)) => format!("it refused ({alert:?})"),
        Some(_) => "it does not speak TLS as it should".to_owned(),
        None => error.kind().to_string(),
    }
}

fn config(with: &Encryption<'_>) -> Option<ClientConfig> {
    let roots = match with.root {
        Some(pem) => Arc::new(parsed(pem)?),
        None => Arc::clone(&KNOWN),
    };
    let builder = ClientConfig::builder_with_provider(Arc::clone(&PROVIDER)).with_safe_default_protocol_versions().ok()?;
    let builder = match with.trust {
        Trust::Host => builder.with_root_certificates(roots),
        Trust::Authority => {
            let inner = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&PROVIDER)).build().ok()?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(Lenient(Some(inner))))
        }
        Trust::Anyone => builder.dangerous().with_custom_certificate_verifier(Arc::new(Lenient(None))),
    };
    match with.client {
        Some((certificates, key)) => {
            let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificates.as_bytes()).collect();
            builder.with_client_auth_cert(chain.ok()?, PrivateKeyDer::from_pem_slice(key.as_bytes()).ok()?).ok()
        }
        None => Some(builder.with_no_client_auth()),
    }
}

fn parsed(pem: &str) -> Option<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        roots.add(certificate.ok()?).ok()?;
    }
    (!roots.is_empty()).then_some(roots)
}

/// Takes a certificate for another name, or any at all, as the configuration has asked for.
#[derive(Debug)]
struct Lenient(Option<Arc<WebPkiServerVerifier>>);

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(inner) = &self.0 else { return Ok(ServerCertVerified::assertion()) };
        match inner.verify_server_cert(certificate, chain, name, ocsp, now) {
            Err(Error::InvalidCertificate(CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. })) => {
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &PROVIDER.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &PROVIDER.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        PROVIDER.signature_verification_algorithms.supported_schemes()
    }
}
