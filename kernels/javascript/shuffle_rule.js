// Rule 28: shuffled reports over all neighbouring data sets (shuffle_rule.md).

import { charge, pieces } from "./budget.js";
import { Fraction, ONE, ZERO } from "./fractions.js";
import { gammaBracket, readLevel } from "./levels.js";
import { MAX_BLOCKS, MAX_LATTICE_BITS, MAX_SHUFFLED } from "./limits.js";
import { binomialLaw, convolved, missing } from "./tail_sums.js";

/** Check rule 28. */
export function checkShuffled(problem, claim, witness) {
  const { respondents, local, epsilon } = problem.fields(["kind", "respondents", "local", "epsilon"]);
  problem.at("kind").oneOf(["shuffled-reports"]);
  const { lower, upper } = claim.fields(["kind", "lower", "upper"]);
  claim.at("kind").oneOf(["shuffled-delta"]);
  const parts = witness.fields(["rule", "local", "gamma", "data_set", "blocks", "bits"]);
  const n = respondents.integer(1, MAX_SHUFFLED);
  const device = gammaBracket(parts.local, readLevel(local));
  const target = gammaBracket(parts.gamma, readLevel(epsilon));
  const { zeros, cut } = parts.data_set.fields(["zeros", "cut"]);
  const [j, s] = [zeros.integer(0, n - 1), cut.integer(0, n)];
  const sizes = parts.blocks.items(MAX_BLOCKS).map((size) => size.integer(1, n));
  parts.blocks.require(sizes.reduce((sum, size) => sum + size, 0) === n, "the blocks have not all data sets");
  const bits = BigInt(parts.bits.integer(1, MAX_LATTICE_BITS));
  const least = event(others(n - 1 - j, j, device.below, bits, witness), s, device.below, target.above);
  lower.require(lower.number().atMost(least), "`lower` is above the chance that the data set proves");
  const most = upper.number();
  let first = 0;
  for (const size of sizes) {
    const law = others(n - size - first, first, device.above, bits, witness);
    upper.require(divergence(law, device.above, target.below).atMost(most), "`upper` is below the delta of a block");
    first += size;
  }
}

/** Return the law of the number of reports 1 of so many respondents who hold 1, and who hold 0. */
function others(ones, zeros, parity, bits, place) {
  const held = binomialLaw(ones, parity.n, parity.d, bits, place);
  const rest = binomialLaw(zeros, parity.d, parity.n, bits, place);
  if (zeros === 0) return held;
  return ones === 0 ? rest : convolved(held, rest);
}

/** Return P - gamma Q of the event that at least `cut` reports are 1, from below, or 0. */
function event(law, cut, parity, gamma) {
  const unit = 1n << law.bits;
  const lack = missing(law);
  const bounds = (place) => {
    let held = 0n;
    law.weights.forEach((w, i) => {
      if (law.start + i >= place) held += w;
    });
    const most = held + lack;
    return [Fraction.of(held, unit), Fraction.of(most < unit ? most : unit, unit)];
  };
  const [[p, pMost], [before, beforeMost]] = [bounds(cut), bounds(cut - 1)];
  const yes = parity.over(ONE.plus(parity));
  const no = ONE.minus(yes);
  const first = no.times(p).plus(yes.times(before));
  const second = yes.times(pMost).plus(no.times(beforeMost));
  const found = first.minus(gamma.times(second));
  return found.sign() > 0 ? found : ZERO;
}

/** Return the sum of (P - gamma Q)^+ over the number of reports 1, from above. */
function divergence(law, parity, gamma) {
  const stays = parity.d * gamma.d - gamma.n * parity.n;
  const moves = parity.n * gamma.d - gamma.n * parity.d;
  charge((2 + law.weights.length) * pieces(stays));
  let [total, before] = [0n, 0n];
  for (const weight of [...law.weights, 0n]) {
    const term = weight * stays + before * moves;
    if (term > 0n) total += term;
    before = weight;
  }
  const scale = (parity.n + parity.d) * gamma.d;
  return Fraction.of(total + missing(law) * scale, scale << law.bits);
}
