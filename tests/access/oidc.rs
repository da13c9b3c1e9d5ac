//! Sign-in by OpenID Connect with a real provider: `oidc-provider` of npm, started by each test.
//!
//! `make test` installs it (`.ci/provider`). The browser of these tests follows redirects, keeps cookies, and fills in
//! the provider's own forms.

use std::collections::HashMap;
use std::net::TcpListener;
use std::process::Stdio;

use pumphouse::access::oidc::OidcSettings;
use pumphouse::core::secret::Secret;
use pumphouse::server::ServerSettings;
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::{Server, TestSettings, World};

const PROVIDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oidc");

/// A port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

/// The provider on this port, for a server on the other.
async fn provider(port: u16, server: u16) -> Child {
    assert!(
        std::path::Path::new(PROVIDER).join("node_modules/oidc-provider").exists(),
        "the provider of identities is not installed: run `make test`, or `npm ci` in tests/oidc (it needs Node 18 or newer)"
    );
    let mut child = Command::new("node")
        .args(["provider.mjs", &port.to_string(), &format!("http://127.0.0.1:{server}/auth/oidc/callback")])
        .current_dir(PROVIDER)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("node starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("ready"));
    // It ends when nobody listens to what it says.
    tokio::spawn(async move { while let Ok(Some(_line)) = lines.next_line().await {} });
    child
}

/// A provider and a server that trusts it.
struct Place {
    server: Server,
    provider: u16,
    running: Child,
}

impl Place {
    async fn open(creates_users: bool) -> Self {
        let (port, own) = (free_port(), free_port());
        let running = provider(port, own).await;
        let oidc = OidcSettings {
            issuer: Url::parse(&format!("http://127.0.0.1:{port}")).expect("a URL"),
            client_id: "pumphouse".to_owned(),
            client_secret: Some(Secret::new("between us".to_owned())),
            public_url: Url::parse(&format!("http://127.0.0.1:{own}")).expect("a URL"),
            creates_users,
        };
        let settings = ServerSettings::at(([127, 0, 0, 1], own).into());
        let server = Server::start_with(TestSettings { oidc: Some(oidc), server: settings, ..TestSettings::default() }).await;
        Self { server, provider: port, running }
    }

    async fn sign_in(&self, email: &str) -> HashMap<String, String> {
        Browser::default().sign_in(&self.server, email).await
    }
}

/// A browser.
struct Browser {
    http: Client,
    cookies: HashMap<String, String>,
}

impl Default for Browser {
    fn default() -> Self {
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        Self { http, cookies: HashMap::new() }
    }
}

impl Browser {
    async fn send(&mut self, request: reqwest::RequestBuilder) -> Response {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let response = request.header(COOKIE, cookies.join("; ")).send().await.expect("an answer");
        for cookie in response.headers().get_all(SET_COOKIE) {
            let (name, rest) = cookie.to_str().expect("text").split_once('=').expect("a cookie");
            let value = rest.split(';').next().unwrap_or_default();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }

    /// Follows redirects to a page, or to the place where the sign-in ends.
    async fn follow(&mut self, mut response: Response) -> Result<(Url, String), String> {
        loop {
            let Some(to) = response.headers().get(LOCATION) else {
                return Ok((response.url().clone(), response.text().await.expect("a page")));
            };
            let to = to.to_str().expect("text").to_owned();
            if to.starts_with("/playground#") {
                return Err(to);
            }
            let to = response.url().join(&to).expect("a URL");
            response = self.send(self.http.get(to)).await;
        }
    }

    /// Goes to the provider, signs in there and comes back; answers what the page is handed.
    async fn sign_in(&mut self, server: &Server, email: &str) -> HashMap<String, String> {
        let mut response = self.send(self.http.get(server.url("/auth/oidc?return_to=/playground"))).await;
        for fields in [vec![("prompt", "login"), ("login", email), ("password", "x")], vec![("prompt", "consent")]] {
            match self.follow(response).await {
                Err(end) => return fragment(&end),
                Ok((url, page)) => {
                    let action = page.split("action=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a form");
                    let action = url.join(action).expect("a URL");
                    response = self.send(self.http.post(action).form(&fields)).await;
                }
            }
        }
        fragment(&self.follow(response).await.expect_err("the way back"))
    }
}

fn fragment(end: &str) -> HashMap<String, String> {
    let (_, fragment) = end.split_once('#').expect("a fragment");
    reqwest::Url::parse(&format!("http://x/?{fragment}")).expect("pairs").query_pairs().into_owned().collect()
}

async fn who(place: &Place, token: &str) -> Value {
    place.server.with_token(token).ask("{ viewer { user { id email isVerified isSuperuser } } }").await.data()["viewer"]["user"].clone()
}

#[tokio::test]
async fn a_person_whom_nobody_knows_yet_is_given_a_user_without_a_password() {
    let place = Place::open(true).await;
    assert_eq!(place.server.nobody().ask("{ serverInfo { oidcSignIn } }").await.data()["serverInfo"]["oidcSignIn"], "/auth/oidc");
    let handed = place.sign_in("Ada@Example.com").await;
    let user = who(&place, &handed["access_token"]).await;
    assert_eq!((&user["email"], &user["isVerified"], &user["isSuperuser"]), (&json!("ada@example.com"), &json!(true), &json!(false)));
    let pool = &place.server.database.pool;
    let hash: Option<String> = sqlx::query_scalar("select hashed_password from \"user\"").fetch_one(pool).await.expect("one user");
    assert_eq!(hash, None);
    let verbs: Vec<String> =
        sqlx::query_scalar("select action from user_log order by timestamp, id").fetch_all(pool).await.expect("the log");
    assert_eq!(verbs, ["create", "login"]);
    // Once more, under another address: the subject counts.
    let again = place.sign_in("ada+new@example.com").await;
    assert_eq!(who(&place, &again["access_token"]).await["id"], user["id"]);
}

#[tokio::test]
async fn a_user_is_matched_by_an_address_that_the_provider_has_checked() {
    let place = Place::open(false).await;
    let known = place.server.user_with_password("ada@example.com", true).await;
    let handed = place.sign_in("ada@example.com").await;
    assert_eq!(who(&place, &handed["access_token"]).await["id"], json!(known));
    for email in ["stranger@example.com", "unverified@example.com"] {
        let refused = place.sign_in(email).await;
        assert_eq!(refused["error"], "UNAUTHENTICATED", "{email}");
        assert!(!refused.contains_key("access_token"));
    }
}

#[tokio::test]
async fn an_address_that_was_not_checked_takes_over_nobody() {
    let place = Place::open(true).await;
    place.server.user("unverified@example.com", true).await;
    assert_eq!(place.sign_in("unverified@example.com").await["error"], "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_deactivated_user_and_a_service_account_do_not_come_in() {
    let place = Place::open(true).await;
    let world = World::of(&place.server);
    let gone = place.server.user("gone@example.com", false).await;
    sqlx::query("update \"user\" set is_active = false where id = $1").bind(gone.id).execute(&world.pool).await.expect("an update");
    let robot = place.server.user("robot@example.com", false).await;
    sqlx::query("insert into service_account_user (id, name, user_id) values (gen_random_uuid(), 'robot', $1)")
        .bind(robot.id)
        .execute(&world.pool)
        .await
        .expect("an account");
    for email in ["gone@example.com", "robot@example.com"] {
        assert_eq!(place.sign_in(email).await["error"], "UNAUTHENTICATED", "{email}");
    }
}

#[tokio::test]
async fn a_way_back_that_did_not_begin_in_this_browser_leads_nowhere() {
    let place = Place::open(true).await;
    let url = |path: &str| place.server.url(path);
    let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let left = http.get(url("/auth/oidc")).send().await.expect("an answer");
    assert_eq!(left.status(), StatusCode::SEE_OTHER);
    let state = Url::parse(left.headers()[LOCATION].to_str().expect("text")).expect("a URL");
    let state = state.query_pairs().find(|(name, _)| name == "state").expect("a state").1.into_owned();
    // Somebody else's browser, without the cookie; then with it, but with a code that nobody gave.
    let stolen = http.get(url(&format!("/auth/oidc/callback?state={state}&code=x"))).send().await.expect("an answer");
    assert_eq!(stolen.status(), StatusCode::BAD_REQUEST);
    let with_cookie =
        || http.get(url(&format!("/auth/oidc/callback?state={state}&code=x"))).header(COOKIE, format!("pumphouse_oidc={state}"));
    let forged = with_cookie().send().await.expect("an answer");
    assert!(forged.headers()[LOCATION].to_str().expect("text").starts_with("/playground#error=UNAUTHENTICATED"));
    assert_eq!(with_cookie().send().await.expect("an answer").status(), StatusCode::BAD_REQUEST, "a state counts once");
    for to in ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"] {
        let refused = http.get(url("/auth/oidc")).query(&[("return_to", to)]).send().await.expect("an answer");
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{to}");
    }
}

#[tokio::test]
async fn a_provider_that_has_changed_its_keys_is_read_again_and_one_that_is_away_is_said_to_be() {
    let mut place = Place::open(true).await;
    place.sign_in("ada@example.com").await;
    place.running.kill().await.expect("the provider ends");
    let own = place.server.service.address().port();
    place.running = provider(place.provider, own).await;
    assert!(place.sign_in("ada@example.com").await.contains_key("access_token"));
    drop(place);

    let settings = OidcSettings {
        issuer: Url::parse("http://127.0.0.1:1").expect("a URL"),
        client_id: "pumphouse".to_owned(),
        client_secret: None,
        public_url: Url::parse("http://127.0.0.1:2").expect("a URL"),
        creates_users: true,
    };
    let server = Server::start_with(TestSettings { oidc: Some(settings), ..TestSettings::default() }).await;
    assert_eq!(reqwest::get(server.url("/auth/oidc")).await.expect("an answer").status(), StatusCode::SERVICE_UNAVAILABLE);
    let server = Server::start().await;
    assert_eq!(reqwest::get(server.url("/auth/oidc")).await.expect("an answer").status(), StatusCode::NOT_FOUND);
}
