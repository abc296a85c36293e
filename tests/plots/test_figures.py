"""The drawings: built at every boundary of the parameters, legible, and nothing on top of anything else."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from typing import Any

import pytest
from drawn_texts import assert_texts_fit, boxes
from few_rows import few_rows
from later import later

from rropt import plots
from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms import named_mechanism
from rropt.plots.charts import COLORS, DASHES, MARKERS, SIZES, look_of
from rropt.plots.drawing import DARK, FILL, LIGHT, level_text

matplotlib = later("matplotlib")
to_rgb = later("matplotlib.colors", "to_rgb")
Figure = later("matplotlib.figure", "Figure")
Text = later("matplotlib.text", "Text")

DIE = named_mechanism("forced:2/3,1/6,1/6")

LEVELS = [
    ("log(2)", "1/4", "1/4"),
    ("1/2", "exp(-10)", "3/10"),
    ("1", "0", "0"),
    ("log(3)", "1/5", "0"),
    ("log(3)", "1/2", "1"),
    ("0", "1/4", "1/2"),
    ("log(2)/3", "1/3", "1/2"),
    ("1", "1", "1/5"),
    ("1e-12", "0", "1/2"),
    ("1e-30", "1e-25", "1/1000000"),
    ("100", "1/100", "1/2"),
    ("log(20)", "1/1000", "1/1000"),
    ("1/20", "1/50", "1/10"),
    ("log(2)/3", "9/10", "1/2"),
]
THRESHOLDS: list[dict[str, Any]] = [
    {},
    {"marks": [("1/2", "1/10"), ("1", "2/5"), ("1/2", "1/3"), ("log(2)", "1/4")]},
    {"epsilon_range": ("0", "1"), "delta_range": ("0", "1/100"), "levels": ["1/100", "1/2"]},
    {"epsilon_range": ("50", "60"), "delta_range": ("0", "1/10"), "marks": [("55", "0")]},
    {"levels": [f"{i}/40" for i in range(1, 41, 3)]},
    {"epsilon_range": ("0", "1/1000"), "delta_range": ("0", "exp(-10)")},
]
EFFICIENCIES: list[dict[str, Any]] = [
    {"prevalence": "2551/9740"},
    {"prevalence": "1/10", "delta": "1/10", "epsilon_range": ("0", "3")},
    {"prevalence": "1/2"},
    {"prevalence": "0"},
    {"prevalence": "1/3", "delta": "1"},
    {"prevalence": "1/4", "epsilon_range": ("1e-9", "1e-6")},
    {"prevalence": "1/4", "epsilon_range": ("1", "100")},
    {"prevalence": "3/10", "delta": "exp(-10)", "epsilon_range": ("0", "4")},
    {"prevalence": "1/4", "unrelated": ["1/20", "1/10", "1/5", "2/3", "9/10"], "points": []},
]


def test_a_level_has_a_decimal_unless_it_is_rational() -> None:
    assert level_text(Epsilon.of("1/2"), Delta.of("1/4")) == "ε = 1/2, δ = 1/4"
    assert level_text(Epsilon.of("log(2)"), Delta.of("exp(-2)")) == "ε = log(2) ≈ 0.6931, δ = exp(-2) ≈ 0.1353"


def pictures() -> list[Any]:
    """Every picture of the tables above, the size changing from one to the next, so that each size is met often.

    A level has its region or its variances, in turn; both at full size.
    """
    calls: list[tuple[str, Any, dict[str, Any]]] = []
    for epsilon, delta, prevalence in LEVELS:
        calls.append(("region", plots.region, {"epsilon": epsilon, "delta": delta, "prevalence": prevalence}))
        calls.append(
            (
                "variance",
                plots.variance,
                {"epsilon": epsilon, "delta": delta, "prevalence": prevalence, "mechanism": DIE},
            )
        )
    calls.append(("region", plots.region, {"epsilon": 0, "mechanism": DIE}))
    calls += [("g", plots.g, arguments) for arguments in THRESHOLDS]
    calls += [("efficiency", plots.efficiency, arguments) for arguments in EFFICIENCIES]
    sizes = itertools.cycle([*SIZES, "screen", "paper"])
    return [
        pytest.param(
            draw,
            {**arguments, "size": size},
            id=f"{name}-{i}-{size}",
            marks=[pytest.mark.slow] if i < 2 * len(LEVELS) and (i + i // 2) % 2 else [],
        )
        for i, ((name, draw, arguments), size) in enumerate(zip(calls, sizes, strict=False))
    ]


@few_rows(1)
@pytest.mark.parametrize(("draw", "arguments"), pictures())
def test_nothing_overlaps_and_nothing_is_cut_off(draw: Any, arguments: dict[str, Any]) -> None:
    figure = draw(**arguments).to_matplotlib()
    assert_texts_fit(figure, SIZES[arguments["size"]].width)
    frame = figure.axes[0].get_window_extent()
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert box.y1 <= frame.y0 or box.x0 >= frame.x1  # the key covers no data
    smallest = min(text.get_fontsize() for text in figure.findobj(Text.loaded()) if text.get_text().strip())
    assert smallest >= 8


def test_every_curve_has_its_look_and_its_name_in_the_key() -> None:
    lines = [line for line in plots.g().to_matplotlib().axes[0].get_lines() if line.get_label().startswith("g = ")]
    assert len({(line.get_color(), line.get_linestyle(), str(line._dash_pattern)) for line in lines}) == 9
    outside = plots.g(["1/2", "1/100"], epsilon_range=("2", "3"), delta_range=("0", "1/2")).text
    assert "g = 1/2; outside the frame." in outside
    assert "g = 1/100." in outside


@few_rows(1)
@pytest.mark.parametrize("size", ["paper", "screen"])
def test_labels_are_in_the_svg_text(size: str) -> None:
    def words(figure: Any) -> str:
        svg = figure.to_svg()
        return " ".join("".join(re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)).split())

    region = words(plots.region("log(2)", "1/4", prevalence="1/4", mechanism=DIE, size=size))
    for label in (
        "p₀₀ = Pr(response 0 | truth 0)",
        "B (1, 1/4)",
        "C (3/4, 3/4)",
        "D′",
        "(11a)",
        "n Var = 15/16 = 0.9375",
    ):
        assert label in region
    assert "δ = 1/2" in region  # what the die needs at log(2)
    variance = words(plots.variance("log(2)", "1/4", prevalence="1/4", size=size))
    for label in ("p₁₁ = Pr(response 1 | truth 1)", "level curves of n Var", "B (1, 1/4): n Var = 15/16", "10"):
        assert label in variance
    g = words(plots.g(marks=[("log(2)", "1/4")], size=size))
    for label in ("ε (nats)", "δ", "1/100", "1/2", "g = 1/4"):
        assert label in g
    efficiency = words(plots.efficiency(prevalence="1/4", size=size))
    for label in ("n Var / least n Var", "unrelated question", "πB = 1/4", "certified optimum:"):
        assert label in efficiency


def test_curves_and_fills_can_be_told_apart_without_colour() -> None:
    """Neighbouring curves differ in dashes and markers, fills in lightness under black text."""

    def lightness(color: str) -> float:
        red, green, blue = to_rgb(color)
        return 0.299 * red + 0.587 * green + 0.114 * blue  # as Pillow converts to grey

    looks = [look_of(i) for i in range(42)]
    dashes = [str(look["linestyle"]) for look in looks]
    assert all(dashes[i] != dashes[j] for i in range(37) for j in (i + 1, i + 2, i + 3))
    assert len({(str(look["linestyle"]), look["color"]) for look in looks}) == 42
    assert lightness(LIGHT) - lightness(FILL) > 0.1
    assert 1 - lightness(DARK) > 0.3
    assert all(lightness(fill) > 0.6 for fill in (LIGHT, FILL, DARK))
    assert all(lightness(line) < 0.72 for line in COLORS)
    assert len(set(map(str, DASHES))) == len(DASHES)
    assert len(set(MARKERS)) == len(MARKERS)


def test_what_is_drawn_is_what_was_computed() -> None:
    """The star stands on the certified optimum, the markers on the exact ratios."""
    figure = plots.region("log(2)", "1/4", prevalence="1/4").to_matplotlib()
    (stars,) = [line.get_xydata().tolist() for line in figure.axes[0].get_lines() if line.get_marker() == "*"]
    assert stars == [[1.0, 0.25], [0.75, 0.75]]
    figure = plots.efficiency(prevalence="2551/9740", points=["log(5)"], unrelated=["1/4"]).to_matplotlib()
    dots = [line.get_ydata()[0] for line in figure.axes[0].get_lines() if line.get_linestyle() == "None"]
    assert sorted(round(float(dot), 5) for dot in dots) == [1.0, 1.25301, 1.50603]
    figure = plots.variance("log(3)", "1/5", prevalence="0").to_matplotlib()
    segments = [line.get_xydata().tolist() for line in figure.axes[0].get_lines() if len(line.get_xydata()) == 2]
    assert segments == [[[1.0, 0.0], [1.0, 0.2]]]  # all optimal designs at prevalence 0


@few_rows(1)
@pytest.mark.parametrize("plane", ["design", "stretched"])
def test_every_design_lies_in_the_frame(plane: str) -> None:
    axes = plots.variance("log(2)", "1/4", prevalence="1/4", axes=plane).to_matplotlib().axes[0]
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    drawn = [point for line in axes.get_lines() for point in line.get_xydata()]
    assert len(drawn) >= 5
    assert all(left <= x <= right and low <= y <= high for x, y in drawn)


def test_a_line_of_ratio_one_is_above_the_lower_end() -> None:
    low, high = plots.efficiency(prevalence="1/4", points=[]).to_matplotlib().axes[0].get_ylim()
    assert 0 < low < 1 < high


def test_a_file_describes_its_picture() -> None:
    figure = plots.g()
    assert "corner" in figure.text
    assert b"corner" in figure.to_bytes("svg")
    assert not any("corner" in text for text, _ in boxes(figure.to_matplotlib()))


@pytest.mark.slow
def test_the_users_settings_neither_matter_nor_change() -> None:
    plain = plots.region("log(2)", "1/4", prevalence="1/4").to_bytes("png")
    settings = {
        "font.size": 30,
        "font.family": "serif",
        "axes.facecolor": "black",
        "lines.linewidth": 9,
        "text.usetex": True,
    }
    with matplotlib.rc_context(settings):
        before = dict(matplotlib.rcParams)
        assert plots.region("log(2)", "1/4", prevalence="1/4").to_bytes("png") == plain
        assert dict(matplotlib.rcParams) == before


@pytest.mark.slow
def test_no_pyplot_and_no_matplotlib_until_something_is_drawn() -> None:
    script = (
        "import sys; from rropt import plots; from rropt.plots.data import threshold_picture\n"
        "assert threshold_picture().curves\n"
        "assert 'matplotlib' not in sys.modules\n"
        "plots.g().to_bytes('svg'); assert 'matplotlib' not in sys.modules\n"
        "plots.g().to_bytes('png'); assert 'matplotlib.pyplot' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@few_rows(1)
@pytest.mark.parametrize(
    "call",
    [
        "g --epsilon 2..3 --delta 0..1/100 --values 1/2",
        "variance --epsilon 100 --prevalence 1/10",
        "variance --epsilon 1/1000000 --prevalence 0",
        "variance --epsilon 1/1000000 --delta exp(-100) --prevalence 1",
    ],
)
def test_a_picture_without_a_curve_in_its_frame_is_drawn(cli, tmp_path, call: str) -> None:
    status, _, err = cli("plot", *call.split(), "--output", str(tmp_path / "picture.svg"))
    assert status == 0, err
    assert ("outside the frame" in (tmp_path / "picture.svg").read_text()) == call.startswith("g ")
