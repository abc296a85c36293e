"""The run on symbols: prove a claim at every shape of the sweep by comparing the results of both sides.

A shape consists of the numbers of rows and columns, the integers and the texts of a point. At a shape every fraction of
the point is a symbol of its own. The function of the rows runs on these symbols. If the stated and the true values
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

from rropt.claims.claim import Claim, Condition, Proof, sides
from rropt.claims.claim_sweeps import BothValues, ClaimForm
from rropt.claims.domains import Point, not_drawn
from rropt.claims.rational_functions import fraction_in
from rropt.claims.relations import Relation, contradicts, implies
from rropt.claims.stated_values import StatedBound
from rropt.claims.symbolic_runs.entry_numbers import EntryNumber, EntryRing, EntryRun, RunEndedError
from rropt.claims.symbolic_runs.entry_signs import Range, RemainingWork, Signs, TooMuchWorkError, slope_of
from rropt.claims.symbolic_runs.runs import run_at
from rropt.claims.symbolic_runs.shapes import (
    NotProvedError,
    eliminated,
    leaves_of,
    numbers_of,
    shape_text,
    shapes_of,
)
from rropt.claims.symbolic_runs.white_list import refusal
from rropt.core.certificates import Certificate

_MOST_SHAPES = 800
_MOST_LEAVES = 120
_MAXIMA = (6, 40)  # numbers of symbols for maxima: more symbols make every operation slower
_MOST_WITNESSES = 12  # points of a shape at which the facts of a branch are evaluated
_MOST_RUNS = 96  # branches at one shape
_MOST_TRIED = 400  # branches at one shape, including those on which a condition is false
_PROOFS = 24  # attempts with Handelman sums for a claim
_DIVISOR_PROOFS = 2  # the same, for a divisor whose sign is not known at once
_GOALS = {"equality": (1, "="), "at-most": (1, ">="), "less": (1, ">"), "at-least": (-1, ">="), "greater": (-1, ">")}


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
            slope = slope_of(polynomial, i)
            if slope is not None and slope < 0:
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
        found = next((sign for sign in (">", ">=") if sign in signs), "")
        if signs <= {"<", "<=", "="}:
            found = "<" if signs == {"<"} else "<="
        if found:
            self.signs.add(symbol, found)
        for above, below in ring.parts[i - ring.leaves]:
            self.signs.add((symbol * below - above) * (below if not below.is_constant() else ring.one), ">=")


@dataclass(slots=True)
class _State:
    """What the runs at all shapes share.

    Attributes:
        claim: the claim.
        form: the form of it that is to be proved: as printed, with its missing assumption, or corrected.
        kind: the kinds of bounds that the statement contains, the same at all points of the sweep.
        left_out: the places of conditions that cannot be run on symbols, or that branch too often.
        undefined: whether a side may be undefined at points of a shape.
        budget: the work that is left.
        kept: the certificates so far.
    """

    claim: Claim
    form: ClaimForm
    kind: Any
    left_out: set[int] = field(default_factory=set)
    undefined: bool = False
    budget: RemainingWork = field(default_factory=lambda: RemainingWork(_PROOFS))
    kept: list[tuple[str, Certificate]] = field(default_factory=list)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of the form, and those under which it is defined."""
        return (*self.form.conditions, *self.claim.defined)


def prove_on_symbols(claim: Claim, form: ClaimForm, results: Sequence[BothValues]) -> Proof:
    """Prove a form of a claim at every shape of the sweep.

    Args:
        claim: the claim.
        form: the form that is proved.
        results: the results of the sweep, at every admissible point.

    Raises:
        NotProvedError: the claim is not proved at some shape; the message contains the reason.
    """
    shapes = shapes_of(each.point for each in results)
    if len(shapes) > _MOST_SHAPES:
        raise NotProvedError(f"{len(shapes)} shapes are too many")
    if type(form.rows) is FunctionType and (reason := refusal(form.rows)):  # before conditions that branch often
        raise NotProvedError(reason)
    state = _State(claim, form, _strengths(results[0].says))
    names = list(claim.sizes or claim.variables)
    for points in shapes.values():
        try:
            _prove(state, points)
        except NotProvedError as reason:
            at = shape_text(list(claim.variables), [points]) if len(shapes) > 1 else ""
            raise NotProvedError(f"{reason}; {at}" if at else str(reason)) from None
    # a certificate without a witness point may belong to an empty case; it is kept only if it proves the case empty
    kept = [
        (name, each)
        for name, each in state.kept
        if not each.check().note or (each.problem.get("left"), each.claim.get("relation")) == ("0", ">")
    ]
    text = shape_text(names, list(shapes.values()))
    return Proof(_scope(state, text, list(shapes.values())), "", tuple(kept), sizes=text)


def _scope(state: _State, sizes: str, shapes: Sequence[Sequence[Point]]) -> str:
    """Return the points for which the claim is proved: its domains, its conditions and the shapes of the sweep."""
    variables = state.claim.variables
    whole = [{name} for name in state.claim.sizes or variables if type(shapes[0][0][name]) is int]
    said = [each for each in _relations(state) if each.names() not in whole]  # the sizes say what these say
    strict = {(each.left, each.right) for each in said if each.sign == ">"}
    parts = [str(each) for each in said if each.sign != ">=" or (each.left, each.right) not in strict]
    parts += [f"{name}: {domain.meaning}" for name, domain in variables.items() if not domain.relation]
    for name, domain in variables.items():
        if domain.draw is not_drawn:  # a type, whose meaning says what its entries satisfy
            continue
        for path, said_of in domain.entries.items():
            facts = " and ".join(map(str, said_of))
            parts.append(f"every entry x of {'.'.join(map(str, (name, *path)))} has {facts}")
        if domain.whole_groups:
            parts.append(f"groups of entries of {name} that sum to 1")
    parts += [condition.text for condition in state.conditions if not condition.relation]
    listed = ", ".join(dict.fromkeys(parts))
    text = f"all points with {listed}" if parts else "all points at which both sides are defined"
    if sizes:
        return f"{text}; {len(shapes)} shapes with {sizes}, where both sides are defined"
    return f"{text}; where both sides are defined" if state.undefined and parts else text


def _relations(state: _State) -> list[Relation]:
    """Return the relations of domains and conditions, in the names of the variables."""
    own = [
        relation.renamed({"x": sp.Symbol(name)})
        for name, domain in state.claim.variables.items()
        for relation in domain.relation
    ]
    return own + [relation for condition in state.conditions for relation in condition.relation]


def _require_facts(
    points: Sequence[Point], said: Sequence[Relation], leaves: Mapping[Any, Any], symbols: Mapping[Any, Any]
) -> None:
    """Check at the points of a shape what its proof uses: the relations, and the entries that others determine.

    Raises:
        NotProvedError: one of them is false at a point.
    """
    equal = [Relation(x, "=", leaves[path]) for path, x in symbols.items() if leaves[path] != x]
    for point in points:
        values = {str(symbols[path]): value for path, value in numbers_of(point).items()}
        for relation in (*said, *equal):
            if not relation.holds(values):
                raise NotProvedError(f"the relation {relation} is false at a point of the claim")


def _prove(state: _State, points: Sequence[Point]) -> None:
    """Prove the claim at one shape; first with few symbols for maxima, then with more."""
    for most in _MAXIMA:
        count = len(state.kept)
        try:
            return _prove_with(state, points[0], _entries(state, points, most))
        except NotProvedError as reason:
            if str(reason) != "too many maxima" or most == _MAXIMA[-1]:
                raise
            del state.kept[count:]
    return None


def _prove_with(state: _State, point: Point, start: tuple[Signs, dict[Any, Any]]) -> None:
    """Run the rows on every branch at one shape, and compare the results at the end of each branch."""
    base, entries = start
    base.budget = state.budget
    waiting: list[tuple[bool, ...]] = [()]
    runs = tried = compared = 0
    while waiting:
        branch = _Branch(base.copy(), list(waiting.pop()), waiting)
        run, leaves = _run_of(branch, entries)
        if (tried := tried + 1) == _MOST_TRIED:
            state.left_out.update(range(len(state.conditions)))
        met = _conditions_met(state, point, branch, entries)
        if met is None or tried == _MOST_TRIED:  # restart without the conditions that cannot run or branch too often
            waiting = [()]
        if not met or tried == _MOST_TRIED:
            continue
        if (runs := runs + 1) > _MOST_RUNS:
            raise NotProvedError("too many branches")
        try:
            says, is_ = sides(run_at(state.form.rows, point, leaves, run))
        except (RunEndedError, TypeError, ValueError) as reason:
            if _is_empty(branch.signs):
                continue
            raise NotProvedError(run.ended or str(reason)) from None
        except ZeroDivisionError:
            state.undefined = True
            continue  # a side is undefined on this branch
        if run.ended:
            raise NotProvedError(run.ended)
        if _strengths(says) != state.kind and not _is_empty(branch.signs):
            raise NotProvedError("another kind of bound on a branch")
        if not state.undefined:
            state.undefined = not all(_is_not_zero(branch.signs, divisor) for divisor in run.divisors)
        if any(branch.signs.put(divisor).is_zero() for divisor in run.divisors):
            continue  # a divisor is 0 wherever this branch is taken, so the side is undefined there
        compared += 1
        try:
            _compare(run, branch.signs, says, is_, state.kept)
        except NotProvedError:
            if not _is_empty(branch.signs):
                raise
        except RunEndedError as reason:
            raise NotProvedError(str(reason)) from None
    if not compared:  # the point itself has values, so a branch was lost
        raise NotProvedError("no branch on which both sides have values")


def _is_not_zero(signs: Signs, divisor: Any) -> bool:
    """Return whether the facts of a branch prove that a divisor is not 0; the work is charged to another budget."""
    tried = signs.copy()
    tried.budget = RemainingWork(_DIVISOR_PROOFS)
    try:
        if implies(tried.sign(divisor), "!="):
            return True
        return any(tried.proves(turn * divisor, ">", "a divisor") for turn in (1, -1))
    except TooMuchWorkError:
        return False


def _run_of(branch: _Branch, entries: Mapping[Any, Any]) -> tuple[EntryRun, dict[Any, EntryNumber]]:
    """Return a run on a branch, and the symbolic number of each entry."""
    run = EntryRun(branch)
    return run, {path: EntryNumber(above, below, run) for path, (above, below) in entries.items()}


def _conditions_met(
    state: _State, point: Mapping[str, Any], branch: _Branch, entries: Mapping[Any, Any]
) -> bool | None:
    """Run the conditions that are functions, so the facts of a branch include the outcomes of their comparisons.

    Returns:
        Whether all conditions are true on the branch; None if one of them cannot run on symbols. That condition is
        omitted from then on. The proof then covers all points that satisfy the other conditions.
    """
    for number, condition in enumerate(state.conditions):
        if condition.relation or number in state.left_out:
            continue
        run, leaves = _run_of(branch, entries)
        try:
            met: Any = run_at(condition.holds, point, leaves, run)
        except (RunEndedError, ZeroDivisionError):
            met = None
        if run.ended or type(met) is not bool:
            state.left_out.add(number)
            return None
        if not met:
            return False
    return True


def _strengths(says: Any) -> Any:
    """Return the strength (kind of comparison) of each part of a statement."""
    if isinstance(says, StatedBound):
        return says.strength
    if isinstance(says, Mapping):
        return {key: _strengths(part) for key, part in says.items()}
    return [_strengths(part) for part in says] if type(says) in (tuple, list) else ""


def _is_empty(signs: Signs) -> bool:
    """Return whether it is proved that no point takes the branch."""
    if signs.impossible:
        return True
    return not signs.is_met and signs.proves(signs.ring.one, "=", "a branch that is never taken")


def _entries(
    state: _State, points: Sequence[Mapping[str, Any]], maxima: int
) -> tuple[Signs, dict[tuple[Any, ...], Any]]:
    """Return the facts that domains and conditions imply at a shape, and the numbers of the entries in its symbols."""
    point = points[0]
    leaves = leaves_of(point)
    if not leaves:
        raise NotProvedError("no entry is a symbol: every value is a shape of its own")
    if len(leaves) > _MOST_LEAVES:
        raise NotProvedError(f"{len(leaves)} entries at one shape are too many")
    symbols = dict(leaves)
    eliminated(state.claim.variables, points, leaves)
    free = [path for path in symbols if leaves[path] == symbols[path]]
    said = _said(state, point, symbols)
    _require_facts(points, said, leaves, symbols)
    ring = EntryRing([symbols[path] for path in free], maxima)
    ring.points = [
        [fmpq(x.numerator, x.denominator) for x in map(numbers_of(each).__getitem__, free)]
        for each in points[:_MOST_WITNESSES]
    ]
    values: dict[Any, Any] = {**dict(zip(ring.names, ring.generators, strict=False)), None: ring.one}
    signs = Signs(ring, [Range()] * len(ring.generators))
    entries = {path: fraction_in(sp.expand(leaves[path]), values) for path in leaves}
    for path, x in symbols.items():
        values[x] = entries[path][0]
    for relation in said:
        above, below = fraction_in(relation.difference, values)
        if not above.is_constant() or not below.is_constant() or relation.sign:
            signs.add(above * below if relation.sign in (">", ">=") else above, relation.sign)
    return signs, entries


def _said(state: _State, point: Mapping[str, Any], symbols: Mapping[tuple[Any, ...], Any]) -> list[Relation]:
    """Return the facts about the entries: those of the domains, and the conditions on variables that are numbers."""
    found: list[Relation] = []
    names = {name: symbols.get((name,), None) for name in point}
    names |= {name: sp.Integer(value) for name, value in point.items() if type(value) is int}
    known = {name: value for name, value in names.items() if value is not None}
    for path, x in symbols.items():
        domain = state.claim.variables[path[0]]
        listed = list(domain.relation) if len(path) == 1 else []
        for pattern, relations in domain.entries.items():
            if len(path) > 1 and path[1 : 1 + len(pattern)] == pattern:
                listed += relations
        for relation in listed:
            if relation.names() - {"x"} <= known.keys():
                found.append(relation.renamed({**known, "x": x}))
    for condition in state.conditions:
        found += [r.renamed(known) for r in condition.relation if r.names() <= known.keys()]
    return found


def _compare(run: EntryRun, signs: Signs, says: Any, is_: Any, kept: list[Any], strength: str = "equality") -> None:
    """Compare the results of the two sides on one branch.

    Raises:
        NotProvedError: the facts do not imply that the results compare as the claim states.
    """
    if isinstance(says, StatedBound):
        _compare(run, signs, says.value, is_, kept, says.strength)
    elif isinstance(says, Mapping) and isinstance(is_, Mapping):
        if says.keys() != is_.keys():
            raise NotProvedError("other parts on a branch")
        for key in says:
            try:
                _compare(run, signs, says[key], is_[key], kept, strength)
            except NotProvedError as reason:
                raise NotProvedError(f"{key}: {reason}") from None
    elif type(says) in (tuple, list) and type(is_) in (tuple, list):
        if len(says) != len(is_):
            raise NotProvedError("other parts on a branch")
        for one, other in zip(says, is_, strict=True):
            _compare(run, signs, one, other, kept, strength)
    elif type(says) in (EntryNumber, int, Fraction) and type(is_) in (EntryNumber, int, Fraction):
        _compare_numbers(run, signs, strength, says, is_, kept)
    elif type(says) in (bool, str, type(None)) and type(is_) is type(says):
        if says != is_ or strength != "equality":
            raise NotProvedError("another answer on a branch")
    elif inf in (says, is_) if float in (type(says), type(is_)) else False:
        if not (says == is_ if strength == "equality" else strength == "at-most" and says == inf):
            raise NotProvedError("a side is infinite on a branch")
    else:
        raise NotProvedError(f"a value of the type {type(is_).__name__}, which is not compared on symbols")


def _compare_numbers(run: EntryRun, signs: Signs, strength: str, says: Any, is_: Any, kept: list[Any]) -> None:
    if strength not in _GOALS:
        raise NotProvedError(f"numbers do not compare so: received {strength}")
    turn, sign = _GOALS[strength]
    goal = EntryNumber(run.ring.constant(0), run.ring.one, run).lifted(says).compared(is_, sign, turn)
    is_equation = sign == "="
    if not signs.proves(goal, sign, "equal" if is_equation else f"computed {strength} theory", kept):
        told = "another expression" if is_equation else "an inequality that does not follow"
        raise NotProvedError(f"{told} on a branch")
