//! What to deliver, as the API tells it.

use serde::Deserialize;
use serde_json::Value;

use crate::worker::api::ApiError;
use crate::worker::bootstrap::read;
use crate::worker::shared::Shared;
use crate::worker::topics::topic;

/// One subscription.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Subscription {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) target_table: String,
    pub(super) transforms: Value,
    pub(super) error_table: Option<ErrorTable>,
    source_topic: Option<String>,
    source_connector: Option<String>,
    /// The table of the source; any of the topic when it is not said.
    pub(super) source_table: Option<String>,
}

/// Where its rejected rows go.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct ErrorTable {
    pub(super) name: String,
    /// Whether it is in the same database.
    pub(super) own: bool,
}

#[derive(Deserialize)]
struct Deliveries {
    subscriptions: Vec<Subscription>,
}

impl Subscription {
    /// Where its rows come from.
    pub(super) fn topic(&self) -> String {
        let [connector, table] = [&self.source_connector, &self.source_table].map(|name| name.as_deref().unwrap_or_default());
        topic(self.source_topic.as_deref(), connector, table)
    }

    /// Whether a segment of its topic is of its table.
    pub(super) fn reads(&self, table: &str) -> bool {
        self.source_table.as_deref().is_none_or(|own| own == table)
    }
}

/// Asks what this worker has to deliver.
pub(super) async fn ask(shared: &Shared) -> Result<Vec<Subscription>, ApiError> {
    let deliveries: Deliveries = read(shared.api.post("worker/deliveries")?).await?;
    Ok(deliveries.subscriptions)
}
