//! Interrupted runs, and cells of two bytes.

use super::*;
use crate::material::graph;
use crate::solve::Silent;
use std::sync::Mutex;

/// Two bytes per cell are needed for wins of more than 250 plies, which no small class has: this test forces them.
#[test]
fn wide_cells_give_the_same_tables() {
    let rules = Rules::standard();
    let classes = Classes::new(&rules);
    let folder = tempfile::tempdir().unwrap();
    let store = Registry::new(folder.path(), &rules);
    let generator = Generator::new(&rules, &classes, &store, &Silent);
    for name in ["EvR", "LRvR", "PWvC"] {
        let material = Material::parse(&rules, name).unwrap();
        generator.run(&graph::closure(&classes, &rules, &[material])).unwrap();
        let class = &classes.place(&rules, material).unwrap().class;
        let read = || [Metric::Wdl, Metric::Dtw].map(|metric| std::fs::read(store.path(class, metric)).unwrap());
        let narrow = read();
        for metric in [Metric::Wdl, Metric::Dtw] {
            std::fs::remove_file(store.path(class, metric)).unwrap();
        }
        generator.solve_and_write::<u16>(&generator.task(class).unwrap()).unwrap();
        assert!(read() == narrow, "{name}");
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

/// A class that needs two bytes per cell was once restarted with one byte, which overwrote its checkpoint.
#[test]
fn a_wide_run_goes_on_from_its_checkpoint() {
    let rules = Rules::standard();
    let classes = Classes::new(&rules);
    let folder = tempfile::tempdir().unwrap();
    let store = Registry::new(folder.path(), &rules);
    let material = Material::parse(&rules, "PWvC").unwrap();
    Generator::new(&rules, &classes, &store, &Silent).run(&graph::closure(&classes, &rules, &[material])).unwrap();
    let class = &classes.place(&rules, material).unwrap().class;
    let paths = [Metric::Wdl, Metric::Dtw].map(|metric| store.path(class, metric));
    let read = || paths.clone().map(|path| std::fs::read(path).unwrap());
    let good = read();
    for path in &paths {
        std::fs::remove_file(path).unwrap();
    }

    let run = |stop: &StopAt, wide: bool| {
        let mut generator = Generator::new(&rules, &classes, &store, stop);
        generator.checkpoint_interval = Duration::ZERO;
        generator.cancel = stop.cancel.clone();
        if wide {
            let result = generator.solve_and_write::<u16>(&generator.task(class).unwrap());
            result.map_err(|error| match error {
                Unsolved::Failed(error) => error,
                Unsolved::Deeper => panic!("two bytes hold every distance"),
            })
        } else {
            generator.run(&[Arc::clone(class)]).map(|_| ())
        }
    };
    let first = StopAt::new(Some(6));
    assert!(matches!(run(&first, true), Err(SolveError::Interrupted)));
    let second = StopAt::new(None);
    run(&second, false).unwrap();
    let stages = second.stages.into_inner().unwrap();
    assert_eq!(stages.first(), Some(&Stage::Pass(6)), "{stages:?}");
    assert!(read() == good);
    let names = folder.path().join("standard").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let left: Vec<_> = names.filter(|name| name.extension().is_none_or(|end| end != "wdl" && end != "dtw")).collect();
    assert!(left.is_empty(), "{left:?}");
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
    assert_eq!(names(), ["EvE.checkpoint"]);
    let second = StopAt::new(None);
    Generator::new(&rules, &classes, &store, &second).run(&[Arc::clone(class)]).unwrap();
    let stages = second.stages.into_inner().unwrap();
    assert!(matches!(stages[..], [Stage::Pass(_), Stage::Writing]), "{stages:?}");
    assert_eq!(names(), ["EvE.dtw", "EvE.wdl"]);
}
