"""C_gamma^0: extreme members against published counts, random members, bad input."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations

import pytest

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, UnsupportedProblemError
from rropt.designs.orders import admissible, balanced_collections, dominate, extreme_members, random_member
from rropt.mechanisms import Mechanism


def test_counts_of_minimal_balanced_collections() -> None:
    """Peleg (1965); Laplace Mermoud, Grabisch and Sudhoelter (2023) count the set of all inputs as one more."""
    assert [len(balanced_collections(k)) for k in (2, 3, 4, 5)] == [1, 5, 41, 1291]


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_collections_are_balanced_and_minimal(k: int) -> None:
    collections = balanced_collections(k)
    supports = {frozenset(subset for subset, _ in collection) for collection in collections}
    assert len(supports) == len(collections)
    for collection in collections:
        assert all(weight > 0 and 0 < len(subset) < k for subset, weight in collection)
        for j in range(k):
            assert sum(weight for subset, weight in collection if j in subset) == 1
        assert len(collection) <= k
    if k <= 4:  # no support contains another one
        assert not any(a < b for a in supports for b in supports)


def test_no_minimal_collection_is_missing_for_three_inputs() -> None:
    """Every set of subsets of {0, 1, 2} by hand: a solution with all weights positive and no smaller support."""
    subsets = [frozenset(s) for size in (1, 2) for s in combinations(range(3), size)]
    families = chain.from_iterable(combinations(subsets, size) for size in range(1, 7))
    balanced = [set(family) for family in families if _is_balanced(family)]
    minimal = {frozenset(map(tuple, map(sorted, f))) for f in balanced if not any(g < f for g in balanced)}
    assert minimal == {frozenset(subset for subset, _ in collection) for collection in balanced_collections(3)}


def _is_balanced(family: tuple[frozenset[int], ...]) -> bool:
    """Whether some positive integer weights up to 4 cover each of the three inputs equally often."""
    weights: list[tuple[int, ...]] = [()]
    for _ in family:
        weights = [(*w, x) for w in weights for x in (1, 2, 3, 4)]
    return any(len({sum(x for x, s in zip(w, family, strict=True) if j in s) for j in range(3)}) == 1 for w in weights)


@pytest.mark.parametrize("gamma", ["11/10", "3", "1000000"])
def test_extreme_members_are_admissible_and_do_not_mix(gamma: str) -> None:
    counted = 0
    for k in (2, 3, 4):
        for member in extreme_members(k, gamma):
            assert admissible(member, f"log({gamma})").admissible
            assert member.parity() == Fraction(gamma)
            counted += 1
    assert counted == 47


def test_gamma_diagonal_and_warner_are_extreme_members() -> None:
    assert extreme_members(2, 3) == (Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]),)
    diagonal = Mechanism([[Fraction(4 if i == j else 1, 7) for j in range(4)] for i in range(4)])
    assert diagonal in extreme_members(4, 4)


@pytest.mark.drawn(3)
def test_random_members_are_admissible(size: Callable[[int, int], int], rng: random.Random) -> None:
    points, outputs = size(200, 5000), set()
    for _ in range(points):
        k, gamma = rng.randint(2, 9), Fraction(rng.randint(11, 90), 10)
        member = random_member(k, gamma, rng)
        assert member.inputs == k
        assert admissible(member).admissible
        assert admissible(member).level.gamma == gamma
        own = dominate(member, gamma)  # peeling a member gives it back
        assert own.mechanism == member
        assert own.kernel == Mechanism([[int(i == j) for j in range(member.outputs)] for i in range(member.outputs)])
        outputs.add(member.outputs)
    assert len(outputs) >= 8


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: extreme_members(1, 3), InvalidParameterError),
        (lambda: extreme_members(6, 3), UnsupportedProblemError),
        (lambda: extreme_members(3, 1), InvalidParameterError),
        (lambda: extreme_members(3, "x"), InvalidParameterError),
        (lambda: random_member(1, 2, random.Random(1)), InvalidParameterError),
        (lambda: random_member(3, "1/2", random.Random(1)), InvalidParameterError),
        (lambda: random_member(0, 2, random.Random(1)), InvalidParameterError),
        (lambda: dominate(Mechanism([["1"]]), Fraction(2)), InvalidMechanismError),
        (lambda: dominate(Mechanism([["1", "1"]]), Fraction(1)), InvalidParameterError),
        (lambda: dominate(Mechanism([["1", "0"], ["0", "1"]]), Fraction(2)), InvalidMechanismError),
    ],
)
def test_bad_input(call: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("inputs", [2.5, 2.0, "a", "2", None, True, [2], Fraction(5, 2), float("nan")])
def test_numbers_of_inputs_that_are_no_integers_are_refused(inputs: object) -> None:
    for call in (
        lambda: extreme_members(inputs, 2),  # type: ignore[arg-type]
        lambda: balanced_collections(inputs),  # type: ignore[arg-type]
        lambda: random_member(inputs, 2, random.Random(1)),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidParameterError, match="the number of inputs is not an integer: received"):
            call()


def test_integers_of_numpy_are_integers() -> None:
    import numpy

    assert balanced_collections(numpy.int64(3)) == balanced_collections(3)  # type: ignore[arg-type]
