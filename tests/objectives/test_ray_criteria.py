"""Criteria of the interior-point method: derivatives against differences, and the values that the parameters prove."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rropt.objectives.ray_criteria import (
    Determinant,
    Eigenvalue,
    RayCriterion,
    Smooth,
    Squares,
    WorstSquares,
    _cone_room,
    _products,
    _roots,
    orthogonal_to,
    symmetric_units,
)

N = 7  # rays
NEAR = {"rtol": 1e-6, "atol": 1e-6}  # central differences of step 1e-5: errors of 1e-10 times third derivatives near 10
EXACT = {"rtol": 1e-9, "atol": 1e-9}  # a few matrix products and inverses of condition below 100


def drawn() -> np.random.Generator:
    return np.random.default_rng(90)


def symmetric(rng: np.random.Generator, d: int) -> Any:
    root = rng.normal(size=(d, d))
    return root @ root.T + np.eye(d)


def slopes(function: Any, y: Any) -> Any:
    """Return the derivative of a function by central differences, a column for each coordinate."""
    step = 1e-5
    return np.array([(function(y + step * e) - function(y - step * e)) / (2 * step) for e in np.eye(len(y))]).T


def squares() -> tuple[Any, Any, Any]:
    rng = drawn()
    parts = [(rng.normal(size=(N, 2)), rng.normal(size=(2, 3))), (rng.normal(size=(N, 1)), rng.normal(size=(1, 1)))]
    found = Squares(parts, 1)
    return found, rng.normal(size=7), lambda y: 2 * (parts[0][1].ravel() @ y[:6] + parts[1][1].item() * y[6])


def worst_squares() -> tuple[Any, Any, Any]:
    rng = drawn()
    target = rng.normal(size=(2, 2))
    found = WorstSquares(rng.normal(size=(N, 2)), target, rng.uniform(0.5, 1.5, size=(N, 3)))
    return found, np.array([*rng.normal(size=4), 0.1, -0.05]), lambda y: 2 * target.ravel() @ y[:4]


def determinant() -> tuple[Any, Any, Any]:
    rng = drawn()
    found = Determinant(rng.normal(size=(N, 3)), [2.0])
    whole = np.zeros((3, 3))
    whole[0, 0], whole[1:, 1:] = 1.7, symmetric(rng, 2)
    y = found.units.T @ whole.ravel()

    def psi(y: Any) -> float:
        return 2 * float(np.log(found.alone(y)[0])) + float(np.log(np.linalg.det(found.between(y))))

    return found, y, psi


CRITERIA = {"squares": squares, "worst squares": worst_squares, "determinant": determinant}


def weights(found: Any, y: Any) -> Any:
    return drawn().uniform(0.5, 1.5, size=len(found.values(y)))


@pytest.mark.parametrize("name", CRITERIA)
def test_derivatives_are_those_of_the_functions(name: str) -> None:
    """The slopes, the residual psi' - sum w phi', and a root of minus its derivative."""
    found, y, psi = CRITERIA[name]()
    w = weights(found, y)
    first, root = found.derivatives(w, y)
    np.testing.assert_allclose(first, slopes(found.values, y), **NEAR)
    np.testing.assert_allclose(found.residual(w, y, 0.0), slopes(lambda x: psi(x) - w @ found.values(x), y), **NEAR)
    np.testing.assert_allclose(root.T @ root, -slopes(lambda x: found.residual(w, x, 0.0), y), **NEAR)
    assert found.free(y) == len(y)


@pytest.mark.parametrize("name", CRITERIA)
def test_the_start_is_optimal_for_its_weights(name: str) -> None:
    """There the residual vanishes (of W alone for the worst case, where pi is the mean), and both values agree."""
    found, y, _ = CRITERIA[name]()
    w = weights(found, y)
    y = found.start(w)
    if name == "worst squares":
        np.testing.assert_allclose(found.residual(w, y, 0.0)[:4], 0, atol=1e-9)
        assert y[4:].tolist() == [0, 0]
        np.testing.assert_allclose(found.shares(y), 1 / 3)
        return
    np.testing.assert_allclose(found.residual(w, y, 0.0), 0, atol=1e-9)
    paid = float(w @ found.values(y))
    assert found.proved(y, paid) == pytest.approx(found.reached(w, y), rel=1e-9)
    lower = found.proved(y, 2 * paid)
    drop = {"squares": found.reached(w, y) / 2, "determinant": 4 * np.log(2)}[name]  # d = 2 + 2 with multiplicities
    assert found.reached(w, y) - lower == pytest.approx(drop, rel=1e-9)


def test_values_by_their_formulas() -> None:
    found, y, _ = squares()
    (f, _), (g, _) = found.parts
    expected = ((f @ y[:6].reshape(2, 3)) ** 2).sum(1) + g[:, 0] ** 2 * y[6] ** 2
    np.testing.assert_allclose(found.values(y), expected, **EXACT)
    assert found.alone(y).tolist() == [y[6]]
    found, y, _ = worst_squares()
    shares = found.shares(y)
    assert shares.sum() == pytest.approx(1)
    s = found.means @ shares
    expected = ((found.c @ y[:4].reshape(2, 2)) ** 2).sum(1) / s
    np.testing.assert_allclose(found.values(y), [*expected, *-shares], **EXACT)
    found, y, _ = determinant()
    f, x, numbers = found.features, found.between(y), found.alone(y)
    expected = numbers[0] * f[:, 0] ** 2 + np.einsum("ri,ij,rj->r", f[:, 1:], x, f[:, 1:])
    np.testing.assert_allclose(found.values(y), expected, **EXACT)
    np.testing.assert_allclose(found.moments()[:, 0], f[:, 0] ** 2)
    np.testing.assert_allclose(found.moments()[:, 1:], _products(f[:, 1:]))


def test_the_worst_case_of_an_estimator() -> None:
    """The largest mean over vertices of the squared estimates, which are efficient at pi."""
    found, y, _ = worst_squares()
    w = weights(found, y)
    s, theta = found.means @ found.shares(y), w[:N]
    lines = found.c / s[:, None]
    information = sum(t * m * np.outer(line, line) for t, m, line in zip(theta, s, lines, strict=True))
    estimates = lines @ np.linalg.inv(information) @ found.target
    expected = max(sum(theta * (estimates**2).sum(1) * column) for column in found.means.T)
    assert found.reached(w, y) == pytest.approx(expected, rel=1e-9)


def test_a_number_for_each_ray() -> None:
    found, empty = RayCriterion(np.array([3.0, -1.0])), np.zeros(0)
    w, z = np.array([2.0, 5.0]), np.array([1.0, 4.0])
    assert (found.reached(w, empty), found.proved(empty, 3.0), found.complementarity(w, z, empty)) == (-1, -3, 11)
    assert (found.room(empty, empty), found.free(empty), found.start(w).shape) == (1, 0, (0,))
    assert (found.values(empty).tolist(), found.moments().tolist()) == ([3, -1], [[3], [-1]])
    assert [each.shape for each in found.derivatives(w, empty)] == [(2, 0), (0, 0)]
    assert found.residual(w, empty, 1.0) is empty
    assert found.whole_step(empty, w, 1.0) is w
    assert (found.takes_any_bound, found.is_joint, found.is_polished) == (True, False, False)


def smooth() -> Smooth:
    """F(S) = ln S_1 + 2 ln S_2."""
    times = np.array([1.0, 2.0])

    def value(s: Any) -> float:
        return float(times @ np.log(s))

    features = np.array([[1.0, 0.5], [0.25, 2.0], [1.5, 1.0]])
    return Smooth(features, value, lambda s: times / s, lambda s: -np.diag(times / s**2))


def test_a_smooth_function_of_features() -> None:
    found, w = smooth(), np.array([0.5, 1.0, 0.25])
    y = found.start(w)
    np.testing.assert_allclose(y, [1.125, 2.5])
    np.testing.assert_allclose(found.values(y), found.features @ [1 / 1.125, 0.8])
    first, root = found.derivatives(w, y)
    np.testing.assert_allclose(first, slopes(found.values, y), **NEAR)
    np.testing.assert_allclose(root.T @ root, np.diag([1 / 1.125**2, 2 / 2.5**2]))
    np.testing.assert_allclose(found.residual(w, y + [0.1, -0.2], 0.0), [-0.1 / 1.225**2, 0.4 / 2.3**2])
    assert found.reached(w, y) == -found.value(y)
    assert found.proved(y, float(w @ found.values(y))) == pytest.approx(-found.value(y))
    assert found.proved(y, 0.0) == pytest.approx(3 - found.value(y))  # F'(S).S = 3
    assert found.moments() is found.features


def test_a_step_is_halved_until_the_function_is_finite() -> None:
    """From (1, 1) the logarithm of the first number is finite as long as it stays positive."""
    for step, length in ((1.0, 1.0), (-0.9, 1.0), (-1.0, 0.5), (-1.5, 0.5), (-3.0, 0.25)):
        assert smooth().room(np.ones(2), np.array([step, 0.0])) == length, step


def test_a_step_stays_in_the_cone() -> None:
    """X = diag(4, 1), whose second number moves by so much: 0.98 of the way to the boundary."""
    found, _, _ = determinant()
    for least, length in ((-2.0, 0.49), (-0.98, 1.0), (-1.0, 0.98), (-0.5, 1.0), (0.0, 1.0), (3.0, 1.0)):
        x, dx = np.diag([4.0, 1.0]), np.diag([0.5, least])
        assert _cone_room(x, dx) == pytest.approx(length)
        whole, moves = np.diag([5.0, 4.0, 1.0]), np.diag([0.0, 0.5, least])
        y, dy = (found.units.T @ each.ravel() for each in (whole, moves))
        assert found.room(y, dy) == pytest.approx(length)


def eigenvalue() -> tuple[Any, Any, Any, Any]:
    rng = drawn()
    unit = np.zeros((3, 3))
    unit[0, 0], unit[1:, 1:] = 2.0, symmetric(rng, 2)
    found = Eigenvalue(rng.normal(size=(N, 3)), unit, [2.0])
    x, slack = np.zeros((3, 3)), np.zeros((3, 3))
    x[0, 0], x[1:, 1:], slack[0, 0], slack[1:, 1:] = 0.7, symmetric(rng, 2), 1.3, symmetric(rng, 2)
    x /= (unit * x).sum()
    return found, found.coordinates(x, slack), x, slack


def scaling_of(x: Any, slack: Any) -> Any:
    """Return the K of Nesterov and Todd with K X K = S: X^-1/2 (X^1/2 S X^1/2)^1/2 X^-1/2."""
    root, back = _roots(x)
    return back @ _roots(root @ slack @ root)[0] @ back


def test_the_smallest_eigenvalue() -> None:
    found, y, x, slack = eigenvalue()
    w = drawn().uniform(0.5, 1.5, size=N)
    assert found.free(y) == 3  # of 1 + 3 coordinates of X, less one for <unit, X> = 1
    np.testing.assert_allclose(found.matrix(y), x, **EXACT)
    np.testing.assert_allclose(found._slack(y), slack, **EXACT)
    z = np.arange(N) / 10
    assert found.complementarity(w, z, y) == pytest.approx((w @ z + (x * slack).sum()) / (N + 3))
    assert found.proved(y, 4.0) == pytest.approx(1 / 4)
    information = found._information(w)
    values = np.linalg.eigvals(np.linalg.inv(found.unit) @ information).real
    assert found.reached(w, y) == pytest.approx(1 / min(values))
    begun = found.start(w)
    np.testing.assert_allclose(found._slack(begun), information, **EXACT)
    inverse = np.linalg.inv(information)
    np.testing.assert_allclose(found.matrix(begun), inverse / (found.unit * inverse).sum(), **EXACT)
    assert (found.is_polished, Eigenvalue(np.eye(2), np.eye(2)).is_polished) == (False, True)


def test_steps_of_the_smallest_eigenvalue() -> None:
    """The residual is the derivative of mu ln det X - <C, X>, and dS follows from the scaling of Nesterov and Todd."""
    found, y, x, slack = eigenvalue()
    w, mu, free = drawn().uniform(0.5, 1.5, size=N), 0.3, 3
    information, rest = found._information(w), y[free:]

    def barrier(part: Any) -> float:
        moved = found.matrix(np.concatenate([part, rest]))
        return mu * float(np.linalg.slogdet(moved)[1]) - float((information * moved).sum())

    np.testing.assert_allclose(found.residual(w, y, mu), slopes(barrier, y[:free]), **NEAR)
    first, root = found.derivatives(w, y)
    wanted = slopes(lambda part: found.values(np.concatenate([part, rest])), y[:free])
    np.testing.assert_allclose(first, wanted, **NEAR)
    k = scaling_of(x, slack)
    np.testing.assert_allclose(k @ x @ k, slack, **EXACT)
    dx = np.array([0.02, -0.01, 0.03])
    move = found.matrix(np.concatenate([y[:free] + dx, rest])) - x
    assert float(((root @ dx) ** 2).sum()) == pytest.approx(float((move * (k @ move @ k)).sum()))
    whole = found.whole_step(y, dx, mu)
    assert whole[:free].tolist() == dx.tolist()
    expected = mu * np.linalg.inv(x) - slack - k @ move @ k
    np.testing.assert_allclose(found._slack(whole), expected, **EXACT)
    far = np.concatenate([np.zeros(free), found.units.T @ (-2 * slack).ravel()])  # S is left at half of the step
    assert found.room(y, far) == pytest.approx(0.49)
    still = np.zeros(len(y))
    assert found.room(y, still) == 1


def test_coordinates_of_symmetric_matrices() -> None:
    for d, q in ((1, 0), (2, 0), (3, 0), (2, 1), (1, 3)):
        units = symmetric_units(d, q)
        size = q + d
        assert units.shape == (size**2, q + d * (d + 1) // 2)
        np.testing.assert_allclose(units.T @ units, np.eye(units.shape[1]), atol=1e-15)
        for column in units.T.reshape(-1, size, size):
            assert (column == column.T).all()
            assert not (column[:q] - np.diag(np.diag(column))[:q]).any()


def test_bases_roots_and_products() -> None:
    x = np.array([3.0, -1.0, 2.0, 0.5])
    basis = orthogonal_to(x)
    assert basis.shape == (4, 3)
    np.testing.assert_allclose(x @ basis, 0, atol=1e-14)
    np.testing.assert_allclose(basis.T @ basis, np.eye(3), atol=1e-14)
    matrix = np.array([[5.0, 4.0], [4.0, 5.0]])  # eigenvalues 9 and 1
    root, back = _roots(matrix)
    np.testing.assert_allclose(root, [[2, 1], [1, 2]])
    np.testing.assert_allclose(back, np.array([[2, -1], [-1, 2]]) / 3)
    root, back = _roots(np.diag([4.0, -1e-30]))  # the floor 4e-17
    np.testing.assert_allclose(np.diag(root), [2, 4e-17**0.5])
    np.testing.assert_allclose(np.diag(back), [0.5, 4e-17**-0.5])
    assert _products(np.array([[2.0, 3.0, 5.0]])).tolist() == [[4, 6, 10, 9, 15, 25]]
