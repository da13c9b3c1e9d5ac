//! The words in which connector types are written down: fields, their kinds, and rules between them.
//!
//! Always holds: all of it is constant data. Not here: what it becomes (`schema.rs`), the types (`sources.rs`, `targets.rs`).

use crate::pipelines::Way;

/// A connector type.
#[derive(Clone, Copy)]
pub(super) struct Spec {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) way: Way,
    pub(super) about: &'static str,
    /// Its fields, put together from lists that types share.
    pub(super) fields: &'static [&'static [Field]],
    pub(super) rules: &'static [Rule],
    /// Why no field says where it leads, when none does.
    pub(super) leads_nowhere: Option<&'static str>,
}

impl Spec {
    pub(super) const fn source(id: &'static str, title: &'static str, about: &'static str, fields: &'static [&'static [Field]]) -> Self {
        Self { id, title, way: Way::Source, about, fields, rules: &[], leads_nowhere: None }
    }

    pub(super) const fn target(id: &'static str, title: &'static str, about: &'static str, fields: &'static [&'static [Field]]) -> Self {
        Self { id, title, way: Way::Target, about, fields, rules: &[], leads_nowhere: None }
    }

    pub(super) const fn rules(self, rules: &'static [Rule]) -> Self {
        Self { rules, ..self }
    }

    pub(super) const fn leads_nowhere(self, because: &'static str) -> Self {
        Self { leads_nowhere: Some(because), ..self }
    }

    pub(super) fn all_fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().copied().flatten()
    }
}

/// A part of a configuration.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) kind: Kind,
    pub(super) group: Group,
    pub(super) required: bool,
    pub(super) destination: bool,
    /// The default, as JSON text.
    pub(super) preset: Option<&'static str>,
    pub(super) example: Option<&'static str>,
}

/// What a field takes.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// One line.
    Text,
    /// Several lines, such as a certificate.
    Lines,
    /// One line of this form.
    Form(&'static str),
    /// A secret: a text, or a reference to where it is.
    Secret,
    /// A secret of several lines, such as a private key.
    SecretLines,
    /// A whole number within bounds.
    Whole(i64, i64),
    /// A switch.
    Flag,
    /// One of a few words.
    OneOf(&'static [&'static str]),
    /// A list of lines, none of them twice.
    Texts,
    /// A list of URLs.
    Urls,
    /// A list of objects with these fields.
    Items(&'static [Field]),
}

/// Where a form shows a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Connection,
    SignIn,
    Encryption,
    Data,
}

impl Group {
    pub(super) const ALL: [Self; 4] = [Self::Connection, Self::SignIn, Self::Encryption, Self::Data];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Connection => "Connection",
            Self::SignIn => "Sign-in",
            Self::Encryption => "Encryption",
            Self::Data => "Data",
        }
    }
}

/// What joins two fields.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// When a field is one of these, these others are needed.
    When { field: &'static str, is: &'static [&'static str], needs: &'static [&'static str] },
    /// At least one of these is needed; the sentence says which.
    AnyOf(&'static [&'static str], &'static str),
}

impl Field {
    const fn new(name: &'static str, title: &'static str, about: &'static str, kind: Kind, group: Group) -> Self {
        Self { name, title, about, kind, group, required: false, destination: false, preset: None, example: None }
    }

    /// One line.
    pub(super) const fn text(name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(name, title, about, Kind::Text, Group::Data)
    }

    /// A list of lines.
    pub(super) const fn texts(name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(name, title, about, Kind::Texts, Group::Data)
    }

    /// One of a few words.
    pub(super) const fn one_of(name: &'static str, title: &'static str, about: &'static str, words: &'static [&'static str]) -> Self {
        Self::new(name, title, about, Kind::OneOf(words), Group::Data)
    }

    /// A switch.
    pub(super) const fn flag(name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(name, title, about, Kind::Flag, Group::Data)
    }

    /// A whole number.
    pub(super) const fn whole(name: &'static str, title: &'static str, about: &'static str, least: i64, most: i64) -> Self {
        Self::new(name, title, about, Kind::Whole(least, most), Group::Data)
    }

    /// A list of objects.
    pub(super) const fn items(name: &'static str, title: &'static str, about: &'static str, fields: &'static [Self]) -> Self {
        Self::new(name, title, about, Kind::Items(fields), Group::Data)
    }

    /// A secret.
    pub(super) const fn secret(name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(name, title, about, Kind::Secret, Group::SignIn)
    }

    /// A secret of several lines.
    pub(super) const fn secret_lines(name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(name, title, about, Kind::SecretLines, Group::SignIn)
    }

    /// Something public of several lines, which belongs to the encryption.
    pub(super) const fn certificate(name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(name, title, about, Kind::Lines, Group::Encryption)
    }

    /// A destination of this form.
    pub(super) const fn leads_to(name: &'static str, title: &'static str, about: &'static str, form: &'static str) -> Self {
        Self { destination: true, ..Self::new(name, title, about, Kind::Form(form), Group::Connection) }
    }

    pub(super) const fn form(self, form: &'static str) -> Self {
        Self { kind: Kind::Form(form), ..self }
    }

    pub(super) const fn urls(self) -> Self {
        Self { kind: Kind::Urls, destination: true, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    pub(super) const fn destination(self) -> Self {
        Self { destination: true, ..self }
    }

    pub(super) const fn at(self, group: Group) -> Self {
        Self { group, ..self }
    }

    /// What it is when it is left out, as JSON text.
    pub(super) const fn preset(self, json: &'static str) -> Self {
        Self { preset: Some(json), ..self }
    }

    pub(super) const fn example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    pub(super) const fn is_secret(&self) -> bool {
        matches!(self.kind, Kind::Secret | Kind::SecretLines)
    }
}
