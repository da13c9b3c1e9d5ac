//! Viewers that were computed a moment ago.
//!
//! Always holds: one is used again for at most a second, and never once a notice or a write of this process may
//! have changed what anybody may do; while notices may be missed none is kept. Of workers, which have no rights, only time
//! ends the token. So visibility costs at most one statement for a request (domain.md section 1).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::{Error, Result};
use crate::core::live::Listening;
use crate::core::lock::lock;
use crate::core::proof::{RightBasis, Standing};
use crate::core::viewer::{Subject, Verified, Viewer};

/// How long a viewer is used again.
const LIFETIME: Duration = Duration::from_secs(1);
/// The most that are kept.
const MOST: usize = 10_000;

/// The viewers of one process, by the id of their token.
#[derive(Clone)]
pub struct Viewers {
    kept: Arc<Mutex<Kept>>,
    /// Notices are heard, so that a change made elsewhere is noticed.
    listening: Listening,
    /// How often the database was asked, for tests.
    loads: Arc<AtomicU64>,
    /// Connections that no request holds while it waits for one.
    apart: Db,
}

/// One that was computed, when, and under which listening connection: what was known under an earlier one may have
/// changed unheard.
struct Recent {
    at: Instant,
    connection: u64,
    viewer: Viewer,
}

#[derive(Default)]
struct Kept {
    by_token: HashMap<Uuid, Recent>,
    /// Workers, each with the end of its token: nobody's change ends it earlier.
    workers: HashMap<Uuid, (Viewer, Instant)>,
    /// Rises whenever all are forgotten, so that what was read before is not kept after.
    epoch: u64,
}

impl Viewers {
    /// None yet; none is kept while this is down.
    pub(crate) fn new(listening: Listening, apart: Db) -> Self {
        Self { kept: Arc::default(), listening, loads: Arc::default(), apart }
    }

    /// Refuses when, by what is committed now, the viewer may no longer do whatever they could, or the right no longer hangs
    /// on what is theirs.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when their token has ended, [`Error::overtaken`] when a right has; when the database cannot be asked.
    pub(crate) async fn recheck_rights(&self, viewer: &Viewer, stake: RightBasis) -> Result<()> {
        let mut transaction = self.apart.begin().await?;
        let present = viewer.present_on(&mut transaction).await?;
        let standing = Standing::of(&mut transaction, stake).await?;
        if present.rights().cover(viewer.rights()) && standing.is_held_by(&present) { Ok(()) } else { Err(Error::overtaken()) }
    }

    /// The viewer behind a verified token; none when it does not count any more.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn load(&self, db: &Db, token: &Verified) -> Result<Option<Viewer>> {
        if matches!(token.subject, Subject::Worker { .. }) {
            return self.load_worker(db, token).await;
        }
        let connection = self.listening.connection();
        let epoch = {
            let kept = self.lock();
            if let Some(recent) = kept.by_token.get(&token.token_id)
                && recent.at.elapsed() < LIFETIME
                && Some(recent.connection) == connection
            {
                return Ok(Some(recent.viewer.clone()));
            }
            kept.epoch
        };
        let at = Instant::now();
        self.loads.fetch_add(1, Ordering::Relaxed);
        let viewer = Viewer::load(db, token).await?;
        let mut kept = self.lock();
        if let Some((viewer, connection)) = viewer.as_ref().zip(connection)
            && kept.epoch == epoch
        {
            if kept.by_token.len() >= MOST {
                kept.by_token.clear();
            }
            kept.by_token.insert(token.token_id, Recent { at, connection, viewer: viewer.clone() });
        }
        Ok(viewer)
    }

    /// A worker, whose token is asked about once: how long it still counts is the database's word.
    async fn load_worker(&self, db: &Db, token: &Verified) -> Result<Option<Viewer>> {
        let asked = Instant::now();
        if let Some((viewer, end)) = self.lock().workers.get(&token.token_id)
            && asked < *end
        {
            return Ok(Some(viewer.clone()));
        }
        self.loads.fetch_add(1, Ordering::Relaxed);
        let Some((viewer, left)) = Viewer::load_lasting(db, token).await? else { return Ok(None) };
        let mut kept = self.lock();
        if kept.workers.len() >= MOST {
            kept.workers.clear();
        }
        if let Some(end) = asked.checked_add(left) {
            kept.workers.insert(token.token_id, (viewer.clone(), end));
        }
        Ok(Some(viewer))
    }

    /// For tests: how often the database was asked, one statement each.
    #[must_use]
    pub fn loads(&self) -> u64 {
        self.loads.load(Ordering::Relaxed)
    }

    /// Somebody's rights may have changed.
    pub fn forget(&self) {
        let mut kept = self.lock();
        kept.epoch += 1;
        kept.by_token.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        lock(&self.kept)
    }
}
