// Mechanisms for many categories: families of blocks, and bit vectors (block_families.md).

import { charge } from "./budget.js";
import { ONE, TWO, whole, ZERO } from "./fractions.js";

export const MAX_CATEGORIES = 10 ** 7;
const MAX_PRIME = 10 ** 12;
const MAX_MODULUS = 2 ** 21;

/** Return the reports of a mechanism that may report the truth with a positive probability up to delta. */
export function readRevealed(place, k, delta) {
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

/** Return the size of a base block and the common number of pairs at the distances 1 to k-1. */
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
