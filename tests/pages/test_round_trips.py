"""Every public result and error survives pickle, copy and deepcopy, equal and with its hash: pools, caches, sets.

And every result survives JSON.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import os
import pickle
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows
from plans import planned

import rropt
import rropt_fieldwork
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.core.errors import FileFormatError, InfeasibleError, RroptError
from rropt.core.results import Result
from rropt.core.results.twins import PosedTwice
from rropt.designs.decoded_designs import DecodedLoss
from rropt.designs.repairs import repair
from rropt.mechanisms import DiscreteLaplace, Laplace, Mechanism, OrbitMechanism, ProductMechanism, Sensitivity
from rropt.noncompliance import prevalence_bounds
from rropt.regression import Search
from rropt.reports import PlannedSurvey
from rropt.reports.document_writers import Heading
from rropt.reports.played_designs import played_design
from rropt.reports.records import known_results
from rropt_fieldwork import ListedTable, regress_table
from rropt_fieldwork.audits import samples_needed
from rropt_fieldwork.ethics.explorer import explore
from rropt_fieldwork.ethics.survey_report import survey_report

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "site"))
import result_pages

# Packages whose classes nobody is handed: the inside of one rule of the checker, and of drawing.
INSIDE = ("rropt.checker.parity_bound", "rropt.checker.conformance")
# Tools and what they read, and a claim with its proof, its author's functions: no result holds one.
TOOLS = {"Claim", "Content", "DiscreteNoise", "Figure", "Kinds", "ProgramBuilder", "RandomBits", "Randomizer"}
TOOLS |= {"BrokenContract", "ContractCase", "DesignRow", "Judged", "NotApplicable", "ResultRow"}  # rows are functions
TOOLS |= {"RandomizedResponseClassifier"}  # equal to itself only, by scikit-learn, whose own checks pickle and clone it
TOOLS |= {
    "AskedRegression",
    "Counted",
    "DataColumn",
    "DeviceResponses",
    "KnownRespondents",
    "RegressionOptions",
    "ReplicatedRows",
    "Sampled",
    "TableRows",
}  # what a reader of rows gives an estimate or a fit
PROOFS = "rropt.claims.symbolic_runs"


def _modules() -> Iterator[pkgutil.ModuleInfo]:
    """Yield the modules of both packages."""
    yield from pkgutil.walk_packages(rropt.__path__, "rropt.")
    yield pkgutil.ModuleInfo(None, "rropt_fieldwork", True)  # type: ignore[arg-type]
    yield from pkgutil.walk_packages(rropt_fieldwork.__path__, "rropt_fieldwork.")


def _classes() -> list[type]:
    """Return the classes named by ``__all__`` of a package, those of a module on its own, and every error."""
    found: set[type] = set()
    for info in _modules():
        if info.name.endswith("__main__"):
            continue
        module = import_module(info.name)
        public = (info.ispkg or info.name.count(".") == 1) and info.name not in INSIDE
        own = (name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == info.name)
        for name in getattr(module, "__all__", [name for name in own if not name.startswith("_")]):
            thing = getattr(module, name)
            if (
                isinstance(thing, type)
                and thing.__module__.startswith(("rropt.", "rropt_fieldwork."))
                and name not in TOOLS
            ):
                error = issubclass(thing, RroptError)
                if thing.__module__.startswith(PROOFS):
                    continue
                if (public or error) and not getattr(thing, "_is_protocol", False) and not inspect.isabstract(thing):
                    found.add(thing)
    found |= {thing for name in rropt.__all__ if isinstance(thing := getattr(rropt, name), type)}
    return sorted(found, key=lambda kind: (kind.__module__, kind.__qualname__))


CLASSES = [kind for kind in _classes() if kind.__name__ != "Posing"]  # posed again from its problem


def infeasible() -> Exception:
    """Return the error of bounds that no private mechanism meets."""
    try:
        rropt.solve(_bounded(1))
    except InfeasibleError as error:
        return error
    raise AssertionError("the bounds were met")


def _bounded(i: int) -> rropt.Problem:
    """Problem i: even ones have a design, odd ones have none."""
    from rropt.objectives import Trace
    from rropt.privacy import BoundedRegion, PrivacyRegion

    region = PrivacyRegion(f"log({2 + i})", inputs=3, outputs=3)
    diagonal = Fraction(2 + i, 4 + i) + (Fraction(1, 1000) if i % 2 else 0)  # gamma/(gamma + 2) is the most
    bounds = BoundedRegion.sparse(region, least={(j, j): diagonal for j in range(3)})
    return rropt.Problem(bounds, Trace([1, 1, 1]), ["1/3"] * 3)


def _large_categories() -> Iterator[Any]:
    """Iterate over results of designs for many categories, and of metric audits."""
    from rropt.accounting import renyi_privacy
    from rropt.mechanisms.families import (
        Affine,
        AffineClasses,
        AllSubsets,
        BitVectorMechanism,
        BlockMechanism,
        Cyclic,
        Direct,
        Projective,
    )
    from rropt.privacy.level_audits import level_privacy
    from rropt.privacy.metric_audits import levels_privacy, metric_privacy
    from rropt.privacy.printed_tables import posteriors, printed_privacy
    from rropt_fieldwork import ethics_page
    from rropt_fieldwork.clients import export, table_of, vectors_of
    from rropt_fieldwork.counts import PrefixTree, estimate_counts, heavy_hitters
    from rropt_fieldwork.from_tables.counted_responses import count

    rows = rropt.Sample({"q": [0, 1, 1, 0], "w": [1, 2, 1, 2]}, weights="w")
    yield from (rows, rropt.Responses("q", "warner:3/4", data=rows), rropt.Replicates("jk1", ("a", "b")))
    counts = count([[True, True, False], [False, True, True]], BlockMechanism(AllSubsets(3, 2), 3), shard="a")
    yield from (counts, estimate_counts(counts), heavy_hitters(counts, "1/2", level="9/10"))
    tree = PrefixTree(2, 1, "log(9)")
    yield tree.find([tree.simulate([3] * 60, depth, rng=depth) for depth in range(2)], "1/10")
    yield (tree, export("warner:3/4", "python"))
    yield explore(gamma=2, delta="1/4")
    yield rropt_fieldwork.sheet("crosswise:1/4", "Have you?", prevalence="1/10")
    yield (page := ethics_page({"Have you?": "crosswise:1/4", "How often?": "grr:4,7/10"}, date="2026-01-01"))
    yield from page.questions
    asked = rropt_fieldwork.Survey(
        questions={"sick": {"categories": ["no", "yes"], "device": "A"}}, devices={"A": "warner:3/4"}
    )
    column = rropt_fieldwork.declaration.initial_survey.ListedColumn("sick", "texts", 2, 0, "no, yes")
    yield from (asked.questions["sick"], ListedTable(2, (column,), asked, asked.to_toml()), column)
    yield rropt_fieldwork.list_columns({"sick": ["no", "yes"], "age": [30, 40]})
    yield from (
        AffineClasses(7, 7, 2, 1, False),
        Affine(7, 7, 3),
        Projective(7, 2, 3, False),
        Cyclic.paley(7),
        Direct(3),
    )
    yield from (BitVectorMechanism(3, "1/2", "1/4"), BlockMechanism(AllSubsets(4, 2), 3), AllSubsets(4, 2))
    table = table_of(BlockMechanism(Direct(3), 2))
    yield from (table, vectors_of(table)[0])
    yield metric_privacy("grr:3,1/2")
    yield printed_privacy([[".881", ".119"], [".119", ".881"]], 3, epsilon=2, delta="1/10")
    yield posteriors("warner:3/4", "1/2")
    yield renyi_privacy("generalised:3/4,2/3", 2)
    yield levels_privacy("warner:3/4", [[None, "1"], ["1", None]])
    yield level_privacy("warner:3/4", "renyi:2,1/2")
    yield level_privacy("warner:3/4", rropt.privacy.levels((1, "1/10"), (2, 0)))
    yield rropt.solve(rropt.Problem.kary(301, epsilon=1, objective="a-optimal"))
    truths = rropt.solve(rropt.Problem.kary(301, epsilon=1, objective="trace:1x1,300x1/300"))
    yield from (truths, truths.mechanism, truths.problem.objective.weights)


def _roots() -> Iterator[Any]:
    """Iterate over results that hold, together, one of every public class."""
    import rropt
    import rropt_fieldwork
    from rropt.accounting import MemoisedReports, respondent_privacy, trade_off
    from rropt.claims import positivity
    from rropt.convex import Solved
    from rropt.core import linear
    from rropt.core.exact import ExactReal
    from rropt.core.files.targets import Target
    from rropt.designs import orders
    from rropt.designs.bits import design_bits
    from rropt.designs.criterion_designs import solve_under_criterion
    from rropt.designs.minimax_risk import minimax_risk
    from rropt.designs.prevalence_intervals import solve_over_interval
    from rropt.designs.sweep_files import SweptTable
    from rropt.designs.ways import WAYS
    from rropt.inference.interval_kinds import INTERVAL_KINDS
    from rropt.mechanisms import DESIGNS, BlockMechanism, RevealedBlocks, question_levels
    from rropt.mechanisms.central.noise_reports import laplace_report, noise_report
    from rropt.mechanisms.families import AllSubsets
    from rropt.mechanisms.privacy_findings import Finding, LargeFinding, deployed
    from rropt.mechanisms.raw_matrices import audit
    from rropt.objectives import (
        OBJECTIVES,
        AlphaDivergence,
        AOptimality,
        BayesMixture,
        ChiSquare,
        ConditionalVariance,
        Contrast,
        Contrasts,
        Hellinger,
        JensenShannon,
        KullbackLeibler,
        Loss,
        MutualInformation,
        Payoff,
        RationalSum,
        TotalVariation,
    )
    from rropt.plans import group_plans as group_plans
    from rropt.plots import data
    from rropt.privacy import (
        CriterionRegion,
        GaussianRegion,
        LevelsRegion,
        PropertyFamily,
        RenyiRegion,
        ZcdpRegion,
        binary_inequalities,
        breach_region,
        criterion_level,
        judge,
    )
    from rropt.privacy.bound import parity_bound
    from rropt.privacy.breach_regions import RestrictedCriterion, area, attainable_odds, family_privacy, precision
    from rropt.privacy.criteria import bayes_factor, beta_factor, canonical_information_privacy, rho_to_rho
    from rropt_fieldwork.costs.cost_pictures import comparison_picture
    from rropt_fieldwork.devices.device_designs import design_devices
    from rropt_fieldwork.devices.randomizing_devices import best_device, deck
    from rropt_fieldwork.reading.sources import LineError
    from rropt_fieldwork.sheets.card_sheets import DealtCards

    spinner, weak = Mechanism.binary("3/4", "3/4"), Mechanism.binary("2/3", "2/3")
    floats = np.random.default_rng(3).dirichlet(np.ones(3), 3).T
    merged = Mechanism(np.vstack([floats[0] + floats[1], floats[2]]))  # equal to the matrix of floats up to rounding
    yield orders.compare(Mechanism(floats), merged, fast=True).forward.up_to_rounding()
    yield rropt.optimality("grr:4,2/5", epsilon="log(3)", fast=True)
    printed = rropt.designs.printed_comparison([[".75", ".25"], [".25", ".75"]], [[".67", ".33"], [".33", ".67"]], 2)
    yield from (printed, printed.forward)
    yield rropt.designs.printed_optimality([[".75", ".25"], [".25", ".75"]], 2, epsilon="log(3)")
    composed = rropt.compose("log(3)*10", "grr:3,1/2", delta="1/100", points=3)
    every = rropt.every_level(rropt.design.kary, objective="loss:absolute", population="1/2,1/4,1/4")
    yield rropt.every_level(rropt.design.kary, 5, objective="a-optimal")
    yield from (every, every.at("log(3)"), every.at(1), rropt.privacy.LevelSpan.of("1/2..3"))
    yield rropt.family("reject", fast=True)
    yield rropt.family(
        {"k": "2.., whole", "a": "0..1"}, {"c": ("k", "1/k")}, [("c", 1, 0), ("r", "a")], degree=0, fast=True
    )
    yield Solved(1.0, 1e-9, "CLARABEL")
    yield rropt.Problem.kary(3, epsilon="log(3)", objective="trace").to_sympy().form
    yield RevealedBlocks(BlockMechanism(AllSubsets(4, 2), 3), "1/20")
    yield LineError("a line that is too long", "long", is_line=True)
    yield from (composed, composed.items[1], composed.curve[0])
    yield rropt.shuffle("1", 20, delta="1/100", points=2)
    yield rropt_fieldwork.audit_counts([[900, 100], [200, 800]], claim=1, event=["0"]), samples_needed("warner:3/4", 1)
    yield trade_off("warner:3/4")
    over_time = rropt.panel("rappor:1/2,1/2,3/4", 4, lifetime=1)
    yield from (over_time, over_time.curve[0], over_time.designs[0], MemoisedReports(spinner, weak))
    solution = rropt.solve(rropt.Problem.binary("1/4", epsilon=1, delta="1/100"))
    yield from (solution, solution.duals[0], played_design(solution, "dice"))
    yield rropt.solve(rropt.Problem.binary("1/4", epsilon="log(2)", delta="1/4", outputs="any"))
    yield rropt.solve(rropt.Problem.binary(0, epsilon=1, delta="1/4"))
    shares = rropt.privacy.PrivacyRegion(1, inputs=2, outputs="any")
    against = ["1/2", "1/2"]
    for wanted in (
        AOptimality(),
        Contrast([1, 0]),
        ConditionalVariance([0, 1]),
        OBJECTIVES["d-optimal"](),
        OBJECTIVES["e-optimal"](),
        MutualInformation(),
        TotalVariation(against),
        ChiSquare(against),
        AlphaDivergence(against, "1/2"),
        BayesMixture(AOptimality(), ["1/2", "1/2"], [["1/2", "1/2"], ["1/4", "3/4"]]),
        Contrasts([[1, 0], [1, -1]]),
        Hellinger(against),
        JensenShannon(against),
        KullbackLeibler(against),
        Payoff([[1, 0], [0, 1]]),
        RationalSum("r1^2/(r1 + r2)"),
    ):
        yield rropt.solve(rropt.Problem(shares, wanted, ["1/3", "2/3"]), fast=True)
    over = rropt.objectives.Populations.between(["1/4", "1/4"], ["3/4", "3/4"])
    yield rropt.solve(rropt.designs.Problem(shares, Contrast([0, 1]), over), fast=True)
    yield (of_numbers := rropt.design.mean([1, 2, 4], epsilon=1, fast=True))
    scores = {"x": np.array(["1", "2", "4"], object), "by": np.array(["a", "a", "b"], object)}
    direct = rropt.Mechanism([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).valued([1, 2, 4], [1, 2, 4])
    yield rropt_fieldwork.TableResponses("x", direct, data="answers.csv")
    means = rropt_fieldwork.TableResponses("x", direct, data=scores).estimate(by="by")
    yield means
    yield from means.compared()
    yield planned(of_numbers.mechanism, margin="1/2")
    numbers = rropt.privacy.PrivacyRegion("log(3)", inputs=3, outputs="any")
    yield rropt.solve(rropt.designs.Problem(numbers, ConditionalVariance([0, 1, 3]), ["1/3"] * 3), fast=True)
    yield rropt.solve(_bounded(0))
    yield infeasible()
    yield rropt.check("{}")
    yield repair([[0.8, 0.1], [0.2, 0.9]], "log(4)", fast=True)
    yield rropt.design.pram(["1/2", "1/3", "1/6"], epsilon="log(3)", fast=True)
    yield solve_over_interval(rropt.privacy.PrivacyRegion("log(2)", "1/2"), "0..3/4", fast=True)
    yield ExactReal.exponential(Fraction(1)), Target.of("there-is-no-such-file")
    yield from (spinner.profile(), ProductMechanism([spinner, weak]))
    yield from (DealtDeck([1, 2, 1]), DealtDeck([1, 2, 1]).view("sum"), DrawnAnswers(spinner, 3).view("sum"))
    yield from (Laplace(Sensitivity.count(), 1), DiscreteLaplace(Sensitivity.histogram(3), "log(2)"))
    yield noise_report(DiscreteLaplace(Sensitivity.histogram(3), "log(4)"), at="log(2)", threshold="5/2")
    yield laplace_report(DiscreteLaplace(Sensitivity.count(), "log(4)"))
    answered = {"a": np.array(["0", "1", "1", "NA"], object), "b": np.array(["0", "1", "1", "0"], object)}
    responses = rropt_fieldwork.TableResponses("a", spinner, data=answered)
    by_group = responses.estimate(by="b")
    yield by_group, data.groups_picture(by_group), responses.reading
    drawn = {"a": np.array(["0", "1", "1"], object), "c": np.array(["x", "y", "y"], object)}
    yield rropt_fieldwork.estimate_table(rropt_fieldwork.read(drawn).sampled(clusters="c", fpc="0.5"), "a", spinner)
    grouped = {"a": np.array(list("01101001"), object), "b": np.repeat(["p", "q"], 4), "w": np.ones(8)}
    yield rropt_fieldwork.estimate_table(rropt_fieldwork.read(grouped).sampled(weights="w"), "a", spinner, by="b")
    rows = {"a": np.array([0, 1, 0, 1, 1, 0, 1, 0, 1]), "c": np.array([*"xxxxyyyyy"], object)}
    yield rropt_fieldwork.compare_with_direct("forced:2/3,1/6,1/6", [1604, 831], 300, 2000)
    from rropt_fieldwork import two_sample_estimates

    halves = {"z": np.arange(40) % 2, "d": np.repeat(np.array(["mangat:1/6", "mangat:5/6"], object), 20)}
    halves["z"][:8] = 1
    yield rropt_fieldwork.read("survey.csv", where="age >= 18")
    yield rropt_fieldwork.Reading(where="age >= 18"), Search()
    yield two_sample_estimates(halves, "z", "lie-detector", devices="d")
    regression = regress_table(rows, "a ~ c", spinner)
    yield regress_table(
        rropt_fieldwork.read({**rows, "w": np.arange(9) + 1.0}).sampled(weights="w"), "a ~ c", spinner
    ).survey
    decks = {"a": np.array([0, 1, 1, 0, 1]), "d": np.array(["warner:3/4"] * 3 + ["warner:1"] * 2, object)}
    yield rropt_fieldwork.TableResponses("a", data=decks, devices="d").estimate(contrast=[0, 1])
    decks["g"] = np.array([0, 0, 1, 1, 1])
    yield rropt_fieldwork.TableResponses("a", data=decks, devices="d").estimate(by="g", contrast=[0, 1])
    yield regression, regression.wald_test("c[T.y]"), regression.margeff(), regression.prevalence("c")
    hidden = {"y": np.arange(80) % 7 + 2.0 * (np.arange(80) % 2), "x": np.arange(80) % 2}
    yield regress_table(hidden, "y ~ x", model="linear", randomized={"x": "warner:9/10"}, search=Search(starts=3))
    yield regress_table(
        {"a": np.arange(20) % 4 // 2, "g": np.arange(20) // 5}, "a ~ 1", spinner, random="g", search=Search(starts=1)
    )
    yield (
        group_plans.plan_difference(spinner, ["1/10", "9/10"]),
        group_plans.plan_strata(spinner, [1], [1], n=2, fast=True),
    )
    yield rropt.Responses.from_counts([30, 10], spinner, population=50).proportions()
    yield rropt.plans.plan_survey(spinner, "1/100", "1/10")
    yield rropt_fieldwork.compare_designs(1, prevalence="1/10", respondents=20)
    yield rropt_fieldwork.compare_kary_designs(3, epsilon="log(3)", margin="1/10")
    yield comparison_picture(prevalence="1/10", respondents=20)
    yield respondent_privacy(
        DealtDeck([1, 2, 1]).one_answer(), 4, cards_without_replacement=True, belief=["1/3"], epsilon=1, delta="1/2"
    )
    yield design_devices("log(3)", "1/10", deck=20, cards=3)
    yield rropt.plans.expected_precision(Fraction(21, 25), 100)
    yield rropt.design.equal_questions(2, epsilon=1, delta="1/100")
    yield rropt.design.random_questions(3, ask=1, epsilon=1)
    decoding = {"population": ["1/2", "1/4", "1/4"], "objective": "loss:squared", "outputs": "any"}
    yield DecodedLoss.of(rropt.design.kary(epsilon="log(3)", fast=True, **decoding))
    yield design_bits("log(8)", weights=[10, 0, 81], routes=["multiplier"], fast=True)
    yield from (best_device(deck(20), "log(3)", "1/10"), minimax_risk(1, 2))
    yield OrbitMechanism.subset_selection(5, 2, 3)
    yield from _large_categories()
    yield SweptTable(12, 3, 1, 0)
    yield from (
        audit([[0.7, 0.1], [0.3, 0.8999999999]]),
        *DESIGNS.values(),
        *WAYS,
        WAYS[-1].routes,
    )
    yield from (
        Loss.absolute(3),
        rropt.privacy.PrivacyRegion(1).bracket(9),
        binary_inequalities(Fraction(2), Fraction(0)),
    )
    yield (
        LevelsRegion.by_pair([[None, 1], ["log(2)", None]]).bracket(9),
        LevelsRegion.by_pair([[None, 1], ["log(2)", None]]),
        rropt.privacy.linear("p[0,0] + p[1,1] <= 3/2").region(outputs=2),
    )
    yield LevelsRegion([(1, "1/10"), (2, 0, [(0, 1)])]).bracket(9), LevelsRegion([(1, "1/10")])
    yield RenyiRegion(2, "1/2"), ZcdpRegion("1/4", inputs=3), GaussianRegion(1, inputs=3, levels=2)

    drawn = rropt.Sample(weights=[1, 2, 1, 1.5], strata=["a", "a", "b", "b"])
    repeated = rropt.Replicates("jk1", ["w1", "w2"])
    told = rropt.Responses([1, 0, 1, 1], spinner, data=drawn)
    yield from (drawn, repeated, told, told.proportions(["n", "s", "n", "s"]))
    survey = rropt.inference.estimate(spinner, yes=831, n=2435)
    yield from (
        rropt.estimates.estimates_of_counts(survey),
        rropt.estimates.estimates_of_counts(survey, contrast=[1, 2]),
    )
    yield from (survey, rropt.inference.confidence_interval(survey), planned(spinner, margin="0.05").found)
    yield from INTERVAL_KINDS.values()
    rows = rropt.answers.answers_of_rows(ProductMechanism([spinner, weak]), [[0, 1], [1, 1], [1, 0], [0, 0], [1, 1]])
    joint = rropt.inference.estimate_joint(rows)
    yield from (joint, rropt.inference.estimate_pairs(rows), rropt.inference.simultaneous_intervals([joint.table]))
    yield rropt.estimates.estimate_questions(rows), rropt.estimates.estimate_questions(rows, marginals=1)
    yield rropt.inference.utility(ProductMechanism([spinner, weak])), rropt.objectives.greenwood_loss(spinner)
    yield rropt.plans.compare_precision(ProductMechanism([spinner, weak]))
    yield planned(spinner, n=400, prevalence="1/4", null=0).found
    yield planned(ProductMechanism([spinner, weak], name="two"), n=1000, standard_error="1/10")
    sampled = planned("grr:3,1/2", n=100, cluster_size=5, response_rate="1/2", regions=2)
    yield sampled.sample, sampled.sample.conditions(), sampled.by_category[0]
    yield question_levels(ProductMechanism([spinner, weak]))
    yield rropt.plans.affordable_order(ProductMechanism([spinner, weak]), 1000, "1/100")

    yield from (
        orders.compare(spinner, weak, fast=True),
        orders.partial_order([spinner, weak]),
        orders.admissible(weak, "log(3)", fast=True),
    )
    yield orders.compare_products(ProductMechanism([spinner, weak]), ProductMechanism([weak, weak]), fast=True)
    yield orders.sufficient_products([spinner] * 2, [weak] * 2), orders.merge_proportional_rows(spinner)

    criterion = canonical_information_privacy("min(1, 2*p + 1/10)")

    def under(end: Any) -> rropt.Problem:
        return rropt.Problem.binary(0, epsilon=criterion_level(criterion).epsilon if end is None else end)

    yield from (criterion_level(criterion), parity_bound(rho_to_rho("1/5", "1/2"), fast=True))
    level = rropt.exact.Epsilon.of_gamma(3)
    yield PlannedSurvey()
    yield CriterionRegion(criterion), CriterionRegion(criterion).bracket(9)
    yield judge(Mechanism.binary("5/6", "5/6"), rho_to_rho("1/5", "1/2"), fast=True)
    floats = audit([[0.7, 0.1], [0.3, 0.8999999999]])
    yield Finding.at(floats, level, rropt.exact.Delta.of(0)), LargeFinding.at(ProductMechanism([spinner, weak]), None)
    yield deployed(audit([[0.7, 0.25], [0.3, 0.75]]), solution.certificate.to_dict())
    yield (
        DealtCards(DealtDeck([1, 2, 2]), (3, 1, 2, 3, 2), None),
        solve_under_criterion(criterion_level(criterion), under),
    )
    cards = Mechanism([["1/2", "1/4", "1/8"], ["1/2", "3/4", "7/8"]])
    family = PropertyFamily(3, [[0]])
    yield from (
        family,
        RestrictedCriterion(bayes_factor(3), family),
        family_privacy(cards, family, bayes_factor(3)),
        attainable_odds(cards),
    )
    yield from (breach_region(cards), breach_region(beta_factor(2)), area(breach_region(beta_factor(2))))
    yield precision(breach_region(beta_factor(2)))

    builder = linear.ProgramBuilder("maximise")
    x = builder.variable("x", cost=1)
    builder.row("most", {x: 1}, "<=", 1)
    program = builder.build()
    yield from (program, linear.solve(program), linear.verify_optimal(program, [Fraction(2)], [Fraction(0)]))
    builder.row("least", {x: 1}, ">=", 2)
    yield linear.solve(builder.build())

    yield data.region_picture(1), data.variance_picture(1, prevalence="1/4"), data.threshold_picture()
    yield data.paper_picture("vinterbo2018", "2a")
    yield data.efficiency_picture(prevalence="1/4"), orders.partial_order([spinner, weak])
    yield data.breach_picture([rho_to_rho("1/5", "1/2")], mechanisms=[spinner])
    yield data.estimate_picture(rropt.inference.estimate(spinner, yes=30, n=100))
    yield data.precision_picture([spinner], prevalence="1/4"), data.respondents_picture(margin="1/20", prevalence="1/4")

    answers = (Mechanism.binary("5/6", "5/6"), [1604, 831])
    yield from (prevalence_bounds(answers, theta="0.05"), rropt.noncompliance.breakdown_point(answers, "at least 20 %"))
    yield (
        rropt.noncompliance.least_noncompliers(answers, "0.4"),
        rropt.noncompliance.identified_shares(answers, model="none"),
    )
    asked = {"conclusion": "at least 20 %", "truth": "0.4", "sizes": [99], "model": "always-no"}
    yield rropt.noncompliance.noncompliance_bounds(answers, **asked)
    yield rropt.noncompliance.design_noncompliance(epsilon=1, theta="0.05", n=100, prevalence="0.1")
    yield rropt.noncompliance.Population((rropt.noncompliance.Sample.of(*answers),), ())
    yield data.noncompliance_picture(answers, conclusion="at least 20 %")

    yield positivity.Hypothesis("x")
    yield from _claim_parts()


def _three(point: Any) -> list[tuple[str, Any, str, Any]]:
    return [("n", point["n"], "=", 3)]


def _at_least_one(point: Any) -> list[tuple[str, Any, str, Any]]:
    return [("n", point["n"], ">=", 1)]


def _claim_parts() -> Iterator[Any]:
    from rropt import claims
    from rropt.claims.outcomes import Counterexample
    from rropt.claims.verifications import Verification
    from rropt.core.certificates.bundles import Bundle

    condition = claims.Condition("n > 0", bool)
    correction = claims.Correction("true", _three, conditions=(condition,))
    certificate = rropt.core.certificates.Certificate("{}")
    yield Bundle.of([certificate])
    domain = claims.Domain.whole("n", 1, 2)
    rows = {"rows": lambda point: [("n", point["n"], "=", 1)], "mutants": (_three,)}  # 1 is not 2
    claim = claims.Claim("paper.one", "here", "n", "n", variables={"n": domain}, correction=correction, **rows)
    outcome = claims.run_claim(claim)
    weak = claims.Reading("at least", "Definition 1", {"rows": _at_least_one, "correction": None})
    read = claims.run_claim(
        dataclasses.replace(claim, readings=(weak, dataclasses.replace(weak, name="equal", changes={})))
    )
    yield weak, read, *read.readings
    yield claims.Stated("n is positive", "n > 0", "for every n > 0", ("n",))
    paper = claims.Paper("paper", "A paper", "On n", (("n", "a count"),))
    yield Verification(("paper",), (outcome,), (paper,))
    yield Counterexample({"n": Fraction(1)}, 1, 3, "equal")
    yield paper, correction, domain, outcome, claims.Proof("all", "by counting", (("step", certificate),))
    yield claims.Enclosure(Fraction(0), Fraction(1)), claims.StatedBound("at-least", 1)


def _parts(thing: Any) -> Iterator[Any]:
    """Iterate over what a value holds directly."""
    if isinstance(thing, Mapping):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, tuple | list | set | frozenset):
        yield from thing
    elif isinstance(thing, Exception):
        yield from vars(thing).values()
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        yield from (getattr(thing, field.name) for field in dataclasses.fields(thing))


@cache
def samples() -> dict[type, Any]:
    """Return a value of every class that the results hold, the first one met; of a subclass if there is no own one."""
    found: dict[type, Any] = {}
    seen: set[int] = set()
    waiting = list(_roots())
    kept = []
    while waiting:
        thing = waiting.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        kept.append(thing)  # so that no other value gets its id
        for kind in type(thing).__mro__:  # a protocol by one of its forms
            if kind not in found or (kind is type(thing) and type(found[kind]) is not kind):
                found[kind] = thing
        waiting += _parts(thing)
    return found


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def _made(kind: type) -> Any:
    """Return the sample of a class; of an error that has only its message, one."""
    known = samples().get(kind)
    if known is None and issubclass(kind, Exception) and not any("__init__" in vars(base) for base in _own(kind)):
        return kind("what was wrong: received 1; allowed is 2")
    assert known is not None, f"{kind.__qualname__} has no sample: add a result that holds one to _roots"
    return known


def _own(kind: type) -> list[type]:
    return [base for base in kind.__mro__ if base.__module__.startswith(("rropt.", "rropt_fieldwork."))]


@every_case("kind", CLASSES, ids=lambda kind: kind.__qualname__)
def test_round_trip(kind: type) -> None:
    thing = _made(kind)
    for name, made in COPIES.items():
        twin = made(thing)
        assert type(twin) is type(thing), name
        if isinstance(thing, Exception):
            assert (str(twin), twin.args, vars(twin)) == (str(thing), thing.args, vars(thing)), name
            assert kind.__new__(kind, *thing.args).args == thing.args  # so Dask sends an error between processes
        else:
            assert twin == thing, name
            assert hash(twin) == hash(thing), name
            assert str(twin) == str(thing), name


def _results() -> list[type[Result]]:
    """Return every class that speaks, public or not, as it stands in its module (with slots it is made twice)."""
    found, waiting = set(), [Result]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        found |= {kind for kind in below if getattr(import_module(kind.__module__), kind.__name__, None) is kind}
    own = (kind for kind in found - {PosedTwice} if kind.__module__.startswith(("rropt.", "rropt_fieldwork.")))
    return sorted(own, key=lambda kind: (kind.__qualname__, kind.__module__))  # two are called Sample


RESULTS = _results()

# What public functions return, or what writes itself, and is no `Result`: why, and which.
NO_RESULTS = {
    "a question: its own forms are those of problem files and certificates, and come back from them": (
        "Blocks BoundedRegion Criterion Delta EntryInequality Epsilon FamilyParameter FamilyProblem Mechanism "
        "MembershipMechanism Objective PairsLevel RationalSum "
        "PopulationRow Populations Problem ProductMechanism Region WeightRuns "
        "ZeroOneShares"
    ),
    "a question that its function makes again, in one call": ("FunctionRegion Level OddsRegion PropertyFamily"),
    "what is computed again when it is first asked for": "ReportCost Solved StatedSum StatedTerm Twin",
    "a part of a result that comes back with it, found again": (
        "AddedCards BlockFound Breach ClientTable ComputedDesign ClosedPiece LevelPiece TraceFound ClientVector "
        "BlockDesign CoveredDesign DecidedDesigns FamilyFormula FamilyMember Hypothesis "
        "IntervalDesign IntervalOptimum "
        "OptimalSegment "
        "PhysicalDevice RationalLevels RouteResult RowReason SaddleDesign "
        "Rounding ThreeAnswers ViewPrivacy"
    ),
    "the data of a drawing: what it is drawn from comes back": (
        "BreachPicture EfficiencyPicture GroupsPicture PaperPicture PrecisionPicture RegionPicture "
        "RespondentsPicture ThresholdPicture VariancePicture Coordinate NamedDesign"
    ),
    "a number: the two rationals around it, which results write as such": "Bracket ExactReal",
    "two exact numbers and their sum, which a plan has as its own": "VarianceParts",
    "names and what they mean, in the code": "Design Designs Parameter Paper",
    "Python's functions": "Claim",
    "the content of a file or a page": "Content Document",
    "data of respondents": "DataColumn DeviceResponses Table",
    "the report on a file that was written: the report on its reading comes back": "RandomizedTable",
    "a formula that is read, and what is asked of its fit": "Parsed ReadFactor RegressionOptions",
    "a picture: what it is drawn from comes back": "Figure",
    "the checker imports nothing of rropt": "Verdict",
    "tests, and what became of them": "ContractCase ContractRow Judged",
}


def _speakers() -> list[type]:
    """Return the classes that functions of public packages return, and those that write themselves."""
    found: set[type] = set()
    for info in _modules():
        if info.name.endswith("__main__") or info.name.startswith(("rropt.checker", "rropt.cli", "rropt.core.results")):
            continue
        module = import_module(info.name)
        for name in getattr(module, "__all__", ()) if info.ispkg else ():
            function = inspect.unwrap(getattr(module, name))
            if inspect.isfunction(function):
                found |= set(_classes_in(_returned(function)))
        own = (thing for thing in vars(module).values() if getattr(thing, "__module__", "") == info.name)
        kinds = (thing for thing in own if isinstance(thing, type))
        found |= {kind for kind in kinds if any(callable(vars(kind).get(name)) for name in ("to_dict", "lines"))}
    return sorted((kind for kind in found if not kind.__name__.startswith("_")), key=lambda kind: kind.__qualname__)


def _returned(function: Any) -> Any:
    try:
        return get_type_hints(function).get("return")
    except NameError:  # a picture of matplotlib, or a class that is imported for annotations only
        return None


def _classes_in(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and hint.__module__.startswith(("rropt.", "rropt_fieldwork.")):
        yield hint
    for part in get_args(hint):
        yield from _classes_in(part)


PAGES = known_results()


@pytest.mark.parametrize("name", PAGES)
def test_every_result_has_a_page(name: str) -> None:
    """Each result that a report reads by its name has a section with a table or a sentence that is not empty."""
    written = json.loads(_made(getattr(import_module(PAGES[name]), name)).to_json())
    blocks = survey_report([("a.json", written)]).blocks
    start = next(i for i, block in enumerate(blocks) if isinstance(block, Heading))
    methods = Heading("Methods and checks")  # a page of claims has none
    shown = blocks[start : blocks.index(methods) if methods in blocks else len(blocks)]
    inner = [part for block in shown for part in getattr(block, "blocks", (block,))]  # of a folded part, or a section
    tables = [block for block in inner if isinstance(block, tuple)]
    assert any(cell for *_, rows in tables for row in rows for cell in row)


def test_every_result_speaks() -> None:
    """What is returned is a ``Result``, or stands above with a reason; and nothing stands there in vain."""
    silent = {kind.__qualname__ for kind in _speakers() if not issubclass(kind, Result)}
    named = {name for names in NO_RESULTS.values() for name in names.split()}
    assert sorted(silent - named) == []
    assert sorted(named - silent) == []


@every_case("kind", RESULTS, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_json_and_back(kind: type[Result]) -> None:
    result = _made(kind)
    record = result.to_dict()
    assert type(result).from_dict(record) == result
    twin = kind.from_json(json.dumps(record, allow_nan=False))  # of the base too, where a subclass stands in its place
    assert (type(twin), twin, hash(twin), repr(twin)) == (type(result), result, hash(result), repr(result))
    computed = {"twins": record["twins"]} if "twins" in record else {}  # left to the first access
    assert {**twin.to_dict(), **computed} == record
    assert _printed(twin) == _printed(result)
    if "question" not in record:  # else what is estimated: a text
        assert kind.from_dict({**record, "question": {"anything": 1}}) == result
    _require_floats(record.get("decimals", {}), record)
    lines = result.lines()
    assert lines
    assert all(isinstance(text, str) and text for line in lines for text in line)
    if kind.__name__ != "Estimates":  # whose repr is its table, as that of a data frame
        assert len(repr(result)) <= 200
        assert "\n" not in repr(result)
    assert "<tr" in result._repr_html_()


def _printed(result: Result) -> list[Any]:
    """Return what a result prints, without the posings, which no file holds, and what a file does not prove."""
    rows = [row for _, _, rows in result.as_tables() for row in rows]
    lines = [(line, "") for line in str(result).split("\n")]
    shown = [row for row in rows + lines if not row[0].startswith(("posed twice", "closed form", "not verified"))]
    return [*shown, str(result.matrices()), getattr(result, "conclusion", "")]


@few_rows(2)
@pytest.mark.parametrize("kind", RESULTS, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_hostile_json(kind: type[Result]) -> None:
    """One clear error for what is no such result, whatever stands where."""
    record = {key: item for key, item in _made(kind).to_dict().items() if key != "decimals"}
    for data in (None, [], "text", {}, {**record, "no such key": 1}):
        with pytest.raises(FileFormatError, match=r"^(?!.*\n)"):
            kind.from_dict(data)
    for key in record:
        for value in ("__import__('os')", -1, [], {"a": "b"}, "1/0", "9" * 300_000, [[["1"]]], True, None):
            made = _read_or_refused(kind, {**record, key: value})
            if isinstance(made, RroptError):
                assert len(str(made)) < 1000
                assert "\n" not in str(made)
            else:
                assert type(made).from_dict(made.to_dict()) == made


def _read_or_refused(kind: type[Result], data: Any) -> Result | RroptError:
    try:
        return kind.from_dict(data)
    except RroptError as error:
        return error


def test_the_reference_has_the_keys_of_every_result() -> None:
    """docs/site/results.json has the keys that each result writes; numbers of its examples may hang on the machine."""
    examples = result_pages.examples({kind: _made(kind) for kind in RESULTS})
    if os.environ.get("RROPT_WRITE_PAGES") == "1":
        result_pages.DATA.write_text(json.dumps(examples, indent=1) + "\n", encoding="utf-8")
    found = json.loads(result_pages.DATA.read_text(encoding="utf-8"))
    assert {kind: list(keys) for kind, keys in found.items()} == {
        kind: list(keys) for kind, keys in examples.items()
    }, "write it anew: see docs/site/result_pages.py"
    page = result_pages.result_page()
    assert all(f"| `{key}` | `" in page for keys in found.values() for key in keys)


def _require_floats(decimals: Any, record: Any) -> None:
    """Decimals repeat keys, and are floats in their places."""
    if isinstance(decimals, dict):
        assert isinstance(record, dict)
        assert decimals.keys() <= record.keys() - {"decimals"}
        for key in decimals:
            _require_floats(decimals[key], record[key])
    elif isinstance(decimals, list):
        assert isinstance(record, list)
        assert len(record) == len(decimals)
        for one, text in zip(decimals, record, strict=True):
            _require_floats(one, text)
    else:
        assert isinstance(decimals, float) or (decimals is None and record is None)


def test_classes_are_found() -> None:
    """The search above finds what it should: a floor on its number, and the classes of the front page."""
    assert len(CLASSES) >= 90
    front = {thing for name in rropt.__all__ if isinstance(thing := getattr(rropt, name), type)}
    assert front <= set(CLASSES)


@pytest.mark.slow
def test_a_pool_of_two_processes(size: Callable[[int, int], int]) -> None:
    """Results come back as they are computed here; infeasible problems come back as their error."""
    count = size(10, 200)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(rropt.solve, _bounded(i), fast=True) for i in range(count)]
        for i, future in enumerate(futures):
            error = future.exception()
            assert (error is not None) == bool(i % 2)
            if error is not None:
                assert isinstance(error, InfeasibleError)
                assert error.certificate.check()  # type: ignore[attr-defined]  # InfeasibleDesignError
            else:
                assert future.result().value == Fraction(3 * (2 + i), 4 + i)
    assert len({rropt.solve(_bounded(0), fast=True) for _ in range(2)}) == 1
    assert count >= 10
