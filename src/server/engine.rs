//! Running operations: the one place where the schema is executed, whatever the transport.
//!
//! Always holds: every execution is driven by its own loaders, has a caller and a request id, ends by
//! the deadline, and every error of its answer carries a code and the request id.

use std::sync::Arc;
use std::time::Instant;

use async_graphql::futures_util::stream::BoxStream;
use async_graphql::parser::types::OperationType;
use async_graphql::{Data, ErrorExtensionValues, Executor, Request, Response, ServerError};
use futures_util::StreamExt as _;
use metrics::{counter, gauge, histogram};
use tokio_util::sync::CancellationToken;

use crate::core::error::Error;
use crate::core::id::Id;
use crate::core::loader::Loaders;
use crate::core::metric;
use crate::core::read::Caller;
use crate::core::write::RequestId;
use crate::server::App;
use crate::server::auth::Presented;

/// Runs operations.
#[derive(Clone)]
pub struct Engine {
    pub(crate) app: Arc<App>,
    /// Ends every stream when the server stops.
    pub(crate) stop: CancellationToken,
}

/// What a socket knows of its client.
pub(crate) struct Session(pub(crate) Presented);

impl Engine {
    pub(crate) fn new(app: App, stop: CancellationToken) -> Self {
        Self { app: Arc::new(app), stop }
    }

    /// Runs one query or mutation.
    pub(crate) async fn run(&self, mut request: Request, presented: &Presented, id: RequestId) -> Response {
        let started = Instant::now();
        let kind = match operation_type(&mut request) {
            Ok(kind) => kind,
            Err(response) => return finish(*response, &id),
        };
        let response = match presented.caller(&self.app.db).await {
            Ok(caller) => self.execute_for(request, caller, &id).await,
            Err(error) => refuse(error),
        };
        let response = finish(response, &id);
        let outcome = outcome(&response);
        counter!(metric::REQUESTS, "type" => kind, "outcome" => outcome).increment(1);
        histogram!(metric::REQUEST_SECONDS, "type" => kind).record(started.elapsed().as_secs_f64());
        response
    }

    async fn execute_for(&self, request: Request, caller: Caller, id: &RequestId) -> Response {
        let loaders = Loaders::default();
        let request = self.furnish(request, caller, &loaders, id);
        let deadline = self.app.settings.request_timeout;
        match tokio::time::timeout(deadline, loaders.drive(self.app.graph.execute(request))).await {
            Ok(response) => response,
            Err(_elapsed) => {
                refuse(Error::timeout(format!("The request took longer than {} s; narrow it or try again.", deadline.as_secs())))
            }
        }
    }

    fn furnish(&self, request: Request, caller: Caller, loaders: &Loaders, id: &RequestId) -> Request {
        let app = &self.app;
        let request = request.data(caller).data(loaders.clone()).data(id.clone()).data(app.db.clone()).data(app.token_key.clone());
        let request = request.data(app.token_lifetime).data(app.keys.clone()).data(app.hub.clone()).data(app.workers);
        if app.settings.introspection { request } else { request.disable_introspection() }
    }
}

impl Executor for Engine {
    async fn execute(&self, request: Request) -> Response {
        self.run(request, &Presented::Nothing, new_request_id()).await
    }

    fn execute_stream(&self, mut request: Request, session: Option<Arc<Data>>) -> BoxStream<'static, Response> {
        let engine = self.clone();
        let id = new_request_id();
        let kind = match operation_type(&mut request) {
            Ok(kind) => kind,
            Err(response) => return futures_util::stream::iter([finish(*response, &id)]).boxed(),
        };
        let presented = session
            .as_ref()
            .and_then(|data| data.get(&std::any::TypeId::of::<Session>()))
            .and_then(|session| session.downcast_ref::<Session>())
            .map_or(Presented::Nothing, |session| session.0.clone());
        let stop = self.stop.clone();
        let answers = futures_util::stream::once(async move {
            if kind != "subscription" {
                let response = engine.run(request, &presented, id).await;
                return futures_util::stream::iter([response]).boxed();
            }
            match presented.caller(&engine.app.db).await {
                Ok(caller) => {
                    let loaders = Loaders::default();
                    let request = engine.furnish(request, caller, &loaders, &id);
                    let counted = Counted::new();
                    let events = loaders.drive_stream(engine.app.graph.execute_stream(request));
                    events
                        .map(move |response| {
                            let _subscription = &counted;
                            finish(response, &id)
                        })
                        .boxed()
                }
                Err(error) => futures_util::stream::iter([finish(refuse(error), &id)]).boxed(),
            }
        });
        answers.flatten().take_until(stop.cancelled_owned()).boxed()
    }
}

/// Counts a subscription for as long as it lives.
struct Counted;

impl Counted {
    fn new() -> Self {
        gauge!(metric::SUBSCRIPTIONS).increment(1);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        gauge!(metric::SUBSCRIPTIONS).decrement(1);
    }
}

/// A fresh id for a request that brought none.
pub(crate) fn new_request_id() -> RequestId {
    RequestId(Id::<RequestId>::random().to_string())
}

/// What the document's operation is; a document that does not parse is answered at once.
fn operation_type(request: &mut Request) -> Result<&'static str, Box<Response>> {
    let name = request.operation_name.clone();
    match request.parsed_query() {
        Ok(document) => {
            let mut operations = document.operations.iter();
            let operation = operations.find(|(known, _)| name.is_none() || known.map(async_graphql::Name::as_str) == name.as_deref());
            Ok(match operation.map(|(_, operation)| operation.node.ty) {
                Some(OperationType::Mutation) => "mutation",
                Some(OperationType::Subscription) => "subscription",
                Some(OperationType::Query) | None => "query",
            })
        }
        Err(error) => {
            let mut error = error.clone();
            set_code(&mut error, "GRAPHQL_PARSE_FAILED");
            Err(Box::new(Response::from_errors(vec![error])))
        }
    }
}

fn refuse(error: Error) -> Response {
    Response::from_errors(vec![async_graphql::Error::from(error).into_server_error(async_graphql::Pos::default())])
}

fn set_code(error: &mut ServerError, code: &'static str) {
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    if extensions.get("code").is_none() {
        extensions.set("code", code);
    }
}

/// Gives every error a code and the request id.
fn finish(mut response: Response, id: &RequestId) -> Response {
    for error in &mut response.errors {
        // The library's own refusals: of the document as a whole, or of an argument in one place of it.
        set_code(error, if error.path.is_empty() { "GRAPHQL_VALIDATION_FAILED" } else { "VALIDATION" });
        error.extensions.get_or_insert_with(ErrorExtensionValues::default).set("requestId", id.0.as_str());
    }
    response
}

fn outcome(response: &Response) -> String {
    let code = response.errors.first().and_then(|error| error.extensions.as_ref()).and_then(|extensions| extensions.get("code"));
    match code {
        Some(async_graphql::Value::String(code)) => code.clone(),
        _ => "ok".to_owned(),
    }
}
