//! Whose topics and subscriptions are read for an object: pairs of its id and one of them, each once.
//!
//! Always holds: of a pipeline, team or env only what the viewer sees; a topic that several datamodels read counts
//! once (domain.md section 1, "Owners of what has no `team_id`").

use uuid::Uuid;

use crate::core::entity::Entity;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::{Right, Viewer};
use crate::pipelines::{Datamodel, PipelineSubscription};

/// The ways from an object to its datamodels or subscriptions `t`: the column with its id, and the tables.
type Ways<'a> = &'a [(&'a str, &'a str)];

/// The source topic of datamodels that are seen already.
pub(crate) fn topic_of_datamodel(sql: &mut Sql, _viewer: &Viewer, ids: &[Uuid]) {
    sql.push("select id, source_topic as item from datamodel where source_topic is not null and id");
    sql.is_among(ids);
}

/// Subscriptions that are seen already.
pub(crate) fn subscription_itself(sql: &mut Sql, _viewer: &Viewer, ids: &[Uuid]) {
    sql.push("select id, id as item from unnest(");
    sql.bind_list(ids);
    sql.push("::uuid[]) id");
}

/// The topics of what a pipeline carries.
pub(crate) fn topics_of_pipeline(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid]) {
    let ways = [
        ("p.id", "pipeline p join datamodel t on t.id = p.datamodel_id"),
        ("s.pipeline_id", "subscription s join datamodel t on t.id = s.datamodel_id"),
    ];
    union::<Datamodel>(sql, viewer, ids, "t.source_topic", &ways);
}

/// The subscriptions of a pipeline.
pub(crate) fn subscriptions_of_pipeline(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid]) {
    union::<PipelineSubscription>(sql, viewer, ids, "t.id", &[("t.pipeline_id", "subscription t")]);
}

/// The topics of the datamodels that a team owns.
pub(crate) fn topics_of_team(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid]) {
    owned_topics(sql, viewer, ids, "c.team_id", "p.team_id");
}

/// The topics of the datamodels that the teams of an env own.
pub(crate) fn topics_of_env(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid]) {
    owned_topics(sql, viewer, ids, "c.env_id", "p.env_id");
}

/// The subscriptions that a team owns.
pub(crate) fn subscriptions_of_team(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid]) {
    owned_subscriptions(sql, viewer, ids, "c.team_id", "p.team_id");
}

/// The subscriptions that the teams of an env own.
pub(crate) fn subscriptions_of_env(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid]) {
    owned_subscriptions(sql, viewer, ids, "c.env_id", "p.env_id");
}

/// A datamodel is its source connector's owner's, else that of the pipelines that name it.
fn owned_topics(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid], of_connector: &str, of_pipeline: &str) {
    let ways = [
        (of_connector, "connector c join datamodel t on t.source_connector_id = c.id"),
        (of_pipeline, "pipeline p join datamodel t on t.id = p.datamodel_id and t.source_connector_id is null"),
    ];
    union::<Datamodel>(sql, viewer, ids, "t.source_topic", &ways);
}

/// A subscription is its pipeline's owner's, else its target connector's, else its datamodel's.
fn owned_subscriptions(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid], of_connector: &str, of_pipeline: &str) {
    let ways = [
        (of_pipeline, "pipeline p join subscription t on t.pipeline_id = p.id"),
        (of_connector, "connector c join subscription t on t.target_connector_id = c.id and t.pipeline_id is null"),
        (
            of_connector,
            "connector c join datamodel d on d.source_connector_id = c.id
             join subscription t on t.datamodel_id = d.id and t.pipeline_id is null and t.target_connector_id is null",
        ),
        (
            of_pipeline,
            "pipeline p join datamodel d on d.id = p.datamodel_id and d.source_connector_id is null
             join subscription t on t.datamodel_id = d.id and t.pipeline_id is null and t.target_connector_id is null",
        ),
    ];
    union::<PipelineSubscription>(sql, viewer, ids, "t.id", &ways);
}

/// What every way leads to, as far as the viewer sees it.
fn union<E: Entity>(sql: &mut Sql, viewer: &Viewer, ids: &[Uuid], item: &str, ways: Ways<'_>) {
    // A union leaves out what comes twice.
    let once = if ways.len() > 1 { "" } else { "distinct " };
    for (index, (id, tables)) in ways.iter().enumerate() {
        sql.push(if index == 0 { "" } else { " union " });
        sql.push(&format!("select {once}{id} as id, {item} as item from {tables} where {item} is not null and {id}"));
        sql.is_among(ids);
        sql.push(" and ");
        scope::predicate(sql, viewer, &E::SCOPE, Right::See, "t");
    }
}
