// Rules 30 and 31: designs for many equally frequent categories, given by formulas (blocks_rule.md, difference_sets.md).

import { charge } from "./budget.js";
import { least as smallest, ONE, TWO, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { hasNoDelta, readBrackets, readRegion } from "./regions.js";
import { requireOneLevel } from "./problems.js";

const MAX_CATEGORIES = 10 ** 7;
const MAX_PRIME = 10 ** 12;
const MAX_MODULUS = 2 ** 21;
const MOST_OUTPUTS = 10n ** 19n;
const MOST_SIZES = 8;
const KINDS = ["a-optimal", "e-optimal", "d-optimal", "mutual-information"];

/** Check rule 30. */
export function checkBlocks(problem, claim, witness) {
  const { region: place, objective, population } = problem.fields(["region", "objective", "population"]);
  const k = population.fields(["uniform"]).uniform.integer(2, MAX_CATEGORIES);
  const region = readRegion(place, MAX_CATEGORIES, MOST_OUTPUTS);
  requireOneLevel(region);
  place.require(region.k === k, "the region has another number of inputs than the population");
  const kind = objective.fields(["kind"]).kind.oneOf(KINDS);
  place.require(hasNoDelta(region) || kind !== "mutual-information", "the information needs delta 0");
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const parts = witness.fields(["rule", "gamma", "delta"]);
  const { gamma, delta } = readBrackets(region, parts.gamma, parts.delta);
  const made = readRevealed(mechanism, k, delta.below);
  mechanism.require(ONE.less(made.g) && made.g.atMost(gamma.below), "the mechanism is not private at `below`, or tells nothing");
  if (region.m !== null) {
    const most = region.parts.outputs.number();
    mechanism.require(made.b !== null && made.b.atMost(most), "the mechanism has more outputs than the region allows");
  }
  mechanism.require(made.balanced || kind === "a-optimal", "the sets have not all the same size");
  const [low, high] = [lower.number(), upper.number()];
  const n = kind === "a-optimal" ? ONE : whole(k - 1);
  const [V, L] = [revealing(k, variance(k, made), made.revealed), revealing(k, bound(k, gamma.above), delta.above)];
  if (kind === "a-optimal" || kind === "e-optimal") {
    upper.require(V.over(n).atMost(high), "`upper` is below the value of the mechanism");
    lower.require(low.atMost(L.over(n)), "`lower` is above the bound of all mechanisms");
    return;
  }
  setDigits(60);
  const [own, best] = kind === "d-optimal" ? [determinant(k, V), determinant(k, L)] : informations(k, made, gamma.above, claim);
  lower.require(own.lowIsAtLeast(low), "`lower` is above the value of the mechanism");
  upper.require(best.highIsAtMost(high), "`upper` is below the bound of all mechanisms");
}

/** Return the total variance of a mechanism that reports the truth with probability d, from that of its other reports. */
function revealing(k, total, d) {
  return ONE.over(ONE.minus(d).over(total).plus(d.times(whole(k).over(whole(k - 1)))));
}

/** Return the reports of a mechanism that may report the truth with a positive probability up to delta. */
function readRevealed(place, k, delta) {
  if (!(place.isObject() && place.has("revealed-blocks"))) return { ...readReports(place, k), revealed: ZERO };
  const form = place.fields(["revealed-blocks"])["revealed-blocks"];
  const revealed = form.fields(["blocks", "revealed"]).revealed.number();
  form.require(revealed.sign() > 0 && revealed.atMost(delta), "the probability of the truth is not positive, or above delta");
  const made = readBlocks(form.at("blocks"), k, false);
  return { ...made, b: made.b === null ? null : made.b.plus(whole(k)), revealed };
}

/** Return p, m, gamma, the number of outputs (null: not counted) and whether all sets have one size. */
export function readReports(place, k, anyGamma = false) {
  place.require(place.isObject() && place.value.size === 1, "one form of mechanism is expected");
  if (place.has("bit-vectors")) {
    const { categories, p, m } = place.at("bit-vectors").fields(["categories", "p", "m"]);
    requireAll(categories, k);
    const [hit, miss] = [p.number(), m.number()];
    place.require(miss.sign() > 0 && miss.less(hit) && hit.less(ONE), "the bits have not 0 < m < p < 1");
    const g = hit.over(ONE.minus(hit)).over(miss.over(ONE.minus(miss)));
    return { p: hit, m: miss, g, b: null, balanced: false };
  }
  return readBlocks(place.fields(["blocks"]).blocks, k, anyGamma);
}

function readBlocks(blocks, k, anyGamma) {
  const family = blocks.at("family").isText() ? blocks.named("family") : blocks.reject("the family is missing");
  blocks.require(FAMILIES.has(family), "the family of blocks is unknown");
  const { names, read } = FAMILIES.get(family);
  const parts = blocks.fields(["family", "categories", "gamma", ...names]);
  requireAll(parts.categories, k);
  const g = parts.gamma.number();
  const { b, rho, eta, balanced } = read(k, parts);
  blocks.require(!rho.equals(eta), "no block tells two categories apart");
  parts.gamma.require(anyGamma || ONE.less(g), "gamma of the mechanism is not above 1");
  const S = ONE.plus(g.minus(ONE).times(rho));
  parts.gamma.require(S.sign() > 0, "gamma of the mechanism is not positive");
  const m = g.minus(ONE).times(eta).plus(rho).over(S);
  return { p: g.times(rho).over(S), m, g, b, balanced };
}

function requireAll(place, k) {
  place.require(place.integer(2, MAX_CATEGORIES) === k, "the mechanism has another number of categories");
}

const FAMILIES = new Map([
  ["direct", { names: [], read: (k) => design(whole(k), whole(1).over(whole(k)), ZERO, true) }],
  ["subsets", { names: ["size"], read: subsets }],
  ["affine", { names: ["q", "size", "dimension"], read: affine }],
  ["affine-classes", { names: ["q", "index", "cosets", "zero"], read: classes }],
  ["projective", { names: ["q", "dimension", "complement"], read: projective }],
  ["cyclic", { names: ["modulus", "base"], read: cyclic }],
]);

const design = (b, rho, eta, balanced) => ({ b, rho, eta, balanced });

function subsets(k, { size }) {
  const d = whole(size.integer(1, k - 1));
  const eta = d.times(d.minus(ONE)).over(whole(k).times(whole(k - 1)));
  return design(null, d.over(whole(k)), eta, true);
}

function affine(k, { q: place, size, dimension }) {
  const prime = readPrime(place);
  const [q, s] = [whole(prime), whole(size.integer(1, prime - 1))];
  const t = dimension.integer(1, 64);
  const [points, Q] = [q.power(t), q.power(t - 1)];
  requireRoom(place, k, points);
  const both = Q.minus(ONE).times(s).plus(Q.times(s).times(s.minus(ONE)));
  const b = q.times(points.minus(ONE));
  return design(b, s.over(q), both.over(b), points.equals(whole(k)));
}

function classes(k, { q: place, index, cosets, zero }) {
  const prime = readPrime(place);
  const e = index.integer(1, 64);
  const j = cosets.integer(0, e);
  const z = zero.integer(0, 1);
  index.require((prime - 1) % e === 0, "e does not divide q - 1");
  const s = (j * (prime - 1)) / e + z;
  cosets.require(s > 0 && s < prime, "T is empty, or the whole field");
  requireRoom(place, k, whole(prime));
  const [q, T] = [whole(prime), whole(s)];
  return design(q.times(whole(e)), T.over(q), T.times(T.minus(ONE)).over(q.times(q.minus(ONE))), prime === k);
}

function projective(k, { q: place, dimension, complement }) {
  const q = whole(readPrime(place));
  const t = dimension.integer(2, 64);
  const outside = complement.integer(0, 1) === 1;
  const spaces = (d) => q.power(d).minus(ONE).over(q.minus(ONE));
  const n = spaces(t);
  requireRoom(place, k, n);
  const [u, w] = [spaces(t - 1).over(n), spaces(t - 2).over(n)];
  const balanced = n.equals(whole(k));
  if (!outside) return design(n, u, w, balanced);
  return design(n, ONE.minus(u), ONE.minus(TWO.times(u)).plus(w), balanced);
}

function cyclic(k, { modulus, base }) {
  const v = modulus.integer(2, MAX_MODULUS);
  requireRoom(modulus, k, whole(v));
  const { size, both } = differenceSet(base, v, k);
  return design(whole(v), whole(size).over(whole(v)), whole(both).over(whole(v)), v === k);
}

function requireRoom(place, k, points) {
  place.require(whole(k).atMost(points), "there are more categories than points");
}

/** Return a prime up to 10^12, by trial division. */
function readPrime(place) {
  const q = place.integer(2, MAX_PRIME);
  const root = Math.floor(Math.sqrt(q)) + 1;
  charge(1 + Math.floor(root / 16));
  place.require(q === 2 || q % 2 === 1, "q is not a prime");
  for (let d = 3; d <= root && d < q; d += 2) place.require(q % d !== 0, "q is not a prime");
  return q;
}

/** Return the size of a base block and the common number of pairs at the distances 1 to k-1 (rule 31). */
function differenceSet(place, v, k) {
  const inside = readBase(place, v);
  const size = inside.reduce((n, bit) => n + bit, 0);
  place.require(size > 0 && size < v, "the base block is empty, or has all residues");
  const counts = autocorrelation(inside, size);
  const both = counts(1);
  for (let h = 2; h < k; h++) place.require(counts(h) === both, "the autocorrelation of the base block is not constant");
  return { size, both };
}

/** Return for each residue whether it is in the base block: bit x of a number to base 16. */
function readBase(place, v) {
  const text = place.text();
  place.require(text.length === Math.ceil(v / 4) && /^[0-9a-f]+$/.test(text), "the base block is no text of digits to base 16");
  const inside = new Uint8Array(4 * text.length);
  for (let i = 0; i < text.length; i++) {
    const digit = parseInt(text[text.length - 1 - i], 16);
    for (let bit = 0; bit < 4; bit++) inside[4 * i + bit] = (digit >> bit) & 1;
  }
  place.require(!inside.subarray(v).includes(1), "the base block has a residue beyond the modulus");
  return inside.subarray(0, v);
}

/** Return the function h -> #{y in D: (y + h) mod v in D}, from one product of long integers. */
function autocorrelation(inside, size) {
  const v = inside.length;
  const digits = Math.ceil(size.toString(2).length / 4); // a lane of so many digits to base 16 holds the size
  charge(v * digits * Math.ceil(Math.log2(v * digits + 2)));
  const lane = (bit) => bit.toString(16).padStart(digits, "0");
  const forward = BigInt(`0x${Array.from(inside, lane).reverse().join("")}`);
  const backward = BigInt(`0x${Array.from(inside, lane).join("")}`);
  const text = (forward * backward).toString(16).padStart(digits * (2 * v - 1), "0");
  const at = (i) => parseInt(text.slice(text.length - digits * (i + 1), text.length - digits * i), 16);
  return (h) => at(v - 1 + h) + at(h - 1);
}

/** Return n times the total variance of the estimator that counts memberships. */
function variance(k, { p, m }) {
  const apart = p.minus(m);
  const first = whole(k).times(m).times(ONE.minus(m));
  const second = apart.times(ONE.minus(TWO.times(m)));
  return first.plus(second).over(apart.power(2)).minus(ONE.over(whole(k)));
}

/** Return the least total variance of all mechanisms. */
function bound(k, G) {
  const near = Number((BigInt(k) * G.d) / (G.n + G.d));
  const values = [near, near + 1].map((x) => {
    const d = whole(Math.min(Math.max(x, 1), k - 1));
    const rest = whole(k).minus(d);
    const above = whole(k - 1).times(d.times(G).plus(rest)).power(2);
    return above.over(whole(k).times(G.minus(ONE).power(2)).times(d).times(rest));
  });
  return smallest(values);
}

/** Return ln k - (k-1) ln(total/(k-1)). */
function determinant(k, total) {
  const spread = Interval.of(total.over(whole(k - 1))).log();
  return Interval.of(whole(k)).log().minus(Interval.of(whole(k - 1)).times(spread));
}

/** Return the information of sets of d of k. */
function information(k, d, g) {
  const P = d.times(g).over(d.times(g).plus(whole(k)).minus(d));
  const part = (x, n) => Interval.of(x).times(Interval.of(x.times(whole(k)).over(n)).log());
  return part(P, d).plus(part(ONE.minus(P), whole(k).minus(d)));
}

/** Return the information of the mechanism, and the largest of all. */
function informations(k, { p, g }, G, claim) {
  const own = information(k, whole(k).times(p).over(g.minus(p.times(g.minus(ONE)))), g);
  const steep = Interval.of(G.over(G.minus(ONE))).times(Interval.of(G).log());
  const D = Interval.of(whole(k).over(G.minus(ONE))).times(steep.minus(Interval.of(ONE)));
  const [low, high] = D.wholeEnds().map((x) => Number(x));
  const [first, last] = [low, high].map((x) => Math.min(Math.max(x, 1), k - 1));
  claim.require(last - first < MOST_SIZES, "the best size of the sets is not known: gamma is too near 1");
  let best = null;
  for (let d = first; d <= last; d++) {
    const told = information(k, whole(d), G);
    best = best === null ? told : best.maximum(told);
  }
  return [own, best];
}
