"""What all tests share: two sizes of every sweep, and the command line run in this process."""

from __future__ import annotations

import json
import random
import signal
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from rropt.core.exact import Delta, Epsilon

sys.path.insert(0, str(Path(__file__).parent / "support"))  # later.py, stress.py and others

STRESS = import_module("stress").STRESS

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a run in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a test starts is interrupted as at a terminal

settings.register_profile("gate", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("stress", deadline=None, max_examples=1000, print_blob=True)
settings.register_profile(
    "rropt", settings.get_profile("stress" if STRESS else "gate"), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("rropt")


@pytest.fixture(scope="session")
def size() -> Callable[[int, int], int]:
    """Return ``size(ci, stress)``: the number of points of a sweep at the size that is run."""
    return lambda ci, stress: stress if STRESS else ci


@pytest.fixture
def rng() -> random.Random:
    """A generator with a fixed seed: failures can be run again."""
    return random.Random(20161)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: ``cli("design", "binary", ...)`` -> status, stdout, stderr.

    Of bad input with ``--json`` standard output holds the object of the error: it is looked at here, and taken away.
    """

    def run(*argv: str) -> tuple[int, str, str]:
        from rropt.cli.main import main

        try:
            status = main(list(argv))
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        captured = capsys.readouterr()
        out = captured.out
        if status == 2 and "--json" in argv and out.startswith('{"error"'):
            told = json.loads(out)
            assert told.keys() - {"question"} == {"error", "kind"}
            assert captured.err.strip().endswith(told["error"])
            assert told["kind"].endswith("Error")
            out = ""
        assert status != 2 or "--json" not in argv or out != captured.out or out.startswith("{"), "bad input is told"
        return status, out, captured.err

    return run


@pytest.fixture
def cli_json(cli: Callable[..., tuple[int, str, str]]) -> Callable[..., dict]:
    """Run a command with ``--json`` that must succeed and print one JSON object and nothing else.

    The question that stands in every answer is looked at here, and taken away.
    """

    def run(*argv: str) -> dict:
        status, out, err = cli(*argv, "--json")
        assert status == 0, err
        data = json.loads(out)
        assert isinstance(data, dict)
        question = data.pop("question")
        assert " ".join(argv).startswith(question["command"])
        assert question["versions"]["rropt"]
        return data

    return run


@pytest.fixture(scope="session")
def parameters() -> Callable[[random.Random], tuple[str, str, str]]:
    """Return a random (epsilon, delta, prevalence), often on a boundary of the theorem."""

    def draw(rng: random.Random) -> tuple[str, str, str]:
        q = Fraction(rng.randint(2, 40), rng.randint(1, 12))
        q = q if q > 1 else 1 + q
        epsilon = rng.choice(
            [
                "0",
                f"log({q})",
                f"log({q})",
                f"log({rng.choice([2, 3, 5])})/{rng.randint(2, 9)}",
                str(q / 7),
                str(q / 90),
            ]
        )
        delta = rng.choice(
            ["0", "0", "1", str(Fraction(rng.randint(1, 19), 20)), "1/1000000", f"exp(-{rng.randint(1, 20)})"]
        )
        pi = rng.choice(["0", "1", "1/2", str(Fraction(rng.randint(1, 29), 30)), "1/1000000"])
        gamma, slack = Epsilon.of(epsilon).gamma, Delta.of(delta).rational
        if rng.random() < 0.5 and gamma is not None and slack:  # on the tie g = pi, or its mirror image
            g = slack * (gamma + slack) / (gamma + 2 * slack - 1) ** 2
            if g <= 1:
                pi = str(rng.choice([g, 1 - g]))
        if epsilon == "0" and delta == "0":
            delta = "1/3"
        return epsilon, delta, pi

    return draw
