//! `requestReceived`: requests that await the viewer's decision, i.e. invitations to them, and requests to join what they
//! administer.
//!
//! Always holds: only users who decide a request receive it here, not its author. Not here: deciding (`decision.rs`).

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, ID, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::access::group::Group;
use crate::access::{Env, EnvRequest, RequestStatus, Team, TeamRequest};
use crate::core::db::{Db, rows_on};
use crate::core::entity::{Entity, columns, select_list};
use crate::core::error::Result;
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, SeenObjects, SeenVersion, Snapshot, Source, Topic, follow,
};
use crate::core::read::Read;
use crate::core::scope::{self, Scope};
use crate::core::sql::Sql;
use crate::core::viewer::{Owner, Right, Viewer};

const TOPIC: Topic = "request";

/// Reads the requests that changed.
pub struct RequestFeed;

/// A request of either kind.
#[derive(Clone)]
enum Request {
    Env(EnvRequest),
    Team(TeamRequest),
}

impl Request {
    fn id(&self) -> Uuid {
        match self {
            Self::Env(request) => request.id.uuid(),
            Self::Team(request) => request.id.uuid(),
        }
    }

    fn is_pending(&self) -> bool {
        let status = match self {
            Self::Env(request) => request.status,
            Self::Team(request) => request.status,
        };
        status == RequestStatus::Pending
    }

    /// Whether the viewer decides the request, given the envs and teams that they administer.
    fn is_for(&self, viewer: &Viewer, owners: &[Owner]) -> bool {
        let (from, to) = match self {
            Self::Env(request) => (request.from_user_id, request.to_user_id),
            Self::Team(request) => (request.from_user_id, request.to_user_id),
        };
        if from == to { viewer.holds(Right::Administer, owners) } else { viewer.user_id() == Some(to.uuid()) }
    }
}

impl Feed for RequestFeed {
    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn tables(&self) -> &'static [&'static str] {
        &[EnvRequest::TABLE, TeamRequest::TABLE]
    }

    fn read<'a>(&'a self, db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        Box::pin(async move {
            let ids = |table: &str| changes.iter().filter(|change| change.table == table).map(|change| change.id).collect();
            let mut requests: HashMap<Uuid, Request> = HashMap::new();
            requests.extend(rows::<EnvRequest>(db, ids(EnvRequest::TABLE)).await?.into_iter().map(|row| (row.key(), Request::Env(row))));
            requests.extend(rows::<TeamRequest>(db, ids(TeamRequest::TABLE)).await?.into_iter().map(|row| (row.key(), Request::Team(row))));
            let event = |change: &Change| {
                if change.operation == Operation::Deleted {
                    return Some(LiveEvent::gone(TOPIC, change));
                }
                let (transactions, owners) = (vec![change.transaction], change.owners.clone());
                let said = EventPayload::Body(Arc::new(requests.get(&change.id)?.clone()));
                Some(LiveEvent { topic: TOPIC, about: change.id, transactions, owners, said })
            };
            Ok(changes.iter().filter_map(event).collect())
        })
    }
}

async fn rows<E: Entity>(db: &Db, ids: Vec<Uuid>) -> Result<Vec<E>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = Sql::new(&format!("select {} from {} t where t.id = any(", columns::<E>(), E::TABLE)).value(ids).text(")");
    Ok(db.rows(sql).await?.iter().map(|row| E::from_row(row, 0)).collect::<sqlx::Result<_>>()?)
}

/// A request that you decide: sent first in its present state, then after each change.
#[derive(SimpleObject, Clone)]
pub struct RequestReceived {
    /// Whether this is the present state, which is sent first, and again whenever changes may have been missed.
    pub initial: bool,
    /// Whether the request was deleted, or is no longer yours to decide. It was sent earlier as pending.
    pub removed: bool,
    /// The request's id.
    pub request_id: ID,
    /// An invitation of yours to an env, or a request to join one that you administer. Null when this event is about a team
    /// or is a removal. Sent once more after the decision, with the new `status`.
    pub env_request: Option<EnvRequest>,
    /// An invitation of yours to a team, or a request to join one that you administer. Null when this event is about an env
    /// or is a removal. Sent once more after the decision, with the new `status`.
    pub team_request: Option<TeamRequest>,
}

impl RequestReceived {
    fn new(initial: bool, request: Request) -> Self {
        let shown = Self { initial, removed: false, ..Self::removal(request.id()) };
        match request {
            Request::Env(request) => Self { env_request: Some(request), ..shown },
            Request::Team(request) => Self { team_request: Some(request), ..shown },
        }
    }

    fn removal(id: Uuid) -> Self {
        Self { initial: false, removed: true, request_id: ID(id.to_string()), env_request: None, team_request: None }
    }
}

/// Who administers what is to be joined.
const OF_ENV: Scope = Scope::EnvOfficers("env_id");
const OF_TEAM: Scope = Scope::Through { column: "team_id", table: Team::TABLE, scope: &Scope::Owned { team: "id", env: "env_id" } };

struct Following {
    viewer: Viewer,
}

/// The pending requests of a kind that the viewer decides.
fn pending<G: Group>(viewer: &Viewer, administered: &Scope) -> Sql {
    let mut sql = Sql::new("select ");
    select_list::<G::Request>(&mut sql, viewer);
    sql.push(&format!(" from {} t where t.status = 'PENDING' and case when t.from_user_id = t.to_user_id then ", G::Request::TABLE));
    scope::predicate(&mut sql, viewer, administered, Right::Administer, "t");
    sql.with(" else coalesce(t.to_user_id = ", viewer.user_id()).text(", false) end order by t.created_at, t.id")
}

impl Source for Following {
    type Item = RequestReceived;
    const TOPIC: Topic = TOPIC;

    async fn present(&mut self, db: &Db, viewer: &Viewer, _told: &SeenObjects) -> Result<Present<RequestReceived>> {
        let mut reading = db.begin_reading().await?;
        let snapshot = Snapshot::of_rows(&rows_on(&mut reading, Sql::new("select pg_current_snapshot()::text")).await?)?;
        let mut requests = Vec::new();
        for row in rows_on(&mut reading, pending::<Env>(viewer, &OF_ENV)).await? {
            requests.push(Request::Env(EnvRequest::from_row(&row, 0)?));
        }
        for row in rows_on(&mut reading, pending::<Team>(viewer, &OF_TEAM)).await? {
            requests.push(Request::Team(TeamRequest::from_row(&row, 0)?));
        }
        let told = requests.iter().map(|request| (request.id(), SeenVersion::default())).collect();
        let items = requests.into_iter().map(|request| RequestReceived::new(true, request)).collect();
        Ok(Present { snapshot, told, items })
    }

    /// Whose it is to decide is asked of each.
    fn sees(&self, _viewer: &Viewer, _owners: &[Owner]) -> bool {
        true
    }

    fn event(&mut self, told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<RequestReceived>> {
        let request: &Request = event.body()?;
        let id = request.id();
        let concerns = request.is_for(&self.viewer, &event.owners) && (request.is_pending() || told.contains_key(&id));
        concerns.then(|| EventUpdate {
            mark: request.is_pending().then(SeenVersion::default),
            ..EventUpdate::of(id, RequestReceived::new(false, request.clone()))
        })
    }

    fn removal(&self, id: Uuid) -> Option<RequestReceived> {
        Some(RequestReceived::removal(id))
    }
}

/// The live field of requests.
#[derive(Default)]
pub struct RequestSubscription;

#[Subscription]
impl RequestSubscription {
    /// What waits for your decision: invitations to you, and requests to join the envs and teams that you administer. First
    /// those that are pending, then each that comes, and once more when it was decided or withdrawn.
    async fn request_received(&self, ctx: &Context<'_>) -> Result<impl Stream<Item = Result<RequestReceived>> + use<>> {
        let viewer = Read::of(ctx)?.viewer().clone();
        follow(ctx, Following { viewer })
    }
}
