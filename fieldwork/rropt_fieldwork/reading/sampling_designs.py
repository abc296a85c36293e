"""The sampling design of a table: read from the columns of a complex survey, and described with its estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.answers.data_columns import Floats, Ints, numbered, sums_by_index
from rropt.answers.sample_descriptions import SamplingDesign
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import label_form, text_of
from rropt.core.visible import with_noun
from rropt.inference import ReplicatedRows, Sampled
from rropt_fieldwork.reading.counting import SampleColumns
from rropt_fieldwork.reading.kinds import Texts, require_no_errors
from rropt_fieldwork.reading.sources import LARGEST, LEAST, Source, header_hint


@dataclass(frozen=True, slots=True)
class SampledRows:
    """The sampling design of the rows of a table: an entry of the arrays is a respondent, or several equal ones.

    Attributes:
        source, sample: the table, and the columns of its sampling design.
        columns: the arrays ``n``, ``weight`` and ``square`` (the sums of w and w^2), the least and the largest finite
            population (``low_f0``, ``high_f0``), the numbers from 0 of the texts of each label, and ``bad_w`` for
            numbers that are not valid.
        texts: the texts of the labels.
    """

    source: Source
    sample: SampleColumns
    columns: Mapping[str, Any]
    texts: Mapping[str, Texts]

    def require_valid(self) -> None:
        """Raise an error for empty labels and invalid numbers that reports their lines."""
        for name, column in self.sample.labels.items():
            if not all(map(text_of, self.texts[name])):
                what = {"s": "stratum", "c": "cluster"}.get(name, "cell of post-stratification")
                lines = self.source.rows_where(column, lambda value: not text_of(value), self.texts[name])
                self._refuse(lines, "name", f"no {what} in {shown(column)}", "give each row one")
            require_no_errors(self.source, column, self.texts[name].list)
        if wrong := [name for name in self.sample.numbers if self.columns[f"bad_{name}"].any()]:
            column = self.sample.numbers[wrong[0]]
            what = {"w": "weight", "r": "replicate weight"}.get(wrong[0][0], "finite population")
            rows = self.source.rows_of_no_number(column)
            self._refuse(
                rows,
                "contain",
                f"no valid {what} in {shown(column)}",
                f"allowed are 0 and numbers from {LEAST:g} to {LARGEST:g} {self.source.marks}; a respondent who was "
                "not drawn has no row" + header_hint(self.source, rows, len(rows)),
            )

    def _refuse(self, lines: Sequence[int], verb: str, what: str, advice: str) -> None:
        raise FileFormatError(
            f"{self.source.where(lines)} of the data {verb}{'s' * (len(lines) == 1)} {what}: {advice}"
        )


def sampled_of(rows: SampledRows) -> tuple[Sampled, SamplingDesign]:
    """Return the sample of some rows, and its description.

    Without a column of weights, the rows have the inverse sampled fractions, if there are finite populations.
    """
    rows.require_valid()
    sample, columns = rows.sample, rows.columns
    if sample.replicates is not None:
        return _replicated(rows)
    n, weight, square = (columns[name].astype(np.float64) for name in ("n", "weight", "square"))
    stratum = columns.get("s", np.zeros(len(n), np.int64))
    rows_of = units = sums_by_index(stratum, n, int(stratum.max()) + 1)
    cluster, strata, within, post, shared = None, None, None, None, False
    if sample.clusters is not None:  # clusters are within strata
        cluster = numbered(stratum, columns["c"])[1] if sample.strata is not None else columns["c"]
        strata = np.zeros(int(cluster.max()) + 1, np.int64)
        strata[cluster] = stratum
        shared = int(columns["c"].max()) + 1 < len(strata)
        rows_of, units = sums_by_index(cluster, n, len(strata)), sums_by_index(strata, np.ones(len(strata)), len(units))
    fractions = _fractions(rows, 0, stratum, units) if sample.fpc else np.zeros(len(units))
    if cluster is not None and len(sample.fpc) == 2:
        within = rows_of, _fractions(rows, 1, cluster, rows_of)
    if sample.post_strata:
        post = numbered(*(columns[f"t{i}"] for i in range(len(sample.post_strata))))[1]
    drawn = Sampled(weight, square, stratum, cluster, post, units, fractions, strata, within, sample.single_psu)
    _require_spread(rows, drawn)
    weighted = "equal" if sample.weights is None else "column"
    if sample.weights is None and fractions.all() and (within is None or within[1].all()):
        weighted, each = "populations", (1 / fractions)[stratum]
        if within is not None:
            each = each / within[1][cluster]
        drawn = replace(drawn, weight=weight * each, square=square * each**2)
    return drawn, SamplingDesign(
        weighted,
        len(units),
        None if strata is None else len(strata),
        (float(fractions.min()), float(fractions.max())) if sample.fpc else None,
        within is not None,
        sample.single_psu,
        int(drawn.alone.sum()),
        0 if post is None else int(post.max()) + 1,
        shared,
        sample.weights,
    )


def _replicated(rows: SampledRows) -> tuple[Sampled, SamplingDesign]:
    """Return the sample of rows with replicate weights, and its description."""
    asked, columns = rows.sample.replicates, rows.columns
    n, weight, square = (columns[name].astype(np.float64) for name in ("n", "weight", "square"))
    given = np.stack([n * columns[f"r{i}"] for i in range(len(asked.columns))], axis=1)
    replicates = ReplicatedRows(given, asked.factors(given, weight), asked.center == "mean")
    none = np.zeros(len(n), np.int64)
    drawn = Sampled(weight, square, none, None, None, np.array([n.sum()]), np.zeros(1), replicates=replicates)
    design = SamplingDesign("column", 1, None, None, False, "refuse", 0, 0, False, rows.sample.weights, str(asked))
    return drawn, design


def _fractions(rows: SampledRows, stage: int, parent: Ints, units: Floats) -> Floats:
    """Return the sampled fraction of the finite population of each stratum (or of each cluster)."""
    given = rows.sample.fpc[stage]
    if isinstance(given, Fraction):
        low = high = np.full(len(units), float(given))
        if given > 1 and len(units) > 1:
            raise InvalidParameterError(
                f"one count is no population of several {'clusters' if stage else 'strata'}: received "
                f"{given} for {len(units)}; give a column with the count of each, or a rate"
            )
    else:
        low, high = np.full(len(units), np.inf), np.full(len(units), -np.inf)
        np.minimum.at(low, parent, rows.columns[f"low_f{stage}"])
        np.maximum.at(high, parent, rows.columns[f"high_f{stage}"])
    of = "cluster" if stage else "stratum"
    if (low != high).any():
        unit = int(np.argmax(low != high))
        name, lines = _place(rows, stage, parent, unit, differing=True)
        raise FileFormatError(
            f"the finite population is not the same in all rows of {name}: received {low[unit]:g} and {high[unit]:g} "
            f"in {lines} of the data; {_several((low != high).sum(), len(units), of)}give each row the value of "
            f"its {of}"
        )
    if (low <= 1).all():
        return low
    if (low < 1).any():
        (one, at), (other, there) = (_place(rows, stage, parent, int(np.argmax(is_so))) for is_so in (low < 1, low > 1))
        raise FileFormatError(
            f"the finite populations are counts and rates at once: received {low[low < 1][0]:g} in {one} ({at} of the "
            f"data) and {low[low > 1][0]:g} in {other} ({there}); allowed are all counts (at least 1), or all rates "
            "(at most 1)"
        )
    if (low < units).any():
        worst = int(np.argmax(units - low))
        what = "row" if stage or rows.sample.clusters is None else "cluster"
        name, line = _place(rows, stage, parent, worst)
        raise FileFormatError(
            f"the finite population is smaller than the sample: received {low[worst]:g} for {name} ({line} of the "
            f"data), of which {with_noun(int(units[worst]), f'{what} is', f'{what}s are')} in the data; "
            f"{_several((low < units).sum(), len(units), of)}give the number of {what}s of the whole {of}"
        )
    fractions: Floats = units / low
    return fractions


def _several(wrong: int, units: int, of: str) -> str:
    """Return how many strata or clusters a message is about, if it names one of several."""
    listed = {"cluster": "clusters", "stratum": "strata"}[of]
    return "" if wrong == 1 else f"this is so in {wrong} of {units} {listed}; "


def _place(rows: SampledRows, stage: int, parent: Ints, unit: int, *, differing: bool = False) -> tuple[str, str]:
    """Return the name of a stratum (or of a cluster), and the line of its first row.

    Args:
        rows: the sample.
        stage: 0 for strata, 1 for clusters.
        parent: the number of the stratum or cluster of each entry.
        unit: the number of one.
        differing: whether to add the line of the first row with another finite population.
    """
    sample, entry = rows.sample, int(np.argmax(parent == unit))
    asked = {"s": sample.strata, **({"c": sample.clusters} if stage else {})}
    columns = {key: column for key, column in asked.items() if column is not None}
    texts = {key: rows.texts[key].list[rows.columns[key][entry]] for key in columns}
    labels = [label_form(text) for text in texts.values()]
    given = sample.fpc[stage]
    first: list[object] = []

    def is_meant(value: object, *values: object) -> bool:
        """Return whether a row is of the unit, and its finite population another one than before."""
        is_new = [label_form(text_of(one)) for one in values] == labels and value not in first
        if is_new:
            first.append(value)
        return is_new

    listed = [given] if isinstance(given, str) else [*columns.values()][:1]
    if not listed:
        return "the sample", "all rows"
    found = rows.source.rows_with([*listed, *columns.values()], is_meant)
    stratum = f"stratum {shown(texts['s'])}" if "s" in texts else "the sample"
    name = f"cluster {shown(texts['c'])}" + (f" of {stratum}" if "s" in texts else "") if stage else stratum
    return name, rows.source.where(found[: 2 if differing else 1])


def _require_spread(rows: SampledRows, drawn: Sampled) -> None:
    """Raise an error for strata or clusters with a single sampling unit, whose variance cannot be estimated."""
    if drawn.within is not None:
        n, f = drawn.within
        second = replace(drawn, units=n, fractions=f)
        if second.alone.any() and drawn.single_psu in ("refuse", "average"):
            raise InvalidParameterError(
                f"{second.alone.sum()} of {len(n)} clusters have one respondent of several: the variance between "
                "respondents cannot be estimated there; leave the second finite population out, or choose "
                "`single_psu=certainty` or adjust"
            )
    alone = np.flatnonzero(drawn.alone)
    if drawn.single_psu == "average" and len(alone) == len(drawn.units):
        raise InvalidParameterError(
            f"no stratum has two clusters: received {len(alone)} with one each, of which there is no average; allowed "
            "are certainty and adjust"
        )
    if not len(alone) or drawn.single_psu != "refuse":
        return
    lines = [1]
    if rows.sample.strata is not None:
        left = {label_form(rows.texts["s"].list[number]) for number in alone}

        def is_first(value: object) -> bool:
            text = label_form(text_of(value))
            found = text in left
            left.discard(text)
            return found

        lines = rows.source.rows_where(rows.sample.strata, is_first)
    what = "row" if rows.sample.clusters is None else "cluster"
    raise InvalidParameterError(
        f"{len(alone)} of {len(drawn.units)} strata have one {what}, which begin in {rows.source.where(lines)}: "
        "their variance cannot be estimated; merge each with a similar stratum, or choose `single_psu=certainty` (the "
        f"{what} is the whole stratum), average (the mean of the other strata) or adjust (the squared distance from "
        "the overall mean, which is conservative)"
    )
