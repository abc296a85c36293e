"""Objectives as functions of rays: their terms, bounds and estimators against plain sums over the entries."""

from __future__ import annotations

from fractions import Fraction
from math import log
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.objectives.a_c_contrasts import AOptimality, Contrast, Contrasts
from rropt.objectives.bayes_mixture import BayesMixture
from rropt.objectives.d_optimality import DOptimality, _inside_terms, _log_terms, _logs_of_groups
from rropt.objectives.divergences import ChiSquare, KullbackLeibler, TotalVariation
from rropt.objectives.e_optimality import EOptimality, _largest_eigenvalue, _largest_of_groups, largest_variance
from rropt.objectives.estimators import (
    covariance_of,
    raised_to_bits,
    rounded_matrix,
    rounded_to_bits,
    rounded_up,
    rounding_margin,
    unbiased_estimator,
    with_zero_columns,
)
from rropt.objectives.mutual_information import (
    MutualInformation,
    _digits_and_margin,
    _grouped,
    information_digits,
)
from rropt.objectives.objective import Objective
from rropt.objectives.payoff import Payoff
from rropt.objectives.ray_form import ScaledRays, VarianceForm
from rropt.objectives.two_populations import digits_of_small

F = Fraction
PI = (F(1, 2), F(1, 3), F(1, 6))
P = Mechanism([["1/2", "1/4", "1/3"], ["1/4", "1/2", "1/3"], ["1/4", "1/4", "1/3"]])
WIDE = Mechanism([["2/5", "1/5", "1/5"], ["1/5", "2/5", "1/5"], ["1/5", "1/5", "2/5"], ["1/5", "1/5", "1/5"]])
TINY = F(1, 10**30)


def identity(k: int) -> list[list[Fraction]]:
    return [[F(i == j) for j in range(k)] for i in range(k)]


def inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the inverse by Gauss's elimination."""
    k = len(matrix)
    lines = [[*row, *unit] for row, unit in zip(matrix, identity(k), strict=True)]
    for c in range(k):
        at = next(r for r in range(c, k) if lines[r][c])
        lines[c], lines[at] = lines[at], lines[c]
        lines[c] = [x / lines[c][c] for x in lines[c]]
        for r in range(k):
            if r != c:
                lines[r] = [x - lines[r][c] * y for x, y in zip(lines[r], lines[c], strict=True)]
    return [line[k:] for line in lines]


def covariance(mechanism: Mechanism, pi: Any) -> list[list[Fraction]]:
    """Return M^-1 - pi pi^T from the definition of M."""
    k = len(pi)
    m = [[sum(row[i] * row[j] / dot(row, pi) for row in mechanism.matrix) for j in range(k)] for i in range(k)]
    return [[x - pi[i] * pi[j] for j, x in enumerate(row)] for i, row in enumerate(inverse(m))]


def dual(**parts: Any) -> Any:
    bound = parts.pop("bound", F(0))
    along = parts.pop("along", F(0))
    parts.setdefault("weights", None)
    return SimpleNamespace(**parts, bound=lambda: bound, along=lambda targets: along)


# estimators and rounding


def test_an_unbiased_estimator_and_its_covariance() -> None:
    targets = [[F(1), F(-1), F(0)], [F(0), F(1), F(2)]]
    found = unbiased_estimator(WIDE, PI, targets)
    assert found is not None
    for row, target in zip(found, targets, strict=True):
        assert [dot(row, column) for column in zip(*WIDE.matrix, strict=True)] == target
    chances = WIDE.apply(PI)
    means = [dot(target, PI) for target in targets]
    expected = [
        [
            sum(c * a * b for c, a, b in zip(chances, x, y, strict=True)) - m * n
            for y, n in zip(found, means, strict=True)
        ]
        for x, m in zip(found, means, strict=True)
    ]
    assert covariance_of(found, WIDE, PI, targets) == expected
    form = VarianceForm(PI, F(2), targets)
    assert form.variance(found, WIDE) == expected[0][0] + expected[1][1]
    best = Contrasts(targets).value(WIDE, PI)
    assert 0 <= form.variance(found, WIDE) - best < TINY  # 64 bits: about 2^-100 after the correction
    proved = form.proved(WIDE)
    assert proved is not None
    assert proved[1] == {"estimators": [found]}
    assert form.variance(found, WIDE) <= proved[0] <= form.variance(found, WIDE) + F(1, 10**38)
    exact = form.proved(P)
    assert exact is not None
    assert exact[0] == form.variance(exact[1]["estimators"][0], P)  # as many outputs as categories: not rounded


def test_no_estimator() -> None:
    """Fewer outputs than categories, dependent rows, or a start that is not finite."""
    pair = Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])
    assert unbiased_estimator(pair, PI, identity(3)) is None
    assert unbiased_estimator(pair, PI, [[F(1), F(0), F(0)]]) is not None  # two equal columns are one category
    same = Mechanism([["1/3"] * 3] * 3)
    assert unbiased_estimator(same, PI, identity(3)) is None
    assert unbiased_estimator(P, PI, identity(3), np.full((3, 3), np.nan)) is None
    form = VarianceForm(PI, F(2), identity(3))
    assert form.proved(pair) is None
    with pytest.raises(ZeroDivisionError):
        form.corner_matrix(pair)


def test_rounding() -> None:
    assert rounded_to_bits(F(1, 3), 1.0, 4) == F(3, 8)  # the unit is 2^(1 - 4)
    assert rounded_to_bits(F(1, 3), 0.9, 4) == F(5, 16)
    assert rounded_to_bits(F(5, 16), 0.0, 4) == F(1, 4)  # as if the largest were 1; ties to even
    assert rounded_to_bits(F(-7, 16), 1.0, 4) == F(-1, 2)
    assert [raised_to_bits(x, 1.0, 4) for x in (F(1, 3), F(3, 8), F(-1, 3), F(0))] == [F(3, 8), F(3, 8), F(-1, 4), 0]
    assert raised_to_bits(F(1, 100), 0.9, 3) == F(1, 8)
    assert raised_to_bits(F(1, 100), 0, 3) == F(1, 4)
    assert rounded_up(F(1, 3), 2) == F(1, 3)  # short
    assert rounded_up(F(1, 100), 2) == F(164, 2**14)  # frexp has the exponent -6, and two digits are 8 bits
    assert rounded_up(F(-1, 3) - F(1, 10**60)) >= F(-1, 3) - F(1, 10**60)


def test_rounding_up_keeps_digits() -> None:
    for x in (F(1, 7**60), F(10**50 + 1, 7**60), F(-22, 7**60), F(10**70, 3**100)):
        for digits in (3, 40):
            found = rounded_up(x, digits)
            assert 0 <= found - x <= abs(x) / F(16) ** digits * 2
            assert (found.denominator & (found.denominator - 1)) == 0  # a power of two
    assert rounding_margin(F(-3)) == F(4, 10**36)
    assert rounding_margin(F(0)) == F(1, 10**36)


def test_columns_that_sum_to_zero() -> None:
    rows = np.array([[0.5, -0.25], [1.0, 0.75], [9.0, 9.0]])
    assert with_zero_columns(rows) == ((F(1, 2), F(-1, 4)), (1, F(3, 4)), (F(-3, 2), F(-1, 2)))
    assert with_zero_columns(rows, [2, 1, 4])[2] == (F(-1, 2), F(-1, 16))
    third = rounded_matrix(np.array([[1 / 3, 1.0]]))[0]
    assert third == [F(1 / 3), 1]
    assert rounded_matrix(np.zeros((1, 1))) == [[0]]


# sums of variances


def test_the_direction_of_two_categories() -> None:
    form = VarianceForm((F(1, 3), F(2, 3)), F(2), [[F(1), F(4)], [F(2), F(0)]])
    assert form.direction == ([-3, 2], [3, -2])
    assert VarianceForm(PI, F(2), identity(3)).direction is None
    assert (form.is_total, VarianceForm(PI, F(2), identity(3)).is_total) == (False, True)


def test_a_corner_is_the_covariance_with_the_targets() -> None:
    targets = [[F(1), F(-1), F(0)], [F(1), F(2), F(3)]]
    v = covariance(WIDE, PI)
    found = VarianceForm(PI, F(2), targets).corner_matrix(WIDE)
    assert found == [[dot(row, target) for target in targets] for row in v]
    assert [sum(column) for column in zip(*found, strict=True)] == [0, 0]
    traced = sum(dot(t, [dot(row, t) for row in v]) for t in targets)
    assert Contrasts(targets).value(WIDE, PI) == traced
    assert AOptimality().value(WIDE, PI) == sum(v[i][i] for i in range(3))
    assert Contrast([1, -1, 0]).value(WIDE, PI) == v[0][0] + v[1][1] - 2 * v[0][1]


def test_squares_of_rows() -> None:
    """phi = |p W|^2/(p.pi), its steps in floats, and the size of the terms that cancel."""
    w = [[F(1), F(-2)], [F(1, 3), F(5)], [F(-4, 3), F(-3)]]
    form, row = VarianceForm(PI, F(2), identity(3)), (F(2), F(1, 2), F(1))
    images = [dot(row, column) for column in zip(*w, strict=True)]
    assert form.phi(w, row) == form.exact_phi(w)(row) == dot(images, images) / dot(row, PI)
    steps = np.array([[1.0, -0.5, 0.0]])
    image = [1 - 1 / 6, -2 - 2.5]
    np.testing.assert_allclose(form.float_phi(w, 1 + steps, steps), [image[0] ** 2 + image[1] ** 2])
    np.testing.assert_allclose(form.cancelled(w, 1 + steps, steps), [(1 + 1 / 6) * image[0] + (2 + 2.5) * 4.5])


def test_forms_over_groups() -> None:
    form = VarianceForm((F(1, 4), F(1, 8)), F(3), identity(2)).over((2, 4))
    assert (form.groups, form.several) == ((2, 4), [0, 1])
    assert form.targets == [[2, 0], [0, 4]]
    assert form.column_weights == (2, 4)
    assert form.insides(dual(inside=[F(-3), F(1, 2)])) == [9, F(1, 4)]
    assert VarianceForm(PI, F(3), identity(3)).over((1, 3, 1)).several == [1]
    assert form.chance((1, 3)) == 1 + 2 * (F(1, 4) + F(3, 8))
    assert form.paid(dual(alpha=[F(1, 5), F(2, 5)], bound=F(7)), (1, 3)) == 7 + 2 * (F(1, 5) + F(6, 5))


def test_bounds_of_a_dual() -> None:
    """tr(C W)^2/B, with the numbers of groups, and rounded down where it is long and of single categories."""
    form = VarianceForm((F(1, 4), F(1, 8)), F(3), identity(2)).over((2, 4))
    assert form.bound(dual(groups=(2, 4), inside=[F(1), F(2)], along=F(5), bound=F(8))) == F((5 + 1 + 6) ** 2, 8)
    one, long = VarianceForm(PI, F(2), identity(3)), F(1, 3**100)
    assert one.bound(dual(groups=(), along=F(3), bound=F(2))) == F(9, 2)
    found = one.bound(dual(groups=(), along=long, bound=F(1)))
    assert long**2 * (1 - F(1, 10**40)) <= found < long**2
    two = VarianceForm((F(1, 2), F(1, 2)), F(2), identity(2))
    assert two.bound(dual(groups=(), along=long, bound=F(1))) == long**2


def test_the_excess_of_staircase_rows() -> None:
    """The mean of |p W|^2 over an orbit over s^2, minus what is paid, by the entries of the row."""
    groups, pi, gamma = (2, 3), (F(1, 8), F(1, 4)), F(3)
    lines, x = [[F(3), F(6)], [F(-2), F(-4)]], [F(1, 2), F(1, 5)]
    for form, weights in (
        (DOptimality().on_rays(pi, gamma), None),
        (AOptimality().on_rays(pi, gamma), (F(2), F(1, 7))),
    ):
        over: Any = form.over(groups)
        one = dual(inside=x, matrix=lines, weights=weights, alpha=[F(1, 9), F(2, 9)], bound=F(5))
        inside = x if weights is None else [a * a for a in x]
        for counts in ((0, 0), (1, 2), (2, 3), (0, 1)):
            rows = [[gamma] * c + [F(1)] * (n - c) for n, c in zip(groups, counts, strict=True)]
            sigma, squares = [sum(r, F(0)) for r in rows], [dot(r, r) for r in rows]
            s = dot(pi, sigma)
            left = sum(a * (q - t * t / n) for a, q, t, n in zip(inside, squares, sigma, groups, strict=True))
            for d, column in zip(weights or (1, 1), zip(*lines, strict=True), strict=True):
                left += d * dot(sigma, column) ** 2
            paid = 5 + 2 * dot([F(1, 9), F(2, 9)], counts)
            assert over.chance(counts) == s
            assert over.excess(one, counts) == left / s**2 - paid / s


def test_nearly_equal_columns_get_their_mean() -> None:
    """Categories 0 and 2 have one target, and columns that differ by 1e-10."""
    small = F(1, 10**10)
    rows = [[F(1, 2), F(1, 4), F(1, 2) + small], [F(1, 2), F(3, 4), F(1, 2) - small]]
    form = VarianceForm(PI, F(2), [[F(1), F(0), F(1)]])
    even = form._with_equal_columns(Mechanism(rows))
    assert even.matrix[0] == (F(1, 2) + small / 2, F(1, 4), F(1, 2) + small / 2)
    made = form.completed(Mechanism(rows), lambda: P, lambda one: True)
    assert made == even
    mixed = form.completed(Mechanism(rows), lambda: P, lambda one: False)
    part = F(1, 2**44)
    assert [list(row) for row in mixed.matrix] == [
        *[[(1 - part) * x for x in row] for row in rows],
        *[[part * x for x in row] for row in P.matrix],
    ]
    apart = VarianceForm(PI, F(2), [[F(1), F(0), F(2)]])
    assert apart._with_equal_columns(Mechanism(rows)).matrix == Mechanism(rows).matrix
    assert form.completed(P, lambda: P, lambda one: True) is P


# determinants and eigenvalues


def test_logarithms_of_terms() -> None:
    terms = [(2, F(3, 4)), (-1, F(-5)), (3, F(7, 2))]
    with mp.workdps(60):
        truth = 2 * mp.log(mp.mpf(3) / 4) - mp.log(5) + 3 * mp.log(mp.mpf(7) / 2)
        size = 2 * abs(mp.log(mp.mpf(3) / 4)) + mp.log(5) + 3 * mp.log(mp.mpf(7) / 2)
        found, margin = _log_terms(terms)
        assert mp.mpf(found.lower.numerator) / found.lower.denominator <= truth
        assert mp.mpf(found.upper.numerator) / found.upper.denominator >= truth
        assert found.gap < F(1, 10**60)
        assert mp.mpf(margin.numerator) / margin.denominator == pytest.approx((1 + size) * mp.mpf(10) ** -36, rel=1e-12)
    assert _inside_terms((1, 3, 2), (F(5), F(6), F(7))) == [(2, 6), (1, 7)]


def test_the_bound_of_a_determinant() -> None:
    """d ln(B/d) - 2 sum ln |W_jj| - sum (n_g - 1) ln x_g - sum ln n_g, plus twice the last ln n_g."""
    form = DOptimality().on_rays((F(1, 8), F(1, 8), F(1, 6)), F(2)).over((2, 1, 3))
    one = dual(matrix=[[F(-2), F(0)], [F(1), F(3)], [F(1), F(-3)]], inside=(F(1, 2), F(9), F(1, 5)), bound=F(7))
    truth = 5 * log(7 / 5) - 2 * log(2) - 2 * log(3) - log(1 / 2) - 2 * log(1 / 5) - log(2) + log(3)
    assert float(form.bound(one)) == pytest.approx(truth, rel=1e-14)


def test_determinants_of_groups() -> None:
    """ln det M of orbits is that of the listed matrix, and so is the largest variance; the value is proved."""
    mechanism = OrbitMechanism(
        [2, 2],
        [
            [[("1/4", 1), ("1/8", 1)], [("1/8", 2)]],
            [[("1/8", 2)], [("1/4", 1), ("1/8", 1)]],
            [[("3/8", 2)], [("3/8", 2)]],
        ],
    )
    pi = [F(1, 6), F(1, 6), F(1, 3), F(1, 3)]
    whole = Mechanism(mechanism)
    grouped, listed = (DOptimality().value(each, pi) for each in (mechanism, whole))
    assert abs(grouped - listed) < TINY
    rows = [[sum(r[i] * r[j] / dot(r, pi) for r in whole.matrix) for j in range(4)] for i in range(4)]
    assert float(listed) == pytest.approx(np.log(np.linalg.det(np.array(rows, dtype=float))), rel=1e-12)
    v = np.array(covariance(whole, pi), dtype=float)
    for each in (mechanism, whole):
        assert float(EOptimality().value(each, pi)) == pytest.approx(np.linalg.eigvalsh(v)[-1], rel=1e-12)
    for objective, sign in ((DOptimality(), 1), (EOptimality(), -1)):
        form: Any = objective.on_rays((F(1, 6), F(1, 3)), F(2)).over((2, 2))
        proved = form.proved_by_orbits(mechanism)
        assert 0 <= sign * (objective.value(mechanism, pi) - proved) < F(1, 10**34)
    total: Any = AOptimality().on_rays((F(1, 6), F(1, 3)), F(2)).over((2, 2))
    assert total.proved_by_orbits(mechanism) == AOptimality().value(whole, pi)
    flat = OrbitMechanism([2, 2], [[[("1", 2)], [("1", 2)]]])
    for objective in (DOptimality(), EOptimality(), AOptimality()):
        form = objective.on_rays((F(1, 6), F(1, 3)), F(2)).over((2, 2))
        assert form.proved_by_orbits(flat) is None
    assert _logs_of_groups(total.information(flat)) is None


def test_proofs_of_determinants_and_eigenvalues() -> None:
    """A determinant from below and an eigenvalue from above, by less than the digits that are kept."""
    v = covariance(WIDE, PI)
    for objective, sign in ((DOptimality(), 1), (EOptimality(), -1)):
        form: Any = objective.on_rays(PI, F(2))
        proved = form.proved(WIDE)
        assert proved is not None
        assert 0 <= sign * (objective.value(WIDE, PI) - proved[0]) < F(1, 10**28)
        assert form.proved(Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])) is None
    minor = v[0][0] * v[1][1] - v[0][1] ** 2
    assert float(DOptimality().value(WIDE, PI)) == pytest.approx(-log(minor), rel=1e-12)
    warner = Mechanism.binary("3/4", "3/4")
    assert DOptimality().value(warner, ["1/2", "1/2"]) == 0  # a determinant of exactly 1


def test_the_bound_of_an_eigenvalue() -> None:
    form = EOptimality().on_rays((F(1, 8), F(1, 4)), F(2)).over((2, 3))
    one = dual(matrix=[[F(3), F(0)], [F(-2), F(1)]], inside=(F(1, 2), F(1, 3)), bound=F(5))
    assert form.bound(one) == (2 * 9 + 3 * 5 + F(1, 2) + 2 * F(1, 3)) / 5
    form, column = EOptimality().on_rays(PI, F(2)), [[F(1)], [F(-2)], [F(1)]]
    assert form.bound(dual(matrix=column, inside=(), bound=F(4))) == F(6, 4)
    assert form.bound(dual(matrix=column, weights=(F(1, 3),), inside=(), bound=F(4))) == F(2, 4)


def test_eigenvalues_of_groups() -> None:
    """One group has the eigenvalue x alone; with two, that of the contrast between them may be larger."""
    one: Any = SimpleNamespace(groups=(3,), diagonal=(F(7, 2),), blocks=((F(1),),))
    assert tuple(_largest_of_groups(one, [F(1, 3)])) == (F(7, 2), F(7, 2))
    for x in (F(1, 2), F(50)):
        two: Any = SimpleNamespace(groups=(2, 1), diagonal=(x, F(3)), blocks=((F(1, 5), F(1, 7)), (F(1, 7), F(2))))
        shares = [F(1, 4), F(1, 2)]
        full = np.array(
            [[float(x * (i == j) + F(1, 5) - F(1, 16)) if i < 2 and j < 2 else 0.0 for j in range(3)] for i in range(3)]
        )
        full[:2, 2] = full[2, :2] = float(F(1, 7) - F(1, 8))
        full[2, 2] = float(5 - F(1, 4))
        found = _largest_of_groups(two, shares)
        assert float(found.lower) == pytest.approx(np.linalg.eigvalsh(full)[-1], rel=1e-12)
        assert 0 <= found.gap <= found.lower / 2**110


def test_narrow_eigenvalues() -> None:
    """The larger root of x^2 - 5x + 5 is enclosed to 110 bits; the variance 2 of Warner's design is exact."""
    from rropt.core.exact.flint_numbers import flint_matrix

    found = _largest_eigenvalue(flint_matrix([[F(2), F(1)], [F(1), F(3)]]))
    assert found.lower**2 - 5 * found.lower + 5 <= 0 <= found.upper**2 - 5 * found.upper + 5
    assert found.gap <= found.lower / 2**110
    assert largest_variance(Mechanism.binary("3/4", "3/4"), (F(1, 2), F(1, 2))).is_exact


# sums over outputs


def test_digits_that_cancel() -> None:
    """At 2^-n, 2 n log10 2 digits are lost, less those that are held; at 1 or 0 none."""
    for largest, held, digits in (
        (F(0), 2, 37),
        (F(1), 2, 37),
        (F(1, 2), 2, 37),
        (F(1, 2**4), 2, 38),  # 2.4 digits, rounded up
        (F(1, 2**5), 2, 39),  # 3.01
        (F(1, 2**5), 0, 41),
        (F(3, 2**5), 0, 37 + 3),  # as 1/8: 2.4 rounded up, with bits 6 and 2
    ):
        assert digits_of_small(largest, 37, held) == digits, (largest, held)
    assert information_digits(F(2)) == 36
    assert information_digits(F(10**7)) == 37  # one more than the six digits that are held
    assert information_digits(1 + F(1, 2**5)) == 40
    with pytest.raises(UnsupportedProblemError, match=r"allowed are [0-9]+ digits; raise epsilon"):
        KullbackLeibler(PI[::-1]).on_rays(PI, 1 + F(1, 10**3000))


def test_margins_of_information() -> None:
    assert _digits_and_margin(F(1, 2), F(2)) == (36, F(1, 10**32))
    assert _digits_and_margin(F(1), F(2)) == (36, F(1, 10**32))
    assert _digits_and_margin(1 - F(1, 500), F(2)) == (38, F(1, 10**34))
    assert _digits_and_margin(F(1, 2), F(1))[0] == 40


def test_information_of_rows() -> None:
    form: Any = MutualInformation().on_rays(PI, F(3))
    row = (F(3), F(1), F(0))
    s = F(3, 2) + F(1, 3)
    truth = 1.5 * log(3 / float(s)) + log(1 / float(s)) / 3
    assert float(form.phi(None, row)) == pytest.approx(truth, rel=1e-14)
    assert form.float_phi(None, np.array([[2.0, 0.0, 0.0]]), np.array([[1.0, -1.0, -1.0]]))[0] == pytest.approx(
        0.5 * (2 * log(2) - 1) + 1 / 3 + 1 / 6
    )
    assert sorted(_grouped((F(2), F(0), F(2), F(5)), (F(1, 4), F(1, 4), F(1, 4), F(0)))) == [(F(1, 2), 2)]
    value, proved = MutualInformation().value(P, PI), form.proved(P)
    assert 0 < value - proved[0] < 2 * form.margin
    assert form.proved(Mechanism([["1/2"] * 3] * 2))[0] == 0
    assert MutualInformation().value(Mechanism([["1/2"] * 3] * 2), PI) == 0


def test_information_of_orbits() -> None:
    """The excess by the definition of the information of a row, and the weights of its slices."""
    groups, pi, gamma = (2, 3), (F(1, 8), F(1, 4)), F(3)
    form: Any = MutualInformation().on_rays(pi, gamma).over(groups)
    one = dual(alpha=[F(1, 9), F(2, 9)], bound=F(1, 5))
    for counts in ((0, 1), (1, 2), (2, 3)):
        s = 1 + 2 * float(dot(pi, counts))
        own = float(dot(pi, counts)) * 3 * log(3) - s * log(s)
        paid = 0.2 + 2 * float(dot([F(1, 9), F(2, 9)], counts))
        assert float(form.excess(one, counts)) == pytest.approx((own - paid) / s, rel=1e-13)
    assert form.slices == (1, 2)
    assert MutualInformation().on_rays((F(1, 4097), F(4096, 4097)), gamma).slices == (round(4096 / 4097), 4095)
    assert MutualInformation().on_rays((F(1, 4096), F(4095, 4096)), gamma).slices == (1, 4095)
    mechanism = OrbitMechanism([2, 3], [[[("1/3", 2)], [("2/3", 3)]], [[("2/3", 2)], [("1/3", 3)]]])
    shares = [F(1, 8)] * 2 + [F(1, 4)] * 3
    value = MutualInformation().value(mechanism, shares)
    assert 0 < value - form.proved_by_orbits(mechanism) < 2 * form.margin


def test_divergences_of_rows() -> None:
    q = PI[::-1]
    row = (F(3), F(1), F(2))
    a, b = dot(row, PI), dot(row, q)
    for objective, truth in (
        (TotalVariation(q), abs(a - b) / 2),
        (ChiSquare(q), (a - b) ** 2 / b),
    ):
        form: Any = objective.on_rays(PI, F(3))
        assert (form.phi(None, row), form.margin, form.linear) == (truth, 0, [0, 0, 0])
        assert form.proved(P)[0] == objective.value(P, PI)
    form = KullbackLeibler(q).on_rays(PI, F(3))
    assert form.linear == form.apart == [F(1, 3), 0, F(-1, 3)]
    assert form.digits == digits_of_small(F(1, 3), 37, 2)
    assert form.margin == F(1, 10 ** (form.digits - 6))
    truth = float(a) * log(a / b) - float(a - b)
    assert float(form.phi(None, row)) == pytest.approx(truth, rel=1e-12)
    with mp.workdps(60):
        exact = mp.mpf(a.numerator) / a.denominator * mp.log(mp.mpf((a / b).numerator) / (a / b).denominator)
        over = form.phi(None, row) + (a - b)
        added = mp.mpf(over.numerator) / over.denominator - exact
        scale = float(a + b) + float(exact)
        assert added == pytest.approx(scale * mp.mpf(form.margin.numerator) / form.margin.denominator, rel=1e-9)
    value, proved = KullbackLeibler(q).value(P, PI), form.proved(P)[0]
    assert 0 < value - proved < 8 * form.margin
    steps = np.array([[1.0, -0.5, 0.25]])
    first, second = (float(dot(map(F, (2.0, 0.5, 1.25)), x)) for x in (PI, q))
    assert form.float_phi(None, 1 + steps, steps)[0] == pytest.approx(
        first * log(first / second) - first + second, rel=1e-12
    )


def test_payoffs_of_rows() -> None:
    one = Payoff([[1, 0, 0], [0, 2, -1]])
    form: Any = one.on_rays(PI, F(2))
    assert [form.phi(None, row) for row in ((F(2), F(1), F(1)), (F(1), F(2), F(1)))] == [1, F(7, 6)]
    rows = np.array([[2.0, 1.0, 1.0], [1.0, 2.0, 1.0]])
    np.testing.assert_allclose(form.float_phi(None, rows, rows - 1), [1, 7 / 6])
    assert one.labelled_costs(PI) == ((F(-1, 2), 0, 0), (0, F(-2, 3), F(1, 6)))
    assert (one.parameter(), form.bound(dual(bound=F(3)))) == ((1, 0, 0), 3)
    assert Payoff().sized(2).matrix == ((1, 0), (0, 1))


def lines_of(rows: Any, root: Any) -> ScaledRays:
    rows = np.array(rows, dtype=float)
    return ScaledRays(rows, rows - 1, root, (rows - 1) @ root)


def test_mixtures_of_sums() -> None:
    """The mean of phi at each distribution, in fractions and in floats, with rays scaled for each."""
    others = (PI, PI[::-1])
    mixed = BayesMixture(KullbackLeibler((F(1, 3),) * 3), ["1/4", "3/4"], others)
    form: Any = mixed.on_rays(mixed.mean, F(2))
    parts = [KullbackLeibler((F(1, 3),) * 3).on_rays(pi, F(2)) for pi in others]
    row = (F(2), F(1), F(1))
    assert form.phi(None, row) == parts[0].phi(None, row) / 4 + 3 * parts[1].phi(None, row) / 4
    assert form.linear == [(x + 3 * y) / 4 for x, y in zip(parts[0].linear, parts[1].linear, strict=True)]
    assert form.margin == max(part.margin for part in parts)
    assert form.digits == max(part.digits for part in parts)
    rows = np.array([[2.0, 1.0, 1.0]])
    found = form.float_phi(None, rows, rows - 1)[0]
    assert found == pytest.approx(float(form.phi(None, row)), rel=1e-12)
    assert form.cancelled(None, rows, rows - 1)[0] == pytest.approx(found, rel=1e-12)
    assert mixed.mean == tuple((x + 3 * y) / 4 for x, y in zip(*others, strict=True))
    assert (mixed.sense, mixed.at(PI)) == ("maximise", "")
    values = [part.proved(P)[0] for part in parts]
    assert form.proved(P) == ((values[0] + 3 * values[1]) / 4, {})
    assert (form.is_sum, form.is_rational, form.has_corners) == (True, False, True)


def test_mixtures_of_variances() -> None:
    others = (PI, PI[::-1])
    mixed = BayesMixture(Contrast([1, 0, -1]), ["1/4", "3/4"], others)
    form: Any = mixed.on_rays(mixed.mean, F(2))
    w = [[[F(1)], [F(2)], [F(-3)]], [[F(0)], [F(1)], [F(-1)]]]
    row = (F(2), F(1), F(1))
    images = [dot(row, [x for (x,) in each]) ** 2 for each in w]
    assert form.phi(w, row) == images[0] / dot(row, others[0]) / 4 + 3 * images[1] / dot(row, others[1]) / 4
    # tr C W is 1 + 3 at the first and 0 + 1 at the second distribution
    assert form.bound(dual(matrix=w, bound=F(5))) == (F(1, 4) * 4 + F(3, 4)) ** 2 / 5
    root = np.linalg.qr(np.column_stack([np.ones(3), np.eye(3)[:, 1:]]))[0][:, 1:]
    criterion = form.criterion(lines_of([[2, 1, 1], [1, 2, 1], [1, 1, 2], [0.5, 1, 1]], root))
    assert len(criterion.parts) == 2
    largest = max(float(np.abs(0.25 * root.T @ [1, 0, -1]).max()), float(np.abs(0.75 * root.T @ [1, 0, -1]).max()))
    for (features, target), weight, pi in zip(criterion.parts, (0.25, 0.75), others, strict=True):
        np.testing.assert_allclose(target[:, 0], weight * root.T @ [1, 0, -1] / largest, atol=1e-12)
        s = float(dot(map(F, (2, 1, 1)), pi))
        np.testing.assert_allclose(features[0], np.sqrt(weight / s) * (np.array([1.0, 0, 0]) @ root))
    proved = form.proved(P)
    each = [Contrast([1, 0, -1]).value(P, pi) for pi in others]
    assert 0 <= proved[0] - (each[0] + 3 * each[1]) / 4 < TINY
    assert len(proved[1]["estimators"]) == 2
    assert (form.is_sum, form.has_corners) == (False, False)
    matrices, scale = form.witness(criterion, np.array([1.0, 2.0, -4.0, 0.5]), root)
    blocks = [root @ np.array([[1.0], [2.0]]), root @ np.array([[-4.0], [0.5]])]
    largest = max(float(np.abs(block).max()) for block in blocks)
    assert scale == pytest.approx(largest**2)
    for found, block in zip(matrices, blocks, strict=True):
        np.testing.assert_allclose(np.array(found, dtype=float), block / largest, atol=1e-12)
        assert sum(x for (x,) in found) == 0


@pytest.mark.parametrize("objective", [DOptimality(), EOptimality()])
def test_other_objectives_are_not_mixed(objective: Objective) -> None:
    with pytest.raises(UnsupportedProblemError, match=f"{objective.kind} cannot be mixed over distributions"):
        BayesMixture(objective, ["1/4", "3/4"], (PI, PI[::-1])).on_rays(PI, F(2))
