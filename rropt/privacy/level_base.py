"""The base of privacy levels, below the criteria that state some of them (``level_arguments``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Delta, Epsilon
from rropt.privacy.region import Region

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion

Outputs = int | Literal["any"]


class Level(ABC):
    """What a mechanism may reveal about the truth. ``rropt.privacy`` has a function for each kind.

    Attributes:
        criterion: the criterion on posterior probabilities that states the level, or None.
        is_single: whether the level is one epsilon and delta for all pairs of categories.
    """

    criterion: Criterion | None = None
    is_single: bool = False

    @abstractmethod
    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> Region:
        """Return the region of mechanisms of a given shape that satisfy the level."""

    def one(self, what: str) -> tuple[Epsilon, Delta]:
        """Return epsilon and delta, for designs that are known at one of them.

        Args:
            what: the designs, in words for the error.

        Raises:
            InvalidParameterError: the level is of another kind.
        """
        raise InvalidParameterError(
            f"{what} are known at one epsilon and delta: received the level {self}; give `epsilon`, or a level of a "
            "criterion such as posterior"
        )
