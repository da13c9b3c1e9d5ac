//! What a request may ask for: refused before the library looks at it, and before anything is carried out.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Caller, Reply, Server, TestSettings, World};

/// What graphql-js's `getIntrospectionQuery` asks with everything switched on, as GraphiQL and code generators send it.
const INTROSPECTION: &str = "query IntrospectionQuery { __schema { description queryType { name kind } mutationType { name kind } subscriptionType { name kind }
    types { ...FullType } directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } } } }
    fragment FullType on __Type { kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
      inputFields(includeDeprecated: true) { ...InputValue } interfaces { ...TypeRef }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
    fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
    fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
      ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }";

const BOARD: &str = "{ pipelines(first: 100) { nodes { id name isCompleted updatedAt
    sourceConnector { id name connectorType worker { id state reason health lastHeartbeatAt } }
    targetConnector { id name connectorType worker { id state reason health lastHeartbeatAt } }
    datamodel { id name enabled sourceTopic }
    pipelineSubscriptions(first: 10) { nodes { id name targetTableName errorTableEnabled } } } } }";

/// Fragments of which each spreads the next so many times.
fn doubling(levels: usize, times: usize, leaf: &str) -> String {
    let mut text = String::new();
    for level in 0..levels {
        let _ = write!(text, "fragment f{level} on Query {{ {} }} ", format!("...f{} ", level + 1).repeat(times));
    }
    text + &format!("fragment f{levels} on Query {{ {leaf} }}")
}

#[track_caller]
fn too_complex(reply: &Reply) {
    assert_eq!(reply.code(), "TOO_COMPLEX", "{}", reply.0);
    assert_eq!(reply.0.get("data"), None, "{}", reply.0);
    let details = &reply.0["errors"][0]["extensions"]["details"];
    assert!(details["cost"].as_u64() > details["limit"].as_u64() && details["limit"].is_u64(), "{details}");
}

async fn quickly(caller: &Caller, query: &str) -> Reply {
    let started = Instant::now();
    let reply = caller.ask(query).await;
    assert!(started.elapsed() < Duration::from_secs(2), "it took {:?}", started.elapsed());
    reply
}

#[tokio::test]
async fn fragments_that_double_at_each_level_are_refused_at_once() {
    let server = Server::start().await;
    let nobody = server.nobody();
    for (levels, times) in [(20, 2), (30, 3), (12, 30)] {
        for start in ["{ ...f0 } ", "{ serverInfo { version } } ", "query A { serverInfo { version } } query B { ...f0 } "] {
            let query = format!("{start}{}", doubling(levels, times, "serverInfo { version }"));
            too_complex(&quickly(&nobody, &query).await);
        }
    }
    let chain: String = (0..2_000).map(|n| format!("fragment c{n} on Query {{ ...c{} }} ", n + 1)).collect();
    too_complex(&quickly(&nobody, &format!("{{ ...c0 }} {chain} fragment c2000 on Query {{ __typename }}")).await);
    let inline = format!("{{ {}__typename{} }}", "... { ".repeat(60), " }".repeat(60));
    too_complex(&quickly(&nobody, &inline).await);
    let circle = quickly(&nobody, "{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }").await;
    assert_eq!(circle.code(), "GRAPHQL_VALIDATION_FAILED");
    let unknown = quickly(&nobody, "{ ...Nothing }").await;
    assert_eq!(unknown.code(), "GRAPHQL_VALIDATION_FAILED");
}

#[tokio::test]
async fn pages_inside_pages_count_as_many_rows_as_they_could_have() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let mut rows = "id".to_owned();
    for _ in 0..4 {
        rows = format!("members(first: 200) {{ nodes {{ env {{ {rows} }} }} }}");
    }
    too_complex(&quickly(&root, &format!("{{ envs {{ nodes {{ {rows} }} }} }}")).await);
    let by = |size: &str, default: &str| {
        format!(
            "query($n: Int{default}) {{ envs({size}: $n) {{ edges {{ node {{ teams({size}: $n) {{ nodes {{ connectors({size}: $n) {{ nodes {{ id }} }} }} }} }} }} }} }}"
        )
    };
    for size in ["first", "last"] {
        root.ask_with(&by(size, ""), json!({"n": 20})).await.data();
        root.ask_with(&by(size, ""), json!({})).await.data();
        too_complex(&root.ask_with(&by(size, ""), json!({"n": 200})).await);
        too_complex(&root.ask_with(&by(size, " = 200"), json!({})).await);
    }
    let spread = "{ envs(first: 200) { ...E } } fragment E on EnvConnection { nodes { teams(first: 200) { ...T } } }
        fragment T on TeamConnection { nodes { connectors(first: 200) { nodes { id } } } }";
    too_complex(&root.ask(spread).await);
    let aliases: String = (0..300).map(|n| format!("a{n}: id ")).collect();
    too_complex(&root.ask(&format!("{{ envs {{ nodes {{ {aliases} }} }} }}")).await);
    let roots: String = (0..120).map(|n| format!("a{n}: serverInfo {{ version }} ")).collect();
    too_complex(&root.ask(&format!("{{ ...R }} fragment R on Query {{ {roots} }}")).await);
    too_complex(&root.ask(&format!("{{ serverInfo {{ version {} }} }}", "@include(if: true) ".repeat(9))).await);
}

#[tokio::test]
async fn what_people_and_tools_ask_for_is_let_through() {
    let server = Server::start().await;
    let root = server.superuser().await;
    root.ask(BOARD).await.data();
    let schema = root.ask(INTROSPECTION).await.data();
    assert!(schema["__schema"]["types"].as_array().is_some_and(|types| types.len() > 100));
    root.ask("{ a: __type(name: \"Env\") { fields { name type { name fields { name } } } } b: __type(name: \"Team\") { name } }")
        .await
        .data();
    too_complex(&root.ask("{ a: __schema { types { name } } b: __schema { types { name } } }").await);
    too_complex(&root.ask("{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }").await);
}

#[tokio::test]
async fn a_subscription_has_one_root_field() {
    let server = Server::start().await;
    let root = server.superuser().await;
    for query in [
        "subscription { a: workerChanged { initial } b: workerChanged { initial } }",
        "subscription { workerChanged { initial } ...S } fragment S on Subscription { syncProgressed { initial } }",
    ] {
        let mut socket = root.subscribe(query, json!({})).await;
        let refusal = socket.message().await.expect("a refusal");
        assert_eq!(refusal["payload"][0]["extensions"]["code"], "GRAPHQL_VALIDATION_FAILED", "{refusal}");
    }
}

#[tokio::test]
async fn an_answer_has_twenty_errors_at_most() {
    let server = Server::start().await;
    let fields: String = (0..200).map(|n| format!("x{n} ")).collect();
    let reply = server.nobody().ask(&format!("{{ serverInfo {{ {fields} }} }}")).await;
    assert_eq!(reply.0["errors"].as_array().map(Vec::len), Some(20));
}

#[tokio::test]
async fn a_query_that_computes_for_long_ends_by_the_deadline() {
    // Without the deadline it would take hours; a program without optimisation on a busy machine looks at it seldom.
    const SOON: Duration = Duration::from_secs(10);
    let mut test = TestSettings { request_timeout: Duration::from_secs(1), ..TestSettings::default() };
    test.server.limits.cost = u64::MAX;
    let server = Server::start_with(test).await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let env = world.env("prod").await;
    let insert = "with u as (insert into \"user\" (id, email, is_active, is_superuser, is_verified, version, updated_at)
            select gen_random_uuid(), 'u' || n || '@example.com', true, false, true, 1, now() from generate_series(1, 150) n returning id)
        insert into env_member (id, timestamp, role, user_id, env_id) select gen_random_uuid(), now(), 'member', id, $1 from u";
    sqlx::query(insert).bind(env).execute(&server.database.pool).await.expect("members");
    let mut rows = "id name".to_owned();
    for _ in 0..4 {
        rows = format!("members(first: 200) {{ nodes {{ role env {{ {rows} }} }} }}");
    }
    let query = format!("{{ envs {{ nodes {{ {rows} }} }} }}");
    let started = Instant::now();
    let asking = root.ask(&query);
    let probing = async {
        let mut slowest = Duration::ZERO;
        for _ in 0..10 {
            let asked = Instant::now();
            assert!(reqwest::get(server.url("/livez")).await.expect("an answer").status().is_success());
            slowest = slowest.max(asked.elapsed());
        }
        slowest
    };
    let (reply, slowest) = tokio::join!(asking, probing);
    assert_eq!(reply.code(), "TIMEOUT", "{}", reply.0);
    assert!(started.elapsed() < SOON, "it took {:?}", started.elapsed());
    assert!(slowest < SOON / 2, "others waited {slowest:?}");
}

/// What GraphQL over HTTP says of a request error.
async fn posted(server: &Server, query: &str, variables: Value) -> (u16, Value) {
    let request = reqwest::Client::new().post(server.url("/graphql")).header("accept", "application/graphql-response+json");
    let answer = request.json(&json!({"query": query, "variables": variables})).send().await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test]
async fn variables_that_do_not_fit_refuse_the_request_before_anything_is_done() {
    let server = Server::start().await;
    let cases = [
        ("query($id: ID!) { env(id: $id) { id } }", json!({}), "id"),
        ("query($id: ID!) { env(id: $id) { id } }", json!({"id": null}), "id"),
        ("query($id: ID!) { env(id: $id) { id } }", json!({"id": true}), "id"),
        ("query($n: Int) { envs(first: $n) { totalCount } }", json!({"n": "1"}), "n"),
        ("query($n: Int) { envs(first: $n) { totalCount } }", json!({"n": 2_147_483_648_i64}), "n"),
        ("query($n: Int) { envs(first: $n) { totalCount } }", json!({"n": 1.5}), "n"),
        ("query($b: Boolean!) { envs @include(if: $b) { totalCount } }", json!({"b": "yes"}), "b"),
        ("query($f: EnvFilter) { envs(filter: $f) { totalCount } }", json!({"f": {"nothing": 1}}), "f.nothing"),
        ("query($f: EnvFilter) { envs(filter: $f) { totalCount } }", json!({"f": {"nameIn": ["a", 1]}}), "f.nameIn.1"),
        ("query($f: EnvFilter) { envs(filter: $f) { totalCount } }", json!({"f": "x"}), "f"),
        ("query($o: [EnvOrder!]) { envs(orderBy: $o) { totalCount } }", json!({"o": {"field": "NOTHING"}}), "o.field"),
        ("mutation($i: LoginInput!) { login(input: $i) { accessToken } }", json!({"i": {"email": "a@example.com"}}), "i.password"),
    ];
    for (query, variables, field) in cases {
        let (status, answer) = posted(&server, query, variables).await;
        assert_eq!((status, answer.get("data")), (400, None), "{query}: {answer}");
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(
            (extensions["code"].as_str(), extensions["field"].as_str()),
            (Some("GRAPHQL_VALIDATION_FAILED"), Some(field)),
            "{answer}"
        );
    }
    let (_, all) = posted(&server, "mutation($i: LoginInput!) { login(input: $i) { accessToken } }", json!({"i": {"x": 1}})).await;
    assert_eq!(all["errors"].as_array().map(Vec::len), Some(3), "every misfit is named: {all}");
    let fits = "query($n: Int = 2, $x: ID, $f: EnvFilter) { serverInfo { version } }";
    let (status, answer) = posted(&server, fits, json!({"f": {"ids": null, "nameIn": "one"}, "nobody": 1})).await;
    assert_eq!(
        (status, answer.get("errors").map(|errors| &errors[0]["extensions"]["field"])),
        (400, Some(&Value::Null)),
        "unused: {answer}"
    );
}

/// The deepest document that the settings can allow, on a thread as the program has them: not optimised, here.
#[test]
fn the_deepest_mutation_that_can_be_allowed_fits_on_the_stack() {
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(deepest());
    std::thread::Builder::new().stack_size(pumphouse::service::STACK).spawn(run).expect("a thread").join().expect("no panic");
}

async fn deepest() {
    let mut settings = TestSettings::default();
    settings.server.limits.depth = 32;
    let server = Server::start_with(settings).await;
    let world = World::of(&server);
    let team = world.team(world.env("prod").await, "core").await;
    let ada = server.user("ada@example.com", false).await;
    ada.ask(&format!("mutation {{ requestToJoinTeam(input: {{teamId: \"{team}\"}}) {{ teamRequest {{ id }} }} }}")).await.data();
    let (opened, closed) = ("teamRequestsSent(first: 1) { nodes { toUser { ".repeat(9), " } } }".repeat(9));
    let document = format!("mutation {{ setActiveEnv(input: {{}}) {{ user {{ {opened} id {closed} }} }} }}");
    let answer = ada.ask(&document).await.data();
    assert!(answer.to_string().contains(&ada.id.to_string()), "{answer}");
}
