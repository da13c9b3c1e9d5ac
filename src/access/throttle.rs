//! How often a password may be tried: for each account and for each address, counted in the database.
//!
//! Always holds: the count is shared by replicas and survives restarts; it is asked before a password is hashed; from
//! then on a task of its own goes to the end, so that who hangs up is counted too, while who only waits just leaves; accounts that do not exist are counted like
//! those that do. Between the question and the count lie only the hashes under way, a few a replica. Not here: how
//! passwords are hashed (`core/password.rs`).

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use serde_json::json;
use sqlx::{PgConnection, Row as _};

use crate::access::User;
use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::password::{self, Turn};
use crate::core::secret::Secret;
use crate::core::sql::Sql;
use crate::core::task;
use crate::core::verb::Verb;

/// Failures of one account in one window of which each is a row of the audit log; of the others only the one that
/// closes the account. So nobody without a password can fill the log: the address' limit bounds the accounts.
const TOLD: i32 = 3;
/// Rows of ended windows that are taken away with each failure, which adds two at most.
const EVICTED: i64 = 50;

/// How often signing in may fail.
#[derive(Clone, Copy, Debug)]
pub struct SignInLimits {
    /// Failures of one account in a window.
    pub per_account: i32,
    /// Failures from one address in a window.
    pub per_address: i32,
    /// How long a window lasts from its first failure on.
    pub window: Duration,
}

impl Default for SignInLimits {
    fn default() -> Self {
        Self { per_account: 10, per_address: 100, window: Duration::from_mins(15) }
    }
}

/// Where a request came from, as the transports know it.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// What is counted together: an address of version 6 stands for its /64, which its user has whole.
    #[must_use]
    pub fn network(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address @ IpAddr::V4(_) => address,
        }
    }

    fn name(self) -> String {
        self.network().to_string()
    }
}

/// What a password is tried under.
#[derive(Clone)]
pub struct Throttle {
    /// Where failures are counted.
    pub db: Db,
    /// How many may be.
    pub limits: SignInLimits,
    /// Where the request came from; none for this process itself.
    pub address: Option<ClientAddress>,
    /// The id of the request, for the audit.
    pub request: Option<String>,
}

/// One try, which has its turn to hash.
pub(super) struct Attempt {
    throttle: Throttle,
    turn: Turn,
    account: String,
}

impl Throttle {
    /// Waits for the turn to try a password of this account.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the time to wait, when too many tries have failed, or too many wait.
    pub(super) async fn attempt(self, account: String) -> Result<Attempt> {
        let turn = password::turn().await?;
        let sql = Sql::new("select ceil(extract(epoch from max(a.ends_at) - clock_timestamp()))::integer from pumphouse.login_attempt a")
            .text(" where a.ends_at > clock_timestamp() and (a.kind = 'account' and a.name = ")
            .value(account.clone())
            .with(" and a.failures >= ", self.limits.per_account)
            .with(" or a.kind = 'address' and a.name = ", self.address.map(ClientAddress::name))
            .with(" and a.failures >= ", self.limits.per_address)
            .text(")");
        let rows = self.db.rows(sql).await?;
        let seconds: Option<i32> = rows.first().map_or(Ok(None), |row| row.try_get(0))?;
        match seconds {
            Some(seconds) => Err(closed(seconds)),
            None => Ok(Attempt { throttle: self, turn, account }),
        }
    }

    /// Forgets the failures of an account whose owner has shown the right password.
    ///
    /// # Errors
    /// When the database refuses it.
    pub(super) async fn passed(connection: &mut PgConnection, account: &str) -> Result<()> {
        let sql = Sql::new("delete from pumphouse.login_attempt where kind = 'account' and name = ").value(account.to_owned());
        rows_on(connection, sql).await?;
        Ok(())
    }

    /// Counts a failure; answers which one of the account it is.
    async fn count(&self, connection: &mut PgConnection, account: String) -> Result<i32> {
        let window = self.limits.window;
        let mut sql = Sql::new("insert into pumphouse.login_attempt as a (kind, name, failures, ends_at) values ('account', ")
            .value(account)
            .with(", 1, clock_timestamp() + ", window)
            .text(")");
        if let Some(address) = self.address {
            sql = sql.with(", ('address', ", address.name()).with(", 1, clock_timestamp() + ", window).text(")");
        }
        let sql = sql
            .text(" on conflict (kind, name) do update set failures = case when a.ends_at > clock_timestamp() then a.failures + 1 else 1 end,")
            .text(" ends_at = case when a.ends_at > clock_timestamp() then a.ends_at else excluded.ends_at end returning failures");
        let rows = rows_on(connection, sql).await?;
        let sql = Sql::new("delete from pumphouse.login_attempt where (kind, name) in (select kind, name from pumphouse.login_attempt")
            .with(" where ends_at <= clock_timestamp() limit ", EVICTED)
            .text(" for update skip locked)");
        rows_on(connection, sql).await?;
        Ok(rows.first().map_or(Ok(1), |row| row.try_get(0))?)
    }
}

impl Attempt {
    /// Whether the password is right. A wrong one is counted, and told in the audit log as far as the log bears it.
    ///
    /// # Errors
    /// When the machine cannot hash, or the failure not be counted.
    pub(super) async fn judge(self, password: Secret<String>, hash: Option<String>, actor: Actor) -> Result<bool> {
        let judged = task::to_the_end("password", self.judge_now(password, hash, actor)).await;
        judged.ok_or_else(|| Error::invariant("checking a password has panicked"))?
    }

    async fn judge_now(self, password: Secret<String>, hash: Option<String>, actor: Actor) -> Result<bool> {
        let (right, _turn) = self.turn.verify(&password, hash).await?;
        if right {
            return Ok(true);
        }
        let Throttle { db, limits, request, .. } = &self.throttle;
        let mut transaction = db.begin().await?;
        let failure = self.throttle.count(&mut transaction, self.account).await?;
        if failure <= TOLD || failure == limits.per_account {
            let about = About { id: actor.user_id(), ..About::row::<User>(Id::random()) };
            audit::record(&mut transaction, &actor, Verb::LoginFailed, about, request.as_deref()).await?;
        }
        transaction.commit().await?;
        Ok(false)
    }
}

fn closed(seconds: i32) -> Error {
    let seconds = seconds.max(1);
    let wait = match seconds {
        1 => "a second".to_owned(),
        2..=119 => format!("{seconds} seconds"),
        _ => format!("{} minutes", (seconds + 59) / 60),
    };
    Error::rate_limited(format!("Too many sign-ins have failed; try again in {wait}.")).details(json!({"retryAfterSeconds": seconds}))
}
