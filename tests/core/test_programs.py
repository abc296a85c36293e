"""Records of programs, their builder, and infeasibility explained in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from every_case import every_case

from rropt.core.linear import LinearProgram, ProgramBuilder, Row, Variable

F = Fraction


def test_the_builder_sorts_merges_and_converts() -> None:
    builder = ProgramBuilder("minimise")
    x, y, z = (builder.variable(name) for name in "xyz")
    assert builder.row("mixed", [(z, 2), (x, F(1, 2)), (z, 1), (y, 0)], "<=", 7) == 0
    assert builder.row("empty", {}, "=", 0) == 1
    program = builder.build()
    assert program.rows[0] == Row("mixed", (0, 2), (F(1, 2), F(3)), "<=", F(7))
    assert program.rows[0].at([F(4), F(9), F(1)]) == 5


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


@every_case(("change", "message"), malformed())
def test_malformed_programs_are_refused(change: dict[str, Any], message: str) -> None:
    good = {"sense": "minimise", "variables": (Variable("x", "nonnegative", F(0)),), "rows": ()}
    LinearProgram(**good)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message) as caught:
        LinearProgram(**{**good, **change})
    text = str(caught.value)
    assert "\n" not in text
    assert ": received " in text
    assert "; allowed " in text


def test_the_builder_refuses_floats() -> None:
    builder = ProgramBuilder("minimise")
    with pytest.raises(ValueError, match=r"a number at 'x' is not exact: received 0\.1"):
        builder.variable("x", cost=0.1)  # type: ignore[arg-type]
    x = builder.variable("x")
    with pytest.raises(ValueError, match="'r' is not exact"):
        builder.row("r", {x: 0.1}, "<=", 1)  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="'r' is not exact"):
        builder.row("r", {x: 1}, "<=", float("nan"))  # type: ignore[arg-type]
