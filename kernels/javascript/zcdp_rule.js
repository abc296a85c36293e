// Rule 29: zCDP of k-ary randomized response (zcdp_rule.md).

import { Fraction, HALF, ONE, TWO, whole } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { gammaBracket, readLevel } from "./levels.js";
import { MAX_COVER_DIGITS, MAX_PARAMETER_DIGITS, MAX_ZCDP_CATEGORIES } from "./limits.js";

/** Check rule 29. */
export function checkZcdp(problem, claim, witness) {
  const { categories, epsilon } = problem.fields(["kind", "categories", "epsilon"]);
  problem.at("kind").oneOf(["zcdp"]);
  const { lower, upper } = claim.fields(["kind", "lower", "upper"]);
  claim.at("kind").oneOf(["rho"]);
  const { gamma, order, digits } = witness.fields(["rule", "gamma", "order", "digits"]);
  const k = categories.number(MAX_PARAMETER_DIGITS);
  const isInRange = TWO.atMost(k) && k.atMost(whole(MAX_ZCDP_CATEGORIES));
  categories.require(isInRange, "the categories are not between 2 and their limit");
  const bracket = gammaBracket(gamma, readLevel(epsilon));
  const a = order.number(MAX_PARAMETER_DIGITS);
  order.require(ONE.atMost(a), "the order is below 1");
  setDigits(digits.integer(1, MAX_COVER_DIGITS));
  const [least, most] = [lower.number(), upper.number()];
  const isTrivial = least.sign() <= 0;
  lower.require(isTrivial || slope(k, bracket.below, a).lowIsAtLeast(least), "`lower` is above the divergence at the order");
  const bound = bracket.above.equals(ONE) ? Interval.of(whole(0)) : tangent(k, bracket.above, a, order);
  upper.require(bound.highIsAtMost(most), "`upper` is below the slope of the tangent");
}

const over = (x, y) => x.times(y.inverse());

/** Return D_a/a. */
function slope(k, g, a) {
  const level = Interval.of(g).log();
  if (a.equals(ONE)) return level.times(Interval.of(g.minus(ONE).over(g.plus(k).minus(ONE))));
  const power = Interval.of(a).times(level).exp();
  const sum = power.plus(over(Interval.of(g), power)).plus(Interval.of(k.minus(TWO)));
  const inside = over(sum, Interval.of(g.plus(k).minus(ONE)));
  return inside.log().times(Interval.of(Fraction.of(1n).over(a.times(a.minus(ONE)))));
}

/** Return what bounds D_a/a for all orders. */
function tangent(k, g, a, place) {
  const level = Interval.of(g).log();
  const others = Interval.of(k.minus(TWO));
  if (a.equals(ONE)) {
    requireConcave(level, Interval.of(g), others, place);
    return slope(k, g, a);
  }
  const u = a.minus(HALF);
  const t = Interval.of(u).times(level);
  const power = t.exp();
  const root = Interval.of(g).root();
  requireConcave(t.plus(t), power.times(power), over(others.times(power), root), place);
  const inverse = power.inverse();
  const half = Interval.of(HALF);
  const sinh = power.minus(inverse).times(half);
  const cosh = power.plus(inverse).times(half);
  const rest = over(others.times(half), root);
  const found = over(level.times(sinh), Interval.of(u.times(TWO)).times(cosh.plus(rest)));
  const isSteep = found.minus(slope(k, g, a)).lowIsAtLeast(whole(0));
  place.require(isSteep, "the tangent at the order is not proved to be as steep as the secant");
  return found;
}

/** Require r (t cosh t - sinh t) <= sinh t cosh t - t, times 4: by 2 t, e^(2 t) and 2 r e^t. */
function requireConcave(twice, square, factor, place) {
  const one = Interval.of(ONE);
  const inverse = square.inverse();
  const left = twice.times(Interval.of(HALF)).times(one.plus(inverse)).minus(one.minus(inverse));
  const right = square.minus(inverse).minus(twice.plus(twice));
  const holds = right.minus(factor.times(left)).lowIsAtLeast(whole(0));
  place.require(holds, "the function is not proved to be concave from the order on");
}
