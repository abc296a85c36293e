"""Rows at extreme levels and proportions, at proportions of 0, under several levels, divergences and Gaussian privacy.

``extreme_problems`` returns the rows of every run, ``further_problems`` those of ``make stress`` alone. Known
optima are formulas for two categories or for equal proportions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import log
from typing import Any, NamedTuple

from support import unrestricted_outputs as unrestricted
from support.ray_problems import KINDS, objective, problem, shares
from support.regions import by_distance, rational_regions
from testing.hard_problems import TINY, one_level, scaled

from rropt import Mechanism, Problem
from rropt.core.exact.rational_bounds import ball
from rropt.objectives import (
    AlphaDivergence,
    AOptimality,
    DOptimality,
    EOptimality,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    Loss,
    MutualInformation,
    Payoff,
    TotalVariation,
    Trace,
)
from rropt.privacy import BoundedRegion, GaussianRegion, LevelsRegion, Region, RenyiRegion, ZcdpRegion
from rropt.testing import DesignRow, enclosed

F = Fraction
NARROW, USUAL, EXACT = F(1, 10**9), F(1, 10**6), F(0)
ONCE = "an extreme level"
THREE = [F(1, 2), F(1, 3), F(1, 6)]


class Marked(NamedTuple):
    """A row, and whether it is in each run."""

    in_each_run: bool
    row: DesignRow


def marked(in_each_run: bool, name: str, asked: Problem, why: str, optimum: Any = None, **more: Any) -> Marked:
    """Return a row that has a bracket of relative width 1e-9 unless ``gap`` is given."""
    return Marked(in_each_run, DesignRow(name, asked, optimum, why, **{"gap": NARROW, **more}))


def _zeros() -> Iterator[Marked]:
    """Proportions of 0 and of 1."""
    region, chosen, two = one_level("log(3)", "1/20", k=4), MutualInformation(), (F(2, 3), F(1, 3))
    known = partial(enclosed, partial(_information, two, F(1, 20)), "log(3)")
    why = "the optimum of the two other categories; Kairouz, Oh and Viswanath (2016), Theorem 19"
    yield marked(True, "two proportions of 0", Problem(region, chosen, [0, two[0], 0, two[1]]), why, known)
    rest = {"duplicated": Problem(one_level("log(3)", "1/20"), chosen, THREE)}
    why = "a category of proportion 0 adds nothing"
    yield marked(True, "one proportion of 0", Problem(region, chosen, [*THREE, 0]), why, equal=rest)
    for levels in ([("1", "1/20")], [("1", "1/20"), ("2", 0)], [("1", "1/20"), ("2", "1/100")]):
        asked = Problem(LevelsRegion(levels, inputs=3), chosen, [1, 0, 0])
        yield marked(True, f"a proportion of 1: {levels}", asked, "nothing is unknown", 0, gap=EXACT)


def _four_outputs(gamma: Any, delta: Any) -> list[tuple[Any, Any]]:
    """Return the rows of the mechanism of two categories from which every private one follows."""
    c = (1 - delta) / (1 + gamma)
    return [(c * gamma, c), (c, c * gamma), (delta, delta * 0), (delta * 0, delta)]


def _information(pi: tuple[Fraction, Fraction], delta: Fraction, gamma: Any) -> Any:
    found, shares_of = ball(F(0)), [ball(p) for p in pi]
    for row in _four_outputs(gamma, ball(delta)):
        mean = sum((p * x for p, x in zip(shares_of, row, strict=True)), ball(F(0)))
        found += sum((p * x * (x / mean).log() for p, x in zip(shares_of, row, strict=True) if x != 0), ball(F(0)))
    return found


def _tiny() -> Iterator[Marked]:
    """Tiny proportions."""
    q, half = ["27/100", "31/100", "36/100", "6/100"], ["1/2", "1/4", "1/4"]
    for tiny in (10**6, 10**10):
        asked, pi = one_level("1/1000000", "1/2", k=4), scaled(3, 9 * tiny, 2 * tiny, 8 * tiny)
        for chosen in (Hellinger(q), KullbackLeibler(q), MutualInformation(), AOptimality(), EOptimality()):
            first, gap = tiny == 10**6 and chosen.kind == "hellinger", NARROW if chosen.kind == "e-optimal" else USUAL
            why = "rays of this category have tiny weights, and a lift along the proportions costs much"
            yield marked(first, f"3/19 in {tiny:.0e}: {chosen.kind}", Problem(asked, chosen, pi), why, gap=gap)
    cases: list[tuple[Any, object, str, list[int]]] = [
        (AOptimality(), "1/1000", "1/10000000", [10**9, 1, 1]),
        (AOptimality(), 8, "1/1000", [1, 10**9, 1]),
        (DOptimality(), 1, "1/10000000", [10**3, 10**6, 10**9, 10**9]),
        (DOptimality(), "log(3)", "1/10000000", [10**3, 10**9, 10**3]),
    ]
    for chosen, epsilon, delta, parts in cases:
        asked = Problem(one_level(epsilon, delta, k=len(parts)), chosen, scaled(*parts))
        name = f"proportions in the ratio {':'.join(f'{x:g}' for x in parts)}: {chosen.kind}, epsilon = {epsilon}"
        why = "alpha in floats gave gaps of 1e-4 to 0.47"
        yield marked(epsilon == "1/1000", name, asked, why, gap=F(1, 10**7))
    against = AlphaDivergence(["125/139", "1/1251", "125/1251"], -1)
    asked = Problem(one_level(50, "1/100"), against, [1 - F(2, 10**12), F(1, 10**12), F(1, 10**12)])
    why = "a is 1e-12 and b is 1e-4: as a difference of b, a would lose eight digits"
    yield marked(True, "a tiny probability keeps its digits", asked, why)
    for share, gamma in product((F(1, 10**200), F(3, 10**120)), (F(3), F(9, 8))):
        asked = Problem(one_level(f"log({gamma})", k=2), AOptimality(), (share, 1 - share))
        value, why = 2 * (share * (1 - share) + gamma / (gamma - 1) ** 2), "Warner's design, for both proportions"
        yield marked(True, f"a proportion of {float(share):g}, gamma = {gamma}", asked, why, value, gap=F(1, 10**15))
    share = F(1, 10**200)
    for chosen in (Hellinger(half), TotalVariation(half), Payoff([[1, 0, 2], [0, 3, 0]])):
        asked = Problem(one_level("log(3)", "1/10"), chosen, [share, F(1, 3), F(2, 3) - share])
        yield marked(True, f"1e-200 with delta: {chosen.kind}", asked, "sums over outputs take rays of any scale")
    pi, rows = [1 - share, share], _four_outputs(F(3), F(1, 10))
    asked = Problem.kary(epsilon="log(3)", delta="1/10", objective="a-optimal", population=pi)
    value = 2 / sum((x - y) ** 2 / (x * pi[0] + y * pi[1]) for x, y in rows)
    why = "the exact route does not list rays with entries of 1e200; the theorem gives the design"
    yield marked(True, "a prevalence of 1e-200, any outputs", asked, why, value, routes_run="closed-form")


def _levels_of_any_size() -> Iterator[Marked]:
    """Tiny and huge levels."""
    levels = [("1/1000000", "1/20"), ("0", "1/1000000"), ("100", "1/20"), ("20", "1"), ("1", "1e-300")]
    for (i, (epsilon, delta)), (j, kind) in product(enumerate(levels), enumerate(KINDS)):
        asked, first = problem(kind, 3, epsilon, delta), j == 2 * i % len(KINDS)
        yield marked(first, f"epsilon = {epsilon}, delta = {delta}: {kind}", asked, ONCE, gap=USUAL)
    for k, epsilon in product((2, 3, 4), ("1/100", "log(10001/10000)")):
        for chosen in (MutualInformation(), AlphaDivergence(scaled(*range(1, k + 1)), "1/2")):
            asked = Problem(one_level(epsilon, k=k), chosen, [F(1, k)] * k)
            why = "the optimum is of the size of epsilon^2: phi must not lose the digits of the difference of rows"
            name = f"{chosen.kind} of {k} categories: epsilon = {epsilon}"
            yield marked((k, epsilon) == (3, "1/100"), name, asked, why)
    orders = [partial(AlphaDivergence, order=order) for order in ("1/2", "3", "-1", "10")]
    given: list[Any] = [KullbackLeibler, Hellinger, JensenShannon, *orders, lambda q: MutualInformation()]
    for i, (epsilon, delta) in enumerate(product(("1e-30", "1e-12", "1e-8", "1e-6", "50", "100"), ("0", "1/100"))):
        rng = random.Random(epsilon + delta)
        for j, of_proportions in enumerate(given):
            k = rng.choice([2, 3, 4])
            pi, q = (scaled(*(rng.randint(1, 9) for _ in range(k))) for _ in "ab")
            asked = Problem(one_level(epsilon, delta, k=k), of_proportions(q), pi)
            why = "at delta = 0 all but about epsilon^2 cancels; exp(100) has 43 digits"
            name = f"divergence {j}: epsilon = {epsilon}, delta = {delta}"
            yield marked(j == 3 * i % len(given), name, asked, why)
    for epsilon, pi in product(("20", "50", "100"), ([F(1, 2)] * 2, [F(1, 10**6)] * 3 + [F(999997, 10**6)])):
        asked = Problem(one_level(epsilon, k=len(pi)), MutualInformation(), pi)
        entropy, lost = F(-sum(float(p) * log(p) for p in pi)), F(2, 1000) if epsilon == "20" else NARROW
        known, why = (entropy * (1 - lost), entropy * (1 + NARROW)), "nearly the entropy of the proportions"
        name = f"information of {len(pi)} categories at epsilon = {epsilon}"
        yield marked(epsilon == "50", name, asked, why, known, gap=F(1, 10**12))
    pi, other = scaled(3 * 10**15, 7 * 10**15, 10**15, 3), JensenShannon([0, F(5, 7), F(1, 7), F(1, 7)])
    truth = other.value(Mechanism([[int(i == j) for j in range(4)] for i in range(4)]), pi)
    asked, why = Problem(one_level(100, TINY, k=4), other, pi), "floats do not see the smaller entries of the rays"
    yield marked(True, "Jensen-Shannon at epsilon = 100", asked, why, (truth * (1 - NARROW), truth))


def _linear() -> Iterator[Marked]:
    """Losses, traces and payoffs."""
    third = {(0, 0): "1/3", (1, 1): "1/3"}
    levels = product(("0", "1e-30", "1e-6", "1", "100"), ("0", "1e-30", "exp(-100)", "1/4", "1", "exp(-1e-9)"))
    for i, (epsilon, delta) in enumerate(levels):
        inner = one_level(epsilon, delta, m=3)
        regions: dict[str, Region] = {
            "no bounds": inner,
            "a least entry": BoundedRegion.sparse(inner, least={(2, 1): "1/10"}),
            "two fixed entries": BoundedRegion.sparse(inner, least=third, most=third),
        }
        for j, (name, region) in enumerate(regions.items()):
            asked = Problem(region, Trace([1, 1, 1]), [F(1, 3)] * 3)
            known = partial(enclosed, partial(_trace, delta), epsilon) if j == 0 else None
            why = "by symmetry p_jj = a and p_ij = b with a + 2b = 1; a - gamma b = delta"
            first, name = i % 2 == 0 and j == (i + 1) % 3, f"trace: epsilon = {epsilon}, delta = {delta}, {name}"
            yield marked(first, name, asked, why, known, gap=F(1, 10**15))
    for k, epsilon in ((5, 20), (30, 3)):
        asked = Problem(by_distance(k, epsilon), Loss.absolute(k), [F(1, k)] * k)
        yield marked(k == 5, f"absolute loss of {k} categories by distance", asked, "entries from 1 to e^-80")
    asked = Problem.kary(9, epsilon="log(13)", delta="1/2", objective="payoff")
    why = "the largest trace of nine categories, a ninth of it: (gamma + 8 delta)/(gamma + 8)"
    yield marked(True, "a right guess of nine", asked, why, F(17, 21), routes_run="closed-form", gap=EXACT)
    tables: list[tuple[list[int], list[list[int]], Fraction]] = [
        ([2, 4, 4], [[-1, 2, 2], [-2, 4, -2], [-1, 3, 2], [4, -3, 4]], F(56, 25)),
        ([3, 5, 3], [[4, -2, -2], [3, -1, -1]], F(8, 55)),
        ([4, 1, 2, 1], [[-1, -3, -1, 4], [3, 0, 4, 0], [-3, 3, 2, 3]], F(107, 40)),
    ]
    for parts, table, value in tables:
        asked = Problem(one_level("1/4", "1/5", k=len(parts)), Payoff(table), scaled(*parts))
        why = "no gamma in the optimum: short numbers come from a smaller gamma; rounding lost 1e-19"
        yield marked(True, f"a payoff of {value}", asked, why, value, gap=EXACT)


def _trace(delta: str, gamma: Any) -> Any:
    exponent = delta[4:-1] if delta.startswith("exp") else ""
    slack = ball(F(exponent)).exp() if exponent else ball(F(delta))
    return 3 * (gamma + 2 * slack) / (gamma + 2)


def paired(*levels: Any) -> LevelsRegion:
    """Return the region of these levels for the pairs (0, 1), (0, 2), (1, 0), (1, 2), (2, 0) and (2, 1)."""
    a, b, c, d, e, f = levels
    return LevelsRegion.by_pair([[None, a, b], [c, None, d], [e, f, None]], outputs="any")


def _several_levels() -> Iterator[Marked]:
    """Levels of pairs, and several levels."""
    grid = [(j // 3, j % 3) for j in range(6)]
    squares = [[sum(abs(a - b) for a, b in zip(one, other, strict=True)) for other in grid] for one in grid]
    regions: list[Region] = [
        *rational_regions(),
        LevelsRegion([(1, "1/10"), (2, "1/20")], inputs=4),
        by_distance(4, 1, outputs="any"),
        LevelsRegion.by_distance("1/2", "1/10", distance=lambda j, i: abs(j - i), inputs=4),
        LevelsRegion([(f"log({n})", F(1, 10 * n)) for n in (2, 3, 5, 7, 11, 13, 17, 19)], inputs=3),
        LevelsRegion([("log(2)", "1/10"), ("log(5)", "1/20"), ("log(9)", "1/50")], inputs=4),
        LevelsRegion([("log(2)", "1/10"), ("log(5)", "1/20")], inputs=5),
        LevelsRegion.by_distance(1, 0, distance=lambda j, i: squares[j][i], inputs=6),
    ]
    for (i, region), (j, kind) in product(enumerate(regions), enumerate(KINDS)):
        k, linear = region.inputs, kind in ("chi-square", "total-variation")
        asked, gap = Problem(region, objective(kind, k), shares(k)), EXACT if region.bracket(20).is_exact else NARROW
        first = i < 10 and j == i % len(KINDS)
        yield marked(first, f"levels {i}: {kind}", asked, "every form of levels", gap=gap if linear else NARROW)
    one: Any = ("log(3)", "1/20")
    rows = [["log(3)" if i != j else None for i in range(3)] for j in range(3)]
    same: list[tuple[str, Region, Region]] = [
        ("implied levels", one_level(*one), LevelsRegion([one, ("log(4)", "1/10"), ("log(3)", 1)], inputs=3)),
        ("some pairs, and all", one_level(*one), LevelsRegion([(*one, [(0, 1), (1, 0), (2, 0)]), one], inputs=3)),
        ("pair by pair", one_level("log(3)"), LevelsRegion.by_pair(rows, outputs="any")),
    ]
    for (i, (name, *pair)), (j, kind) in product(enumerate(same), enumerate(("a", "chi-square", "e", "information"))):
        chosen = MutualInformation() if kind == "information" else objective(kind, 3)
        asked, other = (Problem(region, chosen, shares(3)) for region in pair)
        why = "the same region in other words"
        yield marked(i == j, f"{name}: {kind}", asked, why, equal={"duplicated": other})
    each = F(2, 3) * min((d * 3 + 3 - d) ** 2 / F(d * (3 - d) * 4) for d in (1, 2))  # n Var of a contrast of norm 1
    for chosen, value in ((AOptimality(), 2 * each), (EOptimality(), each)):
        asked = Problem(LevelsRegion([("log(3)", F(1, 10**9))], inputs=3), chosen, [F(1, 3)] * 3)
        why = "Ye and Barg (2018): subset selection, less what a delta of 1e-9 adds"
        yield marked(True, f"a delta of 1e-9: {chosen.kind}", asked, why, (value * (1 - USUAL), value))
    for delta in ("1/1000", "1e-300"):
        region = LevelsRegion([("log(1000001/1000000)", 0), ("log(3)", delta)], inputs=3)
        asked = Problem(region, DOptimality(), [F(1, 12), F(1, 2), F(5, 12)])
        why = "the distances of the rows from 1, which had an error of 1e-10, decide the last digits of the dual"
        yield marked(True, f"nearly constant rows beside a level with delta = {delta}", asked, why)
    for small, kind in product(("1/500000", "1/100000", "1/10000", "1/1000"), ("a", "d", "e", "c")):
        asked = Problem(paired(small, 8, 20, "1/2", 20, 8), objective(kind, 3), shares(3))
        why = "the information about two categories is small, and the errors of CVXPY are divided by it"
        twins = ("CVXPY",) if small == "1/1000" else ()
        yield marked((small, kind) == ("1/1000", "a"), f"a level of {small} one way: {kind}", asked, why, twins=twins)


def _divergences() -> Iterator[Marked]:
    """Divergences and Gaussian privacy."""
    kinds = ("c", "d", "e", "chi-square", "mutual-information", "total-variation")
    for (k, pi, gap), kind in product(((2, scaled(3, 1), F(1, 10**5)), (3, THREE, USUAL)), kinds):
        asked, first = Problem(RenyiRegion(2, "1/2", inputs=k), objective(kind, k), pi), kind == "total-variation"
        yield marked(first and k == 2, f"order 2, {k} categories: {kind}", asked, "every objective", gap=gap)
    for order, epsilon in ((2, 99), (8, 60), (61, 8), (128, 3)):
        asked = Problem(RenyiRegion(order, epsilon, inputs=2), AOptimality(), ["1/3", "2/3"])
        why = "the rows have entries of about exp(-99), which keep 48 bits of their own"
        yield marked(order == 2, f"order {order} at epsilon = {epsilon}", asked, why, gap=USUAL)
    for level in (RenyiRegion(2, "1/1000"), RenyiRegion(2, 4), ZcdpRegion("1/1000"), ZcdpRegion(4)):
        asked = Problem(level, AOptimality(), ["3/4", "1/4"])
        yield marked(False, f"A-optimality: {level}", asked, ONCE, gap=F(1, 10**5))
    asked, why = Problem(RenyiRegion(128, 1), AOptimality(), ["1/2", "1/2"]), "at exp(127) floats are no longer finite"
    yield marked(False, "a steep order", asked, why, gap=F(1))
    for chosen in (EOptimality(), AOptimality(), MutualInformation()):
        asked = Problem(ZcdpRegion("1/8", inputs=3), chosen, [F(1, 3)] * 3)
        why = "the inequality is nearly tight along a curve; by symmetry the cells of ordered rows are enough"
        yield marked(False, f"zCDP at equal proportions: {chosen.kind}", asked, why, gap=USUAL)
    asked = Problem(ZcdpRegion("1/8"), Payoff([[-5, 0], [0, -2]]), ["5/7", "2/7"])
    why = "without an output the best decision is worth -4/7; another one is better at odds beyond 25/4 only"
    known = (F(1, 20000) - F(4, 7), F(0))
    yield marked(True, "a payoff gains by rare outputs only", asked, why, known, gap=F(1, 5 * 10**6))
    for mu in ("1e-9", "8"):
        asked = Problem(GaussianRegion(F(mu), levels=30), TotalVariation(["3/4", "1/4"]), ["1/3", "2/3"])
        yield marked(True, f"Gaussian privacy: total variation, mu = {mu}", asked, ONCE, gap=USUAL)
    for mu in (1, 2):
        asked = Problem(GaussianRegion(mu, levels=8), Hellinger([0, 1]), [1, 0])
        known, why = partial(enclosed, partial(_normal_distance, mu), 0), "that of N(0, 1) and N(mu, 1)"
        yield marked(True, f"Gaussian privacy: Hellinger distance, mu = {mu}", asked, why, known, gap=F(1, 20))


def _normal_distance(mu: int, _gamma: Any) -> Any:
    return 1 - ball(-F(mu**2, 8)).exp()


def _unrestricted() -> Iterator[Marked]:
    """Any number of outputs: drawn objectives and proportions, and many categories."""
    for kind in unrestricted.KINDS:
        rng = random.Random(20161)
        ellipsoid = kind in ("d-optimal", "e-optimal")
        gap = F(1, 10**7) if ellipsoid else NARROW
        for i, level in enumerate((*unrestricted.LEVELS, "1/1000000000", "log(100000000000000000000)")):
            k = 2 + i % 4
            chosen, pi = unrestricted.drawn(rng, kind, k), unrestricted.population(rng, k, zeros=not ellipsoid)
            name = f"drawn {i}: {kind}, {k} categories at epsilon = {level}"
            yield marked(i == 1, name, unrestricted.problem(level, chosen, pi), "proportions of any size", gap=gap)
        if kind not in ("mutual-information", "total-variation"):
            k = 9 if kind in ("c-optimal", "chi-square") else 7
            asked = unrestricted.problem("1", unrestricted.drawn(rng, kind, k), scaled(*range(k + 1, 2 * k + 1)))
            yield marked(False, f"{kind} of {k} categories", asked, "many rays", gap=F(1, 10**7))


def _all() -> list[Marked]:
    groups = (_zeros, _tiny, _levels_of_any_size, _linear, _several_levels, _divergences, _unrestricted)
    return [each for group in groups for each in group()]


def extreme_problems() -> list[DesignRow]:
    """Return the rows of each run."""
    return [each.row for each in _all() if each.in_each_run]


def further_problems() -> list[DesignRow]:
    """Return the rows of ``make stress`` alone."""
    return [each.row for each in _all() if not each.in_each_run]
