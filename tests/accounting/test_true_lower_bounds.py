"""Compositions of mechanisms whose profile differs by pair or direction, beside all joint laws in rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import prod

import pytest
from every_case import every_case

import rropt
from rropt.accounting import panel

COMPOSITIONS = [
    ("generalised:3/4,2/3", "generalised:3/4,2/3"),
    ("generalised:3/4,2/3", "generalised:2/3,9/10"),
    ("generalised:3/4,2/3", "generalised:3/4,2/3", "generalised:3/4,2/3"),
    ("generalised:3/4,2/3", "forced:1/2,3/8,1/8"),
    ("warner:3/4", "generalised:9/10,3/5"),
    ("generalised:4/5,1/2", "grr:3,1/2"),
]


def _delta(names: tuple[str, ...], gamma: Fraction, *, same: bool) -> Fraction:
    """Return the largest delta over the inputs of all mechanisms; ``same``: equal mechanisms have equal inputs."""
    matrices = [rropt.Mechanism(name) for name in names]
    pairs = [list(permutations(range(one.inputs), 2)) for one in matrices]
    best = Fraction(0)
    for chosen in product(*pairs):
        by_name = {(name, pair) for name, pair in zip(names, chosen, strict=True)}
        if same and len(by_name) > len(set(names)):
            continue
        total = Fraction(0)
        for outputs in product(*(range(one.outputs) for one in matrices)):
            p, q = (
                prod(one[i, pair[side]] for one, i, pair in zip(matrices, outputs, chosen, strict=True))
                for side in (0, 1)
            )
            total += max(p - gamma * q, Fraction(0))
        best = max(best, total)
    return best


@every_case("names", COMPOSITIONS, ids=" ".join)
@every_case("gamma", ["1", "5/4", "2", "3", "5"])
def test_bounds_of_delta_are_true(names: tuple[str, ...], gamma: str) -> None:
    found = rropt.compose(*names, gamma=gamma, points=2)
    for same in (False, True):
        assert found.lower <= _delta(names, Fraction(gamma), same=same) <= found.upper
    assert found.lower >= max(_delta((name,), Fraction(gamma), same=True) for name in names)
    assert found.attained or found.lower == found.upper or "exactly" not in found.words
    record = found.to_dict()
    assert Fraction(record["lower"]) == found.lower


def test_copies_are_items() -> None:
    name = "generalised:3/4,2/3"
    listed, copies = (rropt.compose(*items, gamma=2, points=3) for items in ((name,) * 2, (f"{name}*2",)))
    assert listed.words == copies.words == "above by the composition of dominating pairs, below by one mechanism alone"
    assert (listed.lower, listed.upper, listed.curve) == (copies.lower, copies.upper, copies.curve)
    pure = rropt.compose(f"{name}*2", points=2)  # the largest ratios multiply: 8/3 for one response
    assert (str(pure.epsilon), pure.words) == ("log(64/9)", "exactly")
    assert pure.composed == f"2 x {name}"
    assert rropt.compose(*["log(2)"] * 8, points=2).composed == ", ".join(["1 x log(2)"] * 6) + ", and 2 more"


@pytest.mark.parametrize("names", COMPOSITIONS, ids=" ".join)
def test_bounds_of_curves_and_levels_are_true(names: tuple[str, ...]) -> None:
    found = rropt.compose(*names, delta="1/20", points=5)
    for point in found.curve:
        gamma = rropt.exact.Epsilon("rational", point.epsilon).gamma_bracket(40)
        assert point.lower <= _delta(names, gamma.lower, same=True)
        assert _delta(names, gamma.upper, same=False) <= point.upper
    low, high = (rropt.exact.Epsilon("rational", end).gamma_bracket(40) for end in (found.lower, found.upper))
    assert _delta(names, high.upper, same=False) <= Fraction(1, 20)
    assert found.lower == 0 or _delta(names, low.lower * Fraction(999, 1000), same=True) > Fraction(1, 20)
    pure = rropt.compose(*names, points=2)
    assert pure.lower <= float(sum(float(rropt.Mechanism(name).epsilon) for name in names)) + 1e-9


@pytest.mark.parametrize("reports", ["fresh", "kept"])
def test_repeated_reports_have_true_bounds(reports: str) -> None:
    name = "generalised:3/4,2/3"
    found = panel(name, 3, reports=reports, delta="1/50")
    low, high = (rropt.exact.Epsilon("rational", end).gamma_bracket(40) for end in (found.lower, found.upper))
    names = (name,) * (3 if reports == "fresh" else 1)
    assert _delta(names, high.upper, same=True) <= Fraction(1, 50)
    assert _delta(names, low.lower * Fraction(999, 1000), same=True) > Fraction(1, 50)
