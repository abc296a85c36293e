"""Tables and prose of a given width: no cell is lost, and numbers stay with their units."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from widths import NUMBER

from rropt.core.results.layout import tables_as_text, wrapped


@pytest.mark.parametrize("width", [20, 33, 40, 60, 80, 200])
def test_random_tables_keep_their_cells(rng, size: Callable[[int, int], int], width: int) -> None:
    """Tables of random words and numbers, with and without a header."""
    words = ["n", "standard error", "1/3 ~ 0.333333333", "-0.0930 to 0.3730", "95 %", "log(9)", "no guarantee at any n"]
    words += ["1.956e-05", "12345678901234567890/7", "", "a - b", "coverage tends to the nominal one"]
    points = 0
    for _ in range(size(60, 2000)):
        columns = rng.randint(2, 9)
        rows = [tuple(rng.choice(words) for _ in range(columns)) for _ in range(rng.randint(1, 6))]
        header = tuple(f"column {i}" for i in range(columns)) if rng.random() < 0.7 else None
        table = ("A title", header, rows if header else [row[:2] for row in rows])
        text = tables_as_text([table], width)
        cells = [cell for row in table[2] for cell in row]
        for line in text.splitlines():
            assert len(line) <= width or " " not in line.strip(" "), line
        for cell in cells:
            assert all(word in text.split() or f"{word}:" in text for word in cell.split()), cell
        assert {number for cell in cells for number in NUMBER.findall(cell)} <= set(NUMBER.findall(text))
        points += len(cells)
    assert points >= 500


def test_columns_that_do_not_fit_become_a_list() -> None:
    table = ("Designs", ("design", "n Var", "parity"), [("warner", "369/1600 = 0.230625", "9"), ("kuk", "0.25", "")])
    assert tables_as_text([table], 80).splitlines()[1:3] == [
        "design  n Var                parity",
        "------  -------------------  ------",
    ]
    assert tables_as_text([table], 32) == (
        "Designs\ndesign: warner\n  n Var    369/1600 = 0.230625\n  parity   9\ndesign: kuk\n  n Var   0.25"
    )


def test_numbers_stay_with_their_units() -> None:
    assert wrapped("about 95 % of 0.2 to 0.3", 8) == "about\n95 % of\n0.2 to\n0.3"
    assert wrapped("is 1/3 ~ 0.333333333, exactly", 24) == "is 1/3 ~ 0.333333333,\nexactly"
    assert wrapped("it is 1/3 ~ 0.333333333", 20) == "it is\n1/3 ~ 0.333333333"


def test_a_value_that_does_not_fit_beside_its_label_stands_below() -> None:
    table = ("", None, [("n", "12"), ("a longer label", "of a long value, in words")])
    assert tables_as_text([table], 80) == "n                12\na longer label   of a long value, in words"
    assert tables_as_text([table], 26) == "n   12\na longer label\n  of a long value, in\n  words"
