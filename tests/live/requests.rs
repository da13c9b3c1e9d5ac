//! `requestReceived`.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Socket, Stage, id};

const REQUESTS: &str = "subscription { requestReceived { initial removed requestId
    teamRequest { id status teamName fromEmail toUser { email } } envRequest { id status } } }";
const QUIET: Duration = Duration::from_millis(400);

async fn follow(caller: &Caller) -> Socket {
    caller.subscribe(REQUESTS, json!({})).await
}

async fn said(socket: &mut Socket) -> Value {
    let event = socket.event().await["requestReceived"].clone();
    json!([event["initial"], event["removed"], event["requestId"], event["teamRequest"]["status"], event["envRequest"]["status"]])
}

async fn ask_to_join(caller: &Caller, team: Uuid) -> Uuid {
    let reply = caller.change("requestToJoinTeam", json!({"teamId": team}), "teamRequest { id }").await.data();
    id(&reply["requestToJoinTeam"]["teamRequest"]["id"])
}

#[tokio::test]
async fn a_request_to_join_is_told_to_those_who_decide_it_and_to_nobody_else() {
    let stage = Stage::open().await;
    let (admin, member, asking) = (
        stage.server.user("admin@example.com", false).await,
        stage.server.user("member@example.com", false).await,
        stage.server.user("asking@example.com", false).await,
    );
    stage.world.join_team(admin.id, stage.team, true).await;
    stage.world.join_team(member.id, stage.team, false).await;
    stage.world.join_env(asking.id, stage.env, "member").await;
    let earlier = stage.server.user("earlier@example.com", false).await;
    stage.world.join_env(earlier.id, stage.env, "member").await;
    let earlier = ask_to_join(&earlier, stage.team).await;
    let (mut decides, mut others) = (follow(&admin).await, [follow(&member).await, follow(&asking).await]);
    assert_eq!(said(&mut decides).await, json!([true, false, earlier, "PENDING", null]));
    let request = ask_to_join(&asking, stage.team).await;
    assert_eq!(said(&mut decides).await, json!([false, false, request, "PENDING", null]));
    // Whoever comes later is shown what is pending.
    let mut later = follow(&admin).await;
    for pending in [earlier, request] {
        assert_eq!(said(&mut later).await, json!([true, false, pending, "PENDING", null]));
    }
    admin.change("acceptTeamRequest", json!({"requestId": request}), "teamRequest { id }").await.data();
    for socket in [&mut decides, &mut later] {
        assert_eq!(said(socket).await, json!([false, false, request, "ACCEPTED", null]));
    }
    for socket in &mut others {
        assert!(socket.is_quiet_for(Duration::from_millis(200)).await);
    }
    let mut now = follow(&admin).await;
    assert_eq!(said(&mut now).await, json!([true, false, earlier, "PENDING", null]));
    assert!(now.is_quiet_for(QUIET).await, "what is decided waits for nobody");
}

#[tokio::test]
async fn an_invitation_is_told_to_whom_it_is_addressed_and_one_who_administers_no_more_decides_no_more() {
    let stage = Stage::open().await;
    let admin = stage.server.user("admin@example.com", false).await;
    let (invited, asking) = (stage.server.user("invited@example.com", false).await, stage.server.user("asking@example.com", false).await);
    stage.world.join_team(admin.id, stage.team, true).await;
    for user in [admin.id, invited.id, asking.id] {
        stage.world.join_env(user, stage.env, "member").await;
    }
    let other = stage.world.team(stage.env, "other").await;
    stage.root.change("inviteToTeam", json!({"teamId": other, "email": "invited@example.com"}), "__typename").await.data();
    let earlier = ask_to_join(&invited, stage.team).await;
    let (mut inbox, mut decides) = (follow(&invited).await, follow(&admin).await);
    assert_eq!(inbox.event().await["requestReceived"]["initial"], true);
    assert_eq!(said(&mut decides).await, json!([true, false, earlier, "PENDING", null]));
    let third = stage.world.team(stage.env, "third").await;
    let input = json!({"teamId": third, "email": "invited@example.com"});
    stage.root.change("inviteToTeam", input, "__typename").await.data();
    let event = inbox.event().await["requestReceived"].clone();
    assert_eq!((&event["initial"], &event["teamRequest"]["status"]), (&json!(false), &json!("PENDING")));
    assert_eq!(event["teamRequest"]["teamName"], "third", "which nobody sees who is only invited to it");
    assert!(event["teamRequest"]["fromEmail"].is_string(), "{event}");
    let request = ask_to_join(&asking, stage.team).await;
    let event = decides.event().await["requestReceived"].clone();
    let asked = json!([event["requestId"], event["teamRequest"]["teamName"], event["teamRequest"]["fromEmail"]]);
    assert_eq!(asked, json!([request, null, "asking@example.com"]), "and not the invitation");
    stage.world.change_rights("update team_member set admin = false where user_id = $1", admin.id).await;
    let mut gone = [said(&mut decides).await, said(&mut decides).await];
    gone.sort_by_key(|said| said[2] == json!(request));
    assert_eq!(gone, [json!([false, true, earlier, null, null]), json!([false, true, request, null, null])]);
    assert!(inbox.is_quiet_for(QUIET).await && decides.is_quiet_for(QUIET).await);
}
