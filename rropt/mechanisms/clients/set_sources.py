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


SET_PARTS = {"python": _PYTHON, "javascript": _JAVASCRIPT, "c": _C}


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
}
"""By language and kind: arguments or result of a sampler, what a test vector compares, and what a program prints."""
