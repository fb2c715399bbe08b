//! The standard streams of the process, taken over for the protocol.
//!
//! The descriptors are moved away first, so that neither a stray `println!` nor a child process can break a frame: what
//! is printed goes to stderr, and stdin is empty.
//!
//! Spec: 2026-07-28, `basic/transports/stdio`.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::writer::Writer;
use crate::limits::DRAIN_GRACE;
use crate::outlet::Outlet;
use crate::wire;

#[cfg(not(unix))]
use self::portable as streams;
#[cfg(unix)]
use self::unix as streams;

pub(crate) use self::streams::Input;

/// Takes stdin and stdout away from everyone else.
///
/// # Errors
/// If the descriptors cannot be moved.
pub(crate) fn take(max_output_bytes: usize) -> io::Result<(Input, Arc<Output>)> {
    let (input, sink) = streams::take()?;
    Ok((input, Arc::new(Output { writer: Writer::open(sink), max_bytes: max_output_bytes })))
}

/// The way to the client.
#[derive(Debug)]
pub(crate) struct Output {
    writer: Arc<Writer>,
    /// How long the backlog may become before what may be lost is.
    max_bytes: usize,
}

impl Output {
    /// Blocks the thread until fewer than `bytes` (at least 1) wait to be written, or the client has stopped reading, or
    /// `patience` has passed. Returns whether the wait is over.
    pub(crate) fn wait_below(&self, bytes: usize, patience: Duration) -> bool {
        !self.writer.has_waited() || self.writer.wait_below(bytes, patience)
    }

    /// Blocks the thread until everything is written, or until the deadline if there is one. A client that goes on reading
    /// is waited for beyond it.
    ///
    /// # Errors
    /// Why not everything was written, unless the client has gone.
    pub(crate) fn drain(&self, deadline: Option<Instant>) -> io::Result<()> {
        let mut patience =
            deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
        let mut left = usize::MAX;
        // With the lock: another thread may be about to write.
        while !self.writer.wait_below(1, patience) {
            let now = self.writer.len();
            if now >= left {
                return Err(io::Error::other(format!("the client has not read {now} bytes in time")));
            }
            (left, patience) = (now, DRAIN_GRACE);
        }
        match self.writer.failure() {
            // That the client goes without reading on is its right.
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                tracing::debug!("the client has stopped reading");
                Ok(())
            }
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Sends all frames of a buffer, and leaves it empty.
    pub(crate) fn send_all(&self, frames: &mut Vec<u8>) {
        if !frames.is_empty() {
            wire::sent(frames);
            report(self.writer.send_all(frames));
        }
    }

    /// Whether so many bytes wait to be written.
    pub(crate) fn is_over(&self, bytes: usize) -> bool {
        self.writer.len() >= bytes.max(1)
    }

    /// Whether the client has stopped reading.
    pub(crate) fn is_broken(&self) -> bool {
        self.writer.is_broken()
    }
}

/// A thread that cannot be started is tried again by whoever sends next.
fn report(sent: io::Result<()>) {
    if let Err(error) = sent {
        tracing::error!(%error, "cannot start a thread to write with");
    }
}

impl Outlet for Output {
    fn send(&self, frames: &[u8]) {
        if !frames.is_empty() {
            wire::sent(frames);
            report(self.writer.send(frames));
        }
    }

    fn offer(&self, frames: &[u8]) -> bool {
        let has_room = self.writer.len() < self.max_bytes;
        if has_room {
            self.send(frames);
        }
        has_room
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, ErrorKind, Read};
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use crate::transport::sink::{Sink, wait_readable};

    /// What the client writes to.
    #[derive(Debug)]
    pub(crate) struct Input(File);

    pub(super) fn take() -> io::Result<(Input, Sink)> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        rustix::stdio::dup2_stdout(io::stderr())?;
        Ok((Input(File::from(input)), Sink::new(output)?))
    }

    impl Input {
        /// Reads what is there, waiting until something is. Nothing means the end.
        pub(crate) fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            loop {
                match self.0.read(space) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // Whoever started us has set `O_NONBLOCK`.
                    Err(error) if error.kind() == ErrorKind::WouldBlock => wait_readable(self.0.as_fd())?,
                    read => return read,
                }
            }
        }

        /// Whether the client has closed its end, even if not all is read yet.
        pub(crate) fn is_closed(&self) -> bool {
            #[cfg(target_os = "linux")]
            let asked = PollFlags::RDHUP;
            #[cfg(not(target_os = "linux"))]
            let asked = PollFlags::empty();
            let mut fds = [PollFd::from_borrowed_fd(self.0.as_fd(), asked)];
            let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
            poll(&mut fds, Some(&at_once)).is_ok_and(|ready| ready > 0)
        }
    }
}

/// Without descriptors that can be moved, the streams stay where they are: a tool must not print.
#[cfg(not(unix))]
mod portable {
    use std::io::{self, Read};

    use crate::transport::sink::Sink;

    /// What the client writes to.
    #[derive(Debug)]
    pub(crate) struct Input(io::Stdin);

    #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
    pub(super) fn take() -> io::Result<(Input, Sink)> {
        Ok((Input(io::stdin()), Sink::Stdout(io::stdout())))
    }

    impl Input {
        pub(crate) fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            self.0.lock().read(space)
        }

        pub(crate) fn is_closed(&self) -> bool {
            false
        }
    }
}
