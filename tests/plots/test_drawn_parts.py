"""Every part of a picture and its look: `PYTHONPATH=support python plots/test_drawn_parts.py` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn_pictures import FIGURES
from few_rows import few_rows

FILE = Path(__file__).with_name("drawn_parts.json")
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
    for one in [*axes.lines, *axes.patches, *axes.collections, *axes.images, *axes.texts]:
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
    figure = FIGURES[name]().to_matplotlib()
    stored = json.loads(FILE.read_text(encoding="utf-8"))[name]
    assert list(parts(figure)) == stored["parts"]
    assert list(figure.get_size_inches()) == pytest.approx(stored["inches"], rel=0.03)


if __name__ == "__main__":
    made = {name: make().to_matplotlib() for name, make in FIGURES.items()}
    found = {
        name: {"inches": [round(x, 2) for x in each.get_size_inches()], "parts": list(parts(each))}
        for name, each in made.items()
    }
    FILE.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
