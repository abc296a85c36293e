// Binary designs in the coordinates (u, x) of vertex_rule.md, their eight rows, and the vertices of the region.

import { HALF, ONE, ZERO } from "./fractions.js";

export const LABELS = [
  "p00<=1", "p11<=1", "p00>=0", "p11>=0", "yes-ratio", "no-ratio", "no-ratio-reversed", "yes-ratio-reversed",
];

/** Return the rows [a, b, c], each a u + b x + c >= 0, in the order of the labels. */
export function binaryRows(gamma, delta) {
  const g = gamma;
  const less = (x, y) => x.minus(y);
  const minusOne = ONE.negative();
  return [
    [ONE, minusOne, ZERO],
    [ZERO, ONE, minusOne],
    [ZERO, ONE, ZERO],
    [ONE, minusOne, ONE],
    [less(g.plus(delta), ONE), less(ONE, g), minusOne],
    [delta, less(g, ONE), g.negative()],
    [delta, less(g, ONE), ONE],
    [less(g.plus(delta), ONE), less(ONE, g), g],
  ];
}

/** Return the equation of the family `warner`: x = (u + 1)/2. */
const WARNER = [HALF, ONE.negative(), HALF];

const value = ([a, b, c], u, x) => a.times(u).plus(b.times(x)).plus(c);

/** Return the point where two rows are tight, or null. */
function crossing([a, b, c], [d, e, f]) {
  const determinant = a.times(e).minus(b.times(d));
  if (determinant.isZero()) return null;
  const u = b.times(f).minus(c.times(e)).over(determinant);
  const x = c.times(d).minus(a.times(f)).over(determinant);
  return { u, x };
}

/** Return the vertices with p00 + p11 > 1, ascending in (p00, p11): {u, x, p00, p11, tight}. */
export function binaryVertices(gamma, delta, family) {
  const rows = binaryRows(gamma, delta);
  const found = [];
  for (let i = 0; i < rows.length; i++) {
    const others = family === "warner" ? [WARNER] : rows.slice(i + 1);
    for (const other of others) {
      const point = crossing(rows[i], other);
      if (!point || found.some((known) => known.u.equals(point.u) && known.x.equals(point.x))) continue;
      const slacks = rows.map((row) => value(row, point.u, point.x).sign());
      if (slacks.some((sign) => sign < 0) || point.u.sign() <= 0) continue;
      const p00 = point.x.over(point.u);
      const p11 = ONE.plus(point.u).minus(point.x).over(point.u);
      found.push({ ...point, p00, p11, tight: LABELS.filter((_, at) => slacks[at] === 0) });
    }
  }
  return found.sort((a, b) => a.p00.compare(b.p00) || a.p11.compare(b.p11));
}

/** Return n Var at (u, x) and the prevalence: (u - x + pi)(x - pi). */
export const varianceAt = ({ u, x }, prevalence) => u.minus(x).plus(prevalence).times(x.minus(prevalence));

/** Return the coordinates of a design (p00, p11) with p00 + p11 > 1, else null. */
export function binaryPoint(p00, p11) {
  const excess = p00.plus(p11).minus(ONE);
  if (excess.sign() <= 0) return null;
  const u = excess.inverse();
  return { u, x: p00.times(u) };
}

/** Return the matrix [["p00", "1-p11"], ["1-p00", "p11"]]. */
export const binaryMatrix = (p00, p11) => [[p00, ONE.minus(p11)], [ONE.minus(p00), p11]];

