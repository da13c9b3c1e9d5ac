//! Snapshots as a simulated worker does them: tables are begun when the API says so, and reported until they end.

use super::SYNCS;
use super::actor::{Actor, Done};
use super::graph::{BeginSync, EndSync, ReportState, ReportTables, begin_sync, end_sync, report_state, report_tables};
use super::life::State;
use super::run::{End, Run, Table};
use crate::worker::api::SyncTableStatus;

/// The most tables of a run.
const MOST_TABLES: u32 = 4;
/// The most rows of a table, which leaves it small enough to be read together with others.
const MOST_ROWS: u32 = 5_000;
/// How many runs are kept to be read again at the end; all are read when they end.
const MOST_RUNS: usize = 16;

impl Actor<'_> {
    /// The run under way.
    fn run(&mut self) -> Option<&mut Run> {
        self.runs.back_mut().filter(|run| run.end.is_none())
    }

    /// Whether a run is under way.
    pub(super) fn is_syncing(&self) -> bool {
        self.runs.back().is_some_and(|run| run.end.is_none())
    }

    /// Asks for a snapshot of a source whose worker runs.
    pub(super) async fn begin_sync(&mut self) -> Done {
        let count = 1 + self.dice.below(MOST_TABLES);
        let mut tables: Vec<Table> = (0..count).map(|_| Table::new(1 + self.dice.count(MOST_ROWS), self.dice.once_in(8))).collect();
        let asked = tables.iter().enumerate().map(|(at, table)| {
            // Without an estimate a table is read alone.
            let approximate_row_count = (at != 1).then_some(table.size);
            begin_sync::SyncTableInput { name: format!("public.table_{at}"), approximate_row_count }
        });
        let asked = begin_sync::Variables { connector_id: self.post.connector.clone(), tables: asked.collect() };
        let begun = self.stage.doors.once::<BeginSync>(asked).await;
        let begun = begun.map_err(|error| self.failed("startSync", error))?.start_sync.sync_run;
        if begun.sync_tables.nodes.len() != tables.len() {
            return Err(self.lie("the tables of startSync", tables.len(), begun.sync_tables.nodes.len()));
        }
        for (table, made) in tables.iter_mut().zip(begun.sync_tables.nodes) {
            table.id = made.id;
        }
        self.stage.ledger.count(SYNCS);
        self.runs.push_back(Run { id: begun.id, tables, end: None });
        if self.runs.len() > MOST_RUNS {
            self.runs.pop_front();
        }
        Ok(())
    }

    /// Cancels the run under way.
    pub(super) async fn cancel_sync(&mut self) -> Done {
        let Some(id) = self.run().map(|run| run.id.clone()) else { return Ok(()) };
        let asked = end_sync::Variables { sync_run_id: id };
        self.stage.doors.once::<EndSync>(asked).await.map_err(|error| self.failed("cancelSync", error))?;
        self.stage.ledger.count("syncs cancelled");
        self.end_sync(End::Cancelled).await
    }

    async fn end_sync(&mut self, end: End) -> Done {
        if let Some(run) = self.run() {
            run.end = Some(end);
        }
        let Some(run) = self.runs.back() else { return Ok(()) };
        match self.differences_of(run).await?.into_iter().next() {
            Some(difference) => Err(difference.into()),
            None => Ok(()),
        }
    }

    /// Goes on with the tables that it is told to read.
    pub(super) async fn read_tables(&mut self, told: Vec<String>) -> Done {
        if told.is_empty() {
            return Ok(());
        }
        let mut inputs = Vec::new();
        for id in told {
            let pace = 500 + self.dice.count(2_500);
            let table = self.run().and_then(|run| run.tables.iter_mut().find(|table| table.id == id && table.end.is_none()));
            let Some(table) = table else {
                return Err(self.lie("a table to read", "none, or others", format!("{id}, which is not under way")));
            };
            table.told = true;
            let rows = (table.rows + pace).min(table.size);
            let status = match (rows == table.size, table.breaks) {
                (true, false) => SyncTableStatus::COMPLETED,
                (true, true) => SyncTableStatus::FAILED,
                (false, _) => SyncTableStatus::IN_PROGRESS,
            };
            inputs.push((id, rows, status));
        }
        self.tell(inputs).await?;
        if self.run().is_some_and(|run| run.is_complete()) {
            self.stage.ledger.count("syncs finished");
            self.end_sync(End::Done).await?;
        }
        Ok(())
    }

    /// Reports fewer rows of what is being read than before; they must not go down.
    pub(super) async fn tell_out_of_order(&mut self) -> Done {
        let under_way = |table: &&mut Table| table.told && table.end.is_none() && table.rows > 0;
        let Some(table) = self.run().and_then(|run| run.tables.iter_mut().find(under_way)) else { return Ok(()) };
        let input = (table.id.clone(), table.rows / 2, SyncTableStatus::IN_PROGRESS);
        self.stage.ledger.count("reports of fewer rows than before");
        self.tell(vec![input]).await
    }

    /// Says of a table that ended that it is being read, with more rows; it must stay as it ended.
    pub(super) async fn tell_of_the_past(&mut self) -> Done {
        let ended = self.runs.iter().flat_map(|run| &run.tables).find(|table| table.end.is_some());
        let Some(id) = ended.map(|table| table.id.clone()) else { return Ok(()) };
        self.stage.ledger.count("reports of tables that had ended");
        self.tell(vec![(id, i64::from(MOST_ROWS) * 3, SyncTableStatus::IN_PROGRESS)]).await
    }

    fn variables(&self, generation: &str, inputs: &[(String, i64, SyncTableStatus)]) -> report_tables::Variables {
        let input = |(id, rows, status): &(String, i64, SyncTableStatus)| report_tables::SyncTableProgressInput {
            sync_table_id: id.clone(),
            rows_ingested: *rows,
            status: Some(status.clone()),
            error_reason: (*status == SyncTableStatus::FAILED).then(|| "the simulation says so".to_owned()),
        };
        let (worker_id, tables) = (self.post.worker.clone(), inputs.iter().map(input).collect());
        report_tables::Variables { worker_id, generation: generation.to_owned(), tables }
    }

    async fn tell(&mut self, inputs: Vec<(String, i64, SyncTableStatus)>) -> Done {
        let told = self.variables(&self.life.generation, &inputs);
        let said = self.stage.doors.work::<ReportTables>(&self.token, told).await;
        let said = said.map_err(|error| self.failed("reportSyncProgress", error))?.data.report_sync_progress;
        if !said.accepted {
            return Err(self.lie("a report of progress", "taken", format!("not taken, {:?}", said.directive)));
        }
        self.stage.ledger.count("reports of progress taken");
        for (id, rows, status) in inputs {
            let table = self.runs.iter_mut().flat_map(|run| &mut run.tables).find(|table| table.id == id);
            let Some(table) = table else { continue };
            table.reported(rows, &status);
            let read = said.sync_tables.iter().find(|table| table.id == id);
            if !read.is_some_and(|read| table.may_be(&read.status, read.rows_ingested, None)) {
                let story = table.story(None);
                let read = read.map_or_else(|| "nothing".to_owned(), |read| format!("{:?}, {} rows", read.status, read.rows_ingested));
                return Err(self.lie("a table after a report of progress", story, read));
            }
        }
        Ok(())
    }

    /// The former generation says that everything under way is done; it must change nothing.
    pub(super) async fn tell_late(&mut self) -> Done {
        let Some(former) = &self.former else { return Ok(()) };
        let Some(run) = self.runs.back() else { return Ok(()) };
        let inputs: Vec<_> = run.tables.iter().map(|table| (table.id.clone(), table.size + 1, SyncTableStatus::COMPLETED)).collect();
        let told = self.variables(&former.generation, &inputs);
        let said = self.stage.doors.work::<ReportTables>(&former.token, told).await;
        self.refused("a late report of progress", said.map(|said| said.data.report_sync_progress.accepted))
    }

    /// The former generation says that it runs, or that it does not; it must change nothing.
    pub(super) async fn report_late(&mut self, state: State) -> Done {
        let Some(former) = &self.former else { return Ok(()) };
        let (worker_id, generation) = (self.post.worker.clone(), former.generation.clone());
        let told = report_state::Variables { worker_id, generation, state: state.sent(), reason: None };
        let said = self.stage.doors.work::<ReportState>(&former.token, told).await;
        self.refused("a late report of a state", said.map(|said| said.data.report_worker.accepted))
    }
}
