"""The front door: what an expert types first works, and the page of it runs."""

from __future__ import annotations

import collections
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
from few_rows import few_rows
from plans import planned

import rropt
import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError
from rropt.designs.orders import admissible, dominate
from rropt.estimates import estimates_of_counts
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
    whole = re.findall(r"\brropt(?:_fieldwork\.|\.[A-Za-z_]+\.)[A-Za-z_]+(?:\.[A-Za-z_]+)*", PAGE)
    for line in PAGE.splitlines():
        for names, package in re.findall(r"((?:`[^`]*`(?:, | and )?)+)(?: \([^)]*\))? of `(rropt[a-z_.]+)`", line):
            whole += [f"{package}.{name}" for name in re.findall(r"`([A-Za-z_]+)[`(]", names)]
    return sorted({*whole})


_EACH_IN_A_FORK = """
import os, sys, rropt, rropt_fieldwork, numpy, scipy.optimize, scipy.stats, flint, json, csv
missing = []
for names in sys.argv[1:]:
    child = os.fork()
    if not child:
        for name in names.split():
            try:
                eval(name)
            except AttributeError:
                print(name, file=sys.stderr)
        sys.stderr.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        missing.append(names)
sys.exit(" ".join(missing))
"""


@pytest.mark.parametrize("together", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["together", "alone"])
def test_every_name_of_the_page_exists_after_one_import(together: bool) -> None:
    """All names in one process, or each in its own, where only ``import rropt, rropt_fieldwork`` has run."""
    groups: dict[str, list[str]] = {}
    for name in [*_names_of_the_page(), "rropt.no_name.at_all"]:
        groups.setdefault("" if together else name, []).append(name)
    asked = [" ".join(names) for names in groups.values()]
    found = subprocess.run([sys.executable, "-c", _EACH_IN_A_FORK, *asked], **_TEXT)
    assert found.stderr.split() == ["rropt.no_name.at_all"]


def test_the_names_of_the_page_are_found() -> None:
    found = _names_of_the_page()
    assert {"rropt.designs.orders.admissible", "rropt_fieldwork.audits.samples_needed"} <= {*found}
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

    problem = rropt.Problem.binary("1/4", epsilon="log(3)")
    assert problem.solve().value == rropt.design.binary("1/4", epsilon="log(3)").value == Fraction(15, 16)
    assert problem.solve(fast=True).mechanism == rropt.design.binary("1/4", epsilon="log(3)").mechanism
    for name in ("A-optimality", "a_optimal", "A"):
        assert rropt.Problem.kary(3, epsilon=1, objective=name).objective == rropt.objectives.AOptimality()
    for name in ("MI", MutualInformation()):  # type: ignore[assignment]
        asked = rropt.Problem.kary(3, epsilon="log(3)", objective=name)
        assert asked == rropt.Problem.kary(3, epsilon="log(3)", objective="mutual-information")
    with pytest.raises(InvalidParameterError, match="out of range for the objective total-variation"):
        rropt.Problem.kary(301, epsilon=1, objective=rropt.objectives.TotalVariation(["1/301"] * 301))
    with pytest.raises(InvalidParameterError, match=r"or call Problem\.binary"):
        rropt.Problem("log(3)", "trace", [1, 0])  # type: ignore[arg-type]


def test_constructors_take_names_of_parameters() -> None:
    forced = rropt.Mechanism.forced("2/3", "1/6", "1/6")
    symbols = [parameter.symbol for parameter in DESIGNS["forced"].parameters]
    given = dict(zip(symbols, ("2/3", "1/6", "1/6"), strict=True))
    assert rropt.Mechanism.forced(**given) == forced
    assert rropt.Mechanism.forced("2/3", **{name: given[name] for name in symbols[:0:-1]}) == forced
    for wrong, said in (({"q": 1}, "no such argument: received 'q'"), ({symbols[0]: "1/3"}, "given twice")):
        with pytest.raises(InvalidParameterError, match=said):
            rropt.Mechanism.forced("2/3", **wrong)


def test_an_estimate_has_the_interval_of_alpha() -> None:
    estimate = rropt.inference.estimate("warner:3/4", [20, 80])
    found = estimate.interval("0.9")
    assert estimate.conf_int("0.1") == (found.lower, found.upper)
    assert estimate.conf_int() == (estimate.interval().lower, estimate.interval().upper)
    for alpha in (0, 1, 95):
        with pytest.raises(InvalidParameterError, match="0 < alpha < 1"):
            estimate.conf_int(alpha)


def test_a_solution_is_a_picture() -> None:
    solution = rropt.design.binary("1/4", epsilon="log(3)")
    assert type(rropt.plot(solution)) is type(solution.plot())
    with pytest.raises(InvalidParameterError, match=r"(?!.*(draw|Figure))allowed are breaches"):
        rropt.plot("no such picture")


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (lambda mechanism, counts: rropt.estimate(counts, mechanism), [[10, 20]]),
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


@few_rows(2)
@pytest.mark.parametrize(
    ("design", "asked", "objective"),
    [
        ("binary", {"prevalence": "1/4"}, "variance"),
        ("binary", {"prevalence": "1/4", "outputs": "any"}, "variance"),
        ("kary", {"categories": 3}, "a-optimal"),
        ("kary", {"categories": 3, "objective": "trace"}, "trace"),
        ("kary", {"population": ["1/2", "1/4", "1/4"], "objective": "a-optimal"}, "a-optimal"),
    ],
)
def test_design_solves_the_common_cases(design: str, asked: dict[str, object], objective: str) -> None:
    for level in ({"epsilon": "log(2)"}, {"epsilon": rropt.log(2)}, {"level": rropt.privacy.factor(2)}):
        found = getattr(rropt.design, design)(**level, **asked)
        assert found.problem.objective.kind == objective
        assert rropt.check(found.certificate)
        assert found.status == "optimal"
        assert found == getattr(rropt.Problem, design)(**level, **asked).solve()


def test_each_design_is_that_of_its_room() -> None:
    from rropt.accounting.question_budgets import equal_devices
    from rropt.designs.asked_designs import design_random_questions
    from rropt.designs.bits import design_bits
    from rropt.designs.prevalence_intervals import solve_over_interval
    from rropt.noncompliance.widths import design_noncompliance

    design = rropt.design
    assert design.questions(epsilon=2, weights=[1, 2]) == design_bits(2, weights=[1, 2])
    assert design.equal_questions(2, epsilon=1, delta="1/100") == equal_devices(1, "1/100", questions=2)
    assert design.random_questions(3, ask=1, epsilon=1) == design_random_questions(1, 1, questions=3)
    pairs = rropt.privacy.pairs([[None, "log(3)"], ["log(3)", None]])
    assert design.pram([3, 2], level=pairs) == design.pram(["3/5", "2/5"], epsilon="log(3)")
    asked = {"theta": "1/20", "n": 100, "prevalence": "1/10"}
    assert design.noncompliance("1/10", "1/20", 100, epsilon=1, delta="1/10") == design_noncompliance(
        epsilon=1, delta="1/10", **asked
    )
    region = rropt.privacy.PrivacyRegion("log(3)")
    for interval in (("1/10", "3/10"), "1/10..3/10"):
        assert design.binary(interval, epsilon="log(3)", fast=True) == solve_over_interval(
            region, "1/10..3/10", fast=True
        )
    with pytest.raises(InvalidParameterError, match="two outputs and one route"):
        design.binary("1/10..3/10", epsilon=1, outputs=3)
    with pytest.raises(InvalidParameterError, match="devices under a delta need one"):
        design.equal_questions(2, epsilon=1)


def test_names_of_categories_are_those_of_the_mechanism() -> None:
    names = ["no", "once", "often"]
    found = rropt.design.kary(names, epsilon="log(3)", fast=True)
    plain = rropt.design.kary(3, epsilon="log(3)", fast=True)
    assert found.mechanism.categories == tuple(names)
    assert found == plain
    assert found.twins == plain.twins
    assert type(found).from_dict(found.to_dict()) == plain


def test_no_design_has_more_than_twelve_arguments() -> None:
    import inspect

    doors = [getattr(rropt.design, name) for name in rropt.design.__all__]
    for door in (
        *doors,
        rropt.Problem.binary,
        rropt.Problem.kary,
        rropt.parity_bound,
        rropt.audit_privacy,
        rropt.sweep,
    ):
        assert len(inspect.signature(door).parameters) <= 12, door.__name__


def test_first_guesses_at_a_design() -> None:
    asked = rropt.design.kary(3, epsilon=1).value
    for name in ("A", "a", "A-optimal", "a_optimal", "A optimal", "variance"):
        assert rropt.design.kary(3, epsilon=1, objective=name).value == asked
    pairs = rropt.privacy.pairs([[None, 1], [1, None]])
    with pytest.raises(InvalidParameterError, match="given twice"):
        rropt.design.kary(2, level=pairs, epsilon=1)
    with pytest.raises(InvalidParameterError, match="`delta` belongs to"):
        rropt.design.kary(2, delta="1/10", level=pairs, objective="trace")
    several = rropt.privacy.levels((1, "1/10"), (2, 0))
    for objective in (rropt.objectives.TotalVariation(["1/2", "1/4", "1/4"]), "total-variation:1/2,1/4,1/4"):
        assert rropt.design.kary(3, level=several, objective=objective).status == "optimal"


def test_a_level_is_written_in_text_as_in_python() -> None:
    privacy = rropt.privacy
    for text, level in (
        ("posterior:1/5,1/2", privacy.posterior("1/5", "1/2")),
        ("factor:3", privacy.factor(3)),
        ("curve:min(1, 3*p)", privacy.curve("min(1, 3*p)")),
        ("curve:1;p/4", privacy.curve("1", "p/4")),
        ("renyi:2,1/2", privacy.renyi(2, "1/2")),
        ("zcdp:1/2", privacy.zcdp("1/2")),
        ("gdp:1", privacy.gdp(1)),
        ("line:1", privacy.metric("line", 1)),
        ("grid:1x2:1,1/10", privacy.metric("grid:1x2", 1, "1/10")),
        ("1,1/10", privacy.levels((1, "1/10"))),
    ):
        assert privacy.level_of_text(text).region(inputs=2) == level.region(inputs=2)


def test_one_level_in_any_form_is_one_problem() -> None:
    plain = rropt.Problem.kary(3, epsilon=1, delta="1/10")
    assert rropt.Problem.kary(3, level="1,1/10") == plain
    assert rropt.Problem.kary(3, level=rropt.privacy.levels((1, "1/10"))) == plain


def test_first_guesses_at_an_estimate() -> None:
    mechanism = rropt.Mechanism.warner("3/4")
    asked = rropt.estimate([60, 40], mechanism)
    assert asked.estimate == Fraction(3, 10)
    import pandas

    series = pandas.Series([1] * 40 + [0] * 60)
    mappings = series.value_counts(), {1: 40, 0: 60}, collections.Counter(series)
    for given in ((60, 40), np.array([60, 40]), *mappings):
        assert rropt.estimate(given, "warner:3/4") == asked, given
    named = rropt.estimate({"yes": 40, "no": 60}, mechanism, labels=["no", "yes"])
    assert (named.estimate, named[0].category) == (asked.estimate, "yes")
    assert rropt.estimate([60, 40], mechanism, contrast=[-1, 1]).estimate == Fraction(-2, 5)
    assert rropt.estimate([60, 40], mechanism, population=1000).estimate == asked.estimate
    score = rropt.Mechanism("thresholds:1..3,2/3")
    assert rropt.estimate([10] * score.outputs, score).kind == "mean"
    for given in ([0, 1, 1, 0, 1], [0.5, 1], ["yes", "no"], 3, [None, 1], {"yes": 40}):
        with pytest.raises(InvalidParameterError, match=r"^(?!.*\n)"):
            rropt.estimate(given, mechanism)


def test_options_of_the_command_as_arguments() -> None:
    mechanism = rropt.Mechanism.warner("3/4")
    asked = rropt.estimate([60, 40], mechanism)
    responses = [1] * 40 + [0] * 60
    assert rropt.estimate([60, 40], mechanism) == asked
    for given in (responses, tuple(responses), np.array(responses, dtype=np.uint8), np.array(responses) == 1):
        assert estimates_of_counts(rropt.inference.estimate(mechanism, responses=given)) == asked
    wrong = ([0, 2], [-1], [0.5], ["yes"], [[0, 1]], [[0], [1, 2]], 3, "01", [10**30], [None])
    for given in wrong:
        with pytest.raises(InvalidParameterError, match=r"^responses do not fit(?!.*\n)"):
            rropt.inference.estimate(mechanism, responses=given)
    with pytest.raises(InvalidParameterError, match="the number of responses is out of range"):
        rropt.inference.estimate(mechanism, responses=[])
    for arguments in ({}, {"counts": [1, 2], "yes": 1, "n": 3}, {"responses": [1], "n": 3}):
        with pytest.raises(InvalidParameterError, match="not given exactly once"):
            rropt.inference.estimate(mechanism, **arguments)
    with pytest.raises(InvalidParameterError, match="give them to Responses"):
        rropt.estimate([0, 1, 1, 0, 1], mechanism)
    with pytest.raises(InvalidParameterError, match=r"zeros included$"):  # floats are no responses either
        rropt.estimate([0.0, 1.0, 1.0], mechanism)


def test_first_guesses_at_a_composition() -> None:
    asked = rropt.compose("warner:3/4*3", 1, epsilon=1)
    for items in (["warner:3/4*3", 1], [("warner:3/4", 3), 1], ["warner:3/4"] * 3 + [1]):
        found = rropt.compose(items, epsilon=1)
        assert (found.lower, found.upper) == (asked.lower, asked.upper)
    assert rropt.compose([], epsilon=1).upper == rropt.compose(epsilon=1).upper == 0


def test_a_report_of_results(tmp_path: Path) -> None:
    """One page of results, of what ``--json`` prints, and of files."""
    found = rropt.inference.estimate("forced:2/3,1/6,1/6", yes=831, n=2435)
    design = rropt.design.binary("1/4", epsilon="log(5)")
    bounds = rropt.Responses.from_counts(found.counts, found.mechanism).bounds("0..1/20")
    results = [
        found,
        design,
        design.certificate,
        found.mechanism,
        bounds,
        planned(found.mechanism, margin="5%"),
        rropt.audit_privacy(found.mechanism),
    ]
    text = str(rropt_fieldwork.report(*results, title="Nigeria", output=tmp_path / "page.html"))
    for words in ("# Nigeria", "0.262", "orced", "log(5)", "accepted", "do not follow the device", "respondents"):
        assert words in text
    assert (tmp_path / "page.html").read_text().count("accepted") >= 2
    design.certificate.save(tmp_path / "certificate.json")
    assert "accepted" in rropt_fieldwork.report(str(tmp_path / "certificate.json")).to_latex()
    for wrong, words in (
        ((), "nothing to report"),
        ((3,), "cannot be reported"),
        (({},), "contains no result"),
        ((found, found), "twice"),
    ):
        with pytest.raises(RroptError, match=words):
            rropt_fieldwork.report(*wrong)
    with pytest.raises(InvalidParameterError, match=r"allowed are \.html"):
        rropt_fieldwork.report(found, output=tmp_path / "page.pdf")
    assert not (tmp_path / "page.pdf").exists()


def test_value_test_by_enumeration() -> None:
    """Against binomial tails in fractions: n = 12, every count, three nulls."""
    mechanism, points = rropt.Mechanism.warner("3/4"), 0
    for yes in range(13):
        found = rropt.inference.estimate(mechanism, [12 - yes, yes])
        for null in (Fraction(0), Fraction(1, 3), Fraction(1)):
            share = Fraction(1, 4) + null / 2
            law = [comb(12, y) * share**y * (1 - share) ** (12 - y) for y in range(13)]
            upper, lower = sum(law[yes:]), sum(law[: yes + 1])
            expected = {"greater": upper, "less": lower, "two-sided": min(Fraction(1), 2 * min(upper, lower))}
            for alternative, p in expected.items():
                assert found.test(null, alternative=alternative) == pytest.approx(float(p), rel=1e-9)
                points += 1
    assert points == 117
    for wrong in ({"null": 2}, {"alternative": "up"}, {"kind": "wald"}):
        with pytest.raises(InvalidParameterError, match=r"^(?!.*\n)"):
            found.test(**wrong)


def test_every_record_is_loaded(tmp_path: Path) -> None:
    solution = rropt.design.binary("1/4", epsilon="log(3)")
    results = [
        solution,
        solution.certificate,
        solution.mechanism,
        rropt.inference.estimate("warner:3/4", [10, 20]),
        planned("warner:3/4", margin="0.1"),
        rropt.compare("warner:3/4", "warner:2/3", fast=True),
        rropt.design.questions(2, epsilon=1),
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
