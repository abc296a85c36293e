"""Strips of a report: dots with whiskers in the cells of a table, all on one axis below it.

A strip is a picture (SVG) as wide as its cell. The table in words is what the other formats print.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from rropt.core.results import Table
from rropt.core.visible import html_text
from rropt.reports.pages import SCROLLS

_WIDTH, _EDGE = 300, 14  # of a strip, and beside its axis, in units of its drawing
_HIGH, _LOW = 16, 7  # height of the main whisker, and of a faint one
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # between numbers on an axis of proportions
_MOST_NUMBERS = 6
_RATIOS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16)
_RATIO_TEXTS = ("1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8", "16")


class Whisker(NamedTuple):
    """A dot with its interval; ``ends`` is ``None`` without one."""

    value: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class StripRow:
    """A row of the table.

    Attributes:
        text: what the row is about.
        main: the dot with its interval; ``None`` in a row of words.
        cells: the numbers at the right.
        faint: the same for groups, one below the other in the cell.
        look: ``""``, ``group`` for a row of a group, ``told`` for a sentence on the rows above.
    """

    text: str
    main: Whisker | None = None
    cells: tuple[str, ...] = ()
    faint: tuple[Whisker, ...] = ()
    look: str = ""


@dataclass(frozen=True, slots=True)
class StripAxis:
    """The axis that all strips of a table share: its numbers as (value, text), and what is drawn at each of them."""

    low: float
    high: float
    numbers: tuple[tuple[float, str], ...]
    is_log: bool = False

    @classmethod
    def of_proportions(cls, rows: Iterable[StripRow]) -> StripAxis:
        """Return an axis in percent that holds all dots and intervals, with few round numbers."""
        values = [*_values(rows)]
        low, high = min([0.0, *values]), max([0.05, *values])
        step = next((one for one in _STEPS if (high - low) / one <= _MOST_NUMBERS), _STEPS[-1])
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        numbers = tuple(
            (i * step, f"{round(100 * i * step)}".replace("-", "\N{MINUS SIGN}")) for i in range(first, last + 1)
        )
        return cls(first * step, last * step, numbers)

    @classmethod
    def of_ratios(cls, rows: Iterable[StripRow]) -> StripAxis:
        """Return a logarithmic axis around 1 that holds all odds ratios from 1/16 to 16; beyond it strips are cut."""
        values = [value for value in _values(rows) if value > 0]
        low, high = min([0.5, *values]), max([2.0, *values])
        first = max([i for i, one in enumerate(_RATIOS) if one <= low], default=0)
        last = min([i for i, one in enumerate(_RATIOS) if one >= high], default=len(_RATIOS) - 1)
        numbers = tuple(zip(_RATIOS, _RATIO_TEXTS, strict=True))[first : last + 1]
        return cls(_RATIOS[first], _RATIOS[last], numbers, is_log=True)

    def at(self, value: float) -> float:
        """Return the place of a value; of one beyond the axis its end."""
        value = min(max(value, self.low), self.high)
        low, high, value = (
            (math.log(one) for one in (self.low, self.high, value)) if self.is_log else (self.low, self.high, value)
        )
        return round(_EDGE + (_WIDTH - 2 * _EDGE) * (value - low) / (high - low), 1)


def _values(rows: Iterable[StripRow]) -> Iterator[float]:
    for row in rows:
        for one in chain([row.main] if row.main else [], row.faint):
            yield from (one.value, *(one.ends or ()))


def strips_table(title: str, header: Sequence[str], rows: Sequence[StripRow]) -> Table:
    """Return the table in words: the strips are left out, and so are sentences."""
    told = [("– " * (row.look == "group") + row.text, *row.cells) for row in rows if row.look != "told" and row.main]  # noqa: RUF001
    return title, (header[0], *header[2:]), told


def strips_html(title: str, header: Sequence[str], rows: Sequence[StripRow], axis: StripAxis, look: str = "") -> str:
    """Return the table with its strips; the second name of the header is that of the strips, ``look`` a class."""
    head = "".join(f"<th>{html_text(name)}</th>" for name in header)
    body = "".join(_row(row, axis, len(header)) for row in rows)
    caption = f"<caption>{html_text(title)}</caption>" if title else ""
    return (
        f'{SCROLLS}<table class="whiskers {look}">{caption}<thead><tr>{head}</tr></thead><tbody>{body}'
        f'<tr class="axis"><td></td><td>{_numbers(axis)}</td><td colspan="{len(header) - 2}"></td></tr>'
        "</tbody></table></div>"
    )


def _row(row: StripRow, axis: StripAxis, columns: int) -> str:
    look = f' class="{row.look}"' if row.look else ""
    if row.main is None:
        return f'<tr{look}><td class="words" colspan="{columns}">{html_text(row.text)}</td></tr>'
    cells = "".join(f'<td class="number">{html_text(cell)}</td>' for cell in row.cells)
    return f"<tr{look}><td>{html_text(row.text)}</td><td>{_strip(row, axis)}</td>{cells}</tr>"


def _strip(row: StripRow, axis: StripAxis) -> str:
    """Return the dot with its whisker above those of the groups, on the lines of the axis."""
    height = _HIGH + _LOW * len(row.faint)
    lines = "".join(f"M{axis.at(value)} 0V{height}" for value, _ in axis.numbers)
    assert row.main is not None
    main = _whisker(row.main, axis, _HIGH / 2, "main", 3.5)
    faint = "".join(_whisker(one, axis, _HIGH + _LOW * (i + 0.3), "faint", 2) for i, one in enumerate(row.faint))
    spoken = html_text(f"{row.text}: {', '.join(row.cells[:2])}")
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{spoken}"><path class="line" d="{lines}"/>'
        f"{faint}{main}</svg>"
    )


def _whisker(one: Whisker, axis: StripAxis, down: float, look: str, size: float) -> str:
    down = round(down, 1)
    line = f'<path class="{look}" d="M{axis.at(one.ends[0])} {down}H{axis.at(one.ends[1])}"/>' if one.ends else ""
    return f'{line}<circle class="{look}" cx="{axis.at(one.value)}" cy="{down}" r="{size}"/>'


def _numbers(axis: StripAxis) -> str:
    texts = "".join(f'<text x="{axis.at(value)}" y="12">{html_text(text)}</text>' for value, text in axis.numbers)
    return f'<svg viewBox="0 0 {_WIDTH} 16" role="img" aria-label="axis">{texts}</svg>'
