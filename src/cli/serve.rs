//! `pumphouse serve`: a replica against a PostgreSQL that somebody else runs.

use std::time::Duration;

use clap::Args;

use super::output::{Failure, print};
use super::password::unseen;
use super::run::{Stop, block_on_threads, sealing_key_fits, welcome};
use super::{launcher, replica};
use crate::config::{Config, Flags, Purpose, kept};
use crate::core::db::Db;
use crate::core::migrate;
use crate::service::Service;
use crate::telemetry;

/// How long another replica's migration is waited for.
const MIGRATION_WAIT: Duration = Duration::from_mins(1);

/// Serve the API from the PostgreSQL of `PUMPHOUSE_DATABASE_URL`.
#[derive(Args)]
#[command(after_help = "Any number of replicas may serve one database; each migrates it first when that is needed.

Examples:
  PUMPHOUSE_DATABASE_URL=postgres://pumphouse@db.example.org/pumphouse \\
  PUMPHOUSE_ENCRYPTION_KEYS=\"k1:$(openssl rand -base64 32)\" \\
  PUMPHOUSE_TOKEN_KEY=$(openssl rand -base64 32) pumphouse serve --listen 0.0.0.0:8080
  pumphouse serve --config /etc/pumphouse.toml")]
pub(super) struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

/// Serves until told to stop.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::load(&arguments.flags, Purpose::Serve)?;
    let (url, keys) = (config.database.url()?, config.auth.keys()?);
    let _watched = telemetry::watch(&config.telemetry).map_err(Failure::failed)?;
    block_on_threads(config.server.threads, async move {
        let mut stop = Stop::listen()?;
        // What is wrong with the settings is told before the database is touched.
        let mut settings = replica::settings(&config, url.clone(), keys);
        settings.launcher = launcher::of(&config)?;
        settings.server.trusted_documents = replica::trusted_documents(&config)?;
        let Some(migrated) = stop.unless_asked(migrate::migrate(&url, MIGRATION_WAIT)).await else { return Ok(()) };
        migrated.map_err(Failure::failed)?;
        let db = Db::new(&config.database.pool(url));
        let Some(fits) = stop.unless_asked(sealing_key_fits(&db, &settings.keys)).await else { return Ok(()) };
        fits?;
        db.close().await;
        let bound = Service::bind(settings).await.map_err(|error| launcher::not_listening(&config, error))?;
        let (password, generated) = match &config.auth.admin_password {
            Some(password) => (password.clone(), false),
            None => (kept::password().map_err(Failure::failed)?, true),
        };
        // Whoever signs in finds the first superuser.
        if welcome(bound.db(), &config, &password).await? && generated {
            print(format!(
                "first superuser: {}  {}\nThis password is shown once; change it after signing in.\n",
                config.auth.admin_email,
                password.reveal()
            ))
            .map_err(|error| unseen("the first superuser was made", &config.auth.admin_email, &error))?;
        }
        let service = bound.serve();
        tracing::info!("serving on http://{}", service.address());
        stop.asked().await;
        tracing::info!("stopping");
        service.stop().await;
        Ok(())
    })
}
