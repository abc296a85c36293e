"""``Table``: the table of somebody, and how it is read; estimates receive what it finds, and never a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, TypeVar

from rropt.core.errors import refuse_given
from rropt.core.record_arguments import takes
from rropt.core.required_arguments import checked
from rropt.survey.tables.counting import is_unweighted
from rropt.survey.tables.preparation import Preparation
from rropt.survey.tables.readers import asked_of
from rropt.survey.tables.reading_options import OPTIONS, Reading, documented

Found = TypeVar("Found")


_ADVICE = "state it where the data are read, `data=rropt.survey.read(data, {}=...)`"
STATED_BY_READ = {name: _ADVICE.format(name) for name in OPTIONS}


class Table:
    """A table with one row for each respondent, and how it is read. It is read when a column is asked for.

    Args:
        data: a path (CSV, JSON, Parquet, Feather, Excel, Stata, SPSS, DuckDB, SQLite; packed with gzip, zstd or zip),
            several paths, a folder of files, a table of pandas, Polars or Arrow, a dict of NumPy arrays, a DuckDB
            relation, or an Ibis table on any of its engines.
        reading: how its rows are read.
    """

    def __init__(self, data: Any, reading: Reading | None = None) -> None:
        self.data, self.reading = data, Reading() if reading is None else reading

    def __repr__(self) -> str:
        named = repr(self.data) if isinstance(self.data, str) else f"<{type(self.data).__name__}>"
        return f"Table({', '.join([named, *(f'{name}={value!r}' for name, value in self.reading.given.items())])})"

    def require_only(self, why: str, *allowed: str) -> None:
        """Raise an error if the reading has other fields than the allowed ones."""
        refuse_given(self.reading.given, why, *(name for name in OPTIONS if name not in allowed))

    def found(
        self,
        names: Iterable[str],
        work: Callable[[Any], Found],
        answers: Sequence[str] = (),
        *,
        weights: str | None = None,
        arms: Iterable[str] | None = None,
        **how: Any,
    ) -> Found:
        """Open the table, and return the result of ``work`` on what is made of it (``readers.asked_of``).

        Args:
            names: the required columns.
            work: a function of the ``Source``.
            answers: the columns of the questions.
            weights: the column of weights of the request.
            arms: the columns of the arms of the only question.
            how: further arguments of ``readers.asked_of``.
        """
        asked = self.reading
        prepared = {"where": asked.where, "recode": asked.recode, "blank": asked.blank}
        prepared |= {"header_rows": asked.header_rows}
        is_plain = arms is None and asked.codes == () and all(one is None for one in prepared.values())
        if not is_plain:
            how["preparation"] = Preparation.of(answers, asked.missing, **prepared, codes=asked.codes, arms=arms)
        place = {"engine": asked.engine, "table": asked.table, "sheet": asked.sheet, "decimal_mark": asked.decimal_mark}
        how = {**place, **how}
        if weights is not None or asked.unweighted is not False:
            how.setdefault("unweighted", is_unweighted(weights, asked.unweighted))
        return asked_of(self.data, list(names), work, **how)


def table_of(data: Any, reading: Reading | None = None) -> Table:
    """Return data as a table: a table as it is, and other data as they are read by default.

    Args:
        data: a table, or what ``Table`` takes.
        reading: how its rows are read instead.
    """
    if isinstance(data, Table):
        return data if reading is None else Table(data.data, reading)
    return Table(data, reading)


@dataclass(frozen=True)
class ReadArguments(Reading):
    """The arguments of ``read``."""

    data: Any
    _: KW_ONLY


@checked
@takes(ReadArguments)
def read(asked: ReadArguments) -> Table:
    """Return a table of respondents, and how its rows are read; functions take it as their ``data``.

    Args:
        data: a path (CSV, JSON, Parquet, Feather, Excel, Stata, SPSS, DuckDB, SQLite; packed with gzip, zstd or zip),
            several paths, a folder of files, a table of pandas, Polars or Arrow, a dict of NumPy arrays, a DuckDB
            relation, or an Ibis table on any of its engines.

    >>> import numpy, rropt
    >>> rows = read({"sick": numpy.array([0, 1, 1, 0]), "age": numpy.array([18, 30, 40, 17])}, where="age >= 18")
    >>> rropt.estimate("warner:3/4", data=rows, column="sick").counts
    (1, 2)
    """
    return Table(asked.data, Reading(**{one.name: getattr(asked, one.name) for one in fields(Reading)}))


_ARGS, _EXAMPLE = (read.__doc__ or "").split("\n\n    >>>")
read.__doc__ = f"{_ARGS}\n{documented()}\n\n    >>>{_EXAMPLE}"
