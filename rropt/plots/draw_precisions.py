"""Pictures of plans: margin and power, respondents against epsilon, and bounds under non-compliance."""

from __future__ import annotations

import numpy as np

from rropt.core.exact import decimal_text
from rropt.plots.charts import COLORS, Chart
from rropt.plots.data.noncompliance_pictures import NoncompliancePicture, noncompliance_picture
from rropt.plots.data.precision_pictures import (
    PrecisionPicture,
    RespondentsPicture,
    precision_picture,
    respondents_picture,
)
from rropt.plots.drawing import GOAL, SHOWN_DIGITS, TEXTS, delta_text, picture, value_text


@picture(precision_picture, PrecisionPicture)
def precision(chart: Chart, found: PrecisionPicture) -> str:
    """Return a picture of margin or power against the number of respondents, with a curve for each design.

    Args:
        mechanisms: binary designs with p00 + p11 != 1, at most 40.
        quantity: ``"margin"`` or ``"power"``.
        prevalence: the guess; for a power the true prevalence.
        null: the prevalence under the null hypothesis.
        n_range: the range of n that is drawn, (low, high).
        goal: the required margin or power, in (0, 1), drawn as a line.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or there are no mechanisms or too many.
        InfeasibleError: a design with p00 + p11 = 1.

    >>> from rropt.mechanisms import named_mechanism
    >>> figure = precision([named_mechanism("warner:3/4")], prevalence="1/4", goal="1/20")
    >>> "against the number of respondents" in figure.text
    True
    """
    is_margin = found.quantity == "margin"
    chart.set(xscale="log", xlabel="respondents n", ylabel=found.quantity, aspect=0.75)
    chart.set(xlim=(found.numbers[0], found.numbers[-1]))
    for name, values in found.curves:
        chart.plot(found.numbers, values, label=name, zorder=3)
    chart.set(yscale="log") if is_margin else chart.set(ylim=(0, 1.02))
    if found.goal is not None:
        chart.axhline(float(found.goal), label=f"{found.quantity} {value_text(found.goal)}", **GOAL)
    guess, null = (decimal_text(share, SHOWN_DIGITS) for share in (found.prevalence, found.null))
    return TEXTS[found.quantity].format(guess=guess, null=null)


@picture(respondents_picture, RespondentsPicture)
def respondents(chart: Chart, found: RespondentsPicture) -> str:
    """Return a picture of the respondents that a margin needs, against epsilon, for the optimum and classical designs.

    Args:
        margin: the margin on the scale of the prevalence, in (0, 1).
        prevalence, delta, epsilon_range, unrelated: as for ``efficiency``; 0 < prevalence < 1.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: the range holds epsilon = delta = 0, or more than 10^15 respondents are needed.

    >>> "asked openly" in respondents(margin="1/20", prevalence="1/4").text
    True
    """
    chart.set(yscale="log", xlabel="ε (nats)", ylabel="respondents", aspect=0.8)
    chart.set(xlim=(float(found.epsilon[0]), float(found.epsilon[1])))
    (best, numbers), *others = found.curves
    chart.plot(found.grid, numbers, label=best, color="black", linestyle="solid", linewidth=2.5, zorder=2.5)
    for name, numbers in others:
        chart.plot(found.grid, numbers, label=name, zorder=3)
    chart.axhline(found.openly, label=f"asked openly, all honest: {found.openly}", **GOAL)
    margin, guess = (decimal_text(x, SHOWN_DIGITS) for x in (found.margin, found.prevalence))
    return TEXTS["respondents"].format(margin=margin, guess=guess, delta=delta_text(found.delta))


@picture(noncompliance_picture, NoncompliancePicture)
def noncompliance(chart: Chart, found: NoncompliancePicture) -> str:
    """Return a picture of the bounds of a prevalence against the largest proportion of non-compliers.

    Args:
        samples: as for ``prevalence_bounds``.
        size, ax: as for ``region``.
        options: ``conclusion``, ``most``, ``confidence``, and those of ``prevalence_bounds``.

    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("forced:2/3,1/6,1/6")
    >>> figure = noncompliance((device, [1604, 831]), conclusion="at least 20 %")
    >>> "stands up to 0.0495277" in figure.text
    True
    """
    x = [float(theta) for theta in found.grid]
    chart.set(xlabel="proportion of non-compliers, at most", ylabel="prevalence", xlim=(0, x[-1]), aspect=0.7)
    percent = decimal_text(100 * found.confidence)
    for curve, shade, text in (
        (found.covering, "#d9d9d9", f"with sampling error ({percent} %)"),
        (found.sharp, "#999999", "at the observed proportions"),
    ):
        low, high = np.array([[np.nan if end is None else float(end) for end in ends] for ends in curve]).T
        chart.fill_between(x, low, high, facecolor=shade, label=text)
        for end in (low, high):
            chart.plot(x, end, color=COLORS[0], linestyle="solid")
    text = f"All prevalences that the responses allow with at most so many non-compliers: {found.model}."
    broken = found.conclusion
    if broken is None:
        return text
    at = float(broken.theta), float(broken.value)
    chart.axhline(at[1], color="black", linestyle="--", linewidth=0.8)
    if broken.against and broken.stands:
        chart.axvline(at[0], color="black", linestyle=":", linewidth=0.8)
        chart.plot([at[0]], [at[1]], marker="o", linestyle="none", color="black", markersize=3)
    return f"{text} The conclusion, dashed: {broken}."
