//! `Node`: any row of the graph by its id alone.

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::Field;
use async_graphql::registry::{MetaField, MetaType, MetaTypeId, Registry};
use async_graphql::{ContainerType, Context, ContextSelectionSet, ID, Object, OutputType, Positioned, ServerResult, Value};
use futures_util::future::{BoxFuture, join_all};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::access::{Env, EnvMember, EnvRequest, ServiceAccount, Team, TeamMember, TeamRequest, User};
use crate::core::db::{Db, rows_on};
use crate::core::entity::{Entity, by_id, from_visible, select_list};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Right, Viewer};
use crate::operations::{IdempotencyRecord, LicenseState, SyncRun, SyncRunEnd, SyncTable, UserLog};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription, Worker, WorkerTransition};
use crate::registry::{SchemaDocument, SchemaVersion};
use crate::throughput::{ConsumptionMetric, ConsumptionMetricDaily, ProductionMetric, ProductionMetricDaily};

/// Every entity of the graph, in the order in which a bare id is looked for.
pub const ENTITIES: &[&dyn ErasedEntity] = &[
    &Of::<Env>(PhantomData),
    &Of::<Team>(PhantomData),
    &Of::<User>(PhantomData),
    &Of::<EnvMember>(PhantomData),
    &Of::<TeamMember>(PhantomData),
    &Of::<EnvRequest>(PhantomData),
    &Of::<TeamRequest>(PhantomData),
    &Of::<ServiceAccount>(PhantomData),
    &Of::<Connector>(PhantomData),
    &Of::<Datamodel>(PhantomData),
    &Of::<Pipeline>(PhantomData),
    &Of::<PipelineSubscription>(PhantomData),
    &Of::<Worker>(PhantomData),
    &Of::<WorkerTransition>(PhantomData),
    &Of::<SchemaDocument>(PhantomData),
    &Of::<SchemaVersion>(PhantomData),
    &Of::<ProductionMetric>(PhantomData),
    &Of::<ProductionMetricDaily>(PhantomData),
    &Of::<ConsumptionMetric>(PhantomData),
    &Of::<ConsumptionMetricDaily>(PhantomData),
    &Of::<SyncRun>(PhantomData),
    &Of::<SyncTable>(PhantomData),
    &Of::<SyncRunEnd>(PhantomData),
    &Of::<UserLog>(PhantomData),
    &Of::<LicenseState>(PhantomData),
    &Of::<IdempotencyRecord>(PhantomData),
];

/// The most ids that `nodes` takes.
const MOST_IDS: usize = 200;

/// An entity without its Rust type.
pub trait ErasedEntity: Sync {
    /// Its type in the graph.
    fn name(&self) -> &'static str;
    /// Its table in SQL.
    fn table(&self) -> &'static str;
    /// What it is, for the graph.
    fn description(&self) -> &'static str;
    /// Its changes are announced.
    fn is_announced(&self) -> bool;
    /// Who sees a row is said by the owners that a notice names.
    fn is_owned(&self) -> bool;
    /// Registers its object type.
    fn register(&self, registry: &mut Registry);
    /// Appends the condition that the viewer sees the row `t`.
    fn visible(&self, sql: &mut Sql, viewer: &Viewer);
    /// The row with this id, as the viewer sees it.
    fn load<'a>(&'a self, ctx: &'a Context<'a>, id: Uuid) -> BoxFuture<'a, Result<Option<Node>>>;
    /// The ids of the rows looked for, at most so many, each with the version that it is seen in.
    fn versions<'a>(&'a self, reading: &'a mut PgConnection, looked: RowQuery<'a>, most: usize) -> BoxFuture<'a, Result<Vec<(Uuid, i64)>>>;
    /// The rows looked for, as the viewer sees them, each with its version.
    fn rows<'a>(&'a self, db: &'a Db, looked: RowQuery<'a>) -> BoxFuture<'a, Result<Vec<(Uuid, i64, Node)>>>;
}

/// Which rows are looked for.
#[derive(Clone, Copy)]
pub struct RowQuery<'a> {
    /// Who sees them.
    pub viewer: &'a Viewer,
    /// Who else would have to see them.
    pub narrowed_to: &'a [Viewer],
    /// Their ids, when they are named.
    pub ids: Option<&'a [Uuid]>,
}

impl RowQuery<'_> {
    fn push<E: Entity>(self, sql: &mut Sql) {
        from_visible::<E>(sql, self.viewer);
        for viewer in self.narrowed_to {
            sql.push(" and ");
            scope::predicate(sql, viewer, &E::SCOPE, Right::See, "t");
        }
        if let Some(ids) = self.ids {
            sql.push(" and t.id = any(");
            sql.bind(ids.to_vec());
            sql.push(")");
        }
    }
}

/// Appends a number that differs whenever the viewer may see something else of the row `t` than before.
fn push_version<E: Entity>(sql: &mut Sql, viewer: &Viewer) {
    sql.push("(t.xmin::text::bigint << 1)");
    if let Some(whole) = E::WHOLE {
        sql.push(" | case when ");
        scope::predicate(sql, viewer, &whole, Right::See, "t");
        sql.push(" then 1 else 0 end");
    }
}

/// The entity in this place of the list.
pub(crate) fn entity_at(place: u8) -> &'static dyn ErasedEntity {
    // Whoever asks has the place from the list.
    ENTITIES.get(usize::from(place)).copied().unwrap_or(&Of::<Env>(PhantomData))
}

struct Of<E>(PhantomData<fn() -> E>);

impl<E: Entity> ErasedEntity for Of<E> {
    fn name(&self) -> &'static str {
        E::NAME
    }
    fn table(&self) -> &'static str {
        E::TABLE
    }
    fn description(&self) -> &'static str {
        E::DESCRIPTION
    }
    fn is_announced(&self) -> bool {
        E::ANNOUNCED
    }
    fn is_owned(&self) -> bool {
        E::SCOPE.is_owned()
    }
    fn register(&self, registry: &mut Registry) {
        E::create_type_info(registry);
    }
    fn visible(&self, sql: &mut Sql, viewer: &Viewer) {
        scope::predicate(sql, viewer, &E::SCOPE, Right::See, "t");
    }
    fn load<'a>(&'a self, ctx: &'a Context<'a>, id: Uuid) -> BoxFuture<'a, Result<Option<Node>>> {
        Box::pin(async move { Ok(by_id::<E>(ctx, id).await?.map(|row| Node(Arc::new(row)))) })
    }
    fn versions<'a>(&'a self, reading: &'a mut PgConnection, looked: RowQuery<'a>, most: usize) -> BoxFuture<'a, Result<Vec<(Uuid, i64)>>> {
        Box::pin(async move {
            let mut sql = Sql::new("select t.id, ");
            push_version::<E>(&mut sql, looked.viewer);
            looked.push::<E>(&mut sql);
            let sql = sql.with(" limit ", i64::try_from(most).unwrap_or(i64::MAX));
            rows_on(reading, sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
    }
    fn rows<'a>(&'a self, db: &'a Db, looked: RowQuery<'a>) -> BoxFuture<'a, Result<Vec<(Uuid, i64, Node)>>> {
        Box::pin(async move {
            let mut sql = Sql::new("select ");
            push_version::<E>(&mut sql, looked.viewer);
            sql.push(", ");
            select_list::<E>(&mut sql, looked.viewer);
            looked.push::<E>(&mut sql);
            let read = |row: &PgRow| -> Result<(Uuid, i64, Node)> {
                let (version, row) = (row.try_get(0)?, E::from_row(row, 1)?);
                Ok((row.key(), version, Node(Arc::new(row))))
            };
            db.rows(sql).await?.iter().map(read).collect()
        })
    }
}

/// A row of any entity.
#[derive(Clone)]
pub struct Node(Arc<dyn AnyRow>);

trait AnyRow: Send + Sync {
    fn type_name(&self) -> &'static str;
    fn resolve_row<'a>(&'a self, ctx: &'a ContextSelectionSet<'a>, field: &'a Positioned<Field>) -> BoxFuture<'a, ServerResult<Value>>;
}

impl<E: Entity> AnyRow for E {
    fn type_name(&self) -> &'static str {
        E::NAME
    }
    fn resolve_row<'a>(&'a self, ctx: &'a ContextSelectionSet<'a>, field: &'a Positioned<Field>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(self.resolve(ctx, field))
    }
}

impl OutputType for Node {
    fn type_name() -> Cow<'static, str> {
        "Node".into()
    }

    fn introspection_type_name(&self) -> Cow<'static, str> {
        self.0.type_name().into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_output_type::<Self, _>(MetaTypeId::Interface, |registry| {
            let mut id = MetaField::new("id", <ID as OutputType>::create_type_info(registry));
            id.description = Some("The id of the row, a UUID.".to_owned());
            for entity in ENTITIES {
                entity.register(registry);
            }
            MetaType::Interface {
                name: "Node".to_owned(),
                description: Some("Anything that has an id of its own.".to_owned()),
                fields: IndexMap::from_iter([("id".to_owned(), id)]),
                possible_types: ENTITIES.iter().map(|entity| entity.name().to_owned()).collect(),
                extends: false,
                inaccessible: false,
                tags: Vec::new(),
                keys: None,
                visible: None,
                rust_typename: Some(std::any::type_name::<Self>()),
                directive_invocations: Vec::new(),
                requires_scopes: Vec::new(),
            }
        })
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        self.0.resolve_row(ctx, field).await
    }
}

impl ContainerType for Node {
    /// Never asked: `resolve` hands over to the row's own object.
    async fn resolve_field(&self, _ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        Ok(None)
    }
}

/// The roots that look a row up by its id alone.
#[derive(Default)]
pub struct NodeQuery;

#[Object]
impl NodeQuery {
    /// The row with this id, whatever its type.
    async fn node(&self, ctx: &Context<'_>, #[graphql(desc = "The id of the row.")] id: ID) -> Option<Result<Node>> {
        // As a `Result<Option<_>>`, or of an argument, an error would null the whole answer, not this field alone.
        let found = async { find(ctx, &[Id::given(&id, "id")?]).await };
        let node = found.await.map(|found| found.into_iter().next().flatten());
        Some(node.and_then(|node| node.ok_or_else(|| Error::not_found("object").field("id"))))
    }

    /// The rows with these ids, in their order; null where there is none that you may see.
    async fn nodes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The ids of the rows, at most 200.")] ids: Vec<Id<Node>>,
    ) -> Result<Vec<Option<Node>>> {
        if ids.len() > MOST_IDS {
            return Err(Error::validation(format!("At most {MOST_IDS} ids at a time.")).field("ids"));
        }
        find(ctx, &ids).await
    }
}

/// What is not visible costs what does not exist: this one statement.
async fn find(ctx: &Context<'_>, ids: &[Id<Node>]) -> Result<Vec<Option<Node>>> {
    let read = Read::of(ctx)?;
    let wanted: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let mut sql = Sql::default();
    for (index, entity) in ENTITIES.iter().enumerate() {
        let start = if index == 0 { "" } else { " union all " };
        sql.push(&format!("{start}select t.id, {index} from {} t where t.id = any(", entity.table()));
        sql.bind(wanted.clone());
        sql.push(") and ");
        entity.visible(&mut sql, read.viewer());
    }
    let mut types: HashMap<Uuid, &dyn ErasedEntity> = HashMap::new();
    for row in read.rows(sql).await? {
        let place: i32 = row.try_get(1)?;
        if let Some(entity) = usize::try_from(place).ok().and_then(|place| ENTITIES.get(place)) {
            types.insert(row.try_get(0)?, *entity);
        }
    }
    let loads = wanted.iter().map(|id| {
        let entity = types.get(id).copied();
        async move {
            match entity {
                Some(entity) => entity.load(ctx, *id).await,
                None => Ok(None),
            }
        }
    });
    join_all(loads).await.into_iter().collect()
}
