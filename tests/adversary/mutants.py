"""Mutants: one thing changed in an honest certificate, systematically, in every way that a table below lists."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from adversary.writing import Bare, Pairs, Path, at, put, walk, write

# Larger than any rounding of a bracket, smaller than any tolerance: neighbours that exact arithmetic alone separates.
TINY = Fraction(1, 10**30)
SMALL = Fraction(1, 10**12)

_FULLWIDTH = str.maketrans("0123456789", "０１２３４５６７８９")  # noqa: RUF001
_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_LEVELS: list[Any] = [
    {"rational": "0"},
    {"rational": "1/2"},
    {"rational": "100"},
    {"rational": "101"},
    {"rational": "-1/2"},
    {"log": "1"},
    {"log": "2"},
    {"log": "4", "times": "1/2"},  # log 2 in another form
    {"log": "2", "times": "1"},
    {"log": "2", "times": "-1"},
    {"log": "1/2", "times": "-1"},
    {"log": "1000000000001/500000000000"},
    {"log": "2", "rational": "1/2"},
    {"infinite": "inf"},
    {"exp": "-1"},
    {},
    "1/2",
    "log(2)",
]
_PARTS: list[Path] = [
    ("problem",),
    ("claim",),
    ("proof",),
    ("problem", "levels"),
    ("problem", "levels", 0, "epsilon"),
    ("problem", "levels", 0, "delta"),
    ("problem", "family"),
    ("problem", "from"),
    ("problem", "to"),
    ("claim", "lower"),
    ("claim", "upper"),
    ("claim", "mechanism"),
    ("claim", "optima"),
    ("claim", "set"),
    ("proof", "brackets", 0, "gamma"),
    ("proof", "brackets", 0, "delta"),
]


@dataclass(frozen=True)
class Mutant:
    """A change: ``edit`` takes a fresh copy of the document and returns the changed one, or its text."""

    kind: str
    where: str
    edit: Callable[[Any], Any]

    def text(self, honest: str) -> str:
        """Return the text of the mutant of an honest certificate."""
        changed = self.edit(json.loads(honest))
        return changed if type(changed) is str else write(changed)


def mutants(honest: str, others: list[str], rng: random.Random) -> list[Mutant]:
    """Return every mutant of a certificate; ``others`` lend their parts."""
    document = json.loads(honest)
    places = list(walk(document))
    made = [
        *_numbers(places),
        *_words(places),
        *_fields(document, places),
        *_swaps(places),
        *_types(places),
        *_lists(places),
        *_matrices(places),
        *_brackets(document),
        *_problems(document),
        *_parts(document, [json.loads(other) for other in others]),
    ]
    singles = [mutant for mutant in made if mutant.kind in ("number", "bracket", "bent", "part")]
    pairs = (rng.sample(singles, 2) for _ in range(len(places)))
    return made + [Mutant("two at once", f"{a.where}; {b.where}", _both(a, b)) for a, b in pairs]


def _both(a: Mutant, b: Mutant) -> Callable[[Any], Any]:
    def edit(document: Any) -> Any:
        try:
            return b.edit(a.edit(document))
        except (LookupError, TypeError):  # the first change took the place of the second away
            return a.edit(document)

    return edit


def _set(kind: str, path: Path, value: Any) -> Mutant:
    return Mutant(kind, f"{path} := {str(value)[:60]}", lambda document: put(document, path, copy.deepcopy(value)))


def _number(text: Any) -> Fraction | None:
    if not isinstance(text, str) or not set(text) <= set("-/0123456789"):
        return None
    return Fraction(text)


def _numbers(places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    found = {path: text for path, text in places if _number(text) is not None}
    for path, text in found.items():
        for other in dict.fromkeys([*_neighbours(text), *found.values()]):
            if other != text:
                yield _set("number", path, other)
        for other in dict.fromkeys(_other_writings(text)):
            if other != text:
                yield _set("writing", path, other)
        for other in (
            ("-0", "+0", "00", "0/1", "0/2", "0.0", "-") if text == "0" else (f"-{text}", f"+{text}", f"0{text}")
        ):
            yield _set("sign", path, other)


def _neighbours(text: str) -> Iterator[str]:
    x = Fraction(text)
    n, d = x.numerator, x.denominator
    values = [-x, 2 * x, x / 2, x + 1, x - 1, 1 - x, x + TINY, x - TINY, x + SMALL, x - SMALL, x * (1 + TINY)]
    values += [Fraction(n + 1, d), Fraction(n - 1, d), Fraction(n, d + 1), Fraction(d, 1), Fraction(n, 1)]
    values += [Fraction(n, d - 1)] if d > 1 else []
    values += [1 / x] if x else []
    values += [Fraction(k) for k in (0, 1, -1, 2, 3)] + [Fraction(1, 2), Fraction(10**40)]
    yield from map(str, values)
    digits = [i for i, character in enumerate(text) if character.isdigit()]
    for i in digits if len(digits) <= 12 else digits[:4] + digits[len(digits) // 2 - 2 :: 7][:4] + digits[-4:]:
        changed = text[:i] + str((int(text[i]) + 1) % 10) + text[i + 1 :]
        if not changed.endswith("/0"):
            yield changed


def _other_writings(text: str) -> Iterator[str]:
    x = Fraction(text)
    n, d = x.numerator, x.denominator
    yield from (f"{2 * n}/{2 * d}", f"{10 * n}/{10 * d}", f"{-n}/{-d}", f"{n}/-{d}", f"{n}/{d}", f"{n}/0", f"{n}//{d}")
    yield from (f"--{text}", f"-+{text}", f"{text}/1", f"{text}/", f"/{text}", f"{n} / {d}")
    yield from (f" {text}", f"{text} ", f"{text}\n", f"\t{text}", f"{text}\0", f"{text}\u200b", f"\ufeff{text}")
    yield from (f"{text}e0", f"{n}e0/{d}", f"{text}.0", f"{text}_0", f"{n}_0/{d}", f"{text}j", f"{text}%", f"({text})")
    yield from (text.translate(_FULLWIDTH), text.translate(_ARABIC), text[:-1] + text[-1].translate(_ARABIC))
    yield from (text[:-1] + text[-1].translate(_FULLWIDTH), text.replace("/", "⁄"), text.replace("/", "\\"))  # noqa: RUF001
    yield from (repr(n / d) if abs(x) < 10**300 else "inf", "0x1", "1e3", "1E3", "0b1", "½", "²")
    yield from ("", "-", "/", "nan", "NaN", "inf", "Infinity", "-Infinity", "one", "None", "__import__('os')")


def _words(places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    words = {path: text for path, text in places if isinstance(text, str) and _number(text) is None}
    more = ["all", "warner", "regret", "design-bracket", "log", "", "null", "variance "]
    for path, text in words.items():
        changed = [text.upper(), text + " ", text[:-1], text + "\0", text.replace("a", "\u0430"), text + "s"]
        for other in dict.fromkeys([*changed, *words.values(), *more]):
            if other != text:
                yield _set("word", path, other)


def _fields(document: Any, places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    for path, held in [((), document), *places]:
        if not isinstance(held, dict):
            continue
        for new in ("x", "lower", "upper", "rule", "times", "__class__", ""):
            if new not in held:
                yield _set("added", (*path, new), "1")
        for key in held:
            yield Mutant(
                "dropped", f"{(*path, key)}", _rewritten(path, lambda k, v, key=key: [] if k == key else [(k, v)])
            )
            for other in (key + "s", key.upper(), f" {key}", key[:-1], key + "\u200b", key + "\0"):
                rename = _rewritten(path, lambda k, v, key=key, other=other: [(other if k == key else k, v)])
                yield Mutant("renamed", f"{(*path, key)} as {other!r}", rename)
            for second in (held[key], "1", None, {}, []):
                twice = _rewritten(
                    path, lambda k, v, key=key, second=second: [(k, v), (k, second)] if k == key else [(k, v)]
                )
                yield Mutant("duplicated", f"{(*path, key)} and {str(second)[:40]}", twice)
                first = _rewritten(
                    path, lambda k, v, key=key, second=second: [(k, second), (k, v)] if k == key else [(k, v)]
                )
                yield Mutant("duplicated", f"{str(second)[:40]} and {(*path, key)}", first)


def _rewritten(path: Path, change: Callable[[str, Any], list[tuple[str, Any]]]) -> Callable[[Any], Any]:
    """Return the edit that replaces each pair of the object at ``path`` by a list of pairs."""
    return lambda document: put(
        document, path, Pairs(new for key, value in at(document, path).items() for new in change(key, value))
    )


def _swaps(places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    for (p, a), (q, b) in combinations(places, 2):
        if a == b or q[: len(p)] == p:
            continue

        def swap(document: Any, p: Path = p, q: Path = q) -> Any:
            a, b = at(document, p), at(document, q)
            return put(put(document, p, b), q, a)

        yield Mutant("swapped", f"{p} and {q}", swap)


def _types(places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    for path, value in places:
        others: list[Any] = [None, True, False, [], {}, "", [value], {"x": value}, [value, value], {"matrix": value}]
        others += [Bare(token) for token in ("0", "1", "-1", "1.5", "NaN", "Infinity", "-Infinity", "1e999999")]
        if isinstance(value, str):
            others += [list(value), {value: value}]
            if _number(value) is not None and "/" not in value:
                others.append(Bare(value))
        else:
            others += [json.dumps(value), Pairs((str(i), entry) for i, entry in enumerate(value or []))]
        if isinstance(value, dict):
            others += [list(value.values()), list(value), [list(pair) for pair in value.items()]]
        for other in others:
            if other != value:
                yield _set("mistyped", path, other)


def _lists(places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    for path, held in places:
        if not isinstance(held, list):
            continue
        forms = [held[:i] + held[i + 1 :] for i in range(len(held))]
        forms += [held[: i + 1] + held[i:] for i in range(len(held))]
        forms += [held[::-1], held[1:] + held[:1], held + held, held * 20, [], [held], held + [[]], held + [None]]
        for form in forms:
            if form != held:
                yield _set("list", path, form)


def _matrices(places: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    for path, rows in places:
        if path[-1] != "matrix":
            continue
        (a, b), (c, d) = rows
        forms = {"transposed": [[a, c], [b, d]], "rows swapped": [[c, d], [a, b]], "columns swapped": [[b, a], [d, c]]}
        forms |= {"turned": [[d, c], [b, a]], "flat": [a, b, c, d], "wide": [[a, b, "0"], [c, d, "0"]]}
        forms |= {"tall": [[a, b], [c, d], ["0", "0"]], "one column": [[a], [c]], "useless": [["1/2", "1/2"]] * 2}
        forms |= {"identity": [["1", "0"], ["0", "1"]]}
        for name, form in forms.items():
            if form != rows:
                yield Mutant("matrix", f"{path} {name}", _set("matrix", path, form).edit)
        p, q = Fraction(a), Fraction(d)
        for s, t in ((1, 0), (0, 1), (1, 1), (1, -1), (-1, 1), (-1, 0), (0, -1), (-1, -1)):
            for step in (TINY, SMALL, Fraction(1, 100)):  # columns still sum to 1; towards privacy in the last ones
                yield _set("bent", path, matrix(p + s * step, q + t * step))


def matrix(p00: Fraction, p11: Fraction) -> list[list[str]]:
    """Return the rows of a binary design."""
    return [[str(p00), str(1 - p11)], [str(1 - p00), str(p11)]]


def _brackets(document: Any) -> Iterator[Mutant]:
    for name in ("gamma", "delta"):
        ends = document["proof"]["brackets"][0][name]
        below, above = Fraction(ends["below"]), Fraction(ends["above"])
        moved = [(above, below), (below, below), (above, above), (Fraction(1), above), (below, Fraction(1))]
        moved += [(Fraction(0), Fraction(1)), (Fraction(1), Fraction(10**43)), (below, 2 * above), (below / 2, above)]
        for step in (TINY, SMALL, Fraction(1, 100)):
            moved += [(below - step, above + step), (below + step, above), (below, above - step)]
            moved += [(below + step, above + step), (below - step, above - step)]
        for low, high in moved:
            if (low, high) != (below, above):
                yield _set("bracket", ("proof", "brackets", 0, name), {"below": str(low), "above": str(high)})


def _problems(document: Any) -> Iterator[Mutant]:
    problem = document["problem"]
    level = problem["levels"][0]
    changes: list[tuple[str, Any]] = [("epsilon", other) for other in [*_LEVELS, *_same_level(level["epsilon"])]]
    changes += [
        ("delta", delta) for delta in ("0", "1", "1/4", "-1/4", "5/4", {"exp": "-10"}, {"exp": "0"}, {"exp": "1"})
    ]
    changes += [("pairs", pairs) for pairs in ([], [["0", "1"]], [["0", "1"], ["1", "0"]])]
    for key, value in changes:
        if value != level[key]:
            yield _set("problem", ("problem", "levels", 0, key), value)
    for key, values in (
        ("family", ("all", "warner", "mangat")),
        ("goal", ("regret", "trace")),
        ("outputs", ("1", "3", "any", "02", "2/1")),
        ("levels", ([], [level, level])),
    ):
        for value in values:
            if value != problem[key]:
                yield _set("problem", ("problem", key), value)
    pi = Fraction(problem["from"])
    for share in (1 - pi, pi + TINY, pi - TINY, pi / 2, Fraction(0), Fraction(1), Fraction(1, 2), -pi, pi + 1):
        if share != pi:
            for keys in (("from",), ("to",), ("from", "to")):
                changed = {**problem, **dict.fromkeys(keys, str(share))}
                yield _set("problem", ("problem",), changed)


def _same_level(epsilon: dict[str, str]) -> list[Any]:
    """Return other writings of the same level, none of them in the form of the format."""
    if "rational" in epsilon:
        return [{"rational": epsilon["rational"], "times": "1"}, {**epsilon, "log": "1"}]
    base, times = Fraction(epsilon["log"]), Fraction(epsilon.get("times", "1"))
    others = [(base**2, times / 2), (base**3, times / 3), (1 / base, -times), (base**2, times)]
    return [{"log": str(q), "times": str(r)} for q, r in others]


def _parts(document: Any, others: list[Any]) -> Iterator[Mutant]:
    for i, other in enumerate(others):
        for path in _PARTS:
            if at(other, path) != at(document, path):
                edit = _set("part", path, at(other, path)).edit
                yield Mutant("part", f"{path} of certificate {i}", edit)
        for p, q in combinations(_PARTS[:3] + _PARTS[-3:], 2):

            def both(document: Any, p: Path = p, q: Path = q, other: Any = other) -> Any:
                return put(put(document, p, copy.deepcopy(at(other, p))), q, copy.deepcopy(at(other, q)))

            yield Mutant("part", f"{p} and {q} of certificate {i}", both)
