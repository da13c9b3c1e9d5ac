//! What is wrong with a YAML file, in words of our own.
//!
//! Always holds: nothing of the file's text is told, which may hold a secret; only the place and the reason.

use serde_saphyr::Error;

/// The place, as far as it is known, and the reason.
pub(super) fn told(fault: &Error) -> String {
    let place = fault.location().map_or_else(String::new, |at| format!("line {}, column {}: ", at.line(), at.column()));
    format!("{place}{}", reason(fault))
}

fn reason(fault: &Error) -> &'static str {
    match fault.without_snippet() {
        Error::DuplicateMappingKey { .. } => "a key stands there twice in one mapping",
        Error::MultipleDocuments { .. } => "a second document begins; a file is one, so give each a file of its own",
        Error::Eof { .. } => "the file ends where something was to come",
        Error::UnknownAnchor { .. } => "an alias (`*name`) has no anchor (`&name`) before it",
        Error::AliasError { error, .. } => reason(error),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::RecursiveReferencesRequireWeakTypes { .. } => "the aliases stand for too much",
        Error::Budget { .. } => "the file is too large, nested too deeply or repeats too much by aliases; split it",
        Error::MergeValueNotMapOrSeqOfMaps { .. } | Error::MergeKeyNotAllowed { .. } => "`<<` merges mappings alone",
        Error::UnsupportedTag { .. }
        | Error::InvalidBinaryBase64 { .. }
        | Error::BinaryNotUtf8 { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. } => "a tag (`!name`) gives a value no form that is known here; leave it out",
        Error::NonFiniteFloat { .. } | Error::InvalidScalar { .. } => {
            "a value is no number that can be kept; put it into quotes if it is a text"
        }
        Error::SerdeInvalidType { .. } | Error::SerdeInvalidValue { .. } => {
            "a value stands where it cannot; keys are texts, and values texts, numbers, true, false, null, lists and mappings"
        }
        Error::InvalidUtf8Input => "the file is no UTF-8",
        _ => "this cannot be read as YAML; look at indentation, quotes and brackets",
    }
}
