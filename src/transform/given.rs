//! The parameters of one transform in a configuration.
//!
//! Always holds: they are checked against the type's parameter list, and faults are collected. For a faulty parameter, a
//! getter returns the same as for an omitted one; a chain with a fault is never run.

use serde_json::{Map, Value};

use super::Fault;
use super::key::{Form, Key, Reference};
use super::parameter::Parameter;
use super::path::Path;
use crate::core::marks::child;

/// The parameters of a transform.
pub(super) struct Given<'a> {
    map: &'a Map<String, Value>,
    pointer: &'a str,
    violations: &'a mut Vec<Fault>,
}

impl<'a> Given<'a> {
    /// Checks the given parameters against the accepted ones.
    pub(super) fn check(map: &'a Map<String, Value>, parameters: &[Parameter], pointer: &'a str, violations: &'a mut Vec<Fault>) -> Self {
        let mut given = Self { map, pointer, violations };
        for name in map.keys().filter(|name| *name != "type" && !parameters.iter().any(|parameter| parameter.name == name.as_str())) {
            let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
            given.fault(&child("", name), format!("This type takes no such parameter; it takes {}.", known.join(", ")));
        }
        for parameter in parameters {
            match map.get(parameter.name) {
                None if parameter.needed => given.fault("", format!("`{}` is missing. {}", parameter.name, parameter.description)),
                None => {}
                Some(value) => {
                    for (below, rule) in parameter.kind.check(value) {
                        given.fault(&format!("/{}{below}", parameter.name), rule);
                    }
                }
            }
        }
        given
    }

    /// Adds a fault at this position below the transform.
    pub(super) fn fault(&mut self, below: &str, message: impl Into<String>) {
        self.violations.push(Fault { pointer: format!("{}{below}", self.pointer), message: message.into() });
    }

    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name)
    }

    pub(super) fn path(&self, name: &str) -> Option<Path> {
        Path::read(self.value(name)?)
    }

    pub(super) fn paths(&self, name: &str) -> Vec<Path> {
        self.value(name).and_then(Value::as_array).map_or_else(Vec::new, |items| items.iter().filter_map(Path::read).collect())
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.value(name)?.as_u64()?.try_into().ok()
    }

    pub(super) fn key(&self, name: &'static str, form: Form) -> Option<Key> {
        Some(Key::new(name, form, Reference::read(self.value(name)?)?))
    }
}
