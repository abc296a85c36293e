"""Source code of clients whose reports are sets or bit vectors, or whose set of categories is stored as runs.

The kinds are those of ``tables``: ``subset``, ``bits``, ``restricted`` and ``cyclic``. For each language, the
module contains the parts of the source code (``data`` is a format string), and the code that returns, tests and prints
a report that is a list.
"""

from __future__ import annotations

_REFUSED = "the shares are not determined: a truth outside of the set is never reported"

_PYTHON_CHANCES = "P_CHANCE, Q_CHANCE = {p}, {q}  # a report contains the truth, or another category"
_PYTHON_RUNS = "RUNS = {runs}  # run lengths, alternately inside and outside the set, without the last run"
_PYTHON_DIGEST = '''def digest(report):
    """Return a digest of a list, for comparison with the test vectors."""
    h = 0
    for y in report:
        h = (h * 65537 + y + 1) % 2147483647
    return h


'''
_PYTHON_NTH = '''def nth(rank, inside):
    """Return the element with the given rank inside the set, or outside."""
    start = 0
    for i, length in enumerate(RUNS):
        if (i % 2 == 0) == inside:
            if rank < length:
                break
            rank -= length
        start += length
    return start + rank


'''
_PYTHON_PLACE = '''def place(element):
    """Return whether an element is in the set, and how many smaller elements are."""
    before = 0
    for i, length in enumerate(RUNS):
        if element < length:
            return i % 2 == 0, before + element
        element -= length
        before += length if i % 2 == 0 else 0
    return len(RUNS) % 2 == 0, before + element


'''
_PYTHON_SETS = '''def estimate(hits, n):
    """Print the unbiased estimate of a category and its standard error; hits of n reports contain it."""
    rate = hits / n
    print((rate - Q_CHANCE) / (P_CHANCE - Q_CHANCE), math.sqrt(rate * (1 - rate) / n) / (P_CHANCE - Q_CHANCE))
'''
_PYTHON_RESTRICTED = """    if below(REVEAL_COIN) < REVEAL_HEADS:
        return category
    inside, rank = place(category)
    if not inside:
        return nth(below(CHOSEN), True)
    if below(COIN) < HEADS:
        return category
    other = below(CHOSEN - 1)
    return nth(other + (other >= rank), True)
"""
_PYTHON = {
    "subset": {
        "data": _PYTHON_CHANCES,
        "sampler": """    inside = below(COIN) < HEADS
    taken = set()
    for j in range(K - 1 - (SIZE - inside), K - 1):
        t = below(j + 1)
        taken.add(j if t in taken else t)
    report = [y + (y >= category) for y in taken]
    return sorted([*report, category] if inside else report)
""",
        "collector": _PYTHON_DIGEST + _PYTHON_SETS,
        "usage": "HITS N",
    },
    "bits": {
        "data": _PYTHON_CHANCES,
        "sampler": """    truth = below(COIN) < HEADS
    return [int(truth if y == category else below(MISS_COIN) < MISS_HEADS) for y in range(K)]
""",
        "collector": _PYTHON_DIGEST + _PYTHON_SETS,
        "usage": "HITS N",
    },
    "restricted": {
        "data": _PYTHON_RUNS
        + "\nSCALE, SHIFT, TURN, REVEALED = {scale}, {shift}, {turn}, {delta}  # of the collector's estimate",
        "bare": _PYTHON_RUNS,
        "sampler": _PYTHON_RESTRICTED,
        "collector": _PYTHON_NTH
        + _PYTHON_PLACE
        + '''def estimate(category, hits, outside, n):
    """Print the estimate of a category, which hits of n reports equal; outside counts reports outside the set."""
    f, o = hits / n, outside / n
    if place(category)[0]:
        share, square = (f - SHIFT - TURN * o) / SCALE, (f + TURN * TURN * o - (f - TURN * o) ** 2) / SCALE**2
    else:
        share, square = f / REVEALED, f * (1 - f) / REVEALED**2
    print(share, math.sqrt(square / n))
''',
        "refusal": _PYTHON_NTH
        + _PYTHON_PLACE
        + f'''def estimate(*counts):
    """Exit with an error: the distribution of the categories is not identified."""
    sys.exit("{_REFUSED}")
''',
        "usage": "CATEGORY HITS OUTSIDE N",
    },
    "cyclic": {
        "data": _PYTHON_RUNS + "\n" + _PYTHON_CHANCES,
        "sampler": """    inside = below(COIN) < HEADS
    return (nth(below(SIZE if inside else MODULUS - SIZE), inside) - category) % MODULUS
""",
        "collector": _PYTHON_NTH
        + _PYTHON_PLACE
        + '''def holds(report, category):
    """Return whether a report contains a category."""
    return place((report + category) % MODULUS)[0]


'''
        + _PYTHON_SETS,
        "usage": "HITS N",
    },
}

_JAVASCRIPT_CHANCES = "const [P_CHANCE, Q_CHANCE] = [{p}, {q}]; // a report contains the truth, or another category"
_JAVASCRIPT_RUNS = "const RUNS = {runs}; // run lengths, alternately inside and outside the set, without the last run"
_JAVASCRIPT_DIGEST = """/** Return a digest of a list, for comparison with the test vectors. */
const digest = (report) => report.reduce((h, y) => (h * 65537n + y + 1n) % 2147483647n, 0n);

"""
_JAVASCRIPT_NTH = """/** Return the element with the given rank inside the set, or outside. */
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

"""
_JAVASCRIPT_PLACE = """/** Return whether an element is in the set, and how many smaller elements are. */
function place(element) {
  let [before, left] = [0n, element];
  for (let i = 0; i < RUNS.length; i++) {
    if (left < RUNS[i]) return [i % 2 === 0, before + left];
    left -= RUNS[i];
    if (i % 2 === 0) before += RUNS[i];
  }
  return [RUNS.length % 2 === 0, before + left];
}

"""
_JAVASCRIPT_SETS = """/** Return [[estimate, standard error]] of a category that `hits` of n reports contain. */
export function estimate([hits, n]) {
  const rate = hits / n;
  return [[(rate - Q_CHANCE) / (P_CHANCE - Q_CHANCE), Math.sqrt((rate * (1 - rate)) / n) / (P_CHANCE - Q_CHANCE)]];
}"""
_JAVASCRIPT = {
    "subset": {
        "data": _JAVASCRIPT_CHANCES,
        "sampler": """  const inside = below(COIN, word) < HEADS;
  const taken = new Set();
  for (let j = K - 1n - SIZE + (inside ? 1n : 0n); j < K - 1n; j++) {
    const t = below(j + 1n, word);
    taken.add(taken.has(t) ? j : t);
  }
  const report = [...taken].map((y) => (y < category ? y : y + 1n));
  if (inside) report.push(category);
  return report.sort((a, b) => (a < b ? -1 : 1));""",
        "collector": _JAVASCRIPT_DIGEST + _JAVASCRIPT_SETS,
        "usage": "HITS N",
    },
    "bits": {
        "data": _JAVASCRIPT_CHANCES,
        "sampler": """  const truth = below(COIN, word) < HEADS;
  const report = [];
  for (let y = 0n; y < K; y++) report.push((y === category ? truth : below(MISS_COIN, word) < MISS_HEADS) ? 1n : 0n);
  return report;""",
        "collector": _JAVASCRIPT_DIGEST + _JAVASCRIPT_SETS,
        "usage": "HITS N",
    },
    "restricted": {
        "data": _JAVASCRIPT_RUNS
        + "\nconst [SCALE, SHIFT, TURN, REVEALED] = [{scale}, {shift}, {turn}, {delta}]; // of the estimate",
        "bare": _JAVASCRIPT_RUNS,
        "sampler": """  if (below(REVEAL_COIN, word) < REVEAL_HEADS) return category;
  const [inside, rank] = place(category);
  if (!inside) return nth(below(CHOSEN, word), true);
  if (below(COIN, word) < HEADS) return category;
  const other = below(CHOSEN - 1n, word);
  return nth(other < rank ? other : other + 1n, true);""",
        "collector": _JAVASCRIPT_NTH
        + _JAVASCRIPT_PLACE
        + """/** Return [[estimate, standard error]]: hits of n reports equal category, outside are not in the set. */
export function estimate([category, hits, outside, n]) {
  const [f, o] = [hits / n, outside / n];
  if (!place(BigInt(category))[0]) return [[f / REVEALED, Math.sqrt((f * (1 - f)) / n) / REVEALED]];
  const square = f + TURN * TURN * o - (f - TURN * o) ** 2;
  return [[(f - SHIFT - TURN * o) / SCALE, Math.sqrt(square / n) / SCALE]];
}""",
        "refusal": _JAVASCRIPT_NTH
        + _JAVASCRIPT_PLACE
        + f"""/** Exit with an error: the distribution of the categories is not identified. */
export function estimate() {{
  throw new Error("{_REFUSED}");
}}""",
        "usage": "CATEGORY HITS OUTSIDE N",
    },
    "cyclic": {
        "data": _JAVASCRIPT_RUNS + "\n" + _JAVASCRIPT_CHANCES,
        "sampler": """  const inside = below(COIN, word) < HEADS;
  return mod(nth(below(inside ? SIZE : MODULUS - SIZE, word), inside) - category, MODULUS);""",
        "collector": _JAVASCRIPT_NTH
        + _JAVASCRIPT_PLACE
        + """/** Return whether a report contains a category. */
export function holds(report, category) {
  return place((report + category) % MODULUS)[0];
}

"""
        + _JAVASCRIPT_SETS,
        "usage": "HITS N",
    },
}

_C_CHANCES = "static const double P_CHANCE = {p}, Q_CHANCE = {q};  // a report contains the truth, or another category"
_C_RUNS = """// run lengths, alternately inside and outside the set, without the last run
enum {{ MANY = {many} }};
static const u64 RUNS[] = {runs};
"""
_C_DIGEST = """static u64 REPORT[{k}];

// a digest of a list, for comparison with the test vectors
static u64 digest(u64 length) {{
  u64 h = 0;
  for (u64 i = 0; i < length; i++) h = (h * 65537 + REPORT[i] + 1) % 2147483647;
  return h;
}}

static void print_report(u64 length) {{
  for (u64 i = 0; i < length; i++) printf("%s%" PRIu64, i ? {separator} : "", REPORT[i]);
  puts("");
}}
"""
_C_NTH = """
// the element with the given rank inside the set, or outside
static u64 nth(u64 rank, int inside) {{
  u64 start = 0;
  for (int i = 0; i < MANY; start += RUNS[i++]) {{
    if ((i % 2 == 0) != inside) continue;
    if (rank < RUNS[i]) break;
    rank -= RUNS[i];
  }}
  return start + rank;
}}

// whether an element is in the set, and how many smaller elements are
static int is_inside(u64 element, u64 *rank) {{
  u64 before = 0;
  int i = 0;
  for (; i < MANY && element >= RUNS[i]; i++) {{
    element -= RUNS[i];
    before += i % 2 ? 0 : RUNS[i];
  }}
  *rank = before + element;
  return i % 2 == 0;
}}
"""
_C_SETS = """// print the unbiased estimate of a category and its standard error; HITS of N reports contain it
int estimate(int count, char **given) {
  if (count != 2) return 2;
  double n = atof(given[1]), rate = atof(given[0]) / n, scale = P_CHANCE - Q_CHANCE;
  printf("%.12g %.12g\\n", (rate - Q_CHANCE) / scale, sqrt(rate * (1 - rate) / n) / scale);
  return 0;
}"""
_C = {
    "subset": {
        "data": _C_CHANCES
        + "\n"
        + _C_DIGEST.replace("{separator}", '" "')
        + """
static unsigned char taken[{k}];

static int ascending(const void *a, const void *b) {{
  u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return (x > y) - (x < y);
}}
""",
        "sampler": """  u64 inside = below(COIN) < HEADS, length = 0;
  for (u64 j = K - 1 - (SIZE - inside); j < K - 1; j++) {
    u64 t = below(j + 1);
    if (taken[t]) t = j;
    taken[t] = 1;
    report[length++] = t;
  }
  for (u64 i = 0; i < length; i++) {
    taken[report[i]] = 0;
    report[i] += report[i] >= category;
  }
  if (inside) report[length++] = category;
  qsort(report, length, sizeof *report, ascending);
  return length;""",
        "collector": _C_SETS,
        "usage": "HITS N",
    },
    "bits": {
        "data": _C_CHANCES + "\n" + _C_DIGEST.replace("{separator}", '""'),
        "sampler": """  int truth = below(COIN) < HEADS;
  for (u64 y = 0; y < K; y++) report[y] = y == category ? truth : below(MISS_COIN) < MISS_HEADS;
  return K;""",
        "collector": _C_SETS,
        "usage": "HITS N",
    },
    "restricted": {
        "data": "// of the collector's estimate\n"
        "static const double SCALE = {scale}, SHIFT = {shift}, TURN = {turn}, REVEALED = {delta};\n\n"
        + _C_RUNS
        + _C_NTH,
        "bare": _C_RUNS + _C_NTH,
        "sampler": """  u64 rank, other;
  if (below(REVEAL_COIN) < REVEAL_HEADS) return category;
  if (!is_inside(category, &rank)) return nth(below(CHOSEN), 1);
  if (below(COIN) < HEADS) return category;
  other = below(CHOSEN - 1);
  return nth(other + (other >= rank), 1);""",
        "collector": """// print estimate and standard error: HITS of N reports equal CATEGORY,
// OUTSIDE are not in the set
int estimate(int count, char **given) {
  if (count != 4) return 2;
  u64 rank;
  double n = atof(given[3]), f = atof(given[1]) / n, o = atof(given[2]) / n;
  if (is_inside(strtoull(given[0], 0, 10), &rank)) {
    double square = f + TURN * TURN * o - (f - TURN * o) * (f - TURN * o);
    printf("%.12g %.12g\\n", (f - SHIFT - TURN * o) / SCALE, sqrt(square / n) / SCALE);
  } else printf("%.12g %.12g\\n", f / REVEALED, sqrt(f * (1 - f) / n) / REVEALED);
  return 0;
}""",
        "refusal": f"""// exit with an error: the distribution of the categories is not identified
int estimate(int count, char **given) {{
  fprintf(stderr, "{_REFUSED} (%d values from %s)\\n", count, given[0]);
  return 2;
}}""",
        "usage": "CATEGORY HITS OUTSIDE N",
    },
    "cyclic": {
        "data": _C_CHANCES + "\n" + _C_RUNS + _C_NTH,
        "sampler": """  int inside = below(COIN) < HEADS;
  return (nth(below(inside ? SIZE : MODULUS - SIZE), inside) + MODULUS - category) % MODULUS;""",
        "collector": """// whether a report contains a category
int holds(u64 report, u64 category) {
  u64 rank;
  return is_inside((report + category) % MODULUS, &rank);
}

"""
        + _C_SETS,
        "usage": "HITS N",
    },
}

_RUST_CHANCES = (
    "const P_CHANCE: f64 = {p}; // a report contains the truth\nconst Q_CHANCE: f64 = {q}; // or another category"
)
_RUST_RUNS = "const RUNS: &[u64] = {runs}; // run lengths, alternately inside and outside the set, without the last run"
_RUST_DIGEST = """/// A digest of a list, for comparison with the test vectors.
fn digest(report: &[u64]) -> u64 {
  report.iter().fold(0, |h, y| (h * 65537 + y + 1) % 2147483647)
}

fn joined(report: &[u64]) -> String {
  report.iter().map(u64::to_string).collect::<Vec<String>>().join(SEPARATOR)
}

"""
_RUST_NTH = """/// The element with the given rank inside the set, or outside.
fn nth(rank: u64, inside: bool) -> u64 {
  let (mut start, mut left) = (0, rank);
  for (i, length) in RUNS.iter().enumerate() {
    if (i % 2 == 0) == inside {
      if left < *length { break; }
      left -= *length;
    }
    start += *length;
  }
  start + left
}

/// Whether an element is in the set, and how many smaller elements are.
fn place(element: u64) -> (bool, u64) {
  let (mut before, mut left) = (0, element);
  for (i, length) in RUNS.iter().enumerate() {
    if left < *length { return (i % 2 == 0, before + left); }
    left -= *length;
    if i % 2 == 0 { before += *length; }
  }
  (RUNS.len() % 2 == 0, before + left)
}

"""
_RUST_SETS = """/// Print the unbiased estimate of a category and its standard error; HITS of N reports contain it.
pub fn estimate(given: &[f64]) {
  let (n, scale) = (given[1], P_CHANCE - Q_CHANCE);
  let rate = given[0] / n;
  println!("{} {}", (rate - Q_CHANCE) / scale, (rate * (1.0 - rate) / n).sqrt() / scale);
}"""
_RUST = {
    "subset": {
        "data": _RUST_CHANCES,
        "sampler": """  let inside = u64::from(below(COIN, word) < HEADS);
  let mut taken = std::collections::HashSet::new();
  for j in K - 1 - (SIZE - inside)..K - 1 {
    let t = below(j + 1, word);
    if !taken.insert(t) { taken.insert(j); }
  }
  let mut report: Vec<u64> = taken.into_iter().map(|y| y + u64::from(y >= category)).collect();
  if inside == 1 { report.push(category); }
  report.sort_unstable();
  report""",
        "collector": 'const SEPARATOR: &str = " ";\n\n' + _RUST_DIGEST + _RUST_SETS,
        "usage": "HITS N",
    },
    "bits": {
        "data": _RUST_CHANCES,
        "sampler": """  let truth = below(COIN, word) < HEADS;
  (0..K).map(|y| u64::from(if y == category { truth } else { below(MISS_COIN, word) < MISS_HEADS })).collect()""",
        "collector": 'const SEPARATOR: &str = "";\n\n' + _RUST_DIGEST + _RUST_SETS,
        "usage": "HITS N",
    },
    "restricted": {
        "data": _RUST_RUNS
        + "\nconst SCALE: f64 = {scale}; // of the collector's estimate\nconst SHIFT: f64 = {shift};\n"
        "const TURN: f64 = {turn};\nconst REVEALED: f64 = {delta};",
        "bare": _RUST_RUNS,
        "sampler": """  if below(REVEAL_COIN, word) < REVEAL_HEADS { return category; }
  let (inside, rank) = place(category);
  if !inside { return nth(below(CHOSEN, word), true); }
  if below(COIN, word) < HEADS { return category; }
  let other = below(CHOSEN - 1, word);
  nth(if other < rank { other } else { other + 1 }, true)""",
        "collector": _RUST_NTH
        + """/// Print estimate and standard error: HITS of N reports equal CATEGORY, OUTSIDE are not in the set.
pub fn estimate(given: &[f64]) {
  let (n, f, o) = (given[3], given[1] / given[3], given[2] / given[3]);
  if place(given[0] as u64).0 {
    let square = f + TURN * TURN * o - (f - TURN * o) * (f - TURN * o);
    println!("{} {}", (f - SHIFT - TURN * o) / SCALE, (square / n).sqrt() / SCALE);
  } else {
    println!("{} {}", f / REVEALED, (f * (1.0 - f) / n).sqrt() / REVEALED);
  }
}""",
        "refusal": _RUST_NTH
        + f"""/// Exit with an error: the distribution of the categories is not identified.
pub fn estimate(_given: &[f64]) {{
  eprintln!("{_REFUSED}");
  std::process::exit(2);
}}""",
        "usage": "CATEGORY HITS OUTSIDE N",
    },
    "cyclic": {
        "data": _RUST_RUNS + "\n" + _RUST_CHANCES,
        "sampler": """  let inside = below(COIN, word) < HEADS;
  (nth(below(if inside { SIZE } else { MODULUS - SIZE }, word), inside) + MODULUS - category) % MODULUS""",
        "collector": _RUST_NTH
        + """/// Whether a report contains a category.
pub fn holds(report: u64, category: u64) -> bool {
  place((report + category) % MODULUS).0
}

"""
        + _RUST_SETS,
        "usage": "HITS N",
    },
}

_SWIFT_CHANCES = "let P_CHANCE = {p}, Q_CHANCE = {q} // a report contains the truth, or another category"
_SWIFT_RUNS = "let RUNS: [UInt64] = {runs} // run lengths, alternately inside and outside the set, without the last run"
_SWIFT_DIGEST = """/// A digest of a list, for comparison with the test vectors.
func digest(_ report: [UInt64]) -> UInt64 {
  return report.reduce(UInt64(0)) { (h, y) in (h * 65537 + y + 1) % 2147483647 }
}

func joined(_ report: [UInt64]) -> String {
  return report.map { String($0) }.joined(separator: SEPARATOR)
}

"""
_SWIFT_NTH = """/// The element with the given rank inside the set, or outside.
func nth(_ rank: UInt64, _ inside: Bool) -> UInt64 {
  var (start, left) = (UInt64(0), rank)
  for (i, length) in RUNS.enumerated() {
    if (i % 2 == 0) == inside {
      if left < length { break }
      left -= length
    }
    start += length
  }
  return start + left
}

/// Whether an element is in the set, and how many smaller elements are.
func place(_ element: UInt64) -> (Bool, UInt64) {
  var (before, left) = (UInt64(0), element)
  for (i, length) in RUNS.enumerated() {
    if left < length { return (i % 2 == 0, before + left) }
    left -= length
    if i % 2 == 0 { before += length }
  }
  return (RUNS.count % 2 == 0, before + left)
}

"""
_SWIFT_SETS = """/// Print the unbiased estimate of a category and its standard error; HITS of N reports contain it.
func estimate(_ given: [Double]) {
  let (n, scale) = (given[1], P_CHANCE - Q_CHANCE)
  let rate = given[0] / n
  print((rate - Q_CHANCE) / scale, (rate * (1 - rate) / n).squareRoot() / scale)
}"""
_SWIFT = {
    "subset": {
        "data": _SWIFT_CHANCES,
        "sampler": """  let inside = below(COIN, word) < HEADS
  var taken = Set<UInt64>()
  for j in (K - 1 - SIZE + (inside ? 1 : 0))..<(K - 1) {
    let t = below(j + 1, word)
    taken.insert(taken.contains(t) ? j : t)
  }
  var report = taken.map { $0 < category ? $0 : $0 + 1 }
  if inside { report.append(category) }
  return report.sorted()""",
        "collector": 'let SEPARATOR = " "\n\n' + _SWIFT_DIGEST + _SWIFT_SETS,
        "usage": "HITS N",
    },
    "bits": {
        "data": _SWIFT_CHANCES,
        "sampler": """  let truth = below(COIN, word) < HEADS
  return (0..<K).map { (y: UInt64) -> UInt64 in
    (y == category ? truth : below(MISS_COIN, word) < MISS_HEADS) ? 1 : 0
  }""",
        "collector": 'let SEPARATOR = ""\n\n' + _SWIFT_DIGEST + _SWIFT_SETS,
        "usage": "HITS N",
    },
    "restricted": {
        "data": _SWIFT_RUNS
        + "\nlet SCALE = {scale}, SHIFT = {shift}, TURN = {turn}, REVEALED = {delta} // of the collector's estimate",
        "bare": _SWIFT_RUNS,
        "sampler": """  if below(REVEAL_COIN, word) < REVEAL_HEADS { return category }
  let (inside, rank) = place(category)
  if !inside { return nth(below(CHOSEN, word), true) }
  if below(COIN, word) < HEADS { return category }
  let other = below(CHOSEN - 1, word)
  return nth(other < rank ? other : other + 1, true)""",
        "collector": _SWIFT_NTH
        + """/// Print estimate and standard error: HITS of N reports equal CATEGORY, OUTSIDE are not in the set.
func estimate(_ given: [Double]) {
  let (n, f, o) = (given[3], given[1] / given[3], given[2] / given[3])
  if place(UInt64(given[0])).0 {
    let square = f + TURN * TURN * o - (f - TURN * o) * (f - TURN * o)
    print((f - SHIFT - TURN * o) / SCALE, (square / n).squareRoot() / SCALE)
  } else {
    print(f / REVEALED, (f * (1 - f) / n).squareRoot() / REVEALED)
  }
}""",
        "refusal": _SWIFT_NTH
        + f"""/// Exit with an error: the distribution of the categories is not identified.
func estimate(_ given: [Double]) {{
  print("{_REFUSED}")
  exit(2)
}}""",
        "usage": "CATEGORY HITS OUTSIDE N",
    },
    "cyclic": {
        "data": _SWIFT_RUNS + "\n" + _SWIFT_CHANCES,
        "sampler": """  let inside = below(COIN, word) < HEADS
  return (nth(below(inside ? SIZE : MODULUS - SIZE, word), inside) + MODULUS - category) % MODULUS""",
        "collector": _SWIFT_NTH
        + """/// Whether a report contains a category.
func holds(_ report: UInt64, _ category: UInt64) -> Bool {
  return place((report + category) % MODULUS).0
}

"""
        + _SWIFT_SETS,
        "usage": "HITS N",
    },
}

SET_PARTS = {"python": _PYTHON, "javascript": _JAVASCRIPT, "c": _C, "rust": _RUST, "swift": _SWIFT}


def _both(one: dict[str, str], bits: dict[str, str] | None = None) -> dict[str, dict[str, str]]:
    return {"subset": one, "bits": bits or one}


_C_FORM = {
    "signature": "u64 category, u64 *report",
    "found": "digest(randomize(VECTORS[vector].category, REPORT))",
    "printed": "print_report(randomize(x, REPORT))",
}
SET_FORMS = {
    "python": _both(
        {"signature": "", "found": "digest(found)", "printed": "*randomize(int(sys.argv[2]))"},
        {"signature": "", "found": "digest(found)", "printed": '*randomize(int(sys.argv[2])), sep=""'},
    ),
    "javascript": _both(
        {"signature": "", "found": "digest(found)", "printed": 'randomize(BigInt(given[0])).join(" ")'},
        {"signature": "", "found": "digest(found)", "printed": 'randomize(BigInt(given[0])).join("")'},
    ),
    "c": _both(_C_FORM),
    "rust": _both(
        {"signature": "Vec<u64>", "found": "digest(&found)", "printed": "joined(&randomize(x, &mut word))"},
    ),
    "swift": _both(
        {"signature": "[UInt64]", "found": "digest(found)", "printed": "joined(randomize(UInt64(given[1])!))"},
    ),
}
"""By language and kind: arguments or result of a sampler, what a test vector compares, and what a program prints."""
