"""The page of the explorer: its domains, its defaults and the part of its address that carries them."""

from __future__ import annotations

from typing import Any

import pytest

from rropt.core.errors import InvalidParameterError
from rropt.reports.explorer import explore


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"gamma": 1}, "1 < gamma"),
        ({"gamma": "10000001/10"}, "1 < gamma"),
        ({"delta": "-1/10"}, "0 <= delta <= 1"),
        ({"delta": "11/10"}, "0 <= delta <= 1"),
        ({"prevalence": 0}, "0 < prevalence < 1"),
        ({"prevalence": 1}, "0 < prevalence < 1"),
        ({"prevalence": f"1/{10**80}"}, "prevalence is too long for the page"),
        ({"gamma": 2, "epsilon": 1}, "epsilon and gamma are both given"),
    ],
)
def test_numbers_outside_their_domains(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        explore(**given)


def test_the_default_level_is_three_to_one() -> None:
    assert explore().gamma == 3
    assert explore(gamma=10**6).gamma == 10**6  # the largest
    assert explore(epsilon="log(7)").gamma == 7
    assert explore(gamma="7/2", delta=1, prevalence="1/3").fragment == "#gamma=7/2&delta=1&prevalence=1/3&n=1000"
