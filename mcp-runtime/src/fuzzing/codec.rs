//! Lines, however the bytes of them arrive.

use arbitrary::{Arbitrary, Unstructured};

use super::oracle;
use crate::codec::{Frame, LineBuffer, READ_BYTES};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    max_line_bytes: u16,
    pieces: Vec<Piece<'a>>,
    /// How many bytes each read brings at most, over and over.
    reads: Vec<u16>,
}

#[derive(Debug, Arbitrary)]
enum Piece<'a> {
    Bytes(&'a [u8]),
    Newline,
    /// So many times the same byte, which makes long lines of short inputs.
    Run(u8, u16),
    /// A line of the limit, or one more or less.
    Limit(u8, i8),
}

/// The lines are those of a splitter that has all the input at once, and the memory is bounded.
pub fn codec(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let max_line_bytes = usize::from(input.max_line_bytes);
    let bytes = bytes(&input);
    let mut reads = input.reads.iter().map(|bytes| usize::from(*bytes).max(1)).cycle();

    let mut buffer = LineBuffer::new(max_line_bytes);
    let (mut lines, mut rest) = (Vec::new(), bytes.as_slice());
    while !rest.is_empty() {
        let space = buffer.space();
        let count = reads.next().unwrap_or(usize::MAX).min(space.len()).min(rest.len());
        assert!(count > 0, "there is always space");
        space[..count].copy_from_slice(&rest[..count]);
        buffer.filled(count);
        rest = &rest[count..];
        while let Some(line) = taken(&buffer.next()) {
            lines.push(line);
        }
        assert!(buffer.held_bytes() <= max_line_bytes + READ_BYTES, "{} bytes are held", buffer.held_bytes());
    }
    lines.extend(taken(&buffer.last()));
    assert_eq!(buffer.last(), Frame::Incomplete, "the last line comes once");

    let expected = oracle::lines(&bytes, max_line_bytes);
    let lines: Vec<Option<&[u8]>> = lines.iter().map(Option::as_deref).collect();
    assert!(lines == expected, "{lines:?} and not {expected:?}");
}

fn bytes(input: &Input<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let repeat = |bytes: &mut Vec<u8>, byte, count| bytes.resize(bytes.len() + count, byte);
    for piece in &input.pieces {
        match piece {
            Piece::Bytes(piece) => bytes.extend_from_slice(piece),
            Piece::Newline => bytes.push(b'\n'),
            Piece::Run(byte, count) => repeat(&mut bytes, *byte, usize::from(*count)),
            Piece::Limit(byte, more) => {
                let count = usize::from(input.max_line_bytes).saturating_add_signed(isize::from(more.signum()));
                bytes.push(b'\n');
                repeat(&mut bytes, *byte, count);
            }
        }
    }
    bytes
}

/// The line of a frame, with none for one that was too long.
#[expect(clippy::option_option, reason = "no frame, and a frame without a line")]
fn taken(frame: &Frame<'_>) -> Option<Option<Vec<u8>>> {
    match frame {
        Frame::Line(line) => Some(Some(line.to_vec())),
        Frame::TooLong => Some(None),
        Frame::Incomplete => None,
    }
}
