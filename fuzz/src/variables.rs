//! Variables: read, held against what the operation declares, and carried out.

use serde_json::Value;

use crate::server::ask;
use crate::{CANARY, renamed};

/// Operations with variables of all kinds.
pub(crate) const DOCUMENTS: &[&str] = &[
    "query($first:Int $after:String $last:Int $before:String $filter:PipelineFilter $orderBy:[PipelineOrder!])\
     {pipelines(first:$first after:$after last:$last before:$before filter:$filter orderBy:$orderBy){nodes{id}}}",
    "mutation($input:ReportProductionInput!){reportProduction(input:$input){__typename}}",
    "mutation($input:ReportConsumptionInput!){reportConsumption(input:$input){__typename}}",
    "mutation($input:ReportWorkerInput!){reportWorker(input:$input){__typename}}",
    "mutation($input:ReportSyncProgressInput!){reportSyncProgress(input:$input){__typename}}",
    "mutation($input:CreatePipelineSubscriptionInput!){createPipelineSubscription(input:$input){__typename}}",
    "mutation($input:CreateConnectorInput!){createConnector(input:$input){__typename}}",
    "mutation($input:LoginInput!){login(input:$input){__typename}}",
    "query($ids:[ID!]!){nodes(ids:$ids){id}}",
    "query($config:JSON! $message:JSON!){previewTransform(config:$config message:$message){masked}}",
    "query($env:ID! $from:DateTime! $to:DateTime! $bucket:ThroughputBucket!=DAY)\
     {env(id:$env){throughput(from:$from to:$to bucket:$bucket){__typename}}}",
    "query($on:Boolean!=true $off:Boolean!){serverInfo @include(if:$on) @skip(if:$off){version}}",
];
/// How the library refuses a value that does not fit, after its execution has begun.
const LATE: &[&str] = &["Failed to parse", "Invalid value for argument", "Invalid type for variable"];

/// The first byte chooses the operation, the rest is its variables in JSON. They are refused before anything is carried out, all
/// with the variable named, or fit to the end; one that nobody declared changes nothing.
pub fn hold(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else { return };
    let Some(document) = DOCUMENTS.get(usize::from(choice.wrapping_sub(b'a')) % DOCUMENTS.len()) else { return };
    let Ok(Value::Object(variables)) = serde_json::from_slice::<Value>(text) else { return };
    let variables = renamed(Value::Object(variables));
    let discloses = text.len().is_multiple_of(2);
    let answered = ask(document, &variables, discloses);
    for error in answered.errors() {
        let message = error["message"].as_str().unwrap_or_default();
        assert!(!answered.is_executed() || !LATE.iter().any(|late| message.starts_with(late)), "found out late: {error}");
        if let Some(variable) = message.strip_prefix("Variable `$") {
            let field = error["extensions"]["field"].as_str().unwrap();
            assert!(variable.starts_with(field), "{error}");
        }
    }
    let Value::Object(mut more) = variables else { return };
    if !document.contains("$other") && more.insert("other".to_owned(), CANARY.into()).is_none() {
        let again = ask(document, &Value::Object(more), discloses);
        assert_eq!((answered.codes(), answered.status), (again.codes(), again.status), "{} and {}", answered.body, again.body);
    }
}
