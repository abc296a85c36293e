"""The statement ``mechanism-levels``: parity, profile and admissibility of a mechanism (mechanism_levels.md).

The parity of a row is max/min (0/0 = 1, a/0 infinite). For gamma > 1 the class C_gamma consists of the mechanisms with
at least two rows, no zero row, no two proportional rows, and parities at most gamma. A mechanism P in C_gamma is
admissible if ``P = C A`` with a stochastic C and A in C_gamma implies ``A = D P`` for a stochastic D.

    admissible     every row has exactly two values, with ratio gamma
    inadmissible   the proof gives A, C and a decision problem that shows A != D P
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from .brackets import gamma_bracket, one_bracket
from .design_region import excess, require_parity
from .documents import Rejected, WorkBudget, bits_of, fields
from .garbling import require_garbling, require_no_garbling
from .matrices import Rows, Vector, columns, read_matrix, read_mechanism


def check_mechanism_levels(problem: Any, claim: Any, proof: Any) -> str:
    """Check the parity of a mechanism, its profile at a level, or whether it is admissible there."""
    budget = WorkBudget()
    subject, level = fields(problem, ["mechanism", "level"], "problem")
    rows = read_mechanism(subject, "the mechanism", budget)
    if isinstance(claim, dict) and "parity" in claim:
        _check_parity(rows, level, claim, proof, budget)
    elif isinstance(claim, dict) and "admissible" in claim:
        (admissible,) = fields(claim, ["admissible"], "claim")
        if not isinstance(admissible, bool):
            raise Rejected("admissible is not true or false")
        (_check_admissible if admissible else _check_dominated)(rows, level, proof, budget)
    else:
        _check_profile(columns(rows, "the mechanism", budget), level, claim, proof, budget)
    return ""


def _check_parity(rows: Rows, level: Any, claim: Any, proof: Any, budget: WorkBudget) -> None:
    (claimed,) = fields(claim, ["parity"], "claim")
    fields(proof, [], "proof")
    if level is not None:
        raise Rejected("a parity belongs to no level: it is null")
    columns(rows, "the mechanism", budget)
    parities = [_row_parity(row, budget) for row in rows]
    if claimed == "infinite":
        if None not in parities:
            raise Rejected("the parity is finite")
    elif None in parities or budget.number(claimed, "parity") != max(p for p in parities if p is not None):
        raise Rejected("parity is not the largest ratio of two entries of a row")


def _check_profile(subject: list[Vector], level: Any, claim: Any, proof: Any, budget: WorkBudget) -> None:
    """Check ``lower <= delta(epsilon) <= upper``."""
    lower, upper = fields(claim, ["lower", "upper"], "claim")
    (brackets,) = fields(proof, ["brackets"], "proof")
    gamma = one_bracket(level, brackets, budget)
    if budget.number(lower, "lower") != _largest_excess(subject, gamma.above, budget):
        raise Rejected("lower is not delta at the level above")
    if budget.number(upper, "upper") != _largest_excess(subject, gamma.below, budget):
        raise Rejected("upper is not delta at the level below")


def _check_admissible(subject: Rows, level: Any, proof: Any, budget: WorkBudget) -> None:
    """Check admissibility by conditions C1 and C2 of Chai and Nayak (2018), Theorems 4.2 and 4.3."""
    fields(proof, [], "proof")
    if not isinstance(level, dict) or set(level) != {"log"}:
        raise Rejected("a mechanism is admissible only at a rational gamma above 1: a level with log alone")
    gamma = gamma_bracket(level, {"below": level["log"], "above": level["log"]}, budget).below
    _require_member(subject, gamma, "the mechanism", budget)
    for row in subject:
        low, high = min(row), max(row)
        if high != gamma * low:
            raise Rejected("a row has parity below gamma")
        if any(entry not in (low, high) for entry in row):
            raise Rejected("a row has more than two distinct values")


def _check_dominated(subject: Rows, level: Any, proof: Any, budget: WorkBudget) -> None:
    """Check that another mechanism garbles to this one, and is not a garbling of it."""
    brackets, rows, kernel, payoff = fields(proof, ["brackets", "dominating", "kernel", "payoff"], "proof")
    gamma = one_bracket(level, brackets, budget).below
    if gamma <= 1:
        raise Rejected("gamma's bracket begins at 1: it must be finer, or the level above 0")
    dominating = read_matrix(rows, "dominating", budget)
    if len(dominating[0]) != len(subject[0]):
        raise Rejected("dominating has another number of inputs than the mechanism")
    _require_member(subject, gamma, "the mechanism", budget)
    _require_member(dominating, gamma, "dominating", budget)
    require_garbling(dominating, subject, kernel, budget)
    require_no_garbling(subject, dominating, payoff, budget)


def _row_parity(row: Sequence[Fraction], budget: WorkBudget) -> Fraction | None:
    """Return max/min of a row, with 0/0 = 1, or None if it is infinite."""
    longest = max(map(bits_of, row))
    budget.spend(2 * len(row), longest, longest)
    if not max(row):
        return Fraction(1)
    return max(row) / min(row) if min(row) else None


def _largest_excess(subject: list[Vector], gamma: Fraction, budget: WorkBudget) -> Fraction:
    """Return ``max over ordered pairs (j, l) of sum_i max(0, p_ij - gamma p_il)``."""
    longest = max(column.bits for column in subject)
    # ``excess`` works with columns in lowest terms
    budget.spend(len(subject) ** 2, 2 * longest + bits_of(gamma), 2 * longest + bits_of(gamma))
    return max(Fraction(*excess(column, other, gamma, budget)) for column in subject for other in subject)


def _require_member(subject: Rows, gamma: Fraction, where: str, budget: WorkBudget) -> None:
    """Reject a mechanism that is not in C_gamma, where gamma > 1."""
    m, k = len(subject), len(subject[0])
    if m < 2:
        raise Rejected(f"{where} has less than two outputs")
    require_parity(gamma, columns(subject, where, budget), where, budget)
    longest = max(bits_of(entry) for row in subject for entry in row)
    budget.spend(2 * m * m.bit_length() * k, longest + bits_of(gamma), longest)
    if not all(map(max, subject)):
        raise Rejected(f"{where} has a row of zeros")
    ordered = sorted(subject, key=cmp_to_key(_by_direction))  # parities are finite, so all entries are positive
    if any(_by_direction(row, following) == 0 for row, following in pairwise(ordered)):
        raise Rejected(f"{where} has two proportional rows")


def _by_direction(left: Sequence[Fraction], right: Sequence[Fraction]) -> int:
    """Compare two positive rows in lexicographic order after scaling each to first entry 1."""
    for a, b in zip(left, right, strict=True):
        difference = a * right[0] - b * left[0]
        if difference:
            return 1 if difference > 0 else -1
    return 0
