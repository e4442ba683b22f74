// The board as SVG: surface, lines, labels, pieces, what the last turn did, and one labelled control for each point.

import { svg } from "./dom.js";
import { LABELS, LINES, POINTS, neighbour, place } from "./geometry.js";
import { pieceText } from "./words.js";

/** Drawing units between two neighbouring points. */
const UNIT = 100;
const VIEW_BOX = "-530 -555 1060 1110";
/** How far the surface's sides and cut corners are from its middle. */
const SURFACE = { sides: 518, corners: 545 };
const RING = { radius: 36, ticks: 12 };
const MARKER_RADIUS = 26;
const MOVE_MS = 260;

const at = (point) => {
  const { x, y } = place(point);
  return { x: x * UNIT, y: y * UNIT };
};

const circle = (className, r, more = {}) => svg("circle", { class: className, r, ...more });

/** A piece around the origin: White's are smooth, with a thin line inside; Black's have ticks or a dot. */
export function drawPiece({ kind, color }) {
  if (kind === "marker") {
    const inner = color === "white" ? circle("detail", MARKER_RADIUS * 0.56) : circle("dot", MARKER_RADIUS * 0.28);
    return svg("g", { class: `piece marker ${color}` }, circle("body", MARKER_RADIUS), inner);
  }
  const length = (2 * Math.PI * RING.radius) / RING.ticks;
  const detail = color === "white"
    ? circle("detail", RING.radius)
    : circle("ticks", RING.radius, { "stroke-dasharray": `4 ${length - 4}` });
  return svg("g", { class: `piece ring ${color}` },
    circle("edge", RING.radius), circle("body", RING.radius), detail);
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A board in a container. `onPoint` is told which point was clicked, `onHover` which one is pointed at, or null. */
export class Board {
  constructor(container, { label, onPoint, onHover }) {
    this.pieces = new Map();
    this.position = null;
    this.layers = Object.fromEntries(["marks", "pieces", "ghosts", "points"].map((name) =>
      [name, svg("g", { class: name, "aria-hidden": name === "points" ? null : "true" })]));
    this.controls = new Map();
    if (onPoint) this.addControls(onPoint, onHover);
    const frame = svg("g", { "aria-hidden": "true" },
      svg("polygon", { class: "surface", points: surface() }),
      LINES.map(([from, to]) => line("grid", from, to)),
      LABELS.map(({ text, x, y }) => {
        const label = svg("text", { class: "label", x: x * UNIT, y: y * UNIT });
        label.append(text);
        return label;
      }));
    const role = onPoint ? "group" : "img";
    this.root = svg("svg", { class: "board", viewBox: VIEW_BOX, role, "aria-label": label },
      frame, Object.values(this.layers));
    container.replaceChildren(this.root);
  }

  addControls(onPoint, onHover) {
    for (const point of POINTS) {
      const { x, y } = at(point);
      const control = svg("g", {
        class: "point", role: "button", tabindex: point === "f6" ? 0 : -1, "data-point": point,
        transform: `translate(${x} ${y})`,
        on: {
          click: () => onPoint(point),
          keydown: (event) => this.onKey(event, point, onPoint),
          focus: () => {
            this.makeReachable(point);
            onHover(point);
          },
          blur: () => onHover(null),
          pointerenter: () => onHover(point),
          pointerleave: () => onHover(null),
        },
      }, circle("hit", 49), circle("halo", 47), circle("target", 13));
      this.controls.set(point, control);
      this.layers.points.append(control);
    }
  }

  /** One point at a time is in the tab order; the arrow keys lead from there to all others. */
  makeReachable(point) {
    for (const [name, control] of this.controls) control.setAttribute("tabindex", name === point ? 0 : -1);
  }

  onKey(event, point, onPoint) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPoint(point);
      return;
    }
    const next = neighbour(point, event.key);
    if (event.key.startsWith("Arrow")) event.preventDefault();
    if (next) this.controls.get(next).focus();
  }

  /** Shows a position, and what the turn that led to it did; with motion when the turn has just been played. */
  show(position, shown, { isNew = false } = {}) {
    const before = this.position;
    this.position = position;
    this.layers.ghosts.replaceChildren();
    const old = this.pieces;
    this.pieces = new Map();
    for (const [point, piece] of position.pieces) {
      const { x, y } = at(point);
      const drawn = svg("g", { transform: `translate(${x} ${y})` }, drawPiece(piece));
      this.pieces.set(point, drawn);
    }
    this.layers.pieces.replaceChildren(...this.pieces.values());
    this.layers.marks.replaceChildren(...marks(shown));
    for (const [point, control] of this.controls) {
      control.setAttribute("aria-label", `${point}, ${pieceText(position.pieces.get(point))}`);
    }
    if (isNew && before && shown && !calm()) this.animate(shown, old);
  }

  animate(shown, old) {
    const timing = { duration: MOVE_MS, easing: "ease-out" };
    const inner = (point) => this.pieces.get(point)?.firstChild;
    for (const part of shown.parts) {
      if (part.kind === "place") inner(part.to)?.animate([{ transform: "scale(1.5)", opacity: 0 }, {}], timing);
      if (part.kind === "move") {
        const [from, to] = [at(part.from), at(part.to)];
        const shift = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
        inner(part.to)?.animate([{ transform: shift }, {}], timing);
      }
      if (part.kind === "take") this.fadeOut([...part.row, part.ring], old);
    }
    for (const point of shown.flipped) {
      inner(point)?.animate([{ transform: "scaleX(-1)" }, { transform: "scaleX(0)" }, {}],
        { ...timing, delay: MOVE_MS / 2, fill: "backwards" });
    }
  }

  fadeOut(points, old) {
    for (const point of points) {
      const drawn = old.get(point);
      if (!drawn) continue;
      this.layers.ghosts.append(drawn);
      drawn.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 3 * MOVE_MS }).finished
        .then(() => drawn.remove(), () => {});
    }
  }

  /** Marks points: those that may be clicked, those that are chosen, and those of rows to choose from. */
  mark({ targets = [], chosen = [], rows = [] }) {
    const sets = { "is-target": new Set(targets), "is-chosen": new Set(chosen), "is-row": new Set(rows) };
    for (const [point, control] of this.controls) {
      for (const [name, points] of Object.entries(sets)) control.classList.toggle(name, points.has(point));
      const isOpen = sets["is-target"].has(point);
      control.setAttribute("aria-disabled", String(!isOpen));
      const state = sets["is-chosen"].has(point) ? ", chosen" : isOpen ? ", possible" : "";
      control.setAttribute("aria-label", `${point}, ${pieceText(this.position?.pieces.get(point))}${state}`);
    }
  }

  /** Shows what a part of a turn would do, before it is chosen. */
  preview(position, part, flipped) {
    const ghosts = [];
    const ghost = (point, piece, size = 1) => {
      const { x, y } = at(point);
      ghosts.push(svg("g", { class: "ghost", transform: `translate(${x} ${y}) scale(${size})` }, drawPiece(piece)));
    };
    if (part?.kind === "place") ghost(part.to, { kind: "ring", color: position.side });
    if (part?.kind === "move") {
      ghosts.push(line("way", part.from, part.to));
      ghost(part.from, { kind: "marker", color: position.side });
      ghost(part.to, { kind: "ring", color: position.side });
      for (const point of flipped) {
        const { color } = position.pieces.get(point);
        ghost(point, { kind: "marker", color: color === "white" ? "black" : "white" }, 0.62);
      }
    }
    this.layers.ghosts.replaceChildren(...ghosts);
  }
}

function line(className, from, to) {
  const [a, b] = [at(from), at(to)];
  return svg("line", { class: className, x1: a.x, y1: a.y, x2: b.x, y2: b.y });
}

/** A hexagon whose corners are cut off, as the board has no points there. */
function surface() {
  const corners = Array.from({ length: 12 }, (_, index) => {
    const [side, cut] = [Math.floor((index + 1) / 2) * 60, Math.floor(index / 2) * 60 + 30];
    return crossing([side, SURFACE.sides], [cut, SURFACE.corners]);
  });
  return corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

/** Where two straight lines cross, each given by the direction in degrees and the distance at which it passes the middle. */
function crossing([angle, distance], [otherAngle, otherDistance]) {
  const [a, b] = [angle, otherAngle].map((degrees) => (degrees * Math.PI) / 180);
  const determinant = Math.sin(b - a);
  return [
    (distance * Math.sin(b) - otherDistance * Math.sin(a)) / determinant,
    (otherDistance * Math.cos(a) - distance * Math.cos(b)) / determinant,
  ];
}

/** What the last turn did: the way of its ring, the markers it turned, and what was taken off. */
function marks(shown) {
  if (!shown) return [];
  const ring = (className, point, r) => {
    const { x, y } = at(point);
    return circle(className, r, { cx: x, cy: y });
  };
  const drawn = shown.parts.flatMap((part) => {
    if (part.kind === "place") return [ring("last", part.to, 48)];
    if (part.kind === "move") return [line("way", part.from, part.to), ring("last", part.from, 33), ring("last", part.to, 48)];
    if (part.kind === "take") return [...part.row.map((point) => ring("taken", point, 27)), ring("taken", part.ring, 40)];
    return [];
  });
  return drawn.concat(shown.flipped.map((point) => ring("flipped", point, 33)));
}
