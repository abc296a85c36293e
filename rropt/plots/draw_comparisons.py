"""Mechanisms compared: the Hasse diagram of Blackwell's order, and efficiencies against epsilon."""

from __future__ import annotations

from rropt.designs.orders import PartialOrder, partial_order
from rropt.plots.charts import Chart, look_of
from rropt.plots.data.comparison_pictures import order_places
from rropt.plots.data.efficiency_pictures import EfficiencyPicture, efficiency_picture
from rropt.plots.drawing import GOAL, TEXTS, delta_text, marked, picture
from rropt.plots.text_widths import text_width

_ROW = 5.0  # lines of text from one level to the next
_WIDEST = 0.9  # share of the space between two classes that a name may take
_BOXED = 1.8  # of the font size: ``= `` before a name and the box around it

# of the logarithmic axis of relative variances; those that fit are drawn
_TICKS = (1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 7, 10, 20, 30)
_MOST_TICKS = 8
_LEAST_TOP = 1.1  # of the frame, where every design is nearly optimal
_LARGEST_RATIO = 30  # above it relative variances lie beyond the frame, so that those that matter can be distinguished
_HEADROOM = 0.06  # above and below, as a share of the height


@picture(partial_order, PartialOrder)
def order(chart: Chart, found: PartialOrder) -> str:
    """Return the Hasse diagram of mechanisms in Blackwell's order.

    Args:
        mechanisms: at least one, with equal numbers of inputs; or the order itself.
        names: what they are called; by default their own names.
        size, ax: as for ``region``.

    Raises:
        InvalidMechanismError: different numbers of inputs.
        InvalidParameterError: too many to be distinguished.

    >>> from rropt.mechanisms import Mechanism
    >>> designs = [Mechanism.binary(p, p, name=f"warner:{p}") for p in ("3/4", "2/3")]
    >>> "better above" in order(designs).text
    True
    """
    places, paths, crowding = order_places(found)
    height, most = max(found.levels) + 1, max(map(len, found.classes))
    rows = height * (_ROW + 1.3 * (min(most, 4) - 1))
    chart.set(xlim=(0, 1), ylim=(height - 0.5, -0.5), aspect=0.25, least_height=rows)
    chart.x.ticks = chart.y.ticks = ()
    chart.sides = frozenset()
    for path in paths:
        chart.plot(*zip(*path, strict=True), color="black", linestyle="solid", zorder=2)
    texts = ["\n= ".join(found.names[i] for i in members) for members in found.classes]
    widest = max(map(text_width, found.names))
    if widest + _BOXED > chart.room * _WIDEST / crowding or most > 4:
        read = sorted(range(len(texts)), key=lambda c: places[c][::-1])  # as one reads, from above
        for number, c in enumerate(read, 1):
            chart.say(f"{number}:  {found.class_name(c)}")
            texts[c] = str(number)
    for place, text in zip(places, texts, strict=True):
        chart.text(*place, text, "round")
    count = len(found.names)
    return TEXTS["order"].format(count=count, s="s" * (count > 1))


@picture(efficiency_picture, EfficiencyPicture)
def efficiency(chart: Chart, found: EfficiencyPicture) -> str:
    """Return a picture of ``n Var(design) / n Var(optimum)`` against epsilon for the classical designs.

    Each design takes the most informative parameter that the level allows, at delta = 0 the one of parity exactly
    exp(epsilon): Warner, crosswise, Mangat and Singh (1990), forced response, the unrelated question, and at delta > 0
    Mangat (1994). Designs of equal variance share a curve. Everything is computed exactly; the marked points carry
    certificates.

    Args:
        prevalence: pi in [0, 1]; at delta > 0 strictly between.
        delta: the slack, in any exact form.
        epsilon_range: the range drawn, (low, high); low > 0 unless delta > 0.
        points: the levels that are marked; by default three round ones.
        unrelated: prevalences piB of unrelated questions, strictly between 0 and 1.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or there are too many.
        InfeasibleError: the range holds epsilon = delta = 0, or the least variance is 0.

    >>> figure = efficiency(prevalence="1/4", points=["log(5)"])
    >>> "certified optimum: Warner, crosswise" in figure.text
    True
    """
    top = min(max(*(max(curve.ratios) for curve in found.curves), _LEAST_TOP), _LARGEST_RATIO) ** (1 + _HEADROOM)
    chart.set(yscale="log", xlabel="ε (nats)", ylabel="n Var / least n Var", aspect=0.8)
    low, high = map(float, found.epsilon)
    chart.set(xlim=(low, high), ylim=(top**-_HEADROOM, top))
    ticks = [1.0]
    for tick in _TICKS:
        if ticks[-1] * top ** (1 / _MOST_TICKS) <= tick <= top:
            ticks.append(tick)
    chart.y.ticks = tuple((tick, f"{tick:g}") for tick in ticks)
    levels = [point.problem.region.one_level().epsilon for point in found.points]
    best = {"color": "black", "linestyle": "solid", "linewidth": 2}
    for i, curve in enumerate(reversed(found.curves)):  # the key in the order of the curves' left ends
        look = best if curve.is_optimal else look_of(i)
        text = f"certified optimum: {curve.label}" if curve.is_optimal else curve.label
        beyond = "" if min(curve.ratios) <= top else "; above the frame"
        chart.plot(found.grid, curve.ratios, zorder=3, **look)
        points = [float(level) for level in levels], [float(ratio) for ratio in curve.marked]
        chart.plot(*points, zorder=4, **look | marked(i) | {"linestyle": "none"})
        chart.plot([], [], label=text + beyond, **look, **marked(i))
    if not any(curve.is_optimal for curve in found.curves):
        chart.plot((low, high), (1, 1), zorder=2.5, label="certified optimum (a generalised design)", **best)
    if found.switch is not None:
        text = "left of it a corner is optimal, right of it p₀₀ = p₁₁"
        chart.axvline(found.switch, label=text, **GOAL)
    private = "parity exactly exp(ε)" if found.delta.rational == 0 else "the most informative parameter that is private"
    marked_at = TEXTS["efficiency-marked"].format(levels=", ".join(map(str, levels))) if levels else ""
    about = {"delta": delta_text(found.delta), "prevalence": found.prevalence}
    return TEXTS["efficiency"].format(**about, private=private, marked=marked_at)
