//! The references of the catalogue equal the edges of the graph, both ways, soft ones included.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::parser::types::{TypeDefinition, TypeKind};

use super::catalogue::references;
use super::{none, types};

/// The type of a table where it is not simply its name in CamelCase.
const TYPES: &[(&str, &str)] =
    &[("subscription", "PipelineSubscription"), ("service_account_user", "ServiceAccount"), ("schema", "SchemaDocument")];

/// Reference, edge, reverse edge. A reverse edge that leads to one row at most is marked with `!`.
pub const EDGES: &[(&str, &str, &str)] = &[
    ("env_member.user_id", "user", "envMembers"),
    ("env_member.env_id", "env", "members"),
    ("env_request.env_id", "env", "requests"),
    ("env_request.from_user_id", "fromUser", "envRequestsSent"),
    ("env_request.to_user_id", "toUser", "envRequestsReceived"),
    ("service_account_user.user_id", "user", "serviceAccount!"),
    ("team.env_id", "env", "teams"),
    ("team_member.user_id", "user", "teamMembers"),
    ("team_member.team_id", "team", "members"),
    ("team_request.team_id", "team", "requests"),
    ("team_request.from_user_id", "fromUser", "teamRequestsSent"),
    ("team_request.to_user_id", "toUser", "teamRequestsReceived"),
    ("user.active_env_id", "activeEnv", "usersActiveHere"),
    ("connector.team_id", "team", "connectors"),
    ("connector.env_id", "env", "connectors"),
    ("datamodel.source_connector_id", "sourceConnector", "datamodels"),
    ("datamodel.error_table_target_id", "errorTableTarget", "datamodelsAsErrorTarget"),
    ("pipeline.team_id", "team", "pipelines"),
    ("pipeline.env_id", "env", "pipelines"),
    ("pipeline.source_connector_id", "sourceConnector", "pipelinesAsSource"),
    ("pipeline.target_connector_id", "targetConnector", "pipelinesAsTarget"),
    ("pipeline.datamodel_id", "datamodel", "pipelines"),
    ("subscription.pipeline_id", "pipeline", "pipelineSubscriptions"),
    ("subscription.datamodel_id", "datamodel", "pipelineSubscriptions"),
    ("subscription.target_connector_id", "targetConnector", "pipelineSubscriptions"),
    ("subscription.error_table_target_id", "errorTableTarget", "pipelineSubscriptionsAsErrorTarget"),
    ("worker.connector_id", "connector", "worker!"),
    ("schema_version.schema_id", "schema", "versions"),
    ("consumption_metric.subscription_id", "subscription", "consumptionMetrics"),
    ("consumption_metric_daily.subscription_id", "subscription", "consumptionMetricsDaily"),
    ("production_metric.topic", "datamodel", "productionMetrics"),
    ("production_metric_daily.topic", "datamodel", "productionMetricsDaily"),
    ("sync_run.connector_id", "connector", "syncRuns"),
    ("sync_run.triggered_by_user_id", "triggeredByUser", "syncRunsTriggered"),
    ("sync_table.sync_run_id", "syncRun", "syncTables"),
    ("user_log.user_id", "user", "logs"),
    ("user_log.target_user_id", "targetUser", "logsAbout"),
];

/// The type of a table.
pub fn type_of(table: &str) -> String {
    TYPES.iter().find(|(name, _)| *name == table).map_or_else(|| camel(table, true), |(_, ty)| (*ty).to_owned())
}

/// `env_id` becomes `envId`, or `EnvId` with a capital.
pub fn camel(name: &str, capital: bool) -> String {
    let mut raise = capital;
    name.chars()
        .filter_map(|letter| {
            let raised = std::mem::replace(&mut raise, letter == '_');
            (letter != '_').then(|| if raised { letter.to_ascii_uppercase() } else { letter })
        })
        .collect()
}

/// The field's type as the schema writes it.
fn field(types: &BTreeMap<String, TypeDefinition>, owner: &str, name: &str) -> Option<String> {
    let TypeKind::Object(object) = &types.get(owner)?.kind else { return None };
    object.fields.iter().find(|field| field.node.name.node == name).map(|field| field.node.ty.node.to_string())
}

#[test]
fn every_reference_is_an_edge_both_ways() {
    let types = types();
    let mut wrong = Vec::new();
    let mut expect = |owner: &str, name: &str, wanted: &str| {
        let found = field(&types, owner, name).unwrap_or_else(|| "missing".to_owned());
        if found != wanted {
            wrong.push(format!("{owner}.{name} is {found}, not {wanted}"));
        }
    };
    let targets: BTreeMap<String, String> = references().collect();
    for (reference, edge, reverse) in EDGES {
        let (table, _) = reference.split_once('.').unwrap();
        let (target, _) = targets[*reference].split_once('.').unwrap();
        let (child, parent) = (type_of(table), type_of(target));
        expect(&child, edge, &parent);
        if let Some(one) = reverse.strip_suffix('!') {
            expect(&parent, one, &child);
        } else {
            expect(&parent, reverse, &format!("{child}Connection!"));
            expect(&format!("{child}Connection"), "nodes", &format!("[{child}!]!"));
        }
    }
    none(&wrong);
}

#[test]
fn a_reference_is_a_field_beside_its_edge() {
    let types = types();
    let missing = |(reference, edge, _): &(&str, &str, &str)| {
        let (table, column) = reference.split_once('.').unwrap();
        let name = camel(column, false);
        let found = field(&types, &type_of(table), &name);
        let named_after = column == "topic" || name == format!("{edge}Id");
        (found.is_none() || !named_after).then(|| format!("{reference}: field {name} beside the edge {edge}"))
    };
    none(&EDGES.iter().filter_map(missing).collect::<Vec<_>>());
}

#[test]
fn the_edges_are_those_of_the_catalogue() {
    let of_catalogue: BTreeSet<String> = references().map(|(from, _)| from).collect();
    let of_graph: BTreeSet<String> = EDGES.iter().map(|(from, ..)| (*from).to_owned()).collect();
    assert_eq!(of_graph, of_catalogue);
}
