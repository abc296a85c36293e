"""Four outputs are strictly more informative about a prevalence than two, under (epsilon, delta) with 0 < delta < 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER

_NAMES = ("gamma", "delta", "pi")


def theory(point: Point) -> dict[str, Any]:
    """What answers lose that are made one: d^2/(r s (r + s)), d their determinant, r and s their probabilities."""
    gamma, delta, pi = (Fraction(point[name]) for name in _NAMES)
    c = (1 - delta) / (1 + gamma)
    no, yes = (1 - pi) * delta, pi * delta
    likely_no, likely_yes = c * (gamma * (1 - pi) + pi), c * (1 - pi + gamma * pi)
    response = (c * c * (gamma**2 - 1)) ** 2 / (likely_no * likely_yes * (1 - delta))
    return {
        "gain over p00 = p11": (delta * c) ** 2 / (no * likely_no * (no + likely_no))
        + (delta * c) ** 2 / (yes * likely_yes * (yes + likely_yes)),
        "gain over p00 = 1": response + delta**2 * (1 - delta) / (no * (no + 1 - delta)),
        "gain over p11 = 1": response + delta**2 * (1 - delta) / (yes * (yes + 1 - delta)),
        "gain at delta = 0": Fraction(0),
        "gain at delta = 1": Fraction(0),
        "one over n Var": Fraction(0),
        "n Var at pi = 0, four answers": Fraction(0),
        "n Var at pi = 0, p00 = 1": Fraction(0),
    }


def computed(point: Point) -> dict[str, Any]:
    """Information of the four answers, less one over n Var of the binary designs that can be best."""
    gamma, delta, pi = (Fraction(point[name]) for name in _NAMES)
    p, one, zero = (gamma + delta) / (gamma + 1), Fraction(1), Fraction(0)
    four = _four(gamma, delta, pi)
    return {
        "gain over p00 = p11": four - _two(p, p, pi),
        "gain over p00 = 1": four - _two(one, delta, pi),
        "gain over p11 = 1": four - _two(delta, one, pi),
        "gain at delta = 0": _four(gamma, zero, pi) - _two(gamma / (gamma + 1), gamma / (gamma + 1), pi),
        "gain at delta = 1": _four(gamma, one, pi) - _two(one, one, pi),
        "one over n Var": four * _over(gamma, pi) - _under(gamma, delta, pi),
        "n Var at pi = 0, four answers": _over(gamma, zero) / _under(gamma, delta, zero),
        "n Var at pi = 0, p00 = 1": _chance(one, delta, zero) * (1 - _chance(one, delta, zero)) / delta**2,
    }


def _four(gamma: Fraction, delta: Fraction, pi: Fraction) -> Fraction:
    """Information of the four answers: `rropt.any-output`."""
    spread, lean = pi * (1 - pi), (gamma - 1) ** 2
    return delta / spread + (1 - delta) * lean / (gamma + lean * spread)


def _over(gamma: Fraction, pi: Fraction) -> Fraction:
    """Numerator of n Var of the four answers, 0 at pi = 0 and 1."""
    spread = pi * (1 - pi)
    return spread * (gamma + (gamma - 1) ** 2 * spread)


def _under(gamma: Fraction, delta: Fraction, pi: Fraction) -> Fraction:
    """Its denominator, positive there."""
    return delta * gamma + (gamma - 1) ** 2 * pi * (1 - pi)


def _chance(p00: Fraction, p11: Fraction, pi: Fraction) -> Fraction:
    return (1 - pi) * (1 - p00) + pi * p11


def _two(p00: Fraction, p11: Fraction, pi: Fraction) -> Fraction:
    """Information of a binary design, one over its n Var."""
    yes = _chance(p00, p11, pi)
    return (p00 + p11 - 1) ** 2 / (yes * (1 - yes))


def mutant(point: Point) -> dict[str, Any]:
    """What the first two answers lose is forgotten."""
    said = theory(point)
    return {**said, "gain over p00 = p11": said["gain over p00 = p11"] / 2}


def proof() -> Anchored:
    """Identities; every denominator is positive, and so is each gain."""
    return Anchored(
        *(Value(of=name) for name in _PARTS),
        steps=[
            "delta*(1 - delta)/(1 + gamma) > 0",
            "delta**2*(1 - delta) > 0",
            "(1 - pi)*delta > 0",
            "pi*delta > 0",
            "gamma*(1 - pi) + pi > 0",
            "1 - pi + gamma*pi > 0",
        ],
        unanchored=(
            "one of the three binary designs is the best of all binary ones: `holohan2016.theorem-3` is cited",
        ),
    )


_PARTS = (
    "gain over p00 = p11",
    "gain over p00 = 1",
    "gain over p11 = 1",
    "gain at delta = 0",
    "gain at delta = 1",
    "one over n Var",
    "n Var at pi = 0, four answers",
    "n Var at pi = 0, p00 = 1",
)

CLAIM = Claim(
    id="rropt.any-output-strict",
    source=f"{PAPER}, any number of answers",
    place=(3, 3),
    printed=r"For $0<\delta<1$ and $0<\pi<1$ the four answers have more Fisher information of $\pi$ than every "
    r"binary design that keeps $(\varepsilon,\delta)$: what they have more is what they lose when answers are made "
    r"one, $\frac{\det(r,s)^2}{(r\cdot\pi)(s\cdot\pi)((r+s)\cdot\pi)}$ for rows $r$, $s$: positive. At $\delta=0$ "
    r"and $\delta=1$ they have as much, and at $\pi=0$ and $\pi=1$ the least $n\operatorname{Var}$ of both is 0.",
    precise="For gamma >= 1, against the three binary designs one of which has the least n Var of all "
    "(`holohan2016.theorem-3`): p00 = p11, (1, delta) and (delta, 1). The first merges the certain and "
    "the likely answer of each kind; the second merges all but the certain yes, the third is its mirror image.",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "pi": Domain.interval("prevalence", 0, 1, also=("1/2", "1/100")),
    },
    assumptions=(
        Condition("0 < delta", "delta > 0"),
        Condition("delta < 1", "delta < 1"),
        Condition("0 < pi", "pi > 0"),
        Condition("pi < 1", "pi < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
