"""Regions with bounds on single entries of the mechanism, and with inequalities in several entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, rational_where
from rropt.core.limits import MAX_ENTRY_DIGITS
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.privacy.entry_inequalities import EntryInequality, inequalities_of, read_inequalities
from rropt.privacy.region import (
    Bounds,
    Form,
    Levels,
    RationalLevels,
    Readers,
    Region,
    as_it_is,
    exact_rows,
    fill,
    region_from_dict,
    register_region,
    shape_text,
)

Entry = tuple[int, int]


@register_region
@dataclass(frozen=True, slots=True)
class EveryMechanism(Region):
    """All mechanisms of a shape: the inner region of a ``BoundedRegion`` whose inequalities are the only conditions.

    Args:
        inputs: k >= 2.
        outputs: m >= 2.
    """

    kind: ClassVar[str] = "every-mechanism"
    inputs: int
    outputs: int
    form: Form | None = field(init=False, repr=False, compare=False)

    def __init__(self, *, inputs: int, outputs: int) -> None:
        fill(self, {"inputs": inputs, "outputs": outputs}, form="pairwise")

    @property
    def pair_levels(self) -> Levels:
        """No pair of inputs has a level."""
        return ((None,) * self.inputs,) * self.inputs

    def bracket(self, digits: int) -> RationalLevels:
        """Return no level."""
        return RationalLevels(())

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism has the shape."""
        return self.fits(mechanism)

    def __str__(self) -> str:
        return f"no privacy level, {shape_text(self.inputs, self.outputs)}"


@register_region
@dataclass(frozen=True, slots=True)
class BoundedRegion(Region):
    """The mechanisms P of another region that satisfy ``least <= P <= most`` entry by entry, and inequalities.

    Args:
        region: the inner region, without bounds.
        least, most: m rows of k exact numbers, ``0 <= least <= most <= 1``; ``sparse`` builds them from a few bounds.
        entry_inequalities: inequalities in the entries, as ``inequalities_of`` takes them; none by default.

    A *forbidden transition* is an upper bound 0. Under a finite level and delta = 0, ``p_ij <= gamma p_il = 0`` forces
    every entry of the row that is compared with the forbidden one to 0. A region that forbids only some of these
    entries is rejected, because it would silently drop an output.

    Raises:
        InvalidParameterError: the shape is wrong, a bound is outside [0, 1], ``least > most``, or a forbidden
            transition implies others that are not listed.

    >>> from rropt.privacy import PrivacyRegion
    >>> BoundedRegion.sparse(PrivacyRegion("log(2)", inputs=3, outputs=3), least={(0, 0): "1/2"}).least[0]
    (Fraction(1, 2), Fraction(0, 1), Fraction(0, 1))
    """

    kind: ClassVar[str] = "bounded"
    SIZES: ClassVar[tuple[str, ...]] = ()  # those of the inner region
    KEYS: ClassVar[Readers] = {
        "region": region_from_dict,
        "least": as_it_is,
        "most": as_it_is,
        "entry_inequalities": read_inequalities,
    }
    region: Region
    least: Bounds
    most: Bounds
    entry_inequalities: tuple[EntryInequality, ...]
    bounds: tuple[Bounds, Bounds] = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        region: Region,
        least: Sequence[Sequence[object]],
        most: Sequence[Sequence[object]],
        entry_inequalities: object = (),
    ) -> None:
        if not isinstance(region, Region) or region.bounds is not None:
            raise InvalidParameterError(
                f"bounds belong to a region without bounds: received {shown(region)}; give the inner region"
            )
        bounds = _bounds(least, region, "least"), _bounds(most, region, "most")
        rows = inequalities_of(entry_inequalities, region.outputs, region.inputs)
        own = {"region": region, "least": bounds[0], "most": bounds[1], "entry_inequalities": rows, "bounds": bounds}
        for name, value in own.items():
            object.__setattr__(self, name, value)
        for i, (low, high) in enumerate(zip(*bounds, strict=True)):
            for j, (a, b) in enumerate(zip(low, high, strict=True)):
                if a > b:
                    raise InvalidParameterError(
                        f"bounds of entry ({i}, {j}) cross: received least {a} and most {b}; allowed is least <= most"
                    )
        self._require_whole_rows()

    @classmethod
    def sparse(
        cls,
        region: Region,
        *,
        least: Mapping[Entry, object] | None = None,
        most: Mapping[Entry, object] | None = None,
        entry_inequalities: object = (),
    ) -> BoundedRegion:
        """Build the region with the given bounds, and 0 and 1 for all other entries.

        Args:
            region: the inner region.
            least, most: the bounds by ``(output, input)``, counted from 0.
            entry_inequalities: as for the class.
        """
        matrices = []
        for bounds, otherwise in ((least or {}, Fraction(0)), (most or {}, Fraction(1))):
            rows: list[list[object]] = [[otherwise] * region.inputs for _ in range(region.outputs)]
            for (i, j), value in bounds.items():
                if not (0 <= i < region.outputs and 0 <= j < region.inputs):
                    raise InvalidParameterError(
                        f"a bound is outside the matrix: received entry ({i}, {j}); allowed are outputs 0 to "
                        f"{region.outputs - 1} and inputs 0 to {region.inputs - 1}"
                    )
                rows[i][j] = value
            matrices.append(rows)
        return cls(region, matrices[0], matrices[1], entry_inequalities)

    @property
    def unbounded(self) -> Region:
        """The inner region."""
        return self.region

    def at(self, epsilon: Epsilon) -> BoundedRegion:
        """Return the region with the same bounds at another level of its criterion."""
        return BoundedRegion(self.region.at(epsilon), self.least, self.most, self.entry_inequalities)

    def certified_dict(self) -> dict[str, Any]:
        """Return the region in the form of certificates."""
        return {**self.to_dict(), "region": self.region.certified_dict()}

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels around the level of the inner region."""
        return self.region.bracket(digits)

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""
        return (
            self.region.contains(mechanism)
            and all(
                a <= p <= b
                for row, low, high in zip(mechanism.matrix, self.least, self.most, strict=True)
                for p, a, b in zip(row, low, high, strict=True)
            )
            and all(each.value(mechanism.matrix) <= each.bound for each in self.entry_inequalities)
        )

    def __str__(self) -> str:
        given = sum(a > 0 for row in self.least for a in row) + sum(b < 1 for row in self.most for b in row)
        rows = len(self.entry_inequalities)
        told = [f"{given} bounds on entries"] * (given > 0 or not rows) + [
            with_noun(rows, "inequality", "inequalities")
        ] * (rows > 0)
        return ", ".join([str(self.region), *told])

    def _require_whole_rows(self) -> None:
        """Reject a forbidden entry whose zero forces further entries to 0 that are not forbidden."""
        for i, row in enumerate(self.most):
            zeros = [j for j, b in enumerate(row) if b == 0]
            for zero in zeros:
                forced = next((j for j in range(self.inputs) if row[j] and self.compares(j, zero)), None)
                if forced is not None:
                    raise InvalidParameterError(
                        f"forbidden transition from input {zero} to output {i} breaks privacy: received most 0 there "
                        f"and {row[forced]} at input {forced}, but p[{i},{forced}] <= gamma p[{i},{zero}] = 0 makes "
                        f"both 0; forbid output {i} for every input compared with it, allow delta > 0, or give the "
                        "pair no level"
                    )


for _name in ("inputs", "outputs", "family", "is_uninformative", "form", "pair_levels", "criterion", "compares"):
    setattr(BoundedRegion, _name, property(attrgetter(f"region.{_name}")))  # as of the inner region


def _bounds(rows: Any, region: Region, name: str) -> Bounds:
    def bound(x: object, i: int, j: int) -> Fraction:
        where = f"{name} of entry ({i}, {j})"
        return rational_where(x, lambda a: 0 <= a <= 1, "0 <= bound <= 1", name=where, digits=MAX_ENTRY_DIGITS)

    return exact_rows(rows, region.outputs, region.inputs, f"{name} is", bound)
