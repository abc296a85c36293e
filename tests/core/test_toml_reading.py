"""TOML of others: nesting is bounded before it is parsed, everywhere where TOML is read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from few_rows import few_rows

from rropt.core.files import toml_values

ROOT = Path(__file__).resolve().parents[2]
LONG = ".".join(["a"] * 12_000)  # 24 kilobytes, 0.6 gigabytes in memory
DEEP = {
    "key": f"{LONG} = 1",
    "table": f"[{LONG}]",
    "tables": f"[[{LONG}]]",
    "inline": f"x = {{{LONG} = 1}}",
    "blanks": f"{LONG.replace('.', ' . ')} = 1",
    "quoted": ".".join(['"a.b"'] * 100) + " = 1",
    "arrays": "x = " + "[" * 100_000 + "]" * 100_000,
    "after": f'x = """\na\n""" # .\n{LONG} = 1',
}
FLAT = (
    'a.b."c.d.e.f" = 1.5e3 # a.b.c.d.e...\n',
    'x = "' + "a." * 200 + '"\n',
    "x = '''\n" + "[" * 100 + "a." * 100 + "'''\n",
    'x = """\n' + '{\\"""' * 100 + '"""\n',
    "x = [" + "1.5, " * 500 + "]\n",
    "x = [1979-05-27T07:32:00.999999-07:00, 1.0, 3.5]\n",
    "[a]\n" + "".join(f"b{i}.c = 1.{i}\n" for i in range(500)),
)


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_nesting_is_refused_before_it_is_parsed(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="allowed are 32"):
        toml_values(text)


@pytest.mark.parametrize("text", FLAT, ids=range(len(FLAT)))
def test_dots_in_texts_comments_and_numbers_are_no_nesting(text: str) -> None:
    assert toml_values(text) == tomllib.loads(text)


def test_every_file_of_the_project_is_flat() -> None:
    files = [file for folder in ("rropt", "tests", "proofs") for file in (ROOT / folder).rglob("*.toml")]
    assert len(files) > 20
    for file in files:
        text = file.read_text("utf-8")
        assert toml_values(text) == tomllib.loads(text), file


@pytest.mark.parametrize("line", ["sweep deep.toml --output out.csv", "verify deep.toml", "survey --survey deep.toml"])
def test_commands_refuse_a_deep_file(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep.toml").write_text(f"{LONG} = 1\n")
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert "12000 parts" in err
    assert len(err.splitlines()) == 1


@few_rows(3)
@pytest.mark.parametrize("one", ["a", '"', "'", "[", "{", "=", ".", "\\", "#", '"""x', "'''x"])
def test_the_bound_takes_no_square_of_the_length(one: str) -> None:
    text = one * (300_000 // len(one))
    try:
        found = toml_values(text)
    except tomllib.TOMLDecodeError:
        return
    assert found == {}


def test_numbers_with_too_many_digits_are_no_toml(cli, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(f"x = {'9' * 10_000}\n")
    with pytest.raises(tomllib.TOMLDecodeError, match="too many digits: allowed are 4300"):
        toml_values(path.read_text())
    for command in (["verify"], ["survey", "--survey"], ["sweep", "--output", "s.csv"]):
        code, _, err = cli(*command, str(path))
        assert code == 2, command
        assert "too many digits" in err, command
