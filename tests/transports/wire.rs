//! HTTP and the handshake of sockets, byte by byte: what clients send that is unusual, and what is no request at all.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::{server, talk};
use crate::support::Server;

/// A request for the name of the root type with these lines in its head, in the URL.
fn asking(lines: &str) -> String {
    format!("GET /graphql?query=%7B__typename%7D HTTP/1.1\r\n{lines}Connection: close\r\n\r\n")
}

/// A `POST` with this head and body, which ends the connection.
fn posting(lines: &str, body: &str) -> String {
    format!("POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n{lines}\r\n{body}")
}

/// The handshake of a socket with this version and key.
fn handshake(version: &str, key: &str) -> String {
    format!(
        "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: \
         graphql-transport-ws\r\nSec-WebSocket-Version: {version}\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
}

/// The JSON behind the head of an answer.
fn body(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {answer}"))
}

#[tokio::test]
async fn a_client_that_offers_other_versions_of_http_or_tls_gets_its_answer() {
    let server = Server::start().await;
    for offer in ["h2c", "TLS/1.2", "TLS/1.2, h2c"] {
        let answer = talk(&server, &asking(&format!("Host: x\r\nUpgrade: {offer}\r\nHTTP2-Settings: AAMAAABk\r\n"))).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{offer}: {answer}");
        assert_eq!(body(&answer), json!({"data": {"__typename": "Query"}}), "{offer}");
    }
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let server = Server::start().await;
    for (hosts, status) in [("Host: x\r\n", 200), ("", 400), ("Host: x\r\nHost: y\r\n", 400)] {
        let answer = talk(&server, &asking(hosts)).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{hosts:?}: {answer}");
    }
    let old = asking("").replacen("HTTP/1.1", "HTTP/1.0", 1);
    assert!(talk(&server, &old).await.contains(" 200 OK"), "HTTP/1.0 knows no host");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_not_taken_for_one_that_is_too_large() {
    let server = Server::start().await;
    let answer = talk(&server, &posting("Transfer-Encoding: chunked\r\n", "5\r\n{\"que\r\nno length\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(!answer.contains("TOO_COMPLEX"), "{answer}");
}

#[tokio::test]
async fn why_a_body_or_a_parameter_is_no_json_is_said_with_its_place() {
    let server = Server::start().await;
    let sent = r#"{"query": "{ __typename }", "variables": {"x": 1e400}}"#;
    let answer = talk(&server, &posting(&format!("Content-Length: {}\r\n", sent.len()), sent)).await;
    let message = &body(&answer)["errors"][0]["message"];
    assert_eq!(message, "The body cannot be read as JSON: number out of range at line 1 column 52.");
    let answer = talk(&server, &asking("Host: x\r\n").replacen(" HTTP", "&variables=%7Bnope HTTP", 1)).await;
    let message = &body(&answer)["errors"][0]["message"];
    assert_eq!(message, "`variables` in the URL cannot be read as JSON: key must be a string at line 1 column 2.");
}

#[tokio::test]
async fn a_handshake_of_another_version_is_told_ours_and_a_key_must_be_one() {
    let server = Server::start().await;
    let answer = talk(&server, &handshake("8", "dGhlIHNhbXBsZSBub25jZQ==")).await;
    assert!(answer.starts_with("HTTP/1.1 426") && answer.contains("sec-websocket-version: 13"), "{answer}");
    for key in ["short", "c2hvcnQ=", "dGhlIHNhbXBsZSBub25jZSBhbmQgbW9yZQ=="] {
        assert!(talk(&server, &handshake("13", key)).await.starts_with("HTTP/1.1 400"), "{key}");
    }
}

#[tokio::test]
async fn of_several_operations_none_is_carried_out_when_one_is_no_request() {
    let server = server(|settings| settings.limits.batch = 3).await;
    let root = server.superuser().await;
    let sent = json!([{"query": r#"mutation { createEnv(input: { name: "made" }) { env { id } } }"#}, {"query": 7}]);
    let sent =
        reqwest::Client::new().post(server.url("/graphql")).bearer_auth(root.token.as_deref().unwrap_or_default()).json(&sent).send();
    assert_eq!(sent.await.expect("an answer").status(), 400);
    let made = root.ask(r#"{ envs(filter: { search: "made" }) { totalCount } }"#).await.data();
    assert_eq!(made["envs"]["totalCount"], 0);
}

#[tokio::test]
async fn a_handshake_is_answered_with_the_names_of_headers_as_the_client_writes_them() {
    let server = Server::start().await;
    let asked = handshake("13", "dGhlIHNhbXBsZSBub25jZQ==");
    for name in ["Sec-WebSocket-Protocol", "sec-websocket-protocol", "Sec-Websocket-Protocol"] {
        let mut socket = BufReader::new(TcpStream::connect(server.service.address()).await.expect("the server listens"));
        socket.write_all(asked.replace("Sec-WebSocket-Protocol", name).as_bytes()).await.expect("it is sent");
        let mut answer = String::new();
        while !answer.ends_with("\r\n\r\n") {
            assert_ne!(socket.read_line(&mut answer).await.expect("a line"), 0, "{answer}");
        }
        assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
        assert!(answer.contains(&format!("\r\n{name}: graphql-transport-ws\r\n")), "{answer}");
    }
}
