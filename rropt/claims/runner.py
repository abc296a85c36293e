"""Running a claim: sweep, proof, mutant; then the verdict follows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rropt.claims.anchors.declarations import Anchored
from rropt.claims.anchors.examine import Examiner, Form
from rropt.claims.anchors.shapes import check_shape
from rropt.claims.claim import Claim, Condition, Side
from rropt.claims.domains import Point, points
from rropt.claims.outcomes import Counterexample, Outcome, value_text
from rropt.claims.proofs import Proof
from rropt.claims.strengths import STRENGTHS, agrees
from rropt.errors import RroptError

__all__ = ["run_claim"]


@dataclass(slots=True)
class _Sweep:
    """The comparison at all admissible points."""

    agreeing: list[tuple[Point, Any, Any]]
    failing: list[Counterexample]
    undefined: int
    outside: list[Point]

    @property
    def count(self) -> int:
        return len(self.agreeing) + len(self.failing)


def run_claim(claim: Claim, *, effort: int = 1) -> Outcome:
    """Return the outcome of a claim; ``effort`` multiplies the number of random points.

    Errors of the entry itself (no admissible point, a mutant that passes, a proof that is rejected, a correction that
    disagrees) are listed in ``problems`` and make its verdict ``error``: an entry that cannot fail proves nothing.
    """
    start = time.perf_counter()
    try:
        outcome = _outcome(claim, effort)
    except Exception as error:  # an entry is somebody's code: its crash is its own verdict, not the registry's end
        outcome = Outcome(claim.id, "error", "", "", 0, 0.0, problems=(f"{type(error).__name__}: {error}",))
    return replace(outcome, seconds=time.perf_counter() - start)


def _outcome(claim: Claim, effort: int) -> Outcome:
    problems: list[str] = []
    if claim.not_checkable:
        sweep = _sweep(claim, claim.assumptions, claim.theory, claim.computed, claim.strength, effort)
        if sweep.failing:
            problems.append(f"what is computed beside it disagrees at {value_text(sweep.failing[0].point)}")
        return Outcome(
            id=claim.id,
            verdict="error" if problems else "not-checkable",
            evidence=claim.evidence,
            scope=claim.scope,
            points=sweep.count,
            seconds=0.0,
            reason=claim.not_checkable,
            problems=tuple(problems),
        )
    printed = _sweep(claim, claim.assumptions, claim.theory, claim.computed, claim.strength, effort)
    if not printed.count:
        problems.append("no point meets the assumptions")
    verdict, true_form = _verdict(claim, printed, problems)
    final = printed if verdict == "holds" else _sweep(claim, *true_form, effort) if true_form else printed
    if verdict != "holds" and true_form and final.failing:
        problems.append(f"the repaired statement fails at {value_text(final.failing[0].point)}")
    if verdict != "holds" and true_form and not final.count:
        problems.append("no point meets the assumptions of the repaired statement")
    rejected_at = _mutant(claim, true_form, effort, problems)
    proof, label = _proof(claim, true_form, final, problems)
    return Outcome(
        id=claim.id,
        verdict="error" if problems else verdict,
        evidence=label or claim.evidence,
        scope=proof.scope if proof else claim.scope,
        anchored=proof.anchored if proof else (),
        links=proof.links if proof else (),
        unneeded=proof.unneeded if proof else (),
        points=printed.count,
        seconds=0.0,
        undefined=printed.undefined,
        assumption="; ".join(condition.text for condition in claim.missing) if verdict != "holds" else "",
        counterexample=_counterexample(claim, printed),
        correction=claim.correction.statement if claim.correction and verdict == "fails" else "",
        argument=proof.argument if proof else "",
        unchecked_steps=proof.unchecked_steps if proof else (),
        certificates=proof.certificates if proof else (),
        mutant_rejected_at=rejected_at,
        problems=tuple(problems),
    )


_Form = tuple[Sequence[Condition], Side, Side, str]


def _verdict(claim: Claim, printed: _Sweep, problems: list[str]) -> tuple[str, _Form | None]:
    """Return the verdict and the true form of the statement."""
    if not printed.failing:
        if claim.missing or claim.correction:
            problems.append("the statement as printed agrees everywhere, yet the entry repairs it")
        return "holds", (claim.assumptions, claim.theory, claim.computed, claim.strength)
    if claim.missing:
        conditions = (*claim.assumptions, *claim.missing)
        return "holds-with-assumption", (conditions, claim.theory, claim.computed, claim.strength)
    if claim.correction is None:
        return "fails", None
    fixed = claim.correction
    conditions = (*claim.assumptions, *fixed.conditions)
    return "fails", (conditions, fixed.theory, fixed.computed or claim.computed, fixed.strength or claim.strength)


def _sweep(
    claim: Claim, conditions: Sequence[Condition], theory: Side, computed: Side, strength: str, effort: int
) -> _Sweep:
    agreeing: list[tuple[Point, Any, Any]] = []
    failing: list[Counterexample] = []
    outside: list[Point] = []
    undefined = 0
    for point in points(claim.variables, claim.count * effort):
        if not all(condition.holds(point) for condition in conditions):
            outside.append(point)
            continue
        if not all(condition.holds(point) for condition in claim.defined):
            undefined += 1
            continue
        says, is_ = theory(point), computed(point)
        if agrees(strength, says, is_):
            agreeing.append((point, says, is_))
        else:
            failing.append(Counterexample(dict(point), says, is_, STRENGTHS[strength][0]))
    return _Sweep(agreeing, failing, undefined, outside)


def _mutant(claim: Claim, form: _Form | None, effort: int, problems: list[str]) -> Point | None:
    """Return a point at which the mutant is rejected; its absence is a defect of the entry."""
    conditions, _, computed, strength = form or (claim.assumptions, None, claim.computed, claim.strength)
    sweep = _sweep(claim, conditions, claim.mutant, computed, strength, effort)
    if not sweep.failing:
        problems.append("the mutant, a false variant, passes the same check")
    if claim.mutant_proof is not None:
        try:
            claim.mutant_proof()
        except RroptError:
            pass
        else:
            problems.append("the mutant, a false variant, has a proof")
    return min(sweep.failing, key=_size).point if sweep.failing else None


def _proof(claim: Claim, form: _Form | None, final: _Sweep, problems: list[str]) -> tuple[Proof | None, str]:
    """Return the proof with what the engine found out about it, and the label that it deserves."""
    if claim.proof is None:
        return None, ""
    proof = claim.proof()
    if isinstance(proof, Anchored):
        proof = _examined(proof, claim, form, final)
    else:  # a proof whose ends nobody checks, whatever it says of itself
        proof = replace(proof, anchored=(), links=(), unneeded=())
        if not proof.certificates:
            problems.append("the proof holds no certificate")
    for name, certificate in proof.certificates:
        verdict = certificate.check()
        if not verdict:
            problems.append(f"the certificate of {name} is {verdict}")
    if problems:
        return None, ""
    return proof, "proved" if proof.anchored and not proof.unchecked_steps else "argued"


def _examined(proof: Anchored, claim: Claim, true: _Form | None, final: _Sweep) -> Proof:
    """Tie the proof to the true form of the claim; what is not tied stands in ``unchecked_steps``."""
    conditions, theory, computed, strength = true or (claim.assumptions, claim.theory, claim.computed, claim.strength)
    conditions = (*conditions, *claim.defined)
    form = Form(claim.variables, claim.bound, conditions, theory, computed, strength, final.agreeing, final.outside)
    examiner = Examiner(proof, form, check_shape)
    found = examiner.run()
    trivial = ("every certificate is trivial: it restates a relation or an identity of equal expressions",)
    return Proof(
        scope=examiner.scope(),
        argument=proof.argument,
        certificates=tuple(found.certificates),
        unchecked_steps=(*proof.unanchored, *found.failures),
        anchored=(*found.anchored, *(trivial if found.trivial and found.anchored else ())),
        links=tuple(found.links),
        unneeded=found.unneeded,
    )


def _counterexample(claim: Claim, printed: _Sweep) -> Counterexample | None:
    """Return the smallest counterexample, with its working."""
    if not printed.failing:
        return None
    smallest = min(printed.failing, key=_size)
    return replace(smallest, working=claim.working(smallest.point)) if claim.working else smallest


def _size(counterexample: Counterexample) -> tuple[int, str]:
    """The smallest counterexample is the one with the fewest digits."""
    text = value_text(counterexample.point)
    return len(text), text
