"""Breach regions against the definition: all properties, exact priors, every k from 2 to 5, zeros included."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import mpmath as mp
import pytest
from criteria_oracle import in_python
from every_case import every_case
from random_families import random_mechanism

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.core.exact import ExactReal
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.privacy.bound import judge
from rropt.privacy.breach_regions import (
    FunctionRegion,
    OddsRegion,
    Precision,
    area,
    attainable_odds,
    breach_region,
    compare_regions,
    is_part,
    precision,
)
from rropt.privacy.breach_regions.strictness import _both
from rropt.privacy.criteria import (
    Criterion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)

F = Fraction
Odds = tuple[Fraction, Fraction]  # above and below: a Bayes factor, with x/0 infinite
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def properties(k: int) -> Iterator[tuple[int, ...]]:
    for n in range(1, k):
        yield from itertools.combinations(range(k), n)


def intervals(mechanism: Mechanism) -> list[tuple[float | Fraction, float | Fraction]]:
    """The Bayes factors of every row and property as closed intervals, straight from the definition.

    x and y range over the means of the entries inside and outside; the ends are quotients of extremes, 0/0 left out.
    """
    found: list[tuple[float | Fraction, float | Fraction]] = []
    k = mechanism.inputs
    for row in mechanism.matrix:
        for q in properties(k):
            inside, outside = [row[j] for j in q], [row[j] for j in range(k) if j not in q]
            corners = [
                (x, y)
                for x in (min(inside), max(inside))
                for y in (min(outside), max(outside))
                if x or y  # the corner (0, 0) is left out; its neighbours on the sides are there
            ]
            quotients = [x / y if y else math.inf for x, y in corners]
            if quotients:
                found.append((min(quotients), max(quotients)))
    return found


def merged(parts: list[tuple[float | Fraction, float | Fraction]]) -> list[tuple[float | Fraction, float | Fraction]]:
    result: list[tuple[float | Fraction, float | Fraction]] = []
    for low, high in sorted(parts):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result


def claimed(mechanism: Mechanism) -> list[tuple[float | Fraction, float | Fraction]]:
    """The same set as ``attainable_odds`` describes it."""
    odds = attainable_odds(mechanism)
    if odds.everything:
        return [(0, math.inf)]
    parts: list[tuple[float | Fraction, float | Fraction]] = [(x, x) for r in odds.isolated for x in (r, 1 / r)]
    if odds.band is not None:
        band = ExactReal.of(odds.band).rational
        assert band is not None
        parts.append((1 / band, band))
    if odds.certain:
        parts += [(F(0), F(0)), (math.inf, math.inf)]
    return merged(parts)


def test_attained_bayes_factors_are_those_of_the_definition(size: Callable[[int, int], int]) -> None:
    rng = random.Random(1)
    seen = dict.fromkeys(range(2, 6), 0)
    kinds = set()
    for _ in range(size(250, 10_000)):
        k = rng.randint(2, 5)
        mechanism = random_mechanism(rng, k, rng.randint(1, 4), rng.choice((0, 0, 0.3, 0.7)))
        assert claimed(mechanism) == merged(intervals(mechanism))
        odds = attainable_odds(mechanism)
        kinds.add((odds.everything, odds.certain, bool(odds.isolated), odds.band is None))
        seen[k] += 1
    for mechanism in (Mechanism(IDENTITY), Mechanism([[1, 1, 1]]), Mechanism([[1, 1]]), Mechanism([[1, 0], [0, 1]])):
        assert claimed(mechanism) == merged(intervals(mechanism))
    assert min(seen.values()) > size(30, 1500)
    assert len(kinds) >= 6


def test_pairs_that_occur_for_dense_priors_are_outside_and_all_others_inside(size: Callable[[int, int], int]) -> None:
    """Bayes' rule at exact priors never enters W_P, and every pair outside it is reached."""
    rng = random.Random(2)
    occurred = reached = 0
    for _ in range(size(40, 1000)):
        k = rng.randint(2, 4)
        mechanism = random_mechanism(rng, k, 3, rng.choice((0, 0.3)))
        region = breach_region(mechanism)
        for _ in range(25):
            weights = [rng.choice((0, 1, 2, 7, 40)) for _ in range(k)]
            total = sum(weights)
            q = rng.choice(list(properties(k)))
            for row in mechanism.matrix:
                joint = [F(w, total) * x for w, x in zip(weights, row, strict=True)] if total else []
                if not sum(joint):
                    continue
                prior, posterior = F(sum(weights[j] for j in q), total), sum(joint[j] for j in q) / sum(joint)
                assert not region.contains(prior, posterior)
                occurred += 1
        for _ in range(10):
            prior, posterior = F(rng.randint(1, 19), 20), F(rng.randint(0, 20), 20)
            ratio = (posterior * (1 - prior), prior * (1 - posterior))
            assert region.contains(prior, posterior) == (not is_reached(mechanism, ratio))
            reached += 1
    assert occurred > 1000
    assert reached >= 400


def is_reached(mechanism: Mechanism, ratio: Odds) -> bool:
    """Whether some row and property reach a Bayes factor: the line x below = y above meets the rectangle off (0, 0)."""
    above, below = ratio
    value = above / below if below else math.inf
    return any(low <= value <= high for low, high in intervals(mechanism))


def test_edges_and_named_cases() -> None:
    warner, die = (
        breach_region(named_mechanism("warner:3/4")),
        breach_region(Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])),
    )
    assert isinstance(die, OddsRegion)
    for region in (warner, die, breach_region(Mechanism(IDENTITY))):
        assert not region.contains(0, 0)
        assert not region.contains(1, 1)
        assert region.contains(0, "1/2")
        assert region.contains(1, 0)
        assert region.contains("1/2", "99/100")
    assert [warner.contains("1/2", x) for x in ("3/4", "1/4", "1/2", "5/8")] == [False, False, True, True]
    identity = breach_region(Mechanism(IDENTITY))
    assert [identity.contains("1/2", x) for x in (0, 1, "1/2")] == [False, False, True]
    mixed = breach_region(Mechanism([["1/2", "1/2", 0], ["1/2", "1/2", 1]]))
    assert not any(mixed.contains("1/3", x) for x in (0, "1/7", "1/3", 1))
    assert Mechanism(IDENTITY).parity() is None
    with pytest.raises(InvalidMechanismError, match="one input"):
        breach_region(Mechanism([["1/2"], ["1/2"]]))


CRITERIA = [
    rho_to_rho("1/5", "1/2"),
    rho_to_rho("3/10", "1/2"),
    beta_factor(2),
    beta_factor("3/2"),
    bayes_factor(2),
    bayes_factor(3, "1/2"),
    canonical_information_privacy("min(1, 3*p)"),
    information_privacy(lower="p/4", upper="min(1, 3/2*p)"),
    information_privacy(lower="p^2", upper="1 - (1-p)^2/2"),
    differential_local_privacy("1/2"),
    differential_local_privacy("log(3)"),
    information_privacy(lower="0", upper="1"),
]


def test_being_part_of_the_mechanisms_region_is_meeting_the_criterion(size: Callable[[int, int], int]) -> None:
    rng = random.Random(4)
    answers = []
    for _ in range(size(60, 1000)):
        k = rng.randint(2, 4)
        mechanism = random_mechanism(rng, k, rng.randint(2, 4), rng.choice((0, 0, 0, 0.2)))
        criterion = rng.choice(CRITERIA)
        answer = is_part(breach_region(criterion), breach_region(mechanism))
        assert answer == judge(mechanism, criterion, fast=True).meets
        answers.append(answer)
    assert answers.count(True) > 10
    assert answers.count(False) > 10


@pytest.mark.slow
def test_comparisons_agree_with_a_grid() -> None:
    """A region that is part of another has no pair outside it; one that is not is shown to by a pair of the grid."""
    regions = [breach_region(criterion) for criterion in CRITERIA]
    regions += [
        breach_region(Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])),
        breach_region(Mechanism(IDENTITY)),
    ]
    regions += [breach_region(named_mechanism("warner:3/4"))]
    grid = [(F(i, 24), F(j, 24)) for i in range(1, 24) for j in range(25)]
    inside = [[region.contains(*pair) for pair in grid] for region in regions]
    parts = 0
    for (a, left), (b, right) in itertools.permutations(zip(regions, inside, strict=True), 2):
        part = is_part(a, b)
        shown = any(x and not y for x, y in zip(left, right, strict=True))
        if part:
            assert not shown
            parts += 1
        elif not shown:  # the difference is narrower than the grid
            assert part is False
    assert parts > 30


def test_relations() -> None:
    rho, beta = breach_region(rho_to_rho("3/10", "1/2")), breach_region(beta_factor(2))
    assert compare_regions(rho, beta) == "overlapping"
    for region, relation in ((beta, "smaller"), (rho, "smaller"), (breach_region(rho_to_rho("1/5", "4/5")), "equal")):
        assert isinstance(region, FunctionRegion)
        assert compare_regions(region, region.canonical()) == relation
    assert compare_regions(breach_region(rho_to_rho("1/5", "4/5")), rho) == "smaller"
    assert compare_regions(breach_region(bayes_factor(2)), breach_region(beta_factor(2))) == "larger"
    three = Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])
    assert compare_regions(breach_region(bayes_factor(2)), breach_region(three)) == "equal"
    assert compare_regions(breach_region(differential_local_privacy("7/10")), breach_region(three)) == "smaller"
    assert compare_regions(breach_region(named_mechanism("warner:2/3")), breach_region(three)) == "larger"
    root = breach_region(canonical_information_privacy("sqrt(p)"))
    assert compare_regions(root, breach_region(bayes_factor(2))) is None
    assert compare_regions(breach_region(canonical_information_privacy("p^(1/3)")), rho) == "overlapping"
    general = breach_region(information_privacy(lower="p^4", upper="1 - (1-p)/3 - (1-p)^2/6"))
    assert isinstance(general, FunctionRegion)
    assert compare_regions(general, general.canonical()) == "smaller"  # Figure 3: the parts A and B


@every_case(
    ("criterion", "precise", "parity"),
    [
        (bayes_factor(2), True, F(2)),
        (bayes_factor(2, "1/2"), True, F(2)),
        (bayes_factor(2, "1/3"), False, None),
        (canonical_information_privacy("3*p/(1 + 2*p)"), True, F(3)),
        (canonical_information_privacy("p"), True, F(1)),
        (information_privacy(lower="0", upper="1"), True, None),
        (beta_factor(2), False, None),
        (rho_to_rho("1/5", "1/2"), False, None),
        (information_privacy(lower="p/(2-p)", upper="1"), False, None),
        (canonical_information_privacy("piecewise(2*p/(1+p), p < 1/2, 3*p/(1+2*p))"), False, None),
        (differential_local_privacy("log(5)"), True, F(5)),
        (canonical_information_privacy("sqrt(p)"), None, None),
    ],
)
def test_precise_regions(criterion: Criterion, precise: bool | None, parity: Fraction | None) -> None:
    region = breach_region(criterion)
    found = precision(region)
    assert (found.precise, found.parity) == (precise, parity)
    assert found.reason
    if precise:
        assert found.mechanism is not None
        assert compare_regions(region, breach_region(found.mechanism)) == "equal"


def test_precise_regions_of_mechanisms() -> None:
    irrational = precision(breach_region(differential_local_privacy("1/2")))
    assert irrational.precise is True
    assert irrational.mechanism is None
    assert precision(breach_region(named_mechanism("warner:3/4"))).precise is False
    assert precision(breach_region(Mechanism(IDENTITY))).precise is False
    assert precision(breach_region(Mechanism([[1, 1]]))).precise is True


@every_case(
    ("criterion", "exact"),
    [
        (rho_to_rho("3/10", "1/2"), F(3, 10)),
        (rho_to_rho("1/5", "3/5"), 2 * F(1, 5) * F(2, 5)),
        (beta_factor(2), F(1, 2)),
        (beta_factor("7/3"), F(3, 7)),
        (information_privacy(lower="p^2", upper="1 - (1-p)^2/2"), 1 - F(5, 6) + F(1, 3)),
        (information_privacy(lower="0", upper="1"), F(0)),
        (canonical_information_privacy("p"), F(1)),
    ],
)
def test_exact_areas(criterion: Criterion, exact: Fraction) -> None:
    found = area(breach_region(criterion))
    assert (found.lower, found.upper, found.text) == (exact, exact, str(exact))


@pytest.mark.slow
@every_case(
    ("upper", "lower"),
    [
        ("sqrt(p)", "p^2"),
        ("p^(1/3)", "p^2"),
        ("2*p/(1+p)", "p/3"),
        ("exp(p - 1)", "0"),
        ("max(p, sqrt(p) - 1/10)", "p/2"),
        ("min(1, p + 1/(2+p))", "p^3"),
    ],
)
def test_enclosed_areas(upper: str, lower: str) -> None:
    found = area(breach_region(information_privacy(lower=lower, upper=upper)))
    points = [mp.mpf(i) / 64 for i in range(65)]
    with mp.workdps(30):
        exact = 1 - mp.quad(in_python(upper), points) + mp.quad(in_python(lower), points)
    assert 0 <= found.upper - found.lower < F(1, 10**10)
    assert float(str(found).removeprefix("about ")) == pytest.approx(float(found), abs=1e-8)
    assert abs(float(exact) - float(found)) < 1e-6  # the oracle has kinks
    assert float(found.lower) - 1e-6 <= exact <= float(found.upper) + 1e-6


ENTROPIES = [  # what intervals see as u log u in one piece, which complex balls do not know
    "p-p*log(p)",
    "p-p*log(p)/2",
    "p+(1-p)*p*(1-p)^(1-p)",
    "1-(1-p)*(1-log(1-p)/2)*(1-p)",
    "1-(1-p)*(1-p^p)",
]


@pytest.mark.slow
@pytest.mark.parametrize("text", ENTROPIES)
def test_areas_of_entropies(text: str) -> None:
    found = area(breach_region(canonical_information_privacy(text)))
    with mp.workdps(30):
        expected = 2 - 2 * mp.quad(in_python(text), mp.linspace(0, 1, 17))  # h_l(p) = 1 - h_u(1 - p)
        assert float(found.lower) - 1e-12 <= expected <= float(found.upper) + 1e-12
    assert found.upper - found.lower < F(1, 10**10)


@pytest.mark.slow
def test_areas_of_bounds_on_bayes_factors() -> None:
    seen = 0
    for g in (F(11, 10), F(2), F(5), F(20), F(1000)):
        for region in (
            breach_region(bayes_factor(g)),
            breach_region(precision(breach_region(bayes_factor(g))).mechanism),
        ):
            found = area(region)
            with mp.workdps(30):
                h = mp.quad(lambda p, g=g: float(g) * p / (1 + (float(g) - 1) * p), mp.linspace(0, 1, 65))
            assert abs(float(found) - float(2 - 2 * h)) < 1e-9
            assert found.upper - found.lower < F(1, 10**20)
            seen += 1
    assert seen == 10
    assert str(area(breach_region(bayes_factor(2)))) == "4*log(2) - 2"
    irrational = area(breach_region(differential_local_privacy("log(3)/2")))
    assert irrational.upper - irrational.lower < F(1, 10**20)
    assert area(breach_region(named_mechanism("warner:3/4"))).lower == 1  # two inputs: curves
    assert area(breach_region(Mechanism([["1/2", "1/2", 0], ["1/2", "1/2", 1]]))).upper == 0


def test_bad_input() -> None:
    region = breach_region(beta_factor(2))
    for pair in (("2", "1/2"), ("1/2", "-1/10"), ("x", "1/2"), (math.nan, "1/2"), ("1/2", math.inf), (None, 0)):
        with pytest.raises(InvalidParameterError) as error:
            region.contains(*pair)
        assert "\n" not in str(error.value)
    root = breach_region(canonical_information_privacy("exp(log(p)*log(2)/log(4))"))
    assert not root.contains(0, 0)
    assert root.contains("1/4", "51/100")
    with pytest.raises(UnsupportedProblemError, match="not decided"):  # equal, but balls never prove that
        root.contains("1/4", "1/2")
    edge = breach_region(canonical_information_privacy("exp(log(2)/log(4)*log(p))"))
    with pytest.raises(RroptError, match=r"not decided|at the edge"):
        edge.contains(0, "1/2")
    assert breach_region(canonical_information_privacy("p^(1/3)")).contains(0, "1/2")
    for upper in ("p/2", "log(1+p) + 3/10", "1 + p", "sqrt(p - 1/2)"):
        with pytest.raises(RroptError):
            breach_region(canonical_information_privacy(upper))


@every_case("first", [True, False, None])
@every_case("second", [True, False, None])
def test_unknown_comparisons_follow_kleenes_logic(first: bool | None, second: bool | None) -> None:
    """Three of three values each: the smallest, where False < None < True."""
    order = [False, None, True]
    assert _both(first, second) is order[min(order.index(first), order.index(second))]


def test_a_smallest_bayes_factor_above_1_gets_no_advice_about_percents() -> None:
    with pytest.raises(InvalidParameterError, match=r"received 3; allowed is 0 < least < 1$"):
        bayes_factor(3, 3)


def test_irrational_levels_are_compared_and_saved() -> None:
    first, second = (breach_region(differential_local_privacy(f"1/2*log({q})")) for q in (10, 12))
    assert compare_regions(first, second) == "larger"
    assert first != second
    found = precision(second)
    assert Precision.from_json(found.to_json()) == found
