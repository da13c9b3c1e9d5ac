//! The playground: a page for people, from inside the binary.
//!
//! Always holds: it loads nothing from another host; a name that changes with its content is kept by
//! browsers for ever, the page that names them is asked for each time. A build without the page is
//! still a build, and says how to make one with it. Not here: the page, which is in `playground/`.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

/// In a debug build the files are read from the folder itself, at the time of the request.
#[derive(Embed)]
#[folder = "$CARGO_MANIFEST_DIR/playground/dist"]
#[allow_missing = true]
struct Page;

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; font-src 'self' data:; \
     img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'",
);

const NOT_BUILT: &str = "The playground is not part of this build. To make it:\n\n    make playground\n\n\
                         then build the server again.\n";

/// The page, whatever its path: what it shows there is up to its own routes.
pub(crate) async fn index() -> Response {
    file("index.html", "no-cache").unwrap_or_else(|| (StatusCode::NOT_FOUND, NOT_BUILT).into_response())
}

/// What the page loads.
pub(crate) async fn asset(Path(path): Path<String>) -> Response {
    file(&format!("assets/{path}"), "public, max-age=31536000, immutable")
        .unwrap_or_else(|| (StatusCode::NOT_FOUND, "There is no such file.\n").into_response())
}

fn file(path: &str, cache: &'static str) -> Option<Response> {
    let found = Page::get(path)?;
    let mut response = match found.data {
        std::borrow::Cow::Borrowed(bytes) => bytes.into_response(),
        std::borrow::Cow::Owned(bytes) => bytes.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    Some(response)
}

/// What the build of the page makes.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("woff") => "font/woff",
        Some("ttf") => "font/ttf",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
