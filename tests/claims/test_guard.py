"""Claims that change the engine that judges them are in error, and the engine is what it was afterwards."""

from __future__ import annotations

import builtins
import fractions
import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import rropt.checker
import rropt.checker.verdicts
import rropt.claims.anchors.prover
import rropt.claims.comparisons
import rropt.claims.relations
import rropt.claims.runner
import rropt.claims.sweeps
from rropt.certificates import Certificate
from rropt.claims import Anchored, Claim, Domain, Value, find_claims, run_claim
from rropt.claims.guard import EngineChangedError, guarded, judged_apart
from rropt.claims.verify import run_all
from rropt.positivity import prove_identity

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


def _agrees_code() -> None:
    rropt.claims.comparisons.agrees.__code__ = (lambda strength, theory, computed: True).__code__


PATCHES: dict[str, Callable[[], Any]] = {
    "a name of the runner": lambda: setattr(rropt.claims.runner, "agrees", _true),
    "a name that hides a built-in": lambda: setattr(rropt.claims.sweeps, "all", _true),
    "a method of the engine": lambda: setattr(rropt.claims.relations.Relation, "holds", _true),
    "the prover": lambda: setattr(rropt.claims.anchors.prover.Prover, "prove", _true),
    "the code of a function": _agrees_code,
    "the defaults of a function": lambda: setattr(rropt.claims.runner.run_claim, "__kwdefaults__", {"effort": 0}),
    "a table of the engine": lambda: rropt.claims.comparisons.STRENGTHS.update({"at-most": ("", _true)}),
    "the checker": lambda: setattr(rropt.checker.verdicts, "check_text", _true),
    "the checker's module": lambda: sys.modules.update({"rropt.checker": sys.modules["math"]}),
    "a method of fractions": lambda: setattr(Fraction, "__le__", _true),
    "the class of fractions": lambda: setattr(fractions, "Fraction", float),
    "a built-in": lambda: setattr(builtins, "any", _true),
    "SymPy": lambda: setattr(sp.Expr, "__sub__", lambda a, b: sp.Integer(1)),
    "a name of SymPy": lambda: setattr(sp, "Poly", None),
    "the table of a class": lambda: _class_dict(rropt.claims.relations.Relation).update(holds=_true),
    "a profile": lambda: sys.setprofile(lambda *_: None),
}


@pytest.mark.parametrize("name", PATCHES)
def test_a_claim_that_changes_the_engine_is_in_error(name: str) -> None:
    done: list[int] = []

    def computed(p: Any) -> Any:
        if not done:
            done.append(1)
            PATCHES[name]()
        return 2 - p["x"]

    outcome = run_claim(_claim(computed))
    assert done
    assert outcome.verdict == "error"
    assert outcome.evidence == ""
    assert "changes the engine" in outcome.problems[0]
    false, true = run_claim(_claim(lambda p: 2 - p["x"])), run_claim(_claim(lambda p: p["x"] ** 2))
    assert false.verdict == "fails", "the engine is what it was"
    assert true.evidence == "proved", true


def test_what_leaves_the_engine_alone_is_not_told() -> None:
    with guarded("a test"):
        import rropt.report  # noqa: F401  # a new module is no change
    outcome = run_claim(_claim(lambda p: p["x"] ** 2))
    assert outcome.problems == ()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "patching_claims" / "paper"
    folder.mkdir(parents=True)
    for part in (folder, folder.parent):
        (part / "__init__.py").write_text("")
    info = tmp_path / "patching_claims-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: patching-claims\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[rropt.claims]\npatching = patching_claims\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()
    yield folder
    for module in [module for module in sys.modules if module.startswith("patching_claims")]:
        del sys.modules[module]
    invalidate_caches()


def test_a_package_that_changes_the_engine_when_it_is_imported_is_in_error(package: Path) -> None:
    (package / "entry.py").write_text(
        "import rropt.claims.runner as runner\nrunner.agrees = lambda *_: True\nCLAIM = None\n"
    )
    (package / "__init__.py").write_text("import rropt.claims.sweeps as sweeps\nsweeps.agrees = lambda *_: True\n")
    agrees = rropt.claims.runner.agrees
    found = find_claims(["paper"])
    outcome = run_claim(found["paper.entry"][0])
    assert outcome.verdict == "error"
    assert "changes the engine that judges it: rropt.claims." in outcome.problems[0]
    assert rropt.claims.runner.agrees is rropt.claims.sweeps.agrees is agrees


def _forged() -> Certificate:
    honest = prove_identity((X + 1) ** 2, X**2 + 2 * X + 1)
    assert "2" in honest.text
    return replace(honest, text=honest.text.replace("2*x", "3*x", 1).replace('"2"', '"3"', 1))


def test_certificates_are_judged_in_a_process_of_its_own() -> None:
    honest = prove_identity((X + 1) ** 2, X**2 + 2 * X + 1)
    assert judged_apart([]) == []
    assert judged_apart([honest, _forged(), honest]) == [1]


def test_a_checker_that_accepts_everything_here_accepts_nothing_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rropt.claims.runner._proof", lambda *_: (_Proof(), "proved"))
    claim = _claim(lambda p: p["x"] ** 2)
    outcome, _ = run_all({claim.id: (claim, sys.modules[__name__])})[claim.id]
    assert outcome.verdict == "error"
    assert outcome.evidence == ""
    assert "process of its own" in outcome.problems[-1]


class _Proof:
    scope = argument = ""
    anchored = links = unneeded = unchecked_steps = ()
    swept = 0
    certificates = (("a step", _forged()),)


def test_a_process_without_verdict_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EngineChangedError, match="no verdict"):
        judged_apart([_forged()])
