"""Twins of the results that are no design problem: what CVXPY finds is handed to SymPy, which proves it.

``rropt.convex`` and ``rropt.symbolic`` know nothing of each other. The functions here call both: CVXPY solves the
problem in numbers and says which conditions are tight, or which entries are positive; SymPy derives the optimum from
that alone, and proves it. They are attached to the classes of the results (``rropt/__init__``).

A linear program always has a vertex. If SymPy proves none of three that CVXPY offers, this is an alarm: one of the two
posings is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, INSIDE, Twin

if TYPE_CHECKING:
    from rropt.symbolic.posing import Form, Posing

_SEEDS = (0, 1, 2)  # of the moves of a linear program
_MOST_BASES = 12  # of one piece: bases or signs that have the same formula on parts of it
_MOST_PIECES = 6  # whose formulas are derived
_LONGEST = 24  # digits of an exact value that is printed


def _proved(numbers: Any, symbols: Any, asked: Any) -> Any:
    """Return the vertex of a linear program that SymPy proves from the conditions that are tight for CVXPY.

    Raises:
        RouteDisagreementError: it proves none.
        UnsupportedProblemError: the program is too large, or no finite list of conditions.
    """
    from rropt.symbolic.programs import ProofRefusedError

    refused: Exception | None = None
    for seed in _SEEDS:
        try:
            return symbols.vertex(asked, numbers.active(asked, seed))
        except ProofRefusedError as error:
            refused = error
    raise RouteDisagreementError(f"SymPy proves no vertex of CVXPY, although a linear program has one: {refused}")


def _of_linear_program(numbers: Any, symbols: Any, asked: Any, bounds: tuple[Any, Any]) -> Twin:
    """Return the twin of a linear program: the design in the definition, and the vertex that SymPy proves.

    Raises:
        RouteDisagreementError: the design violates a condition, or one of the values is outside the bounds.
    """
    from rropt.symbolic.posing import compared

    agrees, value, why, facts = [], None, "", {}
    try:
        checked = symbols.to_sympy(asked).check(asked.mechanism)
    except UnsupportedProblemError as error:
        why = str(error)
    else:
        value = checked.value
        agrees.append(checked.agrees(*bounds))
        _require_claimed(value, asked)
    try:
        found = _proved(numbers, symbols, asked)
    except UnsupportedProblemError as error:
        if value is None:
            raise
        why = str(error)
    else:
        form = symbols.form(found, asked)
        value = form.at()
        agrees.append(compared(value, *bounds))
        facts = {"form": str(form), "domain": form.where}
    text = str(value) if value.is_Rational and len(str(value)) <= _LONGEST else float(value)
    return Twin("SymPy", True, text, INSIDE if INSIDE in agrees else EQUAL, why, **facts)


def _require_claimed(value: Any, asked: Any) -> None:
    """Require that the design of a linear program has the value that is claimed for it, exactly.

    Raises:
        RouteDisagreementError: it has another one.
    """
    from rropt.symbolic.symbols import exact

    claimed = asked.loss if hasattr(asked, "loss") else asked.unchanged
    if value != exact(claimed):
        raise RouteDisagreementError(f"SymPy evaluates {value} at the design, and {claimed} is claimed")


# --- PRAM and repairs ------------------------------------------------------------------------------------------------


def pram_twin(design: Any) -> Twin:
    """Return the largest probability of an unchanged record that SymPy proves, compared with the result."""
    from rropt.convex.designs import pram as numbers
    from rropt.symbolic.designs import pram as symbols

    return _of_linear_program(numbers, symbols, design, (design.unchanged, design.upper))


def pram_posing(design: Any) -> Posing:
    """Return the problem of PRAM in SymPy, with its closed form."""
    from rropt.convex.designs import pram as numbers
    from rropt.symbolic.designs import pram as symbols

    return symbols.to_sympy(design, lambda: _form(numbers, symbols, design))


def repair_twin(fixed: Any) -> Twin:
    """Return the least distance of a private mechanism that SymPy proves, compared with the result."""
    from rropt.convex.designs import repairs as numbers
    from rropt.symbolic.designs import repairs as symbols

    return _of_linear_program(numbers, symbols, fixed, (fixed.lower, fixed.loss))


def repair_posing(fixed: Any) -> Posing:
    """Return the problem of a repair in SymPy, with its closed form."""
    from rropt.convex.designs import repairs as numbers
    from rropt.symbolic.designs import repairs as symbols

    return symbols.to_sympy(fixed, lambda: _form(numbers, symbols, fixed))


def _form(numbers: Any, symbols: Any, asked: Any) -> Form | str:
    try:
        found: Form = symbols.form(_proved(numbers, symbols, asked), asked)
    except UnsupportedProblemError as error:
        return str(error)
    return found


# --- Blackwell's order -----------------------------------------------------------------------------------------------


def garbling_twin(asked: Any) -> Twin:
    """Return the twin of a comparison, of a direction, or of a partial order, with proofs of its own.

    Raises:
        RouteDisagreementError: a proof of the result is wrong, or a proof of its own proves the opposite.
    """
    from rropt.symbolic.orders import garblings as symbols

    return symbols.sympy_twin(asked, garbling_proofs(asked))


def garbling_proofs(asked: Any) -> Sequence[Any]:
    """Return a proof in fractions for each direction, from the kernel or the task that CVXPY finds."""
    from rropt.convex.orders import garblings as numbers
    from rropt.symbolic.orders import garblings as symbols

    proofs = []
    for answer in symbols.directions(asked):
        try:
            found = numbers.solved(answer)
            proofs.append(symbols.proof_from(answer, found.kernel, found.payoff))
        except UnsupportedProblemError:
            proofs.append(symbols.GarblingProof())
    return proofs


# --- every level -----------------------------------------------------------------------------------------------------


def every_level_twin(result: Any) -> Twin:
    """Return the twin of designs for every level: each design in its definition, and the formula of each piece derived.

    Raises:
        RouteDisagreementError: a design is not of its definition, or a formula is another one than SymPy derives.
    """
    from rropt.symbolic.designs.parametric import every_level as symbols

    symbols.require_definitions(result)
    why = ""
    try:
        proofs = [_piece_forms(result, n) for n in range(min(len(result.pieces), _MOST_PIECES))]
        covered = sum(is_covered for _, is_covered in proofs)
        if covered < len(result.pieces):
            why = f"{covered} of {len(result.pieces)} pieces derived"
    except UnsupportedProblemError as error:
        why = f"attained; optimality not derived: {error}"
    told = f"{len(result.pieces)} formula{'s' * (len(result.pieces) > 1)}"
    return Twin("SymPy", True, told, EQUAL, why, form=symbols.form_text(result))


def _piece_forms(result: Any, number: int) -> tuple[list[Any], bool]:
    """Return the forms that SymPy derives on a piece, and whether their intervals cover it.

    Raises:
        RouteDisagreementError: SymPy proves no basis of CVXPY, or the formula is another one.
    """
    from rropt.convex.designs.parametric import every_level as numbers
    from rropt.symbolic.designs.parametric import every_level as symbols
    from rropt.symbolic.symbols import as_fraction, sign_of

    wanted, found = symbols.value_of(symbols.formula_of(result.pieces[number])), []
    open_parts = [symbols.places_of(result)[number]]
    while open_parts and len(found) < _MOST_BASES:
        low, high = open_parts.pop()
        level = symbols.rational_between(low, high)
        form = _basis_form(result, level, numbers.active, symbols.basis_form, as_fraction(level))
        if form.value != wanted and (form.value - wanted).simplify() != 0:
            raise RouteDisagreementError(
                f"SymPy derives {form.value} at gamma = {level} for {result.problem}, and the piece has {wanted}"
            )
        found.append(form)
        if sign_of(form.low - low) > 0:
            open_parts.append((low, form.low))
        if not form.high.is_infinite and (high.is_infinite or sign_of(high - form.high) > 0):
            open_parts.append((form.high, high))
    return found, not open_parts


def _basis_form(result: Any, level: Any, active: Any, form: Any, at: Any) -> Any:
    from rropt.symbolic.programs import ProofRefusedError

    refused: Exception | None = None
    for seed in _SEEDS:
        try:
            return form(result.problem, active(result, at, seed), level)
        except ProofRefusedError as error:
            refused = error
    raise RouteDisagreementError(f"SymPy proves no basis of CVXPY, although a linear program has one: {refused}")
