//! Idempotency records: that an operation with a key was answered, for as long as it can be replayed.
//!
//! Always holds: superusers alone see them, by id. Not here, on purpose: the stored answer and the hash
//! of the request, which no query reads.

use crate::core::scope::Scope;
use crate::entity;
use chrono::{DateTime, Utc};

entity! {
    /// The mark of an operation that came with an idempotency key and was answered. The answer itself is
    /// not shown here; the same request with the same key gets it again.
    IdempotencyRecord in "idempotency_record";
    scope: Scope::Superuser;
    order: "created_at" Desc;
    announced: false;
    columns {
        /// Whose key it is and the operation it was used for.
        endpoint: String;
        /// The key, as the client chose it.
        key: String;
        /// The HTTP status code of the answer.
        response_status: i32;
        /// When it ends; the key can be used anew after that.
        expires_at: DateTime<Utc>;
        /// When it was created.
        created_at: Option<DateTime<Utc>>;
        /// When it last changed.
        updated_at: Option<DateTime<Utc>>;
    }
    fields {}
}
