"""B(h): the largest parity at which every mechanism satisfies a privacy criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls, require_flags
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Bracket, Epsilon, decimal_text
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.exact.display import enclosure_text, extended_text, with_decimal
from rropt.core.results import Extended, record_of
from rropt.core.results.twins import PosedTwice
from rropt.privacy.bound.cell_searches import MOST_WORK, UnprovedError
from rropt.privacy.bound.cells import outermost, split
from rropt.privacy.bound.covers import Cover, criterion_problem, defined_problem, find_cover, limits_at
from rropt.privacy.bound.functions import ONE, PRIOR, Cell, Composite, Leaf, Rational, parts_of, reflected_in_prior
from rropt.privacy.bound.infima import PARITY_BOUND_DIGITS, Place, exact_places, proposed_places, undefined
from rropt.privacy.bound.rewrites import combined, has_partial_function, require_defined
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.named_criteria import required_criterion
from rropt.privacy.level_base import Level

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

# Relative slacks of the lower bound if nothing better is proved; the last one proves only that h is defined.
_SLACKS = (Fraction(1, 10**6), Fraction(1))
Pieces = Mapping[str, list[tuple[Cell, Leaf]]]


@dataclass(frozen=True, slots=True)
class ParityBound(PosedTwice):
    """B(h) of a criterion: a mechanism satisfies the criterion iff its parity is at most B(h).

    Attributes:
        criterion: the criterion.
        kind: ``"exact"``: ``value`` is B(h); ``"enclosed"``: B(h) is proved by cells to be in [lower, upper].
        value: the exact value as text (``"inf"``: every mechanism satisfies the criterion); for an enclosed bound its
            lower endpoint, at which privacy is guaranteed.
        lower, upper: rational bounds of B(h), equal if it is rational; ``None`` if it is infinite.
        attained: whether the infimum is attained at some 0 < p < 1; ``None``: not decided, or infinite.
        at: the prior of the infimum: a number, ``"0+"`` or ``"1-"``; ``None`` if B(h) is infinite.
        places: all places of the infimum that were found, attained ones first.
        cover: the cells that prove the bound, if h is not piecewise rational.
    """

    criterion: Criterion
    kind: str
    value: str
    lower: Fraction | None
    upper: Fraction | None
    attained: bool | None
    at: str | None
    places: tuple[Place, ...]
    cover: Cover | None = field(default=None, compare=False, repr=False)

    @property
    def exact_value(self) -> Algebraic | None:
        """B(h) as an algebraic number; ``None`` if it is enclosed, infinite, or the exponential of a level."""
        if self.lower is not None and self.lower == self.upper:
            return Algebraic.of(self.lower)
        known = (place.value for place in self.places if place.value is not None)
        return next(known, None) if self.kind == "exact" else None

    def allows(self, parity: Fraction | None) -> bool | None:
        """Return whether a parity (``None``: infinite) is at most B(h); ``None``: not decided by the enclosure."""
        if self.lower is None:  # B(h) is infinite
            return True
        if self.upper is None:  # no upper bound is known: a parity above the lower bound stays undecided
            return True if parity is not None and parity <= self.lower else None
        if parity is None or parity > self.upper:
            return False
        if parity <= self.lower:
            return True
        if self.kind == "enclosed":
            return None
        value = self.exact_value
        if value is not None:
            return Algebraic.of(parity) <= value
        level = self.criterion.level
        return None if level is None else bool(level.exact_gamma() >= parity)

    @classmethod
    def recompute(cls, parameters: Criterion) -> ParityBound:
        """Recompute B(h) of the criterion."""
        return parity_bound(parameters, fast=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt privacy --json``."""
        names = ("kind", "value", "lower", "upper", "attained", "at")
        places = [{"at": p.text, "side": p.side, "approach": p.approach, "attained": p.attained} for p in self.places]
        values = {name: getattr(self, name) for name in names}
        record = record_of({"criterion": str(self.criterion), **values}, dict.fromkeys(("lower", "upper"), Extended))
        return self.with_twins({**record, "places": places, "parameters": self.criterion.to_dict()})

    def asked(self) -> dict[str, Any]:
        """Return the short JSON form: the criterion and its B(h)."""
        ends = {"lower": extended_text(self.lower), "upper": extended_text(self.upper)}
        known = self.value if self.kind == "exact" else ends
        record = {"asked": str(self.criterion), "kind": self.kind, "parity_bound": known}
        return {**record, "attained": self.attained, "at": self.at}

    def line(self) -> tuple[str, str]:
        """Return the labelled line with B(h)."""
        if self.lower is None:
            return "B(h)", "infinite: every mechanism meets it"
        if self.kind == "enclosed":
            return "B(h), enclosed", enclosure_text(self.lower, self.upper)
        known = self.lower if self.lower == self.upper else None
        return "B(h)", with_decimal(self.value, decimal_text(self.lower, 12), known)

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary: B(h) and the places of the infimum."""
        if self.lower is None:
            return [self.line(), *self.twin_lines()]
        how = {True: "attained", False: "approached, not attained", None: "whether attained is not decided"}
        return [
            self.line(),
            ("infimum", how[self.attained]),
            *(place.line() for place in self.places),
            *self.twin_lines(),
        ]

    def __str__(self) -> str:
        if self.lower is None:
            return "B = inf"
        sign = "=" if self.kind == "exact" else ">="
        how = {True: "attained at", False: "approached at", None: "near"}[self.attained]
        return f"B {sign} {self.value}, {how} {self.at}"

    def to_sympy(self) -> Posing:
        """Return B(h) as the infimum of the odds ratio over the prior p, with its form."""
        from rropt.symbolic.privacy.parity_bound import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return the form of B(h), or its number of 40 digits, compared with the proved bounds.

        Raises:
            RouteDisagreementError: the least value of the odds ratio that was found is outside the bounds.
        """
        from rropt.symbolic.privacy.parity_bound import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the program of B(h) at the priors of the last round: ``gamma * unprotected <= allowed``.

        Raises:
            UnsupportedProblemError: every mechanism satisfies the criterion.
        """
        from rropt.convex.privacy.parity_bound import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the value of the cutting planes, compared with the bounds of B(h)."""
        from rropt.convex.privacy.parity_bound import cvxpy_twin

        return cvxpy_twin(self)


@clear_calls
def parity_bound(
    criterion: Criterion | Level | str,
    *,
    fast: bool = False,
) -> ParityBound:
    """Compute B(h), the largest parity that a criterion allows, as ``rropt privacy --level SPEC`` does.

    It is the infimum of posterior odds over prior odds on the boundary of the criterion:

    ``B(h) = inf over 0 < p < 1 of ((1-p)/p) (h(p)/(1-h(p)))`` with h = [h_l * h_u], and h/(1-h) infinite where h = 1.
    B(h) is exact, an algebraic number, if h is piecewise rational or the infimum is a rational limit. Otherwise it is
    enclosed between rational numbers, as proved by cells (``covers``).

    Args:
        criterion: a level of ``rropt.privacy`` that a criterion states: ``posterior``, ``factor`` or ``curve``; or any
            criterion of ``rropt.privacy.criteria``. A text is the text form of a level, such as ``posterior:1/5,1/2``.
        fast: whether to leave out the twins: the comparison with the same problem in SymPy and CVXPY (``bound.twins``).

    Raises:
        InvalidParameterError: the level has no criterion; a function leaves its range, is undefined, or divides by zero
            inside (0, 1).
        UnsupportedProblemError: a condition or an undefined point cannot be decided.
        RouteDisagreementError: a twin contradicts the bounds.

    >>> from rropt.privacy import posterior
    >>> bound = parity_bound(posterior("1/5", "1/2"))
    >>> print(bound, float(bound.lower), bound.attained)
    B = 4, approached at 1/5 4.0 False
    >>> print(parity_bound("factor:3", fast=True))
    B = 3, approached at 0+

    Source: Chai and Nayak (2018), (3.3) and Theorem 3.1.
    """
    require_flags(fast=fast)
    if isinstance(criterion, str):
        from rropt.privacy.level_arguments import level_of_text

        criterion = level_of_text(criterion)
    asked = criterion.criterion if isinstance(criterion, Level) else criterion
    if isinstance(criterion, Level) and asked is None:
        raise InvalidParameterError(
            f"the level has no criterion: received {criterion}; give rropt.privacy.posterior, factor or curve"
        )
    bound = _parity_bound(required_criterion(asked))
    return bound if fast else bound.compared_twice()


def _parity_bound(criterion: Criterion) -> ParityBound:
    if criterion.level is not None and criterion.up is None:
        return _differential(criterion, criterion.level)
    found = criterion_pieces(criterion)
    pieces = list(_as_upper(found))
    places: list[Place] = []
    for side, _, cell, leaf in pieces:
        if isinstance(leaf, Rational):
            places += exact_places(side, leaf, cell)
    if all(isinstance(leaf, Rational) for *_, leaf in pieces):
        return _least(criterion, places)
    problem = criterion_problem(found)
    for side, index, cell, leaf in pieces:
        if isinstance(leaf, Composite):
            places += proposed_places(side, leaf, cell)
            places += _limits(problem, side, index, cell, leaf)
    return _enclosed(criterion, found, places)


def criterion_pieces(criterion: Criterion) -> Pieces:
    """Return the pieces of the functions ``"up"`` and ``"down"`` of a criterion, for those that are given."""
    if criterion.level is not None and criterion.up is None:
        return {"up": [(Cell(Algebraic.of(0), Algebraic.of(1)), _odds_limit(criterion.level))]}
    found = {}
    for side, function in (("up", criterion.up), ("down", criterion.down)):
        if function is not None:
            listed = split(function)
            for cell, leaf in listed:
                require_defined(leaf, cell)
                _require_defined_operands(leaf, cell)
            found[side] = [(cell, outermost(leaf, cell)) for cell, leaf in listed]
    return found


def _as_upper(found: Pieces) -> Iterator[tuple[str, int, Cell, Leaf]]:
    """Iterate over all pieces as upper functions h: side, index in the checker's order, cell, h."""
    for side, pieces in found.items():
        for index, (cell, leaf) in enumerate(pieces if side == "up" else reversed(pieces)):
            yield side, index, *((cell, leaf) if side == "up" else _turned(cell, leaf))


def _turned(cell: Cell, leaf: Leaf) -> tuple[Cell, Leaf]:
    """Return h(p) = 1 - h_l(1-p) and its cell."""
    other = Cell(cell.high.complement, cell.low.complement, cell.has_high, cell.has_low)
    return other, combined("-", ONE, reflected_in_prior(leaf), other)


def _limits(problem: Any, side: str, index: int, cell: Cell, leaf: Leaf) -> Iterator[Place]:
    """Iterate over the limits of F at 0 and 1, as places that are not attained."""
    for at, end, approach in ((Fraction(0), cell.low, "from-above"), (Fraction(1), cell.high, "from-below")):
        for low, high in limits_at(problem, side, index, at) if end.rational == at else ():
            value = Algebraic.of(low) if low == high else None
            yield Place(low, high, side, approach, end, False, value, cell, leaf)


def _require_defined_operands(leaf: Leaf, cell: Cell) -> None:
    """Reject an extremum with a possibly undefined operand, as a bound of a maximum may use a single operand only."""
    for part in parts_of(leaf):
        if isinstance(part, Composite) and part.name in ("min", "max"):
            for operand in part.parts:
                if has_partial_function(operand):
                    _require_defined(operand, cell)


def _require_defined(leaf: Leaf, cell: Cell) -> None:
    try:
        find_cover(defined_problem(leaf, cell), (), work=20 * MOST_WORK)
    except UnprovedError as error:
        raise undefined(error.near) from None


def _cover(found: Pieces, near: Sequence[Place]) -> Cover:
    """Return the best cover of a criterion.

    If no narrow bounds are proved and there is only h_l, it is replaced by the upper function 1 - h_l(1-p), the same
    criterion by Lemma 3.1. That function is better conditioned near the endpoints. The resulting cover cannot be used
    in a certificate of h_l.
    """
    turned_over = [(cell, outermost(leaf, cell)) for _, _, cell, leaf in _as_upper({"down": found.get("down", [])})]
    with suppress(UnprovedError):
        return find_cover(criterion_problem(found), near)
    if turned_over and all(leaf == ONE for _, leaf in found.get("up", [])):
        with suppress(UnprovedError):
            other = find_cover(criterion_problem({"up": turned_over}), [replace(place, side="up") for place in near])
            return replace(other, problem=None)
    return find_cover(criterion_problem(found), near, _SLACKS)


def _enclosed(criterion: Criterion, found: Pieces, places: Sequence[Place]) -> ParityBound:
    """Return the bound that cells prove, given several places, some of them known only approximately."""
    upper = min((place.upper for place in places), default=None)
    near = [place for place in places if upper is not None and place.lower <= upper]
    near.sort(key=lambda place: (place.value is None, place.attained is not True, place.attained is None))
    try:
        cover = _cover(found, near)
    except UnprovedError:
        return _wide(criterion, near)
    if cover.bounds is None:
        return _least(criterion, [])
    # F >= 1 for every criterion, also if the cells prove less
    lower, upper = ends = Bracket(max(cover.bounds.lower, Fraction(1)), cover.bounds.upper)
    value = next((place.value for place in near if place.value is not None), None)
    exact = ends.is_exact or (value is not None and ends == value.bracket(PARITY_BOUND_DIGITS))
    near.sort(key=lambda place: place.attained is not cover.attained)
    kind, text = ("exact", str(value or Algebraic.of(lower))) if exact else ("enclosed", str(lower))
    return ParityBound(criterion, kind, text, lower, upper, cover.attained, near[0].text, tuple(near), cover)


def _wide(criterion: Criterion, near: Sequence[Place]) -> ParityBound:
    """Return the trivial lower bound 1, if cells prove only that the functions are defined."""
    for pieces in criterion_pieces(criterion).values():
        for cell, leaf in pieces:
            _require_defined(leaf, cell)
    if not near:
        raise UnsupportedProblemError(
            f"the function leaves a bound that cannot be computed: received {criterion}; no point was found where the "
            "odds ratio is a number, and it is not shown to be infinite everywhere; use a function that allows less"
        )
    return ParityBound(criterion, "enclosed", "1", Fraction(1), near[0].upper, None, near[0].text, tuple(near))


def _least(criterion: Criterion, found: Sequence[Place]) -> ParityBound:
    """Return the bound given by the smallest value at exact places."""
    values = [place.value for place in found if place.value is not None]
    if not values:
        return ParityBound(criterion, "exact", "inf", None, None, None, None, ())
    winners = sorted((place for place in found if place.value == min(values)), key=lambda place: not place.attained)
    first = winners[0]
    return ParityBound(
        criterion, "exact", str(first.value), first.lower, first.upper, first.attained, first.text, tuple(winners)
    )


def _differential(criterion: Criterion, level: Epsilon) -> ParityBound:
    """Return B(h) of epsilon-DLP for irrational gamma: the odds ratio is gamma at every p."""
    gamma, half = level.exact_gamma(), Algebraic.of(Fraction(1, 2))
    ((cell, leaf),) = criterion_pieces(criterion)["up"]
    lower, upper = gamma.bracket(PARITY_BOUND_DIGITS)
    place = Place(lower, upper, "up", "everywhere", half, True, None, cell, leaf)
    return ParityBound(criterion, "exact", str(gamma), lower, upper, True, "1/2", (place,))


def _odds_limit(level: Epsilon) -> Leaf:
    """Return ``gamma p / (1 + (gamma - 1) p)`` with gamma = exp(level) irrational."""
    times, base = (Rational.constant(value) for value in (level.times, level.base))
    gamma = Composite("exp", (times,)) if level.kind == "rational" else Composite("^", (base, times))
    above = Composite("*", (gamma, PRIOR))
    return Composite("/", (above, Composite("+", (ONE.combined("-", PRIOR), above))))
