"""A package that changes the library that judges it is named."""

from __future__ import annotations

import builtins
import fractions
import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import flint
import pytest
import sympy as sp
from sympy.polys.rings import PolyElement

import rropt.checker
import rropt.checker.verdicts
import rropt.claims.anchors.prover
import rropt.claims.comparisons
import rropt.claims.relations
import rropt.claims.runner
import rropt.claims.sweeps
import rropt.designs.closed_forms
import rropt.mechanisms.mechanism
from rropt.claims import Anchored, Claim, Domain, Value, guard, run_claim
from rropt.claims.guard import EngineChangedError, guarded
from rropt.claims.judging import refused_certificates
from rropt.claims.positivity import prove_identity
from rropt.core.certificates import Certificate
from rropt.core.exact import flint_numbers

X = sp.Symbol("x")


def _true(*_: Any, **__: Any) -> bool:
    return True


def _claim(computed: Callable[[Any], Any]) -> Claim:
    """``computed <= x`` on [0, 1]."""
    return Claim(
        id="test.patching",
        source="a test",
        printed="false",
        precise="false",
        variables={"x": Domain.interval("0 <= x <= 1", 0, 1)},
        theory=lambda p: Fraction(p["x"]),
        computed=computed,
        strength="at-most",
        mutant=lambda p: Fraction(-1),
        proof=lambda: Anchored(Value()),
    )


def _class_dict(kind: type) -> dict[str, Any]:
    """The table of a class itself, which no assignment reaches."""
    (found,) = [x for x in gc.get_referents(vars(kind)) if isinstance(x, dict)]
    return found


_AGREES = (lambda strength, theory, computed: True).__code__

PATCHES: dict[str, Callable[[pytest.MonkeyPatch], Any]] = {
    "a name of the runner": lambda m: m.setattr(rropt.claims.runner, "agrees", _true),
    "a name that hides a built-in": lambda m: m.setattr(rropt.claims.sweeps, "all", _true, raising=False),
    "a method of the engine": lambda m: m.setattr(rropt.claims.relations.Relation, "holds", _true),
    "a method of a mechanism": lambda m: m.setattr(rropt.mechanisms.mechanism.Mechanism, "parity", 1),
    "a function of a solver": lambda m: m.setattr(rropt.designs.closed_forms, "four_rows", _true),
    "the prover": lambda m: m.setattr(rropt.claims.anchors.prover.Prover, "prove", _true),
    "the code of a function": lambda m: m.setattr(rropt.claims.comparisons.agrees, "__code__", _AGREES),
    "the defaults of a function": lambda m: m.setattr(rropt.claims.runner.run_claim, "__kwdefaults__", {"effort": 0}),
    "a table of the engine": lambda m: m.setitem(rropt.claims.comparisons.STRENGTHS, "at-most", ("", _true)),
    "the checker": lambda m: m.setattr(rropt.checker.verdicts, "check_text", _true),
    "the checker's module": lambda m: m.setitem(sys.modules, "rropt.checker", sys.modules["math"]),
    "a method of fractions": lambda m: m.setattr(Fraction, "__le__", _true),
    "the class of fractions": lambda m: m.setattr(fractions, "Fraction", float),
    "a built-in": lambda m: m.setattr(builtins, "any", _true),
    "SymPy": lambda m: m.setattr(sp.Expr, "__sub__", lambda a, b: sp.Integer(1)),
    "a name of SymPy": lambda m: m.setattr(sp, "Poly", None),
    "the table of a class": lambda m: m.setitem(_class_dict(rropt.claims.relations.Relation), "holds", _true),
    "the code of a method": lambda m: m.setattr(Fraction.__eq__, "__code__", (lambda a, b: True).__code__),
    "the code of SymPy": lambda m: m.setattr(sp.expand, "__code__", (lambda e, deep=True, **_: e).__code__),
    "a method of SymPy": lambda m: m.setattr(PolyElement, "div", lambda one, others: ([], one)),
    "a class of FLINT": lambda m: m.setattr(flint, "fmpq", int),
    "exact numbers": lambda m: m.setattr(flint_numbers.as_flint, "__code__", (lambda value: 1).__code__),
    "a profile": lambda m: sys.setprofile(lambda *_: None),
}


@pytest.fixture
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard that has seen nothing yet, and forgets what it sees here."""
    monkeypatch.setattr(guard, "_BEFORE", [])
    monkeypatch.setattr(guard, "_CHANGED", [])


@pytest.mark.usefixtures("_fresh")
@pytest.mark.parametrize("name", PATCHES)
def test_a_change_of_the_library_is_seen_and_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ""
    try:
        with guarded("some_claims"):
            PATCHES[name](monkeypatch)
    except EngineChangedError as found:
        error = str(found)
    finally:
        monkeypatch.undo()
        sys.setprofile(None)
    assert error.startswith("the package some_claims changes ")
    assert "remove the assignment" in error


@pytest.mark.usefixtures("_fresh")
def test_once_it_is_changed_the_package_is_not_run_again() -> None:
    named = r" changes rropt\.mechanisms\.mechanism\.Mechanism\.parity"
    with pytest.MonkeyPatch.context() as patch, pytest.raises(EngineChangedError, match=named), guarded("some_claims"):
        patch.setattr(rropt.mechanisms.mechanism.Mechanism, "parity", 1)
    with pytest.raises(EngineChangedError, match=named), guarded("some_claims"):
        pytest.fail("the code is run")


@pytest.mark.usefixtures("_fresh")
def test_what_leaves_the_library_alone_is_not_told() -> None:
    with guarded("some_claims"):
        import rropt.reports  # noqa: F401

        outcome = run_claim(_claim(lambda p: p["x"] ** 2))
    assert outcome.problems == ()
    assert outcome.evidence == "proved"


def _forged() -> Certificate:
    honest = prove_identity((X + 1) ** 2, X**2 + 2 * X + 1)
    assert "2" in honest.text
    return replace(honest, text=honest.text.replace("2*x", "3*x", 1).replace('"2"', '"3"', 1))


def test_certificates_are_judged_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by the checker here, which a package can change; without a verdict nothing is accepted."""
    honest = prove_identity((X + 1) ** 2, X**2 + 2 * X + 1)
    monkeypatch.setattr(rropt.checker.verdicts, "check_text", _true)
    assert refused_certificates([], 60) == []
    assert refused_certificates([honest, _forged(), honest], 60) == [1]
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert refused_certificates([honest], 60) == [0]
