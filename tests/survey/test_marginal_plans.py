"""Plans of several questions: worst cells against all cells and populations, least n, margins, affordable orders."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from statistics import NormalDist

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows
from plans import margin, marginal, plan_margin, plan_variance

from rropt.answers import answers_of_counts
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.inference import cell_variances, estimate_cells, simultaneous_intervals
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.plans import affordable_order, marginal_variance

F = Fraction
FORMS = {
    "equal": "bits:3/4*4",
    "weak": "bits:9/10*3",
    "unlike": "bits:generalised:3/4,9/10,warner:2/3,generalised:99/100,3/5",
    "reversed": "bits:1/4,forced:2/3,1/6,1/6,3/5",
    "transparent": "bits:1,3/4,1",
    "one-sided": "bits:generalised:1,1/3,generalised:1/4,1,4/5",
    "categories": "bits:grr:3,1/2,3/4,rappor:1/2,1/2,3/4,3",
}


def devices(name: str) -> ProductMechanism:
    found = named_mechanism(FORMS[name])
    assert isinstance(found, ProductMechanism)
    return found


def dense(mechanism: ProductMechanism) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Return C and the left inverse A written out, first question fastest."""
    matrix, inverse = [[F(1)]], [[F(1)]]
    for device in mechanism.factors:
        rows = left_inverse(device, reference_population(device, None))
        matrix = [[x * y for y in line for x in row] for line in device.matrix for row in matrix]
        inverse = [[x * y for y in line for x in row] for line in rows for row in inverse]
    return matrix, inverse


def brute(mechanism: ProductMechanism) -> Fraction:
    """Return the worst n Var from every cell and every population on two cells: its quadratic's greatest value."""
    matrix, inverse = dense(mechanism)
    cells, worst = len(inverse), F(0)
    for x, z in product(range(cells), repeat=2):
        at_x, at_z = (sum(a * a * row[c] for a, row in zip(inverse[x], matrix, strict=True)) for c in (x, z))
        shares = [F(0), F(1), min(max((at_x - at_z) / 2, F(0)), F(1))] if x != z else [F(1)]
        worst = max(worst, *(t * at_x + (1 - t) * at_z - t * t for t in shares))
    return worst


@pytest.mark.parametrize("name", FORMS)
def test_worst_cell_against_all_cells(name: str) -> None:
    mechanism = devices(name)
    assert marginal_variance(mechanism) == brute(mechanism)


@few_rows(4)
@pytest.mark.parametrize("name", FORMS)
def test_worst_marginal_against_all_marginals(name: str) -> None:
    mechanism = devices(name)
    count = len(mechanism.factors)
    for k in range(1, count + 1):
        listed = [brute(ProductMechanism([mechanism.factors[q] for q in c])) for c in combinations(range(count), k)]
        assert marginal_variance(mechanism, k) == max(listed)


@pytest.mark.slow
def test_random_devices(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random devices with up to three categories, some nearly silent about one of them."""
    for _ in range(size(30, 1000)):
        factors: list[Mechanism] = []
        while len(factors) < rng.randint(1, 3):
            k = rng.choice([2, 2, 3])
            rows = rng.randint(k, 3)
            columns = [[F(rng.choice([1, 2, 5, 40])) for _ in range(rows)] for _ in range(k)]
            device = Mechanism([[column[i] / sum(column) for column in columns] for i in range(rows)])
            try:
                left_inverse(device, reference_population(device, None))
            except InfeasibleError:
                continue
            factors.append(device)
        assert marginal_variance(ProductMechanism(factors)) == brute(ProductMechanism(factors))


@pytest.mark.parametrize("name", FORMS)
def test_no_population_is_worse(name: str, rng: random.Random) -> None:
    mechanism = devices(name)
    worst = marginal_variance(mechanism)
    for _ in range(20):
        weights = [rng.choice([0, 0, 1, 1, 50]) for _ in range(mechanism.inputs)]
        weights[rng.randrange(len(weights))] += 1
        population = [F(w, sum(weights)) for w in weights]
        given = marginal_variance(mechanism, population=population)
        assert given == max(cell_variances(mechanism, population)) <= worst


def test_equal_bits_in_closed_form() -> None:
    u = F(3, 4)
    for k in range(1, 12):
        high, low = (1 + u) ** k, u * (1 + u) ** (k - 1)
        closed = high - 1 if high - low >= 2 else low + (high - low) ** 2 / 4
        assert marginal_variance(named_mechanism("bits:3/4*64"), k) == closed
    assert marginal_variance(named_mechanism("bits:3/4*64"), 1) == F(1)


@pytest.mark.parametrize("name", FORMS)
def test_uniform_population(name: str) -> None:
    mechanism = devices(name)
    count = len(mechanism.factors)
    for k in range(1, count + 1):
        listed = []
        for chosen in combinations(range(count), k):
            part = ProductMechanism([mechanism.factors[q] for q in chosen])
            listed.append(max(cell_variances(part, [F(1, part.inputs)] * part.inputs)))
            assert marginal_variance(mechanism, chosen, population="uniform") == listed[-1]
        assert marginal_variance(mechanism, k, population="uniform") == max(listed)
        everyone = [F(1, mechanism.inputs)] * mechanism.inputs
        assert marginal_variance(mechanism, k, population=everyone) == max(listed)


@every_case("goal", ["1/100", "1/12345", "133/64000"])
@every_case("name", FORMS)
def test_least_respondents_for_a_variance(name: str, goal: str) -> None:
    """n serves, n - 1 does not; where the ratio is whole it is n itself."""
    mechanism = devices(name)
    plan = plan_variance(mechanism, goal, questions=[1, 0])
    worst = brute(ProductMechanism([mechanism.factors[1], mechanism.factors[0]]))
    assert worst / plan.n <= F(goal)
    assert plan.n == 1 or worst / (plan.n - 1) > F(goal)
    assert "questions 1, 0 at the worst distribution" in plan.definition


def test_whole_ratio() -> None:
    assert plan_variance(named_mechanism("bits:3/4*2"), "133/64000").n == 1000
    assert plan_variance(named_mechanism("bits:3/4*2"), "133/64001").n == 1001


@pytest.mark.parametrize("name", FORMS)
def test_hoeffding_margin_is_that_of_the_intervals(name: str) -> None:
    """The half widths of ``simultaneous_intervals`` do not depend on the answers."""
    mechanism = devices(name)
    counts = np.zeros(mechanism.outputs, np.int64)
    counts[0], counts[-1] = 700, 300
    table = estimate_cells(answers_of_counts(mechanism, counts), [0, 2])
    ends = simultaneous_intervals(table, "9/10", kind="hoeffding").ends[0]
    widest = float((ends[:, 1] - ends[:, 0]).max() / 2)
    assert margin(mechanism, 1000, questions=[0, 2], confidence="9/10") == pytest.approx(widest, rel=1e-12)


@pytest.mark.parametrize("kind", ["hoeffding", "normal"])
@pytest.mark.parametrize("questions", [1, [0, 2], 2, None])
def test_least_respondents_for_a_margin(questions: list[int] | int | None, kind: str) -> None:
    mechanism = named_mechanism("bits:2/3*3")
    plan = plan_margin(mechanism, "1/20", kind, **marginal(questions))
    margins = [margin(mechanism, n, kind, **marginal(questions)) for n in (plan.n - 1, plan.n)]
    assert margins[1] <= 0.05 < margins[0]
    assert plan.achieved == margins[1]
    if kind == "normal":
        cells = 2 ** (3 if questions is None else questions if isinstance(questions, int) else len(questions))
        cells *= comb(3, questions) if isinstance(questions, int) else 1  # at once: of all marginals
        z = NormalDist().inv_cdf(1 - 0.025 / cells)
        spread = float(marginal_variance(mechanism, questions))
        assert plan.n == pytest.approx(z * z * spread / 0.05**2, abs=1)


@every_case("name", FORMS)
@every_case(("n", "variance"), [(1, "1/100"), (1000, "1/100"), (1000, "1"), (37, "1/8")])
def test_affordable_order(name: str, n: int, variance: str) -> None:
    mechanism = devices(name)
    found = affordable_order(mechanism, n, variance)
    count = len(mechanism.factors)
    by_order = [marginal_variance(mechanism, k) for k in range(1, count + 1)]
    assert found.order == sum(v / n <= F(variance) for v in by_order)  # they increase with k
    assert list(found.variances) == by_order[: found.order + 1]
    for value, chosen in zip(found.variances, found.worst, strict=True):
        assert marginal_variance(mechanism, chosen) == value


@pytest.mark.slow
def test_many_questions() -> None:
    """Up to 10^4 equal questions, and sixty-four unlike ones; the cost does not grow with 2^n."""
    afforded = affordable_order(named_mechanism("bits:3/4*10000"), 10**6, "1/10000")
    assert (afforded.order, len(afforded.variances)) == (8, 9)
    unlike = ProductMechanism([Mechanism.binary(f"{600 + q}/1000", f"{850 - q}/1000") for q in range(64)])
    noisiest = prod(1 + F(600 + q, 1000) * F(400 - q, 1000) / F(450, 1000) ** 2 for q in range(5))
    found = affordable_order(unlike, 10**6, "1/10000")
    assert (found.order, found.worst[4], found.variances[4]) == (5, (0, 1, 2, 3, 4), noisiest - 1)
    assert marginal_variance(unlike, range(12)) > marginal_variance(unlike, range(11))
    everything = affordable_order(named_mechanism("bits:1*20"), 10**6, "1/10000")
    assert (everything.order, set(everything.variances)) == (20, {F(1, 4)})
    with pytest.raises(UnsupportedProblemError, match="64"):
        affordable_order(named_mechanism("bits:1*100"), 10**6, "1/10000")


def test_what_is_refused() -> None:
    three = named_mechanism("bits:3/4*3")
    for arguments in ([3], [0, 0], [], 0, 4, True):
        with pytest.raises(InvalidParameterError):
            marginal_variance(three, arguments)
    for population in ("even", [1, 0], ["1/2"] * 8, ["1/4"] * 4):
        with pytest.raises(InvalidParameterError, match="population"):
            marginal_variance(three, population=population)
    with pytest.raises(InfeasibleError, match="number 3 of 4"):
        marginal_variance(named_mechanism("bits:3/4*3,1/2"))
    with pytest.raises(InvalidParameterError, match="different numbers of cells"):
        plan_margin(devices("categories"), "1/10", marginals=2)
    with pytest.raises(InfeasibleError, match="out of reach"):
        plan_variance(named_mechanism("bits:3/5*40"), "1/100")
    with pytest.raises(UnsupportedProblemError, match="uniform"):
        marginal_variance(named_mechanism("bits:3/4*14"), 10, population=[F(1, 1 << 14)] * (1 << 14))


def test_on_the_command_line(cli: Callable, cli_json: Callable) -> None:
    base = ("plan", "se", "--mechanism", "bits:3/4*2,crosswise:1/4")
    margins = ("plan", "margin", *base[2:])
    joint = cli_json(*base, "0.01", "--questions", "0,2")
    assert (joint["n"], joint["questions"], joint["population"]) == (20782, [0, 2], "worst")
    assert cli_json(*base, "sqrt(1/10000)", "--marginals", "2")["n"] == 20782
    assert cli_json(*base, "sqrt(1/10000)", "--marginals", "2", "--proportions", "uniform")["n"] == 15000
    given = cli_json(*base, "sqrt(1/10000)", "--questions", "0,2", "--proportions", "1/4,1/4,1/4,1/4")
    assert (given["n"], given["population"]) == (15000, ["1/4"] * 4)
    afforded = cli_json(*base, "0.01", "--n", "20782")
    assert (afforded["order"], len(afforded["variances"]), len(afforded["standard_errors"])) == (2, 3, 3)
    assert cli_json(*base, "0.01", "--n", "20781")["order"] == 1
    achieved = cli_json(*base, "--n", "20782", "--questions", "0,2")
    assert achieved["standard_error"] == pytest.approx(joint["achieved"])
    assert sorted(achieved["margins"]) == ["hoeffding", "normal"]
    assert cli_json(*margins, "0.05")["interval"] == "hoeffding"
    for options in (["0.01"], ["--n", "1000"], ["--n", "1000", "sqrt(1/10)"]):
        status, out, _ = cli(*base, *options)
        assert status == 0
        assert "full report" in out


def test_one_question_is_the_plan_of_its_device(cli_json: Callable) -> None:
    die = named_mechanism("forced:2/3,1/6,1/6")
    found = cli_json("plan", "margin", "0.05", "--mechanism", "bits:3/4,forced:2/3,1/6,1/6", "--questions", "1")
    assert found["n"] == plan_margin(die, "0.05").n
    assert (
        cli_json("plan", "se", "0.1", "--mechanism", "grr:3,1/2")["n"]
        == plan_variance(named_mechanism("grr:3,1/2"), "1/100").n
    )
    assert prod(named_mechanism("bits:grr:3,1/2").shape) == 9
