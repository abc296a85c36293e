"""Section 3.1: what asking everybody once saves in modified Warner."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Entry, Fold, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import MEMBERSHIP, PROBABILITY, SIZE, fixed, replaced, spread, warner
from rropt_proofs.sun2023.eq_1 import divides

BEFORE, DECREASE = "the variance with replacement", "the decrease"


def theory(point: Point) -> dict[str, Fraction]:
    p, bits = Fraction(point["p"]), point["x"]
    share, size = Fraction(sum(bits), len(bits)), len(bits)
    lost = share * (1 - share) / size
    return {BEFORE: lost + p * (1 - p) / (size * (2 * p - 1) ** 2), DECREASE: lost}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance when N persons are drawn with replacement from these N, less that when each is asked once."""
    p, bits = Fraction(point["p"]), point["x"]
    before, after = (spread(law(bits, warner(p)), len(bits), 2 * p - 1) for law in (replaced, fixed))
    return {BEFORE: before, DECREASE: before - after}


def mutant(point: Point) -> dict[str, Fraction]:
    """pi_A/N is saved."""
    bits = point["x"]
    return {**theory(point), DECREASE: Fraction(sum(bits), len(bits) ** 2)}


def proof() -> Anchored:
    """A person drawn by chance answers 1 with probability r/N."""
    persons = Fold(
        over=lambda point, _: [{"bit": Entry("x", i)} for i in range(len(point["x"]))],
        start={"s": 0, "r": 0, "v": 0},
        update={"s": "s + bit", "r": "r + bit*p + (1 - bit)*(1 - p)", "v": "v + p*(1 - p)"},
        invariants=("r == count*(1 - p) + (2*p - 1)*s", "v == count*p*(1 - p)"),
        count="size",
    )
    lost = "s/size*(1 - s/size)/size"
    before = "(r/size)*(1 - r/size)/(size*(2*p - 1)**2)"
    return Anchored(
        Value(of=BEFORE, theory=f"{lost} + p*(1 - p)/(size*(2*p - 1)**2)", computed=before),
        Value(of=DECREASE, theory=lost, computed=f"{before} - v/(size*(2*p - 1))**2"),
        at=lambda point: {"size": len(point["x"])},
        folds=[persons],
    )


CLAIM = Claim(
    id="sun2023.eq-1-decrease",
    source=f"{PAPER}, section 3.1, after equation (1)",
    place=(3, 5),
    printed=r"The variance is decreased by $[\pi_A(1-\pi_A)]/N$ compared with that in (Warner, 1965) that samples with "
    r"replacement, which is $\mathbf{Var}\hat{\pi_A}=\frac{\pi_A(1-\pi_A)}N+\frac{p(1-p)}{N(2p-1)^2}$.",
    precise="For 0 <= p <= 1, p != 1/2 and every population of N persons: the variance of the estimator from N persons "
    "drawn with replacement, and by how much it exceeds that from all N persons asked once each.",
    variables={"p": PROBABILITY, "x": MEMBERSHIP},
    bound={"size": SIZE},
    defined=(divides,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="What is saved is the variance of the sampling; that of the device stays. A sample of n < N persons without "
    "replacement has (N - n)/(N - 1) times pi_A(1 - pi_A)/n of it.",
)
