"""Families of properties: their combinatorics against brute force, and what they bound."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from random_families import (
    families,
    is_trivial,
    protects,
    random_family,
    random_mechanism,
    steps_from,
    widest_mechanism,
)
from stress import STRESS

from rropt.mechanisms import Mechanism
from rropt.privacy.criteria.restricted_families import PropertyFamily

F = Fraction


@pytest.mark.slow
def test_combinatorics_of_all_families() -> None:
    """Theorems 2 to 4 on every family of k <= 3 inputs and on many (all under stress) of 4."""
    rng = random.Random(3)
    seen, diameters = 0, set()
    for k, step in ((2, 1), (3, 1), (4, 1 if STRESS else 101)):
        subsets = [frozenset(j for j in range(k) if bits >> j & 1) for bits in range(2**k)]
        for family in families(k, step):
            seen += 1
            members = {frozenset(q) for q in family.properties}
            pairs = set(family.separated_pairs())
            assert pairs == {(j, i) for q in members for j in q for i in range(k) if i not in q}
            rest = {(j, i) for j in range(k) for i in range(k)} - pairs
            assert all((i, j) in rest for i, h in rest for g, j in rest if h == g)  # a preorder
            if step == 1 or rng.random() < 0.2:  # what is protected for nothing: unions and intersections
                assert {q for q in subsets if protects(family, q)} == ring(members | {frozenset(), frozenset(range(k))})
            diameter = family.diameter()
            nested = [t for t in subsets if 0 < len(t) < k and all(q <= t or t <= q for q in members)]
            assert (diameter is None) == bool(nested)
            assert diameter is None or diameter <= max(1, k - 1)
            if is_trivial(family):
                assert not pairs
                continue
            both = family.with_complements()
            assert both.diameter() == (1 if len(both.separated_pairs()) == k * (k - 1) else 2)
            diameters.add(diameter)
            widest = widest_mechanism(family, F(3, 2))
            assert family.parity(widest) == F(3, 2)
            assert widest.parity() == (None if diameter is None else F(3, 2) ** diameter)
    assert seen > 16 + 256 + 600
    assert diameters >= {None, 1, 2}


def ring(members: set[frozenset[int]]) -> set[frozenset[int]]:
    """The sets that unions and intersections of members make."""
    found = set(members)
    while True:
        more = {f(a, b) for a in found for b in found for f in (frozenset.union, frozenset.intersection)}
        if more <= found:
            return found
        found |= more


def test_the_longest_chain_has_one_step_less_than_inputs() -> None:
    for k in range(2, 9):  # i <= j in the preorder iff j >= i + 2
        family = PropertyFamily(k, [{i, *range(i + 2, k)} for i in range(k)])
        assert family.diameter() == k - 1
        widest = widest_mechanism(family, F(2))
        assert family.parity(widest) == 2
        assert widest.parity() == 2 ** (k - 1)


@pytest.mark.slow
def test_the_parity_is_bounded_by_the_diameter() -> None:
    """No mechanism of eta_F = B has a parity above B^diameter, nor a pair above B^steps."""
    rng = random.Random(4)
    seen = 0
    for _ in range(900):
        k = rng.randint(3, 5)
        family = random_family(rng, k)
        mechanism = random_mechanism(rng, k, 3, 0)
        level, diameter = family.parity(mechanism), family.diameter()
        if diameter is None or level is None:
            continue
        assert mechanism.parity() <= level**diameter
        for j, other in itertools.permutations(range(k), 2):
            steps = steps_from(family, j)[other]
            assert steps is not None
            assert all(row[j] <= level**steps * row[other] for row in mechanism.matrix)
        seen += 1
    assert seen > 80


@pytest.mark.slow
def test_collapsing_meets_no_criterion_unless_the_family_is_trivial() -> None:
    seen = 0
    for k, step in ((2, 1), (3, 1), (4, 977)):
        for family in families(k, step):
            for cells in itertools.product(range(k), repeat=k):
                if list(cells) != [sorted(set(cells), key=cells.index).index(c) for c in cells]:
                    continue  # one numbering of each partition
                used = sorted(set(cells))
                collapsed = Mechanism([[int(c == i) for c in cells] for i in used])
                assert (family.parity(collapsed) is not None) == (len(used) == 1 or is_trivial(family))
                seen += 1
    assert seen > 2 * 16 + 5 * 256 + 15 * 60


def test_what_is_protected_for_nothing_is_protected() -> None:
    rng = random.Random(5)
    seen = 0
    for _ in range(60):
        k = rng.randint(3, 5)
        family, mechanism = random_family(rng, k), random_mechanism(rng, k, 3, 0.1)
        for q in itertools.chain.from_iterable(itertools.combinations(range(k), n) for n in range(1, k)):
            if protects(family, set(q)):
                larger = PropertyFamily(k, [*family.properties, q])
                assert larger.separated_pairs() == family.separated_pairs()
                assert larger.parity(mechanism) == family.parity(mechanism)
                seen += 1
    assert seen > 60
