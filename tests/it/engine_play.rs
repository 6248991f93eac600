//! Play of the engine: perfect where there are tables, sound elsewhere.

use crate::common::{SHIPPED, tables};
use jungletb::game::{Category, Color, Move, Over, Position, Rules};
use jungletb::material::{Class, Material, graph};
use jungletb::play::engine::{Game, Limits, Score, Searcher, best, run};
use jungletb::probe::{ProbeError, Tablebase};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn open(folder: impl AsRef<Path>) -> Tablebase {
    Tablebase::open(folder, &Rules::standard()).unwrap()
}

/// Positions spread over a material, both colors to move.
fn sample(base: &Tablebase, material: Material, count: u64) -> Vec<Position> {
    let place = base.place(material).unwrap();
    let len = place.class.index().len();
    let number = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % len;
    let color = |n: u64| Color::BOTH[(n % 2) as usize];
    (0..count).map(|n| place.position(base.rules(), &place.class.index().decode(number(n)), color(n))).collect()
}

fn shipped_classes(base: &Tablebase) -> Vec<Arc<Class>> {
    let classes = graph::up_to(base.classes(), base.rules(), 3);
    assert_eq!(classes.len(), 52);
    classes
}

/// The move and the score of a search to this depth in plies.
fn search(searcher: &mut Searcher, game: &Game, depth: u32) -> (Move, Score) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let report = searcher.search(game, &limits, &mut |_| {});
    (report.best.expect("the game is not over"), report.score)
}

#[test]
fn play_from_tables_is_perfect_in_every_shipped_class() {
    let base = open(SHIPPED);
    let rules = base.rules();
    let (mut decided, mut draws, mut narrowed) = (0, 0, 0);
    let mut input = String::new();
    let mut expected = Vec::new();
    for class in shipped_classes(&base) {
        for position in sample(&base, class.representative, 300) {
            let answer = base.value(&position).unwrap();
            let ranked = base.moves(&position).unwrap();
            let choice = best(&base, &position).unwrap();
            let text = position.to_text(rules);
            let Some(choice) = choice else {
                assert!(ranked.is_empty() && answer.over.is_some(), "{text}");
                continue;
            };
            assert_eq!(choice.answer, answer, "{text}");
            let chosen = ranked.iter().find(|ranked| ranked.mv == choice.mv).unwrap();
            assert_eq!(chosen.answer, ranked[0].answer, "{text}");
            input += &format!("position fen {text}\ngo movetime 60000\n");
            expected.push(choice.mv.to_string());
            if answer.category != Category::Draw {
                decided += 1;
                assert_eq!(
                    (chosen.answer.unwrap().dtw.unwrap() + 1, choice.holding_replies),
                    (answer.dtw.unwrap(), None)
                );
                continue;
            }
            // Recounted: the replies of the opponent after which it is not lost.
            let holding = |position: &Position| {
                let replies = position.successors(rules);
                replies.filter(|reply| base.value(&reply.position).unwrap().category != Category::Win).count()
            };
            let drawing = ranked.iter().filter(|ranked| ranked.answer.unwrap().category == Category::Draw);
            let counts: Vec<usize> = drawing.map(|ranked| holding(&ranked.position)).collect();
            assert_eq!(choice.holding_replies, counts.iter().copied().min(), "{text}");
            assert_eq!(holding(&chosen.position), counts.iter().copied().min().unwrap(), "{text}");
            draws += 1;
            narrowed += usize::from(counts.iter().any(|&count| count != counts[0]));
        }
    }
    assert!(decided > 3000 && draws > 300 && narrowed > 100, "{decided} decided, {draws} draws, {narrowed} narrowed");
    // The engine gives the same.
    let mut output = Vec::new();
    run(&base, input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let said: Vec<&str> = output.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    crate::common::assert_same(&said, &expected, "moves");
}

#[test]
fn a_won_game_lasts_as_long_as_its_distance() {
    let base = open(SHIPPED);
    for text in ["e6/7/7/7/7/7/7/7/6E w", "l6/7/7/P6/7/7/7/7/6E w", "7/7/2r4/3L3/7/3c3/7/7/7 w"] {
        let mut position = Position::parse(base.rules(), text).unwrap();
        for left in (1..=base.value(&position).unwrap().dtw.unwrap()).rev() {
            let choice = best(&base, &position).unwrap().unwrap();
            assert_eq!(choice.answer.dtw, Some(left));
            position = position.play(base.rules(), choice.mv).unwrap();
        }
        assert!(position.over(base.rules()).is_some());
        assert_eq!(best(&base, &position).unwrap(), None);
    }
}

#[test]
fn what_no_table_has_is_left_open() {
    let base = open(SHIPPED);
    let unknown = Position::start(base.rules()).unwrap();
    assert_eq!(best(&base, &unknown).unwrap(), None);
    // An immediate win needs no table.
    let text = "l5t/1d1L1c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T6 w";
    let choice = best(&base, &Position::parse(base.rules(), text).unwrap()).unwrap().unwrap();
    assert_eq!((choice.mv.to_string().as_str(), choice.answer.dtw), ("d8d9", Some(1)));
    let over = Position::parse(base.rules(), "3L3/7/7/7/7/7/7/7/c6 b").unwrap();
    assert_eq!(best(&base, &over).unwrap(), None);
    let bad = Position::empty(Color::White);
    assert!(matches!(best(&base, &bad), Err(ProbeError::Position(_))));
}

/// The tables of four pieces are hidden from the search, which must give the same results.
#[test]
fn search_finds_the_quickest_wins_and_the_slowest_losses() {
    let shipped = open(SHIPPED);
    let mut found = [0; 8];
    for material in ["ERvLC", "LPvTR"] {
        let made = tables("standard", material);
        let oracle = open(made.path());
        let rules = oracle.rules();
        let mut searcher = Searcher::new(&shipped);
        for position in sample(&oracle, Material::parse(rules, material).unwrap(), 1500) {
            let answer = oracle.value(&position).unwrap();
            let Some(plies @ 1..=7) = answer.dtw else { continue };
            let text = position.to_text(rules);
            let (mv, score) = search(&mut searcher, &Game::new(position), plies.into());
            assert_eq!((score.plies(), score.0 > 0), (Some(plies.into()), answer.category == Category::Win), "{text}");
            let chosen = oracle.moves(&position).unwrap().into_iter().find(|ranked| ranked.mv == mv);
            assert_eq!(chosen.unwrap().answer.unwrap().dtw, Some(plies - 1), "{text}: {mv}");
            found[usize::from(plies)] += 1;
        }
    }
    assert!(found[1..].iter().all(|&count| count > 5), "{found:?}");
}

/// WDL shows what is won, not how. The engine keeps the win and reaches the end.
#[test]
fn a_win_known_without_its_distance_is_not_let_go() {
    let shipped = open(SHIPPED);
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("standard")).unwrap();
    for class in shipped_classes(&shipped) {
        let name = format!("{}.wdl", class.name());
        let to = folder.path().join("standard").join(&name);
        fs::copy(Path::new(SHIPPED).join("standard").join(&name), to).unwrap();
    }
    let results = open(folder.path());
    let rules = shipped.rules();
    let (mut games, mut ended) = (0, 0);
    for material in ["EvL", "LvR", "ERvL", "TWvP"] {
        for position in sample(&shipped, Material::parse(rules, material).unwrap(), 40) {
            let answer = shipped.value(&position).unwrap();
            if answer.category != Category::Win || answer.dtw < Some(5) {
                continue;
            }
            games += 1;
            let mut searcher = Searcher::new(&results);
            let mut game = Game::new(position);
            for _ in 0..60 {
                if game.position.over(rules).is_some() {
                    break;
                }
                let mv = if game.position.to_move() == position.to_move() {
                    search(&mut searcher, &game, 6).0
                } else {
                    best(&shipped, &game.position).unwrap().unwrap().mv
                };
                assert!(game.play(rules, mv));
                let winner = game.position.to_move() == position.to_move();
                let expected = if winner { Category::Win } else { Category::Loss };
                assert_eq!(shipped.value(&game.position).unwrap().category, expected, "{game:?}");
            }
            ended += usize::from(game.position.over(rules).is_some());
        }
    }
    assert!(games > 30, "{games}");
    assert!(ended * 10 >= games * 9, "{ended} of {games} games were won");
}

#[test]
fn a_game_against_itself_is_legal_to_its_end() {
    let base = open(SHIPPED);
    let rules = base.rules();
    let mut searcher = Searcher::new(&base);
    let mut game = Game::new(Position::start(rules).unwrap());
    let mut over = None;
    for _ in 0..600 {
        over = game.position.over(rules);
        if over.is_some() {
            break;
        }
        let choice = searcher.choose(&game.position).map(|choice| choice.mv);
        let mv = choice.unwrap_or_else(|| search(&mut searcher, &game, 3).0);
        assert!(game.play(rules, mv), "{mv} in {}", game.position.to_text(rules));
    }
    assert!(game.earlier.len() > 20);
    assert!(over.is_none_or(|(over, _)| over != Over::NoMoves || game.position.successors(rules).next().is_none()));
    assert!(searcher.complaints().is_empty());
}

/// A side with an advantage does not move in circles: the best move is no longer best once it leads back.
#[test]
fn a_position_that_was_on_the_board_counts_as_a_draw() {
    let base = open(SHIPPED);
    let rules = base.rules();
    let mut game = Game::new(Position::parse(rules, "c6/7/7/7/7/7/7/L1P3E/T6 w").unwrap());
    let start = game.position;
    let mut searcher = Searcher::new(&base);
    let (first, before) = search(&mut searcher, &game, 5);
    let back = |mv: Move| Move { from: mv.to, to: mv.from };
    let reply = Move::parse("a9a8").unwrap();
    for mv in [first, reply, back(first), back(reply)] {
        assert!(game.play(rules, mv));
    }
    assert_eq!(game.position, start);
    searcher.clear();
    let (second, after) = search(&mut searcher, &game, 5);
    assert_ne!(second, first);
    assert!(!game.earlier.contains(&start.play(rules, second).unwrap()));
    assert!(before >= after && after.0 > 0, "{before} {after}");
}
