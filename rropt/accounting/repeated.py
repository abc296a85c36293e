"""``panel``: the privacy loss of one respondent's reports over time, and the best design for a lifetime budget.

*Fresh reports*: each report is randomized again. The privacy loss over the lifetime is a composition (``composition``).

*Kept reports*: the first report is stored and repeated (``one_report``; dBitFlip). All reports together reveal as much
as one.

*Memoized reports*: a true value is randomized once by M1, and the output (the memo) is stored. Every report randomizes
the memo again by M2, the instantaneous step (RAPPOR). A vector c of counts of N reports has probability proportional to
``sum_m M1[m, x] prod_i M2[i, m]^(c_i)``. With two memos the likelihood ratio is monotone in the counts, so the worst
outcomes are N equal reports. With more memos the code tries every count vector. As N grows, epsilon increases to the
epsilon of M1 itself, if the columns of M2 are pairwise different. Memos with equal columns are merged.

*A value that changes*: the respondent stores one memo for each value. Two different values have different memos with
probability ``delta_c = 1 - sum_m M1[m, x] M1[m, x']``. Without an instantaneous step, the pattern of changes is then
visible. Over a lifetime of arbitrary changes, epsilon is infinite, and delta is the largest delta_c. With an
instantaneous step of level epsilon_inst, epsilon is at most T epsilon_inst over T reports.

*Which design.* Randomizing a yes/no response at level e adds ``1/(4 sinh^2(e/2))`` to n times the variance of an
estimated proportion. Let e be the lifetime budget, T the number of waves, N the number of respondents and v = pi (1 -
pi).

* A constant trait: one memoized response at e is best. The variance of T fresh responses is larger by the factor
  ``sinh^2(e/2)/(T sinh^2(e/2T))``, which is at least T because sinh(y/T) <= sinh(y)/T.
* The level in each wave: each respondent answers m of T waves at e/m. The variance per wave is
  ``(T/(m N)) (1/(4 sinh^2(e/2m)) + v)``.
* The net change between neighbouring waves: each respondent answers m >= 2 consecutive waves, with variance
  ``((T-1)/((m-1) N)) (2/(4 sinh^2(e/2m)) + V)``. Alternatively, disjoint samples answer once each, with variance
  ``(2T/N) (1/(4 sinh^2(e/2)) + v)``.

The code finds the optimum within these families only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from operator import mul
from typing import Any

from rropt.accounting.accountant import compose
from rropt.accounting.composition_proofs import require_proof
from rropt.accounting.curves import BITS, natural_log
from rropt.accounting.items import is_level, mechanism_or_level, read_table
from rropt.accounting.one_report import OneReport, largest_difference
from rropt.core.argument_checks import clear_calls, require_given, require_texts
from rropt.core.certificates import Certificate
from rropt.core.errors import (
    InvalidParameterError,
    UnsupportedProblemError,
    one_of,
    shown,
)
from rropt.core.exact import Bracket, Delta, Epsilon, both_texts, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.core.results import Extended, Result, labelled
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism

MAX_REPORTS = 10**6
_MAX_COUNTS = 200_000  # count vectors of the reports, if there are more than two memos
_EXACT = 1 << 16  # bits of a parity, or of the probability of many reports, up to which it is computed exactly
_MOST_POINTS = 16
_LEAST_LIFETIME = 1e-100  # the variance of a response at a smaller level is too large for a float
_SHORT_BITS = 100  # bits of a parity up to which it is shown as log(q)
_WAYS = {
    "fresh": "each is randomized anew",
    "kept": "the first one is kept and repeated",
    "memo": "each randomizes the memo again",
}


@dataclass(frozen=True, slots=True)
class ReportsPoint(Result):
    """Bounds ``lower <= epsilon <= upper`` after the given number of reports; ``None`` means infinite.

    Attributes:
        reports: how many reports one person has sent.
        lower: a lower bound of epsilon, in nats.
        upper: an upper bound of epsilon, in nats.
    """

    reports: int
    lower: Extended
    upper: Extended


@dataclass(frozen=True, slots=True)
class WaveDesign(Result):
    """A design over several waves for a lifetime budget.

    Attributes:
        goal: ``constant`` (a trait that does not change), ``level`` (of each wave) or ``change`` (net, between waves).
        answered: m, the number of waves that each respondent answers; 1 for a constant trait, which uses a memo.
        each: epsilon of each response.
        variance: N times the variance of the estimate.
        everybody: N times the variance if every respondent answers in every wave.
    """

    goal: str
    answered: int
    each: Epsilon
    variance: float
    everybody: float

    ANSWER = ("goal", "answered", "each", "variance")


@dataclass(frozen=True, slots=True)
class Longitudinal(Result):
    """The privacy loss of the reports of one respondent over time.

    Attributes:
        mechanism: the mechanism of each report.
        memo: the mechanism that randomizes once and whose output is kept; ``None`` if there is no memo.
        reports: ``fresh`` (each is randomized again), ``kept`` (the first one is repeated) or ``memo`` (each randomizes
            the memo again).
        waves, per_wave: T waves with the given number of reports each.
        delta: the delta for which epsilon is requested.
        epsilon: the epsilon of all reports: exact if known, else a bracket in nats.
        lower, upper: bounds of this epsilon, in nats.
        per_report, wave: epsilon of one report, and of the reports of one wave.
        limit: the supremum of epsilon over any number of reports.
        change_delta: delta over a lifetime in which the value changes arbitrarily, with one memo for each value and no
            instantaneous step. It is the probability that two memos differ, or an upper bound of it; of a level, that
            of binary randomized response, which reveals its input with probability delta. ``None`` for fresh
            reports, for RAPPOR (where it depends on the number of bits), and if the matrix is not known.
        change_epsilon: an upper bound of epsilon over such a lifetime. It is infinite without an instantaneous step,
            and ``None`` for RAPPOR, where it depends on the number of bits.
        curve: epsilon after 1, 2, 4, ... reports.
        designs: the best designs for the lifetime budget.
        certificate: the certificate of the composition of all fresh reports; ``None`` for memoized reports
            and for reports that the rule does not cover.
    """

    mechanism: str
    memo: str | None
    waves: int
    per_wave: int
    delta: Delta
    epsilon: Epsilon | Bracket
    lower: Extended
    upper: Extended
    per_report: Epsilon | Bracket
    wave: Epsilon | Bracket
    limit: Epsilon | Bracket
    change_delta: Fraction | None
    change_epsilon: Epsilon | None
    curve: tuple[ReportsPoint, ...]
    designs: tuple[WaveDesign, ...] = ()
    reports: str = "fresh"
    certificate: Certificate | None = None
    unverified: tuple[str, ...] = field(default=(), compare=False)

    ANSWER = ("epsilon", "delta", "waves", "limit")
    LABELS = labelled(
        mechanism="each report",
        memo="randomized once and kept",
        ways="reports",
        waves="waves",
        per_wave="reports in each wave",
        delta="delta",
        per_report="epsilon of one report",
        wave="epsilon of one wave",
        epsilon="epsilon of all waves",
        limit="epsilon of any number of reports",
        change_epsilon="epsilon of a value that changes, at most",
        change_delta="probability that a memo without instantaneous step shows a change",
        advice="best for this lifetime budget",
    )

    @property
    def ways(self) -> str:
        """How the reports of one respondent depend on each other."""
        return _WAYS[self.reports]

    @property
    def advice(self) -> str:
        """The best designs, separated by semicolons."""
        return "; ".join(
            f"{one.goal}: {with_noun(one.answered, 'response')} at epsilon {float(one.each):.4g}, N Var "
            f"{one.variance:.4g} (everybody always {one.everybody:.4g})"
            for one in self.designs
        )

    def remarks(self) -> tuple[str, ...]:
        """Return the assumption about the probability of a change if only the level of the reports is known."""
        if self.change_delta in (None, 1) or not is_level(self.mechanism):
            return ()
        return (
            "the probability of a change is that of binary randomized response at this level: with more outputs it can "
            "be larger, up to 1; give the mechanism",
        )

    def checked(self) -> tuple[str, ...]:
        """Return the names of the values that no certificate in the file proves.

        Raises:
            FileFormatError: the checker rejects the certificate.
        """
        require_proof(self.certificate, "repeated reports", "other reports")
        return ("epsilon", "lower", "upper", "per_report", "wave", "limit", "curve", "designs")


@clear_calls
def panel(
    mechanism: object | None = None,
    waves: int = 0,
    *,
    questions: str | None = None,
    memo: object | None = None,
    reports: str | None = None,
    per_wave: int = 1,
    delta: object = 0,
    lifetime: object | None = None,
    prevalence: object | None = None,
    change: object | None = None,
) -> Longitudinal:
    """Return the privacy loss of one respondent's reports over T waves: per report, per wave, in total, in the limit.

    Args:
        mechanism: the mechanism of each report: a level in nats, a mechanism, or its text form. With ``memo``, it is a
            mechanism whose inputs are the outputs of the memo. ``rappor:f,p,q`` is a memo with an instantaneous step
            of each bit; the levels are those of two categories, which differ in two bits.
            ``dbitflip:B,D,LEVEL`` samples D of B buckets and keeps the report.
        waves: T, at least 1.
        questions: path of a CSV file with the questions of an interview, as in ``compose``, instead of a mechanism.
        memo: the step that randomizes once and whose output is kept: a level (binary randomized response) or a
            mechanism.
        reports: ``"fresh"`` (each is randomized again), ``"kept"`` (the first one is repeated) or ``"memo"`` (each
            randomizes the memo again). The default is ``memo`` if there is a memo, ``kept`` for dBitFlip, and ``fresh``
            otherwise.
        per_wave: the number of reports in each wave.
        delta: the delta for which epsilon of fresh reports is requested; memoized reports have delta = 0.
        lifetime: a lifetime epsilon for which the best designs over T waves are requested.
        prevalence: the proportion pi that these designs assume (default: 1/2); v = pi (1 - pi).
        change: V, the variance of a respondent's change between neighbouring waves; without it there is no design for
            the net change.

    >>> found = panel("rappor:1/2,1/2,3/4", 10)
    >>> print([round(float(x.upper), 6) for x in found.curve[:1]], round(float(found.upper), 6), found.limit)
    [0.537143] 2.149672 log(9)
    """
    require_texts(questions=questions, reports=reports)
    require_given(
        questions=questions, memo=memo, reports=reports, lifetime=lifetime, prevalence=prevalence, change=change
    )
    count = whole_where(waves, 1, MAX_REPORTS, name="the number of waves")
    count *= whole_where(per_wave, 1, MAX_REPORTS, name="the number of reports in each wave")
    if count > MAX_REPORTS:
        raise InvalidParameterError(f"there are too many reports: received {count}; allowed is 1 to {MAX_REPORTS}")
    slack = Delta.of(delta)
    designs = () if lifetime is None else wave_designs(lifetime, waves, prevalence=prevalence, change=change)
    if lifetime is None and (prevalence is not None or change is not None):
        raise InvalidParameterError("prevalence and change need a lifetime: give the lifetime, or leave them out")
    points = sorted({1, per_wave, count, *(2**i for i in range(_MOST_POINTS) if 2**i < count)})
    steps, way = _steps_of(mechanism, questions, memo, reports)
    asked: dict[str, Any] = {"waves": waves, "per_wave": per_wave, "delta": slack, "designs": designs, "reports": way}
    own: dict[str, Any]
    levels: dict[int, Epsilon | Bracket]
    if steps is None or way != "memo":
        one = _one_report(mechanism, questions, steps)
        found = {n: compose(*one.repeated(1 if way == "kept" else n), delta=slack, points=2) for n in points}
        levels = {n: each.epsilon for n, each in found.items()}
        is_silent = compose(*one.repeated(1), epsilon=0, points=2).upper == 0
        unlimited = Epsilon.of(0) if is_silent else Epsilon("infinite")
        own = {
            "mechanism": one.name,
            "memo": None,
            "limit": levels[1] if way == "kept" else unlimited,
            "change_delta": one.change if way == "kept" else None,
            "change_epsilon": Epsilon("infinite") if way == "kept" and one.change != 0 else None,
            "certificate": found[count].certificate,
        }
    else:
        if slack.rational != 0:
            raise UnsupportedProblemError("memoised reports have delta = 0 here: leave delta out")
        kept, each, is_unary = steps.memo, steps.each, steps.is_unary
        levels = {n: steps.epsilon(n) for n in reversed(points)}  # too many counts are refused before any work
        bare = all(sum(1 for p in each.matrix[i] if p) == 1 for i in range(each.outputs))
        per_change = Epsilon("infinite") if bare or each.epsilon.is_infinite else None
        own = {
            "mechanism": each.name or "mechanism",
            "memo": kept.name or "mechanism",
            "limit": steps.limit(),
            "change_delta": None if is_unary else largest_difference(kept),
            "change_epsilon": per_change or (None if is_unary else _multiple_of_level(each.epsilon, count)),
        }
    curve = tuple(ReportsPoint(n, *_ends(levels[n])) for n in points)
    asked |= {"epsilon": levels[count], "lower": curve[-1].lower, "upper": curve[-1].upper, "curve": curve}
    return Longitudinal(per_report=levels[1], wave=levels[per_wave], **own, **asked)


@dataclass(frozen=True)
class MemoisedReports:
    """Reports of a memo: M1 randomizes once, and every report applies M2 to the stored output.

    Attributes:
        memo: M1.
        each: M2.
        is_unary: whether the value is encoded in unary. Two values then differ in two bits, and epsilon covers both.
    """

    memo: Mechanism
    each: Mechanism
    is_unary: bool = False

    def __post_init__(self) -> None:
        if self.each.inputs != self.memo.outputs:
            raise InvalidParameterError(
                f"the reports are not of the memo: received a mechanism with {self.each.inputs} inputs; allowed is as "
                f"many as the memo has outputs, {self.memo.outputs}"
            )

    def epsilon(self, reports: int) -> Epsilon | Bracket:
        """Return epsilon of the given number of reports about one constant value."""
        best = self._parity(reports)
        if best is None:
            return Epsilon("infinite")
        if best.is_exact and best.upper.numerator.bit_length() <= _SHORT_BITS:
            return Epsilon.of_parity(best.upper)
        return Bracket(natural_log(best.lower).lower, natural_log(best.upper).upper).rounded_outwards()

    def _parity(self, reports: int) -> Bracket | None:
        """Return a bracket of the parity of the given number of reports; None if it is infinite."""
        found = [Bracket.of(Fraction(1))] * (self.memo.inputs < 2)  # one value: nothing to learn
        for x, y in permutations(range(self.memo.inputs), 2):
            ratio = self._largest(x, y, reports)
            if ratio is None:
                return None
            found.append(ratio)
        if self.is_unary:  # one bit changes from 0 to 1 and another one from 1 to 0
            (one, other) = found
            return Bracket(one.lower * other.lower, one.upper * other.upper)
        return Bracket(max(x.lower for x in found), max(x.upper for x in found))

    def _largest(self, x: int, y: int, n: int) -> Bracket | None:
        """Return a bracket of the largest likelihood ratio of n reports for inputs x and y; None if it is infinite."""
        from flint import ctx

        given, largest = self.each.design_matrix, max(p.denominator for row in self.each.matrix for p in row)
        # as fractions, powers of large numbers of reports would have millions of digits
        number: Any = Fraction if n * largest.bit_length() <= _EXACT else ball
        best = Bracket.of(Fraction(1))
        with ctx.workprec(BITS):
            one, other = ([number(p) for p in self.memo.design_matrix[value]] for value in (x, y))
            for counts in self._extremes(n):
                # the probability of the counts given each memo
                chances = [math.prod(number(p) ** c for p, c in zip(own, counts, strict=True)) for own in given]
                above, below = (sum(map(mul, mixed, chances)) for mixed in (one, other))
                if above == 0:
                    continue
                if below == 0:
                    return None
                ratio = above / below
                found = Bracket.of(ratio) if isinstance(ratio, Fraction) else bracket(ratio)
                best = Bracket(max(best.lower, found.lower), max(best.upper, found.upper))
        return best

    def _extremes(self, n: int) -> Iterator[tuple[int, ...]]:
        """Iterate over the count vectors that may be the worst case."""
        outputs = self.each.outputs
        # the ratio of the two memos is a product over reports, so it is extreme if all reports are equal
        if self.each.inputs == 2:
            for i in range(outputs):
                yield tuple(n if j == i else 0 for j in range(outputs))
            return
        if math.comb(n + outputs - 1, outputs - 1) > _MAX_COUNTS:
            raise UnsupportedProblemError(
                f"too many counts of {n} reports with {outputs} outputs: allowed are memos with two outputs, or at "
                f"most {_MAX_COUNTS} counts; any number of reports reveals at most the memo, whose epsilon is "
                f"{both_texts(self.memo.epsilon)}"
            )
        yield from _counts(n, outputs)

    def limit(self) -> Epsilon:
        """Return the supremum of epsilon over all N: that of M1, after memos that M2 cannot tell apart merge."""
        columns: dict[tuple[Fraction, ...], list[int]] = {}
        for m in range(self.each.inputs):
            columns.setdefault(tuple(row[m] for row in self.each.matrix), []).append(m)
        merged = Mechanism(
            [[sum(self.memo[m, x] for m in group) for x in range(self.memo.inputs)] for group in columns.values()]
        )
        seen = Mechanism([[int(i == j) for j in range(len(columns))] for i in range(len(columns))])
        largest = MemoisedReports(merged, seen, self.is_unary)._parity(1)
        return Epsilon.of_parity(None if largest is None else largest.upper)


def wave_designs(
    lifetime: object, waves: int, *, prevalence: object | None = None, change: object | None = None
) -> tuple[WaveDesign, ...]:
    """Return the best designs over T waves for a lifetime epsilon, one for each goal.

    Each respondent answers in m of the waves; the function compares the variances at every m in floating point.

    Args:
        lifetime: the lifetime epsilon of a respondent.
        waves: T, the number of waves.
        prevalence: the proportion pi in each wave (default: 1/2).
        change: V, the variance of a respondent's change between neighbouring waves (default: no design for the net
            change).

    >>> found = wave_designs("4", 12)
    >>> [(one.goal, one.answered, round(one.variance, 3)) for one in found]
    [('constant', 1, 0.019), ('level', 2, 2.586)]
    """
    level = Epsilon.of(lifetime)
    if level.is_infinite or float(level) < _LEAST_LIFETIME:
        raise InvalidParameterError(
            f"the lifetime epsilon is out of range: received {shown(lifetime)}; allowed is {_LEAST_LIFETIME:g} <= "
            "epsilon <= 100"
        )
    total = float(level)
    share = rational_where(
        "1/2" if prevalence is None else prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="pi"
    )
    v = float(share * (1 - share))

    def noise(e: float) -> float:
        return 1 / (4 * math.sinh(e / 2) ** 2)

    def answer(m: int) -> Epsilon:
        return level.scaled(Fraction(1, m))

    most = whole_where(waves, 1, 10_000, name="the number of waves")
    fresh = noise(total / most)
    found = [WaveDesign("constant", 1, level, noise(total), fresh / most)]
    variances = {m: most / m * (noise(total / m) + v) for m in range(1, most + 1)}
    best = min(variances, key=lambda m: (variances[m], m))
    found.append(WaveDesign("level", best, answer(best), variances[best], variances[most]))
    if change is not None and most > 1:
        moved = float(rational_where(change, lambda x: 0 <= x <= 1, "0 <= V <= 1", name="change"))
        net = {m: (most - 1) / (m - 1) * (2 * noise(total / m) + moved) for m in range(2, most + 1)}
        net[1] = 2 * most * (noise(total) + v)
        best = min(net, key=lambda m: (net[m], m))
        found.append(WaveDesign("change", best, answer(best), net[best], net[most]))
    return tuple(found)


def _steps_of(
    mechanism: object, questions: str | None, memo: object | None, reports: str | None
) -> tuple[MemoisedReports | None, str]:
    """Return the memo and the instantaneous step, if both exist, and the dependence between reports (``reports``)."""
    if (mechanism is None) == (questions is None):
        raise InvalidParameterError(
            "one of a mechanism and a table of questions is needed: received "
            f"{'neither' if questions is None else 'both'}; give one of them"
        )
    if reports is not None:
        one_of(reports, _WAYS, "reports")
    text = mechanism if isinstance(mechanism, str) else ""
    found: MemoisedReports | None = None
    if memo is not None:
        if questions is not None:
            raise InvalidParameterError(
                "a memo cannot be combined with a table of questions: leave the memo or the questions out"
            )
        found = MemoisedReports(_mechanism(memo), _mechanism(mechanism))
    elif text.startswith("rappor:"):
        found = _rappor(text)
    if reports == "memo" and found is None:
        raise InvalidParameterError(
            "memoised reports need a memo: give the memo, or rappor:f,p,q; or ask for fresh or kept reports"
        )
    own = "memo" if found is not None else "kept" if text.startswith("dbitflip:") else "fresh"
    return found, own if reports is None else reports


def mechanisms_of_reports(
    mechanism: object, questions: str | None = None, memo: object | None = None
) -> list[Mechanism]:
    """Return the mechanisms of reports over time: of each report, of the memo, and of both together; levels have none.

    Unary encodings (RAPPOR and dBitFlip) randomize bits and have no mechanism of the full report here.
    """
    found, _ = _steps_of(mechanism, questions, memo, None)
    if found is not None:
        return [] if found.is_unary else [found.each, found.memo, found.memo.then(found.each)]
    items = _one_report(mechanism, questions, None).items
    return [item.mechanism for item in items if item.mechanism is not None]


def _one_report(mechanism: object, questions: str | None, steps: MemoisedReports | None) -> OneReport:
    """Build one report, as the product of both steps if there is a memo, or one interview."""
    if questions is not None:
        return OneReport("an interview", read_table(questions), None)
    if steps is None:
        return OneReport.of(mechanism)
    both = steps.memo.then(steps.each, name=f"{steps.each.name or 'mechanism'} of {steps.memo.name or 'memo'}")
    return OneReport.of_pair(both[1, 1], both[1, 0]) if steps.is_unary else OneReport.of(both)


def _rappor(text: str) -> MemoisedReports:
    """Parse ``rappor:f,p,q`` into the memo and the instantaneous step."""
    parts = text.partition(":")[2].split(",")
    if not 1 <= len(parts) <= 3:
        raise InvalidParameterError(
            f"RAPPOR is not read: received {shown(text)}; allowed is rappor:f,p,q; give the number of reports as waves"
        )
    f, p, q = (
        rational_where(part, lambda x: 0 <= x <= 1, "0 <= chance <= 1", name=name)
        for part, name in zip([*parts, *["0", "1"][len(parts) - 1 :]], "fpq", strict=True)
    )
    return MemoisedReports(
        Mechanism([[1 - f / 2, f / 2], [f / 2, 1 - f / 2]], name=f"each bit, kept with f = {f}"),
        Mechanism(
            [[1 - p, 1 - q], [p, q]], name=f"each bit is 1 with chance {p} or {q}; two categories differ in two bits"
        ),
        is_unary=True,
    )


def _mechanism(given: object) -> Mechanism:
    found = mechanism_or_level(given)
    if isinstance(found, Mechanism):
        return found
    gamma = found.gamma
    if gamma is None:
        raise UnsupportedProblemError(
            f"the level of a memo is not log(q): received {shown(given)}; write it as log(q) with a rational q, or "
            "give the mechanism"
        )
    p = gamma / (1 + gamma)
    return Mechanism([[p, 1 - p], [1 - p, p]], name=f"binary randomized response at {found}")


def _ends(level: Epsilon | Bracket) -> tuple[Extended, Extended]:
    """Return the bounds of a level in nats; ``None`` means infinite."""
    if isinstance(level, Epsilon) and level.is_infinite:
        return None, None
    ends = level.nats(30).rounded_outwards() if isinstance(level, Epsilon) else level
    return ends.lower, ends.upper


def _multiple_of_level(level: Epsilon, count: int) -> Epsilon:
    """Return ``count`` times a level; the result may exceed the largest level that users can enter."""
    gamma = level.gamma
    if gamma is not None and count * gamma.numerator.bit_length() <= _EXACT:
        return Epsilon.of_parity(gamma**count)
    return Epsilon("rational", level.nats(30).rounded_outwards().upper * count)


def _counts(n: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the vectors of counts with the sum n: the gaps between bars among n places."""
    for bars in combinations(range(n + kinds - 1), kinds - 1):
        yield tuple(b - a - 1 for a, b in pairwise((-1, *bars, n + kinds - 1)))
