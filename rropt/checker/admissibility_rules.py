"""Parity and admissibility of a mechanism (FORMAT.md, rule 18).

The parity of a row is max/min (0/0 = 1, a/0 infinite). C_gamma, gamma > 1: at least 2 rows, no zero row, no two rows
proportional, parities at most gamma. A member is admissible if no other member A has P = C A unless A = D P as well:

    admissible     every row has exactly two values, with ratio gamma
    inadmissible   A, C and a decision problem that shows A != D P are given
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from .brackets import gamma_bracket
from .documents import Rejected, fields, fraction
from .garbling_rules import Matrix, mechanism, require_garbling, require_no_garbling, require_work, stochastic


def check_parity(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind parity, or of kind profile: ``lower <= delta(epsilon) <= upper``."""
    subject, level = _problem(problem)
    if isinstance(claim, dict) and claim.get("kind") == "profile":
        _check_profile(subject, level, claim, witness)
        return
    kind, claimed = fields(claim, ["kind", "parity"], "claim")
    fields(witness, ["rule"], "witness")
    if kind != "parity" or level is not None:
        raise Rejected("the rule proves claims of kind parity at level null, or of kind profile at a level")
    parities = [_row_parity(row) for row in subject.rows]
    if claimed == "infinite":
        if None not in parities:
            raise Rejected("the parity is finite")
    elif None in parities or fraction(claimed, "parity") != max(p for p in parities if p is not None):
        raise Rejected("parity is not the largest ratio of two entries of a row")


def _check_profile(subject: Matrix, level: Any, claim: Any, witness: Any) -> None:
    _, lower, upper = fields(claim, ["kind", "lower", "upper"], "claim")
    _, bracket = fields(witness, ["rule", "gamma"], "witness")
    gamma = gamma_bracket(level, bracket)
    if fraction(lower, "lower") != _largest_excess(subject, gamma.above):
        raise Rejected("lower is not delta at the level above")
    if fraction(upper, "upper") != _largest_excess(subject, gamma.below):
        raise Rejected("upper is not delta at the level below")


def check_admissible(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind admissible: C1 and C2 of Chai and Nayak (2018), Theorems 4.2 and 4.3."""
    subject, level = _problem(problem)
    _require_kind(claim, "admissible")
    fields(witness, ["rule"], "witness")
    if not isinstance(level, dict) or set(level) != {"log"}:
        raise Rejected("a mechanism is admissible only at a rational gamma above 1: a level with log alone")
    gamma = gamma_bracket(level, {"below": level["log"], "above": level["log"]}).below
    _require_member(subject, gamma, "the mechanism")
    for row in subject.rows:
        if max(row) * gamma.denominator != min(row) * gamma.numerator:
            raise Rejected("a row has parity below gamma")
        if len(set(row)) != 2:
            raise Rejected("a row has more than two distinct values")


def check_dominated(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind inadmissible: a member that garbles to the mechanism and is no garbling of it."""
    subject, level = _problem(problem)
    _require_kind(claim, "inadmissible")
    _, bracket, rows, kernel, payoff = fields(witness, ["rule", "gamma", "dominating", "kernel", "payoff"], "witness")
    gamma = gamma_bracket(level, bracket).below
    if gamma <= 1:
        raise Rejected("gamma's bracket begins at 1: it must be finer, or the level above 0")
    dominating = stochastic(rows, "dominating")
    if dominating.shape[1] != subject.shape[1]:
        raise Rejected("dominating has another number of inputs than the mechanism")
    _require_member(subject, gamma, "the mechanism")
    _require_member(dominating, gamma, "dominating")
    require_garbling(dominating, subject, kernel)
    require_no_garbling(subject, dominating, payoff)


def _problem(problem: Any) -> tuple[Matrix, Any]:
    kind, subject, level = fields(problem, ["kind", "mechanism", "level"], "problem")
    if kind != "mechanism":
        raise Rejected("the problem is not of kind mechanism")
    return mechanism(subject, "the mechanism"), level


def _require_kind(claim: Any, kind: str) -> None:
    if fields(claim, ["kind"], "claim") != [kind]:
        raise Rejected(f"the claim is not of kind {kind}")


def _row_parity(row: Sequence[int]) -> Fraction | None:
    """Return max/min of a row with 0/0 = 1, and None for infinite."""
    if not max(row):
        return Fraction(1)
    return Fraction(max(row), min(row)) if min(row) else None


def _largest_excess(subject: Matrix, gamma: Fraction) -> Fraction:
    """Return ``max over ordered pairs (j, l) of sum_i max(0, p_ij - gamma p_il)``."""
    m, k = subject.shape
    require_work(m * k * k, subject, Matrix(((gamma.numerator,),), gamma.denominator))
    columns = tuple(zip(*subject.rows, strict=True))
    scaled = [[gamma.numerator * x for x in column] for column in columns]
    excess = max(
        sum(max(0, gamma.denominator * p - q) for p, q in zip(column, other, strict=True))
        for column in columns
        for other in scaled
    )
    return Fraction(excess, gamma.denominator * subject.scale)


def _require_member(subject: Matrix, gamma: Fraction, where: str) -> None:
    """Reject what is not in C_gamma, gamma > 1."""
    m, k = subject.shape
    if m < 2:
        raise Rejected(f"{where} has less than two outputs")
    require_work(m * m.bit_length() * k, subject, Matrix(((gamma.numerator,),), gamma.denominator))
    for row in subject.rows:
        if not max(row):
            raise Rejected(f"{where} has a row of zeros")
        if max(row) * gamma.denominator > min(row) * gamma.numerator:
            raise Rejected(f"{where} has a row of parity above gamma")
    ordered = sorted(subject.rows, key=cmp_to_key(_by_direction))  # all entries are positive
    if any(_by_direction(row, following) == 0 for row, following in pairwise(ordered)):
        raise Rejected(f"{where} has two proportional rows")


def _by_direction(left: Sequence[int], right: Sequence[int]) -> int:
    """Compare two positive rows by their multiples with first entry 1, in the order of dictionaries."""
    for a, b in zip(left, right, strict=True):
        difference = a * right[0] - b * left[0]
        if difference:
            return 1 if difference > 0 else -1
    return 0
