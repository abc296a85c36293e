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
from rropt.mechanisms import Mechanism, RestrictedResponse, named_mechanism
from rropt.mechanisms.clients import ClientTable, export, table_of, vectors_of
from rropt.mechanisms.clients.exporting import filled
from rropt.mechanisms.clients.tables import (
    _table_of_bits,
    _table_of_blocks,
    mutated_tables,
    report_distribution,
    reproduces,
)
from rropt.mechanisms.families import (
    Affine,
    AffineClasses,
    AllSubsets,
    BitVectorMechanism,
    BlockMechanism,
    Cyclic,
    Direct,
    Projective,
    as_memberships,
)
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
    BlockMechanism(Cyclic(7, 7, [0, 1, 3]), 3),
    BlockMechanism(Cyclic(9, 11, [1, 3, 4, 5, 9]), F(5, 2)),
]
RESTRICTED = [
    RestrictedResponse([(2, True), (3, False), (1, True)], F(5, 2), F(1, 7)),
    RestrictedResponse([(2, False), (3, True)], 3),
    RestrictedResponse([(3, False), (2, True), (4, False)], F(7, 3), F(1, 8)),
    RestrictedResponse([(5, True)], 3, F(2, 7)),
    RestrictedResponse([(1, True), (3, False)], 1, F(1, 2)),
    RestrictedResponse([(2, True), (1, False)], 2, 1),
]
SETS: list[Any] = [
    *(BlockMechanism(AllSubsets(k, d), g) for k, d, g in ((5, 2, 3), (4, 3, F(5, 2)), (5, 1, 2), (2, 1, 4))),
    *(BitVectorMechanism(k, p, m) for k, p, m in ((3, F(1, 2), F(1, 4)), (4, F(3, 5), F(1, 3)), (2, F(4, 5), F(1, 5)))),
]
LARGE = ("subset:100000,26894,1/2", "oue:3000,3", "sue:3000,3/4", "singer:2,11,3", "paley:1019,3")
NAMED = ("warner:3/4", "forced:2/3,1/6,1/6", "grr:4,1/2", "hadamard:6,3", "oue:3,3", "olh:4,2", "subset:4,2,3/4")
SMALL: list[Mechanism] = [*BLOCKS, *RESTRICTED, *map(named_mechanism, NAMED)]


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
    return _run(export(mechanism, "python").source)


def _run(source: str) -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "client"}
    exec(source, found)
    return found


def _table_of_sets(made: Any) -> ClientTable:
    """Return the table of a small mechanism of sets or bits, which is exported as a matrix."""
    return _table_of_bits(made) if isinstance(made, BitVectorMechanism) else _table_of_blocks(made)


def _number(made: Any, report: tuple[int, ...]) -> int:
    """Return the number of the output that a set, or bits, are."""
    if isinstance(made, BitVectorMechanism):
        return sum(bit << y for y, bit in enumerate(report))
    return int(made.blocks.number(report))


def _same_law(one: ClientTable, other: ClientTable) -> bool:
    """Return whether two small tables draw with the same law, such as coins of chance 0/1 and 0/2."""
    try:
        laws = [[report_distribution(table.draw, x) for x in range(one.inputs)] for table in (one, other)]
    except (ValueError, IndexError, ZeroDivisionError):
        return False
    return laws[0] == laws[1] and one.inputs == other.inputs


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
            law = report_distribution(lambda category, below, c=client: c["randomize"](category, below), x)
            assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
        tried += 1
    assert tried >= 150


@pytest.mark.parametrize("made", SMALL, ids=repr)
def test_the_law_of_every_kind_and_its_table(made: Mechanism) -> None:
    client, table = _python(made), table_of(made)
    for x in range(made.inputs):
        law = report_distribution(lambda category, below: client["randomize"](category, below), x)
        assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
        assert law == report_distribution(table.draw, x)
    if "holds" in client:
        held = [[client["holds"](i, x) for x in range(made.inputs)] for i in range(made.outputs)]
        assert held == [[made.blocks.holds(i, x) for x in range(made.inputs)] for i in range(made.outputs)]


@pytest.mark.parametrize("made", SETS, ids=repr)
def test_the_law_of_sets_and_of_bits(made: Any) -> None:
    """The text of the client, and its table; each integer that is changed fails a vector."""
    table = _table_of_sets(made)
    vectors = vectors_of(table)
    client = _run(filled(table, vectors, "0", "python"))
    assert client["test"]()
    for x in range(made.inputs):
        law = report_distribution(lambda category, below: tuple(client["randomize"](category, below)), x)
        assert law == report_distribution(table.draw, x)
        numbers = {_number(made, report): p for report, p in law.items()}
        assert [numbers.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
    assert all(not reproduces(other, vectors) for other in mutated_tables(table))


def test_a_thousand_restricted_responses(size: Callable[[int, int], int]) -> None:
    """The law is the mechanism's, and a changed integer fails a vector unless the law stays what it is."""
    rng, tried, many = random.Random(7), 0, size(40, 1000)
    while tried < many:
        runs = [(rng.randint(1, 3), rng.random() < 0.5) for _ in range(rng.randint(1, 5))]
        if not any(chosen for _, chosen in runs) or sum(n for n, _ in runs) < 2:
            continue
        level = rng.choice((F(1), F(2), F(5, 2), F(7, 3))), rng.choice((F(0), F(1, 5), F(2, 7), F(1, 8), F(1)))
        made = RestrictedResponse(runs, *level)
        table = table_of(made)
        vectors = vectors_of(table)
        assert reproduces(table, vectors)
        for x in range(made.inputs):
            law = report_distribution(table.draw, x)
            assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
        assert all(not reproduces(other, vectors) or _same_law(table, other) for other in mutated_tables(table))
        tried += 1


@pytest.mark.parametrize("made", [RESTRICTED[0], RESTRICTED[2], RESTRICTED[3]], ids=repr)
def test_the_collector_of_restricted_responses_is_unbiased(
    made: RestrictedResponse, capsys: pytest.CaptureFixture[str]
) -> None:
    """From exact proportions of the responses it prints the shares, and the error by the inverse of the matrix."""
    client, k, n = _python(made), made.inputs, 10**6
    shares = [F(x + 1, k * (k + 1) // 2) for x in range(k)]
    rates = np.array([float(p) for p in made.apply(shares)])
    inverse = np.linalg.inv(np.array([[float(p) for p in row] for row in made.matrix]))
    outside = sum(rate for y, rate in enumerate(rates) if not made.is_chosen(y))
    for x, share in enumerate(shares):
        client["estimate"](x, rates[x] * n, outside * n, n)
        found, error = map(float, capsys.readouterr().out.split())
        assert abs(found - float(share)) < 1e-9
        assert abs(error - ((inverse[x] ** 2 @ rates - float(share) ** 2) / n) ** 0.5) < 1e-12


def test_shares_that_are_not_determined_are_not_estimated() -> None:
    with pytest.raises(SystemExit, match="not determined"):
        _python(RESTRICTED[1])["estimate"](1, 2, 3, 4)


def test_every_integer_that_is_changed_by_one_fails_a_vector(size: Callable[[int, int], int]) -> None:
    rng, tried = random.Random(2), 0
    large = [solve(kary_problem(epsilon=e, categories=k, objective="a-optimal")).mechanism
             for k, e in ((10**6, 1), (2925, 6), (1000, 9))]  # fmt: skip
    more = [made for made in (_random(rng) for _ in range(size(60, 600))) if _identified(made)]
    large += [named_mechanism(text) for text in ("pgr:1000000,3", "hadamard:100000,5/2", "olh:1000000,3")]
    large += [named_mechanism(text) for text in LARGE]
    large.append(RestrictedResponse([(10, False), (7, True), (99_000, False), (20, True)], F(7, 3), F(1, 10**6)))
    for made in (*SMALL, *large, *more):
        table = table_of(made)
        vectors = vectors_of(table)
        assert reproduces(table, vectors)
        for other in list(mutated_tables(table))[: size(60, 5000)]:
            assert not reproduces(other, vectors) or _same_law(table, other), (made, other.numbers)
            tried += 1
    assert tried > 300


def _program(made: Mechanism, language: str, folder: Path) -> list[str]:
    """Return the command of a compiled client; skip where there is no compiler."""
    client = export(made, language)
    file = folder / f"client.{client.ending}"
    file.write_text(client.source)
    tools = {"javascript": "node", "c": "gcc", "python": sys.executable}
    tool = tools[language]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed: the client in {language} is not compiled")
    if language in ("python", "javascript"):
        return [tool, str(file)]
    built = str(folder / "client")
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable", "-o", built]
    done = subprocess.run([tool, *flags, str(file), "-lm"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [built]


@pytest.mark.parametrize("language", ["c", "javascript", "python"])
def test_clients_of_sets_compile_and_pass_their_vectors(language: str, tmp_path: Path) -> None:
    """What a program draws is what ``rropt count`` reads; its estimate is that of the mechanism."""
    made: list[Any] = [named_mechanism(text) for text in ("subset:40,12,3/5", "oue:50,3", "paley:103,3")]
    for number, one in enumerate([*made, RESTRICTED[0], RESTRICTED[1]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        command = _program(one, language, folder)
        assert subprocess.run([*command, "test"], capture_output=True, text=True, check=False).stdout == "ok\n"
        drawn = folder / "drawn.txt"
        with drawn.open("w") as stream:
            subprocess.run([*command, "draw", "2", "1500"], stdout=stream, check=True)
        if isinstance(one, RestrictedResponse):
            counts = np.bincount(np.array(drawn.read_text().split(), int), minlength=one.outputs)
            expected = np.array([float(p) * 1500 for p in one.column(2)])
            assert (np.abs(counts - expected) <= 6 * np.sqrt(expected) + 6).all()
            continue
        found, one = count(str(drawn), one).counts, as_memberships(one)
        for x in (0, 2, one.inputs - 1):
            rate = float(one.hit if x == 2 else one.miss) * 1500
            assert abs(found[x] - rate) < 6 * rate**0.5 + 6
        told = subprocess.run([*command, "estimate", "700", "1500"], capture_output=True, text=True, check=True).stdout
        assert abs(float(told.split()[0]) - float(one.share_of(700, 1500))) < 1e-9


@pytest.mark.parametrize("language", ["c", "javascript", "python"])
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
    with pytest.raises(UnsupportedProblemError, match="too many runs"):
        export(RestrictedResponse([(1, x % 2 == 0) for x in range(4097)], 3), "c")
    with pytest.raises(UnsupportedProblemError, match="too long"):
        export(BlockMechanism(AllSubsets(60, 20), F(3**40 + 1, 3**39)), "c")
    with pytest.raises(UnsupportedProblemError, match="too long"):
        export(BlockMechanism(Affine(1000, 2, 1, 63), 3), "c")
    with pytest.raises(UnsupportedProblemError, match="too long"):
        export(BitVectorMechanism(100, F(1, 2), F(3**40 - 1, 3**41)), "c")
    with pytest.raises(UnsupportedProblemError, match="too large for a client"):
        export(named_mechanism("bits:3/4*12"), "c")
    with pytest.raises(UnsupportedProblemError, match="too long a common denominator"):
        export(Mechanism.binary(F(1, 2) + F(1, 3**50), F(3, 4)), "c")
