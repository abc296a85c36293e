"""The engine: it links a proof to its claim and proves the obligations of the shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

import sympy as sp

from rropt.claims.anchors.combined import cover
from rropt.claims.anchors.declarations import Greatest, Least, Step, Value
from rropt.claims.anchors.equations import ratio
from rropt.claims.anchors.examination import Anchored, Examination, NotAnchoredError
from rropt.claims.anchors.instances import (
    NAMED,
    RESERVED,
    Instance,
    Origins,
    component,
    entry_facts,
    exp_facts,
    instances_of,
    is_number,
    keys_of,
    number_of,
    require_new,
)
from rropt.claims.anchors.prover import Prover
from rropt.claims.domains import Domain, Point
from rropt.claims.positivity import NoProofError
from rropt.claims.positivity.expressions import quotient
from rropt.claims.relations import Fact, Relation, expression, relations
from rropt.core.errors import RroptError

_ASSUMED = ("domain", "condition", "case", "assumed", "member", "entries of")  # sources of facts
MOST_SAMPLES = 250  # points at which a sign is evaluated before it is proved
THEORY = sp.Symbol("theory")


@dataclass(frozen=True, slots=True)
class Subject:
    """The form of a claim that a proof is about: as printed, with its missing assumption, or corrected.

    Attributes:
        variables: the domains of the variables.
        bound: the domains of the variables that the statement quantifies over.
        conditions: the assumptions, the conditions of well-definedness, and the missing assumption.
        theory, computed: the two sides.
        strength: how the two sides compare.
        results: (point, theory, computed) at every admissible point of the sweep.
        outside: points of the domains that the conditions exclude.
    """

    variables: Mapping[str, Domain]
    bound: Mapping[str, Domain]
    conditions: Sequence[Any]
    theory: Callable[[Point], Any]
    computed: Callable[[Point], Any]
    strength: str
    results: Sequence[tuple[Point, Any, Any]]
    outside: Sequence[Point] = ()


@dataclass(slots=True)
class Examiner:
    """The state of one examination: the facts, the instances, and the results so far."""

    proof: Anchored
    form: Subject
    check: Callable[[Examiner, Any, tuple[Relation, ...]], None]
    induct: Callable[[Examiner, Any, str], None]
    tie_at_shapes: Callable[[Examiner], str]
    found: Examination = field(default_factory=Examination)
    facts: list[Fact] = field(default_factory=list)
    guarded: list[tuple[tuple[Relation, ...], Fact]] = field(default_factory=list)  # facts that need a case
    instances: list[Instance] = field(default_factory=list)
    origins: Origins = field(default_factory=dict)
    elements: list[Fact] = field(default_factory=list)  # facts about the elements of folds
    walked: dict[int, Any] = field(default_factory=dict)  # the replayed lists of each fold
    equations: dict[int, Any] = field(default_factory=dict)  # sums whose values domains state, by id of an instance
    names: dict[Any, set[str]] = field(default_factory=dict)  # the names with a value, by case
    cases: dict[Any, list[Instance]] = field(default_factory=dict)  # the instances of each case
    rational: dict[int, dict[str, Any]] = field(default_factory=dict)  # values of instances in FLINT's rationals, by id
    sums: dict[Any, Any] = field(default_factory=dict)  # cached searches for Handelman sums, None for no result
    traces: dict[Any, Any] = field(default_factory=dict)  # runs of the claim's Python, by side and case
    later: list[Any] = field(default_factory=list)  # sides that are to be linked at shapes
    untied: str = ""  # why an entrywise proof failed at fewer points, if it was tried
    in_shape: bool = False  # whether a shape, rather than a fold or step, is being examined
    own: list[Fact] = field(default_factory=list)  # the relations of domains and conditions, read once

    def continuing(self, before: Examiner) -> Examiner:
        """Take over the results of an examination at fewer points, and return self.

        These are the Handelman sums and the reason why the entrywise proof failed. If it fails at fewer points, it
        also fails at more points.
        """
        self.sums, self.untied = before.sums, before.untied
        return self

    def run(self) -> Examination:
        """Examine the proof; failures are recorded in the result and not raised."""
        own = self._own_facts()
        try:
            self._prepare(own)
            for number, fold in enumerate(self.proof.folds, start=1):
                self.induct(self, fold, f"fold {number}")
            for step in self.proof.steps:
                self.step(step)
        except (RroptError, ArithmeticError, LookupError, TypeError) as error:
            self.found.failures.append(_reason(error))
            return self.found
        cases: dict[Any, list[tuple[Relation, ...]]] = {}
        for shape in self.proof.shapes:
            where = relations(shape.where)
            cases.setdefault(shape.of, []).append(where)
            self.in_shape = True
            try:
                self.check(self, shape, where)
            except (RroptError, ArithmeticError, LookupError, TypeError) as error:
                self.found.failures.append(f"{_title(shape)}: {_reason(error)}")
        self._covered(cases)
        self.tie_at_shapes(self)
        conditions = [
            fact for fact in own if fact.source == "condition" and not (self.found.swept or self.found.shapes)
        ]
        self.found.unneeded = tuple(str(fact.relation) for fact in conditions if fact not in self.found.used)
        return self.found

    def scope(self) -> str:
        """Return the scope of the proof, as computed from its facts and links."""
        entries = [fact for fact in self.facts if fact.source.startswith("entries")]
        elements = [fact for fact in self.elements if fact.source != NAMED]
        unsaid = [domain.meaning for domain in self.form.variables.values() if not domain.relation]
        words = [condition.text for condition in self.form.conditions if not condition.relation]
        facts = [*self._own_facts(), *entries, *elements]
        integers = [
            name for name in self.form.variables if all(_is_integer(point[name]) for point, *_ in self.form.results)
        ]
        return self.found.scope(facts, [*unsaid, *self._about_entries(), *words], self._meanings(facts), integers)

    def _meanings(self, facts: Iterable[Fact]) -> dict[str, str]:
        """Return the meanings of bound variables, and of names of entries, in the order of their declarations."""
        found = {name: domain.meaning for name, domain in self.form.bound.items() if domain.meaning != name}
        for fact in facts:
            whole, _, root = fact.source.partition("entries of ")
            for name in sorted(fact.relation.names() - self.domains.keys()) if root and not whole else ():
                more = f" ({found[root]})" if root in found else ""
                found.setdefault(name, f"an entry of {root}{more}")
        return found

    def _about_entries(self) -> list[str]:
        """Return what the domains state about entries, which a run with a symbol for each entry uses."""
        found = []
        for name, domain in self.form.variables.items() if self.found.shapes else ():
            for path, said in domain.entries.items():
                found.append(f"every entry x of {'.'.join(map(str, (name, *path)))} has {listed(said)}")
            if domain.whole_groups:
                found.append(f"groups of entries of {name} that sum to 1")
        return found

    @property
    def domains(self) -> dict[str, Domain]:
        """The domains of free and bound variables."""
        return {**self.form.variables, **self.form.bound}

    def prover(self, where: Sequence[Relation] = (), samples: Sequence[Mapping[str, Any]] | None = None) -> Prover:
        """Return a prover with the facts that are true in a case; it records its results in this examination."""
        cases = [Fact(relation, "case") for relation in where]
        known = self._valued(tuple(where))
        guarded = [fact for guard, fact in self.guarded if all(each.is_implied(where) for each in guard)]
        facts = [*(fact for fact in (*self.facts, *guarded) if fact.relation.names() <= known), *cases]
        prover = Prover(tuple(facts), self._samples(where) if samples is None else samples)
        prover.certificates, prover.used, prover.sums = self.found.certificates, self.found.used, self.sums
        if samples is None:
            prover.rational = self.rational
        further = [fact for name in self.origins for fact in self._exponential(prover, name)]
        return prover.with_facts(further) if further else prover

    def _valued(self, where: tuple[Relation, ...]) -> set[str]:
        """Return the names that have a value at all points of a case; facts about other names are vacuous."""
        if where not in self.names:
            self.names[where] = set.intersection(*(set(each.values) for each in self.inside(where) or self.instances))
        return self.names[where]

    def here(self, where: Sequence[Relation]) -> list[Instance]:
        """Return the instances in a case.

        Raises:
            NotAnchoredError: the case has no instance, so nothing links it to the claim.
        """
        inside = self.inside(where)
        if not inside:
            raise NotAnchoredError(f"no point of the sweep is in the case {listed(where)}")
        return inside

    def inside(self, where: Sequence[Relation]) -> list[Instance]:
        """Return the instances in a case, possibly an empty list."""
        key = tuple(where)
        if key and key not in self.cases:
            self.cases[key] = [each for each in self.inside(key[:-1]) if key[-1].holds(each.values)]
        return self.cases[key] if key else self.instances

    def proved(self, prover: Prover, goal: Relation, name: str, degree: int | None = None) -> None:
        """Prove an obligation, and record whether it was trivial."""
        prover.trivial = True
        prover.prove(goal, name, degree=degree)
        trivial = (
            self._restates(goal) if not prover.trivial else goal.left == goal.right or self._is_known(prover, goal)
        )
        if self.in_shape:
            self.found.trivial = self.found.trivial and trivial
        else:
            self.found.lemmas = self.found.lemmas or not trivial

    def _is_known(self, prover: Prover, goal: Relation) -> bool:
        """Return whether a relation is an assumption or follows from a trivial lemma."""
        sources = {fact.source for fact in prover.facts if fact.relation == goal}
        if any(source.startswith(_ASSUMED) for source in sources):
            return True
        return not sources or ("step" in sources and not self.found.lemmas)

    def _restates(self, goal: Relation) -> bool:
        """Return whether a relation is a condition or a relation of a domain, up to a constant factor."""
        own = [fact.relation for fact in self._own_facts()]
        wanted = quotient(goal.difference)
        for relation in own:
            if relation.names() != goal.names() or not goal.names():
                continue
            given = quotient(relation.difference)
            if all(ratio(one, other) != 0 for one, other in zip(wanted, given, strict=True)):
                return True
        return False

    def _own_facts(self) -> list[Fact]:
        """Return the relations of domains and conditions; the scope then shows the very ones that proofs used."""
        self.own = self.own or self._read_facts()
        return self.own

    def _read_facts(self) -> list[Fact]:
        own = [
            Fact(relation.renamed({"x": sp.Symbol(name)}), "domain")
            for name, domain in self.domains.items()
            for relation in domain.relation
        ]
        return own + [
            Fact(relation, "condition")
            for condition in self.form.conditions
            if condition.law is None or condition.law in self.proof.folds  # the law defines the names of the condition
            for relation in condition.relation
        ]

    def _prepare(self, own: Sequence[Fact]) -> None:
        require_new(self.form.variables, {*self.form.bound, *RESERVED})
        require_new(self.form.bound, RESERVED)
        for point, says, is_ in self.form.results:
            if self._infinite(says):
                continue
            before = repr(list(point.values()))
            here = instances_of(self.proof, point, says, is_, self.origins, self.form.bound)
            if not here:
                raise NotAnchoredError(f"no instance: `at` returns none at {dict(point)}, which links nothing there")
            self.instances += here
            if repr(list(point.values())) != before:
                raise NotAnchoredError(f"`at` changes its point: received {before}")
        if not self.instances:
            raise NotAnchoredError("no instance: no admissible point")
        self._one_bound()
        self._link_bound()
        self.facts += own
        for name, paths in self.origins.items():
            self.facts += entry_facts(name, paths, self.domains)
            self.facts += [fact for _, always, _ in exp_facts(name, paths) for fact in always]
        for shape in self.proof.shapes:
            if isinstance(shape, Value):
                for each in self.instances:
                    value = number_of(component(each.says, shape.of))
                    if isinstance(shape.theory, Least) and is_number(value):
                        each.values["theory"] = Fraction(value) if isinstance(value, int) else value
                if isinstance(shape.theory, Least) and shape.theory.floor is not None:
                    end = expression(shape.theory.floor)
                    least = not isinstance(shape.theory, Greatest)
                    floor = Relation(THEORY, ">=", end) if least else Relation(end, ">=", THEORY)
                    self.facts.append(Fact(floor, "definition of theory"))
        self.require(self.facts, [each.values for each in self.instances])

    def _one_bound(self) -> None:
        """Require that all bounds of the claim are equal, since the name ``theory`` must mean one number."""
        bounds = [
            (shape.of, shape.theory) for shape in self.proof.shapes if isinstance(getattr(shape, "theory", None), Least)
        ]
        for of, bound in bounds[1:]:
            first = bounds[0]
            same = [getattr(bound, name) == getattr(first[1], name) for name in ("relation", "members", "floor")]
            if of != first[0] or type(bound) is not type(first[1]) or not all(same):
                raise NotAnchoredError("two least bounds of theory: the name `theory` means one; prove them apart")

    def _link_bound(self) -> None:
        """Record a sweep link for every bound variable whose domain depends on other names.

        Such a domain may be empty at points outside the sweep.
        """
        for name, domain in self.form.bound.items():
            said = [*domain.relation, *(relation for each in domain.entries.values() for relation in each)]
            if others := sorted(set().union(*(relation.names() for relation in said)) - {"x"}):
                text = f"there is a value of {name}, which depends on {', '.join(others)}"
                self.sweep_link(text, self.instances)
        for name in sorted(self.form.bound.keys() & self.origins.keys()):
            self._link_value_of_bound(name)

    def _link_value_of_bound(self, name: str) -> None:
        """Link the value that ``at`` gives a bound variable: that it lies in the domain is proved, or a sweep."""
        for path in self.origins[name]:
            if path[:1] != (sp.Expr,) or not self.form.bound[name].relation:
                continue  # a number is any number of the domain
            own = [fact for fact in self._own_facts() if name not in fact.relation.names()]
            for relation in self.form.bound[name].relation:
                goal = relation.renamed({"x": path[1]})
                try:
                    Prover(tuple(own), self._samples(())).writing_into(self.prover()).prove(
                        goal, f"{name} is in its domain"
                    )
                except NoProofError:
                    self.sweep_link(f"{name} = {path[1]} is in its domain", self.instances)
                    return

    def sweep_link(self, text: str, instances: Sequence[Instance], why: str = "") -> None:
        """Record a link that was tested at the points of these instances."""
        points = len({each.key for each in instances})
        self.found.link(f"{text}: sweep, {points} points{f' ({why})' if why else ''}", swept=points)

    def _infinite(self, says: Any) -> bool:
        """Return whether an upper bound is infinite; then the claim is trivially true."""
        bounds = [component(says, shape.of) for shape in self.proof.shapes if isinstance(shape, Value)]
        return self.form.strength == "at-most" and any((isinstance(x, float) and x == inf) or x is None for x in bounds)

    def require(self, facts: Sequence[Fact], places: Iterable[Mapping[str, Any]]) -> None:
        """Require that facts are true at the given points; a domain's relations must be true at its own points."""
        listed, known = list(places), dict[int, dict[str, Any]]()
        for fact in facts:
            if fact.relation.fails_at(listed, known):
                raise NotAnchoredError(f"the relation {fact.relation} ({fact.source}) is false at a point of the claim")

    def _samples(self, where: Sequence[Relation]) -> list[dict[str, Any]]:
        inside = self.inside(where)
        return [each.values for each in inside[:: max(1, len(inside) // MOST_SAMPLES)]]

    def _exponential(self, prover: Prover, name: str) -> list[Fact]:
        facts = []
        for exponent, _, by_sign in exp_facts(name, self.origins[name]):
            for sign, fact in by_sign.items():
                goal = Relation(exponent, ">=", sp.Integer(0)) if sign == ">=" else Relation(-exponent, ">=", sp.S.Zero)
                try:
                    prover.prove(goal, f"the exponent {exponent} {sign} 0")
                except NoProofError:
                    continue
                facts.append(fact)
        return facts

    def step(self, step: Step) -> None:
        """Prove the relations of a step; they may be used afterwards."""
        where = relations(step.where)
        for relation in relations(step.relation):
            self.proved(self.prover(where), relation, f"step {relation}", step.degree)
            self.learn(where, Fact(relation, "step"))

    def learn(self, where: tuple[Relation, ...], fact: Fact) -> None:
        """Add a fact, for all cases or for one case."""
        self.names.clear()  # a fold gives values to further names
        self.cases.clear()
        if where:
            self.guarded.append((where, fact))
        else:
            self.facts.append(fact)

    def _covered(self, cases: Mapping[Any, list[tuple[Relation, ...]]]) -> None:
        """Check that every component has shapes and that its cases cover the domain; record failures."""
        wanted = {key for each in self.instances for key in keys_of(each.is_)}
        if None not in cases and (missing := wanted - set(cases)):
            self.found.failures.append(
                f"no shape for {', '.join(sorted('the value' if of is None else str(of) for of in missing))}"
            )
        if not cases:
            self.found.failures.append("no shape: nothing ties the proof to the claim")
        for of, said in cases.items():
            if all(said):
                try:
                    cover(self.prover(samples=()), said, f"the cases of {of or 'the value'} are all cases")
                except RroptError as error:
                    self.found.failures.append(f"the cases of {of or 'the value'} do not cover: {error}")


def _title(shape: Any) -> str:
    return type(shape).__name__ if shape.of is None else f"{type(shape).__name__} of {shape.of}"


def _is_integer(value: Any) -> bool:
    return type(value) in (int, Fraction) and value.denominator == 1


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, RroptError) else f"{type(error).__name__}: {error}"


def listed(where: Sequence[Relation]) -> str:
    """Return a text that lists the relations."""
    return " and ".join(map(str, where)) or "without further conditions"
