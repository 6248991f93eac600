// What the page reckons by itself, without a browser: positions and materials as text, addresses, moves played.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as games from "../../src/serve/assets/js/game/game.js";
import { costOf, playerOf, trickiest } from "../../src/serve/assets/js/game/practice.js";
import { mistakesOf, valuesOf } from "../../src/serve/assets/js/game/review.js";
import { writeRecord } from "../../src/serve/assets/js/game/write.js";
import { gameOf } from "../../src/serve/assets/js/game/link.js";
import { fullMaterial, matches, readMaterial } from "../../src/serve/assets/js/text/material.js";
import { linkQuery } from "../../src/serve/assets/js/text/notation.js";
import * as position from "../../src/serve/assets/js/text/position.js";
import { parseRoute, routeUrl } from "../../src/serve/assets/js/text/route.js";

const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

test("positions are read and written", () => {
  for (const text of [START, "7/7/7/7/7/7/7/7/7 b"]) {
    assert.equal(position.formatPosition(position.parsePosition(text, 9)), text);
  }
  assert.equal(position.formatPosition(position.parsePosition("J6/6j/7/7/7/7/7_b", 7)), "P6/6p/7/7/7/7/7 b");
  for (const text of ["", "7", "8/7/7/7/7/7/7", "X6/7/7/7/7/7/7", "LLLLLLLL/7/7/7/7/7/7", "6/7/7/7/7/7/7"]) {
    assert.equal(position.parsePosition(text, 7), null, text);
  }
});

test("positions are read in any spelling that the service reads", () => {
  const spellings = JSON.parse(readFileSync(new URL("../data/spellings.json", import.meta.url), "utf8"));
  for (const text of spellings) {
    const query = linkQuery(text);
    const read = query === null ? text : parseRoute(query).position;
    assert.equal(position.formatPosition(position.parsePosition(read, 9)), spellings[0], text);
  }
  for (const side of ["b", "B", "Black", "black;"]) {
    assert.equal(position.parsePosition(`${START.slice(0, -2)} ${side}`, 9).side, "b", side);
  }
  assert.equal(position.formatPosition(position.parsePosition("StartPos", 9)), START);
  assert.equal(position.parsePosition("startpos", 7), null);
});

test("mirroring and swapping colors twice changes nothing, and the array is its own image", () => {
  const start = position.parsePosition(START, 9);
  const one = position.parsePosition("7/7/2r4/3L3/7/3c3/7/7/6E w", 9);
  for (const { position: change } of [position.MIRROR(9), position.SWAP(9)]) {
    assert.notEqual(position.formatPosition(change(one)), position.formatPosition(one));
    assert.equal(position.formatPosition(change(change(one))), position.formatPosition(one));
  }
  assert.equal(position.formatPosition(position.SWAP(9).position(start)), START.replace(/w$/, "b"));
  assert.equal(position.formatPosition(position.MIRROR(9).position(one)), "7/7/4r2/3L3/7/3c3/7/7/E6 w");
  assert.equal(position.formatPosition(position.SWAP(9).position(one)), "e6/7/7/3C3/7/3l3/4R2/7/7 b");
});

test("a piece that is put elsewhere leaves its square; another one there goes", () => {
  const before = position.parsePosition("7/7/2r4/3L3/7/3c3/7/7/7 w", 9);
  assert.equal(position.formatPosition(position.withPiece(before, "d4", "L")), "7/7/2r4/7/7/3L3/7/7/7 w");
  assert.equal(position.formatPosition(position.withPiece(before, null, "r")), "7/7/7/3L3/7/3c3/7/7/7 w");
});

test("moves are played, taken back, and played again; another one is a variation", () => {
  const shown = (game) => games.currentText(game, 9);
  let game = games.newGame("7/7/2r4/3L3/7/3c3/7/7/7 w");
  assert.ok(games.isEmpty(game));
  game = games.play(games.play(game, "d6d7"), "c7c8");
  assert.equal(shown(game), "7/2r4/3L3/7/7/3c3/7/7/7 w");
  const back = games.goTo(game, games.previous(game));
  assert.equal(games.lastMove(back), "d6d7");
  assert.deepEqual(games.play(back, "c7c8"), game);
  const varied = games.play(back, "c7b7");
  assert.equal(games.writeMoves(varied), "d6d7c7c8(c7b7)");
  assert.ok(games.isVariation(varied) && !games.isVariation(game));
  assert.equal(games.writeMoves(games.promote(varied)), "d6d7c7b7(c7c8)");
  assert.deepEqual(games.movesOf(varied, games.currentLine(varied)), ["d6d7", "c7b7"]);
  assert.equal(games.writeMoves(games.cut(varied)), "d6d7c7c8");
  assert.equal(games.goTo(game, 9).at, game.at);
});

test("games are read as they are written, and nothing else is", () => {
  const start = "7/7/2r4/3L3/7/3c3/7/7/7 w";
  for (const text of ["d6d7", "d6d7c7c8", "d6d7(d6d5d4d3(d4c4)d5d6)(d6a6)c7c8", "d6d7c7c8(c7b7)d7d6"]) {
    const game = games.readGame(start, text);
    assert.equal(games.writeMoves(game), text);
    for (let at = 0; at < game.nodes.length; at += 1) {
      const there = games.readGame(start, text, at);
      assert.deepEqual(games.goTo(game, at), there, `${text} at ${at}`);
      // Numbers are those of the text, also after a move that was there already.
      const next = games.following(there);
      if (next !== null) assert.deepEqual(games.play(there, there.nodes[next].move), games.goTo(game, next));
    }
  }
  assert.equal(games.writeMoves(games.readGame(start, "d6d7, c7c8_d7d6")), "d6d7c7c8d7d6");
  for (const text of ["", "(d6d7)", "d6d7(", "d6d7)", "d6d7x", "d6d", "d6d7(d6d5"]) {
    assert.equal(games.readGame(start, text), null, text);
  }
  const rules = { ranks: 9, start: START };
  const route = { page: "board", rules: null, position: "7/3L3/2r4/7/7/3c3/7/7/7 b", edit: false };
  const game = { start, moves: "d6d7", at: null, tags: {} };
  assert.ok(games.isEmpty(gameOf({ ...route, game }, rules)), "moves that do not lead to the position are none");
  assert.ok(games.isEmpty(gameOf({ ...route, game: { ...game, moves: "a1a2" } }, rules)));
});

test("a review is read by plies, for White and Black", () => {
  const value = (category, dtw) => ({ category, dtw });
  const moves = [
    {
      ply: 1,
      move: "a1a2",
      before: value("draw", null),
      after: value("loss", 8),
      verdict: "draw→loss",
      best: ["b1b2"],
    },
    {
      ply: 2,
      move: "a9a8",
      before: value("win", 7),
      after: value("win", 9),
      verdict: "slower",
      plies_lost: 2,
      best: [],
    },
  ];
  const review = { plies: 3, moves, decisive: { ply: 1 } };
  const told = valuesOf(review, "w").map((value) => value && [value.winner, value.plies]);
  assert.deepEqual(told, [["draw", null], ["b", 7], ["b", 8], null]);
  const [first, second] = mistakesOf(review);
  assert.deepEqual([first.sign, first.kind, first.isDecisive, first.isGrave], ["?", "draw-loss", true, true]);
  assert.deepEqual([second.sign, second.lost, second.isDecisive, second.isGrave], ["?!", 2, false, false]);
});

test("a record is written with tags, numbers and variations", () => {
  const rules = { name: "standard", start: START };
  const game = games.readGame("7/7/2r4/3L3/7/3c3/7/7/7 b", "d4d3d6d7(d6d5)c7c8");
  const text = writeRecord(game, "b", rules, { white: 'A "B"', result: "1-0" });
  const tags = ['[White "A \\"B\\""]', '[Black "?"]', '[Result "1-0"]', '[Rules "standard"]'];
  const start = '[Position "7/7/2r4/3L3/7/3c3/7/7/7 b"]';
  assert.equal(text, `${[...tags, start].join("\n")}\n\n1... d4d3 2. d6d7 (2. d6d5) 2... c7c8 1-0\n`);
});

test("practice tells who plays, what a move cost, and plays what is hardest to hold", () => {
  const report = (category, dtw, side = "w") => ({ category, dtw, position: `7 ${side}`, moves: [] });
  assert.equal(playerOf(report("loss", 8), "win"), "b");
  assert.equal(playerOf(report("draw", null, "b"), "hold"), "b");
  assert.equal(playerOf(report("draw", null), "win"), null);
  for (const [before, after, cost] of [
    [report("win", 9), report("loss", 8), { key: "best-win", n: 0, left: 8 }],
    [report("win", 9), report("loss", 12), { key: "slow-win", n: 4, left: 12 }],
    [report("win", 9), report("draw", null), { key: "win-draw", left: null }],
    [report("draw", null), report("win", 5), { key: "draw-loss", left: 5 }],
    [report("draw", null), report("draw", null), { key: "kept" }],
    [report("loss", 8), report("win", 5), { key: "slow-loss", n: 2, left: 5 }],
    [report("win", 9), report("unknown", null), { key: "unknown" }],
  ]) {
    assert.deepEqual(costOf(before, after), cost);
  }
  const replies = (...categories) => ({ moves: categories.map((category) => ({ category })) });
  const moves = [{ move: "a1a2" }, { move: "a1b1" }];
  assert.equal(trickiest(moves, [replies("draw", "draw", "win"), replies("draw", "win", "win")]).move, "a1b1");
});

test("a mirrored game is the game of the mirrored position", () => {
  const game = games.readGame("7/7/2r4/3L3/7/3c3/7/7/7 w", "d6d7c7c8(c7b7)");
  for (const change of [position.MIRROR(9), position.SWAP(9)]) {
    const other = games.transform(game, 9, change);
    const shown = position.parsePosition(games.currentText(game, 9), 9);
    assert.equal(games.currentText(other, 9), position.formatPosition(change.position(shown)));
    assert.deepEqual(games.transform(other, 9, change), game);
  }
});

test("materials are read in any spelling", () => {
  for (const text of ["LvR", "lvr", " l V r ", "L vs. R", "L : R", "狮对鼠", "獅対鼠"]) {
    assert.equal(fullMaterial(text), "LvR", text);
  }
  assert.equal(fullMaterial("rcjvtle"), "PCRvELT");
  for (const text of ["", "L", "Lv", "vL", "LvLvL", "LXvR", "LLvR"]) assert.equal(fullMaterial(text), null, text);
  assert.deepEqual(readMaterial("te"), { white: "ET", black: null });
  assert.ok(matches("LvCR", readMaterial("crvl")));
  assert.ok(matches("LvCR", readMaterial("r")));
  assert.ok(!matches("LvCR", readMaterial("lr")));
});

test("addresses are read as they are written", () => {
  for (const route of [
    { page: "start", rules: null, search: "" },
    { page: "start", rules: "animal-checkers", search: "lion v rat & co" },
    { page: "board", rules: "standard", position: START, edit: false },
    { page: "board", rules: "standard", position: "7/7/7/7/7/7/7/7/7 b", edit: true },
    { page: "material", rules: "standard", material: "LvR", from: null },
    { page: "material", rules: "standard", material: "LvR", from: START },
    {
      page: "board",
      rules: "standard",
      position: START,
      edit: true,
      practice: "win",
      game: { start: START, moves: "a1a2(a1b1)g9g8", at: 2, tags: { white: "Änne & Co", result: "1-0" } },
    },
    { page: "board", rules: "a&b=c", position: "100% wrong? #1 w", edit: false },
  ]) {
    assert.deepEqual(parseRoute(new URL(routeUrl(route), "http://localhost").search), route);
  }
  assert.equal(routeUrl({ page: "board", rules: "standard", position: "7/7 w" }), "/?rules=standard&position=7/7_w");
});
