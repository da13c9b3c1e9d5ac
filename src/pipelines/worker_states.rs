//! The table of a worker's states, and nothing else (domain.md section 2).

use crate::pipelines::WorkerState;

/// What a report of the current generation does to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It is alive in the state it had; an error updates its reason.
    Heartbeat,
    /// It goes to this state.
    To(WorkerState),
    /// It goes to PAUSED and keeps the reported reason.
    PausedKeepingReason,
    /// It changes nothing but shows that it is alive.
    Refused,
    /// It changes nothing at all.
    Ignored,
}

/// What a report does; none for STOPPING, which is an intent and cannot be reported.
pub(crate) const fn report(current: WorkerState, reported: WorkerState) -> Option<Effect> {
    use WorkerState::{Building, Error, Live, Paused, Stopping};
    Some(match (current, reported) {
        (_, Stopping) => return None,
        (Building, Building) | (Live, Live) | (Error, Error) => Effect::Heartbeat,
        (Building, Live) | (Error, Live) => Effect::To(Live),
        (Live, Building) | (Error, Building) => Effect::To(Building),
        (Building | Live | Error | Stopping, Paused) => Effect::To(Paused),
        (Building | Live, Error) => Effect::To(Error),
        (Stopping, Error) => Effect::PausedKeepingReason,
        (Stopping, Building | Live) => Effect::Refused,
        // Nothing should run: not even a sign of life counts.
        (Paused, _) => Effect::Ignored,
    })
}

/// What a start does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// A new generation is launched.
    Launch,
    /// It runs, or is about to.
    Already,
    /// It is still stopping.
    Conflict,
}

/// What asking for a start does.
pub(crate) const fn start(current: WorkerState) -> Start {
    match current {
        WorkerState::Paused | WorkerState::Error => Start::Launch,
        WorkerState::Building | WorkerState::Live => Start::Already,
        WorkerState::Stopping => Start::Conflict,
    }
}

/// Whether asking for a stop changes anything.
pub(crate) const fn stops(current: WorkerState) -> bool {
    matches!(current, WorkerState::Building | WorkerState::Live | WorkerState::Error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use WorkerState::{Building, Error, Live, Paused, Stopping};

    /// The table as the page has it: rows are present states, columns reported ones.
    #[test]
    fn every_report_does_what_the_table_says() {
        use Effect::{Heartbeat, Ignored, PausedKeepingReason, Refused, To};
        let reported = [Building, Live, Paused, Error];
        let table = [
            (Building, [Heartbeat, To(Live), To(Paused), To(Error)]),
            (Live, [To(Building), Heartbeat, To(Paused), To(Error)]),
            (Stopping, [Refused, Refused, To(Paused), PausedKeepingReason]),
            (Paused, [Ignored, Ignored, Ignored, Ignored]),
            (Error, [To(Building), To(Live), To(Paused), Heartbeat]),
        ];
        for (current, effects) in table {
            for (state, effect) in reported.into_iter().zip(effects) {
                assert_eq!(report(current, state), Some(effect), "{current:?} reported as {state:?}");
            }
            assert_eq!(report(current, Stopping), None);
        }
    }
}
