//! The playground: with the page in the build and without.

use reqwest::StatusCode;

use super::server;
use crate::support::Server;

#[tokio::test]
async fn the_page_is_served_with_its_policy_or_says_how_to_build_it() {
    let server = Server::start().await;
    let built = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("playground/dist/index.html").exists();
    for path in ["/", "/playground", "/playground/", "/playground/pipelines/an-id", "/playground/explorer?env=an-id"] {
        let answer = reqwest::get(server.url(path)).await.expect("an answer");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
        if built {
            assert_eq!((answer.status(), &answer.headers()["cache-control"]), (StatusCode::OK, &"no-cache".parse().unwrap()));
            let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
            assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
            assert!(answer.text().await.expect("text").contains("<script"));
        } else {
            assert_eq!(answer.status(), StatusCode::NOT_FOUND);
            assert!(answer.text().await.expect("text").contains("make playground"));
        }
    }
    assert_eq!(reqwest::get(server.url("/playground/assets/none.js")).await.unwrap().status(), StatusCode::NOT_FOUND);
    assert_eq!(reqwest::get(server.url("/playground/assets/..%2F..%2FCargo.toml")).await.unwrap().status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_page_can_be_switched_off() {
    let server = server(|settings| settings.playground = false).await;
    assert_eq!(reqwest::get(server.url("/")).await.expect("an answer").status(), StatusCode::NOT_FOUND);
    let answer = reqwest::get(server.url("/playground")).await.expect("an answer");
    assert_eq!((answer.status(), answer.text().await.unwrap().as_str()), (StatusCode::NOT_FOUND, ""));
}
