"""The rows of a result from scores: of a simple random sample, and of a complex survey; the columns vary fastest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, TypeAlias

from rropt.answers.data_columns import Ints
from rropt.answers.scores import Scores
from rropt.core.exact.numbers import square_root
from rropt.estimates.estimate_bases import DesignBasis, GroupsBasis
from rropt.estimates.estimated import Estimate
from rropt.inference.linearization import Sampled
from rropt.inference.sample_domains import Domains
from rropt.inference.simple_means import simple_means

Head: TypeAlias = Callable[[str | None, int], dict[str, Any]]
"""A function of a group (None: everybody) and a column that returns name, question, category and group of a row."""


def simple_rows(
    scores: Scores,
    group: Ints,
    names: Sequence[str],
    n: Ints,
    columns: tuple[int, ...],
    estimand: str,
    head: Head,
    part: Ints | None = None,
) -> list[Estimate]:
    """Return the estimates of a simple random sample, exactly.

    Args:
        scores: the scores.
        group: the group of each row of the scores; negative for none.
        names: the names of the groups; empty without groups.
        n: the number of equal respondents of each row.
        columns: the columns that are estimated.
        estimand: ``proportion``, ``mean`` or ``contrast``.
        head: what distinguishes an estimate from the others.
        part: the part of its group, such as the device, of each row; ``None`` for one part.
    """
    is_mean, groups = estimand == "mean", tuple(names) or ("all",)
    means = simple_means(scores, group, len(groups), n, part, is_unbiased=is_mean)
    basis, rows = GroupsBasis(scores, means, groups, group, n, columns, estimand), []
    for g, name in enumerate(groups):
        for place, k in enumerate(columns):
            variance = means.variance[g, k]
            more: dict[str, Any] = {"device_se": sqrt(max(float(means.device[g, k]), 0.0))}
            more |= {"df": int(means.n[g]) - 1 if is_mean else None, "basis": basis, "place": g * len(columns) + place}
            own = head(name if names else None, k)
            error = None if variance is None else square_root(variance)
            rows.append(Estimate(own.pop("name"), means.value[g, k], error, int(means.n[g]), **own, **more))
    return rows


def design_rows(
    scores: Scores,
    group: Ints,
    names: Sequence[str],
    sample: tuple[Sampled, Ints],
    columns: tuple[int, ...],
    estimand: str,
    head: Head,
    part: Ints | None = None,
) -> list[Estimate]:
    """Return the estimates of a complex survey.

    Args:
        scores, group, names, columns, estimand, head, part: as for ``simple_rows``.
        sample: the sampling design of the rows, and their numbers of respondents with a positive weight.
    """
    sampled, positive = sample
    domains = Domains(sampled, positive, group, scores.at >= 0, list(names) or ["all"], part)
    basis, rows = DesignBasis(domains, scores, columns, estimand), []
    for g, name in enumerate(names or [None]):
        for place, k in enumerate(columns):
            found, freedom = basis.moments(k), int(domains.freedom[g])
            error = sqrt(max(found.variance[g], 0.0)) if freedom > 0 or estimand == "proportion" else None
            effect = float(basis.design_effects(k)[g]) if estimand == "proportion" else float("nan")
            more: dict[str, Any] = {"device_se": sqrt(max(found.device[g], 0.0)), "df": freedom}
            more |= {"weight": float(domains.weight[g]), "deff": None if effect != effect else effect}
            own = head(name, k) | {"basis": basis, "place": g * len(columns) + place}
            rows.append(Estimate(own.pop("name"), float(found.value[g]), error, int(domains.n[g]), **own, **more))
    return rows
