"""Rule 34: weighted traces, from their page alone; the bound of every number of categories up to a limit."""

from fractions import Fraction

from .blocks import between
from .designs import Region
from .reading import array, delta_bracket, gamma_bracket, keys, number, want


def runs(value, k):
    found = [(between(n, 1, k), number(x)) for n, x in (array(run, 2) for run in array(value))]
    want(1 <= len(found) <= 2**15 and sum(n for n, _ in found) == k, "the runs")
    return found


def chosen_sum(weights, chosen):
    """The sum of the weights in C, by the places where runs begin."""
    total, start = Fraction(0), 0
    for n, t in chosen:
        at = 0
        for many, w in weights:
            if t:
                total += w * max(0, min(start + n, at + many) - max(start, at))
            at += many
        start += n
    return total


def trace(problem, claim, witness):
    region, objective, shares = keys(problem, ["region", "objective", "population"])
    k = between(keys(shares, ["uniform"])[0], 2, 10**7)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    keys(witness, ["rule", "gamma", "delta"])
    region = Region(region)
    want(region.is_uniform and region.least is None and region.family == "all", "the region")
    want(region.inputs == region.outputs == k, "1: the sizes")
    if region.kind == "criterion":
        below, above = region.proved(witness["gamma"])
    else:
        below, above = gamma_bracket(witness["gamma"], region.levels)
    low, high = delta_bracket(witness["delta"], region.delta)
    if isinstance(objective, dict) and objective.get("kind") == "loss":
        _, matrix = keys(objective, ["kind", "matrix"])
        kind, listed = "loss", keys(matrix, ["zero-one"])[0]
    else:
        kind, listed = keys(objective, ["kind", "weights"])
        want(kind == "trace", "the objective")
    weights = runs(keys(listed, ["runs"])[0], k)
    want(all(w >= 0 for _, w in weights), "a weight below 0")
    total = sum(n * w for n, w in weights)
    want(isinstance(made, dict) and len(made) == 1, "one form of mechanism")
    if "restricted-response" in made:
        texts, g, d = keys(made["restricted-response"], ["runs", "gamma", "delta"])
        chosen, g, d = runs(texts, k), number(g), number(d)
        want(all(t in (0, 1) for _, t in chosen), "t")
        m = sum(n * t for n, t in chosen)
        want(m >= 1 and 1 <= g <= below and 0 <= d <= low, "2: restricted response")
        value = d * total + (1 - d) * g * chosen_sum(weights, chosen) / (g + m - 1)
    else:
        (form,) = keys(made, ["blocks"])
        family, categories, g = keys(form, ["family", "categories", "gamma"])
        g = number(g)
        want(family == "direct" and between(categories, 2, 10**7) == k and g >= 1, "direct")
        p, q = g / (g + k - 1), 1 / (g + k - 1)
        want(p - below * q <= low, "2: direct")
        value = p * total
    n, w, best = 0, Fraction(0), Fraction(0)
    for many, x in sorted(weights, key=lambda run: -run[1]):
        n, w = n + many, w + many * x
        best = max(best, above * w / (above + n - 1))
    bound = high * total + (1 - high) * best
    if kind == "loss":
        want(number(lower) <= total - bound and total - value <= number(upper), "5")
    else:
        want(number(lower) <= value and bound <= number(upper), "3, 4")
