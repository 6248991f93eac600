// Line icons on a square of 24.

import { h, svg } from "./dom.js";

const ICONS = {
  first: "M6 5V19M18 5L9 12L18 19Z",
  undo: "M9 14L4 9L9 4M4 9H14A6 6 0 0 1 14 21H11",
  redo: "M15 14L20 9L15 4M20 9H10A6 6 0 0 0 10 21H13",
  flip: "M8 4V20M8 4L4.5 7.5M8 4L11.5 7.5M16 20V4M16 20L12.5 16.5M16 20L19.5 16.5",
  mirror: "M12 3V21M9 7L3 17H9ZM15 7L21 17H15Z",
  swap: "M12 3A9 9 0 1 0 12 21A9 9 0 1 0 12 3ZM12 3V21M12 7H19.5M12 11H21M12 15H20.5",
  edit: "M4 20L5 15L16 4L20 8L9 19ZM14 6L18 10",
  play: "M7 4L20 12L7 20Z",
  stop: "M6 6H18V18H6Z",
  step: "M6 5L15 12L6 19ZM18 5V19",
  end: "M4 5L11 12L4 19ZM12 5L19 12L12 19ZM21 5V19",
  open: "M3 6H9L11 8H21V19H3ZM12 16V11M9.5 13L12 10.5L14.5 13",
  hint: "M9 18H15M10 21H14M8.5 14.5A6 6 0 1 1 15.5 14.5L15 16H9Z",
  promote: "M12 20V5M6 11L12 5L18 11",
  trash: "M4 7H20M9 7V4H15V7M6 7L7 20H17L18 7M10 11V16M14 11V16",
  copy: "M9 9H20V20H9ZM5 15H4V4H15V5",
  check: "M4 12L10 18L20 6",
  help: "M9 9A3 3 0 1 1 12 12.5V14M12 17.5V18M12 3A9 9 0 1 0 12 21A9 9 0 1 0 12 3Z",
  light:
    "M12 8A4 4 0 1 0 12 16A4 4 0 1 0 12 8ZM12 2V4M12 20V22M2 12H4M20 12H22" +
    "M5 5L6.4 6.4M17.6 17.6L19 19M5 19L6.4 17.6M17.6 6.4L19 5",
  dark: "M20 14A8 8 0 1 1 10 4A6.5 6.5 0 0 0 20 14Z",
  auto: "M3 5H21V16H3ZM9 20H15M12 16V20",
  search: "M10.5 4A6.5 6.5 0 1 0 10.5 17A6.5 6.5 0 1 0 10.5 4ZM15.5 15.5L21 21",
  close: "M5 5L19 19M19 5L5 19",
};

/** An icon, hidden from screen readers: what bears it has a name. */
export const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/** A button with an icon; its name shows as a tip unless `text` is set. */
export const iconButton = (name, label, onclick, { text = false, ...props } = {}) =>
  h(
    "button",
    {
      type: "button",
      class: text ? "button" : "button icon-only",
      title: text ? null : label,
      "aria-label": text ? null : label,
      onclick,
      ...props,
    },
    icon(name),
    text && h("span", {}, label),
  );
