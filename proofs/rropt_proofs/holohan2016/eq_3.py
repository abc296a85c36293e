"""Equations (3a) and (3b): the output probabilities of the generalised design; direct questioning."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import PAPER, PI, A, B, determinant, yes_probability

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "9/10"))


def _numbers(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point["p00"]), Fraction(point["p11"]), Fraction(point["pi"])


def theory(point: Point) -> dict[str, object]:
    """Both printed forms of both probabilities, and the case of direct questioning."""
    a, b, pi = _numbers(point)
    return {
        "(3a)": ((1 - pi) * a + pi * (1 - b), a - pi * (a + b - 1)),
        "(3b)": (pi * b + (1 - pi) * (1 - a), 1 - a + pi * (a + b - 1)),
        "direct": a == b == 1,
    }


def computed(point: Point) -> dict[str, object]:
    """Total probability over the matrix of the mechanism; direct questioning answers the truth, whatever it is."""
    a, b, pi = _numbers(point)
    matrix = Mechanism.binary(a, b).matrix
    no, yes = (row[0] * (1 - pi) + row[1] * pi for row in matrix)
    return {"(3a)": (no, no), "(3b)": (yes, yes), "direct": all(matrix[x][x] == 1 for x in (0, 1))}


def mutant(point: Point) -> dict[str, object]:
    """p00 + p11 in the place of p00 + p11 - 1."""
    a, b, pi = _numbers(point)
    return {**theory(point), "(3b)": (pi * b + (1 - pi) * (1 - a), 1 - a + pi * (a + b))}


def proof() -> Proof:
    no = (1 - PI) * A + PI * (1 - B)
    return Proof(
        scope="all p00, p11, pi in [0, 1]",
        argument="By total probability over the truth, Pr(X = 0) = (1 - pi) p00 + pi (1 - p11) and Pr(X = 1) = "
        "pi p11 + (1 - pi)(1 - p00); each equals its second form identically, and the two sum to 1. Direct questioning "
        "means X = x for either truth: p00 = 1 and p11 = 1; then Pr(X = 1) = pi. Elsewhere 2 - p00 - p11 > 0.",
        certificates=(
            ("(3a)", prove_identity(no, A - PI * determinant)),
            ("(3b)", prove_identity(yes_probability, 1 - A + PI * determinant)),
            ("the sum is 1", prove_identity(no + yes_probability, 1)),
            ("Pr(X = 1) = pi at p00 = p11 = 1", prove_identity(yes_probability.subs({A: 1, B: 1}), PI)),
            (
                "a lie is possible when p00 < 1, and likewise when p11 < 1",
                prove_positive(2 - A - B, [Hypothesis(1 - A, strict=True), Hypothesis(1 - B)], strict=True, degree=1),
            ),
        ),
        unchecked_steps=("the theorem of total probability",),
    )


def mutant_proof() -> object:
    """A lie is possible even when p00 = 1 is allowed."""
    return prove_positive(2 - A - B, [Hypothesis(1 - A), Hypothesis(1 - B)], strict=True, degree=1)


CLAIM = Claim(
    id="holohan2016.eq-3",
    source=f"{PAPER}, equations (3a), (3b) and the remark after them",
    printed=r"$\mathbb P(X_i=0)=(1-\pi)p_{00}+\pi(1-p_{11})=p_{00}-\pi(p_{00}+p_{11}-1)$, "
    r"$\mathbb P(X_i=1)=\pi p_{11}+(1-\pi)(1-p_{00})=1-p_{00}+\pi(p_{00}+p_{11}-1)$. "
    r"Direct questioning corresponds to $p_{00}=p_{11}=1$.",
    precise="For a respondent drawn at random, of truth 1 with probability pi, the answer is 0 and 1 with the printed "
    "probabilities, in both forms; the answer is the truth, whatever the truth is, if and only if p00 = p11 = 1.",
    variables={"p00": UNIT, "p11": UNIT, "pi": UNIT},
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
