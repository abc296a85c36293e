"""Draw the figures of papers that no command draws: ``python docs/site/figures.py`` writes ``docs/reference/figures/``.

Each curve is computed: from the closed form of the problem (``to_sympy``), from the exact law of a device, or from
responses that are drawn with a fixed seed. The page ``docs/reference/figures.md`` says which.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from rropt.core.files import write_files
from rropt.designs import Problem
from rropt.plots.charts import Chart
from rropt.plots.drawing import drawn

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "figures"


_ENDS: tuple[tuple[str, Callable[[Any], float]], ...] = (("smallest", min), ("largest", max))


class Curves(NamedTuple):
    """What one picture shows.

    Attributes:
        x, y: the names of the axes.
        curves: a name, and the coordinates of the points.
        text: the alternative text.
        is_log: whether the vertical axis is logarithmic.
        dots: whether points are drawn in place of lines.
    """

    x: str
    y: str
    curves: list[tuple[str, Any, Any]]
    text: str
    is_log: bool = False
    dots: bool = False


# --- Ziani, lectures on differential privacy -------------------------------------------------------------------------


def ziani_1() -> Curves:
    """Return Figure 1: densities of the Laplace distribution."""
    z, b = sp.symbols("z b", real=True)
    density = sp.lambdify((z, b), sp.exp(-sp.Abs(z) / b) / (2 * b), "numpy")
    at = np.linspace(-10, 10, 401)
    curves = [(f"b = {scale}", at, density(at, float(Fraction(scale)))) for scale in ("1/2", "1", "2", "4")]
    return Curves("z", "density", curves, "Densities of the Laplace distribution for four scales b.")


# --- Vinterbo (2018) -------------------------------------------------------------------------------------------------


def unrelated(p: Any) -> Any:
    """Return c of the unrelated question: the other question is asked with probability p, its answer is a coin."""
    return (p**2 - 2 * p + 2) / (2 * (p - 1) ** 2)


def warner(p: Any) -> Any:
    """Return c of Warner's device."""
    return (2 * p**2 - 2 * p + 1) / (2 * p - 1) ** 2


def loss(p: Any, n: int, s: Any = None) -> Any:
    """Return ``f_L(s) = (c - s)/(1 - s)`` of n bits, by default at the mean ``2/(2^n + 1)`` of ``pi^T pi``."""
    at = 2 / (2**n + 1) if s is None else s
    return (unrelated(p) ** n - at) / (1 - at)


def vinterbo_1a() -> Curves:
    """Return Figure 1 (a): estimates of 100 data sets, from true responses, and from randomized ones of two sizes."""
    rng, pi, p = np.random.default_rng(2018), np.array([0.05, 0.15, 0.3, 0.5]), 0.5
    bit = np.array([[1 - p / 2, p / 2], [p / 2, 1 - p / 2]])
    matrix = np.kron(bit, bit)
    found: dict[str, Any] = {"true, 1000": [], "randomized, 1000": [], "randomized, 9750": []}
    for _ in range(100):
        truth = rng.multinomial(1000, pi)
        found["true, 1000"].append(truth / 1000)
        for size in (1000, 9750):
            counts = rng.multinomial(size, matrix @ pi)
            found[f"randomized, {size}"].append(np.linalg.solve(matrix, counts / size))
    curves = []
    for number, (name, estimates) in enumerate(found.items()):
        values = np.array(estimates)
        places = np.repeat(np.arange(4) + (number - 1) / 4, 100) + np.tile(np.linspace(-0.08, 0.08, 100), 4)
        curves.append((f"{name} responses", places, values.T.ravel()))
    text = (
        "Estimates of four proportions from 100 data sets: true responses, as many randomized, and 9.75 times as many."
    )
    return Curves("category", "estimated proportion", curves, text, dots=True)


def vinterbo_1b() -> Curves:
    """Return Figure 1 (b): the logarithm of the loss against the number of bits."""
    bits = np.arange(1, 13)
    curves = [(f"p = {p}", bits, np.log([loss(p, int(n)) for n in bits])) for p in (0.0001, 0.5, 0.9999)]
    return Curves("bits n", "log L", curves, "The logarithm of the loss against the number of bits, for three p.")


def vinterbo_1c() -> Curves:
    """Return Figure 1 (c): the smallest and largest loss at 100 random distributions, relative to that at the mean."""
    rng, curves, bits = np.random.default_rng(47), [], np.arange(2, 13)
    for p in (0.0001, 0.5, 0.9999):
        ratios = [loss(p, n, (rng.dirichlet(np.ones(2**n), 100) ** 2).sum(1)) / loss(p, n) for n in bits.tolist()]
        curves += [(f"p = {p}, {word}", bits, [end(each) for each in ratios]) for word, end in _ENDS]
    text = "Smallest and largest ratio of the loss to its approximation at 100 random distributions: both tend to 1."
    return Curves("bits n", "ratio", curves, text)


def vinterbo_2a() -> Curves:
    """Return Figure 2 (a): c of the unrelated question relative to Warner's device, one bit."""
    p = np.concatenate([np.linspace(0.005, 0.495, 99), [np.nan], np.linspace(0.505, 0.795, 59)])  # a gap at 1/2
    curves = [
        ("unrelated question / Warner", p, unrelated(p) / warner(p)),
        ("1: both are equal, as at p = 2/3", np.array([0, 0.8]), np.ones(2)),
    ]
    return Curves(
        "p", "c_M / c_W", curves, "The ratio of the constants: below 1 for p below 2/3, and near 0 at p = 1/2."
    )


def vinterbo_2b() -> Curves:
    """Return Figure 2 (b): c of both devices against their level."""
    level = np.linspace(0.2, 2, 200)
    gamma = np.exp(level)
    both = [("unrelated question", unrelated(2 / (gamma + 1))), ("Warner", warner(gamma / (gamma + 1)))]
    curves = [(name, level, values) for name, values in both]
    return Curves(
        "alpha", "c", curves, "The constants of both devices against the level: the curves coincide.", is_log=True
    )


# --- Sun, Zhou and Yan (2023) ----------------------------------------------------------------------------------------


@cache
def _price() -> Any:
    """Return ``gamma/(gamma - 1)^2``: n Var of Warner's design without the sampling variance, from its closed form."""
    form = Problem.binary("1/3", epsilon="1").to_sympy().form
    delta, pi = (sp.Symbol(name, nonnegative=True) for name in ("delta", "pi"))
    price = sp.factor((form.value - pi * (1 - pi)).subs(delta, 0))
    return sp.lambdify(sp.Symbol("gamma", positive=True), price, "numpy")


def of_cards(gamma: Any, middle: float) -> Any:
    """Return the variance of one answer of Christofides with cards 1, 2, 3, as an estimate of membership."""
    first, last = (1 - middle) / (gamma + 1), gamma * (1 - middle) / (gamma + 1)
    mean = first + 2 * middle + 3 * last
    return (first + 4 * middle + 9 * last - mean**2) / (4 - 2 * mean) ** 2


def variances(size: int, share: float, middle: float, low: float, high: float) -> Curves:
    """Return the variances of the four mechanisms against epsilon; modified Simmons is equal to modified Warner."""
    level = np.linspace(low, high, 200)
    gamma = np.exp(level)
    curves = [
        ("modified Warner, modified Simmons", level, _price()(gamma) / size),
        ("modified Christofides", level, of_cards(gamma, middle) / size),
        ("improved Christofides", level, 4 * share * (1 - share) * of_cards(gamma, middle) / (size - 1)),
    ]
    text = f"Variance of the four mechanisms against epsilon: N = {size}, proportion {share:.4g}, p2 = {middle}."
    return Curves("epsilon (nats)", "variance", curves, text, is_log=True)


FIGURES: dict[str, Callable[[], Curves]] = {
    "ziani-1": ziani_1,
    "vinterbo-1a": vinterbo_1a,
    "vinterbo-1b": vinterbo_1b,
    "vinterbo-1c": vinterbo_1c,
    "vinterbo-2a": vinterbo_2a,
    "vinterbo-2b": vinterbo_2b,
    "sun-1": lambda: variances(100, 0.1, 0.5, 0.2, 3),
    "sun-2": lambda: variances(9, 1 / 9, 0.36, 0.2, 1.9),
    "sun-3": lambda: variances(9, 2 / 9, 0.36, 0.2, 3),
    "sun-4": lambda: variances(9, 4 / 9, 0.36, 0.2, 3),
    "sun-5": lambda: variances(3252599, 0.0778, 0.01, 0.05, 0.5),
}


def _draw(chart: Chart, shown: Curves) -> str:
    chart.set(xlabel=shown.x, ylabel=shown.y, aspect=0.7, yscale="log" if shown.is_log else "linear")
    for name, x, y in shown.curves:
        if shown.dots:
            chart.plot(x, y, label=name, linestyle="none", marker=".", markersize=2)
            continue
        chart.plot(x, y, label=name, zorder=3)
    return shown.text


def svg(name: str) -> bytes:
    """Return a figure as SVG."""
    return drawn(_draw, FIGURES[name](), "paper").to_bytes("svg")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write_files([(FOLDER / f"{name}.svg", svg(name)) for name in FIGURES])
