"""No public function has more than 12 arguments, and each argument is written in its signature."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import import_module
from types import ModuleType
from typing import Any, get_type_hints

import numpy as np
import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork
from rropt.core.argument_checks import clear_calls_beside, given_fields
from rropt.core.errors import InvalidParameterError
from rropt.plans import requests
from rropt.plans.sample_conditions import Conditions
from rropt.regression import Search
from rropt_fieldwork.reading.reading_options import OPTIONS, Reading, ReadingOptions

MOST = 12
FRONTS = ("rropt", "rropt.design", "rropt.plan", "rropt.privacy", "rropt.objectives", "rropt_fieldwork")


def _functions(front: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions of a module, and the public methods of its classes."""
    for name in front.__all__:
        found = getattr(front, name)
        if inspect.isfunction(found):
            yield f"{front.__name__}.{name}", found
        elif inspect.isclass(found):
            for own, _ in inspect.getmembers(found, callable):
                method = inspect.getattr_static(found, own)
                bound = getattr(found, own) if isinstance(method, classmethod | staticmethod) else method
                if not own.startswith("_") and (inspect.isfunction(bound) or inspect.ismethod(bound)):
                    yield f"{front.__name__}.{name}.{own}", bound


def long_signatures(front: ModuleType) -> dict[str, int]:
    """Return the functions of a module with more than ``MOST`` arguments, without self, and their number."""
    counted = {}
    for name, function in _functions(front):
        parameters = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
        if len(parameters) > MOST:
            counted[name] = len(parameters)
    return counted


@pytest.mark.parametrize("name", FRONTS)
def test_no_public_function_has_more_than_twelve_arguments(name: str) -> None:
    front = import_module(name)
    assert len([*_functions(front)]) > 3
    assert long_signatures(front) == {}


def test_thirteen_arguments_are_found() -> None:
    planted = ModuleType("planted")
    twelve = ", ".join(f"a{i}" for i in range(12))
    exec(f"def short({twelve}): ...\ndef long({twelve}, last): ...", planted.__dict__)
    exec(f"class Kind:\n    def work(self, {twelve}, *, last): ...", planted.__dict__)
    planted.__all__ = ["Kind", "long", "short"]  # type: ignore[attr-defined]
    assert long_signatures(planted) == {"planted.Kind.work": 13, "planted.long": 13}


def test_signatures_of_fieldwork_are_written() -> None:
    """Without ``**``: except for the options of reading, whose names type checkers know from ``ReadingOptions``."""
    for name in rropt_fieldwork.__all__:
        function = getattr(rropt_fieldwork, name)
        if inspect.isfunction(function) and name != "read":
            kinds = {one.kind for one in inspect.signature(function).parameters.values()}
            assert inspect.Parameter.VAR_KEYWORD not in kinds, name


def test_the_options_of_reading_are_those_of_the_record() -> None:
    import rropt_fieldwork.reading.reading_options as options

    assert tuple(get_type_hints(ReadingOptions)) == OPTIONS
    assert get_type_hints(ReadingOptions) == get_type_hints(Reading, vars(options))
    own = rropt_fieldwork.read("a.csv", **{one.name: one.default for one in fields(Reading)})
    assert own == rropt_fieldwork.read("a.csv")
    assert "where: use the rows where a condition" in (rropt_fieldwork.read.__doc__ or "")


def test_a_table_is_read_again_with_other_options() -> None:
    rows = rropt_fieldwork.read({"q": [0, 1, 1], "x": [1, 2, 3]}, where="x > 1").sampled(weights="x")
    again = rropt_fieldwork.read(rows, ignore_case=True)
    assert again.reading.given == {"where": "x > 1", "ignore_case": True}
    assert again.sample == rows.sample
    file = rropt_fieldwork.read("a.csv", where="x > 1").sampled(weights="x")
    assert pickle.loads(pickle.dumps(file)) == file != rropt_fieldwork.read("a.csv", where="x > 1")
    assert repr(again).endswith("ignore_case=True, where='x > 1', weights='x')")


RNG = np.random.default_rng(3)
ROWS: dict[str, Any] = {
    "q": RNG.integers(0, 2, 200),
    "w": RNG.integers(1, 4, 200),
    "s": np.repeat(["n", "s"], 100),
    "c": np.repeat(np.arange(40), 5),
    "age": RNG.integers(18, 70, 200),
}


@few_rows(1)
@pytest.mark.parametrize(
    "design",
    [
        {"weights": "w"},
        {"weights": "w", "strata": "s", "clusters": "c"},
        {"strata": "s", "clusters": "c", "fpc": ("1/2", "1/4")},
        {"weights": "w", "post_strata": "s", "single_psu": "average"},
    ],
)
def test_a_sampled_table_is_a_sample_of_the_engine(design: dict[str, Any]) -> None:
    """The functions of tables and those of the engine find the same: the design is not forgotten in either."""
    rows = rropt_fieldwork.read(ROWS).sampled(**design)
    found = rropt_fieldwork.estimate_table(rows, "q", "warner:3/4")
    engine = rropt.Responses("q", "warner:3/4", data=rows).proportions()
    assert [float(one.estimate) for one in found] == pytest.approx([float(one.estimate) for one in engine][-1:])
    assert [one.se for one in found] == pytest.approx([one.se for one in engine][-1:])
    assert found[0].se != pytest.approx(rropt_fieldwork.estimate_table(ROWS, "q", "warner:3/4")[0].se, rel=1e-6)
    search = Search(starts=3)
    fits = [
        work("q ~ age", rows, "warner:3/4", search=search)
        if work is rropt.regress
        else work(rows, "q ~ age", "warner:3/4", search=search)
        for work in (rropt.regress, rropt_fieldwork.regress_table)
    ]
    assert [*fits[0].params] == pytest.approx([*fits[1].params], rel=1e-6)
    assert [*fits[0].bse] == pytest.approx([*fits[1].bse], rel=1e-6)


def test_errors_of_a_fit_are_named_as_in_the_engine() -> None:
    rows = rropt_fieldwork.read(ROWS).sampled(weights="w")
    for kind in (None, "design", "design:expected"):
        own = rropt_fieldwork.regress_table(rows, "q ~ age", "warner:3/4", cov_type=kind)
        engine = rropt.regress("q ~ age", rows, "warner:3/4", cov_type=kind)
        assert [*own.bse] == pytest.approx([*engine.bse], rel=1e-6)
    with pytest.raises(InvalidParameterError, match="`cov_type`"):
        rropt_fieldwork.regress_table(rows, "q ~ age", "warner:3/4", cov_type="robust")


def test_a_mapping_of_mechanisms_is_of_devices_or_of_arms() -> None:
    devices = {"q": ROWS["q"], "d": np.repeat(["A", "B"], 100)}
    made = {"A": "warner:3/4", "B": "warner:1/4"}
    named = rropt_fieldwork.estimate_table(devices, "q", made, devices="d")
    texts = {"q": ROWS["q"], "d": np.array([made[one] for one in devices["d"]], object)}
    assert named.estimate == rropt_fieldwork.estimate_table(texts, "q", devices="d").estimate
    halves = {
        arm: np.array([str(z) if own == name else "" for z, own in zip(ROWS["q"], devices["d"], strict=True)], object)
        for arm, name in (("first", "A"), ("second", "B"))
    }
    arms = rropt_fieldwork.estimate_table(halves, "either", {"first": "warner:3/4", "second": "warner:1/4"})
    assert arms.estimate == named.estimate


def test_wrong_calls_of_plans_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="did you mean margin"):
        rropt.plan.margin("warner:3/4", marginn="0.1")
    with pytest.raises(InvalidParameterError, match="`mechanism` is given twice"):
        rropt.plan.margin("warner:3/4", mechanism="warner:3/4", n=1)


def test_given_fields_are_those_that_are_no_defaults() -> None:
    assert given_fields(requests.PlanGoal(n=0), Conditions(regions=2)) == {"n": 0, "regions": 2}


def test_the_advice_for_arguments_of_other_functions() -> None:
    @clear_calls_beside({"high": "give it to `height`"})
    def width(low: int, wide: int = 9) -> int:
        return wide - low

    assert width(2) == 7
    with pytest.raises(InvalidParameterError, match="received 'high'; give it to `height`"):
        width(2, high=4)  # type: ignore[call-arg]
    with pytest.raises(InvalidParameterError, match=r"received 'wid'; did you mean wide\?"):
        width(2, wid=4)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^width\(\): missing a required argument: 'low'$"):
        width()  # type: ignore[call-arg]
