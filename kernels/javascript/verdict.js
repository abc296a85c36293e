// The verdict on a certificate: accepted, or rejected with the first condition that fails.

import { checkBinaryBracket } from "./binary_bracket.js";
import { charge, leftUnits, Rejected, startBudget } from "./budget.js";
import { checkBudgetSplit } from "./budget_split.js";
import { certificatesOf, isBundle } from "./bundles.js";
import { checkComposition } from "./composition.js";
import { checkDesignBracket } from "./design_bracket.js";
import { checkDivergenceLevel } from "./divergence_level.js";
import { checkEveryLevel } from "./every_level.js";
import { checkFamily } from "./family.js";
import { checkEveryLevelClosed } from "./every_level_closed.js";
import { checkGarbling } from "./garbling.js";
import { requireBinaryInvariants, requireBracketInvariants, requireGap, requireLevels, requireNonnegative, requireOrder, requireSlack, requireSplit } from "./invariants.js";
import { decoded, readJson } from "./json.js";
import { checkLikelihoodGap } from "./likelihood_gap.js";
import { MAX_BUNDLE_WORK, MAX_REASON, MAX_WORK } from "./limits.js";
import { checkInfeasible, checkOptimalValue } from "./linear_programs.js";
import { checkMechanismLevels } from "./mechanism_levels.js";
import { checkParityBound } from "./parity_bound.js";
import { Place } from "./places.js";
import { checkPolynomial } from "./polynomial.js";
import { sentenceOf } from "./sentences.js";
import { checkShuffled } from "./shuffled.js";

// The statements: their checks, which return a note or nothing, and the conditions of part D on their claims.
const STATEMENTS = new Map([
  ["design-bracket", { check: checkDesignBracket, requireInvariants: requireBracketInvariants }],
  ["binary-bracket", { check: checkBinaryBracket, requireInvariants: requireBinaryInvariants }],
  ["optimal-value", { check: checkOptimalValue, requireInvariants: requireOrder }],
  ["infeasible", { check: checkInfeasible, requireInvariants: () => {} }],
  ["composition", { check: checkComposition, requireInvariants: requireSlack }],
  ["garbling", { check: checkGarbling, requireInvariants: () => {} }],
  ["mechanism-levels", { check: checkMechanismLevels, requireInvariants: requireLevels }],
  ["likelihood-gap", { check: checkLikelihoodGap, requireInvariants: requireGap }],
  ["shuffled", { check: checkShuffled, requireInvariants: requireSlack }],
  ["divergence-level", { check: checkDivergenceLevel, requireInvariants: requireNonnegative }],
  ["parity-bound", { check: checkParityBound, requireInvariants: requireNonnegative }],
  ["budget-split", { check: checkBudgetSplit, requireInvariants: requireSplit }],
  ["every-level", { check: checkEveryLevel, requireInvariants: () => {} }],
  ["family", { check: checkFamily, requireInvariants: () => {} }],
  ["every-level-closed", { check: checkEveryLevelClosed, requireInvariants: () => {} }],
  ["polynomial", { check: checkPolynomial, requireInvariants: () => {} }],
]);

/**
 * Check a certificate: text, or the bytes of a file. With `full` the sentence prints long values in full.
 *
 * Return {accepted, statement} or {accepted, reason, path, line, column}; `path` is the place of the file, for example
 * `proof.alpha[3]`, or empty. Of a bundle `statements` has one line for each certificate, also after a rejection.
 */
export function checkCertificate(file, full = false) {
  let text = "";
  startBudget();
  try {
    text = typeof file === "string" ? file : decoded(file);
    const top = new Place(readJson(text));
    return isBundle(top) ? bundleVerdict(certificatesOf(top), text, full) : placeVerdict(top, text, full);
  } catch (error) {
    return rejection(error, text);
  }
}

/** Return the verdict on a bundle: one for each certificate stands in `statements` (checker/bundles.md). */
function bundleVerdict(certificates, text, full) {
  const n = certificates.length;
  let left = MAX_BUNDLE_WORK;
  const judged = certificates.map((certificate) => {
    const given = Math.max(0, Math.min(MAX_WORK, left));
    startBudget(given);
    const verdict = placeVerdict(certificate, text, full);
    left -= given - leftUnits();
    return verdict;
  });
  const titled = (verdict, i) => `statement ${i + 1} of ${n}: ${verdict.accepted ? `accepted: ${verdict.statement}` : verdictLine(verdict)}`;
  const statements = judged.map(titled);
  const i = judged.findIndex((verdict) => !verdict.accepted);
  if (i >= 0) return { ...judged[i], reason: `statement ${i + 1} of ${n}: ${judged[i].reason}`.slice(0, MAX_REASON), statements };
  return { accepted: true, rule: "bundle", statement: statements.join("\n"), statements };
}

/** Return the verdict on the certificate at a place of a file. */
function placeVerdict(top, text, full) {
  try {
    if (top.has("format")) top.at("format").require(top.at("format").value === "2", "the format is not 2");
    const { statement, problem, claim, proof } = top.fields(["format", "statement", "problem", "claim", "proof"]);
    const { check, requireInvariants } = STATEMENTS.get(statement.oneOf([...STATEMENTS.keys()]));
    requireNoBoundsOutsideClaim({ problem, proof });
    const note = check(problem, claim, proof);
    requireInvariants(problem, claim);
    return { accepted: true, rule: statement.value, statement: sentenceOf(top, full) + (note ? ` ${note}` : "") };
  } catch (error) {
    return rejection(error, text);
  }
}

/** Reject keys `lower` and `upper` outside of claims; a bracket of a criterion holds the claim of an infimum. */
function requireNoBoundsOutsideClaim({ problem, proof }) {
  const search = (place) => {
    charge(1);
    if (place.isList()) place.value.forEach((_, i) => search(place.at(i)));
    if (!place.isObject()) return;
    for (const key of place.value.keys()) {
      if (key === "lower" || key === "upper") place.at(key).reject("a bound outside of the claim");
      if (key !== "claim") search(place.at(key));
    }
  };
  search(problem);
  search(proof);
}

function rejection(error, text) {
  const known = error instanceof Rejected;
  // whatever else stops the check is no proof: too deep a recursion, an integer that is too long
  const reason = ascii(known ? error.message : "the check was stopped by an error of the machine").slice(0, MAX_REASON);
  const place = known ? error.place : null;
  const offset = place ? place.offset() : (error.offset ?? 0);
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return {
    accepted: false,
    reason,
    path: place ? ascii(place.path()) : "",
    line,
    column: offset - before.lastIndexOf("\n"),
  };
}

const ascii = (text) => text.replace(/[^ -~]/g, "?");

/** Return the verdict in one line. */
export function verdictLine(verdict) {
  if (verdict.accepted) return "accepted";
  const where = verdict.path ? ` (line ${verdict.line}, ${verdict.path})` : "";
  return `rejected: ${verdict.reason}${where}`.slice(0, MAX_REASON + 10);
}
