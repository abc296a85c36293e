"""The texts of a picture as they are drawn: none is cut off, and none covers another."""

from __future__ import annotations

import itertools
from typing import Any

from later import later

FigureCanvasAgg = later("matplotlib.backends.backend_agg", "FigureCanvasAgg")
Figure = later("matplotlib.figure", "Figure")
Text = later("matplotlib.text", "Text")


def boxes(figure: Figure) -> list[tuple[str, Any]]:
    """Every upright or vertical text that is drawn, with its box in dots."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [
        text
        for text in figure.findobj(Text.loaded())
        if text.get_visible() and text.get_text().strip() and text.get_rotation() in (0, 90)
    ]
    return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in texts if drawn(figure, text)]


def drawn(figure: Figure, text: Text) -> bool:
    """Whether a text is drawn: tick labels outside the limits of their axis are not."""
    axes = figure.axes[0]
    for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if text in (tick.label1, tick.label2):
                return text is tick.label1 and limits[0] <= tick.get_loc() <= limits[1]
    return True


def assert_texts_fit(figure: Figure, width: float) -> None:
    """Check the width of a picture in inches, and that its texts lie inside and apart."""
    right, top = figure.get_size_inches() * figure.dpi
    assert abs(figure.get_size_inches()[0] - width) < 1e-9
    found = boxes(figure)
    assert len(found) >= 8
    for text, box in found:
        assert -1 <= box.x0 <= box.x1 <= right + 1, text
        assert -1 <= box.y0 <= box.y1 <= top + 1, text
    for (one, a), (other, b) in itertools.combinations(found, 2):
        across, along = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        # dots: boxes may touch, and a line of text has some free room below its letters
        assert across <= 1.5 or along <= 2.5, (one, other)
