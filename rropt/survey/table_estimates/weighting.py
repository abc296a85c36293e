"""Weighted estimates from tables: proportions and totals from counts of equal respondents, with arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import comb, prod

import numpy as np

from rropt.answers.data_columns import numbered
from rropt.answers.response_codes import MISSING
from rropt.answers.scores import product_ranges
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.inference.linearization import Floats, Ints
from rropt.inference.sample_domains import Domains
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import inverses_of
from rropt.survey.groups.shares import ShareComparison
from rropt.survey.groups.weighted_shares import compared, weighted_shares
from rropt.survey.respondents.counted import Counted
from rropt.survey.respondents.respondent_kinds import RespondentKinds
from rropt.survey.table_estimates.group_estimates import counted_texts
from rropt.survey.table_estimates.weighted_estimates import TOTAL, WeightedEstimates

MOST_CELLS = 4096  # the largest number of cells of a table of several questions
_MOST_TABLES = 2000
_MOST_DIFFERENCES = 100_000  # of all categories of all tables; the groups are not compared beyond


def sets_of_questions(titles: Sequence[str], marginals: object) -> list[tuple[int, ...]]:
    """Return the questions of each table of a weighted survey."""
    if type(marginals) is not int or not 1 <= marginals <= len(titles) or comb(len(titles), marginals) > _MOST_TABLES:
        raise InvalidParameterError(
            f"the marginals do not fit: received tables of {shown(marginals)} of {len(titles)} questions; allowed are "
            f"1 to {len(titles)}, and at most {_MOST_TABLES} tables"
        )
    return list(combinations(range(len(titles)), marginals))


def weighted_estimates(counted: Counted, confidence: Fraction) -> WeightedEstimates:
    """Estimate proportions and totals of each question, or of each table of several questions, in each group."""
    by, sets = counted.by, [tuple(kinds.codes) for kinds in counted.kinds]
    shares: list[ShareComparison] = []
    for questions, kinds, (drawn, _) in zip(sets, counted.kinds, counted.samples, strict=True):
        kinds.require_groups(counted.titles, by, questions)
        group, answer, (table, low, high), groups = _rows(kinds, questions, counted.known)
        names = _categories(counted, questions)
        positive = kinds.columns["positive"].astype(np.int64)
        domains = Domains(drawn, positive, group, answer != MISSING, groups)
        whole, total_name = None, "all groups" if TOTAL in groups else TOTAL
        if by:
            whole = Domains(drawn, positive, np.minimum(group, 0), answer != MISSING, [total_name])
        is_compared = len(sets) * len(names) * comb(len(groups), 2) <= _MOST_DIFFERENCES
        for name, column, *ends in zip(names, table.T, low.T, high.T, strict=True):
            if name is not None:
                z, ranges = (
                    column[answer],
                    (ends[0][answer], ends[1][answer]),
                )  # unused where missing
                differences, test, covariance = compared(domains, z, confidence) if is_compared else ((), None, None)
                groups_of, total = weighted_shares(domains, z, confidence, ranges), None
                if whole is not None:
                    (total,) = weighted_shares(whole, z, confidence, ranges)
                shares.append(
                    ShareComparison(name, confidence, groups_of, differences, test, total=total, covariance=covariance)
                )
    told = counted_texts(counted) if len(sets[0]) == 1 else ()
    return WeightedEstimates(
        counted.reading, by, confidence, counted.mechanisms, tuple(shares), told, design=counted.samples[0][1]
    )


def _categories(counted: Counted, questions: Sequence[int]) -> list[str | None]:
    """Return the names of the categories of a table; for one yes/no question only the second category has a name."""
    names = []
    for question in questions:
        given = counted.names_of(question)
        names.append(given or tuple(map(str, range(counted.factors[question].inputs))))
    titles = [counted.titles[question] for question in questions]
    if len(questions) == 1:
        return [None, titles[0]] if len(names[0]) == 2 else [f"{titles[0]}: {name}" for name in names[0]]
    found = [""]
    for title, listed in zip(titles, names, strict=True):  # the first question varies fastest
        found = [", ".join(filter(None, [before, f"{title}: {name}"])) for name in listed for before in found]
    return list(found)


def _rows(
    kinds: RespondentKinds, questions: Sequence[int], known: Mapping[str, Mechanism]
) -> tuple[Ints, Ints, tuple[Floats, Floats, Floats], list[str]]:
    """Return the group and the response of each kind, the debiased responses with their ranges, and the groups."""
    codes = [kinds.codes[question] for question in questions]
    answered = np.logical_and.reduce([code != MISSING for code in codes])
    inverses = [_inverses(known[name], questions) for name in kinds.devices]
    ends = [_ranges(known[name], questions, own) for name, own in zip(kinds.devices, inverses, strict=True)]
    first, answer = numbered(kinds.device, *codes)
    devices = kinds.device[first]
    vectors = (  # a missing response takes the last column, and is ignored
        [inverse[:, code[at]] for inverse, code in zip(inverses[device], codes, strict=True)]
        for device, at in zip(devices, first, strict=True)
    )
    # the debiased responses z: the first question varies fastest
    table = np.stack([reduce(lambda found, one: np.kron(one, found), own) for own in vectors])
    low, high = (np.stack([ends[device][end] for device in devices]) for end in (0, 1))
    used = np.unique(kinds.group[answered & (kinds.group >= 0)])
    numbers = np.full(len(kinds.groups), -1)
    numbers[used] = np.arange(len(used))
    return (
        np.where(kinds.group >= 0, numbers[kinds.group], -1),
        np.where(answered, answer, MISSING),
        (table, low, high),
        [kinds.groups[number] for number in used],
    )


def _inverses(product: Mechanism, questions: Sequence[int]) -> list[Floats]:
    """Return the left inverses of a device's questions, each of shape (categories, outputs)."""
    devices = [product.factors[question] for question in questions]
    cells = prod(device.inputs for device in devices)
    if cells > MOST_CELLS:
        raise UnsupportedProblemError(
            f"a table has too many cells: received {cells}; at most {MOST_CELLS} are estimated with weights; ask for "
            "marginals of fewer questions"
        )
    return [np.array(inverse, np.float64) for inverse in inverses_of(devices)]


def _ranges(product: Mechanism, questions: Sequence[int], inverses: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the smallest and the largest z of each category over the possible outputs, shape (categories,).

    Here z is a product with one entry of each inverse, so its extremes are products of their extremes.
    """
    rows = (
        inverse[:, [any(row) for row in product.factors[q].matrix]]
        for q, inverse in zip(questions, inverses, strict=True)
    )
    return product_ranges((given.min(axis=1), given.max(axis=1)) for given in rows)
