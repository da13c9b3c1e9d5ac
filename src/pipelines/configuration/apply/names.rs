//! The things that a document names: those of the env that the viewer sees, and those that the document makes.

use async_graphql::MaybeUndefined;
use serde_json::Value;

use super::Apply;
use crate::access::Team;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::pipelines::configuration::document::DatamodelName;
use crate::pipelines::configuration::present::identified;
use crate::pipelines::error_table::new;
use crate::pipelines::{Connector, Datamodel};

pub(super) const SEVERAL: &str = "Several have this name, so it identifies none of them; give each a name of its own first.";

impl Apply<'_> {
    /// Nothing is done with what a name does not identify.
    #[expect(clippy::unnecessary_wraps, reason = "it ends what else could fail")]
    pub(super) fn ambiguous(&mut self, place: &str) -> Result<()> {
        self.violations.add(format!("{place}/name"), SEVERAL);
        Ok(())
    }

    /// The team that is to own something new.
    pub(super) fn owner(&mut self, place: &str, name: Option<&String>) -> Option<Id<Team>> {
        if self.order.into.is_some() {
            return self.order.into;
        }
        let found = self.present.teams.iter().filter(|(_, team)| Some(*team) == name).map(|(id, _)| Id::from(*id));
        match found.collect::<Vec<_>>().as_slice() {
            [team] => return Some(*team),
            [] => self.violations.add(format!("{place}/team"), "It names the team that is to own it, one of this env that you see."),
            _ => self.violations.add(format!("{place}/team"), SEVERAL),
        }
        None
    }

    pub(super) fn named(&mut self, place: &str, name: &String) -> Option<Id<Connector>> {
        let found = self.connectors.get(name).map_or(&[][..], Vec::as_slice);
        match found {
            [id] => return Some(*id),
            // What is wrong with it is told already.
            [] if self.order.document.connectors.iter().any(|item| item.name == *name) => {}
            [] => self.violations.add(place, "There is no connector of this name, neither here for you to see nor in the document."),
            _ => self.violations.add(place, SEVERAL),
        }
        None
    }

    fn shape(&mut self, place: &str, name: &DatamodelName) -> Option<Id<Datamodel>> {
        let found = self.datamodels.get(name).map_or(&[][..], Vec::as_slice);
        match found {
            [id] => return Some(*id),
            [] if self.order.document.datamodels.iter().any(|item| item.id() == *name) => {}
            [] => self.violations.add(place, "There is no such datamodel of this source, neither here for you to see nor in the document."),
            _ => self.violations.add(place, SEVERAL),
        }
        None
    }

    pub(super) fn maybe_named(&mut self, place: &str, name: Option<&String>) -> Option<Id<Connector>> {
        name.and_then(|name| self.named(place, name))
    }

    pub(super) fn maybe_shape(&mut self, place: &str, name: Option<&DatamodelName>) -> Option<Id<Datamodel>> {
        name.and_then(|name| self.shape(place, name))
    }

    pub(super) fn differing_connector(
        &mut self,
        place: &str,
        before: Option<&String>,
        now: Option<&String>,
    ) -> MaybeUndefined<Id<Connector>> {
        if before == now { MaybeUndefined::Undefined } else { new(self.maybe_named(place, now)) }
    }

    pub(super) fn differing_shape(
        &mut self,
        place: &str,
        before: Option<&DatamodelName>,
        now: Option<&DatamodelName>,
    ) -> MaybeUndefined<Id<Datamodel>> {
        if before == now { MaybeUndefined::Undefined } else { new(self.maybe_shape(place, now)) }
    }

    pub(super) fn identified(&mut self, place: &str, document: &Value) -> Value {
        let place = format!("{place}/errorTableConfig");
        identified(document, &mut |name| self.named(&place, &name.to_owned()).map(Id::uuid))
    }
}
