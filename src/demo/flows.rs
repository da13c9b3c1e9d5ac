//! What flows: datamodels, pipelines and deliveries.
//!
//! Always holds: whatever a pipeline or a delivery names belongs to its team, hence to its env; a pipeline is
//! completed exactly when it has a source, a target and a whole delivery (domain.md section 2).

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::connectors::{BILLING, CLICKS, Connectors, LAKE, SHOP, SNOWFLAKE, WAREHOUSE, Written};
use super::layout::{Layout, fresh};
use super::organisation::Places;
use super::tables::{TABLES, table};
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::pipelines::{Datamodel, Pipeline, PipelineSubscription};

/// The tables of the shop that have no datamodel: nobody may deliver them.
const KEPT_BACK: &str = "payroll";

/// A pipeline to be made.
struct New {
    name: &'static str,
    team: &'static str,
    source: &'static str,
    target: Option<&'static str>,
    datamodel: &'static str,
    deliveries: &'static [Delivery],
}

/// One delivery of a pipeline.
struct Delivery {
    topic: &'static str,
    table: &'static str,
    enabled: bool,
    /// Columns that are hashed on the way.
    hashed: &'static [&'static str],
}

const PIPELINES: &[New] = &[
    New {
        name: "orders-to-warehouse",
        team: "commerce",
        source: SHOP,
        target: Some(WAREHOUSE),
        datamodel: "shop.public.orders",
        deliveries: &[
            Delivery { topic: "shop.public.orders", table: "shop_orders", enabled: true, hashed: &[] },
            Delivery { topic: "shop.public.order_items", table: "shop_order_items", enabled: true, hashed: &[] },
            Delivery { topic: "shop.public.payments", table: "shop_payments", enabled: true, hashed: &[] },
        ],
    },
    New {
        name: "customers-to-warehouse",
        team: "commerce",
        source: SHOP,
        target: Some(WAREHOUSE),
        datamodel: "shop.public.customers",
        deliveries: &[Delivery { topic: "shop.public.customers", table: "shop_customers", enabled: true, hashed: &["email", "phone"] }],
    },
    New {
        name: "catalogue-to-warehouse",
        team: "commerce",
        source: SHOP,
        target: Some(WAREHOUSE),
        datamodel: "shop.public.products",
        deliveries: &[
            Delivery { topic: "shop.public.products", table: "shop_products", enabled: true, hashed: &[] },
            Delivery { topic: "shop.public.stores", table: "shop_stores", enabled: true, hashed: &[] },
            Delivery { topic: "shop.public.countries", table: "shop_countries", enabled: false, hashed: &[] },
        ],
    },
    // A draft: nothing says yet where the promotions go.
    New {
        name: "promotions-to-warehouse",
        team: "commerce",
        source: SHOP,
        target: Some(WAREHOUSE),
        datamodel: "shop.public.promotions",
        deliveries: &[],
    },
    New {
        name: "payments-to-snowflake",
        team: "finance",
        source: BILLING,
        target: Some(SNOWFLAKE),
        datamodel: "billing.public.payments",
        deliveries: &[Delivery { topic: "billing.public.payments", table: "PAYMENTS", enabled: true, hashed: &[] }],
    },
    New {
        name: "clicks-to-lakehouse",
        team: "experiments",
        source: CLICKS,
        target: Some(LAKE),
        datamodel: "web.clicks",
        deliveries: &[Delivery { topic: "web.clicks", table: "web.clicks", enabled: false, hashed: &["visitor"] }],
    },
];

/// A delivery that was written.
pub(super) struct Delivered {
    pub(super) subscription: Uuid,
    pub(super) topic: &'static str,
    pub(super) enabled: bool,
}

/// Writes them all and answers the deliveries.
pub(super) async fn write(layout: &mut Layout<'_>, places: &Places, connectors: &Connectors) -> Result<Vec<Delivered>> {
    let datamodels = write_datamodels(layout, connectors).await?;
    let mut delivered = Vec::new();
    for new in PIPELINES {
        let owner = places.team(new.team)?;
        let target = new.target.map(|name| connectors.get(name)).transpose()?;
        let row = json!({
            "name": new.name, "json_configuration": {}, "version": 1, "is_completed": target.is_some() && !new.deliveries.is_empty(),
            "team_id": owner.team, "source_connector_id": connectors.get(new.source)?.id, "target_connector_id": target.map(|to| to.id),
            "datamodel_id": datamodel(&datamodels, new.datamodel)?,
        });
        let pipeline = layout.add::<Pipeline>(row).await?;
        layout.record::<Pipeline>(pipeline, new.name, owner).await?;
        let Some(target) = target else { continue };
        for delivery in new.deliveries {
            let from = datamodel(&datamodels, delivery.topic)?;
            let subscription = write_delivery(layout, delivery, pipeline, from, target).await?;
            delivered.push(Delivered { subscription, topic: delivery.topic, enabled: delivery.enabled });
        }
    }
    Ok(delivered)
}

fn datamodel(datamodels: &HashMap<String, Uuid>, topic: &str) -> Result<Uuid> {
    datamodels.get(topic).copied().ok_or_else(|| Error::no_such(Datamodel::NAME))
}

/// One datamodel for every table that is delivered or could be, by topic.
async fn write_datamodels(layout: &mut Layout<'_>, connectors: &Connectors) -> Result<HashMap<String, Uuid>> {
    let mut wanted: Vec<(Written, String, &str, Value)> = Vec::new();
    let shop = connectors.get(SHOP)?;
    for table in TABLES.iter().filter(|table| table.name != KEPT_BACK) {
        wanted.push((shop, format!("shop.{}", table.full_name()), table.name, table.config()));
    }
    if let Some(payments) = table("payments") {
        wanted.push((connectors.get(BILLING)?, "billing.public.payments".to_owned(), "billed payments", payments.config()));
    }
    let clicks = json!({"fields": [
        {"name": "visitor", "type": "text", "key": true, "nullable": false},
        {"name": "page", "type": "text", "key": false, "nullable": false},
        {"name": "clicked_at", "type": "timestamp with time zone", "key": false, "nullable": false},
    ]});
    wanted.push((connectors.get(CLICKS)?, "web.clicks".to_owned(), "clicks", clicks));
    let mut datamodels = HashMap::new();
    for (source, topic, name, config) in wanted {
        let row = json!({
            "name": name, "config": config, "source_connector_id": source.id, "source_topic": topic,
            "target_topic": format!("{topic}.shaped"), "consumer_id": format!("datamodel-{topic}"), "error_table_enabled": false,
            "enabled": true,
        });
        let id = layout.add::<Datamodel>(row).await?;
        layout.record::<Datamodel>(id, name, source.owner).await?;
        datamodels.insert(topic, id);
    }
    Ok(datamodels)
}

async fn write_delivery(layout: &mut Layout<'_>, new: &Delivery, pipeline: Uuid, datamodel: Uuid, target: Written) -> Result<Uuid> {
    let id = fresh::<PipelineSubscription>();
    let transforms = if new.hashed.is_empty() { json!([]) } else { json!([{"type": "hash", "fields": new.hashed}]) };
    // Who hashes also wants to see what could not be.
    let errors = !new.hashed.is_empty();
    let row = json!({
        "id": id, "name": new.table, "config": {}, "transform_config": transforms, "pipeline_id": pipeline, "datamodel_id": datamodel,
        "target_connector_id": target.id, "error_table_enabled": errors, "error_table_name": errors.then(|| format!("{}_rejected", new.table)),
        "error_table_target_id": errors.then_some(target.id), "target_table_name": new.table, "consumer_id": id, "backfill": false,
        "enabled": new.enabled,
    });
    layout.add::<PipelineSubscription>(row).await?;
    layout.record::<PipelineSubscription>(id, new.table, target.owner).await?;
    Ok(id)
}
