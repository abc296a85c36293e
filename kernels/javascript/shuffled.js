// The statement shuffled: delta of shuffled reports over all neighbouring data sets, by blocks or by a blanket (shuffled.md).

import { charge, pieces } from "./budget.js";
import { Fraction, HALF, larger, ONE, smaller, TWO, ZERO } from "./fractions.js";
import { gammaBracket, readKary, readLevel } from "./levels.js";
import { MAX_BLOCKS, MAX_LATTICE_BITS, MAX_PARAMETER_DIGITS, MAX_SHUFFLED } from "./limits.js";
import { binomialLaw, lawOfSum, missing } from "./tail_sums.js";

/** Check a bracket of the least slack of shuffled reports. */
export function checkShuffled(problem, claim, proof) {
  const { respondents, device, epsilon } = problem.fields(["respondents", "device", "epsilon"]);
  const { lower, upper } = claim.fields(["lower", "upper"]);
  const kind = device.named("kind");
  const isWarner = kind === "warner";
  const parts = proof.fields(["brackets", ...(isWarner ? ["blocks", "data_set"] : ["cuts"]), "bits"]);
  const n = respondents.integer(1, MAX_SHUFFLED);
  const [target, own] = parts.brackets.itemsOf(kind === "binary" ? 1 : 2).reverse();
  const gamma = gammaBracket(target, readLevel(epsilon));
  const bits = BigInt(parts.bits.integer(1, MAX_LATTICE_BITS));
  const [least, bounds] = (isWarner ? byBlocks : byBlankets)(n, device, own, gamma, parts, bits);
  lower.require(lower.number().atMost(larger(least, ZERO)), "`lower` is above the bound of the proof");
  const most = upper.number();
  for (const bound of bounds) upper.require(bound.atMost(most), "`upper` is below the bound of the proof");
}

/** Return the lower bound that a data set proves, and an upper bound for each block of data sets. */
function byBlocks(n, device, bracket, gamma, { blocks, data_set: dataSet, bits: place }, bits) {
  const { below, above } = gammaBracket(bracket, readLevel(device.fields(["kind", "local"]).local));
  const sizes = blocks.items(MAX_BLOCKS).map((size) => size.integer(1, n));
  blocks.require(sizes.reduce((sum, size) => sum + size, 0) === n, "the blocks have not all data sets");
  const { zeros, cut } = dataSet.fields(["zeros", "cut"]);
  const [j, s] = [zeros.integer(0, n - 1), cut.integer(0, n)];
  const law = others(n - 1 - j, j, below, bits, place);
  const { terms, unit } = excesses(law, below, gamma.above);
  const event = terms.slice(Math.max(s - law.start, 0)).reduce((sum, term) => sum + term, 0n);
  const lack = gamma.above.times(Fraction.of(missing(law), 1n << bits));
  const bounds = function* () {
    let first = 0;
    for (const size of sizes) {
      const part = others(n - size - first, first, above, bits, place);
      const { terms: found, unit: scale } = excesses(part, above, gamma.below);
      const total = found.reduce((sum, term) => (term > 0n ? sum + term : sum), missing(part) * scale);
      yield Fraction.of(total, scale << bits);
      first += size;
    }
  };
  return [Fraction.of(event, unit << bits).minus(lack), bounds()];
}

/** Return the law of the number of reports 1 of so many respondents who hold 1, and who hold 0. */
function others(ones, zeros, { n: g, d: h }, bits, place) {
  const laws = [[ones, g, h], [zeros, h, g]].filter(([count]) => count > 0);
  return lawOfSum(laws.map(([count, a, b]) => binomialLaw(count, a, b, bits, place)), bits);
}

/** Return P - gamma Q at each number of reports 1 from the start of the law on, over `unit` 2^bits. */
function excesses(law, parity, gamma) {
  const stays = parity.d * gamma.d - gamma.n * parity.n;
  const moves = parity.n * gamma.d - gamma.n * parity.d;
  charge((2 + law.weights.length) * pieces(stays));
  const terms = [...law.weights, 0n].map((weight, i) => weight * stays + (i > 0 ? law.weights[i - 1] * moves : 0n));
  return { terms, unit: (parity.n + parity.d) * gamma.d };
}

/** Return no lower bound, and the bounds of the blankets. */
function byBlankets(n, device, bracket, { below: gamma }, { cuts: listed, bits: place }, bits) {
  const blankets = blanketsOf(device, bracket);
  const cuts = listed.items(MAX_BLOCKS).map((cut) => cut.integer(0, n - 1));
  listed.require(cuts.every((cut, i) => i === 0 || cuts[i - 1] < cut), "the cuts do not increase");
  return [ZERO, blankets.map((blanket) => bound(n, blanket, gamma, cuts, bits, place))];
}

/** Return the blankets of a device: the chance beta, the laws a and b at two inputs, and the law w of the blanket. */
function blanketsOf(device, bracket) {
  const kind = device.at("kind").oneOf(["any", "kary", "binary"]);
  if (kind === "binary") {
    const { zero, one } = device.fields(["kind", "zero", "one"]);
    const [z, o] = [zero, one].map((place) => {
      const chance = place.number(MAX_PARAMETER_DIGITS);
      place.require(ZERO.less(chance) && chance.less(ONE), "a chance of the report 1 is not between 0 and 1");
      return chance;
    });
    // type 0 is the report that the first input makes likelier
    return [[z, o], [ONE.minus(z), ONE.minus(o)]].map(([x, y]) => {
      const [least, most] = [smaller(x, y), larger(x, y)];
      const beta = ONE.minus(most).plus(least);
      const w = [least.over(beta), ONE.minus(most).over(beta), ZERO];
      return { beta, a: [most, ONE.minus(most), ZERO], b: [least, ONE.minus(least), ZERO], w };
    });
  }
  const anyLevel = () => ({ ...gammaBracket(bracket, readLevel(device.fields(["kind", "local"]).local)), k: TWO });
  const { above: g, k } = kind === "kary" ? readKary(device, bracket) : anyLevel();
  device.require(k.isWhole(), "the number of categories is not whole");
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
  let start = null;
  return cuts.map((m) => {
    const pairs = binomialLaw(m, both.n, both.d - both.n, bits, place);
    let total = (missing(pairs) * scale) << bits;
    charge(pairs.weights.length * pieces(scale) * 4);
    const inside = [];
    pairs.weights.forEach((weight, i) => {
      const c = pairs.start + i;
      const u = BigInt(c + 1) * u0 - BigInt(m - c) * e0;
      const v = BigInt(c + 1) * v0 - BigInt(m - c) * e1;
      if (u <= 0n) return;
      const j = Number((BigInt(c + 1) * -v * pair.yes) / (u * (pair.all - pair.yes) - v * pair.yes));
      inside.push({ c, j, u, v, weight });
    });
    const middle = Math.max(0, inside.length - 1 - (pairs.weights.length >> 1));
    const reached = (walk, { c, j }) => (walk === null ? tailAt(c, j, pair, bits, place) : moved(walk, c, j, pair));
    if (inside.length > 0) start = reached(start, inside[middle]);
    for (const steps of [inside.slice(middle), inside.slice(0, middle).reverse()]) {
      let walk = start; // from the likeliest c outwards
      for (const step of steps) {
        walk = reached(walk, step);
        const slack = step.u * walk.high + (step.u + step.v) * walk.beyond;
        if (slack > 0n) total += step.weight * ((slack + BigInt(step.c)) / BigInt(step.c + 1));
      }
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
