"""The approximate point of HiGHS: near the exact optimum, and nothing if it is empty."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from every_case import every_case
from program_pool.oracle import oracle
from program_pool.random_programs import random_program
from program_pool.trace_program import trace_program

from rropt.core.linear import float_point
from rropt.core.linear.floats import mantissas_and_exponents
from rropt.core.linear.integer_matrix import integer_array

TAME = {"plain", "degenerate", "infeasible", "unbounded", "tied", "redundant"}


@pytest.mark.slow
def test_near_the_optimum_of_the_oracle(size: Callable[[int, int], int]) -> None:
    """In floats, to a tolerance of 1e-6: ten bits above what HiGHS is asked for, on data of size 1."""
    seen: Counter[str] = Counter()
    for seed in range(size(240, 3000)):
        kind, program = random_program(seed)
        if kind in TAME:
            word, value = oracle(program)
            point = float_point(program)
            assert (point is not None) == (word == "optimal"), (seed, kind)
            seen[word] += 1
            if point is not None and value is not None:
                exact = [Fraction(x) for x in point]
                assert len(exact) == len(program.variables)
                assert abs(program.objective(exact) - value) < 1e-6, (seed, kind)
                for row in program.rows:
                    excess = row.at(exact) - row.rhs
                    assert row.relation == "<=" or excess > -1e-6, (seed, kind)
                    assert row.relation == ">=" or excess < 1e-6, (seed, kind)
    assert seen["optimal"] >= 50
    assert seen["infeasible"] >= 15
    assert seen["unbounded"] >= 15


def test_the_trace_problem() -> None:
    point = float_point(trace_program(Fraction(3), [Fraction(1)] * 10))
    assert point is not None
    assert abs(sum(point[i * 10 + i] for i in range(10)) - 30 / 12) < 1e-9


@every_case("bits", [3, 52, 53, 54, 200, 1100, 3000])
def test_mantissas_and_exponents_of_integers_of_any_size(bits: int) -> None:
    """An integer is ``m * 2^e``, rounded once, whether the integers beside it are doubles or not."""
    rng = random.Random(bits)
    edges = [0, 1, -1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53), 3 * 2**51, rng.randint(-(2**bits), 2**bits)]
    for listed in (edges, edges[:4], edges[-1:], [], [rng.randint(-(2**bits), 2**bits) for _ in range(20)]):
        mantissas, exponents = mantissas_and_exponents(integer_array(listed))
        wanted = [(value / (1 << value.bit_length()), value.bit_length()) for value in listed]
        assert list(zip(mantissas.tolist(), exponents.tolist(), strict=True)) == wanted
        assert (mantissas.dtype, exponents.dtype) == (np.float64, np.int64)
