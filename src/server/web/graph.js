// A graph of chances along a game, from White's point of view.

import { html, svg } from "./dom.js";

const SIZE = { width: 600, height: 170, left: 72, right: 8, top: 14, bottom: 30 };
const LEVELS = [1000, 500, 0];

/** A graph in a container; a click goes to the ply below it. */
export class Graph {
  constructor(container, step) {
    this.container = container;
    this.step = step;
    this.plies = 0;
  }

  x(ply) {
    const { width, left, right } = SIZE;
    return left + (ply / Math.max(this.plies, 1)) * (width - left - right);
  }

  y(permille) {
    const { height, top, bottom } = SIZE;
    return top + (1 - permille / 1000) * (height - top - bottom);
  }

  /** Shows lines, each with a name, a class and points {ply, value}; `flags` are plies to point out. */
  show(lines, plies, flags = []) {
    this.plies = plies;
    this.cursor = svg("line", { class: "cursor", y1: SIZE.top, y2: SIZE.height - SIZE.bottom });
    const root = svg("svg", {
      class: "graph", viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img",
      "aria-label": lines.map(({ name, points }) => summary(name, points)).join("; "),
      on: { click: (event) => this.click(event, root) },
    }, LEVELS.map((level) => this.level(level)), this.cursor,
    lines.map(({ className, points }) => this.line(className, points)),
    flags.map(({ ply, value }) => svg("circle", { class: "flag", cx: this.x(ply), cy: this.y(value), r: 6 })),
    this.caption());
    const legend = lines.length > 1
      ? html("p", { class: "legend" }, lines.map(({ name, className }) => html("span", { class: className }, name)))
      : null;
    this.container.replaceChildren(root, ...(legend ? [legend] : []));
    this.mark(plies);
  }

  level(permille) {
    const y = this.y(permille);
    const text = svg("text", { x: SIZE.left - 6, y });
    text.append(`${permille / 10} %`);
    return svg("g", {}, svg("line", { class: "level", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y, y2: y }), text);
  }

  line(className, points) {
    const path = points.map(({ ply, value }, index) =>
      `${index === 0 ? "M" : "L"}${this.x(ply).toFixed(1)} ${this.y(value).toFixed(1)}`);
    const dots = points.length < 2
      ? points.map(({ ply, value }) => svg("circle", { class: `end ${className}`, cx: this.x(ply), cy: this.y(value), r: 3 }))
      : [];
    return svg("g", {}, svg("path", { class: `line ${className}`, d: path.join("") }), dots);
  }

  caption() {
    const text = svg("text", { class: "axis", x: (SIZE.left + SIZE.width) / 2, y: SIZE.height - 6 });
    text.append(`turns 1 to ${this.plies}`);
    return text;
  }

  click(event, root) {
    const box = root.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * SIZE.width;
    const share = (x - SIZE.left) / (SIZE.width - SIZE.left - SIZE.right);
    this.step(Math.round(share * this.plies));
  }

  /** Shows which ply the board shows. */
  mark(ply) {
    if (!this.cursor) return;
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
  }
}

function summary(name, points) {
  const last = points.at(-1);
  return last ? `${name}: ${(last.value / 10).toFixed(0)} % for White after turn ${last.ply}` : name;
}
