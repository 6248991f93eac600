//! Limits that the operating system sets for a process.

/// Raises the number of files that this process may have open as far as the system lets it: the soft limit to the hard
/// one. Nothing happens if that fails, or where there is no such limit.
pub fn raise_open_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
}
