// The statement polynomial: left = right, left >= right or left > right wherever the hypotheses hold (polynomial.md).

import { expandedPair, expandedPolynomial, readNames } from "./expressions.js";
import { ZERO } from "./fractions.js";
import { MAX_DEGREE, MAX_LIST, MAX_TERMS } from "./limits.js";
import { holds, isAfter } from "./places.js";
import { Polynomial } from "./polynomials.js";

/** Check the statement; return a note if the domain may be empty. */
export function checkPolynomial(problem, claim, proof) {
  const relation = claim.fields(["relation"]).relation.oneOf(["=", ">=", ">"]);
  const stated = readProblem(problem, relation);
  const [name, key, check] = relation === "=" ? ["identity", "cofactors", checkIdentity] : ["handelman", "terms", checkHandelman];
  const parts = proof.fields(["way", key, "point"]);
  parts.way.oneOf([name]);
  check(parts[key], stated);
  return checkPoint(parts.point, stated);
}

function readProblem(problem, relation) {
  const parts = problem.fields(["parameters", "hypotheses", "left", "right"]);
  const parameters = readNames(parts.parameters);
  problem.require(new Set(parameters).size === parameters.length, "a name is declared twice");
  const isEquation = relation === "=";
  const hypotheses = parts.hypotheses.items(MAX_LIST).map((item) => {
    const hypothesis = item.fields(["polynomial", "relation"]);
    return {
      polynomial: expandedPolynomial(hypothesis.polynomial, parameters),
      relation: hypothesis.relation.oneOf(isEquation ? ["="] : [">=", ">"]),
    };
  });
  const divisors = [];
  const [a, b] = [parts.left, parts.right].map((side) => expandedPair(side, parameters, divisors));
  problem.require(isEquation || divisors.length === 0, "a side of an inequality has a quotient");
  const excess = a.n.times(b.d).minus(b.n.times(a.d)); // the numerator of left - right
  return { parameters, hypotheses, divisors, excess, relation, strict: relation === ">" };
}

/** Require that the hypotheses hold at `point` and no divisor is 0; return a note if it is null and nothing may satisfy them. */
function checkPoint(point, { parameters, hypotheses, divisors, excess, relation }) {
  if (point.isNull()) {
    if (hypotheses.length === 0) return undefined;
    const constant = excess.at(parameters.map(() => ZERO));
    const isContradiction = excess.equals(Polynomial.constant(excess.size, constant)) && !holds(relation, constant.sign());
    return isContradiction ? "No point satisfies the hypotheses together." : "The statement is vacuous unless the domain has a point.";
  }
  const values = point.numbers(parameters.length);
  for (const { polynomial, relation } of hypotheses) {
    point.require(holds(relation, polynomial.at(values).sign()), "a hypothesis does not hold at the point");
  }
  point.require(divisors.every((divisor) => !divisor.at(values).isZero()), "a divisor is 0 at the point");
  return undefined;
}

function checkIdentity(cofactors, { parameters, hypotheses, excess }) {
  const factors = cofactors.itemsOf(hypotheses.length).map((item) => expandedPolynomial(item, parameters));
  const combined = factors.reduce((total, c, i) => total.plus(c.times(hypotheses[i].polynomial)), new Polynomial(parameters.length));
  cofactors.require(excess.equals(combined), "the two sides differ by more than the hypotheses");
}

/** Require that left - right is a sum of positive multiples of products of hypotheses, one of them strict if `strict`. */
function checkHandelman(place, { hypotheses, excess, strict }) {
  const { size } = excess;
  let total = new Polynomial(size);
  let positive = false;
  let before = null;
  for (const item of place.items(MAX_TERMS)) {
    const { coefficient, powers } = item.fields(["coefficient", "powers"]);
    const c = coefficient.number();
    coefficient.require(c.sign() > 0, "a coefficient is not positive");
    const exponents = new Array(hypotheses.length).fill(0);
    let last = -1;
    let term = Polynomial.constant(size, c);
    for (const pair of powers.items(MAX_LIST)) {
      const [index, exponent] = pair.itemsOf(2);
      const at = index.integer(0, Math.max(0, hypotheses.length - 1));
      index.require(at < hypotheses.length && at > last, "the indices of hypotheses do not ascend");
      last = at;
      exponents[at] = exponent.integer(1, MAX_DEGREE);
      term = term.times(hypotheses[at].polynomial.power(exponents[at]));
    }
    item.require(before === null || isAfter(exponents, before), "the terms do not ascend");
    before = exponents;
    total = total.plus(term);
    positive ||= exponents.every((e, i) => e === 0 || hypotheses[i].relation === ">");
  }
  place.require(total.equals(excess), "the sum of the terms is not the polynomial");
  place.require(!strict || positive, "no term is positive where the hypotheses hold");
}
