//! The life of a worker as it has to be: its states, generations and transitions by the rules of domain.md section 2.
//!
//! Always holds: it is told what was asked and reported, never what the API answered, so it can say when the API lies; the
//! last two hundred transitions are kept. Not here: asking and reporting (`actor.rs`).

use std::collections::VecDeque;

use crate::worker::api::{WorkerDirective, WorkerState};

/// How many transitions are compared: a page of the API.
const MOST_STEPS: usize = 200;

/// A state of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Building,
    Live,
    Paused,
    Error,
    Stopping,
}

impl State {
    /// As the graph says it.
    pub(super) const fn sent(self) -> WorkerState {
        match self {
            Self::Building => WorkerState::BUILDING,
            Self::Live => WorkerState::LIVE,
            Self::Paused => WorkerState::PAUSED,
            Self::Error => WorkerState::ERROR,
            Self::Stopping => WorkerState::STOPPING,
        }
    }
}

/// What a report has to be answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Due {
    /// Null, or why it is not taken.
    pub(super) refusal: Option<&'static str>,
    pub(super) directive: WorkerDirective,
}

/// A change of state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Option<State>,
    pub(super) to: State,
    /// The generation that was meant to run after it.
    pub(super) generation: String,
}

/// What must be so.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) state: State,
    /// Unknown between a restart and the first token after it.
    pub(super) generation: String,
    restart: bool,
    pub(super) steps: VecDeque<Step>,
    /// Of the steps: those before the first one kept, too.
    pub(super) taken: usize,
}

impl Life {
    /// A worker that was just made.
    pub(super) fn new(generation: String) -> Self {
        let first = Step { from: None, to: State::Paused, generation: generation.clone() };
        Self { state: State::Paused, generation, restart: false, steps: VecDeque::from([first]), taken: 1 }
    }

    fn enter(&mut self, to: State) {
        if self.state == to {
            return;
        }
        self.steps.push_back(Step { from: Some(self.state), to, generation: self.generation.clone() });
        self.taken += 1;
        if self.steps.len() > MOST_STEPS {
            self.steps.pop_front();
        }
        self.state = to;
    }

    /// It was started, and this generation was put in place if it did not run.
    pub(super) fn started(&mut self, generation: &str) {
        if matches!(self.state, State::Paused | State::Error) {
            generation.clone_into(&mut self.generation);
            self.enter(State::Building);
        }
    }

    /// It was asked to stop.
    pub(super) fn stopped(&mut self) {
        self.restart = false;
        if matches!(self.state, State::Building | State::Live | State::Error) {
            self.enter(State::Stopping);
        }
    }

    /// It was asked to start anew, while it runs.
    pub(super) fn restarted(&mut self) {
        self.stopped();
        self.restart = true;
    }

    /// Whether the next PAUSED brings a new generation.
    pub(super) const fn awaits_restart(&self) -> bool {
        self.restart
    }

    /// The generation that a restart brought.
    pub(super) fn learn(&mut self, generation: &str) {
        generation.clone_into(&mut self.generation);
        if let Some(last) = self.steps.back_mut() {
            generation.clone_into(&mut last.generation);
        }
    }

    /// The present generation reports this; answers what it has to be told.
    pub(super) fn report(&mut self, reported: State) -> Due {
        let refusal = match (self.state, reported) {
            (State::Stopping, State::Building | State::Live) => Some("STOPPING"),
            (State::Paused, State::Building | State::Live | State::Error) => Some("PAUSED"),
            _ => None,
        };
        if refusal.is_none() {
            match (self.state, reported) {
                (State::Stopping, State::Paused | State::Error) | (_, State::Paused) => self.enter(State::Paused),
                (_, next) => self.enter(next),
            }
        }
        let directive = match self.state {
            State::Stopping => WorkerDirective::STOP,
            State::Paused => WorkerDirective::EXIT,
            State::Building | State::Live | State::Error => WorkerDirective::RUN,
        };
        if self.state == State::Paused && std::mem::take(&mut self.restart) {
            self.enter(State::Building);
        }
        Due { refusal, directive }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(refusal: Option<&'static str>, directive: WorkerDirective) -> Due {
        Due { refusal, directive }
    }

    #[test]
    fn a_stopping_worker_takes_an_end_and_nothing_else() {
        let mut life = Life::new("a".to_owned());
        life.started("b");
        assert_eq!(life.report(State::Live), due(None, WorkerDirective::RUN));
        life.stopped();
        assert_eq!(life.report(State::Live), due(Some("STOPPING"), WorkerDirective::STOP));
        assert_eq!(life.report(State::Error), due(None, WorkerDirective::EXIT));
        assert_eq!(life.report(State::Live), due(Some("PAUSED"), WorkerDirective::EXIT));
        let states: Vec<State> = life.steps.iter().map(|step| step.to).collect();
        assert_eq!(states, [State::Paused, State::Building, State::Live, State::Stopping, State::Paused]);
    }

    #[test]
    fn a_restart_brings_a_generation_that_is_learned_afterwards() {
        let mut life = Life::new("a".to_owned());
        life.started("b");
        life.restarted();
        assert_eq!(life.report(State::Paused), due(None, WorkerDirective::EXIT));
        assert_eq!(life.state, State::Building);
        life.learn("c");
        let generations: Vec<&str> = life.steps.iter().map(|step| step.generation.as_str()).collect();
        assert_eq!(generations, ["a", "b", "b", "b", "c"]);
        assert!(!life.awaits_restart());
    }
}
