// The bar above or below the board: who plays, rings taken off, and the clock.

import { html, setText, svg } from "./dom.js";
import { drawPiece } from "./board.js";
import { capital } from "./words.js";

const RINGS_TO_WIN = 3;

const icon = (color, kind, className) =>
  svg("svg", { class: className, viewBox: "-50 -50 100 100", "aria-hidden": "true" }, drawPiece({ kind, color }));

/** One player of a game. */
export class PlayerBar {
  constructor(element, color) {
    this.element = element;
    this.color = color;
    this.name = html("span", { class: "name" });
    this.about = html("span", { class: "about" });
    this.rings = html("span", { class: "rings-off", role: "img" });
    this.clock = html("span", { class: "clock", role: "timer", "aria-label": `${capital(color)}'s clock` });
    element.append(
      icon(color, "ring", "piece-icon"),
      html("span", { class: "who" }, this.name, this.about),
      this.rings,
      this.clock,
    );
    this.showRings(0);
  }

  /** Names the player. */
  introduce(player, isMe) {
    setText(this.name, player.name);
    const kind = player.kind === "bot" ? "bot" : "person";
    const rating = player.rating === undefined ? "" : ` · ${player.rating}`;
    setText(this.about, `${capital(this.color)} · ${isMe ? "you" : kind}${rating}`);
  }

  /** Shows how many rings are off, of the three that win. */
  showRings(off) {
    this.rings.setAttribute("aria-label", `${off} of ${RINGS_TO_WIN} rings off`);
    this.rings.replaceChildren(...Array.from({ length: RINGS_TO_WIN }, (_, index) =>
      index < off ? icon(this.color, "ring", "slot") : html("span", { class: "slot is-empty" })));
  }

  /** Shows whether this player is to move. */
  setTurn(isToMove) {
    this.element.classList.toggle("is-to-move", isToMove);
  }
}
