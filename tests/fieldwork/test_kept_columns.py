"""Kept columns and the order of rows reveal no true answers: leaks are refused, innocent columns are not."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from later import later

from rropt.answers.response_codes import Codes
from rropt.mechanisms import named_mechanism
from rropt_fieldwork.randomizing import kept_columns, randomized_tables
from rropt_fieldwork.randomizing.kept_columns import JointColumn, KeptColumn, few_runs
from rropt_fieldwork.randomizing.randomized_tables import random_places, randomize_file, randomizing_of, shuffled
from rropt_fieldwork.reading.counting import CountRequest

pa = later("pyarrow")
scipy = later("scipy")

Cli = Callable[..., tuple[int, str, str]]


def relation(kept: Sequence[Any], answers: Sequence[int]) -> str:
    column = KeptColumn(Codes(None, None))
    column.add([str(value) for value in kept], [str(answer) for answer in answers])
    return column.relation()


def flipped(answers: Sequence[int], rows: Sequence[int]) -> list[int]:
    return [1 - answer if i in rows else answer for i, answer in enumerate(answers)]


def answers_of(n: int, k: int, seed: int) -> list[int]:
    own = random.Random(seed)
    return [own.randrange(k) for _ in range(n)]


LEAKS: dict[str, Callable[[list[int]], list[Any]]] = {
    "ever": lambda q: [int(a > 0) for a in q],
    "numbered": lambda q: [f"{('no', 'yes', 'often', 'x')[a]}-{i}" for i, a in enumerate(q)],
    "number first": lambda q: [f"{i:05}-{'abcd'[a]}" for i, a in enumerate(q)],
    "last digit": lambda q: [10 * i + a for i, a in enumerate(q)],
    "first digit": lambda q: [10**6 * (1 + a) + i for i, a in enumerate(q)],
    "JSON": lambda q: [json.dumps({"id": i, "q": a, "who": f"w{i * 7}"}) for i, a in enumerate(q)],
    "other case": lambda q: [("Ja ", "NEIN", "Oft", "nie")[a] for a in q],
    "one row differs": lambda q: [3 - q[0], *q[1:]],
    "sorted numbers": lambda q: _ranks(q),
    "sorted texts": lambda q: [f"P{rank}" for rank in _ranks(q)],
    "sorted dates": lambda q: [f"2026-{1 + r // 28:02}-{1 + r % 28:02}T12:00" for r in _ranks(q)],
    "follow-up": lambda q: ["" if a == 0 else f"reason {i * i}" for i, a in enumerate(q)],
    "follow-up of some": lambda q: [f"reason {i * i}" if a == 1 and i % 2 else "" for i, a in enumerate(q)],
    "noisy number": lambda q: [a + i % 97 / 100 for i, a in enumerate(q)],
}


def _ranks(q: list[int]) -> list[int]:
    order = sorted(range(len(q)), key=lambda i: (q[i], i))
    found = [0] * len(q)
    for rank, i in enumerate(order):
        found[i] = rank
    return found


@pytest.mark.parametrize("name", LEAKS)
def test_columns_that_belong_to_the_answers_are_refused(name: str) -> None:
    for n in (80, 200):
        for k in (2, 4):
            answers = answers_of(n, k, n + k)
            assert relation(LEAKS[name](answers), answers), (n, k)
            shuffled = answers_of(n, k, n + k + 1)  # the same column beside other answers
            assert name == "follow-up" or not relation(LEAKS[name](answers), shuffled), (n, k)


def test_nearly_equal_columns_are_refused() -> None:
    """All but one of 400 rows, of 20 rows, and of rows with few who say yes; not with an ordinary association."""
    for n, yes in ((400, 200), (400, 20), (20, 10), (16, 8), (1000, 30)):
        answers = [int(i < yes) for i in range(n)]
        assert "nearly" in relation(flipped(answers, [n - 1]), answers), (n, yes)
    for n in (40, 400, 4000):
        answers = [i % 2 for i in range(n)]
        assert relation(flipped(answers, [i for i in range(n) if i % 8 < 2]), answers) == ""  # one in four differs


@pytest.mark.slow
def test_innocent_columns_are_kept() -> None:
    """Unrelated numbers, weights, ages, codes, and covariates with an ordinary association, in tables of any size."""
    own, refused = random.Random(3), Counter[str]()
    for n in (3, 5, 8, 12, 20, 30, 100, 400, 1000):
        for _ in range(20 if n < 400 else 3):
            answers = [int(own.random() < 0.4) for _ in range(n)]
            columns = {
                "id": own.sample(range(10**6), n),
                "weight": [own.random() for _ in range(n)],
                "age": [own.randrange(18, 90) for _ in range(n)],
                "income": [round(own.gauss(2000 + 500 * answer, 600)) for answer in answers],
                "region": [own.randrange(8) for _ in range(n)],
                "sex": [int(own.random() < 0.35 + 0.3 * answer) for answer in answers],
                "constant": ["x"] * n,
                "household": [i // 2 for i in range(n)],
                "date": [f"2026-0{own.randrange(1, 10)}-{own.randrange(10, 29)}" for _ in range(n)],
            }
            refused.update(name for name, column in columns.items() if relation(column, answers))
    assert max(refused[name] for name in ("id", "weight", "age", "constant", "date")) == 0
    assert max(refused["income"], refused["region"]) <= 3  # of 163; exact relations in a few rows, by chance
    assert max(refused["sex"], refused["household"]) <= 12


def test_a_large_column_is_counted_by_chosen_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code with more than 1000 values, and numbers of rows; the choice depends on the values alone."""
    monkeypatch.setattr(kept_columns, "_MOST_PAIRS", 1 << 10)
    n = 12_000
    own = random.Random(1)
    codes = [own.randrange(3000) for _ in range(n)]
    kind = [own.randrange(2) for _ in range(3000)]
    answers = [kind[code] for code in codes]
    assert relation([f"c{code * 7919 % 10007}" for code in codes], answers)
    assert relation(range(n), answers) == ""
    assert relation(["" if a else f"text {i}" for i, a in enumerate(answers)], answers)


def test_frequent_values_beside_many_answers_are_counted_by_chosen_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_columns, "_MOST_PAIRS", 1 << 10)
    answers = answers_of(20_000, 400, 5)
    innocent = answers_of(20_000, 30, 6)  # 12 000 pairs, and each value is frequent
    assert not relation(innocent, answers)
    assert relation([7 * a % 30 for a in answers], answers)
    near = [7 * a % 30 if i % 20 else other for i, (a, other) in enumerate(zip(answers, innocent, strict=True))]
    assert relation(near, answers)


def test_scores_of_several_questions_are_refused() -> None:
    draw = random.Random(8)
    questions = [[int(draw.random() < 0.12) for _ in range(400)] for _ in range(6)]
    sums = list(map(sum, zip(*questions, strict=True)))
    leaks = [sums, [int(n > 0) for n in sums], [min(n, 2) for n in sums], [n + (draw.random() < 0.03) for n in sums]]
    innocent = [[draw.choice(values) for _ in sums] for values in ("mf", range(18, 90), range(10**6), "a" * 150 + "b")]
    for kept, follows in [*((column, True) for column in leaks), *((column, False) for column in innocent)]:
        joint = JointColumn([Codes(None, None)] * 6)
        joint.add([str(value) for value in kept], [list(map(str, column)) for column in questions])
        assert joint.follows() == follows


def test_the_probability_of_few_runs_is_bounded() -> None:
    """All orders of small tables, one by one."""
    for sizes in ((5, 5), (4, 3), (3, 3, 2), (6, 2)):
        word = [a for a, n in enumerate(sizes) for _ in range(n)]
        orders = set(permutations(word)) if len(word) < 9 else None
        for runs in range(len(sizes), len(word) + 1):
            bound = kept_columns._chance_of_runs(runs, sizes)
            if orders is not None:
                exact = sum(1 + sum(a != b for a, b in pairwise(o)) <= runs for o in orders) / len(orders)
                assert exact <= bound * (1 + 1e-9)
                assert runs > len(sizes) or bound == pytest.approx(exact)
    assert few_runs(2, [140, 60])
    assert few_runs(2, [5, 5])
    assert not few_runs(2, [3, 3])
    assert not few_runs(80, [140, 60])


def test_the_exact_probability_of_two_by_two() -> None:
    for a, b, c, d in ((10, 0, 1, 9), (1, 9, 10, 0), (5, 0, 1, 4), (200, 1, 0, 199)):
        found = kept_columns._fisher({("x", 0): a, ("x", 1): b, ("y", 0): c, ("y", 1): d})
        less, more = (scipy.stats.fisher_exact([[a, b], [c, d]], side).pvalue for side in ("less", "greater"))
        assert found == pytest.approx(2 * min(less, more), rel=1e-4)


@pytest.mark.slow
def test_rows_are_shuffled(cli: Cli, tmp_path: Path) -> None:
    """A sorted file keeps no order, whole rows stay together, and each order of three rows is as likely as another."""
    path, out = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("q,w\n" + "".join(f"{int(i >= 140)},{i * 7919 % 211}\n" for i in range(200)))
    given = ("randomize", str(path), "--column", "q", "--mechanism", "generalised:1,1", "--keep", "w")
    rows = [line.split(",") for line in path.read_text().split()[1:]]
    for ending in ("csv", "parquet"):
        out = tmp_path / f"b.{ending}"
        assert cli(*given, "--output", str(out))[0] == 0
        made = json.loads(cli("count", str(out), "--column", "q", "--mechanism", "warner:3/4", "--json")[1])
        assert made
    lines = [cli(*given)[1].split()[1:] for _ in range(2)]
    assert sorted(lines[0]) == sorted(lines[1]) == sorted(map(",".join, rows))
    assert lines[0] != lines[1]
    firsts = Counter(line.split(",")[0] for line in lines[0][:140])
    assert 20 < firsts["1"] < 65
    kept = cli(*given, "--keep-order")
    assert kept[1].split()[1:] == list(map(",".join, rows))
    assert "neighbours often have the same answer to 'q'" in kept[2]
    orders = Counter(tuple(random_places(3).tolist()) for _ in range(3000))
    assert len(orders) == 6
    assert scipy.stats.chisquare(list(orders.values())).pvalue > 1e-9
    assert sorted(random_places(5000).tolist()) == list(range(5000))


@pytest.mark.slow
@pytest.mark.parametrize("columns", [["uint8"], ["uint8", "uint16"], ["uint32", "uint8"], ["large_string"]])
def test_rows_without_kept_columns_get_a_random_order(columns: list[str]) -> None:
    kinds = [getattr(pa, name)() for name in columns]
    table = pa.table({f"draw{i}": pa.array([0, 1, 2], pa.uint8()).cast(kind) for i, kind in enumerate(kinds)})
    orders = Counter(tuple(map(tuple, shuffled(table).to_pydict().values())) for _ in range(3000))
    assert len(orders) == 6  # the columns of a row stay together
    assert all(len(set(order)) == 1 for order in orders)
    assert scipy.stats.chisquare(list(orders.values())).pvalue > 1e-9
    assert shuffled(table, 5).equals(shuffled(table, 5))
    long = pa.table({"draw0": pa.array(np.arange(40_000, dtype=np.uint16)), "draw1": pa.array(np.arange(40_000) % 7)})
    assert sorted(zip(*shuffled(long).to_pydict().values(), strict=True)) == [(i, i % 7) for i in range(40_000)]


@pytest.mark.slow
def test_rows_that_are_sorted_part_by_part_get_a_random_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three rows in four parts, and of thousands in 256, of which each has batches of its own sizes."""
    monkeypatch.setattr(randomized_tables, "_PIECE", 1)
    table = pa.table({"draw0": pa.array([0, 1, 2], pa.uint8()), "draw1": pa.array([0, 1, 2], pa.uint16())})
    orders = Counter(tuple(map(tuple, shuffled(table).to_pydict().values())) for _ in range(3000))
    assert len(orders) == 6
    assert all(len(set(order)) == 1 for order in orders)
    assert scipy.stats.chisquare(list(orders.values())).pvalue > 1e-9
    assert shuffled(table, 5).equals(shuffled(table, 5))
    monkeypatch.setattr(randomized_tables, "_PIECE", 7)
    part = pa.table({"draw0": pa.array(np.arange(2000, dtype=np.uint16)), "draw1": pa.array(np.arange(2000) % 7)})
    long = pa.concat_tables([part, part.slice(0, 0), part.slice(0, 1)])
    first = shuffled(long).to_pydict()
    assert sorted(zip(*first.values(), strict=True)) == sorted([*((i, i % 7) for i in range(2000)), (0, 0)])
    moved = scipy.stats.spearmanr(first["draw0"], shuffled(long).to_pydict()["draw0"]).statistic
    assert abs(moved) < 0.15  # six standard deviations of 1/sqrt(2000)
    assert shuffled(part.slice(0, 0)).num_rows == 0


@pytest.mark.slow
def test_a_column_is_kept_anyway_and_named(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,ever,place\n" + "".join(f"{i % 3},{int(i % 3 > 0)},{i}\n" for i in range(60)))
    given = ("randomize", str(path), "--column", "q", "--mechanism", "grr:3,1/2")
    status, out, err = cli(*given, "--keep", "ever")
    assert (status, out) == (2, "")
    assert "received 'ever', which follows from the answers to 'q' in all 60 rows" in err
    assert "--keep-anyway" in err
    for more in (
        ("--keep", "ever", "--keep-anyway", "ever"),
        ("--keep-anyway", "ever"),
        ("--keep", "*", "--keep-anyway", "ever"),
    ):
        status, out, err = cli(*given, *more)
        assert status == 0, err
        assert "kept anyway: 'ever', which follows from the answers to 'q'" in err
        assert "ever" in next(csv.reader(io.StringIO(out)))
    status, out, err = cli(*given, "--keep", "place", "--keep-anyway", "ever", "--json")
    assert "'place' restores the order of the data" in err
    assert len(json.loads(out)["remarks"]) == 2
    how = randomizing_of(
        named_mechanism("grr:3,1/2"), CountRequest(("q",), (None,)), keep_anyway=("ever",), keep_order=True
    )
    report = randomize_file(path, str(tmp_path / "b.csv"), how)
    assert report.rows == 60
    assert "kept anyway: 'ever'" in report.remarks[0]
    ever = [row["ever"] for row in csv.DictReader((tmp_path / "b.csv").open())]
    assert ever == [str(int(i % 3 > 0)) for i in range(60)]
