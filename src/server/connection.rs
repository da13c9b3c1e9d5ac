//! One TCP connection as the transports see it: how much it has taken, and an end to those that take nothing.
//!
//! Always holds: a client that takes not a byte of a response for as long as the limit says loses its
//! connection, so nothing is kept for the dead; that of a stream of events as soon as that of a socket. Not here: sockets, which are
//! told why (`socket/outbox.rs`).

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use metrics::counter;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use crate::core::metric;

/// How many bytes the system has taken for the client; whoever holds it sees whether the client reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress(Arc<Taken>);

#[derive(Debug, Default)]
struct Taken {
    bytes: AtomicU64,
    /// How long, in milliseconds, the client of a stream may take nothing; 0 while nothing is streamed.
    stream: AtomicU64,
}

impl Progress {
    /// Bytes so far.
    pub(crate) fn written(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// A stream is answered, whose client may take nothing for so long; until what is given back is dropped.
    pub(crate) fn stream(&self, limit: Duration) -> Reading {
        let millis = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX).max(1);
        self.0.stream.store(millis, Ordering::Relaxed);
        Reading(self.clone())
    }

    fn limit(&self) -> Option<Duration> {
        Some(self.0.stream.load(Ordering::Relaxed)).filter(|millis| *millis > 0).map(Duration::from_millis)
    }
}

/// That the client of a connection has a stream to read.
pub(crate) struct Reading(Progress);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.0.stream.store(0, Ordering::Relaxed);
    }
}

/// A connection that notices when its client has stopped reading.
pub(crate) struct Connection {
    stream: TcpStream,
    progress: Progress,
    limit: Duration,
    /// Set while a write waits; boxed, since most never do.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, limit: Duration) -> (Self, Progress) {
        let progress = Progress::default();
        (Self { stream, progress: progress.clone(), limit, stalled: None }, progress)
    }

    fn note(&mut self, cx: &mut Context<'_>, write: Poll<Result<usize>>) -> Poll<Result<usize>> {
        if let Poll::Ready(done) = write {
            self.stalled = None;
            if let Ok(bytes) = &done {
                self.progress.0.bytes.fetch_add(*bytes as u64, Ordering::Relaxed);
            }
            return Poll::Ready(done);
        }
        let streams = self.progress.limit();
        let limit = streams.unwrap_or(self.limit);
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + limit)));
        ready!(stalled.as_mut().poll(cx));
        if streams.is_some() {
            counter!(metric::SLOW_READERS).increment(1);
        }
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(cx, write)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, parts: &[IoSlice<'_>]) -> Poll<Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.note(cx, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
