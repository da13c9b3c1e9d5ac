//! What the load programs share: arguments, sockets, the processor time and memory of process trees, and percentiles.
//!
//! Always holds: times of processors come from `/proc`, so the programs run on Linux alone.

use std::collections::HashMap;
use std::fs;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// What may go wrong in a program that ends when something does.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
/// An outcome of these programs.
pub type Outcome<T> = Result<T, Failure>;

/// The value after `--name`.
pub fn find(name: &str) -> Option<String> {
    find_all(name).into_iter().next()
}

/// The value after `--name`, which must be there.
pub fn needed(name: &str) -> Outcome<String> {
    find(name).ok_or_else(|| format!("--{name} is missing").into())
}

/// The number after `--name`, or this one.
pub fn number(name: &str, otherwise: f64) -> Outcome<f64> {
    find(name).map_or(Ok(otherwise), |text| Ok(text.parse()?))
}

/// Every value after `--name`.
pub fn find_all(name: &str) -> Vec<String> {
    let flag = format!("--{name}");
    let words: Vec<String> = std::env::args().collect();
    words.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].clone()).collect()
}

/// A socket.
pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Opens a socket that speaks graphql-transport-ws, and waits until it is taken.
pub async fn connect(url: &str, token: Option<&str>) -> Outcome<Socket> {
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("Sec-WebSocket-Protocol", "graphql-transport-ws".parse()?);
    if let Some(token) = token {
        request.headers_mut().insert("Authorization", format!("Bearer {token}").parse()?);
    }
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
    socket.send(Message::text(r#"{"type":"connection_init","payload":{}}"#)).await?;
    match socket.next().await.ok_or("no answer")?? {
        Message::Text(text) if text.contains("connection_ack") => Ok(socket),
        other => Err(format!("refused: {other:?}").into()),
    }
}

/// A process with all below it, under a name: `name=pid`.
pub struct Tree {
    name: String,
    root: u32,
}

/// What a tree has used so far: seconds of processors, and KiB that are resident.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    pub seconds: f64,
    pub resident: u64,
}

/// What the trees, this program and the whole machine have used at one moment.
pub struct Moment {
    trees: Vec<Usage>,
    own: f64,
    machine: f64,
}

/// The trees named by `--tree`.
pub fn trees() -> Outcome<Vec<Tree>> {
    let parse = |text: String| {
        let (name, root) = text.split_once('=').ok_or("--tree is name=pid")?;
        Ok(Tree { name: name.to_owned(), root: root.parse()? })
    };
    find_all("tree").into_iter().map(parse).collect()
}

/// Looks at the trees and the machine now.
pub fn look(trees: &[Tree]) -> Outcome<Moment> {
    let usage = trees.iter().map(|tree| used(tree.root)).collect::<Outcome<_>>()?;
    Ok(Moment { trees: usage, own: used(std::process::id())?.seconds, machine: machine()? })
}

/// Writes what the trees used between two moments into a result: cores, milliseconds for each of `count` things, memory, and
/// the cores that somebody else used.
pub fn tell(result: &mut Value, trees: &[Tree], (before, after): (&Moment, &Moment), seconds: f64, count: usize) {
    let mut known = after.own - before.own;
    for ((tree, before), after) in trees.iter().zip(&before.trees).zip(&after.trees) {
        let used = after.seconds - before.seconds;
        known += used;
        result[format!("{}_cores", tree.name)] = json!(used / seconds);
        result[format!("{}_cpu_ms", tree.name)] = json!(used * 1e3 / count.max(1) as f64);
        result[format!("{}_rss_mb", tree.name)] = json!(after.resident as f64 / 1024.0);
    }
    result["load_cores"] = json!((after.own - before.own) / seconds);
    result["others_cores"] = json!(((after.machine - before.machine - known) / seconds).max(0.0));
}

/// The tree below a process: its members' own time and what each has reaped.
fn used(root: u32) -> Outcome<Usage> {
    let ticks = rustix::param::clock_ticks_per_second() as f64;
    let page = rustix::param::page_size() as u64 / 1024;
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut usage: HashMap<u32, Usage> = HashMap::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        // The name of a program may hold anything, so the fields are counted from its closing bracket.
        let Some((_, fields)) = stat.rsplit_once(") ") else { continue };
        let fields: Vec<u64> = fields.split(' ').map(|field| field.parse().unwrap_or(0)).collect();
        let [_, parent, ..] = fields[..] else { continue };
        let seconds = fields.iter().skip(11).take(4).sum::<u64>() as f64 / ticks;
        usage.insert(pid, Usage { seconds, resident: fields.get(21).unwrap_or(&0) * page });
        children.entry(parent as u32).or_default().push(pid);
    }
    let (mut total, mut waiting) = (Usage::default(), vec![root]);
    while let Some(pid) = waiting.pop() {
        if let Some(one) = usage.get(&pid) {
            total.seconds += one.seconds;
            total.resident += one.resident;
        }
        waiting.extend(children.get(&pid).into_iter().flatten());
    }
    Ok(total)
}

/// KiB that the processes of a tree have resident now.
pub fn resident(tree: &Tree) -> Outcome<u64> {
    Ok(used(tree.root)?.resident)
}

/// Seconds that the machine's processors were busy.
fn machine() -> Outcome<f64> {
    let stat = fs::read_to_string("/proc/stat")?;
    let fields: Vec<f64> = stat.lines().next().unwrap_or("").split_whitespace().skip(1).map(|field| field.parse().unwrap_or(0.0)).collect();
    // All but idle and waiting for disks.
    let busy = [0, 1, 2, 5, 6, 7].iter().filter_map(|place| fields.get(*place)).sum::<f64>();
    Ok(busy / rustix::param::clock_ticks_per_second() as f64)
}

/// Percentiles of nanoseconds, in milliseconds.
pub fn percentiles(nanoseconds: &mut [u64]) -> Value {
    nanoseconds.sort_unstable();
    let last = nanoseconds.len().saturating_sub(1);
    let at = |share: f64| nanoseconds.get(((nanoseconds.len() as f64 * share) as usize).min(last)).map(|value| *value as f64 / 1e6);
    json!({"p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "max": at(1.0)})
}
