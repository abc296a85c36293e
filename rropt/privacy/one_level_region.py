"""Regions with one privacy level for all pairs of inputs, and the exact geometry of the binary ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.errors import InvalidParameterError
from rropt.exact import Delta, Epsilon, ExactReal
from rropt.exact.reals import Scalar
from rropt.linear.vertices import Vertex, common_zero, vertices
from rropt.mechanisms import Mechanism
from rropt.privacy.inequalities import LABELS, Inequality, binary_inequalities
from rropt.privacy.levels import LevelBracket, RationalLevel
from rropt.privacy.region import Form, Region


@dataclass(frozen=True, slots=True)
class RegionVertex:
    """A vertex of a binary region.

    Attributes:
        p00, p11: the design, exact.
        tight: labels of the inequalities that hold with equality, in the order of ``LABELS``.
    """

    p00: Fraction
    p11: Fraction
    tight: tuple[str, ...]


class OneLevelRegion(Region):
    """All mechanisms of a shape, or of a family, that are private at one level.

    Attributes:
        epsilon: the level in nats.
        delta: its slack.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # fields or properties

        @property
        def epsilon(self) -> Epsilon:
            """The level in nats."""

        @property
        def delta(self) -> Delta:
            """The slack of the level."""

    @property
    def has_one_level(self) -> bool:
        """Whether its mechanisms are all those under one privacy level: yes."""
        return True

    def one_level(self) -> OneLevelRegion:
        """Return the region itself."""
        return self

    @property
    def is_blind(self) -> bool:
        """Whether epsilon = delta = 0."""
        return self.epsilon.gamma == 1 and self.delta.rational == 0

    @property
    def form(self) -> Form | None:
        """``parity`` at delta = 0, else ``excess``; none of a restricted family."""
        if self.family != "all":
            return None
        return "parity" if self.delta.rational == 0 else "excess"

    def compares(self, j: int, other: int) -> bool:
        """Return whether ``p_ij <= gamma p_i,other``: for all pairs at delta = 0."""
        return j != other and self.delta.rational == 0

    def bracket(self, digits: int) -> LevelBracket:
        """Return rational levels below and above the level, ``digits`` significant digits apart (equal if rational)."""
        ends = zip(self.epsilon.gamma_bracket(digits), self.delta.bracket(digits), strict=True)
        return LevelBracket(*(RationalLevel(gamma, delta) for gamma, delta in ends))

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""
        if mechanism.shape != (self.outputs, self.inputs):
            return False
        if self.family == "warner" and mechanism.p00 != mechanism.p11:
            return False
        if self.delta.rational == 0:  # the parity decides, in O(m k)
            parity = mechanism.parity()
            return parity is not None and (self.epsilon.exact_gamma() - parity).sign() >= 0
        excess: Scalar = mechanism.delta(self.epsilon)
        return (ExactReal.of(excess) - self.delta.exact()).sign() <= 0

    def inequalities(self, level: RationalLevel | None = None) -> tuple[Inequality, ...]:
        """Return the labelled inequalities of equation (12), at the exact level or at a rational one."""
        self._require_binary()
        if level is None:
            return binary_inequalities(self.epsilon.exact_gamma(), self.delta.exact())
        return binary_inequalities(level.gamma, level.delta)

    def vertices(self, level: RationalLevel) -> tuple[RegionVertex, ...]:
        """Return the exact vertices of the region at a rational level, in ascending order of (p00, p11).

        For ``family="warner"`` the region is a segment of the diagonal p00 = p11 and the vertices are its ends.
        """
        found = [RegionVertex(*self._design(vertex), self._labels(vertex)) for vertex in self._enumerate(level)]
        return tuple(sorted(found, key=lambda vertex: (vertex.p00, vertex.p11)))

    def exact_vertex(self, tight: tuple[str, ...]) -> tuple[ExactReal, ExactReal, ExactReal]:
        """Return the design where these inequalities are tight at the exact level, rational or not.

        Args:
            tight: labels that determine the design, e.g. of a vertex at a rational level close by.

        Returns:
            Homogeneous coordinates ``(p00 w, p11 w, w)`` with w > 0: they need no division.
        """
        rows = [inequality.row for inequality in self.inequalities() if inequality.label in tight]
        if self.family == "warner":
            p, w = (ExactReal.of(x) for x in common_zero([(a + b, c) for a, b, c in rows]))
            return p, p, w
        a, b, w = (ExactReal.of(x) for x in common_zero(rows))
        return a, b, w

    def _enumerate(self, level: RationalLevel) -> tuple[Vertex, ...]:
        rows = [inequality.row for inequality in self.inequalities(level)]
        if self.family == "warner":
            return vertices([(a + b, c) for a, b, c in rows])
        return vertices(rows)

    def _labels(self, vertex: Vertex) -> tuple[str, ...]:
        return tuple(LABELS[i] for i in vertex.tight)

    def _design(self, vertex: Vertex) -> tuple[Fraction, Fraction]:
        point = vertex.point()
        return (point[0], point[0]) if self.family == "warner" else (point[0], point[1])

    def _require_binary(self) -> None:
        if not self.is_binary:
            raise InvalidParameterError(
                f"equation (12) is about binary designs: this region has {self.inputs} inputs, {self.outputs} outputs"
            )
