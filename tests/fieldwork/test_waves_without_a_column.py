"""Several files or frames of which one lacks a column: the message names it, whatever its format."""

from __future__ import annotations

import pytest
from later import later
from support.table_calls import table_estimate

import rropt_fieldwork
from rropt.core.errors import InvalidParameterError

pd, pl = later("pandas"), later("polars")


def _whole():
    return pd.DataFrame({"id": [1, 2, 3], "q": ["yes", "no", "yes"]})


def _other():
    return pd.DataFrame({"id": [1, 2], "qq": ["yes", "no"]})


@pytest.mark.parametrize("kind", ["csv", "parquet", "dta", "jsonl"])
def test_the_file_without_a_column_is_named(tmp_path, kind):
    _whole().to_csv(tmp_path / "first.csv", index=False)
    second = tmp_path / f"second.{kind}"
    {
        "csv": lambda: _other().to_csv(second, index=False),
        "parquet": lambda: _other().to_parquet(second),
        "dta": lambda: _other().to_stata(second, write_index=False),
        "jsonl": lambda: _other().to_json(second, orient="records", lines=True),
    }[kind]()
    asked = {"column": "q", "mechanism": "warner:3/4", "categories": ["no", "yes"]}
    with pytest.raises(InvalidParameterError, match=rf"received 'q', and no column of 2 in .*second\.{kind}"):
        table_estimate(data=[str(tmp_path / "first.csv"), str(second)], **asked)
    with pytest.raises(InvalidParameterError, match="no column of 2 has that name"):
        table_estimate(data=str(second), **asked)


@pytest.mark.parametrize(
    "frames",
    [lambda: [_whole(), _other()], lambda: [pl.from_pandas(_whole())], lambda: ["first.csv", _whole()]],
    ids=["pandas", "polars", "file and pandas"],
)
def test_a_list_of_frames_is_refused_with_the_way_out(frames):
    with pytest.raises(InvalidParameterError, match=r"several tables: received a list of \d; join them"):
        rropt_fieldwork.TableResponses("q", "warner:3/4", data=frames(), categories=["no", "yes"]).estimate()
