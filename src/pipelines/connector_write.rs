//! Writing connectors inside a transaction: what every way of making, changing and deleting them goes through.
//!
//! Always holds: what is stored has been validated by its type's schema and is sealed for its row; a kept secret never
//! travels to a new host; a connector has exactly one worker, made with it in PAUSED. Not here: who may (the mutations),
//! and ending a connector, which ends its syncs too (`operations/connector_end.rs`).

use serde_json::Value;

use crate::access::{Team, team_owner};
use crate::core::audit::About;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::keep::{complete, keeps};
use crate::core::proof::{Changeable, Held, Parent};
use crate::core::redact::{differing, redact};
use crate::core::sealed;
use crate::core::secret::{KeyRing, PlainJson};
use crate::core::sql::{Bind, Sql};
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;
use crate::core::write::Write;
use crate::pipelines::catalogue::{self, Kind};
use crate::pipelines::worker_runtime::Generation;
use crate::pipelines::{Connector, Worker, WorkerState};

/// The longest name of a connector, in characters.
pub(crate) const LONGEST_NAME: usize = 100;
/// The column of the configuration.
const COLUMN: &str = "json_configuration";

/// A connector to be made.
pub(crate) struct NewConnector {
    pub(crate) name: String,
    pub(crate) kind: &'static Kind,
    /// Validated, secrets and all.
    pub(crate) document: PlainJson,
}

/// The type of this id; that there is none is a fault of this field.
pub(crate) fn kind_of(id: &str, field: &str, violations: &mut Violations) -> Option<&'static Kind> {
    let kind = catalogue::kind(id);
    if kind.is_none() {
        violations.add(field, "There is no such connector type; `connectorTypes` lists them.");
    }
    kind
}

/// A configuration as it can be stored: with what it keeps of the stored one, and valid.
pub(crate) fn validated(kind: &Kind, sent: Value, stored: Option<&Value>, field: &str, violations: &mut Violations) -> Result<PlainJson> {
    let document = complete(whole(sent), stored, kind.marks(), field, violations);
    kind.check(&document, field, violations)?;
    Ok(document)
}

/// The same with whole numbers written as such: what YAML and JSON make of `5432.0` is the port 5432 to whoever reads it here.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let written = number.as_f64().filter(|number| number.fract() == 0.0).map(|number| format!("{number:.0}"));
            written.and_then(|text| text.parse::<i64>().ok()).map_or(Value::Number(number), Value::from)
        }
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(map) => map.into_iter().map(|(name, value)| (name, whole(value))).collect(),
        other => other,
    }
}

/// The stored configuration of a connector.
///
/// # Errors
/// When no key of this server opens it.
pub(crate) async fn stored(w: &mut Write, keys: &KeyRing, connector: Id<Connector>) -> Result<Option<PlainJson>> {
    sealed::stored(w, keys, connector, COLUMN).await
}

/// What is stored, as far as it is needed: what no key opens can be replaced whole, and kept by nobody.
pub(crate) fn if_kept(sent: &Value, stored: Result<Option<PlainJson>>) -> Result<Option<PlainJson>> {
    match stored {
        Err(_unreadable) if !keeps(sent) => Ok(None),
        stored => stored,
    }
}

/// Whether a secret of one document stands in the place of another secret, which no way of showing the two tells.
fn swaps_secret(kind: &Kind, one: &Value, other: &Value) -> bool {
    let secrets = |document: &Value| {
        let mut places = Vec::new();
        differing(&redact(document, kind.marks()), document, "", &mut places);
        places
    };
    let others = secrets(other);
    secrets(one).iter().any(|place| others.contains(place) && one.pointer(place) != other.pointer(place))
}

/// Another configuration of a connector.
pub(crate) struct Reconfigured {
    pub(crate) document: PlainJson,
    /// A secret takes the place of another; where no key opens the stored one, nobody knows.
    pub(crate) swaps_secret: bool,
}

/// The new configuration of a connector that is held; none when it is the stored one.
pub(crate) async fn changed(
    w: &mut Write,
    keys: &KeyRing,
    connector: &Connector,
    sent: Value,
    field: &str,
    violations: &mut Violations,
) -> Result<Option<Reconfigured>> {
    let stored = stored(w, keys, connector.id).await;
    let stored = if_kept(&sent, stored)?;
    let Some(kind) = kind_of(&connector.connector_type, field, violations) else { return Ok(None) };
    let document = validated(kind, sent, stored.as_deref(), field, violations)?;
    if stored.as_deref() == Some(&*document) {
        return Ok(None);
    }
    let swaps_secret = stored.is_some_and(|stored| swaps_secret(kind, &stored, &document));
    Ok(Some(Reconfigured { document, swaps_secret }))
}

/// Makes a connector of a team, and its worker.
pub(crate) async fn insert(w: &mut Write, keys: &KeyRing, team: &Held<Team, Parent>, new: &NewConnector) -> Result<Id<Connector>> {
    let (connector, worker, generation) = (Id::<Connector>::random(), Id::<Worker>::random(), Id::<Generation>::random());
    let sql = Sql::new("insert into connector (id, name, connector_type, json_configuration, way, team_id) values (")
        .value(connector)
        .with(", ", new.name.clone())
        .with(", ", new.kind.id())
        .with(", ", sealed::seal(keys, connector.uuid(), &new.document)?)
        .with("::json, ", new.kind.way())
        .with(", ", team.id)
        .text(")");
    w.rows(sql).await?;
    let sql = Sql::new("insert into worker (id, state, connector_id, launch_generation) values (").value(worker);
    let sql = sql.with(", ", WorkerState::Paused).with(", ", connector).with(", ", generation).text(")");
    w.rows(sql).await?;
    let about = About::row(connector).name(Some(&new.name)).owner(team_owner(team));
    w.record(Verb::Create, about.fields(&["name", "connectorType", "jsonConfiguration", "teamId"])).await?;
    Ok(connector)
}

/// Writes what differs; answers the names of what did. A new configuration is a new revision, which a trigger counts.
pub(crate) async fn change(
    w: &mut Write,
    keys: &KeyRing,
    connector: &Held<Connector, Changeable>,
    name: Option<String>,
    document: Option<&Value>,
) -> Result<Vec<&'static str>> {
    let named = name.clone().or_else(|| connector.name.clone());
    let values: Vec<_> = name.map(|name| ("name", Bind::Text(name))).into_iter().collect();
    let mut changed = w.update(connector, &values).await?;
    if let Some(document) = document {
        let sql = Sql::new("update connector set json_configuration = ").value(sealed::seal(keys, connector.id.uuid(), document)?);
        w.rows(sql.with("::json where id = ", connector.id)).await?;
        changed.push("jsonConfiguration");
    }
    if !changed.is_empty() {
        w.record(Verb::Update, About::row(connector.id).name(named.as_deref()).owner(owner(connector)).fields(&changed)).await?;
    }
    Ok(changed)
}

/// Who owns a connector.
pub(crate) fn owner(connector: &Connector) -> Owner {
    Owner { team: connector.team_id.map(Id::uuid), env: connector.env_id.map(Id::uuid) }
}
