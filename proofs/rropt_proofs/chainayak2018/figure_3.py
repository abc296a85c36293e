"""Figure 3: the breach region of (h_l, h_u)-SIP inside that of [h_l * h_u]-CSIP."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Domain, Max, Min, Point, Value
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import DEMANDS, SYMMETRIC, canonical, mirrored


def _names(point: Point) -> dict[str, Fraction]:
    """l = h_l(a), u = h_u(a), and w, v the same at 1 - a."""
    (lower, upper), a = point["demand"], Fraction(point["a"])
    return {"l": lower.at(a), "u": upper.at(a), "w": lower.at(1 - a), "v": upper.at(1 - a)}


def theory(point: Point) -> dict[str, Any]:
    here = _names(point)
    return {
        "inside, below": Bound("at-least", here["l"]),
        "inside, above": Bound("at-most", here["u"]),
        "the parts A and B at a and 1 - a": abs(here["l"] - (1 - here["v"])) + abs(here["w"] - (1 - here["u"])),
    }


def computed(point: Point) -> dict[str, Any]:
    """The regions slice by slice: at the prior a, [h_l(a), h_u(a)] or [1 - h(1 - a), h(a)] is allowed."""
    (lower, upper), a = point["demand"], Fraction(point["a"])
    h = canonical(lower, upper)
    low = mirrored(h)
    parts = [low.at(x) - lower.at(x) + upper.at(x) - h.at(x) for x in (a, 1 - a)]
    return {
        "inside, below": low.at(a),
        "inside, above": h.at(a),
        "the parts A and B at a and 1 - a": sum(parts, Fraction(0)),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Identical when h_l(a) = 1 - h_u(a)."""
    here = _names(point)
    gap = abs(here["l"] - (1 - here["u"])) + abs(here["w"] - (1 - here["v"]))
    return {**theory(point), "the parts A and B at a and 1 - a": gap}


def proof() -> Anchored:
    """h(a) = min(u, 1 - w) and 1 - h(1 - a) = max(1 - v, l)."""
    parts, first, second = "the parts A and B at a and 1 - a", "u + w - 1", "l + v - 1"
    cases = (
        Value(of=parts, theory=f"{x}({first}) + {y}({second})", computed=f"{x}({first}) + {y}({second})", where=where)
        for x, y, where in (
            ("+", "+", "u + w >= 1 and l + v >= 1"),
            ("+", "-", "u + w >= 1 and l + v <= 1"),
            ("-", "+", "u + w <= 1 and l + v >= 1"),
            ("-", "-", "u + w <= 1 and l + v <= 1"),
        )
    )
    return Anchored(
        Value(of="inside, below", theory="l", computed=Max("1 - v", "l")),
        Value(of="inside, above", theory="u", computed=Min("u", "1 - w")),
        *cases,
        at=_names,
    )


CLAIM = Claim(
    id="chainayak2018.figure-3",
    source=f"{PAPER}, Figure 3 and the text beside it",
    place=(3, 3),
    printed="However, the PBR given by some $(h_l,h_u)$-SIP can be a proper subset of the PBR of the corresponding "
    r"$[h_l\star h_u]$-CSIP. This is illustrated in Figure 3, where the PBR of $[h_l\star h_u]$-CSIP is the "
    "PBR of $(h_l,h_u)$-SIP (shown as the region shaded [...] with solid lines) plus the two dotted lined "
    r"parts A and B. The two PBRs would be identical only when $h_l(a)=1-h_u(1-a),0\le a\le1$.",
    precise="W[h_l, h_u] is contained in W[1 - h(1 - .), h], h = [h_l * h_u]: at every 0 <= a <= 1, 1 - h(1 - a) >= "
    "h_l(a) and h(a) <= h_u(a). The parts A and B are what lies between; at a and 1 - a together they are "
    "|h_l(a) - (1 - h_u(1 - a))| + |h_l(1 - a) - (1 - h_u(a))| long, so that the two are identical if and only if "
    "h_l(a) = 1 - h_u(1 - a) for all 0 <= a <= 1.",
    variables={
        "demand": Domain(DEMANDS.meaning, (*DEMANDS.boundary, *SYMMETRIC), DEMANDS.draw),
        "a": Domain.interval("a prior", 0, 1, also=("1/5", "1/4", "1/3", "1/2", "3/4")),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The two criteria are equivalent (Lemma 3.1), although their regions differ: the parts A and B cannot be "
    "entered by one property without another property entering the region of SIP.",
)
