//! How much memory there is to use, and sizes as arguments.

use std::fs::read_to_string;

/// 80 % of the machine's memory, or of what its control group may have, in bytes.
pub fn usable() -> u64 {
    let machine = machine();
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .into_iter()
        .find_map(|path| read_to_string(path).ok()?.trim().parse::<u64>().ok());
    let least = [machine, group].into_iter().flatten().min();
    // Where neither is told, nothing is known to be too much.
    least.map_or(u64::MAX, |bytes| bytes / 5 * 4)
}

fn machine() -> Option<u64> {
    let info = read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Reads `800M`, `4G`, `4GiB`, `1.5g` or a number of bytes; the units are powers of 1024.
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
