"""The figures of papers that ``docs/site/figures.py`` draws: their numbers against claims and exact mechanisms."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from rropt.mechanisms import Mechanism

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "site" / "figures.py"


@pytest.fixture(scope="module")
def figures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("paper_figures", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["paper_figures"] = module
    spec.loader.exec_module(module)
    return module


def test_the_constants_are_those_of_the_devices(figures: ModuleType) -> None:
    """``c`` is the sum of squares of a row of the inverse of the matrix (Lemma 4.5)."""
    for p in (Fraction(1, 5), Fraction(2, 3)):
        device = Mechanism.warner(str(1 - p / 2))  # keeps a bit with 1 - p/2
        for mechanism, value in ((device, figures.unrelated(p)), (Mechanism.warner(str(p)), figures.warner(p))):
            assert sum(x**2 for x in mechanism.invert([1, 0])) == value
    assert figures.unrelated(Fraction(2, 3)) == figures.warner(Fraction(2, 3))


def test_the_orders_of_the_curves_are_those_of_the_claims(figures: ModuleType) -> None:
    """Sun 1 to 5: which mechanism is best, with the correction of Figure 4; a crossing in Figure 1."""
    shown = {n: [values for _, _, values in figures.FIGURES[f"sun-{n}"]().curves] for n in range(1, 6)}
    warner, christofides, improved = shown[1]
    level = figures.FIGURES["sun-1"]().curves[0][1]
    assert ((improved < warner) == (level < 1.567)).all()
    for n, order in {2: (2, 0, 1), 3: (0, 2, 1), 4: (0, 1, 2), 5: (2, 0, 1)}.items():
        first, second, third = (shown[n][i] for i in order)
        assert (first < second).all(), n
        assert (second < third).all(), n
    assert abs(shown[5][2][0] / shown[5][1][0] - 0.287) < 5e-4  # 28.7 percent, section 6.3
    gamma = 3.0
    assert figures._price()(gamma) == pytest.approx(gamma / (gamma - 1) ** 2, rel=1e-12)
    del christofides


def test_the_losses_are_those_of_the_paper(figures: ModuleType) -> None:
    """L = 9.75 at n = 2 and p = 1/2; the ratio of the constants is 1 at 2/3; both devices agree at each level."""
    assert figures.loss(0.5, 2) == pytest.approx(9.75, abs=5e-3)
    _, one, other = (*figures.vinterbo_2b().curves, ())[0][1], *(c[2] for c in figures.vinterbo_2b().curves)
    assert np.allclose(one, other, rtol=1e-12)
    logs = [values for _, _, values in figures.vinterbo_1b().curves]
    assert all((np.diff(values) > 0).all() for values in logs)


@pytest.mark.slow
def test_the_files_are_what_is_drawn(figures: ModuleType) -> None:
    """Matplotlib writes other bytes in other versions; the texts in the picture stay."""
    for name in ("ziani-1", "sun-2"):
        stored = (figures.FOLDER / f"{name}.svg").read_bytes()
        text = figures.FIGURES[name]().text.encode()
        assert text in stored
        assert text in figures.svg(name)
