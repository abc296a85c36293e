"""Random quantities with finitely many values: their declaration, and their distribution at a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Fold, Frozen
from rropt.claims.anchors.instances import Instance, Origins, Replay, is_number, named, require_new
from rropt.claims.relations import Relation, exact_values, expression, relations, values_of
from rropt.core.errors import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Law(Frozen):
    """Random quantities with finitely many values: their means, probabilities of events, and bounds.

    Attributes:
        over: a function from a point and an instance to the list: the named quantities of each element. With
            ``chance`` an element is one value of the random quantities; otherwise an element is a trial.
        means: for each name, a polynomial in the random quantities whose mean it denotes.
        events: for each name, a relation between the random quantities whose probability it denotes.
        bounds: relations that are true for all values of the random quantities; in them the name of an event is its
            indicator (1 or 0). They are proved event by event, in order; their means become facts.
        chance: the name of the probability of an element, if the elements are the values.
        start: the random quantities before the first trial, by name.
        outcomes: the outcomes of a trial: pairs of a probability and the quantities that change. Trials are
            independent.
        invariants, count: relations between the means after each trial, and the number of trials, as in a ``Fold``.
        support: relations between the random quantities after each trial that are true with probability 1; ``count``
            is the number of trials so far. After the last trial they are facts for ``bounds``.
        where: the case in which invariants, support and bounds are proved; they may be used only in this case.
        degree: the degree of the Handelman sums; by default the engine searches for it.
    """

    over: Callable[..., Sequence[Mapping[str, Any]]]
    means: Mapping[str, Any]
    events: Mapping[str, Any] = field(default_factory=dict)
    bounds: Any = ()
    chance: str = ""
    start: Mapping[str, Any] = field(default_factory=dict)
    outcomes: Sequence[tuple[Any, Mapping[str, Any]]] = ()
    invariants: Any = ()
    count: Any = None
    support: Any = ()
    where: Any = ()
    degree: int | None = None

    def event(self, name: str) -> Relation:
        """Return the relation of an event.

        Raises:
            InvalidParameterError: the event is not a single relation.
        """
        said = relations(self.events[name])
        if len(said) != 1:
            raise InvalidParameterError(f"an event is one relation: received {self.events[name]}")
        return said[0]


def moments(law: Law, update: Mapping[str, Any], start: Mapping[str, Any]) -> Fold:
    """Return the fold that computes the means of a law."""
    return Fold(law.over, start, update, law.invariants, law.count, where=law.where, degree=law.degree)


def replayed(law: Law, instance: Instance, replay: Replay, fold: Fold) -> dict[str, Any]:
    """Return means and probabilities of events at an instance, computed from its actual list.

    Raises:
        InvalidParameterError: a mean of the distribution differs from that of the fold, or the probabilities do not
            sum to 1.
    """
    found = replay.run(fold, instance, None)
    rows = _values(law, instance) if law.chance else _after_trials(law, instance)
    known = {**instance.values, **found}
    if sum(weight for _, weight in rows) != 1:
        raise InvalidParameterError(f"the probabilities of a law sum to 1: received {sum(w for _, w in rows)}")
    for name, given in law.means.items():
        value = values_of(expression(given))
        if sum((weight * value({**known, **row}) for row, weight in rows), Fraction(0)) != found[name]:
            raise InvalidParameterError(f"the mean {name} of the law is not that of its trials")
    for name in law.events:
        event = law.event(name)
        happened = [weight for row, weight in rows if event.holds({**known, **row})]
        found[name] = sum(happened, Fraction(0))
    return found


def values_at(law: Law, point: Mapping[str, Any]) -> dict[str, Any]:
    """Return means and probabilities of a law given by its list of values, at a point of a condition."""
    own = {name: value for name, value in exact_values(point).items() if is_number(value)}
    return replayed(law, Instance(point, None, None, own), Replay(set(), {}), sums(law))


def sums(law: Law) -> Fold:
    """Return the fold that computes the means of a list of values as sums of probability times value."""
    chance = expression(law.chance)
    update = {name: sp.Symbol(name) + chance * expression(given) for name, given in law.means.items()}
    return moments(law, update, dict.fromkeys(law.means, 0))


def _values(law: Law, instance: Instance) -> list[tuple[dict[str, Any], Any]]:
    origins: Origins = {}
    rows = [named(e, instance.point, instance.values, origins) for e in law.over(instance.point, instance.given)]
    return [(row, row[law.chance]) for row in rows]


def _after_trials(law: Law, instance: Instance) -> list[tuple[dict[str, Any], Any]]:
    """Return the exact distribution after the last trial, computed trial by trial."""
    names, origins = list(law.start), Origins()
    require_new(names, {*instance.point, *instance.values})
    first = tuple(values_of(expression(value))(instance.values) for value in law.start.values())
    weights: dict[tuple[Any, ...], Any] = {first: Fraction(1)}
    changes = [
        (values_of(expression(chance)), [values_of(expression(change.get(name, name))) for name in names])
        for chance, change in law.outcomes
    ]
    for element in law.over(instance.point, instance.given):
        require_new(element, names)
        here = {**instance.values, **named(element, instance.point, instance.values, origins)}
        after: dict[tuple[Any, ...], Any] = {}
        for state, weight in weights.items():
            place = {**here, **dict(zip(names, state, strict=True))}
            for chance, change in changes:
                share = chance(here)
                if share != 0:
                    reached = tuple(new(place) for new in change)
                    after[reached] = after.get(reached, Fraction(0)) + weight * share
        weights = after
    return [(dict(zip(names, state, strict=True)), weight) for state, weight in weights.items()]
