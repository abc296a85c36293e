"""Proposition 4.1: for two categories one procedure is sufficient for all others."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs._matrices import solution
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import (
    Rows,
    gamma_diagonal,
    in_class,
    matrix,
    parity,
    product,
)
from rropt_proofs.chainayak2018._sufficiency_members import GAMMAS, random_tpm
from rropt_proofs.chainayak2018.lemma_4_3 import columns_of

PARITY, MINOR = "the parity of P_W", "the minor p11 p22 - p12 p21 of P_W, not 0: no proportional rows"
GARBLING, COLUMN, ERROR = (
    "minus the least entry of the C with P = C P_W",
    "the largest difference of a column sum of C from 1",
    "the largest difference of an entry of C P_W from that of P",
)


def draw(rng: random.Random) -> dict[str, Any]:
    """Any two columns, at their own parity or above."""
    rows = random_tpm(rng.randint(2, 5), 2, rng, least=1)
    exact = parity(rows)
    gamma = Fraction(exact) + rng.choice((Fraction(0), Fraction(1, 100), Fraction(1), Fraction(5)))
    return {"gamma": gamma, "P": rows}


def _optimum(gamma: Fraction) -> Rows:
    """Return the procedure of the two rows with one ratio tight, (gamma, 1) and (1, gamma), whose columns sum to 1."""
    rays = ((gamma, Fraction(1)), (Fraction(1), gamma))
    weights = solution(tuple(zip(*rays, strict=True)), (Fraction(1), Fraction(1)))
    return tuple(tuple(w * x for x in ray) for w, ray in zip(weights, rays, strict=True))


def theory(point: Point) -> dict[str, Any]:
    gamma = Fraction(point["case"]["gamma"])
    high, low = gamma / (gamma + 1), 1 / (gamma + 1)
    return {
        "p11": high,
        "p12": low,
        "p21": low,
        "p22": high,
        PARITY: gamma,
        MINOR: Bound("greater", Fraction(0)),
        GARBLING: Bound("at-most", Fraction(0)),
        COLUMN: Fraction(0),
        ERROR: Bound("at-most", Fraction(0)),
    }


def computed(point: Point) -> dict[str, Any]:
    """The extreme rows of C_gamma, weighted so that the columns sum to 1, and the C with C P_W = P by elimination."""
    rows, best = point["case"]["P"], _optimum(Fraction(point["case"]["gamma"]))
    kernel = tuple(solution(tuple(zip(*best, strict=True)), row) for row in rows)
    built = product(kernel, best)
    pairs = [pair for left, right in zip(rows, built, strict=True) for pair in zip(left, right, strict=True)]
    sums = [sum(column, Fraction(0)) for column in zip(*kernel, strict=True)]
    return {
        "p11": best[0][0],
        "p12": best[0][1],
        "p21": best[1][0],
        "p22": best[1][1],
        PARITY: parity(best),
        MINOR: best[0][0] * best[1][1] - best[0][1] * best[1][0],
        GARBLING: -min(map(min, kernel)),
        COLUMN: max(abs(x - 1) for x in sums),
        ERROR: max(abs(x - y) for x, y in pairs),
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma + 1 in the place of gamma in the larger entry."""
    gamma = Fraction(point["case"]["gamma"])
    return {**theory(point), "p11": (gamma + 1) / (gamma + 2)}


_SEVERAL = ("2/3 1/3; 1/3 2/3", "3/5 2/5; 2/5 3/5", "1/2 1/4; 1/4 1/2; 1/4 1/4", "1/2 1/2; 1/3 1/6; 1/6 1/3")

CLAIM = Claim(
    id="chainayak2018.proposition-4.1",
    source=f"{PAPER}, Proposition 4.1",
    place=(4, 12),
    printed=r"For binary $X$ (i.e., $k=2$), an optimal procedure at privacy level $\gamma$ is given by $m=2$, "
    r"$p_{11}=p_{22}=\gamma(\gamma+1)^{-1}$ and $p_{12}=p_{21}=(\gamma+1)^{-1}$.",
    precise="Let gamma > 1 and k = 2. The stated matrix P_W is in C_gamma (its columns sum to 1, its parity is gamma, "
    "its rows are not proportional) and sufficient for every P in C_gamma, with any number of rows: P = C P_W for a "
    "TPM C.",
    variables={
        "case": Domain(
            "gamma > 1 and a matrix P with two columns, meant to be in C_gamma",
            (
                *({"gamma": Fraction(2), "P": matrix(rows)} for rows in _SEVERAL),
                *({"gamma": gamma, "P": gamma_diagonal(gamma, 2, 2)} for gamma in GAMMAS),
                {"gamma": Fraction(1), "P": matrix("1/2 1/2; 1/2 1/2")},  # gamma = 1: C_gamma is empty
            ),
            draw,
            entries={("gamma",): "x >= 1", ("P",): "0 <= x <= 1"},
            whole_groups=columns_of,
        )
    },
    assumptions=(Condition("P is in C_gamma, gamma > 1", lambda p: in_class(p["case"]["P"], p["case"]["gamma"])),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=100,
    notes="Optimal in the strongest sense: it garbles to every procedure at the level, so no loss function prefers "
    "another one.",
)
