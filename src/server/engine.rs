//! Running operations: the one place where the schema is executed, whatever the transport.
//!
//! Always holds: every execution is driven by its own loaders, has a caller and a request id, ends by
//! the deadline when it is no subscription, and a panic in it is an answer. A token that came and is
//! not valid refuses the whole operation. Not here: how requests come and answers go.

use std::borrow::Cow;
use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use async_graphql::registry::Registry;
use async_graphql::{Name, Request};
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt as _, StreamExt as _};
use opentelemetry::trace::SpanContext;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::core::db::Db;
use crate::core::error::Error;
use crate::core::id::Id;
use crate::core::live::EncodedResponse;
use crate::core::loader::Loaders;
use crate::core::read::{Caller, CurrentCaller};
use crate::core::request::{self, RequestId};
use crate::core::viewer::Verified;
use crate::core::work::SharedTransaction;
use crate::graph::{self, Graph, OidcOffered};
use crate::server::account::{Account, Told};
use crate::server::answer::Answer;
use crate::server::auth::{ClientIdentity, PresentedToken};
use crate::server::counts::Counts;
use crate::server::documents::Documents;
use crate::server::keyed::{Claim, Claimed};
use crate::server::limits::ParsedOperation;
use crate::server::parsed::Parsed;
use crate::server::rate::Rates;
use crate::server::rules::Rules;
use crate::server::sessions::Sessions;
use crate::server::shared::Groups;
use crate::server::{App, Introspection, limits, shared, tokens, trace, variables};

/// Runs operations.
#[derive(Clone)]
pub(crate) struct Engine(Arc<Parts>);

/// What all requests of a server have in common.
pub(crate) struct Parts {
    pub(crate) app: App,
    /// What there is to ask for.
    registry: Registry,
    /// The schema. It validates nothing: the rules do.
    pub(crate) graph: Graph,
    /// What makes a document valid.
    rules: Rules,
    /// The server is to stop.
    pub(crate) stop: CancellationToken,
    /// Who is connected for longer than a request.
    pub(crate) sessions: Sessions,
    /// The subscriptions under way.
    pub(crate) groups: Groups,
    /// How much there is of what lasts.
    pub(crate) counts: Counts,
    /// What was done.
    pub(crate) account: Account,
    /// How often one may ask.
    pub(crate) rates: Rates,
    /// The documents that are known by their hash.
    documents: Documents,
    /// Those that were parsed a moment ago.
    parsed: Parsed,
    /// Waited for at the end: sockets outlive the connections they came from.
    pub(crate) open: TaskTracker,
}

impl Deref for Engine {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
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

/// An operation whose document is valid.
pub(crate) struct Operation {
    request: Request,
    kind: Kind,
    id: RequestId,
    told: Told,
    /// The client's own span.
    parent: Option<SpanContext>,
}

impl Operation {
    /// Parses the document and holds it against the limits and the rules; the answer says for what it is refused.
    pub(crate) fn read(engine: &Engine, mut request: Request, asker: &ClientIdentity, id: RequestId) -> Result<Self, Box<Answer>> {
        let viewer = asker.presented.token().map(Verified::holder);
        let (kind, told) = match engine.check(&mut request, asker, &id) {
            Ok((kind, name)) => (kind, Told { id: id.clone(), kind: kind.as_str(), name, viewer }),
            Err(answer) => {
                engine.account.close(&Told { id, kind: "unread", name: None, viewer }, (&*answer).into(), None);
                return Err(answer);
            }
        };
        if let Some(client) = asker.client {
            request = request.data(client);
        }
        Ok(Self { request, kind, id, told, parent: None })
    }

    /// As a part of the client's own trace.
    pub(crate) fn within(self, parent: Option<SpanContext>) -> Self {
        Self { parent, ..self }
    }

    /// What it does.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }
}

impl Engine {
    pub(crate) fn new(app: App, stop: CancellationToken) -> Self {
        let settings = &app.settings;
        let graph = schema(&app);
        Self(Arc::new(Parts {
            rules: Rules::of(&graph),
            graph,
            account: Account::new(settings.log_requests),
            rates: Rates::new(settings.rates),
            documents: Documents::new(settings.trusted_documents.clone(), settings.document_memory),
            parsed: Parsed::default(),
            sessions: Sessions::new(settings.connections_per_token.unwrap_or(usize::MAX)),
            registry: limits::registry(),
            stop,
            groups: Groups::default(),
            counts: Counts::default(),
            open: TaskTracker::new(),
            app,
        }))
    }

    /// What the operation of a request does and what it is called, if it may be carried out.
    fn check(&self, request: &mut Request, asker: &ClientIdentity, id: &RequestId) -> Result<(Kind, Option<String>), Box<Answer>> {
        let limits = &self.app.settings.limits;
        let known = self.rates.take(asker).and_then(|()| self.documents.find(request));
        let candidate = known
            .and_then(|candidate| limits.check_size(&request.query, &request.variables).map(|()| candidate))
            .map_err(|error| Answer::refusal(error, id))?;
        if let Cow::Owned(plain) = tokens::unescaped(&request.query) {
            request.query = plain;
        }
        let known = self.parsed.get(&request.query);
        let document = match &known {
            Some(known) => ExecutableDocument::clone(known),
            None => parse_query(&request.query).map_err(|error| Answer::unreadable(without_excerpt(error.into()), id))?,
        };
        let found = named(&document, request.operation_name.as_deref());
        let operation = found.map(|(_, operation)| operation);
        let kind = match operation.map(|operation| operation.ty) {
            Some(OperationType::Mutation) => Kind::Mutation,
            Some(OperationType::Subscription) => Kind::Subscription,
            Some(OperationType::Query) | None => Kind::Query,
        };
        variables::put_defaults(operation, &mut request.variables);
        let asked = ParsedOperation { document: &document, operation, variables: &request.variables, discloses: self.discloses(asker) };
        limits.check(&self.registry, &asked).map_err(|error| Answer::refusal(error, id))?;
        if known.is_none() {
            self.rules.check(&request.query, asked.discloses).map_err(|errors| Answer::invalid(errors, id))?;
            self.parsed.keep(&request.query, &document);
        }
        variables::check(&self.registry, &asked).map_err(|errors| Answer::refusals(errors, id))?;
        let name = found.and_then(|(name, _)| name).map(ToString::to_string);
        request.set_parsed_query(document);
        self.documents.keep(candidate, &request.query, asker.presented.token().is_some());
        Ok((kind, name))
    }

    /// Whether the schema is told to whoever asks.
    pub(crate) fn discloses(&self, asker: &ClientIdentity) -> bool {
        match self.app.settings.introspection {
            Introspection::Everybody => true,
            Introspection::SignedIn => asker.presented.token().is_some(),
            Introspection::Nobody => false,
        }
    }

    /// Runs a query or mutation.
    pub(crate) async fn run(&self, operation: Operation, presented: &PresentedToken) -> Answer {
        let started = Instant::now();
        let told = operation.told.clone();
        let span = trace::operation(&told, operation.parent.as_ref());
        let answer = request::within(told.id.clone(), self.answer(operation, presented)).instrument(span.clone()).await;
        trace::close(&span, &answer);
        self.account.close(&told, (&answer).into(), Some(started.elapsed()));
        answer
    }

    async fn answer(&self, operation: Operation, presented: &PresentedToken) -> Answer {
        let Operation { mut request, kind, id, .. } = operation;
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
                let details = serde_json::json!({"guard": "REQUEST_TIMEOUT", "limitSeconds": seconds});
                let advice = match kind {
                    Kind::Mutation => {
                        "whether it was carried out is not known: look before you send it again, or send it with an idempotency key"
                    }
                    Kind::Query | Kind::Subscription => "narrow it or try again",
                };
                let message = format!("The request took longer than {seconds} s; {advice}.");
                Answer::refusal(Error::timeout(message).details(details), &id)
            }
        }
    }

    async fn execute(&self, request: Request, caller: Caller, db: &Db, id: &RequestId) -> Answer {
        let loaders = Loaders::default();
        let request = self.with_request_data(request, caller, db, &loaders, id);
        // Boxed: the future of an execution is large.
        let executed = Box::pin(AssertUnwindSafe(loaders.drive(self.graph.execute(request))).catch_unwind()).await;
        executed.map_or_else(|_panic| Answer::refusal(panicked(), id), |response| Answer::of(response, id))
    }

    /// Carries a mutation out, or gives the answer that it was given before.
    async fn execute_once(&self, request: Request, caller: Caller, claim: Claim, id: &RequestId) -> Result<Answer, Error> {
        let _turn = self.app.db.turn(claim.holder()).await;
        let transaction = match claim.claim(&self.app.db).await? {
            Claimed::Done(text) => return Ok(Answer::kept(text)),
            Claimed::Ours(transaction) => transaction,
        };
        let keyed = SharedTransaction::new(transaction);
        let answer = self.execute(request, caller, &self.app.db.keyed(&keyed), id).await;
        let answer = claim.keep(keyed, self.app.hub.viewers(), answer).await;
        self.app.hub.viewers().forget();
        answer
    }

    /// Starts a subscription; its answers end when it does. A query or mutation gives its one answer.
    pub(crate) async fn stream(&self, operation: Operation, presented: &PresentedToken) -> BoxStream<'static, Arc<EncodedResponse>> {
        let one = |answer: &Answer, id: &RequestId| stream::iter([Arc::new(answer.said(id))]).boxed();
        if operation.kind != Kind::Subscription {
            let id = operation.id.clone();
            return one(&self.run(operation, presented).await, &id);
        }
        let Operation { mut request, id, told, .. } = operation;
        if let Err(error) = self.caller(presented).await.and_then(|caller| Claim::of(&mut request, caller.viewer()).map(drop)) {
            let refusal = Answer::refusal(error, &id);
            self.account.close(&told, (&refusal).into(), None);
            return one(&refusal, &id);
        }
        let (account, mut told) = (self.account.clone(), Some(told));
        let answers = shared::watch(self.clone(), shared::Asked::of(&request), presented.clone(), id);
        answers
            .inspect(move |said| {
                if let Some(told) = told.take() {
                    account.close(&told, (&**said).into(), None);
                }
            })
            .boxed()
    }

    /// Who sends a request, and from where.
    pub(crate) fn asker(&self, request: &axum::extract::Request) -> ClientIdentity {
        ClientIdentity::of(&self.app.token_key, &self.app.settings, request.headers(), request.extensions())
    }

    /// Who asks; a token that came and is not valid is an error.
    pub(crate) async fn caller(&self, presented: &PresentedToken) -> Result<Caller, Error> {
        presented.caller(&self.app.db, self.app.hub.viewers()).await
    }

    /// The request with what resolvers ask for that is its own; [`schema`] has the rest.
    pub(crate) fn with_request_data(&self, request: Request, caller: Caller, db: &Db, loaders: &Loaders, id: &RequestId) -> Request {
        let request = request.data(CurrentCaller::new(caller)).data(loaders.clone()).data(id.clone()).data(db.clone());
        if self.app.settings.introspection == Introspection::Nobody { request.disable_introspection() } else { request }
    }
}

/// The schema with what resolvers ask for that is the same for all requests.
fn schema(app: &App) -> Graph {
    limits::bound(graph::builder())
        .data(app.token_key.clone())
        .data(app.token_lifetime)
        .data(app.sign_in)
        .data(app.keys.clone())
        .data(app.hub.clone())
        .data(app.hub.viewers().clone())
        .data(app.license)
        .data(OidcOffered(app.oidc.is_some()))
        .data(app.workers)
        .data(app.steps)
        .data(app.prober.clone())
        .finish()
}

/// The operation that is meant: the one of this name, or the only one.
pub(crate) fn meant<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a OperationDefinition> {
    named(document, name).map(|(_, operation)| operation)
}

/// The same with its name.
fn named<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<(Option<&'a Name>, &'a OperationDefinition)> {
    let mut operations = document.operations.iter();
    let operation = match name {
        Some(name) => operations.find(|(known, _)| known.is_some_and(|known| known == name)),
        None => operations.next().filter(|_| document.operations.iter().len() == 1),
    };
    operation.map(|(name, operation)| (name, &operation.node))
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
