"""Rules 35 and 39: ranges of second derivatives, extreme files, and covers of three coefficients."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pytest
from adversary.likelihoods import NAMES, Model
from fuzz.regression_covers import Cells, boxed, cover
from fuzz.regression_models import drawn
from fuzz.regression_models import file as model_file
from fuzz.regressions import DEVICES, Sample, bounds, boxes, file
from mpmath import mp, mpf

from rropt.checker import check_text
from rropt.checker.documents import Budget, Rejected
from rropt.checker.intervals import Arithmetic
from rropt.checker.regression_models import Family, predictors
from rropt.checker.regression_rules import _Row
from rropt.checker.regression_tables import Tables

F = Fraction


def judged(*arguments: Any) -> Any:
    return check_text(json.dumps(file(*arguments)))


def test_curvatures_lie_in_their_ranges(size: Callable[[int, int], int]) -> None:
    """At random points of a box the second derivative is within rho of minus the identity, and ends are attained."""
    rng, tight = random.Random(35), 0.0
    for piece in islice((piece for piece in boxes(rng) if piece.true), size(15, 300)):
        claim, groups = piece.document["claim"], piece.document["problem"]["groups"]
        rows = []
        for group in groups:
            matrix = [[F(v) for v in row] for row in group["mechanism"]["matrix"]]
            rows += [
                (matrix, [F(v) for v in row["covariates"]], [F(n) for n in row["counts"]]) for row in group["rows"]
            ]
        sample = Sample(tuple(rows))
        W = np.array([[float(F(v)) for v in row] for row in claim["directions"]])
        centre, radius = np.array([float(F(v)) for v in claim["point"]]), float(F(claim["radius"]))
        _, rho = bounds(sample, centre, W, radius)
        for _ in range(5):
            u = np.array([rng.choice((-1, 1, rng.uniform(-1, 1))) * radius for _ in centre])
            second = W.T @ sample.derivatives(centre + W @ u)[1] @ W
            found = np.abs(np.eye(len(u)) + second).sum(axis=1).max()
            assert found <= rho + 1e-9
            tight = max(tight, found / rho)
    assert tight > 0.9


def test_the_maximum_is_as_near_as_is_said(size: Callable[[int, int], int]) -> None:
    """A box whose errors are smaller than the distance is refused, however its centre was moved."""
    rng = random.Random(7)
    one = DEVICES[1]
    for _ in range(size(10, 200)):
        no, yes = rng.randint(40, 60), rng.randint(40, 60)
        share = (yes / (no + yes) - 0.25) * 2
        best = math.log(share / (1 - share))
        away = F(rng.randint(-400, 400), 10**4)
        centre = F(round(best * 10**9), 10**9) + away
        sample = Sample(((one, (F(1),), (F(no), F(yes))),))
        assert judged(sample, [centre], [[F(2, 5)]], F(1, 2), [abs(away) * 3 + F(1, 10**6)])
        assert not judged(sample, [centre], [[F(2, 5)]], F(1, 2), [abs(away) * F(99, 100) - F(1, 10**6)])


@pytest.mark.parametrize("digits", [1, 12, 300])
def test_extreme_numbers_are_refused_or_accepted_without_a_crash(digits: int) -> None:
    huge, tiny = F(10**399), F(1, 10**399)
    direct = DEVICES[0]
    odd = ((1 - tiny, tiny), (tiny, 1 - tiny))
    for device in (direct, odd):
        for counts in ((huge, huge), (tiny, tiny), (huge, tiny), (F(4), F(4))):
            for W in (tiny, F(1, 2), huge):
                for x in (tiny, F(1), huge):
                    sample = Sample(((device, (x,), counts),))
                    for point in (F(0), tiny, F(999)):
                        verdict = judged(sample, [point], [[W]], F(1, 2), [F(1)], digits)
                        assert "unforeseen" not in verdict.reason, verdict.reason


@pytest.mark.parametrize("digits", [1, 30])
def test_derivatives_beyond_all_bounds_are_refused_in_one_line(digits: int) -> None:
    """On the box the probability of a response falls to 1e-1390, so that the second derivative is beyond 1e2700."""
    model = Model("probit", ((DEVICES[0], (F(1),), (), (F(0), F(5))),))
    certificate = model_file(model, [F(-40)], [[F(1)]], F(40), [F(1000)])
    certificate["witness"]["digits"] = str(digits)
    assert "is too large on the box" in check_text(json.dumps(certificate)).reason


def test_a_list_of_coefficients_has_a_limit() -> None:
    for p in (64, 65):
        unit = [[F(int(j == k), 2) for k in range(p)] for j in range(p)]
        rows = [(DEVICES[0], tuple(F(int(j == k)) for k in range(p)), (F(8), F(8))) for j in range(p)]
        verdict = judged(Sample(tuple(rows)), [F(0)] * p, unit, F(1, 100), [F(1)] * p)
        assert bool(verdict) == (p == 64)


def test_the_budget_ends_long_files(size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch) -> None:
    """8000 rows are beyond the budget; in the gate, 130 beyond a 64th of it."""
    monkeypatch.setattr("rropt.checker.documents.MAX_WORK", (1 << 20) // size(64, 1))
    rows = tuple((DEVICES[1], (F(1), F(j, 1000)), (F(3), F(3))) for j in range(size(130, 8000)))
    unit = [[F(1, 100), F(0)], [F(0), F(1, 100)]]
    assert "more work than the checker does" in judged(Sample(rows), [F(0)] * 2, unit, F(1, 100), [F(1)] * 2).reason
    assert "concave" in judged(Sample(rows[:50]), [F(0)] * 2, unit, F(1, 100), [F(1)] * 2).reason


def test_slopes_of_cells_far_away_are_refused() -> None:
    """A leaf `g` asks again that no linear predictor is beyond its limit."""
    sample = Sample(((DEVICES[1], (F(1),), (F(72), F(72))),))
    made = file(sample, [F(0)], [[F(1, 3)]], F(1, 4), [F(1)])
    for reach, words in ((4000, "a linear predictor is beyond"), (1000, "the gradient is not proved")):
        verdict = check_text(json.dumps(cover(made, F(reach), ["0gg", "v", "v"])))
        assert words in verdict.reason


def test_covers_of_two_and_three_coefficients() -> None:
    rng = random.Random(34)
    for p in (2, 3):
        rows = []
        for j in range(2**p):
            x = (F(1), *(F(j >> k & 1) for k in range(p - 1)))
            rows.append((DEVICES[1], x, (F(rng.randint(40, 60)), F(rng.randint(40, 60)))))
        sample = Sample(tuple(rows))
        box = boxed(sample, sample.maximum())
        assert box is not None
        point, W, radius, errors = box
        cells = Cells(sample, point, W, float(radius), "v")
        cells.left, cells.deepest = 4000, 40
        trees = cells.trees(float(16 * radius))
        assert cells.is_honest
        made = cover(file(sample, point, W, radius, errors), 16 * radius, trees)
        assert check_text(json.dumps(made))
        for k, text in enumerate(trees):
            coarser = [*trees[:k], "v", *trees[k + 1 :]]
            assert text == "v" or not check_text(json.dumps(cover(made, 16 * radius, coarser)))


@pytest.mark.parametrize("name", [*NAMES, "logit"])
def test_derivatives_lie_in_their_ranges(name: str, size: Callable[[int, int], int]) -> None:
    """Second derivatives at random points of a box, by complex steps of the likelihood, lie between L and U."""
    rng = random.Random(f"ranges {name}")
    for _ in range(size(6, 200)):
        model, theta = drawn(rng, "probit" if name == "logit" else name)
        model = Model(name, model.rows)
        matrix, x, e, counts = model.rows[-1]
        family = Family(name, Arithmetic(30, Budget()))
        factors = predictors(name, len(matrix[0]), list(x), list(e))
        A = np.array(factors, float)
        point = [F(round(float(v) * 1000), 1000) for v in theta]
        t = [sum((a * b for a, b in zip(row, point, strict=True)), F(0)) for row in factors]
        reach = [F(rng.randint(0, 30), 100) for _ in t]
        given = [(c, n) for c, n in zip(family.constants(matrix), counts, strict=True) if n]
        try:
            slopes, bends = family.derivatives(t, reach, given)
        except Rejected:  # P may be 0 on so large a box
            assert name not in ("logit", "multinomial", "linear")
            continue
        one = Model(name, (model.rows[-1],))
        centre = np.array(point, float)
        there = A.T @ np.array([float(low + high) / 2 for low, high in slopes])
        assert one.gradient(centre) == pytest.approx(there, abs=1e-6 * float(sum(counts)))
        low, high = (np.array([[float(bend[end]) for bend in row] for row in bends]) for end in (0, 1))
        for _ in range(5):
            u = np.array([rng.choice((-1, 1, rng.uniform(-1, 1))) * float(s) for s in reach])
            moved = centre + np.linalg.pinv(A) @ u
            if not np.allclose(A @ moved, A @ centre + u):
                continue  # predictors that depend on each other
            second = np.linalg.pinv(A).T @ one.second(moved) @ np.linalg.pinv(A)
            assert (second >= low - 1e-4 * float(sum(counts))).all()
            assert (second <= high + 1e-4 * float(sum(counts))).all()


@pytest.mark.parametrize("digits", [1, 10, 30, 300])
def test_the_normal_distribution_function_is_enclosed(digits: int) -> None:
    family = Family("probit", Arithmetic(digits, Budget()))
    with mp.workdps(digits + 40):
        for x in (F(0), F(1, 10**9), F(-5), F(5), F(501, 100), F(-6), F(8), F(-40), F(1000), F(-1000), F(-3, 2)):
            v = mpf(x.numerator) / x.denominator
            for (low, high), exact in zip(family.normal(x), (mp.ncdf(v), mp.npdf(v)), strict=True):
                assert mpf(str(low)) <= exact <= mpf(str(high))
                width = max(exact, mpf(10) ** -9) * mpf(10) ** (9 - min(digits, 40))
                assert digits == 1 or mpf(str(high)) - mpf(str(low)) <= width


def _by_definition(name: str, device: Any, counts: Any, t: Any) -> Any:
    """Return the log-likelihood of a row at a predictor."""
    F_t = mp.ncdf(t) if name == "probit" else 1 / (1 + mp.exp(-t))
    return sum(
        n.numerator * mp.log(a + (b - a) * F_t) / n.denominator for (a, b), n in zip(device, counts, strict=True)
    )


def _append(found: list[Any], *one: Any) -> None:
    found.append(one)


@pytest.mark.parametrize("name", ["logit", "probit"])
def test_tables_bound_values_and_derivatives(name: str, size: Callable[[int, int], int]) -> None:
    """The bounds hold at points of random cells of one coefficient, by differences of the definition, and are near."""
    rng, unit = random.Random(f"tables {name}"), 1 << 40
    near = 0
    for _ in range(size(12, 300)):
        device = rng.choice([one for one in DEVICES[1:] if len(one) == 2])
        counts = [F(rng.randint(1, 60), rng.choice((1, 2))) for _ in device]
        t, y = F(rng.randint(-300, 300), 100), rng.choice((-3, -1, 2, 5))
        family = Family(name, Arithmetic(30, Budget()))
        given = list(zip(family.constants(device), counts, strict=True))
        row = _Row(given, [list(line) for line in device], counts, [t], [[y]])
        (_, (a, b)), total = device, sum(counts)
        peak = min(max((counts[1] / total - a) / (b - a), F(0)), F(1))
        numbers = [[mpf(v.numerator) / v.denominator for v in line] for line in device]
        value, at = partial(_by_definition, name, numbers, counts), mpf(t.numerator) / t.denominator
        with mp.workdps(30):
            top = sum(
                mp.mpf(str(float(n))) * mp.log(p + (q - p) * (mpf(peak.numerator) / peak.denominator))
                for (p, q), n in zip(numbers, counts, strict=True)
            )
            here = value(at)
            outer = tuple(Decimal(str(mp.nstr(top + sign * mpf(10) ** -12, 25))) for sign in (-1, 1))
            tables = Tables(family, [row], 1, 8, [peak], [outer], Decimal(str(mp.nstr(here, 25))))
            middle, half = F(rng.randint(-400, 400), 100 * abs(y)), F(rng.randint(0, 200), 100 * abs(y))
            points = [t + y * (middle + half * F(k, 20)) for k in range(-20, 21)]
            found = [value(mpf(v.numerator) / v.denominator) for v in points]
            assert not (tables.excludes_values([(middle - half, middle + half)], F(1), F(1)) and max(found) >= here)
            near += tables.excludes_values([(middle - half, middle + half)], F(1), F(1)) == (max(found) < here - 0.05)
            added: list[Any] = []
            whole = F(1, 100 * abs(y))
            is_inside = tables.slopes([int(middle / whole)], [int(half / whole)], whole, partial(_append, added))
            assert is_inside == (abs(t + y * middle) + abs(y) * half < 16)
            if not is_inside:
                continue
            _, ((low, high),), (((least, most),),), (length,) = added[0]
            assert length == abs(y) * int(half / whole)
            scale = unit * math.lcm(*(n.denominator for n in counts))
            middle_point = at + y * mpf(middle.numerator) / middle.denominator
            slope = mp.diff(value, middle_point)
            assert low / scale <= slope <= high / scale
            assert name == "probit" or (high - low) / scale < 0.01 * float(total)
            bends = [mp.diff(value, mpf(v.numerator) / v.denominator, 2) for v in points[::4]]
            assert least / scale <= min(bends)
            assert max(bends) <= most / scale
    assert near >= size(10, 270)


def test_a_cell_outside_the_tables_is_examined_by_intervals() -> None:
    """Responses to a direct question: in cells of predictors up to 21 the slope has one sign."""
    sample = Sample(((DEVICES[0], (F(1),), (F(72), F(72))),))
    made = file(sample, [F(0)], [[F(1, 6)]], F(1, 4), [F(1)])
    halvings = 9  # from 128 to the radius 1/4
    tree = "0" + "0g" * halvings + "b" + "0" * halvings + "b" + "g" * halvings
    assert check_text(json.dumps(cover(made, F(128), [tree, "v", "v"])))


def test_a_cover_of_three_coefficients_and_many_rows(size: Callable[[int, int], int]) -> None:
    """Cells of many rows are within the default budget."""
    rng, rows = random.Random(39), []
    for j in range(size(60, 150)):
        x = (F(1), F(j % 2), F(j // 2 - 15, 10))
        rows.append((DEVICES[1], x, (F(rng.randint(14, 20)), F(rng.randint(14, 20)))))
    sample = Sample(tuple(rows))
    box = boxed(sample, sample.maximum())
    assert box is not None
    point, W, radius, errors = box
    cells = Cells(sample, point, W, float(radius), "v")
    cells.left, cells.deepest = 9000, 40
    trees = cells.trees(float(16 * radius))
    assert cells.is_honest
    assert len("".join(trees)) > 200
    assert check_text(json.dumps(cover(file(sample, point, W, radius, errors), 16 * radius, trees)))
