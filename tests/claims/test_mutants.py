"""False forms of the papers' claims are not proved by the run on symbols.

A false form is that of the mutant, of the true form of the claim: as printed, with the missing assumption, or
corrected. The sweep is told that it agrees everywhere, so that only the run on symbols can refuse it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from rropt.claims import Claim, find_claims
from rropt.claims.claim_sweeps import BothValues, ClaimForm, sweep
from rropt.claims.symbolic_runs.entrywise import prove_on_symbols
from rropt.claims.symbolic_runs.shapes import NotProvedError

PROVED = [
    "chainayak2018.theorem-1.1-necessary",
    "sun2023.algorithm-1",
    "vinterbo2018.theorem-4.4",
    "ziani.theorem-5",
    "ziani.theorem-12-privacy",
]


def _true_form(claim: Claim) -> ClaimForm:
    """Return the form of a claim that is true."""
    fixed = claim.correction
    conditions = (*claim.assumptions, *(fixed.conditions if fixed else claim.missing))
    if fixed is None:
        return ClaimForm("as printed", conditions, claim.rows)
    return ClaimForm("corrected", conditions, fixed.rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_false_forms_are_not_proved_on_symbols(name: str) -> None:
    _prove_mutant(find_claims([name])[name][0])


@pytest.mark.slow
def test_no_false_form_is_proved_on_symbols(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Three entries without a written proof; at full size all of them."""
    entries = {
        name: claim for name, (claim, _) in find_claims([]).items() if not (claim.proof or claim.readings or claim.card)
    }
    for name in rng.sample(sorted(entries), size(3, len(entries))):
        _prove_mutant(entries[name])


def _prove_mutant(claim: Claim) -> None:
    """Require that the run on symbols does not prove the mutant if the sweep does not see that it is false."""
    form = _true_form(claim)
    met = sweep(replace(claim, count=60), form).results
    if claim.id in PROVED:
        assert prove_on_symbols(claim, form, met).scope
    for rows in claim.mutants:
        false = replace(form, rows=rows)
        with pytest.raises((NotProvedError, TypeError, LookupError, ArithmeticError)):
            prove_on_symbols(claim, false, [BothValues(each.point, *false.both(each.point), True) for each in met])
