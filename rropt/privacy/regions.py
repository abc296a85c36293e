"""Privacy regions: the set of mechanisms of a given shape that meet an (epsilon, delta) level."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.errors import InvalidParameterError, shown
from rropt.exact import Delta, Epsilon, ExactReal
from rropt.exact.reals import Scalar
from rropt.linear.vertices import Vertex, common_zero, vertices
from rropt.mechanisms import Mechanism
from rropt.privacy.inequalities import LABELS, Inequality, binary_inequalities
from rropt.privacy.levels import LevelBracket, RationalLevel

__all__ = ["FAMILIES", "PrivacyRegion", "RegionVertex"]

FAMILIES = ("all", "warner")


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


@dataclass(frozen=True, slots=True)
class PrivacyRegion:
    """All (epsilon, delta)-locally differentially private mechanisms with k inputs and m outputs.

    ``Pr(Z in A | X = j) <= exp(epsilon) Pr(Z in A | X = l) + delta`` for all inputs j, l and all sets A of outputs
    (Holohan, Leith and Mason 2016, (9) to (12) for k = m = 2).

    Args:
        epsilon: level in nats, any form of ``Epsilon.of``.
        delta: slack in [0, 1], any form of ``Delta.of``; 0 when left out.
        inputs: k >= 2.
        outputs: m >= 2.
        family: ``"all"``, or ``"warner"``: only Warner's designs p00 = p11 (binary).

    Raises:
        InvalidParameterError: a parameter of the wrong form or out of range.
    """

    epsilon: Epsilon
    delta: Delta
    inputs: int
    outputs: int
    family: str

    def __init__(
        self, epsilon: object, delta: object = 0, *, inputs: int = 2, outputs: int = 2, family: str = "all"
    ) -> None:
        level = Epsilon.of(epsilon)
        if level.is_infinite:
            raise InvalidParameterError("epsilon is infinite: a region needs a finite level; give epsilon <= 100")
        for size, what in ((inputs, "inputs"), (outputs, "outputs")):
            if not isinstance(size, int) or isinstance(size, bool) or size < 2:
                raise InvalidParameterError(f"{what} is not a size: received {shown(size)}; allowed is an integer >= 2")
        if family not in FAMILIES:
            raise InvalidParameterError(
                f"family is unknown: received {shown(family)}; allowed are {', '.join(FAMILIES)}"
            )
        if family == "warner" and (inputs, outputs) != (2, 2):
            raise InvalidParameterError("family 'warner' is binary: it needs 2 inputs and 2 outputs")
        for name, value in (
            ("epsilon", level),
            ("delta", Delta.of(delta)),
            ("inputs", inputs),
            ("outputs", outputs),
            ("family", family),
        ):
            object.__setattr__(self, name, value)

    @property
    def is_binary(self) -> bool:
        """Whether mechanisms have two inputs and two outputs."""
        return (self.inputs, self.outputs) == (2, 2)

    def bracket(self, digits: int) -> LevelBracket:
        """Return rational levels below and above the level, ``digits`` significant digits apart (equal if rational)."""
        gamma, delta = self.epsilon.gamma_bracket(digits), self.delta.bracket(digits)
        return LevelBracket(RationalLevel(gamma[0], delta[0]), RationalLevel(gamma[1], delta[1]))

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

    def to_dict(self) -> dict[str, Any]:
        """Return the form of problems and certificates."""
        return {
            "kind": "differential-privacy",
            "inputs": str(self.inputs),
            "outputs": str(self.outputs),
            "epsilon": self.epsilon.to_dict(),
            "delta": self.delta.to_dict(),
            "family": self.family,
        }

    @classmethod
    def from_dict(cls, data: Any) -> PrivacyRegion:
        """Return the region that ``to_dict`` wrote."""
        keys = {"kind", "inputs", "outputs", "epsilon", "delta", "family"}
        if not isinstance(data, dict) or set(data) != keys or data["kind"] != "differential-privacy":
            raise InvalidParameterError(
                f"region is not of the form of a problem: received {shown(data)}; allowed is an object with the keys "
                f"{', '.join(sorted(keys))}, kind differential-privacy"
            )
        sizes = []
        for key in ("inputs", "outputs"):
            text = data[key]
            if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 9):
                raise InvalidParameterError(f"{key} is not a size: received {shown(text)}; allowed is an integer >= 2")
            sizes.append(int(text))
        return cls(
            Epsilon.from_dict(data["epsilon"]),
            Delta.from_dict(data["delta"]),
            inputs=sizes[0],
            outputs=sizes[1],
            family=data["family"],
        )

    def __str__(self) -> str:
        family = "" if self.family == "all" else f", {self.family}"
        return f"epsilon = {self.epsilon}, delta = {self.delta}, {self.inputs} inputs, {self.outputs} outputs{family}"
