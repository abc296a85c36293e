"""Run a sweep from a specification file and write a table, resuming an interrupted run.

A row depends only on its point and on the version of rropt, not on the number or order of the processes. The rows of
the table are in the order of the grid. Finished rows are kept in a journal next to the table until it is written.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from rropt.core.errors import (
    FileAccessError,
    FileFormatError,
    InvalidParameterError,
    MissingExtraError,
    RroptWarning,
    nearest_words,
    one_of,
    shown,
)
from rropt.core.exact import Delta, Epsilon, as_text, rational
from rropt.core.exact.levels import LevelSpan, is_span
from rropt.core.exact.numbers import nearest_float
from rropt.core.files import (
    Target,
    being_filled,
    is_named_by_content,
    journal,
    parse_json,
    read_text,
    shown_path,
    toml_values,
    write_files,
    write_lines,
    write_named_by_content,
)
from rropt.core.results import Result, labelled, record_of
from rropt.core.version import installed_version
from rropt.designs.problem import Problem
from rropt.designs.solution import Solution
from rropt.designs.sweeps import curve_text, grid, in_parallel, solved
from rropt.privacy import span

PROBLEMS: dict[str, Callable[..., Problem]] = {"binary": Problem.binary, "kary": Problem.kary}
"""Functions that build the problem of a grid point, by the name of the kind of problem."""

_EXACT: dict[str, Callable[[str], Any]] = {
    "epsilon": Epsilon.of,
    "gamma": lambda text: Epsilon.of_gamma(text).gamma,
    "delta": Delta.of,
    **{name: partial(rational, name=name) for name in ("prevalence", "categories")},
}
_KEYS = ("problem", "grid")
_LEVELS = ("epsilon", "gamma", "level")
_ENDING = ".json"
UNFINISHED = ".unfinished"

Row = dict[str, str | None]  # texts; in a column whose name ends in _decimal, the text of a float
Point = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Specification:
    """A grid of problems: their kind, and the values of each parameter as texts (exact numbers in canonical form)."""

    problem: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]

    def points(self) -> list[Point]:
        """Return all combinations of the parameter values; the last parameter varies fastest."""
        return [tuple(point.items()) for point in grid({name: list(values) for name, values in self.parameters})]

    def columns(self) -> list[tuple[str, bool]]:
        """Return the columns of the table, each with a flag for decimal numbers."""
        exact = [name for name, _ in self.parameters if name in _EXACT]
        found = [(name, False) for name, _ in self.parameters] + [(f"{name}_decimal", True) for name in exact]
        for name in ("value", "lower", "upper"):
            found += [(name, False), (f"{name}_decimal", True)]
        binary = ("p00", "p11") if self.problem == "binary" else ()
        return found + [(name, False) for name in (*binary, "mechanism", "certificate", "remark")]


@dataclass(frozen=True, slots=True)
class SweptTable(Result):
    """The counts of rows of a finished sweep.

    Attributes:
        rows: the number of combinations; each is a row of the table.
        resumed: the number of rows that an earlier, interrupted run had finished.
        unsolved: the number of rows without a design; their remark gives the reason.
        unproved: the number of designs without an accepted certificate, or whose certificate could not be written.
    """

    rows: int
    resumed: int
    unsolved: int
    unproved: int

    LABELS = labelled(
        rows="combinations",
        resumed="finished by an earlier run",
        unsolved="without a design",
        unproved="without a certificate",
    )


def read_specification(path: str) -> Specification:
    """Read the specification of a sweep from a TOML or JSON file.

    Raises:
        FileAccessError: the file cannot be read.
        FileFormatError: the file is neither TOML nor JSON.
        InvalidParameterError: a key is unknown, or a value is outside its domain.
    """
    text = read_text(path, what="specification")
    if path.lower().endswith(".json") or text.lstrip().startswith("{"):
        return specification_of(parse_json(text, what="specification"))
    try:
        return specification_of(toml_values(text, parse_float=str))
    except InvalidParameterError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"specification is not TOML: {error}; received {shown_path(path)}") from None


def specification_of(data: Any) -> Specification:
    """Parse ``{"problem": kind, "grid": {parameter: value or list of values}}`` into a specification."""
    if not isinstance(data, Mapping) or not isinstance(data.get("grid", {}), Mapping):
        raise InvalidParameterError(
            f"not a specification: received {shown(data)}; allowed are problem and a table grid"
        )
    _require_known(data, _KEYS, "the specification")
    kind, values = data.get("problem"), data.get("grid", {})
    if kind not in tuple(PROBLEMS):  # a table [problem] has no hash
        raise InvalidParameterError(
            f'problem is unknown: received {shown(kind)}; allowed are {", ".join(PROBLEMS)}; write problem = "binary"'
        )
    signature = inspect.signature(PROBLEMS[kind]).parameters
    _require_known(values, ["gamma", *signature], f"the grid of {kind} problems")
    if len(given := [name for name in _LEVELS if name in values]) != 1:
        raise InvalidParameterError(
            f"the level is given once: received {' and '.join(given) or 'none'}; give one of {', '.join(_LEVELS)}"
        )
    if kind == "binary" and "prevalence" not in values:
        raise InvalidParameterError("the prevalence is missing: received no prevalence in the grid; give its values")
    return Specification(kind, tuple((name, _texts(name, value)) for name, value in values.items()))


def _require_known(data: Mapping[str, Any], allowed: Sequence[str], where: str) -> None:
    for key in data:
        if key not in allowed:
            near = nearest_words(key, allowed)
            advice = f"did you mean {shown(near[0])}?" if near else "leave it out"
            raise InvalidParameterError(
                f"{where} has an unknown key: received {shown(key)}; allowed are {', '.join(allowed)}; {advice}"
            )


def _texts(name: str, value: Any) -> tuple[str, ...]:
    found = [_text(name, one) for one in (value if isinstance(value, list) else [value])]
    for text in found:
        if found.count(text) > 1:
            raise InvalidParameterError(f"{name} has a value twice: received {shown(text)}; remove one of them")
    return tuple(found)


def _text(name: str, value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(x, str | int) and not isinstance(x, bool) for x in value):
        return ";".join(map(str, value))
    if isinstance(value, bool) and name == "symmetric":
        return str(value).lower()
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InvalidParameterError(
            f"{name} has a value of another kind: received {shown(value)}; give text or numbers"
        )
    if name not in _EXACT or (name in ("epsilon", "gamma") and is_span(value)):
        return str(value)
    exact = _EXACT[name](str(value))
    return as_text(exact) if not isinstance(exact, Epsilon | Delta) else str(exact)


def _made(kind: str, point: Point) -> dict[str, Any]:
    """Return the keyword arguments of the problem at a point."""
    keywords: dict[str, Any] = dict(point)
    if "gamma" in keywords:
        gamma = keywords.pop("gamma")
        keywords["epsilon"] = LevelSpan.of_gamma(gamma) if is_span(gamma) else Epsilon.of_gamma(gamma)
    if "symmetric" in keywords:
        keywords["symmetric"] = one_of(keywords["symmetric"], ("true", "false"), "symmetric") == "true"
    return keywords


def _row(kind: str, fast: bool, point: Point) -> tuple[Point, Row, str | None]:
    """Return a point, its row, and the text of its certificate's file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RroptWarning)  # the remark contains the warning
        found, remark = solved(PROBLEMS[kind], _made(kind, point), fast=fast)
    solution = found if isinstance(found, Solution) else None
    exact = {name: _EXACT[name](text) for name, text in point if name in _EXACT and not is_span(text)}
    ends = dict.fromkeys(("value", "lower", "upper")) if solution is None else solution.asked_ends()
    decimals = {name: nearest_float(value) for name, value in exact.items()} | record_of(ends).get("decimals", {})
    row: Row = {**dict(point), **{name: None if end is None else as_text(end) for name, end in ends.items()}}
    row |= {f"{name}_decimal": None if decimals.get(name) is None else repr(decimals[name]) for name in (*exact, *ends)}
    if found is not None and not isinstance(found, Solution):
        row["value"] = curve_text(found)
    text, certificate = None, None if found is None else found.certificate
    if solution is not None:
        mechanism = solution.mechanism
        if mechanism.is_binary:
            row |= {"p00": as_text(mechanism.p00), "p11": as_text(mechanism.p11)}
        row["mechanism"] = mechanism.to_json()
    if certificate is not None and not certificate.failure:
        text = certificate.file_text
        row["certificate"] = hashlib.sha256(text.encode()).hexdigest()
    return point, {**row, "remark": remark}, text


def sweep_to_file(
    specification: Specification,
    output: str,
    *,
    certificates: str | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    fast: bool = False,
) -> SweptTable:
    """Solve every problem of a grid, and write a table: Parquet if the extension says so, otherwise CSV.

    An interrupted run leaves the file ``output.unfinished``. The next run continues from it and writes the same table.

    Args:
        specification: the grid.
        output: the path of the table, a regular file.
        certificates: a folder for the certificates, created if missing. Each file is named by its SHA-256, which is
            also in the table.
        jobs: as for ``sweep``.
        progress: a function called with the number of newly finished rows and the number of all rows.
        fast: as for ``sweep``.

    Raises:
        InvalidParameterError: a problem is outside its domain; then no problem is solved.
        FileAccessError: a file cannot be written, or another run is in progress.
    """
    if not Target.of(output).is_file:
        raise FileAccessError(f"cannot write {shown_path(output)}: it is not a regular file; give the name of one")
    if _is_parquet(output):
        required_parquet()  # before the work
    points = specification.points()
    for point in points:
        _require_problem(specification.problem, point)
    if certificates is not None:
        write_files([], folders=[certificates])
    with journal(output + UNFINISHED) as (lines, append):
        rows: dict[Point, Row] = {}
        asked = set(points)
        for line in lines:
            version, kind, pairs, row = json.loads(line)
            point = tuple((name, text) for name, text in pairs)
            digest = row.get("certificate")
            kept = certificates is None or digest is None or is_named_by_content(certificates, digest, _ENDING)
            if (version, kind) == (installed_version(), specification.problem) and point in asked and kept:
                rows[point] = row
        resumed, unwritten = len(rows), 0
        advance = progress or (lambda done, total: None)
        advance(resumed, len(points))
        left = [point for point in points if point not in rows]
        for point, row, text in in_parallel(partial(_row, specification.problem, fast), left, jobs):
            if certificates is not None and text is not None:
                try:
                    write_named_by_content(certificates, text.encode(), _ENDING)
                except OSError:  # the table is written without it
                    unwritten += 1
            append(json.dumps([installed_version(), specification.problem, point, row]).encode())
            rows[point] = row
            advance(1, len(points))
        _write_table(output, specification.columns(), [rows[point] for point in points])
    found = [row for row in rows.values() if row.get("value") is not None]
    unproved = unwritten + sum(row.get("certificate") is None for row in found)
    return SweptTable(len(points), resumed, len(points) - len(found), unproved)


def _require_problem(kind: str, point: Point) -> None:
    """Reject values outside their domain before solving; a point without a design is a valid result."""
    asked = _made(kind, point)
    if is_span(asked.get("epsilon")):
        asked["level"] = span(asked.pop("epsilon"), asked.pop("delta", 0))
    try:
        PROBLEMS[kind](**asked)
    except InvalidParameterError:
        raise
    except (ValueError, NotImplementedError):
        pass


def _write_table(output: str, columns: Sequence[tuple[str, bool]], rows: Iterable[Row]) -> None:
    """Write the rows in the given order, as Parquet if the extension says so, otherwise as CSV.

    Raises:
        FileAccessError: the file cannot be written.
        MissingExtraError: the file is Parquet, and pyarrow is not installed.
    """
    is_parquet = _is_parquet(output)
    with being_filled(output, suffix=".parquet" if is_parquet else ".csv") as made:
        try:
            if is_parquet:
                _write_parquet(str(made), columns, list(rows))
                return
            head = ",".join(_csv_cell(name) for name, _ in columns) + "\n"
            lines = (",".join(_csv_cell(row.get(name)) for name, _ in columns) + "\n" for row in rows)
            write_lines(made, chain([head], lines))
        except OSError as error:
            raise FileAccessError(
                f"cannot write {shown_path(output)}: {error.strerror or error}; solved problems are kept: free some "
                "disk space and start again"
            ) from None


def _is_parquet(output: str) -> bool:
    return output.lower().endswith((".parquet", ".pq"))


def _csv_cell(text: str | None) -> str:
    """Return a cell of CSV: nothing for a missing value, and two quotation marks for an empty text."""
    if text is None:
        return ""
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if not text or any(mark in text for mark in ',"\r\n') else text


def _write_parquet(path: str, columns: Sequence[tuple[str, bool]], rows: Sequence[Row]) -> None:
    """Write a table of Parquet: decimals as numbers, everything else as texts."""
    pyarrow, parquet = required_parquet()
    texts = {name: [row.get(name) for row in rows] for name, _ in columns}
    arrays = [
        pyarrow.array([None if x is None else float(x) for x in texts[name]], pyarrow.float64())
        if is_decimal
        else pyarrow.array(texts[name], pyarrow.string())
        for name, is_decimal in columns
    ]
    parquet.write_table(pyarrow.table(arrays, names=[name for name, _ in columns]), path)


def required_parquet() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(
            "a Parquet file needs pyarrow, which is not installed: pip install 'rropt[fieldwork]', or give a name that "
            "ends in .csv"
        ) from None
    return pyarrow, parquet
