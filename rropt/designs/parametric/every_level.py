"""``EveryLevel``: the optimum of a linear objective as an exact function of the level, proved at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of, proof_of_record
from rropt.core.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.core.exact import Delta, Epsilon, as_text, rational
from rropt.core.exact.texts import fraction_of
from rropt.core.results import Table, html_lines, unverified_lines
from rropt.core.results.answer_text import value_text
from rropt.core.results.layout import terminal_width
from rropt.core.results.sequences import SequenceOf
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import visible
from rropt.designs.asked_problems import MOST_SHARES
from rropt.designs.parametric.level_formulas import (
    MOST_CATEGORIES,
    LevelFormula,
    LevelNumber,
    Place,
    certified_ends,
    ends_by,
    epsilon_text,
    is_at_most,
    level_interval_text,
    point_of,
    point_text,
    proved_text,
    require_inside,
    runs_text,
    span_text,
)
from rropt.designs.parametric.level_pieces import certify_pieces, solve_pieces
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.plots.figures import Figure
    from rropt.privacy import EveryLevelRegion

_MOST_OUTPUTS = 300
_WHAT = "design for every level"
_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class LevelPiece:
    """An interval of levels on which the optimum has one formula.

    Attributes:
        start, end: the first and the last gamma, exact; ``end`` is None for infinity.
        value: the optimum as a function of gamma.
        mechanism: the entries ``p_ij`` of an optimal mechanism as functions of gamma, shape (m, k).
        place: the end as ``(p, q, D)``, for ``p + q sqrt(D)``; None at the end of the whole interval.
    """

    start: Any
    end: Any
    value: LevelFormula
    mechanism: tuple[tuple[LevelFormula, ...], ...]
    place: Place | None

    @property
    def answers(self) -> tuple[int, ...]:
        """The outputs that the mechanism uses."""
        return tuple(i for i, row in enumerate(self.mechanism) if any(entry.constant != 0 for entry in row))

    @property
    def where(self) -> str:
        """The interval as text, without the end points of the half-line."""
        return level_interval_text(self.start, self.end)

    @property
    def where_epsilon(self) -> str:
        """The interval of epsilon in decimals."""
        low = "" if self.start == 1 else epsilon_text(self.start)
        high = "" if self.end is None else epsilon_text(self.end)
        if low and high:
            return f"{low} <= epsilon <= {high}"
        return f"epsilon <= {high}" if high else f"epsilon >= {low}" if low else "every epsilon"

    def to_dict(self) -> dict[str, Any]:
        """Return the piece for JSON."""
        return {
            "from": point_text(self.start),
            "to": "inf" if self.end is None else point_text(self.end),
            "value": str(self.value),
            "mechanism": {"matrix": [[str(entry) for entry in row] for row in self.mechanism]},
        }


@dataclass(frozen=True, slots=True)
class DesignAtLevel:
    """An optimal design at one level, taken from the formulas.

    Attributes:
        epsilon: the level.
        value: the optimum: a rational number if gamma is rational, else the exact expression in exp(epsilon).
        matrix: the entries of the optimal mechanism, in the same form.
    """

    epsilon: Epsilon
    value: Fraction | LevelNumber
    matrix: tuple[tuple[Fraction | LevelNumber, ...], ...]
    piece: LevelPiece

    @property
    def mechanism(self) -> Mechanism:
        """The optimal mechanism at a rational gamma; at an irrational one, the same design at a gamma just below it."""
        gamma = self.epsilon.gamma_bracket(20).lower
        return Mechanism([[entry(gamma) for entry in row] for row in self.piece.mechanism])

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class EveryLevel(PosedTwice, SequenceOf):
    """The optimal designs for every level of an interval: pieces with one formula each, and one certificate.

    Attributes:
        problem: the problem, on an ``EveryLevelRegion``.
        certificate: the certificate of the statement ``every-level``, accepted by the checker.
        pieces: the pieces, in order of the level.

    >>> from rropt.designs import Problem, every_level_of
    >>> from rropt.privacy import span
    >>> problem = Problem.kary(level=span(), objective="loss:absolute", population="1/2,1/4,1/4")
    >>> found = every_level_of(problem, fast=True)
    >>> for piece in found.pieces:
    ...     print(piece.where, piece.value)
    gamma <= 2 + sqrt(5) (gamma + 5)/(4*(gamma + 1))
    gamma >= 2 + sqrt(5) 11/(4*(gamma + 2))
    >>> print(found.at(1).value, found.at("log(3)").value, found.level_for("1/10"))
    (exp(1) + 5)/(4*(exp(1) + 1)) 1/2 51/2
    """

    problem: Problem
    certificate: Certificate
    pieces: tuple[LevelPiece, ...] = field(init=False, compare=False)
    unverified: tuple[str, ...] = field(default=(), compare=False)

    ITEMS = "pieces"

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", _pieces_of(self.problem, self.certificate))

    @property
    def region(self) -> EveryLevelRegion:
        """The levels."""
        return self.problem.region  # type: ignore[return-value]

    @property
    def breakpoints(self) -> tuple[Any, ...]:
        """The gammas at which another design becomes optimal."""
        return tuple(piece.end for piece in self.pieces[:-1])

    def at(self, epsilon: object) -> DesignAtLevel:
        """Return the optimal design at a level of the interval.

        Args:
            epsilon: the level in nats, in any form of ``Epsilon.of``.

        Raises:
            InvalidParameterError: the level is outside of the interval.
        """
        level = require_inside(self.region, epsilon)
        piece = next(piece for piece in self.pieces if is_at_most(level, piece.place))
        entries = tuple(tuple(entry.at(level) for entry in row) for row in piece.mechanism)
        return DesignAtLevel(level, piece.value.at(level), entries, piece)

    def level_for(self, value: object) -> Any:
        """Return the least gamma of the interval whose optimum is at least as good as a value.

        On a piece the equation is linear in gamma, so that the answer is rational unless it is an irrational first
        level. None if no level of the interval reaches the value.

        Args:
            value: the value, a rational number.
        """
        wanted = rational(value, name="value")
        sign = 1 if self.problem.objective.sense == "minimise" else -1
        target = sign * wanted
        for number, piece in enumerate(self.pieces):
            cost = piece.value if sign > 0 else piece.value.negative()
            # the cost minus the target, times c + gamma: a line in gamma that does not rise where the cost falls
            constant, slope = cost.a - target * cost.c, cost.b - target
            if number == 0:
                start = self.region.low.exact_gamma()
                if start * slope + constant <= 0:
                    return self.region.low.gamma if self.region.low.gamma is not None else start
            if slope < 0:
                gamma = -constant / slope
                if gamma >= 1 and self._is_before_end(gamma, piece):
                    return gamma
            elif slope == 0 and constant <= 0:
                return piece.start
        return None

    def _is_before_end(self, gamma: Fraction, piece: LevelPiece) -> bool:
        if piece.place is not None:
            return is_at_most(Epsilon.of_parity(gamma), piece.place)
        high = self.region.high
        return high.is_infinite or bool(high.exact_gamma() >= gamma)

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: exact numbers and functions of gamma are strings."""
        record = {
            "problem": self.problem.to_dict(),
            "pieces": [piece.to_dict() for piece in self.pieces],
            "certificate": self.certificate.to_dict(),
        }
        return self.with_twins(record)

    @classmethod
    def from_proof(cls, problem: Problem, certificate: Certificate) -> EveryLevel:
        """Return the result that a certificate proves, without solving; used to read files.

        Raises:
            FileFormatError: the checker rejects the certificate, or it belongs to another problem.
        """
        costs, start, stop = _stated(problem)
        proof_of_record(certificate, _problem_dict(costs, start, stop), _WHAT)
        return cls(problem, certificate)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each piece: its ends as floats, its formula, and the answers that it uses."""
        return [
            {
                "from_gamma": float(piece.start),
                "to_gamma": None if piece.end is None else float(piece.end),
                "formula": str(piece.value),
                "answers": ", ".join(map(str, piece.answers)),
            }
            for piece in self.pieces
        ]

    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each piece, with its value."""
        objective = self.problem.objective
        pieces = [(f"{piece.where}  ({piece.where_epsilon})", str(piece.value)) for piece in self.pieces]
        return [
            ("problem", str(self.problem)),
            (objective.described, f"{len(self.pieces)} {'formula' if len(self.pieces) == 1 else 'formulas'}"),
            *pieces,
            *self.twin_lines(),
            ("certificate", str(self.certificate.check())),
            *unverified_lines(self),
        ]

    def as_tables(self) -> list[Table]:
        """Return the pieces as a table: where, the value, and the answers that the mechanism uses."""
        header = ("gamma", "epsilon", "value", "answers")
        rows = [
            (piece.where, piece.where_epsilon, str(piece.value), ", ".join(map(str, piece.answers)))
            for piece in self.pieces
        ]
        facts = [("problem", str(self.problem)), ("certificate", str(self.certificate.check()))]
        return [("", header, rows), ("", None, facts)]

    def summary(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return the pieces with their mechanisms as text, as the command prints them."""
        return "\n".join(self._printed(terminal_width() if width is None else width))

    def __str__(self) -> str:
        return self.summary()

    def _printed(self, width: int) -> list[str]:
        problem, region = self.problem, self.region
        size = "smallest" if problem.objective.sense == "minimise" else "largest"
        at = problem.objective.at(problem.population)
        text = [
            "Optimal design for every level",
            f"  {size} {problem.objective.described}: k = {region.inputs} categories{at}",
        ]
        if region.low.gamma != 1 or not region.high.is_infinite:
            text.append(f"  {span_text(region)}")
        for piece in self.pieces:
            told = "" if piece.end is None else f"   (epsilon <= {epsilon_text(piece.end)})"
            text += [f"  {piece.where}{told}", f"    value      {piece.value}", "    mechanism"]
            text += _matrix_lines(piece, width)
        if len(self.pieces) > 1:
            text.append("  At a breakpoint both designs are optimal, and so is every mixture of them.")
        if any(len(piece.answers) < len(piece.mechanism) for piece in self.pieces):
            text.append("  Answers that a design does not use are left out.")
        verdict = self.certificate.check()
        proved = f"proved for {proved_text(region)}" if verdict else str(verdict)
        text.append(f"  certificate {'accepted: ' if verdict else ''}{proved}")
        if self.kept_twins is not None:
            text.append(f"posed twice: {self.kept_twins.line()}")
        return [visible(line) for line in text]

    def _repr_html_(self) -> str:
        return html_lines(self.lines())

    def __repr__(self) -> str:
        told = value_text({piece.where: str(piece.value) for piece in self.pieces})
        return f"<EveryLevel {self.problem.objective.kind} {told}>"

    def cvxpy_twin(self) -> Twin:
        """Return the twin: the optimum of the program at levels around the breakpoints, each compared with the
        formula.

        Raises:
            RouteDisagreementError: a value is not on the curve.
        """
        from rropt.convex.designs.parametric.every_level import cvxpy_twin

        return cvxpy_twin(self)

    def sympy_twin(self) -> Twin:
        """Return the twin of designs for every level: each design in its definition, and the formula of each piece
        derived.

        Raises:
            RouteDisagreementError: a design is not of its definition, or a formula is another one than SymPy derives.
        """
        from rropt.result_twins import every_level_twin

        return every_level_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the linear program over the entries ``P`` and the least entries ``t`` of rows; ``gamma`` is a
        Parameter.

        Its value is the optimum at ``gamma``, which is 2 at first.

        Raises:
            UnsupportedProblemError: the objective is not linear in the entries, or delta is positive.
        """
        from rropt.convex.designs.parametric.every_level import to_cvxpy

        return to_cvxpy(self)

    def to_sympy(self) -> Any:
        """Return the optimum as a ``Piecewise`` in ``gamma``; a plain expression if there is one formula."""
        from rropt.symbolic.designs.parametric.every_level import to_sympy

        return to_sympy(self)

    def to_latex(self) -> str:
        """Return the ``Piecewise`` as a displayed formula of LaTeX, and its derivation as an appendix.

        The packages are amsmath, amssymb and graphicx.
        """
        from rropt.symbolic.designs.parametric.every_level import to_latex

        return to_latex(self)

    @clear_calls
    def plot(self, *, size: str = "paper", ax: Any = None) -> Figure:
        """Return a picture of the optimum against epsilon for every level, with a line at each breakpoint.

        Args:
            size, ax: as for ``region``.
        """
        from rropt.plots.draw_every_level import every_level

        return every_level(self, size=size, ax=ax)


def _matrix_lines(piece: LevelPiece, width: int) -> list[str]:
    """Return the rows of the mechanism; by their values if the matrix is wider than the page."""
    kept = piece.answers
    cells = [[str(entry) for entry in piece.mechanism[i]] for i in kept]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    names = [f"      answer {i}" for i in kept]
    label = max(map(len, names))
    rows = zip(names, cells, strict=True)
    lines = [
        f"{name.ljust(label)}   {'   '.join(cell.rjust(w) for cell, w in zip(row, widths, strict=True))}"
        for name, row in rows
    ]
    if max(map(len, lines)) <= width:
        return lines
    folded = []
    for name, row in zip(names, cells, strict=True):
        folded.append(name)
        for text in dict.fromkeys(row):
            members = runs_text([j for j, cell in enumerate(row) if cell == text])
            folded.append(f"        {text}   for the categories {members}")
    return folded


def solve_every_level(problem: Problem) -> EveryLevel:
    """Return the optimal designs of a problem on an ``EveryLevelRegion``.

    Raises:
        UnsupportedProblemError: the objective is not linear, or there are too many categories.
    """
    costs, start, stop = _stated(problem)
    certificate = certify_pieces(costs, solve_pieces(costs, start, stop), start, stop)
    verdict = certificate.check()
    if not verdict:
        raise ArithmeticError(f"internal error: the certificate of {problem} is {verdict}; please report the problem")
    return EveryLevel(problem, certificate)


def _stated(problem: Problem) -> tuple[Any, Fraction, Fraction | None]:
    """Return the costs and the rational ends of the certified interval, which holds the levels of the problem."""
    region = problem.region
    if not region.is_of_every_level:
        raise FileFormatError(f"the record of a {_WHAT} is of a single level: received {shown(str(problem))}")
    if problem.populations is not None:
        raise UnsupportedProblemError(
            "the worst case over several distributions is no quotient of two lines at every level: solve it at single "
            "levels"
        )
    if region.delta != Delta.of(0):  # type: ignore[attr-defined]
        raise UnsupportedProblemError(
            f"`delta` belongs to the closed forms of every level: received {shown(str(region.delta))}; allowed are "  # type: ignore[attr-defined]
            "weighted traces, the 0/1 loss, binary designs, and A-, D- and E-optimality at equal proportions; leave "
            "delta out, or solve at single levels"
        )
    if region.inputs > MOST_CATEGORIES:
        raise UnsupportedProblemError(
            f"the optimum at every level is computed for at most {MOST_CATEGORIES} categories, or {MOST_SHARES} if "
            f"the losses of each category fall and then rise along the outputs: received {region.inputs}; solve at "
            "single levels"
        )
    costs = None if problem.is_uniform and problem.objective.weight_runs() else _costs(problem)
    if costs is None:
        raise UnsupportedProblemError(
            f"no formula of this kind gives {problem.objective.title} at every level: it is not linear in the "
            "mechanism; allowed are loss, trace, payoff and total-variation, and A-, D- and E-optimality at equal "
            "proportions, or solve at single levels"
        )
    return costs, *certified_ends(region)


def _costs(problem: Problem) -> Any:
    costs = problem.objective.labelled_costs(problem.population)
    if costs is not None and len(costs) > _MOST_OUTPUTS:
        raise UnsupportedProblemError(
            f"the optimum at every level is computed for at most {_MOST_OUTPUTS} outputs: received {len(costs)}; solve "
            "at single levels"
        )
    return costs


def _problem_dict(costs: Any, start: Fraction, stop: Fraction | None) -> Mapping[str, Any]:
    return {
        "costs": [[*map(as_text, row)] for row in costs],
        "from": [as_text(start)],
        "to": None if stop is None else [as_text(stop)],
    }


def _pieces_of(problem: Problem, certificate: Certificate) -> tuple[LevelPiece, ...]:
    """Return the pieces that a certificate states."""
    region: Any = problem.region
    low, high = region.low, region.high
    sign = 1 if problem.objective.sense == "minimise" else -1
    outputs = len(part_of(certificate, "problem", "costs", _WHAT))
    start: Any = low.exact_gamma() if low.gamma is None else low.gamma
    listed = part_of(certificate, "claim", "pieces", _WHAT)
    pieces = []
    for number, piece in enumerate(listed):
        place = None
        if number < len(listed) - 1:
            texts = [fraction_of(text) for text in piece["to"]]
            p, q, root = (*texts, Fraction(0), Fraction(0))[:3]
            place = p, q, int(root)
            if ends_by(place, low):
                continue  # the certified interval is a little longer than that of the levels
        is_last = place is None or (not high.is_infinite and is_at_most(high, place))
        end = point_of(place) if place is not None and not is_last else None
        if is_last and not high.is_infinite:
            end = high.exact_gamma() if high.gamma is None else high.gamma
        a, b, c = (fraction_of(text) for text in piece["value"])
        value = LevelFormula(sign * a, sign * b, c)
        matrix = _matrix(piece["rows"], outputs, region.inputs, c)
        pieces.append(LevelPiece(start, end, value, matrix, None if is_last else place))
        if is_last:
            break
        start = end
    return tuple(pieces)


def _matrix(rows: Any, outputs: int, inputs: int, c: Fraction) -> tuple[tuple[LevelFormula, ...], ...]:
    """Return the entries: a row [d, S, x] adds ``x gamma/(c + gamma)`` on S, and ``x/(c + gamma)`` elsewhere."""
    constant = [[Fraction(0)] * inputs for _ in range(outputs)]
    rising = [[Fraction(0)] * inputs for _ in range(outputs)]
    for output, members, text in rows:
        x = fraction_of(text)
        for j, digit in enumerate(members):
            (rising if digit == "1" else constant)[int(output)][j] += x
    return tuple(
        tuple(LevelFormula(a, b, c) for a, b in zip(*pair, strict=True)) for pair in zip(constant, rising, strict=True)
    )
