"""Pictures of groups: one proportion in each group with its individual and its simultaneous interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rropt.core.exact import decimal_text
from rropt.core.visible import visible
from rropt.plots.data.groups import GroupsPicture, groups_picture
from rropt.plots.figures import Key
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import Style, plain_settings, style_of
from rropt.survey.estimates.interval_kinds import is_empty
from rropt.survey.tables import GroupEstimates, WeightedEstimates
from rropt.survey.tables.regressions import PredictedPrevalence
from rropt.survey.tables.weighted_estimates import WeightedCategory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def groups(
    found: GroupEstimates | WeightedEstimates | PredictedPrevalence,
    share: str | None = None,
    *,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of one proportion in all groups.

    Args:
        found, share: as of ``groups_picture``.
        size, style, caption, ax: as for ``region``.

    Raises:
        InvalidParameterError: no such share, or too many groups.
        MissingExtraError: matplotlib is not installed.
    """
    return draw_groups(groups_picture(found, share), style_of(size, style, caption, ax))


@plain_settings()
def draw_groups(picture: GroupsPicture, style: Style) -> Figure:
    """Draw one row for each group with its estimate and both intervals."""
    names, points = zip(*picture.rows(), strict=True)
    rows = len(names)
    sheet = PictureLayout(style, aspect=min(2.5, 0.2 + 0.1 * rows))
    axes: Any = sheet.axes
    key: Key = []
    intervals = picture.intervals()
    for i, (text, each) in enumerate(intervals.items()):
        look = style.line(i)
        for row, (ends, point) in enumerate(zip(each, points, strict=True)):
            at = row + 0.15 * (2 * i - 1) * (len(intervals) > 1)
            if ends is not None and not is_empty(*ends, point):
                axes.plot(ends, (at, at), zorder=3, marker="|", markersize=5 * style.size.line, **look)
        key.append((axes.plot([], [], **look)[0], text))
    look = style.marker(0) | {"marker": "o", "color": "black", "linestyle": "none", "zorder": 5}
    kinds = {WeightedCategory: "weighted estimate", PredictedPrevalence: "predicted prevalence"}
    told = kinds.get(type(picture.share), "unbiased estimate")
    key.append((axes.plot(points, range(rows), **look)[0], told))
    axes.set_yticks(range(rows), list(map(visible, names)))
    axes.set_ylim(rows - 0.5, -0.5)
    axes.grid(axis="x", color="#dddddd", linewidth=0.5, zorder=0)
    sheet.label("proportion in the group", visible(f"by {', '.join(picture.by)}") if picture.by else "")
    level = decimal_text(100 * picture.confidence, 6)
    return sheet.finish(
        key,
        f"{visible(picture.share.name)}: estimated proportion in each group (respondents), with {level} % intervals.",
    )
