"""Threads, and limits of the process: verdicts neither depend on Python's limit on digits nor change it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from adversary import stored

from rropt.checker import check_text
from rropt.checker.documents import digits_of, integer, text_of
from rropt.checker.verdicts import state_text


@pytest.fixture
def fast_switches() -> Iterator[None]:
    """Let threads take turns as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def program(digits: int) -> str:
    """Return an accepted linear program: the least x that is at least a number with so many digits."""
    number = f"{'7' * digits}/{'1' + '0' * (digits - 1)}"
    row = {"coefficients": [["0", "1"]], "relation": ">=", "bound": number}
    problem = {"cost": ["1"], "signs": ["nonnegative"], "rows": [row]}
    claim = {"lower": number, "upper": number, "point": [number]}
    parts = {"problem": problem, "claim": claim, "proof": {"multipliers": [["0", "1"]]}}
    return json.dumps({"format": "2", "statement": "optimal-value", **parts})


def surveys(digits: int) -> str:
    """Return an accepted gap of a likelihood, of a number of responses with so many digits."""
    group = {"mechanism": {"matrix": [["1", "0"], ["0", "1"]]}, "counts": ["1" + "0" * (digits - 1)] * 2}
    parts = {"problem": {"groups": [group]}, "claim": {"point": ["1/2", "1/2"], "gap": "0"}, "proof": {"bits": None}}
    return json.dumps({"format": "2", "statement": "likelihood-gap", **parts})


LONG = [program(700), program(5000), surveys(700), surveys(6000)]


@pytest.mark.usefixtures("fast_switches")
def test_threads_get_the_verdict_of_one(size: Callable[[int, int], int]) -> None:
    """Long numbers beside short ones: a limit that one thread sets or restores would reject them in another one."""
    short = [texts[0] for name in stored.STATEMENTS if (texts := sorted(stored.short_texts(name), key=len))]
    files = (LONG + short) * size(4, 120)
    before = sys.get_int_max_str_digits()
    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(check_text, files))
        said = list(pool.map(state_text, files))
    assert sys.get_int_max_str_digits() == before
    assert [str(verdict) for verdict in verdicts if not verdict] == []
    assert all(verdict and lines for verdict, lines in said)


@pytest.mark.parametrize("limit", [640, 4300, 0])
def test_a_verdict_does_not_depend_on_the_limit_of_the_process(limit: int) -> None:
    """In a process of its own, with the least limit that Python allows, its own one, and without one."""
    lines = [
        "import sys, json",
        "from rropt.checker import check_text",
        "from rropt.checker.documents import WorkBudget",
        "from rropt.checker.long_products import product",
        "from rropt.checker.verdicts import state_text",
        "for text in json.loads(sys.stdin.read()):",
        "    verdict, lines = state_text(text, full=True)",
        "    print(verdict, len(' '.join(lines)), check_text(text))",
        "assert product([1 << 4000] * 20, [1 << 4000] * 20, WorkBudget())[19] == 20 << 8000",
        "print(sys.get_int_max_str_digits())",
    ]
    command = [sys.executable, "-X", f"int_max_str_digits={limit}", "-c", "\n".join(lines)]
    done = subprocess.run(command, input=json.dumps(LONG), capture_output=True, text=True, check=True)
    *said, after = done.stdout.splitlines()
    assert int(after) == limit
    assert [line for line in said if not line.startswith("accepted")] == []
    assert len(said) == len(LONG)


@pytest.mark.parametrize("digits", [1, 599, 600, 601, 1201, 4301, 20_000])
def test_integers_of_any_length_are_read_and_written(digits: int) -> None:
    """Against arithmetic that needs no text: a repunit, a power of ten and what is next to it."""
    power = 10**digits
    for text, value in (
        ("9" * digits, power - 1),
        ("1" * digits, (power - 1) // 9),
        ("1" + "0" * digits, power),
        ("1" + "0" * (digits - 1) + "1", power + 1),
    ):
        assert integer(text) == value
        assert digits_of(value) == text
    assert digits_of(0) == "0"
    assert text_of(Fraction(-1, power)) == f"-1/1{'0' * digits}"
