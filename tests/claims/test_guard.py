"""A package that changes the library that judges it is named and in error; no other package suffers."""

from __future__ import annotations

import builtins
import fractions
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
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
import rropt.designs.closed_forms
import rropt.mechanisms.mechanism
from rropt.claims import Anchored, Claim, Domain, Value, guard, run_claim
from rropt.claims.guard import EngineChangedError, guarded, judged_apart
from rropt.claims.positivity import prove_identity
from rropt.claims.verify import run_all
from rropt.core.certificates import Certificate

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
        with guarded("a claim", "some_claims"):
            PATCHES[name](monkeypatch)
    except EngineChangedError as found:
        error = str(found)
    finally:
        monkeypatch.undo()
        sys.setprofile(None)
    assert error.startswith("the package some_claims changes ")
    assert "remove the assignment" in error


@pytest.mark.usefixtures("_fresh")
def test_once_it_is_changed_every_claim_is_in_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(p: Any) -> Any:
        monkeypatch.setattr(rropt.mechanisms.mechanism.Mechanism, "parity", 1)
        return 2 - p["x"]

    outcome = run_claim(_claim(computed))
    assert outcome.verdict == "error"
    assert " changes rropt.mechanisms.mechanism.Mechanism.parity" in outcome.problems[0]
    later = run_claim(_claim(lambda p: p["x"] ** 2))
    assert (later.verdict, later.problems) == ("error", outcome.problems)


@pytest.mark.usefixtures("_fresh")
def test_what_leaves_the_library_alone_is_not_told() -> None:
    with guarded("a test", "some_claims"):
        import rropt.reports  # noqa: F401
    outcome = run_claim(_claim(lambda p: p["x"] ** 2))
    assert outcome.problems == ()
    assert outcome.evidence == "proved"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "patching_claims" / "paper"
    folder.mkdir(parents=True)
    for part in (folder, folder.parent):
        (part / "__init__.py").write_text("")
    info = tmp_path / "patching_claims-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: patching-claims\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[rropt.claims]\npatching = patching_claims\n")
    return folder


_ENTRY = """
from fractions import Fraction
from rropt.claims import Claim, Domain
from rropt.mechanisms import Mechanism

CLAIM = Claim(
    id="paper.entry",
    source="a test",
    printed="the parity of randomized response is 1",
    precise="false",
    variables={"p": Domain.interval("p", "1/2", 1)},
    theory=lambda p: Fraction(1),
    computed=lambda p: Mechanism.parity,
    mutant=lambda p: Fraction(2),
)
"""
_OFFICIAL = "chainayak2018.remark-4.2"


def _verified(folder: Path, *patterns: str) -> dict[str, Any]:
    """What ``rropt verify`` says where this package is installed beside the official one."""
    path = os.pathsep.join([str(folder.parents[1]), *filter(None, sys.path)])
    run = subprocess.run(
        [sys.executable, "-m", "rropt.cli.main", "verify", *patterns, "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert run.stdout, run.stderr
    found = json.loads(run.stdout)["claims"]
    return {outcome["id"]: outcome for outcome in found}


PACKAGES = {
    "at import": "from rropt.mechanisms import Mechanism\nMechanism.parity = 1\n",
    "of another package": (
        "import rropt_proofs._matrices as other\ndef parity(_):\n    return 1\nother.parity = parity\n"
    ),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_that_changes_another_is_named_and_nobody_else_suffers(name: str, package: Path) -> None:
    (package.parent / "__init__.py").write_text(PACKAGES[name])
    (package / "entry.py").write_text(_ENTRY)
    found = _verified(package, _OFFICIAL, "pa*")
    assert found[_OFFICIAL]["verdict"] == "holds"
    assert "problems" not in found[_OFFICIAL]
    others = [outcome for key, outcome in found.items() if key != _OFFICIAL]
    assert others
    for outcome in others:
        assert outcome["verdict"] == "error"
        assert "the package patching_claims changes" in outcome["problems"][0]


def test_an_honest_package_beside_the_official_one_is_judged(package: Path) -> None:
    (package / "entry.py").write_text(_ENTRY.replace("Mechanism.parity,", "Fraction(1),"))
    found = _verified(package, _OFFICIAL, "paper")
    assert {key: outcome["verdict"] for key, outcome in found.items()} == {_OFFICIAL: "holds", "paper.entry": "holds"}


def _forged() -> Certificate:
    honest = prove_identity((X + 1) ** 2, X**2 + 2 * X + 1)
    assert "2" in honest.text
    return replace(honest, text=honest.text.replace("2*x", "3*x", 1).replace('"2"', '"3"', 1))


def test_certificates_are_judged_in_a_process_of_its_own() -> None:
    honest = prove_identity((X + 1) ** 2, X**2 + 2 * X + 1)
    assert judged_apart([]) == []
    assert judged_apart([honest, _forged(), honest]) == [1]


@pytest.mark.usefixtures("_fresh")
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
