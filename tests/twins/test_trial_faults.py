"""The faults in the twins of a trial of 43, one by one in the places of today: a twin of some result sees each of them.

The engine's result is right; SymPy's posing, CVXPY's program, the list of rows of both (*common*), or the judge is
wrong. The numbers count the 43. Faults of the same kinds in places that the trial did not have are in
``test_planted_faults``, ``test_row_faults``, ``test_information_faults`` and ``test_faults_of_results``.
"""

from __future__ import annotations

from contextlib import ExitStack
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from few_rows import few_rows
from planted import Fault, planted, seen, text
from posed_cases import PROBLEMS

import rropt
from rropt.designs import Problem

F = Fraction
S, C = "rropt.symbolic.", "rropt.convex."
PHI, ACTIVE, KKT = S + "objectives.divergences:part", S + "active:", S + "information:"
BOUNDS, JUDGE, TWO = S + "enclosures:", S + "definitions:", S + "designs.two_inputs:"
REGIONS, OWN = C + "regions:", C + "objectives."
CORNER = "binary, corner"


class Row(NamedTuple):
    """Faults that are planted at once, and the results of which a twin sees them.

    Attributes:
        results: the names of problems.
        faults: the faults.
    """

    results: tuple[str, ...]
    faults: tuple[Fault, ...]


def _row(results: str, *faults: tuple[str, Any]) -> Row:
    return Row(tuple(results.split("; ")), tuple(Fault(*fault) for fault in faults))


def _texts(place: str, *changes: tuple[str, str]) -> tuple[str, Any]:
    return place, text(*changes)


_PURE_ROWS = "0 < sum(row) < k"
_PURE_FLOATS = "found[found.max(1) == 0]"
ROWS: dict[str, Row] = {
    "1 SymPy: denominator of chi-square": _row(
        "chi-square", _texts(PHI, ("(a - b) * (a - b) / b)", "(a - b) * (a - b) / a)"))
    ),
    "2 SymPy: half of Hellinger": _row(
        "hellinger", _texts(PHI, ("plain(both / 2) - root", "plain(both) - root - root"))
    ),
    "3 SymPy: squared mean of the information": _row(
        "mutual information", _texts(S + "objectives.mutual_information:phi", ("x / mean)", "x / mean**2)"))
    ),
    "4 SymPy: the other distribution before the logarithm": _row(
        "kullback-leibler", _texts(PHI, ("logarithm(field, a / b).times(a)", "logarithm(field, a / b).times(b)"))
    ),
    "5 SymPy: one half of the mixture": _row("jensen-shannon", _texts(PHI, ("2 * x / both", "x / both"))),
    "6 common: gamma of the excess, sums": _row(
        "kullback-leibler, delta; hellinger, delta; jensen-shannon, delta; mutual information, delta",
        _texts(ACTIVE + "Asked.excess", ("self.gamma * row[pair[1]] if", "row[pair[1]] if")),
        _texts(
            REGIONS + "Rows.conditions",
            (
                "np.maximum(0, rows[:, j] - g.value * rows[:, other])",
                "np.where(rows[:, j] > g.value * rows[:, other], rows[:, j] - rows[:, other], 0)",
            ),
        ),
    ),
    "7 common: gamma of the excess, linear": _row(
        "loss, delta; trace, delta",
        _texts(ACTIVE + "Asked.excess", ("self.gamma * row[pair[1]] if", "row[pair[1]] if")),
        _texts(
            REGIONS + "Rows.conditions",
            (
                "np.maximum(0, rows[:, j] - g.value * rows[:, other])",
                "np.where(rows[:, j] > g.value * rows[:, other], rows[:, j] - rows[:, other], 0)",
            ),
        ),
    ),
    "8 common: edges upwards only": _row(
        "chi-square, delta",
        _texts(S + "rows:edges", ("(x - 1, x + 1)", "(x + 1,)")),
        _texts(REGIONS + "with_zeros", ("(y + 1, y - 1)", "(y + 1,)")),
    ),
    "9 common: rows with one gamma, sums": _row(
        "chi-square; total-variation",
        _texts(S + "rows:staircase_rows", (_PURE_ROWS, "0 < sum(row) < 2")),
        _texts(REGIONS + "without_zeros", (_PURE_FLOATS, "found[(found == 0).sum(1) == 1]")),
    ),
    "10 common: rows with several gammas, information": _row(
        "A",
        _texts(S + "rows:staircase_rows", (_PURE_ROWS, "1 < sum(row) < k")),
        _texts(REGIONS + "without_zeros", (_PURE_FLOATS, "found[(found == 0).sum(1) > 1]")),
    ),
    "11 common: rows with two gammas, linear": _row(
        "trace; trace, weights; loss",
        _texts(S + "rows:staircase_rows", (_PURE_ROWS, "sum(row) == 2")),
        _texts(REGIONS + "without_zeros", (_PURE_FLOATS, "found[(found == 0).sum(1) == 2]")),
    ),
    "12 SymPy: sign of a minimum": _row("loss", _texts(ACTIVE + "Basis.value", (".times(self.sign)", ".times(1)"))),
    "13 SymPy: half of delta": _row(
        "trace, delta; loss, delta",
        _texts(ACTIVE + "Basis.weights", ("self.asked.delta_of(pair) for", "self.asked.delta_of(pair) / 2 for")),
    ),
    "14 SymPy: sign of reduced costs": _row(
        "chi-square",
        _texts(
            ACTIVE + "require_prices",
            ("at.sign(each) < 0 for each in found.red", "at.sign(each) > 0 for each in found.red"),
        ),
    ),
    "15 SymPy: another basis": _row(
        "trace; loss",
        _texts(
            ACTIVE + "Basis.lines",
            ("for row in self.active.rows]", "for row in (self.active.rows[0], *self.active.rows[:-1])]"),
        ),
    ),
    "16 SymPy: phi of variances without its denominator": _row(
        "A",
        _texts(KKT + "of_active", ("due = [_form(field, square, r) / mean for", "due = [_form(field, square, r) for")),
    ),
    "17 SymPy: squares of the means": _row("A", _texts(KKT + "of_active", (" - mean * mean", ""))),
    "18 SymPy: squares of the proportions": _row(
        "E, one eigenvalue", _texts(KKT + "_simple_eigenvalue", ("inverse[i][j] - pi[i] * pi[j]", "inverse[i][j]"))
    ),
    "19 SymPy: equal eigenvalues": _row("E", _texts(KKT + "_equal_eigenvalues", ("-2 if i == j else -1", "-1"))),
    "20 SymPy: scale of a determinant": _row(
        "D", _texts(KKT + "of_active", ("value = field.determinant(M)", "value = field.determinant(M) / k"))
    ),
    "21 SymPy: inverse of an eigenvalue": _row("E", _texts(KKT + "_equal_eigenvalues", ("field.one / mu,", "mu,"))),
    "22 SymPy: square of p00 + p11 - 1": _row(
        "binary", _texts(TWO + "variance", ("(sum(design) - 1) ** 2", "(sum(design) - 1)"))
    ),
    "23 SymPy: p00 at most 1": _row(CORNER, _texts(TWO + "conditions", ("[(one, zero, one), ", "["))),
    "24 SymPy: the worst vertex": _row(
        f"{CORNER}; binary, delta", _texts(TWO + "least_variance", ("min(found.values())", "max(found.values())"))
    ),
    "25 SymPy: exchanged categories": _row(
        CORNER,
        _texts(
            TWO + "variance", ("1 - design[0]) + prevalence * design[1]", "1 - design[1]) + prevalence * design[0]")
        ),
    ),
    "26 bounds: twice the trace": _row("c", _texts(BOUNDS + "_proved", ("gain = 2 * _trace", "gain = _trace"))),
    "27 bounds: squares of the numbers": _row(
        "numbers", _texts(BOUNDS + "_worst", ("max(one - x * x for", "max(one for"))
    ),
    "28 bounds: variance of the prior": _row(
        "numbers", _texts(BOUNDS + "_proved", ('if asked.kind == "numbers" else 0', "if not asked.kind else 0"))
    ),
    "29 judge: half of gamma": _row(
        "trace, delta; loss, delta",
        _texts(JUDGE + "_excess", ("b * p - a * q", "b * p - a * q // 2")),
    ),
    "30 judge: squares of the means": _row("A", _texts(JUDGE + "_variances", (" - _dot(line, pi) ** 2", ""))),
    "31 CVXPY: denominator of chi-square": _row(
        "chi-square",
        (OWN + "divergences:TERMS", lambda own: {**own, "chi-square": lambda a, b, _: (a - b) ** 2 / a}),
    ),
    "32 CVXPY: mean over the categories": _row(
        "mutual information, delta",
        _texts(OWN + "mutual_information:goal", ("xlogy(r, r) @ pi -", "xlogy(r, r).mean(1) -")),
    ),
    "33 CVXPY: squared gamma": _row(
        "chi-square, delta",
        _texts(REGIONS + "Rows.conditions", ("g.value * rows[:, other]", "g.value**2 * rows[:, other]")),
    ),
    "34 CVXPY: sums of columns": _row(
        "trace; loss; payoff", _texts(REGIONS + "entries", ("cp.sum(P, axis=0) == 1", "cp.sum(P, axis=0) <= 1.01"))
    ),
    "35 CVXPY: unordered pairs": _row(
        "trace, delta; loss, delta",
        _texts(
            REGIONS + "entries", ("in enumerate(pairs):", "in enumerate(p if p[0] < p[1] else p[::-1] for p in pairs):")
        ),
    ),
    "36 CVXPY: curved condition": _row(
        "A; c", _texts(OWN + "a_c_contrasts:of_targets", ("[2 * estimates,", "[estimates,"))
    ),
    "37 CVXPY: unit of the variances": _row(
        "A; c", _texts(OWN + "a_c_contrasts:of_targets", ("size(listed) ** 2", "size(listed)"))
    ),
    "38 CVXPY: unit of an eigenvalue": _row("E", _texts(OWN + "e_optimality:goal", ("** -2", "** 2"))),
    "39 CVXPY: root of the chances": _row(
        "D; E", _texts(OWN + "information_matrix:lines_of", ("/ np.sqrt(chances)", "/ chances"))
    ),
    "40 CVXPY: a single t": _row(
        CORNER,
        _texts(
            OWN + "estimator_variance:least",
            ("[min(spread, _LARGEST), 1.0, max(1 / spread, 1 / _LARGEST)]", "[1.0, 1.0, 1.0]"),
            ("before, t = t, np.clip", "before, _ = t, np.clip"),
        ),
    ),
    "41 CVXPY: squares of the numbers": _row(
        "numbers", _texts(OWN + "conditional_variance:goal", ("(x / size(listed)) ** 2", "x / size(listed)"))
    ),
    "42 CVXPY: numbers in reverse": _row(
        "numbers",
        _texts(
            OWN + "conditional_variance:goal",
            ('x / size(listed), len(x), name="numbers"', 'x[::-1] / size(listed), len(x), name="numbers"'),
        ),
    ),
    "43 CVXPY: twice delta": _row(
        f"{CORNER}; binary, delta",
        _texts(OWN + "estimator_variance:least", ("float(condition.delta.value)", "2 * float(condition.delta.value)")),
    ),
}
MORE = {
    "E, one eigenvalue": Problem.kary(epsilon="log(10)", objective="e-optimal", population=["2/5", "2/5", "1/5"]),
}


@cache
def solved(name: str) -> Any:
    return rropt.solve((PROBLEMS | MORE)[name], fast=True)


@few_rows(6)
@pytest.mark.parametrize(("name", "of"), [(name, each) for name, row in ROWS.items() for each in row.results])
def test_a_fault_of_the_trial_is_seen(name: str, of: str) -> None:
    found = solved(of)
    with ExitStack() as faults:
        for fault in ROWS[name].faults:
            faults.enter_context(planted(fault))
        assert seen(found)


@few_rows(1)
@pytest.mark.parametrize("of", sorted({each for row in ROWS.values() for each in row.results}))
def test_without_a_fault_of_the_trial_nothing_is_seen(of: str) -> None:
    assert not seen(solved(of))


def test_the_table_has_the_43_faults_of_the_trial() -> None:
    assert [int(name.split()[0]) for name in ROWS] == list(range(1, 44))
