"""What all tests share: two sizes of every sweep, and the command line run in this process."""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Generator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, settings

from rropt.core.exact import Delta, Epsilon

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS / "support"))  # later.py, stress.py and others

# Files that take long, with their seconds of processor time in all: workers begin with the longest.
_SECONDS = {
    "adversary/kernels/test_javascript.py": 9.0,
    "reports/test_pages_of_commands.py": 7.5,
    "registry/test_registry.py": 10.4,
    "claims/test_hostile_packages.py": 7.6,
    "mechanisms/test_clients.py": 8.7,
    "survey/test_forms_of_data.py": 8.6,
    "designs/test_divergence_designs.py": 7.3,
    "survey/regression/test_regressions.py": 7.1,
    "claims/test_cards.py": 6.5,
    "survey/test_noncompliance.py": 6.3,
    "pages/test_package.py": 5.7,
    "checker/test_conformance.py": 5.6,
    "survey/test_weighted_estimates.py": 5.0,
    "cli/test_interruptions.py": 5.3,
    "survey/test_odd_files.py": 5.3,
    "pages/test_round_trips.py": 5.3,
    "designs/test_cross_check.py": 5.3,
    "designs/test_ray_designs.py": 5.3,
    "designs/test_large_groups.py": 5.2,
    "reports/test_survey_report.py": 5.0,
    "survey/test_plans.py": 5.0,
    "pages/test_checker_wheel.py": 4.9,
    "pages/test_site.py": 4.6,
    "survey/regression/test_figures.py": 4.6,
    "checker/test_cover_fuzz.py": 4.3,
    "designs/test_pattern_designs.py": 4.0,
    "cli/test_written_files.py": 4.0,
}
_SECONDS_OF_ONE = 0.03  # of a test of any other file

# Processor time of one case: the end of a run names those above the first limit; one above the second is an error in CI
# (fifteen times as much, since a busy or slow machine counts several times), except in these files of large inputs.
_LONG, _TOO_LONG = 1.0, 15.0
_MAY_BE_LONG = {
    "accounting/test_composition.py",  # certificates on fine lattices
    "checker/test_groups_way.py",  # a pool for all changes of the rule
    "cli/test_help_examples.py",  # the examples as they stand
    "cli/test_failed_files.py",
    "designs/test_advice.py",  # the commands that the messages advise
    "pages/test_package.py",  # all doctests
}

STRESS = import_module("stress").STRESS

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
        counts = Counter(item.path for item in items)
        seconds = {
            path: _SECONDS.get(path.relative_to(TESTS).as_posix(), count * _SECONDS_OF_ONE)
            for path, count in counts.items()
            if path.is_relative_to(TESTS)
        }
        items.sort(key=lambda item: (-seconds.get(item.path, 0.0), item.path))  # stable: the order within a file stays


def _left_out(items: list[pytest.Item], arguments: list[str]) -> set[pytest.Item]:
    """Return the cases of the full size, and those that are not drawn unless they are asked for by name."""
    import draws

    found = {item for item in items if item.get_closest_marker("full_size")}
    named = {argument.rpartition("/")[2] for argument in arguments if "::" in argument}
    is_case_named = any("[" in name for name in named)
    tables: dict[tuple[Path, str, int], dict[pytest.Item, str]] = {}
    for item in items:
        mark = None if is_case_named or item in found else item.get_closest_marker("drawn")
        if mark is None or item.nodeid.rpartition("/")[2] in named:
            continue
        if not hasattr(item, "callspec"):
            found |= {item} if draws.number_of(item.name, item.path) % mark.args[0] else set()
            continue
        key = item.path, getattr(item, "originalname", item.name), mark.args[0]
        tables.setdefault(key, {})[item] = item.name
    for (path, _, share), cases in tables.items():
        found |= cases.keys() - draws.drawn(cases, share, path)
    return found


def pytest_collection_finish() -> None:
    """Look for cycles from now on, but not among what stays: modules and tests."""
    gc.freeze()
    atexit.register(gc.unfreeze)  # else libraries report at the end that objects are left
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Note the processor time of a case."""
    before = process_time()
    result = yield
    spent = process_time() - before
    item.user_properties.append(("seconds", spent))
    is_bounded = os.environ.get("CI") == "true" and not STRESS
    if is_bounded and spent > _TOO_LONG and item.path.relative_to(TESTS).as_posix() not in _MAY_BE_LONG:
        pytest.fail(f"the case takes {spent:.1f} s of processor time: let it be smaller unless RROPT_STRESS=1")
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the cases that take long."""
    reports = terminalreporter.stats.get("passed", [])
    long = [(seconds, report.nodeid) for report in reports for _, seconds in report.user_properties if seconds > _LONG]
    if long and not STRESS:
        terminalreporter.section(f"{len(long)} cases above {_LONG:.0f} s of processor time")
        for seconds, node in sorted(long, reverse=True):
            terminalreporter.line(f"{seconds:.1f} s  {node}")


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
