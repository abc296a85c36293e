"""Breach pictures: the curves are the limits, the published figures say what the paper says, nothing overlaps."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy
import pytest
from drawn_texts import assert_texts_fit
from few_rows import few_rows

from rropt.cli import plot_breaches
from rropt.cli.parser import Parser
from rropt.core.results import plain_dict
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.plots import breaches, data
from rropt.plots.charts import SIZES
from rropt.plots.data.breach_pictures import BreachPicture, breach_picture, odds_curve, published_figure
from rropt.plots.draw_breach_regions import _text
from rropt.privacy import level_of_text
from rropt.privacy.breach_regions import FunctionRegion, breach_region
from rropt.privacy.breach_regions.forbidden_pairs import exact_value
from rropt.privacy.criteria import (
    Criterion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)

F = Fraction
THREE = Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])
IDENTITY = Mechanism([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
OPEN = Mechanism([["1/2", "1/2", 0], ["1/2", "1/2", 1]])
GENERAL = information_privacy(lower="p^4", upper="1 - (1-p)/3 - (1-p)^2/6")

PICTURES: list[Callable[[], BreachPicture]] = [  # computed by the tests
    *((lambda n=n: published_figure(n)) for n in (1, 2, 3, 4)),
    lambda: breach_picture([rho_to_rho("1/5", "1/2")], mechanisms=[THREE]),
    lambda: breach_picture(mechanisms=[named_mechanism("warner:3/4")]),
    lambda: breach_picture(mechanisms=[Mechanism.binary("3/4", "5/8"), THREE]),
    lambda: breach_picture(mechanisms=[IDENTITY]),
    lambda: breach_picture(mechanisms=[OPEN]),
    lambda: breach_picture(
        [differential_local_privacy("1/2"), canonical_information_privacy("sqrt(p)"), beta_factor(3)]
    ),
    lambda: breach_picture([bayes_factor("1000001/1000000")], gammas=["100000", "1000001/1000000"]),
    lambda: breach_picture([information_privacy(lower="0", upper="1")], canonical=True),
    lambda: breach_picture([beta_factor(2)], canonical=True),
    lambda: breach_picture([rho_to_rho("1/1000", "999/1000")], gammas=[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20]),
    lambda: breach_picture([information_privacy(lower="max(0, p - 1/4)", upper="min(1, 1/2 + p^2)")], canonical=True),
]


@few_rows(1)
@pytest.mark.parametrize("i", range(len(PICTURES)))
def test_nothing_overlaps_and_nothing_is_cut_off(i: int) -> None:
    size = [*SIZES][i % 3]
    picture = PICTURES[i]()
    figure = breaches(picture, size=size)
    assert_texts_fit(figure.to_matplotlib(), SIZES[size].width)
    assert figure.to_bytes("svg")
    json.dumps(plain_dict(picture), allow_nan=False)


def exact_limit(tree: Any, p: float) -> float:
    value = exact_value(tree, F(p))
    assert value is not None
    return float(value)


@pytest.mark.parametrize(
    "criterion",
    [
        rho_to_rho("1/5", "1/2"),
        beta_factor("7/3"),
        bayes_factor(3, "1/4"),
        GENERAL,
        information_privacy(lower="p/4", upper="p^(1/1)"),
    ],
)
def test_limits_are_those_of_the_criterion(criterion: Criterion) -> None:
    picture = breach_picture([criterion])
    region = breach_region(criterion)
    assert isinstance(region, FunctionRegion)
    limits = picture.regions[0].limits
    assert limits is not None
    seen = 0
    for (x, y), tree in zip(limits, (region.up, region.down), strict=True):
        assert (numpy.diff(x) >= 0).all()
        breaks = set(x[1:][numpy.diff(x) == 0])  # a jump has both of its values there
        for p, q in list(zip(x, y, strict=True))[1:-1:7]:
            if p not in breaks:
                assert abs(q - exact_limit(tree, p)) < 1e-9
                seen += 1
    assert seen > 60


def test_bayes_factor_curves() -> None:
    for g in (1e-9, 0.2, 1.0, 5.0, 1e9):
        x, y = odds_curve(g)
        assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
        inside = slice(1, -1)
        factors = y[inside] * (1 - x[inside]) / (x[inside] * (1 - y[inside]))
        assert numpy.allclose(factors, g, rtol=1e-6)
    assert odds_curve(math.inf)[1].min() == 1
    assert odds_curve(0.0)[1].max() == 0


def test_figure_1_is_as_the_paper_says() -> None:
    """None is part of the other; the beta region has the larger area and covers most of the rho region."""
    picture = published_figure(1)
    rho, beta = picture.regions
    assert picture.relation() == "overlapping"
    assert float(beta.area) > float(rho.area)
    grid = [(F(2 * i + 1, 100), F(2 * j + 1, 100)) for i in range(50) for j in range(50)]
    inside = [pair for pair in grid if rho.region.contains(*pair)]
    both = [pair for pair in inside if beta.region.contains(*pair)]
    assert len(inside) / 2 / len(both) < 1 < len(inside) / len(both)  # most, not all
    assert abs(len(inside) / len(grid) - float(rho.area)) < 0.02


def test_figure_3_parts_are_what_the_canonical_form_adds() -> None:
    picture = published_figure(3)
    assert [part.letter for part in picture.parts] == ["A", "B"]
    region = picture.regions[0].region
    assert isinstance(region, FunctionRegion)
    full = region.canonical()
    seen = 0
    for part, side in zip(picture.parts, (1, -1), strict=True):
        assert not part.is_empty
        (x, outer), (_, inner) = part.outer, part.inner
        for p, a, b in list(zip(x, outer, inner, strict=True))[::5]:
            if abs(a - b) > 1e-3:
                middle, beyond = F((a + b) / 2), F(a + side * 1e-3) if 0 < a + side * 1e-3 < 1 else None
                assert full.contains(F(p), middle)
                assert not region.contains(F(p), middle)
                assert beyond is None or region.contains(F(p), beyond)
                seen += 1
    assert seen > 30
    assert all(part.is_empty for part in breach_picture([rho_to_rho("1/5", "4/5")], canonical=True).parts)


def test_figure_4_limits_rise_with_gamma() -> None:
    picture = published_figure(4)
    assert list(picture.gammas) == sorted(picture.gammas)
    heights = [numpy.interp(0.3, *odds_curve(float(g))) for g in picture.gammas]
    assert heights == sorted(heights)
    label = breaches(picture).text
    assert all(f"γ = {g}." in label for g in picture.gammas)


def test_keys_say_what_is_proved() -> None:
    judged = breaches([rho_to_rho("1/5", "1/2")], mechanisms=[THREE]).text
    assert "meets 1/5-to-1/2 privacy." in judged
    assert "parity = 2" in judged
    assert "B(h) = 4" in judged
    failed = breaches([rho_to_rho("3/10", "1/2")], mechanisms=[IDENTITY]).text
    assert "does not meet" in failed
    assert "only p* = 0 and p* = 1 occur" in failed
    assert "every pair occurs" in breaches(mechanisms=[OPEN]).text
    assert "only its curves occur" in breaches(mechanisms=[named_mechanism("warner:3/4")]).text


def drawn(*argv: str) -> BreachPicture:
    """Return the picture of a command line."""
    parser = Parser(prog="rropt plot breaches")
    parser.declare(plot_breaches.BREACHES, lambda args: plot_breaches.breaches(args, data))
    args = parser.parse_args(argv)
    return args.run(args)


def test_command_data() -> None:
    assert data.published_figure(3).figure == 3
    argv = ["--level", "posterior:1/5,1/2", "--level", "factor:3", "--mechanism", "warner:3/4", "--gamma", "2, 5"]
    found = plain_dict(drawn(*argv))
    regions = found["regions"]
    assert [region["bound"] and region["bound"]["value"] for region in regions] == ["4", "3", None]
    assert regions[2]["mechanism"]["matrix"] == [["3/4", "1/4"], ["1/4", "3/4"]]
    assert [factor for factor, _ in regions[2]["factors"]] == ["3", "1/3"]
    assert found["gammas"] == ["2", "5"]
    both = data.breach_picture([level_of_text("curve:min(1, 2*p);p^2").criterion], canonical=True)
    assert [part.letter for part in both.parts] == ["A", "B"]
    assert drawn("--epsilon", "1/2").regions[0].bound.value == "exp(1/2)"


@pytest.mark.parametrize(
    ("given", "end"),
    [
        ({"criteria": [beta_factor(2), beta_factor(3)]}, "a privacy breach. The second region is part of the first."),
        ({"criteria": [beta_factor(3), beta_factor(2)]}, "a privacy breach. The first region is part of the second."),
        ({"criteria": [beta_factor(2), beta_factor(2)]}, "a privacy breach. The two regions are the same."),
        ({"criteria": [rho_to_rho("1/5", "1/2"), beta_factor(3)]}, "of the other. B(h) compares the two demands."),
        ({"mechanisms": [Mechanism("warner:3/4"), THREE]}, "lead to. Neither region is part of the other."),
        ({"criteria": [beta_factor(2)], "mechanisms": [THREE]}, "if its region covers that of the criterion."),
        ({"criteria": [beta_factor(2)], "gammas": [2]}, "upper limits when every Bayes factor is at most γ."),
    ],
)
def test_the_text_ends_with_what_is_compared(given: dict[str, Any], end: str) -> None:
    assert _text(breach_picture(**given)).endswith(end)
