//! Rate limits on password attempts, per account and per address, counted in the database.
//!
//! Always holds: counts are shared by replicas and survive restarts. The limit is checked before a password is hashed. From
//! then on a separate task runs to completion, so an attempt is counted even if the client disconnects; a client that is
//! still waiting for its turn just leaves. Accounts that do not exist are counted like those that do. Between check and
//! count, only the hashes in progress can exceed the limit, a few per replica. Not here: how passwords are hashed
//! (`core/password.rs`).

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

/// The number of failures per account and window that are each written to the audit log. Of later ones only the failure that
/// locks the account is. So nobody without a password can fill the log: the limit per address bounds the number of accounts.
const AUDITED_FAILURES: i32 = 3;
/// The number of rows of expired windows that each failure deletes; it adds at most two.
const EVICTED_PER_FAILURE: i64 = 50;

/// The limits on failed sign-ins.
#[derive(Clone, Copy, Debug)]
pub struct SignInLimits {
    /// The maximum number of failures per account in a window.
    pub per_account: i32,
    /// The maximum number of failures per address in a window.
    pub per_address: i32,
    /// The length of a window, from its first failure on.
    pub window: Duration,
}

impl Default for SignInLimits {
    fn default() -> Self {
        Self { per_account: 10, per_address: 100, window: Duration::from_mins(15) }
    }
}

/// The client's address, as reported by the transport.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The network that is counted as one client: for IPv6 the /64, as one user controls all of it.
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

/// The context of a password attempt.
#[derive(Clone)]
pub struct Throttle {
    /// The database in which failures are counted.
    pub db: Db,
    /// The limits.
    pub limits: SignInLimits,
    /// The client's address; `None` for this process itself.
    pub address: Option<ClientAddress>,
    /// The id of the request, for the audit log.
    pub request: Option<String>,
}

/// One attempt that has a hashing slot.
pub(super) struct Attempt {
    throttle: Throttle,
    turn: Turn,
    account: String,
}

impl Throttle {
    /// Waits for a slot to check a password of this account.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the time to wait, after too many failures, or when too many attempts are waiting.
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

    /// Resets the failure count of an account after a correct password.
    ///
    /// # Errors
    /// When a database query fails.
    pub(super) async fn passed(connection: &mut PgConnection, account: &str) -> Result<()> {
        let sql = Sql::new("delete from pumphouse.login_attempt where kind = 'account' and name = ").value(account.to_owned());
        rows_on(connection, sql).await?;
        Ok(())
    }

    /// Counts a failure. Returns the account's failure number in the window.
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
            .with(" where ends_at <= clock_timestamp() limit ", EVICTED_PER_FAILURE)
            .text(" for update skip locked)");
        rows_on(connection, sql).await?;
        Ok(rows.first().map_or(Ok(1), |row| row.try_get(0))?)
    }
}

impl Attempt {
    /// Checks the password. A wrong one is counted, and recorded in the audit log within its limit.
    ///
    /// # Errors
    /// When hashing or counting fails.
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
        if failure <= AUDITED_FAILURES || failure == limits.per_account {
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
