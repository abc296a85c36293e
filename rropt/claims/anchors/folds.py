"""Folds: replayed on every list, proved by base and step; their invariants are facts about the final state."""

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
    """Replay on every list; prove base and step; the invariants are facts about the final state.

    Raises:
        NotAnchoredError: the lists are empty, or a name is taken.
        NoProofError: base or step is not proved.
    """
    inherited = fold.family or (fold.inner is not None and fold.inner.family)
    family, members = _family(examiner) if inherited else (None, {})
    where = relations(fold.where)
    require_own_names(examiner, fold, title)
    replay = Replay(family[1] if family else set(), examiner.domains)
    inside = examiner.inside(where)  # a case is one of the instance: it may not look at the state in the middle
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
    # an element of the inner list is no fact of the outer one, whose inner list may be empty
    parts = [fact for fact in facts if fact.relation.names() & replay.parts]
    facts = [fact for fact in facts if fact not in parts]
    parts += of_parts
    examiner.require(facts, [step for _, step in replay.before])
    examiner.require([*facts, *parts], replay.inside)
    if fold.inner is not None:
        induction(examiner, fold.inner, f"{title}, inner", where, ([*facts, *parts], replay.inside))
        if fold.inner.count is not None:
            raise NotAnchoredError(f"{title}: the length of an inner list is no expression here")
        # the count of an inner invariant is that of the inner list: outside it means another number
        inner = [r for r in relations(fold.inner.invariants) if "count" not in r.names()]
        facts = facts + [Fact(r, "inner fold") for r in (*inner, *(fact.relation for fact in inside_totals))]
    own = replay.elements  # without them an inner sum is the same for all elements
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
    """A state has names of its own, and keeps them."""
    values = (name for each in examiner.instances for name in each.values)
    taken = {*examiner.domains, *examiner.origins, *RESERVED, *values}
    for part in (fold, fold.inner):
        if part is not None:
            if set(part.update) != set(part.start):
                raise NotAnchoredError(f"{title}: start and update have the same names: received others")
            if clash := sorted(taken & set(part.start)):
                raise NotAnchoredError(f"{title}: the state has a name that is taken: received {clash}")
            taken |= set(part.start)


def passed_in(inside: Sequence[Instance], replay: Replay, title: str) -> list[dict[str, Any]]:
    """Return the values before each element, at the instances of a case."""
    ids = {id(each) for each in inside}
    passed = [step for of, step in replay.before if of in ids]
    if not passed:
        raise NotAnchoredError(f"{title}: every list is empty")
    return passed


def element_facts(examiner: Examiner, replay: Replay) -> list[Fact]:
    """Return, and note, what the domains say of every element of a list, however long it is."""
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
    """Prove base and step; ``fixed`` are facts about inner sums, for statements about those."""
    invariants, count = relations(fold.invariants), sp.Symbol("count")
    elements, passed = given
    start = {name: expression(value) for name, value in fold.start.items()}
    # what is known of the final state is not known of the state on the way
    known = examiner.prover(where, samples=[])
    known.facts = tuple(fact for fact in known.facts if not fact.relation.names() & fold.start.keys())
    sums = set(fold.inner.start) if fold.inner else set()
    for invariant in invariants:  # no fact of an element in the base: the list may be empty
        base = known.with_facts(fixed) if invariant.names() & sums else known
        examiner.proved(base, invariant.renamed({**start, "count": sp.Integer(0)}), f"{title}, base", fold.degree)
    facts = [*elements, *(Fact(invariant, "induction") for invariant in invariants)]
    facts.append(Fact(Relation(count, ">=", sp.Integer(0)), "induction"))
    step = known.with_facts(facts, samples=passed[:: max(1, len(passed) // MOST_SAMPLES)])
    after = {name: expression(new) for name, new in fold.update.items()} | {"count": count + 1}
    for invariant in invariants:
        examiner.proved(step, invariant.renamed(after), f"{title}, step", fold.degree)


def require_final(examiner: Examiner, names: set[str]) -> None:
    """A relation of a domain may name the state: only after the replay can it be seen to hold."""
    examiner.names.clear()  # the state has values now
    about = [fact for fact in examiner.facts if fact.relation.names() & names]
    examiner.require(about, [each.values for each in examiner.instances])


def refuse_names(given: Any, elements: set[str]) -> None:
    """Refuse names of elements in invariants: there they would mean the next element.

    Raises:
        NotAnchoredError: there is one.
    """
    if used := sorted(set().union(*(relation.names() for relation in relations(given))) & elements):
        raise NotAnchoredError(f"what holds after every element names none of them: received {used}")


def learn_final(examiner: Examiner, invariants: Any, how: tuple[Any, Any]) -> list[Fact]:
    """Learn the facts after the last element; return them."""
    length, where = how
    _link_length(examiner, length, where)
    end = {} if length is None else {"count": expression(length)}
    final = [invariant.renamed(end) for invariant in relations(invariants)]
    facts = [Fact(relation, "fold") for relation in final if "count" not in relation.names()]
    for fact in facts:
        examiner.learn(where, fact)
    return facts


def _link_length(examiner: Examiner, length: Any, where: Any) -> None:
    """There is a list of this length: exactly where it is a whole number >= 0, else as far as the sweep shows."""
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
    if not whole:
        examiner.sweep_link(f"the length {length} of a list", instances)


def _family(examiner: Examiner) -> tuple[Any, dict[int, Sequence[Mapping[str, Any]]]]:
    """Return the relation and the names of the claim's own family, and its members at every point."""
    for shape in examiner.proof.shapes:
        if isinstance(shape, Value) and isinstance(shape.theory, Least) and shape.theory.members is not None:
            said = tuple(relation.renamed({"g": THEORY}) for relation in relations(shape.theory.relation))
            names = {str(symbol) for relation in said for symbol in relation.difference.free_symbols}
            points = {each.key: each.point for each in examiner.instances}
            return (said, names - {"theory"}), {key: shape.theory.members(point) for key, point in points.items()}
    raise NotAnchoredError("a fold over a family, but no shape whose theory is the least bound of one")
