// The statement family: the optimum of a family of linear problems as the least of formulas (family.md).
// The variables of a problem are those of its parameters, in order, and u = gamma - 1 as the last one.

import { charge, Rejected } from "./budget.js";
import { Quotient, valueOf } from "./expressions.js";
import { ONE, whole } from "./fractions.js";
import { MAX_DEGREE, MAX_ENTRIES, MAX_LIST, MAX_NAMES, MAX_SPLITS, MAX_TERMS } from "./limits.js";
import { isAfter } from "./places.js";
import { Polynomial } from "./polynomials.js";

const NAME = /^[a-z][a-z0-9_]{0,31}$/;
const GAMMA = "gamma";

/** Return whether a polynomial has no negative coefficient. */
const isNonnegative = (polynomial) => [...polynomial.terms.values()].every((x) => x.sign() > 0);

/** The variables, and the pairs that the names of expressions stand for. */
class Variables {
  constructor(place) {
    const entries = place.items(MAX_NAMES).map((entry) => entry.fields(["name", "from", "to", "whole"]));
    this.size = entries.length + 1;
    this.one = this.constant(ONE);
    this.zero = new Polynomial(this.size);
    this.u = Polynomial.variable(this.size, this.size - 1);
    this.pairs = new Map([[GAMMA, new Quotient(this.one.plus(this.u), this.one)]]);
    this.isWhole = entries.map((entry) => entry.whole.truthValue());
    entries.forEach(({ name, from, to }, at) => {
      name.require(NAME.test(name.text()) && !this.pairs.has(name.value), "a parameter has no name of its own");
      this.pairs.set(name.value, this.pairOf(from, to, at));
    });
  }

  constant(value) {
    return Polynomial.constant(this.size, value);
  }

  pairOf(from, to, at) {
    const start = from.number();
    const t = Polynomial.variable(this.size, at);
    from.require(!this.isWhole[at] || start.isWhole(), "a whole parameter does not begin at a whole number");
    if (to.isNull()) return new Quotient(this.constant(start).plus(t), this.one);
    to.require(!this.isWhole[at], "a whole parameter has an end");
    const end = to.number();
    to.require(end.minus(start).sign() > 0, "the range of a parameter is empty");
    return new Quotient(this.constant(start).plus(this.constant(end).times(t)), this.one.plus(t));
  }

  /** Return whether a polynomial is nonnegative and has a term without the variables of whole parameters. */
  isPositive(polynomial) {
    const isFree = ([exponents]) => this.isWhole.every((isWhole, i) => !isWhole || exponents[i] === 0);
    return isNonnegative(polynomial) && [...polynomial.entries()].some(isFree);
  }

  /** Return the pair n/d of an expression, d positive; `allowsGamma` as the page says. */
  expression(place, allowsGamma = false) {
    const divisors = [];
    const over = (value) => new Quotient(this.constant(value), this.one);
    const found = valueOf(place, {
      operations: ["sum", "product", "negative", "power", "quotient"],
      leaf: (text) => {
        if (!NAME.test(text.value)) return over(text.number());
        const isKnown = this.pairs.has(text.value) && (allowsGamma || text.value !== GAMMA);
        text.require(isKnown, "a name that is not allowed here");
        return this.pairs.get(text.value);
      },
      exponent: (text) => whole(text.integer(0, MAX_DEGREE)),
      divided: (a, b, divisor) => {
        divisor.require(!b.n.isZero(), "a divisor is the zero polynomial");
        divisors.push(b.n);
        return a.times(b.inverse());
      },
    });
    const hasSign = (d) => this.isPositive(d) || this.isPositive(d.negative());
    place.require([...divisors, found.d].every(hasSign), "a divisor is not positive by its coefficients");
    return isNonnegative(found.d) ? found : new Quotient(found.n.negative(), found.d.negative());
  }

  /** Return the polynomial of a list of terms. */
  polynomial(place) {
    const found = new Polynomial(this.size);
    let before = null;
    for (const term of place.items(MAX_TERMS)) {
      const [coefficient, ...exponents] = term.itemsOf(this.size + 1);
      const key = exponents.map((e) => e.integer(0, MAX_DEGREE));
      const value = coefficient.number();
      coefficient.require(!value.isZero(), "a coefficient is 0");
      term.require(before === null || isAfter(before, key), "the exponents do not descend");
      charge(this.size);
      found.terms.set(key.join(), value);
      before = key;
    }
    return found.within();
  }

  positive(place) {
    const found = this.polynomial(place);
    place.require(this.isPositive(found), "a polynomial is not positive by its coefficients");
    return found;
  }

  nonnegative(place) {
    const found = this.polynomial(place);
    place.require(isNonnegative(found), "a polynomial has a negative coefficient");
    return found;
  }
}

const areEqual = (a, b) => a.n.times(b.d).equals(b.n.times(a.d));

/** Return the classes: their sizes and their shares, which sum to 1. */
function readClasses(place, variables) {
  const classes = place.items(MAX_LIST, 1).map((entry) => {
    const { size, share } = entry.fields(["size", "share"]);
    const { n, d } = variables.expression(size);
    const divisor = [...d.entries()];
    size.require(divisor.length === 1 && divisor[0][0].every((e) => e === 0), "a size has a divisor that is no number");
    const count = n.scaled(ONE.over(divisor[0][1]));
    size.require(variables.isPositive(count), "a size is not positive by its coefficients");
    const part = variables.expression(share);
    share.require(isNonnegative(part.n), "a share has a negative coefficient");
    return { size: count, share: part };
  });
  const over = (n) => new Quotient(n, variables.one);
  const total = classes.reduce((sum, one) => sum.plus(over(one.size).times(one.share)), over(variables.zero));
  place.require(areEqual(total, over(variables.one)), "the shares of all categories do not sum to 1");
  return classes;
}

function readDecision(entry, variables, classes) {
  const { own, costs, right } = entry.fields(["own", "costs", "right"]);
  entry.require(own.isNull() === right.isNull(), "a cost at its own category without a class, or a class without it");
  const owned = own.isNull() ? null : own.integer(0, classes.length - 1);
  if (owned !== null) {
    own.require(!classes[owned].size.equals(variables.one), "a class that is owned has one category only");
  }
  const listed = costs.itemsOf(classes.length).map((cost) => variables.expression(cost));
  return { owned, costs: listed, right: right.isNull() ? null : variables.expression(right) };
}

/** The problem, with its costs over one denominator Q. */
class Stated {
  constructor(problem, proof) {
    const { parameters, classes, sense, decisions } = problem.fields(["parameters", "classes", "sense", "decisions"]);
    this.variables = new Variables(parameters);
    this.isTurned = sense.oneOf(["minimise", "maximise"]) === "maximise";
    this.classes = readClasses(classes, this.variables);
    this.decisions = decisions.items(MAX_LIST, 1).map((entry) => readDecision(entry, this.variables, this.classes));
    this.Q = this.variables.positive(proof.denominator);
    const rows = proof.costs.itemsOf(this.decisions.length);
    const rights = proof.rights.itemsOf(this.decisions.length);
    this.decisions.forEach((decision, h) => {
      const listed = rows[h].itemsOf(this.classes.length);
      decision.parts = listed.map((place, i) => this.cost(place, this.classes[i].share, decision.costs[i]));
      rights[h].require(rights[h].isNull() === (decision.owned === null), "a cost at its own category is missing or too many");
      decision.own = rights[h].isNull() ? null : this.cost(rights[h], this.classes[decision.owned].share, decision.right);
      decision.total = this.setOf(h, this.classes.map(() => true), decision.owned !== null).inside;
    });
    this.count = this.decisions.reduce((sum, { owned }) => sum + (owned === null ? 1 : 2), 0) * 2 ** this.classes.length;
  }

  /** Return the sign of the problem times a polynomial. */
  turned(polynomial) {
    return this.isTurned ? polynomial.negative() : polynomial;
  }

  cost(place, share, cost) {
    const found = this.variables.polynomial(place);
    const { n, d } = share.times(cost);
    place.require(found.times(d).equals(this.turned(n).times(this.Q)), "a cost is not Q times that of the problem");
    return found;
  }

  /** Return `Q l` of a set, and the numbers of its members in each class. */
  setOf(h, isIn, own) {
    const { owned, parts, own: right } = this.decisions[h];
    let inside = this.variables.zero;
    const members = this.classes.map(({ size }, i) => {
      let count = this.variables.zero;
      if (isIn[i]) count = i === owned ? size.minus(this.variables.one) : size;
      if (!count.isZero()) inside = inside.plus(count.times(parts[i]));
      if (i !== owned || !own) return count;
      inside = inside.plus(right);
      return count.plus(this.variables.one);
    });
    return { inside, members };
  }

  /** Return the pair a/b of a formula, which its rows attain. */
  readFormula(place, pair) {
    const { value, rows } = place.fields(["value", "rows"]);
    const [above, below] = pair.itemsOf(2);
    const fraction = new Quotient(this.variables.polynomial(above), this.variables.positive(below));
    const stated = this.variables.expression(value, true);
    const wanted = new Quotient(this.turned(stated.n), stated.d);
    pair.require(areEqual(fraction, wanted), "the pair is not the value of the formula");
    const over = (n) => new Quotient(n, this.variables.one);
    const zero = over(this.variables.zero);
    let [A, B, X] = [zero, zero, zero];
    const cover = this.classes.map(() => zero);
    const seen = new Set();
    for (const entry of rows.items(MAX_ENTRIES, 1)) {
      const { h, isIn, own, x, name } = this.readRow(entry);
      entry.require(!seen.has(name), "a row occurs twice");
      seen.add(name);
      const { inside, members } = this.setOf(h, isIn, own);
      A = A.plus(x.times(over(this.decisions[h].total)));
      B = B.plus(x.times(over(inside)));
      X = X.plus(x);
      members.forEach((m, i) => (cover[i] = cover[i].plus(x.times(over(m)))));
    }
    cover.forEach((total, i) => rows.require(areEqual(total, over(this.classes[i].size)), `class ${i} is not covered once`));
    const u = over(this.variables.u);
    const left = new Quotient(fraction.n.times(this.Q), fraction.d).times(u.plus(X));
    rows.require(areEqual(left, A.plus(u.times(B))), "the value is not that of the rows");
    return fraction;
  }

  readRow(entry) {
    const { decision, classes, own, weight } = entry.fields(["decision", "classes", "own", "weight"]);
    const h = decision.integer(0, this.decisions.length - 1);
    const digit = own.integer(0, this.decisions[h].owned === null ? 0 : 1);
    const digits = classes.text();
    classes.require(digits.length === this.classes.length && /^[01]+$/.test(digits), "no digit 0 or 1 for each class");
    entry.require(digits.includes("1") || digit === 1, "a row with an empty set");
    const x = this.variables.expression(weight);
    weight.require(!x.n.isZero() && isNonnegative(x.n), "a weight is not positive by its coefficients");
    return { h, isIn: [...digits].map((c) => c === "1"), own: digit === 1, x, name: `${h} ${digits} ${digit}` };
  }

  /** Return the hypotheses of formula i. */
  readDifferences(place, values, i) {
    const found = [];
    place.itemsOf(values.length).forEach((entry, j) => {
      entry.require(entry.isNull() === (i === j), "null stands for the formula itself alone");
      if (i === j) return;
      const [factor, sign] = entry.itemsOf(2);
      const c = this.variables.positive(factor);
      const g = this.variables.polynomial(sign);
      const difference = values[j].n.times(values[i].d).minus(values[i].n.times(values[j].d));
      entry.require(!g.isZero() && c.times(g).equals(difference), "c g is not the difference of the formulas, or 0");
      found.push(g);
    });
    return found;
  }

  checkTree(place, hypotheses, value, splits) {
    if (!place.has("split")) {
      this.checkLeaf(place, hypotheses, value);
      return;
    }
    const { split, nonnegative, nonpositive } = place.fields(["split", "nonnegative", "nonpositive"]);
    const h = this.variables.polynomial(split);
    split.require(!h.isZero(), "a split by the polynomial 0");
    place.require(splits > 0, "too many splits above each other");
    this.checkTree(nonnegative, [...hypotheses, h], value, splits - 1);
    this.checkTree(nonpositive, [...hypotheses, h.negative()], value, splits - 1);
  }

  checkLeaf(place, hypotheses, value) {
    const { denominator, dual, identities, conditions } = place.fields(["denominator", "dual", "identities", "conditions"]);
    const { variables, Q } = this;
    const D = variables.positive(denominator);
    const y = dual.itemsOf(this.classes.length).map((part) => variables.polynomial(part));
    const total = y.reduce((sum, part, i) => sum.plus(part.times(this.classes[i].size)), variables.zero);
    const V = new Polynomial(variables.size);
    for (const [exponents, x] of total.entries()) {
      const e = exponents.pop();
      dual.require(e > 0, "a term of the sum does not contain u");
      V.terms.set([...exponents, e - 1].join(), x);
    }
    dual.require(V.times(value.d).equals(value.n.times(D)), "the dual does not sum to u times the value");
    const proved = identities.items(MAX_TERMS).map((entry) => this.readIdentity(entry, hypotheses));
    const used = new Set();
    const entries = conditions.itemsOf(this.count);
    let at = 0;
    this.decisions.forEach(({ owned, total: L }, h) => {
      for (let digits = 0; digits < 2 ** this.classes.length; digits++) {
        const isIn = this.classes.map((_, i) => Math.floor(digits / 2 ** (this.classes.length - 1 - i)) % 2 === 1);
        for (const own of owned === null ? [false] : [false, true]) {
          const { inside, members } = this.setOf(h, isIn, own);
          const prices = members.reduce((sum, m, i) => (m.isZero() ? sum : sum.plus(m.times(y[i]))), V);
          const E = D.times(L.plus(variables.u.times(inside))).minus(Q.times(prices));
          const index = requireCondition(entries[at++], E, proved, variables);
          if (index !== null) used.add(index);
        }
      }
    });
    identities.require(used.size === proved.length, "an identity is not used");
  }

  /** Return the polynomial that an identity proves to be nonnegative. */
  readIdentity(entry, hypotheses) {
    const { condition, factor, multipliers } = entry.fields(["condition", "factor", "multipliers"]);
    const e = this.variables.polynomial(condition);
    const f = this.variables.nonnegative(factor);
    factor.require(f.terms.has(new Array(this.variables.size).fill(0).join()), "a factor has no constant term");
    const [first, ...others] = multipliers.itemsOf(hypotheses.length + 1).map((part) => this.variables.nonnegative(part));
    const sum = others.reduce((total, s, j) => (s.isZero() ? total : total.plus(s.times(hypotheses[j]))), first);
    entry.require(sum.equals(f.times(e)), "an identity is false");
    return e;
  }
}

/** Require a condition of a leaf, and return the index of its identity or null. */
function requireCondition(entry, E, proved, variables) {
  if (entry.isNull()) {
    entry.require(isNonnegative(E), "a condition without an identity has a negative coefficient");
    return null;
  }
  const [index, factor] = entry.itemsOf(2);
  if (proved.length === 0) throw new Rejected("an index without identities", index);
  const at = index.integer(0, proved.length - 1);
  const c = variables.nonnegative(factor);
  entry.require(c.times(proved[at]).equals(E), "the condition is not c times that of the identity");
  return at;
}

/** Check the optimum of a family. */
export function checkFamily(problem, claim, proof) {
  const parts = proof.fields(["denominator", "costs", "rights", "values", "formulas"]);
  const formulas = claim.fields(["formulas"]).formulas.items(MAX_LIST, 1);
  const stated = new Stated(problem, parts);
  const pairs = parts.values.itemsOf(formulas.length);
  const values = formulas.map((formula, i) => stated.readFormula(formula, pairs[i]));
  parts.formulas.itemsOf(formulas.length).forEach((entry, i) => {
    const { differences, tree } = entry.fields(["differences", "tree"]);
    stated.checkTree(tree, stated.readDifferences(differences, values, i), values[i], MAX_SPLITS);
  });
}
