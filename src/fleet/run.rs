//! A sync run as it has to be: which tables were told, how many rows of each were reported, how it ended.
//!
//! Always holds: like `life.rs`, it knows what was asked and reported, never what was answered. Where the API may decide
//! either way (a table in line when a run is cancelled), both are right.

use crate::worker::api::SyncTableStatus;

/// A table of a run.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) id: String,
    /// How many rows it has.
    pub(super) size: i64,
    /// Whether reading it fails half way.
    pub(super) breaks: bool,
    /// The most rows that the present generation reported.
    pub(super) rows: i64,
    /// Those of the generation before, which stand until the API hands the table to the present one.
    earlier: Option<i64>,
    /// Whether the worker was told to read it, so that the API is known to have begun it.
    pub(super) told: bool,
    pub(super) end: Option<SyncTableStatus>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Cancelled,
}

/// A run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) id: String,
    pub(super) tables: Vec<Table>,
    pub(super) end: Option<End>,
}

impl Table {
    pub(super) fn new(size: i64, breaks: bool) -> Self {
        Self { id: String::new(), size, breaks, rows: 0, earlier: None, told: false, end: None }
    }

    /// A report of it was taken.
    pub(super) fn reported(&mut self, rows: i64, status: &SyncTableStatus) {
        if self.end.is_some() {
            return;
        }
        self.earlier = None;
        self.rows = self.rows.max(rows);
        if *status != SyncTableStatus::IN_PROGRESS {
            self.end = Some(status.clone());
        }
    }

    /// Whether it may be read back so.
    pub(super) fn may_be(&self, status: &SyncTableStatus, rows: i64, end: Option<End>) -> bool {
        let held = rows == self.rows || self.earlier == Some(rows);
        match (&self.end, end) {
            (Some(ended), _) => status == ended && rows == self.rows,
            (None, Some(End::Cancelled)) if self.told => *status == SyncTableStatus::PARTIAL && held,
            (None, Some(End::Cancelled)) => rows == 0 && matches!(status, SyncTableStatus::PARTIAL | SyncTableStatus::FAILED),
            (None, Some(End::Done)) => false,
            (None, None) if self.told => *status == SyncTableStatus::IN_PROGRESS && held,
            (None, None) => rows == 0 && matches!(status, SyncTableStatus::QUEUED | SyncTableStatus::IN_PROGRESS),
        }
    }

    /// As it has to be, in words.
    pub(super) fn story(&self, end: Option<End>) -> String {
        let status = match (&self.end, end) {
            (Some(ended), _) => format!("{ended:?}"),
            (None, Some(End::Cancelled)) => "PARTIAL".to_owned(),
            (None, _) => "IN_PROGRESS".to_owned(),
        };
        format!("{status}, {} rows", self.rows)
    }
}

impl Run {
    /// Another generation reads it: what is under way begins again.
    pub(super) fn hand_over(&mut self) {
        for table in self.tables.iter_mut().filter(|table| table.end.is_none()) {
            if table.rows > 0 {
                table.earlier = Some(std::mem::take(&mut table.rows));
            }
        }
    }

    /// Whether every table has come to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.tables.iter().all(|table| table.end.is_some())
    }

    /// How it came out.
    pub(super) fn outcome(&self) -> Option<&'static str> {
        if self.end != Some(End::Done) {
            return None;
        }
        let completed = self.tables.iter().filter(|table| table.end == Some(SyncTableStatus::COMPLETED)).count();
        Some(match completed {
            0 => "FAILED",
            some if some == self.tables.len() => "SUCCEEDED",
            _ => "PARTIAL",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_generation_before_may_stand_until_the_next_one_reports() {
        let mut run = Run { id: String::new(), tables: vec![Table::new(100, false)], end: None };
        run.tables[0].told = true;
        run.tables[0].reported(60, &SyncTableStatus::IN_PROGRESS);
        run.hand_over();
        run.end = Some(End::Cancelled);
        let table = &run.tables[0];
        assert!(table.may_be(&SyncTableStatus::PARTIAL, 60, run.end) && table.may_be(&SyncTableStatus::PARTIAL, 0, run.end));
        assert!(!table.may_be(&SyncTableStatus::PARTIAL, 61, run.end) && !table.may_be(&SyncTableStatus::COMPLETED, 60, run.end));
        run.tables[0].reported(10, &SyncTableStatus::IN_PROGRESS);
        assert!(!run.tables[0].may_be(&SyncTableStatus::PARTIAL, 60, run.end));
    }

    #[test]
    fn an_ended_table_stays_as_it_ended() {
        let mut run = Run { id: String::new(), tables: vec![Table::new(100, false), Table::new(9, true)], end: Some(End::Done) };
        run.tables[0].reported(100, &SyncTableStatus::COMPLETED);
        run.tables[0].reported(500, &SyncTableStatus::FAILED);
        run.hand_over();
        assert!(run.tables[0].may_be(&SyncTableStatus::COMPLETED, 100, run.end));
        assert!(!run.is_complete());
        run.tables[1].reported(3, &SyncTableStatus::FAILED);
        assert!(run.is_complete());
        assert_eq!(run.outcome(), Some("PARTIAL"));
    }
}
