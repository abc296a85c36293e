"""The bounds of 261 audits, beside those that the certificates of an earlier version proved, and by other means."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

from rropt.core.errors import FileFormatError
from rropt_fieldwork import audit_counts
from rropt_fieldwork.audits import Audit

BEFORE = json.loads((Path(__file__).parent / "audits_before.json").read_text())
ASKED = ("counts", "event", "pair", "method", "confidence", "tests", "delta")


def _audited(case: dict[str, Any]) -> Audit:
    return audit_counts(**{name: case[name] for name in ASKED}, rng=case["seed"])


@few_rows(1)
@pytest.mark.parametrize("start", range(0, len(BEFORE), 30))
def test_bounds_are_those_of_the_certificates(start: int) -> None:
    for case in BEFORE[start : start + 30]:
        found = _audited(case)
        assert [list(found.samples), list(found.hits)] == [case["samples"], case["hits"]]
        # the certificates were up to 8e-9 below the bounds of exact tails; test_tails_in_rationals limits both sides
        assert -Fraction(1, 10**9) <= found.gamma / Fraction(case["gamma"]) - 1 <= Fraction(1, 10**8)
        assert type(found).from_dict(found.to_dict()) == found


def _tail(n: int, p: Fraction, least: int) -> Fraction:
    """Return Pr(Bin(n, p) >= least), term by term."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(least, n + 1)), Fraction(0))


def _least_tail(n: int, hits: int, level: Fraction) -> Fraction:
    """Return the Clopper-Pearson lower bound to 40 bits, by bisection in rationals."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _tail(n, middle, hits) <= level else (low, middle)
    return low


@pytest.mark.parametrize(("n", "m", "a", "b"), [(10, 10, 10, 0), (12, 9, 11, 2), (25, 30, 20, 3), (40, 8, 39, 1)])
def test_tails_in_rationals(n: int, m: int, a: int, b: int) -> None:
    level = Fraction(1, 40)
    p, q = _least_tail(n, a, level), 1 - _least_tail(m, m - b, level)
    found = audit_counts([[a, n - a], [b, m - b]], event=["0"], pair=["0", "1"])
    assert p / q * (1 - Fraction(1, 10**9)) <= found.gamma <= p / q * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("seed", range(4))
def test_e_values_in_rationals(seed: int) -> None:
    found = audit_counts(
        [[180, 20], [30, 170]], event=["0"], pair=["0", "1"], method="e-value", rng=seed, delta="1/100", tests=2
    )
    lam, g, d = found.bet, found.gamma, found.delta

    def value(gamma: Fraction) -> Fraction:
        factors = (1 + lam * (1 - gamma - d), 1 + lam * (1 - d), 1 - lam * (gamma + d), 1 - lam * d)
        total = Fraction(1)
        for factor, count in zip(factors, found.pairs, strict=True):
            total *= factor**count
        return total

    assert value(g) >= 40 > value(g * (1 + Fraction(1, 10**9)))


def test_records_are_computed_again() -> None:
    for method in ("clopper-pearson", "e-value"):
        found = audit_counts([[900, 100], [200, 800]], claim=1, event=["0"], pair=["0", "1"], method=method)
        record = found.to_dict()
        assert found.proof == "computed exactly, no certificate"
        assert found.gamma > 1
        assert "certificate" not in record
        forged = {"gamma": str(found.gamma * 2), "tests": 1000, "confidence": "999999/1000000", "hits": [500, 400]}
        for name, value in forged.items():
            with pytest.raises(FileFormatError, match="record of an audit"):
                type(found).from_dict({**record, name: value})
    for name, value in {"pairs": None, "bet": "2", "samples": [700, 800]}.items():
        with pytest.raises(FileFormatError):
            type(found).from_dict({**record, name: value})


@pytest.mark.parametrize("n", [10**12, 10**15])
def test_large_counts_are_answered(n: int) -> None:
    found = audit_counts([[n // 2, n // 2], [n // 4, 3 * n // 4]], event=["0"])
    assert 2 - Fraction(1, 10**4) < found.gamma < 2
