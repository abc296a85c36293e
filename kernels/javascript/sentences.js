// The sentence of an accepted file: what its claim says about its problem (rropt/checker/sentences.py has the rules).

import { sameValue } from "./places.js";
import { TABLE } from "./sentence_table.js";
import { sha256 } from "./sha256.js";

const FIELD = /\{([\w.-]+)(?:([:*])([\w-]+)(?:\|([^}]*))?)?\}/g;
const LONGEST = 60; // characters of a number that is printed as it stands
const WIDEST = 240; // characters of a list or an expression
const FIRST = 3; // members of a longer list
const DIGITS = 15;
const OPERATIONS = ["sum", "product", "quotient", "power", "negative", "sqrt", "exp", "log", "minimum", "maximum"];
const [SUM, PRODUCT, ATOM] = [1, 2, 3]; // how tightly an operation binds
const WORDS = new Map([[null, "none"], [true, "yes"], [false, "no"]]);

const has = (table, key) => Object.prototype.hasOwnProperty.call(table, key);

/** Return the sentence of a file, of which `top` is the place; an Error where a part has no words. */
export function sentenceOf(top, full = false) {
  const parts = new Map([["problem", top.at("problem").value], ["claim", top.at("claim").value]]);
  const name = top.at("statement").value;
  if (!has(TABLE.statement, name)) throw new Error(`a statement without words: ${name}`);
  const printed = new Set();
  const made = new Printer(printed, full).text(TABLE.statement[name], parts, []);
  requireAllPrinted(parts, [], printed);
  return made;
}

function requireAllPrinted(value, path, printed) {
  if (printed.has(JSON.stringify(path))) return;
  if (value instanceof Map) {
    for (const [key, part] of value) requireAllPrinted(part, [...path, key], printed);
  } else if (Array.isArray(value) && value.length > 0) {
    value.forEach((part, i) => requireAllPrinted(part, [...path, i], printed));
  } else {
    throw new Error(`a value that the sentence does not print: ${path.join(".")}`);
  }
}

/** Prints values by the table, and records the paths that it prints. */
class Printer {
  constructor(printed, full) {
    this.printed = printed;
    this.full = full;
  }

  record(path) {
    this.printed.add(JSON.stringify(path));
  }

  /** Return a text of the table with its fields printed. */
  text(text, value, path) {
    return text.replace(FIELD, (_, names, how, entry, separator) => {
      let [at, part] = [path, value];
      for (const name of names === "." ? [] : names.split(".")) {
        if (!(part instanceof Map) || !part.has(name)) throw new Error(`a part that is not there: ${names}`);
        [at, part] = [[...at, name], part.get(name)];
      }
      if (how === ":") return this.by(entry, part, at);
      if (how === "*") return this.members(entry, separator, part, at);
      this.record(at);
      return plain(part, this.full);
    });
  }

  /** Return a value, printed by an entry of the table. */
  by(name, value, path) {
    const entry = TABLE[name];
    return this.text(typeof entry === "string" ? entry : entry[this.choice(name, entry, value, path)], value, path);
  }

  /** Return the key of a choice that fits a value. */
  choice(name, entry, value, path) {
    let found;
    if (value instanceof Map && value.has("kind")) {
      this.record([...path, "kind"]);
      found = [value.get("kind")];
    } else if (value instanceof Map) {
      found = Object.keys(entry).filter((key) => this.hasEqual(key.split(" = "), value, path));
    } else if (typeof value === "string") {
      found = [value, "number"];
    } else if (Array.isArray(value)) {
      found = value.length > 0 ? ["list"] : ["empty", "list"];
    } else {
      found = [String(value)];
    }
    const key = found.find((one) => typeof one === "string" && has(entry, one));
    if (key === undefined) throw new Error(`a kind without words: ${name}, ${plain(value, false)}`);
    const isInner = value instanceof Map || Array.isArray(value);
    if ((!isInner && key !== "number") || (Array.isArray(value) && value.length === 0)) this.record(path);
    return key;
  }

  /** Return whether an object has these keys with equal values; what prints one of several prints all of them. */
  hasEqual(names, value, path) {
    const fits = names.every((name) => value.has(name) && sameValue(value.get(name), value.get(names[0])));
    if (fits && names.length > 1) names.forEach((name) => this.record([...path, name]));
    return fits;
  }

  /** Return the members of a list; of a long one the first, their number and a hash. */
  members(name, separator, value, path) {
    if (!Array.isArray(value)) throw new Error(`no list: ${plain(value, false)}`);
    if (value.length === 0) this.record(path);
    const listed = value.map((part, i) => this.by(name, part, [...path, i]));
    const text = listed.join(separator);
    if (this.full || text.length <= WIDEST || listed.length <= FIRST) return text;
    return `${listed.slice(0, FIRST).join(separator)}${separator}... (${listed.length} in all, ${hashed(value)})`;
  }
}

/** Return a number, a list, an expression or another value without words of its own as text. */
function plain(value, full) {
  const text = written(value);
  if (full || text.length <= (typeof value === "string" ? LONGEST : WIDEST)) return text;
  if (typeof value === "string") return `about ${decimal(value)} (${hashed(value)})`;
  if (Array.isArray(value) && Array.isArray(value[0])) {
    return `of ${value.length} rows and ${value[0].length} columns (${hashed(value)})`;
  }
  return `of ${Array.isArray(value) ? `${value.length} entries` : `${text.length} characters`} (${hashed(value)})`;
}

function written(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (!(value instanceof Map)) return WORDS.get(value);
  if (value.has("kind")) throw new Error(`a kind without words: ${value.get("kind")}`);
  const keys = [...value.keys()].sort();
  if (keys.length === 1 && OPERATIONS.includes(keys[0])) return expression(value)[0];
  if (keys.length === 1 && keys[0] === "matrix") return written(value.get("matrix"));
  return keys.map((name) => `${name}: ${written(value.get(name))}`).join(", ");
}

/** Return an expression as mathematics, and how tightly its last operation binds. */
function expression(value) {
  if (typeof value === "string") return [value, value.startsWith("-") ? SUM : value.includes("/") ? PRODUCT : ATOM];
  if (!(value instanceof Map) || !OPERATIONS.includes([...value.keys()][0])) return [written(value), ATOM]; // a matrix
  const [[key, parts]] = value;
  if (key === "negative") return [`-${within(parts, PRODUCT)}`, SUM];
  if (key === "sum") {
    const signed = (text) => (text.startsWith("-") ? ` - ${text.slice(1)}` : ` + ${text}`);
    const [first, ...others] = parts.map((part) => expression(part)[0]);
    return [first + others.map(signed).join(""), SUM];
  }
  if (key === "product") return [parts.map((part) => within(part, PRODUCT)).join(" * "), PRODUCT];
  if (key === "quotient" || key === "power") {
    return [parts.map((part) => within(part, ATOM)).join(key === "quotient" ? "/" : "^"), PRODUCT];
  }
  return [`${key}(${(Array.isArray(parts) ? parts : [parts]).map((part) => expression(part)[0]).join(", ")})`, ATOM];
}

/** Return an expression as a part of another one: in brackets unless it binds at least as tightly. */
function within(value, least) {
  const [text, binds] = expression(value);
  return binds >= least ? text : `(${text})`;
}

const hashed = (value) => `SHA-256 ${sha256(canonical(value))}`;

/** Return the JSON text of a value without blanks, keys in order. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value.keys()].sort().map((key) => `${JSON.stringify(key)}:${canonical(value.get(key))}`).join(",")}}`;
}

/** Return the first digits of a number, cut off. */
function decimal(text) {
  const [above, below = "1"] = text.replace("-", "").split("/");
  const [n, d] = [BigInt(above), BigInt(below)];
  const ten = (power) => 10n ** BigInt(power);
  let power = above.length - below.length;
  if (power >= 0 ? n < d * ten(power) : n * ten(-power) < d) power -= 1;
  const shift = DIGITS - 1 - power;
  const digits = String(shift >= 0 ? (n * ten(shift)) / d : n / (d * ten(-shift)));
  return `${text.startsWith("-") ? "-" : ""}${digits[0]}.${digits.slice(1)}${power === 0 ? "" : `e${power}`}`;
}
