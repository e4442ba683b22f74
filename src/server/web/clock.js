// Both clocks, which run on between two answers of the server.

import { setText } from "./dom.js";
import { timeText } from "./words.js";

const TICK_MS = 100;
/** Below this, a clock is shown as short of time. */
const SHORT_MS = 20000;

/** Shows the clocks of a game in two elements. */
export class Clocks {
  constructor(elements) {
    this.elements = elements;
    this.clock = null;
    setInterval(() => this.draw(), TICK_MS);
  }

  /** Takes the clocks as the server told them just now. */
  set(clock) {
    this.clock = clock;
    this.received = performance.now();
    this.draw();
  }

  left(color) {
    const told = this.clock[`${color}_ms`];
    return this.clock.running === color ? told - (performance.now() - this.received) : told;
  }

  draw() {
    if (!this.clock) return;
    for (const [color, element] of Object.entries(this.elements)) {
      const left = this.left(color);
      setText(element, timeText(left));
      element.classList.toggle("is-running", this.clock.running === color);
      element.classList.toggle("is-short", left < SHORT_MS && this.clock.running === color);
    }
  }
}
