"""Section 3.2: the estimator m^{-1} C^{-1} Y is unbiased."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Domain, Entry, Fold, Point, Value
from rropt_proofs._matrices import adjugate_inverse, product
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._estimator import CASE, PLACE, RESPONDENTS, has_inverse, matrix_of, within
from rropt_proofs.vinterbo2018._paper import estimator_mean


def theory(point: Point) -> Fraction:
    """pi_i."""
    return Fraction(point["case"]["pi"][point["i"]])


def computed(point: Point) -> Fraction:
    """Entry i of m^-1 C^-1 E(Y); E(Y) is the sum of the means of m responses."""
    case = point["case"]
    return estimator_mean(matrix_of(case), case["pi"], point["m"])[point["i"]]


def mutant(point: Point) -> Fraction:
    """Shrunk towards 1/2."""
    return (theory(point) * 9 + Fraction(1, 2)) / 10


def _at(point: Point) -> dict[str, Any]:
    """Row i of C^-1 C: by the definition of an inverse 1 at i and 0 elsewhere."""
    case, i = point["case"], point["i"]
    row = product(adjugate_inverse(matrix_of(case)), matrix_of(case))[i]
    return {"p": case["pi"][i], "own": row[i], "others": row[:i] + row[i + 1 :]}


def proof() -> Anchored:
    """t is the sum over the truths x of pi_x times the mean of the entry (i, r) of C^-1 over the response r to x."""

    def truths(point: Point, at: Any) -> list[dict[str, Entry]]:
        rest = [x for x in range(len(point["case"]["pi"])) if x != point["i"]]
        return [{"q": Entry("case", "pi", x), "e": Entry("others", place)} for place, x in enumerate(rest)]

    mean = Fold(over=truths, start={"t": "p*own"}, update={"t": "t + q*e"}, invariants="t == p")
    return Anchored(
        Value(theory="p", computed="t"),
        at=_at,
        folds=[mean],
        argument="The estimate is the mean of m entries (i, r) of C^-1, one for each response. Given the truth x "
        "such an entry has the mean sum_r c_rx (C^-1)_ir, the entry (i, x) of C^-1 C.",
    )


CLAIM = Claim(
    id="vinterbo2018.sec-3.2-unbiased",
    source=f"{PAPER}, section 3.2",
    place=(3, 3),
    printed=r"If $C$ invertible, then we can let $\hat\pi(m)=m^{-1}C^{-1}Y$ be an estimator for $\pi$ with "
    r"$\operatorname{E}(\hat\pi(m))=m^{-1}C^{-1}\operatorname{E}(Y)=m^{-1}C^{-1}m\,C\pi=\pi$, from which we see that "
    r"it is unbiased.",
    precise="For every invertible C, every pi, every m >= 1 and every category i, the mean of the estimate of pi_i is "
    "pi_i; Y is the histogram of the responses. As printed, this mean is taken as m^-1 C^-1 E(Y), for the mean is "
    "linear, and E(Y) as the sum of the means of the m responses.",
    variables={"case": CASE, "m": RESPONDENTS, "i": PLACE},
    assumptions=(has_inverse, within("i")),
    bound={
        "p": Domain("pi_i", (), relation="x >= 0"),
        "own": Domain("the entry (i, i) of C^-1 C", (), relation="x == 1"),
        "others": Domain("the other entries of row i of C^-1 C", (), entries={(): "x == 0"}),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
)
