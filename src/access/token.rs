//! Bearer tokens: signed claims about who asks, and nothing that a right is read from.
//!
//! Always holds: a token says who (a user in one credential epoch, or one generation of a worker) and
//! until when; whether that still counts is asked of the database (domain.md section 1).

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

/// A token and what is known of it.
#[derive(Clone, Debug)]
pub struct Token {
    /// By which it is revoked.
    pub id: Uuid,
    /// The text to send as `Authorization: Bearer ...`.
    pub text: String,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
}

/// Not a user or worker, but the id that a token is revoked by.
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
    /// The key of the server that answers this request.
    ///
    /// # Errors
    /// `INTERNAL` when the request carries none.
    pub(crate) fn of(ctx: &Context<'_>) -> Result<Self> {
        context_data::<Self>(ctx).cloned()
    }

    /// Signs with these bytes.
    #[must_use]
    pub fn new(key: &Secret<Vec<u8>>) -> Self {
        let mut rules = Validation::new(Algorithm::HS256);
        // Judged against the database's clock when the viewer is loaded.
        rules.validate_exp = false;
        rules.set_required_spec_claims(&["exp", "sub", "jti"]);
        Self(Arc::new(Keys { signing: EncodingKey::from_secret(key.reveal()), checking: DecodingKey::from_secret(key.reveal()), rules }))
    }

    /// A token for a user in this credential epoch.
    ///
    /// # Errors
    /// When the claims cannot be signed.
    pub fn for_user(&self, user: Uuid, epoch: i32, service_account: Option<Uuid>, expires_at: DateTime<Utc>) -> Result<Token> {
        self.sign(user, Kind::User { epoch, service_account }, expires_at)
    }

    /// A token for one generation of a worker.
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

    /// What a token says, when its signature is ours.
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
