// The statement likelihood-gap: a distribution beside the most likely one (likelihood_gap.md).

import { charge } from "./budget.js";
import { Fraction, ONE, overOneDenominator, product, sum } from "./fractions.js";
import { MAX_ENTRIES, MAX_LIST, MAX_QUOTIENT_BITS } from "./limits.js";
import { overOne, transposed } from "./matrices.js";
import { requireStochastic } from "./regions.js";

/** Check that no distribution is more likely than the point by more than the gap. */
export function checkLikelihoodGap(problem, claim, proof) {
  const { groups } = problem.fields(["groups"]);
  const { point, gap } = claim.fields(["point", "gap"]);
  const { bits: bitsPlace } = proof.fields(["bits"]);
  const bits = bitsPlace.isNull() ? null : bitsPlace.integer(0, MAX_QUOTIENT_BITS);
  const pi = point.items(MAX_ENTRIES, 1).map((x) => x.number());
  pi.forEach((x, j) => point.at(j).require(x.sign() >= 0, "a share is negative"));
  point.require(sum(pi).equals(ONE), "the point does not sum to 1");
  const read = groups.items().map((group) => readGroup(group, pi.length));
  const n = read.reduce((total, { counts }) => counts.reduce((a, b) => a + b, total), 0n);
  groups.require(n > 0n, "no response is counted");
  const gradients = read.map((group) => gradient(group, pi, bits));
  const most = ONE.plus(gap.number()).times(new Fraction(n));
  // over one denominator for all groups
  const denominators = overOneDenominator(gradients.map(({ denominator }) => new Fraction(1n, denominator)));
  for (let x = 0; x < pi.length; x++) {
    let total = 0n;
    gradients.forEach(({ numbers }, g) => {
      total += product(numbers[x], denominators.numbers[g]);
    });
    const within = product(total, most.d) <= product(most.n, denominators.denominator);
    gap.require(within, `the gradient at input ${x} is above n (1 + gap)`);
  }
}

function readGroup(group, inputs) {
  const { mechanism, counts } = group.fields(["mechanism", "counts"]);
  let factors;
  if (mechanism.has("product")) {
    factors = mechanism.fields(["product"]).product.items(MAX_LIST, 1).map(readFactor);
  } else {
    factors = [readFactor(mechanism.fields(["matrix"]).matrix)];
  }
  const size = (side) => factors.reduce((a, matrix) => a * side(matrix), 1);
  mechanism.require(size((matrix) => matrix[0].length) === inputs, "the mechanism has another number of inputs than the point");
  const outputs = size((matrix) => matrix.length);
  mechanism.require(outputs <= MAX_ENTRIES, "the mechanism has too many outputs");
  const numbers = counts.itemsOf(outputs).map((count) => {
    const value = count.number();
    count.require(value.isWhole() && value.sign() >= 0, "a count is no whole number >= 0");
    return value.n;
  });
  return { factors, counts: numbers, place: group };
}

function readFactor(place) {
  const rows = place.matrix();
  requireStochastic(place, rows);
  return rows;
}

/** Return a Kronecker product times a vector; the first factor varies fastest. Vectors are integers over a denominator. */
function applied(factors, vector) {
  let { numbers, denominator } = vector;
  // axis by axis: before[x_0, x_1, ...] with x_0 fastest; the axis of a factor is replaced by its outputs
  let stride = 1;
  for (const factor of factors) {
    const { rows, denominator: d } = overOne(factor);
    const [outputs, inputs] = [rows.length, rows[0].length];
    const blocks = numbers.length / (stride * inputs);
    if (blocks * stride * outputs > MAX_ENTRIES) return null;
    const next = new Array(blocks * stride * outputs).fill(0n);
    charge(blocks * stride * outputs * inputs);
    for (let b = 0; b < blocks; b++) {
      for (let s = 0; s < stride; s++) {
        for (let o = 0; o < outputs; o++) {
          let total = 0n;
          for (let i = 0; i < inputs; i++) {
            const x = numbers[s + stride * (i + inputs * b)];
            if (x !== 0n && rows[o][i] !== 0n) total += product(rows[o][i], x);
          }
          next[s + stride * (o + outputs * b)] = total;
        }
      }
    }
    numbers = next;
    denominator = product(denominator, d);
    stride *= outputs;
  }
  return { numbers, denominator };
}

/** Return the gradient sum_i C_ix N_i / lambda_i as integers over one denominator. */
function gradient({ factors, counts, place }, pi, bits) {
  const lambda = applied(factors, overOneDenominator(pi));
  place.require(lambda !== null, "a product has too many entries on the way");
  const quotients = counts.map((count, i) => {
    if (count === 0n) return new Fraction(0n);
    const value = lambda.numbers[i];
    place.require(value > 0n, `output ${i} was given and has probability 0 at the point`);
    const top = product(count, lambda.denominator);
    if (bits === null) return Fraction.of(top, value);
    const unit = 1n << BigInt(bits);
    return new Fraction((product(top, unit) + value - 1n) / value, unit);
  });
  const vector = bits === null
    ? overOneDenominator(quotients)
    : { numbers: quotients.map((q) => q.n), denominator: 1n << BigInt(bits) };
  const result = applied(factors.map(transposed), vector);
  place.require(result !== null, "a product has too many entries on the way");
  return result;
}
