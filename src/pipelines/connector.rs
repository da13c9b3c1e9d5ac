//! Connectors: what is read from or written to.
//!
//! Always holds: a configuration leaves encrypted or redacted, never as it is (domain.md section 2).

use crate::access::{Env, Team};
use crate::choice;
use crate::core::entity::{WideKind, to_one, wide};
use crate::core::id::Id;
use crate::core::scope::Scope;
use crate::core::sealed;
use crate::entity;
use crate::pipelines::{Worker, catalogue};
use chrono::{DateTime, Utc};

choice! {
    /// Whether a connector is read from or written to.
    Way {
        /// It is read from.
        Source = "SOURCE",
        /// It is written to.
        Target = "TARGET",
    }
}

/// Who owns a row that carries its team and the team's env.
pub(crate) const OWNED: Scope = Scope::Owned { team: "team_id", env: "env_id" };

entity! {
    /// An integration point with one external system, read from or written to. Whether it is a source
    /// or a target follows from its type. Exactly one worker runs it.
    Connector in "connector";
    scope: OWNED;
    order: "created_at" Asc;
    columns {
        /// The name, unique within the env.
        name: Option<String> [order, search, filter];
        /// The id of its type in the catalogue, such as `POSTGRES_SOURCE` or `SNOWFLAKE_TARGET`.
        connector_type: String [order, filter];
        /// Whether it is read from or written to.
        way: Way [filter];
        /// The team that owns it.
        team_id: Option<Id<Team>> [filter];
        /// The env that its team lives in.
        env_id: Option<Id<Env>> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        wide::<Connector>("jsonConfiguration", "json_configuration", WideKind::Redacted(|row: &Connector, ctx, text| sealed::shown(ctx, row.id.uuid(), text, catalogue::marks(&row.connector_type))),
            "The configuration with its secrets replaced by `{\"$secret\": \"stored\"}`; send that object back to keep a stored secret. Null, with an error, only when the server lacks the key it was sealed with.").nullable();
        to_one::<Connector, Team>("team", "id", "team_id", "The team that owns it.");
        to_one::<Connector, Env>("env", "id", "env_id", "The env that its team lives in.");
        to_one::<Connector, Worker>("worker", "connector_id", "id", "The worker that runs it.");
    }
}
