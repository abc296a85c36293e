// Rule 10: positivity of polynomials by products of hypotheses (Handelman) or by Bernstein coefficients
// (positivity_rules.md).

import { charge } from "./budget.js";
import { expandedPolynomial, readNames } from "./expressions.js";
import { ONE } from "./fractions.js";
import { VACUOUS } from "./identity_rule.js";
import { MAX_DEGREE, MAX_ENTRIES, MAX_LIST, MAX_TERMS } from "./limits.js";
import { Polynomial } from "./polynomials.js";

function readProblem(problem) {
  const keys = ["kind", "parameters", "hypotheses", "variables", "domain", "polynomial"];
  const parts = problem.fields(keys);
  problem.at("kind").oneOf(["inequality"]);
  const parameters = readNames(parts.parameters);
  const variables = readNames(parts.variables);
  const names = [...parameters, ...variables];
  problem.require(new Set(names).size === names.length, "a name is a parameter and a variable");
  const hypotheses = parts.hypotheses.items(MAX_LIST).map((item) => {
    const { polynomial, relation } = item.fields(["polynomial", "relation"]);
    return {
      polynomial: expandedPolynomial(polynomial, parameters),
      strict: relation.oneOf([">=", ">"]) === ">",
    };
  });
  const n = variables.length;
  const domain = parts.domain.items(MAX_LIST).map((simplex) =>
    simplex.itemsOf(n + 1).map((vertex) => vertex.itemsOf(n + 1).map((x) => expandedPolynomial(x, parameters))),
  );
  parts.domain.require(n > 0 ? domain.length > 0 : domain.length === 0, "a domain is needed exactly with variables");
  return { parameters, variables, hypotheses, domain, polynomial: expandedPolynomial(parts.polynomial, names), parts };
}

/** Require that `point` satisfies the hypotheses and that some simplex has weights there; return a note if it is missing
 * and the domain may be empty. */
function checkPoint(point, { parameters, variables, hypotheses, domain }) {
  const hasWeights = (values) =>
    domain.some((simplex) => {
      const weights = simplex.map((vertex) => vertex[0].at(values));
      return weights.every((w) => w.sign() >= 0) && weights.some((w) => w.sign() > 0);
    });
  if (point) {
    const values = point.numbers(parameters.length);
    for (const { polynomial, strict } of hypotheses) {
      const sign = polynomial.at(values).sign();
      point.require(strict ? sign > 0 : sign >= 0, "a hypothesis does not hold at the point");
    }
    point.require(variables.length === 0 || hasWeights(values), "no simplex has weights at the point");
    return undefined;
  }
  const noted = hypotheses.length > 0 || (variables.length > 0 && (parameters.length > 0 || !hasWeights([])));
  return noted ? VACUOUS : undefined;
}

/** Return the value of a Handelman list and whether it proves `positive`. */
function handelmanSum(place, hypotheses, size) {
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
    item.require(before === null || ascends(before, exponents), "the terms do not ascend");
    before = exponents;
    total = total.plus(term);
    positive ||= exponents.every((e, i) => e === 0 || hypotheses[i].strict);
  }
  return { total, positive };
}

function ascends(a, b) {
  const at = a.findIndex((x, i) => x !== b[i]);
  return at >= 0 && a[at] < b[at];
}

const readClaim = (claim) => {
  claim.fields(["kind"]);
  return claim.at("kind").oneOf(["nonnegative", "positive"]) === "positive";
};

/** Check `handelman`; return a note if the domain may be empty. */
export function checkHandelman(problem, claim, witness) {
  const stated = readProblem(problem);
  const wanted = readClaim(claim);
  const { terms, point } = witness.fields(["rule", "terms"], ["point"]);
  stated.parts.variables.require(stated.variables.length === 0, "the rule handelman takes no variables");
  const { total, positive } = handelmanSum(terms, stated.hypotheses, stated.parameters.length);
  terms.require(total.equals(stated.polynomial), "the sum of the terms is not the polynomial");
  terms.require(!wanted || positive, "no term is positive where the hypotheses hold");
  return checkPoint(point, stated);
}

/** Check `bernstein`; return a note if the domain may be empty. */
export function checkBernstein(problem, claim, witness) {
  const stated = readProblem(problem);
  const wanted = readClaim(claim);
  const { cells, point } = witness.fields(["rule", "cells"], ["point"]);
  stated.parts.variables.require(stated.variables.length > 0, "the rule bernstein needs variables");
  const trees = cells.itemsOf(stated.domain.length);
  stated.domain.forEach((simplex, i) => {
    const nodes = trees[i].items(MAX_ENTRIES);
    let at = 0;
    const walk = [simplex];
    while (walk.length > 0) {
      trees[i].require(at < nodes.length, "the tree ends before its leaves");
      const node = nodes[at++];
      const current = walk.pop();
      if (node.has("leaf")) {
        checkLeaf(node.fields(["leaf"]).leaf, current, stated, wanted);
        continue;
      }
      const [first, second] = split(node, current);
      walk.push(second, first);
    }
    trees[i].require(at === nodes.length, "the tree has nodes after its last leaf");
  });
  return checkPoint(point, stated);
}

/** Return the two children of a simplex. */
function split(node, simplex) {
  const { edge, mix } = node.fields(["edge", "mix"]);
  const [i, j] = edge.itemsOf(2).map((place) => place.integer(0, simplex.length - 1));
  edge.require(i < j, "the ends of an edge do not ascend");
  const [a, b] = mix.numbers(2);
  mix.require(a.sign() > 0 && b.sign() > 0, "a weight of the new vertex is not positive");
  const vertex = simplex[i].map((x, at) => x.scaled(a).plus(simplex[j][at].scaled(b)));
  const put = (place) => simplex.map((old, at) => (at === place ? vertex : old));
  return [put(j), put(i)];
}

function checkLeaf(leaf, simplex, stated, wanted) {
  const { parameters, variables, hypotheses } = stated;
  const size = parameters.length;
  const { coefficients, vectors, degree } = expandedLeaf(stated, simplex);
  const listed = size > 0 ? leaf.itemsOf(vectors.length) : null;
  if (!listed) leaf.null();
  const zero = new Polynomial(size);
  vectors.forEach((vector, at) => {
    const coefficient = coefficients.get(vector.join()) ?? zero;
    const corner = vector.some((e) => e === degree);
    if (!listed) {
      const sign = coefficient.isZero() ? 0 : coefficient.constantValue().sign();
      leaf.require(sign >= 0, `the coefficient ${vector.join(" ")} is negative`);
      leaf.require(!wanted || !corner || sign > 0, `the coefficient ${vector.join(" ")} is 0`);
      return;
    }
    const { total, positive } = handelmanSum(listed[at], hypotheses, size);
    listed[at].require(total.equals(coefficient), `the sum is not the coefficient ${vector.join(" ")}`);
    listed[at].require(!wanted || !corner || positive, `the coefficient ${vector.join(" ")} is not proved positive`);
  });
  leaf.require(variables.length + 1 === simplex.length, "the simplex has another dimension");
}

/** Expand p^h(sum c_i V_i): a Map from exponents of c to polynomials of the parameters. */
function expandedLeaf({ parameters, variables, polynomial }, simplex) {
  const size = parameters.length;
  const n = variables.length;
  const positions = variables.map((_, i) => size + i);
  const degree = polynomial.degree(positions);
  const wide = size + n + 1;
  const lift = (p, at) => {
    const terms = new Map();
    for (const [exponents, value] of p.entries()) {
      const c = new Array(n + 1).fill(0);
      if (at !== null) c[at] = 1;
      terms.set([...exponents.slice(0, size), ...c].join(), value);
    }
    return new Polynomial(wide, terms);
  };
  // coordinate i of (w, X) as a polynomial in the parameters and c
  const coordinates = Array.from({ length: n + 1 }, (_, i) =>
    simplex.reduce((total, vertex, at) => total.plus(lift(vertex[i], at)), new Polynomial(wide)),
  );
  const powers = coordinates.map(() => [Polynomial.constant(wide, ONE)]);
  const powerOf = (i, e) => {
    while (powers[i].length <= e) powers[i].push(powers[i].at(-1).times(coordinates[i]));
    return powers[i][e];
  };
  let total = new Polynomial(wide);
  for (const [exponents, value] of polynomial.entries()) {
    const own = exponents.slice(size);
    const used = own.reduce((a, b) => a + b, 0);
    const key = [...exponents.slice(0, size), ...new Array(n + 1).fill(0)].join();
    let term = new Polynomial(wide, new Map([[key, value]]));
    term = term.times(powerOf(0, degree - used));
    own.forEach((e, i) => {
      if (e > 0) term = term.times(powerOf(i + 1, e));
    });
    total = total.plus(term);
  }
  const coefficients = new Map();
  for (const [exponents, value] of total.entries()) {
    const key = exponents.slice(size).join();
    if (!coefficients.has(key)) coefficients.set(key, new Polynomial(size));
    coefficients.get(key).add(exponents.slice(0, size).join(), value);
  }
  return { coefficients, vectors: [...exponentVectors(n + 1, degree)], degree };
}

/** Yield the exponent vectors of `length` entries with this sum, in descending lexicographic order. */
function* exponentVectors(length, sum) {
  charge(length);
  if (length === 1) {
    yield [sum];
    return;
  }
  for (let first = sum; first >= 0; first--) {
    for (const rest of exponentVectors(length - 1, sum - first)) yield [first, ...rest];
  }
}
