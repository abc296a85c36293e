"""Counts of a complex survey: weighted counts for each stratum and primary sampling unit (PSU), which can be added.

``count`` returns them if weights, strata or clusters are given. Respondent i has weight w_i. The indicators b_i of the
response show which categories it contains (memberships) or which output it is (outputs). A *cell* is a PSU of a
stratum, or a whole stratum if each respondent is a PSU. A cell contains

* n, W = sum w and C = sum w b, with the weights in millionths, so that sums are exact;
* Q = sum w^2 and S = sum w^2 b in floating point. They give the variance of the device, and the sampling variance if
  each respondent is a PSU.

The debiased indicators are ``z = A b``, where A is the left inverse; for memberships, ``z = (b - m)/(p - m)``. They are
linear in b. The entries of b are 0 or 1. Either exactly one of them is 1 (outputs), or each z_x depends on b_x only
(memberships). Therefore the cell determines the sums of w z and of w^2 z^2. These sums determine Hajek's estimate and
its linearized variance (``populations.complex``):

    p = sum w z / W,    U_c = sum_c w (z - p) / W,    V = sum_h n_h/(n_h - 1) sum_c (U_c - mean U)^2.

V includes the sampling variance and the variance of the device. Intervals use Student's t at the level alpha/k. Their
degrees of freedom are the number of PSUs minus the number of strata. Their joint confidence is approximate, as in every
complex survey.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.limits import MAX_ANSWERS
from rropt.core.renamed import renamed_arguments
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families import as_memberships
from rropt.mechanisms.families.identity import hash_of
from rropt.survey.aggregates.shards import is_shard, shard_name, whole_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

SURVEY_FORMAT = "rropt-counts/2"
UNIT = 10**6  # weights are integer multiples of 1/UNIT
_MOST_WEIGHT = 10**6
_MOST_NUMBERS = 5_000_000  # limit for the numbers of all cells together
_LISTED = 20  # number of categories in the summary
_FINE = 1 << 40  # steps into which squared weights are rounded before they are converted to memberships

SINGLE_PSU_RULES = ("refuse", "certainty", "average", "adjust")


@dataclass(frozen=True, slots=True)
class SurveyCell:
    """The counts of one PSU, or of a whole stratum if each respondent is a PSU.

    Attributes:
        stratum: the name of the stratum; empty without strata.
        psu: the name of the PSU; empty if respondents are the PSUs.
        n: the number of responses.
        weight: the sum of the weights, in millionths.
        counts: weighted counts, in millionths.
        square: the sum of the squared weights.
        squares: the sums of squared weights, in the order of ``counts``.
    """

    stratum: str
    psu: str
    n: int
    weight: int
    counts: tuple[int, ...]
    square: float
    squares: tuple[float, ...]

    def __add__(self, other: SurveyCell) -> SurveyCell:
        return SurveyCell(
            self.stratum,
            self.psu,
            self.n + other.n,
            self.weight + other.weight,
            tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)),
            self.square + other.square,
            tuple(a + b for a, b in zip(self.squares, other.squares, strict=True)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the cell as a dictionary for files."""
        return {
            "stratum": self.stratum,
            "psu": self.psu,
            "n": self.n,
            "weight": self.weight,
            "counts": list(self.counts),
            "square": self.square,
            "squares": list(self.squares),
        }


@dataclass(frozen=True, slots=True)
class SurveyCounts(Result):
    """Weighted counts of the responses of one mechanism, by stratum and primary sampling unit (PSU).

    Attributes:
        mechanism: the mechanism that produced the responses.
        counted: ``"memberships"`` or ``"outputs"``, as in ``AggregatedCounts``.
        clustered: whether the data have a column of PSUs; otherwise each respondent is a PSU.
        cells: the cells, sorted by stratum and PSU, without duplicates.
        shards: the identifiers of the parts, sorted, without duplicates.
    """

    mechanism: Mechanism
    counted: str
    clustered: bool
    cells: tuple[SurveyCell, ...]
    shards: tuple[str, ...]

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        n="responses",
        counted="counted",
        weight="sum of weights",
        strata="strata",
        units="primary sampling units",
        shards="parts",
        mechanism_hash="hash of the mechanism",
    )

    @property
    def mechanism_hash(self) -> str:
        """SHA-256 hash of the mechanism."""
        return hash_of(self.mechanism)

    @property
    def n(self) -> int:
        """The number of responses counted."""
        return sum(cell.n for cell in self.cells)

    @property
    def weight(self) -> Fraction:
        """The sum of the weights."""
        return Fraction(sum(cell.weight for cell in self.cells), UNIT)

    @property
    def strata(self) -> int:
        """The number of strata."""
        return len({cell.stratum for cell in self.cells})

    @property
    def units(self) -> int:
        """The number of PSUs."""
        return len(self.cells) if self.clustered else self.n

    def to_dict(self) -> dict[str, Any]:
        """Return the content of a file of counts."""
        return {
            "format": SURVEY_FORMAT,
            "mechanism": self.mechanism.to_dict(),
            "mechanism_hash": self.mechanism_hash,
            "n": self.n,
            "counted": self.counted,
            "clustered": self.clustered,
            "weight_unit": f"1/{UNIT}",
            "shards": list(self.shards),
            "cells": [cell.to_dict() for cell in self.cells],
        }

    @classmethod
    def from_dict(cls, data: Any) -> SurveyCounts:
        """Build counts from the dictionary that ``to_dict`` returned.

        Raises:
            FileFormatError: the format is unknown, the mechanism does not match the hash, or the counts are
                inconsistent.
        """
        keys = {"format", "mechanism", "mechanism_hash", "n", "counted", "clustered", "weight_unit", "shards", "cells"}
        beside = {"question", "decimals"}
        if not isinstance(data, dict) or data.get("format") != SURVEY_FORMAT or set(data) - beside != keys:
            raise FileFormatError(
                f"not a file of counts: received {shown(data)}; allowed is what `rropt count` wrote, format "
                f"{SURVEY_FORMAT}"
            )
        mechanism = Mechanism.from_dict(data["mechanism"])
        if hash_of(mechanism) != data["mechanism_hash"]:
            raise FileFormatError("the counts are of another mechanism: its hash is not that of the file; count anew")
        length = {"memberships": mechanism.inputs}.get(data["counted"]) if isinstance(data["counted"], str) else None
        if data["counted"] == "outputs":
            length = mechanism.outputs
        shards, clustered, cells = data["shards"], data["clustered"], data["cells"]
        good = isinstance(shards, list) and bool(shards) and all(map(is_shard, shards))
        if not good or sorted(set(shards)) != shards:
            raise FileFormatError(f"the shards are not a sorted list of different names: received {shown(shards)}")
        fits = length is not None and isinstance(clustered, bool) and isinstance(cells, list) and bool(cells)
        if not fits or data["weight_unit"] != f"1/{UNIT}":
            raise FileFormatError("the counts do not fit: received another kind of counts; count anew")
        assert length is not None
        made = tuple(_cell(cell, length, clustered) for cell in cells)
        names = [(cell.stratum, cell.psu) for cell in made]
        if sorted(set(names)) != names or sum(cell.n for cell in made) != whole_of(data["n"]):
            raise FileFormatError("the cells do not fit: strata and units are not ascending, each once, with n in all")
        return cls(mechanism, data["counted"], clustered, made, tuple(shards))

    def __repr__(self) -> str:
        return f"<SurveyCounts n={self.n} {self.counted} strata={self.strata} units={self.units}>"


def _cell(data: Any, length: int, clustered: bool) -> SurveyCell:
    """Parse and check a cell of a file."""
    keys = {"stratum", "psu", "n", "weight", "counts", "square", "squares"}
    if not isinstance(data, dict) or set(data) != keys:
        raise FileFormatError(f"a cell of the counts has other keys: received {shown(data)}; count anew")
    n, weight, counts = whole_of(data["n"]), whole_of(data["weight"], 30), data["counts"]
    counts = [whole_of(c, 30) for c in counts] if isinstance(counts, list) else []
    texts = all(isinstance(data[key], str) and data[key].isprintable() for key in ("stratum", "psu"))
    numbers = [n, weight, *counts]
    fits = texts and len(counts) == length and all(type(c) is int for c in numbers)
    if not fits or not 0 < n <= MAX_ANSWERS or not all(0 <= c <= weight for c in counts):
        raise FileFormatError(f"a cell of the counts does not fit: received {shown(data)}; count anew")
    if bool(data["psu"]) != clustered:
        raise FileFormatError("a cell of the counts does not fit: a unit has no name, or a stratum has one; count anew")
    try:
        square, squares = float(data["square"]), tuple(float(x) for x in data["squares"])
    except (TypeError, ValueError):
        square, squares = -1.0, ()
    if len(squares) != length or not all(isfinite(x) and x >= 0 for x in (square, *squares)):
        raise FileFormatError("a cell of the counts does not fit: its sums of squares are no numbers; count anew")
    return SurveyCell(data["stratum"], data["psu"], n, weight, tuple(counts), square, squares)


def merge_survey(counts: Sequence[SurveyCounts]) -> SurveyCounts:
    """Add counts of one mechanism; ``merge`` has already compared hashes and shards."""
    if len({each.clustered for each in counts}) > 1:
        raise InvalidParameterError(
            "the counts are of different designs: received parts with and without clusters; count all of them alike"
        )
    cells: dict[tuple[str, str], SurveyCell] = {}
    for each in counts:
        for cell in each.cells:
            key = cell.stratum, cell.psu
            cells[key] = cells[key] + cell if key in cells else cell
    _require_room(len(cells), len(next(iter(cells.values())).counts))
    shards = sorted(shard for each in counts for shard in each.shards)
    whole = tuple(cells[key] for key in sorted(cells))
    return SurveyCounts(counts[0].mechanism, counts[0].counted, counts[0].clustered, whole, tuple(shards))


def _require_room(cells: int, length: int) -> None:
    if cells * length > _MOST_NUMBERS:
        raise UnsupportedProblemError(
            f"the counts are too many: received {cells} strata and units with {length} numbers each; at most "
            f"{_MOST_NUMBERS} numbers are kept; name larger units, or fewer categories"
        )


@dataclass
class _Sums:
    """The running sums of one cell."""

    n: int = 0
    weight: int = 0
    square: float = 0.0
    counts: Any = None
    squares: Any = None
    parts: list[tuple[Any, Any]] = field(default_factory=list)  # numbers and weights of the blocks


def count_survey(
    data: str | os.PathLike[str],
    collector: Any,
    mechanism: Mechanism,
    columns: Mapping[str, str | None],
    shard: str | None,
    progress: Any,
) -> SurveyCounts:
    """Count a table with weights, strata or clusters.

    Args:
        data: the name of a CSV file with a header.
        collector: parses and counts the responses (``counts``).
        mechanism: the mechanism that produced the responses.
        columns: the names of the columns, under the keys ``column``, ``weights``, ``strata`` and ``clusters``.
        shard: the identifier of the part; None for digits of the hash of the data.
        progress: as in ``count``.
    """
    clustered, digest = columns["clusters"] is not None, hashlib.sha256()
    sums: dict[tuple[str, str], _Sums] = {}
    blocks = (
        collector.mechanism.blocks if collector.counted == "memberships" and hasattr(collector, "mechanism") else None
    )
    length = mechanism.inputs if collector.counted == "memberships" else len(collector.histogram)
    for table in table_parts(data, columns, digest, progress):
        part = collector.of_lines("".join(f"{text}\n" for text in table.responses).encode(), table.first)
        collector.add(part)  # checks the responses
        if len(part) != len(table.responses):
            raise FileFormatError(f"a response is missing: lines from {table.first} on; leave such rows out")
        keys = list(zip(table.strata, table.clusters, strict=True))
        for key in set(keys) - set(sums):
            sums[key] = _Sums()
        _require_room(len(sums), length)
        _add(sums, keys, part, table.weights, length, blocks is not None)
    if not sums:
        raise FileFormatError("the table contains no responses: received only a header; give a row for each respondent")
    cells = []
    for (stratum, psu), own in sorted(sums.items()):
        if blocks is not None:
            _decode(own, blocks)
        counts, squares = tuple(map(int, own.counts)), tuple(map(float, own.squares))
        cells.append(SurveyCell(stratum, psu, own.n, own.weight, counts, own.square, squares))
    name = shard_name(shard, digest)
    return SurveyCounts(mechanism, collector.counted, clustered, tuple(cells), (name,))


def _add(
    sums: dict[tuple[str, str], _Sums], keys: list[Any], part: Any, weights: Integers, length: int, is_block: bool
) -> None:
    """Add rows of the table to their cells."""
    import numpy as np

    numbers: dict[Any, int] = {}
    codes = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(keys))
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(numbers) + 1))
    for key, place in numbers.items():
        at = order[starts[place] : starts[place + 1]]
        own, w = sums[key], weights[at]
        w2 = (w / UNIT) ** 2
        own.n, own.weight, own.square = own.n + len(at), own.weight + int(w.sum()), own.square + float(w2.sum())
        if is_block:
            own.parts.append((part[at], w))
            continue
        if own.counts is None:
            own.counts = np.zeros(length, object)
            own.squares = np.zeros(length)
        rows = part[at]
        own.counts += _weighted(rows, w, length, np.int64).astype(object)
        own.squares += _weighted(rows, w2, length, np.float64)


def _weighted(rows: Any, w: Any, length: int, kind: Any) -> Any:
    """Return, for each category (or output), the sum of the weights of the rows that contain it."""
    import numpy as np

    found = np.zeros(length, kind)
    if rows.dtype == bool:
        found[:] = w @ rows.astype(kind)
    else:
        flat = rows.reshape(len(rows), -1)
        np.add.at(found, flat, np.broadcast_to(w[:, None], flat.shape))
    return found


def _decode(own: _Sums, blocks: Any) -> None:
    """Convert the weighted block numbers of a cell to weighted memberships."""
    import numpy as np

    numbers, weights = (np.concatenate(each) for each in zip(*own.parts, strict=True))
    histogram = np.zeros(blocks.count, np.int64)
    np.add.at(histogram, numbers, weights)
    own.counts = blocks.memberships(histogram)
    squares = np.zeros(blocks.count)
    np.add.at(squares, numbers, (weights / UNIT) ** 2)
    scale = _FINE / max(float(squares.sum()), 1e-300)
    own.squares = blocks.memberships(np.rint(squares * scale).astype(np.int64)) / scale


@dataclass(frozen=True)
class TablePart:
    """Rows of a table.

    Attributes:
        responses: the texts of the responses.
        weights: the weights, in millionths.
        strata, clusters: the names of strata and PSUs; empty texts if there is no such column.
        first: the line number of the first row.
    """

    responses: list[str]
    weights: Any
    strata: list[str]
    clusters: list[str]
    first: int


_ROWS = 1 << 15


def table_parts(
    data: str | os.PathLike[str], columns: Mapping[str, str | None], digest: Any, progress: Any
) -> Iterator[TablePart]:
    """Iterate over the rows of a CSV file with a header, in parts.

    Raises:
        FileFormatError: a column is missing, a row has another length, or a weight is invalid.
    """
    import csv

    import numpy as np

    from rropt.survey.aggregates.lines import chunks, size_of

    whole, sizes = size_of(data), [0]

    def lines() -> Iterator[str]:
        start = True
        for block in chunks(data):
            digest.update(block)
            sizes[0] += len(block)
            try:
                text = block.decode("utf-8-sig" if start else "utf-8")
            except UnicodeDecodeError:
                raise FileFormatError("the table is not UTF-8: save it as CSV in UTF-8") from None
            start = False
            yield from text.splitlines(keepends=True)

    source = lines()
    header = next(source, "")
    separator = max(",;\t|", key=header.count)
    names = [name.strip() for name in next(csv.reader([header], delimiter=separator), [])]
    wanted = [columns[key] for key in ("column", "weights", "strata", "clusters")]
    for name in wanted:
        if name is not None and names.count(name) != 1:
            raise FileFormatError(
                f"a column is not in the table once: received {shown(name)}; its columns are {shown(', '.join(names))}"
            )
    places = [None if name is None else names.index(name) for name in wanted]
    reader, line = csv.reader(source, delimiter=separator), 2
    while True:
        rows = [row for row, _ in zip(reader, range(_ROWS), strict=False)]
        if not rows:
            return
        if any(len(row) != len(names) for row in rows):
            wrong = next(i for i, row in enumerate(rows) if len(row) != len(names))
            raise FileFormatError(
                f"row {line - 1 + wrong} of the table has another number of columns: received {len(rows[wrong])}; the "
                f"header has {len(names)}"
            )
        texts = [None if place is None else [row[place].strip() for row in rows] for place in places]
        responses, weights, strata, clusters = texts
        assert responses is not None
        if not all(responses):
            raise FileFormatError(
                f"row {line - 1 + responses.index('')} of the table has no response; leave rows without one out"
            )
        known: dict[str, int] = {}
        given = np.full(len(rows), UNIT, np.int64)
        if weights is not None:
            given = np.fromiter((known.get(text) or _weight(text, known) for text in weights), np.int64, len(rows))
        empty = [""] * len(rows)
        for name, values in (("stratum", strata), ("cluster", clusters)):
            if values is not None and not all(value and value.isprintable() for value in values):
                raise FileFormatError(f"a {name} has no name, or one with control characters: name every {name}")
        yield TablePart(responses, given, strata or empty, clusters or empty, line)
        line += len(rows)
        if progress is not None:
            progress(sizes[0], whole)
            sizes[0] = 0


def _weight(text: str, known: dict[str, int]) -> int:
    """Parse a weight; the result is in millionths."""
    whole, _, decimals = text.partition(".")
    digits = (whole + decimals).isascii() and (whole + decimals).isdigit()
    if (
        not digits
        or len(decimals) > 6
        or len(whole) > 7
        or not (value := int((whole or "0") + decimals.ljust(6, "0"))) > 0
    ):
        raise FileFormatError(
            f"a weight is out of range: received {shown(text)}; allowed are decimals above 0 with at most 6 places, at "
            f"most {_MOST_WEIGHT}; leave respondents of weight 0 out"
        )
    if value > _MOST_WEIGHT * UNIT:
        raise FileFormatError(f"a weight is too large: received {shown(text)}; allowed is at most {_MOST_WEIGHT}")
    known[text] = value
    return value


@dataclass(frozen=True, slots=True)
class SurveyCountsEstimate(Result):
    """Estimated proportions from counts of a complex survey, with linearized standard errors.

    Attributes:
        mechanism: the mechanism that produced the responses.
        n: the number of responses.
        weight: the sum of the weights.
        strata, units: the numbers of strata and PSUs.
        confidence: the approximate joint confidence of all intervals.
        single_psu: the rule for the variance of strata with a single PSU.
        estimate: Hajek's estimate for each category, shape (k,); it may lie outside [0, 1].
        standard_errors: standard errors that include the sampling variance and the variance of the device, shape (k,).
    """

    mechanism: Mechanism
    n: int
    weight: Fraction
    strata: int
    units: int
    confidence: Fraction
    single_psu: str
    estimate: tuple[float, ...]
    standard_errors: tuple[float, ...]

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        n="responses",
        weight="sum of weights",
        strata="strata",
        units="primary sampling units",
        degrees_of_freedom="degrees of freedom",
        mechanism="mechanism",
        confidence="confidence of all intervals together, approximately",
        single_psu="strata with a single PSU",
        estimate="proportion of each category (Hajek)",
        standard_errors="standard error of each, linearized",
        intervals="joint t-intervals (Bonferroni)",
        likelihood="",
    )

    @property
    def degrees_of_freedom(self) -> int:
        """The number of PSUs minus the number of strata."""
        return self.units - self.strata

    @property
    def likelihood(self) -> str:
        """Why there is no maximum likelihood estimate."""
        return (
            "weighted counts by stratum and unit do not determine a likelihood; estimate from the responses themselves"
        )

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """Joint t-intervals at the level alpha/k, within [0, 1], shape (k, 2); empty without degrees of freedom."""
        from scipy.stats import t

        if self.degrees_of_freedom < 1:
            return ()
        alpha = float(1 - self.confidence) / len(self.estimate)
        half = float(t.isf(alpha / 2, self.degrees_of_freedom))
        ends = zip(self.estimate, self.standard_errors, strict=True)
        return tuple((min(max(x - half * e, 0.0), 1.0), min(max(x + half * e, 0.0), 1.0)) for x, e in ends)

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary, with the largest proportions."""
        order = sorted(range(len(self.estimate)), key=lambda x: -self.estimate[x])[:_LISTED]
        ends = self.intervals
        rows = []
        for x in order:
            joint = f", joint interval {ends[x][0]:.6f} to {ends[x][1]:.6f}" if ends else ""
            rows.append((f"category {x}", f"{self.estimate[x]:.6f}, s.e. {self.standard_errors[x]:.6f}{joint}"))
        return [
            ("mechanism", str(self.mechanism._headline())),
            ("responses", str(self.n)),
            ("sum of weights", f"{float(self.weight):.6g}"),
            ("strata, primary sampling units", f"{self.strata}, {self.units}"),
            ("confidence of all intervals together", f"{self.confidence}, approximately"),
            ("strata with a single PSU", self.single_psu),
            ("likelihood", f"not given: {self.likelihood}"),
            ("shown", f"the {len(rows)} largest of {len(self.estimate)} categories"),
            *rows,
        ]


@renamed_arguments(lonely="single_psu")
def estimate_survey(counts: SurveyCounts, confidence: Fraction, single_psu: str = "refuse") -> SurveyCountsEstimate:
    """Estimate the proportions from counts of a complex survey.

    Args:
        counts: the result of ``count`` or ``merge``.
        confidence: the joint confidence of all intervals.
        single_psu: the contribution to the variance of a stratum with a single PSU: ``refuse`` (raise an error),
            ``certainty`` (the variance of the device alone), ``average`` (the mean contribution of the other strata) or
            ``adjust`` (its squared score around 0).

    Raises:
        InvalidParameterError: a stratum has a single PSU under ``refuse``, or the rule is unknown.
    """
    import numpy as np

    if single_psu not in SINGLE_PSU_RULES:
        raise InvalidParameterError(
            f"no such rule for strata with one cluster: received {shown(single_psu)}; allowed are "
            f"{', '.join(SINGLE_PSU_RULES)}"
        )
    linear = _Linear.of(counts)
    total = float(counts.weight)
    sums = [linear.sums(cell) for cell in counts.cells]
    share = np.sum(sums, axis=0) / total
    variance, between, alone = np.zeros(len(share)), 0, 0
    for stratum in sorted({cell.stratum for cell in counts.cells}):
        own = [(cell, z) for cell, z in zip(counts.cells, sums, strict=True) if cell.stratum == stratum]
        units = len(own) if counts.clustered else own[0][0].n
        scores = [(z - share * (cell.weight / UNIT)) / total for cell, z in own]
        squares = np.sum([u * u for u in scores], axis=0)
        if not counts.clustered:
            squares = linear.squares(own[0][0], share) / total**2
        middle = np.sum(scores, axis=0)
        if units > 1:
            variance += units / (units - 1) * np.maximum(squares - middle * middle / units, 0.0)
            between += 1
            continue
        alone += 1
        if single_psu == "refuse":
            raise InvalidParameterError(
                f"a stratum has a single unit: received {shown(stratum)}; its variance cannot be estimated; join it "
                "with a "
                "like stratum, or choose `single_psu=certainty`, average or adjust"
            )
        if single_psu == "certainty":  # the stratum consists of this PSU alone, but the device still randomizes
            variance += sum(linear.device(cell) for cell, _ in own) / total**2
        variance += squares if single_psu == "adjust" else 0.0
    if single_psu == "average" and alone:
        if not between:
            raise InvalidParameterError(
                "no stratum has two clusters: received strata with one each, of which there is no average; allowed are "
                "certainty and adjust"
            )
        variance *= (between + alone) / between
    return SurveyCountsEstimate(
        counts.mechanism,
        counts.n,
        counts.weight,
        counts.strata,
        counts.units,
        confidence,
        single_psu,
        tuple(share.tolist()),
        tuple(np.sqrt(variance).tolist()),
    )


@dataclass(frozen=True)
class _Linear:
    """The debiased indicators: ``z_x = scale b_x - shift`` for memberships, ``z = A b`` for outputs."""

    scale: float = 1.0
    shift: float = 0.0
    inverse: Any = None

    @classmethod
    def of(cls, counts: SurveyCounts) -> _Linear:
        import numpy as np

        from rropt.mechanisms.left_inverse import left_inverse, reference_population

        if counts.counted == "outputs":
            made = counts.mechanism
            return cls(inverse=np.array(left_inverse(made, reference_population(made, None)), float))
        sets = as_memberships(counts.mechanism)
        assert sets is not None  # mechanisms without memberships are counted by outputs
        apart = sets.hit - sets.miss
        return cls(float(1 / apart), float(sets.miss / apart))

    def sums(self, cell: SurveyCell) -> Floats:
        """Return ``sum w z``, shape (k,)."""
        import numpy as np

        counts = np.array(cell.counts, float) / UNIT
        if self.inverse is not None:
            return np.asarray(self.inverse @ counts)
        return self.scale * counts - self.shift * (cell.weight / UNIT)

    def squares(self, cell: SurveyCell, share: Floats) -> Floats:
        """Return ``sum w^2 (z - share)^2``, shape (k,)."""
        import numpy as np

        held = np.array(cell.squares)
        if self.inverse is not None:
            return np.asarray(((self.inverse - share[:, None]) ** 2) @ held)
        inside, outside = self.scale - self.shift - share, -self.shift - share
        return np.asarray(held * inside**2 + (cell.square - held) * outside**2)

    def device(self, cell: SurveyCell) -> Floats:
        """Return ``sum w^2 (z^2 - z)``, shape (k,): an unbiased estimate of the variance of the device."""
        import numpy as np

        none = np.zeros(1 if self.inverse is None else len(self.inverse))
        plain = self.squares(cell, none)
        held = np.array(cell.squares)
        whole = self.inverse @ held if self.inverse is not None else self.scale * held - self.shift * cell.square
        return np.asarray(plain - whole)
