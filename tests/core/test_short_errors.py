"""Errors in a notebook have the lines of the caller and the message, and messages name the type that was received."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later
from support.table_calls import table_estimate

import rropt
from rropt.core.errors import InvalidParameterError, RroptError, nearest_words
from rropt.estimates.from_counts import estimate_of_options

pd = later("pandas")

CELL = """
def asked():
    return rropt.{call}
asked()
"""


@pytest.mark.parametrize(
    "call",
    [
        'estimate("warner:3/4", [60, 40], confidence=2)',
        'design.binary("1/4", epsilon="x")',
        'regress("a ~ nope", {"a": np.array([1, 0])}, "warner:3/4")',
        'Mechanism("warner:3/4").randomize(5)',
        'plan.margin("warner:3/4", margin=2)',
        "Mechanism([[1, 2], [3, 4]])",
        "log(0)",
        'plot("variance", epsilon=1)',
        'sweep("pram", epsilon=[1])',
    ],
)
def test_a_notebook_shows_the_lines_of_the_caller(call: str) -> None:
    source = CELL.format(call=call)
    linecache.cache["a cell"] = (len(source), None, source.splitlines(keepends=True), "a cell")
    with pytest.raises(RroptError) as caught:
        exec(compile(source, "a cell", "exec"), {"rropt": rropt, "np": np})
    lines = caught.value._render_traceback_()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1] == f"{type(caught.value).__name__}: {caught.value}"
    assert sum(line.startswith("  File") for line in lines) == 3  # this file, the cell, and its function
    assert any(call in line for line in lines)
    assert not any("core" in line for line in lines if line.startswith("  File") and "tests" not in line)
    whole = "".join(traceback.format_exception(caught.value)).splitlines()
    assert sum(line.startswith("  File") for line in whole) > 3  # the whole traceback is still there


def test_an_error_that_was_never_raised_has_its_message_alone() -> None:
    assert InvalidParameterError("wrong")._render_traceback_() == ["InvalidParameterError: wrong"]


@pytest.mark.parametrize(
    ("call", "type_name"),
    [
        (lambda: rropt.Mechanism(5), "int"),
        (lambda: rropt.Mechanism(None), "NoneType"),
        (lambda: rropt.design.binary("1/4", epsilon=2j), "complex"),
        (lambda: rropt.design.binary([1, 2], epsilon=1), "list"),
        (lambda: estimate_of_options("warner:3/4", 5), "int"),
        (lambda: rropt.compare(5, "warner:3/4"), "int"),
        (lambda: rropt.plot(5), "int"),
        (lambda: rropt.log({}), "dict"),
        (lambda: rropt.solve(7), "int"),
        (lambda: rropt.Mechanism.warner(object), "type"),
        (lambda: rropt.design.binary("1/4", epsilon=1, fast=3), "int"),
        (lambda: rropt.Mechanism("warner:3/4").simulate([0], rng="1"), "str"),
    ],
    ids=range(12),
)
def test_a_wrong_type_is_named(call: Callable[[], Any], type_name: str) -> None:
    with pytest.raises(RroptError, match=rf"received .*of type {type_name}\b"):
        call()


def test_the_beginning_of_a_word_is_taken_for_it() -> None:
    with pytest.raises(InvalidParameterError, match=r"received \'conf\'; did you mean confidence\?"):
        estimate_of_options("warner:3/4", [60, 40], conf=0.9)
    with pytest.raises(InvalidParameterError, match=r"did you mean prevalence\?"):
        rropt.design.binary(epsilon=1, prev="1/4")  # type: ignore[call-overload]
    assert nearest_words("re", ["respondents", "region"]) == []
    assert nearest_words("pre", ["prevalence", "preference"], cutoff=0.9) == []


def test_a_picture_names_what_it_needs() -> None:
    with pytest.raises(InvalidParameterError, match=r"needs `prevalence`: received `epsilon`; write rropt\.plot"):
        rropt.plot("variance", epsilon=1)
    with pytest.raises(
        InvalidParameterError, match=r"no such argument: received \'prevalenc\'; did you mean prevalence"
    ):
        rropt.plot("variance", epsilon=1, prevalenc="1/4")
    assert rropt.plot("variance", 1, prevalence="1/4") is not None


def test_a_sweep_takes_the_kind_of_design() -> None:
    found = rropt.sweep(rropt.design.binary, epsilon=["log(2)", "log(3)"], prevalence="1/4", exact=True)
    assert found == rropt.sweep(rropt.design.binary, epsilon=["log(2)", "log(3)"], prevalence="1/4", exact=True)
    (row,) = rropt.sweep(rropt.design.kary, epsilon="log(3)", categories=3, objective="trace", exact=True)
    assert row["value"] == rropt.design.kary(3, epsilon="log(3)", objective="trace").value
    with pytest.raises(InvalidParameterError, match=r"a sweep needs a design: received 'pram'; give rropt\.design\.b"):
        rropt.sweep("pram", epsilon=1)


@few_rows(2)
@pytest.mark.parametrize("categories", [[False, True], ["False", "True"], ["false", "true"]])
@few_rows(2)
@pytest.mark.parametrize("column", [[True, False, True, True], [1, 0, 1, 1], [1.0, 0.0, 1.0, 1.0]])
def test_truth_values_are_categories(categories: list[Any], column: list[Any]) -> None:
    asked = {"column": "sick", "mechanism": "warner:3/4"}
    data = pd.DataFrame({"sick": column})
    assert table_estimate(data=data, categories=categories, **asked).counted.counts == (1, 3)
    assert table_estimate(data=data, categories=categories[::-1], **asked).counted.counts == (3, 1)
    assert table_estimate(data={"sick": np.array(column)}, categories=categories, **asked).counted.counts == (1, 3)
    with pytest.raises(RroptError, match="no answer"):  # no and true are no pair of truth values
        table_estimate(data=data, categories=["no", "True"], **asked)
    texts = pd.DataFrame({"sick": [str(categories[bool(value)]) for value in column]})
    assert table_estimate(data=texts, categories=categories, **asked).counted.counts == (1, 3)


@pytest.mark.parametrize(
    ("method", "named", "advice"),
    [
        ("n_var", {"prevalnce": 0.9}, "did you mean prevalence?"),
        ("simulate", {"seed": 1}, "allowed are answers, rng"),
        ("randomize", {"rng": 1}, "allowed are answers"),
        ("plot", {"wrong": None}, "allowed are size, ax"),
    ],
)
def test_methods_of_higher_packages_name_themselves(method: str, named: dict[str, Any], advice: str) -> None:
    """The errors about arguments name the method, not the function that does its work."""
    called = getattr(rropt.Mechanism("warner:3/4"), method)
    with pytest.raises(InvalidParameterError) as found:
        called(**named)
    assert str(found.value) == f"`{method}` has no such argument: received '{next(iter(named))}'; {advice}"
    assert called.__name__ == method


def test_a_method_without_its_argument_names_itself() -> None:
    with pytest.raises(TypeError, match=r"^simulate\(\): missing a required argument: 'answers'"):
        rropt.Mechanism("warner:3/4").simulate()


def _front() -> list[tuple[str, Callable[..., Any]]]:
    """Return the functions of ``rropt`` and of ``rropt.designs``, and the pictures."""
    named = [(name, getattr(room, name)) for room in (rropt, rropt.designs, rropt.plots) for name in room.__all__]
    tools = ("draw", "require_screen")
    return [(name, found) for name, found in named if inspect.isfunction(found) and name not in tools]


def _takes_any_name(function: Callable[..., Any]) -> bool:
    return any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())


def test_an_unknown_argument_names_those_that_are_allowed() -> None:
    """Of every function of the front, by the name that people wrote; never by a name from inside."""
    functions = [(name, function) for name, function in _front() if not _takes_any_name(function)]
    assert len(functions) > 40
    for name, function in functions:
        with pytest.raises(InvalidParameterError, match=r"has no such argument: received 'nonsense'") as caught:
            function(nonsense=1)
        assert str(caught.value).startswith(f"`{name}` has no"), name


def test_a_design_is_drawn_or_names_the_options_of_a_picture() -> None:
    solution = rropt.design.binary("1/4", epsilon="log(3)", fast=True)
    for call in (solution.plot, rropt.Mechanism("warner:3/4").plot):
        with pytest.raises(InvalidParameterError, match=r"`plot` has no such argument: .*; allowed are size, ax$"):
            call(wrong=1)
    with pytest.raises(InvalidParameterError, match=r"the picture region needs `epsilon`"):
        rropt.plots.region()
