"""Algorithm 3, as it is printed, against the formula for X_i."""

from __future__ import annotations

from typing import Any

from rropt.claims import Anchored, Claim, Condition, Correction, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._mechanisms import algorithm_3, reported

CARD = Domain("Y_i, the number drawn", (1, 2, 3, 5), lambda rng: rng.randint(1, 9), "x >= 1")
MOST = Domain("L", (2, 3, 5), lambda rng: rng.randint(2, 9), "x >= 1")
MEMBER = Domain("x_i", (0, 1), None, "x*(x - 1) == 0 and 0 <= x <= 1")


def theory(point: Point) -> Any:
    """X_i = (L + 1 - Y_i) x_i + Y_i (1 - x_i)."""
    k, x, most = point["k"], point["x"], point["most"]
    return (most + 1 - k) * x + k * (1 - x)


def computed(point: Point) -> Any:
    """The answer of the printed lines."""
    return algorithm_3(point["k"], point["x"], point["most"])


def repaired(point: Point) -> Any:
    """How far the card is from L + 1 for a member of group A, from 0 for others (section 2.2.3)."""
    return reported(point["k"], point["x"], point["most"])


def mutant(point: Point) -> Any:
    """L - Y_i for a member."""
    return (point["most"] - point["k"]) * point["x"] + point["k"] * (1 - point["x"])


def proof() -> Anchored:
    return Anchored(
        Value(where="x == 1"),
        Value(where="x == 0"),
        argument="Both branches, x_i = 1 and x_i = 0. As printed the two are exchanged; they agree for k = (L + 1)/2.",
    )


def working(point: Point) -> str:
    """Both answers."""
    k, x, most = point["k"], point["x"], point["most"]
    group = "in group A" if x else "not in group A"
    return (
        f"a person {group} draws k = {k} of 1, ..., {most}: the algorithm returns "
        f"{'k' if x else 'L + 1 - k'} = {computed(point)}, "
        f"the formula {'L + 1 - Y_i' if x else 'Y_i'} = {theory(point)}"
    )


CLAIM = Claim(
    id="sun2023.algorithm-3",
    source=f"{PAPER}, Algorithm 3 and the formula for X_i after it",
    place=(3, 10),
    printed="modified Christofides Mechanism [...] randomly select a card, assume the number is $k$; if $x_i=1$ then "
    "$X_i=k$; else $X_i=L+1-k$ end if return $X_i$; Put the card back to device. [...] $Y_i$ is the number "
    "he/she draws and $X_i$ is the number he/she answers. [...] "
    r"$X_i=\left(L+1-Y_i\right)x_i+Y_i\left(1-x_i\right)$.",
    precise="For every L >= 2, every card k of 1, ..., L and both x_i: the answer of the algorithm as printed is what "
    "the formula gives for Y_i = k.",
    variables={"k": CARD, "x": MEMBER, "most": MOST},
    assumptions=(Condition("k is one of 1, ..., L", "1 <= k <= most"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"If $x_i=1$ then $X_i=L+1-k$; else $X_i=k$. (As printed the answers of the two groups are exchanged.)",
        theory,
        computed=repaired,
    ),
    proof=proof,
    working=working,
    count=60,
    notes="Section 2.2.3 and the formula let a member of group A report the distance to L + 1. With the answers of the "
    "algorithm as printed the mean of the estimator is 1 - pi_A (`algorithm-4`), and its variance is not changed. "
    "The display that calls X_i 1 for yes and 0 for no is that of Warner: here X_i is one of 1, ..., L.",
)
