//! Bad input to every mutation of datamodels, pipelines and subscriptions: a code and a field each time, nothing half-written.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::house::none;
use crate::support::{Caller, Flow, Reply};

/// What an id in an input is of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Source,
    Target,
    Datamodel,
    Pipeline,
    Subscription,
    Team,
}

/// A mutation: an input that is right but for what is put into it, and what can be wrong.
struct Shape {
    mutation: &'static str,
    /// `<datamodel>`, `<pipeline>`, `<subscription>`, `<team>` and `<source>` are those of the member's team.
    input: &'static str,
    /// The row itself, which may lie in any env, and what it refers to, which lies in the row's.
    row: &'static [(&'static str, Kind)],
    references: &'static [(&'static str, Kind)],
    /// Lines of text with their longest length.
    lines: &'static [(&'static str, usize)],
    objects: &'static [&'static str],
    lists: &'static [&'static str],
}

const ERROR_TABLE: (&str, Kind) = ("errorTableTargetId", Kind::Target);
const LINES_OF_DATAMODEL: &[(&str, usize)] =
    &[("name", 100), ("sourceTopic", 255), ("targetTopic", 255), ("consumerId", 255), ("errorTableName", 255)];
const LINES_OF_SUBSCRIPTION: &[(&str, usize)] = &[("name", 255), ("targetTableName", 255), ("consumerId", 255), ("errorTableName", 255)];
const ENDS: &[(&str, Kind)] = &[("sourceConnectorId", Kind::Source), ("targetConnectorId", Kind::Target), ("datamodelId", Kind::Datamodel)];
const OF_SUBSCRIPTION: &[(&str, Kind)] =
    &[("pipelineId", Kind::Pipeline), ("datamodelId", Kind::Datamodel), ("targetConnectorId", Kind::Target), ERROR_TABLE];

const fn plain(mutation: &'static str, input: &'static str, row: &'static [(&'static str, Kind)]) -> Shape {
    Shape { mutation, input, row, references: &[], lines: &[], objects: &[], lists: &[] }
}

const SHAPES: &[Shape] = &[
    Shape {
        references: &[("sourceConnectorId", Kind::Source), ERROR_TABLE],
        lines: LINES_OF_DATAMODEL,
        objects: &["config"],
        ..plain("createDatamodel", r#"{"sourceConnectorId": "<source>", "name": "n"}"#, &[])
    },
    Shape {
        references: &[("sourceConnectorId", Kind::Source), ERROR_TABLE],
        lines: LINES_OF_DATAMODEL,
        objects: &["config"],
        ..plain("updateDatamodel", r#"{"datamodelId": "<datamodel>"}"#, &[("datamodelId", Kind::Datamodel)])
    },
    plain("deleteDatamodel", "{}", &[("datamodelId", Kind::Datamodel)]),
    Shape {
        references: ENDS,
        lines: &[("name", 100)],
        objects: &["jsonConfiguration", "errorTableConfig"],
        ..plain("createPipeline", r#"{"teamId": "<team>", "name": "n"}"#, &[("teamId", Kind::Team)])
    },
    Shape {
        references: ENDS,
        lines: &[("name", 100)],
        objects: &["jsonConfiguration", "errorTableConfig"],
        ..plain("updatePipeline", r#"{"pipelineId": "<pipeline>"}"#, &[("pipelineId", Kind::Pipeline)])
    },
    plain("deletePipeline", "{}", &[("pipelineId", Kind::Pipeline)]),
    plain("startPipeline", "{}", &[("pipelineId", Kind::Pipeline)]),
    plain("pausePipeline", "{}", &[("pipelineId", Kind::Pipeline)]),
    Shape {
        references: OF_SUBSCRIPTION,
        lines: LINES_OF_SUBSCRIPTION,
        objects: &["config"],
        lists: &["transformConfig"],
        ..plain("createPipelineSubscription", r#"{"pipelineId": "<pipeline>", "datamodelId": "<datamodel>", "name": "n"}"#, &[])
    },
    Shape {
        references: OF_SUBSCRIPTION,
        lines: LINES_OF_SUBSCRIPTION,
        objects: &["config"],
        lists: &["transformConfig"],
        ..plain(
            "updatePipelineSubscription",
            r#"{"pipelineSubscriptionId": "<subscription>"}"#,
            &[("pipelineSubscriptionId", Kind::Subscription)],
        )
    },
    plain("deletePipelineSubscription", "{}", &[("pipelineSubscriptionId", Kind::Subscription)]),
];

/// No UUID, as JSON.
const NO_ID: &str = "\"no id\"";

/// What says in which env a new row lies.
const LEADS: &[(&str, &str)] = &[("createDatamodel", "sourceConnectorId"), ("createPipelineSubscription", "pipelineId")];

struct Bad {
    flow: Flow,
    member: Caller,
    /// A team of the env that the member does not see, and one of theirs in another env.
    foreign: Uuid,
    far: Uuid,
    wrong: Vec<String>,
}

impl Bad {
    async fn open() -> Self {
        let flow = Flow::open().await;
        let stage = &flow.stage;
        let member = stage.server.user("ada@example.com", false).await;
        let foreign = stage.world.team(stage.env, "foreign").await;
        let elsewhere = stage.world.env("elsewhere").await;
        let far = stage.world.team(elsewhere, "far").await;
        for team in [stage.team, far] {
            stage.world.join_team(member.id, team, false).await;
        }
        Self { flow, member, foreign, far, wrong: Vec::new() }
    }

    fn input(&self, shape: &Shape) -> Value {
        let known = [
            ("<source>", self.flow.stage.connector),
            ("<datamodel>", self.flow.datamodel),
            ("<pipeline>", self.flow.pipeline),
            ("<subscription>", self.flow.subscription),
            ("<team>", self.flow.stage.team),
        ];
        let text = known.iter().fold(shape.input.to_owned(), |text, (name, id)| text.replace(name, &id.to_string()));
        serde_json::from_str(&text).expect("an input")
    }

    /// A row of this kind that a team owns and nothing refers to.
    async fn row(&self, kind: Kind, team: Uuid) -> Uuid {
        let (world, name) = (&self.flow.stage.world, Uuid::new_v4().to_string());
        let insert = match kind {
            Kind::Source => return world.source(team, &name).await.0,
            Kind::Target => return world.target(team, &name).await.0,
            Kind::Team if team == self.flow.stage.team => {
                let made = world.team(self.flow.stage.env, &name).await;
                world.join_team(self.member.id, made, false).await;
                return made;
            }
            Kind::Team => return team,
            Kind::Datamodel => return world.datamodel(world.source(team, &name).await.0, &name).await,
            Kind::Pipeline => "insert into pipeline (id, name, json_configuration, version, team_id) values ($1, $1::text, '{}', 1, $2)",
            Kind::Subscription => {
                let target = world.target(team, &name).await.0;
                let id = Uuid::new_v4();
                let insert = "insert into subscription (id, name, config, transform_config, target_connector_id, error_table_enabled)
                    values ($1, 's', '{}', '[]', $2, false)";
                sqlx::query(insert).bind(id).bind(target).execute(&world.pool).await.expect("a subscription");
                return id;
            }
        };
        let id = Uuid::new_v4();
        sqlx::query(insert).bind(id).bind(team).execute(&world.pool).await.expect("a row");
        id
    }

    fn delete(kind: Kind, id: Uuid) -> String {
        let table = match kind {
            Kind::Source | Kind::Target => "connector",
            Kind::Datamodel => "datamodel",
            Kind::Pipeline => "pipeline",
            Kind::Subscription => "subscription",
            Kind::Team => "team",
        };
        format!("delete from {table} where id = '{id}'")
    }

    /// Asks with one field put in, as this caller; the refusal must be one of these codes, name the field, and change nothing.
    async fn refused(&mut self, caller: &Caller, shape: &Shape, field: &str, value: Value, codes: &[&str]) {
        let mut input = self.input(shape);
        input[field] = value.clone();
        let before = self.flow.written().await;
        let reply = caller.change(shape.mutation, input, "__typename").await;
        self.judge(shape, field, &value.to_string(), &reply, codes);
        if self.flow.written().await != before {
            self.wrong.push(format!("{} with {field} = {value} was refused and has changed something", shape.mutation));
        }
    }

    fn judge(&mut self, shape: &Shape, field: &str, what: &str, reply: &Reply, codes: &[&str]) {
        let said = &reply.0["errors"][0]["extensions"];
        let named = said["field"].as_str().and_then(|named| named.rsplit('.').next()).map(|named| named.split('/').next().unwrap_or(named));
        let code = said["code"].as_str().unwrap_or("no error");
        let what: String = what.chars().take(60).collect();
        // What is no UUID is refused by the library before a mutation sees it, which does not say where it stood.
        let place = named == Some(field) || (named.is_none() && what == NO_ID);
        if !codes.contains(&code) || !place {
            self.wrong.push(format!("{} with {field} = {what}: {code} on {}", shape.mutation, said["field"]));
        }
    }
}

#[tokio::test]
async fn r09_whatever_an_input_names_must_be_there_be_ones_own_and_lie_in_the_env() {
    let mut bad = Bad::open().await;
    let (member, own) = (bad.member.clone(), bad.flow.stage.team);
    for shape in SHAPES {
        for (is_row, (field, kind)) in shape.row.iter().map(|id| (true, id)).chain(shape.references.iter().map(|id| (false, id))) {
            let malformed: Value = serde_json::from_str(NO_ID).expect("a text");
            bad.refused(&member, shape, field, malformed, &["VALIDATION", "GRAPHQL_VALIDATION_FAILED"]).await;
            bad.refused(&member, shape, field, json!([1]), &["VALIDATION", "GRAPHQL_VALIDATION_FAILED"]).await;
            bad.refused(&member, shape, field, json!(Uuid::new_v4()), &["NOT_FOUND"]).await;
            bad.refused(&member, shape, field, json!(bad.flow.stage.env), &["NOT_FOUND"]).await;
            let foreign = bad.row(*kind, bad.foreign).await;
            bad.refused(&member, shape, field, json!(foreign), &["NOT_FOUND"]).await;
            let gone = bad.row(*kind, own).await;
            sqlx::query(AssertSqlSafe(Bad::delete(*kind, gone))).execute(&bad.flow.stage.world.pool).await.expect("gone");
            bad.refused(&member, shape, field, json!(gone), &["NOT_FOUND"]).await;
            if !is_row && !LEADS.contains(&(shape.mutation, field)) {
                let far = bad.row(*kind, bad.far).await;
                bad.refused(&member, shape, field, json!(far), &["NOT_FOUND"]).await;
            }
            let wrong_way = match kind {
                Kind::Source => bad.row(Kind::Target, own).await,
                Kind::Target => bad.row(Kind::Source, own).await,
                _ => continue,
            };
            bad.refused(&member, shape, field, json!(wrong_way), &["VALIDATION"]).await;
        }
    }
    // Of an error table's configuration every id counts.
    let far = bad.row(Kind::Target, bad.far).await;
    for shape in SHAPES.iter().filter(|shape| shape.objects.contains(&"errorTableConfig")) {
        for id in [far, Uuid::new_v4(), bad.row(Kind::Target, bad.foreign).await] {
            bad.refused(&member, shape, "errorTableConfig", json!({"deep": [{"into": id}]}), &["NOT_FOUND"]).await;
        }
        let many: Vec<Uuid> = (0..=20).map(|_| Uuid::new_v4()).collect();
        bad.refused(&member, shape, "errorTableConfig", json!({"into": many}), &["VALIDATION"]).await;
    }
    none(&bad.wrong);
}

#[tokio::test]
async fn r09_what_is_deleted_at_this_very_moment_is_not_found() {
    let mut bad = Bad::open().await;
    let own = bad.flow.stage.team;
    for shape in SHAPES {
        for (field, kind) in shape.row.iter().chain(shape.references) {
            let racing = bad.row(*kind, own).await;
            let mut input = bad.input(shape);
            input[*field] = json!(racing);
            let mut other = bad.flow.stage.world.pool.begin().await.expect("a transaction");
            sqlx::query(AssertSqlSafe(Bad::delete(*kind, racing))).execute(&mut *other).await.expect("deleted");
            let pool = bad.flow.stage.world.pool.clone();
            let committing = async {
                let sql = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
                for _ in 0..1_000 {
                    if sqlx::query_scalar::<_, i64>(sql).fetch_one(&pool).await.expect("a count") > 0 {
                        return other.commit().await.expect("it is gone");
                    }
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
                panic!("{} with {field} does not wait for the deletion", shape.mutation);
            };
            let (reply, ()) = tokio::join!(bad.member.change(shape.mutation, input, "__typename"), committing);
            bad.judge(shape, field, "deleted meanwhile", &reply, &["NOT_FOUND"]);
        }
    }
    none(&bad.wrong);
}

#[tokio::test]
async fn texts_and_documents_that_are_none_are_refused_with_their_field() {
    let mut bad = Bad::open().await;
    let member = bad.member.clone();
    for shape in SHAPES {
        for (field, most) in shape.lines {
            for text in
                [String::new(), "  ".to_owned(), "\u{e9}".repeat(most + 1), "a\u{7}b".to_owned(), "a\0b".to_owned(), "a\nb".to_owned()]
            {
                bad.refused(&member, shape, field, json!(text), &["VALIDATION"]).await;
            }
            bad.refused(&member, shape, field, json!(5), &["GRAPHQL_VALIDATION_FAILED"]).await;
        }
        let misfits = |list: bool| {
            let other = if list { json!({}) } else { json!([]) };
            let stored = json!({"password": {"$secret": "stored"}});
            [
                json!(5),
                json!("text"),
                json!(true),
                other,
                json!([stored]),
                json!([{"a\0": 1}]),
                json!([{"a": ["b\0"]}]),
                json!(["x".repeat(300_000)]),
            ]
        };
        for field in shape.objects {
            for (place, misfit) in misfits(false).into_iter().enumerate() {
                // The last ones are right but for what is in them.
                let value = if place > 3 {
                    misfit.get(0).filter(|inner| inner.is_object()).cloned().unwrap_or_else(|| json!({"a": misfit}))
                } else {
                    misfit
                };
                bad.refused(&member, shape, field, value, &["VALIDATION"]).await;
            }
        }
        for field in shape.lists {
            for misfit in misfits(true) {
                bad.refused(&member, shape, field, misfit, &["VALIDATION"]).await;
            }
        }
        if shape.lines.iter().any(|(field, _)| *field == "errorTableName") {
            bad.refused(&member, shape, "errorTableName", json!("\0"), &["VALIDATION"]).await;
            let mut input = bad.input(shape);
            input["errorTableEnabled"] = json!(true);
            let reply = member.change(shape.mutation, input, "__typename").await;
            bad.judge(shape, "errorTableName", "none, and enabled", &reply, &["VALIDATION"]);
        }
    }
    none(&bad.wrong);
}

#[tokio::test]
async fn a_secret_in_a_document_that_is_shown_is_refused_where_it_stands_and_one_that_is_named_is_not() {
    let bad = Bad::open().await;
    for shape in SHAPES {
        if shape.mutation.ends_with("Datamodel") && !shape.objects.is_empty() {
            let mut input = bad.input(shape);
            input["config"] = json!({"columns": {"password": "text"}});
            bad.member.change(shape.mutation, input, "__typename").await.data();
            continue;
        }
        for field in shape.objects.iter().filter(|field| **field != "errorTableConfig") {
            let mut input = bad.input(shape);
            input[*field] =
                json!({"a": [{"password": "hunter2"}], "url": "https://u:hunter2@h", "key": {"$secret": "env:PUMPHOUSE_SECRET_A"}});
            let reply = bad.member.change(shape.mutation, input.clone(), "__typename").await;
            let listed = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("violations").clone();
            let fields: Vec<&str> = listed.iter().filter_map(|violation| violation["field"].as_str()).collect();
            assert_eq!(fields, [format!("{field}/a/0/password"), format!("{field}/url")], "{}: {}", shape.mutation, reply.0);
            assert!(!reply.0.to_string().contains("hunter2"));
            input[*field] = json!({"token": {"$secret": "env:PUMPHOUSE_SECRET_A"}, "table": "public.tokens"});
            bad.member.change(shape.mutation, input, "__typename").await.data();
        }
    }
}

#[tokio::test]
async fn all_that_is_wrong_with_an_input_is_told_at_once() {
    let bad = Bad::open().await;
    let input = json!({"sourceConnectorId": bad.flow.target, "name": "", "sourceTopic": " ", "config": 1, "errorTableEnabled": true});
    let reply = bad.member.change("createDatamodel", input, "datamodel { id }").await;
    let listed = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("violations").clone();
    let fields: Vec<&str> = listed.iter().filter_map(|violation| violation["field"].as_str()).collect();
    assert_eq!(fields, ["sourceConnectorId", "name", "sourceTopic", "errorTableName", "config"]);
}

/// Whoever only reads is refused, wherever they see what they would change.
#[tokio::test]
async fn readers_change_nothing_and_numbers_have_bounds() {
    let mut bad = Bad::open().await;
    let stage = &bad.flow.stage;
    let reader = stage.server.user("reader@example.com", false).await;
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let before = bad.flow.written().await;
    for shape in SHAPES {
        let mut input = bad.input(shape);
        for (field, kind) in shape.row {
            input[*field] = json!(match kind {
                Kind::Datamodel => bad.flow.datamodel,
                Kind::Pipeline => bad.flow.pipeline,
                Kind::Subscription => bad.flow.subscription,
                _ => bad.flow.stage.team,
            });
        }
        let reply = reader.change(shape.mutation, input, "__typename").await;
        if reply.code() != "FORBIDDEN" || reply.field().is_none() {
            bad.wrong.push(format!("{} as a reader: {}", shape.mutation, reply.0));
        }
    }
    assert_eq!(bad.flow.written().await, before);
    for version in [json!(2_147_483_648_i64), json!(1.5), json!("1")] {
        let input = json!({"pipelineId": bad.flow.pipeline, "expectedVersion": version, "name": "x"});
        let reply = bad.member.change("updatePipeline", input, "pipeline { id }").await;
        assert_eq!((reply.code(), reply.field()), ("GRAPHQL_VALIDATION_FAILED", Some("input.expectedVersion")));
    }
    // A subscription that refers to nothing would belong to nobody.
    let nothing = bad.member.change("createPipelineSubscription", json!({"name": "n"}), "__typename").await;
    assert_eq!((nothing.code(), nothing.field()), ("VALIDATION", Some("pipelineId")));
    let nulls =
        json!({"pipelineSubscriptionId": bad.flow.subscription, "pipelineId": null, "datamodelId": null, "targetConnectorId": null});
    let nothing = bad.member.change("updatePipelineSubscription", nulls, "__typename").await;
    assert_eq!((nothing.code(), nothing.field()), ("VALIDATION", Some("pipelineId")));
    none(&bad.wrong);
}

#[tokio::test]
async fn all_that_an_input_names_and_all_that_is_wrong_with_it_is_told_at_once_and_in_its_order() {
    let flow = Flow::open().await;
    let root = &flow.stage.root;
    let missing = Uuid::new_v4;
    for _ in 0..4 {
        let inputs = [
            (
                "createPipeline",
                json!({"teamId": missing(), "name": "", "sourceConnectorId": missing(), "targetConnectorId": missing(),
                    "datamodelId": missing(), "errorTableConfig": {"a": missing(), "b": [missing()]}, "jsonConfiguration": 5}),
                vec!["sourceConnectorId", "targetConnectorId", "errorTableConfig", "datamodelId", "teamId", "name", "jsonConfiguration"],
            ),
            (
                "updatePipeline",
                json!({"pipelineId": missing(), "name": "", "targetConnectorId": missing(), "datamodelId": missing()}),
                vec!["targetConnectorId", "datamodelId", "pipelineId", "name"],
            ),
            (
                "createDatamodel",
                json!({"sourceConnectorId": missing(), "name": "", "errorTableTargetId": missing()}),
                vec!["sourceConnectorId", "errorTableTargetId", "name"],
            ),
            (
                "updateDatamodel",
                json!({"datamodelId": flow.datamodel, "sourceConnectorId": missing(), "config": null}),
                vec!["sourceConnectorId", "config"],
            ),
            (
                "createPipelineSubscription",
                json!({"pipelineId": missing(), "targetConnectorId": missing(), "datamodelId": missing(), "name": ""}),
                vec!["targetConnectorId", "datamodelId", "pipelineId", "name"],
            ),
            (
                "updatePipelineSubscription",
                json!({"pipelineSubscriptionId": flow.subscription, "targetConnectorId": missing(), "datamodelId": missing(), "name": ""}),
                vec!["targetConnectorId", "datamodelId", "name"],
            ),
        ];
        let nobodys = root.change("createPipelineSubscription", json!({"name": "", "config": 5}), "__typename").await;
        assert_eq!((nobodys.code(), nobodys.violations()), ("VALIDATION", vec!["pipelineId", "name", "config"]));
        for (mutation, input, fields) in inputs {
            let reply = root.change(mutation, input, "__typename").await;
            assert_eq!((reply.code(), reply.field(), reply.violations()), ("NOT_FOUND", Some(fields[0]), fields), "{mutation}");
        }
    }
    // One alone says no more than ever.
    let alone = json!({"pipelineId": flow.pipeline, "targetConnectorId": missing()});
    let reply = root.change("updatePipeline", alone, "__typename").await;
    assert_eq!((reply.code(), reply.field(), reply.violations()), ("NOT_FOUND", Some("targetConnectorId"), vec![]));
}
