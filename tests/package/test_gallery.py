"""The gallery of deployed systems: its page is that of the library, and every figure has a certificate or a formula."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import rropt
from rropt.reports.gallery import COLUMNS, FORMULAS, SYSTEMS, clones_epsilon, gallery_files

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text(encoding="utf-8")
SLOW = ("shuffled", "optimum", "factor lost")


def _rows() -> dict[str, list[str]]:
    lines = [line for line in PAGE.splitlines() if line.startswith("| [")]
    return {re.match(r"\| \[(.*?)\]", line)[1]: line.strip("| ").split(" | ") for line in lines}  # type: ignore[index]


def test_twelve_systems_with_all_figures() -> None:
    rows = _rows()
    assert list(rows) == [system.name for system in SYSTEMS]
    assert len(rows) >= 12
    for system in SYSTEMS:
        assert len(rows[system.name]) == 1 + len(COLUMNS)
        for figure in rows[system.name][1:]:
            named = re.findall(r"\[(F\d+|C)\]\(([^)]*)\)", figure)
            assert named, figure
            assert all(name == "C" or name in FORMULAS for name, _ in named)
        assert min(len(text) for text in (system.source, system.setting, system.gaps)) > 30


def test_certificates_are_accepted() -> None:
    linked = set(re.findall(r"\(gallery/([\w-]+\.json)\)", PAGE))
    assert linked == {path.name for path in (DOCS / "gallery").iterdir()}
    for name in sorted(linked):
        assert rropt.check((DOCS / "gallery" / name).read_text(encoding="utf-8")), name
    print(f"{len(linked)} certificates of {len(SYSTEMS)} systems are accepted")
    assert len(linked) >= 20


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.key)
def test_the_page_is_that_of_the_library(system, size) -> None:
    """The figures that cost little; all of them in the long run."""
    columns = [name for name in COLUMNS if name not in SLOW] if size(1, 2) == 1 else COLUMNS
    found, written = system.row(columns), dict(zip(COLUMNS, _rows()[system.name][1:], strict=True))
    assert {name: figure.shown for name, figure in found.items()} == {name: written[name] for name in columns}


@pytest.mark.full_size
def test_the_whole_page() -> None:
    found = gallery_files()
    assert {name: (DOCS / name).read_text(encoding="utf-8") for name in found} == found


def test_published_figures() -> None:
    """RAPPOR's levels, and the capacity of 2925 states at epsilon = 14."""
    row = dict(zip(COLUMNS, _rows()["RAPPOR in Chrome (2014)"][1:], strict=True))
    assert row["epsilon of a report"].startswith("1.0743 ")
    assert row["of a day"].startswith("4.2993 (10 reports)")
    assert row["in the limit"].startswith("4 log(3) = 4.3944")
    assert "Capacity: 11.461728 bits" in PAGE
    assert "with the chance 0.243 %" in PAGE


def test_clones_by_enumeration() -> None:
    """The bound is that of the pair of the theorem, summed over all its values, up to its rounding."""
    local, n, delta = math.log(3), 6, 1e-3
    keep, chance = Fraction(3, 4), Fraction(1, 3)
    laws: tuple[dict[tuple[int, int], Fraction], ...] = ({}, {})
    for c in range(n):
        for a, d, side in product(range(c + 1), (0, 1), (0, 1)):
            weight = math.comb(n - 1, c) * chance**c * (1 - chance) ** (n - 1 - c) * Fraction(math.comb(c, a), 2**c)
            weight *= keep if d else 1 - keep
            first = a + (d if side == 0 else 1 - d)
            laws[side][first, c + 1 - first] = laws[side].get((first, c + 1 - first), Fraction(0)) + weight

    def slack(epsilon: float) -> float:
        gamma = math.exp(epsilon)
        return sum(max(0.0, float(p) - gamma * float(laws[1].get(key, 0))) for key, p in laws[0].items())

    found = clones_epsilon(local, n, delta)
    assert slack(found) <= delta < slack(found * (1 - 3e-4))


def test_clones_are_above_the_exact_level() -> None:
    exact = rropt.shuffle("log(3)", 200, delta="1/1000", tolerance="1/1000")
    assert float(exact.lower) <= clones_epsilon(math.log(3), 200, 1e-3) < 2 * float(exact.upper)
