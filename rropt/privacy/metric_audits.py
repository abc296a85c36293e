"""Audits of metric privacy: the smallest epsilon per unit of distance, or the smallest multiple of given levels.

For two categories let ``r_jl = max_i p_ij/p_il``, where 0/0 is omitted and a/0 is infinite. A mechanism satisfies the
levels ``e_jl`` iff ``log r_jl <= e_jl`` for every ordered pair. For ``e_jl = epsilon d_jl`` (metric privacy;
Chatzikokolakis et al. 2013) the smallest epsilon is ``max log(r_jl)/d_jl``. Two pairs are compared in integers,
by comparing ``r^d'`` with ``r'^d`` instead of ``r^(1/d)`` with ``r'^(1/d')``. This is the inverse of
``rropt design kary --level``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon, as_text, rational_where
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.privacy.level_regions import steps_apart
from rropt.privacy.region import exact_rows

MOST_INPUTS = 300  # largest number of categories; all pairs are compared for every output
_MOST_POWER = 10**5  # largest distance as an integer, after multiplication by the common denominator


@dataclass(frozen=True, slots=True)
class MetricPrivacy(Result):
    """The smallest epsilon per unit of distance.

    Attributes:
        mechanism: P.
        epsilon: the smallest epsilon, exactly; infinite if two categories at a finite distance have an output
            that is possible under only one of them.
        pair: the categories (j, l) that attain it.
        output: the output i with the largest ``p_ij/p_il``.
    """

    mechanism: Mechanism
    epsilon: Epsilon
    pair: tuple[int, int]
    output: int

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        epsilon="least epsilon per unit of distance",
        pair="categories that attain it",
        output="most informative output",
        mechanism="mechanism",
    )


@dataclass(frozen=True, slots=True)
class LevelsPrivacy(Result):
    """Whether a mechanism satisfies a level for each pair of categories, and the smallest multiple that it satisfies.

    Attributes:
        mechanism: P.
        meets: whether it satisfies every level, decided exactly.
        factor: the smallest multiple of the levels that it satisfies, a float; None if no multiple is enough.
        pair: the categories (j, l) that attain it.
        output: the output i with the largest ``p_ij/p_il``.
    """

    mechanism: Mechanism
    meets: bool
    factor: float | None
    pair: tuple[int, int]
    output: int

    ANSWER = ("meets", "factor", "pair")
    LABELS: ClassVar[Mapping[str, str]] = labelled(
        meets="meets every level",
        factor="least multiple of the levels that it meets",
        pair="categories that attain it",
        output="most informative output",
        mechanism="mechanism",
    )


def _odds(mechanism: Mechanism) -> Iterator[tuple[tuple[int, int], Fraction | None, int]]:
    """Iterate over ordered pairs with their odds (None: infinite) and the output that attains them."""
    k = mechanism.inputs
    if k > MOST_INPUTS:
        raise UnsupportedProblemError(
            f"the pairs of categories are too many: received {k} categories; at most {MOST_INPUTS} are compared"
        )
    rows = mechanism.matrix
    for j, other in permutations(range(k), 2):
        best, place = Fraction(1), 0
        for i, row in enumerate(rows):
            if row[j] > best * row[other]:
                if not row[other]:
                    best, place = None, i  # type: ignore[assignment]
                    break
                best, place = row[j] / row[other], i
        yield (j, other), best, place


def metric_privacy(mechanism: Mechanism | str, distance: str | Sequence[Sequence[object]] = "line") -> MetricPrivacy:
    """Return the smallest epsilon for which a mechanism is epsilon-private per unit of distance.

    Args:
        mechanism: P, at most 300 categories; or its name.
        distance: ``"line"``: ``abs(j - l)``; ``"grid:RxC"``: in a grid of R rows and C columns; or a k x k matrix of
            rational distances >= 0, 0 on the diagonal. Off the diagonal, pairs at distance 0 must have equal columns.

    Raises:
        InvalidParameterError: the distance is not such a matrix.
        UnsupportedProblemError: the categories are too many, or epsilon has no short exact form.

    >>> found = metric_privacy(Mechanism([["2/3", "1/3", "1/6"], ["1/3", "2/3", "5/6"]]))
    >>> str(found.epsilon), found.pair
    ('log(2)', (0, 1))
    """
    made = required_mechanism(mechanism)
    distances = _distances(made.inputs, distance)
    best: tuple[Fraction, Fraction] | None = None  # odds and distance
    found: tuple[tuple[int, int], int] = ((0, min(1, made.inputs - 1)), 0)
    for (j, other), odds, output in _odds(made):
        apart = distances[j][other]
        if odds == 1:
            continue
        if odds is None or not apart:
            return MetricPrivacy(made, Epsilon.of_parity(None), (j, other), output)
        if best is None or _is_more((odds, apart), best):
            best, found = (odds, apart), ((j, other), output)
    if best is None:
        return MetricPrivacy(made, Epsilon.of(0), *found)
    try:
        return MetricPrivacy(made, Epsilon.of_parity(best[0]).scaled(1 / best[1]), *found)
    except InvalidParameterError as error:
        raise UnsupportedProblemError(
            f"{error}; the pair {found[0]} attains it at the distance {as_text(best[1])}: divide all distances by it"
        ) from None


def _is_more(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    """Return whether ``log(r)/d > log(r')/d'``, that is, ``r^d' > r'^d``, with the distances as integers."""
    (r, d), (s, e) = one, other
    scale = lcm(d.denominator, e.denominator)
    return bool(r ** int(e * scale) > s ** int(d * scale))


def _distances(k: int, distance: str | Sequence[Sequence[object]]) -> Sequence[Sequence[Fraction]]:
    if isinstance(distance, str):
        steps = steps_apart(distance, k)
        return [[Fraction(steps(j, other)) for other in range(k)] for j in range(k)]

    def read(x: object, j: int, i: int) -> Fraction:
        allowed = "0 on the diagonal" if i == j else "a number >= 0"
        return rational_where(x, lambda d: d >= 0 and (i != j or not d), allowed, name=f"distance[{j}][{i}]")

    rows = exact_rows(distance, k, k, "the distances are", read)
    whole = lcm(*(x.denominator for row in rows for x in row))
    if max(x * whole for row in rows for x in row) > _MOST_POWER:
        raise UnsupportedProblemError(
            f"the distances are compared as integers up to {_MOST_POWER}: received larger ones; round them"
        )
    return rows


def levels_privacy(mechanism: Mechanism | str, levels: Sequence[Sequence[object]]) -> LevelsPrivacy:
    """Decide whether a mechanism satisfies a level for each pair of categories, and find the smallest multiple.

    Args:
        mechanism: P, at most 300 categories; or its name.
        levels: k x k; row j and column l is the level of ``p_ij <= exp(level) p_il``; None: no condition.

    Raises:
        InvalidParameterError: the levels are not such a matrix.

    >>> found = levels_privacy("warner:3/4", [[None, "log(3)"], ["log(9)", None]])
    >>> found.meets, round(found.factor, 12), found.pair
    (True, 1.0, (0, 1))
    """
    made = required_mechanism(mechanism)
    k = made.inputs
    exact = exact_rows(levels, k, k, "the levels are", lambda x, *_: None if x is None else Epsilon.of(x))
    meets, factor, found = True, 0.0, ((0, min(1, k - 1)), 0)
    for (j, other), odds, output in _odds(made):
        level = exact[j][other]
        if level is None or odds == 1:
            continue
        if odds is None:
            return LevelsPrivacy(made, False, None, (j, other), output)
        meets = meets and (level.exact_gamma() - odds).sign() >= 0
        own = float(level)
        if not own:
            return LevelsPrivacy(made, False, None, (j, other), output)
        ratio = float(Epsilon.of_parity(odds)) / own
        if ratio > factor:
            factor, found = ratio, ((j, other), output)
    return LevelsPrivacy(made, meets, factor, *found)


def given_distance(text: str) -> Any:
    """Return a name of distances (``"line"``, ``"grid:RxC"``), or the matrix in the file with this name."""
    from rropt.privacy.region_files import load_matrix

    return text if text == "line" or text.startswith("grid:") else load_matrix(text, what="file of distances")
