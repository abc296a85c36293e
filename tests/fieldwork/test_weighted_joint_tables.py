"""The joint table of several questions with weights, as without weights; else the first line says margins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate

import rropt_fieldwork

DEVICE = "bits:3/4,2/3"


def table(weights: bool = True) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(5)
    found = {"a": draw.integers(0, 2, 90), "b": draw.integers(0, 2, 90), "g": draw.integers(0, 2, 90)}
    return found | {"w": draw.integers(1, 4, 90) if weights else np.ones(90, np.int64)}


def test_equal_weights_give_the_joint_table_without_weights() -> None:
    data = table(weights=False)
    plain = rropt_fieldwork.TableResponses(["a", "b"], DEVICE, data=data).estimate()
    found = rropt_fieldwork.TableResponses(
        ["a", "b"], DEVICE, data=rropt_fieldwork.read(data).sampled(weights="w")
    ).estimate()
    assert [(one.question, one.name) for one in found] == [("a, b", cell) for cell in ("0, 0", "1, 0", "0, 1", "1, 1")]
    values = [float(one) for one in found]
    assert values == pytest.approx([float(x) for x in plain], abs=1e-12)  # sums of 90 floats


def test_the_weighted_joint_table_is_that_of_repeated_rows() -> None:
    data = table()
    found = rropt_fieldwork.TableResponses(
        ["a", "b"], DEVICE, data=rropt_fieldwork.read(data).sampled(weights="w")
    ).estimate()
    repeated = {name: np.repeat(column, data["w"]) for name, column in data.items()}
    joint = rropt_fieldwork.TableResponses(["a", "b"], DEVICE, data=repeated).estimate()
    values = [float(one) for one in found]
    assert values == pytest.approx([float(x) for x in joint], abs=1e-12)  # sums of 90 floats
    assert sum(values) == pytest.approx(1, abs=1e-12)


@few_rows(1)
@pytest.mark.parametrize(
    ("asked", "is_joint"),
    [
        ({"weights": "w"}, True),
        ({"clusters": "g"}, True),
        ({"weights": "w", "marginals": 2}, True),
        ({"weights": "w", "marginals": 1}, False),
        ({"weights": "w", "by": "g"}, False),
        ({"by": "g"}, False),
    ],
)
def test_margins_are_named_in_the_first_line(asked: dict[str, object], is_joint: bool) -> None:
    found = table_estimate(DEVICE, data=table(), columns=["a", "b"], **asked)
    first = found.summary(width=200).splitlines()[0]
    assert ("margins, not the joint table" in first) is not is_joint
    one = table_estimate("warner:3/4", data=table(), column="a", **{k: v for k, v in asked.items() if k != "marginals"})
    assert "margins" not in one.summary().splitlines()[0]


def test_more_questions_than_a_table_has_cells_are_margins(tmp_path: Path) -> None:
    data = {f"q{i}": table()["a"] for i in range(13)} | {"w": table()["w"]}
    names = [f"q{i}" for i in range(13)]
    found = rropt_fieldwork.TableResponses(
        names, "bits:3/4*13", data=rropt_fieldwork.read(data).sampled(weights="w")
    ).estimate()
    assert len(found) == 13
    assert "margins, not the joint table" in found.summary().splitlines()[0]
