//! Requests to join and invitations: their one life, who decides, and what nobody learns from them.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::club::{Club, KINDS, codes, said};
use crate::support::{Caller, Reply};

#[tokio::test]
async fn a_request_to_join_is_decided_once_by_an_admin() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.stranger("ada").await;
        let answer = club.join(&ada, "MEMBER").await.data();
        // The id was told to her; the env or team itself she does not see.
        let shown = &answer[format!("requestToJoin{}", kind.large())][format!("{}Request", kind.small())];
        assert_eq!(json!([shown["status"], shown[kind.small()]]), json!(["PENDING", null]));
        let first = club.pending(ada.id).await[0];
        assert_eq!(club.decide(&ada, "accept", first).await.code(), "FORBIDDEN");
        club.decide(&club.admin, "decline", first).await.data();
        let second = club.joining(&ada, "MEMBER").await;
        club.decide(&ada, "cancel", second).await.data();
        let third = club.joining(&ada, "MEMBER").await;
        assert_eq!(club.role(ada.id).await, None);
        club.decide(&club.admin, "accept", third).await.data();
        assert_eq!(club.role(ada.id).await.as_deref(), Some("MEMBER"));
        for (request, status) in [(first, "DECLINED"), (second, "CANCELLED"), (third, "ACCEPTED")] {
            for verb in ["accept", "decline", "cancel"] {
                let late = club.decide(&club.admin, verb, request).await;
                assert_eq!((late.code(), late.field()), ("CONFLICT", Some("requestId")));
                assert_eq!(late.0["errors"][0]["extensions"]["details"], json!({"status": status}));
            }
            assert_eq!(club.status(request).await, status);
        }
        let verbs = ["request", "decline", "request", "cancel", "request", "accept"];
        assert_eq!(club.audited().await, verbs.map(|verb| club.entry(verb, ada.id)));
    }
}

#[tokio::test]
async fn an_invitation_is_decided_once_by_who_is_invited() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.neighbour("ada").await;
        let declined = club.inviting(&club.admin, &ada, "ADMIN").await;
        assert_eq!(club.decide(&club.admin, "accept", declined).await.code(), "FORBIDDEN");
        assert_eq!(club.decide(&ada, "cancel", declined).await.code(), "FORBIDDEN");
        club.decide(&ada, "decline", declined).await.data();
        let accepted = club.inviting(&club.admin, &ada, "ADMIN").await;
        let query = format!("{{ viewer {{ user {{ {}RequestsReceived(first: 1) {{ nodes {{ id status }} }} }} }} }}", kind.small());
        let received = ada.ask(&query).await.data();
        let received = &received["viewer"]["user"][format!("{}RequestsReceived", kind.small())]["nodes"][0];
        assert_eq!(*received, json!({"id": accepted, "status": "PENDING"}));
        club.decide(&ada, "accept", accepted).await.data();
        assert_eq!(club.role(ada.id).await.as_deref(), Some("ADMIN"));
        assert_eq!(club.audited().await, ["invite", "decline", "invite", "accept"].map(|verb| club.entry(verb, ada.id)));
    }
}

#[tokio::test]
async fn who_has_no_part_in_a_request_does_nothing_about_it() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let (ada, bob) = (club.stranger("ada").await, club.stranger("bob").await);
        let member = club.member("member", "MEMBER").await;
        let joining = club.joining(&ada, "MEMBER").await;
        let inviting = club.inviting(&club.admin, &bob, "MEMBER").await;
        for request in [joining, inviting] {
            for verb in ["accept", "decline", "cancel"] {
                for outsider in [&member, if request == joining { &bob } else { &ada }] {
                    let unseen = club.decide(outsider, verb, request).await;
                    assert_eq!((unseen.code(), unseen.field()), ("NOT_FOUND", Some("requestId")));
                    assert_eq!(said(&unseen), said(&club.decide(outsider, verb, Uuid::new_v4()).await));
                }
            }
        }
        assert_eq!(club.decide(&ada, "decline", joining).await.code(), "FORBIDDEN");
        for caller in [&member, &ada] {
            let refused = club.invite(caller, "eve@example.com", "MEMBER").await;
            assert_eq!(refused.code(), if caller.id == member.id { "FORBIDDEN" } else { "NOT_FOUND" });
            assert_eq!(said(&refused), said(&club.invite(caller, "bob@example.com", "MEMBER").await));
        }
        let missing = Club { id: Uuid::new_v4(), ..Club::open(kind).await };
        let refused = missing.join(&missing.admin, "MEMBER").await;
        assert_eq!((refused.code(), refused.field()), ("NOT_FOUND", Some(kind.key())));
        assert_eq!(club.join(&club.server.worker(Uuid::new_v4(), Uuid::new_v4()), "MEMBER").await.code(), "FORBIDDEN");
        assert_eq!((club.pending(ada.id).await, club.pending(bob.id).await), (vec![joining], vec![inviting]));
    }
}

/// What is said of an invitation and of a second one, what the inviter may read of them afterwards, but for the
/// address, and how many statements the first cost.
async fn invited(club: &Club, email: &str) -> (Vec<Value>, Vec<Value>, u64) {
    let (mut answers, mut costs) = (Vec::new(), Vec::new());
    let before = club.audited().await.len();
    for _ in 0..2 {
        let statements = club.server.statements();
        let Reply(answer) = club.invite(&club.admin, email, "MEMBER").await;
        costs.push(club.server.statements() - statements);
        let text = answer.to_string().replace(email, "…");
        let mut answer: Value = serde_json::from_str(&text).expect("JSON");
        if let Some(error) = answer.pointer_mut("/errors/0/extensions").and_then(Value::as_object_mut) {
            error.remove("requestId");
        }
        answers.push(answer);
    }
    (answers, club.audited().await.split_off(before), costs[0])
}

#[tokio::test]
async fn an_invitation_is_answered_and_audited_alike_whether_or_not_somebody_has_the_address() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.stranger("ada").await;
        let somebody = invited(&club, "ada@example.com").await;
        let nobody = invited(&club, "bea@example.com").await;
        assert_eq!(somebody, nobody);
        let (answers, audit, _) = somebody;
        assert_eq!(answers[0]["data"][format!("inviteTo{}", kind.large())]["email"], "…");
        assert_eq!(answers[1]["errors"][0]["extensions"]["code"], "CONFLICT");
        assert_eq!(audit, [club.entry("invite", None)]);
        assert_eq!(club.invited().await, ["ada@example.com", "bea@example.com"]);
        assert_eq!(club.pending(ada.id).await.len(), 1);
        assert_eq!(club.told(&club.admin).await, told(&["bea@example.com", "ada@example.com"]));
        // Who has the address later finds the invitation, and nobody else sees a difference.
        let bea = club.stranger("bea").await;
        let waiting = club.pending(bea.id).await;
        assert_eq!(club.told(&club.admin).await, told(&["bea@example.com", "ada@example.com"]));
        club.decide(&bea, "accept", waiting[0]).await.data();
        assert_eq!(club.role(bea.id).await.as_deref(), Some("MEMBER"));
        assert_eq!(club.told(&club.admin).await["invitations"], json!([{"email": "ada@example.com"}]));
        assert_eq!(club.decide(&club.admin, "cancel", club.pending(ada.id).await[0]).await.code(), "NOT_FOUND");
    }
}

/// What is to be read of what is pending when these are invited.
fn told(emails: &[&str]) -> Value {
    let invitations: Vec<Value> = emails.iter().map(|email| json!({"email": email})).collect();
    json!({"invitations": invitations, "requests": {"totalCount": 0, "nodes": []}})
}

#[tokio::test]
async fn an_invitation_is_taken_back_alike_whether_or_not_somebody_has_the_address() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.stranger("ada").await;
        let member = club.member("member", "MEMBER").await;
        for email in ["ada@example.com", "bea@example.com"] {
            club.invite(&club.admin, email, "ADMIN").await.data();
            let id = club.invitation(email).await;
            assert_eq!(club.told(&member).await, told(&[]));
            for (caller, code) in [(&member, "NOT_FOUND"), (&ada, "NOT_FOUND")] {
                assert_eq!(club.cancel_invitation(caller, id).await.code(), code);
            }
            let answer = club.cancel_invitation(&club.admin, id).await.data();
            assert_eq!(answer["cancelInvitation"]["invitation"]["email"], email);
            assert_eq!(club.cancel_invitation(&club.admin, id).await.code(), "NOT_FOUND");
            assert_eq!(club.told(&club.admin).await, told(&[]));
            // Nor is there anything by its id, which somebody would have been invited by.
            let again = club.decide(&club.admin, "cancel", id).await;
            assert_eq!((again.code(), again.message()), ("NOT_FOUND", club.decide(&club.admin, "cancel", Uuid::new_v4()).await.message()));
        }
        assert_eq!(club.pending(ada.id).await, Vec::<Uuid>::new());
        let bea = club.stranger("bea").await;
        assert_eq!(club.pending(bea.id).await, Vec::<Uuid>::new());
        assert_eq!(club.audited().await, ["invite", "cancel", "invite", "cancel"].map(|verb| club.entry(verb, None)));
    }
}

#[tokio::test]
async fn an_invitation_to_an_address_that_nobody_has_waits_for_thirty_days() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        club.invite(&club.admin, " Bea@Example.com", "MEMBER").await.data();
        sqlx::query("update pumphouse.invitation set created_at = now() - interval '31 days'")
            .execute(&club.world.pool)
            .await
            .expect("time");
        club.invite(&club.admin, "bea@example.com", "ADMIN").await.data();
        club.invite(&club.admin, "eve@example.com", "ADMIN").await.data();
        let late = "update pumphouse.invitation set created_at = now() - interval '31 days' where email = 'eve@example.com'";
        sqlx::query(late).execute(&club.world.pool).await.expect("time");
        let (bea, eve) = (club.stranger("bea").await, club.stranger("eve").await);
        assert_eq!(club.pending(eve.id).await, Vec::<Uuid>::new());
        club.decide(&bea, "accept", club.pending(bea.id).await[0]).await.data();
        assert_eq!(club.role(bea.id).await.as_deref(), Some("ADMIN"));
    }
}

#[tokio::test]
async fn what_is_no_address_or_ones_own_is_not_invited() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        for email in ["", "ada", "a b@c", "Admin@example.com"] {
            let refused = club.invite(&club.admin, email, "MEMBER").await;
            assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("email")), "{email}");
        }
        assert_eq!(club.audited().await, Vec::<Value>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m01_one_invitation_accepted_fifty_times_makes_one_member() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.stranger("ada").await;
        let request = club.inviting(&club.admin, &ada, "MEMBER").await;
        let replies = join_all((0..50).map(|_| club.decide(&ada, "accept", request))).await;
        let codes = codes(&replies);
        assert_eq!(codes.iter().filter(|code| **code == "done").count(), 1, "{codes:?}");
        assert_eq!(codes.iter().filter(|code| **code == "CONFLICT").count(), 49, "{codes:?}");
        assert_eq!(club.roles().await.len(), 2);
        let seen = ada.ask(&format!("{{ {}(id: \"{}\") {{ members {{ totalCount }} }} }}", kind.small(), club.id)).await.data();
        assert_eq!(seen[kind.small()]["members"]["totalCount"], 2);
        assert_eq!(club.set(&ada, club.admin.id, "MEMBER").await.code(), "FORBIDDEN");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m01_an_invitation_accepted_while_it_is_cancelled_is_one_of_both() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.neighbour("ada").await;
        for _ in 0..20 {
            let request = club.inviting(&club.admin, &ada, "MEMBER").await;
            let (accept, cancel) = tokio::join!(club.decide(&ada, "accept", request), club.decide(&club.admin, "cancel", request));
            let accepted = accept.0.get("errors").is_none();
            assert_eq!(codes(&[accept, cancel]), ["CONFLICT", "done"]);
            assert_eq!(club.status(request).await, if accepted { "ACCEPTED" } else { "CANCELLED" });
            assert_eq!(club.role(ada.id).await.is_some(), accepted);
            if accepted {
                club.remove(&ada, ada.id).await.data();
            }
        }
    }
}

#[tokio::test]
async fn m02_who_was_a_member_is_invited_again_and_a_member_to_a_higher_role_only() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.stranger("ada").await;
        for _ in 0..2 {
            let request = club.inviting(&club.admin, &ada, "MEMBER").await;
            club.decide(&ada, "accept", request).await.data();
            club.remove(&club.admin, ada.id).await.data();
        }
        club.decide(&ada, "accept", club.inviting(&club.admin, &ada, "MEMBER").await).await.data();
        let same = club.invite(&club.admin, "ada@example.com", "MEMBER").await;
        assert_eq!((same.code(), same.field()), ("CONFLICT", Some("email")));
        let higher = club.inviting(&club.admin, &ada, "ADMIN").await;
        assert_eq!(club.role(ada.id).await.as_deref(), Some("MEMBER"));
        club.decide(&ada, "accept", higher).await.data();
        assert_eq!(club.role(ada.id).await.as_deref(), Some("ADMIN"));
        assert_eq!(club.join(&ada, "MEMBER").await.code(), "CONFLICT");
        assert_eq!(club.invite(&club.admin, "ada@example.com", "ADMIN").await.code(), "CONFLICT");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m03_of_two_invitations_or_an_invitation_and_a_request_at_once_one_is_pending() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let second = club.member("second", "ADMIN").await;
        let ada = club.stranger("ada").await;
        for round in 0..20 {
            if round == 10 {
                // From now on both see her.
                for user in [&second, &ada] {
                    club.world.join_env(user.id, club.lobby, "member").await;
                }
            }
            let (one, other) = if round % 2 == 0 {
                tokio::join!(club.invite(&club.admin, "ada@example.com", "MEMBER"), club.invite(&second, "ada@example.com", "ADMIN"))
            } else {
                tokio::join!(club.invite(&club.admin, "ada@example.com", "MEMBER"), club.join(&ada, "MEMBER"))
            };
            assert_eq!(codes(&[one, other]), ["CONFLICT", "done"]);
            let pending = club.pending(ada.id).await;
            assert_eq!(pending.len(), 1);
            let decided = club.decide(&second, "cancel", pending[0]).await;
            if round < 10 && decided.0.get("errors").is_some() {
                assert_eq!(decided.code(), "NOT_FOUND");
                club.cancel_invitation(&second, pending[0]).await.data();
            }
            assert_eq!((club.pending(ada.id).await, club.told(&second).await), (Vec::new(), told(&[])));
        }
        // Who is told that they are invited is told where.
        let invitation = club.inviting(&club.admin, &ada, "MEMBER").await;
        let crossing = club.join(&ada, "MEMBER").await;
        assert_eq!(crossing.code(), "CONFLICT");
        assert_eq!(crossing.0["errors"][0]["extensions"]["details"], json!({"requestId": invitation}));
    }
}

#[tokio::test]
async fn acceptance_keeps_the_higher_role() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let root = club.server.superuser().await;
        let ada = club.neighbour("ada").await;
        let request = club.joining(&ada, "MEMBER").await;
        club.write(ada.id, "ADMIN").await;
        club.decide(&root, "accept", request).await.data();
        assert_eq!(club.role(ada.id).await.as_deref(), Some("ADMIN"));
    }
}

#[tokio::test]
async fn whoever_was_deactivated_meanwhile_becomes_no_member() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let (ada, bob) = (club.stranger("ada").await, club.stranger("bob").await);
        let invitation = club.inviting(&club.admin, &ada, "MEMBER").await;
        let request = club.joining(&bob, "MEMBER").await;
        for user in [&ada, &bob] {
            club.activate(user.id, false).await;
        }
        assert_eq!(club.decide(&ada, "accept", invitation).await.code(), "UNAUTHENTICATED");
        assert_eq!(club.decide(&club.admin, "accept", request).await.code(), "CONFLICT");
        assert_eq!((club.roles().await.len(), club.status(request).await.as_str()), (1, "PENDING"));
        club.decide(&club.admin, "decline", request).await.data();
    }
}

/// Who loses a right has handed nothing on that is not accepted yet.
#[tokio::test]
async fn an_invitation_counts_while_its_author_administers() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let second = club.member("second", "ADMIN").await;
        let ada = club.stranger("ada").await;
        let invitation = club.inviting(&second, &ada, "ADMIN").await;
        club.set(&club.admin, second.id, "MEMBER").await.data();
        assert_eq!(club.decide(&ada, "accept", invitation).await.code(), "CONFLICT");
        assert_eq!((club.role(ada.id).await, club.status(invitation).await.as_str()), (None, "PENDING"));
        club.set(&club.admin, second.id, "ADMIN").await.data();
        club.decide(&ada, "accept", invitation).await.data();
    }
}

#[tokio::test]
async fn whoever_sets_or_ends_a_membership_decides_what_is_pending_with_it() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.neighbour("ada").await;
        let expect = async |request, status: &str| assert_eq!(club.status(request).await, status);
        let asked = club.joining(&ada, "MEMBER").await;
        club.set(&club.admin, ada.id, "MEMBER").await.data();
        expect(asked, "ACCEPTED").await;
        let offered = club.inviting(&club.admin, &ada, "ADMIN").await;
        club.remove(&club.admin, ada.id).await.data();
        expect(offered, "CANCELLED").await;
        let too_much = club.joining(&ada, "ADMIN").await;
        club.set(&club.admin, ada.id, "MEMBER").await.data();
        expect(too_much, "CANCELLED").await;
        assert_eq!(club.role(ada.id).await.as_deref(), Some("MEMBER"));
    }
}

/// Admins see what is pending in their list, others do not.
#[tokio::test]
async fn what_is_pending_is_listed_to_those_who_decide_it() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let member = club.member("member", "MEMBER").await;
        let ada = club.stranger("ada").await;
        let request = club.joining(&ada, "MEMBER").await;
        let small = kind.small();
        let list = async |caller: &Caller| {
            let query = format!("{{ {small}(id: \"{}\") {{ requests {{ nodes {{ id }} }} }} }}", club.id);
            caller.ask(&query).await.data()[small]["requests"]["nodes"].clone()
        };
        assert_eq!(list(&club.admin).await, json!([{"id": request}]));
        assert_eq!(list(&member).await, json!([]));
    }
}

#[tokio::test]
async fn an_invitation_is_settled_also_when_the_address_has_changed_since() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        for (name, verb) in [("ada", "accept"), ("bob", "decline")] {
            let user = club.stranger(name).await;
            let request = club.inviting(&club.admin, &user, "MEMBER").await;
            let moved = "update \"user\" set email = 'new-' || email where id = $1";
            sqlx::query(moved).bind(user.id).execute(&club.world.pool).await.expect("another address");
            club.decide(&user, verb, request).await.data();
            assert_eq!(club.told(&club.admin).await["invitations"], json!([]), "{verb}");
            club.invite(&club.admin, &format!("{name}@example.com"), "MEMBER").await.data();
            club.cancel_invitation(&club.admin, club.invitation(&format!("{name}@example.com")).await).await.data();
        }
    }
}

#[tokio::test]
async fn the_next_owner_of_an_address_gets_no_invitation_of_somebody_who_was_deleted() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.stranger("ada").await;
        club.inviting(&club.admin, &ada, "ADMIN").await;
        let root = club.server.superuser().await;
        root.ask(&format!("mutation {{ deleteUser(input: {{userId: \"{}\"}}) {{ user {{ id }} }} }}", ada.id)).await.data();
        assert_eq!(club.told(&club.admin).await["invitations"], json!([]));
        assert_eq!(club.pending(club.stranger("ada").await.id).await, Vec::<Uuid>::new());
    }
}
