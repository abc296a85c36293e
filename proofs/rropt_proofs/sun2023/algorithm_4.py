"""Algorithm 4, run as it is printed: what its estimator estimates."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from rropt.claims import Claim, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._mechanisms import algorithm_3
from rropt_proofs.sun2023._surveys import DECK, all_orders, divides, mean_over


def theory(point: Point) -> Fraction:
    """pi_A, the share of group A."""
    bits = point["case"]["x"]
    return Fraction(sum(bits), len(bits))


def _estimate(point: Point, sum_of_answers: Fraction) -> Fraction:
    case = point["case"]
    size = len(case["deck"])
    mean = sum(case["deck"]) / Fraction(size)
    return (sum_of_answers / size - mean) / (case["L"] + 1 - 2 * mean)


def computed(point: Point) -> Fraction:
    """The mean of the estimator over all orders in which the cards are dealt, with the answers as printed."""
    case = point["case"]
    orders = permutations(case["deck"])
    sums = [sum(algorithm_3(k, x, case["L"]) for k, x in zip(order, case["x"], strict=True)) for order in orders]
    return _estimate(point, mean_over(sums))


def repaired(point: Point) -> Fraction:
    """The mean of the estimator over all orders, with the answers of the formula."""
    return _estimate(point, mean_over([sum(seen) for seen in all_orders(point["case"])]))


def mutant(point: Point) -> Fraction:
    """A hundredth too much."""
    return theory(point) + Fraction(1, 100)


def working(point: Point) -> str:
    """The mean of an answer of each group, as printed."""
    case = point["case"]
    size, members = len(case["deck"]), sum(case["x"])
    mean, most = Fraction(sum(case["deck"]), size), case["L"]
    sum_of_means = members * mean + (size - members) * (most + 1 - mean)
    return (
        f"the deck {value_text(case['deck'])} has the mean E Y = {value_text(mean)}, and each card is as likely as any "
        f"other to be a person's\nas printed, a person in group A returns k, of mean {value_text(mean)}, and another "
        f"one {most} + 1 - k, of mean {value_text(most + 1 - mean)}: the {size} answers have the sum "
        f"{value_text(sum_of_means)} in the mean\nthe mean of the estimator is (({value_text(sum_of_means)})/{size} - "
        f"{value_text(mean)})/({value_text(most + 1 - 2 * mean)}) = {value_text(computed(point))}, and pi_A = "
        f"{value_text(theory(point))}"
    )


CLAIM = Claim(
    id="sun2023.algorithm-4",
    source=f"{PAPER}, Algorithm 4 and the estimator after it",
    place=(4, 1),
    printed="the improved Christofides Mechanism [...] prepare a device consist of $N$ cards, each card showing one "
    "of the integers $1,2,...,L$ with proportions $p_1,p_2,...,p_L$ respectively; randomly select a card, "
    "assume the number is $k$; if $x_i=1$ then $X_i=k$; else $X_i=L+1-k$ end if return $X_i$; The respondent "
    "keeps the card. (Do not put the card back to device.) [...] "
    r"$\hat\pi_A=\frac{\frac1N\sum_{i=1}^NX_i-\mathbf{E}(Y)}{L+1-2\mathbf{E}(Y)}$. The estimator $\hat{\pi_A}$ "
    "is an unbiased estimation according to the Law of large numbers (Durrett, 2019).",
    precise="For every deck of N cards with numbers of 1, ..., L whose mean E Y is not (L + 1)/2, and all x_1, ..., "
    "x_N: with the answers of Algorithm 4 as printed, one card each from one deck, the estimator has the mean pi_A.",
    variables={"case": DECK},
    defined=(divides,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"If $x_i=1$ then $X_i=L+1-k$; else $X_i=k$: then the estimator is unbiased. As printed, its mean is "
        r"$1-\pi_A$.",
        theory,
        computed=repaired,
    ),
    working=working,
    count=60,
    notes="The formula for X_i after the algorithm has the two answers in the right order. One deck serves all: line "
    "3, read as a part of what is done for each respondent, would put the card back. A deck exists where N p_1, "
    "..., N p_L are whole numbers.",
)
