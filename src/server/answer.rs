//! What an operation answers, as every transport sends it.
//!
//! Always holds: every error has a code and the request id; an answer has `data` exactly when its
//! operation was executed, so a request error never looks like a result. Not here: when a status code is used, and
//! message types, which belong to the transports.

use std::collections::BTreeMap;

use async_graphql::{ErrorExtensionValues, Pos, Response, ServerError, Value};
use axum::http::StatusCode;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

use crate::core::error::{Code, Error, sentence};
use crate::core::live::EncodedResponse;
use crate::core::refusals::in_full;
use crate::core::request::RequestId;

/// The most errors of one answer; the first ones tell enough, and a short document can have thousands.
pub(crate) const MOST_ERRORS: usize = 20;

/// The status that means the same in HTTP.
pub(crate) fn status(code: Code) -> StatusCode {
    match code {
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::Forbidden | Code::LicenseInactive => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::Conflict => StatusCode::CONFLICT,
        Code::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Validation | Code::TooComplex | Code::ParseFailed | Code::ValidationFailed | Code::PersistedQueryNotFound => {
            StatusCode::BAD_REQUEST
        }
    }
}

/// One answer.
pub(crate) struct Answer {
    errors: Vec<ServerError>,
    data: Option<Value>,
    extensions: BTreeMap<String, Value>,
    /// The code of the first error.
    code: Option<Code>,
    /// The text of an answer that was given before.
    kept: Option<Box<RawValue>>,
}

impl Answer {
    /// An answer that was given before, in the same words.
    pub(crate) fn kept(text: Box<RawValue>) -> Self {
        Self { errors: Vec::new(), data: Some(Value::Null), extensions: BTreeMap::new(), code: None, kept: Some(text) }
    }

    /// The library's answer, completed.
    pub(crate) fn of(response: Response, id: &RequestId) -> Self {
        // What the library refuses before it executes has no path; what fails while it executes has one.
        let refused = response.errors.iter().any(|error| error.path.is_empty()) && response.data == Value::Null;
        let mut errors = response.errors;
        errors.truncate(MOST_ERRORS);
        let mut first = None;
        for error in &mut errors {
            // Refusals without a code are the library's own: of the document, or of an argument in one place of it.
            let code = complete(error, if error.path.is_empty() { Code::ValidationFailed } else { Code::Validation }, id);
            first = first.or(Some(code));
        }
        Self { errors, data: (!refused).then_some(response.data), extensions: response.extensions, code: first, kept: None }
    }

    /// A refusal before execution.
    pub(crate) fn refusal(error: Error, id: &RequestId) -> Self {
        Self::refusals(vec![error], id)
    }

    /// All that a request is refused for before execution.
    pub(crate) fn refusals(errors: Vec<Error>, id: &RequestId) -> Self {
        let errors = errors.into_iter().map(|error| async_graphql::Error::from(error).into_server_error(Pos::default()));
        Self::of(Response::from_errors(errors.collect()), id)
    }

    /// A document that breaks the rules.
    pub(crate) fn invalid(errors: Vec<ServerError>, id: &RequestId) -> Self {
        Self::of(Response::from_errors(errors), id)
    }

    /// A document that does not parse.
    pub(crate) fn unreadable(mut error: ServerError, id: &RequestId) -> Self {
        let code = complete(&mut error, Code::ParseFailed, id);
        Self { errors: vec![error], data: None, extensions: BTreeMap::new(), code: Some(code), kept: None }
    }

    /// The same errors without what the operation had done, which was undone.
    pub(crate) fn undone(self) -> Self {
        Self { data: Some(Value::Null), ..self }
    }

    /// The answer as it is sent, under this request id.
    pub(crate) fn said(&self, id: &RequestId) -> EncodedResponse {
        // Only a map with keys that are no text could fail.
        let text = |errors: &[ServerError]| serde_json::to_string(errors).unwrap_or_default();
        EncodedResponse {
            answer: serde_json::to_string(self).unwrap_or_default(),
            refused: self.is_request_error().then(|| text(&self.errors)),
            code: self.code,
            request: (!self.errors.is_empty()).then(|| id.0.clone()),
            last: false,
            lasts: false,
            completes: false,
        }
    }

    /// The operation was not executed.
    pub(crate) fn is_request_error(&self) -> bool {
        self.data.is_none()
    }

    /// Its errors.
    pub(crate) fn errors(&self) -> &[ServerError] {
        &self.errors
    }

    /// After how many seconds it may be asked again, when the first error says so.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        let Value::Object(details) = self.errors.first()?.extensions.as_ref()?.get("details")? else { return None };
        match details.get("retryAfterSeconds")? {
            Value::Number(seconds) => seconds.as_u64(),
            _ => None,
        }
    }

    /// Whether what was executed refused its viewer, for another reason than the idempotency key itself.
    pub(crate) fn is_refused(&self) -> bool {
        let of_key = |error: &ServerError| {
            error.extensions.as_ref().and_then(|extensions| extensions.get("field")) == Some(&Value::from("idempotencyKey"))
        };
        self.data.is_some() && self.code.is_some_and(|code| code != Code::Unauthenticated) && !self.errors.iter().any(of_key)
    }

    /// The first error with one of these codes.
    pub(crate) fn error_with(&self, codes: &[Code]) -> Option<Code> {
        self.errors.iter().filter_map(code_of).find(|code| codes.contains(code))
    }

    /// The code of the first error; none when there is no error.
    pub(crate) fn code(&self) -> Option<Code> {
        self.code
    }
}

/// The code that an error carries already.
fn code_of(error: &ServerError) -> Option<Code> {
    match error.extensions.as_ref()?.get("code")? {
        Value::String(code) => Code::read(code),
        _ => None,
    }
}

/// Gives an error what every error has; answers its code.
fn complete(error: &mut ServerError, otherwise: Code, id: &RequestId) -> Code {
    let code = code_of(error).unwrap_or_else(|| {
        error.message = in_full(sentence(&error.message));
        otherwise
    });
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    extensions.set("code", code.as_str());
    extensions.set("requestId", id.0.as_str());
    // Our own refusals stand nowhere in the document.
    error.locations.retain(|place| place.line > 0);
    code
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = &self.kept {
            return text.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        if !self.errors.is_empty() {
            map.serialize_entry("errors", &self.errors)?;
        }
        if let Some(data) = &self.data {
            map.serialize_entry("data", data)?;
        }
        if !self.extensions.is_empty() {
            map.serialize_entry("extensions", &self.extensions)?;
        }
        map.end()
    }
}
