// The statement budget-split: one privacy budget for independent questions (budget_split.md).

import { HALF, largest, ONE, sum, TWO, ZERO } from "./fractions.js";
import { oneBracket } from "./levels.js";
import { MAX_PARAMETER_DIGITS, MAX_QUESTIONS } from "./limits.js";

/** Return the problem: {epsilon, kind, weights, prevalences} or {epsilon, kind, questions, squares}. */
function readProblem(problem) {
  const { epsilon, objective } = problem.fields(["epsilon", "objective"]);
  const kind = objective.named("kind");
  if (kind === "marginals") {
    const parts = objective.fields(["kind", "weights", "prevalences"]);
    const weights = parts.weights.items(MAX_QUESTIONS, 1).map((x) => x.number(MAX_PARAMETER_DIGITS));
    const prevalences = parts.prevalences.numbers(weights.length, MAX_PARAMETER_DIGITS);
    weights.forEach((w, i) => parts.weights.at(i).require(w.sign() >= 0, "a weight is negative"));
    parts.weights.require(weights.some((w) => w.sign() > 0), "all weights are 0");
    prevalences.forEach((p, i) => {
      parts.prevalences.at(i).require(p.sign() >= 0 && p.atMost(ONE), "a prevalence is not in [0, 1]");
    });
    return { epsilon, kind, count: weights.length, weights, prevalences };
  }
  objective.at("kind").oneOf(["marginals", "joint"]);
  const { questions, squares } = objective.fields(["kind", "questions", "squares"]);
  const count = questions.integer(1, MAX_QUESTIONS);
  const value = squares.number();
  squares.require(HALF.power(count).atMost(value) && value.atMost(ONE), "`squares` is not from 2^-n to 1");
  return { epsilon, kind, count, squares: value };
}

/** Check a bracket of the least value. */
export function checkBudgetSplit(problem, claim, proof) {
  const stated = readProblem(problem);
  const { lower, upper, mechanism } = claim.fields(["lower", "upper", "mechanism"]);
  const bracket = oneBracket(stated.epsilon, proof.fields(["brackets"]).brackets);
  const { product } = mechanism.fields(["product"]);
  const weights = stated.weights ?? new Array(stated.count).fill(ONE);
  const parities = product.itemsOf(stated.count).map((place, l) => readBit(place, weights[l]));
  const total = parities.reduce((a, b) => a.times(b));
  mechanism.require(total.atMost(bracket.below), "the product of the parities is above gamma at `below`");
  const { V, C, slopes } = stated.kind === "marginals" ? marginals(stated, parities) : joint(stated, parities);
  const S = largest(slopes);
  const spare = sum(slopes.map((s, l) => S.minus(s).times(parities[l].minus(ONE))));
  const D = S.times(bracket.above.over(total).minus(ONE)).plus(spare);
  lower.require(lower.number().atMost(V.minus(C.times(D))), "`lower` is above the bound");
  upper.require(V.atMost(upper.number()), "`upper` is below the value of the mechanism");
}

/** Return the parity of a bit [[p, 1-p], [1-p, p]], 1/2 <= p < 1. */
function readBit(place, weight) {
  const [[p, q], [r, s]] = place.matrix(2, 2);
  const fits = q.equals(ONE.minus(p)) && r.equals(q) && s.equals(p) && HALF.atMost(p) && p.less(ONE);
  place.require(fits, "a factor is no bit with 1/2 <= p00 = p11 < 1");
  const parity = p.over(q);
  place.require(ONE.less(parity) || weight.isZero(), "a bit has parity 1, and its question has a weight");
  return parity;
}

function marginals({ weights, prevalences }, parities) {
  const values = [];
  const slopes = parities.map((x, l) => {
    const w = weights[l];
    if (w.isZero()) return ZERO;
    const y = x.minus(ONE);
    const pi = prevalences[l];
    values.push(w.times(pi.times(ONE.minus(pi)).plus(x.over(y.power(2)))));
    return w.times(x).times(x.plus(ONE)).over(y.power(3));
  });
  return { V: sum(values), C: ONE, slopes };
}

function joint({ squares }, parities) {
  const square = (x) => x.power(2).plus(ONE);
  const C = parities.map((x) => square(x).over(x.minus(ONE).power(2))).reduce((a, b) => a.times(b));
  const slopes = parities.map((x) => TWO.times(x).times(x.plus(ONE)).over(square(x).times(x.minus(ONE))));
  return { V: C.minus(squares), C, slopes };
}

