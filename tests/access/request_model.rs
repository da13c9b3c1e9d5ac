//! Random lives of memberships and requests against the rules of domain.md section 1, written down once more.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use uuid::Uuid;

use super::club::{Club, KINDS, Kind};
use crate::support::{Caller, Reply};

/// Who acts: the superuser, the admin of the beginning, and three who belong nowhere.
const PEOPLE: usize = 5;
const ROOT: usize = 0;
const ADMIN: usize = 1;

/// What somebody does, to whom, or about which request.
#[derive(Clone, Copy, Debug)]
enum Step {
    Set(usize, usize, Role),
    Remove(usize, usize),
    Join(usize, Role),
    Invite(usize, usize, Role),
    /// The verb, and the request counted from the newest.
    Decide(usize, &'static str, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Reader,
    Member,
    Admin,
}

#[derive(Debug)]
struct Request {
    from: usize,
    to: usize,
    role: Role,
    status: &'static str,
}

/// What is to be true of a club.
#[derive(Debug)]
struct Model {
    kind: Kind,
    roles: BTreeMap<usize, Role>,
    requests: Vec<Request>,
}

type Outcome = Result<(), &'static str>;

impl Model {
    fn administers(&self, who: usize) -> bool {
        who == ROOT || self.roles.get(&who) == Some(&Role::Admin)
    }

    fn sees(&self, who: usize) -> Outcome {
        if who == ROOT || self.roles.contains_key(&who) { Ok(()) } else { Err("NOT_FOUND") }
    }

    fn may_administer(&self, who: usize) -> Outcome {
        self.sees(who)?;
        if self.administers(who) { Ok(()) } else { Err("FORBIDDEN") }
    }

    fn someone_stays(&self, actor: usize, goes: usize) -> Outcome {
        let others = self.roles.iter().filter(|(who, role)| **who != goes && **role == Role::Admin).count();
        if self.roles[&goes] != Role::Admin || others > 0 || actor == ROOT { Ok(()) } else { Err("CONFLICT") }
    }

    fn pending(&mut self, to: usize) -> Option<&mut Request> {
        self.requests.iter_mut().find(|request| request.to == to && request.status == "PENDING")
    }

    fn settle(&mut self, to: usize, given: Option<Role>) {
        if let Some(request) = self.pending(to) {
            let granted = request.from == to && given.is_some_and(|role| role >= request.role);
            request.status = if granted { "ACCEPTED" } else { "CANCELLED" };
        }
    }

    fn ask(&mut self, from: usize, to: usize, role: Role) -> Outcome {
        if self.roles.get(&to).is_some_and(|has| *has >= role) || self.pending(to).is_some() {
            return Err("CONFLICT");
        }
        self.requests.push(Request { from, to, role, status: "PENDING" });
        Ok(())
    }

    fn decide(&mut self, who: usize, verb: &str, index: usize) -> Outcome {
        let Request { from, to, role, status } = self.requests[index];
        let officer = self.administers(who) || (self.kind == Kind::Env && self.roles.get(&who) == Some(&Role::Reader));
        if !(officer || who == from || who == to) {
            return Err("NOT_FOUND");
        }
        let may = match verb {
            "cancel" => who == from || self.administers(who),
            _ if from == to => self.administers(who),
            _ => who == to || who == ROOT,
        };
        if !may {
            return Err("FORBIDDEN");
        }
        if status != "PENDING" || (verb == "accept" && from != to && !self.administers(from)) {
            return Err("CONFLICT");
        }
        self.requests[index].status = match verb {
            "accept" => "ACCEPTED",
            "decline" => "DECLINED",
            _ => "CANCELLED",
        };
        if verb == "accept" {
            let has = self.roles.entry(to).or_insert(role);
            *has = (*has).max(role);
        }
        Ok(())
    }

    fn take(&mut self, step: Step) -> Outcome {
        match step {
            Step::Set(actor, target, role) => {
                self.may_administer(actor)?;
                if self.roles.get(&target) == Some(&role) {
                    return Ok(());
                }
                if self.roles.contains_key(&target) {
                    self.someone_stays(actor, target)?;
                }
                self.roles.insert(target, role);
                self.settle(target, Some(role));
                Ok(())
            }
            Step::Remove(actor, target) => {
                if actor == target { self.sees(actor) } else { self.may_administer(actor) }?;
                if !self.roles.contains_key(&target) {
                    return Err("NOT_FOUND");
                }
                self.someone_stays(actor, target)?;
                self.roles.remove(&target);
                self.settle(target, None);
                Ok(())
            }
            Step::Join(actor, role) => self.ask(actor, actor, role),
            Step::Invite(actor, target, role) => {
                self.may_administer(actor)?;
                if actor == target { Err("VALIDATION") } else { self.ask(actor, target, role) }
            }
            Step::Decide(actor, verb, back) => match self.requests.len().checked_sub(back + 1) {
                Some(index) => self.decide(actor, verb, index),
                None => Err("NOT_FOUND"),
            },
        }
    }
}

fn step(kind: Kind) -> impl Strategy<Value = Step> {
    let roles = if kind == Kind::Env { vec![Role::Reader, Role::Member, Role::Admin] } else { vec![Role::Member, Role::Admin] };
    let who = 0..PEOPLE;
    let role = prop::sample::select(roles);
    let verb = prop::sample::select(vec!["accept", "accept", "decline", "cancel"]);
    prop_oneof![
        2 => (who.clone(), who.clone(), role.clone()).prop_map(|(actor, target, role)| Step::Set(actor, target, role)),
        2 => (who.clone(), who.clone()).prop_map(|(actor, target)| Step::Remove(actor, target)),
        3 => (who.clone(), role.clone()).prop_map(|(actor, role)| Step::Join(actor, role)),
        3 => (who.clone(), who.clone(), role).prop_map(|(actor, target, role)| Step::Invite(actor, target, role)),
        6 => (who, verb, 0..3_usize).prop_map(|(actor, verb, back)| Step::Decide(actor, verb, back)),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_asked_by_whomever_memberships_and_requests_follow_the_rules() {
    for kind in KINDS {
        let mut club = Club::open(kind).await;
        let mut people = vec![club.server.superuser().await, club.admin.clone()];
        for name in ["ann", "bob", "cay"] {
            people.push(club.neighbour(name).await);
        }
        club.world.join_env(people[ROOT].id, club.lobby, "member").await;
        let runtime = tokio::runtime::Handle::current();
        tokio::task::block_in_place(|| {
            let mut runner = TestRunner::new(Config { cases: 30, max_shrink_iters: 60, failure_persistence: None, ..Config::default() });
            let club = std::cell::RefCell::new(&mut club);
            let outcome = runner.run(&prop::collection::vec(step(kind), 1..40), |steps| {
                runtime.block_on(live(*club.borrow_mut(), &people, &steps));
                Ok(())
            });
            outcome.unwrap_or_else(|failure| panic!("{failure}"));
        });
    }
}

/// One life: after every step the rows say what the model says, and so does the answer.
async fn live(club: &mut Club, people: &[Caller], steps: &[Step]) {
    club.env = club.world.env("prod").await;
    club.id = if club.kind == Kind::Env { club.env } else { club.world.team(club.env, "core").await };
    club.write(people[ADMIN].id, "ADMIN").await;
    let mut model = Model { kind: club.kind, roles: BTreeMap::from([(ADMIN, Role::Admin)]), requests: Vec::new() };
    let mut ids: Vec<Uuid> = Vec::new();
    for step in steps {
        let reply = take(club, people, &ids, *step).await;
        let outcome = model.take(*step);
        let answered = if reply.0.get("errors").is_none() { Ok(()) } else { Err(reply.code()) };
        assert_eq!(answered, outcome, "after {step:?}: {model:?}");
        if model.requests.len() > ids.len() {
            let to = model.requests[ids.len()].to;
            ids.push(club.pending(people[to].id).await[0]);
        }
        let mut roles = club.roles().await;
        let mut expected: Vec<(Uuid, String)> =
            model.roles.iter().map(|(who, role)| (people[*who].id, format!("{role:?}").to_uppercase())).collect();
        roles.sort();
        expected.sort();
        assert_eq!(roles, expected, "after {step:?}: {model:?}");
        for (id, request) in ids.iter().zip(&model.requests) {
            assert_eq!(club.status(*id).await, request.status, "after {step:?}: {model:?}");
        }
    }
}

async fn take(club: &Club, people: &[Caller], ids: &[Uuid], step: Step) -> Reply {
    let say = |role: Role| format!("{role:?}").to_uppercase();
    match step {
        Step::Set(actor, target, role) => club.set(&people[actor], people[target].id, &say(role)).await,
        Step::Remove(actor, target) => club.remove(&people[actor], people[target].id).await,
        Step::Join(actor, role) => club.join(&people[actor], &say(role)).await,
        Step::Invite(actor, target, role) => {
            let names = ["root", "admin", "ann", "bob", "cay"];
            club.invite(&people[actor], &format!("{}@example.com", names[target]), &say(role)).await
        }
        Step::Decide(actor, verb, back) => {
            let request = ids.len().checked_sub(back + 1).map_or_else(Uuid::new_v4, |index| ids[index]);
            club.decide(&people[actor], verb, request).await
        }
    }
}
