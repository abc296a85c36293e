"""A product of devices compared with designs that randomize the full report as one of K categories, at equal privacy.

K is the number of combinations of answers, for example 2^n for n yes/no questions. Subset selection outputs a subset T
of d of the K categories. A subset that contains the true category is gamma times as likely as one that does not. k-ary
randomized response (GRR) is the case d = 1. The true category is in T with probability
``p = d gamma/(d gamma + K - d)``, and every other category with probability ``q = (d - p)/(K - 1)``. For a set S of m
categories, the unbiased estimate of its proportion is the mean of ``(|T n S| - q m)/(p - q)``. With ``s = |pi|^2``,

    n trace = (d - K q^2 - 2 q (p - q))/(p - q)^2 - s
    n Var(S) = (t E_1 + (1 - t) E_0 - (q m + (p - q) t)^2)/(p - q)^2

where t = pi(S). E_1 and E_0 are the means of ``|T n S|^2`` if the true category is inside or outside S: sums of the
chances that T contains two given categories. Apart from the true category, T is a uniform sample of the other K - 1
categories.

The trace at s = 1/K is ``(K - 1)^2 (d gamma + K - d)^2/(K (gamma - 1)^2 d (K - d))``. It is convex in d/(K - d) and
smallest at ``d = K/(gamma + 1)``. One of the two integers next to this value is optimal, for every distribution pi.

The designs are compared at equal privacy of one of two kinds. The level of the *full report* bounds the likelihood
ratio of any two combinations. The level *per question* bounds it for combinations that differ in one answer. The
designs on combinations ignore the questions, so both of their levels are gamma. No computation enumerates the K
combinations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Epsilon, decimal_text
from rropt.core.exact.numbers import whole_where
from rropt.core.results import Result, Table, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.core.visible import size_text
from rropt.inference.precision import worst_variance
from rropt.inference.utilities import Number, utility
from rropt.mechanisms import Mechanism, RandomQuestions
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.families.memberships import best_subset_size
from rropt.mechanisms.question_selection import product_of
from rropt.mechanisms.random_questions import MOST_ASKED
from rropt.plans.marginals import marginal_variance

COMBINED = ("grr", "subset")  # designs on all combinations of answers
ASKED = "ask"  # some random questions for each respondent
WORDS = (*COMBINED, ASKED)
_MOST_BITS = 400


class Selection(NamedTuple):
    """Subset selection with d of K categories at parity gamma; d = 1 is k-ary randomized response."""

    categories: int
    size: int
    gamma: Fraction

    def chances(self) -> tuple[Fraction, Fraction]:
        """Return p and q as defined in this module."""
        weight = self.size * self.gamma
        p = weight / (weight + self.categories - self.size)
        return p, (self.size - p) / (self.categories - 1)

    def trace(self, squares: Number) -> Number:
        """Return n times the trace of the covariance of the estimate, for a distribution with ``|pi|^2 = squares``.

        >>> print(*(Selection(4, d, Fraction(3)).trace(Fraction(1, 4)) for d in (1, 2)))
        27/4 9
        """
        p, q = self.chances()
        return (self.size - self.categories * q**2 - 2 * q * (p - q)) / (p - q) ** 2 - squares

    def variance(self, members: int) -> Fraction:
        """Return n times the variance of the estimated proportion of a set of categories, maximized over pi.

        Args:
            members: m, the number of categories in the set, 1 <= m < K.
        """
        p, q = self.chances()
        others, pairs = self.categories - 1, (self.categories - 1) * max(self.categories - 2, 1)
        # chances that T contains the truth and another category, or two categories that are not the truth
        mixed = p * (self.size - 1) / others
        both = (self.size - 1) * (p * (self.size - 2) + (1 - p) * self.size) / pairs
        without = members * (q + (members - 1) * both)
        with_truth = p + (members - 1) * (q + 2 * mixed + (members - 2) * both)
        base = q * members  # the mean of the number of categories of the set in T, without the truth
        return worst_variance((without, with_truth), (base, base + p - q)) / (p - q) ** 2


@dataclass(frozen=True, slots=True)
class DesignPrecision(Result):
    """The precision of the estimates of one design, per respondent.

    Attributes:
        design: the name of the design.
        at_equal: ``"full report"`` or ``"question"``: the privacy level that equals the product's; ``None`` for the
            product.
        report_parity: the parity of the full report, gamma.
        question_parity: the parity of two combinations that differ in the answer to one question.
        trace: n times the trace of the covariance of the joint estimate; ``None`` if random questions have none.
        loss: L, the ratio of that trace to the trace for direct questioning; ``None`` likewise.
        marginal_variance: n Var of the least precise cell of all k-way marginals, maximized over pi.
        size: d, the subset size of subset selection.
        asked: j, the number of random questions that each respondent answers.
    """

    design: str
    at_equal: str | None
    report_parity: Fraction
    question_parity: Fraction
    trace: Number | None
    loss: Number | None
    marginal_variance: Fraction
    size: int | None = None
    asked: int | None = None

    LABELS = labelled(
        design="design",
        at_equal="at the same epsilon of",
        epsilon="epsilon",
        trace="n times the trace of the covariance",
        loss="loss L",
        marginal_variance="n Var of the worst marginal cell",
        size="size of the subsets",
        asked="questions asked of each",
    )

    @property
    def epsilon(self) -> Mapping[str, Epsilon]:
        """Epsilon of the full report, and of the least private single question."""
        parities = {"whole_answer": self.report_parity, "worst_question": self.question_parity}
        return {name: Epsilon.of_parity(parity) for name, parity in parities.items()}


@dataclass(frozen=True, slots=True)
class PrecisionComparison(Result, SequenceOf):
    """A comparison of a product with designs on all combinations of answers; it is a sequence of precisions.

    Attributes:
        combinations: the number of combinations of answers.
        marginals: the number of questions in each marginal.
        designs: the precisions, starting with the product.
    """

    combinations: int
    marginals: int
    designs: tuple[DesignPrecision, ...]

    ITEMS = "designs"
    ANSWER = ("loss=_losses",)
    LABELS = labelled(combinations="combinations of categories", marginals="questions of a marginal")

    @property
    def _losses(self) -> dict[str, Fraction | float]:
        return {" ".join(_row(one)[:2]).strip(): one.loss for one in self.designs if one.loss is not None}

    def as_tables(self) -> list[Table]:
        """Return a table with one row for each design."""
        title = f"{self.designs[0].design} compared with designs on all {size_text(self.combinations)} combinations"
        worst = f"worst n Var, {self.marginals}-way"
        header = ("design", "at equal", "epsilon, whole", "epsilon, question", "trace", "loss L", worst)
        return [(f"{title}, at the uniform distribution", header, [_row(design) for design in self.designs])]


def _row(design: DesignPrecision) -> tuple[str, ...]:
    name = design.design if design.size is None else f"{design.design}, d = {size_text(design.size)}"
    name = name if design.asked is None else f"{design.design}, j = {design.asked}"
    levels = (decimal_text(float(epsilon), 6) for epsilon in design.epsilon.values())
    found = (design.trace, design.loss, design.marginal_variance)
    numbers = ("" if x is None else decimal_text(float(x), 6) for x in found)
    return (name, design.at_equal or "", *levels, *numbers)


def compare_precision(
    mechanism: Mechanism,
    *,
    marginals: int = 1,
    designs: Sequence[str] = COMBINED,
    population: Sequence[object] | None = None,
    prevalences: Sequence[object] | None = None,
) -> PrecisionComparison:
    """Compare a product of devices with k-ary randomized response and subset selection at equal privacy.

    The first row is the product. Then come both designs at the product's epsilon of the full report, and both at its
    epsilon of the least private single question.

    Args:
        mechanism: a product of devices, which may be different.
        marginals: k, the number of questions in each marginal.
        designs: ``"grr"``, ``"subset"``, and for yes/no questions ``"ask"``: the random set of j questions with the
            most precise marginals, at the epsilon of the full report. It has no joint estimate.
        population, prevalences: the distribution for trace and loss, as in ``utility``; uniform by default.

    Raises:
        InvalidParameterError: epsilon of the product is infinite or 0.
        InfeasibleError: a device does not identify its question.
        UnsupportedProblemError: there are more than 2^400 combinations.

    >>> from rropt.mechanisms import named_mechanism
    >>> for row in compare_precision(named_mechanism("bits:3/4*4")):
    ...     print(row.design, row.at_equal, *map(str, row.epsilon.values()), float(round(row.loss, 2)))
    bits:3/4*4 None log(81) log(3) 41.6
    grr full report log(81) log(81) 1.44
    subset full report log(81) log(81) 1.44
    grr question log(3) log(3) 81.0
    subset question log(3) log(3) 45.0
    """
    product = product_of(mechanism)
    marginals = whole_where(marginals, 1, len(product.factors), name="`marginals`")
    allowed = f"a list of {', '.join(WORDS)}"
    if wrong := [name for name in required_list(designs, "`designs`", allowed) if name not in WORDS]:
        raise InvalidParameterError(f"`designs` has an unknown name: received {shown(wrong[0])}; allowed is {allowed}")
    whole, question = product.parity(), product.parity(differing=1)
    if whole is None or question is None or whole == 1:
        raise InvalidParameterError(
            f"there is no equal privacy: received a product with epsilon = {product.epsilon}; allowed is one whose "
            "epsilon is finite and above 0: no bit that reveals the truth or nothing with certainty"
        )
    if product.inputs.bit_length() > _MOST_BITS:
        raise UnsupportedProblemError(
            f"the combinations of {len(product.factors)} questions are too many to compare: received "
            f"{size_text(product.inputs)}; allowed are 2^{_MOST_BITS}, which decimals hold; compare fewer questions"
        )
    at, spread = utility(product, population=population, prevalences=prevalences), marginal_variance(product, marginals)
    squares, trace = at.squares(), at.trace()
    name = product.name or "product"
    rows = [DesignPrecision(name, None, whole, question, trace, trace / (1 - squares), spread)]
    members = _members([device.inputs for device in product.factors], marginals)
    for equal, gamma in (("full report", whole), ("question", question)):
        for design, chosen in zip(COMBINED, (1, best_subset_size(product.inputs, gamma)), strict=True):
            if design not in designs:
                continue
            selection = Selection(product.inputs, chosen, gamma)
            trace = selection.trace(squares)
            worst = max(selection.variance(m) for m in members)
            size = selection.size if design == "subset" else None
            rows.append(DesignPrecision(design, equal, gamma, gamma, trace, trace / (1 - squares), worst, size))
    if ASKED in designs:
        if any(device.inputs != 2 for device in product.factors):
            raise InvalidParameterError(
                "random questions are yes/no questions: received a product with a question of more categories; leave "
                f"{ASKED!r} out"
            )
        if marginals > MOST_ASKED:
            raise UnsupportedProblemError(
                f"random questions have no marginals of so many questions: received {marginals}; allowed are at most "
                f"{MOST_ASKED}; leave {ASKED!r} out"
            )
        worst, j = min(
            _asked_variance(len(product.factors), j, marginals, whole)
            for j in range(marginals, 1 + min(len(product.factors), MOST_ASKED))
        )
        rows.append(DesignPrecision(ASKED, "full report", whole, whole, None, None, worst, asked=j))
    return PrecisionComparison(product.inputs, marginals, tuple(rows))


def _asked_variance(questions: int, asked: int, order: int, gamma: Fraction) -> tuple[Fraction, int]:
    """Return the largest n Var of a cell of a marginal with random questions, and the number of questions asked.

    A set of ``order`` questions is asked of a proportion C(j, order)/C(N, order) of the respondents.
    """
    device = RandomQuestions(questions, asked, gamma).together(order)
    p, q = device.matrix[0][0], device.matrix[0][1]
    worst = worst_variance((q, p), (q, p)) / (p - q) ** 2
    return worst * Fraction(comb(questions, order), comb(asked, order)), asked


def _members(sizes: Sequence[int], order: int) -> set[int]:
    """Return how many combinations a cell of a marginal of ``order`` questions can contain, as a set."""
    cells: list[set[int]] = [{1}, *(set() for _ in range(order))]
    total = 1
    for size in sizes:
        total *= size
        for k in range(order, 0, -1):
            cells[k] |= {count * size for count in cells[k - 1]}
    return {total // count for count in cells[order]}
