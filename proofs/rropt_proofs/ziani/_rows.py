"""The claims in rows of Ziani (Lectures 3 and 4): each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from rropt.claims.claim import Row
from rropt_proofs._laws import chance_of, mean_of
from rropt_proofs._matrices import Numbers, Rows
from rropt_proofs.ziani._paper import as_printed, corrected, log_ratio, reports_of_ones

Bits = tuple[int, ...]


def _moments(values: Numbers, chances: Numbers) -> tuple[Fraction, Fraction]:
    mean = sum((v * c for v, c in zip(values, chances, strict=True)), Fraction(0))
    return mean, sum(((v - mean) ** 2 * c for v, c in zip(values, chances, strict=True)), Fraction(0))


def not_constant(values: Numbers, chances: Numbers) -> bool:
    r"""$\\sigma>0$: $X$ is not constant"""
    return _moments(values, chances)[1] > 0


def lemma_4(values: Numbers, chances: Numbers, k: Fraction, *, share: Any = 1) -> list[Row]:
    """Pr[|X - mu| >= k sigma]; sigma may be irrational, so squares are compared where k > 0."""
    mean, variance = _moments(values, chances)
    far = [c for v, c in zip(values, chances, strict=True) if k <= 0 or (v - mean) ** 2 >= k**2 * variance]
    return [("the probability", sum(far, Fraction(0)), "<=", share / k**2)]


def few(bits: Bits) -> bool:
    """n = 1 or 2, or one of three bits is 1"""
    return len(bits) < 3 or sum(bits) == 1


def theorem_5(p: Fraction, bits: Bits, inverse: Fraction, *, printed: bool = True, part: Any = 1) -> list[Row]:
    """The distribution of the number of reports 1, respondent by respondent; squared errors against squared bounds."""
    n, delta, law = len(bits), 1 / inverse, reports_of_ones(p, bits)
    bound, mean = 1 / (4 * delta * (1 - 2 * p) ** 2 * n), Fraction(sum(bits), n)
    estimator = as_printed if printed else corrected

    def error(ones: int) -> Any:
        return (estimator(Fraction(ones, n), p) - mean) ** 2

    rows = [("probability", chance_of(law, lambda ones: error(ones) <= bound), ">=", 1 - delta * part)]
    return rows if printed else [("mean squared error", mean_of(law, error), "<=", delta * bound * part), *rows]


def _sensitivity(f: Callable[[Bits], Fraction], n: int) -> Fraction:
    """Return the largest change over all databases of n entries 0 and 1 and all changes of a single entry."""
    return max(
        abs(f(x) - f((*x[:i], other, *x[i + 1 :])))
        for x in product((0, 1), repeat=n)
        for i in range(n)
        for other in (0, 1)
    )


def sensitivity_examples(n: int, c: Fraction, *, more: Any = 0, beyond: bool = False) -> list[Row]:
    """The largest change over all databases and all changes of one entry; of the average, one change above c."""
    poor = (0,) * n
    rich: Any = (n * (c + 1), *poor[1:])  # one salary changes
    return [
        ("how many", _sensitivity(lambda x: Fraction(sum(x)), n), "=", 1 + more),
        ("what fraction", _sensitivity(lambda x: Fraction(sum(x), n), n), "=", Fraction(1, n) + more),
        ("average salary", (sum(rich) - sum(poor)) / Fraction(n), ">", c + 1 if beyond else c),
    ]


def sensitivity_l1_example(database: Bits, *, more: int = 0) -> list[Row]:
    """The largest and the least l1-distance of the counts of a database and of each of its neighbours."""
    x, places = database, range(len(database))
    changed = [(*x[:i], 1 - x[i], *x[i + 1 :]) for i in places]
    other = [*((*x[:i], *x[i + 1 :]) for i in places), (*x, 0), (*x, 1)]
    rows: list[Row] = []
    for name, neighbours, stated in (("change one entry", changed, 2), ("add or delete one", other, 1)):
        distances = [_distance(x, y) for y in neighbours]
        rows.append((name, max(distances), "=", stated + more))
        rows.append((f"{name}, the least distance", min(distances), "=", stated + more))
    return rows


def _distance(x: Bits, y: Bits) -> Fraction:
    return Fraction(abs(sum(x) - sum(y)) + abs(len(x) - sum(x) - len(y) + sum(y)))


def there_are_coordinates(first: int, second: int, third: int) -> bool:
    """there is a coordinate"""
    return first + second + third > 0


def _coordinates(gaps: Rows) -> list[tuple[Any, Any, Any]]:
    """Return (f_i(x), f_i(y), s_i) by which of them is in the middle, at 0."""
    gx, hx, gy, hy, gs, hs = gaps
    zero = Fraction(0)
    return [
        *((zero, -g, h) for g, h in zip(gx, hx, strict=True)),
        *((-g, zero, h) for g, h in zip(gy, hy, strict=True)),
        *((-g, h, zero) for g, h in zip(gs, hs, strict=True)),
    ]


def _l1(coordinates: Iterable[tuple[Any, Any, Any]]) -> Any:
    return sum((abs(x - y) for x, y, _ in coordinates), Fraction(0))


def sensitive(gx: Numbers, hx: Numbers, gy: Numbers, hy: Numbers, gs: Numbers, hs: Numbers, slack: Fraction) -> bool:
    """the sensitivity is positive"""
    return bool(slack + _l1(_coordinates((gx, hx, gy, hy, gs, hs))) > 0)


def theorem_12_privacy(
    gx: Numbers,
    hx: Numbers,
    gy: Numbers,
    hy: Numbers,
    gs: Numbers,
    hs: Numbers,
    slack: Fraction,
    b: Fraction,
    *,
    share: Any = 1,
) -> list[Row]:
    """The log ratio of the densities of f(x) + Z and f(y) + Z at s: a sum over independent coordinates."""
    given = _coordinates((gx, hx, gy, hy, gs, hs))
    ratio = sum((log_ratio(s, x, y, 1 / b) for x, y, s in given), Fraction(0))
    return [("the log ratio", ratio, "<=", (_l1(given) + slack) / b * share)]
