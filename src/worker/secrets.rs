//! Secrets of a configuration that are named, not written: `{"$secret": "env:NAME"}`, `"file:NAME"`.
//!
//! Always holds: only variables prefixed `PUMPHOUSE_SECRET_` and files inside the secrets directory are
//! read, without `..` and without links that lead out of it; what is read is wiped after use; an error
//! names the reference, never a value.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use zeroize::Zeroizing;

use super::settings::variable;

const PREFIX: &str = "PUMPHOUSE_SECRET_";
const MOST_BYTES: u64 = 64 * 1024;

/// Why a secret cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum SecretError {
    #[error("{0} is neither a text nor a reference to a secret")]
    NotASecret(&'static str),
    #[error("the secret env:{0} is not allowed: only variables that begin with {PREFIX} are")]
    Variable(String),
    #[error("the secret env:{0} is not set where the worker runs")]
    NotSet(String),
    #[error("the secret file:{0} is not allowed: only files inside PUMPHOUSE_SECRETS_DIR are")]
    Outside(String),
    #[error("the secret file:{0} needs PUMPHOUSE_SECRETS_DIR where the worker runs")]
    NoDirectory(String),
    #[error("the secret file:{name} cannot be read: {cause}")]
    Unreadable { name: String, cause: io::Error },
}

/// The text of a secret: as written, or from where it is said to be.
pub(super) fn resolve(
    field: &'static str,
    value: Option<&Value>,
    directory: Option<&Path>,
) -> Result<Option<Zeroizing<String>>, SecretError> {
    let reference = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => return Ok(Some(Zeroizing::new(text.clone()))),
        Some(Value::Object(map)) if map.len() == 1 => map.get("$secret").and_then(Value::as_str),
        Some(_) => None,
    };
    let (kind, name) = reference.and_then(|text| text.split_once(':')).ok_or(SecretError::NotASecret(field))?;
    match kind {
        "env" if name.starts_with(PREFIX) => match variable(name) {
            Some(text) => Ok(Some(Zeroizing::new(text))),
            None => Err(SecretError::NotSet(name.to_owned())),
        },
        "env" => Err(SecretError::Variable(name.to_owned())),
        "file" => read_file(name, directory).map(Some),
        _ => Err(SecretError::NotASecret(field)),
    }
}

fn read_file(name: &str, directory: Option<&Path>) -> Result<Zeroizing<String>, SecretError> {
    let outside = || SecretError::Outside(name.to_owned());
    let unreadable = |cause| SecretError::Unreadable { name: name.to_owned(), cause };
    let directory = directory.ok_or_else(|| SecretError::NoDirectory(name.to_owned()))?;
    if name.is_empty() || !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(outside());
    }
    let inside: PathBuf = directory.canonicalize().map_err(unreadable)?;
    let path = inside.join(name).canonicalize().map_err(unreadable)?;
    if !path.starts_with(&inside) || !path.is_file() {
        return Err(outside());
    }
    let mut text = Zeroizing::new(String::new());
    File::open(&path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)).map_err(unreadable)?;
    // The line's end belongs to the editor that wrote the file.
    let end = text.trim_end_matches(['\n', '\r']).len();
    text.truncate(end);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    fn look(value: &Value, directory: Option<&Path>) -> Result<Option<String>, String> {
        resolve("password", Some(value), directory).map(|text| text.map(|text| text.to_string())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_text_is_itself_and_nothing_is_nothing() {
        assert_eq!(look(&json!("env:PATH"), None), Ok(Some("env:PATH".to_owned())));
        assert_eq!(look(&Value::Null, None), Ok(None));
    }

    #[test]
    fn other_variables_and_other_shapes_are_refused() {
        for value in [
            json!({"$secret": "env:PATH"}),
            json!({"$secret": "env:PUMPHOUSE_SECRET_THAT_IS_NOT_SET"}),
            json!({"$secret": "stored"}),
            json!({"$secret": "env:PUMPHOUSE_SECRET_A", "more": 1}),
            json!(7),
        ] {
            assert!(look(&value, None).is_err(), "{value}");
        }
    }

    #[test]
    fn only_files_inside_the_directory_are_read() {
        let root = std::env::temp_dir().join(format!("pumphouse-secrets-{}", std::process::id()));
        let inside = root.join("inside");
        fs::create_dir_all(inside.join("deeper")).unwrap();
        fs::write(root.join("outside"), "no").unwrap();
        fs::write(inside.join("deeper/shop"), "hunter2\n").unwrap();
        std::os::unix::fs::symlink("../outside", inside.join("link")).unwrap();
        std::os::unix::fs::symlink("deeper/shop", inside.join("near")).unwrap();
        let file = |name: &str| look(&json!({"$secret": format!("file:{name}")}), Some(&inside));
        assert_eq!(file("deeper/shop"), Ok(Some("hunter2".to_owned())));
        assert_eq!(file("near"), Ok(Some("hunter2".to_owned())));
        for name in ["../outside", "deeper/../../outside", "/etc/passwd", "link", "deeper", "missing", ""] {
            assert!(file(name).is_err(), "{name}");
        }
        assert!(look(&json!({"$secret": "file:near"}), None).is_err());
        fs::remove_dir_all(root).unwrap();
    }
}
