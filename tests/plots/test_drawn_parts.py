"""Every part of a picture has its place and its look; `python tests/plots/test_drawn_parts.py` writes them anew."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

from rropt import compose, estimate, plots, shuffle
from rropt.accounting import longitudinal
from rropt.mechanisms import Mechanism
from rropt.privacy import rho_to_rho
from rropt.survey import estimate_table

FILE = Path(__file__).with_name("drawn_parts.json")
DIE = Mechanism("forced:2/3,1/6,1/6")
THREE = [Mechanism(text) for text in ("warner:3/4", "forced:2/3,1/6,1/6", "unrelated:1/2,1/4")]
GROUPS = {"q": np.array([0, 1, 1] * 20), "g": np.array(["north", "north", "south"] * 20)}
FIGURES: dict[str, Callable[[], Any]] = {
    "region": lambda: plots.region("log(2)", "1/4", prevalence="1/4", mechanism=DIE),
    "region at 0": lambda: plots.region("0", "1/4", size="wide"),
    "region at 1": lambda: plots.region("1", "1", prevalence="1", mechanism="generalised:1/100,1/4"),
    "variance": lambda: plots.variance("log(2)", "1/4", prevalence="1/4", mechanism=DIE),
    "thin variance": lambda: plots.variance("1/9", "0", prevalence="1/5", mechanism="warner:52/100"),
    "g": lambda: plots.g(["1/4", "1/100", "123457/1000000"], marks=[("log(2)", "1/4"), ("1", "2/5")]),
    "efficiency": lambda: plots.efficiency(prevalence="1/10", delta="1/10", epsilon_range=("0", "3"), size="screen"),
    "comparison": lambda: plots.comparison(prevalence="1/10"),
    "order": lambda: plots.order([*THREE, Mechanism("warner:2/3")]),
    "breaches": lambda: plots.breaches([rho_to_rho("1/10", "1/2")], mechanisms=["warner:3/4", DIE]),
    "curve": lambda: plots.draw(compose("1/2*20", delta="1/1000", points=5)),
    "exact curve": lambda: plots.draw(compose("log(3)*3", epsilon="1", points=5)),
    "shuffled": lambda: plots.draw(shuffle("2", 60, delta="1/10000", points=3)),
    "reports": lambda: plots.draw(longitudinal("rappor:1/2,1/2,3/4", 12)),
    "margin": lambda: plots.precision(THREE, prevalence="1/10", goal="0.05"),
    "power": lambda: plots.precision(THREE, "power", prevalence="1/10", n_range=(20, 900)),
    "respondents": lambda: plots.respondents(margin="0.05", prevalence="1/10", unrelated=["1/4"]),
    "noncompliance": lambda: plots.noncompliance(("warner:3/4", [300, 700]), conclusion="at least 1/2"),
    "heat": lambda: plots.heat_map(Mechanism("grr:4,1/2").labelled(["never", "once", "few", "often"])),
    "wide heat": lambda: plots.heat_map(Mechanism("grr:12,1/2")),
    "estimates": lambda: plots.estimated(estimate("grr:4,1/2", [10, 20, 1, 60])),
    "estimate": lambda: plots.estimated(estimate("warner:3/4", yes=2, n=20)),
    "groups": lambda: plots.draw(estimate_table(GROUPS, "q", "warner:3/4", by="g")),
}
LOOK = ("linestyle", "linewidth", "marker", "markersize", "markerfacecolor", "facecolor", "edgecolor", "color")
LOOK += ("zorder", "clip_on", "label", "text", "ha", "va")


def _points(artist: Any) -> Any:
    if hasattr(artist, "xyann"):
        return np.array([artist.xy, artist.xyann], float).reshape(-1)
    for name in ("get_xydata", "get_xy", "get_array", "get_position"):
        if hasattr(artist, name) and (found := getattr(artist, name)()) is not None:
            return np.asarray(found, float).reshape(-1)
    return np.concatenate([path.vertices.reshape(-1) for path in artist.get_paths()])


def _short(value: Any) -> str:
    from matplotlib.colors import to_hex

    if isinstance(value, float | np.floating):
        return f"{round(value, 9):.4g}"
    if isinstance(value, np.ndarray | list):
        return f"[{' '.join(map(_short, np.ravel(value)))}]"
    return to_hex(value, keep_alpha=True) if isinstance(value, tuple) and len(value) in (3, 4) else str(value)


def parts(figure: Any) -> Iterator[str]:
    """Yield a line for the frame and for each part: its look, and its first and last points, their number and sum."""
    (axes,) = figure.axes
    for axis in (axes.xaxis, axes.yaxis):
        labels = [tick.get_text() for tick in axis.get_ticklabels()]
        yield f"{axis.get_label_text()} {axis.get_scale()} {[_short(end) for end in axis.get_view_interval()]} {labels}"
    yield f"box {_short(axes.get_box_aspect())}; {figure.get_label()}"
    is_contour = any(type(one).__name__ == "ContourSet" for one in axes.collections)  # its names are placed by size
    texts = [one for one in axes.texts if not is_contour or hasattr(one, "xyann")]
    for one in [*axes.lines, *axes.patches, *axes.collections, *axes.images, *texts]:
        if type(one).__name__ == "ContourSet":
            continue
        points = _points(one)
        look = [f"{name} {_short(getattr(one, f'get_{name}')())}" for name in LOOK if hasattr(one, f"get_{name}")]
        dashes = _short(getattr(one, "_dash_pattern", (0, []))[1] or [])
        sums = [*points[:2], *points[-2:], np.nansum(points[np.isfinite(points)])]
        yield re.sub(
            r"_child\d+", "", " ".join([type(one).__name__, *look, dashes, str(len(points)), *map(_short, sums)])
        )


@few_rows(1)
@pytest.mark.parametrize("name", FIGURES)
def test_every_part_has_its_place_and_its_look(name: str) -> None:
    figure = FIGURES[name]()
    stored = json.loads(FILE.read_text(encoding="utf-8"))[name]
    assert list(parts(figure)) == stored["parts"]
    assert list(figure.get_size_inches()) == pytest.approx(stored["inches"], rel=0.03)


if __name__ == "__main__":
    made = {name: make() for name, make in FIGURES.items()}
    found = {
        name: {"inches": [round(x, 2) for x in each.get_size_inches()], "parts": list(parts(each))}
        for name, each in made.items()
    }
    FILE.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
