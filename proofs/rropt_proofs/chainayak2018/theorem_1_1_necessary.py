"""After Theorem 1.2: the condition (1.6) is also necessary for rho1-to-rho2 privacy."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import PROCEDURES, RHOS, ordered_rhos, posterior


def theory(point: Point) -> dict[str, Bound]:
    """There is a prior below rho1 with a posterior above rho2."""
    return {"prior": Bound("less", point["rho1"]), "posterior": Bound("greater", point["rho2"])}


def _place(point: Point) -> tuple[int, int, int]:
    """Return the response and the two categories."""
    i, j, other = point["place"]
    k = len(point["P"][0])
    return i % len(point["P"]), j % k, other % k


def fails(point: Point) -> bool:
    """Return whether (1.6) fails for the two entries: their ratio exceeds its right side; 0/0 = 1, a/0 is infinite."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    i, j, other = _place(point)
    row = point["P"][i]
    return row[j] > 0 and low * (1 - high) * row[j] > high * (1 - low) * row[other]


def computed(point: Point) -> dict[str, Fraction]:
    """An explicit prior on two categories, and the posterior of one by the joint distribution."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    i, j, other = _place(point)
    a, b = point["P"][i][j], point["P"][i][other]
    excess = high * b / (high * b + (1 - high) * a)  # the prior at which the posterior is rho2
    p = (excess + low) / 2
    alpha = tuple(p if c == j else 1 - p if c == other else Fraction(0) for c in range(len(point["P"][i])))
    return {"prior": sum((alpha[c] for c in (j,)), Fraction(0)), "posterior": posterior(point["P"], alpha, (j,), i)}


def mutant(point: Point) -> dict[str, Bound]:
    """A prior below nine tenths of rho1."""
    return {**theory(point), "prior": Bound("less", point["rho1"] * Fraction(9, 10))}


CLAIM = Claim(
    id="chainayak2018.theorem-1.1-necessary",
    source=f"{PAPER}, the sentence after Theorem 1.2",
    place=(1, 6),
    printed=r"$\eta(P)\le\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$. (1.6) [...] We shall see later that (1.6) is also "
    r"a necessary condition for $P$ to provide $\rho_1$-to-$\rho_2$ privacy.",
    precise="For 0 < rho1 < rho2 < 1: if the parity, the largest ratio of two entries of a row, exceeds the right side "
    "of (1.6), be it infinite, so does the ratio of two entries p_ij and p_il. For every such pair there is a breach "
    "by Definition 1.1: a prior below rho1 with a posterior above rho2.",
    variables={
        "P": PROCEDURES,
        **RHOS,
        "place": Domain(
            "a response and two categories, counted around",
            tuple((i, j, j + 1) for i in range(2) for j in range(2)),
            lambda rng: (rng.randint(0, 3), *rng.sample(range(4), 2)),
        ),
    },
    assumptions=(ordered_rhos, Condition("not (1.6): the ratio of the two entries exceeds its right side", fails)),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=3000,
)
