// Rules 36 and 37: a level refuted by samples (audit_rules.md).

import { charge, pieces } from "./budget.js";
import { ONE, whole, ZERO } from "./fractions.js";
import { MAX_PARAMETER_DIGITS } from "./limits.js";

const MAX_COUNT = 10 ** 15;
const MAX_TESTS = 10 ** 6;
const MAX_TAIL_BITS = 4096;
const EXACT_BITS = 2 ** 14;
const GUARD = 24n; // bits of a weight beside those of the unit
const PRECISION = 192n; // bits of a factor of the e-value

/** Check rule 36. */
export function checkBinomialTails(problem, claim, witness) {
  const parts = problem.fields(["kind", "n1", "hits1", "n2", "hits2", "delta"]);
  problem.at("kind").oneOf(["audit-counts"]);
  const [n1, hits1, n2, hits2] = ["n1", "hits1", "n2", "hits2"].map((name) => parts[name].integer(0, MAX_COUNT));
  const delta = chance(parts.delta);
  const { gamma, alpha } = readRefuted(claim);
  const read = witness.fields(["rule", "p", "q", "bits"]);
  const [p, q] = [chance(read.p), chance(read.q)];
  const bits = BigInt(read.bits.integer(1, MAX_TAIL_BITS));
  problem.require(hits1 <= n1 && hits2 <= n2, "there are more hits than samples");
  read.p.require(gamma.times(q).plus(delta).atMost(p), "p is below gamma q + delta");
  const level = alpha.over(whole(2));
  read.p.require(isRare(n1, p, hits1, bits, level), "so many hits of the first input are too likely at p");
  read.q.require(isRare(n2, ONE.minus(q), n2 - hits2, bits, level), "so few hits of the second input are too likely at q");
}

/** Check rule 37. */
export function checkEValue(problem, claim, witness) {
  const names = ["both", "first", "second", "neither"];
  const parts = problem.fields(["kind", ...names, "delta"]);
  problem.at("kind").oneOf(["audit-pairs"]);
  const counts = names.map((name) => parts[name].integer(0, MAX_COUNT));
  const delta = chance(parts.delta);
  const { gamma, alpha } = readRefuted(claim);
  const { lambda } = witness.fields(["rule", "lambda"]);
  const bet = lambda.number(MAX_PARAMETER_DIGITS);
  const most = bet.times(gamma.plus(delta));
  lambda.require(bet.sign() >= 0 && most.atMost(ONE), "lambda is not from 0 to 1/(gamma + delta)");
  const fall = bet.times(delta);
  const loss = bet.times(gamma);
  const up = ONE.plus(bet).minus(fall);
  const factors = [up.minus(loss), up, ONE.minus(loss).minus(fall), ONE.minus(fall)];
  let value = { m: 1n, e: 0n };
  factors.forEach((factor, i) => {
    if (counts[i] > 0) value = times(value, power(below(factor), counts[i]));
  });
  witness.require(reaches(value, alpha.inverse()), "the e-value is below tests/alpha");
}

function readRefuted(claim) {
  const parts = claim.fields(["kind", "gamma", "alpha", "tests"]);
  claim.at("kind").oneOf(["refuted"]);
  const gamma = parts.gamma.number(MAX_PARAMETER_DIGITS);
  const alpha = chance(parts.alpha);
  const tests = parts.tests.integer(1, MAX_TESTS);
  parts.gamma.require(ONE.atMost(gamma), "gamma is below 1");
  parts.alpha.require(ZERO.less(alpha) && alpha.less(ONE), "alpha is not between 0 and 1");
  return { gamma, alpha: alpha.over(whole(tests)) };
}

function chance(place) {
  const value = place.number(MAX_PARAMETER_DIGITS);
  place.require(value.sign() >= 0 && value.atMost(ONE), "a chance is not in [0, 1]");
  return value;
}

/** Return whether Pr(Bin(n, p) >= least) <= level: exactly for short sums, else by a bound from above. */
function isRare(n, p, least, bits, level) {
  if (least <= 0) return ONE.atMost(level);
  if (least > n || p.isZero()) return true;
  const [a, b] = [p.n, p.d - p.n];
  if (b === 0n) return ONE.atMost(level);
  const size = n * p.d.toString(2).length;
  const [trials, first] = [BigInt(n), BigInt(least)];
  if (size > EXACT_BITS) return boundedTail(trials, a, b, first, bits, level);
  charge((n + 1) * (1 + pieces(p.d) * n));
  let term = b ** trials; // of j = 0
  let total = 0n;
  for (let j = 0n; j <= trials; j += 1n) {
    if (j >= first) total += term;
    term = (term * (trials - j) * a) / ((j + 1n) * b);
  }
  return total * level.d <= level.n * p.d ** trials;
}

/** Return whether an upper bound of the tail is at most the level: weights from the mode outwards, rounded both ways. */
function boundedTail(n, a, b, least, bits, level) {
  const top = ((n + 1n) * a) / (a + b);
  const mode = top < n ? top : n;
  const unit = 1n << (bits + GUARD);
  let held = unit; // at most the sum of all weights
  let tail = mode >= least ? unit : 0n; // at least the sum of the weights from `least` on
  const side = (start, step, ratio) => {
    let [low, high] = [unit, unit];
    for (let j = start; j >= 0n && j <= n; j += step) {
      const [x, y] = ratio(j);
      if (x === 0n) return;
      if (low === 0n) {
        if (x >= y) return void (tail = unit * unit);
        if (step > 0n || j > least) tail += (high * x) / (y - x) + 1n;
        return;
      }
      charge(1);
      low = (low * x) / y;
      high = (high * x + y - 1n) / y;
      held += low;
      if (j + step >= least) tail += high;
    }
  };
  side(mode, 1n, (j) => [(n - j) * a, (j + 1n) * b]);
  side(mode, -1n, (j) => [j * b, (n - j + 1n) * a]);
  return tail * level.d <= level.n * held;
}

/** Return a number m 2^e that is at most a fraction, with m cut to PRECISION bits. */
function below(fraction) {
  const shift = PRECISION + BigInt(fraction.d.toString(2).length);
  return cut({ m: (fraction.n << shift) / fraction.d, e: -shift });
}

function cut({ m, e }) {
  const extra = BigInt(m.toString(2).length) - PRECISION;
  return extra > 0n ? { m: m >> extra, e: e + extra } : { m, e };
}

function times(x, y) {
  return cut({ m: x.m * y.m, e: x.e + y.e });
}

function power(base, count) {
  let [found, square] = [{ m: 1n, e: 0n }, base];
  for (let left = BigInt(count); left > 0n; left >>= 1n) {
    charge(2);
    if (left & 1n) found = times(found, square);
    square = times(square, square);
  }
  return found;
}

function reaches({ m, e }, number) {
  if (m === 0n) return false;
  const length = (x) => BigInt(x.toString(2).length);
  const size = length(m) + e;
  const wanted = length(number.n) - length(number.d);
  if (size < wanted - 1n) return false;
  if (size > wanted + 2n) return true;
  const [left, right] = [m * number.d, number.n];
  return e >= 0n ? left << e >= right : left >= right << -e;
}
