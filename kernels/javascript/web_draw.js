// An exact draw from a list of integer weights, for the web form of an instruction sheet.
//
// A uniform integer below the total is taken from random bytes: too many bits are masked, and a number that is not below the
// total is drawn again. So each outcome has exactly the probability weight / total.

/** Return a uniform integer below n >= 1; bytes(count) returns random bytes. */
export function below(n, bytes) {
  const length = (n - 1n).toString(2).length;
  const mask = (1n << BigInt(length)) - 1n;
  for (;;) {
    let drawn = 0n;
    for (const byte of bytes(Math.ceil(length / 8))) drawn = (drawn << 8n) | BigInt(byte);
    drawn &= mask;
    if (drawn < n) return drawn;
  }
}

/** Return the place of an outcome, drawn with these weights. */
export function draw(weights, bytes) {
  let left = below(weights.reduce((a, b) => a + b, 0n), bytes);
  for (let i = 0; i < weights.length; i++) {
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  throw new RangeError("the weights are not positive");
}
