//! Signing in by SCRAM (RFC 5802, RFC 7677), as PostgreSQL and Kafka do.
//!
//! Always holds: the other side shows that it knows the password, too; how much it makes us compute is bounded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256, Sha512};
use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;

use super::wire::garbage;
use super::{Tried, failed};

/// The most rounds that a server may ask for.
const MOST_ROUNDS: u32 = 100_000;

/// The hash that is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hash {
    Sha256,
    Sha512,
}

/// A sign-in under way.
pub(super) struct Scram {
    hash: Hash,
    password: Zeroizing<String>,
    /// The first message without its head.
    first: String,
    nonce: String,
    /// What the other side must sign with.
    signature: Vec<u8>,
}

impl Scram {
    /// Begins; PostgreSQL knows the user already and is told none.
    pub(super) fn begin(hash: Hash, user: &str, password: &str) -> Tried<Self> {
        let mut random = [0_u8; 18];
        if getrandom::fill(&mut random).is_err() {
            return failed("This machine has no randomness to give.");
        }
        Ok(Self::with(hash, user, password, STANDARD.encode(random)))
    }

    fn with(hash: Hash, user: &str, password: &str, nonce: String) -> Self {
        let user = user.replace('=', "=3D").replace(',', "=2C");
        let password = Zeroizing::new(password.nfkc().collect());
        Self { hash, password, first: format!("n={user},r={nonce}"), nonce, signature: Vec::new() }
    }

    /// The first message.
    pub(super) fn first(&self) -> String {
        format!("n,,{}", self.first)
    }

    /// The second message, to what the other side said to the first.
    pub(super) async fn second(&mut self, challenge: &str) -> Tried<String> {
        let part = |name: &str| challenge.split(',').find_map(|part| part.strip_prefix(name)).unwrap_or_default();
        let (nonce, salt, rounds) = (part("r="), STANDARD.decode(part("s=")).unwrap_or_default(), part("i=").parse().unwrap_or(0));
        if !nonce.starts_with(&self.nonce) || salt.is_empty() || rounds == 0 {
            return garbage();
        }
        if rounds > MOST_ROUNDS {
            return failed(format!("The service asks for {rounds} rounds of SCRAM; more than {MOST_ROUNDS} are not computed in a test."));
        }
        let (hash, password) = (self.hash, self.password.clone());
        let salted = tokio::task::spawn_blocking(move || hash.salted(&password, &salt, rounds)).await.or_else(|_| garbage())?;
        let without_proof = format!("c=biws,r={nonce}");
        let message = format!("{},{challenge},{without_proof}", self.first);
        let key = hash.mac(&salted, b"Client Key");
        let signed = hash.mac(&hash.digest(&key), message.as_bytes());
        let proof: Vec<u8> = key.iter().zip(&signed).map(|(key, signed)| key ^ signed).collect();
        self.signature = hash.mac(&hash.mac(&salted, b"Server Key"), message.as_bytes());
        Ok(format!("{without_proof},p={}", STANDARD.encode(proof)))
    }

    /// Whether the other side has shown that it knows the password.
    pub(super) fn verify(&self, last: &str) -> Tried<()> {
        let shown = last.split(',').find_map(|part| part.strip_prefix("v=")).and_then(|text| STANDARD.decode(text).ok());
        if !self.signature.is_empty() && shown.as_ref() == Some(&self.signature) {
            return Ok(());
        }
        failed("The service did not show that it knows the password: it is not what it seems.")
    }
}

impl Hash {
    fn mac(self, key: &[u8], message: &[u8]) -> Vec<u8> {
        macro_rules! mac {
            ($hash:ty) => {
                Hmac::<$hash>::new_from_slice(key).map(|mac| mac.chain_update(message).finalize().into_bytes().to_vec())
            };
        }
        // A key of any length will do.
        match self {
            Self::Sha256 => mac!(Sha256),
            Self::Sha512 => mac!(Sha512),
        }
        .unwrap_or_default()
    }

    fn digest(self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => Sha256::digest(message).to_vec(),
            Self::Sha512 => Sha512::digest(message).to_vec(),
        }
    }

    /// PBKDF2 of one block.
    fn salted(self, password: &str, salt: &[u8], rounds: u32) -> Zeroizing<Vec<u8>> {
        let mut last = self.mac(password.as_bytes(), &[salt, &[0, 0, 0, 1]].concat());
        let mut salted = Zeroizing::new(last.clone());
        for _ in 1..rounds {
            last = self.mac(password.as_bytes(), &last);
            salted.iter_mut().zip(&last).for_each(|(byte, other)| *byte ^= other);
        }
        salted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677, section 3.
    #[tokio::test]
    async fn the_example_of_the_standard_comes_out() {
        let mut scram = Scram::with(Hash::Sha256, "user", "pencil", "rOprNGfwEbeRWgbNEkqO".to_owned());
        assert_eq!(scram.first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let challenge = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        let second = scram.second(challenge).await.unwrap();
        assert_eq!(second, "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        assert!(scram.verify("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=").is_ok());
        assert!(scram.verify("v=AAAA").is_err() && scram.verify("").is_err());
    }

    #[tokio::test]
    async fn a_server_that_asks_for_too_much_or_is_another_is_refused() {
        let mut scram = Scram::with(Hash::Sha512, "user", "pencil", "mine".to_owned());
        for challenge in ["r=mine1,s=AAAA,i=2000000000", "r=other,s=AAAA,i=4096", "r=mine1,s=,i=4096", "r=mine1,s=AAAA,i=0", ""] {
            assert!(scram.second(challenge).await.is_err(), "{challenge}");
        }
    }
}
