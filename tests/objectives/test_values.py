"""Values of objectives against plain formulas: in fractions where they are rational, else in mpmath with 60 digits."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from rropt import Mechanism, Problem
from rropt.core.errors import RroptError
from rropt.core.exact.numbers import dot
from rropt.mechanisms.product import ProductMechanism
from rropt.objectives import objective_from_dict
from rropt.objectives.a_c_contrasts import AOptimality
from rropt.objectives.divergences import (
    AlphaDivergence,
    ChiSquare,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    TotalVariation,
)
from rropt.objectives.greenwood import independent_loss
from rropt.objectives.mutual_information import MutualInformation, _entropies
from rropt.objectives.possible_populations import Populations
from rropt.privacy import PrivacyRegion

ORDERS = [Fraction(1, 2), Fraction(2), Fraction(-3, 2), Fraction(1, 3), Fraction(7)]
KINDS: dict[str, Callable[[list[Fraction]], Any]] = {
    "total variation": TotalVariation,
    "chi-square": ChiSquare,
    "hellinger": Hellinger,
    "kullback-leibler": KullbackLeibler,
    "jensen-shannon": JensenShannon,
    **{f"order {r}": partial(AlphaDivergence, order=r) for r in ORDERS},
}


def number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def by_definition(kind: str, a: Any, b: Any) -> Any:
    """One term of the divergence of two probabilities."""
    if kind == "total variation":
        return abs(a - b) / 2
    if kind == "chi-square":
        return (a - b) ** 2 / b if b else mp.mpf(0)
    if kind == "hellinger":
        return (mp.sqrt(a) - mp.sqrt(b)) ** 2 / 2
    if kind == "kullback-leibler":
        return a * mp.log(a / b) if a else mp.mpf(0)
    if kind == "jensen-shannon":
        middle = (a + b) / 2
        return sum((x * mp.log(x / middle) / 2 for x in (a, b) if x), mp.mpf(0))
    r = number(Fraction(kind.removeprefix("order ")))
    mixed = a**r * b ** (1 - r) if a and b else mp.mpf(0)
    return (mixed - r * a - (1 - r) * b) / (r * (r - 1))


def drawn(rng: random.Random, k: int, least: int = 0) -> list[Fraction]:
    weights = [rng.randint(least, 6) for _ in range(k - 1)] + [rng.randint(1, 6)]
    return [Fraction(w, sum(weights)) for w in weights]


def matrix(rng: random.Random, m: int, k: int, least: int = 0) -> list[list[Fraction]]:
    """A random mechanism, a row for each output."""
    return [list(row) for row in zip(*(drawn(rng, m, least) for _ in range(k)), strict=True)]


def of_rows(rows: list[list[Fraction]], pi: list[Fraction]) -> list[Fraction]:
    return [sum((p * x for p, x in zip(pi, row, strict=True)), Fraction(0)) for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_a_divergence_is_the_sum_of_its_terms(kind: str, rng: random.Random) -> None:
    done = 0
    with mp.workdps(60):
        for turn in range(30):
            k, m = rng.randint(2, 4), rng.randint(2, 4)
            rows, pi = matrix(rng, m, k, least=turn % 2), drawn(rng, k)
            near = [(99 * p + x) / 100 for p, x in zip(pi, drawn(rng, k), strict=True)]
            q = pi if turn == 3 else near if turn % 3 == 1 else drawn(rng, k)
            pairs = list(zip(of_rows(rows, pi), of_rows(rows, q), strict=True))
            one, order = KINDS[kind](q), Fraction(kind[6:]) if kind[:5] == "order" else None
            lost = kind in ("chi-square", "kullback-leibler") or (order is not None and order > 1)
            if any((lost and a and not b) or (order is not None and order < 0 and b and not a) for a, b in pairs):
                with pytest.raises(RroptError, match="is infinite"):
                    one.value(Mechanism(rows), pi)
                continue
            truth = mp.fsum(by_definition(kind, number(a), number(b)) for a, b in pairs)
            found = number(one.value(Mechanism(rows), pi))
            assert truth - mp.mpf("1e-30") <= found <= truth + mp.mpf("1e-50"), (kind, rows, pi, q)
            done += 1
    assert done >= 8
    print(done, "values")


@pytest.mark.parametrize("kind", KINDS)
def test_terms_in_floats(kind: str) -> None:
    """Accurate relative to the term, also where it is of the second order in a small difference."""
    one = KINDS[kind]([Fraction(1, 2)] * 2)
    apart = [s * x for x in (0.0, 1e-9, 1e-5, 3e-3, 0.0099, 0.0101, 0.1, 0.3, 0.49, 0.51, 0.7) for s in (1, -1)]
    with mp.workdps(60):
        for b in (1e-3, 0.25, 0.5):
            steps = np.array([b * x for x in apart])
            terms = one.float_terms(b + steps, np.full(len(steps), b), steps)
            for step, term in zip(steps.tolist(), terms.tolist(), strict=True):
                truth = by_definition(kind, mp.mpf(b) + mp.mpf(step), mp.mpf(b)) - one.slope * mp.mpf(step)
                assert abs(term - truth) <= 1e-9 * abs(truth) + mp.mpf("1e-55"), (kind, b, step)


def test_entropies_in_floats() -> None:
    """(1 + h) ln(1 + h) - h, also where its series is taken, and at 1 + h = 0."""
    steps = np.array([s * x for x in (1e-12, 1e-6, 2e-4, 9.9e-4, 1.01e-3, 0.1, 0.49, 0.51) for s in (1, -1)] + [-1, 50])
    with mp.workdps(60):
        for h, found in zip(steps.tolist(), _entropies(1 + steps, steps).tolist(), strict=True):
            row = 1 + mp.mpf(h)
            truth = (row * mp.log(row) if row else 0) - mp.mpf(h)
            assert abs(found - truth) <= 1e-10 * truth, h


def test_what_a_design_is_called() -> None:
    loss = objective_from_dict({"kind": "loss", "matrix": [["0", "1"], ["1", "0"]]})
    for objective, outputs, text in (
        (TotalVariation(["1/2", "1/2"]), "any", "largest total variation: "),
        (MutualInformation(), "any", "largest mutual information: "),
        (AOptimality(), "any", "A-optimal design: "),
        (loss, 2, "smallest "),
    ):
        assert str(Problem(PrivacyRegion(1, outputs=outputs), objective, ["1/4", "3/4"])).startswith(text)


def test_information_by_its_definition(rng: random.Random) -> None:
    with mp.workdps(60):
        for turn in range(20):
            k = rng.randint(2, 5)
            rows, pi = matrix(rng, rng.randint(2, 4), k), drawn(rng, k, least=turn % 2)
            terms = (
                number(p * x) * mp.log(number(x / mean))
                for row, mean in zip(rows, of_rows(rows, pi), strict=True)
                for p, x in zip(pi, row, strict=True)
                if p * x
            )
            truth, found = mp.fsum(terms), number(MutualInformation().value(Mechanism(rows), pi))
            assert truth - mp.mpf("1e-30") <= found <= truth + mp.mpf("1e-50")


@pytest.mark.parametrize("revealed", [Fraction(0), Fraction(1, 3)])
def test_formulas_of_subsets(revealed: Fraction) -> None:
    """Equal shares: all subsets of a size, mixed with the truth itself."""
    found = 0
    for k, gamma in product((2, 3, 4, 5), (Fraction(2), Fraction(7, 2))):
        for size in range(1, k):
            chosen = [[gamma if j in part else Fraction(1) for j in range(k)] for part in combinations(range(k), size)]
            total = sum((row[0] for row in chosen), Fraction(0))
            rows = [[(1 - revealed) * x / total for x in row] for row in chosen]
            rows += [[revealed * (i == j) for j in range(k)] for i in range(k)] if revealed else []
            for kind in ("a-optimal", "d-optimal", "e-optimal", "mutual-information"):
                one = objective_from_dict({"kind": kind})
                value = one.value(Mechanism(rows), [Fraction(1, k)] * k)
                assert float(one.of_subsets(k, size, gamma, revealed)) == pytest.approx(float(value), rel=1e-12), kind
                found += 1
    print(found, "formulas")


def test_the_loss_of_independent_questions(rng: random.Random) -> None:
    """The trace of the covariance of all cells over that of direct questions, by enumeration of the cells."""
    for _ in range(6):
        devices = [(Fraction(rng.randint(5, 9), 10), Fraction(rng.randint(6, 9), 10)) for _ in range(2)]
        shares = [Fraction(rng.randint(0, 9), 10) for _ in range(2)]
        trace = squares = Fraction(0)
        inverses = [[[t, t - 1], [s - 1, s]] for s, t in devices]
        cells = list(product((0, 1), repeat=2))
        chance = {cell: Fraction(1) for cell in cells}
        for cell in cells:
            for bit, p in zip(cell, shares, strict=True):
                chance[cell] *= p if bit else 1 - p
        for truth, answer in product(cells, cells):
            law = length = Fraction(1)
            for (s, t), inverse, x, z in zip(devices, inverses, truth, answer, strict=True):
                law *= ((s, 1 - s), (1 - t, t))[x][z]
                length *= sum((Fraction(row[z]) / (s + t - 1)) ** 2 for row in inverse)
            trace += chance[truth] * law * length
        squares = sum((p * p for p in chance.values()), Fraction(0))
        both = [Mechanism.binary(s, t) for s, t in devices]
        assert independent_loss(ProductMechanism(both), shares) == (trace - squares) / (1 - squares)


@pytest.mark.slow
def test_polytopes_of_populations(rng: random.Random) -> None:
    """Each vertex satisfies the rows, and no point of a grid that satisfies them lies outside the vertices."""
    for _ in range(8):
        k = rng.randint(2, 4)
        rows = [
            (
                [Fraction(rng.randint(-2, 2)) for _ in range(k)],
                rng.choice(("<=", ">=", "=")),
                Fraction(rng.randint(0, 1), 2),
            )
            for _ in range(rng.randint(1, 2))
        ]
        grid = [Fraction(i, 12) for i in range(13)]
        inside = [
            point
            for point in product(grid, repeat=k)
            if sum(point) == 1
            and all(
                {"<=": v <= b, ">=": v >= b, "=": v == b}[sign]
                for a, sign, b in rows
                for v in [sum((x * p for x, p in zip(a, point, strict=True)), Fraction(0))]
            )
        ]
        try:
            found = Populations.where(rows)
        except RroptError:
            assert not inside
            continue
        for v in found.vertices:
            assert (sum(v), min(v) >= 0) == (1, True)
            assert all(row.holds(v) for row in found.rows)
        for direction in product((-1, 0, 1), repeat=k):
            best = max(sum((d * p for d, p in zip(direction, v, strict=True)), Fraction(0)) for v in found.vertices)
            assert all(sum((d * p for d, p in zip(direction, x, strict=True)), Fraction(0)) <= best for x in inside)
        assert Populations.of(found.to_dict()) == found


def test_a_vertex_of_many_bases_is_tested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty equalities that hold at one distribution only have C(43, 2) bases with the same solution."""
    tested = list[object]()

    def counted(point: Any, row: Any) -> Fraction:
        tested.append(row)
        return dot(point, row)

    monkeypatch.setattr("rropt.core.linear.vertices.dot", counted)
    rows = [([i, -1, 1 - i], "=", 0) for i in range(2, 22)]
    assert Populations.where(rows).vertices == ((Fraction(1, 3),) * 3,)
    assert len(tested) < 1000


def test_ranges_of_proportions() -> None:
    """The first proportion in [1/4, 1/2], the last 1/5: two vertices; a range up to 1 is no condition."""
    found = Populations.written(["1/4..1/2", "0..1", "1/5"])
    assert found.vertices == Populations.hull([["1/4", "11/20", "1/5"], ["1/2", "3/10", "1/5"]]).vertices
    assert found == Populations.between(["1/4", "0", "1/5"], ["1/2", "1", "1/5"])
    assert Populations.between(["0", "0"], ["1/3", "1"]).vertices == Populations.hull([[0, 1], ["1/3", "2/3"]]).vertices


@pytest.mark.parametrize("vertices", [(), ((),), [[1, 0]]])
def test_a_polytope_has_vertices(vertices: Any) -> None:
    with pytest.raises(RroptError, match="vertices are not tuples of numbers"):
        Populations(vertices)


def test_proportions_of_two_populations_are_combined_by_category_and_added_by_group() -> None:
    q = [Fraction(1, 2), Fraction(0), Fraction(1, 4), Fraction(0), Fraction(1, 4)]
    pi = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0), Fraction(0)]
    one = ChiSquare(q)
    assert one.ratios(pi) == [Fraction(1, 3), 1, Fraction(1, 2), Fraction(1, 3), 0]  # none of either: as the first
    assert one.added([0, 1, 0, 1, 2]).against == (Fraction(3, 4), Fraction(0), Fraction(1, 4))


def test_a_mixture_returns_from_its_json() -> None:
    third = ["1/2", "1/4", "1/4"]
    written = {"kind": "bayes", "objective": {"kind": "a-optimal"}, "weights": ["1/3", "2/3"]}
    mixed = objective_from_dict({**written, "populations": [third, third[::-1]]})
    assert mixed.to_dict() == {**written, "populations": [third, third[::-1]]}
    one = Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    parts = [AOptimality().value(one, pi) for pi in (third, third[::-1])]
    assert mixed.value(one, third) == (parts[0] + 2 * parts[1]) / 3
    for wrong in (written, {**written, "populations": [third]}, {**written, "populations": [third, third], "x": 1}):
        with pytest.raises(RroptError):
            objective_from_dict(wrong)
