"""The way of a formula: weighted traces, and optima at equal shares, for up to 10^7 categories (formula_way.md).

Weights are given in runs of equal ones. Let gamma = G, and let W be the sum of the weights of N categories. Randomized
response on these categories has the trace ``G W/(G + N - 1)``. For delta = 0 the bound is the maximum of this number,
attained by the N heaviest categories for some N. If delta > 0, the best mechanism also reveals the truth with
probability delta.

At equal shares the value of a mechanism that reports a block depends on three numbers (``block_families.py``). The
bound over all mechanisms comes from rows with entries 1 and gamma. Of the inequalities, one for each number of entries
gamma, the two nearest to the minimum decide. With delta > 0 the mechanism may also report the truth with probability
delta; then information on contrasts is the mean of its two kinds of reports.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from .block_families import MAX_CATEGORIES, Reports, read_reports, read_revealed
from .design_region import LevelCondition, only_level, read_levels
from .documents import Rejected, WorkBudget, bits_of, fields, items, whole
from .intervals import Arithmetic
from .limits import MAX_RUNS
from .matrices import Vector, over_one_denominator

MAX_OUTPUTS = 10**19
_DIGITS = 60  # decimal digits of logarithms
_MOST_SIZES = 8  # of the sets to be tried near the maximum of the information


class Runs(NamedTuple):
    """Categories in runs: the number of categories of each run, and their common value."""

    counts: list[int]
    values: list[Fraction]


class RepeatedWeights(NamedTuple):
    """Runs of weights: the number of categories of each run, and their weights over a common denominator."""

    counts: list[int]
    values: Vector

    def total(self, chosen: list[int]) -> Fraction:
        """Return the sum of the weights of ``chosen`` categories, given as a number for each run."""
        products = (n * w for n, w in zip(chosen, self.values.numerators, strict=True))
        return Fraction(sum(products), self.values.denominator)


class Made(NamedTuple):
    """A mechanism: the probability that it reveals the truth, the probability of the true report otherwise if the truth
    is in C, and the sum of the weights in C.
    """

    revealed: Fraction
    told: Fraction
    sum: Fraction


def check_formula(problem: dict[str, Any], claim: dict[str, Any], proof: Any, budget: WorkBudget) -> str:
    """Check a bracket whose ends are given by a formula; return the tier of the proof of B of a criterion."""
    (brackets,) = fields(proof, ["way", "brackets"], "proof")[1:]
    kind = problem["objective"]["kind"]
    k = whole(problem["inputs"], "the number of categories", MAX_CATEGORIES, 2)
    levels, tier = read_levels(problem["levels"], brackets, k, budget)
    level = only_level(levels)
    if level is None or problem["bounds"] is not None:
        raise Rejected("the way of a formula needs one level of all pairs, and no bounds on entries")
    lower, upper = budget.number(claim["lower"], "lower"), budget.number(claim["upper"], "upper")
    ends = _trace_ends if kind in ("trace", "loss") else _ends_at_equal_shares
    low, high = ends(problem, claim["mechanism"], k, level, budget)
    budget.spend(4, bits_of(lower) + bits_of(upper), bits_of(low) + bits_of(high))
    if lower > low:
        raise Rejected("lower is above the end that the formula proves")
    if upper < high:
        raise Rejected("upper is below the end that the formula proves")
    return tier


# the weighted trace


def _trace_ends(
    problem: dict[str, Any], made: Any, k: int, level: LevelCondition, budget: WorkBudget
) -> tuple[Fraction, Fraction]:
    """Return the ends that are proved of the maximum weighted trace, or of the minimum 0/1 loss."""
    objective, is_loss = problem["objective"], problem["objective"]["kind"] == "loss"
    if is_loss:
        (texts,) = fields(problem["population"], ["runs"], "the population")
        if objective["matrix"] != "zero-one":
            raise Rejected("the matrix of the loss is not zero-one")
    else:
        (texts,) = fields(objective["weights"], ["runs"], "the weights")
        if problem["population"] is not None:
            raise Rejected("the objective does not depend on a population: it is null")
    if problem["outputs"] != problem["inputs"]:
        raise Rejected("the formula of a trace needs as many outputs as inputs")
    runs = _read_runs(texts, k, "a share" if is_loss else "a weight", budget)
    if min(runs.values) < 0:
        raise Rejected("a weight or a share is negative")
    weights = RepeatedWeights(runs.counts, over_one_denominator(runs.values, budget))
    budget.spend_in_bulk(4 * len(runs.counts), weights.values.bits, 64)
    found = _read_mechanism(made, k, weights, level.gamma.below, level.delta.below, budget)
    total = weights.total(runs.counts)
    if is_loss and total != 1:
        raise Rejected("the shares of the population do not sum to 1")
    most, slack = _heaviest(weights, level.gamma.above, budget), level.delta.above
    budget.spend(16, bits_of(total) + bits_of(most) + bits_of(found.sum), bits_of(found.told) + bits_of(found.revealed))
    budget.spend(8, bits_of(total) + bits_of(most), bits_of(slack))
    own = found.revealed * total + (1 - found.revealed) * found.told * found.sum
    best = slack * total + (1 - slack) * most
    return (total - best, total - own) if is_loss else (own, best)


def _read_runs(data: Any, k: int, where: str, budget: WorkBudget) -> Runs:
    """Return k categories in runs."""
    counts, values = [], []
    for run in items(data, "the runs", most=MAX_RUNS):
        count, value = items(run, "a run", count=2)
        counts.append(whole(count, "the categories of a run", k, 1))
        values.append(budget.number(value, where))
    budget.spend(len(counts))
    if sum(counts) != k:
        raise Rejected("the runs have not as many categories as the population")
    return Runs(counts, values)


def _read_mechanism(
    made: Any, k: int, weights: RepeatedWeights, gamma: Fraction, delta: Fraction, budget: WorkBudget
) -> Made:
    """Return the properties of a mechanism; reject it unless it is private at the level below."""
    if not isinstance(made, dict) or "restricted-response" not in made:
        blocks = made.get("blocks") if isinstance(made, dict) else None
        if not isinstance(blocks, dict) or blocks.get("family") != "direct":
            raise Rejected("the mechanism is none of direct blocks and restricted response")
        reports = read_reports(made, k, budget)
        g = reports.gamma
        budget.spend(8, bits_of(g) + 32, bits_of(gamma) + bits_of(delta))
        if not g >= 1 or g - gamma > delta * (g + k - 1):
            raise Rejected("the mechanism is not private at the brackets of gamma and delta")
        return Made(Fraction(0), reports.hit, weights.total(weights.counts))
    (form,) = fields(made, ["restricted-response"], "the mechanism")
    texts, gamma_text, delta_text = fields(form, ["runs", "gamma", "delta"], "the restricted response")
    chosen = _read_runs(texts, k, "whether categories are chosen", budget)
    if any(value not in (0, 1) for value in chosen.values):
        raise Rejected("a run of categories is neither chosen nor left out")
    g, d = budget.number(gamma_text, "gamma of the mechanism"), budget.number(delta_text, "delta of the mechanism")
    budget.spend(8, bits_of(g) + bits_of(gamma), bits_of(d) + bits_of(delta))
    if not 1 <= g <= gamma or not 0 <= d <= delta:
        raise Rejected("the mechanism is not private at the brackets of gamma and delta")
    m = sum(n for n, value in zip(chosen.counts, chosen.values, strict=True) if value)
    if not m:
        raise Rejected("no category is chosen")
    return Made(d, g / (g + m - 1), weights.total(_chosen_of(weights.counts, chosen)))


def _chosen_of(counts: list[int], chosen: Runs) -> list[int]:
    """Return the number of chosen categories in each run of weights."""
    found = [0] * len(counts)
    run, left = 0, counts[0]
    for count, value in zip(chosen.counts, chosen.values, strict=True):
        while count:
            if not left:
                run += 1
                left = counts[run]
            both = min(count, left)
            found[run] += both if value else 0
            count, left = count - both, left - both
    return found


def _heaviest(weights: RepeatedWeights, gamma: Fraction, budget: WorkBudget) -> Fraction:
    """Return the maximum of ``G W/(G + N - 1)`` over the endpoints of the runs, the heaviest first."""
    numerators = weights.values.numerators
    order = sorted(range(len(numerators)), key=lambda run: -numerators[run])
    budget.spend_in_bulk(64 * len(order), weights.values.bits, 0)
    budget.spend(3 * len(order), weights.values.bits + 64, bits_of(gamma) + 64)
    high, low = gamma.numerator, gamma.denominator
    best, scale = 0, 1  # of W/(G + N - 1), up to the denominator of the weights and that of gamma
    count = total = 0
    for run in order:
        count += weights.counts[run]
        total += weights.counts[run] * numerators[run]
        below = high + low * (count - 1)
        if total * scale > best * below:
            best, scale = total, below
    return Fraction(best * high, scale * weights.values.denominator)


# equal shares


def _ends_at_equal_shares(
    problem: dict[str, Any], made: Any, k: int, level: LevelCondition, budget: WorkBudget
) -> tuple[Fraction, Fraction]:
    """Return the ends that are proved of an optimum at equal shares: the value of the mechanism and the bound."""
    kind, outputs = problem["objective"]["kind"], problem["outputs"]
    (uniform,) = fields(problem["population"], ["uniform"], "the population")
    if uniform != problem["inputs"]:
        raise Rejected("the population has another number of categories than the problem")
    if level.has_delta and kind == "mutual-information":
        raise Rejected("the information needs delta 0")
    reports = read_revealed(made, k, level.delta.below, budget)
    if not 1 < reports.gamma <= level.gamma.below:
        raise Rejected("the mechanism is not private at gamma's bracket, or tells nothing")
    most = None if outputs == "any" else whole(outputs, "outputs", MAX_OUTPUTS, 2)
    if most is not None and (reports.outputs is None or reports.outputs > most):
        raise Rejected("the mechanism has more outputs than the problem allows")
    if kind != "a-optimal" and not reports.is_balanced:
        raise Rejected("the sets have not all the same size: this objective is not worked out for them")
    if kind == "mutual-information":
        return _informations(k, reports, level.gamma.above, budget)
    least, own = _totals(k, reports, level.gamma.above, level.delta.above, budget)
    if kind == "d-optimal":
        return _log_determinants(k, own / (k - 1), least / (k - 1), budget)
    return (least, own) if kind == "a-optimal" else (least / (k - 1), own / (k - 1))


def _variance(k: int, reports: Reports, budget: WorkBudget) -> Fraction:
    """Return n times the total variance of the membership estimator at equal proportions."""
    p, m = reports.hit, reports.miss
    budget.spend(16, 2 * bits_of(p), 2 * bits_of(m))
    return (k * m * (1 - m) + (p - m) * (1 - 2 * m)) / (p - m) ** 2 - Fraction(1, k)


def _bound(k: int, gamma: Fraction, budget: WorkBudget) -> Fraction:
    """Return the minimum total variance over all mechanisms at equal proportions, for gamma > 1."""
    budget.spend(16, 2 * bits_of(gamma), 2 * bits_of(gamma))
    near = k * gamma.denominator // (gamma.numerator + gamma.denominator)
    sizes = [min(max(d, 1), k - 1) for d in (near, near + 1)]
    return min(Fraction((k - 1) ** 2) * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d)) for d in sizes)


def _totals(
    k: int, reports: Reports, gamma: Fraction, delta: Fraction, budget: WorkBudget
) -> tuple[Fraction, Fraction]:
    """Return the least total variance of all mechanisms, and that of the mechanism."""
    ends = (_bound(k, gamma, budget), delta), (_variance(k, reports, budget), reports.revealed)
    least, own = (1 / ((1 - d) / total + d * Fraction(k, k - 1)) for total, d in ends)
    budget.spend(16, 2 * bits_of(least) + bits_of(delta), 2 * bits_of(own) + bits_of(reports.revealed))
    return least, own


def _log_determinants(k: int, own: Fraction, least: Fraction, budget: WorkBudget) -> tuple[Fraction, Fraction]:
    """Return ``ln k - (k - 1) ln v`` for the eigenvalue v of the mechanism, rounded down, and for the least eigenvalue
    of all mechanisms, rounded up.
    """
    arithmetic = Arithmetic(_DIGITS, budget)

    def value(v: Fraction) -> Any:
        spread = arithmetic.multiply(arithmetic.of(Fraction(k - 1)), arithmetic.log(arithmetic.of(v)))
        return arithmetic.add(arithmetic.log(arithmetic.of(Fraction(k))), arithmetic.negative(spread))

    return Fraction(value(own)[0]), Fraction(value(least)[1])


def _informations(k: int, reports: Reports, gamma: Fraction, budget: WorkBudget) -> tuple[Fraction, Fraction]:
    """Return the mutual information of the mechanism, rounded down, and the maximum over all mechanisms, rounded up.

    Consider sets of d of the k categories that contain the true one with probability p = d g/(d g + k - d). Their
    mutual information is ``p ln(p k/d) + (1 - p) ln((1 - p) k/(k - d))``.
    """
    arithmetic = Arithmetic(_DIGITS, budget)

    def told(d: Fraction, g: Fraction) -> Any:
        p = d * g / (d * g + k - d)
        first, second = (
            arithmetic.multiply(arithmetic.of(x), arithmetic.log(arithmetic.of(x * k / n)))
            for x, n in ((p, d), (1 - p, k - d))
        )
        return arithmetic.add(first, second)

    g = reports.gamma
    own = k * reports.hit / (g - reports.hit * (g - 1))  # the size d of the sets, from p = d g/(d g + k - d)
    logarithm = arithmetic.log(arithmetic.of(gamma))
    steep = arithmetic.multiply(arithmetic.of(gamma / (gamma - 1)), logarithm)
    middle = arithmetic.multiply(
        arithmetic.of(k / (gamma - 1)), arithmetic.add(steep, arithmetic.of(Fraction(-1)))
    )  # an interval around the d with the largest information
    first, last = (Fraction(end) for end in middle)
    sizes = range(min(max(first.__floor__(), 1), k - 1), min(max(last.__ceil__(), 1), k - 1) + 1)
    if len(sizes) > _MOST_SIZES:
        raise Rejected("the best size of the sets is not known: gamma is too near 1")
    return Fraction(told(own, g)[0]), max(Fraction(told(Fraction(d), gamma)[1]) for d in sizes)
