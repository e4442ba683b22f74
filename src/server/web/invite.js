// The way to a game of one's own: a name, a challenge or a seek, and the answers to both.

import { Problem, follow, get, post, put, remove } from "./api.js";
import { byId, html, setText } from "./dom.js";
import { takeName } from "./person.js";
import { capital, clockText, declinedText } from "./words.js";

/** Whole seconds for which a seek stays open, and milliseconds between two signs of life for it. */
const SEEK_TTL_S = 60;
const SEEK_ALIVE_MS = 20000;
const ANYBODY = "anybody";
const CLOCKS = [
  { initial_ms: 900000, increment_ms: 10000 },
  { initial_ms: 1800000, increment_ms: 30000 },
];

const option = (value, text, selected = false) => html("option", { value, selected }, text);
const field = (id, label, control) => html("p", { class: "field" }, html("label", { for: id }, label), control);

/** The card "Play". */
export class Invite {
  constructor(me) {
    this.me = me;
    this.sent = null;
    this.seek = null;
    this.known = null;
    if (me) this.start().catch((error) => this.fail(error));
    else this.showNameForm();
  }

  say(text) {
    setText(byId("play-status"), text);
  }

  fail(error) {
    this.say(error instanceof Problem ? `${capital(error.message)}.` : "The server does not answer. Try again.");
  }

  showNameForm() {
    const input = html("input", {
      id: "name", name: "name", required: true, minlength: 2, maxlength: 20, pattern: "[A-Za-z0-9_\\-]+",
      autocomplete: "nickname", title: "2 to 20 letters, digits, - or _",
    });
    const take = async (event) => {
      event.preventDefault();
      try {
        await takeName(input.value);
        location.reload();
      } catch (error) {
        this.fail(error);
      }
    };
    byId("play").replaceChildren(html("form", { on: { submit: take } },
      html("p", {}, "Pick a name, and play against a bot or a friend. No password, no mail address."),
      field("name", "Your name", input),
      html("p", { class: "buttons" }, html("button", { class: "primary" }, "Take this name"))));
  }

  async start() {
    const meta = await get("/meta");
    this.showGameForm([...meta.time_controls, ...CLOCKS]);
    follow("/me/pending", {
      seen: (pending) => this.seePending(pending),
      lost: (error) => error && this.fail(error),
    });
  }

  showGameForm(clocks) {
    const chosen = clocks.findIndex((clock) => clock.initial_ms >= 300000);
    this.opponent = html("select", { id: "opponent" }, option(ANYBODY, "Anybody who comes"));
    this.variant = html("select", { id: "variant" }, option("standard", "Standard: three rings"), option("blitz", "Blitz: one row"));
    this.clock = html("select", { id: "clock" }, clocks.map((clock, index) =>
      option(JSON.stringify(clock), clockText(clock), index === chosen)));
    this.color = html("select", { id: "color" }, option("random", "Either colour"), option("white", "White"), option("black", "Black"));
    this.rated = html("input", { type: "checkbox", id: "rated" });
    this.go = html("button", { class: "primary" }, "Challenge");
    this.cancel = html("button", { type: "button", hidden: true, on: { click: () => this.takeBack() } }, "Take it back");
    const submit = (event) => {
      event.preventDefault();
      this.send().catch((error) => this.fail(error));
    };
    this.opponent.addEventListener("change", () => this.nameButton());
    byId("play").replaceChildren(html("form", { on: { submit } },
      field("opponent", "Opponent", this.opponent),
      field("variant", "Game", this.variant),
      field("clock", "Time for each", this.clock),
      field("color", "Your colour", this.color),
      html("p", { class: "field" }, html("label", { for: "rated" }, "Rated"), this.rated),
      html("p", { class: "buttons" }, this.go, this.cancel)));
    if (this.lobby) this.see(this.lobby);
  }

  nameButton() {
    this.go.textContent = this.opponent.value === ANYBODY ? "Look for an opponent" : "Challenge";
  }

  /** Takes who is here into the list of opponents; a bot is proposed. */
  see(lobby) {
    this.lobby = lobby;
    if (!this.opponent) return;
    const others = lobby.online.filter(({ id }) => id !== this.me.id);
    const chosen = this.isChosen ? this.opponent.value : others.find(({ kind }) => kind === "bot")?.id;
    if (document.activeElement === this.opponent) return;
    this.opponent.replaceChildren(
      ...others.map((player) => option(player.id, `${player.name} (${player.kind === "bot" ? "bot" : "person"})`, player.id === chosen)),
      option(ANYBODY, "Anybody who comes", !chosen || chosen === ANYBODY),
    );
    this.opponent.addEventListener("input", () => { this.isChosen = true; }, { once: true });
    this.nameButton();
  }

  async send() {
    const offer = {
      variant: this.variant.value, color: this.color.value, rated: this.rated.checked, clock: JSON.parse(this.clock.value),
    };
    if (this.opponent.value === ANYBODY) {
      this.seek = await post("/seeks", { ...offer, opponent_kind: "any", ttl_s: SEEK_TTL_S });
      this.alive = setInterval(() => this.keepAlive(), SEEK_ALIVE_MS);
      this.say("Waiting for an opponent. Stay on this page; the game opens by itself.");
    } else {
      this.sent = await post("/challenges", { ...offer, to: this.opponent.value });
      this.say("The challenge is sent. The game opens by itself when it is accepted.");
    }
    this.showWaiting(true);
  }

  showWaiting(isWaiting) {
    this.go.disabled = isWaiting;
    this.cancel.hidden = !isWaiting;
  }

  async keepAlive() {
    try {
      await put(`/seeks/${this.seek.id}`);
    } catch (error) {
      if (error instanceof Problem) this.endWait("The seek is over.");
    }
  }

  async takeBack() {
    const path = this.seek ? `/seeks/${this.seek.id}` : `/challenges/${this.sent.id}`;
    this.endWait("Taken back.");
    await remove(path).catch((error) => this.fail(error));
  }

  endWait(text) {
    clearInterval(this.alive);
    this.seek = null;
    this.sent = null;
    this.showWaiting(false);
    this.say(text);
  }

  /** Opens a game that has begun, tells of a challenge that was declined, and shows those of others. */
  seePending(pending) {
    const games = new Set(pending.games.map(({ id }) => id));
    const begun = this.known ? pending.games.find(({ id }) => !this.known.has(id)) : null;
    this.known = games;
    if (begun) {
      location.assign(`/games/${begun.id}`);
      return true;
    }
    const mine = pending.sent.find(({ id }) => id === this.sent?.id);
    if (mine?.status === "declined") this.endWait(`${mine.to?.name ?? "The opponent"} declines: ${declinedText(mine.decline_reason)}.`);
    if (this.sent && !mine) this.endWait("The challenge was not answered in time.");
    byId("invitations").replaceChildren(
      ...pending.games.map((game) => runningGame(game)),
      ...pending.challenges.map((challenge) => this.challengeItem(challenge)));
    return false;
  }

  challengeItem({ id, from, variant, rated, color, clock }) {
    const answer = (path, body) => () => post(`/challenges/${id}/${path}`, body).catch((error) => this.fail(error));
    const terms = `${capital(variant)}, ${rated ? "rated" : "casual"}, ${clockText(clock)}, plays ${color}`;
    return html("div", { class: "invitation" },
      html("p", {}, html("strong", {}, from.name), ` challenges you: ${terms}.`),
      html("p", { class: "buttons" },
        html("button", { type: "button", class: "primary", on: { click: answer("accept") } }, "Accept"),
        html("button", { type: "button", on: { click: answer("decline", { reason: "generic" }) } }, "Decline")));
  }

  /** An open seek, with a button to accept it. */
  seekItem(seek) {
    const terms = `${capital(seek.variant)}, ${seek.rated ? "rated" : "casual"}, ${clockText(seek.clock)}`;
    const isOpen = this.me && seek.from.id !== this.me.id && ["any", "human"].includes(seek.opponent_kind);
    const accept = () => post(`/seeks/${seek.id}/accept`)
      .then((game) => location.assign(`/games/${game.id}`), (error) => this.fail(error));
    return html("li", {}, html("span", { class: "row" },
      html("span", {}, html("strong", {}, seek.from.name), " ", html("span", { class: "about" }, terms)),
      isOpen && html("button", { type: "button", "aria-label": `Accept the seek of ${seek.from.name}`, on: { click: accept } }, "Accept")));
  }
}

function runningGame({ id, opponent, my_turn: isMine }) {
  const text = isMine ? "it is your turn" : "your opponent is to move";
  return html("p", { class: "invitation" },
    html("a", { href: `/games/${id}` }, `Your game against ${opponent.name}`), `: ${text}.`);
}
