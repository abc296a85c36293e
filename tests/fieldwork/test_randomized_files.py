"""Files of true answers: what is written, what never is, and what is left behind."""

from __future__ import annotations

import csv
import os
import signal
import stat
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later

from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.core.files import being_filled
from rropt.mechanisms import named_mechanism
from rropt.mechanisms.sampling import Randomizer
from rropt_fieldwork.randomizing import randomized_tables as randomizing
from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomized_rows, randomizing_of
from rropt_fieldwork.reading.counting import CountRequest

pa = later("pyarrow")
scipy = later("scipy")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

SECRET = "s3cr3t"
TRUE = ("--mechanism", "generalised:1,1", "--keep-order")  # the identity: the output shows what was read
COIN = ("--mechanism", "warner:3/4")
SICK = ("--column", "sick", "--categories", "no,yes")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    rows = [f'{i},{"yes" if i % 3 else "no"},"A, {i % 2}"' for i in range(3000)]
    path.write_text("\n".join(["name,sick,region", *rows]) + "\n")
    return path


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@few_rows(1)
@pytest.mark.parametrize("keep", [(), ("--keep", "region"), ("--keep", "*")], ids=["none", "region", "all"])
def test_columns(cli: Cli, survey: Path, ending: str, keep: tuple[str, ...]) -> None:
    """The column is replaced in its place; others are written when they are named, or with a warning."""
    output = survey.with_name(f"private.{ending}")
    status, out, err = cli("randomize", str(survey), *SICK, *TRUE, *keep, "--output", str(output))
    assert (status, out) == (0, "")
    assert ("may contain the true answer" in err or "contains or implies the true" in err) == (keep == ("--keep", "*"))
    truth = list(csv.DictReader(survey.open()))
    found = list(csv.DictReader(output.open())) if ending == "csv" else parquet.read_table(output).to_pylist()
    names = {(): ["sick"], ("--keep", "region"): ["sick", "region"], ("--keep", "*"): ["name", "sick", "region"]}[keep]
    assert found == [{name: row[name] for name in names} for row in truth]
    assert left(survey.parent) == sorted([survey.name, output.name])


def test_types_of_parquet_are_kept(cli: Cli, tmp_path: Path) -> None:
    source, output = tmp_path / "a.parquet", tmp_path / "b.parquet"
    parquet.write_table(
        pa.table({"age": pa.array([1, 2, None], pa.int16()), "q": pa.array([1, 0, 1], pa.int8())}), source
    )
    assert cli("randomize", str(source), "--column", "q", *TRUE, "--keep", "age", "--output", str(output))[0] == 0
    table = parquet.read_table(output)
    assert table.column("age").to_pylist() == [1, 2, None]
    assert (table.schema.field("age").type, table.column("q").to_pylist()) == (pa.int16(), [1, 0, 1])


def test_questions_of_a_product(cli: Cli, tmp_path: Path) -> None:
    source, output = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_text("x,y,z\n" + "1,0,7\n" * 500)
    options = ("--columns", "y,x", "--mechanism", "bits:1,1/2", "--keep", "z", "--output", str(output))
    assert cli("randomize", str(source), *options)[0] == 0
    rows = list(csv.DictReader(output.open()))
    assert list(rows[0]) == ["x", "y", "z"]
    assert {(row["y"], row["z"]) for row in rows} == {("0", "7")}  # y is reported as it is
    assert 150 < sum(row["x"] == "1" for row in rows) < 350


CONSTANT: dict[str, Callable[[Path], object]] = {
    "parquet": lambda p: parquet.write_table(pa.table({"sick": ["yes"] * 40_000}), p),
    "csv": lambda p: p.write_text("sick\n" + "yes\n" * 40_000),
    "dictionary": lambda p: parquet.write_table(pa.table({"sick": pa.array(["yes"] * 40_000).dictionary_encode()}), p),
}


@few_rows(1)
@pytest.mark.parametrize("form", CONSTANT)
def test_equal_rows_are_drawn_one_by_one(tmp_path: Path, form: str) -> None:
    """A constant column is where a database would call a function once: the draws are independent all the same."""
    source, output = tmp_path / "a", tmp_path / "b.parquet"
    CONSTANT[form](source)
    how = randomizing_of(
        named_mechanism("warner:3/4"), CountRequest(("sick",), (("no", "yes"),)), outputs=("no", "yes")
    )
    assert randomize_file(source, str(output), how).rows == 40_000
    drawn = np.array(parquet.read_table(output).column("sick").to_pylist()) == "yes"
    assert scipy.stats.binomtest(int(drawn.sum()), 40_000, 0.75).pvalue > 1e-9
    pairs = Counter(zip(drawn[:-1:2].tolist(), drawn[1::2].tolist(), strict=True))
    table = [[pairs[a, b] for b in (False, True)] for a in (False, True)]
    assert scipy.stats.chi2_contingency(table).pvalue > 1e-9
    assert scipy.stats.binomtest(int((drawn[1:] != drawn[:-1]).sum()), 39_999, 3 / 8).pvalue > 1e-9


def test_the_law_is_that_of_each_category(tmp_path: Path) -> None:
    """Three categories, four outputs, each category's own column; and two runs are not the same."""
    from rropt import Mechanism

    device = Mechanism([["1/2", 0, "1/8"], ["1/4", "1/2", "1/8"], ["1/4", 0, "1/2"], [0, "1/2", "1/4"]])
    source = tmp_path / "a.csv"
    source.write_text("q\n" + "0\n1\n2\n" * 6000)
    how = randomizing_of(device, CountRequest(("q",), (None,)), keep_order=True)
    runs = []
    for name in "bc":
        randomize_file(source, str(tmp_path / f"{name}.csv"), how)
        runs.append([int(line) for line in (tmp_path / f"{name}.csv").read_text().split()[1:]])
    assert runs[0] != runs[1]
    for truth, column in enumerate(device.columns()):
        counts = Counter(runs[0][truth::3])
        possible = [i for i, p in enumerate(column) if p]
        assert set(counts) <= set(possible)
        assert (
            scipy.stats.chisquare([counts[i] for i in possible], [6000 * float(column[i]) for i in possible]).pvalue
            > 1e-9
        )


@pytest.mark.parametrize("keep", [(), None])
@pytest.mark.parametrize("kept", [slice(1, None), slice(0, 0)])
def test_too_few_draws_publish_nothing(
    kept: slice, keep: tuple[str, ...] | None, survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were an output drawn for several rows, or none for one, nothing would be written."""
    drawn = randomizing.drawn_table

    def fewer(*given: Any) -> Any:
        table = drawn(*given)
        return table.slice(*kept.indices(table.num_rows)[:2])

    monkeypatch.setattr(randomizing, "drawn_table", fewer)
    how = randomizing_of(
        named_mechanism("warner:3/4"), CountRequest(("sick",), (("no", "yes"),)), outputs=("no", "yes"), keep=keep
    )
    with pytest.raises(UnsupportedProblemError, match="one by one"):
        randomize_file(survey, str(survey.with_name("b.csv")), how)
    assert left(survey.parent) == [survey.name]


def _swapped(path: Path) -> Callable[[], object]:
    """Return a function that swaps the answers of two rows of the survey: all counts and kept columns stay."""

    def swap() -> None:
        lines = path.read_text().split("\n")
        (one, own), (other, others) = ((i, lines[i].split(",")) for i in (1, 2))
        own[1], others[1] = others[1], own[1]
        lines[one], lines[other] = ",".join(own), ",".join(others)
        path.write_text("\n".join(lines))

    return swap


def _changing(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object], *, is_before: bool = False) -> None:
    """Let the data change right after the reading that draws, or right before it."""
    drawn = randomizing._drawn

    def read(*given: Any, **options: Any) -> Any:
        if is_before:
            change()
        found = drawn(*given, **options)
        if not is_before:
            change()
        return found

    monkeypatch.setattr(randomizing, "_drawn", read)


@few_rows(1)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("how", [("--keep", "region"), ("--keep-order",), ("--keep", "name,region", "--keep-order")])
def test_answers_that_are_swapped_between_two_readings_publish_nothing(
    how: tuple[str, ...], ending: str, cli: Cli, survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts and the kept columns are the same; a response would stand beside the region of another person."""
    output = survey.with_name(f"private.{ending}")
    asked = ("randomize", str(survey), *SICK, *COIN, *how, "--output", str(output))
    with monkeypatch.context() as changes:
        _changing(changes, _swapped(survey))
        status, out, err = cli(*asked)
    assert (status, out) == (2, "")
    assert "the answers to 'sick' are not those for which responses were drawn; nothing was written" in err
    assert "yes" not in err
    assert left(survey.parent) == [survey.name]
    assert cli(*asked)[0] == 0  # the changed file itself is sound


def test_of_responses_alone_in_a_random_order_the_counts_matter(
    cli: Cli, survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are not matched with anything; an answer that changes before the draws, and back after them, is seen."""
    asked = ("randomize", str(survey), *SICK, *COIN, "--output", str(survey.with_name("private.csv")))
    with monkeypatch.context() as changes:
        _changing(changes, _swapped(survey))
        assert cli(*asked)[0] == 0
    before = survey.read_text()
    survey.with_name("private.csv").unlink()
    _changing(monkeypatch, lambda: survey.write_text(before.replace("no", "yes", 1)), is_before=True)
    _changing(monkeypatch, lambda: survey.write_text(before))
    status, out, err = cli(*asked)
    assert (status, out) == (2, "")
    assert "the answers to 'sick' are not those for which responses were drawn" in err
    assert left(survey.parent) == [survey.name]


@pytest.mark.parametrize("form", ["same", "hard", "soft", "dotted"])
def test_the_input_is_never_overwritten(cli: Cli, survey: Path, form: str) -> None:
    before, other = survey.read_bytes(), survey.with_name("other.csv")
    if form == "hard":
        os.link(survey, other)
    elif form == "soft":
        other.symlink_to(survey)
    target = {"same": survey, "dotted": survey.parent / "." / survey.name}.get(form, other)
    status, out, err = cli("randomize", str(survey), *SICK, *COIN, "--output", str(target))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert survey.read_bytes() == before


def test_a_file_with_two_names_is_not_replaced(cli: Cli, survey: Path) -> None:
    old, other = survey.with_name("old.csv"), survey.with_name("older.csv")
    old.write_text("before")
    os.link(old, other)
    status, _, err = cli("randomize", str(survey), *SICK, *COIN, "--output", str(old))
    assert (status, "single name" in err) == (2, True)
    assert other.read_text() == "before"


def test_what_is_refused(cli: Cli, survey: Path) -> None:
    def refused(*options: str) -> str:
        status, out, err = cli("randomize", str(survey), *COIN, *options, "--output", str(survey.with_name("b.csv")))
        assert (status, out, left(survey.parent)) == (2, "", [survey.name])
        assert SECRET not in err
        return err

    assert "no column" in refused(*SICK, "--keep", "nobody")
    assert "kept and randomized" in refused(*SICK, "--keep", "sick")
    assert "by name" in refused("--keep", "region")
    assert "did you mean 'sick'" in refused("--column", "sikc", "--categories", "no,yes")
    survey.write_text("sick\nyes\n\nno\n")
    assert "answers are missing: 1 of the data, first in line 3" in refused(*SICK)
    survey.write_text(f"sick\nyes\n{SECRET}\nno\n")
    assert "line 3 of the data contains no answer" in refused(*SICK)
    how = randomizing_of(named_mechanism("warner:3/4"), CountRequest(("sick",), (("no", "yes"),)))
    with pytest.raises(FileFormatError):
        randomized_rows(survey, how, lambda relation: relation.fetchall())


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Kill a run in the middle; return its folder."""

    def kill(how: int) -> Path:
        code = f"""
            import sys, time
            from pathlib import Path
            from rropt.core.files import being_filled
            with being_filled({str(tmp_path / "out.csv")!r}, suffix=".csv") as made:
                made.write_text({SECRET!r})
                print("ready", flush=True)
                time.sleep(60)
        """
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline()
        (folder,) = tmp_path.glob(".rropt-*")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        if how:
            process.send_signal(how)
            process.wait()
        else:
            alive.append(process)
        process.stdout.close()
        return folder

    alive: list[Any] = []
    yield kill
    for process in alive:
        process.kill()
        process.wait()


def test_a_killed_run_is_removed_by_the_next(killed: Callable[[int], Path], tmp_path: Path) -> None:
    folder = killed(signal.SIGKILL)
    assert folder.exists()
    with being_filled(tmp_path / "other.csv", suffix=".csv") as made:
        assert not folder.exists()
        made.write_text("new")
    assert left(tmp_path) == ["other.csv"]


def test_a_running_one_is_left_alone(killed: Callable[[int], Path], tmp_path: Path) -> None:
    folder = killed(0)
    with being_filled(tmp_path / "other.csv", suffix=".csv") as made:
        made.write_text("new")
    assert folder.exists()


def test_an_interrupted_run_leaves_nothing(cli: Cli, survey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Any, *_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Randomizer, "randomize_many", interrupted)
    status, _, err = cli("randomize", str(survey), *SICK, *COIN, "--output", str(survey.with_name("b.csv")))
    assert (status, "interrupted" in err) == (130, True)
    assert left(survey.parent) == [survey.name]


def test_no_disk_left(tmp_path: Path) -> None:
    """A file that may not become so large stands for a disk that is full: one line, and nothing is left."""
    source = tmp_path / "a.csv"
    source.write_text("q\n" + "0\n1\n" * 100_000)
    code = f"""
        import resource, sys
        from rropt.cli.main import main
        import duckdb, rropt_fieldwork.randomizing.randomized_tables
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        arguments = ["randomize", {str(source)!r}, "--column", "q", "--mechanism", "warner:3/4", "--output"]
        for ending in "csv", "parquet":
            print(main([*arguments, {str(tmp_path)!r} + "/b." + ending]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "2\n2\n", 2), done.stderr
    assert done.stderr.count("cannot write") == done.stderr.count("no place is left") == 2
    assert left(tmp_path) == ["a.csv"]


def test_true_answers_are_on_no_disk(survey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a run is under way its folder, which nobody else may enter, holds nothing but what will be published."""
    survey.write_text("sick\n" + "no\n" * 50_000)
    seen: list[bytes] = []
    check = randomizing.check_output

    def look(*given: Any, **options: Any) -> Any:
        (folder,) = survey.parent.glob(".rropt-*")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        seen.extend(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        return check(*given, **options)

    monkeypatch.setattr(randomizing, "check_output", look)
    output = survey.with_name("b.csv")
    how = randomizing_of(
        named_mechanism("generalised:0,0"), CountRequest(("sick",), (("no", "yes"),)), outputs=("no", "yes")
    )
    randomize_file(survey, str(output), how)
    assert seen == [b"sick\n" + b"yes\n" * 50_000] == [output.read_bytes()]


def test_the_mode_of_a_file_stays(cli: Cli, survey: Path) -> None:
    output = survey.with_name("b.csv")
    output.write_text("old")
    output.chmod(0o640)
    assert cli("randomize", str(survey), *SICK, *COIN, "--output", str(output))[0] == 0
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    with pytest.raises(FileAccessError), being_filled("/dev/null", suffix=".csv"):
        pass


@pytest.mark.slow
def test_progress_is_told(survey: Path) -> None:
    told: list[tuple[int, int]] = []
    how = randomizing_of(named_mechanism("warner:3/4"), CountRequest(("sick",), (("no", "yes"),)))
    survey.write_text("sick\n" + "no\n" * 300_000)
    randomize_file(survey, str(survey.with_name("b.csv")), how, progress=lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {300_000}
    assert 0 < sum(done for done, _ in told) <= 300_000


def test_the_function_writes_what_the_command_writes(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rropt_fieldwork import randomize_table

    monkeypatch.chdir(tmp_path)
    rows = [("no", "yes", "north"), ("yes", "no", "south")] * 20
    Path("a.csv").write_text("q,p,region\n" + "".join(f"{','.join(row)}\n" for row in rows))
    own: dict[str, Any] = {"categories": ["no", "yes"], "seed": 3, "keep": ["region"], "keep_anyway": ["region"]}
    given = "--categories no,yes --simulate --seed 3 --keep region --keep-anyway region --output theirs.csv"
    for columns, words, mechanism in (("q", "--column q", "warner:3/4"), (["q", "p"], "--columns q,p", "bits:3/4*2")):
        found = randomize_table("a.csv", mechanism, "own.csv", columns=columns, **own)
        assert cli(*f"randomize a.csv {words} --mechanism {mechanism} {given}".split())[0] == 0
        assert Path("own.csv").read_bytes() == Path("theirs.csv").read_bytes()
        assert found.rows == 40
    before = Path("a.csv").read_bytes()
    for columns, mechanism, file in (("q", "warner:3/4", "a.csv"), (["q", "p"], "warner:3/4", "b.csv")):
        with pytest.raises(InvalidParameterError):
            randomize_table("a.csv", mechanism, file, columns=columns, **own)
    assert Path("a.csv").read_bytes() == before
    assert not Path("b.csv").exists()
