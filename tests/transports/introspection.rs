//! Who is told the schema.

use pumphouse::server::Introspection;
use serde_json::json;

use super::raw::Raw;
use crate::support::Server;

const SCHEMA: &str = "{ __schema { types { name } } }";

async fn sdl(server: &Server, token: Option<&str>) -> u16 {
    let request = reqwest::Client::new().get(server.url("/schema.graphql"));
    let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
    request.send().await.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn without_introspection_nothing_tells_of_the_schema() {
    let closed = super::server(|settings| settings.introspection = Introspection::Nobody).await;
    let root = closed.superuser().await;
    let mut socket = Raw::ready(&closed, root.token.as_deref()).await;
    for document in [SCHEMA, "{ __type(name: \"Env\") { name } }", "{ ...F } fragment F on Query { __schema { types { name } } }"] {
        for caller in [&closed.nobody(), &root] {
            let refused = caller.ask(document).await;
            assert_eq!((refused.code(), refused.0.get("data")), ("FORBIDDEN", None), "{}", refused.0);
            assert_eq!(refused.0["errors"][0]["extensions"]["details"]["guard"], "INTROSPECTION");
        }
        socket.subscribe("1", document).await;
        assert_eq!(socket.hear().await["payload"][0]["extensions"]["code"], "FORBIDDEN");
    }
    assert_eq!(root.ask("{ __typename viewer { user { __typename } } }").await.data()["__typename"], "Query");
    for (query, variables, hidden) in [
        ("{ serverInf { version } }", json!({}), "serverInfo"),
        ("{ envs { node { id } } }", json!({}), "nodes"),
        ("query($o: [EnvOrder!]) { envs(orderBy: $o) { totalCount } }", json!({"o": {"field": "NOTHING"}}), "CREATED_AT"),
        ("mutation($i: LoginInput!) { login(input: $i) { accessToken } }", json!({"i": {"email": "a@example.com"}}), "password"),
        ("{ env { name } }", json!({}), "id"),
        ("mutation { createTeam(input: {}) { team { id } } }", json!({}), "envId"),
        ("{ viewer @include { user { id } } }", json!({}), "\"if\""),
    ] {
        let reply = root.ask_with(query, variables).await;
        let message = reply.message();
        assert!(!message.contains("Did you mean") && !message.contains(hidden), "{}", reply.0);
    }
    socket.subscribe("2", "subscription { workerDirectives { __typename } }").await;
    let refused = socket.hear().await["payload"][0]["message"].clone();
    assert_eq!(refused, "Something that is needed in this place is missing.");
    assert_eq!(sdl(&closed, root.token.as_deref()).await, 404);

    let open = Server::start().await;
    assert!(open.nobody().ask("{ serverInf { version } }").await.message().contains("Did you mean"));
    assert!(open.nobody().ask("{ env { name } }").await.message().contains("id:"));
    assert_eq!(sdl(&open, None).await, 200);
}

#[tokio::test]
async fn the_schema_can_be_told_to_those_alone_who_have_signed_in() {
    let server = super::server(|settings| settings.introspection = Introspection::SignedIn).await;
    let root = server.superuser().await;
    assert!(root.ask(SCHEMA).await.data()["__schema"]["types"].is_array());
    assert_eq!(server.nobody().ask(SCHEMA).await.code(), "FORBIDDEN");
    let token = root.token.clone();
    assert_eq!((sdl(&server, None).await, sdl(&server, token.as_deref()).await), (401, 200));
    assert_eq!(
        (sdl(&server, Some("nonsense")).await, server.with_token("nonsense").ask(SCHEMA).await.code().to_owned()),
        (401, "FORBIDDEN".to_owned())
    );
    root.ask("mutation { logout { expiresAt } }").await.data();
    assert_eq!((sdl(&server, token.as_deref()).await, root.ask(SCHEMA).await.code()), (401, "UNAUTHENTICATED"));
    assert!(!server.nobody().ask("{ serverInf { version } }").await.message().contains("Did you mean"));
}
