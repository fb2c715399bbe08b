//! The log of a server that runs by itself: `tracing` events as lines on stderr, since stdout is the protocol's.

use std::fmt::{Debug, Write as _};
use std::io::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The environment variable that sets the level: `off`, `error`, `warn`, `info`, `debug` or `trace`.
pub(crate) const LEVEL_VARIABLE: &str = "MCP_LOG_LEVEL";

/// The level if nothing sets another.
const DEFAULT_LEVEL: LevelFilter = LevelFilter::WARN;

/// Installs the log, unless the program has installed a subscriber of its own.
pub(crate) fn install(trace: bool) {
    let asked = std::env::var(LEVEL_VARIABLE).ok();
    let level = match asked.as_deref().map(str::parse::<LevelFilter>) {
        _ if trace => LevelFilter::DEBUG,
        Some(Ok(level)) => level,
        Some(Err(_)) => {
            let asked = asked.unwrap_or_default();
            let known = "off, error, warn, info, debug, trace";
            let _ = writeln!(std::io::stderr(), "{LEVEL_VARIABLE}: unknown level `{asked}`; the levels are {known}");
            DEFAULT_LEVEL
        }
        None => DEFAULT_LEVEL,
    };
    // An error says that there is a subscriber already, which is the better one.
    let _ = tracing::subscriber::set_global_default(Stderr { level });
}

/// Writes each event as a line.
struct Stderr {
    level: LevelFilter,
}

impl Subscriber for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // Not every question is about an event: `enabled!` asks with a hint.
        !metadata.is_span() && *metadata.level() <= self.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut line = timestamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
        // The arrow of a frame says enough about where it comes from.
        if !metadata.target().ends_with("::wire") {
            // Writing to a `String` cannot fail.
            let _ = write!(line, " {} {}:", metadata.level(), metadata.target());
        }
        event.record(&mut Fields(&mut line));
        line.push('\n');
        // There is nowhere to report to that the log cannot be written.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    // Spans are not shown.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Appends the message as it is and every other field as `name=value`.
struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

/// The time in UTC, in RFC 3339 with milliseconds.
fn timestamp(since_epoch: Duration) -> String {
    let (seconds, millis) = (since_epoch.as_secs(), since_epoch.subsec_millis());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The date of a day since 1970-01-01 in the Gregorian calendar, counted in years that begin in March, so that the leap
/// day is the last.
fn date(days_since_epoch: u64) -> (u64, u64, u64) {
    let days = days_since_epoch + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::timestamp;

    #[test]
    fn writes_the_time_in_utc() {
        assert_eq!(timestamp(Duration::ZERO), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(Duration::from_millis(951_782_399_999)), "2000-02-28T23:59:59.999Z");
        assert_eq!(timestamp(Duration::from_millis(951_868_800_007)), "2000-03-01T00:00:00.007Z");
        assert_eq!(timestamp(Duration::from_secs(1_785_196_800)), "2026-07-28T00:00:00.000Z");
    }
}
