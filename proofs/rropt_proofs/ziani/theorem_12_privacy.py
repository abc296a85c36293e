"""Theorem 12, first part: the vector-valued Laplace mechanism is epsilon-differentially private."""

from __future__ import annotations

import random
from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.ziani._paper import PAPER, largest_log_ratio, private_scale, triangle_certificates

Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]

EPSILON, SENSITIVITY, GAIN, T, GAINS, TOTAL = sp.symbols("epsilon delta_f l t g h")
STEP = [Hypothesis(TOTAL - GAINS), Hypothesis(T - GAIN)]
CHAIN = [Hypothesis(EPSILON), Hypothesis(TOTAL - GAINS), Hypothesis(SENSITIVITY - TOTAL)]


def _pair(x: str, y: str) -> Pair:
    return tuple(map(Fraction, x.split())), tuple(map(Fraction, y.split()))


def _draw_pair(rng: random.Random) -> Pair:
    d = rng.randint(1, 4)
    x, y = (tuple(Fraction(rng.randint(-6, 6), 4) for _ in range(d)) for _ in range(2))
    return x, y


def _l1(pair: Pair) -> Fraction:
    return sum((abs(a - b) for a, b in zip(*pair, strict=True)), Fraction(0))


def theory(point: Point) -> Fraction:
    return Fraction(point["epsilon"])


def computed(point: Point) -> Fraction:
    """The largest log ratio of the densities: a sum over coordinates, each largest at a coordinate of its own."""
    rate, (x, y) = Fraction(point["epsilon"]) / point["sensitivity"], point["values"]
    return max(
        sum((largest_log_ratio(a, b, rate) for a, b in zip(*pair, strict=True)), Fraction(0))
        for pair in ((x, y), (y, x))
    )


def mutant(point: Point) -> Fraction:
    return Fraction(point["epsilon"]) * Fraction(9, 10)


def proof() -> Proof:
    return Proof(
        scope="all d, all f with 0 < l1-sensitivity < infinity, all epsilon > 0, all neighbours, all events",
        argument="The coordinates are independent, so the log ratio of the densities at s is (epsilon/sensitivity) "
        "times the sum g of l_i = |s_i - f_i(y)| - |s_i - f_i(x)|. Each l_i is at most t_i = |f_i(y) - f_i(x)|; "
        "adding one coordinate at a time, g is at most the sum h of the t_i, the l1-distance, which is at most the "
        "sensitivity. So epsilon (sensitivity - g) = epsilon (h - g) + epsilon (sensitivity - h) >= 0.",
        certificates=(
            *triangle_certificates(),
            ("one more coordinate: g + l <= h + t", prove_positive((TOTAL + T) - (GAINS + GAIN), STEP, degree=1)),
            ("epsilon (sensitivity - g) >= 0", prove_positive(EPSILON * (SENSITIVITY - GAINS), CHAIN, degree=2)),
        ),
        unchecked_steps=(
            "induction over the coordinates",
            "the density of independent coordinates is the product of theirs",
            "division by the sensitivity, and exp increases",
            "an inequality of densities integrates to one of probabilities",
        ),
    )


def mutant_proof() -> object:
    return prove_positive(EPSILON * (SENSITIVITY - 2 * GAINS), CHAIN, degree=2)


CLAIM = Claim(
    id="ziani.theorem-12-privacy",
    source=f"{PAPER}, Theorem 12",
    printed=r"The vector-valued Laplace mechanism $\mathcal{M}_L(x,f,\varepsilon)=f(x)+(Z_1,\dots,Z_d)$, with "
    r"independent $Z_i\sim\mathrm{Lap}\left(\frac{\Delta f}\varepsilon\right)$, is $\varepsilon$-differentially "
    r"private.",
    precise="Let the l1-sensitivity of f be positive and finite and epsilon > 0. For neighbours x, y (so that the "
    "l1-distance of f(x) and f(y) is at most the sensitivity) the log ratio of the densities is at most epsilon at "
    "every outcome.",
    variables={
        "values": Domain(
            "(f(x), f(y))",
            (_pair("0", "1"), _pair("0 0", "1 1"), _pair("0 0", "1 -1"), _pair("1 2 3", "1 2 5"), _pair("0 0", "0 0")),
            _draw_pair,
        ),
        "sensitivity": Domain.interval("l1-sensitivity of f", 0, 6, also=(1, 2)),
        "epsilon": Domain.interval("epsilon", 0, 4, also=("1/10", 1)),
    },
    assumptions=(
        Condition(
            "Definition 10: the l1-distance is at most the sensitivity", lambda p: _l1(p["values"]) <= p["sensitivity"]
        ),
    ),
    defined=(private_scale,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
    mutant_proof=mutant_proof,
    notes=r"With the largest coordinate in the place of the l1-distance as sensitivity the level would be up to $d$ "
    r"times $\varepsilon$.",
)
