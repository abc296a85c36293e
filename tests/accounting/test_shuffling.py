"""Shuffled reports against the enumeration of all data sets in rationals, which shares no code with them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import exp, prod

import pytest
from adversary.shuffled import worst
from few_rows import few_rows

from rropt.accounting import Shuffle, shuffle
from rropt.accounting.shuffled_blanket import agreeing_delta
from rropt.core.errors import FileFormatError, RroptError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.mechanisms import Mechanism

F = Fraction


def transposed(rows: list[list[Fraction]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return a row for each input."""
    return tuple(zip(*rows, strict=True))


@pytest.mark.parametrize("matrix", ["2/3,1/3", "4/5,1/5", "1,1/4", "9/10,1/2", "1/2,1/2", "1,0"])
def test_binary_reports_equal_all_data_sets(matrix: str, size: Callable[[int, int], int]) -> None:
    a, b = map(F, matrix.split(","))
    rows = [[a, b], [1 - a, 1 - b]]
    for n in range(1, size(6, 12)):
        for gamma in (F(1), F(5, 4), F(2), F(9)):
            exact = worst(transposed(rows), n, gamma)
            found = shuffle(Mechanism(rows), n, gamma=gamma, tolerance="1/100000000")
            assert found.lower <= exact <= found.upper
            assert found.upper - found.lower < F(1, 10**7)


def test_all_others_agree_is_not_the_worst_case() -> None:
    found = shuffle("log(2)", 5, gamma="5/4", tolerance="1/1000000000")
    assert found.lower <= F(5, 81) <= found.upper
    assert found.others in (1, 3)


@pytest.mark.parametrize(("local", "epsilon"), [("1", 0.126614), ("2", 0.323324), ("4", 1.691006)])
def test_known_levels_of_a_thousand_reports(local: str, epsilon: float) -> None:
    found = shuffle(local, 1000, delta="1e-6", tolerance="1/100000")
    assert float(found.lower) - 1e-6 <= epsilon <= float(found.upper) + 1e-6
    assert found.upper - found.lower <= F(1, 10**5)


def test_the_inverse_meets_its_target() -> None:
    found = shuffle(n=300, epsilon="1/4", delta="1/10000", tolerance="1/10000")
    assert found.upper - found.lower <= F(1, 10**4)
    assert shuffle(str(found.lower), 300, delta="1/10000").lower <= F(1, 4)
    assert shuffle(str(found.upper), 300, delta="1/10000").upper >= F(1, 4)


@few_rows(1)
@pytest.mark.parametrize(("k", "chance"), [(3, F(1, 2)), (4, F(2, 5))])
def test_categories_stand_between_a_data_set_and_the_blanket(k: int, chance: Fraction) -> None:
    q = (1 - chance) / (k - 1)
    rows = [[chance if i == j else q for j in range(k)] for i in range(k)]
    for n in (1, 2, 4):
        for gamma in (F(1), F(5, 4), F(7, 5)):
            found = shuffle(Mechanism(rows), n, gamma=gamma)
            assert found.lower <= worst(transposed(rows), n, gamma) + F(1, 10**12)
            assert worst(transposed(rows), n, gamma) <= found.upper + F(1, 10**12)


@pytest.mark.parametrize(("level", "k"), [("2.000000001", 3), ("2.000000001", 7), ("1.0000000003", 50)])
def test_curves_just_below_the_level_of_one_report(level: str, k: int) -> None:
    """The report of one respondent has delta p - gamma q, a difference of nearly equal numbers."""
    point = shuffle(level, 1, categories=k, delta="1/100", points=2).curve[-1]
    local, at = (Epsilon.of(each).gamma_bracket(40) for each in (level, point.epsilon))
    assert 0 < local.lower - at.upper < F(1, 10**8)
    assert point.lower <= (local.lower - at.upper) / (local.lower + k - 1)
    assert point.upper >= (local.upper - at.lower) / (local.upper + k - 1)


def test_shuffling_reveals_no_more_than_one_report() -> None:
    """At the level of one report, delta is exactly 0, for every kind of report."""
    for mechanism in ("warner:3/4", "grr:4,1/2"):
        for epsilon in ("log(3)", 3):
            found = shuffle(mechanism, 100, epsilon=epsilon)
            assert (found.lower, found.upper) == (0, 0)
    assert shuffle(1, 100, any_mechanism=True, epsilon=1).upper == 0
    assert shuffle("grr:4,1/2", 100, epsilon="1/2").lower > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mechanism in ("grr:3,1/3", "log(1)"):
            assert shuffle(mechanism, 5, delta="1/10", categories=4 if "log" in mechanism else None).upper == 0


def test_categories_without_noise_reveal_the_value() -> None:
    """All others hold a third value, and the report of the changed respondent stands out."""
    found = shuffle("grr:4,1", 10, epsilon=1, points=2)
    assert F(99, 100) < found.lower <= found.upper == 1
    assert shuffle("warner:1", 10, epsilon=1).upper == 1
    assert [point.upper for point in found.curve] == [1, 1]
    with pytest.raises(RroptError, match="no finite epsilon"):
        shuffle("grr:4,1", 10, delta="1/10")


def test_the_curve_of_reports_with_infinite_epsilon() -> None:
    """Its last points are at epsilon = 10, also where no epsilon reaches a negligible delta."""
    rows = [[F(1), F(1, 4)], [F(0), F(3, 4)]]
    found = shuffle(Mechanism(rows), 4, epsilon="1/2", points=2)
    assert [point.epsilon for point in found.curve] == [0, 10]
    for point in found.curve:
        assert (
            point.lower <= worst(transposed(rows), 4, F(exp(point.epsilon))) + F(1, 10**9) <= point.upper + F(2, 10**9)
        )


@pytest.mark.slow
def test_categories_at_a_level() -> None:
    found = shuffle("2", 1000, categories=10, delta="1e-6")
    assert abs(float(found.lower) - 0.272279) < 2e-6
    blanket = 0.272766  # without blocks
    assert blanket - 2e-6 < float(found.upper) < blanket * 1.001
    assert found.certificate is not None
    assert found.certificate.problem["device"]["kind"] == "kary"


@pytest.mark.parametrize("matrix", ["3/4,1/4;1/4,3/4", "1/2,1/6,1/3;1/3,1/2,1/6", "5/8,1/8;1/8,1/8;1/4,3/4"])
def test_any_mechanism_has_at_most_the_bound_of_its_level(matrix: str) -> None:
    rows = [[F(x) for x in row.split(",")] for row in matrix.split(";")]
    if len(rows) < len(rows[0]):
        rows.append([1 - sum(column) for column in zip(*rows, strict=True)])
    for n, gamma in ((1, F(5, 4)), (3, F(3, 2)), (4, F(1))):
        found = shuffle(Mechanism(rows), n, gamma=gamma, any_mechanism=True)
        assert worst(transposed(rows), n, gamma) <= found.upper
        assert found.certificate is not None
        assert F(found.certificate.claim["upper"]) == found.upper
        assert found.lower <= found.upper


def test_levels_of_any_mechanism() -> None:
    """Between binary response and the clones; the same certificate proves the level that is found."""
    found = shuffle("log(3)", 200, delta="1/1000", tolerance="1/1000", any_mechanism=True)
    exact = shuffle("log(3)", 200, delta="1/1000", tolerance="1/1000")
    assert abs(found.lower - exact.lower) <= F(1, 1000)
    assert exact.lower <= found.upper < 2 * exact.upper
    assert found.certificate is not None
    assert F(found.certificate.problem["epsilon"]["rational"]) == found.upper
    assert Shuffle.from_json(found.to_json()) == found
    points = shuffle("log(3)", 20, epsilon="1/2", any_mechanism=True, points=3).curve
    assert [point.lower <= point.upper for point in points] == [True] * 3


@pytest.mark.slow
def test_the_inverse_of_any_mechanism_meets_its_target() -> None:
    found = shuffle(n=300, epsilon="1/4", delta="1/10000", tolerance="1/1000", any_mechanism=True)
    binary = shuffle(n=300, epsilon="1/4", delta="1/10000", tolerance="1/1000")
    assert F(1, 4) < found.lower < binary.lower <= found.upper == binary.upper
    assert found.certificate is not None
    assert found.certificate.problem["device"] == {"kind": "any", "local": {"rational": str(found.lower)}}
    assert shuffle(str(found.lower), 300, delta="1/10000", any_mechanism=True).upper < F(1, 4) + F(1, 1000)


@pytest.mark.slow
def test_certificates_are_accepted_and_prove_the_bound() -> None:
    for given in (
        {"mechanism": "2", "n": 60, "delta": "1/1000"},
        {"mechanism": "warner:3/4", "n": 9, "gamma": "3/2"},
        {"mechanism": "log(2)", "n": 5, "gamma": "5/4"},
        {"mechanism": "1", "n": 1, "epsilon": "1/2"},
        {"n": 60, "epsilon": "1/2", "delta": "1/1000"},
    ):
        found = shuffle(tolerance="1/10000", certificate=True, **given)
        alone = shuffle(tolerance="1/10000", **given)
        assert alone.certificate is None
        assert (alone.lower, alone.upper, alone.local) == (found.lower, found.upper, found.local)
        assert found.certificate is not None
        assert found.certificate.check()
        claim = found.certificate.claim
        assert F(claim["lower"]) <= F(claim["upper"]) <= F(claim["lower"]) * F(11, 10) + F(1, 10**9)
        if "delta" in given:
            assert F(claim["upper"]) <= F(given["delta"])
        else:
            assert found.lower - F(1, 10**15) <= F(claim["lower"])
            assert F(claim["upper"]) <= found.upper + F(1, 10**15)
        assert Shuffle.from_json(found.to_json()) == found
    kary = shuffle("2", 30, categories=3, delta="1/100")
    assert kary.certificate is not None
    assert kary.certificate.problem["device"] == {"kind": "kary", "local": {"rational": "2"}, "categories": "3"}
    assert Shuffle.from_json(kary.to_json()) == kary
    for asymmetric in (Mechanism([["1", "1/4"], ["0", "3/4"]]), "generalised:3/4,2/3"):
        assert shuffle(asymmetric, 5, gamma=2, certificate=True).certificate is None


def test_the_data_set_of_a_third_value_by_all_its_reports() -> None:
    n, k, wrong, gamma = 4, 4, F(1, 8), 1.3
    true = 1 - 3 * wrong
    laws = []
    for values in ((0, 2, 2, 2), (1, 2, 2, 2)):
        law: Counter[tuple[int, ...]] = Counter()
        for reports in product(range(k), repeat=n):
            mixed = tuple(sorted(reports))
            law[mixed] += prod(true if report == x else wrong for report, x in zip(reports, values, strict=True))
        laws.append(law)
    exact = sum(max(float(p) - gamma * float(laws[1][mixed]), 0.0) for mixed, p in laws[0].items())
    assert agreeing_delta(n, k, wrong, gamma) == pytest.approx(exact, rel=1e-6)
    assert agreeing_delta(n, k, F(0), gamma) == 1


def test_a_forged_record_is_refused() -> None:
    data = shuffle("1", 20, epsilon="1/2").to_dict()
    data["n"] = 21
    assert "n" in Shuffle.from_dict(data).unverified  # no certificate was requested
    data = shuffle("1", 20, epsilon="1/2", certificate=True).to_dict()
    assert "n" not in Shuffle.from_dict(data).unverified
    data["n"] = 21
    with pytest.raises(FileFormatError, match="other reports"):
        Shuffle.from_dict(data)


def test_the_result_comes_back() -> None:
    found = shuffle("1", 30, delta="1/1000", points=3)
    assert Shuffle.from_json(found.to_json()) == found
    assert [point.lower <= point.upper for point in found.curve] == [True] * 3
    kary = shuffle("1", 60, categories=3, epsilon="1/2", points=3).curve
    assert all(point.lower <= point.upper <= point.lower * F(3, 2) + F(1, 10**9) for point in kary)
    assert (kary[0].epsilon, kary[0].lower > F(1, 100), kary[-1].upper < F(1, 10**8)) == (0, True, True)


@pytest.mark.parametrize(
    "matrix",
    [
        "5/8,1/4,1/8;1/4,1/2,1/4;1/8,1/4,5/8",
        "1/2,1/4;1/4,1/4;1/4,1/2",
        "1/2,1/6;1/3,1/3;1/6,1/2",
        "3/4,1/2,1/4;1/4,1/2,3/4",
    ],
)
def test_another_mechanism_has_a_bound_of_its_own(matrix: str) -> None:
    """The level of binary randomized response would bound only two inputs: 0.00472 where 0.00809 was proved."""
    rows = [list(map(F, row.split(","))) for row in matrix.split(";")]
    for n in (1, 2, 4):
        for gamma in (F(1), F(5, 4), F(3, 2)):
            found = shuffle(Mechanism(rows), n, gamma=gamma)
            assert found.method == "level"
            assert found.lower == 0 <= worst(transposed(rows), n, gamma) <= found.upper
            assert found.certificate is None or found.certificate.check()
            assert found.others is None
        assert "no lower bound is known" in found.words
    points = shuffle(Mechanism(rows), 5, delta="1/100", points=3).curve
    assert all(point.lower == 0 for point in points)


def test_the_bound_of_three_inputs_is_that_of_any_mechanism() -> None:
    one = shuffle("subset:5,2,3/4", 400, epsilon="1/4")
    assert one.upper == shuffle("log(9/2)", 400, epsilon="1/4", any_mechanism=True).upper
    assert one.upper > shuffle("log(9/2)", 400, epsilon="1/4").upper


@pytest.mark.parametrize("mechanism", ["3", "warner:3/4", "grr:4,1/2", "subset:5,2,3/4", "forced:2/3,1/3,0"])
def test_shuffling_does_not_change_the_pure_level(mechanism: str) -> None:
    """All respondents can give the report with the largest likelihood ratio."""
    found = shuffle(mechanism, 7, delta=0)
    level = Epsilon.of(3) if mechanism == "3" else Mechanism(mechanism).epsilon
    assert (found.epsilon, found.delta.lower, found.method) == (level, 0, "pure")
    assert (found.lower is None) == level.is_infinite
    assert Shuffle.from_json(found.to_json()) == found


def test_a_level_above_the_limit_has_no_bound_of_any_mechanism() -> None:
    rare = Fraction(1, 10**50)
    made = Mechanism([[1 - rare, rare], [rare, 1 - rare]])
    with pytest.raises(UnsupportedProblemError, match="too large to be bounded: received log"):
        shuffle(made, n=10, delta="1e-6", any_mechanism=True)
