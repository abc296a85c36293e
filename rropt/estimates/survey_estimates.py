"""An estimate with its intervals of every kind, in the text and JSON formats of `rropt estimate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rropt.core.attached_methods import with_registered_methods
from rropt.core.errors import FileFormatError, required, shown
from rropt.core.exact import Epsilon, as_text, both_texts, decimal_text, exact_confidence
from rropt.core.exact.display import (
    N_LESS_ONE,
    STANDARD_ERRORS,
    decimal_places,
    error_text,
    estimate_text,
    is_in_full,
    rounded,
)
from rropt.core.exact.numbers import dot, nearest_float, square_root
from rropt.core.limits import MAX_MATRIX_ENTRIES, MAX_WRITTEN_ENTRIES
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, Table, labelled, merged_records, plain_dict, read_result, rounded_matrix
from rropt.core.visible import all_of, visible
from rropt.estimates.conclusions import (
    Concluded,
    largest_sentence,
    share_of_people,
    share_sentence,
    trait_of,
    unit_in_all,
)
from rropt.inference.confidence_intervals import DEFAULT_CONFIDENCE, Interval, intervals_of, normal_interval
from rropt.inference.count_estimates import Estimate, exact_contrast
from rropt.inference.count_estimates import unit as unit_contrast
from rropt.inference.interval_kinds import EMPTY, INTERVAL_KINDS, RECOMMENDED, few, places_of
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import leaves_out_weights

EFFICIENT = INTERVAL_KINDS["normal"]._replace(  # around the maximum likelihood estimate
    name="efficient",
    guarantee="no guarantee at any n: around the most likely value, by the information there; coverage tends to the "
    "nominal one as n grows where all proportions are inside (0, 1), and no estimator has a narrower one then",
)


_FEWER = 10  # a long contrast is written by the numbers that are not 0, if there are at most a tenth of them
MOST_LISTED, _MOST_COUNTS = 12, 5  # categories or responses that are listed one by one, and the most frequent of more


@dataclass(frozen=True, slots=True)
class EstimateRow(Result):
    """One estimated quantity, a proportion or a contrast, with its intervals by kind.

    Attributes:
        name: the name of the quantity in the summary.
        contrast: c, shape (k,).
        estimate: the unbiased estimate of ``c . pi``.
        variance: its plug-in variance.
        unbiased_variance: its variance with the divisor n - 1; None for one respondent.
        most_likely: the maximum likelihood estimate of a proportion; None for a contrast.
        efficient_variance: the asymptotic variance of the maximum likelihood estimate. It is None if there are no more
            outputs than categories (the unbiased estimate is then equally good), or if the information is infinite.
        intervals: the intervals of every applicable kind, including "efficient" if there are more outputs than
            categories.
        standard_error, unbiased_standard_error, efficient_standard_error: the roots of the variances.
        recommended: the kind of interval to report: the exact one if it applies, else the normal one.
    """

    name: str
    contrast: tuple[Fraction, ...]
    estimate: Fraction
    variance: Fraction
    unbiased_variance: Fraction | None
    most_likely: Fraction | None
    efficient_variance: Fraction | None
    intervals: Mapping[str, Interval]
    standard_error: float = field(init=False, compare=False)
    unbiased_standard_error: float | None = field(init=False, compare=False)
    efficient_standard_error: float | None = field(init=False, compare=False)
    recommended: str = field(init=False, compare=False)

    LABELS = labelled(
        name="quantity",
        estimate="unbiased estimate",
        standard_error="standard error (plug-in)",
        unbiased_standard_error=N_LESS_ONE,
        recommended="recommended interval",
        efficient_standard_error="standard error of the most likely",
    )

    def __post_init__(self) -> None:
        for kind in ("", "unbiased_", "efficient_"):
            variance = getattr(self, f"{kind}variance")
            object.__setattr__(self, f"{kind}standard_error", None if variance is None else square_root(variance))
        object.__setattr__(self, "recommended", RECOMMENDED if RECOMMENDED in self.intervals else "normal")

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of the row; of a long contrast with few numbers, those that are not 0."""
        nonzero = {str(j): c for j, c in enumerate(self.contrast) if c}
        if len(self.contrast) ** 2 <= MAX_WRITTEN_ENTRIES or _FEWER * len(nonzero) > len(self.contrast):
            return plain_dict(self)
        return plain_dict(self, {"contrast": {"categories": len(self.contrast), "nonzero": nonzero}})

    @classmethod
    def from_dict(cls, data: Any) -> EstimateRow:
        """Read a row from the output of ``to_dict``."""
        given = data.get("contrast") if isinstance(data, Mapping) else None
        if isinstance(given, Mapping):
            k, nonzero = str(given.get("categories")), given.get("nonzero")
            # a mechanism has at least as many outputs as categories that it identifies, and so k^2 entries
            is_count = k.isascii() and k.isdecimal() and len(k) < 8 and int(k) ** 2 <= 4 * MAX_MATRIX_ENTRIES
            places = [*map(str, range(int(k)))] if is_count else []
            if len(given) > 2 or not places or not isinstance(nonzero, Mapping) or not nonzero.keys() <= {*places}:
                raise FileFormatError(
                    f"a contrast is of another form: received {shown(given)}; allowed is a list of numbers, or "
                    '{"categories": 200, "nonzero": {"17": "1"}}'
                )
            data = {**data, "contrast": [nonzero.get(place, "0") for place in places]}
        made: EstimateRow = read_result(cls, data)
        return made

    @property
    def places(self) -> int | None:
        """The decimal place of the standard error; if it is 0, that of the margin."""
        found = decimal_places(self.standard_error)
        return decimal_places(self.intervals[self.recommended].margin) if found is None else found


@with_registered_methods
@dataclass(frozen=True, slots=True)
class SurveyEstimate(Result, Concluded):
    """Estimates, standard errors and intervals from counts of responses.

    Attributes:
        estimate: the estimate of the distribution.
        confidence: the confidence of the intervals.
        rows: the prevalence, or each category.
        contrast: one more linear functional, if requested.
        efficient_covariance: the covariance of the maximum likelihood estimate (``Estimate.efficient_covariance``),
            shape (k, k); None if there are no more outputs than categories.
        all_intervals: whether to print the intervals of every kind, or only the recommended one.
    """

    estimate: Estimate
    confidence: Fraction
    rows: tuple[EstimateRow, ...]
    contrast: EstimateRow | None
    efficient_covariance: tuple[tuple[Fraction, ...], ...] | None = None
    all_intervals: bool = field(default=False, compare=False, repr=False)

    ANSWER = ("n=estimate.n", "estimate=estimate.estimate", "standard_errors=estimate.standard_errors")
    LABELS = labelled(confidence="confidence", method="estimator", epsilon="", covariance="", remarks="")

    @classmethod
    def recompute(
        cls,
        mechanism: Mechanism,
        counts: tuple[int, ...],
        reference: tuple[Fraction, ...],
        confidence: Fraction,
        contrast: EstimateRow | None,
        all_intervals: bool = False,
        constrained_estimate: tuple[Fraction, ...] | None = None,
    ) -> SurveyEstimate:
        """Recompute the estimates from their counts, and prove the bound of a given maximum likelihood estimate."""
        asked = None if contrast is None else contrast.contrast
        found = Estimate.recompute(mechanism, counts, reference, constrained_estimate)
        return survey_estimate(found, confidence, contrast=asked, all_intervals=all_intervals)

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of the estimate, and those of its intervals and covariances."""
        printed = {"all_intervals": True} if self.all_intervals else {}  # the remarks are on the printed intervals
        replaced: dict[str, Any] = {"estimate": None}  # its keys follow
        if self.estimate.mechanism.inputs**2 > MAX_WRITTEN_ENTRIES:
            how = "A (diag(l) - l l^T) A^T / n, l = counts / n, A the estimator"
            replaced["covariance"] = {"computed": how, **rounded_matrix(self.covariance)}
        return merged_records(plain_dict(self, replaced) | printed, self.estimate.to_dict())

    @property
    def epsilon(self) -> Epsilon:
        """The privacy level of the mechanism."""
        return self.estimate.mechanism.epsilon

    @property
    def covariance(self) -> tuple[tuple[Fraction, ...], ...]:
        """The plug-in covariance of the unbiased estimate of all categories, shape (k, k)."""
        return self.estimate.covariance()

    @property
    def method(self) -> str:
        """The unbiased estimator in words."""
        m, k = self.estimate.mechanism.shape
        if m == k:
            return "unbiased: the inverse of the mechanism's matrix times the proportions of the responses"
        if leaves_out_weights(self.estimate.mechanism, self.estimate.reference):
            return "unbiased for every distribution: counts of the responses that contain each category"
        reference, (first, *others) = self.estimate.reference, dict.fromkeys(self.estimate.reference)
        told = f"({', '.join(map(str, reference))})" if others or k <= _LISTED_SHARES else f"({first} each)"
        return (
            f"generalised least squares at the reference distribution {told}: unbiased for every distribution, "
            "with the least variance at that one"
        )

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the result in one or two sentences; of several categories, that with the largest estimate.

        The interval of the largest estimate holds for all categories together (Bonferroni), since it is chosen by the
        same responses.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a simple random sample.
        """
        found, k = self.estimate, len(self.rows)
        shares = found.estimate
        first = max(range(len(shares)), key=lambda j: shares[j]) if k > 1 else 1
        names = [*map(visible, found.mechanism.categories)] or [*map(found.mechanism.category, range(len(shares)))]
        name, level = names[first], self.confidence
        if k == 1:
            name, of, intervals = f"Prevalence of {trait_of(found.mechanism.categories)}", "", self.rows[0].intervals
        else:
            tied = [names[j] for j, share in enumerate(shares) if share == shares[first]]
            if len(tied) > 1:
                return largest_sentence(tied)
            name, of = f"The largest estimate is that of {name}", f" of {all_of(k, 'categories')} together"
            intervals = intervals_of(found, unit_contrast(first, k), 1 - (1 - level) / k)
        kind = RECOMMENDED if RECOMMENDED in intervals else "normal"
        best, proved = intervals[kind], "" if kind == RECOMMENDED else "approximate "
        number = share_of_people(shares[first], (best.lower, best.upper), unit, population)
        words: dict[str, str] = {"kind": proved, "of": of, "unit": unit_in_all(unit, population), "people": number}
        return share_sentence(name, shares[first], (best.lower, best.upper), level, **words)

    def lines(self) -> list[tuple[str, str]]:
        """Return the summary: each estimate with its interval, then counts, method and guarantees."""
        rows: list[tuple[str, str]] = []
        for row in self._all():
            own = self._row_lines(row)
            rows += own if len(self.rows) == 1 and row is not self.contrast else _named(row.name, own)
        return [*rows, *self._about()]

    def as_tables(self) -> list[Table]:
        """Return tables of the estimates (one table for more than two categories), and of the method."""
        if len(self.rows) == 1:
            return [("", None, self.lines())]
        tables: list[Table] = [("", *self._table())]
        if self.contrast is not None:
            tables.append((self.contrast.name, None, self._row_lines(self.contrast)))
        return [*tables, ("About the estimates", None, self._about())]

    def _all(self) -> list[EstimateRow]:
        return [*self.rows, *([] if self.contrast is None else [self.contrast])]

    def _shown(self, rows: Sequence[EstimateRow]) -> list[str]:
        """Return the kinds of intervals to show, starting with the recommended one."""
        first = {row.recommended: None for row in rows}
        kinds = {kind: None for row in rows for kind in row.intervals}
        return [*first, *(kind for kind in kinds if kind not in first)] if self.all_intervals else [*first]

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return header and rows of a table with one category per row, all rounded to the same decimal place."""
        places = places_of(row.standard_error for row in self.rows)
        kinds, best = self._shown(self.rows), {row.recommended for row in self.rows}
        ends = [
            f"{decimal_text(100 * self.confidence)} % interval ({kind}{', recommended' * (kind in best)})"
            for kind in kinds
        ]
        unbiased = (N_LESS_ONE,) * self.all_intervals
        header = ("category", "estimate", "standard error", *unbiased, *ends, "most likely")
        table = []
        for row in self.rows:
            own = row.places if places is None else places
            ends = [row.intervals[kind].ends_text(own) if kind in row.intervals else "none" for kind in kinds]
            unbiased = (error_text(row.unbiased_standard_error),) * self.all_intervals
            numbers = rounded(row.estimate, own), rounded(row.standard_error, own)
            likely = "" if row.most_likely is None else rounded(row.most_likely, own)
            table.append((self._spoken(row), *numbers, *unbiased, *ends, likely))
        return header, table

    def _spoken(self, row: EstimateRow) -> str:
        """Return the name of a category for a table: of many that have names, without their numbers."""
        named = self.estimate.mechanism.categories
        if len(self.rows) <= MOST_LISTED or not named or row is self.contrast:
            return row.name
        return visible(named[row.contrast.index(1)])

    def joint_interval(self, row: EstimateRow) -> Interval:
        """Return the recommended interval of a category that holds for all categories together (Bonferroni)."""
        level = 1 - (1 - self.confidence) / len(self.rows)
        return intervals_of(self.estimate, row.contrast, level)[row.recommended]

    def _row_lines(self, row: EstimateRow) -> list[tuple[str, str]]:
        """Return the estimate, its standard error and its intervals, rounded to the precision of the standard error."""
        error, places = row.standard_error, row.places
        name = "estimate" if row is self.contrast and len(self.rows) > 1 else row.name
        lines = [
            (name, estimate_text(row.estimate, places)),
            ("standard error (plug-in)", rounded(error, places) if error else "0"),
        ]
        if is_in_full():
            lines.append(("variance (plug-in)", both_texts(row.variance)))
        if self.all_intervals:
            unbiased = error_text(row.unbiased_standard_error)
            lines.append((N_LESS_ONE, f"{unbiased}; plug-in: {error_text(error)}"))
        for kind in self._shown([row]):
            text, is_best = row.intervals[kind].ends_text(places), kind == row.recommended
            title = f"{decimal_text(100 * self.confidence)} % interval ({kind})"
            lines.append((title, text + ", recommended" * (is_best and text != EMPTY)))
        if row.most_likely not in (None, row.estimate):
            lines.append(("most likely in [0, 1]", estimate_text(row.most_likely, places)))
        if row.efficient_standard_error is not None:
            lines.append(("standard error of the most likely", rounded(row.efficient_standard_error, places)))
        return lines

    def _about(self) -> list[tuple[str, str]]:
        """Return the counts, the mechanism, and the guarantees of the intervals."""
        found, every = self.estimate, self._all()
        device = found.mechanism
        names = [f" ({text})" for text in device.responses] or [""] * len(found.counts)
        places = list(range(len(found.counts)))
        if len(places) > MOST_LISTED:
            places = sorted(places, key=lambda i: -found.counts[i])[:_MOST_COUNTS]
        counts = ", ".join(f"{found.counts[i]} x response {i}{names[i]}" for i in places)
        if len(places) < len(found.counts):
            counts = f"{len(found.counts)} kinds of responses, the most frequent are {counts}"
        if device.inputs == 2:
            counts += f"; the prevalence is that of {device.category(1)}, not of {device.category(0)}"
        rows = [("device", device.in_words()), ("counted", f"n = {found.n}: {counts}")]
        if len(every) > 1:
            rows.append(("intervals", "each by itself and not jointly"))
        said = {kind: one.guarantee for row in every for kind, one in row.intervals.items()}
        best = {row.recommended for row in every}
        rows += [
            (f"{kind} interval", _WHY[kind].format(said[kind]) if kind in best else said[kind])
            for kind in self._shown(every)
        ]
        if self.all_intervals:
            rows.append(("standard errors", STANDARD_ERRORS))
        rows.append(("mechanism", f"{device.name or 'matrix'}, epsilon = {both_texts(device.epsilon, 6)}"))
        return [*rows, ("estimator", self.method)]

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each category, or for the prevalence: estimate, standard error, recommended interval.

        ``most_likely`` is never negative; ``low_at_once`` and ``high_at_once`` hold for all categories together.
        """
        found = self.estimate
        device = found.mechanism
        names = list(device.categories) or [device.category(j) for j in range(device.inputs)]
        titles = [names[1]] if len(self.rows) == 1 else names
        titles += [] if self.contrast is None else [self.contrast.name]
        rows = []
        for name, row in zip(titles, self._all(), strict=True):
            ends = row.intervals[row.recommended]
            low, high = (None, None) if ends.emptied else (nearest_float(ends.lower), nearest_float(ends.upper))
            likely = None if row.most_likely is None else nearest_float(row.most_likely)
            numbers: dict[str, Any] = {
                "n": found.n,
                "estimate": nearest_float(row.estimate),
                "standard_error": row.standard_error,
            }
            numbers |= {"low": low, "high": high, "interval": row.recommended, "most_likely": likely}
            if len(self.rows) > 1:
                joint = self.joint_interval(row)
                both = (None, None) if joint.emptied else (nearest_float(joint.lower), nearest_float(joint.upper))
                numbers |= dict(zip(("low_at_once", "high_at_once"), both, strict=True))
            rows.append({"category": name, **numbers})
        return rows

    def remarks(self) -> tuple[str, ...]:
        """Return warnings about the estimates, as sentences.

        Of several categories a single interval may contain no possible prevalence by chance; the mechanism is in doubt
        where the interval of all categories at once contains none either.
        """
        emptied, by_chance = [], []
        for row in self._all():
            shown = self._shown([row] if row is self.contrast else self.rows)
            kinds = [kind for kind in shown if kind in row.intervals and row.intervals[kind].emptied]
            if kinds == [row.recommended] and len(self.rows) > 2 and not self.joint_interval(row).emptied:
                by_chance.append(self._spoken(row))
            elif kinds:
                emptied.append(
                    f"{row.name}, {', '.join(kinds)} interval{'s' if len(kinds) > 1 else ''}: {EMPTY}; check the "
                    "mechanism and the responses"
                )
        if by_chance:
            emptied.append(
                f"the single interval of {few(by_chance)} contains no possible prevalence, as chance may have it for "
                f"some of {len(self.rows)} categories; the intervals of all categories at once contain one"
            )
        return (*self.estimate.remarks(), *emptied)


_LISTED_SHARES = 12  # of a reference distribution whose proportions are equal
_WHY = {
    RECOMMENDED: "recommended: {}, and as a rule shorter than Chebyshev's",
    "normal": "recommended where no interval with proved coverage applies: {}",
}


def _named(name: str, rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Name the first row, and indent the other rows as belonging to it."""
    (_, value), *others = rows
    return [(name, value), *((f"  {what}", text) for what, text in others)]


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
    >>> SurveyEstimate.from_json(survey.to_json()) == survey, len(survey.rows[0].intervals)
    (True, 4)
    """
    k = required(found, Estimate, "the estimate", "estimate(mechanism, counts)").mechanism.inputs
    asked = None if contrast is None else exact_contrast(contrast, k)
    level = exact_confidence(confidence)
    efficient = found.efficient_covariance() if found.mechanism.outputs > k else None

    def row(name: str, c: tuple[Fraction, ...], most_likely: Fraction | None) -> EstimateRow:
        intervals, variance = intervals_of(found, c, level), None
        if efficient is not None:
            variance = dot(c, [dot(line, c) for line in efficient])
            centre = dot(c, found.constrained_estimate)
            intervals[EFFICIENT.name] = normal_interval(centre, variance, found.n, level, c, EFFICIENT)
        plain = found.variance(c)
        both = plain, plain * found.n / (found.n - 1) if found.n > 1 else None
        return EstimateRow(name, c, dot(c, found.estimate), *both, most_likely, variance, ReadOnlyMapping(intervals))

    names = [(1, "prevalence")] if k == 2 else [(j, found.mechanism.category(j)) for j in range(k)]
    units = [tuple(Fraction(int(i == j)) for i in range(k)) for j, _ in names]
    rows = tuple(row(name, c, found.constrained_estimate[j]) for c, (j, name) in zip(units, names, strict=True))
    own = None if asked is None else row(f"contrast {','.join(map(as_text, asked))}", asked, None)
    return SurveyEstimate(found, level, rows, own, efficient, all_intervals)


def estimate_tables(found: Estimate) -> list[Table]:
    """Return the tables of an estimate, as a command prints them: with the recommended 95 % intervals."""
    return survey_estimate(found).as_tables()


def estimate_rows(found: Estimate) -> list[dict[str, Any]]:
    """Return the rows of the data frame of an estimate, with the recommended 95 % intervals."""
    return survey_estimate(found).frame_rows()
