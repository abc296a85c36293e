"""Effects of Laplace noise: variance, delta, and the expected size of errors in each norm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.core.argument_checks import as_lists, clear_calls, require_filled, require_given, require_lists
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, both_texts, distinguishing_decimal, rational_where
from rropt.core.exact.display import decimal_outwards
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, Table
from rropt.mechanisms.central.laplace import NORMS, DiscreteLaplace, Laplace
from rropt.mechanisms.central.sensitivities import Sensitivity, finite
from rropt.mechanisms.columns import required_list

_SHOWN = 7  # digits in the summary
_WHOLE = 10**12  # integer errors below this bound are shown with all digits
_ERRORS = {"linf": "largest error", "l1": "sum of errors", "l2": "Euclidean error"}


@dataclass(frozen=True, slots=True)
class NoiseReport(Result):
    """The properties of the noise of one query.

    Attributes:
        law: ``discrete``, which can be sampled exactly, or ``continuous``, the formula.
        query, neighbours, sensitivity, dimension, epsilon: those of the mechanism; the sensitivity in the l1 norm.
        variance: the variance of one coordinate.
        confidence: c.
        accuracy: norm -> t with a proved bound ``Pr(error <= t) >= c``.
        at, delta: a smaller epsilon, and the smallest delta at it.
        threshold, tail: T, and norm -> ``Pr(error >= T)``.
        left_out: the quantities that could not be computed, with reasons.
    """

    law: str
    query: str
    neighbours: str
    sensitivity: Fraction
    dimension: int
    epsilon: Epsilon
    variance: Bracket
    confidence: Fraction
    accuracy: Mapping[str, Fraction]
    at: Epsilon | None = None
    delta: Bracket | None = None
    threshold: Fraction | None = None
    tail: Mapping[str, Bracket] | None = None
    left_out: tuple[str, ...] = ()

    ANSWER = ("law", "epsilon", "variance")

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary."""
        several = self.dimension > 1
        found = [("variance" + " of each number" * several, _text(self.variance))]
        errors = _ERRORS if several else {NORMS[0]: "error"}
        for norm, words in errors.items():
            at_most = self.accuracy.get(norm)
            shown = "not computed" if at_most is None else _rounded_up(at_most)
            found.append((f"{words} at most, with confidence {distinguishing_decimal(self.confidence)}", shown))
        if self.tail is not None:
            found += [
                (f"Pr({words} >= {self.threshold})", _text(self.tail.get(norm))) for norm, words in errors.items()
            ]
        if self.delta is not None:
            found.append((f"delta at epsilon = {self.at}", _text(self.delta)))
        return found


def noise_report(
    noise: DiscreteLaplace | Laplace,
    *,
    confidence: object = "0.95",
    at: object | None = None,
    threshold: object | None = None,
) -> NoiseReport:
    """Compute the properties of the noise of a mechanism.

    Args:
        noise: the mechanism.
        confidence: the confidence level of the accuracy, 0 < c < 1.
        at: an epsilon at which the smallest delta is computed.
        threshold: T; the probability of an error of at least T is computed, for each norm.

    >>> from rropt.mechanisms import Sensitivity
    >>> noise_report(DiscreteLaplace(Sensitivity.count(), "log(3)"), at="log(2)").lines()[:2]
    [('variance', '3/2 = 1.5'), ('error at most, with confidence 0.95', '3')]
    """
    share = rational_where(confidence, lambda c: 0 < c < 1, "0 < confidence < 1", name="confidence")
    far = None if threshold is None else finite(threshold, "the threshold")
    accuracy, tail, left_out = {}, {}, []
    for norm in NORMS if noise.dimension > 1 else NORMS[:1]:
        try:
            accuracy[norm] = noise.accuracy(1 - share, norm)
            if far is not None:
                tail[norm] = noise.tail(far, norm)
        except UnsupportedProblemError as error:
            left_out.append(str(error))
    return NoiseReport(
        law="discrete" if isinstance(noise, DiscreteLaplace) else "continuous",
        query=noise.sensitivity.what,
        neighbours=noise.sensitivity.neighbours,
        sensitivity=noise.sensitivity.l1,
        dimension=noise.dimension,
        epsilon=noise.epsilon,
        variance=noise.variance(),
        confidence=share,
        accuracy=ReadOnlyMapping(accuracy),
        at=None if at is None else Epsilon.of(at),
        delta=None if at is None else noise.delta(at),
        threshold=far,
        tail=None if far is None else ReadOnlyMapping(tail),
        left_out=tuple(left_out),
    )


@dataclass(frozen=True, slots=True)
class LaplaceReport(Result):
    """The properties of discrete Laplace noise on one query, next to those of the continuous distribution.

    Attributes:
        epsilon: of the release.
        step: g; all values are multiples of g.
        discrete: the distribution that can be sampled exactly.
        continuous: the continuous distribution, by formulas.
    """

    epsilon: Epsilon
    step: Fraction
    discrete: NoiseReport
    continuous: NoiseReport

    def to_dict(self) -> dict[str, Any]:
        """Return both reports by the name of their distribution."""
        found = {report.law: report.to_dict() for report in (self.discrete, self.continuous)}
        return {"epsilon": str(self.epsilon), "step": str(self.step), **found}

    def checked(self) -> tuple[str, ...]:
        """Refuse reports of two different questions, which a file may contain."""
        first, second = ([what for what, _ in one.lines()] for one in (self.discrete, self.continuous))
        if first != second:
            raise FileFormatError(
                f"the reports of discrete and of continuous noise answer different questions: received {shown(first)} "
                f"and {shown(second)}; use the file as it was written"
            )
        return ()

    def as_tables(self) -> list[Table]:
        """Return one table with both reports."""
        pairs = zip(self.discrete.lines(), self.continuous.lines(), strict=True)
        header = ("", "discrete, drawn exactly", "continuous, the formula")
        return [(self.title, header, [(what, one, other) for (what, one), (_, other) in pairs])]

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary: the query, then both reports."""
        said = [(f"{one.law}: {what}", x) for one in (self.discrete, self.continuous) for what, x in one.lines()]
        return [("noise", self.title), *said]

    def noise(self) -> DiscreteLaplace:
        """Return the mechanism of the discrete noise; ``rropt.mechanisms.sampling.DiscreteNoise`` draws from it.

        >>> from rropt.mechanisms.sampling import DiscreteNoise
        >>> len(DiscreteNoise(laplace(1, histogram=3).noise()).release([10, 20, 30]))
        3
        """
        one = self.discrete
        return DiscreteLaplace(Sensitivity.given(one.sensitivity, one.dimension), self.epsilon, self.step)

    @property
    def title(self) -> str:
        """The query with its sensitivity, the neighbouring relation, and epsilon."""
        one = self.discrete
        moves = f"sensitivity {one.sensitivity} by {one.neighbours}"
        return f"Laplace noise on {one.query}: {moves}, epsilon = {both_texts(self.epsilon, 6)}"

    def remarks(self) -> tuple[str, ...]:
        """Return the quantities that could not be computed, with reasons."""
        return tuple(f"{one.law}: {reason}" for one in (self.discrete, self.continuous) for reason in one.left_out)


def laplace_report(
    noise: DiscreteLaplace,
    *,
    confidence: object = "0.95",
    at: object | None = None,
    threshold: object | None = None,
) -> LaplaceReport:
    """Compare discrete noise with the continuous distribution; arguments as for ``noise_report``.

    >>> from rropt.mechanisms import Sensitivity
    >>> print(laplace_report(DiscreteLaplace(Sensitivity.count(), "log(3)")).title)
    Laplace noise on a count: sensitivity 1 by substitution, epsilon = log(3) ~ 1.09861
    """
    asked = {"confidence": confidence, "at": at, "threshold": threshold}
    other = Laplace(noise.sensitivity, noise.epsilon)
    return LaplaceReport(noise.epsilon, noise.step, noise_report(noise, **asked), noise_report(other, **asked))


def _rounded_up(value: Fraction) -> str:
    whole = value.denominator == 1 and value < _WHOLE
    return str(value) if whole else decimal_outwards(value, up=True, digits=_SHOWN)


def _text(value: Bracket | None) -> str:
    if value is None:
        return "not computed"
    return both_texts(value.lower, _SHOWN) if value.is_exact else f"~{distinguishing_decimal(value.lower)}"


@clear_calls
def laplace(
    epsilon: Any,
    *,
    sum: tuple[object, object] | None = None,  # named as the option of the command
    histogram: int | None = None,
    sensitivity: object | None = None,
    dimension: int = 1,
    neighbours: Literal["substitution", "add-remove"] = "substitution",
    step: Any = 1,
    confidence: object = "0.95",
    at: object | None = None,
    threshold: object | None = None,
) -> LaplaceReport:
    """Return the properties of Laplace noise on a published count, sum or histogram, as ``rropt laplace`` does.

    Args:
        epsilon: the epsilon of the release, in any form that ``Epsilon.of`` accepts.
        sum: (low, high): a sum of values in this range. By default the query is a count.
        histogram: the number of cells; each person is in one cell.
        sensitivity: the l1 sensitivity of a query that returns ``dimension`` numbers.
        neighbours: the neighbouring relation of data sets.
        step: g; all values are multiples of g.
        confidence, at, threshold: as for ``laplace_report``.

    Returns:
        A ``LaplaceReport``: ``continuous`` and ``discrete`` have the properties of both kinds of noise, in units of the
        query; ``epsilon`` is in nats.

    Raises:
        InvalidParameterError: more than one query is given, or a parameter is outside its domain.

    >>> import rropt
    >>> print(rropt.laplace("log(3)").title)
    Laplace noise on a count: sensitivity 1 by substitution, epsilon = log(3) ~ 1.09861
    """
    neighbours = as_lists(neighbours)
    require_lists(sum=sum)
    require_filled(dimension=dimension)
    require_given(histogram=histogram, sensitivity=sensitivity, at=at, threshold=threshold)
    queries = {"sum": sum, "histogram": histogram, "sensitivity": sensitivity}
    given = [name for name, query in queries.items() if query is not None]
    if len(given) > 1:
        raise InvalidParameterError(f"more than one query is given: received {' and '.join(given)}; give one")
    if sum is not None:
        ends = required_list(sum, "`sum`", "a list (low, high)")
        if len(ends) != 2:
            raise InvalidParameterError(f"`sum` has no two ends: received {shown(sum)}; allowed is (low, high)")
        query = Sensitivity.total(ends[0], ends[1], neighbours)
    elif histogram is not None:
        query = Sensitivity.histogram(histogram, neighbours)
    elif sensitivity is not None:
        query = Sensitivity.given(sensitivity, dimension, neighbours)
    else:
        query = Sensitivity.count(neighbours)
    return laplace_report(DiscreteLaplace(query, epsilon, step), confidence=confidence, at=at, threshold=threshold)
