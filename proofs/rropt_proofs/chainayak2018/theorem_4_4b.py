"""Theorem 4.4 (b): the trace bound is attained by the gamma-diagonal matrix alone."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import Rows, gamma_diagonal, is_tpm, matrix, parity, trace
from rropt_proofs.chainayak2018._sufficiency_members import GAMMAS, random_tpm
from rropt_proofs.chainayak2018._sufficiency_programmes import largest_trace

RATIO, DIAGONAL, OTHERS, TRACE, BEST = (
    "the largest ratio of a diagonal entry to another one of its row",
    "the largest difference of a diagonal entry from that of P_0",
    "gamma times the largest difference of another entry from that of P_0",
    "the trace of P_0",
    "the largest trace of all, by a linear program",
)


def draw(rng: random.Random) -> dict[str, Any]:
    """The optimum, a reordering of it, a mixture with another matrix, or any matrix at its own parity."""
    k = rng.randint(2, 3)
    gamma = rng.choice(GAMMAS)
    best = gamma_diagonal(gamma, k, k)
    kind = rng.choice(("optimum", "reordered", "mixed", "any"))
    if kind == "optimum":
        return {"gamma": gamma, "P": best}
    if kind == "reordered":
        return {"gamma": gamma, "P": tuple(rng.sample(best, k))}
    other = random_tpm(k, k, rng, least=1)
    if kind == "any":
        return {"gamma": Fraction(parity(other)) + rng.choice((0, 0, Fraction(1, 100))), "P": other}
    share = Fraction(1, rng.choice((2, 100)))
    mixed = tuple(
        tuple((1 - share) * x + share * y for x, y in zip(*rows, strict=True)) for rows in zip(best, other, strict=True)
    )
    return {"gamma": max(gamma, Fraction(parity(mixed))), "P": mixed}


def _gap(point: Point) -> Fraction:
    """N (bound - trace), N = gamma + k - 1."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    k = len(rows)
    return k * gamma - (gamma + k - 1) * trace(rows)


def theory(point: Point) -> dict[str, Any]:
    """P_0 attains the bound; a matrix that falls short by little differs from P_0 by little."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    below = (gamma - 1) * (gamma + len(rows) - 1)
    far = (gamma + len(rows) - 2) * _gap(point) / below if gamma > 1 else Fraction(0)
    return {
        RATIO: Bound("at-most", Fraction(parity(rows))),
        DIAGONAL: Bound("at-most", far),
        OTHERS: Bound("at-most", _gap(point) + far),
        TRACE: len(rows) * gamma / (gamma + len(rows) - 1),
        BEST: len(rows) * gamma / (gamma + len(rows) - 1),
    }


def computed(point: Point) -> dict[str, Any]:
    """The distance of P from P_0, entry by entry, and the trace of P_0."""
    rows, gamma = point["case"]["P"], Fraction(point["case"]["gamma"])
    best = gamma_diagonal(gamma, len(rows), len(rows))
    pairs = list(permutations(range(len(rows)), 2))
    return {
        RATIO: max(Fraction(1), *(rows[i][i] / rows[i][j] for i, j in pairs)),
        DIAGONAL: max(abs(rows[i][i] - best[i][i]) for i in range(len(rows))),
        OTHERS: gamma * max(abs(rows[i][j] - best[i][j]) for i, j in pairs),
        TRACE: trace(best),
        BEST: largest_trace(len(rows), gamma),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The trace of P_0 is below the bound."""
    return {**theory(point), TRACE: theory(point)[TRACE] * Fraction(999, 1000)}


def _columns(case: dict[str, Any]) -> list[list[tuple[Any, ...]]]:
    size = range(len(case["P"]))
    return [[("P", i, j) for i in size] for j in size]


def _case(gamma: str, rows: Rows) -> dict[str, Any]:
    return {"gamma": Fraction(gamma), "P": rows}


CLAIM = Claim(
    id="chainayak2018.theorem-4.4b",
    source=f"{PAPER}, Theorem 4.4 (b)",
    place=(4, 14),
    printed=r"Suppose $P_{k\times k}$ is a TPM with $\eta(P)\le\gamma$. Then, [...] (b) $P$ attains the upper bound in "
    r"(a) if and only if $p_{ii}=\frac{\gamma}{\gamma+k-1}$ for all $i$ and $p_{ij}=\frac{1}{\gamma+k-1}$ for "
    r"all $i\ne j$.",
    precise="For gamma > 1 and k >= 2 a k x k TPM of parity at most gamma has the trace k gamma / (gamma + k - 1) if "
    "and only if it is the gamma-diagonal matrix P_0. In numbers: P_0 has this trace; and if a P falls short of it by "
    "s, N = gamma + k - 1, its diagonal entries differ from those of P_0 by at most (gamma + k - 2) s/(gamma - 1), "
    "and gamma times its other entries by at most N s more. (For k = 1 the only TPM is P_0.)",
    variables={
        "case": Domain(
            "gamma and a k x k TPM P meant to be of parity at most gamma",
            (
                *(_case(str(gamma), gamma_diagonal(gamma, k, k)) for gamma in GAMMAS[:3] for k in (2, 3)),
                _case("2", gamma_diagonal(Fraction(2), 4, 4)),
                _case("2", matrix("1/3 2/3; 2/3 1/3")),
                _case("2", matrix("2/5 2/5 1/5; 2/5 1/5 2/5; 1/5 2/5 2/5")),
                _case("1", matrix("1/3 1/3; 2/3 2/3")),  # gamma = 1: every constant matrix has trace 1
            ),
            draw,
            entries={("P",): "0 <= x <= 1"},
            whole_groups=_columns,
        )
    },
    assumptions=(
        Condition("gamma > 1 (stated at the beginning of section 4)", lambda p: p["case"]["gamma"] > 1),
        Condition(
            "P is a square TPM of parity at most gamma",
            lambda p: is_tpm(p["case"]["P"]) and parity(p["case"]["P"]) <= p["case"]["gamma"],
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=40,
    notes="gamma > 1 is stated once for section 4; at gamma = 1 every matrix with constant rows attains the bound 1."
    " If P attains the bound, the gap is 0, and so P = P_0. The trace of P_0 is the bound.",
)
