"""The most likely joint distribution: against exact solutions, the explicit one-question search, and noisy devices."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.answers.respondents import answers_of_counts, answers_of_rows
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.estimates import estimated, question_estimates
from rropt.inference import estimate, estimate_joint
from rropt.inference.joint_likelihood import information_errors
from rropt.inference.likelihood import CellLikelihood, gap_of, most_likely, proposal
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.kronecker import kronecker_product_floats

F = Fraction


def test_inside_the_simplex_it_is_the_unbiased_estimate() -> None:
    mechanism = named_mechanism("bits:3/4,generalised:9/10,4/5")
    counts = [int(x * 10**6) for x in mechanism.apply(["2/5", "3/10", "1/5", "1/10"])]
    both = estimate_joint(answers_of_counts(mechanism, counts))
    assert both.population == both.table.estimate
    assert both.likelihood_gap == 0
    assert both.remarks() == ()
    np.testing.assert_allclose(both.standard_errors(), both.table.standard_errors, rtol=1e-9)  # efficient there


def test_one_bit_is_clipped_exactly() -> None:
    """Of one binary question the best is the unbiased estimate, clipped to [0, 1]."""
    for yes, best in ((95, F(1)), (3, F(0)), (60, F(7, 10))):
        both = estimate_joint(answers_of_counts(named_mechanism("warner:3/4"), [100 - yes, yes]))
        assert both.population == (1 - best, best)
        assert both.likelihood_gap < F(1, 2**60)  # quotients are rounded up


def test_a_plain_mechanism_and_its_product_agree(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """The search for one question, on the matrix written out: the populations agree as far as their gaps say."""
    for _ in range(size(12, 100)):
        factors = [Mechanism.binary(F(rng.randint(6, 12), 12), F(rng.randint(7, 12), 12)) for _ in range(3)]
        product = ProductMechanism(factors)
        counts = [rng.randint(0, 60) if any(product.row(i)) else 0 for i in range(8)]
        counts[0] += any(product.row(0))
        if not sum(counts):
            continue
        written = estimate(Mechanism(product), counts)
        both = estimate_joint(answers_of_counts(product, counts))
        assert both.table.estimate == written.estimate
        assert max(both.likelihood_gap, written.likelihood_gap) < F(1, 10**9)
        np.testing.assert_allclose(
            np.array(both.population, float), np.array(written.constrained_estimate, float), atol=2e-4
        )


def test_marginals_of_the_best_are_consistent(rng: random.Random) -> None:
    rows = [[rng.randrange(2), rng.randrange(3), rng.randrange(2)] for _ in range(200)]
    both = estimate_joint(answers_of_rows(named_mechanism("bits:2/3,grr:3,1/2,3/4"), rows))
    first, second = both.marginal([0, 1]), both.marginal([1])
    assert sum(first) == sum(second) == 1
    assert [first[2 * x] + first[2 * x + 1] for x in range(3)] == list(second)
    assert min(both.population) >= 0
    assert any("differ by up to" in remark for remark in both.remarks())
    assert any("cells of the joint distribution of 3 questions have a negative" in remark for remark in both.remarks())
    assert any("proved exactly" in remark for remark in both.remarks())
    one = estimate_joint(answers_of_rows(named_mechanism("christofides:1/6,1/3,1/2"), [[0]] * 30 + [[1]] * 10))
    assert any("in a cell: " in remark for remark in one.remarks())


def test_a_mixture_with_one_device_is_that_device(rng: random.Random) -> None:
    mechanism = named_mechanism("bits:3/4*2")
    rows = [[rng.randrange(2), rng.randrange(2)] for _ in range(90)]
    whole = estimate_joint(answers_of_rows(mechanism, rows))
    split = estimate_joint([answers_of_rows(mechanism, rows[:31]), answers_of_rows(mechanism, rows[31:])])
    assert split.table.estimate == whole.table.estimate
    np.testing.assert_allclose(np.array(split.population, float), np.array(whole.population, float), atol=1e-6)


def test_different_devices_find_the_population() -> None:
    """Counts as expected under each device: the population itself is the best, and both searches find it."""
    population = [F(1, 2), F(1, 4), F(0), F(1, 4)]
    groups = []
    for text, size in (("bits:3/4,2/3", 144 * 7), ("bits:generalised:1,2/3,5/6", 144 * 3), ("bits:1/4,1/3", 144)):
        mechanism = named_mechanism(text)
        groups.append(answers_of_counts(mechanism, [int(size * x) for x in mechanism.apply(population)]))
    both = estimate_joint(groups)
    assert both.table.estimate == tuple(population)
    assert both.likelihood_gap < F(1, 10**11)
    np.testing.assert_allclose(np.array(both.population, float), np.array(population, float), atol=1e-5)
    products = [(g.mechanism, g.histogram()) for g in groups]
    assert gap_of(products, population, 64) == 0


@few_rows(1)
@pytest.mark.parametrize("a", ["14/25", "3/4", "19/20"])
def test_noisy_and_clear_bits(a: str) -> None:
    """Nine bits, few cells and many: floats stop below 1e-9 whatever the noise, and say so exactly."""
    generator = np.random.default_rng(9)
    mechanism = named_mechanism(f"bits:{a}*9")
    assert isinstance(mechanism, ProductMechanism)
    few = np.zeros(512)
    few[[3, 77, 500]] = 0.5, 0.3, 0.2
    for population in (few, generator.dirichlet(np.ones(512)), np.full(512, 1 / 512)):
        chances = np.maximum(kronecker_product_floats([f.to_numpy() for f in mechanism.factors], population), 0)
        counts = generator.multinomial(20_000, chances / chances.sum())
        best, gap = most_likely([(mechanism, counts)])
        assert gap < F(1, 10**9)
        assert sum(best) == 1


@pytest.mark.slow
@pytest.mark.parametrize("texts", [["bits:3/4*7"], ["bits:2/3*8"], ["bits:51/100*5"], ["bits:3/4*6", "bits:9/10*6"]])
def test_the_search_is_no_worse_than_another_route(texts: list[str]) -> None:
    """L-BFGS-B of SciPy from the uniform population, for few responses and many, few cells and many."""
    from scipy.optimize import minimize

    generator, products = np.random.default_rng(11), [named_mechanism(text) for text in texts]
    cells = products[0].inputs
    few = np.zeros(cells)
    few[[1, 5, 17]] = 0.2, 0.3, 0.5
    for n, population in product((100, 10**4, 10**7), (few, generator.dirichlet(np.ones(cells)))):
        chances = [np.maximum(each.to_numpy() @ population, 0) for each in products]
        survey = CellLikelihood(
            [(p, generator.multinomial(n, c / c.sum())) for p, c in zip(products, chances, strict=True)]
        )

        def value(x: np.ndarray, survey: CellLikelihood = survey) -> tuple[float, np.ndarray]:
            chances = np.maximum(survey.forward(x), 1e-300)
            return float(x.sum() - survey.shares @ np.log(chances)), 1 - survey.adjoint(survey.shares / chances)

        start, bounds = np.full(cells, 1 / cells), [(0, None)] * cells
        other = minimize(value, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000})
        assert value(proposal(survey))[0] <= other.fun + 1e-11


def test_the_maps_of_a_survey_are_those_of_the_products(rng: random.Random) -> None:
    """Forward, adjoint (of the squares too) and columns, each row divided by its largest entry."""
    generator = np.random.default_rng(4)
    products = [named_mechanism(text) for text in ("bits:3/4,grr:3,1/2", "bits:kuk:4/5,1/5,2,grr:3,2/3")]
    for chosen in (products[:1], products[1:], products):
        groups = [(p, generator.integers(0, 3, p.outputs)) for p in chosen]
        survey = CellLikelihood(groups)  # type: ignore[arg-type]
        x, given = generator.random(6), [np.flatnonzero(counts) for _, counts in groups]
        dense = np.concatenate([p.to_numpy()[rows] for (p, _), rows in zip(groups, given, strict=True)])
        dense /= dense.max(axis=1, keepdims=True)
        w = generator.random(len(dense))
        np.testing.assert_allclose(survey.forward(x), dense @ x)
        np.testing.assert_allclose(survey.adjoint(w), w @ dense)
        np.testing.assert_allclose(survey.adjoint(w, squared=True), w @ dense**2)
        np.testing.assert_allclose(survey.columns(np.array([1, 4])), dense[:, [1, 4]])


def test_errors_of_the_best() -> None:
    """One bit: sqrt(l (1 - l)/n)/(2a - 1); a cell at 0 has none; what is not identified has an infinite one."""
    both = estimate_joint(answers_of_counts(named_mechanism("warner:3/4"), [40, 60]))
    np.testing.assert_allclose(both.standard_errors(), np.sqrt(0.24 / 100) * 2 * np.ones(2))
    corner = estimate_joint(answers_of_counts(named_mechanism("warner:3/4"), [5, 95]))
    assert corner.standard_errors().tolist() == [0.0, 0.0]
    silent = ProductMechanism([Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])])
    assert np.isinf(information_errors(CellLikelihood([(silent, np.array([3, 4]))]), [F(1, 2), F(1, 2)])).all()


def test_too_many_cells() -> None:
    answers = answers_of_rows(named_mechanism("bits:3/4*17"), [[0] * 17])
    with pytest.raises(UnsupportedProblemError, match="at most 65536"):
        estimate_joint(answers)


@few_rows(2)
@pytest.mark.parametrize("share", ["1/10", "1/1000", "1/1000000"])
def test_nearly_singular_devices(rng: random.Random, share: str) -> None:
    """Devices that mix a common law with a small share of another: the gap is far below what a survey can see."""
    for _ in range(10):
        m, k = rng.choice([(3, 3), (6, 4), (12, 12)])
        laws = [[F(rng.randint(1, 30)) for _ in range(m)] for _ in range(k + 1)]
        common, *others = [[x / sum(law) for x in law] for law in laws]
        columns = [[(1 - F(share)) * x + F(share) * y for x, y in zip(common, law, strict=True)] for law in others]
        counts = [rng.choice([0, 1, 30, 10**4, 10**9]) for _ in range(m - 1)] + [1]
        assert most_likely([(Mechanism(list(zip(*columns, strict=True))), counts)])[1] < F(1, 10**10)


def test_marginals_have_a_most_likely_estimate_up_to_a_number_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = answers_of_counts(named_mechanism("bits:3/4*2"), [40, 30, 20, 10])
    for most, is_found in ((4, True), (3, False)):
        monkeypatch.setattr(question_estimates, "_SEARCHED", most)
        found = question_estimates.estimate_questions(answers, marginals=1)
        assert (found.joint is not None) == is_found
        assert any("too many cells" in remark for remark in found.remarks()) != is_found


def test_empty_normal_intervals_are_none() -> None:
    """Of few equal responses the normal intervals are empty, those of proved coverage are not."""
    found = question_estimates.estimate_questions(answers_of_counts(named_mechanism("bits:3/4*2"), [5, 0, 0, 0]))
    assert not any("interval of" in remark for remark in found.remarks())
    assert all(not one.conf_int().emptied for one in found)
    assert any(one.conf_int(kind="normal").emptied for one in found)


def test_a_printed_table_counts_the_cells_that_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    found = question_estimates.estimate_questions(answers_of_counts(named_mechanism("bits:3/4*2"), [40, 30, 20, 10]))
    monkeypatch.setattr(estimated, "_SHOWN", 3)
    ((_, _, rows), *_) = found.as_tables()
    assert [row[0] for row in rows] == ["0, 0", "1, 0", "0, 1", "and 1 more"]


def test_the_likelihood_of_responses_has_its_certificate() -> None:
    """One question, a joint table, several mechanisms and counts; the checker accepts each, and no smaller gap."""
    rng = np.random.default_rng(1)
    both = [rng.integers(0, 2, 60), rng.integers(0, 2, 60)]
    assigned = np.array(["A", "B"])[np.arange(60) % 2]
    several = rropt.Responses(both[0], {"A": "warner:3/4", "B": "warner:2/3"}, assigned=assigned).likelihood()
    for found in (
        rropt.Responses.from_counts([90, 10], "warner:5/6").likelihood(),
        rropt.Responses(both, "bits:3/4*2").likelihood(),
        rropt.Responses(rng.integers(0, 3, 60), "grr:3,1/2").likelihood(),
        several,
    ):
        assert min(found.population) >= 0
        assert sum(found.population) == 1
        assert rropt.check(found.certificate)
    forged = several.certificate.to_dict()
    forged["claim"]["gap"] = "-1/100"
    assert not rropt.check(forged)
    sample = rropt.Sample({"z": both[0]}, weights=np.ones(60))
    with pytest.raises(UnsupportedProblemError, match="no likelihood"):
        rropt.Responses("z", "warner:3/4", data=sample).likelihood()


def test_bounds_of_responses_are_those_of_their_counts() -> None:
    z, assigned = np.array([1, 0, 1, 1] * 10), np.array(["a", "b", "a", "c"] * 10)
    names = {"a": "warner:3/4", "b": "warner:3/4", "c": "warner:2/3"}
    rows = rropt.Responses(z, names, assigned=assigned)
    counts = rropt.Responses.from_counts([10, 30], "warner:3/4")
    assert counts.bounds("0.1") == rropt.Responses(z, "warner:3/4").bounds("0.1")
    kept = rows.where(assigned != "c")
    assert kept.bounds("0.1") == rropt.Responses.from_counts([10, 20], "warner:3/4").bounds("0.1")
    assert counts.bounds(conclusion="more", versus=kept).samples[1][0].counts == (10, 20)
    with pytest.raises(UnsupportedProblemError, match="count each respondent once"):
        rropt.Responses("z", "warner:3/4", data=rropt.Sample({"z": z}, weights=np.ones(40))).bounds()
    with pytest.raises(InvalidParameterError, match="one question"):
        rropt.Responses([z, z], "bits:3/4*2").bounds()
