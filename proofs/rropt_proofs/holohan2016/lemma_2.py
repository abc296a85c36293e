"""Lemma 2: minimisers lie where (11a) or (11b) is tight; both partial derivatives of the variance."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PAPER,
    PI,
    R_OF_T,
    S_OF_T,
    A,
    B,
    T,
    determinant,
    n_variance,
    no_slack,
    on_tight_boundary,
    optima,
    some_slack,
    yes_slack,
)

FORM = 2 * A * B - A - B + 1  # of Lemma 1
BY_P11 = 2 * A * (1 - A) * (1 - PI) + PI * FORM  # minus the numerators of the printed derivatives
BY_P00 = FORM * (1 - PI) + 2 * B * PI * (1 - B)


def _numbers(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point["p00"]), Fraction(point["p11"]), Fraction(point["pi"])


def _statement(point: Point, factor: int) -> dict[str, object]:
    a, b, pi = _numbers(point)
    form, cube = 2 * a * b - a - b + 1, (a + b - 1) ** 3
    return {
        "a minimiser is on R''": True,
        "all are, for 0 < pi < 1": True,
        "by p11": -(factor * a * (1 - a) * (1 - pi) + pi * form) / cube,
        "by p00": -(form * (1 - pi) + factor * b * pi * (1 - b)) / cube,
        "(15)": "negative" if pi > 0 or a < 1 else "zero",
        "(16)": "negative" if pi < 1 or b < 1 else "zero",
    }


def theory(point: Point) -> dict[str, object]:
    return _statement(point, 2)


def computed(point: Point) -> dict[str, object]:
    """The optima by enumeration; the derivatives of n Var by the quotient rule, and their signs."""
    a, b, pi = _numbers(point)
    gap, positive = a + b - 1, (1 - pi) * (1 - a) + pi * b

    def derivative(slope: Fraction) -> Fraction:
        product = positive * (1 - positive)
        return (slope * (1 - 2 * positive) * gap**2 - product * 2 * gap) / gap**4

    def sign(value: Fraction) -> str:
        return "negative" if value < 0 else "zero" if value == 0 else "positive"

    best = optima(point)
    tight = [on_tight_boundary(design, point["gamma"], point["delta"]) for design in best]
    by_p11, by_p00 = derivative(pi), derivative(pi - 1)
    return {
        "a minimiser is on R''": any(tight),
        "all are, for 0 < pi < 1": not 0 < pi < 1 or all(tight),
        "by p11": by_p11,
        "by p00": by_p00,
        "(15)": sign(by_p11),
        "(16)": sign(by_p00),
    }


def mutant(point: Point) -> dict[str, object]:
    """The factor 2 of both derivatives is dropped."""
    return _statement(point, 1)


UNIT = [Hypothesis(1 - A), Hypothesis(1 - B), Hypothesis(determinant, strict=True)]
SHARE = [Hypothesis(PI), Hypothesis(1 - PI)]


def proof() -> Proof:
    sure = Hypothesis(PI, strict=True), Hypothesis(1 - PI, strict=True)
    line = n_variance.subs({A: R_OF_T, B: S_OF_T}, simultaneous=True).subs(DELTA, 0)
    slope = (1 + GAMMA) * (1 + PI * (GAMMA - 1)) / (GAMMA - 1) ** 2
    exchange = {A: B, B: A, PI: 1 - PI}
    return Proof(
        scope="all epsilon >= 0 and 0 <= delta <= 1, not both 0, all pi in [0, 1]; for the last part 0 < pi < 1",
        argument="The derivatives are identities, and with f = 2 p00 p11 - p00 - p11 + 1 > 0 on p00 + p11 > 1 both are "
        "<= 0: by p11 it is < 0 if pi > 0, or if pi = 0 and p00 < 1 (p00 > 0 holds); by p00 in the same way. Let a "
        "design of R' have both inequalities (11) slack. If p00 < 1 it can be raised a little; if p00 = 1 then (11a) "
        "slack means p11 < delta <= 1, and p11 can be raised. So for 0 < pi < 1 it is no minimiser. Raising p00 and "
        "then p11 until (11a) or (11b) is tight leads from any design of R' to one of R'' whose variance is not "
        "larger: a minimiser over R'' is one over R'. It exists: for delta > 0, p00 + p11 - 1 >= delta/gamma on R'', "
        "which is then compact, and n Var is continuous; for delta = 0 (gamma > 1), n Var along (22) differs from its "
        "value at t = 1 by a nonnegative multiple of 1/t - 1, so t = 1 is best on both pieces.",
        certificates=(
            ("the derivative by p11", prove_identity(sp.diff(n_variance, B), -BY_P11 / determinant**3)),
            ("the derivative by p00", prove_identity(sp.diff(n_variance, A), -BY_P00 / determinant**3)),
            ("f > 0", prove_positive(FORM, UNIT, strict=True, degree=2)),
            ("by p11: <= 0", prove_positive(BY_P11, [*UNIT, *SHARE], degree=3)),
            ("by p11: < 0 for pi > 0", prove_positive(BY_P11, [*UNIT, sure[0], SHARE[1]], strict=True, degree=3)),
            (
                "by p11: < 0 for pi = 0, p00 < 1",
                prove_positive(
                    BY_P11.subs(PI, 0),
                    [Hypothesis(1 - A, strict=True), Hypothesis(1 - B), Hypothesis(determinant, strict=True)],
                    strict=True,
                    degree=2,
                ),
            ),
            ("by p00: as by p11", prove_identity(BY_P11.subs(exchange, simultaneous=True), BY_P00)),
            ("room to raise p11 at p00 = 1", prove_identity(yes_slack.subs(A, 1), DELTA - B)),
            (
                "p00 + p11 - 1 where (11a) is tight",
                prove_identity(GAMMA * determinant, (GAMMA - 1) * B + DELTA - yes_slack),
            ),
            (
                "p00 + p11 - 1 where (11b) is tight",
                prove_identity(GAMMA * determinant, (GAMMA - 1) * A + DELTA - no_slack),
            ),
            ("n Var along (22) at delta = 0", prove_identity(line - line.subs(T, 1), slope * (1 / T - 1))),
        ),
        unchecked_steps=(
            "a continuous function on a nonempty compact set has a minimum",
            "a function with negative derivative falls; raising a coordinate stops where an inequality gets tight",
            "for delta = 0 the piece (11b) is the piece (11a) with the coordinates exchanged and 1 - pi for pi",
        ),
    )


def mutant_proof() -> object:
    """The variance falls at a rate bounded away from 0."""
    return prove_positive(BY_P11 - sp.Rational(1, 100), [*UNIT, *SHARE], degree=3)


CLAIM = Claim(
    id="holohan2016.lemma-2",
    source=f"{PAPER}, Lemma 2 with (15) and (16)",
    printed=r"Let $p_{00}+p_{11}>1$. There is a minimiser of $\operatorname{Var}(\hat\Pi|\pi)$ over $\mathcal R'$ in "
    r"$\mathcal R''$; for $0<\pi<1$ all minimisers are. $\frac{\partial\operatorname{Var}}{\partial p_{11}}="
    r"-\frac{2p_{00}(1-p_{00})(1-\pi)+\pi(2p_{00}p_{11}-p_{00}-p_{11}+1)}{(p_{00}+p_{11}-1)^3n}$, zero only when "
    r"$\pi=0$ and $p_{00}=1$; $\frac{\partial\operatorname{Var}}{\partial p_{00}}="
    r"-\frac{(2p_{00}p_{11}-p_{00}-p_{11}+1)(1-\pi)+2p_{11}\pi(1-p_{11})}{(p_{00}+p_{11}-1)^3n}$, zero only when "
    r"$\pi=1$ and $p_{11}=1$; both are negative elsewhere.",
    precise="At every level at which R' is not empty some minimiser of n Var over R' makes (11a) or (11b) tight, and "
    "for 0 < pi < 1 each does. At every design with p00 + p11 > 1 the derivatives of n Var have the printed values "
    "and signs.",
    variables={
        "gamma": Domain.values("gamma = exp(epsilon) >= 1", *(Fraction(x) for x in ("1", "11/10", "2", "1000"))),
        "delta": Domain.values("0 <= delta <= 1", *(Fraction(x) for x in ("0", "1/4", "1/3", "1"))),
        "pi": Domain.values("0 <= pi <= 1", *(Fraction(x) for x in ("0", "1/100", "1/4", "1/2", "9/10", "1"))),
        "p00": Domain.interval("0 <= p00 <= 1", 0, 1, also=("1/2", "3/4")),
        "p11": Domain.interval("0 <= p11 <= 1", 0, 1, also=("1/2", "3/4")),
    },
    assumptions=(Condition("p00 + p11 > 1", lambda p: p["p00"] + p["p11"] > 1),),
    defined=(some_slack,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes="At epsilon = delta = 0 the region R' is empty and there is nothing to minimise. At delta = 1 the set R'' is "
    "the one point (1, 1), where both inequalities are tight. At pi = 0 every design with p00 = 1 has variance 0, so "
    "there are minimisers outside R'' when delta > 0.",
)
