"""Decimals of private mechanisms: what is shown of one is a mechanism that is as private, typed back exactly."""

# ruff: noqa: RUF001  (typographic signs are read)

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import rropt
import rropt_fieldwork
from rropt.core.exact import Delta, Epsilon
from rropt.designs import Solution, solve
from rropt.designs.mean_designs import design_mean
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import private_decimals
from rropt.mechanisms.displays import decimal_rows, html_table, plain_text, probability_texts
from rropt.objectives import Loss, Trace
from rropt.plots.data.region_pictures import named_designs
from rropt.plots.draw_designs import coordinates_text, mechanism_text
from rropt.privacy import PrivacyRegion
from rropt.reports import design_page

ROUTES = ("closed-form", "exact")


def typed(text: str) -> Fraction:
    """Return what somebody types who reads a cell: ``~0.731058578`` or ``19/26``."""
    return Fraction(text.strip().lstrip("~≈").strip())


def typed_matrix(text: str) -> Mechanism:
    """Return the matrix of the indented lines of a terminal."""
    return Mechanism([[typed(cell) for cell in line.split()] for line in text.splitlines() if line.startswith("  ")])


def typed_tables(page: str) -> Iterator[Mechanism]:
    """Yield the matrices of an HTML page: tables whose cells are numbers alone."""
    for table in re.findall(r"<table>(.*?)</table>", page, re.DOTALL):
        if "<th" not in table:
            rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
            yield Mechanism([[typed(cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows])


def typed_pairs(line: str) -> Iterator[Mechanism]:
    """Yield the designs of ``p00 = 19/26 ~ 0.730769230, p11 = ...``: the decimals and, where they stand, fractions."""
    for p00, p11 in re.findall(r"p00 = ([^,;<]*), p11 = ([^;,<\n│┃|]*)", line):
        for take in (0, -1):
            yield Mechanism.binary(*(typed(re.split(" [=~] ", p)[take]) for p in (p00, p11)))


def random_level(rng: random.Random) -> tuple[str, str]:
    a, b = rng.randint(1, 400), rng.randint(5, 200)
    epsilon = rng.choice(
        [f"{a}/{b}", f"log({a + b}/{b})", f"{rng.randint(1, 9)}/7*log({b + 1})", str(rng.randint(1, 9))]
    )
    if float(Epsilon.of(epsilon)) > 12:
        epsilon = f"{rng.randint(1, 60)}/1000000"
    return epsilon, rng.choice(["0", "0", f"{rng.randint(1, 99)}/997", f"exp(-{rng.randint(1, 30)})"])


def random_solution(rng: random.Random, *, binary: bool) -> Solution:
    epsilon, delta = random_level(rng)
    if binary:
        prevalence = rng.choice([Fraction(rng.randint(1, 999), 1000), Fraction(rng.randint(0, 10), 10)])
        return solve(Problem.binary(prevalence, epsilon=epsilon, delta=delta), ROUTES)
    k = rng.choice([2, 3, 3, 4])
    weights = [rng.randint(1, 9) for _ in range(k)]
    objective = rng.choice([Trace([1] * k), Trace(weights), Loss.absolute(k), Loss.zero_one(k)])
    population = [Fraction(w, sum(weights)) for w in weights]
    return solve(Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs=k), objective, population), "exact")


def shown(solution: Solution) -> Iterator[Mechanism]:
    """Yield what is typed back from every form in which a solution is shown."""
    for text in (str(solution), solution._repr_html_(), design_page(solution).to_html()):
        yield from typed_pairs(html.unescape(text))
    yield typed_matrix(str(solution).split("columns are categories)")[1])
    for mechanism in solution.optima:
        yield typed_matrix(str(mechanism))
        yield typed_matrix(plain_text("", mechanism.matrix))
        for page in (mechanism._repr_html_(), html_table("", mechanism.matrix)):
            yield from typed_tables(page)
        if mechanism.is_binary:
            yield Mechanism.binary(*(typed(p) for p in mechanism_text(mechanism).strip("()").split(",")))
            for digits in (3, 6, 15, 17):
                yield Mechanism.binary(
                    *(typed(re.split(" [=~] ", p)[-1]) for p in probability_texts(mechanism, digits))
                )
    floats = solution.mechanism.decimals()
    if floats is not None:  # of JSON: the shortest decimal of each float
        yield Mechanism([[typed(repr(x)) for x in row] for row in floats["matrix"]])
    yield from typed_tables(solution._repr_html_())
    yield from typed_tables(design_page(solution).to_html())


@pytest.mark.slow
@pytest.mark.parametrize("binary", [True, False], ids=["binary", "kary"])
def test_what_is_shown_is_private(binary: bool, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Every optimum, in every form, meets the level of its problem, exactly."""
    solved = read = 0
    count = size(*((5, 150) if binary else (4, 100)))
    for _ in range(count):
        solution = random_solution(rng, binary=binary)
        region = solution.problem.region
        forms = list(shown(solution))
        for mechanism in forms:
            assert region.contains(mechanism), (str(solution.problem), str(mechanism))
        solved += 1
        read += len(forms)
    assert solved == count
    assert read >= 6 * solved


def test_pictures_show_private_designs(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """The vertices of regions as JSON's decimals and as captions."""
    points = 0
    for _ in range(size(30, 1000)):
        epsilon, delta = random_level(rng)
        region = PrivacyRegion(Epsilon.of(epsilon), Delta.of(delta))
        for design in named_designs(region):
            record = design.to_dict()
            decimals = [Fraction(repr(record[name]["decimal"])) for name in ("p00", "p11")]
            assert region.contains(Mechanism.binary(*decimals)), (str(region), record)
            points += 1
            text = coordinates_text(design).replace("1 − ", "-")
            if text.startswith("("):
                p00, p11 = (typed(p) for p in text.strip("()").split(","))
            else:
                p00 = p11 = typed(text.rpartition("≈")[2])
            caption = [p + 1 if p < 0 else p for p in (p00, p11)]
            assert region.contains(Mechanism.binary(*caption)), (str(region), text)
    assert points >= size(150, 5000)


def test_the_issue_s_own_examples(cli: Callable[..., tuple[int, str, str]]) -> None:
    solution = solve(Problem.binary("1/4", epsilon="1"))
    p00, p11 = probability_texts(solution.mechanism)
    assert (p00, p11) == ("~0.731058578630004", "~0.731058578630004")
    status, out, _ = cli("design", "binary", "--epsilon", "1", "--prevalence", "1/4")
    assert status == 0
    found = list(typed_pairs(out)) + [typed_matrix(out.split("columns are categories)")[1].split("certificate")[0])]
    assert len(found) >= 3
    for mechanism in found:
        assert mechanism.delta("1") == 0


def test_decimals_keep_what_they_promise(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Columns sum to 1, zeros stay, digits are few, no level of any pair is lost; decimals stay as they are."""
    found = 0
    for _ in range(size(30, 1000)):
        m, k = rng.randint(2, 5), rng.randint(2, 5)
        columns = []
        for _ in range(k):
            weights = [rng.randint(0 if rng.random() < 0.2 else 1, 10 ** rng.choice([2, 6, 15])) for _ in range(m)]
            weights[0] += not sum(weights)
            columns.append([Fraction(w, sum(weights)) for w in weights])
        matrix = tuple(zip(*columns, strict=True))
        answer = private_decimals(matrix, rng.choice([4, 9]))
        if answer is None:
            continue
        near, digits = answer
        found += 1
        assert all(sum(column) == 1 for column in zip(*near, strict=True))
        assert all(10**digits % x.denominator == 0 for row in near for x in row)
        for exact_row, row in zip(matrix, near, strict=True):
            assert all((not x) or p for p, x in zip(exact_row, row, strict=True))
            assert all(abs(p - x) <= Fraction(64, 10**digits) for p, x in zip(exact_row, row, strict=True))
        for gamma in (Fraction(1), Fraction(6, 5), Fraction(3), Fraction(50), Fraction(10**7)):
            for left in range(k):
                for right in range(k):
                    pairs = ([(row[left], row[right]) for row in rows] for rows in (matrix, near))
                    exact, rounded = (sum(max(Fraction(0), p - gamma * q) for p, q in pair) for pair in pairs)
                    assert rounded <= exact
        assert private_decimals(near, digits) == (near, digits)
    assert found >= size(25, 850)


def test_where_no_decimals_will_do() -> None:
    """Two columns 1e-30 apart: constant decimals would be private, and show another mechanism."""
    tiny = Fraction(1, 10**30)
    close = Mechanism.binary(Fraction(1, 3) + tiny, Fraction(2, 3) + tiny)
    assert private_decimals(close.matrix) is None
    assert typed_matrix(str(close)) == close
    assert probability_texts(close) == (str(close.p00), str(close.p11))


@pytest.mark.parametrize(("values", "epsilon"), [("12345", "1"), ("0123456789", "1/2"), ("01", "1/100"), ("012", "5")])
def test_the_table_of_reports_is_private(values: str, epsilon: str) -> None:
    """Each column sums to exactly 1, and no ratio is above that of the level."""
    found = design_mean(values=list(values), epsilon=epsilon, fast=True)
    ((_, _, rows),) = [table for table in found.as_tables() if table[0].startswith("Reports")]
    made = Mechanism([[typed(cell) for cell in row[1:]] for row in rows])
    assert made.parity() <= found.mechanism.parity()
    assert "0.2004" in rows[0] or values != "12345"


def test_rows_of_decimals_are_private() -> None:
    """Also of two digits, as in pictures, where rounding to the nearest is not."""
    own = random.Random(8)
    for _ in range(40):
        gamma, k, digits = Fraction(own.randrange(11, 60), 10), own.randrange(2, 6), own.choice((2, 3, 4))
        p = gamma / (gamma + k - 1)
        matrix = tuple(tuple(p if i == j else (1 - p) / (k - 1) for j in range(k)) for i in range(k))
        made = Mechanism([list(map(typed, row)) for row in decimal_rows(matrix, digits)])
        assert made.parity() <= gamma


def test_nothing_else_rounds_the_entries_of_a_matrix() -> None:
    """A writer of probabilities that rounds each entry by itself would be found here."""
    rounding = re.compile(r"(decimal_text|:\.\d[fg]).*\bmatrix\b|for \(i, j\), p in .*matrix")
    roots = [Path(package.__file__).parent for package in (rropt, rropt_fieldwork)]
    assert [path.name for root in roots for path in root.rglob("*.py") if rounding.search(path.read_text())] == []
