"""C_gamma^0: random members, bad input."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from rropt.designs.orders import admissible, dominate
from rropt.mechanisms import Mechanism
from rropt_proofs.chainayak2018._sufficiency_members import random_member


@pytest.mark.slow
def test_random_members_are_admissible(size: Callable[[int, int], int], rng: random.Random) -> None:
    points, outputs = size(200, 5000), set()
    for _ in range(points):
        k, gamma = rng.randint(2, 9), Fraction(rng.randint(11, 90), 10)
        member = random_member(k, gamma, rng)
        assert member.inputs == k
        assert admissible(member, fast=True).admissible
        assert admissible(member, fast=True).level.gamma == gamma
        own = dominate(member, gamma)  # peeling a member gives it back
        assert own.mechanism == member
        assert own.kernel == Mechanism([[int(i == j) for j in range(member.outputs)] for i in range(member.outputs)])
        outputs.add(member.outputs)
    assert len(outputs) >= 8
