// The verdict on a certificate: accepted, or rejected with the first condition that fails.

import { checkBinaryBracket } from "./binary_bracket.js";
import { charge, Rejected, startBudget } from "./budget.js";
import { checkBudgetSplit } from "./budget_split.js";
import { checkComposition } from "./composition.js";
import { checkDesignBracket } from "./design_bracket.js";
import { checkDivergenceLevel } from "./divergence_level.js";
import { checkGarbling } from "./garbling.js";
import { requireBinaryInvariants, requireBracketInvariants, requireGap, requireInvariants, requireLevels, requireNonnegative, requireOrder, requireSlack, requireSplit } from "./invariants.js";
import { decoded, readJson } from "./json.js";
import { checkLikelihoodGap } from "./likelihood_gap.js";
import { MAX_REASON } from "./limits.js";
import { checkInfeasible, checkOptimalValue } from "./linear_programs.js";
import { checkMechanismLevels } from "./mechanism_levels.js";
import { checkParityBound } from "./parity_bound.js";
import { Place } from "./places.js";
import { checkPolynomial } from "./polynomial.js";
import { sentenceOf } from "./sentences.js";
import { checkShuffled } from "./shuffled.js";

// What a rule returns is a note on the statement, or nothing.
export const RULES = new Map([
]);

// The statements of format 2: their checks, and the conditions of part E on their claims.
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
  ["polynomial", { check: checkPolynomial, requireInvariants: () => {} }],
]);

/**
 * Check a certificate: text, or the bytes of a file. With `full` the sentence prints long values in full.
 *
 * Return {accepted, statement} or {accepted, reason, path, line, column}; `path` is the place of the file, for example
 * `witness.dual[3]`, or empty.
 */
export function checkCertificate(file, full = false) {
  let text = "";
  startBudget();
  try {
    text = typeof file === "string" ? file : decoded(file);
    const top = new Place(readJson(text));
    if (top.has("format") && top.at("format").value === "2") return checkStatement(top, full);
    const parts = top.fields(["format", "problem", "claim", "witness"]);
    parts.format.require(parts.format.value === "rropt-certificate/1", "the format is not rropt-certificate/1");
    const rule = parts.witness.named("rule");
    const check = RULES.get(rule);
    if (!check) parts.witness.at("rule").reject("a rule that this checker does not implement");
    requireNoBoundsOutsideClaim(parts);
    const note = check(parts.problem, parts.claim, parts.witness);
    requireInvariants(parts.problem, parts.claim);
    const statement = sentenceOf(top, full) + (note ? ` ${note}` : "");
    return { accepted: true, rule, statement };
  } catch (error) {
    return rejection(error, text);
  }
}

/** Check a file of format 2. */
function checkStatement(top, full) {
  const { statement, problem, claim, proof } = top.fields(["format", "statement", "problem", "claim", "proof"]);
  const { check, requireInvariants } = STATEMENTS.get(statement.oneOf([...STATEMENTS.keys()]));
  requireNoBoundsOutsideClaim({ problem, witness: proof });
  const note = check(problem, claim, proof);
  requireInvariants(problem, claim);
  return { accepted: true, rule: statement.value, statement: sentenceOf(top, full) + (note ? ` ${note}` : "") };
}

/** Reject keys `lower` and `upper` outside of claims; a bracket of a criterion holds the claim of an infimum. */
function requireNoBoundsOutsideClaim({ problem, witness }) {
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
  search(witness);
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
