"""The statement shuffled against the shuffled reports of all data sets, and at many respondents."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from adversary.shuffled import (
    blocks_delta,
    bound,
    by_blocks,
    by_cuts,
    device,
    event,
    file,
    laws_of,
    response,
    slack,
    worst,
)

from rropt.checker import check_text
from rropt.checker.documents import WorkBudget
from rropt.checker.shuffled import Tail, any_blanket, binary_blankets, blanket_bound, kary_blanket

F = Fraction
NO_ENDS = (F(0), F(0))
EXP4 = (5459815003314423907811026120, 5459815003314423907811026121)


def judged(n: int, mechanism: Any, local: Any, claim: tuple[F, F], parts: Any) -> Any:
    gamma = F(5, 4)
    levels = [(gamma, gamma)] if local is None else [(F(local), F(local)), (gamma, gamma)]
    return check_text(json.dumps(file(n, mechanism, {"log": str(gamma)}, levels, claim, parts)))


def warner(n: int, claim: tuple[F, F], *parts: Any) -> Any:
    return judged(n, {"kind": "warner", "local": {"log": "2"}}, 2, claim, by_blocks(*parts))


def test_single_data_sets_prove_the_worst_case(size: Callable[[int, int], int]) -> None:
    for n in range(1, size(8, 14)):
        exact = worst(response(2, F(2)), n, F(5, 4))
        at, j, cut = max((event(n, j, s, F(2), F(5, 4)), j, s) for j in range(n) for s in range(n + 1))
        assert at == exact
        step = F(1, 10**12)
        assert warner(n, (exact - step, exact + step), j, cut, [1] * n, 96)
        assert "lower is above" in warner(n, (exact + step, F(1)), j, cut, [1] * n, 96).reason
        assert "upper is below" in warner(n, (F(0), exact - step), j, cut, [1] * n, 96).reason


def test_blocks_bound_their_data_sets() -> None:
    for sizes in ([7], [3, 4], [1, 5, 1], [2, 2, 2, 1]):
        bound = blocks_delta(sizes, F(2), F(5, 4))
        assert bound >= worst(response(2, F(2)), 7, F(5, 4))
        assert warner(7, (F(0), bound + F(1, 10**12)), 0, 7, sizes, 96)
        assert not warner(7, (F(0), bound - F(1, 10**12)), 0, 7, sizes, 96)


@pytest.mark.parametrize(("bits", "words"), [("1", "too few bits|upper is below"), ("64", "")])
def test_the_precision_of_many_reports(bits: str, words: str) -> None:
    verdict = warner(3000, (F(0), F(1, 10)), 0, 1500, [300] * 10, bits)
    if words:
        assert any(each in verdict.reason for each in words.split("|")), verdict
    else:
        assert verdict, verdict.reason


@pytest.mark.slow
def test_many_blocks_that_cost_too_much_are_refused() -> None:
    assert "more work" in warner(10**7, (F(0), F(1)), 5 * 10**6, 1, [2500] * 4000, 96).reason


def random_mechanism(rng: random.Random, inputs: int, outputs: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return a row for each input."""
    rows = [[F(rng.randint(1, 6)) for _ in range(outputs)] for _ in range(inputs)]
    return tuple(tuple(x / sum(row) for x in row) for row in rows)


def test_every_mechanism_has_at_most_the_bound_of_its_level(size: Callable[[int, int], int]) -> None:
    """Random mechanisms: all data sets, all histograms of reports."""
    rng = random.Random(33)
    for _ in range(size(12, 200)):
        n, inputs, outputs = rng.choice((1, 2, 3, 4)), rng.choice((2, 3)), rng.choice((2, 3))
        rows, gamma = random_mechanism(rng, inputs, outputs), 1 + F(rng.randint(0, 12), 10)
        g = max(max(column) / min(column) for column in zip(*rows, strict=True))
        most = bound(n, laws_of("any", g, 2, NO_ENDS)[0], gamma, range(n))
        assert worst(rows, n, gamma) <= most
        assert bound(n, laws_of("any", g + 1, 2, NO_ENDS)[0], gamma, range(n)) >= most


def test_responses_and_devices_have_at_most_the_bound_of_their_blanket(size: Callable[[int, int], int]) -> None:
    rng = random.Random(34)
    for _ in range(size(8, 100)):
        n, k, g, gamma = (
            rng.choice((2, 3, 4)),
            rng.choice((2, 3)),
            1 + F(rng.randint(1, 30), 7),
            1 + F(rng.randint(0, 9), 7),
        )
        kary = bound(n, laws_of("kary", g, k, NO_ENDS)[0], gamma, range(n))
        assert worst(response(k, g), n, gamma) <= kary <= bound(n, laws_of("any", g, 2, NO_ENDS)[0], gamma, range(n))
        ends = F(rng.randint(1, 9), 10), F(rng.randint(1, 9), 10)
        binary = max(bound(n, laws, gamma, range(n)) for laws in laws_of("binary", g, 2, ends))
        assert worst(device(*ends), n, gamma) <= binary
    assert worst(response(3, F(20)), 4, F(2)) > 0


def test_a_delta_of_the_mechanism_breaks_the_bound() -> None:
    """One report in ten is the true value: no level holds, and clones of a smaller level hide nothing of it."""
    rows = ((F(1, 2), F(2, 5), F(1, 10), F(0)), (F(2, 5), F(1, 2), F(0), F(1, 10)))
    assert worst(rows, 3, F(5, 4)) > bound(3, laws_of("any", F(5, 4), 2, NO_ENDS)[0], F(5, 4), range(3))


def test_noise_does_not_raise_the_slack() -> None:
    for laws in (
        laws_of("any", F(9), 2, NO_ENDS)[0],
        laws_of("kary", F(9), 4, NO_ENDS)[0],
        *laws_of("binary", F(1), 2, (F(1, 9), F(3, 4))),
    ):
        found = [slack(m, laws, F(3, 2)) for m in range(6)]
        assert found == sorted(found, reverse=True)
        assert found[0] > found[-1]


def test_orders_of_the_inputs_have_bounds_of_their_own() -> None:
    laws = laws_of("binary", F(1), 2, (F(1, 24), F(13, 24)))
    low, high = sorted(bound(4, each, F(5, 4), range(4)) for each in laws)
    assert low < high
    mechanism = {"kind": "binary", "zero": "1/24", "one": "13/24"}
    step = F(1, 10**12)
    assert judged(4, mechanism, None, (F(0), high + step), by_cuts(range(4), 96))
    assert "upper is below" in judged(4, mechanism, None, (F(0), (low + high) / 2), by_cuts(range(4), 96)).reason


def test_rounding_is_outward_at_any_precision(size: Callable[[int, int], int]) -> None:
    rng = random.Random(35)
    for _ in range(size(20, 1000)):
        n, g, gamma = rng.randint(1, 9), 1 + F(rng.randint(0, 30), rng.randint(1, 9)), 1 + F(rng.randint(0, 20), 13)
        k, ends = rng.choice((2, 3, 10, 1000)), (F(rng.randint(1, 9), 10), F(rng.randint(1, 9), 10))
        cuts, bits = sorted(rng.sample(range(n), rng.randint(0, n))), rng.choice((8, 30, 96))
        for kind, blankets in (
            ("any", [any_blanket(g)]),
            ("kary", [kary_blanket(g, k)]),
            ("binary", binary_blankets(*ends)),
        ):
            exact = max(bound(n, laws, gamma, cuts) for laws in laws_of(kind, g, k, ends))
            found = max(blanket_bound(n, each, gamma, cuts, bits, WorkBudget()) for each in blankets)
            assert exact <= found <= exact + F(20 * n, 1 << bits) + F(4 * n, 1 << bits // 2)


def test_a_bound_sums_all_positive_gains() -> None:
    """Six problems in each run: a bound that leaves out a gain would be below delta, the worst fault here."""
    for kind, k, blankets in (("any", 2, [any_blanket(F(9))]), ("kary", 3, [kary_blanket(F(9), 3)])):
        for n in (3, 5, 9):
            exact = max(bound(n, laws, F(5, 4), range(n)) for laws in laws_of(kind, F(9), k, NO_ENDS))
            found = max(blanket_bound(n, each, F(5, 4), [*range(n)], 96, WorkBudget()) for each in blankets)
            assert 0 < exact <= found <= exact + F(1, 1 << 40)  # 96 bits for at most 45 terms


def test_many_respondents_cost_little() -> None:
    """n = 10^5 at a local level of 4, in 593 cuts: published figures of the clones, within 2 % of the budget."""
    cuts = list(range(1540, 2133))
    mechanism = {"kind": "any", "local": {"rational": "4"}}
    gamma = F(593, 500)
    levels = [(F(EXP4[0], 10**26), F(EXP4[1], 10**26)), (gamma, gamma)]
    made = file(100000, mechanism, {"log": str(gamma)}, levels, (0, F(1, 10**6)), by_cuts(cuts, 64))
    verdict = check_text(json.dumps(made))
    assert verdict, verdict.reason
    budget = WorkBudget()
    whole = budget.left
    found = blanket_bound(10**5, any_blanket(F(EXP4[1], 10**26)), F(593, 500), cuts, 64, budget)
    print(f"{float(found):.6g} with {whole - budget.left} units of {whole}")
    assert F(9, 10**7) < found < F(1, 10**6)
    assert whole - budget.left < whole // 50
    made["claim"]["upper"] = "1/1100000"
    assert "upper is below" in check_text(json.dumps(made)).reason


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "cuts"), [("kary", range(0, 9 * 10**6, 2500)), ("any", [0, 9 * 10**6])])
def test_a_file_that_costs_too_much_is_refused(kind: str, cuts: Any) -> None:
    mechanism = {"kind": kind, "local": {"log": "2"}} | ({"categories": "3"} if kind == "kary" else {})
    assert "more work" in judged(10**7, mechanism, 2, (F(0), F(1, 2)), by_cuts(cuts, 96)).reason


@pytest.mark.parametrize("count", [4096, 4097])
def test_the_number_of_cuts_is_limited(count: int) -> None:
    verdict = judged(5000, {"kind": "any", "local": {"log": "2"}}, 2, (F(0), F(1)), by_cuts(range(count), 16))
    assert bool(verdict) == (count == 4096), verdict.reason
    assert verdict or "has 4097 entries" in verdict.reason


def test_a_walk_far_from_the_middle_stays_within_its_unit() -> None:
    """Errors grow on the way to likelier places: no bound passes 1, and no number grows without end."""
    walk = Tail.at(10, 9, (1, 2), 4, WorkBudget())
    walk = walk.to(3000, 9, (1, 2), WorkBudget()).to(3000, 1500, (1, 2), WorkBudget())
    assert 0 <= walk.low <= walk.high <= 1 << 4
    assert walk.beyond <= 1 << 4
