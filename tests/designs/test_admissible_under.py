"""Admissibility under a privacy criterion: decided at B(h) itself, exact, or not decided inside an enclosure."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from rropt.checker import check_file
from rropt.cli import arguments
from rropt.core.errors import InvalidMechanismError, UnsupportedProblemError
from rropt.designs.orders import admissible
from rropt.designs.orders.admissibility import admissible_under
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.privacy.bound import ParityBound, parity_bound
from rropt.privacy.criteria import canonical_information_privacy, rho_to_rho
from rropt.privacy.criterion_region import CriterionLevel, criterion_level

IRRATIONAL = canonical_information_privacy("piecewise(1/2, p^2 < 1/5, 1)")  # B = sqrt(5) - 1 = 1.236...
TWO = canonical_information_privacy("(1+p)/2")  # B = 2


def warner(parity: Fraction) -> Mechanism:
    p = parity / (parity + 1)
    return Mechanism([[p, 1 - p], [1 - p, p]])


def enclosed(lower: Fraction, upper: Fraction | None) -> CriterionLevel:
    bound = replace(parity_bound(TWO, fast=True), kind="enclosed", lower=lower, upper=upper)
    return criterion_level(TWO, bound)


def below_root(digits: int) -> Fraction:
    """sqrt(5) - 1 rounded down, by integer square roots."""
    from math import isqrt

    return Fraction(isqrt(5 * 10 ** (2 * digits)), 10**digits) - 1


@pytest.mark.parametrize("digits", [1, 5, 29, 31, 40, 100])
def test_at_an_irrational_bound_no_rational_matrix_is_admissible(digits: int) -> None:
    parity = below_root(digits)
    answer = admissible_under(warner(parity), criterion_level(IRRATIONAL), fast=True)
    gamma = answer.level.gamma
    assert not answer
    assert gamma is not None
    assert parity < gamma
    assert (gamma + 1) ** 2 < 5  # the better one meets the criterion too
    assert answer.domination is not None
    assert answer.domination.mechanism.parity() == gamma
    assert answer.kernel is not None
    assert answer.kernel @ answer.domination.mechanism == answer.mechanism
    assert answer.certificate().check()


def test_the_rounded_level_itself_is_not_admissible() -> None:
    level = criterion_level(IRRATIONAL)
    assert level.epsilon.gamma is not None
    own = warner(level.epsilon.gamma)
    assert admissible(own, level.epsilon, fast=True)  # at the rounded level it would be
    assert not admissible_under(own, level, fast=True)


@pytest.mark.parametrize("digits", [3, 30, 60])
def test_a_parity_just_above_an_irrational_bound_is_refused(digits: int) -> None:
    with pytest.raises(InvalidMechanismError, match=r"exceeds B\(h\).*-1 \+ sqrt\(5\)"):
        admissible_under(warner(below_root(digits) + Fraction(1, 10**digits)), criterion_level(IRRATIONAL), fast=True)


def test_rational_bounds_are_decided_as_before() -> None:
    level = criterion_level(rho_to_rho("1/5", "1/2"))
    assert admissible_under(named_mechanism("warner:4/5"), level, fast=True)
    assert not admissible_under(named_mechanism("warner:3/4"), level, fast=True)
    with pytest.raises(InvalidMechanismError, match="exceeds"):
        admissible_under(named_mechanism("warner:5/6"), level, fast=True)


THREE_VALUES = Mechanism([["1/2", "1/4", "3/8"], ["1/2", "3/4", "5/8"]])  # parity 2, and rows of three values


@pytest.mark.parametrize("upper", [Fraction(5, 2), None])
def test_inside_an_enclosure_it_is_not_decided(upper: Fraction | None) -> None:
    level = enclosed(Fraction(2), upper)
    assert not admissible_under(warner(Fraction(3, 2)), level, fast=True)
    assert not admissible_under(THREE_VALUES, level, fast=True)  # dominated at the lower end already
    for parity in (Fraction(2), Fraction(9, 4), Fraction(5, 2)):
        with pytest.raises(UnsupportedProblemError, match=r"not decided: the parity .* inside the enclosure"):
            admissible_under(warner(parity), level, fast=True)
    if upper is not None:
        with pytest.raises(InvalidMechanismError, match="exceeds"):
            admissible_under(warner(Fraction(3)), level, fast=True)


def test_an_enclosure_from_one() -> None:
    for parity in (Fraction(1), Fraction(3, 2)):
        with pytest.raises(UnsupportedProblemError, match="not decided"):
            admissible_under(warner(parity), enclosed(Fraction(1), Fraction(2)), fast=True)


def test_the_command(cli, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """The design that ``design binary`` prints at an irrational bound is not called admissible."""
    criterion, file = "min(1, 2*p + 1/10)", tmp_path / "m.json"
    design = json.loads(cli("design", "binary", "--level", f"curve:{criterion}", "--prevalence", "1/4", "--json")[1])
    file.write_text(json.dumps(design["mechanism"]))
    status, out, err = cli("compare", "--admissible", str(file), "--level", f"curve:{criterion}", "--json")
    data = json.loads(out)
    assert (status, data["admissible"], err.count("\n")) == (1, False, 1)
    assert Fraction(design["criterion"]["gamma"]) == Fraction(data["parity"]) < Fraction(data["gamma"])
    assert data["criterion"]["gamma"] == data["gamma"] == data["dominating"]["gamma"]
    assert Fraction(data["gamma"]) < Fraction(data["criterion"]["gamma_above"])
    monkeypatch.setattr(arguments, "_level", lambda _: enclosed(Fraction(39999, 20000), Fraction(2)))
    status, out, err = cli("compare", "--admissible", "warner:2/3", "--level", "curve:(1+p)/2", "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "not decided: the parity 2 of the mechanism lies inside the enclosure of B(h)" in err


def test_a_certificate_too_large_is_refused_before_it_is_written(
    cli, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    """The answer is printed, the file is said not to be written, and no text of it is made."""
    from rropt.designs.orders import admissibility, sufficiency

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the certificate was written before its size was looked at")

    file = tmp_path / "c.json"
    assert cli("compare", "--admissible", "warner:3/4", "--gamma", "4", "--certificate", str(file), "--json")[0] == 1
    assert check_file(file)
    file.unlink()
    monkeypatch.setattr(admissibility, "certify_inadmissible", never)
    for limit in ("MAX_TOKENS", "MAX_BYTES"):
        with monkeypatch.context() as patch:
            patch.setattr(sufficiency, limit, 3)
            status, out, err = cli(
                "compare", "--admissible", "warner:3/4", "--gamma", "4", "--certificate", str(file), "--json"
            )
        assert (status, json.loads(out)["admissible"], json.loads(out)["certificate"]) == (2, False, None)
        assert f"{file} was not written: the certificate would be too large" in err
        assert "no optimum" not in err
        assert not file.exists()


def test_gamma_beyond() -> None:
    level = criterion_level(IRRATIONAL)
    gamma, above = level.epsilon.gamma, level.gamma_above
    assert gamma is not None
    assert above is not None
    assert (gamma + 1) ** 2 < 5 < (above + 1) ** 2
    assert above - gamma < Fraction(1, 10**29)
    assert level.gamma_beyond(Fraction(1)) == gamma
    assert level.gamma_beyond(above) is None
    beyond = level.gamma_beyond(gamma)
    assert beyond is not None
    assert gamma < beyond < above
    assert level.epsilon_above is not None
    assert level.epsilon_above.gamma == above
    rational = criterion_level(TWO)
    assert (rational.gamma_above, rational.is_rounded, rational.gamma_beyond(Fraction(2))) == (2, False, None)
    open_above = enclosed(Fraction(2), None)
    assert (open_above.gamma_above, open_above.epsilon_above, open_above.is_rounded) == (None, None, True)


def test_a_rational_bound_too_long_for_a_parameter() -> None:
    """It is rounded on both sides, and a mechanism of exactly that parity is still decided."""
    long = Fraction(2 * 10**450 + 1, 10**450)
    bound: ParityBound = replace(parity_bound(TWO, fast=True), value="long", lower=long, upper=long, places=())
    level = criterion_level(TWO, bound)
    assert level.is_rounded
    assert level.epsilon.gamma is not None
    assert level.gamma_above is not None
    assert level.epsilon.gamma < long < level.gamma_above
    assert admissible_under(warner(long), level, fast=True)
    assert not admissible_under(warner(level.epsilon.gamma), level, fast=True)
