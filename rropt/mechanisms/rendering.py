"""How a matrix is printed in a terminal and in a notebook: decimals of it are private when they are typed back."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from rropt.exact import as_text
from rropt.mechanisms.decimals import decimal_of, private_decimals
from rropt.mechanisms.validation import Matrix

if TYPE_CHECKING:
    from rropt.mechanisms.mechanism import Mechanism

_PRINTED = 12  # rows and columns that are printed before the rest is left out
_LONGEST = 12  # characters of an entry that is printed as a fraction
_LONGEST_ALONE = 24  # of one that stands in a line of its own
_DIGITS = 9  # after the point, of entries that are printed as decimals
_DIGITS_ALONE = 15  # of a long one that stands in a line of its own


def plain_text(headline: str, matrix: Matrix) -> str:
    """Return the headline and the entries in columns."""
    table = _table(matrix)
    width = max(len(cell) for row in table for cell in row)
    return "\n".join([headline, *("  " + "  ".join(cell.rjust(width) for cell in row) for row in table)])


def html_table(headline: str, matrix: Matrix) -> str:
    """Return the same as HTML, for notebooks."""
    cells = "".join("<tr>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>" for row in _table(matrix))
    return f"<p>{escape(headline)}</p><table>{cells}</table>"


def probability_texts(mechanism: Mechanism, digits: int = _DIGITS) -> tuple[str, str]:
    """Return p00 and p11 of a binary design, exact and as decimals that are a design as private as it is.

    >>> from rropt.mechanisms.mechanism import Mechanism
    >>> probability_texts(Mechanism.binary("19/26", "1/2"))
    ('19/26 ~ 0.730769230', '1/2 = 0.5')
    """
    p00, p11 = mechanism.p00, mechanism.p11
    exact = [as_text(p) for p in (p00, p11)]
    is_long = max(map(len, exact)) > _LONGEST_ALONE
    found = private_decimals(mechanism.matrix, max(digits, _DIGITS_ALONE) if is_long else digits)
    if found is None:
        return exact[0], exact[1]
    (first, _), (_, second) = found[0]
    texts = []
    for text, p, near in zip(exact, (p00, p11), (first, second), strict=True):
        decimal = decimal_of(near, found[1])
        if near == p:
            decimal = decimal.rstrip("0") if "." in decimal else decimal
            texts.append(text if decimal == text or len(text) > _LONGEST_ALONE else f"{text} = {decimal}")
        else:
            texts.append(f"{text} ~ {decimal}" if len(text) <= _LONGEST_ALONE else f"~{decimal}")
    return texts[0], texts[1]


def _table(matrix: Matrix) -> list[list[str]]:
    """Return the cells that are printed: fractions, or decimals when they are long."""
    if len(matrix) > _PRINTED or len(matrix[0]) > _PRINTED:
        return _corner(matrix)
    if all(len(as_text(x)) <= _LONGEST for row in matrix for x in row):
        return [[as_text(x) for x in row] for row in matrix]
    found = private_decimals(matrix, _DIGITS)
    if found is None:  # so near the border, or so small an entry, that only the exact matrix will do
        return [[as_text(x) for x in row] for row in matrix]
    rounded, digits = found
    pairs = (zip(row, near, strict=True) for row, near in zip(matrix, rounded, strict=True))
    return [[_cell(x, near, digits) for x, near in row] for row in pairs]


def _cell(exact: Fraction, near: Fraction, digits: int) -> str:
    text = as_text(exact)
    if exact == near:
        return text if len(text) <= _LONGEST else decimal_of(near, digits)
    return f"~{decimal_of(near, digits)}"


def _corner(matrix: Matrix) -> list[list[str]]:
    """Return the first rows and columns of a matrix too large to be printed: it cannot be typed back.

    Decimals are towards the mean of their row, so that the corner has no larger ratios than the matrix.
    """
    cells = []
    for row in matrix[:_PRINTED]:
        mean = sum(row) / len(row)
        cells.append([_inwards(x, up=x < mean) for x in row[:_PRINTED]] + ["..."] * (len(row) > _PRINTED))
    return cells + [["..."] * len(cells[0])] * (len(matrix) > _PRINTED)


def _inwards(x: Fraction, *, up: bool) -> str:
    text = as_text(x)
    if len(text) <= _LONGEST:
        return text
    context = Context(prec=_DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"~{context.divide(Decimal(x.numerator), Decimal(x.denominator)).normalize()}".lower()
