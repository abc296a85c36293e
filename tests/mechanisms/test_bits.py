"""Names of products, and RAPPOR over time against the enumeration of everything that it draws."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.named import Rappor

F = Fraction


@pytest.mark.parametrize(
    ("text", "factors"),
    [
        ("bits:3/4*4", ["warner:3/4"] * 4),
        ("bits:4,3/4", ["warner:3/4"] * 4),
        ("bits:10,warner:3/4", ["warner:3/4"] * 10),
        ("bits:3/4, 2/3,1", ["warner:3/4", "warner:2/3", "warner:1"]),
        ("bits:warner:3/4,forced:2/3,1/6,1/6", ["warner:3/4", "forced:2/3,1/6,1/6"]),
        ("bits:forced:2/3,1/6,1/6*2,crosswise:1/4", ["forced:2/3,1/6,1/6"] * 2 + ["crosswise:1/4"]),
        ("bits:kuk:4/5,1/5,3,3/4", ["kuk:4/5,1/5,3", "warner:3/4"]),
        ("bits:kuk:4/5,1/5,2,warner:3/4", ["kuk:4/5,1/5,2", "warner:3/4"]),
        ("bits:2,rappor:1/2,1/2,3/4,3", ["rappor:1/2,1/2,3/4,3"] * 2),
        ("BITS:unary:3,1/2,1/4,0.75", ["unary:3,1/2,1/4", "warner:3/4"]),
        ("bits:0.9*1", ["warner:9/10"]),
    ],
)
def test_a_name_is_the_product_of_its_devices(text: str, factors: list[str]) -> None:
    mechanism = named_mechanism(text)
    assert mechanism == ProductMechanism([named_mechanism(factor) for factor in factors])
    assert mechanism.name == "bits:" + text.partition(":")[2]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bits:", "takes 1 parameter"),
        ("bits:10", "no device"),
        ("bits:3/4,10", "no device follows"),
        ("bits:3,4,3/4", "follow each other"),
        ("bits:3/4*x", "no number of questions"),
        ("bits:3/4*0", "no number of questions"),
        ("bits:3/4*-1", "no number of questions"),
        ("bits:999999,3/4*999999", "more than 10000 questions"),
        ("bits:" + "3/4," * 40_000, "too long"),
        ("bits:5/4", "not a probability"),
        ("bits:nothing:3/4", "no design has the name"),
    ],
)
def test_a_name_that_is_none_is_one_clear_error(text: str, told: str) -> None:
    with pytest.raises(InvalidParameterError, match=told) as error:
        named_mechanism(text)
    assert "\n" not in str(error.value)


def _reports(f: Fraction, p: Fraction, q: Fraction, n: int) -> dict[tuple[tuple[int, ...], int], Fraction]:
    """Pr(sequence of n reports | true bit), by enumeration of the kept bit."""
    found = {}
    for truth, reports in product((0, 1), product((0, 1), repeat=n)):
        total = F(0)
        for kept in (0, 1):
            chance = 1 - f / 2 if kept == truth else f / 2
            for report in reports:
                one = q if kept else p
                chance *= one if report else 1 - one
            total += chance
        found[reports, truth] = total
    return found


PARAMETERS = [
    (F(1, 2), F(1, 2), F(3, 4)),
    (F(1, 4), F(1, 10), F(9, 10)),
    (F(1), F(1, 3), F(2, 3)),
    (F(3, 4), F(0), F(1)),
]


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("reports", [1, 2, 4])
def test_the_number_of_ones_tells_as_much_as_the_reports(parameters: tuple[Fraction, ...], reports: int) -> None:
    f, p, q = parameters
    found = _reports(f, p, q, reports)
    bit = Rappor(f, p, q).bit(reports)
    for truth in (0, 1):
        for ones in range(reports + 1):
            assert bit[ones, truth] == sum(x for (r, t), x in found.items() if sum(r) == ones and t == truth)
    sequences = [[found[r, truth] for truth in (0, 1)] for r in product((0, 1), repeat=reports)]
    assert Mechanism(sequences).parity() == bit.parity()


@pytest.mark.parametrize("parameters", PARAMETERS[:3])
def test_the_epsilon_of_reports_is_that_of_all_bits_of_two_values(parameters: tuple[Fraction, ...]) -> None:
    """Values 1100 and 0011 of filters of four bits, h = 2: the largest odds over all reports, enumerated."""
    f, p, q = parameters
    for reports in (1, 2):
        bit = Rappor(f, p, q).bit(reports)
        odds = max(
            math.prod(
                (bit[t, a] / bit[t, b] for t, a, b in zip(told, (1, 1, 0, 0), (0, 0, 1, 1), strict=True)), start=F(1)
            )
            for told in product(range(reports + 1), repeat=4)
        )
        assert Rappor(f, p, q, hashes=2).epsilon(reports).exact_gamma() == odds


def test_rappor_over_time() -> None:
    """f = 1/2, p = 1/2, q = 3/4, h = 2: 1.0743 for one report, 4.2993 for ten, 4 log 3 in the limit."""
    rappor = Rappor("1/2", "1/2", "3/4", hashes=2)
    assert [round(float(rappor.epsilon(n)), 4) for n in (1, 10)] == [1.0743, 4.2993]
    assert str(rappor.limit()) == "log(81)"
    levels = [float(rappor.epsilon(n)) for n in (1, 2, 5, 20, 40)]
    assert levels == sorted(levels)
    assert 0 < float(rappor.limit()) - levels[-1] < 1e-3
    assert rappor.bit() == named_mechanism("rappor:1/2,1/2,3/4")
    assert named_mechanism("rappor:1/2") == named_mechanism("warner:3/4")  # what is kept, reported as it is


def test_a_value_that_changes_shows() -> None:
    """The histories of one bit, enumerated; the odds of no change grow without bound where f < 1."""
    f, p, q = F(1, 2), F(1, 4), F(3, 4)
    rappor = Rappor(f, p, q)
    histories = rappor.histories(2, 1)
    assert histories.shape == (6, 6)
    kept, first, second = _reports(f, p, q, 3), _reports(f, p, q, 2), _reports(f, p, q, 1)
    for t in range(3):
        for s in range(2):
            row = histories.row(t + 3 * s)
            for truth in (0, 1):
                assert row[truth] == sum(
                    x for (r, b), x in kept.items() if b == truth and sum(r[:2]) == t and r[2] == s
                )
            for place, (a, b) in enumerate(product((0, 1), repeat=2)):
                earlier = sum(x for (r, truth), x in first.items() if sum(r) == t and truth == a)
                assert row[2 + place] == earlier * second[(s,), b]
    grown = [float(rappor.change_epsilon(n, n)) for n in (1, 5, 20)]
    assert grown[0] < grown[1] < grown[2]
    assert float(Rappor(f, p, q).change_epsilon(60, 60)) > 40
    assert rappor.histories(1, 1).parity() is not None


def test_rappor_that_is_none() -> None:
    for arguments in [("3/2",), ("1/2", "3/4", "1/2"), ("1/2", "1/2", "1/2")]:
        with pytest.raises(InvalidParameterError):
            Rappor(*arguments)
    with pytest.raises(InvalidParameterError, match="hashes"):
        Rappor("1/2", hashes=0)
    for reports in (0, 201, True, "2"):
        with pytest.raises(InvalidParameterError, match="number of reports"):
            Rappor("1/2").bit(reports)  # type: ignore[arg-type]
    assert Rappor("1/2").epsilon().exact_gamma() == 9  # the kept bits themselves, h = 1
    assert Rappor(0, "1/4", "3/4").limit().is_infinite
    assert Rappor("1/2", 0, "3/4").epsilon().is_infinite is False
