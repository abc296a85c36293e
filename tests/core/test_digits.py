"""A number that is known to lie between two others is printed with the digits that are right, also in full."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import rropt
from rropt.core.exact.display import agreed_decimal, approximate_text, in_full
from rropt.designs.infeasible_designs import InfeasibleDesignError


def test_all_numbers_between_the_ends_round_to_the_digits(rng: random.Random) -> None:
    for _ in range(300):
        low = Fraction(rng.randint(1, 10**9), rng.randint(1, 10**9))
        high = low * (1 + Fraction(rng.randint(0, 10**6), 10 ** rng.randint(7, 15)))
        for full in (False, True):
            with in_full(full):
                text = agreed_decimal(low, high, 9)
            if " to " in text:
                assert Fraction(text.partition(" ")[0]) < Fraction(text.rpartition(" ")[2])
                continue
            digits = len(text.partition("e")[0].replace(".", "").lstrip("0"))
            assert digits <= (17 if full else 9)
            exact, unit = Fraction(text), 10 ** (len(text.partition("e")[0].partition(".")[2]) or 0)
            if "e" not in text and digits > 1:
                assert max(abs(exact - low), abs(exact - high)) <= Fraction(1, unit)
    assert agreed_decimal(Fraction(1), Fraction(2), 9) == "1 to 2"
    with in_full():
        assert approximate_text(0.012297455081875444, 4) == "0.0123"


@pytest.mark.slow
def test_the_level_that_bounds_need_has_no_wrong_digits() -> None:
    """Both diagonals at least 3/4 + 1e-12 need gamma = 3.000000000016, which is enclosed to 1e-9 of it."""
    inner = rropt.privacy.PrivacyRegion(1, inputs=2, outputs=2)
    bounded = rropt.privacy.BoundedRegion.sparse(
        inner, least={(i, i): Fraction(3, 4) + Fraction(1, 10**12) for i in (0, 1)}
    )
    problem = rropt.Problem(bounded, rropt.objectives.Trace([1, 1]), ["1/2", "1/2"])
    for full in (False, True):
        with in_full(full), pytest.raises(InfeasibleDesignError, match=r"about 1\.09861229 \(gamma of about 3\)"):
            rropt.solve(problem)
