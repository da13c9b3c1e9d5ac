//! The tables under way in this process, and what the API has been told of each.
//!
//! Always holds: the first report of a table says `IN_PROGRESS`, the last one how it ended, and a table stays
//! here until the API has taken that; a finished table is not begun again by an instruction that still
//! lists it. Bounded by the newest instruction. Not here: sending (`progress.rs`), reading (`table.rs`).

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::api::{SyncTableProgressInput, SyncTableStatus};
use super::shared::Wanted;
use crate::core::lock::lock;

/// Where a table is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Waiting,
    Reading,
    Completed,
    Failed(String),
}

/// One table under way.
pub(super) struct Task {
    pub(super) table: Wanted,
    pub(super) cancel: CancellationToken,
    rows: AtomicU64,
    phase: Mutex<Phase>,
    board: Arc<Notify>,
}

impl Task {
    /// Its reading begins.
    pub(super) fn begin(&self) {
        self.enter(Phase::Reading);
    }

    /// So many rows have been read.
    pub(super) fn set_rows(&self, rows: u64) {
        self.rows.store(rows, Ordering::Relaxed);
    }

    fn enter(&self, phase: Phase) {
        *lock(&self.phase) = phase;
        self.board.notify_one();
    }
}

/// What the API knows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    rows: u64,
    phase: Phase,
}

struct Entry {
    task: Arc<Task>,
    told: Option<Told>,
}

#[derive(Default)]
struct Tables {
    under_way: HashMap<String, Entry>,
    done: HashSet<String>,
}

/// All tables under way.
#[derive(Default)]
pub(super) struct Board {
    tables: Mutex<Tables>,
    /// Told when a table changed its phase.
    pub(super) moved: Arc<Notify>,
    /// Told when a stopped table has let go of everything.
    pub(super) freed: Notify,
}

/// A report of some tables, and what the API knows once it has taken it.
pub(super) struct Report {
    pub(super) inputs: Vec<SyncTableProgressInput>,
    told: Vec<(Arc<Task>, Told)>,
}

impl Board {
    /// Stops what is no longer wanted and gives back, in order, what is to be begun.
    pub(super) fn follow(&self, wanted: &[Wanted]) -> Vec<Arc<Task>> {
        let listed: HashSet<&str> = wanted.iter().map(|table| table.id.as_str()).collect();
        let mut tables = lock(&self.tables);
        tables.done.retain(|id| listed.contains(id.as_str()));
        for entry in tables.under_way.values().filter(|entry| !listed.contains(entry.task.table.id.as_str())) {
            entry.task.cancel.cancel();
        }
        // Nobody waits for the end of a table that was ended for good and is not wanted.
        tables.under_way.retain(|id, entry| listed.contains(id.as_str()) || !entry.ended());
        let mut begun = Vec::new();
        for table in wanted {
            if tables.done.contains(&table.id) || tables.under_way.contains_key(&table.id) {
                continue;
            }
            let task = Arc::new(Task {
                table: table.clone(),
                cancel: CancellationToken::new(),
                rows: AtomicU64::new(0),
                phase: Mutex::new(Phase::Waiting),
                board: Arc::clone(&self.moved),
            });
            tables.under_way.insert(table.id.clone(), Entry { task: Arc::clone(&task), told: None });
            begun.push(task);
        }
        begun
    }

    /// A table has ended and let go of its connection and its files: with all its rows, or with a reason.
    /// What became of one that was stopped before is of no interest.
    pub(super) fn end(&self, task: &Task, ending: Result<(), String>) {
        let rows = task.rows.load(Ordering::Relaxed);
        let mut tables = lock(&self.tables);
        if task.cancel.is_cancelled() {
            tables.under_way.remove(&task.table.id);
            self.freed.notify_one();
            tracing::info!(table = %task.table.name, rows, "table stopped");
            return;
        }
        match ending {
            Ok(()) => {
                tracing::info!(table = %task.table.name, rows, "table completed");
                task.enter(Phase::Completed);
            }
            Err(reason) => {
                tracing::warn!(table = %task.table.name, rows, %reason, "table failed");
                task.enter(Phase::Failed(reason));
            }
        }
    }

    /// Stops everything.
    pub(super) fn stop(&self) {
        self.follow(&[]);
    }

    /// Whether no table is under way.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.tables).under_way.is_empty()
    }

    /// Whether a table has begun or ended without the API knowing it.
    pub(super) fn is_urgent(&self) -> bool {
        lock(&self.tables).under_way.values().filter_map(Entry::news).any(|told| told.phase != Phase::Reading)
    }

    /// What the API does not know yet, of at most so many tables.
    pub(super) fn report(&self, most: usize) -> Option<Report> {
        let tables = lock(&self.tables);
        let news = tables.under_way.values().filter_map(|entry| Some((Arc::clone(&entry.task), entry.news()?)));
        let told: Vec<(Arc<Task>, Told)> = news.take(most).collect();
        drop(tables);
        (!told.is_empty()).then(|| Report { inputs: told.iter().map(|(task, told)| told.input(&task.table.id)).collect(), told })
    }

    /// The API has taken a report, or will never take it.
    pub(super) fn settle(&self, report: Report) {
        let mut tables = lock(&self.tables);
        let Tables { under_way, done } = &mut *tables;
        for (task, told) in report.told {
            let id = &task.table.id;
            let Some(entry) = under_way.get_mut(id).filter(|entry| Arc::ptr_eq(&entry.task, &task)) else { continue };
            if matches!(told.phase, Phase::Completed | Phase::Failed(_)) {
                under_way.remove(id);
                done.insert(id.clone());
            } else {
                entry.told = Some(told);
            }
        }
    }
}

impl Report {
    /// The same, table by table.
    pub(super) fn one_by_one(self) -> impl Iterator<Item = Self> {
        let pairs = self.inputs.into_iter().zip(self.told);
        pairs.map(|(input, told)| Self { inputs: vec![input], told: vec![told] })
    }
}

impl Entry {
    fn ended(&self) -> bool {
        matches!(*lock(&self.task.phase), Phase::Completed | Phase::Failed(_))
    }

    fn news(&self) -> Option<Told> {
        if self.task.cancel.is_cancelled() {
            return None;
        }
        let phase = lock(&self.task.phase).clone();
        let rows = self.task.rows.load(Ordering::Relaxed);
        let told = match (&self.told, phase) {
            (None, Phase::Waiting) => return None,
            // However short a table is, its first report says that it has begun.
            (None, _) => Told { rows, phase: Phase::Reading },
            (Some(_), phase) => Told { rows, phase },
        };
        (self.told.as_ref() != Some(&told)).then_some(told)
    }
}

impl Told {
    fn input(&self, id: &str) -> SyncTableProgressInput {
        let (status, error_reason) = match &self.phase {
            Phase::Waiting => (SyncTableStatus::QUEUED, None),
            Phase::Reading => (SyncTableStatus::IN_PROGRESS, None),
            Phase::Completed => (SyncTableStatus::COMPLETED, None),
            Phase::Failed(reason) => (SyncTableStatus::FAILED, Some(reason.clone())),
        };
        SyncTableProgressInput {
            sync_table_id: id.to_owned(),
            rows_ingested: i64::try_from(self.rows).unwrap_or(i64::MAX),
            status: Some(status),
            error_reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(ids: &[&str]) -> Vec<Wanted> {
        ids.iter().map(|id| Wanted { id: (*id).to_owned(), run_id: "run".to_owned(), name: (*id).to_owned() }).collect()
    }

    fn next(board: &Board) -> Vec<(String, i64, Option<SyncTableStatus>)> {
        let Some(report) = board.report(10) else { return Vec::new() };
        let seen = report.inputs.iter().map(|input| (input.sync_table_id.clone(), input.rows_ingested, input.status.clone()));
        let seen = seen.collect();
        board.settle(report);
        seen
    }

    #[test]
    fn a_table_is_told_from_its_beginning_to_its_end_and_only_once() {
        let board = Board::default();
        let begun = board.follow(&wanted(&["a"]));
        let [task] = &begun[..] else { panic!("one table is begun") };
        assert!(next(&board).is_empty());
        task.begin();
        task.set_rows(7);
        board.end(task, Ok(()));
        assert_eq!(next(&board), [("a".to_owned(), 7, Some(SyncTableStatus::IN_PROGRESS))]);
        assert!(board.follow(&wanted(&["a"])).is_empty());
        assert_eq!(next(&board), [("a".to_owned(), 7, Some(SyncTableStatus::COMPLETED))]);
        assert!(next(&board).is_empty());
        assert!(board.follow(&wanted(&["a"])).is_empty(), "a late instruction does not begin it again");
        assert!(board.follow(&wanted(&[])).is_empty());
    }

    #[test]
    fn a_stopped_table_is_begun_again_only_once_it_has_let_go() {
        let board = Board::default();
        let begun = board.follow(&wanted(&["a", "b"]));
        for task in &begun {
            task.begin();
        }
        assert!(board.follow(&wanted(&["b"])).is_empty());
        assert!(begun[0].cancel.is_cancelled() && !begun[1].cancel.is_cancelled());
        assert_eq!(next(&board).len(), 1, "nothing is told of a stopped table");
        assert!(board.follow(&wanted(&["a", "b"])).is_empty());
        board.end(&begun[0], Ok(()));
        assert_eq!(board.follow(&wanted(&["a", "b"])).len(), 1);
    }
}
