"""A Farkas vector in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.errors import InvalidParameterError
from rropt.linear.programmes.linear_programme import LinearProgramme, Row
from rropt.linear.programmes.verify import verify_infeasible
from rropt.linear.programmes.wording import worded

__all__ = ["explain_infeasible"]

# Rows named before the rest is only counted: what fits a screen.
_SHOWN_ROWS = 12


def explain_infeasible(programme: LinearProgramme, farkas: Sequence[Fraction], *, shown: int = _SHOWN_ROWS) -> str:
    """Tell in words why a programme has no solution.

    The rows with a nonzero multiplier are listed by importance, `|y_i| max(|b_i|, max_j |a_ij|)` decreasing. In the sum
    of all of them every nonnegative variable has a coefficient <= 0 and every free one 0: it reads `0 >= positive`.

    Args:
        programme: the programme.
        farkas: y, shape `(m,)`; checked by `verify_infeasible` first.
        shown: the number of rows named, at least 1.

    Returns:
        Several lines of text.

    Raises:
        InvalidParameterError: y does not prove infeasibility.
    """
    failure = verify_infeasible(programme, farkas)
    if failure:
        raise InvalidParameterError(
            f"the vector proves nothing: received multipliers of which {failure}; allowed are those that "
            "verify_infeasible accepts; take them from Infeasible.farkas"
        )
    used = [(value, row) for value, row in zip(farkas, programme.rows, strict=True) if value]
    used.sort(key=lambda pair: -abs(pair[0]) * _size(pair[1]))
    total = sum((value * row.rhs for value, row in used), Fraction(0))
    lines = [f"No solution: {len(used)} of {len(programme.rows)} rows contradict each other."]
    lines += [f"  {worded(value)} times  {row.label}:  {_formula(programme, row)}" for value, row in used[:shown]]
    if len(used) > shown:
        lines.append(f"  ... and {len(used) - shown} rows more.")
    left = _combination(programme, used)
    lines.append(f"Their sum says {left} >= {worded(total)}; the left side is never positive, the right one is.")
    return "\n".join(lines)


def _size(row: Row) -> Fraction:
    return max(map(abs, (*row.values, row.rhs)))


def _formula(programme: LinearProgramme, row: Row) -> str:
    return f"{_terms(programme, dict(zip(row.columns, row.values, strict=True)))} {row.relation} {worded(row.rhs)}"


def _combination(programme: LinearProgramme, used: list[tuple[Fraction, Row]]) -> str:
    sums: dict[int, Fraction] = {}
    for value, row in used:
        for j, entry in zip(row.columns, row.values, strict=True):
            sums[j] = sums.get(j, Fraction(0)) + value * entry
    return _terms(programme, {j: entry for j, entry in sorted(sums.items()) if entry})


def _terms(programme: LinearProgramme, entries: dict[int, Fraction]) -> str:
    """Write `2 x - y + ...`, at most a screen line of terms; the empty sum is 0."""
    words: list[str] = []
    for j, entry in list(entries.items())[:_SHOWN_ROWS]:
        factor = "" if abs(entry) == 1 else f"{worded(abs(entry))} "
        lead = ("-" if entry < 0 else "") if not words else ("- " if entry < 0 else "+ ")
        words.append(f"{lead}{factor}{programme.variables[j].label}")
    if len(entries) > _SHOWN_ROWS:
        words.append(f"+ ({len(entries) - _SHOWN_ROWS} terms more)")
    return " ".join(words) or "0"
