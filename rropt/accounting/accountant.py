"""``compose``: the exact privacy of many responses of one respondent.

Theorem 3.3 of Kairouz, Oh and Viswanath (2015) treats mechanisms with fixed levels (epsilon_i, delta_i). Their worst
adaptive composition is a product of binary randomized responses, each of which reveals its input with probability
delta_i:

    delta(epsilon) = 1 - prod (1 - delta_i) (1 - d(epsilon)),
    d(epsilon) = sum over all joint outputs of (P - gamma Q)^+.

A mechanism given by its matrix is replaced by its dominating pair (``loss_pairs``). The privacy loss of this pair is at
most that of binary randomized response at the same level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rropt.accounting.certified_levels import LevelCertificates, certify_near
from rropt.accounting.composition_proofs import (
    LatticeProof,
    certify_on_lattice,
    composition_problem,
    fitted_lattice,
    require_proof,
)
from rropt.accounting.curves import DIGITS, Curve, ExactCurve, FittedCurve, LatticeCurve, LongCurve, power
from rropt.accounting.exact_laws import Cells, Items
from rropt.accounting.items import Item, merged, read_items, read_table, require_clear_items
from rropt.accounting.long_laws import PowerLaw
from rropt.checker.limits import MAX_COMPOSED_EXPONENT
from rropt.core.argument_checks import clear_calls, require_given, require_texts
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, RroptError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Delta, Epsilon, rational, rational_where
from rropt.core.exact.display import decimal_text
from rropt.core.exact.numbers import whole_where
from rropt.core.results import Extended, Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.loss_lattices import FloatPair, lattice_bounds

_ZERO, _ONE = Fraction(0), Fraction(1)
_COARSE = 1 << 16  # points of the first lattice, and of the lattice for the whole curve
_SPARE = 1.15
_FINEST = 5 << 19
_NARROWEST = Fraction(1, 5 * 10**9)  # with this many points, floating-point results are off by about 1e-11
_POINTS = 33  # default number of points of a curve
_MOST_POINTS = 10_000
_LONGEST = 60  # characters of gamma up to which an exact value is returned
_MOST_NATS = 10**8  # largest level, in nats, at which delta can be requested
_LONG = 4000  # number of responses that are composed exactly
_SHOWN = 15  # digits of the proved bounds
_LISTED = 6  # number of items in the summary
_EXACT = ("exact", "trivial")
_METHODS = {
    "exact": "exactly",
    "enclosed": "between rational levels around the true ones",
    "lattice": "between two bounds from laws on a lattice",
    "trivial": "exactly",
}


@dataclass(frozen=True, slots=True)
class CurvePoint(Result):
    """``lower <= delta(epsilon) <= upper``, epsilon in nats.

    Attributes:
        epsilon: the privacy level, in nats.
        lower: a lower bound of delta.
        upper: an upper bound of delta.
    """

    epsilon: Fraction
    lower: Fraction
    upper: Fraction


@dataclass(frozen=True, slots=True)
class Composition(Result):
    """The privacy of all responses of one respondent together.

    Attributes:
        items: the mechanisms and levels of the composition.
        method: ``exact`` (rational levels), ``enclosed`` (between rational levels 10^-60 apart), ``lattice`` (bounds
            from distributions on a lattice), or ``trivial`` (each item either reveals its input or is independent of
            it).
        epsilon: the requested level, or the least level for the requested delta. It is exact if known, else a bracket
            in nats, and infinite if the input is revealed with probability above delta.
        delta: the given delta, or a bracket of the least delta at the given epsilon.
        lower, upper: bounds of the computed quantity: delta, or epsilon in nats.
        curve: bounds of delta at several epsilons.
        attained: whether the given mechanisms, or some mechanisms with these levels, have exactly the composed curve.
            If not, this curve is the upper bound, and the lower bound is that of one of the mechanisms alone: all
            responses together reveal no less. A mechanism that enters with its level, an upper bound, has the lower
            bound 0.
        certificate: a proof that delta at the requested epsilon lies between two bounds. They come from a lattice and
            are wider than the computed ones: by less than 10^-25 if all losses are points of the lattice, else by what
            the checker's limit on work leaves (1.5e-4 for 1 000 levels in [1/50, 1/10], at epsilon 4.06). If epsilon
            was computed: a proof that delta at a level just above it is at most the requested delta. ``None`` if the
            checker has no statement: more than 16 383 equal levels, an epsilon above 1000 nats, or mechanisms with
            their own privacy profile.
        bound_certificate: if epsilon was computed: a proof that delta at a level just below it exceeds the requested
            delta.
    """

    items: tuple[Item, ...]
    method: str
    epsilon: Epsilon | Bracket
    delta: Bracket | Delta
    lower: Extended
    upper: Extended
    curve: tuple[CurvePoint, ...]
    attained: bool = True
    certificate: Certificate | None = None
    bound_certificate: Certificate | None = None
    unverified: tuple[str, ...] = field(default=(), compare=False)

    ANSWER = ("epsilon", "delta")
    LABELS = labelled(
        composed="mechanisms",
        epsilon="epsilon",
        delta="delta",
        adaptivity="holds for",
        words="how the bounds were obtained",
    )

    @property
    def composed(self) -> str:
        """The items on one line."""
        listed = [f"{item.count} x {item.name}" for item in self.items[:_LISTED]]
        more = len(self.items) - len(listed)
        return ", ".join(listed) + f", and {more} more" * bool(more) if listed else "none"

    @property
    def adaptivity(self) -> str:
        """Whether the result also covers mechanisms that are chosen adaptively."""
        return "mechanisms chosen adaptively or not; their levels are fixed beforehand"

    @property
    def words(self) -> str:
        """The method that gave the bounds, in words."""
        is_pure = isinstance(self.delta, Bracket) and self.delta == 0  # the largest ratios multiply
        if self.attained or self.lower == self.upper or is_pure:
            return _METHODS[self.method]
        if all(item.is_bound for item in self.items):
            return "above by the levels of the mechanisms, below by nothing: their exact laws are not known here"
        bounds = "levels and dominating pairs" if any(item.is_bound for item in self.items) else "dominating pairs"
        return f"above by the composition of {bounds}, below by one mechanism alone"

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary; the last line says what is proved, and what was taken from a file."""
        return [*Result.lines(self), ("proof", self.proof)]

    @property
    def proof(self) -> str:
        """What the certificates prove: these bounds, wider ones, one of them, or nothing."""
        lower, upper = self._proved()
        is_read = "lower" in self.unverified
        if lower is None and upper is None:
            is_exact = self.method in _EXACT and (self.attained or self.lower == self.upper)
            made = "taken from the file" if is_read else "computed exactly" if is_exact else "computed"
            return f"{made}, no certificate"
        if lower is None or upper is None:
            side, end = ("most", upper) if lower is None else ("least", lower)
            return f"a certificate proves that epsilon is at {side} {decimal_text(end or _ZERO, _SHOWN)}"
        if self.lower is None or self.upper is None or (lower, upper) == (self.lower, self.upper):
            return "a certificate proves these bounds"
        proved, own = (decimal_text(high - low, 2) for low, high in ((lower, upper), (self.lower, self.upper)))
        source = "bounds in the file" if is_read else "computed bounds"
        return (
            f"a certificate proves {decimal_text(lower, _SHOWN)} to {decimal_text(upper, _SHOWN)}, {proved} wide; the "
            f"{source} are {'exact' if self.lower == self.upper else f'{own} wide'}"
        )

    def _proved(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the ends that the certificates prove; ``None`` for an end without a proof."""
        if self.certificate is not None and isinstance(self.epsilon, Epsilon) and isinstance(self.delta, Bracket):
            is_delta = (self.delta.lower, self.delta.upper) == (self.lower, self.upper)
            if is_delta and self.certificate.problem["epsilon"] == self.epsilon.to_dict():
                return Fraction(self.certificate.claim["lower"]), Fraction(self.certificate.claim["upper"])
        lower, upper = LevelCertificates(self.certificate, self.bound_certificate).ends(self.delta)
        return _ZERO if lower is None and upper is not None and self.lower == 0 else lower, upper

    def checked(self) -> tuple[str, ...]:
        """Return the names of the values in a file that are neither proved nor computed again.

        What is computed exactly is computed again. A certificate on a lattice proves wider bounds than those of a
        lattice in floating point, which are taken from the file.

        Raises:
            FileFormatError: the certificate is rejected, or belongs to a different composition.
        """
        asked = composition_problem(self.items, Epsilon.of(0)) or {}
        for one in (self.certificate, self.bound_certificate):
            fits = one is None or one.problem.get("items") == asked.get("items")
            require_proof(one, "a composition", "other mechanisms", fits=fits)
        return ("curve",) if self._is_computed_again() else ("epsilon", "delta", "lower", "upper", "curve")

    def _is_computed_again(self) -> bool:
        """Return whether an exact method, run again, gives these values."""
        accountant = Accountant(self.items, _ONE / 10**9)
        if accountant.method == "lattice" or not self.attained:
            return False
        if isinstance(self.delta, Bracket) and (self.delta.lower, self.delta.upper) == (self.lower, self.upper):
            return isinstance(self.epsilon, Epsilon) and accountant.delta(self.epsilon) == self.delta
        slack = self.delta if isinstance(self.delta, Delta) else Delta.of(self.delta.lower)
        level, nats = accountant.epsilon(slack)
        ends = (None, None) if nats is None else (nats.lower, nats.upper)
        return (level, *ends) == (self.epsilon, self.lower, self.upper)


@clear_calls
def compose(
    *items: object,
    questions: str | None = None,
    epsilon: object | None = None,
    gamma: object | None = None,
    delta: object | None = None,
    tolerance: object = "1/1000000000",
    points: int = _POINTS,
) -> Composition:
    """Return the exact privacy of several responses of one respondent, adaptive or not; ``panel`` is for waves.

    ``delta(epsilon) = 1 - prod (1 - delta_i) (1 - d(epsilon))``, where d is the delta of a product of binary randomized
    responses (Kairouz, Oh and Viswanath 2015, Theorem 3.3). Given ``epsilon`` (or ``gamma``), it returns delta. Given
    ``delta``, it returns the least epsilon. Given neither, it returns the least epsilon with delta = 0.

    Args:
        items: the mechanisms and levels, or one list of them. Each is a level in nats (``1/2``, ``"log(3)"``,
            ``"inf"``), a pair (level, delta) or ``"1,1/1000"``, a mechanism, a matrix, or its text form. For 100
            copies, write ``"warner:3/4*100"`` or ``(item, 100)``.
        questions: path of a CSV file with one question per row and a column ``mechanism``, ``epsilon`` or ``gamma``;
            optional columns are ``question``, ``delta`` and ``count``.
        epsilon, gamma: the level at which delta is requested.
        delta: the value in [0, 1] for which the least epsilon is requested.
        tolerance: the requested distance between the bounds of delta if delta is not exact.
        points: the number of points of the curve, at least 2.

    Returns:
        A ``Composition``: ``lower`` and ``upper``, equal if the value is exact, bound delta or the least epsilon
        (nats); ``curve``, ``method`` and ``certificate``.

    Raises:
        InvalidParameterError: an item has an unknown form, or both epsilon and delta are given.
        UnsupportedProblemError: responses of an item depend on each other, or its privacy profile is not known exactly.

    >>> found = compose("log(3)*100", epsilon="log(3)*60")
    >>> print(found.method, round(float(found.lower), 12), found.lower == found.upper)
    exact 0.095135061963 True
    """
    require_texts(questions=questions)
    require_given(questions=questions, epsilon=epsilon, gamma=gamma, delta=delta)
    items = _listed(items[0]) if len(items) == 1 and isinstance(items[0], list) else items
    require_clear_items(items)
    listed = read_items(items) + (read_table(questions) if questions is not None else ())
    if (epsilon is not None) + (gamma is not None) + (delta is not None) > 1:
        raise InvalidParameterError(
            "more than one of epsilon, gamma and delta is given: give the level to find delta, or delta to find epsilon"
        )
    points = whole_where(points, 2, _MOST_POINTS, name="the number of points")
    width = rational_where(tolerance, lambda x: 0 < x < 1, "0 < tolerance < 1", name="tolerance")
    wanted = None if epsilon is None and gamma is None else _level(epsilon, gamma)
    slack = Delta.of("0" if delta is None else delta)
    accountant = Accountant(listed, width)
    different = [item for item, _ in merged(listed)]
    is_single = sum(item.count for item in listed) == 1 and not different[0].is_bound
    attained = is_single or all(item.attained for item in different)
    each = [] if attained else different
    alone = [Accountant([replace(item, count=1)], width) for item in each if not item.is_bound]
    if wanted is not None:
        found = known = accountant.delta(wanted)
        if not attained:
            found = Bracket(
                min(max((one.delta(wanted).lower for one in alone), default=_ZERO), found.upper), found.upper
            )
        asked: dict[str, Any] = {"epsilon": wanted, "delta": found, "lower": found.lower, "upper": found.upper}
        is_stated = wanted.kind != "rational" or wanted.times <= MAX_COMPOSED_EXPONENT
        made = certify_on_lattice(listed, wanted, fitted=accountant.fitted, known=known) if is_stated else None
        proofs = LevelCertificates(made, None)
    else:
        level, nats = accountant.epsilon(slack)
        proofs = LevelCertificates(None, None)
        if nats is not None:
            proofs = certify_near(listed, nats, slack.bracket(DIGITS), accountant.fitted)
        if not attained and nats is not None and slack.rational != 0:  # with delta = 0 the largest ratios multiply
            least = [one.epsilon(slack)[1] for one in alone]
            nats = Bracket(max((ends.lower for ends in least if ends is not None), default=_ZERO), nats.upper)
            level = nats if nats.lower < nats.upper else level
        lower, upper = (None, None) if nats is None else (nats.lower, nats.upper)
        given = slack if slack.rational is None else Bracket.of(slack.rational)
        asked = {"epsilon": level, "delta": given, "lower": lower, "upper": upper}
    return Composition(
        certificate=proofs.upper,
        bound_certificate=proofs.lower,
        items=listed,
        method=accountant.method,
        curve=tuple(point if attained else _raised(point, alone) for point in accountant.points(points)),
        attained=attained,
        **asked,
    )


def _listed(given: list[object]) -> tuple[object, ...]:
    """Return the items of a list; a list of rows that is a matrix is one mechanism.

    Raises:
        InvalidParameterError: rows of two numbers are pairs (epsilon, delta) and a matrix.
    """
    rows = [row for row in given if isinstance(row, (list, tuple))]
    if len(rows) < max(len(given), 2):
        return tuple(given)
    if {*map(len, rows)} != {2}:
        return (given,)
    try:
        Mechanism(given)
    except RroptError:
        return tuple(given)
    raise InvalidParameterError(
        f"the items can be read in two ways: received {shown(given)}, a matrix or pairs of epsilon and delta; write "
        "Mechanism(matrix) for one mechanism, or each pair as an argument of its own"
    )


def _raised(point: CurvePoint, alone: Sequence[Accountant]) -> CurvePoint:
    """Return a point whose lower bound is that of the mechanisms alone, or 0."""
    level = Epsilon("rational", point.epsilon)
    least = max((one.delta(level).rounded_outwards(18).lower for one in alone), default=_ZERO)
    return CurvePoint(point.epsilon, min(least, point.upper), point.upper)


def _level(epsilon: object | None, gamma: object | None) -> Epsilon:
    """Return the level at which delta is requested; the joint level may exceed the largest level of one response."""
    if gamma is not None:
        return Epsilon.of_gamma(gamma)
    try:
        return Epsilon.of(epsilon)
    except InvalidParameterError as error:
        try:
            nats = rational(epsilon, name="epsilon")
        except InvalidParameterError:
            raise error from None
        if not 0 <= nats <= _MOST_NATS:
            raise
        return Epsilon("rational", nats)


class Accountant:
    """The privacy curve of a composition, computed by the most precise method that is applicable.

    Args:
        items: the mechanisms and levels to compose.
        tolerance: the desired width of the bounds of delta on a lattice.
    """

    def __init__(self, items: Sequence[Item], tolerance: Fraction) -> None:
        self.tolerance = tolerance
        self.fitted: LatticeProof | None = None
        self._coarse: LatticeCurve | None = None
        different = list(merged(items))
        self.kept = Bracket.of(_ONE)
        for item, count in different:
            ends = item.delta.bracket(DIGITS)
            self.kept = Bracket(
                self.kept.lower * power(1 - ends.upper, count).lower,
                self.kept.upper * power(1 - ends.lower, count).upper,
            )
        own = [(item, count) for item, count in different if item.epsilon.gamma != 1 and not item.epsilon.is_infinite]
        certain = Cells.of(())  # of no items: one outcome, with odds 1
        assert certain is not None
        self.curve: Curve = ExactCurve(certain, certain)
        self.method, self._floats = "trivial", list[tuple[FloatPair, int]]()
        self._limit, self._greatest = Bracket.of(_ZERO), None if own else _ONE
        if not own or not self.kept.upper:
            return
        sides = [item.pairs() for item, _ in own]
        counted = [count for _, count in own]
        below: Items = [(one, count) for (one, _), count in zip(sides, counted, strict=True)]
        above: Items = [(other, count) for (_, other), count in zip(sides, counted, strict=True)]
        self._limit = _sum_of_levels(own)
        if all(item.epsilon.gamma is not None for item, _ in own):
            self._greatest = _product(below)
        is_exact = below == above
        exact = _exact_curve((below,) if is_exact else (below, above))
        if exact is not None:
            self.curve, self.method = exact, "exact" if is_exact and isinstance(exact, ExactCurve) else "enclosed"
            return
        self.method = "lattice"
        is_of_levels = all(item.atoms is None for item, _ in own)
        # not the merged items: a certificate states the items as they are listed
        self.fitted = fitted_lattice(items) if is_of_levels else None
        if self.fitted is not None and self.fitted.fitted is not None:
            self.curve = FittedCurve(self.fitted.fitted, self._limit.upper)
            return
        self._floats = [(_in_floats(item), count) for item, count in own]

    def _ready(self, centre: float | None, slack: float | None = None) -> Curve:
        """Return the curve; refine the lattice until the bounds of delta are close enough."""
        if self.method != "lattice" or isinstance(self.curve, (LatticeCurve, FittedCurve)):
            return self.curve
        rough = self._coarse_curve()
        target = self.tolerance if slack is None else max(min(self.tolerance, Fraction(slack) / 1000), _NARROWEST)
        at = centre if centre is not None else float(rough.epsilon(Fraction(slack or 0))[0].upper)
        curve, size = rough, _COARSE
        while True:
            lower, upper = curve.bounds.delta(at)
            gap = (upper - lower) * float(self.kept.upper)
            if gap <= target or size >= _FINEST:
                self.curve = curve
                return curve
            size = min(max(5 * size // 4, math.ceil(size * math.sqrt(gap / float(target)) * _SPARE)), _FINEST)
            curve = LatticeCurve(lattice_bounds(self._floats, size), rough.most, rough)

    def _coarse_curve(self) -> LatticeCurve:
        """Return the curve on a coarse lattice."""
        if self._coarse is None:
            self._coarse = LatticeCurve(lattice_bounds(self._floats, _COARSE), self._limit.upper)
        return self._coarse

    def delta(self, epsilon: Epsilon) -> Bracket:
        """Return a bracket of delta."""
        if epsilon.nats(DIGITS).lower >= self._limit.upper:  # no loss exceeds the sum of the levels
            return self._delta_with_revealing(Bracket.of(_ZERO))
        return self._delta_with_revealing(self._ready(float(epsilon)).delta(epsilon))

    def epsilon(self, slack: Delta) -> tuple[Epsilon | Bracket, Bracket | None]:
        """Return the least epsilon, exact if known, and its bracket in nats; (infinite, None) if it is infinite."""
        ends = slack.bracket(DIGITS)
        if ends.lower == 1:
            return Epsilon.of(0), Bracket.of(_ZERO)
        below = self._delta_without_revealing(ends.lower, self.kept.lower)
        above = self._delta_without_revealing(ends.upper, self.kept.upper)
        if below < 0 or not self.kept.lower:
            if above >= 0 and self.kept.upper:
                raise UnsupportedProblemError(
                    "epsilon is not decided: delta is within 10^-60 of the probability that an item reveals its input; "
                    "change delta a little"
                )
            return Epsilon("infinite"), None
        curve = self._ready(None, float(below)) if below else self.curve
        if not below:
            nats, exact = self._limit, self._greatest
        else:
            nats, exact = curve.epsilon(below)
            if above != below:
                nats, exact = Bracket(curve.epsilon(above)[0].lower, nats.upper), None
        if exact is not None and len(str(exact)) <= _LONGEST:
            return Epsilon.of_parity(exact), nats.rounded_outwards()
        if nats.is_exact and len(str(nats.lower)) <= _LONGEST:
            return Epsilon("rational", nats.lower), nats
        found = nats.rounded_outwards()
        return Epsilon("rational", found.lower) if found.is_exact else found, found

    def points(self, count: int) -> tuple[CurvePoint, ...]:
        """Return bounds of delta on a grid of epsilon from 0 to the largest loss, or to where delta is negligible."""
        is_rough = self.method == "lattice" and self.fitted is None
        curve = self._coarse_curve() if is_rough else self.curve
        most = self._limit.upper
        small = Fraction(1, 10**9)
        if most:
            # a twentieth beyond this level, so that the grid contains it
            reach = curve.reach(small) * Fraction(21, 20)
            most = min(most, Fraction(math.ceil(reach * 1000), 1000))
        found = []
        for i in range(count if most else 1):
            at = Fraction(round(most * i / (count - 1) * 10**6), 10**6)
            ends = self._delta_with_revealing(curve.delta(Epsilon("rational", at)))
            found.append(CurvePoint(at, *ends.rounded_outwards(18)))
        return tuple(found)

    def _delta_with_revealing(self, found: Bracket) -> Bracket:
        """Return delta of the composition, given delta conditional on no item revealing its input."""
        return Bracket(1 - self.kept.upper * (1 - found.lower), 1 - self.kept.lower * (1 - found.upper))

    @staticmethod
    def _delta_without_revealing(delta: Fraction, kept: Fraction) -> Fraction:
        """Return delta conditional on no item revealing its input; negative if revealing alone exceeds delta."""
        return 1 - (1 - delta) / kept if kept else Fraction(-1)


def _exact_curve(sides: Sequence[Items]) -> ExactCurve | LongCurve | None:
    """Return the curve between two compositions with rational levels, or that of one; None if they are too large."""
    is_short = len(sides) == 1 and sum(count for _, count in sides[0]) <= _LONG
    ways: list[tuple[Any, Any]] = [(Cells, ExactCurve), (PowerLaw, LongCurve)]
    for law, curve in ways if is_short else ways[::-1]:
        found = [one for side in sides if (one := law.of(side))]
        if len(found) == len(sides):
            return curve(found[0], found[-1])  # type: ignore[no-any-return]
    return None


def _product(items: Items) -> Fraction | None:
    """Return the largest likelihood ratio of all responses together; None if its fraction is too long."""
    size = sum(count * (pair.parity.numerator.bit_length()) for pair, count in items)
    if size > 1 << 18:
        return None
    return math.prod((pair.parity**count for pair, count in items), start=_ONE)


def _sum_of_levels(items: Sequence[tuple[Item, int]]) -> Bracket:
    """Return a bracket of the sum of the levels in nats."""
    ends = [(count, item.epsilon.nats(DIGITS)) for item, count in items]
    return Bracket(sum((n * one.lower for n, one in ends), _ZERO), sum((n * one.upper for n, one in ends), _ZERO))


def _in_floats(item: Item) -> FloatPair:
    if item.atoms is not None:
        return FloatPair.of(item.atoms)
    level = float(item.epsilon.nats(DIGITS).upper)
    p = 1 / (1 + math.exp(-level))
    return FloatPair((-level, level), (math.exp(-level) * p, p))
