//! Bytes to and from the other side, never more than it needs to say.

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::{Tried, failed};

/// The most that is read in a test.
const MOST_BYTES: usize = 256 * 1024;

/// What bytes go through: a connection, encrypted or not.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A connection that is spoken on.
pub(super) struct Wire {
    stream: Box<dyn Stream>,
    left: usize,
}

impl Wire {
    pub(super) fn new(stream: Box<dyn Stream>) -> Self {
        Self { stream, left: MOST_BYTES }
    }

    /// Reads this many bytes.
    pub(super) async fn read(&mut self, count: usize) -> Tried<Vec<u8>> {
        // Before any memory is taken for it.
        let Some(left) = self.left.checked_sub(count) else { return garbage() };
        self.left = left;
        let mut bytes = vec![0; count];
        match self.stream.read_exact(&mut bytes).await {
            Ok(_) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => failed("The other side closed the connection."),
            Err(error) => failed(format!("The connection broke: {}.", error.kind())),
        }
    }

    /// Reads this many bytes as one array.
    pub(super) async fn take<const N: usize>(&mut self) -> Tried<[u8; N]> {
        self.read(N).await?.try_into().or_else(|_| garbage())
    }

    /// Writes all of it.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> Tried<()> {
        let written = async {
            self.stream.write_all(bytes).await?;
            self.stream.flush().await
        };
        written.await.or_else(|error| failed(format!("The connection broke: {}.", error.kind())))
    }
}

/// What came makes no sense; it is not shown, as it may be anything.
pub(super) fn garbage<T>() -> Tried<T> {
    failed("Something answers there, but does not speak the protocol of such a service.")
}

/// The parts of a message, read one after the other.
pub(super) struct Parts<'a>(pub(super) &'a [u8]);

impl<'a> Parts<'a> {
    pub(super) fn bytes(&mut self, count: usize) -> Tried<&'a [u8]> {
        let Some((taken, rest)) = self.0.split_at_checked(count) else { return garbage() };
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn take<const N: usize>(&mut self) -> Tried<[u8; N]> {
        self.bytes(N)?.try_into().or_else(|_| garbage())
    }

    /// A text that ends with a zero.
    pub(super) fn text(&mut self) -> Tried<String> {
        let Some(end) = self.0.iter().position(|byte| *byte == 0) else { return garbage() };
        let text = String::from_utf8_lossy(self.bytes(end)?).into_owned();
        self.bytes(1)?;
        Ok(text)
    }
}
