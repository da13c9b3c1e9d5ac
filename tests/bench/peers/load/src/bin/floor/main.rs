//! The floor: what a server in Rust costs that has no GraphQL, no rights and no audit.
//! `floor --port 4100 --ws-port 4101 --dir servers/floor`
//!
//! Always holds: a body `{"q": "q1", "variables": {...}}` names a file of the folder, which is one prepared statement; its first line
//! names the variables, and its one column is the answer. `q1` to `q3` are made of plain rows instead (`rows.rs`), which is
//! cheaper. One thread serves, over eight connections that are shared by pipelining.

mod json;
mod live;
mod rows;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bench_load::{Outcome, needed};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Statement};

const CONNECTIONS: usize = 8;

/// A statement and the names of its variables.
type Prepared = (Statement, Vec<String>);

struct Connection {
    client: Client,
    files: HashMap<String, Prepared>,
    rows: rows::Statements,
}

struct Floor {
    connections: Vec<Connection>,
    next: AtomicUsize,
}

fn main() -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(serve())
}

async fn serve() -> Outcome<()> {
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        let (client, connection) = tokio_postgres::connect(&database()?, NoTls).await?;
        tokio::spawn(connection);
        let (files, rows) = (prepare(&client).await?, rows::Statements::prepare(&client).await?);
        connections.push(Connection { client, files, rows });
    }
    let floor = Arc::new(Floor { connections, next: AtomicUsize::new(0) });
    tokio::spawn(live::serve(needed("ws-port")?, database()?));
    let listener = TcpListener::bind(format!("127.0.0.1:{}", needed("port")?)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let floor = Arc::clone(&floor);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&floor), request));
            let stream = hyper_util::rt::TokioIo::new(stream);
            hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await
        });
    }
}

fn database() -> Outcome<String> {
    let of = |name| std::env::var(name);
    Ok(format!("host={} port={} user={} dbname={}", of("PGHOST")?, of("PGPORT")?, of("PGUSER")?, of("PGDATABASE")?))
}

/// The statements of the folder.
async fn prepare(client: &Client) -> Outcome<HashMap<String, Prepared>> {
    let mut files = HashMap::new();
    for entry in std::fs::read_dir(needed("dir")?)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            let text = std::fs::read_to_string(&path)?;
            let (names, statement) = text.split_once('\n').ok_or("a statement begins with a line of names")?;
            let names = names.trim_start_matches("--").split_whitespace().map(str::to_owned).collect();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, (client.prepare(statement).await?, names));
        }
    }
    Ok(files)
}

async fn answer(floor: Arc<Floor>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let text = match work(&floor, request).await {
        Ok(text) => text,
        Err(error) => json!({"errors": [{"message": error.to_string()}]}).to_string().into_bytes(),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("application/json"));
    Ok(response)
}

async fn work(floor: &Floor, request: Request<Incoming>) -> Outcome<Vec<u8>> {
    let body: Value = serde_json::from_slice(&request.into_body().collect().await?.to_bytes())?;
    let connection = &floor.connections[floor.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS];
    let (name, variables) = (body["q"].as_str().unwrap_or(""), &body["variables"]);
    if let Some(answer) = rows::answer(&connection.client, &connection.rows, name, variables).await? {
        return Ok(answer);
    }
    let (statement, names) = connection.files.get(name).ok_or("no such statement")?;
    let mut values: Vec<Box<dyn ToSql + Sync + Send>> = Vec::new();
    for (name, kind) in names.iter().zip(statement.params()) {
        let text = variables[name].as_str().unwrap_or("");
        values.push(if *kind == Type::UUID { Box::new(text.parse::<uuid::Uuid>()?) } else { Box::new(text.to_owned()) });
    }
    let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| &**value as _).collect();
    let row = connection.client.query_one(statement, &values).await?;
    let data: &str = row.try_get(0)?;
    Ok(format!("{{\"data\":{data}}}").into_bytes())
}
