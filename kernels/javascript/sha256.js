// SHA-256 of an ASCII text (FIPS 180-4), without the asynchronous interface of browsers.

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((p) => n % p !== 0)) PRIMES.push(n);

/** Return the first 32 bits of the fraction of the k-th root of a prime, k = 2 or 3, exactly. */
function root(prime, k) {
  const target = BigInt(prime) << BigInt(32 * k);
  let [low, high] = [0n, 1n << 40n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(k) <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const K = PRIMES.map((p) => root(p, 3));
const START = PRIMES.slice(0, 8).map((p) => root(p, 2));
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** Return the hash in hexadecimal digits. */
export function sha256(text) {
  const size = text.length;
  const words = new Uint32Array((((size + 8) >> 6) + 1) * 16);
  for (let i = 0; i < size; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i % 4));
  words[size >> 2] |= 0x80 << (24 - 8 * (size % 4));
  words[words.length - 2] = Math.floor(size / 2 ** 29);
  words[words.length - 1] = size << 3;
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = words[block + i];
        continue;
      }
      const s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
  }
  return [...state].map((x) => x.toString(16).padStart(8, "0")).join("");
}
