"""Names of products, and RAPPOR over time against the enumeration of everything that it draws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from every_case import every_case

from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.named import DESIGNS

F = Fraction


@every_case(
    ("text", "factors"),
    [
        ("bits:3/4*4", ["warner:3/4"] * 4),
        ("bits:4,3/4", ["warner:3/4"] * 4),
        ("bits:10,warner:3/4", ["warner:3/4"] * 10),
        ("bits:3/4, 2/3,1", ["warner:3/4", "warner:2/3", "warner:1"]),
        ("bits:warner:3/4,forced:2/3,1/6,1/6", ["warner:3/4", "forced:2/3,1/6,1/6"]),
        ("bits:forced:2/3,1/6,1/6*2,crosswise:1/4", ["forced:2/3,1/6,1/6"] * 2 + ["crosswise:1/4"]),
        ("bits:kuk:4/5,1/5,3,3/4", ["kuk:4/5,1/5,3", "warner:3/4"]),
        ("bits:kuk:4/5,1/5", ["kuk:4/5,1/5"]),
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


@every_case("parameters", PARAMETERS)
@every_case("reports", [1, 2, 4])
def test_the_number_of_ones_tells_as_much_as_the_reports(parameters: tuple[Fraction, ...], reports: int) -> None:
    f, p, q = parameters
    found = _reports(f, p, q, reports)
    bit = DESIGNS["rappor"](f, p, q, reports)
    for truth in (0, 1):
        for ones in range(reports + 1):
            assert bit[ones, truth] == sum(x for (r, t), x in found.items() if sum(r) == ones and t == truth)
    sequences = [[found[r, truth] for truth in (0, 1)] for r in product((0, 1), repeat=reports)]
    assert Mechanism(sequences).parity() == bit.parity()


def test_what_is_kept_is_reported_as_it_is() -> None:
    assert named_mechanism("rappor:1/2") == named_mechanism("warner:3/4")
