// What the page says, in one place.

const REASONS = {
  rings: (winner) => `${winner} has taken off three rings`,
  row: (winner) => `${winner} has made the first row`,
  markers_exhausted: () => "all markers lie on the board",
  no_moves: () => "nobody can move",
  resign: (winner, loser) => `${loser} has resigned`,
  timeout: (winner, loser) => `${loser}'s time is over`,
  illegal_turns: (winner, loser) => `${loser} has sent too many illegal turns`,
  abort: () => "called off",
};

const DECLINED = {
  generic: "no reason given",
  later: "ask again later",
  too_fast: "the clock is too short for it",
  too_slow: "the clock is too long for it",
  rated: "it does not play rated games like this one",
  casual: "it plays rated games only",
  variant: "it does not play this variant",
  rules: "it does not know this server's rules",
  no_bots: "it does not play against bots",
  only_bots: "it plays against bots only",
  busy: "it plays as many games as it can",
};

const PIECE_NAMES = { ring: "ring", marker: "marker" };

/** "White", "Black". */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** How a game ended, in a sentence. */
export function endingText(winner, reason, names) {
  const why = REASONS[reason] ?? (() => reason);
  if (reason === "abort") return "The game was called off.";
  if (!winner) return `A draw: ${why()}.`;
  const loser = winner === "white" ? "black" : "white";
  return `${names[winner]} (${capital(winner)}) wins: ${why(names[winner], names[loser])}.`;
}

/** Why a challenge was declined. */
export const declinedText = (reason) => DECLINED[reason] ?? "no reason given";

/** A time control, such as "5 min + 3 s". */
export function clockText({ initial_ms: initial, increment_ms: increment }) {
  const seconds = initial / 1000;
  const start = seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
  return `${start} + ${increment / 1000} s`;
}

/** What a clock shows: minutes and seconds, tenths below ten seconds. */
export function timeText(ms) {
  const left = Math.max(ms, 0);
  if (left < 10000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** How long ago an instant was. */
export function agoText(at, now) {
  const minutes = Math.floor((now - at) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 1440)} days ago`;
}

/** What lies on a point, for those who hear the board. */
export const pieceText = (piece) => (piece ? `${piece.color} ${PIECE_NAMES[piece.kind]}` : "empty");

/** A turn in words, for those who hear the game. */
export function turnText(shown) {
  return shown.parts.map((part) => {
    if (part.kind === "place") return `ring to ${part.to}`;
    if (part.kind === "move") return `ring from ${part.from} to ${part.to}`;
    if (part.kind === "take") return `row ${part.row[0]} to ${part.row.at(-1)} taken with the ring on ${part.ring}`;
    return "pass";
  }).concat(shown.flipped.length > 0 ? [`${shown.flipped.length} turned`] : []).join(", ");
}

/** A rating with its deviation. */
export const ratingText = ({ rating, rating_deviation: deviation }) => `${rating} ± ${deviation}`;
