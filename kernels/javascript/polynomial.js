// The statement polynomial: left = right, left >= right or left > right at all points of a domain (polynomial.md).

import { charge } from "./budget.js";
import { expandedPair, expandedPolynomial, readNames } from "./expressions.js";
import { ONE } from "./fractions.js";
import { MAX_DEGREE, MAX_ENTRIES, MAX_LIST, MAX_TERMS } from "./limits.js";
import { holds, isAfter } from "./places.js";
import { Polynomial } from "./polynomials.js";

const VACUOUS = "The statement is vacuous unless the domain has a point.";

// For each way the key of its evidence, the relations that it proves, and its check.
const WAYS = new Map([
  ["identity", ["cofactors", ["="], checkIdentity]],
  ["handelman", ["terms", [">=", ">"], (terms, stated) => requireSum(terms, stated.hypotheses, stated.excess, stated.strict)]],
  ["bernstein", ["cells", [">=", ">"], checkCells]],
]);

/** Check the statement; return a note if the domain may be empty. */
export function checkPolynomial(problem, claim, proof) {
  const way = proof.named("way");
  proof.at("way").oneOf([...WAYS.keys()]);
  const [key, relations, check] = WAYS.get(way);
  const relation = claim.fields(["relation"]).relation.oneOf(relations);
  const stated = readProblem(problem, relation);
  proof.at("way").require((way === "bernstein") === stated.variables.length > 0, "bernstein, and no other way, is for variables");
  const parts = proof.fields(["way", key, "point"]);
  check(parts[key], stated);
  return checkPoint(parts.point, stated);
}

function readProblem(problem, relation) {
  const parts = problem.fields(["parameters", "hypotheses", "variables", "domain", "left", "right"]);
  const parameters = readNames(parts.parameters);
  const variables = readNames(parts.variables);
  const names = [...parameters, ...variables];
  problem.require(new Set(names).size === names.length, "a name is declared twice");
  const isEquation = relation === "=";
  const hypotheses = parts.hypotheses.items(MAX_LIST).map((item) => {
    const hypothesis = item.fields(["polynomial", "relation"]);
    return {
      polynomial: expandedPolynomial(hypothesis.polynomial, parameters),
      relation: hypothesis.relation.oneOf(isEquation ? ["="] : [">=", ">"]),
    };
  });
  const n = variables.length;
  const domain = parts.domain.items(MAX_LIST).map((simplex) =>
    simplex.itemsOf(n + 1).map((vertex) => vertex.itemsOf(n + 1).map((x) => expandedPolynomial(x, parameters))),
  );
  parts.domain.require(n > 0 ? domain.length > 0 : domain.length === 0, "a domain is needed exactly with variables");
  const divisors = [];
  const [a, b] = [parts.left, parts.right].map((side) => expandedPair(side, names, divisors));
  problem.require(isEquation || divisors.length === 0, "a side of an inequality has a quotient");
  const excess = a.n.times(b.d).minus(b.n.times(a.d)); // the numerator of left - right
  return { parameters, variables, hypotheses, domain, divisors, excess, strict: relation === ">" };
}

/** Require that `point` is in the domain; return a note if it is null and the domain may be empty. */
function checkPoint(point, { parameters, variables, hypotheses, domain, divisors }) {
  const isGiven = !point.isNull();
  const values = isGiven ? point.numbers(parameters.length) : [];
  if (isGiven) {
    for (const { polynomial, relation } of hypotheses) {
      point.require(holds(relation, polynomial.at(values).sign()), "a hypothesis does not hold at the point");
    }
    point.require(divisors.every((divisor) => !divisor.at(values).isZero()), "a divisor is 0 at the point");
  } else if (hypotheses.length > 0 || (parameters.length > 0 && variables.length > 0)) return VACUOUS;
  const hasPoint = variables.length === 0 || domain.some((simplex) => {
    const weights = simplex.map((vertex) => vertex[0].at(values));
    return weights.every((w) => w.sign() >= 0) && weights.some((w) => w.sign() > 0);
  });
  point.require(hasPoint || !isGiven, "no simplex has weights at the point");
  return hasPoint ? undefined : VACUOUS;
}

function checkIdentity(cofactors, { parameters, hypotheses, excess }) {
  const factors = cofactors.itemsOf(hypotheses.length).map((item) => expandedPolynomial(item, parameters));
  const combined = factors.reduce((total, c, i) => total.plus(c.times(hypotheses[i].polynomial)), new Polynomial(parameters.length));
  cofactors.require(excess.equals(combined), "the two sides differ by more than the hypotheses");
}

/** Require that a polynomial is a sum of positive multiples of products of hypotheses, one of them strict if `strict`. */
function requireSum(place, hypotheses, polynomial, strict) {
  const { size } = polynomial;
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
  place.require(total.equals(polynomial), "the sum of the terms is not the polynomial");
  place.require(!strict || positive, "no term is positive where the hypotheses hold");
}

/** Require nonnegative coefficients on the leaves of the subdivisions, whose trees are listed in preorder. */
function checkCells(cells, stated) {
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
        checkLeaf(node.fields(["leaf"]).leaf, current, stated);
        continue;
      }
      const [first, second] = split(node, current);
      walk.push(second, first);
    }
    trees[i].require(at === nodes.length, "the tree has nodes after its last leaf");
  });
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

function checkLeaf(leaf, simplex, stated) {
  const { parameters, hypotheses } = stated;
  const size = parameters.length;
  const { coefficients, vectors, degree } = expandedLeaf(stated, simplex);
  const listed = size > 0 ? leaf.itemsOf(vectors.length) : leaf.null();
  const zero = new Polynomial(size);
  vectors.forEach((vector, at) => {
    const coefficient = coefficients.get(vector.join()) ?? zero;
    const strict = stated.strict && vector.some((e) => e === degree);
    if (listed) return requireSum(listed[at], hypotheses, coefficient, strict);
    const sign = coefficient.constantValue().sign();
    leaf.require(strict ? sign > 0 : sign >= 0, `the coefficient ${vector.join(" ")} is negative, or 0 at a vertex`);
  });
}

/** Expand p^h(sum c_i V_i): a Map from exponents of c to polynomials of the parameters. */
function expandedLeaf({ parameters, variables, excess }, simplex) {
  const size = parameters.length;
  const n = variables.length;
  const positions = variables.map((_, i) => size + i);
  const degree = excess.degree(positions);
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
  for (const [exponents, value] of excess.entries()) {
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
