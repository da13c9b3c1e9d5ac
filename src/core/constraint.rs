//! What a broken key of the database means to a client.
//!
//! Always holds: every unique key that a client's input can break is named here, with the input's field;
//! a test compares the list with the database. Not here: rules that are checked before writing.

/// The keys, the field whose value is taken, and the sentence.
pub const KEYS: &[(&str, &str, &str)] = &[
    ("connector_env_id_name_key", "name", "A connector of this env has this name already."),
    ("pipeline_env_id_name_key", "name", "A pipeline of this env has this name already."),
    ("team_env_id_name_key", "name", "A team of this env has this name already."),
    ("user_email_key", "email", "A user with this email exists already."),
    ("env_request_pending_key", "email", "A request or invitation for this user and env is pending already."),
    ("team_request_pending_key", "email", "A request or invitation for this user and team is pending already."),
    (
        "subscription_datamodel_id_target_connector_id_target_table_key",
        "targetTableName",
        "This datamodel is subscribed for this target table already.",
    ),
    ("service_account_memberships", "userId", "This user is a service account, whose memberships follow its grants; change those."),
    ("sync_run_syncing_key", "connectorId", "A sync of this connector is under way already."),
];

/// The field and the sentence for a broken key that a client can do something about.
pub(crate) fn clash(constraint: &str) -> Option<(&'static str, &'static str)> {
    KEYS.iter().find(|(name, ..)| *name == constraint).map(|(_, field, message)| (*field, *message))
}
