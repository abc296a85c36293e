"""``--properties``: what it reads, and what it adds to the table and to the JSON of ``rropt privacy``."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from rropt.core.errors import FileFormatError
from rropt.mechanisms import Mechanism
from rropt.privacy.breach_regions import family_privacy
from rropt.privacy.criteria import beta_factor, differential_local_privacy, rho_to_rho
from rropt.privacy.criteria.restricted_families import PropertyFamily
from rropt.privacy.region_files import given_properties, properties_from_text

CARDS = Mechanism([["3/4", "1/4", "1/2"], ["1/4", "3/4", "1/2"]])


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("0", [[0]]),
        ("0;1,2", [[0], [1, 2]]),
        (" 1 ; 2 , 0 ;", [[1], [0, 2]]),
        ("[[0], [1, 2]]", [[0], [1, 2]]),
        ('{"properties": [[2]]}', [[2]]),
        ("[]", []),
    ],
)
def test_forms(text: str, properties: list[list[int]], tmp_path: Path) -> None:
    expected = PropertyFamily(3, properties)
    assert properties_from_text(text, 3) == expected
    file = tmp_path / "properties.txt"
    file.write_text(text.replace(";", "\n"))
    assert given_properties(str(file), 3) == expected


def test_bad_json() -> None:
    with pytest.raises(FileFormatError):
        properties_from_text("[[0], ", 3)


def test_data_and_rows() -> None:
    family = properties_from_text("2", 3)
    plain = family_privacy(CARDS, family).to_dict()
    assert plain["family"] == [[2]]
    assert (plain["parity"], plain["two_sided_parity"], plain["steps"]) == ("2", "2", "inf")
    assert (plain["meets"], plain["breach"]) == (None, None)
    met = family_privacy(CARDS, family, beta_factor(2)).to_dict()
    assert (met["meets"], met["breach"]) == (True, None)
    broken = family_privacy(CARDS, family, differential_local_privacy("log(3/2)")).to_dict()
    assert broken["meets"] is False
    assert broken["breach"]["property"] == [2]
    assert json.loads(json.dumps(broken)) == broken
    rows = dict(family_privacy(CARDS, properties_from_text("0;1;2", 3), rho_to_rho("1/5", "1/4")).lines())
    assert rows["properties"] == "{0}; {1}; {2}"
    assert rows["parity against rises of these"] == "3; a bound on it makes the whole parity at most its own value"
    assert rows["meets the criterion"] == "no, for them: 1/5-to-1/4 privacy"
    assert rows["property Q"].startswith("X in {")
    irrational = family_privacy(CARDS, properties_from_text("0", 3), differential_local_privacy("1")).to_dict()
    assert irrational["meets"] is False
    assert set(irrational["breach"]["limit"]) == {"lower", "upper"}


def test_epsilon_zero_asks_for_answers_that_say_nothing(cli) -> None:
    """At epsilon = 0 no posterior may differ from its prior: parity 1 over the separated pairs, and nothing else."""
    status, out, err = cli("privacy", "warner:3/4", "--epsilon", "0", "--properties", "0", "--json")
    found = json.loads(out)["properties"]
    assert (status, err, found["meets"]) == (1, "", False)
    assert Fraction(found["breach"]["posterior"]) != Fraction(found["breach"]["prior"])
    status, out, _ = cli("privacy", "warner:1/2", "--gamma", "1", "--properties", "0", "--json")
    assert (status, json.loads(out)["properties"]["meets"]) == (0, True)
