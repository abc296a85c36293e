"""Examination of laws: means by induction over trials or as sums over values, and the means of pointwise bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Exchange, Fold, Step
from rropt.claims.anchors.equations import divisors
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import MOST_SAMPLES, Examiner, listed
from rropt.claims.anchors.exchanges import check_exchange
from rropt.claims.anchors.folds import (
    check_fold,
    element_facts,
    induction,
    learn_final,
    passed_in,
    refuse_names,
    require_final,
)
from rropt.claims.anchors.instances import RESERVED, Replay
from rropt.claims.anchors.laws import Law, moments, replayed, sums
from rropt.claims.anchors.prover import Prover
from rropt.claims.positivity import NoProofError
from rropt.claims.positivity.expressions import quotient
from rropt.claims.relations import Fact, Relation, expression, relations

_OF_TRIALS = ("start", "outcomes", "invariants", "support", "count")  # attributes that only a law of trials has
_ZERO, _ONE, _COUNT = sp.Integer(0), sp.Integer(1), sp.Symbol("count")


def check_induction(examiner: Examiner, given: Any, title: str) -> None:
    """Examine a fold, a law, an exchange or a step; the statements that it proves become facts.

    Raises:
        NotAnchoredError: the declaration is inconsistent with the claim or its lists.
        NoProofError: an obligation is not proved.
    """
    if type(given) is Law:
        _check_law(examiner, given, title)
    elif type(given) is Fold:
        check_fold(examiner, given, title)
    elif isinstance(given, Exchange):
        check_exchange(examiner, given, title)
    elif isinstance(given, Step):
        examiner.step(given)
    else:
        raise NotAnchoredError(f"{title} is no Fold, Law, Exchange or Step: received {type(given).__name__}")


def _check_law(examiner: Examiner, law: Law, title: str) -> None:
    """Replay a law at every instance, prove its means, and add the means of its bounds to the facts."""
    where, names = relations(law.where), [*law.means, *law.events, *law.start]
    if taken := sorted({name for name in names if name in examiner.instances[0].values or names.count(name) > 1}):
        raise NotAnchoredError(f"{title}: a name of the law is taken: received {taken}")
    fold = sums(law) if law.chance else _trials(law)
    if clash := sorted({*examiner.domains, *examiner.origins, *RESERVED} & set(names)):
        raise NotAnchoredError(f"{title}: a name of the law is taken: received {clash}")
    if law.chance and (trials := [part for part in _OF_TRIALS if getattr(law, part)]):
        raise NotAnchoredError(f"{title}: a list of values has no trials: received {', '.join(trials)}")
    replay = Replay(set(), examiner.domains)
    inside = examiner.inside(where)
    for each in examiner.instances:
        each.values |= replayed(law, each, replay, fold)
    if clash := sorted(replay.elements & set(names)):
        raise NotAnchoredError(f"{title}: a name of the law is taken by its elements: received {clash}")
    require_final(examiner, set(names))
    passed = passed_in(inside, replay, title)
    own = {law.chance} if law.chance else replay.elements
    for said in (law.invariants, law.bounds, law.support, [law.event(name) for name in law.events]):
        refuse_names(said, own)
    if used := sorted({str(x) for mean in law.means.values() for x in expression(mean).free_symbols} & own):
        raise NotAnchoredError(f"{title}: a mean is of random quantities: received {used}")
    facts = element_facts(examiner, replay)
    examiner.require(facts, [step for _, step in replay.before])
    pointwise = examiner.prover(where, samples=()).with_facts(facts)
    if law.chance:
        if not replay.sums.get(law.chance, False):
            raise NotAnchoredError(f"{title}: {law.chance} is no whole group of its domain, so its sum is not known")
        examiner.proved(pointwise, Relation(sp.Symbol(law.chance), ">=", _ZERO), f"{title}: a probability")
        random = replay.elements - {law.chance}
    else:
        chances = [expression(chance) for chance, _ in law.outcomes]
        for chance in chances:
            examiner.proved(pointwise, Relation(chance, ">=", _ZERO), f"{title}: a probability")
        examiner.proved(pointwise, Relation(sp.Add(*chances), "=", _ONE), f"{title}: all outcomes")
        samples = passed[:: max(1, len(passed) // MOST_SAMPLES)]
        induction(examiner, fold, title, where, (facts, samples))
        random = set(law.start)
        pointwise = _supported(examiner, law, facts, f"{title}, support")
    final = learn_final(examiner, law.invariants, (law.count, where))
    examiner.require(final, [each.values for each in inside])
    for event in law.events:
        for end in (Relation(sp.Symbol(event), ">=", _ZERO), Relation(_ONE, ">=", sp.Symbol(event))):
            examiner.learn(where, Fact(end, "a probability"))
    bounds = relations(law.bounds)
    for bound in bounds:
        _everywhere(examiner, law, (pointwise, f"{title}: {bound}"), bound)
        examiner.learn(where, Fact(_mean(law, bound, random), "a mean"))
        if not bound.names() & law.events.keys():  # true for every value, so later bounds may use it
            pointwise = pointwise.with_facts([Fact(bound, "a bound")])
    examiner.found.lists = True
    said = [*relations(law.invariants), *bounds]
    examiner.found.anchored.append(f"{title}: {listed(said)} in the mean, on lists with {len(passed)} elements")


def _trials(law: Law) -> Fold:
    """Return the fold that expresses each mean after a trial by the means before it."""
    start = {sp.Symbol(name): expression(value) for name, value in law.start.items()}
    update = {}
    for name, given in law.means.items():
        after = _ZERO
        for chance, change in law.outcomes:
            changed = {sp.Symbol(key): expression(new) for key, new in change.items()}
            if not {str(symbol) for symbol in changed} <= set(law.start):
                raise NotAnchoredError(f"an outcome changes what the law does not start with: received {change}")
            after += expression(chance) * expression(given).xreplace(changed)
        update[name] = _expected(law, after, set(law.start))
    return moments(law, update, {name: expression(given).xreplace(start) for name, given in law.means.items()})


def _supported(examiner: Examiner, law: Law, elements: list[Fact], title: str) -> Prover:
    """Prove the support relations after every possible trial; return a prover that may use them."""
    prover = examiner.prover(relations(law.where), samples=())
    support = relations(law.support)
    start = {name: expression(value) for name, value in law.start.items()}
    for relation in support:  # the base uses no fact about an element, since there may be no trial
        examiner.proved(prover, relation.renamed({**start, "count": _ZERO}), f"{title}, base", law.degree)
    held = [Fact(relation, "support") for relation in (*support, Relation(_COUNT, ">=", _ZERO))]
    for chance, change in law.outcomes if support else ():
        can = Relation(expression(chance), ">", _ZERO)
        step = prover.with_facts([*elements, *held, Fact(can, "it can happen")], samples=())
        if _refuted(step, f"{title}: it cannot happen"):
            continue
        after = {name: expression(new) for name, new in change.items()} | {"count": _COUNT + 1}
        for relation in support:
            examiner.proved(step, relation.renamed(after), f"{title}, step", law.degree)
    end = {} if law.count is None else {"count": expression(law.count)}
    final = [relation.renamed(end) for relation in support]
    known = [Fact(relation, "support") for relation in final if "count" not in relation.names()]
    return prover.with_facts(known)


def _everywhere(examiner: Examiner, law: Law, how: tuple[Prover, str], bound: Relation) -> None:
    """Prove a bound for all values of the random quantities, for each combination of events and complements."""
    prover, title = how
    events = [name for name in law.events if name in bound.names()]
    for name in events:
        event = law.event(name)
        for divisor in sorted(divisors(event.left) | divisors(event.right), key=str):
            prover.sign(divisor, f"{title}: the divisor {divisor} of an event")
    for happens in product((1, 0), repeat=len(events)):
        goal = bound.renamed({name: sp.Integer(up) for name, up in zip(events, happens, strict=True)})
        for choice in _choices(law, dict(zip(events, happens, strict=True))):
            case = prover.with_facts([Fact(relation, "an event") for relation in choice], samples=())
            never = bool(goal.difference.is_Rational) and not goal.holds({})
            if not (never and _refuted(case, f"{title}: it cannot happen")):
                examiner.proved(case, goal, title, law.degree)


def _refuted(prover: Prover, name: str) -> bool:
    """Return whether the facts contradict each other."""
    try:
        prover.refute((), name)
    except NoProofError:
        return False
    return True


def _choices(law: Law, happens: dict[str, int]) -> Iterator[Sequence[Relation]]:
    """Iterate over the facts that express a given combination of events and complements."""
    events = [(law.event(name), up) for name, up in happens.items()]
    return product(*((event,) if up else event.opposite() for event, up in events))


def _mean(law: Law, bound: Relation, random: set[str]) -> Relation:
    """Return the mean of a bound: every monomial of random quantities is replaced by the name of its mean."""
    if bound.sign == "!=":
        raise NotAnchoredError(f"a bound compares: received {bound}")
    return Relation(_expected(law, bound.difference, random), bound.sign, _ZERO)


def _expected(law: Law, given: Any, random: set[str]) -> Any:
    """Return the mean of an expression as a linear expression in the names of means and events.

    Raises:
        NotAnchoredError: a monomial of random quantities has no name, or random quantities occur in a divisor.
    """
    gens = [sp.Symbol(name) for name in sorted({*random, *law.events})]
    numerator, denominator = quotient(given)
    if denominator.free_symbols & set(gens):
        raise NotAnchoredError(f"a random quantity divides: received {given}")
    named = {expression(mean): sp.Symbol(name) for name, mean in law.means.items()}
    named |= {sp.Symbol(name): sp.Symbol(name) for name in law.events} | {_ONE: _ONE}
    total = _ZERO
    for powers, coefficient in sp.Poly(numerator, *gens).terms() if gens else [((), numerator)]:
        parts = zip(gens, powers, strict=True)
        power = sp.Mul(*(x ** (min(e, 1) if str(x) in law.events else e) for x, e in parts))
        if coefficient != 0 and power not in named:
            raise NotAnchoredError(f"the mean of {power} has no name: add it to `means`")
        total += coefficient * named.get(power, _ZERO)
    return total / denominator
