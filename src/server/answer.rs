//! What an operation answers, as every transport sends it.
//!
//! Always holds: every error has a code and the request id; an answer has `data` exactly when its
//! operation was executed, so a request error never looks like a result. Not here: status codes and
//! message types, which belong to the transports.

use std::collections::BTreeMap;

use async_graphql::{ErrorExtensionValues, Response, ServerError, Value};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

use crate::core::error::{Code, Error};
use crate::core::write::RequestId;

/// The code of a document that does not parse, or of a request that is not one.
pub(crate) const PARSE_FAILED: &str = "GRAPHQL_PARSE_FAILED";
const VALIDATION_FAILED: &str = "GRAPHQL_VALIDATION_FAILED";

/// One answer.
pub(crate) struct Answer {
    errors: Vec<ServerError>,
    data: Option<Value>,
    extensions: BTreeMap<String, Value>,
    /// The text of an answer that was given before.
    kept: Option<Box<RawValue>>,
}

impl Answer {
    /// An answer that was given before, in the same words.
    pub(crate) fn kept(text: Box<RawValue>) -> Self {
        Self { errors: Vec::new(), data: Some(Value::Null), extensions: BTreeMap::new(), kept: Some(text) }
    }

    /// The library's answer, completed.
    pub(crate) fn of(response: Response, id: &RequestId) -> Self {
        // What the library refuses before it executes has no path; what fails while it executes has one.
        let refused = response.errors.iter().any(|error| error.path.is_empty()) && response.data == Value::Null;
        let mut errors = response.errors;
        for error in &mut errors {
            // Refusals without a code are the library's own: of the document, or of an argument in one place of it.
            complete(error, if error.path.is_empty() { VALIDATION_FAILED } else { Code::Validation.as_str() }, id);
        }
        Self { errors, data: (!refused).then_some(response.data), extensions: response.extensions, kept: None }
    }

    /// A refusal before execution.
    pub(crate) fn refusal(error: Error, id: &RequestId) -> Self {
        let error = async_graphql::Error::from(error).into_server_error(async_graphql::Pos::default());
        Self::of(Response::from_errors(vec![error]), id)
    }

    /// A refusal of the request or document itself.
    pub(crate) fn unreadable(mut error: ServerError, id: &RequestId) -> Self {
        complete(&mut error, PARSE_FAILED, id);
        Self { errors: vec![error], data: None, extensions: BTreeMap::new(), kept: None }
    }

    /// A refusal of the request itself, in our words.
    pub(crate) fn malformed(message: impl Into<String>, id: &RequestId) -> Self {
        Self::unreadable(ServerError::new(message, None), id)
    }

    /// A refusal because the client asks for too much at a time.
    pub(crate) fn rate_limited(message: impl Into<String>, id: &RequestId) -> Self {
        let mut error = ServerError::new(message, None);
        complete(&mut error, "RATE_LIMITED", id);
        Self { errors: vec![error], data: None, extensions: BTreeMap::new(), kept: None }
    }

    /// The same errors without what the operation had done, which was undone.
    pub(crate) fn undone(self) -> Self {
        Self { data: Some(Value::Null), ..self }
    }

    /// The operation was not executed.
    pub(crate) fn is_request_error(&self) -> bool {
        self.data.is_none()
    }

    /// Its errors.
    pub(crate) fn errors(&self) -> &[ServerError] {
        &self.errors
    }

    /// The first error with one of these codes.
    pub(crate) fn error_with(&self, codes: &[Code]) -> Option<Code> {
        let code_of = |error: &ServerError| match error.extensions.as_ref()?.get("code")? {
            Value::String(code) => codes.iter().copied().find(|known| known.as_str() == code),
            _ => None,
        };
        self.errors.iter().find_map(code_of)
    }

    /// The code of the first error; none when there is no error.
    pub(crate) fn code(&self) -> Option<&str> {
        match self.errors.first()?.extensions.as_ref()?.get("code")? {
            Value::String(code) => Some(code),
            _ => None,
        }
    }
}

fn complete(error: &mut ServerError, code: &'static str, id: &RequestId) {
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    if extensions.get("code").is_none() {
        extensions.set("code", code);
    }
    extensions.set("requestId", id.0.as_str());
    // Our own refusals stand nowhere in the document.
    error.locations.retain(|place| place.line > 0);
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
