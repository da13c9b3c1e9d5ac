//! What the fleet works on: an env, a team, and pairs of a source and a target with a pipeline between them.
//!
//! Always holds: made through the public API, each thing under a key of its own, so an address that goes away half way
//! makes nothing twice. It stays when the fleet has ended.

use chrono::{DateTime, Utc};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::client::Doors;
use super::error::FleetError;
use super::graph::{
    MakeDatamodel, MakeEnv, MakePipeline, MakeSource, MakeSubscription, MakeTarget, MakeTeam, make_datamodel, make_env, make_pipeline,
    make_source, make_subscription, make_target, make_team,
};

/// How many pairs are made at a time.
const AT_A_TIME: usize = 8;

/// What a worker counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// The changes of a source, in the datamodel with this id and this topic.
    Produce { datamodel: String, topic: String },
    /// What the subscription with this id delivers.
    Consume { subscription: String },
}

/// A worker's place.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) name: String,
    pub(super) worker: String,
    pub(super) connector: String,
    pub(super) duty: Duty,
}

/// All that was made.
pub(super) struct Ground {
    pub(super) env: String,
    pub(super) made_at: DateTime<Utc>,
    pub(super) posts: Vec<Post>,
}

/// Makes it.
pub(super) async fn build(doors: &Doors<'_>, name: &str, workers: usize) -> Result<Ground, FleetError> {
    let refused = |error| FleetError::of("a new env and team", error);
    let env = doors.once::<MakeEnv>(make_env::Variables { name: name.to_owned() }).await.map_err(refused)?.create_env.env;
    let made_at = env.created_at.as_deref().and_then(|at| DateTime::parse_from_rfc3339(at).ok());
    let made_at = made_at.ok_or(FleetError::Incomplete("a new env"))?.to_utc();
    let team = make_team::Variables { env_id: env.id.clone(), name: name.to_owned() };
    let team = doors.once::<MakeTeam>(team).await.map_err(refused)?.create_team.team.id;
    let pairs: Vec<Vec<Post>> = stream::iter(0..workers.div_ceil(2))
        .map(|pair| Box::pin(build_pair(doors, &team, name, pair, workers)))
        .buffered(AT_A_TIME)
        .try_collect()
        .await?;
    Ok(Ground { env: env.id, made_at, posts: pairs.into_iter().flatten().collect() })
}

async fn build_pair(doors: &Doors<'_>, team: &str, fleet: &str, pair: usize, workers: usize) -> Result<Vec<Post>, FleetError> {
    let refused = |error| FleetError::of("a new connector and pipeline", error);
    let name = format!("source {pair}");
    let made = make_source::Variables { team_id: team.to_owned(), name: name.clone() };
    let made = doors.once::<MakeSource>(made).await.map_err(refused)?.create_connector.connector;
    let worker = made.worker.ok_or(FleetError::Incomplete("a new connector"))?.id;
    let topic = format!("{fleet}.{pair}.orders");
    let datamodel = make_datamodel::Variables { connector_id: made.id.clone(), name: format!("orders {pair}"), topic: topic.clone() };
    let datamodel = doors.once::<MakeDatamodel>(datamodel).await.map_err(refused)?.create_datamodel.datamodel.id;
    let duty = Duty::Produce { datamodel: datamodel.clone(), topic };
    let source = Post { name, worker, connector: made.id, duty };
    if pair * 2 + 1 == workers {
        return Ok(vec![source]);
    }
    let name = format!("target {pair}");
    let made = make_target::Variables { team_id: team.to_owned(), name: name.clone() };
    let made = doors.once::<MakeTarget>(made).await.map_err(refused)?.create_connector.connector;
    let worker = made.worker.ok_or(FleetError::Incomplete("a new connector"))?.id;
    let pipeline = make_pipeline::Variables {
        team_id: team.to_owned(),
        name: format!("orders {pair}"),
        source: source.connector.clone(),
        target: made.id.clone(),
        datamodel: datamodel.clone(),
    };
    let pipeline = doors.once::<MakePipeline>(pipeline).await.map_err(refused)?.create_pipeline.pipeline.id;
    let subscription = make_subscription::Variables { name: format!("orders {pair}"), pipeline, datamodel, target: made.id.clone() };
    let subscription = doors.once::<MakeSubscription>(subscription).await.map_err(refused)?;
    let duty = Duty::Consume { subscription: subscription.create_pipeline_subscription.pipeline_subscription.id };
    Ok(vec![source, Post { name, worker, connector: made.id, duty }])
}
