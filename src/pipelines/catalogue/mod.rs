//! The connector types: what can be connected, and what each needs to know.
//!
//! Always holds: a type's way, the schema of its configuration, the marks of what in it is secret or leads somewhere, and
//! the hints for a form come from one description, which is constant data; schemas are compiled once. Not here: connectors.

pub(in crate::pipelines) mod check;
mod field;
mod query;
mod schema;
mod shared;
mod sources;
mod targets;

use std::sync::{LazyLock, OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use self::field::Spec;
use crate::core::error::{Error, Result};
use crate::core::marks::Marks;
use crate::core::secret::Secret;
use crate::core::violations::Violations;
use crate::pipelines::Way;

pub use query::{ConnectorType, ConnectorTypeQuery};

/// The longest configuration, in bytes of JSON.
const LONGEST: usize = 256 * 1024;

/// A connector type.
pub struct Kind {
    spec: Spec,
    schema: Value,
    marks: Marks,
    validator: OnceLock<Option<Validator>>,
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| sources::SOURCES.iter().chain(targets::TARGETS).map(Kind::new).collect());

/// All types, sources first.
#[must_use]
pub fn kinds() -> &'static [Kind] {
    &KINDS
}

/// The type with this id.
#[must_use]
pub fn kind(id: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.id() == id)
}

/// What in the configuration of a type is secret and where it leads; names alone say so for a type that is not known.
#[must_use]
pub fn marks(id: &str) -> &'static Marks {
    const UNKNOWN: &Marks = &Marks::none();
    kind(id).map_or(UNKNOWN, Kind::marks)
}

impl Kind {
    fn new(spec: &Spec) -> Self {
        let schema = schema::schema(spec);
        Self { spec: *spec, marks: Marks::of(&schema), schema, validator: OnceLock::new() }
    }

    /// Its id, such as `POSTGRES_SOURCE`.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.spec.id
    }

    /// Whether its connectors are read from or written to.
    #[must_use]
    pub fn way(&self) -> Way {
        self.spec.way
    }

    /// The JSON Schema of its configuration.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// What in its configuration is secret, and what says where it leads.
    #[must_use]
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Notes what is wrong with a configuration as faults of this field of the input.
    ///
    /// # Errors
    /// When the type's own schema is none.
    pub fn check(&self, document: &Value, field: &str, violations: &mut Violations) -> Result<()> {
        if Secret::new(document.to_string()).reveal().len() > LONGEST {
            violations.add(field, format!("It has at most {LONGEST} bytes."));
            return Ok(());
        }
        let validator = self.validator.get_or_init(|| check::compile(&self.schema)).as_ref();
        let validator = validator.ok_or_else(|| Error::invariant(format!("the schema of {} is none", self.id())))?;
        check::check(validator, &self.schema, document, field, violations);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::core::redact::{is_destination_name, is_secret_name};

    /// Every named part of a schema, those of lists too.
    fn parts(schema: &Value) -> Vec<(&String, &Value)> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.flat_map(|(name, part)| std::iter::once((name, part)).chain(parts(&part["items"]))).collect()
    }

    fn wrong(kind: &str, document: &Value) -> Vec<(String, String)> {
        let mut violations = Violations::default();
        super::kind(kind).unwrap().check(document, "c", &mut violations).unwrap();
        violations.into_list()
    }

    #[test]
    fn every_type_has_a_schema_that_compiles_and_accepts_its_own_defaults() {
        let ids: BTreeSet<&str> = kinds().iter().map(Kind::id).collect();
        assert_eq!((ids.len(), kinds().len()), (31, 31));
        for kind in kinds() {
            assert!(jsonschema::draft202012::meta::is_valid(kind.schema()), "{}", kind.id());
            assert!(check::compile(kind.schema()).is_some(), "{}", kind.id());
            for field in kind.spec.all_fields() {
                let (schema, id) = (&kind.schema()["properties"][field.name], kind.id());
                let validator = check::compile(schema).unwrap();
                if let Some(preset) = field.preset {
                    assert!(validator.is_valid(&serde_json::from_str(preset).unwrap()), "{id} {}", field.name);
                }
                if field.example.is_some() {
                    assert!(validator.is_valid(&schema["examples"][0]), "{id} {}", field.name);
                }
            }
        }
    }

    #[test]
    fn what_looks_like_a_secret_is_write_only_and_what_looks_like_a_destination_is_one() {
        for kind in kinds() {
            for (name, part) in parts(kind.schema()) {
                let is = |keyword: &str| part[keyword] == json!(true);
                assert!(!is_secret_name(name) || is("writeOnly"), "{} shows {name}", kind.id());
                assert!(!is_destination_name(name) || is("x-destination"), "{} is not led by {name}", kind.id());
                assert!(!(is("writeOnly") && (is("x-destination") || part.get("default").is_some())), "{} {name}", kind.id());
                assert!(part["title"].is_string() && part["description"].as_str().unwrap().ends_with('.'), "{} {name}", kind.id());
            }
        }
    }

    #[test]
    fn every_type_says_where_it_leads_or_why_nowhere() {
        for kind in kinds() {
            let leads = kind.spec.all_fields().any(|field| field.destination);
            assert_ne!(leads, kind.spec.leads_nowhere.is_some(), "{}", kind.id());
            assert_eq!(kind.id().ends_with("_SOURCE"), kind.way() == Way::Source, "{}", kind.id());
            let names: BTreeSet<&str> = kind.spec.all_fields().map(|field| field.name).collect();
            assert_eq!(names.len(), kind.spec.all_fields().count(), "{} has a field twice", kind.id());
        }
    }

    #[test]
    fn every_violation_is_told_with_its_pointer_and_none_with_its_value() {
        let document =
            json!({"host": "hunter2 hunter2", "port": 99_999, "user": 7, "password": {"hunter2": 1}, "sslMode": "hunter2", "hots": "x"});
        let told = wrong("POSTGRES_SOURCE", &document);
        let pointers: BTreeSet<&str> = told.iter().map(|(pointer, _)| pointer.as_str()).collect();
        assert_eq!(pointers, BTreeSet::from(["c/database", "c/host", "c/hots", "c/password", "c/port", "c/sslMode", "c/user"]));
        for (pointer, rule) in &told {
            assert!(!rule.contains("hunter2") && rule.ends_with('.') && rule.len() > 10, "{pointer}: {rule}");
        }
        assert!(told.contains(&("c/port".to_owned(), "It is a number from 1 to 65535.".to_owned())));
    }

    #[test]
    fn rules_between_fields_name_what_is_missing() {
        let kafka =
            json!({"bootstrapServers": "a:9092, b:9092", "topics": ["t"], "securityProtocol": "SASL_SSL", "saslMechanism": "PLAIN"});
        let pointers: Vec<String> = wrong("KAFKA_SOURCE", &kafka).into_iter().map(|(pointer, _)| pointer).collect();
        assert_eq!(pointers, ["c/saslUsername", "c/saslPassword"]);
        let snowflake = json!({"account": "a", "database": "d", "warehouse": "w", "user": "u"});
        assert_eq!(wrong("SNOWFLAKE_TARGET", &snowflake), [("c".to_owned(), "Give password or privateKey.".to_owned())]);
        let rest = json!({"url": "https://a", "headers": [{"name": "a b"}]});
        let pointers: BTreeSet<String> = wrong("REST_SOURCE", &rest).into_iter().map(|(pointer, _)| pointer).collect();
        assert_eq!(pointers, BTreeSet::from(["c/headers/0/name".to_owned(), "c/headers/0/value".to_owned()]));
    }

    #[test]
    fn what_becomes_a_part_of_an_address_or_descriptor_has_a_form() {
        for (kind, field, fine, wrong_ones) in [
            ("ORACLE_SOURCE", "serviceName", "shop.Pdb_1$", ["x)(HOST=evil", "x/y"]),
            ("DELTA_LAKE_TARGET", "region", "eu-central-1", ["evil.example.org/", "x@evil"]),
            ("SAP_SOURCE", "systemNumber", "00", ["0", "00 "]),
        ] {
            let is_wrong = |text: &str| wrong(kind, &json!({field: text})).iter().any(|(pointer, _)| *pointer == format!("c/{field}"));
            assert!(!is_wrong(fine), "{kind}");
            assert!(wrong_ones.into_iter().all(is_wrong), "{kind}");
        }
        assert!(marks("SAP_SOURCE").is_destination("/systemNumber"));
    }

    #[test]
    fn references_are_taken_where_secrets_are() {
        let with = |password: Value| json!({"host": "::1", "database": "d", "user": "u", "password": password});
        for fine in [json!("x"), json!({"$secret": "env:PUMPHOUSE_SECRET_X"}), json!({"$secret": "file:x"})] {
            assert!(wrong("POSTGRES_SOURCE", &with(fine)).is_empty());
        }
        for bad in [json!(""), json!(1), json!({"$secret": "x"}), json!({"$secret": "env:X", "more": 1}), json!([])] {
            assert_eq!(wrong("POSTGRES_SOURCE", &with(bad)).len(), 1);
        }
    }
}
