"""The outcomes of a die or of cards that a sheet names: those that are chosen, and those that a wording names.

A question may have rules of its own, such as "if the die shows 1, say yes". ``with_faces`` gives the steps of a sheet
the outcomes that the wording has; each group keeps its number of outcomes, so the probabilities stay. ``misread`` finds
an outcome for which the wording and the sheet ask for different things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.visible import with_noun
from rropt.reports.randomizer_steps import RandomizerStep, Sentence
from rropt.reports.sheet_devices import SheetDevice

Faces = tuple[tuple[int, ...], ...]

_SIDES = {"heads": 1, "tails": 2}
_NUMBERS = {
    **_SIDES,
    "kopf": 1,
    "zahl": 2,
    **{word: i for i, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)},
    **{word: i for i, word in enumerate(("eins", "zwei", "drei", "vier", "fünf", "sechs"), 1)},
}
_ONE = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})"
_RANGE = re.compile(rf"\b({_ONE})(?:\s*(to|bis|through|-|or|oder|and|und|,)\s*({_ONE}))*\b", re.IGNORECASE)
_STEP = re.compile(rf"({_ONE})(?:\s*(to|bis|through|-)\s*({_ONE}))?", re.IGNORECASE)
_WORDS = re.compile(  # what a wording asks for: yes, no, or the truth
    r"\b(?:(?P<yes>yes|ja)|(?P<no>no|nein)|(?P<truth>truth|truthfully|honestly|ehrlich|wahrheit\w*))\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.;!?\n]")


def read_faces(groups: object) -> Faces:
    """Return the outcomes of each group: ``"2..5"``, ``"1,3"`` or numbers; ``heads`` and ``tails`` of a coin.

    Raises:
        InvalidParameterError: a group is no list of numbers, or an outcome occurs twice.

    >>> read_faces(["2..5", "1", "6"])
    ((2, 3, 4, 5), (1,), (6,))
    """
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise InvalidParameterError(
            f"faces is not a list of groups: received {shown(groups)}; give for example ['2..5', '1', '6']"
        )
    found = tuple(tuple(sorted(_numbers(group))) for group in groups)
    numbers = [number for group in found for number in group]
    if len(set(numbers)) < len(numbers):
        raise InvalidParameterError(
            f"a face is named twice: received {shown(' '.join(map(str, groups)))}; name each face once"
        )
    return found


def _numbers(group: object) -> Iterator[int]:
    parts = group.split(",") if isinstance(group, str) else group if isinstance(group, Sequence) else [group]
    for part in parts:
        text = str(part).strip().lower()
        low, dots, high = text.partition("..")
        if text in _SIDES:
            yield _SIDES[text]
        elif re.fullmatch(r"\d{1,3}", low) and (re.fullmatch(r"\d{1,3}", high) if dots else True):
            yield from range(int(low), int(high or low) + 1)
        else:
            raise InvalidParameterError(
                f"faces has a group that is no list of numbers: received {shown(group)}; write 1, 2..5 or 1,3,5"
            )


def with_faces(made: SheetDevice, faces: Faces) -> SheetDevice:
    """Return a device whose first draw has these outcomes, one group for each step; the last may be left out.

    Raises:
        InvalidParameterError: the device has no draw, or the groups have other sizes than the mechanism needs.
    """
    if not faces:
        return made
    if not made.draws:
        raise InvalidParameterError(
            f"the device has no faces to choose: received {_text(faces)} for a device of the kind {made.kind}; leave "
            "faces out"
        )
    draw = made.draws[0]
    groups = [i for i, count in enumerate(draw.counts) if count]
    left = tuple(sorted(set(range(1, draw.total + 1)) - {number for group in faces for number in group}))
    full = (*faces, left) if len(faces) == len(groups) - 1 else faces
    needed = [draw.counts[i] for i in groups]
    if [len(group) for group in full] != needed or any(group[-1] > draw.total or group[0] < 1 for group in full):
        raise InvalidParameterError(
            f"the faces do not fit the probabilities: received {_text(faces)}; the steps of the sheet have "
            f"{', '.join(map(str, needed))} of {with_noun(draw.total, 'outcome')}; by default they are "
            f"{_text([draw.group(i) for i in groups])}"
        )
    by_group = dict(zip(groups, full, strict=True))
    chosen = replace(draw, faces=tuple(by_group.get(i, ()) for i in range(len(draw.counts))))
    changed = [(draw.outcomes(i), chosen.outcomes(i)) for i in groups]
    only = None if len(made.draws) == 1 else "case"  # the outcomes of a second draw stay
    steps = tuple(_changed(step, changed) if only in (None, step.key) else step for step in made.steps)
    return replace(made, draws=(chosen, *made.draws[1:]), steps=steps)


def _changed(value: Any, changed: Sequence[tuple[Sentence, Sentence]]) -> Any:
    """Return a sentence with other outcomes."""
    if not isinstance(value, Sentence):
        return value
    for before, after in changed:
        if value == before:
            return after
    return Sentence(value.key, {name: _changed(each, changed) for name, each in value.values.items()})


def _text(faces: Sequence[Sequence[int]]) -> str:
    """Return groups as they are typed."""
    runs = RandomizerStep("die", 0, (), tuple(map(tuple, faces)))
    return " ".join(_typed(runs.outcomes(i)) if group else "none" for i, group in enumerate(faces))


def _typed(sentence: Sentence) -> str:
    if sentence.key == "ranges":
        return ",".join(map(_typed, (*sentence.values["parts"], sentence.values["last"])))
    low, high = sentence.values["low"], sentence.values.get("high")
    return f"{low}" if high is None else f"{low}..{high}"


def misread(made: SheetDevice, wording: str) -> tuple[bool, str]:
    """Return whether the sheet does what a wording asks for, as far as it names outcomes, and the first difference.

    A wording is read clause by clause: the numbers before "yes", "no" or "the truth". The result is ``(False, "")`` if
    no clause can be read in this way.
    """
    asked = dict(_asked(wording))
    is_of_a_coin = re.search(r"\b(heads|tails|kopf)\b", wording, re.IGNORECASE) is not None
    if not asked or not made.draws or is_of_a_coin != (made.draws[0].kind == "coin"):
        return False, ""
    played = _played(made)
    for number in asked.keys() - played.keys():
        return False, f"the sheet has no outcome {number}"
    for number, word in sorted(played.items()):  # all outcomes of a word that the wording has, and no other
        if asked.get(number, "") != word and (number in asked or word in asked.values()):
            wanted = asked.get(number, "something else")
            return False, f"at {number} the wording asks for {wanted}, and the sheet for {word or 'another answer'}"
    return True, ""


def _asked(wording: str) -> Iterator[tuple[int, str]]:
    """Yield the outcomes that a wording names, each with the word that follows in the same clause."""
    for clause in _CLAUSE.split(wording):
        place = 0
        numbers: list[int] = []
        for word in _WORDS.finditer(clause):
            numbers = _named(clause[place : word.start()])
            place = word.end()
            yield from ((number, str(word.lastgroup)) for number in numbers)


def _named(text: str) -> list[int]:
    found: list[int] = []
    for listed in _RANGE.finditer(text):
        for part in _STEP.finditer(listed[0]):
            low, high = (_number(part[i]) for i in (1, 3))
            found += range(low, (high or low) + 1)
    return found


def _number(text: str | None) -> int:
    return 0 if text is None else _NUMBERS.get(text.lower()) or int(text)


def _played(made: SheetDevice) -> Mapping[int, str]:
    """Return what each outcome of the first draw asks for; empty if it is none of the words."""
    draw = made.draws[0]
    cases = [step.values["action"] for step in made.steps if step.key == "case"]
    groups = [i for i, count in enumerate(draw.counts) if count]
    if len(cases) < len(groups):
        return {}
    words = {"act_truth": "truth"}
    found: dict[int, str] = {}
    for i, action in zip(groups, cases, strict=False):
        answer = action.values.get("answer")
        word = words.get(action.key) or (
            answer.key if isinstance(answer, Sentence) and answer.key in ("yes", "no") else ""
        )
        found |= dict.fromkeys(draw.group(i), word)
    return found
