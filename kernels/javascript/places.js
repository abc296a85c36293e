// A place of the file: a value with its way from the top. Everything is read through places, so that a rejection
// names the place, and its line, where the file fails.

import { Rejected } from "./budget.js";
import { Fraction, gcd } from "./fractions.js";
import { MAX_DIGITS, MAX_ENTRIES } from "./limits.js";

const NUMBER = /^-?(0|[1-9][0-9]*)(\/[1-9][0-9]*)?$/;

export class Place {
  constructor(value, parent = null, key = null) {
    this.value = value;
    this.parent = parent;
    this.key = key;
  }

  /** Return the way to this place, for example `proof.alpha[3]`. */
  path() {
    if (!this.parent) return "";
    const before = this.parent.path();
    if (typeof this.key === "number") return `${before}[${this.key}]`;
    const key = /^[a-z_]+$/.test(this.key) ? this.key : JSON.stringify(this.key).slice(0, 40);
    return before ? `${before}.${key}` : key;
  }

  /** Return the offset of the value in the text, as far down as it is known. */
  offset() {
    if (!this.parent) return 0;
    const starts = this.parent.value?.starts;
    const found = starts instanceof Map ? starts.get(this.key) : starts?.[this.key];
    return found ?? this.parent.offset();
  }

  reject(reason) {
    throw new Rejected(reason, this);
  }

  require(condition, reason) {
    if (!condition) this.reject(reason);
  }

  isObject() {
    return this.value instanceof Map;
  }

  isList() {
    return Array.isArray(this.value);
  }

  isText() {
    return typeof this.value === "string";
  }

  isNull() {
    return this.value === null;
  }

  has(key) {
    return this.isObject() && this.value.has(key);
  }

  at(key) {
    return new Place(this.isObject() ? this.value.get(key) : this.value[key], this, key);
  }

  /** Return the places of exactly these keys; those of `optional` may be missing. */
  fields(required, optional = []) {
    this.require(this.isObject(), "an object is expected");
    const found = Object.create(null);
    for (const key of required) {
      this.require(this.value.has(key), `the key ${key} is missing`);
      found[key] = this.at(key);
    }
    for (const key of optional) if (this.value.has(key)) found[key] = this.at(key);
    for (const key of this.value.keys()) if (!(key in found)) this.at(key).reject("an unknown key");
    return found;
  }

  /** Return the text of the key `name`, for example `kind`, of an object. */
  named(name) {
    this.require(this.isObject(), "an object is expected");
    this.require(this.value.has(name), `the key ${name} is missing`);
    return this.at(name).text();
  }

  /** Return the places of a list of `least` to `most` values. */
  items(most = MAX_ENTRIES, least = 0) {
    this.require(this.isList(), "a list is expected");
    const { length } = this.value;
    this.require(length <= most, `the list has ${length} entries, more than ${most}`);
    this.require(length >= least, `the list has ${length} entries, fewer than ${least}`);
    return Array.from({ length }, (_, i) => this.at(i));
  }

  /** Return the places of a list of exactly `length` values. */
  itemsOf(length) {
    this.require(this.isList(), "a list is expected");
    this.require(this.value.length === length, `the list has ${this.value.length} entries, not ${length}`);
    return this.items(Math.max(length, MAX_ENTRIES));
  }

  text() {
    this.require(this.isText(), "a text is expected");
    return this.value;
  }

  oneOf(words) {
    const word = this.text();
    this.require(words.includes(word), `expected is one of ${words.join(", ")}`);
    return word;
  }

  truthValue() {
    this.require(typeof this.value === "boolean", "true or false is expected");
    return this.value;
  }

  null() {
    this.require(this.isNull(), "null is expected");
    return null;
  }

  /** Return a number in canonical form, with at most `digits` digits in each of its two integers. */
  number(digits = MAX_DIGITS) {
    const text = this.text();
    const bar = text.indexOf("/");
    const length = bar < 0 ? text.length : Math.max(bar, text.length - bar);
    this.require(length <= digits + 1, `a number has more than ${digits} digits`);
    this.require(NUMBER.test(text) && text !== "-0", "a number is no integer and no fraction in canonical form");
    const [first, second] = text.split("/");
    const runs = [first.replace("-", ""), second ?? ""];
    this.require(runs.every((run) => run.length <= digits), `a number has more than ${digits} digits`);
    if (second === undefined) return new Fraction(BigInt(first));
    const [n, d] = [BigInt(first), BigInt(second)];
    this.require(d > 1n && gcd(n, d) === 1n, "a fraction is not in lowest terms");
    return new Fraction(n, d);
  }

  /** Return an integer from `low` to `high` as a number of JavaScript. */
  integer(low, high) {
    const value = this.number();
    this.require(value.isWhole(), "an integer is expected");
    this.require(value.n >= BigInt(low), `the integer is less than ${low}`);
    this.require(value.n <= BigInt(high), `the integer is more than ${high}`);
    return Number(value.n);
  }

  /** Return the numbers of a list, of `length` entries if it is given. */
  numbers(length = null, digits = MAX_DIGITS) {
    const places = length === null ? this.items() : this.itemsOf(length);
    return places.map((place) => place.number(digits));
  }

  /** Return a matrix of `rows` times `columns` numbers; a missing size is free, but at least 1. */
  matrix(rows = null, columns = null, digits = MAX_DIGITS) {
    const places = rows === null ? this.items(MAX_ENTRIES, 1) : this.itemsOf(rows);
    this.require(places.length >= 1, "a matrix has no row");
    const width = columns ?? places[0].items(MAX_ENTRIES, 1).length;
    this.require(places.length * width <= MAX_ENTRIES * 16, "a matrix has too many entries");
    return places.map((place) => place.numbers(width, digits));
  }
}

const SIGNS = { "<=": [-1, 0], ">=": [0, 1], "=": [0], ">": [1] };

/** Return whether a difference of this sign satisfies a relation. */
export const holds = (relation, sign) => SIGNS[relation].includes(sign);

/** Return whether one list of integers comes after another one. */
export function isAfter(list, before) {
  const i = list.findIndex((x, n) => x !== before[n]);
  return i >= 0 && list[i] > before[i];
}

/** Return whether two values of the file are equal as JSON values. */
export function sameValue(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => sameValue(x, b[i]));
  if (!(a instanceof Map)) return a === b;
  if (!(b instanceof Map) || a.size !== b.size) return false;
  for (const [key, value] of a) if (!b.has(key) || !sameValue(value, b.get(key))) return false;
  return true;
}
