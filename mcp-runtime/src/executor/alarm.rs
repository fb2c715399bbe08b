//! What wakes the watchdog: the thread that leads, and the signals that ask the process to end.

#[cfg(not(unix))]
pub(super) use self::portable::Alarm;
#[cfg(unix)]
pub(super) use self::unix::Alarm;

#[cfg(unix)]
mod unix {
    use std::io::{self, Read, Write};
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use signal_hook::low_level::pipe;

    use crate::signals;

    /// A pair of sockets rather than a parked thread, since a signal can write and cannot unpark.
    #[derive(Debug)]
    pub(in super::super) struct Alarm {
        bell: UnixStream,
        ear: UnixStream,
        has_signal: Arc<AtomicBool>,
    }

    impl Alarm {
        /// Takes the signals too, for the rest of the process.
        pub(in super::super) fn new() -> io::Result<Self> {
            let (bell, ear) = UnixStream::pair()?;
            ear.set_nonblocking(true)?;
            bell.set_nonblocking(true)?;
            let alarm = Self { bell, ear, has_signal: Arc::default() };
            for signal in signals::ENDING {
                signals::end_at_second(signal, &alarm.has_signal)?;
                pipe::register(signal, alarm.bell.try_clone()?)?;
            }
            Ok(alarm)
        }

        /// Whether a signal has asked the process to end.
        pub(in super::super) fn has_signal(&self) -> bool {
            self.has_signal.load(Ordering::Relaxed)
        }

        /// Hears no more signals. The handlers stay, since the system's own cannot be had back: what comes after the serving,
        /// such as a hook that hangs, is ended by the next signal at once.
        pub(in super::super) fn retire(&self) {
            self.has_signal.store(true, Ordering::Relaxed);
        }

        /// Wakes whoever waits, or who waits next.
        pub(in super::super) fn ring(&self) {
            // Where the sockets are full, enough bytes wait to be heard.
            let _ = (&self.bell).write(&[0]);
        }

        /// Waits until it rings or a signal comes, or until the time is over if there is one.
        pub(in super::super) fn wait(&self, time: Option<Duration>) {
            let time = time.and_then(|time| Timespec::try_from(time).ok());
            // Interrupted is as good as woken: whoever waits looks again.
            if poll(&mut [PollFd::new(&self.ear, PollFlags::IN)], time.as_ref()) != Ok(0) {
                let mut heard = [0; 64];
                let _ = (&self.ear).read(&mut heard);
            }
        }
    }
}

/// Without signals, for which the system ends the process by itself.
#[cfg(not(unix))]
mod portable {
    use std::io;
    use std::sync::{Condvar, Mutex, PoisonError};
    use std::time::Duration;

    #[derive(Debug, Default)]
    pub(in super::super) struct Alarm {
        rings: Mutex<bool>,
        changed: Condvar,
    }

    impl Alarm {
        #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
        pub(in super::super) fn new() -> io::Result<Self> {
            Ok(Self::default())
        }

        #[expect(clippy::unused_self, reason = "elsewhere it has signals")]
        pub(in super::super) fn has_signal(&self) -> bool {
            false
        }

        #[expect(clippy::unused_self, reason = "elsewhere it has signals")]
        pub(in super::super) fn retire(&self) {}

        /// Wakes whoever waits, or who waits next.
        pub(in super::super) fn ring(&self) {
            *self.rings.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.changed.notify_one();
        }

        /// Waits until it rings, or until the time is over if there is one.
        pub(in super::super) fn wait(&self, time: Option<Duration>) {
            let rings = self.rings.lock().unwrap_or_else(PoisonError::into_inner);
            let time = time.unwrap_or(Duration::MAX);
            let waited = self.changed.wait_timeout_while(rings, time, |rings| !*rings);
            let (mut rings, _) = waited.unwrap_or_else(PoisonError::into_inner);
            *rings = false;
        }
    }
}
