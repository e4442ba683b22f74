// The board's 85 points, its lines, and where they lie in the drawing.

const ROWS = [[2, 5], [1, 7], [1, 8], [1, 9], [1, 10], [2, 10], [2, 11], [3, 11], [4, 11], [5, 11], [7, 10]];
const STEPS = [[0, 1], [1, 0], [1, 1]];
const COLUMN_WIDTH = Math.sqrt(3) / 2;

/** The letter of a column, 0 to 10. */
const letter = (column) => String.fromCharCode(97 + column);

const name = (column, row) => `${letter(column)}${row}`;

const isOnBoard = (column, row) =>
  column >= 0 && column < ROWS.length && row >= ROWS[column][0] && row <= ROWS[column][1];

/** The column and row of a point such as "e5". */
export function parsePoint(point) {
  return [point.charCodeAt(0) - 97, Number(point.slice(1))];
}

/** Where a point lies; neighbours are one unit apart, and f6, in the middle, is the origin. */
export function place(point) {
  const [column, row] = parsePoint(point);
  return { x: (column - 5) * COLUMN_WIDTH, y: 3.5 + column / 2 - row };
}

/** All points, column by column from a to k, each from its lowest row up. */
export const POINTS = ROWS.flatMap(([low, high], column) =>
  Array.from({ length: high - low + 1 }, (_, index) => name(column, low + index)));

/** The points of each column, for reading position texts. */
export const COLUMNS = ROWS.map(([low, high], column) =>
  Array.from({ length: high - low + 1 }, (_, index) => name(column, low + index)));

/** The points from one point to another on the same line, both included; nothing when they share no line. */
export function between(from, to) {
  const [column, row] = parsePoint(from);
  const [toColumn, toRow] = parsePoint(to);
  const [columns, rows] = [toColumn - column, toRow - row];
  const length = Math.max(Math.abs(columns), Math.abs(rows));
  const isLine = columns === 0 || rows === 0 || columns === rows;
  if (!isLine) return [];
  return Array.from({ length: length + 1 }, (_, index) =>
    name(column + Math.sign(columns) * index, row + Math.sign(rows) * index));
}

/** The two ends of each of the board's lines. */
export const LINES = POINTS.flatMap((point) => {
  const [column, row] = parsePoint(point);
  return STEPS.flatMap(([right, up]) => {
    if (isOnBoard(column - right, row - up)) return [];
    let length = 0;
    while (isOnBoard(column + right * (length + 1), row + up * (length + 1))) length += 1;
    return length > 0 ? [[point, name(column + right * length, row + up * length)]] : [];
  });
});

/** The letters and numbers at the border, with their places. */
export const LABELS = [
  ...ROWS.map(([low], column) => {
    const { x, y } = place(name(column, low));
    return { text: letter(column), x, y: y + 0.62 };
  }),
  ...Array.from({ length: 11 }, (_, index) => {
    const row = index + 1;
    const column = ROWS.findIndex(([low, high]) => row >= low && row <= high);
    const { x, y } = place(name(column, row));
    return { text: String(row), x: x - 0.54, y: y - 0.31 };
  }),
];

/** The neighbour that an arrow key leads to; a side step goes to whichever of the two neighbours exists. */
export function neighbour(point, key) {
  const [column, row] = parsePoint(point);
  const steps = {
    ArrowUp: [[0, 1]],
    ArrowDown: [[0, -1]],
    ArrowLeft: [[-1, 0], [-1, -1]],
    ArrowRight: [[1, 0], [1, 1]],
  }[key] ?? [];
  const found = steps.find(([right, up]) => isOnBoard(column + right, row + up));
  return found && name(column + found[0], row + found[1]);
}
