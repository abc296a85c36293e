"""Data of pictures by their formulas, and what pictures draw, on bare axes without a layout."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rropt import compose, plots
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import Bracket, Delta, Epsilon, ExactReal
from rropt.designs.orders import partial_order
from rropt.mechanisms import Mechanism
from rropt.plots import draw_accounting, draw_breach_regions, draw_shares, drawing
from rropt.plots.data import comparison_pictures, marked_designs
from rropt.plots.data.breach_pictures import RegionPart, breach_picture, odds_curve, points_between
from rropt.plots.data.efficiency_pictures import efficiency_picture, least_variance
from rropt.plots.data.marked_designs import Coordinate, classical_designs
from rropt.plots.data.precision_pictures import precision_picture, respondents_picture
from rropt.plots.data.region_pictures import design_point, region_picture
from rropt.plots.data.share_pictures import SharesPicture
from rropt.plots.data.threshold_pictures import level_grid, level_set, threshold_picture
from rropt.plots.data.variance_pictures import level_curve, variance_picture
from rropt.privacy.criteria import beta_factor, information_privacy
from rropt.survey import estimate

F = Fraction
WARNER = Mechanism.binary("3/4", "3/4")


def bare() -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure((4, 4), 100)
    FigureCanvasAgg(figure)
    return figure.add_subplot()


def drawn(function: Any, found: Any) -> tuple[str, Any, dict[str, Any]]:
    """Return the text of a picture, its axes, and the parts of its key by their labels."""
    with drawing.plain_settings(drawing.SIZES["paper"]):
        axes = bare()
        text = function.__wrapped__(axes, found)
        parts, labels = axes.get_legend_handles_labels()
    return text, axes, dict(zip(labels, parts, strict=True))


def n_var(p00: Fraction, p11: Fraction, pi: Fraction) -> Fraction:
    yes = (1 - pi) * (1 - p00) + pi * p11
    return yes * (1 - yes) / (p00 + p11 - 1) ** 2


# exact numbers of marked designs


def test_exact_coordinates() -> None:
    """Signs, quotients, short texts that are rounded to the safe side, and decimals."""
    e = ExactReal.exponential(F(1))
    for above, below, sign in (
        (3, 4, 1),
        (-3, 4, -1),
        (3, -4, -1),
        (-3, -4, 1),
        (0, -4, 0),
        (e, -1, -1),
        (0 * e, e, 0),
    ):
        assert Coordinate(above, below).sign == sign
    for above, below, value in ((F(3), F(4), F(3, 4)), (F(0), e, F(0)), (e, 2, None), (2, e, None)):
        assert Coordinate(above, below).rational == value
    for one, down, up in (
        (Coordinate(3, 4), "3/4", "3/4"),
        (Coordinate(12345, 99991), "≈0.1234", "≈0.1235"),
        (Coordinate(e, 2), "≈1.359", "≈1.36"),
        (Coordinate(10**9 - 2, 10**9), "≈1 − 2e-09", "≈1 − 2e-09"),
        (Coordinate(10**9 + 2, 10**9), "≈1", "≈1.001"),
    ):
        assert (one.short(), one.short(up=True)) == (down, up)
        assert one.rounded(6, up=False) <= one.rounded(6, up=True)
    assert float(Coordinate(e, 2)) == pytest.approx(math.e / 2, rel=1e-15)
    assert Coordinate(1, 3).rounded(2, up=True) == F(34, 100)
    assert Coordinate(e, 2).to_dict() == {"exact": "(exp(1))/(2)", "decimal": math.e / 2}


def test_classical_designs_take_the_whole_level() -> None:
    """Each keeps (gamma, delta) and no smaller level; three have one matrix; Mangat's design is that with slack."""
    gamma, delta = F(3), F(1, 10)
    designs = classical_designs(["1/4"], slack=True)
    assert list(designs) == [
        *("Warner", "crosswise", "Mangat–Singh (1990)", "forced response y:n = 1:1", "forced response y:n = 1:2"),
        *("unrelated question πB = 1/4", "Mangat (1994), p = δ"),
    ]
    assert len(classical_designs(["1/4"], slack=False)) == 6
    keep = (gamma + delta) / (gamma + 1)
    for name, design in designs.items():
        made = design(gamma, delta)
        excess = max(sum(max(row[j] - gamma * row[1 - j], F(0)) for row in made.matrix) for j in range(2))
        assert excess == delta, name
        if name in ("Warner", "crosswise", "Mangat–Singh (1990)"):
            assert (made.p00, made.p11) in ((keep, keep), (1 - keep, 1 - keep))
    half = designs["forced response y:n = 1:1"](gamma, delta)
    assert half.p00 == half.p11
    for b in ("0", "1", "5/4"):
        with pytest.raises(InvalidParameterError, match="0 < piB < 1"):
            classical_designs([b], slack=False)
    assert marked_designs._names(Mechanism.binary(1, "1/4")) == ["B"]
    assert marked_designs._names(Mechanism.binary("1/4", 1)) == ["D"]
    assert marked_designs._names(Mechanism.binary(1, 1)) == ["B", "C", "D"]


# regions and variances


def test_planes_of_a_region() -> None:
    found = region_picture("log(2)", "1/4", prevalence="1/4", mechanism="warner:3/4")
    corners = {name: design.point() for design in found.designs for name in design.names}
    assert corners["B"] == (1, 0.25)
    assert corners["D"] == (0.25, 1)
    assert corners["C"] == (0.75, 0.75)  # (2 + 1/4)/3
    for letter in "BCD":
        assert corners[f"{letter}'"] == tuple(1 - x for x in corners[letter])
    assert found.design("C").point("stretched") == (0, 0.5)
    assert design_point(F(1, 4), F(3, 4), "stretched") == (0.5, 0)
    assert found.optimum is not None
    assert found.optimum.names == ("B", "C")
    text, axes, parts = drawn(plots.region, found)
    assert "log(2)" in text
    assert axes.get_xlim() == axes.get_ylim() == (0, 1)
    first, second = (parts[name].get_xydata().tolist() for name in list(parts) if name.startswith("(11"))
    assert first == [[1, 0.25], [1 - 0.75 / 2, 1]]  # p11 = 2 (1 - p00) + 1/4
    assert second == [[y, x] for x, y in first]
    assert parts["warner:3/4: private at this level"].get_xydata().tolist() == [[0.75, 0.75]]
    star = next(part for name, part in parts.items() if name.startswith("optimal at prevalence 1/4: B and C"))
    assert sorted(star.get_xydata().tolist()) == [[0.75, 0.75], [1, 0.25]]
    outside = drawn(plots.region, region_picture("log(2)", 0, mechanism="warner:9/10"))[2]
    assert any(name.startswith("warner:9/10: not private: at this ε it needs δ = 7/10") for name in outside)
    assert "(11a) and (11b), the same line at γ = 1" in drawn(plots.region, region_picture(0, "1/4"))[2]
    assert "(11a), (11b): no restriction at δ = 1" in drawn(plots.region, region_picture(1, 1))[2]


def test_level_curves_of_a_variance() -> None:
    """n Var is the level at each point of its curve; the plane, the ceiling and the contours are those of R'."""
    pi = F(1, 10)
    for level in (F(1, 2), F(3)):
        x, y = level_curve(level, pi, points=9)
        for a, b in zip(x[1:-1].tolist(), y[1:-1].tolist(), strict=True):
            assert float(n_var(F((1 + b - a) / 2), F((1 + b + a) / 2), pi)) == pytest.approx(float(level), rel=1e-9)
    found = variance_picture("log(3)", "1/10", prevalence=pi, mechanism="warner:3/4", axes="design")
    x, y = np.array([-0.5, 0.25]), np.array([0.25, 0.5])
    assert [one.tolist() for one in found.plane(x, y)] == [[0.875, 0.625], [0.375, 0.875]]
    assert found.height == pytest.approx(2.2 / 4)  # (gamma + 2 delta - 1)/(gamma + 1)
    assert found.ceiling(np.array([0.0, 0.2, -0.2, 0.9])) == pytest.approx([0.55, 0.45, 0.45, 0.1])
    assert found.mechanism_variance() == n_var(F(3, 4), F(3, 4), pi)
    assert list(found.levels) == sorted(found.levels)
    assert 2 <= len(found.levels) <= 7
    for level in found.levels:
        for a, b in found.contour(level):
            assert (b <= found.ceiling(a) + 1e-12).all()
    assert {name: float(value) for name, value in found.candidates.items()} == pytest.approx(
        {
            "B": float(n_var(F(1), F(1, 10), pi)),
            "C": float(n_var(F(31, 40), F(31, 40), pi)),
            "D": float(n_var(F(1, 10), F(1), pi)),
        }
    )
    _, axes, parts = drawn(plots.variance, found)
    assert axes.get_xlim() == (0, 1)
    assert any(name.startswith("C ") and "n Var" in name for name in parts)
    thin = variance_picture("1/9", 0, prevalence="1/5")
    assert (thin.axes, found.axes) == ("stretched", "design")
    _, axes, parts = drawn(plots.variance, thin)
    assert axes.get_xlim() == (-1.15, 1.15)
    assert axes.get_ylim() == pytest.approx((0, 1.15 * math.tanh(1 / 18)))
    with pytest.raises(InvalidParameterError, match="axes are unknown: received 'plain'"):
        variance_picture(1, prevalence="1/4", axes="plain")


# thresholds, precision, efficiency


def test_level_sets_of_the_threshold() -> None:
    """g = delta (gamma + delta)/(gamma + 2 delta - 1)^2 along each set, which ends at delta = 1/(4 L - 1)."""
    for level in (F(1, 10), F(1, 2), F(3, 4)):
        epsilon, delta = level_set(level, 0.01, 0.4, points=7)
        gamma = np.exp(epsilon)
        inside = epsilon > 1e-9
        values = delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2
        assert values[inside] == pytest.approx(float(level), rel=1e-9)
        assert (delta[0], delta[-1]) == pytest.approx((0.01, 0.4))
    assert level_set(F(1), 0.0, 1.0)[1][-1] == pytest.approx(1 / 3)
    assert level_set(F(1, 2), 0.0, 1.0)[1][-1] == 1
    assert level_set(F(1), 0.5, 1.0)[1].size == 0
    found = threshold_picture(["1/2", "1/4", "1/2"], marks=[("log(2)", "1/4")])
    assert found.levels == (F(1, 4), F(1, 2))
    assert found.marks[0].value.rational == F(1, 4) * F(9, 4) / F(9, 4)
    text, axes, parts = drawn(plots.g, found)
    assert list(parts)[:2] == ["g = 1/4", "g = 1/2"]
    assert parts["ε = log(2) ≈ 0.6931, δ = 1/4: g = 1/4 = 0.25"].get_xydata()[0] == pytest.approx([math.log(2), 0.25])
    assert (axes.get_xlim(), axes.get_ylim(), "g" in text) == ((0, 3), (0, 1), True)
    ends, grid = level_grid(("1/2", "2"), Delta.of(0), 4)
    assert (tuple(map(float, ends)), grid) == ((0.5, 2), pytest.approx((0.5, 1, 1.5, 2)))
    with pytest.raises(InfeasibleError, match="nothing can be estimated at epsilon = delta = 0"):
        level_grid((0, 1), Delta.of(0), 3)
    assert level_grid((0, 1), Delta.of("1/4"), 3)[1] == (0, 0.5, 1)
    for wrong in ({"levels": []}, {"levels": ["0"]}, {"levels": ["5/4"]}, {"epsilon_range": ("2", "1")}):
        with pytest.raises(InvalidParameterError):
            threshold_picture(**wrong)


def test_margins_and_respondents() -> None:
    """1.96 sqrt(V/n); the least n is the ceiling of 1.96^2 V/m^2, and openly that of pi (1 - pi)."""
    pi, z = F(1, 10), 1.959963984540054
    found = precision_picture([WARNER], prevalence=pi, n_range=(50, 500), goal="1/20")
    assert (found.numbers[0], found.numbers[-1]) == (50, 500)
    assert all(a < b for a, b in pairwise(found.numbers))
    variance = float(n_var(F(3, 4), F(3, 4), pi))
    ((name, values),) = found.curves
    assert values == pytest.approx([z * math.sqrt(variance / n) for n in found.numbers], rel=1e-9)
    _, axes, parts = drawn(plots.precision, found)
    assert axes.get_xlim() == (50, 500)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert parts[name].get_xydata()[0] == pytest.approx([50, values[0]])
    assert parts["margin = 1/20 = 0.05"].get_ydata()[0] == 0.05
    power = precision_picture([WARNER], "power", prevalence="1/4", n_range=(50, 500))
    curve = power.curves[0][1]
    assert all(0 < a <= b < 1 for a, b in pairwise(curve))
    _, axes, parts = drawn(plots.precision, power)
    assert (axes.get_yscale(), axes.get_ylim(), len(parts)) == ("linear", (0, 1.02), 1)
    for wrong in ((1000, 100), (100, 100)):
        with pytest.raises(InvalidParameterError, match="the range of responses is empty"):
            precision_picture([WARNER], prevalence=pi, n_range=wrong)
    with pytest.raises(InvalidParameterError, match="a picture has 1 to 40 designs: received 0"):
        precision_picture([], prevalence=pi)
    asked = respondents_picture(margin="1/20", prevalence=pi, epsilon_range=("1", "2"), unrelated=["1/4"])
    assert asked.openly == math.ceil(z * z * 0.09 * 400)
    best = asked.curves[0][1]
    for epsilon, n in zip(asked.grid[::40], best[::40], strict=True):
        keep = math.exp(epsilon) / (math.exp(epsilon) + 1)
        assert n == pytest.approx(z * z * float(n_var(F(keep), F(keep), pi)) * 400, abs=1)
    assert all(a >= b for _, numbers in asked.curves for a, b in zip(numbers, best, strict=True))
    _, axes, parts = drawn(plots.respondents, asked)
    assert parts[f"asked openly, all honest: {asked.openly}"].get_ydata()[0] == asked.openly
    assert axes.get_xlim() == (1, 2)


def test_relative_variances() -> None:
    """Warner's design is optimal at delta = 0, and nothing is better; with delta, a corner is, left of the switch."""
    pi = F(1, 10)
    found = efficiency_picture(prevalence=pi, epsilon_range=("1", "2"), points=["log(5)"], unrelated=["1/4"])
    assert min(min(curve.ratios) for curve in found.curves) == 1
    best = [curve for curve in found.curves if curve.is_optimal]
    assert [curve.label for curve in best] == ["Warner, crosswise, Mangat–Singh (1990), forced response y:n = 1:1"]
    assert best[0].marked == (1,)
    assert found.switch is None
    _, axes, parts = drawn(plots.efficiency, found)
    assert f"certified optimum: {best[0].label}" in parts
    assert axes.get_xlim() == (1, 2)
    low, high = axes.get_ylim()
    assert low < 1 < high
    gamma, delta = F(3, 2), F(1, 4)
    keep = (gamma + delta) / (gamma + 1)
    assert least_variance(gamma, delta, pi) == min(
        n_var(keep, keep, pi), n_var(F(1), delta, pi), n_var(delta, F(1), pi)
    )
    assert least_variance(gamma, F(0), pi) == n_var(gamma / (gamma + 1), gamma / (gamma + 1), pi)
    with_slack = efficiency_picture(prevalence=pi, delta="1/10", epsilon_range=("0", "3"), points=[])
    at = math.exp(with_slack.switch or 0)
    assert 0.1 * (at + 0.1) / (at + 0.2 - 1) ** 2 == pytest.approx(0.1)
    _, axes, parts = drawn(plots.efficiency, with_slack)
    line = parts["left of it a corner is optimal, right of it p₀₀ = p₁₁"]
    assert line.get_xdata()[0] == pytest.approx(with_slack.switch)
    with pytest.raises(InvalidParameterError, match="a marked level is outside the picture"):
        efficiency_picture(prevalence=pi, epsilon_range=("1", "2"), points=["3"])
    with pytest.raises(InfeasibleError, match="the least variance is 0 at prevalence 1"):
        efficiency_picture(prevalence=1, delta="1/4")


# orders


def test_few_lines_of_an_order_cross() -> None:
    """Levels are sorted until no line crosses where this is possible; crossings are counted by pairs."""
    lines = {0: [4], 1: [3], 2: [5], 3: [1], 4: [0], 5: [2]}
    assert comparison_pictures._crossings([[0, 1, 2], [3, 4, 5]], lines) == 1
    assert comparison_pictures._crossings([[0, 1, 2], [4, 3, 5]], lines) == 0
    assert comparison_pictures._crossings([[0, 1, 2], [5, 3, 4]], lines) == 3
    for order in permutations([3, 4, 5]):
        rows = [[0, 1, 2], list(order)]
        comparison_pictures._sort_levels(rows, lines)
        assert comparison_pictures._crossings(rows, lines) == 0
        assert sorted(rows[1]) == [3, 4, 5]
    tree = {0: [1, 2], 1: [0, 3, 4], 2: [0, 5, 6], 3: [1], 4: [1], 5: [2], 6: [2]}
    rows = [[0], [1, 2], [5, 3, 6, 4]]
    comparison_pictures._sort_levels(rows, tree)
    assert comparison_pictures._crossings(rows, tree) == 0


def test_places_of_an_order() -> None:
    found = partial_order([Mechanism.binary(p, p, name=f"warner:{p}") for p in ("2/3", "3/4", "9/10")])
    places, paths, crowding = comparison_pictures.order_places(found)
    level = {found.class_name(c): places[c] for c in range(3)}
    assert level == {"warner:9/10": (0.5, 0), "warner:3/4": (0.5, 1), "warner:2/3": (0.5, 2)}
    assert sorted(paths) == [[(0.5, 0), (0.5, 1)], [(0.5, 1), (0.5, 2)]]
    assert crowding == 1
    text, axes, _ = drawn(plots.order, found)
    assert axes.get_ylim() == (2.5, -0.5)
    assert {one.get_text(): one.get_position() for one in axes.texts} == level
    assert len(axes.lines) == 2
    assert "3 mechanisms" in text
    names = [f"{'long name ' * 5}{p}" for p in ("2/3", "3/4")]
    long = partial_order([Mechanism.binary(name[-3:], name[-3:]) for name in names], names)
    _, axes, parts = drawn(plots.order, long)
    assert [one.get_text() for one in axes.texts] in (["1", "2"], ["2", "1"])
    assert list(parts) == [f"1:  {names[1]}", f"2:  {names[0]}"]  # as one reads, from above
    many = [Mechanism.binary(F(i, 100), F(i, 100)) for i in range(51, 92)]
    with pytest.raises(InvalidParameterError, match="received 41 classes; allowed are 40"):
        comparison_pictures.order_places(partial_order(many))


# breach regions and beliefs


def test_curves_of_odds() -> None:
    """The odds of p* are the factor times those of p; certainty has its two ends."""
    for factor in (0.2, 1.0, 7.0):
        p, q = odds_curve(factor)
        inside = (p > 0) & (p < 1)
        assert q[inside] / (1 - q[inside]) == pytest.approx(factor * p[inside] / (1 - p[inside]), rel=1e-9)
        assert (p[0], q[0], p[-1], q[-1]) == (0, 0, 1, 1)
    assert set(odds_curve(0.0)[1].tolist()) == {0}
    assert set(odds_curve(math.inf)[1].tolist()) == {1}
    assert (points_between(0.0, 1e-9), points_between(0.0, 1.0)) == (25, 401)
    line = np.array([0.0, 0.5, 1.0])
    assert RegionPart("A", (line, line), (line, line)).is_empty
    assert not RegionPart("A", (line, line), (line, line + [0, 1e-9, 0])).is_empty
    kept = draw_breach_regions._inside(np.array([1.0, 1.0, 0.5, 1.0, 1.0]), 1.0)
    assert np.isnan(kept).tolist() == [True, False, False, False, True]


def test_pictures_of_breach_regions() -> None:
    found = breach_picture([beta_factor(2)], gammas=["3", "2"])
    assert found.gammas == (2, 3)
    _, axes, parts = drawn(plots.breaches, found)
    assert "2-factor privacy: B(h) = 2, area 1/2 = 0.5" in parts
    assert {"γ = 2", "γ = 3", "p* = p: nothing is learnt"} <= parts.keys()
    x, y = parts["γ = 3"].get_data()
    assert y[200] / (1 - y[200]) == pytest.approx(3 * x[200] / (1 - x[200]))
    both = breach_picture([beta_factor(4)], mechanisms=["warner:3/4"])
    assert both.verdicts() == [(both.regions[1].name, both.regions[0].name, True)]
    assert any(name.endswith("meets 4-factor privacy.") for name in drawn(plots.breaches, both)[2])
    closer = breach_picture([beta_factor("3/2")], mechanisms=["warner:3/4"])
    assert closer.verdicts()[0][2] is False
    general = information_privacy(lower="p^4", upper="1 - (1-p)/3 - (1-p)^2/6")
    part = breach_picture([general], canonical=True)
    assert [one.letter for one in part.parts] == ["A", "B"]
    _, axes, parts = drawn(plots.breaches, part)
    letters = {one.get_text(): one.get_position() for one in axes.texts}
    for one in part.parts:
        if not one.is_empty:
            x, y = letters[one.letter]
            outer, inner = (np.interp(x, *curve) for curve in (one.outer, one.inner))
            assert min(outer, inner) < y < max(outer, inner)
            assert f"{one.letter}: what the canonical form adds {'above' if one.letter == 'A' else 'below'}" in parts
    for wrong in ({}, {"mechanisms": ["warner:3/4"] * 5}, {"gammas": ["1"]}):
        with pytest.raises(InvalidParameterError):
            breach_picture(**wrong)
    _, axes, parts = drawn(
        draw_breach_regions.beliefs, (lambda p: 2 * p / (1 + p), lambda p: p / (2 - p), [F(1, 2)], ("most", "least"))
    )
    assert parts["most"].get_xydata()[30] == pytest.approx([0.5, 2 / 3])
    assert parts["least"].get_xydata()[30] == pytest.approx([0.5, 1 / 3])
    assert len(parts["most"].get_xydata()) == 61


# surveys and accounting


def test_rows_of_shares() -> None:
    """Each row has its place, beside those of other series; percent; walls at 0 and 100 if they are inside."""
    point = SimpleNamespace
    rows = (
        (point(value=0.25, ends=(0.2, 0.3)), None),
        (point(value=0.5, ends=None), point(value=0.75, ends=(0.7, 1.1))),
    )
    found: Any = SharesPicture(("a", "b" * 40), ("x", "y"), rows, F(19, 20), "told")  # type: ignore[arg-type]
    text, axes, parts = drawn(draw_shares.shares, found)
    assert text == "told"
    assert list(parts) == ["x", "y"]
    data = [line.get_xydata().tolist() for line in axes.lines if len(line.get_xydata())]
    assert data[:2] == [[[25, pytest.approx(-0.165)]], [[20, pytest.approx(-0.165)], [30, pytest.approx(-0.165)]]]
    assert [50, pytest.approx(0.165)] in [one[0] for one in data]
    assert [75, pytest.approx(1.165)] in [one[0] for one in data]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", f"{'b' * 33}…"]
    assert axes.get_ylim() == (1.5, -0.5)
    assert axes.get_xlabel() == "percent, with 95 % intervals"
    assert [[100, 0], [100, 1]] in data


def test_a_heat_map_and_estimates() -> None:
    device = Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]).labelled(["a", "b", "c"])
    text, axes, parts = drawn(plots.heat_map, device)
    written = {one.get_position(): one.get_text() for one in axes.texts}
    assert written == {(j, i): "0.5" if i == j else "0.25" for i in range(3) for j in range(3)}
    assert list(parts) == ["chance 0", "chance 0.25", "chance 0.5"]
    assert [one.get_text() for one in axes.get_xticklabels()] == ["a", "b", "c"]
    assert "parity = 2" in text
    assert axes.images[0].get_array().tolist() == [[0.5 if i == j else 0.25 for j in range(3)] for i in range(3)]
    wide = Mechanism([[F(1, 13)] * 13] * 13)
    _, axes, _ = drawn(plots.heat_map, wide)
    assert (len(axes.texts), axes.get_xticks().tolist()) == (0, list(range(0, 13, 2)))
    estimated = plots.data.estimate_picture(estimate("warner:3/4", yes=10, n=20))
    text, axes, parts = drawn(plots.estimated, estimated)
    assert parts["unbiased estimate"].get_xydata().tolist() == [[0.5, 0]]
    assert "20 responses" in text
    assert axes.get_ylim() == (0.5, -0.5)
    kinds = [name for name in parts if name not in ("unbiased estimate", "most likely distribution")]
    ends = [line.get_xydata() for line in axes.lines if len(line.get_xydata()) == 2 and line.get_marker() == "|"]
    assert len(ends) == len(kinds) >= 2
    assert all(low[0] < 0.5 < high[0] and abs(low[1]) < 0.3 for low, high in ends)


def test_points_of_the_accountant() -> None:
    """What was asked, at its upper bounds; an infinite level has no point; a curve without points has no picture."""
    half = Bracket(F(1, 3), F(1, 2))
    assert draw_accounting._nats(Epsilon.of_parity(None)) is None
    assert draw_accounting._nats(half) == F(1, 2)
    assert 0 < draw_accounting._nats(Epsilon.of("log(2)")) - F(math.log(2)) < F(1, 10**15)
    assert draw_accounting._asked(Epsilon.of(1), Delta.of("1/4")) == (1, 0.25)
    assert draw_accounting._asked(half, half) == (0.5, 0.5)
    assert draw_accounting._asked(Bracket(F(1, 4), F(1, 3)), Delta.of(0))[0] == float(F(333333333334, 10**12))
    assert draw_accounting._asked(Epsilon.of_parity(None), half) is None
    assert draw_accounting._short(F(2, 3)) == "0.6667"
    found = compose("log(3)*2", epsilon="1", points=4)
    _, axes, parts = drawn(draw_accounting.privacy_curve, found)
    shown = parts["δ, upper bound"].get_xydata()
    exact = {float(one.epsilon): float(one.upper) for one in found.curve if one.upper > 0}
    assert shown.tolist() == [[x, exact[x]] for x in sorted(exact)]
    (asked,) = (part for name, part in parts.items() if name.startswith("ε ≈ 1, δ ≈ "))
    assert asked.get_xydata()[0] == pytest.approx([1, float(found.delta.upper)])
    assert axes.get_xlim()[0] == 0


# texts and looks


def test_texts_and_looks() -> None:
    assert drawing.wrapped(["aaa bbb ccc ddd", "x = 1 y"], 10) == ["aaa bbb\nccc ddd", "x = 1 y"]
    assert drawing.wrapped(["bbbbbbb n Var = 15/16"], 14) == ["bbbbbbb\nn Var = 15/16"]
    assert drawing.wrapped(["a (1, 2) cccc"], 3) == ["a (1, 2)\ncccc"]
    for part, side in ((0.31, "left"), (0.3, "left"), (0.29, "center"), (-0.29, "center"), (-0.31, "right")):
        assert drawing._side(part, "left", "right") == side
    for value, text in ((F(15, 16), "= 15/16 = 0.9375"), (F(1, 3), "= 1/3 ≈ 0.3333"), (F(1, 10**9 + 7), "≈ 1e-09")):
        assert drawing.value_text(value) == text
    assert drawing.level_text(Epsilon.of("log(2)"), Delta.of("1/4")) == "ε = log(2) ≈ 0.6931, δ = 1/4"
    assert drawing.delta_text(Delta.of(F(1, 10**13 + 1))) == "δ ≈ 1e-13"
    looks = [drawing.look_of(i) for i in range(len(drawing.COLORS) * len(drawing.DASHES))]
    assert all(a != b for i, a in enumerate(looks) for b in looks[:i])
    assert drawing.marked(10)["marker"] == drawing.marked(0)["marker"] == "o"
    assert (drawing.format_of("a.b.PNG"), drawing.size_of("paper").width) == ("png", 3.4)
    for name in ("a.jpg", "png", ""):
        with pytest.raises(InvalidParameterError, match="the picture's format is unknown"):
            drawing.format_of(name)
    drawing.require_drawable("a.svg", size="wide")
    for path, size in (("a.jpg", "wide"), (None, "huge"), ("a.png", "huge")):
        with pytest.raises(InvalidParameterError):
            drawing.require_drawable(path, size=size, data_only=True)


def test_ticks_and_names_of_points() -> None:
    """A short logarithmic axis has 1, 2 and 5; points that are close share one text, on the side of the first."""
    with drawing.plain_settings():
        for high, ticks in ((199, [1, 2, 5, 10, 20, 50, 100]), (300, [1, 10, 100])):
            axes = bare()
            axes.set(yscale="log", ylim=(1, high))
            drawing.plain_ticks(axes.yaxis)
            assert [tick for tick in axes.get_yticks() if 1 <= tick <= high] == ticks
            assert axes.yaxis.get_major_formatter()(20.0, None) == "20"
            assert axes.yaxis.get_major_formatter()(2e7, None) == "2e+07"
        axes = bare()
        drawing.unit_square(axes, "x", "y")
        drawing.name_points(
            axes, [((0.2, 0.2), "a", 0), ((0.21, 0.2), "b", 90), ((0.8, 0.2), "c", 180), ((0.5, 0.9), "d", 90)]
        )
        found = {one.get_text(): one for one in axes.texts}
        assert list(found) == ["a\nb", "c", "d"]
        assert [(one.get_ha(), one.get_va()) for one in found.values()] == [
            ("left", "center"),
            ("right", "center"),
            ("center", "bottom"),
        ]
        assert found["a\nb"].xyann == pytest.approx((7, 0))  # 0.7 of a font of 10 points
        assert [one.get_text() for one in axes.get_xticklabels()] == ["0", "", "0.5", "", "1"]
        assert axes.get_yticks().tolist() == [0, 0.25, 0.5, 0.75, 1]
