"""Maxima and minima of finitely many expressions: compared by comparisons of one with one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rropt.claims.anchors.declarations import Max, Min
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.prover import Prover
from rropt.claims.relations import Relation, expression
from rropt.positivity import NoProofError

_WEAK = ("equality", "unique", "iff")  # both directions


def prove_extremes(examiner: Examiner, prover: Prover, theory: Any, computed: Any, how: tuple[Any, ...]) -> None:
    """Prove how two extremes of finitely many expressions compare, by comparisons of one with one."""
    strength, name, degree = how
    if strength not in (*_WEAK, "at-most", "at-least", "less", "greater"):
        raise NotAnchoredError(f"extremes do not compare so: received {strength}")
    if strength in (*_WEAK, "at-most"):
        _below(examiner, prover, computed, theory, (">=", name, degree))
    if strength in (*_WEAK, "at-least"):
        _below(examiner, prover, theory, computed, (">=", name, degree))
    if strength in ("less", "greater"):
        low, high = (computed, theory) if strength == "less" else (theory, computed)
        _below(examiner, prover, low, high, (">", name, degree))


def _below(examiner: Examiner, prover: Prover, low: Any, high: Any, how: tuple[Any, ...]) -> None:
    """Prove low <= high: every part of a maximum (some of a minimum) below some of a maximum (every of a minimum)."""
    sign, name, degree = how
    lows, every_low = _parts(low), not isinstance(low, Min)
    highs, every_high = _parts(high), isinstance(high, Min)
    if every_low and not every_high:  # may differ from part to part
        for part in lows:
            _some(examiner, prover, [[Relation(other, sign, part)] for other in highs], (name, degree))
        return
    if not every_low and every_high:
        for other in highs:
            _some(examiner, prover, [[Relation(other, sign, part)] for part in lows], (name, degree))
        return
    pairs = [Relation(h, sign, part) for h in highs for part in lows]
    _some(examiner, prover, [pairs] if every_low else [[pair] for pair in pairs], (name, degree))


def _parts(side: Any) -> list[Any]:
    return [expression(part) for part in side.parts] if isinstance(side, Max) else [side]


def _some(examiner: Examiner, prover: Prover, choices: Sequence[Sequence[Relation]], how: tuple[Any, ...]) -> None:
    """Prove all relations of one of the choices."""
    error = NoProofError(f"{how[0]}: nothing to prove")
    for goals in choices:
        tried = prover.with_facts(())  # a choice that fails leaves no certificate, and no sign without its certificate
        kept = len(prover.certificates)
        try:
            for goal in goals:
                examiner.proved(tried, goal, how[0], how[1])
        except NoProofError as reason:
            del prover.certificates[kept:]
            error = reason
        else:
            return
    raise error
