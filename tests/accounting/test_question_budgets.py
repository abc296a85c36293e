"""Equal devices under (epsilon, delta), against mpmath's root of the composed privacy loss, and against ``compose``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

from rropt.accounting import EqualQuestionDevices, compose
from rropt.accounting.question_budgets import _joint_delta
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.design import equal_questions, questions

F = Fraction

# n, epsilon, delta and the largest p; the digits are those of a bisection in mpmath that is not part of this repository
PUBLISHED = [
    (30, "1", "1e-6", "0.51143158754902267394"),
    (10, "2", "1e-5", "0.54993202874051342789"),
    (100, "1", "1e-9", "0.50466377120954129338"),
    (5, "0.5", "1e-3", "0.52623055990458100846"),
    (1, "1", "0.01", "0.73374799284370483046"),
]


@pytest.mark.parametrize(("n", "epsilon", "delta", "p"), PUBLISHED)
def test_known_points(n: int, epsilon: str, delta: str, p: str) -> None:
    found = equal_questions(n, epsilon=epsilon, delta=delta)
    # half a unit of the twentieth digit, and the width of the proved bracket
    assert found.p.lower - F(5, 10**21) <= F(p) <= found.p.upper + F(5, 10**21)
    assert found.p.gap < F(1, 10**18)
    assert found.certificate.check()
    assert F(found.certificate.claim["upper"]) <= F(delta)


@pytest.mark.parametrize(("n", "epsilon", "delta"), [(2, "0", "1/10"), (3, "log(3)", "1/50"), (7, "3", "exp(-12)")])
def test_the_root_of_the_sum_over_all_responses(n: int, epsilon: str, delta: str) -> None:
    found = equal_questions(n, epsilon=epsilon, delta=delta)
    with mpmath.workdps(40):
        gamma = {"0": mpmath.mpf(1), "log(3)": mpmath.mpf(3), "3": mpmath.exp(3)}[epsilon]
        most = mpmath.exp(-12) if "exp" in delta else mpmath.mpf(F(delta).numerator) / F(delta).denominator

        def excess(p: mpmath.mpf) -> mpmath.mpf:  # over every response of n bits: the number of ones decides
            total = mpmath.mpf(0)
            for ones in (response.bit_count() for response in range(2**n)):
                total += max(0, p**ones * (1 - p) ** (n - ones) - gamma * (1 - p) ** ones * p ** (n - ones))
            return total - most

        low, root = mpmath.mpf("0.5"), mpmath.mpf(1)
        for _ in range(70):  # 2^-70 < 10^-21
            middle = (low + root) / 2
            low, root = (low, middle) if excess(middle) > 0 else (middle, root)
        # 10^-18: parities are rounded to fractions that clients draw
        assert abs(mpmath.mpf(found.p.lower.numerator) / found.p.lower.denominator - root) < mpmath.mpf(10) ** -18


@pytest.mark.parametrize(("p", "gamma"), [(F(3, 4), F(2)), (F(2, 3), F(1)), (F(3, 5), F(40)), (F(1, 2), F(1))])
def test_the_joint_delta_is_the_sum_over_all_responses(p: F, gamma: F) -> None:
    for n in range(1, 7):
        ones = [response.bit_count() for response in range(2**n)]
        excess = (p**one * (1 - p) ** (n - one) - gamma * (1 - p) ** one * p ** (n - one) for one in ones)
        assert _joint_delta(n, p, gamma) == sum(max(F(0), each) for each in excess)


def test_it_inverts_compose() -> None:
    found = equal_questions(30, epsilon=1, delta="1/1000000")
    whole = compose((found.mechanism.factors[0], 30), delta="1/1000000")
    assert 1 - F(1, 10**12) < whole.lower <= whole.upper <= 1
    assert found.value == 30 * found.n_variances[0]
    assert round(float(found.pure / found.value), 2) == 1.88  # the gain over the pure budget that is known


def test_record_and_front_door() -> None:
    found = equal_questions(4, epsilon=1, delta="1/100", objective="joint")
    assert isinstance(found, EqualQuestionDevices)
    assert EqualQuestionDevices.from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    ("error", "words", "n", "level"),
    [
        (InvalidParameterError, "delta = 1", 2, {"epsilon": 1, "delta": 1}),
        (InvalidParameterError, "delta = 0", 2, {"epsilon": 1}),
        (InvalidParameterError, "epsilon is out of range", 2, {"epsilon": 301, "delta": "1/10"}),
        (InfeasibleError, "too small for a device", 200, {"epsilon": 0, "delta": "1e-60"}),
    ],
)
def test_wrong_budgets(error: type[Exception], words: str, n: int, level: dict[str, object]) -> None:
    with pytest.raises(error, match=words):
        equal_questions(n, **level)


def test_no_level_leaves_nothing_to_estimate() -> None:
    with pytest.raises(InfeasibleError, match="epsilon = 0"):
        questions(2, epsilon=0)


def test_the_command(cli_json: Callable[..., dict], cli: Callable[..., tuple[int, str, str]]) -> None:
    found = cli_json("design", "questions", "--number", "30", "--epsilon", "1", "--delta", "1/1000000")
    assert found["decimals"]["probability"] == 0.5114315875490226
    status, out, _ = cli("design", "questions", "--number", "3", "--gamma", "3", "--delta", "1/100")
    assert status == 0
    assert "certificate accepted" in out
