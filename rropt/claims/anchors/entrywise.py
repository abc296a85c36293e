"""Prove a claim at every shape of the sweep, with one symbol for each entry, by comparing the results of both sides.

A shape consists of the numbers of rows and columns, the integers and the texts of a point. At a shape every fraction of
the point is a symbol of its own. Both sides run on the same symbols and take the same branches. If the two results
compare as the claim states at the end of every reachable branch, the claim is proved for all values of the entries at
this shape. No intermediate expression is needed. The page ``docs/developers/entry-by-entry.md`` contains the argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from types import FunctionType
from typing import Any

import sympy as sp
from flint import fmpq

from rropt.claims.anchors.declarations import Entrywise
from rropt.claims.anchors.entry_numbers import EntryNumber, EntryRun, Ring
from rropt.claims.anchors.entry_signs import Budget, Range, Signs, TooMuchWorkError, contradicts, implies
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.instances import Instance
from rropt.claims.anchors.links import link_at_shapes, of_both
from rropt.claims.anchors.shape_links import (
    MAXIMUM,
    NotAtShapesError,
    eliminated,
    key_of,
    leaves_of,
    points_of,
    shapes_of,
    words,
)
from rropt.claims.anchors.tracing import TraceEndedError, run_at
from rropt.claims.anchors.white_list import refusal
from rropt.claims.comparisons import Bound
from rropt.claims.positivity.expressions import fraction_in
from rropt.claims.relations import Relation
from rropt.core.errors import InvalidParameterError

_MOST_SHAPES = 800
_MOST_LEAVES = 120
_MAXIMA = (6, 40)  # numbers of symbols for maxima: more symbols make every operation slower
_MOST_WITNESSES = 12  # points of a shape at which the facts of a branch are evaluated
_MOST_RUNS = 96  # branches at one shape
_MOST_TRIED = 400  # branches at one shape, including those on which a condition is false
_PROOFS = 24  # attempts with Handelman sums for a claim
_DIVISOR_PROOFS = 2  # the same, for a divisor whose sign is not known at once
_EQUAL = ("equality", "iff", "unique", "as-printed")
_GOALS = {"at-most": (1, ">="), "less": (1, ">"), "at-least": (-1, ">="), "greater": (-1, ">")}


@dataclass(slots=True)
class _Branch:
    """One run of both sides: its facts and the outcomes of the undecided comparisons."""

    signs: Signs
    answers: list[bool]
    waiting: list[tuple[bool, ...]]
    asked: dict[tuple[str, str], bool] = field(default_factory=dict)
    used: int = 0
    met: set[str] = field(default_factory=set)

    def decide(self, polynomial: Any, sign: str) -> bool:
        """Return the truth value of a comparison.

        If the facts do not decide it and it was not decided before, the run continues with one value, and a second run
        with the other value is queued.
        """
        known = self.signs.sign(polynomial)
        if implies(known, sign):
            return True
        if contradicts(known, sign):
            return False
        key = str(polynomial), sign
        if key not in self.asked:
            if self.used >= len(self.answers):
                self.answers.append(True)
                self.waiting.append((*self.answers[:-1], False))
            answer = self.answers[self.used]
            self.used += 1
            self.asked[key] = answer
            self._learn(polynomial, sign, answer=answer)
        return self.asked[key]

    def _learn(self, polynomial: Any, sign: str, *, answer: bool) -> None:
        if answer:
            said = polynomial, sign
        elif sign == "=":
            said = polynomial, "!="
        else:
            said = -polynomial, ">" if sign == ">=" else ">="
        self.signs.add(*said)
        if sign != "=" or answer:
            self._of_parts(said[0], ">=" if said[1] == "=" else said[1])

    def _of_parts(self, polynomial: Any, sign: str) -> None:
        """Transfer an upper bound of a maximum to its parts, and recursively to the parts of parts that are maxima."""
        ring = self.signs.ring
        for i in range(ring.leaves, ring.leaves + len(ring.parts)):
            slope = polynomial.derivative(i)
            if polynomial.degrees()[i] == 1 and slope.is_constant() and slope.leading_coefficient() < 0:
                rest = polynomial - slope * ring.generators[i]
                for above, below in ring.parts[i - ring.leaves]:
                    part = (slope * above + rest * below) * below
                    self.signs.add(part, sign)
                    self._of_parts(part, sign)

    def told(self, symbol: Any) -> None:
        """Add the fact that a maximum is at least each of its parts."""
        if str(symbol) in self.met:
            return
        self.met.add(str(symbol))
        ring = self.signs.ring
        i = ring.generators.index(symbol)
        signs = {self.signs.sign(above * below) for above, below in ring.parts[i - ring.leaves]}
        shown = sp.Symbol(f"{MAXIMUM}{i - ring.leaves}")
        strict = ">" in signs
        self.signs.ranges[i] = Range(low=not strict, free=not (strict or ">=" in signs), shown=shown)
        if signs <= {"<", "<=", "="}:
            self.signs.add(symbol, "<" if signs == {"<"} else "<=")
        for above, below in ring.parts[i - ring.leaves]:
            self.signs.add((symbol * below - above) * (below if not below.is_constant() else ring.one), ">=")


def tied_entry_by_entry(examiner: Examiner) -> str:
    """Prove the claim at every shape of the sweep; return a description of the shapes.

    Raises:
        NotAtShapesError: the claim is not proved at some shape; the message contains the reason.
    """
    shapes = shapes_of(examiner)
    if len(shapes) > _MOST_SHAPES:
        raise NotAtShapesError(f"{len(shapes)} shapes are too many")
    _require(examiner)
    for side in (examiner.form.theory, examiner.form.computed):  # before the conditions, since these may branch often
        if type(side) is FunctionType and (reason := refusal(side)):
            raise NotAtShapesError(reason)
    budget, kept = Budget(_PROOFS), list[Any]()
    points = points_of(examiner, _MOST_WITNESSES)
    for key, instances in shapes.items():
        _prove(examiner, instances[0], points[key], (budget, kept))
    # a certificate without a witness point may belong to an empty case; it is kept only if it proves the case empty
    refutes = "0"
    examiner.found.certificates += [
        (name, each) for name, each in kept if not each.check().note or each.problem.get("polynomial") == refutes
    ]
    return words(examiner, shapes)


def _require(examiner: Examiner) -> None:
    """Check the domains' statements about entries and about groups that sum to 1 at all points of the sweep.

    Raises:
        NotAtShapesError: a statement is false at a point.
    """
    groups: dict[Any, list[Any]] = {}  # by shape and variable
    for point, _, _ in examiner.form.results:
        for name, domain in examiner.form.variables.items():
            if domain.entries or domain.whole_groups:
                values = values_at(point[name], (name,))
                for path, value in values.items():
                    for pattern, relations in domain.entries.items():
                        if path[1 : 1 + len(pattern)] == pattern and not all(
                            relation.holds({"x": Fraction(value)})
                            for relation in relations
                            if relation.names() <= {"x"}
                        ):
                            raise NotAtShapesError(f"an entry of {name} is not as its domain says")
                listed = list(domain.whole_groups(point[name])) if domain.whole_groups else []
                if groups.setdefault((key_of(point[name]), name), listed) != listed:
                    raise NotAtShapesError(f"the groups of {name} differ from value to value of one shape")
                for group in listed:
                    if sum(values[(name, *path)] for path in group) != 1:
                        raise NotAtShapesError(f"a group of {name} does not sum to 1, as its domain says")


def values_at(value: Any, path: tuple[Any, ...]) -> dict[tuple[Any, ...], Any]:
    """Return the numbers inside a nested value, indexed by path."""
    if isinstance(value, Mapping):
        return {p: x for key, part in value.items() for p, x in values_at(part, (*path, key)).items()}
    if isinstance(value, (tuple, list)):
        return {p: x for place, part in enumerate(value) for p, x in values_at(part, (*path, place)).items()}
    return {path: value} if type(value) in (int, Fraction) else {}


def _prove(
    examiner: Examiner, instance: Instance, points: Sequence[Mapping[str, Any]], found: tuple[Budget, list[Any]]
) -> None:
    """Prove the claim at one shape; first with few symbols for maxima, then with more."""
    budget, kept = found
    for most in _MAXIMA:
        count = len(kept)
        try:
            return _prove_with(examiner, instance, _entries(examiner, points, most), (budget, kept))
        except NotAtShapesError as reason:
            if str(reason) != "too many maxima" or most == _MAXIMA[-1]:
                raise
            del kept[count:]
    return None


def _prove_with(
    examiner: Examiner, instance: Instance, start: tuple[Signs, dict[Any, Any]], found: tuple[Budget, list[Any]]
) -> None:
    """Run both sides on every branch at one shape, and compare the results at the end of each branch."""
    point = {name: instance.point[name] for name in examiner.form.variables}
    (base, entries), (budget, kept) = start, found
    base.budget = budget
    waiting: list[tuple[bool, ...]] = [()]
    runs = tried = compared = 0
    left_out = examiner.traces.setdefault("conditions that cannot be run", set())
    while waiting:
        branch = _Branch(base.copy(), list(waiting.pop()), waiting)
        run, leaves = _run_of(branch, entries)
        if (tried := tried + 1) == _MOST_TRIED:
            left_out.update(range(len(examiner.form.conditions)))
        met = _conditions_met(examiner, point, branch, (entries, left_out))
        if met is None or tried == _MOST_TRIED:  # restart without the conditions that cannot run or branch too often
            waiting = [()]
        if not met or tried == _MOST_TRIED:
            continue
        if (runs := runs + 1) > _MOST_RUNS:
            raise NotAtShapesError("too many branches")
        try:
            sides = [
                run_at(function, point, leaves, EntryNumber, run.end, {max: run.largest, min: run.least})
                for function in (examiner.form.theory, examiner.form.computed)
            ]
        except TraceEndedError as reason:
            if _is_empty(branch.signs):
                continue
            raise NotAtShapesError(run.ended or str(reason)) from None
        except ZeroDivisionError:
            examiner.found.undefined = True
            continue  # a side is undefined on this branch
        if run.ended:
            raise NotAtShapesError(run.ended)
        if _strengths(sides[0]) not in _kinds(examiner) and not _is_empty(branch.signs):
            raise NotAtShapesError("another kind of bound on a branch")
        if not examiner.found.undefined:
            examiner.found.undefined = not all(_is_not_zero(branch.signs, divisor) for divisor in run.divisors)
        if any(branch.signs.put(divisor).is_zero() for divisor in run.divisors):
            continue  # a divisor is 0 wherever this branch is taken, so the side is undefined there
        compared += 1
        try:
            _compare(run, branch.signs, examiner.form.strength, sides[0], sides[1], kept)
        except NotAtShapesError:
            if not _is_empty(branch.signs):
                raise
        except TraceEndedError as reason:
            raise NotAtShapesError(str(reason)) from None
    if not compared:  # the point itself has values, so a branch was lost
        raise NotAtShapesError("no branch on which both sides have values")


def _is_not_zero(signs: Signs, divisor: Any) -> bool:
    """Return whether the facts of a branch prove that a divisor is not 0; the work is charged to another budget."""
    tried = signs.copy()
    tried.budget = Budget(_DIVISOR_PROOFS)
    try:
        if divisor.is_constant() or tried.sign(divisor) in (">", "<", "!="):
            return True
        return any(tried.proves(turn * divisor, ">", "a divisor") for turn in (1, -1))
    except TooMuchWorkError:
        return False


def _run_of(branch: _Branch, entries: Mapping[Any, Any]) -> tuple[EntryRun, dict[Any, EntryNumber]]:
    """Return a run on a branch, and the symbolic number of each entry."""
    signs = branch.signs
    run = EntryRun(signs.ring, signs.budget.spend, signs.sign, branch.decide, branch.told, _stop)
    return run, {path: EntryNumber(above, below, run) for path, (above, below) in entries.items()}


def _conditions_met(
    examiner: Examiner, point: Mapping[str, Any], branch: _Branch, symbols: tuple[Mapping[Any, Any], set[int]]
) -> bool | None:
    """Run the conditions that are functions, so the facts of a branch include the outcomes of their comparisons.

    Returns:
        Whether all conditions are true on the branch; None if one of them cannot run on symbols. That condition is
        omitted from then on. The proof then covers all points that satisfy the other conditions.
    """
    entries, left_out = symbols
    for number, condition in enumerate(examiner.form.conditions):
        if condition.relation or condition.law is not None or number in left_out:
            continue
        run, leaves = _run_of(branch, entries)
        instead = {max: run.largest, min: run.least}
        try:
            met: Any = run_at(condition.holds, point, leaves, EntryNumber, run.end, instead)
        except (TraceEndedError, ZeroDivisionError):
            met = None
        if run.ended or type(met) is not bool:
            left_out.add(number)
            return None
        if not met:
            return False
    return True


def _kinds(examiner: Examiner) -> list[Any]:
    """Return the kinds of bounds that the statement contains at the points of the sweep."""
    if "kinds" not in examiner.traces:
        found: list[Any] = []
        for each in examiner.instances:
            if (kind := _strengths(each.says)) not in found:
                found.append(kind)
        examiner.traces["kinds"] = found
    kinds: list[Any] = examiner.traces["kinds"]
    return kinds


def _strengths(says: Any) -> Any:
    """Return the strength (kind of comparison) of each part of a statement."""
    if isinstance(says, Bound):
        return says.strength
    if isinstance(says, Mapping):
        return {key: _strengths(part) for key, part in says.items()}
    return [_strengths(part) for part in says] if type(says) in (tuple, list) else ""


def _stop(reason: str) -> Any:
    raise TraceEndedError(reason)


def _is_empty(signs: Signs) -> bool:
    """Return whether it is proved that no point takes the branch."""
    name = "a branch that is never taken"
    if signs.impossible:
        return True
    if signs.is_met:
        return False
    again = signs.renewed()
    return again.impossible or again.refuted_at_once(name) or signs.proves(signs.ring.one, "=", name)


def _entries(
    examiner: Examiner, points: Sequence[Mapping[str, Any]], maxima: int
) -> tuple[Signs, dict[tuple[Any, ...], Any]]:
    """Return the facts that domains and conditions imply at a shape, and the numbers of the entries in its symbols."""
    point = points[0]
    leaves = leaves_of(point)
    if not leaves:
        raise NotAtShapesError("no entry is a symbol: every value is a shape of its own")
    if len(leaves) > _MOST_LEAVES:
        raise NotAtShapesError(f"{len(leaves)} entries at one shape are too many")
    symbols = dict(leaves)
    eliminated(examiner, point, leaves)
    free = [path for path in symbols if leaves[path] == symbols[path]]
    said = _said(examiner, point, symbols)
    ring = Ring(len(free), maxima)
    ring.points = [[] for _ in points]
    known = [{name: values_at(value, (name,)) for name, value in each.items()} for each in points]
    ranges: list[Range] = []
    values: dict[Any, Any] = {None: ring.one}
    for i, path in enumerate(free):
        x = symbols[path]
        one, start, turn = _range(x, said)
        ranges.append(one)
        for listed, each in zip(ring.points, known, strict=True):
            listed.append(_rational((Fraction(each[path[0]][path]) - start) * turn))
        values[x] = ring.generators[i] * turn + ring.constant(start)
    ranges += [Range(free=True, shown=sp.Symbol(f"{MAXIMUM}{i}")) for i in range(maxima)]
    signs = Signs(ring, ranges)
    entries = {path: fraction_in(sp.expand(leaves[path]), values) for path in leaves}
    for path, x in symbols.items():
        values[x] = entries[path][0]
    for relation in said:
        above, below = fraction_in(relation.difference, values)
        if not above.is_constant() or not below.is_constant() or relation.sign:
            signs.add(above * below if relation.sign in (">", ">=") else above, relation.sign)
    return signs, entries


def _said(examiner: Examiner, point: Mapping[str, Any], symbols: Mapping[tuple[Any, ...], Any]) -> list[Relation]:
    """Return the facts about the entries: those of the domains, and the conditions on variables that are numbers."""
    found: list[Relation] = []
    names = {name: symbols.get((name,), None) for name in point}
    names |= {name: sp.Integer(value) for name, value in point.items() if type(value) is int}
    known = {name: value for name, value in names.items() if value is not None}
    for path, x in symbols.items():
        domain = examiner.form.variables[path[0]]
        listed = list(domain.relation) if len(path) == 1 else []
        for pattern, relations in domain.entries.items():
            if len(path) > 1 and path[1 : 1 + len(pattern)] == pattern:
                listed += relations
        for relation in listed:
            if relation.names() - {"x"} <= known.keys():
                found.append(relation.renamed({**known, "x": x}))
    for condition in examiner.form.conditions:
        if condition.law is None:
            found += [r.renamed(known) for r in condition.relation if r.names() <= known.keys()]
    return found


def _range(x: Any, said: Sequence[Relation]) -> tuple[Range, Fraction, int]:
    """Return the range of the generator of a symbol, and (start, turn) with symbol = start + turn * generator."""
    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    for relation in said:
        if relation.sign not in (">", ">=") or relation.difference.free_symbols != {x}:
            continue
        slope = sp.expand(relation.difference).coeff(x, 1)
        rest = sp.expand(relation.difference - slope * x)
        if rest.free_symbols or not slope.is_Rational or slope == 0:
            continue
        end = Fraction(int((-rest / slope).p), int((-rest / slope).q))
        closed = relation.sign == ">="
        if slope > 0 and (low is None or (end, not closed) > (low[0], not low[1])):
            low = end, closed
        if slope < 0 and (high is None or (end, closed) < (high[0], high[1])):
            high = end, closed
    if low is None and high is None:
        return Range(free=True, shown=x), Fraction(0), 1
    if low is None:
        assert high is not None
        return Range(None, high[1], shown=_number(high[0]) - x), high[0], -1
    width = None if high is None else high[0] - low[0]
    if width is not None and width <= 0:
        return Range(free=True, shown=x), Fraction(0), 1
    return Range(width, low[1], high is None or high[1], shown=x - _number(low[0])), low[0], 1


def _rational(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)


def _number(value: Fraction) -> Any:
    return sp.Rational(value.numerator, value.denominator)


def _compare(run: EntryRun, signs: Signs, strength: str, says: Any, is_: Any, kept: list[Any]) -> None:
    """Compare the results of the two sides on one branch.

    Raises:
        NotAtShapesError: the facts do not imply that the results compare as the claim states.
    """
    if isinstance(says, Bound):
        _compare(run, signs, says.strength, says.value, is_, kept)
    elif isinstance(says, Mapping) and isinstance(is_, Mapping):
        if says.keys() != is_.keys():
            raise NotAtShapesError("other parts on a branch")
        for key in says:
            _compare(run, signs, strength, says[key], is_[key], kept)
    elif type(says) in (tuple, list) and type(is_) in (tuple, list):
        if len(says) != len(is_):
            raise NotAtShapesError("other parts on a branch")
        for one, other in zip(says, is_, strict=True):
            _compare(run, signs, strength, one, other, kept)
    elif type(says) in (EntryNumber, int, Fraction) and type(is_) in (EntryNumber, int, Fraction):
        _compare_numbers(run, signs, strength, says, is_, kept)
    elif type(says) in (bool, str, type(None)) and type(is_) is type(says):
        if says != is_ or strength not in _EQUAL:
            raise NotAtShapesError("another answer on a branch")
    elif inf in (says, is_) if float in (type(says), type(is_)) else False:
        if not (says == is_ if strength in _EQUAL else strength == "at-most" and says == inf):
            raise NotAtShapesError("a side is infinite on a branch")
    else:
        raise NotAtShapesError(f"a value of the type {type(is_).__name__}")


def _compare_numbers(run: EntryRun, signs: Signs, strength: str, says: Any, is_: Any, kept: list[Any]) -> None:
    zero = EntryNumber(run.ring.constant(0), run.ring.one, run)
    difference = zero + says - is_
    if strength in _EQUAL:
        if not signs.proves(difference.above, "=", "equal", kept):
            raise NotAtShapesError("another expression on a branch")
        return
    if strength not in _GOALS:
        raise NotAtShapesError(f"numbers do not compare so: received {strength}")
    turn, sign = _GOALS[strength]
    goal = difference.above * turn
    if not difference.below.is_constant():
        goal = goal * difference.below
    if not signs.proves(goal, sign, f"computed {strength} theory", kept):
        raise NotAtShapesError("an inequality that does not follow on a branch")


def replace_links(examiner: Examiner) -> str:
    """Where a link is only a sweep, try to prove the claim at every shape; return why not, or an empty text.

    This proof needs no expression between the two sides, so it replaces all links by a sweep.
    """
    found = examiner.found
    alone = [shape for shape in examiner.proof.shapes if isinstance(shape, Entrywise)]
    if not found.swept:
        return "nothing to do"
    try:
        if found.failures or examiner.proof.unanchored:
            raise NotAtShapesError("the proof is not complete")
        if examiner.untied:
            raise NotAtShapesError(examiner.untied)
        shapes = tied_entry_by_entry(examiner)
    except (InvalidParameterError, TypeError, LookupError, ArithmeticError) as reason:
        link_at_shapes(examiner)
        examiner.untied = str(reason)
        found.failures += [f"{of_both(shape)}: not proved at shapes: {reason}" for shape in alone]
        return examiner.untied
    found.anchored += [f"{of_both(shape)}, entry by entry" for shape in alone]
    found.trivial = found.trivial and len(alone) < len(examiner.proof.shapes)
    found.links = [link for link in found.links if ": sweep, " not in link]
    found.swept.clear()
    text = "theory and computed, all parts: run with a symbol for each entry and compared on every branch"
    found.link(f"{text}, {shapes}" if shapes else text, shapes=shapes)
    return ""
