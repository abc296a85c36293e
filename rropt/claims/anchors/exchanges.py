"""Equality of sums with the same summands (``Exchange``), and sums whose value an equation of a domain states.

A *cell* is one summand, an expression in the entries. Two sums of the same cells are equal, in any order and with any
grouping; this is proved by induction on the number of cells. Whether two sums have the same cells is checked on the
actual lists. The check compares the entries that occur in the cells, not their numerical values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Entry, Exchange, Flag, Fold
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.instances import Instance, Replay
from rropt.claims.anchors.prover import Prover
from rropt.claims.domains import Domain, Point
from rropt.claims.relations import Fact, Relation, expression

_ZERO = sp.Integer(0)

Cells = Counter[Any]
Walk = dict[int, list[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]]  # by the id of an instance
Equations = dict[Any, dict[Any, str]]  # cells -> {value of their sum: the variable whose domain states it}


def check_exchange(examiner: Examiner, exchange: Exchange, title: str) -> None:
    """Check on all lists that two sums have the same cells, and add the fact that their final states are equal.

    Raises:
        NotAnchoredError: the cells differ, or the names are not sums of folds of this proof.
    """
    walks = [examiner.walked.get(id(fold)) for fold in (exchange.first, exchange.second)]
    if None in walks:
        raise NotAnchoredError(f"{title}: an exchange is of two folds that stand before it in the proof")
    _prove_order(examiner, title)
    for left, right in exchange.sums.items():
        met = 0
        for each in examiner.instances:
            if not {left, right} <= each.values.keys():
                raise NotAnchoredError(f"{title}: {left} or {right} is no state of these folds")
            cells = _cells(exchange.first, left, each, walks[0])
            if cells != _cells(exchange.second, right, each, walks[1]) or each.values[left] != each.values[right]:
                raise NotAnchoredError(f"{title}: {left} and {right} do not add up the same cells")
            met += sum(cells.values())
        if not met:
            raise NotAnchoredError(f"{title}: every list is empty")
        examiner.learn((), Fact(Relation(sp.Symbol(left), "=", sp.Symbol(right)), "exchange"))
        examiner.found.anchored.append(f"{title}: {left} = {right}, the same sum in another order, {met} elements")
        examiner.sweep_link(f"the cells of {left} and {right}", examiner.instances)
    examiner.found.lists = True


def _prove_order(examiner: Examiner, title: str) -> None:
    """Prove by induction on the number of cells that a sum does not depend on their order and grouping."""
    one, other, rest, cell = sp.symbols("one other rest cell")
    prover = Prover((Fact(Relation(one, "=", other), "induction"),))
    prover.certificates, prover.used = examiner.found.certificates, examiner.found.used
    obligations = {
        "base, no cell": (_ZERO, _ZERO),
        "step, a cell more in both": (one + cell, other + cell),
        "step, a cell in the middle": ((one + cell) + rest, (other + rest) + cell),
        "step, a cell at the end of an inner sum": (one + (rest + cell), (other + rest) + cell),
    }
    for name, (left, right) in obligations.items():
        examiner.proved(prover, Relation(left, "=", right), f"{title}, {name}")


def _cells(fold: Fold, name: str, instance: Instance, walked: Walk | None) -> Cells:
    """Return the cells of a sum on the replayed list; if it adds inner sums, return the cells of these."""
    start, term = _sum_of(fold, name)
    cells = Cells() if start == 0 else Cells([_placed(start, instance.given, {})])
    inner = fold.inner
    grouped = inner is not None and str(term) in inner.start
    if not grouped and _names(term) & _states(fold):
        raise NotAnchoredError(f"{name} adds up what depends on the state: received {term}")
    added: tuple[Any, Any] | None = None  # what the inner sum starts with and adds, read once
    for element, parts in (walked or {}).get(id(instance), ()):
        if inner is not None and grouped:
            added = added or _sum_of(inner, str(term))
            cells.update(_inner_cells(added, instance, element, parts))
        else:
            cells[_placed(term, instance.given, element)] += 1
    return cells


def _inner_cells(
    added: tuple[Any, Any], instance: Instance, element: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]
) -> Cells:
    start, term = added
    cells = Cells() if start == 0 else Cells([_placed(start, instance.given, element)])
    for part in parts:
        cells[_placed(term, instance.given, {**element, **part})] += 1
    return cells


def _sum_of(fold: Fold, name: str) -> tuple[Any, Any]:
    """Return the initial value of a sum and the term that it adds for each element."""
    if name not in fold.start:
        raise NotAnchoredError(f"no state of the fold: received {name}")
    start, term = expression(fold.start[name]), expression(fold.update[name]) - sp.Symbol(name)
    if _names(term) & {*fold.start, "count"} or _names(start) & _states(fold):
        raise NotAnchoredError(f"{name} is no sum: it adds up {term}")
    return start, term


def _names(node: Any) -> set[str]:
    return {symbol.name for symbol in node.free_symbols}


@lru_cache(maxsize=10_000)
def _symbols(term: Any) -> list[Any]:
    return sorted(term.free_symbols, key=str)


def _states(fold: Fold) -> set[str]:
    return {*fold.start, *(fold.inner.start if fold.inner else ()), "count"}


def _placed(term: Any, own: Mapping[str, Any], element: Mapping[str, Any]) -> Any:
    """Return a cell: a term with each name replaced by its entry, its expression, or the number of its flag."""
    change = []
    for symbol in _symbols(term):
        name = symbol.name
        quantity = element.get(name, own.get(name))
        if isinstance(quantity, Entry):
            change.append((symbol, _symbol(_plain(quantity.path))))
        elif isinstance(quantity, (str, sp.Expr)):
            change.append((symbol, _placed(expression(quantity), own, element)))
        elif isinstance(quantity, Flag):
            change.append((symbol, sp.Integer(int(bool(quantity.up)))))
        elif name in element:  # plain numbers may coincide at the points of the sweep without being equal in general
            raise NotAnchoredError(f"a cell is identified by entries, expressions and flags: received {name}")
    return _replaced(term, tuple(change))


def _plain(path: Sequence[Any]) -> tuple[Any, ...]:
    """Return a path whose keys are exactly of the types ``str`` and ``int``."""
    if any(type(key) not in (str, int) for key in path):
        raise NotAnchoredError(f"an entry is found by texts and integers: received {path!r}")
    return tuple(path)


@lru_cache(maxsize=100_000)
def _replaced(term: Any, change: tuple[tuple[Any, Any], ...]) -> Any:
    return term.xreplace(dict(change))


@lru_cache(maxsize=100_000)
def _symbol(path: tuple[Any, ...]) -> Any:
    return sp.Symbol(str(path))


def totals(examiner: Examiner, fold: Fold, replay: Replay) -> tuple[list[Fact], list[Fact]]:
    """Return the final values of the sums of a fold and of its inner fold, as equations of the domains state them.

    Raises:
        NotAnchoredError: at some instance no equation states the total, or an equation is false.
    """
    if (fold.totals or _inner_totals(fold)) and not examiner.equations:
        examiner.equations.update(_known(examiner.instances, examiner.domains))
    known = examiner.equations
    final, inside = [], []
    for name, total in fold.totals.items():
        for each in examiner.instances:
            said = _placed(expression(total), each.given, {})
            cells = _cells(fold, name, each, examiner.walked[id(fold)])
            examiner.found.sums.add(_require_total(known[id(each)], cells, said, name))
        final.append(_total(name, total))
    for name, total in _inner_totals(fold).items():
        for each, element, parts in replay.walked:
            cells = _inner_cells(_sum_of(fold.inner, name), each, element, parts) if fold.inner else Cells()
            said = _placed(expression(total), each.given, element)
            examiner.found.sums.add(_require_total(known[id(each)], cells, said, name))
        inside.append(_total(name, total))
    return final, inside


def _inner_totals(fold: Fold) -> Mapping[str, Any]:
    return fold.inner.totals if fold.inner else {}


def _total(name: str, total: Any) -> Fact:
    return Fact(Relation(sp.Symbol(name), "=", expression(total)), "equation of a domain")


def _require_total(known: Equations, cells: Cells, total: Any, name: str) -> str:
    """Return the variable whose domain states that the sum of the cells equals ``total``."""
    found = known.get(frozenset(cells.items()), {})
    if total not in found:
        raise NotAnchoredError(f"no equation of a domain says that {name} is {total} in the end")
    return found[total]


def _known(instances: Sequence[Instance], domains: Mapping[str, Domain]) -> dict[int, Equations]:
    """Return the equations at each instance, by id.

    They may read the variables of the claim and those variables whose domains have equations.
    """
    with_some = {name: domain for name, domain in domains.items() if domain.equations or domain.whole_groups}
    read: dict[Any, Equations] = {}
    found = {}
    for each in instances:
        seen = {name: each.point[name] for name in each.point if name in with_some or name not in each.given}
        key = (each.key, *(id(value) for value in seen.values()))
        if key not in read:
            read[key] = _equations(seen, with_some)
        found[id(each)] = read[key]
    return found


def _equations(point: Point, domains: Mapping[str, Domain]) -> Equations:
    """Return the sums whose values the domains state, and check these equations at the point."""
    found: Equations = {}
    for name, domain in domains.items():
        for terms, total, value in _said(name, domain, point) if name in point else ():
            if sum((prod(_value(path, point) for path in term) for term in terms), Fraction(0)) != value:
                raise NotAnchoredError(f"an equation of {name} is false at a point of the claim")
            cells = Cells(_product(tuple(map(_plain, term))) for term in terms)
            found.setdefault(frozenset(cells.items()), {})[total] = name
    return found


def _said(name: str, domain: Domain, point: Point) -> Iterator[tuple[Any, Any, Any]]:
    for terms, total in domain.equations(point) if domain.equations else ():
        yield terms, _symbol(_plain(total)), _value(total, point)
    for group in domain.whole_groups(point[name]) if domain.whole_groups else ():
        yield [((name, *path),) for path in group], sp.Integer(1), 1


def _value(path: Iterable[Any], point: Point) -> Any:
    return Entry(*path).value(point)


@lru_cache(maxsize=100_000)
def _product(paths: tuple[tuple[Any, ...], ...]) -> Any:
    return sp.Mul(*(_symbol(path) for path in paths))


def of_each(examiner: Examiner, fold: Fold, replay: Replay) -> tuple[list[Fact], list[Fact]]:
    """Transfer facts about all instances to the elements of a fold and of its inner lists, and return them.

    Every element must be an instance of its point.

    Raises:
        NotAnchoredError: an element is not an instance of its point.
    """
    outer = [(instance, element) for instance, element, _ in replay.walked]
    inner = [(instance, {**element, **part}) for instance, element, parts in replay.walked for part in parts]
    return _of(examiner, fold.each, outer), _of(examiner, fold.inner.each if fold.inner else {}, inner)


def _of(
    examiner: Examiner, each: Mapping[str, str], elements: Sequence[tuple[Instance, Mapping[str, Any]]]
) -> list[Fact]:
    if not each:
        return []
    names = {name: sp.Symbol(new) for name, new in each.items()}
    here: dict[int, set[Any]] = {}
    for instance in examiner.instances:
        here.setdefault(instance.key, set()).add(_identity_of({n: instance.given[n] for n in each}, names))
    for instance, given in elements:
        if _identity_of({name: given[new] for name, new in each.items()}, {}) not in here[instance.key]:
            raise NotAnchoredError(f"an element of the list is no instance: received {given}")
    known = [fact for fact in examiner.facts if fact.relation.names() and fact.relation.names() <= names.keys()]
    return [Fact(fact.relation.renamed(names), "of every instance") for fact in known]


def _identity_of(given: Mapping[str, Any], names: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the key that identifies an instance: its entries and flags, and its expressions in names of elements.

    Raises:
        NotAnchoredError: an expression uses other names, which may have another meaning for an element.
    """
    change = {sp.Symbol(name): new for name, new in names.items()}
    told = []
    for quantity in given.values():
        if isinstance(quantity, (str, sp.Expr)):
            said = expression(quantity)
            if names and not _names(said) <= names.keys():
                raise NotAnchoredError(f"an expression in names that are not those of each element: received {said}")
            told.append(said.xreplace(change))
        elif isinstance(quantity, Entry):
            told.append(_plain(quantity.path))
        elif isinstance(quantity, Flag):
            told.append(bool(quantity.up))
        else:
            raise NotAnchoredError(f"an instance is identified by entries, expressions and flags: received {quantity}")
    return tuple(told)
