// The statement every-level: the optimum of a linear objective for every gamma of an interval (every_level.md).
// Quadratics have integer coefficients [q0, q1, q2]; a point of u = gamma - 1 is {p, q, D, s} for (p + q sqrt(D))/s, s > 0;
// infinity is null.

import { charge, pieces as lengthOf } from "./budget.js";
import { ONE, overOneDenominator, product, sum, ZERO } from "./fractions.js";
import { MAX_CELLS, MAX_ENTRIES } from "./limits.js";
import { sameValue } from "./places.js";

const signOf = (x) => (x > 0n ? 1 : x < 0n ? -1 : 0);

/** Return the sign of p + q sqrt(D). */
function surdSign(p, q, D) {
  const first = signOf(p);
  const second = D > 0n ? signOf(q) : 0;
  if (first * second >= 0) return first || second;
  return first * signOf(product(p, p) - product(product(q, q), D));
}

function makePoint(p, q, D, s) {
  return s < 0n ? { p: -p, q: -q, D, s: -s } : { p, q, D, s };
}

/** Return the sign of a - b. */
export function order(a, b) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const p = product(a.p, b.s) - product(b.p, a.s);
  const q = product(a.q, b.s);
  const w = product(b.q, a.s);
  const left = surdSign(p, q, a.D);
  const right = b.D > 0n ? -signOf(w) : 0;
  if (left * right >= 0) return left || right;
  const square = product(p, p) + product(product(q, q), a.D) - product(product(w, w), b.D);
  return left * surdSign(square, 2n * product(p, q), a.D);
}

/** Return the sign of a quadratic at a point; at infinity, of its leading coefficient. */
function signAt(Q, at) {
  if (at === null) return signOf(Q[2]) || signOf(Q[1]) || signOf(Q[0]);
  const { p, q, D, s } = at;
  const squared = product(p, p) + product(product(q, q), D);
  const rational = product(Q[0], product(s, s)) + product(Q[1], product(p, s)) + product(Q[2], squared);
  return surdSign(rational, product(q, product(Q[1], s) + 2n * product(Q[2], p)), D);
}

const slopeOf = (Q) => [Q[1], 2n * Q[2], 0n];

const discriminantOf = (Q) => product(Q[1], Q[1]) - 4n * product(Q[0], Q[2]);

/** Return the sign of a quadratic just above a point. */
const signAbove = (Q, at) => signAt(Q, at) || signAt(slopeOf(Q), at) || signOf(Q[2]);

/** Return the real roots of a quadratic. */
function rootsOf(Q) {
  const [c, b, a] = Q;
  if (a === 0n) return b === 0n ? [] : [makePoint(-c, 0n, 0n, b)];
  const D = discriminantOf(Q);
  if (D < 0n) return [];
  return [makePoint(-b, 1n, D, 2n * a), makePoint(-b, -1n, D, 2n * a)];
}

/** Return whether a quadratic is >= 0 on [low, high]. */
export function isNonnegative(Q, low, high) {
  if (signAt(Q, low) < 0 || signAt(Q, high) < 0) return false;
  if (Q[2] <= 0n || discriminantOf(Q) <= 0n) return true;
  const vertex = makePoint(-Q[1], 0n, 0n, 2n * Q[2]);
  return order(vertex, low) <= 0 || order(vertex, high) >= 0;
}

const plus = (P, Q) => P.map((x, n) => x + Q[n]);
const minus = (P, Q) => P.map((x, n) => x - Q[n]);

/** Return a point of gamma as one of u = gamma - 1. */
function readPoint(place) {
  const parts = place.items(3, 1);
  place.require(parts.length !== 2, "a point is not [p] or [p, q, D]");
  const [p, q, D] = [...parts.map((part) => part.number()), ZERO, ZERO];
  if (parts.length === 3) {
    place.require(!q.isZero(), "the root of a point has the factor 0");
    parts[2].require(D.isWhole() && D.n > 1n && !isSquare(D.n), "D is no integer > 1 without a root");
  }
  const { numbers, denominator } = overOneDenominator([p.minus(ONE), q]);
  return makePoint(numbers[0], numbers[1], D.n, denominator);
}

function isSquare(n) {
  charge(64 * lengthOf(n) ** 2);
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x * x === n;
    x = y;
  }
}

export const readEnd = (place) => (place.isNull() ? null : readPoint(place));

/** Return the first point of an interval, at least gamma = 1. */
export function readStart(place) {
  const start = readPoint(place);
  place.require(order(start, makePoint(0n, 0n, 0n, 1n)) >= 0, "the interval begins below gamma = 1");
  return start;
}

/** Return {A, B, X} of the rows of a piece, which cover each input once. */
function readRows(place, costs) {
  const k = costs[0].length;
  const seen = new Set();
  const rows = place.items(MAX_ENTRIES, 1).map((entry) => {
    const [output, set, weight] = entry.itemsOf(3);
    const d = output.integer(0, costs.length - 1);
    set.require(set.text().length === k && /^[01]*$/.test(set.value) && set.value.includes("1"), "no set of the inputs");
    const x = weight.number();
    weight.require(x.sign() > 0, "a weight is not positive");
    entry.require(!seen.has(`${d} ${set.value}`), "a row occurs twice");
    seen.add(`${d} ${set.value}`);
    return { d, x, inputs: [...set.value].map((digit) => digit === "1") };
  });
  charge(rows.length * k);
  for (let j = 0; j < k; j++) {
    const covered = sum(rows.filter((row) => row.inputs[j]).map((row) => row.x));
    place.require(covered.equals(ONE), `the input ${j} is not covered once`);
  }
  return {
    A: sum(rows.map(({ d, x }) => x.times(sum(costs[d])))),
    B: sum(rows.map(({ d, x, inputs }) => x.times(sum(costs[d].filter((_, j) => inputs[j]))))),
    X: sum(rows.map(({ x }) => x)),
  };
}

/** Require that the y of a cell prove the value (A + B u)/(X + u) on [low, high]. */
function requireDual(place, costs, { A, B, X }, low, high) {
  const k = costs[0].length;
  const y = place.itemsOf(k).map((entry) => entry.numbers(3));
  const totals = [0, 1, 2].map((n) => sum(y.map((q) => q[n])));
  place.require(totals[0].isZero() && totals[1].equals(A) && totals[2].equals(B), "the y do not sum to (0, A, B)");
  costs.forEach((row, d) => {
    const L = sum(row);
    const over = y.flatMap((q, j) => [q[0], q[1].minus(X.times(row[j])), q[2].minus(row[j])]);
    const { numbers } = overOneDenominator([...over, L.times(X).minus(A), L.minus(B), ZERO]);
    const terms = Array.from({ length: k + 1 }, (_, j) => numbers.slice(3 * j, 3 * j + 3));
    const right = terms.pop();
    const isInside = (root) => order(low, root) < 0 && order(root, high) < 0;
    // a quadratic with one sign on [low, high] has no point inside where that changes
    const moving = terms.filter((Q) => !isNonnegative(Q, low, high) && !isNonnegative(minus([0n, 0n, 0n], Q), low, high));
    const cuts = moving.flatMap(rootsOf).filter(isInside).sort(order);
    const still = terms.filter((Q) => !moving.includes(Q) && signAbove(Q, low) > 0).reduce(plus, [0n, 0n, 0n]);
    const ends = [low, ...cuts, high];
    for (let i = 0; i + 1 < ends.length; i++) {
      const positive = moving.filter((Q) => signAbove(Q, ends[i]) > 0).reduce(plus, still);
      place.require(isNonnegative(minus(right, positive), ends[i], ends[i + 1]), `the dual fails at the output ${d}`);
    }
  });
}

/** Require that a piece is right from `low` on, and return its end. */
function requirePiece(piece, cells, costs, low) {
  const { to, value, rows } = piece.fields(["to", "value", "rows"]);
  const line = readRows(rows, costs);
  const [a, b, c] = value.numbers(3);
  const isOfRows = a.equals(line.A.minus(line.B)) && b.equals(line.B) && c.equals(line.X.minus(ONE));
  value.require(isOfRows, "the value is not that of the rows");
  let at = low;
  let last = null;
  for (const cell of cells.items(MAX_CELLS, 1)) {
    const parts = cell.fields(["to", "y"]);
    cell.require(at !== null, "a cell follows the end of the half-line");
    const high = readEnd(parts.to);
    parts.to.require(order(at, high) < 0, "a cell is empty");
    requireDual(parts.y, costs, line, at, high);
    [at, last] = [high, parts.to];
  }
  last.require(sameValue(last.value, to.value), "the last cell does not end with its piece");
  return at;
}

/** Check the optimum for every gamma of an interval. */
export function checkEveryLevel(problem, claim, proof) {
  const { costs: matrix, from, to } = problem.fields(["costs", "from", "to"]);
  const costs = matrix.matrix();
  let at = readStart(from);
  const end = readEnd(to);
  const pieces = claim.fields(["pieces"]).pieces.items(MAX_CELLS, 1);
  const cells = proof.fields(["cells"]).cells.itemsOf(pieces.length);
  pieces.forEach((piece, i) => {
    piece.require(at !== null, "a piece follows the end of the half-line");
    at = requirePiece(piece, cells[i], costs, at);
  });
  to.require(order(at, end) === 0, "the pieces do not end where the problem ends");
}
