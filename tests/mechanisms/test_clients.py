"""Exported clients: the exact law of the sampler, vectors that notice every changed integer, compiled programs."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rropt.cli.main import main
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs import solve
from rropt.designs.problem import kary_problem
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.clients import export, table_of, vectors_of
from rropt.mechanisms.clients.tables import changed, holds, law_of
from rropt.mechanisms.families import Affine, AffineClasses, AllSubsets, BlockMechanism, Direct, Projective
from rropt.survey.aggregates import count, estimate_counts, merge

F = Fraction
BLOCKS = [
    BlockMechanism(Direct(5), F(5, 2)),
    BlockMechanism(Affine(5, 7, 2), F(5, 2)),
    BlockMechanism(AffineClasses(7, 7, 2, 1, False), F(5, 2)),
    BlockMechanism(AffineClasses(4, 13, 3, 1, True), F(5, 2)),
    BlockMechanism(AffineClasses(5, 5, 1, 0, True), F(5, 2)),
    BlockMechanism(Affine(7, 3, 2, 2), 3),
    BlockMechanism(Projective(10, 3, 3, False), F(7, 2)),
    BlockMechanism(Projective(6, 2, 3, True), 3),
    BlockMechanism(Projective(5, 5, 2, True), 3),
]
NAMED = ("warner:3/4", "forced:2/3,1/6,1/6", "grr:4,1/2", "hadamard:6,3", "oue:3,3", "olh:4,2", "subset:4,2,3/4")
SMALL: list[Mechanism] = [*BLOCKS, *map(named_mechanism, NAMED)]


def _random(rng: random.Random) -> Mechanism:
    """Return a mechanism of 2 to 4 categories and outputs with weights of one or two digits, and some zeros."""
    k, m = rng.randint(2, 4), rng.randint(2, 5)
    columns = []
    for _ in range(k):
        weights = [rng.choice((0, 1, rng.randint(1, 30))) for _ in range(m)]
        weights[rng.randrange(m)] += 1
        columns.append([F(w, sum(weights)) for w in weights])
    return Mechanism(list(zip(*columns, strict=True)))


def _python(mechanism: Mechanism) -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "client"}
    exec(export(mechanism, "python").source, found)
    return found


def _identified(mechanism: Mechanism) -> bool:
    from rropt.core.errors import InfeasibleError

    try:
        table_of(mechanism)
    except InfeasibleError:
        return False
    return True


def test_the_law_of_a_thousand_exported_samplers_is_that_of_their_columns(size: Callable[[int, int], int]) -> None:
    """The text of the Python client itself, with a ``below`` that branches over all values."""
    rng, tried = random.Random(1), 0
    while tried < size(150, 1000):
        made = _random(rng)
        if not _identified(made):
            continue
        client = _python(made)
        assert client["test"]()
        for x in range(made.inputs):
            law = law_of(lambda category, below, c=client: c["randomize"](category, below), x)
            assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
        tried += 1
    assert tried >= 150


@pytest.mark.parametrize("made", SMALL, ids=repr)
def test_the_law_of_every_kind_and_its_table(made: Mechanism) -> None:
    client, table = _python(made), table_of(made)
    for x in range(made.inputs):
        law = law_of(lambda category, below: client["randomize"](category, below), x)
        assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
        assert law == law_of(table.draw, x)
    if "holds" in client:
        held = [[client["holds"](i, x) for x in range(made.inputs)] for i in range(made.outputs)]
        assert held == [[made.blocks.holds(i, x) for x in range(made.inputs)] for i in range(made.outputs)]


def test_every_integer_that_is_changed_by_one_fails_a_vector(size: Callable[[int, int], int]) -> None:
    rng, tried = random.Random(2), 0
    large = [solve(kary_problem(epsilon=e, categories=k, objective="a-optimal")).mechanism
             for k, e in ((10**6, 1), (2925, 6), (1000, 9))]  # fmt: skip
    more = [made for made in (_random(rng) for _ in range(size(60, 600))) if _identified(made)]
    large += [named_mechanism(text) for text in ("pgr:1000000,3", "hadamard:100000,5/2", "olh:1000000,3")]
    for made in (*SMALL, *large, *more):
        table = table_of(made)
        vectors = vectors_of(table)
        assert holds(table, vectors)
        for other in changed(table):
            assert not holds(other, vectors), (made, other.numbers)
            tried += 1
    assert tried > 300


def _program(made: Mechanism, language: str, folder: Path) -> list[str]:
    """Return the command of a compiled client; skip where there is no compiler."""
    client = export(made, language)
    file = folder / f"client.{'mjs' if language == 'javascript' else client.ending}"
    file.write_text(client.source)
    tools = {"javascript": "node", "c": "gcc", "rust": "rustc", "swift": "swiftc", "python": sys.executable}
    tool = tools[language]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed: the client in {language} is not compiled")
    if language in ("python", "javascript"):
        return [tool, str(file)]
    built = str(folder / "client")
    flags = {"c": ["-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable"],
             "rust": ["-O", "-A", "warnings"], "swift": []}[language]  # fmt: skip
    last = ["-lm"] if language == "c" else []
    done = subprocess.run([tool, *flags, "-o", built, str(file), *last], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [built]


@pytest.mark.parametrize("language", ["c", "javascript", "python", "rust", "swift"])
def test_clients_compile_and_pass_their_vectors(language: str, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    made = [BLOCKS[6], named_mechanism("grr:4,1/2"), BLOCKS[5], BLOCKS[3], BLOCKS[1], BLOCKS[0]][: size(3, 6)]
    for number, one in enumerate(made):
        folder = tmp_path / str(number)
        folder.mkdir()
        command = _program(one, language, folder)
        assert subprocess.run([*command, "test"], capture_output=True, text=True, check=False).stdout == "ok\n"
        drawn = subprocess.run([*command, "draw", "2", "2000"], capture_output=True, text=True, check=True).stdout
        counts = np.bincount(np.array(drawn.split(), int), minlength=one.outputs)
        expected = np.array([float(p) * 2000 for p in one.column(2)])
        assert (np.abs(counts - expected) <= 6 * np.sqrt(expected) + 6).all()
        given = ["300", "2000"] if isinstance(one, BlockMechanism) else ["10", "20", "30", "40"]
        told = subprocess.run([*command, "estimate", *given], capture_output=True, text=True, check=True).stdout
        share, error = map(float, told.split()[:2])
        if isinstance(one, BlockMechanism):
            assert abs(share - float(one.share_of(300, 2000))) < 1e-9
        else:
            assert abs(share - 3 * (0.1 - 1 / 6) / 1) < 1
        assert error > 0


def test_a_changed_weight_makes_the_vectors_of_the_program_fail(tmp_path: Path) -> None:
    client = export(BLOCKS[1], "python")
    heads = f"HEADS = {table_of(BLOCKS[1]).numbers['HEADS']}"
    assert heads in client.source
    file = tmp_path / "client.py"
    file.write_text(client.source.replace(heads, f"{heads} + 1"))
    done = subprocess.run([sys.executable, str(file), "test"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "vector fails" in done.stdout


def test_ten_million_reports_of_a_client_in_c_are_counted_merged_and_estimated(
    tmp_path: Path, size: Callable[[int, int], int]
) -> None:
    """The truth is within the joint intervals; at full size 10^7 reports."""
    made = BlockMechanism(AffineClasses(10, 13, 4, 1, True), 9)
    command = _program(made, "c", tmp_path)
    n = size(20_000, 10_000_000)
    share = [1, 1, 2, 3, 3, 4, 6, 10, 20, 50]
    parts = []
    for x in range(10):
        file = tmp_path / f"{x}.txt"
        with file.open("w") as stream:
            subprocess.run([*command, "draw", str(x), str(n * share[x] // 100)], stdout=stream, check=True)
        parts.append(count(str(file), made))
    total = merge(parts)
    assert total.n == n
    found = estimate_counts(total, confidence="0.9999")
    assert all(low <= s / 100 <= high for (low, high), s in zip(found.intervals, share, strict=True))


def test_the_command_writes_a_client(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "warner:3/4", "--language", "python"]) == 0
    assert "def randomize" in capsys.readouterr().out
    file = tmp_path / "client.c"
    assert main(["export", "warner:3/4", "--language", "c", "--output", str(file)]) == 0
    assert "u64 randomize" in file.read_text()
    assert "identity" in capsys.readouterr().out


def test_what_has_no_client_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="no client in this language"):
        export("warner:3/4", "cobol")
    with pytest.raises(UnsupportedProblemError, match="this family has no client"):
        export(BlockMechanism(AllSubsets(60, 20), 3), "c")
    with pytest.raises(UnsupportedProblemError, match="too long"):
        export(BlockMechanism(Affine(1000, 2, 1, 63), 3), "c")
    with pytest.raises(UnsupportedProblemError, match="too large for a client"):
        export(named_mechanism("oue:100,3"), "c")
    with pytest.raises(UnsupportedProblemError, match="too long a common denominator"):
        export(Mechanism.binary(F(1, 2) + F(1, 3**50), F(3, 4)), "c")
