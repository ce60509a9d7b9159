//! A moment as people and programs write it.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// `2026-03-01T12:00:00Z`; `None` before 1970 and after the year 9999.
pub(super) fn written(time: SystemTime) -> Option<String> {
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let (mut day, of_day) = (seconds / DAY, seconds % DAY);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
        if year > 9999 {
            return None;
        }
    }
    let mut month = 1;
    for days in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    let [hour, minute, second] = [of_day / 3600, of_day / 60 % 60, of_day % 60];
    Some(format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_dates() {
        // By `date -u -d @N +%FT%TZ`.
        let known = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ];
        for (seconds, text) in known {
            assert_eq!(written(UNIX_EPOCH + Duration::from_secs(seconds)).as_deref(), Some(text));
        }
        assert_eq!(written(UNIX_EPOCH - Duration::from_secs(1)), None);
        assert_eq!(written(UNIX_EPOCH + Duration::from_secs(u64::MAX >> 8)), None);
    }
}
