"""Twins of the results that are no design problem: CVXPY finds the tight conditions, and SymPy proves the value.

``rropt.convex`` and ``rropt.symbolic`` know nothing of each other. The functions here call both: CVXPY solves the
problem in numbers and says which conditions are tight, or which entries are positive; SymPy derives the optimum from
that alone, and proves it. The methods of the results call them.

A linear program always has a vertex. If SymPy proves none of nine that CVXPY offers, this is an alarm: one of the two
posings is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.display import decimal_text
from rropt.core.results import twin_work
from rropt.core.results.twins import EQUAL, INSIDE, Twin, require_closed, short
from rropt.core.visible import with_noun

if TYPE_CHECKING:
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.posing import Form, Posing
    from rropt.symbolic.program_bounds import ProgramBounds

_MOST_TIGHT = 200  # conditions; beyond it, solvers miss tight ones of a degenerate vertex
_SEEDS = (0, 1, 2, 3, 4, 5, 6, 10, 11)  # of the moves of a linear program; the last four are as large as the first
_MOST_IN_SYMBOLS, _MOST_ENTRIES = 150, 64  # excesses and entries of a vertex in symbols on request: ten seconds
_MOST_BASES = 12  # of one piece: bases or signs that have the same formula on parts of it
_MOST_PIECES = 6  # whose formulas are derived
_MOST_LEVELS = 12  # at which the program of a closed form is solved
_DIGITS = 30  # of the formula at a level
_LONGEST = 24  # digits of an exact value that is printed


def _proved(numbers: Any, symbols: Any, asked: Any) -> Any:
    """Return the vertex of a linear program that SymPy proves from the conditions that are tight for CVXPY.

    It is in symbols, or in fractions at the level if symbols take too long.

    Raises:
        RouteDisagreementError: it proves none.
        UnsupportedProblemError: the program is too large, or no finite list of conditions, or CVXPY's solvers do not
            tell its numbers apart, or the level is irrational and symbols take too long.
    """
    program = symbols.program(asked)
    why = _left_out(program)
    if why and not all(value.is_Rational for value in program.values.values()):
        raise UnsupportedProblemError(why)
    return _tried(numbers, asked, program.level_vertex if why else program.vertex)


def _left_out(program: Any) -> str:
    """Return why a vertex is not solved for in symbols; empty if it is."""
    m, k = program.shape
    if program.unknowns > _MOST_IN_SYMBOLS or m * k > _MOST_ENTRIES:
        return f"{m * k} entries with {program.unknowns - m * k} excesses are too many for symbols"
    for name, count in (("entries", m * k), ("excesses", program.unknowns)):
        if twin_work.is_too_much(name, count):
            return twin_work.left_out(name, count)
    return ""


def _enclosed(numbers: Any, symbols: Any, asked: Any) -> ProgramBounds:
    """Return bounds of the optimum of a linear program that SymPy proves from the conditions that are tight for CVXPY.

    Raises:
        RouteDisagreementError: it proves none.
        UnsupportedProblemError: as in ``_proved``.
    """
    from rropt.symbolic.definitions import require_private
    from rropt.symbolic.program_bounds import bounds_of

    program = symbols.program(asked)
    twin_work.require("fractions", program.unknowns)
    found: ProgramBounds = _tried(numbers, asked, lambda tight: bounds_of(program, tight))
    require_private(program.region, found.design)
    return found


def _tried(numbers: Any, asked: Any, proved: Callable[[frozenset[Any]], Any]) -> Any:
    """Return what a function proves of the first tight conditions of CVXPY of which it proves anything.

    Raises:
        RouteDisagreementError: it proves nothing of any of them.
        UnsupportedProblemError: CVXPY's solvers do not distinguish the numbers of the program.
    """
    from rropt.symbolic.fields import NoVertexError, ProofRefusedError

    refused: Exception | None = None
    size = 0
    for seed in _SEEDS:
        try:
            tight = numbers.active(asked, seed)
            size = max(size, len(tight))
            return proved(tight)
        except ProofRefusedError as error:
            refused = error
    if size > _MOST_TIGHT and isinstance(refused, NoVertexError):
        raise UnsupportedProblemError(f"no vertex: the {size} conditions that are tight in CVXPY do not determine one")
    if hasattr(numbers, "beyond_floats") and (why := numbers.beyond_floats(asked)):
        raise UnsupportedProblemError(f"CVXPY does not say which conditions are tight: {why}")
    raise RouteDisagreementError(f"SymPy proves no vertex of CVXPY, although a linear program has one: {refused}")


def _of_linear_program(numbers: Any, symbols: Any, asked: Any, bounds: tuple[Any, Any]) -> Twin:
    """Return the twin of a linear program: the design in the definition, and the vertex that SymPy proves.

    Raises:
        RouteDisagreementError: the design violates a condition, or one of the values is outside the bounds.
    """
    from rropt.symbolic.posing import compared
    from rropt.symbolic.symbols import exact

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
        form = symbols.program(asked).form(_proved(numbers, symbols, asked))
    except UnsupportedProblemError as error:
        try:
            own = _enclosed(numbers, symbols, asked)
        except UnsupportedProblemError:
            if value is None:
                raise
            why = why or str(error)
        else:
            value, agrees = exact((own.lower + own.upper) / 2) if value is None else value, [INSIDE]
            why = _require_met(own, bounds, str(error))
    else:
        why = _left_out(symbols.program(asked))
        value = form.at()
        agrees.append(compared(value, *bounds))
        facts = {"form": str(form), "domain": form.where}
    text = str(value) if value.is_Rational and len(str(value)) <= _LONGEST else float(value)
    return Twin("SymPy", True, text, INSIDE if INSIDE in agrees else EQUAL, why, **facts)


def _require_met(own: ProgramBounds, bounds: tuple[Any, Any], why: str) -> str:
    """Return that bounds prove the optimum, which are compared with those of the result.

    Raises:
        RouteDisagreementError: they have no number in common.
    """
    own.check()
    if own.lower > bounds[1] or own.upper < bounds[0]:
        raise RouteDisagreementError(
            f"the bounds that SymPy proves and those of the result disagree: {decimal_text(own.lower, 17)} and "
            f"{decimal_text(own.upper, 17)} against {decimal_text(bounds[0], 17)} and {decimal_text(bounds[1], 17)}"
        )
    return f"no closed form: {why}; proved within {short(own.width)}"


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
        found: Form = symbols.program(asked).form(_proved(numbers, symbols, asked))
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
    """Return the twin of closed forms of every level: each formula derived at levels inside its piece, and its design.

    Raises:
        RouteDisagreementError: SymPy derives another formula, or a design is not private or has another value.
        UnsupportedProblemError: there are too many categories.
    """
    from rropt.symbolic.designs.parametric import every_level as symbols

    number = min(len(result.pieces), _MOST_PIECES)
    try:
        covered = sum(_piece_forms(result, n)[1] for n in range(number))
        why = "" if covered == len(result.pieces) else f"{covered} of {with_noun(len(result.pieces), 'piece')} derived"
    except twin_work.LeftOutError as error:
        covered, why = 0, f"attained; optimality not derived: {error}"
    try:
        _require_designs(result, number)
    except UnsupportedProblemError as error:
        if not covered:
            raise  # nothing has been compared
        why = f"{why}; no design evaluated: {error}".removeprefix("; ")
    told = f"{len(result.pieces)} formula{'s' * (len(result.pieces) > 1)}"
    return Twin("SymPy", True, told, EQUAL, why, form=symbols.form_text(result))


def _require_designs(result: Any, number: int) -> None:
    """Require that the designs of the first pieces are private and attain their formulas, at a level inside each.

    Raises:
        RouteDisagreementError: one of them does not.
        UnsupportedProblemError: a matrix is too large, or its definition is not judged.
    """
    from rropt.core.exact import Epsilon
    from rropt.symbolic.definitions import judge
    from rropt.symbolic.designs.parametric import every_level as symbols
    from rropt.symbolic.symbols import as_fraction

    for place in symbols.places_of(result)[:number]:
        at = as_fraction(symbols.rational_between(*place))
        level = Epsilon.of_gamma(at)
        own = result.at(level)
        found = judge(_at_level(result.problem, at).to_dict(), own.mechanism.matrix)
        wanted = own.piece.formula.bracket_at(level, _DIGITS)
        if found.violation.upper > 0 or found.value.upper < wanted.lower or found.value.lower > wanted.upper:
            raise RouteDisagreementError(
                f"the design '{own.piece.design}' of {result.problem} has the value "
                f"{decimal_text(found.value.lower, 17)} at gamma = {at} and violates a condition by at most "
                f"{decimal_text(found.violation.upper, 5)}; the formula is {decimal_text(wanted.lower, 17)} there"
            )


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


def levels_bounds(problem: Any) -> ProgramBounds:
    """Return exact bounds of the optimum of a linear problem under several levels, a metric or bounds of entries.

    Raises:
        RouteDisagreementError: SymPy proves no vertex of CVXPY.
        UnsupportedProblemError: the program is too large.
    """
    from rropt.convex import levels as numbers
    from rropt.symbolic import levels as symbols

    return _enclosed(numbers, symbols, problem)


def solution_twin(solution: Any) -> Twin:
    """Return the SymPy twin of a solution; under several levels, a metric or bounds with the vertex that it proves.

    Raises:
        RouteDisagreementError: the posing contradicts the solution.
    """
    from rropt.symbolic.designs.problem import solution_twin as of_definition

    problem = solution.problem
    if not has_several_levels(problem) or problem.populations is not None:
        return of_definition(solution)
    from rropt.convex import levels as numbers
    from rropt.symbolic import levels as symbols
    from rropt.symbolic.posing import compared

    refused = ""
    try:
        twin = of_definition(solution, is_enclosed=True)
    except UnsupportedProblemError as error:
        twin, refused = None, str(error)
    form = levels_form(problem)
    if isinstance(form, str):
        try:
            own = _enclosed(numbers, symbols, problem)
        except UnsupportedProblemError as error:
            more = f"; {error}" if isinstance(error, twin_work.LeftOutError) else ""
            if twin is None:
                raise UnsupportedProblemError(f"{refused}{more}") from None
            return Twin("SymPy", True, twin.value, twin.agrees, f"{form}{more}")
        why = _require_met(own, (solution.lower, solution.upper), form)
        require_closed(solution)
        middle = float((own.lower + own.upper) / 2) if twin is None else twin.value
        return Twin("SymPy", True, middle, INSIDE, why)
    value = form.at()
    agrees = compared(value, solution.lower, solution.upper)
    text = str(value) if value.is_Rational and len(str(value)) <= _LONGEST else float(value)
    both = EQUAL if agrees == EQUAL and (twin is None or twin.agrees == EQUAL) else INSIDE
    why = _left_out(symbols.program(problem))
    return Twin("SymPy", True, text, both, why, form=str(form), domain=form.where)


# --- derivations -----------------------------------------------------------------------------------------------------


def derivation(result: Any) -> Derivation:
    """Return half a page of proof of a result, with ``markdown()`` and ``latex()``.

    It is written from what SymPy derived and proved for this result, and computed at the call.

    Raises:
        RouteDisagreementError: SymPy proves nothing of what CVXPY finds.
        UnsupportedProblemError: the problem is too large, or it has no finite list of conditions.
    """
    name = type(result).__name__
    if name not in _DERIVATIONS:
        raise UnsupportedProblemError(f"no derivation is written for the result {name}")
    found: Derivation = _DERIVATIONS[name](result)
    return found


def named_numbers(result: Any, exact_value: Any = None) -> dict[str, Any]:
    """Return the numbers of a result by their origin: the exact value, and that of CVXPY if it found one."""
    found = {} if exact_value is None else {"the value is": exact_value}
    try:
        value = result.cvxpy_twin().value
    except UnsupportedProblemError:
        return found
    return found | ({"CVXPY finds": value} if isinstance(value, float) else {})


def _of_vertex(result: Any, numbers: Any, symbols: Any, asked: Any, region: Any, words: tuple[str, str]) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.derivations import math
    from rropt.symbolic.programs import levels_of

    vertex = _proved(numbers, symbols, asked)
    form = symbols.program(asked).form(vertex)
    gammas = [math(level.gamma) for level in levels_of(region.to_dict(), region.inputs)]
    return texts.of_vertex(*words, vertex, form, gammas, named_numbers(result, form.at()))


def _pram_derivation(design: Any) -> Derivation:
    from rropt.convex.designs import pram as numbers
    from rropt.symbolic.derivations import math
    from rropt.symbolic.designs import pram as symbols
    from rropt.symbolic.symbols import exact

    pi = ",".join(math(exact(share)) for share in design.population)
    text = (
        "Maximize $\\sum_j \\pi_j p_{jj}$, the probability that a record stays unchanged, over private $P$ with "
        f"$P\\pi=\\pi$ and columns of sum 1, $\\pi=({pi})$; {design.problem.region}."
    )
    words = (f"Invariant post-randomization: {design.problem.region}", text)
    return _of_vertex(design, numbers, symbols, design, design.problem.region, words)


def _repair_derivation(fixed: Any) -> Derivation:
    from rropt.convex.designs import repairs as numbers
    from rropt.symbolic.derivations import matrix, shown_matrix
    from rropt.symbolic.designs import repairs as symbols

    given = shown_matrix("Q", matrix(fixed.before.entries), {})
    goal = "\\max_{ij}|p_{ij}-q_{ij}|" if fixed.norm == "max" else "\\sum_{ij}|p_{ij}-q_{ij}|"
    text = f"Minimize ${goal}$ over private $P$ with columns of sum 1, for the given matrix {given} {fixed.region}."
    return _of_vertex(fixed, numbers, symbols, fixed, fixed.region, ("Nearest private mechanism", text))


def solution_derivation(solution: Any) -> Derivation:
    """Return the proof of a binary design, or of a linear problem under several levels, a metric or bounds.

    Raises:
        RouteDisagreementError: SymPy proves nothing of what CVXPY finds.
        UnsupportedProblemError: the solution is of another kind.
    """
    problem = solution.problem
    if has_several_levels(problem) and problem.populations is None:
        from rropt.convex import levels as numbers
        from rropt.symbolic import levels as symbols

        text = f"{_capital(problem)}{_given(problem)}."
        return _of_vertex(solution, numbers, symbols, problem, problem.region, (str(problem), text))
    region = problem.region
    is_binary = problem.objective.is_of_prevalence and problem.populations is None and region.has_one_level
    if not is_binary or region.outputs not in (2, 3) or region.bounds is not None:
        raise UnsupportedProblemError("no derivation is written for this objective and region")
    if region.outputs == 3:
        return _three_outputs_derivation(solution)
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.objectives import estimator_variance

    level = region.one_level()
    if level.epsilon.gamma == 1 or level.delta.rational == 1:
        raise UnsupportedProblemError("at epsilon = 0 or delta = 1 vertices of the region coincide")
    form, is_symmetric = problem.to_sympy().form, region.family == "warner"
    points = estimator_variance.vertices_of_two(is_symmetric)
    best = next(each for each in points if each.variance == form.value)
    others = [each for each in points if each is not best]
    conditions = [estimator_variance.condition_of(best, each) for each in others]
    key = _binary_theorem(level.delta.rational == 0, problem.prevalence, is_symmetric=is_symmetric)
    numbers_at = named_numbers(solution, form.at())
    return texts.of_two_outputs(str(problem), [best, *others], form, conditions, key, numbers_at)


def _binary_theorem(is_pure: bool, share: Any, *, is_symmetric: bool = False) -> str:
    """Return which theorem of Holohan, Leith and Mason states the optimum of two outputs, a key of ``COQ``."""
    if is_symmetric or is_pure:
        return "warner" if is_symmetric else "binary"
    return f"binary, {'delta' if 2 * share < 1 else 'one half' if 2 * share == 1 else 'above'}"


def _three_outputs_derivation(solution: Any) -> Derivation:
    """Return the proof of a binary design with three outputs; at delta = 0 two are as good.

    Raises:
        UnsupportedProblemError: delta is 0.
    """
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.objectives import estimator_variance

    problem = solution.problem
    if problem.region.one_level().delta.rational == 0:
        raise UnsupportedProblemError("at delta = 0 three outputs are no better than two: derive the design with two")
    form = problem.to_sympy().form
    values = estimator_variance.mergers(problem)
    four = estimator_variance.universal()
    return texts.of_three_outputs(str(problem), four, form, values, named_numbers(solution, form.at()))


def _interval_derivation(solution: Any) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.designs import prevalence_intervals as symbols

    solution.sympy_twin()
    parts = symbols.proof_parts(solution)
    least = {"the minimax value is": solution.minimax.bracket.upper, "the minimax regret": parts["regret number"]}
    return texts.of_interval(f"Binary designs for a prevalence in {solution.interval}: {solution.region}", parts, least)


def _infimum_derivation(bound: Any) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.privacy.parity_bound import infimum, pieces_of

    bound.sympy_twin()
    found, pieces = infimum(bound.criterion), pieces_of(bound.criterion)
    return texts.of_infimum(str(bound.criterion), found, pieces, named_numbers(bound))


def _garbling_derivation(asked: Any) -> Derivation:
    from rropt.convex.orders import garblings as numbers
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.derivations import joined
    from rropt.symbolic.orders import garblings as symbols

    asked.sympy_twin()
    names: list[tuple[str, str]] = [("P", "A")]
    if hasattr(asked, "forward"):
        names = [("the first mechanism", "the second mechanism"), ("the second mechanism", "the first mechanism")]
    if hasattr(asked, "answers"):
        names = [(asked.names[i], asked.names[j]) for i, j in sorted(asked.answers)]
    parts = []
    for answer, own in zip(symbols.directions(asked), names, strict=True):
        found = numbers.solved(answer)
        proof = symbols.proof_from(answer, found.kernel, found.payoff)
        parts.append(texts.of_garbling(answer, proof, found.value, own))
    return joined(parts)


def _split_derivation(design: Any) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.designs import bits
    from rropt.symbolic.symbols import exact, level_expression

    own, level = bits.enclosure(design), level_expression(design.level)
    title = f"Split of a privacy budget over {with_noun(len(design.prevalences), 'question')}"
    return texts.of_split(title, own, design.objective, level, named_numbers(design, exact(design.value)))


def _levels_derivation(result: Any) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.designs.parametric import every_level as symbols

    found, why = [], ""
    for n in range(len(result.pieces)):
        try:
            found.append(_piece_forms(result, n))
        except UnsupportedProblemError as error:
            found.append(([], False))
            why = f" ({error})"
    values = [symbols.value_of(symbols.formula_of(piece)) for piece in result.pieces]
    pieces = [
        (value, place, *forms) for value, place, forms in zip(values, symbols.places_of(result), found, strict=True)
    ]
    own = getattr(result, "certificate", None)
    certificate = f"What is not derived{why} rests on "
    certificate += "the theorem of the result." if own is None else f"the certificate: {own.check()}."
    kind, key = result.problem.to_dict()["objective"]["kind"], ""
    if kind == "variance":
        key = _binary_theorem(result.problem.region.delta.rational == 0, result.problem.prevalence)
    text = f"{_capital(result.problem)}{_given(result.problem)}."
    return texts.of_levels(f"Every level: {result.problem}", text, kind, pieces, certificate, key)


def _given(problem: Any) -> str:
    """Return the numbers of a linear objective: its weights, losses or payoffs."""
    from rropt.symbolic.derivations import math, matrix
    from rropt.symbolic.programs import number_of

    own = problem.to_dict()["objective"]
    if "weights" in own and own["kind"] == "trace":
        return f", with the weights $({','.join(math(number_of(x)) for x in own['weights'])})$"
    if "matrix" not in own or len(own["matrix"]) > _MOST_SHOWN:
        return ""
    entries = matrix([[number_of(x) for x in row] for row in own["matrix"]])
    return f", with the matrix ${math(entries)}$"


_MOST_SHOWN = 8  # rows of a matrix in the text of a problem


def _capital(problem: Any) -> str:
    text = str(problem)
    return text[:1].upper() + text[1:]


def _admissibility_derivation(answer: Any) -> Derivation:
    from rropt.convex.orders import admissibility as numbers
    from rropt.convex.posing import solve
    from rropt.symbolic import result_derivations as texts

    answer.sympy_twin()
    return texts.of_admissibility(answer, solve(numbers.to_cvxpy(answer)).value)


def _strata_derivation(plan: Any) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.symbols import exact

    plan.sympy_twin()
    form = plan.to_sympy().form
    return texts.of_strata(plan, form.at(), named_numbers(plan, exact(plan.variance)))


def _breach_derivation(judgement: Any) -> Derivation:
    from rropt.symbolic import result_derivations as texts
    from rropt.symbolic.privacy.expressions import p

    judgement.sympy_twin()
    form = judgement.to_sympy().form
    criterion = f"`{judgement.bound.criterion}`"
    if judgement.meets is None:
        verdict = f"The parity lies in the enclosure of $B(h)$ of {criterion}: not decided."
    elif judgement.meets:
        verdict = (
            f"The parity is at most $B(h)$ of {criterion}, so that no property has a larger posterior than it allows."
        )
    else:
        breach = judgement.breach
        verdict = f"The parity is larger than $B(h)$ of {criterion}."
        verdict += f" A breach: {'; '.join(f'{name} {text}' for name, text in breach.lines())}."
    value = form.at()
    return texts.of_breach(judgement, form.parameters[p], value, verdict, named_numbers(judgement))


_DERIVATIONS = {
    "PramDesign": _pram_derivation,
    "Repair": _repair_derivation,
    "IntervalSolution": _interval_derivation,
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
