//! What a subscription delivered, by its id alone: its history outlives it.
//!
//! Always holds: once the subscription is gone, superusers alone see what it delivered (domain.md section 1).

use async_graphql::{Context, Object};
use sqlx::Row as _;

use crate::core::entity::{Entity as _, by_id};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::read::Read;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::pipelines::PipelineSubscription;
use crate::throughput::shown::{Consumption, of_subscription_id};
use crate::throughput::window::{Bucket, Window};

/// The root of throughput.
#[derive(Default)]
pub struct ThroughputQuery;

#[Object]
impl ThroughputQuery {
    /// What the subscription with this id read and delivered, over time. Also once it is deleted: then superusers alone
    /// see it.
    async fn consumption(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The subscription; it may be gone.")] subscription_id: Id<PipelineSubscription>,
        #[graphql(desc = "The start of the range.")] from: Time,
        #[graphql(desc = "The end of the range, which does not belong to it.")] to: Time,
        #[graphql(desc = "How long a point is: minutes, hours and days of UTC. At most 1,000 points.", default_with = "Bucket::Day")]
        bucket: Bucket,
    ) -> Result<Consumption> {
        if by_id::<PipelineSubscription>(ctx, subscription_id.uuid()).await?.is_none() && !has_history(ctx, subscription_id).await? {
            return Err(Error::no_such(PipelineSubscription::NAME).field("subscriptionId"));
        }
        of_subscription_id(ctx, subscription_id, Window::new(from, to, bucket)?).await
    }
}

/// Whether the viewer sees that something that is gone delivered.
async fn has_history(ctx: &Context<'_>, id: Id<PipelineSubscription>) -> Result<bool> {
    let read = Read::of(ctx)?;
    if !read.viewer().is_superuser() {
        return Ok(false);
    }
    let sql = Sql::new("select exists (select from consumption_metric where subscription_id = ")
        .value(id)
        .with(") or exists (select from consumption_metric_daily where subscription_id = ", id)
        .text(")");
    read.rows(sql).await?.first().map_or(Ok(false), |row| Ok(row.try_get(0)?))
}
