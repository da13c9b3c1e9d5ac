//! One subscriber of an execution that others may share.
//!
//! Always holds: their rights are minded before they are asked for, so no change of them is missed; after a change they
//! are told nothing until they were asked anew. A stream that has begun outlives a database that is away, whether anything was told
//! in it or not; none begins while nothing is heard of changes.

use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream;

use crate::core::error::{Code, Error};
use crate::core::live::{EncodedResponse, Next, Place, ResumeState, Tries};
use crate::core::read::Caller;
use crate::core::request::RequestId;
use crate::core::viewer::Verified;
use crate::server::answer::Answer;
use crate::server::auth::PresentedToken;
use crate::server::counts::Counted;
use crate::server::engine::Engine;
use crate::server::shared::{Asked, Group};

/// Where a subscriber is.
struct Seat {
    place: Place,
    group: Arc<Group>,
}

struct Watching {
    engine: Engine,
    asked: Arc<Asked>,
    presented: PresentedToken,
    id: RequestId,
    seat: Option<Seat>,
    /// What they were told before they left their last place.
    before: Option<ResumeState>,
    /// They were told something.
    told: bool,
    /// They were told the present state, be it that there is nothing.
    begun: bool,
    ended: bool,
    /// Of asking for the present state from the beginning.
    tries: Tries,
    /// Executions in a row that ended before they had sent this subscriber anything.
    fruitless: u8,
    _counted: Counted,
}

/// How much more than on its way to a client may wait for it: all that a burst of changes says.
const BURST: usize = 4;
/// How many executions may end without a word for one who came, until that is taken for the answer.
const MOST_FRUITLESS: u8 = 3;
/// How long one whose stream has begun waits after those.
const PAUSE: Duration = Duration::from_secs(1);

/// What a subscription answers, to one who presented this.
pub(crate) fn watch(
    engine: Engine,
    asked: Asked,
    presented: PresentedToken,
    id: RequestId,
) -> impl Stream<Item = Arc<EncodedResponse>> + Send + use<> {
    let counted = engine.counts.subscription();
    let asked = Arc::new(asked);
    let (told, begun, ended, tries, fruitless) = (false, false, false, Tries::default(), 0);
    let start =
        Watching { engine, asked, presented, id, seat: None, before: None, told, begun, ended, tries, fruitless, _counted: counted };
    stream::unfold(start, |mut watching| async move {
        let said = watching.next().await?;
        Some((said, watching))
    })
}

impl Watching {
    async fn next(&mut self) -> Option<Arc<EncodedResponse>> {
        loop {
            if self.ended {
                return None;
            }
            let Some(seat) = &self.seat else {
                if let Err(error) = self.sit_down().await {
                    return Some(self.end(error));
                }
                continue;
            };
            match seat.place.member().next().await {
                // What is asked before anything is followed could not be answered.
                Next::EncodedResponse(said) if said.last && self.outlives(said.code) => {
                    self.get_up();
                    tokio::time::sleep(self.tries.pause()).await;
                }
                Next::EncodedResponse(said) => {
                    self.tries = Tries::default();
                    self.told = true;
                    self.ended = said.last;
                    self.fruitless = 0;
                    return Some(self.own(said));
                }
                Next::Anew => self.get_up(),
                Next::Cut => {
                    return Some(
                        self.end(Error::unavailable("The client does not read fast enough; subscribe again for the present state.")),
                    );
                }
                // The execution turned out to be none to be shared, or ended before it knew of this one.
                Next::Over if self.moves_on() => {
                    self.get_up();
                    if self.fruitless > MOST_FRUITLESS {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
                Next::Over => return None,
            }
        }
    }

    /// Whether this fault ends no stream that has begun.
    fn outlives(&self, code: Option<Code>) -> bool {
        let here = self.seat.as_ref().is_some_and(|seat| seat.place.member().has_begun());
        (self.begun || here) && code.is_some_and(Code::may_pass)
    }

    /// Whether to look for another place, now that the execution has ended.
    fn moves_on(&mut self) -> bool {
        let Some(Seat { place, group }) = &self.seat else { return false };
        if !place.member().has_joined() && !group.is_outdated() {
            self.fruitless = self.fruitless.saturating_add(1);
        }
        !self.engine.app.hub.has_ended() && (place.member().has_begun() || self.fruitless <= MOST_FRUITLESS)
    }

    /// What was said to all, under the id of this one's request.
    fn own(&self, said: Arc<EncodedResponse>) -> Arc<EncodedResponse> {
        let Some(shared) = &said.request else { return said };
        let own = |text: &String| text.replace(shared, &self.id.0);
        Arc::new(EncodedResponse {
            answer: own(&said.answer),
            refused: said.refused.as_ref().map(own),
            code: said.code,
            request: Some(self.id.0.clone()),
            last: said.last,
            lasts: said.lasts,
            completes: said.completes,
        })
    }

    fn get_up(&mut self) {
        if let Some(seat) = self.seat.take() {
            self.begun |= seat.place.member().has_begun();
            // Who was told nothing yet is told what everybody is.
            self.before = seat.leave().filter(|_| self.told);
        }
    }

    /// Takes a place with those who may see the same, going by what is committed now.
    async fn sit_down(&mut self) -> Result<(), Error> {
        let hub = &self.engine.app.hub;
        if hub.has_ended() {
            self.ended = true;
            return Ok(());
        }
        // Whose stream has begun is told the rest of it once changes are heard of again; who comes is not to take the
        // silence for peace.
        if !self.begun && hub.is_deaf() {
            return Err(Error::unavailable("Changes are not heard of at the moment; subscribe again in a while."));
        }
        let room = self.engine.app.settings.socket_buffer.saturating_mul(BURST);
        let place = hub.enter(self.presented.token().and_then(Verified::user), room);
        if self.begun {
            place.member().begin();
        }
        let caller = self.caller().await?;
        let group = self.engine.groups.of(&self.engine, &self.asked, caller.viewer());
        if group.share.enter(place.member(), self.before.clone()) {
            self.before = None;
            // Equal words are kept once.
            self.asked = Arc::clone(&group.key.asked);
            self.seat = Some(Seat { place, group });
        }
        Ok(())
    }

    async fn caller(&self) -> Result<Caller, Error> {
        let mut tries = Tries::default();
        loop {
            match self.engine.caller(&self.presented).await {
                Ok(caller) => return Ok(caller),
                Err(error) if self.begun && error.may_pass() => tokio::time::sleep(tries.pause()).await,
                Err(error) => return Err(error),
            }
        }
    }

    fn end(&mut self, error: Error) -> Arc<EncodedResponse> {
        self.ended = true;
        self.seat = None;
        Arc::new(EncodedResponse { last: true, ..Answer::refusal(error, &self.id).said(&self.id) })
    }
}

impl Seat {
    /// Frees the place; answers what they know.
    fn leave(&self) -> Option<ResumeState> {
        self.group.share.leave(self.place.member())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _known = self.leave();
    }
}
