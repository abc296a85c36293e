"""The definition of a privacy region as SymPy relations between the entries of P."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.privacy.bounded_regions import EveryMechanism
from rropt.privacy.divergence_regions import RenyiRegion, ZcdpRegion
from rropt.privacy.gaussian_region import GaussianRegion
from rropt.privacy.level_regions import LevelsRegion
from rropt.privacy.region import Region
from rropt.symbolic import symbols
from rropt.symbolic.symbols import delta, exact, gamma

MOST_RELATIONS = 2000
"""Largest number of relations between entries that are written out; five categories with 31 outputs have 620."""


class RegionDefinition(NamedTuple):
    """The relations of a region, and the exact values of their parameters."""

    relations: list[Any]
    parameters: dict[sp.Symbol, sp.Expr]


def definition(region: Region, P: sp.ImmutableMatrix) -> RegionDefinition:
    """Return the relations that define a region for a matrix of symbols, columns that sum to 1 included.

    ``p_ij <= gamma p_il`` for every output i and pair (j, l), or ``sum_i max(0, p_ij - gamma p_il) <= delta``. Several
    levels have the symbols gamma_0, delta_0, and so on. Under a criterion gamma is B(h), or the rational number just
    below it that the design is private at.

    Raises:
        UnsupportedProblemError: the region has infinitely many conditions, or another form.
    """
    m, k = P.shape
    if region.bounds is not None:
        inner, (least, most) = definition(region.unbounded, P), region.bounds
        for low, high, row in zip(least, most, P.tolist(), strict=True):
            for a, b, entry in zip(low, high, row, strict=True):
                inner.relations.extend([sp.Ge(entry, exact(a))] * (a > 0) + [sp.Le(entry, exact(b))] * (b < 1))
        for each in region.entry_inequalities:
            sides = [[sum(exact(x) * P[i, j] for (i, j), x in terms) for terms in part] for part in each.parts]
            inner.relations.append(sp.Le(sum(sp.Max(*own) for own in sides), exact(each.bound), evaluate=False))
        return inner
    if isinstance(region, EveryMechanism):
        return RegionDefinition(list(_columns(P)), {})
    if isinstance(region, (ZcdpRegion, GaussianRegion)):
        raise UnsupportedProblemError("the region has infinitely many conditions")
    columns = list(_columns(P))
    every = list(permutations(range(k), 2))
    if isinstance(region, RenyiRegion):
        order, most_allowed = exact(region.order), symbols.gamma_of(region.epsilon)
        powers = [sum(P[i, j] ** order * P[i, other] ** (1 - order) for i in range(m)) for j, other in every]
        return RegionDefinition(
            [*columns, *(sp.Le(each, gamma ** (order - 1)) for each in powers)], {gamma: most_allowed}
        )
    if isinstance(region, LevelsRegion):
        found = columns
        values: dict[sp.Symbol, sp.Expr] = {}
        for number, level in enumerate(region.levels):
            g, d = (sp.Symbol(f"{s.name}_{number}", nonnegative=True) for s in (gamma, delta))
            values |= {g: symbols.gamma_of(level.epsilon)}
            is_pure = level.delta.rational == 0
            if not is_pure:
                values |= {d: symbols.delta_of(level.delta)}
            found += _of_level(P, g, None if is_pure else d, level.pairs or every)
        return RegionDefinition(found, values)
    if not region.has_one_level:
        raise UnsupportedProblemError(f"no posing in symbols is written for this region: {region}")
    whole = region.one_level()
    values, is_pure = {gamma: symbols.gamma_of(whole.epsilon)}, whole.delta.rational == 0
    if not is_pure:
        values |= {delta: symbols.delta_of(whole.delta)}
    relations = [*columns, *_of_every_pair(P, is_pure=is_pure)]
    if region.family == "warner":
        relations.append(sp.Eq(P[0, 0], P[1, 1]))
    return RegionDefinition(relations, values)


@lru_cache(maxsize=4)
def _columns(P: sp.ImmutableMatrix) -> tuple[Any, ...]:
    """Return that the columns sum to 1."""
    return tuple(sp.Eq(sum(P[:, j]), 1, evaluate=False) for j in range(P.shape[1]))


@lru_cache(maxsize=4)
def _of_every_pair(P: sp.ImmutableMatrix, *, is_pure: bool) -> tuple[Any, ...]:
    """Return the relations of one level for all pairs of inputs, which are the same at all levels of a sweep."""
    return tuple(_of_level(P, gamma, None if is_pure else delta, list(permutations(range(P.shape[1]), 2))))


def _of_level(P: sp.ImmutableMatrix, g: sp.Symbol, slack: sp.Symbol | None, pairs: Any) -> list[Any]:
    """Return the relations of one level, which holds for some ordered pairs of inputs."""
    rows = range(P.shape[0])
    if slack is None:
        return [sp.Le(P[i, j], g * P[i, other], evaluate=False) for j, other in pairs for i in rows]
    # SymPy takes seconds to find out that it cannot evaluate these relations
    excess = {
        (j, other): sp.Add(*(sp.Max(0, P[i, j] - g * P[i, other], evaluate=False) for i in rows)) for j, other in pairs
    }
    return [sp.Le(each, slack, evaluate=False) for each in excess.values()]
