"""Blackwell's order in symbols: kernels C with ``A = C P``, and for square P the region in which they exist.

If P is square and invertible, ``C = A P^-1`` is the only candidate, and its columns sum to 1. So A is a garbling of P
iff the distinct entries of C are nonnegative; with symbols in A and P, these are the conditions of a region.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin
from rropt.designs.orders.sufficiency import Comparison, Sufficiency
from rropt.mechanisms import Mechanism
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.symbols import exact

MOST_ENTRIES = 600  # of a matrix of symbols
_MOST_CHECKED = 20_000  # products in ``C P``


def kernel(target: sp.MatrixBase, source: sp.MatrixBase) -> sp.ImmutableMatrix:
    """Return ``C = A P^-1`` for a square P, entries factored; the matrices may contain symbols."""
    return sp.ImmutableMatrix((target * source.inv()).applyfunc(sp.factor))


def region(found: sp.MatrixBase) -> tuple[Any, ...]:
    """Return the conditions under which a matrix with columns of sum 1 is a kernel: distinct entries >= 0."""
    entries = dict.fromkeys(sp.factor(entry) for entry in found)
    return tuple(sp.Ge(entry, 0) for entry in entries if entry != 0)


def in_symbols(mechanism: Mechanism) -> sp.ImmutableMatrix:
    """Return the matrix of a mechanism in exact numbers.

    Raises:
        UnsupportedProblemError: it has too many entries.
    """
    m, k = mechanism.shape
    if m * k > MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries to write out")
    return sp.ImmutableMatrix(m, k, [exact(x) for row in mechanism.matrix for x in row])


def to_sympy(asked: Comparison | Sufficiency) -> Posing:
    """Return the kernels C with ``A = C P``; P is the source (A of a comparison), and A the target (B).

    For a square invertible P, the form has the number ``min C`` as its value and C as its mechanism. The target is a
    garbling iff ``min C >= 0``. The posing of ``comparison.backward`` is that of the other direction.

    Raises:
        UnsupportedProblemError: the matrices have too many entries.
    """
    answer = asked.forward if isinstance(asked, Comparison) else asked
    P, A = in_symbols(answer.source), in_symbols(answer.target)
    (r, m) = A.shape[0], P.shape[0]
    if r * m > MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries to write out")
    C = sp.ImmutableMatrix(r, m, lambda i, o: sp.Symbol(f"c_{i}_{o}", nonnegative=True))
    columns = [sp.Eq(sum(C[:, o]), 1, evaluate=False) for o in range(m)]
    equations = [sp.Eq(x, y, evaluate=False) for x, y in zip(C * P, A, strict=True)]
    signs = [sp.Ge(entry, 0, evaluate=False) for entry in C]
    return Posing(C, sp.Integer(0), [*signs, *columns, *equations], form=lambda: _form(P, A))


def _form(P: sp.ImmutableMatrix, A: sp.ImmutableMatrix) -> Form | str:
    if P.shape[0] != P.shape[1]:
        return "a kernel between matrices that are not square is no formula (a linear program with parameters)"
    if P.det() == 0:
        return "the source is singular, so that the kernel is not unique"
    found = kernel(A, P)
    return Form(sp.Min(*found), "C = A P^-1 is the only candidate; it is a kernel iff min C >= 0", mechanism=found)


def verified(answer: Sufficiency) -> None:
    """Check the proof of a direction in exact arithmetic: the kernel, or the gain of the task.

    Raises:
        RouteDisagreementError: the proof is wrong.
        UnsupportedProblemError: it has too many numbers.
    """
    (m, k), r = answer.source.shape, answer.target.outputs
    if m * r * k > _MOST_CHECKED:
        raise UnsupportedProblemError("too many entries to write out")
    P, A = in_symbols(answer.source), in_symbols(answer.target)
    if answer.kernel is not None:
        C = sp.ImmutableMatrix(r, m, [exact(x) for row in answer.kernel.matrix for x in row])
        if C * P != A or min(C) < 0 or any(sum(C[:, o]) != 1 for o in range(m)):
            raise RouteDisagreementError("SymPy finds that the kernel of a garbling is wrong: C P is not A")
        return
    if answer.task is None:
        raise RouteDisagreementError("SymPy finds neither a kernel nor a task")
    Y = sp.ImmutableMatrix(r, k, [exact(y) for row in answer.task.payoff for y in row])
    earned = sum(sp.HadamardProduct(Y, A).doit())
    best = sum(max((Y * P.T)[:, o]) for o in range(m))
    if not earned > best or (earned / k, best / k) != (exact(answer.task.earned), exact(answer.task.best)):
        raise RouteDisagreementError("SymPy finds that the task of a refutation is wrong: it earns no more")


def sympy_twin(asked: Comparison | Sufficiency) -> Twin:
    """Return the relation that the exact kernels and tasks prove, and ``C = A P^-1`` where P is square.

    Raises:
        RouteDisagreementError: a proof is wrong, or ``A P^-1`` contradicts it.
    """
    answers = (asked.forward, asked.backward) if isinstance(asked, Comparison) else (asked,)
    forms = []
    for answer in answers:
        verified(answer)
        form = _form(in_symbols(answer.source), in_symbols(answer.target))
        if isinstance(form, Form):
            forms.append(form)
            if bool(form.value >= 0) is not bool(answer):
                raise RouteDisagreementError(
                    f"SymPy finds min C = {form.value} for C = A P^-1, against a {answer.route}"
                )
    told = asked.relation if isinstance(asked, Comparison) else "sufficient" if asked else "not sufficient"
    return Twin("SymPy", True, told, EQUAL, form="A*P**(-1)" if len(forms) == len(answers) else None)


def smallest_entry(answer: Sufficiency) -> Fraction | None:
    """Return the smallest entry of ``A P^-1``; None if P is not square and invertible."""
    form = _form(in_symbols(answer.source), in_symbols(answer.target))
    return Fraction(int(form.value.p), int(form.value.q)) if isinstance(form, Form) else None
