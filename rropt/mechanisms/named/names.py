"""Names with parameters as mechanisms: ``warner:3/4``, and products of them with the name ``bits:``.

A product has one device for each question, question 0 first: ``bits:warner:3/4,forced:2/3,1/6,1/6`` has two questions.
The numbers after a name are its parameters. A probability a without a name is a bit that is reported truthfully with
probability a (``warner:a``). A device is repeated by ``*`` and a number after it, or by an integer before it:
``bits:3/4*4`` and ``bits:4,3/4`` are four bits.

``ask:N,J,GAMMA`` asks each respondent J random ones of N yes/no questions (``RandomQuestions``): ``ask:10,1,3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from rropt.core.errors import InvalidParameterError, shown, similar_word
from rropt.core.exact import split_list
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.design import DESIGNS
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.random_questions import RandomQuestions

_NAME = "bits"
_ASKED = "ask"
_WORD = re.compile(r"[a-z]{3,}")
_FORM = "bits:3/4*4, or bits:10,warner:3/4, or bits:warner:3/4,forced:2/3,1/6,1/6"

_MOST_QUESTIONS = 10_000  # the largest number of factors of a product
_MOST_TEXT = 100_000  # characters: ten thousand questions with parameters of usual length


def named_mechanism(text: str) -> Mechanism:
    """Return the mechanism for a name with parameters, such as ``"warner:3/4"`` or ``"forced:2/3,1/6,1/6"``.

    The name ``"bits:"`` with a list of devices gives their product, one device for each question: ``"bits:3/4*4"``.

    Args:
        text: the name, a colon, and the parameters with commas between them.

    Raises:
        InvalidParameterError: the name is unknown, or the number or a value of the parameters is invalid.
    """
    if not isinstance(text, str):
        raise InvalidParameterError(
            f"a design's name is not text: received {shown(text)}; write for example warner:3/4"
        )
    name, _, rest = text.partition(":")
    if name.strip().lower() == _NAME:
        return _product(rest)
    if name.strip().lower() == _ASKED:
        return _asked(rest)
    design = DESIGNS.get(name.strip().lower())
    if design is None:
        similar = _similar(name)
        raise InvalidParameterError(
            f"no design has the name {shown(name)}: known are {', '.join(DESIGNS)}; `rropt design list` lists them; "
            f"a product of them is {_FORM}; random questions are ask:10,1,3{similar and '; ' + similar}"
        )
    return design(*split_list(rest) if rest.strip() else [])


def _similar(name: str) -> str:
    """Return the question whether a design was meant: one with a similar name, or with a word of its title."""
    titles = {known: _WORD.findall(design.title.lower()) for known, design in DESIGNS.items()}
    for cutoff in (1.0, 0.85):
        if cutoff < 1 and (similar := similar_word(name, DESIGNS)):
            return similar
        for word in _WORD.findall(name.lower()):
            designs = [known for known, words in titles.items() if get_close_matches(word, words, n=1, cutoff=cutoff)]
            if designs:
                return f"did you mean {' or '.join(designs)}?"
    return ""


def _product(rest: str) -> Mechanism:
    """Return the product of mechanisms for the text after ``bits:``."""
    if len(rest) > _MOST_TEXT:
        raise InvalidParameterError(
            f"the name of a product is too long: received {len(rest)} characters; allowed are {_MOST_TEXT}; write "
            'equal questions once: bits:warner:3/4*64, or a file {"product": [...]}'
        )
    factors: list[Mechanism] = []
    repeat = 1
    for text, count in _devices(rest):
        if count is None:
            if repeat != 1:
                raise _refused(text, "two numbers of questions follow each other")
            repeat = int(text)
            continue
        device = named_mechanism(text if ":" in text else f"warner:{text}")
        if len(factors) + count * repeat > _MOST_QUESTIONS:
            raise _refused(rest, f"there are more than {_MOST_QUESTIONS} questions")
        factors += [device] * (count * repeat)
        repeat = 1
    if not factors or repeat != 1:
        raise _refused(rest, "there is no device" if not factors else "no device follows the number of questions")
    return ProductMechanism(factors, name=f"{_NAME}:{rest}")


def _asked(rest: str) -> Mechanism:
    """Return random questions for the text after ``ask:``."""
    given = split_list(rest) if rest.strip() else []
    if len(given) != 3:
        raise InvalidParameterError(
            f"random questions have three parameters: received {len(given)}; write ask:N,J,GAMMA with N questions, J "
            "of them asked, and GAMMA = exp(epsilon), for example ask:10,1,3"
        )
    return RandomQuestions(*given, name=f"{_ASKED}:{rest}")


def _devices(rest: str) -> Iterator[tuple[str, int | None]]:
    """Yield each device and its number of repetitions; yield an integer before a device with ``None``."""
    tokens = [token.strip() for token in rest.split(",")]
    at = 0
    while at < len(tokens):
        text, times = _times(tokens[at])
        at += 1
        if ":" not in text and times is None and _is_count(text):
            yield text, None
            continue
        name, colon, _ = text.partition(":")
        design = DESIGNS.get(name.strip().lower()) if colon else None
        left = design.most - 1 if design else 0
        while times is None and left > 0 and at < len(tokens) and ":" not in tokens[at]:
            more, times = _times(tokens[at])
            text, left, at = f"{text},{more}", left - 1, at + 1
        yield text, 1 if times is None else times


def _times(token: str) -> tuple[str, int | None]:
    """Return a token without ``*N``, and N (``None`` if there is no ``*``)."""
    text, star, number = token.partition("*")
    if not star:
        return token, None
    if not _is_count(number.strip()) and number.strip() != "1":
        raise _refused(token, f"{shown(number)} is no number of questions")
    return text.strip(), int(number)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 1


def _refused(text: str, wrong: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"the name of a product is not understood: {wrong}: received {shown(text)}; write {_FORM}"
    )
