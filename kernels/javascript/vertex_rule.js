// Rule 2: the optimal binary designs for the variance (vertex_rule.md).

import { binaryMatrix, binaryVertices, LABELS, varianceAt } from "./binary.js";
import { HALF, least, ONE, ZERO } from "./fractions.js";
import { sameMatrix } from "./matrices.js";
import { readDesignProblem } from "./problems.js";
import { hasNoDelta, readBrackets, readMechanism } from "./regions.js";

/** Require the region of rules 2 and 19: two inputs, two outputs, one level, no bounds on entries. */
export function requireBinaryRegion(region) {
  const fits = ["differential-privacy", "criterion"].includes(region.kind) && !region.least;
  region.place.require(fits && region.k === 2 && region.m === 2, "the rule needs one level, 2 inputs and 2 outputs");
}

/** Check rule 2. */
export function checkVertex(problem, claim, witness) {
  const { region, population } = readDesignProblem(problem, ["variance"]);
  requireBinaryRegion(region);
  const prevalence = population[1];
  const parts = claim.fields(["kind", "lower", "upper", "mechanism", "optima", "optimal_set"]);
  claim.at("kind").oneOf(["optimal-design"]);
  const { gamma, delta, vertices } = witness.fields(["rule", "gamma", "delta", "vertices"]);
  const brackets = readBrackets(region, gamma, delta);
  const above = binaryVertices(brackets.gamma.above, brackets.delta.above, region.family);
  const below = binaryVertices(brackets.gamma.below, brackets.delta.below, region.family);
  requireListed(vertices, above);
  const names = (list) => list.map(({ tight }) => tight.join(" ")).sort().join("; ");
  vertices.require(names(above) === names(below), "the vertices at `below` and at `above` have different tight rows");
  const cases = above.map((vertex) => {
    const name = vertex.tight.join(" ");
    const lower = below.find(({ tight }) => tight.join(" ") === name);
    return { name, tight: vertex.tight, lower, atAbove: varianceAt(vertex, prevalence), atBelow: varianceAt(lower, prevalence) };
  });
  const bestAbove = least(cases.map((one) => one.atAbove));
  const bestBelow = least(cases.map((one) => one.atBelow));
  parts.lower.require(parts.lower.number().equals(bestAbove), "`lower` is not the least value of the vertices at `above`");
  const optimal = cases.filter((one) => one.atAbove.atMost(bestBelow));
  requireOptima(parts.optima, optimal);
  if (optimal.length > 1) requireExactTie(parts.optima, optimal, brackets, prevalence);
  const mechanism = readMechanism(parts.mechanism, 2, 2);
  const own = optimal.find(({ lower }) => sameMatrix(binaryMatrix(lower.p00, lower.p11), mechanism));
  parts.mechanism.require(own !== undefined, "the mechanism is not one of the optima");
  const upper = parts.upper.number();
  parts.upper.require(upper.equals(own.atBelow), "`upper` is not the value of the mechanism");
  requireOptimalSet(parts.optimal_set, upper, prevalence, brackets, region);
}

function requireListed(place, vertices) {
  const listed = place.itemsOf(vertices.length);
  place.require(vertices.length > 0, "the region has no vertex with p00 + p11 > 1");
  listed.forEach((item, at) => {
    const { tight, at_above } = item.fields(["tight", "at_above"]);
    const labels = tight.items(LABELS.length).map((label) => label.oneOf(LABELS));
    tight.require(labels.join(" ") === vertices[at].tight.join(" "), "the tight rows of the vertex are others");
    const [p00, p11] = at_above.numbers(2);
    at_above.require(p00.equals(vertices[at].p00) && p11.equals(vertices[at].p11), "the vertex is another point");
  });
}

function requireOptima(place, optimal) {
  const sorted = [...optimal].sort((a, b) => a.lower.p00.compare(b.lower.p00) || a.lower.p11.compare(b.lower.p11));
  place.itemsOf(sorted.length).forEach((item, at) => {
    const { p00, p11 } = sorted[at].lower;
    item.require(sameMatrix(readMechanism(item, 2, 2), binaryMatrix(p00, p11)), "an optimum is another design");
  });
}

const MIRROR = { p00: "p11", p11: "p00", yes: "no", no: "yes" };
const mirrored = (label) => label.replace(/p00|p11|yes|no/g, (word) => MIRROR[word]);

function requireExactTie(place, optimal, { gamma, delta }, prevalence) {
  if (gamma.below.equals(gamma.above) && delta.below.equals(delta.above)) return;
  if (optimal.every((one) => one.atBelow.equals(one.atAbove))) return;
  const names = optimal.map(({ tight }) => [...tight].sort().join(" "));
  const mirrors = optimal.length === 2 && names[1] === optimal[0].tight.map(mirrored).sort().join(" ");
  place.require(prevalence.equals(HALF) && mirrors, "the tie of the optima is not exact: the bracket is too wide");
}

function requireOptimalSet(place, upper, prevalence, { delta }, region) {
  const extreme = prevalence.isZero() || prevalence.equals(ONE);
  const segment = upper.isZero() && extreme && delta.below.sign() > 0 && region.family === "all" && !hasNoDelta(region);
  if (!segment) {
    place.null();
    return;
  }
  const { after, through } = place.fields(["after", "through"]);
  const turned = (pair) => (prevalence.isZero() ? pair : [pair[1], pair[0]]);
  const expected = [[after, turned([ONE, ZERO])], [through, turned([ONE, delta.below])]];
  for (const [own, pair] of expected) {
    const numbers = own.numbers(2);
    own.require(numbers[0].equals(pair[0]) && numbers[1].equals(pair[1]), "the end of the optimal set is another one");
  }
}

