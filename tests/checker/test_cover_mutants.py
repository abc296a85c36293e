"""The statement parity-bound: a changed certificate is accepted only if its claim is still true."""

from __future__ import annotations

import collections
import functools
import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from adversary import forger
from adversary.asking import ask
from adversary.covers import is_true, truth
from adversary.fuzz.covers import Claim, search
from adversary.fuzz.criteria import BITS
from adversary.fuzz.version_2 import Version2
from few_rows import few_rows

from rropt.privacy.bound import parity_bound
from rropt.privacy.bound_certificate import infimum_certificate
from rropt.privacy.criteria import (
    Criterion,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)

CRITERIA: dict[str, Criterion] = {
    "rho": rho_to_rho("1/5", "1/2"),
    "beta": beta_factor("3/2"),
    "dlp": differential_local_privacy("log(2)"),
    "irrational dlp": differential_local_privacy("1/2"),
    "owned step": canonical_information_privacy("piecewise(1/2, p <= 1/5, 1)"),
    "irrational open step": canonical_information_privacy("piecewise(1/2, p^2 < 1/5, 1)"),
    "irrational point": canonical_information_privacy("piecewise(1, p^2 < 1/2, 3/4, p^2 <= 1/2, 1)"),
    "inside": canonical_information_privacy("min(1, p + 1/10)"),
    "algebraic": canonical_information_privacy("min(1, 2*p + 1/10)"),
    "kink": canonical_information_privacy("min(1, max(2*p, p + 1/5))"),
    "two sides": information_privacy(lower="p/2", upper="min(1, 3*p)"),
    "lower step": information_privacy(lower="piecewise(1/3, p > 1/2, 0)", upper="1"),
    "constant": information_privacy(lower="p/(3 - 2*p)", upper="1"),
    "infinite": information_privacy(lower="0", upper="1"),
    "root": canonical_information_privacy("sqrt(p)"),
    "root inside": canonical_information_privacy("sqrt(p*(2-p))"),
    "exponential": canonical_information_privacy("(1 - exp(-3*p))/(1 - exp(-3))"),
    "constants": canonical_information_privacy("min(1, exp(1/2)*p)"),
    "lower root": information_privacy(lower="1 - sqrt(1-p)", upper="1"),
    "p log p": canonical_information_privacy("p*(1 - log(p)/5)"),
    "minimum, tied at 0": canonical_information_privacy("min((1-exp(-p))/(1-exp(-1)), 1-(1-p)^(13/10))"),
    "root, irrational step": canonical_information_privacy("piecewise(sqrt(p), p^2 < 1/2, 1)"),
}


@functools.cache
def _text(name: str) -> str:
    criterion = CRITERIA[name]
    document = infimum_certificate(criterion, parity_bound(criterion, fast=True)).to_dict()
    assert is_true(document)  # the oracle agrees with the honest file
    return json.dumps(document)


def certified(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_text(name))
    return document


@pytest.mark.slow
@pytest.mark.parametrize("name", CRITERIA)
def test_no_mutant_makes_the_claim_false(name: str, size: Callable[[int, int], int], rng: random.Random) -> None:
    document, others = certified(name), [certified(each) for each in CRITERIA]
    tried = kept = 0
    for _ in range(size(10, 400)):
        try:
            mutant = forger.altered(document, others, rng)
        except (IndexError, KeyError, TypeError, AttributeError, ValueError):
            continue  # an earlier change took the place of a later one away
        tried += 1
        if mutant != document and ask(json.dumps(mutant)):
            kept += 1
            assert is_true(mutant), mutant
    assert tried >= size(5, 200)
    assert kept < tried


@pytest.mark.slow
def test_the_claim_alone_is_told_from_the_truth(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Raised lower ends, lowered upper ends, wrong attainment, wrong places: by 10^-3 to 10^-18."""
    tried = collections.Counter[str]()
    for name in CRITERIA:
        document = certified(name)
        claim = document["claim"]
        if claim["lower"] == "infinite":
            continue
        lower, upper = Fraction(claim["lower"]), Fraction(claim["upper"])
        for digits in rng.sample(range(3, 19), size(1, 16)):
            change = Fraction(1, 10**digits)
            for raised in (
                {"lower": str(upper + change)},
                {"lower": str(upper + change), "upper": str(upper + change)},
            ):
                assert not ask(json.dumps({**document, "claim": {**claim, **raised}}))
            lowered = {"lower": str(lower - 2 * change), "upper": str(lower - change)}
            assert not ask(json.dumps({**document, "claim": {**claim, **lowered}}))
            tried["bounds"] += 3
        for lie in [{**document, "claim": {**claim, "attained": state}} for state in (True, False)]:
            if claim["attained"] is not None and lie["claim"]["attained"] != claim["attained"]:
                assert not is_true(lie)
                assert not ask(json.dumps(lie))
                tried["attained"] += 1
        for at in ("0+", "1-", "1/7", "5/7"):
            if at != claim["at"]:
                assert not ask(json.dumps({**document, "claim": {**claim, "at": at}}))
                tried["at"] += 1
    assert tried["attained"] == len(CRITERIA) - 3  # an infinite one; two at irrational ends that are not owned
    assert tried["bounds"] >= size(50, 800)
    assert tried["at"] >= 50


@few_rows(1)
@pytest.mark.parametrize("name", [name for name in CRITERIA if name != "infinite"])
def test_no_cover_proves_a_lie(name: str, size: Callable[[int, int], int], rng: random.Random) -> None:
    """The fuzzers' search for covers, set on false claims about honest criteria, finds none; on a true one it does.

    In the gate one lie about each criterion, in turn, and a true claim about every third; at full size all of them.
    """
    turn = list(CRITERIA).index(name)
    document = certified(name)
    problem, claim = document["problem"], document["claim"]
    with mp.workprec(BITS):
        found = truth(problem)
    assert found is not None
    lower, upper = Fraction(claim["lower"]), Fraction(claim["upper"])
    tiny = Fraction(1, 10**12)
    lies = [
        Claim(upper + tiny, upper + tiny, None, "both too high"),
        Claim(upper + tiny, upper + 1, None, "lower too high"),
        Claim(lower / 2, lower - tiny, None, "upper too low"),
    ]
    if claim["attained"] is not None:
        lies.append(Claim(lower - tiny, upper + tiny, not claim["attained"], "attained"))
    for lie in [lies[turn % len(lies)]] if size(1, 0) else lies:
        assert search(Version2(), problem, lie, found, rng)[0] in ("cells", "point"), lie
    slack = Fraction(1, 1000)
    if turn % size(3, 1):
        return
    assert search(Version2(), problem, Claim(lower - slack, upper + slack, None, "true"), found, rng)[0] == "accepted"
