"""``shuffle``: the privacy of one respondent's report among n reports that a trusted shuffler has mixed.

Threat model: each respondent sends one randomized report to a shuffler. The shuffler is trusted to drop the senders'
names and to mix the reports. The adversary sees the mixed reports and knows the true values of all other respondents,
but not their random choices. Neighbouring data sets differ in the value of one respondent, and are arbitrary otherwise.
The privacy loss is the maximum over all data sets. The data set in which all others have the same value is not always
the worst one.

The lower bound comes from an explicit data set. The upper bound depends on the reports:

* binary reports: a proof over all data sets, in blocks (``shuffled_counts``);
* k-ary randomized response with k >= 3: the privacy blanket (``shuffled_blanket``; the data set is in
  ``shuffled_categories``);
* any mechanism at a level: the privacy blanket; the lower bound is that of binary randomized response.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rropt.accounting.certificates import certify_shuffled
from rropt.accounting.composition import CurvePoint
from rropt.accounting.curves import exponential
from rropt.accounting.items import is_level
from rropt.accounting.shuffled_blanket import BlanketReports
from rropt.accounting.shuffled_categories import CategoryReports
from rropt.accounting.shuffled_counts import BinaryReports, FloatCounts
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Delta, Epsilon, rational_where
from rropt.core.limits import MAX_EXPONENT
from rropt.core.results import Extended, Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import mechanism_of_argument

MAX_RESPONDENTS = 10**7
MAX_CATEGORIES = 10**6
_DIGITS = 40  # decimal digits of the rational bounds of an irrational level
_LOOKED_AT = 24  # numbers of others with the rarer value in the first trial
_ROUNDS = 40  # restarts of a search after a single data set has refuted its bound
_STEPS = 60
_NEGLIGIBLE = Fraction(1, 10**30)
_SPARE_BITS = 16  # bits of the sums of rounding errors
_MOST_BITS = 384  # precision of a search for a small delta: the result is absolute below about 1e-100
_DEVIATIONS = 16.0  # least number of standard deviations of the counts in a search
_SMALL = 1e-9  # value of delta at which the curve stops
_LEFT = 10**20  # a certificate lowers the lower bound by 1/_LEFT of it, to allow for rounding
_WORDS = {
    "blocks": "between a data set and a proof over all data sets",
    "blanket": "between a data set and the blanket, which bounds all data sets",
    "any mechanism": "between binary randomized response and the blanket of every mechanism at the level",
}


@dataclass(frozen=True, slots=True)
class Shuffle(Result):
    """The privacy of one report among the shuffled reports of n respondents.

    Attributes:
        mechanism: the mechanism of each report.
        local: the level of the mechanism, or the largest level found that meets the target.
        n: the number of respondents.
        method: ``blocks``, ``blanket`` or ``any mechanism``.
        epsilon, delta: the privacy after shuffling: one of them was requested, the other is a bracket of its least
            value.
        lower, upper: bounds of the computed quantity; bounds of ``local`` if both epsilon and delta were requested.
        others: the data set of the lower bound: how many of the other respondents hold value 0; ``None`` if all of them
            hold a third value.
        blocks: the number of blocks of data sets in the proof of the upper bound.
        curve: bounds of delta at several epsilons.
        certificate: a proof of the upper bound of delta at the requested epsilon, or a proof that delta at the upper
            bound of the computed epsilon is at most the requested delta. It uses rule 28, or rule 33 for k-ary
            randomized response and for any mechanism. If a local level was computed, the proof is for its lower bound.
            For binary reports it is
            built on request. ``None`` without a request, for asymmetric devices, and if the checker's budget does not
            suffice.
    """

    mechanism: str
    local: Epsilon | Bracket
    n: int
    method: str
    epsilon: Epsilon | Bracket
    delta: Bracket | Delta
    lower: Extended
    upper: Extended
    others: int | None
    blocks: int
    curve: tuple[CurvePoint, ...] = ()
    certificate: Certificate | None = None
    unverified: tuple[str, ...] = field(default=(), compare=False)

    LABELS = labelled(
        mechanism="mechanism",
        local="local epsilon of one report",
        n="respondents",
        threat_model="threat model",
        epsilon="epsilon after shuffling",
        delta="delta after shuffling",
        words="how the bounds were obtained",
        others="other respondents with value 0, in the worst data set found",
        method="",
        lower="",
        upper="",
        blocks="",
        curve="",
        certificate="",
    )

    @property
    def threat_model(self) -> str:
        """The trusted parties and the knowledge of the adversary."""
        return "a trusted shuffler mixes one report of each; the adversary knows all other true values"

    @property
    def words(self) -> str:
        """How the bounds were obtained."""
        return _WORDS[self.method]

    def checked(self) -> tuple[str, ...]:
        """Return the names of the values that no certificate in the file proves.

        Raises:
            FileFormatError: the certificate is rejected, or belongs to a different problem.
        """
        if self.certificate is not None:
            verdict, problem = self.certificate.check(), self.certificate.problem
            kinds = ("shuffled-reports", "shuffled-mechanism")
            if not verdict or problem.get("kind") not in kinds or problem.get("respondents") != str(self.n):
                raise FileFormatError(
                    f"the record of shuffled reports is not proved: its certificate is {verdict}, or of other reports; "
                    "use the record as it was written"
                )
        return (*("n",) * (self.certificate is None), "local", "epsilon", "delta", "lower", "upper", "curve")


def shuffle(
    mechanism: object | None = None,
    n: int = 0,
    *,
    categories: int | None = None,
    any_mechanism: bool = False,
    epsilon: object | None = None,
    gamma: object | None = None,
    delta: object | None = None,
    tolerance: object = "1/1000000",
    points: int = 0,
    certificate: bool = False,
) -> Shuffle:
    """Return the privacy of one report among n shuffled reports, in the worst case over all neighbouring data sets.

    Given ``delta``, it returns the least epsilon after shuffling. Given ``epsilon`` (or ``gamma``), it returns the
    least delta. Given both and no mechanism, it solves the inverse problem: the largest local epsilon of binary
    randomized response for which the shuffled reports meet both.

    With ``any_mechanism`` the upper bound is valid for every mechanism at the level (pure, with any inputs and
    outputs). The inverse problem then returns a local epsilon at which every mechanism meets the target.

    Args:
        mechanism: a level in nats (binary randomized response), a mechanism with two inputs and two outputs, or k-ary
            randomized response (``grr:5,1/2``).
        n: the number of respondents, 1 to 10^7.
        categories: k of k-ary randomized response, only together with a level (default 2).
        any_mechanism: bound every mechanism at the level; then only the level of the given mechanism is used.
        epsilon, gamma, delta: the privacy after shuffling.
        tolerance: the width of the bounds of epsilon in nats, or the relative width of the bounds of delta.
        points: the number of points of the curve. For the inverse problem, the curve belongs to the largest local
            epsilon.
        certificate: whether to build the certificate of symmetric binary reports, which takes several times as long as
            the bounds. The bounds of other reports are computed with their certificate.

    Raises:
        InvalidParameterError: no quantity is requested, or n is out of range.
        UnsupportedProblemError: there are no bounds for this kind of mechanism.

    >>> found = shuffle("2", 50, delta="1/1000", tolerance="1/10000")
    >>> print(round(float(found.lower), 3), found.upper - found.lower <= 1e-4)
    1.277 True

    References:
        Balle, Bell, Gascon and Nissim, The privacy blanket of the shuffle model, CRYPTO 2019.
        Feldman, McMillan and Talwar, Hiding among the clones, FOCS 2021, theorem 3.1.
    """
    if type(n) is not int or not 1 <= n <= MAX_RESPONDENTS:
        raise InvalidParameterError(
            f"the number of respondents is out of range: received {shown(n)}; allowed is 1 to {MAX_RESPONDENTS}"
        )
    if epsilon is not None and gamma is not None:
        raise InvalidParameterError("both epsilon and gamma are given: leave one out")
    width = rational_where(tolerance, lambda x: 0 < x < 1, "0 < tolerance < 1", name="tolerance")
    level = None if epsilon is None and gamma is None else _level(epsilon, gamma)
    slack = None if delta is None else Delta.of(delta)
    if type(points) is not int or not 0 <= points <= 1000:
        raise InvalidParameterError(
            f"the number of points is out of range: received {shown(points)}; allowed is 0 to 1000"
        )
    if mechanism is None:
        if level is None or slack is None:
            raise InvalidParameterError(
                "without a mechanism both epsilon and delta after shuffling are needed: give them, or a mechanism"
            )
        if any_mechanism:
            return _inverse_of_any(n, level, slack, width, points)
        return _inverse(n, level, slack, width, points, certificate)
    if (level is None) == (slack is None):
        raise InvalidParameterError(
            "one of epsilon and delta after shuffling is needed: give delta to find epsilon, or epsilon to find delta; "
            "for both leave the mechanism out"
        )
    if any_mechanism and categories is not None:
        raise InvalidParameterError("a bound for any mechanism does not depend on categories: leave one of them out")
    reports = _Reports.of_any(mechanism, n) if any_mechanism else _Reports.of(mechanism, n, categories)
    others: int | None = None
    blocks: list[int] = []
    if level is not None:
        found, others, blocks = reports.proved_delta(level, width)
        asked: dict[str, Any] = {"epsilon": level, "delta": found}
    else:
        assert slack is not None
        if not slack.bracket(_DIGITS).lower:
            raise UnsupportedProblemError("delta is 0: shuffling does not change the pure level; give a delta above 0")
        found, others, blocks = reports.epsilon(slack.bracket(_DIGITS), width)
        asked = {"epsilon": found, "delta": _written(slack)}
    proof, curve = reports.proof, tuple(_curve(reports, points, width))
    at = Epsilon("rational", found.upper) if level is None else level
    proved = found.upper if slack is None else slack.bracket(_DIGITS).lower
    return Shuffle(
        mechanism=reports.name,
        local=reports.local,
        n=n,
        method=reports.method,
        lower=found.lower,
        upper=found.upper,
        others=others,
        blocks=len(blocks),
        curve=curve,
        certificate=_certificate(reports, n, at, proved, others, blocks) if certificate else proof,
        **asked,
    )


def _written(delta: Delta) -> Bracket | Delta:
    return delta if delta.rational is None else Bracket.of(delta.rational)


def _level(epsilon: object | None, gamma: object | None) -> Epsilon:
    return Epsilon.of_gamma(gamma) if gamma is not None else Epsilon.of(epsilon)


@dataclass
class _Reports:
    """Reports of one mechanism, enclosed between rational devices below and above."""

    name: str
    local: Epsilon
    below: BinaryReports | CategoryReports
    above: BinaryReports | CategoryReports
    blanket: BlanketReports | None = None  # proves the upper bound
    proof: Certificate | None = None  # of the last computed bound
    is_any: bool = False

    @classmethod
    def of_any(cls, mechanism: object, n: int) -> _Reports:
        """Build the reports of an arbitrary mechanism at a level, or at the level of the given mechanism."""
        if isinstance(mechanism, str) and not is_level(mechanism):
            mechanism = mechanism_of_argument(mechanism)
        level = mechanism.epsilon() if isinstance(mechanism, Mechanism) else Epsilon.of(mechanism)
        if level.is_infinite or level.nats(_DIGITS).upper > MAX_EXPONENT:
            raise UnsupportedProblemError(
                f"the level of the mechanism is too large to be bounded: received {level}; allowed is 0 to "
                f"{MAX_EXPONENT}"
            )
        made = cls.of_level(level, n)
        made.name, made.is_any, made.blanket = "any mechanism", True, BlanketReports.of_any(n, level)
        return made

    @classmethod
    def of(cls, mechanism: object, n: int, categories: int | None = None) -> _Reports:
        """Build the reports of a level or of a mechanism."""
        if isinstance(mechanism, str) and not is_level(mechanism):
            mechanism = mechanism_of_argument(mechanism)
        if not isinstance(mechanism, Mechanism):
            level = Epsilon.of(mechanism)
            if categories is not None and categories != 2:
                return cls.of_categories(level, n, categories)
            return cls.of_level(level, n)
        if categories is not None:
            raise InvalidParameterError("categories need a level: a mechanism has its own categories; leave them out")
        parity = mechanism.epsilon()
        name = mechanism.name or "mechanism"
        if mechanism.shape == (2, 2):
            zero, one = sorted((mechanism[1, 0], mechanism[1, 1]))
            reports: BinaryReports | CategoryReports = BinaryReports(n, zero, one)
        else:
            k = mechanism.inputs
            q = mechanism[0, 1] if mechanism.shape == (k, k) and k > 2 else Fraction(0)
            is_kary = mechanism.shape == (k, k) and all(
                mechanism[i, j] == (1 - (k - 1) * q if i == j else q) for i in range(k) for j in range(k)
            )
            if not is_kary or q > Fraction(1, k):
                raise UnsupportedProblemError(
                    f"the privacy of shuffled reports of {shown(name)} is not known here: allowed are mechanisms with "
                    "two inputs and two outputs, and k-ary randomized response; give the level of a mechanism with two "
                    "inputs, which bounds it"
                )
            reports = CategoryReports(n, k, q)
            return cls(name, parity, reports, reports, BlanketReports.of_kary(n, parity, k) if q else None)
        return cls(name, parity, reports, reports)

    @classmethod
    def of_level(cls, level: Epsilon, n: int) -> _Reports:
        """Build the reports of binary randomized response at a level."""
        ends = level.gamma_bracket(_DIGITS)
        below, above = (BinaryReports(n, 1 / (1 + g), g / (1 + g)) for g in ends)
        return cls("binary randomized response", level, below, above)

    @classmethod
    def of_categories(cls, level: Epsilon, n: int, k: object) -> _Reports:
        """Build the reports of k-ary randomized response at a level."""
        if type(k) is not int or not 2 <= k <= MAX_CATEGORIES:
            raise InvalidParameterError(
                f"the number of categories is out of range: received {shown(k)}; allowed is 2 to {MAX_CATEGORIES}"
            )
        below, above = (CategoryReports(n, k, 1 / (g + k - 1)) for g in level.gamma_bracket(_DIGITS))
        return cls(f"{k}-ary randomized response", level, below, above, BlanketReports.of_kary(n, level, k))

    @property
    def method(self) -> str:
        """The method of the upper bound."""
        if self.is_any:
            return "any mechanism"
        return "blocks" if isinstance(self.below, BinaryReports) else "blanket"

    def bounds(self, gamma: float) -> tuple[float, float]:
        """Return bounds of delta for k-ary response, in floats rounded outwards."""
        assert isinstance(self.below, CategoryReports)
        assert isinstance(self.above, CategoryReports)
        return self.below.bounds(gamma)[0], self.above.bounds(gamma)[1]

    def reach(self, delta: float, most: float) -> float:
        """Return, in floats, an epsilon at which delta is below the given value for each of a few data sets."""
        below = self.below
        if isinstance(below, CategoryReports):
            return _root(lambda x: self.bounds(math.exp(x))[1] > delta, most)[1]
        few = [below.approximate(j) for j in _first_tries(below.respondents)]
        return max(_least(one.log_divergence, math.log(delta), most) for one in few)

    def delta(self, nats: Bracket, width: Fraction) -> tuple[Bracket, int | None, list[int]]:
        """Return a bracket of delta at an epsilon, the data set of the lower bound, and the block sizes."""
        gamma = Bracket(exponential(nats.lower).lower, exponential(nats.upper).upper)
        below, above = self.below, self.above
        if isinstance(below, CategoryReports) or isinstance(above, CategoryReports):
            least, most = self.bounds(float(gamma.lower))
            return Bracket(Fraction(least), Fraction(most)), None, []
        if self.is_any:
            others, least = self._worst(gamma)
            assert self.blanket is not None
            cuts = self.blanket.cuts(max(least, _SMALL), float(nats.upper))
            found = self.blanket.bound(float(gamma.lower), cuts) * (1 + _SMALL) + _SMALL**2
            return Bracket(below.divergence(below.law(others), gamma).lower, Fraction(min(found, 1.0))), others, []
        excess = above.parity - gamma.lower  # P - gamma Q is at most this times Q
        if excess < _NEGLIGIBLE:
            return Bracket(Fraction(0), Fraction(max(excess, 0))), None, []
        tried = set(_first_tries(below.respondents))
        for _ in range(_ROUNDS):
            few = {j: below.approximate(j).log_divergence(float(gamma.upper)) for j in tried}
            worst = max(few, key=few.__getitem__)
            lower = below.divergence(below.law(worst), gamma).lower
            rounding = Fraction(1, 1 << (below.bits - _SPARE_BITS))
            if lower * width < rounding and below.bits < _MOST_BITS:
                finer = max(lower * width / 4, Fraction(1, 1 << 2 * below.bits))
                below, above = below.finer(finer), above.finer(finer)
                continue
            target = lower * (1 + width) + rounding
            blocks, wrong = _proved(above.blocks(gamma, target))
            if wrong is None:
                return Bracket(lower, min(target, Fraction(1))), worst, blocks
            tried = {worst, wrong}
        raise UnsupportedProblemError("no worst data set was found: give a larger tolerance")

    def _worst(self, gamma: Bracket) -> tuple[int, float]:
        """Return the worst of a few data sets for binary response, and its delta in floating point."""
        assert isinstance(self.below, BinaryReports)
        below, most = self.below, float(gamma.upper)
        few = {j: below.approximate(j).log_divergence(most) for j in _first_tries(below.respondents)}
        worst = max(few, key=lambda j: few[j])
        return worst, math.exp(few[worst])

    def proved_delta(self, level: Epsilon, width: Fraction) -> tuple[Bracket, int | None, list[int]]:
        """Return the results of ``delta``, with the upper bound that the checker accepts if there is a blanket."""
        if not self.local.is_infinite and level.exact_gamma() >= self.local.exact_gamma():
            return Bracket.of(Fraction(0)), None, []  # shuffling is post-processing
        found, others, blocks = self.delta(level.nats(_DIGITS), width)
        if self.blanket is not None:
            proved = self.blanket.proved_delta(level)
            if proved is None and self.is_any:
                raise UnsupportedProblemError(
                    "no bound of any mechanism was proved within the budget of the checker: give fewer respondents"
                )
            if proved is not None:
                self.proof = proved[1]
                found = Bracket(min(found.lower, proved[0]), proved[0])
        return found, others, blocks

    def epsilon(self, delta: Bracket, width: Fraction) -> tuple[Bracket, int | None, list[int]]:
        """Return a bracket of the least epsilon for a delta, the data set of the lower bound, and the block sizes."""
        proved = None if self.blanket is None else self.blanket.least_epsilon(delta.lower, self._largest())
        if self.is_any:
            return self._epsilon_of_any(delta, width, proved)
        if isinstance(self.below, CategoryReports) and isinstance(self.above, CategoryReports):
            below, above, most = self.below, self.above, float(self._largest())
            least = Fraction(_root(lambda x: below.lower(math.exp(x)) > float(delta.upper), most)[0])
            if proved is None:
                return (
                    Bracket(least, Fraction(_root(lambda x: above.upper(math.exp(x)) > float(delta.lower), most)[1])),
                    None,
                    [],
                )
            upper, self.proof = proved
            return Bracket(min(least, upper), upper), None, []
        return self._epsilon(delta, width)

    def _largest(self) -> Fraction:
        return self.local.nats(_DIGITS).upper if not self.local.is_infinite else Fraction(100)

    def _epsilon_of_any(
        self, delta: Bracket, width: Fraction, proved: tuple[Fraction, Certificate] | None
    ) -> tuple[Bracket, int | None, list[int]]:
        below, grain, most = self.below, width / 8, self._largest()
        assert isinstance(below, BinaryReports)
        near, worst = max(
            (_least(below.approximate(j).log_divergence, _log(delta.upper), float(most)), j)
            for j in _first_tries(below.respondents)
        )
        lower, law = grain * max(math.floor(Fraction(near) / grain) - 1, 0), below.law(worst)
        while lower and below.divergence(law, exponential(lower)).lower <= delta.upper:
            lower = max(lower - width, Fraction(0))
        if proved is None:
            return Bracket(min(lower, most), most), worst, []
        upper, self.proof = proved
        return Bracket(min(lower, upper), upper), worst, []

    def _epsilon(self, delta: Bracket, width: Fraction) -> tuple[Bracket, int | None, list[int]]:
        most, below, above = self._largest(), self.below, self.above
        assert isinstance(below, BinaryReports)
        assert isinstance(above, BinaryReports)
        below, above = below.finer(delta.lower), above.finer(delta.lower)
        grain, level = width / 8, _log(delta.upper)
        tried = list(_first_tries(below.respondents))
        for _ in range(_ROUNDS):
            found = [(_least(_near(below, j, level).log_divergence, level, float(most)), j) for j in tried]
            near, worst = max(found)
            law = below.law(worst)
            lower = grain * max(math.floor(Fraction(near) / grain) - 1, 0)
            while lower and below.divergence(law, exponential(lower)).lower <= delta.upper:
                lower = max(lower - width, Fraction(0))
            upper = min(grain * (math.ceil(Fraction(near) / grain) + 4), most)
            blocks, wrong = _proved(above.blocks(exponential(upper), delta.lower))
            if wrong is None:
                return Bracket(lower, upper), worst, blocks
            if wrong in tried:
                return Bracket(lower, most), worst, []
            tried = [worst, wrong]
        raise UnsupportedProblemError("no worst data set was found: give a larger tolerance")


def _first_tries(n: int) -> Iterable[int]:
    """Return trial values for the number of others with value 0; the worst case is usually near 0 or n - 1."""
    near = range(min(n, _LOOKED_AT))
    return sorted({*near, *(n - 1 - j for j in near), (n - 1) // 2})


def _proved(blocks: Iterable[tuple[int, int, bool]]) -> tuple[list[int], int | None]:
    """Return the sizes of the proved blocks, and the first data set for which the proof fails."""
    sizes: list[int] = []
    for first, more, holds in blocks:
        if not holds:
            return sizes, first
        sizes.append(more + 1)
    return sizes, None


def _certificate(
    reports: _Reports, n: int, epsilon: Epsilon, most: Fraction, zeros: int | None, blocks: list[int]
) -> Certificate | None:
    """Return an accepted certificate for bounds of delta, of the blanket if there is one; None if there is no rule."""
    below, local = reports.below, reports.local
    if reports.proof is not None or reports.is_any:
        return reports.proof
    if not isinstance(below, BinaryReports) or not below.is_symmetric or local.is_infinite:
        return None
    if zeros is None or sum(blocks) != n or (epsilon.kind == "rational" and epsilon.times > MAX_EXPONENT):
        return None
    below = below.finer(most)
    j, cut, least = below.worst_event(zeros, epsilon.gamma_bracket(_DIGITS))
    least -= abs(least) / _LEFT
    return certify_shuffled(
        n, local, epsilon, Bracket(max(min(least, most), Fraction(0)), most), (j, cut), blocks, below.bits
    )


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


def _near(reports: BinaryReports, zeros: int, level: float) -> FloatCounts:
    """Return the distribution of one data set, including counts whose probability is near ``exp(level)``."""
    return reports.approximate(zeros, max(_DEVIATIONS, math.sqrt(max(-2 * level, 0.0)) + 4))


def _least(divergence: Callable[[float], float], delta: float, most: float) -> float:
    """Return, in floating point, the epsilon at which a divergence has the given value; both are in logarithms."""
    low, high = 0.0, most
    if divergence(1.0) <= delta:
        return 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if divergence(math.exp(middle)) > delta else (low, middle)
    return high


def _root(holds: Callable[[float], bool], most: float) -> tuple[float, float]:
    low, high = 0.0, most
    if not holds(0.0):
        return 0.0, 0.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


def _curve(reports: _Reports, points: int, width: Fraction) -> Iterable[CurvePoint]:
    """Iterate over bounds of delta on a grid of epsilon, from 0 to a negligible delta or to the local epsilon."""
    most = reports.local.nats(6).lower if not reports.local.is_infinite else Fraction(10)
    if points:
        most = min(most, Fraction(math.ceil(1050 * reports.reach(_SMALL, float(most))), 1000))
    for i in range(points):
        at = Fraction(round(most * i / max(points - 1, 1) * 10**6), 10**6)
        found, _, _ = reports.delta(Bracket.of(at), max(width, Fraction(1, 1000)))
        yield CurvePoint(at, found.lower, found.upper)


def _inverse(n: int, level: Epsilon, slack: Delta, width: Fraction, points: int, certificate: bool = False) -> Shuffle:
    """Solve the inverse problem: the largest local epsilon of binary response that meets a level after shuffling."""
    nats, delta = level.nats(_DIGITS), slack.bracket(_DIGITS)
    gamma = Bracket(exponential(nats.lower).lower, exponential(nats.upper).upper)
    tried = list(_first_tries(n))
    grain, target = width / 8, _log(delta.lower)

    def reports(local: Fraction) -> _Reports:
        return _Reports.of_level(Epsilon("rational", local), n)

    def exceeds(local: float, at: list[int]) -> bool:
        own = reports(Fraction(local).limit_denominator(10**12)).below
        assert isinstance(own, BinaryReports)
        return any(_near(own, j, target).log_divergence(float(gamma.upper)) > target for j in at)

    for _ in range(_ROUNDS):
        low, high = float(nats.lower), 40.0
        while high - low > float(grain) / 4:
            middle = (low + high) / 2
            low, high = (low, middle) if exceeds(middle, tried) else (middle, high)
        lower = max(Fraction(math.floor(Fraction(low) / grain) - 2) * grain, nats.lower)
        upper = Fraction(math.ceil(Fraction(high) / grain) + 2) * grain
        above, below = reports(lower).above, reports(upper).below
        assert isinstance(above, BinaryReports)
        assert isinstance(below, BinaryReports)
        above, below = above.finer(delta.lower), below.finer(delta.lower)
        blocks, wrong = _proved(above.blocks(gamma, delta.lower)) if lower > nats.lower else ([], None)
        if wrong is not None:
            tried = [*tried[:4], wrong] if wrong not in tried else [wrong]
            continue
        worst = max(tried, key=lambda j: _near(below, j, target).log_divergence(float(gamma.upper)))
        if upper < 40 and below.divergence(below.law(worst), gamma).lower <= delta.upper:
            raise UnsupportedProblemError("the local epsilon was not bounded from above: give a larger tolerance")
        found = Bracket(lower, upper)
        return Shuffle(
            mechanism="binary randomized response",
            local=found,
            n=n,
            method="blocks",
            epsilon=level,
            delta=_written(slack),
            lower=lower,
            upper=upper,
            others=worst,
            blocks=len(blocks),
            curve=tuple(_curve(reports(lower), points, width)),
            certificate=_certificate(reports(lower), n, level, delta.lower, worst, blocks) if certificate else None,
        )
    raise UnsupportedProblemError("no local epsilon was proved: give a larger tolerance")


def _inverse_of_any(n: int, level: Epsilon, slack: Delta, width: Fraction, points: int) -> Shuffle:
    """Return a local epsilon at which the shuffled reports of every mechanism meet a level.

    The upper bound comes from binary randomized response, which does not meet the level at a larger local epsilon.
    """
    nats, delta, grain = level.nats(_DIGITS), slack.bracket(_DIGITS), width / 8
    binary = _inverse(n, level, slack, width, 0)
    assert binary.upper is not None

    def meets(local: Fraction) -> bool:
        reports = BlanketReports.of_any(n, Epsilon("rational", local))
        cuts = reports.cuts(float(delta.lower), float(nats.lower))
        return reports.bound(math.exp(float(nats.lower)), cuts) <= float(delta.lower)

    low, high = nats.lower, Fraction(binary.upper)
    while high - low > grain:
        middle = ((low + high) / 2).limit_denominator(10**12)
        low, high = (middle, high) if meets(middle) else (low, middle)
    for i in range(_ROUNDS):
        lower = max(math.floor(low / grain - i) * grain, nats.lower)
        blanket = BlanketReports.of_any(n, Epsilon("rational", lower))
        proof = blanket.certificate(level, delta.lower, blanket.cuts(float(delta.lower), float(nats.lower)))
        if proof is not None or lower == nats.lower:
            break
    made = _Reports.of_any(Epsilon("rational", lower), n)
    return Shuffle(
        mechanism=made.name,
        local=Bracket(lower, Fraction(binary.upper)),
        n=n,
        method=made.method,
        epsilon=level,
        delta=_written(slack),
        lower=lower,
        upper=binary.upper,
        others=binary.others,
        blocks=0,
        curve=tuple(_curve(made, points, width)),
        certificate=proof,
    )
