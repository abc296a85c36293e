"""Files of estimates whose parts do not fit together are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from table_calls import estimate_table

import rropt
from rropt.answers.respondents import answers_of_counts
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.estimates.question_estimates import estimate_questions
from rropt.mechanisms import named_mechanism

TABLE = {
    "q": np.array([0, 1, 1, 0, 1, 0, 1, 1] * 5),
    "g": np.array(["a", "b"] * 20, object),
    "w": np.array([1, 2] * 20),
}


def _refused(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "forged.json"
    file.write_text(json.dumps({key: value for key, value in record.items() if key != "decimals"}), encoding="utf-8")
    with pytest.raises((FileFormatError, InvalidParameterError), match=r"fit|damaged|misses"):
        rropt.load(file)


def _of_questions(marginals: int | None) -> dict[str, Any]:
    answers = answers_of_counts(named_mechanism("bits:3/4*2"), [40, 30, 20, 10])
    record: dict[str, Any] = json.loads(estimate_questions(answers, marginals=marginals).to_json())
    return record


@pytest.mark.parametrize(
    "change",
    [{"questions": None}, {"rows": [{}]}, {"mechanisms": [{"product": []}]}, {"confidence": "2"}, {"kind": "tables"}],
    ids=["questions", "rows", "mechanisms", "confidence", "kind"],
)
def test_parts_of_several_questions_must_fit(tmp_path: Path, change: dict[str, Any]) -> None:
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(_of_questions(2) | change), encoding="utf-8")
    with pytest.raises((FileFormatError, InvalidParameterError)):
        rropt.load(file)


@pytest.mark.parametrize("marginals", [None, 1])
def test_a_joint_table_and_marginals_are_read(tmp_path: Path, marginals: int | None) -> None:
    record = _of_questions(marginals)
    (tmp_path / "estimate.json").write_text(json.dumps(record), encoding="utf-8")
    again = rropt.load(tmp_path / "estimate.json")
    assert [row.name for row in again] == [row["name"] for row in record["rows"]]
    assert again.to_dict()["rows"] == record["rows"]


def _without_names(plain: dict[str, Any], _: dict[str, Any]) -> dict[str, Any]:
    del plain["rows"][0]["name"]
    return plain


def _of_another_kind(plain: dict[str, Any], _: dict[str, Any]) -> dict[str, Any]:
    return plain | {"kind": "shares"}


def _without_intervals(_: dict[str, Any], weighted: dict[str, Any]) -> dict[str, Any]:
    del weighted["rows"][0]["intervals"]
    return weighted


def _without_p(_: dict[str, Any], weighted: dict[str, Any]) -> dict[str, Any]:
    del weighted["differences"][0]["first"]
    return weighted


@few_rows(1)
@pytest.mark.parametrize("forge", [_without_names, _of_another_kind, _without_intervals, _without_p])
def test_groups_with_and_without_weights_are_read_if_whole(
    tmp_path: Path, forge: Callable[..., dict[str, Any]]
) -> None:
    plain = json.loads(estimate_table(TABLE, "q", "warner:3/4", by="g").to_json())
    weighted = json.loads(estimate_table(TABLE, "q", "warner:3/4", by="g", weights="w").to_json())
    _refused(tmp_path, forge(plain, weighted))


_FORGED: dict[str, Callable[[list[list[Any]]], Any]] = {
    "empty": lambda V: [],
    "empty rows": lambda V: [[] for _ in V],
    "doubled": lambda V: [*V, *V],
    "doubled rows": lambda V: [[*own, *own] for own in V],
    "cut short": lambda V: V[:-1],
    "a row cut short": lambda V: [V[0][:-1], *V[1:]],
    "not symmetric": lambda V: [[V[0][0], "1/7", *V[0][2:]], *V[1:]],
    "missing on one side": lambda V: [[V[0][0], None, *V[0][2:]], *V[1:]],
    "other variances": lambda V: [[("1/9" if i == j else one) for j, one in enumerate(own)] for i, own in enumerate(V)],
    "no lists": lambda V: "covariance",
    "numbers": lambda V: [1] * len(V),
}


@cache
def _estimates() -> tuple[Any, ...]:
    """Estimates by group with weights, of one sample, and by group."""
    return (
        estimate_table(TABLE, "q", "grr:2,3/4", by="g", weights="w"),
        rropt.estimate([40, 30, 30], "grr:3,1/2"),
        estimate_table(TABLE, "q", "warner:3/4", by="g"),
    )


@pytest.mark.parametrize("forge", _FORGED)
def test_a_covariance_must_be_that_of_the_rows(tmp_path: Path, forge: str) -> None:
    for found in _estimates():
        record = json.loads(found.to_json())
        (tmp_path / "whole.json").write_text(json.dumps(record), encoding="utf-8")
        again = rropt.load(tmp_path / "whole.json")
        np.testing.assert_allclose(again.cov_params(), found.cov_params(), rtol=1e-12)
        _refused(tmp_path, record | {"covariance": _FORGED[forge](record["covariance"])})
