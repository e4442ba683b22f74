// What a player of the game can do: put a turn together, take choices back, send it, resign.

import { Problem, post, put } from "./api.js";
import { byId, html, settings } from "./dom.js";
import { flips, parsePart } from "./position.js";
import { Draft } from "./turn.js";

const HINTS = {
  place: "Choose an empty point for a ring.",
  ring: "Choose the ring to move.",
  target: "Choose where it goes.",
  row: "Choose the row to take.",
  off: "Choose the ring to take off for the row.",
  pass: "You cannot move, so you have to pass.",
  done: "Send your turn, or take it back.",
  wait: "",
};
const CONFIRM = "confirm-turns";
const SEND_ATTEMPTS = 8;
const RETRY_MS = 700;

/** The panel of a player of the game; for watchers it stays hidden. */
export class OwnTurn {
  constructor(board, { say, back, played }) {
    this.board = board;
    this.say = say;
    this.back = back;
    this.played = played;
    this.draft = null;
    this.game = null;
    this.isOpen = true;
    this.isSending = false;
    this.build();
  }

  build() {
    const button = (id, className, text, action) =>
      html("button", { type: "button", id, class: className, on: { click: action } }, text);
    this.send = button("send", "primary", "Send turn", () => this.submit());
    this.undo = button("undo", "", "Undo", () => this.draft?.undo().catch((error) => this.fail(error)));
    this.resign = button("resign", "danger", "Resign", () => this.giveUp());
    this.pass = button("pass", "primary", "Pass", () => this.draft?.choose("pass").catch((error) => this.fail(error)));
    this.rows = html("div", { class: "choices", role: "group", "aria-label": "Rows to take" });
    this.text = html("output", { class: "draft", "aria-label": "Your turn so far" });
    this.confirm = html("input", { type: "checkbox", id: "confirm" });
    this.confirm.checked = settings.get(CONFIRM) !== "no";
    this.confirm.addEventListener("change", () => settings.set(CONFIRM, this.confirm.checked ? "yes" : "no"));
    byId("own").replaceChildren(
      html("p", { class: "hint", id: "hint", "aria-live": "polite" }),
      this.rows,
      html("div", { class: "buttons" }, this.send, this.pass, this.undo, this.text, this.resign),
      html("label", { for: "confirm", class: "confirm" }, this.confirm, " Ask before a turn is sent"),
    );
  }

  /** Whether a turn of the person is being put together. */
  get isAtWork() {
    return this.draft !== null && this.isOpen;
  }

  /** Whether a part of it stands on the board. */
  get hasParts() {
    return this.isAtWork && this.draft.parts.length > 0;
  }

  /** What the person has to do now. */
  get hint() {
    return this.draft ? HINTS[this.draft.step] : "";
  }

  /** Takes a new state of the game. */
  see(game, { position, shown }, color) {
    const isMine = color !== null && game.to_move === color;
    const isSame = this.draft && this.game?.ply === game.ply;
    this.game = game;
    byId("own").hidden = color === null || game.status === "finished";
    if (!isMine) {
      this.draft = null;
      this.board.mark({});
    } else if (!isSame) {
      this.draft = new Draft(game, position, () => this.changed());
      this.lastShown = shown;
      this.drawnText = "";
      this.draft.load().catch((error) => this.fail(error));
    }
    this.drawPanel();
  }

  changed() {
    if (this.drawnText !== this.draft.text) this.show();
    this.draw();
    if (this.draft.isComplete && !this.confirm.checked) this.submit();
  }

  /** Shows the turn so far on the board; without a part of it, the opponent's last turn. */
  show() {
    const { draft } = this;
    this.drawnText = draft.text;
    this.board.show(draft.position, draft.parts.length > 0 ? draft.shown : this.lastShown);
  }

  /** Marks what may be clicked, and draws the panel. */
  draw() {
    this.drawPanel();
    if (!this.isAtWork) {
      this.board.mark({});
      return;
    }
    const { draft } = this;
    const rows = draft.step === "row" ? draft.targets : [];
    this.board.mark({ targets: draft.targets, chosen: draft.chosen, rows });
  }

  drawPanel() {
    const { draft } = this;
    const step = draft?.step ?? "wait";
    const waiting = this.isOpen ? "Wait for your opponent's turn." : "You are looking at an earlier position.";
    byId("hint").textContent = this.isAtWork ? HINTS[step] : waiting;
    this.send.disabled = step !== "done" || this.isSending;
    this.undo.disabled = !draft?.canUndo || this.isSending;
    this.pass.hidden = step !== "pass";
    this.text.textContent = draft?.text ?? "";
    const rows = step === "row" ? draft.rows : [];
    this.rows.hidden = rows.length === 0;
    this.rows.replaceChildren(...rows.map((row) => html("button", {
      type: "button",
      on: { click: () => draft.chooseRow(row) },
    }, `Row ${row.slice(1).replace("-", " to ")}`)));
  }

  /** A click on a point, or Enter on it. */
  click(point) {
    if (!this.isOpen) {
      this.back();
      return;
    }
    if (!this.draft || this.isSending) {
      if (this.game?.status === "active" && !byId("own").hidden) this.say("It is your opponent's turn.");
      return;
    }
    const refused = this.draft.click(point);
    if (refused) this.say(refused);
  }

  /** Shows what a click on a point would do. */
  hover(point) {
    if (!this.isAtWork) return;
    const part = point && this.draft.partAt(point);
    const parsed = part ? parsePart(part) : null;
    const { position } = this.draft;
    this.board.preview(position, parsed, parsed?.kind === "move" ? flips(position, parsed) : []);
  }

  async submit() {
    if (!this.draft?.isComplete || this.isSending) return;
    this.isSending = true;
    this.drawPanel();
    try {
      const { game } = this;
      const body = { turn: this.draft.text, position_before: game.position };
      const after = await insist(() => put(`/games/${game.id}/turns/${game.ply}`, body), this.say);
      this.isSending = false;
      this.played(after);
    } catch (error) {
      this.isSending = false;
      this.fail(error);
    }
    this.drawPanel();
  }

  async giveUp() {
    if (!confirm("Do you want to resign this game?")) return;
    try {
      this.played(await post(`/games/${this.game.id}/resign`));
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.say(error instanceof Problem
      ? `The server refuses: ${error.message}.`
      : "The server does not answer. Try again in a moment.");
  }
}

/** Sends again what may not have arrived; a turn that is sent twice is played once. */
async function insist(request, say) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      const isFinal = error instanceof Problem && error.status < 500 && error.status !== 429;
      if (isFinal || attempt >= SEND_ATTEMPTS) throw error;
      say("The server does not answer; your turn is sent again.");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
    }
  }
}
