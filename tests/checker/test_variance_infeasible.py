"""Rule 4 of FORMAT.md for the variance: there is no design exactly when epsilon = 0 and delta = 0."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from adversary import kary_designs as designs
from adversary.asking import ask
from adversary.kary_designs import Document, Written
from adversary.programmes import at, mutated, places, put

from rropt.core.linear import Infeasible, ProgramBuilder, solve
from rropt.designs.certificates.linear_designs import certify_infeasible_design
from rropt.privacy.region import LevelBracket

F = Fraction


def level(problem: Document) -> LevelBracket:
    bracket = designs.levels(problem, 24)
    assert isinstance(bracket, LevelBracket)
    return bracket


def variance(epsilon: str, delta: str, family: str) -> Document:
    region = designs.uniform(2, 2, epsilon, delta) | {"family": family}
    return {"region": region, "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}


def no_design(problem: Document) -> dict[int, Fraction] | None:
    """Return the Farkas vector of the rows of the page, written down from the middle column of its table."""
    above = level(problem).above
    g, d = above.gamma, above.delta
    builder = ProgramBuilder("minimise")
    u, x = builder.variable("u", sign="free"), builder.variable("x", sign="free")
    # a p00 + b p11 + c >= 0 times u, with p00 u = x, p11 u = 1 + u - x
    for a, b, c in (
        (-1, 0, 1),
        (0, -1, 1),
        (1, 0, 0),
        (0, 1, 0),
        (-g, -1, g + d),
        (-1, -g, g + d),
        (g, 1, d - 1),
        (1, g, d - 1),
    ):
        builder.row("", {x: F(a - b), u: F(b + c)}, ">=", F(-b))
    if problem["region"]["family"] == "warner":
        builder.row("", {u: -1, x: 2}, "=", 1)
    outcome = solve(builder.build())
    return dict(enumerate(outcome.farkas)) if isinstance(outcome, Infeasible) else None


@pytest.mark.parametrize("family", ["all", "warner"])
def test_no_design_estimates_anything_only_without_epsilon_and_delta(family: str) -> None:
    for epsilon in ("0", "log(2)", "1/100"):
        for delta in ("0", "1/10", "exp(-3)", "1"):
            problem = variance(epsilon, delta, family)
            farkas = no_design(problem)
            assert (farkas is not None) == (epsilon == delta == "0")
            guess = farkas or {4: F(1)}
            certificate = certify_infeasible_design(Written(problem), level(problem), guess)
            assert bool(ask(certificate.text).verdict) == (farkas is not None)


def test_every_change_of_a_variance_certificate(rng: random.Random) -> None:
    tried = 0
    for family in ("all", "warner"):
        problem = variance("0", "0", family)
        honest = certify_infeasible_design(Written(problem), level(problem), no_design(problem) or {}).to_dict()
        for path in places(honest):
            for _ in range(6):
                mutant = put(honest, path, mutated(at(honest, path), rng))
                verdict = ask(json.dumps(mutant)).verdict
                other = path[0] == "problem" and "population" not in path
                assert not (other and verdict), mutant  # another level leaves something
                tried += 1
    assert tried >= 100
