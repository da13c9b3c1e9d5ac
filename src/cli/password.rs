//! A new password for a user: generated, typed twice at a terminal, or one line of standard input.
//!
//! Always holds: it is never an argument, which every user of the machine could read, and never echoed.
//! Not here: its bounds, which whoever stores it checks.

use std::io::{self, BufRead, IsTerminal as _};

use zeroize::Zeroizing;

use super::output::{Failure, print};
use crate::config::kept;
use crate::core::secret::Secret;

/// A password, and whether it must be shown because nobody has seen it yet.
pub struct NewPassword {
    /// The password.
    pub password: Secret<String>,
    /// Whether it was generated.
    pub generated: bool,
}

impl NewPassword {
    /// The line that shows a generated one; nothing else is shown.
    fn shown(&self) -> String {
        if self.generated { format!("password: {}\n", self.password.reveal()) } else { String::new() }
    }

    /// Prints what was done and a generated password; where that fails nobody has seen it, and it stands.
    ///
    /// # Errors
    /// When it cannot be printed: what was done, and how to go on.
    pub(super) fn print(&self, done: &str, email: &str) -> Result<(), Failure> {
        let printed = print(format!("{done}\n{}", self.shown()));
        if self.generated { printed.map_err(|error| unseen(done, email, &error)) } else { printed }
    }
}

/// That a password was made which nobody has seen.
pub(super) fn unseen(done: &str, email: &str, error: &Failure) -> Failure {
    Failure::failed(format!(
        "{done}, but the password cannot be printed: {error}; `pumphouse users set-password --email {email}` gives another"
    ))
}

/// Generates or reads a password.
///
/// # Errors
/// When nothing is there to read, or the two typed ones differ.
pub fn new(generate: bool) -> Result<NewPassword, Failure> {
    if generate {
        return Ok(NewPassword { password: kept::password().map_err(Failure::failed)?, generated: true });
    }
    let password = if io::stdin().is_terminal() { typed()? } else { line(&mut io::stdin().lock())? };
    Ok(NewPassword { password, generated: false })
}

fn typed() -> Result<Secret<String>, Failure> {
    let ask = |prompt| rpassword::prompt_password(prompt).map(Zeroizing::new).map_err(Failure::failed);
    let (first, second) = (ask("Password: ")?, ask("Once more: ")?);
    if first == second { Ok(Secret::new(first.to_string())) } else { Err(Failure::Usage("the two passwords differ; try again".to_owned())) }
}

fn line(input: &mut impl BufRead) -> Result<Secret<String>, Failure> {
    let mut line = Zeroizing::new(String::new());
    input.read_line(&mut line).map_err(Failure::failed)?;
    match line.trim_end_matches(['\r', '\n']) {
        "" => Err(Failure::Usage("no password; give --generate, or the password as one line of standard input".to_owned())),
        password => Ok(Secret::new(password.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_of_the_input_is_the_password() {
        assert_eq!(line(&mut "a b c \r\nmore\n".as_bytes()).unwrap().reveal(), "a b c ");
        assert!(matches!(line(&mut "".as_bytes()), Err(Failure::Usage(_))));
        assert!(matches!(line(&mut "\n".as_bytes()), Err(Failure::Usage(_))));
    }

    #[test]
    fn a_generated_password_is_long_and_new() {
        let (one, other) = (new(true).unwrap(), new(true).unwrap());
        assert!(one.generated && one.password.reveal().len() == 23);
        assert_ne!(one.password.reveal(), other.password.reveal());
    }
}
