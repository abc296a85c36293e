"""The order of printed tables, against matrices that round to them, each pair decided by SciPy's linear programs."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from later import later

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, UnsupportedProblemError
from rropt.designs import PrintedComparison, printed_comparison
from rropt.designs.orders import printed_orders
from rropt.designs.orders.printed_orders import NO, UNDECIDED, YES

linprog = later("scipy.optimize", "linprog")
F = Fraction
WARNER = [[".75", ".25"], [".25", ".75"]]
WORSE = [[".67", ".33"], [".33", ".67"]]


def distance(source: np.ndarray, target: np.ndarray) -> float:
    """The largest entry of A - C P that the best kernel C leaves, by a program in floats."""
    (m, k), r = source.shape, len(target)
    size = r * m
    equal = np.zeros((m, size + 1))
    for o in range(m):
        equal[o, o:size:m] = 1
    above = np.zeros((r * k, size + 1))
    for i in range(r):
        above[i * k : (i + 1) * k, i * m : (i + 1) * m] = source.T
    above[:, size] = -1
    below = -above
    below[:, size] = -1
    found = linprog(
        [0.0] * size + [1.0],
        A_ub=np.vstack([above, below]),
        b_ub=np.concatenate([target.ravel(), -target.ravel()]),
        A_eq=equal,
        b_eq=np.ones(m),
        bounds=[(0, 1)] * size + [(0, None)],
    )
    assert found.status == 0
    return float(found.fun)


def rounding_to(table: list[list[F]], digits: int, rng: random.Random) -> np.ndarray:
    """A random matrix that rounds to a table: a point of each column on the plane where the sum is 1."""
    half = 0.5 * 10.0**-digits
    columns = []
    for column in zip(*table, strict=True):
        low, high = [max(float(x) - half, 0) for x in column], [float(x) + half for x in column]
        made = [rng.choice([a, b, rng.uniform(a, b)]) for a, b in zip(low, high, strict=True)]
        for _ in range(50):
            left = 1 - sum(made)
            for i in rng.sample(range(len(made)), len(made)):
                step = min(max(left, low[i] - made[i]), high[i] - made[i])
                made[i], left = made[i] + step, left - step
        columns.append(made)
    return np.array(columns).T


def printed(matrix: np.ndarray, digits: int) -> list[list[F]]:
    return [[F(round(x * 10**digits), 10**digits) for x in row] for row in matrix.tolist()]


def tables(seed: int) -> tuple[list[list[F]], list[list[F]], int]:
    """Two printed tables: the second is a garbling of the first, of another matrix, or has nothing to do with it."""
    rng, dice = random.Random(seed), np.random.default_rng(seed)
    k, digits = rng.choice([2, 3, 4]), rng.choice([2, 3, 4])
    one = dice.dirichlet([1.5] * rng.choice([k, k + 1]), size=k).T
    kernel = dice.dirichlet([2.0] * rng.choice([2, k]), size=len(one)).T
    other = kernel @ one if seed % 3 else dice.dirichlet([1.0] * k, size=k).T
    return printed(one, digits), printed(other, digits), digits


@pytest.mark.slow
def test_every_answer_holds_for_matrices_that_round_to_the_tables(size: Callable[[int, int], int]) -> None:
    """Each way round, 12 pairs of matrices for each "yes" and "no", many at the ends of half units."""
    told = dict.fromkeys((YES, NO, UNDECIDED), 0)
    for seed in range(size(24, 60)):
        first, second, digits = tables(seed)
        try:
            found = printed_comparison(first, second, digits)
        except InvalidMechanismError:  # rounded columns that no distribution rounds to
            continue
        rng = random.Random(seed)
        for answer, source, target in ((found.forward, first, second), (found.backward, second, first)):
            told[answer.answer] += 1
            for _ in range(12 if answer.answer != UNDECIDED else 0):
                left = distance(rounding_to(source, digits, rng), rounding_to(target, digits, rng))
                assert (left < 1e-9) == (answer.answer == YES), (seed, answer, left)
    assert min(told.values()) >= 2, told


CERTAIN = [["1", "0"], ["0", "1"]]
UNIFORM = [["0.5", "0.5"], ["0.5", "0.5"]]
ONE_OUTPUT = [["1", "1"]]
ONE_CATEGORY = [["0.5"], ["0.5"]]
REPEATED = [["0.25", "0.25", "0.50"], ["0.75", "0.75", "0.50"]]
NEVER_GIVEN = [*WARNER, ["0", "0"]]


@few_rows(3)
@pytest.mark.parametrize(
    ("first", "second", "answers"),
    [
        (CERTAIN, UNIFORM, (YES, NO)),
        (CERTAIN, CERTAIN, (UNDECIDED, UNDECIDED)),
        (UNIFORM, ONE_OUTPUT, (UNDECIDED, UNDECIDED)),  # dependent columns: the kernel has no proof with a margin
        (ONE_CATEGORY, ONE_CATEGORY, (YES, YES)),
        (REPEATED, REPEATED, (UNDECIDED, UNDECIDED)),
        ([["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]], REPEATED, (YES, NO)),
        (WARNER, ONE_OUTPUT, (YES, NO)),
        (NEVER_GIVEN, WORSE, (YES, NO)),
    ],
)
def test_tables_at_the_limits(first: list[list[str]], second: list[list[str]], answers: tuple[str, str]) -> None:
    found = printed_comparison(first, second, 2)
    assert (found.forward_answer, found.backward_answer) == answers
    rng = random.Random(1)
    exact = [[[F(x) for x in row] for row in table] for table in (first, second)]
    for answer, (source, target) in zip(answers, (exact, exact[::-1]), strict=True):
        for _ in range(20 if answer != UNDECIDED else 0):
            left = distance(rounding_to(source, 2, rng), rounding_to(target, 2, rng))
            assert (left < 1e-9) == (answer == YES)


@pytest.mark.parametrize("fault", ["no correction", "no rounding"])
def test_a_proof_that_forgets_the_rounding_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal tables: some pairs of matrices are ordered one way, some the other way, so neither answer is right."""
    assert {printed_comparison(WARNER, WARNER, 2).forward_answer, *_near()} == {UNDECIDED}
    if fault == "no correction":
        zero = [[F(0)] * 2] * 2
        monkeypatch.setattr(printed_orders, "_largest_correction", lambda *_: zero)
        assert printed_comparison(WARNER, WARNER, 2).forward_answer == YES
    else:
        monkeypatch.setattr(printed_orders.RoundedMatrices, "radius", lambda _: F(0))
        assert NO in _near()


def _near() -> set[str]:
    """The answers about a table and the same table with two outputs merged, both rounded."""
    thirds = [[".333", ".222"], [".333", ".222"], [".333", ".556"]]
    found = printed_comparison(thirds, [[".667", ".444"], [".333", ".556"]], 3)
    return {found.forward_answer, found.backward_answer}


def test_the_order_of_printed_designs() -> None:
    found = printed_comparison(WARNER, WORSE, 2)
    assert (found.forward_answer, found.backward_answer) == (YES, NO)
    assert PrintedComparison.from_json(found.to_json()) == found
    lines = dict(found.lines())
    assert lines["A dominates B"] == "yes: each matrix that rounds to A dominates each matrix that rounds to B"
    assert "at least 0.08 remains in the middle, and the rounding changes it by at most 0.02" in lines["B dominates A"]
    assert float(found.backward.total_variation) == 0.08


def test_a_forged_answer_of_a_record_is_refused() -> None:
    data = printed_comparison(WARNER, WORSE, 2).to_dict()
    data["backward"] |= {"answer": "yes"}
    with pytest.raises(Exception, match="backward"):
        PrintedComparison.from_dict(data)


def test_what_is_no_pair_of_tables() -> None:
    with pytest.raises(InvalidMechanismError, match="different categories: received 2 columns and 3 columns"):
        printed_comparison(WARNER, [["0.5"] * 3] * 2, 2)
    with pytest.raises(InvalidParameterError, match="has more digits than are printed"):
        printed_comparison(WARNER, WORSE, 1)
    with pytest.raises(InvalidMechanismError, match="is no rounding of a distribution"):
        printed_comparison(WARNER, [[".6", ".3"], [".3", ".6"]], 2)
    large = [["0.02"] * 2] * 50
    with pytest.raises(UnsupportedProblemError, match="too large for an exact comparison: received 50 x 2 and 50 x 2"):
        printed_comparison(large, large, 2)
    certain = [["0.50", "0.50"], ["0.50", "0.50"]]  # dependent columns: no left inverse
    assert printed_comparison(certain, certain, 2).forward_answer == UNDECIDED


def test_the_command(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    for name, table in (("a", WARNER), ("b", WORSE)):
        (tmp_path / f"{name}.csv").write_text("\n".join(map(",".join, table)) + "\n")
    one, other = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    status, out, _ = cli("compare", one, other, "--printed", "2")
    assert status == 0
    assert "A dominates B" in out
    assert cli("compare", other, one, "--printed", "2")[0] == 1
    status, out, err = cli("compare", one, other, "--printed", "1")
    assert (status, out) == (2, "")
    assert "has more digits than are printed" in err
    status, out, err = cli("compare", one, "--printed", "2")
    assert (status, out) == (2, "")
    assert "--printed compares two tables: received 1; give two files, or one with --objective" in err
