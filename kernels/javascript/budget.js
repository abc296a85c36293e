// The budget of a certificate. Every operation on large integers is charged before it is done, so that no file runs long.

import { MAX_WORK } from "./limits.js";

/** The verdict "rejected": the reason, and the place of the file that it concerns (see places.js). */
export class Rejected extends Error {
  constructor(reason, place = null) {
    super(reason);
    this.place = place;
  }
}

/** Fail on a kind without a case of its own: no kind is taken for another one. */
export function unknownKind(kind) {
  throw new Rejected(`a kind that this checker does not know: ${kind}`);
}

let unitsLeft = MAX_WORK;

/** Give a new certificate its budget. */
export function startBudget(units = MAX_WORK) {
  unitsLeft = units;
}

/** Return how many units the certificate has left. */
export const leftUnits = () => unitsLeft;

/** Charge units; reject the certificate when none are left. */
export function charge(units) {
  unitsLeft -= units;
  if (unitsLeft >= 0) return;
  const end = new Rejected("the budget of this checker is used up: the certificate needs too much work");
  end.isFinal = true;
  throw end;
}

const BULK = 8; // products in a plain loop over integers of up to 256 bits that cost as much as one unit

/** Charge a plain loop of `count` products of a short integer and one of `bits` bits. */
export function chargeInBulk(count, bits = 0) {
  charge(Math.ceil(count * (1 + Math.floor(bits / 256)) / BULK));
}

const THRESHOLDS = Array.from({ length: 18 }, (_, i) => 1n << BigInt(512 * 2 ** i));

/** Return the length of an integer in pieces of 512 bits, rounded up to a power of two; no conversion is made. */
export function pieces(x) {
  const y = x < 0n ? -x : x;
  if (y < THRESHOLDS[0]) return 1;
  let i = 1;
  while (i < THRESHOLDS.length && y >= THRESHOLDS[i]) i++;
  return 2 ** i;
}
