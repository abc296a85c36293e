"""Exported clients: exact laws, frozen vectors, refusals, changed constants, and programs in each language."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows

import rropt_fieldwork.clients
from rropt.cli.main import main
from rropt.core.errors import FileFormatError, InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.designs import solve
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism, ProductMechanism, RestrictedResponse, named_mechanism
from rropt.mechanisms.client_tables import _table_of_bits, _table_of_blocks, _table_of_ranks, family_of
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
from rropt.mechanisms.subsets import set_texts
from rropt_fieldwork.clients import ClientTable, export, table_of, vectors_of
from rropt_fieldwork.clients.templates import program
from rropt_fieldwork.clients.vectors import checks_of, sections
from rropt_fieldwork.counts import AggregatedCounts, estimate_counts, merge
from rropt_fieldwork.from_tables.counted_responses import count

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
TWO_COINS = RestrictedResponse([(2, False), (5, True)], 3, F(2, 7))  # both of the same bound, 7
SETS: list[Any] = [  # exported as matrices: here also as sets, whose outputs can be listed
    *(BlockMechanism(AllSubsets(k, d), g) for k, d, g in ((5, 2, 3), (4, 3, F(5, 2)), (5, 1, 2), (2, 1, 4))),
    *(BitVectorMechanism(k, p, m) for k, p, m in ((3, F(1, 2), F(1, 4)), (4, F(3, 5), F(1, 3)), (2, F(4, 5), F(1, 5)))),
    *(BlockMechanism(Cyclic(7, 7, [0, 1, 3]), 3), BlockMechanism(Cyclic(9, 11, [1, 3, 4, 5, 9]), F(5, 2))),
]
NAMED = ("warner:3/4", "forced:2/3,1/6,1/6", "grr:4,1/2", "hadamard:6,3", "oue:3,3", "olh:4,2", "subset:4,2,3/4")
SMALL: list[Mechanism] = [*BLOCKS, *RESTRICTED, *map(named_mechanism, NAMED)]
LARGE = ("subset:100000,26894,1/2", "oue:3000,3", "sue:3000,3/4", "singer:2,11,3", "paley:1019,3")
KINDS: dict[str, Mechanism] = {
    "columns": named_mechanism("forced:2/3,1/6,1/6"),
    "texts": named_mechanism("subset:5,2,3/4"),
    "questions": ProductMechanism([named_mechanism("generalised:3/4,4/5"), named_mechanism("grr:3,1/2")]),
    "direct": BLOCKS[0],
    "interval": BLOCKS[1],
    "classes": BLOCKS[3],
    "hash": BLOCKS[5],
    "projective": BLOCKS[6],
    "cyclic": named_mechanism("paley:67,3"),
    "ranked": named_mechanism("subset:66,24,1/2"),
    "subset": named_mechanism("subset:5000,6,3/5"),
    "dense": named_mechanism("subset:130,57,2/3"),
    "bits": named_mechanism("oue:15,3"),
    "restricted": RESTRICTED[0],
    "refusal": RESTRICTED[1],
}
_ROWS = [["1/2", "1/3", "1/4", "1/4"], ["1/4", "1/3", "1/4", "1/2"], ["1/4", "1/3", "1/2", "1/4"]]
NUMBERS: list[Mechanism] = [  # with numbers of the categories and of the outputs; three of them round
    Mechanism(_ROWS).valued([0, "5/2", 3, 10], ["-7/2", 1, "1/3"], rounds=True),
    Mechanism(_ROWS).valued([-1, "-1/3", "1/3", 1], [-3, 0, 3], rounds=True),
    Mechanism(_ROWS).valued(["0.125", "0.25", "0.375", "0.5"], [-3, 0, 3], rounds=True),
    Mechanism(_ROWS).valued([10, 0, 20, "1/3"], [-3, 0, 3]),
    named_mechanism("thresholds:1..5,2/3"),
]
LANGUAGES = ("c", "javascript", "python")
FROZEN = [json.loads(line) for line in Path(__file__).with_name("data").joinpath("client_vectors.jsonl").open()]
CLIENTS = Path(__file__).parent / "clients"
TEMPLATES = Path(rropt_fieldwork.clients.__file__).parent
_STRICT = ["gcc", "-O1", "-Wall", "-Wextra", "-Werror"]


# -- helpers --------------------------------------------------------------------------------------------------------


def _run(source: str) -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "client"}
    exec(source, found)
    return found


def _python(mechanism: Mechanism) -> dict[str, Any]:
    return _run(export(mechanism, "python").source)


_checks = cache(checks_of)
_NO_VECTORS = {"VECTORS": [], "REFUSED": (), "ESTIMATES": [], "IDENTITY": ""}


def _client(table: ClientTable, language: str = "python", **changed: Any) -> str:
    """Return the client of a table whose constants are changed, with the test vectors of the table itself."""
    constants = {"IDENTITY": "", **table.constants, **_checks(table), **changed}
    if "M" in changed and "REPORTS" in constants:
        constants["REPORTS"] = changed["M"]  # the name of M in C
    return program(sections(table), constants, language)


def _listed(made: Any) -> ClientTable:
    """Return the table of a small mechanism whose reports are sets or elements, which is exported as a matrix."""
    return _table_of_bits(made) if isinstance(made, BitVectorMechanism) else _table_of_blocks(made)


def _drawn_one_by_one(made: Mechanism) -> ClientTable:
    """Return the table of subset selection that draws the categories one by one, also where sets have ranks."""
    family = family_of(made)
    assert family is not None
    return _table_of_blocks(family)


def _number(made: Any, report: Any) -> int:
    """Return the number of the output that a report is."""
    if isinstance(report, int):
        return report
    if isinstance(made, BitVectorMechanism):
        return sum(int(bit) << y for y, bit in enumerate(report))
    return made.responses.index(report) if made.responses else int(made.blocks.number(report))


class _NeedsMoreWords(Exception):  # noqa: N818
    """Raised when a draw needs one more integer."""


def _law(randomize: Callable[..., Any], category: int) -> dict[Any, Fraction]:
    """Return the exact law of a sampler: the oracle lists all values of every ``below`` with their weights."""
    law: dict[Any, Fraction] = {}
    pending: list[tuple[int, ...]] = [()]
    while pending:
        given = pending.pop()
        bounds: list[int] = []

        def below(bound: int, given: tuple[int, ...] = given, bounds: list[int] = bounds) -> int:
            bounds.append(bound)
            if len(bounds) <= len(given):
                return given[len(bounds) - 1]
            raise _NeedsMoreWords

        try:
            report = randomize(category, below)
        except _NeedsMoreWords:
            pending += [(*given, value) for value in range(bounds[-1])]
            continue
        report = tuple(report) if isinstance(report, list) else report
        law[report] = law.get(report, F(0)) + 1 / F(int(np.prod([1, *bounds], dtype=object)))
    return law


def _drawn_by_integers(client: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the sampler as a function of ``below``: one by rank uses the words below its total."""
    randomize: Callable[..., Any] = client["randomize"]
    if "TOTAL" not in client:
        return randomize
    return lambda category, below: randomize(category, lambda: below(client["TOTAL"]))


def _require_law(made: Mechanism, client: Mapping[str, Any]) -> None:
    """Require that the client draws from the columns of the mechanism, and refuses what is no category."""
    for x in range(made.inputs):
        law = {_number(made, report): p for report, p in _law(_drawn_by_integers(client), x).items()}
        assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))
    for wrong in (made.inputs, -1, True, "0", 0.0, None):
        with pytest.raises(ValueError, match="no such category"):
            client["randomize"](wrong)


def _random(rng: random.Random) -> Mechanism:
    """Return a mechanism of 2 to 4 categories and outputs with weights of one or two digits, and some zeros."""
    while True:
        k, m = rng.randint(2, 4), rng.randint(2, 5)
        columns = []
        for _ in range(k):
            weights = [rng.choice((0, 1, rng.randint(1, 30))) for _ in range(m)]
            weights[rng.randrange(m)] += 1
            columns.append([F(w, sum(weights)) for w in weights])
        made = Mechanism(list(zip(*columns, strict=True)))
        try:
            table_of(made)
        except InfeasibleError:
            continue
        return made


def _steps(value: Any) -> Iterator[Any]:
    """Yield a constant with one of its numbers changed by 1."""
    if isinstance(value, int | float):
        yield from (value + 1, value - 1)
    else:
        yield from ((*value[:i], other, *value[i + 1 :]) for i, each in enumerate(value) for other in _steps(each))


def _changes(table: ClientTable) -> list[tuple[str, Any]]:
    """Return changes of each constant that is no text of a category or of a report."""
    names = ("CATEGORIES", "RESPONSES")
    return [(name, other) for name, value in table.constants.items() if name not in names for other in _steps(value)]


def _weights(column: Any) -> list[Fraction]:
    """Return the law that cumulative weights give, which need not ascend."""
    tops = list(accumulate((min(c, column[-1]) for c in column), max, initial=0))
    return [F(b - a, column[-1]) if column[-1] > 0 else F(-1) for a, b in pairwise(tops)]


def _same_program(table: ClientTable, name: str, value: Any) -> bool:
    """Return whether a change has no effect on any draw, membership or estimate."""
    constants = table.constants
    if name == "COMPLEMENT":
        return value != 1 != constants[name]
    if name == "ROUNDS":
        return value != 0 != constants[name]
    if name in ("COLUMNS", "PARTS"):
        return [_weights(column) for column in value] == [_weights(column) for column in constants[name]]
    if name == "INPUTS":  # the digit of the last question is what remains
        return value[:-1] == constants[name][:-1] and value[-1] > constants[name][-1]
    if name == "REVEALED":  # there is no category outside the set
        return sum(constants["RUNS"][1::2]) == 0 and len(constants["RUNS"]) % 2 == 0
    if name == "GRID" and not constants["ROUNDS"]:  # a number such as 1/3 is named by its text: no decimal equals it
        read = [
            {F(x, constants["UNIT"]): j for j, x in reversed([*enumerate(grid)]) if 10**15 * x % constants["UNIT"] == 0}
            for grid in (value, constants[name])
        ]
        return read[0] == read[1]
    never = constants.get("REVEAL_HEADS") == 0  # a coin of chance 0, tossed with the same words
    return never and ((name == "REVEAL_HEADS" and value < 0) or (name == "REVEAL_COIN" and value == 2))


def _tool(language: str) -> str:
    tool = {"javascript": "node", "c": "gcc", "python": sys.executable}[language]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed: the client in {language} is not run")
    return tool


def _program(source: str, language: str, folder: Path) -> list[str]:
    """Return the command of a client; in C without warnings and without -lm."""
    tool = _tool(language)
    folder.mkdir(exist_ok=True)
    file = folder / {"c": "client.c", "javascript": "client.mjs", "python": "client.py"}[language]
    file.write_text(source)
    if language != "c":
        return [tool, str(file)]
    done = subprocess.run(
        [*_STRICT, "-o", str(folder / "client"), str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [str(folder / "client")]


def _outcome(command: list[str], *given: str) -> tuple[int, str, str]:
    done = subprocess.run([*command, *given], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


# -- laws and vectors -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_law_of_a_thousand_exported_samplers_is_that_of_their_columns(size: Callable[[int, int], int]) -> None:
    """The text of the Python client itself, with a ``below`` that branches over all values."""
    rng = random.Random(1)
    for _ in range(size(60, 1000)):
        made = _random(rng)
        client = _python(made)
        assert client["test"]()
        _require_law(made, client)


@pytest.mark.slow
@every_case("made", SMALL, ids=repr)
def test_the_law_of_every_kind(made: Mechanism) -> None:
    client = _python(made)
    assert client["test"]()
    _require_law(made, client)
    if "holds" in client:
        held = [[client["holds"](i, x) for x in range(made.inputs)] for i in range(made.outputs)]
        assert held == [[made.blocks.holds(i, x) for x in range(made.inputs)] for i in range(made.outputs)]


@every_case("made", SETS, ids=repr)
def test_the_law_of_sets_of_bits_and_of_cyclic_designs(made: Any) -> None:
    client = _run(_client(_listed(made)))
    assert client["test"]()
    _require_law(made, client)


def test_a_matrix_of_all_sets_is_drawn_as_sets_and_keeps_its_law_and_its_texts() -> None:
    """The oracle lists all draws of a set of 2 of 8; a response is the text that the table of the matrix has."""
    made = named_mechanism("subset:8,2,2/5")
    table = table_of(made)
    assert (table.kind, export(made, "python").source.count("COLUMNS")) == ("ranked", 0)
    client = _python(made)
    for category in (0, 3, 7):
        found = _law(_drawn_by_integers(client), category)
        told = {"&".join(map(str, report)): chance for report, chance in found.items()}
        assert told == dict(zip(set_texts(made), made.column(category), strict=True))


@every_case("made", [(2, 1, 3), (5, 1, 2), (5, 4, F(7, 2)), (6, 3, F(5, 2)), (12, 2, F(10, 3))], ids=repr)
def test_the_law_of_sets_by_rank_from_all_words(made: tuple[int, int, Fraction]) -> None:
    """Of all values of a masked word the sampler uses each below its total, and asks for another one otherwise."""
    k, d, gamma = made
    mechanism = BlockMechanism(AllSubsets(k, d), gamma)
    table = _table_of_ranks(mechanism)
    assert table is not None
    client = _run(_client(table))
    total, mask = client["TOTAL"], client["MASK"]
    assert client["test"]()
    assert (mask + 1) & mask == 0
    assert total <= mask + 1 < 2 * total
    for x in range(k):
        counts, rejected = np.zeros(mechanism.outputs, int), 0
        for word in range(mask + 1):
            words = iter([word + (mask + 1), 0])
            report = client["randomize"](x, lambda: next(words))  # noqa: B023
            if next(words, None) is None:
                rejected += 1
            else:
                counts[_number(mechanism, report)] += 1
        assert rejected == mask + 1 - total
        assert [F(int(c), total) for c in counts] == list(mechanism.column(x))


def test_sets_have_ranks_while_their_integers_fit_in_a_word() -> None:
    """A total of 62 bits has ranks, one of 64 bits has none; nor have more than 4096 categories."""
    assert table_of(named_mechanism("subset:66,24,1/2")).kind == "ranked"
    assert table_of(named_mechanism("subset:66,26,1/2")).kind == "dense"
    assert table_of(named_mechanism("subset:4096,2,1/2")).kind == "ranked"
    assert table_of(named_mechanism("subset:4097,2,1/2")).kind == "subset"


def test_a_matrix_with_another_row_or_few_entries_keeps_its_table() -> None:
    rows = [[*row] for row in named_mechanism("subset:8,2,2/5").matrix]
    moved = [[x + (F(1, 1000) if i == 0 else -F(1, 1000) if i == 1 else 0) for x in row] for i, row in enumerate(rows)]
    assert table_of(Mechanism(moved)).kind in ("texts", "columns")
    assert table_of(named_mechanism("subset:5,2,3/4")).kind == "texts"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_client_of_sets_is_short(language: str) -> None:
    """66 sets of 2 of 12: the sampler finds the set of a rank, without a table of 792 numbers."""
    designed = BlockMechanism(
        AllSubsets(12, 2), F(228406289039883217, 50964331852377695)
    )  # `design kary --epsilon 3/2`
    for made in (named_mechanism("subset:12,2,2/5"), designed):
        source = export(made, language).source
        assert len(source.encode()) <= 5120
        assert max(map(len, source.splitlines())) <= 130


@pytest.mark.parametrize("made", ["subset:13,5,3/5", "subset:1000,268,1/2", "subset:5000,1,1/2"])
def test_the_draws_of_a_set_are_the_bits_of_its_words_in_order(made: str) -> None:
    """After the coin, a draw reads the next bits of the words, each once; so uniform words give uniform draws."""
    client, rng = _run(_client(_drawn_one_by_one(named_mechanism(made)))), random.Random(made)
    size, k = client["PIECE"], client["K"]
    assert 2 ** (size - 1) < k - 1 <= 2**size or k <= 3
    for _ in range(20):
        words = [rng.getrandbits(64) for _ in range(400)]
        used = iter(words)
        draw = client["draws_of"](lambda: next(used))  # noqa: B023
        assert draw(2) == words[0] % 2
        bits = "".join(f"{word:064b}"[::-1][: 64 // size * size] for word in words[1:])  # the lowest bit first
        place = 0
        for n in (rng.randint(1, k - 1) for _ in range(50)):
            while True:
                value = int(bits[place : place + size][::-1], 2) % (1 << (n - 1).bit_length())
                place += size
                if value < n:
                    break
            assert draw(n) == value


def test_a_large_set_needs_few_words() -> None:
    """99.5 draws below 900 to 999 from pieces of 10 bits are 107 pieces on average, six of a word: some 18 words."""
    client, rng = _python(named_mechanism("subset:1000,100,1/2")), random.Random(5)
    drawn = [client["replayed"](17, [rng.getrandbits(64) for _ in range(90)])[1] for _ in range(50)]
    pieces = sum(1024 / n for n in range(900, 1000)) - 0.5
    assert abs(sum(drawn) / 50 - (1.5 + pieces / 6)) < 1.5  # one for the coin, half a word is left; the error is 0.2


def test_a_dense_set_needs_a_third_of_the_bits_of_its_draws() -> None:
    """16 words mark half of 999 categories; 30 +- 16 more are drawn from pieces of 10 bits: 26 words, not 102."""
    client, rng = _python(named_mechanism("subset:1000,470,5/8")), random.Random(5)
    assert (client["LAYERS"], client["PATTERN"]) == (1, 1)
    drawn = [client["replayed"](17, [rng.getrandbits(64) for _ in range(90)])[1] for _ in range(50)]
    assert 20 < sum(drawn) / 50 < 30


@every_case("case", [(4, 2, 1, 1), (4, 3, 1, 1), (3, 2, 2, 1), (3, 1, 2, 3), (2, 1, 3, 5)], ids=repr)
def test_the_law_of_dense_sets(case: tuple[int, int, int, int]) -> None:
    """A table has layers for large k alone; here k is small, and the lowest k bits of a word have all 2^k values."""
    k, d, layers, pattern = case
    made = BlockMechanism(AllSubsets(k, d), F(5, 2))
    constants = {**_table_of_blocks(made).constants, "LAYERS": layers, "PATTERN": pattern}
    client = _run(program({"dense"}, {**constants, **_NO_VECTORS}, "python"))

    def randomize(x: int, below: Callable[[int], int]) -> list[int]:
        report: list[int] = client["randomize"](x, lambda n: below(1 << k) if n == 1 << 64 else below(n))
        return report

    for x in range(k):
        law = {_number(made, list(report)): p for report, p in _law(randomize, x).items()}
        assert [law.get(i, 0) for i in range(made.outputs)] == list(made.column(x))


@every_case("made", ["subset:600,300,2/3", "subset:130,57,2/3", "subset:128,30,1/2", "subset:300,200,3/4"])
def test_dense_sets_contain_each_category_equally_often(made: str) -> None:
    """Random words: the number of the other categories is exact, and no place is preferred (chi-square, 5 sd)."""
    mechanism = named_mechanism(made)
    client, rng, k = _python(mechanism), random.Random(made), mechanism.inputs
    counts, inside = np.zeros(k), 0
    for _ in range(60):
        words = iter([rng.getrandbits(64) for _ in range(300)])
        report = client["randomize"](k // 2, client["draws_of"](lambda: next(words)))  # noqa: B023
        assert len(report) == client["SIZE"]
        assert report == sorted(set(report))
        counts[report] += 1
        inside += k // 2 in report
    rest = np.delete(counts, k // 2)
    rate = rest.mean() / 60
    statistic = ((rest - 60 * rate) ** 2).sum() / (60 * rate * (1 - rate))
    assert abs(statistic - (k - 2)) < 5 * (2 * k) ** 0.5
    assert abs(inside / 60 - client["HEADS"] / client["COIN"]) < 5 * 0.5 / 60**0.5


def test_layers_are_the_cheapest_and_end_with_large_k() -> None:
    for k, d, expected in (
        (1000, 470, (1, 1)),
        (1000, 268, (2, 1)),
        (1000, 100, None),
        (1000, 750, (2, 3)),
        (13, 5, None),
        (100000, 50000, None),
    ):
        found = (
            table_of(BlockMechanism(AllSubsets(k, d), 3))
            if k > 13
            else _table_of_blocks(BlockMechanism(AllSubsets(k, d), 3))
        )
        layers = found.constants.get("LAYERS"), found.constants.get("PATTERN")
        assert (layers if layers[0] else None) == expected
        assert found.kind == ("dense" if expected else "subset")


@pytest.mark.slow
def test_a_thousand_restricted_responses(size: Callable[[int, int], int]) -> None:
    rng = random.Random(7)
    for _ in range(size(40, 1000)):
        runs = [(rng.randint(1, 3), rng.random() < 0.5) for _ in range(rng.randint(1, 5))]
        level = rng.choice((F(1), F(2), F(5, 2), F(7, 3))), rng.choice((F(0), F(1, 5), F(2, 7), F(1, 8), F(1)))
        if any(chosen for _, chosen in runs) and sum(n for n, _ in runs) > 1:
            made = RestrictedResponse(runs, *level)
            client = _python(made)
            assert client["test"]()
            _require_law(made, client)


@few_rows(24)
@pytest.mark.parametrize("frozen", FROZEN, ids=lambda frozen: f"{frozen['kind']}-{str(frozen['mechanism'])[:40]}")
def test_frozen_vectors_and_estimates(frozen: Any) -> None:
    """The vectors were made by a sampler in Python that was no text of a client, before it was deleted.

    Those of sets by rank were made from a list of all sets, each as often as its weight.
    """
    made = frozen["mechanism"]
    mechanism = named_mechanism(made) if isinstance(made, str) else Mechanism.from_dict(made)
    table = table_of(mechanism)
    if frozen["kind"] == "subset":  # one of the frozen tables is small enough for ranks
        table = _drawn_one_by_one(mechanism)
    assert table.kind == frozen["kind"]
    client = _run(_client(table))
    assert client["test"]()
    for category, words, drawn, report in frozen["vectors"]:
        assert client["replayed"](category, words) == (report, drawn)
    for counts, expected in frozen["estimates"]:
        assert client["estimates"](*counts) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@every_case("kind", KINDS)
def test_vectors_meet_each_threshold_from_both_sides(kind: str) -> None:
    """The thresholds are read from the constants, not from the sampler."""
    table = table_of(KINDS[kind])
    given = {word for vector in vectors_of(table) for word in vector.words} | {0}
    numbers = table.constants
    coins = [numbers[name] for name in ("HEADS", "REVEAL_HEADS", "MISS_HEADS") if name in numbers]
    columns = [x for name in ("COLUMNS", "PARTS") for column in numbers.get(name, ()) for x in column]
    runs = list(numbers.get("RUNS", ()))
    ends = [*accumulate(runs[::2]), *(accumulate(runs[1::2]) if kind == "cyclic" else ())]
    for threshold in (*coins, *columns, *ends):
        assert {threshold, max(threshold - 1, 0)} <= given, threshold


def test_all_kinds_are_frozen() -> None:
    assert {frozen["kind"] for frozen in FROZEN} == set(KINDS) - {"refusal"}
    assert sum(len(frozen["vectors"]) for frozen in FROZEN) == 2657
    assert [sections(table_of(made)) for made in KINDS.values()] == [
        *({kind} for kind in list(KINDS)[:-2]),
        {"restricted", "identified"},
        {"restricted", "refusal"},
    ]


@pytest.mark.parametrize("made", [RESTRICTED[0], RESTRICTED[2], RESTRICTED[3]], ids=repr)
def test_the_collector_of_restricted_responses_is_unbiased(
    made: RestrictedResponse, capsys: pytest.CaptureFixture[str]
) -> None:
    """From exact proportions of the responses it prints the shares, and the error by the inverse of the matrix."""
    client, k = _python(made), made.inputs
    shares = [F(x + 1, k * (k + 1) // 2) for x in range(k)]
    exact = made.apply(shares)
    n = int(np.lcm.reduce([p.denominator for p in exact]))
    rates, inverse = np.array(exact, float), np.linalg.inv(np.array(made.matrix, float))
    outside = sum(p for y, p in enumerate(exact) if not made.is_chosen(y))
    for x, share in enumerate(shares):
        client["estimate"](x, int(exact[x] * n), int(outside * n), n)
        found, error = map(float, capsys.readouterr().out.split())
        assert abs(found - float(share)) < 1e-9
        assert abs(error - ((inverse[x] ** 2 @ rates - float(share) ** 2) / n) ** 0.5) < 1e-12


# -- refusals -------------------------------------------------------------------------------------------------------

NOT_CATEGORIES = (-1, 10**20, True, False, 0.0, 1.5, "0", "x", "", None, [0], np.float64(0))
TEXTS = ("x", "", "-1", "1.0", "1e1", " 1", "1 ", "+1", "1_0", "0x1", "\u0661", "\u00b2", "nan", "1" * 16, "9" * 400)


def _estimable(kind: str) -> list[int]:
    known = {"columns": [1, 2], "texts": [*range(1, 11)], "questions": [1, 2, 3, 4, 5, 6], "restricted": [0, 1, 2, 4]}
    return known.get(kind, [1, 3])


@every_case("kind", KINDS)
def test_functions_in_python_refuse_what_is_no_category_and_no_list_of_counts(kind: str) -> None:
    made = KINDS[kind]
    client, k = _python(made), made.inputs
    for wrong in (*NOT_CATEGORIES, k, k + 5):
        with pytest.raises(ValueError, match=f"no such category: allowed are the integers from 0 to {k - 1}$"):
            client["randomize"](wrong)
        if "holds" in client:
            with pytest.raises(ValueError, match="no such category"):
                client["holds"](0, wrong)
    for wrong in (*NOT_CATEGORIES, made.outputs if "holds" in client else 0):
        if "holds" in client:
            with pytest.raises(ValueError, match="no such report"):
                client["holds"](wrong, 0)
    counts = _estimable(kind)
    wrong_counts = [counts[:-1], [*counts, 1], [], [0] * len(counts)]
    for i in range(len(counts)):
        wrong_counts += [[*counts[:i], wrong, *counts[i + 1 :]] for wrong in NOT_CATEGORIES if wrong != [0]]
    if kind not in ("columns", "texts", "questions", "refusal"):
        wrong_counts.append([*counts[:-2], counts[-1] + 1, counts[-1]])  # more hits than reports
    if kind == "restricted":
        wrong_counts += [[k, 1, 2, 4], [0, 5, 2, 4]]
    if kind == "refusal":
        wrong_counts.append(counts)
    for each in wrong_counts:
        with pytest.raises(ValueError, match=r"needed|not a count|no reports|of N reports|no such category|determined"):
            client["estimates"](*each)


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_in_python_refuses_texts(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = KINDS[kind]
    client, counts = _python(made), list(map(str, _estimable(kind)))
    wrong = [["draw", text, "1"] for text in (*TEXTS, str(made.inputs))]
    wrong += [["draw", "0", text] for text in TEXTS]
    wrong += [["draw", str(made.inputs), "0"], ["draw"], ["draw", "0"], ["draw", "0", "1", "1"]]
    wrong += [["estimate", *counts[:i], text, *counts[i + 1 :]] for text in TEXTS for i in range(len(counts))]
    wrong += [["estimate"], ["estimate", *counts[1:]], ["estimate", *counts, "1"]]
    wrong += [[], [""], ["help"], ["test", "1"], ["--help"]]
    for each in wrong:
        assert client["main"](*each) == 2, each
        found = capsys.readouterr()
        assert (found.out, found.err.count("\n")) == ("", 1), each
        assert len(found.err) < 150
    assert client["main"]("draw", "0", "3") == client["main"]("test") == 0
    assert capsys.readouterr().out.count("\n") == 4


@few_rows(1)
@pytest.mark.parametrize("kind", KINDS)
def test_programs_in_c_refuse_texts(kind: str, tmp_path: Path) -> None:
    made, counts = KINDS[kind], list(map(str, _estimable(kind)))
    command = _program(export(made, "c").source, "c", tmp_path)
    wrong = [["draw", text, "1"] for text in (*TEXTS, str(made.inputs), "18446744073709551615")]
    wrong += [["draw", "0", text] for text in TEXTS]
    wrong += [["draw", str(made.inputs), "0"], ["draw"], ["draw", "0"], ["draw", "0", "1", "1"]]
    wrong += [["estimate", *counts[:i], text, *counts[i + 1 :]] for text in TEXTS for i in range(len(counts))]
    wrong += [["estimate"], ["estimate", *counts[1:]], ["estimate", *counts, "1"], ["estimate", *["0"] * len(counts)]]
    wrong += [[], [""], ["help"], ["test", "1"]]
    wrong += [["estimate", *counts]] if kind == "refusal" else []
    for each in wrong:
        status, out, err = _outcome(command, *each)
        assert (status, out, err.count("\n")) == (2, "", 1), each
    assert _outcome(command, "draw", "0", "3")[1].count("\n") == 3
    assert _outcome(command, "test") == (0, "ok\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@few_rows(1)
@pytest.mark.parametrize("language", ["c", "javascript", "python"])
@few_rows(1)
@pytest.mark.parametrize("kind", ["ranked", "bits"])
def test_programs_end_with_an_error_if_their_output_is_lost(kind: str, language: str, tmp_path: Path) -> None:
    """Of a short output, and of one that is longer than every buffer."""
    command = _program(export(KINDS[kind], language).source, language, tmp_path)
    for given in (["test"], ["estimate", "1", "3"], ["draw", "0", "3"], ["draw", "0", "20000"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*command, *given], stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
            )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), given
        assert done.stderr.startswith("the output cannot be written"), given


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["columns", "questions", "direct", "restricted", "bits"])
def test_programs_in_javascript_refuse_texts(kind: str, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    made, counts = KINDS[kind], list(map(str, _estimable(kind)))
    command = _program(export(made, "javascript").source, "javascript", tmp_path)
    texts = TEXTS[: size(3, len(TEXTS))]
    wrong = [["draw", text, "1"] for text in (*texts, str(made.inputs))]
    wrong += [
        ["draw", "0", "x"],
        ["draw", str(made.inputs), "0"],
        ["estimate", *counts[1:]],
        ["estimate", *counts, "1"],
    ]
    wrong += [["estimate", *counts[:-1], text] for text in texts] + [[], ["help"], ["test", "1"]]
    for each in wrong:
        status, out, err = _outcome(command, *each)
        assert (status, out, err.count("\n")) == (2, "", 1), each


def test_functions_in_javascript_refuse_what_is_no_category_and_no_list_of_counts(tmp_path: Path) -> None:
    """One process for all kinds; a client that is imported runs no command."""
    cases = {}
    for kind, made in KINDS.items():
        (tmp_path / f"{kind}.mjs").write_text(export(made, "javascript").source)
        cases[kind] = [
            made.inputs,
            0 if kind in ("ranked", "subset", "dense", "bits", "columns", "texts", "questions") else made.outputs,
            _estimable(kind),
        ]
    shutil.copy(CLIENTS / "refused_values.mjs", tmp_path / "all.mjs")
    status, out, err = _outcome([_tool("javascript"), str(tmp_path / "all.mjs")], json.dumps(cases))
    assert status == 0, err
    assert json.loads(out) == {kind: [] for kind in KINDS}


@few_rows(2)
@pytest.mark.parametrize("kind", KINDS)
def test_functions_in_c_refuse_what_is_no_category(kind: str, tmp_path: Path) -> None:
    made = KINDS[kind]
    call = "randomize(x, report)" if kind in ("ranked", "subset", "dense", "bits") else "randomize(x)"
    has_reports = kind not in (
        "columns",
        "texts",
        "questions",
        "ranked",
        "subset",
        "dense",
        "bits",
        "restricted",
        "refusal",
    )
    names = f"#define RANDOMIZE(x) {call}\n#define HOLDS(y, x) {'holds(y, x)' if has_reports else '0'}\n"
    source = (
        export(made, "c").source.replace("int main(", "int client_main(") + names + (CLIENTS / "harness.c").read_text()
    )
    (tmp_path / "harness.c").write_text(source)
    subprocess.run([_tool("c"), "-w", "-o", str(tmp_path / "h"), str(tmp_path / "harness.c")], check=True)
    harness = [str(tmp_path / "h")]
    k = made.inputs
    wrong = [("randomize", x, 0) for x in (k, k + 5, 2**63, 2**64 - 1)]
    if has_reports:
        wrong += [("holds", 0, k), ("holds", 0, 2**64 - 1), ("holds", made.outputs, 0), ("holds", 2**64 - 1, 0)]
    for name, a, b in wrong:
        status, out, err = _outcome(harness, name, str(a), str(b))
        assert (status, out, "no such" in err) == (2, "", True)
    assert _outcome(harness, "randomize", str(k - 1), "0") == (0, "", "")
    if has_reports:
        assert _outcome(harness, "holds", str(made.outputs - 1), str(k - 1)) == (0, "", "")


# -- names and reports in JSON --------------------------------------------------------------------------------------

NAMES = ("no", "yes", "1")  # the last is also the number of another category


@few_rows(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_client_by_rank_takes_and_prints_names(language: str, tmp_path: Path) -> None:
    """Sets of 2 of 12 that contain the truth with probability 1 - 10^-12; the name "0" is not the number 0."""
    names = ("none", "0", *(f"town {i}" for i in range(10)))
    device = named_mechanism("subset:12,2,999999999999/1000000000000").labelled(names)
    command = _program(export(device, language).source, language, tmp_path)
    assert "INSIDE" in export(device, language).source
    assert _outcome(command, "test") == (0, "ok\n", "")
    for text, name in (("none", "none"), ("town 9", "town 9"), ("11", "town 9"), ("1", "0")):
        status, drawn, err = _outcome(command, "draw", text, "20")
        assert (status, err, drawn.count("\n")) == (0, "", 20), text
        assert all(name in line.split("&") and set(line.split("&")) < {*names} for line in drawn.splitlines())
    for text in ("0", "maybe", "12", ""):
        status, out, err = _outcome(command, "draw", text, "2")
        assert (status, out, err.count("\n")) == (2, "", 1), text
        assert "maybe" not in err
        assert text == "0" or all(word in err for word in ("from 0 to 11 and the names", "none", "town 1")), err


@few_rows(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_category_is_given_by_its_name_or_its_number(language: str, tmp_path: Path) -> None:
    """Of a device that reports the truth with probability 1 - 10^-12; a text with two readings is refused."""
    device = named_mechanism("grr:3,999999999999/1000000000000").labelled(NAMES)
    command = _program(export(device, language).source, language, tmp_path)
    assert _outcome(command, "test") == (0, "ok\n", "")
    for text, report in (("no", "0"), ("yes", "1"), ("0", "0"), ("2", "2")):
        assert _outcome(command, "draw", text, "2") == (0, f"{report}\n" * 2, ""), text
    for text in ("1", "maybe", "3", ""):
        status, out, err = _outcome(command, "draw", text, "2")
        assert (status, out, err.count("\n")) == (2, "", 1), text
        assert "maybe" not in err  # it may be the truth
        if text != "1":
            assert all(name in err for name in ("from 0 to 2 and the names", "no", "yes", "1")), err


@few_rows(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_name_lists_the_names_and_few_of_many(language: str, tmp_path: Path) -> None:
    """The list is one short line, also at 200 categories."""
    names = ["caf\u00e9", "a b", 'say "so"', "c", "d", *(f"town {i}" for i in range(195))]
    command = _program(export(named_mechanism("grr:200,1/2").labelled(names), language).source, language, tmp_path)
    for text in ("maybe", "200", ""):
        status, out, err = _outcome(command, "draw", text, "2")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "caf\u00e9" in err
        assert err.endswith(", and so on: all 200 are in CATEGORIES\n")
        assert "town 7" not in err
        assert len(err) < 200


def test_a_name_is_a_category_in_python() -> None:
    client = _python(named_mechanism("grr:3,999999999999/1000000000000").labelled(NAMES))
    assert [client["randomize"](x) for x in (*NAMES, 0, 2)] == [0, 1, 2, 0, 2]
    for wrong in (1, "2", "maybe"):
        with pytest.raises(ValueError, match=r"no such category|also the name of another category"):
            client["randomize"](wrong)


_IN_JSON = """
const answers = {};
for (const kind of JSON.parse(process.argv[2])) {
  const { randomize, holds } = await import(`./${kind}.mjs`);
  const report = randomize(3);
  const back = JSON.parse(JSON.stringify(report));
  answers[kind] = [back, randomize(3n) !== undefined, holds ? holds(back, 3) === holds(BigInt(back), 3n) : true];
}
console.log(JSON.stringify(answers));
"""


def test_reports_in_javascript_survive_json(tmp_path: Path) -> None:
    """A report of a plain number is a number, or digits above 2^53; `holds` takes it back."""
    kinds = {name: made for name, made in KINDS.items() if made.inputs > 3}
    kinds["digits"] = BlockMechanism(Affine(5, 2**31 - 1, 2), F(5, 2))
    for name, made in kinds.items():
        (tmp_path / f"{name}.mjs").write_text(export(made, "javascript").source)
    (tmp_path / "all.mjs").write_text(_IN_JSON)
    status, out, err = _outcome([_tool("javascript"), str(tmp_path / "all.mjs")], json.dumps([*kinds]))
    assert status == 0, err
    for name, (report, takes_bigint, is_same) in json.loads(out).items():
        made = kinds[name]
        assert takes_bigint
        assert is_same
        if name in ("ranked", "subset", "dense", "bits"):
            assert all(type(y) is int for y in report)
        elif name == "texts":
            assert report in made.responses
        else:
            assert 0 <= int(report) < made.outputs
            assert type(report) is (int if int(report) < 2**53 else str)


# -- numbers --------------------------------------------------------------------------------------------------------


@every_case("made", NUMBERS, ids=repr)
def test_the_law_of_numbers_and_of_numbers_between_them(made: Mechanism) -> None:
    """A number x between two of the grid has the mixture of their columns whose weights have the mean x."""
    client, x = _python(made), made.input_values
    assert client["test"]()
    for j, category in enumerate(made.categories):
        law = _law(client["randomize"], category)  # type: ignore[arg-type]
        assert [law.get(text, 0) for text in made.responses] == list(made.column(j))
    for text in ("0.2", "-0.5", "+.4", "2.6", "007.50", "3."):
        number = F(text)
        below = max((j for j in range(made.inputs) if x[j] <= number), key=lambda j: x[j], default=None)
        if number in x:
            expected = list(made.column(x.index(number)))
        elif made.rounds and below is not None and below + 1 < made.inputs:
            t = (number - x[below]) / (x[below + 1] - x[below])
            expected = [(1 - t) * p + t * q for p, q in zip(made.column(below), made.column(below + 1), strict=True)]
        else:
            with pytest.raises(ValueError, match="no such number"):
                client["randomize"](text)
            continue
        law = _law(client["randomize"], text)  # type: ignore[arg-type]
        assert [law.get(response, 0) for response in made.responses] == expected


def test_numbers_that_a_client_refuses() -> None:
    """The number itself is not repeated: it may be the truth."""
    client = _python(NUMBERS[0])
    for wrong in ("", "x", "11", "-0.1", "1e0", "1/2", True, None, 1e-7, "0." + "1" * 16, "1" * 30, "²"):
        with pytest.raises(ValueError, match="from 0 to 10 with at most 15 decimals"):
            client["randomize"](wrong)
    assert client["randomize"](10) in NUMBERS[0].responses
    assert client["randomize"](2.5) in NUMBERS[0].responses
    with pytest.raises(UnsupportedProblemError, match="common denominator"):
        export(Mechanism(_ROWS).valued([0, F(1, 3**30), F(1, 2**30), 1], [-3, 0, 3]), "c")
    with pytest.raises(UnsupportedProblemError, match="on fewer points"):
        export(named_mechanism("thresholds:1..60,2/3"), "c")


@few_rows(1)
@pytest.mark.parametrize("language", LANGUAGES)
@few_rows(1)
@pytest.mark.parametrize("made", [NUMBERS[1], NUMBERS[3]], ids=["rounded", "listed"])
def test_programs_report_numbers(made: Mechanism, language: str, tmp_path: Path) -> None:
    """The frequencies of the reports within 6 standard errors; their mean and its error by NumPy."""
    command, n = _program(export(made, language).source, language, tmp_path), 1500
    assert _outcome(command, "test") == (0, "ok\n", "")
    x = "0.5" if made.rounds else "20"
    status, drawn, err = _outcome(command, "draw", x, str(n))
    assert (status, err) == (0, "")
    if made.rounds:
        low = max(j for j in range(made.inputs) if made.input_values[j] <= F(x))
        t = (F(x) - made.input_values[low]) / (made.input_values[low + 1] - made.input_values[low])
        column = [(1 - t) * p + t * q for p, q in zip(made.column(low), made.column(low + 1), strict=True)]
    else:
        column = list(made.column(2))
    found = [drawn.split("\n").count(text) for text in made.responses]
    assert sum(found) == n
    expected = n * np.array(column, float)
    assert (np.abs(np.array(found) - expected) <= 6 * np.sqrt(expected) + 6).all()
    z = np.repeat(np.array(made.output_values, float), found)
    told = _outcome(command, "estimate", *map(str, found))[1].split()
    assert [float(x) for x in told] == pytest.approx([z.mean(), z.std() / n**0.5], rel=1e-9)
    for wrong in ("x", "20.5", "-3"):
        status, out, err = _outcome(command, "draw", wrong, "1")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "20.5" not in err


@few_rows(1)
@pytest.mark.parametrize("language", ["c", "javascript"])
def test_changed_constants_of_numbers_fail_the_test_of_programs(language: str, tmp_path: Path) -> None:
    table = table_of(NUMBERS[0])
    changes = [change for change in _changes(table) if not _same_program(table, *change)]
    chosen = random.Random(language).sample([one for one in changes if one[0] not in ("K", "M")], 4)
    for name, value in chosen:
        file = tmp_path / ("client.c" if language == "c" else "client.mjs")
        file.write_text(_client(table, language, **{name: value}))
        command = [_tool(language), str(file)]
        if language == "c":
            subprocess.run([_tool("c"), "-w", "-o", str(tmp_path / "client"), str(file)], check=True)
            command = [str(tmp_path / "client")]
        assert _outcome(command, "test")[0] == 1, (name, value)


# -- forks ----------------------------------------------------------------------------------------------------------

_FORK = """
import os, sys
sys.path.insert(0, os.path.dirname(__file__))
import client
client.randomize(0)
reader, writer = os.pipe()
child = os.fork() == 0
reports = repr([client.randomize(1) for _ in range(40)])
if child:
    os.write(writer, reports.encode())
    os._exit(0)
os.close(writer)
print("equal" if os.read(reader, 10**6).decode() == reports else "different")
"""
_BUFFERED = {  # a client that keeps random bytes, which the test must see
    "python": ("int.from_bytes(os.urandom(8)", "BUFFER.pop() if BUFFER else int.from_bytes(os.urandom(8)"),
    "c": ("getrandom(&w, sizeof w, 0) != sizeof w", "!at-- && (at = 999, getrandom(kept, sizeof kept, 0) < 0)"),
}


@pytest.mark.parametrize("buffered", [False, True])
def test_parent_and_child_draw_different_reports_after_a_fork_in_python(buffered: bool, tmp_path: Path) -> None:
    source = export(BlockMechanism(Direct(1000), 3), "python").source
    if buffered:
        assert _BUFFERED["python"][0] in source
        source = (
            source.replace(*_BUFFERED["python"]) + "\nBUFFER = [int.from_bytes(os.urandom(8)) for _ in range(999)]\n"
        )
    (tmp_path / "client.py").write_text(source)
    (tmp_path / "fork.py").write_text(_FORK)
    outcome = _outcome([sys.executable, str(tmp_path / "fork.py")])
    assert outcome == (0, "equal\n" if buffered else "different\n", "")


@pytest.mark.parametrize("buffered", [False, True])
def test_parent_and_child_draw_different_reports_after_a_fork_in_c(buffered: bool, tmp_path: Path) -> None:
    source = export(BlockMechanism(Direct(1000), 3), "c").source.replace("int main(", "int client_main(")
    if buffered:
        assert _BUFFERED["c"][0] in source
        source = source.replace(*_BUFFERED["c"]).replace("  u64 w;\n", "  static u64 kept[1000], at;\n  u64 w;\n")
        source = source.replace("  return w;\n", "  w = kept[at];\n  return w;\n", 1)
    (tmp_path / "fork.c").write_text(source + (CLIENTS / "fork.c").read_text())
    subprocess.run([_tool("c"), "-w", "-o", str(tmp_path / "fork"), str(tmp_path / "fork.c")], check=True)
    assert _outcome([str(tmp_path / "fork")]) == (0, "equal\n" if buffered else "different\n", "")


# -- changed constants ----------------------------------------------------------------------------------------------


@few_rows(1)
@pytest.mark.parametrize("made", [*KINDS.values(), TWO_COINS, *NUMBERS], ids=repr)
def test_every_constant_that_is_changed_by_one_fails_the_test(
    made: Mechanism, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_of(made)
    changes = _changes(table)
    for name, value in changes if len(changes) < 100 else changes[:60] + changes[-40:]:
        passes = _run(_client(table, **{name: value}))["test"]()
        if name == "DECIMALS" and value > table.constants[name]:
            continue  # more decimals are accepted, and no vector has so many; what they overflow the test refuses
        assert passes == _same_program(table, name, value), (name, value)
        assert passes or "fails" in capsys.readouterr().out
    assert {name for name, _ in changes} == set(table.constants) - {"CATEGORIES", "RESPONSES"}


@pytest.mark.slow
def test_every_constant_of_large_mechanisms_that_is_changed_by_one_fails_the_test(
    size: Callable[[int, int], int],
) -> None:
    rng, tried = random.Random(2), 0
    made = [solve(Problem.kary(k, epsilon=e, objective="a-optimal")).mechanism
            for k, e in ((10**6, 1), (2925, 6), (1000, 9))]  # fmt: skip
    made += [named_mechanism(text) for text in ("pgr:1000000,3", "hadamard:100000,5/2", "olh:1000000,3", *LARGE)]
    made.append(RestrictedResponse([(10, False), (7, True), (99_000, False), (20, True)], F(7, 3), F(1, 10**6)))
    made += [_random(rng) for _ in range(size(4, 40))]
    for each in made:
        table = table_of(each)
        changes = [change for change in _changes(table) if not _same_program(table, *change)]
        for name, value in rng.sample(changes, min(len(changes), size(2, 60))):
            assert not _run(_client(table, **{name: value}))["test"](), (each, name, value)
            tried += 1
    assert tried > 30


@few_rows(1)
@pytest.mark.parametrize("language", ["c", "javascript"])
@few_rows(1)
@pytest.mark.parametrize("kind", KINDS)
def test_programs_with_a_changed_constant_fail_their_test(
    kind: str, language: str, tmp_path: Path, size: Callable[[int, int], int]
) -> None:
    table, tool = table_of(KINDS[kind]), _tool(language)
    changes = [change for change in _changes(table) if not _same_program(table, *change)]
    for name, value in random.Random(f"{kind} {language}").sample(changes, min(len(changes), size(2, 40))):
        file = tmp_path / ("client.c" if language == "c" else "client.mjs")
        file.write_text(_client(table, language, **{name: value}))
        command = [tool, str(file)]
        if language == "c":
            built = str(tmp_path / "client")
            if subprocess.run([tool, "-w", "-o", built, str(file)], capture_output=True, check=False).returncode:
                continue  # more rows than their number
            command = [built]
        status, out, _ = _outcome(command, "test")
        assert status == 1, (name, value)
        assert out != "ok\n"


# -- programs -------------------------------------------------------------------------------------------------------


def test_the_templates_are_whole_programs() -> None:
    strict = [*_STRICT, "-Wno-unused-function", "-Wno-unused-const-variable", "-fsyntax-only"]
    subprocess.run([_tool("c"), *strict[1:], str(TEMPLATES / "client.c")], check=True)
    subprocess.run([_tool("javascript"), "--check", str(TEMPLATES / "client.mjs")], check=True)
    compile((TEMPLATES / "client.py").read_text(), "client.py", "exec")


@cache
def _templates() -> str:
    return "".join((TEMPLATES / f"client.{ending}").read_text() for ending in ("c", "mjs", "py"))


@few_rows(1)
@pytest.mark.parametrize("language", LANGUAGES)
@few_rows(1)
@pytest.mark.parametrize("kind", KINDS)
def test_a_client_contains_what_its_kind_needs(kind: str, language: str) -> None:
    client = export(KINDS[kind], language)
    assert client.identity in client.source
    assert "<" + kind not in client.source
    assert not any(f"_{other}(" in client.source for other in (*KINDS, "number", "set", "sets", "identified"))
    assert ("def holds" in client.source or "holds(" in client.source) == (
        kind in ("direct", "interval", "classes", "hash", "projective", "cyclic")
    )
    assert all(f"client.{ending}" != client.ending for ending in ("c", "mjs", "py"))
    assert len(client.source) < len(_templates())


@few_rows(1)
@pytest.mark.parametrize("language", LANGUAGES)
@few_rows(1)
@pytest.mark.parametrize("kind", KINDS)
def test_programs_pass_their_vectors_and_draw_what_rropt_counts(kind: str, language: str, tmp_path: Path) -> None:
    """The reports of a program have the law of its mechanism; ``rropt count`` reads them, and estimates are equal."""
    made, n = KINDS[kind], 1500
    command = _program(export(made, language).source, language, tmp_path)
    assert _outcome(command, "test") == (0, "ok\n", "")
    status, drawn, err = _outcome(command, "draw", "2" if made.inputs > 2 else "1", str(n))
    assert (status, err) == (0, "")
    x = 2 if made.inputs > 2 else 1
    (tmp_path / "drawn.txt").write_text(drawn)
    sets = as_memberships(made)
    if kind in ("columns", "texts", "questions", "restricted", "refusal") or sets is None:
        names = made.responses or [*map(str, range(made.outputs))]  # of subsets, 0&1
        found = np.bincount([names.index(text) for text in drawn.split()], minlength=made.outputs)
        expected = np.array([float(p) * n for p in made.column(x)])
    else:
        counted = count(str(tmp_path / "drawn.txt"), made)
        assert counted.mechanism_hash == export(made, language).identity
        found = np.array(counted.counts)
        chances = [float(sets.hit if y == x else sets.miss) for y in range(made.inputs)]
        if counted.counted == "outputs":
            chances = [float(p) for p in made.column(x)]
        expected = n * np.array(chances)
        told = _outcome(command, "estimate", "700", str(n))[1]
        assert abs(float(told.split()[0]) - float((Fraction(700, n) - sets.miss) / (sets.hit - sets.miss))) < 1e-9
    assert (np.abs(found - expected) <= 6 * np.sqrt(expected) + 6).all()


def test_counts_name_the_mechanism_that_they_belong_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts of the reports of one client are refused under another mechanism, however they get there."""
    one, other = (named_mechanism(f"grr:100,{p}") for p in ("1/2", "49/100"))
    (tmp_path / "drawn.txt").write_text("1\n2\n2\n")
    counts = count(str(tmp_path / "drawn.txt"), one)
    assert counts.mechanism_hash == export(one, "c").identity != export(other, "c").identity
    with pytest.raises(InvalidParameterError, match="different mechanisms"):
        merge([counts, count(str(tmp_path / "drawn.txt"), other)])
    written = counts.to_dict()
    for wrong in (
        {**written, "mechanism": other.to_dict()},
        {**written, "mechanism_hash": export(other, "c").identity},
    ):
        with pytest.raises(FileFormatError, match="mechanism_hash contradicts the rest"):
            AggregatedCounts.from_dict(wrong)
    (tmp_path / "counts.json").write_text(json.dumps(written))
    assert main(["estimate", str(tmp_path / "counts.json"), "--mechanism", "grr:100,49/100"]) == 2
    assert "mechanism" in capsys.readouterr().err


def test_ten_million_reports_of_a_client_in_c_are_counted_merged_and_estimated(
    tmp_path: Path, size: Callable[[int, int], int]
) -> None:
    """The truth is within the joint intervals; at full size 10^7 reports."""
    made = BlockMechanism(AffineClasses(10, 13, 4, 1, True), 9)
    command = _program(export(made, "c").source, "c", tmp_path)
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
    ends = [map(Fraction, row["simultaneous"]["exact"]) for row in found.to_dict()["rows"]]
    assert all(low <= Fraction(s, 100) <= high for (low, high), s in zip(ends, share, strict=True))


def test_the_command_writes_a_client(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "warner:3/4", "python"]) == 0
    assert "def randomize" in capsys.readouterr().out
    file = tmp_path / "client.c"
    assert main(["export", "warner:3/4", "c", "--output", str(file)]) == 0
    assert "u64 randomize" in file.read_text()
    assert "identity" in capsys.readouterr().out


@few_rows(1)
@pytest.mark.parametrize("epsilon", [1, 20])
def test_designs_at_the_levels_that_a_refusal_names_have_a_client(epsilon: int) -> None:
    assert export(solve(Problem.binary("1/10", epsilon=epsilon)).mechanism, "python").source
    made = solve(Problem.kary(epsilon=epsilon, objective="a-optimal", population=["1/2", "1/3", "1/6"])).mechanism
    assert export(made, "python").source


def test_what_has_no_client_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="no client in this language"):
        export("warner:3/4", "cobol")
    with pytest.raises(UnsupportedProblemError, match="too many runs"):
        export(RestrictedResponse([(1, x % 2 == 0) for x in range(4097)], 3), "c")
    with pytest.raises(UnsupportedProblemError, match="too long"):
        export(BlockMechanism(AllSubsets(60, 20), F(3**40 + 1, 3**39)), "c")
    with pytest.raises(UnsupportedProblemError, match=r"too long.* and 18446744073709551614 outputs"):
        export(BlockMechanism(Affine(1000, 2, 1, 63), 3), "c")
    with pytest.raises(UnsupportedProblemError, match="too long"):
        export(BitVectorMechanism(100, F(1, 2), F(3**40 - 1, 3**41)), "c")
    with pytest.raises(UnsupportedProblemError, match="too large for a client"):
        export(named_mechanism("bits:3/4*12"), "c")
    with pytest.raises(UnsupportedProblemError, match=r"too long a common denominator.* such as 1$"):
        export(Mechanism.binary(F(1, 2) + F(1, 3**50), F(3, 4)), "c")
