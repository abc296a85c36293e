"""Sentences that state the result of an estimate at the beginning of a report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.exact import decimal_text, rational_where
from rropt.core.exact.display import p_in_words
from rropt.core.visible import visible, with_noun
from rropt.inference.interval_kinds import is_empty

TRAIT = "the trait"  # the second of two categories, if the device has no names of its categories
_MOST_DIGITS = 20
_INTEGER = 1e-9  # 7.000000000000001 people of 0.07 * 100; endpoints are accurate to about 1e-10


class Concluded:
    """The second base of results that a report begins with: their conclusion."""

    __slots__ = ()

    @property
    def conclusion(self) -> str:
        """The result in words."""
        return self.concluded()

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the result in words, with the people of the survey.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a simple random sample.
        """
        raise NotImplementedError


def trait_of(categories: Sequence[str]) -> str:
    """Return the name of the second of two categories; a device without names of its categories has a trait."""
    return visible(categories[1]) if categories else TRAIT


def percent_text(value: Fraction, digits: int) -> str:
    """Return a proportion in percent with some decimals, rounded to the nearest.

    >>> percent_text(Fraction(2346, 10000), 1)
    '23.5'
    """
    whole, rest = divmod(round(value * 100 * 10**digits), 10**digits)
    return f"{whole}.{rest:0{digits}}" if digits else str(whole)


def share_sentence(
    name: str,
    value: Fraction | float,
    ends: tuple[Fraction | float, Fraction | float] | None,
    confidence: Fraction,
    *,
    kind: str = "",
    of: str = "",
    unit: str = "",
    people: str = "",
    digits: int | None = None,
) -> str:
    """Return one sentence on a proportion; it holds where the interval ends at 0 or 1, and where there is none.

    Args:
        name: the proportion.
        value: its unbiased estimate, which may lie outside [0, 1].
        ends: its interval, rounded to the nearest here, as in tables; ``None`` without one.
        confidence: the confidence of the interval.
        kind: ``"approximate "`` if the coverage of the interval is not proved.
        of: the scope of the interval.
        unit: the people of the survey in the plural.
        people: their number with its interval (``people_text``).
        digits: the decimals of the percentages, those of a table beside it; by default by the width of the interval.

    >>> share_sentence("yes", 0.2619, (0.2334, 0.2909), Fraction(19, 20))
    'yes: about 26.2 % (95 % interval: 23.3 to 29.1 %).'
    >>> share_sentence("yes", -0.01, (0, 0.0749), Fraction(19, 20))
    'yes: at most 7.5 % (95 % interval: 0 to 7.5 %). The survey cannot tell this from zero.'
    """
    told = f"{kind}{decimal_text(100 * confidence)} % interval{of}"
    whom = f" of {visible(unit)}" if unit else ""
    share = min(max(Fraction(value), Fraction(0)), Fraction(1))
    if ends is not None and is_empty(*ends, value):
        return f"{name}: no proportion from 0 to 100 % fits these responses; check the mechanism and the responses."
    low, high = (min(max(Fraction(end), Fraction(0)), Fraction(1)) for end in ends or (0, 0))
    if low == high:
        return f"{name}: about {decimal_text(100 * share, 3)} %{whom}, without an interval."
    if digits is None:
        digits = max(0, 1 - math.floor(math.log10(50 * (high - low))))
    while digits < _MOST_DIGITS and (
        (low > 0 and low * 100 * 10**digits < 1) or (high < 1 and (1 - high) * 100 * 10**digits < 1)
    ):
        digits += 1
    lower = "0" if low == 0 else percent_text(low, digits)
    upper = "100" if high == 1 else percent_text(high, digits)
    inside = f"({told}: {lower} to {upper} %{people})"
    if low == 0 and high == 1:
        return f"{name}: the survey says nothing {inside}."
    if low == 0:
        return f"{name}: at most {upper} %{whom} {inside}. The survey cannot tell this from zero."
    if high == 1:
        return f"{name}: at least {lower} %{whom} {inside}. The survey cannot tell this from 100 %."
    return f"{name}: about {percent_text(share, digits)} %{whom} {inside}."


def largest_sentence(names: Sequence[str], of: str = "") -> str:
    """Return the sentence that several categories have the largest estimate.

    Args:
        names: their names.
        of: the question, or questions; empty without a name.
    """
    listed = ("; " if any("," in name for name in names) else ", ").join(names[:5]) + ", ..." * (len(names) > 5)
    return f"Several categories{f' of {of}' if of else ''} have the largest estimate: {listed}."


def people_text(
    value: Fraction | float,
    ends: tuple[Fraction | float, Fraction | float] | None,
    base: str = "",
    whole: Fraction | float | None = None,
) -> str:
    """Return a number of people with its interval, rounded to the second digit of its error; empty without one.

    As in ``share_sentence``, an interval from 0 is stated as "at most", and one up to all people as "at least". The
    lower endpoint is rounded down and the upper one up, so that the interval printed contains the interval.

    Args:
        value: the number.
        ends: its interval.
        base: all people of whom these are a part, in words.
        whole: the number of all people; ``None`` if it is not known.

    >>> people_text(69234.5, (57911, 80558), "264,345 adults")
    '; about 69,000 people, 57,000 to 81,000, of 264,345 adults'
    >>> people_text(4405, (0, 13870)), people_text(49.5, (47, 50), whole=50)
    ('; at most 13,900 people', '; at least 47 people')
    """
    if ends is None or not ends[0] < ends[1] or ends[1] <= 0:
        return ""
    is_all = whole is not None and ends[1] >= whole
    if ends[0] <= 0 and is_all:
        return ""
    half = (ends[1] - max(ends[0], 0)) / 2
    step = 10 ** max(0, math.floor(math.log10(half)) - 1)
    number, low, high = round(value / step) * step, _floor(ends[0] / step) * step, -_floor(-ends[1] / step) * step
    high = high if whole is None else min(high, math.floor(whole))
    if ends[0] <= 0 or is_all:
        end, which = (low, "least") if is_all else (high, "most")
        told = f"at {which} {with_noun(f'{end:,}', 'person', 'people')}"
    else:
        told = f"about {with_noun(f'{number:,}', 'person', 'people')}, {low:,} to {high:,}"
    return f"; {told}" + f", of {base}" * bool(base)


def _floor(number: Fraction | float) -> int:
    """Return the integer part of an endpoint; one that is an integer but for its error as a float counts as it."""
    nearest = round(number)
    return nearest if abs(float(number - nearest)) <= _INTEGER * max(1, abs(nearest)) else math.floor(number)


def share_of_people(
    value: Fraction | float,
    ends: tuple[Fraction | float, Fraction | float] | None,
    unit: str,
    population: object,
    missing: int = 0,
) -> str:
    """Return the number of people of a proportion with its interval; empty if they have no name or number.

    The number covers people who were asked and did not answer: ``missing`` of them are taken to be like the others.
    """
    if not unit or population is None or ends is None:
        return ""
    people = rational_where(population, lambda n: n > 0, "a number above 0", name="population")
    base = "them, if those who did not answer are like those who did" if missing else ""
    return people_text(min(max(value, 0), 1) * people, (ends[0] * people, ends[1] * people), base, people)


def unit_in_all(unit: str, population: object) -> str:
    """Return the people of a survey in the plural, with their number if it is known.

    >>> unit_in_all("adults", 264345), unit_in_all("adults", None), unit_in_all("", 264345)
    ('all 264,345 adults', 'adults', '')
    """
    if not unit or population is None:
        return unit
    return f"all {round(rational_where(population, lambda n: n > 0, 'a number above 0', name='population')):,} {unit}"


def difference_sentences(
    differences: Sequence[Any], confidence: Fraction, equality: float | None = None
) -> Iterator[str]:
    """Yield what the tests of differences and the test that all groups are equal establish together.

    At most three differences are named.

    Args:
        differences: differences with the names of both groups, ``estimate``, the adjusted p-value ``adjusted``, and
            whether it is ``exact``.
        confidence: the confidence, 1 minus the level of the tests.
        equality: the p-value of the test that all groups are equal; ``None`` if it was not tested.
    """
    if not differences:
        yield "The groups are too many to test their differences."
        return
    if all(getattr(one, "interval", ()) is None for one in differences):
        yield "The differences of the groups were not tested: they have no standard error."
        return
    level, ordered = 1 - confidence, sorted(differences, key=lambda one: one.adjusted)
    found, several = [one for one in ordered if one.adjusted <= level], len(ordered) > 1
    for one in found[:3]:
        high, low = (one.first, one.second) if one.estimate > 0 else (one.second, one.first)
        points = decimal_text(100 * abs(one.estimate), 3)
        kind = "" if one.exact else "approximate "
        told = (
            f"{kind}{p_in_words(one.adjusted)}{', adjusted over the pairs of groups' * (several and len(found) == 1)}"
        )
        yield f"{visible(high)} is above {visible(low)}, by about {with_noun(points, 'point')} ({told})."
    if len(found) > 1:
        yield "Each p is adjusted over the pairs of groups."
    p = f"{'smallest adjusted ' * several}{p_in_words(ordered[0].adjusted)}"
    if several and equality is not None:
        equal = f"the test that all groups are equal: {p_in_words(equality)}"
        if found and equality > level:
            yield f"The tests of pairs decide: {equal}, but it is less sensitive to a difference of two groups."
        if not found and equality <= level:
            yield f"The groups differ ({equal}), but the survey does not establish which of them ({p})."
            return
        p += f"; {equal}"
    if not found:
        yield f"The test{'s do' if several else ' does'} not establish a difference between groups ({p})."
