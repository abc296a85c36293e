"""The exact data behind pictures of regions and landscapes: vertices, optima, level curves."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rropt import check
from rropt.core.exact import ExactReal
from rropt.mechanisms import named_mechanism
from rropt.objectives import binary_variance
from rropt.plots.data import region_picture, variance_picture
from rropt.plots.data.marked_designs import Coordinate
from rropt.plots.data.variance_pictures import level_curve
from rropt.privacy import RationalLevel

F = Fraction


@pytest.mark.parametrize(
    ("epsilon", "delta", "names"),
    [
        ("log(2)", "1/4", ["A", "B", "C", "D", "E", "B'", "C'", "D'"]),
        ("1/2", "exp(-10)", ["A", "B", "C", "D", "E", "B'", "C'", "D'"]),
        ("log(2)/3", "1/3", ["A", "B", "C", "D", "E", "B'", "C'", "D'"]),
        ("1", "0", ["A = B", "C", "D = E", "C'"]),
        ("1e-12", "0", ["A = B", "C", "D = E", "C'"]),
        ("1", "1", ["A", "B = C = D", "E", "B' = C' = D'"]),
        ("0", "1", ["A", "B = C = D", "E", "B' = C' = D'"]),
        ("0", "1/4", ["A", "B", "D", "E", "B'", "D'"]),  # C lies between B and D
        ("0", "0", ["A = B", "D = E"]),
    ],
)
def test_vertices_have_their_letters(epsilon: str, delta: str, names: list[str]) -> None:
    picture = region_picture(epsilon, delta)
    assert [design.label for design in picture.designs if design.is_vertex] == names
    assert picture.region.is_uninformative == ((epsilon, delta) == ("0", "0"))


def test_named_designs_are_all_the_enumerated_vertices(rng: random.Random, size) -> None:
    points = size(60, 2000)
    for _ in range(points):
        gamma, delta = 1 + F(rng.randint(0, 30), rng.randint(1, 9)), F(rng.randint(0, 6), 6)
        picture = region_picture(f"log({gamma})", delta)
        enumerated = {(v.p00, v.p11) for v in picture.region.vertices(RationalLevel(gamma, delta))}
        named = {(d.p00.rational, d.p11.rational) for d in picture.designs if d.is_vertex}
        assert named == enumerated
        for design in picture.designs:
            assert design.height.rational == design.p00.rational + design.p11.rational - 1
    assert points >= 60


def test_outline_goes_around_and_stays_convex(rng: random.Random, size) -> None:
    points = size(30, 1200)
    for _ in range(points):
        gamma, delta = 1 + F(rng.randint(1, 30), rng.randint(1, 9)), F(rng.randint(0, 6), 6)
        for informative in (False, True):
            outline = region_picture(f"log({gamma})", delta).outline(informative=informative)
            turns = [
                (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
                for a, b, c in zip(outline, outline[1:] + outline[:1], outline[2:] + outline[:2], strict=True)
            ]
            assert min(turns) > 0  # strictly convex, counter-clockwise
    assert points >= 30


@pytest.mark.parametrize(
    ("epsilon", "delta", "prevalence", "names"),
    [
        ("log(2)", "1/4", "1/4", ("B", "C")),  # Example 1.4 of the paper
        ("1/2", "1/10", "1/4", ("C",)),  # Example 1.1
        ("1", "2/5", "1/10", ("B",)),  # Example 1.2
        ("1/2", "1/3", "9/10", ("D",)),  # Example 1.3
        ("log(2)/3", "1/3", "1/2", ("B", "D")),
        ("log(3)", "1/5", "0", ("B",)),
        ("log(3)", "1/5", "1", ("D",)),
        ("1", "1", "1/5", ("B", "C", "D")),
        ("1", "0", "0", ("C",)),
    ],
)
def test_the_optimum_is_named_and_certified(epsilon: str, delta: str, prevalence: str, names: tuple[str, ...]) -> None:
    optimum = region_picture(epsilon, delta, prevalence=prevalence).optimum
    assert optimum is not None
    assert optimum.names == names
    assert check(optimum.solution.certificate)


def test_candidates_of_example_1() -> None:
    for epsilon, delta, prevalence, expected in (
        ("1/2", "1/10", "1/4", {"B": 2.438, "C": 2.372}),
        ("1", "2/5", "1/10", {"B": 0.24, "C": 0.385}),
        ("1/2", "1/3", "9/10", {"C": 0.854, "D": 0.29}),  # the paper prints 0.143 for D, but (6) gives 29/100
        ("log(2)", "1/4", "1/4", {"B": 15 / 16, "C": 15 / 16}),
    ):
        candidates = variance_picture(epsilon, delta, prevalence=prevalence).candidates
        for name, value in expected.items():
            assert round(float(candidates[name]), 3) == round(value, 3)


@given(
    gamma=st.fractions(1, 50, max_denominator=20),
    delta=st.fractions(0, 1, max_denominator=20),
    prevalence=st.fractions(0, 1, max_denominator=30),
)
def test_level_curves_have_their_level(gamma: Fraction, delta: Fraction, prevalence: Fraction) -> None:
    if gamma == 1 and delta == 0:
        return
    picture = variance_picture(f"log({gamma})", delta, prevalence=prevalence)
    assert 1 <= len(picture.levels) <= 7
    assert list(picture.levels) == sorted(set(picture.levels))
    for level in picture.levels:
        assert level > min(F(value.rational) for value in picture.candidates.values())
        x, y = level_curve(level, prevalence, points=7)
        for a, b in list(zip(x, y, strict=True))[1:-1]:  # at the ends p00 + p11 = 1
            value = binary_variance((1 + F(b) - F(a)) / 2, (1 + F(b) + F(a)) / 2, prevalence)
            assert math.isclose(value, level, rel_tol=1e-12)
        for xs, ys in picture.contour(level):
            for a, b in list(zip(xs, ys, strict=True))[:: max(1, len(xs) // 5)]:
                p00, p11 = F((1 + b - a) / 2), F((1 + b + a) / 2)
                slacks = [x * p00 + y * p11 + z for x, y, z in picture.shape.region.inequalities().values()]
                assert min(float(slack) for slack in slacks) > -1e-12 * float(gamma)


def test_a_certified_least_variance_has_no_contour_below_it() -> None:
    """Nothing of R' is below the optimum: the level curve of a smaller variance does not enter it."""
    tried = 0
    for epsilon, delta, prevalence in (("log(2)", "1/4", "1/4"), ("log(5)", "0", "1/3"), ("log(2)", "1/2", "1/2")):
        picture = variance_picture(epsilon, delta, prevalence=prevalence)
        below = picture.optimum.solution.lower * F(999, 1000)
        assert not picture.contour(below)
        assert picture.contour(picture.optimum.solution.upper * F(21, 20))
        tried += 1
    assert tried == 3


def test_thin_regions_are_stretched() -> None:
    assert variance_picture("1e-12", 0, prevalence="1/2").axes == "stretched"
    assert variance_picture("log(2)", "1/4", prevalence="1/2").axes == "design"
    assert variance_picture("log(2)", "1/4", prevalence="1/2", axes="stretched").axes == "stretched"


def test_coordinates_are_exact_and_their_floats_right() -> None:
    tiny = ExactReal.exponential(F(1, 10**40)) - 1
    assert math.isclose(float(Coordinate(tiny)), 1e-40, rel_tol=1e-15)
    assert Coordinate(1 - tiny).short() == "≈1 − 1.001e-40"  # at most the number
    assert Coordinate(1 - tiny).short(up=True) == "≈1 − 1e-40"
    assert str(Coordinate(ExactReal.exponential(F(1, 2)), 3)) == "(exp(1/2))/(3)"
    assert Coordinate(0, ExactReal.exponential(F(1, 2))).rational == 0
    assert [Coordinate(F(x)).short() for x in ("3/4", "0", "1234567/89101112")] == ["3/4", "0", "≈0.01385"]
    huge = region_picture("100", "1/100").design("C")
    assert huge.point() == (1.0, 1.0)
    assert huge.p00.short() == "≈1 − 3.683e-44"


def test_a_mechanism_is_placed_exactly() -> None:
    forced = named_mechanism("forced:2/3,1/6,1/6")
    for level, is_inside in (("log(5)", True), ("8/5", False)):  # log(5) = 1.609...
        picture = region_picture(level, mechanism=forced)
        assert picture.mechanism == forced
        assert picture.region.contains(forced) is is_inside
    landscape = variance_picture("log(2)", "1/4", prevalence="1/4", mechanism=named_mechanism("generalised:7/10,1/2"))
    assert landscape.mechanism_variance() == F(91, 16)
    useless = variance_picture("log(2)", "1/4", prevalence="1/4", mechanism=named_mechanism("warner:1/2"))
    assert useless.mechanism_variance() is None
