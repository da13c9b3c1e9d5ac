//! What workers alone are handed, in plain JSON rather than GraphQL, so that no query of anybody's can ever select it:
//! `POST /worker/bootstrap`, a worker's configuration, and `POST /worker/deliveries`, what a target's worker delivers.

use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::core::error::{Error, Result};
use crate::core::read::Caller;
use crate::core::request::RequestId;
use crate::core::viewer::Viewer;
use crate::pipelines::{BootstrapRequest, bootstrap, deliveries};
use crate::server::answer::{Answer, status};
use crate::server::body::{self, Unread};
use crate::server::engine::{Engine, new_request_id};

/// The longest body, in bytes: two ids.
const LONGEST: usize = 1024;

/// Hands a worker its configuration.
pub(crate) async fn post(State(engine): State<Engine>, request: Request) -> Response {
    let id = new_request_id();
    let handed = async {
        let (viewer, asked) = asking(&engine, request).await?;
        bootstrap(&engine.app.db, &engine.app.keys, &viewer, asked, Some(&id.0)).await
    };
    answer(handed.await, &id)
}

/// Tells a worker what it delivers.
pub(crate) async fn post_deliveries(State(engine): State<Engine>, request: Request) -> Response {
    let told = async {
        let (viewer, asked) = asking(&engine, request).await?;
        deliveries(&engine.app.db, &viewer, asked).await
    };
    answer(told.await, &new_request_id())
}

/// Who asks, and for which worker if that is said. Nobody's body is read but theirs.
async fn asking(engine: &Engine, request: Request) -> Result<(Viewer, Option<BootstrapRequest>)> {
    let app = &engine.app;
    let asker = engine.asker(&request);
    engine.rates.take(&asker)?;
    let caller = engine.caller(&asker.presented).await?;
    let Caller::Known(viewer) = caller else { return Err(Error::unauthenticated("A worker's token is needed.")) };
    let unfit = || Error::validation("The body is empty, or `{\"workerId\": ..., \"launchGeneration\": ...}` with two ids.");
    let body = body::read(request.into_body(), LONGEST, app.settings.body_timeout).await.map_err(|why| match why {
        Unread::TooLarge => unfit(),
        Unread::TooSlow => Error::timeout("The body did not come in time; send it again."),
        Unread::BrokenOff => Error::unreadable("The body broke off before its end; send it again."),
    })?;
    let asked = if body.is_empty() { None } else { Some(serde_json::from_slice(&body).map_err(|_| unfit())?) };
    Ok((viewer, asked))
}

fn answer<T: Serialize>(answer: Result<T>, id: &RequestId) -> Response {
    match answer {
        Ok(handed) => ([(CACHE_CONTROL, "no-store")], axum::Json(handed)).into_response(),
        Err(error) => {
            let (code, wait) = (status(error.code()), error.retry_after());
            let mut response = (code, axum::Json(Answer::refusal(error, id))).into_response();
            if let Some(seconds) = wait {
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            response
        }
    }
}
