"""An estimate with its intervals of every kind, as `rropt estimate` says it: for people and as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.estimation.distributions import two_sided_quantile
from rropt.estimation.estimate import Estimate, estimate, exact_contrast, unit
from rropt.estimation.interval_kinds import end_digits, outward
from rropt.estimation.intervals import DEFAULT_CONFIDENCE, Interval, confidence_intervals
from rropt.exact import as_text, both_texts, decimal_text
from rropt.exact.numbers import dot, finite_float, root_above, square_root
from rropt.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.results import Result

# what the key `covariance` holds, for whoever reads the JSON alone
COVARIANCE_OF = (
    "the unbiased estimate of all categories, A (diag(l) - l l^T) A^T / n, plug-in: l = shares of the answers in the "
    "place of their probabilities"
)

EFFICIENT = "efficient"  # the interval around the most likely value
_EFFICIENT_SAYS = (
    "no guarantee at any n: around the most likely value, by the information there; coverage tends to the nominal one "
    "as n grows where all shares are inside (0, 1), and no estimator has a narrower one then"
)
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Target:
    """What is estimated: a share or a contrast, with its intervals by kind.

    Attributes:
        name: for people.
        contrast: c, shape (k,).
        intervals: of every kind that applies; with more answers than categories "efficient" among them.
        efficient_variance: of the most likely value, by its information; None where there are no more answers than
            categories (the unbiased estimate is as good), or the information is infinite.
    """

    name: str
    contrast: tuple[Fraction, ...]
    intervals: Mapping[str, Interval]
    efficient_variance: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "intervals", ReadOnlyMapping(self.intervals))

    def to_dict(self) -> dict[str, Any]:
        """Return the intervals by kind for JSON."""
        return {kind: interval.to_dict() for kind, interval in self.intervals.items()}


@dataclass(frozen=True, slots=True)
class SurveyEstimate(Result):
    """Estimates, standard errors and intervals from counts of answers.

    Attributes:
        estimate: of the population.
        confidence: of the intervals.
        targets: the prevalence, or each category.
        contrast: one more linear functional, if it was asked for.
        efficient: covariance of the most likely population (``Estimate.efficient_covariance``), shape (k, k); None
            where there are no more answers than categories.
    """

    estimate: Estimate
    confidence: Fraction
    targets: tuple[Target, ...]
    contrast: Target | None
    efficient: tuple[tuple[Fraction, ...], ...] | None = None

    @classmethod
    def again(
        cls,
        mechanism: Mechanism,
        counts: tuple[int, ...],
        reference: tuple[Fraction, ...],
        confidence: Fraction,
        weights: tuple[Fraction, ...] | None,
    ) -> SurveyEstimate:
        """Return the estimates of counts."""
        return survey_estimate(estimate(mechanism, counts, reference=reference), confidence, contrast=weights)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: scalars for two categories (Pr(X = 1)), lists otherwise."""
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
            return "the inverse of the mechanism's matrix times the shares of the answers: unbiased"
        reference = ", ".join(map(str, self.estimate.reference))
        return (
            f"generalised least squares at the reference population ({reference}): unbiased for every population, of "
            "least variance at that one"
        )

    def lines(self) -> list[tuple[str, str]]:
        """Return mechanism, answers and estimator, then each target with its intervals, and their guarantees."""
        found = self.estimate
        epsilon = both_texts(found.mechanism.epsilon(), 6)
        answers = ", ".join(f"{count} x answer {i}" for i, count in enumerate(found.counts))
        rows = [
            ("mechanism", f"{found.mechanism.name or 'matrix'}, epsilon = {epsilon}"),
            ("answers", f"n = {found.n}: {answers}"),
            ("estimator", self.estimator),
        ]
        first = 1 if found.mechanism.inputs == 2 else 0
        inside = [*found.constrained_estimate[first:], None]
        targets = (*self.targets, *([] if self.contrast is None else [self.contrast]))
        for target, share in zip(targets, inside, strict=False):
            rows += [(f"{target.name}: {what}", value) for what, value in self._target_lines(target, share)]
        kinds = {kind: None for target in targets for kind in target.intervals}
        each = ", each by itself and not jointly" if len(targets) > 1 else ""
        said = {kind: one.guarantee for target in targets for kind, one in target.intervals.items()}
        return rows + [(f"{kind} intervals{each}", said[kind]) for kind in kinds]

    def _target_lines(self, target: Target, share: Fraction | None) -> list[tuple[str, str]]:
        variance = self.estimate.variance(target.contrast)
        error = f"{decimal_text(square_root(variance))} (variance {both_texts(variance)}, plug-in)"
        rows = [("unbiased estimate", both_texts(self.estimate.value(target.contrast)))]
        rows += [] if share is None else [("most likely in [0, 1]", both_texts(share))]
        if target.efficient_variance is not None:
            rows += [("standard error of the most likely", decimal_text(square_root(target.efficient_variance)))]
        ends = target.intervals.items()
        confidence = f"{decimal_text(100 * self.confidence)} %"
        return [*rows, ("standard error", error), *((f"{kind} interval, {confidence}", str(end)) for kind, end in ends)]

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader must be told before using the numbers, as sentences."""
        emptied = []
        for target in (*self.targets, *([] if self.contrast is None else [self.contrast])):
            kinds = [kind for kind, interval in target.intervals.items() if interval.emptied]
            if kinds:
                emptied.append(
                    f"{target.name}: wholly outside the possible range, and replaced by its nearest end: "
                    f"{', '.join(kinds)} interval{'s' if len(kinds) > 1 else ''}; doubt the mechanism or the answers"
                )
        return (*self.estimate.remarks(), *emptied)


def survey_estimate(
    found: Estimate, confidence: object = DEFAULT_CONFIDENCE, *, contrast: Sequence[object] | None = None
) -> SurveyEstimate:
    """Return an estimate with its intervals.

    Args:
        found: of counts.
        confidence: exact, in (0, 1).
        contrast: one more linear functional of the shares, shape (k,).

    Raises:
        InvalidParameterError: confidence or contrast do not fit.

    >>> from rropt.estimation import estimate_prevalence
    >>> from rropt.mechanisms import named_mechanism
    >>> survey = survey_estimate(estimate_prevalence(named_mechanism("forced:2/3,1/6,1/6"), 831, 2435))
    >>> SurveyEstimate.from_json(survey.to_json()) == survey, len(survey.targets[0].intervals)
    (True, 4)
    """
    k = found.mechanism.inputs
    asked = None if contrast is None else exact_contrast(contrast, k)
    names = [(1, "prevalence")] if k == 2 else [(j, f"category {j}") for j in range(k)]

    efficient = found.efficient_covariance() if found.mechanism.outputs > k else None

    def target(name: str, c: tuple[Fraction, ...]) -> Target:
        intervals = confidence_intervals(found, confidence, contrast=c)
        if efficient is None:
            return Target(name, c, intervals)
        variance = sum((x * row[j] * y for x, row in zip(c, efficient, strict=True) for j, y in enumerate(c)), _ZERO)
        own = _efficient_interval(found, intervals["normal"].confidence, c, variance)
        return Target(name, c, {**intervals, EFFICIENT: own}, variance)

    targets = tuple(target(name, unit(j, k)) for j, name in names)
    own = None if asked is None else target(f"contrast {','.join(map(as_text, asked))}", asked)
    return SurveyEstimate(found, next(iter(targets[0].intervals.values())).confidence, targets, own, efficient)


def _efficient_interval(found: Estimate, confidence: Fraction, c: tuple[Fraction, ...], variance: Fraction) -> Interval:
    """Return ``c . pi -+ z sqrt(variance)`` around the most likely population, outwards, within the range of c."""
    digits = end_digits(found.n)
    centre = dot(c, found.constrained_estimate)
    half = two_sided_quantile(confidence, digits)[1] * root_above(variance, digits + 4)
    lower, upper = outward(centre - half, centre + half, digits)
    return Interval(EFFICIENT, max(lower, min(c)), min(upper, max(c)), confidence, half, _EFFICIENT_SAYS)


def _root(variance: Fraction | None) -> float | None:
    return None if variance is None else square_root(variance)


def _either(binary: bool, values: list[Any]) -> Any:
    return values[1] if binary else values
