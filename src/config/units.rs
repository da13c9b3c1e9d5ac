//! Durations and sizes as people write them: `90s`, `1h30m`, `512 KiB`.
//!
//! Always holds: a bare number is no duration, for nobody knows its unit; what is printed reads back as
//! the same value. Not here: which durations a setting takes (`list.rs`).

use std::time::Duration;

/// Units of time and their milliseconds, largest first.
const TIMES: &[(&str, u64)] = &[("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Units of size and their bytes, largest first.
const SIZES: &[(&str, u64)] = &[("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// Reads `90s`, `10m`, `1h30m`, `500ms`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total: Option<u64> = None;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (number, tail) = rest.split_at(digits);
        let letters = tail.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        let (_, millis) = TIMES.iter().find(|(name, _)| *name == unit)?;
        let part = number.parse::<u64>().ok()?.checked_mul(*millis)?;
        total = Some(total.unwrap_or(0).checked_add(part)?);
        rest = tail.trim_start();
    }
    total.map(Duration::from_millis)
}

/// Writes a duration in the largest units that keep it exact to the millisecond.
pub(super) fn show_duration(duration: Duration) -> String {
    let mut rest = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let mut text = String::new();
    for (unit, millis) in TIMES {
        let count = rest / millis;
        rest %= millis;
        if count > 0 {
            text.push_str(&format!("{count}{unit}"));
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// Reads `1 MiB`, `512KiB`, `2000 B` or a bare number of bytes.
pub(super) fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = if unit.trim().is_empty() { "B" } else { unit.trim() };
    let (_, size) = SIZES.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*size)
}

/// Writes a size in the largest unit that keeps it exact.
pub(super) fn show_bytes(bytes: u64) -> String {
    let (unit, size) = SIZES.iter().find(|(_, size)| bytes >= *size && bytes.is_multiple_of(*size)).unwrap_or(&("B", 1));
    format!("{} {unit}", bytes / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_written_alike() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("1h30m", 5_400), ("12h", 43_200), ("30d", 2_592_000), ("0s", 0), ("2m 5s", 125)]
        {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for millis in [0, 1, 500, 999, 1_000, 61_001, 86_400_000, 90_061_001] {
            let exact = Duration::from_millis(millis);
            assert_eq!(duration(&show_duration(exact)), Some(exact));
        }
        for bad in ["", "90", "s", "-1s", "1.5s", "1w", "5 m", "99999999999999999999s", "999999999999999999d"] {
            assert_eq!(duration(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn sizes_are_read_and_written_alike() {
        for (text, size) in [("1 MiB", 1 << 20), ("512KiB", 512 << 10), ("2000", 2_000), ("2000 B", 2_000)] {
            assert_eq!(bytes(text), Some(size), "{text}");
            assert_eq!(bytes(&show_bytes(size)), Some(size));
        }
        for bad in ["", "MiB", "1 MB", "-1", "1.5 MiB", "99999999999 GiB"] {
            assert_eq!(bytes(bad), None, "{bad:?}");
        }
    }
}
