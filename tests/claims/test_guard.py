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
from rropt.claims.verifying import run_all
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


def _installed(site: Path, name: str, init: str, entry: str) -> None:
    """Write a package of claims with one entry, as pip leaves it."""
    folder = site / f"{name}_claims" / name  # the package, and its paper
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text(init)
    (folder / "__init__.py").write_text("")
    (folder / "entry.py").write_text(entry)
    info = site / f"{name}_claims-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-claims\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[rropt.claims]\n{name} = {name}_claims\n")


_ENTRY = """
from fractions import Fraction
from rropt.claims import Claim, Domain
from rropt.mechanisms import Mechanism

CLAIM = Claim(
    id="NAME.entry",
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


PACKAGES = {  # the first changes the library at import, the second another package
    "early": "from rropt.mechanisms import Mechanism\nMechanism.parity = 1\n",
    "cuckoo": ("import rropt_proofs._matrices as other\ndef parity(_):\n    return 1\nother.parity = parity\n"),
}


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What ``rropt verify`` says where an honest package and two patching ones stand beside the official one.

    One process for all: a start of it imports the whole registry.
    """
    site = tmp_path_factory.mktemp("site")
    for name, init in PACKAGES.items():
        _installed(site, name, init, _ENTRY.replace("NAME", name))
    honest = _ENTRY.replace("NAME", "honest").replace("Mechanism.parity,", "Fraction(1),")
    _installed(site, "honest", "", honest)
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "rropt.cli.main",
            "verify",
            _OFFICIAL,
            "honest",
            *(f"{name}*" for name in PACKAGES),
            "--json",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])},
    )
    assert run.stdout, run.stderr
    found = json.loads(run.stdout).get("claims")
    assert found, run.stdout
    return {outcome["id"]: outcome for outcome in found}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_that_changes_another_is_named_and_nobody_else_suffers(name: str, verified: dict[str, Any]) -> None:
    assert verified[_OFFICIAL]["verdict"] == "holds"
    assert "problems" not in verified[_OFFICIAL]
    others = [outcome for key, outcome in verified.items() if key.startswith(name)]
    assert others
    for outcome in others:
        assert outcome["verdict"] == "error"
        assert f"the package {name}_claims changes" in outcome["problems"][0]


def test_an_honest_package_beside_the_official_one_is_judged(verified: dict[str, Any]) -> None:
    assert verified["honest.entry"]["verdict"] == "holds"


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
    outcome = run_all({claim.id: (claim, sys.modules[__name__])})[claim.id]
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
