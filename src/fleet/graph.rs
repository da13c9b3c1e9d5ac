//! The documents of the fleet, checked against `schema.graphql` when this is compiled.

use graphql_client::GraphQLQuery;

use crate::worker::api::{SyncTableStatus, WorkerDirective, WorkerState};

/// A 64-bit number, as the schema's scalar of this name.
type BigInt = i64;
/// A point in time, as the schema's scalar of this name.
type DateTime = String;

// Two that carry a password or a token: what could print them is not there.
#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "src/fleet/documents.graphql")]
pub(super) struct SignIn;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "src/fleet/documents.graphql")]
pub(super) struct IssueToken;

/// All other operations of `documents.graphql`, by their names.
macro_rules! documents {
    ($($name:ident)*) => {$(
        #[derive(GraphQLQuery)]
        #[graphql(
            schema_path = "schema.graphql",
            query_path = "src/fleet/documents.graphql",
            response_derives = "Debug, Clone, PartialEq",
            extern_enums("SyncTableStatus", "WorkerDirective", "WorkerState")
        )]
        pub(super) struct $name;
    )*};
}

documents! {
    MakeEnv MakeTeam MakeSource MakeTarget MakeDatamodel MakePipeline MakeSubscription
    Start Stop Restart BeginSync EndSync
    ReportState ReportTables ReportProduced ReportConsumed
    ReadWorker ReadProduction ReadConsumption ReadEnv ReadRun
}
