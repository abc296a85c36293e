// Rule 32: the integers of an exported client have the law of a mechanism (client_rule.md).

import { readBase, readReports } from "./blocks_rule.js";
import { charge } from "./budget.js";
import { Fraction, ONE, sum, whole } from "./fractions.js";
import { MAX_RUNS } from "./limits.js";
import { readRuns } from "./trace_rule.js";

const MOST_ENTRIES = 4096;
const MOST_INTEGER = 2n ** 63n - 1n;
const MAX_CATEGORIES = 10 ** 7;
const MOST_FIELD = 2 ** 31 - 1;
const KEYS = new Map([
  ["direct", ["k"]],
  ["subsets", ["k", "size"]],
  ["cyclic", ["modulus", "size", "runs"]],
  ["affine", ["q", "size"]],
  ["affine-classes", ["q", "index", "cosets", "zero", "root"]],
  ["projective", ["q", "space", "complement"]],
]);

/** Check rule 32. */
export function checkClient(problem, claim, witness) {
  const { mechanism } = problem.fields(["kind", "mechanism"]);
  problem.at("kind").oneOf(["client"]);
  const { table } = claim.fields(["kind", "table"]);
  claim.at("kind").oneOf(["client-law"]);
  witness.fields(["rule"]);
  if (mechanism.has("matrix")) checkColumns(mechanism, table);
  else if (mechanism.has("bit-vectors")) checkBits(mechanism, table);
  else if (mechanism.has("restricted-response")) checkRestricted(mechanism, table);
  else checkBlocks(mechanism, table);
}

function checkColumns(mechanism, table) {
  const rows = mechanism.fields(["matrix"]).matrix.matrix();
  const [m, k] = [rows.length, rows[0].length];
  mechanism.require(m * k <= MOST_ENTRIES, `the mechanism has more than ${MOST_ENTRIES} entries`);
  const lists = table.fields(["columns"]).columns.itemsOf(k);
  lists.forEach((list, x) => {
    const column = rows.map((row) => row[x]);
    mechanism.require(column.every((p) => p.sign() >= 0), "a probability is negative");
    mechanism.require(sum(column).equals(ONE), "a column of the mechanism does not sum to 1");
    const numbers = list.itemsOf(m).map(integerOf);
    const total = numbers[m - 1];
    list.require(total > 0n, "the last integer of a list is 0");
    charge(2 * m);
    column.forEach((p, i) => {
      const weight = numbers[i] - (i > 0 ? numbers[i - 1] : 0n);
      list.at(i).require(weight * p.d === total * p.n, "a weight is not in proportion to the probability");
    });
  });
}

function checkBlocks(mechanism, table) {
  const { blocks } = mechanism.fields(["blocks"]);
  const family = blocks.named("family");
  blocks.require(KEYS.has(family), "clients have no such family of blocks");
  blocks.require(blocks.has("categories"), "the categories are missing");
  const k = blocks.at("categories").integer(2, MAX_CATEGORIES);
  const { p } = readReports(mechanism, k, true);
  const isHash = family === "affine" && blocks.at("dimension").value !== "1";
  const names = isHash ? [...KEYS.get(family), "space"] : KEYS.get(family);
  const parts = table.fields(["heads", "coin", ...names]);
  parts.heads.require(p.sign() > 0 && p.less(ONE), "heads is not between 0 and coin");
  requireCoin(parts.heads, parts.coin, p, "heads/coin is not the chance that a report holds the truth");
  if (family === "cyclic") {
    const inside = readBase(blocks.at("base"), blocks.at("modulus").integer(2, 1 << 21));
    const size = inside.reduce((n, bit) => n + bit, 0);
    parts.size.require(parts.size.value === `${size}`, "size is not that of the mechanism");
    requireRuns(parts.runs, Array.from(inside, (bit) => [1, bit === 1]));
  }
  for (const name of names) {
    if (name === "runs" || (family === "cyclic" && name === "size")) continue;
    const own = name === "space" ? spaceOf(blocks, family) : name === "root" ? leastRoot(blocks.at("q")) : blocks.at(name === "k" ? "categories" : name).text();
    parts[name].require(parts[name].value === own, `${name} is not that of the mechanism`);
    if (name === "q") blocks.at("q").integer(2, MOST_FIELD);
  }
}

function checkBits(mechanism, table) {
  const { "bit-vectors": form } = mechanism.fields(["bit-vectors"]);
  form.require(form.has("categories"), "the categories are missing");
  const { p, m } = readReports(mechanism, form.at("categories").integer(2, MAX_CATEGORIES));
  const parts = table.fields(["heads", "coin", "miss_heads", "miss_coin", "k"]);
  requireCoin(parts.heads, parts.coin, p, "heads/coin is not p");
  requireCoin(parts.miss_heads, parts.miss_coin, m, "miss_heads/miss_coin is not m");
  parts.k.require(parts.k.value === form.at("categories").value, "k is not that of the mechanism");
}

function checkRestricted(mechanism, table) {
  const { "restricted-response": form } = mechanism.fields(["restricted-response"]);
  const { runs: listed, gamma, delta } = form.fields(["runs", "gamma", "delta"]);
  const runs = readRuns(listed, null);
  for (const { value } of runs) listed.require(value.isZero() || value.equals(ONE), "a run is neither chosen nor left out");
  const m = runs.reduce((n, { count, value }) => n + (value.isZero() ? 0 : count), 0);
  const [g, d] = [gamma.number(), delta.number()];
  form.require(m > 0 && ONE.atMost(g) && d.sign() >= 0 && d.atMost(ONE), "no category is chosen, or the level is none");
  const parts = table.fields(["heads", "coin", "reveal_heads", "reveal_coin", "chosen", "runs"]);
  requireCoin(parts.heads, parts.coin, g.over(g.plus(whole(m - 1))), "heads/coin is not the chance of a truth in C");
  requireCoin(parts.reveal_heads, parts.reveal_coin, d, "reveal_heads/reveal_coin is not delta");
  parts.chosen.require(parts.chosen.value === `${m}`, "chosen is not that of the mechanism");
  requireRuns(parts.runs, runs.map(({ count, value }) => [count, !value.isZero()]));
}

function requireCoin(headsAt, coinAt, chance, reason) {
  const [heads, coin] = [integerOf(headsAt), integerOf(coinAt)];
  coinAt.require(coin > 0n, "coin is 0");
  headsAt.require(Fraction.of(heads, coin).equals(chance), reason);
}

/** Reject unless the list has the lengths of runs, in turn in the set and outside, without the last one. */
function requireRuns(place, runs) {
  const lengths = [0];
  let isIn = true;
  charge(runs.length);
  for (const [count, isOwn] of runs) {
    if (isOwn !== isIn) lengths.push(0);
    isIn = isOwn;
    lengths[lengths.length - 1] += count;
  }
  const found = place.items(MAX_RUNS);
  const isSame = found.length === lengths.length - 1 && found.every((each, i) => each.value === `${lengths[i]}`);
  place.require(isSame, "runs is not that of the mechanism");
}

/** Return q^t, or q^(t-1) of a projective design, as text. */
function spaceOf(blocks, family) {
  const [q, t] = [BigInt(blocks.at("q").integer(2, MOST_FIELD)), blocks.at("dimension").integer(1, 64)];
  const space = q ** BigInt(family === "projective" ? t - 1 : t);
  blocks.require(q * space <= MOST_INTEGER, "q times space is not below 2^63");
  return `${space}`;
}

function integerOf(place) {
  const value = place.number(20);
  place.require(value.isWhole() && value.n >= 0n && value.n <= MOST_INTEGER, "an integer below 2^63 is expected");
  return value.n;
}

/** Return the least primitive root modulo a prime, as text. */
function leastRoot(place) {
  const q = BigInt(place.integer(2, MOST_FIELD));
  const factors = [];
  let rest = q - 1n;
  for (let d = 2n; d * d <= rest; d += 1n) {
    charge(1);
    if (rest % d === 0n) factors.push(d);
    while (rest % d === 0n) rest /= d;
  }
  if (rest > 1n) factors.push(rest);
  for (let root = 1n; ; root += 1n) {
    charge(32 * factors.length);
    if (factors.every((f) => power(root, (q - 1n) / f, q) !== 1n)) return `${root}`;
  }
}

function power(base, exponent, q) {
  let result = 1n;
  for (let [b, e] = [base % q, exponent]; e > 0n; e >>= 1n, b = (b * b) % q) if (e & 1n) result = (result * b) % q;
  return result % q;
}
