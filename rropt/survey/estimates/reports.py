"""An estimate with its intervals of every kind, in the text and JSON formats of `rropt estimate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rropt.core.errors import required
from rropt.core.exact import as_text, both_texts, decimal_text
from rropt.core.exact.display import (
    N_LESS_ONE,
    STANDARD_ERRORS,
    decimal_places,
    error_text,
    estimate_text,
    is_in_full,
    rounded,
)
from rropt.core.exact.numbers import dot, finite_float, root_above, square_root
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, Table
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.conclusions import share_of_people, share_sentence
from rropt.survey.estimates.distributions import two_sided_quantile
from rropt.survey.estimates.estimate import Estimate, estimate, exact_contrast
from rropt.survey.estimates.estimate import unit as unit_contrast
from rropt.survey.estimates.interval_kinds import EMPTY, RECOMMENDED, end_digits, rounded_outwards
from rropt.survey.estimates.intervals import DEFAULT_CONFIDENCE, Interval, confidence_intervals

# the description of the key `covariance`, for readers of the JSON alone
COVARIANCE_OF = (
    "the unbiased estimate of all categories, A (diag(l) - l l^T) A^T / n, plug-in: l = proportions of the "
    "responses in place of their probabilities"
)

EFFICIENT = "efficient"  # the interval around the maximum likelihood estimate
_EFFICIENT_SAYS = (
    "no guarantee at any n: around the most likely value, by the information there; coverage tends to the nominal one "
    "as n grows where all proportions are inside (0, 1), and no estimator has a narrower one then"
)
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Target:
    """The estimated quantity: a proportion or a contrast, with its intervals by kind.

    Attributes:
        name: the name of the quantity in the summary.
        contrast: c, shape (k,).
        intervals: the intervals of every applicable kind, including "efficient" if there are more outputs than
            categories.
        efficient_variance: the asymptotic variance of the maximum likelihood estimate. It is None if there are no more
            outputs than categories (the unbiased estimate is then equally good), or if the information is infinite.
    """

    name: str
    contrast: tuple[Fraction, ...]
    intervals: Mapping[str, Interval]
    efficient_variance: Fraction | None = None

    @property
    def recommended(self) -> str:
        """The kind of interval to report: the exact one if it applies, else the normal one."""
        return RECOMMENDED if RECOMMENDED in self.intervals else "normal"

    def to_dict(self) -> dict[str, Any]:
        """Return the intervals by kind for JSON."""
        return {kind: interval.to_dict() for kind, interval in self.intervals.items()}


@dataclass(frozen=True, slots=True)
class SurveyEstimate(Result):
    """Estimates, standard errors and intervals from counts of responses.

    Attributes:
        estimate: the estimate of the distribution.
        confidence: the confidence of the intervals.
        targets: the prevalence, or each category.
        contrast: one more linear functional, if requested.
        efficient: the covariance of the maximum likelihood estimate (``Estimate.efficient_covariance``), shape (k, k);
            None if there are no more outputs than categories.
        all_intervals: whether to print the intervals of every kind, or only the recommended one.
    """

    estimate: Estimate
    confidence: Fraction
    targets: tuple[Target, ...]
    contrast: Target | None
    efficient: tuple[tuple[Fraction, ...], ...] | None = None
    all_intervals: bool = field(default=False, compare=False, repr=False)

    @classmethod
    def recompute(
        cls,
        mechanism: Mechanism,
        counts: tuple[int, ...],
        reference: tuple[Fraction, ...],
        confidence: Fraction,
        weights: tuple[Fraction, ...] | None,
    ) -> SurveyEstimate:
        """Recompute the estimates from their counts."""
        return survey_estimate(estimate(mechanism, counts, reference=reference), confidence, contrast=weights)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; values are scalars for two categories (Pr(X = 1)), and lists otherwise."""
        found, mechanism, asked = self.estimate, self.estimate.mechanism, self.contrast
        shares, inside = found.estimate, found.constrained_estimate
        kinds = {kind: None for target in self.targets for kind in target.intervals}
        lists = {kind: [one.to_dict().get(kind) for one in self.targets] for kind in kinds}
        binary = mechanism.inputs == 2
        both = (self.targets[0],) * 2 if binary else self.targets
        record: dict[str, Any] = {
            "estimate": _either(binary, [as_text(share) for share in shares]),
            "constrained_estimate": _either(binary, [as_text(share) for share in inside]),
            "standard_error": _either(binary, list(found.standard_errors)),
            "unbiased_standard_error": None
            if found.unbiased_standard_errors is None
            else _either(binary, list(found.unbiased_standard_errors)),
            "covariance": [[as_text(entry) for entry in row] for row in found.covariance()],
            "covariance_of": COVARIANCE_OF,
            "efficient_covariance": None
            if self.efficient is None
            else [[as_text(entry) for entry in row] for row in self.efficient],
            "efficient_standard_error": _either(binary, [_root(one.efficient_variance) for one in both]),
            "intervals": self.targets[0].to_dict() if binary else lists,
            "recommended_interval": _either(binary, [one.recommended for one in both]),
            "n": found.n,
            "counts": list(found.counts),
            "reference": [as_text(share) for share in found.reference],
            "confidence": as_text(self.confidence),
            "weights": None if asked is None else [as_text(c) for c in asked.contrast],
            "decimals": {
                "estimate": _either(binary, [finite_float(share) for share in shares]),
                "constrained_estimate": _either(binary, [float(share) for share in inside]),
            },
            "likelihood_gap": as_text(found.likelihood_gap),
            "estimator": self.estimator,
            "mechanism": mechanism.to_dict(),
            "epsilon": str(mechanism.epsilon()),
            "remarks": list(self.remarks()),
        }
        if asked is not None:
            variance = found.variance(asked.contrast)
            record["contrast"] = {
                "estimate": as_text(found.value(asked.contrast)),
                "standard_error": square_root(variance),
                "variance": as_text(variance),
                "intervals": asked.to_dict(),
            }
        return record

    @property
    def estimator(self) -> str:
        """The unbiased estimator in words."""
        m, k = self.estimate.mechanism.shape
        if m == k:
            return "unbiased: the inverse of the mechanism's matrix times the proportions of the responses"
        reference = ", ".join(map(str, self.estimate.reference))
        return (
            f"generalised least squares at the reference distribution ({reference}): unbiased for every distribution, "
            "with the least variance at that one"
        )

    @property
    def conclusion(self) -> str:
        """The result in one or two sentences; of several categories, that with the largest estimate.

        The interval of the largest estimate holds for all categories together (Bonferroni), since it is chosen by the
        same responses.
        """
        return self.concluded()

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the conclusion with the people of the survey in words.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a simple random sample.
        """
        found, k = self.estimate, len(self.targets)
        shares = found.estimate
        first = max(range(len(shares)), key=lambda j: shares[j]) if k > 1 else 1
        name = found.mechanism.category(first)
        if k == 1:
            name, of, intervals, level = f"Prevalence, {name}", "", self.targets[0].intervals, self.confidence
        else:
            tied = [found.mechanism.category(j) for j, share in enumerate(shares) if share == shares[first]]
            if len(tied) > 1:
                return (
                    f"Several categories have the largest estimate: {', '.join(tied[:5])}{', ...' * (len(tied) > 5)}."
                )
            name, of, level = (
                f"The largest estimate is that of {name}",
                f" of all {k} categories together",
                self.confidence,
            )
            intervals = confidence_intervals(found, 1 - (1 - level) / k, contrast=unit_contrast(first, k))
        kind = RECOMMENDED if RECOMMENDED in intervals else "normal"
        best, proved = intervals[kind], "" if kind == RECOMMENDED else "approximate "
        people = None if population is None or not unit else Fraction(str(population))
        number = share_of_people(shares[first], (best.lower, best.upper), people)
        words: dict[str, str] = {"kind": proved, "of": of, "unit": unit, "people": number}
        return share_sentence(name, shares[first], (best.lower, best.upper), level, **words)

    def lines(self) -> list[tuple[str, str]]:
        """Return the summary: each estimate with its interval, then counts, method and guarantees."""
        rows: list[tuple[str, str]] = []
        for target, share in self._all():
            own = self._target_lines(target, share)
            rows += own if len(self.targets) == 1 and target is not self.contrast else _named(target.name, own)
        return [*rows, *self._about()]

    def as_tables(self) -> list[Table]:
        """Return tables of the estimates (one table for more than two categories), and of the method."""
        if len(self.targets) == 1:
            return super(SurveyEstimate, self).as_tables()
        tables: list[Table] = [("", *self._table())]
        if self.contrast is not None:
            tables.append((self.contrast.name, None, self._target_lines(self.contrast, None)))
        return [*tables, ("About the estimates", None, self._about())]

    def _all(self) -> list[tuple[Target, Fraction | None]]:
        """Return the estimated quantities, each with the maximum likelihood estimate of its proportion."""
        inside = self.estimate.constrained_estimate
        shares: list[tuple[Target, Fraction | None]] = list(
            zip(self.targets, inside[-1:] if len(self.targets) == 1 else inside, strict=True)
        )
        return shares if self.contrast is None else [*shares, (self.contrast, None)]

    def _shown(self, targets: Sequence[Target]) -> list[str]:
        """Return the kinds of intervals to show, starting with the recommended one."""
        first = {target.recommended: None for target in targets}
        kinds = {kind: None for target in targets for kind in target.intervals}
        return [*first, *(kind for kind in kinds if kind not in first)] if self.all_intervals else [*first]

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return header and rows of a table with one category per row, all rounded to the same decimal place."""
        errors = self.estimate.standard_errors
        places = max((p for p in map(decimal_places, errors) if p is not None), default=None)
        percent, kinds, found = self._percent(), self._shown(self.targets), self.estimate
        best = {target.recommended for target in self.targets}
        ends = [f"{percent} interval ({kind}{', recommended' * (kind in best)})" for kind in kinds]
        unbiased = (N_LESS_ONE,) * self.all_intervals
        header = ("category", "estimate", "standard error", *unbiased, *ends, "most likely")
        rows = []
        for j, ((target, share), error) in enumerate(zip(self._all(), errors, strict=False)):
            own = _places(target, error) if places is None else places
            ends = [target.intervals[kind].ends_text(own) if kind in target.intervals else "none" for kind in kinds]
            value, likely = self.estimate.estimate[j], "" if share is None else rounded(share, own)
            unbiased = (self._unbiased(target),) * self.all_intervals
            rows.append(
                (found.mechanism.category(j), rounded(value, own), rounded(error, own), *unbiased, *ends, likely)
            )
        return header, rows

    def _target_lines(self, target: Target, share: Fraction | None) -> list[tuple[str, str]]:
        """Return the estimate, its standard error and its intervals, rounded to the precision of the standard error."""
        variance, value = self.estimate.variance(target.contrast), self.estimate.value(target.contrast)
        error = square_root(variance)
        places = _places(target, error)
        name = "estimate" if target is self.contrast and len(self.targets) > 1 else target.name
        rows = [
            (name, estimate_text(value, places)),
            ("standard error (plug-in)", rounded(error, places) if error else "0"),
        ]
        if is_in_full():
            rows.append(("variance (plug-in)", both_texts(variance)))
        if self.all_intervals:
            rows.append((N_LESS_ONE, f"{self._unbiased(target)}; plug-in: {error_text(error)}"))
        for kind in self._shown([target]):
            text, is_best = target.intervals[kind].ends_text(places), kind == target.recommended
            rows.append((f"{self._percent()} interval ({kind})", text + ", recommended" * (is_best and text != EMPTY)))
        if share is not None and share != value:
            rows.append(("most likely in [0, 1]", estimate_text(share, places)))
        if target.efficient_variance is not None:
            efficient = square_root(target.efficient_variance)
            rows.append(("standard error of the most likely", rounded(efficient, places)))
        return rows

    def _unbiased(self, target: Target) -> str:
        """Return the standard error with divisor n - 1, with enough digits to differ from the plug-in one."""
        variance = self.estimate.unbiased_variance(target.contrast)
        return error_text(None if variance is None else square_root(variance))

    def _about(self) -> list[tuple[str, str]]:
        """Return the counts, the mechanism, and the guarantees of the intervals."""
        found, targets = self.estimate, [target for target, _ in self._all()]
        rows = [("counted", self._counted())]
        if len(targets) > 1:
            rows.append(("intervals", "each by itself and not jointly"))
        said = {kind: one.guarantee for target in targets for kind, one in target.intervals.items()}
        best = {target.recommended for target in targets}
        rows += [
            (f"{kind} interval", _WHY[kind].format(said[kind]) if kind in best else said[kind])
            for kind in self._shown(targets)
        ]
        if self.all_intervals:
            rows.append(("standard errors", STANDARD_ERRORS))
        epsilon = both_texts(found.mechanism.epsilon(), 6)
        rows += [("mechanism", f"{found.mechanism.name or 'matrix'}, epsilon = {epsilon}")]
        return [*rows, ("estimator", self.estimator)]

    def _counted(self) -> str:
        """Return the counts as a text; for two categories, also name the one whose prevalence is estimated."""
        found = self.estimate
        name, names = (
            found.mechanism.category,
            [f" ({text})" for text in found.mechanism.responses] or [""] * len(found.counts),
        )
        counts = ", ".join(f"{count} x response {i}{names[i]}" for i, count in enumerate(found.counts))
        if found.mechanism.inputs != 2:
            return f"n = {found.n}: {counts}"
        return f"n = {found.n}: {counts}; the prevalence is that of {name(1)}, not of {name(0)}"

    def _percent(self) -> str:
        return f"{decimal_text(100 * self.confidence)} %"

    def remarks(self) -> tuple[str, ...]:
        """Return warnings about the estimates, as sentences."""
        emptied = []
        for target in (*self.targets, *([] if self.contrast is None else [self.contrast])):
            kinds = [kind for kind, interval in target.intervals.items() if interval.emptied]
            if kinds:
                emptied.append(
                    f"{target.name}, {', '.join(kinds)} interval{'s' if len(kinds) > 1 else ''}: {EMPTY}; check the "
                    "mechanism and the responses"
                )
        return (*self.estimate.remarks(), *emptied)


_WHY = {
    RECOMMENDED: "recommended: {}, and shorter than Chebyshev's",
    "normal": "recommended where no interval with proved coverage applies: {}",
}


def _named(name: str, rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Name the first row, and indent the other rows as belonging to it."""
    (_, value), *others = rows
    return [(name, value), *((f"  {what}", text) for what, text in others)]


def _places(target: Target, error: float) -> int | None:
    """Return the decimal place of the standard error; if it is 0, that of the margin."""
    found = decimal_places(error)
    return decimal_places(target.intervals[target.recommended].margin) if found is None else found


def survey_estimate(
    found: Estimate,
    confidence: object = DEFAULT_CONFIDENCE,
    *,
    contrast: Sequence[object] | None = None,
    all_intervals: bool = False,
) -> SurveyEstimate:
    """Compute the intervals of an estimate, and return both.

    Args:
        found: the estimate.
        confidence: exact, in (0, 1).
        contrast: one more linear functional of the proportions, shape (k,).
        all_intervals: whether to print the intervals of every kind, or only the recommended one.

    Raises:
        InvalidParameterError: the confidence or the contrast is invalid.

    >>> from rropt.survey import estimate
    >>> from rropt.mechanisms import named_mechanism
    >>> survey = survey_estimate(estimate(named_mechanism("forced:2/3,1/6,1/6"), yes=831, n=2435))
    >>> SurveyEstimate.from_json(survey.to_json()) == survey, len(survey.targets[0].intervals)
    (True, 4)
    """
    k = required(found, Estimate, "the estimate", "estimate(mechanism, counts)").mechanism.inputs
    asked = None if contrast is None else exact_contrast(contrast, k)
    names = [(1, "prevalence")] if k == 2 else [(j, found.mechanism.category(j)) for j in range(k)]

    efficient = found.efficient_covariance() if found.mechanism.outputs > k else None

    def target(name: str, c: tuple[Fraction, ...]) -> Target:
        intervals = confidence_intervals(found, confidence, contrast=c)
        if efficient is None:
            return Target(name, c, ReadOnlyMapping(intervals))
        variance = sum((x * row[j] * y for x, row in zip(c, efficient, strict=True) for j, y in enumerate(c)), _ZERO)
        own = _efficient_interval(found, intervals["normal"].confidence, c, variance)
        return Target(name, c, ReadOnlyMapping({**intervals, EFFICIENT: own}), variance)

    targets = tuple(target(name, unit_contrast(j, k)) for j, name in names)
    own = None if asked is None else target(f"contrast {','.join(map(as_text, asked))}", asked)
    level = next(iter(targets[0].intervals.values())).confidence
    return SurveyEstimate(found, level, targets, own, efficient, all_intervals)


def _efficient_interval(found: Estimate, confidence: Fraction, c: tuple[Fraction, ...], variance: Fraction) -> Interval:
    """Return ``c . pi -+ z sqrt(variance)`` at the maximum likelihood estimate, rounded outwards, in the range of c."""
    digits = end_digits(found.n)
    centre = dot(c, found.constrained_estimate)
    half = two_sided_quantile(confidence, digits)[1] * root_above(variance, digits + 4)
    lower, upper = rounded_outwards(centre - half, centre + half, digits)
    return Interval(EFFICIENT, max(lower, min(c)), min(upper, max(c)), confidence, half, _EFFICIENT_SAYS)


def _root(variance: Fraction | None) -> float | None:
    return None if variance is None else square_root(variance)


def _either(binary: bool, values: list[Any]) -> Any:
    return values[1] if binary else values
