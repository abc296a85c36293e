"""Composition against the enumeration of every answer, which shares no code with it, and against known figures."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.accounting import Composition, DealtDeck, DrawnAnswers, compose
from rropt.accounting.certified_levels import LevelCertificates, _nearest
from rropt.accounting.curves import FittedCurve, LongCurve, natural_log
from rropt.accounting.exact_laws import Cells
from rropt.accounting.items import kary_chances, read_table
from rropt.accounting.long_laws import PowerLaw
from rropt.accounting.loss_pairs import LossPair
from rropt.checker.brackets import LevelBracket
from rropt.checker.composition import Composed, FittedLattice
from rropt.checker.documents import WorkBudget
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Bracket, Epsilon
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.loss_lattices import FloatPair, lattice_bounds

F = Fraction


def oracle_response(gamma: F, delta: F) -> list[tuple[F, F]]:
    """Return the four answers of the worst mechanism at a level: certainly no, no, yes, certainly yes."""
    p = gamma / (1 + gamma)
    return [
        (delta, F(0)),
        ((1 - delta) * p, (1 - delta) * (1 - p)),
        ((1 - delta) * (1 - p), (1 - delta) * p),
        (F(0), delta),
    ]


def oracle_delta(columns: list[list[tuple[F, F]]], gamma: F) -> F:
    """Return delta of independent answers, by its definition over all of them."""
    total = F(0)
    for answer in itertools.product(*columns):
        p, q = (math.prod((cell[side] for cell in answer), start=F(1)) for side in (0, 1))
        total += max(F(0), p - gamma * q)
    return total


def _drawn(rng: random.Random) -> list[tuple[F, F]]:
    """Levels, some equal, and at times with delta; degenerate ones once in eight."""
    gammas = [F(rng.randint(10, 60), 10) for _ in range(rng.randint(1, 3))]
    levels = [(rng.choice(gammas), F(0)) for _ in range(rng.randint(1, 5))]
    if rng.random() < 0.4:
        levels[0] = levels[0][0], rng.choice([F(1, 10), F(1, 2), F(1, 1000)])
    if rng.random() < 0.125:
        levels[-1] = rng.choice([(F(1), F(0)), (F(1), F(1, 3)), (F(2), F(1))])
    return levels


@pytest.mark.slow
def test_compositions_equal_the_enumeration(size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Values alone: each certificate on a fine lattice takes seconds, and has tests of its own below."""
    monkeypatch.setattr("rropt.accounting.accountant.certify_on_lattice", lambda items, level, **known: None)
    monkeypatch.setattr("rropt.accounting.accountant.certify_near", lambda *asked: LevelCertificates(None, None))
    rng, methods = random.Random(39), set()
    for _ in range(size(60, 2500)):
        levels = _drawn(rng)
        columns = [oracle_response(*level) for level in levels]
        product = math.prod(g for g, _ in levels)
        gamma = rng.choice([F(1), F(rng.randint(10, 300), 10), levels[0][0], product, product / levels[0][0] ** 2])
        gamma = max(gamma, F(1))
        exact = oracle_delta(columns, gamma)
        found = compose(*((f"log({g})", d) for g, d in levels), gamma=gamma, points=2)
        assert found.lower == found.upper == exact, (levels, gamma)
        methods.add(found.method)
        back = compose(*((f"log({g})", d) for g, d in levels), delta=exact, points=2)
        if back.lower is None:
            assert exact < 1 - math.prod(1 - d for _, d in levels)
        else:  # the least level with this delta
            assert back.lower <= F(math.nextafter(math.log(gamma), math.inf)) + F(1, 10**12)
            if exact > 1 - math.prod(1 - d for _, d in levels):
                assert abs(float(back.upper) - math.log(gamma)) < 1e-9
    assert methods >= {"exact", "trivial"}


def test_lattice_bounds_contain_the_enumeration(size: Callable[[int, int], int]) -> None:
    rng, narrow = random.Random(40), 0
    for _ in range(size(30, 2000)):
        gammas = [F(rng.randint(11, 60), 10) for _ in range(rng.randint(1, 7))]
        gamma = max(F(rng.randint(10, 100), 10), F(1))
        exact = oracle_delta([oracle_response(g, F(0))[1:3] for g in gammas], gamma)
        pairs = []
        for g in gammas:
            level = math.log(g)
            p = 1 / (1 + math.exp(-level))
            pairs.append((FloatPair((-level, level), (math.exp(-level) * p, p)), 1))
        for points in (40, 3000):
            lower, upper = lattice_bounds(pairs, points).delta(math.log(gamma))
            assert lower <= exact <= upper
            narrow += upper - lower < 1e-4
    assert narrow >= 20


@pytest.mark.slow
def test_a_fitted_curve_bounds_all_levels_in_wide_brackets() -> None:
    rng = random.Random(61)
    for _ in range(12):
        root, error = F(rng.randint(110, 200), 100), F(1, 10 ** rng.randint(14, 18))
        steps = [rng.randint(1, 3) for _ in range(rng.randint(1, 5))]
        ends = {k: (root**k * (1 - error), root**k * (1 + error)) for k in set(steps)}
        parts = [(LevelBracket(*ends[k]), steps.count(k)) for k in ends]
        most = math.prod(ends[k][1] for k in steps)
        lattice = FittedLattice.of(Composed(parts, F(1), LevelBracket(most, most)), root**2, 100, WorkBudget())
        assert lattice is not None
        curve = FittedCurve(lattice, natural_log(most).upper)
        delta = F(1, 10 ** rng.randint(1, 4))
        asked, (epsilon, _) = Epsilon("rational", F(rng.randint(0, 100), 100)), curve.epsilon(delta)
        gamma, low, high = (
            one.gamma_bracket(40)
            for one in (asked, *(Epsilon("rational", end) for end in (epsilon.lower, epsilon.upper)))
        )
        for side in (0, 1):
            columns = [oracle_response(ends[k][side], F(0)) for k in steps]
            bounds = curve.delta(asked)
            assert (
                bounds.lower <= oracle_delta(columns, gamma.upper) <= oracle_delta(columns, gamma.lower) <= bounds.upper
            )
            assert oracle_delta(columns, high.upper) <= delta
            assert epsilon.lower == 0 or oracle_delta(columns, low.lower) > delta
        assert epsilon.gap <= 10**4 * error


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("distance", [F(1, 10**12), F(7, 10**9), F(1, 3), F(40)])
def test_a_level_near_the_nearest_one_with_a_property_is_found(sign: int, distance: F) -> None:
    start = F(50)
    found = _nearest(lambda at, side: side * (at - start) >= distance, start, sign)
    assert found is not None
    # a fiftieth farther, or one step of the decimals that are tried
    assert distance <= sign * (found - start) <= distance * F(21, 20) + F(2, 10**12)
    assert _nearest(lambda at, side: False, start, sign) is None


def test_rare_losses_do_not_stretch_the_lattice() -> None:
    """Of levels near 20 a loss of the other sign has a probability of 2e-9; no response shows it in most cases."""
    levels = [20 + F(i, 100) for i in range(40)]
    pairs = []
    for level in map(float, levels):
        p = 1 / (1 + math.exp(-level))
        pairs.append((FloatPair((-level, level), (math.exp(-level) * p, p)), 1))
    lower, upper = lattice_bounds(pairs, 1 << 12).delta(795.0)
    all_true = math.prod(p for (_, (_, p)), _ in pairs)
    assert lower <= all_true * (1 - math.exp(795 - float(sum(levels)))) + 1e-9
    assert 0.99 < lower <= upper <= 1
    assert upper - lower < 1e-4


def test_delta_is_0_at_the_sum_of_the_levels() -> None:
    """Also if the levels are not logarithms of rational numbers, and on a lattice."""
    assert compose("1", "1/2*2", epsilon=2, points=2).upper == 0
    different = [f"{i}/1000" for i in range(101, 141)]
    found = compose(*different, epsilon=5, points=2)
    assert (found.method, found.lower, found.upper) == ("lattice", 0, 0)
    assert compose("1", "1,1/10", epsilon=2, points=2).delta == Bracket.of(Fraction(1, 10))
    assert compose("1", "1/2*2", epsilon="1.9999", points=2).lower > 0


@pytest.mark.slow
def test_the_largest_count_of_an_item_is_read() -> None:
    (item,) = compose("log(3)*1000000000", points=2).items
    assert (item.name, item.count) == ("log(3)", 10**9)


def test_copies_with_many_outputs_are_composed() -> None:
    rng = random.Random(1)
    weights = [rng.randrange(1, 10**6) for _ in range(200)]
    rows = [[F(x, sum(weights)) for x in row] for row in zip(weights, weights[::-1], strict=True)]
    found = compose((Mechanism(rows), 4), epsilon=1, points=2)
    single = compose(Mechanism(rows), epsilon=1, points=2)
    assert found.method == "lattice"
    assert single.upper < found.lower <= found.upper < found.lower + F(1, 10**8)


def test_logarithms_are_precise_near_zero_and_near_one() -> None:
    large, tiny = natural_log(F(10**400)), natural_log(F(1, 10**400))
    assert abs(tiny.lower + large.upper) + abs(tiny.upper + large.lower) < F(1, 10**80)
    for y in (F(1, 10**400), F(-1, 10**400)):
        near = natural_log(1 + y)
        assert abs(near.lower - y) + abs(near.upper - y) < abs(y) / 10**80


def test_all_methods_agree() -> None:
    """Exact cells and the truncated law: equal levels, multiples of one level, and a pair with three atoms."""
    pair = LossPair.of_level(F(11, 10))
    third = LossPair(((F(1, 6), F(1, 3)), (F(1, 2), F(1, 2)), (F(1, 3), F(1, 6))))
    for items in ([(pair, 60)], [(pair, 30), (LossPair.of_level(F(121, 100)), 15)], [(third, 40)]):
        cells, law = Cells.of(items), PowerLaw.of(items)
        assert cells is not None
        assert law is not None
        for gamma in (F(1), F(11, 10), F(3, 2), F(11, 10) ** 30, F(11, 10) ** 60, F(11, 10) ** 61):
            nats = natural_log(gamma)
            assert law.delta(nats.upper).lower <= cells.delta(gamma) <= law.delta(nats.lower).upper
            assert law.delta(nats.lower).gap < F(1, 10**50)
        for delta in (F(0), F(1, 10), F(1, 10**6), F(1, 10**30), F(99, 100)):
            exact, ends = cells.gamma(delta), LongCurve(law, law).epsilon(delta)[0]
            assert cells.delta(exact) <= delta
            assert exact == 1 or cells.delta(exact * (1 - F(1, 10**40))) > delta
            assert ends.lower <= natural_log(exact).upper
            assert natural_log(exact).lower <= ends.upper
            assert ends.gap < F(1, 10**20)


def test_a_law_far_above_the_level() -> None:
    """All stored exponents exceed the one of epsilon."""
    law = PowerLaw.of([(LossPair.of_level(F(8)), 2000)])
    assert law is not None
    assert law.law.least > 1
    assert 0 <= 1 - law.delta(F(1)).lower < F(1, 10**50)
    ends, _ = LongCurve(law, law).epsilon(1 - F(1, 10**40))
    assert law.delta(ends.lower).upper >= 1 - F(1, 10**40) >= law.delta(ends.upper).lower
    assert ends.gap < F(1, 10**5)


@pytest.mark.parametrize("delta", [F(1, 10**20), F(1, 10**6), F(1, 2), F(99, 100)])
def test_levels_of_long_compositions_are_proved_on_both_sides(delta: F) -> None:
    """Each end is checked with the law that proves it: that of the smaller levels, and that of the larger ones."""
    below, above = (PowerLaw.of([(LossPair.of_level(gamma), 300)]) for gamma in (F(3), F(31, 10)))
    assert below is not None
    assert above is not None
    ends, _ = LongCurve(below, above).epsilon(delta)
    assert below.delta(ends.lower).lower > delta >= above.delta(ends.upper).upper
    step = F(1, 10**25)
    assert below.delta(ends.lower + step).lower <= delta < above.delta(ends.upper - step).upper


def test_levels_of_a_delta_below_the_precision_end_at_the_sum_of_the_levels() -> None:
    law = PowerLaw.of([(LossPair.of_level(F(3)), 300)])
    assert law is not None
    for delta in (F(0), F(1, 10**70)):
        ends, _ = LongCurve(law, law).epsilon(delta)
        assert ends.lower < 300 * natural_log(F(3)).lower <= ends.upper
        assert law.delta(ends.lower).lower > delta


@pytest.mark.parametrize(
    ("item", "asked", "value"),
    [
        ("log(3)*100", {"delta": "1e-6"}, 94.28987),
        ("log(3)*100", {"delta": "1e-3"}, 81.26605),
        ("log(3)*10", {"delta": "1e-6"}, 10.986105),
        ("log(3)", {"delta": "1e-6"}, 1.098611),
        ("log(1.1)*1000", {"gamma": 100}, 0.370896349),
        ("warner:3/4*100", {"delta": "1e-6"}, 94.28987),
        ("log(3)*100", {"delta": "1.1e-18"}, 109.8612254),  # dp_accounting: infinite; prv_accountant: an error
    ],
)
def test_known_figures(item: str, asked: dict[str, object], value: float) -> None:
    found = compose(item, **asked, points=2)
    assert abs(float(found.lower) - value) < 1e-5
    assert found.upper - found.lower < F(1, 10**20)


@pytest.mark.slow
def test_twenty_different_levels_are_exact() -> None:
    found = compose(*(f"log({11 + i}/10)" for i in range(20)), gamma=1000, points=2)
    assert found.method == "exact"
    assert abs(float(found.lower) - 0.193602239) < 1e-9


@few_rows(1)
@pytest.mark.parametrize(
    ("items", "delta"),
    [
        (("log(3)*100",), "1e-6"),
        (("1/2*log(3)*30", "1/2,1/10000*3"), "1e-3"),
        (("1/10*1000",), "1e-5"),  # equal levels: the lattice has all losses as points
        (("1/2*300", "1/10*200"), "1e-5"),
        (("log(3)*20",), "exp(-10)"),
        pytest.param(tuple(f"{i}/2000" for i in range(80, 200)), "1/100", marks=pytest.mark.slow),
    ],
)
def test_an_epsilon_has_certificates_on_both_sides(items: tuple[str, ...], delta: str) -> None:
    found = compose(*items, delta=delta, points=2)
    slack = F(math.exp(-10)) if delta == "exp(-10)" else F(delta)
    above, below = found.certificate, found.bound_certificate
    assert above is not None
    assert below is not None
    ends = [F(one.problem["epsilon"]["rational"]) for one in (below, above)]
    assert above.check()
    assert below.check()
    assert F(above.claim["upper"]) <= slack + F(1, 10**18)
    assert F(below.claim["lower"]) > slack - F(1, 10**18)
    assert ends[0] <= found.lower <= found.upper <= ends[1] < ends[0] + F(1, 100)
    assert ("lower" in found.checked()) == (found.method == "lattice")
    for end, sign in zip(ends, (1, -1), strict=True):  # the composition itself, at these levels
        again = compose(*items, epsilon=end, points=2)
        assert sign * (again.upper if sign > 0 else again.lower) > sign * slack - F(1, 10**9) * slack


def test_an_epsilon_without_delta_has_no_lower_certificate() -> None:
    found = compose("log(3)*5")
    assert found.certificate is not None
    assert found.bound_certificate is None
    assert found.epsilon == Epsilon.of("log(243)")


@pytest.mark.slow
def test_many_answers() -> None:
    found = compose("1/10*1000000", delta="1e-5", points=2)
    assert found.method == "enclosed"
    assert found.upper - found.lower < F(1, 10**20)
    more = compose("1/10*1000001", delta="1e-5", points=2)
    assert more.lower > found.upper
    whole = compose(*(f"{i}/1000" for i in range(20, 100)), epsilon="1", points=2, tolerance="1e-6")
    assert whole.method == "lattice"
    assert F(0) < whole.upper - whole.lower <= F(1, 10**6)


def test_degenerate_compositions() -> None:
    assert compose(points=2).lower == 0
    assert compose(epsilon=0, points=2).upper == 0
    assert compose("inf", epsilon=5, points=2).lower == 1
    assert compose("1,1", "2*3", delta="1/2", points=2).lower is None
    assert str(compose("1,1/4", delta="1/5", points=2).epsilon) == "inf"
    assert str(compose("1/2*3", "1", points=2).epsilon) == "5/2"
    assert str(compose("log(2)", "log(3)*2", points=2).epsilon) == "log(18)"
    assert compose("0*1000", epsilon=0, points=2).upper == 0
    assert compose(("1/2", 0), epsilon=0, points=2).upper == 0
    assert compose(("inf", 0), epsilon=0, points=2).upper == 0


def test_mechanisms_enter_with_their_own_profile() -> None:
    response = Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    columns = [[(response[i, 0], response[i, 1]) for i in range(3)]] * 4
    for gamma in (F(1), F(2), F(3), F(16)):
        found = compose((response, 4), gamma=gamma, points=2)
        assert found.lower == oracle_delta(columns, gamma)
        assert found.attained
        assert found.upper <= compose("log(2)*4", gamma=gamma, points=2).lower
    assert kary_chances(response) == (F(1, 2), F(1, 4))
    turned = Mechanism([["1/5", "2/5", "2/5"], ["2/5", "1/5", "2/5"], ["2/5", "2/5", "1/5"]])
    assert kary_chances(turned) is None  # the true category is the least likely response
    lopsided = Mechanism([["1", "1/3", "1/2"], ["0", "2/3", "1/2"]])
    found = compose((lopsided, 2), gamma=2, points=2)
    for x, y in itertools.permutations(range(3), 2):
        columns = [[(lopsided[i, x], lopsided[i, y]) for i in range(2)]] * 2
        assert oracle_delta(columns, F(2)) <= found.upper


def test_dealt_answers_are_refused() -> None:
    with pytest.raises(UnsupportedProblemError, match="depend on each other"):
        compose(DealtDeck([2, 1, 1]), epsilon=1)
    assert compose(DrawnAnswers("warner:3/4", 3)).epsilon == Epsilon.of("log(3)")  # of one respondent


def test_a_table_of_questions(tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    path.write_text(
        "question,mechanism,epsilon,delta,count\nincome,warner:3/4,,,2\ndrugs,,1/2,1/1000,\nq3,,log(2),,5\n"
    )
    found = compose(questions=str(path), epsilon=2, points=2)
    assert [item.name for item in found.items] == ["income", "drugs", "q3"]
    same = compose("warner:3/4*2", "1/2,1/1000", "log(2)*5", epsilon=2, points=2)
    assert (found.lower, found.upper) == (same.lower, same.upper)
    path.write_text("question,level\nincome,1\n")
    with pytest.raises(FileFormatError, match="another header"):
        compose(questions=str(path))
    path.write_text("epsilon,count\n1,x\n")
    with pytest.raises(FileFormatError, match="line 2"):
        compose(questions=str(path))


def test_the_rows_of_a_table_are_items(tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    path.write_text("question,mechanism,gamma,delta,count\nincome,warner:3/4*2,,,3\n,warner:2/3,,,\nq,,2,1/10,4\n")
    found = [(item.name, str(item.epsilon), str(item.delta), item.count) for item in read_table(str(path))]
    assert found == [("income", "log(3)", "0", 6), ("warner:2/3", "log(2)", "0", 1), ("q", "log(2)", "1/10", 4)]
    for text, said in (("epsilon,count\n1,2\n1,x\n", "line 3: .*whole"), ("mechanism,delta\nwarner:1,1\n", "its own")):
        path.write_text(text)
        with pytest.raises(FileFormatError, match=said):
            read_table(str(path))


def test_the_curve_is_decreasing_and_the_result_comes_back() -> None:
    found = rropt.compose("1/2*40", "1,1/100", delta="1/10")
    uppers = [point.upper for point in found.curve]
    assert uppers == sorted(uppers, reverse=True)
    assert len(uppers) == 33
    assert all(point.lower <= point.upper for point in found.curve)
    *_, end = rropt.compose("1/2*200", epsilon=1, points=5).curve
    assert (end.epsilon < 100, 0 < end.upper < F(1, 10**9)) == (True, True)  # the curve ends where delta is negligible
    assert Composition.from_json(found.to_json()) == found


def test_a_message_names_the_parameter() -> None:
    with pytest.raises(InvalidParameterError):
        compose("1", gamma="1/2")
    with pytest.raises(InvalidParameterError, match="epsilon"):
        compose((np.ones(2), 0))
    with pytest.raises(InvalidParameterError, match=r"received 1000.* \(401 characters\)"):
        compose(("1", 10**400))


@pytest.mark.slow
def test_certificates_are_accepted_and_prove_delta(tmp_path: Path) -> None:
    from rropt.checker import check_text

    for items, asked in (
        (("log(3)*100",), {"delta": "1e-6"}),
        (("log(3)*100", "2,1/10"), {"epsilon": 60}),
        (tuple(f"log({11 + i}/10)" for i in range(20)), {"gamma": 1000}),
        (("1/2*3", "1/3", "inf"), {"epsilon": 1}),
        ((), {"epsilon": 0}),
    ):
        found = compose(*items, **asked, points=2)
        assert found.certificate is not None
        assert check_text(found.certificate.text).accepted
        claim = found.certificate.claim
        if "delta" not in asked:
            assert F(claim["lower"]) <= found.lower <= found.upper <= F(claim["upper"])
        assert F(claim["upper"]) - F(claim["lower"]) < F(1, 10 ** (20 if len(items) < 20 else 5))
        read = Composition.from_json(found.to_json())
        assert read == found
        assert read.unverified == ("curve",)
        found.certificate.save(tmp_path / "composition.json")
        assert rropt.check(tmp_path / "composition.json")
    for items in (("grr:3,1/2",), ("1/1000*20000",)):
        assert compose(*items, epsilon=1, points=2).certificate is None


def test_a_lattice_has_a_certificate_of_a_wider_bracket() -> None:
    found = compose(*(f"{i}/200" for i in range(20, 60)), epsilon="2", points=2, tolerance="1e-6")
    assert found.method == "lattice"
    assert found.certificate is not None
    assert found.certificate.statement == "composition"
    assert found.certificate.check()
    lower, upper = (F(found.certificate.claim[end]) for end in ("lower", "upper"))
    assert lower <= found.upper
    assert found.lower <= upper
    assert upper - lower < F(1, 10**5)
    assert set(found.checked()) >= {"delta", "lower", "upper"}


@pytest.mark.slow
def test_many_different_levels_have_a_certificate_of_a_wider_bracket() -> None:
    rng = random.Random(5)
    levels = [F(rng.randint(20_000, 100_000), 10**6) for _ in range(150)]
    found = compose(*levels, epsilon=1, points=2)
    assert found.method == "lattice"
    assert found.certificate is not None
    assert F(0) < found.upper - found.lower <= F(1, 10**9)
    proved = [F(found.certificate.claim[end]) for end in ("lower", "upper")]
    assert proved[0] < found.lower < found.upper < proved[1] < proved[0] + F(1, 10**3)
    assert "the computed bounds are" in found.proof
    assert Composition.from_json(found.to_json()) == found
    pairs = []
    for level in map(float, levels):
        p = 1 / (1 + math.exp(-level))
        pairs.append((FloatPair((-level, level), (math.exp(-level) * p, p)), 1))
    lower, upper = lattice_bounds(pairs, 1 << 16).delta(1.0)
    assert lower <= found.upper
    assert found.lower <= upper
    assert upper - lower < 1e-7


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "epsilon", "width"), [(40, "11", 1e-30), (70, "30", 1e-12)])
def test_decimal_levels_are_composed_on_one_lattice(levels: int, epsilon: str, width: float) -> None:
    """The oracle adds exact losses in decimals of 60 digits; their sums are multiples of 1/1000."""
    with localcontext(prec=60):
        given = [str(round(Decimal("0.1") + Decimal("0.9") * i / (levels - 1), 3)) for i in range(levels)]
        law = {0: Decimal(1)}
        for level in given:
            no, step, after = 1 / (1 + Decimal(level).exp()), int(Decimal(level) * 1000), dict[int, Decimal]()
            for loss, chance in law.items():
                for place, part in ((loss + step, 1 - no), (loss - step, no)):
                    after[place] = after.get(place, Decimal(0)) + chance * part
            law = {loss: chance for loss, chance in after.items() if chance > Decimal("1e-45")}
        at = Decimal(epsilon)
        exact = sum(
            chance * (1 - (at - Decimal(loss) / 1000).exp()) for loss, chance in law.items() if loss > at * 1000
        )
    found = compose(*given, epsilon=epsilon, points=2)
    oracle, slack = F(exact), F(1, 10**40)
    assert found.lower - slack <= oracle <= found.upper + slack
    assert found.upper - found.lower < width
    assert found.certificate
    assert found.certificate.check()
    claim = found.certificate.claim
    assert F(claim["lower"]) - slack <= oracle <= F(claim["upper"]) + slack
    assert F(claim["upper"]) - F(claim["lower"]) <= max(width, F(3, 10**30))


@pytest.mark.slow
def test_the_epsilon_of_decimal_levels_is_proved_on_both_sides() -> None:
    given = [f"{100 + 13 * i}/1000" for i in range(40)]
    found = compose(*given, delta="1e-6", points=2)
    assert found.upper - found.lower < F(1, 10**20)
    for one, sign in ((found.certificate, 1), (found.bound_certificate, -1)):
        assert one.check()
        assert sign * (F(one.claim["upper" if sign > 0 else "lower"]) - F(1, 10**6)) <= 0
    at = [compose(*given, epsilon=str(level), points=2) for level in (found.lower, found.upper)]
    assert at[0].upper >= F(1, 10**6) >= at[1].lower
    twice = compose(*given, given[0], epsilon=8, points=2)  # a certificate states the items as they are listed
    assert Composition.from_json(twice.to_json()) == twice


def test_a_forged_record_is_refused() -> None:
    found = compose("log(3)*10", gamma=9, points=2)
    data = found.to_dict()
    assert Composition.from_dict(data).unverified == ("curve",)
    data["items"][0]["count"] = 9
    with pytest.raises(FileFormatError, match="not proved"):
        Composition.from_dict(data)
    data = found.to_dict()
    with pytest.raises(FileFormatError, match="cannot be made"):
        Composition.from_dict({**data, "certificate": {**data["certificate"], "problem": "text"}})


def test_a_bound_is_attained_only_where_truths_of_the_items_have_it(size: Callable[[int, int], int]) -> None:
    """Every choice of truths, enumerated: the profile of a pair may be that of one order of its inputs alone."""
    rng, kinds = random.Random(5), set()
    for _ in range(size(40, 1000)):
        items = []
        for _ in range(rng.randint(1, 3)):
            columns = [[rng.choice((0, 1, 2, 3, 5)) + (i == 0) for i in range(2)] for _ in range(2)]
            items.append([[Fraction(x, sum(c)) for x in c] for c in columns])
        gamma = Fraction(rng.randint(10, 60), 10)
        best = Fraction(0)
        for truths in itertools.product((0, 1), repeat=len(items)):
            total = Fraction(0)
            for outputs in itertools.product((0, 1), repeat=len(items)):
                p = math.prod(
                    (each[t][i] for each, t, i in zip(items, truths, outputs, strict=True)), start=Fraction(1)
                )
                q = math.prod(
                    (each[1 - t][i] for each, t, i in zip(items, truths, outputs, strict=True)), start=Fraction(1)
                )
                total += max(Fraction(0), p - gamma * q)
            best = max(best, total)
        found = compose(*[Mechanism(list(zip(*each, strict=True))) for each in items], gamma=gamma, points=2)
        assert found.lower is not None
        assert found.upper is not None
        assert best <= found.upper
        assert not found.attained or found.lower <= best
        kinds.add((found.attained, found.lower == best))
    assert kinds == {(True, True), (False, True), (False, False)}


def _epsilon_in_floats(pair: list[tuple[float, float]], count: int, delta: float) -> float:
    """Return the least epsilon of equal reports: all joint outcomes of up to four kinds, and bisection."""
    outcomes = [(0.0, 0.0)]  # of the log of the odds of a joint outcome and of its probability
    infinite = sum(p for p, q in pair if not q)
    kinds = [(math.log(p / q), math.log(p)) for p, q in pair if p and q]
    outcomes = [
        (
            sum(n * loss for n, (loss, _) in zip(ns, kinds, strict=True)),
            math.lgamma(count + 1)
            + sum(n * chance - math.lgamma(n + 1) for n, (_, chance) in zip(ns, kinds, strict=True)),
        )
        for ns in itertools.product(range(count + 1), repeat=len(kinds))
        if sum(ns) == count
    ]
    losses, masses = np.array([x for x, _ in outcomes]), np.exp(np.array([x for _, x in outcomes]))
    low, high = 0.0, count * max(loss for loss, _ in kinds)
    for _ in range(60):
        middle = (low + high) / 2
        lost = 1 - (1 - infinite) ** count + (masses * np.maximum(0, -np.expm1(middle - losses))).sum()
        low, high = (low, middle) if lost <= delta else (middle, high)
    return high


def test_large_designs_enter_by_their_exact_law(cli, tmp_path) -> None:
    """Subset selection has three likelihood ratios: its level alone would give 44.99957 for 35.98."""
    g, k, d = F(448168907, 10**8), 200, 36  # about exp(3/2)
    own = F(k) / (d * g + k - d)
    high, low = float(g * own), float(own)
    one, both = d / k, d * (d - 1) / (k * (k - 1))
    pair = [((one - both) * high, (one - both) * low), ((one - both) * low, (one - both) * high)]
    pair.append((1 - sum(p for p, _ in pair),) * 2)
    r = 0.01
    revealed = [*((p * (1 - r), q * (1 - r)) for p, q in pair), (r, 0.0), (0.0, r)]
    blocks = {"family": "subsets", "categories": str(k), "size": str(d), "gamma": str(g)}
    entry = [[[str(own * g / math.comb(k, d)), d], [str(own / math.comb(k, d)), k - d]]]
    bits = [(3 / 4 * x, 1 / 8 * y) for x, y in ((7 / 8, 1 / 4), (1 / 8, 3 / 4))]
    bits += [(1 / 4 * x, 7 / 8 * y) for x, y in ((7 / 8, 1 / 4), (1 / 8, 3 / 4))]
    for data, masses, delta in (
        ({"blocks": blocks}, pair, "1/1000000"),
        ({"orbits": {"groups": [k], "rows": [entry]}}, pair, "1/1000000"),
        ({"revealed-blocks": {"blocks": blocks, "revealed": str(F(r).limit_denominator())}}, revealed, "1/2"),
        ({"bit-vectors": {"categories": "300", "p": "3/4", "m": "1/8"}}, bits, "1/1000000"),
    ):
        made = tmp_path / "large.json"
        made.write_text(json.dumps(data))
        code, out, err = cli("compose", f"{made}*30", "--delta", delta, "--json")
        assert code == 0, err
        found = json.loads(out)
        expected = _epsilon_in_floats(masses, 30, float(F(delta)))
        assert float(F(found["lower"])) == pytest.approx(expected, abs=1e-7), data.keys()  # oracle: floats, n = 30
        assert F(found["upper"]) - F(found["lower"]) < F(1, 10**12)
        assert found["attained"]
    assert abs(_epsilon_in_floats(pair, 30, 1e-6) - 35.98) < 0.01


@pytest.mark.slow
def test_a_product_with_too_many_odds_enters_by_its_questions() -> None:
    chances = [F(3, 4) + F(i, 1000) for i in range(40)]
    questions = [Mechanism.binary(p, p) for p in chances]
    whole, apart = (compose(*given, gamma="100000") for given in ([ProductMechanism(questions)], questions))
    assert (whole.lower, whole.upper, whole.attained) == (apart.lower, apart.upper, True)


def test_a_level_in_place_of_a_law_is_printed_as_an_upper_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Mechanism([["1/2", "1/6", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/3", "1/2"]])
    exact = compose((made, 3), epsilon="1")
    monkeypatch.setattr(LossPair, "of_mechanism", classmethod(lambda cls, mechanism: None))
    bound = compose((made, 3), epsilon="1")
    assert (bound.lower, bound.certificate) == (0, None)
    assert exact.upper is not None
    assert bound.upper is not None
    assert bound.upper == compose(("log(3)", 3), epsilon="1").upper > exact.upper
    assert "its level, an upper bound" in bound.composed
    assert "exactly" not in bound.words + bound.proof
    assert "below by nothing" in bound.words
    least = compose((made, 3), delta="1/1000")
    assert (least.lower, least.bound_certificate) == (0, None)
    assert all(point.lower == 0 for point in least.curve)
    mixed = compose((made, 3), "log(2)", delta="1/1000")
    assert mixed.lower == compose("log(2)", delta="1/1000").lower
    assert "levels and dominating pairs" in mixed.words
    assert compose((made, 3)).upper == compose(("log(3)", 3)).upper  # with delta = 0 the largest ratios multiply


def test_reports_that_reveal_with_a_small_delta_do_so_in_the_long_run() -> None:
    found = rropt.panel(("0", "1/1000"), 10, delta="1/100")
    assert (str(found.epsilon), str(found.limit)) == ("0", "inf")
    assert str(rropt.panel("0", 10).limit) == "0"


def test_a_very_large_design_is_composed_and_not_compared(cli, tmp_path) -> None:
    made = tmp_path / "large.json"
    blocks = {"family": "subsets", "categories": "1000000", "size": "2", "gamma": "3"}
    made.write_text(json.dumps({"blocks": blocks}))
    code, out, err = cli("compose", f"{made}*3", "warner:3/4", "--json")
    assert code == 0, err
    assert json.loads(out)["epsilon"] == cli_epsilon(cli, "log(3)*3", "warner:3/4")
    assert cli("panel", str(made), "--waves", "2", "--reports", "kept")[0] == 0
    made.write_text(json.dumps({"blocks": {**blocks, "categories": "100000"}}))
    for call in (("compare", str(made), str(made)), ("repair", str(made), "--epsilon", "1")):
        code, _, err = cli(*call)
        assert code == 2
        assert "`rropt privacy` and `rropt compose` work without it" in err


def cli_epsilon(cli, *items: str) -> object:
    """Return the epsilon of a composition."""
    return json.loads(cli("compose", *items, "--json")[1])["epsilon"]


@few_rows(1)
@pytest.mark.parametrize("delta", ["1e-13", "1e-200"])
def test_epsilon_on_a_lattice_does_not_exceed_the_sum_of_the_levels(delta: str) -> None:
    found = rropt.compose(*(f"{i}/97" for i in range(1, 41)), delta=delta, points=2)
    assert found.method == "lattice"
    assert found.lower < Fraction(820, 97)
    assert found.upper <= Fraction(820, 97) + Fraction(1, 10**25)  # rounded to 25 decimals
