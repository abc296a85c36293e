"""Weighted estimates by group, and their printed tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar

from rropt.core.exact import decimal_text
from rropt.core.exact.display import rounded
from rropt.core.results import Table
from rropt.core.visible import visible
from rropt.estimates.conclusions import (
    difference_sentences,
    largest_sentence,
    people_text,
    share_of_people,
    share_sentence,
    unit_in_all,
)
from rropt.inference.differences import Ends
from rropt.inference.interval_kinds import places_of
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS
from rropt.survey.groups.shares import ShareComparison, WeightedShare
from rropt.survey.respondents.sample_descriptions import SamplingDesign
from rropt.survey.table_estimates.group_estimates import GroupEstimates, interval_text

_NOISE = 1e-7  # relative to the proportion: a smaller standard error is 0 up to the rounding of sums
_EFFECT_DIGITS = 3  # significant digits of design effects and effective sample sizes, which show all units up to 10^9
_CONCLUDED = 12  # sentences of a conclusion
_UNIT = 0.01  # weights whose mean is 1 up to this are relative: their sum is no number of people

TOTAL = "all"
TESTS = (
    "Wald: t on the {freedom} of both groups, intervals at once and p adjusted by Bonferroni; all equal: adjusted "
    "Wald; approximate"
)


@dataclass(frozen=True, slots=True)
class WeightedEstimates(GroupEstimates):
    """Weighted estimates of each question in each group, from one pass over a table.

    Attributes:
        reading, by, confidence, mechanisms, shares, counted, all_intervals: as in ``GroupEstimates``.
        design: the sampling design.
    """

    design: SamplingDesign = field(kw_only=True)

    SHARE: ClassVar[type] = WeightedShare
    TITLE: ClassVar[str] = "Weighted estimates from randomized responses"
    MISSING: ClassVar[str] = "those who answered are a domain; "
    GUARANTEES: ClassVar[Mapping[str, str]] = {name: kind.guarantee for name, kind in PROPORTION_INTERVALS.items()}

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the conclusion with the people of the survey in words.

        Of one question with more than two categories it names the category with the largest estimate.

        Args:
            unit: the people in the plural.
            population: their number N, for weights of any scale; without it, those for whom the sum of the weights
                stands.
        """
        told, listed, of, first = [], self.shares, "", ""
        factors = self.mechanisms[0].factors if len(self.shares) == len(self.reading.questions) else ()
        if len(self.shares) > len(self.reading.questions) == 1:
            listed, of, first = self._largest(), " of this category alone", "The largest estimate is that of "
            if len(listed) > 1:
                return largest_sentence([category.name for category in listed])
        for category in listed:
            counted = factors[self.shares.index(category)].categories[1:] if factors else ()
            ones: Sequence[Any] = category.groups if category.total is None else [category.total]
            for one in ones:
                name = first + ", ".join(
                    [category.name, *counted, *[one.group] * (bool(self.by) and one is not category.total)]
                )
                whole = population if len(ones) == 1 else None
                asked = self.reading.questions
                counted_by = asked if not factors else [asked[self.shares.index(category)]]
                missing = sum(each.missing for each in counted_by)
                people = self._people(one, unit, whole, missing)
                words = {"kind": "approximate ", "of": of, "unit": unit_in_all(unit, whole), "people": people}
                told.append(share_sentence(name, one.estimate, one.recommended, self.confidence, **words))
            if len(category.groups) > 1:
                told += difference_sentences(category.differences, self.confidence, category.equality_p)
        more = [f"The tables have {len(told) - _CONCLUDED} more."] if len(told) > _CONCLUDED else []
        return " ".join([*told[:_CONCLUDED], *more])

    def pooled(self, share: ShareComparison) -> tuple[Fraction | float, float, Ends | None, bool]:
        """Return estimate, standard error and interval of all groups together; no coverage is proved with weights."""
        one: Any = share.groups[0] if share.total is None else share.total
        return one.estimate, one.standard_error, one.recommended, False

    def people(self, share: ShareComparison, unit: str, population: object, missing: int) -> str:
        """Return the estimated number of people in words: of N people, else of those for whom the weights stand."""
        return self._people(share.groups[0] if share.total is None else share.total, unit, population, missing)

    def _people(self, one: Any, unit: str, population: object, missing: int) -> str:
        """Return the estimated number of people of one group, or of all together.

        Without their number N it is the proportion of the sum of the weights, with the interval of the proportion,
        except where weights count every respondent once.
        """
        if population is not None:
            return share_of_people(one.estimate, one.recommended, unit, population, missing)
        if not unit or unit.startswith("selected "):  # a part of a declared population, whose number is not known
            return ""
        if self.design.weights == "equal" or abs(one.weight - one.n) < _UNIT * one.n:
            return ""
        ends = one.recommended and tuple(end * one.weight for end in one.recommended)
        base = f"the {round(one.weight):,} for whom those who answered stand"
        return people_text(one.estimate * one.weight, ends, base, one.weight)

    def _more_numbers(self, one: Any) -> dict[str, Any]:
        """Return the further numbers of a proportion in a group: its total, the weights and the design effect."""
        numbers = {"total": one.total.value, "total_standard_error": one.total.standard_error}
        return {**numbers, "weight": one.weight, "design_effect": one.design_effect}

    def _largest(self) -> tuple[ShareComparison, ...]:
        """Return the categories whose estimate is the largest, in all groups together."""
        values = [(one.groups[0] if one.total is None else one.total).estimate for one in self.shares]
        return tuple(one for one, value in zip(self.shares, values, strict=True) if value == max(values))

    def _own_remarks(self) -> list[str]:
        remarks = []
        if self.design.shared_labels:
            remarks.append("some labels of clusters occur in several strata: they are treated as different clusters")
        if self.design.fractions is not None and self.design.clusters is not None and not self.design.two_stages:
            remarks.append(
                "clusters are treated as completely observed; if respondents were sampled within them, give their "
                "finite population too (fpc: clusters, rows), or no finite population: the variance is then not too "
                "small"
            )
        return remarks

    def _has_equal_responses(self, one: Any) -> bool:
        """Return whether a standard error is 0 because all responses are equal: the interval of a census is a point."""
        low, high = one.recommended or (0.0, 0.0)
        return bool(one.standard_error <= _NOISE and low < high)

    def _places(self, ones: Iterable[WeightedShare]) -> int | None:
        """Return the decimal place that the smallest standard error of some proportions requires.

        If a standard error is 0 because all responses are equal, the width of the recommended interval replaces it. If
        that width is 0 too, the standard error due to the device replaces it.
        """
        candidates = (
            (one.standard_error, (high - low) / 4, sqrt(max(one.share.device_variance, 0.0)))
            for one in ones
            for low, high in [one.recommended or (0.0, 0.0)]
        )
        return places_of(next((error for error in errors if error > _NOISE), None) for errors in candidates)

    def _about(self) -> list[tuple[str, str]]:
        compared = any(category.differences for category in self.shares)
        replicated = self.design.replicates is not None
        tests = TESTS.format(freedom="rank of the replicate weights" if replicated else "clusters less the strata")
        about = [("intervals", "each by itself and not jointly"), *[("tests of differences", tests)] * compared]
        return about + self.design.lines()

    def _tables(self, name: str, first: str, named: Sequence[tuple[str, Any]]) -> list[Table]:
        """Return the tables of some estimates: the proportions, the totals and the precision of the proportions."""
        kinds, shrunk = self._kinds(), self.design.fractions is not None
        places = self._places(one for _, one in named)
        of_totals = places_of(_error_of_total(one) for _, one in named)
        shares, totals, precision = [], [], []
        for title, one in named:
            label, share, total = visible(title), one.share, one.total
            ends = [interval_text(one.intervals.get(kind), places, share.value) for kind in kinds]
            # the residuals of a single cluster add up to 0, which measures nothing
            is_measured = one.degrees_of_freedom > 0 or share.standard_error > _NOISE
            error = rounded(share.standard_error, places) if is_measured else "none"
            shares.append((label, str(one.n), rounded(share.value, places), error, *ends))
            numbers = (rounded(total.value, of_totals), rounded(total.standard_error, of_totals))
            people = one.total_interval
            between = "none" if people is None else " to ".join(rounded(end, of_totals) for end in people)
            totals.append((label, *numbers, between, f"{one.weight:.0f}"))
            device, narrow = (sqrt(max(part, 0.0)) for part in (share.device_variance, share.shrunk_variance))
            effects = (_effect(one.design_effect if is_measured else None), _effect(one.effective_n))
            errors = [rounded(error, places) for error in (device, *[narrow] * shrunk)]
            precision.append((label, str(one.degrees_of_freedom), *effects, *errors))
        header = (first, "n", "estimate", "standard error", *(f"{kind} interval" for kind in kinds))
        further = (first, "degrees of freedom", "design effect", "effective n", "error of the device")
        titles = (name, f"{name}: totals", f"{name}: precision") if name else ("All respondents", "Totals", "Precision")
        headers = (
            header,
            (first, "total", "standard error", "interval", "of (weights of answers)"),
            (*further, *["shrunk error"] * shrunk),
        )
        return list(zip(titles, headers, (shares, totals, precision), strict=True))


def _error_of_total(one: WeightedShare) -> float | None:
    """Return the error that the digits of a total show; where all responses are equal, it is that of its interval."""
    if one.total.standard_error > _NOISE * one.weight:
        return one.total.standard_error
    low, high = one.total_interval or (0.0, 0.0)
    return (high - low) / 4 if high - low > _NOISE * one.weight else None


def _effect(value: float | None) -> str:
    if value is None:
        return "none"
    return decimal_text(value, max(_EFFECT_DIGITS, len(f"{value:.0f}")) if value < 1e9 else _EFFECT_DIGITS)
