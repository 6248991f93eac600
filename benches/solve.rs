//! Generation: a whole class, and each of its phases.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jungletb::game::Rules;
use jungletb::material::{Class, Classes, Material, graph};
use jungletb::solve::reference::Reference;
use jungletb::solve::{Generator, Progress, Silent, Stage};
use jungletb::table::Registry;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Records the start of each phase.
#[derive(Default)]
struct Watch {
    seen: Mutex<Vec<(Phase, Instant)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Seeds,
    Passes,
    Writing,
    End,
}

impl Watch {
    fn note(&self, phase: Phase) {
        self.seen.lock().unwrap().push((phase, Instant::now()));
    }

    fn time(&self, phase: Phase) -> Duration {
        let seen = self.seen.lock().unwrap();
        seen.windows(2).filter(|pair| pair[0].0 == phase).map(|pair| pair[1].1 - pair[0].1).sum()
    }
}

impl Progress for Watch {
    fn stage(&self, _: &Class, stage: Stage) {
        self.note(match stage {
            Stage::Seeds => Phase::Seeds,
            Stage::Pass(_) => Phase::Passes,
            Stage::Writing => Phase::Writing,
        });
    }

    fn finished(&self, _: &Class) {
        self.note(Phase::End);
    }
}

/// A folder that holds the dependencies of a material, but not its own tables.
struct Prepared {
    rules: Rules,
    classes: Classes,
    folder: TempDir,
    material: Material,
}

impl Prepared {
    fn new(material: &str) -> Self {
        let rules = Rules::standard();
        let classes = Classes::new(&rules);
        let folder = tempfile::tempdir().unwrap();
        let material = Material::parse(&rules, material).unwrap();
        let prepared = Self { rules, classes, folder, material };
        prepared.run(&Silent);
        prepared
    }

    fn class(&self) -> &Class {
        &self.classes.place(&self.rules, self.material).unwrap().class
    }

    fn run(&self, progress: &dyn Progress) {
        let store = Registry::new(self.folder.path(), &self.rules);
        let wanted = graph::closure(&self.classes, &self.rules, &[self.material]);
        let top = wanted.last().unwrap().clone();
        for metric in [jungletb::table::Metric::Wdl, jungletb::table::Metric::Dtw] {
            let _ = std::fs::remove_file(store.path(&top, metric));
        }
        let generator = Generator::new(&self.rules, &self.classes, &store, progress);
        generator.run(&wanted).unwrap();
    }
}

fn generation(criterion: &mut Criterion) {
    // A rat and four kinds of land animals; jumpers; like pieces.
    for material in ["EPvLR", "LTvEP", "PWvDC"] {
        let prepared = Prepared::new(material);
        let mut group = criterion.benchmark_group(format!("generate {material}"));
        group.sample_size(10).throughput(Throughput::Elements(prepared.class().stored_positions()));
        for (name, phase) in [("seeds", Phase::Seeds), ("passes", Phase::Passes), ("writing", Phase::Writing)] {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|times| {
                    let run = |_| {
                        let watch = Watch::default();
                        prepared.run(&watch);
                        watch.time(phase)
                    };
                    (0..times).map(run).sum()
                });
            });
        }
        group.bench_function("whole class", |bencher| bencher.iter(|| prepared.run(&Silent)));
        group.finish();
    }
}

fn reference(criterion: &mut Criterion) {
    let rules = Rules::standard();
    let material = Material::parse(&rules, "EvR").unwrap();
    let classes = Classes::new(&rules);
    let stored = classes.place(&rules, material).unwrap().class.stored_positions();
    let mut group = criterion.benchmark_group("reference solver");
    group.sample_size(10).throughput(Throughput::Elements(stored));
    group.bench_function("EvR", |bencher| bencher.iter(|| Reference::new(&rules).solve(material)));
    group.finish();
}

criterion_group!(benches, generation, reference);
criterion_main!(benches);
