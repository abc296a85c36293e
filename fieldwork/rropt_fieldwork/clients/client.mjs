// Draws reports of a randomized response mechanism exactly, and estimates from counts of reports.
//
// rropt's page "Ship a client and count its reports" describes it. On the device of a respondent, in a browser or in Node:
//
//   import { randomize } from "./client.mjs";
// <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
//   const report = randomize(0); // a category is a number from 0 to K - 1, a bigint, or a name of CATEGORIES
// <values>
//   const report = randomize("3"); // the text of a number; the report is one of RESPONSES, the reported numbers as texts
// </>
//   await fetch("/reports", { method: "POST", body: JSON.stringify(report) });
//
// Call it once for each truth, and keep the report: a new draw of the same truth reveals more. In Node, as a program:
//
//   test              check the constants by test vectors; print "ok", or what fails (exit status 1)
// <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
//   draw X N          print N reports of category X, a number from 0 to K - 1 or a name of CATEGORIES
// <values>
//   draw X N          print N reports of the number X, such as 3 or 2.5
//   estimate COUNTS   print the estimated mean of the numbers and its standard error, from the counts of all RESPONSES
// <columns texts questions>
//   estimate COUNTS   print estimate and standard error of each category, from the counts of all outputs
// <direct interval hash classes projective cyclic subset dense bits>
//   estimate HITS N   print estimate and standard error of a category that HITS of N reports contain
// <identified>
//   estimate CATEGORY HITS OUTSIDE N   the same, if HITS of N reports equal CATEGORY, and OUTSIDE are outside the set
// </>

// <data>
export const IDENTITY = "";
export const CATEGORIES = ["no"]; // names of the categories 0 to K - 1
export const RESPONSES = ["no"]; // names of the reports 0 to M - 1
const K = 3n; // categories
const M = 2n; // outputs
const HEADS = 3n; // a report contains the truth with probability HEADS / COIN
const COIN = 4n;
const MISS_HEADS = 1n; // a report contains another category with probability MISS_HEADS / MISS_COIN
const MISS_COIN = 4n;
const REVEAL_HEADS = 1n; // the truth is revealed with probability REVEAL_HEADS / REVEAL_COIN
const REVEAL_COIN = 4n;
const CHOSEN = 2n; // categories in the set
const Q = 7n; // the field
const SPACE = 7n;
const SIZE = 1n;
const PIECE = 2n; // bits of a draw among the categories: a word has 64 / PIECE pieces
const LAYERS = 1n; // fair bits of each category
const PATTERN = 1n; // how they join to one bit
const COMPLEMENT = 0n;
const INDEX = 2n;
const COSETS = 1n;
const ZERO = 0n;
const ROOT = 3n;
const MODULUS = 7n;
const RUNS = [2n]; // lengths of runs, alternately inside and outside the set, without the last run
const GRID = [0n, 1n, 2n]; // the numbers of the categories, times UNIT
const UNIT = 1n;
const ROUNDS = 1n; // whether a number between two of the grid is rounded to one of them, at random without bias
const DECIMALS = 2n; // the most decimals of a number
const COLUMNS = [[3n, 4n], [1n, 4n], [2n, 4n]]; // cumulative weights of each category
const INPUTS = [2n, 2n]; // categories of each question
const OUTPUTS = [2n, 2n]; // outputs of each question
const PARTS = [[3n, 4n], [1n, 4n], [3n, 4n], [1n, 4n]]; // cumulative weights of each category of each question
const ESTIMATOR = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]];
const P_CHANCE = 0.75; // a report contains the truth
const Q_CHANCE = 0.25; // a report contains another category
const SCALE = 0.5; // this and the next three: of the estimate
const SHIFT = 0.25;
const TURN = 0.25;
const REVEALED = 0.25;
const VECTORS = [[0n, [0n], 1n, 0n]]; // category, words (then zeros), number of words drawn, report
const HELD = [[0n, 0n, 1n]]; // report, category, whether the report contains it
const ESTIMATES = [[[1n, 2n], [0.5, 0.25]]]; // counts, then estimates and standard errors
const NUMBERS = ["0", "0.5"]; // of the test vectors, whose categories are places in this list
const REFUSED_NUMBERS = [""];
const REFUSED = [-1n, 3n]; // categories
const REFUSED_REPORTS = [-1n, 2n];
// </data>

const systemWord = () => crypto.getRandomValues(new BigUint64Array(1))[0];

function refuse(reason) {
  throw new RangeError(reason);
}

/** Return a uniform integer below n: a masked word is drawn until it is below n. */
function below(n, word) {
  if (n < 1n) throw new Error("the constants of this client are damaged");
  const mask = n === 1n ? 0n : (1n << BigInt((n - 1n).toString(2).length)) - 1n;
  for (;;) {
    const u = word() & mask;
    if (u < n) return u;
  }
}

// <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
/** Return a category as a bigint. The message does not repeat what is none: it may be the truth, and logs keep messages. */
function required(category) {
  // <named>
  const place = ["string", "number"].includes(typeof category) ? CATEGORIES.indexOf(`${category}`) : -1;
  if (typeof category === "string" && place >= 0) return BigInt(place);
  if (place >= 0 && place !== category) refuse("this number is also the name of another category: give the name as text, or a bigint");
  // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
  const x = Number.isSafeInteger(category) ? BigInt(category) : category;
  const isCategory = typeof x === "bigint" && x >= 0n && x < K;
  // <named>
  if (!isCategory) {
    const listed = CATEGORIES.slice(0, K > 12n ? 5 : 12).map((name) => JSON.stringify(name).slice(0, 40)).join(", ");
    const more = K > 12n ? `, and so on: all ${K} are in CATEGORIES` : "";
    refuse(`no such category: allowed are the integers from 0 to ${K - 1n} and the names ${listed}${more}`);
  }
  // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
  if (!isCategory) refuse(`no such category: allowed are the integers from 0 to ${K - 1n}`);
  return x;
}

// </>
/** Return a report as JSON can write it: a number, or above 2^53 - 1 its digits. */
const shown = (report) => (report <= 9007199254740991n ? Number(report) : `${report}`);

// <interval classes hash projective cyclic>
const mod = (x, q) => ((x % q) + q) % q;

// <classes projective>
function power(base, exponent, q) {
  let result = 1n;
  for (let [b, e] = [base, exponent]; e > 0n; e >>= 1n, b = (b * b) % q) if (e & 1n) result = (result * b) % q;
  return result;
}

// <direct interval hash classes projective cyclic>
/** Return a report as a bigint; refuse what is none. */
function reported(report) {
  const isDigits = typeof report === "string" && /^[0-9]{1,400}$/.test(report);
  const y = Number.isSafeInteger(report) || isDigits ? BigInt(report) : report;
  if (typeof y !== "bigint" || y < 0n || y >= M) refuse(`no such report: allowed are 0 to ${M - 1n}`);
  return y;
}

// <projective>
/** Return a point as a base-Q number with first digit 1, and the power of Q of this digit. */
function vector(point) {
  let power = 1n;
  for (; point >= power; power *= Q) point -= power;
  return [power + point, power];
}

// <cyclic restricted>
/** Return the element with the given rank inside the set, or outside. */
function nth(rank, inside) {
  let [start, left] = [0n, rank];
  for (let i = 0; i < RUNS.length; i++) {
    if ((i % 2 === 0) === inside) {
      if (left < RUNS[i]) break;
      left -= RUNS[i];
    }
    start += RUNS[i];
  }
  return start + left;
}

/** Return whether an element is in the set, and how many smaller elements are. */
function place(element) {
  let [before, left] = [0n, element];
  for (let i = 0; i < RUNS.length; i++) {
    if (left < RUNS[i]) return [i % 2 === 0, before + left];
    left -= RUNS[i];
    if (i % 2 === 0) before += RUNS[i];
  }
  return [RUNS.length % 2 === 0, before + left];
}

// <values>
/**
 * Return the category of a number. Between two of the grid draw the upper one with exactly the chance of no bias.
 * The message does not repeat what is refused: it may be the truth, and logs keep messages.
 */
function neighbour(number, word) {
  const text = typeof number === "boolean" ? "" : `${number}`;
  if (CATEGORIES.includes(text)) return CATEGORIES.indexOf(text);
  const [, sign, whole, decimals = ""] = /^([+-]?)([0-9]*)\.?([0-9]*)$/.exec(text) ?? ["", "", ""];
  const length = (whole + decimals).length;
  if (length > 0 && length <= 19 && BigInt(decimals.length) <= DECIMALS) {
    const scale = 10n ** BigInt(decimals.length);
    const x = BigInt(`${whole}${decimals}`) * UNIT * (sign === "-" ? -1n : 1n);
    for (let j = 0; j < GRID.length; j++) {
      const low = GRID[j] * scale;
      if (x === low) return j;
      if (ROUNDS && j + 1 < GRID.length && low < x && x < GRID[j + 1] * scale) {
        return below((GRID[j + 1] - GRID[j]) * scale, word) < x - low ? j + 1 : j;
      }
    }
  }
  const allowed = `from ${CATEGORIES[0]} to ${CATEGORIES[CATEGORIES.length - 1]} with at most ${DECIMALS} decimals`;
  return refuse(`no such number: allowed are ${ROUNDS ? allowed : "the numbers in CATEGORIES"}`);
}

/** Return the place in RESPONSES of the report of a number. */
function outputOf(number, word) {
  const column = COLUMNS[neighbour(number, word)];
  const u = below(column[column.length - 1], word);
  return column.findIndex((c) => u < c);
}

/** Return the report of a number, given as a text or a number: a number, as a text. */
export function randomize_values(number, word = systemWord) {
  return RESPONSES[outputOf(number, word)];
}

// <columns>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_columns(category, word = systemWord) {
  category = required(category);
  const column = COLUMNS[Number(category)];
  const u = below(column[column.length - 1], word);
  return column.findIndex((c) => u < c);
}

// <texts>
/** Return the place in RESPONSES of a report of a category. */
function placeOf(category, word) {
  category = required(category);
  const column = COLUMNS[Number(category)];
  const u = below(column[column.length - 1], word);
  return column.findIndex((c) => u < c);
}

/** Return a report of a category, 0 to K - 1 or its name: one of RESPONSES, which are sets of categories or rows of bits. */
export function randomize_texts(category, word = systemWord) {
  return RESPONSES[placeOf(category, word)];
}

// <questions>
/** Return a report of a category, 0 to K - 1 or its name: each question is drawn by its own columns; the first changes fastest. */
export function randomize_questions(category, word = systemWord) {
  category = required(category);
  let [report, unit, row, rest] = [0n, 1n, 0n, category];
  for (let q = 0; q < INPUTS.length; q++) {
    const column = PARTS[Number(row + (rest % INPUTS[q]))];
    const u = below(column[Number(OUTPUTS[q]) - 1], word);
    report += unit * BigInt(column.findIndex((c) => u < c));
    unit *= OUTPUTS[q];
    row += INPUTS[q];
    rest /= INPUTS[q];
  }
  return shown(report);
}

// <direct>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_direct(category, word = systemWord) {
  category = required(category);
  if (below(COIN, word) < HEADS) return shown(category);
  const other = below(K - 1n, word);
  return shown(other < category ? other : other + 1n);
}

// <interval>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_interval(category, word = systemWord) {
  category = required(category);
  const inside = below(COIN, word) < HEADS;
  const value = inside ? below(SIZE, word) : SIZE + below(Q - SIZE, word);
  const a = 1n + below(Q - 1n, word);
  return shown((a - 1n) * Q + mod(value - a * category, Q));
}

// <classes>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_classes(category, word = systemWord) {
  category = required(category);
  const inside = below(COIN, word) < HEADS;
  const [many, part] = [inside ? COSETS : INDEX - COSETS, (Q - 1n) / INDEX];
  const rank = below(many * part + (inside ? ZERO : 1n - ZERO), word);
  const i = below(INDEX, word);
  let y = 0n;
  if (rank < many * part) {
    const exponent = (rank / many) * INDEX + (inside ? 0n : COSETS) + (rank % many);
    y = power(ROOT, (exponent + Q - 1n - i) % (Q - 1n), Q);
  }
  return shown(i * Q + mod(y - category, Q));
}

// <hash>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_hash(category, word = systemWord) {
  category = required(category);
  const inside = below(COIN, word) < HEADS;
  let value = inside ? below(SIZE, word) : SIZE + below(Q - SIZE, word);
  const first = below(SPACE - 1n, word);
  for (let [a, x] = [first + 1n, category]; a > 0n; a /= Q, x /= Q) value -= (a % Q) * (x % Q);
  return shown(first * Q + mod(value, Q));
}

// <projective>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_projective(category, word = systemWord) {
  category = required(category);
  const inside = below(COIN, word) < HEADS;
  const orthogonal = inside === (COMPLEMENT === 1n) ? 0n : 1n;
  const [x, unit] = vector(category);
  const rest = orthogonal + below(SPACE - orthogonal, word);
  const low = rest % unit;
  let total = 0n;
  for (let [a, w] = [low, x]; a > 0n; a /= Q, w /= Q) total += (a % Q) * (w % Q);
  const a = ((rest / unit) * Q + mod(1n - orthogonal - total, Q)) * unit + low;
  let [first, top] = [0n, 1n];
  for (; a / top >= Q; top *= Q) first += top;
  const scale = power(a / top, Q - 2n, Q);
  for (let place = 1n; place < top; place *= Q) first += ((((a / place) % Q) * scale) % Q) * place;
  return shown(first);
}

// <cyclic>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_cyclic(category, word = systemWord) {
  category = required(category);
  const inside = below(COIN, word) < HEADS;
  return shown(mod(nth(below(inside ? SIZE : MODULUS - SIZE, word), inside) - category, MODULUS));
}

// <restricted>
/** Return a report of a category, 0 to K - 1 or its name. */
export function randomize_restricted(category, word = systemWord) {
  category = required(category);
  if (below(REVEAL_COIN, word) < REVEAL_HEADS) return shown(category);
  const [inside, rank] = place(category);
  if (!inside) return shown(nth(below(CHOSEN, word), true));
  if (below(COIN, word) < HEADS) return shown(category);
  const other = below(CHOSEN - 1n, word);
  return shown(nth(other < rank ? other : other + 1n, true));
}

// <subset dense>
/** Return a function that returns the next PIECE bits of the words of a report. */
function piecesOf(word) {
  let [pool, left] = [0n, 0n];
  return () => {
    if (left === 0n) [pool, left] = [word(), 64n / PIECE];
    const piece = pool & ((1n << PIECE) - 1n);
    pool >>= PIECE;
    left -= 1n;
    return piece;
  };
}

// <subset>
/** Return a report of a category, 0 to K - 1 or its name: SIZE categories in ascending order. */
export function randomize_subset(category, word = systemWord) {
  category = required(category);
  const inside = below(COIN, word) < HEADS;
  const [taken, piece] = [new Set(), piecesOf(word)];
  for (let j = K - 1n - SIZE + (inside ? 1n : 0n); j < K - 1n; j++) {
    const t = below(j + 1n, piece);
    taken.add(taken.has(t) ? j : t);
  }
  const report = [...taken].map((y) => (y < category ? y : y + 1n));
  if (inside) report.push(category);
  return report.sort((a, b) => (a < b ? -1 : 1)).map(shown);
}

// <dense>
/**
 * Return a report of a category, 0 to K - 1 or its name: SIZE categories in ascending order.
 *
 * Each other category is marked by a coin. Then as many are marked, or unmarked, as SIZE needs: a uniform subset of those
 * that can be, by Floyd's method.
 */
export function randomize_dense(category, word = systemWord) {
  const own = Number((category = required(category)));
  const inside = below(COIN, word) < HEADS;
  const marks = [];
  while (marks.length < Number(K)) {
    let block = 0n;
    for (let layer = 0n; layer < LAYERS; layer++) block = (PATTERN >> layer) & 1n ? block | word() : block & word();
    for (let half of [block & 0xffffffffn, block >> 32n]) {
      half = Number(half);
      for (let i = 0; i < 32; i++) marks.push((half >>> i) & 1);
    }
  }
  marks.length = Number(K);
  marks[own] = 0;
  const missing = Number(SIZE) - (inside ? 1 : 0) - marks.reduce((sum, mark) => sum + mark, 0);
  const wanted = missing > 0 ? 1 : 0;
  const places = [...marks.keys()].filter((y) => y !== own && marks[y] !== wanted);
  const piece = piecesOf(word);
  for (let j = places.length - Math.abs(missing); j < places.length; j++) {
    const y = places[Number(below(BigInt(j + 1), piece))];
    marks[marks[y] === wanted ? places[j] : y] = wanted;
  }
  marks[own] = inside ? 1 : 0;
  return [...marks.keys()].filter((y) => marks[y]).map((y) => shown(BigInt(y)));
}

// <bits>
/** Return a report of a category, 0 to K - 1 or its name: K bits. */
export function randomize_bits(category, word = systemWord) {
  category = required(category);
  const truth = below(COIN, word) < HEADS;
  const report = [];
  for (let y = 0n; y < K; y++) report.push((y === category ? truth : below(MISS_COIN, word) < MISS_HEADS) ? 1 : 0);
  return report;
}

// <direct>
/** Return whether a report contains a category. */
export function holds_direct(report, category) {
  report = reported(report);
  category = required(category);
  return report === category;
}

// <interval>
/** Return whether a report contains a category. */
export function holds_interval(report, category) {
  report = reported(report);
  category = required(category);
  return mod((report / Q + 1n) * category + (report % Q), Q) < SIZE;
}

// <classes>
/** Return whether a report contains a category. */
export function holds_classes(report, category) {
  report = reported(report);
  category = required(category);
  const [i, y] = [report / Q, mod(category + (report % Q), Q)];
  if (y === 0n) return ZERO === 1n;
  const [wanted, root] = [power(y, (Q - 1n) / INDEX, Q), power(ROOT, (Q - 1n) / INDEX, Q)];
  for (let coset = 0n; coset < COSETS; coset++) if (power(root, mod(coset - i, INDEX), Q) === wanted) return true;
  return false;
}

// <hash>
/** Return whether a report contains a category. */
export function holds_hash(report, category) {
  report = reported(report);
  category = required(category);
  let total = report % Q;
  for (let [a, x] = [report / Q + 1n, category]; a > 0n; a /= Q, x /= Q) total += (a % Q) * (x % Q);
  return total % Q < SIZE;
}

// <projective>
/** Return whether a report contains a category. */
export function holds_projective(report, category) {
  report = reported(report);
  category = required(category);
  let total = 0n;
  let [v, w] = [vector(report)[0], vector(category)[0]];
  for (; v > 0n && w > 0n; v /= Q, w /= Q) total += (v % Q) * (w % Q);
  return (total % Q !== 0n) === (COMPLEMENT === 1n);
}

// <cyclic>
/** Return whether a report contains a category. */
export function holds_cyclic(report, category) {
  report = reported(report);
  category = required(category);
  return place((report + category) % MODULUS)[0];
}

// <columns texts questions values direct interval hash classes projective cyclic subset dense bits identified>
/** Refuse all but a number of counts. */
function requireCounts(counts, many) {
  if (!Array.isArray(counts) || counts.length !== many) refuse(`${many} numbers are needed: received ${counts?.length}`);
  for (const c of counts) if (!Number.isInteger(c) || c < 0 || c >= 1e15) refuse(`not a count: received ${c}`);
}

const error = (square, n) => Math.sqrt(Math.max(square, 0) / n);

// <columns texts questions values>
/** Return [estimate, standard error] of each row of ESTIMATOR from the counts of all outputs. */
export function estimate_columns(counts) {
  requireCounts(counts, Number(M));
  const n = counts.reduce((a, b) => a + b, 0);
  if (n === 0) refuse("there are no reports: all counts are 0");
  return ESTIMATOR.map((row) => {
    const share = row.reduce((total, a, i) => total + a * counts[i], 0) / n;
    const square = row.reduce((total, a, i) => total + a * a * counts[i], 0) / n;
    return [share, error(square - share * share, n)];
  });
}

// <direct interval hash classes projective cyclic subset dense bits>
/** Return [[estimate, standard error]] of a category that `hits` of n reports contain. */
export function estimate_sets(counts) {
  requireCounts(counts, 2);
  const [hits, n] = counts;
  if (n === 0 || hits > n) refuse(`HITS of N reports: received ${hits} of ${n}`);
  const [rate, scale] = [hits / n, P_CHANCE - Q_CHANCE];
  return [[(rate - Q_CHANCE) / scale, error(rate * (1 - rate), n) / scale]];
}

// <identified>
/** Return [[estimate, standard error]]: hits of n reports equal category, outside are not in the set. */
export function estimate_identified(counts) {
  requireCounts(counts, 4);
  const [category, hits, outside, n] = counts;
  const x = required(BigInt(category));
  if (n === 0 || hits > n || outside > n) refuse(`HITS and OUTSIDE of N reports: received ${hits} and ${outside} of ${n}`);
  const [f, o] = [hits / n, outside / n];
  if (!place(x)[0]) return [[f / REVEALED, error(f * (1 - f), n) / REVEALED]];
  return [[(f - SHIFT - TURN * o) / SCALE, error(f + TURN * TURN * o - (f - TURN * o) ** 2, n) / SCALE]];
}

// <refusal>
/** Refuse: the distribution of the categories is not identified. */
export function estimate_refusal() {
  refuse("the proportions are not determined: a category outside the set is never reported");
}

// <columns questions direct interval hash classes projective cyclic restricted>
/** Return a report as a test vector states it. */
const answer_number = (category, word) => BigInt(randomize_direct(category, word));

/** Return a report as a line of the program. */
const text_number = (category) => `${randomize_direct(category)}`;

// <texts>
/** Return a report as a test vector states it. */
const answer_texts = (category, word) => BigInt(placeOf(category, word));

/** Return a report as a line of the program. */
const text_texts = (category) => randomize_texts(category);

// <values>
/** Return a report as a test vector states it. */
const answer_values = (place, word) => BigInt(outputOf(NUMBERS[Number(place)], word));

// <subset dense bits>
/** Return the digest of a report, as a test vector states it. */
const answer_set = (category, word) => randomize_subset(category, word).reduce((h, y) => (h * 65537n + BigInt(y) + 1n) % 2147483647n, 0n);

// <subset dense>
/** Return a category as a line of the program has it: by its name, if it has one. */
const nameOf = (category) => (typeof CATEGORIES === "undefined" ? category : CATEGORIES[category]);

/** Return a report as a line of the program. */
const text_subset = (category) => randomize_subset(category).map(nameOf).join("&");

// <bits>
/** Return a report as a line of the program. */
const text_bits = (category) => randomize_bits(category).join("");

// </>
/** Return whether a function refuses what is given. */
function refused(run) {
  try {
    run();
  } catch (wrong) {
    return wrong instanceof RangeError;
  }
  return false;
}

/** Return the first test vector that fails, or an empty text. */
function failure() {
  // <interval hash classes projective>
  if (Q < 2n) return "Q";
  // <values>
  if (BigInt(GRID.length) !== K) return "K";
  // </>
  for (const [category, words, drawn, report] of VECTORS) {
    let taken = 0;
    const word = () => words[taken++] ?? 0n;
    if (answer_number(category, word) !== report || BigInt(taken) !== drawn) return `vector ${category} ${words} ${report}`;
  }
  // <values>
  for (const number of REFUSED_NUMBERS) if (!refused(() => outputOf(number, systemWord))) return `number ${number} is not refused`;
  // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
  for (const category of REFUSED) if (!refused(() => randomize_direct(category))) return `category ${category} is not refused`;
  // <direct interval hash classes projective cyclic>
  for (const [report, category, held] of HELD) if (holds_direct(report, category) !== (held === 1n)) return `holds ${report} ${category}`;
  for (const report of REFUSED_REPORTS) if (!refused(() => holds_direct(report, 0n))) return `report ${report} is not refused`;
  for (const category of REFUSED) if (!refused(() => holds_direct(0n, category))) return `category ${category} of a report is not refused`;
  // <columns texts questions values direct interval hash classes projective cyclic subset dense bits identified>
  for (const [listed, expected] of ESTIMATES) {
    const counts = listed.map(Number);
    const found = estimate_columns(counts).flat();
    const near = (x, i) => Math.abs(x - found[i]) <= 1e-9 * Math.max(1, Math.abs(x));
    if (found.length !== expected.length || !expected.every(near)) return `estimate ${counts}`;
    if (!refused(() => estimate_columns(counts.slice(1)))) return `a count missing of ${counts} is not refused`;
  }
  // <refusal>
  if (!refused(estimate_refusal)) return "an estimate is not refused";
  // </>
  return "";
}

/** Return whether all test vectors pass; print the first one that fails. */
export function test() {
  let failed;
  try {
    failed = failure();
  } catch (wrong) {
    failed = `${wrong}`;
  }
  if (failed) console.log(`the constants are damaged, a vector fails: ${failed}`);
  return !failed;
}

/** Return numbers that are written with digits only. */
function numbers(texts) {
  for (const text of texts) if (!/^[0-9]{1,15}$/.test(text)) refuse(`not a number: received ${JSON.stringify(text.slice(0, 40))}; allowed are up to 15 digits`);
  return texts.map(Number);
}

/** Print a line. Unlike console.log, this does not ignore that a line cannot be written. */
const print = (line) => process.stdout.write(`${line}\n`);

/** Report that a line could not be written and return the exit status; an error of another kind goes on. */
function unwritten(wrong) {
  if (wrong.syscall !== "write") throw wrong;
  console.error(`the output cannot be written: ${wrong.code}`);
  return 2;
}

/** Run a command and return the exit status. */
function main(command, ...texts) {
  try {
    if (command === "test" && texts.length === 0) {
      if (!test()) return 1;
      print("ok");
      return 0;
    }
    if (command === "draw" && texts.length === 2) {
      // <values>
      outputOf(texts[0], systemWord);
      const [times] = numbers(texts.slice(1));
      for (let i = 0; i < times; i++) print(randomize_values(texts[0]));
      // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
      const category = required(/^[0-9]{1,15}$/.test(texts[0]) ? Number(texts[0]) : texts[0]);
      const [n] = numbers(texts.slice(1));
      for (let i = 0; i < n; i++) print(text_number(category));
      // </>
    } else if (command === "estimate") {
      for (const row of estimate_columns(numbers(texts))) print(row.join(" "));
    } else refuse("the command is missing or unknown: allowed are test, draw X N, estimate COUNTS");
  } catch (wrong) {
    if (!(wrong instanceof RangeError)) return unwritten(wrong);
    console.error(wrong.message);
    return 2;
  }
  return 0;
}

const program = typeof process === "undefined" ? "" : (process.argv[1] ?? "").split(/[\\/]/).pop();
if (program && decodeURIComponent(import.meta.url.split("/").pop()) === program) {
  process.stdout.on("error", (wrong) => process.exit(unwritten(wrong)));
  process.exitCode = main(...process.argv.slice(2));
}
