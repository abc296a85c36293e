"""Unbiased tables against dense Kronecker products and against their definition, exactly and in floats."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from rropt.answers.respondents import answers_of_counts, answers_of_rows
from rropt.answers.table_reports import ColumnRead, TableReading
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.estimates.question_estimates import estimate_questions
from rropt.inference.contingency_tables import cell_variances, estimate_cells, estimate_marginals
from rropt.inference.simultaneous import estimate_pairs, simultaneous_intervals
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.kronecker import kronecker_product_floats, merged_factors

F = Fraction
MIXED = "bits:generalised:9/10,3/4,grr:3,2/3,kuk:4/5,1/5,2"  # two, three, two categories; 2, 3, 3 answers


def _device(rng: random.Random) -> Mechanism:
    """A device that need not be bisymmetric; answer 1 may speak against truth 1."""
    while True:
        a, b = (F(rng.randint(0, 12), 12) for _ in range(2))
        if a + b != 1:
            return Mechanism.binary(a, b)


def _mixed(rng: random.Random, count: int) -> tuple[ProductMechanism, list[list[int]]]:
    mechanism = named_mechanism(MIXED)
    assert isinstance(mechanism, ProductMechanism)
    return mechanism, [[rng.randrange(f.outputs) for f in mechanism.factors] for _ in range(count)]


def _dense(mechanism: ProductMechanism) -> tuple[np.ndarray, np.ndarray]:
    """P and its left inverse of least variance at the uniform distribution, in floats, by their definitions."""
    whole = np.ones((1, 1))
    for factor in mechanism.factors:
        whole = np.kron(factor.to_numpy(), whole)
    weights = whole.T / whole.mean(axis=1)
    return whole, np.linalg.solve(weights @ whole, weights)


def test_the_table_is_the_inverse_times_the_shares(rng: random.Random) -> None:
    mechanism, rows = _mixed(rng, 200)
    answers = answers_of_rows(mechanism, rows)
    _, inverse = _dense(mechanism)
    shares = answers.histogram() / answers.n
    exact, floats = estimate_cells(answers), estimate_cells(answers, exact=False)
    covariance = (inverse * shares) @ inverse.T - np.outer(inverse @ shares, inverse @ shares)
    assert isinstance(exact.estimate, tuple)
    for table in (exact, floats):
        np.testing.assert_allclose(table.floats(), inverse @ shares, atol=1e-12)  # floats of some ten digits
        np.testing.assert_allclose(table.standard_errors**2, np.diag(covariance) / 200, atol=1e-12)
        for x, y in ((0, 0), (3, 7), (11, 2)):
            assert float(table.covariance(x, y)) == pytest.approx(covariance[x, y] / 200, abs=1e-12)
    assert sum(exact.estimate) == 1
    assert exact.sizes == (2, 3, 2)
    assert exact.covariance(5, 5) == exact.variances[5]


def test_the_estimate_of_what_is_expected_is_the_population(rng: random.Random) -> None:
    """Inverse of forward is the identity, exactly: counts proportional to C pi give pi."""
    for _ in range(30):
        mechanism = ProductMechanism([_device(rng) for _ in range(rng.randint(1, 4))])
        weights = [rng.randint(0, 5) for _ in range(mechanism.inputs)]
        weights[0] += 1
        population = [F(w, sum(weights)) for w in weights]
        expected = mechanism.apply(population)
        counts = [int(x * 12 ** len(mechanism.factors) * sum(weights)) for x in expected]
        table = estimate_cells(answers_of_counts(mechanism, np.array(counts)))
        assert table.estimate == tuple(population)


def test_marginalising_commutes_with_estimating(rng: random.Random) -> None:
    mechanism, rows = _mixed(rng, 100)
    answers = answers_of_rows(mechanism, rows)
    whole = estimate_cells(answers)
    for k in (1, 2, 3):
        for questions in permutations(range(3), k):
            assert whole.marginal(questions) == estimate_cells(answers, questions).estimate
            from_counts = estimate_cells(answers_of_counts(mechanism, answers.histogram()), questions)
            assert from_counts.estimate == estimate_cells(answers, questions).estimate
    assert [t.questions for t in estimate_marginals(answers, 2)] == list(combinations(range(3), 2))


def test_permuting_questions_permutes_the_answer(rng: random.Random) -> None:
    mechanism, rows = _mixed(rng, 60)
    for order in permutations(range(3)):
        turned = ProductMechanism([mechanism.factors[q] for q in order])
        table = estimate_cells(answers_of_rows(turned, [[row[q] for q in order] for row in rows]))
        again = estimate_cells(answers_of_rows(mechanism, rows), order)
        assert table.estimate == again.estimate
        assert table.variances == again.variances


def test_a_transparent_bit_is_counted() -> None:
    """a = 1: the share itself, with the variance of a share."""
    rows = [[0, 0], [1, 0], [1, 1], [1, 0]]
    table = estimate_cells(answers_of_rows(named_mechanism("bits:1*2"), rows))
    assert table.estimate == (F(1, 4), F(1, 2), 0, F(1, 4))
    assert table.variances == tuple(p * (1 - p) / 4 for p in table.estimate)


def test_the_variance_is_that_of_all_samples() -> None:
    """Unbiased, and with the stated variance, over all answers of two respondents: enumerated exactly."""
    mechanism = named_mechanism("bits:generalised:1,2/3,3/4")
    population = [F(1, 2), F(1, 3), F(0), F(1, 6)]
    chances = mechanism.apply(population)
    mean, square = [F(0)] * 4, [F(0)] * 4
    for pair in product(range(4), repeat=2):
        chance = chances[pair[0]] * chances[pair[1]]
        if not chance:
            continue
        table = estimate_cells(answers_of_counts(mechanism, np.bincount(pair, minlength=4)))
        for x, value in enumerate(table.estimate):
            mean[x] += chance * value
            square[x] += chance * value * value
    assert mean == population
    variances = [a - b * b for a, b in zip(square, mean, strict=True)]
    assert tuple(2 * v for v in variances) == cell_variances(mechanism, population)


def test_groups_with_different_devices(rng: random.Random) -> None:
    """A mixture with one device is that device; weights are as stated; every estimate is unbiased."""
    texts = ("bits:3/4,2/3,9/10", "bits:generalised:4/5,2/3,1/4,3/4")
    rows = [[[rng.randrange(2) for _ in range(3)] for _ in range(count)] for count in (40, 60)]
    groups = [answers_of_rows(named_mechanism(t), r) for t, r in zip(texts, rows, strict=True)]
    parts = [estimate_cells(group) for group in groups]
    table = estimate_cells(groups)
    assert table.weights == (F(2, 5), F(3, 5))
    assert table.estimate == tuple(F(2, 5) * a + F(3, 5) * b for a, b in zip(*(p.estimate for p in parts), strict=True))
    for questions in ((0,), (2, 0)):
        assert table.marginal(questions) == estimate_cells(groups, questions).estimate
    one = answers_of_rows(named_mechanism(texts[0]), rows[0])
    split = [answers_of_rows(named_mechanism(texts[0]), part) for part in (rows[0][:13], rows[0][13:])]
    assert estimate_cells(split).estimate == estimate_cells(one).estimate
    assert estimate_cells(split).variances == estimate_cells(one).variances
    assert estimate_cells(split, weights="precision").estimate == estimate_cells(one).estimate
    precise = estimate_cells(groups, weights="precision")
    noise = [sum(cell_variances(group.mechanism, [F(1, 8)] * 8)) for group in groups]
    assert precise.weights[0] / precise.weights[1] == (40 / noise[0]) / (60 / noise[1])
    given = estimate_cells(groups, weights=["1/3", "2/3"])
    floats = estimate_cells(groups, weights=["1/3", "2/3"], exact=False)
    np.testing.assert_allclose(floats.floats(), given.floats(), atol=1e-12)
    np.testing.assert_allclose(floats.standard_errors, given.standard_errors, atol=1e-12)
    assert float(given.covariance(1, 1)) == pytest.approx(float(given.variances[1]))
    assert min(given.variances) > 0


def test_all_pairs_at_once(rng: random.Random) -> None:
    mechanism, rows = _mixed(rng, 300)
    answers = answers_of_rows(mechanism, rows)
    for given in (answers, answers_of_counts(mechanism, answers.histogram()), [answers, answers]):
        pairs = estimate_pairs(given)
        for first, second in permutations(range(3), 2):
            table = estimate_cells(given, (first, second))
            shape = table.sizes[::-1]
            np.testing.assert_allclose(pairs.table(first, second), table.floats().reshape(shape).T, atol=1e-12)
            np.testing.assert_allclose(pairs.errors(first, second), table.standard_errors.reshape(shape).T, atol=1e-9)
        for question in range(3):
            table = estimate_cells(given, (question,))
            np.testing.assert_allclose(np.diag(pairs.table(question, question)), table.floats(), atol=1e-12)
            np.testing.assert_allclose(np.diag(pairs.errors(question, question)), table.standard_errors, atol=1e-9)


def test_pairs_of_sixty_four_bits() -> None:
    mechanism = named_mechanism(
        "bits:" + ",".join(f"{50 + 40 * (q + 1) // 65}/100" if q % 2 else "3/4" for q in range(64))
    )
    bits = np.random.default_rng(1).integers(0, 2, (5000, 64)).astype(np.uint8)
    answers = answers_of_rows(mechanism, bits)
    pairs = estimate_pairs(answers)
    for first, second in ((0, 1), (63, 5), (40, 41)):
        table = estimate_cells(answers, (first, second))
        np.testing.assert_allclose(pairs.table(first, second).T.ravel(), table.floats(), rtol=1e-9, atol=1e-9)


def test_simultaneous_intervals(rng: random.Random) -> None:
    mechanism, rows = _mixed(rng, 400)
    tables = estimate_marginals(answers_of_rows(mechanism, rows), 2)
    cells = sum(len(table.estimate) for table in tables)
    normal, sure = (simultaneous_intervals(tables, kind=kind) for kind in ("normal", "hoeffding"))
    assert normal.cells == sure.cells == cells
    assert "Bonferroni" in normal.guarantee
    for table, ends, wide in zip(tables, normal.ends, sure.ends, strict=True):
        middle = ends.mean(axis=1)
        np.testing.assert_allclose(middle, table.floats(), atol=1e-12)
        assert ((wide[:, 0] < ends[:, 0]) & (ends[:, 1] < wide[:, 1])).all()
    (table,) = estimate_marginals(answers_of_rows(named_mechanism("bits:3/4"), [[0]] * 50 + [[1]] * 50), 1)
    (ends,) = simultaneous_intervals(table, "0.9").ends
    # Bonferroni of two cells: Pr(|G| <= z) = 0.95; n Var = (1/4)/(1/4) = 1
    assert ends[0, 1] - ends[0, 0] == pytest.approx(2 * 1.959963985 * 0.1)
    (ends,) = simultaneous_intervals(table, "0.9", kind="hoeffding").ends  # terms of range 2, log(40)/2
    assert (ends[0, 1] - ends[0, 0]) / 2 == pytest.approx(2 * np.sqrt(np.log(40) / 2 / 100))
    with pytest.raises(InvalidParameterError, match="kind of interval is unknown"):
        simultaneous_intervals(table, kind="wald")


def test_blocks_are_the_factors(rng: random.Random) -> None:
    """Shapes that are not square, and blocks that are full: against numpy.kron."""
    generator = np.random.default_rng(3)
    for shapes in ([(2, 2)] * 9, [(3, 2), (1, 1), (40, 3), (2, 2), (2, 5)], [(1, 3)], [(4, 1), (4, 4), (4, 4)]):
        factors = [generator.random(shape) for shape in shapes]
        whole = np.ones((1, 1))
        for factor in factors:
            whole = np.kron(factor, whole)
        vector = generator.random(whole.shape[1])
        kept = vector.copy()
        np.testing.assert_allclose(kronecker_product_floats(factors, vector), whole @ vector, rtol=1e-12)
        assert (vector == kept).all()
    assert [block.shape for block in merged_factors([np.eye(2)] * 12)] == [(32, 32), (32, 32), (4, 4)]


def test_missing_answers_are_told(rng: random.Random) -> None:
    mechanism = named_mechanism("bits:3/4*2")
    rows = [[0, 1], [None, 1], [1, 1], [1, -1]]
    with pytest.raises(InvalidParameterError, match=r"2 of 4 respondents.*row 1"):
        answers_of_rows(mechanism, rows)
    answers = answers_of_rows(mechanism, rows, missing="exclude")
    assert (answers.n, answers.excluded) == (2, 2)
    assert "2 respondents" in estimate_cells(answers).remarks()[-1]
    with pytest.raises(InvalidParameterError, match="missing is unknown"):
        answers_of_rows(mechanism, rows, missing="drop")
    with pytest.raises(InvalidParameterError, match="no row of answers"):
        answers_of_rows(mechanism, [[None, 1]], missing="exclude")


def test_what_cannot_be_estimated() -> None:
    half = named_mechanism("bits:1/2,3/4")
    with pytest.raises(InfeasibleError, match="nothing to estimate"):
        estimate_cells(answers_of_rows(half, [[0, 1]]))
    assert estimate_cells(answers_of_rows(half, [[0, 1]]), [1]).estimate == (F(-1, 2), F(3, 2))
    forty = answers_of_rows(named_mechanism("bits:3/4*40"), [[0] * 40])
    with pytest.raises(UnsupportedProblemError, match=r"8192 GiB.*marginals"):
        estimate_cells(forty)
    with pytest.raises(UnsupportedProblemError, match="sets of 20 of 40"):
        estimate_marginals(forty, 20)
    one_sided = named_mechanism("bits:generalised:1,1,3/4")
    with pytest.raises(InvalidParameterError, match="counts do not fit"):
        answers_of_counts(one_sided, [1, 2, 3])
    with pytest.raises(InvalidParameterError, match="counts are out of range"):
        answers_of_counts(one_sided, [0, 0, 0, 0])
    merged = ProductMechanism([Mechanism([["1/2", "1/4"], ["1/2", "3/4"], [0, 0]]), named_mechanism("warner:3/4")])
    with pytest.raises(InvalidParameterError, match="answer 2 to question 0 is impossible"):
        answers_of_rows(merged, [[2, 0]])
    with pytest.raises(InvalidParameterError, match="different questions"):
        estimate_cells([forty, answers_of_rows(half, [[0, 1]])])
    for questions in ([], [0, 0], [40]):
        with pytest.raises(InvalidParameterError, match="no such questions"):
            estimate_cells(forty, questions)
    for weights in ("best", [1, 1]):
        with pytest.raises(InvalidParameterError, match="weights"):
            estimate_cells(forty, [0], weights=weights)


def test_large_counts_are_transformed(size: Callable[[int, int], int]) -> None:
    """Against the dense Implementation 1 of Vinterbo (2018), bits in its own order."""
    for n in range(1, size(8, 11)):
        a = 0.8
        counts = np.random.default_rng(n).integers(0, 50, 1 << n)
        dense, inverse = np.ones((1, 1)), np.array([[a, a - 1], [a - 1, a]]) / (2 * a - 1)
        for _ in range(n):
            dense = np.kron(inverse, dense)
        expected = dense @ counts / counts.sum()
        table = estimate_cells(answers_of_counts(named_mechanism(f"bits:4/5*{n}"), counts), exact=False)
        np.testing.assert_allclose(table.floats(), expected, rtol=0, atol=1e-10)  # as the paper's own floats


@pytest.mark.parametrize("gaps", [0, 1, 8, 9])
def test_at_most_eight_questions_with_gaps_are_named(gaps: int) -> None:
    read = tuple(ColumnRead(f"q{i}", 9, int(i < gaps)) for i in range(10))
    named = ", ".join(f"q{i}: 1 missing, left out" for i in range(min(gaps, 8))) + ", ..." * (gaps > 8)
    assert TableReading("t", 10, read).text() == f"t: 10 rows; {named or 'no answer missing'}; none invalid"


def test_intervals_of_a_printed_table_are_cut_to_proportions(cli_json: Callable[..., dict]) -> None:
    """Each is the interval of ``simultaneous_intervals`` in [0, 1], of both kinds, in the result, its rows and JSON."""
    answers = answers_of_counts(named_mechanism("bits:5/6*3"), [100, 20, 34, 10, 18, 4, 10, 4])
    for marginals in (None, 2):
        found = estimate_questions(answers, marginals=marginals)
        tables = [estimate_cells(answers)] if marginals is None else estimate_marginals(answers, marginals)
        for kind in ("normal", "hoeffding"):
            plain = np.concatenate(simultaneous_intervals(tables, kind=kind).ends)
            assert plain.min() < 0
            own = [[one.lower, one.upper] for one in found.conf_int(kind=kind, simultaneous=True)]
            np.testing.assert_allclose(own, np.clip(plain, 0, 1), rtol=0, atol=1e-14)
        assert all(0 <= row["low"] <= row["high"] <= 1 for row in found.frame_rows())
    given = ("estimate", "--counts", "100,20,34,10,18,4,10,4", "--mechanism", "bits:5/6*3", "--marginals", "3")
    rows = cli_json(*given)["rows"]
    assert all(0 <= low <= high <= 1 for row in rows for low, high in row["intervals"].values())
