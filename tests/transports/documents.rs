//! Documents by their hash: automatic persisted queries, and servers that run trusted documents alone.

use pumphouse::server::TrustedDocuments;
use pumphouse::worker::DOCUMENTS;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::raw::Raw;
use super::server;
use crate::support::Server;

const VERSION: &str = "query Version { serverInfo { version } }";

fn hash(document: &str) -> String {
    Sha256::digest(document).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn persisted(document: &str) -> Value {
    json!({"persistedQuery": {"version": 1, "sha256Hash": hash(document)}})
}

async fn post(server: &Server, body: &Value) -> (u16, Value) {
    let sent = reqwest::Client::new().post(server.url("/graphql")).header("accept", "application/graphql-response+json").json(body);
    let answer = sent.send().await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

fn code(answer: &Value) -> &str {
    answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_document_that_was_sent_once_with_its_hash_is_known_by_it_on_every_transport() {
    let server = Server::start().await;
    let by_hash = json!({"extensions": persisted(VERSION)});
    let (status, answer) = post(&server, &by_hash).await;
    assert_eq!((status, code(&answer)), (400, "PERSISTED_QUERY_NOT_FOUND"), "{answer}");
    assert_eq!(answer["errors"][0]["message"], "PersistedQueryNotFound", "as clients of Apollo's know it");
    let (_, whole) = post(&server, &json!({"query": VERSION, "extensions": persisted(VERSION)})).await;
    assert!(whole["data"]["serverInfo"]["version"].is_string(), "{whole}");
    assert_eq!(post(&server, &by_hash).await, (200, whole.clone()));

    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("extensions", &persisted(VERSION).to_string()).finish();
    let got = reqwest::get(server.url(&format!("/graphql?{query}"))).await.expect("an answer");
    assert_eq!(got.json::<Value>().await.expect("JSON"), whole);
    let got = reqwest::get(server.url(&format!("/graphql?documentId=sha256:{}", hash(VERSION)))).await.expect("an answer");
    assert_eq!(got.json::<Value>().await.expect("JSON"), whole, "by its id in an address as well");
    let mut socket = Raw::ready(&server, None).await;
    socket.say(json!({"id": "1", "type": "subscribe", "payload": by_hash})).await;
    assert_eq!(socket.hear().await["payload"], whole);
    assert_eq!(socket.hear().await["type"], "complete");
    socket.say(json!({"id": "1", "type": "subscribe", "payload": {"extensions": persisted("{ __typename }")}})).await;
    assert_eq!(socket.hear().await["payload"][0]["extensions"]["code"], "PERSISTED_QUERY_NOT_FOUND");
}

#[tokio::test]
async fn a_hash_is_kept_for_its_own_document_alone_and_only_once_that_has_passed_the_limits() {
    let server = Server::start().await;
    let (status, answer) = post(&server, &json!({"query": "{ __typename }", "extensions": persisted(VERSION)})).await;
    assert_eq!((status, code(&answer)), (400, "GRAPHQL_PARSE_FAILED"), "{answer}");
    let hostile = format!("{{ __typename {} }}", "@include(if: true) ".repeat(9));
    assert_eq!(code(&post(&server, &json!({"query": hostile, "extensions": persisted(&hostile)})).await.1), "TOO_COMPLEX");
    for unknown in [VERSION, &hostile] {
        assert_eq!(code(&post(&server, &json!({"extensions": persisted(unknown)})).await.1), "PERSISTED_QUERY_NOT_FOUND");
    }
    // A mutation by GET is none by its hash either.
    let logout = "mutation { logout { expiresAt } }";
    post(&server, &json!({"query": logout, "extensions": persisted(logout)})).await;
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("extensions", &persisted(logout).to_string()).finish();
    assert_eq!(reqwest::get(server.url(&format!("/graphql?{query}"))).await.expect("an answer").status(), 405);

    let without = super::server(|settings| settings.document_memory = 0).await;
    assert_eq!(post(&without, &json!({"extensions": persisted(VERSION)})).await.1["errors"][0]["message"], "PersistedQueryNotSupported");
    assert!(post(&without, &json!({"query": VERSION, "extensions": persisted(VERSION)})).await.1["data"].is_object());
}

#[tokio::test]
async fn who_brings_no_token_pushes_out_no_document_of_others() {
    let text = |n: usize| format!("query Version{n:04} {{ serverInfo {{ version }} }}");
    // With what a document costs beside its text, four fit.
    let server = server(|settings| settings.document_memory = 1_000).await;
    let root = server.superuser().await;
    let by_hash = |n: usize| json!({"extensions": persisted(&text(n))});
    for n in 0..20 {
        let (_, whole) = post(&server, &json!({"query": text(n), "extensions": persisted(&text(n))})).await;
        assert!(whole["data"].is_object(), "it is carried out all the same: {whole}");
    }
    assert!(post(&server, &by_hash(0)).await.1["data"].is_object());
    assert_eq!(code(&post(&server, &by_hash(19)).await.1), "PERSISTED_QUERY_NOT_FOUND");
    for n in 20..24 {
        let request = reqwest::Client::new().post(server.url("/graphql")).bearer_auth(root.token.as_deref().expect("a token"));
        request.json(&json!({"query": text(n), "extensions": persisted(&text(n))})).send().await.expect("an answer");
    }
    assert!(post(&server, &by_hash(23)).await.1["data"].is_object(), "somebody with a token is made room for");
    assert_eq!(code(&post(&server, &by_hash(1)).await.1), "PERSISTED_QUERY_NOT_FOUND");
}

/// A folder that goes with its test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, String)]) -> Self {
        let path = std::env::temp_dir().join(format!("pumphouse-documents-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        for (name, text) in files {
            std::fs::write(path.join(name), text).expect("a file");
        }
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn where_documents_are_trusted_no_other_is_run_whole_or_by_hash() {
    let (file, listed, mapped) = (VERSION, "query Envs { envs { totalCount } }", "subscription Live { workerChanged { initial } }");
    let apollo = json!({"format": "apollo-persisted-query-manifest", "version": 1,
        "operations": [{"id": hash(listed), "name": "Envs", "type": "query", "body": listed}]});
    let files = [
        ("version.graphql", file.to_owned()),
        ("manifest.json", apollo.to_string()),
        ("others.json", json!({format!("sha256:{}", hash(mapped)): mapped}).to_string()),
        ("README.md", "no document".to_owned()),
    ];
    let folder = Folder::new("trusted", &files);
    let trusted = TrustedDocuments::read(&folder.0).expect("documents").and(DOCUMENTS);
    let server = server(|settings| settings.trusted_documents = Some(trusted)).await;
    let root = server.superuser().await;
    for document in [file, listed] {
        assert!(root.ask(document).await.0.get("errors").is_none());
        for body in [json!({"extensions": persisted(document)}), json!({"documentId": format!("sha256:{}", hash(document))})] {
            let (_, answer) = post(&server, &body).await;
            assert!(answer.get("data").is_some(), "{answer}");
        }
    }
    let before = server.service.db().statements();
    let strange = format!("{VERSION} ");
    for document in ["{ serverInfo { version } }", "{ __schema { types { name } } }", &strange, "{"] {
        let refused = root.ask(document).await;
        assert_eq!((refused.code(), &refused.0["errors"][0]["extensions"]["details"]["guard"]), ("FORBIDDEN", &json!("TRUSTED_DOCUMENTS")));
        let (_, answer) = post(&server, &json!({"query": document, "extensions": persisted(document)})).await;
        assert_eq!(code(&answer), "FORBIDDEN", "nothing is learnt");
        assert_eq!(code(&post(&server, &json!({"extensions": persisted(document)})).await.1), "PERSISTED_QUERY_NOT_FOUND");
    }
    assert_eq!(server.service.db().statements(), before);
    let mut socket = Raw::ready(&server, root.token.as_deref()).await;
    socket.subscribe("1", "{ serverInfo { version } }").await;
    assert_eq!(socket.hear().await["payload"][0]["extensions"]["code"], "FORBIDDEN");
    socket.say(json!({"id": "1", "type": "subscribe", "payload": {"extensions": persisted(mapped)}})).await;
    socket.say(json!({"type": "ping"})).await;
    assert_eq!(socket.hear().await["type"], "pong", "it runs");
}

#[test]
fn documents_that_cannot_be_trusted_are_named() {
    let wrong = json!({hash("{ a }"): "{ b }"}).to_string();
    for (name, file, text, said) in [
        ("empty", "notes.md", String::new(), "there is no document"),
        ("mislabelled", "manifest.json", wrong, "another SHA-256"),
        ("none", "manifest.json", "[]".to_owned(), "neither"),
        (
            "sha1",
            "manifest.json",
            json!({"da39a3ee5e6b4b0d3255bfef95601890afd80709": "{ a }"}).to_string(),
            "is no SHA-256 in hexadecimal digits",
        ),
        ("broken", "a.graphql", "query A {\n  a(\n".to_owned(), "a.graphql: line and column "),
        ("broken-listed", "manifest.json", json!({hash("{ a"): "{ a"}).to_string(), ", line and column 1:"),
    ] {
        let folder = Folder::new(name, &[(file, text)]);
        let error = TrustedDocuments::read(&folder.0).expect_err("a refusal").to_string();
        assert!(error.contains(said), "{error}");
    }
    let missing = TrustedDocuments::read(std::path::Path::new("/nowhere.graphql")).expect_err("a refusal").to_string();
    assert_eq!(missing, "/nowhere.graphql does not exist");
}

#[test]
fn what_workers_ask_is_always_trusted() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/worker/documents");
    let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let mut missing: Vec<_> = files.filter(|file| !DOCUMENTS.contains(&std::fs::read_to_string(file).expect("text").as_str())).collect();
    missing.sort();
    assert!(missing.is_empty(), "not in worker::DOCUMENTS: {missing:?}");
}
