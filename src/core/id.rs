//! Typed ids: the id of a connector cannot be passed where a worker's is wanted.
//!
//! Always holds: an id is a UUID v4 made by the application (domain.md section 0), shown as the
//! GraphQL scalar `ID` in its plain hyphenated form.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use async_graphql::registry::Registry;
use async_graphql::{ID, InputType, InputValueError, InputValueResult, Value};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef, Postgres};
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::refusals::{NO_ID, in_full};

/// The id of a row of `E`.
pub struct Id<E>(Uuid, PhantomData<fn() -> E>);

impl<E> Id<E> {
    /// A fresh random id.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the one source of ids")]
    pub fn random() -> Self {
        Self(Uuid::new_v4(), PhantomData)
    }

    /// The id as a bare UUID.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl<E> From<Uuid> for Id<E> {
    fn from(id: Uuid) -> Self {
        Self(id, PhantomData)
    }
}

impl<E> Id<E> {
    /// The id that a client gives for this field.
    ///
    /// # Errors
    /// `VALIDATION` naming the field when it is no UUID.
    pub(crate) fn given(id: &ID, field: &'static str) -> Result<Self> {
        Uuid::parse_str(id).map(Self::from).map_err(|_| Error::validation(in_full(NO_ID)).field(field))
    }
}

impl<E> Clone for Id<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Id<E> {}
impl<E> PartialEq for Id<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<E> Eq for Id<E> {}
impl<E> std::hash::Hash for Id<E> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<E> fmt::Debug for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<E> fmt::Display for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E> sqlx::Type<Postgres> for Id<E> {
    fn type_info() -> PgTypeInfo {
        <Uuid as sqlx::Type<Postgres>>::type_info()
    }
}
impl<E> PgHasArrayType for Id<E> {
    fn array_type_info() -> PgTypeInfo {
        <Uuid as PgHasArrayType>::array_type_info()
    }
}
impl<E> sqlx::Encode<'_, Postgres> for Id<E> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> std::result::Result<IsNull, BoxDynError> {
        self.0.encode_by_ref(buffer)
    }
}
impl<'r, E> sqlx::Decode<'r, Postgres> for Id<E> {
    fn decode(value: PgValueRef<'r>) -> std::result::Result<Self, BoxDynError> {
        Uuid::decode(value).map(Self::from)
    }
}

impl<E: 'static> InputType for Id<E> {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        <ID as InputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <ID as InputType>::create_type_info(registry)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        match value {
            None | Some(Value::Null) => Err(InputValueError::expected_type(Value::Null)),
            Some(value) => match value {
                Value::String(text) => Uuid::parse_str(&text).ok(),
                _ => None,
            }
            .map(Self::from)
            .ok_or_else(|| InputValueError::custom(NO_ID)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}
