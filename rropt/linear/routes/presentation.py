"""Which dictionary to show the float solver: fewer rows, and no two that floats cannot tell apart."""

from __future__ import annotations

from rropt.linear.routes.dictionary import Dictionary
from rropt.linear.routes.float_matrix import FloatMatrix, float_matrix, plain_float_matrix
from rropt.linear.routes.integer_form import IntegerForm
from rropt.linear.routes.parallels import separate_parallels
from rropt.tolerances import PRESENTATION_FILL, PRESENTATION_NONZEROS, PRESENTATION_PASSES

__all__ = ["present"]


def present(form: IntegerForm, *, separate: bool = False) -> FloatMatrix:
    """Choose a dictionary in which the float solver sees well, and return its matrix.

    1. An inequality `v_r = constant + a v_c - (nonnegative combination of nonnegative variables) >= 0` with a > 0 and
       constant <= 0 implies v_c >= 0. Pivoting on it makes v_r a plain variable and the sign of v_c redundant: a row
       less.
    2. With `separate`: nearly parallel rows and columns are replaced by their differences (`separate_parallels`).

    Both only while the number of entries stays in proportion. The choice helps the float solver; nothing exact
    depends on it.
    """
    if len(form.matrix.values) > PRESENTATION_NONZEROS:
        return plain_float_matrix(form)
    dictionary = Dictionary(form)
    limit = PRESENTATION_FILL * dictionary.nonzeros
    _absorb_implied_signs(dictionary)
    for _ in range(PRESENTATION_PASSES if separate else 0):
        if not separate_parallels(dictionary, float_matrix(dictionary), limit):
            break
    return float_matrix(dictionary)


def _absorb_implied_signs(dictionary: Dictionary) -> None:
    """Pivot where the first rule applies and the number of entries does not grow."""
    form = dictionary.form
    for r, row in list(dictionary.rows.items()):
        positive = [c for c, value in row.items() if value > 0]
        if len(positive) != 1 or form.is_fixed[r] or dictionary.constants[r] > 0:
            continue
        c = positive[0]
        if any(form.is_free[j] for j in row if j != c) or dictionary.fill(r, c) > len(row):
            continue
        dictionary.pivot(r, c)
        dictionary.implied.add(c)
