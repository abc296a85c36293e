"""The protocol of regions of mechanisms, the registry of their kinds, and rational levels around a level.

To add a region, write a class with ``@register_region``. Problems, their JSON and ``rropt design`` then support it. The
table of ways and its solvers use the properties defined here, never the type of a region.

``PrivacyRegion`` has one (epsilon, delta) level for all pairs of inputs. Its binary geometry is the region R of
Holohan, Leith and Mason (2016), equation (12), as labelled linear inequalities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, cast

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import Bracket, Delta, Epsilon, ExactReal
from rropt.core.exact.numbers import plain_integer, whole_numbers
from rropt.core.exact.rational_bounds import largest_below
from rropt.core.exact.reals import Scalar
from rropt.core.mappings import KindRegistry
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed

if TYPE_CHECKING:
    from typing import Self

    from rropt.privacy.criteria import Criterion
    from rropt.privacy.entry_inequalities import EntryInequality


Bounds = tuple[tuple[Fraction, ...], ...]
Levels = tuple[tuple[Epsilon | None, ...], ...]
Readers = Mapping[str, Callable[[Any], Any]]
Form = Literal["parity", "excess", "pairwise"]
Item = TypeVar("Item")


class Region(ABC):
    """The mechanisms of one shape that are private at a level.

    Attributes:
        kind: the name of the kind of region in files.
        inputs: k, the number of categories.
        outputs: m, the number of outputs.
        family: ``"all"``, or the name of the family to which the mechanisms are restricted.
        criterion: the criterion of the region, if its level is B(h) of a criterion.
        has_one_level: whether it consists of all mechanisms of a shape (or family) under one level (``one_level``).
        has_divergences: whether it bounds Renyi divergences of columns, at one order or at all orders.
        is_of_every_level: whether the optimum is asked as a function of the level (``EveryLevelRegion``).
        has_rays: whether it is defined by privacy levels alone, so rows have finitely many extreme directions.
            ``bracket(digits).parts(inputs)`` returns the levels.
        is_uninformative: whether every mechanism of the region has outputs independent of the truth, as at epsilon =
            delta = 0.
        form: the form of its inequalities in linear programs; None if there is no such form. ``parity``: one odds
            bound. ``excess``: one odds bound and delta. ``pairwise``: an odds bound for each pair of inputs.
        polygons: a region within it and one around it, both with rays, if designs are computed between them.
        bounds: lower and upper bounds of the entries, each of shape (m, k), or None; with bounds a region may be empty.
        entry_inequalities: inequalities in several entries; a region with any has bounds too.
    """

    __slots__ = ()

    kind: ClassVar[str]
    SIZES: ClassVar[tuple[str, ...]] = ("inputs", "outputs")  # keys of its JSON
    KEYS: ClassVar[Readers] = {}  # its other keys, and the functions that read their values

    inputs: int
    outputs: int
    family: str = "all"
    criterion: Criterion | None = None
    has_one_level = False
    has_divergences = False
    is_of_every_level = False
    has_rays: bool = False
    is_uninformative: bool = False
    form: Form | None = None
    polygons: tuple[Region, Region] | None = None
    bounds: tuple[Bounds, Bounds] | None = None
    entry_inequalities: tuple[EntryInequality, ...] = ()

    @abstractmethod
    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels below and above the level, ``digits`` significant digits apart (equal if rational)."""

    @abstractmethod
    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in problems and certificates."""
        sizes = {name: str(getattr(self, name) or "any") for name in self.SIZES}
        return {"kind": self.kind, **sizes, **{key: _in_json(getattr(self, key)) for key in self.KEYS}}

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Build the region from the output of ``to_dict``."""
        any_outputs = getattr(cls, "outputs", None) == 0
        wanted = {"kind", *cls.SIZES, *cls.KEYS}
        fits = isinstance(data, dict) and set(data) == wanted and data["kind"] == cls.kind
        if not fits or (any_outputs and data["outputs"] != "any"):
            raise InvalidParameterError(
                f"region is not of the form of a problem: received {shown(data)}; allowed is an object with the keys "
                f"{', '.join(sorted(wanted))}, kind {cls.kind}{' and outputs any' * any_outputs}"
            )
        names = cls.SIZES[:1] if any_outputs else cls.SIZES
        sizes: Any = {name: x if (x := data[name]) == "any" else read_size(x, name) for name in names}
        return cls(**{key: read(data[key]) for key, read in cls.KEYS.items()}, **sizes)

    def certified_dict(self) -> dict[str, Any]:
        """Return the form for certificates (FORMAT.md, section B), by default the same as for problems."""
        return self.to_dict()

    def at(self, epsilon: Epsilon) -> Region:
        """Return the region of a criterion at another level (see ``criterion``)."""
        raise UnsupportedProblemError(f"the region has no criterion: {self}; allowed is a CriterionRegion")

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether a mechanism has the numbers of categories and of outputs of the region."""
        return mechanism.inputs == self.inputs and self.outputs in (0, mechanism.outputs)

    @property
    def pair_levels(self) -> Levels | None:
        """The level of each ordered pair of inputs, for the form ``pairwise``; otherwise None."""
        return None

    @property
    def any_outputs(self) -> Region | None:
        """The region with an unrestricted output alphabet, if its rays are listed for a given number of outputs."""
        return None

    @property
    def unbounded(self) -> Region:
        """The region without its bounds."""
        return self

    @property
    def unrestricted(self) -> Region:
        """The region with an unrestricted output alphabet; the region itself if it names its outputs."""
        return self

    def compares(self, j: int, other: int) -> bool:
        """Return whether the region bounds ``p_ij`` by a multiple of ``p_i,other``, for every output i."""
        return False

    def reached(self, inputs: Iterable[int]) -> set[int]:
        """Return all j whose entries are 0 in every row where those of the given inputs are (see ``compares``)."""
        found = set(inputs)
        while more := {j for j in range(self.inputs) if j not in found and any(self.compares(j, i) for i in found)}:
            found |= more
        return found

    def one_level(self) -> PrivacyRegion:
        """Return the region itself if it has one level.

        Raises:
            UnsupportedProblemError: the region has more than one level.
        """
        raise UnsupportedProblemError(f"the region has no single level: {self}; allowed is a PrivacyRegion")


# The region of a criterion is loaded only if a file needs it, because it needs python-flint.
REGIONS: KindRegistry[Region] = KindRegistry(
    "region",
    lambda kinds: f"is an object with the key kind: {', '.join(kinds)}",
    later={"criterion": "rropt.privacy.criterion_region"},
)
"""The classes of regions by kind."""

register_region = REGIONS.register
region_from_dict = REGIONS.from_dict


def _in_json(value: Any) -> Any:
    """Return an argument of a region as its JSON contains it."""
    if isinstance(value, tuple):
        return [_in_json(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else str(value)


def shape_text(inputs: int, outputs: int) -> str:
    """Return the numbers of categories and outputs in words; 0 outputs stand for an unrestricted output alphabet.

    >>> shape_text(3, 0)
    'k = 3 categories, output alphabet unrestricted'
    """
    return f"k = {inputs} categories, " + (f"m = {outputs} outputs" if outputs else "output alphabet unrestricted")


def exact_rows(
    values: Any, count: int, width: int, what: str, read: Callable[[Any, int, int], Item]
) -> tuple[tuple[Item, ...], ...]:
    """Return the rows of a matrix of a given shape, with each item read by ``read(item, row, column)``.

    Args:
        values: a matrix in any form that ``listed`` accepts.
        count, width: its numbers of rows and of columns.
        what: the name of the matrix and "is" or "are", for the message.
        read: a function that returns an item, or refuses it.

    Raises:
        InvalidParameterError: the matrix has another shape.
    """
    rows = [listed(row) or row for row in listed(values) or ()]
    wrong = next((i for i, row in enumerate(rows) if not isinstance(row, list) or len(row) != width), None)
    if len(rows) != count or wrong is not None:
        received = shown(values) if len(rows) != count or wrong is None else f"{shown(rows[wrong])} as row {wrong}"
        raise InvalidParameterError(
            f"{what} not a {count} x {width} matrix: received {received}; give {count} rows of {width} entries"
        )
    return tuple(tuple(read(item, i, j) for j, item in enumerate(row)) for i, row in enumerate(rows))


_SIZE_DIGITS, _OUTPUTS_DIGITS = 9, 19  # the 2^62 outputs of ``outputs="2^62"`` have 19 digits


def read_size(text: Any, name: str) -> int:
    """Return a size that a region's JSON contains as text."""
    digits = _OUTPUTS_DIGITS if name == "outputs" else _SIZE_DIGITS
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= digits):
        raise InvalidParameterError(
            f"{name} is not a size: received {shown(text)}; allowed is an integer >= 2 of at most {digits} digits"
        )
    return int(text)


def fill(region: Region, sizes: Mapping[str, Any], **values: Any) -> None:
    """Set the fields of a frozen region while it is made.

    Args:
        region: the region.
        sizes: ``inputs``, and ``outputs`` unless all regions of the kind have the same; ``"any"`` outputs become 0.
        values: its other fields.

    Raises:
        InvalidParameterError: a size is no integer >= 2.
    """
    exact = {what: 0 if (what, size) == ("outputs", "any") else plain_integer(size) for what, size in sizes.items()}
    for what, size in exact.items():
        if type(size) is not int or (size < 2 and (what, size) != ("outputs", 0)):
            raise InvalidParameterError(f"{what} is not a size: received {shown(size)}; allowed is an integer >= 2")
    for name, value in {**exact, **values}.items():
        object.__setattr__(region, name, value)


def as_it_is(value: Any) -> Any:
    """Return a value of JSON that the constructor of a region reads."""
    return value


Side = Literal["below", "above"]
_ONE, _ZERO = Fraction(1), Fraction(0)
_LONGEST_DELTA = 1 << 31  # denominator of delta in a drawable level: gamma keeps as many bits


@dataclass(frozen=True, slots=True)
class RationalLevel:
    """A privacy level with rational ``gamma = exp(epsilon) >= 1`` and rational ``delta`` in [0, 1].

    Attributes:
        gamma: exp(epsilon).
        delta: the additive part.
    """

    gamma: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class LevelPart:
    """One level that applies to some ordered pairs of inputs, with rational levels around it.

    Attributes:
        below, above: rational levels below and above this level; if its delta is 0, so is theirs.
        pairs: the ordered pairs (j, l); empty in a single level for all pairs.
    """

    below: RationalLevel
    above: RationalLevel
    pairs: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RationalLevels:
    """Rational levels below and above each level of a region; they are equal if the level is rational.

    Privacy regions grow with gamma and delta. So a mechanism that is feasible at ``below`` is feasible, and a bound
    that is proved at ``above`` is valid.

    Attributes:
        listed: the levels, in the order of the region; zCDP has none, a Renyi divergence has one without pairs.
        is_single: whether there is one level, for all pairs of inputs.
        infimum: the claim and the proof of B(h), if the level is that of a criterion.
        is_exact: whether both bounds are the levels themselves.
    """

    listed: tuple[LevelPart, ...]
    is_single: bool = False
    infimum: Mapping[str, Any] | None = None
    is_exact: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_exact", all(part.below == part.above for part in self.listed))

    @classmethod
    def single(
        cls, below: RationalLevel, above: RationalLevel, infimum: Mapping[str, Any] | None = None
    ) -> RationalLevels:
        """Return one level for all pairs, ``below <= (exp(epsilon), delta) <= above``, componentwise.

        Args:
            below: the level at which a returned mechanism is private.
            above: the level at which no mechanism is better than the bound.
            infimum: the claim and the proof of B(h), for the level of a criterion.
        """
        return cls((LevelPart(below, above),), True, infimum)

    @property
    def below(self) -> RationalLevel:
        """The lower bound of the single level."""
        return self._only.below

    @property
    def above(self) -> RationalLevel:
        """The upper bound of the single level."""
        return self._only.above

    @property
    def _only(self) -> LevelPart:
        if not self.is_single:
            raise UnsupportedProblemError(f"there is no single level: received {len(self.listed)}; read `listed`")
        return self.listed[0]

    @property
    def width(self) -> Fraction:
        """The distance of the bounds: of gamma relative to gamma - 1, of delta relative to ``gamma - 1 + delta``."""
        low, high = self.below, self.above
        if high.delta and not low.delta:
            return _ONE  # other designs are optimal without delta
        size = high.gamma - 1 + high.delta
        gamma = (high.gamma - low.gamma) / (high.gamma - 1) if high.gamma > 1 else _ZERO
        return max(gamma, (high.delta - low.delta) / size if size else _ZERO)

    def drawable(self, inputs: int, bits: int, finer: RationalLevels) -> RationalLevels:
        """Return the single level with the largest one below whose k-ary randomized response has a short denominator.

        For gamma = a/b the denominator is ``a + (k-1) b``. It takes the bits that the denominator of delta leaves. A
        delta with a longer one than 31 bits is rounded down first.

        Args:
            inputs: k, the number of inputs.
            bits: length of the common denominator of the probabilities of a design.
            finer: levels around the same level; ``below`` is taken from them.
        """
        gamma, delta = finer.below.gamma, finer.below.delta
        if delta.denominator > _LONGEST_DELTA:
            delta = largest_below(delta, _LONGEST_DELTA)
        most = 1 << max(bits - (delta.denominator - 1).bit_length(), inputs.bit_length())  # k allows gamma = 1
        if gamma.numerator + (inputs - 1) * gamma.denominator > most:
            gamma = max(_ONE, largest_below(gamma, most, inputs - 1, 1))
        return RationalLevels.single(RationalLevel(gamma, delta), self.above, self.infimum)

    def parts(self, inputs: int) -> tuple[LevelPart, ...]:
        """Return the levels, each with the pairs of inputs to which it applies.

        Args:
            inputs: k, the number of inputs.
        """
        if not self.is_single:
            return self.listed
        return (replace(self.listed[0], pairs=tuple(permutations(range(inputs), 2))),)

    def raised(
        self, gamma: Callable[[Fraction, Fraction], Fraction], delta: Callable[[Fraction, Fraction], Fraction]
    ) -> RationalLevels:
        """Return exact levels computed by two functions from the lower and upper bounds of gamma and of delta."""
        made = []
        for part in self.listed:
            level = RationalLevel(gamma(part.below.gamma, part.above.gamma), delta(part.below.delta, part.above.delta))
            made.append(LevelPart(level, level, part.pairs))
        return RationalLevels(tuple(made), self.is_single)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the keys ``gamma`` and ``delta`` of a witness for each level."""
        written: list[dict[str, Any]] = []
        for below, above in ((part.below, part.above) for part in self.listed):
            gamma, delta = Bracket(below.gamma, above.gamma), Bracket(below.delta, above.delta)
            written.append({"gamma": gamma.written("below", "above"), "delta": delta.written("below", "above")})
        if self.infimum is not None:
            written[0]["gamma"]["infimum"] = self.infimum
        return written


LABELS = (
    "p00<=1",
    "p11<=1",
    "p00>=0",
    "p11>=0",
    "yes-ratio",
    "no-ratio",
    "no-ratio-reversed",
    "yes-ratio-reversed",
)


def binary_inequalities(gamma: Scalar, delta: Scalar) -> dict[str, tuple[Scalar, Scalar, Scalar]]:
    """Return the eight inequalities ``a p00 + b p11 + c >= 0`` of R for a binary design: (a, b, c) by its label.

    These are ``0 <= p00, p11 <= 1`` and, for each output and each ordered pair of truths,
    ``Pr(output | truth) <= gamma Pr(output | other truth) + delta``:

    * yes-ratio: ``p11 <= gamma (1 - p00) + delta`` (11a); reversed: ``1 - p00 <= gamma p11 + delta``;
    * no-ratio: ``p00 <= gamma (1 - p11) + delta`` (11b); reversed: ``1 - p11 <= gamma p00 + delta``.

    Args:
        gamma: exp(epsilon) >= 1, exact.
        delta: in [0, 1], exact.
    """
    rows = (
        (-1, 0, 1),
        (0, -1, 1),
        (1, 0, 0),
        (0, 1, 0),
        (-gamma, -1, gamma + delta),
        (-1, -gamma, gamma + delta),
        (gamma, 1, delta - 1),
        (1, gamma, delta - 1),
    )
    return dict(zip(LABELS, rows, strict=True))


@dataclass(frozen=True, slots=True)
class RegionVertex:
    """A vertex of a binary region.

    Attributes:
        p00, p11: the design, exact.
        tight: labels of the inequalities that are active (equalities), in the order of ``LABELS``.
    """

    p00: Fraction
    p11: Fraction
    tight: tuple[str, ...]


def binary_corners(gamma: Any, delta: Any) -> list[tuple[Any, Any, Any]]:
    """Return ``(p00 w, p11 w, w)``, w > 0, of the designs A to E and their mirror images A' to E' (Lemma 5).

    These are (1, 0), (1, delta), (c, c) with ``c = (gamma + delta)/(gamma + 1)``, (delta, 1) and (0, 1). The mirror
    image of a design exchanges its outputs. Every vertex of R is one of them. Every one is a vertex, except that C and
    C' lie on an edge at gamma = 1, delta < 1.
    """
    both, w = gamma + delta, gamma + 1
    upper = [(1, 0, 1), (1, delta, 1), (both, both, w), (delta, 1, 1), (0, 1, 1)]
    return [*upper, *((below - p00, below - p11, below) for p00, p11, below in upper)]


_DIAGONAL = slice(2, None, 5)  # C and C', the endpoints of Warner's segment p00 = p11
FAMILIES = ("all", "warner")


@register_region
@dataclass(frozen=True, slots=True)
class PrivacyRegion(Region):
    """All (epsilon, delta)-locally differentially private mechanisms with k inputs and m outputs.

    ``Pr(Z in A | X = j) <= exp(epsilon) Pr(Z in A | X = l) + delta`` for all inputs j, l and all sets A of outputs
    (Holohan, Leith and Mason 2016, (9) to (12) for k = m = 2).

    Args:
        epsilon: the level in nats, in any form that ``Epsilon.of`` accepts.
        delta: slack in [0, 1], in any form that ``Delta.of`` accepts; by default 0.
        inputs: k >= 2.
        outputs: m >= 2; 0 or ``"any"`` for an unrestricted output alphabet (the attribute is then 0).
        family: ``"all"``, or ``"warner"``: only Warner's designs p00 = p11 (binary).

    Raises:
        InvalidParameterError: a parameter has the wrong form or is out of range.
    """

    kind: ClassVar[str] = "differential-privacy"
    has_one_level = True
    KEYS: ClassVar[Readers] = {"epsilon": Epsilon.from_dict, "delta": Delta.from_dict, "family": as_it_is}
    epsilon: Epsilon
    delta: Delta
    inputs: int
    outputs: int
    family: str
    has_rays: bool = field(init=False, repr=False, compare=False)
    is_uninformative: bool = field(init=False, repr=False, compare=False)
    form: Form | None = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        epsilon: object,
        delta: object = 0,
        *,
        inputs: int = 2,
        outputs: int | Literal["any"] = 2,
        family: str = "all",
    ) -> None:
        level = Epsilon.of(epsilon)
        if level.is_infinite:
            raise InvalidParameterError("epsilon is infinite: a region needs a finite level; give epsilon <= 100")
        slack, is_whole = Delta.of(delta), one_of(family, FAMILIES, "family") == "all"
        is_pure = slack.rational == 0
        form = ("parity" if is_pure else "excess") if is_whole else None
        facts = {"has_rays": is_whole, "form": form, "is_uninformative": is_pure and level.gamma == 1}
        fill(self, {"inputs": inputs, "outputs": outputs}, epsilon=level, delta=slack, family=family, **facts)
        if not is_whole and (self.inputs, self.outputs) != (2, 2):
            raise InvalidParameterError("family 'warner' is binary: it needs 2 inputs and 2 outputs")

    def one_level(self) -> PrivacyRegion:
        """Return the region itself."""
        return self

    def of_groups(self, count: int) -> PrivacyRegion:
        """Return the region under the same level for groups of the inputs, with an unrestricted output alphabet."""
        return PrivacyRegion(self.epsilon, self.delta, inputs=count, outputs="any")

    def compares(self, j: int, other: int) -> bool:
        """Return whether the region implies ``p_ij <= gamma p_i,other``: for all pairs of inputs if delta = 0."""
        return j != other and self.delta.rational == 0

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels below and above the level, ``digits`` significant digits apart (equal if rational)."""
        ends = zip(self.epsilon.gamma_bracket(digits), self.delta.bracket(digits), strict=True)
        below, above = (RationalLevel(gamma, delta) for gamma, delta in ends)
        return RationalLevels((LevelPart(below, above),), is_single=True)

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""
        if not self.fits(mechanism):
            return False
        if self.family == "warner" and mechanism.p00 != mechanism.p11:
            return False
        if self.delta.rational == 0:  # the parity decides, in O(m k)
            parity = mechanism.parity()
            return parity is not None and (self.epsilon.exact_gamma() - parity).sign() >= 0
        excess: Scalar = mechanism.delta(self.epsilon)
        return (ExactReal.of(excess) - self.delta.exact()).sign() <= 0

    def inequalities(self, level: RationalLevel | None = None) -> dict[str, tuple[Scalar, Scalar, Scalar]]:
        """Return the inequalities of equation (12) by label, at the exact level or at a rational one."""
        if (self.inputs, self.outputs) != (2, 2):
            raise InvalidParameterError(
                f"equation (12) is about binary designs: this region has {self.inputs} inputs, {self.outputs} outputs"
            )
        if level is None:
            return binary_inequalities(self.epsilon.exact_gamma(), self.delta.exact())
        return binary_inequalities(level.gamma, level.delta)

    def vertices(self, level: RationalLevel) -> tuple[RegionVertex, ...]:
        """Return the exact vertices of the region at a rational level, in ascending order of (p00, p11).

        For ``family="warner"`` the region is a segment of the diagonal p00 = p11 and the vertices are its endpoints.
        """
        rows, corners = self.inequalities(level).items(), binary_corners(level.gamma, level.delta)
        if self.family == "warner":
            corners = corners[_DIAGONAL]
        elif level.gamma == 1:
            del corners[_DIAGONAL]
        whole = {label: whole_numbers(cast("tuple[Fraction, ...]", row))[0] for label, row in rows}
        found = []
        for p00, p11 in sorted({(Fraction(p00) / w, Fraction(p11) / w) for p00, p11, w in corners}):
            (x, y), w = whole_numbers([p00, p11])
            tight = tuple(label for label, (a, b, c) in whole.items() if a * x + b * y + c * w == 0)
            found.append(RegionVertex(p00, p11, tight))
        return tuple(found)

    def exact_vertex(self, tight: tuple[str, ...]) -> tuple[ExactReal, ExactReal, ExactReal]:
        """Return the design at which the given inequalities are active at the exact level, rational or not.

        Args:
            tight: labels of active inequalities that determine the design, such as those of a vertex at a nearby
                rational level.

        Returns:
            Homogeneous coordinates ``(p00 w, p11 w, w)`` with w > 0, which need no division.

        Raises:
            InvalidParameterError: a label is unknown, or no vertex or several ones have these active inequalities.
        """
        inequalities = self.inequalities()
        rows = [inequalities[one_of(label, LABELS, "tight")] for label in tight]
        corners = binary_corners(self.epsilon.exact_gamma(), self.delta.exact())
        if self.family == "warner":  # at gamma = 1 other corners lie on the same inequalities
            corners = corners[_DIAGONAL]
        found = [(x, y, w) for x, y, w in corners if all(a * x + b * y + c * w == 0 for a, b, c in rows)]
        if not found or any(
            x * found[0][2] != found[0][0] * w or y * found[0][2] != found[0][1] * w for x, y, w in found
        ):
            raise InvalidParameterError(
                f"these inequalities determine no design: received {shown(', '.join(tight))} at {self}; give the "
                "inequalities that are active at one vertex"
            )
        p00, p11, w = map(ExactReal.of, found[0])
        return p00, p11, w

    @property
    def unrestricted(self) -> Region:
        """The region of the same level with an unrestricted output alphabet."""
        return self.of_groups(self.inputs) if self.outputs else self

    def __str__(self) -> str:
        family = "" if self.family == "all" else f", {self.family}"
        shape = shape_text(self.inputs, self.outputs)
        return f"epsilon = {self.epsilon}, delta = {self.delta}, {shape}{family}"
