//! A way out of the process that can be written to without waiting, for as much as goes at once.
//!
//! `O_NONBLOCK` is never set on a description that others share, since they would lose their output: a pipe is opened anew,
//! a socket is told for each call, and anything else gets a thread.

#[cfg(not(unix))]
pub(crate) use self::portable::Sink;
#[cfg(unix)]
pub(crate) use self::unix::{Sink, wait_readable};

/// What tells one pipe from another: two descriptors of one pipe have one identity.
pub(crate) type Identity = (u64, u64);

#[cfg(unix)]
mod unix {
    use std::fs::{File, Metadata, OpenOptions};
    use std::io::{self, ErrorKind};
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::net::SendFlags;

    use super::Identity;
    use crate::limits::DRAIN_GRACE;

    /// How long a wait for a descriptor lasts before it is tried again.
    const POLL_INTERVAL: Duration = Duration::from_secs(1);

    /// The same for a socket. Some are said to be full until most of what they hold is read, and take more long before: whoever
    /// waits at the end for a client that goes on reading has to see that it does.
    const SOCKET_INTERVAL: Duration = Duration::from_millis(50);

    const _: () = assert!(2 * SOCKET_INTERVAL.as_millis() <= DRAIN_GRACE.as_millis(), "what is read is seen in time");

    /// How much is given at once to what may take as long as it wants, so that it is seen how far it is.
    const PIECE_BYTES: usize = 4096;

    /// A broken socket is an error and no signal. Where the flag does not exist, Rust's runtime ignores the signal.
    #[cfg(not(target_vendor = "apple"))]
    const SOCKET_FLAGS: SendFlags = SendFlags::DONTWAIT.union(SendFlags::NOSIGNAL);
    #[cfg(target_vendor = "apple")]
    const SOCKET_FLAGS: SendFlags = SendFlags::DONTWAIT;

    /// What somebody else reads from.
    #[derive(Debug)]
    pub(crate) struct Sink {
        fd: OwnedFd,
        way: Way,
        identity: Identity,
    }

    /// How to write without waiting.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Way {
        /// A pipe that was opened anew, with a flag of its own.
        NonBlocking,
        /// A socket, told for each call.
        Socket,
        /// A file or the null device, where writing waits for nobody.
        File,
        /// Anything else, such as a terminal, which can be stopped: only a thread can.
        Thread,
    }

    impl Sink {
        pub(crate) fn new(fd: OwnedFd) -> io::Result<Self> {
            let file = File::from(fd);
            let metadata = file.metadata()?;
            let kind = metadata.file_type();
            let identity = (metadata.dev(), metadata.ino());
            let fd = OwnedFd::from(file);
            if kind.is_fifo() {
                // A description of our own. Where there is no /proc, a thread does it.
                let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
                if let Ok(own) = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path) {
                    return Ok(Self { fd: own.into(), way: Way::NonBlocking, identity });
                }
            }
            let way = if kind.is_socket() {
                Way::Socket
            } else if kind.is_file() || is_null_device(&metadata) {
                Way::File
            } else {
                Way::Thread
            };
            Ok(Self { fd, way, identity })
        }

        /// stderr, as it is now.
        pub(crate) fn stderr() -> io::Result<Self> {
            Self::new(io::stderr().as_fd().try_clone_to_owned()?)
        }

        /// What it has in common with other descriptors whose output it could mix with. What is written to a file at once
        /// stays whole.
        pub(crate) fn identity(&self) -> Option<Identity> {
            (self.way != Way::File).then_some(self.identity)
        }

        /// Writes what can be written without waiting. Where that is not everything, nothing more can be written now.
        pub(crate) fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
            if self.way == Way::Thread {
                return Ok(0);
            }
            let mut rest = bytes;
            while !rest.is_empty() {
                match self.write(rest) {
                    Ok(count) => {
                        rest = rest.get(count..).unwrap_or_default();
                        // A pipe or a socket is full if it takes less. Of a file, the next write tells what is the matter.
                        if self.way != Way::File {
                            break;
                        }
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error),
                }
            }
            Ok(bytes.len() - rest.len())
        }

        /// Writes once, and something: to write nothing is an error.
        fn write(&self, bytes: &[u8]) -> io::Result<usize> {
            let count = match self.way {
                Way::Socket => rustix::net::send(&self.fd, bytes, SOCKET_FLAGS)?,
                Way::NonBlocking | Way::File | Way::Thread => rustix::io::write(&self.fd, bytes)?,
            };
            if count == 0 { Err(ErrorKind::WriteZero.into()) } else { Ok(count) }
        }

        /// Writes everything, waiting as long as it takes; `progress` is told each step.
        pub(crate) fn write_all(&self, bytes: &[u8], mut progress: impl FnMut(usize)) -> io::Result<()> {
            let mut rest = bytes;
            while !rest.is_empty() {
                let piece = rest.get(..PIECE_BYTES).filter(|_| self.way == Way::Thread).unwrap_or(rest);
                match self.write(piece) {
                    Ok(count) => {
                        rest = rest.get(count..).unwrap_or_default();
                        progress(count);
                        if !rest.is_empty() && matches!(self.way, Way::NonBlocking | Way::Socket) {
                            // It is full now.
                            self.wait()?;
                        }
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait()?,
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        }

        /// Waits until it can be written to, or for a while.
        fn wait(&self) -> io::Result<()> {
            let time = if self.way == Way::Socket { SOCKET_INTERVAL } else { POLL_INTERVAL };
            wait_for(self.fd.as_fd(), PollFlags::OUT, time)
        }
    }

    /// Whether this is `/dev/null`, to which stderr often goes, and where std opens a stderr that was closed.
    fn is_null_device(metadata: &Metadata) -> bool {
        let is_null = |null: Metadata| null.rdev() == metadata.rdev() && null.file_type().is_char_device();
        metadata.file_type().is_char_device() && std::fs::metadata("/dev/null").is_ok_and(is_null)
    }

    /// Waits until the descriptor can be read, or for a while.
    pub(crate) fn wait_readable(fd: BorrowedFd<'_>) -> io::Result<()> {
        wait_for(fd, PollFlags::IN, POLL_INTERVAL)
    }

    fn wait_for(fd: BorrowedFd<'_>, flags: PollFlags, time: Duration) -> io::Result<()> {
        let timeout = Timespec::try_from(time).ok();
        match poll(&mut [PollFd::from_borrowed_fd(fd, flags)], timeout.as_ref()) {
            Err(error) if error != rustix::io::Errno::INTR => Err(error.into()),
            _ => Ok(()),
        }
    }
}

/// Without descriptors that can be asked, everything gets a thread.
#[cfg(not(unix))]
mod portable {
    use std::io::{self, Write};

    use super::Identity;

    /// What somebody else reads from.
    #[derive(Debug)]
    pub(crate) enum Sink {
        Stdout(io::Stdout),
        Stderr(io::Stderr),
    }

    impl Sink {
        #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
        pub(crate) fn stderr() -> io::Result<Self> {
            Ok(Self::Stderr(io::stderr()))
        }

        #[expect(clippy::unused_self, reason = "it is known elsewhere")]
        pub(crate) fn identity(&self) -> Option<Identity> {
            None
        }

        #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "it can be done, and fail, elsewhere")]
        pub(crate) fn write_now(&self, _: &[u8]) -> io::Result<usize> {
            Ok(0)
        }

        pub(crate) fn write_all(&self, bytes: &[u8], mut progress: impl FnMut(usize)) -> io::Result<()> {
            match self {
                Self::Stdout(stdout) => {
                    let mut stdout = stdout.lock();
                    stdout.write_all(bytes)?;
                    stdout.flush()?;
                }
                Self::Stderr(stderr) => stderr.lock().write_all(bytes)?,
            }
            progress(bytes.len());
            Ok(())
        }
    }
}
