"""Extreme levels: where solvers in floats do not distinguish the numbers of a problem, and twins are silent.

The one guard of all twins: a comparison that fails at such a level is no contradiction. It says why it is silent. A
comparison that succeeds there is reported as elsewhere.

* A linear program is moved by ``active._MOVED`` to make its vertex unique. Numbers of this size are lost in it.
* Designs of the Fisher information are worse: near ``gamma = 1`` information is of the order ``(gamma - 1)^2``, and
  weights and prices of cone solvers have seven digits.
* Losses and payoffs, weights and proportions of very different sizes are lost in one sum of doubles, or taken for 0.
  At a level far from log(2) less is needed. Random problems gave the limits (``tests/twins/test_extreme_levels.py``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.convex.regions import limits_of
from rropt.core.errors import UnsupportedProblemError

_LINEAR = {"gap": 1.1e-5, "ratio": 1.1e-5, "delta": 1.1e-5}
_CURVED = {"gap": 1.1e-2, "ratio": 1e-7, "delta": 1.1e-5}
_MOST_APART = (
    90_000,
    10_000,
)  # numbers of a linear program, which is moved; of a curved one, whose weights are squared


def beyond_floats(data: dict[str, Any], *, is_curved: bool = False) -> str:
    """Return why solvers in floats fail at the level of a problem; empty if they should not.

    Args:
        data: the problem as JSON.
        is_curved: whether it is a program of cones, as those of the Fisher information.
    """
    least = _CURVED if is_curved else _LINEAR
    region = data["region"]
    k = int(region.get("region", region)["inputs"])  # of bounds: that of the region inside
    try:
        levels = limits_of(region, k).levels
    except UnsupportedProblemError as error:
        return str(error)
    for gamma, delta, _ in levels:
        size = float(gamma.value)
        found = [(size - 1, least["gap"]), (1 / size, least["ratio"])]
        if delta is not None:
            found += [(float(delta.value), least["delta"]), (1 - float(delta.value), least["delta"])]
        small = [number for number, limit in found if number < limit]
        if small:
            return f"at an extreme level numbers are as small as {min(small):.2g}, which solvers take for 0"
    # below a level a proportion is multiplied by 1/gamma and by gamma - 1, in information by its square
    sizes = [float(gamma.value) for gamma, _, _ in levels] or [2.0]
    lost = min(min(1 / size, min(size - 1, 1.0) ** (2 if is_curved else 1)) for size in sizes)
    objective, population = data.get("objective", {}), data.get("population")
    listed = {
        "the objective": [x for row in objective.get("matrix", ()) for x in row],
        "the proportions": population if isinstance(population, list) else (),
        "the weights": objective.get("weights", ()),
        "the contrast": objective.get("contrast", ()),
        "the other distribution": objective.get("against", ()),
    }
    for name, texts in listed.items():
        numbers = [abs(number) for number in map(Fraction, texts) if number]
        if numbers and max(numbers) > _MOST_APART[is_curved] * Fraction(lost) * min(numbers):
            power = len(str(int(max(numbers) / min(numbers)))) - 1
            return f"numbers of {name} are more than 10^{power} times as large as others"
    return ""
