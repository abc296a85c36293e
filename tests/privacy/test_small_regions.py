"""Regions at small sizes: both sides of each limit, the points of polygons, and the sentences of errors."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import pytest
from flint import fmpq, fmpq_poly, fmpz_poly

from rropt import privacy
from rropt.core.errors import InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.mechanisms import Mechanism
from rropt.privacy import gaussian_levels
from rropt.privacy.bound import covers, parity_bound
from rropt.privacy.bound.functions import PRIOR, Composite, Rational
from rropt.privacy.bound.infima import Place
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.breach_regions import areas, breach_region
from rropt.privacy.breach_regions.forbidden_pairs import OddsRegion
from rropt.privacy.criteria import bayes_factor, beta_factor, canonical_information_privacy, rho_to_rho
from rropt.privacy.criteria.named_criteria import given_criterion
from rropt.privacy.criterion_region import _around, criterion_level
from rropt.privacy.divergence_regions import RenyiRegion, ZcdpRegion
from rropt.privacy.gaussian_region import GaussianRegion
from rropt.privacy.level_arguments import given_level, require_no_delta, span
from rropt.privacy.level_intervals import EveryLevelRegion
from rropt.privacy.level_regions import (
    LevelsRegion,
    common_brackets,
    components,
    multiple,
    steps_apart,
)
from rropt.privacy.metric_audits import levels_privacy, metric_privacy
from rropt.privacy.region import (
    LABELS,
    LevelPart,
    PrivacyRegion,
    RationalLevel,
    RationalLevels,
    binary_inequalities,
    exact_rows,
    read_size,
    shape_text,
)
from rropt.privacy.region_files import load_bounds, load_levels, load_matrix, properties_from_text

F = Fraction
WARNER = Mechanism.binary("3/4", "3/4")


# one level


def test_levels_of_a_warner_design() -> None:
    """Its parity is 3, and delta at gamma is max(0, 3/4 - gamma/4)."""
    for epsilon, delta, inside in (
        ("log(3)", 0, True),
        ("log(3)", "1/8", True),
        ("log(299/100)", 0, False),
        ("log(301/100)", 0, True),
        ("log(2)", "1/4", True),
        ("log(2)", "249/1000", False),
        ("log(2)", "251/1000", True),
        (0, "1/2", True),
        (0, "499/1000", False),
        (1, 0, False),
        ("11/10", 0, True),  # log 3 = 1.0986
    ):
        region = PrivacyRegion(epsilon, delta)
        assert region.contains(WARNER) is inside, (epsilon, delta)
    assert PrivacyRegion("log(4)", family="warner").contains(WARNER)
    assert not PrivacyRegion("log(4)", family="warner").contains(Mechanism.binary("3/4", "2/3"))
    assert not PrivacyRegion(5, inputs=3).contains(WARNER)
    assert PrivacyRegion(5, outputs="any").contains(WARNER)
    assert not PrivacyRegion(5, outputs=3).contains(WARNER)
    assert not PrivacyRegion(5).contains(Mechanism([["1", "1/2"], ["0", "1/2"]]))  # an infinite parity


def test_attributes_of_one_level() -> None:
    for region, has_rays, is_blind, form in (
        (PrivacyRegion(1), True, False, "parity"),
        (PrivacyRegion(0), True, True, "parity"),
        (PrivacyRegion(0, "1/10"), True, False, "excess"),
        (PrivacyRegion(1, family="warner"), False, False, None),
    ):
        assert (region.has_rays, region.is_uninformative, region.form) == (has_rays, is_blind, form)
    one, loose = PrivacyRegion(1, inputs=3), PrivacyRegion(1, "1/10", inputs=3)
    assert [one.compares(0, 1), one.compares(1, 1), loose.compares(0, 1)] == [True, False, False]
    assert (one.reached([0]), loose.reached([0]), one.reached([])) == ({0, 1, 2}, {0}, set())
    assert one.of_groups(2) == PrivacyRegion(1, outputs="any")
    assert (one.unrestricted, one.of_groups(3).unrestricted) == (
        PrivacyRegion(1, inputs=3, outputs="any"),
        one.of_groups(3),
    )
    assert (one.one_level() is one, one.outputs, one.of_groups(3).outputs) == (True, 2, 0)
    assert str(PrivacyRegion(1, family="warner")).endswith("m = 2 outputs, warner")
    assert shape_text(2, 2) == "k = 2 categories, m = 2 outputs"
    given = given_level(1, "1/10", None)
    assert given.region(outputs=2) == PrivacyRegion(1, "1/10")
    for call, text in (
        (lambda: PrivacyRegion(given), "epsilon is not a number: received epsilon = 1"),
        (lambda: PrivacyRegion(Epsilon("infinite")), "epsilon is infinite"),
        (lambda: PrivacyRegion(1, inputs=3, family="warner"), "is binary"),
        (lambda: PrivacyRegion(1, inputs=1), "inputs is not a size: received 1; allowed is an integer >= 2"),
        (lambda: PrivacyRegion(1, outputs=1), "outputs is not a size"),
        (lambda: PrivacyRegion(1, inputs=0), "inputs is not a size"),
        (lambda: PrivacyRegion(1, inputs=3).inequalities(), "this region has 3 inputs, 2 outputs"),
        (lambda: one.at(Epsilon.of(1)), "the region has no criterion"),
        (lambda: EveryLevelRegion("all").one_level(), "the region has no single level"),
        (lambda: EveryLevelRegion("all").bracket(3), "has no single level"),
        (lambda: PrivacyRegion(1).exact_vertex(("yes-ratio",)), "determine no design"),
        (lambda: PrivacyRegion.from_dict({"kind": "differential-privacy"}), "region is not of the form"),
    ):
        with pytest.raises(RroptError, match=text):
            call()
    for text, name, size in (("2", "inputs", 2), ("9" * 9, "inputs", 10**9 - 1), ("9" * 19, "outputs", 10**19 - 1)):
        assert read_size(text, name) == size
    for text, name in (
        ("02", "inputs"),
        ("", "inputs"),
        ("1" * 10, "inputs"),
        ("1" * 20, "outputs"),
        (2, "inputs"),
        ("-2", "inputs"),
    ):
        with pytest.raises(InvalidParameterError, match=f"{name} is not a size"):
            read_size(text, name)


def test_vertices_of_a_binary_region() -> None:
    """Each vertex satisfies the eight rows, and its tight rows are those with equality."""
    for gamma, delta, count in (
        (F(3), F(0), 4),
        (F(2), F(1, 10), 8),
        (F(1), F(1, 10), 6),
        (F(1), F(0), 2),
        (F(2), F(1), 4),
    ):
        region = PrivacyRegion("log(3)")
        found = region.vertices(RationalLevel(gamma, delta))
        assert len(found) == count, (gamma, delta)
        rows = binary_inequalities(gamma, delta)
        assert tuple(rows) == LABELS
        for vertex in found:
            values: dict[str, Any] = {k: a * vertex.p00 + b * vertex.p11 + c for k, (a, b, c) in rows.items()}
            assert min(values.values()) == 0
            assert vertex.tight == tuple(k for k, v in values.items() if v == 0)
        assert [(v.p00, v.p11) for v in found] == sorted((v.p00, v.p11) for v in found)
        assert {(1 - v.p00, 1 - v.p11) for v in found} == {(v.p00, v.p11) for v in found}
    ends = PrivacyRegion("log(3)", family="warner").vertices(RationalLevel(F(3), F(1, 5)))
    assert [(v.p00, v.p11) for v in ends] == [(F(1, 5), F(1, 5)), (F(4, 5), F(4, 5))]
    p00, p11, w = PrivacyRegion("log(3)").exact_vertex(("yes-ratio", "no-ratio"))
    assert (p00.rational, p11.rational, w.rational) == (3, 3, 4)


def test_rational_levels() -> None:
    low, high, zero = RationalLevel(F(2), F(1, 10)), RationalLevel(F(3), F(1, 5)), F(0)
    one = RationalLevels.single(low, high)
    assert (one.below, one.above, one.is_exact, RationalLevels.single(low, low).is_exact) == (low, high, False, True)
    assert one.width == F(1, 2)
    for below, above, width in (
        ((F(2), zero), (F(2), zero), 0),
        ((F(2), zero), (F(3), zero), F(1, 2)),
        ((F(2), zero), (F(3), F(1, 100)), 1),
        ((F(1), zero), (F(1), zero), 0),
        ((F(1), F(1, 4)), (F(1), F(1, 2)), F(1, 2)),
        ((F(2), F(0)), (F(2), F(0)), 0),
        ((F(3), F(1, 10)), (F(3), F(6, 10)), F(1, 2) / F(26, 10)),
    ):
        assert RationalLevels.single(RationalLevel(*below), RationalLevel(*above)).width == width
    assert one.to_list() == [{"gamma": {"below": "2", "above": "3"}, "delta": {"below": "1/10", "above": "1/5"}}]
    proof = {"claim": 1}
    assert RationalLevels.single(low, high, proof).to_list()[0]["gamma"]["infimum"] is proof
    assert one.parts(3)[0].pairs == ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    several = RationalLevels((LevelPart(low, high, ((0, 1),)), LevelPart(low, low)))
    assert (several.parts(3) is several.listed, several.is_exact) == (True, False)
    with pytest.raises(UnsupportedProblemError, match="there is no single level: received 2"):
        _ = several.below
    made = several.raised(max, min)
    assert [(p.below.gamma, p.below.delta, p.pairs) for p in made.listed] == [
        (3, F(1, 10), ((0, 1),)),
        (2, F(1, 10), ()),
    ]
    assert made.is_exact
    short = one.drawable(3, 8, RationalLevels.single(RationalLevel(F(314159, 100000), zero), high))
    gamma = short.below.gamma
    best = max(
        F(a, b) for b in range(1, 200) for a in range(1, 800) if a + 2 * b <= 256 and F(a, b) <= F(314159, 100000)
    )
    assert (gamma, short.above, short.below.delta) == (best, high, 0)
    kept = RationalLevels.single(RationalLevel(F(3), F(1, 4)), high)
    assert one.drawable(3, 8, kept).below == RationalLevel(F(3), F(1, 4))
    least = one.drawable(5, 1, RationalLevels.single(RationalLevel(F(301, 300), zero), high))
    assert least.below.gamma == 1
    assert exact_rows([[1, 2]], 1, 2, "it is", lambda x, i, j: x + i + j) == ((1, 3),)
    for values, text in (
        ([[1, 2], [3]], r"received .*3.* as row 1; give 2 rows of 2 entries"),
        ([[1, 2]], "not a 2 x 2 matrix"),
        (3, "not a 2 x 2"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            exact_rows(values, 2, 2, "it is", lambda x, *_: x)


def test_levels_that_are_given_once() -> None:
    assert str(given_level("log(3)", "1/10", None)) == "epsilon = log(3), delta = 1/10"
    assert given_level(None, 0, "factor:2").criterion == privacy.factor(2).criterion == beta_factor(2)
    assert given_level(None, 0, privacy.posterior("1/5", "1/2")).epsilon == Epsilon.of("log(4)")
    assert given_level(1, 0, None).region(inputs=3, outputs="any") == PrivacyRegion(1, inputs=3, outputs="any")
    for arguments, text in (
        ((None, 0, None), "received none; give `epsilon`"),
        ((1, 0, "log(2),0"), "given twice: received epsilon 1 and a level"),
        ((1, 0, privacy.factor(2)), "given twice: received epsilon 1 and a level"),
        ((None, "1/10", privacy.factor(2)), "`delta` belongs to `epsilon` or `gamma`"),
        ((privacy.factor(2), 0, None), "`epsilon` is a number: received the level"),
        (("1/2..3", 0, None), "a design has one level: received epsilon"),
        ((None, 0, span("1/2..3")), "a design has one level: received 1/2 <= epsilon <= 3"),
        ((None, 0, 2), "`level` is no level: received 2"),
        ((None, 0, "posterior:1/5"), "another number of parameters"),
        ((None, 0, "posterior:1/5,1/2,1"), "another number of parameters"),
        ((None, 0, "beta:2"), "the level is unknown: received 'beta:2'"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            given_level(*arguments)
    for criteria, text in (
        ({"lower": "p/2"}, "goes with `upper=EXPR`"),
        ({"beta": 2, "rho": ("1/5", "1/2")}, "received rho, beta; give one"),
        ({"rho": "1/5"}, "rho is not a pair"),
        ({"rho": ("1/5", "1/2", "1")}, "rho is not a pair"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            given_criterion(**criteria)  # type: ignore[arg-type]
    require_no_delta("0")
    assert given_criterion() is None
    assert given_criterion(upper="min(2*p, 1)") is not None


# several levels


def test_several_levels() -> None:
    for levels, form, blind in (
        ([(1, 0)], "pairwise", False),
        ([(1, 0), (2, 0)], None, False),  # both for all pairs
        ([(1, 0, [(0, 1)]), (2, 0, [(1, 0)])], "pairwise", False),
        ([(1, 0, [(0, 1)]), (2, 0, [(0, 1)])], None, False),
        ([(1, "1/10")], None, False),
        ([(0, 0)], "pairwise", True),
        ([(0, 0, [(0, 1)])], "pairwise", False),
        ([(0, 0, [(0, 1), (2, 1)])], "pairwise", True),
        ([(0, 0, [(0, 1), (1, 0)])], "pairwise", False),
        ([(0, "1/10")], None, False),
    ):
        region = LevelsRegion(levels, inputs=3)
        assert (region.form, region.is_uninformative) == (form, blind), levels
    region = LevelsRegion([("log(2)", 0, [(0, 1)]), ("log(3)", "1/10", [(1, 2)])], inputs=3)
    assert [region.compares(0, 1), region.compares(1, 0), region.compares(1, 2)] == [True, False, False]
    assert region.pair_levels is None
    pairs = LevelsRegion([("log(2)", 0, [(0, 1)])], inputs=2).pair_levels
    assert pairs == ((None, Epsilon.of("log(2)")), (None, None))
    assert LevelsRegion([(1, 0)], inputs=2, outputs=3).any_outputs == LevelsRegion([(1, 0)], inputs=2)
    assert str(LevelsRegion([(1, 0)] * 5)).startswith("levels (1, 0), (1, 0), (1, 0), (1, 0), ..., k = 2")
    assert "..." not in str(LevelsRegion([(1, 0)] * 4))
    for delta, inside in (("1/4", True), ("249/1000", False)):
        assert LevelsRegion([("log(2)", delta), ("log(3)", 0)]).contains(WARNER) is inside
    uneven = Mechanism([["3/4", "1/2"], ["1/4", "1/2"]])  # odds 3/2 from 0 to 1, and 2 from 1 to 0
    for one, other, inside in (("3/2", "2", True), ("149/100", "2", False), ("3/2", "199/100", False)):
        region = LevelsRegion.by_pair([[None, f"log({one})"], [f"log({other})", None]])
        assert region.contains(uneven) is inside
    for call, text in (
        (lambda: LevelsRegion([]), "levels is not a list of 1 to 256 levels"),
        (lambda: LevelsRegion([(1, 0)] * 257), "1 to 256"),
        (lambda: LevelsRegion("log(2)"), "levels is not a list"),
        (lambda: LevelsRegion([1]), r"levels\[0\] is not a level"),
        (lambda: LevelsRegion([(1, 0), (1, 0, "all", 1)]), r"levels\[1\] is not a level"),
        (lambda: LevelsRegion([(Epsilon("infinite"), 0)]), "an infinite level is no condition; leave it out"),
        (lambda: LevelsRegion([(1, 0, [(0, 0)])]), "two different inputs: received .*; allowed is .* from 0 to 1"),
        (lambda: LevelsRegion([(1, 0, [(0, 2)])]), "two different inputs"),
        (lambda: LevelsRegion([(1, 0, [])]), "has no pairs"),
        (lambda: LevelsRegion([("x", 0)]), r"levels\[0\]: "),
        (lambda: LevelsRegion.by_pair([[None, None], [None, None]]), "every pair is None"),
        (lambda: LevelsRegion.by_pair([[1, 1], [1, None]]), r"levels\[0\]\[0\] is 1"),
        (lambda: LevelsRegion.by_pair([[None, Epsilon("infinite")], [1, None]]), r"levels\[0\]: an infinite level"),
        (lambda: LevelsRegion.by_pair([[None, 1], ["x", None]]), r"levels\[1\]: "),
        (lambda: LevelsRegion.gaussian(0, "within"), "allowed is 0 < mu <= 8"),
        (lambda: LevelsRegion.gaussian("81/10", "within"), "allowed is 0 < mu <= 8"),
        (lambda: LevelsRegion.gaussian(1, "beside"), "side"),  # type: ignore[arg-type]
        (lambda: LevelsRegion.gaussian(1, "within", levels=161), "from 1 to 160"),
        (lambda: LevelsRegion.gaussian(1, "within", levels=0), "from 1 to 160"),
        (lambda: steps_apart("grid:2x2", 3), "4 places; there are 3 categories"),
        (lambda: steps_apart("grid:0x2", 0), "`distance` is unknown"),
    ):
        with pytest.raises(RroptError, match=text):
            call()
    assert LevelsRegion([{"epsilon": 1}]).levels == LevelsRegion([(1, 0, "all")]).levels
    assert LevelsRegion([(1, 0, [("0", "1"), [1, 0], (0, 1)])]).levels[0].pairs is None
    assert LevelsRegion([(1, 0)] * 256).form is None


def test_levels_by_distance() -> None:
    region = LevelsRegion.by_distance(40, distance=lambda j, other: abs(j - other), inputs=4)
    assert [float(one.epsilon) for one in region.levels] == [40, 80]  # 120 exceeds the largest level
    assert [len(one.pairs or ()) for one in region.levels] == [6, 4]
    assert (multiple(Epsilon.of(50), 2), multiple(Epsilon.of(50), 3)) == (Epsilon.of(100), None)
    grid = steps_apart("grid:2x3", 6)
    assert [grid(0, j) for j in range(6)] == [0, 1, 2, 1, 2, 3]
    assert [steps_apart("line", 3)(2, j) for j in range(3)] == [2, 1, 0]
    assert [components(4, pairs) for pairs in ([], [(0, 1)], [(0, 1), (2, 3)], [(0, 1), (1, 2), (0, 2)])] == [
        4,
        3,
        2,
        2,
    ]
    one, three, thirteen = Epsilon.of("1/2"), Epsilon.of("3/2"), Epsilon.of("13/2")
    found = common_brackets([one, three, Epsilon.of("log(2)")], 20)
    assert (found[three].lower, found[three].upper) == (found[one].lower ** 3, found[one].upper ** 3)
    assert found[Epsilon.of("log(2)")].lower == 2
    assert float(found[three].lower) == pytest.approx(math.exp(1.5), rel=1e-15)
    apart = common_brackets([one, thirteen], 20)  # thirteen steps are too many
    assert apart[thirteen].lower != apart[one].lower ** 13
    assert common_brackets([one, Epsilon.of(6)], 20)[Epsilon.of(6)].lower == apart[one].lower ** 12


def test_metric_audits_of_small_mechanisms() -> None:
    """Odds 2, 2 and 4 for distances 1, 1 and 2 have the unit log 2; the first pair attains it."""
    one = Mechanism([["4/7", "2/7", "1/7"], ["2/7", "4/7", "2/7"], ["1/7", "1/7", "4/7"]])
    found = metric_privacy(one)
    assert (str(found.epsilon), found.pair, found.output) == ("log(4)", (2, 1), 2)
    wide = metric_privacy(one, [[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    assert (str(wide.epsilon), wide.pair) == ("log(2)", (0, 1))
    flat = metric_privacy(Mechanism([["1/2"] * 3] * 2))
    assert (str(flat.epsilon), flat.pair, flat.output) == ("0", (0, 1), 0)
    zero = metric_privacy(Mechanism([["1", "1/2"], ["0", "1/2"]]))
    assert (zero.epsilon.is_infinite, zero.pair, zero.output) == (True, (1, 0), 1)
    together = metric_privacy(WARNER, [[0, 0], [0, 0]])
    assert together.epsilon.is_infinite
    half = metric_privacy(WARNER, [[0, "1/2"], ["1/2", 0]])
    assert str(half.epsilon) == "log(9)"
    for distance, text in (
        ([[0, -1], [1, 0]], r"distance\[0\]\[1\]"),
        ([[1, 1], [1, 0]], r"0 on the diagonal"),
        ([[0, 100001], [1, 0]], "integers up to 100000"),
    ):
        with pytest.raises(RroptError, match=text):
            metric_privacy(WARNER, distance)
    assert metric_privacy(WARNER, [[0, 100000], [1, 0]]).pair == (1, 0)
    for levels, meets, factor, pair in (
        ([[None, "log(3)"], ["log(9)", None]], True, 1.0, (0, 1)),
        ([[None, "log(9)"], ["log(3)", None]], True, 1.0, (1, 0)),
        ([[None, "log(2)"], ["log(9)", None]], False, math.log(3) / math.log(2), (0, 1)),
        ([[None, "log(9)"], [None, None]], True, 0.5, (0, 1)),
        ([[None, 0], [None, None]], False, None, (0, 1)),
        ([[None, None], [None, None]], True, 0.0, (0, 1)),
    ):
        judged = levels_privacy(WARNER, levels)
        assert (judged.meets, judged.pair) == (meets, pair), levels
        assert judged.factor == (None if factor is None else pytest.approx(factor))
    lost = levels_privacy(Mechanism([["1", "1/2"], ["0", "1/2"]]), [[None, 1], [1, None]])
    assert (lost.meets, lost.factor, lost.pair, lost.output) == (False, None, (1, 0), 1)


# Gaussian and divergences


def test_tangents_and_chords() -> None:
    """A tangent of G is delta(gamma) = Phi(mu/2 - ln g/mu) - g Phi(-mu/2 - ln g/mu); chords join points above G."""
    phi = NormalDist().cdf
    for mu in (F(1), F(1, 4), F(3)):
        m = float(mu)
        found = gaussian_levels.tangents(mu, 4)
        assert len(found) == 4
        assert found[0][0] == 1
        for gamma, delta in found:
            truth = phi(m / 2 - math.log(gamma) / m) - float(gamma) * phi(-m / 2 - math.log(gamma) / m)
            assert 0 <= float(delta) - truth + 1e-12 < 1.1e-8
        inner = gaussian_levels.chords(mu, 4)
        assert inner[-1][1] == 0
        assert sorted(inner) == inner
        for gamma, delta in inner:
            truth = phi(m / 2 - math.log(gamma) / m) - float(gamma) * phi(-m / 2 - math.log(gamma) / m)
            assert gamma >= 1
            assert float(delta) <= truth + 1e-8  # stricter than the tangent
    assert [gaussian_levels._scale(x) for x in (F(2), F(1), F(99, 100), F(1, 10), F(1, 11), F(1, 100))] == [
        1,
        1,
        1,
        10,
        10,
        100,
    ]
    points = gaussian_levels._points(F(1), 3)
    assert points[0] == F(1, 2)
    width = 1.1 + 0.9 / 2
    assert [float(p) for p in points] == pytest.approx(
        [0.5 + width * NormalDist().inv_cdf((1 + i / 3) / 2) for i in range(3)], abs=6e-4
    )
    corners = list(gaussian_levels.corners([F(1, 2), F(1, 2), F(0)], [F(1, 4), F(1, 2), F(1, 4)]))
    assert corners == [(0, F(3, 4)), (F(1, 2), F(1, 4)), (1, 0)]
    lowest = gaussian_levels._lowest([(F(1, 4), F(1, 2)), (F(2, 5), F(2, 5)), (F(3, 10), F(46, 100))])
    assert lowest == [(0, 1), (F(1, 4), F(1, 2)), (F(1, 2), F(1, 4)), (1, 0)]
    assert all(gaussian_levels._turn(*lowest[i : i + 3]) > 0 for i in range(len(lowest) - 2))
    below, above = phi(NormalDist().inv_cdf(0.75) - 1) - 1e-6, phi(NormalDist().inv_cdf(0.75) - 1) + 1e-6
    assert gaussian_levels.is_above((F(1, 4), F(above)), F(1)) is True
    assert gaussian_levels.is_above((F(1, 4), F(below)), F(1)) is False
    assert gaussian_levels.is_above((F(above), F(1, 4)), F(1)) is True
    assert gaussian_levels.is_above((F(1, 4), F(3, 4)), F(1)) is True
    assert gaussian_levels.is_above((F(0), F(999, 1000)), F(1)) is False
    assert gaussian_levels.is_above((F(0), F(1)), F(1)) is True


def test_gaussian_regions() -> None:
    region = GaussianRegion(1, inputs=2, levels=4)
    least = NormalDist().cdf(0.5)  # Warner's design of this p is the limit: its corner is on the diagonal of G
    for p, inside in ((F(least) - F(1, 10**6), True), (F(least) + F(1, 10**6), False)):
        assert region.contains(Mechanism.binary(p, p)) is inside
    assert not region.contains(Mechanism([["1/3"] * 3] * 3))
    assert GaussianRegion.from_dict(region.to_dict()) == region
    assert region.certified_dict() == region.polygons[1].to_dict()
    for inputs in (1, 6, True, "2"):
        with pytest.raises(InvalidParameterError, match="allowed are 2 to 5 categories"):
            GaussianRegion(1, inputs=inputs, levels=1)  # type: ignore[arg-type]


def test_divergences_of_a_warner_design() -> None:
    """D_a = ln(sum p^a q^(1-a))/(a - 1), on both sides; at order 1 Kullback's divergence."""
    for order in (1, 2, 5):
        p, q = 0.75, 0.25
        divergence = (
            p * math.log(3) - q * math.log(3)
            if order == 1
            else math.log(p**order * q ** (1 - order) + q**order * p ** (1 - order)) / (order - 1)
        )
        for shift, inside in ((1e-6, True), (-1e-6, False)):
            level = f"{divergence + shift:.9f}"
            assert RenyiRegion(order, level).contains(WARNER) is inside, (order, level)
    worst = max(
        math.log(0.75**a * 0.25 ** (1 - a) + 0.25**a * 0.75 ** (1 - a)) / (a - 1) / a
        for a in (1 + i / 1000 for i in range(1, 5000))
    )
    worst = max(worst, 0.5 * math.log(3))  # the limit at order 1
    for shift, inside in ((1e-3, True), (-1e-3, False)):
        assert ZcdpRegion(f"{worst + shift:.6f}").contains(WARNER) is inside
    assert ZcdpRegion(0).contains(Mechanism([["1/2", "1/2"]] * 2))
    assert not ZcdpRegion(0).contains(WARNER)
    assert not RenyiRegion(2, 5).contains(Mechanism([["1", "1/2"], ["0", "1/2"]]))
    assert (RenyiRegion(2, 0).is_uninformative, RenyiRegion(2, 1).is_uninformative) == (True, False)
    assert (ZcdpRegion(0).is_uninformative, ZcdpRegion(1).is_uninformative) == (True, False)
    assert (ZcdpRegion("1/2").allowed(F(3)), RenyiRegion(2, "1/2").allowed(F(3))) == (1.5, 0.5)
    for call in (
        lambda: RenyiRegion("1/2", 1),
        lambda: RenyiRegion(129, 1),
        lambda: ZcdpRegion(-1),
        lambda: ZcdpRegion(101),
    ):
        with pytest.raises(InvalidParameterError, match="is out of range"):
            call()
    assert (RenyiRegion(128, 1).order, ZcdpRegion(100).rho) == (128, 100)
    with pytest.raises(InvalidParameterError, match="epsilon is infinite"):
        RenyiRegion(2, Epsilon("infinite"))
    assert RenyiRegion(2, 1, inputs=3).of_groups(2) == RenyiRegion(2, 1)
    assert (ZcdpRegion("1/2").bracket(3).listed, len(RenyiRegion(2, 1).bracket(3).listed)) == ((), 1)


def test_areas_of_breach_regions() -> None:
    """For a bound g of Bayes factors 2 g ln g/(g - 1)^2 - 2/(g - 1); polynomials are exact."""
    for g, text in ((2, "4*log(2) - 2"), (3, "3/2*log(3) - 1"), (4, "8/9*log(4) - 2/3")):
        found = areas.area(breach_region(bayes_factor(g)))
        assert found.text == text
        assert float(found) == pytest.approx(2 * g * math.log(g) / (g - 1) ** 2 - 2 / (g - 1), rel=1e-14)
        assert 0 < found.gap < F(1, 10**25)
    assert tuple(areas._band_area(None).bracket) == (0, 0)
    assert tuple(areas._band_area(F(1)).bracket) == (1, 1)
    golden = Epsilon.of("1").exact_gamma()
    found = areas._band_area(golden)
    e = math.e
    assert float(found) == pytest.approx(2 * e / (e - 1) ** 2 - 2 / (e - 1), rel=1e-12)
    assert found.text.startswith("2*g*log(g)/(g - 1)^2 - 2/(g - 1) at g = ")
    for criterion, value in ((beta_factor(2), F(1, 2)), (rho_to_rho("3/10", "1/2"), F(3, 10))):
        found = areas.area(breach_region(criterion))
        assert (found.lower, found.upper, str(found)) == (value, value, str(value))


# files and bounds


def test_bounds_on_entries() -> None:
    region = PrivacyRegion("log(3)", inputs=2, outputs=2)
    one = BoundedRegion.sparse(region, least={(0, 0): "1/2"}, most={(1, 1): "3/4"})
    assert (one.least, one.most) == (((F(1, 2), 0), (0, 0)), ((1, 1), (1, F(3, 4))))
    assert str(one).endswith(", 2 bounds on entries")
    assert one.contains(WARNER)
    assert not BoundedRegion.sparse(region, least={(0, 0): "76/100"}).contains(WARNER)
    assert not BoundedRegion.sparse(region, most={(0, 0): "74/100"}).contains(WARNER)
    assert (one.unbounded, one.inputs, one.form, one.criterion) == (region, 2, "parity", None)
    for call, text in (
        (
            lambda: BoundedRegion.sparse(region, least={(2, 0): 1}),
            r"entry \(2, 0\); allowed are outputs 0 to 1 and inputs 0 to 1",
        ),
        (lambda: BoundedRegion.sparse(region, least={(0, -1): 1}), "a bound is outside the matrix"),
        (
            lambda: BoundedRegion.sparse(region, least={(0, 0): "3/4"}, most={(0, 0): "1/2"}),
            r"bounds of entry \(0, 0\) cross",
        ),
        (lambda: BoundedRegion.sparse(region, least={(0, 0): 2}), "0 <= bound <= 1"),
        (lambda: BoundedRegion.sparse(region, most={(0, 0): 0}), "forbidden transition from input 0 to output 0"),
        (lambda: BoundedRegion(one, one.least, one.most), "bounds belong to a region without bounds"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            call()
    assert BoundedRegion.sparse(region, most={(0, 0): 0, (0, 1): 0}).most[0] == (0, 0)
    assert BoundedRegion.sparse(PrivacyRegion(1, "1/10"), most={(0, 0): 0}).most[0] == (0, 1)
    assert BoundedRegion.sparse(region, least={(0, 0): "1/2"}, most={(0, 0): "1/2"}).least[0][0] == F(1, 2)


def test_bounds_in_files(tmp_path: Path) -> None:
    region = PrivacyRegion("log(3)", inputs=2, outputs=2)
    assert load_bounds("1/10..9/10", region).least == ((F(1, 10),) * 2,) * 2
    assert load_bounds({"diagonal": "1/4"}, region).least == ((F(1, 4), 0), (0, F(1, 4)))
    assert load_bounds({"diagonal": ["1/4", None]}, region).least == ((F(1, 4), 0), (0, 0))
    assert load_bounds({"diagonal": {"1": "1/4"}}, region).least == ((0, 0), (0, F(1, 4)))
    assert load_bounds({"forbidden": [["0", "0"], ["0", "1"]]}, region).most == ((0, 0), (1, 1))
    assert load_bounds({"most": [["1/2", None], [None, None]]}, region).most == ((F(1, 2), 1), (1, 1))
    entry = {"output": "0", "input": "1", "least": "1/8", "most": "1/2"}
    found = load_bounds({"entries": [entry]}, region)
    assert (found.least[0][1], found.most[0][1]) == (F(1, 8), F(1, 2))
    table = tmp_path / "bounds.csv"
    table.write_text("output,input,least,most\n0,1,1/8,-\n1,1,,3/4\n")
    found = load_bounds(table, region)
    assert (found.least, found.most) == (((0, F(1, 8)), (0, 0)), ((1, 1), (1, F(3, 4))))
    for given, text in (
        ({"other": 1}, "bounds file is not an object with the keys diagonal"),
        ({"diagonal": ["1/4"]}, "diagonal has 1 entries: the matrix has 2"),
        ({"forbidden": [["0"]]}, r"not a pair \[output, input\]"),
        ({"forbidden": 3}, "forbidden is not a list"),
        ({"entries": [{"output": "0", "input": "1"}]}, "bounded entry is not an object"),
        ({"entries": [{**entry, "more": 1}]}, "bounded entry is not an object"),
        ({"least": [["1/2", None]]}, "least has 1 rows: the mechanism has 2 outputs"),
        ({"least": [["1/2"], ["1/2"]]}, "least is not a matrix with 2 inputs: row 0"),
        ({"entries": [entry, entry]}, "has two bounds 'least'"),
        ({"entries": [{**entry, "output": "x"}]}, "output is not an index"),
        ({"entries": [{**entry, "output": "1" * 10}]}, "output is not an index"),
        (3, "`bounds` are unknown"),
    ):
        with pytest.raises(RroptError, match=text):
            load_bounds(given, region)
    for content, text in (
        ("output,input,other\n0,1,1\n", "bounds file has the wrong header"),
        ("output,output,input\n0,1,1\n", "bounds file has the wrong header"),
        ("input,least\n0,1\n", "bounds file has the wrong header"),
    ):
        table.write_text(content)
        with pytest.raises(RroptError, match=text):
            load_bounds(table, region)


def test_levels_and_properties_in_files(tmp_path: Path) -> None:
    table = tmp_path / "levels.csv"
    table.write_text("-,log(2)\n1,\n")
    assert load_levels(table) == [[None, "log(2)"], ["1", None]]
    written = tmp_path / "levels.json"
    written.write_text(json.dumps({"levels": [[None, "1"], ["1", None]]}))
    assert load_levels(written) == [[None, "1"], ["1", None]]
    for data in ({"levels": 3}, {"levels": [], "more": 1}, "text"):
        written.write_text(json.dumps(data))
        with pytest.raises(RroptError, match="levels file is not of the form"):
            load_levels(written)
    written.write_text(json.dumps({"matrix": [["0", "1"], ["1", "0"]]}))
    assert load_matrix(written, what="file") == [["0", "1"], ["1", "0"]]
    for data in ({"matrix": [1]}, {"matrix": 1}, {"matrix": [], "more": 1}):
        written.write_text(json.dumps(data))
        with pytest.raises(RroptError, match="file is not of the form"):
            load_matrix(written, what="file")
    texts = ["0;1,2", "0\n1, 2", '{"properties": [[0], [1, 2]]}', "[[0], [1, 2]]", " [[0],[1,2]]"]
    assert {str(properties_from_text(text, 3)) for text in texts} == {"{0}; {1, 2}"}
    for text, message in (
        ("", "there are no properties"),
        (";;", "there are no properties"),
        ("0;x", "properties are not sets of inputs"),
        ("1" * 10, "properties are not sets of inputs"),
        ("[0]", "properties are not sets of inputs"),
        ('{"other": [[0]]}', "properties are not sets of inputs"),
    ):
        with pytest.raises(RroptError, match=message):
            properties_from_text(text, 3)


def test_regions_at_every_level() -> None:
    region = EveryLevelRegion("1/2", "2", "1/10", inputs=2, outputs="any")
    assert EveryLevelRegion.from_dict(region.to_dict()) == region
    assert EveryLevelRegion("1/2..2", delta="1/10", outputs="any") == region
    assert ", delta = 1/10, k = 2" in str(region)
    assert "delta" not in str(EveryLevelRegion("all"))
    assert EveryLevelRegion("all").high.is_infinite
    assert EveryLevelRegion("log(3)").contains(WARNER)
    assert not EveryLevelRegion("log(2)").contains(WARNER)
    assert EveryLevelRegion("log(2)", delta="1/4").contains(WARNER)
    assert region.delta == Delta.of("1/10")


def test_limits_of_posteriors() -> None:
    """h_g(p) = g p/(1 + (g - 1) p), and its mirror image, with g the largest Bayes factor."""
    region = breach_region(Mechanism([["3/5", "1/5", "1/5"], ["2/5", "4/5", "4/5"]]))
    for prior in (F(1, 4), F(1, 2), F(9, 10)):
        p, g = prior, 3
        assert region.limits(prior) == (p / (p + g * (1 - p)), g * p / (1 + (g - 1) * p))
    lost = breach_region(Mechanism([["1", "1/2"], ["0", "1/2"]]))
    assert lost.limits("1/2") == (0, 1)
    for prior, posterior, inside in ((0, 0, False), (0, "1/2", True), (1, 1, False), (1, "1/2", True)):
        assert region.contains(prior, posterior) is inside
    assert "3 outputs" in str(breach_region(Mechanism([["1/2"] * 2, ["1/4"] * 2, ["1/4"] * 2])))


def test_rational_levels_around_a_number() -> None:
    root = Algebraic(fmpz_poly([-2, 0, 1]), 1)
    below, above = _around(root)
    assert below**2 < 2 < above**2
    assert above - below < F(3, 10**30) * (above - 1)
    below, above = _around(Algebraic.of(F(10**40 + 1, 10**40)))
    assert 1 < below < F(10**40 + 1, 10**40) < above
    found = criterion_level(rho_to_rho("1/5", "1/2"))
    assert (found.is_rounded, found.gamma_above, str(found.epsilon)) == (False, 4, "log(4)")
    rounded = criterion_level(canonical_information_privacy("min(1, 2*p + 1/10)"))
    gamma = F(211, 81)
    for end, sign in ((rounded.epsilon.gamma, 1), (rounded.gamma_above, -1)):
        assert end is not None
        assert sign * ((F(20, 81) ** 2) * 22 - (end - gamma) ** 2) > 0


def test_places_in_words() -> None:
    for at, approach, text in (
        (Algebraic.of(F(1, 3)), "everywhere", "1/3"),
        (Algebraic.of(0), "near", "0+"),
        (Algebraic.of(1), "near", "1-"),
        (Algebraic.of(F(1, 3)), "near", "0.333333333"),
        (Algebraic.of(F(1, 10**300)), "near", "0+"),
        (Algebraic.of(1 - F(1, 10**30)), "near", "1-"),
    ):
        place: Any = Place(F(1), F(2), "up", approach, at, None, None, None, None)  # type: ignore[arg-type]
        assert place.text == text
        assert place.line()[0] == f"at p = {text}"
        assert place.line()[1].endswith("not decided, upper function")
    other: Any = Place(F(1), F(2), "down", "from-below", Algebraic.of(F(1, 2)), True, None, None, None)  # type: ignore[arg-type]
    assert other.line()[1] == "from below, attained, lower function, p = 1 - q with q the prior of Q"


def test_limits_of_the_odds_of_a_mechanism() -> None:
    """A mechanism of two categories has factors alone, one that never names a category every pair."""
    for everything, band, factors in ((False, F(3), (F(2), F(1, 2))), (True, None, ())):
        odds: Any = SimpleNamespace(everything=everything, band=F(3), isolated=(F(2),), certain=False)
        region = OddsRegion("text", odds)
        assert (region.band, region.lone_factors) == (band, factors)
    certain: Any = SimpleNamespace(everything=False, band=None, isolated=(), certain=True)
    assert OddsRegion("text", certain).lone_factors == (math.inf, 0.0)


def test_a_bound_has_one_criterion() -> None:
    assert parity_bound(privacy.posterior("1/5", "1/2")).value == "4"
    assert parity_bound(beta_factor(2)).value == parity_bound(privacy.factor(2)).value == "2"
    assert parity_bound("factor:2").value == "2"  # type: ignore[arg-type]
    for wrong in (None, 3):
        with pytest.raises(InvalidParameterError, match="the criterion is of another kind: received"):
            parity_bound(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"no such argument: received .beta."):
        parity_bound(beta_factor(2), beta=2)  # type: ignore[call-arg]


def test_powers_of_a_cover() -> None:
    """A negative power is a quotient; a number with a large denominator is the exponential of a logarithm."""
    written = covers._expression(PRIOR)
    for numerator, denominator, kind in ((1, 2, "power"), (0, 1, "power"), (-1, 2, "quotient"), (1, 10**9, "exp")):
        exponent = Rational(fmpq_poly([fmpq(numerator, denominator)]), fmpq_poly([1]))
        found = covers._power(Composite("^", (PRIOR, exponent)))
        assert found.keys() == {kind}
        if kind == "power":
            assert found["power"][0] == written
        elif kind == "quotient":
            assert found["quotient"] == ["1", {"power": [written, "1/2"]}]
