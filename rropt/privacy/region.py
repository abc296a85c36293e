"""The protocol of a region of mechanisms, and the registry of their kinds.

A further region is a class of its own with ``@register_region``: problems, their JSON and ``rropt design`` then know
it. What a class of designs asks of a region it asks of the properties here, never of its type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import Epsilon
from rropt.mappings import Kinds
from rropt.mechanisms import Mechanism
from rropt.privacy.levels import RationalLevels

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.one_level_region import OneLevelRegion

Bounds = tuple[tuple[Fraction, ...], ...]
Levels = tuple[tuple[Epsilon | None, ...], ...]
Form = Literal["parity", "excess", "pairwise"]


class Region(ABC):
    """Mechanisms of one shape that are private at a level.

    Attributes:
        kind: its name in files.
        inputs: k, the number of categories.
        outputs: m, the number of answers.
    """

    __slots__ = ()

    kind: ClassVar[str]

    if TYPE_CHECKING:  # fields or properties

        @property
        def inputs(self) -> int:
            """k, the number of categories."""

        @property
        def outputs(self) -> int:
            """m, the number of answers."""

    @abstractmethod
    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels below and above the level, ``digits`` significant digits apart (equal if rational)."""

    @abstractmethod
    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the form of problems and certificates."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Any) -> Region:
        """Return the region that ``to_dict`` wrote."""

    def certified_dict(self) -> dict[str, Any]:
        """Return the form of certificates (FORMAT.md, section B), by default that of problems."""
        return self.to_dict()

    def at(self, epsilon: Epsilon) -> Region:
        """Return the region of a criterion at a level in place of its own (``criterion``)."""
        raise UnsupportedProblemError(f"the region has no criterion: {self}; allowed is a CriterionRegion")

    @property
    def is_binary(self) -> bool:
        """Whether mechanisms have two inputs and two outputs."""
        return (self.inputs, self.outputs) == (2, 2)

    @property
    def family(self) -> str:
        """``"all"``, or the name of the family to which the mechanisms are restricted."""
        return "all"

    @property
    def is_blind(self) -> bool:
        """Whether in all its mechanisms the answer does not depend on the truth, as at epsilon = delta = 0."""
        return False

    @property
    def has_one_level(self) -> bool:
        """Whether its mechanisms are all those of a shape (or family) under one privacy level (``one_level``)."""
        return False

    @property
    def form(self) -> Form | None:
        """The form of its inequalities in linear programmes (FORMAT.md, rule 3); None where it has none.

        ``parity``: one odds bound, ``excess``: one odds bound and delta, ``pairwise``: an odds bound by pair of inputs.
        """
        return None

    @property
    def pair_levels(self) -> Levels | None:
        """The level of each ordered pair of inputs, of the form ``pairwise``."""
        return None

    @property
    def bounds(self) -> tuple[Bounds, Bounds] | None:
        """The least and the largest values of the entries, each of shape (m, k); with bounds a region may be empty."""
        return None

    @property
    def unbounded(self) -> Region:
        """The region without its bounds."""
        return self

    @property
    def criterion(self) -> Criterion | None:
        """The criterion that its mechanisms meet, of a region whose level is a B(h)."""
        return None

    def compares(self, j: int, other: int) -> bool:
        """Return whether ``p_ij`` is at most a multiple of ``p_i,other``, for every output i."""
        return False

    def one_level(self) -> OneLevelRegion:
        """Return the region itself if it has one level.

        Raises:
            UnsupportedProblemError: it has not.
        """
        raise UnsupportedProblemError(f"the region has no single level: {self}; allowed is a PrivacyRegion")


# A criterion's region is loaded when a file asks for it: it needs python-flint.
REGIONS: Kinds[Region] = Kinds(
    "region",
    lambda kinds: f"is an object with the key kind: {', '.join(kinds)}",
    later={"criterion": "rropt.privacy.criterion_region"},
)
"""The regions by kind."""

register_region = REGIONS.register
region_from_dict = REGIONS.from_dict


def read_size(text: Any, name: str) -> int:
    """Return a number of inputs or outputs of a file."""
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 9):
        raise InvalidParameterError(f"{name} is not a size: received {shown(text)}; allowed is an integer >= 2")
    return int(text)
