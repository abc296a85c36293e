"""The rows of a result from scores: of a simple random sample, and of a complex survey; the columns vary fastest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any, TypeAlias

import numpy as np

from rropt.answers.data_columns import Ints
from rropt.answers.scores import Scores
from rropt.core.exact.numbers import square_root
from rropt.estimates.estimate_bases import DesignBasis, GroupsBasis
from rropt.estimates.estimated import NOISE, Estimate
from rropt.inference.linearization import Floats, Sampled
from rropt.inference.sample_domains import Domains
from rropt.inference.simple_means import category_covariance, simple_means
from rropt.inference.subset_estimates import GivenSets, set_covariance, set_means

Head: TypeAlias = Callable[[str | None, int], dict[str, Any]]
"""A function of a group (None: everybody) and a column that returns name, question, category and group of a row."""


def cell_names(categories: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of the categories of a question, or of the cells of several; the first question varies fastest.

    >>> cell_names([["no", "yes"], ["a", "b"]])
    ['no, a', 'yes, a', 'no, b', 'yes, b']
    """
    found = [""]
    for names in categories:
        found = [", ".join(filter(None, (before, name))) for name in names for before in found]
    return found


def share_head(question: str, names: Sequence[str], columns: Sequence[int], *, are_several: bool) -> Head:
    """Return the function that names the proportions of a question, or of a table.

    Args:
        question: the question, or the questions of the table.
        names: the names of the categories, or cells.
        columns: the columns that are estimated.
        are_several: whether the result has other questions or tables too.
    """

    def head(group: str | None, column: int) -> dict[str, Any]:
        category = names[column]
        parts = group, question if are_several else None, category if len(columns) > 1 else None
        name = ": ".join(part for part in parts if part) or category
        return {"name": name, "question": question, "category": category, "group": group}

    return head


@dataclass(frozen=True)
class GroupedRespondents:
    """The respondents in groups, with their sampling design: equal respondents are one kind.

    Attributes:
        group: the group of each kind; negative for none.
        names: the names of the groups; empty without groups.
        n: the number of respondents of each kind.
        sampled: the sampling design of the kinds; ``None`` for a simple random sample.
        positive: the number of respondents of each kind with a positive weight.
    """

    group: Ints
    names: tuple[str, ...]
    n: Ints
    sampled: Sampled | None = None
    positive: Ints | None = None

    def answering(self, is_given: Any) -> GroupedRespondents:
        """Return the respondents in the groups in which somebody responded; others have no estimate."""
        met = np.unique(self.group[(self.group >= 0) & is_given])
        places = np.full(int(self.group.max(initial=0)) + 1, -1)
        places[met] = np.arange(len(met))
        number = np.where(self.group >= 0, places[np.maximum(self.group, 0)], -1)
        return replace(self, group=number, names=tuple(self.names[g] for g in met) if self.names else ())

    @property
    def together(self) -> GroupedRespondents:
        """All groups as one."""
        return replace(self, group=np.minimum(self.group, 0), names=())

    @property
    def weight(self) -> Floats:
        """The weight of each kind."""
        return self.n.astype(np.float64) if self.sampled is None else self.sampled.weight

    @property
    def weighted(self) -> Ints:
        """The number of respondents of each kind with a positive weight; without weights all."""
        return self.n if self.positive is None else self.positive

    def estimates(
        self, scores: Scores, columns: tuple[int, ...], estimand: str, head: Head, part: Ints | None = None
    ) -> list[Estimate]:
        """Return the estimates of the scores in each group.

        Args:
            scores: the scores.
            columns: the columns that are estimated.
            estimand: ``proportion``, ``mean`` or ``contrast``.
            head: what distinguishes an estimate from the others.
            part: the part of its group, such as the device, of each kind; ``None`` for one part.
        """
        if self.sampled is None:
            return self._simple(scores, columns, estimand, head, part)
        names = list(self.names) or ["all"]
        domains = Domains(self.sampled, self.weighted, self.group, scores.at >= 0, names, part)
        basis, rows = DesignBasis(domains, scores, columns, estimand), []
        for g, name in enumerate(self.names or (None,)):
            for place, k in enumerate(columns):
                found, freedom = basis.moments(k), int(domains.freedom[g])
                error: float | None = sqrt(max(found.variance[g], 0.0))
                if freedom <= 0 and (estimand != "proportion" or (error or 0.0) <= NOISE):
                    error = None  # the residuals of a single cluster add up to 0, which measures nothing
                effect = float(basis.design_effects(k)[g]) if estimand == "proportion" else float("nan")
                more: dict[str, Any] = {"device_se": sqrt(max(found.device[g], 0.0)), "df": freedom}
                more |= {"weight": float(domains.weight[g]), "deff": None if effect != effect else effect}
                if found.shrunk[g] != found.variance[g]:
                    more["shrunk_se"] = sqrt(max(found.shrunk[g], 0.0))
                own = head(name, k) | {"basis": basis, "place": g * len(columns) + place}
                rows.append(Estimate(own.pop("name"), float(found.value[g]), error, int(domains.n[g]), **own, **more))
        return rows

    def _simple(
        self, scores: Scores, columns: tuple[int, ...], estimand: str, head: Head, part: Ints | None
    ) -> list[Estimate]:
        """Return the estimates of a simple random sample, exactly."""
        is_mean, groups = estimand == "mean", self.names or ("all",)
        means = simple_means(scores, self.group, len(groups), self.n, part, is_unbiased=is_mean)
        covariances = partial(category_covariance, scores, self.group, self.n)
        reach = float(scores.high.max() - scores.low.min())
        return self._exact(GroupsBasis(means, covariances, groups, columns, estimand, scores.limits, reach), head)

    def set_estimates(
        self, given: GivenSets, columns: tuple[int, ...], head: Head, reference: Sequence[object] | None = None
    ) -> list[Estimate]:
        """Return the proportions of the categories from responses that are sets of them, exactly.

        Args:
            given: the responses.
            columns: the categories that are estimated.
            head: what distinguishes an estimate from the others.
            reference: the distribution at which the estimates have least variance; ``None`` for the uniform one.
        """
        groups = self.names or ("all",)
        means = set_means(given, self.group, len(groups), self.n, reference)
        covariances = partial(set_covariance, given, reference, self.group, self.n)
        return self._exact(GroupsBasis(means, covariances, groups, columns, "proportion"), head)

    def _exact(self, basis: GroupsBasis, head: Head) -> list[Estimate]:
        """Return the rows of a simple random sample; estimates with equal variances share their standard error."""
        means, is_mean, rows = basis.means, basis.estimand == "mean", []
        errors: dict[int, float | None] = {}
        sizes, columns = means.n.tolist(), basis.columns
        devices = {k: np.sqrt(np.maximum(means.device[:, k], 0.0)).tolist() for k in columns}
        for g, name in enumerate(self.names or (None,)):
            for place, k in enumerate(columns):
                variance = means.variance[g, k]
                if id(variance) not in errors:
                    errors[id(variance)] = None if variance is None else square_root(variance)
                own = head(name, k)
                own |= {"basis": basis, "place": g * len(columns) + place, "device_se": devices[k][g]}
                own["df"] = sizes[g] - 1 if is_mean else None
                numbers = means.value[g, k], errors[id(variance)], sizes[g]
                rows.append(Estimate(own.pop("name"), *numbers, **own))
        return rows

    def estimates_with_overall(
        self, scores: Scores, columns: tuple[int, ...], estimand: str, head: Head
    ) -> tuple[list[Estimate], tuple[Estimate, ...]]:
        """Return ``estimates`` of each group, and those of all groups together; without groups none."""
        own = self.estimates(scores, columns, estimand, head)
        return own, tuple(self.together.estimates(scores, columns, estimand, head)) if self.names else ()

    def with_overall(
        self, made: Callable[[GroupedRespondents], list[Estimate]]
    ) -> tuple[list[Estimate], tuple[Estimate, ...]]:
        """Return other estimates of each group, and those of all groups together; without groups none.

        Args:
            made: a function that returns the estimates of respondents.
        """
        return made(self), tuple(made(self.together)) if self.names else ()
