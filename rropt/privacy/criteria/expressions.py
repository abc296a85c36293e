"""Functions of a prior probability p as expression trees; ``curve:EXPR`` is parsed into one and never executed."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, Union


@dataclass(frozen=True, slots=True)
class Number:
    """A rational constant."""

    value: Fraction

    def __str__(self) -> str:
        return str(self.value) if self.value.denominator == 1 and self.value >= 0 else f"({self.value})"


@dataclass(frozen=True, slots=True)
class Prior:
    """The variable p, a prior probability in (0, 1)."""

    def __str__(self) -> str:
        return "p"


@dataclass(frozen=True, slots=True)
class Operation:
    """``left + right``, ``left - right``, ``left * right`` or ``left / right``."""

    sign: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"({self.left} {self.sign} {self.right})"


@dataclass(frozen=True, slots=True)
class Power:
    """``base ^ exponent``; a non-integer exponent needs a base >= 0."""

    base: Expression
    exponent: Expression

    def __str__(self) -> str:
        return f"({self.base})^({self.exponent})"


@dataclass(frozen=True, slots=True)
class Call:
    """``sqrt``, ``exp`` or ``log`` of an expression."""

    name: str
    argument: Expression

    def __str__(self) -> str:
        return f"{self.name}({self.argument})"


@dataclass(frozen=True, slots=True)
class Extremum:
    """``min`` or ``max`` of two or more expressions."""

    name: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(str(argument) for argument in self.arguments)})"


@dataclass(frozen=True, slots=True)
class Inequality:
    """A comparison ``left < right``; ``sign`` is ``<``, ``<=``, ``>`` or ``>=``."""

    sign: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True, slots=True)
class Piecewise:
    """``piecewise``: the value of the first condition that is true, else ``otherwise`` (``None``: undefined).

    A condition is a tuple of comparisons that must all be true: ``1/5 <= p < 1/2`` consists of two.
    """

    cases: tuple[tuple[Expression, tuple[Inequality, ...]], ...]
    otherwise: Expression | None

    def __str__(self) -> str:
        parts = [f"{value}, {' and '.join(map(str, condition))}" for value, condition in self.cases]
        return f"piecewise({', '.join([*parts, *([] if self.otherwise is None else [str(self.otherwise)])])})"


Expression = Union[Number, Prior, Operation, Power, Call, Extremum, Piecewise]  # noqa: UP007  # names its own members

ONE = Number(Fraction(1))
PRIOR = Prior()


def substitute(tree: Any, new: Expression) -> Any:
    """Return the tree, or a tuple of trees, with ``new`` substituted for p."""
    if isinstance(tree, Prior):
        return new
    if isinstance(tree, tuple):
        return tuple(substitute(part, new) for part in tree)
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    return replace(tree, **{part.name: substitute(getattr(tree, part.name), new) for part in fields(tree)})


def reflected(tree: Expression) -> Expression:
    """Return ``1 - f(1 - p)``, the other limit of a canonical criterion."""
    return Operation("-", ONE, substitute(tree, Operation("-", ONE, PRIOR)))
