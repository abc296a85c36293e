"""Wrong arguments of every public function: each parameter of a valid call in turn takes each of many wrong values.

The answer is a result or one line of the ``RroptError`` family that says what was received; never an error from inside.
"""

from __future__ import annotations

import inspect
import os
import random
import re
import signal
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from every_case import every_case

import rropt
import rropt_fieldwork
from rropt import objectives, privacy
from rropt.designs import orders
from rropt.mechanisms import ProductMechanism
from rropt.privacy import criteria
from rropt_fieldwork import regress_table

COIN, DIE = rropt.Mechanism("warner:3/4"), rropt.Mechanism("grr:3,1/2")
TWO = ProductMechanism([COIN, rropt.Mechanism("warner:2/3")])
HALVES = [Fraction(1, 2), Fraction(1, 2)]
THIRDS = ["1/3", "1/3", "1/3"]
RHO = criteria.rho_to_rho("1/5", "1/2")
BREACHES = privacy.breach_region(RHO)
REGION = rropt.privacy.PrivacyRegion("1", 0)
PROBLEM = rropt.Problem.binary("1/4", epsilon=1)
PRECISE = rropt.Problem.kary(epsilon=1, objective="a-optimal", population=["1/2", "1/2"])
MATRIX = [["3/4", "1/4"], ["1/4", "3/4"]]
TABLE = {
    "a": np.array([0, 1, 1, 0, 1] * 4),
    "b": np.array([1, 1, 0, 0, 1] * 4),
    "x": np.array(["u", "v", "u", "v", "v"] * 4),
    "w": np.array([1.0, 2.0, 1.0, 2.0, 2.0] * 4),
}
SAMPLES = {"given": np.array(["0", "1"] * 20), "answer": np.array(["0", "1", "1", "1"] * 10)}
ANSWERS = rropt.answers.answers_of_counts(TWO, [3, 4, 2, 5])
FOUND = rropt.inference.estimate(COIN, [30, 40])
COUNTS = rropt_fieldwork.count([0, 1, 1], COIN)
SETS = rropt_fieldwork.count([[True, False, True], [False, True, True]], rropt.Mechanism("oue:3,3"))
TABLES = rropt.inference.estimate_marginals(ANSWERS, 1)
DEVICE = rropt.accounting.DrawnAnswers(COIN, 4)
DECK = rropt.accounting.DealtDeck([0, 1, 1])
CLAIMED: Any = (COIN, [30, 40])
DRAWN = rropt_fieldwork.read(TABLE).sampled(weights="w")
GROUPS = rropt_fieldwork.estimate_table(TABLE, "a", COIN, by="x")
FIT = rropt.regress("a ~ x", TABLE, COIN, model="linear")

# a public function and arguments that it takes; its other parameters have their defaults
CALLS: dict[str, dict[str, Any]] = {
    "rropt": {
        "Mechanism": {"matrix": MATRIX},
        "Problem": {"region": REGION, "objective": rropt.objectives.EstimatorVariance(), "population": HALVES},
        "audit_privacy:level": {"mechanism": MATRIX, "level": privacy.posterior("1/5", "1/2")},
        "audit_privacy": {"mechanism": COIN},
        "check": {"certificate": "{}"},
        "family": {
            "parameters": {"k": "2.., whole"},
            "classes": {"c": ("k", "1/k")},
            "decisions": [("c", 1, 0)],
            "fast": True,
        },
        "family:against": {
            "parameters": {},
            "classes": {"a": (1, "1/3"), "b": (1, "2/3")},
            "against": {"a": "2/3", "b": "1/3"},
            "fast": True,
        },
        "compare": {"first": COIN, "second": COIN},
        "compose": {"items": (COIN, "1/2")},
        "log": {"value": 3},
        "estimate": {"counts": [30, 40], "mechanism": COIN},
        "estimate:population": {"counts": [30, 40], "mechanism": COIN, "population": 90, "categories": ["no", "yes"]},
        "laplace:sum": {"epsilon": 1, "sum": (0, 10), "at": 3},
        "laplace:noise": {"epsilon": 1, "sensitivity": 1, "threshold": 5},
        "laplace": {"epsilon": 1, "histogram": 3},
        "load": {"path": "/no/such/file"},
        "optimality": {"mechanism": COIN, "objective": "trace", "epsilon": 1},
        "optimality:variance": {"mechanism": COIN, "prevalence": "1/4"},
        "plot": {"picture": FOUND},
        "randomize": {"answer": 0, "mechanism": COIN},
        "regress": {"formula": "a ~ x", "data": TABLE, "mechanism": COIN},
        "regress:randomized": {"formula": "a ~ b", "data": TABLE, "mechanism": COIN, "randomized": {"b": COIN}},
        "shuffle": {"mechanism": COIN, "n": 100, "delta": "1/100"},
        "shuffle:categories": {"n": 100, "categories": 2, "epsilon": "1", "delta": "1/100"},
        "solve": {"problem": PROBLEM},
        "sweep": {"make": rropt.design.binary, "epsilon": [1], "prevalence": ["1/4"]},
        "verify": {"patterns": ("no.such.claim",)},
    },
    "rropt_fieldwork": {
        "audit_counts": {"claim": "log(3)", "counts": [[30, 10], [10, 30]]},
        "audit_box": {"box": str, "inputs": ["0", "1"], "claim": 1, "budget": 60},
        "audit": {"data": SAMPLES, "claim": 1, "columns": ["given", "answer"]},
        "export": {"mechanism": COIN, "language": "javascript"},
        "report": {"results": (FOUND,)},
        "sheet": {"mechanism": COIN, "question": "Did you?"},
        "compare_with_direct": {"mechanism": COIN, "counts": [30, 40], "direct_yes": 30, "direct_n": 70},
        "deal": {"deck": DECK},
        "read": {"data": TABLE},
        "list_columns": {"data": TABLE},
        "plain_csv": {"data": TABLE},
        "count": {"data": [0, 1, 1], "mechanism": COIN},
        "regress_table": {"data": TABLE, "formula": "a ~ x", "mechanism": COIN},
        "regress_table:covariate": {"data": TABLE, "formula": "a ~ b", "mechanism": COIN, "randomized": {"b": COIN}},
        "covariates_of_table": {"found": FIT, "data": TABLE},
        "two_point_bound": {"gamma": Fraction(3)},
        "compare_designs": {"epsilon": "log(3)", "prevalence": "1/4"},
        "compare_kary_designs": {"categories": 3, "epsilon": "log(3)"},
        "estimate_table": {"data": TABLE, "columns": "a", "mechanism": COIN},
        "estimate_table:groups": {"data": DRAWN, "columns": "a", "mechanism": COIN, "by": "x"},
    },
    "rropt.plans": {
        "asked_variance": {"variance": "1/100"},
        "asked_variance:margin": {"variance": None, "margin": "1/20", "confidence": "0.9"},
        "affordable_order": {"mechanism": TWO, "n": 100, "variance": "1/10"},
        "compare_precision": {"mechanism": TWO},
        "expected_precision": {"n_variance": 1, "n": 100},
        "marginal_variance": {"mechanism": TWO},
        "plan_deck": {"epsilon": 1, "variance": "1/100", "prevalence": "1/4", "middle": "1/10"},
        "plan_survey": {"mechanism": COIN, "variance": "1/100", "prevalence": "1/4"},
    },
    "rropt.answers": {
        "answers_of_counts": {"mechanism": TWO, "counts": [3, 4, 2, 5]},
        "answers_of_rows": {"mechanism": TWO, "rows": [[0, 1], [1, 1]]},
    },
    "rropt.noncompliance": {
        "behaviours": {"model": "adversarial"},
        "breakdown_by_size": {"sample": CLAIMED, "conclusion": "at least 1/10", "sizes": [100]},
        "breakdown_point": {"samples": CLAIMED, "conclusion": "at least 1/10"},
        "design_noncompliance": {"epsilon": 1, "theta": "1/10", "n": 100, "prevalence": "1/4"},
        "identified_shares": {"samples": [CLAIMED, ("warner:2/3", [35, 35])]},
        "least_noncompliers": {"samples": CLAIMED, "truth": "1/10"},
        "noncompliance_bounds": {"samples": CLAIMED},
        "noncompliance_bounds:two": {"samples": CLAIMED, "versus": CLAIMED, "conclusion": "more", "theta": "1/10"},
        "noncompliance_bounds:sizes": {
            "samples": CLAIMED,
            "conclusion": "at least 1/10",
            "sizes": [9],
            "truth": "1/10",
        },
        "prevalence_bounds": {"samples": CLAIMED},
    },
    "rropt.inference": {
        "efficient_variances": {"mechanism": COIN, "population": HALVES},
        "cell_variances": {"mechanism": TWO, "population": ["1/4"] * 4},
        "estimate": {"mechanism": COIN, "counts": [30, 40]},
        "confidence_interval": {"estimate": FOUND},
        "confidence_intervals": {"estimate": FOUND},
        "covariance_at": {"mechanism": COIN, "population": HALVES},
        "coverage": {"mechanism": COIN, "n": 10, "prevalence": "1/4", "kind": "exact"},
        "estimate_cells": {"answers": ANSWERS},
        "estimate_joint": {"answers": ANSWERS},
        "estimate_marginals": {"answers": ANSWERS, "questions": 1},
        "estimate_pairs": {"answers": ANSWERS},
        "exact_contrast": {"contrast": [1, 0, 0], "k": 3},
        "likelihood_gap": {"mechanism": COIN, "counts": [3, 4], "population": HALVES},
        "most_likely_population": {"mechanism": COIN, "counts": [3, 4], "unbiased": HALVES},
        "simultaneous_intervals": {"tables": TABLES},
        "survey_variance": {"device": DEVICE, "prevalence": "1/4"},
        "unit": {"j": 0, "k": 2},
        "utility": {"mechanism": COIN},
        "variance_at": {"mechanism": COIN, "population": HALVES},
    },
    "rropt.estimates": {
        "estimate_dealt": {"mechanism": COIN, "counts": [3, 4], "population": 7},
        "estimate_questions": {"answers": ANSWERS},
        "estimates_of_counts": {"found": FOUND},
    },
    "rropt.objectives": {
        "AlphaDivergence": {"against": HALVES, "order": 2},
        "BayesMixture": {"objective": rropt.objectives.EstimatorVariance(), "weights": [1], "populations": [HALVES]},
        "Contrast": {"contrast": [1, 0]},
        "ChiSquare": {"against": HALVES},
        "Contrasts": {"contrasts": [[1, 0], [0, 1]]},
        "Loss": {"matrix": [[0, 1], [1, 0]]},
        "Hellinger": {"against": HALVES},
        "JensenShannon": {"against": HALVES},
        "KullbackLeibler": {"against": HALVES},
        "Payoff": {"matrix": [[0, 1], [1, 0]]},
        "TotalVariation": {"against": HALVES},
        "Trace": {"weights": [1, 1]},
        "greenwood_loss": {"mechanism": COIN},
        "greenwood_moments": {"cells": 3},
        "independent_loss": {"mechanism": TWO, "prevalences": [Fraction(1, 2), Fraction(1, 4)]},
        "loss_bounds": {"mechanism": COIN},
        "objective_of_text": {"text": "c-optimal:1,-1"},
        "objective_from_dict": {"data": {"kind": "trace", "weights": ["1", "1"]}},
        "register_objective": {"cls": objectives.Trace},
        "spreads": {"mechanism": COIN},
        "EstimatorVariance": {},
        "Populations": {"vertices": [HALVES]},
    },
    "rropt.privacy": {
        "BoundedRegion": {"region": REGION, "least": [[0, 0], [0, 0]], "most": [[1, 1], [1, 1]]},
        "CriterionRegion": {"criterion": RHO},
        "GaussianRegion": {"mu": 1},
        "LevelsRegion": {"levels": [["1", "1/10"]]},
        "PropertyFamily": {"inputs": 2, "properties": [[0]]},
        "RenyiRegion": {"order": 2, "epsilon": 1},
        "ZcdpRegion": {"rho": 1},
        "bayes_factor": {"most": 3},
        "beta_factor": {"beta": 3},
        "breach_region": {"of": RHO},
        "canonical_information_privacy": {"upper": "sqrt(p)"},
        "criterion_level": {"criterion": RHO},
        "differential_local_privacy": {"epsilon": 1},
        "linear": {"inequalities": "p[0,0] <= 1/2"},
        "maximal_leakage": {"level": "log(3/2)"},
        "pointwise_leakage": {"level": "log(3/2)", "prior": ["1/2", "1/2"]},
        "family_privacy": {"mechanism": COIN, "properties": privacy.PropertyFamily(2, [[0]]), "criterion": RHO},
        "information_privacy": {"lower": "p^2", "upper": "1"},
        "judge": {"mechanism": COIN, "criterion": RHO},
        "load_bounds": {"given": "/no/such/file", "region": REGION},
        "load_levels": {"path": "/no/such/file"},
        "parity_bound": {"criterion": RHO},
        "region_from_dict": {"data": REGION.to_dict()},
        "register_region": {"cls": rropt.privacy.PrivacyRegion},
        "rho_to_rho": {"rho1": "1/5", "rho2": "1/2"},
        "PrivacyRegion": {"epsilon": 1},
        "curve": {"upper": "min(1, 3*p)"},
        "factor": {"beta": 3},
        "gdp": {"mu": 1},
        "level_of_text": {"text": "posterior:1/5,1/2"},
        "levels": {"given": ((1, 0), ("log(3)", "1/10"))},
        "metric": {"distance": "line", "epsilon": "1/2"},
        "pairs": {"table": [[None, 1], [1, None]]},
        "posterior": {"prior": "1/5", "posterior": "1/2"},
        "renyi": {"order": 2, "epsilon": 1},
        "span": {"levels": "1/2..3"},
        "zcdp": {"rho": 1},
    },
}
ROOMS = [*CALLS]  # every function of these has a call
CALLS |= {
    "rropt.core.certificates": {
        "Certificate.load": {"path": "/no/such/file"},
    },
    "rropt.core.results": {
        "Result.summary": {"self": FOUND, "width": 80},
    },
    "rropt.core.exact": {
        "Delta.of": {"value": "1"},
        "Epsilon.of": {"value": "1"},
    },
    "rropt.designs.orders": {
        "admissible_under": {"mechanism": COIN, "level": privacy.criterion_level(RHO)},
        "merge_proportional_rows": {"mechanism": COIN},
        "partial_order": {"mechanisms": [COIN, COIN], "names": ["a", "b"]},
        "sufficient": {"source": COIN, "target": COIN},
        "sufficient_products": {"sources": [COIN], "targets": [COIN]},
        "admissible": {"mechanism": COIN, "level": "log(4)"},
        "dominate": {"mechanism": COIN, "gamma": Fraction(4)},
    },
    "rropt.mechanisms": {
        "Mechanism.delta": {"self": COIN, "epsilon": "1"},
        "ProductMechanism": {"factors": [COIN, COIN]},
        "load_mechanism": {"path": "/no/such/file"},
    },
    "rropt.objectives": CALLS["rropt.objectives"]
    | {
        "EstimatorVariance.value": {"self": objectives.EstimatorVariance(), "mechanism": COIN, "population": HALVES},
        "Loss.absolute": {"inputs": 3},
        "Loss.squared": {"inputs": 3},
        "Loss.zero_one": {"inputs": 3},
        "Loss.value": {"self": objectives.Loss.zero_one(2), "mechanism": COIN, "population": HALVES},
        "GreenwoodLoss.band": {"self": objectives.greenwood_loss(COIN), "confidence": "0.9"},
        "Trace.value": {"self": objectives.Trace([1, 1]), "mechanism": COIN, "population": HALVES},
    },
    "rropt.privacy.breach_regions": {
        "area": {"region": BREACHES},
        "attainable_odds": {"mechanism": COIN},
        "compare_regions": {"left": BREACHES, "right": BREACHES},
    },
    "rropt.inference": CALLS["rropt.inference"]
    | {
        "Utility.covariance": {"self": rropt.inference.utility(COIN), "first": {0: 1}, "second": 0},
        "Utility.trace": {"self": rropt.inference.utility(COIN), "questions": [0]},
        "utility:prevalences": {"mechanism": COIN, "prevalences": ["1/2"], "exact": False},
    },
    "rropt.accounting": {
        "panel": {"mechanism": COIN, "waves": 2},
        "panel:memo": {"mechanism": COIN, "waves": 2, "memo": "warner:2/3"},
        "DealtDeck": {"deck": [0, 1, 1]},
        "DrawnAnswers": {"mechanism": COIN, "respondents": 4},
        "respondent_privacy": {"mechanism": COIN, "respondents": 3},
        "DealtDeck.law": {"self": DECK, "traits": [0, 1]},
        "DealtDeck.moments": {"self": DECK, "trait": 1},
        "DealtDeck.of": {"proportions": "christofides:1/3,1/3,1/3", "respondents": 3},
        "DealtDeck.estimate_of": {"self": DECK, "total": 3},
        "DealtDeck.view_law": {"self": DECK, "name": "sum", "holders": 1},
        "DrawnAnswers.view_law": {"self": DEVICE, "name": "sum", "holders": 1},
    },
    "rropt_fieldwork.audits": {
        "samples_needed": {"mechanism": COIN, "claim": "1/2"},
    },
    "rropt.designs": {
        "optimal_subsets": {"categories": 4, "epsilon": 1},
        "printed_optimality": {"matrix": [[".75", ".25"], [".25", ".75"]], "printed": 2, "epsilon": "log(3)"},
        "uniform": {"categories": 3},
        "Problem.binary": {"prevalence": "1/4", "epsilon": 1},
        "Problem.kary": {"epsilon": "log(3)", "population": THIRDS},
        "Problem.kary:categories": {"epsilon": "log(3)", "categories": 3, "outputs": "2^2"},
        "Problem.kary:trace": {"epsilon": "log(3)", "categories": 3, "objective": "trace", "bounds": ("1/10", None)},
        "Problem.kary:level": {"categories": 2, "level": privacy.levels((0, 1), (1, 0))},
    },
    "rropt.design": {
        "binary": {"prevalence": "1/4", "epsilon": 1, "fast": True},
        "binary:interval": {"prevalence": "1/10..1/4", "epsilon": 1, "fast": True},
        "kary": {"categories": 3, "epsilon": "log(3)", "fast": True},
        "every_level": {"asked": rropt.design.kary, "categories": 3, "objective": "trace", "fast": True},
        "mean": {"values": [1, 2, 3], "epsilon": 1, "fast": True},
        "questions": {"n": 2, "epsilon": 1, "fast": True},
        "equal_questions": {"n": 2, "epsilon": 1, "delta": "1/100"},
        "random_questions": {"n": 3, "ask": 1, "epsilon": 1},
        "pram": {"counts": [3, 4], "epsilon": "log(3)", "fast": True},
        "noncompliance": {"prevalence": "1/10", "theta": "1/20", "n": 20, "epsilon": 1},
    },
    "rropt.plan": {
        "Conditions": {"cluster_size": 5, "icc": "1/10", "regions": 2},
        "margin": {"mechanism": COIN, "margin": "1/10"},
        "margin:contrast": {"mechanism": DIE, "margin": "1/10", "contrast": [1, 0, 0], "population": THIRDS},
        "margin:n": {"mechanism": TWO, "n": 100, "marginals": 1},
        "power": {"mechanism": COIN, "power": "4/5", "prevalence": "1/2", "null": "1/4"},
        "se": {"mechanism": TWO, "variance": "1/10", "questions": [0]},
        "groups": {"mechanism": COIN, "prevalences": ["1/10", "1/2"], "margin": "1/10"},
        "strata": {"mechanism": COIN, "strata": ["1/2:1/10", "1/2:1/4"], "n": 10, "fast": True},
        "finite": {"mechanism": COIN, "population": 100, "prevalence": "1/10", "variance": "1/100"},
        "deck": {"epsilon": 1, "middle": "1/10", "prevalence": "1/4", "variance": "1/100"},
        "minimax": {"n": 1, "epsilon": 1},
    },
    "rropt.designs.minimax_risk": {
        "minimax_risk": {"epsilon": 1, "n": 1},
    },
    "rropt.designs.repairs": {
        "repair": {"matrix": MATRIX, "epsilon": 1},
    },
    "rropt.mechanisms.named": {
        "list_mechanisms": {},
    },
    "rropt.mechanisms.sampling": {
        "randomize_many": {"answers": [0, 1], "mechanism": COIN},
        "simulate_many": {"answers": [0, 1], "mechanism": COIN, "rng": 1},
    },
    "rropt.plots": {
        "breaches": {"criteria": [RHO], "mechanisms": [COIN], "gammas": [3]},
        "draw": {"result": FOUND},
        "efficiency": {"prevalence": "1/4"},
        "estimated": {"estimate": FOUND},
        "g": {"levels": ["1/4"]},
        "groups": {"found": GROUPS},
        "heat_map": {"mechanism": COIN},
        "noncompliance": {"samples": CLAIMED},
        "order": {"mechanisms": [COIN, COIN]},
        "precision": {"mechanisms": [COIN], "prevalence": "1/4"},
        "privacy_curve": {"found": rropt.compose(COIN)},
        "proportions": {"problem": PRECISE},
        "region": {"epsilon": 1},
        "reports": {"found": FOUND},
        "respondents": {"margin": "1/10", "prevalence": "1/4"},
        "variance": {"epsilon": 1, "prevalence": "1/4"},
    },
    "rropt.plots.data": {
        "published_figure": {"number": 1},
    },
    "rropt_fieldwork.ethics.explorer": {
        "explore": {"epsilon": "1"},
    },
    "rropt_fieldwork.counts": {
        "estimate_counts": {"counts": COUNTS},
        "heavy_hitters": {"counts": SETS, "threshold": "1/2"},
        "merge": {"counts": [COUNTS, rropt_fieldwork.count([1, 1], COIN)]},
    },
}


WRONG: dict[str, Any] = {
    "none": None, "list": [], "dict": {}, "half": 0.5, "minus": -1, "nan": float("nan"), "inf": float("inf"),
    "empty": "", "text": "x", "object": object(), "lists": [[]], "nested": [[None, {}]], "nones": [None],
    "huge": 10**30, "true": True, "bytes": b"x", "mapping": {"a": 1}, "three": 3, "die": DIE, "mixed": [COIN, 3],
    "digits": 10**5000,
}  # fmt: skip

# values of which each could pass for a default, or whose truth is an error of NumPy; for the functions of ``rropt``
FALSE: dict[str, Any] = {
    "array": np.array([1, 2]), "no array": np.array([]), "eye": np.eye(2), "zero": 0, "false": False, "tuple": (),
}  # fmt: skip

# functions of a module that users do not call with values of their own
NO_CALLS = {
    "binary_variance",  # formulas that proofs run on symbols: they take whatever has arithmetic
    "binary_inequalities",
    "closed_interval",  # takes fractions that prevalence_bounds computed
    "estimates_of_memberships",  # takes counts that ``AggregatedCounts`` holds and has checked
    "selected_memberships",
    "init_survey",  # takes the path of a file: tests/fieldwork/test_declarations.py
    "design_devices",  # tests/fieldwork/test_devices.py
    "ethics_page",  # tests/fieldwork/test_ethics_page.py
    "randomize_table",  # writes a file: tests/fieldwork/test_randomized_files.py
    "read_answers",  # takes a CountRequest, as estimate_table makes it
    "two_sample_estimates",  # tests/survey/test_two_samples.py
}
# parameters of any name, patterns that match the whole registry, and -1 processes, which is all processors
UNCHANGED = {
    ("sweep", "jobs"),
    ("verify", "patterns"),
    ("plot", "arguments"),
    ("plot", "options"),
    ("sweep", "parameters"),
    ("every_level", "arguments"),
    ("every_level", "more"),
}
PYTHONS = re.compile(
    r"truth value of|' object |unsupported operand|unexpected keyword|not (subscriptable|iterable|callable)"
)
SECONDS = 20  # of processor time, of one call: a hang


def function_of(room: str, name: str) -> Callable[..., object]:
    """Return the function or method of a call: a colon begins the name of another call of the same function."""
    found: Callable[..., object] = reduce(getattr, name.partition(":")[0].split("."), import_module(room))
    return found


def parameters_of(room: str, name: str) -> list[str]:
    """Return the parameters of a public function that take wrong values: those that are given, and all others."""
    given = CALLS[room][name]
    known = [] if name == "sweep" else inspect.signature(function_of(room, name)).parameters
    return [each for each in dict.fromkeys([*given, *known]) if each != "self" and (name, each) not in UNCHANGED]


CASES = [(room, name, each) for room, calls in CALLS.items() for name in calls for each in parameters_of(room, name)]


def called(room: str, name: str, arguments: dict[str, Any]) -> None:
    """Call a public function; a wrong value of ``*items`` is its only item."""
    function = function_of(room, name)
    kinds = {each.name: each.kind for each in inspect.signature(function).parameters.values()}
    listed = [each for each in arguments if kinds.get(each) is inspect.Parameter.VAR_POSITIONAL]
    items = arguments[listed[0]] if listed else ()
    function(
        *(items if isinstance(items, tuple) else [items]), **{k: arguments[k] for k in arguments if k not in listed}
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write files that are called "x" into an own folder, and end a call that hangs."""

    def late(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {SECONDS} s")

    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGVTALRM, late)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_function_is_called(room: str) -> None:
    public = import_module(room)
    here = {inspect.unwrap(function_of(each, name)) for each, calls in CALLS.items() for name in calls}
    functions = {name for name in public.__all__ if inspect.isfunction(getattr(public, name))}
    assert {name for name in functions if inspect.unwrap(getattr(public, name)) not in here} <= NO_CALLS


@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Every answer is a result, or one line of a RroptError without the names of Python's own errors."""
    checked = ("rropt", "rropt.designs")  # their functions see to these values before anything else
    every = [(*case, wrong) for case in CASES for wrong in (WRONG | FALSE if case[0] in checked else WRONG)]
    judged = rng.sample(every, size(250, len(every)))
    inside = []
    for room, name, each, wrong in judged:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            called(room, name, {**CALLS[room][name], each: (WRONG | FALSE)[wrong]})
        except rropt.RroptError as error:
            if "\n" in str(error) or len(str(error)) > 1500 or PYTHONS.search(str(error)):
                inside.append(f"{room}.{name}({each}={wrong}): {error}")
        except Exception as error:
            inside.append(f"{room}.{name}({each}={wrong}): {type(error).__name__}: {error}")
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    print(f"{len(judged)} of {len(every)} calls judged")
    assert not inside, f"{len(inside)} of {len(judged)}:\n" + "\n".join(inside)


@every_case(
    ("call", "told"),
    [
        (
            lambda: rropt.design.kary(2, epsilon=1, objective=rropt.objectives.Trace([])),
            "weights is not a list of numbers: received []",
        ),
        (
            lambda: rropt.design.kary(2, epsilon=1, objective=rropt.objectives.Trace(0)),
            "weights is not a list of numbers: received 0",
        ),
        (
            lambda: rropt.design.kary(2, epsilon=1, objective=rropt.objectives.Trace({})),
            "weights are not of the form",
        ),
        (
            lambda: rropt.design.kary(2, epsilon=1, objective=rropt.objectives.Payoff("")),
            "payoff is not a matrix: received ''",
        ),
        (
            lambda: rropt.design.kary(2, epsilon=1, objective=rropt.objectives.Payoff(np.array([]))),
            "payoff is not a matrix: received []",
        ),
        (lambda: rropt.design.kary(2, epsilon=1, objective="trace", outputs=np.array([2, 3])), "received [2, 3]"),
        (lambda: rropt.audit_privacy(COIN, delta=[]), "`delta` is empty: received []"),
        (lambda: rropt_fieldwork.export(COIN, np.array(["r", "c"])), "`language` is not a text: received ['r' 'c']"),
        (
            lambda: rropt_fieldwork.ethics_page({"A?": "warner:3/4"}, date=2026),
            "`date` is not a text for the page: received 2026",
        ),
        (lambda: rropt_fieldwork.export(COIN, []), "`language` is not a text: received []"),
        (lambda: rropt.audit_privacy(COIN, transposed=[]), "`transposed` is neither true nor false: received []"),
        (lambda: rropt_fieldwork.audit(TABLE, 1, columns=[0, "a"]), "`input` is not a text: received 0"),
        (lambda: regress_table(np.eye(2), "a ~ b", COIN), "the data are no table: received ndarray"),
        (lambda: rropt.Mechanism(MATRIX, name=[]), "`name` is not a text: received []"),
        (lambda: rropt.solve(PROBLEM, routes=np.array([])), "no route is named"),
        (
            lambda: rropt.design.kary(2, epsilon=1, objective=rropt.objectives.Payoff(0)),
            "payoff is not a matrix: received 0",
        ),
        (lambda: rropt.objectives.Trace([]), "weights is not a list of numbers: received []"),
        (lambda: rropt.objectives.Trace(0), "weights is not a list of numbers: received 0"),
        (lambda: rropt.Problem.kary(2, epsilon=1, objective="trace", outputs=np.array([2, 3])), "received [2, 3]"),
        (lambda: rropt.Problem.binary("1/5", epsilon=1, outputs=np.array([2, 3])), "received [2, 3]"),
        (lambda: rropt.Problem.binary("1/5", epsilon=1, outputs=0), "`outputs` is out of range: received 0"),
        (lambda: rropt.design.binary("1/5", epsilon=1, outputs=0), "`outputs` is out of range: received 0"),
        (
            lambda: rropt_fieldwork.TableResponses("a", COIN, data=TABLE).estimate(by=False),
            "`by` is false: received False",
        ),
        (
            lambda: rropt_fieldwork.TableResponses(
                "a", COIN, data=rropt_fieldwork.read(TABLE).sampled(weights=False)
            ).estimate(),
            "`weights` is no text",
        ),
    ],
)
def test_a_false_value_or_an_array_is_no_default(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(rropt.RroptError) as caught:
        call()
    assert told in str(caught.value)


def test_an_array_stands_for_its_list() -> None:
    made, same = (
        rropt.design.kary(3, epsilon=1, objective=rropt.objectives.Trace(each), routes="exact")
        for each in (np.array([1, 2, 3]), [1, 2, 3])
    )
    assert made.value == same.value
    plain = rropt.design.kary(3, epsilon=1, objective="trace", routes="exact").value
    assert rropt.design.kary(np.int64(3), epsilon=1, objective="trace", routes="exact").value == plain


@every_case(
    ("room", "name", "parameter", "wrong"),
    [
        ("rropt.designs", "Problem.kary", "objective", "list"),
        ("rropt.designs", "Problem.kary", "objective", "dict"),
        ("rropt.designs", "Problem.kary", "population", "half"),
        ("rropt_fieldwork", "estimate_table", "columns", "none"),
        ("rropt_fieldwork", "estimate_table", "devices", "list"),
        ("rropt_fieldwork", "estimate_table", "categories", "half"),
        ("rropt.designs.minimax_risk", "minimax_risk", "progress", "half"),
        ("rropt_fieldwork", "count", "progress", "text"),
        ("rropt_fieldwork", "count", "mechanism", "none"),
        ("rropt_fieldwork", "count", "data", "mixed"),
        ("rropt.answers", "answers_of_counts", "counts", "mixed"),
        ("rropt_fieldwork", "estimate_table", "categories", "die"),
        ("rropt_fieldwork.counts", "merge", "counts", "half"),
        ("rropt_fieldwork", "audit_counts", "rng", "minus"),
        ("rropt.plan", "margin", "population", "half"),
        ("rropt_fieldwork", "report", "survey", "nested"),
        ("rropt.noncompliance", "noncompliance_bounds:two", "conclusion", "digits"),
        ("rropt", "laplace", "threshold", "digits"),
        ("rropt.designs", "Problem.kary:trace", "bounds", "digits"),
        ("rropt.designs", "Problem.binary", "outputs", "digits"),
        ("rropt.plots", "order", "names", "mixed"),
        ("rropt.inference", "estimate_pairs", "answers", "none"),
        ("rropt.accounting", "respondent_privacy", "first", "text"),
        ("rropt.inference", "confidence_interval", "estimate", "none"),
        ("rropt.plans", "marginal_variance", "questions", "huge"),
        ("rropt.objectives", "independent_loss", "prevalences", "list"),
        ("rropt.objectives", "Loss.absolute", "inputs", "none"),
        ("rropt.objectives", "Loss.zero_one", "inputs", "huge"),
        ("rropt.objectives", "Populations", "vertices", "half"),
        ("rropt.core.results", "Result.summary", "width", "dict"),
        ("rropt.objectives", "register_objective", "cls", "object"),
        ("rropt.plots", "g", "levels", "half"),
        ("rropt.plots", "g", "marks", "three"),
        ("rropt.plots", "g", "epsilon_range", "lists"),
        ("rropt.plots", "g", "size", "digits"),
        ("rropt.plots", "efficiency", "points", "three"),
        ("rropt.plots", "efficiency", "unrelated", "half"),
        ("rropt.plots", "precision", "n_range", "three"),
        ("rropt.plots", "breaches", "gammas", "three"),
        ("rropt.plots.data", "published_figure", "number", "lists"),
    ],
)
def test_a_message_names_the_argument(room: str, name: str, parameter: str, wrong: str) -> None:
    with pytest.raises(rropt.RroptError) as caught:
        called(room, name, {**CALLS[room][name], parameter: WRONG[wrong]})
    message = str(caught.value)
    assert SHOWN_AS.get(parameter, parameter) in message
    assert "received" in message
    assert "allowed" in message


SHOWN_AS = {"cls": "objective", "kind": "format"}


@every_case("wrong", [None, 0.5, [], {}, True, float("nan"), 10**400, b"m.json"])
def test_a_file_needs_a_name(wrong: Any) -> None:
    for read in (rropt.mechanisms.load_mechanism, rropt.load):
        with pytest.raises(rropt.RroptError) as caught:
            read(wrong)
        assert "os.PathLike" not in str(caught.value)


def test_the_file_of_a_mechanism_serves_tables(tmp_path: Path) -> None:
    """Each function of tables takes the file of a mechanism as its option --mechanism does."""
    path = tmp_path / "m.json"
    path.write_text(COIN.to_json())
    assert rropt_fieldwork.estimate_table(TABLE, "a", str(path)) == rropt_fieldwork.estimate_table(TABLE, "a", COIN)
    devices = {"a": TABLE["a"], "d": TABLE["x"]}
    both = {"u": str(path), "v": COIN}
    same = {"u": COIN, "v": COIN}
    first, second = (rropt_fieldwork.estimate_table(devices, "a", each, devices="d") for each in (both, same))
    assert first == second
    fitted = regress_table(TABLE, "a ~ w", str(path), model="linear")
    assert fitted.params == regress_table(TABLE, "a ~ w", COIN, model="linear").params


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"u": COIN, "v": MATRIX[0]}, "the device 'v'"),
        ({"u": "warner:5/4"}, "received 5/4"),
        ({"u": "nonsense"}, "'nonsense'"),
    ],
)
def test_devices_by_name_are_checked_before_the_data_are_read(names: Any, told: str) -> None:
    """A wrong mechanism is not reported as an unknown name in a row of the data."""
    for work in (rropt_fieldwork.estimate_table, regress_table):
        with pytest.raises(rropt.RroptError, match=re.escape(told)):
            work(
                "nosuch.csv",
                "a" if work is rropt_fieldwork.estimate_table else "a ~ w",
                names,
                devices="d",
            )


@every_case(
    ("call", "advice"),
    [
        (lambda: rropt.compare("warner:3/4,1/2", COIN, fast=True), "warner:3/4"),
        (lambda: rropt.compare(COIN, MATRIX[0], fast=True), "write a matrix"),
        (lambda: orders.admissible("x", fast=True), "warner"),
        (lambda: privacy.parity_bound("sqrt(p)", fast=True), "curve:sqrt(p)"),
        (lambda: privacy.judge(COIN, "sqrt(p)", fast=True), "curve:sqrt(p)"),
        (lambda: rropt.check({"format": Fraction(1, 2)}), "Certificate.to_dict"),
        (lambda: rropt.objectives.EstimatorVariance().value(COIN, [0.9, 0.2]), "sum to 1"),
        (lambda: rropt.objectives.EstimatorVariance().value(3, [0.9, 0.1]), "Mechanism('warner:3/4')"),
        (
            lambda: regress_table(COIN, data=TABLE, formula="a ~ b"),
            "regress_table(data=..., formula=..., mechanism=...)",
        ),
        (lambda: rropt_fieldwork.count(COIN, data=TABLE, column="a"), "count(data=..., mechanism=...)"),
    ],
)
def test_what_to_write_instead(call: Callable[[], Any], advice: str) -> None:
    with pytest.raises(rropt.RroptError) as caught:
        call()
    assert advice in str(caught.value)


def test_a_number_is_no_file_to_check(tmp_path) -> None:
    """An integer names a file that the process has open: it is neither read nor closed."""
    (tmp_path / "c.json").write_text("{}")
    with (tmp_path / "c.json").open("rb") as stream:
        for number in (stream.fileno(), True):
            with pytest.raises(rropt.RroptError, match="no certificate"):
                rropt.check(number)  # type: ignore[arg-type]
        assert os.fstat(stream.fileno()).st_size == 2
        assert stream.tell() == 0


def test_floats_of_a_population_are_their_shortest_decimals() -> None:
    assert rropt.objectives.EstimatorVariance().value(COIN, [0.9, 0.1]) == Fraction(21, 25)
    assert objectives.Loss.zero_one(2).value(COIN, (0.9, 0.1)) == Fraction(1, 4)
