//! Sealing every configuration anew with the key that seals now, while servers run.
//!
//! Always holds: a batch is one transaction, so whatever ends a rotation leaves every row whole, and the next one goes on
//! with what another key has sealed; a rotation changes neither a configuration's revision nor when its row last changed.
//! Not here: the keys (`core/secret.rs`) and the progress bar (`cli/keys.rs`).

use std::collections::BTreeMap;

use sqlx::Row as _;
use uuid::Uuid;

use crate::access::Env;
use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::entity::Entity;
use crate::core::error::{Code, Error, Result};
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::pipelines::Connector;

/// How often a batch is tried that others are in the way of.
const TRIES: u32 = 5;

/// How many of the newest and of the oldest configurations of a key are tried: one that was spoilt by hand says nothing of the key.
const TRIED: i64 = 3;

/// A column that holds sealed configurations.
struct Column {
    entity: &'static str,
    table: &'static str,
    name: &'static str,
    /// Its name in the graph.
    field: &'static str,
}

/// All of them. What else is sealed has its line here.
const COLUMNS: [Column; 2] = [
    Column { entity: Env::NAME, table: Env::TABLE, name: "retention_configuration", field: "retentionConfiguration" },
    Column { entity: Connector::NAME, table: Connector::TABLE, name: "json_configuration", field: "jsonConfiguration" },
];

/// How many configurations a key has sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The id of the key; none for what is not sealed as it should be.
    pub key: Option<String>,
    /// How many.
    pub count: i64,
}

/// What a rotation came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotated {
    /// How many configurations were sealed anew.
    pub anew: u64,
    /// Those that no key opens; they are as they were.
    pub unreadable: Vec<Unreadable>,
}

/// A configuration that no key opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The entity that it belongs to.
    pub entity: &'static str,
    /// The row.
    pub id: Uuid,
    /// The id of the key that sealed it.
    pub key: Option<String>,
}

/// Whether the database holds a configuration that was sealed.
///
/// # Errors
/// When the database cannot be asked.
pub async fn has_sealed(db: &Db) -> Result<bool> {
    Ok(keys(db).await?.iter().any(|sealed| sealed.key.is_some()))
}

/// The keys that have sealed something.
///
/// # Errors
/// When the database cannot be asked.
pub async fn keys(db: &Db) -> Result<Vec<Sealed>> {
    let each = COLUMNS.map(|column| format!("select {}->>'key' as key from {}", column.name, column.table));
    let sql = Sql::new("select key, count(*) from (").text(&each.join(" union all ")).text(") t group by key order by key");
    db.rows(sql).await?.iter().map(|row| Ok(Sealed { key: row.try_get(0)?, count: row.try_get(1)? })).collect()
}

/// Whether keys are those that their ids say, as far as a few configurations of each tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All that were tried open.
    All,
    /// Some open and others do not: for a time another key had this id.
    Some,
    /// None opens: the key is another one under the same id.
    None,
}

/// Tries the newest and the oldest configurations that a key of these ids has sealed; a key that has sealed nothing is not told of.
///
/// # Errors
/// When the database cannot be asked.
pub async fn fits(db: &Db, keys: &KeyRing) -> Result<BTreeMap<String, Fit>> {
    let each = COLUMNS.map(|column| {
        let sealed = column.name;
        format!("select id, {sealed}::text as sealed, {sealed}->>'key' as key, updated_at from {} where {sealed} is not null", column.table)
    });
    let sql =
        Sql::new("select id, sealed, key from (select *, row_number() over (partition by key order by updated_at desc, id) as newest,")
            .text(" row_number() over (partition by key order by updated_at, id) as oldest from (")
            .text(&each.join(" union all "))
            .with(") sealed where key = any(", keys.ids().map(str::to_owned).collect::<Vec<_>>())
            .with("::text[])) tried where least(newest, oldest) <= ", TRIED);
    let mut fits = BTreeMap::new();
    for row in db.rows(sql).await? {
        let opens = keys.open(row.try_get(0)?, row.try_get(1)?).is_ok();
        let fit = if opens { Fit::All } else { Fit::None };
        fits.entry(row.try_get(2)?)
            .and_modify(|known| {
                if *known != fit {
                    *known = Fit::Some;
                }
            })
            .or_insert(fit);
    }
    Ok(fits)
}

/// Seals anew what another key has sealed, this many rows a transaction; tells each time how many are done.
///
/// # Errors
/// When the database cannot be asked. What was done until then stays done.
pub async fn rotate(db: &Db, keys: &KeyRing, batch: u16, mut done: impl FnMut(u64)) -> Result<Rotated> {
    let mut rotated = Rotated::default();
    for column in &COLUMNS {
        let mut after = Uuid::nil();
        while let Some(last) = patiently(db, keys, column, (after, batch), &mut rotated).await? {
            after = last;
            done(rotated.anew);
        }
    }
    Ok(rotated)
}

/// One batch, once nobody is in the way.
async fn patiently(db: &Db, keys: &KeyRing, column: &Column, part: (Uuid, u16), rotated: &mut Rotated) -> Result<Option<Uuid>> {
    let mut tries = 1;
    loop {
        match rotate_batch(db, keys, column, part).await {
            Err(error) if tries < TRIES && (error.code() == Code::Timeout || error.is_retryable()) => tries += 1,
            Err(error) => return Err(error),
            Ok((last, batch)) => {
                rotated.anew += batch.anew;
                rotated.unreadable.extend(batch.unreadable);
                return Ok(last);
            }
        }
    }
}

/// The next rows by id; answers the last of them.
async fn rotate_batch(db: &Db, keys: &KeyRing, column: &Column, (after, size): (Uuid, u16)) -> Result<(Option<Uuid>, Rotated)> {
    let Some(sealing) = keys.ids().next() else { return Err(Error::invariant("a key ring has a key")) };
    let mut transaction = db.begin().await?;
    let sql = Sql::new(&format!("select id, {0}::text, {0}->>'key' from {1}", column.name, column.table))
        .with(" where id > ", after)
        .text(&format!(" and {}->>'key' is distinct from ", column.name))
        .value(sealing.to_owned())
        .with(" order by id limit ", i64::from(size))
        .text(" for no key update");
    let (mut batch, mut ids, mut anew, mut last) = (Rotated::default(), Vec::new(), Vec::new(), None);
    for row in rows_on(&mut transaction, sql).await? {
        let id: Uuid = row.try_get(0)?;
        last = Some(id);
        match keys.reseal(id, row.try_get(1)?) {
            Ok(sealed) => {
                ids.push(id);
                anew.push(sealed);
                batch.anew += 1;
            }
            Err(_unreadable) => batch.unreadable.push(Unreadable { entity: column.entity, id, key: row.try_get(2)? }),
        }
    }
    if !ids.is_empty() {
        rows_on(&mut transaction, Sql::new("select set_config('pumphouse.keep_revision', 'on', true)")).await?;
        let sql = Sql::new(&format!("update {} t set {} = anew.sealed::json from unnest(", column.table, column.name))
            .value(ids)
            .with("::uuid[], ", anew)
            .text("::text[]) anew (id, sealed) where t.id = anew.id");
        rows_on(&mut transaction, sql).await?;
        let fields = [column.field];
        let about = About { entity: column.entity, id: None, name: None, owner: Owner::NONE, fields: &fields, target: None };
        audit::record(&mut transaction, &Actor::System("pumphouse keys rotate".to_owned()), Verb::Rotate, about, None).await?;
        transaction.commit().await?;
    }
    Ok((last, batch))
}
