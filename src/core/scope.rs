//! Ownership as data: which rows a viewer sees, changes and administers (domain.md section 1).
//!
//! Always holds: every entity names its scope, and every statement that reads entities carries the
//! predicate written here. The second reader of the same rule is [`Viewer::sees`], which judges the
//! owners that a live notice carries. Not here: what a right allows, which each mutation says itself.
//!
//! [`Viewer::sees`]: crate::core::viewer::Viewer::sees

use uuid::Uuid;

use crate::core::sql::Sql;
use crate::core::viewer::{Right, Viewer};

/// Who owns the rows of a table, in terms of its columns. Column names are those of the row at hand.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    /// Superusers only.
    Superuser,
    /// Every user who is signed in may see it.
    SignedIn,
    /// Every member of any env or team may see it.
    AnyMember,
    /// The members of the env whose id is in this column; its admins change it.
    EnvMembers(&'static str),
    /// The admins and readers of the env in this column, not its plain members.
    EnvOfficers(&'static str),
    /// Whoever has the team in `team`, or all of the env in `env`.
    Owned {
        /// Column with the team's id.
        team: &'static str,
        /// Column with the id of the team's env.
        env: &'static str,
    },
    /// As `Owned`, but only those who administer the team or env.
    Administered {
        /// Column with the team's id.
        team: &'static str,
        /// Column with the env's id.
        env: &'static str,
    },
    /// The user in this column.
    CurrentUser(&'static str),
    /// Whatever the parent row says: `column` holds the id of a row of `table`.
    Through {
        /// Column of this row that names the parent.
        column: &'static str,
        /// The parent's table.
        table: &'static str,
        /// The parent's scope.
        scope: &'static Scope,
    },
    /// Any of the rows of `table` whose `column` equals this row's `key` says yes.
    AnyChild {
        /// Column of this row.
        key: &'static str,
        /// The children's table.
        table: &'static str,
        /// Column of the children that names this row.
        column: &'static str,
        /// The children's scope.
        scope: &'static Scope,
    },
    /// There are rows of `table` whose `column` holds this row's id, and every one of them says yes.
    EveryChild {
        /// The children's table.
        table: &'static str,
        /// Column of the children that names this row.
        column: &'static str,
        /// The children's scope.
        scope: &'static Scope,
    },
    /// The first column that is not null decides; with none, superusers only.
    FirstOf(&'static [(&'static str, Scope)]),
    /// Any of these says yes.
    AnyOf(&'static [Scope]),
    /// All of these say yes.
    AllOf(&'static [Scope]),
    /// No row of this table has the row's id.
    NotIn(&'static str),
    /// Like `AnyOf`, for very long tables: a list reads the first rows of each owner along an index and merges them (`parts`), instead
    /// of filtering all rows.
    EachOf(&'static [Scope]),
    /// Whoever this says yes to may see, and that is all: a right to change comes from elsewhere.
    Sees(&'static Scope),
}

impl Scope {
    /// Whether the owners of a row, as notices name them, say who sees it: a team, or what a team owns.
    pub(crate) fn is_owned(&self) -> bool {
        match self {
            Self::Owned { .. } => true,
            Self::Through { scope, .. } | Self::AnyChild { scope, .. } => scope.is_owned(),
            Self::FirstOf(choices) => choices.iter().all(|(_, scope)| scope.is_owned()),
            _ => false,
        }
    }

    /// Whether a right to change takes the right on every owner of a row; elsewhere any one will do.
    pub(crate) fn asks_every_owner(&self) -> bool {
        match self {
            Self::EveryChild { .. } => true,
            Self::AnyOf(scopes) => scopes.iter().any(Self::asks_every_owner),
            _ => false,
        }
    }
}

/// Beyond this many ids a list is hashed rather than looked through; below it an index serves better.
const LONG: usize = 100;

/// Writes the predicate "the row `alias` is within `right` of the viewer".
pub(crate) fn predicate(sql: &mut Sql, viewer: &Viewer, scope: &Scope, right: Right, alias: &str) {
    if viewer.is_superuser() {
        sql.push("true");
        return;
    }
    write(sql, viewer, scope, right, alias, 0);
}

fn write(sql: &mut Sql, viewer: &Viewer, scope: &Scope, right: Right, alias: &str, depth: usize) {
    let sees = right == Right::See;
    match scope {
        Scope::Superuser => sql.push("false"),
        Scope::SignedIn => sql.push(if sees && viewer.is_user() { "true" } else { "false" }),
        Scope::AnyMember => sql.push(if sees && viewer.is_member_anywhere() { "true" } else { "false" }),
        Scope::EnvMembers(env) => {
            let envs = if sees { viewer.member_envs() } else { viewer.envs(right) };
            one_of(sql, alias, env, envs);
        }
        Scope::EnvOfficers(env) => one_of(sql, alias, env, viewer.envs(right)),
        Scope::Owned { team, env } => owned(sql, viewer, right, alias, team, env),
        Scope::Administered { team, env } => owned(sql, viewer, Right::Administer, alias, team, env),
        Scope::CurrentUser(user) => match viewer.user_id() {
            Some(id) if right != Right::Administer => {
                sql.push(&format!("{alias}.{user} = "));
                sql.bind(id);
            }
            _ => sql.push("false"),
        },
        Scope::Through { column, table, scope } => {
            let inner = format!("s{depth}");
            sql.push(&format!("exists (select 1 from {table} {inner} where {inner}.id = {alias}.{column} and "));
            write(sql, viewer, scope, right, &inner, depth + 1);
            sql.push(")");
        }
        Scope::AnyChild { key, table, column, scope } => {
            let inner = format!("s{depth}");
            sql.push(&format!("exists (select 1 from {table} {inner} where {inner}.{column} = {alias}.{key} and "));
            write(sql, viewer, scope, right, &inner, depth + 1);
            sql.push(")");
        }
        Scope::EveryChild { table, column, scope } => {
            let inner = format!("s{depth}");
            sql.push("coalesce((select bool_and(coalesce(");
            write(sql, viewer, scope, right, &inner, depth + 1);
            sql.push(&format!(", false)) from {table} {inner} where {inner}.{column} = {alias}.id), false)"));
        }
        Scope::Sees(_) if !sees => sql.push("false"),
        Scope::Sees(scope) => write(sql, viewer, scope, right, alias, depth),
        Scope::FirstOf(choices) => {
            sql.push("case");
            for (column, scope) in *choices {
                sql.push(&format!(" when {alias}.{column} is not null then "));
                write(sql, viewer, scope, right, alias, depth + 1);
            }
            sql.push(" else false end");
        }
        Scope::AnyOf(scopes) | Scope::EachOf(scopes) => joined(sql, viewer, (scopes, " or "), right, alias, depth),
        Scope::AllOf(scopes) => joined(sql, viewer, (scopes, " and "), right, alias, depth),
        Scope::NotIn(table) => sql.push(&format!("not exists (select 1 from {table} s{depth} where s{depth}.id = {alias}.id)")),
    }
}

/// The most owners that a list is read apart for.
const MOST_OWNERS: usize = 1_000;

/// Rows that a viewer sees because this column holds one of these ids.
pub(crate) struct Part {
    pub(crate) column: &'static str,
    pub(crate) owners: Vec<Uuid>,
}

/// What a viewer sees of a table whose scope is an [`Scope::EachOf`], owner by owner; none where the predicate is to be asked of
/// every row: of other tables, of who sees all, and of who has very many owners.
pub(crate) fn parts(viewer: &Viewer, scope: &Scope) -> Vec<Part> {
    let scopes = match scope {
        Scope::Sees(Scope::EachOf(scopes)) if !viewer.is_superuser() => *scopes,
        _ => return Vec::new(),
    };
    let mut parts = Vec::new();
    let mut add = |column, owners: &[Uuid]| parts.push(Part { column, owners: owners.to_vec() });
    for scope in scopes {
        match scope {
            Scope::CurrentUser(user) => add(user, viewer.user_id().as_slice()),
            Scope::Administered { team, env } => {
                add(team, viewer.teams(Right::Administer));
                add(env, viewer.envs(Right::Administer));
            }
            _ => return Vec::new(),
        }
    }
    parts.retain(|part| !part.owners.is_empty());
    if parts.iter().map(|part| part.owners.len()).sum::<usize>() > MOST_OWNERS { Vec::new() } else { parts }
}

fn joined(sql: &mut Sql, viewer: &Viewer, (scopes, by): (&[Scope], &str), right: Right, alias: &str, depth: usize) {
    sql.push("(");
    for (index, scope) in scopes.iter().enumerate() {
        if index > 0 {
            sql.push(by);
        }
        write(sql, viewer, scope, right, alias, depth + 1);
    }
    sql.push(")");
}

fn owned(sql: &mut Sql, viewer: &Viewer, right: Right, alias: &str, team: &str, env: &str) {
    sql.push("(");
    one_of(sql, alias, team, viewer.teams(right));
    sql.push(" or ");
    one_of(sql, alias, env, viewer.envs(right));
    sql.push(")");
}

fn one_of(sql: &mut Sql, alias: &str, column: &str, ids: &[uuid::Uuid]) {
    // A generic plan compares a row with each element of an array in turn; a subquery it hashes once.
    let (before, after) = if ids.len() > LONG { (" in (select unnest(", "))") } else { (" = any(", ")") };
    sql.push(&format!("{alias}.{column}{before}"));
    sql.bind_list(ids);
    sql.push(after);
}
