"""Twins of a result: its problem is posed again in SymPy and in CVXPY, and each value is compared with the result.

A class of results with twins derives from ``PosedTwice`` and writes ``to_sympy``, ``to_cvxpy``, and ``sympy_twin`` and
``cvxpy_twin``, which return a ``Twin``. The packages ``symbolic`` and ``convex`` stand above the classes, so that these
methods import them when they are called.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from rropt.core.errors import RouteDisagreementError, RroptError, UnsupportedProblemError
from rropt.core.results import Result
from rropt.core.results.twin_work import by_default

if TYPE_CHECKING:
    from rropt.symbolic.derivations import Derivation

EQUAL, INSIDE = "equal", "inside"
"""Values of ``Twin.agrees``; the third is ``within 9e-10``, the relative distance from the proved bracket."""

NO_CONTENT = "no content here: any value would agree"

_LONGEST_FORM = 300  # characters: four lines of a terminal


def _plain(formula: str) -> str:
    """Return a formula of SymPy without the signs of Python: ``3 (gamma + 3)^2`` in place of ``3*(gamma + 3)**2``."""
    return formula.replace("**", "^").replace("*", " ")


@dataclass(frozen=True, slots=True)
class Twin:
    """A problem posed once more, by SymPy or by CVXPY, and how its value compares with the proved one.

    Attributes:
        by: ``"SymPy"`` or ``"CVXPY"``.
        posed: whether the problem has this twin.
        value: the value: a text if it is exact, a float if a solver found it; None if there is none.
        agrees: ``equal``, ``inside`` (the proved bracket) or ``within 9e-10``; None if the comparison shows nothing.
        why: why there is no twin, or why the comparison shows nothing.
        form: the value as a formula in ``gamma`` and ``delta``.
        domain: where the form holds.
        solver: the solver of CVXPY.
    """

    by: str
    posed: bool = True
    value: str | float | None = None
    agrees: str | None = None
    why: str = ""
    form: str | None = None
    domain: str | None = None
    solver: str | None = None

    @classmethod
    def missing(cls, by: str, why: str) -> Twin:
        """Return the twin of a problem that cannot be posed this way."""
        return cls(by, posed=False, why=why)

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.by}: {self.why or 'posed, without a value'}"
        text = f"{self.value:.9g}" if isinstance(self.value, float) else self.value
        agrees = "inside the bracket" if self.agrees == INSIDE else self.agrees
        remark = f" ({self.why})" if agrees and self.why else ""
        return f"{self.by} {text}{', ' if agrees else ': '}{agrees or self.why}{remark}"

    def form_text(self) -> str:
        """Return the form with its domain as people write it; empty if it is only a number, or too long for a line."""
        if self.form is None or "gamma" not in self.form or len(self.form) > _LONGEST_FORM:
            return ""
        where = f", where {_plain(self.domain)}" if self.domain else ""
        return f"{_plain(self.form)}{where}"

    def to_dict(self) -> dict[str, Any]:
        """Return the record for JSON; entries that are empty are left out."""
        record = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "by"}
        return {name: value for name, value in record.items() if value not in (None, "")}


@dataclass(frozen=True, slots=True)
class Twins:
    """The twins of a result.

    Attributes:
        sympy, cvxpy: the twins.
    """

    sympy: Twin
    cvxpy: Twin

    def line(self) -> str:
        """Return the line that a command prints."""
        return f"{self.sympy}; {self.cvxpy}"

    def __str__(self) -> str:
        return self.line()

    def to_dict(self) -> dict[str, Any]:
        """Return the record for JSON."""
        return {"sympy": self.sympy.to_dict(), "cvxpy": self.cvxpy.to_dict()}


def named_checks(what: str, lines: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return lines of a result in which those of its twins say what they check, since another result stands beside."""
    return [(f"{what} {label}" if label in ("posed twice", "closed form") else label, text) for label, text in lines]


class PosedTwice(Result):
    """A result whose problem is posed again in SymPy and in CVXPY.

    A subclass writes the first four methods. If it is a dataclass, it calls ``with_twins`` in its own ``to_dict``, and
    ``twin_lines`` in its lines. The twins take no part in
    equality or hash; a file does not hold them. A function that returns such a result ends with ``return result if
    fast else result.compared_twice()``.
    """

    __slots__ = ("_twins",)
    _twins: Twins

    def to_sympy(self) -> Any:
        """Return the problem posed in SymPy, without the engine."""
        raise NotImplementedError

    def to_cvxpy(self) -> Any:
        """Return the problem as a ``cvxpy.Problem``, without the engine."""
        raise NotImplementedError

    def sympy_twin(self) -> Twin:
        """Return the value of the problem posed in SymPy, compared with the result."""
        raise NotImplementedError

    def cvxpy_twin(self) -> Twin:
        """Return the value of the problem posed in CVXPY, compared with the result."""
        raise NotImplementedError

    def derivation(self) -> Derivation:
        """Return half a page of proof of the result, with ``markdown()`` and ``latex()``.

        It is written from what SymPy derived and proved for this result, and computed at the call.

        Raises:
            RouteDisagreementError: SymPy proves nothing of what CVXPY finds.
            UnsupportedProblemError: the problem is too large, or it has no finite list of conditions.
        """
        from rropt.result_twins import derivation

        return derivation(self)

    def to_latex(self) -> str:
        """Return the result in LaTeX: its tables and matrices, its closed form as mathematics, and its derivation.

        The packages are amsmath, amssymb, booktabs and graphicx.
        """
        from rropt.symbolic.designs.solution_latex import result_to_latex

        return result_to_latex(self)

    @property
    def twins(self) -> Twins:
        """The problem posed twice, compared with the result; computed at the call, or at the first access.

        They take about two seconds at most (``twin_work``); ``sympy_twin()`` and ``cvxpy_twin()`` have no such limit.

        Raises:
            RouteDisagreementError: a posing contradicts the result.
        """
        kept = self.kept_twins
        if kept is None:
            with by_default():
                kept = Twins(self._twin("SymPy"), self._twin("CVXPY"))
            object.__setattr__(self, "_twins", kept)
        return kept

    @property
    def kept_twins(self) -> Twins | None:
        """The twins if they have been computed, else None."""
        return getattr(self, "_twins", None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to copy the result with the twins that have been computed."""
        return _copied, (type(self), self.__getstate__(), self.kept_twins)

    def compared_twice(self) -> Self:
        """Compute the twins, and return the result."""
        _ = self.twins
        return self

    def _twin(self, by: str) -> Twin:
        method = getattr(self, f"{by.lower()}_twin", None)
        if method is None:
            return Twin.missing(by, "no posing is written")
        try:
            twin: Twin = method()
        except RouteDisagreementError:
            raise
        except UnsupportedProblemError as error:
            return Twin.missing(by, str(error))
        except Exception as error:  # a comparison decides nothing, so that it never takes the result along
            what = str(error) if isinstance(error, RroptError) else type(error).__name__
            return Twin.missing(by, f"the comparison failed ({what}); please report the problem")
        return twin

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON, with its twins if they have been computed."""
        return self.with_twins(super().to_dict())

    def with_twins(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record with the twins, if they have been computed."""
        return record if self.kept_twins is None else {**record, "twins": self.kept_twins.to_dict()}

    def twin_lines(self) -> list[tuple[str, str]]:
        """Return the lines of the twins for a table; empty if they have not been computed."""
        if self.kept_twins is None:
            return []
        form = self.kept_twins.sympy.form_text()
        return [("posed twice", self.kept_twins.line()), *([("closed form", form)] if form else [])]


def _copied(cls: type[PosedTwice], state: Any, twins: Twins | None) -> PosedTwice:
    made: Any = object.__new__(cls)
    made.__setstate__(state)
    if twins is not None:
        object.__setattr__(made, "_twins", twins)
    return made  # type: ignore[no-any-return]


def agreement(by: str, value: str | float, distance: Fraction, **facts: Any) -> Twin:
    """Return the twin of a value that is inside the proved bracket, or at a relative distance from it.

    Args:
        by: ``"SymPy"`` or ``"CVXPY"``.
        value: the value.
        distance: relative distance from the bracket; 0 inside.
        facts: further attributes of the twin.
    """
    return Twin(by, True, value, INSIDE if not distance else f"within {short(distance)}", **facts)


def require_closed(result: Any) -> None:
    """Require that the certified bracket of a result is narrow, where its optimum is proved in symbols.

    A wide bracket contains the optimum, and contradicts nothing: but the design, or the bound, is not optimal.

    Raises:
        RouteDisagreementError: it is wider than ``_WIDEST``, which is an alarm.
    """
    size = max(abs(result.lower), abs(result.upper), Fraction(1, 10**9))
    width = (result.upper - result.lower) / size
    if width > _WIDEST:
        raise RouteDisagreementError(
            f"SymPy proves the optimum, and the certified bracket has the relative width {short(width)}: the design or "
            "the bound is not optimal"
        )


_WIDEST = Fraction(1, 10**5)  # relative: ten times the width at which a design is called optimal


def short(x: float | Fraction) -> str:
    """Return a number with one digit, rounded up, such as ``9e-10``."""
    x = float(x)
    if not x:
        return "0"
    power = math.floor(math.log10(abs(x)))
    digit = math.ceil(round(abs(x) / 10.0**power, 9))
    return f"{digit}e{power}" if digit < 10 else f"1e{power + 1}"
