"""Sharp bounds, breakdown points and point-identified models against other ways to the same numbers."""

from __future__ import annotations

import copy
import itertools
import json
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from closed_interval import closed_interval
from few_rows import few_rows
from later import later

import rropt
from rropt.core.errors import (
    FileFormatError,
    InfeasibleError,
    InvalidParameterError,
    RroptError,
    UnsupportedProblemError,
)
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.noncompliance import (
    Behaviour,
    Bounds,
    Sample,
    behaviours,
    breakdown_by_size,
    breakdown_point,
    design_noncompliance,
    identified_shares,
    least_noncompliers,
    noncompliance_bounds,
    prevalence_bounds,
)

F = Fraction
NIGERIA = (rropt.Mechanism("forced:2/3,1/6,1/6"), [1604, 831])  # Blair, Imai and Zhou (2015)
CROSSWISE = (rropt.Mechanism("crosswise:1/4"), [112, 198])  # Jann, Jerke and Krumpal (2012)
KINDS = ("adversarial", "always-no", "always-yes", "random", "monotone", "monotone:always-no", "monotone:random")

stats = later("scipy.stats")


def printed(bounds: Bounds) -> tuple[float, float]:
    assert bounds.sharp is not None
    return round(float(bounds.sharp.lower), 4), round(float(bounds.sharp.upper), 4)


@pytest.mark.parametrize(
    ("model", "options", "ends"),
    [
        ("adversarial", {"theta": "0.05"}, (0.1994, 0.3244)),
        ("always-no", {"theta": "0.05"}, (0.2744, 0.3244)),
        ("random", {"theta": "0.05"}, (0.2369, 0.2869)),
        ("adversarial", {"theta": "0.10"}, (0.1369, 0.3869)),
        ("always-no", {"theta": "0..0.05"}, (0.2619, 0.3244)),
        ("adversarial", {"theta": 1}, (0.0, 1.0)),
        ("always-no", {"theta": 0}, (0.2619, 0.2619)),
    ],
)
def test_nigeria(model: str, options: dict[str, object], ends: tuple[float, float]) -> None:
    assert printed(prevalence_bounds(NIGERIA, model=model, **options)) == ends  # type: ignore[arg-type]


def test_exact_ends_and_crosswise() -> None:
    found = prevalence_bounds(NIGERIA, theta="0.05").sharp
    assert found is not None
    estimate = (Fraction(831, 2435) - Fraction(1, 6)) / Fraction(2, 3)
    step = Fraction(1, 20) / Fraction(2, 3)
    assert (found.lower, found.upper) == (estimate - Fraction(5, 6) * step, estimate + Fraction(5, 6) * step)
    assert printed(prevalence_bounds(CROSSWISE, theta="0.05")) == (0.1476, 0.2976)  # d < 0


@pytest.mark.parametrize("model", ["always-no", "random"])
def test_all_others_contradict_the_shares(model: str) -> None:
    """At theta = 1 no population gives these shares; the answers refute the model too, with an accepted proof."""
    bounds = prevalence_bounds(NIGERIA, theta=1, model=model)
    assert not bounds.feasible
    assert bounds.refuted
    assert all(rropt.check(certificate) for certificate in bounds.contradictions)
    near = prevalence_bounds((NIGERIA[0], [52, 50]), theta=1, model="random")  # noise only
    assert not near.feasible
    assert not near.refuted


@pytest.mark.parametrize(("estimate", "claim", "theta"), [("0.436", "30 %", "68/625"), ("0.571", "45 %", "121/1250")])
def test_disputed_doping_claims(estimate: str, claim: str, theta: str) -> None:
    """Ulrich et al. (2018), assuming Pr(yes) = 1/6 + 2/3 pi, as the published intervals imply."""
    share = Fraction(1, 6) + Fraction(2, 3) * Fraction(estimate)
    counts = [share.denominator - share.numerator, share.numerator]
    broken = breakdown_point((Mechanism.binary("5/6", "5/6"), counts), f"at least {claim}")
    assert (broken.theta, broken.stands) == (Fraction(theta), True)
    assert rropt.check(broken.certificate)


def random_device(rng: random.Random, m: int, k: int) -> Mechanism:
    columns = [[rng.randint(0, 6) for _ in range(m)] for _ in range(k)]
    for column in columns:
        column[rng.randrange(m)] += 1
    return Mechanism([[Fraction(column[i], sum(column)) for column in columns] for i in range(m)])


def random_model(rng: random.Random) -> tuple[list[tuple[Mechanism, list[int]]], str, tuple[str, Fraction]]:
    k, m = rng.randint(2, 5), rng.randint(2, 4)
    devices = [random_device(rng, m, k) for _ in range(rng.randint(1, 3))]
    population = [rng.randint(0, 5) for _ in range(k)]
    population[rng.randrange(k)] += 1
    true = [Fraction(p, sum(population)) for p in population]
    samples = []
    for device in devices:
        noise = rng.choice((0, 0, 3))
        law = [sum((p * x for p, x in zip(row, true, strict=True)), Fraction(0)) for row in device.matrix]
        n = math.lcm(*(share.denominator for share in law)) * rng.randint(1, 3)
        counts = [
            int(share * n) + rng.randint(0, noise) * any(row) for share, row in zip(law, device.matrix, strict=True)
        ]
        samples.append((device, counts))
    words = rng.sample([w for w in KINDS if m == 2 or "yes" not in w], rng.randint(1, 2))
    return samples, " + ".join(words), (rng.choice(("exactly", "at most")), Fraction(rng.randint(0, 6), 10))


def by_z3(
    samples: list[tuple[Mechanism, list[int]]], model: str, share: tuple[str, Fraction], contrast: list[int]
) -> tuple[Fraction, Fraction] | None:
    """The same bounds from z3's exact optimiser, where each kind of other has its own answers by category."""
    z3 = pytest.importorskip("z3")
    k = len(contrast)

    def number(value: Fraction) -> object:
        return z3.Q(value.numerator, value.denominator)

    rules = []

    def unknown(name: str) -> object:
        variable = z3.Real(name)
        rules.append(variable >= 0)
        return variable

    compliers = [unknown(f"c{j}") for j in range(k)]
    shares = [
        [z3.Sum([number(p) * x for p, x in zip(row, compliers, strict=True)]) for row in device.matrix]
        for device, _ in samples
    ]
    noncompliers = []
    for b, word in enumerate(model.split(" + ")):
        who = range(1, k) if word.startswith("monotone") else range(k)
        way = word.removeprefix("monotone:").replace("monotone", "adversarial")
        for j in who:
            x = unknown(f"o{b}_{j}")
            noncompliers.append((j, x))
            for s, (device, _) in enumerate(samples):
                m = device.outputs
                if way == "adversarial":
                    answers = [unknown(f"y{b}_{j}_{s}_{i}") for i in range(m)]
                    rules.append(z3.Sum(answers) == x)
                else:
                    chances = {"always-no": [1] + [0] * (m - 1), "always-yes": [0, 1], "random": [Fraction(1, m)] * m}
                    answers = [x * number(Fraction(chance)) for chance in chances[way]]
                shares[s] = [old + new for old, new in zip(shares[s], answers, strict=True)]
    total = z3.Sum([x for _, x in noncompliers])
    rules.append(z3.Sum([*compliers, total]) == 1)
    rules.append(total == number(share[1]) if share[0] == "exactly" else total <= number(share[1]))
    for (_, counts), row in zip(samples, shares, strict=True):
        rules += [value == number(Fraction(count, sum(counts))) for value, count in zip(row, counts, strict=True)]
    goal = z3.Sum(
        [*(c * x for c, x in zip(contrast, compliers, strict=True)), *(contrast[j] * x for j, x in noncompliers)]
    )
    ends = []
    for way in ("minimize", "maximize"):
        optimiser = z3.Optimize()
        optimiser.add(*rules)
        handle = getattr(optimiser, way)(goal)
        if optimiser.check() != z3.sat:
            return None
        ends.append(Fraction(str(handle.value())))
    return ends[0], ends[1]


@pytest.mark.slow
def test_against_another_exact_solver(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Every behaviour and pairs of them, two to five categories, one to three devices."""
    found, count = {True: 0, False: 0}, size(40, 2000)
    for _ in range(count):
        samples, model, share = random_model(rng)
        contrast = [rng.randint(-1, 2) for _ in range(samples[0][0].inputs)]
        option = {"theta": share[1] if share[0] == "exactly" else f"0..{share[1]}"}
        bounds = prevalence_bounds(samples, model=model, contrast=contrast, confidence=None, **option)  # type: ignore[arg-type]
        other = by_z3(samples, model, share, contrast)
        assert (None if bounds.sharp is None else (bounds.sharp.lower, bounds.sharp.upper)) == other, (samples, model)
        found[bounds.feasible] += 1
    assert min(found.values()) >= count // 12, found


@pytest.mark.slow
def test_ends_are_attained(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Each end has a population that gives the observed shares exactly, of the stated proportion of non-compliers."""
    tried = 0
    for _ in range(size(15, 300)):
        samples, model, (kind, theta) = random_model(rng)
        k = samples[0][0].inputs
        option = {"theta": theta if kind == "exactly" else f"0..{theta}"}
        bounds = prevalence_bounds(samples, model=model, contrast=[0] * (k - 1) + [1], **option)  # type: ignore[arg-type]
        for interval in filter(None, (bounds.sharp, bounds.covering)):
            for end, (population,) in zip((interval.lower, interval.upper), interval.populations, strict=True):
                assert population.prevalences[-1] == end
                assert sum(population.prevalences) == 1
                assert min(*population.compliers, *(x for row in population.noncompliers for x in row)) >= 0
                assert population.theta == theta if kind == "exactly" else population.theta <= theta
                tried += 1
        if bounds.sharp is not None and all(not b.free for b in behaviours(model)):
            for (population,), (device, counts) in itertools.product(bounds.sharp.populations, samples):
                law = [
                    sum((p * x for p, x in zip(row, population.compliers, strict=True)), Fraction(0))
                    for row in device.matrix
                ]
                for behaviour, own in zip(behaviours(model), population.noncompliers, strict=True):
                    for j, x in enumerate(own):
                        law = [a + x * b for a, b in zip(law, behaviour.law(device, j), strict=True)] if x else law
                assert law == [Fraction(c, sum(counts)) for c in counts]
    assert tried >= 30


@pytest.mark.slow
def test_closed_form_at_every_limit(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Clipped or not, d of either sign or 0, exactly or at most: equal to the closed form."""
    empty = 0
    for _ in range(size(60, 3000)):
        p00, p11 = (Fraction(rng.randint(0, 6), 6) for _ in range(2))
        n = rng.randint(1, 12)
        yes = rng.randint(0, n)
        if (p00 == 1 == 1 - p11 and yes) or (p00 == 0 == 1 - p11 and yes < n):
            continue  # an answer that cannot occur
        most, exactly = Fraction(rng.randint(0, 5), 5), rng.random() < 0.5
        model = rng.choice(KINDS)
        device = Mechanism.binary(p00, p11)
        bounds = prevalence_bounds(
            (device, [n - yes, yes]), theta=most if exactly else f"0..{most}", model=model, confidence=None
        )
        closed = closed_interval(device, F(yes, n), most if exactly else F(0), most, *behaviours(model))
        assert closed == (None if bounds.sharp is None else (bounds.lower, bounds.upper))
        empty += not bounds.feasible
    assert empty >= 5


# what non-compliers of a model may bring: the least and largest chance of a yes, and whether they may lack the trait
ANSWERS = {
    "adversarial": (0, 1, True),
    "always-no": (0, 0, True),
    "random": (Fraction(1, 2), Fraction(1, 2), True),
    "monotone": (0, 1, False),
}


@few_rows(1)
@pytest.mark.parametrize("model", ANSWERS)
def test_coverage_is_exact(model: str, size: Callable[[int, int], int]) -> None:
    """For every population and behaviour of a grid the true prevalence is covered with at least 95 %."""
    device, theta = NIGERIA[0], Fraction(1, 10)
    least, most, lacking = ANSWERS[model]
    for n in (7, 23, 60)[: size(1, 3)]:
        intervals = [
            prevalence_bounds((device, [n - y, y]), theta=f"0..{theta}", model=model).covering for y in range(n + 1)
        ]
        tried = 0
        for tenths, noncompliers, says, has in itertools.product(range(0, 11, 2), (0, 1, 2), (least, most), (0, 1)):
            true, share = Fraction(tenths, 10), theta * Fraction(noncompliers, 2)
            with_trait = min(true, share) if has else max(Fraction(0), share - (1 - true))
            if with_trait < share and not lacking:
                continue
            complying = true - with_trait
            chance = Fraction(1, 6) * (1 - share) + Fraction(2, 3) * complying + share * Fraction(says)
            covered = sum(
                math.comb(n, y) * chance**y * (1 - chance) ** (n - y)
                for y, interval in enumerate(intervals)
                if interval is not None and true in interval
            )
            assert covered >= Fraction(19, 20), (n, tenths, noncompliers, says, has)
            tried += 1
        assert tried >= 36


def test_intervals_of_three_outputs_share_the_risk() -> None:
    """Each is that of its count at 1 - risk/3, by SciPy's quantiles of the beta distribution."""
    for (low, high), n in zip(Sample("grr:3,1/2", [30, 45, 25]).intervals(Fraction(19, 20)), (30, 45, 25), strict=True):
        expected = stats.beta.ppf([1 / 120, 1 - 1 / 120], [n, n + 1], [101 - n, 100 - n])
        assert [float(low), float(high)] == pytest.approx(expected, abs=1e-9)


def test_breakdown_is_where_the_bound_is(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """At theta* the bound is the claim; a little beyond it is beyond; the population against it overturns it there."""
    tried = 0
    for _ in range(size(10, 200)):
        p = Fraction(rng.randint(11, 19), 20)
        device, yes = Mechanism.binary(p, Fraction(rng.randint(12, 20), 20)), rng.randint(30, 70)
        samples = (device, [100 - yes, yes])
        claim, relation = Fraction(rng.randint(1, 19), 20), rng.choice(("at least", "at most"))
        broken = breakdown_point(
            samples, f"{relation} {claim}", model=rng.choice(("adversarial", "always-no", "random"))
        )
        if not broken.stands or not broken.against:
            continue
        model = "adversarial"
        broken = breakdown_point(samples, f"{relation} {claim}", model=model)
        at = prevalence_bounds(samples, theta=f"0..{broken.theta}", model=model, confidence=None)
        assert (at.lower if relation == "at least" else at.upper) == claim
        if broken.theta < 1:
            beyond = prevalence_bounds(samples, theta=f"0..{broken.theta + (1 - broken.theta) / 50}", confidence=None)
            assert beyond.lower < claim if relation == "at least" else beyond.upper > claim  # type: ignore[operator]
        tried += 1
    assert tried >= 3


def test_difference_of_two_populations() -> None:
    """The interval of a difference is the difference of the ends: the non-compliers of each are independent."""
    first, second = (NIGERIA[0], [500, 300]), (NIGERIA[0], [600, 200])
    both = prevalence_bounds(first, versus=second, theta="0..0.04", confidence=None)
    one, two = (prevalence_bounds(each, theta="0..0.04", confidence=None) for each in (first, second))
    assert (both.lower, both.upper) == (one.lower - two.upper, one.upper - two.lower)  # type: ignore[operator]
    broken = breakdown_point(first, "more", versus=second)
    assert prevalence_bounds(first, versus=second, theta=f"0..{broken.theta}", confidence=None).lower == 0


def test_printed_sentences_about_proportions_that_no_population_gives() -> None:
    """A conclusion about nobody is not decided; bounds of two populations say which is subtracted."""
    die = (rropt.Mechanism("forced:2/3,1/6,1/6"), [100, 1])
    found = breakdown_point(die, "at least 10 %", model="none")
    assert (found.stands, str(found)) == (False, "at least 0.1: not decided: no distribution gives such proportions")
    assert str(breakdown_point((die[0], [20, 5]), "at least 80 %", model="none")) == "at least 0.8: does not stand"
    none = least_noncompliers((die[0], [11, 90]), "0.1", model="refusers")
    assert str(none) == "no proportion of non-compliers explains the responses"
    both = prevalence_bounds(NIGERIA, versus=die, theta="0..0.04").lines()
    assert both[0] == ("bounds of", "the difference: the first population minus the second")
    assert prevalence_bounds(NIGERIA, theta="0..0.04").lines()[0][0] == "non-compliers"


def test_respondents_buy_sampling_error_back_only() -> None:
    table = breakdown_by_size(NIGERIA, "at least 20 %", [500, 5000, 50000, 10**7])
    thetas = [broken.theta for _, broken in table]
    assert thetas == sorted(thetas)
    limit = breakdown_point(NIGERIA, "at least 20 %").theta
    assert limit - Fraction(1, 1000) < thetas[-1] < limit
    found = noncompliance_bounds(NIGERIA, conclusion="at least 50 %", contrast=[1, 0], sizes=[2435]).breakdowns
    assert found["with 2435 respondents"] == found["breakdown_with_sampling_error"]  # of the same contrast


def test_least_share_that_reconciles_a_truth() -> None:
    """Three devices and a known truth: the least proportion of non-compliers by each, and none smaller."""
    for name, counts in (("warner:3/4", [60, 40]), ("forced:2/3,1/6,1/6", [70, 30]), ("unrelated:1/2,1/12", [85, 15])):
        samples = (rropt.Mechanism(name), counts)
        found = least_noncompliers(samples, "0.5", model="monotone:always-no")
        assert found.theta is not None
        assert rropt.check(found.certificate)
        assert Fraction(1, 2) in prevalence_bounds(samples, theta=found.theta, model="monotone:always-no").sharp  # type: ignore[operator]
        less = prevalence_bounds(samples, theta=f"0..{found.theta * Fraction(99, 100)}", model="monotone:always-no")
        assert less.sharp is None or Fraction(1, 2) not in less.sharp


def test_stochastic_lie_detector() -> None:
    """Against the published formulas (Moshagen, Musch and Erdfelder 2012), in floats."""
    (p1, p2), (yes1, yes2), (n1, n2) = (1 / 6, 5 / 6), (340, 140), (400, 420)
    first, second = rropt.Mechanism("mangat:1/6"), rropt.Mechanism("mangat:5/6")
    samples = [(first, [n1 - yes1, yes1]), (second, [n2 - yes2, yes2])]
    found = identified_shares(samples, model="monotone:always-no")
    l1, l2 = yes1 / n1, yes2 / n2
    below = l2 - l1 + p2 - p1
    trait = found.trait((Fraction(0), Fraction(1)))
    assert float(found.value(trait)) == pytest.approx(below / (p2 - p1))
    v1, v2 = l1 * (1 - l1) / n1, l2 * (1 - l2) / n2
    assert found.standard_error(trait) == pytest.approx(math.sqrt(v1 + v2) / (p2 - p1))
    honesty, error = found.ratio(found.honest, trait)
    assert float(honesty) == pytest.approx((l2 * (1 - p1) - l1 * (1 - p2)) / below)
    slopes = ((p1 - p2) * (p2 + l2 - 1) / below**2, (p1 - p2) * (p1 + l1 - 1) / below**2)
    assert error == pytest.approx(math.sqrt(v1 * slopes[0] ** 2 + v2 * slopes[1] ** 2))
    point = prevalence_bounds(samples, model="monotone:always-no").sharp
    assert point is not None
    assert point.lower == point.upper == found.value(trait)


def test_cheater_detection_leaves_the_trait_of_cheaters_open() -> None:
    """Clark and Desharnais (1998): honest yes, honest no and cheaters; the prevalence is between two of their sums."""
    (p1, p2), (l1, l2) = (Fraction(1, 4), Fraction(3, 4)), (Fraction(9, 25), Fraction(18, 25))
    samples = [
        (rropt.Mechanism(f"forced:{1 - p},{p},0"), [100 - int(100 * x), int(100 * x)]) for p, x in ((p1, l1), (p2, l2))
    ]
    found = identified_shares(samples)
    no, yes = (l2 - l1) / (p2 - p1), (p2 * l1 - p1 * l2) / (p2 - p1)
    assert found.shares == (no, yes, 1 - no - yes)
    bounds = prevalence_bounds(samples, model="always-no").sharp
    assert bounds is not None
    assert (bounds.lower, bounds.upper) == (yes, 1 - no)
    with pytest.raises(InfeasibleError, match="prevalence_bounds"):
        found.trait((Fraction(0), Fraction(1)))


def test_extended_crosswise() -> None:
    """Two groups with p and 1 - p: relabelled they are one binomial sample; the deviance is that of two shares."""
    first, second = (112, 198), (190, 110)  # not same, same
    samples = [
        (rropt.Mechanism("crosswise:1/4"), list(first)),
        (rropt.Mechanism("crosswise:3/4"), list(second)),
    ]
    found = identified_shares(samples, model="none")
    same = Fraction(first[1] + second[0], 610)
    assert float(found.likely[1]) == pytest.approx(float((same - Fraction(3, 4)) / Fraction(-1, 2)))
    cells = [(198, 310), (112, 310), (190, 300), (110, 300)]
    pooled = [float(same), 1 - float(same)] * 2
    deviance = 2 * sum(c * math.log(c / (n * q)) for (c, n), q in zip(cells, pooled, strict=True))
    assert (found.deviance, found.surplus) == (pytest.approx(deviance), 1)
    assert found.p_value == pytest.approx(math.erfc(math.sqrt(deviance / 2)))


def test_design_of_least_width(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """No private design of a random cloud has a smaller width; at delta = 0 the least variance loses nothing."""
    found = design_noncompliance(epsilon="log(5)", delta="0.2", theta="0.1", n=500, prevalence="0.1")
    assert rropt.check(found.certificate)
    region = rropt.privacy.PrivacyRegion("log(5)", "0.2")
    assert region.contains(found.mechanism)
    spread = found.sampling * (found.mechanism.p00 + found.mechanism.p11 - 1)
    private = 0
    for _ in range(size(300, 5000)):
        design = Mechanism.binary(*(Fraction(rng.randint(0, 60), 60) for _ in range(2)))
        d = design.p00 + design.p11 - 1
        if d > 0 and region.contains(design):
            private += 1
            assert spread / d + Fraction(1, 10) * (1 + 1 / d) >= found.width
    assert private >= 20
    rounded = design_noncompliance(epsilon=1, theta=1, n=1000, prevalence="0.1")  # both designs at a rounded level
    assert "before the bounds are cut to [0, 1]" in dict(rounded.lines())["minimax width"]
    assert "cut" not in dict(found.lines())["minimax width"]
    for epsilon, delta in (("1/2", "0.3"), ("1e-6", "0")):  # the decimals that are printed are private, and inform
        printed = design_noncompliance(epsilon=epsilon, delta=delta, theta=0, n=9, prevalence="0.1").lines()
        p00, p11 = map(Fraction, re.findall(r"p\d\d = ~?([\d.]+)", dict(printed)["its design"]))
        assert rropt.privacy.PrivacyRegion(epsilon, delta).contains(Mechanism.binary(p00, p11))
        assert p00 + p11 > 1
    assert rounded.lines()[-1][1].endswith("(0 % more)")
    for prevalence in ("0.01", "0.3", "0.5"):
        assert design_noncompliance(epsilon="log(5)", theta="0.1", n=500, prevalence=prevalence).loss == 0
    assert design_noncompliance(epsilon="1/2", delta="0.3", theta="0.05", n=1000, prevalence="0.1").loss > Fraction(
        2, 5
    )


def test_more_bad_input() -> None:
    with pytest.raises(UnsupportedProblemError, match="does not say which yes was forced"):
        prevalence_bounds((Mechanism.binary("5/6", "5/6"), [10, 10]), model="refusers")
    for samples in (
        [],
        (NIGERIA[0], [0, 0]),
        "text",
        [(NIGERIA[0], [1, 2]), (random_device(random.Random(1), 2, 3), [1, 2])],
    ):
        with pytest.raises(InvalidParameterError):
            prevalence_bounds(samples)
    for model, theta in (("none", "0.05"), ("always-no<=0.1 + random<=0.1", "1/4")):
        with pytest.raises(InvalidParameterError, match="contradicts their behaviour"):
            prevalence_bounds(NIGERIA, theta=theta, model=model)
    with pytest.raises(InvalidParameterError, match="simple behaviour"):  # a binary device has no response 7
        design_noncompliance(epsilon=1, theta="0.1", n=10, prevalence="0.1", model="always:7")
    with pytest.raises(InvalidParameterError, match="conclusion"):
        breakdown_point(NIGERIA, "many")
    with pytest.raises(InfeasibleError, match="epsilon = 0"):
        design_noncompliance(epsilon=0, theta="0.1", n=10, prevalence="0.1")


def test_refusers_of_a_forced_yes() -> None:
    """Everybody refuses: yes come from those with the trait who were asked for the truth."""
    device = rropt.Mechanism("forced:2/3,1/6,1/6")
    found = prevalence_bounds((device, [900, 100]), theta=1, model="refusers").sharp
    assert found is not None
    assert found.lower == found.upper == Fraction(3, 20)
    assert Behaviour("refusers").law(device, 0) == (1, 0)


def test_many_bounds_in_closed_form() -> None:
    """The closed form alone, in exact fractions; `benchmarks/noncompliance.py` says how many a second."""
    device = NIGERIA[0]
    found = [
        closed_interval(device, Fraction(i, 200), Fraction(1, 20), Fraction(1, 20), Behaviour("adversarial"))
        for i in range(201)
    ]
    assert sum(interval is None for interval in found) == 2 * sum(
        Fraction(i, 200) < Fraction(1, 6) * Fraction(19, 20) for i in range(201)
    )


@pytest.mark.slow
def test_command(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    survey = ("--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
    status, out, _ = cli("noncompliance", *survey, "--theta", "0.05", "--conclusion", "at least 20 %", "--json")
    record = json.loads(out)
    assert status == 0
    assert {"lower", "upper", "breakdown", "feasible", "refuted", "certificate"} <= set(record)
    assert round(record["decimals"]["lower"], 4) == 0.1994
    assert rropt.check(record["certificate"])
    one, other = ("--sample", "warner:3/4=50,30"), ("--versus", "warner:3/4=56,24")
    assert cli("noncompliance", *one, *other)[1].startswith("warner:3/4: 50, 30 versus warner:3/4: 56, 24\n")
    status, out, _ = cli("noncompliance", *survey, "--theta", "1", "--behaviour", "always-no")
    assert status == 1
    assert "refute" in out
    folder, picture = tmp_path / "proofs", tmp_path / "bounds.svg"
    files = ("--certificate", str(folder), "--plot", str(picture))
    status, out, _ = cli(
        "noncompliance", *survey, "--theta", "0..0.05", "--truth", "0.3", "--conclusion", "at least 20 %", *files
    )
    assert (status, picture.read_bytes()[:5]) == (0, b"<?xml")
    ends = ["covering-lower", "covering-upper", "lower", "upper"]
    assert sorted(path.stem for path in folder.iterdir()) == sorted(
        [*ends, "breakdown", "breakdown-with-sampling-error", "reconciled"]
    )
    assert all(rropt.check(path) for path in folder.iterdir())


def test_design_command(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    level, proof = tmp_path / "mechanism.json", tmp_path / "proof.json"
    asked = ("--epsilon", "1/2", "--delta", "0.3", "--theta", "0.05", "--n", "1000", "--prevalence", "0.1")
    status, out, _ = cli(
        "design", "noncompliance", *asked, "--json", "--output", str(level), "--certificate", str(proof)
    )
    assert (status, round(json.loads(out)["decimals"]["loss"], 3)) == (0, 0.473)
    assert rropt.check(proof)
    assert cli("privacy", str(level), "--epsilon", "1/2", "--delta", "0.3")[0] == 0
    assert "minimax width" in cli("design", "noncompliance", *asked)[1]


def test_samples_are_checked() -> None:
    with pytest.raises(InvalidParameterError, match="too large"):
        Sample.of(Mechanism([[1] * 300]), [5])


def test_a_limit_for_one_kind() -> None:
    """At most 2 % who answer anything, beside as many as it takes who deny: wider than the point, by theorem."""
    samples = [(rropt.Mechanism("mangat:1/6"), [60, 340]), (rropt.Mechanism("mangat:5/6"), [260, 140])]
    point = prevalence_bounds(samples, model="monotone:always-no", confidence=None)
    relaxed = prevalence_bounds(samples, model="monotone:always-no + adversarial<=0.02", confidence=None)
    assert relaxed.lower < point.lower == point.upper < relaxed.upper  # type: ignore[operator]
    nobody = prevalence_bounds(samples, model="monotone:always-no + adversarial<=0", confidence=None)
    assert (nobody.lower, nobody.upper) == (point.lower, point.upper)
    alone = prevalence_bounds(NIGERIA, model="adversarial<=0.05", confidence=None)
    assert (alone.lower, alone.upper) == (lambda b: (b.lower, b.upper))(prevalence_bounds(NIGERIA, theta="0..0.05"))
    assert [str(behaviour) for behaviour in behaviours("monotone<=0.1 + random<=1/3")] == [
        "monotone:adversarial<=1/10",
        "random<=1/3",
    ]


def test_the_same_device_twice() -> None:
    with pytest.raises(InvalidParameterError, match="add up the counts"):
        prevalence_bounds([NIGERIA, (Mechanism(NIGERIA[0].matrix), [5, 5])])
    refuted = prevalence_bounds(
        [(rropt.Mechanism("warner:3/4"), [900, 100]), (rropt.Mechanism("warner:1/4"), [900, 100])],
        model="none",
    )
    assert refuted.refuted
    assert all(rropt.check(certificate) for certificate in refuted.contradictions)


def test_several_questions_and_direct_questioning() -> None:
    """Two bits asked together; a direct question in another sample has its own liars."""
    bits = rropt.Mechanism("bits:3/4*2")
    both = prevalence_bounds((bits, [58, 38, 38, 26]), theta="0..0.05", contrast=[0, 1, 0, 1])
    assert both.sharp is not None
    assert both.sharp.width > 0
    direct = Mechanism.binary(1, 1)
    pair = prevalence_bounds([(direct, [900, 100]), NIGERIA], model="monotone:always-no")
    assert pair.feasible or pair.refuted is not None


DIE, COIN = named_mechanism("forced:2/3,1/6,1/6"), named_mechanism("warner:3/4")
RECORDED: dict[str, tuple[Any, dict[str, Any]]] = {
    "exactly": ((DIE, [1604, 831]), {"theta": "0.05"}),
    "at most": ((DIE, [1604, 831]), {"theta": "0..0.05", "model": "monotone:always-no"}),
    "any": ((DIE, [1604, 831]), {}),
    "no confidence": ((DIE, [160, 83]), {"theta": "0.05", "confidence": None}),
    "two samples": ([(DIE, [160, 83]), (COIN, [50, 40])], {"theta": "0..1/10", "model": "random+always-no<=1/20"}),
    "difference": ((DIE, [160, 83]), {"versus": (COIN, [50, 40]), "theta": "0..1/20"}),
    "contrast": ((named_mechanism("grr:3,1/2"), [10, 20, 30]), {"contrast": [1, -1, 0], "theta": "1/20"}),
    "infeasible": ((COIN, [1, 99]), {"model": "none", "confidence": None}),
    "refuted": ((COIN, [10, 990]), {"model": "none"}),
}


@few_rows(1)
@pytest.mark.parametrize("name", RECORDED)
def test_a_record_follows_from_its_samples_and_certificates(name: str) -> None:
    """Everything in a record is computed again; each other number makes it another."""
    samples, asked = RECORDED[name]
    found = prevalence_bounds(samples, **asked)
    record = json.loads(found.to_json())
    read = Bounds.from_dict(record)
    assert read == found
    assert read.samples == found.samples
    assert read.unverified == ()

    def other(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        made: dict[str, Any] = copy.deepcopy(record)
        change(made)
        return made

    def count(made: dict[str, Any]) -> None:
        made["samples"][0][0]["counts"][0] += 1

    def device(made: dict[str, Any]) -> None:
        matrix = named_mechanism("grr:3,1/3" if name == "contrast" else "warner:4/5").to_dict()
        made["samples"][0][0]["mechanism"] = matrix

    changes: list[Callable[[dict[str, Any]], object]] = [count, device]
    changes.append(lambda made: made["samples"].append(made["samples"][0]))
    changes.append(lambda made: made.update(theta="1/7"))
    changes.append(lambda made: made.update(behaviours=[{"way": "random", "evaders": True, "most": None}]))
    changes.append(lambda made: made.update(contrast=["3", *made["contrast"][1:]]))
    if asked.get("confidence", 0) is not None:
        changes.append(lambda made: made.update(confidence="9/10"))
    for change in changes:
        made = other(change)
        with pytest.raises(RroptError) as refused:
            Bounds.from_dict(made)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", RECORDED)
def test_a_record_without_samples_is_refused(name: str) -> None:
    samples, asked = RECORDED[name]
    record = json.loads(prevalence_bounds(samples, **asked).to_json())
    del record["samples"], record["contrast"]
    with pytest.raises(FileFormatError, match="misses samples, contrast"):
        Bounds.from_dict(record)


def _records(rng: random.Random, count: int) -> list[Any]:
    """Return breakdown points and reconciliations of random answers, at observed shares and with sampling error."""
    found: list[Any] = []
    while len(found) < count:
        devices = rng.sample(
            [Mechanism.binary("5/6", "3/4"), NIGERIA[0], Mechanism.binary(1, "2/3")], rng.choice((1, 1, 2))
        )
        samples = [(device, [rng.randint(1, 40), rng.randint(1, 40)]) for device in devices]
        model, confidence = rng.choice(KINDS), rng.choice((None, "0.9"))
        said = f"{rng.choice(('at least', 'at most'))} {rng.randint(0, 100)} %"
        versus = [(NIGERIA[0], [rng.randint(1, 40), rng.randint(1, 40)])] if rng.random() < 0.3 else None
        found.append(breakdown_point(samples, said, model=model, confidence=confidence, versus=versus))
        truth = rng.choice((None, F(rng.randint(0, 8), 8)))
        found.append(least_noncompliers(samples, truth, model=model, confidence=confidence))
    return found


@pytest.mark.slow
def test_records_of_breakdown_points_are_verified_in_full(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Everything follows from the answers and the certificates: read back, nothing is named as unverified."""
    kinds = set()
    for record in _records(rng, size(60, 600)):
        read = type(record).from_json(record.to_json())
        assert read == record
        assert read.unverified == ()
        kinds.add((type(record).__name__, record.theta in (None, 1), getattr(record, "stands", None)))
    assert {("Breakdown", False, True), ("Breakdown", True, True), ("Breakdown", True, False)} <= kinds
    assert {("Reconciliation", False, None), ("Reconciliation", True, None)} <= kinds


def test_forged_records_of_breakdown_points_are_refused(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """One number of a record is changed: it is refused; another population that attains an optimum is not read."""
    refused = 0
    for record in _records(rng, size(10, 300)):
        honest = record.to_dict()
        for change in _forgeries(rng, honest):
            with pytest.raises(RroptError):
                type(record).from_dict(change)
            refused += 1
    assert refused > size(30, 1000)


OTHER_PROOF = least_noncompliers(NIGERIA, "0.3").certificate.to_dict()


def test_populations_of_a_record_are_computed_again() -> None:
    """Optima are not unique: whatever population a record has, the one that is returned attains the optimum."""
    found = breakdown_point(NIGERIA, "at least 20 %")
    record = found.to_dict()
    del record["decimals"]
    record["against"][0]["compliers"] = ["1", "0"]
    assert type(found).from_dict(record) == found
    bounds = prevalence_bounds(NIGERIA, theta="0.05")
    record = bounds.to_dict()
    del record["decimals"]
    record["sharp"]["populations"][0][0]["compliers"] = ["1", "0"]
    assert Bounds.from_dict(record) == bounds
    record["sharp"]["upper"] = "1/3"
    with pytest.raises(FileFormatError, match="recomputed result in sharp"):
        Bounds.from_dict(record)


@pytest.mark.parametrize("way", ["always:0 ", "always:00", "always-no", "random + adversarial", "RANDOM"])
def test_a_behaviour_of_a_record_has_one_text(way: str) -> None:
    (no,) = behaviours("monotone:always-no")
    assert Behaviour.from_dict({"way": "always:0", "evaders": True, "most": None}) == no
    with pytest.raises(InvalidParameterError, match="not in its standard form"):
        Behaviour.from_dict({"way": way, "evaders": False, "most": None})


def test_forged_types_of_findings_are_refused() -> None:
    """The proportions of the types in findings are computed again from the samples of the bounds."""
    samples = [(named_mechanism("mangat:1/6"), [60, 340]), (named_mechanism("mangat:5/6"), [260, 140])]
    found = noncompliance_bounds(samples, model="monotone:always-no")
    record = json.loads(found.to_json())
    assert type(found).from_dict(record) == found
    record["types"]["shares"][0] = "1/7"
    del record["decimals"], record["types"]["decimals"]
    with pytest.raises(FileFormatError, match="types"):
        type(found).from_dict(record)


def _forgeries(rng: random.Random, honest: dict[str, Any]) -> Any:
    """Iterate over records with one lie each."""

    def changed(*path: Any, to: Any) -> dict[str, Any]:
        made = copy.deepcopy(honest)
        made.pop("decimals", None)
        at = made
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = to
        return made

    first, *noncompliers = honest["samples"][0][0]["counts"]
    yield changed("samples", 0, 0, "counts", to=[first + 100, *noncompliers])
    other = "0.9" if honest["confidence"] is None else None
    yield changed("confidence", to=other and "9/10")
    if honest.get("against") or honest.get("population"):
        yield changed("theta", to=str(F(honest["theta"]) + F(1, 1000)))
    yield changed("certificate", to={})
    yield changed("certificate", to=OTHER_PROOF)
    yield {key: item for key, item in honest.items() if key not in ("certificate", "decimals")}
    yield changed("populations", to=[])
    if "stands" in honest and honest["against"]:
        yield changed("stands", to=not honest["stands"])
        yield changed("value", to=str(F(honest["value"]) + F(1, 97)))
    if honest.get("truth"):
        yield changed("truth", to=str(F(honest["truth"]) + F(1, 97)))


@few_rows(1)
@pytest.mark.parametrize("epsilon", ["log(5)", "1/2"])
def test_records_of_widths_are_verified_in_full(epsilon: str) -> None:
    """All numbers follow from the question; a record with another number is refused."""
    found = design_noncompliance(epsilon=epsilon, delta="0.2", theta="0.1", n=50, prevalence="0.1")
    assert type(found).from_json(found.to_json()).unverified == ()
    honest = found.to_dict()
    honest.pop("decimals")
    lies = {("n",): 51, ("theta",): "1/9", ("prevalence",): "2/5", ("width",): "1/2"}
    lies |= {("free",): False, ("epsilon",): "log(6)", ("confidence",): "9/10"}
    lies |= {("lower",): "0", ("its_width",): "3", ("sampling",): "0", ("loss",): "7"}
    lies |= {
        ("least_variance",): {"matrix": [["4/5", "1/5"], ["1/5", "4/5"]]},
        ("mechanism",): honest["least_variance"],
    }
    for path, lie in lies.items():
        made = copy.deepcopy(honest)
        at = made
        for key in path[:-1]:
            at = at[key]
        if at[path[-1]] == lie:
            continue  # both designs are one
        at[path[-1]] = lie
        with pytest.raises(RroptError):
            type(found).from_dict(made)


def test_names_of_one_device_are_one_sample() -> None:
    data = {"z": np.array([1, 0, 1, 1] * 10), "d": np.array(["a", "b", "a", "c"] * 10)}
    names = {"a": "warner:3/4", "b": "warner:3/4", "c": "warner:2/3"}
    found = rropt.Responses("z", names, data=data, assigned="d").bounds("0.1")
    assert found == prevalence_bounds([("warner:3/4", [10, 20]), ("warner:2/3", [0, 10])], theta="0.1")


@pytest.mark.parametrize("counts", [(30, 10), (10, 30), (20, 5, 15)])
def test_joint_intervals_of_a_sample_share_the_error_between_its_outputs(counts: tuple[int, ...]) -> None:
    """Quantiles of beta distributions; two outputs have one interval, more of them a part of the error each."""
    from scipy.stats import beta

    m, n = len(counts), sum(counts)
    mechanism = rropt.Mechanism("warner:3/4") if m == 2 else rropt.Mechanism("grr:3,1/2")
    tail = 0.05 / 2 / (1 if m == 2 else m)
    found = Sample.of(mechanism, counts).intervals(Fraction(19, 20))
    for count, (low, high) in zip(counts, found, strict=True):
        expected = beta.ppf(tail, count, n - count + 1), beta.ppf(1 - tail, count + 1, n - count)
        assert (float(low), float(high)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("given", "is_trivial"), [({}, True), ({"theta": "1/20"}, False), ({"theta": "0..1"}, False)])
def test_bounds_that_exclude_nothing_state_why(given: dict[str, str], is_trivial: bool) -> None:
    found = prevalence_bounds(("warner:3/4", [60, 40]), **given)
    labels = [label for label, _ in found.lines()]
    assert (labels[-1] == f"why {found.sharp}") is is_trivial
    assert bool(found.remarks()) is is_trivial
