"""Lemma 4.2, its proof: the construction, and the step from a nonsingular C to a unique D."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product as pairs
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.claims.positivity import Hypothesis, prove_identity, prove_positive
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import (
    Rows,
    garbles,
    has_full_row_rank,
    has_proportional_rows,
    identity,
    in_class,
    is_tpm,
    matrix,
    parity,
    product,
    row_parity,
    text,
)
from rropt_proofs.chainayak2018._sufficiency_members import draw_member

BUILT, PROPORTIONAL, INVERSE, UNIQUE, NONE = (
    "P = C A is a TPM with eta(P) <= gamma, and C is not one",
    "P is in C_gamma: it has no proportional rows",
    "C^-1",
    "C is the only D with P = D A",
    "no TPM D has P = D A",
)


def _case(gamma: str, rows: str, xi: str) -> dict[str, Any]:
    return {"gamma": Fraction(gamma), "A": matrix(rows), "xi": Fraction(xi)}


def _largest_step(rows: Rows, gamma: Fraction) -> Fraction:
    """The largest xi - 1 for which row 1 minus (xi - 1) row 2 still has parity at most gamma."""
    first, second = rows[0], rows[1]
    bounds = [
        (gamma * first[j] - first[i]) / (gamma * second[j] - second[i])
        for i, j in pairs(range(len(first)), repeat=2)
        if gamma * second[j] > second[i]
    ]
    return min(bounds)


def draw(rng: random.Random) -> dict[str, Any]:
    """A member with a row of intermediate parity first, and a row that falls where it rises second."""
    for _ in range(100):
        member = draw_member(rng, ("garbled", "slack", "constant"))
        rows, gamma = member["P"], member["gamma"]
        if rng.random() < 0.3:
            gamma += 1
        first = next((row for row in rows if 1 < row_parity(row) < gamma), None)
        if first is None or not in_class(rows, gamma):
            continue
        high, low = first.index(max(first)), first.index(min(first))
        order = [high, low, *(j for j in range(len(first)) if j not in (high, low))]
        second = next(row for row in rows if row[high] < row[low])
        others = [row for row in rows if row not in (first, second)]
        arranged = tuple(tuple(row[j] for j in order) for row in (first, second, *others))
        step = _largest_step(arranged, gamma) * Fraction(rng.randint(1, 4), 4)
        return {"gamma": gamma, "A": arranged, "xi": 1 + step}
    return _case("3", "3/5 2/5; 2/5 3/5", "11/10")


def _corner(m: int, top: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]) -> Rows:
    """The identity of order m with this block in its first two rows and columns."""
    rows = [list(row) for row in identity(m)]
    for i, j in pairs(range(2), repeat=2):
        rows[i][j] = top[i][j]
    return tuple(map(tuple, rows))


def _kernel(case: dict[str, Any]) -> Rows:
    """C: p_1 = a_1 + (1 - xi) a_2, p_2 = xi a_2."""
    one, xi = Fraction(1), case["xi"]
    return _corner(len(case["A"]), ((one, 1 - xi), (Fraction(0), xi)))


def _others(rows: Rows) -> list[list[Fraction]]:
    """A basis of the y with y A = 0."""
    basis, count = flint_matrix(tuple(zip(*rows, strict=True))).numer_denom()[0].nullspace()
    found = [[int(basis[i, j]) for i in range(len(rows))] for j in range(count)]
    return [[Fraction(x, next(filter(None, y))) for x in y] for y in found]


def theory(point: Point) -> Any:
    if point["step"] != INVERSE:
        return True
    xi = point["case"]["xi"]
    return _corner(len(point["case"]["A"]), ((Fraction(1), 1 - 1 / xi), (Fraction(0), 1 / xi)))


def computed(point: Point) -> Any:
    """The printed C and P = C A, their inverse by elimination, and every garbling by exact linear programs."""
    case, step = point["case"], point["step"]
    rows, kernel = case["A"], _kernel(case)
    built = product(kernel, rows)
    if step == BUILT:
        return is_tpm(built) and parity(built) <= case["gamma"] and not is_tpm(kernel)
    if step == PROPORTIONAL:
        return not has_proportional_rows(built)
    if step == INVERSE:
        return fractions_of(flint_matrix(kernel).inv())
    if step == UNIQUE:
        return not _others(rows)
    return not garbles(rows, built)


def _to_avoid(rows: Rows) -> set[Fraction]:
    """The xi at which a_1 + (1 - xi) a_2 is proportional to a row a_i, i >= 3: at most one for each."""
    found = set()
    (a, b, *_), (c, d, *_) = rows[0], rows[1]
    for third in rows[2:]:
        e, f = third[0], third[1]
        if c * f == d * e:
            continue  # proportional to a_2 in the first two entries, to which a_1 is not: never
        xi = 1 + (a * f - b * e) / (c * f - d * e)
        moved = [x + (1 - xi) * y for x, y in zip(rows[0], rows[1], strict=True)]
        if all(x * third[0] == moved[0] * y for x, y in zip(moved, third, strict=True)):
            found.add(xi)
    return found


def corrected(point: Point) -> Any:
    """P is in C_gamma unless xi is one of finitely many; C is the only D if and only if the rows are independent."""
    case, step = point["case"], point["step"]
    if step == PROPORTIONAL:
        return case["xi"] not in _to_avoid(case["A"])
    if step == UNIQUE:
        return has_full_row_rank(case["A"])
    return theory(point)


def mutant(point: Point) -> Any:
    """The upper right entry of C^-1 is 1 - xi."""
    if point["step"] != INVERSE:
        return True
    xi = point["case"]["xi"]
    return _corner(len(point["case"]["A"]), ((Fraction(1), 1 - xi), (Fraction(0), 1 / xi)))


def working(point: Point) -> str:
    """C, P, and either another D or the two proportional rows."""
    case = point["case"]
    rows, kernel = case["A"], _kernel(case)
    built = product(kernel, rows)
    lines = f"xi = {case['xi']}: C = {text(kernel)}, P = C A = {text(built)}"
    if point["step"] == PROPORTIONAL:
        return f"{lines}\ntwo rows of P are proportional, so P is not in C_gamma: this xi has to be avoided"
    y = _others(rows)[0]
    other = tuple(tuple(c + n for c, n in zip(row, y, strict=True)) for row in kernel[:1]) + kernel[1:]
    return (
        f"{lines}\ny = ({', '.join(map(str, y))}) has y A = 0\nadded to the first row of C: D = {text(other)}, and "
        f"D A = {text(product(other, rows))} = P as well\n(no such D is a TPM, so the conclusion is right: Theorem 4.1)"
    )


def proof() -> Proof:
    xi, a, b, d, c = sp.symbols("xi a b d c")
    e, f = sp.symbols("e f")
    slack = [Hypothesis(xi - 1, strict=True), Hypothesis(xi, strict=True)]
    return Proof(
        scope="the corrected steps: all gamma > 1, m, k, all A in C_gamma so arranged, every xi > 1 that keeps P "
        "private, the finitely many named left out",
        argument="The columns of P sum to those of A, since (a_1 + (1 - xi) a_2) + xi a_2 = a_1 + a_2; for xi > 1 near "
        "1 its entries are positive and its first row parity, continuous in xi, is below gamma; rows 2 to m keep their "
        "parity. C^-1 is as printed, nonnegative with columns that sum to 1 for xi >= 1, so P is sufficient for A. p_1 "
        "is not proportional to a_2, since a_1 is not, and proportional to a_i, i >= 3, for at most one xi; for every "
        "other xi P is in C_gamma. D = C is the only solution of D A = C A if and only if the rows of A are "
        "independent. A is not sufficient for P in any case: else A and P, both in C_gamma, are equivalent, and the "
        "rows of P are those of A in some order (Theorem 4.1); but p_2 = xi a_2 is not a_2, and no other row of A, for "
        "none is proportional to a_2.",
        certificates=(
            ("columns of P", prove_identity((a + (1 - xi) * b) + xi * b, a + b)),
            ("A = C^-1 P, first row", prove_identity((a + (1 - xi) * b) + (1 - 1 / xi) * (xi * b), a)),
            ("1 - 1/xi >= 0, times xi^2", prove_positive(sp.expand(xi * (xi - 1)), slack, degree=2)),
            ("C has a negative entry", prove_positive(-(1 - xi), slack, strict=True, degree=1)),
            (
                "two independent rows: D - C = (d, e) with (d, e) A = 0 is 0, by Cramer",
                prove_identity(d * (a * c - b * f), c * (d * a + e * f) - f * (d * b + e * c)),
            ),
        ),
        unchecked_steps=(
            "the parity of the first row, continuous in xi, stays below gamma near xi = 1: continuity is no relation",
            "independent rows: (D - C) A = 0 only for D = C: Cramer's rule has a certificate for two rows alone, and "
            "determinants of any order have no shape",
            "A is not sufficient for P: Theorem 4.1, an entry that is argued itself",
        ),
    )


def _prepared(case: dict[str, Any]) -> bool:
    rows, gamma = case["A"], case["gamma"]
    first, second = rows[0], rows[1]
    ends = first[0] == max(first) and first[1] == min(first) and second[0] < second[1]
    return ends and 1 < row_parity(first) < gamma


CLAIM = Claim(
    id="chainayak2018.lemma-4.2-proof",
    source=f"{PAPER}, proof of Lemma 4.2",
    place=(4, 8),
    printed=r"Suppose, without loss of generality, $1<\eta_1(A)=a_{11}/a_{12}<\gamma$. Then, there exists a row $i$ "
    "such that $a_{i1}<a_{i2}$ because each column of $A$ adds to 1. For brevity suppose that "
    r"$a_{21}<a_{22}$. Construct $P_{m\times k}$ as follows: $\vec p_1=\vec a_1+(1-\xi)\vec a_2$, $\vec "
    r"p_2=\xi\vec a_2$, where $\xi\ge1$ is a constant (to be chosen suitably) and [...] $\vec p_i=\vec "
    r"a_i,i=3,\dots,m$. [...] So, there exists $1<\xi<\xi_0$ for which $\eta_1(P)\le\gamma$ and consequently, "
    r"$\eta(P)\le\gamma$. Take such a value $\xi_*$ and use that in the construction of $P$. Finally, note "
    r"that $P=CA$ and $A=C^{-1}P$, with $C=\left(\begin{array}{cc|c}1&1-\xi_*&0\\0&\xi_*&0\\\hline "
    r"0&0&I\end{array}\right)$ and $C^{-1}=\left(\begin{array}{cc|c}1&1-1/\xi_*&0\\0&1/\xi_*&0\\\hline "
    r"0&0&I\end{array}\right)$. Now, as $\xi_*>1$, $C^{-1}$ is a TPM and hence $P\succeq A$. Also, as $C$ is "
    r"nonsingular, $P=DA$ only with $D=C$. But, $C$ is not a TPM, as $\xi_*>1$, and hence $A$ is not "
    "sufficient for $P$.",
    precise="For A in C_gamma with rows and columns so arranged and every xi > 1 with P = C A a TPM of parity at most "
    "gamma: P has no proportional rows (as a member of C_gamma must); the inverse of C is as printed; P = D A only for "
    "D = C; no TPM D has P = D A.",
    variables={
        "case": Domain(
            "gamma > 1, A with 1 < a_11/a_12 = eta_1 < gamma and a_21 < a_22, and xi > 1",
            (
                _case("3", "3/5 2/5; 2/5 3/5", "11/10"),
                _case("3", "3/5 2/5; 2/5 3/5", "5/4"),
                _case("3", "1/2 1/4; 1/4 1/2; 1/4 1/4", "6/5"),  # three rows, two columns: dependent
                _case("4", "1/5 1/10; 1/2 4/5; 3/10 1/10", "20/19"),  # the first and third row of P proportional
                _case("4", "1/5 1/10; 1/2 4/5; 3/10 1/10", "21/20"),
                _case("3", "1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2", "9/8"),
                _case("2", "2/3 1/3; 1/3 2/3", "9/8"),  # parity gamma already: not of the kind
            ),
            draw,
        ),
        "step": Domain.values("the step", BUILT, PROPORTIONAL, INVERSE, UNIQUE, NONE),
    },
    assumptions=(
        Condition("A is in C_gamma", lambda p: in_class(p["case"]["A"], p["case"]["gamma"])),
        Condition("1 < eta_1 = a_11/a_12 < gamma and a_21 < a_22", lambda p: _prepared(p["case"])),
        Condition(
            "xi > 1 keeps P a TPM of parity at most gamma",
            lambda p: (
                p["case"]["xi"] > 1
                and is_tpm(product(_kernel(p["case"]), p["case"]["A"]))
                and parity(product(_kernel(p["case"]), p["case"]["A"])) <= p["case"]["gamma"]
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"Take $\xi_*$ none of the at most $m-2$ values at which $\vec p_1$ is proportional to a row $\vec a_i$, "
        r"$i\ge3$. $C$ is the only $D$ if and only if the rows of $A$ are linearly independent. In every case $A$ is "
        r"not sufficient for $P$: both are in $\mathcal C_\gamma$, and by Theorem 4.1 $\xi_*\vec a_2$ would be a row "
        r"of $A$.",
        corrected,
    ),
    proof=proof,
    working=working,
    count=90,
    notes="Lemma 4.2 does not assume independent rows; with more responses than categories (m > k, which the paper "
    "allows) they never are. Then P = D A has many solutions D, and for some xi (at most one for each row of A from "
    "the third on) P has proportional rows and is not in C_gamma, which the printed proof does not rule out either. "
    "The conclusion is right all the same, and no D is a TPM: else A would be equivalent to P, or to P with its "
    "proportional rows merged, hence have the same rows in some order (Theorem 4.1), but the only row of A "
    "proportional to a_2 is a_2, not xi a_2, and merged rows are fewer. The lemma itself is proved in lemma-4.2 by "
    "another route.",
)
