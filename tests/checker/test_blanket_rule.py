"""Rule 33: the bound of the blanket against the shuffled reports of whole mechanisms, and at many respondents."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from adversary.fuzz.blankets import bound, device, file, laws_of, response, slack, worst

from rropt.checker import blanket_rule, check_text
from rropt.checker.blanket_rule import any_blanket, binary_blankets, blanket_bound, kary_blanket
from rropt.checker.documents import Budget

F = Fraction
NO_ENDS = (F(0), F(0))
EXP4 = (5459815003314423907811026120, 5459815003314423907811026121)


def judged(n: int, mechanism: Any, local: Any, claim: tuple[F, F], witness: Any) -> Any:
    gamma = F(5, 4)
    ends = None if local is None else (F(local), F(local))
    return check_text(json.dumps(file(n, mechanism, {"log": str(gamma)}, (ends, (gamma, gamma)), claim, witness)))


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
    assert judged(4, mechanism, None, (F(0), high + step), (range(4), 96))
    assert "bound of the blanket" in judged(4, mechanism, None, (F(0), (low + high) / 2), (range(4), 96)).reason


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
            found = max(blanket_bound(n, each, gamma, cuts, bits, Budget()) for each in blankets)
            assert exact <= found <= exact + F(20 * n, 1 << bits) + F(4 * n, 1 << bits // 2)


def test_many_respondents_cost_little() -> None:
    """n = 10^5 at a local level of 4, in 593 cuts: published figures of the clones, within 2 % of the budget."""
    cuts = list(range(1540, 2133))
    mechanism = {"kind": "any", "local": {"rational": "4"}}
    local = {end: str(F(digits, 10**26)) for end, digits in zip(("below", "above"), EXP4, strict=True)}
    problem = {
        "kind": "shuffled-mechanism",
        "respondents": "100000",
        "mechanism": mechanism,
        "epsilon": {"log": "593/500"},
    }
    witness = {"rule": "shuffled-blanket", "local": local, "gamma": {"below": "593/500", "above": "593/500"}}
    witness |= {"cuts": [str(cut) for cut in cuts], "bits": "64"}
    claim = {"kind": "shuffled-delta", "lower": "0", "upper": "1/1000000"}
    made = {"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness}
    verdict = check_text(json.dumps(made))
    assert verdict, verdict.reason
    budget = Budget()
    whole = budget.left
    found = blanket_bound(10**5, any_blanket(F(EXP4[1], 10**26)), F(593, 500), cuts, 64, budget)
    print(f"{float(found):.6g} with {whole - budget.left} units of {whole}")
    assert F(9, 10**7) < found < F(1, 10**6)
    assert whole - budget.left < whole // 50
    claim["upper"] = "1/1100000"
    assert "bound of the blanket" in check_text(json.dumps(made)).reason


@pytest.mark.parametrize(("kind", "cuts"), [("kary", range(0, 9 * 10**6, 2500)), ("any", [0, 9 * 10**6])])
def test_a_file_that_costs_too_much_is_refused(kind: str, cuts: Any) -> None:
    mechanism = {"kind": kind, "local": {"log": "2"}} | ({"categories": "3"} if kind == "kary" else {})
    assert "more work" in judged(10**7, mechanism, 2, (F(0), F(1, 2)), (cuts, 96)).reason


@pytest.mark.parametrize("count", [4096, 4097])
def test_the_number_of_cuts_is_limited(count: int) -> None:
    verdict = judged(5000, {"kind": "any", "local": {"log": "2"}}, 2, (F(0), F(1)), (range(count), 16))
    assert bool(verdict) == (count == 4096), verdict.reason
    assert verdict or "has 4097 entries" in verdict.reason


def test_a_walk_far_from_the_middle_stays_within_its_unit() -> None:
    """Errors grow on the way to likelier places: no bound passes 1, and no number grows without end."""
    walk = blanket_rule.Tail.at(10, 9, (1, 2), 4, Budget())
    walk = walk.to(3000, 9, (1, 2), Budget()).to(3000, 1500, (1, 2), Budget())
    assert 0 <= walk.low <= walk.high <= 1 << 4
    assert walk.beyond <= 1 << 4
