// Analysis beside a finished game: made by the server's own search when somebody asks for it.

import { Problem, get, post } from "./api.js";
import { byId, html } from "./dom.js";
import { Graph } from "./graph.js";

const ASK_AGAIN_MS = 700;
/** Turns pointed out at most, and the loss in thousandths from which on a turn is. */
const WORST_TURNS = 5;
const BAD_PERMILLE = 80;

/** The card below the turns. */
export class AnalysisCard {
  constructor(id, step, pointOut) {
    this.id = id;
    this.step = step;
    this.pointOut = pointOut;
    this.graph = null;
  }

  /** Offers an analysis of a game that is over, or shows the one that is there. */
  async offer(game) {
    if (game.turns.length === 0) return;
    this.game = game;
    byId("analysis").hidden = false;
    try {
      this.show(await get(`/games/${this.id}/analysis`));
    } catch {
      this.showStart("The analysis cannot be read at the moment.");
    }
  }

  showStart(text) {
    const start = html("button", { type: "button", on: { click: () => this.ask() } }, "Analyse this game");
    byId("analysis-body").replaceChildren(html("p", {}, text), start);
  }

  async ask() {
    try {
      this.show(await post(`/games/${this.id}/analysis`));
    } catch (error) {
      this.showStart(error instanceof Problem ? `Not now: ${error.message}.` : "The server does not answer.");
    }
  }

  show(analysis) {
    if (analysis.status === "done") {
      this.showDone(analysis.turns);
    } else if (analysis.status === "running") {
      this.showProgress(analysis.done);
      setTimeout(() => this.offer(this.game), ASK_AGAIN_MS);
    } else {
      this.showStart("The server's search looks at each position and points out the worst turns.");
    }
  }

  showProgress([done, all]) {
    byId("analysis-body").replaceChildren(
      html("label", { for: "analysis-progress" }, `Searching, ${done} of ${all} positions …`),
      html("progress", { id: "analysis-progress", max: all, value: done }),
    );
  }

  showDone(turns) {
    const points = turns.map(({ white_permille: value }, ply) => ({ ply, value }));
    const worst = turns
      .map((turn, index) => ({ ...turn, ply: index + 1, played: this.game.turns[index] }))
      .filter((turn) => turn.loss_permille >= BAD_PERMILLE)
      .sort((a, b) => b.loss_permille - a.loss_permille)
      .slice(0, WORST_TURNS)
      .sort((a, b) => a.ply - b.ply);
    const place = html("div");
    this.graph = new Graph(place, this.step);
    this.graph.show([{ name: "Search", className: "search", points }], this.game.turns.length,
      worst.map(({ ply }) => ({ ply: ply - 1, value: turns[ply - 1].white_permille })));
    byId("analysis-body").replaceChildren(
      html("p", {}, "Chance of White to win before each turn, by the server's search."),
      place,
      worst.length > 0 ? html("h3", {}, "Worst turns") : html("p", {}, "No turn was much worse than the best one."),
      html("ul", { class: "worst" }, worst.map((turn) => this.worstTurn(turn))),
    );
    this.pointOut(new Map(worst.map((turn) => [turn.ply, `loses ${percent(turn.loss_permille)}; better ${turn.best}`])));
  }

  worstTurn({ ply, played, best, loss_permille: loss }) {
    const side = ply % 2 === 1 ? "White" : "Black";
    return html("li", {}, html("button", { type: "button", on: { click: () => this.step(ply) } },
      `${ply}. ${side} ${played}`), ` loses ${percent(loss)}; better was ${best}`);
  }

  /** Shows which ply the board shows. */
  mark(ply) {
    this.graph?.mark(ply);
  }
}

const percent = (permille) => `${Math.round(permille / 10)} %`;
