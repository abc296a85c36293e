"""Audits of boxes that are called: programs, functions; defects, crashes, stopping, and the report."""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError
from rropt_fieldwork import audit, audit_box
from rropt_fieldwork.audits.sequential import _first_part, last_bit

PROGRAM = """
import random, sys
keep, seed, last = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)
for i, line in enumerate(sys.stdin):
    if i == last:
        sys.exit("out of order")
    x = int(line)
    print(x if rng.random() < keep else 1 - x, flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "box.py"
    path.write_text(PROGRAM)
    return path


def _chances(rng: random.Random, rows: list[list[float]]) -> Callable[[str], int]:
    """Return a box that draws from a row of chances for each input."""
    return lambda text: rng.choices(range(len(rows[0])), rows[int(text)])[0]


def _correct(rng: random.Random) -> Callable[[str], int]:
    return lambda text: int(text) if rng.random() < 0.75 else 1 - int(text)


def _twice(rng: random.Random) -> Callable[[str], int]:
    """Return a device whose coin is tossed again where it shows the truth to be withheld: p + (1 - p) p."""
    return lambda text: int(text) if rng.random() < 0.75 or rng.random() < 0.75 else 1 - int(text)


def _float_laplace(rng: random.Random) -> Callable[[str], float]:
    """Return the inverse transform in floats: 1 + noise has no bits below 2^-53, 0 + noise has."""

    def respond(text: str) -> float:
        u = rng.random() - 0.5
        return float(text) - math.copysign(1.0, u) * math.log(1 - 2 * abs(u))

    return respond


DEFECTS = {
    "p + (1 - p) p in the place of p": (_twice, {"claim": "log(3)"}),
    "a biased sampler": (lambda rng: _chances(rng, [[0.8, 0.2], [0.25, 0.75]]), {"claim": "log(3)"}),
    "a forbidden zero": (
        lambda rng: _chances(rng, [[0.74, 0.01, 0.25], [0.25, 0.0, 0.75]]),
        {"claim": "log(3)"},
    ),
    "a sampler in floats": (_float_laplace, {"claim": "1", "last_bits": True}),
}


@pytest.mark.parametrize("defect", sorted(DEFECTS))
def test_defects_are_found(defect: str) -> None:
    make, asked = DEFECTS[defect]
    found = audit_box(make(random.Random(7)), budget=60_000, **asked)
    assert found.refuted
    assert found.stopped == "the claim is refuted"
    assert found.calls < 60_000
    assert found.method == "e-value"
    assert type(found).from_dict(found.to_dict()) == found
    print(f"{defect}: refuted after {found.calls} calls")


def test_the_float_sampler_is_private_but_for_its_last_bits() -> None:
    found = audit_box(_float_laplace(random.Random(7)), budget=20_000, claim=1)
    assert (found.refuted, found.stopped) == (False, "the budget is used up")
    assert [last_bit(x) for x in ("0.75", "-12", "0.1", "1e999", "0", "no")] == [
        "2^-2",
        "2^2",
        "2^-55",
        "1e999",
        "0",
        "no",
    ]


@pytest.mark.slow
def test_false_alarms_of_stopped_audits() -> None:
    """Boxes that keep their claim exactly, looked at after every pair: at most alpha = 1/5 of them are refuted."""
    alarms, boxes = 0, 30
    for seed in range(boxes):
        found = audit_box(_correct(random.Random(seed)), claim="log(3)", budget=1_000, explore=20, confidence="4/5")
        alarms += bool(found.refuted)
    print(f"{alarms} of {boxes} boxes that keep the claim are refuted, at most 6 are expected")
    assert alarms <= 6


@pytest.mark.parametrize(("gamma", "q"), [(3.0, 0.25), (2.0, 0.1), (3.0, 0.02)])
def test_false_alarms_of_stopped_e_values_by_enumeration(gamma: float, q: float, size) -> None:
    """The chance that E ever reaches 20 within n pairs of a box at exactly its claim, by its exact law.

    With delta = 0 the state is (both, first, second): pairs without a hit leave E as it is. Two values of lambda.
    """
    n, p, goal = size(40, 100), gamma * q, math.log(20)
    cells = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
    at = np.indices((n + 1,) * 3)
    for bet in (0.5 / gamma, 0.15):
        logs = np.log([1 + bet * (1 - gamma), 1 + bet, 1 - bet * gamma])
        over = np.tensordot(logs, at, 1) >= goal
        law, alarms = np.zeros((n + 1,) * 3), 0.0
        law[0, 0, 0] = 1.0
        for _ in range(n):
            after = law * cells[3]
            after[1:] += law[:-1] * cells[0]
            after[:, 1:] += law[:, :-1] * cells[1]
            after[:, :, 1:] += law[:, :, :-1] * cells[2]
            alarms += float(after[over].sum())
            after[over] = 0.0
            law = after
        print(f"gamma {gamma}, q {q}, lambda {bet:.3f}: false alarms {alarms:.4f} within {n} pairs")
        assert alarms <= 0.05


def test_programs(cli, program: Path, tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    words = ["audit", "--command", f"{sys.executable} {program} 0.95 1 -1", "--claim", "log(3)", "--draws", "5000"]
    status, out, _ = cli(*words, "--report", str(page), "--json")
    found = json.loads(out)
    assert (status, found["refuted"], found["stopped"]) == (1, True, "the claim is refuted")
    assert found["question"]["command"] == "audit"
    record = tmp_path / "audit.json"
    record.write_text(out)
    assert rropt.load(str(record)).refuted
    text = page.read_text()
    assert "The claim that epsilon is log(3) is refuted" in text
    assert "never shows that a box is private" in text
    honest = [sys.executable, str(program), "0.75", "2", "-1"]
    kept = audit_box(honest, claim="log(3)", budget=3000)
    assert (kept.refuted, kept.calls, kept.stopped) == (False, 3000, "the budget is used up")
    assert (kept.explored, kept.samples) == ((300, 300), (1200, 1200))
    assert [_first_part(n, inputs, None) for n, inputs in ((100, 2), (900, 3), (10**6, 2))] == [20, 60, 10_000]
    assert cli("audit", "--command", " ".join(honest), "--draws", "400")[0] == 0


def test_a_crash_leaves_what_was_proved(program: Path) -> None:
    """The program ends after 3001 responses, in the test: the pairs before are tested."""
    found = audit_box([sys.executable, str(program), "0.9", "3", "3001"], claim="12", budget=6000)
    assert found.stopped == "the program ended with status 1: 'out of order'"
    assert found.calls == 3001
    assert found.samples == (900, 900)
    assert found.refuted is False
    assert 1 < found.epsilon_at_least < math.log(9)
    early = audit_box([sys.executable, str(program), "0.9", "3", "7"], claim=1)
    assert (early.calls, early.gamma, early.epsilon_at_least) == (7, 1, 0)


BAD = {
    "import sys; print(); sys.stdout.flush(); input()": "not a line of text",
    "import sys; sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush(); input(); input()": "not a line of text",
    "import sys; print('x' * 20000, flush=True); input()": "too long",
    "for _ in range(5000): print(1, flush=True)\nimport time; time.sleep(9)": "more lines",
    "import time; time.sleep(9)": "time limit",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": "signal SIGKILL",
}


@few_rows(5)
@pytest.mark.parametrize("source", sorted(BAD))
def test_bad_lines_end_the_audit(source: str) -> None:
    limit = "1" if BAD[source] == "time limit" else "60"
    found = audit_box([sys.executable, "-c", source], claim=1, budget=2000, time_limit=limit)
    assert BAD[source] in str(found.stopped)
    assert (found.refuted, found.gamma) == (False, 1)


def test_functions_that_raise() -> None:
    def fails(text: str) -> str:
        raise ValueError("no\nluck")

    found = audit_box(fails, claim=1)
    assert found.stopped == "the function raised ValueError: 'no\\nluck'"
    with pytest.raises(InvalidParameterError, match="the data are a function"):
        audit(fails, 1, columns=["x", "y"])
    assert audit_box(lambda _: "a\nb", claim=1).stopped == "a response is empty, too long, or more than one line"
    asked = audit_box(fails, inputs=["0", "1", "2"], pair=["2", "1"])
    assert (asked.inputs, asked.event, asked.explored) == (("2", "1"), (), (0, 0))


def test_a_set_and_a_pair_may_be_given() -> None:
    rows = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.05, 0.05, 0.9]]
    box = _chances(random.Random(11), rows)
    found = audit_box(box, inputs=["0", "1", "2"], pair=["2", "0"], event=["2"], claim=1, budget=20_000)
    assert (found.inputs, found.event, found.refuted) == (("2", "0"), ("2",), True)
    free = audit_box(_chances(random.Random(12), rows), inputs=["0", "1", "2"], claim=2, budget=60_000, delta="1/10")
    assert free.inputs[0] != free.inputs[1]
    assert free.delta == Fraction(1, 10)


def test_one_text_is_a_set_of_one_response() -> None:
    for event in ("10", ["10"], [10]):
        assert audit_box(lambda text: f"1{text}", event=event, budget=100).event == ("10",)
    with pytest.raises(
        InvalidParameterError, match="`event` is not a list: received 10, of type int; allowed is a list"
    ):
        audit_box(lambda text: f"1{text}", event=10, budget=100)


def test_last_bits_of_a_file(cli, tmp_path: Path) -> None:
    data, box = tmp_path / "noise.csv", _float_laplace(random.Random(3))
    data.write_text("x,y\n" + "".join(f"{x},{box(str(x))!r}\n" for x in (0, 1) for _ in range(4000)))
    words = ["audit", str(data), "--input", "x", "--column", "y", "--claim", "1"]
    assert cli(*words, "--last-bits")[0] == 1
    assert cli(*words)[0] == 0


def test_an_infinite_claim_is_refused_before_the_call() -> None:
    with pytest.raises(InvalidParameterError, match="infinite"):
        audit_box(["/no/such/program"], claim=rropt.exact.Epsilon("infinite"))


def test_the_stopping_time_is_that_of_the_product() -> None:
    """The counts at the stop reach 1/alpha at the claim, and a pair earlier they do not."""
    found = audit_box(_chances(random.Random(5), [[0.9, 0.1], [0.1, 0.9]]), claim="log(3)", budget=4000)
    bet, cells = found.bet, np.array(found.pairs)
    logs = np.log([float(x) for x in (1 + bet * (1 - 3), 1 + bet, 1 - bet * 3, Fraction(1))])
    assert cells @ logs >= math.log(20)
    assert cells @ logs - logs[1] < math.log(20)
