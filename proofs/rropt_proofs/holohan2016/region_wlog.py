"""p00 + p11 > 1 without loss of generality, the chains (i) and (ii), and the reduced region R'."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PAPER,
    PRIVATE,
    A,
    B,
    determinant,
    in_reduced_region,
    is_private,
    n_variance,
    no_slack,
    variance_at,
    yes_probability,
    yes_slack,
)

REAL = Domain.interval("a real number in [-1/2, 3/2]", "-1/2", "3/2", also=(0, "1/4", "1/2", "3/4", 1))


def _numbers(point: Point) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    a, b, gamma, delta = (Fraction(point[name]) for name in ("p00", "p11", "gamma", "delta"))
    return a, b, gamma, delta


def theory(point: Point) -> dict[str, bool]:
    """Membership by the second printed form of R'; the chains and the swap are said to hold always."""
    a, b, gamma, delta = _numbers(point)
    inside = a <= 1 and b <= 1 < a + b and a <= gamma * (1 - b) + delta and b <= gamma * (1 - a) + delta
    return {"in R'": inside, "chains (i), (ii)": True, "swapped": True}


def computed(point: Point) -> dict[str, bool]:
    """Membership by the definition of R, that is by (9); the chains on R'; and what the swap does below the line."""
    a, b, gamma, delta = _numbers(point)
    inside = in_reduced_region((a, b), gamma, delta)
    chains = not inside or (
        1 - b < a <= gamma * (1 - b) + delta < gamma * a + delta
        and 1 - a < b <= gamma * (1 - a) + delta < gamma * b + delta
    )
    swapped = True
    if min(a, b) >= 0 and a + b < 1 and max(a, b) <= 1:
        other = (1 - a, 1 - b)
        swapped = (
            sum(other) > 1
            and is_private((a, b), gamma, delta) == in_reduced_region(other, gamma, delta)
            and variance_at((a, b), point["pi"]) == variance_at(other, point["pi"])
        )
    return {"in R'": inside, "chains (i), (ii)": chains, "swapped": swapped}


def mutant(point: Point) -> dict[str, bool]:
    """R' without (11b)."""
    a, b, gamma, delta = _numbers(point)
    inside = a <= 1 and b <= 1 < a + b and b <= gamma * (1 - a) + delta
    return {"in R'": inside, "chains (i), (ii)": True, "swapped": True}


def proof() -> Proof:
    swap = {A: 1 - A, B: 1 - B}
    positive = [Hypothesis(GAMMA - 1), Hypothesis(determinant, strict=True)]
    unit = [Hypothesis(1 - A), Hypothesis(1 - B)]
    third, fourth = GAMMA * B + DELTA - (1 - A), GAMMA * A + DELTA - (1 - B)
    slacks = [Hypothesis(yes_slack), Hypothesis(no_slack)]
    return Proof(
        scope="all epsilon >= 0, 0 <= delta <= 1, all binary designs and prevalences",
        argument="The swap (a, b) -> (1 - a, 1 - b) negates a + b - 1 and exchanges the four inequalities of (12) in "
        "pairs, and it leaves n Var as it is. On a + b > 1: a > 1 - b >= 0 and b > 1 - a >= 0; the last steps of the "
        "chains differ by gamma (a + b - 1) > 0; and the third and fourth inequality of (12) follow from the first "
        "two. So the second form of R' is the first.",
        certificates=(
            ("the swap negates a + b - 1", prove_identity(determinant.subs(swap, simultaneous=True), -determinant)),
            ("the swap turns (11a) into the fourth", prove_identity(yes_slack.subs(swap, simultaneous=True), fourth)),
            ("the swap turns (11b) into the third", prove_identity(no_slack.subs(swap, simultaneous=True), third)),
            ("the swap keeps n Var", prove_identity(n_variance.subs(swap, simultaneous=True), n_variance)),
            (
                "the swap exchanges the answers",
                prove_identity(yes_probability.subs(swap, simultaneous=True), 1 - yes_probability),
            ),
            ("a > 0", prove_positive(A, [*positive, *unit], strict=True, degree=1)),
            ("b > 0", prove_positive(B, [*positive, *unit], strict=True, degree=1)),
            ("last step of (i)", prove_positive(GAMMA * A - GAMMA * (1 - B), positive, strict=True, degree=2)),
            ("last step of (ii)", prove_positive(GAMMA * B - GAMMA * (1 - A), positive, strict=True, degree=2)),
            ("the third inequality", prove_positive(third, [*positive, *slacks], strict=True, degree=2)),
            ("the fourth inequality", prove_positive(fourth, [*positive, *slacks], strict=True, degree=2)),
        ),
    )


def mutant_proof() -> object:
    """The second inequality from the first and p00 + p11 > 1."""
    positive = [Hypothesis(GAMMA - 1), Hypothesis(determinant), Hypothesis(1 - A), Hypothesis(1 - B)]
    return prove_positive(no_slack, [*positive, Hypothesis(yes_slack), Hypothesis(DELTA)], degree=2)


CLAIM = Claim(
    id="holohan2016.region-wlog",
    source=f"{PAPER}, the reduction after Definition 2",
    printed=r"We can assume $p_{00}+p_{11}>1$ without loss of generality. Then (i) "
    r"$1-p_{11}<p_{00}\le e^\epsilon(1-p_{11})+\delta<e^\epsilon p_{00}+\delta$, (ii) "
    r"$1-p_{00}<p_{11}\le e^\epsilon(1-p_{00})+\delta<e^\epsilon p_{11}+\delta$, and "
    r"$\mathcal R'=\{(p_{00},p_{11})\in\mathcal R:p_{00}+p_{11}>1\}=\{(p_{00},p_{11}):p_{00},p_{11}\le1,\ "
    r"p_{00}+p_{11}>1,\ p_{00}\le e^\epsilon(1-p_{11})+\delta,\ p_{11}\le e^\epsilon(1-p_{00})+\delta\}$.",
    precise="For a pair of reals (p00, p11): it satisfies the second form of R' exactly when it is a private mechanism "
    "with p00 + p11 > 1; then both chains hold. A mechanism with p00 + p11 < 1 is private exactly when (1 - p00, "
    "1 - p11) is in R', and both have the same n Var. (The paper writes the pairs as elements of R; R x R is meant.)",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "p00": REAL,
        "p11": REAL,
        "pi": Domain.interval("prevalence", 0, 1, also=("1/3",)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
)
