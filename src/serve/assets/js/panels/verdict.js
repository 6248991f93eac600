// The value of the position in words, why a game is over, which table is missing.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { positionFault } from "../game/faults.js";
import { sideToMove, turn, verdict, winner } from "../text/words.js";
import { missingTable } from "./missing.js";
import { problem } from "./problem.js";

function explanation(report, rules) {
  if (!report.error) return null;
  if (report.class === null) {
    const pieces = [...report.position.split(" ")[0]].filter((symbol) => /[a-z]/i.test(symbol)).length;
    return h("p", {}, t("tooMany", { n: pieces }));
  }
  const sentence = t("missing", { material: report.material, class: report.class });
  return missingTable(sentence, report.error, rules) ?? h("p", { class: "error", lang: "en" }, report.error);
}

/** The card for an answer; `materialLink` leads to the page of its material. */
export function verdictCard(report, rules, materialLink, practise) {
  const aim = report.over ? null : { win: "win", loss: "win", draw: "hold" }[report.category];
  const side = sideToMove(report);
  const won = winner(report);
  const tone = report.category === "unknown" ? "unknown" : won ? (won === "w" ? "white" : "black") : "draw";
  return [
    h("div", { class: `tone ${tone}`, "aria-hidden": "true" }, tone === "unknown" && "?"),
    h(
      "div",
      { class: "said" },
      h("p", { class: "sentence", tabindex: -1 }, verdict(report)),
      h(
        "p",
        { class: "facts" },
        !report.over && h("span", {}, turn(side)),
        materialLink,
        aim &&
          h(
            "button",
            { type: "button", class: "text-button", id: "practise", onclick: () => practise(aim) },
            t(`practice.begin.${aim}`),
          ),
      ),
      explanation(report, rules),
    ),
  ];
}

const unknownCard = (sentence, more) => [
  h("div", { class: "tone unknown", "aria-hidden": "true" }, "?"),
  h("div", { class: "said" }, h("p", { class: "sentence", tabindex: -1 }, sentence), more),
];

/** The card for a question that was refused; `again` asks it again. */
export function errorCard(error, { text, rules, again }) {
  const fault = error.code === "bad-position" ? positionFault(text, rules) : null;
  return unknownCard(t("refused"), fault ? h("p", { class: "error" }, fault) : problem(error, again));
}

/** The card for a board without pieces. */
export const emptyCard = () => unknownCard(t("empty"), h("p", { class: "hint" }, t("empty.hint")));
