//! The roots that list an entity or look one up, one line each.

use std::marker::PhantomData;

use async_graphql::registry::{MetaField, MetaInputValue, Registry};
use async_graphql::{Context, InputType, OutputType, ServerResult, Value};
use futures_util::future::BoxFuture;

use crate::access::{Env, ServiceAccount, Team, User};
use crate::core::entity::{Entity, FieldDef, answer, answer_by_id, argument, computed, root};
use crate::core::error::Error;
use crate::core::id::Id;
use crate::object;
use crate::operations::{LicenseState, SyncRun, SyncRunEnd, UserLog, current_license};
use crate::pipelines::{Connector, Datamodel, Pipeline, PipelineSubscription, Worker};
use crate::registry::SchemaDocument;

/// The part of `Query` that is the same for every entity.
#[derive(Default)]
pub struct Lists;

const ROOTS: &[&dyn FieldDef<Lists>] = &[
    &one::<Env>("env", "The env with this id."),
    &root::<Lists, Env>("envs", "The envs that you see."),
    &one::<Team>("team", "The team with this id."),
    &root::<Lists, Team>("teams", "The teams that you see."),
    &one::<User>("user", "The user with this id."),
    &root::<Lists, User>("users", "The users that you see: whoever shares an env or a team with you."),
    &one::<ServiceAccount>("serviceAccount", "The service account with this id."),
    &root::<Lists, ServiceAccount>("serviceAccounts", "The service accounts that you see: those whose every grant you administer."),
    &one::<Connector>("connector", "The connector with this id."),
    &root::<Lists, Connector>("connectors", "The connectors that you see."),
    &one::<Datamodel>("datamodel", "The datamodel with this id."),
    &root::<Lists, Datamodel>("datamodels", "The datamodels that you see."),
    &one::<Pipeline>("pipeline", "The pipeline with this id."),
    &root::<Lists, Pipeline>("pipelines", "The pipelines that you see."),
    &one::<PipelineSubscription>("pipelineSubscription", "The delivery with this id."),
    &root::<Lists, PipelineSubscription>("pipelineSubscriptions", "The deliveries that you see."),
    &one::<Worker>("worker", "The worker with this id."),
    &root::<Lists, Worker>("workers", "The workers that you see."),
    &one::<SchemaDocument>("schemaDocument", "The schema document with this id."),
    &one::<SyncRun>("syncRun", "The sync run with this id."),
    &root::<Lists, SyncRun>("syncRuns", "The sync runs that you see, newest first."),
    &root::<Lists, SyncRunEnd>(
        "syncRunEnds",
        "How sync runs ended, the latest first: those of the connectors that you see, or could see when they were deleted.",
    ),
    &root::<Lists, UserLog>(
        "userLogs",
        "The audit log, newest first: your own entries, and those of the envs and teams that you administer.",
    ),
    &computed::<Lists, Option<LicenseState>>(
        "license",
        |_, ctx| Box::pin(current_license(ctx)),
        "The latest verdict on the licence; null when none was ever reported, which counts as inactive.",
    ),
];

/// The root that looks up one row by its id.
struct One<E> {
    name: &'static str,
    description: &'static str,
    target: PhantomData<fn() -> E>,
}

const fn one<E>(name: &'static str, description: &'static str) -> One<E> {
    One { name, description, target: PhantomData }
}

impl<E: Entity> FieldDef<Lists> for One<E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let mut id = MetaInputValue::new("id", <Id<E> as InputType>::create_type_info(registry));
        id.description = Some("The id of the row.".to_owned());
        let mut field = MetaField::new(self.name, <Option<E> as OutputType>::create_type_info(registry));
        field.description = Some(format!("{} `NOT_FOUND` when there is none that you may see.", self.description));
        field.args.insert("id".to_owned(), id);
        field
    }

    fn resolve<'a>(&'a self, _root: &'a Lists, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(async move {
            let id: Id<E> = match argument(ctx, "id") {
                Ok(id) => id,
                Err(error) => return answer(ctx, true, Err(error)),
            };
            let found = answer_by_id::<E>(ctx, id.uuid()).await;
            answer(ctx, true, found.and_then(|found| found.ok_or_else(|| Error::no_such(self.name).field("id"))))
        })
    }
}

object!(Lists, "The roots that are the same for every entity.", ROOTS);
