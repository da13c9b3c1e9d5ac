//! `registerSchema`: stores one document per content, and one version per content of a subject.
//!
//! Always holds: registrations of one subject run one at a time, so its version numbers have no gap. The key on the hash
//! decides which of several equal documents is stored, across all subjects. The first text is never rewritten. A number is
//! never assigned twice, even after the subject was deleted. Not here: validating a schema (`document_text.rs`).

use async_graphql::{Context, InputObject, Object, SimpleObject};
use serde_json::{Number, Value};
use sqlx::Row as _;

use crate::core::audit::About;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::violations::{Violations, normal};
use crate::core::write::{Mutation, Write, write};
use crate::registry::document_text::{Text, parse};
use crate::registry::subject_mutation::{DeleteSchemaSubjectInput, DeletedSubject, Registrar, SetSchemaCompatibilityInput, lock};
use crate::registry::{SchemaDocument, SchemaSubject, SchemaType, SchemaVersion, compatibility, store};

/// The longest name of a subject, in characters.
pub(super) const LONGEST_SUBJECT: usize = 255;

/// The mutations of the schema registry.
#[derive(Default)]
pub struct RegistryMutation;

/// A schema for a subject.
#[derive(InputObject, Clone)]
pub struct RegisterSchemaInput {
    /// The subject, 1 to 255 characters, by convention `<topic>-key` or `<topic>-value`. It is created by its first version.
    pub subject: String,
    /// The language of the schema.
    #[graphql(name = "type")]
    pub kind: SchemaType,
    /// The schema itself, JSON of at most 512 KiB.
    pub schema: String,
}

/// The version of the schema.
#[derive(SimpleObject)]
pub struct RegisterSchemaPayload {
    /// The version: a new one, or the one that had this content already.
    pub schema_version: SchemaVersion,
    /// Whether the version is new.
    pub created: bool,
}

/// The compatibility setting of a subject.
#[derive(SimpleObject)]
pub struct SetSchemaCompatibilityPayload {
    /// The subject.
    pub schema_subject: SchemaSubject,
}

#[Object]
impl RegistryMutation {
    /// Registers a schema under a subject. For members of any team, admins of an env and superusers. When a version of the
    /// subject has this content already, returns that version and changes nothing. White space, the order of keys and the
    /// spelling of numbers do not matter; `doc`, aliases, custom properties and the order of lists do. New content gets the
    /// next number. `VALIDATION` with the position of each fault in the schema, such as `schema/fields/2/default`.
    /// `CONFLICT` when the schema breaks the subject's compatibility: `details.incompatibilities` has `version`,
    /// `direction`, `path` and `message` of each reason.
    async fn register_schema(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The schema and its subject.")] input: RegisterSchemaInput,
    ) -> Result<RegisterSchemaPayload> {
        let (schema_version, created) = write(ctx, input).await?;
        Ok(RegisterSchemaPayload { schema_version, created })
    }

    /// Sets the compatibility that a subject requires of its new versions; existing versions are not checked. For callers
    /// who may register schemas. `VALIDATION` for anything but `NONE` when the latest version is not Avro.
    async fn set_schema_compatibility(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The subject and what it asks for.")] input: SetSchemaCompatibilityInput,
    ) -> Result<SetSchemaCompatibilityPayload> {
        let schema_subject = write(ctx, input).await?;
        Ok(SetSchemaCompatibilityPayload { schema_subject })
    }

    /// Deletes a subject with all its versions and its compatibility. For callers who may register schemas. Its documents
    /// stay and are found by their ids, so old messages can be read. When the subject is registered again it has no
    /// compatibility set, and its numbers continue after the last one deleted: a number never stands for two schemas.
    async fn delete_schema_subject(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which subject to delete.")] input: DeleteSchemaSubjectInput,
    ) -> Result<DeletedSubject> {
        write(ctx, input).await
    }
}

impl Mutation for RegisterSchemaInput {
    type Proof = Registrar;
    type Answer = (SchemaVersion, bool);
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Registrar> {
        let registrar = Registrar::of(w)?;
        lock(w, &normal(&self.subject)).await?;
        Ok(registrar)
    }

    async fn apply(self, w: &mut Write, _registrar: Registrar) -> Result<Self::Answer> {
        let mut violations = Violations::default();
        let subject = violations.name("subject", &self.subject, LONGEST_SUBJECT);
        let subject_stands = violations.is_empty();
        let text = match Text::judge(self.kind, self.schema).await {
            // On its own, the text of an invalid JSON is reported with line and column.
            Err(wrong) if subject_stands => return Err(wrong),
            Err(wrong) => {
                violations.absorb(wrong)?;
                return Err(violations.refusal());
            }
            Ok(text) => text,
        };
        violations.none()?;
        let known = store::by_hash(w, &text.hash).await?;
        if let Some((document, stored)) = &known {
            same(&text.document, stored)?;
            if let Some(version) = version_of(w, &subject, *document).await? {
                return Ok((version, false));
            }
        }
        let level = store::compatibility(w, &subject).await?;
        let (text, found) = compatibility::against(w, &subject, text, level).await?;
        if !found.is_empty() {
            return Err(compatibility::refusal(level, &found));
        }
        let document = match known {
            Some((document, _)) => document,
            None => insert_document(w, &text).await?,
        };
        let id = append(w, &subject, document).await?;
        w.record(Verb::Register, About::row(id).name(Some(&subject)).fields(&["subject", "version", "schemaId"])).await?;
        Ok((w.reread(id).await?, true))
    }
}

/// Returns the version of a subject that has this document.
async fn version_of(w: &mut Write, subject: &str, document: Id<SchemaDocument>) -> Result<Option<SchemaVersion>> {
    let sql = Sql::new("select id from schema_version").with(" where subject = ", subject.to_owned()).with(" and schema_id = ", document);
    match w.rows(sql.text(" order by version limit 1")).await?.first() {
        Some(row) => Ok(Some(w.reread(row.try_get(0)?).await?)),
        None => Ok(None),
    }
}

/// Stores a document, unless another transaction has stored the same one meanwhile.
async fn insert_document(w: &mut Write, text: &Text) -> Result<Id<SchemaDocument>> {
    let id = Id::<SchemaDocument>::random();
    let sql = Sql::new("insert into schema (id, type, hash, schema) values (")
        .value(id)
        .with(", ", text.kind.stored())
        .with(", ", text.hash.clone())
        .with(", ", text.verbatim.clone())
        .text(") on conflict (hash) do nothing returning id");
    if !w.rows(sql).await?.is_empty() {
        return Ok(id);
    }
    let (kept, stored) = store::by_hash(w, &text.hash).await?.ok_or(sqlx::Error::RowNotFound)?;
    same(&text.document, &stored)?;
    Ok(kept)
}

/// Appends the version; the caller has locked the subject.
async fn append(w: &mut Write, subject: &str, document: Id<SchemaDocument>) -> Result<Id<SchemaVersion>> {
    let id = Id::<SchemaVersion>::random();
    let sql = Sql::new("insert into schema_version (id, \"timestamp\", subject, schema_id, version) select ")
        .value(id)
        .with(", clock_timestamp(), ", subject.to_owned())
        .with(", ", document)
        .with(", 1 + greatest((select max(version) from schema_version where subject = ", subject.to_owned())
        .with("), (select last_deleted from pumphouse.schema_subject where subject = ", subject.to_owned())
        .text("), 0)");
    w.rows(sql).await?;
    Ok(id)
}

/// Compares numbers exactly. Canonical JSON (RFC 8785) uses floating-point numbers, so distinct integers beyond 2^53 may
/// share a hash; such a document must not be taken for the stored one.
pub(super) fn same(document: &Value, stored: &str) -> Result<()> {
    if equal(document, &parse(stored)?) {
        return Ok(());
    }
    let message = "A schema that differs from this one in the last digits of a large number is kept already, and by their hash they cannot be told apart; write the number in another way.";
    Err(Error::conflict(message).field("schema"))
}

fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => equal_numbers(one, other),
        (Value::Array(one), Value::Array(other)) => one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other)),
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

fn equal_numbers(one: &Number, other: &Number) -> bool {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}
