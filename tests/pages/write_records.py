"""Write the records of ``records/``: ``python write_records.py FOLDER NAME``.

It writes ``FOLDER/NAME.jsonl.gz``, one line for each record: its name, its class, and what ``to_json`` wrote. Run it
once under each BLAS kernel, for example::

    OPENBLAS_CORETYPE=Nehalem python tests/pages/write_records.py tests/pages/records nehalem
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import rropt
import rropt_fieldwork
from rropt.designs.bits import design_bits
from rropt.designs.criterion_designs import solve_under_criterion
from rropt.designs.minimax_risk import minimax_risk
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism
from rropt.noncompliance import prevalence_bounds
from rropt.objectives import Contrast
from rropt.privacy import BoundedRegion, CriterionRegion, LevelsRegion, PrivacyRegion, criterion_level, parity_bound
from rropt.privacy.criteria import canonical_information_privacy, rho_to_rho
from rropt_fieldwork.devices.device_designs import design_devices

solve = partial(rropt.solve, fast=True)  # the comparison of the two posings is no part of what is read
SHARES = {5: ["2/5", "1/4", "3/20", "3/20", "1/20"], 6: ["3/10", "1/5", "1/5", "3/20", "1/10", "1/20"]}


def records() -> Iterator[tuple[str, Any]]:
    """Iterate over a record of every kind that holds a certificate, the criteria of k = 5 and 6 among them."""
    yield from _designs()
    yield from _binary()
    yield from _others()


def _designs() -> Iterator[tuple[str, Any]]:
    for k, shares in SHARES.items():
        for letter, epsilon in (("a", "1"), ("c", "1"), ("d", "1"), ("e", "1"), ("e", "log(3)")):
            contrast = [1, -1] + [0] * (k - 2) if letter == "c" else None
            problem = rropt.Problem.kary(
                epsilon=epsilon,
                objective=rropt.objectives.Contrast(contrast) if contrast else f"{letter}-optimal",
                population=shares,
            )
            yield f"{letter}-optimal k={k} epsilon={epsilon}", solve(problem)
    shares = SHARES[5]
    for objective, against in (
        ("mutual-information", None),
        ("total-variation", ["1/5"] * 5),
        ("chi-square", ["1/5"] * 5),
    ):
        problem = rropt.Problem.kary(
            epsilon="1",
            objective=rropt.objectives.OBJECTIVES[objective](*[against] if against else []),
            population=shares,
        )
        yield objective, solve(problem)
    yield (
        "a-optimal equal shares",
        solve(rropt.Problem.kary(12, epsilon=1, objective="a-optimal")),
    )
    yield (
        "d-optimal equal shares",
        solve(rropt.Problem.kary(7, epsilon=1, objective="d-optimal")),
    )
    groups = ["1/8"] * 4 + ["1/24"] * 12
    yield (
        "a-optimal groups",
        solve(rropt.Problem.kary(epsilon=1, objective="a-optimal", population=groups)),
    )
    for outputs in (2, 3):
        few = rropt.Problem.kary(epsilon=1, objective="a-optimal", population=["1/2", "1/2"], outputs=outputs)
        yield f"a-optimal outputs={outputs}", solve(few)
    yield "trace", solve(rropt.Problem.kary(5, epsilon=1, objective="trace"))
    yield "trace delta", solve(rropt.Problem.kary(4, epsilon="log(2)", delta="1/10", objective="trace"))
    yield "trace weights", solve(rropt.Problem.kary(3, epsilon=1, objective=rropt.objectives.Trace([1, 2, 3])))
    loss = rropt.Problem.kary(epsilon=1, objective="loss:absolute", population=["1/2", "1/3", "1/6"])
    yield "loss", solve(loss)
    far = rropt.Problem(
        LevelsRegion.by_distance("log(2)", distance=lambda j, other: abs(j - other), inputs=3, outputs=3),
        rropt.Problem.kary(3, epsilon=1, objective="trace").objective,
        ["1/3"] * 3,
    )
    yield "trace by distance", solve(far)
    least = BoundedRegion.sparse(PrivacyRegion("log(2)", inputs=3, outputs=3), least={(j, j): "2/5" for j in range(3)})
    yield "trace bounded", solve(rropt.Problem(least, far.objective, ["1/3"] * 3))


def _binary() -> Iterator[tuple[str, Any]]:
    for name, given in {
        "binary": {"epsilon": 1, "delta": "1/100", "prevalence": "1/4"},
        "binary tie": {"epsilon": "log(2)", "delta": "1/4", "prevalence": "1/4"},
        "binary exact": {"epsilon": "log(3)", "prevalence": "1/10"},
        "binary warner": {"epsilon": "1/2", "prevalence": "1/10", "family": "warner"},
        "binary certain": {"epsilon": 1, "delta": "1/4", "prevalence": 0},
        "binary any": {"epsilon": "log(2)", "delta": "1/4", "prevalence": "1/4", "outputs": "any"},
        "binary any irrational": {"epsilon": 1, "delta": "1/100", "prevalence": "1/4", "outputs": "any"},
        "binary three": {"epsilon": 1, "delta": "1/10", "prevalence": "1/4", "outputs": 3},
    }.items():
        yield name, solve(rropt.Problem.binary(**given))
    region = PrivacyRegion(1, inputs=2, outputs="any")
    over = rropt.objectives.Populations.between(["1/4", "1/4"], ["3/4", "3/4"])
    yield "worst case", solve(rropt.designs.Problem(region, Contrast([0, 1]), over))
    yield "interval", solve_over_interval(PrivacyRegion("log(2)", "1/2"), "0..3/4", fast=True)
    yield "interval irrational", solve_over_interval(PrivacyRegion(1), "1/10..1/5", fast=True)
    criterion = canonical_information_privacy("min(1, 2*p + 1/10)")
    level = criterion_level(criterion)
    yield (
        "criterion",
        solve_under_criterion(
            level,
            lambda end: rropt.Problem.binary("1/10", epsilon=level.epsilon if end is None else end),
            fast=True,
        ),
    )
    wanted = rropt.Problem.binary("1/10", epsilon=1).objective
    yield "criterion region", solve(rropt.Problem(CriterionRegion(criterion), wanted, ["9/10", "1/10"]))
    yield (
        "criterion exact",
        solve_under_criterion(
            criterion_level(rho_to_rho("1/5", "1/2")),
            lambda end: rropt.Problem.binary(
                "1/10", epsilon=criterion_level(rho_to_rho("1/5", "1/2")).epsilon if end is None else end
            ),
            fast=True,
        ),
    )


def _others() -> Iterator[tuple[str, Any]]:
    yield "bits", design_bits("log(8)", weights=[10, 0, 81], fast=True)
    yield "bits joint", design_bits(3, questions=5, objective="joint", fast=True)
    yield "bits irrational", design_bits(2, weights=[1, 2, 5], prevalences=["1/10", "1/2", "1/3"], fast=True)
    yield "devices", design_devices("log(3)", "1/10", deck=20, cards=3)
    yield "minimax", minimax_risk(1, 2)
    yield "minimax delta", minimax_risk("log(3)", 3, delta="1/10")
    yield "repair", repair([[0.8, 0.1], [0.2, 0.9]], "log(4)", fast=True)
    yield "repair sum", repair([[0.8, 0.1], [0.2, 0.9]], 1, norm="l1", fast=True)
    yield "compare designs", rropt_fieldwork.compare_designs(1, prevalence="1/10", respondents=20)
    yield "compare designs of categories", rropt_fieldwork.compare_kary_designs(3, epsilon="log(3)", margin="1/10")
    answers = (Mechanism.binary("5/6", "5/6"), [1604, 831])
    yield "bounds", prevalence_bounds(answers, theta="0.05")
    yield "bounds refuted", prevalence_bounds((Mechanism.binary("5/6", "5/6"), [2400, 35]), theta="0")
    yield "breakdown", rropt.noncompliance.breakdown_point(answers, "at least 20 %")
    yield "least others", rropt.noncompliance.least_noncompliers(answers, "0.4")
    asked = {"conclusion": "at least 20 %", "truth": "0.4", "sizes": [99], "model": "always-no"}
    yield "noncompliance", rropt.noncompliance.noncompliance_bounds(answers, **asked)
    yield "width", rropt.noncompliance.design_noncompliance(epsilon=1, theta="0.05", n=100, prevalence="0.1")
    yield "parity bound", parity_bound(rho_to_rho(Fraction(1, 5), Fraction(1, 2)), fast=True)


def main(folder: str, name: str) -> None:
    """Write the records of this version."""
    lines = []
    for title, result in records():
        text = result.to_json()
        lines.append(
            json.dumps(
                {
                    "name": title,
                    "class": f"{type(result).__module__}.{type(result).__qualname__}",
                    "record": json.loads(text),
                }
            )
        )
        print(f"{title}: {len(text)} characters", file=sys.stderr, flush=True)
    with gzip.GzipFile(Path(folder) / f"{name}.jsonl.gz", "wb", mtime=0) as file:
        file.write("\n".join(lines).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
