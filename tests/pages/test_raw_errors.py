"""Wrong arguments of public functions: one line of the RroptError family, never a missing attribute of a text."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import rropt
from rropt import objectives
from rropt import survey as estimation
from rropt.designs import orders
from rropt.designs.bits import design_bits
from rropt.designs.problem import binary_problem
from rropt.designs.repairs import repair
from rropt.mechanisms import ProductMechanism
from rropt.mechanisms.sampling import randomize_many
from rropt.privacy import bound as parity_bounds
from rropt.privacy import breach_regions, criteria, criterion_region, parity_bound

COIN, DIE = rropt.Mechanism("warner:3/4"), rropt.Mechanism("grr:3,1/2")
RHO = criteria.rho_to_rho("1/5", "1/2")
REGION = breach_regions.breach_region(RHO)
PROBLEM = binary_problem(epsilon=1, prevalence="1/4")
MATRIX = [["3/4", "1/4"], ["1/4", "3/4"]]
HALVES = [Fraction(1, 2), Fraction(1, 2)]

# a function and arguments that it takes: each is replaced in turn by each of WRONG
CALLS: dict[str, tuple[Callable[..., object], list[object]]] = {
    "compare": (rropt.compare, [COIN, COIN]),
    "sufficient": (orders.sufficient, [COIN, COIN]),
    "admissible": (orders.admissible, [COIN, "log(4)"]),
    "admissible_under": (orders.admissible_under, [COIN, criterion_region.criterion_level(RHO)]),
    "dominate": (orders.dominate, [COIN, Fraction(4)]),
    "merge_proportional_rows": (orders.merge_proportional_rows, [COIN]),
    "partial_order": (orders.partial_order, [[COIN, COIN], ["a", "b"]]),
    "ProductMechanism": (ProductMechanism, [[COIN, COIN]]),
    "sufficient_products": (orders.sufficient_products, [[COIN], [COIN]]),
    "check": (rropt.check, ["{}"]),
    "solve": (rropt.solve, [PROBLEM]),
    "estimate": (rropt.estimate, [COIN, [3, 4]]),
    "load_mechanism": (rropt.mechanisms.load_mechanism, ["/no/such/file"]),
    "Mechanism of text": (rropt.Mechanism, ["warner:3/4"]),
    "parity_bound": (parity_bound, [RHO]),
    "criterion_level": (criterion_region.criterion_level, [RHO]),
    "judge": (parity_bounds.judge, [COIN, RHO]),
    "breach_region": (breach_regions.breach_region, [RHO]),
    "area": (breach_regions.area, [REGION]),
    "attainable_odds": (breach_regions.attainable_odds, [COIN]),
    "compare_regions": (breach_regions.compare_regions, [REGION, REGION]),
    "repair": (repair, [MATRIX, 1, 0]),
    "randomize": (rropt.randomize, [COIN, 0]),
    "randomize_many": (randomize_many, [COIN, [0, 1]]),
    "Mechanism": (rropt.Mechanism, [MATRIX]),
    "Mechanism.delta": (COIN.delta, ["1"]),
    "Epsilon.of": (rropt.exact.Epsilon.of, ["1"]),
    "Delta.of": (rropt.exact.Delta.of, ["1"]),
    "PrivacyRegion": (rropt.privacy.PrivacyRegion, ["1", 0]),
    "EstimatorVariance.value": (rropt.objectives.EstimatorVariance().value, [COIN, HALVES]),
    "Trace": (objectives.Trace, [[1, 1]]),
    "Trace.value": (lambda mechanism: objectives.Trace([1, 1]).value(mechanism, HALVES), [COIN]),
    "ExpectedLoss": (objectives.ExpectedLoss, [[[0, 1], [1, 0]]]),
    "ExpectedLoss.value": (objectives.ExpectedLoss.zero_one(2).value, [COIN, HALVES]),
    "Problem": (rropt.Problem, [PROBLEM.region, rropt.objectives.EstimatorVariance(), ["3/4", "1/4"]]),
    "rho_to_rho": (criteria.rho_to_rho, ["1/5", "1/2"]),
    "beta_factor": (criteria.beta_factor, ["3"]),
    "canonical_information_privacy": (criteria.canonical_information_privacy, ["sqrt(p)"]),
    "information_privacy": (lambda low, up: criteria.information_privacy(lower=low, upper=up), ["p^2", "1"]),
    "plan of a margin": (lambda m, goal: estimation.plan_answers(m, margin=goal, interval="normal"), [COIN, "0.03"]),
    "plan of a variance": (lambda m, goal: estimation.plan_answers(m, variance=goal), [COIN, "0.03"]),
    "design_bits": (
        lambda level, n, pi, name, routes: design_bits(
            level, questions=n, prevalences=pi, objective=name, routes=routes
        ),
        [1, 2, HALVES, "joint", ["closed-form"]],
    ),
    "design_bits, weights": (lambda w: design_bits(1, weights=w, routes="multiplier"), [[1, 2]]),
    "utility": (lambda m, shares: estimation.utility(m, population=shares), [COIN, HALVES]),
    "utility, floats": (lambda shares: estimation.utility(COIN, population=shares, exact=False), [HALVES]),
    "utility, prevalences": (lambda shares: estimation.utility(COIN, prevalences=shares), [["1/2"]]),
    "Utility.trace": (estimation.utility(COIN).trace, [[0]]),
    "Utility.covariance": (estimation.utility(COIN).covariance, [{0: 1}, 0]),
    "greenwood_loss": (rropt.objectives.greenwood_loss, [COIN]),
    "GreenwoodLoss.band": (rropt.objectives.greenwood_loss(COIN).band, ["0.9"]),
    "loss_bounds": (rropt.objectives.loss_bounds, [COIN, "3/4"]),
    "Certificate.load": (rropt.core.certificates.Certificate.load, ["/no/such/file"]),
    "verify": (rropt.verify, ["no.such.claim"]),
}

WRONG: list[object] = ["x", 3, None, [], 1.5, object(), {}, b"x", True, float("nan"), [COIN, 3], COIN, DIE]


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments(name: str) -> None:
    function, arguments = CALLS[name]
    points = 0
    for i in range(len(arguments)):
        for wrong in WRONG:
            message = ""
            try:
                function(*arguments[:i], wrong, *arguments[i + 1 :])
            except rropt.RroptError as error:
                message = str(error)
            assert "\n" not in message
            assert len(message) < 700
            points += 1
    assert points == len(WRONG) * len(arguments)


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: rropt.compare("warner:3/4,1/2", COIN), "warner:3/4"),
        (lambda: rropt.compare(COIN, MATRIX), "Mechanism(matrix)"),
        (lambda: orders.admissible("x"), "warner"),
        (lambda: parity_bound("sqrt(p)"), "canonical_information_privacy('sqrt(p)')"),
        (lambda: parity_bounds.judge(COIN, "sqrt(p)"), "canonical_information_privacy('sqrt(p)')"),
        (lambda: rropt.check({"format": Fraction(1, 2)}), "Certificate.to_dict"),
        (lambda: rropt.objectives.EstimatorVariance().value(COIN, [0.9, 0.2]), "sum to 1"),
        (lambda: rropt.objectives.EstimatorVariance().value(3, [0.9, 0.1]), "named_mechanism('warner:3/4')"),
    ],
)
def test_what_to_write_instead(call: Callable[[], Any], advice: str) -> None:
    with pytest.raises(rropt.RroptError) as caught:
        call()
    assert advice in str(caught.value)


def test_a_number_is_no_file_to_check(tmp_path) -> None:
    """An integer names a file that the process has open: it is neither read nor closed."""
    (tmp_path / "c.json").write_text("{}")
    with (tmp_path / "c.json").open("rb") as stream:
        for number in (stream.fileno(), True):
            with pytest.raises(rropt.RroptError, match="no certificate"):
                rropt.check(number)  # type: ignore[arg-type]
        assert os.fstat(stream.fileno()).st_size == 2
        assert stream.tell() == 0


def test_floats_of_a_population_are_their_shortest_decimals() -> None:
    assert rropt.objectives.EstimatorVariance().value(COIN, [0.9, 0.1]) == Fraction(21, 25)
    assert objectives.ExpectedLoss.zero_one(2).value(COIN, (0.9, 0.1)) == Fraction(1, 4)


def test_the_limits_of_a_criterion_are_given_by_name() -> None:
    with pytest.raises(TypeError):
        criteria.information_privacy("p^2", "1")  # type: ignore[misc]
    criterion = criteria.information_privacy(upper="1", lower="p^2")
    assert str(criterion) == "p^2 <= posterior <= 1"
