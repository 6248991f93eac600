//! Interrupted runs, and ways to divide the work.

use super::*;
use crate::material::graph;
use crate::solve::Silent;
use std::sync::Mutex;

/// A folder with the tables of some materials and all they depend on.
struct Made {
    rules: Rules,
    classes: Classes,
    folder: tempfile::TempDir,
}

impl Made {
    fn new(rules: &str, names: &[&str]) -> Self {
        let rules = Rules::preset(rules).unwrap();
        let made = Self { classes: Classes::new(&rules), folder: tempfile::tempdir().unwrap(), rules };
        let materials: Vec<_> = names.iter().map(|name| Material::parse(&made.rules, name).unwrap()).collect();
        let store = made.store();
        Generator::new(&made.rules, &made.classes, &store, &Silent)
            .run(&graph::closure(&made.classes, &made.rules, &materials))
            .unwrap();
        made
    }

    fn store(&self) -> Registry {
        Registry::new(self.folder.path(), &self.rules)
    }

    fn class(&self, name: &str) -> Arc<Class> {
        let material = Material::parse(&self.rules, name).unwrap();
        Arc::clone(&self.classes.place(&self.rules, material).unwrap().class)
    }

    /// The bytes of the tables of a class, which are deleted.
    fn take(&self, class: &Class) -> Vec<Vec<u8>> {
        let paths = [Metric::Wdl, Metric::Dtw].map(|metric| self.store().path(class, metric));
        let read = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
        for path in &paths {
            std::fs::remove_file(path).unwrap();
        }
        read
    }

    /// The names of the files, without tables.
    fn left(&self) -> Vec<String> {
        let entries = self.store().folder().read_dir().unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let left = paths.filter(|path| path.extension().is_none_or(|end| end != "wdl" && end != "dtw"));
        let mut left: Vec<_> = left.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
        left.sort();
        left
    }
}

/// Classes of billions of positions are divided into slabs, their views into batches, and their distances may need two
/// bytes, which no small class does: this test forces all of that.
#[test]
fn tables_do_not_depend_on_how_the_work_is_divided() {
    for (rules, name) in [("standard", "LRvR"), ("standard", "PWvC"), ("standard", "ETvLR"), ("leiden", "CRvD")] {
        let made = Made::new(rules, &[name]);
        let class = made.class(name);
        let good = made.take(&class);
        let least = Need::of(&class, true);
        for (slab, views, narrow, interval, memory) in [
            (1, 1, 250, 120, u64::MAX),
            (1, 1 << 16, 0, 0, u64::MAX),
            (4000, 1 << 30, 250, 0, least.memory - 1),
            (1, 1 << 20, 250, 120, least.memory - 1),
        ] {
            let store = made.store();
            let mut generator = Generator::new(&made.rules, &made.classes, &store, &Silent);
            generator.tuning = Tuning { slab, views, narrow };
            generator.checkpoint_interval = Duration::from_secs(interval);
            generator.memory = memory;
            generator.run(&[Arc::clone(&class)]).unwrap();
            assert!(made.take(&class) == good, "{name} with slabs of {slab}, views of {views}, {narrow}, {memory}");
            assert!(made.left().is_empty(), "{:?}", made.left());
        }
    }
}

/// Stops a run at the pass of a ply; records all stages.
struct StopAt {
    ply: Option<u16>,
    cancel: Cancel,
    stages: Mutex<Vec<Stage>>,
}

impl StopAt {
    fn new(ply: Option<u16>) -> Self {
        Self { ply, cancel: Cancel::new(), stages: Mutex::default() }
    }
}

impl Progress for StopAt {
    fn stage(&self, _: &Class, stage: Stage) {
        self.stages.lock().unwrap().push(stage);
        if self.ply.is_some_and(|ply| stage == Stage::Pass(ply)) {
            self.cancel.cancel();
        }
    }
}

/// A run stopped at any ply resumes there, also with other slabs in between, which start anew.
#[test]
fn a_stopped_run_resumes_at_its_ply() {
    let made = Made::new("standard", &["PWvC"]);
    let class = made.class("PWvC");
    let good = made.take(&class);
    let run = |stop: &StopAt, slab: usize| {
        let store = made.store();
        let mut generator = Generator::new(&made.rules, &made.classes, &store, stop);
        generator.checkpoint_interval = Duration::ZERO;
        generator.tuning.slab = slab;
        generator.cancel = stop.cancel.clone();
        generator.run(&[Arc::clone(&class)])
    };
    for ply in [2, 3, 6] {
        let first = StopAt::new(Some(ply));
        assert!(matches!(run(&first, 1), Err(SolveError::Interrupted)));
        assert_eq!(made.left(), ["checkpoint", "scratch"].map(|end| format!("{}.{end}", class.name())));
        let second = StopAt::new(Some(ply + 1));
        assert!(matches!(run(&second, 1), Err(SolveError::Interrupted)));
        assert_eq!(second.stages.into_inner().unwrap(), [Stage::Seeds, Stage::Pass(ply), Stage::Pass(ply + 1)]);
        let third = StopAt::new(None);
        run(&third, if ply == 3 { 1 << 20 } else { 1 }).unwrap();
        let resumed = if ply == 3 { 1 } else { ply + 1 };
        assert_eq!(third.stages.into_inner().unwrap()[..2], [Stage::Seeds, Stage::Pass(resumed)]);
        assert!(made.take(&class) == good, "stopped at ply {ply}");
        assert!(made.left().is_empty(), "{:?}", made.left());
    }
}

/// A journal that another program changed is not used: the run fails, and the next one starts anew.
#[test]
fn a_damaged_journal_is_not_used_again() {
    let made = Made::new("standard", &["PWvC"]);
    let class = made.class("PWvC");
    let good = made.take(&class);
    let run = |stop: &StopAt| {
        let store = made.store();
        let mut generator = Generator::new(&made.rules, &made.classes, &store, stop);
        generator.checkpoint_interval = Duration::ZERO;
        generator.cancel = stop.cancel.clone();
        generator.run(&[Arc::clone(&class)])
    };
    run(&StopAt::new(Some(6))).unwrap_err();
    let path = made.store().folder().join(format!("{}.scratch", class.name()));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let error = run(&StopAt::new(None)).unwrap_err();
    assert!(matches!(error, SolveError::Scratch { .. }), "{error}");
    run(&StopAt::new(None)).unwrap();
    assert!(made.take(&class) == good);
}

/// Stops a run when it starts to write.
struct StopWriting(Cancel);
impl Progress for StopWriting {
    fn stage(&self, _: &Class, stage: Stage) {
        if stage == Stage::Writing {
            self.0.cancel();
        }
    }
}

/// A run stopped while writing keeps what it solved.
#[test]
fn a_run_stopped_while_it_writes_goes_on_there() {
    let rules = Rules::standard();
    let classes = Classes::new(&rules);
    let folder = tempfile::tempdir().unwrap();
    let store = Registry::new(folder.path(), &rules);
    let material = Material::parse(&rules, "EvE").unwrap();
    let class = &classes.place(&rules, material).unwrap().class;
    let stop = StopWriting(Cancel::new());
    let mut generator = Generator::new(&rules, &classes, &store, &stop);
    generator.checkpoint_interval = Duration::ZERO;
    generator.cancel = stop.0.clone();
    assert!(matches!(generator.run(&[Arc::clone(class)]), Err(SolveError::Interrupted)));
    let names = || {
        let entries = folder.path().join("standard").read_dir().unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["EvE.checkpoint", "EvE.scratch"]);
    let second = StopAt::new(None);
    Generator::new(&rules, &classes, &store, &second).run(&[Arc::clone(class)]).unwrap();
    let stages = second.stages.into_inner().unwrap();
    assert!(matches!(stages[..], [Stage::Seeds, Stage::Writing]), "{stages:?}");
    assert_eq!(names(), ["EvE.dtw", "EvE.wdl"]);
}
