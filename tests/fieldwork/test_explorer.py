"""The page of the explorer: its domains, its defaults and the part of its address that carries them."""

from __future__ import annotations

from fractions import Fraction

from rropt_fieldwork.ethics.explorer import explore


def test_the_default_level_is_three_to_one() -> None:
    assert explore().gamma == 3
    assert explore(gamma=10**6).gamma == 10**6  # the largest
    assert explore(epsilon="log(7)").gamma == 7
    assert explore(gamma="7/2", delta=1, prevalence="1/3").fragment == "#gamma=7/2&delta=1&prevalence=1/3&n=1000"


def test_a_level_in_nats_is_the_largest_number_of_seven_digits_below() -> None:
    for epsilon, gamma in (("1", "2.718281"), ("5", "148.4131"), ("1/10", "1.105170"), ("13", "442413.3")):
        assert explore(epsilon=epsilon).gamma == Fraction(gamma)
