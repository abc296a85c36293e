"""Sharp bounds of a prevalence when exactly theta of the respondents may answer anything."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER

_NAMES = ("p00", "p11", "theta", "u", "v", "w")


def _numbers(point: Point) -> list[Fraction]:
    return [Fraction(point[name]) for name in _NAMES]


def theory(point: Point) -> dict[str, Any]:
    """The formulas, at the proportion of yes that the population gives; of the device, and with yes and no
    exchanged."""
    p00, p11, theta, u, _, w = _numbers(point)
    c, d = 1 - p00, p00 + p11 - 1
    estimate = ((c + d * u) * (1 - theta) + w * theta - c) / d
    low, high = estimate - (1 - c) * theta / d, estimate + (c + d) * theta / d
    exchanged, slope = 1 - c, -d
    mirrored = ((exchanged + slope * u) * (1 - theta) + w * theta - exchanged) / slope
    least, most = mirrored + exchanged * theta / slope, mirrored - (1 - exchanged - slope) * theta / slope
    return {
        **_ends("d > 0", low, high, theta * (1 + 1 / d)),
        **_ends("d < 0", least, most, theta * (1 + 1 / d)),
    }


def _ends(case: str, low: Fraction, high: Fraction, width: Fraction) -> dict[str, Any]:
    return {
        f"lower, {case}": Bound("at-least", low),
        f"upper, {case}": Bound("at-most", high),
        f"attained lower, {case}": low,
        f"attained upper, {case}": high,
        f"width, {case}": width,
    }


def computed(point: Point) -> dict[str, Any]:
    """Populations of four kinds of people; the two extreme ones solved from the proportion of yes."""
    p00, p11, theta, u, v, w = _numbers(point)
    return {
        **_populations("d > 0", 1 - p00, p11, theta, u, v, w, 1),
        **_populations("d < 0", p00, 1 - p11, theta, u, v, w, 0),
    }


def _populations(
    case: str, yes0: Fraction, yes1: Fraction, theta: Fraction, u: Fraction, v: Fraction, w: Fraction, lowering: int
) -> dict[str, Any]:
    """The probabilities of yes without and with the trait; others who all say ``lowering`` make the prevalence
    least."""
    compliers, others = (1 - theta) * u, theta * v
    yes = (1 - theta - compliers) * yes0 + compliers * yes1 + theta * w

    def prevalence(others_say: int, others_have_it: int) -> Fraction:
        """When all others are alike: the compliers with the trait from two linear equations."""
        return (yes - theta * others_say - (1 - theta) * yes0) / (yes1 - yes0) + theta * others_have_it

    low, high = prevalence(lowering, 0), prevalence(1 - lowering, 1)
    return {
        f"lower, {case}": compliers + others,
        f"upper, {case}": compliers + others,
        f"attained lower, {case}": low,
        f"attained upper, {case}": high,
        f"width, {case}": high - low,
    }


def mutant(point: Point) -> dict[str, Any]:
    """Others who all have the trait, or none, forgotten: the width without the 1."""
    d = Fraction(point["p00"]) + point["p11"] - 1
    return {**theory(point), "width, d > 0": Fraction(point["theta"]) / d}


def proof() -> Anchored:
    """pi - lower = theta (v + (1 - w)/d) and upper - pi = theta (1 - v + w/d) for d > 0; and their mirror images."""
    sides = ("lower", "upper", "attained lower", "attained upper", "width")
    return Anchored(*(Value(of=f"{side}, {case}") for case in ("d > 0", "d < 0") for side in sides))


def _share(meaning: str) -> Domain:
    return Domain.interval(meaning, 0, 1, also=("1/2", "1/20"))


CLAIM = Claim(
    id="rropt.adversarial-bounds",
    source=f"{PAPER}, respondents who do not follow the device",
    place=(2, 1),
    printed=r"Let $\Pr(\text{yes})=c+d\pi$ among those who follow a binary device, $d\ne0$, and let a share $\theta$ "
    r"of the respondents, of any trait, answer anything. Given the share of yes, and with "
    r"$\hat\pi=(\lambda-c)/d$: $\hat\pi-(1-c)\theta/d\le\pi\le\hat\pi+(c+d)\theta/d$ for $d>0$, and "
    r"$\hat\pi+c\theta/d\le\pi\le\hat\pi-(1-c-d)\theta/d$ for $d<0$; both ends are attained, unless the compliers with "
    r"the trait would be fewer than none or more than all, and their distance is $\theta(1+1/|d|)$.",
    precise="For every binary device with p00 + p11 > 1 (d > 0), and the same one with its answers exchanged (d < 0: "
    "every device with d < 0 is one), theta in [0, 1], shares u of the compliers and v of the others "
    "with the trait and w of the others who say yes: the prevalence lies between the ends; the populations whose "
    "others all say one thing, and all have the trait or none, have the ends as prevalences, as linear equations.",
    variables={
        "p00": _share("Pr(no) of a complier without the trait"),
        "p11": _share("Pr(yes) of a complier with the trait"),
        "theta": _share("share of others"),
        "u": _share("share of compliers with the trait"),
        "v": _share("share of others with the trait"),
        "w": _share("share of others who say yes"),
    },
    assumptions=(
        Condition(
            "a yes is more likely with the trait; the other device has the answers exchanged",
            "p00 + p11 > 1",
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="`rropt noncompliance` cuts the interval to what populations can give, and certifies both ends.",
)
