//! Sign-in by OpenID Connect: the authorization code flow with PKCE, as a client of one provider.
//!
//! Always holds: a pending sign-in is a database row, valid once and for ten minutes, so any replica can complete it. A token
//! is trusted only with the provider's signature, our nonce and our verifier. Not here: which user it belongs to
//! (`identity.rs`), and the browser's redirects (`server/oidc.rs`).

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreIdTokenClaims, CoreProviderMetadata};
use openidconnect::{
    AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet,
    HttpRequest, HttpResponse, IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SignatureVerificationError, TokenResponse as _,
};
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;
use tokio::sync::Mutex;
use url::Url;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::secret::Secret;
use crate::core::sql::Sql;

/// The path of the redirect URI at which the provider returns the browser.
pub const CALLBACK: &str = "/auth/oidc/callback";
/// The time limit of a sign-in.
const SIGN_IN_TTL: Duration = Duration::from_mins(10);
/// How long the provider's metadata is cached.
const METADATA_TTL: Duration = Duration::from_hours(1);
/// The time limit of one request to the provider.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of a response of the provider, in bytes.
const MAX_RESPONSE_BYTES: usize = 1 << 20;

type Client = CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// The provider, and this server's registration there.
#[derive(Clone)]
pub struct OidcSettings {
    /// The provider's issuer URL, exactly as the provider reports it.
    pub issuer: Url,
    /// The client id.
    pub client_id: String,
    /// The client secret; a public client has none.
    pub client_secret: Option<Secret<String>>,
    /// The URL at which browsers reach this server.
    pub public_url: Url,
    /// Whether an unknown identity gets a new user.
    pub creates_users: bool,
}

/// A client of the provider.
#[derive(Clone)]
pub struct Oidc(Arc<Inner>);

struct Inner {
    settings: OidcSettings,
    http: OnceLock<reqwest::Client>,
    known: Mutex<Option<(Instant, CoreProviderMetadata)>>,
}

/// A started sign-in.
pub struct Begun {
    /// The URL to redirect the browser to.
    pub url: Url,
    /// The state, which the browser must return, and which a cookie binds to it.
    pub state: String,
}

/// The stored state of a sign-in whose browser was sent to the provider.
pub struct UnderWay {
    nonce: String,
    verifier: String,
    /// The path to return to after the sign-in.
    pub return_to: String,
}

/// An identity that the provider has authenticated.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The issuer.
    pub issuer: String,
    /// The provider's id of the user.
    pub subject: String,
    /// The user's address, when the provider has verified it.
    pub verified_email: Option<String>,
}

/// A failure of the provider; logged, never sent to a client.
#[derive(Debug, thiserror::Error)]
enum ProviderError {
    #[error("the provider answers with more than is read")]
    TooLarge,
    #[error("the provider sent no ID token")]
    NoIdToken,
    #[error("the provider could not be asked: {0}")]
    Http(#[from] reqwest::Error),
    #[error("the provider's answer is malformed: {0}")]
    Malformed(#[from] http::Error),
    #[error("{0}")]
    Refused(String),
}

impl Oidc {
    /// Creates a client that contacts the provider on first use.
    #[must_use]
    pub fn new(settings: OidcSettings) -> Self {
        Self(Arc::new(Inner { settings, http: OnceLock::new(), known: Mutex::new(None) }))
    }

    /// Whether an unknown identity gets a new user.
    #[must_use]
    pub fn creates_users(&self) -> bool {
        self.0.settings.creates_users
    }

    /// Whether browsers reach this server over TLS, so that cookies can be `Secure`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.0.settings.public_url.scheme() == "https"
    }

    /// Begins a sign-in that returns to `return_to`.
    ///
    /// # Errors
    /// `UNAVAILABLE` when the provider or the database cannot be reached.
    pub async fn begin(&self, db: &Db, return_to: &str) -> Result<Begun> {
        let client = self.client(&self.provider(false).await?)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (url, state, nonce) = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
            .add_scope(Scope::new("email".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        let sql = Sql::new("with gone as (delete from pumphouse.oidc_sign_in where created_at < now() - ")
            .value(SIGN_IN_TTL)
            .with(
                "::interval) insert into pumphouse.oidc_sign_in (state_hash, nonce, verifier, return_to) values (",
                digest(state.secret()),
            )
            .with(", ", nonce.secret().clone())
            .with(", ", verifier.secret().clone())
            .with(", ", return_to.to_owned())
            .text(")");
        db.rows(sql).await?;
        Ok(Begun { url, state: state.secret().clone() })
    }

    /// Resumes the sign-in of a browser that has come back. Returns `None` when there is no such sign-in, or it has expired.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn take(&self, db: &Db, state: &str) -> Result<Option<UnderWay>> {
        let sql = Sql::new("delete from pumphouse.oidc_sign_in where state_hash = ")
            .value(digest(state))
            .with(" and created_at >= now() - ", SIGN_IN_TTL)
            .text("::interval returning nonce, verifier, return_to");
        let rows = db.rows(sql).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        Ok(Some(UnderWay { nonce: row.try_get(0)?, verifier: row.try_get(1)?, return_to: row.try_get(2)? }))
    }

    /// Exchanges the browser's code for the identity at the provider.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when the provider does not authenticate the user, `UNAVAILABLE` when it cannot be reached.
    pub async fn identify(&self, under_way: &UnderWay, code: String) -> Result<Identity> {
        let client = self.client(&self.provider(false).await?)?;
        let request = client.exchange_code(AuthorizationCode::new(code)).map_err(unavailable)?;
        let request = request.set_pkce_verifier(PkceCodeVerifier::new(under_way.verifier.clone()));
        let http = self.http()?;
        let http = |request| ask(http.clone(), request);
        let answer = request.request_async(&http).await.map_err(|error| match error {
            RequestTokenError::Request(trouble) => unavailable(trouble),
            refusal => not_vouched_for(ProviderError::Refused(refusal.to_string())),
        })?;
        let token = answer.id_token().ok_or_else(|| not_vouched_for(ProviderError::NoIdToken))?;
        let nonce = Nonce::new(under_way.nonce.clone());
        match claims(&client, token, &nonce) {
            // The provider has rotated its keys since they were read.
            Err(ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey)) => {
                let client = self.client(&self.provider(true).await?)?;
                claims(&client, token, &nonce).map_err(not_vouched_for)
            }
            identity => identity.map_err(not_vouched_for),
        }
    }

    fn client(&self, provider: &CoreProviderMetadata) -> Result<Client> {
        let settings = &self.0.settings;
        let secret = settings.client_secret.as_ref().map(|secret| ClientSecret::new(secret.reveal().clone()));
        let back = settings.public_url.join(CALLBACK).map_err(Error::internal)?;
        let client = CoreClient::from_provider_metadata(provider.clone(), ClientId::new(settings.client_id.clone()), secret);
        Ok(client.set_redirect_uri(RedirectUrl::from_url(back)))
    }

    fn http(&self) -> Result<reqwest::Client> {
        if let Some(http) = self.0.http.get() {
            return Ok(http.clone());
        }
        // A redirect could send our secret to an address that is not configured.
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(PROVIDER_TIMEOUT).build();
        let http = http.map_err(Error::internal)?;
        Ok(self.0.http.get_or_init(|| http).clone())
    }

    /// Returns the provider's metadata, within the time limit even when another task is fetching it.
    async fn provider(&self, anew: bool) -> Result<CoreProviderMetadata> {
        tokio::time::timeout(PROVIDER_TIMEOUT, self.cached_or_fetched(anew)).await.map_err(unavailable)?
    }

    async fn cached_or_fetched(&self, anew: bool) -> Result<CoreProviderMetadata> {
        let mut known = self.0.known.lock().await;
        if let Some((since, provider)) = known.as_ref()
            && since.elapsed() < METADATA_TTL
            && !anew
        {
            return Ok(provider.clone());
        }
        let http = self.http()?;
        let http = |request| ask(http.clone(), request);
        // An issuer URL without a path has no trailing slash, but a parsed URL does.
        let issuer = self.0.settings.issuer.as_str();
        let issuer = if self.0.settings.issuer.path() == "/" { issuer.trim_end_matches('/') } else { issuer };
        let issuer = IssuerUrl::new(issuer.to_owned()).map_err(unavailable)?;
        let provider = CoreProviderMetadata::discover_async(issuer, &http).await.map_err(unavailable)?;
        *known = Some((Instant::now(), provider.clone()));
        Ok(provider)
    }
}

/// Returns the identity of a token whose signature, audience, times and nonce are valid.
fn claims(client: &Client, token: &CoreIdToken, nonce: &Nonce) -> Result<Identity, ClaimsVerificationError> {
    let claims: &CoreIdTokenClaims = token.claims(&client.id_token_verifier(), nonce)?;
    let verified = claims.email_verified() == Some(true);
    Ok(Identity {
        issuer: claims.issuer().to_string(),
        subject: claims.subject().to_string(),
        verified_email: claims.email().filter(|_| verified).map(|email| email.to_string()),
    })
}

/// Sends one request of the flow. Responses above the size limit are not read.
async fn ask(http: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, ProviderError> {
    let mut answer = http.execute(request.try_into()?).await?;
    let mut response = http::Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        headers.clone_from(answer.headers());
    }
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await? {
        body.extend_from_slice(&part);
        if body.len() > MAX_RESPONSE_BYTES {
            return Err(ProviderError::TooLarge);
        }
    }
    Ok(response.body(body)?)
}

/// The state is stored as its digest, so a reader of the table cannot complete another user's sign-in.
fn digest(state: &str) -> Vec<u8> {
    Sha256::digest(state).to_vec()
}

fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::unavailable("The provider of identities cannot be reached at the moment; try again.").because(cause)
}

fn not_vouched_for(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::unauthenticated("The provider of identities did not confirm the sign-in; begin again.").because(cause)
}
