//! Dates, in the forms of ISO 8601 that clients can be expected to read.

/// A date, alone or with a time of day: `2026-07-28`, `2026-07-28T09:00:00.5Z`, `2026-07-28T09:00+02:00`.
pub(crate) fn is_date(text: &str) -> bool {
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    has_shape(date, "0000-00-00") && time.is_none_or(is_time)
}

fn is_time(text: &str) -> bool {
    let end = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (clock, offset) = text.split_at_checked(end).unwrap_or((text, ""));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit());
    let is_clock = has_shape(clock, "00:00:00") || (has_shape(clock, "00:00") && fraction == "0");
    is_clock && is_fraction && (matches!(offset, "" | "Z") || has_shape(&offset.replace('-', "+"), "+00:00"))
}

/// Whether the text has digits where the shape has zeros, and is the same elsewhere.
fn has_shape(text: &str, shape: &str) -> bool {
    let same = |(found, expected): (char, char)| match expected {
        '0' => found.is_ascii_digit(),
        other => found == other,
    };
    text.chars().count() == shape.chars().count() && text.chars().zip(shape.chars()).all(same)
}
