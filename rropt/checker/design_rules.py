"""Designs with k inputs and a linear objective: a bracket of the optimum, or infeasibility (FORMAT.md, rules 3 and 4).

The linear program is rebuilt from the region. A maximization is treated as the minimization of -c: costs, multipliers
and values change sign together. The mechanism is tested against the region at the levels below (``regions.py``), and
the multipliers against the program at the levels above (``design_dual.py``).
"""

from fractions import Fraction
from typing import Any

from .brackets import uniform_level
from .design_dual import Distance, Dual
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .matrices import (
    Rows,
    Vector,
    columns,
    over_one_denominator,
    read_matrix,
    read_mechanism,
    read_population,
    require_sum,
    sparse,
    total,
)
from .regions import Region, read_region, require_member


def check_design(problem: Any, claim: Any, witness: Any, budget: Budget) -> str:
    """Check a claim of kind design-bracket; return the tier of the proof of B, if there is one."""
    lower, upper, mechanism = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma, delta, multipliers = fields(witness, ["rule", "gamma", "delta", "dual"], "witness")
    region, sign, costs, distance = _read_problem(problem, gamma, delta, budget)
    matrix = read_mechanism(mechanism, "the mechanism", budget, (region.outputs, region.inputs))
    private = columns(matrix, "the mechanism", budget)
    require_member(region, matrix, private, budget)
    proved, bound = ((lower, "lower"), (upper, "upper"))[:: 1 if sign < 0 else -1]
    value = sign * budget.number(*proved)
    if distance is None:
        _require_value(costs, private, value, f"{proved[1]} is not the value of the mechanism", budget)
    else:
        _require_distance(distance, matrix, value, budget)
    dual = Dual(region, multipliers, sign, "dual", budget, distance)
    dual.require_reduced_costs(costs)
    require_sum(dual.bound_terms(), sign * budget.number(*bound), f"{bound[1]} is not the value of the dual", budget)
    return region.tier


def _require_value(costs: list[Vector], private: list[Vector], value: Fraction, what: str, budget: Budget) -> None:
    """Reject, for the reason ``what``, unless the objective of the mechanism equals the value."""
    terms = []
    for cost, column in zip(costs, private, strict=True):
        budget.spend_in_bulk(len(cost.numerators), cost.bits, column.bits)
        earned = sum(a * b for a, b in zip(cost.numerators, column.numerators, strict=True))
        terms.append((earned, cost.denominator * column.denominator))
    require_sum(terms, value, what, budget)


def _require_distance(distance: Distance, matrix: Rows, value: Fraction, budget: Budget) -> None:
    """Reject unless the distance of the mechanism from the matrix equals the claimed value."""
    changes = []
    for row, wanted in zip(matrix, distance.target, strict=True):
        for p, q in zip(row, wanted, strict=True):
            budget.spend(4, bits_of(p), bits_of(q))
            changes.append(abs(p - q))
    if distance.norm != "total":
        longest = max(map(bits_of, changes))
        budget.spend(len(changes), longest, longest)
        changes = [max(changes)]
    terms = [(change.numerator, change.denominator) for change in changes]
    require_sum(terms, value, "upper is not the distance of the mechanism", budget)


def check_infeasible_design(problem: Any, witness: Any, budget: Budget) -> str:
    """Check that no mechanism lies in the region of a design problem; return the tier of the proof of B, if any."""
    _, gamma, delta, multipliers = fields(witness, ["rule", "gamma", "delta", "multipliers"], "witness")
    if isinstance(problem, dict) and problem.get("objective") == {"kind": "variance"}:
        _check_infeasible_variance(problem, gamma, delta, multipliers, budget)
        return ""
    region, _, _, distance = _read_problem(problem, gamma, delta, budget)
    if distance is not None:
        raise Rejected("the objective distance has no part in a proof of infeasibility")
    budget.spend_in_bulk(region.inputs * region.outputs, 0, 0)
    nothing = Vector([0] * region.outputs, 1, 1)
    dual = Dual(region, multipliers, 1, "multipliers", budget)
    dual.require_reduced_costs([nothing] * region.inputs)
    if total(dual.bound_terms(), budget)[0] <= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")
    return region.tier


def _read_problem(
    problem: Any, gamma: Any, delta: Any, budget: Budget
) -> tuple[Region, int, list[Vector], Distance | None]:
    """Return the region, 1 to minimize or -1 to maximize, the costs of P by columns times that sign, and a distance or
    None.
    """
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    region = read_region(data, gamma, delta, budget)
    k, m = region.inputs, region.outputs
    population = read_population(shares, k, budget)
    kind = objective.get("kind") if isinstance(objective, dict) else None
    if kind == "trace":
        _, texts = fields(objective, ["kind", "weights"], "objective")
        weights = [budget.number(text, "a weight") for text in items(texts, "weights", count=k)]
        if m != k:
            raise Rejected("the trace needs as many outputs as inputs")
        budget.spend_in_bulk(k * m, 0, 0)
        units = [Vector([int(i == j) for i in range(m)], 1, 1) for j in range(k)]
        return region, -1, [_scaled(unit, -weight, budget) for unit, weight in zip(units, weights, strict=True)], None
    if kind == "distance":
        _, norm, target = fields(objective, ["kind", "norm", "matrix"], "objective")
        if norm not in ("largest", "total"):
            raise Rejected("the norm of the distance is neither largest nor total")
        nothing = [Vector([0] * m, 1, 1)] * k
        return region, 1, nothing, Distance(norm, read_matrix(target, "the objective's matrix", budget, (m, k)))
    if kind != "loss":
        raise Rejected("the objective is none of those that are linear here: trace, loss, distance")
    _, rows = fields(objective, ["kind", "matrix"], "objective")
    matrix = read_matrix(rows, "loss", budget, (m, k))
    losses = [over_one_denominator(column, budget) for column in zip(*matrix, strict=True)]
    return region, 1, [_scaled(loss, share, budget) for loss, share in zip(losses, population, strict=True)], None


def _scaled(column: Vector, factor: Fraction, budget: Budget) -> Vector:
    budget.spend_in_bulk(len(column.numerators), column.bits, bits_of(factor))
    scaled = [factor.numerator * each for each in column.numerators]
    return Vector(scaled, factor.denominator * column.denominator, column.bits + bits_of(factor))


def _check_infeasible_variance(problem: Any, gamma: Any, delta: Any, multipliers: Any, budget: Budget) -> None:
    """Check a proof that no binary design exists.

    In the free variables u = 1/(p00 + p11 - 1) and x = p00 u, the multipliers must combine the rows to
    ``0 >= bound > 0``.
    """
    region, objective, population = fields(problem, ["region", "objective", "population"], "problem")
    of_kind(objective, "variance", [], "objective")
    level = uniform_level(region, gamma, delta, budget)
    if level.sizes != ("2", "2") or level.family not in ("all", "warner") or region["kind"] != "differential-privacy":
        raise Rejected("an infeasible variance needs differential-privacy, 2 inputs, 2 outputs, a known family")
    read_population(population, 2, budget)
    rows = _binary_rows(level.gamma.above, level.delta.above)
    if level.family == "warner":
        rows.append((2, -1, -1))  # 2 x = u + 1: an equation, so its multiplier may have either sign
    sums = [Fraction(0)] * 3
    for index, multiplier in sparse(multipliers, len(rows), "multipliers", budget):
        if multiplier < 0 and index < 8:
            raise Rejected(f"the multiplier of row {index} has the wrong sign")
        budget.spend(6, *[2 * bits_of(multiplier) + bits_of(level.gamma.above)] * 2)
        sums = [each + multiplier * value for each, value in zip(sums, rows[index], strict=True)]
    if sums[0] or sums[1]:
        raise Rejected("the multipliers do not cancel the coefficients of u and x, which are free")
    if sums[2] >= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")


def _binary_rows(g: Fraction, d: Fraction) -> list[tuple[Fraction | int, Fraction | int, Fraction | int]]:
    """Return the inequalities ``cx x + cu u + c >= 0`` of a binary design, in the order of the page (rule 4)."""
    return [
        (-1, 1, 0),
        (1, 0, -1),
        (1, 0, 0),
        (-1, 1, 1),
        (1 - g, g + d - 1, -1),  # p11 <= gamma (1 - p00) + delta
        (g - 1, d, -g),  # p00 <= gamma (1 - p11) + delta
        (g - 1, d, 1),  # 1 - p11 <= gamma p00 + delta
        (1 - g, g + d - 1, g),  # 1 - p00 <= gamma p11 + delta
    ]
