//! Writing without waiting for whoever reads: what does not go at once is kept and written by a thread, which is started
//! when it is first needed.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::sink::{Identity, Sink};
use crate::slack::{KEPT_BYTES, Slack};
use crate::threads;

/// How many bytes a pipe takes in one piece or not at all, at most (`PIPE_BUF` of Linux).
const PIECE_BYTES: usize = 4096;

/// How long a buffer that has grown is kept while nothing waits.
const LINGER: Duration = Duration::from_millis(100);

/// The writers there are, by what they write to.
static WRITERS: Mutex<Vec<(Identity, Weak<Writer>)>> = Mutex::new(Vec::new());

/// What becomes of lines that may be lost.
#[derive(Debug)]
pub(crate) struct Losable {
    /// How many bytes may wait for the reader; the last line may go beyond.
    pub(crate) max_bytes: usize,
    /// How long a line waits for room, while none is lost.
    pub(crate) patience: Duration,
    /// Says how many are, once there is room.
    pub(crate) notice: fn(u64) -> String,
}

/// A sink with a backlog. Nothing in here logs, since the log is written by one.
#[derive(Debug)]
pub(crate) struct Writer {
    sink: Sink,
    backlog: Mutex<Backlog>,
    /// Whether anything has ever had to wait. For most readers nothing has, and nobody need look.
    has_waited: AtomicBool,
    /// Told when the thread has something to write.
    work: Condvar,
    /// Told when there is less to write, or no hope that there will be.
    room: Condvar,
    /// How long the thread keeps memory while nothing waits.
    linger: Duration,
    myself: Weak<Self>,
}

#[derive(Debug, Default)]
struct Backlog {
    bytes: Vec<u8>,
    /// How many of them are written already.
    written: usize,
    /// How many bytes the writer thread has in hand.
    writing: usize,
    has_thread: bool,
    /// Whether the thread waits for work, and was not told of any yet.
    thread_sleeps: bool,
    /// How many threads wait for room.
    waiting_for_room: usize,
    /// Lines that were not taken, and of which the reader is not told yet.
    lost: Option<Lost>,
    /// Nobody reads any more; all further output is dropped.
    broken: bool,
    /// Why.
    failure: Option<io::Error>,
}

#[derive(Debug)]
struct Lost {
    lines: u64,
    terms: &'static Losable,
}

impl Backlog {
    fn len(&self) -> usize {
        self.bytes.len() - self.written + self.writing
    }

    fn broke(&mut self, error: io::Error) {
        self.broken = true;
        (self.bytes, self.written) = (Vec::new(), 0);
        self.lost = None;
        self.failure = Some(error);
    }

    /// Says what was lost, in its place among the lines. Not before half of the backlog is free, so that a slow reader gets
    /// more lines than notices.
    fn own_up(&mut self) {
        let len = self.len();
        if let Some(lost) = self.lost.take_if(|lost| len <= lost.terms.max_bytes / 2) {
            self.bytes.extend_from_slice((lost.terms.notice)(lost.lines).as_bytes());
        }
    }
}

impl Writer {
    /// The writer to a sink. Where stdout and stderr are one pipe, as after `2>&1`, they have one writer: what the one is
    /// given in several pieces would otherwise be broken by what the other is given.
    pub(crate) fn open(sink: Sink) -> Arc<Self> {
        let mut writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
        // A number may be given to another pipe once nobody holds this one any more.
        writers.retain(|(_, writer)| writer.strong_count() > 0);
        let Some(identity) = sink.identity() else { return Self::new(sink, LINGER) };
        let same = writers.iter().find(|(other, _)| *other == identity);
        if let Some(writer) = same.and_then(|(_, writer)| writer.upgrade()) {
            return writer;
        }
        let writer = Self::new(sink, LINGER);
        writers.push((identity, Arc::downgrade(&writer)));
        writer
    }

    fn new(sink: Sink, linger: Duration) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            sink,
            backlog: Mutex::default(),
            has_waited: AtomicBool::new(false),
            work: Condvar::new(),
            room: Condvar::new(),
            linger,
            myself: myself.clone(),
        })
    }

    /// Writes the bytes, now or later.
    ///
    /// # Errors
    /// If no thread can be started. What waits is not lost: the next call tries again.
    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<()> {
        self.put(self.backlog(), bytes)
    }

    /// Writes a whole buffer, now or later, and leaves it empty. What has to wait is not copied where nothing waits before it.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    pub(crate) fn send_all(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut backlog = self.backlog();
        if backlog.broken {
            bytes.clear();
            return Ok(());
        }
        let written = if backlog.len() == 0 { self.write_now(&mut backlog, bytes) } else { 0 };
        let sent = if written == bytes.len() || backlog.broken {
            Ok(())
        } else if backlog.bytes.is_empty() {
            std::mem::swap(&mut backlog.bytes, bytes);
            backlog.written = written;
            self.wake_thread(backlog)
        } else {
            backlog.bytes.extend_from_slice(bytes);
            self.wake_thread(backlog)
        };
        bytes.clear();
        sent
    }

    /// Writes a line now or later, unless too much waits already.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    pub(crate) fn send_or_lose(&self, line: &[u8], terms: &'static Losable) -> io::Result<()> {
        let no_room = |backlog: &mut Backlog| backlog.len() >= terms.max_bytes && !backlog.broken;
        let worth_waiting = |backlog: &mut Backlog| no_room(backlog) && backlog.lost.is_none();
        let mut backlog = self.wait_for_room_while(terms.patience, worth_waiting);
        if backlog.failure.as_ref().is_some_and(|error| error.kind() == ErrorKind::StorageFull) {
            // A disk may have room again.
            backlog.broken = false;
            backlog.failure = None;
        }
        if backlog.lost.is_none() && !no_room(&mut backlog) {
            return self.put(backlog, line);
        }
        if backlog.lost.is_none() {
            // The others who wait for room need not wait any more.
            self.room.notify_all();
        }
        backlog.lost.get_or_insert(Lost { lines: 0, terms }).lines += 1;
        // If it could not be started before, it is tried again.
        self.wake_thread(backlog)
    }

    /// Blocks the thread until fewer than `bytes` (at least 1) wait to be written, or nobody reads any more, or `patience`
    /// has passed. Returns whether the wait is over.
    pub(crate) fn wait_below(&self, bytes: usize, patience: Duration) -> bool {
        let full = |backlog: &mut Backlog| backlog.len() >= bytes.max(1) && !backlog.broken;
        !full(&mut self.wait_for_room_while(patience, full))
    }

    /// Waits while there is no room, as the condition says, but not longer than `patience`. It is looked at when the backlog
    /// becomes shorter.
    fn wait_for_room_while(
        &self,
        patience: Duration,
        condition: impl FnMut(&mut Backlog) -> bool,
    ) -> MutexGuard<'_, Backlog> {
        let mut backlog = self.backlog();
        backlog.waiting_for_room += 1;
        let waited = self.room.wait_timeout_while(backlog, patience, condition);
        let (mut backlog, _) = waited.unwrap_or_else(PoisonError::into_inner);
        backlog.waiting_for_room -= 1;
        backlog
    }

    /// Whether anything had to wait before now. What is written at this moment may be the first that does.
    pub(crate) fn has_waited(&self) -> bool {
        self.has_waited.load(Ordering::Acquire)
    }

    /// How many bytes wait to be written.
    pub(crate) fn len(&self) -> usize {
        if self.has_waited() { self.backlog().len() } else { 0 }
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.backlog().broken
    }

    /// Why nothing more can be written, for the first who asks.
    pub(crate) fn failure(&self) -> Option<io::Error> {
        self.backlog().failure.take()
    }

    fn put(&self, mut backlog: MutexGuard<'_, Backlog>, bytes: &[u8]) -> io::Result<()> {
        if backlog.broken {
            return Ok(());
        }
        let written = if backlog.len() == 0 { self.write_now(&mut backlog, bytes) } else { 0 };
        let rest = bytes.get(written..).unwrap_or_default();
        if rest.is_empty() || backlog.broken {
            return Ok(());
        }
        backlog.bytes.extend_from_slice(rest);
        self.wake_thread(backlog)
    }

    /// Writes what fits at once; returns how much that was.
    fn write_now(&self, backlog: &mut Backlog, bytes: &[u8]) -> usize {
        self.sink.write_now(bytes).unwrap_or_else(|error| {
            backlog.broke(error);
            0
        })
    }

    /// To be called with something that waits.
    fn wake_thread(&self, mut backlog: MutexGuard<'_, Backlog>) -> io::Result<()> {
        self.has_waited.store(true, Ordering::Release);
        if backlog.has_thread {
            if std::mem::take(&mut backlog.thread_sleeps) {
                // First, since a thread that is woken and finds the lock taken sleeps again.
                drop(backlog);
                self.work.notify_one();
            }
            return Ok(());
        }
        let Some(writer) = self.myself.upgrade() else { return Ok(()) };
        threads::start("mcp-writer", move || writer.write_backlog())?;
        backlog.has_thread = true;
        Ok(())
    }

    /// Tells those who wait for room, if anybody does.
    fn tell_of_room(&self, backlog: MutexGuard<'_, Backlog>) {
        if backlog.waiting_for_room > 0 {
            // First, as above.
            drop(backlog);
            self.room.notify_all();
        }
    }

    /// The thread: writes what waits, and sleeps while nothing does.
    fn write_backlog(&self) {
        let (mut bytes, mut slack) = (Vec::new(), Slack::default());
        loop {
            // Buffers take turns with those of whoever sends. A new one each time would grow in whichever thread that is, and
            // an allocator with a heap for each thread would sooner or later keep room for it in every one.
            let used = bytes.len();
            bytes.clear();
            slack.settle(&mut bytes, used);
            let written = {
                let mut backlog = self.wait_for_work(&mut bytes);
                let written = std::mem::take(&mut backlog.written);
                backlog.writing = backlog.bytes.len() - written;
                std::mem::swap(&mut backlog.bytes, &mut bytes);
                written
            };
            if let Err(error) = self.write_all(bytes.get(written..).unwrap_or_default()) {
                let mut backlog = self.backlog();
                backlog.writing = 0;
                backlog.broke(error);
                self.tell_of_room(backlog);
            }
        }
    }

    /// Sleeps until something waits. Buffers that have grown are kept for a while: memory that is new costs more than what is
    /// written to it.
    fn wait_for_work(&self, spare: &mut Vec<u8>) -> MutexGuard<'_, Backlog> {
        let idle = |backlog: &mut Backlog| {
            backlog.thread_sleeps = backlog.bytes.is_empty();
            backlog.thread_sleeps
        };
        let mut backlog = self.backlog();
        if spare.capacity().max(backlog.bytes.capacity()) > KEPT_BYTES {
            let waited = self.work.wait_timeout_while(backlog, self.linger, idle);
            backlog = waited.unwrap_or_else(PoisonError::into_inner).0;
            if idle(&mut backlog) {
                backlog.bytes.shrink_to(KEPT_BYTES);
                // What is sent now is seen below.
                drop(backlog);
                spare.shrink_to(KEPT_BYTES);
                backlog = self.backlog();
            }
        }
        self.work.wait_while(backlog, idle).unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes everything, however long it takes.
    fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (piece, later) = rest.split_at_checked(piece_bytes(rest)).unwrap_or((rest, &[]));
            self.sink.write_all(piece, |count| self.has_written(count))?;
            rest = later;
        }
        Ok(())
    }

    fn has_written(&self, bytes: usize) {
        let mut backlog = self.backlog();
        backlog.writing = backlog.writing.saturating_sub(bytes);
        backlog.own_up();
        self.tell_of_room(backlog);
    }

    /// Only our own code runs under the lock, and it leaves the backlog whole at every step.
    fn backlog(&self) -> MutexGuard<'_, Backlog> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much to write in one piece: whole lines, as many as a pipe takes whole. So the last line is not torn if the process
/// ends before everything is read, nor is any by another process that writes to the same pipe, unless it is a long one.
fn piece_bytes(bytes: &[u8]) -> usize {
    let start = bytes.get(..PIECE_BYTES).unwrap_or(bytes);
    let newline = memchr::memrchr(b'\n', start).or_else(|| memchr::memchr(b'\n', bytes));
    newline.map_or(bytes.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{PIECE_BYTES, piece_bytes};

    #[test]
    fn cuts_pieces_after_the_last_line_that_a_pipe_takes_whole() {
        assert_eq!(piece_bytes(b"one\ntwo\n"), 8);
        assert_eq!(piece_bytes(b"rest of one\ntwo"), 12);
        assert_eq!(piece_bytes(b"no newline"), 10);
        let long = [vec![b'x'; PIECE_BYTES], b"\nnext\n".to_vec()].concat();
        assert_eq!(piece_bytes(&long), PIECE_BYTES + 1);
        let fits = [vec![b'x'; PIECE_BYTES - 1], b"\nnext\n".to_vec()].concat();
        assert_eq!(piece_bytes(&fits), PIECE_BYTES);
    }

    #[cfg(unix)]
    mod with_a_reader {
        use std::io::{BufRead, BufReader, Read};
        use std::os::unix::net::UnixStream;
        use std::sync::mpsc::channel;
        use std::time::Duration;

        use super::super::{Arc, LINGER, Losable, Sink, Writer};
        use crate::slack::KEPT_BYTES;

        /// More than a socket takes at once.
        const MUCH: usize = 1024 * 1024;

        const FOR_EVER: Duration = Duration::from_secs(3600);

        /// Long enough for what should happen at once, so that a test fails where it does not.
        const LONG: Duration = Duration::from_secs(60);

        fn writer() -> (Arc<Writer>, UnixStream) {
            lingering(LINGER)
        }

        /// A writer that keeps memory for so long while nothing waits.
        fn lingering(linger: Duration) -> (Arc<Writer>, UnixStream) {
            let (ours, theirs) = UnixStream::pair().expect("there are sockets");
            (Writer::new(Sink::new(ours.into()).expect("it is a socket"), linger), theirs)
        }

        /// Lines that differ, so many bytes of them at least.
        fn lines(first: usize, bytes: usize) -> Vec<u8> {
            (first..).map(|number| format!("line {number}\n")).take(bytes / 7).collect::<String>().into_bytes()
        }

        fn read(reader: &mut UnixStream, count: usize) -> Vec<u8> {
            let mut bytes = vec![0; count];
            reader.read_exact(&mut bytes).expect("so much is written");
            bytes
        }

        #[test]
        fn writes_every_byte_once_and_in_order_whoever_waits() {
            let (writer, mut reader) = writer();
            let parts = [lines(0, MUCH), lines(1 << 20, MUCH), lines(1 << 21, 100), lines(1 << 22, MUCH)];
            let sent = parts.concat();
            for (number, part) in parts.into_iter().enumerate() {
                if number % 2 == 0 {
                    let mut buffer = part;
                    writer.send_all(&mut buffer).expect("a thread starts");
                    assert!(buffer.is_empty());
                } else {
                    writer.send(&part).expect("a thread starts");
                }
            }
            let waiting = writer.len();
            assert!(writer.has_waited() && waiting > 2 * MUCH && waiting < sent.len(), "{waiting} bytes wait");
            assert!(!writer.wait_below(1, Duration::ZERO));
            assert!(read(&mut reader, sent.len()) == sent, "what is read is what was sent");
            assert!(writer.wait_below(1, LONG));
            assert_eq!(writer.len(), 0);
        }

        #[test]
        fn keeps_the_lines_of_every_sender_whole_and_in_order() {
            const SENDERS: usize = 4;
            const LINES: usize = 500;
            static ALL_ARE_KEPT: Losable = Losable { max_bytes: usize::MAX, patience: LONG, notice: |_| String::new() };
            let (writer, reader) = writer();
            // From nothing to more than is taken at once.
            let padding = |number| "x".repeat(if number % 50 == 0 { MUCH } else { number });
            let senders: Vec<_> = (0..SENDERS)
                .map(|sender| {
                    let writer = Arc::clone(&writer);
                    std::thread::spawn(move || {
                        for number in 0..LINES {
                            let mut line = format!("{sender} {number} {}\n", padding(number)).into_bytes();
                            let sent = match number % 3 {
                                0 => writer.send_all(&mut line),
                                1 => writer.send(&line),
                                _ => writer.send_or_lose(&line, &ALL_ARE_KEPT),
                            };
                            sent.expect("a thread starts");
                            assert!(writer.wait_below(MUCH, LONG), "nobody is told that there is room");
                        }
                    })
                })
                .collect();
            let mut next = [0; SENDERS];
            for line in BufReader::new(reader).lines().take(SENDERS * LINES) {
                let line = line.expect("it is text");
                let [sender, number, rest] = *line.split(' ').collect::<Vec<_>>() else { panic!("torn: {line}") };
                let expected = &mut next[sender.parse::<usize>().expect("it is a number")];
                assert_eq!(number, expected.to_string());
                assert!(rest == padding(*expected), "line {number} of {sender} is torn");
                *expected += 1;
            }
            assert_eq!(next, [LINES; SENDERS]);
            for sender in senders {
                sender.join().expect("it has not panicked");
            }
            assert!(writer.wait_below(1, LONG));
        }

        #[test]
        fn lets_nobody_wait_for_room_once_a_line_is_lost() {
            static PATIENT: Losable = Losable { max_bytes: 1, patience: FOR_EVER, notice: |_| String::new() };
            static IMPATIENT: Losable = Losable { max_bytes: 1, patience: Duration::ZERO, notice: |_| String::new() };
            let (writer, _reader) = writer();
            writer.send_all(&mut lines(0, MUCH)).expect("a thread starts");
            let (done, ended) = channel();
            let waiting = Arc::clone(&writer);
            std::thread::spawn(move || done.send(waiting.send_or_lose(b"one\n", &PATIENT).is_ok()));
            while writer.backlog().waiting_for_room == 0 {
                std::thread::yield_now();
            }
            writer.send_or_lose(b"other\n", &IMPATIENT).expect("a thread is there");
            assert_eq!(ended.recv_timeout(LONG), Ok(true));
            assert_eq!(writer.backlog().lost.as_ref().map(|lost| lost.lines), Some(2));
        }

        #[test]
        fn takes_over_what_waits_and_copies_nothing() {
            let (writer, mut reader) = writer();
            let mut buffer = lines(0, MUCH);
            let (sent, place) = (buffer.clone(), buffer.as_ptr());
            writer.send_all(&mut buffer).expect("a thread starts");
            assert_ne!(buffer.as_ptr(), place);
            assert!(read(&mut reader, sent.len()) == sent, "what is read is what was sent");
        }

        #[test]
        fn goes_on_for_a_reader_who_reads_little_at_a_time() {
            let (writer, mut reader) = writer();
            writer.send_all(&mut lines(0, MUCH)).expect("a thread starts");
            for _ in 0..3 {
                let waiting = writer.len();
                // Too little for the socket to say that it is writable, and enough for it to take more.
                read(&mut reader, 70_000);
                assert!(writer.wait_below(waiting, LONG));
            }
        }

        /// A writer that has written a lot and sleeps.
        fn rested(linger: Duration) -> Arc<Writer> {
            let (writer, mut reader) = lingering(linger);
            let sent = lines(0, MUCH);
            // The thread puts the buffer of the first back when it takes that of the second.
            for _ in 0..2 {
                writer.send_all(&mut sent.clone()).expect("a thread starts");
                assert!(read(&mut reader, sent.len()) == sent, "what is read is what was sent");
                assert!(writer.wait_below(1, LONG));
            }
            while !writer.backlog().thread_sleeps {
                std::thread::yield_now();
            }
            writer
        }

        #[test]
        fn keeps_memory_for_a_while_after_nothing_waits() {
            assert!(rested(FOR_EVER).backlog().bytes.capacity() > KEPT_BYTES);
        }

        #[test]
        fn keeps_little_after_that() {
            let writer = rested(Duration::ZERO);
            // It may be about to give it back.
            while writer.backlog().bytes.capacity() > KEPT_BYTES {
                std::thread::yield_now();
            }
            assert_eq!(writer.backlog().bytes.capacity(), KEPT_BYTES);
        }

        #[test]
        fn drops_everything_once_nobody_reads() {
            let (writer, reader) = writer();
            drop(reader);
            for _ in 0..2 {
                let mut buffer = lines(0, 100);
                writer.send_all(&mut buffer).expect("no thread is needed");
                assert!(buffer.is_empty() && writer.is_broken());
                writer.send(&lines(0, 100)).expect("no thread is needed");
            }
            assert!(writer.failure().is_some());
            writer.send_all(&mut lines(0, 100)).expect("no thread is needed");
            assert!(writer.failure().is_none(), "it is not tried again");
        }
    }
}
