//! Bytes to lines. A line that is too long is an item like any other, and costs that line only.
//!
//! Spec: 2026-07-28, `basic/transports/stdio`: one message is one line, ended by a newline.

use crate::slack::{KEPT_BYTES, Slack};

/// How much the buffer begins with, in bytes. Half of it is always free, which is more than a pipe holds (64 KiB on Linux). Not
/// more than is [kept](KEPT_BYTES), or it would be made anew now and then. A heap of glibc begins with 132 KiB: what is larger is
/// mapped while the process is young, and pages that nothing is read into are not touched.
pub(crate) const READ_BYTES: usize = KEPT_BYTES;

/// The byte order mark that some shells put in front of what they pipe.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What the buffer holds next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame<'a> {
    /// A line, without its end and surrounding white space; never empty.
    Line(&'a [u8]),
    /// A line passed the limit. Its rest is skipped as it arrives.
    TooLong,
    /// No whole line is there; read more.
    Incomplete,
}

/// Splits input into lines, in memory bounded by the longest line that is allowed.
///
/// The owner reads into [`space`](Self::space), says how much it got with [`filled`](Self::filled), and takes lines
/// with [`next`](Self::next) until it is told [`Frame::Incomplete`].
#[derive(Debug)]
pub(crate) struct LineBuffer {
    /// Its length is its capacity; what it holds is `start..end`.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Up to where no newline was found.
    scanned: usize,
    max_line_bytes: usize,
    /// Whether the rest of a line that was too long is being skipped.
    skipping: bool,
    /// How much was needed at once since it was empty.
    used: usize,
    slack: Slack,
}

impl LineBuffer {
    pub(crate) fn new(max_line_bytes: usize) -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            end: 0,
            scanned: 0,
            max_line_bytes,
            skipping: false,
            used: 0,
            slack: Slack::default(),
        }
    }

    /// The longest line that is allowed.
    pub(crate) fn max_line_bytes(&self) -> usize {
        self.max_line_bytes
    }

    /// How much memory is in use, in bytes.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Where to read to; never empty.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        self.compact();
        if self.bytes.len() - self.end < READ_BYTES / 2 {
            // Doubling keeps the copying linear for a line of many reads.
            let wanted = self.end + READ_BYTES.max(self.end);
            let wanted = wanted.min(self.max_line_bytes.saturating_add(READ_BYTES).max(self.end + 1));
            if self.bytes.is_empty() {
                // The allocator knows whether memory is clear already.
                self.bytes = vec![0; wanted];
            } else {
                self.bytes.reserve_exact(wanted.saturating_sub(self.bytes.len()));
                self.bytes.resize(wanted, 0);
            }
        }
        self.bytes.get_mut(self.end..).unwrap_or_default()
    }

    /// Takes note that `count` bytes were read into [`space`](Self::space).
    pub(crate) fn filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
        self.used = self.used.max(self.end);
    }

    /// Moves what is left to the front, once all lines before it are taken.
    fn compact(&mut self) {
        if self.start == 0 {
            return;
        }
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.scanned -= self.start;
        self.start = 0;
        if self.end == 0 && self.slack.is_unneeded(self.bytes.len(), std::mem::take(&mut self.used)) {
            self.bytes = Vec::new();
        }
    }

    /// Takes the next line. Blank lines are passed over.
    pub(crate) fn next(&mut self) -> Frame<'_> {
        loop {
            let unscanned = self.bytes.get(self.scanned..self.end).unwrap_or_default();
            let Some(at) = memchr::memchr(b'\n', unscanned) else {
                return self.unfinished();
            };
            let (from, to) = (self.start, self.scanned + at);
            self.start = to + 1;
            self.scanned = self.start;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if to - from > self.max_line_bytes {
                return Frame::TooLong;
            }
            let line = self.bytes.get(from..to).unwrap_or_default();
            // The first byte tells it of nearly all lines, which are trimmed once then.
            if line.first() == Some(&b'{') || !trim(line).is_empty() {
                return Frame::Line(trim(self.bytes.get(from..to).unwrap_or_default()));
            }
        }
    }

    /// There is no newline: either more has to come, or too much has come already.
    fn unfinished(&mut self) -> Frame<'_> {
        self.scanned = self.end;
        if self.skipping {
            self.start = self.end;
        } else if self.end - self.start > self.max_line_bytes {
            self.skipping = true;
            self.start = self.end;
            return Frame::TooLong;
        }
        Frame::Incomplete
    }

    /// At the end of input: what stands after the last newline, as a last line.
    pub(crate) fn last(&mut self) -> Frame<'_> {
        let (from, to) = (self.start, self.end);
        (self.start, self.scanned) = (to, to);
        match trim(self.bytes.get(from..to).unwrap_or_default()) {
            [] => Frame::Incomplete,
            _ if self.skipping => Frame::Incomplete,
            line => Frame::Line(line),
        }
    }
}

fn trim(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    line.strip_prefix(BYTE_ORDER_MARK).map_or(line, <[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests {
    use super::{Frame, LineBuffer, READ_BYTES};

    /// Feeds the parts one by one and collects the lines; `None` stands for one that was too long.
    fn lines(parts: &[&[u8]], max_line_bytes: usize) -> Vec<Option<String>> {
        let mut buffer = LineBuffer::new(max_line_bytes);
        let mut lines = Vec::new();
        for part in parts {
            let mut part = *part;
            while !part.is_empty() {
                let space = buffer.space();
                let count = space.len().min(part.len());
                space[..count].copy_from_slice(&part[..count]);
                buffer.filled(count);
                part = &part[count..];
                loop {
                    match buffer.next() {
                        Frame::Line(line) => lines.push(Some(String::from_utf8_lossy(line).into_owned())),
                        Frame::TooLong => lines.push(None),
                        Frame::Incomplete => break,
                    }
                }
            }
        }
        if let Frame::Line(line) = buffer.last() {
            lines.push(Some(String::from_utf8_lossy(line).into_owned()));
        }
        lines
    }

    fn some(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| Some((*text).to_owned())).collect()
    }

    #[test]
    fn joins_a_line_that_comes_byte_by_byte() {
        let parts: Vec<&[u8]> = b"{\"a\":1}\n{}\n".chunks(1).collect();
        assert_eq!(lines(&parts, 100), some(&["{\"a\":1}", "{}"]));
    }

    #[test]
    fn takes_several_lines_from_one_read_and_a_last_one_without_a_newline() {
        assert_eq!(lines(&[b"1\n2\r\n\n  \n3"], 100), some(&["1", "2", "3"]));
    }

    #[test]
    fn passes_over_byte_order_marks_and_blank_lines() {
        assert_eq!(lines(&[b"\xEF\xBB\xBF1\n\xEF\xBB\xBF\n \t\r\n2\n"], 100), some(&["1", "2"]));
    }

    #[test]
    fn accepts_a_line_of_the_limit_and_skips_one_that_passes_it() {
        assert_eq!(lines(&[b"12345\n123456\n1\n"], 5), vec![Some("12345".into()), None, Some("1".into())]);
    }

    #[test]
    fn skips_an_endless_line_in_bounded_memory_and_goes_on() {
        let chunk = vec![b'a'; 50_000];
        let mut parts: Vec<&[u8]> = vec![&chunk; 100];
        parts.push(b"\n1\n");
        assert_eq!(lines(&parts, 1000), vec![None, Some("1".into())]);

        let mut buffer = LineBuffer::new(1000);
        for _ in 0..1000 {
            let count = buffer.space().len();
            buffer.filled(count);
            let _ = buffer.next();
        }
        assert!(buffer.held_bytes() <= 1000 + READ_BYTES, "{} bytes are held", buffer.held_bytes());
    }

    /// Reads a line of so many bytes, the newline included, and takes it.
    fn pass(buffer: &mut LineBuffer, bytes: usize) {
        let line = [vec![b'a'; bytes - 1], b"\n".to_vec()].concat();
        let mut rest = &*line;
        while !rest.is_empty() {
            let space = buffer.space();
            let (part, behind) = rest.split_at(rest.len().min(space.len()));
            space[..part.len()].copy_from_slice(part);
            buffer.filled(part.len());
            rest = behind;
        }
        assert_eq!(buffer.next(), Frame::Line(&line[..bytes - 1]));
        assert_eq!(buffer.next(), Frame::Incomplete);
    }

    #[test]
    fn reads_short_lines_into_the_same_memory() {
        let mut buffer = LineBuffer::new(1000);
        // Memory that is made anew is clear, wherever it is.
        *buffer.space().last_mut().unwrap() = b'x';
        for _ in 0..1000 {
            pass(&mut buffer, 100);
            assert_eq!(buffer.space().last(), Some(&b'x'));
        }
        assert_eq!(buffer.held_bytes(), READ_BYTES);
    }

    #[test]
    fn gives_memory_back_some_time_after_a_long_line() {
        let mut buffer = LineBuffer::new(4 * READ_BYTES);
        pass(&mut buffer, 3 * READ_BYTES);
        assert!(buffer.held_bytes() > READ_BYTES);
        for _ in 0..100 {
            pass(&mut buffer, 100);
        }
        buffer.space();
        assert_eq!(buffer.held_bytes(), READ_BYTES);
    }

    #[test]
    fn grows_no_further_than_the_longest_line_needs() {
        let longest = READ_BYTES * 5 / 2;
        let mut buffer = LineBuffer::new(longest);
        for _ in 0..1000 {
            let count = buffer.space().len().min(1000);
            buffer.filled(count);
            let _ = buffer.next();
            assert!(buffer.held_bytes() <= longest + READ_BYTES, "{} bytes are held", buffer.held_bytes());
        }
    }

    #[test]
    fn splits_on_newlines_only() {
        assert_eq!(lines(&["\"\u{85}\u{2028}\"\n".as_bytes()], 100), some(&["\"\u{85}\u{2028}\""]));
    }
}
