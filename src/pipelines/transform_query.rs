//! Trying out transforms before they are stored: `previewTransform`, and what there is to choose from.
//!
//! Not here: what transforms do (`transform/`), and storing them.

use async_graphql::{Context, Json, Object, SimpleObject};
use serde_json::Value;

use crate::core::error::{Error, Result};
use crate::core::read::Read;
use crate::core::violations::Violations;
use crate::transform::{Chain, Fault, TYPES, TransformType};

/// The roots about transforms.
#[derive(Default)]
pub struct TransformQuery;

/// What transforms make of a message.
#[derive(SimpleObject)]
pub struct TransformPreview {
    /// The messages that come out: none when a filter drops it, several when a splitter splits it.
    messages: Vec<Json<Value>>,
    /// Where the configuration names secrets, as JSON pointers. They are read where the worker runs, so what is made with
    /// them shows a mask here.
    masked: Vec<String>,
}

/// A type of single-message transform.
#[derive(SimpleObject)]
#[graphql(name = "TransformType")]
pub struct Offered {
    /// What a configuration says as its `type`.
    id: &'static str,
    /// Its name for a person.
    title: &'static str,
    /// What it does.
    description: &'static str,
    /// The JSON Schema of one transform of this type, with what each parameter means.
    schema: Json<Value>,
}

impl From<&TransformType> for Offered {
    fn from(kind: &TransformType) -> Self {
        Self { id: kind.id, title: kind.title, description: kind.description, schema: Json(kind.schema()) }
    }
}

/// An error in `Option<Result<_>>` nulls its field alone; in `Result<_>` it would null the whole answer.
#[Object]
impl TransformQuery {
    /// The types of single-message transforms that a `transformConfig` can be made of.
    async fn transform_types(&self, ctx: &Context<'_>) -> Result<Vec<Offered>> {
        Read::of(ctx)?;
        Ok(TYPES.iter().map(Offered::from).collect())
    }

    /// What the transforms of a subscription would make of a message, without storing anything. `VALIDATION` with every
    /// fault of the configuration by its place, such as `config/2/fields`, or with the transform that refuses the message.
    /// A preview makes at most about four megabytes out of a message.
    async fn preview_transform(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The transforms, as `transformConfig` has them: a list, applied in order.")] config: Json<Value>,
        #[graphql(desc = "The message, a JSON object.")] message: Json<Value>,
    ) -> Option<Result<TransformPreview>> {
        Some(previewed(ctx, config.0, message.0).await)
    }
}

/// Away from the threads that serve others.
async fn previewed(ctx: &Context<'_>, config: Value, message: Value) -> Result<TransformPreview> {
    let read = Read::of(ctx)?;
    let working = async { tokio::task::spawn_blocking(move || preview(&config, message)).await.map_err(Error::internal)? };
    read.loaders().alone(working).await
}

fn preview(config: &Value, message: Value) -> Result<TransformPreview> {
    let Value::Object(message) = message else {
        return Err(Error::validation("A message is a JSON object.").field("message"));
    };
    let mut violations = Violations::default();
    let chain = read_transforms(config, "config", &mut violations);
    violations.none()?;
    let Some(chain) = chain else { return Err(Error::validation("The transforms are not sound.").field("config")) };
    let masked = chain.secrets().map(|(pointer, _)| pointer.clone()).collect();
    let made = chain.preview(message).map_err(|refusal| {
        let sentence = format!("The message is refused by {refusal}.");
        Error::validation(sentence).field(format!("config/{}", refusal.index))
    })?;
    Ok(TransformPreview { messages: made.into_iter().map(|message| Json(Value::Object(message))).collect(), masked })
}

/// Reads the transforms in a field of an input; every fault is noted by its place below the field.
pub(crate) fn read_transforms(config: &Value, field: &str, violations: &mut Violations) -> Option<Chain> {
    match Chain::parse(config) {
        Ok(chain) => Some(chain),
        Err(found) => {
            for Fault { pointer, message } in found {
                violations.add(format!("{field}{pointer}"), message);
            }
            None
        }
    }
}
