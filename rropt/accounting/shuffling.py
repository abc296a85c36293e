"""``shuffle``: the privacy of one respondent's report among n reports that a trusted shuffler has mixed.

Threat model: each respondent sends one randomized report to a shuffler. The shuffler is trusted to drop the senders'
names and to mix the reports. The adversary sees the mixed reports and knows the true values of all other respondents,
but not their random choices. Neighbouring data sets differ in the value of one respondent, and are arbitrary otherwise.
The privacy loss is the maximum over all data sets. The data set in which all others have the same value is not always
the worst one.

The lower bound comes from an explicit data set. The upper bound depends on the reports:

* binary reports: the number of reports 1 is a sum of responses (``neighbouring_sums``): the bounds hold over all data
  sets, in blocks;
* k-ary randomized response with k >= 3: the privacy blanket (``shuffled_blanket``); in the data set all others hold a
  third value;
* any mechanism at a level: the privacy blanket; the lower bound is that of binary randomized response;
* another mechanism: the upper bound of its level, binary randomized response for two inputs and the blanket of any
  mechanism for more; the lower bound is 0.

With delta = 0 shuffling does not change epsilon: all respondents can give the same report.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rropt.accounting.accountant import CurvePoint
from rropt.accounting.composition_proofs import certify_shuffled, require_proof
from rropt.accounting.curves import natural_log
from rropt.accounting.items import kary_chances, mechanism_or_level
from rropt.accounting.neighbouring_sums import LEVEL_DIGITS, Column, NeighbouringSums, Worst, columns_over
from rropt.accounting.shuffled_blanket import ROUNDING, BlanketReports, agreeing_delta, level_near
from rropt.core.argument_checks import clear_calls, require_flags, require_given
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Bracket, Delta, Epsilon, rational_where
from rropt.core.exact.numbers import whole_numbers, whole_where
from rropt.core.limits import MAX_EXPONENT
from rropt.core.results import Extended, Result, labelled
from rropt.mechanisms import Mechanism

MAX_RESPONDENTS = 10**7
MAX_CATEGORIES = 10**6
_DIGITS = 40  # decimal digits of the rational bounds of an irrational level
_STEPS = 30  # trials of a lower local epsilon of any mechanism
_CURVE = Fraction(1, 1000)  # least relative width of the points of the curve
_SMALL = 1e-9  # relative error of the bound of a blanket in floating point, and least delta of its blocks
_PARTS = 64  # blocks of a bound in floating point per standard deviation of the number of blanket reports
_NEGLIGIBLE = Fraction(1, 10**9)  # value of delta at which the curve stops
_SPARE = Fraction(1, 10**20)  # a certificate widens the bounds by this relative amount, to allow for rounding
_BITS = 96  # precision of the distributions of a certificate, in addition to the bits of delta
_MOST_BITS = 1536
_CERTIFIED = 30  # decimal digits of the bounds of a certificate of ``_BITS`` bits; its levels have twice as many
_WORDS = {
    "blocks": "between a data set and a proof over all data sets",
    "blanket": "between a data set and the blanket, which bounds all data sets",
    "any mechanism": "between binary randomized response and the blanket of every mechanism at the level",
    "level": "above by the bound of every mechanism at this level; no lower bound is known here",
    "pure": "exactly: all reports can be equal, so with delta = 0 shuffling does not change the level",
}


@dataclass(frozen=True, slots=True)
class Shuffle(Result):
    """The privacy of one report among the shuffled reports of n respondents.

    Attributes:
        mechanism: the mechanism of each report.
        local: the level of the mechanism, or the largest level found that meets the target.
        n: the number of respondents.
        method: ``blocks``, ``blanket``, ``any mechanism``, ``level`` (the upper bound of a mechanism's level) or
            ``pure`` (delta = 0).
        epsilon, delta: the privacy after shuffling: one of them was requested, the other is a bracket of its least
            value.
        lower, upper: bounds of the computed quantity; bounds of ``local`` if both epsilon and delta were requested.
        others: the data set of the lower bound: how many of the other respondents hold value 0; ``None`` if all of them
            hold a third value, or if the lower bound is 0.
        blocks: the number of blocks of data sets in the proof of the upper bound.
        curve: bounds of delta at several epsilons.
        certificate: a proof of the upper bound of delta at the requested epsilon, or a proof that delta at the upper
            bound of the computed epsilon is at most the requested delta. If a local level was computed, the proof is
            for its lower bound. For binary reports it is built on request. ``None`` without a request, for asymmetric
            devices, and if the checker's budget does not suffice.
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

    ANSWER = ("epsilon", "delta", "local", "n")
    LABELS = labelled(
        mechanism="mechanism",
        local="local epsilon of one report",
        n="respondents",
        threat_model="threat model",
        epsilon="epsilon after shuffling",
        delta="delta after shuffling",
        words="how the bounds were obtained",
        others="other respondents with value 0, in the worst data set found",
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
            respondents = self.certificate.problem.get("respondents")
            fits = self.certificate.statement == "shuffled" and respondents == str(self.n)
            require_proof(self.certificate, "shuffled reports", "other reports", fits=fits)
        return (*("n",) * (self.certificate is None), "local", "epsilon", "delta", "lower", "upper", "curve")


@clear_calls
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
            randomized response (``grr:5,1/2``). Other mechanisms are bounded from above by their level.
        n: the number of respondents, 1 to 10^7.
        categories: k of k-ary randomized response, only together with a level (default 2).
        any_mechanism: bound every mechanism at the level; then only the level of the given mechanism is used.
        epsilon, gamma, delta: the privacy after shuffling.
        tolerance: the width of the bounds of epsilon in nats, or the relative width of the bounds of delta.
        points: the number of points of the curve. For the inverse problem, the curve belongs to the largest local
            epsilon.
        certificate: whether to build the certificate of symmetric binary reports, which takes several times as long as
            the bounds. The bounds of other reports are computed with their certificate.

    Returns:
        A ``Shuffle``: ``lower`` and ``upper`` bound epsilon (nats) or delta after shuffling, or the largest local
        epsilon; ``curve``, ``method`` and ``certificate``.

    Raises:
        InvalidParameterError: no quantity is requested, or n is out of range.
        UnsupportedProblemError: the level of the mechanism is infinite or too large for a bound.

    >>> found = shuffle("2", 50, delta="1/1000", tolerance="1/10000")
    >>> print(round(float(found.lower), 3), found.upper - found.lower <= 1e-4)
    1.277 True

    References:
        Balle, Bell, Gascon and Nissim, The privacy blanket of the shuffle model, CRYPTO 2019.
        Feldman, McMillan and Talwar, Hiding among the clones, FOCS 2021, theorem 3.1.
    """
    require_flags(any_mechanism=any_mechanism, certificate=certificate)
    require_given(mechanism=mechanism, categories=categories, epsilon=epsilon, gamma=gamma, delta=delta)
    n = whole_where(n, 1, MAX_RESPONDENTS, name="the number of respondents")
    if epsilon is not None and gamma is not None:
        raise InvalidParameterError("both epsilon and gamma are given: leave one out")
    width = rational_where(tolerance, lambda x: 0 < x < 1, "0 < tolerance < 1", name="tolerance")
    level = None if epsilon is None else Epsilon.of(epsilon)
    level = level if gamma is None else Epsilon.of_gamma(gamma)
    slack = None if delta is None else Delta.of(delta)
    points = whole_where(points, 0, 1000, name="the number of points")
    if mechanism is None:
        if level is None or slack is None:
            raise InvalidParameterError(
                "without a mechanism both epsilon and delta after shuffling are needed: give them, or a mechanism"
            )
        return _inverse(n, level, slack, width, points, is_any=any_mechanism, certificate=certificate)
    if (level is None) == (slack is None):
        raise InvalidParameterError(
            "one of epsilon and delta after shuffling is needed: give delta to find epsilon, or epsilon to find delta; "
            "for both leave the mechanism out"
        )
    if any_mechanism and categories is not None:
        raise InvalidParameterError("a bound for any mechanism does not depend on categories: leave one of them out")
    reports = _Reports.of_any(mechanism, n) if any_mechanism else _Reports.of(mechanism, n, categories)
    if level is not None:
        found = reports.proved_delta(level, width)
        asked: dict[str, Any] = {"epsilon": level, "delta": Bracket(*found)}
    else:
        assert slack is not None
        if slack.rational == 0:
            return reports.pure(_curve(reports, points, width))
        found = reports.epsilon(slack.bracket(_DIGITS), width)
        asked = {"epsilon": Bracket(*found), "delta": _written(slack)}
    proof, curve = reports.proof, _curve(reports, points, width)
    if certificate and proof is None:
        at = Epsilon("rational", found.upper) if level is None else level
        most = min(found.upper * (1 + 2 * _SPARE), Fraction(1)) if slack is None else slack.bracket(_DIGITS).lower
        proof = _certificate(reports, at, most, width)
    return reports.result(found, curve, proof, **asked)


def _written(delta: Delta) -> Bracket | Delta:
    return delta if delta.rational is None else Bracket.of(delta.rational)


@dataclass
class _Reports:
    """Reports of one mechanism: ``sums`` or a data set bound delta from below, ``sums`` or a blanket from above."""

    name: str
    local: Epsilon
    n: int
    sums: NeighbouringSums | None = None  # of binary reports, for all data sets
    blanket: BlanketReports | None = None
    wrong: Fraction = Fraction(0)  # of k-ary randomized response: k, and the probability of each wrong category
    categories: int = 2
    proof: Certificate | None = None  # of the last computed bound
    is_symmetric: bool = True  # a binary device that stays the same if values and reports are both exchanged
    is_bound: bool = False  # the bounds are those of the level, which is an upper bound for this mechanism

    @classmethod
    def of_any(cls, mechanism: object, n: int) -> _Reports:
        """Build the reports of an arbitrary mechanism at a level, or at the level of the given mechanism."""
        given = mechanism_or_level(mechanism)
        level = given.epsilon if isinstance(given, Mechanism) else given
        if level.is_infinite or level.nats(_DIGITS).upper > MAX_EXPONENT:
            raise UnsupportedProblemError(
                f"the level of the mechanism is too large to be bounded: received {level}; allowed is 0 to "
                f"{MAX_EXPONENT}"
            )
        return replace(cls.of_level(level, n), name="any mechanism", blanket=BlanketReports.of_any(n, level))

    @classmethod
    def of(cls, mechanism: object, n: int, categories: int | None = None) -> _Reports:
        """Build the reports of a level or of a mechanism."""
        mechanism = mechanism_or_level(mechanism)
        if not isinstance(mechanism, Mechanism):
            if categories is not None and categories != 2:
                k = whole_where(categories, 2, MAX_CATEGORIES, name="the number of categories")
                wrong = 1 / (mechanism.gamma_bracket(_DIGITS).lower + k - 1)
                return cls._of_kary(f"{k}-ary randomized response", mechanism, n, k, wrong)
            return cls.of_level(mechanism, n)
        if categories is not None:
            raise InvalidParameterError("categories need a level: a mechanism has its own categories; leave them out")
        parity = mechanism.epsilon
        name = mechanism.name or "mechanism"
        if mechanism.shape == (2, 2):
            likelier = int(mechanism[1, 1] >= mechanism[1, 0])  # the report that value 1 makes likelier
            zero, one = (mechanism[likelier, value] for value in (0, 1))
            whole, below = whole_numbers([1 - zero, zero, 1 - one, one])
            sums = NeighbouringSums(columns_over(below, whole[:2], whole[2:]), n - 1)
            return cls(name, parity, n, sums, is_symmetric=zero + one == 1)
        chances = kary_chances(mechanism)
        if chances is None:
            of_level = cls.of_level if mechanism.inputs == 2 and not parity.is_infinite else cls.of_any
            return replace(of_level(parity, n), name=name, is_bound=True)  # two inputs: noise on randomized response
        return cls._of_kary(name, parity, n, mechanism.inputs, chances[1])

    @classmethod
    def of_level(cls, level: Epsilon, n: int) -> _Reports:
        """Build the reports of binary randomized response at a level."""

        def columns(bits: int) -> tuple[Column, Column]:
            low, high = level.gamma_bracket(bits * 3 // 10 + _DIGITS)
            wrong, true = (int((1 << bits) * x) for x in (1 / (1 + high), low / (1 + low)))
            return (true, wrong), (wrong, true)

        return cls("binary randomized response", level, n, NeighbouringSums(columns, n - 1))

    @classmethod
    def _of_kary(cls, name: str, level: Epsilon, n: int, k: int, wrong: Fraction) -> _Reports:
        blanket = BlanketReports.of_kary(n, level, k) if wrong else None  # without noise there is no blanket
        return cls(name, level, n, blanket=blanket, wrong=wrong, categories=k)

    @property
    def is_any(self) -> bool:
        """Whether the bounds are those of every mechanism at the level."""
        return self.sums is not None and self.blanket is not None

    @property
    def method(self) -> str:
        """The method of the upper bound."""
        if self.is_bound:
            return "level"
        return "any mechanism" if self.is_any else "blanket" if self.sums is None else "blocks"

    @property
    def largest(self) -> Fraction:
        """An upper bound of epsilon."""
        return self.local.nats(_DIGITS).upper if not self.local.is_infinite else Fraction(100)

    def result(
        self, found: Worst, curve: tuple[CurvePoint, ...], certificate: Certificate | None, **asked: Any
    ) -> Shuffle:
        """Return the result; ``asked`` has epsilon and delta, and ``local``, a bracket, if this level was computed."""
        others = None if found.holders is None else self.n - 1 - found.holders  # with value 0
        own = {"mechanism": self.name, "local": self.local, "n": self.n, "method": self.method, **asked}
        ends = {"lower": found.lower, "upper": found.upper, "others": others, "blocks": len(found.blocks)}
        return Shuffle(**own, **ends, curve=curve, certificate=certificate)  # type: ignore[arg-type]

    def pure(self, curve: tuple[CurvePoint, ...]) -> Shuffle:
        """Return the result for delta = 0: shuffling does not change the level."""
        nats = None if self.local.is_infinite else self.local.nats(_DIGITS)
        lower, upper = (None, None) if nats is None else nats
        ends = {"lower": lower, "upper": upper, "others": None, "blocks": 0}
        own = {"mechanism": self.name, "local": self.local, "n": self.n, "method": "pure", "epsilon": self.local}
        return Shuffle(**own, delta=Bracket.of(Fraction(0)), **ends, curve=curve)  # type: ignore[arg-type]

    def _own(self, found: Worst) -> Worst:
        """Return bounds for the mechanism itself: a lower bound of its level does not bound the mechanism."""
        return replace(found, lower=Fraction(0), holders=None) if self.is_bound else found

    def reach(self, delta: Fraction) -> Fraction:
        """Return an epsilon at which delta is about the given value."""
        if self.sums is not None:
            return self._epsilon(Bracket.of(delta), _CURVE).lower
        return Fraction(level_near(lambda x: self._above(math.exp(x), float(delta)) > delta, self.largest)[1])

    def _below(self, gamma: float) -> float:
        """Return the lower bound of delta of the data set in which all others hold a third value."""
        return agreeing_delta(self.n, self.categories, self.wrong, gamma)

    def _above(self, gamma: float, delta: float, parts: int | None = None) -> float:
        """Return the upper bound of delta of the blanket, in floating point; ``delta`` is its approximate value."""
        if self.blanket is None:
            return 1.0
        bound = self.blanket.bound(gamma * (1 - ROUNDING), self.blanket.cuts(max(delta, _SMALL), parts))
        return min(bound * (1 + _SMALL) + _SMALL**2, 1.0)

    def delta(self, level: Epsilon, width: Fraction) -> Worst:
        """Return a bracket of delta at a level; without its proof if there is a blanket."""
        if not self.local.is_infinite and level.exact_gamma() >= self.local.exact_gamma():
            return Worst(Fraction(0), Fraction(0))  # shuffling is post-processing
        gamma = float(level.gamma_bracket(_DIGITS).lower)
        if self.sums is None:
            found = Worst(Fraction(self._below(gamma)), Fraction(1))
        else:
            found = self.sums.delta(level.gamma_bracket(LEVEL_DIGITS), width)
            if self.blanket is None:
                return self._own(found)
        return self._own(replace(found, upper=Fraction(self._above(gamma, float(found.lower), _PARTS)), blocks=()))

    def proved_delta(self, level: Epsilon, width: Fraction) -> Worst:
        """Return the result of ``delta``, with the upper bound that the checker accepts if there is a blanket."""
        found = self.delta(level, width)
        if self.blanket is None or not found.upper:
            return found
        proved = self.blanket.proved_delta(level)
        if proved is None and self.is_any:
            raise UnsupportedProblemError(
                "no bound of any mechanism was proved within the budget of the checker: give fewer respondents"
            )
        if proved is None:
            return found
        self.proof = proved[1]
        return replace(found, lower=min(found.lower, proved[0]), upper=proved[0])

    def epsilon(self, delta: Bracket, width: Fraction) -> Worst:
        """Return a bracket of the least epsilon for a delta, with its proof if there is a blanket."""
        most = self.largest
        if not most:
            return Worst(most, most)
        if self.sums is not None:
            found = self._epsilon(delta, width)
        else:
            least, _ = level_near(lambda x: self._below(math.exp(x)) > float(delta.upper), most)
            found = Worst(Fraction(least), self.reach(delta.lower))
        if self.blanket is not None:
            otherwise = most if self.is_any else found.upper
            upper, self.proof = self.blanket.least_epsilon(delta.lower, most) or (otherwise, None)
            found = replace(found, lower=min(found.lower, upper), upper=upper, blocks=())
        if self.local.is_infinite and found.upper >= most:
            raise UnsupportedProblemError(
                f"no finite epsilon was proved for this delta: a report alone has infinite epsilon, and after "
                f"shuffling none up to {most} is enough"
            )
        return self._own(found)

    def _epsilon(self, delta: Bracket, width: Fraction) -> Worst:
        assert self.sums is not None
        grain, found = width / 8, self.sums.gamma(delta, width / 2)
        lower = grain * math.floor(natural_log(found.lower).lower / grain)
        upper = grain * (math.ceil(natural_log(found.upper).upper / grain) + 1)  # with room for the rounding of a proof
        return replace(found, lower=min(lower, self.largest), upper=min(upper, self.largest))


def _certificate(reports: _Reports, epsilon: Epsilon, most: Fraction, width: Fraction) -> Certificate | None:
    """Return an accepted certificate that delta at a level is at most ``most``; None if there is none."""
    local, n, sums = reports.local, reports.n, reports.sums
    if sums is None or not reports.is_symmetric or reports.is_any or reports.is_bound or local.is_infinite:
        return None
    if epsilon.kind == "rational" and epsilon.times > MAX_EXPONENT:
        return None
    gamma = epsilon.gamma_bracket(LEVEL_DIGITS)
    worst = sums.delta(gamma, width)
    floor = most * (1 - _SPARE)
    proof = sums.delta(gamma, floor=floor)
    if proof.holders is not None or proof.upper > floor or sum(proof.blocks) != n:
        return None
    claim = Bracket(min(worst.lower * (1 - _SPARE), most), most)
    bits = min(_BITS + max(most.denominator.bit_length() - most.numerator.bit_length(), 0), _MOST_BITS)
    claim = claim.rounded_outwards(_CERTIFIED * bits // _BITS)
    parts = {
        "blocks": [str(size) for size in proof.blocks[::-1]],
        "data_set": {"zeros": str(n - 1 - (worst.holders or 0)), "cut": str(worst.cut)},
        "bits": str(bits),
    }
    levels = [level.gamma_bracket(2 * _CERTIFIED) for level in (local, epsilon)]
    ends = Bracket(max(claim.lower, Fraction(0)), min(claim.upper, Fraction(1)))
    return certify_shuffled(n, {"kind": "warner", "local": local.to_dict()}, levels, epsilon, ends, parts)


def _curve(reports: _Reports, points: int, width: Fraction) -> tuple[CurvePoint, ...]:
    """Return bounds of delta on a grid of epsilon, from 0 to a negligible delta or to the local epsilon."""
    most = reports.local.nats(6).lower if not reports.local.is_infinite else Fraction(10)
    if points:
        # a twentieth beyond this level, in thousandths
        most = min(most, Fraction(math.ceil(1050 * reports.reach(_NEGLIGIBLE)), 1000))
    grid = [Fraction(round(most * i / max(points - 1, 1) * 10**6), 10**6) for i in range(points)]
    found = ((at, reports.delta(Epsilon("rational", at), max(width, _CURVE))) for at in grid)
    return tuple(CurvePoint(at, each.lower, each.upper) for at, each in found)


def _inverse(
    n: int, level: Epsilon, slack: Delta, width: Fraction, points: int, *, is_any: bool, certificate: bool
) -> Shuffle:
    """Solve the inverse problem: the largest local epsilon that meets a level after shuffling.

    For any mechanism it is a local epsilon at which all of them meet the level, and the upper bound is that of binary
    randomized response.
    """
    gamma, delta, grain = level.gamma_bracket(LEVEL_DIGITS), slack.bracket(_DIGITS), width / 8

    def trial(local: Fraction, most: Fraction) -> Worst:
        sums = _Reports.of_level(Epsilon("rational", local), n).sums
        assert sums is not None
        return sums.delta(gamma, floor=most)

    least = low = level.nats(_DIGITS).lower
    high = Fraction(2 * math.ceil(low) + 1)
    while (found := trial(high, delta.upper)).holders is None:
        if high > MAX_EXPONENT:
            raise UnsupportedProblemError("every local epsilon meets this delta: give a smaller delta")
        high *= 2
    while high - low > width:
        middle = grain * round((low + high) / 2 / grain)
        tried = trial(middle, delta.upper)
        if tried.holders is not None:
            high, found = middle, tried
        elif tried.upper <= delta.lower:
            low = middle
        else:
            raise UnsupportedProblemError("the local epsilon was not found: give a larger tolerance")
    if is_any:
        low, proof = _local_of_any(n, level, delta.lower, least, high, grain)
        reports, found = _Reports.of_any(Epsilon("rational", low), n), replace(found, blocks=())
    else:
        reports, found = (
            _Reports.of_level(Epsilon("rational", low), n),
            replace(found, blocks=trial(low, delta.lower).blocks),
        )
        proof = _certificate(reports, level, delta.lower, width) if certificate else None
    found = replace(found, lower=low, upper=high)
    asked: dict[str, Any] = {"epsilon": level, "delta": _written(slack), "local": Bracket(low, high)}
    return reports.result(found, _curve(reports, points, width), proof, **asked)


def _local_of_any(
    n: int, level: Epsilon, delta: Fraction, least: Fraction, most: Fraction, grain: Fraction
) -> tuple[Fraction, Certificate | None]:
    """Return a local epsilon at which the shuffled reports of every mechanism meet a level, with the proof."""

    def blanket(local: Fraction) -> tuple[BlanketReports, list[int]]:
        reports = BlanketReports.of_any(n, Epsilon("rational", local))
        return reports, reports.cuts(float(delta))

    low, high = least, most
    while high - low > grain:
        middle = ((low + high) / 2).limit_denominator(10**12)
        reports, cuts = blanket(middle)
        low, high = (middle, high) if reports.bound(math.exp(float(least)), cuts) <= delta else (low, middle)
    for i in range(_STEPS):
        lower = max(math.floor(low / grain - i) * grain, least)
        reports, cuts = blanket(lower)
        proof = reports.certificate(level, delta, cuts)
        if proof is not None or lower == least:
            break
    return lower, proof
