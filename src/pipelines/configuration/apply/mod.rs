//! A document brought into an env.
//!
//! Always holds: what a document says as it is already is neither locked nor written nor asked a right for; whatever differs goes
//! through the mutations of its kind, so their rules, rights and audit rows are the same; all faults of the document are told
//! together, and then nothing is done. Not here: taking anything away.

mod items;
mod names;

use std::collections::HashMap;
use std::hash::Hash;

use serde_json::Value;
use sqlx::Row as _;
use uuid::Uuid;

use super::document::{DatamodelName, Document, at};
use super::present::{Look, Present, World};
use crate::access::Team;
use crate::core::constraint::{TABLE_TAKEN, TARGET_TABLE};
use crate::core::entity::Entity;
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::proof::at_version;
use crate::core::scope;
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::viewer::Right;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription};

/// Where a document goes, and what it says.
pub(super) struct Order<'a> {
    pub(super) document: &'a Document,
    pub(super) keys: &'a KeyRing,
    pub(super) world: World,
    /// The team that owns whatever is new; else each thing names its own.
    pub(super) into: Option<Id<Team>>,
    pub(super) expected_version: Option<i32>,
}

/// What came of it.
pub(super) struct Done {
    pub(super) before: Document,
    pub(super) after: Document,
    /// The connectors that have another configuration, and whether a secret in it takes the place of another.
    pub(super) configured: HashMap<String, bool>,
}

/// A document under way.
struct Apply<'a> {
    w: &'a mut Write,
    order: &'a Order<'a>,
    present: Present,
    violations: Violations,
    connectors: HashMap<String, Vec<Id<Connector>>>,
    datamodels: HashMap<DatamodelName, Vec<Id<Datamodel>>>,
    configured: HashMap<String, bool>,
    /// What the versions of pipelines are to be: one mutation raises a version by one, however much it changes.
    versions: Vec<(Id<Pipeline>, i32)>,
}

/// Does it.
///
/// # Errors
/// `VALIDATION` with every fault of the document, or the first refusal of another kind; then nothing is to be kept.
pub(super) async fn apply(w: &mut Write, order: &Order<'_>) -> Result<Done> {
    let found = present(w, order).await?;
    lock(w, order.document, &found).await?;
    // As it is under the locks.
    let present = present(w, order).await?;
    expect_version(order, &present)?;
    let before = present.document();
    let connectors = grouped(present.connectors.iter().map(|said| (said.item.name.clone(), said.row.id)));
    let datamodels = grouped(present.datamodels.iter().map(|said| (said.item.id(), said.row.id)));
    let (violations, configured, versions) = (Violations::default(), HashMap::new(), Vec::new());
    let mut apply = Apply { w, order, present, violations, connectors, datamodels, configured, versions };
    for (index, item) in order.document.connectors.iter().enumerate() {
        apply.connector(&at(&format!("connectors/{index}")), item).await?;
    }
    for (index, item) in order.document.datamodels.iter().enumerate() {
        apply.datamodel(&at(&format!("datamodels/{index}")), item).await?;
    }
    apply.w.rows(Sql::new(&format!("set constraints {TARGET_TABLE} deferred"))).await?;
    for (index, item) in order.document.pipelines.iter().enumerate() {
        apply.pipeline(&at(&format!("pipelines/{index}")), item).await?;
    }
    let Apply { w, violations, configured, versions, .. } = apply;
    violations.none()?;
    no_table_twice(w, order.document, versions.iter().map(|(pipeline, _)| pipeline.uuid()).collect()).await?;
    for (pipeline, version) in versions {
        let sql = Sql::new("update pipeline set version = ").value(version).with(" where id = ", pipeline);
        w.rows(sql.with(" and version > ", version)).await?;
    }
    let after = self::present(w, order).await?.document();
    Ok(Done { before, after, configured })
}

async fn present(w: &mut Write, order: &Order<'_>) -> Result<Present> {
    let viewer = w.viewer().clone();
    Present::read(w.connection(), &Look { viewer: &viewer, keys: order.keys, world: order.world }).await
}

/// Locks what the document names and the viewer may change, kind by kind and by id within a kind.
async fn lock(w: &mut Write, document: &Document, present: &Present) -> Result<()> {
    let named = |name: &String| document.connectors.iter().any(|item| item.name == *name);
    let connectors = present.connectors.iter().filter(|said| named(&said.item.name)).map(|said| said.row.id.uuid());
    lock_rows::<Connector>(w, connectors.collect()).await?;
    let named = |name: &DatamodelName| document.datamodels.iter().any(|item| item.id() == *name);
    let datamodels = present.datamodels.iter().filter(|said| named(&said.item.id())).map(|said| said.row.id.uuid());
    lock_rows::<Datamodel>(w, datamodels.collect()).await?;
    let named = |name: &String| document.pipelines.iter().any(|item| item.name == *name);
    let flows = || present.pipelines.iter().filter(|flow| named(&flow.item.name));
    lock_rows::<Pipeline>(w, flows().map(|flow| flow.row.id.uuid()).collect()).await?;
    let subscriptions = flows().flat_map(|flow| &flow.subscriptions).map(|said| said.row.id.uuid());
    lock_rows::<PipelineSubscription>(w, subscriptions.collect()).await
}

async fn lock_rows<E: Entity>(w: &mut Write, ids: Vec<Uuid>) -> Result<()> {
    let viewer = w.viewer().clone();
    let mut sql = Sql::new("select 1 from ").text(E::TABLE).text(" t where ");
    scope::predicate(&mut sql, &viewer, &E::SCOPE, Right::Change, "t");
    w.rows(sql.with(" and t.id = any(", ids).text(") order by t.id for no key update of t")).await?;
    Ok(())
}

/// Subscriptions may change places, so that a table is no two's target is held once all are written.
async fn no_table_twice(w: &mut Write, document: &Document, pipelines: Vec<Uuid>) -> Result<()> {
    let sql = Sql::new(
        "select p.name, s.name from subscription s join subscription o using (datamodel_id, target_connector_id, target_table_name)
        join pipeline p on p.id = s.pipeline_id where o.id <> s.id and p.id = any(",
    );
    let mut twice = Vec::new();
    for row in w.rows(sql.value(pipelines).text(")")).await? {
        let (pipeline, subscription): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let pipelines = document.pipelines.iter().enumerate().filter(|(_, item)| item.name == pipeline);
        twice.extend(pipelines.filter_map(|(at, item)| Some((at, item.subscriptions.iter().position(|item| item.name == subscription)?))));
    }
    if let Some((pipeline, subscription)) = twice.into_iter().max() {
        let place = at(&format!("pipelines/{pipeline}/subscriptions/{subscription}/targetTableName"));
        return Err(Error::conflict(TABLE_TAKEN).field(place));
    }
    // Somebody else may have taken one in this instant.
    let held = w.rows(Sql::new(&format!("set constraints {TARGET_TABLE} immediate"))).await;
    held.map(drop).map_err(|error| error.field(at("pipelines")))
}

fn expect_version(order: &Order<'_>, present: &Present) -> Result<()> {
    let Some(expected) = order.expected_version else { return Ok(()) };
    let [item] = order.document.pipelines.as_slice() else {
        return Err(Error::validation("A version can be expected of a document with one pipeline.").field("expectedVersion"));
    };
    match present.pipelines.iter().find(|flow| flow.item.name == item.name) {
        Some(flow) => at_version(&flow.row, Some(expected)),
        None => Err(Error::no_such(Pipeline::NAME).field("expectedVersion")),
    }
}

fn grouped<K: Eq + Hash, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    pairs.for_each(|(key, value)| groups.entry(key).or_default().push(value));
    groups
}

/// The name in a document of a field of a mutation: what an id says there, a name says here.
fn renamed(field: &str) -> &str {
    match field {
        "teamId" => "team",
        "sourceConnectorId" => "sourceConnector",
        "targetConnectorId" => "targetConnector",
        "datamodelId" => "datamodel",
        "errorTableTargetId" => "errorTableTarget",
        "pipelineId" => "name",
        other => other,
    }
}

async fn carry_out<M: Mutation>(w: &mut Write, mutation: M) -> Result<M::Answer> {
    let proof = mutation.authorize(w).await?;
    mutation.apply(w, proof).await
}

impl Apply<'_> {
    /// Does what a mutation does; none when it is refused for faults, which are noted.
    async fn run<M: Mutation>(&mut self, place: &str, mutation: M) -> Result<Option<M::Answer>> {
        let error = match Box::pin(carry_out(self.w, mutation)).await {
            Ok(answer) => return Ok(Some(answer)),
            Err(error) => error,
        };
        let within = |field: &str| format!("{place}/{}", renamed(field));
        if error.code() != Code::Validation {
            let field = error.place().map_or_else(|| place.to_owned(), within);
            let mut facts = error.facts().cloned();
            let violations = facts.as_mut().and_then(|facts| facts.get_mut("violations")).and_then(Value::as_array_mut);
            for of in violations.into_iter().flatten().filter_map(|one| one.get_mut("field")) {
                *of = within(of.as_str().unwrap_or_default()).into();
            }
            let error = error.field(field);
            return Err(facts.map_or(error.clone(), |facts| error.details(facts)));
        }
        let violations = error.facts().and_then(|facts| facts.get("violations")).and_then(Value::as_array);
        let told = |violation: &Value, name: &str| violation.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match violations {
            Some(violations) => {
                for one in violations {
                    self.violations.add(within(&told(one, "field")), told(one, "message"));
                }
            }
            None => self.violations.add(within(error.place().unwrap_or("name")), error.message()),
        }
        Ok(None)
    }

    /// Whether there were faults, which are noted.
    fn note(&mut self, violations: Violations) -> bool {
        let all = violations.into_list();
        let any = !all.is_empty();
        for (field, rule) in all {
            self.violations.add(field, rule);
        }
        any
    }
}
