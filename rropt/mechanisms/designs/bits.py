"""Names of products: ``bits:`` and the devices of the questions, question 0 first.

``bits:warner:3/4,forced:2/3,1/6,1/6`` has two questions: numbers that follow a name are its parameters, as many as it
takes. A probability a without a name is a bit that is told as it is with chance a (``warner:a``). A device is repeated
by ``*`` and a number behind it, or by a whole number before it: ``bits:3/4*4`` and ``bits:4,3/4`` are four bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rropt.errors import InvalidParameterError, shown
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.product import ProductMechanism

NAME = "bits"
FORM = "bits:3/4*4, or bits:10,warner:3/4, or bits:warner:3/4,forced:2/3,1/6,1/6"

_MOST_QUESTIONS = 10_000  # as many factors as a product has at most
_MOST_TEXT = 100_000  # characters; ten thousand questions with parameters of usual length


def named_product(rest: str, single: Callable[[str], Mechanism], most_parameters: Callable[[str], int]) -> Mechanism:
    """Return the product that the text after ``bits:`` names.

    Args:
        rest: the devices, separated by commas.
        single: the mechanism of one name with parameters.
        most_parameters: how many parameters a name takes at most; 0 for one that is unknown.

    Raises:
        InvalidParameterError: no device, a number of questions that is none, or as ``single``.
    """
    if len(rest) > _MOST_TEXT:
        raise InvalidParameterError(
            f"the name of a product is too long: received {len(rest)} characters; allowed are {_MOST_TEXT}; write "
            'equal questions once: bits:warner:3/4*64, or a file {"product": [...]}'
        )
    factors: list[Mechanism] = []
    repeat = 1
    for text, count in _devices(rest, most_parameters):
        if count is None:
            if repeat != 1:
                raise _refused(text, "two numbers of questions follow each other")
            repeat = int(text)
            continue
        device = single(text if ":" in text else f"warner:{text}")
        if len(factors) + count * repeat > _MOST_QUESTIONS:
            raise _refused(rest, f"there are more than {_MOST_QUESTIONS} questions")
        factors += [device] * (count * repeat)
        repeat = 1
    if not factors or repeat != 1:
        raise _refused(rest, "there is no device" if not factors else "no device follows the number of questions")
    return ProductMechanism(factors, name=f"{NAME}:{rest}")


def _devices(rest: str, most_parameters: Callable[[str], int]) -> Iterator[tuple[str, int | None]]:
    """Yield each device and how often it is repeated; a whole number that stands before one with ``None``."""
    tokens = [token.strip() for token in rest.split(",")]
    at = 0
    while at < len(tokens):
        text, times = _times(tokens[at])
        at += 1
        if ":" not in text and times is None and _is_count(text):
            yield text, None
            continue
        name, colon, _ = text.partition(":")
        left = most_parameters(name.strip().lower()) - 1 if colon else 0
        while times is None and left > 0 and at < len(tokens) and ":" not in tokens[at]:
            more, times = _times(tokens[at])
            text, left, at = f"{text},{more}", left - 1, at + 1
        yield text, 1 if times is None else times


def _times(token: str) -> tuple[str, int | None]:
    """Return a token without ``*N``, and N."""
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
        f"the name of a product is not understood: {wrong}: received {shown(text)}; write {FORM}"
    )
