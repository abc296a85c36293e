"""Equal shares with delta > 0: formulas against rays, the least over all rows, refusals whose advice works."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from fractions import Fraction
from math import isclose, log
from typing import Any

import numpy as np
import pytest
from adversary.asking import ask
from every_case import every_case
from javascript import judge

from rropt import solve
from rropt.cli.main import main
from rropt.core.errors import UnsupportedProblemError
from rropt.designs import Problem
from rropt.designs.problem import uniform
from rropt.mechanisms import BlockMechanism, Mechanism, RevealedBlocks
from rropt.mechanisms.families import Affine, AllSubsets, Direct
from rropt.mechanisms.sampling.samplers import sampler_of
from rropt.objectives import AOptimality, DOptimality, EOptimality
from rropt.privacy import PrivacyRegion

F = Fraction
KINDS = {"a-optimal": AOptimality(), "d-optimal": DOptimality(), "e-optimal": EOptimality()}


def _uniform(k: int, kind: str, epsilon: Any, delta: Any, outputs: Any = "any") -> Problem:
    return Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs=outputs), KINDS[kind], uniform(k))


def _chains(k: int, gamma: Fraction) -> list[list[Fraction]]:
    """Return all rows with entries gamma^0, ..., gamma^h, each of them at least once, and zeros."""
    found = []
    for places in itertools.combinations_with_replacement(range(k + 1), k):  # 0: the entry 0, x: gamma^(x - 1)
        used = set(places) - {0}
        if used == set(range(1, len(used) + 1)) and used:
            found.append([gamma ** (x - 1) if x else F(0) for x in places])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 4, 6, 7, 300, 301, 10_000])
def test_the_value_of_equal_shares_with_delta_is_exact(k: int) -> None:
    """The theorem of the page, in fractions: ``k S <= (1 - t) F_0 + t k``, and 1 of it is that of the constant row."""
    gamma, delta = F(3), F(1, 10**6)
    near = range(max(1, k // 4 - 3), min(k, k // 4 + 4))  # the best size is near k/(gamma + 1)
    best = max(k * (d * gamma**2 + k - d) / (d * gamma + k - d) ** 2 for d in near)
    value = (k - 1) ** 2 / (k * ((1 - delta) * best + delta * k - 1))
    found = solve(Problem.kary(k, epsilon="log(3)", delta=delta, objective="a-optimal"), routes="closed-form")
    assert found.lower == found.upper == value
    assert found.certificate.check()


@every_case("gamma", [F(101, 100), F(3, 2), F(3), F(30), F(10**4)])
@every_case("k", [2, 3, 5, 6])
def test_no_row_is_above_the_line_of_the_theorem(k: int, gamma: Fraction) -> None:
    """``k S <= (1 - t) F_0 + t k`` on all rays, in fractions: a list that shares no code with the rule."""
    best = max(k * (d * gamma**2 + k - d) / (d * gamma + k - d) ** 2 for d in range(1, k))
    rows = _chains(k, gamma)
    for given in rows:
        row = [x / sum(given) for x in given]
        excess = sum(max(F(0), row[j] - gamma * row[i]) for j in range(k) for i in range(k) if i != j) / (k - 1)
        assert k * sum(x * x for x in row) <= (1 - excess) * best + excess * k
    assert len(rows) > k


@pytest.mark.slow
@every_case("kind", KINDS)
@every_case(("k", "gamma", "delta"), [(3, "3", "1/10"), (4, "3/2", "1/3")])
def test_formulas_agree_with_rays(kind: str, k: int, gamma: str, delta: str) -> None:
    epsilon = f"log({gamma})"
    listed = solve(Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs="any"), KINDS[kind], [F(1, k)] * k))
    found = solve(_uniform(k, kind, epsilon, delta))
    assert found.certificate is not None
    assert found.lower <= listed.upper + F(1, 10**9)
    assert listed.lower <= found.upper + F(1, 10**9)
    assert found.upper - found.lower < F(1, 10**12)


@every_case("kind", KINDS)
@every_case("k", [7, 8, 9, 20, 300])
def test_designs_of_up_to_300_categories_attain_the_optimum(kind: str, k: int) -> None:
    """The value of the theorem, written in another way, is reached up to 10^-12 at log(3) and delta 1/1000."""
    delta = F(1, 1000)
    best = max(k * (9 * d + k - d) / F(3 * d + k - d) ** 2 for d in range(1, k))
    rate = ((1 - delta) * k * (best - 1) + delta * k * (k - 1)) / (k - 1)
    told = {"a-optimal": (k - 1) / rate, "e-optimal": 1 / rate, "d-optimal": (k - 1) * log(rate) + log(k)}[kind]
    made = solve(_uniform(k, kind, "log(3)", delta), fast=True)
    assert made.status == "optimal"
    assert made.certificate is not None
    assert made.certificate.check()
    assert made.upper - made.lower <= F(1, 10**12) * abs(made.upper)
    assert isclose(float(made.value), float(told), rel_tol=1e-12)


@every_case("kind", KINDS)
@every_case("k", [7, 10**7])
def test_certificates_of_both_kernels(kind: str, k: int) -> None:
    """They are accepted; with an end beyond the optimum, a larger chance of the truth or another delta, rejected."""
    made = solve(_uniform(k, kind, "1", "1/20"), fast=True)
    text = json.dumps(made.certificate.to_dict())
    assert len(text) < 2000
    assert ask(text).accepted
    assert judge(text) is None
    upper = F(made.certificate.to_dict()["claim"]["upper"])
    lower = F(made.certificate.to_dict()["claim"]["lower"])
    size = max(abs(upper), 1)
    changes: list[tuple[tuple[str | int, ...], str]] = [
        (("claim", "lower"), str(upper + size)), (("claim", "upper"), str(lower - size)),
        (("claim", "mechanism", "revealed-blocks", "revealed"), "1/19"),
        (("claim", "mechanism", "revealed-blocks", "revealed"), "0"),
        (("problem", "levels", 0, "delta"), "0"), (("problem", "objective", "kind"), "mutual-information"),
    ]  # fmt: skip
    for path, value in changes:
        forged = json.loads(text)
        place = forged
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        assert not ask(json.dumps(forged)).accepted, path
        assert judge(json.dumps(forged)) is not None, path


MADE = [
    RevealedBlocks(BlockMechanism(AllSubsets(5, 2), 3), "1/7"),
    RevealedBlocks(BlockMechanism(Direct(3), "3/2"), "1/2"),
    RevealedBlocks(BlockMechanism(Affine(4, 5, 2, 1), 2), "1/3"),
    RevealedBlocks(BlockMechanism(AllSubsets(4, 1), 2), 1),
]


@pytest.mark.parametrize("made", MADE, ids=repr)
def test_the_mechanism_is_its_matrix(made: RevealedBlocks) -> None:
    """Columns, privacy, estimate, variance and file, each from the written out matrix."""
    matrix = Mechanism(made.matrix)
    k, m = made.inputs, made.outputs
    for epsilon in ("log(2)", "log(3)", "0"):
        assert str(made.delta(epsilon)) == str(matrix.delta(epsilon))
    assert made.parity() == matrix.parity()
    assert Mechanism.from_dict(made.to_dict()) == made
    estimate = [made.invert({i: 1}) for i in range(m)]
    for j in range(k):
        mean = [sum((made.row(i)[j] * estimate[i][x] for i in range(m)), F(0)) for x in range(k)]
        assert mean == [F(int(x == j)) for x in range(k)]
    chances = made.apply([F(1, k)] * k)
    own = sum((p * sum(x * x for x in a) for p, a in zip(chances, estimate, strict=True)), F(0)) - F(1, k)
    assert own == made.total_variance()
    if made.is_efficient:
        assert AOptimality().value(matrix, [F(1, k)] * k) == own


@pytest.mark.parametrize(("k", "kind"), [(3, "a-optimal"), (3, "d-optimal"), (4, "e-optimal")])
def test_at_delta_1_the_truth_is_the_design_and_no_output_is_never_given(k: int, kind: str) -> None:
    found = solve(_uniform(k, kind, "log(3)", 1))
    made = found.mechanism
    assert [list(made.row(i)) for i in range(made.outputs)] == [[F(i == j) for j in range(k)] for i in range(k)]
    assert isclose(found.value, {"a-optimal": 1 - 1 / k, "d-optimal": k * log(k), "e-optimal": 1 / k}[kind])
    assert found.twins.sympy.agrees
    assert found.certificate.check()
    assert f"the truth: {k} outputs, 2 bits" in " ".join(found.summary().split())
    assert made.output_bits == 2
    assert made.in_words() == "true answer reported with 1: nothing is randomized"
    assert made.randomize(list(range(k))).tolist() == list(range(k))


@pytest.mark.parametrize("made", MADE[:3], ids=repr)
def test_samples_follow_the_matrix(made: RevealedBlocks) -> None:
    source = np.random.default_rng(7).bytes
    sampler, n = sampler_of(made), 20_000
    for answer in range(2):
        out = np.empty(n, np.int64)
        sampler.draw(np.full(n, answer), source, out)
        seen = Counter(out.tolist())
        assert {sampler.one(answer, source) for _ in range(20)} <= set(range(made.outputs))
        for i, p in enumerate(made.column(answer)):
            assert isclose(seen[i] / n, p, abs_tol=5 * (float(p) / n) ** 0.5 + 1e-12)


@pytest.mark.slow
def test_the_command_answers_from_seven_categories_on(capsys: pytest.CaptureFixture[str]) -> None:
    for k in ("7", "300", "301"):
        arguments = ["design", "kary", "--objective", "a", "--epsilon", "1", "--delta", "1/20", "-k", k]
        assert main(arguments) == 0
        assert "certificate accepted" in capsys.readouterr().out


def test_advice_of_refusals_works() -> None:
    """Every advice is typed."""
    with pytest.raises(UnsupportedProblemError, match="raise epsilon, for example to 1/1000"):
        solve(_uniform(8, "a-optimal", 0, "1/20"))
    for kind in KINDS:
        assert solve(_uniform(8, kind, "1/1000", "1/20")).certificate is not None
    with pytest.raises(UnsupportedProblemError, match="allow 5 bits or more"):
        solve(_uniform(10, "a-optimal", 1, "1/20", outputs=16))
    assert solve(_uniform(10, "a-optimal", 1, "1/20", outputs=32)).certificate is not None
    with pytest.raises(UnsupportedProblemError) as refused:
        solve(Problem(PrivacyRegion(1, "1/20", inputs=8, outputs="any"), KINDS["a-optimal"], [F(1, 8)] * 8))
    assert "or give Problem(region, objective, uniform(categories))" in str(refused.value)
    assert solve(_uniform(8, "a-optimal", 1, "1/20")).certificate is not None


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("a-optimal", {"population": ["1/2", *["1/14"] * 7]}),
        ("mutual-information", {"population": ["1/2", *["1/14"] * 7]}),
        ("c-optimal:1,-1,0,0,0,0,0,0", {"categories": 8}),
    ],
)
def test_formulas_are_not_offered_where_there_are_none(kind: str, given: dict[str, Any]) -> None:
    """Neither for unequal proportions nor for a contrast of equal ones."""
    with pytest.raises(UnsupportedProblemError) as refused:
        solve(Problem.kary(epsilon=1, delta="1/20", objective=kind, **given))
    assert "uniform(" not in str(refused.value)
    assert re.search("at most 6 categories; merge categories$", str(refused.value))
