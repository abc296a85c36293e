"""Pictures of pages in light and dark: the colours of the style sheet, with enough contrast on both."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

import rropt
from rropt.plots.charts import COLORS
from rropt.privacy import rho_to_rho
from rropt.reports.browser_checker import style_sheet
from rropt.reports.document_writers import Document, Paragraph
from rropt.reports.page_pictures import DARK_COLOURS, page_picture


def _luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, two: str) -> float:
    low, high = sorted(map(_luminance, (one, two)))
    return (high + 0.05) / (low + 0.05)


def _scheme(name: str) -> dict[str, str]:
    """Return the colours of the style sheet for paper and ink."""
    found = re.findall(r"--paper: (#\w+); --ink: (#\w+);", style_sheet())
    return dict(zip(("paper", "ink"), found[("light", "dark").index(name)], strict=True))


def test_paper_and_ink_are_those_of_the_style_sheet() -> None:
    assert {"paper": DARK_COLOURS["#ffffff"], "ink": DARK_COLOURS["#000000"]} == _scheme("dark")
    assert _scheme("light")["paper"] in ("#fff", "#ffffff")


def test_curves_are_seen_on_the_dark_paper() -> None:
    """WCAG 2.2, 1.4.11: graphics have a contrast of 3 or more; text of 4.5 or more."""
    paper = DARK_COLOURS["#ffffff"]
    dark = [DARK_COLOURS[colour] for colour in COLORS]
    assert min(_contrast(colour, paper) for colour in dark) >= 3
    assert all(one != two for one, two in combinations(dark, 2))
    areas = ("#ffffff", "#e9eff5", "#b5d3ea", "#7fb2d8")
    assert min(_contrast(DARK_COLOURS["#000000"], DARK_COLOURS[area]) for area in areas) >= 4.5


@pytest.mark.slow
def test_each_colour_of_a_picture_is_a_variable() -> None:
    found = rropt.inference.estimate("grr:4,7/10", counts=[10, 20, 30, 40])
    variance = rropt.plots.variance("log(2)", "1/4", prevalence="1/4")
    bounds = rropt.plots.noncompliance(("warner:3/4", [300, 700]))
    criteria = rropt.plots.breaches([rho_to_rho("1/10", "1/2")], canonical=True)
    for figure in (rropt.plots.estimated(found), variance, rropt.plots.heat_map("grr:12,1/2"), bounds, criteria):
        text = page_picture(figure).decode()
        drawn = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
        assert set(re.findall(r"(?:fill|stroke): ?(\S+?)[;\"]", drawn)) - {"none"} <= {
            *(f"var(--{colour[1:]})" for colour in DARK_COLOURS), *re.findall(r"url\(#hatch-\w+-\w+\)", drawn)
        }  # fmt: skip
        assert "#" not in re.sub(r'url\(#|href="#|id="', "", re.sub(r"<(?:desc|title).*?>.*?<", "", drawn))
        assert text.count("prefers-color-scheme:dark") == 1
        assert "<image" not in text


def test_a_page_has_one_main_part() -> None:
    html = Document("Title", (Paragraph("Text."),)).to_html()
    assert html.count("<main>") == html.count("</main>") == 1
    assert html.index("<main>") < html.index("<h1>")
