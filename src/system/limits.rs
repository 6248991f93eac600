//! Limits of the operating system for a process.

/// Raises the limit of open files of this process: the soft limit to the hard limit. Failure is ignored, as is the
/// absence of such a limit.
pub fn raise_open_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
}
