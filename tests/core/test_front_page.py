"""Linear programs: a defect of a part is caught, another user of the solver is no obstacle, and outcomes are values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import highspy
import pytest
from program_pool.random_programs import random_program

from rropt.core.errors import CertificateError
from rropt.core.linear import Optimal, exact_solving, solve
from rropt.core.linear.programs import Basis
from rropt.core.linear.simplex import BasicSolution, evaluate


def test_a_wrong_answer_is_never_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect of the search is caught by the verification of its answer."""

    def broken(form: Any, *_: Any, **__: Any) -> tuple[BasicSolution, str]:
        return evaluate(form, Basis((), ())), "float basis"

    monkeypatch.setattr(exact_solving, "solve_integer_form", broken)
    messages = []
    for seed in range(24):
        try:
            solve(random_program(seed)[1])
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
    _, program = random_program(0)
    outcome = solve(program)
    assert isinstance(outcome, Optimal)
    assert outcome.route == "float basis"


def test_answers_are_values() -> None:
    """Frozen, equal when equal, and made of fractions."""
    _, program = random_program(0)
    first, second = solve(program), solve(program)
    assert first == second
    assert hash(first) == hash(second)
    assert isinstance(first, Optimal)
    assert isinstance(first.value, Fraction)
    assert all(isinstance(value, Fraction) for value in first.primal)
    with pytest.raises(AttributeError):
        first.value = Fraction(0)  # type: ignore[misc]
    assert replace(first, route="by hand") != first
