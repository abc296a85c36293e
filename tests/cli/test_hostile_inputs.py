"""Giant cells and lines, NUL bytes and bad UTF-8: each reader answers in one line, without the content."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from stored_cases import cases_of

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
READERS = cases_of(__file__)["readers"]


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("reader", READERS)
def test_a_hostile_file_is_refused_in_one_line(
    reader: str, kind: str, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "hostile.csv"
    path.write_bytes(FILES[kind])
    status, out, err = cli(*(word.replace("FILE", str(path)) for word in shlex.split(READERS[reader])))
    if reader == "count" and kind == "empty":
        assert status == 0  # no responses
        return
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert "1" * 70 not in err
    assert len(err) < 1000
