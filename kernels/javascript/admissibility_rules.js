// Rule 18: parity, the privacy profile, and admissibility (admissibility_rules.md).

import { largest, larger, least, ONE, sum, ZERO } from "./fractions.js";
import { requireGarbling, requireNoGarbling } from "./garbling_rules.js";
import { gammaBracket, readLevel } from "./levels.js";
import { charge } from "./budget.js";
import { readMechanism, requireStochastic } from "./regions.js";

const isZeroRow = (row) => row.every((x) => x.isZero());

/** Return the parity of a mechanism, or null if it is infinite. */
function parityOf(rows) {
  let parity = ONE;
  for (const row of rows) {
    if (isZeroRow(row)) continue;
    const low = least(row);
    if (low.isZero()) return null;
    parity = larger(parity, largest(row).over(low));
  }
  return parity;
}

/** Return whether two of the rows, none of them 0, are proportional: equal after division by their sums. */
function hasProportionalRows(rows) {
  const seen = new Set();
  for (const row of rows) {
    const total = sum(row);
    const direction = row.map((x) => x.over(total).toString()).join(" ");
    charge(direction.length / 64);
    if (seen.has(direction)) return true;
    seen.add(direction);
  }
  return false;
}

/** Return the largest sum over rows of max(0, p_ij - g p_il), over ordered pairs of inputs; 0 with one input. */
function profileAt(rows, g) {
  const k = rows[0].length;
  let most = ZERO;
  for (let j = 0; j < k; j++) {
    for (let l = 0; l < k; l++) {
      if (j !== l) most = larger(most, sum(rows.map((row) => larger(ZERO, row[j].minus(g.times(row[l]))))));
    }
  }
  return most;
}

function readProblem(problem) {
  const { mechanism, level } = problem.fields(["kind", "mechanism", "level"]);
  problem.at("kind").oneOf(["mechanism"]);
  return { rows: readMechanism(mechanism), level };
}

/** Check the claims `parity` and `profile`. */
export function checkParity(problem, claim, witness) {
  const { rows, level } = readProblem(problem);
  if (claim.named("kind") === "parity") {
    const { parity } = claim.fields(["kind", "parity"]);
    level.null();
    witness.fields(["rule"]);
    const found = parityOf(rows);
    const fits = parity.value === "infinite" ? found === null : found !== null && parity.number().equals(found);
    parity.require(fits, "the parity is another one");
    return;
  }
  const { lower, upper } = claim.fields(["kind", "lower", "upper"]);
  claim.at("kind").oneOf(["parity", "profile"]);
  const { gamma } = witness.fields(["rule", "gamma"]);
  const { below, above } = gammaBracket(gamma, readLevel(level));
  lower.require(lower.number().equals(profileAt(rows, above)), "`lower` is not the profile at `above`");
  upper.require(upper.number().equals(profileAt(rows, below)), "`upper` is not the profile at `below`");
}

/** Check the claim `admissible`. */
export function checkAdmissible(problem, claim, witness) {
  const { rows, level } = readProblem(problem);
  claim.fields(["kind"]);
  claim.at("kind").oneOf(["admissible"]);
  witness.fields(["rule"]);
  const { log, times } = readLevel(level);
  level.require(log !== undefined && times.equals(ONE), "the level must be {\"log\": q}");
  const matrix = problem.at("mechanism").at("matrix");
  matrix.require(rows.length >= 2, "the mechanism has one row");
  rows.forEach((row, i) => {
    const place = matrix.at(i);
    place.require(row.every((x) => x.sign() > 0), "an entry is 0");
    const [low, high] = [least(row), largest(row)];
    place.require(row.every((x) => x.equals(low) || x.equals(high)), "the row has more than two values");
    place.require(high.equals(log.times(low)), "the parity of the row is not gamma");
  });
  matrix.require(!hasProportionalRows(rows), "two rows are proportional");
}

/** Check the claim `inadmissible`. */
export function checkDominated(problem, claim, witness) {
  const { rows, level } = readProblem(problem);
  claim.fields(["kind"]);
  claim.at("kind").oneOf(["inadmissible"]);
  const { gamma, dominating, kernel, payoff } = witness.fields(["rule", "gamma", "dominating", "kernel", "payoff"]);
  const { below } = gammaBracket(gamma, readLevel(level));
  gamma.require(ONE.less(below), "`below` is 1");
  requireMember(problem.at("mechanism"), rows, below);
  const better = dominating.matrix(null, rows[0].length);
  requireStochastic(dominating, better);
  requireMember(dominating, better, below);
  requireGarbling(kernel, better, rows);
  requireNoGarbling(payoff, rows, better);
}

/** Require a mechanism of C_gamma. */
function requireMember(place, rows, gamma) {
  place.require(rows.length >= 2, "the mechanism has one row");
  place.require(!rows.some(isZeroRow), "the mechanism has a row of zeros");
  place.require(!hasProportionalRows(rows), "two rows are proportional");
  const parity = parityOf(rows);
  place.require(parity !== null && parity.atMost(gamma), "the parity is above gamma");
}
