"""The commands ``design binary`` and ``kary`` beside the functions: each option, and the same results."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rropt
from rropt import privacy
from rropt.cli import design_binary, design_kary
from rropt.cli.command import OneOf
from rropt.cli.main import main
from rropt.objectives import ChiSquare, Contrast, Loss, Trace

OF_PRINTING = {"--plot", "--certificate", "--derivation", "--output", "--categories", "--exact", "--json"}
OF_PRINTING |= {"--report", "--question", "--for"}
ELSEWHERE = {"--n": "rropt.plan", "--confidence": "rropt.plan", "--at-most": "EveryLevel", "--effort": "Problem.solve"}
ARGUMENTS = {
    **dict.fromkeys(("--epsilon", "--gamma"), "epsilon"),
    "--level": "level",
    **dict.fromkeys(("--objective",), "objective"),
    "--delta": "delta",
    "--prevalence": "prevalence",
    "--symmetric": "symmetric",
    "--outputs": "outputs",
    "--routes": "routes",
    "--fast": "fast",
    "-k": "categories",
    "--proportions": "population",
    "--bounds": "bounds",
}


def names(arguments: Any) -> list[str]:
    """Return the options of a command."""
    return [name for each in arguments for name in (names(each.options) if isinstance(each, OneOf) else [each.name])]


@pytest.mark.parametrize(
    ("command", "function"), [(design_binary, rropt.design.binary), (design_kary, rropt.design.kary)]
)
def test_every_option_is_an_argument_or_about_printing(command: Any, function: Any) -> None:
    known = set(inspect.signature(inspect.unwrap(function)).parameters)
    listed = names(command.COMMAND.arguments)
    assert {"--fast", "--delta", "--outputs"} <= set(listed)
    without = [name for name in listed if name not in OF_PRINTING | set(ELSEWHERE) and ARGUMENTS.get(name) not in known]
    assert without == []


def printed(capsys: pytest.CaptureFixture[str], text: str) -> Any:
    """Return the JSON of a command."""
    assert main(["design", *text.split(), "--fast", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def ends(found: Any) -> tuple[Any, Any]:
    """Return the bounds of a result of a function."""
    return str(found.lower), str(found.upper)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("binary --epsilon log(3) --prevalence 1/4 --symmetric", {"symmetric": True}),
        ("binary --epsilon log(3) --prevalence 1/4 --delta 1/10 --outputs any", {"delta": "1/10", "outputs": "any"}),
        ("kary --gamma 3 -k 3 --objective trace:1,2,3", {"objective": Trace([1, 2, 3])}),
        ("kary --gamma 3 -k 3 --objective c-optimal:1,-1,0", {"objective": Contrast([1, -1, 0])}),
        ("kary --gamma 3 --proportions 1/2,1/3,1/6 --objective chi-square:1/3,1/3,1/3",
         {"objective": ChiSquare(["1/3"] * 3), "population": "1/2,1/3,1/6"}),
        ("kary --gamma 3 --proportions 1/2..3/4,0..1/2,1/10 --objective a-optimal",
         {"population": "1/2..3/4,0..1/2,1/10"}),
        ("kary --gamma 3 -k 100 --objective a-optimal --outputs 2^7", {"outputs": "2^7", "categories": 100}),
        ("kary --gamma 3 -k 3 --objective trace --bounds 1/10..1", {"objective": "trace", "bounds": "1/10..1"}),
        ("kary --level line:1 --proportions 3/4,1/4 --objective a-optimal",
         {"level": "line:1", "population": ["3/4", "1/4"], "epsilon": None}),
        pytest.param("kary --level renyi:2,1/2 --proportions 3/4,1/4 --objective a-optimal",
         {"level": privacy.renyi(2, "1/2"), "population": ["3/4", "1/4"], "epsilon": None}, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_command_and_function_have_the_same_optimum(capsys: Any, text: str, asked: dict[str, Any]) -> None:
    given = {"epsilon": "log(3)", **asked}
    if text.startswith("binary"):
        found = rropt.design.binary("1/4", fast=True, **given)
    else:
        k = given.pop("categories", None if "population" in given else 3)
        found = rropt.design.kary(k, fast=True, **given)
    record = printed(capsys, text)
    assert (record["lower"], record["upper"]) == ends(found)


def test_an_interval_of_prevalences(capsys: Any) -> None:
    record = printed(capsys, "binary --epsilon log(3) --prevalence 1/10..3/10")
    found = rropt.design.binary("1/10..3/10", epsilon="log(3)", fast=True)
    assert found == rropt.design.binary(("1/10", "3/10"), epsilon="log(3)", fast=True)
    assert {key: record[key] for key in ("worst_case", "regret")} == {
        key: found.to_dict()[key] for key in ("worst_case", "regret")
    }


def test_one_level_for_all_pairs_is_epsilon_and_delta() -> None:
    for epsilon, delta in (("3/2", 0), ("1", "1/10"), ("log(3)", "1/10")):
        one = rropt.Problem.kary(3, epsilon=epsilon, delta=delta, objective="trace")
        assert rropt.Problem.kary(3, level=f"{epsilon},{delta}", objective="trace") == one


@pytest.mark.parametrize(
    ("asked", "population", "unused"),
    [
        ({"level": "3/2,0"}, "0.7,0.2,0.1", 2),
        ({"level": privacy.pairs([[None, 1, None], [1, None, 1], [None, 1, None]])}, "0.45,0.1,0.45", 1),
        ({"level": "line:1"}, "0.45,0.1,0.45", 1),
        ({"epsilon": 1, "bounds": "0..0.9"}, "0.9,0.05,0.05", 1),
    ],
)
def test_unused_outputs_are_exactly_0_at_irrational_levels(asked: Any, population: str, unused: int) -> None:
    with pytest.warns(rropt.errors.RroptWarning, match=f"response {unused} is never given"):
        found = rropt.design.kary(objective=Loss("zero-one"), population=population, fast=True, **asked)
    assert not any(found.mechanism.matrix[unused])
    if "bounds" in asked:
        assert max(map(max, found.mechanism.matrix)) == Fraction(9, 10)


def test_a_file_of_bounds_has_inequalities(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "region.json"
    path.write_text(json.dumps({"diagonal": "1/3", "inequalities": ["p[2,0] = p[2,1]", "p[2,0] <= 1/8"]}))
    record = printed(capsys, f"kary -k 3 --gamma 3 --objective trace --bounds {path}")
    region = {"diagonal": "1/3", "inequalities": ["p[2,0] = p[2,1]", "p[2,0] <= 1/8"]}
    found = rropt.design.kary(3, epsilon="log(3)", bounds=region, objective="trace", fast=True)
    assert (record["lower"], record["upper"]) == ends(found)
