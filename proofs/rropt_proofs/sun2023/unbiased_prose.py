"""Sections 3 and 4: unbiased according to the law of large numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from rropt.claims import Claim, Condition, Correction, Domain, Point, Reading
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import FiniteLaw, mean_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._range import HALF
from rropt_proofs.sun2023._surveys import PERSONS, fixed, warner

ITSELF, INFERENCE = "the estimator", "any estimator with the same limit: the estimator, kept within [0, 1]"


def _within(value: Fraction) -> Fraction:
    return min(max(value, Fraction(0)), Fraction(1))


def theory(point: Point) -> Fraction:
    """The mean is pi_A."""
    return Fraction(sum(point["x"]), len(point["x"]))


def _mean(point: Point, shown: Callable[[Fraction], Fraction]) -> Fraction:
    p, bits = Fraction(point["p"]), point["x"]
    law: FiniteLaw = fixed(bits, warner(p))
    return mean_of(law, lambda ones: shown((Fraction(ones, len(bits)) - (1 - p)) / (2 * p - 1)))


def computed(point: Point) -> Fraction:
    """The mean over all answers of these N persons."""
    return _mean(point, (lambda value: value) if point["reading"] == ITSELF else _within)


def linear(point: Point) -> Fraction:
    """The mean of the estimator itself, over all answers of these N persons."""
    return _mean(point, lambda value: value)


def mutant(point: Point) -> Fraction:
    """A hundredth too much."""
    return theory(point) + Fraction(1, 100)


def working(point: Point) -> str:
    """The values of the estimator with their probabilities."""
    p, bits = Fraction(point["p"]), point["x"]
    size = len(bits)
    rows = []
    for ones, chance in sorted(fixed(bits, warner(p)).items()):
        value = (Fraction(ones, size) - (1 - p)) / (2 * p - 1)
        rows.append(
            f"N_1 = {ones} (probability {value_text(chance)}): estimate {value_text(value)}, within [0, 1] "
            f"{value_text(_within(value))}"
        )
    return "\n".join([*rows, f"means {value_text(linear(point))} and {value_text(_mean(point, _within))}"])


def _variables(reading: str) -> dict[str, Domain]:
    return {
        "reading": Domain.values("what is unbiased", reading),
        "p": Domain.values("probability of the truth", *map(Fraction, ("0", "1/10", "1/3", "1/2", "3/4", "1"))),
        "x": replace(PERSONS, boundary=tuple(x for x in PERSONS.boundary if any(x))),
    }


CLAIM = Claim(
    id="sun2023.unbiased-prose",
    source=f"{PAPER}, sections 3.1, 3.2, 3.3 and 4",
    place=(3, 3),
    printed=r"The estimator $\hat{\pi_A}$ is unbiased estimation according to the Law of large numbers "
    r"(Durrett, 2019).",
    precise="For 0 <= p <= 1, p != 1/2, every N and all x_1, ..., x_N, with Warner as it is meant. Two readings: the "
    "estimator has the mean pi_A; and that follows from the law of large numbers, which says that the estimator tends "
    "to pi_A as N grows. Then whatever tends to pi_A so would have the mean pi_A: also the estimator with values below "
    "0 and above 1 replaced by 0 and 1, which is no further from pi_A.",
    variables=_variables(INFERENCE),
    defined=(Condition("p != 1/2: the estimator divides by 2p - 1", "p != 1/2"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"The estimator is unbiased for every $N$, since the mean of a sum is the sum of the means. The law of large "
        r"numbers says that it is consistent, which neither implies nor follows from that.",
        theory,
        computed=linear,
    ),
    working=working,
    readings=(
        Reading(
            "the estimator has the mean pi_A",
            "get the unbiased estimate of the true proportion of people with sensitive attributes according to the "
            "answers.",
            {"variables": _variables(ITSELF), "correction": None},
        ),
        Reading(
            "that follows from the law of large numbers",
            "According to the formula of total probability, the theoretical proportion of the respondent who answered "
            r"$yes$ to question (a) or (b) is approximately equal to $N_1/N$, shown as follows,",
        ),
    ),
    stated=(HALF,),
    notes="That the estimators are unbiased is true. The reason that is given for it, four times, does "
    "not give it: no law of large numbers speaks of a single N. With the algorithms as they are printed "
    "the estimators are not unbiased (`algorithm-1` to `-4`), nor do they tend to pi_A.",
)
