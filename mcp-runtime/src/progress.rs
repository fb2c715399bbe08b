//! Which reports of progress are sent: steps forward, and of many in a row not all.
//!
//! Spec: 2026-07-28, `basic/utilities/progress`, "Implementation Notes".

use std::time::{Duration, Instant};

/// How many reports may come in a row before some are left out.
const BURST: u32 = 16;

/// After a burst, one report is sent in such a time.
const INTERVAL: Duration = Duration::from_millis(20);

/// The reports of one call.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The last value. The protocol wants each to be greater than the one before.
    last: f64,
    /// How many reports may be sent at once, as of the instant.
    room: Option<(u32, Instant)>,
    /// The report that came too soon after others; a later one takes its place.
    held: Option<Vec<u8>>,
}

impl Default for Progress {
    fn default() -> Self {
        Self { last: f64::NEG_INFINITY, room: None, held: None }
    }
}

impl Progress {
    /// Takes a report; returns its frame if it is to be sent now.
    pub(crate) fn admit(&mut self, progress: f64, frame: Vec<u8>, now: Instant) -> Option<Vec<u8>> {
        if !(progress.is_finite() && progress > self.last) {
            return None;
        }
        self.last = progress;
        if self.take_room(now) {
            self.held = None;
            return Some(frame);
        }
        self.held = Some(frame);
        None
    }

    fn take_room(&mut self, now: Instant) -> bool {
        let (room, since) = self.room.unwrap_or((BURST, now));
        let gained = now.saturating_duration_since(since).as_millis() / INTERVAL.as_millis();
        let gained = u32::try_from(gained).unwrap_or(BURST).min(BURST);
        // What is less than a whole interval counts next time.
        let since = if gained == BURST { now } else { since + INTERVAL * gained };
        let room = (room + gained).min(BURST);
        self.room = Some((room.saturating_sub(1), since));
        room > 0
    }

    /// The last report, if it was not sent.
    pub(crate) fn take_held(&mut self) -> Option<Vec<u8>> {
        self.held.take()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{BURST, Progress};

    fn report(progress: &mut Progress, value: u32, now: Instant) -> bool {
        progress.admit(value.into(), vec![0], now).is_some()
    }

    #[test]
    fn sends_steps_forward_only() {
        let (mut progress, now) = (Progress::default(), Instant::now());
        let sent = [1.0, 1.0, f64::NAN, 2.0, 0.5, f64::INFINITY, 2.5]
            .map(|value| progress.admit(value, Vec::new(), now).is_some());
        assert_eq!(sent, [true, false, false, true, false, false, true]);
        assert_eq!(progress.take_held(), None);
    }

    #[test]
    fn leaves_out_what_comes_too_soon_and_keeps_the_last_of_it() {
        let (mut progress, now) = (Progress::default(), Instant::now());
        let sent = (1..=100).filter(|value| report(&mut progress, *value, now)).count();
        assert_eq!(sent, BURST as usize);
        assert!(progress.take_held().is_some());
        assert!(!report(&mut progress, 101, now + Duration::from_millis(19)));
        assert!(report(&mut progress, 102, now + Duration::from_millis(20)));
        assert!(!report(&mut progress, 103, now + Duration::from_millis(39)));
        assert!(report(&mut progress, 104, now + Duration::from_millis(45)));
        assert!(report(&mut progress, 105, now + Duration::from_millis(60)));
        assert_eq!(progress.take_held(), None);
    }

    #[test]
    fn has_room_for_a_burst_again_after_a_pause() {
        let (mut progress, now) = (Progress::default(), Instant::now());
        (1..=50).for_each(|value| _ = report(&mut progress, value, now));
        let later = now + Duration::from_secs(10);
        let sent = (51..=100).filter(|value| report(&mut progress, *value, later)).count();
        assert_eq!(sent, BURST as usize);
    }
}
