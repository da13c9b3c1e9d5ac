//! Seals configurations as the server stores them: `seal KEY < rows`, where KEY is `id:base64` and a row is an id, a tab and a
//! document; the same rows come out, sealed. That they open is checked by asking the server for one.

use std::io::{BufRead as _, Write as _};

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bench_load::Outcome;
use serde_json::json;
use uuid::Uuid;

fn main() -> Outcome<()> {
    let key = std::env::args().nth(1).ok_or("seal KEY")?;
    let (name, key) = key.split_once(':').ok_or("KEY is id:base64")?;
    let bytes = STANDARD.decode(key)?;
    let key = <&Key<Aes256Gcm>>::try_from(bytes.as_slice()).map_err(|_| "the key has 32 bytes")?;
    let cipher = Aes256Gcm::new(key);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (id, document) = line.split_once('\t').ok_or("a row is an id, a tab and a document")?;
        let mut nonce = [0_u8; 12];
        getrandom::fill(&mut nonce)?;
        let row: Uuid = id.parse()?;
        let payload = Payload { msg: document.as_bytes(), aad: row.as_bytes() };
        let data = cipher.encrypt(&Nonce::from(nonce), payload).map_err(|_| "cannot be sealed")?;
        let sealed = json!({"$sealed": 1, "key": name, "nonce": STANDARD.encode(nonce), "data": STANDARD.encode(data)});
        writeln!(out, "{id}\t{sealed}")?;
    }
    Ok(out.flush()?)
}
