"""Bit vectors in the cells of a table, as ``randomize`` writes them: ``estimate`` reads what ``count`` reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork
from rropt.core.errors import FileFormatError

SUE = rropt.Mechanism("sue:4,3/4")


def texts(seed: int = 3) -> list[str]:
    draw = np.random.default_rng(seed)
    return ["".join(map(str, row)) for row in draw.integers(0, 2, (60, 4))]


@few_rows(1)
@pytest.mark.parametrize("kind", ["csv", "frame", "parquet"])
def test_bits_are_read_as_the_numbers_of_their_outputs(tmp_path: Path, kind: str) -> None:
    listed = texts()
    numbers = [sum(int(bit) << j for j, bit in enumerate(text)) for text in listed]  # bit j is that of category j
    counts = np.bincount(numbers, minlength=16).tolist()
    data: object = {"report": np.array(listed, object)}
    if kind != "frame":
        import duckdb

        path = tmp_path / f"a.{kind}"
        relation = duckdb.sql(f"SELECT unnest({listed!r}) AS report")
        relation.write_csv(str(path)) if kind == "csv" else relation.write_parquet(str(path))
        data = str(path)
    found = rropt_fieldwork.TableResponses("report", SUE, data=data).estimate()
    assert list(found.counted.counts) == counts
    assert tuple(row.estimate for row in found) == rropt.inference.estimate(SUE, counts).estimate
    grouped = rropt_fieldwork.TableResponses(
        "report", SUE, data={"report": np.array(listed, object), "g": np.arange(60) % 2}
    ).estimate(by="g")
    assert grouped[0].n == 30


def test_what_randomize_writes_is_estimated(cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x\n" + "\n".join("0123" * 20) + "\n")
    own = ("--column", "x", "--mechanism", "sue:4,3/4")
    assert cli("randomize", str(path), *own, "--output", str(tmp_path / "b.csv"))[0] == 0
    assert cli("estimate", str(tmp_path / "b.csv"), *own)[0] == 0
    found = rropt_fieldwork.TableResponses("x", SUE, data=str(tmp_path / "b.csv")).estimate()
    assert found.nobs == 80
    assert sum(found.counted.counts) == 80
    numbers = {format(i, "04b")[::-1]: i for i in range(16)}
    lines = (tmp_path / "b.csv").read_text().split()[1:]
    assert list(found.counted.counts) == np.bincount([numbers[line] for line in lines], minlength=16).tolist()


def test_numbers_of_outputs_are_read_beside_bits_and_others_are_refused(tmp_path: Path) -> None:
    found = rropt_fieldwork.TableResponses(
        "report", SUE, data={"report": np.array(["0101", "10", "1"], object)}
    ).estimate()
    assert [i for i, count in enumerate(found.counted.counts) if count] == [1, 10]
    for wrong in ("101", "01", "01010", "01 01", "0121"):
        with pytest.raises(FileFormatError, match="allowed are texts of 4 bits, such as 0101, whose bit j belongs to"):
            rropt_fieldwork.TableResponses("report", SUE, data={"report": np.array(["0101", wrong], object)}).estimate()


def test_devices_of_bits_share_their_length() -> None:
    data = {"report": np.array(texts(), object), "d": np.array(["A", "B"] * 30, object)}
    devices = {"A": SUE, "B": rropt.Mechanism("oue:4,3")}
    found = rropt_fieldwork.TableResponses("report", devices, data=data, devices="d").estimate()
    assert found[0].n == 60
