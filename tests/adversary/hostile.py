"""Files made to crash, to hang or to mislead a reader of certificates. None is a certificate."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from adversary.writing import Bare, Path, put, replace, walk, write
from rropt.checker.limits import MAX_BYTES

MEBIBYTE = 1024 * 1024
LARGE = 16 * MEBIBYTE
DEEP = 10**6
_LONG = "1" + 19_998 * "0"  # and one more odd digit: 20 000 digits; two of them have no common divisor

Files = Iterator[tuple[str, bytes | str]]


def small(honest: str) -> Files:
    """Return files of at most some kilobytes."""
    data = honest.encode()
    for top in (
        "",
        " ",
        "\n\t ",
        "[]",
        "{}",
        '""',
        "0",
        "-1",
        "1e400",
        "null",
        "true",
        "false",
        "NaN",
        "nul",
        ",",
        ":",
    ):
        yield f"the file {top!r}", top
    yield "a byte order mark", b"\xef\xbb\xbf" + data
    yield "a byte order mark in the text", "\ufeff" + honest
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp037"):
        yield encoding, honest.encode(encoding)
    for name, byte in (("NUL", b"\0"), ("0xff", b"\xff"), ("0xc0 0x80", b"\xc0\x80"), ("a surrogate", b"\xed\xa0\x80")):
        for place in (0, 1, len(data) // 2, len(data) - 1, len(data)):
            yield f"{name} at byte {place}", data[:place] + byte + data[place:]
    yield "a lone surrogate in the text", honest.replace('"goal"', '"g\ud800oal"')
    yield "an escaped lone surrogate in a key", honest.replace('"goal"', r'"\ud800goal"')
    yield "an escaped lone surrogate in a value", honest.replace('"variance"', r'"\udfffvariance"')
    for more in ("{}", "[]", ",", "}", "]", "null", "x", "\0", honest):
        yield f"followed by {more[:10]!r}", honest + more
        yield f"after {more[:10]!r}", more + honest
    yield "single quotes", honest.replace('"', "'")
    yield "a comment", honest.replace("{", "{ /* */", 1)
    yield "a trailing comma", honest.rstrip("}\n ") + ",}"
    yield "a list with holes", honest.replace('"optima": [', '"optima": [,')


def versions(honest: str) -> Files:
    """Return documents of another version, statement or kind."""
    document = json.loads(honest)
    statements = (
        "linear-program",
        "design-bracket",
        "parity",
        "Binary-bracket",
        "binary-bracket ",
        "",
        "__class__",
        "binary-bracket\0",
        "\u2060binary-bracket",
    )
    formats = ("3", "02", "2.0", "2 ", "", "2\n", "\u00b2", "rropt-certificate/1", "rropt-certificate/2")
    level = document["problem"]["levels"][0]
    changes: list[tuple[Path, list[object]]] = [
        (("format",), [*formats, Bare("2"), ["2"], None]),
        (("statement",), [*statements, ["binary-bracket"], {"binary-bracket": ""}, None, Bare("1")]),
        (("problem", "goal"), ["trace", "Variance", "", None, ["variance"]]),
        (("problem", "levels"), [[], [level, level], level, None, [None]]),
        (("problem", "family"), ["mangat", "", None, ["all"]]),
    ]
    for path, values in changes:
        for value in values:
            yield f"{path} is {value!r}", write(put(json.loads(honest), path, value))
    for key in document:
        yield f"{key} is the whole document", write({**document, key: document})


def deep(honest: str) -> Files:
    """Return brackets nested a million deep, matched, unmatched, mixed and hidden in strings."""
    for opening, closing in (("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ("[[],", "]"), ("{", "}"), ("[{", "}]")):
        yield f"{opening} a million times, closed", opening * DEEP + closing * DEEP
        yield f"{opening} a million times, with a value", opening * DEEP + '"1"' + closing * DEEP
        yield f"{opening} a million times, open", opening * DEEP
        yield f"{closing} a million times", closing * DEEP
        yield f"{opening}{closing} a million times", (opening + closing) * DEEP
    brackets = "[" * DEEP
    for name, text in (("a value", '"variance"'), ("a key", '"goal"')):
        yield f"brackets inside {name}", honest.replace(text, f'"{brackets}"')
        yield f"brackets after an escaped quote in {name}", honest.replace(text, f'"\\"{brackets}\\\\"')
        yield f"brackets after {name} that ends in a backslash", honest.replace(text, f'"\\\\"{brackets}')
        yield f"brackets in {name} without an end", honest.replace(text, f'"{brackets}')
    for depth in (30, 31, 32, 33, 34, 64, 500, 2000):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            nested = opening * depth + "null" + closing * depth
            yield f"{depth} levels of {opening} in a place of a number", honest.replace('"variance"', nested)


def large() -> Files:
    """Return files of 16 MiB that are all of one kind, some as large as is read, and larger ones."""
    for unit in (
        "[],",
        "{},",
        '"",',
        "null,",
        "[",
        "]",
        '"',
        "\\",
        " ",
        '"\\"',
        '"\\',
        ",",
        ":",
        '{"":',
        "-",
        "9",
        "[[],",
    ):
        yield f"16 MiB of {unit}", unit * (LARGE // len(unit))
        if unit.endswith(","):
            yield f"a list of 16 MiB of {unit}", f"[{unit * ((LARGE - 10) // len(unit))}{unit[:-1]}]"
    for content in ("a", "\\n", "\\u0041", "\\\\", "a\\n", "é", "[", '\\"', "\U0001f600"):
        body = content * ((LARGE - 2) // len(content.encode()))
        yield f"one string of {content}", f'"{body}"'
        yield f"a string of {content} without an end", f'"{body}'
    for unit in ("[],", '"', "a\\n", " "):
        body = unit * ((MAX_BYTES - 2) // len(unit))
        yield f"as many bytes as are read of {unit}", body
        yield f"as many bytes as are read of {unit} in a string", f'"{body}"'
    yield "one byte more than is read", b" " * (MAX_BYTES + 1)
    for unit in ("[],", "{},", '"",', '"\\n",', '[["1"],{"a":[]}],'):
        yield f"100 000 times {unit}", f"[{unit * 100_000}{unit[:-1]}]"
    keys = ",".join(f'"{i}":""' for i in range(100_000))
    yield "100 000 keys", f"{{{keys}}}"
    keys = ",".join(f'"{i:x}":""' for i in range(LARGE // 11))
    yield "a million keys", f"{{{keys}}}"
    yield "a million times the same key", "{" + '"a":"",' * (LARGE // 7) + '"a":""}'


def long_keys(honest: str) -> Files:
    """Return certificates with keys of a megabyte and with keys that are long to write down."""
    document = json.loads(honest)
    for character in ("k", "\0", "\U0010ffff", "é", "\ud800"):
        key = character * MEBIBYTE
        yield f"a key of a megabyte of {character!r}", write({key: "1"})
        more = {f"{character * 60}{i}": "1" for i in range(6)}
        for path in [(), *(path for path, value in walk(document) if isinstance(value, dict))]:
            yield f"long keys of {character!r} in {path}", _with_keys(honest, path, {key: "1"} if not path else more)
            yield f"only long keys of {character!r} in {path}", _with_keys(honest, path, more, alone=True)
        for path, value in walk(document):
            if isinstance(value, str):
                yield f"{character!r} at {path}", write(put(json.loads(honest), path, character * 5000))


def _with_keys(honest: str, path: Path, more: dict[str, str], *, alone: bool = False) -> str:
    document = json.loads(honest)
    held = document
    for key in path:
        held = held[key]
    return write(put(document, path, more if alone else {**held, **more}))


def long_numbers(honest: str, step: int = 1) -> Files:
    """Return a number of up to a million digits, or a huge exponent, in every place that holds a value.

    With ``step = 2`` a number is put into every second place, and the number after it into the others.
    """
    texts: dict[str, Callable[[], object]] = {
        "20 000 digits over 20 000 digits": lambda: f"{_LONG}7/{_LONG}9",
        "20 000 digits": lambda: "7" * 20_000,
        "1 over 20 000 digits": lambda: "1/" + "7" * 20_000,
        "just below 1": lambda: f"{_LONG}1/{_LONG}2",
        "20 001 digits": lambda: "7" * 20_001,
        "2 600 digits": lambda: f"{10**2599 + 1}/{10**2599 - 1}",
        "400 digits": lambda: f"{10**399 + 1}/{10**399 + 2}",
        "a million digits": lambda: "7" * DEEP,
        "a million digits below": lambda: "1/" + "7" * DEEP,
        "a million zeros": lambda: "0" * DEEP,
        "a million minus signs": lambda: "-" * DEEP,
        "a million slashes": lambda: "1/" * DEEP,
        "an exponent": lambda: "1e999999999",
        "a bare number of a million digits": lambda: Bare("7" * DEEP),
        "a bare fraction of a million digits": lambda: Bare("0." + "7" * DEEP),
        "a bare exponent": lambda: Bare("1e999999999"),
        "a bare exponent of a million digits": lambda: Bare("1e" + "9" * DEEP),
        "a bare NaN": lambda: Bare("NaN"),
        "a bare -Infinity": lambda: Bare("-Infinity"),
    }
    paths = [path for path, value in walk(json.loads(honest)) if not isinstance(value, (dict, list))]
    for i, (name, text) in enumerate(texts.items()):
        value = text()
        for path in paths[i % step :: step * (5 if "million" in name else 1)]:
            yield f"{name} at {path}", write(put(json.loads(honest), path, value))
        every = json.loads(honest)
        for path in paths:
            replace(every, path, value)
        yield f"{name} everywhere", write(every)


def heavy(honest: str) -> Files:
    """Return certificates whose levels are as costly to verify as the limits allow."""
    bits = 1 << 21
    powers = [(Fraction(3), bits // 2 - 1, 209_713), (Fraction(3, 2), 1_048_573, 262_143), (Fraction(2), 1, bits)]
    powers += [(Fraction(10**399 + 7), 161, 1496), (Fraction(3, 2), 262_143, 2047), (Fraction(2), 10**399, 10**399 + 1)]
    powers += [(Fraction(10**399 + 7, 10**399 + 6), 1577, 1578), (Fraction(2), 1, 10**399)]
    for q, a, b in powers:
        for size in (1, 64, 1024):
            below = Fraction((1 << size) + 1, 1 << size)
            ends = {"below": str(below), "above": str(below + 1)}
            epsilon = {"log": str(q), "times": str(Fraction(a, b))}
            yield f"a power with {size} bits", _at_level(honest, epsilon, ends, "1/4", {"below": "1/4", "above": "1/4"})
    for below, above in pairwise([Fraction(10**n + 3, 10**n) for n in (2599, 2000, 1000, 300, 30)]):
        gamma = {"below": str(below), "above": str(above)}
        delta = {"below": str(1 / above), "above": str(1 / below)}
        for r in (
            Fraction(100),
            Fraction(1, 10**399),
            Fraction(10**399 - 1, 10**397 + 1),
            Fraction(10**399 + 7, 10**399),
        ):
            yield "a series", _at_level(honest, {"rational": str(r)}, gamma, {"exp": str(-r)}, delta)


def _at_level(honest: str, epsilon: object, gamma: object, delta: object, slack: object) -> str:
    document = json.loads(honest)
    document["problem"]["levels"][0] |= {"epsilon": epsilon, "delta": delta}
    document["proof"] = {"brackets": [{"gamma": gamma, "delta": slack}]}
    return write(document)
