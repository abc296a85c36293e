"""Blackwell's order in symbols: kernels C with ``A = C P``, and for square P the region in which they exist.

If P is square and invertible, ``C = A P^-1`` is the only candidate, and its columns sum to 1. So A is a garbling of P
iff the distinct entries of C are nonnegative; with symbols in A and P, these are the conditions of a region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin
from rropt.core.visible import with_noun
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.symbols import exact

Rows = list[list[Fraction]]

MOST_ENTRIES = 600  # of a matrix of symbols
_POSITIVE = 1e-7  # of an entry of a kernel in floats
_UNIT = 10**10  # free entries of kernels, and payoffs, are multiples of 1/_UNIT
_MOST_CHECKED = 20_000  # products in ``C P``


def kernel(target: sp.MatrixBase, source: sp.MatrixBase) -> sp.ImmutableMatrix:
    """Return ``C = A P^-1`` for a square P, entries factored; the matrices may contain symbols."""
    return sp.ImmutableMatrix((target * source.inv()).applyfunc(sp.factor))


def region(found: sp.MatrixBase) -> tuple[Any, ...]:
    """Return the conditions under which a matrix with columns of sum 1 is a kernel: distinct entries >= 0."""
    entries = dict.fromkeys(sp.factor(entry) for entry in found)
    return tuple(sp.Ge(entry, 0) for entry in entries if entry != 0)


def in_symbols(mechanism: Any) -> sp.ImmutableMatrix:
    """Return the matrix of a mechanism in exact numbers.

    Raises:
        UnsupportedProblemError: it has too many entries.
    """
    m, k = mechanism.shape
    if m * k > MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries to write out")
    return sp.ImmutableMatrix(m, k, [exact(x) for row in mechanism.matrix for x in row])


def to_sympy(asked: Any) -> Posing:
    """Return the kernels C with ``A = C P``; P is the source (A of a comparison), and A the target (B).

    For a square invertible P, the form has the number ``min C`` as its value and C as its mechanism. The target is a
    garbling iff ``min C >= 0``. The posing of ``comparison.backward`` is that of the other direction. That of a partial
    order has a kernel ``c_i_j`` for each computed pair that has one.

    Raises:
        UnsupportedProblemError: the matrices have too many entries.
    """
    if hasattr(asked, "answers"):
        held = [(f"_{i}_{j}", asked.answers[i, j]) for i, j in sorted(asked.answers)]
        parts = [_kernels(answer, place) for place, answer in held if answer.kernel is not None]
        lines = [line for _, own in parts for line in own]
        why = "each pair has a form of its own: the posings of `answers`"
        return Posing(tuple(c for C, _ in parts for c in C), sp.Integer(0), lines, form=why)
    answer = getattr(asked, "forward", asked)
    C, constraints = _kernels(answer, "")
    P, A = in_symbols(answer.source), in_symbols(answer.target)
    return Posing(C, sp.Integer(0), constraints, form=lambda: _form(P, A))


def _kernels(answer: Any, place: str) -> tuple[sp.ImmutableMatrix, list[Any]]:
    """Return the symbols of the kernel of a direction, and its conditions."""
    P, A = in_symbols(answer.source), in_symbols(answer.target)
    (r, m) = A.shape[0], P.shape[0]
    if r * m > MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries to write out")
    C = sp.ImmutableMatrix(r, m, lambda i, o: sp.Symbol(f"c{place}_{i}_{o}", nonnegative=True))
    columns = [sp.Eq(sum(C[:, o]), 1, evaluate=False) for o in range(m)]
    equations = [sp.Eq(x, y, evaluate=False) for x, y in zip(C * P, A, strict=True)]
    return C, [*(sp.Ge(entry, 0, evaluate=False) for entry in C), *columns, *equations]


def _form(P: sp.ImmutableMatrix, A: sp.ImmutableMatrix) -> Form | str:
    if P.shape[0] != P.shape[1]:
        return "a kernel between matrices that are not square is no formula (a linear program with parameters)"
    if P.det() == 0:
        return "the source is singular, so that the kernel is not unique"
    found = kernel(A, P)
    return Form(sp.Min(*found), "C = A P^-1 is the only candidate; it is a kernel iff min C >= 0", mechanism=found)


def verified(answer: Any) -> None:
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


@dataclass(frozen=True)
class GarblingProof:
    """A proof in fractions of whether A is a garbling of P, from the numbers of CVXPY.

    Attributes:
        kernel: C >= 0 with ``C P = A`` and columns of sum 1, exactly; or
        payoff: Y with ``sum Y A > sum_o max_i (Y P^T)_io``, exactly; both are None if neither was found.
        gain: the difference of both sides.
    """

    kernel: tuple[tuple[Fraction, ...], ...] | None = None
    payoff: tuple[tuple[Fraction, ...], ...] | None = None
    gain: Fraction | None = None


def proof_from(answer: Any, kernel: Any, payoff: Any) -> GarblingProof:
    """Return an exact kernel or an exact task, from floats.

    Only entries of the kernel above ``_POSITIVE`` are kept. They solve ``C P = A`` with columns of sum 1; entries that
    this does not determine have the rounded value of the solver. Each proof is tested in fractions, whatever the
    solver did.

    Args:
        answer: the direction; its source P and its target A are read.
        kernel: the kernel of least deficiency.
        payoff: the payoffs of a task, or None.
    """
    P, A = ([[Fraction(x) for x in row] for row in one.matrix] for one in (answer.source, answer.target))
    if payoff is not None:
        Y = [[Fraction(round(float(y) * _UNIT), _UNIT) for y in row] for row in payoff]
        earned = sum(y * a for row, line in zip(Y, A, strict=True) for y, a in zip(row, line, strict=True))
        best = sum(max(sum(y * p for y, p in zip(row, output, strict=True)) for row in Y) for output in P)
        gain = Fraction(earned - best)
        return GarblingProof(payoff=tuple(map(tuple, Y)), gain=gain) if gain > 0 else GarblingProof()
    C = _exact_kernel(P, A, kernel)
    return GarblingProof() if C is None or not _is_kernel(C, P, A) else GarblingProof(kernel=tuple(map(tuple, C)))


def _exact_kernel(P: Rows, A: Rows, near: Any) -> Rows | None:
    """Return the solution of ``C P = A`` with columns of sum 1 on the positive entries of a kernel; None if none."""
    r, m, k = len(A), len(P), len(P[0])
    places = [(float(near[i][o]), i, o) for i in range(r) for o in range(m) if near[i][o] > _POSITIVE]
    if len(places) > MOST_ENTRIES:
        return None
    places.sort(reverse=True)  # the largest entries are determined, and the smallest are the free ones
    lines: list[list[Any]] = [
        [P[o][j] if i == row else 0 for _, i, o in places] + [A[row][j]] for row in range(r) for j in range(k)
    ]
    lines += [[Fraction(o == column) for _, _, o in places] + [Fraction(1)] for column in range(m)]
    numbers = [[sp.QQ(x.numerator, x.denominator) for x in map(Fraction, line)] for line in lines]
    reduced, pivots = DomainMatrix(numbers, (len(lines), len(places) + 1), sp.QQ).rref()
    if len(places) in pivots:
        return None  # the system has no solution
    x = [Fraction(round(value * _UNIT), _UNIT) for value, _, _ in places]
    for row, pivot in zip(reduced.to_dense().to_list(), pivots, strict=False):
        rest = [(Fraction(int(c.numerator), int(c.denominator)), n) for n, c in enumerate(row) if c and n != pivot]
        x[pivot] = sum((c * (1 if n == len(places) else -x[n]) for c, n in rest), Fraction(0))
    C = [[Fraction(0)] * m for _ in range(r)]
    for value, (_, i, o) in zip(x, places, strict=True):
        C[i][o] = value
    return C


def _is_kernel(C: Rows, P: Rows, A: Rows) -> bool:
    """Return whether C is a kernel with ``C P = A``, in fractions."""
    if any(entry < 0 for row in C for entry in row) or any(sum(column) != 1 for column in zip(*C, strict=True)):
        return False
    columns = list(zip(*P, strict=True))
    made = [[sum(c * p for c, p in zip(row, column, strict=True)) for column in columns] for row in C]
    return made == [list(row) for row in A]


def directions(asked: Any) -> tuple[Any, ...]:
    """Return the two directions of a comparison, the computed pairs of an order, or a direction itself."""
    if hasattr(asked, "forward"):
        return asked.forward, asked.backward
    return tuple(asked.answers[pair] for pair in sorted(asked.answers)) if hasattr(asked, "answers") else (asked,)


def sympy_twin(asked: Any, proofs: Sequence[GarblingProof] = ()) -> Twin:
    """Return the relation that exact kernels and tasks prove, and ``C = A P^-1`` where P is square.

    Args:
        asked: a comparison, a direction, or a partial order.
        proofs: for each direction a proof in fractions that knows nothing of the engine.

    Raises:
        RouteDisagreementError: a proof is wrong, or another proof or ``A P^-1`` contradicts it.
    """
    answers, forms = directions(asked), []
    for answer in answers:
        verified(answer)
        form = _form(in_symbols(answer.source), in_symbols(answer.target))
        if isinstance(form, Form):
            forms.append(form)
            if bool(form.value >= 0) is not bool(answer):
                raise RouteDisagreementError(
                    f"SymPy finds min C = {form.value} for C = A P^-1, against a {answer.route}"
                )
    found = sum(_agrees(answer, proof) for answer, proof in zip(answers, proofs, strict=False))
    if hasattr(asked, "answers"):
        _require_order(asked)
    why = "" if found == len(answers) else f"proved apart: {found} of {with_noun(len(answers), 'direction')}"
    return Twin("SymPy", True, told(asked), EQUAL, why, form="A*P**(-1)" if len(forms) == len(answers) else None)


def told(asked: Any) -> str:
    """Return the answer in words."""
    if hasattr(asked, "forward"):
        return str(asked.relation)
    if hasattr(asked, "answers"):
        return f"{with_noun(len(asked.answers), 'pair')} compared"
    return "sufficient" if asked else "not sufficient"


def _agrees(answer: Any, proof: GarblingProof) -> bool:
    """Return whether a proof of its own was found for a direction.

    Raises:
        RouteDisagreementError: it proves the opposite.
    """
    if proof.kernel is not None and not answer:
        raise RouteDisagreementError("SymPy finds a kernel in fractions for a garbling that is refuted")
    if proof.payoff is not None and answer:
        raise RouteDisagreementError("SymPy finds a task in fractions at which a garbling earns more than its source")
    return proof.kernel is not None or proof.payoff is not None


def _require_order(order: Any) -> None:
    """Require that the classes and covers of an order follow from its computed pairs by transitivity.

    Raises:
        RouteDisagreementError: they do not.
    """
    n = len(order.mechanisms)
    for (i, j), answer in order.answers.items():
        if answer.source != order.mechanisms[i] or answer.target != order.mechanisms[j]:
            raise RouteDisagreementError("SymPy finds a computed pair of the order with other mechanisms")
    below = {(i, i) for i in range(n)} | {pair for pair, answer in order.answers.items() if answer}
    while more := {(i, last) for i, j in below for first, last in below if j == first} - below:
        below |= more
    refuted = {pair for pair, answer in order.answers.items() if not answer}
    for i in range(n):
        if {j for j in range(n) if (i, j) in below} != set(order.below[i]):
            raise RouteDisagreementError(f"SymPy finds other mechanisms below {order.names[i]} in the order")
    for i in range(n):
        for j in range(n):  # i <= j is refuted if i' <= j' is, for some i' above i and j' below j
            if (i, j) not in below and not any((a, i) in below and (j, b) in below for a, b in refuted):
                raise RouteDisagreementError(
                    f"SymPy finds no proof that {order.names[i]} is not above {order.names[j]}"
                )
    classes = {frozenset(members) for members in order.classes}
    if classes != {frozenset(j for j in range(n) if (i, j) in below and (j, i) in below) for i in range(n)}:
        raise RouteDisagreementError("SymPy finds other equivalence classes of the order")
    ranks = [members[0] for members in order.classes]
    strict = {(a, b) for a, i in enumerate(ranks) for b, j in enumerate(ranks) if a != b and (i, j) in below}
    covers = {(a, b) for a, b in strict if not any((a, c) in strict and (c, b) in strict for c in range(len(ranks)))}
    if covers != set(order.covers):
        raise RouteDisagreementError("SymPy finds other covers of the order")


def smallest_entry(answer: Any) -> Fraction | None:
    """Return the smallest entry of ``A P^-1``; None if P is not square and invertible."""
    form = _form(in_symbols(answer.source), in_symbols(answer.target))
    return Fraction(int(form.value.p), int(form.value.q)) if isinstance(form, Form) else None
