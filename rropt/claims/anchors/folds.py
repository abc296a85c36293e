"""Check folds: replay them on every list and prove base and step; the invariants become facts about the final state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Fold, Least, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import MOST_SAMPLES, THEORY, Examiner, listed
from rropt.claims.anchors.exchanges import of_each, totals
from rropt.claims.anchors.instances import RESERVED, Instance, Replay, entry_facts, family_of
from rropt.claims.positivity import NoProofError
from rropt.claims.relations import Fact, Relation, expression, relations


def check_fold(examiner: Examiner, fold: Fold, title: str) -> None:
    """Replay a fold on every list, prove base and step, and add its invariants as facts about the final state.

    Raises:
        NotAnchoredError: all lists are empty, or a name is already in use.
        NoProofError: base or step is not proved.
    """
    inherited = fold.family or (fold.inner is not None and fold.inner.family)
    family, members = _family(examiner) if inherited else (None, {})
    where = relations(fold.where)
    require_own_names(examiner, fold, title)
    replay = Replay(family[1] if family else set(), examiner.domains)
    inside = examiner.inside(where)  # a case depends on the instance only, not on an intermediate state
    known = {key: family_of(listed, family[1]) for key, listed in members.items()} if family else {}
    for each in examiner.instances:
        each.values |= replay.run(fold, each, known.get(each.key))
    walk: dict[int, list[Any]] = {id(each): [] for each in examiner.instances}
    examiner.walked[id(fold)] = walk
    for each, element, listed_parts in replay.walked:
        walk[id(each)].append((element, listed_parts))
    require_final(examiner, {*fold.start, *(fold.inner.start if fold.inner else ())})
    passed = passed_in(inside, replay, title)
    refuse_names(fold.invariants, replay.elements | replay.parts)
    refuse_names(fold.inner.invariants if fold.inner else (), replay.parts)
    of_elements, of_parts = of_each(examiner, fold, replay)
    facts = [*element_facts(examiner, replay), *of_elements]
    final, inside_totals = totals(examiner, fold, replay)
    if family is not None:
        facts += [Fact(relation, "definition of theory") for relation in family[0]]
    # facts about elements of the inner list are not facts of the outer fold, since the inner list may be empty
    parts = [fact for fact in facts if fact.relation.names() & replay.parts]
    facts = [fact for fact in facts if fact not in parts]
    parts += of_parts
    examiner.require(facts, [step for _, step in replay.before])
    examiner.require([*facts, *parts], replay.inside)
    if fold.inner is not None:
        induction(examiner, fold.inner, f"{title}, inner", where, ([*facts, *parts], replay.inside))
        if fold.inner.count is not None:
            raise NotAnchoredError(f"{title}: the length of an inner list is no expression here")
        # in an inner invariant ``count`` is the length of the inner list; outside it is another number
        inner = [r for r in relations(fold.inner.invariants) if "count" not in r.names()]
        facts = facts + [Fact(r, "inner fold") for r in (*inner, *(fact.relation for fact in inside_totals))]
    own = replay.elements  # an inner sum that uses none of these names is the same for all elements
    fixed = [fact for fact in facts if fact.source == "inner fold" and not fact.relation.names() & own]
    induction(examiner, fold, title, where, (facts, passed), fixed)
    for name, new in fold.update.items():
        part = expression(new) - sp.Symbol(name)
        if expression(fold.start[name]) == 0 and replay.sums.get(str(part), False) and not fold.where:
            if any(each.values[name] != 1 for each in examiner.instances):
                raise NotAnchoredError(f"{title}: the entries of a whole group do not sum to 1")
            examiner.learn((), Fact(Relation(sp.Symbol(name), "=", sp.Integer(1)), "entries that sum to 1"))
    for fact in final:
        examiner.learn((), fact)
    examiner.require(final, [each.values for each in examiner.instances])
    examiner.require(learn_final(examiner, fold.invariants, (fold.count, where)), [each.values for each in inside])
    examiner.found.lists = True
    examiner.found.anchored.append(
        f"{title}: {listed(relations(fold.invariants))} after each of {len(passed)} replayed elements"
    )


def require_own_names(examiner: Examiner, fold: Fold, title: str) -> None:
    """Require that the names of the state are new, and that ``start`` and ``update`` have the same names."""
    values = (name for each in examiner.instances for name in each.values)
    taken = {*examiner.domains, *examiner.origins, *RESERVED, *values}
    for part in (fold, fold.inner):
        if part is not None:
            if set(part.update) != set(part.start):
                raise NotAnchoredError(f"{title}: start and update have the same names: received different names")
            if clash := sorted(taken & set(part.start)):
                raise NotAnchoredError(f"{title}: the state has a name that is taken: received {clash}")
            taken |= set(part.start)


def passed_in(inside: Sequence[Instance], replay: Replay, title: str) -> list[dict[str, Any]]:
    """Return the values of all names before each element, for the instances in a case."""
    ids = {id(each) for each in inside}
    passed = [step for of, step in replay.before if of in ids]
    if not passed:
        raise NotAnchoredError(f"{title}: every list is empty")
    return passed


def element_facts(examiner: Examiner, replay: Replay) -> list[Fact]:
    """Return the facts that the domains state about every element of a list of any length, and record them."""
    facts = [
        fact
        for name, paths in replay.origins.items()
        for fact in entry_facts(name, paths, examiner.domains, of_all=True)
    ]
    examiner.elements += facts
    return facts


def induction(
    examiner: Examiner,
    fold: Fold,
    title: str,
    where: Any,
    given: tuple[list[Fact], Sequence[Any]],
    fixed: Sequence[Fact] = (),
) -> None:
    """Prove base and step; ``fixed`` are facts about inner sums, for invariants that use these sums."""
    invariants, count = relations(fold.invariants), sp.Symbol("count")
    elements, passed = given
    start = {name: expression(value) for name, value in fold.start.items()}
    # facts about the final state are not true for intermediate states
    known = examiner.prover(where, samples=[])
    known.facts = tuple(fact for fact in known.facts if not fact.relation.names() & fold.start.keys())
    sums = set(fold.inner.start) if fold.inner else set()
    for invariant in invariants:  # the base uses no fact about an element, since the list may be empty
        base = known.with_facts(fixed) if invariant.names() & sums else known
        examiner.proved(base, invariant.renamed({**start, "count": sp.Integer(0)}), f"{title}, base", fold.degree)
    facts = [*elements, *(Fact(invariant, "induction") for invariant in invariants)]
    facts.append(Fact(Relation(count, ">=", sp.Integer(0)), "induction"))
    step = known.with_facts(facts, samples=passed[:: max(1, len(passed) // MOST_SAMPLES)])
    after = {name: expression(new) for name, new in fold.update.items()} | {"count": count + 1}
    for invariant in invariants:
        examiner.proved(step, invariant.renamed(after), f"{title}, step", fold.degree)


def require_final(examiner: Examiner, names: set[str]) -> None:
    """Require relations of domains that use names of the state; they can be checked only after the replay."""
    examiner.names.clear()  # the state has values now
    about = [fact for fact in examiner.facts if fact.relation.names() & names]
    examiner.require(about, [each.values for each in examiner.instances])


def refuse_names(given: Any, elements: set[str]) -> None:
    """Reject names of elements in invariants, where they would denote the next element.

    Raises:
        NotAnchoredError: an invariant uses such a name.
    """
    if used := sorted(set().union(*(relation.names() for relation in relations(given))) & elements):
        raise NotAnchoredError(f"what holds after every element names none of them: received {used}")


def learn_final(examiner: Examiner, invariants: Any, how: tuple[Any, Any]) -> list[Fact]:
    """Add the invariants after the last element as facts, and return them."""
    length, where = how
    _link_length(examiner, length, where)
    end = {} if length is None else {"count": expression(length)}
    final = [invariant.renamed(end) for invariant in relations(invariants)]
    facts = [Fact(relation, "fold") for relation in final if "count" not in relation.names()]
    for fact in facts:
        examiner.learn(where, fact)
    return facts


def _link_length(examiner: Examiner, length: Any, where: Any) -> None:
    """Link the length of a list: exactly if it is proved to be an integer >= 0, otherwise by a sweep."""
    instances = examiner.inside(where)
    if length is None or not instances:
        return
    said = expression(length)
    points = [each.point for each in instances]
    whole = all(type(point.get(str(x))) is int for point in points for x in said.free_symbols)
    try:
        whole = whole and all(x.is_Integer for x in sp.Poly(said, *said.free_symbols, sp.Dummy()).coeffs())
        examiner.prover(where).prove(Relation(said, ">=", sp.Integer(0)), f"the length {length}")
    except (NoProofError, sp.PolynomialError):
        whole = False
    if whole:
        examiner.found.whole.update(str(x) for x in said.free_symbols)
    else:
        examiner.sweep_link(f"the length {length} of a list", instances)


def _family(examiner: Examiner) -> tuple[Any, dict[int, Sequence[Mapping[str, Any]]]]:
    """Return the relation and the names of the claim's own family, and the members of the family at every point."""
    for shape in examiner.proof.shapes:
        if isinstance(shape, Value) and isinstance(shape.theory, Least) and shape.theory.members is not None:
            said = tuple(relation.renamed({"g": THEORY}) for relation in relations(shape.theory.relation))
            names = {str(symbol) for relation in said for symbol in relation.difference.free_symbols}
            points = {each.key: each.point for each in examiner.instances}
            return (said, names - {"theory"}), {key: shape.theory.members(point) for key, point in points.items()}
    raise NotAnchoredError("a fold over a family, but no shape whose theory is the least bound of one")
