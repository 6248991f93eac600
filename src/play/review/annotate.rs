//! Annotated games: a reviewed game in the tagged format, with values and better moves as additional comments.

use super::replay::read_move;
use super::{Review, finding::FindingKind};
use crate::game::{Position, Rules};
use crate::play::grade::Grade;
use crate::play::record::{Comment, Note, NoteKind, Record, write};
use crate::play::verdict::Verdict;

impl Review {
    /// The game in the tagged format, with the value after each graded move and any better moves. Findings follow the
    /// moves as comments, as do the moves after an illegal one. Comments, variations and marks of the record are
    /// kept, except those written by an earlier review.
    pub fn annotated(&self, rules: &Rules, record: &Record) -> String {
        let mut comments = vec![None; self.plies];
        for graded in &self.moves {
            comments[graded.ply - 1] = Some(comment(&graded.grade));
        }
        if let Some(decisive) = &self.decisive
            && self.proofs
        {
            let comment = comments[decisive.ply - 1].get_or_insert(Comment { mark: "?", text: String::new() });
            let gap = if comment.text.is_empty() { "" } else { "; " };
            comment.text += &format!("{gap}{DECISIVE} ({}): {}", decisive.basis.name(), decisive.text());
        }
        let findings = self.findings.iter().map(|finding| match finding.ply {
            0 => format!("{}: {}", finding.kind.name(), finding.what),
            ply => format!("{} at ply {ply}: {}", finding.kind.name(), finding.what),
        });
        let mut remarks: Vec<String> = findings.collect();
        if let Some(ply) = self.forced_from.filter(|_| self.proofs) {
            remarks.push(format!("{FORCED} {ply}"));
        }
        let (followed, rest) = record.moves.split_at(self.plies);
        if !rest.is_empty() {
            remarks.push(format!("not followed: {}", rest.join(" ")));
        }
        let start = self.start.filter(|start| Position::start(rules) != Some(*start));
        let notes = record.notes.iter().filter(|note| !is_superseded(note, &comments, &remarks));
        let record = Record {
            start: start.map(|start| start.to_text(rules)).or_else(|| record.start.clone()),
            moves: followed.iter().filter_map(|text| read_move(text)).map(|mv| mv.to_string()).collect(),
            rules: record.rules.clone().or_else(|| Some(rules.name().to_owned())),
            notes: notes.cloned().collect(),
            ..record.clone()
        };
        write(&record, &comments, &remarks)
    }
}

const DECISIVE: &str = "the decisive mistake";
const FORCED: &str = "forced from ply";

/// Short text form of a grade: `win in 17`, `draw; win→draw; best a1a2`.
fn comment(grade: &Grade) -> Comment {
    let mut text = grade.after.short();
    let verdict = grade.verdict;
    if verdict.is_mistake() {
        text += &format!("; {verdict}; best {}", grade.best_text());
    } else if verdict == Verdict::IntoLoss {
        text += &format!("; {verdict}; before {}", grade.before.short());
    }
    let mark = match verdict {
        Verdict::WinToLoss => "??",
        Verdict::WinToDraw | Verdict::DrawToLoss | Verdict::IntoLoss => "?",
        Verdict::Slower(_) | Verdict::Sooner(_) => "?!",
        _ => "",
    };
    Comment { mark, text }
}

/// Whether a comment of the record was written by an earlier review and is replaced by this one.
fn is_superseded(note: &Note, comments: &[Option<Comment>], remarks: &[String]) -> bool {
    if note.kind != NoteKind::Comment {
        return false;
    }
    let topic = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let is_remark =
        FindingKind::ALL.iter().any(|kind| topic(&note.text).starts_with(kind.name())) || note.text.starts_with(FORCED);
    let again = |remark: &String| *remark == note.text || is_remark && topic(remark) == topic(&note.text);
    if remarks.iter().any(again) || note.text.starts_with(FORCED) {
        return true;
    }
    let new = note.ply.checked_sub(1).and_then(|ply| comments.get(ply)).and_then(Option::as_ref);
    new.is_some_and(|new| new.text == note.text || is_value(&note.text))
}

/// Whether a comment begins with a value and a distance, or names a verdict, as those of a review do.
fn is_value(text: &str) -> bool {
    let mut parts = text.split("; ");
    let value = parts.next().unwrap_or_default();
    let distance = ["win in ", "loss in "].iter().find_map(|start| value.strip_prefix(start));
    let distance = distance.map(|distance| distance.strip_prefix("at most ").unwrap_or(distance));
    let has_distance = distance.is_some_and(|plies| plies.bytes().all(|byte| byte.is_ascii_digit()));
    let is_open = value == "unknown" || value.starts_with("no forced win within ");
    let names = |part: &str| {
        let verdict = Verdict::NAMES.iter().any(|name| part.split(" by ").next() == Some(name));
        verdict || part.starts_with("best ") || part.starts_with(DECISIVE)
    };
    has_distance || is_open || parts.any(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_reviews_are_told_from_those_of_people() {
        for text in
            ["win in 5", "loss in at most 18", "draw; win→draw; best a1a2", "unknown", "loss; win→loss; best a1a2"]
        {
            assert!(is_value(text), "{text}");
        }
        for text in ["win in sight", "a draw", "draw", "best by test", "the cat; it wins"] {
            assert!(!is_value(text), "{text}");
        }
    }
}
