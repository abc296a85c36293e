"""Figure 3: the breach region of (h_l, h_u)-SIP inside that of [h_l * h_u]-CSIP."""

from __future__ import annotations

from typing import Any

from rropt.claims import Anchored, Bound, Claim, Domain, Entrywise, Max, Min, Point, Value
from rropt_proofs.chainayak2018 import PAPER

LOW = "the parts A and B between 1 - h(1 - a) and h_l(a), and between h_u(1 - a) and h(1 - a)"
HIGH = "the parts A and B between h_u(a) and h(a), and between 1 - h(a) and h_l(1 - a)"


def theory(point: Point) -> dict[str, Any]:
    return {
        "inside, below": Bound("at-least", point["l"]),
        "inside, above": Bound("at-most", point["u"]),
        LOW: abs(point["l"] - (1 - point["v"])),
        HIGH: abs(point["w"] - (1 - point["u"])),
    }


def computed(point: Point) -> dict[str, Any]:
    """The regions slice by slice: at the prior a, [h_l(a), h_u(a)] or [1 - h(1 - a), h(a)] is allowed."""
    here, there = min(point["u"], 1 - point["w"]), min(point["v"], 1 - point["l"])  # h(a) and h(1 - a)
    return {
        "inside, below": 1 - there,
        "inside, above": here,
        LOW: (1 - there - point["l"]) + (point["v"] - there),
        HIGH: (point["u"] - here) + (1 - here - point["w"]),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Identical when h_l(a) = 1 - h_u(a)."""
    return {**theory(point), LOW: abs(point["l"] - (1 - point["u"]))}


def proof() -> Anchored:
    """h(a) = min(u, 1 - w) and 1 - h(1 - a) = max(1 - v, l)."""
    return Anchored(
        Value(of="inside, below", theory="l", computed=Max("1 - v", "l")),
        Value(of="inside, above", theory="u", computed=Min("u", "1 - w")),
        Entrywise(of=LOW),
        Entrywise(of=HIGH),
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
    "h_l(a) and h(a) <= h_u(a), where h(a) = min(h_u(a), 1 - h_l(1 - a)). The parts A and B are what lies between; at "
    "a and 1 - a together they are "
    "|h_l(a) - (1 - h_u(1 - a))| + |h_l(1 - a) - (1 - h_u(a))| long, so that the two are identical if and only if "
    "h_l(a) = 1 - h_u(1 - a) for all 0 <= a <= 1.",
    variables={
        "l": Domain.interval("h_l(a)", 0, 1, also=("1/4", "1/2")),
        "u": Domain.interval("h_u(a)", 0, 1, also=("1/2", "3/4")),
        "w": Domain.interval("h_l(1 - a)", 0, 1, also=("1/4", "1/2")),
        "v": Domain.interval("h_u(1 - a)", 0, 1, also=("1/2", "3/4")),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The two criteria are equivalent (Lemma 3.1), although their regions differ: the parts A and B cannot be "
    "entered by one property without another property entering the region of SIP.",
)
