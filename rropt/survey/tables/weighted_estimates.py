"""Weighted estimates by group, and their printed tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from rropt.core.exact import decimal_text
from rropt.core.exact.display import decimal_places, rounded
from rropt.core.results import Result, Table, labelled
from rropt.core.visible import visible
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.conclusions import difference_sentences, people_text, share_sentence
from rropt.survey.estimates.interval_kinds import empty_remark, ends_text, is_empty
from rropt.survey.estimates.proportion_intervals import PROPORTION_INTERVALS, RECOMMENDED
from rropt.survey.groups.differences import Ends
from rropt.survey.populations.complex import GroupDifferences, WeightedShare
from rropt.survey.tables.counting import Reading
from rropt.survey.tables.group_estimates import difference_table
from rropt.survey.tables.many_groups import first_groups, group_title, summary_table
from rropt.survey.tables.sampling import Design

_NOISE = 1e-7  # relative to the proportion: a smaller standard error is 0 up to the rounding of sums
_EFFECT_DIGITS = 3  # significant digits of design effects and effective sample sizes
_CONCLUDED = 12  # sentences of a conclusion

TOTAL = "all"
TESTS = (
    "t on the clusters less the strata of both groups, intervals at once by Bonferroni, p adjusted by Holm; all equal: "
    "adjusted Wald; approximate"
)


@dataclass(frozen=True, slots=True)
class WeightedCategory(Result):
    """One category of a question, or one cell of a table of several questions, in all groups.

    Attributes:
        name: the name of the question, followed by the category if there are more than two.
        groups: the estimates in each group.
        total: the estimates of all groups together; ``None`` without groups.
        comparison: the differences of the groups with their covariance and tests; ``None`` for one group, for more than
            5000 pairs of groups, or for more than 100 000 pairs in all categories.
    """

    name: str
    groups: tuple[WeightedShare, ...]
    total: WeightedShare | None
    comparison: GroupDifferences | None

    LABELS = labelled(name="share", groups="", total="all groups together", comparison="")

    @property
    def rows(self) -> list[WeightedShare]:
        """The estimates to print: of the first groups, and of all together."""
        return [*first_groups(self.groups), *([] if self.total is None else [self.total])]


@dataclass(frozen=True, slots=True)
class WeightedEstimates(Result):
    """Weighted estimates of each question in each group, from one pass over a table.

    Attributes:
        reading: the report on the input.
        design: the sampling design.
        by: the columns of the groups; empty if all respondents are one group.
        confidence: the confidence of the intervals.
        mechanisms: the different devices of the respondents.
        shares: for each question the proportion of response 1, or of each category if there are more than two.
        counted: text that names the category of each output and the category whose proportion is estimated.
        all_intervals: whether to print the intervals of every kind or only the recommended one.
    """

    reading: Reading
    design: Design
    by: tuple[str, ...]
    confidence: Fraction
    mechanisms: tuple[Mechanism, ...]
    shares: tuple[WeightedCategory, ...]
    counted: tuple[str, ...] = field(default=(), compare=False, repr=False)
    all_intervals: bool = field(default=False, compare=False, repr=False)

    LABELS = labelled(devices="devices", confidence="confidence", remarks="")

    @property
    def devices(self) -> int:
        """The number of different devices."""
        return len(self.mechanisms)

    @property
    def conclusion(self) -> str:
        """The result of each question, in all groups together, and the differences that the tests establish.

        Of one question with more than two categories it names the category with the largest estimate.
        """
        return self.concluded()

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the conclusion with the people of the survey in words.

        Args:
            unit: the people in the plural; with weights, their number is the estimated total.
            population: not used: the weights state how many people the respondents stand for.
        """
        told, listed, of, first = [], self.shares, "", ""
        counted = self.mechanisms[0].categories[1:] if len(self.shares) == len(self.reading.questions) == 1 else ()
        if len(self.shares) > len(self.reading.questions) == 1:
            listed, of, first = self._largest(), " of this category alone", "The largest estimate is that of "
            if len(listed) > 1:
                names = ", ".join(category.name for category in listed[:5])
                return f"Several categories have the largest estimate: {names}{', ...' * (len(listed) > 5)}."
        for category in listed:
            for one in category.groups if category.total is None else [category.total]:
                name = first + ", ".join(
                    [category.name, *counted, *[one.group] * (bool(self.by) and one is not category.total)]
                )
                is_total = unit and self.design.weights != "equal"
                people = people_text(one.total.value, one.total.interval) if is_total else ""
                words = {"kind": "approximate ", "of": of, "unit": unit, "people": people}
                told.append(share_sentence(name, one.share.value, one.recommended, self.confidence, **words))
            if len(category.groups) > 1:
                found = () if category.comparison is None else category.comparison.differences
                told += difference_sentences(found, self.confidence)
        more = [f"The tables have {len(told) - _CONCLUDED} more."] if len(told) > _CONCLUDED else []
        return " ".join([*told[:_CONCLUDED], *more])

    def _largest(self) -> tuple[WeightedCategory, ...]:
        """Return the categories whose estimate is the largest, in all groups together."""
        values = [(one.groups[0] if one.total is None else one.total).share.value for one in self.shares]
        return tuple(one for one, value in zip(self.shares, values, strict=True) if value == max(values))

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: each estimate, then the general results."""
        said = []
        for category in self.shares:
            for one in category.rows:
                places = _share_places([one])
                value = f"{rounded(one.share.value, places)} (standard error "
                value += f"{rounded(one.share.standard_error, places)}), {RECOMMENDED} interval "
                said.append((f"{category.name}, {one.group}", value + _ends(one.recommended, places, one.share.value)))
            left = len(category.groups) - len(first_groups(category.groups))
            if left:
                said.append((f"{category.name}, ...", f"{left} more groups: --json"))
        return said + self._head()

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        remarks = list(self.reading.remarks)
        if self.design.shared_labels:
            remarks.append("some labels of clusters occur in several strata: they are treated as different clusters")
        if self.design.fractions is not None and self.design.clusters is not None and not self.design.two_stages:
            remarks.append(
                "clusters are treated as completely observed; if respondents were sampled within them, give their "
                "finite population too (fpc: clusters, rows), or no finite population: the variance is then not too "
                "small"
            )
        named = [(f"{category.name} in {one.group}", one) for category in self.shares for one in category.groups]
        few = [name for name, one in named if one.share.interval is None]
        if few:
            remarks.append(f"no degrees of freedom, hence no intervals: {_few(few)}")
        outside = [name for name, one in named if not 0 <= one.share.value <= 1]
        if outside:
            remarks.append(f"estimates outside [0, 1]: {_few(outside)}: they are unbiased only if left as they are")
        remarks += empty_remark(
            [name for name, one in named if one.recommended is not None and is_empty(*one.recommended, one.share.value)]
        )
        missing = sum(each.missing for each in self.reading.questions)
        if missing:
            remarks.append(
                f"{missing} missing answers were left out of their question: those who answered are a "
                "domain; the estimates are biased if whether people answer depends on their answer"
            )
        return tuple(remarks)

    def as_tables(self) -> list[Table]:
        """Return the printed tables: estimates, totals and precision, then the sampling design."""
        tables: list[Table] = []
        if not self.by:
            rows = [(category.name, one) for category in self.shares for one in category.groups]
            tables += self._tables(("All respondents", "Totals", "Precision"), "share", rows)
        for category in self.shares if self.by else ():
            groups = category.groups
            numbers: dict[str, Sequence[float]] = {
                "n": [one.n for one in groups],
                "estimate": [one.share.value for one in groups],
                "standard error": [one.share.standard_error for one in groups],
            }
            tables += summary_table(category.name, numbers)
            rows = [(one.group, one) for one in category.rows]
            titles = category.name, f"{category.name}: totals", f"{category.name}: precision"
            tables += self._tables([group_title(title, groups) for title in titles], "group", rows)
            if category.comparison is not None:
                tables.append(_differences(category.name, category.comparison))
        return [*tables, ("Weighted estimates from randomized responses", None, self._head())]

    def _head(self) -> list[tuple[str, str]]:
        """Return the counts, the report on the input, the sampling design, and the guarantees of the intervals."""
        percent = f"{decimal_text(100 * self.confidence)} %"
        head = [("counted", "; ".join(self.counted))] if self.counted else []
        for name in self._kinds():
            kind = PROPORTION_INTERVALS[name]
            head.append(
                (f"{name} interval, {percent}", f"{'recommended: ' * kind.recommended}{kind.title}; {kind.guarantee}")
            )
        compared = any(category.comparison is not None for category in self.shares)
        head += [("intervals", "each by itself and not jointly"), *[("tests of differences", TESTS)] * compared]
        head += self.design.lines()
        groups = f"by {', '.join(self.by)}" if self.by else "none: all respondents together"
        return [*head, ("groups", groups), ("devices", str(self.devices)), ("read", self.reading.text())]

    def _kinds(self) -> list[str]:
        """Return the kinds of intervals to show, the recommended one first."""
        others = [name for name in PROPORTION_INTERVALS if name != RECOMMENDED]
        return [RECOMMENDED, *others] if self.all_intervals else [RECOMMENDED]

    def _tables(self, titles: Sequence[str], first: str, rows: Sequence[tuple[str, WeightedShare]]) -> list[Table]:
        """Return the tables of some estimates: the proportions, the totals and the precision of the proportions."""
        names, ones = [visible(name) for name, _ in rows], [one for _, one in rows]
        kinds, shrunk = self._kinds(), self.design.fractions is not None
        places, of_totals = _share_places(ones), _total_places(ones)
        shares, totals, precision = [], [], []
        for name, one in zip(names, ones, strict=True):
            share, total = one.share, one.total
            ends = [_ends(one.intervals.get(kind), places, share.value) for kind in kinds]
            shares.append(
                (name, str(one.n), rounded(share.value, places), rounded(share.standard_error, places), *ends)
            )
            numbers = (rounded(total.value, of_totals), rounded(total.standard_error, of_totals))
            low, high = (rounded(end, of_totals) for end in total.interval) if total.interval else ("", "")
            totals.append((name, *numbers, f"{low} to {high}" if total.interval else "none"))
            device, narrow = (sqrt(max(part, 0.0)) for part in (share.device_variance, share.shrunk_variance))
            effects = (_effect(one.design_effect), _effect(one.effective_n))
            errors = [rounded(error, places) for error in (device, *[narrow] * shrunk)]
            precision.append((name, str(one.degrees_of_freedom), *effects, *errors))
        header = (first, "n", "estimate", "standard error", *(f"{kind} interval" for kind in kinds))
        further = (first, "degrees of freedom", "design effect", "effective n", "error of the device")
        totals_header = (first, "total", "standard error", "t-interval")
        headers = (header, totals_header, (*further, *["shrunk error"] * shrunk))
        return list(zip(titles, headers, (shares, totals, precision), strict=True))


def _differences(name: str, comparison: GroupDifferences) -> Table:
    test, told = comparison.equality, ""
    if test is not None:
        on = f"F {decimal_text(test.statistic, 3)} on {test.numerator} and {test.denominator}, approximate"
        told = f"p = {decimal_text(test.p, 3)} ({on})"
    return difference_table(name, told, comparison.differences)


def _few(names: list[str]) -> str:
    return "; ".join(names[:3]) + (f", and {len(names) - 3} more" if len(names) > 3 else "")


def _share_places(ones: Iterable[WeightedShare]) -> int | None:
    """Return the decimal place that the smallest standard error of some proportions requires.

    If a standard error is 0 because all responses are equal, the width of the recommended interval replaces it. If that
    width is 0 too, the standard error due to the device replaces it.
    """
    return _places(
        [one.share.standard_error, (high - low) / 4, sqrt(max(one.share.device_variance, 0.0))]
        for one in ones
        for low, high in [one.recommended or (0.0, 0.0)]
    )


def _total_places(ones: Iterable[WeightedShare]) -> int | None:
    """Return the decimal place that the smallest standard error of some totals requires."""
    return _places([one.total.standard_error] if one.total.standard_error > _NOISE * one.weight else [] for one in ones)


def _places(errors: Iterable[Sequence[float]]) -> int | None:
    """Return the largest decimal place that some errors require.

    Each error is given as several candidates; the first that is not 0 up to rounding counts.
    """
    chosen = (next((number for number in numbers if number > _NOISE), None) for numbers in errors)
    return max((place for place in map(decimal_places, chosen) if place is not None), default=None)


def _effect(value: float | None) -> str:
    return "none" if value is None else decimal_text(value, _EFFECT_DIGITS)


def _ends(ends: Ends | None, places: int | None, value: float) -> str:
    return "none" if ends is None else ends_text(*ends, places, value)
