//! Results of an engine's trials: sums by material and the worst cases, as text and as JSON.

use super::FailOn;
use super::engine::{FAILURE, NOT_WON};
use crate::cli::output;
use jungletb::game::Category;
use jungletb::material::Material;
use jungletb::play::adapters::{Protocol, Setup};
use jungletb::play::playout::End;
use jungletb::play::trial::{Trial, Trials};
use jungletb::play::{Tally, Verdict};
use jungletb::probe::Tablebase;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Sums over trials.
#[derive(Clone, Default)]
struct Sums {
    tally: Tally,
    failures: BTreeMap<&'static str, usize>,
    /// Play-outs by kind of end, and plies beyond the minimum of the won ones.
    ends: [usize; End::NAMES.len()],
    extra: Vec<usize>,
    /// The engine's moves in play-outs.
    playout: Tally,
}

impl Sums {
    fn add(&mut self, trial: &Trial) {
        match &trial.reply {
            Ok(grade) => self.tally.add(grade),
            Err(failure) => *self.failures.entry(failure.name()).or_default() += 1,
        }
        if let Some(playout) = &trial.playout {
            self.ends[playout.end.kind()] += 1;
            self.extra.extend(playout.extra());
            self.playout.merge(&playout.tally);
        }
    }

    fn playouts(&self) -> usize {
        self.ends.iter().sum()
    }

    fn not_won(&self) -> usize {
        self.playouts() - self.ends[End::Won.kind()]
    }

    fn mean_extra(&self) -> Option<f64> {
        (!self.extra.is_empty()).then(|| self.extra.iter().sum::<usize>() as f64 / self.extra.len() as f64)
    }

    fn json(&self, proofs: bool) -> Value {
        let Value::Object(mut object) = self.tally.json(proofs) else { return Value::Null };
        object.insert("failures".into(), json!(self.failures));
        if self.playouts() > 0 {
            let ends = End::NAMES.iter().zip(self.ends).map(|(&name, count)| (name.to_owned(), count.into()));
            object.insert(
                "playouts".into(),
                json!({
                    "played": self.playouts(),
                    "ends": ends.collect::<Map<String, Value>>(),
                    "mean_extra": self.mean_extra(),
                    "most_extra": self.extra.iter().max(),
                    "moves": self.playout.json(false),
                }),
            );
        }
        object.into()
    }

    fn text(&self) -> String {
        let mut text = super::tally(&self.tally);
        for (name, count) in &self.failures {
            text += &format!(", {count} {name}");
        }
        if self.playouts() > 0 {
            text += &format!("; {} played out", self.playouts());
            for (name, count) in End::NAMES.iter().zip(self.ends).filter(|(_, count)| *count > 0) {
                text += &format!(", {count} {name}");
            }
            if let (Some(mean), Some(most)) = (self.mean_extra(), self.extra.iter().max()) {
                text += &format!(", {mean:.2} plies more than needed, at most {most}");
            }
        }
        text
    }
}

/// The results of a trial, by material and in total.
pub struct TrialReport<'a> {
    by_material: BTreeMap<String, Sums>,
    total: Sums,
    /// Worst first.
    worst: Vec<&'a Trial>,
    /// Whether moves were graded by proofs beyond the tables.
    proofs: bool,
}

/// Number of positions listed as the worst.
const WORST: usize = 10;

impl<'a> TrialReport<'a> {
    /// Sums up the trials.
    pub fn new(trials: &'a Trials, proofs: bool) -> Self {
        let mut report = Self { by_material: BTreeMap::new(), total: Sums::default(), worst: Vec::new(), proofs };
        for trial in &trials.trials {
            report.by_material.entry(Material::of(&trial.position).to_string()).or_default().add(trial);
            report.total.add(trial);
        }
        report.worst = trials.trials.iter().filter(|trial| badness(trial) > (0, 0)).collect();
        report.worst.sort_by_key(|trial| std::cmp::Reverse(badness(trial)));
        report.worst.truncate(WORST);
        report
    }

    /// Whether there is a case of this kind.
    pub fn has(&self, kind: &FailOn) -> bool {
        let sums = &self.total;
        match kind.0.as_str() {
            FAILURE => !sums.failures.is_empty() || sums.ends[END_FAILED] > 0,
            NOT_WON => sums.not_won() > 0,
            name => {
                kind.is_in(&sums.tally)
                    || kind.is_in(&sums.playout)
                    || sums.failures.get(name).is_some_and(|count| *count > 0)
            }
        }
    }

    /// The report as JSON.
    pub fn json(&self, tables: &Tablebase, setup: &Setup, trials: &Trials) -> Value {
        let protocol = Protocol::ALL.iter().find(|(_, protocol)| *protocol == setup.protocol).map(|(name, _)| *name);
        let materials = self.by_material.iter().map(|(material, sums)| {
            let mut object = json!({"material": material});
            if let (Value::Object(object), Value::Object(sums)) = (&mut object, sums.json(self.proofs)) {
                object.extend(sums);
            }
            object
        });
        json!({
            "rules": tables.rules().name(),
            "engine": {"command": setup.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>(), "protocol": protocol, "name": trials.name},
            "positions": trials.trials.len(),
            "materials": materials.collect::<Vec<_>>(),
            "total": self.total.json(self.proofs),
            "worst": self.worst.iter().map(|trial| trial.position.to_text(tables.rules())).collect::<Vec<_>>(),
            "trials": trials.trials.iter().map(|trial| trial_json(tables, trial, self.proofs)).collect::<Vec<_>>(),
        })
    }

    /// The report as text for people; `wanted` positions were requested.
    pub fn text(&self, tables: &Tablebase, trials: &Trials, wanted: usize) -> String {
        let mut text = match &trials.name {
            Some(name) => format!("{name}, rules {}\n\n", tables.rules().name()),
            None => format!("rules {}\n\n", tables.rules().name()),
        };
        for (material, sums) in &self.by_material {
            text += &format!("{material:<9} {}\n", sums.text());
        }
        text += &format!("{:<9} {}\n", "total", self.total.text());
        if trials.trials.len() < wanted && trials.abort.is_some() {
            text += &format!(
                "stopped after {} of {}\n",
                trials.trials.len(),
                output::count(wanted as u64, "position", "positions")
            );
        }
        if !self.worst.is_empty() {
            text += "\nworst\n";
        }
        for trial in &self.worst {
            text += &format!("{}  {}\n", trial.position.to_text(tables.rules()), what(trial));
            for line in trial.explanation.iter().flat_map(|picture| picture.lines()) {
                text += &format!("    {line}\n");
            }
        }
        output::printable(&text)
    }
}

const END_FAILED: usize = End::NAMES.len() - 1;

/// Severity of a trial's result: failures of the engine, lost outcomes, plies lost; 0 if faultless.
fn badness(trial: &Trial) -> (usize, usize) {
    let reply = match &trial.reply {
        Err(_) => (100, 0),
        Ok(grade) if grade.verdict.is_mistake() || grade.verdict == Verdict::IntoLoss => {
            (grade.verdict.kind(), grade.verdict.plies_lost().into())
        }
        Ok(_) => (0, 0),
    };
    let playout = trial.playout.as_ref().map_or((0, 0), |playout| match &playout.end {
        End::Won => (0, playout.extra().unwrap_or(0)),
        end => (10 + end.kind(), 0),
    });
    reply.max(playout)
}

/// The result of a trial, in words.
fn what(trial: &Trial) -> String {
    let plies = |number: usize| output::count(number as u64, "ply", "plies");
    let mut text = match &trial.reply {
        Err(failure) => failure.to_string(),
        Ok(grade) if grade.verdict == Verdict::IntoLoss => {
            format!("{}: {}; {}; before it {}", grade.mv, grade.verdict, grade.after.short(), grade.before.short())
        }
        Ok(grade) => {
            format!("{}: {}; {}, best {}", grade.mv, grade.verdict, trial.answer.short(), grade.best_text())
        }
    };
    if let Some(playout) = &trial.playout {
        text += &match (&playout.end, playout.extra()) {
            (End::Failed(failure), _) => format!("; played out: {failure} after {}", plies(playout.moves.len())),
            (_, Some(extra)) => format!("; played out: won in {} more than needed", plies(extra)),
            (end, None) => format!("; played out: {} after {}", End::NAMES[end.kind()], plies(playout.moves.len())),
        };
    }
    text
}

fn trial_json(tables: &Tablebase, trial: &Trial, proofs: bool) -> Value {
    let mut object = json!({
        "position": trial.position.to_text(tables.rules()),
        "material": Material::of(&trial.position).to_string(),
        "category": trial.answer.category.map_or("unknown", Category::name),
        "dtw": trial.answer.dtw,
    });
    if let (true, Value::Object(object), Value::Object(value)) = (proofs, &mut object, trial.answer.json(true)) {
        object.extend(value);
    }
    match &trial.reply {
        Ok(grade) => {
            if let (Value::Object(object), Value::Object(grade)) = (&mut object, grade.json()) {
                object.extend(grade);
            }
        }
        Err(failure) => {
            object["failure"] = failure.name().into();
            object["what"] = failure.to_string().into();
        }
    }
    if let Some(explanation) = &trial.explanation {
        object["board"] = explanation.clone().into();
    }
    if let Some(playout) = &trial.playout {
        object["playout"] = playout.json();
    }
    object
}
