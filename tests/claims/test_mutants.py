"""Slightly false mutants of proved claims of the registry, with their real proofs changed in the same way.

The oracle is plain arithmetic: a mutant is false where its two numbers do not compare as it says.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims import Bound, Claim, Least, Max, Value, find_claims, run_claim
from rropt.claims.domains import points
from rropt.claims.relations import expression

QUICK = ["ziani.theorem-8", "chainayak2018.theorem-1.1-necessary", "ziani.claim-3-mean", "ziani.theorem-12-privacy"]
MORE = ["ziani.theorem-5-variance", "chainayak2018.eq-1.2", "chainayak2018.lemma-4.1"]
TINY = Fraction(1, 10**6)
TESTS = {"at-most": operator.le, "at-least": operator.ge, "less": operator.lt, "greater": operator.gt}
STRICT = {"at-most": "less", "at-least": "greater"}


def _parts(value: Any) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    return dict(enumerate(value)) if isinstance(value, tuple) else {None: value}


def _false(claim: Claim) -> bool:
    """Whether two numbers of a point do not compare as the claim says, by plain arithmetic."""
    for point in points(claim.variables, 60):
        if not all(condition.holds(point) for condition in (*claim.assumptions, *claim.defined)):
            continue
        says, is_ = _parts(claim.theory(point)), _parts(claim.computed(point))
        for key, said in says.items():
            strength = said.strength if isinstance(said, Bound) else claim.strength
            number = said.value if isinstance(said, Bound) else said
            if not TESTS.get(strength, operator.eq)(is_[key], number):
                return True
    return False


def _with(claim: Claim, shape: Value, change: Callable[[Any], Any], said: Any) -> Claim:
    """Return the claim with one component of theory changed, and its shapes with it."""

    def theory(point: Any) -> Any:
        value = claim.theory(point)
        if shape.of is None:
            return change(value)
        if isinstance(value, tuple):
            return tuple(change(x) if i == shape.of else x for i, x in enumerate(value))
        return {key: change(x) if key == shape.of else x for key, x in value.items()}

    def proof() -> Any:
        original = claim.proof()
        changed = [replace(s, theory=said(s.theory)) if _is_one(s) and s.of == shape.of else s for s in original.shapes]
        found = object.__new__(type(original))
        for name in original.__slots__:
            object.__setattr__(found, name, tuple(changed) if name == "shapes" else getattr(original, name))
        return found

    return replace(claim, theory=theory, proof=proof, missing=(), correction=None, mutant_proof=None)


def _is_one(shape: Any) -> bool:
    return isinstance(shape, Value) and shape.theory is not None and not isinstance(shape.theory, (Least, Max))


def _mutants(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Yield mutants: a number a millionth more or less, one more, the other sign, strict for weak."""

    def of_number(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: Bound(x.strength, change(x.value)) if isinstance(x, Bound) else change(x)

    changes: dict[str, Callable[[Any], Any]] = {
        "a millionth less": lambda x: x * (1 - TINY),
        "a millionth more": lambda x: x * (1 + TINY),
        "shifted": lambda x: x - TINY,
        "the other sign": lambda x: -x,
    }
    seen = set()
    for shape in claim.proof().shapes if claim.proof else ():
        if _is_one(shape) and shape.of not in seen:
            seen.add(shape.of)
            for name, change in changes.items():
                said = lambda e, change=change: change(expression(e))  # noqa: E731
                yield f"{shape.of}: {name}", _with(claim, shape, of_number(change), said)
            strict = lambda x: Bound(STRICT[x.strength], x.value) if _is_weak(x) else x  # noqa: E731
            yield f"{shape.of}: strict", _with(claim, shape, strict, lambda e: e)
    if claim.strength in STRICT:
        yield "strict", replace(claim, strength=STRICT[claim.strength])


def _is_weak(value: Any) -> bool:
    return isinstance(value, Bound) and value.strength in STRICT


@pytest.mark.parametrize("name", QUICK)
def test_mutants_of_proved_claims_are_not_proved(name: str) -> None:
    _check([name])


def test_mutants_of_further_claims(size: Callable[[int, int], int]) -> None:
    _check(MORE[: size(1, len(MORE))])


def _check(names: list[str]) -> None:
    tried = last = 0
    for claim, _ in find_claims(names).values():
        for what, mutant in _mutants(claim):
            if not _false(mutant):
                continue
            tried += 1
            outcome = run_claim(mutant)
            assert not outcome.evidence.startswith("proved"), (claim.id, what)
            told = [*outcome.problems, *outcome.unchecked_steps]
            assert told, (claim.id, what)
            last += any(word in " ".join(told) for word in ("does not follow", "is false at", "differ", "signs"))
    print(f"{tried} false mutants, {last} of them as far as an obligation")
    assert tried
