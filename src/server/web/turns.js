// The list of turns to click through.

import { byId, html } from "./dom.js";
import { turnText } from "./words.js";

/** The list; `step` is called with the ply to show. */
export class TurnList {
  constructor(step) {
    this.list = byId("turns");
    this.step = step;
    this.buttons = [];
  }

  /** Adds the turns that are new. */
  show(turns, positions) {
    turns.slice(this.buttons.length).forEach((turn) => {
      const ply = this.buttons.length + 1;
      const side = ply % 2 === 1 ? "White" : "Black";
      const spoken = html("span", { class: "hidden" }, `, ${side}: ${turnText(positions[ply].shown)}`);
      const button = html("button", { type: "button", on: { click: () => this.step(ply) } },
        html("span", { class: "ply" }, `${ply}`), " ", html("span", { class: "turn-text" }, turn), spoken);
      this.buttons.push(button);
      this.list.append(html("li", {}, button));
    });
  }

  /** Marks the ply that is shown. */
  mark(ply) {
    this.buttons.forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const button = this.buttons[ply - 1];
    if (!button) {
      this.list.scrollTop = 0;
      return;
    }
    const { offsetTop, offsetHeight } = button;
    const { scrollTop, clientHeight } = this.list;
    const isVisible = offsetTop >= scrollTop && offsetTop + offsetHeight <= scrollTop + clientHeight;
    if (!isVisible) this.list.scrollTop = offsetTop - clientHeight / 2;
  }

  /** Points out turns, such as the worst ones: a map from ply to a word. */
  pointOut(words) {
    this.buttons.forEach((button, index) => {
      const word = words.get(index + 1);
      button.classList.toggle("is-bad", Boolean(word));
      button.title = word ?? "";
    });
  }
}
