"""What messages on levels, counts and files of devices name, and what they never repeat."""

from __future__ import annotations

from pathlib import Path

import pytest

PEOPLE = "answer,device,attention,w\n1,A,0,1\n0,B,0,2\n1,A,1,1\n0,B,0,2\n1,B,0,1\n0,A,1,1\n0,A,0,2\n1,B,0,2\n"
DEVICES = '{"A": "warner:3/4", "B": "warner:1/4"}'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"people.csv": PEOPLE, "devices.txt": DEVICES}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("text", ["answer\nsecret-1\nsecret-2\n", '[{"answer": "secret-1"}]'])
@pytest.mark.parametrize(
    "line", ["count --add data", "estimate people.csv --column answer --devices device --device-file data"]
)
def test_no_message_repeats_a_table_that_is_no_json_of_the_command(cli, folder: Path, text: str, line: str) -> None:
    (folder / "data").write_text(text)
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert "secret" not in err
    assert "data" in err or "JSON" in err


@pytest.mark.parametrize("command", ["estimate people.csv --column answer", "regress people.csv --formula answer~w"])
def test_a_file_of_devices_may_have_any_name(cli, command: str) -> None:
    found = cli(*command.split(), "--devices", "device", "--device-file", "devices.txt", "--json")
    assert found[0] == 0, found
    assert '"device_names": {"A": "warner:3/4", "B": "warner:1/4"}' in found[1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("compose 1/2 --epsilon log(0)", "needs a rational q > 0"),
        ("plot explorer --epsilon 1e-9 --output page.html", "0 < epsilon <= log(1000000)"),
        ("plot explorer --epsilon log(1000001) --output page.html", "0 < epsilon <= log(1000000)"),
    ],
)
def test_a_message_names_what_can_be_typed(cli, line: str, words: str) -> None:
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err
