"""Families of blocks: their table, the two integers that decide, forged base blocks, large sizes."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from adversary.asking import ask
from adversary.blocks import sets_of, written_out
from adversary.built import statement
from every_case import every_case
from javascript import judge
from mpmath import mp

from rropt.checker import block_families, formula_way
from rropt.checker.block_families import constant_autocorrelation, read_base
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.verdicts import state_text
from rropt.mechanisms.families import AffineClasses, AllSubsets, BlockMechanism, Cyclic, Direct, uniform_bound

F = Fraction
FAMILIES: list[dict[str, str]] = [
    {"family": "direct", "categories": "4"},
    *({"family": "subsets", "categories": "6", "size": str(d)} for d in (1, 3, 5)),
    *({"family": "affine", "categories": str(k), "q": str(q), "size": str(s), "dimension": str(t)}
      for k, q, s, t in ((6, 7, 3, 1), (8, 2, 1, 3), (7, 3, 2, 2), (5, 5, 4, 1))),
    *({"family": "affine-classes", "categories": str(k), "q": str(q), "index": str(e), "cosets": str(j), "zero": str(z)}
      for k, q, e, j, z in ((7, 7, 2, 1, 0), (6, 11, 5, 2, 1), (13, 13, 12, 4, 0), (3, 5, 1, 0, 1))),
    *({"family": "projective", "categories": str(k), "q": str(q), "dimension": str(t), "complement": str(c)}
      for k, q, t, c in ((7, 2, 3, 0), (7, 2, 3, 1), (13, 3, 3, 0), (5, 5, 2, 1), (15, 2, 4, 1))),
    {"family": "cyclic", "categories": "7", "modulus": "7", "base": "0b"},
    {"family": "cyclic", "categories": "4", "modulus": "13", "base": "000b"},
]  # fmt: skip


@every_case("form", FAMILIES, ids=lambda form: f"{form['family']}-{form['categories']}")
def test_the_table_of_families_is_that_of_the_written_out_sets(form: dict[str, str]) -> None:
    names, design = block_families._FAMILIES[form["family"]]
    k, sets = int(form["categories"]), sets_of(form)
    count, density, together, is_balanced = design(k, [form[name] for name in names], WorkBudget())
    assert {F(sum(x in each for each in sets), len(sets)) for x in range(k)} == {density}
    both = {F(sum(x in each and y in each for each in sets), len(sets)) for x, y in combinations(range(k), 2)}
    assert both == {together}
    assert count is None or len({frozenset(each) for each in sets}) <= count
    assert not is_balanced or len({len(each) for each in sets}) == 1
    made = {"blocks": {**form, "gamma": "5/2"}}
    if k <= 7 and len(sets) < 60 and density != together:
        matrix = written_out(made)
        assert max(max(row) / min(row) for row in matrix) == F(5, 2)
        reports = block_families.read_reports(made, k, WorkBudget())
        assert formula_way._variance(k, reports, WorkBudget()) == variance(made)
        if is_balanced:
            assert {sum(row) for row in matrix}.__len__() == 1 or len({len(each) for each in sets}) == 1


@pytest.mark.slow
def test_two_numbers_of_gammas_decide_the_bound_and_the_information() -> None:
    """Against all of them: 2 to 25 categories, eight levels."""
    tried = 0
    for k in range(2, 26):
        for gamma in (F(101, 100), F(3, 2), F(2), F(3), F(7), F(20), F(100), F(10**6)):
            assert formula_way._bound(k, gamma, WorkBudget()) == bound(k, gamma)
            if k <= 6:
                form = {"blocks": {"family": "subsets", "categories": str(k), "size": "1", "gamma": str(gamma)}}
                reports = block_families.read_reports(form, k, WorkBudget())
                least, most = formula_way._informations(k, reports, gamma, WorkBudget())
                assert abs(most - best_information(k, gamma)) < F(1, 10**50)
                assert abs(least - information(written_out(form))) < F(1, 10**50)
            tried += 1
    assert tried == 24 * 8


def variance(made: dict[str, Any]) -> Fraction:
    """Return n times the total variance of the estimator that counts memberships, from the rows."""
    rows = written_out(made)
    k = len(rows[0])
    total = F(0)
    for x in range(k):
        low = [min(row) for row in rows]
        inside = [row[x] > least if max(row) > least else False for row, least in zip(rows, low, strict=True)]
        if "bit-vectors" in made:
            inside = [i >> (k - 1 - x) & 1 == 1 for i in range(len(rows))]
        elif any(max(row) == min(row) for row in rows):  # a set of all or none: known by name
            found = {frozenset(each): None for each in map(frozenset, sets_of(made["blocks"]))}
            inside = [x in each for each in found]
        hit, miss = (sum(row[y] for row, yes in zip(rows, inside, strict=True) if yes) for y in (x, (x + 1) % k))
        rate = miss + (hit - miss) / k
        total += rate * (1 - rate) / (hit - miss) ** 2
    return total


def bound(k: int, gamma: Fraction) -> Fraction:
    """Return the least total variance over rows of every number of gammas."""
    worst = F(0)
    for d in range(1, k):
        row = [gamma] * d + [F(1)] * (k - d)
        mean = sum(row, F(0)) / k
        worst = max(worst, sum((x - mean) ** 2 for x in row) / mean / sum(row, F(0)))
    return F((k - 1) ** 2) / (k * worst)


def information(rows: Any) -> Fraction:
    """Return the mutual information at equal shares, by its definition, to 60 digits."""
    with mp.workdps(70):
        k, total = len(rows[0]), mp.mpf(0)
        for row in rows:
            mean = sum(row, F(0)) / k
            for p in row:
                if p:
                    ratio = p / mean
                    total += (
                        mp.mpf(p.numerator) / p.denominator / k * mp.log(mp.mpf(ratio.numerator) / ratio.denominator)
                    )
        return F(int(mp.floor(total * mp.mpf(10) ** 55)), 10**55)


def best_information(k: int, gamma: Fraction) -> Fraction:
    """Return the largest over all numbers of gammas."""
    found = []
    for d in range(1, k):
        form = {"family": "subsets", "categories": str(k), "size": str(d), "gamma": str(gamma)}
        found.append(information(written_out({"blocks": form})))
    return max(found)


def _file(made: BlockMechanism, kind: str = "a-optimal", upper: Any = None, outputs: str = "any") -> dict[str, Any]:
    k, g = made.inputs, made.gamma
    levels = [{"epsilon": {"log": str(g)}, "delta": "0", "pairs": "all"}]
    problem = {"inputs": str(k), "outputs": outputs, "levels": levels, "bounds": None, "objective": {"kind": kind}}
    n = 1 if kind == "a-optimal" else k - 1
    least = uniform_bound(k, g)[0] / n
    claim = {"lower": str(least), "upper": str(upper or made.total_variance() / n), "mechanism": made.to_dict()}
    brackets = [{"gamma": {"below": str(g), "above": str(g)}, "delta": {"below": "0", "above": "0"}}]
    proof = {"way": "formula", "brackets": brackets}
    return statement("design-bracket", problem | {"population": {"uniform": str(k)}}, claim, proof)


@pytest.mark.slow
def test_a_difference_set_of_8191_residues_and_forged_ones() -> None:
    """Every one of 40 changed base blocks is rejected: one residue more, one less, one moved."""
    made = BlockMechanism(Cyclic.singer(2, 13), F(3))
    file = _file(made)
    assert ask(json.dumps(file)).accepted
    base = int(file["claim"]["mechanism"]["blocks"]["base"], 16)
    for x in range(0, 8191, 205):
        forged = base ^ 1 << x
        file["claim"]["mechanism"]["blocks"]["base"] = f"{forged:02048x}"
        assert "autocorrelation" in ask(json.dumps(file)).reason
    assert "autocorrelation" in (judge(json.dumps(file)) or "")


def test_the_autocorrelation_of_a_base_block_is_the_count_of_pairs() -> None:
    for v, base in ((7, {0, 1, 3}), (13, {0, 1, 3, 9}), (2, {1}), (21, {3, 6, 7, 12, 14}), (5, {0, 1, 2, 3})):
        text = f"{sum(1 << x for x in base):0{-(-v // 4)}x}"
        inside = read_base(text, v, WorkBudget())
        assert [x for x in range(v) if inside[x]] == sorted(base)
        for k in range(2, v + 1):
            pairs = {sum((y + h) % v in base for y in base) for h in range(1, k)}
            if len(pairs) == 1:
                assert constant_autocorrelation(inside, k, WorkBudget()) == pairs.pop()
            else:
                with pytest.raises(Rejected, match="not constant"):
                    constant_autocorrelation(inside, k, WorkBudget())


def test_a_million_categories_are_checked_by_formulas() -> None:
    made = BlockMechanism(AffineClasses(10**6, 1_000_039, 26, 7, False), F(27, 10))
    file = _file(made, outputs=str(26 * 1_000_039))
    text = json.dumps(file)
    assert len(text) < 1000
    assert ask(text).accepted
    assert judge(text) is None
    verdict, lines = state_text(text)
    assert verdict
    assert "for 1000000 equally frequent categories" in lines[0]
    assert "categories: 1000000" in lines[0]
    assert "family: affine-classes" in lines[0]
    file["problem"]["outputs"] = str(26 * 1_000_039 - 1)
    assert "more outputs" in ask(json.dumps(file)).reason
    k = 10**6
    for d in (1, 1000, k // 2):
        whole = BlockMechanism(AllSubsets(k, d), F(27, 10))
        assert ask(json.dumps(_file(whole, "e-optimal"))).accepted


def test_the_information_of_randomized_response_over_455_and_2925_states() -> None:
    """Capacities in bits at epsilon = 14 that the unit tests of browsers print."""
    with mp.workdps(40):
        gamma = F(int(mp.exp(14) * 10**20), 10**20)
    for k, flip, bits in (
        (455, 0.0003782027903293844, 8.821556150827456),
        (2925, 0.002426322167983409, 11.461727965384876),
    ):
        reports = block_families.read_reports(BlockMechanism(Direct(k), gamma).to_dict(), k, WorkBudget())
        assert abs(float(k / (gamma + k - 1)) - flip) < 1e-15
        least, most = formula_way._informations(k, reports, gamma, WorkBudget())
        assert most - least < F(1, 10**50)
        with mp.workdps(40):
            assert abs(float(mp.mpf(least.numerator) / least.denominator / mp.log(2)) - bits) < 5e-15
