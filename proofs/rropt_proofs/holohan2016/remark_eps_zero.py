"""The remark after Theorem 2: epsilon = 0 leaves nothing to estimate."""

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
    A,
    B,
    determinant,
    is_private,
    variance_at,
    yes_probability,
    yes_slack,
)

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "3/4"))
SMALL = Fraction(1, 100_000)
SHARE = sp.Symbol("h")


def theory(point: Point) -> dict[str, bool]:
    """0-differential privacy means identical rows; then the answer says nothing, and the error has no bound."""
    equal_rows = point["p00"] == 1 - point["p11"]
    return {"0-private": equal_rows, "the same answers for all pi": equal_rows, "error beyond 100 nearby": True}


def computed(point: Point) -> dict[str, bool]:
    """The definition (9) at epsilon = delta = 0; the distribution at pi = 0 and 1; the error near such a design."""
    a, b = Fraction(point["p00"]), Fraction(point["p11"])
    private = is_private((a, b), Fraction(1), Fraction(0))
    yes_at_ends = {(1 - pi) * (1 - a) + pi * b for pi in (0, 1)}
    near = ((1 - SMALL) * a + SMALL, (1 - SMALL) * b + SMALL)  # direct questioning with probability 1/100000
    return {
        "0-private": private,
        "the same answers for all pi": len(yes_at_ends) == 1,
        "error beyond 100 nearby": not private or variance_at(near, Fraction(point["pi"])) > 100,
    }


def mutant(point: Point) -> dict[str, bool]:
    """p00 = p11 in the place of p00 = 1 - p11."""
    equal = point["p00"] == point["p11"]
    return {"0-private": equal, "the same answers for all pi": equal, "error beyond 100 nearby": True}


def proof() -> Proof:
    slack = yes_slack.subs({GAMMA: 1, DELTA: 0})
    near = {A: (1 - SHARE) * A + SHARE, B: (1 - SHARE) * (1 - A) + SHARE}
    yes = yes_probability.subs(near, simultaneous=True)
    mixture = (1 - A) * (1 - PI) + A * PI
    excess = (1 - SHARE) ** 2 * A * (1 - A) + SHARE**2 * PI * (1 - PI)
    unit = [Hypothesis(x) for x in (A, 1 - A, PI, 1 - PI)]
    return Proof(
        scope="epsilon = 0, delta = 0, all binary designs, 0 < pi < 1",
        argument="At gamma = 1, delta = 0 the slacks of (11a) and of the third inequality of (11) sum to 0, so both "
        "are 0: p11 = 1 - p00. Then Pr(X = 1) = 1 - p00, free of pi, and (6) has the denominator 0. Asked directly "
        "with probability h, otherwise by such a design, p00 + p11 - 1 = h and h^2 n Var >= h (1 - h) m, m = "
        "(1 - p00)(1 - pi) + p00 pi >= pi (1 - pi) > 0: the error exceeds every bound as h falls to 0.",
        certificates=(
            ("(11a) and the third inequality", prove_identity(slack + (B - (1 - A)), 0)),
            ("Pr(X = 1) on p00 + p11 = 1", prove_identity(yes_probability, 1 - A, relations=[determinant])),
            ("p00 + p11 - 1 = h nearby", prove_identity(determinant.subs(near, simultaneous=True), SHARE)),
            (
                "h^2 n Var nearby",
                prove_identity(sp.expand(yes * (1 - yes)), SHARE * (1 - SHARE) * mixture + excess),
            ),
            (
                "the rest is nonnegative",
                prove_positive(excess, [*unit, Hypothesis(SHARE), Hypothesis(1 - SHARE)], degree=4),
            ),
            ("m >= pi (1 - pi)", prove_positive(mixture - PI * (1 - PI), unit, degree=3)),
        ),
    )


def mutant_proof() -> object:
    """An error that is bounded away from 0 by 1 for every design nearby, whatever pi."""
    return prove_positive((1 - A) * (1 - PI) + A * PI - 1, [Hypothesis(x) for x in (A, 1 - A, PI, 1 - PI)], degree=2)


CLAIM = Claim(
    id="holohan2016.remark-eps-zero",
    source=f"{PAPER}, the remark after Theorem 2",
    printed=r"When $\epsilon=0$, all rows of the design matrix must be identical, i.e. $p_{00}=1-p_{11}$ and "
    r"$p_{11}=1-p_{00}$. This gives $p_{00}+p_{11}=1$, leading to an unbounded estimator error (6). $0$-differential "
    r"privacy enforces the same output distribution for every respondent, hence nothing meaningful can be learned.",
    precise="Within Section V, where delta = 0 and 0 < pi < 1: a design satisfies (9) at epsilon = 0 exactly when "
    "p00 + p11 = 1, and exactly then the distribution of the answer is the same for every prevalence; (6) then has the "
    "denominator 0, and it exceeds every bound at designs nearby (checked in the sweep: 100 at distance 1/100000).",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "pi": Domain.interval("prevalence", 0, 1, also=("1/100", "1/2", "9/10")),
    },
    assumptions=(Condition("0 < pi < 1 (stated before Section V)", lambda p: 0 < p["pi"] < 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="The remark belongs to delta = 0. At epsilon = 0 with delta > 0 there are useful designs, (1, delta) being "
    "one of them.",
)
