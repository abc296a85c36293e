"""Parts of compositions at small sizes, against enumeration; both sides of limits, and the sentences of errors."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from flint import ctx

from rropt.accounting import question_budgets, renyi_orders, repeated
from rropt.accounting.certified_levels import LevelCertificates, _is_proof, _level, _nearest
from rropt.accounting.curves import crossing, natural_log, power
from rropt.accounting.exact_laws import Cells, _number
from rropt.accounting.float_tails import FloatLaw, FloatLevel, FloatTails
from rropt.accounting.items import is_level, kary_chances, mechanism_or_level, merged, read_items, read_table
from rropt.accounting.loss_pairs import LossPair, merged_atoms
from rropt.accounting.one_report import OneReport, largest_difference
from rropt.accounting.renyi import renyi_privacy
from rropt.accounting.renyi_orders import Exponents
from rropt.accounting.repeated import wave_designs
from rropt.accounting.shuffled_blanket import BlanketReports, agreeing_delta, level_near
from rropt.accounting.shuffling import shuffle
from rropt.accounting.trade_offs import TradeOff, epsilon_of_zcdp, gaussian_delta, trade_off
from rropt.accounting.truncated_laws import CutPowers
from rropt.core.errors import RroptError
from rropt.core.exact import Bracket, Delta, Epsilon
from rropt.mechanisms import Mechanism, named_mechanism

F = Fraction
WARNER = Mechanism.binary("3/4", "3/4")
THREE = Mechanism([["1/2", "1/4"], ["1/4", "1/2"], ["1/4", "1/4"]])


def excess(p: list[Fraction], q: list[Fraction], gamma: Fraction) -> Fraction:
    return sum((max(x - gamma * y, F(0)) for x, y in zip(p, q, strict=True)), F(0))


def products(pairs: list[Any]) -> tuple[list[Fraction], list[Fraction]]:
    joint = [(math.prod(p for p, _ in atoms), math.prod(q for _, q in atoms)) for atoms in product(*pairs)]
    return [F(p) for p, _ in joint], [F(q) for _, q in joint]


# exact laws


def test_cells_of_small_compositions() -> None:
    """Delta by the list of all outcomes, at odds that occur and beside them; gamma is its inverse."""
    warner, three = LossPair.of_level(F(3)), LossPair(((F(1, 4), F(1, 2)), (F(1, 4), F(1, 4)), (F(1, 2), F(1, 4))))
    for items in ([(warner, 1)], [(warner, 3)], [(warner, 2), (three, 1)], [(three, 2), (LossPair.of_level(F(2)), 1)]):
        cells = Cells.of(items)
        assert cells is not None
        p, q = products([pair.atoms for pair, count in items for _ in range(count)])
        odds = sorted({x / y for x, y in zip(p, q, strict=True)})
        for gamma in (F(1), *odds, *(o * F(1001, 1000) for o in odds), F(1000)):
            if gamma >= 1:
                assert cells.delta(gamma) == excess(p, q, gamma), (items, gamma)
        for delta in (F(0), F(1, 100), F(1, 10), F(1, 3), cells.delta(F(2)), F(999, 1000)):
            gamma = cells.gamma(delta)
            assert gamma >= 1
            assert cells.delta(gamma) <= delta
            if gamma > 1:
                assert cells.delta(gamma - F(1, 10**9)) > delta
    assert [_number(three, count) for count in (0, 1, 2, 3)] == [1, 3, 6, 10]
    assert Cells.of([(warner, 1 << 18)]) is None
    alone = Cells.of([])
    assert alone is not None
    assert (alone.delta(F(1)), alone.gamma(F(0))) == (0, 1)


def test_loss_pairs_of_small_mechanisms() -> None:
    assert LossPair.of_level(F(3)).atoms == ((F(1, 4), F(3, 4)), (F(3, 4), F(1, 4)))
    assert LossPair.of_level(F(1)).atoms == ((1, 1),)
    found = LossPair.of_mechanism(WARNER)
    assert found is not None
    pair, attained = found
    assert (pair.atoms, pair.delta, attained) == (((F(1, 4), F(3, 4)), (F(3, 4), F(1, 4))), 0, True)
    assert (pair.parity, pair.is_binary) == (3, True)
    found = LossPair.of_mechanism(Mechanism([["1", "0"], ["0", "1"]]))
    assert found is not None
    assert (found[0].delta, found[0].atoms, found[1]) == (1, ((1, 1),), True)
    found = LossPair.of_mechanism(Mechanism([["1/2", "0"], ["1/2", "1/2"], ["0", "1/2"]]))
    assert found is not None
    assert (found[0].delta, found[0].atoms) == (F(1, 2), ((1, 1),))
    uneven = LossPair.of_mechanism(Mechanism.binary("9/10", "1/2"))
    assert uneven is not None
    assert (uneven[1], uneven[0].parity) == (False, 5)  # odds 9/5 and 5 of the two orders
    assert merged_atoms([(F(1, 2), F(1, 3)), (F(1, 4), F(1, 3)), (F(1, 4), F(1, 3))]) == (
        (F(1, 2), F(2, 3)),
        (F(1, 2), F(1, 3)),
    )
    assert merged_atoms([(F(1), F(0))]) is None
    assert merged_atoms([(F(0), F(1, 2)), (F(1), F(1, 2))]) == ((1, F(1, 2)),)


def test_powers_and_crossings() -> None:
    assert natural_log(F(1)).is_exact
    for x in (F(3), F(1, 3), F(1, 2), 1 + F(1, 10**20), F(1, 10**300)):
        found = natural_log(x)
        assert found.lower <= found.upper
        truth = math.log1p(float(x - 1)) if abs(x - 1) < F(1, 2) else math.log(x)
        assert float(found.lower) == pytest.approx(truth, rel=1e-14)
        assert found.gap < abs(found.upper) / 10**60
    assert tuple(power(F(2, 3), 5)) == (F(32, 243),) * 2
    assert tuple(power(F(0), 10**9)) == (0, 0)
    assert tuple(power(F(1), 10**9)) == (1, 1)
    long = power(F(2, 3), 10**5)
    assert long.lower < F(2, 3) ** 10**5 < long.upper
    assert power(F(2, 3), (1 << 14) // 4).is_exact
    assert not power(F(2, 3), (1 << 14) // 4 + 1).is_exact
    for root, near, most in (
        (0.3, (0.0, 1.0), 1.0),
        (0.3, (0.5, 0.6), 1.0),
        (0.7, (0.2, 0.5), 1.0),
        (2.0, (0.0, 1.0), 1.0),
    ):
        low, high = crossing(lambda x, root=root: x < root, near, most)
        if root > most:
            assert high == most
            assert most - low < 1e-11
        else:
            assert low < root <= high
            assert high - low <= 1e-12
    assert crossing(lambda x: False, (0.0, 1.0), 1.0) == (0.0, 0.0)
    low, high = crossing(lambda x: x < F(1, 3), (F(0), F(1)), F(1), 0, F(1, 100))
    assert F(1, 3) - F(1, 100) < low < F(1, 3) <= high < F(1, 3) + F(1, 100)
    assert level_near(lambda x: x < 0.5, F(1))[1] == pytest.approx(0.5, rel=1e-6)


def test_levels_near_a_condition() -> None:
    fine = F(1, 10**12)
    for sign in (1, -1):
        root = F(1) + sign * F(1, 1000)
        found = _nearest(lambda at, s, root=root: s * (at - root) >= 0, F(1), sign)
        assert found is not None
        assert 0 <= sign * (found - root) <= F(1, 50) * F(1, 1000) + fine
        assert _nearest(lambda at, s: True, F(1), sign) == 1
        assert _nearest(lambda at, s: False, F(1), sign) is None
    claim: Any = type(
        "One", (), {"claim": {"upper": "1/4", "lower": "1/8"}, "problem": {"epsilon": {"rational": "3/2"}}}
    )()
    for delta, upper, lower in (
        (F(1, 4), True, False),
        (F(1, 5), False, False),
        (F(1, 8), False, False),
        (F(1, 9), False, True),
    ):
        ends = Bracket.of(delta)
        assert (_is_proof(claim, ends, 1), _is_proof(claim, ends, -1)) == (upper, lower)
        found = LevelCertificates(claim, claim).ends(ends)
        assert found == (F(3, 2) if lower else None, F(3, 2) if upper else None)
    assert LevelCertificates(None, None).ends(Delta.of("1/4")) == (None, None)
    other: Any = type("One", (), {"problem": {"epsilon": {"log": "3"}}})()
    assert (_level(claim), _level(other), _level(None)) == (F(3, 2), None, None)


def test_laws_of_sums_in_integers() -> None:
    """Against the binomial law, and with the mass that columns lack."""
    bits = 40
    whole = [1 << (bits - 2), 3 << (bits - 2)]
    law = CutPowers(bits, whole, whole[::-1]).law(3, 2)
    assert (law.least, law.below) == (0, 1 << bits)
    for x in range(6):
        truth = sum(
            math.comb(3, i)
            * F(3, 4) ** i
            * F(1, 4) ** (3 - i)
            * math.comb(2, x - i)
            * F(1, 4) ** (x - i)
            * F(3, 4) ** (2 - x + i)
            for i in range(max(0, x - 2), min(3, x) + 1)
        )
        assert 0 <= truth - F(law.weights[x], law.below) < F(10, 1 << bits)
    assert 0 <= law.missing < 10
    assert CutPowers(bits, whole).law(0).weights == (1 << bits,)
    shifted = CutPowers(8, [0, 128, 64]).law(2)
    assert (shifted.least, shifted.weights, shifted.missing) == (2, (64, 64, 16), 256 - 144)


@pytest.mark.parametrize(("n", "ones"), [(2000, F(1, 2)), (3000, F(1, 4)), (3000, F(3, 4)), (1, F(1, 2))])
def test_the_mass_that_a_law_in_floats_lacks(n: int, ones: Fraction) -> None:
    """The exact tails beyond the stored terms are at most what the law says, and at least half of it."""
    bits, (x, y) = 40, (ones.numerator, ones.denominator - ones.numerator)
    unit = (1 << bits) // ones.denominator
    law = FloatLaw.binomial(n, (y * unit, x * unit), bits, 1e-6)
    last = law.least + len(law.weights) - 1
    cut = sum(math.comb(n, k) * x**k * y ** (n - k) for k in (*range(law.least), *range(last + 1, n + 1)))
    exact = F(cut, ones.denominator**n)
    assert exact <= F(law.missing) < 2 * exact + F(1, 10**290)
    assert (exact > 0) == (n > 1)


def test_laws_and_tails_in_floats() -> None:
    """A binomial law of 30 responses, its sum with another, and its tails, within the errors that it states."""
    bits, n = 40, 30
    chances = (3 << (bits - 2), 1 << (bits - 2))
    law = FloatLaw.binomial(n, chances, bits, 1e-6)
    for i, weight in enumerate(law.weights.tolist()):
        truth = float(math.comb(n, law.least + i) * F(1, 4) ** (law.least + i) * F(3, 4) ** (n - law.least - i))
        assert weight == pytest.approx(truth, rel=law.relative)
    assert 0 < law.relative < 1e-12
    assert 0 <= law.missing < 1e-15
    two = FloatLaw(0, np.array([0.5, 0.5]), 0.0, 0.0)
    both = two.times(FloatLaw(3, np.array([0.25, 0.75]), 0.0, 0.25))
    assert (both.least, both.weights.tolist()) == (3, [0.125, 0.5, 0.375])
    assert both.missing == pytest.approx(0.25)
    tails = both.tails(2)
    assert (tails.start, tails.values.tolist(), tails.size) == (1, [1, 1, 1, 0.875, 0.375, 0, 0], 7)
    assert tails.near(2, 3)[:2] == (3, pytest.approx([1, 0.875, 0.375]))
    known = FloatTails(0, np.array([1.0, 0.75, 0.25, 0.0]), 0.0, 0.0).convolved(two)
    assert (known.start, known.values.tolist()) == (1, [0.875, 0.5, 0.125])
    level = FloatLevel((1 << 38, 3 << 38), (3 << 38, 1 << 38), Bracket.of(F(1, 10)), bits)
    cuts = level.of_tails(FloatTails(0, np.array([1.0, 1.0, 0.5, 0.0, 0.0]), 0.0, 0.0))
    values = []  # of (p now + q before - delta)/(q now + p before), with p = 1/4 and 3/4
    for before, now in ((1.0, 1.0), (1.0, 0.5), (0.5, 0.0), (0.0, 0.0)):
        above, below = 0.25 * now + 0.75 * before - 0.1, 0.75 * now + 0.25 * before
        values.append(above / below if below else 0.0)
    assert cuts.at == max(range(4), key=values.__getitem__)
    assert cuts.lower / 2**bits == pytest.approx(max(values), rel=1e-9)
    assert cuts.upper / 2**bits == pytest.approx(max(values), rel=1e-9)
    assert cuts.lower <= cuts.upper
    assert cuts.at_ends / 2**bits == pytest.approx(max(values[0], values[-1]), rel=1e-9)


# items


def test_texts_of_items(tmp_path: Path) -> None:
    for text, level in (
        ("1/2", True),
        ("log(3)", True),
        ("1e-3", True),
        ("1,1/1000", True),
        ("warner:3/4", False),
        ("e", False),
        ("inf", True),
        (" 2 ", True),
    ):
        assert is_level(text) is level, text
    for given, epsilon, delta, count in (
        ("log(3)", "log(3)", "0", 1),
        ("1,1/1000", "1", "1/1000", 1),
        ("1*3", "1", "0", 3),
        ("warner:3/4*2", "log(3)", "0", 2),
        ((1, "1/10"), "1", "1/10", 1),
        (("warner:3/4", 5), "log(3)", "0", 5),
        (F(1, 2), "1/2", "0", 1),
        (Epsilon.of("log(2)"), "log(2)", "0", 1),
    ):
        (item,) = read_items([given])
        assert (str(item.epsilon), str(item.delta), item.count) == (epsilon, delta, count), given
    (infinite,) = read_items(["inf"])
    assert (infinite.epsilon.is_infinite, infinite.delta) == (True, Delta.of("1"))
    assert len(read_items("warner:3/4")) == len(read_items(WARNER)) == 1
    (zero,) = read_items([("1", 0)])
    assert (zero.count, list(merged([zero]))) == (0, [])
    items = read_items(["1", "1*2", "2", ("1", "1/10")])
    assert [(str(item.epsilon), str(item.delta), count) for item, count in merged(items)] == [
        ("1", "0", 3),
        ("2", "0", 1),
        ("1", "1/10", 1),
    ]
    for wrong, text in (
        (["1,2,3"], "an item has 3 parts"),
        ([("1", 10**9 + 1)], "out of range"),
        (["nothing"], "an item is not read"),
        ([("1", -1)], "out of range"),
        (["warner:3/4*0"], "the count of an item is not allowed: received '0' in"),
        (["warner:3/4*2*0"], "the count of an item is not allowed: received '0' in"),
        (["1/2*0"], "the count of an item is not allowed: received '0' in"),
        (["warner:3/4*9999999999"], "the count of an item is not allowed: received '9999999999'"),
        (["warner:3/2*0"], "an item is not read"),
    ):
        with pytest.raises(RroptError, match=text):
            read_items(wrong)
    assert read_items([("1", 10**9)])[0].count == 10**9
    table = tmp_path / "questions.csv"
    table.write_text("question,epsilon,delta,count\nsmoking,1/2,1/10,3\nalcohol,log(2),,\n")
    found = read_table(str(table))
    assert [(one.name, str(one.epsilon), str(one.delta), one.count) for one in found] == [
        ("smoking", "1/2", "1/10", 3),
        ("alcohol", "log(2)", "0", 1),
    ]
    table.write_text("mechanism,gamma\nwarner:3/4,\n,3\n")
    assert [str(one.epsilon) for one in read_table(str(table))] == ["log(3)"] * 2
    for content, text in (
        ("question,other\na,1\n", "another header"),
        ("question\na\n", "another header"),
        ("epsilon,gamma\n1,2\n", "line 2: received 2 of mechanism, epsilon, gamma"),
        ("epsilon,gamma\n1,\n,\n", "line 3: received 0 of"),
        ("mechanism,delta\nwarner:3/4,1/10\n", "a mechanism has a delta of its own"),
        ("epsilon,count\n1,x\n", "the count is not a whole number"),
        ("epsilon\n1,2\n", "a row has more cells than the header"),
    ):
        table.write_text(content)
        with pytest.raises(RroptError, match=text):
            read_table(str(table))


def test_response_of_many_categories() -> None:
    assert kary_chances(named_mechanism("grr:4,1/2")) == (F(1, 2), F(1, 6))
    assert kary_chances(WARNER) == (F(3, 4), F(1, 4))
    assert kary_chances(Mechanism.binary("1/4", "1/4")) is None
    assert kary_chances(Mechanism.binary("1/2", "1/2")) == (F(1, 2), F(1, 2))
    assert kary_chances(Mechanism.binary("3/4", "2/3")) is None
    assert kary_chances(THREE) is None
    assert mechanism_or_level("log(3)") == Epsilon.of("log(3)")
    assert mechanism_or_level(WARNER) is WARNER
    assert mechanism_or_level("warner:3/4") == WARNER


def test_one_report_and_its_kept_copies() -> None:
    assert largest_difference(WARNER) == 1 - F(3, 8)
    assert largest_difference(THREE) == 1 - (F(1, 8) + F(1, 8) + F(1, 16))
    assert largest_difference(named_mechanism("grr:4,1/2")) == 1 - (F(1, 6) + F(2, 36))
    report = OneReport.of("dbitflip:8,4,log(9)")
    assert [(str(one.epsilon), one.count) for one in report.items] == [("log(3)", 2)]
    agree = F(3, 8) ** 2 * F(5, 8) ** 2
    assert report.change == 1 - agree
    single = OneReport.of("dbitflip:8,1,log(9)")
    assert (single.items[0].count, single.change) == (1, 1 - F(3, 8))
    assert [one.count for one in report.repeated(5)] == [10]
    level = OneReport.of("log(3)")
    assert level.change == 1 - F(3, 8)
    assert OneReport.of(("log(3)", "1/10")).change == 1 - F(81, 100) * F(3, 8)
    assert OneReport.of("inf").change == 1
    assert OneReport.of("log(3)*2").change is None
    pair = OneReport.of_pair(F(3, 4), F(1, 4))
    assert pair.items[0].mechanism is not None
    assert pair.items[0].mechanism.matrix[0] == (F(3, 16), F(3, 16))
    assert pair.items[0].mechanism.matrix[1] == (F(9, 16), F(1, 16))
    assert pair.change == 1 - 2 * F(3, 16) ** 2 - 2 * F(9, 256)
    for text, message in (
        ("dbitflip:8,4", "dBitFlip is not read"),
        ("dbitflip:1,1,1", "from 2 to"),
        ("dbitflip:8,9,1", "from 1 to 8"),
        ("dbitflip:8,0,1", "from 1 to 8"),
    ):
        with pytest.raises(RroptError, match=message):
            OneReport.of(text)


# trade-offs, divergences


def test_trade_offs_of_small_mechanisms() -> None:
    found = trade_off(WARNER)
    assert found.vertices == ((0, 1), (F(1, 4), F(1, 4)), (1, 0))
    for alpha, beta in ((0, 1), ("1/8", F(5, 8)), ("1/4", F(1, 4)), ("5/8", F(1, 8)), (1, 0)):
        assert found.at(alpha) == beta
    assert found.frame_rows()[1] == {"type_1_error": 0.25, "type_2_error": 0.25}
    mu = found.gaussian()
    assert mu is not None
    assert float(mu.lower) == pytest.approx(2 * NormalDist().inv_cdf(0.75), rel=1e-14)
    assert mu.gap < F(1, 10**60)
    assert trade_off(Mechanism([["1/2"] * 2] * 2)).gaussian() == Bracket.of(F(0))
    for vertices in (((F(0), F(1, 2)), (F(1), F(0))), ((F(0), F(1)), (F(1, 2), F(0)), (F(1), F(0)))):
        assert TradeOff(vertices).gaussian() is None
    assert TradeOff(((F(0), F(1)), (F(1), F(0)))).gaussian() == Bracket.of(F(0))
    for wrong in (-1, "3/2"):
        with pytest.raises(RroptError, match="0 <= alpha <= 1"):
            found.at(wrong)
    for m, e in ((1.0, 1.0), (0.5, 0.0), (2.0, 3.0), (0.1, 0.5)):
        phi = NormalDist().cdf
        truth = phi(m / 2 - e / m) - math.exp(e) * phi(-m / 2 - e / m)
        bracket = gaussian_delta(str(m), str(e))
        assert float(bracket.lower) == pytest.approx(truth, abs=1e-15)
        assert 0 <= bracket.gap < F(1, 10**50)
    tiny = gaussian_delta("1/1000", 100)
    assert tuple(tiny) == (0, F(1, 10**1000))
    for call in (
        lambda: gaussian_delta(0, 1),
        lambda: gaussian_delta(1, -1),
        lambda: epsilon_of_zcdp(0, "1/2"),
        lambda: epsilon_of_zcdp(1, 0),
        lambda: epsilon_of_zcdp(1, 1),
    ):
        with pytest.raises(RroptError, match="out of range"):
            call()
    found = epsilon_of_zcdp("1/8", "1/1000")
    best = min(
        0.125 * a + (math.log(1000) + (a - 1) * math.log(1 - 1 / a) - math.log(a)) / (a - 1)
        for a in (1 + math.exp(i / 1000) for i in range(-3000, 6000))
    )
    assert float(found.upper) == pytest.approx(best, rel=1e-6)
    assert gaussian_delta("1/2", found.lower).upper == pytest.approx(1e-3, rel=1e-15)


def test_renyi_divergences_of_small_pairs() -> None:
    """psi, its derivative, D_a/a and its slope, by definition."""
    p, q = [F(1, 8), F(3, 8), F(1, 2)], [F(1, 2), F(1, 4), F(1, 4)]
    with ctx.workprec(128):
        pair = Exponents(tuple(zip(p, q, strict=True)))
        assert float(pair.largest) == pytest.approx(math.log(2))
        assert float(pair.spread) == pytest.approx(math.log(2) + math.log(4))
        mean = sum(float(x) * math.log(x / y) for x, y in zip(p, q, strict=True))
        assert float(pair.quotient(F(1))) == pytest.approx(mean)
        for order in (F(3, 2), F(2), F(7)):
            a = float(order)
            psi = math.log(sum(float(x) ** a * float(y) ** (1 - a) for x, y in zip(p, q, strict=True)))
            found, slope = pair.at(order)
            assert float(found) == pytest.approx(psi)
            step = 1e-6
            above, below = (
                math.log(sum(float(x) ** b * float(y) ** (1 - b) for x, y in zip(p, q, strict=True)))
                for b in (a + step, a - step)
            )
            assert float(slope) == pytest.approx((above - below) / (2 * step), rel=1e-6)
            assert float(pair.quotient(order)) == pytest.approx(psi / (a * (a - 1)))
            derivative = ((above / ((a + step) * (a + step - 1))) - (below / ((a - step) * (a - step - 1)))) / (
                2 * step
            )
            scaled = float(pair.slope(order)) / (a * (a - 1)) ** 2
            assert scaled == pytest.approx(derivative, rel=1e-5)
    for order, truth in (
        (1, 0.5 * math.log(3)),
        (2, math.log(9 / 4 + 1 / 12)),
        ("3/2", 2 * math.log(0.75**1.5 / 0.5 + 0.25**1.5 / math.sqrt(0.75))),
    ):
        found = renyi_privacy(WARNER, order)
        assert float(found.lower) == pytest.approx(truth, rel=1e-10)
        assert 0 < found.upper - found.lower < F(1, 10**12)
        assert (found.words, found.order) == ("Renyi divergence", F(order))
    assert renyi_privacy("log(3)", 2).name == "2-ary randomized response at log(3)"
    assert renyi_privacy(Mechanism([["1", "0"], ["0", "1"]]), 2).upper is None
    assert renyi_privacy(Mechanism([["1/2"] * 2] * 2), 2).upper == 0
    for call, text in (
        (lambda: renyi_privacy(WARNER, "1/2"), "1 to 1000000"),
        (lambda: renyi_privacy(WARNER, 10**6 + 1), "1 to 1000000"),
        (lambda: renyi_privacy(WARNER, 2, digits=0), "from 1 to 1000"),
        (lambda: renyi_privacy(WARNER, 2, digits=1001), "from 1 to 1000"),
        (lambda: renyi_privacy(WARNER, 2, categories=2), "categories need a level"),
        (lambda: renyi_privacy("1", 2, categories=1), "allowed is 2 to 1000000000000"),
        (lambda: renyi_privacy("1", 2, categories=10**12 + 1), "allowed is 2 to"),
    ):
        with pytest.raises(RroptError, match=text):
            call()


def test_short_numbers_of_orders() -> None:
    assert renyi_orders._short(0.123456) == F(123, 1000)
    for x in (F(1), F(999), F(1, 7), F(123456, 10), F(1, 10**9)):
        unit = renyi_orders._unit(x)
        assert unit <= x <= 100 * unit
        up = renyi_orders._rounded_up(x)
        assert x <= up < x + x / 100
        near = renyi_orders._short_between(x, 2 * x)
        assert x < near < 2 * x
        for sign in (1, -1):
            step = renyi_orders._short_step(F(10) * x, x, sign)
            assert x / 2 <= sign * (step - 10 * x) <= x


# shuffled reports


def sums_of(n: int, ones: int, p: Fraction, q: Fraction) -> list[Fraction]:
    """Return the law of the number of reports 1 of n people, ``ones`` of whom hold value 1."""
    law = [F(1)]
    for i in range(n):
        chance = p if i < ones else q
        law = [a * (1 - chance) + b * chance for a, b in zip([*law, F(0)], [F(0), *law], strict=True)]
    return law


def test_shuffled_reports_of_three_people() -> None:
    """Delta at a level by all data sets of three people; the least epsilon by the exact delta beside it."""
    p, q = F(3, 4), F(1, 4)
    for gamma in (F(5, 4), F(2), F(11, 4)):
        truth = max(excess(sums_of(3, ones + 1, p, q), sums_of(3, ones, p, q), gamma) for ones in range(3))
        found = shuffle(WARNER, 3, gamma=gamma)
        assert found.lower is not None
        assert found.upper is not None
        assert found.lower <= truth <= found.upper
        assert found.upper - found.lower <= found.upper / 10**5
        assert (found.method, found.n, found.mechanism) == ("blocks", 3, "mechanism")
    pure = shuffle(WARNER, 3, delta=0)
    assert (pure.method, str(pure.epsilon)) == ("pure", "log(3)")
    assert shuffle(WARNER, 3, gamma=3).upper == 0
    for given, text in (
        ({"mechanism": WARNER, "n": 3, "epsilon": 1, "gamma": 2}, "both epsilon and gamma"),
        ({"mechanism": WARNER, "n": 3}, "one of epsilon and delta"),
        ({"mechanism": WARNER, "n": 3, "epsilon": 1, "delta": "1/10"}, "one of epsilon and delta"),
        ({"n": 3, "epsilon": 1}, "both epsilon and delta after shuffling are needed"),
        ({"mechanism": WARNER, "n": 0, "epsilon": 1}, "from 1 to 10000000"),
        ({"mechanism": WARNER, "n": 3, "epsilon": 1, "tolerance": 1}, "0 < tolerance < 1"),
        ({"mechanism": WARNER, "n": 3, "epsilon": 1, "points": 1001}, "from 0 to 1000"),
        ({"mechanism": WARNER, "n": 3, "epsilon": 1, "categories": 3}, "categories need a level"),
        ({"mechanism": 1, "n": 3, "epsilon": 1, "categories": 3, "any_mechanism": True}, "leave one of them out"),
        ({"mechanism": "101", "n": 3, "epsilon": 1, "any_mechanism": True}, "allowed is 0 to 100|out of range"),
    ):
        with pytest.raises(RroptError, match=text):
            shuffle(**given)  # type: ignore[arg-type]


def test_the_data_set_of_a_third_value() -> None:
    """Four people and three categories: delta if all others hold the third value, by all reports."""
    k, n, wrong = 3, 4, F(1, 5)
    true = 1 - 2 * wrong
    columns = [[true if i == j else wrong for i in range(k)] for j in range(k)]
    for gamma in (1.0, 1.5, 2.5):
        laws: list[dict[tuple[int, ...], Fraction]] = []
        for own in (0, 1):
            law: dict[tuple[int, ...], Fraction] = {}
            for reports in product(range(k), repeat=n):
                chance = columns[own][reports[0]] * math.prod(columns[2][r] for r in reports[1:])
                counts = tuple(reports.count(i) for i in range(k))
                law[counts] = law.get(counts, F(0)) + chance
            laws.append(law)
        truth = sum(max(laws[0][c] - F(gamma) * laws[1][c], F(0)) for c in laws[0])
        found = agreeing_delta(n, k, wrong, gamma)
        assert 0 <= float(truth) - found <= 2e-7 * float(truth)
    assert agreeing_delta(4, 3, F(0), 2.0) == 1


def test_cuts_of_a_blanket() -> None:
    reports = BlanketReports.of_any(1000, Epsilon.of(1))
    cuts = reports.cuts(1e-6)
    beta, n = math.exp(-1), 999
    mean, spread = n * beta, math.sqrt(n * beta * (1 - beta))
    assert cuts == sorted(set(cuts))
    assert mean - 8 * spread < cuts[0] < mean - 5 * spread  # the quantile of 10^-10
    assert mean + 3 * spread < cuts[-1] <= mean + 4 * spread + 3
    wider = reports.cuts(1e-6, 1)
    assert len(wider) < len(cuts)
    assert reports.bound(math.e**0.5, wider) >= reports.bound(math.e**0.5, cuts) * (1 - 1e-9)
    assert reports.bound(math.e**0.1, cuts) > reports.bound(math.e**0.5, cuts) > 0
    assert [reports._bits(d) for d in (1.0, 2.0**-16, 2.0**-17, 0.0)] == [64, 64, 65, 48 + 200]


def test_designs_over_waves_by_their_formulas() -> None:
    for budget, waves, pi, change in ((4.0, 12, 0.5, 0.1), (1.0, 3, 0.25, 0.5), (8.0, 1, 0.5, 0.2)):
        v = pi * (1 - pi)

        def noise(e: float) -> float:
            return 1 / (4 * math.sinh(e / 2) ** 2)

        level = {m: waves / m * (noise(budget / m) + v) for m in range(1, waves + 1)}
        found = wave_designs(str(budget), waves, prevalence=str(pi), change=str(change))
        assert (found[0].goal, found[0].answered, found[0].variance) == ("constant", 1, pytest.approx(noise(budget)))
        assert found[0].everybody == pytest.approx(noise(budget / waves) / waves)
        assert (found[1].answered, found[1].variance) == (
            min(level, key=level.__getitem__),
            pytest.approx(min(level.values())),
        )
        assert found[1].everybody == pytest.approx(level[waves])
        assert float(found[1].each) == pytest.approx(budget / found[1].answered)
        if waves == 1:
            assert len(found) == 2
            continue
        net = {m: (waves - 1) / (m - 1) * (2 * noise(budget / m) + change) for m in range(2, waves + 1)}
        net[1] = 2 * waves * (noise(budget) + v)
        assert (found[2].answered, found[2].variance) == (
            min(net, key=net.__getitem__),
            pytest.approx(min(net.values())),
        )
        assert found[2].everybody == pytest.approx(net[waves])
    for given, text in (
        ({"lifetime": 0, "waves": 3}, "the lifetime epsilon is out of range"),
        ({"lifetime": 1, "waves": 0}, "from 1 to 10000"),
        ({"lifetime": 1, "waves": 3, "prevalence": 2}, "0 <= pi <= 1"),
        ({"lifetime": 1, "waves": 3, "change": 2}, "0 <= V <= 1"),
    ):
        with pytest.raises(RroptError, match=text):
            wave_designs(**given)


def test_steps_of_repeated_reports() -> None:
    for text, memo, each in (
        ("rappor:1/2,3/4,1/4", F(1, 4), (F(3, 4), F(1, 4))),
        ("rappor:1/2,3/4", F(1, 4), (F(3, 4), F(1))),
        ("rappor:1/2", F(1, 4), (F(0), F(1))),
    ):
        found = repeated._rappor(text)
        assert (found.memo[0, 1], found.memo[1, 1], found.is_unary) == (memo, 1 - memo, True)
        assert (found.each[1, 0], found.each[1, 1]) == each
    with pytest.raises(RroptError, match="RAPPOR is not read"):
        repeated._rappor("rappor:1/2,1/2,1/2,1/2")
    for n, kinds in ((3, 2), (4, 3), (0, 2), (2, 1)):
        listed = sorted(c for c in product(range(n + 1), repeat=kinds) if sum(c) == n)
        assert sorted(repeated._counts(n, kinds)) == listed
    assert repeated._mechanism("log(3)") == WARNER
    assert str(repeated._multiple_of_level(Epsilon.of("log(3)"), 4)) == "log(81)"
    many = repeated._multiple_of_level(Epsilon.of("1"), 1000)
    assert float(many.times) == pytest.approx(1000)
    assert repeated._ends(Epsilon("infinite")) == (None, None)
    low, high = repeated._ends(Epsilon.of("1/2"))
    assert low == high == F(1, 2)
    with pytest.raises(RroptError, match="the level of a memo is not log"):
        repeated._mechanism("1")


def test_devices_of_equal_questions() -> None:
    """The largest p whose joint delta, over all responses of n questions, is at most the given one."""
    for n, gamma, delta in ((3, F(2), F(1, 100)), (5, F(3), F(1, 1000)), (1, F(3), F(1, 10))):
        unit = F(1, 1 << question_budgets._WIDTH)
        p = (1 + question_budgets._steps(n, gamma, delta) * unit) / 2

        def joint(p: Fraction, n: int = n, gamma: Fraction = gamma) -> Fraction:
            law = ((j, math.comb(n, j)) for j in range(n + 1))
            return sum(
                (c * max(p ** (n - j) * (1 - p) ** j - gamma * (1 - p) ** (n - j) * p**j, F(0)) for j, c in law), F(0)
            )

        assert joint(p) <= delta * (1 + F(1, 10**9))
        assert joint(p + F(1, 10**6)) > delta
        assert question_budgets._joint_delta(n, F(4, 5), gamma) == joint(F(4, 5))
