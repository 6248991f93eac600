// What the page reckons by itself, without a browser: positions and materials as text, addresses, moves played.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { currentText, goTo, lastMove, newGame, play } from "../../src/serve/assets/js/game/game.js";
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
  for (const change of [position.mirror, position.swapColors]) {
    assert.notEqual(position.formatPosition(change(one)), position.formatPosition(one));
    assert.equal(position.formatPosition(change(change(one))), position.formatPosition(one));
  }
  assert.equal(position.formatPosition(position.swapColors(start)), START.replace(/w$/, "b"));
  assert.equal(position.formatPosition(position.mirror(one)), "7/7/4r2/3L3/7/3c3/7/7/E6 w");
  assert.equal(position.formatPosition(position.swapColors(one)), "e6/7/7/3C3/7/3l3/4R2/7/7 b");
});

test("a piece that is put elsewhere leaves its square; another one there goes", () => {
  const before = position.parsePosition("7/7/2r4/3L3/7/3c3/7/7/7 w", 9);
  assert.equal(position.formatPosition(position.withPiece(before, "d4", "L")), "7/7/2r4/7/7/3L3/7/7/7 w");
  assert.equal(position.formatPosition(position.withPiece(before, null, "r")), "7/7/7/3L3/7/3c3/7/7/7 w");
});

test("moves are played, taken back, played again, and replaced", () => {
  let game = newGame("7/7/2r4/3L3/7/3c3/7/7/7 w");
  game = play(play(game, "d6d7"), "c7c8");
  assert.equal(currentText(game, 9), "7/2r4/3L3/7/7/3c3/7/7/7 w");
  const back = goTo(game, 1);
  assert.equal(lastMove(back), "d6d7");
  assert.deepEqual(play(back, "c7c8"), game);
  assert.deepEqual(play(back, "c7b7").moves, ["d6d7", "c7b7"]);
  assert.equal(goTo(game, 9).cursor, 2);
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
    { page: "start", rules: null },
    { page: "start", rules: "animal-checkers" },
    { page: "board", rules: "standard", position: START, edit: false },
    { page: "board", rules: "standard", position: "7/7/7/7/7/7/7/7/7 b", edit: true },
    { page: "material", rules: "standard", material: "LvR", from: null },
    { page: "material", rules: "standard", material: "LvR", from: START },
    { page: "board", rules: "a&b=c", position: "100% wrong? #1 w", edit: false },
  ]) {
    assert.deepEqual(parseRoute(new URL(routeUrl(route), "http://localhost").search), route);
  }
  assert.equal(routeUrl({ page: "board", rules: "standard", position: "7/7 w" }), "/?rules=standard&position=7/7_w");
});
