"""B(h) of criteria that people write: narrow, the same however they are written, and never above what mpmath finds."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from criteria_oracle import in_python, least_odds
from few_rows import few_rows
from written_criteria import WRITTEN

from rropt.privacy.bound import ParityBound, parity_bound
from rropt.privacy.bound_certificate import infimum_certificate
from rropt.privacy.criteria import canonical_information_privacy, information_privacy

GAP = Fraction(1, 10**12)  # relative: what an enclosure may be wide

# What ball arithmetic over boxes left wide, or took for undefined: the value by hand, and whether it is attained.
HARD: list[tuple[str, Callable[[], Any], bool | None]] = [
    ("min(5/4*p/(1+p/4), (1-exp(-10*p))/(1-exp(-10)))", lambda: mp.mpf(5) / 4, True),
    ("exp(log(p)/2)", lambda: 2, False),
    ("exp(1/3*log(p))", lambda: 3, False),
    ("p^(sqrt(2)/2)", lambda: mp.sqrt(2), False),
    ("p^(log(2))", lambda: 1 / mp.log(2), False),
    ("1-(1-p)^exp(1)", lambda: mp.e, False),
    ("min(1, p-(1-p)*log(1-p))", lambda: 2, False),
    ("1/(1+(1-p)/(p*(2+sqrt(p))))", lambda: 2, None),  # 2 + sqrt(p) comes near 2 too slowly for a limit to be proved
    ("1/(1+(1-p)/(p*(2+sqrt(1-p))))", lambda: 2, None),
    ("1/(1+(1-p)/(p*(2+log(1+p))))", lambda: 2, False),
    ("1/(1+(1-p)/(p*(2+exp(-p)*(1-p))))", lambda: 2, False),
    ("min(1, max(p^(3/4), 47/10*p/(1+37/10*p)))", lambda: mp.mpf(47) / 10, True),
    ("sqrt(2)*p/(1+(sqrt(2)-1)*p)", lambda: mp.sqrt(2), True),
    ("exp(1)*p/(1+(exp(1)-1)*p)", lambda: mp.e, True),
    ("1/(1+(1-p)/(p*(2+p*log(p))))", lambda: 2 - 1 / mp.e, True),
    ("sqrt((1-exp(-1*p))/(1-exp(-1)))", lambda: 2 * (mp.e - 1), False),
]


def rewritten(text: str, few: int) -> list[ParityBound]:
    """The bound of a criterion, of its dual, with a redundant minimum and maximum, and through equal logarithms.

    Of the last three ``few`` are taken: each by a third of the criteria, or more.
    """
    dual = text.replace("exp", "EX").replace("p", "(1-p)").replace("EX", "exp")
    again = (f"min({text}, 1)", f"max(p, {text})", f"exp(log({text})/2 + log({text})/2)")
    first = [each for each, _, _ in HARD].index(text)
    taken = [again[(first + i) % len(again)] for i in range(few)]
    found = [parity_bound(canonical_information_privacy(each), fast=True) for each in (text, *taken)]
    return [*found, parity_bound(information_privacy(lower=f"1 - ({dual})", upper="1"), fast=True)]


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize(("text", "value", "attained"), HARD, ids=lambda x: x if isinstance(x, str) else "")
def test_hard_criteria_and_their_rewritings(
    text: str, value: Callable[[], Any], attained: bool | None, size: Callable[[int, int], int]
) -> None:
    with mp.workdps(40):
        exact = Fraction(str(mp.nstr(mp.mpf(value()), 35)))
    first, *others = rewritten(text, size(1, 3))
    for bound in (first, *others):
        assert bound.lower is not None
        assert bound.upper is not None
        assert bound.lower * (1 - Fraction(1, 10**30)) <= exact <= bound.upper * (1 + Fraction(1, 10**30))
        assert bound.upper - bound.lower <= GAP * bound.upper
        assert abs(bound.lower - first.lower) <= GAP
        assert bound.attained in (attained, None)
    assert first.attained is attained


@pytest.mark.slow
def test_written_criteria(rng: random.Random, size: Callable[[int, int], int]) -> None:
    checked = certified = 0
    chosen = rng.sample(WRITTEN, size(7, len(WRITTEN)))
    with mp.workdps(60):
        for text in chosen:
            bound = parity_bound(canonical_information_privacy(text), fast=True)
            assert bound.lower is not None
            assert bound.upper is not None
            assert bound.upper - bound.lower <= GAP * bound.upper, text
            low, high = (mp.mpf(x.numerator) / x.denominator for x in (bound.lower, bound.upper))
            least = least_odds(in_python(text))
            assert low * (1 - mp.mpf(10) ** -30) <= least, text
            assert least <= high * (1 + mp.mpf(10) ** -6), text  # at an end it is only approached
            checked += 1
            if checked % 3 == 0:
                claim = infimum_certificate(bound.criterion, bound).require_accepted().claim
                certified += Fraction(claim["upper"]) - Fraction(claim["lower"]) <= GAP * bound.upper
    assert checked == size(7, len(WRITTEN))
    assert certified == checked // 3


def test_two_hundred_are_written() -> None:
    assert len(WRITTEN) >= 200
