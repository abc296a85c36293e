"""The best proportions of cards: closed form by symbols, a convex program, and all small decks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
import sympy as sp
from few_rows import few_rows
from later import later

import rropt
from rropt_fieldwork.devices.device_designs import best_proportions

cp = later("cvxpy")


def device_part(shares: tuple[Fraction, ...]) -> Fraction | None:
    """Return Var(Y)/(L + 1 - 2 EY)^2, from the law of a card."""
    mean = sum(k * p for k, p in enumerate(shares, 1))
    second = sum(k * k * p for k, p in enumerate(shares, 1))
    slope = len(shares) + 1 - 2 * mean
    return (second - mean**2) / slope**2 if slope else None


def test_the_closed_form() -> None:
    """Of one pair of cards in the proportion 1 to gamma, for every L and k."""
    gamma, size, k = sp.symbols("gamma L k", positive=True)
    low, high = 1 / (1 + gamma), gamma / (1 + gamma)
    mean = low * k + high * (size + 1 - k)
    second = low * k**2 + high * (size + 1 - k) ** 2
    part = (second - mean**2) / (size + 1 - 2 * mean) ** 2
    assert sp.simplify(part - gamma / (gamma - 1) ** 2) == 0


@few_rows(1)
@pytest.mark.parametrize("kinds", [2, 3, 4, 7])
@few_rows(1)
@pytest.mark.parametrize("gamma", [Fraction(9), Fraction(3, 2)])
def test_no_proportions_do_better(kinds: int, gamma: Fraction) -> None:
    """``E abs(s) >= (1/tau) E s`` is a linear program; all decks of few cards are above the bound."""
    best = best_proportions(kinds, rropt.exact.Epsilon.of_gamma(gamma))
    least = gamma / (gamma - 1) ** 2
    assert device_part(best) == least
    assert max(x / y for x, y in zip(best, best[::-1], strict=True) if y) == gamma
    places = [k - (kinds + 1) / 2 for k in range(1, kinds + 1)]
    y = cp.Variable(kinds, nonneg=True)  # p over E s
    private = [y <= float(gamma) * y[::-1], cp.sum(cp.multiply(places, y)) == 1]
    program = cp.Problem(cp.Minimize(cp.sum(cp.multiply([abs(s) for s in places], y))), private)
    program.solve(solver="HIGHS")
    assert (program.value**2 - 1) / 4 == pytest.approx(float(least), rel=1e-7)
    cards = 7 if kinds < 5 else 3
    for deck in product(range(cards + 1), repeat=kinds):
        if sum(deck) and all(c <= gamma * d for c, d in zip(deck, deck[::-1], strict=True)):
            part = device_part(tuple(Fraction(c, sum(deck)) for c in deck))
            assert part is None or part >= least


def test_an_irrational_level_is_met() -> None:
    odds = best_proportions(4, "1")[-1] / best_proportions(4, "1")[0]
    assert odds < rropt.exact.Epsilon.of(1).exact_gamma() < odds + Fraction(1, 10**20)


def test_the_command(cli_json) -> None:
    found = cli_json("device", "--gamma", "9", "--prevalence", "1/10", "--for", "cards:5", "deck:52")
    shares, deck = (one for one in found["devices"] if "added up" in one["name"])
    assert (shares["cards"], shares["value"]) == (["1/10", "0", "0", "0", "9/10"], "369/1600")
    assert sum(map(int, deck["cards"])) == 52
    assert Fraction(deck["value"]) > Fraction(shares["value"])
    assert all(len(one["instruction"].split()) <= 25 for one in found["devices"])
