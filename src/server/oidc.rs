//! A browser's way to the provider of identities and back.
//!
//! Always holds: the state that comes back is the one that this browser left with, by a cookie; it ends at a place of
//! ours or of an allowed origin, with the token in the part of the address that is sent to no server. Not here:
//! the flow itself (`access/oidc.rs`).

use axum::extract::{Query, Request, State};
use axum::http::header::{CACHE_CONTROL, COOKIE, LOCATION, RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::access::identity;
use crate::access::oidc::{Oidc, UnderWay};
use crate::core::error::{Error, Result};
use crate::server::answer::status;
use crate::server::engine::{Engine, new_request_id};
use crate::server::origin;

const COOKIE_NAME: &str = "pumphouse_oidc";
const PLAYGROUND: &str = "/playground";

/// What the browser brings when it sets out.
#[derive(Deserialize)]
pub(crate) struct Departure {
    return_to: Option<String>,
}

/// What the provider sends it back with.
#[derive(Deserialize)]
pub(crate) struct Return {
    state: Option<String>,
    code: Option<String>,
}

/// Sends the browser to the provider.
pub(crate) async fn begin(State(engine): State<Engine>, Query(departure): Query<Departure>, request: Request) -> Response {
    let Some(oidc) = &engine.app.oidc else { return not_set_up() };
    if let Err(error) = engine.rates.take(&engine.asker(&request)) {
        return refuse(&error);
    }
    let return_to = departure.return_to.unwrap_or_else(|| PLAYGROUND.to_owned());
    if !origin::may_return(&return_to, &engine.app.settings.allowed_origins) {
        return (StatusCode::BAD_REQUEST, "`return_to` is neither a path of this server nor a page of an allowed origin.\n")
            .into_response();
    }
    match oidc.begin(&engine.app.db, &return_to).await {
        Ok(begun) => {
            let cookie = cookie(oidc, &begun.state, 600);
            redirect(begun.url.as_str(), &cookie)
        }
        Err(error) => refuse(&error),
    }
}

/// Takes the browser back, and hands it its token.
pub(crate) async fn finish(State(engine): State<Engine>, Query(back): Query<Return>, request: Request) -> Response {
    let Some(oidc) = &engine.app.oidc else { return not_set_up() };
    if let Err(error) = engine.rates.take(&engine.asker(&request)) {
        return refuse(&error);
    }
    let state = back.state.unwrap_or_default();
    if state.is_empty() || left_with(request.headers()) != Some(&state) {
        return (StatusCode::BAD_REQUEST, "This sign-in was not begun in this browser; begin again.\n").into_response();
    }
    let under_way = match oidc.take(&engine.app.db, &state).await {
        Ok(Some(under_way)) => under_way,
        Ok(None) => return (StatusCode::BAD_REQUEST, "This sign-in is over, or took too long; begin again.\n").into_response(),
        Err(error) => return refuse(&error),
    };
    let fragment = match sign_in(&engine, oidc, &under_way, back.code).await {
        Ok(fragment) => fragment,
        Err(error) => {
            error.log();
            let pairs = [("error", error.code().as_str()), ("error_description", error.message())];
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
        }
    };
    redirect(&format!("{}#{fragment}", under_way.return_to), &cookie(oidc, "", 0))
}

async fn sign_in(engine: &Engine, oidc: &Oidc, under_way: &UnderWay, code: Option<String>) -> Result<String> {
    let app = &engine.app;
    let code = code.ok_or_else(|| Error::unauthenticated("The provider of identities did not let you in."))?;
    let identity = oidc.identify(under_way, code).await?;
    let request = new_request_id();
    let session = identity::sign_in(&app.db, &app.token_key, app.token_lifetime, &identity, oidc.creates_users(), Some(&request.0)).await?;
    let pairs = [("access_token", session.access_token), ("expires_at", session.expires_at.to_string()), ("email", session.user.email)];
    Ok(url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

fn cookie(oidc: &Oidc, state: &str, seconds: u32) -> String {
    let secure = if oidc.is_secure() { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={state}; Path=/auth/oidc; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

/// The state that this browser left with.
fn left_with(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(';'));
    cookies.filter_map(|cookie| cookie.trim().split_once('=')).find(|(name, _)| *name == COOKIE_NAME).map(|(_, state)| state)
}

fn redirect(to: &str, cookie: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, to), (SET_COOKIE, cookie), (CACHE_CONTROL, "no-store")]).into_response()
}

fn refuse(error: &Error) -> Response {
    error.log();
    let mut response = (status(error.code()), format!("{}\n", error.message())).into_response();
    if let Some(seconds) = error.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

fn not_set_up() -> Response {
    (StatusCode::NOT_FOUND, "Sign-in by OpenID Connect is not set up here: see oidc_issuer in `pumphouse config`.\n").into_response()
}
