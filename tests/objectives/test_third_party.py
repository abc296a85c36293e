"""Objectives in files outside the package: optimized in every region, not certified, or refused with the point."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from support.regions import by_distance

from rropt import Problem, check, solve
from rropt.core.errors import InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.objectives import AlphaDivergence, BayesMixture, InformationObjective, MutualInformation, Objective, Payoff
from rropt.privacy import BoundedRegion, CriterionRegion, LevelsRegion, PrivacyRegion, Region, information_privacy
from rropt.privacy.divergence_regions import RenyiRegion, ZcdpRegion

F = Fraction
PI = {2: (F(2, 3), F(1, 3)), 3: (F(1, 2), F(1, 3), F(1, 6))}

GOOD = '''
from dataclasses import dataclass
from fractions import Fraction
import numpy as np
from rropt.objectives import ConvexSum

@dataclass(frozen=True, slots=True)
class Cubic(ConvexSum):
    """The divergence of order 3 from equal shares, times 6."""
    kind, title, form = "cubic", "cubic divergence", "{}"
    def of_row(self, row, population):
        s = sum(float(p) * float(x) for p, x in zip(population, row))
        u = sum(map(float, row)) / len(row)
        return s**3 / u**2 - u

@dataclass(frozen=True, slots=True)
class FourDecisions(ConvexSum):
    """The Bayes gain of the best of four decisions, exact for exact rows."""
    kind, title, form = "four-decisions", "gain of four decisions", "{}"
    @staticmethod
    def gains(k):
        return [[Fraction((d + 2 * j) % 4 - 1, 3) for j in range(k)] for d in range(4)]
    def of_row(self, row, population):
        joint = [p * x for p, x in zip(population, row)]
        return max(sum(g * x for g, x in zip(gains, joint)) for gains in self.gains(len(row)))

@dataclass(frozen=True, slots=True)
class Risk(FourDecisions):
    """Minus this gain: a Bayes risk, concave and minimized; for some outputs it is negative."""
    kind, title, sense = "risk", "Bayes risk", "minimise"
    def of_row(self, row, population):
        joint = [p * x for p, x in zip(population, row)]
        return min(-sum(g * x for g, x in zip(gains, joint)) for gains in self.gains(len(row)))

@dataclass(frozen=True, slots=True)
class Doubt(ConvexSum):
    """Minus the entropy of the truth given the output; NumPy takes no fractions."""
    kind, title, form = "doubt", "doubt", "{}"
    def of_row(self, row, population):
        joint = np.array(row) * np.array(population)
        joint = joint[joint > 0]
        return (joint * np.log(joint / joint.sum())).sum()
'''

CONCAVE = '''
from dataclasses import dataclass
from rropt.objectives import ConvexSum

@dataclass(frozen=True, slots=True)
class Least(ConvexSum):
    """Concave by mistake, and so small that an absolute tolerance would not see it."""
    kind, title, form = "least", "smallest entry", "{}"
    def of_row(self, row, population):
        return 1e-12 * min(float(x) for x in row)
'''

WRONG_SENSE = '''
from dataclasses import dataclass
from rropt.objectives import ConvexSum

@dataclass(frozen=True, slots=True)
class Largest(ConvexSum):
    """Convex, and minimized."""
    kind, title, form, sense = "largest", "largest entry", "{}", "minimise"
    def of_row(self, row, population):
        return max(row)
'''

UNEVEN = '''
from dataclasses import dataclass
from rropt.objectives import ConvexSum

@dataclass(frozen=True, slots=True)
class Squares(ConvexSum):
    """Convex, but of degree 2."""
    kind, title, form = "squares", "squares", "{}"
    def of_row(self, row, population):
        return sum(float(x) ** 2 for x in row)

@dataclass(frozen=True, slots=True)
class Inverse(ConvexSum):
    """Infinite at zeros, which rows of delta > 0 have."""
    kind, title, form = "inverse", "inverse", "{}"
    def of_row(self, row, population):
        return sum(float(row[0]) ** 2 / float(x) for x in row)
'''


def regions() -> dict[str, Region]:
    """A region of every kind with an unrestricted output alphabet."""
    levels = [{"epsilon": "1/2", "delta": "1/10"}, {"epsilon": "2", "delta": "1/100"}]
    return {
        "one level": PrivacyRegion("log(3)", inputs=3, outputs="any"),
        "irrational level": PrivacyRegion(1, inputs=3, outputs="any"),
        "delta": PrivacyRegion(1, "1/20", inputs=3, outputs="any"),
        "delta alone": PrivacyRegion(0, "1/5", inputs=3, outputs="any"),
        "pairs": by_distance(3, "1/2", outputs=0),
        "levels": LevelsRegion(levels, inputs=3, outputs=0),
        "criterion": CriterionRegion(information_privacy(lower="p/2", upper="1"), inputs=3, outputs="any"),
        "Renyi": RenyiRegion(2, "1/2", inputs=2),
        "zCDP": ZcdpRegion("1/8", inputs=2),
    }


def written(tmp_path: Path, name: str, text: str) -> ModuleType:
    """Import a file outside the package."""
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def twins(module: ModuleType, k: int) -> list[tuple[Any, Objective, Fraction, Fraction]]:
    """Objectives of the file, those of the library that they equal up to a factor and a constant, and these two."""
    minus_entropy = sum(F(float(p) * np.log(float(p))) for p in PI[k])
    return [
        (module.Cubic(), AlphaDivergence([F(1, k)] * k, 3), F(6), F(0)),
        (module.FourDecisions(), Payoff(module.FourDecisions.gains(k)), F(1), F(0)),
        (module.Risk(), Payoff(module.FourDecisions.gains(k)), F(-1), F(0)),
        (module.Doubt(), MutualInformation(), F(1), F(minus_entropy)),
    ]


@few_rows(1)
@pytest.mark.parametrize("name", list(regions()))
def test_a_file_outside_the_package_has_the_optimum_of_its_twin(
    name: str, tmp_path: Path, size: Callable[[int, int], int]
) -> None:
    region = regions()[name]
    accuracy = F(1, 10**8) if region.has_divergences else F(1, 10**9)
    most = size(1, 4) if region.has_divergences else 4  # proofs of divergences take seconds
    for own, twin, factor, constant in twins(written(tmp_path, "good", GOOD), region.inputs)[:most]:
        found = solve(Problem(region, own, PI[region.inputs]))
        known = solve(Problem(region, twin, PI[region.inputs]), fast=True)
        assert (found.status, known.status) == ("not certified", "optimal")
        assert region.contains(found.mechanism)
        unit = abs(known.upper * factor) + abs(constant)
        assert found.gap <= accuracy * unit
        assert abs(found.value - factor * known.value - constant) <= accuracy * unit
        assert "not certified" in str(found)
        assert not check(found.certificate)


@few_rows(1)
@pytest.mark.parametrize("name", list(regions()))
def test_mistakes_are_refused_with_the_point_in_every_region(name: str, tmp_path: Path) -> None:
    region = regions()[name]
    uneven = written(tmp_path, "uneven", UNEVEN)
    wrong = [(written(tmp_path, "concave", CONCAVE).Least(), "is not convex"), (uneven.Squares(), "not homogeneous")]
    wrong.append((written(tmp_path, "wrong_sense", WRONG_SENSE).Largest(), "is not concave"))
    if name in ("delta", "delta alone", "levels"):
        wrong.append((uneven.Inverse(), "is not defined.*ZeroDivisionError"))
    for objective, reason in wrong:
        for routes in ("auto", "exact"):
            with pytest.raises(InvalidParameterError, match=reason) as refused:
                solve(Problem(region, objective, PI[region.inputs]), routes=routes)
            assert "received at the row" in str(refused.value)
            assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_a_function_that_is_infinite_at_zeros_is_taken_where_no_row_has_zeros(tmp_path: Path) -> None:
    inverse = written(tmp_path, "uneven", UNEVEN).Inverse()
    for name in ("one level", "pairs", "Renyi"):
        region = regions()[name]
        assert solve(Problem(region, inverse, PI[region.inputs])).status == "not certified"


@few_rows(1)
@pytest.mark.parametrize("epsilon", ["1/100", "1/10000", "1/1000000"])
def test_the_bracket_is_as_wide_as_the_error_of_the_function(epsilon: str, tmp_path: Path) -> None:
    """Near epsilon = 0 the terms of a divergence cancel; the routes then agree within what the floats show."""
    region = PrivacyRegion(epsilon, inputs=3, outputs="any")
    for own, twin, factor, constant in twins(written(tmp_path, "good", GOOD), 3):
        found, known = solve(Problem(region, own, PI[3])), solve(Problem(region, twin, PI[3]), fast=True)
        optimum = factor * known.value + constant
        assert found.lower - known.gap * abs(factor) <= optimum <= found.upper + known.gap * abs(factor)
        assert found.gap <= F(1, 10**13)  # of terms of size 1


def test_regions_of_given_outputs_refuse_a_file_in_one_line(tmp_path: Path) -> None:
    few = PrivacyRegion(1, inputs=3, outputs=3)
    cubic = written(tmp_path, "good", GOOD).Cubic()
    for region in (few, BoundedRegion(few, [[0] * 3] * 3, [[F(4, 5)] * 3] * 3)):
        with pytest.raises(UnsupportedProblemError, match="set `outputs` to any"):
            solve(Problem(region, cubic, PI[3]))


def test_a_mean_of_a_file_over_distributions_is_not_certified(tmp_path: Path) -> None:
    """The checker knows the mixture, but not what is mixed."""
    cubic = written(tmp_path, "good", GOOD).Cubic()
    mixture = BayesMixture(cubic, ["1/2", "1/2"], [PI[3], PI[3][::-1]])
    found = solve(Problem(regions()["one level"], mixture, mixture.mean))
    twin = BayesMixture(AlphaDivergence([F(1, 3)] * 3, 3), mixture.weights, mixture.populations)
    known = solve(Problem(regions()["one level"], twin, mixture.mean), fast=True)
    assert (found.status, known.status) == ("not certified", "optimal")
    assert abs(found.value - 6 * known.value) <= known.value / 10**9
    least = written(tmp_path, "concave", CONCAVE).Least()
    with pytest.raises(InvalidParameterError, match="is not convex"):
        solve(Problem(regions()["one level"], BayesMixture(least, ["1"], [PI[3]]), PI[3]))


class WrongGradient(InformationObjective):
    """ln det M, with a gradient twice too large."""

    kind, title, form = "wrong-gradient", "ln det", "{}"

    def of_information(self, information: Any) -> float:
        return float(np.linalg.slogdet(information)[1])

    def gradient(self, information: Any) -> Any:
        return 2 * np.linalg.inv(information)


class WrongShape(WrongGradient):
    """ln det M, with a gradient of the wrong shape."""

    def gradient(self, information: Any) -> Any:
        return np.ones(3)


@pytest.mark.parametrize(("objective", "reason"), [(WrongGradient(), "tangent at M"), (WrongShape(), "shape \\(3,\\)")])
def test_a_wrong_gradient_is_refused(objective: Any, reason: str) -> None:
    with pytest.raises(RroptError, match=reason) as refused:
        solve(Problem(regions()["one level"], objective, PI[3]))
    assert "M = (" in str(refused.value)


@pytest.mark.slow
def test_negative_payoffs_under_divergences_are_certified(size: Callable[[int, int], int]) -> None:
    """A bound below 0 is a bound: the engine once took it for none."""
    for name in ("Renyi", "zCDP")[: size(1, 2)]:
        region, k = regions()[name], 2
        payoffs = [[int(i == j) - 3 for j in range(k)] for i in range(k)]
        low = solve(Problem(region, Payoff(payoffs), PI[k]), fast=True)
        high = solve(Problem(region, Payoff([[x + 3 for x in row] for row in payoffs]), PI[k]), fast=True)
        assert low.status == high.status == "optimal"
        assert abs(high.value - low.value - 3) <= F(1, 10**8)
