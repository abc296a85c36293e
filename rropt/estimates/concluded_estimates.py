"""Estimates in words, as a report begins with them: proportions or a mean, and the differences that tests establish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from rropt.core.exact import decimal_text
from rropt.core.exact.display import decimal_places, interval_of_digits, p_in_words, rounded
from rropt.core.visible import all_of, visible
from rropt.estimates.conclusions import (
    TRAIT,
    difference_sentences,
    largest_sentence,
    people_text,
    share_of_people,
    share_sentence,
    unit_in_all,
)

Estimate: TypeAlias = Any  # a row of ``Estimates``, whose module imports this one
Estimates: TypeAlias = Any
UNNAMED = "response"  # the question of responses that are known by their counts
PROVED = ("exact", "chebyshev", "hoeffding", "guaranteed")  # intervals whose coverage is proved
_NAMED = 3  # differences in the conclusion on a mean
_CONCLUDED = 12  # sentences of a conclusion
_UNIT = 0.01  # weights whose mean is 1 up to this are relative: their sum is no number of people


def conclusion_of(found: Estimates, unit: str, population: object) -> str:
    """Return proportions or a mean in words, and the differences of groups that the tests establish; else nothing.

    Args:
        found: the estimates.
        unit: the people in the plural.
        population: their number N, unless the estimates have their own; without it, with weights, those for whom the
            sum of the weights stands.
    """
    if found.kind == "mean":
        return " ".join(_of_mean(found))
    population = population if found.population is None else found.population
    return _of_proportions(found, unit, population) if found.kind == "proportions" else ""


def _of_mean(found: Estimates) -> Iterator[str]:
    whole = (found.overall or found.rows)[0]
    places, ends = decimal_places(whole.se), whole.conf_int(confidence=found.confidence)
    told = f"The mean of {visible(whole.question or '') or 'the number'} is about {rounded(whole.estimate, places)}"
    if ends is not None and whole.se is not None:
        interval = interval_of_digits(ends.lower, ends.upper, places)
        told += f" ({decimal_text(100 * found.confidence)} % interval: {interval})"
    yield f"{told}."
    compared = found.compared()
    tested = [one for each in compared for one in each.differences if one.interval is not None]
    ordered = sorted(tested, key=lambda one: one.adjusted)
    established = [one for one in ordered if one.adjusted <= 1 - found.confidence]
    for one in established[:_NAMED]:
        high, low = (one.first, one.second) if one.estimate > 0 else (one.second, one.first)
        by = rounded(abs(float(one.estimate)), decimal_places(one.standard_error))
        why = f"approximate {p_in_words(one.adjusted)}, adjusted over the pairs of groups"
        yield f"{visible(high)} is above {visible(low)}, by about {by} ({why})."
    if tested and not established:
        least = p_in_words(ordered[0].adjusted)
        yield f"The tests do not establish a difference between groups (smallest adjusted {least})."


def _of_proportions(found: Estimates, unit: str, population: object) -> str:
    """Return the proportions of all respondents in words; of several categories, or cells, the largest."""
    tables: dict[str | None, list[Estimate]] = {}
    for one in found.overall or found.rows:
        tables.setdefault(one.question, []).append(one)
    compared = {(one.question, one.category): one for one in found.compared()}
    told: list[str] = []
    for rows in tables.values():
        most = max(one.estimate for one in rows)
        largest = [one for one in rows if one.estimate == most]
        if len(largest) > 1:
            of = visible(largest[0].question or "")
            names = [visible(category_of(one)) for one in largest]
            told.append(largest_sentence(names, "" if of == UNNAMED else of))
            continue
        (one,), are_several = largest, len(rows) > 1
        told.append(_sentence(found, one, unit, population, are_several=are_several))
        each = compared.get((one.question, one.category))
        if found.overall and len(found.rows) > len(found.overall):
            told += difference_sentences(each.differences if each else (), found.confidence, each and each.equality_p)
    more = [f"The tables have {len(told) - _CONCLUDED} more."] if len(told) > _CONCLUDED else []
    return " ".join([*told[:_CONCLUDED], *more])


def _sentence(found: Estimates, one: Estimate, unit: str, population: object, *, are_several: bool) -> str:
    """Return a sentence on a proportion, perhaps the largest of several, for which its interval then holds together."""
    of = first = ""
    is_joint = False
    if are_several:
        of, first = " of this category alone", "The largest estimate is that of "
        if not found.overall and one.weight is None:  # chosen by the same responses
            cells = one.question in found.questions and len(found.questions) == 1
            of = f" of {all_of(len(found.rows), 'categories' if cells else 'cells')} together"
            is_joint = True
    ends = found.together(one) if is_joint else one.conf_int(confidence=found.confidence)
    own = None if ends is None else (ends.lower, ends.upper)
    people = people_of(one, own, unit, population, missing_of(found, one.question))
    kind = "" if ends is not None and ends.kind in PROVED else "approximate "
    words: dict[str, Any] = {"kind": kind, "of": of, "unit": unit_in_all(unit, population), "people": people}
    name = first + _name(one, is_one_of_several=are_several)
    return share_sentence(name, one.estimate, own, found.confidence, **words)


def _name(one: Estimate, *, is_one_of_several: bool) -> str:
    """Return the name of a proportion: the question, with the category if it has several, or names."""
    question, category = visible(one.question or ""), visible(one.category or "")
    if is_one_of_several and question == UNNAMED:
        return visible(category_of(one))
    if is_one_of_several:
        return f"{question}: {category}"
    if question == UNNAMED:
        return f"Prevalence of {TRAIT if category in ('', '1') else category}"
    return question if category in ("", "1") else f"{question}, {category}"


def category_of(one: Estimate) -> str:
    """Return the name of a category; the number of one in unnamed counts is no name."""
    category = one.category or ""
    return f"category {category}" if one.question == UNNAMED and category.isdecimal() else category


def missing_of(found: Estimates, question: str | None) -> int:
    """Return the number of missing answers to a question; of several together that of all."""
    if question in found.questions and len(found.missing) == len(found.questions):
        return int(found.missing[found.questions.index(question)])
    return int(sum(found.missing))


def people_of(one: Estimate, ends: Any, unit: str, population: object, missing: int) -> str:
    """Return the estimated number of people in words; empty if the survey has no number.

    Without their number N it is, with weights, the proportion of the sum of the weights, with the interval of the
    proportion, except where weights count every respondent once.
    """
    if population is not None:
        return share_of_people(one.estimate, ends, unit, population, missing)
    if not unit or unit.startswith("selected "):  # a part of a declared population, whose number is not known
        return ""
    if one.weight is None or abs(one.weight - one.n) < _UNIT * one.n:
        return ""
    base = f"{round(one.weight):,}, the sum of the weights of those who answered"
    scaled = None if ends is None else tuple(float(end) * one.weight for end in ends)
    return people_text(float(one.estimate) * one.weight, scaled, base, one.weight)
