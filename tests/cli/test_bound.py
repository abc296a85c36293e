"""``rropt privacy --level SPEC``: B(h) and the judgement of a mechanism, from the command line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from few_rows import few_rows


@pytest.mark.parametrize(
    ("arguments", "value", "attained", "at"),
    [
        (["--level", "posterior:1/5,1/2"], "4", False, "1/5"),
        (["--level", "posterior:0.1,0.9"], "81", False, "1/10"),
        (["--level", "factor:3"], "3", False, "0+"),
        (["--level", "factor:1.5"], "3/2", False, "0+"),
        (["--level", "curve:min(1, 3*p)"], "3", False, "0+"),
        (["--level", "curve:(1+p)/2"], "2", False, "1-"),
        (["--level", "curve:piecewise(1/2, p <= 1/5, 1)"], "4", True, "1/5"),
        (["--level", "curve:min(1, p + 1/10)"], "121/81", True, "9/20"),
        (["--level", "curve:min(1, 2*p + 1/10)"], "211/81 + 20/81*sqrt(22)", True, "-1/10 + 1/20*sqrt(22)"),
        (["--level", "curve:piecewise(1/2, p^2 < 1/5, 1)"], "-1 + sqrt(5)", False, "1/5*sqrt(5)"),
        (["--level", "curve:sqrt(p)"], "2", False, "1-"),
        (["--level", "curve:1;p^2"], "2", False, "0+"),
        (["--level", "curve:min(1, 3*p);p/2"], "2", False, "1-"),
        (["--level", "curve:1"], "inf", None, None),
    ],
)
def test_figures(cli_json, arguments: list[str], value: str, attained: bool | None, at: str | None) -> None:
    data = cli_json("privacy", *arguments)
    assert (data["value"], data["attained"], data["at"], data["kind"]) == (value, attained, at, "exact")
    if value == "inf":
        assert data["lower"] == data["upper"] == "inf"
    else:
        assert 0 <= Fraction(data["upper"]) - Fraction(data["lower"]) <= Fraction(1, 10**19)
        if data["lower"] == data["upper"]:
            assert data["value"] == data["lower"]


def test_an_enclosed_bound_says_so(cli) -> None:
    status, out, err = cli("privacy", "--level", "curve:min(1, sqrt(p) + 1/10)", "--json")
    data = json.loads(out)
    assert (status, data["kind"], data["attained"], err.count("\n")) == (0, "enclosed", True, 1)
    assert "enclosed" in err
    assert data["value"] == data["lower"]
    assert 0 < Fraction(data["upper"]) - Fraction(data["lower"]) < Fraction(1, 10**12)
    status, out, _ = cli("privacy", "--level", "curve:min(1, sqrt(p) + 1/10)")
    assert status == 0
    assert "enclosed" in out


def test_a_breach_is_recomputed_by_bayes_rule(cli) -> None:
    status, out, err = cli("privacy", "--level", "posterior:1/5,1/2", "warner:5/6", "--json")
    data = json.loads(out)
    assert (status, err, data["meets"], data["parity"], data["criterion"]["parity_bound"]) == (1, "", False, "5", "4")
    breach = data["breach"]
    alpha = [Fraction(x) for x in breach["distribution"]]
    rows = [[Fraction(5, 6), Fraction(1, 6)], [Fraction(1, 6), Fraction(5, 6)]]
    row = rows[breach["response"]]
    total = sum(a * b for a, b in zip(row, alpha, strict=True))
    assert sum(row[j] * alpha[j] for j in breach["property"]) / total == Fraction(breach["posterior"]) > Fraction(1, 2)
    assert sum(alpha[j] for j in breach["property"]) == Fraction(breach["prior"]) < Fraction(1, 5)
    assert Fraction(breach["limit"]) == Fraction(1, 2)


@pytest.mark.slow
def test_judgements(cli) -> None:
    status, out, _ = cli("privacy", "--level", "posterior:1/5,1/2", "warner:4/5")
    assert status == 0
    assert "yes" in out
    status, out, _ = cli("privacy", "--level", "curve:1;p^2", "generalised:1,1/4")
    assert status == 1
    assert "infinite" in out
    assert "criterion               p^2 <= posterior <= 1" in out
    status, out, _ = cli("privacy", "--level", "curve:1", "generalised:1,1/4", "--json")
    assert (status, json.loads(out)["meets"], json.loads(out)["breach"]) == (0, True, None)


@few_rows(1)
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_an_answer_without_a_certificate_is_printed(
    cli, tmp_path, monkeypatch: pytest.MonkeyPatch, json_too: list[str]
) -> None:
    from rropt.core.errors import CertificateError
    from rropt.privacy import bound_certificate as infimum

    def none(*_: object) -> None:
        raise CertificateError("no such proof; the file is said to be wrong")

    monkeypatch.setattr(infimum, "infimum_certificate", none)
    file = tmp_path / "c.json"
    status, out, err = cli("privacy", "--level", "curve:(1+p)/2", "--certificate", str(file), *json_too)
    assert status == 2
    assert json.loads(out)["value"] == "2" if json_too else "B(h)" in out
    assert f"{file} was not written: no proof" in err
    assert err.count("\n") == 1
    assert not file.exists()


def test_a_certificate_that_can_be_written(cli, tmp_path) -> None:
    file = tmp_path / "c.json"
    status, out, err = cli("privacy", "--level", "posterior:1/5,1/2", "--certificate", str(file), "warner:5/6")
    assert (status, err) == (1, f"certificate written to {file}\n")
    assert "B(h)" in out
    assert cli("check", str(file))[0] == 0
    many = tmp_path / "many.json"  # of a mechanism whose matrix is too large to be written
    assert cli("privacy", "bits:3/4*40", "--level", "posterior:1/5,1/2", "--certificate", str(many))[0] == 1
    assert many.read_bytes() == file.read_bytes()
    status, out, err = cli("privacy", "--level", "posterior:1/5,1/2", "--certificate", str(tmp_path / "no" / "c.json"))
    assert (status, err.count("\n")) == (2, 1)
    assert "cannot write" in err


def test_places_of_the_lower_function_are_of_the_complement(cli) -> None:
    """h_l = p/3: the ratio tends to 3 as the prior of Q tends to 0, that is as the prior of not-Q tends to 1."""
    status, out, _ = cli("privacy", "--level", "curve:1;p/3", "--fast")
    assert status == 0
    assert "at p = 1-" in out
    assert "lower function, p = 1 - q with q the prior of Q" in out
    assert "1 - q" not in cli("privacy", "--level", "curve:min(1, 3*p)")[1]
    assert "p = 1 - q" in cli("privacy", "--help", "more")[1]


def test_an_enclosure_is_rounded_outwards_for_people() -> None:
    from dataclasses import replace

    from rropt.privacy.bound import parity_bound
    from rropt.privacy.criteria import canonical_information_privacy
    from rropt.privacy.criterion_region import criterion_level

    exact = parity_bound(canonical_information_privacy("(1+p)/2"), fast=True)
    tiny = Fraction(1, 10**18)
    bound = replace(exact, kind="enclosed", lower=2 - tiny, upper=2 + tiny)
    assert bound.line() == ("B(h), enclosed", "from 1.99999999999999 to 2.00000000000001")
    assert "from 1.99999999999999 to 2.00000000000001" in criterion_level(bound.criterion, bound).remarks()[0]


def test_help(cli) -> None:
    status, out, _ = cli("privacy", "--help", "more")
    assert status == 0
    assert "piecewise" in out
