"""What all tests share: two sizes of every sweep, and the command line run in this process."""

from __future__ import annotations

import atexit
import gc
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, settings

from rropt.core.exact import Delta, Epsilon

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS / "support"))  # later.py, stress.py and others


def _lines(name: str) -> list[str]:
    """Return the lines of a list of cases without its remarks."""
    return [line for line in (TESTS / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


# The seconds of processor time of cases that run each time and may take more than one, and of cases that are drawn,
# with their share: a run at the default size has one in share.
_LONG = {place: float(seconds) for seconds, place in (line.split(" ", 1) for line in _lines("long_cases.txt"))}
_DRAWN = {
    place: (float(seconds), int(share))
    for seconds, share, place in (line.split(" ", 2) for line in _lines("drawn_cases.txt"))
}
_TABLE = 4  # a run at the default size has one in _SHARE_OF_TABLE of a table with so many cases or more
_SHARE_OF_TABLE = 5
_TRUSTED = ("checker/", "adversary/")  # but all cases there: a wrong verdict must not pass for long
_SECONDS_OF_ONE = 0.05  # of a case that is not listed
_TOO_LONG = 1.0  # seconds of a case that runs each time and is not listed
_IMPORTS = 5.0  # seconds of a case that also imports a library, as the first case of a worker does

STRESS = import_module("stress").STRESS

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a run in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a test starts is interrupted as at a terminal

gc.set_threshold(50_000, 20, 50)  # a fifth of the time of exact arithmetic is else spent looking for cycles
gc.disable()  # until the tests are collected: modules and tests stay to the end

settings.register_profile("rropt", deadline=None, derandomize=True, max_examples=1000 if STRESS else 20)
settings.register_profile("rropt", settings.get_profile("rropt"), suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rropt")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give each file to one worker (``-n 2``): what its tests share is else made once in each of them.

    Files that take long come first (``pytest_collection_modifyitems``), so that no worker waits in the end.
    """
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False


def pytest_configure(config: pytest.Config) -> None:
    """Name the marks of cases that a run at the default size leaves out."""
    config.addinivalue_line("markers", "full_size: a case that is run with RROPT_STRESS=1 alone")
    config.addinivalue_line("markers", "drawn(share): one case in share is run, or a test in one run of share")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, object]:
    """Collect from the last file to the first in every other worker: each reads what the other has compiled."""
    report = yield
    worker = getattr(collector.config, "workerinput", {}).get("workerid", "gw0")
    if isinstance(collector, pytest.Directory) and int(worker[2:]) % 2:
        report.result.reverse()
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is run at full size alone; put the files that take long first where workers share the run."""
    left_out = set() if STRESS else _left_out(items, config.args)
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    if hasattr(config, "workerinput"):
        seconds: Counter[Path] = Counter()
        for item in items:
            seconds[item.path] += _seconds_and_share(item)[0]
        for place, shared in [*_LONG.items(), *((place, shared) for place, (shared, _) in _DRAWN.items())]:
            seconds[TESTS / place] += shared
        items.sort(key=lambda item: (-seconds[item.path], item.path))  # stable: the order within a file stays


@cache
def _file(path: Path) -> str:
    """Return the name of a file in the lists."""
    return path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""


def _place(item: pytest.Item) -> str:
    """Return the name of a case in the lists."""
    return f"{_file(item.path)}::{item.name}"


def _seconds_and_share(item: pytest.Item) -> tuple[float, int]:
    """Return the seconds and the share of a case, as the lists have them: by its name, or by that of its test."""
    place = _place(item)
    of_its_test = _DRAWN.get(place.partition("[")[0], (_LONG.get(place, _SECONDS_OF_ONE), 1))
    return _DRAWN.get(place, of_its_test)


def _is_drawn(item: pytest.Item) -> bool:
    """Return whether one run of several has a case: by its mark, by the list, or by the claim that it judges."""
    place = _place(item)
    is_of_a_claim = place.startswith(("registry/", "claims/test_cards.py"))  # registry/shared_outcomes.py
    is_listed = not _DRAWN.keys().isdisjoint((place, place.partition("[")[0], place.partition("::")[0]))
    mark = item.get_closest_marker("drawn")
    return is_of_a_claim or is_listed or (mark is not None and mark.args[0] > 1)


def _left_out(items: list[pytest.Item], arguments: list[str]) -> set[pytest.Item]:
    """Return the cases of the full size, and those that are not drawn unless they are asked for by name."""
    import draws

    found = {item for item in items if item.get_closest_marker("full_size")}
    named = {argument.partition("[")[0].rpartition("/")[2] for argument in arguments if "::" in argument}
    files = {TESTS / place: share for place, (_, share) in _DRAWN.items() if place.endswith(".py")}
    seldom = {file for file, share in files.items() if draws.number_of(file.name, file) % share}
    tables: dict[tuple[Path, str, int], dict[pytest.Item, str]] = {}
    for item in items:
        if item in found or item.nodeid.partition("[")[0].rpartition("/")[2] in named:
            continue
        mark, own = item.get_closest_marker("drawn"), _seconds_and_share(item)[1]
        share = max(own, mark.args[0] if mark else 1)
        if item.path in seldom:
            found.add(item)
        elif _place(item) in _DRAWN or not hasattr(item, "callspec"):
            found |= {item} if draws.number_of(item.name, item.path) % share else set()
        else:
            key = item.path, getattr(item, "originalname", item.name), share
            tables.setdefault(key, {})[item] = item.name
    for (path, test, listed), cases in tables.items():
        is_trusted = _file(path).startswith(_TRUSTED)
        share = max(listed, _SHARE_OF_TABLE if len(cases) >= _TABLE and not is_trusted else 1)
        found |= cases.keys() - draws.drawn(cases, share, path, test if listed > 1 else None)
    return found


def pytest_collection_finish() -> None:
    """Look for cycles from now on, but not among what stays: modules and tests."""
    gc.freeze()
    atexit.register(gc.unfreeze)  # else libraries report at the end that objects are left
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Note the processor time of a case, and whether it is long for one that runs each time."""
    modules, before = len(sys.modules), process_time()
    result = yield
    spent = process_time() - before
    item.user_properties.append(("seconds", spent))
    allowed = max(_TOO_LONG, _LONG.get(_place(item), 0.0), _IMPORTS if modules < len(sys.modules) else 0.0)
    if not STRESS and not _is_drawn(item) and spent > allowed:
        item.user_properties.append(("long", _place(item)))
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the cases that took long, for whoever looks at the time of a run; a busy machine fails none of them."""
    found = {}
    for report in terminalreporter.stats.get("passed", []):
        properties = dict(report.user_properties)
        if "long" in properties:
            found[properties["long"]] = properties["seconds"]
    if found:
        terminalreporter.section("cases above a second of processor time that run each time (make draws)")
        for place, seconds in sorted(found.items(), key=lambda each: -each[1]):
            terminalreporter.line(f"{seconds:5.1f} s {place}")


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
