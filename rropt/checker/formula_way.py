"""The way of a formula: the maximum weighted trace for any number of categories (formula_way.md).

Weights are given in runs of equal ones. Let gamma = G, and let W be the sum of the weights of N categories. Randomized
response on these categories has the trace ``G W/(G + N - 1)``. For delta = 0 the bound is the maximum of this number,
attained by the N heaviest categories for some N. If delta > 0, the best mechanism also reveals the truth with
probability delta.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from .blocks_rule import MAX_CATEGORIES, read_reports
from .design_region import read_levels
from .documents import Budget, Rejected, bits_of, fields, items
from .limits import MAX_RUNS
from .matrices import Vector, over_one_denominator
from .polynomials import whole


class Runs(NamedTuple):
    """Categories in runs: the number of categories of each run, and their common value."""

    counts: list[int]
    values: list[Fraction]


class Weights(NamedTuple):
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


def check_formula(problem: dict[str, Any], claim: dict[str, Any], proof: Any, budget: Budget) -> str:
    """Check a bracket of the maximum weighted trace, or of the minimum 0/1 loss; return the tier of a criterion's B."""
    (brackets,) = fields(proof, ["way", "brackets"], "proof")[1:]
    objective, is_loss = problem["objective"], problem["objective"]["kind"] == "loss"
    if is_loss:
        (texts,) = fields(problem["population"], ["runs"], "the population")
        if objective["matrix"] != "zero-one":
            raise Rejected("the matrix of the loss is not zero-one")
    else:
        (texts,) = fields(objective["weights"], ["runs"], "the weights")
        if problem["population"] is not None:
            raise Rejected("the objective does not depend on a population: it is null")
    k = whole(problem["inputs"], "the number of categories", MAX_CATEGORIES, 2)
    if problem["outputs"] != problem["inputs"] or problem["bounds"] is not None:
        raise Rejected("the way of a formula needs as many outputs as inputs, and no bounds on entries")
    levels, tier = read_levels(problem["levels"], brackets, k, budget)
    level = levels[0] if len(levels) == 1 else None
    if level is None or level.pairs is not None:
        raise Rejected("the way of a formula needs one level of all pairs")
    runs = _read_runs(texts, k, "a share" if is_loss else "a weight", budget)
    if min(runs.values) < 0:
        raise Rejected("a weight or a share is negative")
    weights = Weights(runs.counts, over_one_denominator(runs.values, budget))
    budget.spend_in_bulk(4 * len(runs.counts), weights.values.bits, 64)
    found = _read_mechanism(claim["mechanism"], k, weights, level.gamma.below, level.delta.below, budget)
    lower, upper = budget.number(claim["lower"], "lower"), budget.number(claim["upper"], "upper")
    total = weights.total(runs.counts)
    if is_loss and total != 1:
        raise Rejected("the shares of the population do not sum to 1")
    most, slack = _bound(weights, level.gamma.above, budget), level.delta.above
    budget.spend(16, bits_of(total) + bits_of(most) + bits_of(found.sum), bits_of(found.told) + bits_of(found.revealed))
    budget.spend(8, bits_of(total) + bits_of(most) + bits_of(lower) + bits_of(upper), bits_of(slack))
    own = found.revealed * total + (1 - found.revealed) * found.told * found.sum
    best = slack * total + (1 - slack) * most
    if lower > (total - best if is_loss else own):
        raise Rejected(f"lower is above the {'bound of all mechanisms' if is_loss else 'trace of the mechanism'}")
    if upper < (total - own if is_loss else best):
        raise Rejected(f"upper is below the {'loss of the mechanism' if is_loss else 'bound of all mechanisms'}")
    return tier


def _read_runs(data: Any, k: int, where: str, budget: Budget) -> Runs:
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


def _read_mechanism(made: Any, k: int, weights: Weights, gamma: Fraction, delta: Fraction, budget: Budget) -> Made:
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


def _bound(weights: Weights, gamma: Fraction, budget: Budget) -> Fraction:
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
