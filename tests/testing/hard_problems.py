"""Rows without a known optimum: problems that were hard once, each with the reason in place of a source.

The contract tests everything else: a narrow bracket, an accepted certificate, exact privacy, restatements.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from support.ray_problems import objective, shares

from rropt import Problem, objectives
from rropt.objectives import (
    AlphaDivergence,
    AOptimality,
    ChiSquare,
    Contrast,
    Contrasts,
    Loss,
    Payoff,
)
from rropt.privacy import LevelsRegion, PrivacyRegion
from rropt.testing import DesignRow

F = Fraction
TINY = "1/1000000000000"


def one_level(epsilon: object, delta: object = 0, *, k: int = 3, m: Any = "any") -> PrivacyRegion:
    return PrivacyRegion(epsilon, delta, inputs=k, outputs=m)


def scaled(*parts: int) -> list[Fraction]:
    return [F(part, sum(parts)) for part in parts]


def _two_outputs() -> Iterator[DesignRow]:
    cases = [("1e-30", "0", "1/3"), ("1e-300", "0", "1/3"), ("1e-300", "1e-300", "1/3"), ("100", "exp(-100)", "1/3")]
    cases += [("log(2)/997", "0", "1/3"), ("0", "exp(-1e-20)", "1/2"), ("0", "1e-300", "0"), ("1/3", "1e-40", "1e-39")]
    for family in ("all", "warner"):
        for epsilon, delta, pi in cases:
            yield DesignRow(
                f"binary, {family}: epsilon = {epsilon}, delta = {delta}, pi = {pi}",
                Problem.binary(pi, epsilon=epsilon, delta=delta, symmetric=family == "warner"),
                None,
                "tiny, huge and nearly degenerate levels",
                gap=F(1, 10**12),
            )


def _linear() -> Iterator[DesignRow]:
    for scale in (F(1, 10**40), F(10**30)):
        for delta in ("0", "1/1000"):
            losses = [[scale * abs(i - j) for j in range(4)] for i in range(4)]
            yield DesignRow(
                f"absolute losses times {float(scale):g}, delta = {delta}",
                Problem(one_level(1, delta, k=4, m=4), Loss(losses), [F(1, 4)] * 4),
                None,
                "multipliers of tiny losses are not rounded: they would all be 0",
                gap=F(1, 10**14),
            )
    rng = random.Random(20161)
    for level, delta in (("log(2)", "0"), ("1", "0"), ("log(2)", "1/5"), ("1", "1/5")):
        loss = [[rng.randint(0, 6) for _ in range(3)] for _ in range(3)]
        yield DesignRow(
            f"losses without a pattern: epsilon = {level}, delta = {delta}",
            Problem(one_level(level, delta, m=3), Loss(loss), [F(1, 2), F(1, 3), F(1, 6)]),
            None,
            "renaming inputs and outputs alike changes nothing",
            gap=F(1, 10**12),
        )
    loss = [["1e-20", "0", "1e20"], ["2e-20", "0", "1e-20"], ["1e-20", "1e-20", "1e-20"]]
    for name, bounds in (("no bounds", {}), ("bounds", {"bounds": (0, "3/4")})):
        asked: Any = {"delta": "1/3", "objective": objectives.Loss(loss), "population": ["1/3"] * 3}
        yield DesignRow(
            f"losses of different sizes, {name}",
            Problem.kary(epsilon="1", **asked, **bounds),
            (0, F(1, 10**19)),
            "one entry costs 1e20 and delta makes it 0, so that all others cost about 1e-20",
        )
    for epsilon in ("1", "log(3)"):
        inner = one_level(epsilon, "1/10", m=3)
        pi = [F(1, 2), F(1, 3), F(1, 6)]
        several = Problem(LevelsRegion([(epsilon, "1/10")], inputs=3, outputs=3), Loss.absolute(3), pi)
        yield DesignRow(
            f"labelled outputs under one level, epsilon = {epsilon}",
            Problem(inner, Loss.absolute(3), pi),
            None,
            "one level is a list of one level",
            equal={"duplicated": several},
            gap=F(1, 10**10),
        )


def _rays() -> Iterator[DesignRow]:
    for kind in ("a", "d", "e", "total-variation", "mutual-information"):
        yield DesignRow(
            f"exchanged categories: {kind}",
            Problem(one_level(1, "1/20", k=4), objective(kind, 4), shares(4)),
            None,
            "the order of the categories is no part of the problem",
        )
    for kind in ("a", "e", "mutual-information"):
        region = LevelsRegion.by_distance("1/2*log(3)", distance=lambda j, i: abs(j - i), inputs=4)
        yield DesignRow(
            f"distances with rational multiples of an irrational level: {kind}",
            Problem(region, objective(kind, 4), shares(4)),
            None,
            "twice 1/2*log(3) has a rational gamma, whose bracket is no power of the bracket of the root of 3",
            gap=F(1, 10**9),
        )
    pairs = [[(0, 1), (1, 0)], [(1, 2), (2, 1)], [(0, 2), (2, 0)]]
    levels: list[Any] = [(epsilon, 0, both) for epsilon, both in zip(("1", "13/11", "24/11"), pairs, strict=True)]
    for more in (("1/4", "1/5"), ("5", "1/100", [(0, 2)])):
        for name, chosen in (
            ("payoff", Payoff([[1, 0, 0], [0, 1, 0], [0, 0, 1]])),
            ("chi-square", ChiSquare(["1/3"] * 3)),
        ):
            yield DesignRow(
                f"products of levels beside the level {more[0]}: {name}",
                Problem(LevelsRegion([*levels, more], inputs=3), chosen, [F(1, 2), F(1, 3), F(1, 6)]),
                None,
                "1 + 13/11 = 24/11, but the product of the two lower bounds exceeds the lower bound of the third",
                gap=F(1, 10**12),
            )
    payoffs = Payoff([[3, 4, 8, -2, 1], [-2, -3, 2, 5, 3], [2, 3, -1, 5, 0], [4, 2, 1, 6, -3]])
    yield DesignRow(
        "columns that the linear solver refuses",
        Problem(
            one_level("log(3/2)", "1/1000000", k=5),
            payoffs,
            scaled(4 * 10**12, 1, 10**13, 13 * 10**12, 11 * 10**12),
        ),
        None,
        "a tiny proportion and a small delta: entries of rays exceed 1e15, which HiGHS does not take as columns",
    )
    yield DesignRow(
        "a tiny proportion leaves the linear solver an optimum",
        Problem(one_level("1/1000000", "exp(-10)"), objective("mutual-information", 3), scaled(10**15, 1, 6 * 10**15)),
        None,
        "rays with entries of 7e15 become columns of size 1",
        gap=F(1, 10**10),
    )
    first, last = [None, 8, 50, "1/1000000000"], ["1/1000000000", "1/2", 20, None]
    nearly: list[list[Any]] = [first, [8, None, "1/2", "1/2"], [50, "1/2", None, 20], last]
    yield DesignRow(
        "nearly constant rays",
        Problem(LevelsRegion.by_pair(nearly, outputs="any"), objective("e", 4), shares(4)),
        None,
        "the products of steps of 1e-9 with W cancel in floats",
        gap=F(1, 10**5),  # in another order of the categories 2e-6 is left
    )
    information: list[list[Any]] = [[None, 50, 20, 50], [50, None, TINY, "3/2"]]
    information += [[20, TINY, None, "1/10"], [50, "3/2", "1/10", None]]
    order: list[list[Any]] = [[None, 100, TINY, 100], [100, None, "1/2", "3/2"]]
    order += [[TINY, "1/2", None, 20], [100, "3/2", 20, None]]
    against = AlphaDivergence(["1/5", "11/25", "22/75", "1/15"], 3)
    for name, level, chosen, pi in (
        ("information", information, objective("mutual-information", 4), (125 * 10**12, 75 * 10**13, 1, 125 * 10**12)),
        ("order 3", order, against, (1, 2, 1, 2)),
    ):
        yield DesignRow(
            f"levels of different size: {name}",
            Problem(LevelsRegion.by_pair(level, outputs="any"), chosen, scaled(*pi)),
            None,
            "floats find no basis next to a level of 1e-12; ten rays are few enough to do without",
            gap=F(1, 10**10),
        )
    table = [
        ("log(32712/9973)", "1/50", 0, 1),
        ("log(1613/1000)", "1/50", 0, 2),
        ("log(35169/10000)", "1/50", 0, 3),
        ("1/10", "0", 1, 0),
        ("log(6181/2000)", "1/1000000000", 1, 2),
        ("log(8807/500)", "0", 2, 0),
        ("10", "1/50", 2, 1),
        ("13/10", "1/50", 2, 3),
        ("7/2", "1/1000000000", 3, 1),
        ("13/50", "1/50", 3, 2),
    ]
    region = LevelsRegion([(epsilon, delta, [(j, i)]) for epsilon, delta, j, i in table], inputs=4)
    yield DesignRow(
        "a very small delta for some pairs",
        Problem(region, AOptimality(), ["12/25", "6/25", "4/25", "3/25"]),
        None,
        "with missing pairs, a linear program whose tolerances are absolute finds the first weights",
        gap=F(1, 10**9),
    )
    for name, sums in (
        ("c", Contrast(["-7/8", 1, -2, -1, -4])),
        ("contrasts", Contrasts([[1, -1, 0, 0, 0], [0, 1, 2, 0, -3]])),
    ):
        yield DesignRow(
            f"a very small delta: {name}",
            Problem(one_level("9/4", "1/1000000000", k=5), sums, scaled(8, 3, 9, 2, 5)),
            None,
            "the rays that enter get less weight than delta allows; else the method stops at its first point",
            gap=F(1, 10**9),
        )


def hard_problems() -> list[DesignRow]:
    """Return the rows."""
    return [*_two_outputs(), *_linear(), *_rays()]
