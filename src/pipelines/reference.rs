//! What an input of a datamodel, pipeline or subscription refers to (domain.md sections 0 and 1).
//!
//! Always holds: whatever an input names may be changed by the viewer, lies in the env of the row that names it, and stays
//! until the transaction ends; else `NOT_FOUND` with the field. Connectors are locked in the order of their ids. Not here:
//! references that stay as they are, which may be older than these rules.

use sqlx::Row as _;

use crate::core::entity::{Entity, from_visible, select_list};
use crate::core::error::{Code, Error, Result};
use crate::core::id::Id;
use crate::core::proof::owners_of;
use crate::core::sql::Sql;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;
use crate::core::write::Write;
use crate::pipelines::{Connector, Datamodel, Way};

/// A connector that an input names.
pub(crate) struct Named {
    pub(crate) field: &'static str,
    pub(crate) id: Id<Connector>,
    pub(crate) way: Way,
}

impl Named {
    /// A connector that is to be read from.
    pub(crate) fn source(field: &'static str, id: Option<Id<Connector>>) -> Option<Self> {
        id.map(|id| Self { field, id, way: Way::Source })
    }

    /// A connector that is to be written to.
    pub(crate) fn target(field: &'static str, id: Option<Id<Connector>>) -> Option<Self> {
        id.map(|id| Self { field, id, way: Way::Target })
    }
}

/// What an input refers to, locked, and what is wrong with it.
#[derive(Debug, Default)]
pub struct References {
    places: Vec<Place>,
    violations: Violations,
}

/// Where something that a row refers to stands.
#[derive(Debug)]
struct Place {
    field: &'static str,
    entity: &'static str,
    /// Named by the input, rather than there already.
    new: bool,
    owners: Vec<Owner>,
}

impl References {
    /// Locks the connectors that an input names. Which of them the viewer does not see or may not change is told by
    /// [`References::found`], in the order in which they are named here.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(crate) async fn connectors(w: &mut Write, named: impl IntoIterator<Item = Option<Named>>) -> Result<Self> {
        let mut named: Vec<(usize, Named)> = named.into_iter().flatten().enumerate().collect();
        named.sort_by_key(|(_, named)| named.id.uuid());
        let mut asked = Vec::with_capacity(named.len());
        for (place, Named { field, id, way }) in named {
            asked.push((place, field, way, w.parent(id, field).await));
        }
        asked.sort_by_key(|(place, ..)| *place);
        let mut references = Self::default();
        for (_, field, way, connector) in asked {
            let Some(connector) = references.admit(connector)? else { continue };
            if connector.way != way {
                let rule = match way {
                    Way::Source => "This connector is a target; name a source.",
                    Way::Target => "This connector is a source; name a target.",
                };
                references.violations.add(field, rule);
            }
            references.add(field, Connector::NAME, vec![owner(&connector)]);
        }
        Ok(references)
    }

    /// What was asked for; none when the viewer does not see it or may not change it, which is noted.
    ///
    /// # Errors
    /// When the database could not be asked.
    pub(crate) fn admit<T>(&mut self, asked: Result<T>) -> Result<Option<T>> {
        match asked {
            Ok(found) => Ok(Some(found)),
            Err(refusal) if matches!(refusal.code(), Code::NotFound | Code::Forbidden) => {
                self.violations.refuse(refusal);
                Ok(None)
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Locks the datamodel that an input names.
    ///
    /// # Errors
    /// As [`References::connectors`].
    pub(crate) async fn datamodel(&mut self, w: &mut Write, field: &'static str, id: Option<Id<Datamodel>>) -> Result<()> {
        let Some(id) = id else { return Ok(()) };
        let held = w.parent(id, field).await;
        if self.admit(held)?.is_none() {
            return Ok(());
        }
        let owners = standing(w, id).await?;
        self.add(field, Datamodel::NAME, owners);
        Ok(())
    }

    /// Goes on with the row that the input is about when it and all that the input names was found.
    ///
    /// # Errors
    /// `NOT_FOUND` with the field of what the viewer does not see, `FORBIDDEN` of what they may not change; and with it
    /// whatever `rest` finds wrong about the rest of the input, told the row where there is one.
    pub(crate) fn found<T>(&mut self, row: Result<T>, rest: impl FnOnce(&mut Violations, Option<&T>)) -> Result<T> {
        match self.admit(row)? {
            Some(row) if !self.violations.refuses() => Ok(row),
            row => {
                let mut violations = std::mem::take(&mut self.violations);
                rest(&mut violations, row.as_ref());
                Err(violations.refusal())
            }
        }
    }

    /// Notes what is wrong with a field that names something.
    pub(crate) fn fault(&mut self, field: &'static str, rule: String) {
        self.violations.add(field, rule);
    }

    /// Adds what the input names and somebody else has locked.
    pub(crate) fn add(&mut self, field: &'static str, entity: &'static str, owners: Vec<Owner>) {
        self.places.push(Place { field, entity, new: true, owners });
    }

    /// Has what this field names say in which env a new row lies: its owner does.
    pub(crate) fn led_by(&mut self, field: &str) {
        self.places.iter_mut().filter(|place| place.field == field).for_each(|place| place.new = false);
    }

    /// Adds the owner of the row that refers, or of what it refers to already: what is new has to stand there too.
    pub(crate) fn stands(&mut self, owners: Vec<Owner>) {
        self.places.push(Place { field: "", entity: "", new: false, owners });
    }

    /// Adds what a row refers to already and keeps.
    pub(crate) async fn keeps<E: Entity>(&mut self, w: &mut Write, id: Option<Id<E>>) -> Result<()> {
        let Some(id) = id else { return Ok(()) };
        let owners = standing(w, id).await?;
        self.stands(owners);
        Ok(())
    }

    /// What is wrong, for the other faults of the input to join: with what stands in another env, which is `NOT_FOUND`.
    pub(crate) fn together(mut self) -> Violations {
        let first = |new: bool| self.places.iter().find(move |place| place.new == new && !place.owners.is_empty());
        let anchor = first(false).or_else(|| first(true)).and_then(|place| place.owners.first());
        if let Some(anchor) = anchor {
            let astray = self.places.iter().filter(|place| place.new && !place.owners.iter().all(|owner| same_env(anchor, owner)));
            for place in astray {
                self.violations.refuse(Error::no_such(place.entity).field(place.field));
            }
        }
        self.violations
    }
}

/// Teams without an env are each a world of their own.
fn same_env(one: &Owner, other: &Owner) -> bool {
    match (one.env, other.env) {
        (None, None) => one.team == other.team,
        (one, other) => one == other,
    }
}

/// Where a row stands: with those who own it, and a datamodel that nobody owns with those who name it. Whoever else names it waits
/// then, as until the first has done so it stands nowhere.
async fn standing<E: Entity>(w: &mut Write, id: Id<E>) -> Result<Vec<Owner>> {
    let owners = owners_of(w.connection(), E::TABLE, id.uuid()).await?;
    if !owners.is_empty() {
        return Ok(owners);
    }
    w.rows(Sql::new(&format!("select 1 from {} where id = ", E::TABLE)).value(id).text(" for no key update")).await?;
    let sql = Sql::new("select distinct team_id, env_id from pumphouse.tie where type = ").value(E::NAME).with(" and id = ", id);
    w.rows(sql).await?.iter().map(|row| Ok(Owner { team: row.try_get(0)?, env: row.try_get(1)? })).collect()
}

/// The owner of a connector.
pub(crate) fn owner(connector: &Connector) -> Owner {
    Owner { team: connector.team_id.map(Id::uuid), env: connector.env_id.map(Id::uuid) }
}

/// The first of several owners, for the audit.
pub(crate) async fn owner_of<E: Entity>(w: &mut Write, id: Id<E>) -> Result<Owner> {
    Ok(owners_of(w.connection(), E::TABLE, id.uuid()).await?.first().copied().unwrap_or(Owner::NONE))
}

/// A row as the viewer sees it and as it is now, not locked: what has to be known before locks are taken in their order.
///
/// # Errors
/// `NOT_FOUND` when they do not see it.
pub(crate) async fn glance<E: Entity>(w: &mut Write, id: Id<E>, field: &str) -> Result<E> {
    let viewer = w.viewer().clone();
    let mut sql = Sql::new("select ");
    select_list::<E>(&mut sql, &viewer);
    from_visible::<E>(&mut sql, &viewer);
    match w.rows(sql.with(" and t.id = ", id)).await?.first() {
        Some(row) => Ok(E::from_row(row, 0)?),
        None => Err(Error::no_such(E::NAME).field(field)),
    }
}

/// What was looked at before it was locked is not the same any more.
pub(crate) fn overtaken() -> Error {
    Error::conflict("Somebody else changed it at this very moment; try again.")
}
