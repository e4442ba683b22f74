// The first page: a live board, games, players, standings, and the way to a game of one's own.

import { Problem, follow, get } from "./api.js";
import { Board } from "./board.js";
import { byId, html, setText } from "./dom.js";
import { Invite } from "./invite.js";
import { showPerson, whoAmI } from "./person.js";
import { replay } from "./position.js";
import { agoText, capital, clockText, endingText, ratingText } from "./words.js";

const nameOf = (player) => html("strong", {}, player.name);
const kindOf = (player) => (player.kind === "bot" ? "bot" : "person");
const none = (text) => html("li", { class: "none" }, text);

/** The board on the first page: the newest running game, else the newest finished one. */
class Featured {
  constructor() {
    this.id = null;
    this.stop = null;
    this.board = new Board(byId("featured-board"), { label: "Open the newest game" });
    this.board.show({ pieces: new Map() }, null);
  }

  /** Follows another game. One that has just ended stays until the next begins. */
  choose({ active, finished }) {
    const newest = active.find(({ id }) => id === this.id) ?? active[0] ?? (this.id ? null : finished[0]);
    if (!newest || newest.id === this.id) return;
    this.stop?.abort();
    this.stop = new AbortController();
    this.id = newest.id;
    this.ply = null;
    byId("featured-link").href = `/games/${newest.id}`;
    follow(`/games/${newest.id}`, {
      seen: (game) => this.see(game),
      lost: () => {},
      signal: this.stop.signal,
    });
  }

  see(game) {
    const { players, result, ply, to_move: side } = game;
    const { position, shown } = replay(game.initial_position, game.turns).at(-1);
    this.board.show(position, shown, { isNew: this.ply !== null && ply > this.ply });
    this.ply = ply;
    setText(byId("featured-title"), `${players.white.name} – ${players.black.name}`);
    const names = { white: players.white.name, black: players.black.name };
    const score = `Rings off ${position.off.white}–${position.off.black}.`;
    setText(byId("featured-status"), result
      ? `${endingText(result.winner, result.reason, names)} ${score}`
      : `Live, turn ${ply + 1}: ${names[side]} (${capital(side)}) is to move. ${score}`);
    return game.status === "finished";
  }
}

function gameItem(game, me) {
  const { players, ending } = game;
  const names = { white: players.white.name, black: players.black.name };
  const isMine = me && [players.white.id, players.black.id].includes(me.id);
  const terms = `${capital(game.variant)}, ${game.rated ? "rated" : "casual"}, ${clockText(game.clock)}`;
  const about = ending ? endingText(ending.winner, ending.reason, names) : terms;
  return html("li", {}, html("a", { href: `/games/${game.id}` },
    html("span", { class: "pair" }, nameOf(players.white), " – ", nameOf(players.black)),
    html("span", { class: "about" }, `${isMine && !ending ? "Your game · " : ""}${about}`),
    html("span", { class: "about ago" }, agoText(game.created_at, Date.now()))));
}

function standingsTable(players) {
  if (players.length === 0) return html("p", { class: "none" }, "No rated game has been finished yet.");
  const head = ["", "Player", "Rating", "Games"].map((text) => html("th", { scope: "col" }, text));
  const rows = players.map((player, index) => html("tr", {},
    html("td", {}, `${index + 1}`),
    html("th", { scope: "row" }, player.name, " ", html("span", { class: "about" }, kindOf(player))),
    html("td", { title: "Glicko-2 rating ± its standard deviation" }, ratingText(player)),
    html("td", {}, `${player.rated_games}`)));
  return html("table", {}, html("thead", {}, html("tr", {}, head)), html("tbody", {}, rows));
}

class LobbyPage {
  constructor(me) {
    this.me = me;
    this.featured = new Featured();
    this.invite = new Invite(me);
    this.older = [];
    byId("older").addEventListener("click", () => this.showOlder());
  }

  run() {
    follow("/lobby", {
      seen: (lobby) => this.see(lobby),
      lost: (error) => showTrouble(error),
    });
  }

  see(lobby) {
    this.lobby = lobby;
    this.featured.choose(lobby);
    this.invite.see(lobby);
    const fill = (id, items, text) => byId(id).replaceChildren(...(items.length > 0 ? items : [none(text)]));
    fill("active", lobby.active.map((game) => gameItem(game, this.me)), "Nobody plays at the moment.");
    fill("online", lobby.online.map((player) => this.playerItem(player)), "Nobody but you.");
    fill("seeks", lobby.seeks.map((seek) => this.invite.seekItem(seek)), "Nobody looks for an opponent.");
    byId("standings").replaceChildren(standingsTable(lobby.standings));
    this.showFinished();
  }

  showFinished() {
    const known = new Set(this.lobby.finished.map(({ id }) => id));
    const games = [...this.lobby.finished, ...this.older.filter(({ id }) => !known.has(id))];
    const items = games.map((game) => gameItem(game, this.me));
    byId("finished").replaceChildren(...(items.length > 0 ? items : [none("No game is over yet.")]));
    if (this.cursor === undefined) byId("older-line").hidden = this.lobby.finished.length < 20;
  }

  async showOlder() {
    const more = this.cursor ? `&cursor=${this.cursor}` : "";
    try {
      const page = await get(`/games?status=finished${more}`);
      this.older.push(...page.games);
      this.cursor = page.next_cursor;
      byId("older-line").hidden = !page.next_cursor;
      this.showFinished();
    } catch (error) {
      showTrouble(error);
    }
  }

  playerItem(player) {
    const isMe = this.me?.id === player.id;
    const text = `${isMe ? "you" : kindOf(player)} · ${ratingText(player)}`;
    return html("li", {}, html("span", { class: "row" }, nameOf(player), html("span", { class: "about" }, text)));
  }
}

function showTrouble(error) {
  const banner = byId("trouble");
  banner.hidden = error === null;
  if (error === null) return;
  setText(banner, error instanceof Problem
    ? `The server refuses: ${error.message}.`
    : "The server does not answer. The page goes on as soon as it does.");
}

const me = await whoAmI().catch(() => null);
showPerson(me);
new LobbyPage(me).run();
