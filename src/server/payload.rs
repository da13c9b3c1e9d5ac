//! From the parameters of a request, which are the same on every transport, to a request.
//!
//! Always holds: a parameter has its type or the request is refused; keys that nobody knows are
//! ignored, as the specification asks. Not here: whether the document parses (`engine.rs`), and the document of a request that
//! brings its hash alone (`documents.rs`).

use async_graphql::{Request, Value as Constant, Variables};
use serde_json::{Map, Value};

use crate::server::documents;

/// Reads the parameters.
///
/// # Errors
/// What is wrong, for a person; short enough for the reason of a close frame.
pub(crate) fn read(parameters: Value) -> Result<Request, &'static str> {
    let mut parameters = match parameters {
        Value::Object(parameters) => parameters,
        Value::Array(_) => return Err("Batches are not accepted: send one operation in each request."),
        _ => return Err("A GraphQL request is a JSON object with `query`, and `variables` if there are any."),
    };
    let id = parameters.remove(documents::ID).filter(|id| !id.is_null());
    let is_named = id.is_some() || parameters.get("extensions").is_some_and(|given| given.get("persistedQuery").is_some());
    let document = match parameters.remove("query") {
        Some(Value::String(document)) => document,
        None | Some(Value::Null) if is_named => String::new(),
        None | Some(Value::Null) => return Err("`query` is missing."),
        Some(_) => return Err("`query` must be a string."),
    };
    // A byte-order mark is ignored in GraphQL, and the parser does not know it.
    let document = document.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(document);
    let mut request = Request::new(document);
    request.operation_name = match parameters.remove("operationName") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) if name.is_empty() => None,
        Some(Value::String(name)) => Some(name),
        Some(_) => return Err("`operationName` must be a string."),
    };
    if let Some(variables) = object(&mut parameters, "variables", "`variables` must be an object.")? {
        request.variables = constant(variables).map(Variables::from_value).ok_or("`variables` cannot be read.")?;
    }
    if let Some(extensions) = object(&mut parameters, "extensions", "`extensions` must be an object.")? {
        for (key, value) in extensions {
            request.extensions.insert(key, Constant::from_json(value).map_err(|_| "`extensions` cannot be read.")?);
        }
    }
    if let Some(id) = id {
        let id = Constant::from_json(id).map_err(|_| "`documentId` must be a string.")?;
        request.extensions.insert(documents::ID.to_owned(), id);
    }
    Ok(request)
}

/// A parameter that is an object, null or absent.
fn object(parameters: &mut Map<String, Value>, key: &str, otherwise: &'static str) -> Result<Option<Map<String, Value>>, &'static str> {
    match parameters.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(_) => Err(otherwise),
    }
}

fn constant(map: Map<String, Value>) -> Option<Constant> {
    Constant::from_json(Value::Object(map)).ok()
}
