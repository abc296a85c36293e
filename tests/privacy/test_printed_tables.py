"""Printed tables: the extreme privacy of all matrices that round to one, against programs that share no line."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from later import later

import rropt
from rropt.core.errors import InvalidMechanismError, InvalidParameterError
from rropt.privacy.printed_tables import posteriors, printed_privacy

linprog = later("scipy.optimize", "linprog")

F = Fraction
_EXACT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def _tables(seed: int, count: int) -> list[tuple[np.ndarray, int]]:
    """Rounded matrices: Dirichlet columns, k-ary response and ones with zeros; 2 to 6 digits, up to 5 categories."""
    rng = np.random.default_rng(seed)
    found = []
    for n in range(count):
        k, m, digits = int(rng.integers(2, 6)), int(rng.integers(2, 6)), int(rng.integers(2, 7))
        columns = rng.dirichlet(np.ones(m) * 3, size=k).T
        if n % 3 == 1:
            gamma = float(rng.uniform(1.1, 8))
            columns = (np.ones((k, k)) + (gamma - 1) * np.eye(k)) / (gamma + k - 1)
        if n % 7 == 3:
            columns[0, 0] = 0
            columns[:, 0] /= columns[:, 0].sum()
        found.append((np.round(columns, digits), digits))
    return found


def _linear_program(table: np.ndarray, digits: int, rows: list, cost: np.ndarray, extra: int) -> object:
    """Minimize over the matrices of the box; the extra variables come last."""
    m, k = table.shape
    half = 0.5 * 10.0**-digits
    equal = np.zeros((k, m * k + extra))
    for i, j in product(range(m), range(k)):
        equal[j, i * k + j] = 1
    bounds = [(max(0.0, x - half), x + half) for x in table.ravel()] + [(0, None)] * extra
    above = np.array(rows) if rows else None
    return linprog(cost, A_ub=above, b_ub=None if above is None else np.zeros(len(rows)), A_eq=equal, b_eq=np.ones(k),
                   bounds=bounds, method="highs", options=_EXACT)  # fmt: skip


def _range(table: np.ndarray, digits: int, place: tuple[int, int]) -> tuple[float, float]:
    cost = np.zeros(table.size)
    cost[place[0] * table.shape[1] + place[1]] = 1
    ends = [_linear_program(table, digits, [], sign * cost, 0) for sign in (1, -1)]
    return float(ends[0].fun), float(-ends[1].fun)


def _is_attained(table: np.ndarray, digits: int, gamma: float) -> bool:
    """Whether some t has t_i <= p_ij <= gamma t_i for a matrix of the box."""
    m, k = table.shape
    rows = []
    for i, j in product(range(m), range(k)):
        for at, t in ((1, -gamma), (-1, 1)):
            row = np.zeros(m * k + m)
            row[i * k + j], row[m * k + i] = at, t
            rows.append(row)
    return bool(_linear_program(table, digits, rows, np.zeros(m * k + m), m).status == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (6, 7, 8))])
def test_both_ends_of_epsilon_are_those_of_linear_programs(seed: int) -> None:
    points = 0
    for table, digits in _tables(seed, 12):
        found = printed_privacy(table, digits)
        ranges = {place: _range(table, digits, place) for place in product(*map(range, table.shape))}
        pairs = [
            (ranges[i, j][1], ranges[i, other][0])
            for i in range(table.shape[0])
            for j, other in permutations(range(table.shape[1]), 2)
        ]
        if any(high > 1e-12 and low < 1e-12 for high, low in pairs):
            assert found.most_parity is None
        else:
            assert float(found.most_parity) == pytest.approx(
                max(high / low for high, low in pairs if high > 1e-12), rel=1e-6
            )
            assert found.least_private.parity() == found.most_parity
        if found.small_parity is not None:
            assert found.most_private.parity() == found.small_parity <= found.least_parity * (1 + F(1, 10**11))
            assert _is_attained(table, digits, float(found.least_parity) * (1 + 1e-6))
            if found.least_parity > 1 + F(1, 10**3):
                assert not _is_attained(table, digits, float(found.least_parity) * (1 - 1e-4))
        half = F(1, 2 * 10**digits)
        for made in (found.most_private, found.least_private):
            for mine, theirs in zip(made.matrix, table, strict=True):
                assert all(abs(x - F(repr(float(y)))) <= half for x, y in zip(mine, theirs, strict=True))
        points += 1
    assert points == 12


def test_the_rounding_decides_what_two_papers_print() -> None:
    warner = [[".881", ".119"], [".119", ".881"]]
    found = printed_privacy(warner, 3, epsilon=2)
    assert (found.meets, found.least_parity, found.most_parity) == ("the rounding decides", F(1761, 239), F(1763, 237))
    assert printed_privacy(warner, 3, epsilon="2.0068").meets == "yes"
    assert printed_privacy(warner, 3, epsilon="1.997").meets == "no"
    kary = [[".475" if i == j else ".175" for j in range(4)] for i in range(4)]
    assert printed_privacy(kary, 3, epsilon=1).meets == "the rounding decides"
    assert f"{float(printed_privacy(kary, 3).least_epsilon):.5f}" == "0.99652"  # not log(4745/1755) = 0.99462


def test_delta_is_between_the_extreme_values() -> None:
    rng = np.random.default_rng(3)
    for table, digits in _tables(9, 5):
        found = printed_privacy(table, digits, epsilon="log(5/4)", delta="1/10")
        half = 0.5 * 10.0**-digits
        for _ in range(60):  # matrices of the box: their delta lies between
            p = table + rng.uniform(-half, half, table.shape)
            p = np.maximum(p, 0)
            p[0] += 1 - p.sum(0)
            if (abs(p - table) > half).any() or (p < 0).any():
                continue
            k = table.shape[1]
            delta = max(np.maximum(p[:, j] - 1.25 * p[:, other], 0).sum() for j, other in permutations(range(k), 2))
            assert float(found.least_delta) - 1e-12 <= delta <= float(found.most_delta) + 1e-12
        allowed = {"yes": found.most_delta <= F(1, 10), "no": found.least_delta > F(1, 10)}
        assert allowed.get(found.meets, found.least_delta <= F(1, 10) < found.most_delta)
    only = printed_privacy([["1", "0"], ["0", "1"]], 1, epsilon=1, delta="9/10")
    assert (only.least_delta, only.most_delta, only.meets) == (F(19, 20) - _gamma_times(only, F(1, 20)), 1, only.meets)


def _gamma_times(found: object, x: Fraction) -> Fraction:
    """gamma x at the upper end of the bracket of gamma = e, which the bound uses."""
    del found
    return rropt.exact.Epsilon.of(1).gamma_bracket(30).upper * x


def test_zeros_are_infinite_only_where_rounding_cannot_help() -> None:
    found = printed_privacy([["0.9", "0.0"], ["0.1", "1.0"]], 1)
    assert found.most_parity is None
    assert found.small_parity is not None
    assert printed_privacy([["1", "0"], ["0", "1"]], 1).meets is None


def test_tables_that_round_no_matrix_are_refused() -> None:
    with pytest.raises(InvalidMechanismError, match="column 0 is no rounding of a distribution"):
        printed_privacy([["0.5", "0.5"], ["0.4", "0.5"]], 2)
    with pytest.raises(InvalidParameterError, match="more digits than are printed"):
        printed_privacy([["0.55", "0.5"], ["0.45", "0.5"]], 1)
    with pytest.raises(InvalidParameterError, match="printed is out of range"):
        printed_privacy([["0.5", "0.5"], ["0.5", "0.5"]], 0)


def test_posteriors_at_a_prior_by_their_definition() -> None:
    made = rropt.Mechanism([["1/2", "1/4", "1/8"], ["1/4", "1/2", "1/8"], ["1/4", "1/4", "3/4"]])
    q = F(1, 3)
    found = posteriors(made, q)
    for each in found.categories:
        every = [
            (q * row[each.category] / (q * row[each.category] + (1 - q) * row[other]), i)
            for i, row in enumerate(made.matrix)
            for other in range(3)
            if other != each.category
        ]
        assert (each.most, each.least) == (max(every)[0], min(every)[0])
        assert (each.most, each.most_output) in every
        assert (each.least, each.least_output) in every
    gamma = made.parity()
    assert found.most == gamma * q / (gamma * q + 1 - q)  # that of any property
    box = posteriors([[".881", ".119"], [".119", ".881"]], "1/2", printed=3)
    assert (box.most, box.least) == (F(1763, 2000), F(237, 2000))
    with pytest.raises(InvalidParameterError, match="prior is out of range"):
        posteriors(made, 1)
