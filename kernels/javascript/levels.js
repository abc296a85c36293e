// Levels, delta, and their brackets (brackets.md).

import { bitLength, Fraction, ONE, TWO, whole } from "./fractions.js";
import { atDigits, Interval } from "./intervals.js";
import { MAX_BRACKET_DIGITS, MAX_EXPONENT, MAX_PARAMETER_DIGITS, MAX_POWER_BITS, MAX_PRECISION_DIGITS, MAX_ZCDP_CATEGORIES } from "./limits.js";
import { sameValue } from "./places.js";

/** Return a level: {rational} or {log, times}, where times is 1 or a fraction. */
export function readLevel(place) {
  place.require(place.isObject(), "a level is expected");
  if (place.has("rational")) {
    const { rational } = place.fields(["rational"]);
    const value = rational.number(MAX_PARAMETER_DIGITS);
    rational.require(value.sign() >= 0, "a level is negative");
    return { rational: value };
  }
  const { log, times } = place.fields(["log"], ["times"]);
  const base = log.number(MAX_PARAMETER_DIGITS);
  log.require(ONE.less(base), "the logarithm of a level is of a number that is not above 1");
  if (!times) return { log: base, times: ONE };
  const factor = times.number(MAX_PARAMETER_DIGITS);
  times.require(factor.sign() > 0 && !factor.isWhole(), "`times` must be a positive fraction that is no integer");
  return { log: base, times: factor };
}

/** Return delta: {number} or {exp}. */
export function readDelta(place) {
  if (!place.isObject()) {
    const number = place.number(MAX_PARAMETER_DIGITS);
    place.require(number.sign() >= 0 && number.atMost(ONE), "delta is not in [0, 1]");
    return { number };
  }
  const { exp } = place.fields(["exp"]);
  const exponent = exp.number(MAX_PARAMETER_DIGITS);
  exp.require(exponent.sign() < 0, "delta is exp(r) for an r that is not negative");
  return { exp: exponent };
}

export const isZeroDelta = (delta) => delta.number !== undefined && delta.number.isZero();

/** Return the gamma of a level if it is a rational number, else null. */
function exactGamma(level) {
  if (level.rational) return level.rational.isZero() ? ONE : null;
  return level.times.isWhole() ? level.log : null;
}

function readEnds(place) {
  const { below, above } = place.fields(["below", "above"]);
  return { below: below.number(MAX_BRACKET_DIGITS), above: above.number(MAX_BRACKET_DIGITS) };
}

/** Return the proved bracket of gamma of a level that is at most `most`. */
export function gammaBracket(place, level, most = MAX_EXPONENT) {
  const ends = readEnds(place);
  const { below, above } = ends;
  const exact = exactGamma(level);
  if (exact) {
    place.require(below.equals(exact) && above.equals(exact), `the level is rational: both ends must be ${shown(exact)}`);
    return ends;
  }
  place.require(ONE.atMost(below), "`below` is less than 1");
  if (level.rational) {
    place.require(level.rational.atMost(new Fraction(most)), `the level is above ${most}`);
    encloses(place, ends, level.rational);
  } else {
    enclosesPower(place, ends, level, most);
  }
  return ends;
}

/** Return the bracket of gamma from a list of this bracket alone. */
export const oneBracket = (level, brackets) => gammaBracket(brackets.itemsOf(1)[0], readLevel(level));

/** Return the bracket of the parity of k-ary randomized response at a level, and k, which need not be whole. */
export function readKary(place, bracket) {
  const { local, categories } = place.fields(["kind", "local", "categories"]);
  place.at("kind").oneOf(["kary"]);
  const k = categories.number(MAX_PARAMETER_DIGITS);
  const isInRange = TWO.atMost(k) && k.atMost(whole(MAX_ZCDP_CATEGORIES));
  categories.require(isInRange, "the categories are not between 2 and their limit");
  return { ...gammaBracket(bracket, readLevel(local)), k };
}

/** Return the proved bracket of delta. */
export function deltaBracket(place, delta) {
  const ends = readEnds(place);
  const { below, above } = ends;
  if (delta.number) {
    place.require(below.equals(delta.number) && above.equals(delta.number), "delta is rational: both ends must be it");
    return ends;
  }
  place.require(delta.exp.abs().atMost(new Fraction(MAX_EXPONENT)), `the exponent of delta is below -${MAX_EXPONENT}`);
  place.require(below.sign() > 0 && above.atMost(ONE), "the ends are not in (0, 1]");
  encloses(place, ends, delta.exp);
  return ends;
}

/** Require below^b <= q^a <= above^b, and q^a below exp(most b). */
function enclosesPower(place, { below, above }, { log: q, times }, most) {
  place.require(below.atMost(above), "`above` is less than `below`"); // an even power forgets the sign
  const [a, b] = [times.n, times.d];
  const limit = BigInt(MAX_POWER_BITS);
  const bits = (x) => BigInt(Math.max(bitLength(x.n), bitLength(x.d)));
  const small = a * bits(q) <= limit && b * bits(below) <= limit && b * bits(above) <= limit;
  place.require(small, "a power that the bracket needs has too many digits");
  const power = q.power(Number(a));
  place.require(power.atMost(new Fraction(1n << (((3n * most) / 2n) * b))), "the level is too large");
  place.require(below.power(Number(b)).atMost(power), "`below` is above gamma");
  place.require(power.atMost(above.power(Number(b))), "`above` is below gamma");
}

/** Require below <= exp(r) <= above, with more digits until it is decided. */
function encloses(place, { below, above }, r) {
  const texts = [below.n, below.d, above.n, above.d].map((x) => `${x}`.length);
  let digits = 20 + Math.max(...texts);
  for (;;) {
    const value = atDigits(digits, () => Interval.of(r).exp());
    if (value.highIsAtMost(below)) place.reject("`below` is above the exponential");
    if (value.lowIsAtLeast(above)) place.reject("`above` is below the exponential");
    if (value.lowIsAtLeast(below) && value.highIsAtMost(above)) return;
    if (digits >= MAX_PRECISION_DIGITS) break;
    digits = Math.min(2 * digits, MAX_PRECISION_DIGITS);
  }
  place.reject("the bracket is too close to the exponential to be decided");
}

const shown = (x) => {
  const text = x.toString();
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
};

/** Return a function that gives the bracket of a place, and proves equal brackets of equal levels once. */
export function bracketProver() {
  const proved = [];
  return (place, levelPlace, level) => {
    const found = proved.find((one) => sameValue(one.level, levelPlace.value) && sameValue(one.bracket, place.value));
    if (found) return found.ends;
    const ends = gammaBracket(place, level);
    if (proved.length < 64) proved.push({ level: levelPlace.value, bracket: place.value, ends });
    return ends;
  };
}

