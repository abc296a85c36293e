"""What the package shows, what it loads, and what happens when its parts fail."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import highspy
import pytest
from programme_pool.random_programmes import random_programme

import rropt.core.linear
from rropt.core.errors import CertificateError
from rropt.core.linear import Basis, Optimal, solve, solving
from rropt.core.linear.simplex import BasicSolution, evaluate


def test_every_name_is_documented() -> None:
    aliases = {"Outcome", "Relation", "Sense", "Sign"}
    for name in set(rropt.core.linear.__all__) - aliases:
        assert getattr(rropt.core.linear, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        rropt.core.linear.nothing  # noqa: B018  # the access is what is tested


def test_no_module_hides_a_name() -> None:
    """A module `solve` would take the place of the function once it is imported by its own name."""
    for name in ("solving", "verify", "elimination"):
        importlib.import_module(f"rropt.core.linear.{name}")
    assert callable(rropt.core.linear.solve)
    assert callable(rropt.core.linear.rank)


def test_looking_at_the_package_loads_no_solver() -> None:
    code = "import sys, json, rropt.core.linear; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"highspy", "scipy", "flint", "numpy"} & set(json.loads(done.stdout))


def test_a_wrong_answer_is_never_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect of the search is caught by the verification of its answer."""

    def broken(form: Any, *_: Any, **__: Any) -> tuple[BasicSolution, str]:
        return evaluate(form, Basis((), ())), "float basis"

    monkeypatch.setattr(solving, "solve_integer_form", broken)
    messages = []
    for seed in range(24):
        try:
            solve(random_programme(seed)[1])
        except CertificateError as error:
            messages.append(str(error))
    assert len(messages) > 12
    assert all("this is an internal error" in message for message in messages)


def test_a_scheduler_with_more_threads_is_no_obstacle() -> None:
    """HiGHS refuses one thread after another user of the process has started its scheduler with two."""
    other = highspy.Highs()
    other.silent()
    other.setOptionValue("threads", 2)
    other.addVar(0.0, 1.0)
    other.run()
    _, programme = random_programme(0)
    outcome = solve(programme)
    assert isinstance(outcome, Optimal)
    assert outcome.route == "float basis"


def test_answers_are_values() -> None:
    """Frozen, equal when equal, and made of fractions."""
    _, programme = random_programme(0)
    first, second = solve(programme), solve(programme)
    assert first == second
    assert hash(first) == hash(second)
    assert isinstance(first, Optimal)
    assert isinstance(first.value, Fraction)
    assert all(isinstance(value, Fraction) for value in first.primal)
    with pytest.raises(AttributeError):
        first.value = Fraction(0)  # type: ignore[misc]
    assert replace(first, route="by hand") != first
