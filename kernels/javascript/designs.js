// Values of design objectives at a mechanism.

import { dot, sum, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";

/** Return the interval of the mutual information: the sum of pi_j p_ij ln(p_ij / lambda_i) over the terms not 0. */
export function mutualInformation(rows, population) {
  let total = Interval.of(ZERO);
  for (const row of rows) {
    const weight = dot(row, population);
    row.forEach((p, j) => {
      const factor = population[j].times(p);
      if (factor.isZero() || p.equals(weight)) return;
      total = total.plus(Interval.of(factor).times(Interval.of(p.over(weight)).log()));
    });
  }
  return total;
}

/** Return sum_i (p_i.(pi - q))^2 / (p_i.q) over the rows with p_i.q > 0. */
export function chiSquareValue(rows, population, against) {
  const difference = population.map((x, j) => x.minus(against[j]));
  return sum(rows.map((row) => {
    const weight = dot(row, against);
    return weight.isZero() ? ZERO : dot(row, difference).power(2).over(weight);
  }));
}

export const squareOfNorm = (v) => dot(v, v);

