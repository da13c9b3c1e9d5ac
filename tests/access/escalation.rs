//! Nobody gives a service account, or gets by one, more than they administer.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Stage};

/// Two envs: `prod` with the teams `core` and `other`, `test` with the team `far`; and their admins.
struct Town {
    stage: Stage,
    other: Uuid,
    far_env: Uuid,
    far: Uuid,
    env_admin: Caller,
    team_admin: Caller,
    member: Caller,
    stranger: Caller,
}

async fn town() -> Town {
    let stage = Stage::open().await;
    let other = stage.world.team(stage.env, "other").await;
    let far_env = stage.world.env("test").await;
    let far = stage.world.team(far_env, "far").await;
    let user = async |name: &str| stage.server.user(&format!("{name}@example.com"), false).await;
    let (env_admin, team_admin, member, stranger) =
        (user("env-admin").await, user("team-admin").await, user("member").await, user("stranger").await);
    stage.world.join_env(env_admin.id, stage.env, "admin").await;
    stage.world.join_team(team_admin.id, stage.team, true).await;
    stage.world.join_team(member.id, stage.team, false).await;
    stage.world.join_team(member.id, other, true).await;
    Town { stage, other, far_env, far, env_admin, team_admin, member, stranger }
}

#[tokio::test]
async fn nobody_makes_an_account_that_may_do_more_than_they_administer() {
    let town = town().await;
    let (env, team) = (town.stage.env, town.stage.team);
    let on_team = json!([{"teamId": team, "admin": true}]);
    let cases: Vec<(&str, &Caller, Value, &str, &str)> = vec![
        ("another team of the env", &town.team_admin, json!([{"teamId": town.other}]), "NOT_FOUND", "grants.0.teamId"),
        ("beside one's own", &town.team_admin, json!([{"teamId": team}, {"teamId": town.other}]), "NOT_FOUND", "grants.1.teamId"),
        ("the env, as a reader", &town.team_admin, json!([{"envId": env, "role": "READER"}]), "FORBIDDEN", "grants.0.envId"),
        ("the env, as an admin", &town.team_admin, json!([{"envId": env, "role": "ADMIN"}]), "FORBIDDEN", "grants.0.envId"),
        ("another env", &town.env_admin, json!([{"envId": town.far_env, "role": "READER"}]), "NOT_FOUND", "grants.0.envId"),
        ("a team of another env", &town.env_admin, json!([{"teamId": town.far}]), "NOT_FOUND", "grants.0.teamId"),
        ("as a member", &town.member, on_team.clone(), "FORBIDDEN", "grants.0.teamId"),
        ("as a stranger", &town.stranger, on_team.clone(), "NOT_FOUND", "grants.0.teamId"),
        ("what does not exist", &town.env_admin, json!([{"teamId": Uuid::new_v4()}]), "NOT_FOUND", "grants.0.teamId"),
    ];
    let account = town.env_admin.new_account(json!([{"teamId": team}])).await;
    let before = town.stage.written().await;
    for (what, caller, grants, code, field) in cases {
        let reply = caller.create_account(grants.clone()).await;
        assert_eq!((reply.code(), reply.field()), (code, Some(field)), "making: {what}");
        if [town.env_admin.id, town.team_admin.id].contains(&caller.id) {
            let reply = caller.set_grants(account, grants).await;
            assert_eq!((reply.code(), reply.field()), (code, Some(field)), "changing: {what}");
        }
    }
    assert_eq!(town.stage.server.nobody().create_account(on_team).await.code(), "UNAUTHENTICATED");
    assert_eq!(town.stage.written().await, before);
}

#[tokio::test]
async fn the_grants_of_an_account_lie_in_one_env_but_for_superusers() {
    let town = town().await;
    town.stage.world.join_env(town.env_admin.id, town.far_env, "admin").await;
    let both = json!([{"teamId": town.stage.team}, {"teamId": town.far}]);
    let reply = town.env_admin.create_account(both.clone()).await;
    assert_eq!(reply.code(), "VALIDATION");
    let account = town.stage.root.new_account(both.clone()).await;
    assert_eq!(town.env_admin.set_grants(account, both).await.code(), "VALIDATION");
    // Who administers both may still narrow it and end it.
    town.env_admin.set_grants(account, json!([{"teamId": town.far}])).await.data();
    town.env_admin.delete_account(account).await.data();
}

/// Whoever does not administer every grant does not see the account, or its tokens.
#[tokio::test]
async fn an_account_is_managed_by_who_administers_every_grant_before_and_after() {
    let town = town().await;
    let (team, other) = (town.stage.team, town.other);
    let account = town.env_admin.new_account(json!([{"teamId": team}, {"teamId": other}])).await;
    let (bearer, token) = town.stage.bearer(&town.env_admin, account).await;
    let before = town.stage.written().await;
    for (caller, code) in
        [(&town.team_admin, "NOT_FOUND"), (&town.member, "NOT_FOUND"), (&town.stranger, "NOT_FOUND"), (&bearer, "FORBIDDEN")]
    {
        assert_eq!(caller.set_grants(account, json!([{"teamId": team}])).await.code(), code);
        assert_eq!(caller.issue_token(account, 60).await.code(), code);
        assert_eq!(caller.revoke_token(token).await.code(), code);
        assert_eq!(caller.delete_account(account).await.code(), code);
    }
    for caller in [&town.team_admin, &town.stranger, &town.env_admin] {
        let (there, not) = (town.stranger.revoke_token(token).await, caller.revoke_token(Uuid::new_v4()).await);
        assert_eq!(there.0["errors"][0]["message"], not.0["errors"][0]["message"]);
        assert_eq!(there.field(), not.field());
    }
    assert_eq!(town.stage.written().await, before);
}

#[tokio::test]
async fn an_admin_who_lost_the_right_changes_nothing_any_more() {
    let town = town().await;
    let admin = town.stage.server.user("two-teams@example.com", false).await;
    town.stage.world.join_team(admin.id, town.stage.team, true).await;
    town.stage.world.join_team(admin.id, town.other, true).await;
    let account = admin.new_account(json!([{"teamId": town.stage.team}, {"teamId": town.other}])).await;
    let (_, token) = town.stage.bearer(&admin, account).await;
    let demote = "update team_member set admin = false where user_id = $1 and team_id = (select id from team where name = 'other')";
    town.stage.world.change_rights(demote, admin.id).await;
    let before = town.stage.written().await;
    assert_eq!(admin.set_grants(account, json!([{"teamId": town.stage.team}])).await.code(), "NOT_FOUND");
    assert_eq!(admin.issue_token(account, 60).await.code(), "NOT_FOUND");
    assert_eq!(admin.revoke_token(token).await.code(), "NOT_FOUND");
    assert_eq!(admin.delete_account(account).await.code(), "NOT_FOUND");
    assert_eq!(town.stage.written().await, before);
}

#[tokio::test]
async fn an_account_does_not_change_itself_whatever_it_administers() {
    let town = town().await;
    let account = town.env_admin.new_account(json!([{"envId": town.stage.env, "role": "ADMIN"}])).await;
    let (bearer, token) = town.stage.bearer(&town.env_admin, account).await;
    let before = town.stage.written().await;
    let more = json!([{"envId": town.stage.env, "role": "ADMIN"}, {"teamId": town.stage.team, "worker": true}]);
    assert_eq!(bearer.set_grants(account, more.clone()).await.code(), "FORBIDDEN");
    assert_eq!(bearer.issue_token(account, 60).await.code(), "FORBIDDEN");
    assert_eq!(bearer.revoke_token(token).await.code(), "FORBIDDEN");
    assert_eq!(bearer.delete_account(account).await.code(), "FORBIDDEN");
    assert_eq!(town.stage.written().await, before);
    town.env_admin.set_grants(account, more).await.data();
}

/// Were it let in by another way, whoever issues its tokens would get what they do not administer.
#[tokio::test]
async fn the_database_refuses_memberships_of_an_account_that_no_grant_says() {
    let town = town().await;
    let account = town.team_admin.new_account(json!([{"teamId": town.stage.team}])).await;
    let before = town.stage.written().await;
    let attempts = [
        "insert into env_member (id, timestamp, role, user_id, env_id) select gen_random_uuid(), now(), 'admin', user_id, $2 from service_account_user where id = $1",
        "insert into team_member (id, timestamp, user_id, team_id) select gen_random_uuid(), now(), user_id, t.id from service_account_user, team t where service_account_user.id = $1 and t.env_id = $2 and t.name = 'other'",
        "update team_member set admin = true where $2::uuid is not null and user_id = (select user_id from service_account_user where id = $1)",
        "delete from team_member where $2::uuid is not null and user_id = (select user_id from service_account_user where id = $1)",
    ];
    for sql in attempts {
        let refused = sqlx::query(sql).bind(account).bind(town.stage.env).execute(&town.stage.world.pool).await.expect_err(sql);
        assert_eq!(refused.as_database_error().and_then(|error| error.constraint()), Some("service_account_memberships"), "{sql}");
    }
    assert_eq!(town.stage.written().await, before);
    // A team that goes takes the grant and the membership along.
    sqlx::query("delete from connector").execute(&town.stage.world.pool).await.expect("gone");
    sqlx::query("delete from team where id = $1").bind(town.stage.team).execute(&town.stage.world.pool).await.expect("gone");
    assert_eq!(town.stage.memberships(account).await, (vec![], vec![]));
}

#[tokio::test]
async fn an_account_that_is_the_last_admin_of_a_team_stays_one_unless_a_superuser_ends_it() {
    let town = town().await;
    let lonely = town.stage.world.team(town.stage.env, "lonely").await;
    let account = town.env_admin.new_account(json!([{"teamId": lonely, "admin": true}])).await;
    let before = town.stage.written().await;
    assert_eq!(town.env_admin.set_grants(account, json!([{"teamId": lonely}])).await.code(), "CONFLICT");
    assert_eq!(town.env_admin.set_grants(account, json!([{"teamId": town.other}])).await.code(), "CONFLICT");
    assert_eq!(town.env_admin.delete_account(account).await.code(), "CONFLICT");
    assert_eq!(town.stage.written().await, before);
    town.stage.root.set_grants(account, json!([{"teamId": lonely}])).await.data();
    town.env_admin.delete_account(account).await.data();
}
