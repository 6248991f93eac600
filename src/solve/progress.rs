//! How the solver reports its progress, independent of the receiver.

use crate::material::Class;

/// What is being done to a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Smaller tables are read and captures weighed.
    Seeds,
    /// The pass of this ply.
    Pass(u16),
    /// Its tables are written.
    Writing,
}

/// Listens to the solver. Calls come from several threads, for several classes at once.
pub trait Progress: Sync {
    /// A class is begun.
    fn started(&self, class: &Class) {
        let _ = class;
    }

    /// A class has reached a stage.
    fn stage(&self, class: &Class, stage: Stage) {
        let _ = (class, stage);
    }

    /// So many positions of a class have been packed for writing.
    fn written(&self, class: &Class, positions: u64) {
        let _ = (class, positions);
    }

    /// Another process works on a class, and the run waits for it.
    fn waiting(&self, class: &Class, owner: &str) {
        let _ = (class, owner);
    }

    /// Something went wrong that does not keep the run from going on.
    fn warning(&self, text: &str) {
        let _ = text;
    }

    /// The tables of a class are on the disk.
    fn finished(&self, class: &Class) {
        let _ = class;
    }
}

/// Ignores all reports.
pub struct Silent;

impl Progress for Silent {}
