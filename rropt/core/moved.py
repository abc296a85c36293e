"""Old module paths, for one version: importing one loads the new module with a ``DeprecationWarning`` (until 0.3).

A finder on ``sys.meta_path`` handles the old names. It imports the new module when one of its names is first used.
Only the package ``rropt`` installs the finder; no module of the library uses an old path.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

MODULES = {
    "rropt.certificates": "rropt.designs.certificates",
    "rropt.certificates.certificate": "rropt.designs.certificates.binary",
    "rropt.certificates.design_programmes": "rropt.designs.certificates.linear_designs",
    "rropt.certificates.infimum": "rropt.privacy.bound_certificate",
    "rropt.certificates.linear_programme": "rropt.core.certificates.linear_program",
    "rropt.certificates.orders": "rropt.designs.orders.certificates",
    "rropt.certificates.records": "rropt.core.certificates.records",
    "rropt.checker.telling": "rropt.checker.value_texts",
    "rropt.claims.verify": "rropt.claims.verifying",
    "rropt.cli.design_answers": "rropt.cli.design_results",
    "rropt.core.exact.written": "rropt.core.exact.number_input",
    "rropt.core.methods": "rropt.core.attached_methods",
    "rropt.designs.orders.pairs": "rropt.designs.orders.reduced_pairs",
    "rropt.errors": "rropt.core.errors",
    "rropt.estimation": "rropt.survey",
    "rropt.estimation.answers": "rropt.survey.questions.responses",
    "rropt.estimation.combined_answers": "rropt.survey.comparisons.combined_responses",
    "rropt.estimation.counts": "rropt.survey.estimates.counts",
    "rropt.estimation.distributions": "rropt.survey.estimates.distributions",
    "rropt.estimation.estimate": "rropt.survey.estimates.estimate",
    "rropt.estimation.finite_populations": "rropt.survey.populations.finite",
    "rropt.estimation.greenwood": "rropt.objectives.greenwood",
    "rropt.estimation.groups": "rropt.survey.groups.groups",
    "rropt.estimation.interval_kinds": "rropt.survey.estimates.interval_kinds",
    "rropt.estimation.intervals": "rropt.survey.estimates.intervals",
    "rropt.estimation.joint_likelihood": "rropt.survey.questions.joint_likelihood",
    "rropt.estimation.joint_search": "rropt.survey.questions.joint_likelihood",
    "rropt.estimation.likelihood": "rropt.survey.estimates.likelihood",
    "rropt.estimation.plans.contrast_power": "rropt.survey.plans.contrasts",
    "rropt.estimation.plans.exact_power": "rropt.survey.plans.power",
    "rropt.estimation.plans.worst_cells": "rropt.survey.plans.marginals",
    "rropt.estimation.precision": "rropt.survey.estimates.precision",
    "rropt.estimation.proportion_intervals": "rropt.survey.estimates.proportion_intervals",
    "rropt.estimation.questions": "rropt.survey.questions.questions",
    "rropt.estimation.simultaneous": "rropt.survey.questions.simultaneous",
    "rropt.estimation.subset_answers": "rropt.survey.groups.subsets",
    "rropt.estimation.survey_estimates": "rropt.survey.estimates.reports",
    "rropt.estimation.tables": "rropt.survey.questions.tables",
    "rropt.estimation.two_samples": "rropt.survey.groups.two_samples",
    "rropt.estimation.utility": "rropt.survey.questions.utility",
    "rropt.estimation.weighted_shares": "rropt.survey.populations.complex",
    "rropt.estimation.weights": "rropt.survey.questions.tables",
    "rropt.exact": "rropt.core.exact",
    "rropt.files": "rropt.core.files",
    "rropt.lazy": "rropt.core.lazy",
    "rropt.limits": "rropt.core.limits",
    "rropt.linear": "rropt.core.linear",
    "rropt.linear.programmes": "rropt.core.linear.programs",
    "rropt.mappings": "rropt.core.mappings",
    "rropt.mechanisms.answer_laws": "rropt.survey.devices.sum_laws",
    "rropt.mechanisms.clients.export": "rropt.mechanisms.clients.exporting",
    "rropt.mechanisms.decks": "rropt.survey.devices.decks",
    "rropt.mechanisms.designs": "rropt.mechanisms.named",
    "rropt.mechanisms.drawn": "rropt.survey.devices.independent",
    "rropt.mechanisms.excesses": "rropt.mechanisms.hockey_stick",
    "rropt.mechanisms.findings": "rropt.mechanisms.privacy_findings",
    "rropt.mechanisms.joint": "rropt.survey.devices.joint",
    "rropt.mechanisms.laplace": "rropt.mechanisms.central.laplace",
    "rropt.mechanisms.noise_reports": "rropt.mechanisms.central.noise_reports",
    "rropt.mechanisms.noise_tails": "rropt.mechanisms.central.noise_tails",
    "rropt.mechanisms.physical_devices": "rropt.survey.devices.randomizing_devices",
    "rropt.mechanisms.question_levels": "rropt.mechanisms.levels_of_questions",
    "rropt.mechanisms.respondents": "rropt.survey.devices.threat_models",
    "rropt.mechanisms.sensitivities": "rropt.mechanisms.central.sensitivities",
    "rropt.mechanisms.sum_deltas": "rropt.survey.devices.sum_deltas",
    "rropt.mechanisms.vectors": "rropt.mechanisms.kronecker",
    "rropt.noncompliance": "rropt.survey.noncompliance",
    "rropt.noncompliance.programmes": "rropt.survey.noncompliance.programs",
    "rropt.objectives.given": "rropt.objectives.user_defined",
    "rropt.orders": "rropt.designs.orders",
    "rropt.orders.compared_designs": "rropt.survey.comparisons.budget_table",
    "rropt.orders.equal_privacy": "rropt.survey.comparisons.equal_privacy",
    "rropt.plots.sheets": "rropt.plots.picture_layout",
    "rropt.positivity": "rropt.claims.positivity",
    "rropt.privacy.bound.parity_bound": "rropt.privacy.bound.largest_parity",
    "rropt.privacy.breach_regions.attainable_odds": "rropt.privacy.breach_regions.odds",
    "rropt.privacy.given_levels": "rropt.privacy.level_arguments",
    "rropt.privacy.parity_bounds": "rropt.privacy.bound",
    "rropt.privacy.parity_bounds.parity_bound": "rropt.privacy.bound.largest_parity",
    "rropt.problem": "rropt.designs.problem",
    "rropt.report": "rropt.reports",
    "rropt.report.answers_page": "rropt.reports.results_page",
    "rropt.report.board_facts": "rropt.reports.irb_summary",
    "rropt.report.dealt_cards": "rropt.reports.card_sheets",
    "rropt.reports.claims_page": "rropt.reports.claims_pages",
    "rropt.reports.design_page": "rropt.reports.design_pages",
    "rropt.reports.draws": "rropt.reports.randomizer_steps",
    "rropt.responses": "rropt.survey.tables",
    "rropt.results": "rropt.core.results",
    "rropt.sampling": "rropt.mechanisms.sampling",
    "rropt.solvers": "rropt.designs",
    "rropt.solvers.card_proportions": "rropt.survey.comparisons.device_designs",
    "rropt.solvers.convex.a_optimality": "rropt.designs.ray_designs",
    "rropt.solvers.convex.c_optimality": "rropt.designs.ray_designs",
    "rropt.solvers.convex.ellipsoid_designs": "rropt.designs.ray_designs",
    "rropt.solvers.design_class": "rropt.designs.solving",
    "rropt.solvers.design_programmes": "rropt.designs.linear_programs",
    "rropt.solvers.device_designs": "rropt.survey.comparisons.device_designs",
    "rropt.solvers.few_answers": "rropt.designs.restricted_outputs",
    "rropt.solvers.pattern_programmes": "rropt.designs.ray_designs",
    "rropt.solvers.three_answers": "rropt.designs.three_outputs",
    "rropt.survey.audits.audit": "rropt.survey.audits.auditing",
    "rropt.survey.audits.boxes": "rropt.survey.audits.black_boxes",
    "rropt.survey.tables.codes": "rropt.survey.tables.response_codes",
    "rropt.survey.tables.held": "rropt.survey.tables.files_in_memory",
    "rropt.version": "rropt.core.version",
    "rropt.visible": "rropt.core.visible",
}
"""Old module or package -> new one; the submodules of a package move with it."""

NAMES = {
    "rropt.certificates": {
        "Certificate": "rropt.core.certificates.record",
        "DesignRows": "rropt.designs.certificates.linear_designs",
        "FORMAT": "rropt.core.certificates.record",
        "certify_bits": "rropt.designs.certificates.binary",
        "certify_design": "rropt.designs.certificates.linear_designs",
        "certify_infeasible": "rropt.core.certificates.linear_program",
        "certify_infeasible_design": "rropt.designs.certificates.linear_designs",
        "certify_minimax": "rropt.designs.certificates.binary",
        "certify_optimal": "rropt.core.certificates.linear_program",
        "certify_over_interval": "rropt.designs.certificates.binary",
        "certify_vertex_rule": "rropt.designs.certificates.binary",
        "check": "rropt.core.certificates.record",
    },
    "rropt.certificates.certificate": {
        "Certificate": "rropt.core.certificates.record",
        "FORMAT": "rropt.core.certificates.record",
        "certify_estimate": "rropt.survey.estimates.certificate",
        "check": "rropt.core.certificates.record",
    },
    "rropt.estimation": {
        "GreenwoodLoss": "rropt.objectives.greenwood",
        "greenwood_loss": "rropt.objectives.greenwood",
        "greenwood_moments": "rropt.objectives.greenwood",
        "loss_bounds": "rropt.objectives.greenwood",
        "spreads": "rropt.objectives.joint_loss",
    },
    "rropt.estimation.answers": {
        "chosen_questions": "rropt.mechanisms.questions",
        "product_of": "rropt.mechanisms.questions",
    },
    "rropt.estimation.utility": {
        "spreads": "rropt.objectives.joint_loss",
    },
    "rropt.estimation.weights": {
        "inverses_of": "rropt.mechanisms.question_inverses",
    },
    "rropt.mechanisms": {
        "DealtDeck": "rropt.survey.devices.decks",
        "DrawnAnswers": "rropt.survey.devices.independent",
        "JointMechanism": "rropt.survey.devices.joint",
        "RespondentPrivacy": "rropt.survey.devices.threat_models",
        "View": "rropt.survey.devices.joint",
        "respondent_privacy": "rropt.survey.devices.threat_models",
    },
    "rropt.orders": {
        "ComparedDesign": "rropt.survey.comparisons.budget_table",
        "DesignComparison": "rropt.survey.comparisons.equal_privacy",
        "compare_designs": "rropt.survey.comparisons.equal_privacy",
        "two_point_bound": "rropt.survey.comparisons.equal_privacy",
    },
    "rropt.responses.sources": {
        "ATTACHED": "rropt.core.files.duckdb_connection",
        "MEMORY": "rropt.core.files.duckdb_connection",
        "connected": "rropt.core.files.duckdb_connection",
    },
    "rropt.sampling": {
        "deal": "rropt.survey.devices.dealing",
    },
    "rropt.sampling.fair_bits": {
        "deal": "rropt.survey.devices.dealing",
    },
    "rropt.solvers": {
        "AOptimalDesigns": "rropt.designs.ray_designs",
        "AnyOutputDesigns": "rropt.designs.convex.any_output",
        "BinaryVariance": "rropt.designs.binary_variance",
        "COptimalDesigns": "rropt.designs.ray_designs",
        "CriterionDesigns": "rropt.designs.criterion_designs",
        "DESIGN_CLASSES": "rropt.designs.registry",
        "DesignClass": "rropt.designs.solving",
        "EllipsoidDesigns": "rropt.designs.ray_designs",
        "FewAnswerDesigns": "rropt.designs.restricted_outputs",
        "GroupDesigns": "rropt.designs.convex.group_designs",
        "LinearDesigns": "rropt.designs.linear_designs",
        "PatternProgrammes": "rropt.designs.ray_designs",
        "RayDesigns": "rropt.designs.ray_designs",
        "Route": "rropt.designs.solving",
        "RouteResult": "rropt.designs.solution",
        "SaddleDesigns": "rropt.designs.convex.saddle_designs",
        "Solution": "rropt.designs.solution",
        "ThreeAnswerDesigns": "rropt.designs.three_outputs",
        "register_design_class": "rropt.designs.registry",
        "solve": "rropt.designs.classes",
    },
}
"""Old module -> names that moved out of it -> the module that defines them now."""


def new_path(old: str) -> str | None:
    """Return the new path of an old module, or ``None`` if the path is not an old one.

    >>> new_path("rropt.solvers.convex.cells"), new_path("rropt.checker")
    ('rropt.designs.convex.cells', None)
    """
    parts = old.split(".")
    for size in range(len(parts), 1, -1):
        head = MODULES.get(".".join(parts[:size]))
        if head is not None:
            return ".".join([head, *parts[size:]])
    return None


def _value(old: str, name: str) -> Any:
    home = NAMES.get(old, {}).get(name)
    return getattr(import_module(home or str(new_path(old))), name)


def names_that_left(old: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for an existing module from which names have moved to other modules."""

    def getattribute(name: str) -> Any:
        home = NAMES.get(old, {}).get(name)
        if home is None:
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        warnings.warn(f"{old}.{name} has moved to {home}.{name}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(home), name)

    return getattribute


class FrontDoor(ModuleType):
    """A package that keeps its names: importing an old path, such as ``rropt.report``, does not overwrite them."""

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(value, MovedModule):
            super().__setattr__(name, value)


class MovedModule(FrontDoor):
    """The module object at an old path: it looks up every name in the new module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        try:
            return _value(self.__name__, name)
        except AttributeError:
            if f"{self.__name__}.{name}" in sys.modules:
                return sys.modules[f"{self.__name__}.{name}"]
            raise

    def __dir__(self) -> list[str]:
        return sorted({*dir(import_module(str(new_path(self.__name__)))), *NAMES.get(self.__name__, {})})


class _Moved(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        new = new_path(fullname) if fullname.startswith("rropt.") else None
        if new is None or find_spec(new) is None:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        import_module(str(new_path(spec.name)))
        warnings.warn(f"{spec.name} has moved to {new_path(spec.name)}", DeprecationWarning, stacklevel=2)
        package = sys.modules.get(spec.name.rpartition(".")[0])
        if type(package) is ModuleType:
            package.__class__ = FrontDoor  # a function of the same name stays what the package exports
        return MovedModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: names are looked up when they are used."""


def install() -> None:
    """Make old module paths importable."""
    if not any(isinstance(finder, _Moved) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Moved())  # before the folders of an older version that an upgrade may leave
    sys.modules["rropt"].__class__ = FrontDoor
