"""Sweeps to files: against single solutions; killed runs, cut journals, other backends, bad specifications."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from later import later
from stored_cases import cases_of
from support.regions import by_distance

import rropt
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError, MissingExtraError
from rropt.designs.sweep_files import _write_table, read_specification, specification_of, sweep_to_file
from rropt.designs.sweeps import workers
from rropt.objectives import Trace

parquet = later("pyarrow.parquet")

GRID = {
    "problem": "binary",
    "grid": {"epsilon": ["log(2)", "0"], "delta": ["0", "0.1"], "prevalence": ["1/10", "25%"]},
}
Run = tuple[bytes, dict[str, bytes]]


def run(folder: Path, **options: Any) -> Run:
    """Sweep; return the bytes of the table and of each certificate, which are all that is left."""
    found = sweep_to_file(specification_of(GRID), str(folder / "t.csv"), certificates=str(folder / "c"), **options)
    assert (found.rows, found.unsolved) == (8, 2)
    assert sorted(path.name for path in folder.iterdir()) == ["c", "t.csv"]
    return (folder / "t.csv").read_bytes(), {path.name: path.read_bytes() for path in (folder / "c").iterdir()}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("undisturbed"))


def test_a_table_of_single_solutions(undisturbed: Run) -> None:
    """Each row is what ``solve`` returns, in the order of the grid, with the hash of a certificate that is accepted."""
    rows = list(csv.DictReader(io.StringIO(undisturbed[0].decode())))
    hashes = set()
    for row, point in zip(rows, product(("log(2)", "0"), ("0", "1/10"), ("1/10", "1/4")), strict=True):
        assert (row["epsilon"], row["delta"], row["prevalence"]) == point
        assert float(row["epsilon_decimal"]) == float(rropt.exact.Epsilon.of(point[0]))
        if point[:2] == ("0", "0"):
            assert row["value"] == row["certificate"] == row["mechanism"] == ""
            assert "epsilon = 0" in row["remark"]
            continue
        solution = rropt.solve(rropt.Problem.binary(point[2], epsilon=point[0], delta=point[1]))
        assert Fraction(row["value"]) == solution.value
        assert float(row["lower_decimal"]) <= solution.lower <= solution.upper <= float(row["upper_decimal"])
        assert rropt.Mechanism.from_json(row["mechanism"]) == solution.mechanism
        assert (row["p00"], row["p11"]) == (str(solution.mechanism.p00), str(solution.mechanism.p11))
        text = undisturbed[1][row["certificate"] + ".json"]
        assert hashlib.sha256(text).hexdigest() == row["certificate"]
        assert rropt.check(json.loads(text)).accepted
        hashes.add(row["certificate"] + ".json")
    assert hashes == set(undisturbed[1])


def killed(folder: Path, after: int, place: str) -> None:
    """Let a run end itself with SIGKILL in the middle of what it writes, when it has written so many of them."""
    code = f"""
        import os, signal
        from rropt.core.files import resuming
        from rropt.designs import sweep_files
        write, count = resuming._write, 0
        def half(handle, data):
            global count
            count += (data[:1] == b"{{") == ({place!r} == "certificate")
            write(handle, data[: len(data) // 2] if count > {after} else data)
            if count > {after}:
                os.kill(os.getpid(), signal.SIGKILL)
        resuming._write = half
        if {place!r} == "table":
            sweep_files.being_filled = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
        sweep_files.sweep_to_file(sweep_files.specification_of({GRID!r}), {str(folder / "t.csv")!r},
                                  certificates={str(folder / "c")!r})
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert (folder / "t.csv.unfinished").exists()
    assert not (folder / "t.csv").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("after", "place"), [(4, "certificate"), (4, "line"), (8, "table")])
def test_a_killed_run_is_gone_on_with(undisturbed: Run, tmp_path: Path, after: int, place: str) -> None:
    """SIGKILL in the middle of a line or a certificate, and before the table: the next run ends as one that was not.

    It works in two processes.
    """
    killed(tmp_path, after, place)
    assert run(tmp_path, jobs=2) == undisturbed


def test_a_run_killed_from_outside(undisturbed: Run, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Two processes that work, killed at any moment, over and over."""
    if size(0, 1) == 0:
        pytest.skip("starts ten processes: at full size (make stress)")
    (tmp_path / "s.json").write_text(json.dumps(GRID))
    command = [sys.executable, "-m", "rropt.cli.main", "sweep", str(tmp_path / "s.json"), "--jobs", "2"]
    command += ["--output", str(tmp_path / "t.csv"), "--certificate", str(tmp_path / "c")]
    rng = random.Random(1)
    for _ in range(8):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(rng.uniform(1, 6))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    (tmp_path / "s.json").unlink()
    assert run(tmp_path) == undisturbed


def test_a_journal_cut_anywhere(
    undisturbed: Run, tmp_path: Path, rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Whatever is left of a journal, or was changed in it, the table is the same; nothing whole is done again."""

    class StopError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        stop.count += done  # type: ignore[attr-defined]
        if stop.count == 8:  # type: ignore[attr-defined]
            raise StopError

    stop.count = 0  # type: ignore[attr-defined]
    with pytest.raises(StopError):
        run(tmp_path, progress=stop)
    journal = tmp_path / "t.csv.unfinished"
    whole = journal.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    assert len(ends) == 8
    for _ in range(size(3, 60)):
        cut = rng.randint(ends[5], len(whole))
        journal.write_bytes(whole[:cut])
        told: list[int] = []
        assert run(tmp_path, progress=lambda done, total, told=told: told.append(done)) == undisturbed
        assert told[0] == sum(end <= cut for end in ends)
        assert told[1:] == [1] * (8 - told[0])
    changed = bytearray(whole)
    changed[ends[6] + 80] ^= 1
    journal.write_bytes(changed)
    assert run(tmp_path) == undisturbed
    (tmp_path / "c" / sorted(undisturbed[1])[0]).write_text("{}")  # a certificate that is no longer what it was
    journal.write_bytes(whole)
    told = []
    assert run(tmp_path, progress=lambda done, total: told.append(done)) == undisturbed
    assert told == [7, 1]


def test_what_is_finished_serves_another_grid(tmp_path: Path) -> None:
    """A journal is of points: those that the new grid shares are kept, the others are left out."""
    output = str(tmp_path / "t.csv")
    small, large = ({**GRID, "grid": {**GRID["grid"], "epsilon": names}} for names in ("log(2)", ["log(5)", "log(2)"]))

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep_to_file(specification_of(large), output, progress=stop)
    assert sweep_to_file(specification_of(small), output).resumed == 0
    with pytest.raises(KeyboardInterrupt):
        sweep_to_file(specification_of(small), output, progress=stop)
    assert sweep_to_file(specification_of(large), output).resumed == 1


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """A second run of the same table is refused; so is a journal that is a link, or somebody's file by another name."""
    specification, output = specification_of(GRID), str(tmp_path / "t.csv")

    def again(done: int, total: int) -> None:
        with pytest.raises(FileAccessError, match="another run is under way"):
            sweep_to_file(specification, output)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep_to_file(specification, output, progress=again)
    journal, other = tmp_path / "t.csv.unfinished", tmp_path / "other"
    journal.unlink()
    other.write_text("mine")
    for link in (os.symlink, os.link):
        link(other, journal)
        with pytest.raises(FileAccessError, match="unfinished"):
            sweep_to_file(specification, output)
        journal.unlink()
    assert other.read_text() == "mine"


@pytest.mark.slow
def test_categories_in_toml(tmp_path: Path) -> None:
    """k categories, one value for a list, numbers that keep their digits, populations as lists, distances."""
    path = tmp_path / "s.toml"
    path.write_text(
        'problem = "kary"\n[grid]\ngamma = [2, 2.50]\npopulation = ["1/2,1/2", [0.1, 0.2, 0.7]]\n'
        'objective = ["loss:zero-one", "loss:absolute"]\n'
    )
    specification = read_specification(str(path))
    assert dict(specification.parameters)["gamma"] == ("2", "5/2")
    assert dict(specification.parameters)["population"] == ("1/2,1/2", "0.1;0.2;0.7")
    output = tmp_path / "t.parquet"
    assert sweep_to_file(specification, str(output)).rows == 8
    rows = parquet.read_table(output).to_pylist()
    assert rows[0]["value"] == "1/3"  # of two categories gamma = 2 tells two thirds
    assert rows[0]["gamma_decimal"] == 2.0
    assert "p00" not in rows[0]
    problem = rropt.Problem.kary(4, level=rropt.privacy.metric("line", "log(3)"), objective="trace:1,2,2,1")
    assert problem == rropt.Problem(by_distance(4, "log(3)"), Trace([1, 2, 2, 1]), ["1/4"] * 4)


def test_numbers_beyond_floats_and_other_levels_and_outputs(tmp_path: Path) -> None:
    """A number that no float is near stays exact, or has no decimal; a level of another kind and 3 outputs serve."""
    (row,) = rropt.sweep(rropt.design.binary, epsilon="1e-200", prevalence="1/2")
    assert abs(row["value"] / Fraction(10) ** 400 - 1) < 1e-9
    assert (row["epsilon"], row["value"]) == (1e-200, row["upper"])
    huge = {"problem": "binary", "grid": {"gamma": "1e399", "prevalence": "1/2"}}
    assert sweep_to_file(specification_of(huge), str(tmp_path / "t.csv")).unsolved == 0
    curved = {"categories": "2", "objective": "a-optimal", "level": "zcdp:1"}
    assert specification_of({"problem": "kary", "grid": curved}).points() == [tuple(curved.items())]
    (row,) = rropt.sweep(rropt.design.binary, epsilon="log(2)", prevalence="1/3", outputs=3)
    assert row["mechanism"].outputs == 3


def test_a_point_that_no_method_solves_has_a_remark() -> None:
    few = {"epsilon": "log(2)", "categories": 3, "objective": "c-optimal:1,-1,0", "outputs": 2}
    solved, unsolved = rropt.sweep(rropt.design.kary, delta=["0", "1/10"], **few)
    assert (solved["remark"], unsolved["value"]) == ("", None)
    assert "with delta = 0 alone" in unsolved["remark"]


@pytest.mark.slow
def test_no_joblib(undisturbed: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without joblib the rows are the same, in one process and in two; a function of no module is refused for two."""
    monkeypatch.setitem(sys.modules, "joblib", None)
    with workers(2) as jobs:
        assert jobs == 2
        assert run(tmp_path, jobs=jobs) == undisturbed
    asked = {"epsilon": ["log(2)", "log(3)"], "prevalence": "1/10"}
    rows = rropt.sweep(rropt.design.binary, **asked)
    assert rows == rropt.sweep(lambda **point: rropt.design.binary(**point), **asked)
    with pytest.raises(MissingExtraError, match=r"rropt\[cluster\]"):
        rropt.sweep(lambda **point: rropt.design.binary(**point), **asked, jobs=2)


def test_cells_of_csv(tmp_path: Path) -> None:
    """Python's own reader of CSV returns the cells; a missing cell is empty, an empty text is not."""
    cells = ["a,b", 'q"x', "l\nm", "c\rd", "", None, " a", "0.1"]
    path = tmp_path / "t.csv"
    _write_table(str(path), [("a", False), ("b,c", False)], [{"a": x, "b,c": "1"} for x in cells])
    with path.open(newline="") as file:
        assert list(csv.reader(file)) == [["a", "b,c"], *([x or "", "1"] for x in cells)]
    assert '\n"",1\n,1\n' in path.read_text()


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"rropt\[fieldwork\]"):
        sweep_to_file(
            specification_of({"problem": "binary", "grid": {"gamma": "2", "prevalence": "1/2"}}), str(tmp_path / "t.pq")
        )
    assert not list(tmp_path.iterdir())


def test_a_backend_of_joblib(undisturbed: Run, tmp_path: Path) -> None:
    """Threads that the caller asked joblib for write the same bytes, and give the same rows."""
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config("threading", n_jobs=3):
        assert run(tmp_path) == undisturbed
        rows = rropt.sweep(rropt.design.binary, epsilon=["log(2)", "0"], prevalence=["1/10", "1/4"])
    assert rows == rropt.sweep(rropt.design.binary, epsilon=["log(2)", "0"], prevalence=["1/10", "1/4"])


def test_a_cluster(undisturbed: Run, tmp_path: Path, size: Callable[[int, int], int], cli: Callable[..., Any]) -> None:
    """The same call with the workers of a Dask cluster: one of its own, and one whose address is given."""
    if size(0, 1) == 0:
        pytest.skip("starts a Dask cluster: at full size (make stress)")
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'rropt[cluster]'")
    (tmp_path / "s.json").write_text(json.dumps(GRID))
    call = ("sweep", str(tmp_path / "s.json"), "--jobs", "local", "--output")
    assert cli(*call, str(tmp_path / "own.csv"), "--jobs", "2")[0] == 0
    assert (tmp_path / "own.csv").read_bytes() == undisturbed[0]
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert cli(*call, str(tmp_path / "given.csv"), "--jobs", cluster.scheduler_address)[0] == 0
    assert (tmp_path / "given.csv").read_bytes() == undisturbed[0]


_MANY = {"epsilon": "1", "delta": [f"1/{k}" for k in range(1, 400)], "prevalence": [f"1/{k}" for k in range(1, 400)]}
BAD: dict[str, tuple[object, str]] = {
    **{name: (row["given"], row["says"]) for name, row in cases_of(__file__)["bad"].items()},
    "no object": ([], "not a specification"),
    "too large": ({"problem": "binary", "grid": _MANY}, "too large"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_specifications(name: str, tmp_path: Path) -> None:
    """Refused before anything is solved or written."""
    data, word = BAD[name]
    with pytest.raises(InvalidParameterError) as told:
        sweep_to_file(specification_of(data), str(tmp_path / "t.csv"))
    assert word in str(told.value)
    assert "\n" not in str(told.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text", ["problem = ", "[grid", '{"problem": ', "x = " + "[" * 5000, "x = " + "9" * 5000, "a=1\na=2"]
)
def test_what_is_no_toml(text: str, tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_text(text)
    with pytest.raises((FileFormatError, InvalidParameterError)) as told:
        read_specification(str(path))
    assert "\n" not in str(told.value)


def test_the_specification_of_the_page_is_one() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "howto" / "sweep-on-a-cluster.md").read_text()
    specification = tomllib.loads(page.split("```toml\n")[1].split("```")[0], parse_float=str)
    assert len(specification_of(specification).points()) == 18


def test_a_sweep_over_lists_keeps_them() -> None:
    """A proportion for each category, or several levels, are lists: they are returned as they were given."""
    levels, shares = rropt.privacy.levels(("1", "1/10"), ("2", "0")), ["1/3", "2/3"]
    (row,) = rropt.sweep(rropt.design.kary, population=[shares], objective="a-optimal", level=levels)
    assert (row["level"], row["population"]) == (levels, shares)
    assert isinstance(row["value"], float)
