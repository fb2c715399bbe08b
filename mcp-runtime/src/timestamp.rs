//! The time as the log writes it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time in UTC, in RFC 3339 with milliseconds.
pub(crate) fn now() -> String {
    timestamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

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
