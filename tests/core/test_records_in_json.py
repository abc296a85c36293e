"""Objects of JSON: which are equal, what of them is a number of a table, and how names and certificates are found."""

from __future__ import annotations

import math

import pytest

import rropt
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError
from rropt.core.normal_form import named_in
from rropt.core.results.json_reading import equal_in_json
from rropt.core.results.result_frames import row_of

EQUAL = [
    (1, 1),
    (1, "1"),
    ({"a": [1, "2"]}, {"a": ("1", 2)}),
    ([], []),
    (None, None),
    (True, True),
]
DIFFERENT = [
    (True, 1),
    (True, "True"),
    (["a", "b"], "ab"),
    ("ab", ["a", "b"]),
    ([1], [1, 1]),
    ({"a": 1}, {"a": 1, "b": 1}),
    ({"a": 1}, ["a"]),
    ({"a": [1, [2]]}, {"a": [1, [3]]}),
    (None, 0),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_numbers_may_be_texts(one: object, other: object) -> None:
    assert equal_in_json(one, other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_kinds_are_different(one: object, other: object) -> None:
    assert not equal_in_json(one, other)


def test_a_row_has_floats_of_exact_numbers_and_texts_as_they_are() -> None:
    record = {
        "exact": "1/3",
        "whole": "7",
        "level": "log(3)",
        "half": "log(9)/2",
        "fraction": "log(5/2)",
        "none": "log(0)",
        "large": "1" + "0" * 299,
        "infinite": "inf",
        "title": "1/3",
        "word": "2/3 of all",
        "flag": True,
        "missing": None,
        "near": "3/7",
        "inner": {"value": "-1/4", "decimals": {}},
        "pair": ["1/4", "1/2"],
        "interval": ["1/4", "1/2"],
        "decimals": {"near": 0.42, "interval": [0.25, 0.5], "flag": True},
    }
    found = row_of(record)
    assert found == {
        "exact": 1 / 3,
        "whole": 7.0,
        "level": pytest.approx(math.log(3)),
        "half": "log(9)/2",
        "fraction": pytest.approx(math.log(2.5)),
        "none": "log(0)",
        "large": 1e299,
        "infinite": math.inf,
        "title": "1/3",
        "word": "2/3 of all",
        "flag": True,
        "missing": None,
        "near": 0.42,
        "inner_value": -0.25,
        "low": 0.25,
        "high": 0.5,
    }


def test_a_name_is_found_however_its_letters_are_composed() -> None:
    names = ["no", "S\u00ed", "maybe"]
    assert named_in("Si\u0301", names) == named_in("S\u00ed", names) == "S\u00ed"
    assert named_in("maybe", names) == "maybe"
    assert named_in("Si", names) is None


def test_a_certificate_comes_back_from_its_object_alone() -> None:
    certificate = rropt.solve(rropt.Problem.binary("1/4", epsilon="log(3)"), ["exact"]).certificate
    assert certificate is not None
    data = certificate.to_dict()
    assert Certificate.from_dict(dict(reversed(data.items()))) == certificate == Certificate.from_dict(data)
    assert Certificate.from_dict({**data, "question": {}}) == certificate
    for other in ({**data, "further": 1}, {key: data[key] for key in list(data)[1:]}, [data], None):
        with pytest.raises(FileFormatError, match="allowed is what to_dict returns"):
            Certificate.from_dict(other)
