"""The largest trace under restricted families of properties, against exact linear programs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from few_rows import few_rows
from random_families import every
from stress import STRESS

from rropt.core.linear import Optimal, ProgramBuilder, solve
from rropt.mechanisms import Mechanism
from rropt.privacy.criteria.restricted_families import PropertyFamily

F = Fraction


def best_trace(family: PropertyFamily, gamma: Fraction) -> Fraction:
    """The largest trace of a k x k mechanism with eta_F <= gamma, by exact linear programming."""
    k = family.inputs
    builder = ProgramBuilder("maximise")
    p = [[builder.variable(f"p {i} {j}", cost=int(i == j)) for j in range(k)] for i in range(k)]
    for j in range(k):
        builder.row(f"column {j}", {p[i][j]: 1 for i in range(k)}, "=", 1)
        for i in range(k):
            for above, below in family.separated_pairs():
                if above == j:
                    builder.row(f"row {i}: {above}, {below}", {p[i][above]: 1, p[i][below]: -gamma}, "<=", 0)
    outcome = solve(builder.build())
    assert isinstance(outcome, Optimal)
    return F(outcome.value)


def two_sided_trace(k: int, q: int, gamma: Fraction) -> Fraction:
    """Theorem 6."""
    s = k - q
    if (gamma - q + 1) * (gamma - s + 1) <= 0:
        return gamma
    u, w = gamma + (q - 1) / gamma, gamma + (s - 1) / gamma
    return gamma * (q * (w - s) + s * (u - q)) / (u * w - q * s)


@few_rows(1)
@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 8] if STRESS else [2, 3, 4, 5])
def test_the_largest_trace_of_restricted_families(k: int) -> None:
    seen = 0
    for gamma in map(F, (("3/2", "2", "3", "7/2", "10") if STRESS else ("3/2", "2", "3"))):
        full = k * gamma / (gamma + k - 1)
        assert best_trace(every(k), gamma) == full
        for q in range(1, k):
            s = k - q
            family = PropertyFamily(k, [range(q)])
            one = s + (1 - s / gamma) * (min(F(q), gamma) if gamma >= s else 1)
            assert best_trace(family, gamma) == one  # Theorem 5
            both = best_trace(family.with_complements(), gamma)
            assert both == two_sided_trace(k, q, gamma)
            assert full <= both <= one
            assert (full == both) == (k == 2)
            seen += 1
        chain = PropertyFamily(k, [range(n) for n in range(1, k)])
        assert best_trace(chain, gamma) == gamma * (1 - (1 - 1 / gamma) ** k)  # Theorem 7
    assert seen >= 3 * (k - 1)


def test_mangats_device_is_the_one_sided_optimum() -> None:
    """Two inputs, no response may raise the sensitive one: yes is always said, no with probability 1 - 1/gamma."""
    family = PropertyFamily(2, [[1]])
    mangat = Mechanism.binary("2/3", 1)
    assert family.parity(mangat) == 3
    assert mangat.parity() is None
    assert mangat[0, 0] + mangat[1, 1] == best_trace(family, F(3))
