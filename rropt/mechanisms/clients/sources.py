"""Source code of clients: a frame for each language, and a few lines for each kind of sampler.

Frames are format strings: names in single braces are replaced, and double braces become braces of the language. The
kinds whose reports are sets, or whose set of categories is stored as runs, are in ``set_sources``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rropt.mechanisms.clients.set_sources import SET_FORMS, SET_PARTS

ABOUT = "Draws reports of a randomized response mechanism with k = {k} categories and m = {m} outputs, exactly."
LAW = "The integers below define the exact distribution. Randomness: operating system. Not constant-time."


class Source(NamedTuple):
    """The templates and formatting functions of one language."""

    frame: str
    parts: dict[str, dict[str, str]]
    number: Callable[[str, int], str]
    lists: Callable[[Sequence[Sequence[int]]], str]
    floats: Callable[[Sequence[Sequence[float]]], str]
    vectors: Callable[[Sequence[tuple[int, tuple[int, ...], int, int]]], str]
    runs: Callable[[Sequence[int]], str]
    form: dict[str, str]  # how a report that is a single number is returned, tested and printed

    def form_of(self, kind: str, language: str) -> dict[str, str]:
        """Return the code that returns, tests and prints the reports of a kind."""
        return SET_FORMS[language].get(kind, self.form)


def _nested(opening: str, closing: str, suffix: str = "") -> Callable[[Sequence[Sequence[Any]]], str]:
    def written(rows: Sequence[Sequence[Any]]) -> str:
        lines = (f"{opening}{', '.join(f'{x!r}{suffix}' for x in row)}{closing}" for row in rows)
        return ",\n  ".join(lines)

    return written


_PYTHON = '''"""{about}

{law}
Identity: SHA-256 of the mechanism's JSON. As a program: test | draw X N | estimate {usage}
"""

import math
import os
import sys

IDENTITY = "{{identity}}"
K = {{k}}
{{numbers}}
{{data}}
VECTORS = (  # category, words of 64 bits (then zeros), number of words drawn, report
  {{vectors}},
)


def below(n, word=lambda: int.from_bytes(os.urandom(8), "little")):
    """Return a uniform integer below n: a masked word is drawn until it is below n."""
    mask = (1 << (n - 1).bit_length()) - 1
    while True:
        u = word() & mask
        if u < n:
            return u


def randomize(category, below=below):
    """Return a report of a category, 0 to K - 1."""
{{sampler}}

{{collector}}

def test():
    """Return whether all test vectors pass."""
    for category, words, drawn, report in VECTORS:
        taken = []

        def word():
            taken.append(words[len(taken)] if len(taken) < len(words) else 0)
            return taken[-1]

        found = randomize(category, lambda n: below(n, word))
        if {{found}} != report or len(taken) != drawn:
            print("vector fails", category, words, report)
            return False
    return True


if __name__ == "__main__":
    if sys.argv[1] == "test":
        sys.exit(0 if test() and not print("ok") else 1)
    if sys.argv[1] == "draw":
        for _ in range(int(sys.argv[3])):
            print({{printed}})
    else:
        estimate(*map(int, sys.argv[2:]))
'''
_PYTHON_COLUMNS = {
    "data": "COLUMNS = (  # cumulative weights of each category\n  {columns},\n)\nESTIMATOR = (\n  {estimator},\n)",
    "sampler": """    column, i = COLUMNS[category], 0
    u = below(column[-1])
    while column[i] <= u:
        i += 1
    return i
""",
    "collector": '''def estimate(*counts):
    """Print estimate and standard error of each category from the counts of all outputs."""
    n = sum(counts)
    for row in ESTIMATOR:
        share = sum(a * c for a, c in zip(row, counts)) / n
        square = sum(a * a * c for a, c in zip(row, counts)) / n
        print(share, math.sqrt(max(square - share * share, 0) / n))
''',
    "usage": "COUNTS...",
}
_PYTHON_SETS = '''def estimate(hits, n):
    """Print the unbiased estimate of a category and its standard error; hits of n reports contain it."""
    rate = hits / n
    print((rate - Q_CHANCE) / (P_CHANCE - Q_CHANCE), math.sqrt(rate * (1 - rate) / n) / (P_CHANCE - Q_CHANCE))
'''
_PYTHON_CHANCES = "P_CHANCE, Q_CHANCE = {p}, {q}  # a report contains the truth, or another category"
_PYTHON_HOLDS = {
    "direct": "    return report == category\n",
    "interval": """    a, b = report // Q + 1, report % Q
    return (a * category + b) % Q < SIZE
""",
    "classes": """    i, y = report // Q, (category + report % Q) % Q
    if y == 0:
        return ZERO == 1
    power, root, place = pow(y, (Q - 1) // INDEX, Q), 1, 0
    while root != power:
        root, place = root * pow(ROOT, (Q - 1) // INDEX, Q) % Q, place + 1
    return (i + place) % INDEX < COSETS
""",
    "hash": """    a, total = report // Q + 1, report % Q
    while a:
        a, category, total = a // Q, category // Q, total + a % Q * (category % Q)
    return total % Q < SIZE
""",
    "projective": """    total, (v, _), (w, _) = 0, vector(report), vector(category)
    while v and w:
        total, v, w = total + v % Q * (w % Q), v // Q, w // Q
    return (total % Q != 0) == (COMPLEMENT == 1)
""",
}
_PYTHON_VECTOR = '''def vector(point):
    """Return a point as a number to base Q with first digit 1, and the power of Q of this digit."""
    power = 1
    while point >= power:
        point, power = point - power, power * Q
    return power + point, power


'''


def _python_sets(kind: str, lines: str) -> dict[str, str]:
    holds = (
        'def holds(report, category):\n    """Return whether a report contains a category."""\n'
        f"{_PYTHON_HOLDS[kind]}\n\n"
    )
    if kind == "projective":
        holds = _PYTHON_VECTOR + holds
    return {"data": _PYTHON_CHANCES, "sampler": lines, "collector": holds + _PYTHON_SETS, "usage": "HITS N"}


_PYTHON_PARTS = {
    "columns": _PYTHON_COLUMNS,
    "direct": _python_sets(
        "direct",
        """    if below(COIN) < HEADS:
        return category
    other = below(K - 1)
    return other + (other >= category)
""",
    ),
    "interval": _python_sets(
        "interval",
        """    inside = below(COIN) < HEADS
    value = below(SIZE) if inside else SIZE + below(Q - SIZE)
    a = 1 + below(Q - 1)
    return (a - 1) * Q + (value - a * category) % Q
""",
    ),
    "classes": _python_sets(
        "classes",
        """    inside = below(COIN) < HEADS
    many, part = (COSETS if inside else INDEX - COSETS), (Q - 1) // INDEX
    rank = below(many * part + (ZERO if inside else 1 - ZERO))
    i, y = below(INDEX), 0
    if rank < many * part:
        exponent = rank // many * INDEX + (0 if inside else COSETS) + rank % many
        y = pow(ROOT, (exponent + Q - 1 - i) % (Q - 1), Q)
    return i * Q + (y - category) % Q
""",
    ),
    "hash": _python_sets(
        "hash",
        """    inside = below(COIN) < HEADS
    value = below(SIZE) if inside else SIZE + below(Q - SIZE)
    first = below(SPACE - 1)
    a = first + 1
    while a:
        a, category, value = a // Q, category // Q, value - a % Q * (category % Q)
    return first * Q + value % Q
""",
    ),
    "projective": _python_sets(
        "projective",
        """    inside = below(COIN) < HEADS
    orthogonal = 0 if inside == (COMPLEMENT == 1) else 1
    x, unit = vector(category)
    rest = orthogonal + below(SPACE - orthogonal)
    low, total = rest % unit, 0
    a = low
    while a:
        a, x, total = a // Q, x // Q, total + a % Q * (x % Q)
    a = (rest // unit * Q + (1 - orthogonal - total) % Q) * unit + low
    first, top = 0, 1
    while a // top >= Q:
        first, top = first + top, top * Q
    scale, place = pow(a // top, Q - 2, Q), 1
    while place < top:
        first += a // place % Q * scale % Q * place
        place *= Q
    return first
""",
    ),
}

_JAVASCRIPT = """// {about}
// {law}
// Identity: SHA-256 of the mechanism's JSON. In Node: test | draw X N | estimate {usage}

export const IDENTITY = "{{identity}}";
const K = {{k}}n;
{{numbers}}
{{data}}
const VECTORS = [ // category, words of 64 bits (then zeros), number of words drawn, report
  {{vectors}},
];

const systemWord = () => crypto.getRandomValues(new BigUint64Array(1))[0];

/** Return a uniform integer below n: a masked word is drawn until it is below n. */
function below(n, word) {{{{
  const mask = n === 1n ? 0n : (1n << BigInt((n - 1n).toString(2).length)) - 1n;
  for (;;) {{{{
    const u = word() & mask;
    if (u < n) return u;
  }}}}
}}}}

const mod = (x, q) => ((x % q) + q) % q;

function power(base, exponent, q) {{{{
  let result = 1n;
  for (let [b, e] = [base, exponent]; e > 0n; e >>= 1n, b = (b * b) % q) if (e & 1n) result = (result * b) % q;
  return result;
}}}}

/** Return a report of a category, 0n to K - 1n. */
export function randomize(category, word = systemWord) {{{{
{{sampler}}
}}}}

{{collector}}

/** Return whether all test vectors pass. */
export function test() {{{{
  return VECTORS.every(([category, words, drawn, report]) => {{{{
    let taken = 0;
    const found = randomize(category, () => words[taken++] ?? 0n);
    return {{found}} === report && taken === drawn;
  }}}});
}}}}

if (typeof process !== "undefined" && process.argv[2]) {{{{
  const [, , command, ...given] = process.argv;
  if (command === "test") {{{{
    const ok = test();
    console.log(ok ? "ok" : "a vector fails");
    process.exitCode = ok ? 0 : 1;
  }}}} else if (command === "draw") {{{{
    for (let i = 0; i < Number(given[1]); i++) console.log(`${{{{{{printed}}}}}}`);
  }}}} else estimate(given.map(Number)).forEach((row) => console.log(row.join(" ")));
}}}}
"""
_JAVASCRIPT_SETS = """/** Return [[estimate, standard error]] of a category that `hits` of n reports contain. */
export function estimate([hits, n]) {{
  const rate = hits / n;
  return [[(rate - Q_CHANCE) / (P_CHANCE - Q_CHANCE), Math.sqrt((rate * (1 - rate)) / n) / (P_CHANCE - Q_CHANCE)]];
}}""".replace("{{", "{").replace("}}", "}")
_JAVASCRIPT_HOLDS = {
    "direct": "  return report === category;",
    "interval": "  return mod((report / Q + 1n) * category + (report % Q), Q) < SIZE;",
    "classes": """  const y = mod(category + (report % Q), Q);
  if (y === 0n) return ZERO === 1n;
  const [wanted, step] = [power(y, (Q - 1n) / INDEX, Q), power(ROOT, (Q - 1n) / INDEX, Q)];
  let [root, place] = [1n, 0n];
  for (; root !== wanted; place++) root = (root * step) % Q;
  return (report / Q + place) % INDEX < COSETS;""",
    "hash": """  let total = report % Q;
  for (let [a, x] = [report / Q + 1n, category]; a > 0n; a /= Q, x /= Q) total += (a % Q) * (x % Q);
  return total % Q < SIZE;""",
    "projective": """  let total = 0n;
  let [v, w] = [vector(report)[0], vector(category)[0]];
  for (; v > 0n && w > 0n; v /= Q, w /= Q) total += (v % Q) * (w % Q);
  return (total % Q !== 0n) === (COMPLEMENT === 1n);""",
}
_JAVASCRIPT_VECTOR = """/** Return a point as a base-Q number with first digit 1, and the power of Q of this digit. */
function vector(point) {
  let power = 1n;
  for (; point >= power; power *= Q) point -= power;
  return [power + point, power];
}

"""


def _javascript_sets(kind: str, lines: str) -> dict[str, str]:
    holds = (
        "/** Return whether a report contains a category. */\nexport function holds(report, category) {\n"
        f"{_JAVASCRIPT_HOLDS[kind]}\n}}\n\n"
    )
    if kind == "projective":
        holds = _JAVASCRIPT_VECTOR + holds
    data = "const [P_CHANCE, Q_CHANCE] = [{p}, {q}]; // a report contains the truth, or another category"
    return {"data": data, "sampler": lines, "collector": holds + _JAVASCRIPT_SETS, "usage": "HITS N"}


_JAVASCRIPT_PARTS = {
    "columns": {
        "data": "const COLUMNS = [ // cumulative weights of each category\n  {columns},\n];\n"
        "const ESTIMATOR = [\n  {estimator},\n];",
        "sampler": """  const column = COLUMNS[Number(category)];
  const u = below(column[column.length - 1], word);
  return BigInt(column.findIndex((c) => u < c));""",
        "collector": """/** Return [estimate, standard error] of each category from the counts of all outputs. */
export function estimate(counts) {
  const n = counts.reduce((a, b) => a + b, 0);
  return ESTIMATOR.map((row) => {
    const share = row.reduce((total, a, i) => total + a * counts[i], 0) / n;
    const square = row.reduce((total, a, i) => total + a * a * counts[i], 0) / n;
    return [share, Math.sqrt(Math.max(square - share * share, 0) / n)];
  });
}""",
        "usage": "COUNTS...",
    },
    "direct": _javascript_sets(
        "direct",
        """  if (below(COIN, word) < HEADS) return category;
  const other = below(K - 1n, word);
  return other < category ? other : other + 1n;""",
    ),
    "interval": _javascript_sets(
        "interval",
        """  const inside = below(COIN, word) < HEADS;
  const value = inside ? below(SIZE, word) : SIZE + below(Q - SIZE, word);
  const a = 1n + below(Q - 1n, word);
  return (a - 1n) * Q + mod(value - a * category, Q);""",
    ),
    "classes": _javascript_sets(
        "classes",
        """  const inside = below(COIN, word) < HEADS;
  const [many, part] = [inside ? COSETS : INDEX - COSETS, (Q - 1n) / INDEX];
  const rank = below(many * part + (inside ? ZERO : 1n - ZERO), word);
  const i = below(INDEX, word);
  let y = 0n;
  if (rank < many * part) {
    const exponent = (rank / many) * INDEX + (inside ? 0n : COSETS) + (rank % many);
    y = power(ROOT, (exponent + Q - 1n - i) % (Q - 1n), Q);
  }
  return i * Q + mod(y - category, Q);""",
    ),
    "hash": _javascript_sets(
        "hash",
        """  const inside = below(COIN, word) < HEADS;
  let value = inside ? below(SIZE, word) : SIZE + below(Q - SIZE, word);
  const first = below(SPACE - 1n, word);
  for (let [a, x] = [first + 1n, category]; a > 0n; a /= Q, x /= Q) value -= (a % Q) * (x % Q);
  return first * Q + mod(value, Q);""",
    ),
    "projective": _javascript_sets(
        "projective",
        """  const inside = below(COIN, word) < HEADS;
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
  return first;""",
    ),
}

_C = """// {about}
// {law}
// Identity: SHA-256 of the mechanism's JSON. Link with -lm. As a program: test | draw X N | estimate {usage}
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
typedef uint64_t u64;

const char IDENTITY[] = "{{identity}}";
enum {{{{ COUNT = {{count}}, MOST = {{most}} }}}};
static const u64 K = {{k}}u;
{{numbers}}
{{data}}
// category, length, words of 64 bits (then zeros), number of words drawn, report
static const struct {{{{ u64 category, length, words[MOST], drawn, report; }}}} VECTORS[COUNT] = {{{{
  {{vectors}},
}}}};

static u64 system_word(void) {{{{
  u64 w;
  if (getrandom(&w, sizeof w, 0) != sizeof w) abort();
  return w;
}}}}
static u64 (*word)(void) = system_word;

// a uniform integer below n: a masked word is drawn until it is below n
static u64 below(u64 n) {{{{
  u64 mask = n - 1, u;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  do u = word() & mask; while (u >= n);
  return u;
}}}}

static inline u64 power(u64 base, u64 exponent, u64 q) {{{{
  u64 result = 1;
  for (; exponent; exponent >>= 1, base = base * base % q) if (exponent & 1) result = result * base % q;
  return result;
}}}}

// a report of a category, 0 to K - 1
u64 randomize({{signature}}) {{{{
{{sampler}}
}}}}

{{collector}}

static u64 vector, place;
static u64 vector_word(void) {{{{
  return place < VECTORS[vector].length ? VECTORS[vector].words[place++] : (place++, 0);
}}}}

int test(void) {{{{
  word = vector_word;
  for (vector = 0; vector < COUNT; vector++) {{{{
    place = 0;
    if ({{found}} != VECTORS[vector].report || place != VECTORS[vector].drawn) {{{{
      printf("vector %" PRIu64 " fails\\n", vector);
      return 1;
    }}}}
  }}}}
  word = system_word;
  puts("ok");
  return 0;
}}}}

int main(int argc, char **argv) {{{{
  if (argc > 1 && !strcmp(argv[1], "test")) return test();
  if (argc > 3 && !strcmp(argv[1], "draw")) {{{{
    u64 x = strtoull(argv[2], 0, 10), n = strtoull(argv[3], 0, 10);
    if (x >= K) return 2;
    while (n--) {{printed}};
    return 0;
  }}}}
  return argc > 3 && !strcmp(argv[1], "estimate") ? estimate(argc - 2, argv + 2) : 2;
}}}}
"""
_C_SETS = """// print the unbiased estimate of a category and its standard error; HITS of N reports contain it
int estimate(int count, char **given) {
  if (count != 2) return 2;
  double n = atof(given[1]), rate = atof(given[0]) / n, scale = P_CHANCE - Q_CHANCE;
  printf("%.12g %.12g\\n", (rate - Q_CHANCE) / scale, sqrt(rate * (1 - rate) / n) / scale);
  return 0;
}"""
_C_HOLDS = {
    "direct": "  return report == category;",
    "interval": "  return ((report / Q + 1) * category + report % Q) % Q < SIZE;",
    "classes": """  u64 y = (category + report % Q) % Q;
  if (!y) return ZERO == 1;
  u64 wanted = power(y, (Q - 1) / INDEX, Q), step = power(ROOT, (Q - 1) / INDEX, Q), place = 0;
  for (u64 root = 1; root != wanted; place++) root = root * step % Q;
  return (report / Q + place) % INDEX < COSETS;""",
    "hash": """  u64 total = report % Q;
  for (u64 a = report / Q + 1, x = category; a; a /= Q, x /= Q) total = (total + a % Q * (x % Q)) % Q;
  return total < SIZE;""",
    "projective": """  u64 total = 0, unit, v = point_of(report, &unit), w = point_of(category, &unit);
  for (; v && w; v /= Q, w /= Q) total = (total + v % Q * (w % Q)) % Q;
  return (total != 0) == COMPLEMENT;""",
}
_C_VECTOR = """// a point as a number to base Q with first digit 1, and the power of Q of this digit
static u64 point_of(u64 point, u64 *power) {
  for (*power = 1; point >= *power; *power *= Q) point -= *power;
  return *power + point;
}
"""


def _c_sets(kind: str, lines: str) -> dict[str, str]:
    holds = f"// whether a report contains a category\nint holds(u64 report, u64 category) {{\n{_C_HOLDS[kind]}\n}}\n\n"
    data = "static const double P_CHANCE = {p}, Q_CHANCE = {q};  // a report contains the truth, or another category"
    if kind == "projective":
        data += "\n\n" + _C_VECTOR.replace("{", "{{").replace("}", "}}").rstrip()
    return {"data": data, "sampler": lines, "collector": holds + _C_SETS, "usage": "HITS N"}


_C_PARTS = {
    "columns": {
        "data": "static const u64 M = {m}u;\n"
        "static const u64 COLUMNS[][{m}] = {{  // cumulative weights of each category\n  {columns},\n}};\n"
        "static const double ESTIMATOR[][{m}] = {{\n  {estimator},\n}};",
        "sampler": """  const u64 *column = COLUMNS[category];
  u64 u = below(column[M - 1]), i = 0;
  while (column[i] <= u) i++;
  return i;""",
        "collector": """// print estimate and standard error of each category from the counts of all outputs
int estimate(int count, char **given) {
  if ((u64)count != M) return 2;
  double n = 0;
  for (u64 i = 0; i < M; i++) n += atof(given[i]);
  for (u64 j = 0; j < K; j++) {
    double share = 0, square = 0;
    for (u64 i = 0; i < M; i++) {
      double a = ESTIMATOR[j][i], c = atof(given[i]) / n;
      share += a * c;
      square += a * a * c;
    }
    printf("%.12g %.12g\\n", share, sqrt(fmax(square - share * share, 0) / n));
  }
  return 0;
}""",
        "usage": "COUNTS...",
    },
    "direct": _c_sets(
        "direct",
        """  if (below(COIN) < HEADS) return category;
  u64 other = below(K - 1);
  return other + (other >= category);""",
    ),
    "interval": _c_sets(
        "interval",
        """  int inside = below(COIN) < HEADS;
  u64 value = inside ? below(SIZE) : SIZE + below(Q - SIZE);
  u64 a = 1 + below(Q - 1);
  return (a - 1) * Q + (value + Q - a * category % Q) % Q;""",
    ),
    "classes": _c_sets(
        "classes",
        """  int inside = below(COIN) < HEADS;
  u64 many = inside ? COSETS : INDEX - COSETS, part = (Q - 1) / INDEX;
  u64 rank = below(many * part + (inside ? ZERO : 1 - ZERO)), i = below(INDEX), y = 0;
  if (rank < many * part) {
    u64 exponent = rank / many * INDEX + (inside ? 0 : COSETS) + rank % many;
    y = power(ROOT, (exponent + Q - 1 - i) % (Q - 1), Q);
  }
  return i * Q + (y + Q - category % Q) % Q;""",
    ),
    "hash": _c_sets(
        "hash",
        """  int inside = below(COIN) < HEADS;
  u64 value = inside ? below(SIZE) : SIZE + below(Q - SIZE), first = below(SPACE - 1);
  for (u64 a = first + 1, x = category; a; a /= Q, x /= Q) value = (value + Q - a % Q * (x % Q) % Q) % Q;
  return first * Q + value;""",
    ),
    "projective": _c_sets(
        "projective",
        """  int inside = below(COIN) < HEADS;
  u64 orthogonal = inside != (int)COMPLEMENT, unit, x = point_of(category, &unit);
  u64 rest = orthogonal + below(SPACE - orthogonal), low = rest % unit, total = 0, first = 0, top = 1;
  for (u64 a = low; a; a /= Q, x /= Q) total = (total + a % Q * (x % Q)) % Q;
  u64 a = (rest / unit * Q + (1 - orthogonal + Q - total) % Q) * unit + low;
  for (; a / top >= Q; top *= Q) first += top;
  u64 scale = power(a / top, Q - 2, Q);
  for (u64 place = 1; place < top; place *= Q) first += a / place % Q * scale % Q * place;
  return first;""",
    ),
}


def _vectors(line: Callable[[int, tuple[int, ...], int, int], str]) -> Callable[[Any], str]:
    return lambda rows: ",\n  ".join(line(*row) for row in rows)


def _c_list(words: Sequence[int]) -> str:
    """Return a C initializer; it is never empty, because C has no empty arrays."""
    return "{" + (", ".join(f"{w}u" for w in words) or "0") + "}"


def _tuple(words: Sequence[int]) -> str:
    return "(" + "".join(f"{w}, " for w in words).rstrip() + ")"


SOURCES = {
    "python": Source(
        _PYTHON,
        {**_PYTHON_PARTS, **SET_PARTS["python"]},
        lambda name, value: f"{name} = {value}",
        _nested("(", ",)"),
        _nested("(", ",)"),
        _vectors(lambda x, words, drawn, report: f"({x}, {_tuple(words)}, {drawn}, {report})"),
        _tuple,
        {"signature": "", "found": "found", "printed": "randomize(int(sys.argv[2]))"},
    ),
    "javascript": Source(
        _JAVASCRIPT,
        {**_JAVASCRIPT_PARTS, **SET_PARTS["javascript"]},
        lambda name, value: f"const {name} = {value}n;",
        _nested("[", "]", "n"),
        _nested("[", "]"),
        _vectors(lambda x, words, drawn, r: f"[{x}n, [{', '.join(f'{w}n' for w in words)}], {drawn}, {r}n]"),
        lambda runs: f"[{', '.join(f'{n}n' for n in runs)}]",
        {"signature": "", "found": "found", "printed": "randomize(BigInt(given[0]))"},
    ),
    "c": Source(
        _C,
        {**_C_PARTS, **SET_PARTS["c"]},
        lambda name, value: f"static const u64 {name} = {value}u;",
        _nested("{", "}", "u"),
        _nested("{", "}"),
        _vectors(lambda x, words, n, r: f"{{{x}u, {len(words)}, {_c_list(words)}, {n}, {r}u}}"),
        lambda runs: _c_list(runs),
        {
            "signature": "u64 category",
            "found": "randomize(VECTORS[vector].category)",
            "printed": 'printf("%" PRIu64 "\\n", randomize(x))',
        },
    ),
}
