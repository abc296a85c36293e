// Numbers of the explorer page: text to exact fractions and back, square roots, logarithms and levels, with directed rounding.

import { charge, pieces } from "./budget.js";
import { bitLength, floorQuotient, Fraction, larger, ONE, whole, ZERO } from "./fractions.js";
import { expEnclosure, integerRoot, lnEnclosure } from "./logarithms.js";

const LONGEST = 40; // characters of a number that is typed
const MOST_BITS = 140; // of a number with so many characters
const TOO_LONG = 10n ** 400n; // what numerators and denominators stay below on the command line
const LARGEST = new Fraction(139n, 10n); // epsilon, beyond log(10^6)
const BITS = 160;
const ONE_UNIT = 1n << BigInt(BITS);

/** Return the number >= 0 that a text writes as the command line reads it (1/3, 0.1, .5, 0,1, 10%, 1e-6), or null. */
export function readNumber(text) {
  const plain = text.trim().replaceAll("\u2009", "").replace(/^\+/, "");
  if (plain.length > LONGEST) return null;
  const ratio = /^(\d+)\s*\/\s*(\d+)\s*(%?)$/.exec(plain);
  if (ratio) {
    const below = BigInt(ratio[2]) * (ratio[3] ? 100n : 1n);
    return below === 0n ? null : Fraction.of(BigInt(ratio[1]), below);
  }
  const decimal = /^(\d*)(?:([.,])(\d*))?(?:e([+-]?\d{1,3}))?\s*(%?)$/i.exec(plain);
  if (!decimal) return null;
  const [, head, point, digits = "", power = "0", percent] = decimal;
  if (!head && !digits) return null;
  const isThousand = digits.length === 3 && !/e/i.test(plain) && /[1-9]/.test(head);
  if (point === "," && (!digits || isThousand)) return null; // 1,000 is read in two ways
  const shift = BigInt(Number(power) - digits.length - (percent ? 2 : 0));
  const n = BigInt(head + digits);
  const exact = shift >= 0n ? Fraction.of(n * 10n ** shift) : Fraction.of(n, 10n ** -shift);
  return exact.n < TOO_LONG && exact.d < TOO_LONG ? exact : null;
}

const NUMBER = "[+-]?(?:\\d+/\\d+|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?)";
const LOGARITHM = new RegExp(`^(?:(${NUMBER})\\*)?(?:log|ln)\\((${NUMBER})\\)(?:([*/])(${NUMBER}))?$`);
const signed = (text) => {
  const size = readNumber(text.replace(/^-/, ""));
  return size !== null && text.startsWith("-") ? ZERO.minus(size) : size;
};

/** Return the whole root of a whole number >= 1, or null if it has none. */
function wholeRoot(x, degree) {
  let low = 1n;
  let high = 1n << BigInt(Math.floor(bitLength(x) / degree) + 1);
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(degree) < x) low = middle + 1n;
    else high = middle;
  }
  return low ** BigInt(degree) === x ? low : null;
}

/** Return e^epsilon of a text for epsilon, as the command line reads it, or null: exactly for log(5), 2*log(3) and
 * log(9)/2, else rounded down to seven digits. */
export function readLevel(text) {
  const found = LOGARITHM.exec(text.trim().replace(/(?<![\d.])\s+|\s+(?![\d.])/g, ""));
  if (!found) {
    const epsilon = readNumber(text);
    return epsilon !== null && ZERO.less(epsilon) && epsilon.atMost(LARGEST) ? levelBelow(epsilon) : null;
  }
  const [, before = "1", argument, operator, after = "1"] = found;
  let [times, base, factor] = [before, argument, after].map(signed);
  if ([times, base, factor].includes(null) || !ZERO.less(base) || (operator === "/" && factor.isZero())) return null;
  times = operator === "/" ? times.over(factor) : times.times(factor);
  if (base.less(ONE)) [times, base] = [ZERO.minus(times), base.inverse()];
  if (base.equals(ONE) || !ZERO.less(times)) return null;
  const epsilon = times.times(logarithm(base)[0]); // not above the true one
  if (!epsilon.atMost(LARGEST)) return null;
  const degree = Number(times.d); // e^epsilon is the power times.n of the root of this degree
  const roots = degree > MOST_BITS ? [null] : [wholeRoot(base.n, degree), wholeRoot(base.d, degree)];
  if (roots.includes(null)) return levelBelow(epsilon);
  const bits = Number(times.n) * Math.max(...roots.map(bitLength));
  return bits > MOST_BITS ? null : Fraction.of(roots[0], roots[1]).power(Number(times.n));
}

/** Return a number in its shorter form: a fraction, or a decimal that ends. */
export function shortest(x) {
  const fraction = `${x}`;
  for (let places = 1; places < fraction.length - 1; places++) {
    const units = x.times(Fraction.of(10n ** BigInt(places)));
    if (!units.isWhole()) continue;
    const digits = `${units}`.padStart(places + 1, "0");
    const decimal = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    return decimal.length < fraction.length ? decimal : fraction;
  }
  return fraction;
}

/** Return a fraction as a floating-point number: for pictures alone. */
export function toFloat(x) {
  const shift = 60 - bitLength(x.n) + bitLength(x.d);
  const scaled = shift >= 0 ? (x.n << BigInt(shift)) / x.d : x.n / (x.d << BigInt(-shift));
  return Number(scaled) * 2 ** -shift;
}

/** Return a decimal of at least `digits` significant digits and `places` places, rounded to nearest. */
export function decimal(x, digits = 4, places = 0) {
  if (x.n === 0n) return "0";
  const size = Math.floor((bitLength(x.n) - bitLength(x.d)) * 0.30103);
  let after = Math.max(places, digits - size - 1, 0);
  const rounded = (count) => {
    const scaled = x.abs().times(Fraction.of(10n ** BigInt(count)));
    return floorQuotient(2n * scaled.n + scaled.d, 2n * scaled.d);
  };
  let units = rounded(after);
  while (after > places && `${units}`.length > digits) units = rounded(--after);
  const text = `${units}`.padStart(after + 1, "0");
  const head = after ? text.slice(0, -after) : text;
  const tail = after ? text.slice(-after).replace(/0+$/, "") : "";
  return `${x.n < 0n ? "-" : ""}${grouped(head)}${tail ? `.${tail}` : ""}`;
}

/** Return digits in groups of three with thin spaces. */
export const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, digits.length > 4 ? "\u2009" : "");

/** Return the square root, rounded up at this many binary digits beyond the leading one. */
export function rootAbove(x) {
  if (x.n === 0n) return ZERO;
  const shift = BigInt(2 * Math.max(0, 64 - Math.floor((bitLength(x.n) - bitLength(x.d)) / 2)));
  const scaled = floorQuotient((x.n << shift) + x.d - 1n, x.d);
  charge(pieces(scaled));
  const root = integerRoot(scaled, bitLength(scaled));
  const above = root * root < scaled ? root + 1n : root;
  return Fraction.of(above, 1n << (shift / 2n));
}

/** Return rationals [low, high] around ln x, x > 0. */
export function logarithm(x) {
  if (x.equals(ONE)) return [ZERO, ZERO];
  const scaled = floorQuotient(x.n * ONE_UNIT, x.d);
  const low = lnEnclosure(scaled, BITS, bitLength(scaled))[0];
  const high = lnEnclosure(scaled + 1n, BITS, bitLength(scaled + 1n))[1];
  return [Fraction.of(low, ONE_UNIT), Fraction.of(high, ONE_UNIT)];
}

/** Return the largest fraction with `digits` significant decimal digits that is at most e^x, 0 <= x <= 20. */
export function levelBelow(x, digits = 7) {
  const scaled = floorQuotient(x.n * ONE_UNIT, x.d);
  const [low, , tens] = expEnclosure(scaled, BITS);
  const power = Fraction.of(low, ONE_UNIT).times(tens >= 0 ? whole(10).power(tens) : whole(10).power(-tens).inverse());
  const size = power.less(ONE) ? 1 : `${power.n / power.d}`.length;
  const unit = 10n ** BigInt(Math.max(digits - size, 0));
  const level = Fraction.of(floorQuotient(power.n * unit, power.d), unit);
  return larger(level, ONE);
}
