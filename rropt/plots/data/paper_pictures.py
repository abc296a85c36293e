"""Figures of papers that no other picture draws: Ziani's lectures, Vinterbo (2018), and Sun, Zhou and Yan (2023).

Each curve comes from a closed form, from the exact law of a device, or from responses that are drawn with a fixed seed.
Figure 1 of Holohan, Leith and Mason (2016) is ``threshold_picture``; Figures 1 to 4 of Chai and Nayak (2018) are
``published_figure``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rropt.core.errors import one_of
from rropt.core.results import labelled


@dataclass(frozen=True, slots=True)
class PaperCurve:
    """A curve, or points.

    Attributes:
        name: what it shows.
        x, y: the coordinates; where ``y`` is None the curve has a gap.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PaperPicture:
    """The data of a figure of a paper.

    Attributes:
        paper, figure: which figure, such as ``vinterbo2018`` and ``2a``.
        xlabel, ylabel: the names of the axes.
        curves: what is drawn.
        text: the alternative text.
        is_log: whether the vertical axis is logarithmic.
        dots: whether points are drawn in place of lines.
    """

    paper: str
    figure: str
    xlabel: str
    ylabel: str
    curves: tuple[PaperCurve, ...]
    text: str
    is_log: bool = False
    dots: bool = False

    LABELS = labelled()


def paper_picture(paper: str, figure: str) -> PaperPicture:
    """Return the data of a figure of a paper.

    Args:
        paper: ``ziani``, ``vinterbo2018`` or ``sun2023``, the names of their claims.
        figure: its number, with the letter of a part, such as ``2a``.

    Raises:
        InvalidParameterError: there is no such paper, or no such figure.

    >>> [curve.name for curve in paper_picture("vinterbo2018", "2b").curves]
    ['unrelated question', 'Warner']
    """
    one_of(paper, FIGURES, "the paper")
    one_of(figure, FIGURES[paper], "the figure")
    return FIGURES[paper][figure](paper, figure)


def _curve(name: str, x: Iterable[Any], y: Iterable[Any]) -> PaperCurve:
    points = [None if math.isnan(value) else float(value) for value in y]
    return PaperCurve(name, tuple(map(float, x)), tuple(points))


# --- Ziani, lectures on differential privacy ---


def _ziani_1(paper: str, figure: str) -> PaperPicture:
    """Return Figure 1: densities of the Laplace distribution."""
    at = np.linspace(-10, 10, 401)
    curves = (
        _curve(f"b = {name}", at, np.exp(-abs(at) / scale) / (2 * scale))
        for name, scale in {"1/2": 0.5, "1": 1.0, "2": 2.0, "4": 4.0}.items()
    )
    text = "Densities of the Laplace distribution for four scales b."
    return PaperPicture(paper, figure, "z", "density", tuple(curves), text)


# --- Vinterbo 2018 ---


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


def _vinterbo_1a(paper: str, figure: str) -> PaperPicture:
    """Return Figure 1 (a): estimates of 100 data sets, from true responses, and from randomized ones of two sizes."""
    rng, pi, p = np.random.default_rng(2018), np.array([0.05, 0.15, 0.3, 0.5]), 0.5
    bit = np.array([[1 - p / 2, p / 2], [p / 2, 1 - p / 2]])
    matrix = np.kron(bit, bit)
    found: dict[str, list[Any]] = {"true, 1000": [], "randomized, 1000": [], "randomized, 9750": []}
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
        curves.append(_curve(f"{name} responses", places, values.T.ravel()))
    text = (
        "Estimates of four proportions from 100 data sets: true responses, as many randomized, and 9.75 times as many."
    )
    return PaperPicture(paper, figure, "category", "estimated proportion", tuple(curves), text, dots=True)


def _vinterbo_1b(paper: str, figure: str) -> PaperPicture:
    """Return Figure 1 (b): the logarithm of the loss against the number of bits."""
    bits = range(1, 13)
    curves = (_curve(f"p = {p}", bits, [math.log(loss(p, n)) for n in bits]) for p in (0.0001, 0.5, 0.9999))
    text = "The logarithm of the loss against the number of bits, for three p."
    return PaperPicture(paper, figure, "bits n", "log L", tuple(curves), text)


def _vinterbo_1c(paper: str, figure: str) -> PaperPicture:
    """Return Figure 1 (c): the smallest and largest loss at 100 random distributions, relative to that at the mean."""
    rng, curves, bits = np.random.default_rng(47), [], range(2, 13)
    for p in (0.0001, 0.5, 0.9999):
        ratios = [loss(p, n, (rng.dirichlet(np.ones(2**n), 100) ** 2).sum(1)) / loss(p, n) for n in bits]
        curves += [
            _curve(f"p = {p}, smallest", bits, map(min, ratios)),
            _curve(f"p = {p}, largest", bits, map(max, ratios)),
        ]
    text = "Smallest and largest ratio of the loss to its approximation at 100 random distributions: both tend to 1."
    return PaperPicture(paper, figure, "bits n", "ratio", tuple(curves), text)


def _vinterbo_2a(paper: str, figure: str) -> PaperPicture:
    """Return Figure 2 (a): c of the unrelated question relative to Warner's device, one bit."""
    p = np.concatenate([np.linspace(0.005, 0.495, 99), [np.nan], np.linspace(0.505, 0.795, 59)])  # a gap at 1/2
    ratio = unrelated(p) / warner(p)
    curves = (
        _curve("unrelated question / Warner", np.nan_to_num(p, nan=0.5), ratio),
        _curve("1: both are equal, as at p = 2/3", (0, 0.8), (1, 1)),
    )
    text = "The ratio of the constants: below 1 for p below 2/3, and near 0 at p = 1/2."
    return PaperPicture(paper, figure, "p", "c_M / c_W", curves, text)


def _vinterbo_2b(paper: str, figure: str) -> PaperPicture:
    """Return Figure 2 (b): c of both devices against their level."""
    level = np.linspace(0.2, 2, 200)
    gamma = np.exp(level)
    curves = (
        _curve("unrelated question", level, unrelated(2 / (gamma + 1))),
        _curve("Warner", level, warner(gamma / (gamma + 1))),
    )
    text = "The constants of both devices against the level: the curves coincide."
    return PaperPicture(paper, figure, "alpha", "c", curves, text, is_log=True)


# --- Sun, Zhou and Yan 2023 ---


def price(gamma: Any) -> Any:
    """Return n Var of Warner's design without the sampling variance, at delta = 0."""
    return gamma / (gamma - 1) ** 2


def of_cards(gamma: Any, middle: float) -> Any:
    """Return the variance of one answer of Christofides with cards 1, 2, 3, as an estimate of membership."""
    first, last = (1 - middle) / (gamma + 1), gamma * (1 - middle) / (gamma + 1)
    mean = first + 2 * middle + 3 * last
    return (first + 4 * middle + 9 * last - mean**2) / (4 - 2 * mean) ** 2


def _variances(size: int, share: float, middle: float, low: float, high: float) -> Callable[[str, str], PaperPicture]:
    """Return a figure of the variances against epsilon; modified Simmons is equal to modified Warner."""

    def figure_of(paper: str, figure: str) -> PaperPicture:
        level = np.linspace(low, high, 200)
        gamma = np.exp(level)
        cards = of_cards(gamma, middle)
        curves = (
            _curve("modified Warner, modified Simmons", level, price(gamma) / size),
            _curve("modified Christofides", level, cards / size),
            _curve("improved Christofides", level, 4 * share * (1 - share) * cards / (size - 1)),
        )
        text = f"Variance of the four mechanisms against epsilon: N = {size}, proportion {share:.4g}, p2 = {middle}."
        return PaperPicture(paper, figure, "epsilon (nats)", "variance", curves, text, is_log=True)

    return figure_of


FIGURES: dict[str, dict[str, Callable[[str, str], PaperPicture]]] = {
    "ziani": {"1": _ziani_1},
    "vinterbo2018": {
        "1a": _vinterbo_1a,
        "1b": _vinterbo_1b,
        "1c": _vinterbo_1c,
        "2a": _vinterbo_2a,
        "2b": _vinterbo_2b,
    },
    "sun2023": {
        "1": _variances(100, 0.1, 0.5, 0.2, 3),
        "2": _variances(9, 1 / 9, 0.36, 0.2, 1.9),
        "3": _variances(9, 2 / 9, 0.36, 0.2, 3),
        "4": _variances(9, 4 / 9, 0.36, 0.2, 3),
        "5": _variances(3252599, 0.0778, 0.01, 0.05, 0.5),
    },
}
