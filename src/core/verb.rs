//! What can be done: the verbs that the audit log keeps.
//!
//! Always holds: whoever writes the log and whoever reads it use this one list, and the CHECK of the
//! database has the same (domain.md section 5).

use crate::choice;

choice! {
    /// What was done, as the audit log says it.
    Verb {
        /// A user signed in.
        Login = "login",
        /// Signing in was refused.
        LoginFailed = "login_failed",
        /// A user signed out.
        Logout = "logout",
        /// Something was created.
        Create = "create",
        /// Something was changed.
        Update = "update",
        /// Something was deleted.
        Delete = "delete",
        /// A worker or a pipeline was started.
        Start = "start",
        /// A worker was stopped or a pipeline paused.
        Stop = "stop",
        /// A worker was restarted.
        Restart = "restart",
        /// A team was moved to another env.
        Move = "move",
        /// A membership or a right was given or changed.
        Grant = "grant",
        /// A membership, a right or a token was taken away.
        Revoke = "revoke",
        /// Somebody was invited to an env or a team.
        Invite = "invite",
        /// Somebody asked to join an env or a team.
        Request = "request",
        /// A request or an invitation was accepted.
        Accept = "accept",
        /// A request or an invitation was declined.
        Decline = "decline",
        /// A request, an invitation or a sync was cancelled.
        Cancel = "cancel",
        /// A sync was started.
        Sync = "sync",
        /// A table of a sync was skipped.
        Skip = "skip",
        /// A sync was run again for what it had not completed.
        Retry = "retry",
        /// A configuration was exported.
        Export = "export",
        /// A configuration document was applied.
        Apply = "apply",
        /// A worker was handed its configuration.
        Bootstrap = "bootstrap",
        /// A schema was registered.
        Register = "register",
        /// A password was changed.
        ChangePassword = "change_password",
        /// A token was issued.
        Issue = "issue",
        /// A worker confirmed what it had been told to do.
        Confirm = "confirm",
        /// Encryption keys were rotated.
        Rotate = "rotate",
        /// A verdict on the licence was reported.
        Report = "report",
        /// A connection was tested.
        Test = "test",
    }
}
