"""The claims in rows of Vinterbo (2018) on figures, programs and laws: (name, true value, sign, stated value)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product as tuples
from math import comb, factorial, isqrt, prod
from typing import Any

import numpy as np
import sympy as sp

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt.claims.outcomes import value_text
from rropt.core.exact import decimal_text
from rropt_proofs._matrices import Numbers, Rows, adjugate_inverse, determinant, identity
from rropt_proofs.vinterbo2018._greenwood import centred_moments, mean_of_inverse
from rropt_proofs.vinterbo2018._paper import (
    Bits,
    bit_randomizer,
    draw_bit_randomizer,
    error_of_one,
    estimate,
    histograms,
    image,
    index,
    keeping,
    kept,
    privacy_loss,
    randomizer,
    ratio_of,
    shares,
    spread_of,
    steps,
    unrelated_question,
)

Case = dict[str, Any]
Law = frozenset[tuple[tuple[Any, ...], Fraction]]

KEPT = keeping(Fraction(3, 4))
FIGURES = {3: Fraction("0.2386"), 4: Fraction("0.0029")}
N = sp.Symbol("N", positive=True)  # 2^n
_DENOMINATOR = 10**20  # of the upper bound of the standard deviation: far finer than the four printed digits


def _draw_law(rng: random.Random) -> Case:
    n = rng.choice((1, 1, 2))
    bits = [draw_bit_randomizer(rng) for _ in range(n)]
    weights = [rng.randint(1, 12) for _ in range(2**n)]
    return {"C": randomizer(bits), "pi": tuple(Fraction(w, sum(weights)) for w in weights)}


def _draw_histogram(rng: random.Random) -> Case:
    n = rng.choice((1, 2))
    bits = [draw_bit_randomizer(rng) for _ in range(n)]
    return {"C": randomizer(bits), "y": tuple(rng.randint(1, 6) for _ in range(2**n))}


def _sorted(*bits: Rows) -> tuple[Rows, ...]:
    return tuple(sorted(bits, key=ratio_of, reverse=True))


def _draw_bits(rng: random.Random) -> tuple[Rows, ...]:
    chances = [[Fraction(rng.randint(1, 11), 12) for _ in range(2)] for _ in range(rng.randint(1, 2))]
    return _sorted(*(bit_randomizer(*pair) for pair in chances))


def _draw_table(rng: random.Random) -> tuple[Bits, ...]:
    n = rng.choice((2, 3))
    return tuple(tuple(rng.randint(0, 1) for _ in range(n)) for _ in range(rng.randint(1, 5)))


LAWS = Domain(
    "the matrix C of a randomizer (columns sum to 1), and pi",
    (
        {"C": KEPT, "pi": shares("1/2 1/2")},
        {"C": KEPT, "pi": shares("1/4 3/4")},
        {"C": identity(2), "pi": shares("1/3 2/3")},
        {"C": identity(2)[::-1], "pi": shares("1/3 2/3")},
        {"C": keeping(Fraction(1, 3)), "pi": shares("1/2 1/2")},
        {"C": randomizer([KEPT] * 2), "pi": shares("1/20 3/20 3/10 1/2")},
    ),
    _draw_law,
)
RESPONDENTS = Domain.values("m, the number of respondents", 1, 2, 3)
HISTOGRAMS = Domain(
    "the matrix C of a randomizer, and a histogram y of responses",
    (
        *({"C": KEPT, "y": y} for y in ((1, 0), (1, 1), (1, 3), (1, 4), (2, 3))),
        *({"C": randomizer([KEPT] * 2), "y": y} for y in ((1, 1, 1, 1), (3, 1, 1, 1))),
    ),
    _draw_histogram,
    entries={("C",): "0 <= x <= 1"},
    whole_groups=lambda case: [[("C", r, x) for r in range(len(case["C"]))] for x in range(len(case["C"]))],
)
SORTED_BITS = Domain(
    "bit randomizers, the largest l_M first",
    (
        (KEPT,),
        _sorted(bit_randomizer("4/5", "2/3"), KEPT),
        _sorted(keeping(Fraction(1, 2)), keeping(Fraction(9, 10)), bit_randomizer("1/2", "3/4")),
        _sorted(*[keeping(Fraction(1, 4))] * 3),
    ),
    _draw_bits,
)
MOST_BITS = Domain("k, the most bits in which two inputs differ", (1, 2, 3), lambda rng: rng.randint(1, 2), "x >= 1")
BIT_COUNTS = Domain("n, the number of bits", (1, 2, 3, 6), lambda rng: rng.randint(1, 9), "x >= 1")
TABLES = Domain(
    "the responses, bit 0 first",
    (((0, 1),), ((0, 1), (1, 1)), ((0, 0), (1, 1)), ((1, 1, 0), (0, 1, 0))),
    _draw_table,
)
CHOSEN = Domain.values("K, columns in order", (0,), (1,), (0, 1), (0, 2), (0, 1, 2))
INDEX = Domain("an index", (0, 1, 2, 6), lambda rng: rng.randrange(8), "x >= 0")


def invertible_case(case: Case) -> bool:
    """C is invertible"""
    return determinant(case["C"]) != 0


def in_simplex(case: Case) -> bool:
    """no entry of the estimate is negative"""
    return min(_estimate(case)) >= 0


def at_most_all(M: tuple[Rows, ...], k: int) -> bool:
    """k is at most n"""
    return k <= len(M)


def columns_of_table(R: tuple[Bits, ...], K: tuple[int, ...]) -> bool:
    """K are columns of R"""
    return max(K) < len(R[0])


def index_of_table(K: tuple[int, ...], i: int) -> bool:
    """i is an index: below 2^k"""
    return bool(i < 2 ** len(K))


def _error() -> tuple[Fraction, Fraction]:
    """Return the errors of one randomized and of one true response in the example."""
    pi, rows = shares("1/20 3/20 3/10 1/2"), unrelated_question(Fraction(1, 2), 2)
    return error_of_one(rows, pi), error_of_one(identity(4), pi)


def figure_1a(*, hundredths: int = 975) -> list[Row]:
    """The loss, from the laws of one randomized and one true response: (c - s)/(1 - s), s = pi^T pi."""
    error, direct = _error()
    return [("L of Proposition 3.1", error / direct, "~", f"{hundredths // 100}.{hundredths % 100}")]


def figure_1a_working() -> str:
    """The numbers in the quotient, and in its approximation."""
    (error, direct), ((_, approximation, _, _),) = _error(), figure_1a_approximation()
    s = 1 - direct
    return (
        f"c = {error + s}, s = pi^T pi = {s}: L = (c - s)/(1 - s) = ({error})/({direct}) = {error / direct} = "
        f"9.2677...\nwith 2/(2^2 + 1) in the place of s: {approximation}"
    )


def figure_1a_approximation(*, hundredths: int = 975) -> list[Row]:
    """The same with 2/(2^2 + 1) in the place of s, from c of the same device."""
    error, direct = _error()
    value = (error + 1 - direct - Fraction(2, 5)) / Fraction(3, 5)
    return [("L(2) = f_L(2/(2^2 + 1)), the approximation", value, "~", f"{hundredths // 100}.{hundredths % 100}")]


def _loss(p: Fraction, n: int, s: Fraction | None = None) -> Fraction:
    """Return f_L(s), by default at 2/(2^n + 1), of n bits of the unrelated-question device."""
    c, at = ((p**2 - 2 * p + 2) / (2 * (p - 1) ** 2)) ** n, Fraction(2, 2**n + 1) if s is None else s
    return (c - at) / (1 - at)


def figure_1b(n: int, p: Fraction, *, several: int = 1) -> list[Row]:
    """The loss at n bits against that of one bit less; L - 1 grows by more than c of one bit less its share."""
    now, before = _loss(p, n), _loss(p, n - 1) if n > 1 else Fraction(1)
    share = Fraction((2**n + 1) * (2 ** (n - 1) - 1), (2**n - 1) * (2 ** (n - 1) + 1)) if n > 1 else Fraction(0)
    growth = (now - 1) / (before - 1) if n > 1 else Fraction(1)
    return [
        ("L(n)", now, ">", several * before),
        ("(L(n) - 1)/(L(n-1) - 1)", growth, ">", several * share * _loss(p, 1, Fraction(0))),
    ]


def figure_1c(n: int, p: Fraction, *, least: Any = Fraction(1, 2), wide: Any = 16) -> list[Row]:
    """Chebyshev: where |S - E S| <= t the ratio is between those at both endpoints, as f_L grows."""
    t, (mean, variance, _), smallest = Fraction(1, 8), centred_moments(2**n), Fraction(1, 2**n)
    ends = [_loss(p, n, s) / _loss(p, n) for s in (max(mean - t, smallest), mean + t)]
    near = all(abs(end - 1) < Fraction(1, 4) for end in ends)
    return [
        ("the ratio for the uniform pi", _loss(p, n, smallest) / _loss(p, n), ">=", least),
        ("the share of pi with |ratio - 1| >= 1/4", variance / t**2 if near else 1, "<=", Fraction(wide, 4**n)),
    ]


def _mean_of_powers(first: int, rest: int, others: int) -> Fraction:
    """Return the mean of B^first (1-B)^rest, where B has the density others (1-u)^(others-1) on [0, 1]."""
    power = rest + others - 1  # integrate u^first (1-u)^power, expanded
    return others * sum((Fraction((-1) ** j * comb(power, j), first + j + 1) for j in range(power + 1)), Fraction(0))


def stick_breaking(size: int) -> tuple[Fraction, Fraction]:
    """Return the means of S and S^2, S = pi^T pi, for pi uniform on the simplex of ``size`` categories.

    The first share B leaves the others a proportion 1 - B, divided by a pi that is uniform on one category less and
    independent of B: ``S = B^2 + (1-B)^2 S'``.
    """
    one = two = Fraction(1)
    for others in range(1, size):
        squared, both = _mean_of_powers(0, 2, others), _mean_of_powers(2, 2, others)
        one, two = (
            _mean_of_powers(2, 0, others) + squared * one,
            _mean_of_powers(4, 0, others) + 2 * both * one + _mean_of_powers(0, 4, others) * two,
        )
    return one, two


def greenwood(n: int, *, over: Any = 1, less: Any = 1) -> list[Row]:
    """Both moments of the sum of squares, by breaking a stick."""
    one, two, size = *stick_breaking(2**n), Fraction(2) ** n
    variance = 4 * (size - less) / ((size + 1) ** 2 * (size + 2) * (size + 3))
    return [("E(pi^T pi)", one, "=", 2 / (size + over)), ("Var(pi^T pi)", two - one**2, "=", variance)]


def _mean_ratio(n: int, a: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of E f_L(S)/f_L(2/(2^n+1)); f_L(s) = 1 + (c-1)/(1-s)."""
    c, at = spread_of(a, n), Fraction(2, 2**n + 1)
    low, high = ((1 + (c - 1) * x) / (1 + (c - 1) / (1 - at)) for x in mean_of_inverse(2**n))
    return low, high


_ABOVE, _BELOW = "P(the ratio is at least 1)", "P(the ratio is at most 1 + delta(n))"


def proposition_4_7(n: int, a: Fraction, *, mean: bool = False, finer: int = 1, above: Any = 0) -> list[Row]:
    """Of the loss itself, an upper bound; of its mean, the ratio, which grows with c to E 1/(1-S) times 1 - E S.

    Below its mean S is with probability at least Var^2/(4 E(S-E S)^4) (Hoelder, twice).
    """
    if not mean:
        _, variance, fourth = centred_moments(2**n)
        likely = Fraction(99, 100)
        return [(_ABOVE, 1 - variance**2 / (4 * fourth), ">=", likely), (_BELOW, Fraction(1), ">=", likely)]
    low, _ = _mean_ratio(n, a)
    most = mean_of_inverse(2**n)[1] * (1 - Fraction(2, 2**n + 1))
    return [
        (_ABOVE, Fraction(int(low >= 1)), ">=", 1 + above),
        ("the ratio, whatever a", most, "<", 1 + FIGURES[n] / finer),
    ]


def proposition_4_7_working(n: int, a: Fraction) -> str:
    """What stands on both sides."""
    c, at, (mean, variance, fourth) = spread_of(a, n), Fraction(2, 2**n + 1), centred_moments(2**n)
    return (
        f"c = {c}, f_L({at}) = {(c - at) / (1 - at)}\n"
        f"S = pi^T pi has mean {mean}, variance {variance} and fourth centred moment {fourth}: it is below "
        f"its mean, and f_L(S) below f_L({at}), with probability at least "
        f"{decimal_text(variance**2 / (4 * fourth), 3)}"
    )


def proposition_4_7_mean(n: int, a: Fraction, *, finer: int = 1, least: Any = 1) -> list[Row]:
    """0 or 1 where the ratio is a number, decided by its bounds."""
    (low, high), limit, likely = _mean_ratio(n, a), 1 + FIGURES[n] / finer, Fraction(99, 100)
    if low < limit <= high or low < least <= high:
        raise ArithmeticError("the bounds of the mean do not decide")
    return [
        (_ABOVE, Fraction(int(low >= least)), ">=", likely),
        (_BELOW, Fraction(int(high < limit)), ">=", likely),
    ]


@cache
def _moments() -> tuple[sp.Expr, sp.Expr]:
    """Return mean and variance of S on N categories; the shares of a uniform pi have the moments of Dirichlet's law."""
    second, fourth = (sp.factorial(k) / sp.rf(N, k) for k in (2, 4))
    mean = sp.simplify(N * second)
    return mean, sp.factor(sp.simplify(N * fourth + N * (N - 1) * fourth / 6 - mean**2))


def proposition_4_7_figures(n: int, *, lower: Any = 0, power: int = 3) -> list[Row]:
    """delta = lambda Var(S)/(2 f_L(E S)), lambda = f_L''(E S + 10 sd) = 2 (c-1)/(1 - E S - 10 sd)^3, from above.

    (c-1)/f_L(E S) = (1 - E S)(c-1)/(c - E S) grows with c towards 1 - E S: the bound is one for every a. The order is
    decided by the limit of the same formula, for N = 2^n categories.
    """
    (mean, variance, _), general = centred_moments(2**n), _moments()
    if [Fraction(str(part.subs(N, 2**n))) for part in general] != [mean, variance]:
        raise ArithmeticError("the moments of S are others by another route")
    deviation = Fraction(isqrt(int(variance * _DENOMINATOR**2)) + 1, _DENOMINATOR)
    delta = variance * (1 - mean) / (1 - mean - 10 * deviation) ** 3
    growing = general[1] * (1 - general[0]) / (1 - general[0] - 10 * sp.sqrt(general[1])) ** 3
    order = bool(sp.limit(N**power * growing, N, sp.oo).is_finite)
    return [("delta(n)", delta, "<", FIGURES[n] - lower), ("2^{3n} delta(n) has a finite limit", order, "=", True)]


def _multiplications(n: int) -> int:
    """Return how many entries the recursion of Definition 4.1 multiplies: C_a(n) is a Kronecker product."""
    return _multiplications(n - 1) + 4 * 4 ** (n - 1) if n else 0


def proposition_4_8(n: int, *, factor: Any = Fraction(4, 3)) -> list[Row]:
    """The number of multiplications: those of C_a(n - 1), and one for each entry of the product."""
    return [("multiplications", Fraction(_multiplications(n)), "<=", factor * 4**n)]


def proposition_4_8_proof(n: int, k: Fraction, *, printed: bool = True, more: Any = 0) -> list[Row]:
    """The recursion t(n) = t_f(4^{n-1}) + t(n-1) from t(0) = 0, and the sum term by term."""
    terms = [4 * k * 4**i for i in range(n + 1)]
    time = sum(terms, Fraction(0)) if printed else 4 * k * Fraction(4**n - 1, 3)
    closed = 4 * k * (1 + Fraction(4**n - 1, 3)) if printed else 4 * k * Fraction(4 ** (n + 1) - 1, 3)
    return [
        ("t(n)", sum(terms[:-1], Fraction(0)), "=", time + more * k),
        ("4k sum_{i=0}^n 4^i", sum(terms, Fraction(0)), "=", closed + more * k),
    ]


def proposition_4_8_working(n: int, k: Fraction) -> str:
    """The terms."""
    (_, time, _, _), (_, whole, _, closed) = proposition_4_8_proof(n, k)
    made = " + ".join(f"4k 4^{i}" for i in range(n))
    return (
        f"k = {k}: C_a({n}) is made of products with C_a({n - 1}), ..., C_a(0), which have 4^{n - 1}, ..., 4^0 "
        f"entries: t = {made} = {time}; the printed sum has the term i = {n} as well\n"
        f"4k(4^0 + ... + 4^{n}) = {whole}, while 4k(1 + (4^{n} - 1)/3) = {closed}"
    )


def _estimate(case: Case) -> Numbers:
    return estimate(adjugate_inverse(case["C"]), case["y"])


def sec_3_2_mle(case: Case, *, least: Any = 0, less: Any = 0) -> list[Row]:
    """The estimate q, and the derivative of log L from q towards each category: sum_r y_r c_rx/(C q)_r - m."""
    rows, y, q = case["C"], case["y"], _estimate(case)
    seen = [(row, count / share) for row, count, share in zip(rows, y, image(rows, q), strict=True) if count]
    gains = [sum((row[x] * weight for row, weight in seen), Fraction(0)) - sum(y) for x in range(len(rows))]
    return [
        ("the least entry of the estimate", min(q), ">=", Fraction(least)),
        ("the largest gain of the log-likelihood towards a category", max(gains), "<=", Fraction(-less)),
    ]


def sec_3_2_mle_working(case: Case) -> str:
    """The estimate, which is no distribution."""
    y, back = case["y"], value_text(adjugate_inverse(case["C"]))
    return (
        f"m = {sum(y)}, y = {value_text(y)}, C^-1 = {back}: m^-1 C^-1 y = {value_text(_estimate(case))}, which has a "
        "negative entry: no distribution, and no parameter of Mult(m, pi)"
    )


def _counts(size: int, m: int) -> Iterator[Bits]:
    return (counts for counts in tuples(range(m + 1), repeat=size) if sum(counts) == m)


def _multinomial(m: int, chances: Numbers) -> Law:
    """Return Mult(m, chances): m!/prod y_r! times prod chances_r^y_r; what has probability 0 is left out."""
    law = {
        counts: Fraction(factorial(m), prod(map(factorial, counts)))
        * prod((share**y for share, y in zip(chances, counts, strict=True)), start=Fraction(1))
        for counts in _counts(len(chances), m)
    }
    return frozenset((tuple(map(Fraction, counts)), chance) for counts, chance in law.items() if chance)


def _sums(rows: Rows, truths: Bits) -> dict[Bits, Fraction]:
    """Return the law of the histogram of the responses: a respondent with the truth x answers by column x of C."""
    found: dict[Bits, Fraction] = {(0,) * len(rows): Fraction(1)}
    for x, count in enumerate(truths):
        longer: dict[Bits, Fraction] = {}
        for (before, one), (more, other) in tuples(
            found.items(), histograms(tuple(row[x] for row in rows), count).items()
        ):
            after = tuple(a + b for a, b in zip(before, more, strict=True))
            longer[after] = longer.get(after, Fraction(0)) + one * other
        found = longer
    return found


def sec_3_2_distribution(case: Case, m: int, *, responses: bool = False, randomized: bool = True) -> list[Row]:
    """The law of the vector C X, X the histogram of the truths; or of the histogram Y of the responses."""
    rows, law = case["C"], dict[Numbers, Fraction]()
    for truths, chance in histograms(case["pi"], m).items():
        vectors = _sums(rows, truths) if responses else {image(rows, tuple(map(Fraction, truths))): Fraction(1)}
        for vector, share in vectors.items():
            key = tuple(map(Fraction, vector))
            law[key] = law.get(key, Fraction(0)) + chance * share
    stated = _multinomial(m, image(rows, case["pi"]) if randomized else case["pi"])
    return [("the law of Y", frozenset((x, chance) for x, chance in law.items() if chance), "=", stated)]


def sec_3_2_distribution_working(case: Case, m: int) -> str:
    """The values of C X, which are no counts."""
    rows, pi = case["C"], case["pi"]
    values = [
        f"X = {value_text(X)} (probability {chance}): C X = {value_text(image(rows, tuple(map(Fraction, X))))}"
        for X, chance in sorted(histograms(pi, m).items())
    ]
    whole = value_text(_multinomial(m, image(rows, pi)))
    return "\n".join([*values, f"Mult(m, C pi) gives vectors of whole numbers: {whole}"])


def sec_4_3_privacy(M: tuple[Rows, ...], a: Fraction, k: int, *, last: bool = False, off: Any = 0) -> list[Row]:
    """The largest ratio of two entries of a row, over all pairs of inputs that differ in at most k bits."""
    r, n = max((1 - a) / a, a / (1 - a)), len(M)
    same, bound = kept(a, n), prod(map(ratio_of, M[-k:] if last else M[:k]), start=Fraction(1))
    return [
        ("l_M of C_a", ratio_of(keeping(a)), "=", r * (1 - off)),
        ("the largest ratio under R(M_0, ..., M_{n-1})", privacy_loss(randomizer(M), n, k), "<=", bound),
        ("the largest ratio under n bits with C_a", privacy_loss(same, n, k), "<=", r**k * (1 - off)),
        (
            "the largest l_M(r) without a bound on the bits, n bits with C_a",
            ratio_of(same),
            "<=",
            r**n * (1 - off),
        ),
    ]


PROGRAM = """
from numpy import array, kron, log2, bincount as bc, arange
def C(n, a):
  c, z = array([[a, 1-a], [1-a, a]]), array([1])
  return z if n < 1 else kron(c, C(n-1, a))
def pihat(a, Y):
  m, n = float(sum(Y)), int(log2(len(Y)))
  return C(n, a/(2*a - 1)).dot(Y)/m
def hist(R):
  _,n = R.shape
  x = 2**(n-1-arange(n))
  return bc(R.dot(x), minlength = 2**n)
"""
LOW = PROGRAM.replace("2**(n-1-arange(n))", "2**arange(n)")  # the first column is the lowest bit, as eta has it


@cache
def _program(text: str) -> dict[str, Callable[..., Any]]:
    """Return the functions of the program; ``float`` is an exact number in it, so that m is one."""
    names: dict[str, Any] = {"float": lambda count: Fraction(int(count))}
    exec(text, names)  # one of the two texts above, and no other
    return names


def implementation_1(
    R: tuple[Bits, ...], K: tuple[int, ...], a: Fraction, i: int, *, backwards: bool = False, turned: bool = False
) -> list[Row]:
    """Entry i of pihat(a, hist(R[:, K])); for the true form also that of the program with 2**arange(n)."""
    given = tuple(tuple(1 - bit for bit in row) for row in R) if turned else R
    found = []
    for text, order in ((PROGRAM, -1 if backwards else 1), *(((LOW, 1),) if backwards else ())):
        names, table = _program(text), np.array(R)
        entry = Fraction(names["pihat"](a, names["hist"](table[:, list(K)]))[i])
        name = "an entry of the program" if text == PROGRAM else "the same with x = 2**arange(n)"
        found.append((name, entry, "=", steps(given, K[::order], a)[i]))
    return found


def implementation_1_working(R: tuple[Bits, ...], K: tuple[int, ...], a: Fraction) -> str:
    """Both indices of the responses."""
    rows = [tuple(row[b] for b in K) for row in R]
    listed = ", ".join(f"{value_text(row)}: eta = {index(row)}, in the program {index(row[::-1])}" for row in rows)
    section, program = (value_text(steps(R, K[::order], a)) for order in (1, -1))
    return (
        f"the bits in K of the responses, with their indices: {listed}\n"
        f"the estimate of section 4.2 is {section}, the program gives {program}"
    )
