"""Named designs for any number of categories: their sets from the definitions, their levels, and large k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms import DESIGNS, Mechanism, named_mechanism
from rropt.mechanisms.privacy_findings import LargeFinding
from rropt.mechanisms.sampling import Randomizer

F = Fraction
Sets = Iterable[frozenset[int]]


def _vectors(q: int, t: int) -> list[tuple[int, ...]]:
    return list(product(range(q), repeat=t))  # in the order of their numbers to base q


def _points(q: int, t: int) -> list[tuple[int, ...]]:
    return [v for v in _vectors(q, t) if any(v) and next(x for x in v if x) == 1]


def _dot(a: Iterable[int], b: Iterable[int], q: int) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True)) % q


def _projective(k: int, q: int, t: int, complement: bool) -> Iterator[frozenset[int]]:
    points = _points(q, t)
    for a in points:
        yield frozenset(x for x in range(k) if (_dot(a, points[x], q) != 0) == complement)


def _affine(k: int, q: int, t: int, inside: set[int]) -> Iterator[frozenset[int]]:
    vectors = _vectors(q, t)
    for a in vectors[1:]:
        for b in range(q):
            yield frozenset(x for x in range(k) if (_dot(a, vectors[x], q) + b) % q in inside)


def _powers(q: int, e: int, j: int, z: int) -> set[int]:
    root = next(g for g in range(2, q) if len({pow(g, i, q) for i in range(q - 1)}) == q - 1)
    return {pow(root, i, q) for i in range(q - 1) if i % e < j} | ({0} if z else set())


def _residues(q: int) -> set[int]:
    return {x * x % q for x in range(1, q)}


def _translates(v: int, base: set[int], k: int) -> Iterator[frozenset[int]]:
    for i in range(v):
        yield frozenset(x for x in range(k) if (x + i) % v in base)


WRITTEN = {  # name: (text, the sets from the definition, k, gamma)
    "olh": ("olh:7,2", lambda: _affine(7, 3, 2, {0}), 7, F(2)),
    "olh with q": ("olh:4,3,7", lambda: _affine(4, 7, 1, {0}), 4, F(3)),
    "hadamard": (
        "hadamard:6,5/2",
        lambda: (frozenset(x for x in range(6) if (i & (x + 1)).bit_count() % 2) for i in range(1, 8)),
        6,
        F(5, 2),
    ),
    "pgr": ("pgr:7,2", lambda: _projective(7, 3, 3, False), 7, F(2)),
    "projective": ("projective:5,2,3,1,3", lambda: _projective(5, 2, 3, True), 5, F(3)),
    "affine": ("affine:5,7,3,3", lambda: _affine(5, 7, 1, {0, 1, 2}), 5, F(3)),
    "affine in two dimensions": ("affine:8,3,1,3,2", lambda: _affine(8, 3, 2, {0}), 8, F(3)),
    "affine-classes": ("affine-classes:7,7,3,1,1,3", lambda: _affine(7, 7, 1, _powers(7, 3, 1, 1)), 7, F(3)),
    "paley": ("paley:11,3,9", lambda: _translates(11, _residues(11), 9), 9, F(3)),
    "fano": ("fano:4", lambda: _projective(7, 2, 3, False), 7, F(4)),
}


def _rows(sets: Sets, k: int, gamma: F) -> Counter[tuple[Fraction, ...]]:
    """Return the rows of a block mechanism, normalised, by how often each occurs."""
    written = [tuple(gamma if x in each else F(1) for x in range(k)) for each in sets]
    total = sum(row[0] for row in written)
    return Counter(tuple(x / total for x in row) for row in written)


@every_case("name", WRITTEN)
def test_a_named_design_has_the_sets_of_its_definition(name: str) -> None:
    text, sets, k, gamma = WRITTEN[name]
    made = named_mechanism(text)
    assert made.name == text
    assert made.parity() == gamma
    expected, found = _rows(sets(), k, gamma), Counter(made.matrix)
    times = sum(expected.values()) // sum(found.values())  # by classes each block stands for several pairs (a, b)
    total: Counter[tuple[Fraction, ...]] = Counter()
    for row, often in expected.items():
        total[tuple(x * times for x in row)] += often // times
    assert found == total


def test_a_singer_design_is_balanced() -> None:
    made = named_mechanism("singer:3,3,2")
    held = [{x for x in range(13) if row[x] == max(row)} for row in made.matrix]
    assert {len(block) for block in held} == {4}
    assert {sum({x, y} <= block for block in held) for x in range(13) for y in range(x)} == {1}


@pytest.mark.parametrize(("text", "p", "m"), [("oue:4,3", F(1, 2), F(1, 4)), ("sue:4,2/3", F(2, 3), F(1, 3))])
def test_unary_encodings_randomize_each_bit(text: str, p: Fraction, m: Fraction) -> None:
    made = named_mechanism(text)
    for i, row in enumerate(made.matrix):
        for truth, x in enumerate(row):
            chances = [p if bit == truth else m for bit in range(4)]
            assert x == prod((c if i >> bit & 1 else 1 - c for bit, c in enumerate(chances)), start=F(1))
    assert made.parity() == p * (1 - m) / ((1 - p) * m)


LARGE = {
    "grr:1000000,1/2": F(999999),
    "subset:1000000,268941,1/2": F(731059, 268941),
    "oue:1000000,3": F(3),
    "sue:1000000,3/4": F(9),
    "olh:1000000,3": F(3),
    "hadamard:1000000,3": F(3),
    "pgr:1000000,3": F(3),
    "affine:1000000,1000003,250000,3": F(3),
    "affine-classes:1000000,1000003,2,1,0,3": F(3),
}


@pytest.mark.parametrize("text", LARGE)
def test_privacy_of_a_million_categories_is_a_formula(text: str, cli_json) -> None:
    made = named_mechanism(text)
    assert made.inputs == 10**6
    assert made.parity() == LARGE[text]
    found = rropt.audit_privacy(text, epsilon="log(2)", delta="1/2")
    assert isinstance(found, LargeFinding)
    told = cli_json("privacy", text)
    assert told["parity"] == str(LARGE[text])
    assert Mechanism.from_json(made.to_json()) == made


@pytest.mark.slow
def test_sets_of_a_million_categories_are_drawn() -> None:
    for text, size in (("subset:1000000,268941,1/2", 268941), ("oue:1000000,3", None)):
        (rows,) = Randomizer(named_mechanism(text)).simulate_sets([5, 999_999], rng=1)
        assert rows.shape == (2, 10**6)
        assert set(rows.sum(axis=1).tolist()) == {size} if size else abs(rows.mean() - 0.25) < 0.01
    with pytest.raises(InvalidParameterError, match="the responses are not sets"):
        Randomizer(named_mechanism("warner:3/4")).randomize_sets([0])
    with pytest.raises(UnsupportedProblemError, match="number of sets is too large"):
        assert named_mechanism("subset:1000000,268941,1/2").outputs


def test_a_criterion_is_asked_of_a_large_design(cli_json, cli) -> None:
    """Rho_1 = 1/5 to rho_2 = 1/2 allows odds of 4 (Evfimievski, Gehrke and Srikant 2003)."""
    assert cli_json("privacy", "oue:1000000,4", "--level", "posterior:1/5,1/2")["meets"] is True
    assert rropt.audit_privacy("oue:1000000,4", level=rropt.privacy.posterior("1/5", "1/2")).meets is True
    upper, above = "min(1, 2*p + 1/10)", F(3763065619709490, 10**15)  # B(h) = (211 + 20 sqrt(22))/81
    for parity, meets in ((F(9439312216685907, 2508410208752785), True), (above, False)):  # 10^-31 below, 10^-16 above
        assert ((81 * parity - 211) ** 2 < 8800) is meets
        assert rropt.audit_privacy(f"oue:1000000,{parity}", level=rropt.privacy.curve(upper)).meets is meets
        status, _, err = cli("privacy", f"oue:1000000,{parity}", "--level", f"curve:{upper}")
        assert (status, err.count("rounded towards privacy")) == (int(not meets), 1)  # the remark was printed twice


@few_rows(1)
@pytest.mark.parametrize("text", ["oue:400,3", "subset:400,100,1/2", "olh:400,3", "affine-classes:1000,1009,4,1,0,3"])
def test_answers_are_randomized_counted_and_estimated_by_name(text: str, tmp_path, cli, cli_json) -> None:
    table, drawn, counts = (str(tmp_path / name) for name in ("true.csv", "drawn.csv", "counts.json"))
    rng = np.random.default_rng(1)
    answers = np.where(rng.random(1500) < 0.5, 7, rng.integers(0, 400, 1500))
    (tmp_path / "true.csv").write_text("answer\n" + "".join(f"{x}\n" for x in answers))
    words = [
        "randomize",
        table,
        "--column",
        "answer",
        "--mechanism",
        text,
        "--output",
        drawn,
        "--simulate",
        "--seed",
        "3",
    ]
    assert cli(*words)[0] == 0
    assert cli("count", drawn, "--column", "answer", "--mechanism", text, "--output", counts)[0] == 0
    found = cli_json("estimate", counts)
    rows = found["rows"]
    assert {row["n"] for row in rows} == {1500}
    low, high = map(Fraction, rows[7]["simultaneous"]["exact"])
    assert low <= (answers == 7).mean() <= high
    assert Fraction(rows[7]["estimate"]) == max(Fraction(row["estimate"]) for row in rows)


def test_every_named_set_design_is_listed_with_its_level(cli_json) -> None:
    listed = {entry["name"]: entry for entry in cli_json("design", "list")["mechanisms"]}
    for design in DESIGNS.values():
        assert listed[design.name]["example_epsilon"] == str(design(*design.example.split(",")).epsilon)
    assert set(DESIGNS) == set(listed)


@pytest.mark.parametrize(("name", "least"), [("olh", 1), ("pgr", 3)])
def test_hashing_and_projective_response_take_the_smallest_space(name: str, least: int) -> None:
    for q in (2, 3, 5):
        sizes = [q**t if name == "olh" else (q**t - 1) // (q - 1) for t in range(least, 9)]
        for k in {2, 3, *(size + step for size in sizes[:4] for step in (-1, 0, 1))} - {0, 1}:
            made = named_mechanism(f"{name}:{k},3,{q}")
            assert made.blocks.room == next(size for size in sizes if size >= k)  # type: ignore[attr-defined]
