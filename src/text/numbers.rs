//! Numbers formatted for people.

/// A number with digits grouped by three: `645,676,671`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 class`, `2 classes`, `1,000 plies`.
///
/// ```
/// use jungletb::text::count;
///
/// assert_eq!([0, 1, 2].map(|n| count(n, "ply", "plies")), ["0 plies", "1 ply", "2 plies"]);
/// ```
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A distance: `1 ply`, `2 plies`.
pub fn plies(plies: u16) -> String {
    count(plies.into(), "ply", "plies")
}

/// A size in units of 1,024 bytes: `81.1 MiB`.
pub fn bytes(number: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if number < 1024 {
        return count(number, "byte", "bytes");
    }
    let mut value = number as f64 / 1024.0;
    let mut unit = 0;
    // What would round to 1024.0 is shown as 1.0 of the next unit.
    while value >= 1023.95 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_three_digits() {
        let texts = [0, 999, 1000, 645_676_671].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "645,676,671"]);
    }

    #[test]
    fn bytes_have_one_family_of_units() {
        let texts = [0, 1, 999, 1024, 1_048_524, 1_048_575, 81_116_327, 1 << 30, 3 << 41].map(bytes);
        let expected =
            ["0 bytes", "1 byte", "999 bytes", "1.0 KiB", "1023.9 KiB", "1.0 MiB", "77.4 MiB", "1.0 GiB", "6.0 TiB"];
        assert_eq!(texts, expected);
    }
}
