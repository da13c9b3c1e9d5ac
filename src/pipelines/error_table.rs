//! Where rejected rows go: what datamodels and subscriptions say of it alike.

use async_graphql::MaybeUndefined;

use crate::core::id::Id;
use crate::core::values::Values;
use crate::core::violations::Violations;
use crate::pipelines::Connector;
use crate::pipelines::reference::Named;

/// The longest name of a table, topic or consumer group, in characters.
pub(crate) const LONGEST_LINE: usize = 255;

/// What an input says of the error table.
pub(crate) struct ErrorTable {
    pub(crate) enabled: MaybeUndefined<bool>,
    pub(crate) name: MaybeUndefined<String>,
    pub(crate) target: MaybeUndefined<Id<Connector>>,
}

impl ErrorTable {
    /// The connector that it names anew.
    pub(crate) fn named(target: &MaybeUndefined<Id<Connector>>) -> Option<Named> {
        Named::target("errorTableTargetId", target.value().copied())
    }

    /// Sets the columns, where `was` is whether the row's error table is enabled and whether it has a name.
    pub(crate) fn write(self, violations: &mut Violations, values: &mut Values, was: (bool, bool)) {
        let enabled = violations.kept("errorTableEnabled", self.enabled);
        values.given("errorTableEnabled", enabled.as_ref());
        values.line(violations, "errorTableName", &self.name, LONGEST_LINE);
        values.maybe("errorTableTargetId", &self.target);
        let touched = enabled.is_some() || !self.name.is_undefined();
        let named = if self.name.is_undefined() { was.1 } else { self.name.is_value() };
        if touched && enabled.unwrap_or(was.0) && !named {
            violations.add("errorTableName", "An error table that is enabled has a name.");
        }
    }
}

/// What a new row is given: what is left out is null.
pub(crate) fn new<T>(given: Option<T>) -> MaybeUndefined<T> {
    given.map_or(MaybeUndefined::Null, MaybeUndefined::Value)
}
