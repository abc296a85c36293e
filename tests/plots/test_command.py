"""``rropt plot``: files, data, windows, and bad input."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rropt import check

REGION = ("plot", "region", "--epsilon", "log(2)", "--delta", "1/4")
VARIANCE = ("plot", "variance", "--gamma", "2", "--delta", "1/4", "--prevalence", "1/4")
EFFICIENCY = ("plot", "efficiency", "--prevalence", "2551/9740", "--mark", "log(5)")


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name", "begin", "options"),
    [
        (REGION, "a.png", b"\x89PNG", ["--dpi", "60"]),
        (VARIANCE, "a.svg", b"<?xml", ["--size", "screen"]),
        (("plot", "g"), "a.pdf", b"%PDF", ["--size", "wide"]),
        (EFFICIENCY, "a.svg", b"<?xml", []),
    ],
)
def test_files(cli, tmp_path: Path, command: tuple[str, ...], name: str, begin: bytes, options: list[str]) -> None:
    status, out, err = cli(*command, "--output", str(tmp_path / name), *options)
    assert (status, out) == (0, "")
    assert err == f"picture written to {tmp_path / name}\n"
    assert (tmp_path / name).read_bytes().startswith(begin)


def test_data_of_a_region(cli_json, tmp_path: Path) -> None:
    data = cli_json(*REGION, "--prevalence", "1/4", "--mechanism", "warner:3/4", "--output", str(tmp_path / "a.svg"))
    assert data["output"] == str(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").exists()
    assert (data["region"]["epsilon"], data["region"]["delta"]) == ({"log": "2"}, "1/4")
    points = {tuple(d["names"]): (d["p00"]["exact"], d["p11"]["exact"]) for d in data["designs"]}
    assert points["C",] == ("3/4", "3/4")
    assert points["B'",] == ("0", "3/4")
    assert data["optimum"]["names"] == ["B", "C"]
    assert data["optimum"]["solution"]["value"] == "15/16"
    assert check(data["optimum"]["solution"]["certificate"])
    assert data["mechanism"]["matrix"] == [["3/4", "1/4"], ["1/4", "3/4"]]


def test_data_of_a_landscape(cli_json) -> None:
    data = cli_json(*VARIANCE, "--mechanism", "generalised:7/10,1/2")
    assert data["picture"] == "variance"
    assert data["mechanism_variance"] == "91/16"
    assert data["candidates"]["B"]["exact"] == data["candidates"]["C"]["exact"] == "15/16"
    assert data["levels"] == ["1", "2", "5", "10", "20"]
    for contour in data["contours"]:
        for x, y in contour:
            assert len(x) == len(y) > 1


def test_data_of_level_sets(cli_json) -> None:
    data = cli_json("plot", "g", "--values", "1/4,1/10", "--mark", "log(2),1/4", "--epsilon", "0..log(8)")
    assert data["levels"] == ["1/10", "1/4"]
    assert len(data["curves"]) == 2
    assert data["marks"][0]["value"] == {"exact": "1/4", "decimal": 0.25}
    assert data["epsilon"] == ["0", "log(8)"]


def test_data_of_efficiencies(cli_json) -> None:
    data = cli_json(*EFFICIENCY)
    marked = {name: curve["marked"][0] for curve in data["curves"] for name in curve["designs"]}
    assert round(float(Fraction(marked["unrelated question πB = 1/4"])), 5) == 1.50603
    assert marked["Warner"] == "1"
    assert data["points"][0]["mechanism"]["matrix"] == [["5/6", "1/6"], ["1/6", "5/6"]]
    assert check(data["points"][0]["certificate"])
    bare = cli_json("plot", "efficiency", "--prevalence", "1/4", "--other", "", "--mark", "")
    assert [len(curve["designs"]) for curve in bare["curves"]] == [4, 1]


def test_data_need_no_matplotlib(cli, cli_json, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for command in (REGION, VARIANCE, ("plot", "g"), EFFICIENCY):
        assert cli_json(*command)["output"] is None
        assert cli(*command, "--output", str(tmp_path / "a.svg"))[0] == 0
        (tmp_path / "a.svg").unlink()
        status, out, err = cli(*command, "--output", str(tmp_path / "a.png"))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert 'pip install "rropt[plot]"' in err
    assert not list(tmp_path.iterdir())


def test_without_a_screen_the_output_is_asked_for(cli) -> None:
    status, out, err = cli("plot", "g")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "no screen" in err
    assert "--output FILE.svg" in err


def test_without_a_toolkit_for_windows_the_output_is_asked_for(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("MPLBACKEND", "agg")
    status, out, err = cli("plot", "g", "--values", "1/4")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--output FILE.svg" in err


def test_with_a_screen_a_window_shows_the_figure(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib.pyplot as plt

    monkeypatch.setenv("DISPLAY", ":0")
    shown: list[Any] = []
    canvas = type(plt.figure().canvas)
    plt.close("all")
    monkeypatch.setattr(canvas, "required_interactive_framework", "tk", raising=False)
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.gcf().canvas.figure))
    try:
        assert cli("plot", "g", "--values", "1/4") == (0, "", "")
    finally:
        plt.close("all")
    assert len(shown) == 1
    assert "corner" in shown[0].get_label()  # the picture itself, not the window's empty figure
    assert shown[0].get_size_inches()[0] == 11


def test_json_is_one_object_and_nothing_else(cli) -> None:
    status, out, err = cli("plot", "g", "--values", "1/4", "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    assert isinstance(json.loads(out), dict)
