// Rule 32: the integers of an exported client have the law of a mechanism (client_rule.md).

import { readReports } from "./blocks_rule.js";
import { charge } from "./budget.js";
import { Fraction, ONE, sum } from "./fractions.js";

const MOST_ENTRIES = 4096;
const MOST_INTEGER = 2n ** 63n - 1n;
const MOST_FIELD = 2 ** 31 - 1;
const KEYS = new Map([
  ["direct", ["k"]],
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
  const k = blocks.at("categories").integer(2, 10 ** 7);
  const { p } = readReports(mechanism, k, true);
  const isHash = family === "affine" && blocks.at("dimension").value !== "1";
  const names = isHash ? [...KEYS.get(family), "space"] : KEYS.get(family);
  const parts = table.fields(["heads", "coin", ...names]);
  const [heads, coin] = [integerOf(parts.heads), integerOf(parts.coin)];
  parts.heads.require(heads > 0n && heads < coin, "heads is not between 0 and coin");
  parts.heads.require(Fraction.of(heads, coin).equals(p), "heads/coin is not the chance that a report holds the truth");
  for (const name of names) {
    const own = name === "space" ? spaceOf(blocks, family) : name === "root" ? leastRoot(blocks.at("q")) : blocks.at(name === "k" ? "categories" : name).text();
    parts[name].require(parts[name].value === own, `${name} is not that of the mechanism`);
    if (name === "q") blocks.at("q").integer(2, MOST_FIELD);
  }
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
