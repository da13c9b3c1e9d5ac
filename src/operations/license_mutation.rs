//! `reportLicense`: the verdict on the licence, as whoever judges it reports it.
//!
//! Always holds: there is one row, and the latest report wins. Not here: what the verdict stops (`core/write.rs`).

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;

use crate::core::audit::About;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::Superuser;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, Write, write};
use crate::operations::LicenseState;

/// The mutation of the licence.
#[derive(Default)]
pub struct LicenseMutation;

/// A verdict on the licence.
#[derive(InputObject, Clone)]
pub struct ReportLicenseInput {
    /// Whether the licence is active.
    pub active: bool,
    /// When it ends; null when it does not.
    pub expires_at: Option<Time>,
}

/// The licence as it is known now.
#[derive(SimpleObject)]
pub struct ReportLicensePayload {
    /// The latest verdict, with the time of this report.
    pub license: LicenseState,
}

#[Object]
impl LicenseMutation {
    /// Reports the verdict on the licence of this installation; for superusers. Where the licence is enforced, writes go on for a
    /// week after the last report of an active and unexpired one, so report more often than that.
    async fn report_license(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The verdict.")] input: ReportLicenseInput,
    ) -> Result<ReportLicensePayload> {
        let license = write(ctx, input).await?;
        Ok(ReportLicensePayload { license })
    }
}

impl Mutation for ReportLicenseInput {
    type Proof = Superuser;
    type Answer = LicenseState;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Superuser> {
        w.superuser()
    }

    async fn apply(self, w: &mut Write, _superuser: Superuser) -> Result<LicenseState> {
        let sql = Sql::new("insert into license_state (id, license_active, license_expires_at, last_seen_at) values (")
            .value(Id::<LicenseState>::random())
            .with(", ", self.active)
            .with(", ", self.expires_at.map(|time| time.0))
            .text(", clock_timestamp()) on conflict ((true)) do update set license_active = excluded.license_active,")
            .text(" license_expires_at = excluded.license_expires_at, last_seen_at = excluded.last_seen_at returning id");
        let rows = w.rows(sql).await?;
        let id: Id<LicenseState> = rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
        w.record(Verb::Report, About::row(id).fields(&["licenseActive", "licenseExpiresAt", "lastSeenAt"])).await?;
        w.reread(id).await
    }
}
