// Numbers of the explorer page: text to exact fractions and back, square roots, logarithms and levels, with directed rounding.

import { charge, pieces } from "./budget.js";
import { bitLength, floorQuotient, Fraction, larger, ONE, whole, ZERO } from "./fractions.js";
import { expEnclosure, integerRoot, lnEnclosure } from "./logarithms.js";

const LONGEST = 40; // characters of a number that is typed
const BITS = 160;
const ONE_UNIT = 1n << BigInt(BITS);

/** Return the exact number that a text writes (1/3, 0.1, 0,1, 10%, 1e-6), or null. */
export function readNumber(text) {
  const plain = text.trim().replace("\u2009", "");
  if (plain.length > LONGEST) return null;
  const ratio = /^(\d+)\s*\/\s*(\d+)$/.exec(plain);
  if (ratio) return BigInt(ratio[2]) === 0n ? null : Fraction.of(BigInt(ratio[1]), BigInt(ratio[2]));
  const decimal = /^(\d+)(?:[.,](\d+))?(?:e(-?\d{1,2}))?\s*(%?)$/.exec(plain);
  if (!decimal) return null;
  const digits = decimal[2] ?? "";
  const shift = BigInt(Number(decimal[3] ?? 0) - digits.length - (decimal[4] ? 2 : 0));
  const n = BigInt(decimal[1] + digits);
  return shift >= 0n ? Fraction.of(n * 10n ** shift) : Fraction.of(n, 10n ** -shift);
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
