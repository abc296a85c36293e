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
from rropt.core.visible import with_noun

if TYPE_CHECKING:
    from rropt.symbolic.posing import Form, Posing

_SEEDS = (0, 1, 2)  # of the moves of a linear program
_MOST_BASES = 12  # of one piece: bases or signs that have the same formula on parts of it
_MOST_PIECES = 6  # whose formulas are derived
_MOST_LEVELS = 12  # at which the program of a closed form is solved
_DIGITS = 30  # of the formula at a level
_LONGEST = 24  # digits of an exact value that is printed


def _proved(numbers: Any, symbols: Any, asked: Any) -> Any:
    """Return the vertex of a linear program that SymPy proves from the conditions that are tight for CVXPY.

    Raises:
        RouteDisagreementError: it proves none.
        UnsupportedProblemError: the program is too large, or no finite list of conditions, or CVXPY's solvers do not
            tell its numbers apart.
    """
    from rropt.symbolic.fields import ProofRefusedError

    refused: Exception | None = None
    for seed in _SEEDS:
        try:
            return symbols.vertex(asked, numbers.active(asked, seed))
        except ProofRefusedError as error:
            refused = error
    if hasattr(numbers, "beyond_floats") and (why := numbers.beyond_floats(asked)):
        raise UnsupportedProblemError(f"CVXPY does not say which conditions are tight: {why}")
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
            why = f"{covered} of {with_noun(len(result.pieces), 'piece')} derived"
    except UnsupportedProblemError as error:
        why = f"attained; optimality not derived: {error}"
    told = f"{len(result.pieces)} formula{'s' * (len(result.pieces) > 1)}"
    return Twin("SymPy", True, told, EQUAL, why, form=symbols.form_text(result))


def _piece_forms(result: Any, number: int) -> tuple[list[Any], bool]:
    """Return the forms that SymPy derives on a piece, and whether their intervals cover it.

    Raises:
        RouteDisagreementError: SymPy proves no basis of CVXPY, or the formula is another one.
    """
    from rropt.symbolic.designs.parametric import every_level as symbols
    from rropt.symbolic.symbols import sign_of

    wanted = symbols.value_of(symbols.formula_of(result.pieces[number]))
    found: list[Any] = []
    open_parts = [symbols.places_of(result)[number]]
    while open_parts and len(found) < _MOST_BASES:
        low, high = open_parts.pop()
        level = symbols.rational_between(low, high)
        form = _form_at(result, level)
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


def _form_at(result: Any, level: Any) -> Any:
    """Return the form of a problem at every level around one of them.

    Raises:
        RouteDisagreementError: SymPy proves no basis of CVXPY.
        UnsupportedProblemError: there are too many categories.
    """
    from rropt.convex.designs.parametric import closed_levels as closed_numbers
    from rropt.convex.designs.parametric import every_level as numbers
    from rropt.symbolic.designs.parametric import closed_levels as closed_symbols
    from rropt.symbolic.designs.parametric import every_level as symbols
    from rropt.symbolic.fields import ProofRefusedError
    from rropt.symbolic.symbols import as_fraction

    problem, at, refused = result.problem, as_fraction(level), None
    for seed in _SEEDS:
        try:
            if hasattr(result, "theorem"):
                tight = closed_numbers.active(problem, at, seed) if closed_symbols.needs_vertex(problem) else ()
                return closed_symbols.level_form(problem, level, tight)
            return symbols.basis_form(problem, numbers.active(result, at, seed), level)
        except ProofRefusedError as error:
            refused = error
    raise RouteDisagreementError(f"SymPy proves no basis of CVXPY, although a linear program has one: {refused}")


def closed_levels_twin(result: Any) -> Twin:
    """Return the twin of closed forms of every level: the formula of each piece, derived at levels inside it.

    Raises:
        RouteDisagreementError: SymPy derives another formula.
        UnsupportedProblemError: there are too many categories.
    """
    from rropt.symbolic.designs.parametric import every_level as symbols

    number = min(len(result.pieces), _MOST_PIECES)
    covered = sum(_piece_forms(result, n)[1] for n in range(number))
    why = "" if covered == len(result.pieces) else f"{covered} of {with_noun(len(result.pieces), 'piece')} derived"
    told = f"{len(result.pieces)} formula{'s' * (len(result.pieces) > 1)}"
    return Twin("SymPy", True, told, EQUAL, why, form=symbols.form_text(result))


def closed_levels_in_cvxpy(result: Any) -> Twin:
    """Return the twin of closed forms of every level: the optimum at levels around the breakpoints.

    Raises:
        RouteDisagreementError: a value is not on the curve.
        UnsupportedProblemError: there are too many categories.
    """
    from rropt.convex.designs.parametric import every_level as numbers
    from rropt.core.exact import Epsilon

    twins = []
    for at in numbers.levels_of(result)[:_MOST_LEVELS]:
        piece = next(piece for piece in result.pieces if numbers.holds(piece, at))
        bracket = piece.formula.bracket_at(Epsilon.of_gamma(at), _DIGITS)
        twins.append(_at_level(result.problem, at).compared(bracket.lower, bracket.upper))
    worst = next((twin for twin in twins if not twin.agrees), twins[-1])
    told = f"{len(twins)} level{'s' * (len(twins) > 1)}"
    return Twin("CVXPY", True, told, worst.agrees, worst.why, solver=worst.solver)


def closed_levels_program(result: Any) -> Any:
    """Return the program of a problem at every level, at a level inside the first piece; ``gamma`` is a Parameter."""
    from rropt.convex.designs.parametric import every_level as numbers

    return _at_level(result.problem, numbers.levels_of(result)[0]).to_cvxpy()


def _at_level(problem: Any, gamma: Any) -> Any:
    """Return a problem at one of its levels."""
    from rropt.core.exact import Epsilon
    from rropt.privacy import PrivacyRegion

    own = problem.region
    region = PrivacyRegion(Epsilon.of_gamma(gamma), own.delta, inputs=own.inputs, outputs=own.outputs or "any")
    return type(problem)(region, problem.objective, problem.population)


# --- several levels --------------------------------------------------------------------------------------------------


def has_several_levels(problem: Any) -> bool:
    """Return whether a linear problem has several levels, a metric, or bounds of entries."""
    record = problem.to_dict()
    kind = record["objective"]["kind"]
    return record["region"]["kind"] in ("privacy-levels", "bounded") and kind in ("trace", "loss", "payoff")


def levels_form(problem: Any) -> Form | str:
    """Return the optimum of a linear problem under several levels, a metric or bounds as a form, or why there is none.

    Raises:
        RouteDisagreementError: SymPy proves no vertex of CVXPY.
    """
    from rropt.convex import levels as numbers
    from rropt.symbolic import levels as symbols

    return _form(numbers, symbols, problem)


def solution_twin(solution: Any) -> Twin:
    """Return the SymPy twin of a solution; under several levels, a metric or bounds with the vertex that it proves.

    Raises:
        RouteDisagreementError: the posing contradicts the solution.
    """
    from rropt.symbolic.designs.problem import solution_twin as of_definition

    twin = of_definition(solution)
    if not has_several_levels(solution.problem) or solution.problem.populations is not None:
        return twin
    from rropt.symbolic.posing import compared

    form = levels_form(solution.problem)
    if isinstance(form, str):
        return Twin("SymPy", True, twin.value, twin.agrees, form)
    value = form.at()
    agrees = compared(value, solution.lower, solution.upper)
    text = str(value) if value.is_Rational and len(str(value)) <= _LONGEST else float(value)
    both = EQUAL if agrees == twin.agrees == EQUAL else INSIDE
    return Twin("SymPy", True, text, both, form=str(form), domain=form.where)


# --- derivations -----------------------------------------------------------------------------------------------------


def derivation(result: Any) -> Any:
    """Return half a page of proof of a result, with ``markdown()`` and ``latex()``; None if nothing is derived.

    It is written from what SymPy derived and proved for this result, and computed at the call.

    Raises:
        RouteDisagreementError: SymPy proves nothing of what CVXPY finds.
        UnsupportedProblemError: the problem is too large, or it has no finite list of conditions.
    """
    return _DERIVATIONS[type(result).__name__](result)


def _numbers(result: Any, exact_value: Any = None) -> dict[str, Any]:
    """Return the numbers of a result by their origin."""
    from rropt.symbolic.result_derivations import numbers

    return numbers(exact_value, result.cvxpy_twin().value)


def _of_vertex(result: Any, numbers: Any, symbols: Any, asked: Any, words: tuple[str, str]) -> Any:
    from rropt.symbolic import result_derivations as texts

    vertex = _proved(numbers, symbols, asked)
    form = symbols.form(vertex, asked)
    return texts.of_vertex(*words, vertex, form, form.mechanism.shape, _numbers(result, form.at()))


def _pram_derivation(design: Any) -> Any:
    from rropt.convex.designs import pram as numbers
    from rropt.symbolic.designs import pram as symbols

    pi = ", ".join(map(str, design.population))
    text = (
        "Maximize $\\sum_j \\pi_j p_{jj}$ over private $P$ with $P\\pi=\\pi$ and columns of sum 1 (minus it is "
        f"minimized), $\\pi=({pi})$; {design.problem.region}."
    )
    return _of_vertex(design, numbers, symbols, design, ("Invariant post-randomization", text))


def _repair_derivation(fixed: Any) -> Any:
    from rropt.convex.designs import repairs as numbers
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.designs import repairs as symbols

    given = texts.matrix(fixed.before.entries)
    goal = "\\max_{ij}|p_{ij}-q_{ij}|" if fixed.norm == "max" else "\\sum_{ij}|p_{ij}-q_{ij}|"
    text = f"Minimize ${goal}$ over private $P$, where $$Q = {texts.math(given)};$$ {fixed.region}."
    return _of_vertex(fixed, numbers, symbols, fixed, ("Nearest private mechanism", text))


def _solution_derivation(solution: Any) -> Any:
    """Return the proof of a binary design with two outputs, or of a linear problem under several levels.

    Raises:
        UnsupportedProblemError: the solution is of another kind.
    """
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.objectives import estimator_variance

    problem = solution.problem
    if has_several_levels(problem):
        from rropt.convex import levels as numbers
        from rropt.symbolic import levels as symbols

        words = ("Linear design under several conditions", f"{problem} (if it is maximized, minus it is minimized).")
        return _of_vertex(solution, numbers, symbols, problem, words)
    if problem.objective.is_of_prevalence and problem.region.outputs == 2 and problem.region.has_one_level:
        form = problem.to_sympy().form
        points = estimator_variance.vertices_of_two(problem.region.family == "warner")
        best = next(each for each in points if each.variance == form.value)
        others = [each for each in points if each is not best]
        conditions = [estimator_variance.condition_of(best, each) for each in others]
        numbers_at = _numbers(solution, form.at())
        return texts.of_two_outputs(f"{problem}.", [best, *others], form, conditions, numbers_at)
    raise UnsupportedProblemError("no derivation of this kind of design is written here")


def _infimum_derivation(bound: Any) -> Any:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.privacy.parity_bound import infimum

    found = infimum(bound.criterion)
    return texts.of_infimum(str(bound.criterion), found, _numbers(bound))


def _garbling_derivation(asked: Any) -> Any:
    from rropt.convex.orders import garblings as numbers
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.orders import garblings as symbols

    parts = []
    for answer in symbols.directions(asked):
        found = numbers.solved(answer)
        proof = symbols.proof_from(answer, found.kernel, found.payoff)
        parts.append(texts.of_garbling(answer, proof, found.value))
    return texts.joined(parts)


def _split_derivation(design: Any) -> Any:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.designs import bits
    from rropt.symbolic.symbols import exact, level_expression

    own, level = bits.enclosure(design), level_expression(design.level)
    return texts.of_split(own, design.objective, level, _numbers(design, exact(design.value)))


def _levels_derivation(result: Any) -> Any:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.designs.parametric import every_level as symbols

    found = [_piece_forms(result, n) for n in range(len(result.pieces))]
    values = [symbols.value_of(symbols.formula_of(piece)) for piece in result.pieces]
    pieces = [(value, forms) for value, (forms, _) in zip(values, found, strict=True)]
    return texts.of_levels(f"Every level: {result.problem}", pieces, all(covered for _, covered in found))


def _admissibility_derivation(answer: Any) -> Any:
    from rropt.convex.orders import admissibility as numbers
    from rropt.convex.posing import solve
    from rropt.symbolic import result_derivations as texts

    answer.sympy_twin()
    return texts.of_admissibility(answer, solve(numbers.to_cvxpy(answer)).value)


def _strata_derivation(plan: Any) -> Any:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.symbols import exact

    plan.sympy_twin()
    form = plan.to_sympy().form
    return texts.of_strata(plan, form.at(), _numbers(plan, exact(plan.variance)))


def _breach_derivation(judgement: Any) -> Any:
    from rropt.symbolic import result_derivations as texts

    judgement.sympy_twin()
    value = judgement.to_sympy().form.at()
    return texts.of_breach(judgement, value, _numbers(judgement))


_DERIVATIONS = {
    "PramDesign": _pram_derivation,
    "Repair": _repair_derivation,
    "Solution": _solution_derivation,
    "ParityBound": _infimum_derivation,
    "Comparison": _garbling_derivation,
    "Sufficiency": _garbling_derivation,
    "PartialOrder": _garbling_derivation,
    "BitsDesign": _split_derivation,
    "EveryLevel": _levels_derivation,
    "ClosedLevels": _levels_derivation,
    "Admissibility": _admissibility_derivation,
    "StrataPlan": _strata_derivation,
    "Judgement": _breach_derivation,
}
