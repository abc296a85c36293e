// The way of blocks: a divergence of two distributions, on the intervals of their likelihood ratios (blocks_way.md).

import { charge } from "./budget.js";
import { Fraction, ONE, sum, ZERO } from "./fractions.js";
import { readDigits } from "./intervals.js";
import { readPopulation } from "./objectives.js";
import { formReaches, needsDigits, pairValue } from "./ray_forms.js";
import { readMechanism } from "./regions.js";

export const OF_BLOCKS = ["chi-square", "total-variation", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"];

/** Check a bracket: `region` has the level with its bracket; `requireMember` holds the mechanism against it. */
export function checkBlocks({ parts, region, objective, claim, given, proof }, requireMember) {
  const { k, m, levels, least } = region;
  const [level] = levels;
  const served = levels.length === 1 && !level.hasDelta && level.pairs === null && least === null && ONE.less(level.gamma.above);
  proof.require(served, "blocks need one level of all pairs with delta 0, gamma > 1, and no bounds");
  if (needsDigits(objective)) readDigits(given.digits);
  const { lower, upper, mechanism } = claim.fields(["lower", "upper", "mechanism"]);
  const rows = readMechanism(mechanism, m, k);
  requireMember(mechanism.at("matrix"), rows, region);
  const ends = { lower: lower.number(), upper: upper.number() };
  claim.require(ends.lower.atMost(ends.upper), "`lower` is above `upper`");
  const pi = readPopulation(parts.population, k);
  const reached = ends.lower.sign() <= 0 || formReaches({ form: objective, weights: [ONE], populations: [pi] }, rows, ends.lower);
  lower.require(reached, "`lower` is above the value of the mechanism");
  const alpha = readAlpha(given, pi, objective.against, k);
  const bound = alpha.c.plus(alpha.d).plus(sum(alpha.bent));
  upper.require(bound.atMost(ends.upper), "`upper` is below the bound of the proof");
  requireOnIntervals(proof, { objective, pi, q: objective.against, alpha, u: level.gamma.above.minus(ONE) });
}

/** Return c, d and the part of each alpha_j that the bends add. */
function readAlpha({ line, bends }, pi, q, k) {
  const [c, d] = line.numbers(2);
  let last = -1;
  const kappas = bends.items(k).map((one) => {
    const [place, number] = one.itemsOf(2);
    const i = place.integer(0, k - 1);
    const kappa = number.number();
    place.require(i > last, "the bends do not ascend strictly");
    number.require(kappa.sign() > 0, "a bend is not positive");
    last = i;
    return { i, kappa };
  });
  charge((k * kappas.length) / 8);
  const bent = pi.map((p, j) => sum(kappas.map(({ i, kappa }) => {
    const cross = p.times(q[i]).minus(pi[i].times(q[j]));
    return cross.sign() > 0 ? kappa.times(cross) : ZERO;
  })));
  return { c, d, bent };
}

/** Return the partial sums of u times the numbers in an order, from 0 on. */
function partialSums(order, numbers, u) {
  const found = [ZERO];
  for (const j of order) found.push(found.at(-1).plus(u.times(numbers[j])));
  return found;
}

/** Require t(x, y) <= c x + d y + (the bent part of alpha.r) on the rows of all intervals. */
function requireOnIntervals(place, { objective, pi, q, alpha, u }) {
  const { c, d, bent } = alpha;
  // inputs with both proportions 0 come first
  const isEmpty = (j) => pi[j].isZero() && q[j].isZero();
  const order = [...pi.keys()].sort((a, b) => Number(isEmpty(b)) - Number(isEmpty(a)) || pi[a].times(q[b]).compare(pi[b].times(q[a])));
  const [P, Q, K] = [pi, q, bent].map((numbers) => partialSums(order, numbers, u));
  const total = sum(bent);
  const holds = (x, y, part) => {
    const right = c.times(x).plus(d.times(y)).plus(total).plus(part);
    const value = pairValue(objective, x, y);
    return value instanceof Fraction ? value.atMost(right) : value.highIsAtMost(right);
  };
  const between = (line, s, t) => line[t].minus(line[s]);
  /** Return whether the inequality is proved for all starts from s to S and ends from t to T, S < t. */
  const holdsOn = (s, S, t, T) => {
    const part = between(K, S, t);
    const xs = [between(P, S, t), between(P, s, T)].map((x) => x.plus(ONE));
    const ys = [between(Q, S, t), between(Q, s, T)].map((y) => y.plus(ONE));
    return s === S && t === T ? holds(xs[0], ys[0], part) : xs.every((x) => ys.every((y) => holds(x, y, part)));
  };
  const left = rectangles(0, order.length);
  while (left.length > 0) {
    charge(4);
    const [s, S, t, T] = left.pop();
    if (holdsOn(s, S, t, T)) continue;
    place.require(s < S || t < T, `the inequality fails on the interval from ${s} to ${t}`);
    if (S - s > T - t) {
      const middle = (s + S) >> 1;
      left.push([s, middle, t, T], [middle + 1, S, t, T]);
    } else {
      const middle = (t + T) >> 1;
      left.push([s, S, t, middle], [s, S, middle + 1, T]);
    }
  }
}

/** Return rectangles [s, S, t, T] that have each pair low <= start < end <= high once. */
function rectangles(low, high) {
  if (low >= high) return [];
  const middle = (low + high) >> 1;
  return [[low, middle, middle + 1, high], ...rectangles(low, middle), ...rectangles(middle + 1, high)];
}
