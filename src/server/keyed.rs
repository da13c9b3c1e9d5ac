//! Operations with an idempotency key (domain.md section 5).
//!
//! Always holds: one transaction claims the key, carries out the one mutation with its whole selection, keeps the
//! answer and commits, so there is never an effect without its answer or an answer without its effect. Who waits
//! for the same key holds no connection. An answer is given again, byte for byte, to the viewer who has it, while
//! they still hold the right that it took. Not here: what a mutation does.

use std::time::Duration;

use async_graphql::parser::types::{ExecutableDocument, OperationType, Selection};
use async_graphql::{Request, Value as Constant};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::canonical::hex;
use crate::core::db::{Db, Transaction, rows_on};
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Replay, RightBasis, Standing};
use crate::core::sql::Sql;
use crate::core::viewer::{Identity, Viewer};
use crate::core::viewers::Viewers;
use crate::core::work::{Proven, SharedTransaction};
use crate::server::answer::Answer;
use crate::server::engine::meant;
use crate::server::tokens;

/// The extension that carries the key; the header `Idempotency-Key` is put there.
const KEY: &str = "idempotencyKey";
/// The longest key, in characters.
const LONGEST_KEY: usize = 200;
/// How long an answer is kept.
const KEPT: Duration = Duration::from_hours(24);
/// Pauses while another request of the same key is under way.
const PAUSES: [Duration; 5] =
    [Duration::from_millis(5), Duration::from_millis(10), Duration::from_millis(25), Duration::from_millis(50), Duration::from_millis(100)];

/// A record of `idempotency_record`, which is no entity of the graph.
enum Record {}

/// What makes two requests the same.
pub(crate) struct Claim {
    viewer: Viewer,
    endpoint: String,
    key: String,
    hash: String,
}

/// What came of claiming.
pub(crate) enum Claimed {
    /// Nobody did it yet: do it in this transaction.
    Ours(Transaction),
    /// It was done; this was answered.
    Done(Box<RawValue>),
}

/// Puts the key of a header where keys are read from; what is no text is refused there, as a key without characters.
///
/// # Errors
/// When the request carries another key already.
pub(crate) fn put(request: &mut Request, key: &str) -> Result<(), &'static str> {
    match request.extensions.insert(KEY.to_owned(), key.into()) {
        Some(other) if other != Constant::from(key) => Err("The request carries two idempotency keys that differ."),
        _ => Ok(()),
    }
}

impl Claim {
    /// Reads the claim of an operation; none when it carries no key.
    ///
    /// # Errors
    /// `VALIDATION` when the key is no key, or the operation is not one mutation; `UNAUTHENTICATED` without a viewer.
    pub(crate) fn of(request: &mut Request, viewer: Option<&Viewer>) -> Result<Option<Self>> {
        let key = match request.extensions.get(KEY) {
            None | Some(Constant::Null) => return Ok(None),
            Some(Constant::String(key)) => key.clone(),
            Some(_) => return Err(refused("An idempotency key is a string.")),
        };
        if key.is_empty() || key.chars().count() > LONGEST_KEY || key.chars().any(char::is_control) {
            return Err(refused(format!("An idempotency key has 1 to {LONGEST_KEY} characters, none of them a control character.")));
        }
        let operation_name = request.operation_name.clone();
        let document = request.parsed_query().map_err(|_| refused("The document does not parse."))?;
        let field = only_field(document, operation_name.as_deref())?;
        if field == "login" {
            return Err(Error::secret_answer());
        }
        let viewer = viewer.ok_or_else(Error::not_signed_in)?;
        let id = match viewer.identity() {
            Identity::User { id, .. } | Identity::Worker { id, .. } => id,
        };
        Ok(Some(Self { viewer: viewer.clone(), endpoint: format!("{id} {field}"), key, hash: hash(request)? }))
    }

    /// Whose turn it is to write.
    pub(crate) fn holder(&self) -> Uuid {
        self.viewer.token().holder()
    }

    /// Claims the key, waiting for whoever works on it.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` when it was used for another request, and what the viewer no longer may.
    pub(crate) async fn claim(&self, db: &Db) -> Result<Claimed> {
        let mut pauses = PAUSES.iter();
        let mut pause = Duration::ZERO;
        loop {
            let mut transaction = db.begin().await?;
            let name = format!("{} {}", self.endpoint, self.key);
            let sql = Sql::new("select pg_try_advisory_xact_lock(hashtextextended(").value(name).text(", 1))");
            if rows_on(&mut transaction, sql).await?.first().is_some_and(|row| row.try_get(0).unwrap_or(false)) {
                return match self.kept(&mut transaction).await? {
                    Some(row) => self.again(&mut transaction, &row).await.map(Claimed::Done),
                    None => Ok(Claimed::Ours(transaction)),
                };
            }
            transaction.rollback().await?;
            pause = pauses.next().copied().unwrap_or(pause);
            tokio::time::sleep(pause).await;
        }
    }

    async fn kept(&self, connection: &mut PgConnection) -> Result<Option<PgRow>> {
        let sql = Sql::new("delete from idempotency_record where expires_at <= now() and endpoint = ")
            .value(self.endpoint.clone())
            .with(" and key = ", self.key.clone());
        rows_on(connection, sql).await?;
        let sql = Sql::new("select r.request_hash, r.response_body::text, s.standing::text from idempotency_record r")
            .text(" join pumphouse.idempotency_standing s on s.record_id = r.id where r.endpoint = ")
            .value(self.endpoint.clone())
            .with(" and r.key = ", self.key.clone());
        Ok(rows_on(connection, sql).await?.into_iter().next())
    }

    /// As a mutation does, it asks anew who the viewer is: what they could do a moment ago counts for nothing.
    async fn again(&self, connection: &mut PgConnection, row: &PgRow) -> Result<Box<RawValue>> {
        let (hash, body, standing): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let replay: Replay = serde_json::from_str(&standing).map_err(Error::internal)?;
        let viewer = self.viewer.present_on(connection).await?;
        if !replay.is_open_to(connection, &viewer).await? {
            return Err(Error::not_found("object"));
        }
        if hash != self.hash {
            return Err(Error::key_reused());
        }
        RawValue::from_string(body).map_err(Error::internal)
    }

    /// Keeps the answer and commits; also that there is no such thing or no right to it, as what a key was used for does not change.
    /// Where a passing trouble has touched it, or it is to be sent again later, all is undone and nothing kept. What the answer selects may have taken long to
    /// read, so the right is asked for once more.
    ///
    /// # Errors
    /// What kept it from being kept; then nothing was changed.
    pub(crate) async fn keep(&self, keyed: SharedTransaction, viewers: &Viewers, answer: Answer) -> Result<Answer> {
        let (mut transaction, proven) = keyed.take_back()?;
        if answer.error_with(&[Code::Internal, Code::Timeout, Code::Unavailable, Code::RateLimited]).is_some() {
            return Ok(answer.undone());
        }
        let Proven { viewer, stake, standing } = match proven {
            Some(proven) => {
                viewers.recheck_rights(&proven.viewer, proven.stake.clone()).await?;
                proven
            }
            // Without a proven right nothing was changed. A refusal is kept for who it was given to; what was answered otherwise, or to
            // nobody, is nothing to keep.
            None if answer.is_refused() => {
                Proven { viewer: self.viewer.clone(), stake: RightBasis::CurrentUser, standing: Standing::CurrentUser }
            }
            None => return Ok(answer),
        };
        let body = serde_json::to_string(&answer).map_err(Error::internal)?;
        let rights = match viewer.present_on(&mut transaction).await {
            Ok(present) => present.rights().clone(),
            // Their own session is what they ended; nobody comes back with it.
            Err(error) if error.code() == Code::Unauthenticated => viewer.rights().clone(),
            Err(error) => return Err(error),
        };
        let standing = serde_json::to_string(&Replay::new(&stake, standing, rights)).map_err(Error::internal)?;
        let sql = Sql::new("with record as (insert into idempotency_record (id, endpoint, key, request_hash, response_status, response_body, expires_at) values (")
            .value(Id::<Record>::random())
            .with(", ", self.endpoint.clone())
            .with(", ", self.key.clone())
            .with(", ", self.hash.clone())
            .with(", 200, ", body.clone())
            .with("::json, now() + ", KEPT)
            .with(") returning id) insert into pumphouse.idempotency_standing (record_id, standing) select id, ", standing)
            .text("::json from record");
        rows_on(&mut transaction, sql).await?;
        transaction.commit().await?;
        Ok(answer)
    }
}

fn refused(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::validation(message).field("idempotencyKey")
}

/// The name of the one root field of a mutation.
fn only_field(document: &ExecutableDocument, name: Option<&str>) -> Result<String> {
    let operation = meant(document, name).filter(|operation| operation.ty == OperationType::Mutation);
    match operation.map(|operation| operation.selection_set.node.items.as_slice()) {
        Some([selection]) if let Selection::Field(field) = &selection.node => Ok(field.node.name.node.to_string()),
        _ => Err(refused("An idempotency key goes with an operation of exactly one mutation, written as a field and not as a fragment.")),
    }
}

/// SHA-256 of the operation's name, the document without what carries no meaning (white space, commas, comments), and
/// the variables with their keys in order, as maps of `serde_json` keep them here. Anything else makes another request: a default
/// spelled out, another order of fields or arguments, an operation's name left out.
pub(crate) fn hash(request: &Request) -> Result<String> {
    let document = tokens::minified(&request.query);
    let variables = serde_json::to_value(&request.variables).map_err(Error::internal)?;
    let said = serde_json::json!([request.operation_name, document, variables]);
    Ok(hex(&Sha256::digest(said.to_string())))
}

#[cfg(test)]
mod tests {
    use async_graphql::Variables;
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_in_another_order_are_the_same_request_and_others_are_not() {
        let of = |variables: &str| {
            let variables = Variables::from_json(serde_json::from_str(variables).unwrap());
            hash(&Request::new("mutation($a: A) { a(a: $a) }").variables(variables)).unwrap()
        };
        let one = of(r#"{"b": {"y": 1, "x": [{"q": null, "p": 2}]}, "a": 9007199254740992}"#);
        assert_eq!(one, of(r#"{"a": 9007199254740992, "b": {"x": [{"p": 2, "q": null}], "y": 1}}"#));
        assert_ne!(one, of(r#"{"a": 9007199254740993, "b": {"x": [{"p": 2, "q": null}], "y": 1}}"#));
        assert_ne!(one, of(r#"{"a": 9007199254740992, "b": {"x": [{"p": 2}], "y": 1}}"#));
        assert_eq!(json!({"b": 1, "a": 2}).to_string(), r#"{"a":2,"b":1}"#, "maps of serde_json keep their keys in order here");
    }
}
