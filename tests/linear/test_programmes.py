"""Records of programmes, their builder, and infeasibility told in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rropt.linear import Infeasible, LinearProgramme, ProgrammeBuilder, Row, Variable, explain_infeasible, solve

F = Fraction


def test_the_builder_sorts_merges_and_converts() -> None:
    builder = ProgrammeBuilder("minimise")
    x, y, z = (builder.variable(name) for name in "xyz")
    assert builder.row("mixed", [(z, 2), (x, F(1, 2)), (z, 1), (y, 0)], "<=", 7) == 0
    assert builder.row("empty", {}, "=", 0) == 1
    programme = builder.build()
    assert programme.rows[0] == Row("mixed", (0, 2), (F(1, 2), F(3)), "<=", F(7))
    assert programme.nonzeros == 2
    assert programme.rows[0].at([F(4), F(9), F(1)]) == 5


def malformed() -> list[tuple[dict[str, Any], str]]:
    x = Variable("x", "nonnegative", F(0))
    row = Row("r", (0,), (F(1),), "<=", F(1))
    return [
        ({"sense": "minimize"}, "the sense is unknown: received 'minimize'"),
        ({"variables": (x._replace(sign="negative"),)}, "the sign of variable 'x'"),
        ({"variables": (x._replace(cost=0.5),)}, "the cost of variable 'x' is not exact: received 0.5 of type float"),
        ({"rows": (row._replace(relation="=="),)}, "the relation of row 'r'"),
        ({"rows": (row._replace(values=(1,)),)}, "of type int"),
        ({"rows": (row._replace(rhs=1e-9),)}, "row 'r' is not exact"),
        ({"rows": (row._replace(columns=(1,)),)}, "row 'r' is malformed"),
        ({"rows": (row._replace(columns=(-1,)),)}, "row 'r' is malformed"),
        ({"rows": (row._replace(columns=(0, 0), values=(F(1), F(1))),)}, "row 'r' is malformed"),
        ({"rows": (row._replace(values=()),)}, "row 'r' is malformed"),
    ]


@pytest.mark.parametrize(("change", "message"), malformed())
def test_malformed_programmes_are_refused(change: dict[str, Any], message: str) -> None:
    good = {"sense": "minimise", "variables": (Variable("x", "nonnegative", F(0)),), "rows": ()}
    LinearProgramme(**good)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message) as caught:
        LinearProgramme(**{**good, **change})
    text = str(caught.value)
    assert "\n" not in text
    assert text.count(";") >= 2  # what was wrong: what was received; what is allowed; what to do


def test_the_builder_refuses_floats() -> None:
    builder = ProgrammeBuilder("minimise")
    with pytest.raises(ValueError, match=r"a number at 'x' is not exact: received 0\.1"):
        builder.variable("x", cost=0.1)  # type: ignore[arg-type]
    x = builder.variable("x")
    with pytest.raises(ValueError, match="'r' is not exact"):
        builder.row("r", {x: 0.1}, "<=", 1)  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="'r' is not exact"):
        builder.row("r", {x: 1}, "<=", float("nan"))  # type: ignore[arg-type]


def test_infeasibility_in_words() -> None:
    builder = ProgrammeBuilder("maximise")
    tea, coffee = builder.variable("tea"), builder.variable("coffee", sign="free")
    builder.row("harmless", {tea: 1}, "<=", 100)
    builder.row("enough to drink", {tea: 1, coffee: 1}, ">=", 5)
    builder.row("little money", {tea: 4, coffee: 4}, "<=", 8)
    programme = builder.build()
    outcome = solve(programme)
    assert isinstance(outcome, Infeasible)
    text = explain_infeasible(programme, outcome.farkas)
    assert text.splitlines()[0] == "No solution: 2 of 3 rows contradict each other."
    assert "enough to drink:  tea + coffee >= 5" in text
    assert "little money:  4 tea + 4 coffee <= 8" in text
    assert "harmless" not in text
    assert "0 >= " in text.splitlines()[-1]
    with pytest.raises(ValueError, match="the vector proves nothing"):
        explain_infeasible(programme, [F(0)] * 3)


def test_long_explanations_are_cut_and_sorted() -> None:
    builder = ProgrammeBuilder("minimise")
    x = [builder.variable(f"x{j}") for j in range(40)]
    for j in x:
        builder.row(f"cap {j}", {j: 1}, "<=", F(1, j + 1))
    builder.row("total", dict.fromkeys(x, 1), ">=", F(10**5000))
    programme = builder.build()
    outcome = solve(programme)
    assert isinstance(outcome, Infeasible)
    lines = explain_infeasible(programme, outcome.farkas, shown=3).splitlines()
    assert len(lines) == 6
    assert "total" in lines[1]  # by far the largest
    assert "about 10^5000" in lines[1]
    assert lines[4] == "  ... and 38 rows more."
