//! The memory limit of this process, and large allocations that can fail.

use std::cell::Cell;
use std::collections::TryReserveError;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum memory of this process in bytes: the least of the machine's memory, the limits of its control groups and
/// the limits of the process. `None` if none of them is known.
pub fn memory_limit() -> Option<u64> {
    [machine_and_groups(Path::new("/")), process_limit()].into_iter().flatten().min()
}

/// The lesser of the limits of address space and data.
#[cfg(unix)]
fn process_limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    [Resource::As, Resource::Data].into_iter().filter_map(|resource| getrlimit(resource).current).min()
}

#[cfg(not(unix))]
const fn process_limit() -> Option<u64> {
    None
}

/// The limits in the files of a Linux system; `root` is the path of its root folder.
fn machine_and_groups(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|info| total(&info));
    let own = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).unwrap_or_default();
    let groups = mounts.lines().filter_map(Hierarchy::read).filter_map(|hierarchy| hierarchy.limit(root, &own));
    groups.chain(machine).min()
}

fn total(info: &str) -> Option<u64> {
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// A mounted control group hierarchy with a memory controller.
#[derive(Debug)]
struct Hierarchy {
    /// Mount point, relative to `/`.
    mount: PathBuf,
    /// The group at the mount point; in a container often not the root.
    root: PathBuf,
    /// Version 2: one tree for all controllers.
    unified: bool,
}

impl Hierarchy {
    /// Parses a line of `mountinfo`; see proc(5) for its fields.
    fn read(line: &str) -> Option<Self> {
        let (mount, kind) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (root, at) = (unescape(mount.next()?), unescape(mount.next()?));
        let mut kind = kind.split(' ');
        let unified = match (kind.next()?, kind.nth(1)) {
            ("cgroup2", _) => true,
            ("cgroup", Some(options)) if options.split(',').any(|option| option == "memory") => false,
            _ => return None,
        };
        let mount = PathBuf::from(at.strip_prefix('/').unwrap_or(&at));
        Some(Self { mount, root: root.into(), unified })
    }

    /// The least limit of this process's group and its ancestors; `own` is `/proc/self/cgroup`.
    fn limit(&self, root: &Path, own: &str) -> Option<u64> {
        let group = own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
            let is_it = if self.unified {
                number == "0" && controllers.is_empty()
            } else {
                controllers.split(',').any(|controller| controller == "memory")
            };
            is_it.then_some(path)
        })?;
        // A group outside the mount is treated as the group at the mount point, as its namespace shows it.
        let below = Path::new(group).strip_prefix(&self.root).unwrap_or(Path::new(""));
        let plain = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let below = if plain { below } else { Path::new("") };
        let names: &[&str] = if self.unified { &["memory.max", "memory.high"] } else { &["memory.limit_in_bytes"] };
        let mount = &root.join(&self.mount);
        let limits = below.ancestors().flat_map(|group| names.iter().map(move |name| mount.join(group).join(name)));
        // `max` fails to parse: no limit.
        limits.filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok()).min()
    }
}

/// A path from `mountinfo`, where a space is `\040`.
fn unescape(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(code) => {
                path.push(char::from(code));
                path.push_str(&part[3..]);
            }
            None => path.push_str(part),
        }
    }
    path
}

thread_local! {
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs an allocation that may fail. Within it, an allocator that ends the process when memory is exhausted (see
/// [`may_fail`]) must let the request fail instead.
pub fn fallibly<T>(ask: impl FnOnce() -> T) -> T {
    let before = FALLIBLE.replace(true);
    let result = ask();
    FALLIBLE.set(before);
    result
}

/// Whether this thread is within [`fallibly`] and can handle a failed allocation.
pub fn may_fail() -> bool {
    FALLIBLE.try_with(Cell::get).unwrap_or(false)
}

/// An empty vector with room for `len` items.
///
/// # Errors
/// Returns an error if memory is exhausted.
pub(crate) fn room<T>(len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut items = Vec::new();
    fallibly(|| items.try_reserve_exact(len))?;
    Ok(items)
}

/// A vector of `len` copies of a value.
///
/// # Errors
/// Returns an error if memory is exhausted.
pub(crate) fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>, TryReserveError> {
    let mut items = room(len)?;
    items.resize(len, value);
    Ok(items)
}

/// A vector of `len` zeros, which the system provides page by page when they are first written.
///
/// # Errors
/// Returns an error if memory is exhausted.
pub(crate) fn zeroed<T: bytemuck::Zeroable>(len: usize) -> Result<Vec<T>, ()> {
    fallibly(|| bytemuck::allocation::try_zeroed_vec(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:       24000000 kB\nMemFree: 1 kB\n";
    const MACHINE: u64 = 24_000_000 * 1024;
    const V2: &str = "31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
    const V1: &str = "25 23 0:21 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n\
                      30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      33 25 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

    /// The limit on a machine with these files.
    fn limit(files: &[(&str, &str)]) -> Option<u64> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        machine_and_groups(folder.path())
    }

    #[test]
    fn the_least_limit_on_the_way_to_the_root_counts() {
        let info = ("proc/meminfo", MEMINFO);
        let (mounts_2, mounts_1) = (("proc/self/mountinfo", V2), ("proc/self/mountinfo", V1));
        let own = |text| ("proc/self/cgroup", text);
        let gib = 1_u64 << 30;
        let nested = own("0::/user.slice/run.scope\n");
        for (what, files, expected) in [
            ("no groups", vec![info], Some(MACHINE)),
            ("nothing known", vec![], None),
            (
                "v2, no limit",
                vec![info, mounts_2, nested, ("sys/fs/cgroup/user.slice/memory.max", "max\n")],
                Some(MACHINE),
            ),
            (
                "v2, the group itself",
                vec![info, mounts_2, nested, ("sys/fs/cgroup/user.slice/run.scope/memory.max", "1073741824\n")],
                Some(gib),
            ),
            (
                "v2, a group around it",
                vec![
                    info,
                    mounts_2,
                    nested,
                    ("sys/fs/cgroup/user.slice/run.scope/memory.max", "2147483648\n"),
                    ("sys/fs/cgroup/user.slice/memory.max", "1073741824\n"),
                ],
                Some(gib),
            ),
            (
                "v2, the limit from which it is throttled",
                vec![info, mounts_2, nested, ("sys/fs/cgroup/user.slice/run.scope/memory.high", "1073741824\n")],
                Some(gib),
            ),
            (
                "v2, a group beside it does not count",
                vec![info, mounts_2, nested, ("sys/fs/cgroup/user.slice/other/memory.max", "1073741824\n")],
                Some(MACHINE),
            ),
            (
                "v2, a container that sees itself as the root",
                vec![info, mounts_2, own("0::/\n"), ("sys/fs/cgroup/memory.max", "1073741824\n")],
                Some(gib),
            ),
            (
                "v2, a container whose group lies beyond the mount",
                vec![info, mounts_2, own("0::/../../pod\n"), ("sys/fs/cgroup/memory.max", "1073741824\n")],
                Some(gib),
            ),
            (
                "v1, nested",
                vec![
                    info,
                    mounts_1,
                    own("4:memory:/a/b\n1:cpu:/\n"),
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                    ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1073741824\n"),
                    ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n"),
                ],
                Some(gib),
            ),
            (
                "v1, a container at whose mount its own group is",
                vec![
                    info,
                    (
                        "proc/self/mountinfo",
                        "33 25 0:29 /docker/77 /my\\040groups/memory ro - cgroup cgroup rw,memory\n",
                    ),
                    own("4:memory:/docker/77\n"),
                    ("my groups/memory/memory.limit_in_bytes", "1073741824\n"),
                ],
                Some(gib),
            ),
            (
                "v1 and v2 side by side",
                vec![
                    info,
                    (
                        "proc/self/mountinfo",
                        &format!("{V1}34 25 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"),
                    ),
                    own("4:memory:/a\n0::/\n"),
                    ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1073741824\n"),
                ],
                Some(gib),
            ),
        ] {
            assert_eq!(limit(&files), expected, "{what}");
        }
    }

    #[test]
    fn much_memory_can_be_refused() {
        assert!(room::<u64>(usize::MAX / 16).is_err());
        assert_eq!(filled(3, 7_u8), Ok(vec![7; 3]));
        assert!(!may_fail());
        assert!(fallibly(may_fail));
        assert!(!may_fail());
    }
}
