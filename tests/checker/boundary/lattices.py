"""Rule 27: delta of all answers of one respondent, between two laws on a lattice."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from fuzz.lattices import lattice_delta

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_
from .compositions import Document, Item, composed
from .designs import bracket

PAGE = "lattice_rule.md"


def on_lattice(made: Document, r: F, bits: int = 64) -> Document:
    """Return the file of a composition with the witness of this rule, and no bounds."""
    problem, _, witness = made
    more = {"rule": "composition-lattice", "ratio": str(r), "bits": str(bits)}
    return problem, {"kind": "composed-delta", "lower": "0", "upper": "1"}, {**witness, **more}


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    ratio = s.condition(PAGE, "The ratio is above 1: `1 < ratio`.", INEQUALITY)
    bits = s.condition(PAGE, "`bits` is a whole number with `1 <= bits <= MAX_LATTICE_BITS`.", COUNT)
    lower = s.condition(PAGE, "`lower <= 1 - kept (1 - v)`.", OPEN)
    upper = s.condition(PAGE, "`upper >= 1 - kept (1 - u)`.", OPEN)
    two, three = (F(2), F(0), 1), (F(3), F(0), 2)
    cases: list[tuple[list[Item], F, F]] = [
        ([three, two], F(4), F(2)),
        ([three, two], F(4), F(5, 4)),
        ([two], F(3, 2), F(4)),
        ([two], F(2), F(3, 2)),
        ([(F(7, 5), F(0), 4)], F(2), F(11, 10)),
        ([(F(11, 10), F(0), 3), two], F(3, 2), F(11, 10)),  # on points of the lattice, to no end of digits
        ([(F(5), F(1, 4), 3)], F(3), F(3)),
        ([(F(2), F(1), 1), two], F(2), F(2)),
        ([], F(5), F(2)),
    ]
    for items, g, r in cases:
        made = on_lattice(composed(items, g), r)
        for side, (key, entered) in enumerate((("lower", lower), ("upper", upper))):
            bound, outwards = lattice_delta(items, g, r, side), (2 * side - 1) * UNIT
            s.add(entered, "within", with_(made, (f"1.{key}", bound + outwards)), True)
            s.add(entered, "beyond", with_(made, (f"1.{key}", bound - outwards)), False)
    base = on_lattice(composed([three], F(4)), F(2))
    nothing = on_lattice(composed([(F(1), F(0), 3)], F(1)), F(2))
    s.add(ratio, "within", with_(nothing, ("2.ratio", 1 + UNIT)), True)
    s.add(ratio, "equality", with_(nothing, ("2.ratio", 1)), False)
    for wrong in (1 - UNIT, F(0), F(-2)):
        s.add(ratio, "beyond", with_(base, ("2.ratio", wrong)), False)
    s.add(ratio, "within", with_(base, ("2.ratio", 1000)), True)
    s.add(bits, "one", with_(base, ("2.bits", 1)), True)
    s.add(bits, "limit", with_(base, ("2.bits", 4096)), True)
    for number in (0, -1, F(3, 2)):
        s.add(bits, "zero" if number == 0 else "beyond", with_(base, ("2.bits", number)), False)
    s.add(bits, "beyond", with_(base, ("2.bits", 4097)), False, "limit")
    level: tuple[Any, ...] = (
        ("0.items.0.epsilon", {"log": "2", "times": "1/2"}),
        ("2.levels.0", bracket(F(7, 5), F(17, 12))),
    )
    for side, (key, entered) in enumerate((("lower", lower), ("upper", upper))):
        parity, outwards = (F(7, 5), F(17, 12))[side], (2 * side - 1) * UNIT
        made = with_(on_lattice(composed([(F(7, 5), F(0), 2)], F(3, 2)), F(5, 4)), *level)
        bound = lattice_delta([(parity, F(0), 2)], F(3, 2), F(5, 4), side)
        s.add(entered, "within", with_(made, (f"1.{key}", bound + outwards)), True)
        s.add(entered, "beyond", with_(made, (f"1.{key}", bound - outwards)), False)
    for wrong in (("2.levels", []), ("2.ratio", None)):
        s.add(bits, "beyond", with_(base, wrong), False, "form")
