"""Extreme levels: where solvers in floats do not distinguish the numbers of a problem, and twins are silent.

The one guard of all twins: a comparison that fails at such a level is no contradiction. It says why it is silent. A
comparison that succeeds there is reported as elsewhere.

* A linear program is moved by ``active._MOVED`` to make its vertex unique. Numbers of this size are lost in it.
* Designs of the Fisher information are worse: near ``gamma = 1`` information is of the order ``(gamma - 1)^2``, and
  weights and prices of cone solvers have seven digits.
* Losses and payoffs of very different sizes are lost in one sum of doubles.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.convex.regions import limits_of
from rropt.core.errors import UnsupportedProblemError

_LINEAR = {"gap": 1.1e-5, "ratio": 1.1e-5, "delta": 1.1e-5}
_CURVED = {"gap": 1.1e-2, "ratio": 1e-7, "delta": 1.1e-5}
_MOST_APART = 10**7  # HiGHS takes reduced costs above -1e-7 for nonnegative


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
    objective, population = data.get("objective", {}), data.get("population")
    listed = {
        "the objective": [x for row in objective.get("matrix", ()) for x in row] or objective.get("weights", ()),
        "the proportions": population if isinstance(population, list) else (),
    }
    for name, texts in listed.items():
        sizes = [abs(number) for number in map(Fraction, texts) if number]
        if sizes and max(sizes) > _MOST_APART * min(sizes):
            power = len(str(int(max(sizes) / min(sizes)))) - 1
            return f"numbers of {name} are more than 10^{power} times as large as others"
    return ""
