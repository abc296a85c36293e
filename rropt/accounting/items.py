"""Items of a composition: parse the user's input into levels and loss pairs."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rropt.accounting.loss_pairs import LossPair
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, UnsupportedProblemError, shown
from rropt.core.exact import Delta, Epsilon
from rropt.core.files import read_text
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import is_matrix, mechanism_of_argument, required_mechanism, stated_mechanism
from rropt.mechanisms.joint import JointMechanism

MAX_COUNT = 10**9  # responses in one item
_DIGITS = 60  # decimal digits of the rational bounds of an irrational gamma
_COPIES = re.compile(r"(.+?)\*([1-9][0-9]{0,9})", re.DOTALL)
_WRONG_COUNT = re.compile(r"(.+)\*([-+0-9.,/ ]*)", re.DOTALL)
_LEVEL = re.compile(r"(?:[-+0-9./,%\s()*]|(?<=[0-9.])[eE](?=[-+0-9])|log|ln|exp|inf)+")
_FORMS = (
    "a level such as 1/2 or log(3), a level with delta such as 1,1/1000, or a mechanism such as warner:3/4 or a file; "
    "append *100 for 100 of it"
)
_BOUND = " (its exact law is not known here: its level, an upper bound)"
_COLUMNS = ("question", "mechanism", "epsilon", "gamma", "delta", "count")


@dataclass(frozen=True, slots=True)
class Item(Result):
    """One or more mechanisms of the same kind.

    Attributes:
        name: the text that the user wrote.
        epsilon: the level if the input is not revealed; infinite if delta is 1.
        delta: the probability that the input is revealed.
        count: the number of mechanisms.
        atoms: the loss pair; None if it is that of binary randomized response at ``epsilon``.
        attained: whether some pair of inputs attains the bound. False for a mechanism whose loss pair is not known,
            which enters with its level: this bounds the mechanism from above only.
        mechanism: the mechanism; ``None`` for a level. It is not part of the JSON output.
    """

    name: str
    epsilon: Epsilon
    delta: Delta
    count: int
    atoms: tuple[tuple[Fraction, Fraction], ...] | None = None
    attained: bool = True
    mechanism: Mechanism | None = field(default=None, compare=False, repr=False)

    LABELS = labelled(name="mechanism", epsilon="epsilon", delta="delta", count="how many")

    @property
    def is_bound(self) -> bool:
        """Whether the level is only an upper bound: that of a mechanism whose loss pair is not known."""
        return self.atoms is None and not self.attained

    def pairs(self) -> tuple[LossPair, LossPair]:
        """Return two rational loss pairs, a lower and an upper bound; they are equal if the item is rational."""
        if self.atoms is not None:
            return (LossPair(self.atoms),) * 2
        below, above = map(LossPair.of_level, self.epsilon.gamma_bracket(_DIGITS))
        return below, above


def is_level(text: str) -> bool:
    """Return whether a text has the form of a privacy level rather than of a mechanism."""
    return _LEVEL.fullmatch(text.strip()) is not None


def mechanism_or_level(given: object) -> Mechanism | Epsilon:
    """Read a mechanism, a matrix or a level, or their text form; a result stands for its mechanism."""
    given = stated_mechanism(given)
    if (isinstance(given, str) and not is_level(given)) or is_matrix(given):
        return required_mechanism(given)
    return given if isinstance(given, Mechanism) else Epsilon.of(given)


def kary_chances(mechanism: Mechanism) -> tuple[Fraction, Fraction] | None:
    """Return the probabilities of the true and of each other category in k-ary randomized response; else None."""
    k = mechanism.inputs
    if mechanism.shape != (k, k) or k < 2:
        return None
    p, q = mechanism[0, 0], mechanism[1, 0]
    same = (mechanism[i, j] == (p if i == j else q) for i in range(k) for j in range(k))
    return (p, q) if q <= p and all(same) else None


def require_clear_items(items: Sequence[Any]) -> None:
    """Refuse a mechanism and an integer after it, which may be its number of copies or a second level.

    One copy is no number of copies, and ``"warner:3/4*3"`` has its own.

    >>> require_clear_items(["warner:3/4", 10])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    rropt.core.errors.InvalidParameterError: an integer after a mechanism has two readings: received 10; ...
    """
    if len(items) != 2 or type(items[1]) is not int or items[1] < 2:
        return
    first = stated_mechanism(items[0])
    is_text = isinstance(first, str) and not is_level(first) and _COPIES.fullmatch(first.strip()) is None
    if isinstance(first, Mechanism) or is_text or is_matrix(first):
        raise InvalidParameterError(
            f"an integer after a mechanism has two readings: received {items[1]}; write (mechanism, {items[1]}) for "
            f"{items[1]} copies, or the text '{items[1]}' for a level"
        )


def read_items(items: Sequence[Any]) -> tuple[Item, ...]:
    """Parse a sequence of items: texts, levels, (epsilon, delta) pairs or mechanisms, with optional counts."""
    if isinstance(items, (str, Mechanism)):
        items = [items]
    return tuple(part for item in items for part in _parts(_read(item)))


def read_table(path: str) -> tuple[Item, ...]:
    """Read the items of a CSV table with one survey question per row.

    The table has a header. Each row has a ``mechanism`` in text form, or an ``epsilon`` or ``gamma``. The columns
    ``delta``, ``count`` (default 1) and ``question`` (a name) are optional.
    """
    text = read_text(path, what="table of questions")
    try:
        table = csv.DictReader(io.StringIO(text))
        rows = list(table)
        header = [name.strip() for name in (rows[0] if rows else table.fieldnames or [])]
    except (csv.Error, AttributeError) as error:  # AttributeError: a row with more cells than the header has no name
        told = error if isinstance(error, csv.Error) else "a row has more cells than the header"
        raise FileFormatError(f"table of questions is not CSV: {told}; write one question in each row") from None
    unknown = [name for name in header if name not in _COLUMNS]
    if unknown or not {"mechanism", "epsilon", "gamma"} & set(header):
        raise FileFormatError(
            f"table of questions has another header: received {shown(','.join(map(str, header)))}; allowed are columns "
            f"of {', '.join(_COLUMNS)}, with one of mechanism, epsilon, gamma"
        )
    return tuple(part for line, row in enumerate(rows, 2) for part in _parts(_of_row(row, line)))


def _of_row(row: Mapping[str, Any], line: int) -> Item:
    cells = {str(key).strip(): (value or "").strip() for key, value in row.items() if isinstance(value, str)}
    given = [name for name in ("mechanism", "epsilon", "gamma") if cells.get(name)]
    try:
        if len(given) != 1:
            raise InvalidParameterError(f"received {len(given)} of mechanism, epsilon, gamma; allowed is one of them")
        count = cells.get("count") or "1"
        if not re.fullmatch(r"[0-9]{1,10}", count):
            raise InvalidParameterError(f"the count is not a whole number: received {shown(count)}")
        if given == ["mechanism"]:
            if cells.get("delta"):
                raise InvalidParameterError("a mechanism has a delta of its own: leave the cell delta empty")
            item = _read(cells["mechanism"])
        else:
            level = Epsilon.of(cells["epsilon"]) if given == ["epsilon"] else Epsilon.of_gamma(cells["gamma"])
            item = _of_level(cells[given[0]], level, Delta.of(cells.get("delta") or "0"))
    except RroptError as error:
        raise FileFormatError(f"table of questions, line {line}: {error}") from None
    return replace(_copied(item, int(count)), name=cells.get("question") or item.name)


def _read(item: Any) -> Item:
    if isinstance(item, Item):
        return item
    item = stated_mechanism(item)
    if isinstance(item, JointMechanism):
        raise UnsupportedProblemError(
            f"the responses of {shown(item)} depend on each other: a composition needs mechanisms that randomize "
            "independently; use `rropt privacy` for a deck sampled without replacement"
        )
    if is_matrix(item):
        item = required_mechanism(item)
    if isinstance(item, Mechanism):
        return _of_mechanism(item.name or "mechanism", item)
    if isinstance(item, Epsilon) or hasattr(item, "epsilon"):
        delta = getattr(item, "delta", "0")
        level = item if isinstance(item, Epsilon) else item.epsilon
        return _of_level(str(level), level, Delta.of("0" if callable(delta) else delta))
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], int) and not isinstance(item[1], bool):
        return _copied(_read(item[0]), item[1])
    if isinstance(item, (tuple, list)) and len(item) == 2:
        level, delta = _level(item[0]), Delta.of(item[1])  # before the name: numbers may be too long for a text
        return _of_level(",".join(map(str, item)), level, delta)
    if isinstance(item, str):
        return _of_text(item)
    level = Epsilon.of(item)
    return _of_level(str(item), level, Delta.of("0"))


def _level(value: Any) -> Epsilon:
    is_infinite = isinstance(value, (str, float, Decimal)) and value in ("inf", float("inf"))
    return Epsilon("infinite") if is_infinite else Epsilon.of(value)


def _of_text(text: str) -> Item:
    """Parse an item: a trailing ``*N`` is a count, unless only the whole text is a mechanism."""
    found = _COPIES.fullmatch(text.strip())
    if found:
        try:
            return _copied(_of_text(found[1]), int(found[2]))
        except RroptError:
            if os.path.exists(found[1].strip()):  # noqa: PTH110  # Path.exists raises for names that no file can have
                raise
    try:
        return _of_one(text)
    except RroptError:
        _refuse_count(text)
        raise


def _refuse_count(text: str) -> None:
    """Reject an item of which only the count is wrong."""
    found = _WRONG_COUNT.fullmatch(text.strip())
    if found is None:
        return
    try:
        _of_one(re.sub(r"(\*[1-9][0-9]{0,9})+$", "", found[1]))  # in front of the last count others are allowed
    except RroptError:
        return
    raise InvalidParameterError(
        f"the count of an item is not allowed: received {shown(found[2])} in {shown(text)}; allowed is an integer from "
        f"1 to {MAX_COUNT}; leave out an item without copies"
    )


def _of_one(text: str) -> Item:
    """Parse an item without a count."""
    bare = text.strip()
    if is_level(bare):
        parts = bare.split(",")
        if len(parts) > 2:
            raise InvalidParameterError(f"an item has {len(parts)} parts: received {shown(text)}; allowed is {_FORMS}")
        return _of_level(bare, _level(parts[0].strip()), Delta.of(parts[1].strip() if parts[1:] else "0"))
    try:
        return _of_mechanism(bare, mechanism_of_argument(bare))
    except RroptError as error:
        raise InvalidParameterError(
            f"an item is not read: received {shown(text)}: {error}; allowed is {_FORMS}"
        ) from None


def _of_level(name: str, level: Epsilon, delta: Delta) -> Item:
    return Item(name, level, Delta.of("1") if level.is_infinite else delta, 1)


def _of_mechanism(name: str, mechanism: Mechanism) -> Item:
    try:
        found = LossPair.of_mechanism(mechanism)
    except UnsupportedProblemError:  # too many likelihood ratios, or too large to be written out
        found = None
    if found is None:
        level = mechanism.epsilon
        if level.is_infinite and len(mechanism.factors) == 1:
            raise UnsupportedProblemError(
                f"the privacy profile of {shown(name)} is known between bounds only, and its level is infinite: it "
                "cannot be composed; compose a smaller mechanism, or round its probabilities"
            )
        return Item(f"{name}{_BOUND}", level, Delta.of("0"), 1, attained=False, mechanism=mechanism)
    pair, attained = found
    if pair.delta == 1:
        return Item(name, Epsilon("infinite"), Delta.of("1"), 1, mechanism=mechanism)
    atoms = None if pair.is_binary else pair.atoms
    return Item(name, Epsilon.of_parity(pair.parity), Delta.of(pair.delta), 1, atoms, attained, mechanism)


def _parts(item: Item) -> tuple[Item, ...]:
    """Return an item; of a product whose profile has too many odds, the items of its questions."""
    if not item.is_bound or item.mechanism is None or len(item.mechanism.factors) == 1:
        return (item,)
    name, counted = item.name.removesuffix(_BOUND), Counter(item.mechanism.factors)
    return tuple(
        _copied(_of_mechanism(f"a question of {name}", factor), item.count * number)
        for factor, number in counted.items()
    )


def _copied(item: Item, times: int) -> Item:
    count = item.count * times
    if not 0 <= count <= MAX_COUNT:
        raise InvalidParameterError(
            f"the count of an item is out of range: received {shown(count)}; allowed is 0 to {MAX_COUNT}"
        )
    return replace(item, count=count)


def merged(items: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """Merge equal items, and iterate over the different ones with their total counts."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for item in items:
        key = (item.epsilon, item.delta, item.atoms, item.attained)
        found.setdefault(key, [item, 0])[1] += item.count
    yield from ((item, count) for item, count in found.values() if count)
