"""The front door: what an expert types first works, and the page of it runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rropt
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError
from rropt.designs.orders import admissible, dominate
from rropt.mechanisms import DESIGNS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")


def test_the_page_runs() -> None:
    blocks = re.findall(r"^```py\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/reference/python.md", "exec", dont_inherit=True), names)
    assert len(blocks) >= 4


_TEXT: Any = {"capture_output": True, "text": True, "check": False}


def _names_of_the_page() -> list[str]:
    """Every dotted name of the page, and ``name of rropt.package`` as its whole name."""
    whole = re.findall(r"\brropt(?:\.[A-Za-z_]+){2,}", PAGE)
    for line in PAGE.splitlines():
        for names, package in re.findall(r"((?:`[^`]*`(?:, | and )?)+)(?: \([^)]*\))? of `(rropt\.[a-z_.]+)`", line):
            whole += [f"{package}.{name}" for name in re.findall(r"`([A-Za-z_]+)[`(]", names)]
    return sorted({*whole})


_EACH_IN_A_FORK = """
import os, sys, rropt, numpy, scipy.optimize, scipy.stats, flint, json, csv
missing = []
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            eval(name)
        except AttributeError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        missing.append(name)
sys.exit(" ".join(missing))
"""


def test_every_name_of_the_page_exists_after_one_import() -> None:
    """Each in a process of its own, where nothing but ``import rropt`` has run."""
    names = _names_of_the_page()
    found = subprocess.run([sys.executable, "-c", _EACH_IN_A_FORK, *names, "rropt.no_name.at_all"], **_TEXT)
    assert found.stderr.split() == ["rropt.no_name.at_all"]


def test_the_names_of_the_page_are_found() -> None:
    found = _names_of_the_page()
    assert {"rropt.designs.repairs.repair", "rropt.designs.orders.admissible", "rropt.audits.samples_needed"} <= {
        *found
    }
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = rropt.designs.no_such_name


def test_every_design_has_a_constructor() -> None:
    points = 0
    for name, design in DESIGNS.items():
        made = getattr(rropt.Mechanism, name.replace("-", "_"))(*design.example.split(","))
        assert made == rropt.Mechanism(f"{name}:{design.example}") == design(*design.example.split(","))
        points += 1
    assert points >= 8
    with pytest.raises(InvalidParameterError, match="takes 1"):
        rropt.Mechanism.warner()


def test_first_guesses_of_cvxpy_and_of_scikit_learn() -> None:
    from rropt.objectives import MutualInformation

    problem = rropt.designs.binary_problem("log(3)", "1/4")
    assert problem.solve().value == rropt.design("log(3)", "1/4").value == Fraction(15, 16)
    assert problem.solve(fast=True).mechanism == rropt.design("log(3)", prevalence="1/4").mechanism
    for name in ("A-optimality", "a_optimal", "A"):
        assert rropt.designs.kary_problem(1, categories=3, objective=name).objective == rropt.objectives.AOptimality()
    for name in ("MI", MutualInformation()):  # type: ignore[assignment]
        asked = rropt.designs.kary_problem("log(3)", categories=3, objective=name)
        assert asked == rropt.designs.kary_problem(epsilon="log(3)", categories=3, objective="mutual-information")
    with pytest.raises(InvalidParameterError, match="`weights` is a parameter of the objective"):
        rropt.designs.kary_problem(1, categories=3, objective=MutualInformation(), weights="1,1,1")
    with pytest.raises(InvalidParameterError, match="out of range for the objective total-variation"):
        rropt.designs.kary_problem(1, categories=301, objective=rropt.objectives.TotalVariation(["1/301"] * 301))
    with pytest.raises(InvalidParameterError, match="or call binary_problem"):
        rropt.Problem("log(3)", "trace", [1, 0])  # type: ignore[arg-type]


def test_constructors_take_names_of_parameters() -> None:
    forced = rropt.Mechanism.forced("2/3", "1/6", "1/6")
    symbols = [parameter.symbol for parameter in DESIGNS["forced"].parameters]
    given = dict(zip(symbols, ("2/3", "1/6", "1/6"), strict=True))
    assert rropt.Mechanism.forced(**given) == forced
    assert rropt.Mechanism.forced("2/3", **{name: given[name] for name in symbols[:0:-1]}) == forced
    for wrong in ({"q": 1}, {symbols[0]: "1/3"}):
        with pytest.raises(TypeError, match=r"unexpected keyword argument|multiple values"):
            rropt.Mechanism.forced("2/3", **wrong)


def test_an_estimate_has_the_interval_of_alpha() -> None:
    estimate = rropt.survey.estimate("warner:3/4", [20, 80])
    found = estimate.interval("0.9")
    assert estimate.conf_int("0.1") == (found.lower, found.upper)
    assert estimate.conf_int() == (estimate.interval().lower, estimate.interval().upper)
    for alpha in (0, 1, 95):
        with pytest.raises(InvalidParameterError, match="0 < alpha < 1"):
            estimate.conf_int(alpha)


def test_a_solution_is_a_picture() -> None:
    solution = rropt.design("log(3)", "1/4")
    assert type(rropt.plot(solution)) is type(solution.plot())
    with pytest.raises(InvalidParameterError, match=r"(?!.*(draw|Figure))allowed are breaches"):
        rropt.plot("no such picture")


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (rropt.estimate, [[10, 20]]),
        (rropt.compare, ["warner:2/3"]),
        (admissible, ["log(3)"]),
        (rropt.audit_privacy, []),
        (dominate, [4]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_text_serves_as_a_mechanism(call: object, arguments: list[object]) -> None:
    mechanism = rropt.Mechanism.warner("3/4")
    assert call("warner:3/4", *arguments) == call(mechanism, *arguments)  # type: ignore[operator]
    with pytest.raises(RroptError, match=r"^(?!.*\n)"):
        call("nothing:3/4", *arguments)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("asked", "objective"),
    [
        ({"prevalence": "1/4"}, "variance"),
        ({"prevalence": "1/4", "outputs": "any"}, "variance"),
        ({"categories": 3}, "trace"),
        ({"population": ["1/2", "1/4", "1/4"], "objective": "a-optimal"}, "a-optimal"),
    ],
)
def test_design_solves_the_common_cases(asked: dict[str, object], objective: str) -> None:
    for level in ({"epsilon": "log(2)"}, {"gamma": 2}):
        found = rropt.design(**level, **asked)
        assert found.problem.objective.kind == objective
        assert rropt.check(found.certificate)
        assert found.status == "optimal"


def test_each_kind_of_design_by_its_name() -> None:
    from rropt.noncompliance.widths import design_noncompliance
    from rropt.survey.comparisons.device_designs import design_devices

    design = rropt.design
    assert design(1, "1/4", kind="binary").value == design(1, "1/4").value
    assert design(1, kind="kary", categories=3, objective="trace").value == design(1, categories=3).value
    assert design(2, kind="bits", weights=[1, 2]) == rropt.designs.bits.design_bits(2, weights=[1, 2])
    assert design(gamma=3, kind="pram", counts=[3, 2]) == rropt.designs.design_pram(
        counts=[3, 2], epsilon="log(3)", fast=True
    )
    levels = [[None, 1], [1, None]]
    assert design(kind="pram", counts=[3, 2], levels=levels) == rropt.designs.design_pram(
        counts=[3, 2], levels=levels, fast=True
    )
    assert str(design(gamma=9, prevalence="1/10", kind="device", dice=1)) == str(
        design_devices("log(9)", "1/10", dice=1)
    )
    asked = {"theta": "1/20", "n": 100, "prevalence": "1/10"}
    assert design(1, delta="1/10", kind="noncompliance", **asked) == design_noncompliance(
        epsilon=1, delta="1/10", **asked
    )
    for wrong in ({"kind": "ternary"}, {"kind": "pram", "dice": 1}, {"kind": "binary", "categories": 3}):
        with pytest.raises(InvalidParameterError, match=r"`kind` is unknown|takes no argument"):
            design(1, **wrong)
    with pytest.raises(InvalidParameterError, match="given twice"):
        design(1, kind="pram", counts=[3, 2], levels=levels)


def test_first_guesses_at_a_design() -> None:
    asked = rropt.design(1, categories=3, objective="a-optimal").value
    for name in ("A", "a", "A-optimal", "a_optimal", "A optimal"):
        assert rropt.design(1, categories=3, objective=name).value == asked
    for wrong, meant in (
        ("k", "categories"),
        ("categorys", "categories"),
        ("p", "prevalence"),
        ("prevalance", "preval"),
    ):
        with pytest.raises(InvalidParameterError, match=f"did you mean {meant}"):
            rropt.design(1, **{wrong: 3})
    with pytest.raises(InvalidParameterError, match=r"no argument 'zzz\\x1b'$"):
        rropt.design(1, **{"zzz\x1b": 3})
    for wrong in (
        {"prevalence": "1/4", "objective": "A"},
        {"categories": 3, "prevalences": 2},
        {"questions": 2, "loss": 1},
    ):
        with pytest.raises(InvalidParameterError, match=r"takes no argument|not given exactly once"):
            rropt.design(1, **wrong)
    pairs = [[None, 1], [1, None]]
    for level in ({"epsilon": 1}, {"gamma": 3}, {"rho": ("1/5", "1/2")}):
        with pytest.raises(InvalidParameterError, match="given twice"):
            rropt.design(**level, levels=pairs, categories=2)
    with pytest.raises(InvalidParameterError, match="received `delta`"):
        rropt.design(levels=pairs, categories=2, delta="1/10")
    several = {"level": [(1, "1/10"), (2, 0)], "categories": 3, "objective": "total-variation"}
    assert rropt.design(**several, against=["1/2", "1/4", "1/4"]).status == "optimal"


def test_first_guesses_at_an_estimate() -> None:
    mechanism = rropt.Mechanism.warner("3/4")
    asked = rropt.estimate(mechanism, [60, 40])
    responses = [1] * 40 + [0] * 60
    assert rropt.estimate(mechanism, [60, 40]) == rropt.estimate(mechanism, yes=40, n=100) == asked
    for given in (responses, tuple(responses), np.array(responses, dtype=np.uint8), np.array(responses) == 1):
        assert rropt.estimate(mechanism, responses=given) == asked
    wrong = ([0, 2], [-1], [0.5], ["yes"], [[0, 1]], [[0], [1, 2]], 3, "01", [10**30], [None])
    for given in wrong:
        with pytest.raises(InvalidParameterError, match=r"^responses do not fit(?!.*\n)"):
            rropt.estimate(mechanism, responses=given)
    with pytest.raises(InvalidParameterError, match="`responses` is empty"):
        rropt.estimate(mechanism, responses=[])
    for arguments in ({}, {"counts": [1, 2], "yes": 1, "n": 3}, {"responses": [1], "n": 3}):
        with pytest.raises(InvalidParameterError, match="not given exactly once"):
            rropt.estimate(mechanism, **arguments)
    with pytest.raises(InvalidParameterError, match="give responses="):
        rropt.estimate(mechanism, [0, 1, 1, 0, 1])
    with pytest.raises(InvalidParameterError, match=r"zeros included$"):  # floats are no responses either
        rropt.estimate(mechanism, [0.0, 1.0, 1.0])


def test_first_guesses_at_a_composition() -> None:
    asked = rropt.compose("warner:3/4*3", 1, epsilon=1)
    for items in (["warner:3/4*3", 1], [("warner:3/4", 3), 1], ["warner:3/4"] * 3 + [1]):
        found = rropt.compose(items, epsilon=1)
        assert (found.lower, found.upper) == (asked.lower, asked.upper)
    assert rropt.compose([], epsilon=1).upper == rropt.compose(epsilon=1).upper == 0


def test_a_report_of_results(tmp_path: Path) -> None:
    """One page of results, of what ``--json`` prints, and of files."""
    found = rropt.survey.estimate("forced:2/3,1/6,1/6", yes=831, n=2435)
    design = rropt.design("log(5)", prevalence="1/4")
    bounds = rropt.Responses.from_counts(found.counts, found.mechanism).bounds("0..1/20")
    results = [
        found,
        design,
        design.certificate,
        found.mechanism,
        bounds,
        rropt.plan(found.mechanism, margin="5%"),
        rropt.audit_privacy(found.mechanism),
    ]
    text = str(rropt.report(*results, title="Nigeria", output=tmp_path / "page.html"))
    for words in ("# Nigeria", "0.262", "orced", "log(5)", "accepted", "do not follow the device", "respondents"):
        assert words in text
    assert (tmp_path / "page.html").read_text().count("accepted") >= 2
    design.certificate.save(tmp_path / "certificate.json")
    assert "accepted" in rropt.report(str(tmp_path / "certificate.json")).to_latex()
    for wrong, words in (
        ((), "nothing to report"),
        ((3,), "cannot be reported"),
        (({},), "contains no result"),
        ((found, found), "twice"),
    ):
        with pytest.raises(RroptError, match=words):
            rropt.report(*wrong)
    with pytest.raises(InvalidParameterError, match=r"allowed are \.html"):
        rropt.report(found, output=tmp_path / "page.pdf")
    assert not (tmp_path / "page.pdf").exists()


def test_value_test_by_enumeration() -> None:
    """Against binomial tails in fractions: n = 12, every count, three nulls."""
    mechanism, points = rropt.Mechanism.warner("3/4"), 0
    for yes in range(13):
        found = rropt.survey.estimate(mechanism, [12 - yes, yes])
        for null in (Fraction(0), Fraction(1, 3), Fraction(1)):
            share = Fraction(1, 4) + null / 2
            law = [comb(12, y) * share**y * (1 - share) ** (12 - y) for y in range(13)]
            upper, lower = sum(law[yes:]), sum(law[: yes + 1])
            expected = {"greater": upper, "less": lower, "two-sided": min(Fraction(1), 2 * min(upper, lower))}
            for alternative, p in expected.items():
                assert found.test(null, alternative=alternative).p_value == pytest.approx(float(p), rel=1e-9)
                points += 1
    assert points == 117
    for wrong in ({"null": 2}, {"alternative": "up"}, {"kind": "wald"}):
        with pytest.raises(InvalidParameterError, match=r"^(?!.*\n)"):
            found.test(**wrong)


def test_every_record_is_loaded(tmp_path: Path) -> None:
    solution = rropt.design(epsilon="log(3)", prevalence="1/4")
    results = [
        solution,
        solution.certificate,
        solution.mechanism,
        rropt.survey.estimate("warner:3/4", [10, 20]),
        rropt.plan("warner:3/4", margin="0.1"),
        rropt.compare("warner:3/4", "warner:2/3", fast=True),
        rropt.design(epsilon=1, questions=2),
    ]
    for i, result in enumerate(results):
        path = tmp_path / f"{i}.json"
        text = result.file_text if isinstance(result, rropt.core.certificates.Certificate) else result.to_json()
        path.write_text(text, encoding="utf-8")
        loaded = rropt.load(path)
        assert type(loaded) is type(result)
        assert loaded == result or result is solution.certificate
    for i, data in enumerate(([], {}, {"a": 1}, {"matrix": [["1/2"]]}, {"format": "2"})):
        path = tmp_path / f"bad-{i}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        with pytest.raises((FileFormatError, RroptError), match=r"^(?!.*\n)"):
            rropt.load(path)


def test_the_errors_are_all_those_of_the_library() -> None:
    from rropt.core import errors

    own = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, Exception)}
    own |= {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, Warning)}
    assert set(rropt.errors.__all__) == set(errors.__all__) == own
    assert all(getattr(rropt.errors, name) is getattr(errors, name) for name in own)
