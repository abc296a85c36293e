"""``Sample``: the rows of a survey and how they were sampled, as ``svydesign`` in R's ``survey``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.data_columns import (
    Floats,
    Ints,
    Labels,
    column,
    joined_labels,
    names_of_columns,
    numbered,
    numbers_of,
    require_rows,
)
from rropt.answers.replicate_weights import Replicates
from rropt.core.argument_checks import clear_calls
from rropt.core.errors import InvalidParameterError, one_of, required, shown
from rropt.core.exact import rational_where
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun

SINGLE_PSU_RULES = ("refuse", "certainty", "average", "adjust")
_ROLES = ("weights", "strata", "clusters", "fpc", "post_strata")


class Sample(EqualByArrays):
    """Data with the sampling design that gave them: weights, strata, clusters, populations, or replicate weights.

    A sample takes the place of a frame: ``Responses("sick", "warner:3/4", data=sample)``. Every estimate from it, and
    every difference and regression, then has the variance of the design.

    Args:
        data: a frame of any library, a dictionary of arrays, or what ``rropt_fieldwork.read`` returns; ``None`` if
            columns are given as arrays. Rows that a reading does not select (``where``) stay in the sample, outside of
            the domain.
        weights: the sampling weights: a column, which is a name in the data or an array. Without it the weights are the
            inverse of the sampled fractions, if finite populations are given, else 1.
        strata: the column of the strata, or a list of columns whose combinations are the strata.
        clusters: the column of the clusters, or a list of columns. A label in several strata names different clusters.
        fpc: the finite population of each stratum, as a column or a number: its number of clusters (or rows), or the
            sampled fraction. A pair adds that of the rows within each cluster.
        post_strata: the column, or columns, of the cells to whose totals the weights were adjusted.
        single_psu: the variance contribution of a stratum with a single cluster: ``"refuse"`` (an error),
            ``"certainty"`` (that of the device), ``"average"`` (the mean of the other strata) or ``"adjust"`` (the
            squared distance from 0), as R's option ``survey.lonely.psu``.
        replicates: replicate weights, beside ``weights`` alone.

    Raises:
        InvalidParameterError: a column does not exist, does not fit the others, or has invalid values.

    >>> import numpy
    >>> sample = Sample(weights=[1.5, 2, 1, 1], strata=["n", "n", "s", "s"])
    >>> sample, sample.degf
    (<Sample of 4 rows: weights, 2 strata>, 2)
    """

    @clear_calls
    def __init__(
        self,
        data: Any = None,
        *,
        weights: Any = None,
        strata: Any = None,
        clusters: Any = None,
        fpc: Any = None,
        post_strata: Any = None,
        single_psu: str = "refuse",
        replicates: Replicates | None = None,
    ) -> None:
        self.domain: Any = None  # which rows are selected; ``None`` for all
        if hasattr(type(data), "with_domain"):
            data, self.domain = data.with_domain()
        self.data = data
        self.single_psu = one_of(single_psu, SINGLE_PSU_RULES, "`single_psu`")
        given = (weights, strata, clusters, fpc, post_strata)
        self.columns = {
            role: one for role, value in zip(_ROLES, given, strict=True) if (one := _named(data, value)) is not None
        }
        self.replicates = (
            None if replicates is None else required(replicates, Replicates, "`replicates`", "Replicates(...)")
        )
        if replicates is not None and (weights is None or any(role != "weights" for role in self.columns)):
            raise InvalidParameterError(
                "replicate weights stand beside `weights` alone, since they contain the design: received "
                f"{', '.join(self.columns) or 'none'}; give `weights`, and leave out the other columns"
            )
        self._labels = {
            role: self._label(role, value)
            for role, value in (("strata", strata), ("clusters", clusters), ("post_strata", post_strata))
            if value is not None
        }
        self._weight = None if weights is None else numbers_of(column(data, weights, "weights"), "weights")
        self._fpc = [self._population(one, place) for place, one in enumerate(_pair(fpc))]
        if len(self._fpc) == 2 and clusters is None:
            raise InvalidParameterError("a second finite population is that of each cluster: give `clusters`")
        self.replicate_weights: Floats | None = None
        if replicates is not None:
            own = (numbers_of(column(data, one, "replicates"), "replicates") for one in replicates.columns)
            self.replicate_weights = np.stack(list(own), axis=1)
        lengths = {role: len(one.numbers) for role, one in self._labels.items()}
        lengths |= {} if self._weight is None else {"weights": len(self._weight)}
        populations = [one for one in self._fpc if not isinstance(one, Fraction)]
        lengths |= {f"fpc {place + 1}": len(one) for place, one in enumerate(populations)}
        lengths |= {} if self.replicate_weights is None else {"replicates": len(self.replicate_weights)}
        lengths |= {} if self.domain is None or not lengths else {"data": len(self.domain)}
        if not lengths:
            raise InvalidParameterError(
                "a sample has no column: received none of weights, strata, clusters, fpc as a column, post_strata and "
                "replicates; a simple random sample needs no `Sample`, and its data are given directly"
            )
        self.rows = require_rows(lengths)
        if self._weight is not None and not self._weight.any():
            raise InvalidParameterError("the weights are all 0: received no positive weight; give each respondent one")

    def _label(self, role: str, value: Any) -> Labels:
        are_names = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        parts = list(value) if are_names and self.data is not None else [value]  # else texts are the column itself
        found = joined_labels([Labels(column(self.data, one, role)) for one in parts])
        if missing := int((found.numbers < 0).sum()):
            row = int(np.argmax(found.numbers < 0))
            raise InvalidParameterError(
                f"`{role}` misses {with_noun(missing, 'value')}: received none in row {row}; give each row one"
            )
        return found

    def _population(self, given: Any, place: int) -> Fraction | Floats:
        if isinstance(given, int | float | Fraction) and not isinstance(given, bool):
            return rational_where(given, lambda x: x > 0, "above 0", name="fpc")
        return numbers_of(column(self.data, given, "fpc"), "fpc", what="finite population")

    def __getitem__(self, name: Any) -> Any:
        return column(self.data, name, "column")

    @property
    def column_names(self) -> list[Any]:
        """The names of the columns of the data."""
        return [] if self.data is None else list(names_of_columns(self.data))

    @property
    def weight(self) -> Floats:
        """The weight of each row; 1 without weights."""
        return np.ones(self.rows) if self._weight is None else self._weight

    @property
    def is_weighted(self) -> bool:
        """Whether a column of weights is given."""
        return self._weight is not None

    @cached_property
    def stratum(self) -> Ints:
        """The number of each row's stratum."""
        return self._labels["strata"].numbers if "strata" in self._labels else np.zeros(self.rows, np.int64)

    @cached_property
    def cluster(self) -> Ints | None:
        """The number of each row's cluster, over all strata; ``None`` if each row is a cluster."""
        if "clusters" not in self._labels:
            return None
        return numbered(self.stratum, self._labels["clusters"].numbers)[1]

    @property
    def post(self) -> Ints | None:
        """The number of each row's cell of post-stratification."""
        return self._labels["post_strata"].numbers if "post_strata" in self._labels else None

    @cached_property
    def unit(self) -> Ints:
        """The number of each row's place in the design: rows with equal places need not be told apart."""
        if self.replicates is not None:  # whose degrees of freedom are the rank of all rows
            return np.arange(self.rows)
        own = self.stratum if self.cluster is None else self.cluster  # whose numbers are over all strata
        return own if self.post is None else numbered(own, self.post)[1]

    def stratum_name(self, number: int) -> str:
        """Return the name of a stratum, for messages."""
        return shown(self._labels["strata"].texts[number]) if "strata" in self._labels else "the sample"

    def fractions(self, stage: int, parent: Ints, units: Floats) -> Floats:
        """Return the sampled fraction of each stratum (stage 0) or of each cluster (stage 1); 0 without a population.

        Args:
            stage: 0 or 1.
            parent: the number of each row's stratum, or cluster.
            units: the number of sampled clusters (or rows) of each.

        Raises:
            InvalidParameterError: a finite population differs within its stratum, mixes counts with fractions, or is
                smaller than the sample.
        """
        if stage >= len(self._fpc):
            return np.zeros(len(units))
        given, of = self._fpc[stage], ("stratum", "cluster")[stage]
        if isinstance(given, Fraction):
            if given > 1 and len(units) > 1:
                raise InvalidParameterError(
                    f"one count is no population of several {'clusters' if stage else 'strata'}: received {given} for "
                    f"{len(units)}; give a column with the count of each, or a rate"
                )
            low = high = np.full(len(units), float(given))
        else:
            low, high = np.full(len(units), np.inf), np.full(len(units), -np.inf)
            np.minimum.at(low, parent, given)
            np.maximum.at(high, parent, given)
        if (low != high).any():
            unit = int(np.argmax(low != high))
            raise InvalidParameterError(
                f"the finite population is not the same in all rows of a {of}: received {low[unit]:g} and "
                f"{high[unit]:g} in {self._place(stage, parent, unit)}; give each row the value of its {of}"
            )
        if (low <= 1).all():
            if (low <= 0).any():
                raise InvalidParameterError("a sampled fraction is 0: received fpc 0; allowed are numbers above 0")
            return low
        if (low < 1).any():
            raise InvalidParameterError(
                f"the finite populations are counts and rates at once: received {low[low < 1][0]:g} and "
                f"{low[low > 1][0]:g}; allowed are all counts (at least 1), or all rates (at most 1)"
            )
        if (low < units).any():
            unit = int(np.argmax(units - low))
            raise InvalidParameterError(
                f"the finite population is smaller than the sample: received {low[unit]:g} for "
                f"{self._place(stage, parent, unit)}, of which "
                f"{with_noun(int(units[unit]), 'unit is', 'units are')} in the data; give the number of units of the "
                f"whole {of}"
            )
        return np.asarray(units / low)

    def _place(self, stage: int, parent: Ints, unit: int) -> str:
        row = int(np.argmax(parent == unit))
        stratum = "the sample"
        if "strata" in self._labels:
            stratum = f"stratum {self.stratum_name(int(self.stratum[row]))}"
        if not stage:
            return stratum
        clusters = self._labels["clusters"]
        return f"cluster {shown(clusters.texts[clusters.numbers[row]])} of {stratum}"

    @property
    def has_shared_labels(self) -> bool:
        """Whether a label of clusters occurs in several strata, and names a different cluster in each."""
        return self.cluster is not None and int(self.cluster.max()) + 1 > len(self._labels["clusters"].texts)

    @property
    def stages(self) -> int:
        """The number of stages with finite populations."""
        return len(self._fpc)

    @property
    def degf(self) -> int:
        """The degrees of freedom of the whole sample: the number of clusters minus the number of strata."""
        own = self.weight > 0
        clusters = int(own.sum()) if self.cluster is None else len(np.unique(self.cluster[own]))
        return clusters - len(np.unique(self.stratum[own]))

    def in_words(self) -> str:
        """Return the design in words: its columns, and the numbers of strata and clusters."""
        told = [_told("weights", self.columns.get("weights"))] if self.is_weighted else []
        if "strata" in self._labels:
            told.append(_counted(len(self._labels["strata"].texts), "stratum", "strata", self.columns["strata"]))
        if self.cluster is not None:
            told.append(_counted(int(self.cluster.max()) + 1, "cluster", "clusters", self.columns["clusters"]))
        if self._fpc:
            told.append("finite population" + " in two stages" * (self.stages > 1))
        if self.post is not None:
            told.append(_told("post-strata", self.columns["post_strata"]))
        if self.replicates is not None:
            told.append(str(self.replicates))
        if self.single_psu != "refuse":
            told.append(f"single_psu {self.single_psu}")
        return ", ".join(told)

    def _values(self) -> tuple[Any, ...]:
        labels = {role: one.numbers for role, one in self._labels.items()}
        numbers = (self._weight, tuple(self._fpc), self.replicate_weights, self.domain)
        return self.rows, self.single_psu, self.columns, labels, *numbers

    def __repr__(self) -> str:
        return f"<Sample of {with_noun(self.rows, 'row')}: {self.in_words()}>"


def with_design(data: Any) -> Any:
    """Return data as a ``Sample`` if they state their sampling design (``as_sample``); else as they are."""
    return data.as_sample() if hasattr(type(data), "as_sample") else data


def _pair(fpc: Any) -> Sequence[Any]:
    """Return the finite populations of one stage or of two."""
    if fpc is None:
        return ()
    if isinstance(fpc, tuple) and len(fpc) <= 2:
        return fpc
    return (fpc,)


def _named(data: Any, value: Any) -> str | None:
    """Return the name of a column, or of several; empty for arrays; ``None`` for none."""
    if value is None:
        return None
    if isinstance(value, str):
        return value
    is_list = isinstance(value, list | tuple) and bool(value)
    if data is not None and is_list and all(isinstance(one, str) for one in value):
        return ", ".join(value[:3])
    return ""


def _told(what: str, name: str | None) -> str:
    return f"{what} {shown(name)}" if name else what


def _counted(n: int, one: str, several: str, name: str) -> str:
    return with_noun(n, one, several) + (f" ({shown(name)})" if name else "")
