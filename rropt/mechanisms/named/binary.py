"""Named designs for a yes/no question: two inputs, and two outputs (r + 1 for Kuk's design).

Warner's device and those built from it (crosswise, Mangat, Mangat and Singh); devices that report either the truth or a
response independent of it (forced response, unrelated question); Kuk's decks; and the generalized design.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import rational
from rropt.core.exact.numbers import fraction_hint
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.named.design import Design, Parameter, probability, require


def _warner(p: Fraction) -> Matrix:
    """Return Warner's design (related question, spinner; symmetric or binary randomized response)."""
    return ((p, 1 - p), (1 - p, p))


WARNER = Design(
    name="warner",
    title="Warner (related question, symmetric randomized response)",
    parameters=(Parameter("p", "probability of the sensitive statement rather than its opposite"),),
    device="A spinner shows the statement (probability p) or its opposite; the respondent says whether it is true.",
    epsilon="abs(log(p/(1-p)))",
    source="Warner 1965; Holohan, Leith and Mason 2016, section II-D",
    example="3/4",
    build=_warner,
    required=1,
)


# The crosswise design: output 1 is "same": both answers yes (truth 1, probability p) or both no (truth 0, 1 - p).
CROSSWISE = Design(
    name="crosswise",
    title="Crosswise (non-randomized Warner)",
    parameters=(Parameter("p", "known prevalence of the harmless attribute"),),
    device="The respondent says whether the answers to both questions are the same (answer 1) or differ (answer 0).",
    epsilon="abs(log(p/(1-p)))",
    source="Yu, Tian and Tang 2008",
    example="1/4",
    build=_warner,
    required=1,
)


def _mangat(p: Fraction) -> Matrix:
    """Return Mangat's one-stage design of 1994: with the attribute, say yes; without it, use Warner's device."""
    return ((p, Fraction(0)), (1 - p, Fraction(1)))


MANGAT = Design(
    name="mangat",
    title="Mangat (1994, one stage)",
    parameters=(Parameter("p", "probability of the sensitive statement on Warner's device"),),
    device="With the attribute, say yes; without it, use Warner's device with probability p of the statement.",
    epsilon="inf for p > 0 (a no is certainly true); delta = p at every epsilon",
    source="Mangat 1994",
    example="3/4",
    build=_mangat,
    required=1,
)


def _mangat_singh(truth: Fraction, p: Fraction) -> Matrix:
    """Return Mangat and Singh's two-stage design of 1990: the truth with probability T, else Warner's device."""
    return _warner(truth + (1 - truth) * p)


MANGAT_SINGH = Design(
    name="mangat-singh",
    title="Mangat-Singh (1990, two stages)",
    parameters=(
        Parameter("T", "probability of answering truthfully at the first stage"),
        Parameter("p", "probability of the sensitive statement on Warner's device at the second"),
    ),
    device="A first device asks for the truth with probability T, else sends the respondent to Warner's device.",
    epsilon="abs(log(q/(1-q))) with q = T + (1-T)*p",
    source="Mangat and Singh 1990",
    example="1/4,2/3",
    build=_mangat_singh,
    required=2,
)


def _forced(truth: Fraction, yes: Fraction, no: Fraction) -> Matrix:
    """Return the forced response design (directed response, Boruch's contamination design)."""
    probability(no, "n")
    require(
        truth + yes + no == 1,
        f"t + y + n is not 1: received {truth} + {yes} + {no} = {truth + yes + no}; allowed is the sum 1, since "
        f"one of the three outcomes happens; {fraction_hint([truth, yes, no])}",
    )
    return ((truth + no, no), (yes, truth + yes))


FORCED = Design(
    name="forced",
    title="Forced response (directed response, Boruch)",
    parameters=(
        Parameter("t", "probability of answering truthfully"),
        Parameter("y", "probability of a forced yes"),
        Parameter("n", "probability of a forced no", "t + y + n = 1"),
    ),
    device="A die tells the respondent to answer truthfully (probability t), to say yes (y), or to say no (n).",
    epsilon="log(1 + t/min(y, n))",
    source="Boruch 1971; Blair, Imai and Zhou 2015",
    example="2/3,1/6,1/6",
    build=_forced,
    required=3,
)


def _unrelated(p: Fraction, prevalence: Fraction) -> Matrix:
    """Return the unrelated question design with known prevalence of the innocuous attribute (Simmons, Greenberg)."""
    return _forced(p, (1 - p) * prevalence, (1 - p) * (1 - prevalence))


def truth_probability(gamma: Fraction, delta: Fraction, b: Fraction) -> Fraction:
    """Return the largest probability of a truthful response if the alternative is a random yes with probability b.

    By (11) of Holohan, Leith and Mason (2016), ``t <= (c + delta)/(c + 1)`` with ``c = (gamma - 1) b`` and with
    ``c = (gamma - 1)(1 - b)``. The bound increases in c, so the smaller c decides. At delta = 0 the parity is gamma.

    >>> truth_probability(Fraction(5), Fraction(0), Fraction(1, 4))
    Fraction(1, 2)
    """
    c = (gamma - 1) * min(b, 1 - b)
    return (c + delta) / (c + 1)


def unrelated_probability(gamma: object, prevalence: object) -> Fraction:
    """Return the p at which the unrelated question design has parity ``gamma``: ``1 + p / ((1 - p) min(b, 1 - b))``.

    Args:
        gamma: the parity, a rational >= 1.
        prevalence: b, the prevalence of the innocuous attribute, strictly between 0 and 1.
    """
    g, b = rational(gamma, name="gamma"), rational(prevalence, name="piB")
    if g < 1 or not 0 < b < 1:
        raise InvalidParameterError(
            f"no unrelated question has that parity: received gamma = {g}, piB = {b}; "
            "allowed are gamma >= 1 and 0 < piB < 1"
        )
    return truth_probability(g, Fraction(0), b)


UNRELATED = Design(
    name="unrelated",
    title="Unrelated question with known prevalence (Simmons, Greenberg, U-model)",
    parameters=(
        Parameter("p", "probability of the sensitive question"),
        Parameter("piB", "known prevalence of the innocuous attribute"),
    ),
    device="A device asks the sensitive question with probability p, else a harmless one of known prevalence piB.",
    epsilon="log(1 + p/((1-p)*min(piB, 1-piB)))",
    source="Greenberg, Abul-Ela, Simmons and Horvitz 1969",
    example="1/2,1/4",
    build=_unrelated,
    required=2,
)


_MAX_DRAWS = 200  # the entries are probabilities with up to r times the digits of theta


def binomial(draws: int, theta: Fraction) -> tuple[Fraction, ...]:
    """Return the probabilities of 0, ..., ``draws`` red cards in draws with replacement; theta is their proportion."""
    return tuple(comb(draws, i) * theta**i * (1 - theta) ** (draws - i) for i in range(draws + 1))


def _kuk(theta1: Fraction, theta0: Fraction, draws: Fraction = Fraction(1)) -> Matrix:
    """Return Kuk's design: draw r cards with replacement from one's group's deck, report the number of red ones."""
    digits = max(len(str(theta.denominator)) for theta in (theta1, theta0))
    require(
        int(draws) * digits <= 2 * _MAX_DRAWS,
        f"r times the digits of theta is too large: received {draws} * {digits}; at most {2 * _MAX_DRAWS}; round theta",
    )
    return tuple(zip(binomial(int(draws), theta0), binomial(int(draws), theta1), strict=True))


KUK = Design(
    name="kuk",
    title="Kuk (r draws, r+1 outputs)",
    parameters=(
        Parameter("theta1", "proportion of red cards in the deck of those with the attribute"),
        Parameter("theta0", "proportion of red cards in the other deck"),
        Parameter("r", "number of draws", f"an integer 1 <= {{}} <= {_MAX_DRAWS}, 1 when left out", (1, _MAX_DRAWS)),
    ),
    device="Draw r cards with replacement from the deck of one's own group and report the number of red cards.",
    epsilon="r*log(max(a/b, b/a, (1-a)/(1-b), (1-b)/(1-a))) with a = theta1, b = theta0",
    source="Kuk 1990",
    example="4/5,1/5,3",
    build=_kuk,
    required=2,
)


def _generalised(p00: Fraction, p11: Fraction) -> Matrix:
    """Return the generalised binary design (p00, p11): every mechanism with two inputs and two outputs."""
    return ((p00, 1 - p11), (1 - p00, p11))


GENERALISED = Design(
    name="generalised",
    title="Generalised binary design (binary channel; direct questioning is 1,1)",
    parameters=(
        Parameter("p00", "probability of answer 0 when the truth is 0"),
        Parameter("p11", "probability of answer 1 when the truth is 1"),
    ),
    device="The true answer is kept with probability p00 if it is 0 and p11 if it is 1; otherwise it is reversed.",
    epsilon="log(max(p00/(1-p11), p11/(1-p00), (1-p11)/p00, (1-p00)/p11))",
    source="Holohan, Leith and Mason 2016, equation (2)",
    example="1,1/4",
    build=_generalised,
    required=2,
)


_MOST_CARDS = 1000  # largest number of different cards of a device


def _christofides(*shares: Fraction) -> Matrix:
    """Return Christofides' design: draw card c of 1 to L; report L + 1 - c with the attribute, else c."""
    require(
        sum(shares) == 1,
        f"p1 + ... + pL is not 1: received {sum(shares)}; allowed is the sum 1, all cards of the deck; "
        f"{fraction_hint(shares)}",
    )
    return tuple(zip(shares, reversed(shares), strict=True))


CHRISTOFIDES = Design(
    name="christofides",
    title="Christofides (cards 1 to L; L = 2 is Warner)",
    parameters=(
        Parameter("p1", "proportion of cards 1"),
        Parameter("p2", "proportion of cards 2, and so on up to pL, with sum 1"),
    ),
    device="A card c of 1 to L is drawn; a respondent with the attribute reports L + 1 - c, others report c.",
    epsilon="log(max(p_(L+1-k)/p_k)) over k = 1 to L; infinite if one proportion is 0 and its opposite is positive",
    source="Christofides 2003; Sun, Zhou and Yan 2023, algorithms 3 and 4",
    example="1/10,3/10,6/10",
    build=_christofides,
    required=2,
    repeated=_MOST_CARDS,
)
