//! Memberships of envs and teams: who sets them, who ends them, and who must stay.

use futures_util::future::join_all;
use serde_json::Value;
use uuid::Uuid;

use super::club::{Club, KINDS, Kind, codes, said};
use crate::support::{Server, TestSettings};

#[tokio::test]
async fn an_admin_adds_changes_and_removes_a_member_and_the_audit_says_so() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.neighbour("ada").await;
        let field = format!("set{}Member", kind.large());
        let set = club.set(&club.admin, ada.id, "MEMBER").await.data();
        assert_eq!(set[&field][format!("{}Member", kind.small())]["userId"], ada.id.to_string());
        assert_eq!(club.role(ada.id).await.as_deref(), Some("MEMBER"));
        // Again is nothing new.
        assert_eq!(club.set(&club.admin, ada.id, "MEMBER").await.data(), set);
        club.set(&club.admin, ada.id, "ADMIN").await.data();
        assert_eq!(club.role(ada.id).await.as_deref(), Some("ADMIN"));
        club.set(&ada, club.admin.id, "MEMBER").await.data();
        club.remove(&ada, club.admin.id).await.data();
        assert_eq!(club.roles().await, [(ada.id, "ADMIN".to_owned())]);
        let (admin, ada) = (club.admin.id, ada.id);
        let expected = [club.entry("grant", ada), club.entry("grant", ada), club.entry("grant", admin), club.entry("revoke", admin)];
        assert_eq!(club.audited().await, expected);
        assert_eq!(club.set(&club.admin, ada, "MEMBER").await.code(), "NOT_FOUND");
    }
}

#[tokio::test]
async fn who_does_not_administer_changes_no_member_and_who_sees_nothing_learns_nothing() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let member = club.member("member", "MEMBER").await;
        let outsider = club.neighbour("outsider").await;
        let missing = Club { id: Uuid::new_v4(), ..Club::open(kind).await };
        let before = club.roles().await;
        for role in ["MEMBER", "ADMIN"] {
            for user in [member.id, club.admin.id, outsider.id, Uuid::new_v4()] {
                let refused = club.set(&member, user, role).await;
                assert_eq!((refused.code(), refused.field()), ("FORBIDDEN", Some(kind.key())));
                let unseen = club.set(&outsider, user, role).await;
                assert_eq!((unseen.code(), unseen.field()), ("NOT_FOUND", Some(kind.key())));
                assert_eq!(said(&unseen), said(&missing.set(&missing.admin, user, role).await));
            }
        }
        for user in [club.admin.id, outsider.id, Uuid::new_v4()] {
            assert_eq!(club.remove(&member, user).await.code(), "FORBIDDEN");
            let unseen = club.remove(&outsider, user).await;
            assert_eq!((unseen.code(), unseen.field()), ("NOT_FOUND", Some(kind.key())));
            assert_eq!(said(&unseen), said(&missing.remove(&missing.admin, user).await));
        }
        assert_eq!(club.set(&club.server.nobody(), member.id, "ADMIN").await.code(), "UNAUTHENTICATED");
        let worker = club.server.worker(Uuid::new_v4(), Uuid::new_v4());
        assert_eq!(club.set(&worker, member.id, "ADMIN").await.code(), "NOT_FOUND");
        assert_eq!((club.roles().await, club.audited().await.len()), (before, 0));
    }
}

#[tokio::test]
async fn a_user_whom_the_admin_does_not_see_is_one_who_does_not_exist() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let stranger = club.stranger("stranger").await;
        for (one, other) in [
            (club.set(&club.admin, stranger.id, "MEMBER").await, club.set(&club.admin, Uuid::new_v4(), "MEMBER").await),
            (club.remove(&club.admin, stranger.id).await, club.remove(&club.admin, Uuid::new_v4()).await),
        ] {
            assert_eq!((one.code(), one.field()), ("NOT_FOUND", Some("userId")));
            assert_eq!(said(&one), said(&other));
        }
        let root = club.server.superuser().await;
        club.set(&root, stranger.id, "MEMBER").await.data();
        assert_eq!(club.role(stranger.id).await.as_deref(), Some("MEMBER"));
    }
}

#[tokio::test]
async fn members_leave_by_themselves_but_the_last_active_admin_stays() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let admin = club.admin.clone();
        let member = club.member("member", "MEMBER").await;
        club.remove(&member, member.id).await.data();
        assert_eq!(club.remove(&member, member.id).await.code(), "NOT_FOUND");
        // An admin who cannot sign in is none.
        let second = club.member("second", "ADMIN").await;
        club.activate(second.id, false).await;
        for refused in [club.remove(&admin, admin.id).await, club.set(&admin, admin.id, "MEMBER").await] {
            assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("userId")));
        }
        assert_eq!(club.role(admin.id).await.as_deref(), Some("ADMIN"));
        club.activate(second.id, true).await;
        club.remove(&admin, admin.id).await.data();
        // A superuser may leave it without one.
        assert_eq!(club.remove(&second, second.id).await.code(), "CONFLICT");
        let root = club.server.superuser().await;
        club.set(&root, second.id, "MEMBER").await.data();
        club.remove(&root, second.id).await.data();
        assert!(club.roles().await.is_empty());
    }
}

/// The case of two who each take the other's right: whoever comes second finds that they are the last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_admins_who_demote_or_remove_each_other_at_once_one_remains() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let rival = club.member("rival", "ADMIN").await;
        let root = club.server.superuser().await;
        for round in 0..20 {
            let (one, other) = if round % 2 == 0 {
                tokio::join!(club.set(&club.admin, rival.id, "MEMBER"), club.set(&rival, club.admin.id, "MEMBER"))
            } else {
                tokio::join!(club.remove(&club.admin, rival.id), club.remove(&rival, club.admin.id))
            };
            let replies = [one, other];
            let refused = codes(&replies)[0];
            assert!(["CONFLICT", "FORBIDDEN", "NOT_FOUND"].contains(&refused) && codes(&replies)[1] == "done", "{:?}", codes(&replies));
            assert_eq!(club.roles().await.iter().filter(|(_, role)| role == "ADMIN").count(), 1);
            for user in [club.admin.id, rival.id] {
                club.set(&root, user, "ADMIN").await.data();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_who_add_one_member_at_once_leave_one_membership() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.neighbour("ada").await;
        let replies = join_all((0..100).map(|_| club.set(&club.admin, ada.id, "MEMBER"))).await;
        assert!(codes(&replies).iter().all(|code| *code == "done"), "{:?}", codes(&replies));
        assert_eq!(club.roles().await.len(), 2);
        assert_eq!(club.audited().await, [club.entry("grant", ada.id)]);
    }
}

#[tokio::test]
async fn the_memberships_of_a_service_account_are_changed_by_its_grants_alone() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let robot = club.member("robot", "MEMBER").await;
        let sql = "insert into service_account_user (id, name, user_id) values ($1, 'robot', $2)";
        let account = Uuid::new_v4();
        sqlx::query(sql).bind(account).bind(robot.id).execute(&club.world.pool).await.expect("an account");
        let refused = [
            club.set(&club.admin, robot.id, "ADMIN").await,
            club.remove(&club.admin, robot.id).await,
            club.remove(&robot, robot.id).await,
            club.join(&robot, "ADMIN").await,
            club.invite(&club.admin, "robot@example.com", "ADMIN").await,
        ];
        for reply in refused {
            assert_eq!(reply.code(), "CONFLICT");
            assert!(reply.message().contains("setServiceAccountGrants"), "{}", reply.message());
        }
        // And a machine is not the admin that somebody must be.
        let grants = "insert into pumphouse.service_account_grant (id, service_account_id, env_id, role, team_id, admin)
            select gen_random_uuid(), $1, env_id, 'admin', null, false from env_member where user_id = $2
            union all select gen_random_uuid(), $1, null, null, team_id, true from team_member where user_id = $2";
        sqlx::query(grants).bind(account).bind(robot.id).execute(&club.world.pool).await.expect("a grant");
        sqlx::query("update env_member set role = 'admin' where user_id = $1")
            .bind(robot.id)
            .execute(&club.world.pool)
            .await
            .expect("a role");
        sqlx::query("update team_member set admin = true where user_id = $1")
            .bind(robot.id)
            .execute(&club.world.pool)
            .await
            .expect("a role");
        assert_eq!(club.remove(&club.admin, club.admin.id).await.code(), "CONFLICT");
    }
}

#[tokio::test]
async fn who_read_an_older_membership_does_not_overwrite_the_newer_one() {
    for kind in KINDS {
        let club = Club::open(kind).await;
        let ada = club.member("ada", "MEMBER").await;
        let sql = "select to_jsonb(m.updated_at) from (select updated_at, user_id from env_member union all select updated_at, user_id from team_member) m where user_id = $1";
        let read: Value = sqlx::query_scalar(sql).bind(ada.id).fetch_one(&club.world.pool).await.expect("a time");
        let set = club.set_unchanged(&club.admin, ada.id, "ADMIN", &read).await.data();
        let now = &set[format!("set{}Member", kind.large())][format!("{}Member", kind.small())];
        let late = club.set_unchanged(&club.admin, ada.id, "MEMBER", &read).await;
        assert_eq!((late.code(), late.field()), ("CONFLICT", Some("updatedAt")));
        assert_eq!(late.0["errors"][0]["extensions"]["details"], *now);
        club.remove(&ada, ada.id).await.data();
        club.world.join_env(ada.id, club.lobby, "member").await;
        assert_eq!(club.set_unchanged(&club.admin, ada.id, "MEMBER", &now["updatedAt"]).await.code(), "CONFLICT");
        assert_eq!(club.role(ada.id).await, None);
    }
}

#[tokio::test]
async fn without_a_licence_members_go_and_nobody_comes() {
    for kind in KINDS {
        let server = Server::start_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
        let club = Club::on(server, kind).await;
        let (ada, bob) = (club.member("ada", "MEMBER").await, club.neighbour("bob").await);
        for refused in [
            club.set(&club.admin, bob.id, "MEMBER").await,
            club.join(&bob, "MEMBER").await,
            club.invite(&club.admin, "bob@example.com", "MEMBER").await,
        ] {
            assert_eq!(refused.code(), "LICENSE_INACTIVE");
        }
        club.remove(&club.admin, ada.id).await.data();
    }
}

#[tokio::test]
async fn a_member_of_a_team_need_not_belong_to_its_env_and_an_admin_of_the_env_administers_its_teams() {
    let club = Club::open(Kind::Team).await;
    let chief = club.neighbour("chief").await;
    club.world.join_env(chief.id, club.env, "admin").await;
    let ada = club.neighbour("ada").await;
    club.set(&chief, ada.id, "MEMBER").await.data();
    let seen = ada.ask(&format!("{{ team(id: \"{}\") {{ name }} viewer {{ envs {{ env {{ name }} }} }} }}", club.id)).await.data();
    assert_eq!(seen["team"]["name"], "core");
    assert_eq!(seen["viewer"]["envs"].as_array().expect("envs").len(), 1);
    // The right is the team's own: the last admin of the team stays, whoever administers the env.
    assert_eq!(club.remove(&chief, club.admin.id).await.code(), "CONFLICT");
    club.set(&chief, ada.id, "ADMIN").await.data();
    club.remove(&chief, club.admin.id).await.data();
    assert_eq!(ada.ask(&format!("{{ team(id: \"{}\") {{ name }} }}", club.id)).await.data()["team"]["name"], "core");
    assert_eq!(club.admin.ask(&format!("{{ team(id: \"{}\") {{ name }} }}", club.id)).await.code(), "NOT_FOUND");
}
