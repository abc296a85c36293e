"""Reports of numbers: known figures, linear programs and the definition, which share no code with the engine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import exp, log, tanh
from operator import mul
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.designs.known_reports import direct_reports, known_reports, threshold_cards
from rropt.designs.mean_designs import (
    MeanDesign,
    conditional_variances,
    design_mean,
    literature_variances,
    range_optimum,
    rounded_variance,
)
from rropt.mechanisms.sampling import randomize_many
from rropt.objectives import ConditionalVariance

F = Fraction


def on_a_grid(x: list[float], gamma: float, reports: int) -> float:
    """Return the minimax variance over all rows and a grid of reports: a linear program, an upper bound."""
    numbers, k = np.array(x), len(x)
    rows = np.array(list(product((1.0, gamma), repeat=k)))[1:-1]
    reach = (numbers.max() - numbers.min()) / 2 * (gamma + 1) / (gamma - 1) * 1.3
    z = np.linspace(numbers.mean() - reach, numbers.mean() + reach, reports)
    columns = np.repeat(rows, len(z), axis=0).T
    values = np.tile(z, len(rows))
    above = np.hstack([columns * values**2, -np.ones((k, 1))])
    equal = np.vstack([columns, columns * values])
    cost = np.zeros(columns.shape[1] + 1)
    cost[-1] = 1
    from scipy.optimize import linprog

    found = linprog(
        cost,
        A_ub=above,
        b_ub=numbers**2,
        A_eq=np.hstack([equal, np.zeros((2 * k, 1))]),
        b_eq=np.concatenate([np.ones(k), numbers]),
        bounds=[(0, None)] * columns.shape[1] + [(None, None)],
    )
    assert found.status == 0
    return float(found.fun)


CASES: list[tuple[str, list[Any], float]] = [
    ("log(2)", [1, 2, 3, 4, 5], 33.24306),
    ("log(3)", [1, 2, 3, 4, 5], 13.12273),
    ("log(20)", [1, 2, 3, 4, 5], 1.19624),
    ("log(2)", list(range(11)), 208.1919),
    ("log(3)", list(range(11)), 82.2336),
    ("log(20)", list(range(11)), 7.5896),
    ("1", [-1, 0, 1], ((exp(1) + 1) / (exp(1) - 1)) ** 2 - 0.75),
    ("log(4)", [0, 10, 25, 50, 75, 150], 11280.649),
]


@pytest.mark.parametrize(("epsilon", "values", "expected"), CASES)
def test_figures(epsilon: str, values: list[Any], expected: float) -> None:
    """The optima that were computed before by a program of its own; as many digits as they were given with."""
    found = design_mean(epsilon, values=values, fast=True)
    assert float(found.value) == pytest.approx(expected, rel=4e-6)
    assert found.lower <= found.upper
    assert found.gap <= found.upper / 10**7
    assert found.certificate
    assert found.certificate.check()
    assert max(found.variances) == found.value


@few_rows(1)
@pytest.mark.parametrize(
    ("epsilon", "values", "reports"), [("1/2", [0, 1, 5], 801), ("1", [1, 2, 3, 4], 401), ("5/2", [-2, 0, 1, 4], 401)]
)
def test_no_linear_program_over_a_grid_is_better(epsilon: str, values: list[Any], reports: int) -> None:
    """And one with a fine grid is nearly as good: its loss is of second order in the step."""
    found = design_mean(epsilon, values=values, fast=True)
    above = on_a_grid(list(map(float, values)), exp(F(epsilon)), reports)
    assert float(found.lower) <= above * (1 + 1e-7)  # the tolerance of HiGHS
    assert above <= float(found.upper) * 1.002


@pytest.mark.parametrize("epsilon", ["1/10", "log(3)", "4"])
@pytest.mark.parametrize("values", [[0, 1], [3, 0, 1], [F(1, 3), F(1, 7), 2, 5]])
def test_the_mechanism_is_private_and_unbiased(epsilon: str, values: list[Any]) -> None:
    """Each exactly, by its definition; the values stay in the order in which they were given."""
    mechanism = design_mean(epsilon, values=values, fast=True).mechanism
    assert mechanism.input_values == tuple(map(F, values))
    level = rropt.core.exact.Epsilon.of(epsilon)
    below = level.gamma_bracket(30).upper
    for row in mechanism.matrix:
        assert max(row) <= below * min(row)
    for j, x in enumerate(mechanism.input_values):
        column = [row[j] for row in mechanism.matrix]
        assert sum(column) == 1
        assert sum(p * z for p, z in zip(column, mechanism.output_values, strict=True)) == x
    assert ConditionalVariance(values).value(mechanism, [F(1, len(values))] * len(values)) == max(
        conditional_variances(mechanism)
    )


def test_proportions() -> None:
    """The mean variance at proportions is that of c-optimality less the variance of the numbers; it is at most (a)."""
    shares = ["1/10", "1/5", "2/5", "1/5", "1/10"]
    found = design_mean(1, values=[1, 2, 3, 4, 5], proportions=shares, fast=True)
    assert float(found.value + F(6, 5)) == pytest.approx(16.50, abs=0.005)  # a published table, two decimals
    assert found.constant == F(6, 5)
    weights = list(map(F, shares))
    mean = sum(p * v for p, v in zip(weights, found.variances, strict=True))
    assert 0 <= found.value - mean < F(1, 10**12)  # bounds of variances are rounded up
    worst = design_mean(1, values=[1, 2, 3, 4, 5], fast=True)
    assert sum(p * v for p, v in zip(weights, worst.variances, strict=True)) > found.value
    assert max(found.variances) > worst.value
    even = design_mean(1, values=[1, 2, 3, 4, 5], proportions=["1/5"] * 5, fast=True)
    kary = rropt.solve(
        rropt.Problem.kary(5, epsilon=1, objective=rropt.objectives.Contrast([1, 2, 3, 4, 5])), fast=True
    )
    assert (even.lower, even.upper) == (kary.lower - 2, kary.upper - 2)


def test_equal_values_are_one() -> None:
    found = design_mean("log(3)", values=[2, 0, 2], proportions=["1/4", "1/2", "1/4"], fast=True)
    assert found.inputs == (2, 0)
    assert found.proportions == (F(1, 2), F(1, 2))
    assert float(found.value) == pytest.approx(3, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "points", "lower", "upper"),
    [
        ("1/2", 33, 16.002481, 16.003458),
        ("1", 33, 3.990478, 3.991455),
        pytest.param("2", 33, 0.865291, 0.866269, marks=pytest.mark.slow),
        pytest.param("3", 33, 0.303898, 0.304875, marks=pytest.mark.slow),
        pytest.param("4", 33, 0.126899, 0.127876, marks=pytest.mark.slow),
    ],
)
def test_ranges(epsilon: str, points: int, lower: float, upper: float) -> None:
    """The brackets of the continuum of a table, to its last digit."""
    found = design_mean(epsilon, range=(-1, 1), points=points, fast=True)
    assert float(found.lower) == pytest.approx(lower, abs=1.1e-6)
    assert float(found.upper) == pytest.approx(upper, abs=1.1e-6)
    known = range_optimum(exp(F(epsilon)))
    assert known is None or float(found.lower) < known[0] < float(found.upper)


def test_the_first_closed_form_is_the_variance_of_its_mechanism() -> None:
    """A random threshold ``c sinh s``, s uniform on [-1/A, 1/A], and the report ``+-c e^(+-s)``: by quadrature."""
    for epsilon in (0.1, 0.4, 0.7):
        gamma = exp(epsilon)
        a, p = (gamma + 1) / (gamma - 1), gamma / (gamma + 1)
        c = 1 / np.sinh(1 / a)
        for x in (-1.0, -0.3, 0.0, 0.8):

            def moment(n: int, x: float = x, c: float = c, a: float = a, p: float = p) -> float:
                def at(s: float) -> float:
                    yes = p if x > c * np.sinh(s) else 1 - p
                    return a / 2 * (yes * (c * exp(s)) ** n + (1 - yes) * (-c * exp(-s)) ** n)

                from scipy.integrate import quad

                return float(quad(at, -1 / a, 1 / a, points=[np.arcsinh(x / c)], limit=200)[0])

            assert moment(0) == pytest.approx(1, abs=1e-9)
            assert moment(1) == pytest.approx(x, abs=1e-8)
            assert moment(2) - x**2 == pytest.approx(range_optimum(gamma)[0], rel=1e-8)  # type: ignore[index]


def test_the_closed_forms_meet_and_end() -> None:
    """At g* = 2.038645 they agree, and beyond g** = 4.027025 there is none."""
    low, high = range_optimum(2.0386), range_optimum(2.0387)
    assert low is not None
    assert high is not None
    assert low[1] != high[1]
    assert low[0] == pytest.approx(high[0], rel=1e-3)
    assert range_optimum(4.027) is not None
    assert range_optimum(4.028) is None
    gamma = 2.038645
    assert (gamma + 1) * tanh((gamma - 1) / (gamma + 1)) == pytest.approx(1, abs=1e-6)
    assert (4.027025 + 1) * log(1 + 2 / 4.027025) == pytest.approx(4.027025 - 2, abs=1e-6)


def test_rounding_to_neighbours() -> None:
    """Against the definition at many points; the exact maximum is at least that of any point."""
    numbers, variances = [F(0), F(1), F(3)], [F(2), F(5, 2), F(1)]
    most = rounded_variance(numbers, variances)
    found = []
    for j in range(2):
        for i in range(101):
            t, h = F(i, 100), numbers[j + 1] - numbers[j]
            found.append((1 - t) * variances[j] + t * variances[j + 1] + t * (1 - t) * h**2)
    assert max(found) <= most <= max(found) + F(1, 1000)


def test_threshold_cards() -> None:
    """Cards 1.5, 2.5, 3.5, 4.5 and Warner's 2/3: 33.25 whatever the score is; unequal distances stay unbiased."""
    made = threshold_cards([F(x) for x in (1, 2, 3, 4, 5)], F(2))
    assert conditional_variances(made) == (F(133, 4),) * 5
    assert set(made.output_values) == {
        card + sign * 6 for card in (F(3, 2), F(5, 2), F(7, 2), F(9, 2)) for sign in (1, -1)
    }
    uneven = threshold_cards([F(x) for x in (7, 0, 1)], F(3))
    for j, x in enumerate((7, 0, 1)):
        assert sum(row[j] * z for row, z in zip(uneven.matrix, uneven.output_values, strict=True)) == x
        assert sum(row[j] for row in uneven.matrix) == 1
    assert max(max(row) / min(row) for row in uneven.matrix) <= 3


def test_a_record_is_read_again() -> None:
    found = design_mean(1, values=[1, 2, 4], margin="1/10", fast=True)
    again = MeanDesign.from_json(found.to_json())
    assert again == found
    assert again.mechanism.output_values == found.mechanism.output_values
    assert found.to_dict()["mechanism"]["inputs"] == ["1", "2", "4"]


def test_many_categories() -> None:
    """c-optimality beyond 18 categories: figures of a program of its own, and agreement with the rays below that."""
    for k, expected in ((20, 320.78558), (50, 2113.18642)):
        region = rropt.privacy.PrivacyRegion("log(3)", inputs=k, outputs="any")
        objective = rropt.objectives.Contrast(list(range(k)))
        found = rropt.solve(rropt.Problem(region, objective, [F(1, k)] * k), fast=True)
        assert float(found.value) == pytest.approx(expected, rel=1e-6)
        assert found.certificate.check()
        if k == 20:
            break


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "given once"),
        ({"values": [1, 2], "range": (0, 1)}, "given once"),
        ({"values": [1, 1]}, "out of range"),
        ({"values": list(range(200))}, "out of range"),
        ({"range": (1, 1)}, "empty"),
        ({"range": "0"}, "pair"),
        ({"range": (0, 1), "proportions": [1]}, "belong to values"),
        ({"values": [1, 2], "points": 9}, "belong to a range"),
        ({"values": [1, 2], "delta": "1/10"}, "delta = 0"),
        ({"values": [1, 2], "margin": 0}, "margin"),
        ({"values": [1, 2], "proportions": ["1/2", "1/3"]}, "sum"),
    ],
)
def test_refusals(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        design_mean(1, **asked)


def test_levels_that_are_not_served() -> None:
    problem = rropt.Problem.kary(3, epsilon=1, objective=rropt.objectives.ConditionalVariance([1, 2, 3]))
    assert rropt.solve(problem, fast=True).certificate.proof["way"] == "values"
    with pytest.raises(UnsupportedProblemError):
        rropt.solve(
            rropt.Problem.kary(3, epsilon=1, delta="1/10", objective=rropt.objectives.ConditionalVariance([1, 2, 3]))
        )


def test_two_thousand_numbers_are_estimated(size: Callable[[int, int], int]) -> None:
    """The mean of simulated reports: within five standard errors of the mean of the numbers, with their variance."""
    found, n = design_mean(1, values=[1, 2, 3, 4, 5], fast=True), size(2000, 100_000)
    rng = np.random.default_rng(85)
    true = rng.choice(5, n, p=[0.1, 0.2, 0.4, 0.2, 0.1])
    z = np.array([float(x) for x in found.mechanism.output_values])
    matrix = found.mechanism.to_numpy()
    reports = np.array([rng.choice(z, p=matrix[:, j] / matrix[:, j].sum()) for j in true])
    assert abs(reports.mean() - (true + 1).mean()) < 5 * (float(found.value) / n) ** 0.5
    assert reports.var() == pytest.approx(float(found.value) + 1.2, rel=0.2)


@pytest.mark.parametrize("epsilon", [0.8, 1.0, 1.39])
def test_the_second_closed_form_is_the_variance_of_its_mechanism(epsilon: float) -> None:
    """Thresholds in [-s, s] and five atoms: mass 1, mean x, and the stated variance on [-s, s] and at the ends.

    A report of a row has the density of the row times gamma where it is likely, and times 1 elsewhere.
    """
    g = exp(epsilon)
    s = 1 / (g - (g + 1) / 2 * log(1 + 2 / g))
    n = s * s * g * (g + 2)
    u = (1 - s) ** 2 / n / (g - 1)
    c2 = (1 - s - (g - 1) * u * (g + 2) * s) / (2 * (g + 1) * s * (g - 1))
    c1 = c2 + u
    assert min(s, u, c1, c2) > 0

    def moment(power: int, x: float) -> float:
        def at(t: float) -> float:
            root = (t * t + n) ** 0.5
            up, down = (g, 1) if x > t else (1, g)
            return (up * (t + root) ** power + down * (t - root) ** power) / (2 * (g - 1) * root)

        from scipy.integrate import quad

        inner = float(quad(at, -s, s, points=[min(max(x, -s), s)], limit=200)[0])
        atoms = [(0.0, u, abs(x) < 1)]
        atoms += [(g * s, c2, x > -s), ((g + 2) * s, c1, x > s), (-g * s, c2, x < s), (-(g + 2) * s, c1, x < -s)]
        return inner + sum(weight * (g if likely else 1) * z**power for z, weight, likely in atoms)

    found = range_optimum(g)
    assert found is not None
    for x in (-1.0, -s / 2, 0.0, s * 0.9, 1.0):
        assert moment(0, x) == pytest.approx(1, abs=1e-8)
        assert moment(1, x) == pytest.approx(x, abs=1e-8)
        assert moment(2, x) - x**2 == pytest.approx(found[0], rel=1e-7)


def test_the_page_of_a_design_of_a_number() -> None:
    """The page names the numbers, the reports and the margins: 1.96 sqrt((V + range^2/4)/n)."""
    from rropt.reports.design_pages import PlannedSurvey, design_page

    found = design_mean("log(2)", values=[1, 2, 3, 4, 5], fast=True)
    text = design_page(found, survey=PlannedSurvey("Your score?", 400)).to_html()
    assert "a question with a number from 1 to 5 as its answer" in text
    assert "whatever the true numbers are" in text
    margin = 1.959964 * ((float(found.value) + 4) / 400) ** 0.5
    assert f"± {margin:.3g}" in text
    assert "mean of the reports is the estimated mean" in text


@pytest.mark.parametrize(
    ("level", "laplace", "piecewise", "hybrid"),
    [
        (0.5, 32, 21.2226, 16.6708),
        (1, 8, 5.2236, 4.2890),
        (1.3, 4.7337, 3.0470, 2.5317),
        (2, 2, 1.2276, 1.0423),
        (3, 0.8889, 0.4929, 0.4322),
        (4, 0.5, 0.2414, 0.2190),
    ],
)
def test_the_mechanisms_of_the_literature(level: float, laplace: float, piecewise: float, hybrid: float) -> None:
    """A table of largest variances on [-1, 1] by integration, to its digits."""
    found = literature_variances(exp(level))
    assert list(found.values())[:3] == pytest.approx([laplace, piecewise, hybrid], abs=6e-5)


@few_rows(2)
@pytest.mark.parametrize(
    ("level", "expected"), [(0.5, 16.6708), (1, 4.2062), (1.3, 2.3976), (2, 0.9427), (3, 0.4454), (4, 0.3148)]
)
def test_three_outputs(level: float, expected: float) -> None:
    """A linear program over 41 numbers for each C, near C = A and near the best one; its figures stand in a table.

    The program has fewer numbers than the range, so that it is smaller, by at most a few 1e-4 (the middle of a step).
    """
    from scipy.optimize import linprog, minimize_scalar

    gamma, n = exp(level), 41
    x, a = np.linspace(-1, 1, n), (gamma + 1) / (gamma - 1)
    eye, none = np.eye(n), np.zeros((n, n))

    def column(o: int, value: float) -> Any:
        return np.tile([value if i == o else 0.0 for i in range(3)] + [0.0], (n, 1))

    def least(c: float) -> float:
        parts = [[eye if i == o else none for i in range(3)] for o in range(3)]
        above = [np.hstack([*part, column(o, -gamma)]) for o, part in enumerate(parts)]
        above += [np.hstack([*(-one for one in part), column(o, 1)]) for o, part in enumerate(parts)]
        above.append(np.hstack([c * c * eye, none, c * c * eye, column(3, 0) + [[0.0, 0.0, 0.0, -1.0]]]))
        equal = [np.hstack([eye, eye, eye, column(3, 0)]), np.hstack([c * eye, none, -c * eye, column(3, 0)])]
        cost = np.zeros(3 * n + 4)
        cost[-1] = 1
        right = np.concatenate([np.zeros(6 * n), x**2])
        found = linprog(cost, np.vstack(above), right, np.vstack(equal), np.concatenate([np.ones(n), x]))
        return float(found.fun) if found.status == 0 else 1e9

    best = minimize_scalar(least, bounds=(a, 1.6 * a + 0.5), method="bounded", options={"xatol": 1e-4})
    known = literature_variances(gamma)["three outputs -C, 0, C"]
    lower = min(float(best.fun), least(a * (1 + 1e-9)))
    assert lower == pytest.approx(expected, abs=1e-4)
    assert lower - 1e-4 <= known <= lower + 7e-4


def test_direct_reports() -> None:
    """k-ary randomized response: unbiased, with the level, and 27.45 at epsilon 1 in a table."""
    made = direct_reports([F(0), F(1), F(5)], F(3))
    for j, x in enumerate(made.input_values):
        assert sum(row[j] * z for row, z in zip(made.matrix, made.output_values, strict=True)) == x
    assert max(max(row) / min(row) for row in made.matrix) == 3


@pytest.mark.parametrize(
    ("values", "gamma", "outputs", "v"),
    [
        ("1,2,3", "2", ("-3/2", "-1/2", "9/2", "11/2"), "33/4"),
        ("1,2,3", "3", ("-1/2", "1/2", "7/2", "9/2"), "13/4"),
        ("1,2,3", "9", ("5/8", "7/8", "2", "25/8", "27/8"), "43/64"),
        ("0,1,5", "3", ("-9/2", "-2", "11/2", "8"), "79/4"),
    ],
)
def test_short_outputs_at_a_rational_level(values: str, gamma: str, outputs: tuple[str, ...], v: str) -> None:
    """The outputs are exact and short, the columns exact, the level is used in full, and every report is unbiased."""
    found = rropt.design.mean(values, epsilon=f"log({gamma})", fast=True)
    made = found.mechanism
    assert made.output_values == tuple(map(Fraction, outputs))
    assert found.value == Fraction(v)
    assert made.parity() == Fraction(gamma)
    for x, column in zip(values.split(","), zip(*made.matrix, strict=True), strict=True):
        assert sum(p * z for p, z in zip(column, made.output_values, strict=True)) == Fraction(x)
        assert max(p.denominator for p in column) < 1000
    assert float(found.lower) == pytest.approx(float(Fraction(v)), rel=1e-8)


def test_a_mechanism_of_a_mean_design_is_drawn_counted_and_estimated() -> None:
    pl = pytest.importorskip("polars")
    made = rropt.design.mean("1,2,3", epsilon="log(3)", fast=True).mechanism
    codes = randomize_many([0, 1, 2] * 100, made)
    counted = rropt_fieldwork.count(codes, made)
    shown = str(rropt.estimate(np.bincount(codes, minlength=made.outputs).tolist(), made))
    assert shown == str(rropt.estimate(list(counted.counts), made))
    reports = [made.responses[i] for i in codes]
    from_table = str(rropt_fieldwork.TableResponses("x", made, data=pl.DataFrame({"x": reports})).estimate())
    numbers = [text.splitlines()[1].split()[1:] for text in (shown, from_table)]  # after the name of the estimate
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) == 6
    with pytest.raises(FileFormatError, match=r"numbers of outputs from 0 to 3, .* are `responses`"):
        rropt_fieldwork.TableResponses("x", made, data=pl.DataFrame({"x": codes})).estimate()


@pytest.mark.parametrize("given", [{"values": "1,2,3,4,5"}, {"values": "0,1,5,7"}, {"range": "0..1", "points": 9}])
@pytest.mark.parametrize("epsilon", ["1", "log(3)"])
def test_the_bias_of_the_printed_probabilities_is_said(given: dict[str, Any], epsilon: str) -> None:
    """The decimals of the table are private and sum to 1, but their reports have another mean, which a line says."""
    found = design_mean(epsilon, fast=True, **given)
    title, _, table = found.as_tables()[-1]
    assert title.startswith("Reports and their probabilities")
    columns = list(zip(*(map(Fraction, row) for _, *row in table), strict=True))
    assert {sum(column) for column in columns} == {1}
    x = {float(number) for number in found.inputs}
    bias = 0.0
    for column in columns:
        mean = float(sum(p * z for p, z in zip(column, found.mechanism.output_values, strict=True)))
        bias = max(bias, min(abs(mean - one) for one in x))
    told = dict(found.lines()).get("probabilities in the table", "")
    if bias < 1e-12:
        assert not told
    else:
        said = float(told.partition("have a bias of up to ")[2].partition(";")[0])
        assert bias * (1 - 1e-9) <= said <= bias * 1.1  # rounded up to two digits; the bias here is a float


@few_rows(1)
@pytest.mark.parametrize(
    "given", [{"range": "0..1", "points": 9}, {"values": "1,2,4,7,11", "proportions": "1,2,3,2,2"}]
)
@pytest.mark.parametrize("fault", ["huge values", "nothing"])
def test_no_design_is_worse_than_the_literature(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], fault: str
) -> None:
    """If floats lead to huge values, or to no mechanism at all, the best mechanism of the literature is returned."""
    from rropt.designs import number_designs

    if "proportions" in given:
        given = given | {"proportions": [F(int(x), 10) for x in given["proportions"].split(",")]}
    right = design_mean(1, fast=True, **given)
    with monkeypatch.context() as patch:
        made = number_designs._mechanism

        def wrong(*arguments: Any, **options: Any) -> number_designs.Reports | None:
            rows, z = made(*arguments, **options) or ([], ())
            return None if fault == "nothing" else (rows, tuple(value * 10**6 for value in z))

        patch.setattr(number_designs, "_mechanism", wrong)
        patch.setattr(number_designs, "_short_mechanism", lambda *_: None)
        found = design_mean(1, fast=True, **given)
    gamma = found.problem.region.bracket(30).below.gamma
    known = known_reports(sorted(found.inputs), gamma)
    shares = found.proportions
    least = min(
        max(conditional_variances(m)) if shares is None else sum(map(mul, shares, conditional_variances(m)))
        for m in known
    )
    own = conditional_variances(found.mechanism)
    value = max(own) if shares is None else sum(map(mul, shares, own))
    assert value <= least * (1 + F(1, 10**12))  # the level is rounded once more
    assert right.lower <= right.value <= found.value
    assert found.problem.region.contains(found.mechanism)


@pytest.mark.slow
@pytest.mark.parametrize("points", [80, 81, 101])
def test_many_points_are_as_good_as_few(points: int) -> None:
    """A vertex with nearly dependent rows made V = 3.5e12 at 101 points, rank 79 V = 1.004 at 80; 30 have 0.998."""
    few = design_mean(1, range="0..1", points=30, fast=True)
    many = design_mean(1, range="0..1", points=points, fast=True)
    assert few.lower <= many.upper <= few.upper
    assert many.gap < many.upper / 1000


def test_outputs_whose_numbers_are_nearly_equal_have_different_names() -> None:
    """The proportion of 85/4 is 0: what is reported for it is free, and the solver leaves two outputs of two each."""
    best = rropt.design.mean(
        ["-15/2", "85/4", "273/2"], epsilon="log(3)", proportions=["1/11", "0", "10/11"], fast=True
    )
    made = best.mechanism
    assert len({f"{float(z):.15g}" for z in made.output_values}) < len(set(made.responses)) == made.outputs
    for reports in (made.responses, [float(z) for z in made.output_values]):
        found = rropt.Responses(list(reports), made)
        assert found.mean().estimate == sum(made.output_values) / made.outputs


def test_the_variance_at_many_proportions_is_that_of_the_mechanism() -> None:
    """The numbers of the outputs are those with which the certificate proves V, and the twins find no contradiction."""
    weights = [1 + 5 * j % 7 for j in range(25)]
    design = rropt.design.mean(range(1, 26), epsilon=4, proportions=[Fraction(w, sum(weights)) for w in weights])
    assert sum(map(mul, design.proportions or (), design.variances)) == design.upper
    assert design.twins.sympy is not None
    assert MeanDesign.from_dict(design.to_dict()) == design
