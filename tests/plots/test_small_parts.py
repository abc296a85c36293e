"""Parts of pictures: their numbers by formulas and by enumeration, their limits from both sides, their exact texts."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import inspect
import math
import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations, product
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from later import later

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import Bracket, Delta, Epsilon, ExactReal
from rropt.designs.orders import PartialOrder
from rropt.mechanisms import Mechanism
from rropt.plots import (
    draw_accounting,
    draw_breach_regions,
    draw_comparisons,
    draw_designs,
    draw_every_level,
    draw_families,
    draw_precisions,
    draw_surveys,
    drawing,
)
from rropt.plots.charts import Chart, Writing, look_of
from rropt.plots.data import noncompliance_pictures
from rropt.plots.data.breach_pictures import RegionPart, breach_picture, odds_curve, points_between, published_figure
from rropt.plots.data.comparison_pictures import _crossings, _sort_levels, order_places
from rropt.plots.data.efficiency_pictures import EfficiencyCurve, EfficiencyPicture, _switch, efficiency_picture
from rropt.plots.data.group_pictures import GroupsPicture, _require_few, groups_picture
from rropt.plots.data.marked_designs import Coordinate, classical_designs
from rropt.plots.data.noncompliance_pictures import NoncompliancePicture, noncompliance_picture
from rropt.plots.data.precision_pictures import (
    PrecisionPicture,
    RespondentsPicture,
    precision_picture,
    respondents_picture,
)
from rropt.plots.data.region_pictures import design_point, region_picture
from rropt.plots.data.survey_pictures import estimate_picture, heat_picture
from rropt.plots.data.threshold_pictures import level_grid, level_set, threshold_picture
from rropt.plots.data.variance_pictures import _levels, level_curve, variance_picture
from rropt.plots.figures import require_screen
from rropt.plots.layouts import inside_of, number_texts, side
from rropt.plots.matplotlib_pictures import draw_on
from rropt.plots.text_widths import text_width, wrapped
from rropt.privacy.criteria import bayes_factor, beta_factor, rho_to_rho
from rropt_fieldwork.costs import cost_pictures
from rropt_fieldwork.costs.cost_pictures import ComparisonPicture
from rropt_fieldwork.ethics import draw_shares
from rropt_fieldwork.ethics.share_pictures import SharePoint, SharesPicture

Figure = later("matplotlib.figure", "Figure")
to_rgb = later("matplotlib.colors", "to_rgb")

F = Fraction
Z = NormalDist().inv_cdf(0.975)


def drawn(picture: Callable[..., Any], found: Any) -> tuple[Any, str]:
    """Draw on axes of matplotlib's own size; return them and the alternative text."""
    chart = Chart()
    text = picture.__wrapped__(chart, found)  # type: ignore[attr-defined]
    axes = Figure().add_subplot()
    draw_on(axes, chart, text)
    axes.chart = chart
    return axes, text


def key(axes: Any) -> list[str]:
    return list(axes.get_legend_handles_labels()[1])


def lines(axes: Any) -> list[list[list[float]]]:
    return [line.get_xydata().tolist() for line in axes.get_lines() if len(line.get_xydata())]


def refused(call: Callable[[], Any], text: str, kind: type[Exception] = InvalidParameterError) -> None:
    with pytest.raises(kind, match=re.escape(text)):
        call()


# numbers and texts


def test_coordinates_of_marked_designs() -> None:
    """Signs of quotients; short texts, rounded to the side that is asked for."""
    for above, below in product((-3, -1, 0, 1, 2), (-2, -1, 1, 3)):
        found, value = Coordinate(above, below), F(above, below)
        assert (found.rational, float(found), str(found)) == (value, float(value), str(value))
        assert found.sign == (value > 0) - (value < 0)
    e = ExactReal.exponential(F(1))
    half = Coordinate(e, 2)
    assert (half.rational, half.sign, Coordinate(e, -2).sign, Coordinate(e * 0, 2).rational) == (None, 1, -1, 0)
    assert float(half) == math.e / 2
    series = sum(F(1, math.factorial(n)) for n in range(80)) / 2
    low, high = (half.rounded(70, up=up) for up in (False, True))
    assert low < series < high < low + F(1, 10**57)
    for above, below, down, up in (
        (1, 3, "1/3", "1/3"),
        (1001, 1000, "1001/1000", "1001/1000"),  # 9 characters
        (10001, 1000, "≈10", "≈10.01"),
        (9999, 10000, "≈0.9999", "≈0.9999"),
        (10**10 - 123456, 10**10, "≈1 − 1.235e-05", "≈1 − 1.234e-05"),
        (10**10 + 123456, 10**10, "≈1", "≈1.001"),
        (e, 2, "≈1.359", "≈1.36"),
    ):
        found = Coordinate(above, below)
        assert (found.short(), found.short(up=True)) == (down, up)
    assert Coordinate(3, 4).to_dict() == {"exact": "3/4", "decimal": 0.75}


def test_texts_of_values_and_levels() -> None:
    for value, text in (
        (F(15, 16), "= 15/16 = 0.9375"),
        (F(1, 3), "= 1/3 ≈ 0.3333"),
        (F(2), "= 2"),
        (F(1001, 1000), "= 1001/1000 = 1.001"),
        (F(10007, 1000), "≈ 10.01"),
        (Coordinate(ExactReal.exponential(F(1)), 2), "≈ 1.359"),
        (Coordinate(3, 4), "= 3/4 = 0.75"),
    ):
        assert drawing.value_text(value) == text
    for epsilon, delta, text in (
        ("log(2)", "1/4", "ε = log(2) ≈ 0.6931, δ = 1/4"),
        ("1/2", "exp(-1)", "ε = 1/2, δ = exp(-1) ≈ 0.3679"),
        ("log(12345/12)", "0", "ε ≈ 6.936, δ = 0"),  # written log(4115/4): 11 characters
        ("1/1234567890", "1/12345678901", "ε = 1/1234567890, δ ≈ 8.1e-11"),  # 12 and 13 characters
    ):
        found = drawing.level_text(Epsilon.of(epsilon), Delta.of(delta))
        assert found == text.replace("ε ≈ 6.936", "ε = log(4115/4) ≈ 6.936")
    assert text_width("0" * 10) == pytest.approx(6.36)
    assert text_width("ab\n0") == pytest.approx(1.248)
    room = text_width("twelve words")
    assert wrapped(["twelve words"], room) == ["twelve words"]
    assert wrapped(["twelve words"], room - 0.01) == ["twelve\nwords"]
    found = wrapped(["a b c d e f", "p + q and (1, 2)"], text_width("p + q and"))
    assert found == ["a b c d e\nf", "p + q and\n(1, 2)"]
    assert wrapped(["0" * 7], text_width("000")) == ["000\n000\n0"]
    assert [side(part) for part in (-1, -0.3, -0.29, 0, 0.29, 0.3)] == [-1, -1, 0, 0, 0, 1]
    assert [draw_surveys._cut("n" * length) for length in (30, 31)] == ["n" * 30, "n" * 29 + "…"]


def test_what_is_refused_before_a_picture_is_drawn(monkeypatch: Any) -> None:
    for path, size, data_only in ((None, "paper", False), ("a.PNG", "wide", True), (None, "screen", True)):
        drawing.require_drawable(path, size=size, data_only=data_only)
    refused(lambda: drawing.require_drawable("a.gif", size="paper"), "allowed are names that end in .png, .svg, .pdf")
    refused(lambda: drawing.require_drawable(None, size="large"), "large")
    called: list[int] = []
    monkeypatch.setattr("rropt.plots.matplotlib_pictures.require_matplotlib", lambda: called.append(1))
    for path, data_only, needed in ((None, True, 0), (None, False, 1), ("a.svg", True, 0), ("a.svg", False, 0),
                                    ("a.pdf", True, 1), ("a.PNG", False, 1)):  # fmt: skip
        called.clear()
        drawing.require_drawable(path, size="paper", data_only=data_only)
        assert len(called) == needed
    figure = rropt.plots.Figure(Chart(), "text")
    for dpi in (29, 1201):
        refused(lambda dpi=dpi: figure.to_bytes("png", dpi=dpi), f"{dpi}")  # type: ignore[misc]
    for platform, display, wayland, is_fine in (
        ("linux", "", "", False),
        ("linux", ":0", "", True),
        ("linux", "", "wayland-0", True),
        ("darwin", "", "", True),
        ("win32", "", "", True),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setenv("WAYLAND_DISPLAY", wayland)
        if is_fine:
            require_screen()
        else:
            refused(require_screen, "there is no screen to show the picture on")


def test_a_function_of_a_picture_draws_what_is_given_or_computed(monkeypatch: Any) -> None:
    monkeypatch.setattr(drawing, "_DRAWN", {})

    def compute(first: Any, *, twice: bool = False, **rest: Any) -> F:
        return F(first) * (2 if twice else 1) + len(rest)

    @drawing.picture(compute, Fraction, of=(Epsilon,))
    def dotted(chart: Chart, found: Any) -> str:
        chart.plot([0, 1], [0, float(found)], label=f"value {found}")
        return f"drawn: {found!r}"

    axes = Figure().add_subplot()
    for call, value in (
        (lambda: dotted(F(1, 2), ax=axes), "Fraction(1, 2)"),
        (lambda: dotted(F(1, 2), ax=axes, twice=True), "Fraction(1, 1)"),
        (lambda: dotted("3", ax=axes, extra=0), "Fraction(4, 1)"),
    ):
        assert isinstance(call(), rropt.plots.Figure)
        assert axes.get_label().startswith(f"drawn: {value}")
    assert [*inspect.signature(dotted).parameters] == ["first", "twice", "size", "ax", "rest"]
    assert {Fraction: dotted, Epsilon: dotted} == drawing._DRAWN
    figure = dotted(F(3), size="wide")
    assert figure.text == "drawn: Fraction(3, 1) value 3."
    assert figure.to_matplotlib().get_size_inches()[0] == 7.0
    assert figure.to_matplotlib().dpi == 300
    refused(lambda: dotted(F(3), ax="axes"), "ax is not a matplotlib axes: received 'axes'")
    refused(lambda: drawing.as_given(5), "there is no picture of this: received 5; allowed are results")


def test_frames_and_ticks() -> None:
    chart = Chart()
    drawing.unit_square(chart, "a", "b")
    assert chart.x.ticks == chart.y.ticks == ((0, "0"), (0.25, ""), (0.5, "0.5"), (0.75, ""), (1, "1"))
    assert (chart.limits(), chart.x.label, chart.y.label) == (((0, 1), (0, 1)), "a", "b")
    for high, ticks in ((199, [1, 2, 5, 10, 20, 50, 100]), (200, [1, 10, 100])):
        plain = Chart()
        plain.set(xscale="log", xlim=(1, high))
        assert [tick.at for tick in inside_of(plain, 300, 200).x_ticks] == ticks
    plain.set(xlim=(3, 4))
    assert [tick.text for tick in inside_of(plain, 300, 200).x_ticks] == ["3", "3.2", "3.4", "3.6", "3.8", "4"]
    texts = number_texts([0.005, 0.5, 20, 500000, 1e6, 2e6, 2e12], is_log=True)
    assert texts == ["0.005", "0.5", "20", "500000", "1e6", "2e6", "2e12"]
    assert number_texts([0, 2e-4, 4e-4]) == ["0", "2e-4", "4e-4"]
    assert number_texts([-0.5, 0, 0.5]) == ["−0.5", "0.0", "0.5"]
    assert number_texts([1.05, 1.1, 1.15]) == ["1.05", "1.10", "1.15"]
    assert number_texts([0.5, 0.5001, 0.5002]) == ["0.5000", "0.5001", "0.5002"]
    assert number_texts([2e6, 2000001, 2000002]) == ["2e6", "2.000001e6", "2.000002e6"]
    # points nearer than one letter (of 8 points) share one text; others stand where they are asked to, if it is free
    near = Chart()
    near.set(xlim=(0, 100), ylim=(0, 100))
    near.name_points([((20, 20), "A", 0.0), ((27, 20), "B", 90.0), ((20, 60), "C", 225.0), ((80, 80), "D", 90.0)])
    names = inside_of(near, 100, 100).names
    assert [(name.text, name.point, name.across, name.down) for name in names] == [
        ("A\nB", (20, 20), 1, 0),
        ("C", (20, 60), -1, 1),
        ("D", (80, 80), 0, -1),
    ]
    assert names[0].offset == (0.7 * 8, 0)
    assert names[1].offset == pytest.approx((-5.6 / math.sqrt(2), 5.6 / math.sqrt(2)))
    looks = [look_of(i) for i in range(43)]
    assert looks[42] == looks[0]
    assert all((looks[i]["color"] == looks[0]["color"]) == (i % 7 == 0) for i in range(43))
    assert all((looks[i]["linestyle"] == "solid") == (i % 6 == 0) for i in range(43))
    assert [drawing.marked(i)["marker"] for i in (0, 9, 10, 19)] == ["o", "h", "o", "h"]


# data


def test_classical_designs_at_a_level() -> None:
    """gamma = 3, delta = 1/5, with the parameters of the formulas by hand."""
    names = ["Warner", "crosswise", "Mangat–Singh (1990)", "forced response y:n = 1:1", "forced response y:n = 1:2"]
    assert [*classical_designs([], slack=False)] == names
    found = classical_designs(["3/4"], slack=True)
    assert [*found] == [*names, "unrelated question πB = 3/4", "Mangat (1994), p = δ"]
    half, fifth = (F(4, 5), F(4, 5)), F(1, 5)
    expected = [half, half, half, half, (F(21, 25), F(17, 25)), (F(3, 5), F(13, 15)), (fifth, F(1))]
    for design, pair in zip(found.values(), expected, strict=True):
        mechanism = design(F(3), fifth)
        assert (mechanism.p00, mechanism.p11) == pair
    for wrong in (0, 1):
        refused(lambda wrong=wrong: classical_designs([wrong], slack=True), "0 < piB < 1")  # type: ignore[misc]


def test_level_sets_of_g() -> None:
    """g at each point; delta ends where epsilon is 0; points lie at low + (high - low) t^2."""
    for level, end in ((F(1, 4), 1.0), (F(1, 2), 1.0), (F(3, 4), 0.5), (F(1), 1 / 3)):
        epsilon, delta = level_set(level, 0.01, 1.0)
        assert (len(delta), delta[0], delta[-1]) == (401, 0.01, pytest.approx(end))
        gamma = np.exp(epsilon)
        assert delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2 == pytest.approx(float(level))
        assert min(epsilon) >= 0
    assert level_set(F(3, 4))[0][-1] == pytest.approx(0, abs=1e-12)
    assert level_set(F(1, 4), 0.1, 0.9, 5)[1] == pytest.approx([0.1, 0.15, 0.3, 0.55, 0.9])
    assert [len(part) for part in level_set(F(1), 0.34, 1.0)] == [0, 0]
    assert [len(part) for part in level_set(F(1), 1 / 3, 1.0)] == [401, 401]
    picture = threshold_picture(["1", "1/4", 1], marks=[("log(2)", "1/4"), ("0", "1/2")])
    assert (picture.levels, len(picture.curves)) == ((F(1, 4), F(1)), 2)
    assert [mark.value.rational for mark in picture.marks] == [F(1, 4), F(3, 4)]
    levels = [F(i, 50) for i in range(1, 41)]
    assert len(threshold_picture(levels).levels) == len(threshold_picture(levels[1:], marks=[("1", "0")]).levels) + 1
    for given, marks, text in (
        (levels, [("1", "1/2")], "received 40 and 1; allowed are 1 level at least and 40 of both at most"),
        ([], [], "received 0 and 0"),
        ([0], [], "0 < level <= 1"),
        (["1000001/1000000"], [], "0 < level <= 1"),
    ):
        refused(lambda given=given, marks=marks: threshold_picture(given, marks=marks), text)  # type: ignore[misc]
    refused(lambda: threshold_picture(marks=[(0, 0)]), "g is 0/0 at epsilon = delta = 0", InfeasibleError)
    assert level_grid(("0", "3"), Delta.of("1/4"), 7)[1] == (0, 0.5, 1, 1.5, 2, 2.5, 3)
    assert level_grid(("1", "2"), Delta.of(0), 3)[1] == (1, 1.5, 2)
    refused(
        lambda: level_grid((0, 1), Delta.of(0), 3), "nothing can be estimated at epsilon = delta = 0", InfeasibleError
    )
    refused(
        lambda: level_grid((1, 1), Delta.of(0), 3), "the range of epsilon is empty: received 1 to 1; allowed is 0 <="
    )
    refused(lambda: threshold_picture(delta_range=("1/2", "1/2")), "the range of delta is empty: received 1/2 to 1/2")


def test_regions_and_landscapes() -> None:
    """gamma = 2, delta = 1/4: C = (3/4, 3/4); the mirror images are 1 minus the designs."""
    shape = region_picture("log(2)", "1/4")
    half = [(1, 0), (1, 0.25), (0.75, 0.75), (0.25, 1), (0, 1)]
    assert shape.outline(informative=True) == half
    assert shape.outline() == [*half, *((1 - x, 1 - y) for x, y in half[1:4])]
    assert shape.outline("stretched", informative=True) == [(y - x, x + y - 1) for x, y in half]
    assert [design.is_mirrored for design in shape.designs] == [False] * 5 + [True] * 3
    assert [design.inwards_is_up for design in shape.designs] == [False] * 5 + [True] * 3
    assert shape.design("C'").to_dict() == {
        "names": ["C'"],
        "p00": {"exact": "1/4", "decimal": 0.25},
        "p11": {"exact": "1/4", "decimal": 0.25},
        "vertex": True,
    }
    assert design_point(F(3, 4), F(1, 8), "stretched") == (-0.625, -0.125)
    assert design_point(F(3, 4), F(1, 8), "design") == (0.75, 0.125)
    picture = variance_picture("log(3)", "1/5", prevalence="1/4", mechanism="warner:3/4")
    assert picture.height == 0.6
    x = np.array([-1, -0.9, -0.8, -0.4, 0, 0.4, 0.8, 0.9, 1])
    assert picture.ceiling(x) == pytest.approx([0, 0.1, 0.2, 0.4, 0.6, 0.4, 0.2, 0.1, 0])
    assert picture.plane(np.array([-0.5, 0.125]), np.array([0.25, 0])) == (
        pytest.approx([0.875, 0.4375]),
        pytest.approx([0.375, 0.5625]),
    )
    assert picture.mechanism_variance() == F(15, 16)
    assert variance_picture("1", prevalence="1/4", mechanism="warner:1/2").mechanism_variance() is None
    for epsilon, asked, plane in (
        ("log(2)", "auto", "design"),  # 1/3 high
        ("log(12/7)", "auto", "stretched"),  # 5/19 high
        ("log(12/7)", "design", "design"),
        ("log(2)", "stretched", "stretched"),
    ):
        found = variance_picture(epsilon, prevalence="1/4", axes=asked)
        assert found.axes == plane
        points = np.array([0.25]), np.array([0.5])
        assert found.plane(*points) == (points if plane == "stretched" else ([0.625], [0.875]))
    refused(lambda: variance_picture("1", prevalence="1/4", axes="wide"), "allowed are auto, design, stretched")
    x, y = level_curve(F(4), F(1, 4))
    response = (1 + x - y / 2) / 2
    assert response[1:-1] * (1 - response[1:-1]) == pytest.approx(4 * y[1:-1] ** 2)
    assert (x[0], x[-1], max(y)) == (-1, 1, pytest.approx(0.25))
    for piece in picture.contour(F(3)):
        assert all(y <= min(1 - abs(x), 0.6 - 0.5 * abs(x)) + 1e-12 for x, y in zip(*piece, strict=True))


def test_levels_of_contours() -> None:
    """From the least variance, or a hundredth of the highest, to 12.25 / top^2; at most 7, in the finest steps."""
    for least, top, levels in (
        (1, 1, "3/2 2 3 5 7 10"),
        (0.9, 1, "1 3/2 2 3 5 7 10"),
        (0.6, 1, "1 2 5 10"),
        (0, 1, "1/5 1/2 1 2 5 10"),
        (0, 0.1, "20 50 100 200 500 1000"),
        (1000, 0.1, ""),
        (999, 0.1, "1000"),
    ):
        assert _levels(least, top) == tuple(map(F, levels.split()))


def test_ratios_of_classical_designs() -> None:
    """Prevalence 1/4 at log(3): Warner has 15/16, the unrelated question with 1/4 has 27/16."""
    found = efficiency_picture(
        prevalence="1/4", points=["2", *["log(3)"] * 33], unrelated=["1/4"], epsilon_range=("1", "2")
    )
    assert [str(point.problem.region.epsilon) for point in found.points] == ["log(3)", "2"]
    assert (found.grid[0], found.grid[60], found.grid[120], len(found.grid)) == (1, 1.5, 2, 121)
    best, *others = found.curves
    assert (best.designs[0], best.is_optimal, set(best.ratios)) == ("Warner", True, {1.0})
    assert best.marked[0] == 1
    assert not any(curve.is_optimal for curve in others)
    other = next(curve for curve in others if curve.label == "unrelated question πB = 1/4")
    assert other.marked[0] == F(9, 5)
    for epsilon, ratio in zip(found.grid, other.ratios, strict=True):
        c = math.expm1(epsilon) / 4
        t = c / (c + 1)
        response = t / 4 + (1 - t) / 4
        least = 3 / 16 + math.exp(epsilon) / math.expm1(epsilon) ** 2
        assert ratio == pytest.approx(response * (1 - response) / t**2 / least)
    assert [curve.ratios[0] for curve in found.curves] == sorted(curve.ratios[0] for curve in found.curves)
    refused(
        lambda: efficiency_picture(prevalence="1/4", points=["1"] * 35, unrelated=["1/4"]),
        "received 6 and 35; at most 40 of both are allowed",
    )
    for pi in (0, 1):
        assert efficiency_picture(prevalence=pi, points=[], unrelated=[]).prevalence == pi
        refused(
            lambda pi=pi: efficiency_picture(prevalence=pi, delta="1/4"),  # type: ignore[misc]
            f"the least variance is 0 at prevalence {pi} with delta > 0",
            InfeasibleError,
        )
    for pi in (F(1, 4), F(3, 4)):
        for ends, switch in ((("0", "2"), math.log(2)), (("log(2)", "2"), None), (("0", "log(2)"), None)):
            found = _switch(Delta.of("1/4"), pi, (Epsilon.of(ends[0]), Epsilon.of(ends[1])))
            assert found == (switch and pytest.approx(switch))
        for delta in (0, 1):
            assert _switch(Delta.of(delta), pi, (Epsilon.of(0), Epsilon.of(9))) is None
    for point in ("0.99", "2.01"):
        refused(
            lambda point=point: efficiency_picture(prevalence="1/4", points=[point], epsilon_range=("1", "2")),  # type: ignore[misc]
            "allowed is 1 to 2; widen the range",
        )


def test_precision_and_respondents_by_the_normal_formulas() -> None:
    """Warner's 3/4 at prevalence 1/4 has n Var 15/16; 3/16 of it is that of a direct question."""
    found = precision_picture(["warner:3/4"], prevalence="1/4", n_range=(1, 10**6), goal="1/20")
    assert (found.numbers[0], found.numbers[-1], found.goal) == (1, 10**6, F(1, 20))
    assert {10**i for i in range(7)} < set(found.numbers)
    assert all(
        10 ** (i / 10) == pytest.approx(n, abs=0.5) for i, n in zip(range(20, 61), found.numbers[-41:], strict=True)
    )
    for n, value in zip(found.numbers[-41:], found.curves[0][1][-41:], strict=True):
        assert value == pytest.approx(Z * math.sqrt(15 / 16 / n))
    assert precision_picture(["warner:3/4"] * 40, prevalence="1/4", n_range=(100, 101)).numbers == (100, 101)
    for ends in ((100, 100), (101, 100)):
        refused(
            lambda ends=ends: precision_picture(["warner:3/4"], prevalence="1/4", n_range=ends),  # type: ignore[misc]
            f"the range of responses is empty: received {ends[0]}..{ends[1]}; allowed is LOW..HIGH",
        )
    for number in (0, 41):
        refused(
            lambda number=number: precision_picture(["warner:3/4"] * number, prevalence="1/4"),  # type: ignore[misc]
            f"a picture has 1 to 40 designs: received {number}",
        )
    for goal in (0, 1):
        refused(
            lambda goal=goal: precision_picture(["warner:3/4"], prevalence="1/4", goal=goal),  # type: ignore[misc]
            "0 < goal < 1",
        )
    power = precision_picture(["warner:3/4"], "power", prevalence="1/4", null="0", n_range=(100, 1000))
    for n, value in zip(power.numbers, power.curves[0][1], strict=True):
        null, true = math.sqrt(3 / 4 / n), math.sqrt(15 / 16 / n)
        assert value == pytest.approx(NormalDist().cdf((1 / 4 - NormalDist().inv_cdf(0.95) * null) / true))
    needed = respondents_picture(margin="1/20", prevalence="1/4", unrelated=[], epsilon_range=("1", "2"))
    assert needed.openly == math.ceil(Z**2 * 3 / 16 * 400) == 289
    name, numbers = needed.curves[0]
    assert name == "optimum: Warner, crosswise, Mangat–Singh (1990), forced response y:n = 1:1"
    for epsilon, number in zip(needed.grid, numbers, strict=True):
        assert number == math.ceil(Z**2 * 400 * (3 / 16 + math.exp(epsilon) / math.expm1(epsilon) ** 2))
    assert [name for name, _ in needed.curves[1:]] == ["forced response y:n = 1:2"]
    for margin in ("-1/2", "0", "1"):
        refused(
            lambda margin=margin: respondents_picture(margin=margin, prevalence="1/4"),  # type: ignore[misc]
            "0 < margin < 1",
        )
    for pi in (0, 1):
        refused(lambda pi=pi: respondents_picture(margin="1/20", prevalence=pi), "0 < pi < 1")  # type: ignore[misc]


def test_places_of_an_order() -> None:
    """Crossings by enumeration; sorting down alone, or up alone, cannot untangle the lines."""
    for row in permutations(range(3, 7)):
        neighbours = {0: [3, 6], 1: [4], 2: [3, 5]}
        edges = [(x, row.index(other)) for x in range(3) for other in neighbours[x]]
        crossed = sum((a < c and b > d) or (a > c and b < d) for i, (a, b) in enumerate(edges) for c, d in edges[:i])
        assert _crossings([[0, 1, 2], list(row)], neighbours | {place: [] for place in row}) == crossed
    for edges, rows in (
        ([(0, 3), (2, 3), (2, 4), (1, 4)], [[0, 1, 2], [3, 4]]),
        ([(0, 3), (0, 2), (1, 4)], [[0, 1], [4, 3, 2]]),
        ([(0, 3), (1, 2), (2, 4), (3, 5)], [[0, 1], [2, 3], [4, 5]]),
    ):
        near: dict[int, list[int]] = {place: [] for row in rows for place in row}
        for upper, lower in edges:
            near[upper].append(lower)
            near[lower].append(upper)
        places = [sorted(row) for row in rows]
        assert _crossings(rows, near) > 0
        _sort_levels(rows, near)
        assert _crossings(rows, near) == 0
        assert [sorted(row) for row in rows] == places
    covers = ((0, 1), (1, 2), (2, 4), (3, 4))
    names = tuple("abcde")
    found = PartialOrder(names, (), tuple((i,) for i in range(5)), covers, {}, ())
    places, paths, crowding = order_places(found)
    assert [y for _, y in places] == [0, 1, 2, 0, 3]
    assert (crowding, places[4]) == (2, (0.5, 3))
    assert {x for x, _ in places[:4]} == {0.25, 0.75}
    assert [[y for _, y in path] for path in paths] == [[0, 1], [1, 2], [2, 3], [0, 1, 2, 3]]
    for upper, lower in zip(paths[3], [*paths[0], *paths[1][1:]], strict=False):
        assert {upper[0], lower[0]} == {0.25, 0.75}
        assert upper[1] == lower[1]
    single = tuple((i,) for i in range(41))
    assert order_places(PartialOrder(names, (), single[:40], (), {}, ()))[0][::39] == [(0.0125, 0), (0.9875, 0)]
    refused(
        lambda: order_places(PartialOrder(names, (), single, (), {}, ())), "received 41 classes; allowed are 40; leave"
    )


def test_curves_of_breach_regions() -> None:
    for factor in (0.25, 1.0, 9.0):
        p, q = odds_curve(factor)
        assert (len(p), p[0], q[0], p[-1], q[-1], p[200] + q[200]) == (401, 0, 0, 1, 1, pytest.approx(1))
        assert q[1:-1] / (1 - q[1:-1]) == pytest.approx(factor * p[1:-1] / (1 - p[1:-1]))
    for factor, value in ((0.0, 0), (math.inf, 1)):
        p, q = odds_curve(factor)
        assert (set(q), p[100], len(q)) == ({value}, 0.25, 401)
    assert [points_between(*ends) for ends in ((0, 1), (0.25, 0.5), (0.5, 0.5625), (0, 0.01))] == [401, 100, 25, 25]
    x = np.array([0.25, 0.5, 0.75])
    for other, is_empty in ((x, True), (x + 1, False), (x - 1, False), (x + np.array([0, 0, 0.1]), False)):
        assert RegionPart("A", (x, x), (x, other)).is_empty is is_empty
    above, below = published_figure(3).parts
    for part, limit in (
        (above, lambda p: (1 - (1 - p) / 3 - (1 - p) ** 2 / 6, 1 - (1 - p) ** 4)),
        (below, lambda p: (p**4, p / 3 + p**2 / 6)),
    ):
        (p, outer), (same, inner) = part.outer, part.inner
        first, second = limit(p)
        assert (p == same).all()
        assert outer == pytest.approx(first, abs=1e-4)
        assert inner == pytest.approx((np.minimum if part.letter == "A" else np.maximum)(first, second), abs=2e-4)
        assert not part.is_empty
    assert (above.letter, below.letter, published_figure(2).parts) == ("A", "B", ())
    for number in (0, 5):
        refused(lambda number=number: published_figure(number), "the number of the figure")  # type: ignore[misc]
    two, three = bayes_factor(2), bayes_factor(3)
    both = breach_picture([two, three], mechanisms=["warner:3/4"])
    assert [verdict[2] for verdict in both.verdicts()] == [False, True]
    assert (both.relation(), breach_picture([two, three]).relation()) == (None, "larger")
    assert breach_picture([three, two]).relation() == "smaller"
    assert breach_picture(gammas=[5, "5/2", 5]).gammas == (F(5, 2), 5)
    assert len(breach_picture([two] * 4, gammas=range(2, 42)).gammas) == 40
    for call, text in (
        (breach_picture, "received 0 regions and 0 bounds; allowed are 1 of either at least, 4 regions and 40 bounds"),
        (lambda: breach_picture([two] * 3, mechanisms=["warner:3/4"] * 2), "received 5 regions and 0 bounds"),
        (lambda: breach_picture(gammas=range(2, 43)), "received 0 regions and 41 bounds"),
        (lambda: breach_picture(gammas=[1]), "a number above 1"),
        (lambda: breach_picture([two, three], canonical=True), "received 2 criteria and 0 mechanisms; give one"),
        (lambda: breach_picture([two], mechanisms=["warner:3/4"], canonical=True), "received 1 criteria and 1 mech"),
    ):
        refused(call, text)


def test_sizes_of_surveys_in_pictures() -> None:
    _require_few(60)
    refused(lambda: _require_few(61), "the groups are too many for a picture: received 61; allowed are 60")
    refused(lambda: groups_picture(5), "there are no estimates by group: received int")  # type: ignore[arg-type]
    refused(lambda: estimate_picture(5), "there is no estimate of one question: received int")  # type: ignore[arg-type]
    for size in (200, 201):
        rows = [[F(2 * i, size * (size + 1)), F(2 * (size + 1 - i), size * (size + 1))] for i in range(1, size + 1)]
        mechanism = Mechanism(rows)
        if size == 200:
            assert heat_picture(mechanism) is mechanism
        else:
            refused(
                lambda found=mechanism: heat_picture(found),
                "received 201 outputs and 2 categories; allowed are 200 of each",
            )


def test_the_largest_proportion_of_noncompliers(monkeypatch: Any) -> None:
    """Twice the breakdown point, from 1/10 to 1; 1/4 without one; or what is asked for."""
    asked: list[str] = []

    def bounds(_samples: Any, *, theta: str, **_: Any) -> Any:
        asked.append(theta)
        behaviours = (SimpleNamespace(words="a"), SimpleNamespace(words="b"))
        sharp = None if theta == "0..0" else Bracket(F(1, 3), F(1, 2))
        return SimpleNamespace(sharp=sharp, covering=Bracket(F(0), F(1)), confidence=None, behaviours=behaviours)

    monkeypatch.setattr(noncompliance_pictures, "prevalence_bounds", bounds)
    for theta, against, most, end in (
        (None, None, None, F(1, 4)),
        (F(1, 5), True, None, F(2, 5)),
        (F(1, 21), True, None, F(1, 10)),
        (F(2, 3), True, None, F(1)),
        (F(1), False, None, F(1, 4)),
        (F(1, 5), True, "1/2", F(1, 2)),
        (None, None, 1, F(1)),
    ):
        broken = SimpleNamespace(theta=theta, against=against)
        monkeypatch.setattr(noncompliance_pictures, "breakdown_point", lambda *_, broken=broken, **__: broken)
        asked.clear()
        found = noncompliance_picture(None, conclusion=None if theta is None else "x", most=most)
        assert found.grid == tuple(end * F(i, 32) for i in range(33))
        assert asked == [f"0..{theta}" for theta in found.grid]
        assert (found.model, found.confidence, found.covering[5]) == ("a; b", 0, (0, 1))
        assert found.sharp[:2] == ((None, None), (F(1, 3), F(1, 2)))
    for most in ("0", "9/8"):
        refused(lambda most=most: noncompliance_picture(None, most=most), "0 < most <= 1")  # type: ignore[misc]


# what is drawn


def test_pictures_of_the_accountant() -> None:
    level, third = Epsilon.of("log(3)"), Bracket(F(1, 3), F(1, 2))
    assert draw_accounting._nats(third) == F(1, 2)
    three = sum(F(2, (2 * n + 1) * 2 ** (2 * n + 1)) for n in range(60))  # log(3) = 2 artanh(1/2), to 37 digits
    assert 0 < draw_accounting._nats(level) - three < F(1, 10**29)
    assert draw_accounting._nats(Epsilon("infinite")) is None
    assert draw_accounting._asked(level, Delta.of("1/4")) == (1.098612288669, 0.25)
    assert draw_accounting._asked(third, Bracket(F(0), F(1, 8))) == (0.5, 0.125)
    assert draw_accounting._asked(Epsilon("infinite"), Delta.of("1/4")) is None

    def point(epsilon: str, lower: str, upper: str) -> Any:
        return SimpleNamespace(epsilon=F(epsilon), lower=F(lower), upper=F(upper))

    def curve(*points: Any, epsilon: Any = third, delta: Any = None) -> tuple[Any, str]:
        found = SimpleNamespace(curve=points, composed="c", epsilon=epsilon, delta=delta or Delta.of("1/8"))
        return drawn(draw_accounting.privacy_curve, found)

    exact = [point("0", "1/2", "1/2"), point("1", "1/4", "1/4"), point("2", "0", "1e-12"), point("3", "0", "9e-13")]
    axes, text = curve(*exact[:2])
    assert text == "All responses together of c: the least δ at each ε."
    assert key(axes) == ["δ, upper bound", "ε ≈ 0.5, δ ≈ 0.125"]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0.125, 1))
    assert lines(axes) == [[[0, 0.5], [1, 0.25]], [[0.5, 0.125]]]
    axes, _ = curve(*exact, delta=Delta.of("1e-13"))
    assert key(axes) == ["δ, upper bound", "between the bounds of δ"]
    assert lines(axes) == [[[0, 0.5], [1, 0.25], [2, 1e-12]]]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 3), (5e-13, 1))
    axes, _ = curve(point("0", "9/10", "9/10"), epsilon=Bracket(F(1), F(1)), delta=Delta.of("9/20"))
    assert (axes.get_ylim(), key(axes)[1:]) == ((0.45, 1.5), ["ε ≈ 1, δ ≈ 0.45"])
    axes, text = curve(point("1", "0", "0"))
    assert key(axes) == []
    assert text.endswith(": the least δ at each ε. Nothing is revealed: δ is 0 at every ε.")
    refused(lambda: curve(), "the curve has no points for a picture: received none; ask for at least 2 points")

    def over_time(limit: Any, memo: str | None) -> tuple[Any, str]:
        points = [SimpleNamespace(reports=n, lower=F(n), upper=F(n)) for n in (1, 2, 4)]
        points.append(SimpleNamespace(reports=8, lower=F(1), upper=None))
        found = SimpleNamespace(curve=points, limit=limit, mechanism="m", memo=memo, delta=Delta.of(0))
        return drawn(draw_accounting.reports, found)

    axes, text = over_time(third, None)
    assert key(axes) == ["ε of so many reports", "limit ε ≈ 0.5"]
    assert lines(axes) == [[[1, 1], [2, 2], [4, 4]], [[0, 0.5], [1, 0.5]]]
    assert (axes.get_ylim()[0], text) == (0, "What the reports of one respondent reveal, δ = 0: m.")
    axes, text = over_time(Epsilon("infinite"), "w")
    assert key(axes)[1:] == ["no limit: ε grows without bound"]
    assert text.endswith("m, of a memo: w.")


def test_boxes_of_an_order() -> None:
    """A name stands in its box up to 9/10 of its place less 2 letters, and in a class of at most 4."""

    def of(sizes: list[int], covers: tuple[tuple[int, int], ...] = (), longest: int = 3) -> tuple[list[str], Any, str]:
        ends = np.cumsum([0, *sizes]).tolist()
        names = tuple(f"n{i}".ljust(longest if i == 0 else 2, "x") for i in range(ends[-1]))
        classes = tuple(tuple(range(*pair)) for pair in pairwise(ends))
        axes, text = drawn(draw_comparisons.order, PartialOrder(names, (), classes, covers, {}, ()))
        return [text.get_text() for text in axes.texts], axes, text

    wide = Chart().room * 0.9
    for sizes, covers, room in (([1, 1], ((0, 1),), wide - 1.8), ([1, 1], (), wide / 2 - 1.8)):
        fits = int((room - text_width("n0")) / text_width("x")) + 2
        for longest in (fits, fits + 1):
            texts, axes, _ = of(sizes, covers, longest)
            in_key = longest > fits
            assert texts == (["1", "2"] if in_key else ["n0".ljust(longest, "x"), "n1"])
            assert key(axes) == (["1:  " + "n0".ljust(longest, "x"), "2:  n1"] if in_key else [])
    texts, axes, text = of([1, 4], ((0, 1),))
    assert texts == ["n0x", "n1\n= n2\n= n3\n= n4"]
    assert text.startswith("Blackwell’s order of 5 mechanisms, better above")
    assert axes.chart.least_height == pytest.approx(2 * (5 + 1.3 * 3))
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (1.5, -0.5))
    assert [list(text.get_position()) for text in axes.texts] == [[0.5, 0], [0.5, 1]] == lines(axes)[0]
    texts, axes, _ = of([5, 1], ((0, 1),))
    assert (texts, key(axes)[0][:14]) == (["1", "2"], "1:  n0x = n1 =")
    assert axes.chart.least_height == pytest.approx(2 * (5 + 1.3 * 3))  # lines of 4 at most
    texts, axes, text = of([1])
    assert (axes.chart.aspect, axes.get_ylim()) == (0.25, (0.5, -0.5))
    assert text.startswith("Blackwell’s order of 1 mechanism, better above")


@pytest.mark.slow
def test_frames_of_comparisons() -> None:
    def of(*rows: tuple[str, tuple[float, float]], switch: float | None = None, delta: int = 0) -> tuple[Any, str]:
        curves = tuple(EfficiencyCurve((name,), ratios, (), set(ratios) == {1.0}) for name, ratios in rows)
        ends = Epsilon.of(1), Epsilon.of(2)
        found = EfficiencyPicture(F(1, 4), Delta.of(delta), ends, (1.0, 2.0), curves, (), switch)
        return drawn(draw_comparisons.efficiency, found)

    top = 30**1.06  # 36.8: larger ratios are beyond the frame
    axes, text = of(("a", (1.0, 1.0)), ("b", (36.0, 50.0)), ("c", (40.0, 37.0)))
    assert key(axes) == ["c; above the frame", "b", "certified optimum: a"]
    assert (axes.get_xlim(), axes.get_ylim()) == ((1, 2), pytest.approx((top**-0.06, top)))
    assert axes.get_yticks().tolist() == [1, 2, 5, 10, 20]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2", "5", "10", "20"]
    assert text.endswith("δ = 0 and prevalence 1/4. Each design has parity exactly exp(ε).")
    axes, text = of(("a", (1.01, 1.02)), switch=1.5, delta=1)
    assert axes.get_ylim()[1] == pytest.approx(1.1**1.06)
    assert axes.get_yticks().tolist() == [1, 1.02, 1.05, 1.1]
    labels = ["a", "certified optimum (a generalised design)", "left of it a corner is optimal, right of it p₀₀ = p₁₁"]
    assert key(axes) == labels
    assert [1.5, 0] in lines(axes)[-1]
    assert text.endswith("Each design has the most informative parameter that is private.")
    found = efficiency_picture(prevalence="1/4", points=["log(3)"], unrelated=["1/4"], epsilon_range=("1", "2"))
    axes, text = drawn(draw_comparisons.efficiency, found)
    dots = [line for line in lines(axes) if len(line) == 1]
    assert [math.log(3), 1.8] in [pytest.approx(dot) for (dot,) in dots]
    assert text.endswith(" Markers show certified values at ε = log(3).")
    curves = ((("w", "laplace"), (4.0, None, 1.0)), (("improved-christofides",), (0.0, 3.0, 2.0)))
    ends = Epsilon.of(1), Epsilon.of(3)
    axes, text = drawn(cost_pictures.comparison, ComparisonPicture("T", ends, (1.0, 2.0, 3.0), curves, ("m", "k")))
    assert (key(axes), lines(axes)) == (
        ["w, laplace", "improved-christofides"],
        [[[1, 4], [3, 1]], [[2, 3], [3, 2]]],
    )
    assert "one budget, T. Each has rational" in text
    assert "for one response seen alone only; noise on the count (laplace)" in text
    assert text.endswith(" Not defined: m, k.")
    axes, text = drawn(cost_pictures.comparison, ComparisonPicture("T", ends, (1.0, 2.0), ((("w",), (4.0, 1.0)),), ()))
    assert text.endswith("parameters that keep it exactly.")


@pytest.mark.slow
def test_lines_of_plans() -> None:
    numbers, curves = (100, 200, 400), (("a", (0.5, 0.25, 0.125)), ("b", (0.75, 0.5, 0.25)))
    for quantity, goal, ylim in (("margin", F(1, 3), None), ("power", None, (0, 1.02)), ("power", F(4, 5), (0, 1.02))):
        found = PrecisionPicture(quantity, F(1, 4), F(1, 8), numbers, curves, goal)  # type: ignore[arg-type]
        axes, text = drawn(draw_precisions.precision, found)
        assert lines(axes)[:2] == [[[n, y] for n, y in zip(numbers, values, strict=True)] for _, values in curves]
        assert key(axes) == ["a", "b"] + ([] if goal is None else [f"{quantity} {drawing.value_text(goal)}"])
        assert len(lines(axes)) == 2 + (goal is not None)
        assert axes.get_yscale() == ("log" if quantity == "margin" else "linear")
        assert axes.get_xlim() == (100, 400)
        assert ylim is None or axes.get_ylim() == ylim
        assert ("0.125" in text, "0.25" in text) == (quantity == "power", True)
    ends = Epsilon.of(1), Epsilon.of(2)
    needed = RespondentsPicture(F(1, 20), F(1, 4), Delta.of(0), ends, (1.0, 2.0), (("o", (9, 5)), ("w", (12, 7))), 3)
    axes, text = drawn(draw_precisions.respondents, needed)
    assert (key(axes), axes.get_xlim()) == (["o", "w", "asked openly, all honest: 3"], (1, 2))
    assert lines(axes) == [[[1, 9], [2, 5]], [[1, 12], [2, 7]], [[0, 3], [1, 3]]]
    assert "a margin of 0.05 (95 %, normal) at prevalence 0.25 and δ = 0" in text
    sharp = ((None, None), (F(1, 4), F(1, 2)))
    covering = ((F(0), F(1, 2)), (F(1, 8), F(3, 4)))
    for against, stands, number in ((True, True, 7), (True, False, 5), (False, True, 5)):
        broken: Any = SimpleNamespace(theta=F(1, 8), value=F(1, 3), against=against, stands=stands)
        found = NoncompliancePicture("m", (F(0), F(1, 4)), sharp, covering, F(19, 20), broken)
        axes, text = drawn(draw_precisions.noncompliance, found)
        assert key(axes) == ["with sampling error (95 %)", "at the observed proportions"]
        assert len(lines(axes)) == number
        assert lines(axes)[:2] == [[[0, 0], [0.25, 0.125]], [[0, 0.5], [0.25, 0.75]]]
        assert (lines(axes)[-1] == [[0.125, pytest.approx(1 / 3)]]) == (number == 7)
        assert " The conclusion, dashed: " in text
        assert axes.get_xlim() == (0, 0.25)
    _, text = drawn(draw_precisions.noncompliance, NoncompliancePicture("m", (F(0), F(1)), sharp, covering, F(1), None))
    assert text.endswith("with at most so many non-compliers: m.")


@pytest.mark.slow
def test_rows_of_shares_and_groups() -> None:
    """Rows are one apart and series within 0.66 of one, groups within 0.6; names are cut, walls drawn in the frame."""
    point, ends = SharePoint(0.5, (0.375, 0.625)), (0.375, 0.625)
    rows = ("a", "b" * 34, "c" * 35)
    two = SharesPicture(rows, ("x", "y"), ([point, None, SharePoint(0.02, None)], [point] * 3), F(19, 20), "T")
    axes, text = drawn(draw_shares.shares, two)
    dots = [*(((50, at),) for at in (-0.165, 0.165, 1.165, 2.165)), ((2, 1.835),)]
    bars = [((37.5, at), (62.5, at)) for at in (-0.165, 0.165, 1.165, 2.165)]
    found = [tuple((x, round(y, 9)) for x, y in line) for line in lines(axes)]
    assert {*dots, *bars, ((0, 0), (0, 1))} == set(found)
    assert (text, key(axes), len(found)) == ("T", ["x", "y"], 10)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b" * 34, "c" * 33 + "…"]
    assert axes.get_ylim() == (2.5, -0.5)
    assert axes.get_xlabel() == "percent, with 95 % intervals"
    assert axes.chart.least_height == pytest.approx(1.3 * 3 * 1.24)
    for number in (1, 70):
        one = SharesPicture(("r",) * number, ("",), ([point],), F(9, 10), "T")
        axes, _ = drawn(draw_shares.shares, one)
        assert (axes.chart.aspect, key(axes)) == (0.12, [])
        assert axes.chart.least_height == pytest.approx(1.3 * number)
        assert lines(axes)[-1] == [[37.5, 0], [62.5, 0]]
    kinds = {"k": [ends, None], "none": [None, (0.0, 0.0)]}
    picture = GroupsPicture("sick", ("by",), F(19, 20), "E", ("g" * 31, "h"), (5, 7), (0.5, -0.25), kinds)
    axes, text = drawn(draw_surveys.groups, picture)
    assert text == "sick: estimated proportion in each group (respondents), with 95 % intervals."
    assert key(axes) == ["k", "none: none", "E"]
    assert lines(axes) == [[[0.375, pytest.approx(-0.15)], [0.625, pytest.approx(-0.15)]], [[0.5, 0], [-0.25, 1]]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["g" * 17 + "\n" + "g" * 12 + "… (5)", "h (7)"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("proportion in the group", "by by")
    assert axes.chart.aspect == pytest.approx(0.18 + 0.045 * 4)
    mean = GroupsPicture("age", (), F(9, 10), "E", ("all",), (5,), (-0.25,), {"t": [(0.0, 0.0)]}, "mean")
    axes, text = drawn(draw_surveys.groups, mean)
    assert text == "age: estimated mean in the population (respondents), with 90 % intervals."
    assert (axes.get_xlabel(), axes.get_ylabel(), key(axes)) == ("mean of age in the population", "", ["t", "E"])
    assert len(lines(axes)) == 2


@pytest.mark.slow
def test_heat_maps_and_estimates() -> None:
    def of(rows: list[list[str]], names: list[str] | None = None) -> tuple[Any, str]:
        mechanism = Mechanism(rows)
        return drawn(draw_surveys.heat_map, mechanism.labelled(names) if names else mechanism)

    square = [["3/4", "1/3"], ["1/4", "2/3"]]
    for letters, turn in ((15, 0), (16, 90)):
        axes, text = of(square, ["n" * letters, "m"])
        assert [label.get_rotation() for label in axes.get_xticklabels()] == [turn] * 2
        assert axes.chart.aspect == 1
    assert [(text.get_position(), text.get_text()) for text in axes.texts] == [
        ((0, 0), "0.75"),
        ((1, 0), "0.334"),  # no less private, and each column sums to exactly 1
        ((0, 1), "0.25"),
        ((1, 1), "0.666"),
    ]
    assert key(axes) == ["chance 0", "chance 0.375", "chance 0.75"]
    assert text.endswith("the mechanism has parity = 8/3 ≈ 2.667. Each column sums to 1.")
    for count, aspect, digits in ((5, 1.6, "0.2"), (8, 1.6, "0.125"), (9, 1.6, None)):
        axes, text = of([[f"1/{count}"] * 2] * count)
        assert axes.chart.aspect == aspect
        assert {text.get_text() for text in axes.texts} == ({digits} if digits else set())
    axes, text = of([["1/2", "1/4", "1/8", "0"], ["1/2", "3/4", "7/8", "1"]])
    assert axes.chart.aspect == 0.5
    assert "has parity infinite." in text
    axes, _ = of([["1/2"] * 13] * 2)
    assert (axes.get_xticks().tolist(), axes.chart.aspect) == ([0, 2, 4, 6, 8, 10, 12], 0.3)
    found = estimate_picture(rropt.estimate([18, 2], "warner:3/4"), confidence="0.9")
    axes, text = drawn(draw_surveys.estimated, found)
    assert text.endswith(
        "the estimated proportion of the population from 20 responses, with the 90 % confidence intervals."
    )
    assert key(axes)[-2:] == ["unbiased estimate", "most likely distribution"]
    assert lines(axes)[-3:] == [[[pytest.approx(-0.3), 0]], [[0, 0]], [[0, 0], [0, 1]]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["yes"]


def test_regions_in_words() -> None:
    axes, text = drawn(draw_designs.region, region_picture("log(2)", "1/4", prevalence="1/4", mechanism="warner:4/5"))
    assert key(axes) == [
        "R′: private designs with p₀₀ + p₁₁ > 1",
        "R: all private designs",
        "p₀₀ + p₁₁ = 1: uninformative responses",
        "(11a) p₁₁ = γ(1 − p₀₀) + δ",
        "(11b) p₀₀ = γ(1 − p₁₁) + δ",
        "optimal at prevalence 1/4: B and C, n Var = 15/16 = 0.9375",
        "warner:4/5: not private: at this ε it needs δ = 2/5",
    ]
    for line in ([[1, 0.25], [0.625, 1]], [[0.25, 1], [1, 0.625]], [[1, 0.25], [0.75, 0.75]], [[0.8, 0.8]]):
        assert line in lines(axes)
    assert text.endswith(
        "(ε, δ)-private at ε = log(2) ≈ 0.6931, δ = 1/4; γ = exp(ε)." + drawing.TEXTS["region-mirrored"]
    )
    for epsilon, delta, label in (
        ("1", "1", "(11a), (11b): no restriction at δ = 1"),
        ("0", "1/4", "(11a) and (11b), the same line at γ = 1"),
        ("0", "0", "p₀₀ + p₁₁ = 1: all of R; R′ is empty"),
    ):
        assert label in key(drawn(draw_designs.region, region_picture(epsilon, delta))[0])
    all_three = region_picture("1", "1", prevalence="1/4")
    assert draw_designs._optimum_text(all_three) == "optimal at prevalence 1/4: B = C = D, n Var = 3/16 = 0.1875"
    alone = region_picture("log(2)", prevalence="1/4")
    assert draw_designs._optimum_text(alone) == "optimal at prevalence 1/4: C, n Var = 35/16 ≈ 2.188"
    texts = [draw_designs.coordinates_text(design) for design in region_picture("1/2", "1/4").designs]
    assert texts == [
        "(1, 0)",
        "(1, 1/4)",
        "p₀₀ = p₁₁ ≈ 0.7168",  # (exp(1/2) + 1/4) / (exp(1/2) + 1) = 0.71683...
        "(1/4, 1)",
        "(0, 1)",
        "(0, 3/4)",
        "p₀₀ = p₁₁ ≈ 0.2832",
        "(3/4, 0)",
    ]
    for epsilon, delta, name, turn in (
        ("log(2)", "1/4", "C", 225),
        ("log(11/10)", "0", "C", 45),  # 0.52
        ("log(11/10)", "0", "C'", 225),
        ("log(9)", "0", "C'", 45),  # 1/10
        ("1", "1", "B'", 45),  # three letters
        ("log(2)", "1/4", "B'", 0),
        ("log(2)", "1/4", "A", 0),
    ):
        assert draw_designs._direction(region_picture(epsilon, delta).design(name)) == turn
    assert draw_designs.mechanism_text(Mechanism.binary("3/4", "2/3", name="n")) == "n"
    assert draw_designs.mechanism_text(Mechanism.binary("3/4", "5/8")) == "(0.7500, 0.6250)"


def test_landscapes_as_drawn() -> None:
    """From dark, of the least variance, to white in equal steps."""
    found = variance_picture("log(2)", "1/4", prevalence="1/4", mechanism="warner:1/4")
    axes, _ = drawn(draw_designs.variance, found)
    dark, number = np.array(to_rgb(drawing.DARK)), len(found.levels)
    colours = [np.array(patch.get_facecolor()[:3]) for patch in axes.patches[1 : number + 1]]
    for i, colour in enumerate(colours, 1):
        assert colour == pytest.approx(dark + (1 - dark) * i / number, abs=0.006)
    assert (len(axes.patches), key(axes)[0]) == (number + 2, "level curves of n Var; darker is less")
    assert key(axes)[1:] == [
        "optimal at prevalence 1/4: B and C, n Var = 15/16 = 0.9375",
        "warner:1/4: private at this level, n Var = 15/16 = 0.9375",
        "B (1, 1/4): n Var = 15/16 = 0.9375",
        "C (3/4, 3/4): n Var = 15/16 = 0.9375",
        "D (1/4, 1): n Var = 39/16 ≈ 2.438",
    ]


def test_thin_landscapes_and_level_sets_as_drawn() -> None:
    """A scale of ten-thousandths is written with exponents, one of hundredths is not."""
    for epsilon, scale in (("log(1001/1000)", "e-"), ("log(11/10)", "")):
        found = variance_picture(epsilon, prevalence="1/2", mechanism="warner:3/4")
        axes, text = drawn(draw_designs.variance, replace(found, levels=()))  # without curves, whose names take long
        assert all(("e-" in tick.get_text()) == bool(scale) for tick in axes.get_yticklabels()[1:])
        assert text.endswith(" The region is thin: it is stretched upwards.")
        assert axes.get_xlim() == (-1.15, 1.15)
        assert axes.get_xticks().tolist() == [-1, -0.5, 0, 0.5, 1]
        assert any(label.endswith("n Var = 1; outside the frame") for label in key(axes))
    height = 1 / 21
    assert axes.get_ylim() == (0, pytest.approx(1.15 * height))
    marks = [("log(2)", "1/4"), ("5/2", "1/200")]
    axes, _ = drawn(
        draw_designs.g,
        threshold_picture(["1/2", "123457/1000000"], epsilon_range=("2", "3"), delta_range=("0", "1/100"), marks=marks),
    )
    assert key(axes)[:3] == [
        "g = 0.1235; outside the frame",
        "g = 1/2; outside the frame",
        "ε = log(2) ≈ 0.6931, δ = 1/4: g = 1/4 = 0.25",
    ]
    assert lines(axes)[2:] == [[[pytest.approx(math.log(2)), 0.25]], [[2.5, 0.005]]]
    assert (axes.get_xlim(), axes.get_ylim()) == ((2, 3), (0, 0.01))


@pytest.mark.slow
def test_curves_of_every_level_and_of_beliefs() -> None:
    """The axis ends at 5/4 of the last breakpoint, but not before 3; a tenth is left out before an infinite value."""

    def piece(end: int, factor: float) -> Any:
        def near(gamma: float) -> float:
            return factor / (gamma - 1) if gamma > 1 else math.inf

        return SimpleNamespace(end=end, formula=SimpleNamespace(near=near))

    for low, high, ends, left, right in (
        ("0", "inf", [8], 0.3, 3.0),
        ("0", "inf", [8, 32], 1.25 * math.log(32) / 10, 1.25 * math.log(32)),
        ("1", "inf", [], 1.0, 4.0),
        ("1", "2", [3], 1.0, 2.0),
    ):
        pieces = [piece(end, factor) for factor, end in enumerate([*ends, 0], 1)]
        problem = SimpleNamespace(objective=SimpleNamespace(described="T"))
        region = SimpleNamespace(low=Epsilon.of(low), high=Epsilon("infinite") if high == "inf" else Epsilon.of(high))
        axes, text = drawn(draw_every_level.every_level, SimpleNamespace(region=region, pieces=pieces, problem=problem))
        noun = "1 breakpoint" if len(ends) == 1 else f"{len(ends)} breakpoints"
        assert text == f"The optimal T against epsilon{'' if ends else ', without a breakpoint'}."
        assert key(axes) == ([noun] if ends else [])
        assert axes.get_xlim() == pytest.approx((left, right))
        curve, *breaks = lines(axes)
        assert (len(curve), [line[0][0] for line in breaks]) == (400, pytest.approx([math.log(end) for end in ends]))
        for epsilon, value in curve:
            assert value == pytest.approx((1 + sum(epsilon > math.log(end) for end in ends)) / math.expm1(epsilon))
    found = (lambda p: p**2, lambda p: p / 2, [F(1, 2)], ["most", "least"])
    axes, text = drawn(draw_breach_regions.beliefs, found)
    assert (key(axes), text) == (["most", "least"], drawing.TEXTS["beliefs"])
    diagonal, most, first, least, second = lines(axes)
    assert (diagonal, first, second) == ([[0, 0], [1, 1]], [[0.5, 0.25]], [[0.5, 0.25]])
    assert (len(most), most[15], least[15], most[60]) == (61, [0.25, 0.0625], [0.25, 0.125], [1, 1])


@pytest.mark.slow
def test_breach_regions_in_words() -> None:
    nothing = "p* = p: nothing is learnt"
    axes, text = drawn(draw_breach_regions.breaches, breach_picture([beta_factor(2)], gammas=[3, "123457/100000"]))
    assert key(axes) == ["2-factor privacy: B(h) = 2, area 1/2 = 0.5", "γ ≈ 1.235", "γ = 3", nothing]
    assert text == "".join(drawing.TEXTS[f"breach-{name}"] for name in ("demands", "gammas")).strip()
    criteria = [bayes_factor(2), rho_to_rho("1/10", "1/2")]
    axes, text = drawn(draw_breach_regions.breaches, breach_picture(criteria, mechanisms=["warner:3/4"]))
    area = 2 * (2 * math.log(2) - 1)  # of p* > 2p / (1 + p), and as much below
    assert key(axes) == [
        f"Bayes factors at most 2: B(h) = 2, area ≈ {area:.4f}",
        "1/10-to-1/2 privacy: B(h) = 9, area 1/10 = 0.1",
        "warner:3/4: parity = 3, only its curves occur; on × r the posterior odds are r times the prior odds",
        nothing,
        "warner:3/4 does not meet Bayes factors at most 2.",
        "warner:3/4 meets 1/10-to-1/2 privacy.",
    ]
    assert text == "".join(drawing.TEXTS[f"breach-{name}"] for name in ("demands", "provides", "both")).strip()
    assert [text.get_text() for text in axes.texts] == ["× 3", "× 1/3"]
    three = breach_picture([bayes_factor(factor) for factor in (2, 3, 4)])
    labels = key(drawn(draw_breach_regions.breaches, three)[0])
    assert [label.endswith(", beyond its lines") for label in labels] == [False, False, True, False]
    text = draw_breach_regions._text(breach_picture([bayes_factor(2), bayes_factor(3)]))
    assert text == drawing.TEXTS["breach-demands"] + drawing.TEXTS["larger"]
    values = np.array([0.0, 0.0, 0.5, 1.0, 1.0, 1.0])
    kept = draw_breach_regions._inside(values, 1.0)
    assert (np.isnan(kept).tolist(), kept[:4].tolist()) == ([False] * 4 + [True] * 2, [0, 0, 0.5, 1])
    assert draw_breach_regions._formula("posterior <= 1 - (1-p)^2 + p^3 + p^4") == "p* ≤ 1 − (1−p)² + p³ + p⁴"
    empty = RegionPart("B", (values, values), (values, values))
    chart = Chart()
    draw_breach_regions._part(chart, empty)
    assert [mark.label for mark in chart.key()] == ["B is empty: the canonical form adds nothing below"]
    x = np.linspace(0, 1, 11)
    draw_breach_regions._part(chart, RegionPart("A", (x, x), (x, np.minimum(x, 0.5))))
    assert "A: what the canonical form adds above" in [mark.label for mark in chart.key()]
    ((letter, place),) = [(mark.text, (mark.x, mark.y)) for mark in chart.marks if isinstance(mark, Writing)]
    assert (letter, place) == ("A", pytest.approx((0.8, 0.65)))  # the gap from 0.6 on is x - 1/2
    assert draw_breach_regions._text(breach_picture(gammas=[2])) == drawing.TEXTS["breach-bounds"]


def test_series_and_regions_at_their_limits() -> None:
    """One series has no entry in the key, two have; a part is empty where both curves are the same; lone factors."""
    point = SharePoint(0.5, None)
    for series, entries in ((("x",), []), (("x", "y"), ["x", "y"])):
        shares = SharesPicture(("a",), series, ([point],) * len(series), F(19, 20), "T")
        assert key(drawn(draw_shares.shares, shares)[0]) == entries
    x = np.linspace(0, 1, 3)
    for move, is_empty in ((0.0, True), (1.0, False), (-0.5, False)):
        assert RegionPart("A", (x, x**2), (x, x**2 + move)).is_empty is is_empty
    for factors, told in (
        ([], "every pair occurs"),
        (["∞", "0"], "only p* = 0 and p* = 1 occur"),
        (["∞", "2"], "only its curves occur; on × r the posterior odds are r times the prior odds"),
        (["3", "∞"], "only its curves occur; on × r the posterior odds are r times the prior odds"),
    ):
        shown: Any = SimpleNamespace(factors=[(text, None) for text in factors], limits=None)
        assert draw_breach_regions._what_occurs(shown) == told
    limited: Any = SimpleNamespace(factors=[], limits=((x, x), (x, x)))
    assert draw_breach_regions._what_occurs(limited) == ""


def test_what_is_filled_and_where_names_stand() -> None:
    """Landscapes are of R' alone; a region beyond its limits ends at both corners; factors have names apart."""
    axes, _ = drawn(draw_designs.variance, variance_picture("log(2)", "1/4", prevalence="1/4"))
    assert min(x + y for x, y in axes.patches[0].get_path().vertices) >= 1 - 1e-12
    axes, _ = drawn(draw_breach_regions.breaches, breach_picture([beta_factor(2)]))
    corners = [{tuple(point) for point in patch.get_path().vertices.tolist()} for patch in axes.patches]
    assert any({(0.0, 1.0), (1.0, 1.0)} <= each for each in corners)
    assert any({(0.0, 0.0), (1.0, 0.0)} <= each for each in corners)
    axes, _ = drawn(draw_breach_regions.breaches, breach_picture([], mechanisms=["warner:3/4"]))
    places = {text.get_text(): text.get_position() for text in axes.texts}
    for name, factor, at in (("× 3", 3, 1), ("× 1/3", 1 / 3, 2)):
        x, y = places[name]
        curve = odds_curve(factor)
        assert x == curve[0][round(401 * at / 3)]
        assert y / (1 - y) == pytest.approx(factor * x / (1 - x))
    axes, _ = drawn(draw_surveys.heat_map, Mechanism([["1/2"] * 120] * 2))
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {0}


# Areas of formulas on a grid


def _cells_of(mask: Any) -> set[tuple[int, int]]:
    """Return the cells that the strands of an area cover; two runs of one strand that follow each other touch."""
    covered = set()
    for strand in draw_families.strands(mask):
        for (column, start, end), (following, low, high) in pairwise(strand):
            assert following == column + 1
            assert max(start, low) < min(end, high)
        covered |= {(row, column) for column, start, end in strand for row in range(start, end)}
    return covered


def _between(best: Any) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the pairs of neighbours in a row that the lines between areas separate; no line crosses an area."""
    lines, upright = draw_families.borders(best)
    separated = {((row, column - 1), (row, column)) for column, start, end in upright for row in range(start, end)}
    for line in lines:
        assert all(best[row - 1, column] != best[row, column] for column, row in line)
        for (column, row), (following, place) in pairwise(line):
            assert following == column + 1
            assert best[row - 1, column] == best[place - 1, following]
            assert best[row, column] == best[place, following]
            separated |= {((r, column), (r, following)) for r in range(min(row, place), max(row, place))}
    return separated


def test_areas_that_begin_below_others_are_not_joined_with_them() -> None:
    """In the map of a chi-square an area begins below another one of the same form: no line joins the two."""
    best = np.array([[3, 3, 3, 3], [3, 3, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]])
    lines, upright = draw_families.borders(best)
    assert [(0, 3), (1, 3), (2, 3), (3, 3)] in lines
    assert sorted(map(len, lines)) == [2, 2, 2, 4]
    assert upright == [(2, 1, 2)]
    assert draw_families.strands(best == 0) == [[(2, 1, 2), (3, 1, 2)], [(n, 3, 4) for n in range(4)]]


def test_lines_separate_all_areas_and_nothing_else(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """On random grids: the strands of an area are its cells, and lines are where neighbours differ."""
    for _ in range(size(60, 2000)):
        best = np.array([[rng.randint(0, 2) for _ in range(6)] for _ in range(rng.randint(2, 7))])
        if rng.random() < 0.5:
            best.sort(axis=0)
        for i in range(3):
            assert _cells_of(best == i) == {(int(row), int(column)) for row, column in np.argwhere(best == i)}
        rows, columns = best.shape
        differ = {((r, c), (r, c + 1)) for r in range(rows) for c in range(columns - 1) if best[r, c] != best[r, c + 1]}
        assert _between(best) == differ
        ends = [pair for line in draw_families.borders(best)[0] for pair in line]
        assert sorted(ends) == sorted(
            (c, r) for r in range(1, rows) for c in range(columns) if best[r - 1, c] != best[r, c]
        )
