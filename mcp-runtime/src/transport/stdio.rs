//! The standard streams of the process, taken over for the protocol.
//!
//! The descriptors are moved away first, so that neither a stray `println!` nor a child process can break a frame: what
//! is printed goes to stderr, and stdin is empty. `O_NONBLOCK` is never set on a description that others share, since they
//! would lose their output: a pipe is opened anew, a socket is told for each call, and anything else gets a thread.
//!
//! Spec: 2026-07-28, `basic/transports/stdio`.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    Ok((input, Output::new(sink, max_output_bytes)))
}

/// The way out of the process. What cannot be written at once is kept and written by a thread, which is started when it
/// is first needed, so that whoever sends never waits for the client.
#[derive(Debug)]
pub(crate) struct Output {
    sink: streams::Sink,
    backlog: Mutex<Backlog>,
    /// Told when the backlog grows from nothing and when it becomes shorter.
    changed: Condvar,
    /// How long the backlog may become before what may be lost is.
    max_bytes: usize,
    myself: std::sync::Weak<Self>,
}

#[derive(Debug, Default)]
struct Backlog {
    bytes: Vec<u8>,
    /// How many bytes the writer thread has in hand.
    writing: usize,
    has_writer: bool,
    /// Nobody reads any more; all further output is dropped.
    broken: bool,
    /// Why, unless the client has just gone.
    failure: Option<io::Error>,
}

impl Backlog {
    fn len(&self) -> usize {
        self.bytes.len() + self.writing
    }
}

impl Output {
    fn new(sink: streams::Sink, max_bytes: usize) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            sink,
            backlog: Mutex::default(),
            changed: Condvar::new(),
            max_bytes,
            myself: myself.clone(),
        })
    }

    /// Blocks the thread until fewer than `bytes` (at least 1) wait to be written, or the client has stopped reading, or
    /// `patience` has passed. Returns whether the wait is over.
    pub(crate) fn wait_below(&self, bytes: usize, patience: Duration) -> bool {
        let full = |backlog: &mut Backlog| backlog.len() >= bytes.max(1) && !backlog.broken;
        let waited = self.changed.wait_timeout_while(self.backlog(), patience, full);
        let (mut backlog, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !full(&mut backlog)
    }

    /// Blocks the thread until everything is written, or until the deadline if there is one.
    ///
    /// # Errors
    /// Why not everything was written, unless the client has gone.
    pub(crate) fn drain(&self, deadline: Option<Instant>) -> io::Result<()> {
        let busy = |backlog: &mut Backlog| backlog.len() > 0 && !backlog.broken;
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = left.unwrap_or(Duration::MAX);
        let waited = self.changed.wait_timeout_while(self.backlog(), left, busy);
        let (mut backlog, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if busy(&mut backlog) {
            return Err(io::Error::other(format!("the client has not read {} bytes in time", backlog.len())));
        }
        backlog.failure.take().map_or(Ok(()), Err)
    }

    /// Whether so many bytes wait to be written.
    pub(crate) fn is_over(&self, bytes: usize) -> bool {
        self.backlog().len() >= bytes.max(1)
    }

    /// Whether the client has stopped reading.
    pub(crate) fn is_broken(&self) -> bool {
        self.backlog().broken
    }

    /// Writes what fits at once; returns how much that was.
    fn write_now(&self, backlog: &mut Backlog, frames: &[u8]) -> usize {
        let mut written = 0;
        while let Some(rest) = frames.get(written..).filter(|rest| !rest.is_empty()) {
            match self.sink.write_now(rest) {
                Ok(0) => break,
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => {
                    Self::broke(backlog, error);
                    break;
                }
            }
        }
        written
    }

    fn broke(backlog: &mut Backlog, error: io::Error) {
        tracing::debug!(%error, "nothing more can be written");
        backlog.broken = true;
        backlog.bytes = Vec::new();
        // That the client goes without reading on is its right.
        backlog.failure = Some(error).filter(|error| error.kind() != ErrorKind::BrokenPipe);
    }

    fn start_writer(&self, backlog: &mut Backlog) {
        if backlog.has_writer {
            self.changed.notify_all();
            return;
        }
        let Some(output) = self.myself.upgrade() else { return };
        let thread = std::thread::Builder::new().name("mcp-writer".into());
        match thread.spawn(move || output.write_backlog()) {
            Ok(_) => backlog.has_writer = true,
            // The next frame tries again; what waits is not lost.
            Err(error) => tracing::error!(%error, "cannot start a thread to write with"),
        }
    }

    /// The writer thread: writes what waits, and sleeps while nothing does.
    fn write_backlog(&self) {
        loop {
            let bytes = {
                let empty = |backlog: &mut Backlog| backlog.bytes.is_empty();
                let backlog = self.changed.wait_while(self.backlog(), empty);
                let mut backlog = backlog.unwrap_or_else(PoisonError::into_inner);
                backlog.writing = backlog.bytes.len();
                std::mem::take(&mut backlog.bytes)
            };
            let result = self.sink.write_all(&bytes, |count| {
                let mut backlog = self.backlog();
                backlog.writing = backlog.writing.saturating_sub(count);
                drop(backlog);
                self.changed.notify_all();
            });
            let mut backlog = self.backlog();
            backlog.writing = 0;
            if let Err(error) = result {
                Self::broke(&mut backlog, error);
            }
            self.changed.notify_all();
        }
    }

    /// Only our own code runs under the lock, and it leaves the backlog whole at every step.
    fn backlog(&self) -> MutexGuard<'_, Backlog> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Output {
    fn send(&self, frames: &[u8]) {
        if frames.is_empty() {
            return;
        }
        wire::sent(frames);
        let mut backlog = self.backlog();
        if backlog.broken {
            return;
        }
        let written = if backlog.len() == 0 { self.write_now(&mut backlog, frames) } else { 0 };
        let rest = frames.get(written..).unwrap_or_default();
        if !rest.is_empty() && !backlog.broken {
            backlog.bytes.extend_from_slice(rest);
            self.start_writer(&mut backlog);
        }
    }

    fn offer(&self, frames: &[u8]) {
        if self.backlog().len() < self.max_bytes {
            self.send(frames);
        }
    }
}

/// How long a wait for a descriptor lasts before it is looked at again.
#[cfg(unix)]
const POLL_INTERVAL: Duration = Duration::from_secs(1);

#[cfg(unix)]
mod unix {
    use std::fs::{File, OpenOptions};
    use std::io::{self, ErrorKind, Read};
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::net::SendFlags;

    /// A broken socket is an error and no signal. Where the flag does not exist, Rust's runtime ignores the signal.
    #[cfg(not(target_vendor = "apple"))]
    const SOCKET_FLAGS: SendFlags = SendFlags::DONTWAIT.union(SendFlags::NOSIGNAL);
    #[cfg(target_vendor = "apple")]
    const SOCKET_FLAGS: SendFlags = SendFlags::DONTWAIT;

    /// What the client writes to.
    #[derive(Debug)]
    pub(crate) struct Input(File);

    /// What the client reads from.
    #[derive(Debug)]
    pub(super) struct Sink {
        fd: OwnedFd,
        way: Way,
    }

    /// How to write without waiting.
    #[derive(Debug, Clone, Copy)]
    enum Way {
        /// A pipe that was opened anew, with a flag of its own.
        NonBlocking,
        /// A socket, told for each call.
        Socket,
        /// A file, where writing waits for nobody.
        File,
        /// Anything else: only a thread can.
        Thread,
    }

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
                    Err(error) if error.kind() == ErrorKind::WouldBlock => wait(self.0.as_fd(), PollFlags::IN)?,
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

    impl Sink {
        fn new(fd: OwnedFd) -> io::Result<Self> {
            let file = File::from(fd);
            let kind = file.metadata()?.file_type();
            let fd = OwnedFd::from(file);
            if kind.is_fifo() {
                // A description of our own. Where there is no /proc, a thread does it.
                let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
                let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
                if let Ok(own) = OpenOptions::new().write(true).custom_flags(flags).open(path) {
                    return Ok(Self { fd: own.into(), way: Way::NonBlocking });
                }
            }
            let way = if kind.is_socket() {
                Way::Socket
            } else if kind.is_file() {
                Way::File
            } else {
                Way::Thread
            };
            Ok(Self { fd, way })
        }

        /// Writes what can be written without waiting.
        pub(super) fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
            match self.way {
                Way::NonBlocking | Way::File => Ok(rustix::io::write(&self.fd, bytes)?),
                Way::Socket => Ok(rustix::net::send(&self.fd, bytes, SOCKET_FLAGS)?),
                Way::Thread => Err(ErrorKind::WouldBlock.into()),
            }
        }

        /// Writes everything, waiting as long as it takes; `progress` is told each step.
        pub(super) fn write_all(&self, bytes: &[u8], mut progress: impl FnMut(usize)) -> io::Result<()> {
            let mut rest = bytes;
            while !rest.is_empty() {
                let written = match self.way {
                    Way::Thread => rustix::io::write(&self.fd, rest).map_err(io::Error::from),
                    _ => self.write_now(rest),
                };
                match written {
                    Ok(0) => return Err(ErrorKind::WriteZero.into()),
                    Ok(count) => {
                        rest = rest.get(count..).unwrap_or_default();
                        progress(count);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => wait(self.fd.as_fd(), PollFlags::OUT)?,
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        }
    }

    /// Waits until the descriptor is ready, or for a while.
    fn wait(fd: BorrowedFd<'_>, flags: PollFlags) -> io::Result<()> {
        let timeout = Timespec::try_from(super::POLL_INTERVAL).ok();
        match poll(&mut [PollFd::from_borrowed_fd(fd, flags)], timeout.as_ref()) {
            Err(error) if error != rustix::io::Errno::INTR => Err(error.into()),
            _ => Ok(()),
        }
    }
}

/// Without descriptors that can be moved, the streams stay where they are: a tool must not print.
#[cfg(not(unix))]
mod portable {
    use std::io::{self, ErrorKind, Read, Write};

    /// What the client writes to.
    #[derive(Debug)]
    pub(crate) struct Input(io::Stdin);

    /// What the client reads from.
    #[derive(Debug)]
    pub(super) struct Sink(io::Stdout);

    #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
    pub(super) fn take() -> io::Result<(Input, Sink)> {
        Ok((Input(io::stdin()), Sink(io::stdout())))
    }

    impl Input {
        pub(crate) fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            self.0.lock().read(space)
        }

        pub(crate) fn is_closed(&self) -> bool {
            false
        }
    }

    impl Sink {
        pub(super) fn write_now(&self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::WouldBlock.into())
        }

        pub(super) fn write_all(&self, bytes: &[u8], mut progress: impl FnMut(usize)) -> io::Result<()> {
            let mut stdout = self.0.lock();
            stdout.write_all(bytes)?;
            stdout.flush()?;
            progress(bytes.len());
            Ok(())
        }
    }
}
