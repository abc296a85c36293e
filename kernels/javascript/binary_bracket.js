// The statement `binary-bracket` (binary_bracket.md): the best designs of two categories.

import { readLevels, requireMember } from "./design_bracket.js";
import { HALF, larger, largest, least, ONE, smaller, ZERO } from "./fractions.js";
import { MAX_PARAMETER_DIGITS } from "./limits.js";
import { sameMatrix } from "./matrices.js";
import { readMechanism } from "./regions.js";

/** Check the statement. */
export function checkBinaryBracket(problem, claim, proof) {
  const parts = problem.fields(["outputs", "levels", "family", "goal", "from", "to"]);
  const m = parts.outputs.oneOf(["2", "3"]) === "2" ? 2 : 3;
  const family = parts.family.oneOf(["all", "warner"]);
  const isRegret = parts.goal.oneOf(["variance", "regret"]) === "regret";
  const [low, high] = [parts.from, parts.to].map((place) => place.number(MAX_PARAMETER_DIGITS));
  const ascend = ZERO.atMost(low) && low.atMost(high) && high.atMost(ONE);
  problem.require(ascend, "the prevalences do not ascend within [0, 1]");
  const isOne = low.equals(high);
  const levels = readLevels(parts.levels, proof.fields(["brackets"]).brackets, 2);
  parts.levels.require(levels.length === 1 && levels[0].pairs === null, "the region is not one level for all pairs");
  const { lower, upper, mechanism, optima, set } = claim.fields(["lower", "upper", "mechanism", "optima", "set"]);
  const rows = readMechanism(mechanism, m, 2);
  requireMember(mechanism.at("matrix"), rows, { k: 2, levels, least: null, most: null });
  const region = { family, gamma: levels[0].gamma, delta: levels[0].delta };
  let found;
  if (m === 3) {
    problem.require(family === "all" && !isRegret && isOne, "three outputs need family all and one prevalence");
    optima.null();
    found = mergedEnds(region, rows, low, mechanism);
  } else {
    const [below, above] = ["below", "above"].map((side) => verticesOf(region, side, proof));
    const design = pointOf({ p00: rows[0][0], p11: rows[1][1] });
    mechanism.require(design !== null, "the mechanism has p00 + p11 at most 1");
    if (family === "warner") mechanism.require(rows[0][0].equals(rows[1][1]), "the mechanism is not of the family warner");
    found = isRegret ? regretEnds(region, below, above, design, low, high) : worstEnds(above, design, low, high);
    if (!optima.isNull()) {
      optima.require(!isRegret && isOne, "optimal designs are listed for the variance at one prevalence only");
      requireOptima(optima, below, above, low);
      requireSet(set, region, low);
    }
  }
  if (optima.isNull()) set.null();
  lower.require(lower.number().atMost(found.lower), "`lower` is above the bound at `above`");
  upper.require(found.upper.atMost(upper.number()), "`upper` is below the value of the mechanism");
}

/** Return the vertices {p00, p11, r, s, name}, ascending in (p00, p11). */
function verticesOf({ family, gamma, delta }, side, place) {
  const [g, d] = [gamma[side], delta[side]];
  const found = [];
  const add = (name, p00, p11) => found.push({ name, ...pointOf({ p00, p11 }) });
  const hasCorners = family === "all" && d.sign() > 0 && d.less(ONE);
  if (hasCorners) add("p11=1", d, ONE);
  const m = g.plus(d).over(g.plus(ONE));
  if (HALF.less(m) && (family === "warner" || ONE.less(g) || d.equals(ONE))) add("p00=p11", m, m);
  if (hasCorners) add("p00=1", ONE, d);
  place.require(found.length > 0, `nothing can be estimated at \`${side}\``);
  return found;
}

/** Return a design with r = (1 - p00) u and s = (1 - p11) u, u = 1/(p00 + p11 - 1), or null. */
function pointOf({ p00, p11 }) {
  const excess = p00.plus(p11).minus(ONE);
  if (excess.sign() <= 0) return null;
  return { p00, p11, r: ONE.minus(p00).over(excess), s: ONE.minus(p11).over(excess) };
}

/** Return n Var. */
const varianceOf = ({ r, s }, pi) => r.plus(pi).times(s.plus(ONE).minus(pi));

function worstEnds(above, design, low, high) {
  const worst = (point) => {
    const top = point.s.plus(ONE).minus(point.r).times(HALF);
    return varianceOf(point, smaller(larger(top, low), high));
  };
  return { lower: least(above.map(worst)), upper: worst(design) };
}

function regretEnds(region, below, above, design, low, high) {
  const best = (vertices, pi) => least(vertices.map((vertex) => varianceOf(vertex, pi)));
  const regretOver = (vertices, point) =>
    larger(varianceOf(point, low).minus(best(vertices, low)), varianceOf(point, high).minus(best(vertices, high)));
  const candidates = [...above];
  if (region.family === "all" && low.less(high)) {
    const spare = (pi) => best(below, pi).minus(pi.times(ONE.minus(pi)));
    candidates.push(entryPoint(region, spare(low).minus(spare(high)).over(high.minus(low))));
  }
  return {
    lower: larger(least(candidates.map((point) => regretOver(below, point))), ZERO),
    upper: regretOver(above, design),
  };
}

/** Return the point where the line r - s = kappa enters the region at `above`. */
function entryPoint({ gamma, delta }, kappa) {
  const [g, d] = [gamma.above, delta.above];
  const slope = g.minus(ONE).plus(d); // (gamma - 1 + delta) r + delta s >= 1 - delta, and with r, s exchanged
  const needed = ONE.minus(d);
  const total = slope.plus(d);
  // with r = s + kappa: total s >= needed - slope kappa, total s >= needed - delta kappa, s >= 0, s >= -kappa
  const s = [
    ZERO, kappa.negative(), needed.minus(slope.times(kappa)).over(total), needed.minus(d.times(kappa)).over(total),
  ].reduce(larger);
  return { r: s.plus(kappa), s };
}

/** Require that the list holds all optimal vertices, as they are at `below`. */
function requireOptima(place, below, above, pi) {
  const names = (list) => list.map(({ name }) => name).join(" ");
  place.require(names(below) === names(above), "the vertices at `below` and at `above` are others");
  const cases = below.map((vertex, i) => ({ vertex, dear: varianceOf(vertex, pi), cheap: varianceOf(above[i], pi) }));
  const best = least(cases.map(({ dear }) => dear));
  const optimal = cases.filter(({ cheap }) => cheap.atMost(best));
  place.itemsOf(optimal.length).forEach((item, at) => {
    const { p00, p11 } = optimal[at].vertex;
    const matrix = [[p00, ONE.minus(p11)], [ONE.minus(p00), p11]];
    item.require(sameMatrix(readMechanism(item, 2, 2), matrix), "an optimum is another design");
  });
  if (optimal.length < 2 || optimal.every(({ dear, cheap }) => dear.equals(cheap))) return;
  const mirrors = names(optimal.map(({ vertex }) => vertex)) === "p11=1 p00=1";
  place.require(mirrors && pi.equals(HALF), "the tie of the optima is not exact: the bracket is too wide");
}

/** Require the segment of designs of variance 0, or null where there is none. */
function requireSet(place, { family, delta }, pi) {
  if (family === "warner" || !(pi.isZero() || pi.equals(ONE)) || delta.below.isZero()) {
    place.null();
    return;
  }
  const { after, through } = place.fields(["after", "through"]);
  for (const [own, p11] of [[after, ZERO], [through, delta.below]]) {
    const pair = pi.isZero() ? [ONE, p11] : [p11, ONE];
    own.require(own.numbers(2).every((x, i) => x.equals(pair[i])), "the end of the set is another one");
  }
}

/** Return the least n Var of six merged mechanisms of three outputs at `above`, and that of the mechanism. */
function mergedEnds({ gamma, delta }, rows, pi, place) {
  const information = (matrix) => {
    let total = ZERO;
    for (const row of matrix) {
      if (row.every((x) => x.isZero())) continue;
      const weight = row[0].times(ONE.minus(pi)).plus(row[1].times(pi));
      place.require(!weight.isZero(), "a row that is not 0 has probability 0");
      total = total.plus(row[1].minus(row[0]).power(2).over(weight));
    }
    return total;
  };
  const [g, d] = [gamma.above, delta.above];
  const c = ONE.minus(d).over(ONE.plus(g));
  const four = [[d, ZERO], [c.times(g), c], [c, c.times(g)], [ZERO, d]];
  const merged = [];
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      const added = four[i].map((x, at) => x.plus(four[j][at]));
      merged.push(information([added, ...four.filter((_, at) => at !== i && at !== j)]));
    }
  }
  const own = information(rows);
  place.require(!own.isZero(), "the mechanism estimates nothing");
  return { lower: largest(merged).inverse(), upper: own.inverse() };
}
