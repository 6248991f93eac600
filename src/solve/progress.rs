//! Progress reports of the solver, independent of the receiver.

use crate::material::Class;

/// The current work on a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading smaller tables and evaluating captures.
    Seeds,
    /// The pass of this ply.
    Pass(u16),
    /// Writing the tables.
    Writing,
}

/// Receives reports from the solver. Calls come from several threads, for several classes at once.
pub trait Progress: Sync {
    /// Work on a class has started.
    fn started(&self, class: &Class) {
        let _ = class;
    }

    /// A class has reached a stage.
    fn stage(&self, class: &Class, stage: Stage) {
        let _ = (class, stage);
    }

    /// This number of further positions of a class has been packed for writing.
    fn written(&self, class: &Class, positions: u64) {
        let _ = (class, positions);
    }

    /// Another process is working on a class, and the run waits for it.
    fn waiting(&self, class: &Class, owner: &str) {
        let _ = (class, owner);
    }

    /// A problem that does not stop the run.
    fn warning(&self, text: &str) {
        let _ = text;
    }

    /// The tables of a class are on disk.
    fn finished(&self, class: &Class) {
        let _ = class;
    }
}

/// Ignores all reports.
pub struct Silent;

impl Progress for Silent {}
