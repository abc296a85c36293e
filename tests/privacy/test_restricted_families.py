"""Restricted families of properties: the condition against its definition, and what the families allow."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_families import every, is_trivial, random_family, random_mechanism
from stress import STRESS

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import judge, parity_bound
from rropt.privacy.breach_regions import RestrictedCriterion, family_privacy
from rropt.privacy.breach_regions.forbidden_pairs import value_sign
from rropt.privacy.criteria import (
    Criterion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)
from rropt.privacy.criteria.restricted_families import PropertyFamily

F = Fraction

CRITERIA: list[tuple[Criterion, bool, bool]] = [  # with the directions it limits
    (rho_to_rho("1/5", "1/2"), True, True),
    (beta_factor(2), True, True),
    (bayes_factor(3), True, False),
    (bayes_factor(3, "1/2"), True, True),
    (canonical_information_privacy("min(1, 3*p)"), True, False),
    (information_privacy(lower="p^2", upper="1"), False, True),
    (information_privacy(lower="p/4", upper="min(1, 3/2*p)"), True, True),
    (information_privacy(lower="p^2", upper="1 - (1-p)^2/2"), True, True),
]


def posterior(mechanism: Mechanism, alpha: tuple[Fraction, ...], inside: tuple[int, ...], i: int) -> Fraction | None:
    """P(Q | d_i) by Bayes' rule, None when the response is impossible."""
    joint = [a * p for a, p in zip(alpha, mechanism.matrix[i], strict=True)]
    return sum((joint[j] for j in inside), F(0)) / sum(joint) if sum(joint) else None


def breaks(mechanism: Mechanism, criterion: Criterion, family: PropertyFamily, alpha: tuple[Fraction, ...]) -> bool:
    """The definition: does some property of the family rise or fall too far at some response?"""
    for q in family.properties:
        prior = sum((alpha[j] for j in q), F(0))
        if not 0 < prior < 1:
            continue
        for i in range(mechanism.outputs):
            after = posterior(mechanism, alpha, q, i)
            if after is None:
                continue
            if criterion.up is not None and value_sign(criterion.up, prior, after) == -1:
                return True
            if criterion.down is not None and value_sign(criterion.down, prior, after) == 1:
                return True
    return False


def priors(rng: random.Random, k: int, count: int) -> Iterator[tuple[Fraction, ...]]:
    """Two-point priors of every pair, and spread ones."""
    for j, other in itertools.permutations(range(k), 2):
        for p in (F(1, 1000), F(1, 6), F(1, 5), F(1, 2), F(9, 10), F(999, 1000)):
            yield tuple(p if x == j else 1 - p if x == other else F(0) for x in range(k))
    for _ in range(count):
        weights = [rng.choice((0, 1, 2, 5, 30)) for _ in range(k)]
        if sum(weights):
            yield tuple(F(w, sum(weights)) for w in weights)


@pytest.mark.slow
def test_the_condition_is_the_definition() -> None:
    rng = random.Random(1)
    met = broken = seen = 0
    for _ in range(1500 if STRESS else 120):
        k = rng.randint(2, 4)
        mechanism, family = random_mechanism(rng, k, rng.randint(2, 4), rng.choice((0, 0, 0.2))), random_family(rng, k)
        criterion, up, down = rng.choice(CRITERIA)
        judgement = family_privacy(mechanism, family, criterion)
        assert [limit.direction for limit in judgement.limits] == ["up"] * up + ["down"] * down or criterion.up
        assert judgement.meets is not None
        if judgement.meets:
            met += 1
            for alpha in priors(rng, k, 10):
                assert not breaks(mechanism, criterion, family, alpha)
                seen += 1
            continue
        broken += 1
        breach = judgement.breach
        assert breach is not None
        assert breach.property in family.properties
        alpha = tuple(x.rational for x in breach.distribution)
        if None in alpha:  # a prior at an irrational place
            continue
        exact = tuple(x for x in alpha if x is not None)
        assert sum(exact) == 1
        assert breach.prior.rational == sum(exact[j] for j in breach.property)
        assert breach.posterior.rational == posterior(mechanism, exact, breach.property, breach.response)
        assert breaks(mechanism, criterion, PropertyFamily(k, [breach.property]), exact)
    assert met > 20
    assert broken > 20
    assert seen > 400


def test_all_properties_are_the_full_criterion() -> None:
    rng = random.Random(2)
    answers = []
    for _ in range(40):
        k = rng.randint(2, 5)
        mechanism, (criterion, _, _) = random_mechanism(rng, k, 3, 0.05), rng.choice(CRITERIA)
        everything = PropertyFamily(k, [q for n in range(k + 1) for q in itertools.combinations(range(k), n)])
        for family in (everything, every(k)):
            assert family.parity(mechanism) == mechanism.parity()
            answers.append(family_privacy(mechanism, family, criterion).meets)
            assert answers[-1] == judge(mechanism, criterion, fast=True).meets
    assert {True, False} <= set(answers)


def test_differential_privacy_limits_both_sides_also_at_irrational_levels() -> None:
    mechanism, family = Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]]), PropertyFamily(3, [[1]])
    for epsilon, meets in (("log(2)", True), ("7/10", True), ("69/100", False), ("log(199/100)", False)):
        judgement = family_privacy(mechanism, family, differential_local_privacy(epsilon))
        assert judgement.meets is meets
        assert meets or judgement.breach is not None
    down = family_privacy(mechanism, family, differential_local_privacy("69/100")).breach
    assert down is not None
    assert (down.direction, down.property, down.response) == ("down", (1,), 0)
    assert down.posterior.rational == posterior(mechanism, (F(1, 2), F(1, 2), F(0)), (1,), 0) == F(1, 3)
    assert down.limit.lower > F(1, 3)
    # of a family a bound from above alone says nothing about falls
    assert family_privacy(mechanism, family, bayes_factor("199/100")).meets is True
    assert family_privacy(mechanism, family.with_complements(), bayes_factor("199/100")).meets is False


@given(seed=st.integers(0, 10**6))
def test_relabelling_moves_nothing(seed: int) -> None:
    rng = random.Random(seed)
    k = rng.randint(2, 5)
    family, mechanism = random_family(rng, k), random_mechanism(rng, k, 3, 0.1)
    order = rng.sample(range(k), k)
    moved = PropertyFamily(k, [[order[j] for j in q] for q in family.properties])
    columns = list(mechanism.columns())
    shuffled = Mechanism(list(zip(*(columns[order.index(j)] for j in range(k)), strict=True)))
    assert moved.parity(shuffled) == family.parity(mechanism)
    assert moved.diameter() == family.diameter()
    # a further randomization of the answers never adds to what is learnt (Lemma 4.1)
    blurred = mechanism.then(random_mechanism(rng, 3, 3, 0.3))
    before, after = family.parity(mechanism), family.parity(blurred)
    assert before is None or (after is not None and after <= before)


def test_bounds_of_two_directions_are_their_own() -> None:
    criterion = information_privacy(lower="p/4", upper="min(1, 3/2*p)")
    judgement = family_privacy(Mechanism.binary("1/2", "1/2"), PropertyFamily(2, [[0]]), criterion)
    assert [limit.bound.value for limit in judgement.limits] == ["3/2", "4"]
    assert parity_bound(criterion, fast=True).value == "3/2"
    limits = {limit.direction: limit.widest for limit in judgement.limits}
    assert {d: (w.above, w.below) for d, w in limits.items() if w} == {"up": (0, 1), "down": (1, 0)}
    # 5/2 in favour of input 1 is allowed when 1 is protected from rises, also beside a 0 against it
    one_sided = canonical_information_privacy("min(1, 3*p)")
    mechanism = Mechanism([["2/5", "1"], ["3/5", "0"]])
    assert family_privacy(mechanism, PropertyFamily(2, [[1]]), one_sided).meets is True
    assert family_privacy(mechanism, PropertyFamily(2, [[0]]), one_sided).meets is False


def test_bad_combinations() -> None:
    with pytest.raises(InvalidParameterError, match="both numbers must be equal"):
        PropertyFamily(3, [[0]]).parity(Mechanism.binary("1/2", "1/2"))


def test_the_largest_ratio_is_that_of_all_pairs() -> None:
    rng = random.Random(6)
    kinds = set()
    for _ in range(500):
        k = rng.randint(2, 6)
        family, mechanism = random_family(rng, k), random_mechanism(rng, k, 3, rng.choice((0, 0.3)))
        ratios = [
            (row[j] / row[other] if row[other] else None) if row[j] or row[other] else F(1)
            for row in mechanism.matrix
            for j, other in family.separated_pairs()
        ]
        expected = None if None in ratios else max((x for x in ratios if x is not None), default=F(1))
        assert family.parity(mechanism) == expected
        found = family.largest_ratio(mechanism)
        assert (found is None) == (not ratios)
        if found is not None:
            assert family.separates(found.above, found.below)
            above, below = mechanism[found.row, found.above], mechanism[found.row, found.below]
            assert (above / below if below else None if above else F(1)) == found.ratio == expected
        kinds.add((found is None, expected is None))
    assert kinds == {(True, False), (False, True), (False, False)}


def test_two_hundred_inputs_take_no_time() -> None:
    k = 200
    gamma = F(3)
    diagonal = Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])
    family = every(k)
    assert (family.parity(diagonal), family.diameter()) == (3, 1)
    assert PropertyFamily(k, [range(n) for n in range(1, k)]).diameter() is None


def test_the_region_holds_the_mechanisms_that_meet_the_criterion() -> None:
    rng = random.Random(7)
    answers = []
    for _ in range(80):
        k = rng.randint(2, 4)
        family, mechanism = random_family(rng, k), random_mechanism(rng, k, rng.randint(2, 4), 0.05)
        criterion, _, _ = rng.choice(CRITERIA)
        restricted = RestrictedCriterion(criterion, family)
        if is_trivial(family):
            with pytest.raises(InvalidParameterError):
                restricted.region()
            continue
        region = restricted.region(outputs=mechanism.outputs)
        answers.append(region.contains(mechanism))
        assert answers[-1] == family_privacy(mechanism, family, criterion).meets
    assert answers.count(True) > 5
    assert answers.count(False) > 5
    irrational = RestrictedCriterion(differential_local_privacy("1/2"), PropertyFamily(3, [[0]])).region()
    assert sum(level is not None for row in irrational.pair_levels for level in row) == 4
