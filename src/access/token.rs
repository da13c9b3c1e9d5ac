//! Bearer tokens: signed claims about the caller's identity. Rights are never read from a token.
//!
//! Always holds: a token names its subject (a user in one credential epoch, or one generation of a worker) and its expiry
//! time. Whether it is still valid is checked in the database (domain.md section 1).

use std::sync::Arc;

use async_graphql::Context;
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::read::context_data;
use crate::core::secret::Secret;
use crate::core::viewer::{Subject, Verified};

/// The key that signs tokens.
#[derive(Clone)]
pub struct TokenKey(Arc<Keys>);

struct Keys {
    signing: EncodingKey,
    checking: DecodingKey,
    rules: Validation,
}

/// A signed token with its id and expiry time.
#[derive(Clone, Debug)]
pub struct Token {
    /// The id by which the token is revoked.
    pub id: Uuid,
    /// The text to send as `Authorization: Bearer ...`.
    pub text: String,
    /// When the token expires.
    pub expires_at: DateTime<Utc>,
}

/// Marker for token ids, which identify a token for revocation.
enum TokenId {}

#[derive(Serialize, Deserialize)]
struct Claims {
    jti: Uuid,
    sub: Uuid,
    exp: i64,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "typ", rename_all = "snake_case")]
enum Kind {
    User {
        epoch: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        service_account: Option<Uuid>,
    },
    Worker {
        generation: Uuid,
    },
}

impl TokenKey {
    /// Returns the signing key of the server that handles this request.
    ///
    /// # Errors
    /// `INTERNAL` when the request context has no key.
    pub(crate) fn of(ctx: &Context<'_>) -> Result<Self> {
        context_data::<Self>(ctx).cloned()
    }

    /// Creates a key from these bytes.
    #[must_use]
    pub fn new(key: &Secret<Vec<u8>>) -> Self {
        let mut rules = Validation::new(Algorithm::HS256);
        // Expiry is checked against the database's clock when the viewer is loaded.
        rules.validate_exp = false;
        rules.set_required_spec_claims(&["exp", "sub", "jti"]);
        Self(Arc::new(Keys { signing: EncodingKey::from_secret(key.reveal()), checking: DecodingKey::from_secret(key.reveal()), rules }))
    }

    /// Issues a token for a user in this credential epoch.
    ///
    /// # Errors
    /// When the claims cannot be signed.
    pub fn for_user(&self, user: Uuid, epoch: i32, service_account: Option<Uuid>, expires_at: DateTime<Utc>) -> Result<Token> {
        self.sign(user, Kind::User { epoch, service_account }, expires_at)
    }

    /// Issues a token for one generation of a worker.
    ///
    /// # Errors
    /// When the claims cannot be signed.
    pub fn for_worker(&self, worker: Uuid, generation: Uuid, expires_at: DateTime<Utc>) -> Result<Token> {
        self.sign(worker, Kind::Worker { generation }, expires_at)
    }

    fn sign(&self, sub: Uuid, kind: Kind, expires_at: DateTime<Utc>) -> Result<Token> {
        let id = Id::<TokenId>::random().uuid();
        let claims = Claims { jti: id, sub, exp: expires_at.timestamp(), kind };
        let text = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.0.signing).map_err(Error::internal)?;
        Ok(Token { id, text, expires_at })
    }

    /// Returns the claims of a token, or `None` when its signature is not ours.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Verified> {
        let claims = jsonwebtoken::decode::<Claims>(text, &self.0.checking, &self.0.rules).ok()?.claims;
        let subject = match claims.kind {
            Kind::User { epoch, service_account } => Subject::User { id: claims.sub, epoch, service_account },
            Kind::Worker { generation } => Subject::Worker { id: claims.sub, generation },
        };
        Some(Verified { token_id: claims.jti, expires_at: DateTime::from_timestamp(claims.exp, 0)?, subject })
    }
}
