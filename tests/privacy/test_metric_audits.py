"""Metric audits: against pairs of columns, the inverse of designs, the command."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import permutations
from math import log
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from support.regions import by_distance

from rropt import privacy
from rropt.cli.main import main
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs import solve
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.families import BlockMechanism, Direct
from rropt.privacy import LevelsRegion
from rropt.privacy.metric_audits import LevelsPrivacy, MetricPrivacy, levels_privacy, metric_privacy

F = Fraction


def _drawn(rng: random.Random) -> Mechanism:
    k, m = rng.randint(2, 5), rng.randint(2, 5)
    columns = [[F(rng.randint(1, 9)) for _ in range(m)] for _ in range(k)]
    return Mechanism(list(zip(*[[x / sum(c) for x in c] for c in columns], strict=True)))


def test_the_least_epsilon_is_that_of_the_worst_pair_per_unit() -> None:
    rng = random.Random(1)
    for _ in range(150):
        made = _drawn(rng)
        k = made.inputs
        table = [[F(0) if j == i else F(rng.randint(1, 9), rng.randint(1, 3)) for i in range(k)] for j in range(k)]
        for distance, of in (("line", lambda j, i: abs(j - i)), (table, lambda j, i, t=table: t[j][i])):
            found = metric_privacy(made, distance)
            worst = max(log(row[j] / row[i]) / of(j, i) for row in made.matrix for j, i in permutations(range(k), 2))
            assert abs(float(found.epsilon) - max(worst, 0)) < 1e-12
            j, i = found.pair
            own = made[found.output, j] / made[found.output, i]
            assert abs(log(own) / of(j, i) - worst) < 1e-12


@pytest.mark.slow
def test_it_inverts_designs_by_distance_and_by_level() -> None:
    for epsilon in ("log(2)", "1/2", "7"):  # entries of exp(-21) are no zeros, as in findings/qif_zero_probability.sh
        made = solve(Problem.kary(4, level=privacy.metric("line", epsilon), objective="loss:absolute"))
        found = metric_privacy(made.mechanism)
        assert float(found.epsilon) <= float(by_distance(4, epsilon).pair_levels[0][1])
        assert abs(float(found.epsilon) - float(by_distance(4, epsilon).pair_levels[0][1])) < 1e-12
    levels = [[None, "log(2)", "1"], ["log(2)", None, None], ["1", "3", None]]
    design = solve(Problem.kary(3, level=privacy.pairs(levels), objective="trace"))
    told = levels_privacy(design.mechanism, levels)
    assert told.meets
    assert told.factor is not None
    assert 0.999999 < told.factor <= 1 + 1e-12
    assert LevelsRegion.by_pair(levels).contains(design.mechanism)


def test_levels_are_decided_exactly() -> None:
    rng, both = random.Random(2), set()
    for _ in range(100):
        made = _drawn(rng)
        k = made.inputs
        levels = [[None if j == i or rng.random() < 0.2 else f"log({1 + F(rng.randint(1, 40), 4)})" for i in range(k)]
                  for j in range(k)]  # fmt: skip
        if not any(level for row in levels for level in row):
            continue
        found = levels_privacy(made, levels)
        assert found.meets == LevelsRegion.by_pair(levels, outputs=made.outputs).contains(made)
        assert found.factor is not None
        assert found.meets == (found.factor <= 1 + 1e-12)
        both.add(found.meets)
    assert both == {True, False}
    assert levels_privacy("warner:3/4", [[None, "log(3)"], ["log(3)", None]]).meets
    below = "10986122886681096/10000000000000000"  # of log(3), by 1e-16
    assert levels_privacy("warner:3/4", [[None, "log(3)"], [below, None]]).meets is False


@every_case("levels", [5, None, [5, 5], ["ab", "cd"], [[None, "1"]], "ab"], ids=repr)
def test_what_is_no_matrix_is_refused(levels: Any) -> None:
    with pytest.raises(InvalidParameterError, match="not a 2 x 2 matrix"):
        levels_privacy("warner:3/4", levels)
    if not isinstance(levels, str):
        with pytest.raises(InvalidParameterError, match=r"not a 2 x 2 matrix|not a number"):
            metric_privacy("warner:3/4", levels)


def test_degenerate_mechanisms() -> None:
    truth = named_mechanism("generalised:1,1/4")
    assert metric_privacy(truth).epsilon.is_infinite
    assert levels_privacy(truth, [[None, "1"], ["1", None]]).factor is None
    coin = Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    assert float(metric_privacy(coin).epsilon) == 0
    assert metric_privacy(named_mechanism("warner:3/4"), [[0, 0], [0, 0]]).epsilon.is_infinite
    assert levels_privacy(coin, [[None, "0"], ["0", None]]).meets
    rare = Mechanism([["1/2", 1 - F(1, 10**500)], ["1/2", F(1, 10**500)]])  # no limit of typed levels holds here
    assert metric_privacy(rare).epsilon == rare.epsilon
    assert levels_privacy(rare, [[None, "1"], ["1", None]]).factor == float(rare.epsilon)
    assert str(metric_privacy("warner:3/4", [[0, "1/200"], ["1/200", 0]]).epsilon) == f"log({3**200})"
    with pytest.raises(UnsupportedProblemError, match=r"at the distance 2000: divide all distances by it$"):
        metric_privacy("warner:3/4", [[0, 2000], [2000, 0]])
    for bad in ([[0, 1]], [[0, -1], [1, 0]], [[1, 1], [1, 0]]):
        with pytest.raises(InvalidParameterError, match=r"the distances are not a 2 x 2|^distance\[\d\]\[\d\] is"):
            metric_privacy(coin, bad)
    with pytest.raises(InvalidParameterError, match="is unknown"):
        metric_privacy(coin, "euclid")
    with pytest.raises(InvalidParameterError, match="the levels are not a 2 x 2 matrix"):
        levels_privacy(coin, [["1"]])
    with pytest.raises(UnsupportedProblemError, match="too many"):
        metric_privacy(BlockMechanism(Direct(301), 3))
    for audit in (metric_privacy, lambda mechanism: levels_privacy(mechanism, [[None, 1], [1, None]])):
        with pytest.raises(InvalidParameterError, match="the mechanism is of another kind"):
            audit([1, 0])  # type: ignore[arg-type]
        rows = [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]  # a matrix is read as its mechanism
        assert audit(rows).to_dict() == audit(Mechanism(rows)).to_dict()
    with pytest.raises(UnsupportedProblemError, match="as integers"):
        metric_privacy(coin, [[0, F(1, 10**6)], [1, 0]])


def test_the_command_and_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["privacy", "grr:3,1/2", "--level", "line", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["epsilon"] == "log(2)"
    file = tmp_path / "levels.csv"
    file.write_text(",log(2),log(2)\nlog(2),,1/2\nlog(2),log(2),\n")
    assert main(["privacy", "grr:3,1/2", "--level", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["pair"] == [1, 2]
    assert main(["privacy", "grr:4,1/2", "--level", "grid:2x2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["epsilon"] == "log(3)"
    assert main(["privacy", "grr:3,1/2", "--level", f"distances:{tmp_path / 'none.csv'}"]) == 2
    assert "file of distances cannot be read" in capsys.readouterr().err
    other = tmp_path / "d.csv"
    other.write_text("0,1,2\n1,0,1\n2,1,0\n")
    assert main(["privacy", "grr:3,1/2", "--level", f"distances:{other}"]) == 0
    assert "log(2)" in capsys.readouterr().out
    assert main(["privacy", "grr:3,1/2", "--level", "line", "--epsilon", "1"]) == 2
    capsys.readouterr()
    for result in (metric_privacy("grr:3,1/2"), levels_privacy("warner:3/4", [[None, "1"], ["1", None]])):
        assert isinstance(result, (MetricPrivacy, LevelsPrivacy))
        assert type(result).from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_a_named_grid_is_its_matrix() -> None:
    steps = [[abs(j // 3 - i // 3) + abs(j % 3 - i % 3) for i in range(6)] for j in range(6)]
    assert metric_privacy("grr:6,1/2", "grid:2x3") == metric_privacy("grr:6,1/2", steps)
    with pytest.raises(InvalidParameterError, match="6 places; there are 5 categories"):
        metric_privacy("grr:5,1/2", "grid:2x3")
