//! Usable memory, and sizes as arguments.

use jungletb::system::memory_limit;

/// 80 % of the memory limit of this process, in bytes.
pub fn usable() -> u64 {
    // Without a known limit, no size is too large.
    memory_limit().map_or(u64::MAX, |limit| limit / 5 * 4)
}

/// Parses `800M`, `4G`, `4GiB`, `1.5g` or a number of bytes; the units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &lower[number.len()..] {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err("give a number with K, M, G or T, as in 4G".to_owned()),
    };
    let value: f64 = number.parse().map_err(|_| "give a number with K, M, G or T, as in 4G".to_owned())?;
    if value.is_finite() && value > 0.0 && value < 1e9 * 1e6 {
        Ok((value * (1_u64 << unit) as f64) as u64)
    } else {
        Err("give a positive size, as in 4G".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("1.5gib"), Ok(3 << 29));
        assert_eq!(parse_size("1000"), Ok(1000));
        for bad in ["", "G", "-1G", "4X", "nan", "inf", "0"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
