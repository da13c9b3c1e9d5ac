//! From a bearer token to a caller.

use axum::http::header::AUTHORIZATION;
use axum::http::{Extensions, HeaderMap};

use crate::access::ClientAddress;
use crate::access::token::TokenKey;
use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::read::Caller;
use crate::core::viewer::Verified;
use crate::core::viewers::Viewers;
use crate::server::{ServerSettings, client};

/// A token as it came, before the database is asked about it.
#[derive(Clone, Debug)]
pub(crate) enum PresentedToken {
    /// None came.
    Nothing,
    /// It is not one of ours.
    Garbage,
    /// Our signature is on it.
    Signed(Verified),
}

/// Who sends requests, and from where.
#[derive(Clone, Debug)]
pub(crate) struct ClientIdentity {
    pub(crate) presented: PresentedToken,
    pub(crate) client: Option<ClientAddress>,
}

impl ClientIdentity {
    /// Reads the headers of a request.
    pub(crate) fn of(key: &TokenKey, settings: &ServerSettings, headers: &HeaderMap, extensions: &Extensions) -> Self {
        Self { presented: PresentedToken::of_headers(key, headers), client: client::address(extensions, headers, settings) }
    }
}

impl PresentedToken {
    /// Reads the value of an `Authorization` header.
    pub(crate) fn read(key: &TokenKey, value: Option<&str>) -> Self {
        let Some(value) = value else { return Self::Nothing };
        let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        token.and_then(|token| key.read(token)).map_or(Self::Garbage, Self::Signed)
    }

    /// Reads the header of a request.
    pub(crate) fn of_headers(key: &TokenKey, headers: &HeaderMap) -> Self {
        match headers.get(AUTHORIZATION) {
            None => Self::Nothing,
            Some(value) => value.to_str().map_or(Self::Garbage, |value| Self::read(key, Some(value))),
        }
    }

    /// What the token says, when our signature is on it.
    pub(crate) fn token(&self) -> Option<&Verified> {
        match self {
            Self::Signed(verified) => Some(verified),
            Self::Nothing | Self::Garbage => None,
        }
    }

    /// The caller as the database knows them now.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when a token came that is none of ours, or none any more.
    pub(crate) async fn caller(&self, db: &Db, viewers: &Viewers) -> Result<Caller> {
        Ok(match self {
            Self::Nothing => Caller::Nobody,
            Self::Garbage => return Err(Error::token_refused()),
            Self::Signed(verified) => Caller::Known(viewers.load(db, verified).await?.ok_or_else(Error::token_refused)?),
        })
    }
}
