//! Enumerated columns: one list from which the Rust enum, the graph's enum and the test of the
//! database's CHECK come (domain.md section 0).

/// Declares an enumerated column: `Variant = "STORED"` gives the spelling in the database.
#[macro_export]
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $vdoc:literal])+ $variant:ident = $stored:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(async_graphql::Enum, Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[doc = $vdoc])+ $variant),+ }

        impl $name {
            /// Every value in its stored spelling.
            pub const STORED: &'static [&'static str] = &[$($stored),+];

            /// The spelling in the database.
            #[must_use]
            pub const fn stored(self) -> &'static str {
                match self { $(Self::$variant => $stored),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($stored => Ok(Self::$variant),)+
                    other => Err(format!(concat!("{:?} is not a ", stringify!($name)), other)),
                }
            }
        }

        impl sqlx::Type<sqlx::Postgres> for $name {
            fn type_info() -> sqlx::postgres::PgTypeInfo {
                <String as sqlx::Type<sqlx::Postgres>>::type_info()
            }
            fn compatible(ty: &sqlx::postgres::PgTypeInfo) -> bool {
                <String as sqlx::Type<sqlx::Postgres>>::compatible(ty)
            }
        }
        impl<'r> sqlx::Decode<'r, sqlx::Postgres> for $name {
            fn decode(value: sqlx::postgres::PgValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                Ok(<&str as sqlx::Decode<sqlx::Postgres>>::decode(value)?.parse()?)
            }
        }
        impl sqlx::Encode<'_, sqlx::Postgres> for $name {
            fn encode_by_ref(&self, buffer: &mut sqlx::postgres::PgArgumentBuffer) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                <&str as sqlx::Encode<sqlx::Postgres>>::encode_by_ref(&self.stored(), buffer)
            }
        }

        impl $crate::core::entity::ColumnType for $name {
            const KIND: $crate::core::sql::Kind = $crate::core::sql::Kind::Text;

            fn output(registry: &mut async_graphql::registry::Registry) -> String {
                <Self as async_graphql::OutputType>::create_type_info(registry)
            }
            fn input(registry: &mut async_graphql::registry::Registry) -> String {
                <Option<Self> as async_graphql::InputType>::create_type_info(registry)
            }
            fn get(row: &sqlx::postgres::PgRow, index: usize) -> sqlx::Result<Self> {
                sqlx::Row::try_get(row, index)
            }
            fn value(&self) -> async_graphql::Value {
                async_graphql::InputType::to_value(self)
            }
            fn bind(&self) -> $crate::core::sql::Bind {
                $crate::core::sql::Bind::Text(self.stored().to_owned())
            }
            fn parse(value: async_graphql::Value) -> Result<$crate::core::sql::Bind, String> {
                match <Self as async_graphql::InputType>::parse(Some(value)) {
                    Ok(value) => Ok($crate::core::entity::ColumnType::bind(&value)),
                    Err(_) => Err(concat!("not a value of ", stringify!($name)).to_owned()),
                }
            }
        }
    };
}
