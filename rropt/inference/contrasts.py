r"""A linear combination of the proportions that several devices identify together, although no single one need do so.

Two samples that answer an unrelated question with different probabilities are the best-known case: with the categories
(trait, innocuous trait), neither device determines a proportion alone, and both together determine those of both traits
(Greenberg, Abul-Ela, Simmons and Horvitz 1969).

Device d gives the proportions ``lambda_d = P_d pi`` of its ``n_d`` responses. The estimate is
``sum_d L_d . N_d / n_d`` with weights of the responses such that ``sum_d P_d^T L_d = c``, so it is unbiased for
``c . pi``. Among these weights, L has the least variance at a reference distribution, by default the uniform one: with
V the diagonal matrix of ``lambda_dz / n_d`` there, ``L = V^-1 P mu`` and ``P^T V^-1 P mu = c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from rropt.answers.data_columns import Floats, Ints
from rropt.answers.scores import Scores
from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import as_text
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot
from rropt.core.visible import with_noun
from rropt.inference.contrast_noise import noise_table
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import reference_population


def contrast_scores(
    name: str,
    devices: Sequence[Mechanism],
    device: Ints,
    codes: Ints,
    c: Sequence[Fraction],
    group: Ints,
    n: Ints,
    weight: Floats,
    groups: Sequence[str],
    reference: Sequence[object] | None = None,
) -> Scores:
    """Return the scores of a contrast; the estimate of a group is the sum over its devices of their mean scores.

    Args:
        name: the name of the contrast.
        devices: the devices.
        device, codes: the number of the device, and the response, of each row; -1 for none.
        c: the contrast, shape (k,).
        group: the number of the group of each row; negative for none.
        n, weight: the number of respondents of each row with a positive weight, and the sum of their weights.
        groups: the names of the groups.
        reference: the distribution at which the estimate has least variance, shape (k,); uniform by default.

    Raises:
        InfeasibleError: the devices of a group do not determine the contrast.
    """
    if any(device.inputs != len(c) for device in devices):
        raise InvalidParameterError(
            "the devices have different numbers of categories: received "
            f"{shown([device.inputs for device in devices])}; allowed are devices of the same categories"
        )
    D, m = len(devices), max(one.outputs for one in devices)
    P = np.stack([np.pad(one.to_numpy(), ((0, m - one.outputs), (0, 0))) for one in devices])
    is_given = (group >= 0) & (codes >= 0)
    is_used = is_given & (n > 0)
    G = len(groups)
    sums = np.zeros((G, D, m))
    counts = np.zeros((G, D), np.int64)
    at = (group[is_used], device[is_used])
    np.add.at(sums, (*at, codes[is_used]), weight[is_used])
    np.add.at(counts, at, n[is_used])
    exact: list[list[Fraction]] = []
    noise = np.zeros((G, D, m))
    for g, name_of_group in enumerate(groups):
        met = [d for d in range(D) if counts[g, d]]
        found = contrast_weights([devices[d] for d in met], counts[g, met].tolist(), c, reference) if met else None
        if found is None:
            raise undetermined(name_of_group if G > 1 else None, c, len(met))
        tables = {d: table + [Fraction(0)] * (m - len(table)) for d, table in zip(met, found, strict=True)}
        rows = [tables.get(d, [Fraction(0)] * m) for d in range(D)]
        exact += [[x] for table in rows for x in table]
        own = np.array(rows, np.float64)
        noise[g, met] = noise_table(P[met], own[met], sums[g, met])[0]
    table = np.array([[float(x) for x in row] for row in exact])
    low, high = (np.full(table.shape, float(end(c))) for end in (min, max))
    place = np.where(is_given, (np.maximum(group, 0) * D + device) * m + codes, -1)
    limits = float(min(c)), float(max(c))
    return Scores((name,), table, partial(list, exact), place, low, high, noise.reshape(-1, 1), limits=limits)


def undetermined(group: str | None, c: Sequence[Fraction], devices: int) -> InfeasibleError:
    """Return the error for devices that do not determine a contrast, in a group or at all."""
    where = "" if group is None else f" in the group {shown(group)}"
    way = "" if group is None else "join groups, leave the group out, or "
    return InfeasibleError(
        f"the devices together do not determine the contrast{where}: received {','.join(map(as_text, c))} for "
        f"{with_noun(devices, 'device')}; {way}ask a part of the respondents with another device"
    )


def contrast_weights(
    mechanisms: Sequence[Mechanism], n: Sequence[int], c: Sequence[Fraction], reference: Sequence[object] | None = None
) -> list[list[Fraction]] | None:
    """Return the weights L of the responses to each device; ``None`` if the devices do not determine the contrast.

    Args:
        mechanisms: the devices.
        n: the number of responses to each, positive.
        c: the contrast, shape (k,).
        reference: the distribution at which the variance is least, shape (k,); uniform by default.
    """
    k = len(c)
    whole = reference_population(mechanisms[0], reference)
    rows = [
        (place, z, row, dot(row, whole) / n[place])
        for place, one in enumerate(mechanisms)
        for z, row in enumerate(one.matrix)
        if any(row)
    ]
    M = [[sum((row[i] * row[j] / v for _, _, row, v in rows), Fraction(0)) for j in range(k)] for i in range(k)]
    mu = _solution(M, c)
    if mu is None:
        return None
    L = [[Fraction(0)] * one.outputs for one in mechanisms]
    for place, z, row, v in rows:
        L[place][z] = dot(row, mu) / v
    return L


def _solution(M: Sequence[Sequence[Fraction]], c: Sequence[Fraction]) -> list[Fraction] | None:
    """Return a solution of ``M x = c``, with 0 for free unknowns; ``None`` without one."""
    k = len(c)
    reduced, rank = flint_matrix([[*row, value] for row, value in zip(M, c, strict=True)]).rref()
    found = [Fraction(0)] * k
    rows = [fractions_of(reduced)[i] for i in range(rank)]
    for row in rows:
        pivot = next(j for j, x in enumerate(row) if x)
        if pivot == k:
            return None
        found[pivot] = row[k]
    return found
