"""The gallery of deployed systems: its page is the written one, and every figure has a certificate."""

from __future__ import annotations

import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from adversary.boundary.oracle import clones
from every_case import every_case

import rropt
from rropt.accounting.shuffled_blanket import BlanketReports
from rropt.core.exact import Epsilon

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"
sys.path.insert(0, str(DOCS.parent / "site"))

from gallery import _END, _HEAD, COLUMNS, FORMULAS, SYSTEMS, gallery_files  # noqa: E402

PAGE = (DOCS / "gallery.md").read_text(encoding="utf-8")
SLOW = ("shuffled", "optimum", "factor lost")


def _rows() -> dict[str, list[str]]:
    lines = [line for line in PAGE.splitlines() if line.startswith("| [")]
    return {re.match(r"\| \[(.*?)\]", line)[1]: line.strip("| ").split(" | ") for line in lines}  # type: ignore[index]


@pytest.mark.slow
def test_certificates_are_accepted() -> None:
    linked = set(re.findall(r"\(gallery/([\w-]+\.json)\)", PAGE))
    assert linked == {path.name for path in (DOCS / "gallery").iterdir()}
    for name in sorted(linked):
        assert rropt.check((DOCS / "gallery" / name).read_text(encoding="utf-8")), name
    print(f"{len(linked)} certificates of {len(SYSTEMS)} systems are accepted")
    assert len(linked) >= 20


@every_case("system", SYSTEMS, ids=lambda system: system.key)
def test_the_page_is_what_is_written(system, size) -> None:
    """The figures that cost little; all of them in the long run."""
    columns = [name for name in COLUMNS if name not in SLOW] if size(1, 2) == 1 else COLUMNS
    found, written = system.row(columns), dict(zip(COLUMNS, _rows()[system.name][1:], strict=True))
    assert {name: figure.shown for name, figure in found.items()} == {name: written[name] for name in columns}


def test_the_words_of_the_page_are_those_of_its_script() -> None:
    """What stands around the figures: head, end, formulas, and what is said of each system."""
    formulas = [f"### {name}\n\n{text}\n" for name, text in FORMULAS.items()]
    said = [
        f"### {system.name}\n\n* Source: {system.source}.\n* Setting: {system.setting}\n* Not guaranteed: "
        for system in SYSTEMS
    ]
    said += [system.gaps for system in SYSTEMS]
    assert [text for text in (_HEAD, _END, *formulas, *said) if text not in PAGE] == []


@pytest.mark.slow
def test_the_whole_page() -> None:
    found = gallery_files()
    assert {name: (DOCS / name).read_text(encoding="utf-8") for name in found} == found


def test_what_the_table_shows_stands_in_it() -> None:
    """Every number of the findings is one of the table, and the three surveys that lose nothing lose nothing."""
    (findings,) = re.findall(r"## What the table shows\n(.*?)\n## ", PAGE, re.DOTALL)
    table, numbers = "\n".join(map(" | ".join, _rows().values())), re.findall(r"\d+\.\d+", findings)
    assert len(numbers) == 6
    assert all(re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", table) for number in numbers)
    lost = {name: row[-1].split(" ")[0] for name, row in _rows().items()}
    assert [lost[name] for name in lost if re.match("Nigeria|Crosswise|Doping", name)] == ["1", "1", "1"]


def test_published_figures() -> None:
    """RAPPOR's levels, and the capacity of 2925 states at epsilon = 14."""
    row = dict(zip(COLUMNS, _rows()["RAPPOR in Chrome (2014)"][1:], strict=True))
    assert row["epsilon of a report"].startswith("1.0743 ")
    assert row["of a day"].startswith("4.2993 (10 reports)")
    assert row["in the limit"].startswith("4 log(3) = 4.3944")
    assert "Capacity: 11.461728 bits" in PAGE
    assert "with the chance 0.243 %" in PAGE


def test_shuffled_certificates_prove_the_printed_level() -> None:
    """Delta is 10^-6 at the level of the table, or at one that rounds up to it."""
    for system, row in zip(SYSTEMS, _rows().values(), strict=True):
        figure = dict(zip(COLUMNS, row[1:], strict=True))["shuffled"]
        level, n, path = re.match(r"at most ([\d.]+) \(n = ([\d,]+)\) .*\]\((\S+)\)\)", figure).groups()  # type: ignore[union-attr]
        document = json.loads((DOCS / path).read_text(encoding="utf-8"))
        proved = Fraction(document["problem"]["epsilon"]["rational"])
        assert Fraction(level) * Fraction(999, 1000) < proved <= Fraction(level), system.key
        assert document["problem"]["respondents"] == n.replace(",", "")
        assert Fraction(document["claim"]["upper"]) <= Fraction(1, 10**6)


def clones_slack(local: float, n: int, epsilon: float) -> float:
    """Return delta of the pair of Feldman, McMillan and Talwar (2021), theorem 3.1, in floats: every number of clones.

    With C ~ Bin(n - 1, exp(-local)), A ~ Bin(C, 1/2) and D ~ Bernoulli(exp(local)/(exp(local) + 1)) the pair is
    (A + D, C - A + 1 - D) against (A + 1 - D, C - A + D).
    """
    from scipy import stats

    chance, keep, gamma = math.exp(-local), math.exp(local) / (math.exp(local) + 1), math.exp(epsilon)
    counts = np.arange(n)
    weights = stats.binom.pmf(counts, n - 1, chance)
    # P(a) : Q(a) = keep x + (1 - keep) y : (1 - keep) x + keep y, x = pmf(a - 1), y = pmf(a), x/y = a/(c + 1 - a)
    ratio = (gamma * keep - (1 - keep)) / (keep - gamma * (1 - keep))  # of x/y at which P = gamma Q
    first = np.ceil((counts + 1) * ratio / (1 + ratio))
    above, at = stats.binom.sf(first - 2, counts, 0.5), stats.binom.sf(first - 1, counts, 0.5)
    p, q = keep * above + (1 - keep) * at, (1 - keep) * above + keep * at
    return float((weights * np.maximum(p - gamma * q, 0)).sum())


def test_clones_by_enumeration() -> None:
    """The pair of the theorem, summed over all its values."""
    for epsilon in (0.0, 0.3, 0.9):
        exact = clones(6, Fraction(3), Fraction(math.exp(epsilon)))
        assert math.isclose(exact, clones_slack(math.log(3), 6, epsilon), abs_tol=1e-12)


@pytest.mark.parametrize(("local", "n"), [("4", 100_000), ("1", 2000), ("log(3)", 200)])
def test_certified_levels_are_those_of_the_clones(local: str, n: int) -> None:
    """The blocks and the rounding of the certificate cost less than a thousandth of the level."""
    level = Epsilon.of(local)
    found = BlanketReports.of_any(n, level).least_epsilon(Fraction(1, 10**6), level.nats(30).upper)
    assert found is not None
    assert (
        clones_slack(float(level), n, float(found[0])) <= 1e-6 < clones_slack(float(level), n, 0.999 * float(found[0]))
    )
