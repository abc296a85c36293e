"""Profiles and deltas of large matrices: what floats propose leaves nothing out, and integers decide."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from adversary.boundary.oracle import excess

from rropt.core.exact import Epsilon
from rropt.mechanisms import (
    BlockMechanism,
    Mechanism,
    OrbitMechanism,
    RandomQuestions,
    columns,
    matrix_privacy,
    named_mechanism,
)
from rropt.mechanisms.columns import row_parity
from rropt.mechanisms.families.affine import Affine
from rropt.mechanisms.matrix_privacy import profile_of, worst_excess
from rropt.mechanisms.restricted_response import RestrictedResponse

Rows = list[list[Fraction]]


def stochastic(weights: list[list[int]]) -> Rows:
    """Return columns divided by their sums, as rows."""
    for column in weights:
        column[0] += not sum(column)
    return [list(row) for row in zip(*([Fraction(w, sum(column)) for w in column] for column in weights), strict=True)]


def matrices(rng: random.Random, count: int) -> Iterator[Rows]:
    """Yield matrices of kinds that mislead floats: ties, near ties, flat ones, entries that are none, circulants."""
    for n in range(count):
        m, k = rng.randint(2, 9), rng.randint(2, 9)
        kind = n % 7
        if kind == 0:
            weights = [[rng.randint(0, 3) for _ in range(m)] for _ in range(k)]
        elif kind == 1:  # ratios that differ from each other in the 20th digit
            base = [rng.randint(1, 9) for _ in range(m)]
            weights = [[b * rng.choice([1, 3]) * 10**20 + rng.randint(0, 9) for b in base] for _ in range(k)]
        elif kind == 2:  # flat: all lines lie within 1e-15 of each other
            weights = [[10**15 + rng.randint(0, 9) for _ in range(m)] for _ in range(k)]
        elif kind == 3:
            weights = [[10 ** rng.randint(0, 60) for _ in range(m)] for _ in range(k)]
        elif kind == 4:
            column = [rng.randint(0, 10**6) for _ in range(k)]
            weights = [column[j:] + column[:j] for j in range(k)]
        elif kind == 5:  # beyond the least and, as ratios, the largest float
            weights = [[10 ** rng.randint(0, 700) for _ in range(m)] for _ in range(k)]
        else:
            weights = [[rng.randint(1, 10**9) * (rng.random() > 0.1) for _ in range(m)] for _ in range(k)]
        yield stochastic(weights)


@pytest.fixture
def floats_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_SMALL", 0)


@pytest.mark.slow
@pytest.mark.parametrize("most", [matrix_privacy._MOST_MASSES, 0], ids=["all at once", "one by one"])
def test_float_proposals_leave_nothing_out(
    most: int, rng: random.Random, size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    points = 0
    for rows in matrices(rng, size(10 if most else 7, 450)):
        exact = profile_of(rows)
        with monkeypatch.context() as patch:
            patch.setattr(columns, "_SMALL", 0)
            patch.setattr(matrix_privacy, "_MOST_MASSES", most)
            assert columns.floats_of(columns.distinct_columns(rows)) is not None
            proposed = profile_of(rows)
            lines = [[(p.gamma_from, p.intercept, -p.slope) for p in profile.pieces] for profile in (exact, proposed)]
            assert lines[0] == lines[1]
            gammas = [Fraction(1), Fraction(1) + Fraction(1, 10**16), Fraction(2), *exact.breakpoints[:4]]
            for gamma in gammas:
                worst = worst_excess(rows, gamma)
                assert worst.at(gamma) == exact.at(gamma) == excess(rows, gamma)
                j, other = worst.pair
                assert sum((rows[i][j] - gamma * rows[i][other] for i in worst.outputs), Fraction(0)) == worst.at(gamma)
                assert all(rows[i][j] > gamma * rows[i][other] for i in worst.outputs)
                points += 1
            assert worst_excess(rows, None).at(None) == exact.limit
    assert points >= size(20, 1500)


@pytest.mark.slow
@pytest.mark.usefixtures("floats_always")
def test_enclosures(rng: random.Random, size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The definition, in fractions, lies in the enclosure: at its breakpoints, at ratios of entries, in between."""
    for name in ("_MOST_MASSES", "_MOST_TIES"):
        monkeypatch.setattr(matrix_privacy, name, 0)
    points = enclosed = 0
    for rows in matrices(rng, size(10, 300)):
        profile = profile_of(rows)
        assert 0 <= profile.width <= Fraction(1, 10**12)
        enclosed += profile.width > 0
        ratios = sorted({p / q for row in rows for p in row for q in row if p > q > 0})
        gammas = [*profile.breakpoints, *rng.sample(ratios, min(len(ratios), 6)), Fraction(10**800)]
        for gamma in (Fraction(1), *gammas, *(1 + (gamma - 1) * Fraction(rng.random()) for gamma in gammas)):
            low = profile.at(gamma).rational
            assert low is not None
            assert low <= excess(rows, gamma) <= low + profile.width
            points += 1
    assert points >= size(80, 1250)
    assert enclosed >= size(1, 25)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(5001, 2), (600, 6)])
def test_the_time_does_not_grow_with_the_breakpoints(
    shape: tuple[int, int], rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two columns of 5001 outputs have some 2500 breakpoints: delta of all pairs is not computed at each of them."""
    monkeypatch.setattr(matrix_privacy._Pairs, "largest", None)
    m, k = shape
    rows = stochastic([[rng.randint(1, 10**4) for _ in range(m)] for _ in range(k)])
    assert columns.floats_of(columns.distinct_columns(rows)) is not None
    profile = profile_of(rows)
    assert len(profile.pieces) > m // 4
    for gamma in rng.sample(profile.breakpoints, 3):
        assert profile.at(gamma) == worst_excess(rows, gamma).at(gamma)


@pytest.mark.usefixtures("floats_always")
def test_many_exact_ties_are_no_enclosure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few breakpoints at which nothing exceeds the lines of floats: they are the profile itself."""
    for name in ("_MOST_MASSES", "_MOST_TIES"):
        monkeypatch.setattr(matrix_privacy, name, 0)
    k = 30
    rows = [[Fraction(3 if i == j else 1, k + 2) for j in range(k)] for i in range(k)]
    profile = profile_of(rows)
    assert profile.width == 0
    lines = [(piece.gamma_from, piece.intercept, -piece.slope) for piece in profile.pieces]
    one, zero = Fraction(1), Fraction(0)
    assert lines == [(one, 3 * one / (k + 2), one / (k + 2)), (3 * one, zero, zero)]


@pytest.mark.slow
@pytest.mark.usefixtures("floats_always")
def test_irrational_levels(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = 0
    for rows in matrices(rng, size(30, 1000)):
        profile = Mechanism(rows).profile()
        for text in ("1/7", "1/2*log(3)", "3"):
            level = Epsilon.of(text)
            assert Mechanism(rows).delta(level) == profile.at(level.exact_gamma())
            points += 1
    assert points >= size(75, 2500)


def test_a_ratio_inside_the_bracket_of_gamma() -> None:
    """A mechanism at the rational end of a bracket of 40 digits and beyond: still compared exactly."""
    level = Epsilon.of(1)
    for digits in (20, 39, 40, 41, 60):
        below, above = level.gamma_bracket(digits)
        assert Mechanism.binary(below / (1 + below), below / (1 + below)).delta(level) == 0
        assert Mechanism.binary(above / (1 + above), above / (1 + above)).delta(level) > 0


@pytest.mark.slow
def test_a_large_matrix_with_ties_everywhere(rng: random.Random) -> None:
    """k-ary randomized response as another tool rounds it: every pair ties within the error of floats."""
    k, digits = 28, 10**16
    columns_ = []
    for j in range(k):
        column = [digits * 3 // (k + 2) if i == j else digits // (k + 2) + rng.randint(-2, 2) for i in range(k)]
        column[j] += digits - sum(column)
        columns_.append([Fraction(x, digits) for x in column])
    mechanism = Mechanism(list(zip(*columns_, strict=True)))
    profile = mechanism.profile()
    assert 0 < (mechanism.parity() or 0) - 3 < Fraction(1, 10**10)
    for gamma in (Fraction(1), Fraction(2), Fraction(3)):
        expected = max(
            sum(p - gamma * q for p, q in zip(left, right, strict=True) if p > gamma * q)
            for left in columns_
            for right in columns_
        )
        assert profile.at(gamma) == mechanism.delta(Epsilon.of_gamma(gamma)) == expected


def test_extremes_of_rows_of_a_large_matrix(rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats propose, fractions decide: ties, near ties, zeros, columns that are divided by their sums."""
    points = 0
    for rows in matrices(rng, 120):
        sums = [Fraction(rng.randint(10**9 - 3, 10**9 + 3), 10**9) for _ in rows[0]]
        scaled = [[x * s for x, s in zip(row, sums, strict=True)] for row in rows]
        with monkeypatch.context() as patch:
            patch.setattr(columns, "_FEW_ENTRIES", 0)
            for given, below in ((rows, None), (scaled, sums)):
                found = columns.row_extremes(given, below)
                assert found == [(row.index(max(row)), row.index(min(row)), row_parity(row)) for row in rows]
                points += len(rows)
    assert points >= 500


@pytest.mark.parametrize("level", ["0", "1/2", "log(2)", "3"])
def test_equal_pairs_are_decided_once(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """delta of k-ary randomized response with 1000 categories took minutes: a million pairs with equal masses."""
    rng = random.Random(8)
    base = [Fraction(x, 24) for x in (0, 0, 1, 1, 2, 4, 6, 10)]
    shuffled = [rng.sample(base, len(base)) for _ in range(14)]
    weights = [[rng.randint(1, 5) for _ in base] for _ in range(9)]
    others = [[Fraction(x, sum(column)) for x in column] for column in weights]
    matrices = [Mechanism(list(zip(*each, strict=True))) for each in (shuffled, others)]
    matrices += [Mechanism("grr:12,1/2"), Mechanism("subset:6,2,3/4")]
    expected = [each.worst_pair(level) for each in matrices]
    monkeypatch.setattr(columns, "_SMALL", 0)
    monkeypatch.setattr(matrix_privacy, "_MOST_TIES", 0)
    assert [Mechanism(each.matrix).worst_pair(level) for each in matrices] == expected


FORMS: list[Mechanism] = [
    RandomQuestions(3, 2, 5),
    RandomQuestions(2, 1, 3),
    RestrictedResponse([(2, True), (3, False), (1, True)], Fraction(5, 2), Fraction(1, 7)),
    OrbitMechanism.subset_selection(4, 2, 3),
    *map(named_mechanism, ("bits:3/4,generalised:4/5,2/3", "oue:3,3", "sue:3,3/4", "hadamard:5,3", "subset:5,2,3/4")),
    BlockMechanism(Affine(7, 3, 2, 2), 3),
]


@pytest.mark.parametrize("mechanism", FORMS, ids=str)
def test_the_outputs_of_a_pair_are_those_of_its_columns(mechanism: Mechanism) -> None:
    """Outputs of equal odds are merged: every divergence of the pair is that of its two columns."""
    plain = Mechanism(mechanism.matrix)
    for level in (0, "1/10", "log(2)"):
        one, other = mechanism.worst_pair(level).pair
        found, columns = Counter[Fraction | None](), Counter[Fraction | None]()
        pairs = zip(plain.column(one), plain.column(other), strict=True)
        for sums, masses in ((found, mechanism.masses_of_pair(one, other)), (columns, pairs)):
            for p, q in masses:
                if p or q:
                    sums[p / q if q else None] += p or q  # type: ignore[assignment]
        assert found == columns
        assert mechanism.delta(level) == plain.delta(level)
