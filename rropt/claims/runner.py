"""Run a claim: evaluate it on the sweep, check proof and mutant, and compute the verdict."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rropt.claims.cards.card_outcomes import definition_lines, outcome_of, relation_lines
from rropt.claims.claim import Claim, Proof, sides
from rropt.claims.claim_sweeps import ClaimForm, Kept, Sweep, reach, sweep
from rropt.claims.domains import Point, degenerate, is_whole
from rropt.claims.outcomes import (
    AT_SHAPES,
    REFUTED,
    Counterexample,
    Outcome,
    by_readings,
    in_error,
    value_text,
)
from rropt.claims.stated_values import agrees, relation_of, require_value
from rropt.claims.symbolic_runs.entrywise import prove_on_symbols
from rropt.claims.symbolic_runs.shapes import NotProvedError
from rropt.core.errors import InvalidParameterError, RroptError

_MOST_CELLS = 60  # largest number of failing cases that are listed
_LONGEST = 10_000  # characters of a calculation
_AGAIN = 20  # number of points at which both sides are computed a second time
_SELDOM = (50_000, 20, 50)  # thresholds of the garbage collection, which otherwise takes a fifth of the time


def run_claim(claim: Claim) -> Outcome:
    """Return the outcome of a claim.

    Errors of the entry itself are listed in ``problems`` and make its verdict ``error``, since an entry that cannot
    fail proves nothing. Such errors are: no admissible point, an accepted mutant, a rejected proof, a correction that
    disagrees.

    Args:
        claim: an entry of a registry.
    """
    start = time.perf_counter()
    try:
        with _seldom_collected():
            kept: Kept = {}
            found = [
                (each.name, each.rests_on, _outcome(replace(claim, readings=(), **each.changes), kept))
                for each in claim.readings
            ]
            outcome = by_readings(found, claim.printed) if found else _outcome(claim, kept)
    except Exception as error:  # an error in user code must end only its own entry
        is_told = claim.card is not None and isinstance(error, RroptError)  # the message says what to change in a card
        outcome = in_error(claim.id, str(error) if is_told else f"{type(error).__name__}: {error}")
    return replace(
        outcome,
        printed=claim.printed,
        precise=claim.precise,
        note=claim.notes,
        source=claim.source,
        relations=tuple(relation_lines(claim.card)) if claim.card else (),
        definitions=tuple(definition_lines(claim.card)) if claim.card else (),
        seconds=time.perf_counter() - start,
    )


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Collect garbage less often in a ``with`` block: a run creates many objects, few of which form cycles."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _outcome(claim: Claim, kept: Kept) -> Outcome:
    if claim.card is not None:
        return outcome_of(claim.card)
    problems: list[str] = []
    as_printed = ClaimForm("as printed", claim.assumptions, claim.rows)
    printed = sweep(claim, as_printed, kept)
    if claim.not_checkable:
        if printed.failing:
            problems.append(f"what is computed beside it disagrees at {value_text(printed.failing[0].point)}")
        label, scope = reach(claim, as_printed, printed)
        return Outcome(
            id=claim.id,
            verdict="error" if problems else "not-checkable",
            evidence=label,
            scope=scope,
            points=printed.count,
            seconds=0.0,
            reason=claim.not_checkable,
            problems=tuple(problems),
        )
    if not printed.count:
        problems.append("no point meets the assumptions")
    verdict, form = _verdict(claim, as_printed, printed, problems)
    final = printed if form is as_printed or form is None else sweep(claim, form, kept)
    if verdict != "holds" and form and final.failing:
        problems.append(f"the repaired statement fails at {value_text(final.failing[0].point)}")
    if verdict != "holds" and form and not final.count:
        problems.append("no point meets the assumptions of the repaired statement")
    if final.hidden is not None:
        problems.append(
            "a condition of well-definedness leaves out a point at which both sides have values, which disagree: "
            + value_text(final.hidden)
        )
    if printed.failing and not any(_is_stated(claim, each.point) for each in printed.failing):
        problems.append("no counterexample lies within the range that the paper states: " + _range_of(claim))
    if verdict == "holds-with-assumption":
        _needed(claim, printed, problems)
    rejected_at = _mutated_rows(claim, final, problems)
    reached, proof = _evidence(claim, form or as_printed, final, problems)
    refuted = verdict == "fails"
    return Outcome(
        id=claim.id,
        verdict="error" if problems else verdict,
        evidence=REFUTED if refuted else reached,
        correction_evidence=reached if refuted and form else "",
        about=form.name if form else "the counterexample",
        scope=proof.scope,
        points=printed.count,
        seconds=0.0,
        undefined=printed.undefined,
        failing=len(printed.failing),
        assumption="; ".join(condition.text for condition in claim.missing) if verdict != "holds" else "",
        counterexample=_counterexample(claim, printed),
        cells=_cells(claim, printed),
        remarks=_remarks(claim, printed),
        correction=claim.correction.statement if claim.correction and printed.failing else "",
        argument=proof.argument,
        unchecked_steps=proof.unchecked_steps,
        certificates=proof.certificates,
        mutant_rejected_at=rejected_at,
        problems=tuple(problems),
        sizes=proof.sizes,
        theorems=proof.theorems,
    )


def _verdict(claim: Claim, as_printed: ClaimForm, printed: Sweep, problems: list[str]) -> tuple[str, ClaimForm | None]:
    """Return the verdict, and the true form of the statement if it is known."""
    if not printed.failing:
        if claim.missing or claim.correction:
            problems.append("the statement as printed agrees everywhere, yet the entry repairs it")
        return "holds", as_printed
    if claim.missing:
        conditions = (*claim.assumptions, *claim.missing)
        return "holds-with-assumption", replace(as_printed, name="with the assumption", conditions=conditions)
    if claim.correction is None:
        return "fails", None
    fixed = claim.correction
    return "fails", ClaimForm("corrected", (*claim.assumptions, *fixed.conditions), fixed.rows)


def _needed(claim: Claim, printed: Sweep, problems: list[str]) -> None:
    """Report missing conditions that are not needed: without one of them the statement must fail at some point."""
    for dropped in claim.missing:
        others = [condition for condition in claim.missing if condition is not dropped]
        kept = [each for each in printed.failing if all(other.holds(each.point) for other in others)]
        if not kept:
            problems.append(f"the missing condition is not needed beside the others: {dropped.text}")


def _mutated_rows(claim: Claim, final: Sweep, problems: list[str]) -> Point | None:
    """Return a point at which a mutant is false.

    Report other rows or signs at some point, a mutant that is true at all points, and a row that no mutant breaks.
    """
    kinds = {
        tuple((name, getattr(said, "strength", "=")) for name, said in each.says.items()) for each in final.results
    }
    if len(kinds) > 1:
        problems.append("the rows, or their signs, are not the same at all points")
    rejected, broken = None, set[str]()
    for number, rows in enumerate(claim.mutants, 1):
        own = set[str]()
        for each in final.results:
            says, is_ = sides(rows(each.point))
            for side in (says, is_):  # a value that is not exact, such as nan, differs from every other
                require_value(side, f"mutant {number}", value_text(each.point))
            own |= {name for name, said in says.items() if not agrees(said, is_[name])}
            rejected = each.point if own and rejected is None else rejected
            if own >= says.keys() - broken:
                break
        if not own:
            problems.append(f"mutant {number} of `false` is true at all points")
        broken |= own
    left = [name for name in (final.results[0].says if final.results else ()) if name not in broken]
    problems += [f"no mutant of `false` breaks the row {name}" for name in left]
    return rejected


def _evidence(claim: Claim, form: ClaimForm, final: Sweep, problems: list[str]) -> tuple[str, Proof]:
    """Return the label of a form, with its proof: the given one, that of a run on symbols, or none for a sweep."""
    label, scope = reach(claim, form, final)
    if claim.proof is not None:
        proof: Any = claim.proof()  # user code, so its annotated return type is not trusted
        problems += _defects(proof)
        if problems:
            return label, Proof(scope, "")
        return "proved" if proof.theorems and not proof.unchecked_steps else "argued", proof
    if final.failing or label not in ("tested", "enumerated") or problems:
        return label, Proof(scope, "")
    try:
        proved = prove_on_symbols(claim, form, final.results)
        for each in final.results[:: max(1, final.count // _AGAIN)]:
            if form.both(each.point) != (each.says, each.is_):
                raise NotProvedError(f"a side has another value the second time at {value_text(each.point)}")
    except (InvalidParameterError, TypeError, LookupError, ArithmeticError) as reason:
        told = (f"not proved for all values: {reason}",) if label == "tested" else ()
        return label, Proof(scope, "", unchecked_steps=told)
    return AT_SHAPES if proved.sizes else "proved", proved


def _defects(proof: Any) -> list[str]:
    """Return what is wrong with a written argument: each certificate must be accepted."""
    if not isinstance(proof, Proof):
        return [f"a proof is Proof(...): received {type(proof).__name__}"]
    if not proof.certificates and not proof.unchecked_steps and not proof.theorems:
        return ["the proof has no certificate, no theorem and no unchecked step: write one of them"]
    verdicts = [(name, certificate.check()) for name, certificate in proof.certificates]
    return [f"the certificate of {name} is {verdict}" for name, verdict in verdicts if not verdict]


def _counterexample(claim: Claim, printed: Sweep) -> Counterexample | None:
    """Return the simplest generic counterexample with its calculation, or None."""
    if not printed.failing:
        return None
    inside = [each for each in printed.failing if _is_stated(claim, each.point)]
    least = min(
        inside or printed.failing, key=lambda each: (degenerate(claim.variables, each.point), *_size(each.point))
    )
    working: Any = claim.working(least.point) if claim.working else ""  # a function of the entry may return a number
    text = str(working)
    if working is None or len(text) > _LONGEST:
        told = "nothing" if working is None else f"{len(text)} characters"
        raise InvalidParameterError(f"`working` returns {told}: return a calculation of at most {_LONGEST} characters")
    example = Counterexample(dict(least.point), least.says, least.is_, "", text)
    return replace(example, relation=relation_of(example.differing()[0]))


def _range_of(claim: Claim) -> str:
    return "; ".join(part.text for part in claim.stated)


def _is_stated(claim: Claim, point: Point) -> bool:
    """Return whether a point lies in the range that the paper states."""
    return all(part.admits(point) for part in claim.stated)


def _cells(claim: Claim, printed: Sweep) -> tuple[str, ...]:
    """Return every failing case if the family is enumerated completely; empty otherwise."""
    failing = printed.failing
    if not is_whole(claim.variables) or not claim.variables or not 1 < len(failing) <= _MOST_CELLS:
        return ()
    return tuple(sorted(value_text(each.point) for each in failing))


def _remarks(claim: Claim, printed: Sweep) -> tuple[str, ...]:
    """Return the remarks on the entry's own conditions."""
    found = []
    if printed.valued:
        found.append(
            f"{printed.valued} of the {printed.undefined} points that count as undefined give a value on both sides"
        )
    if claim.missing and all(
        all(condition.holds(each.point) for condition in claim.missing) is each.agrees for each in printed.results
    ):
        found.append(
            "on the sweep the missing assumption holds exactly where the statement does: read whether it restates it"
        )
    return tuple(found)


def _size(point: Point) -> tuple[int, str]:
    """Return the sort key of counterexamples: the simplest point is the one with the shortest text."""
    text = value_text(point)
    return len(text), text
