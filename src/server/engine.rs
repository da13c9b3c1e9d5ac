//! Running operations: the one place where the schema is executed, whatever the transport.
//!
//! Always holds: every execution is driven by its own loaders, has a caller and a request id, ends by
//! the deadline when it is no subscription, and a panic in it is an answer. A token that came and is
//! not valid refuses the whole operation. Not here: how requests come and answers go.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use async_graphql::Request;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use async_graphql::registry::Registry;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt as _, StreamExt as _};
use metrics::{counter, histogram};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::core::db::Db;
use crate::core::error::{Code, Error};
use crate::core::id::Id;
use crate::core::live::Said;
use crate::core::loader::Loaders;
use crate::core::metric;
use crate::core::read::{Asking, Caller};
use crate::core::work::Keyed;
use crate::core::write::RequestId;
use crate::graph::OidcOffered;
use crate::server::answer::Answer;
use crate::server::auth::Presented;
use crate::server::counts::Counts;
use crate::server::keyed::{Claim, Claimed};
use crate::server::limits::Asked;
use crate::server::sessions::Sessions;
use crate::server::shared::Groups;
use crate::server::{App, limits, shared};

/// Runs operations.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) app: Arc<App>,
    /// What there is to ask for.
    registry: Arc<Registry>,
    /// The server is to stop.
    pub(crate) stop: CancellationToken,
    /// Who is connected for longer than a request.
    pub(crate) sessions: Sessions,
    /// The subscriptions under way.
    pub(crate) groups: Groups,
    /// What is open.
    pub(crate) counts: Counts,
    /// Waited for at the end: sockets outlive the connections they came from.
    pub(crate) open: TaskTracker,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Query,
    Mutation,
    Subscription,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
            Self::Subscription => "subscription",
        }
    }
}

/// An operation whose document parses.
pub(crate) struct Operation {
    request: Request,
    kind: Kind,
    id: RequestId,
}

impl Operation {
    /// Parses the document and holds it against the limits; the answer says for what it is refused.
    pub(crate) fn read(engine: &Engine, mut request: Request, id: RequestId) -> Result<Self, Box<Answer>> {
        match engine.check(&mut request, &id) {
            Ok(kind) => Ok(Self { request, kind, id }),
            Err(answer) => {
                count("unread", &answer);
                Err(answer)
            }
        }
    }

    /// What it does.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }
}

impl Engine {
    pub(crate) fn new(app: App, stop: CancellationToken) -> Self {
        Self {
            app: Arc::new(app),
            registry: Arc::new(limits::registry()),
            stop,
            sessions: Sessions::default(),
            groups: Groups::default(),
            counts: Counts::default(),
            open: TaskTracker::new(),
        }
    }

    /// What the operation of a request does, if it may be carried out.
    fn check(&self, request: &mut Request, id: &RequestId) -> Result<Kind, Box<Answer>> {
        limits::check_text(&request.query).map_err(|error| Answer::refusal(error, id))?;
        let (name, variables) = (request.operation_name.clone(), std::mem::take(&mut request.variables));
        let document = request.parsed_query().map_err(|error| Answer::unreadable(without_excerpt(error), id))?;
        let operation = meant(document, name.as_deref());
        let kind = match operation.map(|operation| operation.ty) {
            Some(OperationType::Mutation) => Kind::Mutation,
            Some(OperationType::Subscription) => Kind::Subscription,
            Some(OperationType::Query) | None => Kind::Query,
        };
        let asked = Asked { document, operation, variables: &variables };
        self.app.settings.limits.check(&self.registry, &asked).map_err(|errors| Answer::refusals(errors, id))?;
        request.variables = variables;
        Ok(kind)
    }

    /// Runs a query or mutation.
    pub(crate) async fn run(&self, operation: Operation, presented: &Presented) -> Answer {
        let started = Instant::now();
        let kind = operation.kind.as_str();
        let answer = self.answer(operation, presented).await;
        count(kind, &answer);
        histogram!(metric::REQUEST_SECONDS, "type" => kind).record(started.elapsed().as_secs_f64());
        answer
    }

    async fn answer(&self, operation: Operation, presented: &Presented) -> Answer {
        let Operation { mut request, id, .. } = operation;
        let deadline = self.app.settings.request_timeout;
        let executed = tokio::time::timeout(deadline, async {
            let caller = self.caller(presented).await?;
            match Claim::of(&mut request, caller.viewer())? {
                None => Ok(self.execute(request, caller, &self.app.db, &id).await),
                Some(claim) => self.execute_once(request, caller, claim, &id).await,
            }
        });
        match executed.await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => Answer::refusal(error, &id),
            Err(_elapsed) => {
                let seconds = deadline.as_secs();
                Answer::refusal(Error::timeout(format!("The request took longer than {seconds} s; narrow it or try again.")), &id)
            }
        }
    }

    async fn execute(&self, request: Request, caller: Caller, db: &Db, id: &RequestId) -> Answer {
        let loaders = Loaders::default();
        let request = self.furnish(request, caller, db, &loaders, id);
        // Boxed: the future of an execution is large.
        match Box::pin(AssertUnwindSafe(loaders.drive(self.app.graph.execute(request))).catch_unwind()).await {
            Ok(response) => Answer::of(response, id),
            Err(_panic) => Answer::refusal(panicked(), id),
        }
    }

    /// Carries a mutation out, or gives the answer that it was given before.
    async fn execute_once(&self, request: Request, caller: Caller, claim: Claim, id: &RequestId) -> Result<Answer, Error> {
        let transaction = match claim.claim(&self.app.db).await? {
            Claimed::Done(text) => return Ok(Answer::kept(text)),
            Claimed::Ours(transaction) => transaction,
        };
        let keyed = Keyed::new(transaction);
        let answer = self.execute(request, caller, &self.app.db.keyed(&keyed), id).await;
        let answer = claim.keep(keyed, self.app.hub.viewers(), answer).await;
        self.app.hub.viewers().forget();
        answer
    }

    /// Starts a subscription; its answers end when it does. A query or mutation gives its one answer.
    pub(crate) async fn stream(&self, operation: Operation, presented: &Presented) -> BoxStream<'static, Arc<Said>> {
        let one = |answer: &Answer, id: &RequestId| stream::iter([Arc::new(answer.said(id))]).boxed();
        if operation.kind != Kind::Subscription {
            let id = operation.id.clone();
            return one(&self.run(operation, presented).await, &id);
        }
        let Operation { mut request, id, .. } = operation;
        if let Err(error) = self.caller(presented).await.and_then(|caller| Claim::of(&mut request, caller.viewer()).map(drop)) {
            return one(&Answer::refusal(error, &id), &id);
        }
        shared::watch(self.clone(), &request, presented.clone(), id).boxed()
    }

    /// Who asks; a token that came and is not valid is an error.
    pub(crate) async fn caller(&self, presented: &Presented) -> Result<Caller, Error> {
        presented.caller(&self.app.db, self.app.hub.viewers()).await
    }

    /// The request with all that resolvers ask for.
    pub(crate) fn furnish(&self, request: Request, caller: Caller, db: &Db, loaders: &Loaders, id: &RequestId) -> Request {
        let app = &self.app;
        let request = request.data(Asking::new(caller)).data(loaders.clone()).data(id.clone()).data(db.clone()).data(app.token_key.clone());
        let request = request
            .data(app.token_lifetime)
            .data(app.sign_in)
            .data(app.keys.clone())
            .data(app.hub.clone())
            .data(app.hub.viewers().clone())
            .data(app.license)
            .data(OidcOffered(app.oidc.is_some()))
            .data(app.workers)
            .data(app.steps)
            .data(app.prober.clone());
        if app.settings.introspection { request } else { request.disable_introspection() }
    }
}

/// The operation that is meant: the one of this name, or the only one.
pub(crate) fn meant<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a OperationDefinition> {
    let mut operations = document.operations.iter();
    let operation = match name {
        Some(name) => operations.find(|(known, _)| known.is_some_and(|known| known == name)),
        None => operations.next().filter(|_| document.operations.iter().len() == 1),
    };
    operation.map(|(_, operation)| &operation.node)
}

/// The parser quotes the line that it stumbled over, which may hold a password; the place says enough.
fn without_excerpt(mut error: async_graphql::ServerError) -> async_graphql::ServerError {
    if let Some(expected) = error.message.lines().filter_map(|line| line.trim().strip_prefix("= ")).next_back() {
        error.message = format!("The document does not parse: {expected}.");
    }
    error
}

/// A fresh id for a request that brought none.
pub(crate) fn new_request_id() -> RequestId {
    RequestId(Id::<RequestId>::random().to_string())
}

pub(crate) fn panicked() -> Error {
    Error::internal(std::io::Error::other("a resolver has panicked"))
}

fn count(kind: &'static str, answer: &Answer) {
    counter!(metric::REQUESTS, "type" => kind, "outcome" => answer.code().map_or("ok", Code::as_str)).increment(1);
}
