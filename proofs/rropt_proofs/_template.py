"""A claim in one file: copy this file into a package of your own and announce the package as an entry point.

[project.entry-points."rropt.claims"]
my_claims = "my_claims"
"""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point
from rropt.mechanisms import Mechanism


def theory(point: Point) -> Fraction:
    """What the statement says."""
    return Fraction(point["p"]) / (1 - point["p"])


def computed(point: Point) -> Fraction | None:
    """What is true, by a route that does not use the statement."""
    return Mechanism.binary(point["p"], point["p"]).parity()


CLAIM = Claim(
    id="template.warner-parity",
    source="this file",
    place=(1, 1),
    printed=r"Warner's design with $p\ge\frac12$ has parity $\frac{p}{1-p}$.",
    precise="For 1/2 <= p < 1 the parity of the mechanism (p, p) is p / (1 - p).",
    variables={"p": Domain.interval("1/2 <= p <= 99/100", "1/2", "99/100")},
    theory=theory,
    computed=computed,
    mutant=lambda point: 1 + theory(point),  # a slightly false variant, which the same check must reject
)
