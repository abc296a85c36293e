// The statement mechanism-levels: parity, the privacy profile, and admissibility (mechanism_levels.md).

import { largest, larger, least, ONE, sum, ZERO } from "./fractions.js";
import { requireGarbling, requireNoGarbling } from "./garbling.js";
import { oneBracket, readLevel } from "./levels.js";
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

/** Check the parity of a mechanism, its profile at a level, or whether it is admissible there. */
export function checkMechanismLevels(problem, claim, proof) {
  const { mechanism, level } = problem.fields(["mechanism", "level"]);
  const rows = readMechanism(mechanism);
  if (claim.has("parity")) return checkParity(rows, level, claim, proof);
  if (!claim.has("admissible")) return checkProfile(rows, level, claim, proof);
  const { admissible } = claim.fields(["admissible"]);
  admissible.require(typeof admissible.value === "boolean", "admissible is not true or false");
  return admissible.value ? checkAdmissible(mechanism, rows, level, proof) : checkDominated(mechanism, rows, level, proof);
}

function checkParity(rows, level, claim, proof) {
  const { parity } = claim.fields(["parity"]);
  level.null();
  proof.fields([]);
  const found = parityOf(rows);
  const fits = parity.value === "infinite" ? found === null : found !== null && parity.number().equals(found);
  parity.require(fits, "the parity is another one");
}

function checkProfile(rows, level, claim, proof) {
  const { lower, upper } = claim.fields(["lower", "upper"]);
  const { below, above } = oneBracket(level, proof.fields(["brackets"]).brackets);
  lower.require(lower.number().equals(profileAt(rows, above)), "`lower` is not the profile at `above`");
  upper.require(upper.number().equals(profileAt(rows, below)), "`upper` is not the profile at `below`");
}

function checkAdmissible(mechanism, rows, level, proof) {
  proof.fields([]);
  const { log, times } = readLevel(level);
  level.require(log !== undefined && times.equals(ONE), "the level must be {\"log\": q}");
  const matrix = mechanism.at("matrix");
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

function checkDominated(mechanism, rows, level, proof) {
  const { brackets, dominating, kernel, payoff } = proof.fields(["brackets", "dominating", "kernel", "payoff"]);
  const { below } = oneBracket(level, brackets);
  brackets.require(ONE.less(below), "`below` is 1");
  requireMember(mechanism, rows, below);
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
