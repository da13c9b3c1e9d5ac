//! GraphQL over HTTP, by the draft of 2025: one request in, one answer or one stream of answers out.
//!
//! Always holds: only JSON that says so is read, up to the limit and by the deadline; `GET` changes
//! nothing; every refusal is an answer in GraphQL's own form, with the request's id.

use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{RawQuery, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::core::error::{Code, Error};
use crate::core::request::RequestId;
use crate::server::answer::{Answer, status};
use crate::server::auth::ClientIdentity;
use crate::server::body::Unread;
use crate::server::connection::Progress;
use crate::server::engine::{Engine, Kind, Operation, new_request_id};
use crate::server::media::{self, Accepted, Media};
use crate::server::{Uncompressed, body, documents, keyed, limits, payload, socket, sse, trace};

/// The header by which a request is found again in logs and audit.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The header by which a mutation is safe to send again.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A refusal by status.
struct Refusal(StatusCode, Error);

/// A refusal of what is no request that is read here.
fn unread(status: StatusCode, message: &'static str) -> Refusal {
    Refusal(status, Error::unreadable(message))
}

/// A refusal of what should be JSON.
fn no_json(what: &str, why: &serde_json::Error) -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, Error::no_json(what, why))
}

/// A request on its way: what every step needs to know of it.
struct Exchange {
    engine: Engine,
    headers: HeaderMap,
    id: RequestId,
    accepted: Accepted,
    asker: ClientIdentity,
    progress: Progress,
}

/// Answers a `POST`.
pub(crate) async fn post(State(engine): State<Engine>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let exchange = Exchange::new(engine, parts.headers, &parts.extensions);
    let parameters = exchange.read_body(body).await;
    exchange.answer(parameters, true).await
}

/// Answers a `GET`: the upgrade to a socket, or a query in the URL.
pub(crate) async fn get(
    State(engine): State<Engine>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    request: Request,
) -> Response {
    if socket::is_wanted(&headers) {
        return socket::upgrade(engine, &request, upgrade);
    }
    Exchange::new(engine, headers, request.extensions()).answer(read_query(query.as_deref().unwrap_or_default()), false).await
}

/// The schema in GraphQL's own language, for those who may know it.
pub(crate) async fn sdl(State(engine): State<Engine>, request: Request) -> Response {
    let asker = engine.asker(&request);
    if !engine.discloses(&asker) || engine.caller(&asker.presented).await.is_err() {
        let challenge = [(WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, challenge, "Send a token: the schema is told to those who have signed in.\n").into_response();
    }
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], crate::graph::sdl(&engine.graph)).into_response()
}

impl Exchange {
    fn new(engine: Engine, headers: HeaderMap, extensions: &Extensions) -> Self {
        let asker = ClientIdentity::of(&engine.app.token_key, &engine.app.settings, &headers, extensions);
        let progress = extensions.get::<Progress>().cloned().unwrap_or_default();
        Self { engine, id: request_id(&headers), accepted: Accepted::of(&headers), headers, asker, progress }
    }

    async fn answer(self, parameters: Result<Value, Refusal>, may_change: bool) -> Response {
        let mut response = match self.carry_out(parameters, may_change).await {
            Ok(response) => response,
            Err(Refusal(status, error)) => {
                let mut response = write(&Answer::refusal(error, &self.id), self.media(), Some(status));
                if status == StatusCode::METHOD_NOT_ALLOWED {
                    response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
                }
                if status == StatusCode::REQUEST_TIMEOUT || status == StatusCode::PAYLOAD_TOO_LARGE {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                response
            }
        };
        if let Ok(value) = HeaderValue::from_str(&self.id.0) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }

    async fn carry_out(&self, parameters: Result<Value, Refusal>, may_change: bool) -> Result<Response, Refusal> {
        if self.accepted.single().is_none() && !self.accepted.wants_events(true) {
            return Err(unread(
                StatusCode::NOT_ACCEPTABLE,
                "Accept application/graphql-response+json, application/json or text/event-stream.",
            ));
        }
        match parameters? {
            Value::Array(batch) if batch.len() > 1 || self.engine.app.settings.limits.batch > 1 => self.carry_out_all(batch).await,
            parameters => self.carry_out_one(parameters, may_change).await,
        }
    }

    async fn carry_out_one(&self, parameters: Value, may_change: bool) -> Result<Response, Refusal> {
        let media = self.media();
        let operation = match self.read(parameters)? {
            Ok(operation) => operation.within(trace::parent(&self.headers)),
            Err(answer) => return Ok(write(&answer, media, None)),
        };
        if operation.kind() == Kind::Mutation && !may_change {
            return Err(Refusal(StatusCode::METHOD_NOT_ALLOWED, Error::invalid_document("A mutation needs POST: GET changes nothing.")));
        }
        let streams = operation.kind() == Kind::Subscription;
        let presented = &self.asker.presented;
        if self.accepted.wants_events(streams) {
            let stream = |_known| sse::respond(&self.engine, operation, (presented.clone(), &self.progress), self.id.clone());
            let stream = self.engine.caller(presented).await.and_then(stream);
            return Ok(stream.unwrap_or_else(|error| write(&Answer::refusal(error, &self.id), media, None)));
        }
        if streams {
            return Err(Refusal(
                StatusCode::BAD_REQUEST,
                Error::invalid_document("A subscription needs a WebSocket, or `Accept: text/event-stream`."),
            ));
        }
        let changes = operation.kind() == Kind::Mutation;
        let mut response = write(&self.engine.run(operation, presented).await, media, None);
        if changes {
            response.extensions_mut().insert(Uncompressed);
        }
        Ok(response)
    }

    /// Carries out the operations of one request, one after the other.
    async fn carry_out_all(&self, batch: Vec<Value>) -> Result<Response, Refusal> {
        let limit = self.engine.app.settings.limits.batch;
        limits::check_batch(batch.len(), limit).map_err(|error| Refusal(StatusCode::BAD_REQUEST, error))?;
        if batch.is_empty() {
            return Err(unread(StatusCode::BAD_REQUEST, "The list of operations is empty."));
        }
        if self.accepted.single().is_none() {
            return Err(unread(StatusCode::NOT_ACCEPTABLE, "A list of operations is answered as a whole, not as a stream."));
        }
        if self.headers.contains_key(IDEMPOTENCY_KEY) {
            return Err(unread(StatusCode::BAD_REQUEST, "An idempotency key belongs to one operation: put it into its `extensions`."));
        }
        // Each is read before the first is carried out: a member that is no request refuses the whole, and nothing was done.
        let operations = batch.into_iter().map(|parameters| self.read(parameters)).collect::<Result<Vec<_>, _>>()?;
        let mut answers = Vec::with_capacity(operations.len());
        for operation in operations {
            answers.push(match operation {
                Ok(operation) if operation.kind() == Kind::Subscription => {
                    Answer::refusal(Error::invalid_document("A subscription cannot be one of several operations."), &self.id)
                }
                Ok(operation) => self.engine.run(operation.within(trace::parent(&self.headers)), &self.asker.presented).await,
                Err(answer) => *answer,
            });
        }
        let mut response = written(&answers, self.media(), StatusCode::OK);
        response.extensions_mut().insert(Uncompressed);
        Ok(response)
    }

    /// Reads one operation; the answer says for what it is refused.
    fn read(&self, parameters: Value) -> Result<Result<Operation, Box<Answer>>, Refusal> {
        let mut request = payload::read(parameters).map_err(|message| unread(StatusCode::BAD_REQUEST, message))?;
        for key in self.headers.get_all(IDEMPOTENCY_KEY) {
            keyed::put(&mut request, key.to_str().unwrap_or_default()).map_err(|message| unread(StatusCode::BAD_REQUEST, message))?;
        }
        Ok(Operation::read(&self.engine, request, &self.asker, self.id.clone()))
    }

    /// The form of a single answer. Who takes only a stream, or nothing that we write, is told in the new one.
    fn media(&self) -> Media {
        self.accepted.single().unwrap_or(Media::Graphql)
    }

    async fn read_body(&self, body: Body) -> Result<Value, Refusal> {
        let settings = &self.engine.app.settings;
        let limit = settings.body_limit as u64;
        let too_large = |bytes: u64| {
            let message = format!("The request is larger than the {limit} bytes that this server reads.");
            Refusal(StatusCode::PAYLOAD_TOO_LARGE, Error::too_complex("REQUEST_BODY_LIMIT", message, bytes, limit))
        };
        if !media::is_json(&self.headers) {
            return Err(unread(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the request as application/json, in UTF-8."));
        }
        if self.headers.get(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
            return Err(unread(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the request as it is, without Content-Encoding."));
        }
        let announced = self.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()).and_then(|length| length.parse().ok());
        if let Some(bytes) = announced.filter(|bytes| *bytes > limit) {
            return Err(too_large(bytes));
        }
        let bytes = body::read(body, settings.body_limit, settings.body_timeout).await.map_err(|why| match why {
            Unread::TooLarge => too_large(limit.saturating_add(1)),
            Unread::TooSlow => unread(StatusCode::REQUEST_TIMEOUT, "The request took too long to arrive."),
            Unread::BrokenOff => unread(StatusCode::BAD_REQUEST, "The request broke off before its end; send it again."),
        })?;
        serde_json::from_slice(&bytes).map_err(|why| no_json("The body", &why))
    }
}

/// The parameters of a URL.
fn read_query(query: &str) -> Result<Value, Refusal> {
    let mut parameters = Map::new();
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let value = match key.as_ref() {
            "query" | "operationName" | documents::ID => Value::String(value.into_owned()),
            "variables" | "extensions" if value.is_empty() => Value::Null,
            name @ ("variables" | "extensions") => {
                serde_json::from_str(&value).map_err(|why| no_json(&format!("`{name}` in the URL"), &why))?
            }
            _ => continue,
        };
        parameters.insert(key.into_owned(), value);
    }
    Ok(Value::Object(parameters))
}

/// Writes an answer; the status is its own unless one is given.
fn write(answer: &Answer, media: Media, status: Option<StatusCode>) -> Response {
    let status = status.unwrap_or_else(|| status_of(answer, media));
    let mut response = written(answer, media, status);
    let headers = response.headers_mut();
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer error=\"invalid_token\""));
    }
    if let Some(seconds) = answer.retry_after().filter(|_| status == StatusCode::TOO_MANY_REQUESTS) {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// The body of one answer, or of several.
fn written(answers: &impl Serialize, media: Media, status: StatusCode) -> Response {
    let Ok(body) = serde_json::to_vec(answers) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media.header());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A request error has a status of its own in the new form only, except for what is HTTP's matter: a token that is not
/// valid, and requests that come too often.
fn status_of(answer: &Answer, media: Media) -> StatusCode {
    if !answer.is_request_error() {
        return StatusCode::OK;
    }
    match (answer.code(), media) {
        (Some(code @ (Code::Unauthenticated | Code::IdempotencyKeyReused | Code::RateLimited)), _) => status(code),
        (_, Media::Json) => StatusCode::OK,
        // What an operation asks for is no resource of HTTP's: 404 would say that there is no GraphQL here.
        (Some(Code::NotFound | Code::Conflict) | None, _) => StatusCode::BAD_REQUEST,
        (Some(code), _) => status(code),
    }
}

/// The client's own id when it is short and plain, else a fresh one.
fn request_id(headers: &HeaderMap) -> RequestId {
    let given = headers.get(&REQUEST_ID).and_then(|value| value.to_str().ok());
    let plain = |id: &&str| !id.is_empty() && id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c));
    given.filter(plain).map_or_else(new_request_id, |id| RequestId(id.to_owned()))
}
