"""Text of files that would take a terminal or a page over: it is shown as escapes, wherever a command shows it."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows
from support.later import later
from table_calls import estimate_table

from rropt.core.errors import RroptError
from rropt.core.visible import html_text, visible

duckdb = later("duckdb")
pa = later("pyarrow")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

# Colours, links and titles of terminals, bells, the reading order turned around, what nobody sees, line ends, markup.
SIGNS = {
    "escape": "\x1b[31m",
    "link": "\x1b]8;;http://example.org\x1b\\here\x1b]8;;\x07",
    "title": "\x1b]0;owned\x07",
    "eight-bit": "\x9b31m",
    "bell": "\x07",
    "backspace": "no\x08\x08yes",
    "override": "\u202esey",
    "isolate": "\u2066yes\u2069",
    "zero-width": "y\u200be\u200ds\ufeff",
    "line": "a\u2028b",
    "paragraph": "a\u2029b",
    "next-line": "a\x85b",
    "carriage": "a\rb",
    "newline": "a\nb",
    "tab": "a\tb",
    "delete": "a\x7fb",
    "soft-hyphen": "a\u00adb",
    "tag": "a\U000e0041b",
    "private": "a\ue000b",
    "markup": "[red]a[/red][/]:smile:",
    "page": "<script>alert(1)</script>&amp;\"'",
    "formula": "$\\frac{1}{$\\x",
}
_LISTED = list(SIGNS.values())
TOGETHER = ["".join(_LISTED[:8]), "".join(_LISTED[8:-3]), *_LISTED[-3:]]


@pytest.fixture
def texts(size: Callable[[int, int], int]) -> list[str]:
    """All control characters in few texts; at full size all signs, together and each by itself."""
    return list(dict.fromkeys([*TOGETHER, *_LISTED])) if size(0, 1) else TOGETHER[:2]


def require_shown(*texts: str) -> None:
    """Require that no control or format character stands in a text, but for line ends."""
    for text in texts:
        raw = {
            ascii(sign)
            for sign in text
            if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        }
        assert not raw, (raw, text[:500])


@every_case("sign", SIGNS)
def test_visible(sign: str) -> None:
    """Nothing stays that a terminal obeys; what is harmless stays as it is."""
    text = visible(SIGNS[sign])
    require_shown(text)
    assert "\n" not in text
    assert visible(text) == text
    if sign in ("markup", "page", "formula"):
        assert text == SIGNS[sign]
    assert "<" not in html_text(SIGNS[sign])


def test_every_character_once(size: Callable[[int, int], int]) -> None:
    """All code points: what is shown is printable, or a blank; and what is printable is shown as it is."""
    step = size(7, 1)
    points = range(0, sys.maxunicode + 1, step)
    for point in points:
        sign = chr(point)
        told = visible(sign)
        if sign.isprintable() or unicodedata.category(sign) == "Zs":
            assert told == sign
        else:
            assert told.isprintable()
            assert told.startswith("\\")
    assert len(points) > 10**5


COIN = ("--mechanism", "warner:3/4")


def table(sign: str, columns: int = 2) -> dict[str, list[str]]:
    return {
        f"q{sign}": ["0", "1", "1", "0"] * 5,
        f"g{sign}": [sign, "plain", sign, "plain"] * 5,
        f"w{sign}": ["1", "2", "1", "2"] * 5,
    }


@few_rows(1)
@pytest.mark.parametrize("place", range(len(TOGETHER)))
def test_names_and_values_in_results(place: int) -> None:
    """Column names, groups and categories, in every way that Python shows a result."""
    text = TOGETHER[place]
    data = {name: np.array(values, object) for name, values in table(text).items()}
    q, g, w = data
    found = [
        estimate_table(data, q, "warner:3/4", by=g),
        estimate_table(data, q, "warner:3/4", by=g, weights=w),
    ]
    for one in found:
        require_shown(str(one), repr(one), one._repr_html_())
        assert "<script>" not in one._repr_html_()
        assert type(one).from_json(one.to_json()) == one  # JSON has the names as they are
    for wrong in ({"columns": f"x{text}"}, {"by": f"x{text}"}, {"categories": [text, text]}, {"single_psu": text}):
        with pytest.raises(RroptError) as caught:
            estimate_table(**{"data": data, "columns": q, "mechanism": "warner:3/4", **wrong})
        require_shown(str(caught.value))
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_commands_show_names_and_values(cli: Cli, tmp_path: Path, texts: list[str]) -> None:
    """Every command that shows text of a file: tables, remarks, errors, pages and pictures."""
    page, picture = tmp_path / "page.html", tmp_path / "groups.svg"
    answer = tmp_path / "groups.json"
    shown = 0
    for number, text in enumerate(texts):
        data = tmp_path / f"{number}.parquet"
        parquet.write_table(pa.table(table(text)), data)
        q, g, w = (quoted(name) for name in table(text))
        calls = [
            ("estimate", str(data), "--columns", q, *COIN, "--by", g),
            ("estimate", str(data), "--columns", q, *COIN, "--by", g, "--weights", w),
            ("estimate", str(data), "--columns", g, *COIN, "--by", q),
            ("estimate", str(data), "--columns", q, "--devices", g),
            ("estimate", str(data), "--columns", quoted(f"x{text}"), *COIN),
            ("estimate", str(data), "--columns", q, *COIN, "--weights", text or "w"),
            ("randomize", str(data), "--columns", g, "--mechanism", "bits:3/4", "--output", str(tmp_path / "o.csv")),
            ("plan", "margin", "0.1", "--mechanism", text),
            ("privacy", text),
            ("check", text),
            ("verify", text),
            ("privacy", "--level", f"curve:{text}"),
            ("laplace", "--epsilon", text),
            ("design", "binary", "--epsilon", text, "--prevalence", "1/10"),
            ("noncompliance", "--sample", f"{text}=1,2"),
            (text,),
        ]
        for call in calls:
            status, out, err = cli(*call)
            assert status in (0, 1, 2), (call, err)
            require_shown(out, err)
            assert status != 2 or err.count("\n") == 1, (call, err)
            shown += 1
        status, out, err = cli(*calls[0], "--json")
        assert (status, out.isascii()) == (0, True), err
        answer.write_text(out)
        assert cli("report", str(answer), "--output", str(page), "--title", text)[0] == 0
        require_shown(page.read_text())
        assert "<script>" not in page.read_text()
        if text in (TOGETHER[0], TOGETHER[1], SIGNS["formula"]):
            assert cli("plot", "groups", str(answer), "--output", str(picture))[0] == 0
            require_shown(picture.read_text())
    assert shown >= 16 * len(texts)


def quoted(name: str) -> str:
    """Return the name of a column as an option takes it."""
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.slow
def test_names_of_files_folders_and_tables(cli: Cli, tmp_path: Path, texts: list[str]) -> None:
    """Names that the file system and databases hold, of every kind of file; a lone surrogate among them."""
    here = os.fsencode(tmp_path)
    seen = 0
    for number, text in enumerate([*texts, "\udcff\udc9b"]):
        name = text.replace("/", "-").replace("\0", "")
        odd = os.fsdecode(here + b"/" + os.fsencode(name))
        files = [f"{odd}.csv", f"{odd}.sqlite", f"{odd}.duckdb", f"{odd}.zip", f"{odd}.jsonl", f"{odd}.bad"]
        Path(files[0]).write_text("q,r\n0,a\n1,b\n")
        made: Any = sqlite3.connect(os.fsencode(files[1]))
        own = (text.encode("utf-8", "replace").decode()).replace("\0", "")
        for table_name in (own, f"{own}2"):
            made.execute(f"CREATE TABLE {quoted(table_name)} (q, {quoted(own)})")
        made.commit()
        made.close()
        plain = tmp_path / "plain.duckdb"
        plain.unlink(missing_ok=True)
        made = duckdb.connect(str(plain))
        for table_name in (own, f"{own}2"):
            made.execute(f"CREATE TABLE {quoted(table_name)} (q VARCHAR)")
        made.close()
        plain.rename(files[2])
        with zipfile.ZipFile(files[3], "w") as archive:
            archive.writestr(f"{own}.csv", "q\n0\n")
            archive.writestr(f"{own}2.csv", "q\n0\n")
        Path(files[4]).write_text(json.dumps({"q": text, text: "\ud800"}) + "\n")
        Path(files[5]).write_bytes(b"\x89PNG")
        folder = os.fsdecode(here + f"/{number}".encode())
        inner = os.fsdecode(os.fsencode(folder) + b"/" + os.fsencode(f"g{name}={name}"))
        Path(inner).mkdir(parents=True)
        Path(inner, "a.csv").write_text("q\n0\n1\n")
        key = f"g{name}"
        calls = [
            *(("estimate", file, "--column", "q", *COIN) for file in (*files, folder, f"{odd}.none")),
            ("estimate", folder, "--columns", "q", *COIN, "--by", quoted(key)),
            ("estimate", files[1], "--column", "q", *COIN, "--table", own),
            ("estimate", files[0], files[0], "--column", "q", *COIN),
            ("estimate", odd, "--glob", "--column", "q", *COIN),
            ("estimate", files[0], "--column", "q", *COIN, "--engine", text),
            ("report", files[0], "--output", str(tmp_path / "page.html")),
            ("check", files[0]),
            ("privacy", files[0]),
            ("randomize", files[0], "--column", "q", *COIN, "--output", files[0]),
            ("randomize", files[0], "--column", "q", *COIN, "--output", os.fsdecode(here + b"/none/") + name),
        ]
        for call in calls:
            status, out, err = cli(*call)
            assert status in (0, 1, 2), (call, err)
            require_shown(out, err)
            assert status != 2 or err.count("\n") == 1, (call, err)
            seen += 1
    assert seen >= 16 * len(texts)


def test_text_of_json_files(cli: Cli, tmp_path: Path, texts: list[str]) -> None:
    """Keys, values and names in mechanisms, certificates, answers and files of devices."""
    path, page, data = tmp_path / "a.json", tmp_path / "page.html", tmp_path / "a.csv"
    data.write_text("q,d\n0,A\n1,A\n")
    question = {"command": "mechanisms", "versions": {"rropt": "0.1.0"}}
    asked = 0
    for text in [*texts, "\ud800\0b"]:
        files = [
            {text: text, "matrix": [["1", "0"], ["0", "1"]]},
            {"matrix": [[text, "0"], ["0", "1"]]},
            {"format": text},
            {"format": "2", "statement": text, "problem": {text: text}, "claim": {}, "proof": {}},
            {"mechanisms": [text, {text: text}], text: text, "question": {**question, text: text}},
            {"A": text},
            {text: "warner:3/4"},
            [text],
            text,
        ]
        for content in files:
            path.write_text(json.dumps(content))
            for call in (
                ("privacy", str(path)),
                ("check", str(path)),
                ("check", str(path), "--exact"),
                ("compare", str(path), "warner:3/4"),
                ("design", "problem", str(path)),
                ("report", str(path), "--output", str(page)),
                ("estimate", str(data), "--column", "q", "--devices", f"d={path}"),
            ):
                status, out, err = cli(*call)
                assert status in (0, 1, 2), (call, content, err)
                require_shown(out, err)
                assert status != 2 or err.count("\n") <= 1, (call, content, err)
                asked += 1
            if page.exists():
                require_shown(page.read_text(errors="surrogatepass"))
                page.unlink()
    assert asked > 60 * len(texts)
