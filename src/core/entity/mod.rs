//! What an entity is: a table, described once as data.
//!
//! Always holds: the row, its SQL, its object in the graph, its filter, order, cursor and edges are
//! all read from one description, the [`entity!`] block of its file. Not here: rules of any entity.
//!
//! [`entity!`]: crate::entity

mod column;
mod field;
mod filter;
mod object;
mod one;
mod order;
pub(crate) mod record;
pub(crate) mod selection;

pub(crate) use column::message;
pub use column::{Column, ColumnType, Flags};
pub use field::{Computed, FieldDef, ToMany, ToOne, Wide, WideKind, computed, root, to_many, to_many_by, to_one, wide};
pub(crate) use field::{Key, answer, argument};
pub use filter::Filter;
pub use object::{add_fields, description, find_field, register, resolve_field, resolve_row};
pub use one::{answer_by_id, by_id};
pub use order::{Direction, Order, OrderField};

use async_graphql::ContainerType;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::core::scope::{self, Scope};
use crate::core::sql::Sql;
use crate::core::viewer::{Right, Viewer};

/// A table of the graph.
pub trait Entity: Reverse + ContainerType + Clone + Send + Sync + Sized + 'static {
    /// Its type in the graph.
    const NAME: &'static str;
    /// Its table in SQL, quoted where SQL needs it.
    const TABLE: &'static str;
    /// What it is, for the graph.
    const DESCRIPTION: &'static str;
    /// Who sees, changes and administers its rows.
    const SCOPE: Scope;
    /// Who sees all of a row, where some see only an outline of it.
    const WHOLE: Option<Scope>;
    /// The order of lists when none is asked for: a column's SQL name.
    const DEFAULT_ORDER: (&'static str, Direction);
    /// Whether its table announces its changes.
    const ANNOUNCED: bool;
    /// The columns, the id first.
    const COLUMNS: &'static [Column<Self>];
    /// What lists are narrowed by beside columns ([`Column::computed`]).
    const CONDITIONS: &'static [Column<Self>] = &[];
    /// What its file adds: edges to one, wide columns, computed values.
    const FIELDS: &'static [&'static dyn FieldDef<Self>];
    /// What a row says for a while only, and what is read below it must not belie.
    const PASSING: Option<TransientValue<Self>> = None;

    /// The row's id.
    fn key(&self) -> Uuid;

    /// Reads a row whose columns were selected in order, the first at place `first`.
    ///
    /// # Errors
    /// When a column has another type than described.
    fn from_row(row: &PgRow, first: usize) -> sqlx::Result<Self>;
}

/// A value that a row leaves once and for all, in one commit with others below it. Those are read a moment later: a row that
/// has left the value by then is answered once more, so that an answer is as of one instant.
pub struct TransientValue<E: 'static> {
    /// The column.
    pub column: &'static str,
    /// The value that passes.
    pub value: &'static str,
    /// The fields that say what goes with it.
    pub below: &'static [&'static str],
    /// Those of them that this row brought along.
    pub brought: fn(&E) -> &'static [&'static str],
}

/// The edges that lead here from later areas; they stand in `graph/edges.rs`, as a row does not know
/// who points at it.
pub trait Reverse: Sized + 'static {
    /// One field each.
    const REVERSE: &'static [&'static dyn FieldDef<Self>];
}

/// The columns of `E` for the alias `t`, whoever looks: for rows that are shown under another check.
pub(crate) fn columns<E: Entity>() -> String {
    columns_of::<E>("t")
}

/// The same for another alias.
pub(crate) fn columns_of<E: Entity>(alias: &str) -> String {
    E::COLUMNS.iter().map(|column| format!("{alias}.{}", column.sql)).collect::<Vec<_>>().join(", ")
}

/// Appends the columns of `E` for the alias `t`, those of an outline nulled for who may not see them.
pub(crate) fn select_list<E: Entity>(sql: &mut Sql, viewer: &Viewer) {
    record::Columns::all::<E>().select::<E>(sql, viewer);
}

/// Appends a column of the alias `t` as the viewer sees it. Conditions and orders use it too: what an
/// outline leaves out can neither be filtered by nor found out from an order.
pub(crate) fn push_column<E: Entity>(sql: &mut Sql, viewer: &Viewer, column: &Column<E>) {
    match E::WHOLE {
        _ if column.flags.computed => sql.push(column.sql),
        Some(whole) if column.flags.outlined && !viewer.is_superuser() => {
            sql.push("case when ");
            scope::predicate(sql, viewer, &whole, Right::See, "t");
            sql.push(" then t.");
            sql.push(column.sql);
            sql.push(" end");
        }
        _ => {
            sql.push("t.");
            sql.push(column.sql);
        }
    }
}

/// Appends what has to hold beside `t.column = ...` when the column belongs to those that an outline leaves out: a list of the
/// rows with one value of it would tell the value.
pub(crate) fn push_shown<E: Entity>(sql: &mut Sql, viewer: &Viewer, column: &str) {
    let outlined = || E::COLUMNS.iter().any(|known| known.sql == column && known.flags.outlined);
    if let Some(whole) = E::WHOLE.filter(|_| !viewer.is_superuser() && outlined()) {
        sql.push(" and ");
        scope::predicate(sql, viewer, &whole, Right::See, "t");
    }
}

/// Appends `from <table> t where <visible to the viewer>`.
pub(crate) fn from_visible<E: Entity>(sql: &mut Sql, viewer: &Viewer) {
    sql.push(" from ");
    sql.push(E::TABLE);
    sql.push(" t where ");
    scope::predicate(sql, viewer, &E::SCOPE, Right::See, "t");
}

/// Describes an entity: its table, scope, columns and fields. See `CONTRIBUTING.md`, "Add an entity".
///
/// What a row `carries` beside its columns is filled in by whoever makes the row for a live event.
/// `passing` is a value of a column that goes with what is below the row ([`TransientValue`]). `announced: false` says that its table has no trigger `announce`.
/// A column's flags in brackets say how lists may use it ([`Flags`]); `column as "sql" "graph"` gives
/// names that Rust does not allow.
#[macro_export]
macro_rules! entity {
    (
        $(#[doc = $doc:literal])+
        $name:ident in $table:literal;
        scope: $scope:expr;
        $(whole: $whole:expr;)?
        order: $order:literal $direction:ident;
        $(announced: $announced:literal;)?
        $(passing: $passing:expr;)?
        columns {
            $( $(#[doc = $cdoc:literal])+ $column:ident $(as $csql:literal $cname:literal)? : $type:ty $([$($flag:ident),*])?; )*
        }
        fields { $( $field:expr; )* }
        $(conditions { $( $condition:expr; )* })?
        $(carries { $( $(#[doc = $kdoc:literal])+ $context_data:ident: $ktype:ty; )* })?
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        pub struct $name {
            /// The row's id.
            pub id: $crate::core::id::Id<$name>,
            $( $(#[doc = $cdoc])+ pub $column: $type, )*
            $( $( $(#[doc = $kdoc])+ pub(crate) $context_data: $ktype, )* )?
        }

        impl $crate::core::entity::Entity for $name {
            const NAME: &'static str = stringify!($name);
            const TABLE: &'static str = $table;
            const DESCRIPTION: &'static str = concat!($($doc, "\n"),+);
            const SCOPE: $crate::core::scope::Scope = $scope;
            const WHOLE: Option<$crate::core::scope::Scope> = $crate::entity!(@optional $($whole)?);
            const DEFAULT_ORDER: (&'static str, $crate::core::entity::Direction) = ($order, $crate::core::entity::Direction::$direction);
            const ANNOUNCED: bool = $crate::entity!(@announced $($announced)?);
            const COLUMNS: &'static [$crate::core::entity::Column<Self>] = &[
                $crate::entity!(@column $name, id, "id", "id", $crate::core::id::Id<$name>, "The id of the row, a UUID.", $crate::core::entity::Flags::NONE),
                $( $crate::entity!(
                    @column $name, $column,
                    $crate::entity!(@sql $column $($csql)?), $crate::entity!(@name $column $($cname)?),
                    $type, concat!($($cdoc, "\n"),+),
                    $crate::core::entity::Flags::NONE $($(.$flag())*)?
                ), )*
            ];
            const FIELDS: &'static [&'static dyn $crate::core::entity::FieldDef<Self>] = &[$( &$field, )*];
            const PASSING: Option<$crate::core::entity::TransientValue<Self>> = $crate::entity!(@optional $($passing)?);
            $(const CONDITIONS: &'static [$crate::core::entity::Column<Self>] = &[$( $condition, )*];)?

            fn key(&self) -> uuid::Uuid {
                self.id.uuid()
            }

            fn from_row(row: &sqlx::postgres::PgRow, first: usize) -> sqlx::Result<Self> {
                let mut columns = first..;
                let mut next = || columns.next().unwrap_or(first);
                Ok(Self {
                    id: $crate::core::entity::ColumnType::get(row, next())?,
                    $( $column: $crate::core::entity::ColumnType::get(row, next())?, )*
                    $( $( $context_data: Default::default(), )* )?
                })
            }
        }

        impl async_graphql::OutputType for $name {
            fn type_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
                $crate::core::entity::register::<Self>(registry)
            }
            async fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                $crate::core::entity::resolve_row(self, ctx).await
            }
        }

        impl async_graphql::ContainerType for $name {
            async fn resolve_field(&self, ctx: &async_graphql::Context<'_>) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
                $crate::core::entity::resolve_field(self, ctx).await
            }
        }

        impl async_graphql::ObjectType for $name {}
    };

    (@column $entity:ident, $column:ident, $sql:expr, $name:expr, $type:ty, $doc:expr, $flags:expr) => {
        $crate::core::entity::Column {
            sql: $sql,
            name: $name,
            description: $doc,
            flags: $flags,
            kind: <$type as $crate::core::entity::ColumnType>::KIND,
            nullable: <$type as $crate::core::entity::ColumnType>::NULLABLE,
            output: <$type as $crate::core::entity::ColumnType>::output,
            input: <$type as $crate::core::entity::ColumnType>::input,
            parse: <$type as $crate::core::entity::ColumnType>::parse,
            value: |row: &$entity| $crate::core::entity::ColumnType::value(&row.$column),
            bind: |row: &$entity| $crate::core::entity::ColumnType::bind(&row.$column),
            read: <$type as $crate::core::entity::ColumnType>::read,
            read_bind: <$type as $crate::core::entity::ColumnType>::read_bind,
        }
    };
    (@sql $column:ident) => { stringify!($column) };
    (@sql $column:ident $sql:literal) => { $sql };
    (@name $column:ident) => { pastey::paste! { stringify!([<$column:lower_camel>]) } };
    (@name $column:ident $name:literal) => { $name };
    (@announced) => { true };
    (@announced $announced:literal) => { $announced };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
}
