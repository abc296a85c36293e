"""Pictures of the accountant: what they show, and what they say where there is nothing to show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.accounting import panel
from rropt.cli.main import main
from rropt.core.errors import InvalidParameterError
from rropt.plots import draw, privacy_curve, reports


def test_a_curve_shows_the_bounds_and_the_question() -> None:
    found = rropt.compose("log(3)*20", delta="1/1000")
    figure = draw(found)
    axes = figure.to_matplotlib().axes[0]
    assert axes.get_yscale() == "log"
    line, asked = axes.lines
    ((epsilon, delta),) = asked.get_xydata()
    assert delta == float(found.delta.upper)
    assert 0 <= epsilon - found.upper < 1e-10
    shown = [float(point.upper) for point in found.curve if point.upper >= 1e-12]
    assert list(line.get_ydata()) == shown
    assert "20 x log(3)" in figure.text


@pytest.mark.slow
def test_shuffled_reports_and_their_inverse_have_a_curve() -> None:
    for given in ({"mechanism": "2", "delta": "1/10000"}, {"epsilon": "1/2", "delta": "1/1000"}):
        found = rropt.shuffle(n=60, points=5, **given)
        assert len(found.curve) == 5
        assert found.curve[0].upper > found.curve[-1].upper > 0 or found.curve[-1].upper < 1e-6
        assert found.curve[-1].epsilon <= found.local.nats(6).upper if hasattr(found.local, "nats") else True
        assert privacy_curve(found).to_bytes("png")[1:4] == b"PNG"
    with pytest.raises(InvalidParameterError, match="ask for at least 2"):
        privacy_curve(rropt.shuffle("2", 60, delta="1/10000"))


@few_rows(1)
@pytest.mark.parametrize(("mechanism", "words"), [("rappor:1/2,1/2,3/4", "limit"), ("warner:3/4", "no limit")])
def test_reports_over_time(mechanism: str, words: str) -> None:
    found = panel(mechanism, 12)
    figure = draw(found)
    assert words in figure.text
    assert list(figure.to_matplotlib().axes[0].lines[0].get_xdata()) == [point.reports for point in found.curve]
    assert reports(found).text == figure.text


@pytest.mark.slow
def test_nothing_and_everything_are_drawn() -> None:
    assert "Nothing is revealed" in draw(rropt.compose()).text
    assert draw(rropt.compose("inf", delta="1/2")).chart.marks
    assert draw(panel("inf", 3)).chart.marks
    for wrong in (privacy_curve, reports, draw):
        with pytest.raises(InvalidParameterError, match="received 'x'"):
            wrong("x")


@few_rows(1)
@pytest.mark.parametrize(
    "words",
    [
        ["compose", "warner:3/4*5", "--epsilon", "2"],
        ["shuffle", "2", "--n", "40", "--delta", "1/1000"],
        ["panel", "dbitflip:8,2,1", "--waves", "4"],
    ],
)
def test_commands_write_a_picture(words: list[str], tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "curve.svg"
    assert main([*words, "--plot", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["curve"]
    assert "<svg" in file.read_text(encoding="utf-8")
