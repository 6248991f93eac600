//! Progress on a terminal: a bar for the whole run and one for each class in progress.

use super::Common;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use jungletb::material::Class;
use jungletb::solve::{Progress, Stage};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One bar on standard error, with an `indicatif` template; hidden with `-q` and if standard error is not a terminal.
pub fn single(common: &Common, length: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, target(common));
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}

/// One bar that counts `number` items, such as `games`, with rate and remaining time.
pub fn counting(common: &Common, number: u64, of: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{human_pos}} of {{human_len}} {of}, {{per_sec}}, {{eta}} left");
    single(common, Some(number), &template)
}

fn target(common: &Common) -> ProgressDrawTarget {
    if common.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
}

/// Redraw interval while nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// Draws bars on standard error, if that is a terminal; with `-v` also a line for each class.
pub struct Bars {
    all: MultiProgress,
    whole: ProgressBar,
    classes: Mutex<HashMap<String, ProgressBar>>,
    quiet: bool,
    verbose: bool,
}

impl Bars {
    /// Bars for this total number of positions.
    pub fn new(common: &Common, positions: u64) -> Self {
        let all = MultiProgress::with_draw_target(target(common));
        let whole = all.add(ProgressBar::new(positions));
        let template = "{bar:30} {human_pos} of {human_len} positions, {rate}, {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        whole.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{:.1} million/s", state.per_sec() / 1e6);
        }));
        if !whole.is_hidden() {
            whole.enable_steady_tick(TICK);
        }
        Self { all, whole, classes: Mutex::default(), quiet: common.quiet, verbose: common.verbose }
    }

    /// Counts finished positions.
    pub fn add(&self, positions: u64) {
        self.whole.inc(positions);
    }

    /// Removes the bars from the screen.
    pub fn clear(&self) {
        self.whole.finish_and_clear();
    }

    /// Starts a class.
    pub fn begin(&self, class: &Class) {
        let bar = self.all.insert_before(&self.whole, ProgressBar::new(class.stored_positions()));
        let template = "{prefix:>10} {bar:19} {msg} {elapsed}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        bar.set_prefix(class.name());
        self.lock().insert(class.name(), bar);
    }

    /// Counts checked positions of a class.
    pub fn checked(&self, class: &Class, positions: u64) {
        self.with(class, |bar| bar.inc(positions));
        self.add(positions);
    }

    /// Finishes a class.
    pub fn end(&self, class: &Class) {
        self.end_with(class, "");
    }

    /// Finishes a class; the text ends its line.
    pub fn end_with(&self, class: &Class, text: &str) {
        if let Some(bar) = self.lock().remove(&class.name()) {
            let seconds = bar.elapsed().as_secs_f64();
            bar.finish_and_clear();
            self.all.remove(&bar);
            if self.verbose {
                self.all.suspend(|| {
                    let positions = super::output::grouped(class.stored_positions());
                    super::log::line(&format!("{:>10} {positions:>15} positions {seconds:8.2} s{text}", class.name()));
                });
            }
        }
    }

    fn with(&self, class: &Class, f: impl FnOnce(&ProgressBar)) {
        if let Some(bar) = self.lock().get(&class.name()) {
            f(bar);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, ProgressBar>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Bars {
    fn started(&self, class: &Class) {
        self.begin(class);
    }

    fn stage(&self, class: &Class, stage: Stage) {
        self.with(class, |bar| {
            bar.set_message(match stage {
                Stage::Seeds => "captures".to_owned(),
                Stage::Pass(ply) => format!("ply {ply}"),
                Stage::Writing => "writing".to_owned(),
            });
        });
    }

    fn written(&self, class: &Class, positions: u64) {
        self.with(class, |bar| bar.inc(positions));
        self.add(positions);
    }

    fn waiting(&self, class: &Class, owner: &str) {
        if !self.quiet {
            let text = format!("{}: {owner} is working on this class; waiting for it", class.name());
            self.all.suspend(|| super::exit::print_error(&text));
        }
    }

    fn warning(&self, text: &str) {
        self.all.suspend(|| super::exit::print_error(text));
    }

    fn finished(&self, class: &Class) {
        // A class that was kept or adopted has written no positions.
        let mut written = 0;
        self.with(class, |bar| written = bar.position());
        self.add(class.stored_positions().saturating_sub(written));
        self.end(class);
    }
}
