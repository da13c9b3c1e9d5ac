//! `entityChanged`: what was created, updated and deleted, of every entity: what a client's cache needs to stay true.
//!
//! Always holds: a row is told of only after it was read under the rights of who is told; one that is gone or out of
//! sight only to those who could see it, which is known because an execution remembers which rows it sees, and as of
//! which of their versions. So after missed notices or a change of rights it finds by itself what differs. Not here: any
//! entity; a new one comes with its description.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use async_graphql::{Context, Enum, ID, InputObject, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::access::{Env, Team, User};
use crate::core::db::{Db, rows_on};
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::live::{
    Change, EventPayload, EventUpdate, Feed, LiveEvent, Operation, Present, ResumeState, SeenObjects, SeenVersion, Snapshot, Source, Topic,
    follow, narrow,
};
use crate::core::sql::Sql;
use crate::core::viewer::{Owner, Viewer};
use crate::graph::entity_type::EntityType;
use crate::graph::node::{Node, RowQuery};

const TOPIC: Topic = "entity";
/// The most rows that one may follow.
const MOST_ROWS: usize = 200_000;
/// The most rows that are told of one by one after missed notices or a change of rights; beyond them all is to be read anew.
const MOST_TOLD: usize = 10_000;

/// Passes on which rows changed; reading them is up to those who follow, under their rights.
pub struct EntityFeed;

/// A row that changed.
struct EntityEvent {
    kind: EntityType,
    id: Uuid,
    gone: bool,
}

/// The tables that announce their changes, as notices name them.
static TABLES: LazyLock<Vec<&'static str>> = LazyLock::new(|| EntityType::all().map(EntityType::table).collect());

impl Feed for EntityFeed {
    fn topic(&self) -> Option<Topic> {
        Some(TOPIC)
    }

    fn tables(&self) -> &'static [&'static str] {
        &TABLES
    }

    fn read<'a>(&'a self, _db: &'a Db, changes: Vec<Change>) -> BoxFuture<'a, Result<Vec<LiveEvent>>> {
        let publish = |change: &Change, event: EntityEvent| LiveEvent {
            topic: TOPIC,
            about: event.id,
            transactions: vec![change.transaction],
            owners: change.owners.clone(),
            said: EventPayload::Body(Arc::new(event)),
        };
        let mut events = Vec::new();
        for change in &changes {
            let Some(kind) = EntityType::of_table(&change.table) else { continue };
            events.push(publish(change, EntityEvent { kind, id: change.id, gone: change.operation == Operation::Deleted }));
            // Whoever comes into a team or env, or leaves one, is seen by others from then on.
            if let Some((user, kind)) = change.user.zip(EntityType::of_name(User::NAME)) {
                events.push(publish(change, EntityEvent { kind, id: user, gone: false }));
            }
        }
        Box::pin(async { Ok(events) })
    }
}

/// What happened to a row, as you see it.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityOperation {
    /// It was made, or came into your sight.
    Created,
    /// It was changed.
    Updated,
    /// It is gone, or out of your sight.
    Deleted,
}

/// Which rows to follow; all given conditions hold together.
#[derive(InputObject, Clone, Default)]
pub struct EntityChangedFilter {
    /// Only rows with one of these ids, at most 500.
    pub ids: Option<Vec<Id<Node>>>,
    /// Only rows that a member of this team sees by that alone.
    pub team_id: Option<Id<Team>>,
    /// Only rows that a reader of this env sees by that alone.
    pub env_id: Option<Id<Env>>,
}

/// A change of a row, or the word that all is to be read anew.
#[derive(SimpleObject, Clone)]
pub struct EntityChanged {
    /// From here on every change is told; what was read before may be out of date, so read it now. Comes first, and again when
    /// so much may have changed that it is not told one by one. All other fields are null then.
    pub initial: bool,
    /// What happened.
    pub operation: Option<EntityOperation>,
    /// The type of the row.
    #[graphql(name = "type")]
    pub kind: Option<EntityType>,
    /// The id of the row. A client that keeps everything by `id` alone, as Relay does, asks for it under another name (`rowId: id`): it
    /// is not that of this event.
    pub id: Option<ID>,
    /// The row as it is now; null when it is deleted.
    pub node: Option<Node>,
}

impl EntityChanged {
    const ANEW: Self = Self { initial: true, operation: None, kind: None, id: None, node: None };

    fn new(operation: EntityOperation, kind: EntityType, id: Uuid, node: Option<Node>) -> Self {
        Self { initial: false, operation: Some(operation), kind: Some(kind), id: Some(ID(id.to_string())), node }
    }
}

struct Following {
    types: Vec<EntityType>,
    ids: Option<Vec<Uuid>>,
    /// Who sees what is asked for by their team and env alone.
    narrowed_to: Vec<Viewer>,
    /// The rows of the events at hand.
    found: HashMap<(EntityType, Uuid), (i64, Node)>,
}

/// That a row, remembered by this mark, is gone or out of sight.
fn removed(id: Uuid, SeenVersion(place, _): SeenVersion) -> Option<EntityChanged> {
    Some(EntityChanged::new(EntityOperation::Deleted, EntityType::at(place)?, id, None))
}

impl Following {
    async fn rows(&self, db: &Db, viewer: &Viewer, kind: EntityType, ids: Vec<Uuid>) -> Result<Vec<(Uuid, i64, Node)>> {
        kind.entity().rows(db, RowQuery { viewer, narrowed_to: &self.narrowed_to, ids: Some(&ids) }).await
    }

    /// What there is to tell about these, which are new or other than before.
    async fn tell(
        &self,
        db: &Db,
        viewer: &Viewer,
        before: &SeenObjects,
        differing: HashMap<EntityType, Vec<Uuid>>,
    ) -> Result<Vec<EntityChanged>> {
        let mut items = Vec::new();
        for (kind, ids) in differing {
            for (id, _, node) in self.rows(db, viewer, kind, ids).await? {
                let operation = if before.contains_key(&id) { EntityOperation::Updated } else { EntityOperation::Created };
                items.push(EntityChanged::new(operation, kind, id, Some(node)));
            }
        }
        Ok(items)
    }
}

impl Source for Following {
    type Item = EntityChanged;
    const TOPIC: Topic = TOPIC;

    fn only(&self) -> Option<Vec<Uuid>> {
        self.ids.clone()
    }

    async fn present(&mut self, db: &Db, viewer: &Viewer, _told: &SeenObjects) -> Result<Present<EntityChanged>> {
        let mut reading = db.begin_reading().await?;
        let snapshot = Snapshot::of_rows(&rows_on(&mut reading, Sql::new("select pg_current_snapshot()::text")).await?)?;
        let mut told = SeenObjects::new();
        for kind in &self.types {
            let looked = RowQuery { viewer, narrowed_to: &self.narrowed_to, ids: self.ids.as_deref() };
            let most = MOST_ROWS.saturating_sub(told.len());
            let versions = kind.entity().versions(&mut reading, looked, most + 1).await?;
            if versions.len() > most {
                let message = format!("You see more than {MOST_ROWS} rows of these types; name fewer `types`, a team or an env.");
                return Err(Error::validation(message).field("types"));
            }
            told.extend(versions.into_iter().map(|(id, version)| (id, kind.mark(version))));
        }
        Ok(Present { snapshot, told, items: vec![EntityChanged::ANEW] })
    }

    async fn difference(
        &mut self,
        db: &Db,
        viewer: &Viewer,
        before: &ResumeState,
        now: &Present<EntityChanged>,
    ) -> Result<Vec<EntityChanged>> {
        let ResumeState { told: before, lost } = before;
        let gone = before.iter().filter(|(id, _)| !now.told.contains_key(*id));
        let mut items: Vec<EntityChanged> = gone.filter_map(|(id, mark)| removed(*id, *mark)).collect();
        let mut differing: HashMap<EntityType, Vec<Uuid>> = HashMap::new();
        for (id, mark) in now.told.iter().filter(|(id, mark)| before.get(*id) != Some(*mark)) {
            if let Some(kind) = EntityType::at(mark.0) {
                differing.entry(kind).or_default().push(*id);
            }
        }
        // Of what was left out it is not known what it said.
        if *lost || differing.values().map(Vec::len).sum::<usize>() > MOST_TOLD {
            items.push(EntityChanged::ANEW);
        } else {
            items.extend(self.tell(db, viewer, before, differing).await?);
        }
        Ok(items)
    }

    /// Each row is read under the viewer's rights.
    fn sees(&self, _viewer: &Viewer, _owners: &[Owner]) -> bool {
        true
    }

    async fn prepare(&mut self, db: &Db, viewer: &Viewer, told: &SeenObjects, events: &[&LiveEvent]) -> Result<()> {
        self.found.clear();
        let mut asked: HashMap<EntityType, Vec<Uuid>> = HashMap::new();
        for event in events {
            let Some(EntityEvent { kind, id, gone: false }) = event.body() else { continue };
            let named = self.types.contains(kind) && self.ids.as_ref().is_none_or(|ids| ids.contains(id));
            // Where owners decide who sees a row, those that the notice names, before and after, say whether it is worth asking.
            let may_see = told.contains_key(id) || !kind.entity().is_owned() || viewer.sees(&event.owners);
            if named && may_see {
                asked.entry(*kind).or_default().push(*id);
            }
        }
        for (kind, ids) in asked {
            let rows = self.rows(db, viewer, kind, ids).await?;
            self.found.extend(rows.into_iter().map(|(id, version, node)| ((kind, id), (version, node))));
        }
        Ok(())
    }

    /// A version that no row has: when the present state is next read, the row counts as changed and is told to all.
    fn unsure(SeenVersion(place, _): SeenVersion) -> SeenVersion {
        SeenVersion(place, i64::MIN)
    }

    fn event(&mut self, told: &SeenObjects, event: &LiveEvent) -> Option<EventUpdate<EntityChanged>> {
        let EntityEvent { kind, id, gone } = event.body()?;
        let known = told.get(id).copied();
        let Some((version, node)) = self.found.get(&(*kind, *id)).filter(|_| !gone) else {
            let item = removed(*id, known?)?;
            return Some(EventUpdate { mark: None, removal: true, ..EventUpdate::of(*id, item) });
        };
        let operation = if known.is_some() { EntityOperation::Updated } else { EntityOperation::Created };
        let item = EntityChanged::new(operation, *kind, *id, Some(node.clone()));
        Some(EventUpdate { mark: Some(kind.mark(*version)), ..EventUpdate::of(*id, item) })
    }
}

/// The live field of all entities.
#[derive(Default)]
pub struct EntitySubscription;

#[Subscription]
impl EntitySubscription {
    /// Which rows were created, updated and deleted, of those that you see. It begins with one event that says `initial`: what
    /// you read after that is kept true by those that follow. Changes of a row that follow each other closely may show the
    /// later row twice. A worker's heartbeat alone is no change.
    async fn entity_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The types of the rows to follow; all when left out.")] types: Option<Vec<EntityType>>,
        #[graphql(desc = "Which of their rows to follow; all that you see when left out.")] filter: Option<EntityChangedFilter>,
    ) -> Result<impl Stream<Item = Result<EntityChanged>> + use<>> {
        let EntityChangedFilter { ids, team_id, env_id } = filter.unwrap_or_default();
        narrow::check_lists(&[ids.as_ref().map(Vec::len)])?;
        let mut types = types.unwrap_or_else(|| EntityType::all().collect());
        types.sort_unstable();
        types.dedup();
        let narrowed_to = [team_id.map(|team| Viewer::of_team(team.uuid())), env_id.map(|env| Viewer::of_env(env.uuid()))];
        let narrowed_to = narrowed_to.into_iter().flatten().collect();
        follow(ctx, Following { types, ids: narrow::uuids(ids.as_deref()), narrowed_to, found: HashMap::new() })
    }
}
