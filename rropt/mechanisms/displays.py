"""Mechanisms and their matrices as text, HTML, LaTeX and CSV; long entries are decimals that are no less private.

The package ``rropt`` attaches ``to_csv``, ``to_latex`` and the display in notebooks to ``Mechanism``, which is
mathematics only: IPython finds a method ``_repr_html_`` without being imported, so no formatter has to be registered.
"""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Protocol

from rropt.core.exact import as_text
from rropt.core.exact.display import decimal_outwards, is_in_full
from rropt.core.visible import html_text
from rropt.mechanisms.columns import Entries, Matrix, text_rows
from rropt.mechanisms.decimals import decimal_of, private_decimals
from rropt.mechanisms.rounding import Rounding

_PRINTED = 12  # largest number of rows and columns that are printed
_WIDEST = 8  # rows and columns; a larger matrix of two numbers is told in words
_LONGEST = 12  # characters of an entry that is printed as a fraction
_LONGEST_ALONE = 24  # the same for an entry on a line of its own
_DIGITS = 9  # after the point, for entries that are printed as decimals
_DIGITS_ALONE = 15  # the same for a long entry on a line of its own


class Displayed(Entries, Protocol):
    """The part of ``Mechanism`` that a display uses."""

    @property
    def headline(self) -> str:
        """The name, the shape and epsilon in one line."""

    @property
    def is_small(self) -> bool:
        """Whether the matrix is small enough to be printed."""

    @property
    def rounding(self) -> Rounding | None:
        """How the exact matrix was chosen for one of decimals."""


def mechanism_text(mechanism: Displayed, headline: str | None = None, width: int | None = None) -> str:
    """Return the matrix as a table under a headline; if it is too large to print, return a description.

    Args:
        mechanism: the mechanism.
        headline: the first line (default: the name, the shape and epsilon).
        width: the line width of the terminal (default: no limit).
    """
    if not mechanism.is_small:
        return mechanism.headline
    title = mechanism.headline if headline is None else headline
    if max(len(mechanism.matrix), len(mechanism.matrix[0])) > _WIDEST and not is_in_full():
        told = two_numbers_text(mechanism.matrix)
        if told:
            return f"{title}\n  {told}"
    return plain_text(title, mechanism.matrix, width)


def two_numbers_text(matrix: Matrix) -> str:
    """Return a matrix of two different probabilities in words; empty for others, and for unequal sizes of its sets.

    >>> print(two_numbers_text(((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),) * 2))
    each output is one of 3 categories: 1/2 if it is the true one, 1/4 if not (2 outputs; --exact: the matrix)
    """
    values = sorted({x for row in matrix for x in row}, reverse=True)
    sizes = {sum(x == values[0] for x in row) for row in matrix}
    if len(values) != 2 or len(sizes) != 1:
        return ""
    told = [
        as_text(x) if len(as_text(x)) <= _LONGEST else f"~{decimal_outwards(x, up=i == 1, digits=_DIGITS)}"
        for i, x in enumerate(values)
    ]
    k, size = len(matrix[0]), sizes.pop()
    what, is_true = (f"a set of {size}", "has") if size > 1 else ("one", "is")
    return (
        f"each output is {what} of {k} categories: {told[0]} if it {is_true} the true one, {told[1]} if not "
        f"({len(matrix)} outputs; --exact: the matrix)"
    )


def mechanism_html(mechanism: Displayed, headline: str | None = None) -> str:
    """Return ``mechanism_text`` as HTML."""
    if not mechanism.is_small:
        return f"<p>{html_text(mechanism.headline)}</p>"
    table = html_table(mechanism.headline if headline is None else headline, mechanism.matrix)
    return table if mechanism.rounding is None else f"{table}<p>{html_text(mechanism.rounding.remark())}</p>"


def mechanism_latex(mechanism: Displayed) -> str:
    """Return the matrix as a displayed formula; of a matrix that is too large to print, its description.

    Decimals in place of long fractions are no less private.
    """
    if not mechanism.is_small:
        from rropt.core.results.markup import tex

        return tex(mechanism.headline)
    return latex_matrix(mechanism.matrix)


def notebook_latex(mechanism: Displayed) -> str | None:
    """Return ``mechanism_latex`` for notebooks that become PDF; ``None`` if the matrix is too large to print."""
    return mechanism_latex(mechanism) if mechanism.is_small else None


def mechanism_csv(mechanism: Entries) -> str:
    """Return the matrix as comma-separated values, one line for each output."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(text_rows(mechanism.matrix))
    return stream.getvalue()


def plain_text(headline: str, matrix: Matrix, width: int | None = None) -> str:
    """Return the headline and the entries of a matrix, aligned in columns.

    Args:
        headline: the first line.
        matrix: the entries.
        width: the length of a line (default: no limit). Columns that do not fit follow in further blocks, each under a
            line with its column numbers.
    """
    table, left_out = _table(matrix)
    size = max(len(cell) for row in table for cell in row) + 2
    columns = len(table[0])
    at_once = columns if width is None or size * columns <= width else max(1, width // size)
    lines = [headline, *left_out]
    for start in range(0, columns, at_once):
        block = [row[start : start + at_once] for row in table]
        last = min(start + len(block[0]), columns - (table[0][-1] == "...")) - 1  # dots stand for further columns
        if at_once < columns:
            some = f" columns {start} to {last}" if last > start else f" column {start}"
            lines.append(some if last >= start else " further columns")
        lines += ["".join(cell.rjust(size) for cell in row) for row in block]
    return "\n".join(lines)


def html_table(headline: str, matrix: Matrix) -> str:
    """Return the headline and the entries of a matrix as HTML, for notebooks."""
    table, left_out = _table(matrix)
    cells = "".join("<tr>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>" for row in table)
    note = "".join(f"<br>{line.strip()}" for line in left_out)
    return f"<p>{html_text(headline)}{note}</p><table>{cells}</table>"


def latex_matrix(matrix: Matrix) -> str:
    """Return the entries of a matrix as a displayed formula, in plain LaTeX.

    >>> print(latex_matrix(((Fraction(3, 4), Fraction(1)), (Fraction(1, 4), Fraction(0)))))
    \\[
    P = \\left( \\begin{array}{cc}
    \\frac{3}{4} & 1 \\\\
    \\frac{1}{4} & 0
    \\end{array} \\right)
    \\]
    """
    table, _ = _table(matrix)
    rows = " \\\\\n".join(" & ".join(map(_latex_cell, row)) for row in table)
    kinds = "c" * len(table[0])
    return f"\\[\nP = \\left( \\begin{{array}}{{{kinds}}}\n{rows}\n\\end{{array}} \\right)\n\\]"


def _latex_cell(text: str) -> str:
    above, mark, below = text.partition("/")
    if mark:
        return f"\\frac{{{above}}}{{{below}}}"
    return text.replace("...", r"\cdots").replace("~", r"{\approx} ")


def probability_texts(mechanism: Entries, digits: int = _DIGITS) -> tuple[str, str]:
    """Return p00 and p11 of a binary design, each as an exact number with a decimal that is no less private.

    >>> from rropt.mechanisms.mechanism import Mechanism
    >>> probability_texts(Mechanism.binary("19/26", "1/2"))
    ('19/26 ~ 0.730769230', '1/2 = 0.5')
    """
    (p00, _), (_, p11) = mechanism.matrix
    exact = as_text(p00), as_text(p11)
    if is_in_full():
        return exact
    is_long = max(map(len, exact)) > _LONGEST_ALONE
    found = private_decimals(mechanism.matrix, max(digits, _DIGITS_ALONE) if is_long else digits)
    if found is None:
        return exact
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


def _table(matrix: Matrix) -> tuple[list[list[str]], list[str]]:
    """Return the printed cells, fractions or decimals if these are long, and a line on those that are left out."""
    sizes = {"rows": len(matrix), "columns": len(matrix[0])}
    if max(sizes.values()) > _PRINTED and not is_in_full():
        left = " and ".join(f"{min(size, _PRINTED)} of {size} {name}" for name, size in sizes.items())
        return _first_entries(matrix), [f" printed: {left}"]
    texts = text_rows(matrix)
    if is_in_full() or max(len(text) for row in texts for text in row) <= _LONGEST:
        return texts, []
    found = private_decimals(matrix, _DIGITS)
    if found is None:  # a ratio is too close to its bound, or an entry too small, for any decimals
        return texts, []
    rounded, digits = found
    pairs = (zip(row, near, strict=True) for row, near in zip(matrix, rounded, strict=True))
    return [[_cell(x, near, digits) for x, near in row] for row in pairs], []


def decimal_rows(matrix: Matrix, digits: int) -> list[list[str]]:
    """Return the entries of a mechanism, or of some of its columns, as decimals for a table, without marks.

    Every table and picture of probabilities takes its decimals from here or from ``plain_text`` and its like. They are
    no less private than P, and each column sums to exactly 1.

    Args:
        matrix: P, or some of its columns.
        digits: the number of digits after the point; more where these are too few, and fractions where none suffice.

    >>> decimal_rows(((Fraction(19, 26), Fraction(7, 26)), (Fraction(7, 26), Fraction(19, 26))), 3)
    [['0.73', '0.27'], ['0.27', '0.73']]
    """
    found = private_decimals(matrix, digits)
    if found is None:
        return text_rows(matrix)
    return [[_short(decimal_of(x, found[1])) for x in row] for row in found[0]]


def _short(decimal: str) -> str:
    """Return a decimal without zeros at its end."""
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal


def _cell(exact: Fraction, near: Fraction, digits: int) -> str:
    text = as_text(exact)
    if exact == near:
        return text if len(text) <= _LONGEST else decimal_of(near, digits)
    return f"~{decimal_of(near, digits)}"


def _first_entries(matrix: Matrix) -> list[list[str]]:
    """Return the first rows and columns of a matrix that is too large to print.

    Decimals are rounded towards the mean of their row, so the ratios in the printed corner are at most those of the
    matrix. The corner is not a complete mechanism and cannot be typed in.
    """
    cells = []
    for row in matrix[:_PRINTED]:
        mean = sum(row) / len(row)
        cells.append([_marked_decimal(x, up=x < mean) for x in row[:_PRINTED]] + ["..."] * (len(row) > _PRINTED))
    return cells + [["..."] * len(cells[0])] * (len(matrix) > _PRINTED)


def _marked_decimal(x: Fraction, *, up: bool) -> str:
    text = as_text(x)
    if len(text) <= _LONGEST:
        return text
    return f"~{decimal_outwards(x, up=up, digits=_DIGITS)}"
