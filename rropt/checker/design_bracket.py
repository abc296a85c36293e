"""The statement ``design-bracket``: the optimum of a design problem lies between two numbers (design_bracket.md).

A way proves ``phi_i <= g_i`` on all possible rows, so that B bounds ``sum_i phi_i(p_i)`` for every mechanism of the
region. This module reads the file, states what B proves for each objective, and tests the mechanism's side.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from .blocks_way import check_blocks, serves
from .branches_way import read_branches, require_on_branches
from .cells_way import is_divergence_level, read_cell_bound, read_divergence_region, read_private, require_on_cells
from .design_bound import read_bound
from .design_region import INEQUALITIES, has_inequalities, read_member, read_region
from .documents import Rejected, WorkBudget, bits_of, fields, items
from .formula_way import check_formula
from .groups_way import KEYS as GROUPED
from .groups_way import check_groups
from .information import Information
from .intervals import read_arithmetic
from .limits import MAX_ENTRIES, MAX_PARAMETER_DIGITS
from .linear_way import require_by_multipliers
from .matrices import (
    Rows,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    pivots_of,
    read_matrix,
    read_numbers,
    read_population,
    require_distribution,
    widest,
)
from .rational_sums import QuotientSum
from .rays_sums import Phi, greatest, is_enclosed, lines_of, mixture, read_sum
from .rays_way import Convex, Lines, Part, Sum, SumOfSquares, require_on_rays
from .values_way import read_cuts, require_on_values

WORST = "conditional-variance"
RATIONAL = "rational-sum"
ONE_CONTRAST = ("c-optimal", WORST)
VARIANCES = {
    "a-optimal": (),
    "c-optimal": ("contrast",),
    "contrasts": ("contrasts",),
    "variance": (),
    WORST: ("contrast",),
}
LINEAR = {"trace": ("weights",), "loss": ("matrix",), "distance": ("norm", "matrix")}
OBJECTIVES: dict[str, tuple[str, ...]] = {
    **VARIANCES,
    "e-optimal": (),
    "d-optimal": (),
    **LINEAR,
    "mutual-information": (),
    "payoff": ("matrix",),
    RATIONAL: ("sense", "terms"),
    "alpha-divergence": ("against", "order"),
    **dict.fromkeys(("chi-square", "total-variation", "kullback-leibler", "hellinger", "jensen-shannon"), ("against",)),
}
"""The kinds of objectives, with their other keys."""

Numbers = Sequence[Fraction]


class CheckedDesign(NamedTuple):
    """The content of a file whose levels are proved, and whose mechanism is verified to lie in the region."""

    inputs: int
    has_any_outputs: bool
    objective: Any
    population: Any
    parts: list[tuple[Fraction, list[Fraction]]]  # the distributions with their weights; none for trace and distance
    rows: Rows  # of the mechanism
    lower: Fraction
    upper: Fraction
    values: list[Fraction]  # B, the bound of the proof; of the way of branches that of each dual
    prove: Callable[[Any, WorkBudget], None]  # rejects phi, or the list of phi of all duals, unless phi_i <= g_i
    proof: dict[str, Any]
    budget: WorkBudget

    @property
    def value(self) -> Fraction:
        """B of a proof with one dual."""
        return self.values[0]


def check_design_bracket(problem: Any, claim: Any, proof: Any) -> str:
    """Check a bracket of the optimum; return the tier of the proof of B of a criterion, if there is one."""
    budget = WorkBudget()
    inputs, outputs, levels, bounds, objective, population = fields(
        problem, ["inputs", "outputs", "levels", "bounds", "objective", "population"], "problem"
    )
    lower, upper, mechanism = fields(claim, ["lower", "upper", "mechanism"], "claim")
    kind = objective.get("kind") if isinstance(objective, dict) else None
    if not isinstance(kind, str) or kind not in OBJECTIVES:
        raise Rejected("the objective is none of those of a design bracket")
    fields(objective, ["kind", *OBJECTIVES[kind]], "objective")
    way = _way_of(proof, kind, levels)
    if has_inequalities(bounds) and way != "linear":
        raise Rejected("inequalities in several entries need the linear way")
    if way == "formula":
        return check_formula(problem, claim, proof, budget)
    if way == "groups":
        return check_groups(problem, claim, proof, budget)
    if way == "blocks":
        return check_blocks(problem, claim, proof, budget)
    has_point = kind == WORST or (isinstance(population, dict) and "mixture" not in population)
    names = _names(objective, bounds is not None, has_point, way)
    fields(proof, [*names, *INEQUALITIES[: has_inequalities(bounds)]], "proof")
    tier = ""
    prove: Callable[[Any, WorkBudget], None]
    if way == "cells":
        curved = read_divergence_region(problem, proof, budget)
        rows = read_private(curved, mechanism, budget)
        curves = read_cell_bound(curved, proof["alpha"], proof["curves"], budget)
        k, values, prove = curved.inputs, [curves.value], partial(require_on_cells, curved, curves)
    else:
        region = read_region(inputs, outputs, levels, bounds, proof["brackets"], budget)
        rows = read_member(region, mechanism, budget)
        k, tier = region.inputs, region.tier
        if way == "branches":
            branches = read_branches(region, proof["duals"], proof["cells"], budget)
            values, prove = [bound.value for bound in branches.bounds], partial(require_on_branches, region, branches)
        else:
            limits, rows_of = proof.get("limits"), proof.get("inequalities")
            bound = read_bound(region, proof["alpha"], proof.get("slopes", []), limits, budget, rows_of)
            values, prove = [bound.value], partial(require_on_rays, region, bound)
            if way == "values":
                prove = partial(require_on_values, region, bound, read_cuts(region, proof["cuts"], budget))
            elif way == "linear":
                prove = partial(require_by_multipliers, region, bound, proof["multipliers"])
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    if ends[0] > ends[1]:
        raise Rejected("lower is above upper")
    parts = _read_parts(population, kind, k, proof.get("point"), budget)
    design = CheckedDesign(k, outputs == "any", objective, population, parts, rows, *ends, values, prove, proof, budget)
    _CHECKS.get(kind, _check_sum)(design)
    return tier


def _way_of(proof: Any, kind: str, levels: Any) -> str:
    """Return the way of the proof; reject it unless it serves the objective and the levels."""
    way = proof.get("way") if isinstance(proof, dict) else None
    more = ("linear",) * (kind in LINEAR) + ("branches",) * (kind in VARIANCES and kind != WORST)
    more += ("groups",) * (kind in GROUPED) + ("blocks",) * serves(kind) + ("values",) * (kind in ONE_CONTRAST)
    more += ("formula",) * (kind in ("trace", "loss", *GROUPED))
    served = ("cells",) if is_divergence_level(levels) else ("rays", *more)
    if kind == RATIONAL:
        served = () if is_divergence_level(levels) else ("rays",)
    if way not in served:
        raise Rejected("the way is not one that serves this objective and these levels")
    return str(way)


def _names(objective: Any, has_bounds: bool, has_point: bool, way: str) -> list[str]:
    """Return the keys of the proof."""
    kind = objective["kind"]
    names = ["way", "brackets"]
    if way == "branches":
        names += ["duals", "cells", "estimators"]
    else:
        names += ["alpha", {"cells": "curves", "values": "cuts"}.get(way, "slopes")]
        names += ["limits"] * has_bounds
        names += ["vectors", "estimators"] * (kind in VARIANCES or kind in ("e-optimal", "d-optimal"))
    names += ["weights"] * (kind in ("e-optimal", "d-optimal"))
    names += ["point"] * has_point
    names += ["lines"] * (kind == "distance")
    names += ["multipliers"] * (way == "linear")
    names += ["convexity"] * (kind == RATIONAL)
    return names + ["digits"] * (kind == "d-optimal" or is_enclosed(objective) or way == "cells")


# distributions


def _read_parts(data: Any, kind: str, k: int, point: Any, budget: WorkBudget) -> list[tuple[Fraction, list[Fraction]]]:
    """Return the distributions of the bound with their weights; of a polytope this is its point."""
    if kind in ("trace", "distance", WORST, RATIONAL):
        if data is not None:
            raise Rejected("the objective does not depend on a population: it is null")
        if kind != WORST:
            return []
        (shares,) = fields(point, ["shares"], "point")
        return [(Fraction(1), read_population(shares, k, budget, "the point"))]
    if isinstance(data, dict) and "mixture" in data:
        if kind in LINEAR or kind in ("e-optimal", "d-optimal"):
            raise Rejected("the objective takes no mixture of distributions")
        (listed,) = fields(data, ["mixture"], "population")
        parts = []
        for entry in items(listed, "the mixture"):
            text, shares = fields(entry, ["weight", "shares"], "a part of the mixture")
            parts.append((budget.number(text, "a weight", MAX_PARAMETER_DIGITS), read_population(shares, k, budget)))
        if not parts or min(w for w, _ in parts) <= 0 or sum(w for w, _ in parts) != 1:
            raise Rejected("the weights of the mixture are not positive numbers that sum to 1")
        return parts
    if not isinstance(data, dict):
        return [(Fraction(1), read_population(data, k, budget))]
    if kind not in VARIANCES:
        raise Rejected("the objective takes no polytope of distributions")
    shares, _ = fields(point, ["shares", "weights" if "vertices" in data else "multipliers"], "point")
    return [(Fraction(1), read_population(shares, k, budget, "the point"))]


# linear objectives


def _check_linear(design: CheckedDesign) -> None:
    """Check the bracket of a trace, a loss or a distance."""
    rows, budget, kind = design.rows, design.budget, design.objective["kind"]
    k, m = design.inputs, len(rows)
    if design.has_any_outputs:
        raise Rejected("a linear objective needs a number of outputs")
    longest = max(bits_of(x) for row in rows for x in row)
    if kind == "trace":
        if m != k:
            raise Rejected("the trace needs as many outputs as inputs")
        weights = read_numbers(design.objective["weights"], "weights", budget, k)
        budget.spend(4 * k + k * k // 4, longest, max(map(bits_of, weights)))
        lines = [[w if i == j else Fraction(0) for j in range(k)] for i, w in enumerate(weights)]
        _require_lower(design, _total([w * row[i] for i, (w, row) in enumerate(zip(weights, rows, strict=True))]))
        _require_upper(design)
    elif kind == "loss":
        losses = read_matrix(design.objective["matrix"], "loss", budget, (m, k))
        ((_, pi),) = design.parts
        budget.spend(6 * k * m, longest, max(map(bits_of, pi)) + max(bits_of(x) for row in losses for x in row))
        lines = [[-p * x for p, x in zip(pi, row, strict=True)] for row in losses]
        value = -_total([_product(line, row) for line, row in zip(lines, rows, strict=True)])
        if design.upper < value:
            raise Rejected("upper is below the loss of the mechanism")
        if design.lower > -design.value:
            raise Rejected("lower is above the bound of the proof")
    else:
        lines = _check_distance(design, longest)
    design.prove(Lines(lines, own=True), budget)


def _check_distance(design: CheckedDesign, longest: int) -> Rows:
    """Check both ends of a distance, and return the lines z_i, whose dual norm is at most 1."""
    rows, budget, norm = design.rows, design.budget, design.objective["norm"]
    shape = len(rows), design.inputs
    if norm not in ("largest", "total"):
        raise Rejected("the norm of the distance is neither largest nor total")
    wanted = read_matrix(design.objective["matrix"], "the objective's matrix", budget, shape)
    lines = read_matrix(design.proof["lines"], "the lines", budget, shape)
    flat_lines, flat_wanted = ([x for row in matrix for x in row] for matrix in (lines, wanted))
    size = max(map(bits_of, (*flat_lines, *flat_wanted)))
    budget.spend(12 * len(flat_lines), size, max(size, longest))
    norms = [abs(z) for z in flat_lines]
    if (_total(norms) if norm == "largest" else max(norms)) > 1:
        raise Rejected("the lines have a dual norm above 1")
    changes = [abs(p - q) for p, q in zip((x for row in rows for x in row), flat_wanted, strict=True)]
    if design.upper < (max(changes) if norm == "largest" else _total(changes)):
        raise Rejected("upper is below the distance of the mechanism")
    if design.lower > _product(flat_lines, flat_wanted) - design.value:
        raise Rejected("lower is above the bound of the proof")
    return lines


# sums of convex functions of the rows


def _check_sum(design: CheckedDesign) -> None:
    """Check the bracket of chi-square, an information, a divergence, a total variation or a payoff."""
    budget, objective, kind = design.budget, design.objective, design.objective["kind"]
    arithmetic = read_arithmetic(design.proof["digits"], design.budget) if is_enclosed(objective) else None
    phi: SumOfSquares | Lines | Sum
    ends: Phi
    lines = lines_of(objective, design.parts[0][1], budget) if len(design.parts) == 1 else None
    if kind == "chi-square":
        phi = SumOfSquares([_chi_square(weight, pi, design) for weight, pi in design.parts], budget)
        ends = phi.ends
    elif lines is not None:
        phi, ends = Lines(lines, own=False), greatest(lines, budget)
    elif kind == "mutual-information" and len(design.parts) == 1 and arithmetic is not None:
        information = Information(design.parts[0][1], arithmetic)
        phi, ends = Sum(information.ends, information), information.ends
    else:
        terms = [(weight, read_sum(objective, pi, budget, arithmetic)) for weight, pi in design.parts]
        ends = mixture([(weight, term) for weight, term in terms if term is not None], budget)
        phi = Sum(ends)
    low = Fraction(0)
    for row in design.rows:
        if any(row):
            together = over_one_denominator(row, budget)
            value = ends(together.numerators)[0]
            budget.spend(2, bits_of(low), bits_of(value) + together.denominator.bit_length())
            low += value / together.denominator
    _require_lower(design, low if kind == "payoff" else max(low, Fraction(0)))
    _require_upper(design)
    design.prove(phi, budget)


def _check_rational(design: CheckedDesign) -> None:
    """Check the bracket of a sum of a rational function of the rows, whose convexity the file proves."""
    phi, total = QuotientSum(design.objective, design.inputs, design.budget), Fraction(0)
    for row in design.rows:
        if any(row):
            together = over_one_denominator(row, design.budget)
            value = phi.ends(together.numerators)[0]
            design.budget.spend(2, bits_of(total), bits_of(value) + together.denominator.bit_length())
            total += value / together.denominator
    if phi.is_maximum:
        _require_lower(design, total)
        _require_upper(design)
    elif design.upper < -total:
        raise Rejected("upper is below the value of the mechanism")
    elif design.lower > -design.value:
        raise Rejected("lower is above the bound of the proof")
    design.prove(Convex(phi, design.proof["convexity"]), design.budget)


def _chi_square(weight: Fraction, pi: Numbers, design: CheckedDesign) -> Part:
    """Return the term ``(p.(pi - q))^2 / (p.q)``."""
    q = read_population(design.objective["against"], len(pi), design.budget, "against")
    return Part(weight, [[x - y for x, y in zip(pi, q, strict=True)]], [Fraction(1)], q)


# variances


def _check_variances(design: CheckedDesign) -> None:
    """Check the bracket of a sum of variances, of its mean over a mixture, or of its largest value over a polytope.

    Of the conditional variance the bracket is that of its largest value over the inputs.
    """
    targets, proof, kind = _targets(design), design.proof, design.objective["kind"]
    value = added = Fraction(0)
    estimators = items(proof["estimators"], "estimators", count=len(design.parts))
    for (weight, pi), estimator in zip(design.parts, estimators, strict=True):
        if kind == WORST:
            value, added = _conditional(design, estimator, targets, pi)
        elif not isinstance(design.population, dict) or "mixture" in design.population:
            covariance = _covariance(design, estimator, targets, pi)
            value += weight * _total([row[i] for i, row in enumerate(covariance)])
        else:
            value = _over_polytope(design, _tangent(design, estimator, targets, pi))
    if design.upper < value:
        raise Rejected("upper is below the variance of the estimators")
    is_branched = proof["way"] == "branches"
    vectors = [dual["vectors"] for dual in proof["duals"]] if is_branched else [proof["vectors"]]
    lower = design.lower + added
    squares = [_squares(design, lower, targets, *each) for each in zip(vectors, design.values, strict=True)]
    if is_branched:
        design.prove(squares if design.lower > 0 else None, design.budget)
    elif design.lower > 0:  # a variance is at least 0
        design.prove(squares[0], design.budget)


def _conditional(design: CheckedDesign, estimator: Any, targets: Rows, y: Numbers) -> tuple[Fraction, Fraction]:
    """Return the largest ``sum_i z_i^2 p_ij - x_j^2``, and the variance of x under the point y."""
    budget, (x,) = design.budget, targets
    ((*z,),), scale, p, unit = _read_estimator(design, estimator, targets)
    budget.spend(2 * len(z), widest(z), widest(z))
    ((*sums,),) = multiply([[each**2 for each in z]], p, budget)
    below = scale**2 * unit
    budget.spend(8 * len(x), below.bit_length() + 2 * _longest([x]), _longest([x, y]))
    worst = max(Fraction(total, below) - each**2 for total, each in zip(sums, x, strict=True))
    return worst, _product(y, [each**2 for each in x]) - _product(y, x) ** 2


def _squares(design: CheckedDesign, lower: Fraction, targets: Rows, data: Any, value: Fraction) -> SumOfSquares:
    """Return phi of a dual with the bound B; reject it if ``lower``, of a variance, is above what it proves."""
    budget, reached = design.budget, Fraction(0)
    parts = []
    for (weight, pi), rows in zip(design.parts, items(data, "vectors", count=len(design.parts)), strict=True):
        w = _read_vectors(rows, design.inputs, len(targets), budget)
        budget.spend(6 * len(w) * design.inputs, _longest(w), _longest(targets) + bits_of(reached))
        reached += weight * _total([_product(c, x) for c, x in zip(targets, w, strict=True)])
        parts.append(Part(weight, w, [Fraction(1)] * len(w), pi))
    if design.lower > 0 and value >= 0 and (not reached or lower * value > reached**2):
        raise Rejected("lower is above the bound of the proof")
    return SumOfSquares(parts, budget)


def _targets(design: CheckedDesign) -> Rows:
    """Return C."""
    k, objective = design.inputs, design.objective
    if objective["kind"] == "a-optimal":
        return _identity(k, design.budget)
    if objective["kind"] == "variance":
        if k != 2:
            raise Rejected("the variance of a prevalence has two inputs")
        return [[Fraction(0), Fraction(1)]]
    listed = [objective["contrast"]] if objective["kind"] in ONE_CONTRAST else objective["contrasts"]
    rows = read_matrix(listed, "the contrasts", design.budget, (None, k), MAX_PARAMETER_DIGITS)
    if not any(map(any, rows)):
        raise Rejected("the contrasts are 0")
    return rows


def _identity(k: int, budget: WorkBudget) -> Rows:
    budget.spend(k * k)
    return [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]


def _read_vectors(data: Any, k: int, count: int | None, budget: WorkBudget) -> Rows:
    """Return the vectors w_j; reject unless the entries of each sum to 0."""
    vectors = read_matrix(data, "the vectors", budget, (count, k))
    budget.spend(2 * len(vectors) * k, _longest(vectors), _longest(vectors))
    if any(_total(w) for w in vectors):
        raise Rejected("the entries of a vector do not sum to 0")
    return vectors


def _check_eigenvalue(design: CheckedDesign) -> None:
    """Check the bracket of the largest eigenvalue of the covariance."""
    budget, k = design.budget, design.inputs
    pi, vectors, d, covariance = _read_quadratic(design, None)
    if min(d) < 0:
        raise Rejected("a weight of a vector is negative")
    budget.spend(2 * k * k, _longest(covariance), bits_of(design.upper))
    left = [[design.upper * (i == j) - x for j, x in enumerate(row)] for i, row in enumerate(covariance)]
    pivots_of(matrix_over_one_denominator(left, budget)[0], "upper is below the largest eigenvalue", budget)
    budget.spend(6 * len(vectors) * k, 2 * _longest(vectors), _longest([d]))
    reached = _total([x * _product(w, w) for x, w in zip(d, vectors, strict=True)])
    if design.lower > 0:  # an eigenvalue of a covariance is at least 0
        if design.lower * _positive(design) > reached:
            raise Rejected("lower is above the bound of the proof")
        design.prove(SumOfSquares([Part(Fraction(1), vectors, d, pi)], budget), budget)


def _check_determinant(design: CheckedDesign) -> None:
    """Check the bracket of ``ln det M``."""
    budget, k = design.budget, design.inputs
    arithmetic = read_arithmetic(design.proof["digits"], design.budget)
    pi, vectors, d, covariance = _read_quadratic(design, k - 1)
    if any(w[j] != 1 or any(w[:j]) for j, w in enumerate(vectors)):
        raise Rejected("the vectors are not triangular with entries 1 on the diagonal")
    if min(d) <= 0:
        raise Rejected("a weight of a vector is not positive")
    minor, scale = matrix_over_one_denominator([row[:-1] for row in covariance[:-1]], budget)
    pivots = pivots_of(minor, "the covariance is not positive definite", budget)
    if not all(pivots):
        raise Rejected("the covariance is not positive definite")
    budget.spend(4, pivots[-1].bit_length(), (k - 1) * scale.bit_length())
    volume = arithmetic.log(arithmetic.of(Fraction(pivots[-1], scale ** (k - 1))))
    if design.lower > -Fraction(volume[1]):
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    mean = arithmetic.log(arithmetic.of(_positive(design) / (k - 1)))
    high = (k - 1) * Fraction(mean[1]) - _total([Fraction(arithmetic.log(arithmetic.of(x))[0]) for x in d])
    if design.upper < high:
        raise Rejected("upper is not proved to be at least the bound of the proof")
    design.prove(SumOfSquares([Part(Fraction(1), vectors, d, pi)], budget), budget)


def _read_quadratic(design: CheckedDesign, count: int | None) -> tuple[list[Fraction], Rows, list[Fraction], Rows]:
    """Return the distribution, the vectors with their weights, and the covariance of the estimator, for E and D."""
    budget, k = design.budget, design.inputs
    ((_, pi),) = design.parts
    (rows,) = items(design.proof["vectors"], "vectors", count=1)
    (estimator,) = items(design.proof["estimators"], "estimators", count=1)
    vectors = _read_vectors(rows, k, count, budget)
    d = read_numbers(design.proof["weights"], "weights", budget, len(vectors))
    return pi, vectors, d, _covariance(design, estimator, _identity(k, budget), pi)


def _covariance(design: CheckedDesign, estimator: Any, targets: Rows, pi: Numbers) -> Rows:
    """Return ``V = sum_i s_i a_i a_i^T - (C pi)(C pi)^T``."""
    budget = design.budget
    a, scale, p, unit = _read_estimator(design, estimator, targets)
    shares = over_one_denominator(pi, budget)
    chances = [x for (x,) in multiply(p, [[x] for x in shares.numerators], budget)]
    budget.spend(len(a) * len(p), widest(*a), widest(chances))
    weighted = [[x * chance for x, chance in zip(row, chances, strict=True)] for row in a]
    squares = multiply(weighted, [list(column) for column in zip(*a, strict=True)], budget)
    budget.spend(2 * len(a) * len(pi), _longest(targets), shares.bits)
    means = [_product(c, pi) for c in targets]
    below = scale**2 * unit * shares.denominator
    budget.spend(4 * len(a) ** 2, 2 * below.bit_length(), 2 * _longest([means]) + below.bit_length())
    return [
        [Fraction(x, below) - mean * other for x, other in zip(row, means, strict=True)]
        for row, mean in zip(squares, means, strict=True)
    ]


def _read_estimator(
    design: CheckedDesign, data: Any, targets: Rows
) -> tuple[list[list[int]], int, list[list[int]], int]:
    """Return A and P as integers with their denominators; reject unless A P = C."""
    budget = design.budget
    p, unit = matrix_over_one_denominator(design.rows, budget)
    given = read_matrix(data, "an estimator", budget, (len(targets), len(p)))
    a, scale = matrix_over_one_denominator(given, budget)
    budget.spend(2 * len(targets) * len(targets[0]), _longest(targets), unit.bit_length() + scale.bit_length())
    for row, wanted in zip(multiply(a, p, budget), targets, strict=True):
        if any(x != c * unit * scale for x, c in zip(row, wanted, strict=True)):
            raise Rejected("an estimator is not unbiased")
    return a, scale, p, unit


# polytopes of distributions


def _tangent(design: CheckedDesign, estimator: Any, targets: Rows, pi: Numbers) -> list[Fraction]:
    """Return t such that t.q is at least the variance of the estimator at every distribution q."""
    budget = design.budget
    a, scale, p, unit = _read_estimator(design, estimator, targets)
    budget.spend(2 * len(a) * len(p), widest(*a), widest(*a))
    squares = [sum(row[i] ** 2 for row in a) for i in range(len(p))]
    ((*sums,),) = multiply([squares], p, budget)
    budget.spend(4 * len(targets) * len(pi), _longest(targets), _longest([pi]))
    means = [_product(c, pi) for c in targets]
    below, square = scale**2 * unit, _product(means, means)
    size = max(below.bit_length(), _longest(targets) + 2 * _longest([means]))
    budget.spend(6 * len(targets) * len(pi), size, size)
    columns = zip(*targets, strict=True)
    return [Fraction(x, below) - 2 * _product(means, c) + square for x, c in zip(sums, columns, strict=True)]


def _over_polytope(design: CheckedDesign, tangent: Numbers) -> Fraction:
    """Return a bound of the tangent over the polytope; reject a point that is not in the polytope."""
    pi, point, budget = design.parts[0][1], design.proof["point"], design.budget
    if "vertices" in design.population:
        (listed,) = fields(design.population, ["vertices"], "population")
        return _over_vertices(items(listed, "vertices", most=MAX_ENTRIES), point["weights"], pi, tangent, budget)
    (listed,) = fields(design.population, ["rows"], "population")
    return _over_rows(items(listed, "rows", most=MAX_ENTRIES), point["multipliers"], pi, tangent, budget)


def _over_vertices(listed: list[Any], data: Any, pi: Numbers, tangent: Numbers, budget: WorkBudget) -> Fraction:
    """Return the largest value of the tangent at a vertex; reject unless pi is the mean of the vertices."""
    if not listed:
        raise Rejected("the polytope has no vertices")
    vertices = [read_population(vertex, len(pi), budget, "a vertex") for vertex in listed]
    weights = read_numbers(data, "the weights", budget, len(vertices))
    together = over_one_denominator(weights, budget)
    require_distribution(together.numerators, together.denominator, "the list of weights")
    size = max(_longest(vertices), together.bits, _longest([tangent]))
    budget.spend(8 * len(vertices) * len(pi), size, size)
    for j, share in enumerate(pi):
        if _product(weights, [vertex[j] for vertex in vertices]) != share:
            raise Rejected("the point is not the mean of the vertices")
    return max(_product(tangent, vertex) for vertex in vertices)


def _over_rows(listed: list[Any], data: Any, pi: Numbers, tangent: Numbers, budget: WorkBudget) -> Fraction:
    """Return the bound that the multipliers prove; reject unless pi satisfies the rows."""
    *multipliers, value = read_numbers(data, "multipliers", budget, len(listed) + 1)  # the last one is y_0
    left = [value - t for t in tangent]
    for row, y in zip(listed, multipliers, strict=True):
        texts, relation, text = fields(row, ["coefficients", "relation", "bound"], "a row of the polytope")
        x = read_numbers(texts, "coefficients", budget, len(pi), MAX_PARAMETER_DIGITS)
        b = budget.number(text, "the bound of a row", MAX_PARAMETER_DIGITS)
        if relation not in ("<=", ">=", "="):
            raise Rejected("a relation is none of <=, >=, =")
        size = max(map(bits_of, (y, b, value, *x, *left, *pi)))
        budget.spend(8 * len(pi), size, size)
        excess = _product(x, pi) - b
        if (excess > 0 and relation != ">=") or (excess < 0 and relation != "<="):
            raise Rejected("the point is not in the polytope")
        if (y < 0 and relation == "<=") or (y > 0 and relation == ">="):
            raise Rejected("a multiplier of a row has the wrong sign")
        left = [rest + y * each for rest, each in zip(left, x, strict=True)]
        value += y * b
    if min(left) < 0:
        raise Rejected("the multipliers do not bound the tangent")
    return value


# both sides


def _require_lower(design: CheckedDesign, value: Fraction) -> None:
    if design.lower > value:
        raise Rejected("lower is not proved to be at most the value of the mechanism")


def _require_upper(design: CheckedDesign) -> None:
    if design.upper < design.value:
        raise Rejected("upper is below the bound of the proof")


def _positive(design: CheckedDesign) -> Fraction:
    """Return B; reject it unless it is positive."""
    if design.value <= 0:
        raise Rejected("the bound of the proof is not positive")
    return design.value


def _total(numbers: Numbers) -> Fraction:
    return sum(numbers, Fraction(0))


def _product(left: Numbers, right: Numbers) -> Fraction:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def _longest(rows: Sequence[Numbers]) -> int:
    return max(bits_of(x) for row in rows for x in row)


_CHECKS: dict[str, Callable[[CheckedDesign], None]] = {
    **dict.fromkeys(LINEAR, _check_linear),
    **dict.fromkeys(VARIANCES, _check_variances),
    "e-optimal": _check_eigenvalue,
    "d-optimal": _check_determinant,
    RATIONAL: _check_rational,
}
"""The checks of the objectives; all others are sums of convex functions of the rows."""
