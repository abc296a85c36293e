"""Errors of finite populations name the stratum or the cluster, and the lines where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from few_rows import few_rows
from support.table_calls import table_estimate
from table_calls import regress_table

import rropt_fieldwork
from rropt.core.errors import InvalidParameterError, RroptError

DESIGN = {"column": "y", "mechanism": "warner:3/4", "strata": "s", "clusters": "c"}


def write(path: Path, rows: list[str]) -> str:
    path.write_text("\n".join(["y,s,c,f,g", *rows]) + "\n")
    return str(path)


@few_rows(1)
@pytest.mark.parametrize(
    ("rows", "fpc", "told"),
    [
        (
            ["0,A,1,9,5", "1,A,2,9,5", "1,B,3,10,5", "1,B,4,12,5", "0,B,4,10,5"],
            "f",
            "in all rows of stratum 'B': received 10 and 12 in lines 4, 5 of the data; give",
        ),
        (
            ["0,A,1,9,5", "1,A,1,9,5", "1,B,1,9,5", "1,B,1,9,7", "0,B,2,9,7", "1,A,2,9,5"],
            ("f", "g"),
            "in all rows of cluster '1' of stratum 'B': received 5 and 7 in lines 4, 5 of the data; give",
        ),
        (
            ["0,A,1,9,5", "1,A,2,8,5", "1,B,3,10,5", "1,B,4,12,5"],
            "f",
            "stratum 'A': received 8 and 9 in lines 2, 3 of the data; this is so in 2 of 2 strata; give",
        ),
        (
            ["0,A,1,9,5", "1,A,2,9,5", "1,B,3,0.5,5", "1,B,4,0.5,5"],
            "f",
            r"received 0.5 in stratum 'B' \(line 4 of the data\) and 9 in stratum 'A' \(line 2\)",
        ),
        (
            ["0,A,1,9,5", "1,A,2,9,5", "1,B,3,2,5", "1,B,4,2,5", "1,B,5,2,5"],
            "f",
            r"received 2 for stratum 'B' \(line 4 of the data\), of which 3 clusters are in the data; give",
        ),
        (
            ["0,A,1,9,5", "1,A,2,9,2", "0,A,2,9,2", "0,A,2,9,2"],
            ("f", "g"),
            r"received 2 for cluster '2' of stratum 'A' \(line 3 of the data\), of which 3 rows are in the data",
        ),
    ],
)
def test_the_stratum_and_its_lines_are_named(tmp_path: Path, rows: list[str], fpc: object, told: str) -> None:
    path = write(tmp_path / "a.csv", rows)
    with pytest.raises(RroptError, match=told):
        table_estimate(data=path, fpc=fpc, **DESIGN)
    with pytest.raises(RroptError, match=told):
        regress_table(path, "y ~ 1", "warner:3/4", strata="s", clusters="c", fpc=fpc)


def test_a_sample_without_strata_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["0,A,1,9,5", "1,A,2,7,5", "1,B,3,2,5"])
    with pytest.raises(RroptError, match=r"received 2 for the sample \(all rows of the data\), of which 3 rows are"):
        rropt_fieldwork.TableResponses("y", "warner:3/4", data=rropt_fieldwork.read(path).sampled(fpc="2")).estimate()
    with pytest.raises(RroptError, match="rows of the sample: received 2 and 9 in lines 2, 3 of the data"):
        rropt_fieldwork.TableResponses("y", "warner:3/4", data=rropt_fieldwork.read(path).sampled(fpc="f")).estimate()
    with pytest.raises(InvalidParameterError, match="one count is no population of several strata"):
        table_estimate(data=path, fpc="20", **DESIGN)


def test_selected_rows_alone_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["0,B,3,8,5", "0,A,1,9,5", "1,A,2,9,5", "1,B,3,10,5", "1,B,4,12,5"])
    with pytest.raises(RroptError, match="stratum 'B': received 8 and 12 in lines 2, 5 of the data"):
        table_estimate(data=rropt_fieldwork.read(path, where="g = 5"), fpc="f", **DESIGN)
