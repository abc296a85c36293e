// Rule 9: an identity of rational functions, with relations (polynomials.md).

import { expandedPair, expandedPolynomial, readNames } from "./expressions.js";
import { MAX_LIST } from "./limits.js";
import { Polynomial } from "./polynomials.js";

/** The note on a statement about a domain that may be empty. */
export const VACUOUS = "The statement is vacuous unless the domain has a point.";

/** Check rule 9; return a note if the domain may be empty. */
export function checkIdentity(problem, claim, witness) {
  const { variables, relations, left, right } = problem.fields(["kind", "variables", "relations", "left", "right"]);
  problem.at("kind").oneOf(["identity"]);
  claim.fields(["kind"]);
  claim.at("kind").oneOf(["identity"]);
  const { cofactors, point } = witness.fields(["rule", "cofactors"], ["point"]);
  const names = readNames(variables);
  const divisors = [];
  const r = relations.items(MAX_LIST).map((item) => expandedPolynomial(item, names));
  const a = expandedPair(left, names, divisors);
  const b = expandedPair(right, names, divisors);
  const c = cofactors.itemsOf(r.length).map((item) => expandedPolynomial(item, names));
  const difference = a.n.times(b.d).minus(b.n.times(a.d));
  const combined = c.reduce((total, factor, i) => total.plus(factor.times(r[i])), new Polynomial(names.length));
  witness.require(difference.equals(combined), "the two sides differ by more than the relations");
  if (point) {
    const values = point.numbers(names.length);
    point.require(r.every((relation) => relation.at(values).isZero()), "a relation is not 0 at the point");
    point.require(divisors.every((divisor) => !divisor.at(values).isZero()), "a divisor is 0 at the point");
  }
  return !point && r.length > 0 ? VACUOUS : undefined;
}
