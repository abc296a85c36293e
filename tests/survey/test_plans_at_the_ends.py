"""Plans at prevalence 0 and 1, of devices that randomize nothing or nearly all: an answer or a refusal."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from plans import planned

from rropt.core.errors import RroptError

DEVICES = ("warner:1", "warner:0", "forced:1,0,0", "generalised:1,3/4", "grr:2,0", "warner:3/4", "warner:51/100")
GOALS = (
    {"margin": "0.001"},
    {"margin": "1/2"},
    {"margin": "1e-9"},
    {"margin": "0.001", "interval": "normal"},
    {"margin": "0.001", "interval": "wilson"},
    {"margin": "0.001", "interval": "chebyshev"},
    {"power": "0.9"},
    {"power": "0.999", "null": "1", "significance": "1e-6"},
    {"power": "0.9", "null": "1/2", "sided": "two"},
    {"power": "0.9", "test": "normal"},
    {"variance": "1e-12"},
    {"standard_error": "1/1000"},
    {"n": 10},
)


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES)
def test_an_answer_or_a_refusal(device: str) -> None:
    answered = 0
    for prevalence, goal in itertools.product(("0", "1", "1/1000000000"), GOALS):
        try:
            answered += planned(device, prevalence=prevalence, **goal) is not None
        except RroptError:
            continue
    assert answered >= 10


@pytest.mark.parametrize("prevalence", [0, 1])
@pytest.mark.parametrize("margin", ["0.2", "0.01", "0.001", "1/3000"])
def test_margin_of_a_direct_question_at_the_ends(prevalence: int, margin: str) -> None:
    """With no yes the Clopper-Pearson interval is [0, 1 - (alpha/2)^(1/n)], so n is known in closed form."""
    found = planned("warner:1", prevalence=prevalence, margin=margin)
    half = float(Fraction(margin))
    assert found.found.least
    assert found.found.n == math.ceil(math.log(0.025) / math.log1p(-2 * half))
