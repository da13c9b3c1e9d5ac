//! The API behind one or several addresses, for many tokens.
//!
//! Always holds: at most so many requests are under way at a time, over as many connections, whatever the number of
//! workers; a request that got no answer is sent again, to the next address, under the same key or batch, until it is
//! answered or nobody answered for a minute. Not here: what the answers mean.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use graphql_client::{GraphQLQuery, QueryBody};
use reqwest::Client;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use url::Url;

use super::Settings;
use super::error::FleetError;
use super::graph::{SignIn, sign_in};
use super::ledger::Ledger;
use crate::core::lock::lock;
use crate::core::secret::Secret;
use crate::worker::api::{Api, ApiError, client};
use crate::worker::backoff::Backoff;

/// How long an API that does not answer is tried.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// An answer, and how often it was asked for: an earlier attempt may have had its effect.
pub(super) struct Answer<D> {
    pub(super) data: D,
    pub(super) repeated: bool,
}

/// The way to the API.
pub(super) struct Doors<'a> {
    client: Client,
    settings: &'a Settings,
    ledger: &'a Ledger,
    /// Which address answers; the next is tried when it does not.
    door: AtomicUsize,
    permits: Semaphore,
    administrator: Mutex<Secret<String>>,
    /// Of the keys under which mutations happen once.
    keys: AtomicU64,
    run: String,
}

impl<'a> Doors<'a> {
    /// Signs in.
    pub(super) async fn open(settings: &'a Settings, ledger: &'a Ledger, run: &str) -> Result<Self, FleetError> {
        let doors = Self {
            client: client(concat!("pumphouse-fleet/", env!("CARGO_PKG_VERSION")))?,
            settings,
            ledger,
            door: AtomicUsize::new(0),
            permits: Semaphore::new(settings.connections),
            administrator: Mutex::new(Secret::new(String::new())),
            keys: AtomicU64::new(0),
            run: run.to_owned(),
        };
        doors.sign_in().await.map_err(|error| FleetError::of("the sign-in", error))?;
        Ok(doors)
    }

    async fn sign_in(&self) -> Result<(), ApiError> {
        let (email, password) = (self.settings.email.clone(), self.settings.password.reveal().clone());
        let body = SignIn::build_query(sign_in::Variables { email, password });
        let answer: Answer<sign_in::ResponseData> = self.ask(None, &body, None).await?;
        *lock(&self.administrator) = Secret::new(answer.data.login.access_token);
        Ok(())
    }

    /// Asks as the administrator, for what may happen twice.
    pub(super) async fn read<Q: GraphQLQuery>(&self, variables: Q::Variables) -> Result<Q::ResponseData, ApiError> {
        self.administer(&Q::build_query(variables), None).await
    }

    /// Asks as the administrator, for what happens once however often it has to be asked.
    pub(super) async fn once<Q: GraphQLQuery>(&self, variables: Q::Variables) -> Result<Q::ResponseData, ApiError> {
        let key = format!("{}-{}", self.run, self.keys.fetch_add(1, Ordering::Relaxed));
        self.administer(&Q::build_query(variables), Some(&key)).await
    }

    async fn administer<V: Serialize, D: DeserializeOwned>(&self, body: &QueryBody<V>, key: Option<&str>) -> Result<D, ApiError> {
        let token = || lock(&self.administrator).clone();
        match self.ask(Some(&token()), body, key).await {
            // The session has ended: a fleet may run for days.
            Err(ApiError::Superseded(_)) => {
                self.sign_in().await?;
                Ok(self.ask(Some(&token()), body, key).await?.data)
            }
            answer => Ok(answer?.data),
        }
    }

    /// Asks as a worker.
    pub(super) async fn work<Q: GraphQLQuery>(
        &self,
        token: &Secret<String>,
        variables: Q::Variables,
    ) -> Result<Answer<Q::ResponseData>, ApiError> {
        self.ask(Some(token), &Q::build_query(variables), None).await
    }

    async fn ask<V: Serialize, D: DeserializeOwned>(
        &self,
        token: Option<&Secret<String>>,
        body: &QueryBody<V>,
        key: Option<&str>,
    ) -> Result<Answer<D>, ApiError> {
        let end = Instant::now() + PATIENCE;
        let mut backoff = Backoff::new();
        let mut repeated = false;
        loop {
            let door = self.door.load(Ordering::Relaxed);
            match self.attempt(door, token, body, key).await {
                Ok(data) => return Ok(Answer { data, repeated }),
                Err(ApiError::Transient(reason)) => {
                    self.ledger.count("requests without an answer, sent again");
                    let wait = backoff.next();
                    if Instant::now() + wait > end {
                        return Err(ApiError::Transient(reason));
                    }
                    // Who comes second finds the next address chosen already.
                    let next = (door + 1).checked_rem(self.settings.urls.len()).unwrap_or_default();
                    let _ = self.door.compare_exchange(door, next, Ordering::Relaxed, Ordering::Relaxed);
                    repeated = true;
                    sleep(wait).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn attempt<V: Serialize, D: DeserializeOwned>(
        &self,
        door: usize,
        token: Option<&Secret<String>>,
        body: &QueryBody<V>,
        key: Option<&str>,
    ) -> Result<D, ApiError> {
        let broken = |reason: String| ApiError::Transient(reason);
        let _permit = self.permits.acquire().await.map_err(|error| broken(error.to_string()))?;
        self.ledger.count("requests");
        let url: Url = self.settings.urls.get(door).cloned().ok_or_else(|| broken("there is no address".to_owned()))?;
        let api = Api::with(self.client.clone(), url, token).map_err(|error| broken(error.to_string()))?;
        api.execute_once(body, key).await
    }
}
