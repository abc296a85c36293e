"""A family of linear design problems: parameters, classes of alike categories, and decisions with their costs.

A class i has n_i alike categories, each of the share s_i. A decision has one cost for each class. A decision that
*owns* a class stands for n_o decisions, one for each member of its class o: it has the cost ``right`` at its own
member, and its costs elsewhere. Sizes, shares and costs are formulas in the parameters. The objective is the expected
cost ``sum_j s_j sum_d c_dj p_dj``, over all mechanisms with ``p_dj <= gamma p_dl``.

By symmetry an optimal design and an optimal dual are constant on classes. So finitely many kinds of rows occur, for
every size: a row of decision d has the larger probability on all of a class or on none of it, and its own member counts
separately (``RowKind``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.designs.problem_families.family_data import parts_of_data
from rropt.designs.problem_families.formula_trees import (
    quotient_of_tree,
    text_of_tree,
    tree_of_polynomial,
    tree_of_quotient,
    tree_of_text,
)
from rropt.designs.problem_families.parts import GAMMA, CategoryClass, Decision, FamilyParameter, RowKind
from rropt.designs.problem_families.quotients import ParameterRing, Polynomial, RationalFunction, has_negative

MOST_PARAMETERS, MOST_CLASSES, MOST_DECISIONS = 4, 6, 12
_SENSES = ("minimise", "maximise")


@dataclass(frozen=True)  # without slots: the rational functions are computed once
class FamilyProblem:
    """A family of linear design problems.

    Attributes:
        parameters: the parameters with their ranges.
        classes: the classes of categories.
        decisions: the decisions.
        sense: ``minimise`` (costs) or ``maximise`` (payoffs).
    """

    parameters: tuple[FamilyParameter, ...]
    classes: tuple[CategoryClass, ...]
    decisions: tuple[Decision, ...]
    sense: str = "minimise"
    _kept: dict[str, RationalFunction] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        one_of(self.sense, _SENSES, "the sense")
        sizes = ((self.parameters, 0, MOST_PARAMETERS, "parameter"), (self.classes, 1, MOST_CLASSES, "class"))
        for listed, least, most, what in (*sizes, (self.decisions, 1, MOST_DECISIONS, "decision")):
            if not least <= len(listed) <= most:
                raise InvalidParameterError(
                    f"a family has {least} to {most} of the kind {what}: received {len(listed)}"
                )
            names = [part.name for part in listed]
            if len(set(names)) < len(names):
                raise InvalidParameterError(f"a {what} is named twice: received {', '.join(map(shown, names))}")
        object.__setattr__(self, "decisions", tuple(map(self._named_once, self.decisions)))
        self._require_shares()

    def _named_once(self, decision: Decision) -> Decision:
        """Return a decision; one for each member of a class of one category is an ordinary decision."""
        if decision.own is None or self.sizes[decision.own] != self.ring.number(1):
            return decision
        costs = tuple(decision.right or x if i == decision.own else x for i, x in enumerate(decision.costs))
        return Decision(decision.name, costs)

    def _require_shares(self) -> None:
        total = self.ring.number(0)
        for one, size, share in zip(self.classes, self.sizes, self.shares, strict=True):
            if not size.below.is_constant():
                raise InvalidParameterError(f"the size of a class has no divisor: received {shown(one.size)}")
            for what, value in (("size", size), ("share", share)):
                if not is_positive(self.in_variables(value)):
                    raise InvalidParameterError(
                        f"the {what} of the class {shown(one.name)} is not positive for all parameters, as far as its "
                        f"coefficients show: received {shown(getattr(one, what))}; write narrower ranges"
                    )
            total = total + size * share
        if total != self.ring.number(1):
            raise InvalidParameterError("the shares, times the sizes of their classes, do not sum to 1")
        for decision in self.decisions:
            if decision.own is not None:
                others = self.in_variables(self.sizes[decision.own] - self.ring.number(1))
                if has_negative(others.above):
                    raise InvalidParameterError(
                        f"a class with a decision for each member has 1 or more members: received the size "
                        f"{shown(self.classes[decision.own].size)}; begin the range higher"
                    )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def ring(self) -> ParameterRing:
        """The polynomials in the parameters and u = gamma - 1."""
        return ParameterRing((*self.names, "u"))

    @cached_property
    def _values(self) -> dict[str, RationalFunction]:
        return {name: self.ring.name(name) for name in self.names}

    def quotient(self, text: str, what: str = "formula") -> RationalFunction:
        """Return a formula in the parameters as a rational function."""
        return quotient_of_tree(tree_of_text(text, self.names, what), self._values, self.ring)

    @cached_property
    def sizes(self) -> tuple[RationalFunction, ...]:
        """The sizes of the classes."""
        return tuple(self.quotient(one.size, "size") for one in self.classes)

    @cached_property
    def shares(self) -> tuple[RationalFunction, ...]:
        """The share of a category of each class."""
        return tuple(self.quotient(one.share, "share") for one in self.classes)

    @cached_property
    def costs(self) -> tuple[tuple[RationalFunction, ...], ...]:
        """The part of a category of each class in the cost of each decision; negative payoffs."""
        return tuple(tuple(self._part(i, cost) for i, cost in enumerate(decision.costs)) for decision in self.decisions)

    @cached_property
    def rights(self) -> tuple[RationalFunction | None, ...]:
        """The same for the own member of a decision."""
        return tuple(None if d.own is None else self._part(d.own, d.right or "0") for d in self.decisions)

    def _part(self, i: int, cost: str) -> RationalFunction:
        part = self.shares[i] * self.quotient(cost, "cost")
        return part if self.sense == "minimise" else -part

    @cached_property
    def totals(self) -> tuple[RationalFunction, ...]:
        """The cost of each decision if it is always made."""
        found = []
        for h, decision in enumerate(self.decisions):
            total = self.ring.number(0)
            for i, (size, cost) in enumerate(zip(self.sizes, self.costs[h], strict=True)):
                total = total + size * cost
                if i == decision.own:
                    total = total + (self.rights[h] - cost)  # type: ignore[operator]
            found.append(total)
        return tuple(found)

    @cached_property
    def columns(self) -> tuple[RowKind, ...]:
        """The kinds of rows, also the empty ones, in the order of certificates."""
        return tuple(
            self._column(h, classes, own)
            for h, decision in enumerate(self.decisions)
            for classes in product((0, 1), repeat=len(self.classes))
            for own in ((0, 1) if decision.own is not None else (0,))
        )

    def _column(self, h: int, classes: tuple[int, ...], own: int) -> RowKind:
        zero, one = self.ring.number(0), self.ring.number(1)
        decision, members, inside = self.decisions[h], [], zero
        for i, (size, cost, whole) in enumerate(zip(self.sizes, self.costs[h], classes, strict=True)):
            count = (size - one if i == decision.own else size) if whole else zero
            inside = inside + count * cost
            if i == decision.own and own:
                inside, count = inside + self.rights[h], count + one  # type: ignore[operator]
            members.append(count)
        return RowKind(h, classes, own, tuple(members), inside)

    @cached_property
    def substitution(self) -> list[RationalFunction]:
        """The parameters as functions of positive variables, and u, in the ring of the variables."""
        ring = self.ring  # as many names: one variable for each parameter, and u
        variables = [RationalFunction(generator, ring.one) for generator in ring.generators]
        values = [p.value(x, ring) for p, x in zip(self.parameters, variables, strict=False)]
        return [*values, variables[-1]]

    def in_variables(self, quotient: RationalFunction) -> RationalFunction:
        """Return a rational function of the parameters as one of the variables.

        Its denominator has no coefficients of two signs; else it has both.
        """
        kept: dict[str, RationalFunction] = self._kept
        key = f"{quotient.above}/{quotient.below}"
        if key not in kept:
            found = quotient.composed(self.substitution, self.ring)
            lead = found.below.leading_coefficient()
            kept[key] = RationalFunction(found.above / lead, found.below / lead)
        return kept[key]

    def text(self, quotient: RationalFunction) -> str:
        """Return a rational function of the parameters and u as text in gamma."""
        return text_of_tree(tree_of_quotient(self.in_gamma(quotient), (*self.names, GAMMA)))

    def in_gamma(self, quotient: RationalFunction) -> RationalFunction:
        """Return a rational function with its last name read as gamma = 1 + u in place of u."""
        ring = self.ring
        values = [*(ring.name(name) for name in self.names), ring.name("u") - ring.number(1)]
        return quotient.composed(values, ring)

    def sign_text(self, quotient: RationalFunction) -> str:
        """Return ``quotient >= 0`` as a polynomial inequality in the parameters and gamma.

        The denominator has one sign for all parameters; the constant and the factors that are positive are left out.
        """
        found = self.in_gamma(quotient)
        sign = 1 if self.in_variables(RationalFunction(quotient.below, self.ring.one)).above.coeffs()[0] > 0 else -1
        constant, factors = (found.above * sign).factor()
        ring = self.ring
        back = [*(ring.name(name) for name in self.names), ring.name("u") + ring.number(1)]
        kept = ring.constant(Fraction(1 if constant > 0 else -1))
        for factor, power in factors:
            own = self.in_variables(RationalFunction(factor, ring.one).composed(back, ring)).above
            if is_positive(RationalFunction(own, ring.one)):
                continue
            if is_positive(RationalFunction(-own, ring.one)):
                kept = -kept if int(power) % 2 else kept
                continue
            for _ in range(int(power)):
                kept = kept * factor
        return f"{text_of_tree(tree_of_polynomial(kept, (*self.names, GAMMA)))} >= 0"

    def condition_text(self, polynomial: Polynomial) -> str:
        """Return ``polynomial >= 0``, of the variables, as a polynomial inequality in the parameters and gamma."""
        ring = self.ring
        parameters = [parameter.variable(ring.name(parameter.name), ring) for parameter in self.parameters]
        return self.sign_text(RationalFunction(polynomial, ring.one).composed([*parameters, ring.name("u")], ring))

    def certified(self) -> dict[str, Any]:
        """Return the problem as certificates write it."""

        def tree(text: str) -> Any:
            return tree_of_text(text, self.names, "formula")

        decisions = []
        for decision in self.decisions:
            right = None if decision.right is None else tree(decision.right)
            own = None if decision.own is None else str(decision.own)
            decisions.append({"own": own, "costs": [tree(x) for x in decision.costs], "right": right})
        return {
            "parameters": [parameter.to_dict() for parameter in self.parameters],
            "classes": [{"size": tree(one.size), "share": tree(one.share)} for one in self.classes],
            "sense": self.sense,
            "decisions": decisions,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the family for JSON, in the form of its files in TOML."""
        names = [one.name for one in self.classes]
        decisions = []
        for decision in self.decisions:
            costs = dict(zip(names, decision.costs, strict=True))
            right = {} if decision.right is None else {"right": decision.right}
            decisions.append({"name": decision.name, "costs": costs, **right})
        return {
            "parameters": {parameter.name: parameter.range for parameter in self.parameters},
            "classes": {one.name: {"size": one.size, "share": one.share} for one in self.classes},
            "decisions": decisions,
            "sense": self.sense,
        }

    @classmethod
    def from_dict(cls, data: Any) -> FamilyProblem:
        """Read a family from the data of a file.

        Raises:
            FileFormatError: a key is missing, unknown or of another form.
        """
        return cls(*parts_of_data(data))


def is_positive(quotient: RationalFunction) -> bool:
    """Return whether the coefficients of both parts are positive."""
    return bool(quotient.above) and not has_negative(quotient.above) and not has_negative(quotient.below)
