"""Orbits against the matrix that itertools writes out, and against the formulas of subset selection."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest

from rropt import Mechanism
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.mechanisms import OrbitMechanism, load_mechanism, named_mechanism
from rropt.mechanisms.arrangements import arrangement_at, count_of, index_of
from rropt.mechanisms.fisher_information import fisher_information, share_variances
from rropt.mechanisms.subsets import Subsets


def _random(rng: random.Random) -> OrbitMechanism:
    """A few orbits over a few groups; entries are scaled group by group so that columns sum to 1."""
    groups = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    orbits = []
    for _ in range(rng.randint(1, 3)):
        orbit = []
        for k in groups:
            ones = rng.randint(0, k)
            counts = [c for c in (k - ones, ones) if c]
            orbit.append([(Fraction(rng.choice([0, 1, 1, 2, 5])), c) for c in counts])
        orbits.append(orbit)
    orbits.append([[(Fraction(1), k)] for k in groups])  # so that no column is zero
    columns = list(zip(*_rows(orbits, range(len(groups))), strict=True))
    sums = [sum(columns[sum(groups[:a])]) for a in range(len(groups))]
    return OrbitMechanism(
        groups, [[[(v / s, c) for v, c in values] for values, s in zip(orbit, sums, strict=True)] for orbit in orbits]
    )


def _rows(orbits, groups) -> list[list[Fraction]]:
    """All distinct rearrangements, in any order: entries are distinguished by their place in the list."""
    rows = []
    for orbit in orbits:
        parts = []
        for a in groups:
            flat = [(place, value) for place, (value, c) in enumerate(orbit[a]) for _ in range(c)]
            parts.append(sorted(set(permutations(flat))))
        rows += [[value for part in chosen for _, value in part] for chosen in product(*parts)]
    return rows


def test_arrangements_are_numbered_in_colexicographic_order(rng: random.Random) -> None:
    points = 0
    for counts in ([3, 2], [1, 1, 2], [4], [2, 0, 2], [5, 1]):
        digits = [d for d, c in enumerate(counts) for _ in range(c)]
        ordered = sorted(set(permutations(digits)), key=lambda t: t[::-1])
        assert [arrangement_at(i, counts) for i in range(count_of(counts))] == ordered
        assert [index_of(t, counts) for t in ordered] == list(range(len(ordered)))
        points += len(ordered)
    i = rng.randrange(comb(60, 20))
    assert index_of(arrangement_at(i, [40, 20]), [40, 20]) == i
    assert points == 10 + 12 + 1 + 6 + 6


def test_variances_at_shares_of_0_are_those_of_the_matrix() -> None:
    """The first output is possible under category 0 alone: at a share of 0 no unbiased estimate has a variance."""
    whole = OrbitMechanism([1, 2], [[[("1/3", 1)], [(0, 2)]], [[("1/3", 1)], [("3/4", 1), ("1/4", 1)]]])
    some = OrbitMechanism([1, 2], [[[("1/3", 1)], [("2/3", 1), ("1/6", 1)]], [[("1/3", 1)], [("1/6", 2)]]])
    found = []
    for mechanism in (whole, some):
        for pi in ([0, 1, 0], ["0", "1/2", "1/2"], ["1/3", "1/3", "1/3"]):
            shares = [Fraction(x) for x in pi]
            found.append(share_variances(mechanism, shares))
            assert found[-1] == share_variances(Mechanism(mechanism), shares)
    assert [variances is None for variances in found] == [True, True, False, False, False, False]


def test_the_information_on_a_prevalence_is_the_inverse_of_its_variance() -> None:
    points = 0
    for text in ("warner:3/4", "forced:2/3,1/6,1/6", "kuk:4/5,1/5,3", "mangat:3/4", "warner:1/2"):
        for share in map(Fraction, ("0", "1/10", "1/2", "1")):
            mechanism = named_mechanism(text)
            found, variances = fisher_information(mechanism, share), share_variances(mechanism, (1 - share, share))
            assert variances == (None if not found else (1 / found, 1 / found))
            points += variances is not None
    assert points == 15  # Mangat's no is impossible at prevalence 1


def test_outputs_are_subsets_in_whatever_order_the_entries_stand() -> None:
    """The output that reveals nothing is the set of all."""
    values = {"large first": [("3/10", 1), ("1/10", 3)], "small first": [("1/10", 3), ("3/10", 1)]}
    for listed in values.values():
        mechanism = OrbitMechanism([4], [[listed], [[("2/5", 4)]]])
        found = Subsets.of(mechanism)
        assert found is not None
        assert [found[i] for i in range(5)] == [
            *(tuple(j for j in range(4) if mechanism[i, j] == Fraction(3, 10)) for i in range(4)),
            (0, 1, 2, 3),
        ]
        assert (found.orbit_of([2]), found.orbit_of(range(4)), found.orbit_of([0, 1])) == (0, 1, None)


@pytest.mark.slow
def test_orbits_are_the_matrix_written_out(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = inverted = infinite = 0
    for _ in range(size(60, 600)):
        whole = _random(rng)
        rows = _rows(whole.orbits, range(len(whole.groups)))
        dense = Mechanism(whole)
        assert sorted(map(list, dense.matrix)) == sorted(rows)
        assert whole.shape == dense.shape == (len(rows), sum(whole.groups))
        assert whole.parity() == dense.parity()
        infinite += whole.parity() is None
        assert whole.profile().limit == dense.profile().limit
        for epsilon in ("0", "log(3/2)", "log(2)", "1/3", "2", Epsilon("infinite")):
            assert whole.delta(epsilon) == dense.delta(epsilon)
        for gamma in dense.profile().breakpoints:
            assert whole.profile().at(gamma) == dense.profile().at(gamma)
        x = [Fraction(rng.randint(0, 9), 7) for _ in range(whole.inputs)]
        w = [Fraction(rng.randint(-9, 9), 5) for _ in range(whole.outputs)]
        answers = dense.apply(x)
        assert whole.apply(x) == answers
        assert whole.adjoint(w) == whole.adjoint({i: y for i, y in enumerate(w) if y}) == dense.adjoint(w)
        assert all(whole.output(*whole.arrangement(i)) == i for i in range(whole.outputs))
        points += 1
        try:
            expected = dense.invert(w)
        except InfeasibleError:
            with pytest.raises(InfeasibleError, match="do not identify"):
                whole.invert(w)
            continue
        assert whole.invert(w) == expected
        inverted += 1
    assert points >= 60
    assert inverted >= 10
    assert infinite >= 5


def test_named_mechanisms_as_orbits() -> None:
    k, p = 5, Fraction(1, 2)
    grr = OrbitMechanism([k], [[[((1 - p) / (k - 1), k - 1), (p, 1)]]])
    assert grr.matrix == named_mechanism(f"grr:{k},{p}").matrix
    one, zero = Fraction(2, 3), Fraction(1, 5)
    orbits = []
    for d in range(k + 1):
        values = []
        if d < k:
            values.append((((1 - one) * zero**d * (1 - zero) ** (k - 1 - d)), k - d))
        if d:
            values.append(((one * zero ** (d - 1) * (1 - zero) ** (k - d)), d))
        orbits.append([values])
    unary = OrbitMechanism([k], orbits)
    explicit = named_mechanism(f"unary:{k},{one},{zero}")
    assert sorted(unary.matrix) == sorted(explicit.matrix)
    assert unary.delta("1/2") == explicit.delta("1/2")


@pytest.mark.parametrize(("k", "d"), [(60, 20), (7, 3)])
def test_subset_selection(k: int, d: int) -> None:
    """With gamma = 9 and level 3: the subsets with j and without l count 9 - 3 each, all others nothing."""
    whole = OrbitMechanism.subset_selection(k, d, 9)
    below = 9 * comb(k - 1, d - 1) + comb(k - 1, d)
    assert whole.outputs == comb(k, d)
    assert whole.parity() == 9
    assert whole.delta("log(3)") == Fraction((9 - 3) * comb(k - 2, d - 1), below)
    chosen = random.Random(1).sample(range(k), d)
    i = sum(comb(j, place + 1) for place, j in enumerate(sorted(chosen)))  # the combinatorial number system
    assert [j for j, p in enumerate(whole.row(i)) if p == Fraction(9, below)] == sorted(chosen)
    assert whole.adjoint({i: 1}) == whole.row(i)
    # shares of the answers enter through how often each category was in the subset: p inside for j, q for others
    inside = Fraction(9 * comb(k - 1, d - 1), below)
    other = Fraction(9 * comb(k - 2, d - 2) + comb(k - 2, d - 1), below)
    estimate = whole.invert({i: 1})
    assert estimate == tuple(((j in chosen) - other) / (inside - other) for j in range(k))


@pytest.mark.parametrize(("k", "digits", "printed"), [(2925, 2, "0.24"), (165, 5, "0.01372"), (3, 5, "0.00025")])
def test_attribution_reporting_in_chrome(k: int, digits: int, printed: str) -> None:
    """k-ary randomized response at epsilon = 14, deployed: the percentage of answers that are random is published."""
    gamma = Epsilon.of(14).gamma_bracket(24).lower
    mechanism = OrbitMechanism.subset_selection(k, 1, gamma)
    assert mechanism.shape == (k, k)
    assert mechanism.parity() == gamma
    kept, other = sorted({mechanism[0, 0], mechanism[0, 1]}, reverse=True)
    random_answers = k * other  # with that chance one of all k, the true one too
    assert kept == 1 - random_answers + other
    assert f"{float(100 * random_answers):.{digits}f}" == printed


def test_forms_of_text(tmp_path) -> None:
    whole = OrbitMechanism.subset_selection(60, 20, 3)
    assert Mechanism.from_json(whole.to_json()) == whole == pickle.loads(pickle.dumps(whole))
    path = tmp_path / "subsets.json"
    path.write_text(json.dumps(whole.to_dict()))
    assert load_mechanism(path) == whole
    assert "about 10^15, 60" in repr(whole)
    assert "about 10^15 outputs, 60 inputs, epsilon = log(3)" in str(whole)


def test_what_is_too_large_is_refused_by_its_size() -> None:
    whole = OrbitMechanism.subset_selection(60, 20, 3)
    for call in (
        lambda: whole.matrix,
        lambda: whole.column(0),
        lambda: whole.apply([1] * 60),
        lambda: whole.adjoint([1]),
    ):
        with pytest.raises(UnsupportedProblemError, match=r"10\^1[57]"):
            call()
    with pytest.raises(UnsupportedProblemError, match="received 1002001 pairs"):
        OrbitMechanism([1] * 1001, [[[(1, 1)]] * 1001]).delta(0)


def test_an_output_that_never_occurs_has_no_information() -> None:
    orbits = [[[("0", 2)]], [[("3/4", 1), ("1/4", 1)]]]
    for order in (orbits, orbits[::-1]):
        made = OrbitMechanism([2], order)
        assert share_variances(made, [Fraction(1, 2)] * 2) == (Fraction(1),) * 2


def test_a_row_of_three_values_is_no_subset() -> None:
    """The six orders of 1/12, 1/6 and 1/4 sum to 1 in each column; of two values the outputs are the subsets."""
    three = OrbitMechanism([3], [[[(Fraction(n, 12), 1) for n in (1, 2, 3)]]])
    assert (three.outputs, three.inputs) == (6, 3)
    assert Subsets.of(three) is None
    two = Subsets.of(OrbitMechanism.subset_selection(4, 2, 3))
    assert two is not None
    assert sorted(two[i] for i in range(6)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize(("k", "d"), [(2, 2), (3, 3), (3, 4)])
def test_a_subset_of_all_categories_is_refused(k: int, d: int) -> None:
    with pytest.raises(InvalidParameterError, match="allowed: 1 <= d < k"):
        OrbitMechanism.subset_selection(k, d, 3)
