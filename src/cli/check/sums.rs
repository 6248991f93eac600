//! Sums of reviews, of one game and of all games, as text and as JSON.

use crate::cli::output;
use jungletb::game::{Color, Rules};
use jungletb::play::record::{Outcome, Record};
use jungletb::play::review::{FindingKind, GradedMove, Layout, Review, Sources};
use jungletb::play::{Tally, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Sums over all files.
#[derive(Default)]
pub struct Sums {
    games: usize,
    moves: usize,
    /// By name, for players with a name.
    players: BTreeMap<String, (usize, Tally)>,
    pub total: Tally,
    known: Sources,
    findings: BTreeMap<&'static str, usize>,
    pub unreadable: usize,
    /// Games not finished when the program was interrupted.
    pub unfinished: usize,
    proofs: bool,
}

impl Sums {
    pub fn new(proofs: bool) -> Self {
        Self { proofs, ..Self::default() }
    }

    pub fn add(&mut self, record: &Record, review: &Review) {
        self.games += 1;
        self.moves += review.plies;
        for (name, tally) in record.players.iter().zip(&review.tallies) {
            if let Some(name) = name {
                let (games, sum) = self.players.entry(name.clone()).or_default();
                *games += 1;
                sum.merge(tally);
            }
            self.total.merge(tally);
        }
        self.known.merge(&review.known);
        for finding in &review.findings {
            *self.findings.entry(finding.kind.name()).or_default() += 1;
        }
    }

    pub fn count(&self, kind: FindingKind) -> usize {
        self.named(kind.name())
    }

    /// Number of findings of the kind with this name.
    pub fn named(&self, kind: &str) -> usize {
        self.findings.get(kind).copied().unwrap_or(0)
    }

    pub fn json(&self) -> Value {
        let players = self.players.iter().map(|(name, (games, tally))| {
            let mut player = json!({"name": name, "games": games});
            if let (Value::Object(player), Value::Object(tally)) = (&mut player, tally.json(self.proofs)) {
                player.extend(tally);
            }
            player
        });
        let mut total = self.total.json(self.proofs);
        total["known"] = self.known.json();
        json!({
            "games": self.games,
            "moves": self.moves,
            "unreadable": self.unreadable,
            "unfinished": self.unfinished,
            "findings": self.findings,
            "players": players.collect::<Vec<_>>(),
            "total": total,
        })
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, (games, tally)) in &self.players {
            text += &format!("{name}: {}, {}\n", super::count(*games, "game"), super::tally(tally));
        }
        let (games, moves) = (super::count(self.games, "game"), super::count(self.moves, "move"));
        text += &format!("total: {games}, {moves}, {}", super::tally(&self.total));
        for (kind, count) in &self.findings {
            text += &format!(", {count} {kind}");
        }
        if self.unreadable > 0 {
            text += &format!(", {} not readable", self.unreadable);
        }
        if self.unfinished > 0 {
            text += &format!(", {} not finished", self.unfinished);
        }
        text += "\n";
        if self.proofs {
            let total = &self.total;
            let parts = [total.by_tables(), total.by_proofs(), total.unknown()];
            text += &format!("moves graded: {}\n", shares(parts, "unknown"));
            let parts = [self.known.tables, self.known.proofs, self.known.unknown];
            text += &format!("positions known: {}\n", shares(parts, "not known"));
        }
        text
    }
}

/// `10 by tables (20 %), 30 by proofs (60 %), 10 unknown (20 %)`.
fn shares(parts: [u64; 3], rest: &str) -> String {
    let all = parts.iter().sum::<u64>().max(1);
    let share = |part: u64| format!("{:.0} %", part as f64 * 100.0 / all as f64);
    let [tables, proofs, unknown] = parts;
    format!(
        "{} by tables ({}), {} by proofs ({}), {} {rest} ({})",
        output::grouped(tables),
        share(tables),
        output::grouped(proofs),
        share(proofs),
        output::grouped(unknown),
        share(unknown)
    )
}

/// A game as JSON.
pub fn game_json(rules: &Rules, file: &str, record: &Record, review: &Review) -> Value {
    let mut game = json!({
        "file": file,
        "line": record.line,
        "players": {"white": record.players[0], "black": record.players[1]},
        "result": record.result.as_deref().map(|text| Outcome::parse(text).map_or(text, |outcome| outcome.text())),
        "reason": record.reason,
    });
    if let (Value::Object(game), Value::Object(review)) = (&mut game, review.json(rules)) {
        game.extend(review);
    }
    game
}

/// A game as text for people.
pub fn game_text(file: &str, record: &Record, review: &Review) -> String {
    let name = |color: Color| record.players[color.index()].clone().unwrap_or_else(|| color.to_string());
    let result =
        record.result.as_deref().map_or("*", |text| Outcome::parse(text).map_or(text, |outcome| outcome.text()));
    let reason = record.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let layout = if review.layout == Layout::Mirrored { ", left and right exchanged" } else { "" };
    let mut text = format!(
        "{file}:{}: {} – {}, {result}{reason}, {} plies{layout}\n",
        record.line,
        name(Color::White),
        name(Color::Black),
        review.plies
    );
    for GradedMove { ply, grade, .. } in &review.moves {
        let verdict = grade.verdict.to_string();
        if grade.verdict.is_mistake() {
            let best = grade.best_text();
            text += &format!("  ply {ply:>4}  {}  {verdict:<14}  best {best}, {}\n", grade.mv, grade.before.short());
        } else if grade.verdict == Verdict::IntoLoss {
            let (before, after) = (grade.before.short(), grade.after.short());
            text += &format!("  ply {ply:>4}  {}  {verdict:<14}  {after}; before it {before}\n", grade.mv);
        }
    }
    for finding in &review.findings {
        text += &format!("  ply {:>4}  {}: {}\n", finding.ply, finding.kind.name(), finding.what);
    }
    for (color, tally) in Color::BOTH.into_iter().zip(&review.tallies) {
        if tally.graded() > 0 {
            text += &format!("  {}: {}\n", name(color), super::tally(tally));
        }
    }
    if review.proofs {
        text += &turning(review, &name);
    }
    output::printable(&text)
}

/// The turning point of the game.
fn turning(review: &Review, name: &impl Fn(Color) -> String) -> String {
    let mut text = String::new();
    if let Some(decisive) = &review.decisive {
        let loser = name(decisive.before.to_move);
        let (ply, mv, basis) = (decisive.ply, decisive.mv, decisive.basis.name().replace('-', " "));
        text += &format!("  decisive mistake ({basis}): ply {ply}, {mv} by {loser}: {}\n", decisive.text());
    }
    text += &match review.forced_from {
        Some(0) => "  the result was forced from the beginning\n".to_owned(),
        Some(ply) => format!("  the result was forced from ply {ply} on\n"),
        None => "  the result is not known to have been forced\n".to_owned(),
    };
    let known = &review.known;
    text + &format!("  positions known: {}\n", shares([known.tables, known.proofs, known.unknown], "not known"))
}
