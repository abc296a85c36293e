"""Faults that are planted in closed forms for every level: the checker refuses each of them, and so does a twin.

The twins judge without the certificate: the checker is switched off for them. Faults in what is shown of an accepted
certificate (``SHOWN``) are seen by the twins alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from few_rows import few_rows

from rropt import privacy
from rropt.checker.verdicts import Verdict
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, RouteDisagreementError
from rropt.designs import Problem, every_level_of
from rropt.designs.parametric import closed_levels
from rropt.designs.parametric.closed_levels import ClosedLevels, ClosedPiece
from rropt.designs.parametric.level_formulas import point_of
from rropt.designs.parametric.quadratic_formulas import QuadraticQuotient
from rropt.objectives import Trace

F = Fraction
PROBLEMS: dict[str, Callable[[], Any]] = {
    "binary": lambda: Problem.binary("1/4", level=privacy.span("all", "1/10")),
    "binary, no delta": lambda: Problem.binary("1/4", level=privacy.span()),
    "common": lambda: Problem.binary("4/5", level=privacy.span("all", "1/10")),
    "A": lambda: Problem.kary(5, level=privacy.span(), objective="a-optimal"),
    "D": lambda: Problem.kary(4, level=privacy.span("all", "1/10"), objective="d-optimal"),
    "E": lambda: Problem.kary(4, level=privacy.span("all", "1/10"), objective="e-optimal"),
    "trace": lambda: Problem.kary(3, level=privacy.span("all", "1/10"), objective=Trace([3, 2, 1])),
    "loss": lambda: Problem.kary(
        level=privacy.span("all", "1/20"), objective="loss:zero-one", population="1/2,1/3,1/6"
    ),
}
SUBSETS, TRACES = ("A", "D", "E"), ("trace", "loss")
WITH_DELTA = ("binary", "common", "D", "E", *TRACES)
SEVERAL = ("binary", "common", *SUBSETS, *TRACES)


def _scaled(factor: Callable[[int], Fraction]) -> Callable[[Any], Any]:
    """The information on contrasts is multiplied by a function of k."""

    def change(own: Any) -> Any:
        def made(problem: Any, k: int, d: int) -> Any:
            found = own(problem, k, d)
            part: QuadraticQuotient = getattr(found, "information", found)
            a, b, c = part.above
            x = factor(k)
            wrong = replace(part, above=(a * x, b * x, c * x))
            return replace(found, information=wrong) if hasattr(found, "information") else wrong

        return made

    return change


def _pieces(change: Callable[[list[ClosedPiece]], list[ClosedPiece]]) -> Callable[[Any], Any]:
    return lambda own: lambda problem: change(list(own(problem)))


def _moved(factor: Fraction) -> Callable[[list[ClosedPiece]], list[ClosedPiece]]:
    def moved(pieces: list[ClosedPiece]) -> list[ClosedPiece]:
        first, *others = pieces
        assert first.place is not None
        p, q, root = first.place
        place = (p * factor, q * factor, root)
        return [replace(first, place=place, end=point_of(place)), *others]

    return moved


def _other_formula(pieces: list[ClosedPiece]) -> list[ClosedPiece]:
    """The first piece has the formula of the second one, which is right behind it alone."""
    return [replace(pieces[0], formula=pieces[1].formula), *pieces[1:]]


FAULTS: dict[str, tuple[str, Callable[[Any], Any], tuple[str, ...]]] = {
    "twice the rare prevalence in the threshold": (
        "roots_of",
        lambda own: lambda three: own((three[0], three[1], 2 * three[2])),
        ("binary", "common"),
    ),
    "k for k - 1": ("_subset_formula", _scaled(lambda k: F(k - 1, k)), SUBSETS),
    "k - 1 for k": ("_subset_formula", _scaled(lambda k: F(k, k - 1)), SUBSETS),
    "the square of an end": ("root_of", lambda own: lambda square: own(2 * square), SUBSETS),
    "an end, a thousandth beyond": ("_pieces", _pieces(_moved(F(1001, 1000))), SEVERAL),
    "an end, a millionth before": ("_pieces", _pieces(_moved(F(999_999, 1_000_000))), SEVERAL),
    "the first piece is left out": ("_pieces", _pieces(lambda pieces: pieces[1:]), SEVERAL),
    "the last piece is left out": (
        "_pieces",
        _pieces(lambda pieces: [*pieces[:-2], replace(pieces[-2], place=None, end=None)]),
        SEVERAL,
    ),
    "the formula of the neighbour": ("_pieces", _pieces(_other_formula), SEVERAL),
    "delta is dropped": ("_delta", lambda own: lambda problem: F(0), WITH_DELTA),
    "delta is doubled": ("_delta", lambda own: lambda problem: 2 * own(problem), WITH_DELTA),
    "delta where there is none": ("_delta", lambda own: lambda problem: F(1, 10), ("binary, no delta", "A")),
}
FAULTS |= {
    "the end of u for that of gamma": (
        "roots_of",
        lambda own: lambda three: [(p - 1, q, root) for p, q, root in own(three)],
        ("binary", "common"),
    ),
    "twice 1 - 4 pi in the threshold": (
        "roots_of",
        lambda own: lambda three: own((three[0], 2 * three[1], three[2])),
        ("common",),
    ),
    "no delta in the constant of the threshold": (
        "roots_of",
        lambda own: lambda three: own((three[0] / 2, three[1], three[2])),
        ("binary", "common"),
    ),
    "sets of one category more": (
        "_subset_formula",
        lambda own: lambda problem, k, d: own(problem, k, d + 1 if d < k - 1 else d),
        SUBSETS,
    ),
    "sets of the other size": (
        "_pieces",
        _pieces(lambda pieces: [replace(piece, size=piece.size + 1) for piece in pieces]),
        (*SUBSETS, *TRACES),
    ),
    "delta is squared": ("_delta", lambda own: lambda problem: own(problem) ** 2, WITH_DELTA),
    "the corner below for the diagonal above": (
        "_pieces",
        _pieces(lambda pieces: [replace(piece, is_corner=not piece.is_corner) for piece in pieces]),
        ("binary", "common"),
    ),
    "the largest weight once more": (
        "_pieces",
        _pieces(
            lambda pieces: [
                replace(piece, formula=replace(piece.formula, b=piece.formula.b + F(1, 100))) for piece in pieces
            ]
        ),
        TRACES,
    ),
}
SHOWN: dict[str, tuple[str, Callable[[Any], Any], tuple[str, ...]]] = {
    "the value of a proved trace, m for m - 1": (
        "_trace_value",
        lambda own: lambda problem, stated: replace(own(problem, stated), c=own(problem, stated).c + 1),
        TRACES,
    ),
    "the offset of a loss is doubled": ("_offset", lambda own: lambda problem: 2 * own(problem), ("loss",)),
}
ROWS = [(fault, name) for fault, (_, _, names) in FAULTS.items() for name in names]


def planted(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, change, _ = (FAULTS | SHOWN)[fault]
    monkeypatch.setattr(closed_levels, place, change(getattr(closed_levels, place)))


@few_rows(1)
@pytest.mark.parametrize("name", PROBLEMS)
def test_without_a_fault_all_three_agree(name: str) -> None:
    found: Any = every_level_of(PROBLEMS[name](), fast=True)
    assert isinstance(found, ClosedLevels)
    assert found.certificate is not None
    assert found.certificate.check()
    for twin in (found.sympy_twin(), found.cvxpy_twin()):
        assert twin.agrees, twin
        assert "derived" not in twin.why, twin


@pytest.mark.parametrize(("fault", "name"), ROWS)
def test_the_checker_refuses_a_fault(fault: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PROBLEMS[name]()
    planted(fault, monkeypatch)
    with pytest.raises(ArithmeticError, match=r"internal error: the certificate of .* is rejected"):
        every_level_of(problem, fast=True)


@few_rows(3)
@pytest.mark.parametrize(("fault", "name"), [*ROWS, *((fault, name) for fault in SHOWN for name in SHOWN[fault][2])])
def test_a_twin_sees_a_fault(fault: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PROBLEMS[name]()
    with monkeypatch.context() as inside:
        planted(fault, inside)
        inside.setattr(Certificate, "check", lambda self: Verdict(True))
        found: Any = every_level_of(problem, fast=True)
    assert list(_contradictions(found)), found


def _contradictions(found: Any) -> Iterator[str]:
    for method in (found.sympy_twin, found.cvxpy_twin):
        try:
            method()
        except RouteDisagreementError as error:
            yield str(error)


def test_the_corner_of_the_other_truth_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    own = closed_levels._corner
    monkeypatch.setattr(closed_levels, "_corner", lambda problem: own(problem)[::-1])
    with pytest.raises(ArithmeticError, match=r"another design is better|not that of the design"):
        every_level_of(PROBLEMS["binary"](), fast=True)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_record_with_the_certificate_of_another_problem_is_refused(name: str) -> None:
    found: Any = every_level_of(PROBLEMS[name](), fast=True)
    record = found.to_dict()
    assert ClosedLevels.from_dict(record) == found
    for other in PROBLEMS:
        if other != name:
            made: Any = every_level_of(PROBLEMS[other](), fast=True)
            with pytest.raises(FileFormatError, match="certificate of another problem"):
                ClosedLevels.from_dict({**record, "certificate": made.to_dict()["certificate"]})
    with pytest.raises(FileFormatError, match="no certificate"):
        ClosedLevels.from_dict({**record, "certificate": None})
    forged = {**record, "pieces": [{**record["pieces"][0], "value": "1"}, *record["pieces"][1:]]}
    with pytest.raises(FileFormatError, match="does not follow from the certificate"):
        ClosedLevels.from_dict(forged)
