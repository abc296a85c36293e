"""``Table``: the table of somebody, and how it is read; estimates receive what it finds, and never a file."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from inspect import cleandoc, signature
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from rropt import Sample
from rropt.core.argument_checks import require_fitting
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import BLANKS, normal
from rropt_fieldwork.reading.counting import SampleColumns, is_unweighted
from rropt_fieldwork.reading.inputs import inputs_of, is_stream, paths_of
from rropt_fieldwork.reading.preparation import Preparation
from rropt_fieldwork.reading.readers import asked_of
from rropt_fieldwork.reading.reading_options import MADE, OPTIONS, Reading, ReadingOptions, documented
from rropt_fieldwork.reading.recodings import recodings_of
from rropt_fieldwork.reading.sources import SELECTED, Input, reading_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

Found = TypeVar("Found")


_ADVICE = "state it where the data are read, `data=rropt_fieldwork.read(data, {}=...)`"
_OF_SAMPLE = "state it of the table, `data=rropt_fieldwork.read(data).sampled({}=...)`"
_DESIGN = ("weights", "strata", "clusters", "fpc", "post_strata", "single_psu", "replicates")
STATED_BY_READ = {name: _ADVICE.format(name) for name in OPTIONS}
STATED_BY_TABLE = STATED_BY_READ | {name: _OF_SAMPLE.format(name) for name in _DESIGN}
INDEPENDENT = SampleColumns()  # respondents who were drawn independently


class Table:
    """A table with one row for each respondent, and how it is read. It is read when a column is asked for.

    ``table["age"]`` is a column as an array, and functions of ``rropt`` take a table as their ``data``.

    Args:
        data: a path (CSV, JSON, Parquet, Feather, Excel, Stata, SPSS, DuckDB, SQLite; packed with gzip, zstd or zip),
            several paths, a folder of files, a table of pandas, Polars or Arrow, a dict of arrays or lists, a DuckDB
            relation, or an Ibis table on any of its engines.
        reading: how its rows are read.
        sample: the columns of the sampling design, which ``sampled`` states.
    """

    def __init__(self, data: Any, reading: Reading | None = None, sample: SampleColumns = INDEPENDENT) -> None:
        self.data, self.reading = _with_arrays(data), Reading() if reading is None else reading
        self.sample = sample
        self._streams: list[Input] | None = None
        self._selecting: Table | None = None  # which keeps the streams open

    def __eq__(self, other: object) -> bool:
        """Return whether the other table has the same file, or the same frame, the same reading and the same design."""
        if not isinstance(other, Table):
            return NotImplemented
        if self.reading != other.reading or self.sample != other.sample:
            return False
        return self.data is other.data or bool(paths_of(self.data) and paths_of(self.data) == paths_of(other.data))

    def __hash__(self) -> int:
        return hash(tuple(paths_of(self.data)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.data, self.reading, self.sample)

    def __repr__(self) -> str:
        named = repr(self.data) if isinstance(self.data, str) else f"<{type(self.data).__name__}>"
        given = self.reading.given | self._design()
        return f"Table({', '.join([named, *(f'{name}={value!r}' for name, value in given.items())])})"

    def sampled(
        self,
        *,
        weights: str | None = None,
        strata: str | None = None,
        clusters: str | None = None,
        fpc: object = None,
        post_strata: str | Sequence[str] = (),
        single_psu: str = "refuse",
        replicates: object = None,
    ) -> Table:
        """Return the table with its sampling design, which every estimate from it then has.

        Args:
            weights, strata, clusters: columns of a complex survey.
            fpc: the finite population of each stratum, as a column or a number: its number of clusters (or rows), or
                the sampled fraction. With clusters it can be a pair: for the clusters, and for the rows within each
                cluster.
            post_strata: the columns that define the cells of post-stratification, to whose totals the weights were
                adjusted.
            single_psu: the variance contribution of a stratum with a single PSU: ``refuse``, ``certainty``, ``average``
                or ``adjust``.
            replicates: the columns of replicate weights, beside ``weights``: ``"jk1:rep1..rep20"``, or
                ``"fay,rho=0.3:rep1..rep80"``; the methods are those of ``Replicates``.

        Raises:
            InvalidParameterError: a name is not a text, or parts of the design exclude each other.

        >>> import rropt_fieldwork
        >>> rows = read({"sick": [0, 1, 1, 0], "w": [1.5, 2, 1, 1]}).sampled(weights="w")
        >>> print(rropt_fieldwork.estimate_table(rows, "sick", "warner:3/4").nobs)
        4
        """
        made = copy(self)  # which shares what was read of a stream
        made.sample = SampleColumns(weights, strata, clusters, fpc, post_strata, single_psu, replicates)
        return made

    def _design(self) -> dict[str, Any]:
        """Return the stated parts of the sampling design."""
        given = {name: getattr(self.sample, name) for name in _DESIGN}
        return {name: value for name, value in given.items() if value != getattr(INDEPENDENT, name)}

    def as_sample(self) -> Any:
        """Return the table as a ``rropt.Sample`` if it states a sampling design; else the table."""
        if not self.sample.is_complex:
            return self
        plain = copy(self)
        plain.sample = INDEPENDENT
        given = self._design()
        return Sample(plain, **given | ({"post_strata": list(given["post_strata"])} if "post_strata" in given else {}))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns of the file or frame, and of those that the reading makes."""
        made = [one.name for one in recodings_of(self.reading.recode) if one.is_new]
        plain = replace(self.reading, where=None, recode=None, blank=None)
        return (*self.found((), header_of, reading=plain, width=None, unweighted=True), *made)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column of the selected rows, as ``numpy.asarray`` reads it (``arrays``)."""
        return self.arrays([name])[name]

    def with_domain(self) -> tuple[Table, NDArray[np.bool_] | None]:
        """Return the table with all rows, and which of them the reading selects (``where``); ``None`` for all.

        A sample needs all rows: those outside of a domain are members of its strata and clusters.

        Raises:
            InvalidParameterError: the table states its sampling design itself.
        """
        if self.sample.is_complex:
            raise InvalidParameterError(
                "the sampling design is given twice: received a table that states it, and a `Sample`; leave out one"
            )
        if self.reading.where is None:
            return self, None

        def work(source: Any) -> Any:
            return source.with_all_rows().rows({"k": SELECTED}, [])["k"]

        selected = np.ma.filled(np.ma.asarray(self.found((), work, folders=(), unweighted=True)), False)
        whole = copy(self)  # which shares what was read of a stream
        whole.reading, whole._selecting = replace(self.reading, where=None), self
        return whole, np.asarray(selected, bool)

    def levels(self, name: str) -> tuple[str, ...]:
        """Return the levels of a column in their order: those of its type, of its value labels, or bands of numbers.

        Args:
            name: the name of the column.

        Returns:
            The levels; empty if the column has no order of its own.
        """
        return self.found((name,), lambda source: tuple(source.orders.get(normal(name), ())), unweighted=True)

    def arrays(self, names: Sequence[str], numbers: Collection[str] = ()) -> dict[str, NDArray[Any]]:
        """Return columns of the selected rows, in their order, from one reading.

        Texts are texts, "" where a value is missing; integers, floats and truth values are those of the data, NaN where
        one is missing.

        Args:
            names: the names of the columns.
            numbers: those of them whose texts are numbers, by the decimal mark of the table; NaN for other texts.
        """

        def work(source: Any) -> dict[str, Any]:
            own = {f"x{place}": name for place, name in enumerate(names)}
            floats = [x for x, name in own.items() if name in numbers]
            found = (source.with_marks(numbers) if numbers else source).rows(own, floats)
            return {name: _filled(found[x]) for x, name in own.items()}

        return self.found(names, work, folders=(), unweighted=True)

    def counted(self, names: Sequence[str], most: int | None = None) -> dict[tuple[Any, ...], int]:
        """Return the distinct rows of some columns, at most ``most``, with the number of each.

        Args:
            names: the names of the columns.
            most: the largest number of distinct rows that are returned.
        """

        def work(source: Any) -> dict[tuple[Any, ...], int]:
            found = source.counted({f"x{place}": name for place, name in enumerate(names)}, most)
            *columns, numbers = (found[x].tolist() for x in (*(f"x{place}" for place in range(len(names))), "n"))
            return dict(zip(zip(*columns, strict=True), numbers, strict=True))

        return self.found(names, work, engine=None, unweighted=True)

    def require_only(self, why: str, *allowed: str) -> None:
        """Raise an error if the reading has other fields than the allowed ones, or there is a sampling design."""
        others = (name for name in (*OPTIONS, *_DESIGN) if name not in allowed)
        refuse_given({**self.reading.given, **self._design()}, why, *others)

    def found(
        self,
        names: Iterable[str],
        work: Callable[[Any], Found],
        answers: Sequence[str] = (),
        *,
        weights: str | None = None,
        arms: Iterable[str] | None = None,
        reading: Reading | None = None,
        **how: Any,
    ) -> Found:
        """Open the table, and return the result of ``work`` on what is made of it (``readers.asked_of``).

        Args:
            names: the required columns.
            work: a function of the ``Source``.
            answers: the columns of the questions.
            weights: the column of weights of the request.
            arms: the columns of the arms of the only question.
            reading: how the rows are read instead.
            how: further arguments of ``readers.asked_of``.
        """
        asked = self.reading if reading is None else reading
        prepared = {"where": asked.where, "recode": asked.recode, "blank": asked.blank}
        prepared |= {"header_rows": asked.header_rows}
        is_plain = arms is None and asked.codes == () and all(one is None for one in prepared.values())
        if not is_plain:
            how["preparation"] = Preparation.of(answers, asked.missing, **prepared, codes=asked.codes, arms=arms)
        place = {name: getattr(asked, name) for name in OPTIONS if name not in (*MADE, "header_rows", "unweighted")}
        how = {**place, **how}
        if weights is not None or asked.unweighted is not False:
            how.setdefault("unweighted", is_unweighted(weights, asked.unweighted))
        if self._streams is None and how["engine"] in (None, "duckdb"):  # a stream can be read once only
            self._streams = []
            if any(map(is_stream, paths_of(self.data))):
                kept = ExitStack()
                weakref.finalize(self, kept.close)
                self._streams = inputs_of(self.data, kept)
        return asked_of(self.data, list(names), work, streams=self._streams or (), **how)


def _with_arrays(data: Any) -> Any:
    """Return a dictionary of lists as one of arrays, and other data as they are."""
    if not isinstance(data, dict) or not any(isinstance(one, list | tuple) for one in data.values()):
        return data
    made = {name: one if hasattr(one, "dtype") else np.asarray(one) for name, one in data.items()}
    return {name: np.array(data[name], object) if one.dtype.kind == "U" else one for name, one in made.items()}


def header_of(source: Any) -> tuple[str, ...]:
    """Return the names of the columns; of a text file, its first row."""
    if source.has_header:
        found: tuple[str, ...] = source.names
        return found
    with reading_errors(source.name):  # without the advice to name a column
        first = source.relation.limit(1).fetchall()
    named = zip(source.names, first[0], strict=True) if first else ()  # keys of folders have names
    return tuple(str((value if isinstance(name, int) else name) or "").strip(BLANKS) for name, value in named)


def _filled(values: Any) -> NDArray[Any]:
    """Return a column of DuckDB with NaN, or an empty text, for missing values."""
    masked: Any = np.ma.asarray(values)
    if masked.dtype.kind in "iub" and np.ma.is_masked(masked):
        masked = masked.astype(np.float64)
    if masked.dtype.kind == "O":
        return np.array(["" if one is None else one for one in masked.tolist()], object)
    return np.ma.filled(masked, np.nan) if masked.dtype.kind == "f" else np.asarray(masked)


def table_of(data: Any, reading: Reading | None = None) -> Table:
    """Return data as a table: a table as it is, and other data as they are read by default.

    Args:
        data: a table, or what ``Table`` takes.
        reading: how its rows are read instead.
    """
    if isinstance(data, Table):
        return data if reading is None else Table(data.data, reading, data.sample)
    return Table(data, reading)


def read(data: Any, **options: Unpack[ReadingOptions]) -> Table:
    """Return a table of respondents, and how its rows are read; functions take it as their ``data``.

    Args:
        data: a path (CSV, JSON, Parquet, Feather, Excel, Stata, SPSS, DuckDB, SQLite; packed with gzip, zstd or zip),
            several paths, a folder of files, a table of pandas, Polars or Arrow, a dict of arrays or lists, a DuckDB
            relation, or an Ibis table on any of its engines. Or a table, whose reading the options change.
        options: how the rows are read, the fields of ``Reading``:

    >>> import numpy, rropt
    >>> rows = read({"sick": numpy.array([0, 1, 1, 0]), "age": numpy.array([18, 30, 40, 17])}, where="age >= 18")
    >>> rropt.Responses("sick", "warner:3/4", data=rows).rows
    3
    """
    require_fitting("read", list(signature(Reading).parameters.values()), (), options)
    if isinstance(data, Table):
        return table_of(data, replace(data.reading, **options).checked())
    return Table(data, Reading(**options).checked())


# Python 3.13 and newer take the common indentation off a docstring: the same is done for the others
_ARGS, _EXAMPLE = cleandoc(read.__doc__ or "").split("\n\n>>>", 1)
read.__doc__ = f"{_ARGS}\n{documented()}\n\n>>>{_EXAMPLE}"
