// The statement parity-bound: the infimum B(h) of a privacy criterion, by cells that cover (0, 1) (parity_bound.md).

import { coefficientsOf, namedConstants, Pair, startConstants } from "./parity_constants.js";
import { Frame } from "./parity_expansions.js";
import { attempt, evaluated, extremum, readExpression, valueAt } from "./parity_functions.js";
import { Fraction, ONE, whole, ZERO } from "./fractions.js";
import { readDigits } from "./intervals.js";
import { MAX_CELLS, MAX_BRACKET_DIGITS, MAX_EXPANSION_ORDER, MAX_DEGREE, MAX_LIST } from "./limits.js";
import { Polynomial } from "./polynomials.js";

const METHODS = ["bernstein", "low", "high", "middle"];

/** Return an END: its interval [low, high], and whether it is a rational number. */
function readEnd(place) {
  if (place.isText()) {
    const value = place.number(MAX_BRACKET_DIGITS);
    place.require(value.sign() >= 0 && value.atMost(ONE), "an end is not in [0, 1]");
    return { low: value, high: value, rational: true, name: place.value };
  }
  const { root, between } = place.fields(["root", "between"]);
  const coefficients = root.items(MAX_DEGREE + 1).map((x) => x.number());
  const [a, b] = between.itemsOf(2).map((x) => x.number(MAX_BRACKET_DIGITS));
  between.require(a.sign() > 0 && a.less(b) && b.less(ONE), "the interval of a root is not within (0, 1)");
  while (coefficients.length > 0 && coefficients.at(-1).isZero()) coefficients.pop();
  root.require(coefficients.length > 1, "the polynomial of a root is a constant");
  const signs = bernsteinOf(coefficients, a, b, ZERO).map((x) => x.sign()).filter((sign) => sign !== 0);
  const changes = signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length;
  root.require(changes === 1, "the signs of the Bernstein coefficients do not change exactly once");
  const name = JSON.stringify([coefficients.map(String), a.toString(), b.toString(), root.value.length]);
  return { low: a, high: b, rational: false, name };
}

/** Return the Bernstein coefficients on [low, high] of c_0 + c_1 p + ...; `zero` is that of the coefficients. */
function bernsteinOf(c, low, high, zero) {
  const g = c.length - 1;
  const scale = zero instanceof Fraction ? (x, f) => x.times(f) : (x, f) => x.scaled(f);
  // p = low + (high - low) t, Taylor's shift, then b_i = sum_k C(i, k)/C(g, k) d_k
  const d = [...c];
  for (let i = 0; i < g; i++) for (let k = g - 1; k >= i; k--) d[k] = d[k].plus(scale(d[k + 1], low));
  const width = high.minus(low);
  const shifted = d.map((x, k) => scale(x, width.power(k)));
  return shifted.map((_, i) => {
    let total = zero;
    let ratio = ONE;
    for (let k = 0; k <= i; k++) {
      total = total.plus(scale(shifted[k], ratio));
      if (k < i) ratio = ratio.times(whole(i - k)).over(whole(g - k));
    }
    return total;
  });
}

/** Return the pieces of a FUNCTION, in ascending order. */
function readFunction(place) {
  const { pieces } = place.fields(["pieces"]);
  let start = { low: ZERO, high: ZERO, rational: true, name: "0" };
  let ownsStart = true;
  const found = pieces.items(MAX_LIST, 1).map((item) => {
    const { to, closed, value } = item.fields(["to", "closed", "value"]);
    const end = readEnd(to);
    const ownsEnd = closed.truthValue();
    readExpression(value, true);
    const same = end.name === start.name;
    to.require(same || start.high.atMost(end.low), "the ends of the pieces do not ascend");
    to.require(!same || (ownsStart && ownsEnd), "a piece is empty");
    const piece = { start, end, ownsStart, ownsEnd, value };
    [start, ownsStart] = [end, !ownsEnd];
    return piece;
  });
  const last = found.at(-1);
  pieces.require(last.end.name === "1" && last.ownsEnd, "the last piece does not end at 1, closed");
  return found;
}

const turned = ({ low, high, rational, name }) => ({ low: ONE.minus(high), high: ONE.minus(low), rational, name });

/** Return the pieces of a side that hold a prior, in the order of h; h = 1 - h_l(1-p) on the side `down`. */
function piecesOf(place, down) {
  if (place.isNull()) return null;
  const read = readFunction(place);
  const own = down
    ? read.reverse().map((piece) => ({
        start: turned(piece.end), end: turned(piece.start), ownsStart: piece.ownsEnd, ownsEnd: piece.ownsStart, value: piece.value,
      }))
    : read;
  return own.filter(({ start, end }) => !end.high.isZero() && !start.low.equals(ONE)).map((piece) => ({ ...piece, down }));
}

/** Read the functions of a criterion. */
function readCriterion(up, down) {
  up.require(!up.isNull() || !down.isNull(), "both functions of the criterion are null");
  return { up: piecesOf(up, false), down: piecesOf(down, true) };
}

/** Return lower and upper of the infimum that {"claim", "proof"} proves; null where it is infinite. */
export function infimumOf(up, down, place) {
  const { claim, proof } = place.fields(["claim", "proof"]);
  return proveInfimum(up, down, claim, proof);
}

/** Check the statement; return a note: the tier. */
export function checkParityBound(problem, claim, proof) {
  const { up, down } = problem.fields(["up", "down"]);
  return `The proof is of the ${proveInfimum(up, down, claim, proof).tier} tier.`;
}

function proveInfimum(upPlace, downPlace, claim, proof) {
  const sides = readCriterion(upPlace, downPlace);
  const stated = claim.fields(["lower", "upper", "attained", "at"]);
  const parts = proof.fields(["digits", "exact", "up", "down", "point"]);
  readDigits(parts.digits);
  startConstants();
  const state = { analytic: false, near: [], strict: true };
  const infinite = stated.lower.value === "infinite" && stated.upper.value === "infinite";
  const { lower, top, ends } = infinite ? { lower: null, top: null, ends: null } : readBounds(stated, parts);
  if (infinite) parts.exact.null();
  for (const side of ["up", "down"]) {
    if (sides[side] === null) parts[side].null();
    else checkSide(parts[side], sides[side], lower, top, state);
  }
  if (infinite) {
    [stated.attained, stated.at, parts.point].forEach((place) => place.null());
    return { lower: null, upper: null, tier: tierOf(state) };
  }
  const point = checkPoint(parts.point, sides, top, state);
  requireAt(stated.at, point);
  if (!stated.attained.isNull()) requireAttained(stated.attained, point, state);
  return { lower: ends[0], upper: ends[1], tier: tierOf(state) };
}

const tierOf = ({ analytic }) => (analytic || namedConstants() > 0 ? "analytic" : "rational");

function readBounds({ lower, upper }, { exact }) {
  const ends = [lower.number(), upper.number()];
  lower.require(ends[0].sign() >= 0, "`lower` is negative");
  let top = Pair.of(ends[1]);
  if (!exact.isNull()) {
    readExpression(exact, false);
    top = evaluated(exact, { p: null, constant: (pair) => pair });
  }
  exact.require(top.minus(Pair.of(ends[0])).sign() >= 0, "`lower` is above `exact`");
  exact.require(Pair.of(ends[1]).minus(top).sign() >= 0, "`exact` is above `upper`");
  return { lower: Pair.of(ends[0]), top, ends };
}

function checkSide(place, pieces, lower, top, state) {
  place.itemsOf(pieces.length).forEach((list, i) => {
    const piece = pieces[i];
    let from = piece.start.low;
    const isPoint = piece.start.rational && piece.end.rational && piece.start.name === piece.end.name;
    const cells = list.items(MAX_CELLS, 1);
    cells.forEach((cell, at) => {
      const { to, near, method, order } = cell.fields(["to", "near", "method", "order"]);
      const high = to.number(MAX_BRACKET_DIGITS);
      to.require(isPoint ? high.equals(from) && at === 0 : from.less(high), "the ends of the cells do not ascend");
      const read = { low: from, high, ...readMethod(method, order) };
      const isNear = near.truthValue();
      near.require(!isNear || top !== null, "a cell of an infinite infimum is near");
      prove(cell, piece, read, isNear ? lower : top, state);
      if (isNear) state.near.push({ piece, cell: read });
      from = high;
    });
    list.require(from.equals(piece.end.high), "the cells do not end where the piece ends");
  });
}

function readMethod(method, order) {
  const name = method.oneOf(METHODS);
  return { method: name, order: name === "bernstein" ? order.integer(0, 0) : order.integer(1, MAX_EXPANSION_ORDER) };
}

/** Require a cell of a piece to prove F >= b (b null: h >= 1); note whether it proves more. */
function prove(place, piece, cell, b, state) {
  const goal = { piece, cell, b, sign: 1, state };
  const isPoint = cell.low.equals(cell.high);
  const found = provedBy(piece.value, goal, isPoint ? null : cell.method, true);
  place.require(found !== null, "the cell does not prove its bound");
  state.strict &&= found.strict;
  if (!isPoint && cell.method !== "bernstein") state.analytic = true;
}

/** Return {strict, end} if the condition of a cell holds for an expression, else null (conditions 1 to 4). */
function provedBy(value, goal, method, isWhole) {
  const { piece } = goal;
  const direct = provedDirectly(value, goal, method);
  if (direct) return withEnd(direct, goal, isWhole);
  if (!isWhole && method && method !== "bernstein" && goal.sign > 0) {
    const other = attempt(() => bernstein(value, goal));
    if (other) return other;
  }
  const found = extremum(value, piece.down);
  if (!found) return null;
  const proofs = [];
  for (const operand of found.operands) {
    const proof = provedBy(operand, goal, method, false);
    if (proof && found.isMinimum !== goal.sign > 0) return withEnd(proof, goal, isWhole);
    if (proof) proofs.push(proof);
    else if (found.isMinimum === goal.sign > 0) return null;
  }
  if (found.isMinimum !== goal.sign > 0) return null;
  const all = { strict: proofs.every((proof) => proof.strict), end: proofs.some((proof) => proof.end) };
  return withEnd(all, goal, isWhole);
}

/** Of a proof by an expansion from an end c: require g(c) >= 0 too, where the piece may hold c. */
function withEnd(proof, goal, isWhole) {
  if (!isWhole || !proof.end || goal.sign < 0) return proof;
  const { piece, cell } = goal;
  const c = cell.method === "low" ? cell.low : cell.high;
  if (cell.method === "middle" || !mayHold(piece, c)) return proof;
  const there = provedBy(piece.value, { ...goal, cell: { ...cell, low: c, high: c } }, null, true);
  return there && { strict: proof.strict && there.strict, end: false };
}

const oriented = (piece, p) => (piece.down ? ONE.minus(p) : p);

function mayHold({ start, end, ownsStart, ownsEnd }, p) {
  if (p.sign() <= 0 || !p.less(ONE) || p.less(start.low) || end.high.less(p)) return false;
  if (p.equals(start.low) && !(start.rational && ownsStart)) return false;
  return !(p.equals(end.high) && !(end.rational && ownsEnd));
}

function provedDirectly(value, goal, method) {
  if (!method) return attempt(() => pointProof(value, goal));
  if (method === "bernstein") return attempt(() => bernstein(value, goal));
  return attempt(() => expansionProof(value, goal, method));
}

/** Return g = h (1 + (b-1) p) - b p, or h - 1 for an infinite b; `one` and `p` are of the kind of h. */
function gap(h, { b }, p, constant) {
  if (b === null) return h.minus(constant(Pair.of(ONE)));
  const slope = constant(b.minus(Pair.of(ONE))).times(p);
  return h.times(constant(Pair.of(ONE)).plus(slope)).minus(constant(b).times(p));
}

/** Condition 2: the sign of g at one prior. */
function pointProof(value, goal) {
  const { piece, cell } = goal;
  const own = valueAt(value, oriented(piece, cell.low));
  const h = piece.down ? Pair.of(ONE).minus(own) : own;
  const sign = gap(h, goal, Pair.of(cell.low), (pair) => pair).sign() * goal.sign;
  return sign >= 0 ? { strict: sign > 0, end: false } : null;
}

/** Return h as a pair n/d of polynomials in p. */
function pairOf(value, piece) {
  const p = piece.down ? Pair.of(ONE).minus(Pair.p()) : Pair.p();
  const own = evaluated(value, { p, constant: (pair) => pair });
  return piece.down ? Pair.of(ONE).minus(own) : own;
}

const signOf = (polynomial) => new Pair(polynomial).sign();

/** Condition 3: the signs of the Bernstein coefficients of g = n/d. */
function bernstein(value, goal) {
  const { cell, piece } = goal;
  const g = gap(pairOf(value, piece), goal, Pair.p(), (pair) => pair);
  const signs = (polynomial) =>
    bernsteinOf(coefficientsOf(polynomial), cell.low, cell.high, new Polynomial(polynomial.size)).map(signOf);
  let d = signs(g.d);
  let n = signs(g.n).map((sign) => sign * goal.sign);
  if (d.some((sign) => sign < 0)) [d, n] = [d.map((sign) => -sign), n.map((sign) => -sign)];
  const inside = d.every((sign) => sign >= 0) && d.some((sign) => sign > 0);
  const ends = (d[0] > 0 || cell.low.isZero()) && (d.at(-1) > 0 || cell.high.equals(ONE));
  if (!inside || !ends || n.some((sign) => sign < 0)) return null;
  const first = n[0] > 0 || !mayHold(piece, cell.low);
  const last = n.at(-1) > 0 || !mayHold(piece, cell.high);
  return { strict: n.some((sign) => sign > 0) && first && last, end: false };
}

/** Return h as an expansion on a cell. */
function expansionOf(value, piece, frame) {
  const constant = (pair) => frame.constant(pair);
  const own = evaluated(value, { p: frame.variable(piece.down), constant });
  return piece.down ? constant(Pair.of(ONE)).minus(own) : own;
}

/** Condition 4: the low end of the range of g. */
function expansionProof(value, goal, method) {
  const { low, high, order } = goal.cell;
  const [atZero, atOne] = [low.isZero(), high.equals(ONE)];
  if ((method === "middle" && (atZero || atOne)) || (atZero && atOne)) return null;
  const frame = new Frame(low, high, method, order);
  const h = expansionOf(value, goal.piece, frame);
  const g = gap(h, goal, frame.variable(false), (pair) => frame.constant(pair)).range();
  const range = goal.sign > 0 ? g : g.negative();
  return range.isAtLeastZero() ? { strict: range.isPositive(), end: method !== "middle" } : null;
}

/** Require the point to prove B <= top; return it. */
function checkPoint(place, sides, top, state) {
  const parts = place.fields(["side", "piece", "from", "to", "method", "order"]);
  const side = parts.side.oneOf(["up", "down"]);
  parts.side.require(sides[side] !== null, "the side of the point has no function");
  const at = parts.piece.integer(0, Math.max(0, sides[side].length - 1));
  const piece = sides[side][at];
  parts.piece.require(piece !== undefined, "the piece of the point does not exist");
  const [low, high] = [parts.from.number(MAX_BRACKET_DIGITS), parts.to.number(MAX_BRACKET_DIGITS)];
  const cell = { low, high, ...readMethod(parts.method, parts.order) };
  const goal = { piece, cell, b: top, sign: -1, state };
  const { start, end } = piece;
  const isNumber = low.equals(high);
  if (!isNumber && cell.method !== "bernstein") state.analytic = true;
  const point = { piece, cell, isNumber, at: isNumber ? parts.from.value : null, from: parts.from.value, to: parts.to.value };
  if (isNumber) {
    const inside = low.sign() > 0 && low.less(ONE) && start.high.atMost(low) && low.atMost(end.low);
    place.require(inside, "the point is not inside its piece");
    point.owned = mayHold(piece, low);
    const proved = point.owned ? provedBy(piece.value, goal, null, true) !== null : limitProvedAtEnd(piece.value, goal, false);
    place.require(proved, "the point does not prove the upper bound");
    return point;
  }
  place.require(low.less(high), "the cell of the point is empty");
  if (low.sign() > 0 && high.less(ONE)) {
    const around = [[start, piece.ownsStart], [end, piece.ownsEnd]].filter(
      ([one]) => !one.rational && low.atMost(one.low) && one.high.atMost(high),
    );
    place.require(around.length > 0, "the cell of the point is not around an irrational end of the piece");
    place.require(provedBy(piece.value, goal, cell.method, true) !== null, "the point does not prove the upper bound");
    point.owned = around.some(([, owned]) => owned);
    return point;
  }
  const atZero = low.isZero() && high.less(ONE) && start.high.isZero() && ["low", "bernstein"].includes(cell.method);
  const atOne = low.sign() > 0 && high.equals(ONE) && end.low.equals(ONE) && ["high", "bernstein"].includes(cell.method);
  place.require(atZero || atOne, "the cell of the point has no method that serves it");
  place.require(limitProved(piece.value, goal, atZero), "the point does not prove the upper bound");
  point.at = atZero ? "0+" : "1-";
  return point;
}

/** Return whether the limit of h at an end that the piece does not own proves the bound: by all operands inside a maximum. */
function limitProvedAtEnd(value, goal, isInside) {
  const found = extremum(value, goal.piece.down);
  if (!found) return Boolean(provedDirectly(value, goal, null));
  const all = isInside || !found.isMinimum;
  const proved = (operand) => limitProvedAtEnd(operand, goal, all);
  return all ? found.operands.every(proved) : found.operands.some(proved);
}

/** Return whether h = w (z_0 + w s) at 0, z_0 <= top (or 1 - h at 1, 1/z_0 <= top). */
function limitProved(value, goal, atZero) {
  if (attempt(() => limitDirectly(value, goal, atZero))) return true;
  const found = extremum(value, goal.piece.down);
  if (!found) return false;
  const proved = (operand) => limitProved(operand, goal, atZero);
  return found.isMinimum ? found.operands.some(proved) : found.operands.every(proved);
}

function limitDirectly(value, { piece, cell, b: top }, atZero) {
  const slope = cell.method === "bernstein" ? pairSlope(value, piece, atZero) : expansionSlope(value, piece, cell, atZero);
  if (slope === null || slope.sign() <= 0) return false;
  return top.minus(atZero ? slope : slope.inverse()).sign() >= 0;
}

function pairSlope(value, piece, atZero) {
  const own = pairOf(value, piece);
  const f = atZero ? own : Pair.of(ONE).minus(own);
  const at = (polynomial, derivative) => {
    let total = new Polynomial(polynomial.size);
    coefficientsOf(polynomial).forEach((c, i) => {
      if (atZero ? i === derivative : true) total = total.plus(c.scaled(derivative ? whole(i) : ONE));
    });
    return total;
  };
  if (!at(f.n, 0).isZero() || signOf(at(f.d, 0)) === 0) return null;
  const slope = new Pair(at(f.n, 1), at(f.d, 0)).simplest();
  return atZero ? slope : slope.negative();
}

function expansionSlope(value, piece, { low, high, method, order }, atZero) {
  const frame = new Frame(low, high, method, order);
  const h = expansionOf(value, piece, frame);
  const f = atZero ? h : frame.constant(Pair.of(ONE)).minus(h);
  const fits = f.a.rational()?.equals(ONE) && f.l.isZero() && f.z.length > 0 && f.S.isBounded();
  return fits ? f.z[0] : null;
}

function requireAt(place, point) {
  if (point.at !== null) {
    place.require(place.value === point.at, "`at` is not the place of the point");
    return;
  }
  const { from, to } = place.fields(["from", "to"]);
  place.require(from.value === point.from && to.value === point.to, "`at` is not the place of the point");
}

function requireAttained(place, point, state) {
  if (!place.truthValue()) {
    place.require(state.near.length === 0, "a cell is near: the infimum may be attained there");
    place.require(state.strict, "some cell proves no strict inequality: the infimum may be attained there");
    return;
  }
  place.require(point.owned === true, "the point is no number, and no end, that its piece owns");
  for (const { piece, cell } of state.near) {
    const { low, high } = cell;
    const { start, end, ownsStart, ownsEnd } = piece;
    const closed = low.sign() > 0 && high.less(ONE);
    const from = ownsStart || !(low.less(start.high) || (start.rational && low.equals(start.high)));
    const to = ownsEnd || !(end.low.less(high) || (end.rational && high.equals(end.low)));
    place.require(closed && from && to, "the part of the piece in a near cell is not closed");
    requireContinuous(place, piece, cell, state);
  }
}

/** Require an extremum, or all its operands, to be defined on the whole cell. */
function requireContinuous(place, piece, { low, high }, state) {
  if (!extremum(piece.value, false)) return;
  const isPoint = low.equals(high);
  if (!isPoint) state.analytic = true;
  const isDefined = (value) =>
    attempt(() => (isPoint ? valueAt(value, oriented(piece, low)) : expansionOf(value, piece, new Frame(low, high, "middle", 1)))) !== null;
  const all = (value) => isDefined(value) || (extremum(value, false)?.operands.every(all) ?? false);
  place.require(all(piece.value), "a minimum or maximum is not defined on the whole of a near cell");
}
