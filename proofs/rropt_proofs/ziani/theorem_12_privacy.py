"""Theorem 12, first part: the vector-valued Laplace mechanism is epsilon-differentially private."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import log_ratio

Gaps = tuple[tuple[Fraction, Fraction], ...]
MIDDLES = ("x", "y", "s")


def _gaps(**listed: str) -> dict[str, Gaps]:
    """Return the gaps by the middle: ``x="1 2, 0 3"`` is two coordinates with f(x) in the middle."""
    pairs = {middle: [pair.split() for pair in listed.get(middle, "").split(",") if pair] for middle in MIDDLES}
    return {middle: tuple((Fraction(g), Fraction(h)) for g, h in given) for middle, given in pairs.items()}


def _draw_gaps(rng: random.Random) -> dict[str, Gaps]:
    return {
        middle: tuple(
            (Fraction(rng.randint(0, 8), 4), Fraction(rng.randint(0, 8), 4)) for _ in range(rng.randint(0, 2))
        )
        for middle in MIDDLES
    }


def _coordinates(point: Point) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Iterate over (f_i(x), f_i(y), s_i), the middle one at 0."""
    for g, h in point["gaps"]["x"]:
        yield Fraction(0), -g, h
    for g, h in point["gaps"]["y"]:
        yield -g, Fraction(0), h
    for g, h in point["gaps"]["s"]:
        yield -g, h, Fraction(0)


def theory(point: Point) -> Fraction:
    """epsilon = sensitivity/b."""
    l1 = sum((abs(x - y) for x, y, _ in _coordinates(point)), Fraction(0))
    return (l1 + point["slack"]) / point["b"]


def computed(point: Point) -> Fraction:
    """The log ratio of the densities of f(x) + Z and f(y) + Z at s: a sum over independent coordinates."""
    rate = 1 / Fraction(point["b"])
    return sum((log_ratio(s, x, y, rate) for x, y, s in _coordinates(point)), Fraction(0))


def mutant(point: Point) -> Fraction:
    return theory(point) * Fraction(9, 10)


CLAIM = Claim(
    id="ziani.theorem-12-privacy",
    source=f"{PAPER}, Theorem 12",
    place=(2, 7),
    printed=r"[...] the Laplace Mechanism is given by $\mathcal M_L(x,f,\varepsilon)=f(x)+(Z_1,\dots,Z_d)$, where "
    r"$Z_i\sim\text{Lap}\left(\frac{\Delta f}\varepsilon\right)$, and $Z_1,\dots,Z_d$ are drawn independently "
    r"from each other. [...] The vector-valued Laplace mechanism $\mathcal M_L(x,f,\varepsilon)$ is "
    r"$\varepsilon$-differentially private.",
    precise="Let the l1-sensitivity of f be positive and finite and epsilon > 0. For neighbours x, y (so that the "
    "l1-distance of f(x) and f(y) is at most the sensitivity) the log ratio of the densities is at most epsilon at "
    "every outcome s. In each coordinate one of f_i(x), f_i(y), s_i is in the middle; the two gaps beside it say all "
    "distances. The sensitivity is the l1-distance plus a slack, and b = sensitivity/epsilon.",
    variables={
        "gaps": Domain(
            "by which of f_i(x), f_i(y), s_i is in the middle: the gaps to the other two (to f_i(x) before f_i(y) "
            "before s_i) of each such coordinate",
            (
                _gaps(x="1 0"),
                _gaps(y="1 2"),
                _gaps(s="1 1"),
                _gaps(x="1 0, 1/2 3", y="0 0"),
                _gaps(x="2 1", y="1 1", s="0 1, 1 0"),
                _gaps(x="0 0, 0 1", y="0 2"),
            ),
            _draw_gaps,
            entries={(): "x >= 0"},
        ),
        "slack": Domain.interval("sensitivity less the l1-distance", 0, 3, also=(1,)),
        "b": Domain.interval("scale of the noise, sensitivity/epsilon", 0, 6, also=("1/10", 1)),
    },
    defined=(
        Condition("the scale is positive: otherwise Lap(b) has no density", "b > 0"),
        Condition(
            "the sensitivity is positive", lambda p: p["slack"] > 0 or any(x != y for x, y, _ in _coordinates(p))
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    notes=r"With the largest coordinate in the place of the l1-distance as sensitivity the level would be up to $d$ "
    r"times $\varepsilon$. The bound on the densities at every outcome integrates to the same bound on the "
    r"probabilities of events.",
)
