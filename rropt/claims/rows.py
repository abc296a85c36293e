"""Claims about matrices and lists: a function that returns rows, and variables that a TOML file names by type.

A row is ``(name, true value, sign, stated value)``; with the sign ``~`` the value rounds to a printed decimal. The file
``rows.toml`` of a folder has the texts of each claim, the sizes, and a type for each variable
(``P = "stochastic m k"``). The function of a claim is in ``_rows.py`` beside it. Its keyword-only arguments are
constants of the statement: their defaults are printed, ``true`` changes them to the correction, and each entry of
``false`` changes the true form to a mutant. The type ``given NAME`` is a domain of the module. With ``words``, steps
that no machine checks, the rows are evidence beside an argument, and the label is ``argued``. With ``theorems``, names
of Coq theorems of the package that state the claim, and without ``words``, it is ``proved``. The tables ``reading``
have the keys of the claim that differ. A folder may have more such files: ``x_rows.toml`` with ``_x_rows.py``.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from inspect import Parameter, getdoc, signature, unwrap
from itertools import combinations, permutations, product
from types import FunctionType, ModuleType
from typing import Any

from rropt.claims.cards.card_files import (
    LIST,
    ORDER,
    PRINTED,
    TABLE,
    TABLES,
    TEXT,
    WORDS,
    CardError,
    CardPlace,
    Kind,
    changed_keys,
    place_of,
    require_keys,
)
from rropt.claims.claim import Claim, Condition, Correction, Proof, Reading, Row, Rows, Stated, sides
from rropt.claims.domains import Domain, Point, is_whole, not_drawn
from rropt.claims.outcomes import value_text
from rropt.claims.relations import relations
from rropt.claims.stated_values import agrees
from rropt.core.errors import shown
from rropt.core.files import toml_values

_POINTS, _COUNT, _MOST_SHAPES = 320, 200, 240
_SIGNS = {"=": "", "~": "rounded to "}
_TEXTS = ("printed", "precise", "note", "correction", "source", "covers", "not_checkable")


_HELD: dict[str, Kind] = {
    **dict.fromkeys([*_TEXTS, "function", "certificates", "working"], TEXT),
    **dict.fromkeys(["where", "defined", "assume", "true_where", "stated", "words", "theorems", "argument"], LIST),
    **dict.fromkeys(["false", "reading"], TABLES),
    **dict.fromkeys(["true", "sizes"], TABLE),
    "place": ORDER,
    "points": ("a whole number of at least 1", lambda given: type(given) is int and given > 0),
    "for": ('a table of texts, as { p = "real 0 1" }', WORDS[1]),
}
_OF_FILE = {"paper": TEXT, "source": TEXT, "rows": TABLE, "texts": WORDS}
_OF_FILE_NEEDED = {"paper": "the name of the paper", "source": "its citation", "rows": "the claims"}
_NEEDED = {**PRINTED, "precise": "the statement made precise", "false": "constants that make it false"}
_NEEDS = {
    **dict.fromkeys(["argument", "covers", "certificates"], ("words", "theorems")),
    "correction": ("true", "true_where"),
}
_CHANGED = (
    *("rows", "mutants", "variables", "cases", "assumptions", "defined", "missing"),
    *("correction", "working", "stated", "proof", "sizes", "not_checkable", "count"),
)  # the parts of a claim that a reading may change

_WHOLE = ("as printed", "the correction")  # what a row of coq/theorems.json says of a theorem about the whole claim

Finite = Callable[..., list[Any]]


@cache
def _table(package: str) -> dict[tuple[str, str], str]:
    """Return which part of its claim each Coq theorem of a package proves, by claim and theorem."""
    file = files(package) / "coq" / "theorems.json"
    rows = json.loads(file.read_text("utf-8"))["theorems"] if file.is_file() else []
    return {(row["claim"], row["theorem"]): row["proves"] for row in rows}


def _distribution(rng: random.Random, size: int) -> tuple[Fraction, ...]:
    """Draw a distribution: uniform, on some of the places, or with simple weights."""
    kind = rng.randrange(4)
    weights = [1 if kind == 0 else rng.randint(0, 2) if kind == 1 else rng.randint(1, 9) for _ in range(size)]
    total = sum(weights)
    return tuple(Fraction(w, total) for w in weights) if total else _distribution(rng, size)


def _matrix(rng: random.Random, rows: int, columns: int) -> tuple[tuple[Fraction, ...], ...]:
    """Draw a matrix whose columns are distributions and whose rows are not 0."""
    while True:
        drawn = [_distribution(rng, rows) for _ in range(columns)]
        found = tuple(zip(*drawn, strict=True))
        if all(map(any, found)):
            return found


def _deck(rng: random.Random, size: int) -> tuple[Fraction, ...]:
    most = rng.randint(2, 5)
    return (*sorted(Fraction(rng.randint(1, most)) for _ in range(size)), Fraction(most))


def _any_number(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-240, 240), rng.choice((1, 7, 120)))


def _columns(matrix: Any) -> list[list[tuple[Any, ...]]]:
    return [[(i, j) for i in range(len(matrix))] for j in range(len(matrix[0]))]


def _partitions(size: int) -> list[Any]:
    cells: list[tuple[int, ...]] = [()]
    for _ in range(size):
        cells = [(*each, cell) for each in cells for cell in range(max(each, default=-1) + 2)]
    return cells


@dataclass(frozen=True, slots=True)
class _Type:
    """A type of lists and matrices: its meaning, the entries, the groups that sum to 1, and a draw for given sizes."""

    meaning: str
    entries: str
    draw: Callable[..., Any]
    groups: Callable[[Any], list[list[tuple[Any, ...]]]] | None = None


_TYPES = {
    "distribution": _Type(
        "a distribution on {} places", "0 <= x <= 1", _distribution, lambda given: [[(i,) for i in range(len(given))]]
    ),
    "stochastic": _Type("a transition probability matrix, {} x {}, without a zero row", "x >= 0", _matrix, _columns),
    "procedure": _Type(
        "a transition probability matrix, {} x {}, without a zero row; that its entries are at least 0 is used",
        "x >= 0",
        _matrix,
    ),
    "columns": _Type(
        "a matrix, {} x {}, whose columns are distributions",
        "0 <= x <= 1",
        lambda rng, rows, columns: tuple(zip(*[_distribution(rng, rows) for _ in range(columns)], strict=True)),
        _columns,
    ),
    "weights": _Type(
        "{} numbers that are at least 0, the first positive",
        "x >= 0",
        lambda rng, size: (Fraction(rng.randint(1, 9)), *(Fraction(rng.randint(0, 9)) for _ in range(size - 1))),
    ),
    "answers": _Type(
        "{} numbers, each 0 or 1",
        "x*(1 - x) == 0 and 0 <= x <= 1",
        lambda rng, size: tuple(Fraction(rng.randint(0, 1)) for _ in range(size)),
    ),
    "amounts": _Type(
        "{} numbers that are at least 0",
        "x >= 0",
        lambda rng, size: tuple(Fraction(rng.randint(0, 8), rng.randint(1, 4)) for _ in range(size)),
    ),
    "numbers": _Type(
        "{} numbers",
        "x*x >= 0",
        lambda rng, size: tuple(Fraction(rng.randint(-60, 60), rng.randint(1, 12)) for _ in range(size)),
    ),
    "table": _Type(
        "a matrix of numbers, {} x {}",
        "x*x >= 0",
        lambda rng, rows, columns: tuple(
            tuple(Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(columns)) for _ in range(rows)
        ),
    ),
    "deck": _Type("{} cards with whole numbers from 1, and the largest number that a card may have", "x >= 1", _deck),
    "chances": _Type(
        "{} probabilities",
        "0 <= x <= 1",
        lambda rng, size: tuple(Fraction(rng.randint(0, 12), 12) for _ in range(size)),
    ),
}
_FINITE: dict[str, tuple[str, Finite]] = {
    "index": ("a place from 0 to {} - 1", lambda size: list(range(size))),
    "bits": ("{} bits", lambda size: list(product((0, 1), repeat=size))),
    "ones": ("{} bits, in descending order", lambda size: [(1,) * k + (0,) * (size - k) for k in range(size + 1)]),
    "partition": ("for each of {} places its cell, numbered from 0 in their order", _partitions),
    "permutation": ("a permutation of {} places", lambda size: list(permutations(range(size)))),
    "subset": (
        "a set of some of {} places, not all",
        lambda size: [each for count in range(1, size) for each in combinations(range(size), count)],
    ),
    "somesubset": (
        "a set of at least one of {} places",
        lambda size: [each for count in range(1, size + 1) for each in combinations(range(size), count)],
    ),
    "anysubset": (
        "a set of places among {}",
        lambda size: [each for count in range(size + 1) for each in combinations(range(size), count)],
    ),
}
_NUMBERS: dict[str, Callable[..., Domain]] = {
    "real": lambda low, high, *also: Domain.interval(f"from {low} to {high}", low, high, also=also),
    "odds": lambda *also: Domain.odds("a number of at least 1", also=also),
    "least": lambda low, *also: Domain(
        f"a number of at least {low}",
        tuple(map(Fraction, (low, *also))),
        lambda rng: Fraction(low) + Fraction(rng.randint(0, 400), rng.randint(1, 40)),
        f"x >= {low}",
    ),
    "any": lambda *also: Domain("any number", tuple(map(Fraction, ("-2", "0", "1/2", "1", "2", *also))), _any_number),
    "one": lambda *values: Domain.values("one of the values", *map(Fraction, values)),
}
_ALLOWED = ", ".join([*_TYPES, *_FINITE, *_NUMBERS, "given"])


def read_rows(text: str, what: str, module: ModuleType) -> list[Claim]:
    """Return the claims of a file of rows.

    Args:
        text: the content of the file.
        what: the name of the file, for messages.
        module: the module with the functions.

    Raises:
        CardError: the file is not a file of rows; the message names the line, the key, and what is allowed.
    """
    try:
        data = toml_values(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CardError(f"{what} is no TOML: {shown(str(error))}") from None
    require_keys(data, _OF_FILE, _OF_FILE_NEEDED, CardPlace(what, text))
    found = []
    for name, given in data["rows"].items():
        place = CardPlace(what, text, name)
        place.require(isinstance(given, dict), "a claim in rows is a table")
        given = {key: _joined(key, value) for key, value in given.items()}
        require_keys(given, _HELD, _NEEDED, place, _NEEDS)
        found.append(_Rows(data, name, given, module, place).claim())
    return found


class _Rows:
    """One claim of a file of rows."""

    def __init__(
        self, data: Mapping[str, Any], name: str, given: Mapping[str, Any], module: ModuleType, place: CardPlace
    ) -> None:
        self.id, self.given, self.module, self.place = f"{data['paper']}.{name}", given, module, place
        self.data, self.name = data, name
        self.source = f"{data['source']}, {place_of(name, given) or name}"
        self.function = self._function(given.get("function", re.sub(r"[-.]", "_", name)), "function")
        self.sizes: dict[str, list[int]] = given.get("sizes", {})
        self.types = {variable: text.split() for variable, text in given.get("for", {}).items()}
        self.domains = {size: Domain.whole(f"from {low} to {high}", low, high) for size, (low, high) in self._sizes()}
        for variable, (kind, *arguments) in self.types.items():
            self.domains[variable] = self._domain(variable, kind, arguments)
        kinds = {kind for kind, *_ in self.types.values()}
        place.at("for").require(
            "given" not in kinds or not kinds & {*_TYPES, *_FINITE},
            f"beside `given` a type is a number: allowed are {', '.join(_NUMBERS)}",
        )
        parameters = signature(self.function).parameters
        self.named = [name for name in parameters if name in self.domains]
        self.constants = {name for name, each in parameters.items() if each.kind is Parameter.KEYWORD_ONLY}
        needed = {name for name, each in parameters.items() if each.default is each.empty}
        self._require_types(needed - self.constants, place.at("function"))

    def claim(self) -> Claim:
        """Return the claim."""
        given, true = self.given, self._constants("true", self.given.get("true", {}))
        changes = [{**true, **self._constants("false", changed)} for changed in given["false"]]
        theorems = self._theorems(given.get("theorems", []))
        is_argued = bool(theorems or given.get("words"))
        correction, proof = None, partial(self._argued, given, theorems) if is_argued else None
        if "true" in given or "true_where" in given:
            correction = Correction(given.get("correction", ""), self._rows(true), self._conditions("true_where"))
        is_listed = is_whole(self.domains) or "given" in {kind for kind, *_ in self.types.values()}
        return Claim(
            *(self.id, self.source, given["printed"], given["precise"], self._rows({})),
            mutants=tuple(map(self._rows, changes)),
            variables=self.domains,
            cases=None if is_listed else self._cases,
            count=given.get("points", _COUNT),
            proof=proof,
            not_checkable=given.get("not_checkable", ""),
            readings=tuple(self._reading(each, n) for n, each in enumerate(given.get("reading", ()), 1)),
            sizes=tuple(self.sizes),
            assumptions=self._conditions("where"),
            defined=self._conditions("defined"),
            missing=self._conditions("assume"),
            correction=correction,
            working=self._of_point(given["working"], "working") if "working" in given else self._false_rows,
            stated=tuple(self._named("stated", name, Stated, "range") for name in given.get("stated", ())),
            notes=given.get("note", ""),
            place=tuple(given.get("place", ())),
            told={"How both sides are computed": tuple(filter(None, [getdoc(self.function)]))},
        )

    def _argued(self, given: Mapping[str, Any], theorems: tuple[str, ...]) -> Proof:
        """Return the proof of a claim with ``words`` or ``theorems``; an entry may name a text of the file."""
        texts = {key: " ".join(text.split()) for key, text in self.data.get("texts", {}).items()}
        argument, words = (
            [texts.get(x, " ".join(x.split())) for x in given.get(key, ())] for key in ("argument", "words")
        )
        found = self._function(given["certificates"], "certificates")() if "certificates" in given else ()
        return Proof(given.get("covers", ""), " ".join(argument), tuple(found), tuple(words), theorems=theorems)

    def _theorems(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of Coq theorems after a look at the table of the package: they must be about this claim.

        The tests of the package compile the theorems, and compare their statements with the table.
        """
        listed = _table(self.module.__name__.partition(".")[0]) if names else {}
        about = [listed.get((self.id, name), "") for name in names]
        told = f"no row of coq/theorems.json has the claim {self.id} and the theorem"
        for name, proves in zip(names, about, strict=True):
            self.place.at("theorems").require(bool(proves), f"{told} {shown(name)}")
        whole = [proves for proves in about if proves.startswith(_WHOLE)]
        self.place.at("theorems").require(
            bool(whole) or not names, f"one theorem proves the whole claim: its row begins with one of {list(_WHOLE)}"
        )
        return tuple(names)

    def _reading(self, changed: Mapping[str, Any], number: int) -> Reading:
        """Return a reading: the parts of the claim with other keys."""
        place = self.place.reading(number)
        given = changed_keys(self.given, changed, _HELD, _NEEDED, place, _NEEDS)
        other = _Rows(self.data, self.name, given, self.module, place).claim()
        parts = {name: getattr(other, name) for name in _CHANGED}
        return Reading(changed["name"], " ".join(changed["rests_on"].split()), parts)

    def _named(self, key: str, name: str, kind: Any, told: str) -> Any:
        """Return a function, a domain or a range of the module."""
        found: Any = getattr(self.module, name, None)
        has = f"{self.module.__name__} has no {told} {shown(name)}"
        self.place.at(key).require(isinstance(unwrap(found), kind), has)  # a cache keeps the function
        return found

    def _function(self, name: str, key: str) -> Callable[..., Any]:
        return self._named(key, name, FunctionType, "function")  # type: ignore[no-any-return]

    def _constants(self, key: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the constants of ``true`` or of a mutant; a text is a number."""
        loose = sorted({*given} - self.constants)
        self.place.at(key).require(not loose, f"unknown constants {loose}; allowed are {sorted(self.constants)}")
        try:
            return {name: Fraction(value) if isinstance(value, str) else value for name, value in given.items()}
        except (ValueError, ZeroDivisionError):
            raise CardError(f'{self.place}: a text is a number, as "1/3": received {shown(given)}') from None

    def _sizes(self) -> Iterator[tuple[str, list[int]]]:
        for name, ends in self.sizes.items():
            meets = isinstance(ends, list) and len(ends) == 2 and all(type(x) is int for x in ends)
            told = f"a size is [least, largest], and no variable of `for`: received {name} = {shown(ends)}"
            self.place.at("sizes").require(meets and 0 <= ends[0] <= ends[1] and name not in self.types, told)
            yield name, ends

    def _domain(self, name: str, kind: str, arguments: list[str]) -> Domain:
        allowed = {*_TYPES, *_FINITE, *_NUMBERS, "given"}
        self.place.at("for").require(kind in allowed, f"unknown type {shown(kind)}; allowed are {_ALLOWED}")
        if kind == "given":
            self.place.require(len(arguments) == 1, "`given` needs the name of one domain, as `given NAME`")
            return self._named("for", arguments[0], Domain, "domain")  # type: ignore[no-any-return]
        told = f"{name} is {shown(' '.join([kind, *arguments]))}: write a type with its arguments, as `real 0 1`"
        try:
            if kind in _NUMBERS:
                found = _NUMBERS[kind](*arguments)
                inside = all(each.holds({"x": x}) for x in found.boundary for each in found.relation)
                self.place.require(inside and len(found.boundary) > 0, told)
                return found
            for each in arguments:
                _size(each, dict.fromkeys(self.sizes, 1))
        except (TypeError, ValueError, LookupError, ZeroDivisionError):
            raise CardError(f"{self.place}: {told}, or `index k` with a size k") from None
        meaning = _FINITE[kind][0] if kind in _FINITE else _TYPES[kind].meaning
        self.place.require(len(arguments) == meaning.count("{}"), f"{told}, or `index k` with a size k")
        if kind in _FINITE:
            return Domain(meaning.format(*arguments), (), not_drawn)
        made = _TYPES[kind]
        return Domain(meaning.format(*arguments), (), not_drawn, entries={(): made.entries}, whole_groups=made.groups)

    def _side(self, side: Callable[..., Any], function: Callable[..., Any]) -> Any:
        side.__module__, side.__doc__ = function.__module__, getdoc(function)
        return side

    def _rows(self, constants: Mapping[str, Any]) -> Rows:
        """Return the rows at a point with these constants."""
        function, names, more = self.function, tuple(self.named), dict(constants)

        def rows(point: Point) -> Sequence[Row]:
            return function(**{name: point[name] for name in names}, **more)  # type: ignore[no-any-return]

        return self._side(rows, function)  # type: ignore[no-any-return]

    def _conditions(self, key: str) -> tuple[Condition, ...]:
        return tuple(self._condition(text, key) for text in self.given.get(key, ()))

    def _condition(self, text: str, key: str) -> Condition:
        """Return a condition: a relation of variables that are numbers, or the name of a function."""
        words, _, name = text.rpartition(": ")
        place = self.place.at(key, text)
        if not name.isidentifier():
            with place:
                found = Condition(words or name, name)
            self._require_types({each for relation in found.relation for each in relation.names()}, place)
            return found
        function = self._function(name, key)
        at_point = self._of_point(name, key)

        def holds(point: Point) -> bool:
            return bool(at_point(point))

        return Condition(words or (getdoc(function) or name).split("\n")[0], self._side(holds, function))

    def _of_point(self, name: str, key: str) -> Callable[[Point], Any]:
        """Return the function of a point that calls a function of the module with the variables that it names."""
        function = self._function(name, key)
        names = tuple(signature(function).parameters)
        self._require_types(names, self.place)

        def at_point(point: Point) -> Any:
            return function(**{name: point[name] for name in names})

        return self._side(at_point, function)  # type: ignore[no-any-return]

    def _require_types(self, names: Iterable[str], place: CardPlace) -> None:
        loose = sorted({*names} - self.domains.keys())
        place.require(not loose, f"names without a type: {', '.join(loose)}; write it in `for`")

    def _false_rows(self, point: Point) -> str:
        """Return the rows that are false at a point, each with both values."""
        rows = self.function(**{name: point[name] for name in self.named})
        return "\n".join(
            f"{name}: {value_text(value)}, and not {_SIGNS.get(sign, sign + ' ')}{value_text(said)}"
            for name, value, sign, said in rows
            if not agrees(sides([(name, value, sign, said)])[0][name], value)
        )

    def _shapes(self) -> list[dict[str, Any]]:
        """Return the sizes with the values of finite types, at most 240 of them."""
        where = [part for text in self.given.get("where", ()) for part in _of_sizes(text, set(self.sizes))]
        found: list[dict[str, Any]] = []
        for values in product(*(range(low, high + 1) for low, high in self.sizes.values())):
            sizes = dict(zip(self.sizes, values, strict=True))
            if not all(relation.holds(sizes) for relation in where):
                continue
            finite = {
                name: _FINITE[kind][1](*(_size(each, sizes) for each in arguments))
                for name, (kind, *arguments) in self.types.items()
                if kind in _FINITE
            }
            found += [{**sizes, **dict(zip(finite, chosen, strict=True))} for chosen in product(*finite.values())]
        return found if len(found) <= _MOST_SHAPES else random.Random(5).sample(found, _MOST_SHAPES)

    def _cases(self) -> Iterator[Point]:
        """Iterate over points: some for each shape."""
        rng, shapes = random.Random(1), self._shapes()
        for shape in shapes:
            for _ in range(max(3, self.given.get("points", _POINTS) // len(shapes))):
                yield {name: self._value(name, shape, rng) for name in self.domains}

    def _value(self, name: str, shape: Mapping[str, Any], rng: random.Random) -> Any:
        if name in shape:
            return shape[name]
        kind, *arguments = self.types[name]
        if kind in _TYPES:
            return _TYPES[kind].draw(rng, *(_size(each, shape) for each in arguments))
        domain = self.domains[name]
        return domain.draw(rng) if domain.draw and rng.random() < 0.6 else rng.choice(domain.boundary)


def _joined(key: str, value: Any) -> Any:
    """Return a text on one line, and any other value as it is."""
    return " ".join(value.split()) if key in _TEXTS and isinstance(value, str) else value


def _of_sizes(text: str, sizes: set[str]) -> Iterator[Any]:
    name = text.rpartition(": ")[2]
    for relation in () if name.isidentifier() else relations(name):
        if relation.names() <= sizes:
            yield relation


def _size(text: str, sizes: Mapping[str, Any]) -> int:
    """Return a size: a number, a name, or ``2^n``."""
    base, _, power = text.rpartition("^")
    value = int(power) if power.isdigit() else int(sizes[power])
    return int(base) ** value if base else value
