"""How a matrix is printed in a terminal and in a notebook."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from rropt.exact import Epsilon, as_text, decimal_text, telling_decimal
from rropt.mechanisms.validation import Matrix

__all__ = ["html_table", "level_text", "plain_text"]

_PRINTED = 12  # rows and columns that are printed before the rest is left out


def plain_text(headline: str, matrix: Matrix) -> str:
    """Return the headline and the entries in columns."""
    table = _table(matrix)
    width = max(len(cell) for row in table for cell in row)
    return "\n".join([headline, *("  " + "  ".join(cell.rjust(width) for cell in row) for row in table)])


def html_table(headline: str, matrix: Matrix) -> str:
    """Return the same as HTML, for notebooks."""
    cells = "".join("<tr>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>" for row in _table(matrix))
    return f"<p>{escape(headline)}</p><table>{cells}</table>"


def level_text(epsilon: Epsilon) -> str:
    """Return a level with its decimal beside it."""
    text = str(epsilon)
    if epsilon.is_infinite:
        return text
    if len(text) > 24:
        return telling_decimal(float(epsilon), 9)
    decimal = telling_decimal(float(epsilon))
    return text if text == decimal else f"{text} = {decimal}"


def _table(matrix: Matrix) -> list[list[str]]:
    """Return the cells that are printed: fractions, with decimals beside them when they are long."""
    cells = [[_cell(x) for x in row[:_PRINTED]] + (["..."] if len(row) > _PRINTED else []) for row in matrix[:_PRINTED]]
    return cells + ([["..."] * len(cells[0])] if len(matrix) > _PRINTED else [])


def _cell(x: Fraction) -> str:
    text = as_text(x)
    return text if len(text) <= 12 else f"~{decimal_text(x, 9)}"
