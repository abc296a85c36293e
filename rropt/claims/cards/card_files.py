"""Files of cards: one TOML file for each paper. An error names the card, the key, the line, and what is allowed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any

from rropt.claims.cards.judge import Growth, Statement, Values
from rropt.claims.language import (
    BUILT_IN,
    NAME,
    Definition,
    StatementRow,
    Tree,
    names_of,
    nodes,
    read_condition,
    read_definition,
    read_expression,
    read_row,
)
from rropt.core.errors import InvalidParameterError, RroptError, shown
from rropt.core.files import toml_values

Kind = tuple[str, Callable[[Any], bool]]  # what a key has, in the words of a message, and its test

_MOST_CARDS, _MOST_ROWS, _LONGEST = 400, 200, 2_000_000


def _list_of(kind: type) -> Callable[[Any], bool]:
    return lambda given: (
        isinstance(given, list) and len(given) <= _MOST_ROWS and all(type(each) is kind for each in given)
    )


TEXT: Kind = "a text", lambda given: isinstance(given, str)
TABLE: Kind = "a table", lambda given: isinstance(given, dict)
LIST: Kind = f"a list of at most {_MOST_ROWS} texts", _list_of(str)
TABLES: Kind = f"a list of at most {_MOST_ROWS} tables", _list_of(dict)
ORDER: Kind = "a list of whole numbers, as [section, number]", _list_of(int)
WORDS: Kind = (
    'a table of texts that are not empty, as { p = "..." }',
    lambda given: isinstance(given, dict) and all(isinstance(x, str) and x.split() for x in given.values()),
)
_TEXTS = ("printed", "precise", "note", "correction", "source")
_LISTS = (
    "for",
    "let",
    "says",
    "assume",
    "true",
    "true_for",
    "split",
    "true_split",
    "step",
    "true_step",
    "false",
)
_KEYS: dict[str, Kind] = {
    **dict.fromkeys(_TEXTS, TEXT),
    **dict.fromkeys([*_LISTS, "words"], LIST),
    "place": ORDER,
    "also": TABLES,
    "fails": TABLE,
    "grow": TABLE,
    "reading": TABLES,
}
_OF_CLAIM = ("printed", "precise", "source", "place", "reading")  # of a claim as a whole, not of a reading
_OF_FILE = {"paper": TEXT, "source": TEXT, "define": LIST, "tie": WORDS, "symbols": WORDS, "card": TABLE}
_OF_GROW = {"over": LIST, "start": WORDS, "step": WORDS, "keeps": LIST}
PRINTED = {"printed": "the sentence as the paper prints it"}
_NEEDED = {
    **PRINTED,
    "says": "the rows of the statement",
    "false": "rows that are slightly false, which the same check must reject",
}
_NEEDS = dict.fromkeys(["correction", "true_split", "true_step"], ("true", "true_for"))
_NUMBERED = re.compile(
    r"(algorithm|claim|corollary|eq|example|figure|lemma|proposition|sec|table|theorem)-(\d+(?:\.\d+)*)(?:-[a-z].*)?"
)
_PRINTED = {"eq": "equation ({})", "sec": "section {}"}  # the other words of an id get a capital
_READING = {"name": "the reading in a few words", "rests_on": "the passage of the paper that it rests on"}
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
_HEAD = re.compile(r'\s*\[+(?:card|rows)\."')
_REAL = re.compile(r"\s*([a-z][a-z0-9_]*)\s+real\s*")
_INTEGER = re.compile(r"\s*([a-z][a-z0-9_]*)\s+in\s+(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})?\s*")


@dataclass(frozen=True, slots=True)
class Card:
    """A card: the texts that a reader sees, and the statements that are judged.

    Attributes:
        id: ``<paper>.<entry>``.
        texts: ``printed``, ``precise``, ``note``, ``correction``, ``source``.
        place: section and position, for the order of print.
        printed: the statement as printed.
        assume: conditions that the paper omits.
        true: the corrected statement; None without one.
        fails: the point of the counterexample; None without one.
        false: mutants, each a false row.
        names: the definitions of the file and of the card by name.
        told: ``tie``: by the name of a definition, what proves it from the law of the answers: a Coq theorem, or a
            claim that holds at sizes, as ``claim: sizes``; ``symbols``: the meaning of a variable, by its name.
        readings: the name, the passage and the card of each reading.
    """

    id: str
    texts: Mapping[str, str]
    place: tuple[int, ...]
    printed: Statement
    assume: tuple[Tree, ...]
    true: Statement | None
    fails: Values | None
    false: tuple[StatementRow, ...]
    raw: Mapping[str, Any] = field(hash=False, repr=False)
    names: Mapping[str, Definition] = field(hash=False, repr=False)
    told: Mapping[str, Mapping[str, str]] = field(hash=False, repr=False)
    readings: tuple[tuple[str, str, Card], ...] = ()

    @property
    def definitions(self) -> dict[str, str]:
        """The definitions of the file that the card uses, itself or through others, in their order."""
        grow = self.raw.get("grow", {})
        texts = [text for key in _LISTS for text in self.raw.get(key, ())]
        texts += [*grow.get("over", ()), *grow.get("keeps", ())]
        texts += [text for key in ("start", "step") for text in grow.get(key, {}).values()]
        return {name: self.names[name].text for name in _used(texts, self.names) if self.names[name].arguments}

    @property
    def sizes(self) -> list[str]:
        """The ties of its definitions that hold at sizes only, each with its claim."""
        ties = {name: by.partition(": ") for name, by in self.told.get("tie", {}).items() if ":" in by}
        return [f"{ties[name][2]} ({name}, by {ties[name][0]})" for name in self.definitions if name in ties]

    def abbreviations(self, text: str) -> dict[str, Tree]:
        """Return the abbreviations that a text uses, itself or through others, in their order."""
        known = {name: each for name, each in self.names.items() if not each.arguments}
        return {name: known[name].tree for name in _used([text], known)}


def _used(texts: list[str], known: Mapping[str, Definition]) -> list[str]:
    """Return the names that texts use, themselves or through others, in the order of the file."""
    used, waiting = set[str](), [*texts]
    while waiting:
        new = {word for word in re.findall(r"\w+", waiting.pop()) if word in known} - used
        used |= new
        waiting += [known[name].text for name in new]
    return [name for name in known if name in used]


def read_cards(text: str, what: str, *, is_official: bool = True) -> dict[str, Card]:
    """Return the cards of a TOML file by id.

    Args:
        text: the content of the file.
        what: the name of the file, for messages.
        is_official: whether rropt answers for the ties of the file; else their texts say that the file says so.

    Raises:
        InvalidParameterError: the file is not a file of cards.
    """
    if len(text) > _LONGEST:
        raise InvalidParameterError(f"{what} has {len(text)} characters: allowed are {_LONGEST}")
    try:
        data = toml_values(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidParameterError(f"{what} is no TOML: {shown(str(error))}") from None
    place = CardPlace(what, text)
    require_keys(data, _OF_FILE, {"paper": "the name of the paper"}, place)
    paper, cards = data["paper"], data.get("card", {})
    place.at("paper").require(_ID.fullmatch(paper) is not None and "." not in paper, "`paper` names the paper")
    place.at("").require(0 < len(cards) <= _MOST_CARDS, f'`[card."..."]` is there 1 to {_MOST_CARDS} times')
    known: dict[str, Definition] = {}
    for line in data.get("define", ()):
        with place.at("define", line):
            name, definition = read_definition(line, known)
            known[name] = definition
    told = {key: data.get(key, {}) for key in ("tie", "symbols")}
    loose = set(told["tie"]) - set(known)
    place.at("tie").require(not loose, f"ties of unknown definitions {_listed(loose)}")
    if not is_official:
        told["tie"] = {name: f"{by}, as the file says" for name, by in told["tie"].items()}
    found = {}
    for name, given in cards.items():
        here = CardPlace(what, text, name)
        here.require(_ID.fullmatch(name) is not None, "the id of a card has a-z, 0-9, hyphens and dots")
        here.require(isinstance(given, dict), "a card is a table")
        require_keys(given, _KEYS, _NEEDED, here, _NEEDS)
        found[f"{paper}.{name}"] = _card(f"{paper}.{name}", given, known, data.get("source", paper), here)
    return {name: _with_told(card, told) for name, card in found.items()}


def place_of(entry: str, given: Mapping[str, Any]) -> str:
    """Return the key ``source``, or the place that an id states (``theorem-3.1-proof``: Theorem 3.1), or ``""``."""
    if given.get("source"):
        return str(given["source"])
    if (found := _NUMBERED.fullmatch(entry)) is None:
        return ""
    kind, number = found.groups()
    return _PRINTED.get(kind, f"{kind.capitalize()} {{}}").format(number)


def _with_told(card: Card, told: Mapping[str, Mapping[str, str]]) -> Card:
    readings = tuple((name, passage, _with_told(each, told)) for name, passage, each in card.readings)
    return replace(card, told=told, readings=readings)


def _listed(words: Any) -> str:
    return shown(", ".join(sorted(map(str, words))))


class CardPlace:
    """Where a message points: the file, the card and the key with its line."""

    def __init__(self, what: str, text: str, card: str = "", number: int = 0) -> None:
        self.what, self.text, self.card, self.number = what, text, card, number
        self.key, self.part = "", ""

    def reading(self, number: int) -> CardPlace:
        """Return the place of a reading of the card, by its number from 1."""
        return CardPlace(self.what, self.text, self.card, number)

    def at(self, key: str, part: str = "") -> CardPlace:
        """Point to a key, and to a line of its value; errors in a ``with`` block are raised with this place."""
        self.key, self.part = key, part
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, RroptError) and not isinstance(error, CardError):
            raise CardError(f"{self}: {error}") from None

    def __str__(self) -> str:
        lines = self.text.splitlines()
        heads = [i for i, each in enumerate(lines) if each.strip().startswith("[") and f'"{self.card}"' in each]
        start = heads[self.number] if self.card and self.number < len(heads) else 0
        after = (i for i in range(start + 1, len(lines)) if self.card and _HEAD.match(lines[i]))
        inside = range(start, next(after, len(lines)))
        line = next((i for i in inside if self.part and self.part in lines[i]), None)
        if line is None:
            line = next((i for i in inside if self.key and re.match(rf"\s*{re.escape(self.key)}\s*=", lines[i])), start)
        where = f", card {shown(self.card)}" if self.card else ""
        return f"{self.what}, line {line + 1}{where}{f', key {self.key}' if self.key else ''}"

    def require(self, meets: bool, told: str) -> None:
        """Raise an error at this place unless a condition is met."""
        if not meets:
            raise CardError(f"{self}: {told}")


class CardError(InvalidParameterError):
    """A card cannot be read."""


def require_keys(
    given: Mapping[str, Any],
    allowed: Mapping[str, Kind],
    needed: Mapping[str, str],
    place: CardPlace,
    needs: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> None:
    """Raise ``CardError`` unless all keys are known and have what they may have, and the needed ones are there.

    Args:
        given: the keys with their values.
        allowed: what each key may have.
        needed: the keys that must be there, with their meaning.
        place: the place of the keys.
        needs: for a key the others, of which it needs one.
    """
    for key, value in given.items():
        place.at(key).require(key in allowed, f"unknown key {shown(key)}; allowed are {', '.join(allowed)}")
        told, meets = allowed[key]
        place.require(meets(value), f"`{key}` is {told}: received {shown(value)}")
    place.at("")
    for key, meaning in needed.items():
        place.require(bool(given.get(key)), f"the key `{key}` is missing: {meaning}")
    for key in needs.keys() & given.keys() if "reading" not in given else ():  # each reading is checked alone
        place.at(key).require(any(map(given.get, needs[key])), f"`{key}` needs `{needs[key][0]}`")


def _card(name: str, given: Mapping[str, Any], known: Mapping[str, Definition], source: str, place: CardPlace) -> Card:
    names = dict(known)
    for line in given.get("let", ()):
        with place.at("let", line):
            key, definition = read_definition(line, names)
            if not definition.arguments:
                _no_clash(key, given)
            names[key] = definition
    printed = _statement(given, names, place, "for", "says", "split", "step")
    assume = _conditions(given, names, place, "assume")
    true = None
    if given.get("true") or given.get("true_for"):
        true_given = {**given, "true": given.get("true") or given["says"]}
        true = _statement(true_given, names, place, "for", "true", "true_split", "true_step", more="true_for")
    fails = None if "fails" not in given else _point(given["fails"], printed, place.at("fails"))
    false = _rows(given, names, place, "false")
    allowed = set(printed.names) | set(true.names if true else ())
    for row in false:
        loose = (names_of(row.relation) | names_of(row.condition)) - allowed
        place.at("false", row.text).require(not loose, f"undeclared names {_listed(loose)}")
    texts = {key: given.get(key, "") for key in ("printed", "precise", "note", "correction")}
    texts["source"] = ", ".join(filter(None, (source, place_of(name.partition(".")[2], given))))
    card = Card(name, texts, tuple(given.get("place", ())), printed, assume, true, fails, false, given, names, {})
    readings = []
    for number, each in enumerate(given.get("reading", ()), 1):
        there = place.reading(number)
        changed = changed_keys(given, each, _KEYS, _NEEDED, there, _NEEDS)
        readings.append((each["name"], each["rests_on"], _card(name, changed, known, source, there)))
    return replace(card, readings=tuple(readings))


def changed_keys(
    given: Mapping[str, Any],
    reading: Mapping[str, Any],
    allowed: Mapping[str, Kind],
    needed: Mapping[str, str],
    place: CardPlace,
    needs: Mapping[str, tuple[str, ...]],
) -> dict[str, Any]:
    """Return the keys of a claim with those that a reading changes, and without those that it leaves out."""
    own = {**dict.fromkeys(_READING, TEXT), "without": LIST}
    require_keys(reading, {key: kind for key, kind in allowed.items() if key not in _OF_CLAIM} | own, _READING, place)
    without = reading.get("without", ())
    loose = set(without) - set(given)
    place.at("without").require(not loose, f"the claim has no key {_listed(loose)}, so no reading leaves it out")
    changed = {key: value for key, value in given.items() if key not in ("reading", *without)}
    changed |= {key: value for key, value in reading.items() if key not in own}
    require_keys(changed, allowed, needed, place, needs)
    return changed


def _no_clash(name: str, given: Mapping[str, Any]) -> None:
    """Reject an abbreviation with the name of a variable: the scope would speak of something else."""
    for text in given.get("for", []):
        if re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}\s+in\s", text):
            raise InvalidParameterError(
                f"an abbreviation has the name of a variable: received {shown(name)}; rename it"
            )


def _read(
    read: Callable[..., Any], given: Mapping[str, Any], names: Any, place: CardPlace, key: str
) -> tuple[Any, ...]:
    """Return the texts of a key, each read by a function of the language."""
    found = []
    for text in given.get(key, ()):
        with place.at(key, text):
            found.append(read(text, names))
    return tuple(found)


_conditions, _rows = partial(_read, read_condition), partial(_read, read_row)


def _statement(
    given: Mapping[str, Any],
    names: Mapping[str, Definition],
    place: CardPlace,
    scope: str,
    rows: str,
    split: str,
    step: str,
    more: str = "",
) -> Statement:
    integers: dict[str, tuple[int, int | None]] = {}
    conditions = []
    for key in filter(None, (scope, more)):
        for text in given.get(key, ()):
            found = _INTEGER.fullmatch(text)
            with place.at(key, text):
                if found is None:
                    real = _REAL.fullmatch(text)
                    conditions.append(read_condition(f"{real[1]}^2 >= 0" if real else text, names))
                    continue
                name, low, high = found[1], int(found[2]), int(found[3]) if found[3] else None
                if name in names or name in BUILT_IN or (high is not None and high < low):
                    raise InvalidParameterError(
                        f"a range has a new name and a least value first: received {shown(text)}"
                    )
                before = integers.get(name, (low, high))
                ends = [end for end in (high, before[1]) if end is not None]
                low, high = integers[name] = max(low, before[0]), min(ends, default=None)
                if high is not None and high < low:
                    raise InvalidParameterError(
                        f"the ranges of {name} have no integer in common: received {shown(text)} last; let them overlap"
                    )
    made = Statement(
        tuple(conditions),
        integers,
        _rows(given, names, place, rows),
        _conditions(given, names, place, split),
        _rows(given, names, place, step),
        grow=_growth(given["grow"], names, place, integers) if "grow" in given else None,
    )
    declared = {*integers, *(name for each in made.outer.scope for name in names_of(each))}
    if made.grow:
        known = declared.union(*map(names_of, made.grow.over))
        declared |= made.grow.start.keys()
        free = set().union(*map(names_of, made.grow.step.values())) - known - declared
        place.at("grow").require(not free, f"undeclared names {_listed(free)}: give their range in `over`")
    loose = set(made.names) - declared
    place.at(rows).require(not loose, f"undeclared names {_listed(loose)}: give their range in `for`")
    for name in made.names:
        place.at(scope).require(NAME.fullmatch(name) is not None, f"a variable is lower case: received {shown(name)}")
    for row in made.rows:
        place.at(rows, row.text).require(row.relation != row.condition, "a row repeats its condition")
        sides = [node for node in nodes(row.relation) if node[0] in ("=", "<=", ">=") and node[1] == node[2]]
        place.at(rows, row.text).require(not sides, "a row compares an expression with itself")
        in_scope = any(row.relation == condition for condition in conditions) and not row.link
        place.at(rows, row.text).require(not in_scope, "a row repeats a condition of its scope")
    lists = {"also", "fails"} & set(given) if made.grow else ()
    place.at(min(lists, default="")).require(not lists, "a point says nothing of a list: a card with `grow` has none")
    also = tuple(_point(each, made, place.at("also"), elsewhere=bool(more)) for each in given.get("also", []))
    return replace(made, also=also)


def _growth(given: Any, names: Mapping[str, Definition], place: CardPlace, integers: Mapping[str, Any]) -> Growth:
    """Return the state that grows along a list: what begins it, what an element adds, and what stays true."""
    require_keys(given, _OF_GROW, {}, place)
    every = set(given) == set(_OF_GROW)  # `over` and `keeps` may be empty
    place.at("grow").require(every, f"`grow` has the keys over, start, step and keeps: received {shown(given)}")
    start, step = given["start"], given["step"]
    same = set(start) == set(step) != set()
    place.require(same, "`start` and `step` give the same variables of the state, each an expression")
    taken = [name for name in start if not NAME.fullmatch(name) or name in names or name in integers]
    place.require(not {*taken} | ({*start} & BUILT_IN), f"a variable of the state has a new name: received {taken}")
    over, keeps = _conditions(given, names, place, "over"), _rows(given, names, place, "keeps")
    with place.at("grow"):
        trees = [{name: read_expression(text, names) for name, text in x.items()} for x in (start, step)]
    state = set(start)
    place.require(not any(row.link for row in keeps), "a row of `keeps` has no `if`")
    early = [*over, *trees[0].values()]
    place.require(
        not any(names_of(tree) & state for tree in early),
        "`over` and `start` do not mention the variables of the state",
    )
    return Growth(over, trees[0], trees[1], keeps)


def _point(given: Any, statement: Statement, place: CardPlace, *, elsewhere: bool = False) -> Values:
    place.require(
        isinstance(given, dict) and set(given) == set(statement.names),
        f"a point has a value for each of {_listed(statement.names)}: received {shown(given)}",
    )
    values = {}
    for name, text in given.items():
        is_number = isinstance(text, str) and re.fullmatch(r"-?\d{1,40}(/[1-9]\d{0,39}|\.\d{1,40})?", text)
        place.require(bool(is_number), f'a value is a text such as "1/3": received {shown(text)} for {name}')
        values[name] = Fraction(text)
    place.require(elsewhere or statement.contains(values), f"the point {shown(given)} is not in the scope of `for`")
    return values
