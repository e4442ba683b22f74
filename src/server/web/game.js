// The page of one game: follows it by long polls, lets one step through it, and lets its players play.

import { AnalysisCard } from "./analysis.js";
import { Problem, follow } from "./api.js";
import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { byId, html, setText } from "./dom.js";
import { Graph } from "./graph.js";
import { OwnTurn } from "./own.js";
import { showPerson, whoAmI } from "./person.js";
import { PlayerBar } from "./player.js";
import { replay } from "./position.js";
import { TurnList } from "./turns.js";
import { capital, clockText, endingText, turnText } from "./words.js";

const id = location.pathname.split("/").at(-1);
const COLORS = ["white", "black"];

class GamePage {
  constructor(me) {
    this.me = me;
    this.game = null;
    /** The ply that is shown; null follows the game. */
    this.shownPly = null;
    this.board = new Board(byId("board"), {
      label: "YINSH board; move between points with the arrow keys",
      onPoint: (point) => this.own.click(point),
      onHover: (point) => this.own.hover(point),
    });
    this.bars = Object.fromEntries(COLORS.map((color) => [color, new PlayerBar(byId(`player-${color}`), color)]));
    this.clocks = new Clocks({ white: this.bars.white.clock, black: this.bars.black.clock });
    this.turns = new TurnList((ply) => this.step(ply));
    this.graph = new Graph(byId("published-graph"), (ply) => this.step(ply));
    this.analysis = new AnalysisCard(id, (ply) => this.step(ply), (words) => this.turns.pointOut(words));
    this.own = new OwnTurn(this.board, {
      say: (text) => this.say(text),
      back: () => this.step(null),
      played: (game) => this.see(game),
    });
  }

  run() {
    follow(`/games/${id}`, {
      seen: (game) => {
        this.see(game);
        return game.status === "finished";
      },
      lost: (error) => showTrouble(error),
    });
  }

  /** Takes a new state of the game. An older one, overtaken on its way, changes nothing. */
  see(game) {
    if (this.game && game.version <= this.game.version) return;
    const isNews = this.game !== null && game.ply > this.game.ply;
    const isFirst = this.game === null;
    this.game = game;
    this.positions = replay(game.initial_position, game.turns);
    this.color = COLORS.find((color) => this.me && game.players[color].id === this.me.id) ?? null;
    if (isFirst) this.introduce();
    this.clocks.set(game.clock);
    this.turns.show(game.turns, this.positions);
    this.own.see(game, this.positions.at(-1), this.color);
    this.draw(isNews && this.shownPly === null);
    this.announce(isNews || isFirst);
    this.showPublished();
    if (game.status === "finished") this.analysis.offer(game);
  }

  introduce() {
    const { players, variant, rated, clock } = this.game;
    const names = `${players.white.name} – ${players.black.name}`;
    document.title = `${names} · YINSH`;
    setText(byId("title"), `Game of ${players.white.name} (White) and ${players.black.name} (Black)`);
    setText(byId("terms"), `${capital(variant)}, ${rated ? "rated" : "casual"}, ${clockText(clock)}`);
    byId("record").href = `/api/v1/games/${id}/record`;
    byId("record").download = `${id}.txt`;
    for (const color of COLORS) this.bars[color].introduce(players[color], this.color === color);
    if (this.color === "black") document.querySelector(".table").classList.add("is-black");
  }

  /** Shows a ply, or follows the game again with null. */
  step(ply) {
    const last = this.positions.length - 1;
    this.shownPly = ply === null || ply >= last ? null : Math.max(ply, 0);
    this.draw(false);
  }

  draw(isNew) {
    const ply = this.shownPly ?? this.positions.length - 1;
    const { position, shown } = this.positions[ply];
    const isLive = this.shownPly === null;
    for (const color of COLORS) this.bars[color].showRings(position.off[color]);
    this.turns.mark(ply);
    this.graph.mark(ply);
    this.analysis.mark(ply);
    this.own.isOpen = isLive;
    if (this.own.hasParts) {
      this.own.show();
    } else {
      this.board.show(position, shown, { isNew });
    }
    this.own.draw();
  }

  /** Says what has just been played, and what is to come. */
  announce(isNews) {
    const { game } = this;
    const names = { white: game.players.white.name, black: game.players.black.name };
    for (const color of COLORS) this.bars[color].setTurn(game.to_move === color);
    if (game.status === "finished") {
      this.say(endingText(game.result.winner, game.result.reason, names));
      return;
    }
    if (!isNews) return;
    const last = this.positions.at(-1).shown;
    const mover = game.to_move === "white" ? "Black" : "White";
    const played = last ? `${mover}: ${turnText(last)}. ` : "";
    const isMine = this.color === game.to_move;
    const turn = isMine ? "It is your turn." : `${names[game.to_move]} (${capital(game.to_move)}) is to move.`;
    document.title = `${isMine ? "● Your turn · " : ""}${names.white} – ${names.black} · YINSH`;
    this.say(played + (isMine ? `${turn} ${this.own.hint}` : turn));
  }

  say(text) {
    setText(byId("status"), text);
  }

  showPublished() {
    const published = this.game.win_permille ?? [];
    byId("published").hidden = published.length === 0;
    const lines = COLORS.map((color, parity) => ({
      name: this.game.players[color].name,
      className: color,
      points: published.flatMap((value, ply) => {
        if (value === null || ply % 2 !== parity) return [];
        return [{ ply: ply + 1, value: color === "white" ? value : 1000 - value }];
      }),
    }));
    this.graph.show(lines.filter((line) => line.points.length > 0), this.game.turns.length);
  }
}

function showTrouble(error) {
  const banner = byId("trouble");
  banner.hidden = error === null;
  if (error === null) return;
  const isGone = error instanceof Problem && error.status === 404;
  setText(banner, isGone
    ? "There is no such game here."
    : "The server does not answer. The page goes on as soon as it does.");
  if (isGone) banner.append(html("a", { href: "/" }, " Back to the first page"));
}

const me = await whoAmI().catch(() => null);
showPerson(me);
const page = new GamePage(me);
for (const [button, step] of Object.entries({
  "step-first": () => 0,
  "step-back": (ply) => ply - 1,
  "step-forward": (ply) => ply + 1,
  "step-last": () => null,
})) {
  byId(button).addEventListener("click", () => {
    if (page.game) page.step(step(page.shownPly ?? page.positions.length - 1));
  });
}
page.run();
