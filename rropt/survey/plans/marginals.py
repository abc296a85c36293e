"""Sample sizes of several questions: respondents for the precision of marginals, and the marginals they afford.

n Var of the least precise cell is an exact number (``worst_cells``), and so is the least n: a ceiling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational_where
from rropt.core.exact.brackets import Bracket, ball, bracket
from rropt.core.exact.numbers import finite_float, square_root
from rropt.core.results import Result, says
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.questions import chosen_questions, product_of
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import exact_confidence, two_sided_quantile
from rropt.survey.plans.plan import Plan, ceiling, last_words
from rropt.survey.plans.worst_cells import Population, population_words, squared_range, worst_by_order, worst_of_all

MARGINAL_INTERVALS = ("hoeffding", "normal")  # as `simultaneous_intervals`; the first has a guarantee

_MOST_POINTS = 4096  # that do not dominate each other; bits have two for each question
_MOST_CELLS = 1 << 18  # of all marginals at a population that is given: exact, a second or two
_MOST_ORDER = 64  # questions of a marginal: its n Var is a number of as many factors
_DIGITS = (20, 40, 80, 160, 320)  # of quantiles and logarithms; no tie is known


@dataclass(frozen=True, slots=True)
class AffordableOrder(Result):
    """The largest k for which every marginal of at most k questions is as precise as required.

    Attributes:
        order: k; 0 where no question is.
        n: the number of respondents.
        variances: n Var of the worst cell of the worst marginal of 1, 2, ... questions, exact; up to k + 1 questions.
        worst: the questions of that marginal.
        taken: at which population, in words.
    """

    order: int
    n: int
    variances: tuple[Fraction, ...]
    worst: tuple[tuple[int, ...], ...]
    taken: str

    SAYS = says(
        order="largest k",
        n="respondents",
        standard_errors="standard errors of the worst cells, k = 1, 2, ...",
        variances="n Var of them",
        worst="of the questions",
        taken="taken",
    )

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The standard errors of the worst cells from n respondents, for 1, 2, ... questions."""
        return tuple(square_root(variance / self.n) for variance in self.variances)


def marginal_variance(
    mechanism: Mechanism, questions: int | Sequence[int] | None = None, *, population: Population = None
) -> Fraction:
    """Return n times the exact variance of the least precise cell of a marginal.

    Args:
        mechanism: a product, or the device of one question.
        questions: of the marginal; a number k for the least precise of all marginals of k questions; ``None``: all.
        population: ``None`` for the worst one, ``"uniform"``, or the share of each combination of answers to the
            questions named (to all questions where k is given), little-endian.

    Raises:
        InvalidParameterError: questions or a population that do not fit.
        InfeasibleError: a device does not identify its question.
        UnsupportedProblemError: too many cells, or cells that do not dominate each other.

    >>> from rropt.mechanisms import named_mechanism
    >>> [str(marginal_variance(named_mechanism("bits:3/4*3"), k)) for k in (1, 2, 3)]
    ['1', '133/64', '279/64']
    """
    return _spread(product_of(mechanism), questions, population)[0]


def plan_marginal_variance(
    mechanism: Mechanism,
    goal: object,
    questions: int | Sequence[int] | None = None,
    *,
    population: Population = None,
) -> Plan:
    """Return the smallest n for which every cell of a marginal has variance at most ``goal``.

    An exact ceiling. Arguments as for ``marginal_variance``; the goal is positive (for a standard error s its square).

    Raises:
        As ``marginal_variance``, and InfeasibleError: more than 10^15 answers are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan_marginal_variance(named_mechanism("bits:3/4*3"), "1/10000", [0, 2]).n
    20782
    """
    most = rational_where(goal, lambda variance: variance > 0, "a number > 0", name="variance")
    spread, which = _spread(product_of(mechanism), questions, population)
    n = ceiling(spread / most)
    text = f"the variance of every cell of {which} is at most {most}{last_words(n, 'more')}"
    return Plan(n=n, goal="variance", achieved=finite_float(spread / n), definition=text)


def plan_marginal_margin(
    mechanism: Mechanism,
    goal: object,
    questions: int | Sequence[int] | None = None,
    *,
    kind: str = "hoeffding",
    confidence: object = Fraction(19, 20),
    population: Population = None,
) -> Plan:
    """Return the smallest n for which all simultaneous intervals of a marginal have half width at most goal.

    The intervals are those of ``simultaneous_intervals`` for one table with c cells, alpha = 1 - confidence:

    * hoeffding: ``r sqrt(log(2c/alpha)/(2n))``, r the largest range of a row of A; for every population.
    * normal: ``z sqrt(v/n)``, v = ``marginal_variance``, ``Pr(|G| <= z) = 1 - alpha/c``; no guarantee.

    Args:
        goal: the half width, in (0, 1).
        kind: ``"hoeffding"`` or ``"normal"``.
        confidence: of all cells together, exact.
        mechanism, questions, population: as for ``marginal_variance``; hoeffding takes no population.
    """
    most = rational_where(goal, lambda margin: 0 < margin < 1, "0 < margin < 1", name="margin")
    bound, cells, level, which = _margin_parts(mechanism, questions, kind, confidence, population)
    n = _least(lambda digits: _multiplier(kind, level, cells, digits), bound / most**2)
    text = f"half the width of the {kind} intervals that hold all cells of {which} at once is at most {most}"
    achieved = marginal_margin(mechanism, n, questions, kind=kind, confidence=level, population=population)
    return Plan(n=n, goal="margin", achieved=achieved, definition=text + last_words(n, "more"))


def marginal_margin(
    mechanism: Mechanism,
    n: object,
    questions: int | Sequence[int] | None = None,
    *,
    kind: str = "hoeffding",
    confidence: object = Fraction(19, 20),
    population: Population = None,
) -> float:
    """Return the half width of the widest interval of ``plan_marginal_margin`` with n respondents."""
    bound, cells, level, _ = _margin_parts(mechanism, questions, kind, confidence, population)
    return square_root(_multiplier(kind, level, cells, _DIGITS[0]).upper * bound / answer_count(n, "n", least=1))


def _margin_parts(
    mechanism: Mechanism, questions: int | Sequence[int] | None, kind: str, confidence: object, population: Population
) -> tuple[Fraction, int, Fraction, str]:
    """Return what the multiplier multiplies under the root, the number of cells, the confidence, and which marginal."""
    product, level = product_of(mechanism), exact_confidence(confidence)
    if kind not in MARGINAL_INTERVALS:
        raise InvalidParameterError(
            f"several questions have no such intervals: received {shown(kind)}; allowed are "
            f"{', '.join(MARGINAL_INTERVALS)}"
        )
    if kind == "hoeffding" and population is not None:
        raise InvalidParameterError(
            "Hoeffding's interval is the same for every population: received one; leave it out, or use normal"
        )
    cells = _cells(product, questions)
    spread, which = _spread(product, questions, population)
    if kind == "normal":
        return spread, cells, level, which
    return squared_range(product, questions), cells, level, which.removesuffix(" " + population_words(None))


def affordable_order(
    mechanism: Mechanism, n: object, variance: object, *, population: Population = None
) -> AffordableOrder:
    """Return the largest k for which n respondents give all marginals of at most k questions this variance.

    Args:
        mechanism: a product.
        n: the number of respondents.
        variance: of the least precise cell, at most; positive (for a standard error s its square).
        population: as for ``marginal_variance``, of all questions.

    >>> from rropt.mechanisms import named_mechanism
    >>> afforded = affordable_order(named_mechanism("bits:3/4*20"), 100_000, "1/1000")
    >>> afforded.order, [str(x) for x in afforded.variances[:3]]
    (8, ['1', '133/64', '279/64'])
    """
    product, total = product_of(mechanism), answer_count(n, "n", least=1)
    most = rational_where(variance, lambda x: x > 0, "a number > 0", name="variance") * total
    questions, found, first = len(product.factors), [], 8
    while True:
        orders = min(first, questions, _MOST_ORDER)
        found = worst_by_order(product, orders, population)
        order = next((k for k, (value, _) in enumerate(found) if value > most), orders)
        if order < orders or orders == questions:
            break
        if orders == _MOST_ORDER:
            raise UnsupportedProblemError(
                f"marginals of more than {_MOST_ORDER} questions are afforded: received {total} respondents for a "
                f"variance of {most / total}; ask for less, or for the questions that matter"
            )
        first *= 2
    variances, sets = zip(*found[: order + 1], strict=True)
    return AffordableOrder(order, total, variances, sets, population_words(population))


def _spread(
    product: ProductMechanism, questions: int | Sequence[int] | None, population: Population
) -> tuple[Fraction, str]:
    """Return n Var of the least precise cell, and which marginal that is, in words."""
    count = len(product.factors)
    if isinstance(questions, int):
        if isinstance(questions, bool) or not 1 <= questions <= min(count, _MOST_ORDER):
            raise InvalidParameterError(
                f"there are no such marginals: received {questions} of {count} questions; allowed is 1 to "
                f"{min(count, _MOST_ORDER)}"
            )
        worst = worst_by_order(product, questions, population)[-1][0]
        return worst, f"every marginal of {questions} of the {count} questions {population_words(population)}"
    chosen = chosen_questions(count, questions)
    if len(chosen) > _MOST_ORDER:
        raise UnsupportedProblemError(
            f"a marginal of {len(chosen)} questions is not planned: at most {_MOST_ORDER} questions are; name those "
            "that matter, or ask for all marginals of k questions"
        )
    devices = ProductMechanism([product.factors[question] for question in chosen])
    worst = worst_of_all(devices, population)
    named = ", ".join(map(str, chosen[:8])) + (", ..." if len(chosen) > 8 else "")
    what = f"question {named}" if len(chosen) == 1 else f"the joint distribution of the questions {named}"
    return worst, f"{what} {population_words(population)}"


def _cells(product: ProductMechanism, questions: int | Sequence[int] | None) -> int:
    """Return the number of cells of the marginal."""
    sizes = [device.inputs for device in product.factors]
    if not isinstance(questions, int):
        return prod(sizes[question] for question in chosen_questions(len(sizes), questions))
    if len(set(sizes)) > 1:
        raise InvalidParameterError(
            f"the marginals of {questions} questions have different numbers of cells: received questions with "
            f"{shown(sizes)} categories; name the questions of one marginal"
        )
    return int(sizes[0] ** questions)


def _multiplier(kind: str, level: Fraction, cells: int, digits: int) -> Bracket:
    """Return a bracket of the square of what multiplies ``sqrt(bound/n)``."""
    risk = (1 - level) / cells
    if kind == "normal":
        low, high = two_sided_quantile(1 - risk, digits)
        return Bracket(low * low, high * high)
    from flint import ctx

    with ctx.workprec(4 * digits + 64):
        return bracket(ball(2 / risk).log() / 2)


def _least(multiplier: Callable[[int], Bracket], ratio: Fraction) -> int:
    """Return the least n with ``n >= m ratio`` for a number m: by brackets of m, until they agree."""
    n = 0
    for digits in _DIGITS:
        low, n = [ceiling(end * ratio) for end in multiplier(digits)]
        if low == n:
            break
    return n
