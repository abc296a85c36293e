// Rule 19: the worst case and the regret over an interval of prevalences (interval_rule.md).

import { binaryPoint, binaryVertices, varianceAt } from "./binary.js";
import { HALF, larger, least, ONE, smaller, ZERO } from "./fractions.js";
import { readPolytopeProblem } from "./problems.js";
import { readBrackets, readMechanism, requireInRegion } from "./regions.js";
import { requireBinaryRegion } from "./vertex_rule.js";

/** Check rule 19. */
export function checkInterval(problem, claim, witness) {
  const { region, polytope, parts: given } = readPolytopeProblem(problem, ["variance"]);
  requireBinaryRegion(region);
  given.population.require(polytope.vertices?.length === 2, "the population must have two vertices");
  const [L, H] = polytope.vertices.map((vertex) => vertex[1]);
  given.population.require(L.atMost(H), "the two prevalences do not ascend");
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  const regret = claim.at("kind").oneOf(["minimax-design", "least-regret-design"]) === "least-regret-design";
  const { gamma, delta } = witness.fields(["rule", "gamma", "delta"]);
  const brackets = readBrackets(region, gamma, delta);
  const above = binaryVertices(brackets.gamma.above, brackets.delta.above, region.family);
  const below = binaryVertices(brackets.gamma.below, brackets.delta.below, region.family);
  witness.require(below.length > 0, "the region at `below` has no vertex");
  const rows = readMechanism(mechanism, 2, 2);
  requireInRegion(mechanism, rows, region, brackets);
  const design = binaryPoint(rows[0][0], rows[1][1]);
  mechanism.require(design !== null, "the mechanism has p00 + p11 at most 1");
  const found = regret ? regretEnds(region, brackets, above, below, design, L, H) : worstEnds(above, design, L, H);
  lower.require(lower.number().equals(found.lower), "`lower` is another number");
  upper.require(upper.number().equals(found.upper), "`upper` is another number");
}

/** Return r = (1 - p00) u and s = (1 - p11) u. */
const rsOf = ({ u, x }) => ({ r: u.minus(x), s: x.minus(ONE) });

function worstEnds(above, design, L, H) {
  const worst = (point) => {
    const { r, s } = rsOf(point);
    const pi = s.plus(ONE).minus(r).times(HALF);
    return varianceAt(point, smaller(larger(pi, L), H));
  };
  return { lower: least(above.map(worst)), upper: worst(design) };
}

function regretEnds(region, brackets, above, below, design, L, H) {
  const best = (vertices, pi) => least(vertices.map((vertex) => varianceAt(vertex, pi)));
  const regretOver = (vertices, point) =>
    larger(varianceAt(point, L).minus(best(vertices, L)), varianceAt(point, H).minus(best(vertices, H)));
  const upper = regretOver(above, design);
  const candidates = [...above];
  if (region.family === "all" && L.less(H)) candidates.push(entryPoint(brackets, below, best, L, H));
  const lower = least(candidates.map((point) => regretOver(below, point)));
  return { lower: larger(lower, ZERO), upper };
}

/** Return the point where the line r - s = kappa enters the region at `above`. */
function entryPoint({ gamma, delta }, below, best, L, H) {
  const spare = (pi) => best(below, pi).minus(pi.times(ONE.minus(pi)));
  const kappa = spare(L).minus(spare(H)).over(H.minus(L));
  const [g, d] = [gamma.above, delta.above];
  const slope = g.minus(ONE).plus(d); // (gamma - 1 + delta) r + delta s >= 1 - delta, and with r, s exchanged
  const needed = ONE.minus(d);
  const total = slope.plus(d);
  // with r = s + kappa: total s >= needed - slope kappa, total s >= needed - delta kappa, s >= 0, s >= -kappa
  const bounds = [ZERO, kappa.negative()];
  if (!total.isZero()) {
    bounds.push(needed.minus(slope.times(kappa)).over(total), needed.minus(d.times(kappa)).over(total));
  }
  const s = bounds.reduce(larger);
  const r = s.plus(kappa);
  return { u: ONE.plus(r).plus(s), x: ONE.plus(s) };
}
