"""Designs with k inputs and any number of outputs: a mechanism, and an inequality on every ray (FORMAT.md, rule 25).

Let ``g(p) = alpha.p + sum beta max(0, p_j - gamma p_l)`` and ``B = sum alpha + sum beta delta``, with sums over levels
(gamma, delta) and pairs (j, l) of inputs. If ``phi(r) <= g(r)`` on all rays, then ``sum_i phi(p_i) <= B`` for the rows
p_i of every private mechanism. Each objective defines phi, the quantity that B then bounds, and what the mechanism of
the file proves.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from .brackets import Bracket, delta_bracket, gamma_bracket, uniform_level
from .design_bound import Slopes, by_pair
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .information import Information, doubtful
from .intervals import Arithmetic, log_of_product
from .limits import MAX_COVER_DIGITS, MAX_ENTRIES, MAX_LEVELS, MAX_PARAMETER_DIGITS
from .matrices import (
    Rows,
    Vector,
    columns,
    dot,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    read_matrix,
    read_mechanism,
    read_population,
    require_dominant,
    require_triangular,
    square_of,
    total,
)
from .polynomials import whole
from .rays import Ray, Staircase, Tie, grown_rays, shown
from .rays_sums import Phi, is_enclosed, mixture, read_mixture, read_sum
from .rays_way import form_of
from .regions import excess, read_levels, require_parity

EXPLAINED = {
    "rays": "Every row of a private mechanism is a nonnegative combination of finitely many rays. The checker "
    "listed the rays and tested the inequality behind the bound on each. It computed the value of the mechanism (a "
    "variance by an unbiased estimator, logarithms by enclosures).",
}

Numbers = Sequence[Fraction]
Rays = Staircase | list[Ray]

_FEW_INPUTS = 3  # up to this number all rows are tested directly: tangents would not spare any


class Dual(NamedTuple):
    """The function g in integers over a common denominator, and its bound B on all mechanisms."""

    alpha: list[int]
    slopes: list[Slopes]
    unit: int
    bound: Fraction  # sum alpha + sum beta delta
    bends: list[Tie]  # (j, l, gamma) of the slopes with beta > 0

    def at(self, ray: Ray) -> int:
        """Return ``unit g(ray)``."""
        return sum(a * r for a, r in zip(self.alpha, ray, strict=True)) + sum(pair.at(ray) for pair in self.slopes)

    def cost(self) -> tuple[int, int]:
        """Return the number of products in a value of g, and the bits of its longest number."""
        longest = max(self.unit.bit_length(), *(abs(x).bit_length() for x in self.alpha))
        count = len(self.alpha)
        for pair in self.slopes:
            count += 2 * len(pair.gammas).bit_length() + 2
            longest = max(longest, *(x.bit_length() for x in pair.sums[-1]))
        return count, longest


class Design(NamedTuple):
    """The content of a certificate; its level is proved, and its mechanism is verified to be private."""

    objective: Any
    pi: list[Fraction]
    rows: Rows  # of the mechanism
    lower: Fraction
    upper: Fraction
    rays: Rays
    dual: Dual
    matrix: Any
    primal: Any
    logarithms: Any
    budget: Budget


class Level(NamedTuple):
    """A level of a region, with proved brackets."""

    gamma: Bracket
    delta: Bracket
    has_delta: bool  # delta is not written as "0"
    pairs: list[tuple[int, int]]  # (j, l), in lexicographic order


class RayRegion(NamedTuple):
    """The mechanisms that satisfy every level of a list."""

    inputs: int
    outputs: int | None  # None: any number
    levels: list[Level]
    form: str  # one: one level for all pairs; pairs: a level for each pair; several: a list of levels
    tier: str = ""  # tier of the proof of B, for the verdict


def check_rays(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind design-bracket; return the tier of the proof of B, if there is one."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    lower, upper, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma, delta, dual, primal, logarithms = fields(
        witness, ["rule", "gamma", "delta", "dual", "primal", "logarithms"], "witness"
    )
    alpha, beta, matrix = fields(dual, ["alpha", "beta", "matrix"], "dual")
    kind = objective.get("kind") if isinstance(objective, dict) else None
    goal = _GOALS.get(kind) if isinstance(kind, str) else None
    if goal is None:
        raise Rejected("the objective is none of those that the rule of rays knows")
    region = _read_region(data, gamma, delta, budget)
    k = region.inputs
    pi = read_population(shares, k, budget)
    rows = read_mechanism(made, "the mechanism", budget, (region.outputs, k))
    _require_member(region, columns(rows, "the mechanism", budget), budget)
    if kind in ("trace", "loss") and region.outputs is None:
        raise Rejected("a linear objective needs a number of outputs")
    bound = _read_dual(region, alpha, beta, budget)
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    if ends[0] > ends[1]:
        raise Rejected("lower is above upper")
    rays = _list_rays(region, bound.bends, budget)
    goal(Design(objective, pi, rows, *ends, rays, bound, matrix, primal, logarithms, budget))
    return region.tier


def _read_region(data: Any, gamma: Any, delta: Any, budget: Budget) -> RayRegion:
    """Prove the brackets of the region, and return the region."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "pairwise-privacy":
        _, inputs, outputs, levels = fields(data, ["kind", "inputs", "outputs", "levels"], "region")
        k = whole(inputs, "inputs", MAX_ENTRIES, 2)
        zero = delta_bracket("0", delta, budget)
        found = [Level(one, zero, False, [(j, i)]) for j, i, one in read_levels(levels, gamma, k, budget)]
        return RayRegion(k, _read_outputs(outputs), found, "pairs")
    if kind == "privacy-levels":
        _, inputs, outputs, levels = fields(data, ["kind", "inputs", "outputs", "levels"], "region")
        k = whole(inputs, "inputs", MAX_ENTRIES, 2)
        return RayRegion(k, _read_outputs(outputs), _read_several(levels, gamma, delta, k, budget), "several")
    level = uniform_level(data, gamma, delta, budget)
    if level.family != "all":
        raise Rejected("the family is not all")
    inputs, outputs = level.sizes
    k = whole(inputs, "inputs", MAX_ENTRIES, 2)
    one = Level(level.gamma, level.delta, level.has_delta, [])  # an empty list means all pairs, which would be many
    return RayRegion(k, _read_outputs(outputs), [one], "one", level.tier)


def _read_outputs(outputs: Any) -> int | None:
    return None if outputs == "any" else whole(outputs, "outputs", MAX_ENTRIES, 2)


def _read_several(data: Any, gammas: Any, deltas: Any, k: int, budget: Budget) -> list[Level]:
    given = items(data, "levels", most=MAX_LEVELS)
    if not given:
        raise Rejected("there are no levels")
    gammas, deltas = (items(x, what, count=len(given)) for x, what in ((gammas, "gamma"), (deltas, "delta")))
    found = []
    for entry, gamma, delta in zip(given, gammas, deltas, strict=True):
        epsilon, slack, pairs = fields(entry, ["epsilon", "delta", "pairs"], "a level")
        brackets = gamma_bracket(epsilon, gamma, budget), delta_bracket(slack, delta, budget)
        found.append(Level(*brackets, slack != "0", _read_pairs(pairs, k, budget)))
    return found


def _read_pairs(data: Any, k: int, budget: Budget) -> list[tuple[int, int]]:
    if data == "all":
        budget.spend(k * k)
        return list(permutations(range(k), 2))
    found = []
    for entry in items(data, "pairs", most=MAX_ENTRIES):
        budget.spend(2)
        j, i = (whole(x, "an input of a pair", k - 1, 0) for x in items(entry, "a pair", count=2))
        found.append((j, i))
        if j == i or found[-2:-1] >= [(j, i)]:
            raise Rejected("the pairs of a level are not pairs of two inputs in lexicographic order")
    if not found:
        raise Rejected("a level has no pairs")
    return found


def _require_member(region: RayRegion, mechanism: list[Vector], budget: Budget) -> None:
    """Reject unless the mechanism satisfies every level, at the brackets below."""
    if region.form == "one" and not region.levels[0].has_delta:
        require_parity(region.levels[0].gamma.below, mechanism, budget)
        return
    for level in region.levels:
        delta = level.delta.below
        for j, i in level.pairs or permutations(range(region.inputs), 2):
            above, scale = excess(mechanism[j], mechanism[i], level.gamma.below, budget)
            budget.spend(2, bits_of(delta), max(above.bit_length(), scale.bit_length()))
            if above * delta.denominator > delta.numerator * scale:
                raise Rejected(f"the mechanism exceeds gamma by more than delta for inputs {j} and {i}")


def _read_dual(region: RayRegion, alpha: Any, beta: Any, budget: Budget) -> Dual:
    k = region.inputs
    (line,) = read_matrix([alpha], "alpha", budget, (1, k))
    if region.form == "several":
        squares = items(beta, "beta", count=len(region.levels))
    elif region.form == "one":
        squares = [beta]
    else:
        squares = [None] * len(region.levels)
        if beta is not None:
            raise Rejected("beta is not null where delta is 0, or is null where it is not")
    slopes: list[tuple[int, int, Fraction, Fraction, Fraction]] = []
    for level, square in zip(region.levels, squares, strict=True):
        slopes += _read_slopes(level, square, k, budget)
    vector = over_one_denominator([*line, *(x / gamma.denominator for _, _, x, gamma, _ in slopes)], budget)
    pairs = by_pair([(j, i, gamma) for j, i, _, gamma, _ in slopes], vector.numerators[k:])
    bound = sum(line, Fraction(0))
    for _, _, x, _, delta in slopes:
        budget.spend(4, max(vector.bits, bits_of(bound)), bits_of(delta))
        bound += x * delta
    return Dual(
        vector.numerators[:k], pairs, vector.denominator, bound, [(j, i, gamma) for j, i, _, gamma, _ in slopes]
    )


def _read_slopes(
    level: Level, square: Any, k: int, budget: Budget
) -> Iterator[tuple[int, int, Fraction, Fraction, Fraction]]:
    """Yield (j, l, beta, gamma, delta) for the positive entries of a matrix beta; gamma and delta are the upper
    brackets.
    """
    if (square is None) is level.has_delta:
        raise Rejected("beta is not null where delta is 0, or is null where it is not")
    if square is None:
        return
    allowed = set(level.pairs)
    for j, row in enumerate(read_matrix(square, "beta", budget, (k, k))):
        for i, x in enumerate(row):
            if x < 0:
                raise Rejected("beta has a negative entry")
            if x and i == j:
                raise Rejected("beta is not 0 on its diagonal")
            if x and allowed and (j, i) not in allowed:
                raise Rejected("beta is not 0 for a pair that its level does not have")
            if x:
                yield j, i, x, level.gamma.above, level.delta.above


def _list_rays(region: RayRegion, bends: list[Tie], budget: Budget) -> Rays:
    k = region.inputs
    if region.form == "one" and not region.levels[0].has_delta:
        return Staircase(k, region.levels[0].gamma.above, budget)
    walls = [(j, i, one.gamma.above) for one in region.levels if not one.has_delta for j, i in one.pairs]
    return grown_rays(k, walls, bends, budget)


# the function phi


def _require_squares(design: Design, w: Rows, weights: Numbers, what: str) -> None:
    """Reject unless ``abs(r W)^2 <= g(r) (r.weights)`` and ``g(r) >= 0`` on every ray."""
    budget, dual, width = design.budget, design.dual, len(w[0])
    flat = over_one_denominator([x for row in w for x in row], budget)
    along = [flat.numerators[j::width] for j in range(width)]
    shares = over_one_denominator(weights, budget)
    scales = dual.unit * shares.denominator, flat.denominator**2
    # r.weights > 0 on these rays, so the inequality implies that g is nonnegative
    if isinstance(design.rays, Staircase):
        ray = design.rays.negative(form_of(dual.alpha, shares.numerators, along, [1] * width, scales, budget))
        if ray is not None:
            raise Rejected(f"the inequality of {what} fails on the ray {shown(ray)}")
        return
    _spend(design, len(weights) * (width + 2), max(flat.bits, shares.bits))
    for ray in design.rays:
        square = sum(dot(ray, column) ** 2 for column in along)
        g = dual.at(ray)
        if g < 0 or square * scales[0] > g * dot(ray, shares.numerators) * scales[1]:
            raise Rejected(f"the inequality of {what} fails on the ray {shown(ray)}")


def _require_lines(design: Design, lines: Iterable[Numbers]) -> None:
    """Reject unless ``line.r <= g(r)`` for each line on every ray."""
    dual, vectors = design.dual, [over_one_denominator(line, design.budget) for line in lines]
    if isinstance(design.rays, Staircase):  # g has no slopes, so line - g is linear and a single ray decides
        for line in vectors:
            design.budget.spend(4 * len(dual.alpha), line.bits, dual.unit.bit_length())
            left = [a * line.denominator - x * dual.unit for a, x in zip(dual.alpha, line.numerators, strict=True)]
            ray = design.rays.least(left)
            if dot(left, ray) < 0:
                raise Rejected(f"the inequality of an output fails on the ray {shown(ray)}")
        return
    _spend(design, 2 * len(vectors) * len(design.pi), max(vector.bits for vector in vectors))
    for ray in design.rays:
        g = dual.at(ray)
        if any(dot(ray, line.numerators) * dual.unit > g * line.denominator for line in vectors):
            raise Rejected(f"the inequality of an output fails on the ray {shown(ray)}")


def _spend(design: Design, count: int, bits: int) -> None:
    """Charge ``count`` products and one value of g for each ray."""
    dual = design.dual
    rays = design.rays
    if isinstance(rays, Staircase):
        longest = rays.longest
    else:
        longest = max((max(x.bit_length() for x in r) for r in rays), default=0)
    own_count, own = dual.cost()
    own = max(bits, own)
    design.budget.spend_in_bulk(len(design.rays) * (count + own_count), longest, own)
    design.budget.spend(2 * len(design.rays), longest + own, longest + own)


# variances: an unbiased estimator, and W


def _check_sum(design: Design, targets: Rows) -> None:
    """Check the bracket of the sum of the variances of the estimates of C pi: ``tr V``."""
    budget = design.budget
    (estimator,) = fields(design.primal, ["estimator"], "primal")
    covariance = _covariance(design, estimator, targets)
    if sum((covariance[i][i] for i in range(len(targets))), Fraction(0)) > design.upper:
        raise Rejected("upper is below the variance of the estimator")
    w, bound = _read_w(design, len(targets))
    budget.spend(2 * len(w) * len(targets), _longest(w), _longest(targets))
    trace = sum((_product(c, [row[i] for row in w]) for i, c in enumerate(targets)), Fraction(0))
    if design.lower * bound > trace**2:
        raise Rejected("lower is above the bound of the dual")
    _require_squares(design, w, design.pi, "the variance")


def _check_a(design: Design) -> None:
    of_kind(design.objective, "a-optimal", [], "objective")
    _require_no_logarithms(design)
    _check_sum(design, _identity(len(design.pi)))


def _check_c(design: Design) -> None:
    k = len(design.pi)
    (texts,) = of_kind(design.objective, "c-optimal", ["contrast"], "objective")
    contrast = [
        design.budget.number(text, "the contrast", MAX_PARAMETER_DIGITS) for text in items(texts, "contrast", count=k)
    ]
    if not any(contrast):
        raise Rejected("the contrast is 0")
    _require_no_logarithms(design)
    _check_sum(design, [contrast])


def _check_variance(design: Design) -> None:
    of_kind(design.objective, "variance", [], "objective")
    if len(design.pi) != 2:
        raise Rejected("the variance of a prevalence has two inputs")
    _require_no_logarithms(design)
    _check_sum(design, [[Fraction(0), Fraction(1)]])


def _check_e(design: Design) -> None:
    """Check the bracket of the largest eigenvalue of the covariance."""
    of_kind(design.objective, "e-optimal", [], "objective")
    _require_no_logarithms(design)
    k, budget = len(design.pi), design.budget
    estimator, factor = fields(design.primal, ["estimator", "factor"], "primal")
    covariance = _covariance(design, estimator, _identity(k))
    square = square_of(read_matrix(factor, "the factor", budget, (k, None)), budget)
    left = [[design.upper * (i == j) - covariance[i][j] - square[i][j] for j in range(k)] for i in range(k)]
    require_dominant(left, "upper is not proved to be at least the largest eigenvalue", budget)
    w, bound = _read_w(design, None)
    budget.spend(2 * k * len(w[0]), _longest(w), _longest(w))
    if design.lower * bound > sum((x * x for row in w for x in row), Fraction(0)):
        raise Rejected("lower is above the bound of the dual")
    _require_squares(design, w, design.pi, "the largest eigenvalue")


def _check_d(design: Design) -> None:
    """Check the bracket of ``ln det M``."""
    of_kind(design.objective, "d-optimal", [], "objective")
    arithmetic = _arithmetic(design)
    k, budget = len(design.pi), design.budget
    if not all(design.pi):
        raise Rejected("a share is 0: the determinant has no meaning")
    estimator, factor = fields(design.primal, ["estimator", "factor"], "primal")
    covariance = _covariance(design, estimator, _identity(k))
    f = read_matrix(factor, "the factor", budget, (k - 1, k - 1))
    diagonal = require_triangular(f, "the factor")
    square = square_of(f, budget)
    left = [[square[i][j] - covariance[i][j] for j in range(k - 1)] for i in range(k - 1)]
    require_dominant(left, "the factor is not proved to be above the covariance", budget)
    if -2 * Fraction(log_of_product(diagonal, arithmetic)[1]) < design.lower:
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    w, bound = _read_w(design, k - 1)
    pivots = require_triangular(w[:-1], "the dual's matrix")
    mean = arithmetic.log(arithmetic.of(bound / (k - 1)))
    high = (k - 1) * Fraction(mean[1]) - 2 * Fraction(log_of_product(pivots, arithmetic)[0])
    if high > design.upper:
        raise Rejected("upper is not proved to be at least the bound of the dual")
    _require_squares(design, w, design.pi, "the determinant")


def _covariance(design: Design, estimator: Any, targets: Rows) -> Rows:
    """Return the covariance ``V = A diag(lambda) A^T - (C pi)(C pi)^T``; reject the estimator A unless ``A P = C``."""
    budget = design.budget
    p, unit = matrix_over_one_denominator(design.rows, budget)
    shape = (len(targets), len(design.rows))
    a, scale = matrix_over_one_denominator(read_matrix(estimator, "the estimator", budget, shape), budget)
    for row, wanted in zip(multiply(a, p, budget), targets, strict=True):
        if any(x != c * unit * scale for x, c in zip(row, wanted, strict=True)):
            raise Rejected("the estimator is not unbiased")
    pi = over_one_denominator(design.pi, budget)
    chances = [x for (x,) in multiply(p, [[x] for x in pi.numerators], budget)]
    longest = max(abs(x).bit_length() for row in a for x in row)
    budget.spend(len(a) * len(chances), longest, max(x.bit_length() for x in chances))
    weighted = [[x * chance for x, chance in zip(row, chances, strict=True)] for row in a]
    squares = multiply(weighted, [list(column) for column in zip(*a, strict=True)], budget)
    means = [_product(c, design.pi) for c in targets]
    below = scale**2 * unit * pi.denominator
    budget.spend(4 * len(targets) ** 2, below.bit_length(), below.bit_length())
    return [
        [Fraction(x, below) - mean * other for x, other in zip(row, means, strict=True)]
        for row, mean in zip(squares, means, strict=True)
    ]


def _read_w(design: Design, width: int | None) -> tuple[Rows, Fraction]:
    """Return W and the bound B; reject unless the columns of W sum to 0 and B is positive."""
    w = read_matrix(design.matrix, "the dual's matrix", design.budget, (len(design.pi), width))
    design.budget.spend(len(w) * len(w[0]), _longest(w), _longest(w))
    if any(sum(column) for column in zip(*w, strict=True)):
        raise Rejected("a column of the dual's matrix does not sum to 0")
    if design.dual.bound <= 0:
        raise Rejected("the bound of the dual is not positive")
    return w, design.dual.bound


# sums over outputs


def _check_chi_square(design: Design) -> None:
    apart, q = _against(design, "chi-square")
    _require_bare(design)
    along, chances = _along(design, apart), _along(design, q)
    terms = [
        (x**2 * q_scale, scale**2 * mean) for (x, scale), (mean, q_scale) in zip(along, chances, strict=True) if mean
    ]
    _require_maximum(design, terms)
    _require_squares(design, [[x] for x in apart], q, "chi-square")


def _check_total_variation(design: Design) -> None:
    apart, _ = _against(design, "total-variation")
    _require_bare(design)
    _require_maximum(design, [(abs(x), 2 * scale) for x, scale in _along(design, apart)])
    _require_lines(design, [[x / 2 for x in apart], [-x / 2 for x in apart]])


def _check_trace(design: Design) -> None:
    k = len(design.pi)
    (texts,) = of_kind(design.objective, "trace", ["weights"], "objective")
    weights = [design.budget.number(text, "a weight") for text in items(texts, "weights", count=k)]
    _require_bare(design)
    if len(design.rows) != k:
        raise Rejected("the trace needs as many outputs as inputs")
    design.budget.spend(k, _longest(design.rows), max(map(bits_of, weights)))
    values = [w * row[i] for i, (w, row) in enumerate(zip(weights, design.rows, strict=True))]
    _require_maximum(design, [(x.numerator, x.denominator) for x in values])
    _require_lines(design, [[w * (i == j) for j in range(k)] for i, w in enumerate(weights)])


def _check_loss(design: Design) -> None:
    """Check the bracket of the expected loss, as a maximization of ``-loss`` between ``-upper`` and ``-lower``."""
    k, m = len(design.pi), len(design.rows)
    (texts,) = of_kind(design.objective, "loss", ["matrix"], "objective")
    matrix = read_matrix(texts, "loss", design.budget, (m, k))
    _require_bare(design)
    design.budget.spend(2 * k * m, _longest(matrix) + _longest([design.pi]), _longest(design.rows))
    gains = [[-p * x for p, x in zip(design.pi, row, strict=True)] for row in matrix]
    pairs = ((g * p for g, p in zip(gain, row, strict=True)) for gain, row in zip(gains, design.rows, strict=True))
    terms = [(x.numerator, x.denominator) for row in pairs for x in row]
    _require_maximum(design._replace(lower=-design.upper, upper=-design.lower), terms)
    _require_lines(design, gains)


def _check_information(design: Design) -> None:
    """Check the bracket of the mutual information, with enclosed logarithms."""
    of_kind(design.objective, "mutual-information", [], "objective")
    arithmetic, budget = _arithmetic(design), design.budget
    fields(design.primal, [], "primal")
    _require_no_matrix(design)
    total, phi = arithmetic.zero, Information(design.pi, arithmetic)
    for row in design.rows:
        together = over_one_denominator(row, budget)
        scale = arithmetic.of(Fraction(1, together.denominator))
        total = arithmetic.add(total, arithmetic.multiply(phi.of(together.numerators), scale))
    if Fraction(total[0]) < design.lower:
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    if design.upper < design.dual.bound:
        raise Rejected("upper is below the bound of the dual")
    rays: Iterable[Ray] = design.rays
    if isinstance(design.rays, Staircase) and len(design.pi) > _FEW_INPUTS:
        rays = doubtful(design.dual.alpha, design.dual.unit, design.rays, phi)
    else:
        _spend(design, 2 * len(design.pi), 0)
    for ray in rays:
        high = Fraction(phi.of(ray)[1])
        budget.spend(2, bits_of(high), design.dual.unit.bit_length())
        if high * design.dual.unit > design.dual.at(ray):
            raise Rejected(f"the inequality of the information fails on the ray {shown(ray)}")


def _along(design: Design, line: Numbers) -> list[tuple[int, int]]:
    """Return ``p_i.line`` for every row, as numerator and denominator."""
    found, vector = [], over_one_denominator(line, design.budget)
    for row in design.rows:
        together = over_one_denominator(row, design.budget)
        design.budget.spend(2 * len(row), together.bits, vector.bits)
        found.append((dot(together.numerators, vector.numerators), together.denominator * vector.denominator))
    return found


def _against(design: Design, kind: str) -> tuple[list[Fraction], list[Fraction]]:
    """Return ``pi - q`` and q."""
    (shares,) = of_kind(design.objective, kind, ["against"], "objective")
    q = read_population(shares, len(design.pi), design.budget, "against")
    return [x - y for x, y in zip(design.pi, q, strict=True)], q


def _require_bare(design: Design) -> None:
    """Reject a witness that has a part (W, estimator or logarithms) which the objective does not use."""
    fields(design.primal, [], "primal")
    _require_no_logarithms(design)
    _require_no_matrix(design)


def _require_no_matrix(design: Design) -> None:
    if design.matrix is not None:
        raise Rejected("the dual has a matrix that the objective does not use")


def _require_no_logarithms(design: Design) -> None:
    if design.logarithms != []:
        raise Rejected("there are logarithms where none is needed")


def _require_maximum(design: Design, terms: list[tuple[int, int]]) -> None:
    """Reject unless the sum of the terms is at least lower and the bound of the dual is at most upper."""
    above, below = total(terms, design.budget)
    design.budget.spend(2, bits_of(design.lower), max(above.bit_length(), below.bit_length()))
    if design.lower.numerator * below > above * design.lower.denominator:
        raise Rejected("the mechanism does not prove its side of the bracket")
    if design.upper < design.dual.bound:
        raise Rejected("the dual does not prove its side of the bracket")


def _arithmetic(design: Design) -> Arithmetic:
    (digits,) = fields(design.logarithms, ["digits"], "logarithms")
    return Arithmetic(whole(digits, "digits", MAX_COVER_DIGITS, 1), design.budget)


def _identity(k: int) -> Rows:
    return [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]


def _product(left: Numbers, right: Numbers) -> Fraction:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def _longest(rows: Rows) -> int:
    return max(bits_of(x) for row in rows for x in row)


# objectives that rays_sums defines, several contrasts, and mixtures over distributions


def _check_given_sum(design: Design) -> None:
    """Check the bracket of a sum over outputs."""
    phi = read_sum(design.objective, design.pi, design.budget, _enclosing(design, design.objective))
    _require_phi(design, phi)


def _enclosing(design: Design, objective: Any) -> Arithmetic | None:
    """Return the arithmetic for an objective with logarithms or roots, or None for other objectives."""
    if is_enclosed(objective):
        return _arithmetic(design)
    _require_no_logarithms(design)
    return None


def _require_phi(design: Design, phi: Phi | None) -> None:
    """Reject unless the mechanism attains ``lower``, ``phi <= g`` on every ray, and B is at most ``upper``."""
    budget = design.budget
    if phi is None:
        raise Rejected("the objective is none of those that the rule of rays knows")
    fields(design.primal, [], "primal")
    _require_no_matrix(design)
    low = Fraction(0)
    for row in design.rows:
        if any(row):
            together = over_one_denominator(row, budget)
            value = phi(together.numerators)[0]
            budget.spend(2, bits_of(low), bits_of(value) + together.denominator.bit_length())
            low += value / together.denominator
    if low < design.lower:
        raise Rejected("lower is not proved to be at most the value of the mechanism")
    if design.upper < design.dual.bound:
        raise Rejected("upper is below the bound of the dual")
    _spend(design, 0, 0)
    for ray in design.rays:
        high = phi(ray)[1]
        budget.spend(2, bits_of(high), design.dual.unit.bit_length())
        if high * design.dual.unit > design.dual.at(ray):
            raise Rejected(f"the inequality of the objective fails on the ray {shown(ray)}")


def _check_contrasts(design: Design) -> None:
    _require_no_logarithms(design)
    _check_sum(design, _targets(design, design.objective))


def _targets(design: Design, objective: Any) -> Rows:
    """Return C for an objective that is a sum of variances."""
    k, kind = len(design.pi), objective.get("kind") if isinstance(objective, dict) else None
    if kind == "a-optimal":
        of_kind(objective, "a-optimal", [], "objective")
        return _identity(k)
    if kind == "c-optimal":
        (texts,) = of_kind(objective, "c-optimal", ["contrast"], "objective")
        rows = read_matrix([texts], "the contrast", design.budget, (1, k))
    else:
        (texts,) = of_kind(objective, "contrasts", ["contrasts"], "objective")
        rows = read_matrix(texts, "the contrasts", design.budget, (None, k))
    if not any(map(any, rows)):
        raise Rejected("the contrast is 0")
    return rows


def _check_bayes(design: Design) -> None:
    """Check the bracket of the weighted mean of an objective over finitely many distributions."""
    k, budget = len(design.pi), design.budget
    inner, parts = read_mixture(design.objective, k, budget)
    arithmetic = _enclosing(design, inner)
    phis = [(weight, read_sum(inner, pi, budget, arithmetic)) for weight, pi in parts]
    known = [(weight, phi) for weight, phi in phis if phi is not None]
    if known:
        _require_phi(design, mixture(known, budget))
        return
    targets = _targets(design, inner)
    (estimators,) = fields(design.primal, ["estimators"], "primal")
    total = bound = Fraction(0)
    forms = []
    given = zip(
        parts,
        items(estimators, "estimators", count=len(parts)),
        items(design.matrix, "the dual's matrices", count=len(parts)),
        strict=True,
    )
    for (weight, pi), estimator, matrix in given:
        own = design._replace(pi=pi, matrix=matrix)
        covariance = _covariance(own, estimator, targets)
        w, _ = _read_w(own, len(targets))
        budget.spend(4 * k * len(targets), _longest(w), _longest(targets))
        total += weight * sum((covariance[i][i] for i in range(len(targets))), Fraction(0))
        bound += weight * sum((_product(c, [row[i] for row in w]) for i, c in enumerate(targets)), Fraction(0))
        forms.append((weight, _squares_of(w, pi, budget)))
    if total > design.upper:
        raise Rejected("upper is below the variance of the estimators")
    if design.lower * design.dual.bound > bound**2:
        raise Rejected("lower is above the bound of the dual")
    phi = mixture(forms, budget)
    _spend(design, 0, 0)
    for ray in design.rays:
        g, high = design.dual.at(ray), phi(ray)[1]
        if g < 0 or high * design.dual.unit > g:
            raise Rejected(f"the inequality of the variance fails on the ray {shown(ray)}")


def _squares_of(w: Rows, pi: Numbers, budget: Budget) -> Phi:
    """Return the function phi(r) = ``abs(r W)^2/(r.pi)``."""
    width, flat = len(w[0]), over_one_denominator([x for row in w for x in row], budget)
    along = [flat.numerators[j::width] for j in range(width)]
    shares = over_one_denominator(pi, budget)

    def phi(row: Sequence[int]) -> tuple[Fraction, Fraction]:
        own = max(x.bit_length() for x in row)
        longest = own + flat.bits
        budget.spend_in_bulk(len(row) * (width + 1), own, max(flat.bits, shares.bits))
        budget.spend_in_bulk(width, longest, longest)
        budget.spend(2, 2 * longest, longest + shares.bits)
        square, s = sum(dot(row, column) ** 2 for column in along), dot(row, shares.numerators)
        if not s:
            if square:
                raise Rejected(f"the inequality of the variance fails on the ray {shown(row)}")
            return Fraction(0), Fraction(0)
        value = Fraction(square * shares.denominator, s * flat.denominator**2)
        return value, value

    return phi


_GOALS: dict[str, Callable[[Design], None]] = {
    "a-optimal": _check_a,
    "c-optimal": _check_c,
    "variance": _check_variance,
    "e-optimal": _check_e,
    "d-optimal": _check_d,
    "chi-square": _check_chi_square,
    "total-variation": _check_total_variation,
    "trace": _check_trace,
    "loss": _check_loss,
    "mutual-information": _check_information,
    "payoff": _check_given_sum,
    "kullback-leibler": _check_given_sum,
    "hellinger": _check_given_sum,
    "jensen-shannon": _check_given_sum,
    "alpha-divergence": _check_given_sum,
    "contrasts": _check_contrasts,
    "bayes": _check_bayes,
}

KNOWN = frozenset(_GOALS)
"""The kinds of objectives that the rule knows."""


# for another rule on designs, which proves the inequality in its own way


def require_goal(design: Design) -> None:
    """Reject unless the bound B and the mechanism prove the bracket; only ``design.rays`` are tested for the
    inequality.
    """
    kind = design.objective.get("kind") if isinstance(design.objective, dict) else None
    if not isinstance(kind, str) or kind not in _GOALS or kind in ("trace", "loss"):
        raise Rejected("the objective is none of those that the rule knows for any number of outputs")
    _GOALS[kind](design)


def has_symmetric_phi(design: Design) -> bool:
    """Return whether phi is proved to be the same for all permutations of a row (divergence_rule.md, *Symmetry*).

    ``require_goal`` has passed, so that phi is ``abs(p W)^2/(p.pi)`` if there is one matrix W.
    """
    kind, k = design.objective["kind"], len(design.pi)
    if kind == "bayes" or any(p != design.pi[0] for p in design.pi):
        return False
    if design.matrix is None:
        return bool(kind == "mutual-information")
    w, _ = _read_w(design, None)
    design.budget.spend(2 * k * k * len(w[0]), _longest(w), _longest(w))
    products = [[sum(x * y for x, y in zip(one, other, strict=True)) for other in w] for one in w]
    return all(products[i][j] == products[0][i != j] for i in range(k) for j in range(k))


def objective_phi(design: Design) -> Phi:
    """Return phi, the left side of the inequality, for an objective for which ``require_goal`` has passed."""
    objective, pi, budget = design.objective, design.pi, design.budget
    if objective["kind"] == "bayes":
        inner, parts = read_mixture(objective, len(pi), budget)
        arithmetic = _enclosing(design, inner)
        found = [(weight, read_sum(inner, each, budget, arithmetic)) for weight, each in parts]
        sums = [(weight, phi) for weight, phi in found if phi is not None]
        if sums:
            return mixture(sums, budget)
        forms = zip(parts, items(design.matrix, "the dual's matrices", count=len(parts)), strict=True)
        return mixture(
            [
                (weight, _squares_of(_read_w(design._replace(matrix=matrix), None)[0], each, budget))
                for (weight, each), matrix in forms
            ],
            budget,
        )
    phi = read_sum(objective, pi, budget, _arithmetic(design) if is_enclosed(objective) else None)
    return phi or _squares_of(_read_w(design, None)[0], pi, budget)
