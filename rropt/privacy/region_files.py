"""Files that describe a region: levels by pair of inputs, bounds on entries of the mechanism, and properties."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.files import parse_json, read_content, read_text
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.criteria.restricted_families import PropertyFamily
from rropt.privacy.linear_levels import LinearLevel
from rropt.privacy.region import Region

_NOTHING = ("", "-", "null", "none")  # an empty cell of a CSV file: no condition
_BOUND_KEYS = ("diagonal", "forbidden", "entries", "least", "most")
_COLUMNS = ("output", "input", "least", "most")


def load_levels(path: str | os.PathLike[str]) -> list[list[object]]:
    """Load a level for each pair of categories: JSON ``{"levels": [[null, "1"], ["log(2)", null]]}``.

    The rows alone, in JSON or CSV, serve too.

    Args:
        path: a JSON or CSV file with one level for each ordered pair of categories. null (in CSV an empty cell or
            ``-``) is no condition, and so is 0 on the diagonal.

    Returns:
        k rows of k levels, as they are written; the entry (j, l) bounds ``p_ij/p_il``.

    Raises:
        FileFormatError: the file cannot be read, or has another shape.
    """
    kind, data = _content(path, "levels file")
    if kind != "json":
        return [[None if str(cell).lower() in _NOTHING else cell for cell in row] for row in data]
    data = {"levels": data} if isinstance(data, list) else data
    if not isinstance(data, dict) or set(data) != {"levels"} or not isinstance(data["levels"], list):
        raise FileFormatError(
            f'levels file is not of the form {{"levels": [[null, "1"], ["1", null]]}}: received {shown(data)}'
        )
    rows: list[list[object]] = data["levels"]
    return rows


def given_properties(text: str, inputs: int) -> PropertyFamily:
    """Return the properties in a file, or those that the text describes if no file has this name."""
    exists = os.path.exists(text)  # noqa: PTH110  # Path.exists raises for names that no file can have
    return properties_from_text(read_text(text, what="properties") if exists else text, inputs)


def properties_from_text(text: str, inputs: int) -> PropertyFamily:
    """Parse a family of sets of inputs, counted from 0: one set per line, or JSON ``{"properties": [[0], [1, 2]]}``.

    Raises:
        InvalidParameterError: the properties are not sets of inputs, or an input is out of range.
        FileFormatError: the JSON cannot be read.

    >>> print(properties_from_text("0;1,2", 3))
    {0}; {1, 2}
    """
    if text.lstrip()[:1] in ("{", "["):
        data = parse_json(text, what="properties")  # numbers arrive as text
        sets = data.get("properties") if isinstance(data, dict) else data
        if not (isinstance(sets, list) and all(isinstance(q, list) for q in sets)):
            raise InvalidParameterError(
                f"properties are not sets of inputs: received {shown(text)}; allowed is JSON such as [[0], [1, 2]] or "
                '{"properties": [[0], [1, 2]]}'
            )
        return PropertyFamily(inputs, [[_input(str(item)) for item in q] for q in sets])
    listed = [part for part in text.replace("\n", ";").split(";") if part.strip()]
    if not listed:
        raise InvalidParameterError(
            f"there are no properties: received {shown(text)}; allowed are sets of inputs, such as 0;1,2"
        )
    return PropertyFamily(inputs, [[_input(item) for item in part.split(",")] for part in listed])


def _input(item: str) -> int:
    digits = item.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise InvalidParameterError(
            f"properties are not sets of inputs: received {shown(item)}; allowed are inputs counted from 0, with "
            'commas between them and semicolons between properties, such as "0;1,2"'
        )
    return int(digits)


def load_bounds(given: object, region: Region) -> BoundedRegion:
    """Return a region with bounds on entries: ``LOW..HIGH`` or a pair for all, a file, or an object as in its form.

    Outputs i and inputs j are counted from 0. The keys of the JSON form are optional:

    * ``diagonal``: the lower bound of p_jj: one number for all, a list of length k (null: no bound), or an object by
      category;
    * ``forbidden``: pairs [i, j] for which the transition from input j to output i must have probability 0;
    * ``entries``: objects ``{"output": i, "input": j, "least": a, "most": b}`` with one or both bounds;
    * ``least``, ``most``: full matrices with m rows of k numbers, null for no bound;
    * ``inequalities``: texts in several entries, such as ``"p[0,0] + p[1,1] <= 3/2"`` (``rropt.privacy.linear``).

    The CSV form has a header ``output,input,least,most`` and one line for each bounded entry; an empty cell is no
    bound.

    Args:
        given: the bounds; also a level of inequalities (``rropt.privacy.linear``, ``maximal_leakage``,
            ``pointwise_leakage``).
        region: the region to which they apply.

    Raises:
        FileFormatError: the file or the object has another form.
        InvalidParameterError: ``BoundedRegion`` rejects a bound, or an entry is bounded twice.
    """
    if isinstance(given, LinearLevel):
        return given.within(region)
    if isinstance(region, BoundedRegion):  # that of a level of inequalities
        inner = load_bounds(given, region.region)
        least, most = (
            [[end(pair) for pair in zip(*rows, strict=True)] for rows in zip(one, two, strict=True)]
            for end, one, two in ((max, region.least, inner.least), (min, region.most, inner.most))
        )
        return BoundedRegion(inner.region, least, most, (*region.entry_inequalities, *inner.entry_inequalities))
    if isinstance(given, tuple | list) and len(given) == 2:
        both = (bound if end is None else end for end, bound in zip(given, (0, 1), strict=True))
        return BoundedRegion(region, *([[end] * region.inputs] * region.outputs for end in both))
    if isinstance(given, Mapping):
        return _bounded_by(dict(given), region)
    if not isinstance(given, (str, os.PathLike)):
        raise InvalidParameterError(
            f"`bounds` are unknown: received {shown(given)}; allowed are LOW..HIGH, a pair, a file, an object, "
            "or a level such as rropt.privacy.linear(...)"
        )
    text = str(os.fspath(given))
    if ".." in text and not os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return BoundedRegion(region, *([[end] * region.inputs] * region.outputs for end in text.split("..", 1)))
    kind, data = _content(text, "bounds file")
    return _bounded_by(data, region) if kind == "json" else _bounded(_in_table(data), region)


def load_matrix(path: str | os.PathLike[str], *, what: str) -> list[list[Any]]:
    """Load the rows of numbers of a JSON file ``{"matrix": [[...], ...]}`` or ``[[...], ...]``, CSV or ``.npy``."""
    kind, data = _content(path, what)
    rows = data
    if kind == "json" and not isinstance(data, list):
        rows = data.get("matrix") if isinstance(data, dict) and set(data) == {"matrix"} else None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise FileFormatError(
            f'{what} is not of the form {{"matrix": [["0", "1"], ["1", "0"]]}}: received {shown(data)}'
        )
    return rows


_Bound = tuple[str, tuple[int, int], object]  # least or most, entry, value


def _bounded_by(data: Any, region: Region) -> BoundedRegion:
    """Return a region with the bounds and the inequalities of an object."""
    rows = _list(data, "inequalities") if isinstance(data, dict) else []
    return _bounded(_in_json(data, region), region, rows)


def _bounded(bounds: Iterable[_Bound], region: Region, rows: Sequence[object] = ()) -> BoundedRegion:
    found: dict[str, dict[tuple[int, int], object]] = {"least": {}, "most": {}}
    for kind, entry, value in bounds:
        known = found[kind]
        if entry in known:
            raise InvalidParameterError(
                f"entry {entry} has two bounds '{kind}': received {shown(known[entry])} and {shown(value)}; give one"
            )
        known[entry] = value
    return BoundedRegion.sparse(region, **found, entry_inequalities=rows)


def _in_json(data: Any, region: Region) -> Iterator[_Bound]:
    if not isinstance(data, dict) or not set(data) <= {*_BOUND_KEYS, "inequalities"}:
        raise FileFormatError(
            f"bounds file is not an object with the keys {', '.join(_BOUND_KEYS)}, inequalities: received {shown(data)}"
        )
    for j, value in _diagonal(data.get("diagonal"), region):
        yield "least", (j, j), value
    for pair in _list(data, "forbidden"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise FileFormatError(f"forbidden transition is not a pair [output, input]: received {shown(pair)}")
        yield "most", (_index(pair[0], "output"), _index(pair[1], "input")), "0"
    for entry in _list(data, "entries"):
        if not isinstance(entry, dict) or not {"output", "input"} < set(entry) <= set(_COLUMNS):
            raise FileFormatError(
                f"bounded entry is not an object with output, input and least or most: received {shown(entry)}"
            )
        yield from _of_entry(entry)
    for kind in ("least", "most"):
        rows = _list(data, kind)
        if kind in data and len(rows) != region.outputs:
            raise FileFormatError(f"{kind} has {len(rows)} rows: the mechanism has {region.outputs} outputs")
        for i, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != region.inputs:
                raise FileFormatError(f"{kind} is not a matrix with {region.inputs} inputs: row {i} is {shown(row)}")
            yield from ((kind, (i, j), value) for j, value in enumerate(row) if value is not None)


def _diagonal(given: Any, region: Region) -> Iterable[tuple[int, Any]]:
    size = min(region.inputs, region.outputs)
    if isinstance(given, dict):
        return ((_index(j, "category"), value) for j, value in given.items())
    values = given if isinstance(given, list) else [given] * size
    if len(values) != size:
        raise FileFormatError(f"diagonal has {len(values)} entries: the matrix has {size}; write null for no bound")
    return ((j, value) for j, value in enumerate(values) if value is not None)


def _in_table(rows: list[list[Any]]) -> Iterator[_Bound]:
    header = tuple(str(cell).lower() for cell in rows[0])
    if not {"output", "input"} <= set(header) <= set(_COLUMNS) or len(set(header)) < len(header):
        raise FileFormatError(
            f"bounds file has the wrong header: received {shown(','.join(header))}; allowed is {','.join(_COLUMNS)}"
        )
    for row in rows[1:]:
        if len(row) != len(header):
            raise FileFormatError(f"bounds file has a line of {len(row)} cells: the header has {len(header)}")
        entry = {name: cell for name, cell in zip(header, row, strict=True) if str(cell).lower() not in _NOTHING}
        yield from _of_entry(entry)


def _of_entry(entry: Mapping[str, Any]) -> Iterator[_Bound]:
    place = _index(entry.get("output"), "output"), _index(entry.get("input"), "input")
    yield from ((kind, place, entry[kind]) for kind in ("least", "most") if entry.get(kind) is not None)


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    given = data.get(key, [])
    if not isinstance(given, list):
        raise FileFormatError(f"{key} is not a list: received {shown(given)}")
    return given


def _index(value: Any, name: str) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise FileFormatError(f"{name} is not an index: received {shown(value)}; allowed are 0, 1, 2, ...")
    return int(text)


def _content(path: str | os.PathLike[str], what: str) -> tuple[str, Any]:
    """Return the kind of a file and its data; an array is returned as a list of its rows."""
    content = read_content(path, what=what)
    return content.kind, content.data.tolist() if content.kind == "npy" else content.data
