"""The figures of papers that ``rropt plot paper`` draws: their numbers against claims and exact mechanisms."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from rropt import plots
from rropt.core.errors import InvalidParameterError
from rropt.designs import Problem
from rropt.mechanisms import Mechanism
from rropt.plots.data import paper_picture, paper_pictures
from rropt.plots.data.paper_pictures import FIGURES

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "figures"


def test_the_constants_are_those_of_the_devices() -> None:
    """``c`` is the sum of squares of a row of the inverse of the matrix (Lemma 4.5)."""
    for p in (Fraction(1, 5), Fraction(2, 3)):
        device = Mechanism.warner(str(1 - p / 2))  # keeps a bit with 1 - p/2
        for mechanism, value in (
            (device, paper_pictures.unrelated(p)),
            (Mechanism.warner(str(p)), paper_pictures.warner(p)),
        ):
            assert sum(x**2 for x in mechanism.invert([1, 0])) == value
    assert paper_pictures.unrelated(Fraction(2, 3)) == paper_pictures.warner(Fraction(2, 3))


def test_the_orders_of_the_curves_are_those_of_the_claims() -> None:
    """Sun 1 to 5: which mechanism is best, with the correction of Figure 4; a crossing in Figure 1."""
    found = {n: paper_picture("sun2023", str(n)).curves for n in range(1, 6)}
    shown = {n: [np.array(curve.y) for curve in curves] for n, curves in found.items()}
    warner, christofides, improved = shown[1]
    level = np.array(found[1][0].x)
    assert ((improved < warner) == (level < 1.567)).all()
    for n, order in {2: (2, 0, 1), 3: (0, 2, 1), 4: (0, 1, 2), 5: (2, 0, 1)}.items():
        first, second, third = (shown[n][i] for i in order)
        assert (first < second).all(), n
        assert (second < third).all(), n
    assert abs(shown[5][2][0] / shown[5][1][0] - 0.287) < 5e-4  # 28.7 percent, section 6.3
    delta, pi = (sp.Symbol(name, nonnegative=True) for name in ("delta", "pi"))
    gamma = sp.Symbol("gamma", positive=True)
    form = Problem.binary("1/3", epsilon="1").to_sympy().form
    assert sp.simplify((form.value - pi * (1 - pi)).subs(delta, 0) - paper_pictures.price(gamma)) == 0
    del christofides


def test_the_losses_are_those_of_the_paper() -> None:
    """L = 9.75 at n = 2 and p = 1/2; the ratio of the constants is 1 at 2/3; both devices agree at each level."""
    assert paper_pictures.loss(0.5, 2) == pytest.approx(9.75, abs=5e-3)
    one, other = (np.array(curve.y) for curve in paper_picture("vinterbo2018", "2b").curves)
    assert np.allclose(one, other, rtol=1e-12)
    logs = [curve.y for curve in paper_picture("vinterbo2018", "1b").curves]
    assert all((np.diff(values) > 0).all() for values in logs)


def test_the_files_are_what_is_drawn() -> None:
    """Each figure of the page is drawn by one command; fonts and versions may move lines, and the texts stay."""
    names = {f"{paper}-{figure}" for paper, figures in FIGURES.items() for figure in figures}
    assert {file.stem for file in FOLDER.glob("*.svg")} == names
    for paper, figure in (("ziani", "1"), ("sun2023", "2"), ("vinterbo2018", "2a")):
        drawn = plots.paper(paper, figure)
        assert drawn.text.encode() in (FOLDER / f"{paper}-{figure}.svg").read_bytes()
        assert drawn.text.encode() in drawn.to_bytes("svg")


def test_the_curve_of_vinterbo_2a_has_a_gap() -> None:
    ratio, one = paper_picture("vinterbo2018", "2a").curves
    assert [x for x, y in zip(ratio.x, ratio.y, strict=True) if y is None] == [0.5]
    assert set(one.y) == {1.0}


def test_the_command_draws_each_figure(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for paper, figures in FIGURES.items():
        figure = list(figures)[-1]
        assert cli("plot", "paper", paper, figure, "--output", "figure.svg")[0] == 0
        assert (tmp_path / "figure.svg").read_bytes()[:5] == b"<?xml"
    printed = json.loads(cli("plot", "paper", "vinterbo2018", "2b", "--json")[1])
    assert [curve["name"] for curve in printed["curves"]] == ["unrelated question", "Warner"]
    assert "allowed are 1a, 1b, 1c, 2a, 2b" in cli("plot", "paper", "vinterbo2018", "2", "--json")[2]
    with pytest.raises(InvalidParameterError, match="ziani, vinterbo2018, sun2023"):
        plots.paper("vinterbo", "1a")
