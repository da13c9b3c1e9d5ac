//! What `dev` generates once and keeps in the data directory: both keys and the first password.
//!
//! Always holds: what the settings give wins; what is there is used and never overwritten; a file is whole or
//! absent, and only its owner may read it. Not here: `serve`, which does not start without its keys.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::list::Auth;
use super::mistake::Mistake;
use super::rule::Rule;
use super::secret_rule::{EncryptionKeys, Password, TokenKey};
use crate::core::secret::{KeyRing, Secret};

/// The file with the keys that seal configurations.
pub const ENCRYPTION_KEYS: &str = "encryption-keys";
/// The file with the key that signs tokens.
pub const TOKEN_KEY: &str = "token-key";
/// The file with the first superuser's password.
pub const ADMIN_PASSWORD: &str = "admin-password";

/// Letters of a generated password: 32, none of which is taken for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The keys that a server cannot do without.
pub struct Keys {
    /// Seals configurations.
    pub encryption: KeyRing,
    /// Signs tokens.
    pub token: Secret<Vec<u8>>,
}

/// The keys of the settings, or those kept in `data_dir`, which are made when they are not there.
///
/// # Errors
/// When a file cannot be read or written, or holds something else.
pub fn keys(auth: &Auth, data_dir: &Path) -> Result<Keys, Mistake> {
    let key = || random(32).map(|bytes| Zeroizing::new(STANDARD.encode(&*bytes)));
    let encryption = match &auth.encryption_keys {
        Some(keys) => keys.clone(),
        None => kept(data_dir, ENCRYPTION_KEYS, &EncryptionKeys, || Ok(Zeroizing::new(format!("dev:{}", &*key()?))))?,
    };
    let token = match &auth.token_key {
        Some(key) => key.clone(),
        None => kept(data_dir, TOKEN_KEY, &TokenKey, key)?,
    };
    Ok(Keys { encryption, token })
}

/// The first password of the settings, or the one kept in `data_dir`, which is made when it is not there.
///
/// # Errors
/// When the file cannot be read or written, or holds something else.
pub fn admin_password(auth: &Auth, data_dir: &Path) -> Result<Secret<String>, Mistake> {
    match &auth.admin_password {
        Some(password) => Ok(password.clone()),
        None => kept(data_dir, ADMIN_PASSWORD, &Password, || password().map(|password| Zeroizing::new(password.reveal().clone()))),
    }
}

/// A password of 100 random bits: `k3v9m-...`, four times five letters.
///
/// # Errors
/// When the machine has no randomness to give.
pub fn password() -> io::Result<Secret<String>> {
    let bytes = random(20)?;
    let letters: Vec<char> =
        bytes.iter().filter_map(|byte| LETTERS.get(usize::from(byte % 32))).map(|letter| char::from(*letter)).collect();
    let groups: Vec<String> = letters.chunks(5).map(|group| group.iter().collect()).collect();
    Ok(Secret::new(groups.join("-")))
}

fn random(count: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0_u8; count]);
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

fn kept<R: Rule>(
    directory: &Path,
    name: &str,
    rule: &R,
    make: impl FnOnce() -> io::Result<Zeroizing<String>>,
) -> Result<R::Value, Mistake> {
    let path = directory.join(name);
    let problem = |problem: String| Mistake::File { path: path.clone(), problem };
    let text = match fs::read_to_string(&path) {
        Ok(text) => Zeroizing::new(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let text = make().map_err(|error| problem(format!("cannot be generated: {error}")))?;
            write(directory, name, &text).map_err(|error| {
                problem(format!("cannot be written: {error}; make the directory writable, or choose another with --data-dir"))
            })?;
            text
        }
        Err(error) => return Err(problem(format!("cannot be read: {error}"))),
    };
    rule.read(text.trim_end()).map_err(|allowed| problem(format!("holds something else; it takes {allowed}")))
}

/// Writes under another name first, so that a crash leaves no half file.
fn write(directory: &Path, name: &str, text: &str) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let (path, fresh) = (directory.join(name), directory.join(format!(".{name}.new")));
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    fs::rename(&fresh, &path)?;
    File::open(directory)?.sync_all()
}
