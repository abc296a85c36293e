"""Giant cells and lines, NUL bytes and bad UTF-8: each reader answers in one line, without the content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

LONG = b"1" * 200_000
FILES = {
    "cell": b"a,b\n" + LONG + b",2\n",
    "name": LONG + b",b\n1,2\n",
    "line": LONG,
    "NUL": b"a,b\n1\0,2\n0,1\n",
    "no UTF-8": b"a,b\n\xff\xfe1,2\n0,\xff\n",
    "unclosed": b'a,b\n"1,2\n0,1\n',
    "short rows": b"a,b\n1,2,3,4\n1\n",
    "empty": b"",
}
READERS = {
    "compose": ("compose", "--questions", "FILE"),
    "longitudinal": ("compose", "--questions", "FILE", "--waves", "3"),
    "count": ("count", "FILE", "--mechanism", "warner:3/4"),
    "column": ("count", "FILE", "--column", "c", "--mechanism", "warner:3/4"),
    "merge": ("count", "--add", "FILE"),
    "privacy": ("privacy", "FILE"),
    "compare": ("compare", "warner:3/4", "FILE"),
    "repair": ("privacy", "--repair", "FILE", "--epsilon", "1"),
    "loss": ("design", "kary", "--epsilon", "1", "-k", "2", "--objective", "loss:FILE"),
    "levels": ("design", "kary", "-k", "2", "--objective", "trace", "--levels", "FILE"),
    "sweep": ("sweep", "FILE", "--output", "o.csv"),
    "report": ("report", "FILE", "--output", "r.html"),
    "estimate": ("estimate", "FILE", "--column", "c", "--mechanism", "warner:3/4"),
    "devices": ("estimate", "FILE", "--column", "c", "--devices", "b", "--device-file", "FILE"),
    "regress": ("regress", "FILE", "--formula", "c ~ b", "--mechanism", "warner:3/4"),
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("reader", READERS)
def test_a_hostile_file_is_refused_in_one_line(
    reader: str, kind: str, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "hostile.csv"
    path.write_bytes(FILES[kind])
    status, out, err = cli(*(word.replace("FILE", str(path)) for word in READERS[reader]))
    if reader == "count" and kind == "empty":
        assert status == 0  # no responses
        return
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert "1" * 70 not in err
    assert len(err) < 1000
