"""The decision tree, enumerated: folded into a finite graph, its law is the column exactly."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from every_case import every_case
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from outcomes import compositions
from sampling_oracles import Script, inverse, law
from stress import STRESS

from rropt.mechanisms.sampling.inversion import Node, root, walk


def folded(start: Node) -> dict[Node, list[Node]]:
    """Return the whole tree: every open node that can be reached, with its 256 children."""
    graph: dict[Node, list[Node]] = {}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if not node.cuts or node in graph:
            continue
        graph[node] = [node.child(byte) for byte in range(256)]
        waiting += graph[node]
    return graph


def enumerated_law(start: Node, outputs: int) -> list[Fraction]:
    """Return the output law from the graph alone: solve ``v(node) = mean of v(child)``, v(leaf) a unit vector."""
    graph = folded(start)
    if not graph:
        return [Fraction(i == start.first) for i in range(outputs)]
    number = {node: i for i, node in enumerate(graph)}
    matrix = [[fmpq(256 * (i == j)) for j in range(len(graph))] for i in range(len(graph))]
    right = [[fmpq(0)] * outputs for _ in graph]
    for node, children in graph.items():
        for child in children:
            if child.cuts:
                matrix[number[node]][number[child]] -= 1
            else:
                right[number[node]][child.first] += 1
    # Nonsingular because every open node reaches a leaf: the solution is the one law of absorption.
    solved = fmpq_mat(matrix).solve(fmpq_mat(right))
    return [Fraction(int(x.p), int(x.q)) for x in (solved[number[start], i] for i in range(outputs))]


def test_every_column_with_a_small_denominator() -> None:
    points = nodes = 0
    most, top = (4, 16) if STRESS else (3, 8)
    for outputs in range(1, most + 1):
        for unit in range(1, top + 1):
            for weights in compositions(unit, outputs):
                column = [Fraction(weight, unit) for weight in weights]
                start = root(column)
                assert enumerated_law(start, outputs) == column
                points += 1
                nodes += len(folded(start))
    # sum over units u of C(u + m - 1, m - 1), that is C(top + m, m) - 1 for every m
    assert points == sum(comb(top + m, m) - 1 for m in range(1, most + 1))
    assert nodes > points


@every_case("unit", [97, 255, 256, 257, 1000, 65537])
def test_larger_denominators(unit: int) -> None:
    column = [Fraction(3, unit), Fraction(unit // 2 - 3, unit), Fraction(0), Fraction(unit - unit // 2, unit)]
    graph = folded(root(column))
    for node, children in graph.items():
        mean: dict[int, Fraction] = {}
        for child in children:
            for output, p in law(child).items():
                mean[output] = mean.get(output, Fraction(0)) + p / 256
        assert mean == law(node)
    assert 1 <= len(graph) <= 3 * unit
    found = law(root(column))
    assert [found.get(i, 0) for i in range(4)] == column


def test_a_column_rounded_to_floats_is_told_apart() -> None:
    """The mutant: the nearest double to 1/3 is off by 2^-54 / 3, and the enumeration sees it."""
    third = Fraction(1 / 3)
    rounded = enumerated_law(root([third, 1 - third]), 2)
    assert rounded == [third, 1 - third]
    assert rounded != [Fraction(1, 3), Fraction(2, 3)]


def test_open_nodes_at_every_depth_are_at_most_the_cuts() -> None:
    level = [root([Fraction(1, 7), Fraction(2, 7), Fraction(1, 7), Fraction(3, 7)])]
    for _ in range(12):
        level = [child for node in level for child in map(node.child, range(256)) if child.cuts]
        assert 1 <= len(level) <= 3


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any), st.binary(min_size=0, max_size=6))
def test_a_path_is_inversion(weights: list[int], prefix: bytes) -> None:
    column = tuple(Fraction(weight, sum(weights)) for weight in weights)
    node = root(column)
    for length in range(len(prefix) + 1):
        expected = inverse(column, prefix[:length])
        assert (None if node.cuts else node.first) == expected
        if length < len(prefix):
            node = node.child(prefix[length])


def test_walk_reads_single_bytes_and_only_while_the_output_is_open() -> None:
    coin = root([Fraction(1, 3), Fraction(2, 3)])
    for script, output, read in ((b"\x54", 0, 1), (b"\x56", 1, 1), (b"\x55\x55\x54", 0, 3), (b"\x55\x56", 1, 2)):
        source = Script(script + b"\x00")
        assert walk(coin, b"", source) == output
        assert source.read == read
        assert walk(coin, script, Script(b"")) == output


def test_a_certain_output_reads_nothing() -> None:
    for column in ([Fraction(1)], [Fraction(0), Fraction(1), Fraction(0)]):
        assert walk(root(column), b"", Script(b"")) == len(column) // 2
