// A piece that follows the pointer: mouse, pen or finger.

import { svg } from "../base/dom.js";
import { drawPiece } from "./pieces.js";

/** How far, in CSS pixels, a pointer goes before a press is a drag. */
const THRESHOLD = 5;

/** Begins with a `pointerdown`; calls `start`, `move(x, y)`, `end(x, y)` or, when it is broken off, `end(null)`. */
export function startDrag(event, { letter, strength, size }, { start, move, end }) {
  if (event.button !== 0 || !event.isPrimary) return;
  const source = event.currentTarget;
  const [x0, y0] = [event.clientX, event.clientY];
  let ghost = null;

  const place = (x, y) => {
    ghost.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
  };
  const onMove = ({ clientX: x, clientY: y, pointerId }) => {
    if (pointerId !== event.pointerId) return;
    if (!ghost) {
      if (Math.hypot(x - x0, y - y0) < THRESHOLD) return;
      ghost = svg(
        "svg",
        { class: "ghost", viewBox: "0 0 100 100", width: size, height: size, "aria-hidden": "true" },
        drawPiece(letter, strength),
      );
      document.body.append(ghost);
      start();
    }
    place(x, y);
    move(x, y);
  };
  const stop = (x, y) => {
    listeners.abort();
    if (!ghost) return;
    ghost.remove();
    end(x, y);
  };
  const onUp = ({ clientX: x, clientY: y, pointerId }) => pointerId === event.pointerId && stop(x, y);
  const onCancel = ({ pointerId }) => pointerId === event.pointerId && stop(null, null);
  const onKey = (press) => {
    if (press.key !== "Escape" || !ghost) return;
    press.preventDefault();
    press.stopPropagation();
    stop(null, null);
  };

  const listeners = new AbortController();
  const { signal } = listeners;
  // A touch is bound to the element it began on; a mouse pressed outside of the window is still ours.
  source.setPointerCapture?.(event.pointerId);
  source.addEventListener("pointermove", onMove, { signal });
  source.addEventListener("pointerup", onUp, { signal });
  source.addEventListener("pointercancel", onCancel, { signal });
  document.addEventListener("keydown", onKey, { signal, capture: true });
}
