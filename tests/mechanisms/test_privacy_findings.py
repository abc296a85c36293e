"""What `rropt privacy` finds out about a matrix at a level, against the definition; printed tables of long numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from adversary.boundary.oracle import excess
from adversary.boundary.oracle import parity as parity_of

import rropt
from rropt.core.errors import FileFormatError
from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import plain_text
from rropt.mechanisms.families import Direct
from rropt.mechanisms.privacy_findings import Deployed, Finding, LargeFinding, OtherEntry
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.raw_matrices import audit

Rows = list[list[Fraction]]


def _random_rows(rng: random.Random, m: int, k: int) -> Rows:
    columns = []
    for _ in range(k):
        weights = [rng.randint(rng.choice([0, 1]), 9) for _ in range(m - 1)] + [rng.randint(1, 9)]
        columns.append([Fraction(w, sum(weights)) for w in weights])
    return [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.slow
def test_whether_a_level_is_met(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Levels that are stricter than needed, just met, and weaker, with and without delta."""
    tried = {True: 0, False: 0}
    for _ in range(size(60, 2000)):
        rows = _random_rows(rng, rng.randint(2, 4), rng.randint(2, 3))
        parity = parity_of(rows)
        gammas = {Fraction(rng.randint(10, 60), 10)} | ({parity, parity + Fraction(1, 7)} if parity else set())
        if parity is not None and parity > 1:
            gammas.add((1 + parity) / 2)
        for gamma in gammas:
            least = excess(rows, gamma)
            for delta in {Fraction(0), least, least / 2, min(Fraction(1), least + Fraction(1, 9))}:
                found = Finding.at(audit(rows), Epsilon.of(f"log({gamma})"), Delta.of(delta))
                assert found.delta == least
                expected = least <= delta
                assert delta > 0 or expected is (parity is not None and parity <= gamma)
                assert found.meets is expected
                assert dict(found.lines())["meets the level"].startswith("yes" if expected else "no")
                tried[expected] += 1
    assert min(tried.values()) >= 50


@pytest.mark.parametrize(
    ("epsilon", "delta", "meets"),
    [("2", "0", True), ("log(3)", "0", True), ("1", "0", False), ("log(2)", "1/4", True), ("log(2)", "6/25", False)],
)
def test_a_matrix_and_a_product(epsilon: str, delta: str, meets: bool) -> None:
    """Warner's 3/4 has epsilon log(3), and delta 3/4 - 2/4 = 1/4 at log(2); a blank second question adds nothing."""
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    assert Finding.at(audit(rows), Epsilon.of(epsilon), Delta.of(delta)).meets is meets
    blank = Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    large = ProductMechanism([Mechanism(rows), blank])
    assert LargeFinding.at(large, Epsilon.of(epsilon), Delta.of(delta)).meets is meets


def test_a_record_has_the_outputs_of_delta_only_if_delta_is_positive() -> None:
    """Warner's 3/4: at log(2) one output has the excess 3/4 - 2/4, and at log(3) none has one."""
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    two, three = (Finding.at(audit(rows), Epsilon.of(f"log({gamma})"), Delta.of("0")).to_dict() for gamma in (2, 3))
    told = two["worst"]["delta"]
    assert (told["answers"], told["inputs"], told["value"]) in (([0], [0, 1], "1/4"), ([1], [1, 0], "1/4"))
    assert (three["worst"]["delta"], three["delta"]) == (None, "0")


def test_the_profile_is_stored_only_if_it_is_requested() -> None:
    large = ProductMechanism([Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])] * 2)
    with_profile = LargeFinding.at(large, Epsilon.of("1"), profile=True)
    assert LargeFinding.at(large, Epsilon.of("1")).profile is None
    assert with_profile.profile == large.profile()
    assert LargeFinding.from_dict(with_profile.to_dict()) == with_profile


def test_deployed_numbers_are_read_back_and_their_groups_counted() -> None:
    """No groups, or one for each column; a record whose parts contradict each other is refused."""
    rows = ((Fraction(3, 4), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4), Fraction(3, 4)))
    other = (OtherEntry(0, 1, Fraction(1, 3), Fraction(1, 4)),)
    finding = Finding.at(audit(rows), Epsilon.of("log(3)"), Delta.of(0))
    for others in ((), other):
        for groups in ((), (0, 1, 1)):
            record = Deployed(finding, others, groups).to_dict()
            assert Deployed.from_dict(record) == Deployed(finding, others, groups)
            for change in ({"groups": [0]}, {"groups": [0, 1]}, {"as_certified": bool(others)}):
                with pytest.raises(FileFormatError, match="contradict their matrix"):
                    Deployed.from_dict({**record, **change})
    wrong = Deployed(finding, (OtherEntry(0, 1, Fraction(1, 3), Fraction(1, 5)),))
    with pytest.raises(FileFormatError, match="contradict their matrix"):
        Deployed.from_dict(wrong.to_dict())


def test_a_negative_entry_makes_no_mechanism() -> None:
    """Its columns sum to 1, and it is corrected before it is judged."""
    assert audit([[Fraction(1), Fraction(1, 2)], [Fraction(0), Fraction(1, 2)]]).is_mechanism
    tiny = Fraction(1, 2**60)
    raw = audit([[1 + tiny, Fraction(1, 2)], [-tiny, Fraction(1, 2)]])
    assert set(raw.column_sums) == {1}
    assert not raw.is_mechanism
    assert raw.normalised.matrix == ((1, Fraction(1, 2)), (0, Fraction(1, 2)))


@pytest.mark.parametrize("k", [2, 3, 7])
def test_single_categories_as_blocks(k: int) -> None:
    """From two categories on."""
    blocks = Direct(k)
    assert (blocks.count, blocks.proportions()) == (k, (Fraction(1, k), 0))
    assert [[blocks.holds(block, j) for j in range(k)] for block in range(k)] == [
        [block == j for j in range(k)] for block in range(k)
    ]
    with pytest.raises(rropt.RroptError):
        Direct(1)


def test_a_wide_table_is_broken_into_blocks() -> None:
    """Each block names its columns, and no line is wider than asked."""
    matrix = [[Fraction(10 * i + j + 1, 100) for j in range(7)] for i in range(2)]
    lines = plain_text("title", tuple(map(tuple, matrix)), 24).splitlines()
    assert lines[0] == "title"
    assert [line for line in lines if "column" in line] == [" columns 0 to 2", " columns 3 to 5", " column 6"]
    assert max(map(len, lines)) <= 24
    assert "".join(line for line in lines[1:] if "column" not in line).split().count("1/100") == 1
    assert plain_text("title", tuple(map(tuple, matrix))).count("\n") == 2
    wide = (tuple(Fraction(1, 2) for _ in range(13)),) * 2
    named = [line for line in plain_text("title", wide, 30).splitlines() if line.startswith((" column", " further"))]
    assert named == [" columns 0 to 5", " columns 6 to 11", " further columns"]
    assert " columns 8 to 11" in plain_text("title", wide, 40).splitlines()  # and the dots


def test_long_numbers_of_a_large_table_are_rounded_towards_the_mean() -> None:
    """Else the printed corner has larger ratios than the matrix."""
    small = Fraction(10**15 + 1, 10**18)
    row = [small, *[Fraction(2, 7) / 1000] * 12]
    matrix = (tuple(row), tuple(1 - x for x in row))
    cells = [line.split() for line in plain_text("t", matrix).splitlines()[2:4]]
    for shown, exact in zip(cells, matrix, strict=True):
        mean = sum(exact) / len(exact)
        for text, x in zip(shown[:12], exact, strict=False):
            near = Fraction(text.lstrip("~"))
            assert min(x, mean) <= near <= max(x, mean)
        assert shown[12] == "..."
    assert any(text.startswith("~") for text in cells[0])


def test_delta_of_a_large_mechanism_is_exact_or_between_two_different_numbers() -> None:
    """It was printed as "between ~0.0352 and ~0.0352"."""
    assert dict(LargeFinding.at(Mechanism("oue:1000,3"), Epsilon.of(1)).lines())["delta"] == (
        "3/8 - 1/8*exp(1) ~ 0.0352147714 at epsilon = 1"
    )
    mixed = Mechanism("bits:" + ",".join(f"warner:{n}/{n + 7}" for n in range(11, 75)))
    found = LargeFinding.at(mixed, Epsilon.of(20))
    low, high = dict(found.lines())["delta"].removeprefix("between ").removesuffix(" at epsilon = 20").split(" and ")
    assert found.exact_delta is None
    assert Fraction(low) <= found.delta.lower < found.delta.upper <= Fraction(high)
