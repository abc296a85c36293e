"""Section 3.2: m^{-1} C^{-1} Y and the likelihood."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point, Proof
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import Row
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import draw_bit_randomizer, estimate, image, inverse, keeping, randomizer

LEAST, GAIN = "the least entry of the estimate", "the largest gain of the log-likelihood towards a category"


def _case(rows: Any, *counts: int) -> dict[str, Any]:
    return {"C": rows, "y": counts}


def draw(rng: random.Random) -> dict[str, Any]:
    n = rng.choice((1, 2))
    bits = [draw_bit_randomizer(rng) for _ in range(n)]
    return {"C": randomizer(bits), "y": tuple(rng.randint(1, 6) for _ in range(2**n))}


def _estimate(case: Any) -> Row:
    back = inverse(case["C"])
    if back is None:
        raise ZeroDivisionError("C has no inverse")
    return estimate(back, case["y"])


def theory(_: Point) -> dict[str, Bound]:
    """A distribution, from which the likelihood, a concave function of its logarithm, grows in no direction."""
    return {LEAST: Bound("at-least", Fraction(0)), GAIN: Bound("at-most", Fraction(0))}


def computed(point: Point) -> dict[str, Fraction]:
    """The estimate q, and for each category x the derivative of log L from q towards x.

    ``log L(pi) = sum_r y_r log (C pi)_r`` has the derivative ``sum_r y_r c_rx/(C q)_r - m`` from q towards x.
    """
    case = point["case"]
    rows, y = case["C"], case["y"]
    q = _estimate(case)
    seen = [(row, count / share) for row, count, share in zip(rows, y, image(rows, q), strict=True) if count]
    gains = [sum((row[x] * weight for row, weight in seen), Fraction(0)) - sum(y) for x in range(len(rows))]
    return {LEAST: min(q), GAIN: max(gains)}


def mutant(_: Point) -> dict[str, Bound]:
    """A distribution without empty categories."""
    return {LEAST: Bound("greater", Fraction(0)), GAIN: Bound("at-most", Fraction(0))}


def _inside(point: Point) -> bool:
    return min(_estimate(point["case"])) >= 0


def proof() -> Proof:
    return Proof(
        scope="all invertible C and counts y whose estimate has no negative entry",
        argument="For the estimate q, C q = y/m. So the derivative towards category x is m (t - 1), where t is the sum "
        "of the c_rx over the responses r that occur, and t is at most 1, the sum of the column.",
        unchecked_steps=(
            "the sums over the responses: any number of them",
            "a distribution from which the likelihood grows towards no category is a maximum, since the logarithm of "
            "the likelihood is concave",
        ),
    )


def working(point: Point) -> str:
    """The estimate, which is no distribution."""
    case = point["case"]
    q = _estimate(case)
    return (
        f"m = {sum(case['y'])}, y = {value_text(case['y'])}, C^-1 = {value_text(inverse(case['C']))}: "
        f"m^-1 C^-1 y = {value_text(q)}, which has a negative entry: no distribution, and no parameter of Mult(m, pi)"
    )


CLAIM = Claim(
    id="vinterbo2018.sec-3.2-mle",
    source=f"{PAPER}, section 3.2",
    place=(3, 4),
    printed=r"Consequently, for invertible matrix $C$ we have that $\hat\pi(m)=C^{-1}m^{-1}Y=m^{-1}C^{-1}Y$ is an "
    r"unbiased maximum likelihood estimator of $\pi$.",
    precise="For every invertible C and every histogram y of m >= 1 responses, q = m^{-1} C^{-1} y is a maximum "
    "likelihood estimate of pi: a distribution (the parameter of Mult(m, pi) is one), at which the likelihood "
    "prod_r (C pi)_r^y_r is largest among all distributions. As log L is concave, that is so if and only if its "
    "derivative from q towards every category is at most 0.",
    variables={
        "case": Domain(
            "the matrix C of a randomizer, and a histogram y of responses",
            (
                _case(keeping(Fraction(3, 4)), 1, 0),
                _case(keeping(Fraction(3, 4)), 1, 1),
                _case(keeping(Fraction(3, 4)), 1, 3),
                _case(keeping(Fraction(3, 4)), 1, 4),
                _case(keeping(Fraction(3, 4)), 2, 3),
                _case(randomizer([keeping(Fraction(3, 4))] * 2), 1, 1, 1, 1),
                _case(randomizer([keeping(Fraction(3, 4))] * 2), 3, 1, 1, 1),
            ),
            draw,
            entries={("C",): "0 <= x <= 1"},
            whole_groups=lambda case: [[("C", r, x) for r in range(len(case["C"]))] for x in range(len(case["C"]))],
        )
    },
    assumptions=(Condition("C is invertible", lambda p: inverse(p["case"]["C"]) is not None),),
    missing=(
        Condition(
            r"$m^{-1}C^{-1}Y$ has no negative entry, that is $m^{-1}Y$ is $C\pi$ for a distribution $\pi$", _inside
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    working=working,
    count=150,
    notes="m^{-1} Y is the maximum likelihood estimate of C pi among all distributions, but C pi ranges over the image "
    "of the simplex alone, and the invariance property that is quoted needs an estimate in that range. With a = 3/4 "
    "and one response 0 the formula gives (3/2, -1/2), while the likelihood is largest at (1, 0). The estimate is "
    "unbiased only as a formula for all histograms: cut to the simplex, it has a bias; so no estimator is both "
    "(the same happens in holohan2016.theorem-1).",
)
