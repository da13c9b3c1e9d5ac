//! A closed loop of HTTP/1.1 requests:
//! `httpload --addr HOST:PORT --path PATH --bodies FILE [--tokens FILE] --c 16 --secs 10 --warm 2 [--tree NAME=PID]...`
//!
//! Always holds: each connection is kept open and has one request under way. FILE holds a body a line; connections walk through
//! them, each from a place of its own. `{seq}` in a body becomes twelve digits that no other request has. The tokens, a line
//! each, go with the bodies in turn: one is for all, as many as bodies are one for each. An answer is an error when its
//! status is not 200 or it has `"errors":[`. The result is printed as one JSON object.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bench_load::{Outcome, find, look, needed, number, percentiles, tell, trees};
use memchr::memmem;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

const SEQ: &[u8] = b"{seq}";
/// The digits in its place, which makes a body longer by seven.
const DIGITS: usize = 12;

/// One request, ready to be sent but for its number.
struct Request {
    before: Vec<u8>,
    /// What comes after the number, where it has one.
    after: Option<Vec<u8>>,
}

struct Plan {
    address: String,
    requests: Vec<Request>,
    next: AtomicU64,
    start: Instant,
    stop: Instant,
}

#[derive(Default)]
struct Seen {
    latencies: Vec<u64>,
    errors: u64,
    bytes: usize,
}

fn main() -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(LocalSet::new().run_until(run()))
}

async fn run() -> Outcome<()> {
    let connections = number("c", 1.0)? as usize;
    let (seconds, warm) = (number("secs", 5.0)?, number("warm", 1.0)?);
    let trees = trees()?;
    let requests = requests()?;
    let start = Instant::now() + Duration::from_secs_f64(warm);
    let stop = start + Duration::from_secs_f64(seconds);
    let next = AtomicU64::new(SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros() as u64);
    let plan = Rc::new(Plan { address: needed("addr")?, requests, next, start, stop });
    let walks: Vec<_> = (0..connections)
        .map(|number| tokio::task::spawn_local(walk(Rc::clone(&plan), number * plan.requests.len() / connections)))
        .collect();
    tokio::time::sleep_until(start.into()).await;
    let before = look(&trees)?;
    tokio::time::sleep_until(stop.into()).await;
    let after = look(&trees)?;
    let mut all = Seen::default();
    for walk in walks {
        let seen = walk.await?;
        all.latencies.extend(seen.latencies);
        all.errors += seen.errors;
        all.bytes += seen.bytes;
    }
    let count = all.latencies.len();
    let mut result = json!({"c": connections, "secs": seconds, "requests": count, "errors": all.errors, "rps": count as f64 / seconds,
        "body_bytes": all.bytes / count.max(1), "ms": percentiles(&mut all.latencies)});
    tell(&mut result, &trees, (&before, &after), seconds, count);
    println!("{result}");
    Ok(())
}

fn requests() -> Outcome<Vec<Request>> {
    let (address, path) = (needed("addr")?, needed("path")?);
    let lines = |path: String| Ok::<Vec<String>, std::io::Error>(std::fs::read_to_string(path)?.lines().map(str::to_owned).collect());
    let tokens = find("tokens").map(lines).transpose()?.unwrap_or_default();
    let bodies = lines(needed("bodies")?)?;
    let request = |(number, body): (usize, &String)| {
        let token = tokens.get(number % tokens.len().max(1)).map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let place = memmem::find(body.as_bytes(), SEQ);
        let length = body.len() + place.map_or(0, |_| DIGITS - SEQ.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json\r\n{token}Content-Length: {length}\r\n\r\n"
        );
        match place {
            Some(place) => {
                Request { before: (head + &body[..place]).into_bytes(), after: Some(body.as_bytes()[place + SEQ.len()..].to_vec()) }
            }
            None => Request { before: (head + body).into_bytes(), after: None },
        }
    };
    Ok(bodies.iter().enumerate().map(request).collect())
}

/// Sends one request after the other until the time is over.
async fn walk(plan: Rc<Plan>, mut place: usize) -> Seen {
    let mut seen = Seen { latencies: Vec::with_capacity(1 << 16), ..Seen::default() };
    let mut connection = None;
    while Instant::now() < plan.stop {
        let request = &plan.requests[place % plan.requests.len()];
        place += 1;
        let mut text = request.before.clone();
        if let Some(after) = &request.after {
            let number = plan.next.fetch_add(1, Ordering::Relaxed) % 10_u64.pow(DIGITS as u32);
            text.extend_from_slice(format!("{number:012}").as_bytes());
            text.extend_from_slice(after);
        }
        let sent = Instant::now();
        let answer = exchange(&plan.address, &mut connection, &text).await;
        let now = Instant::now();
        match answer {
            Ok((good, bytes)) if now >= plan.start && now <= plan.stop => {
                seen.latencies.push((now - sent).as_nanos() as u64);
                seen.errors += u64::from(!good);
                seen.bytes += bytes;
            }
            Ok(_) => {}
            Err(_) => {
                seen.errors += 1;
                connection = None;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
    seen
}

async fn exchange(address: &str, connection: &mut Option<Connection>, request: &[u8]) -> Outcome<(bool, usize)> {
    if connection.is_none() {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        *connection = Some(Connection { stream, buffer: Vec::new(), length: 0 });
    }
    let connection = connection.as_mut().ok_or("no connection")?;
    connection.stream.write_all(request).await?;
    connection.response().await
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    length: usize,
}

impl Connection {
    async fn fill(&mut self) -> Outcome<()> {
        if self.buffer.len() - self.length < 65_536 {
            self.buffer.resize(self.buffer.len() + 262_144, 0);
        }
        match self.stream.read(&mut self.buffer[self.length..]).await? {
            0 => Err("the server has closed the connection".into()),
            read => {
                self.length += read;
                Ok(())
            }
        }
    }

    async fn fill_to(&mut self, length: usize) -> Outcome<()> {
        while self.length < length {
            self.fill().await?;
        }
        Ok(())
    }

    /// Where this is next found, from a place on.
    async fn find(&mut self, from: usize, what: &[u8]) -> Outcome<usize> {
        loop {
            if let Some(place) = memmem::find(&self.buffer[from.min(self.length)..self.length], what) {
                return Ok(from + place);
            }
            self.fill().await?;
        }
    }

    /// Reads a whole response: whether it is a good one, and how long its body is.
    async fn response(&mut self) -> Outcome<(bool, usize)> {
        self.length = 0;
        let body = self.find(0, b"\r\n\r\n").await? + 4;
        let head = String::from_utf8_lossy(&self.buffer[..body]).to_ascii_lowercase();
        let end = match head.split("content-length:").nth(1) {
            Some(rest) => body + rest.split("\r\n").next().unwrap_or("").trim().parse::<usize>()?,
            None => self.chunks(body).await?,
        };
        self.fill_to(end).await?;
        let good = head.starts_with("http/1.1 200") && memmem::find(&self.buffer[body..end], b"\"errors\":[").is_none();
        Ok((good, end - body))
    }

    /// Reads a body that comes in chunks, to its end.
    async fn chunks(&mut self, body: usize) -> Outcome<usize> {
        let mut place = body;
        loop {
            let line = self.find(place, b"\r\n").await?;
            let size = usize::from_str_radix(std::str::from_utf8(&self.buffer[place..line])?.trim(), 16)?;
            place = line + 2 + size + 2;
            self.fill_to(place).await?;
            if size == 0 {
                return Ok(place);
            }
        }
    }
}
