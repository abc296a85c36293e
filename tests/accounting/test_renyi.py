"""Renyi divergence, zCDP, trade-off functions: figures of the literature, and other routes in floats and rationals."""

from __future__ import annotations

import itertools
import math
import random
import warnings
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import pytest
from few_rows import few_rows

from rropt.accounting import (
    RenyiPrivacy,
    epsilon_of_zcdp,
    gaussian_delta,
    renyi,
    renyi_privacy,
    trade_off,
)
from rropt.checker.documents import WorkBudget
from rropt.core.errors import RroptError
from rropt.core.exact import Bracket
from rropt.mechanisms import Mechanism, named_mechanism

F = Fraction
# below this level of k-ary response, rho exceeds the limit at order 1 (the claim rropt.zcdp-response)
THRESHOLDS = {
    7: 0.43674755, 8: 0.78045363, 10: 1.30145329, 20: 2.65419370, 100: 5.10178483, 1000: 8.01228728, 2925: 9.27331995,
    10**6: 15.74288757,
}  # fmt: skip


def bounds(mechanism: object, order: object = None, **options: object) -> Bracket | None:
    found = renyi_privacy(mechanism, order, **options)
    return None if found.lower is None or found.upper is None else Bracket(found.lower, found.upper)


def oracle_divergence(p: list[float], q: list[float], order: float) -> float:
    """Return D_a in floats by its definition."""
    if order == 1:
        return sum(x * math.log(x / y) for x, y in zip(p, q, strict=True) if x)
    terms = [math.log(x) + (order - 1) * math.log(x / y) for x, y in zip(p, q, strict=True) if x]
    return (max(terms) + math.log(sum(math.exp(term - max(terms)) for term in terms))) / (order - 1)


def oracle_rho(matrix: Mechanism) -> float:
    """Return the largest D_a/a over a grid of orders, in floats."""
    columns = [[float(x) for x in column] for column in matrix.design_matrix]
    orders = [1, *(1 + 10 ** (j / 20) for j in range(-60, 41))]
    return max(oracle_divergence(p, q, a) / a for p, q in itertools.permutations(columns, 2) for a in orders)


@few_rows(1)
@pytest.mark.parametrize("k", THRESHOLDS)
def test_thresholds_of_zcdp(k: int) -> None:
    for level, is_limit in ((THRESHOLDS[k] - 1e-6, False), (THRESHOLDS[k] + 1e-6, True)):
        rho = bounds(F(level), categories=k, digits=30)
        limit = bounds(F(level), 1, categories=k, digits=30)
        assert rho.lower <= limit.upper if is_limit else rho.lower > limit.upper


def test_a_figure_beyond_the_limit() -> None:
    found = bounds(1, categories=10, digits=20)
    assert found.lower <= F("0.148132973355075256557") + F(1, 10**20)
    assert found.upper >= F("0.148132973355075256557") - F(1, 10**20)


@pytest.mark.parametrize(("level", "k"), [("1", 10), ("1", 2), ("log(3)", 100), ("1", 10**6), ("8.1", 1000), ("0", 5)])
def test_certificates_of_zcdp(level: str, k: int) -> None:
    found = renyi_privacy(level, categories=k)
    assert found.certificate is not None
    assert found.certificate.check()
    assert (found.lower, found.upper) == tuple(F(found.certificate.claim[end]) for end in ("lower", "upper"))
    assert found.upper - found.lower <= F(1, 10**12)


def test_orders_near_one_are_not_taken_for_no_loss() -> None:
    """tensorflow/privacy, issue 166: at order 1 + 1e-8 a small divergence was returned as 0."""
    weak = Mechanism.binary("501/1000", "501/1000")
    kl, near = bounds(weak, 1, digits=30), bounds(weak, 1 + F(1, 10**8), digits=30)
    assert kl is not None
    assert near is not None
    assert F(0) < kl.lower < near.upper
    assert near.upper - kl.lower < F(1, 10**13)


@few_rows(1)
@pytest.mark.parametrize("k", [2, 6, 7, 100, 10**6])
def test_zcdp_to_twelve_digits(k: int) -> None:
    for level in ("1/100", "log(2)", "1/2*log(3)", 1, 9, 30):
        found = bounds(level, categories=k)
        assert found is not None
        assert found.gap < F(1, 10**12)


def oracle_response(k: int, e: float) -> tuple[float, float]:
    """Return the divergence at order 1 of k-ary response, and the largest D_a/a over a grid of orders, in floats."""
    g = math.exp(e)

    def quotient(a: float) -> float:
        inside = 1 + g ** (1 - 2 * a) + (k - 2) * g**-a
        return (a * e + math.log(inside) - math.log(g + k - 1)) / (a * (a - 1))

    return e * (g - 1) / (g + k - 1), max(quotient(1 + 10 ** (j / 200)) for j in range(-600, 401))


@few_rows(1)
@pytest.mark.parametrize("k", [2, 6, 7, 10, 100, 10**6])
def test_the_theorem_agrees_with_the_cells_of_orders(k: int) -> None:
    """rho is the limit at order 1 from the threshold on, and above it below the threshold."""
    threshold = THRESHOLDS.get(k, 0)
    for level in ("1/2", "5/4", "27/20", "3", "6", "16"):
        e = float(F(level))
        limit, grid = oracle_response(k, e)
        found = bounds(level, categories=k, digits=14)
        assert found is not None
        if e > threshold:
            assert abs(float(found.lower) / limit - 1) < 1e-13
        else:
            assert grid * (1 - 1e-12) < float(found.upper) < grid * (1 + 1e-4)
            assert float(found.lower) > limit


@pytest.mark.slow
def test_any_mechanism_against_a_grid_of_orders(size: Callable[[int, int], int]) -> None:
    rng = random.Random(3)
    for _ in range(size(10, 300)):
        inputs, outputs = rng.randint(2, 4), rng.randint(2, 5)
        columns = [[F(rng.randint(1, 9) ** rng.choice((1, 4))) for _ in range(outputs)] for _ in range(inputs)]
        matrix = Mechanism([[c[i] / sum(c) for c in columns] for i in range(outputs)])
        found, grid = bounds(matrix), oracle_rho(matrix)
        assert found is not None
        assert found.gap < F(1, 10**12)
        assert grid <= float(found.upper) * (1 + 1e-9) + 1e-12
        assert grid >= float(found.lower) * (1 - 1e-2)
        assert renyi_privacy(matrix).certificate is not None
    assert bounds("mangat:1/2") is None
    assert bounds(Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])).upper == 0


def test_two_maxima_of_nearly_one_height() -> None:
    """Rare large losses beside frequent small ones: D_a/a falls, rises and falls again."""
    for share in (6, 8, 12):
        small, rare = F(1, 10), F(1, 10**share)
        one = [(1 - rare) * (1 + small) / 2, (1 - rare) * (1 - small) / 2, rare]
        other = [(1 - rare / 1000) * (1 - small) / 2, (1 - rare / 1000) * (1 + small) / 2, rare / 1000]
        matrix = Mechanism(list(zip(one, other, strict=True)))
        made, grid = renyi_privacy(matrix), oracle_rho(matrix)
        assert made.certificate is not None
        assert grid <= float(made.upper) + 1e-12
        assert float(made.lower) <= grid * 1.01


def test_certificates_of_one_order() -> None:
    for subject, order, k in (
        ("log(3)", F(2), 5),
        (1, F(1), 10**6),
        ("1/2*log(3)", F(7, 2), 2),
        ("forced:2/3,1/6,1/6", F(10), None),
        ("mangat:1/2", F(2), None),
        ("grr:5,1/2", 1 + F(1, 10**8), None),
    ):
        found = renyi_privacy(subject, order, categories=k, digits=20)
        assert found.certificate is not None
        assert found.certificate.check()
        assert (found.certificate.claim["upper"] == "infinite") == (subject == "mangat:1/2") == (found.upper is None)
        assert found.upper is None or found.upper - found.lower < F(1, 10**20)


def test_pairs_of_inputs_are_compared_only_where_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many inputs: none are compared if a divergence is infinite, and equal ones are compared once."""
    compared: list[int] = []
    laws = renyi.matrix_laws

    def counted(rows: list[list[F]], budget: WorkBudget) -> object:
        compared.append(len(rows[0]))
        return laws(rows, budget)

    monkeypatch.setattr(renyi, "matrix_laws", counted)
    band = [[F(i in (j, (j + 1) % 12), 2) for j in range(12)] for i in range(12)]
    assert bounds(Mechanism(band), 2) is None
    assert compared == []
    two = Mechanism([[F(1, 3), F(3, 4)], [F(2, 3), F(1, 4)]])
    many = Mechanism([[row[j % 2] for j in range(12)] for row in two.matrix])
    assert bounds(many) == bounds(two)
    assert compared == [2, 2]
    assert renyi_privacy(many).certificate.proof == renyi_privacy(two).certificate.proof


def test_records_of_a_divergence() -> None:
    for found in (
        renyi_privacy("generalised:3/4,2/3", 2),
        renyi_privacy("mangat:1/2", "3/2"),
        renyi_privacy(1, categories=10),
        renyi_privacy("mangat:1/2"),
        renyi_privacy(Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])),
    ):
        assert found.certificate is not None
        assert RenyiPrivacy.from_dict(found.to_dict()) == found
        assert found.checked() == ()
        assert (found.upper is None) == (found.lower is None)
    assert (found.upper, found.name) == (0, "mechanism")


def test_records_that_were_changed() -> None:
    found = renyi_privacy("generalised:3/4,2/3", 2)
    assert (found.name, found.words) == ("generalised:3/4,2/3", "Renyi divergence")
    assert RenyiPrivacy.from_dict({**found.to_dict(), "name": "warner:3/4"}).unverified == ("name",)
    for order in ("3", None):
        with pytest.raises(RroptError, match="not proved"):
            RenyiPrivacy.from_dict({**found.to_dict(), "order": order})
    assert RenyiPrivacy.from_dict({**found.to_dict(), "lower": "0"}).unverified == ("lower", "upper")
    response = renyi_privacy("1/2", categories=3)
    assert response.checked() == ()
    for name in ("3-ary randomized response at 9", "grr:3,1/2", "warner:3/4"):
        assert RenyiPrivacy.from_dict({**response.to_dict(), "name": name}).unverified == ("name",)
    bare = {**response.to_dict(), "certificate": None}
    assert RenyiPrivacy.from_dict(bare).unverified == ("lower", "upper")


def test_divergences_equal_their_definition() -> None:
    for name in ("warner:3/4", "grr:4,1/2", "forced:2/3,1/6,1/6", "generalised:3/4,2/3"):
        matrix = named_mechanism(name)
        columns = [[float(x) for x in column] for column in matrix.design_matrix]
        for order in ("1", "3/2", "2", "10"):
            found = bounds(name, order)
            exact = max(oracle_divergence(p, q, float(F(order))) for p, q in itertools.permutations(columns, 2))
            assert abs(float(found.lower) - exact) < 1e-12
            assert found.gap < F(1, 10**12)
    assert bounds("mangat:1/2", 2) is None


def test_the_trade_off_function_is_the_best_test() -> None:
    for name in ("warner:3/4", "grr:3,1/2", "forced:2/3,1/6,1/6", "generalised:1,1/4"):
        matrix = named_mechanism(name)
        found = trade_off(name)
        assert found.vertices[0][0] == 0
        assert found.vertices[-1] == (1, 0)
        for p, q in itertools.permutations(matrix.design_matrix, 2):
            for accepted in itertools.product((False, True), repeat=matrix.outputs):
                alpha = sum((x for x, reject in zip(p, accepted, strict=True) if reject), F(0))
                beta = sum((y for y, reject in zip(q, accepted, strict=True) if not reject), F(0))
                assert found.at(alpha) <= beta


def test_gaussian_privacy() -> None:
    normal = NormalDist()
    found = trade_off("warner:3/4").gaussian()
    assert abs(float(found.upper) - 2 * normal.inv_cdf(0.75)) < 1e-12
    assert trade_off("mangat:1/2").gaussian() is None
    assert trade_off(Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])).gaussian().upper == 0
    m, e = 1.5, 0.7
    exact = normal.cdf(m / 2 - e / m) - math.exp(e) * normal.cdf(-m / 2 - e / m)
    assert abs(float(gaussian_delta("3/2", "7/10").lower) - exact) < 1e-12
    far = gaussian_delta(10**150, F(10**300) / 2 + 10**150)  # Mills' ratio
    assert abs(float(far.upper) - normal.cdf(-1)) < 1e-12
    assert gaussian_delta("1e-6", 1) == gaussian_delta(1, 1000) == Bracket(F(0), F(1, 10**1000))
    assert gaussian_delta("1e-100", 0).lower == 0  # the difference of two normal distributions is below the precision


def test_conversions_stand_between_the_gaussian_and_a_theorem() -> None:
    for rho, delta in (("1/2", "1/100000"), ("1/100", "1e-6"), ("5", "1/10")):
        found = epsilon_of_zcdp(rho, delta)
        classic = float(F(rho)) + 2 * math.sqrt(float(F(rho)) * math.log(1 / float(F(delta))))
        assert 0 < found.lower < found.upper <= F(classic)
        mu = F(math.sqrt(2 * float(F(rho)))).limit_denominator(10**9)
        assert abs(float(gaussian_delta(mu, found.lower).lower) / float(F(delta)) - 1) < 1e-4


@pytest.mark.parametrize("rho", ["1e-390", "1e-300", "1e320", "1e390"])
def test_conversions_of_a_rho_beyond_floats(rho: str) -> None:
    """Floats search the order, but neither the order nor the bounds overflow."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = epsilon_of_zcdp(rho, "1/2")
    assert 0 <= found.lower <= found.upper <= F(rho) * (1 + F(1, 10**8))
