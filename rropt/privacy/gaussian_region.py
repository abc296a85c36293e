"""Define the region of Gaussian differential privacy, between two polygons of privacy levels.

A mechanism is mu-GDP if the trade-off function of every ordered pair of its columns is at least
``G(a) = Phi(Phi^-1(1 - a) - mu)`` (Dong, Roth and Su 2022, Definition 4). The region is not polyhedral. It lies between
two polygons of levels (``gaussian_levels``), over which the design engine can list rays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any, ClassVar

from rropt.checker import is_large_budget
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, rational
from rropt.core.exact.numbers import plain_integer
from rropt.mechanisms import Mechanism
from rropt.privacy.gaussian_levels import corners, is_above
from rropt.privacy.level_regions import LevelsRegion
from rropt.privacy.region import RationalLevels, Readers, Region, as_it_is, fill, read_size, register_region, shape_text

_LEVELS = {2: (160, 160), 3: (30, 132), 4: (5, 10), 5: (2, 3)}  # of a polygon, by k, in the default and large budget


@register_region
@dataclass(frozen=True, slots=True)
class GaussianRegion(Region):
    """All mechanisms under mu-Gaussian differential privacy, with any number of outputs.

    The design engine optimizes over a polygon of levels within the region and over one around it. The optimal mechanism
    of the first is mu-GDP. The dual of the second bounds every mu-GDP mechanism. The certificate states the second
    polygon, so it proves the bound; ``contains`` proves that the mechanism is mu-GDP.

    Args:
        mu: the parameter, a rational above 0 and at most 8.
        inputs: the number of categories, k from 2 to 5.
        levels: the number of levels of each polygon, 1 to 160; the width of the bracket decreases with its inverse
            square. By default as many as the certificate allows: for three categories 30, and 132 with the large
            budget.

    Raises:
        InvalidParameterError: mu, the number of levels or the size is out of range.

    References:
        Dong, Roth and Su (2022), Definition 4.

    >>> region = GaussianRegion(1, inputs=2, levels=4)
    >>> print(region)
    Gaussian differential privacy with mu = 1 (polygons of 4 levels), k = 2 categories, output alphabet unrestricted
    >>> region.contains(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]))
    True
    >>> region.contains(Mechanism([["7/10", "3/10"], ["3/10", "7/10"]]))
    False
    """

    kind: ClassVar[str] = "gaussian-privacy"
    KEYS: ClassVar[Readers] = {"mu": as_it_is, "levels": lambda value: read_size(value, "levels")}
    outputs = 0  # the number of outputs is unrestricted
    mu: Fraction
    inputs: int
    levels: int
    polygons: tuple[LevelsRegion, LevelsRegion] = field(init=False, repr=False, compare=False)

    def __init__(self, mu: object, *, inputs: int = 2, levels: int | None = None) -> None:
        inputs = plain_integer(inputs)
        if type(inputs) is not int or inputs not in _LEVELS:
            raise InvalidParameterError(
                f"inputs is out of range: received {shown(inputs)}; allowed are 2 to {max(_LEVELS)} categories under "
                "Gaussian differential privacy; merge categories"
            )
        count = _LEVELS[inputs][is_large_budget()] if levels is None else levels
        within = LevelsRegion.gaussian(mu, "within", levels=count, inputs=inputs)
        around = LevelsRegion.gaussian(mu, "around", levels=count, inputs=inputs)
        fill(self, {"inputs": inputs}, mu=rational(mu, name="mu"), levels=count, polygons=(within, around))

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels of the polygon around the region."""
        return self.polygons[1].bracket(digits)

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is mu-GDP, decided by ball arithmetic at the corners of its trade-off functions.

        Raises:
            UnsupportedProblemError: a corner and the curve agree in all computed digits.
        """
        if not self.fits(mechanism):
            return False
        columns = list(mechanism.columns())
        for j, other in permutations(range(self.inputs), 2):
            for corner in corners(columns[j], columns[other]):
                decided = is_above(corner, self.mu)
                if decided is None:
                    raise UnsupportedProblemError(
                        f"a corner agrees with the curve in all computed digits: received {self}; lower mu a little"
                    )
                if not decided:
                    return False
        return True

    def certified_dict(self) -> dict[str, Any]:
        """Return the form for certificates: the polygon around the region."""
        return self.polygons[1].to_dict()

    def __str__(self) -> str:
        polygons = f"polygons of {self.levels} levels"
        return f"Gaussian differential privacy with mu = {as_text(self.mu)} ({polygons}), {shape_text(self.inputs, 0)}"
