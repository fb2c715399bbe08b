//! How long a buffer keeps the memory that something huge has needed.

/// How much memory is kept in any case, in bytes.
pub(crate) const KEPT_BYTES: usize = 144 * 1024;

/// How much is never kept.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// After how many uses that need none of it memory is given back.
const USES: u32 = 64;

/// Tells when a buffer gives its memory back. Not at once: who has sent something huge often goes on so, and memory that is
/// new each time costs more than what is done with it. One that is not used keeps it.
#[derive(Debug, Default)]
pub(crate) struct Slack {
    /// How many uses in a row have needed little.
    small_uses: u32,
}

impl Slack {
    /// Takes note of a use, unless nothing was `used`, and gives back what has not been needed for a while. The buffer is empty
    /// by now; `used` is how many of its bytes were needed.
    pub(crate) fn settle(&mut self, buffer: &mut Vec<u8>, used: usize) {
        if self.is_unneeded(buffer.capacity(), used) {
            buffer.shrink_to(KEPT_BYTES);
        }
    }

    /// The same for a buffer that gives back all that it has.
    pub(crate) fn is_unneeded(&mut self, capacity: usize, used: usize) -> bool {
        if capacity <= KEPT_BYTES || used == 0 {
            return false;
        }
        self.small_uses = if used > KEPT_BYTES { 0 } else { self.small_uses + 1 };
        let is_unneeded = capacity > MOST_BYTES || self.small_uses >= USES;
        if is_unneeded {
            self.small_uses = 0;
        }
        is_unneeded
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT_BYTES, MOST_BYTES, Slack, USES};

    #[test]
    fn keeps_memory_that_is_needed_again_and_gives_it_back_after_a_while() {
        let (mut slack, mut buffer) = (Slack::default(), Vec::with_capacity(MOST_BYTES));
        for _ in 0..3 {
            for _ in 1..USES {
                slack.settle(&mut buffer, 10);
                assert_eq!(buffer.capacity(), MOST_BYTES);
            }
            slack.settle(&mut buffer, KEPT_BYTES + 1);
        }
        for _ in 0..USES {
            slack.settle(&mut buffer, KEPT_BYTES);
        }
        assert_eq!(buffer.capacity(), KEPT_BYTES);
    }

    #[test]
    fn never_keeps_more_than_the_most() {
        let (mut slack, mut buffer) = (Slack::default(), Vec::with_capacity(MOST_BYTES + 1));
        slack.settle(&mut buffer, MOST_BYTES + 1);
        assert_eq!(buffer.capacity(), KEPT_BYTES);
    }
}
