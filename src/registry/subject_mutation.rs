//! Changing a subject as a whole, and the right to do so: `setSchemaCompatibility`, `deleteSchemaSubject`.
//!
//! Always holds: the numbers of deleted versions are stored, and never assigned to another schema.

use async_graphql::{InputObject, SimpleObject};
use sqlx::Row as _;

use crate::core::audit::About;
use crate::core::error::{Error, Result};
use crate::core::proof::{Proof, RightBasis};
use crate::core::refusals::NO_NUL;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::normal;
use crate::core::write::{Mutation, Write};
use crate::registry::{SchemaCompatibility, SchemaSubject, SchemaType, store};

/// A subject and its new compatibility.
#[derive(InputObject, Clone)]
pub struct SetSchemaCompatibilityInput {
    /// The subject; it must have a version.
    pub subject: String,
    /// The compatibility required of every new version.
    pub compatibility: SchemaCompatibility,
}

/// Which subject to delete.
#[derive(InputObject, Clone)]
pub struct DeleteSchemaSubjectInput {
    /// The subject.
    pub subject: String,
}

/// The deleted subject.
#[derive(SimpleObject)]
#[graphql(name = "DeleteSchemaSubjectPayload")]
pub struct DeletedSubject {
    /// The name of the subject.
    subject: String,
    /// How many versions it had.
    deleted_versions: i64,
    /// The highest number assigned; a new version would get the next one.
    last_version: i32,
}

/// A caller who may change the registry: a member of any team, an admin of any env, or a superuser. Subjects belong to no
/// team.
pub struct Registrar(());

impl Proof for Registrar {
    fn stake(&self) -> RightBasis {
        RightBasis::AnyTeam
    }
}

impl Registrar {
    pub(super) fn of(w: &Write) -> Result<Self> {
        if w.viewer().may_change_something() {
            return Ok(Self(()));
        }
        Err(Error::forbidden("Only members of a team and admins of an env may change the schema registry."))
    }

    /// Like the above for an existing subject, which is locked. Callers who see no subjects do not see this one.
    async fn of_subject(w: &mut Write, subject: &str) -> Result<Self> {
        let registrar = match Self::of(w) {
            Err(error) if w.viewer().is_member_anywhere() => Some(error),
            Err(_) => return Err(unknown()),
            Ok(_) => None,
        };
        lock(w, subject).await?;
        if !w.holds(Sql::new("select exists (select 1 from schema_version").with(" where subject = ", subject.to_owned()).text(")")).await?
        {
            return Err(unknown());
        }
        registrar.map_or(Ok(Self(())), Err)
    }
}

fn unknown() -> Error {
    Error::not_found("schema subject").field("subject")
}

/// Waits until no other transaction changes this subject.
pub(super) async fn lock(w: &mut Write, subject: &str) -> Result<()> {
    // PostgreSQL cannot store such a text, so it cannot be queried either.
    if subject.contains('\0') {
        return Err(Error::validation(NO_NUL).field("subject"));
    }
    w.lock_text(&format!("schema subject {subject}")).await
}

impl Mutation for SetSchemaCompatibilityInput {
    type Proof = Registrar;
    type Answer = SchemaSubject;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Registrar> {
        Registrar::of_subject(w, &normal(&self.subject)).await
    }

    async fn apply(self, w: &mut Write, _registrar: Registrar) -> Result<SchemaSubject> {
        let subject = normal(&self.subject);
        let sql = Sql::new("select s.type, (select count(*) from schema_version c where c.subject = v.subject) from schema_version v join schema s on s.id = v.schema_id")
            .with(" where v.subject = ", subject.clone())
            .text(" order by v.version desc limit 1");
        let rows = w.rows(sql).await?;
        let row = rows.first().ok_or_else(unknown)?;
        let (latest, versions): (SchemaType, i64) = (row.try_get(0)?, row.try_get(1)?);
        if self.compatibility != SchemaCompatibility::None && latest != SchemaType::Avro {
            return Err(Error::validation(
                "Compatibility is judged for Avro alone, and the latest version of this subject is not of Avro.",
            )
            .field("compatibility"));
        }
        if store::compatibility(w, &subject).await? != self.compatibility {
            let sql = Sql::new("insert into pumphouse.schema_subject (subject, compatibility) values (")
                .value(subject.clone())
                .with(", ", self.compatibility.stored())
                .text(") on conflict (subject) do update set compatibility = excluded.compatibility");
            w.rows(sql).await?;
            w.record(Verb::Update, about(&subject, &["compatibility"])).await?;
        }
        Ok(SchemaSubject::new(subject, versions))
    }
}

impl Mutation for DeleteSchemaSubjectInput {
    type Proof = Registrar;
    type Answer = DeletedSubject;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Registrar> {
        Registrar::of_subject(w, &normal(&self.subject)).await
    }

    async fn apply(self, w: &mut Write, _registrar: Registrar) -> Result<DeletedSubject> {
        let subject = normal(&self.subject);
        let sql = Sql::new("with gone as (delete from schema_version where subject = ")
            .value(subject.clone())
            .text(" returning version) insert into pumphouse.schema_subject as s (subject, last_deleted) select ")
            .value(subject.clone())
            .text(", max(version) from gone on conflict (subject) do update set compatibility = default, last_deleted = greatest(s.last_deleted, excluded.last_deleted)")
            .text(" returning last_deleted, (select count(*) from gone)");
        let rows = w.rows(sql).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        let (last_version, deleted_versions) = (row.try_get(0)?, row.try_get(1)?);
        w.record(Verb::Delete, about(&subject, &[])).await?;
        Ok(DeletedSubject { subject, deleted_versions, last_version })
    }
}

/// Returns the audit object of a subject: it has no row, so its name identifies it.
fn about<'a>(subject: &'a str, fields: &'a [&'a str]) -> About<'a> {
    About { entity: "SchemaSubject", id: None, name: Some(subject), owner: Owner::NONE, fields, target: None }
}
