"""Theorem 4.4 (b): the trace bound is attained by the gamma-diagonal matrix alone."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Fold, Least, Point, Value
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import Rows, gamma_diagonal, identity, is_tpm, matrix, parity, trace
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


def _largest(rows: Rows) -> int:
    """The category of the largest diagonal entry."""
    return max(range(len(rows)), key=lambda j: rows[j][j])


def _at(point: Point) -> list[dict[str, Any]]:
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    diagonal = tuple(rows[i][i] for i in range(len(rows)))
    own = {"k": len(rows), "gamma": gamma, "most": max(diagonal), "diagonal": diagonal, "units": identity(len(rows))}
    return [{**own, "i": i, "j": j} for i, j in permutations(range(len(rows)), 2)]


def _element(rows: Rows, u: int, i: int, j: int) -> dict[str, Entry]:
    """Row u: its diagonal entry, and those in column j and in that of the largest; e, c, r say where u is."""
    largest = _largest(rows)
    return {
        "q": Entry("diagonal", u),
        "p": Entry("case", "P", u, largest),
        "o": Entry("case", "P", u, j),
        "e": Entry("units", largest, u),
        "c": Entry("units", j, u),
        "r": Entry("units", i, u),
    }


def _ratios(point: Point) -> list[dict[str, Entry]]:
    """The elements of the fold, and all other pairs of entries of a row."""
    rows = point["case"]["P"]
    size = range(len(rows))
    found = [_element(rows, u, i, j) for u in size for i, j in permutations(size, 2)]
    zero = {name: Entry("units", 0, 1) for name in ("e", "c", "r")}
    for u, x, y in product(size, repeat=3):
        low = Entry("case", "P", u, y)
        found.append({"q": Entry("case", "P", u, x), "p": low, "o": low, **zero})
    return found


def proof() -> Anchored:
    """gap = N (bound - trace) is at least 0, and every entry differs from that of P_0 by at most a multiple of it."""
    column = Fold(
        over=lambda point, at: [
            _element(point["case"]["P"], u, at["i"], at["j"]) for u in range(len(point["case"]["P"]))
        ],
        start=dict.fromkeys(("s1", "s2", "n1", "n2", "n3", "t", "d", "v", "x"), 0),
        update={
            "s1": "s1 + p",
            "s2": "s2 + o",
            "n1": "n1 + e",
            "n2": "n2 + c",
            "n3": "n3 + r",
            "t": "t + q",
            "d": "d + c*q",
            "v": "v + r*q",
            "x": "x + r*o",
        },
        invariants=(
            "theory*s1 >= t + (theory - 1)*most*n1",
            "t <= count*most",
            "t - v <= (count - n3)*most",
            "v <= n3*most",
            "t - d <= (count - n2)*most",
            "theory*s2 - t - (theory - 1)*d >= theory*x - v",
            "theory*x >= v",
            "d + x <= s2",
            "x >= 0",
        ),
        count="k",
        family=True,
    )
    gap, n = "(k*gamma - (gamma + k - 1)*t)", "(gamma + k - 1)"
    far = f"(gamma + k - 2)*{gap}/((gamma - 1)*{n})"
    return Anchored(
        Value(
            of=RATIO,
            theory=Least(
                "q <= g*p and q <= g*o and e*most <= e*p and c*q <= c*o and c + r <= 1",
                _ratios,
                floor=1,
            ),
            computed=Least("v <= g*x", floor=1),
        ),
        Value(of=DIAGONAL, theory=far, computed=Least(f"v - gamma/{n} <= g and gamma/{n} - v <= g")),
        Value(of=OTHERS, theory=f"{gap} + {far}", computed=Least(f"gamma*(x - 1/{n}) <= g and gamma*(1/{n} - x) <= g")),
        *(Value(of=of, theory=f"k*gamma/{n}", computed=f"k*(gamma/{n})") for of in (TRACE, BEST)),
        at=_at,
        folds=[column],
        steps=[
            "(gamma - 1)*most <= gamma - t",
            f"{n} > 0",
            "t <= k*most",
            f"{gap} >= 0",
            "v <= most",
            "(gamma - 1)*v <= gamma - t",
            f"(gamma - 1)*({n}*v - gamma) <= {gap}",
            "v >= t - (k - 1)*most",
            "(gamma - 1)*v >= (gamma - 1)*t - (k - 1)*(gamma - t)",
            f"(gamma - 1)*(gamma - {n}*v) <= (gamma + k - 2)*{gap}",
            "d >= t - (k - 1)*most",
            "(gamma - 1)*d >= (gamma - 1)*t - (k - 1)*(gamma - t)",
            "d + x <= 1",
            "theory - t - (theory - 1)*d >= theory*x - v",
            "gamma*x - v <= gamma - t - (gamma - 1)*d",
            f"gamma*x - v <= {gap}",
            "gamma*x >= v",
            f"(gamma - 1)*({n}*v - gamma) <= (gamma + k - 2)*{gap}",
            f"(gamma - 1)*{n}*(gamma*x - v) <= (gamma - 1)*{n}*{gap}",
            f"(gamma - 1)*{n}*(gamma*x - v) >= 0",
            f"(gamma - 1)*{n}*{gap} >= 0",
        ],
        argument="If P attains the bound, the gap is 0, and so P = P_0. The trace of P_0 is the bound.",
    )


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
    bound={
        "k": Domain("the number of categories", (), relation="x >= 2"),
        "gamma": Domain("the level of the case, at least the parity of P", (), relation="x > 1 and x >= theory"),
        "most": Domain("the largest diagonal entry", (), relation="0 <= x <= 1"),
        "diagonal": Domain("the diagonal entries; none is above the largest", (), entries={(): "0 <= x <= most"}),
        "units": Domain(
            "the unit vectors",
            (),
            entries={(): "x >= 0 and x <= 1 and x*x == x"},
            whole_groups=lambda units: [[(i, u) for u in range(len(units))] for i in range(len(units))],
        ),
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
    proof=proof,
    count=40,
    notes="gamma > 1 is stated once for section 4; at gamma = 1 every matrix with constant rows attains the bound 1.",
)
