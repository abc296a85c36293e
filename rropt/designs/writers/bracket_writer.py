"""Write certificates of the statement ``design-bracket`` (checker/design_bracket.md): one writer for all its proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rropt.checker.design_bracket import OBJECTIVES, RATIONAL, WORST
from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_solution, unidentified
from rropt.objectives import Objective

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.objectives.ray_form import RayForm
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]
Rows = Sequence[Numbers]

STATEMENT = "design-bracket"
DIVERGENCE_DIGITS = 25  # precision of the interval arithmetic in a certificate of the way of cells


class Slope(NamedTuple):
    """The term ``value max(0, p_j - gamma p_l)`` of g, for one level and one ordered pair of inputs.

    Attributes:
        level: the index of the level among the levels of the region.
        pair: (j, l).
        gamma, delta: upper rational bounds of the level.
        value: beta >= 0.
    """

    level: int
    pair: tuple[int, int]
    gamma: Fraction
    delta: Fraction
    value: Fraction


class Curve(NamedTuple):
    """The terms ``lambda_jl h_a(p_j, p_l)`` of g, for bounds of divergences of the order a (checker/cells_way.md).

    Attributes:
        order: a.
        multipliers: lambda >= 0, shape (k, k), 0 on the diagonal.
        allowed: C_a, rounded up.
    """

    order: Fraction
    multipliers: Rows
    allowed: Fraction


class RayDual(NamedTuple):
    """The dual ``g(p) = alpha.p + sum beta max(0, p_j - gamma p_l)``, with a matrix W if the objective has one.

    Under bounds of divergences, g has the terms of the curves in place of the slopes.

    Attributes:
        alpha: shape (k,).
        slopes: the terms with beta > 0, for levels with delta > 0.
        matrix: W with k rows, whose columns w_j sum to 0; ``None`` for sums over outputs; for mixtures, one W for each
            distribution.
        weights: d_j, one for each column of W; ``None`` if all are 1.
        curves: the terms with lambda > 0.
        groups: the sizes of groups of categories, each of which has one number of alpha and one row of W; empty
            without groups.
        inside: x_g for the contrasts inside a group; for A-optimality its root.
        limits: L, a row for each output with bounds on its entries, which is added to alpha for rows of this output;
            ``None`` if L is 0.
    """

    alpha: tuple[Fraction, ...]
    slopes: tuple[Slope, ...]
    matrix: Any
    weights: tuple[Fraction, ...] | None = None
    curves: tuple[Curve, ...] = ()
    groups: tuple[int, ...] = ()
    inside: tuple[Fraction, ...] = ()
    limits: Rows | None = None

    def bound(self) -> Fraction:
        """Return the bound ``sum alpha + sum beta delta + sum lambda C``."""
        terms = [x.value * x.delta for x in self.slopes]
        terms += [x * curve.allowed for curve in self.curves for row in curve.multipliers for x in row]
        return dot(self.alpha, self.groups or (1,) * len(self.alpha)) + sum(terms, Fraction(0))

    def bends_at(self, row: Sequence[Fraction]) -> Fraction:
        """Return the sum of the terms with beta > 0 at a row."""
        total = Fraction(0)
        for slope in self.slopes:
            j, other = slope.pair
            total += slope.value * max(row[j] - slope.gamma * row[other], Fraction(0))
        return total

    def raised(self, by: Fraction, along: Sequence[Fraction]) -> RayDual:
        """Return the dual with ``alpha + by along``, for ``phi + by along.p`` in place of phi."""
        return self._replace(alpha=tuple(a + by * x for a, x in zip(self.alpha, along, strict=True)))

    def along(self, targets: Rows) -> Fraction:
        """Return ``sum_j c_j.w_j`` for the rows c_j of the targets."""
        columns = zip(*self.matrix, strict=True)
        return sum((dot(c, w) for c, w in zip(targets, columns, strict=True)), Fraction(0))

    def vectors(self, kind: str) -> dict[str, Any]:
        """Return the keys of W in the proof, as far as the objective has them."""
        if self.matrix is None:
            return {}
        if self.groups and kind == "a-optimal":
            return {"inside": self.inside, "lines": list(zip(*self.matrix, strict=True))}
        if kind not in ("d-optimal", "e-optimal"):
            matrices = self.matrix if isinstance(self.matrix[0][0], Sequence) else [self.matrix]
            return {"vectors": [list(zip(*matrix, strict=True)) for matrix in matrices]}
        columns = list(zip(*self.matrix, strict=True))
        weights = self.weights or (Fraction(1),) * len(columns)
        if kind == "d-optimal":  # entry j of w_j becomes 1
            weights = tuple(d * w[j] ** 2 for j, (d, w) in enumerate(zip(weights, columns, strict=True)))
            columns = [tuple(x / w[j] for x in w) for j, w in enumerate(columns)]
        if self.groups:
            return {"inside": self.inside, "lines": columns, "weights": weights}
        return {"vectors": [columns], "weights": weights}


def state_bracket(
    document: Mapping[str, Any],
    levels: RationalLevels,
    ends: Bracket,
    mechanism: Mechanism,
    way: str,
    proof: Mapping[str, Any],
) -> Certificate:
    """Return the certificate with a proof in one of the ways of the statement; its numbers need not yet be texts.

    Args:
        document: the problem as ``Problem.certified_dict`` returns it.
        levels: rational levels around the problem's level.
        ends: the bounds of the optimum.
        mechanism: a mechanism in the region at the levels below.
        way: the way of the proof.
        proof: the keys of this way.
    """
    stated = stated_problem(document)
    brackets = brackets_of(stated["levels"], levels)
    claim = {**ends.written(), "mechanism": nested_texts(mechanism.form())}
    return Certificate.state(STATEMENT, stated, claim, {"way": way, "brackets": brackets, **nested_texts(proof)})


def form_of(problem: Problem, levels: RationalLevels) -> RayForm:
    """Return the objective as a function of the rows of a region."""
    odds = [Fraction(2)] if problem.region.has_divergences else [part.above.gamma for part in levels.listed]
    return problem.objective.on_rays(problem.population, max(odds))


def is_known(problem: Problem) -> bool:
    """Return whether the checker supports the objective; other objectives get no certificate."""
    if problem.objective.has_statement and problem.stated_sum() is not None:
        return True
    kinds, stated = set(), cast(object, problem.objective)
    while isinstance(stated, Objective):
        kinds.add(stated.kind)
        stated = getattr(stated, "objective", None)  # the one whose mean it is, if it is a mixture
    return kinds <= {*OBJECTIVES, "bayes"} - {RATIONAL}


def certify_design(problem: Problem, levels: RationalLevels, best: Any) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: a problem whose objective the statement has.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual is
            feasible at the level above.
        best: the mechanism, whose value proves one bound; a ``RayDual``, which proves the other bound; and the other
            keys of the proof, without ``estimators`` if these are efficient (design_bracket.md, *Proof*).
    """
    dual, document = best.dual, problem.certified_dict()
    kind = stated_problem(document)["objective"]["kind"]
    has_cells = problem.region.has_divergences
    digits = [DIVERGENCE_DIGITS] * has_cells
    if problem.objective.is_on_rays:
        form = form_of(problem, levels)
        dual, digits = dual.raised(Fraction(1), form.linear), [*digits, form.digits or 0]
    if not is_known(problem):  # the checker refuses the objective, and the statement has no form for its matrix
        dual = dual._replace(matrix=None)
    terms: dict[str, Any] = {"slopes": [[str(x.level), *map(str, x.pair), x.value] for x in dual.slopes]}
    if has_cells:
        terms = {"curves": [{"order": x.order, "multipliers": x.multipliers} for x in dual.curves]}
    proof = {"alpha": dual.alpha, **terms, **dual.vectors(kind), **best.primal}
    if dual.matrix is not None and "estimators" not in proof:
        proof["estimators"] = [efficient_estimator(problem, best.mechanism)]
    stated = problem.stated_sum() if problem.objective.has_statement else None
    if stated is not None:
        proof["convexity"] = stated.proof()
    if any(digits):
        proof["digits"] = max(digits)
    way = "cells" if has_cells else "rays"
    return state_bracket(document, levels, Bracket(best.lower, best.upper), best.mechanism, way, proof)


def certify_formula(problem: Problem, levels: RationalLevels, best: Any) -> Certificate:
    """Return the certificate of a design by a formula: of a trace of runs, or at equal proportions."""
    return state_bracket(problem.certified_dict(), levels, best.bracket, best.mechanism, "formula", {})


def efficient_estimator(problem: Problem, mechanism: Mechanism) -> list[list[Fraction]]:
    """Return ``Z^T p_i/s_i`` with ``M Z = C^T``, the efficient estimator, with a column for each output.

    Raises:
        InfeasibleError: an estimate does not exist.
    """
    pi = problem.population
    solution = information_solution(mechanism, pi, problem.objective.contrast_rows(mechanism.inputs))
    if solution is None:
        raise unidentified(mechanism)
    found = fractions_of(flint_matrix(mechanism.matrix) * flint_matrix(solution))
    chances = [dot(row, pi) for row in mechanism.matrix]
    return [[x / s if s else x for x, s in zip(row, chances, strict=True)] for row in zip(*found, strict=True)]


# the problem of format 2


def stated_problem(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a problem as format 2 has it: a list of levels, bounds, and a mixture as a population.

    Args:
        document: the problem as ``Problem.certified_dict`` returns it.
    """
    region, objective, population = (document[key] for key in ("region", "objective", "population"))
    inner = region["region"] if region["kind"] == "bounded" else region
    if "populations" in objective:  # a mixture
        parts = zip(objective["weights"], objective["populations"], strict=True)
        population = {"mixture": [{"weight": weight, "shares": shares} for weight, shares in parts]}
        objective = objective["objective"]
    elif {"weights", "norm"} & set(objective) or objective["kind"] == WORST:  # the population does not matter
        population = None
    bounds = None if inner is region else {key: region[key] for key in ("least", "most")}
    if bounds and region["entry_inequalities"]:  # a certificate has no empty list of them
        bounds["inequalities"] = region["entry_inequalities"]
    return {
        "inputs": inner["inputs"],
        "outputs": inner["outputs"],
        "levels": levels_of(inner),
        "bounds": bounds,
        "objective": objective,
        "population": population,
    }


def levels_of(region: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the levels of a region, each with its pairs."""
    if region["kind"] == "criterion":
        return [{"epsilon": {"up": region["up"], "down": region["down"]}, "delta": "0", "pairs": "all"}]
    if region["kind"] == "every-mechanism":
        return []
    if region["kind"] == "differential-privacy":
        return [{"epsilon": region["epsilon"], "delta": region["delta"], "pairs": "all"}]
    if region["kind"] == "renyi-privacy":
        return [{"order": region["order"], "epsilon": region["epsilon"]}]
    if region["kind"] == "zcdp-privacy":
        return [{"rho": region["rho"]}]
    return list(region["levels"])


def brackets_of(stated: list[dict[str, Any]], levels: RationalLevels) -> list[dict[str, Any]]:
    """Return the bracket of gamma and delta of each level of the stated problem."""
    written = levels.to_list()
    if any("pairs" not in level for level in stated):  # a bound of divergences
        return [{"gamma": written[0]["gamma"] if written else None}]
    return written


def nested_texts(given: Any) -> Any:
    """Convert numbers to texts, in lists and objects nested like the argument; texts stay."""
    if isinstance(given, Mapping):
        return {key: nested_texts(value) for key, value in given.items()}
    if isinstance(given, (Fraction, int)) and not isinstance(given, bool):
        return as_text(Fraction(given))
    return given if given is None or isinstance(given, (str, bool)) else [nested_texts(each) for each in given]
