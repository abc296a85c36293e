"""Faults that are planted in the engine, in the twins and in results that are no design problem: each of them is seen.

A fault is seen if a twin raises ``RouteDisagreementError``: a contradiction, or the alarm that SymPy proves nothing
where a proof exists. Another exception, or a twin that is silent, is not. Without a fault every twin agrees.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from few_rows import few_rows
from planted import seen
from posed_cases import RESULTS, mixed

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact import Bracket
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.mechanisms import Mechanism

F = Fraction


@cache
def result(name: str) -> Any:
    return RESULTS[name]()


@few_rows(4)
@pytest.mark.parametrize("name", RESULTS)
def test_without_a_fault_both_twins_agree(name: str) -> None:
    for twin in (result(name).sympy_twin(), result(name).cvxpy_twin()):
        assert twin.posed, twin
        assert twin.agrees, twin
        assert "derived" not in twin.why, twin


# --- faults in the twins ---------------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """A function of a module that is replaced, and the results of which one shows it.

    Attributes:
        place: ``module:function``.
        change: returns the wrong function from the right one.
        results: the names of results.
    """

    place: str
    change: Callable[[Any], Any]
    results: tuple[str, ...]


def _times(factor: Any) -> Callable[[Any], Any]:
    return lambda own: lambda *given, **named: own(*given, **named) * factor


def _value(value: Any) -> Callable[[Any], Any]:
    return lambda own: lambda *given, **named: value


def _without(*words: str) -> Callable[[Any], Any]:
    """Conditions with one of these labels are left out."""
    return lambda own: lambda *given: [line for line in own(*given) if line.label[0] not in words]


def _moved_bound(word: str, factor: Any) -> Callable[[Any], Any]:
    def change(own: Any) -> Any:
        def wrong(field: Any, *given: Any) -> Any:
            lines = own(field, *given)
            return [x._replace(bound=x.bound * field(factor)) if x.label[0] == word else x for x in lines]

        return wrong

    return change


def _costs(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The costs of a linear objective are changed, with the same sense."""

    def wrong(own: Any) -> Any:
        def costs_of(problem: Any) -> Any:
            costs, sense = own(problem)
            return change(costs), sense

        return costs_of

    return wrong


def _one_moved(costs: Any) -> Any:
    made = [list(row) for row in costs]
    made[0][0] = made[0][0] + import_module("sympy").Rational(1, 7) if isinstance(costs, list) else made[0][0] + 1 / 7
    return made if isinstance(costs, list) else import_module("numpy").array(made)


def _wide(own: Any) -> Any:
    """The limits of a region with gamma one per cent too large."""

    def wrong(region: Any, k: int) -> Any:
        limits = own(region, k)
        for level in limits.levels:
            level.gamma.value *= 1.01
        return limits

    return wrong


ROOMS = [
    *(f"rropt.{room}.designs.{name}" for room in ("symbolic", "convex") for name in ("pram", "repairs", "bits")),
    "rropt.symbolic.designs.parametric.closed_levels",
    "rropt.convex.designs.parametric.closed_levels",
    "rropt.symbolic.privacy.breaches",
    "rropt.convex.privacy.breaches",
    "rropt.symbolic.levels",
    "rropt.convex.levels",
    "rropt.result_twins",
]
LINEAR = ("every-loss", "every-payoff", "every-tv")
S, C = "rropt.symbolic.", "rropt.convex."
IN_TWINS = {
    "privacy left out": Fault(S + "programs:private", _without("ratio"), ("pram", "repair")),
    "excesses left out": Fault(S + "programs:private", _without("excess"), ("pram-delta",)),
    "delta halved": Fault(S + "programs:private", _moved_bound("delta", F(1, 2)), ("pram-delta",)),
    "columns that sum to two": Fault(S + "programs:private", _moved_bound("column", 2), ("pram", "repair")),
    "a level that is another one": Fault(S + "programs:number_of_level", _times(2), ("pram", "repair", "two-levels")),
    "objective of the split": Fault(S + "designs.bits:_term", _times(2), ("bits", "bits-joint")),
    "slope of the split": Fault(S + "designs.bits:_slope", _times(3), ("bits",)),
    "constant of the split": Fault(S + "designs.bits:_constant", _value(F(1)), ("bits", "bits-joint")),
    "budget of the split": Fault(
        S + "designs.bits:_budget", lambda own: lambda level: own(level) * 101 / 100, ("bits", "bits-joint")
    ),
    "Newton's equation": Fault(
        S + "designs.bits:_logarithm", lambda own: lambda u, is_product, lib: own(2 * u, is_product, lib), ("bits",)
    ),
    "odds ratio": Fault(S + "privacy.parity_bound:odds_of", _times(2), ("b-sqrt", "b-inner", "b-lower")),
    "no limits": Fault(S + "privacy.parity_bound:_limits", _value(()), ("b-sqrt", "b-lower")),
    "no stationary points": Fault(S + "privacy.parity_bound:_places", _value(()), ("b-inner",)),
    "no cuts": Fault(S + "privacy.parity_bound:_cuts", _value([]), ("b-piecewise",)),
    "functions of a criterion": Fault(
        S + "privacy.parity_bound:upper_functions", lambda own: lambda c: [h**2 for h in own(c)], ("b-sqrt", "b-lower")
    ),
    "limit of the breach": Fault(S + "privacy.breaches:limits_at", _value([F(1, 3)]), ("breach",)),
    "kernel of CVXPY": Fault(S + "orders.garblings:_is_kernel", _value(True), ()),
    "layers": Fault(
        S + "orders.admissibility:layers",
        lambda own: lambda values: own(values)._replace(constant=own(values).constant + 1),
        ("admissible", "inadmissible"),
    ),
    "costs in SymPy": Fault(
        S + "designs.parametric.every_level:costs_of", _costs(_one_moved), (*LINEAR, "every-trace")
    ),
    "slacks of pieces": Fault(
        S + "designs.parametric.every_level:_slacks",
        lambda own: lambda field, parts, prices: own(field, parts, [2 * y for y in prices]),
        ("every-loss",),  # of a maximum larger prices satisfy all inequalities
    ),
    "ends of pieces": Fault(
        S + "designs.parametric.every_level:value_of", lambda own: lambda formula: own(formula) + 1, LINEAR
    ),
    "vertices of two outputs": Fault(
        S + "designs.parametric.closed_levels:vertices_of_two", lambda own: lambda: own()[1:], ("closed-binary",)
    ),
    "phi of equal proportions": Fault(
        S + "designs.parametric.closed_levels:_phi", _times(2), ("closed-a", "closed-d", "closed-e")
    ),
    "excess of edges": Fault(S + "designs.parametric.closed_levels:_excess", _times(0), ("closed-d", "closed-e")),
    "sum of a row": Fault(S + "designs.parametric.closed_levels:_sum", _times(2), ("closed-a", "closed-e")),
    "costs of closed forms": Fault(
        S + "designs.parametric.closed_levels:costs_of", _costs(_one_moved), ("closed-trace", "closed-loss")
    ),
    "V by the definition": Fault(S + "designs.mean_designs:attained", _times(F(1001, 1000)), ("mean",)),
    "costs of several levels": Fault(S + "levels:costs_of", _costs(_one_moved), ("two-levels", "metric")),
    "costs in CVXPY": Fault(
        C + "designs.parametric.every_level:costs_of", _costs(_one_moved), (*LINEAR, "every-trace")
    ),
    "level in CVXPY": Fault(C + "designs.pram:limits_of", _wide, ("pram", "pram-delta")),
    "level of repairs in CVXPY": Fault(C + "designs.repairs:limits_of", _wide, ("repair", "repair-l1")),
    "constant in CVXPY": Fault(C + "designs.bits:shift", _value(F(1)), ("bits", "bits-joint")),
    "allocation in CVXPY": Fault(C + "plans.group_plans:_real_sizes", _times(2), ("strata",)),
    "criterion in CVXPY": Fault(
        C + "privacy.parity_bound:upper_functions",
        lambda own: lambda c: [lambda p, h=h: h(p) ** 2 for h in own(c)],
        ("b-sqrt", "b-inner", "b-lower"),
    ),
    "question of the breach": Fault(
        C + "privacy.breaches:question_of",
        lambda own: lambda judgement: own(judgement)._replace(prior=Algebraic.of(F(1, 3))),
        ("breach", "no-breach"),
    ),
    "entries of CVXPY": Fault(
        C + "orders.garblings:_matrices", lambda own: lambda asked: own(asked)[::-1], ("compare", "order")
    ),
}
NOT_SEEN = {"kernel of CVXPY"}  # the judge of a kernel: it decides only where CVXPY's numbers are wrong, too


@few_rows(5)
@pytest.mark.parametrize(("name", "shown_by"), [(name, each) for name, one in IN_TWINS.items() for each in one.results])
def test_a_fault_in_a_twin_is_seen(name: str, shown_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = result(shown_by)
    for each in ROOMS:  # a module that is loaded under a fault would keep it
        import_module(each)
    module, _, function = IN_TWINS[name].place.partition(":")
    own = getattr(import_module(module), function)
    wrong = IN_TWINS[name].change(own)
    for loaded in [each for key, each in sys.modules.items() if key.startswith("rropt.") and each is not None]:
        if (
            loaded.__name__.split(".")[1] in (module.split(".")[1], "result_twins")
            and vars(loaded).get(function) is own
        ):
            monkeypatch.setattr(loaded, function, wrong)
    assert seen(found)


# --- faults in the engine --------------------------------------------------------------------------------------------

E = "rropt.designs."
IN_ENGINE = {
    "repairs charge increases only": Fault(E + "repairs:_SIDES", lambda own: own[:1], ("repair-l1",)),
    "terms of a split": Fault(E + "splits:Marginals.value", _times(F(1001, 1000)), ("bits",)),
    "multiplier of a split": Fault(
        E + "splits:Marginals.slope", lambda own: lambda *given: tuple(2 * x for x in own(*given)), ()
    ),
    "constant of the joint trace": Fault(
        E + "splits:JointTrace.value", lambda own: lambda s, x: s.scale(x), ("bits-joint",)
    ),
    "posterior of a breach": Fault(
        "rropt.privacy.bound.breaches:_posterior", lambda own: lambda p, parity: own(p, parity + 1), ("breach",)
    ),
    "breakpoints of subsets": Fault(
        E + "parametric.closed_levels:root_of", lambda own: lambda x: own(2 * x), ("closed-a", "closed-d", "closed-e")
    ),
    "value of subsets": Fault(
        E + "parametric.closed_levels:_subset_formula",
        lambda own: lambda problem, k, d: own(problem, k, d + 1),
        ("closed-a", "closed-d", "closed-e"),
    ),
    "threshold of binary designs": Fault(
        E + "parametric.closed_levels:roots_of",
        lambda own: lambda three: own((three[0], three[1], 2 * three[2])),
        ("closed-binary",),
    ),
    "delta of traces": Fault(E + "parametric.closed_levels:_delta", _times(2), ("closed-trace", "closed-loss")),
    "rounding of numbers": Fault(
        E + "mean_designs:conditional_variances", lambda own: lambda m: tuple(2 * v for v in own(m)), ()
    ),
    "Blackwell's order is turned": Fault(
        E + "orders.partial_orders:sufficient", lambda own: lambda one, other: own(other, one), ("order",)
    ),
}


@pytest.mark.parametrize(
    ("name", "shown_by"), [(name, each) for name, one in IN_ENGINE.items() for each in one.results]
)
def test_a_fault_in_the_engine_is_seen(name: str, shown_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, change, _ = IN_ENGINE[name]
    module, _, path = place.partition(":")
    *holders, attribute = path.split(".")
    holder = import_module(module)
    for each in holders:
        holder = getattr(holder, each)
    monkeypatch.setattr(holder, attribute, change(getattr(holder, attribute)))
    try:
        made = RESULTS[shown_by]()
    except (RouteDisagreementError, ArithmeticError):
        return  # the engine's own certificate refuses it
    assert seen(made)


# --- forged results --------------------------------------------------------------------------------------------------


def _moved(*names: str) -> Callable[[Any, Fraction], Any]:
    return lambda found, factor: replace(found, **{name: getattr(found, name) * factor for name in names})


def _moved_piece(found: Any, factor: Fraction) -> Any:
    """The formula of the first piece is multiplied; the certificate stays."""
    made = replace(found)
    first = found.pieces[0]
    key = "formula" if hasattr(first, "formula") else "value"
    own = getattr(first, key)
    if hasattr(own, "information"):
        return None
    parts = (
        {"above": tuple(x * factor for x in own.above)}
        if hasattr(own, "above")
        else {"a": own.a * factor, "b": own.b * factor}
    )
    object.__setattr__(made, "pieces", (replace(first, **{key: replace(own, **parts)}), *found.pieces[1:]))
    return made


def _moved_end(found: Any, factor: Fraction) -> Any:
    """The first breakpoint is multiplied."""
    if len(found.pieces) < 2:
        return None
    p, q, root = found.pieces[0].place
    place, made = (p * factor, q * factor, root), replace(found)
    first, second = found.pieces[:2]
    end = float(first.end) * float(factor)
    object.__setattr__(
        made, "pieces", (replace(first, place=place, end=end), replace(second, start=end), *found.pieces[2:])
    )
    return made


def _other_design(found: Any, factor: Fraction) -> Any:
    return replace(found, mechanism=mixed(found.mechanism, abs(1 - factor)))


def _worse_design(found: Any, factor: Fraction) -> Any:
    """A worse design with its own value claimed as the optimum, between which no bound is left."""
    part = abs(1 - factor)
    if hasattr(found, "unchanged"):
        pi, k = found.population, len(found.population)
        flat = Mechanism([[pi[i]] * k for i in range(k)])
        rows = zip(found.mechanism.matrix, flat.matrix, strict=True)
        worse = Mechanism([[(1 - part) * x + part * y for x, y in zip(*pair, strict=True)] for pair in rows])
        value = sum(pi[j] * worse.matrix[j][j] for j in range(k))
        return replace(found, mechanism=worse, unchanged=value, upper=value)
    return None


def _breach(**changes: Callable[[Any], Any]) -> Callable[[Any, Fraction], Any]:
    def forged(found: Any, factor: Fraction) -> Any:
        own = found.breach
        return replace(found, breach=replace(own, **{name: change(own, factor) for name, change in changes.items()}))

    return forged


FORGED: dict[str, tuple[Callable[[Any, Fraction], Any], tuple[str, ...]]] = {
    "value of PRAM": (_moved("unchanged", "upper"), ("pram", "pram-delta")),
    "distance of a repair": (_moved("lower", "loss"), ("repair", "repair-l1")),
    "design": (_other_design, ("pram", "pram-delta", "repair", "repair-l1")),
    "worse design": (_worse_design, ("pram", "pram-delta")),
    "bounds of a split": (_moved("lower", "upper"), ("bits", "bits-joint")),
    "B(h)": (_moved("lower", "upper"), ("b-sqrt", "b-inner", "b-lower", "b-piecewise")),
    "variance of strata": (_moved("variance"), ("strata",)),
    "parity": (_moved("parity"), ("breach", "no-breach")),
    "posterior": (
        _breach(posterior=lambda own, factor: Algebraic.of(own.posterior.rational * factor)),
        ("breach",),
    ),
    "prior": (_breach(prior=lambda own, factor: Algebraic.of(own.prior.rational * factor)), ("breach",)),
    "limit": (
        _breach(limit=lambda own, factor: Bracket(own.limit.lower * factor, own.limit.upper * factor)),
        ("breach",),
    ),
    "distribution": (
        _breach(distribution=lambda own, factor: tuple(Algebraic.of(x.rational * factor) for x in own.distribution)),
        ("breach",),
    ),
    "formula": (
        _moved_piece,
        (*LINEAR, "every-trace", "closed-binary", "closed-trace", "closed-loss", "closed-a", "closed-e"),
    ),
    "breakpoint": (
        _moved_end,
        ("every-loss", "every-trace", "closed-binary", "closed-trace", "closed-loss", "closed-a", "closed-d"),
    ),
}


FACTORS = (F(10**6 + 1, 10**6), F(1001, 1000), F(999, 1000))


@few_rows(5)
@pytest.mark.parametrize(
    ("name", "of", "factor"),
    [(name, each, factor) for factor in FACTORS for name, (_, results) in FORGED.items() for each in results],
)
def test_a_forged_result_is_seen(name: str, of: str, factor: Fraction) -> None:
    made = FORGED[name][0](result(of), factor)
    assert made is None or seen(made)


@pytest.mark.slow
def test_forged_proofs_of_orders_are_seen() -> None:
    found = result("compare")
    flat = Mechanism([[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]])
    assert seen(replace(found, forward=replace(found.forward, kernel=flat)))
    assert seen(replace(found, backward=replace(found.backward, kernel=flat, task=None)))
    assert seen(replace(found, forward=replace(found.forward, kernel=None, task=found.backward.task)))
    order = result("order")
    assert seen(replace(order, covers=order.covers[1:]))
    assert seen(replace(order, classes=(order.classes[1], order.classes[0], *order.classes[2:]), covers=order.covers))
    assert seen(replace(order, below=tuple(frozenset(range(4)) for _ in order.below)))
    pair, answer = next(iter(order.answers.items()))
    turned = {**order.answers, pair: replace(answer, source=answer.target, target=answer.source)}
    assert seen(replace(order, answers=turned))
    own = result("inadmissible")
    assert seen(replace(own, domination=None))
    better = own.domination
    assert seen(replace(own, domination=replace(better, mechanism=mixed(better.mechanism, F(1, 10**6)))))
    assert seen(replace(own, domination=replace(better, gamma=better.gamma * 2)))
    assert seen(replace(result("admissible"), domination=better))
    design = result("bits")
    factors = list(design.mechanism.factors)
    weak = replace(design, mechanism=type(design.mechanism)([factors[1], factors[1], factors[2]]))
    assert seen(weak)
    plan = result("strata")
    sizes = (plan.sizes[0] + 1, plan.sizes[1] - 1, plan.sizes[2])
    other = sum((a / n for a, n in zip(plan.spreads, sizes, strict=True)), F(0))
    assert seen(replace(plan, sizes=sizes, variance=other))
    assert seen(replace(result("no-breach"), meets=False))
    assert seen(replace(result("breach"), meets=True, breach=None))
