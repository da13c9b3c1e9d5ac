//! Documents that clients send by their hash: automatic persisted queries, and documents that are trusted.
//!
//! Always holds: a hash is the SHA-256 of the document's text, and is compared with it before the document is kept; what is
//! kept has passed the limits, and is bounded in bytes. Each replica keeps what it was sent: who is told that a document is
//! not known sends it whole. Where documents are trusted no other is read at all, whole or by hash.
//! Not here: what documents say.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_graphql::parser::{Error as ParseError, parse_query};
use async_graphql::{Request, Value};
use sha2::{Digest as _, Sha256};

use crate::core::error::{Error, Result};
use crate::core::lock::lock;

/// The parameter, beside `extensions.persistedQuery`, that names a trusted document.
pub(crate) const ID: &str = "documentId";
/// What may stand before the hash of a document, by GraphQL over HTTP.
const PREFIX: &str = "sha256:";
const EXTENSION: &str = "persistedQuery";
/// What a document costs beside its text.
const OVERHEAD: usize = 200;

type Hash = [u8; 32];

/// Documents that are allowed, by hash.
#[derive(Clone, Debug, Default)]
pub struct TrustedDocuments(Arc<HashMap<Hash, Arc<str>>>);

/// Why trusted documents cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum NotTrusted {
    /// There is no such file or folder.
    #[error("{0} does not exist")]
    Missing(PathBuf),
    /// A file or folder cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unread(PathBuf, #[source] std::io::Error),
    /// A file is no manifest.
    #[error("{0}: it is neither an object of documents by their hash nor a manifest with `operations`, each with `id` and `body`")]
    NoManifest(PathBuf),
    /// A document is not what its hash says.
    #[error("{0}: the document under {1} has another SHA-256")]
    Mislabelled(PathBuf, String),
    /// A document has a name that is no hash of ours.
    #[error("{0}: {1:?} is no SHA-256 in hexadecimal digits, with or without `sha256:` before them, and no other name is taken")]
    NoHash(PathBuf, String),
    /// A document is no GraphQL.
    #[error("{file}: {document}{line}:{column} is no GraphQL")]
    Unparsed {
        /// Where it is.
        file: PathBuf,
        /// Which one of a manifest, ready to be followed by the place.
        document: String,
        /// The line of the document.
        line: usize,
        /// The column.
        column: usize,
    },
    /// There is none.
    #[error("{0}: there is no document in it (`*.graphql`, `*.gql`, or manifests `*.json`)")]
    Empty(PathBuf),
}

impl TrustedDocuments {
    /// Reads a file, or all files of a folder: documents (`.graphql`, `.gql`) and manifests (`.json`).
    ///
    /// # Errors
    /// When anything in it cannot be read, or nothing is in it.
    pub fn read(path: &Path) -> Result<Self, NotTrusted> {
        let unread = |error| NotTrusted::Unread(path.to_owned(), error);
        if let Err(error) = fs::metadata(path) {
            return Err(if error.kind() == io::ErrorKind::NotFound { NotTrusted::Missing(path.to_owned()) } else { unread(error) });
        }
        let mut files = vec![path.to_owned()];
        if path.is_dir() {
            files = fs::read_dir(path)
                .map_err(unread)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<_, _>>()
                .map_err(unread)?;
        }
        let mut documents = HashMap::new();
        for file in files {
            let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let text = || fs::read_to_string(&file).map_err(|error| NotTrusted::Unread(file.clone(), error));
            match extension {
                "graphql" | "gql" => {
                    let text = text()?;
                    check(&file, None, &text)?;
                    add(&mut documents, &text);
                }
                "json" => read_manifest(&file, &text()?, &mut documents)?,
                _ => {}
            }
        }
        if documents.is_empty() { Err(NotTrusted::Empty(path.to_owned())) } else { Ok(Self(Arc::new(documents))) }
    }

    /// With these as well.
    #[must_use]
    pub fn and(self, texts: &[&str]) -> Self {
        let mut documents = self.0.as_ref().clone();
        for text in texts {
            add(&mut documents, text);
        }
        Self(Arc::new(documents))
    }
}

fn add(documents: &mut HashMap<Hash, Arc<str>>, text: &str) {
    documents.insert(hash(text), text.into());
}

/// Refuses what is no document: whoever asks for it would be told so for as long as the server runs.
fn check(file: &Path, id: Option<&str>, text: &str) -> Result<(), NotTrusted> {
    let fault = match parse_query(text) {
        // A file of fragments that others are put together from does no harm.
        Ok(_) | Err(ParseError::MissingOperation) => return Ok(()),
        Err(fault) => fault,
    };
    let place = fault.positions().next().unwrap_or_default();
    let document = id.map_or_else(|| "line and column ".to_owned(), |id| format!("the document under {id}, line and column "));
    Err(NotTrusted::Unparsed { file: file.to_owned(), document, line: place.line, column: place.column })
}

/// Reads a manifest, of Apollo's form or an object of documents by their hash.
fn read_manifest(file: &Path, text: &str, documents: &mut HashMap<Hash, Arc<str>>) -> Result<(), NotTrusted> {
    let wrong = || NotTrusted::NoManifest(file.to_owned());
    let manifest: serde_json::Value = serde_json::from_str(text).map_err(|_| wrong())?;
    let text_of = |value: Option<&serde_json::Value>| value.and_then(|value| value.as_str()).map(str::to_owned).ok_or_else(wrong);
    let listed: Vec<(String, String)> = if let Some(operations) = manifest.get("operations") {
        let operations = operations.as_array().ok_or_else(wrong)?.iter();
        operations.map(|operation| Ok((text_of(operation.get("id"))?, text_of(operation.get("body"))?))).collect::<Result<_, _>>()?
    } else {
        let documents = manifest.as_object().ok_or_else(wrong)?.iter();
        documents.map(|(id, body)| Ok((id.clone(), text_of(Some(body))?))).collect::<Result<_, _>>()?
    };
    for (id, body) in listed {
        match read_hash(id.strip_prefix(PREFIX).unwrap_or(&id)) {
            None => return Err(NotTrusted::NoHash(file.to_owned(), id)),
            Some(labelled) if labelled != hash(&body) => return Err(NotTrusted::Mislabelled(file.to_owned(), id)),
            Some(_) => {}
        }
        check(file, Some(&id), &body)?;
        add(documents, &body);
    }
    Ok(())
}

/// The documents that a server knows.
#[derive(Clone)]
pub(crate) enum Documents {
    /// These and no others.
    Trusted(TrustedDocuments),
    /// Those that were sent before.
    Kept(Arc<Mutex<Kept>>),
    /// None: every request brings its own.
    None,
}

/// A document that may be kept once it has passed the limits.
pub(crate) struct Candidate(Hash);

impl Documents {
    /// The trusted ones if there are any, else as many as fit into so many bytes.
    pub(crate) fn new(trusted: Option<TrustedDocuments>, memory: usize) -> Self {
        match trusted {
            Some(trusted) => Self::Trusted(trusted),
            None if memory == 0 => Self::None,
            None => Self::Kept(Arc::new(Mutex::new(Kept { most: memory, ..Kept::default() }))),
        }
    }

    /// Puts the document into a request that brings its hash alone; answers what may be kept.
    ///
    /// # Errors
    /// `PERSISTED_QUERY_NOT_FOUND` for a hash that is not known, and what is not trusted.
    pub(crate) fn find(&self, request: &mut Request) -> Result<Option<Candidate>> {
        let asked = asked(request)?;
        match self {
            Self::Trusted(TrustedDocuments(known)) => {
                let found = known.get(&asked.unwrap_or_else(|| hash(&request.query)));
                match (found, request.query.is_empty()) {
                    (Some(found), true) => found.as_ref().clone_into(&mut request.query),
                    (Some(found), false) if **found == *request.query => {}
                    (None, true) => return Err(Error::document_unknown()),
                    _ => return Err(untrusted()),
                }
                Ok(None)
            }
            Self::Kept(kept) => {
                let Some(asked) = asked else { return Ok(None) };
                if !request.query.is_empty() {
                    return if hash(&request.query) == asked { Ok(Some(Candidate(asked))) } else { Err(mislabelled()) };
                }
                let found = lock(kept).get(asked).ok_or_else(Error::document_unknown)?;
                found.as_ref().clone_into(&mut request.query);
                Ok(None)
            }
            Self::None if request.query.is_empty() && asked.is_some() => Err(Error::unreadable("PersistedQueryNotSupported")),
            Self::None => Ok(None),
        }
    }

    /// Keeps a document. Others make room for it only when somebody with a token has sent it.
    pub(crate) fn keep(&self, candidate: Option<Candidate>, text: &str, replaces: bool) {
        if let (Self::Kept(kept), Some(Candidate(hash))) = (self, candidate) {
            lock(kept).put(hash, text, replaces);
        }
    }
}

/// The hash that a request brings.
fn asked(request: &Request) -> Result<Option<Hash>> {
    let given = match (request.extensions.get(ID), request.extensions.get(EXTENSION)) {
        (Some(Value::String(id)), _) => Some(id.strip_prefix(PREFIX).unwrap_or(id)),
        (_, Some(Value::Object(extension))) => match (extension.get("version"), extension.get("sha256Hash")) {
            (Some(Value::Number(version)), Some(Value::String(hash))) if version.as_u64() == Some(1) => Some(hash.as_str()),
            _ => return Err(Error::unreadable("`persistedQuery` has `version` 1 and `sha256Hash`.")),
        },
        (Some(_), _) => return Err(Error::unreadable("`documentId` must be a string.")),
        _ => None,
    };
    given.map(|given| read_hash(given).ok_or_else(Error::document_unknown)).transpose()
}

fn untrusted() -> Error {
    let details = serde_json::json!({"guard": "TRUSTED_DOCUMENTS"});
    Error::forbidden("This server runs the documents of its operator alone, and this is none of them.").details(details)
}

fn mislabelled() -> Error {
    Error::unreadable("The SHA-256 that was sent is not that of the document.")
}

fn hash(text: &str) -> Hash {
    Sha256::digest(text.as_bytes()).into()
}

/// Reads 64 hexadecimal digits.
fn read_hash(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if text.len() != hash.len() * 2 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    Some(hash)
}

/// Documents that were sent; the one that was not used for longest makes room.
#[derive(Default)]
pub(crate) struct Kept {
    most: usize,
    bytes: usize,
    clock: u64,
    documents: HashMap<Hash, (Arc<str>, u64)>,
    /// By when they were used last.
    used: BTreeMap<u64, Hash>,
}

impl Kept {
    fn get(&mut self, hash: Hash) -> Option<Arc<str>> {
        self.clock += 1;
        let (text, used) = self.documents.get_mut(&hash)?;
        self.used.remove(used);
        *used = self.clock;
        self.used.insert(self.clock, hash);
        Some(Arc::clone(text))
    }

    fn put(&mut self, hash: Hash, text: &str, replaces: bool) {
        let cost = text.len() + OVERHEAD;
        let room = if replaces { self.most } else { self.most.saturating_sub(self.bytes) };
        if cost > room || self.get(hash).is_some() {
            return;
        }
        while self.bytes + cost > self.most {
            let Some((_, oldest)) = self.used.pop_first() else { break };
            if let Some((text, _)) = self.documents.remove(&oldest) {
                self.bytes -= text.len() + OVERHEAD;
            }
        }
        self.bytes += cost;
        self.documents.insert(hash, (text.into(), self.clock));
        self.used.insert(self.clock, hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_that_was_not_used_for_longest_makes_room() {
        let mut kept = Kept { most: 3 * (OVERHEAD + 10), ..Kept::default() };
        let text = |n: u8| format!("{n:010}");
        for n in 0..3 {
            kept.put(hash(&text(n)), &text(n), false);
        }
        assert_eq!(kept.get(hash(&text(0))).as_deref(), Some(text(0).as_str()));
        kept.put(hash(&text(4)), &text(4), false);
        kept.put(hash(&text(3)), &text(3), true);
        let known: Vec<bool> = (0..5).map(|n| kept.get(hash(&text(n))).is_some()).collect();
        assert_eq!(known, [true, false, true, true, false]);
        kept.put([0; 32], &"x".repeat(10_000), true);
        assert!(kept.get([0; 32]).is_none() && kept.bytes <= kept.most);
    }
}
