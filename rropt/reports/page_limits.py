"""Limits of what people give to a page: the number of respondents, and the texts."""

from __future__ import annotations

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.numbers import whole_where

MOST_RESPONDENTS = 10**9
LONGEST_TEXT = 500  # characters


def require_respondents(n: object) -> int:
    """Return the number of respondents.

    Raises:
        InvalidParameterError: it is no integer, or out of range.
    """
    return whole_where(n, 1, MOST_RESPONDENTS, name="the number of respondents")


def require_text(name: str, text: object, *, empty: bool = True) -> None:
    """Raise an error if this is no text for a page.

    Args:
        name: the name of the argument.
        text: the text.
        empty: whether it may be empty.

    Raises:
        InvalidParameterError: it is no text, too long, or empty.
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or not (empty or text.strip()):
        raise InvalidParameterError(
            f"{name} is not a text for the page: received {shown(text)}; allowed are "
            f"{'at most' if empty else '1 to'} {LONGEST_TEXT} characters"
        )
