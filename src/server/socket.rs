//! GraphQL over WebSocket, by the protocol `graphql-transport-ws`.

use async_graphql::Data;
use async_graphql_axum::{GraphQLProtocol, GraphQLWebSocket};
use axum::extract::{State, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use metrics::gauge;

use crate::core::metric;
use crate::server::auth::Presented;
use crate::server::engine::{Engine, Session};

/// The buffer that each socket reads into: axum's own default costs 128 KiB a socket.
const READ_BUFFER: usize = 4 * 1024;

/// Takes a socket.
pub(crate) async fn upgrade(
    State(engine): State<Engine>,
    protocol: GraphQLProtocol,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let of_headers = Presented::of_headers(&engine.app.token_key, &headers);
    let limit = engine.app.settings.body_limit;
    upgrade.protocols(["graphql-transport-ws"]).read_buffer_size(READ_BUFFER).max_message_size(limit).on_upgrade(move |socket| async move {
        gauge!(metric::SOCKETS).increment(1);
        let key = engine.app.token_key.clone();
        let init = move |payload: serde_json::Value| async move {
            let given = payload.get("authorization").or_else(|| payload.get("Authorization")).and_then(serde_json::Value::as_str);
            let presented = if given.is_some() { Presented::read(&key, given) } else { of_headers };
            let mut data = Data::default();
            data.insert(Session(presented));
            Ok(data)
        };
        GraphQLWebSocket::new(socket, engine, protocol).on_connection_init(init).serve().await;
        gauge!(metric::SOCKETS).decrement(1);
    })
}
