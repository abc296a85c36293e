"""The page of the explorer: its domains, its defaults and the part of its address that carries them."""

from __future__ import annotations

from rropt.reports.explorer import explore


def test_the_default_level_is_three_to_one() -> None:
    assert explore().gamma == 3
    assert explore(gamma=10**6).gamma == 10**6  # the largest
    assert explore(epsilon="log(7)").gamma == 7
    assert explore(gamma="7/2", delta=1, prevalence="1/3").fragment == "#gamma=7/2&delta=1&prevalence=1/3&n=1000"
