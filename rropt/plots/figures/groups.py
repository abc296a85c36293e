"""Pictures of groups: one share in each, with its guaranteed interval by itself and all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rropt.exact import decimal_text
from rropt.plots.data.groups import GroupsPicture, groups_picture
from rropt.plots.figures import Key
from rropt.plots.sheets import Sheet
from rropt.plots.styles import Style, plain_settings, style_of
from rropt.responses import GroupEstimates
from rropt.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def groups(
    found: GroupEstimates,
    share: str | None = None,
    *,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of one share in all groups.

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
    """Draw groups: a row for each, in it both intervals and the estimate."""
    shown, rows = picture.share, len(picture.share.groups)
    sheet = Sheet(style, aspect=min(2.5, 0.2 + 0.1 * rows))
    axes: Any = sheet.axes
    key: Key = []
    kinds = dict.fromkeys(group.guaranteed for group in shown.groups)
    words = (f"guaranteed ({' or '.join(kinds)})", "guaranteed, all groups at once")
    for i, text in enumerate(words):
        look = style.line(i)
        for row, group in enumerate(shown.groups):
            ends = (group.simultaneous if i else group.intervals)[group.guaranteed]
            at = row + 0.15 * (2 * i - 1)
            axes.plot(ends, (at, at), zorder=3, marker="|", markersize=5 * style.size.line, **look)
        key.append((axes.plot([], [], **look)[0], text))
    look = style.marker(0) | {"marker": "o", "color": "black", "linestyle": "none", "zorder": 5}
    points = [float(group.estimate) for group in shown.groups]
    key.append((axes.plot(points, range(rows), **look)[0], "unbiased estimate"))
    axes.set_yticks(range(rows), [visible(f"{group.group} ({group.n})") for group in shown.groups])
    axes.set_ylim(rows - 0.5, -0.5)
    axes.grid(axis="x", color="#dddddd", linewidth=0.5, zorder=0)
    sheet.label("share of the group", visible(f"by {', '.join(picture.by)}") if picture.by else "")
    level = decimal_text(100 * shown.confidence, 6)
    title = visible(shown.name)
    return sheet.finish(key, f"{title}: estimated share in each group (respondents), with {level} % intervals.")
