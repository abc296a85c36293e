"""Claims of the literature in rows: each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt_proofs._matrices import Numbers, Rows

Case = dict[str, Any]

_SIZES = {"(4, 2)": (4, 2), "(5, 3)": (5, 3), "(6, 3)": (6, 3), "(8, 2)": (8, 2)}
_SAVED = {"(4, 2)": Fraction(1, 6), "(5, 3)": Fraction(17, 125), "(6, 3)": Fraction(5, 49), "(8, 2)": Fraction(37, 279)}

SIZES = Domain.values("the number of values and gamma: (4, 2), (5, 3), (6, 3) or (8, 2)", *_SIZES)


def _bipartite(count: int, gamma: int) -> Fraction:
    """Return the least expected distance of a bipartite mechanism over the number of near values."""
    distances = [sorted(abs(x - y) for y in range(count)) for x in range(count)]
    return min(
        Fraction(sum(gamma * sum(d[:near]) + sum(d[near:]) for d in distances), count * (near * gamma + count - near))
        for near in range(1, count + 1)
    )


def _binned(count: int, gamma: int) -> Fraction:
    """Return the least expected distance of randomized response on some values, each truth sent to the nearest."""
    best = []
    for size in range(1, count + 1):
        for bins in combinations(range(count), size):
            distances = [sorted(abs(x - y) for y in bins) for x in range(count)]
            best.append(Fraction(sum(gamma * d[0] + sum(d[1:]) for d in distances), count * (gamma + size - 1)))
    return min(best)


def bipartite_figures(case: str, *, more: int = 0) -> list[Row]:
    """The losses of both forms, by enumeration."""
    count, gamma = _SIZES[case]
    loss, better = _bipartite(count, gamma), _binned(count, gamma)
    return [("the share of the loss that is saved", 1 - better / loss, "=", _SAVED[case] + more)]


def _losses(name: str, count: int) -> Rows:
    """Return the loss of each report, for each truth."""

    def of(x: int) -> int:
        return abs(x) if name == "absolute" else x * x if name == "squared" else int(x != 0)

    return tuple(tuple(Fraction(of(d - j)) for j in range(count)) for d in range(count))


def _priors(count: int, parts: int) -> list[Numbers]:
    found = product(range(parts + 1), repeat=count - 1)
    return [tuple(Fraction(x, parts) for x in (*left, parts - sum(left))) for left in found if sum(left) <= parts]


_CASES = tuple(
    {"loss": loss, "gamma": gamma, "prior": prior}
    for loss in ("absolute", "squared", "zero-one")
    for gamma in (2, 3, 8)
    for prior in _priors(3, 4)
)
CASES = Domain.values(
    "an absolute, squared or zero-one loss, gamma of 2, 3 or 8, and a prior of three values in quarters", *_CASES
)


def _solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the solution of the three equations whose right sides are 1, by Cramer's rule."""

    def det(m: list[list[Fraction]]) -> Fraction:
        (a, b, c), (d, e, f), (g, h, i) = m
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    whole = det(rows)
    if whole == 0:
        return None
    one = Fraction(1)
    return [det([[one if at == col else x for at, x in enumerate(row)] for row in rows]) / whole for col in range(3)]


@cache
def _vertices(gamma: int) -> tuple[tuple[tuple[Numbers, ...], tuple[Fraction, ...]], ...]:
    """Return three staircase rows and their weights, at each vertex of the mechanisms of such rows."""
    stairs = [tuple(map(Fraction, row)) for row in product((1, gamma), repeat=3)][:-1]  # the last is a multiple
    found = []
    for basis in combinations(stairs, 3):
        weights = _solved([list(column) for column in zip(*basis, strict=True)])
        if weights is not None and min(weights) >= 0:
            found.append((basis, tuple(weights)))
    return tuple(found)


def rr_on_bins(case: Case, *, more: int = 0) -> list[Row]:
    """The optimum over all staircase rows, each with its best report; and over all sets of bins."""
    loss, prior, gamma = _losses(case["loss"], 3), case["prior"], case["gamma"]
    weighted = [[p * x for p, x in zip(prior, row, strict=True)] for row in loss]
    least = min(
        sum(
            (
                w * min(sum((s * x for s, x in zip(stair, row, strict=True)), Fraction(0)) for row in weighted)
                for stair, w in zip(basis, weights, strict=True)
            ),
            Fraction(0),
        )
        for basis, weights in _vertices(gamma)
    )
    stated = min(
        (
            sum((sum(weighted[d], Fraction(0)) for d in bins), Fraction(0))
            + (gamma - 1) * sum((min(weighted[d][j] for d in bins) for j in range(3)), Fraction(0))
        )
        / (gamma + size - 1)
        for size in (1, 2, 3)
        for bins in combinations(range(3), size)
    )
    return [("the least expected loss of a private mechanism", least, "=", stated + more)]


PAIRS = Domain.values(
    "gamma of 2, 3 or 8, a distribution of three categories in thirds, and another one in quarters",
    *({"gamma": gamma, "pi": pi, "q": q} for gamma in (2, 3, 8) for pi in _priors(3, 3) for q in _priors(3, 4)),
)

_TERMS = {
    "chi-square": lambda a, b: (a - b) ** 2 / b,
    "total variation": lambda a, b: abs(a - b) / 2,
    "triangular discrimination": lambda a, b: (a - b) ** 2 / (a + b),
}


def ratio_blocks(case: Case, *, more: int = 0) -> list[Row]:
    """The optimum over all staircase rows, and over the blocks of neighbouring likelihood ratios."""
    gamma, pi, q = case["gamma"], case["pi"], case["q"]
    order = sorted((j for j in range(3) if pi[j] + q[j]), key=lambda j: pi[j] / (pi[j] + q[j]))
    rows = []
    for name, term in _TERMS.items():

        def at(row: Numbers, term: Any = term) -> Fraction:
            a, b = (sum((r * x for r, x in zip(row, line, strict=True)), Fraction(0)) for line in (pi, q))
            return Fraction(term(a, b))

        values = {stair: at(stair) for stair in {row for basis, _ in _vertices(gamma) for row in basis}}
        most = max(
            sum((w * values[stair] for stair, w in zip(basis, weights, strict=True)), Fraction(0))
            for basis, weights in _vertices(gamma)
        )
        stated = []
        for cuts in product((False, True), repeat=len(order) - 1):
            ends = [0, *(n + 1 for n, cut in enumerate(cuts) if cut), len(order)]
            blocks = [order[s:t] for s, t in pairwise(ends)]
            inside = [tuple(Fraction(gamma if j in block else 1) for j in range(3)) for block in blocks]
            stated.append(sum(map(at, inside), Fraction(0)) / (gamma - 1 + len(blocks)))
        rows.append((f"the largest {name}", most, "=", max(stated) + more))
    return rows
