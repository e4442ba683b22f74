// The person's own turn while it is being put together. The server says which parts may follow; clicks choose among
// them, and nothing is played until the whole turn is sent.

import { get } from "./api.js";
import { parsePart, playPart } from "./position.js";

/** The row of a part that takes one, as it stands in the turn text. */
const rowOf = (part) => part.slice(0, part.lastIndexOf("x"));

/** A turn in the making. `changed` is called after each change. */
export class Draft {
  constructor(game, position, changed) {
    this.game = game;
    this.start = position;
    this.changed = changed;
    this.parts = [];
    this.options = [];
    this.from = null;
    this.row = null;
    this.isLoading = false;
  }

  /** The turn text so far. */
  get text() {
    return this.parts.join(";");
  }

  /** Whether nothing is left to choose. */
  get isComplete() {
    return this.parts.length > 0 && !this.isLoading && this.options.length === 0;
  }

  /** The position after the parts so far. */
  get position() {
    return this.parts.reduce((position, part) => playPart(position, parsePart(part)).position, this.start);
  }

  /** What the parts so far do, for the board to show. */
  get shown() {
    const shown = { parts: this.parts.map(parsePart), flipped: [] };
    let position = this.start;
    for (const part of shown.parts) {
      const played = playPart(position, part);
      position = played.position;
      shown.flipped.push(...played.flipped);
    }
    return shown;
  }

  /** The rows that may be taken now, as their texts. */
  get rows() {
    return [...new Set(this.options.filter((part) => part.startsWith("x")).map(rowOf))];
  }

  /** What is to be done next: "place", "ring", "target", "row", "off", "pass", "done" or "wait". */
  get step() {
    if (this.isLoading) return "wait";
    if (this.isComplete) return "done";
    if (this.rows.length > 0) return this.row ? "off" : "row";
    if (this.options.includes("pass")) return "pass";
    if (this.options.some((part) => part.includes("-"))) return this.from ? "target" : "ring";
    return "place";
  }

  /** Asks the server what may follow. */
  async load() {
    this.isLoading = true;
    this.from = null;
    this.row = null;
    this.changed();
    const { text } = this;
    const { ply, next_parts: next } =
      await get(`/games/${this.game.id}/legal-turns?prefix=${encodeURIComponent(text)}`);
    // A choice that was taken back meanwhile has asked anew.
    if (text !== this.text) return;
    this.isLoading = false;
    this.options = ply === this.game.ply ? next : [];
    if (this.rows.length === 1) this.row = this.rows[0];
    this.changed();
  }

  /** Chooses a part. */
  async choose(part) {
    this.parts.push(part);
    this.options = [];
    await this.load();
  }

  /** Takes the last choice back. */
  async undo() {
    if (this.from) {
      this.from = null;
      this.changed();
    } else if (this.row && this.rows.length > 1) {
      this.row = null;
      this.changed();
    } else if (this.parts.length > 0) {
      this.parts.pop();
      await this.load();
    }
  }

  /** Whether there is a choice to take back. */
  get canUndo() {
    return this.parts.length > 0 || this.from !== null || (this.row !== null && this.rows.length > 1);
  }

  /** Chooses one of several rows. */
  chooseRow(row) {
    this.row = row;
    this.changed();
  }

  /** The part that a click on a point would choose now; null when it chooses none. */
  partAt(point) {
    const part = { place: point, target: `${this.from}-${point}`, off: `${this.row}x${point}` }[this.step];
    return this.options.includes(part) ? part : null;
  }

  /** The points that may be clicked now. */
  get targets() {
    const points = {
      place: () => this.options,
      ring: () => this.options.map((part) => part.split("-")[0]),
      target: () => this.options.filter((part) => part.startsWith(`${this.from}-`)).map((part) => part.split("-")[1]),
      row: () => this.rows.flatMap((row) => parsePart(`${row}xa2`).row),
      off: () => this.options.filter((part) => rowOf(part) === this.row).map((part) => parsePart(part).ring),
    }[this.step];
    return points ? points() : [];
  }

  /** The points that are chosen so far in the part that is being put together. */
  get chosen() {
    if (this.from) return [this.from];
    return this.row ? parsePart(`${this.row}xa2`).row : [];
  }

  /** A click on a point. Returns why nothing came of it, or null. */
  click(point) {
    const part = this.partAt(point);
    if (part) {
      this.choose(part);
      return null;
    }
    if (["ring", "target"].includes(this.step)) return this.clickRing(point);
    if (this.rows.length > 1) return this.clickRow(point);
    return { off: "Take off one of your own rings.", place: "A ring goes on an empty point." }[this.step] ?? null;
  }

  clickRing(point) {
    const hasMoves = this.options.some((part) => part.startsWith(`${point}-`));
    const isChosen = this.from === point;
    if (hasMoves) {
      this.from = isChosen ? null : point;
      this.changed();
      return null;
    }
    if (this.from === null) return "Choose one of your rings that can move.";
    return `The ring on ${this.from} cannot go to ${point}.`;
  }

  clickRow(point) {
    const rows = this.rows.filter((row) => parsePart(`${row}xa2`).row.includes(point));
    if (rows.length === 1) {
      this.chooseRow(rows[0]);
      return null;
    }
    if (rows.length === 0) return "Choose a marker of a row to take.";
    return `${point} lies in more than one row: choose a marker that lies in one only, or a row by its name.`;
  }
}
