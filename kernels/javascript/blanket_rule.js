// Rule 33: shuffled reports of a mechanism, bounded by its privacy blanket (blanket_rule.md).

import { charge, pieces } from "./budget.js";
import { Fraction, HALF, larger, ONE, smaller, TWO, whole, ZERO } from "./fractions.js";
import { gammaBracket, readLevel } from "./levels.js";
import { MAX_BLOCKS, MAX_LATTICE_BITS, MAX_PARAMETER_DIGITS, MAX_SHUFFLED, MAX_ZCDP_CATEGORIES } from "./limits.js";
import { binomialLaw, missing } from "./tail_sums.js";

/** Check rule 33. */
export function checkBlanket(problem, claim, witness) {
  const { respondents, mechanism, epsilon } = problem.fields(["kind", "respondents", "mechanism", "epsilon"]);
  problem.at("kind").oneOf(["shuffled-mechanism"]);
  const { lower, upper } = claim.fields(["kind", "lower", "upper"]);
  claim.at("kind").oneOf(["shuffled-delta"]);
  const own = mechanism.named("kind") === "binary" ? [] : ["local"];
  const parts = witness.fields(["rule", ...own, "gamma", "cuts", "bits"]);
  const n = respondents.integer(1, MAX_SHUFFLED);
  const blankets = blanketsOf(mechanism, parts.local);
  const gamma = gammaBracket(parts.gamma, readLevel(epsilon)).below;
  const cuts = parts.cuts.items(MAX_BLOCKS).map((cut) => cut.integer(0, n - 1));
  parts.cuts.require(cuts.every((cut, i) => i === 0 || cuts[i - 1] < cut), "the cuts do not increase");
  const bits = BigInt(parts.bits.integer(1, MAX_LATTICE_BITS));
  lower.require(lower.number().sign() <= 0, "`lower` is above 0, but this rule proves no lower bound");
  const most = upper.number();
  for (const blanket of blankets) {
    upper.require(bound(n, blanket, gamma, cuts, bits, witness).atMost(most), "`upper` is below the bound of the blanket");
  }
}

/** Return the blankets of a mechanism: the chance beta, the laws a and b at two inputs, and the law w of the blanket. */
function blanketsOf(mechanism, bracket) {
  const kind = mechanism.at("kind").oneOf(["any", "kary", "binary"]);
  if (kind === "binary") {
    const { zero, one } = mechanism.fields(["kind", "zero", "one"]);
    const [z, o] = [zero, one].map((place) => {
      const chance = place.number(MAX_PARAMETER_DIGITS);
      place.require(ZERO.less(chance) && chance.less(ONE), "a chance of the report 1 is not between 0 and 1");
      return chance;
    });
    const [least, most] = [smaller(z, o), larger(z, o)];
    const beta = ONE.minus(most).plus(least);
    const [yes, no] = [least.over(beta), ONE.minus(most).over(beta)];
    // type 0 is the report that the first input makes likelier
    return [
      { beta, a: [most, ONE.minus(most), ZERO], b: [least, ONE.minus(least), ZERO], w: [yes, no, ZERO] },
      { beta, a: [ONE.minus(least), least, ZERO], b: [ONE.minus(most), most, ZERO], w: [no, yes, ZERO] },
    ];
  }
  const { local, categories } = mechanism.fields(["kind", "local", ...(kind === "kary" ? ["categories"] : [])]);
  const k = whole(kind === "kary" ? categories.integer(2, MAX_ZCDP_CATEGORIES) : 2);
  const g = gammaBracket(bracket, readLevel(local)).above;
  const size = g.plus(k).minus(ONE);
  const [yes, no, rest] = [g, ONE, k.minus(TWO)].map((part) => part.over(size));
  const each = kind === "kary" ? k.inverse() : HALF;
  const beta = kind === "kary" ? k.over(size) : g.inverse();
  return [{ beta, a: [yes, no, rest], b: [no, yes, rest], w: [each, each, ONE.minus(each).minus(each)] }];
}

/** Return an upper bound of delta: the mean, over blocks of the number of blanket reports, of its slack. */
function bound(n, { beta, a, b, w }, gamma, cuts, bits, place) {
  const law = binomialLaw(n - 1, beta.n, beta.d - beta.n, bits, place);
  const slacks = slacksOf(a, b, w, gamma, cuts, bits, place);
  charge(cuts.length + law.weights.length);
  let total = 1n << bits; // what no block holds, and what is missing, counts in full
  let found = 0n;
  let at = 0;
  cuts.forEach((cut, i) => {
    let mass = 0n;
    while (at < law.weights.length && law.start + at < cut) at++;
    const end = i + 1 < cuts.length ? cuts[i + 1] : n;
    while (at < law.weights.length && law.start + at < end) mass += law.weights[at++];
    total -= mass;
    found += mass * slacks[i];
  });
  return Fraction.of(found + (total << bits), 1n << (2n * bits));
}

/** Return upper bounds, in units of 2^-bits, of delta at so many blanket reports. */
function slacksOf(a, b, w, gamma, cuts, bits, place) {
  const rest = w[2].isZero() ? ZERO : gamma.minus(ONE).times(a[2]).over(w[2]);
  const parts = [a[0].minus(gamma.times(b[0])), a[1].minus(gamma.times(b[1])), rest.times(w[0]), rest.times(w[1])];
  const scale = parts.reduce((product, part) => product * part.d, 1n);
  const [u0, v0, e0, e1] = parts.map((part) => (part.n * scale) / part.d);
  const both = w[0].plus(w[1]);
  const share = w[0].over(both);
  const pair = { yes: share.n, all: share.d };
  let walk = null;
  return cuts.map((m) => {
    const pairs = binomialLaw(m, both.n, both.d - both.n, bits, place);
    let total = (missing(pairs) * scale) << bits;
    charge(pairs.weights.length * pieces(scale) * 4);
    const inside = [];
    pairs.weights.forEach((weight, i) => {
      const c = pairs.start + i;
      const u = BigInt(c + 1) * u0 - BigInt(m - c) * e0;
      const v = BigInt(c + 1) * v0 - BigInt(m - c) * e1;
      if (u > 0n) inside.push({ c, u, v, weight });
    });
    const middle = Math.max(0, inside.length - 1 - (pairs.weights.length >> 1));
    let start = w[2].isZero() ? walk : null;
    for (const steps of [inside.slice(middle), inside.slice(0, middle).reverse()]) {
      walk = start;
      for (const { c, u, v, weight } of steps) {
        const j = Number((BigInt(c + 1) * -v * pair.yes) / (u * (pair.all - pair.yes) - v * pair.yes));
        walk = walk === null ? tailAt(c, j, pair, bits, place) : moved(walk, c, j, pair);
        start ??= walk;
        const slack = u * walk.high + (u + v) * walk.beyond;
        if (slack > 0n) total += weight * ((slack + BigInt(c)) / BigInt(c + 1));
      }
      if (w[2].isZero()) break;
    }
    const unit = scale << bits;
    const found = (total + unit - 1n) / unit;
    return found < 1n << bits ? found : 1n << bits;
  });
}

/** Return bounds of the chance of j successes in c trials, and a lower one of more, in units of 2^-bits. */
function tailAt(c, j, { yes, all }, bits, place) {
  const law = binomialLaw(c, yes, all - yes, bits, place);
  const low = law.weights[j - law.start] ?? 0n;
  let beyond = 0n;
  law.weights.forEach((weight, i) => {
    if (law.start + i > j) beyond += weight;
  });
  return { c, j, low, high: low + missing(law), beyond, unit: 1n << bits };
}

/** Return the same at other trials and at another place, step by step: at every step 0 <= j <= c. */
function moved(walk, c, j, { yes, all }) {
  let { c: at, j: place, low, high, beyond } = walk;
  const { unit } = walk;
  const no = all - yes;
  charge((Math.abs(c - at) + Math.abs(j - place)) * 8 * pieces(unit) * pieces(all));
  const turn = (above, below) => {
    low = (low * above) / below;
    high = (high * above + below - 1n) / below;
    if (high > unit) high = unit;
  };
  const less = (x) => {
    beyond = beyond > x ? beyond - x : 0n;
  };
  for (; at < c; at++) {
    beyond += (low * yes) / all;
    turn(BigInt(at + 1) * no, BigInt(at + 1 - place) * all);
  }
  for (; place > j; place--) {
    beyond += low;
    turn(BigInt(place) * no, BigInt(at - place + 1) * yes);
  }
  for (; at > c; at--) {
    turn(BigInt(at - place) * all, BigInt(at) * no);
    less((high * yes + all - 1n) / all);
  }
  for (; place < j; place++) {
    turn(BigInt(at - place) * yes, BigInt(place + 1) * no);
    less(high);
  }
  return { c, j, low, high, beyond, unit };
}
