"""What the tests of both kernels share: files, and the comparison with the checker in Python."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from javascript import is_explained

from adversary import forger
from adversary.built import built, design, level
from adversary.stored import accepted, cases
from rropt.checker import check_text
from rropt.checker.conformance.suite_runner import verdict_of

from .conftest import verdicts


class Judged(NamedTuple):
    """What a kernel says of files: those that it accepts as Python does, how many it covers, and what it leaves out."""

    accepted: list[str]
    covered: int
    left: set[str]


def agree(
    texts: Sequence[str],
    lines: Iterable[str],
    is_explained: Callable[[str, bool, str, str], bool] = is_explained,
) -> Judged:
    """Hold that a kernel, which said these lines, and Python give one verdict on each file that the kernel covers."""
    both, covered, left = [], 0, set()
    for text, line in zip(texts, lines, strict=True):
        if line.startswith("not covered: "):
            left.add(line.removeprefix("not covered: "))
            continue
        covered += 1
        told, here = str(check_text(text)), bool(verdict_of(line))
        assert here == verdict_of(told) or is_explained(text, here, line, told), f"{line}; Python {told}: {text[:3000]}"
        if here and verdict_of(told):
            both.append(text)
    return Judged(both, covered, left)


def bracket_texts(every: int, share: int) -> list[str]:
    """Return built files of any statement, and stored (each of so many), forged and altered design brackets."""
    listed = built("honest", "false", "form", "degenerate")
    listed += [json.dumps(case["certificate"]) for case in cases()[::every]]
    return listed + forged_texts("design-bracket", share)


def forged_texts(statement: str, share: int) -> list[str]:
    """Return files of a statement with a false claim, and files with changes anywhere: so many of each."""
    rng, documents = random.Random(4), [each for each in accepted()[statement] if forger.is_fit(each)]
    found = list(forger.forgeries(rng.sample(documents, len(documents)), share, 9))
    for document in rng.choices(documents, k=share):
        with suppress(IndexError, KeyError, TypeError, AttributeError, ValueError):  # nothing is left to change
            found.append(forger.altered(document, forger.near(document, documents), rng))
    return list(map(json.dumps, found))


def large_a_optimal(k: int) -> str:
    """Return the A-optimality of k-ary randomized response for equal shares at gamma = 2 k, by rays."""
    gamma = 2 * k
    p, q = Fraction(gamma, gamma + k - 1), Fraction(1, gamma + k - 1)
    alpha = Fraction((gamma - 1) ** 2 * (k - 1), (k + gamma - 1) ** 2)
    value = Fraction((k - 1) * (k + gamma - 1) ** 2, k * (gamma - 1) ** 2)

    def matrix(diagonal: Fraction, other: Fraction) -> list[list[str]]:
        return [[str(diagonal if i == j else other) for j in range(k)] for i in range(k)]

    proof = {
        "alpha": [str(alpha)] * k,
        "vectors": [matrix(1 - Fraction(1, k), -Fraction(1, k))],
        "estimators": [matrix((1 - q) / (p - q), -q / (p - q))],
    }
    shares, ends, given = [str(Fraction(1, k))] * k, (str(value), str(value)), [level(gamma)]
    return json.dumps(
        design({"kind": "a-optimal"}, shares, ends, matrix(p, q), proof, levels=given, problem={"inputs": str(k)})
    )


DEEP = 100_000
HOSTILE = {
    "empty": "",
    "no JSON": "certificate",
    "deep lists": "[" * DEEP,
    "deep objects": '{"a":' * DEEP,
    "many brackets": "[]," * 400_000,
    "a key twice": '{"format": "2", "format": "2"}',
    "a bare number": '{"format": 1}',
    "NaN": '{"format": NaN}',
    "Infinity": '{"format": -Infinity}',
    "a long bare number": '{"format": ' + "9" * 1_000_000 + "}",
    "a long number": '{"format": "' + "9" * 1_000_000 + '"}',
    "an open text": '{"format": "rropt',
    "a control character": '{"format": "a\nb"}',
    "an unknown escape": '{"format": "\\x41"}',
    "a byte order mark": "\ufeff{}",
    "something after the end": "{} {}",
    "a lone surrogate": '{"format": "\ud800"}',
    "__proto__": '{"__proto__": {"format": "2"}, "statement": "garbling", "problem": {}, "claim": {}, "proof": {}}',
    "constructor": '{"format": "2", "statement": "constructor", "problem": {}, "claim": {}, "proof": {}}',
    "null": "null",
    "a list": "[]",
}


def require_hostile_rejected(command: Sequence[str], folder: Path) -> None:
    """Hold that a kernel rejects hostile files, in one short line of ASCII each."""
    for name, line in zip(HOSTILE, verdicts(command, list(HOSTILE.values()), folder), strict=True):
        assert line.startswith("rejected: "), name
        assert line.isascii(), name
        assert len(line) < 320, name
