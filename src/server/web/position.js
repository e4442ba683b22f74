// Positions as the board draws them: what lies where, and how many rings are off. Which turns are legal is the server's
// to say; here a legal turn is only shown.

import { COLUMNS, between } from "./geometry.js";

const PIECES = {
  R: { kind: "ring", color: "white" },
  r: { kind: "ring", color: "black" },
  M: { kind: "marker", color: "white" },
  m: { kind: "marker", color: "black" },
};

/** The other colour. */
export const opposite = (color) => (color === "white" ? "black" : "white");

/** Reads a position text: a map from point to piece, the side to decide, and the rings off. */
export function parsePosition(text) {
  const [board, side, , off] = text.split(" ");
  const pieces = new Map();
  board.split("/").forEach((run, column) => {
    let index = 0;
    for (const token of run.match(/\d+|[RrMm]/g) ?? []) {
      if (token in PIECES) {
        pieces.set(COLUMNS[column][index], PIECES[token]);
        index += 1;
      } else {
        index += Number(token);
      }
    }
  });
  const [white, black] = off.split("-").map(Number);
  return { pieces, side: side === "w" ? "white" : "black", off: { white, black } };
}

/** The parts of a turn text, each as {kind, …}: place, move, take or pass. */
export function parseTurn(text) {
  return text.split(";").filter(Boolean).map(parsePart);
}

/** One part of a turn text. */
export function parsePart(part) {
  if (part === "pass") return { kind: "pass" };
  const take = part.match(/^x([a-k]\d+)-([a-k]\d+)x([a-k]\d+)$/);
  if (take) return { kind: "take", row: between(take[1], take[2]), ring: take[3] };
  const [from, to] = part.split("-");
  return to ? { kind: "move", from, to } : { kind: "place", to: from };
}

/** What a part does to the board: the position after it, and the markers that it turns. */
export function playPart(position, part) {
  const pieces = new Map(position.pieces);
  const off = { ...position.off };
  let flipped = [];
  if (part.kind === "place") {
    pieces.set(part.to, { kind: "ring", color: position.side });
  } else if (part.kind === "move") {
    flipped = flips(position, part);
    for (const point of flipped) {
      pieces.set(point, { kind: "marker", color: opposite(pieces.get(point).color) });
    }
    pieces.set(part.from, { kind: "marker", color: position.side });
    pieces.set(part.to, { kind: "ring", color: position.side });
  } else if (part.kind === "take") {
    for (const point of part.row) pieces.delete(point);
    pieces.delete(part.ring);
    off[position.side] += 1;
  }
  return { position: { ...position, pieces, off }, flipped };
}

/** The markers that a ring's move turns: those it jumps over. */
export function flips(position, { from, to }) {
  return between(from, to).slice(1, -1).filter((point) => position.pieces.get(point)?.kind === "marker");
}

/** What a whole turn does: the position with the other side to decide, and all that is worth showing of it. */
export function playTurn(position, text) {
  const shown = { parts: parseTurn(text), flipped: [], touched: [] };
  let after = position;
  for (const part of shown.parts) {
    const played = playPart(after, part);
    after = played.position;
    shown.flipped.push(...played.flipped);
    if (part.kind === "place") shown.touched.push(part.to);
    if (part.kind === "move") shown.touched.push(part.from, part.to);
    if (part.kind === "take") shown.touched.push(...part.row, part.ring);
  }
  return { position: { ...after, side: opposite(position.side) }, shown };
}

/** All positions of a game, the first one included, and what each turn shows. */
export function replay(initial, turns) {
  const positions = [{ position: parsePosition(initial), shown: null }];
  for (const turn of turns) positions.push(playTurn(positions.at(-1).position, turn));
  return positions;
}
