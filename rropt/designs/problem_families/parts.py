"""The parts of a family of linear design problems: parameters, classes of categories, decisions, kinds of rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import as_text, rational
from rropt.designs.problem_families.quotients import ParameterRing, RationalFunction

GAMMA = "gamma"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_RANGE = re.compile(r"\s*([-0-9./]+?)\s*\.\.\s*([-0-9./]*?)\s*(,\s*whole)?\s*")


@dataclass(frozen=True, slots=True)
class FamilyParameter:
    """A parameter and its range: whole numbers from ``low`` on, or the open interval from ``low`` to ``high``.

    Attributes:
        name: the name.
        low, high: the ends; ``high`` is None for infinity.
        whole: whether it is a whole number; then ``low`` belongs to the range.
    """

    name: str
    low: Fraction
    high: Fraction | None = None
    whole: bool = False

    @classmethod
    def of(cls, name: str, text: object) -> FamilyParameter:
        """Read a range: ``2.., whole`` (whole numbers from 2 on), ``0..1`` (between 0 and 1) or ``0..`` (above 0).

        Raises:
            InvalidParameterError: the name or the range has another form.
        """
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name == GAMMA:
            raise InvalidParameterError(
                f"the name of a parameter is a small letter, then small letters, digits or underscores: received "
                f"{shown(name)}; gamma is the level"
            )
        found = _RANGE.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise InvalidParameterError(
                f"the range of {name} is not readable: received {shown(text)}; write for example 2.., whole or 0..1"
            )
        low = rational(found[1], name=f"the start of {name}")
        high = rational(found[2], name=f"the end of {name}") if found[2] else None
        whole = found[3] is not None
        if whole and (low.denominator > 1 or high is not None):
            raise InvalidParameterError(
                f"a whole parameter begins at a whole number and has no end: received {shown(text)}; write 2.., whole"
            )
        if high is not None and low >= high:
            raise InvalidParameterError(f"the range of {name} is empty: received {shown(text)}; exchange its ends")
        return cls(name, low, high, whole)

    @property
    def range(self) -> str:
        """The range as it is read."""
        high = "" if self.high is None else as_text(self.high)
        return f"{as_text(self.low)}..{high}{', whole' if self.whole else ''}"

    def holds(self, value: Fraction) -> bool:
        """Return whether a value is in the range."""
        if self.whole:
            return value.denominator == 1 and value >= self.low
        return value > self.low and (self.high is None or value < self.high)

    def __str__(self) -> str:
        if self.whole:
            return f"whole {self.name} >= {self.low}"
        return f"{self.low} < {self.name} < {self.high}" if self.high is not None else f"{self.name} > {self.low}"

    def to_dict(self) -> dict[str, Any]:
        """Return the parameter as certificates write it."""
        high = None if self.high is None else as_text(self.high)
        return {"name": self.name, "from": as_text(self.low), "to": high, "whole": self.whole}

    def value(self, variable: RationalFunction, ring: ParameterRing) -> RationalFunction:
        """Return the parameter as a function of its variable, a number > 0 (>= 0 for whole numbers)."""
        if self.high is None:
            return ring.number(self.low) + variable
        return (ring.number(self.low) + ring.number(self.high) * variable) / (ring.number(1) + variable)

    def variable(self, parameter: RationalFunction, ring: ParameterRing) -> RationalFunction:
        """Return the variable as a function of the parameter."""
        above = parameter - ring.number(self.low)
        return above if self.high is None else above / (ring.number(self.high) - parameter)

    def at(self, x: Fraction) -> Fraction:
        """Return the value at a value of the variable."""
        return self.low + x if self.high is None else (self.low + self.high * x) / (1 + x)


@dataclass(frozen=True, slots=True)
class CategoryClass:
    """A class of alike categories: its name, how many they are, and the share of each."""

    name: str
    size: str
    share: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, or one for each member of a class.

    Attributes:
        name: the name.
        costs: the cost at each class; for a class of its own, at its other members.
        own: the index of the class whose members it names, or None.
        right: the cost at its own member, or None.
    """

    name: str
    costs: tuple[str, ...]
    own: int | None = None
    right: str | None = None


class RowKind(NamedTuple):
    """A kind of row: the decision, the classes with the larger probability, and whether its own member has it.

    ``members`` counts the categories with the larger probability in each class; ``inside`` is their part of the cost.
    """

    decision: int
    classes: tuple[int, ...]
    own: int
    members: tuple[RationalFunction, ...]
    inside: RationalFunction

    @property
    def is_empty(self) -> bool:
        """Whether no category has the larger probability."""
        return not any(self.members)
