"""The four inequalities (11): (epsilon, delta)-differential privacy of a binary output."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point, Proof
from rropt.exact import Epsilon
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PAPER, PRIVATE, A, B, is_private, no_slack, yes_slack

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "3/4"))


def _slacks(point: Point) -> list[Fraction]:
    a, b, gamma, delta = (Fraction(point[name]) for name in ("p00", "p11", "gamma", "delta"))
    return [
        gamma * (1 - a) + delta - b,
        gamma * (1 - b) + delta - a,
        gamma * b + delta - (1 - a),
        gamma * a + delta - (1 - b),
    ]


def theory(point: Point) -> tuple[bool, bool]:
    """Private exactly when all four hold; held against two computations."""
    private = min(_slacks(point)) >= 0
    return private, private


def computed(point: Point) -> tuple[bool, bool]:
    """The definition (9) over all sets of answers, and the privacy profile of the matrix."""
    a, b, gamma, delta = (Fraction(point[name]) for name in ("p00", "p11", "gamma", "delta"))
    profile = Mechanism.binary(a, b).delta(Epsilon.of_gamma(gamma))
    return is_private((a, b), gamma, delta), bool(profile <= delta)


def mutant(point: Point) -> tuple[bool, bool]:
    """Without the last inequality."""
    private = min(_slacks(point)[:3]) >= 0
    return private, private


def proof() -> Proof:
    level = [Hypothesis(GAMMA - 1), Hypothesis(DELTA)]
    given = {0: (A, 1 - A), 1: (1 - B, B)}

    def slack(x: int, j: int) -> object:
        return GAMMA * given[1 - x][j] + DELTA - given[x][j]

    return Proof(
        scope="all epsilon >= 0, 0 <= delta <= 1, all binary designs",
        argument="(9) has to hold for the truths in either order and for the four sets of answers. The set {j} with "
        "the truths (x, 1 - x) gives the four printed inequalities, one each. The empty set asks 0 <= delta and the "
        "full set 1 <= gamma + delta, which hold for epsilon >= 0.",
        certificates=(
            ("(11a): answer 1, truth 1 against 0", prove_identity(slack(1, 1), yes_slack)),
            ("(11b): answer 0, truth 0 against 1", prove_identity(slack(0, 0), no_slack)),
            ("the third: answer 1, truth 0 against 1", prove_identity(slack(0, 1), GAMMA * B + DELTA - (1 - A))),
            ("the fourth: answer 0, truth 1 against 0", prove_identity(slack(1, 0), GAMMA * A + DELTA - (1 - B))),
            ("the full set", prove_positive(GAMMA + DELTA - 1, level, degree=1)),
        ),
        unchecked_steps=("{0, 1} has the four subsets named",),
    )


def mutant_proof() -> object:
    """The last inequality from the first three."""
    first, second, third = yes_slack, no_slack, GAMMA * B + DELTA - (1 - A)
    hypotheses = [Hypothesis(x) for x in (first, second, third, GAMMA - 1, DELTA, A, B, 1 - A, 1 - B)]
    return prove_positive(GAMMA * A + DELTA - (1 - B), hypotheses, degree=2)


CLAIM = Claim(
    id="holohan2016.eq-11",
    source=f"{PAPER}, equations (11)",
    printed=r"For the mechanism (2) to satisfy $(\epsilon,\delta)$-differential privacy we require "
    r"$p_{11}\le e^\epsilon(1-p_{00})+\delta$, $p_{00}\le e^\epsilon(1-p_{11})+\delta$, "
    r"$1-p_{00}\le e^\epsilon p_{11}+\delta$, $1-p_{11}\le e^\epsilon p_{00}+\delta$.",
    precise="For epsilon >= 0 and 0 <= delta <= 1 the design (p00, p11) satisfies (9), for the truths 0 and 1 in "
    "either order and for every set of answers, if and only if the four inequalities hold.",
    variables={"gamma": PRIVATE["gamma"], "delta": PRIVATE["delta"], "p00": UNIT, "p11": UNIT},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="epsilon >= 0 belongs to the definition. (For epsilon < 0 the set of both answers would ask "
    "1 <= exp(epsilon) + delta in addition.)",
)
