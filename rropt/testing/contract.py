"""A row of the contract: a question, its known optimum with the source, and how its result is read.

``DesignRow`` is a row for a ``Problem``, ``ResultRow`` a row for any function that returns a result. A new kind of
solution is either a ``ResultRow`` with ``bounds``, or a subclass of ``ContractRow``.
"""

from __future__ import annotations

import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, RroptWarning, shown
from rropt.core.exact import Bracket, Epsilon, rational
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.designs.problem import Problem
from rropt.designs.solving import solve
from rropt.mechanisms import Mechanism
from rropt.privacy.region import Region
from rropt.testing.damages import damaged_problems, shortened_problems
from rropt.testing.failures import BrokenContract, NotApplicable
from rropt.testing.restatements import restated_problem
from rropt.testing.rivals import rivals_of

Bounds = tuple[Fraction, Fraction]

_ENCLOSED_BITS = 256  # precision of a known optimum: far more than any bracket of a design


class KnownBracket(NamedTuple):
    """A bracket of a result, beside the known optimum that it must contain.

    Attributes:
        label: which bracket of the result; empty if there is one.
        lower, upper: the bracket.
        least, most: an enclosure of the known optimum; equal if it is a known rational number, None if it is not known.
    """

    label: str
    lower: Fraction
    upper: Fraction
    least: Fraction | None
    most: Fraction | None


def enclosed(formula: Callable[[Any], Any], epsilon: object) -> Bounds:
    """Return rational bounds of a formula at an irrational level, for the optimum of a row.

    The formula is computed in ball arithmetic (python-flint), 256 bits wide, so the bounds are far closer together than
    the bracket of any design.

    Args:
        formula: a function of ``gamma = exp(epsilon)``, with the methods of ``flint.arb`` (``log``, ``sqrt``, ``exp``).
        epsilon: the level in nats, in any form of ``Epsilon.of``.

    >>> least, most = enclosed(lambda gamma: gamma / (gamma + 1), "1/2")
    >>> least < most, round(float(least), 12), most - least < Fraction(1, 10**60)
    (True, 0.622459331202, True)
    """
    from flint import ctx

    level = Epsilon.of(epsilon)
    before = ctx.prec
    ctx.prec = _ENCLOSED_BITS
    try:
        base = level.base if level.kind != "rational" else None
        exponent = ball(level.times) * (ball(base).log() if base is not None else 1)
        found = bracket(formula(exponent.exp()))
    finally:
        ctx.prec = before
    return found.lower, found.upper


def bounds_of(optimum: object) -> Bounds:
    """Return a known optimum as an enclosure: an exact number, a pair of bounds, or a function that returns one."""
    if callable(optimum):
        optimum = optimum()
    pair = tuple(optimum) if isinstance(optimum, tuple | Bracket) else (optimum, optimum)
    if len(pair) != 2:
        raise InvalidParameterError(
            f"optimum is not known exactly: received {shown(optimum)}; give an exact number, or the pair of its bounds"
        )
    least, most = (rational(x, name="optimum", digits=10_000) for x in pair)
    if least > most:
        raise InvalidParameterError(f"optimum has crossed bounds: received {shown(optimum)}; give (lower, upper)")
    return least, most


def known_bounds(optimum: object) -> Bounds | tuple[None, None]:
    """Return the enclosure of an optimum; two times None if it is not known."""
    return (None, None) if optimum is None else bounds_of(optimum)


class ContractRow(ABC):
    """A question with a known optimum. A subclass for another kind of solution says how its result is read.

    Only ``name``, ``source``, ``solved`` and ``brackets`` are needed. The other methods read the usual attributes of
    a result, and a property that they do not serve is not applicable.

    Attributes:
        name: the name in messages, unique in a table.
        source: where the optimum comes from: a theorem with its number, a derivation, or an enumeration.
        gap: the largest allowed width of a bracket, relative to the optimum.
        certified: whether the result has a certificate that the checker must accept.
        readable: whether the record of the result can be read again, as ``way.read`` allows.
        twins: the names of the twins that must agree, ``"SymPy"`` and ``"CVXPY"``; others may be missing.
        budget: the budget of the checker; None for the default.
        refused: calls that must be refused in one line, by a label.
    """

    name: str
    source: str
    gap: Fraction = Fraction(1, 10**6)
    certified: bool = True
    readable: bool = True
    twins: tuple[str, ...] = ()
    budget: str | None = None
    refused: Mapping[str, Callable[[], object]] = {}

    @abstractmethod
    def solved(self) -> Any:
        """Return the result of the question, without its twins, which are computed at the first access."""

    @abstractmethod
    def brackets(self, result: Any) -> Iterable[KnownBracket]:
        """Return the brackets of a result, each with the optimum that it must contain."""

    @cached_property
    def result(self) -> Any:
        """The result; it is computed once for all properties."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RroptWarning)  # of optima that identify nothing
            return self.solved()

    def certificates(self, result: Any) -> Iterable[Certificate]:
        """Return the certificates of a result."""
        found = getattr(result, "certificate", None)
        return [] if found is None else [found]

    def members(self, result: Any) -> Iterable[tuple[Region, Mechanism]]:
        """Return the mechanisms of a result, each with the region that must contain it."""
        return []

    def attained(self, result: Any) -> Iterator[tuple[Fraction, Fraction, bool]]:
        """Yield the value that a result states for its mechanism, that by the definition, and whether it is better."""
        yield from ()

    def rivals(self, result: Any) -> Iterator[tuple[Fraction, bool]]:
        """Yield the values of other private mechanisms, each with whether it is better than the proved bound."""
        yield from ()

    def restated(self, how: str) -> ContractRow:
        """Return the same question in other words: ``"relabelled"``, ``"duplicated"`` or ``"split"``.

        Raises:
            NotApplicable: the question has no such restatement.
        """
        raise NotApplicable(f"no {how} question is given: name one in `equal`")

    def routes(self, result: Any) -> Mapping[str, Any]:
        """Return the results of the routes by name, each with ``lower`` and ``upper``."""
        return getattr(result, "routes", None) or {}

    def reread(self, result: Any) -> Iterator[tuple[str, Any, Any]]:
        """Yield what is written and read again: a label, the object, and the object that its JSON gives."""
        if self.readable:
            yield "result", result, type(result).from_json(result.to_json())

    def changed_records(self, result: Any) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield readers of records with a changed number, which must be refused."""
        if not (self.certified and self.readable):
            return
        record = json.loads(result.to_json())
        for key in ("lower", "upper"):
            if isinstance(record.get(key), str):
                moved = {**record, key: str(rational(record[key], name=key, digits=10_000) + 1)}
                yield f"a record with another {key}", lambda moved=moved: type(result).from_dict(moved)  # type: ignore[misc]

    def refusals(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield calls that must be refused in one line, or else return an object, each with a label."""
        yield from ()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class ResultRow(ContractRow):
    """A row for any function that returns a result.

    Args:
        name: the name of the row.
        ask: a function without arguments that returns the result.
        optimum: the known optimum: an exact number, a pair of bounds, a function that returns one (``enclosed`` takes
            time), or several of these by a label.
        source: where the optimum comes from.
        bounds: a function from the result to its bracket, or to several brackets by the labels of ``optimum``; by
            default the bracket is ``(result.lower, result.upper)``.
        private: a function from the result to pairs of a region and a mechanism that it must contain.
        equal: other questions with the same optimum, by ``"relabelled"``, ``"duplicated"`` or ``"split"``.
        gap, certified, readable, twins, refused: as for ``ContractRow``.

    >>> from rropt import design
    >>> ask = lambda: design.pram([1, 1, 1], epsilon="log(3)", fast=True)
    >>> row = ResultRow("PRAM", ask, "3/5", "gamma/(gamma + 2)", lambda found: (found.unchanged, found.unchanged))
    >>> [bracket.upper for bracket in row.brackets(row.result)]
    [Fraction(3, 5)]
    """

    name: str
    ask: Callable[[], Any]
    optimum: Any
    source: str
    bounds: Callable[[Any], Any] | None = None
    private: Callable[[Any], Iterable[tuple[Region, Mechanism]]] | None = None
    equal: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    gap: Fraction = ContractRow.gap
    certified: bool = True
    readable: bool = True
    twins: tuple[str, ...] = ()
    refused: Mapping[str, Callable[[], object]] = field(default_factory=dict)

    def solved(self) -> Any:
        """Return the result."""
        return self.ask()

    def brackets(self, result: Any) -> Iterator[KnownBracket]:
        """Yield the brackets of the result, one for each known optimum."""
        found = (result.lower, result.upper) if self.bounds is None else self.bounds(result)
        known = self.optimum if isinstance(self.optimum, Mapping) else {"": self.optimum}
        by_label = found if isinstance(found, Mapping) else {"": found}
        for label, optimum in known.items():
            if label not in by_label:
                raise BrokenContract(f"the result has no bracket {label!r}: it has {', '.join(map(repr, by_label))}")
            yield KnownBracket(label, *bounds_of(by_label[label]), *known_bounds(optimum))

    def members(self, result: Any) -> Iterable[tuple[Region, Mechanism]]:
        """Return the mechanisms of the result with their regions."""
        return self.private(result) if self.private else []

    def restated(self, how: str) -> ContractRow:
        """Return the row with another question that has the same optimum."""
        if how not in self.equal:
            raise NotApplicable(f"no {how} question is given: name one in `equal`")
        return replace(self, name=f"{self.name}, {how}", ask=self.equal[how], equal={})


@dataclass(frozen=True)
class DesignRow(ContractRow):
    """A row for a problem that ``rropt.solve`` solves.

    Args:
        name: the name of the row.
        problem: the problem.
        optimum: its known optimum: an exact number, a pair of bounds, or a function that returns one of these; None if
            it is not known, so that the row tests the other properties.
        source: where the optimum comes from, or why the row is there.
        designs: all optimal designs that the solution lists, in its order, if they are known.
        equal: problems with the same optimum, by ``"relabelled"``, ``"duplicated"`` or ``"split"``, where the suite
            cannot write them itself.
        routes_run: the routes, as for ``solve``.
        budget: the budget of the checker, as for ``solve``.
        gap, certified, readable, twins, refused: as for ``ContractRow``.

    >>> from rropt.designs import Problem
    >>> problem = Problem.binary("1/4", epsilon="log(2)", delta="1/4")
    >>> row = DesignRow("Example 1.4", problem, "15/16", "Holohan, Leith and Mason (2016)")
    >>> row.result.value, [*row.result.routes]
    (Fraction(15, 16), ['closed-form', 'exact'])
    """

    name: str
    problem: Problem
    optimum: Any
    source: str
    designs: Sequence[Mechanism] = ()
    equal: Mapping[str, Problem] = field(default_factory=dict)
    routes_run: str = "all"
    budget: str | None = None
    gap: Fraction = ContractRow.gap
    certified: bool = True
    readable: bool = True
    twins: tuple[str, ...] = ()
    refused: Mapping[str, Callable[[], object]] = field(default_factory=dict)

    def solved(self) -> Any:
        """Return the solution by all routes."""
        return solve(self.problem, routes=self.routes_run, budget=self.budget, fast=True)

    def brackets(self, result: Any) -> Iterator[KnownBracket]:
        """Yield the bracket of the optimum."""
        yield KnownBracket("", result.lower, result.upper, *known_bounds(self.optimum))

    def members(self, result: Any) -> Iterator[tuple[Region, Mechanism]]:
        """Yield all optimal designs."""
        for mechanism in result.optima:
            yield self.problem.region, mechanism

    def attained(self, result: Any) -> Iterator[tuple[Fraction, Fraction, bool]]:
        """Yield the value of the design: as the solution states it, by its definition, and whether this is better."""
        if self.problem.populations is None and result.mechanism.outputs * result.mechanism.inputs <= _MOST_ENTRIES:
            value = self.problem.objective.value(result.mechanism, self.problem.population)
            yield result.value, value, value < result.value if self.sense == "minimise" else value > result.value

    def rivals(self, result: Any) -> Iterator[tuple[Fraction, bool]]:
        """Yield the values of other mechanisms that the region contains."""
        if self.problem.populations is None:
            for value in rivals_of(self.problem, result.mechanism):
                yield value, value < result.lower if self.sense == "minimise" else value > result.upper

    @property
    def sense(self) -> str:
        """Whether the objective is minimized or maximized."""
        return self.problem.objective.sense

    def restated(self, how: str) -> DesignRow:
        """Return the row of the same problem with exchanged categories, with a part written twice, or split."""
        problem = self.equal[how] if how in self.equal else restated_problem(self.problem, how)
        return replace(self, name=f"{self.name}, {how}", problem=problem, designs=(), equal={}, routes_run="exact")

    def reread(self, result: Any) -> Iterator[tuple[str, Any, Any]]:
        """Yield the problem, its parts, and the solution."""
        yield "problem", self.problem, Problem.from_json(self.problem.to_json())
        if self.certified:
            yield from super().reread(result)

    def changed_records(self, result: Any) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield readers of records with a changed number, and of the problem without a key."""
        yield from super().changed_records(result)
        yield from shortened_problems(self.problem)

    def refusals(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield problems with damaged parts: a wrong distribution, and keys of the JSON that are missing or wrong."""
        yield from damaged_problems(self.problem)
        yield "an unknown route", lambda: solve(self.problem, routes="no such route", fast=True)


_MOST_ENTRIES = 20_000  # of a mechanism whose value is computed by the definition
