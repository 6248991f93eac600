//! How much memory there is to use.

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
