//! An env or a team with an admin, and short ways to say what is done about its members and requests.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Reply, Server, World, id};

/// What differs between envs and teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Env,
    Team,
}

pub const KINDS: [Kind; 2] = [Kind::Env, Kind::Team];

/// A server and a club of this kind.
pub struct Club {
    pub server: Server,
    pub world: World,
    pub kind: Kind,
    pub env: Uuid,
    /// The env or the team.
    pub id: Uuid,
    /// Another env, by which some see each other.
    pub lobby: Uuid,
    pub admin: Caller,
}

impl Kind {
    /// `env`, `team`.
    pub fn small(self) -> &'static str {
        if self == Self::Env { "env" } else { "team" }
    }

    /// `Env`, `Team`.
    pub fn large(self) -> &'static str {
        if self == Self::Env { "Env" } else { "Team" }
    }

    /// The field that names one: `envId`.
    pub fn key(self) -> &'static str {
        if self == Self::Env { "envId" } else { "teamId" }
    }
}

impl Club {
    /// A club with one admin, who sees those in the lobby.
    pub async fn open(kind: Kind) -> Self {
        Self::on(Server::start().await, kind).await
    }

    /// The same on this server.
    pub async fn on(server: Server, kind: Kind) -> Self {
        let world = World::of(&server);
        let (env, lobby) = (world.env("prod").await, world.env("lobby").await);
        let id = if kind == Kind::Env { env } else { world.team(env, "core").await };
        let admin = server.user("admin@example.com", false).await;
        let club = Self { server, world, kind, env, id, lobby, admin };
        club.write(club.admin.id, "ADMIN").await;
        club.world.join_env(club.admin.id, lobby, "member").await;
        club
    }

    /// A user whom the admin sees, and who sees the admin.
    pub async fn neighbour(&self, name: &str) -> Caller {
        let user = self.stranger(name).await;
        self.world.join_env(user.id, self.lobby, "member").await;
        user
    }

    /// A user whom nobody sees.
    pub async fn stranger(&self, name: &str) -> Caller {
        self.server.user(&format!("{name}@example.com"), false).await
    }

    /// A member, whom the admin therefore sees.
    pub async fn member(&self, name: &str, role: &str) -> Caller {
        let user = self.stranger(name).await;
        self.write(user.id, role).await;
        user
    }

    /// Writes a membership as another writer of the database would.
    pub async fn write(&self, user: Uuid, role: &str) {
        match self.kind {
            Kind::Env => self.world.join_env(user, self.id, &role.to_lowercase()).await,
            Kind::Team => self.world.join_team(user, self.id, role == "ADMIN").await,
        }
    }

    /// Runs a mutation on the club.
    async fn run(&self, caller: &Caller, field: &str, answer: &str, input: Value) -> Reply {
        let name = format!("{}{}", field[..1].to_uppercase(), &field[1..]);
        caller.ask_with(&format!("mutation($i: {name}Input!) {{ {field}(input: $i) {{ {answer} }} }}"), json!({"i": input})).await
    }

    fn input(&self, mut more: Value) -> Value {
        more[self.kind.key()] = json!(self.id);
        more
    }

    /// The role is `ADMIN`, `MEMBER` or `READER`, of which a team knows no reader.
    fn with_role(&self, role: &str, more: Value) -> Value {
        let mut input = self.input(more);
        match self.kind {
            Kind::Env => input["role"] = json!(role),
            Kind::Team => input["admin"] = json!(role == "ADMIN"),
        }
        input
    }

    /// `setEnvMember`, `setTeamMember`
    pub async fn set(&self, caller: &Caller, user: Uuid, role: &str) -> Reply {
        let (field, answer) = (format!("set{}Member", self.kind.large()), format!("{}Member {{ id userId }}", self.kind.small()));
        self.run(caller, &field, &answer, self.with_role(role, json!({"userId": user}))).await
    }

    /// The same by somebody who has read the membership as it was at that time.
    pub async fn set_unchanged(&self, caller: &Caller, user: Uuid, role: &str, updated_at: &Value) -> Reply {
        let (field, answer) = (format!("set{}Member", self.kind.large()), format!("{}Member {{ updatedAt }}", self.kind.small()));
        self.run(caller, &field, &answer, self.with_role(role, json!({"userId": user, "updatedAt": updated_at}))).await
    }

    /// `removeEnvMember`, `removeTeamMember`
    pub async fn remove(&self, caller: &Caller, user: Uuid) -> Reply {
        let (field, answer) = (format!("remove{}Member", self.kind.large()), format!("{}Member {{ id userId }}", self.kind.small()));
        self.run(caller, &field, &answer, self.input(json!({"userId": user}))).await
    }

    /// `requestToJoinEnv`, `requestToJoinTeam`
    pub async fn join(&self, caller: &Caller, role: &str) -> Reply {
        let (small, field) = (self.kind.small(), format!("requestToJoin{}", self.kind.large()));
        self.run(caller, &field, &format!("{small}Request {{ id status {small} {{ id }} }}"), self.with_role(role, json!({}))).await
    }

    /// `inviteToEnv`, `inviteToTeam`
    pub async fn invite(&self, caller: &Caller, email: &str, role: &str) -> Reply {
        let (small, field) = (self.kind.small(), format!("inviteTo{}", self.kind.large()));
        self.run(caller, &field, &format!("email {small} {{ id name }}"), self.with_role(role, json!({"email": email}))).await
    }

    /// `accept`, `decline` or `cancel`
    pub async fn decide(&self, caller: &Caller, verb: &str, request: Uuid) -> Reply {
        let (small, field) = (self.kind.small(), format!("{verb}{}Request", self.kind.large()));
        self.run(caller, &field, &format!("{small}Request {{ id status }}"), json!({"requestId": request})).await
    }

    /// What a caller reads of what is pending.
    pub async fn told(&self, caller: &Caller) -> Value {
        let small = self.kind.small();
        let query = format!(
            "query($id: ID!) {{ {small}(id: $id) {{ invitations {{ email }} requests(filter: {{status: PENDING}}) {{ totalCount nodes {{ id }} }} }} }}"
        );
        caller.ask_with(&query, json!({"id": self.id})).await.data()[small].clone()
    }

    /// The invitation of this address.
    pub async fn invitation(&self, email: &str) -> Uuid {
        let sql = "select id from pumphouse.invitation where email = $1";
        sqlx::query_scalar(sql).bind(email).fetch_one(&self.world.pool).await.expect("an invitation")
    }

    /// `cancelInvitation`
    pub async fn cancel_invitation(&self, caller: &Caller, invitation: Uuid) -> Reply {
        self.run(caller, "cancelInvitation", "invitation { email }", json!({"invitationId": invitation})).await
    }

    /// Asks to join; answers the request.
    pub async fn joining(&self, caller: &Caller, role: &str) -> Uuid {
        let answer = self.join(caller, role).await.data();
        id(&answer[format!("requestToJoin{}", self.kind.large())][format!("{}Request", self.kind.small())]["id"])
    }

    /// Invites a user whose email is their name; answers the request.
    pub async fn inviting(&self, caller: &Caller, user: &Caller, role: &str) -> Uuid {
        let email: String =
            sqlx::query_scalar("select email from \"user\" where id = $1").bind(user.id).fetch_one(&self.world.pool).await.expect("a user");
        self.invite(caller, &email, role).await.data();
        self.pending(user.id).await[0]
    }

    /// The role of a user, in capitals.
    pub async fn role(&self, user: Uuid) -> Option<String> {
        self.roles().await.into_iter().find(|(member, _)| *member == user).map(|(_, role)| role)
    }

    /// All members with their role.
    pub async fn roles(&self) -> Vec<(Uuid, String)> {
        let sql = match self.kind {
            Kind::Env => "select user_id, upper(role) from env_member where env_id = $1",
            Kind::Team => "select user_id, case when admin then 'ADMIN' else 'MEMBER' end from team_member where team_id = $1",
        };
        sqlx::query_as(sql).bind(self.id).fetch_all(&self.world.pool).await.expect("members")
    }

    /// What is pending for a user.
    pub async fn pending(&self, user: Uuid) -> Vec<Uuid> {
        let sql = match self.kind {
            Kind::Env => "select id from env_request where status = 'PENDING' and env_id = $1 and to_user_id = $2",
            Kind::Team => "select id from team_request where status = 'PENDING' and team_id = $1 and to_user_id = $2",
        };
        sqlx::query_scalar(sql).bind(self.id).bind(user).fetch_all(&self.world.pool).await.expect("requests")
    }

    /// The status of a request.
    pub async fn status(&self, request: Uuid) -> String {
        let sql = match self.kind {
            Kind::Env => "select status from env_request where id = $1",
            Kind::Team => "select status from team_request where id = $1",
        };
        sqlx::query_scalar(sql).bind(request).fetch_one(&self.world.pool).await.expect("a request")
    }

    /// Sets whether a user is active.
    pub async fn activate(&self, user: Uuid, active: bool) {
        let sql = if active {
            "update \"user\" set is_active = true where id = $1"
        } else {
            "update \"user\" set is_active = false where id = $1"
        };
        self.world.change_rights(sql, user).await;
    }

    /// The audit log: verb, type of what it is about, its name (but for an invitation, see [`Club::invited`]), fields, whether it is
    /// owned as the club is, and the target.
    pub async fn audited(&self) -> Vec<Value> {
        let (team, env) = if self.kind == Kind::Env { (None, self.id) } else { (Some(self.id), self.env) };
        sqlx::query_scalar(
            "select jsonb_build_array(l.action, d.entity_type, case when l.action <> 'invite' then d.entity_name end, d.changed_fields,
               d.team_id is not distinct from $1 and d.env_id = $2 and d.entity_id is not null and d.request_id is not null, l.target_user_id)
             from user_log l join pumphouse.audit_detail d on d.user_log_id = l.id order by l.timestamp",
        )
        .bind(team)
        .bind(env)
        .fetch_all(&self.world.pool)
        .await
        .expect("the log")
    }

    /// The addresses of the invitations in the audit log.
    pub async fn invited(&self) -> Vec<String> {
        let sql = "select entity_name from pumphouse.audit_detail d join user_log l on l.id = d.user_log_id where l.action = 'invite' order by l.timestamp";
        sqlx::query_scalar(sql).fetch_all(&self.world.pool).await.expect("the log")
    }

    /// One entry as [`Club::audited`] has it.
    pub fn entry(&self, action: &str, target: impl Into<Option<Uuid>>) -> Value {
        let role = if self.kind == Kind::Env { "role" } else { "admin" };
        let name = if self.kind == Kind::Env { "prod" } else { "core" };
        let (what, name, fields) = match action {
            "grant" => ("Member", Some(name), vec![role]),
            "revoke" => ("Member", Some(name), vec![]),
            "request" | "invite" => ("Request", None, vec![role]),
            _ => ("Request", None, vec!["status"]),
        };
        json!([action, format!("{}{what}", self.kind.large()), name, fields, true, target.into()])
    }
}

/// The codes of what was refused, in order; what was done counts as `done`.
pub fn codes(replies: &[Reply]) -> Vec<&str> {
    let mut codes: Vec<&str> = replies.iter().map(|reply| if reply.0.get("errors").is_none() { "done" } else { reply.code() }).collect();
    codes.sort_unstable();
    codes
}

/// An answer in which ids count for nothing.
pub fn said(reply: &Reply) -> (&str, Option<&str>, &str) {
    (reply.code(), reply.field(), reply.message())
}
