// A reader of JSON for hostile files: limits are tested before anything is built, keys occur once, bare numbers are
// rejected. An object becomes a Map; each object and list keeps the offsets where its values start.

import { Rejected } from "./budget.js";
import { MAX_BYTES, MAX_DEPTH, MAX_DIGITS, MAX_TOKENS } from "./limits.js";

const BLANKS = " \t\n\r";
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Return the text of a file: UTF-8 without a byte order mark, within the limits. */
export function decoded(bytes) {
  if (bytes.length > MAX_BYTES) throw new Rejected(`the file is longer than ${MAX_BYTES} bytes`);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw new Rejected("the file begins with a byte order mark");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Rejected("the file is no UTF-8 text");
  }
}

/** Return whether text holds a surrogate that has no partner: no file of bytes can hold it. */
const hasLoneSurrogate = (text) => /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);

/** Reject text that is beyond a limit, before it is read. */
function testLength(text) {
  if (text.length > MAX_BYTES) throw new Rejected(`the file is longer than ${MAX_BYTES} bytes`);
  if (text.charCodeAt(0) === 0xfeff) throw new Rejected("the file begins with a byte order mark");
  if (hasLoneSurrogate(text)) throw new Rejected("the file is no UTF-8 text");
  let tokens = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (++run > MAX_DIGITS) throw new Rejected(`a number has more than ${MAX_DIGITS} digits`);
      continue;
    }
    run = 0;
    if (code === 34 || code === 44 || code === 91 || code === 123 || code === 92) tokens++;
  }
  if (tokens > MAX_TOKENS) throw new Rejected(`the file has more than ${MAX_TOKENS} quotes, commas, brackets and backslashes`);
}

/** Return the JSON value of a text. */
export function readJson(text) {
  testLength(text);
  const reader = new Reader(text);
  const value = reader.value(1);
  reader.skipBlanks();
  if (reader.at < text.length) reader.fail("something follows the end of the JSON value");
  return value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(reason) {
    const error = new Rejected(`${reason}, at character ${this.at}`);
    error.offset = this.at;
    throw error;
  }

  skipBlanks() {
    while (this.at < this.text.length && BLANKS.includes(this.text[this.at])) this.at++;
  }

  next() {
    this.skipBlanks();
    return this.text[this.at];
  }

  value(depth) {
    const first = this.next();
    if (first === "{" || first === "[") {
      if (depth > MAX_DEPTH) this.fail(`objects and lists are nested more than ${MAX_DEPTH} deep`);
      return first === "{" ? this.object(depth) : this.list(depth);
    }
    if (first === '"') return this.string();
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    if (first !== undefined && /[-0-9NI]/.test(first)) this.fail("a bare number stands in the file; numbers are strings");
    return this.fail("the file is not valid JSON");
  }

  object(depth) {
    const found = new Map();
    found.starts = new Map();
    this.parts("}", "brace", () => {
      if (this.next() !== '"') this.fail("the file is not valid JSON: a key is expected");
      const key = this.string();
      if (found.has(key)) this.fail("an object has a key twice");
      if (this.next() !== ":") this.fail("the file is not valid JSON: a colon is expected");
      this.at++;
      this.skipBlanks();
      found.starts.set(key, this.at);
      found.set(key, this.value(depth + 1));
    });
    return found;
  }

  list(depth) {
    const found = [];
    found.starts = [];
    this.parts("]", "bracket", () => {
      this.skipBlanks();
      found.starts.push(this.at);
      found.push(this.value(depth + 1));
    });
    return found;
  }

  /** Read the parts of an object or a list, with commas between them, up to its end. */
  parts(end, name, read) {
    this.at++;
    if (this.next() !== end) read();
    while (this.next() === ",") {
      this.at++;
      read();
    }
    const last = this.next();
    this.at++;
    if (last !== end) this.fail(`the file is not valid JSON: a comma or a ${name} is expected`);
  }

  string() {
    const { text } = this;
    const parts = [];
    let from = ++this.at;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === 34) {
        parts.push(text.slice(from, this.at++));
        return parts.length === 1 ? parts[0] : parts.join("");
      }
      if (code < 32) this.fail("a text holds a control character");
      if (code !== 92) continue;
      parts.push(text.slice(from, this.at));
      parts.push(this.escape());
      from = this.at + 1;
    }
    return this.fail("a text does not end");
  }

  /** Return what an escape stands for, and move to its last character. */
  escape() {
    const letter = this.text[++this.at];
    if (letter === "u") {
      const digits = this.text.slice(this.at + 1, this.at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("a text has an unknown escape");
      this.at += 4;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (!Object.hasOwn(ESCAPES, letter ?? "")) this.fail("a text has an unknown escape");
    return ESCAPES[letter];
  }
}
