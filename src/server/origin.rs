//! Which web pages may talk to the server.
//!
//! Always holds: what is no web page, and so sends no `Origin`, may always; a page of the server's own
//! host may; any other only when its origin is on the list. One list serves sockets, which browsers
//! do not guard at all, and cross-origin requests, which they guard by CORS.

use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue, ORIGIN, RETRY_AFTER};
use axum::http::{HeaderMap, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::server::http::{IDEMPOTENCY_KEY, REQUEST_ID};
use crate::server::trace::TRACEPARENT;

/// Allows every origin.
const ANY: &str = "*";

/// Whether a page of this origin may open a socket.
pub(crate) fn may_connect(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let is_ours = authority.zip(host).is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host));
    is_ours || allowed.iter().any(|known| known == ANY || known.trim_end_matches('/').eq_ignore_ascii_case(origin))
}

/// Whether a sign-in may end there with its token: at a path of ours, or at a page of an origin that is listed by name.
pub(crate) fn may_return(to: &str, allowed: &[String]) -> bool {
    if let Some(path) = to.strip_prefix('/') {
        // Browsers read `//host` and `/\host` as another host.
        return !path.starts_with(['/', '\\']) && !to.contains(char::is_control);
    }
    let origin = url::Url::parse(to).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    allowed.iter().any(|known| known != ANY && known.trim_end_matches('/').eq_ignore_ascii_case(&origin))
}

/// CORS for the allowed origins; none when no other origin is allowed. Credentials are bearer tokens, never cookies.
pub(crate) fn cors(allowed: &[String]) -> Option<CorsLayer> {
    if allowed.is_empty() {
        return None;
    }
    let origins = if allowed.iter().any(|origin| origin == ANY) {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(allowed.iter().filter_map(|origin| HeaderValue::from_str(origin.trim_end_matches('/')).ok()))
    };
    let layer = CorsLayer::new().allow_origin(origins).allow_methods([Method::GET, Method::POST]);
    Some(
        layer
            .allow_headers([AUTHORIZATION, CONTENT_TYPE, REQUEST_ID, IDEMPOTENCY_KEY, TRACEPARENT])
            .expose_headers([REQUEST_ID, RETRY_AFTER])
            .max_age(Duration::from_hours(1)),
    )
}
