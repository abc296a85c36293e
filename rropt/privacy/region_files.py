"""Files that describe a region: levels by pair of inputs, bounds on entries of the mechanism, and properties."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.files import Content, parse_content, parse_json, read_content, read_text
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.criteria.restricted_families import PropertyFamily
from rropt.privacy.region import Region

_NOTHING = ("", "-", "null", "none")  # an empty cell of a CSV file: no condition
_BOUND_KEYS = ("diagonal", "forbidden", "entries", "least", "most")
_COLUMNS = ("output", "input", "least", "most")


def load_levels(path: str | os.PathLike[str]) -> list[list[object]]:
    """Load the levels of a ``PairwiseRegion`` from a file (format: ``levels_from_text``).

    Args:
        path: a JSON or CSV file with one level for each ordered pair of categories.

    Returns:
        k rows of k levels, as they are written; the entry (j, l) bounds ``p_ij/p_il``.

    Raises:
        FileFormatError: the file cannot be read, or has another shape.
    """
    return _levels(read_content(path, what="levels file"))


def levels_from_text(text: str) -> list[list[object]]:
    """Parse a square matrix of levels: JSON ``{"levels": [[null, "1"], ["log(2)", null]]}``, or the same as CSV.

    Row j, column l is the level of ``p_ij <= exp(level) p_il``. null (in CSV an empty cell or ``-``) is no condition.

    >>> levels_from_text(",log(2)\\n1/2,")
    [[None, 'log(2)'], ['1/2', None]]
    """
    return _levels(parse_content(text, what="levels file"))


def _levels(content: Content) -> list[list[object]]:
    data = _listed(content)
    if content.kind == "json":
        if not isinstance(data, dict) or set(data) != {"levels"} or not isinstance(data["levels"], list):
            raise FileFormatError(
                f'levels file is not of the form {{"levels": [[null, "1"], ["1", null]]}}: received {shown(data)}'
            )
        rows: list[list[object]] = data["levels"]
        return rows
    return [[None if str(cell).lower() in _NOTHING else cell for cell in row] for row in data]


def load_properties(path: str | os.PathLike[str], inputs: int) -> PropertyFamily:
    """Load the properties in a file (format: ``properties_from_text``)."""
    return properties_from_text(read_text(path, what="properties"), inputs)


def given_properties(text: str, inputs: int) -> PropertyFamily:
    """Return the properties in a file, or those that the text describes if no file has this name."""
    exists = os.path.exists(text)  # noqa: PTH110  # Path.exists raises for names that no file can have
    return (load_properties if exists else properties_from_text)(text, inputs)


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


def load_bounds(path: str | os.PathLike[str], region: Region) -> BoundedRegion:
    """Return a region with the bounds in a file (format: ``bounds_from_text``).

    Args:
        path: the path of the file.
        region: the region to which the bounds apply.
    """
    return _bounded(read_content(path, what="bounds file"), region)


def given_bounds(given: object, region: Region) -> BoundedRegion:
    """Return a region with bounds: ``LOW..HIGH`` for every entry, a file, or an object as in its JSON form."""
    if isinstance(given, Mapping):
        return _bounded(Content("json", dict(given)), region)
    if not isinstance(given, (str, os.PathLike)):
        raise InvalidParameterError(
            f"`bounds` are unknown: received {shown(given)}; allowed are LOW..HIGH, a file, or an object"
        )
    text = str(os.fspath(given))
    if ".." not in text or os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return load_bounds(text, region)
    return BoundedRegion(region, *([[end] * region.inputs] * region.outputs for end in text.split("..", 1)))


def bounds_from_text(text: str, region: Region) -> BoundedRegion:
    """Return a region with bounds on some entries; outputs i and inputs j are counted from 0.

    The keys of the JSON form are optional:

    * ``diagonal``: the lower bound of p_jj: one number for all, a list of length k (null: no bound), or an object by
      category;
    * ``forbidden``: pairs [i, j] for which the transition from input j to output i must have probability 0;
    * ``entries``: objects ``{"output": i, "input": j, "least": a, "most": b}`` with one or both bounds;
    * ``least``, ``most``: full matrices with m rows of k numbers, null for no bound.

    The CSV form has a header ``output,input,least,most`` and one line for each bounded entry; an empty cell is no
    bound.

    Raises:
        FileFormatError: the text has another form.
        InvalidParameterError: ``BoundedRegion`` rejects a bound, or an entry is bounded twice.
    """
    return _bounded(parse_content(text, what="bounds file"), region)


def _bounded(content: Content, region: Region) -> BoundedRegion:
    bounds: _Bounds = {"least": {}, "most": {}}
    data = _listed(content)
    if content.kind == "json":
        _read_json(data, region, bounds)
    else:
        _read_table(data, bounds)
    return BoundedRegion.sparse(region, **bounds)


def load_matrix(path: str | os.PathLike[str], *, what: str) -> list[list[Any]]:
    """Load the rows of numbers of a JSON file ``{"matrix": [[...], ...]}``, a CSV file or a ``.npy`` file."""
    content = read_content(path, what=what)
    data = rows = _listed(content)
    if content.kind == "json":
        rows = data.get("matrix") if isinstance(data, dict) and set(data) == {"matrix"} else None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise FileFormatError(
            f'{what} is not of the form {{"matrix": [["0", "1"], ["1", "0"]]}}: received {shown(data)}'
        )
    return rows


_Bounds = dict[str, dict[tuple[int, int], object]]  # of the kinds least and most, by entry


def _add(bounds: _Bounds, kind: str, entry: tuple[int, int], value: object) -> None:
    known = bounds[kind]
    if entry in known:
        raise InvalidParameterError(
            f"entry {entry} has two bounds '{kind}': received {shown(known[entry])} and {shown(value)}; give one"
        )
    known[entry] = value


def _read_json(data: Any, region: Region, bounds: _Bounds) -> None:
    if not isinstance(data, dict) or not set(data) <= set(_BOUND_KEYS):
        raise FileFormatError(
            f"bounds file is not an object with the keys {', '.join(_BOUND_KEYS)}: received {shown(data)}"
        )
    for j, value in _diagonal(data.get("diagonal"), region):
        _add(bounds, "least", (j, j), value)
    for pair in _list(data, "forbidden"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise FileFormatError(f"forbidden transition is not a pair [output, input]: received {shown(pair)}")
        _add(bounds, "most", (_index(pair[0], "output"), _index(pair[1], "input")), "0")
    for entry in _list(data, "entries"):
        if not isinstance(entry, dict) or not {"output", "input"} < set(entry) <= set(_COLUMNS):
            raise FileFormatError(
                f"bounded entry is not an object with output, input and least or most: received {shown(entry)}"
            )
        _add_entry(entry, bounds)
    for kind in ("least", "most"):
        rows = _list(data, kind)
        if kind in data and len(rows) != region.outputs:
            raise FileFormatError(f"{kind} has {len(rows)} rows: the mechanism has {region.outputs} outputs")
        for i, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != region.inputs:
                raise FileFormatError(f"{kind} is not a matrix with {region.inputs} inputs: row {i} is {shown(row)}")
            for j, value in enumerate(row):
                if value is not None:
                    _add(bounds, kind, (i, j), value)


def _diagonal(given: Any, region: Region) -> list[tuple[int, Any]]:
    if given is None:
        return []
    if isinstance(given, list):
        if len(given) != min(region.inputs, region.outputs):
            raise FileFormatError(
                f"diagonal has {len(given)} entries: the matrix has {min(region.inputs, region.outputs)}; "
                "write null for no bound"
            )
        return [(j, value) for j, value in enumerate(given) if value is not None]
    if isinstance(given, dict):
        return [(_index(j, "category"), value) for j, value in given.items()]
    return [(j, given) for j in range(min(region.inputs, region.outputs))]


def _read_table(rows: list[list[Any]], bounds: _Bounds) -> None:
    header = tuple(str(cell).lower() for cell in rows[0])
    if not {"output", "input"} <= set(header) <= set(_COLUMNS) or len(set(header)) < len(header):
        raise FileFormatError(
            f"bounds file has the wrong header: received {shown(','.join(header))}; allowed is {','.join(_COLUMNS)}"
        )
    for row in rows[1:]:
        if len(row) != len(header):
            raise FileFormatError(f"bounds file has a line of {len(row)} cells: the header has {len(header)}")
        entry = {name: cell for name, cell in zip(header, row, strict=True) if str(cell).lower() not in _NOTHING}
        _add_entry(entry, bounds)


def _add_entry(entry: Mapping[str, Any], bounds: _Bounds) -> None:
    place = _index(entry.get("output"), "output"), _index(entry.get("input"), "input")
    for kind in ("least", "most"):
        if entry.get(kind) is not None:
            _add(bounds, kind, place, entry[kind])


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


def _listed(content: Content) -> Any:
    """Return the data; an array is returned as a list of its rows."""
    return content.data.tolist() if content.kind == "npy" else content.data
