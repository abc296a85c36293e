"""Designs with k inputs, linear objective: a bracket of the optimum, or no design at all (FORMAT.md, rules 3 and 4).

The programme is rebuilt from the region. Maximising is minimising -c: costs, multipliers and values change their signs
together, so that what follows knows minimising only. The mechanism is held against the region at the levels below
(``regions.py``), the multipliers against the programme at the levels above (``design_dual.py``).
"""

from fractions import Fraction
from typing import Any

from .brackets import delta_bracket, gamma_bracket
from .budget import Budget
from .design_dual import Distance, Dual
from .documents import Rejected, bits_of, fields, items
from .limits import MAX_PARAMETER_DIGITS
from .matrices import (
    Rows,
    Vector,
    columns,
    over_one_denominator,
    read_matrix,
    require_distribution,
    require_sum,
    sparse,
)
from .regions import Region, read_region, require_member

_VARIANCE = {"kind": "variance"}


def check_design(problem: Any, claim: Any, witness: Any, budget: Budget) -> None:
    """Decide a claim of kind design-bracket."""
    kind, lower, upper, mechanism = fields(claim, ["kind", "lower", "upper", "mechanism"], "claim")
    if kind != "design-bracket":
        raise Rejected("the claim is not of kind design-bracket")
    _, gamma, delta, multipliers = fields(witness, ["rule", "gamma", "delta", "dual"], "witness")
    region, sign, costs, distance = _read_problem(problem, gamma, delta, budget)
    (rows,) = fields(mechanism, ["matrix"], "mechanism")
    matrix = read_matrix(rows, "the mechanism", budget, (region.outputs, region.inputs))
    private = columns(matrix, "the mechanism", budget)
    require_member(region, matrix, private, budget)
    proved, bound = ((lower, "lower"), (upper, "upper"))[:: 1 if sign < 0 else -1]
    if distance is None:
        _require_value(
            costs, private, sign * budget.number(*proved), f"{proved[1]} is not the value of the mechanism", budget
        )
    else:
        _require_distance(distance, matrix, budget.number(*proved), budget)
    dual = Dual(region, multipliers, sign, "dual", budget, distance)
    dual.require_reduced_costs(costs)
    require_sum(dual.bound_terms(), sign * budget.number(*bound), f"{bound[1]} is not the value of the dual", budget)


def _require_value(costs: list[Vector], private: list[Vector], value: Fraction, what: str, budget: Budget) -> None:
    """Reject, because of ``what``, unless costs times mechanism is the value."""
    terms = []
    for cost, column in zip(costs, private, strict=True):
        budget.spend_in_bulk(len(cost.numerators), cost.bits, column.bits)
        earned = sum(a * b for a, b in zip(cost.numerators, column.numerators, strict=True))
        terms.append((earned, cost.denominator * column.denominator))
    require_sum(terms, value, what, budget)


def _require_distance(distance: Distance, matrix: Rows, value: Fraction, budget: Budget) -> None:
    """Reject unless the mechanism is as far from the matrix as claimed."""
    changes = []
    for row, wanted in zip(matrix, distance.target, strict=True):
        for p, q in zip(row, wanted, strict=True):
            budget.spend(4, bits_of(p), bits_of(q))
            changes.append(abs(p - q))
    if distance.norm == "total":
        terms = [(change.numerator, change.denominator) for change in changes]
        require_sum(terms, value, "upper is not the distance of the mechanism", budget)
        return
    longest = max(map(bits_of, changes))
    budget.spend(len(changes), longest, longest)
    if max(changes) != value:
        raise Rejected("upper is not the distance of the mechanism")


def check_infeasible_design(problem: Any, witness: Any, budget: Budget) -> None:
    """Decide that no mechanism lies in the region of a design problem."""
    _, gamma, delta, multipliers = fields(witness, ["rule", "gamma", "delta", "multipliers"], "witness")
    if isinstance(problem, dict) and problem.get("objective") == _VARIANCE:
        _check_infeasible_variance(problem, gamma, delta, multipliers, budget)
        return
    region, _, _, distance = _read_problem(problem, gamma, delta, budget)
    if distance is not None:
        raise Rejected("the objective distance has no part in a proof of infeasibility")
    budget.spend_in_bulk(region.inputs * region.outputs, 0, 0)
    nothing = Vector([0] * region.outputs, 1, 1)
    dual = Dual(region, multipliers, 1, "multipliers", budget)
    dual.require_reduced_costs([nothing] * region.inputs)
    if dual.bound() <= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")


def _read_problem(
    problem: Any, gamma: Any, delta: Any, budget: Budget
) -> tuple[Region, int, list[Vector], Distance | None]:
    """Return the region, 1 or -1 to minimise or maximise, that sign times the costs of P by columns, a distance."""
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
        return region, -1, [_trace_costs(weight, j, m) for j, weight in enumerate(weights)], None
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
    return region, 1, [_loss_costs(loss, share, budget) for loss, share in zip(losses, population, strict=True)], None


def read_population(data: Any, k: int, budget: Budget) -> list[Fraction]:
    """Return a distribution over k inputs."""
    shares = [budget.number(share, "population", MAX_PARAMETER_DIGITS) for share in items(data, "population", count=k)]
    together = over_one_denominator(shares, budget)
    require_distribution(together.numerators, together.denominator, "population")
    return shares


def _trace_costs(weight: Fraction, j: int, m: int) -> Vector:
    costs = [0] * m
    costs[j] = -weight.numerator
    return Vector(costs, weight.denominator, bits_of(weight))


def _loss_costs(loss: Vector, share: Fraction, budget: Budget) -> Vector:
    budget.spend_in_bulk(len(loss.numerators), loss.bits, bits_of(share))
    costs = [share.numerator * each for each in loss.numerators]
    return Vector(costs, share.denominator * loss.denominator, loss.bits + bits_of(share))


def _check_infeasible_variance(problem: Any, gamma: Any, delta: Any, multipliers: Any, budget: Budget) -> None:
    """The rows ``a_u u + a_x x >= b`` of the vertex rule in u = 1/(p00 + p11 - 1), x = p00 u, both free."""
    region, _, population = fields(problem, ["region", "objective", "population"], "problem")
    kind, inputs, outputs, epsilon, slack, family = fields(
        region, ["kind", "inputs", "outputs", "epsilon", "delta", "family"], "region"
    )
    if (kind, inputs, outputs) != ("differential-privacy", "2", "2") or family not in ("all", "warner"):
        raise Rejected("the variance needs a differential-privacy region, 2 inputs, 2 outputs, a known family")
    read_population(population, 2, budget)
    g, d = gamma_bracket(epsilon, gamma, budget).above, delta_bracket(slack, delta, budget).above
    rows: list[tuple[Fraction | int, Fraction | int, Fraction | int]] = [
        (1, -1, 0),
        (0, 1, 1),
        (0, 1, 0),
        (1, -1, -1),
        (g + d - 1, 1 - g, 1),
        (d, g - 1, g),
        (d, g - 1, -1),
        (g + d - 1, 1 - g, -g),
    ]
    if family == "warner":
        rows.append((-1, 2, 1))
    sums = [Fraction(0)] * 3
    for index, multiplier in sparse(multipliers, len(rows), "multipliers", budget):
        if multiplier < 0 and index < 8:
            raise Rejected(f"the multiplier of row {index} has the wrong sign")
        budget.spend(6, 2 * bits_of(multiplier) + bits_of(g), 2 * bits_of(multiplier) + bits_of(g))
        sums = [each + multiplier * value for each, value in zip(sums, rows[index], strict=True)]
    if sums[0] or sums[1]:
        raise Rejected("the multipliers do not cancel the coefficients of u and x, which are free")
    if sums[2] <= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")
