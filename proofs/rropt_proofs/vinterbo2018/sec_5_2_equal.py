"""Section 5.2: the two devices at the same privacy."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._devices import column_of_squares, unrelated_question, warner
from rropt_proofs.vinterbo2018.sec_4_3_privacy import privacy_loss

UNRELATED, WARNER = "c_M(alpha)", "c_W(alpha)"


def theory(point: Point) -> dict[str, Fraction]:
    e = Fraction(point["odds"]) ** point["k"]
    return dict.fromkeys((UNRELATED, WARNER), ((e**2 + 1) / (e - 1) ** 2) ** point["n"])


def computed(point: Point) -> dict[str, Fraction]:
    """Of both devices, with p such that a response of k bits has the privacy g^k."""
    g, n = Fraction(point["odds"]), point["n"]
    return {
        UNRELATED: column_of_squares(unrelated_question(2 / (1 + g), n)),
        WARNER: column_of_squares(warner(g / (1 + g), n)),
    }


def mutant(point: Point) -> dict[str, Fraction]:
    """exp(alpha) in the numerator."""
    e = Fraction(point["odds"])
    return dict.fromkeys((UNRELATED, WARNER), ((e + 1) / (e - 1) ** 2) ** point["n"])


def working(point: Point) -> str:
    """The privacy of both."""
    g, k, n = Fraction(point["odds"]), point["k"], point["n"]
    losses = [privacy_loss(rows, n, k) for rows in (unrelated_question(2 / (1 + g), n), warner(g / (1 + g), n))]
    return (
        f"p_M = {2 / (1 + g)}, p_W = {g / (1 + g)}: for two inputs that differ in at most k = {k} of n = {n} bits the "
        f"chances have ratios of at most {losses[0]} and {losses[1]}: exp(alpha) = {g**k}\nc_M = "
        f"{computed(point)[UNRELATED]}, c_W = {computed(point)[WARNER]}; the printed formula gives "
        f"{theory(point)[WARNER]}, with exp(alpha/k) = {g} in it {((g**2 + 1) / (g - 1) ** 2) ** n}"
    )


CLAIM = Claim(
    id="vinterbo2018.sec-5.2-equal",
    source=f"{PAPER}, section 5.2",
    place=(5, 8),
    printed=r"However, if we express $c_M$ and $c_W$ as functions of privacy level $\alpha$ using the results from "
    r"Section 4.3, we get that the two randomizers perform identically as "
    r"$c_M(\alpha)=c_W(\alpha)=\left(\frac{\exp(2\alpha)+1}{(\exp(\alpha)-1)^2}\right)^n$.",
    precise="For n bits, inputs that differ in at most k <= n bits, and every alpha > 0: with p such that the device "
    "is alpha-differentially private and no more (section 4.3: each bit has exp(alpha/k) = g), both have the printed "
    "c.",
    variables={
        "odds": Domain("exp(alpha/k)", tuple(map(Fraction, ("1", "3/2", "2", "3"))), Domain.odds().draw, "x >= 1"),
        "k": Domain("k, the most bits in which two inputs differ", (1, 2), lambda rng: rng.randint(1, 2), "x >= 1"),
        "n": Domain("n, the number of bits", (1, 2), lambda rng: rng.randint(1, 2), "x >= 1"),
    },
    assumptions=(Condition("k <= n", "k <= n"),),
    defined=(Condition("alpha > 0: otherwise the formula divides by 0", "odds > 1"),),
    missing=(Condition(r"$k=1$: two inputs differ in at most one bit", "k == 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    working=working,
    count=60,
    notes="Both devices have the same c at the same alpha for every k, with exp(alpha/k) in the place of exp(alpha) "
    "(Theorem 4.9). As printed, alpha is the privacy of one bit: of the whole response it is n alpha.",
)
