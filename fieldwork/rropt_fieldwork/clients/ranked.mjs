// Exact reports of subset selection; rropt's page "Ship a client" describes it.
// <named>
// A category is given by its number or its name in CATEGORIES.
// </>
// Call randomize(category) once, and keep the report: a new draw of the same truth reveals more. Commands:
//
//   test              print "ok", or the test vector that fails (exit status 1)
//   draw X N          print N reports of category X
//   estimate HITS N   print estimate and standard error of a category that HITS of N reports contain

// <data>
export const IDENTITY = "";
export const CATEGORIES = ["no", "yes", "maybe"]; // names of the categories 0 to K - 1
const K = 3n; // categories
const SIZE = 2n; // categories of a report
const INSIDE = 2n; // sets with the truth, each of weight OWN
const OWN = 2n;
const OUTSIDE = 1n; // sets without the truth, each of weight OTHER
const OTHER = 1n;
// category, words (then zeros), number of words drawn, digest of the report
const VECTORS = [[0n, [], 1n, 65538n]];
// </data>
const TRUTH = INSIDE * OWN;
const TOTAL = TRUTH + OUTSIDE * OTHER;
const BITS = (TOTAL - 1n).toString(2).length;

const systemWord = () => crypto.getRandomValues(new BigUint64Array(1))[0];

function refuse(reason) {
  throw new RangeError(reason);
}

/** Return a category as a bigint. Do not repeat a wrong one: it may be the truth. */
function required(category) {
  // <named>
  const place = ["string", "number"].includes(typeof category) ? CATEGORIES.indexOf(`${category}`) : -1;
  if (typeof category === "string" && place >= 0) return BigInt(place);
  if (place >= 0 && place !== category) refuse("this number is also the name of another category: give the name as text, or a bigint");
  // </>
  const x = Number.isSafeInteger(category) ? BigInt(category) : category;
  if (typeof x === "bigint" && x >= 0n && x < K) return x;
  // <named>
  const listed = CATEGORIES.slice(0, K > 12n ? 5 : 12).map((name) => JSON.stringify(name).slice(0, 40)).join(", ");
  const more = K > 12n ? `, and so on: all ${K} are in CATEGORIES` : "";
  return refuse(`no such category: allowed are the integers from 0 to ${K - 1n} and the names ${listed}${more}`);
  // <unnamed>
  return refuse(`no such category: allowed are the integers from 0 to ${K - 1n}`);
  // </>
}

/**
 * Return a report of a category: SIZE categories in ascending order. A uniform integer u below TOTAL selects a set by
 * its rank: of the c sets of s of n categories, c s / n contain the first.
 */
export function randomize(category, word = systemWord) {
  category = required(category);
  let u, [report, n] = [[], K - 1n];
  do u = BigInt.asUintN(BITS, word());
  while (u >= TOTAL);
  const inside = u < TRUTH;
  let [rank, c, s] = inside ? [u / OWN, INSIDE, SIZE - 1n] : [(u - TRUTH) / OTHER, OUTSIDE, SIZE];
  for (let y = 0n; y < K; y++) {
    if (y === category) {
      if (inside) report.push(Number(y));
      continue;
    }
    const first = (c * s) / n--;
    if (rank < first) {
      report.push(Number(y));
      [c, s] = [first, s - 1n];
    } else [rank, c] = [rank - first, c - first];
  }
  return report;
}

/** Return [[estimate, standard error]] of a category that `hits` of n reports contain. */
export function estimate(counts) {
  const isCount = (c) => Number.isInteger(c) && c >= 0 && c < 1e15;
  if (!Array.isArray(counts) || counts.length !== 2 || !counts.every(isCount) || !(counts[0] <= counts[1]) || !counts[1])
    refuse("HITS of N reports: needed are 0 <= HITS <= N, 0 < N < 10^15");
  const [rate, truth] = [counts[0] / counts[1], Number(TRUTH) / Number(TOTAL)];
  const other = (Number(SIZE) - truth) / Number(K - 1n); // a report contains another category
  return [[(rate - other) / (truth - other), Math.sqrt((rate * (1 - rate)) / counts[1]) / (truth - other)]];
}

function passes([category, words, drawn, digest]) {
  let taken = 0;
  const report = randomize(category, () => words[taken++] ?? 0n);
  return BigInt(taken) === drawn && report.reduce((h, y) => (h * 65537n + BigInt(y) + 1n) % 2147483647n, 0n) === digest;
}

/** Return whether all vectors pass. */
export function test() {
  for (const vector of VECTORS) {
    try {
      if (passes(vector)) continue;
    } catch {}
    console.log(`the constants are damaged, a vector fails: ${vector}`);
    return false;
  }
  return true;
}

function number(text) {
  if (!/^[0-9]{1,15}$/.test(text)) refuse("not a number: allowed are up to 15 digits");
  return Number(text);
}

function main(command, ...texts) {
  const print = (line) => process.stdout.write(`${line}\n`); // console.log hides errors
  try {
    if (command === "test" && !texts.length) {
      if (!test()) return 1;
      print("ok");
    } else if (command === "draw" && texts.length === 2) {
      // <named>
      const category = required(/^[0-9]{1,15}$/.test(texts[0]) ? Number(texts[0]) : texts[0]);
      // <unnamed>
      const category = required(number(texts[0]));
      // </>
      for (let left = number(texts[1]); left > 0; left--) {
        // <named>
        print(randomize(category).map((y) => CATEGORIES[y]).join("&"));
        // <unnamed>
        print(randomize(category).join("&"));
        // </>
      }
    } else if (command === "estimate") print(estimate(texts.map(number))[0].join(" "));
    else refuse("no such command: allowed are test, draw X N, estimate HITS N");
  } catch (wrong) {
    if (!(wrong instanceof RangeError)) throw wrong;
    console.error(wrong.message);
    return 2;
  }
  return 0;
}

const program = typeof process === "undefined" ? "" : (process.argv[1] ?? "").split(/[\\/]/).pop();
if (program && decodeURIComponent(import.meta.url.split("/").pop()) === program) {
  process.stdout.on("error", (wrong) => {
    console.error(`the output cannot be written: ${wrong.code}`);
    process.exit(2);
  });
  process.exitCode = main(...process.argv.slice(2));
}
