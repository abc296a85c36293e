"""The SVG that rropt writes: well formed, described, safe; no text on another one, as matplotlib measures them."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from drawn_pictures import FIGURES
from few_rows import few_rows
from later import later

import rropt
from rropt import plots
from rropt.plots.charts import SIZES, Chart
from rropt.plots.text_widths import text_width

TextPath = later("matplotlib.textpath", "TextPath")
FontProperties = later("matplotlib.font_manager", "FontProperties")

NAMESPACE = "{http://www.w3.org/2000/svg}"
LEVELS = [("1/2", "1/10"), ("1/10", "1/100"), ("2", "1/20"), ("log(9)", "1/3"), ("3", "0"), ("1/4", "9/10"), ("0", "1")]


def boxes(svg: str) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Every text and the box of its ink; the outlines of its letters are those of the font, not of a table."""
    root = ElementTree.fromstring(svg)
    size = float(root.attrib["font-size"])
    found = []
    for text in root.iter(f"{NAMESPACE}text"):
        if not (text.text or "").strip():
            continue
        height = float(text.attrib.get("font-size", size))
        ink = TextPath((0, 0), text.text, size=height, prop=FontProperties(family="DejaVu Sans")).get_extents()
        x, y, anchor = float(text.attrib["x"]), float(text.attrib["y"]), text.attrib["text-anchor"]
        left = -(ink.x1 - ink.x0) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        box = left, -ink.y1, left + ink.x1 - ink.x0, -ink.y0
        turned = re.match(r"rotate\(-90 (\S+) (\S+)\)", text.attrib.get("transform", ""))
        if turned:
            u, v = x - float(turned[1]), y - float(turned[2])  # (u, v) is turned to (v, -u)
            a, b, c, d = (box[0] + u, box[1] + v, box[2] + u, box[3] + v)
            found.append((text.text, (x - u + b, y - v - c, x - u + d, y - v - a)))
        else:
            found.append((text.text, (x + box[0], y + box[1], x + box[2], y + box[3])))
    return found


def assert_apart(svg: str) -> None:
    """No text lies on another one or beyond the picture, but for a line of its strokes."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    texts = boxes(svg)
    for text, (left, top, right, bottom) in texts:
        assert -1 <= left < right <= width + 1, text
        assert -1 <= top < bottom <= height + 1, text
    for (one, a), (other, b) in itertools.combinations(texts, 2):
        across, along = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert across <= 0.5 or along <= 0.5, (one, other)


@few_rows(4)
@pytest.mark.parametrize("name", FIGURES)
def test_no_text_lies_on_another(name: str) -> None:
    assert_apart(FIGURES[name]().to_svg())


@pytest.mark.slow
def test_letters_of_a_region_stand_apart_at_every_level(size: Any) -> None:
    """D and E of epsilon = 1/2, delta = 1/10 lay on each other; so did others where corners are near."""
    for epsilon, delta in LEVELS[: size(4, None)]:
        for width in list(SIZES)[: size(1, 3)]:
            assert_apart(plots.region(epsilon, delta, prevalence="1/4", size=width).to_svg())
            assert_apart(plots.variance(epsilon, delta, prevalence="1/4", size=width).to_svg())


def test_a_planted_text_on_a_text_is_seen() -> None:
    chart = Chart()
    chart.text(0.5, 0.5, "one")
    chart.text(0.52, 0.5, "two")
    with pytest.raises(AssertionError, match="one"):
        assert_apart(plots.Figure(chart, "Text.").to_svg())


def test_widths_are_those_of_the_font() -> None:
    texts = ["".join(map(chr, range(32, 127))), "p₀₀ = p₁₁ ≈ 0.6602", "δ ≤ 1 − γ·ε’", "Åse Ørsted, Žižek", "Warner"]
    for text in texts:
        ink = TextPath((0, 0), f"|{text}|", size=1, prop=FontProperties(family="DejaVu Sans")).get_extents()
        assert text_width(text) >= ink.x1 - ink.x0 - text_width("||") - 0.01
        assert text_width(text) <= 1.12 * (ink.x1 - ink.x0)


def test_a_picture_has_a_title_and_a_description_and_names_of_its_own() -> None:
    one, other = (plots.breaches(gammas=[2, g], mechanisms=["warner:3/4"]).to_svg() for g in (3, 4))
    root = ElementTree.fromstring(one)
    assert root.attrib["role"] == "img"
    named = root.attrib["aria-labelledby"].split()
    title, text = (root.find(f"{NAMESPACE}{tag}") for tag in ("title", "desc"))
    assert [title.attrib["id"], text.attrib["id"]] == named  # type: ignore[union-attr]
    assert text.text.startswith("The region of a mechanism contains")  # type: ignore[union-attr]
    ids = [set(re.findall(r'id="([^"]+)"', svg)) for svg in (one, other)]
    assert not ids[0] & ids[1]
    assert set(re.findall(r"url\(#([^)]+)\)", one)) <= ids[0]


def test_texts_of_files_are_escaped() -> None:
    name = '<script>alert("1")</script>&\x1b[31m\u202e'
    chart = Chart()
    chart.text(0.5, 0.5, name)
    chart.plot([0, 1], [0, 1], label=name)
    chart.y.ticks = ((0.5, name),)
    chart.set(xlabel=name)
    svg = plots.Figure(chart, name).to_svg()
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{NAMESPACE}script"))
    assert "\x1b" not in svg
    assert "\u202e" not in svg
    assert svg.count("&lt;script&gt;") >= 5


def test_a_count_is_said_once() -> None:
    found = rropt.every_level(rropt.Problem.kary(5, level=rropt.privacy.span(), objective="a-optimal"))
    assert found.plot().text == "The optimal n tr Cov against epsilon. 1 breakpoint."


@pytest.mark.slow
def test_a_notebook_shows_a_picture_in_both_ways() -> None:
    """IPython finds the SVG and the PNG: no ``<Figure size ...>`` is printed, and pyplot stays away."""
    script = (
        "import sys, rropt\n"
        "from IPython.core.formatters import DisplayFormatter\n"
        "figure = rropt.inference.estimate('warner:3/4', yes=40, n=100).plot()\n"
        "data, _ = DisplayFormatter().format(figure)\n"
        "assert data['image/svg+xml'].startswith('<svg') and data['image/png'][1:4] == b'PNG'\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_another_program_draws_it(tmp_path: Path) -> None:
    if shutil.which("rsvg-convert") is None:
        pytest.skip("rsvg-convert is not installed")
    for name in ("variance", "heat", "breaches", "groups"):
        path = tmp_path / "a.svg"
        FIGURES[name]().save(path)
        done = subprocess.run(["rsvg-convert", str(path)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout[1:4] == b"PNG"
