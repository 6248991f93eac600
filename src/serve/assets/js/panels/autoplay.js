// Plays the best line by itself, a move at a time, until it ends or is stopped.

const PAUSE = 900;

export class Autoplay {
  /** `step()` plays a move and says whether there was one; `changed` is called on start and stop. */
  constructor(step, changed) {
    this.step = step;
    this.changed = changed;
    this.timer = 0;
  }

  get running() {
    return this.timer !== 0;
  }

  start() {
    if (this.running || !this.step()) return;
    this.timer = setInterval(() => this.step() || this.stop(), PAUSE);
    this.changed();
  }

  stop() {
    if (!this.running) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.changed();
  }

  toggle() {
    if (this.running) this.stop();
    else this.start();
  }
}
