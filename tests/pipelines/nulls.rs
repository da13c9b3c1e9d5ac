//! Null in an update: it empties what may be empty, and is refused by name where there is always a value.

use serde_json::{Map, Value, json};

use crate::support::Flow;

/// A mutation, what its payload holds, the field that names the row, the fields that always have a value, and those that null empties.
type Update = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const UPDATES: &[Update] = &[
    (
        "updateDatamodel",
        "datamodel",
        "datamodelId",
        &["name", "sourceConnectorId", "errorTableEnabled", "enabled", "config"],
        &["sourceTopic", "targetTopic", "consumerId", "errorTableName", "errorTableTargetId"],
    ),
    (
        "updatePipeline",
        "pipeline",
        "pipelineId",
        &["name", "jsonConfiguration"],
        &["sourceConnectorId", "targetConnectorId", "datamodelId", "errorTableConfig"],
    ),
    (
        "updatePipelineSubscription",
        "pipelineSubscription",
        "pipelineSubscriptionId",
        &["name", "errorTableEnabled", "backfill", "enabled", "config", "transformConfig"],
        &["targetTableName", "errorTableName", "errorTableTargetId", "datamodelId", "pipelineId"],
    ),
    ("updateConnector", "connector", "connectorId", &["name", "configuration"], &[]),
    ("updateEnv", "env", "envId", &["name", "retentionConfiguration"], &[]),
    ("updateTeam", "team", "teamId", &["name"], &["description"]),
    ("updateUser", "user", "userId", &["email", "isActive", "isSuperuser", "isVerified"], &[]),
];

#[tokio::test]
async fn null_empties_what_may_be_empty_and_is_refused_by_name_elsewhere() {
    let flow = Flow::open().await;
    let stage = &flow.stage;
    let user = stage.server.user("ada@example.com", false).await;
    let rows = [
        ("datamodelId", flow.datamodel),
        ("pipelineId", flow.pipeline),
        ("pipelineSubscriptionId", flow.subscription),
        ("connectorId", stage.connector),
        ("envId", stage.env),
        ("teamId", stage.team),
        ("userId", user.id),
    ];
    for (mutation, kind, row, always, empties) in UPDATES {
        let id = rows.iter().find(|(name, _)| name == row).expect("a row").1;
        let nulls = |fields: &[&str]| -> Value {
            let nulls = fields.iter().map(|field| ((*field).to_owned(), Value::Null));
            Value::Object(nulls.chain([((*row).to_owned(), json!(id))]).collect::<Map<_, _>>())
        };
        let before = flow.written().await;
        let refused = stage.root.change(mutation, nulls(always), &format!("{kind} {{ id }}")).await;
        assert_eq!(refused.code(), "VALIDATION", "{mutation}");
        let mut told = refused.violations();
        let mut all = always.to_vec();
        told.sort_unstable();
        all.sort_unstable();
        assert_eq!(told, all, "{mutation}: all of them at once");
        assert_eq!(flow.written().await, before, "{mutation}");
        if !empties.is_empty() {
            let selection = format!("{kind} {{ {} }}", empties.join(" "));
            let now = stage.root.change(mutation, nulls(empties), &selection).await.data()[*mutation][*kind].clone();
            // A consumer group that is not named is the row's own.
            assert!(empties.iter().all(|field| now[*field].is_null()), "{mutation}: {now}");
        }
    }
}
