"""Levels of every kind against a given mechanism: own sums in floats and fractions decide the same."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

import rropt
from rropt.core.errors import InvalidParameterError, RroptError
from rropt.mechanisms import Mechanism
from rropt.privacy import factor, gdp, levels, maximal_leakage, metric, pairs
from rropt.privacy.level_audits import LevelPrivacy, level_privacy


def drawn(rng: random.Random, k: int, m: int) -> Mechanism:
    columns = [[rng.randint(1, 9) for _ in range(m)] for _ in range(k)]
    return Mechanism([[Fraction(column[i], sum(column)) for column in columns] for i in range(m)])


def excess(made: Mechanism, j: int, other: int, epsilon: float) -> float:
    return sum(max(0.0, float(row[j]) - math.exp(epsilon) * float(row[other])) for row in made.matrix)


def divergence(made: Mechanism, order: float) -> float:
    pairs_of = permutations(range(made.inputs), 2)
    sums = (sum(float(r[j]) ** order * float(r[i]) ** (1 - order) for r in made.matrix) for j, i in pairs_of)
    return max(math.log(each) / (order - 1) for each in sums)


def test_levels_agree_with_own_sums(rng: random.Random) -> None:
    """Renyi at one order, two levels with delta, and metric levels; the boundary is missed by 1e-6 on both sides."""
    for _ in range(12):
        made = drawn(rng, rng.randint(2, 4), rng.randint(2, 5))
        own = divergence(made, 3)
        assert level_privacy(made, f"renyi:3,{own + 1e-6:.9f}").meets
        assert not level_privacy(made, f"renyi:3,{own - 1e-6:.9f}").meets
        every = list(permutations(range(made.inputs), 2))
        for epsilon in (0.25, 0.75):
            delta = max(excess(made, j, other, epsilon) for j, other in every)
            for moved, meets in ((1e-6, True), (-1e-6, False)):
                if 0 < delta + moved < 1:
                    found = level_privacy(made, levels((str(epsilon), f"{delta + moved:.9f}"), ("5", 0)))
                    assert found.meets is meets
                    assert [one.meets for one in found.conditions] == [meets, True]
                    assert float(found.conditions[0].excess.at(Fraction(math.exp(epsilon)))) == pytest.approx(delta)
        step = max(math.log(r[j] / r[i]) / abs(i - j) for r in made.matrix for j, i in every)
        for moved in (1e-6, -1e-6):
            assert level_privacy(made, metric("line", f"{max(step + moved, 0):.9f}")).meets is (moved > 0 or step == 0)


def test_the_exact_boundary_is_inside() -> None:
    spinner = Mechanism("warner:3/4")
    assert level_privacy(spinner, "log(3),0").meets
    assert level_privacy(spinner, levels(("log(2)", "1/4"), ("log(3)", 0))).meets
    assert not level_privacy(spinner, levels(("log(2)", "24999/100000"), ("log(3)", 0))).meets
    assert level_privacy(spinner, pairs([[None, "log(3)"], ["log(3)", None]])).meets
    assert level_privacy("warner:3/4", gdp(2)).meets
    assert not level_privacy(Mechanism([[1, "1/2"], [0, "1/2"]]), "renyi:2,10").meets


@pytest.mark.parametrize("level", ["renyi:2,1/2", "1,1/10", "line:1", "gdp:1"])
def test_a_forged_answer_is_refused(level: str) -> None:
    found = level_privacy("warner:3/4", level)
    record = found.to_dict()
    assert LevelPrivacy.from_dict(record) == found
    with pytest.raises(RroptError, match="differs from the recomputed result"):
        LevelPrivacy.from_dict({**record, "meets": not found.meets})


def test_levels_of_criteria_and_one_category_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="a criterion is met or has a breach"):
        level_privacy("warner:3/4", factor(3))
    with pytest.raises(InvalidParameterError, match="two categories or more"):
        level_privacy(Mechanism([["1"]]), "renyi:2,1")
    with pytest.raises(InvalidParameterError, match="2 rows: there are 3"):
        level_privacy("grr:3,1/2", pairs([[None, "1"], ["1", None]]))


def test_the_command_and_its_record(cli: Any, tmp_path: Any) -> None:
    """Each kind of level: its exit status, a record that is read again, and the same level as an option of before."""
    for spec, status in (("renyi:2,1", 0), ("zcdp:1/10", 1), ("gdp:3", 0), ("line:2", 0), ("grid:2x2:1/10", 1)):
        found, out, err = cli("privacy", "grr:4,1/2", "--level", spec, "--json")
        assert (found, err) == (status, "")
        data = json.loads(out)
        assert data["meets"] is (status == 0)
        again = rropt.load(_written(tmp_path, out))
        assert isinstance(again, LevelPrivacy)
        assert again.meets is (status == 0)
    one = json.loads(cli("privacy", "warner:3/4", "--level", "1,1/10", "--json")[1])
    other = json.loads(cli("privacy", "warner:3/4", "--epsilon", "1", "--delta", "1/10", "--json")[1])
    assert {**one, "question": 0} == {**other, "question": 0}
    status, _, err = cli("privacy", "warner:3/4", "--level", "curve:0.8")
    assert status == 2
    assert "--level posterior:1/2,4/5" in err
    status, out, _ = cli("privacy", "warner:5/6", "--level", "posterior:1/2,4/5")
    assert status == 1
    assert "B(h) posed twice" in out
    assert "posterior posed twice" in out
    assert "\n  posed twice" not in out
    table = tmp_path / "levels.csv"
    table.write_text(",log(3)\nlog(3),\n")
    assert cli("privacy", "warner:3/4", "--level", str(table))[0] == 0
    several = tmp_path / "levels.json"
    several.write_text('{"levels": [{"epsilon": "log(2)", "delta": "1/5"}, {"epsilon": "2"}]}')
    assert cli("privacy", "warner:3/4", "--level", str(several))[0] == 1


def _written(folder: Any, text: str) -> str:
    path = folder / "found.json"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    "spec",
    [
        "line:1",
        "1,1/20",
        *(pytest.param(text, marks=pytest.mark.slow) for text in ("renyi:2,1/2", "zcdp:1/4", "gdp:1")),
    ],
)
def test_optimality_at_a_level_of_any_kind(cli: Any, spec: str) -> None:
    """A design is optimal at its level, and one of a smaller level is not, by the command."""
    found = rropt.optimality("grr:3,2/5", "a-optimal", level=spec, fast=True)
    assert found.answer == "no"
    status, out, _ = cli("compare", "grr:3,2/5", "--level", spec, "--objective", "a-optimal", "--fast")
    assert (status, "optimal       no" in out) == (1, True)
    best = found.solution.mechanism
    own = rropt.optimality(best, "a-optimal", level=spec, fast=True)
    assert own.answer != "no"
    assert own.value <= found.solution.upper


def test_leakage_of_a_mechanism_is_that_of_its_outputs() -> None:
    """The maximal leakage of Warner's device at 3/4 is log(3/2), exactly."""
    assert level_privacy("warner:3/4", maximal_leakage("log(3/2)")).meets
    assert not level_privacy("warner:3/4", maximal_leakage("log(1499/1000)")).meets
