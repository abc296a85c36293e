"""What a composition says about its proof: the widths are those of the claim, read here from the text of the file."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from rropt.accounting import Composition, compose

F = Fraction
LATTICE = tuple(f"{i}/200" for i in range(20, 60))


@pytest.mark.parametrize(
    ("items", "asked", "words"),
    [
        (
            ("log(3)*100",),
            {"epsilon": "log(3)*60"},
            "a certificate proves .* 1e-30 wide; the computed bounds are exact",
        ),
        (("1/2*3",), {"delta": "1/1000"}, "a certificate proves these bounds|proves .* wide"),
        (("log(3)*5",), {}, "a certificate proves that epsilon is at most 5.49306144334"),
        ((), {}, "a certificate proves these bounds"),
        (("inf",), {"delta": "1/1000"}, "computed exactly, no certificate"),
        (("grr:3,1/2",), {"epsilon": "1/4"}, "computed exactly, no certificate"),
        (("1/1000*20000",), {"epsilon": 1}, "computed, no certificate"),
    ],
)
def test_a_composition_says_what_is_proved(items: tuple[str, ...], asked: dict[str, object], words: str) -> None:
    found = compose(*items, **asked, points=2)
    assert re.search(words, found.proof), found.proof
    assert ("no certificate" in found.proof) == (found.certificate is None)
    assert ("proof", found.proof) in found.lines()


def test_both_widths_are_printed() -> None:
    found = compose(*LATTICE, epsilon=2, points=2, tolerance="1/1000000")
    assert found.certificate is not None
    claim = json.loads(found.certificate.text)["claim"]
    lower, upper = F(claim["lower"]), F(claim["upper"])
    assert upper - lower != found.upper - found.lower
    said = re.search(r"proves (\S+) to (\S+), (\S+) wide; the computed bounds are (\S+) wide", found.proof)
    assert said is not None
    expected = (lower, upper, upper - lower, found.upper - found.lower)
    for text, value in zip(said.groups(), expected, strict=True):
        assert float(text) == pytest.approx(float(value), rel=0.05)
    again = Composition.from_json(found.to_json())
    assert again.proof == found.proof.replace("computed bounds", "bounds in the file")


def test_a_record_without_a_certificate_is_taken_from_the_file() -> None:
    record = compose(*LATTICE, epsilon=2, points=2, tolerance="1/1000000").to_dict()
    assert Composition.from_dict({**record, "certificate": None}).proof == "taken from the file, no certificate"


def test_what_is_computed_exactly_is_computed_again() -> None:
    found = compose("grr:3,1/2", epsilon="1/4", points=2)
    assert Composition.from_json(found.to_json()).proof == "computed exactly, no certificate"
    forged = found.to_dict()
    forged["lower"] = forged["upper"] = forged["delta"] = "1/7"
    assert "lower" in Composition.from_dict(forged).unverified


@pytest.mark.parametrize("other", [{"delta": "1/10"}, {"epsilon": "log(3)*3"}, {"epsilon": 2}])
def test_a_certificate_of_another_question_is_no_proof(other: dict[str, object]) -> None:
    record = compose("log(3)*10", delta="1/1000", points=2).to_dict()
    record["certificate"] = compose("log(3)*10", **other, points=2).to_dict()["certificate"]
    read = Composition.from_dict(record)
    assert read.unverified == ("curve",)  # computed again
    assert "these bounds" not in read.proof
    assert "at most" not in read.proof
