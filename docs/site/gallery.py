"""The gallery of deployed systems and well-known surveys, ``docs/reference/gallery.md``, which this module writes.

    python docs/site/gallery.py

writes it, and the certificates of its figures to the existing folder ``docs/reference/gallery/``. Each finite
figure has a certificate and names the formula by which it follows from the certificate. The levels of shuffled reports
take a few seconds.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from rropt.accounting.renyi import renyi_privacy
from rropt.accounting.shuffled_blanket import BlanketReports
from rropt.checker.shuffled import binary_blankets
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Epsilon, as_text
from rropt.core.files import write_files
from rropt.mechanisms import Mechanism, named_mechanism

DELTA = Fraction(1, 10**6)
"""Of the levels after shuffling."""

_MANY = 10_000  # respondents: with more the proof of a finer bound needs too much work for a certificate

FORMULAS = {
    "F1": "Pure level of one report: the largest logarithm of a ratio of two entries of a row. For independent bits it "
    "is the sum over the bits in which two inputs differ. `rropt privacy`.",
    "F2": "RAPPOR (Erlingsson, Pihur and Korolova 2014) with memo f: after N reports of h bits, "
    "h log(R1(N) R0(N)), with u = 1 - f/2, v = f/2, R1 = (u q^N + v p^N)/(v q^N + u p^N), and R0 the same with 1 - q "
    "and 1 - p; the limit is 2 h log(u/v). `rropt panel rappor:f,p,q --waves T`.",
    "F3": "Fresh reports: T reports of a pure level epsilon have the level T epsilon, and no smaller pure level if the "
    "same pair of inputs and the same response are worst each time. There is no finite limit.",
    "F4": "zCDP: the least rho with D_a <= rho a for all a > 1 (Renyi divergence), of k-ary randomized response, of a "
    "pair of laws (p, q, r) and (q, p, r), which counts as k = r/q + 2 categories, or of a matrix. Products of m equal "
    "pairs have m rho. The Hadamard sketch has k = e^4 + 3, rounded down in the twentieth digit. `rropt privacy "
    "MECHANISM --renyi zcdp`.",
    "F5": "Shuffled symmetric binary reports: all neighbouring data sets, by blocks. Other binary reports, and k-ary "
    "ones: the blanket of Balle, Bell, Gascon and Nissim (2019), an upper bound. `rropt shuffle`.",
    "F6": "Shuffled reports of any mechanism at the local level: the clones of Feldman, McMillan and Talwar (2021, "
    "theorem 3.1), an upper bound, with the number of clones in blocks. `rropt shuffle EPSILON --any-mechanism`.",
    "F7": "n times the total variance of the unbiased estimates of all proportions, at equal proportions 1/k. For a "
    "bit with the chances p (true) and q (false) it is l(1 - l)/(p - q)^2, l = q + (p - q)/k; for dBitFlip with d of k "
    "bits, k/d times the second moment, less 1/k^2, for each bucket.",
    "F8": "Hadamard reports of one bit: each estimate has second moment c^2, c = (e^epsilon + 1)/(e^epsilon - 1); n "
    "times the total variance is k c^2 - 1/k at equal proportions.",
    "F9": "n Var of the estimated prevalence, l(1 - l)/(p11 - p01)^2, at the prevalence that the survey found.",
    "F10": "Probability that the released topic is one of the true five: a response of the five has at most gamma "
    "times the chance c of another one, so 5 gamma c/(5 gamma c + (k - 5) c), which the mechanism attains.",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the table with its proof: names of formulas, or a certificate.

    Attributes:
        text: the figure as printed.
        proof: the names of the formulas that it follows from.
        certificate: its certificate, if there is one.
        file: the name of the file of the certificate.
    """

    text: str
    proof: tuple[str, ...] = ()
    certificate: Certificate | None = None
    file: str = ""

    @property
    def shown(self) -> str:
        """The figure with links to its proof."""
        links = [f"[{name}](#{name.lower()})" for name in self.proof]
        if self.certificate is not None:
            links.append(f"[{self.certificate.statement}](gallery/{self.file}.json)")
        return f"{self.text} ({', '.join(links)})" if links else self.text


COLUMNS = ("epsilon of a report", "of a day", "in the limit", "delta", "zCDP", "shuffled", "optimum", "factor lost")


@dataclass(frozen=True, slots=True)
class System:
    """A deployed system or a survey.

    Attributes:
        key: the prefix of the names of its certificates.
        name: the name in the table.
        source: the source of its parameters.
        setting: the mechanism, its parameters, and the assumptions.
        gaps: the properties that are not guaranteed.
        figures: the figures by column, as functions because some take seconds.
        more: further figures, by label.
    """

    key: str
    name: str
    source: str
    setting: str
    gaps: str
    figures: dict[str, Callable[[], Figure]] = field(default_factory=dict)
    more: dict[str, Callable[[], Figure]] = field(default_factory=dict)

    def row(self, columns: Sequence[str] = COLUMNS) -> dict[str, Figure]:
        """Return the figures of some columns."""
        return {column: self.figures[column]() for column in columns}


def _number(value: float | Fraction, digits: int = 5) -> str:
    """Return a decimal with the given number of significant digits."""
    text = f"{float(value):.{digits}g}"
    return text if "e" not in text else f"{float(text):.0f}"


def _between(found: Any) -> str:
    """Return the midpoint of bounds that agree in five digits, otherwise both bounds."""
    low, high = (_number(x) for x in found)
    return low if low == high else f"{low} to {high}"


def _nats(level: Epsilon | Bracket) -> str:
    """Return a level as a decimal, and exactly if the exact text is short."""
    if isinstance(level, Epsilon):
        text = str(level)
        return text if "log" not in text else f"{text} = {_number(float(level))}"
    return _between(level)


def _reports(n: int, mechanism: Mechanism) -> BlanketReports:
    """Return shuffled reports of a binary device, whose certificate has its two exact chances of a yes and no level."""
    zero, one = mechanism[1, 0], mechanism[1, 1]
    device = {"kind": "binary", "zero": as_text(zero), "one": as_text(one)}
    return BlanketReports(n, device, mechanism.epsilon, tuple(binary_blankets(zero, one)))


def _clones(key: str, level: object, n: int) -> Figure:
    """Return the level of n shuffled reports of any mechanism at a level, with its certificate."""
    return _by_blanket(key, BlanketReports.of_any(n, Epsilon.of(level)), "F6")


def _by_blanket(key: str, reports: BlanketReports, proof: str) -> Figure:
    """Return the level of shuffled reports, rounded up to four digits; the certificate proves the printed number."""
    most = reports.local.nats(30).upper
    found = reports.least_epsilon(DELTA, most)
    assert found is not None
    text = _up(float(found[0]))
    cuts = reports.cuts(float(DELTA))
    certificate = reports.certificate(Epsilon.of(text), DELTA, cuts)
    assert certificate is not None
    return Figure(f"at most {text} (n = {reports.respondents:,})", (proof,), certificate, f"{key}-shuffled")


def _up(value: float) -> str:
    """Return a number with four significant digits, rounded up."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    return f"{math.ceil(value / unit) * unit:.4g}"


def _shuffled(key: str, mechanism: Any, n: int) -> Figure:
    """Return the level of n shuffled binary reports, with its certificate."""
    from rropt.accounting import shuffle

    if isinstance(mechanism, Mechanism) and mechanism[1, 0] + mechanism[1, 1] != 1:
        return _by_blanket(key, _reports(n, mechanism), "F5")
    found = shuffle(mechanism, n, delta=DELTA, tolerance="1/3000" if n > _MANY else "1/10000", certificate=True)
    assert found.upper is not None
    return Figure(f"at most {_up(float(found.upper))} (n = {n:,})", ("F5",), found.certificate, f"{key}-shuffled")


def _zcdp(key: str, given: object, times: int = 1, categories: int | Fraction | None = None) -> Figure:
    """Return rho of several uses of a mechanism, or of k-ary response at a level, with the certificate of one use."""
    certificate = renyi_privacy(given, categories=categories, digits=19).certificate
    assert certificate is not None
    ends = [times * Fraction(certificate.claim[end]) for end in ("lower", "upper")]
    return Figure(_between(ends), ("F4",), certificate, f"{key}-zcdp")


def _pair_zcdp(key: str, one: Fraction, other: Fraction, times: int = 1) -> Figure:
    """Return rho of two distributions (p, q, r) and (q, p, r) on three outputs.

    It equals rho of k-ary response with k = r/q + 2 categories.
    """
    return _zcdp(key, f"log({one / other})", times, (1 - one - other) / other + 2)


def _level(key: str, level: Epsilon, proof: str = "F1", note: str = "", name: str = "report") -> Figure:
    """Return a level that is a parameter of the mechanism, with the certificate of one report at this level."""
    from rropt.accounting import compose

    found = compose(level, delta=0, points=2)
    return Figure(_nats(level) + note, (proof,), found.certificate, f"{key}-{name}")


def _parity(key: str, pair: Sequence[Sequence[Fraction]], text: str, proof: str = "F1", name: str = "report") -> Figure:
    """Return a figure that follows from the parity of a matrix, with its certificate."""
    rows = [[as_text(entry) for entry in row] for row in pair]
    parity = max(max(row) / min(row) for row in pair)
    problem = {"mechanism": {"matrix": rows}, "level": None}
    certificate = Certificate.state("mechanism-levels", problem, {"parity": as_text(parity)}, {})
    return Figure(text, (proof,), certificate.require_accepted(), f"{key}-{name}")


def _no_delta(report: Callable[[], Figure]) -> Callable[[], Figure]:
    """Return the figure delta = 0 of a report with a pure level, proved by the certificate of that level."""

    def figure() -> Figure:
        found = report()
        return Figure("0", ("F1",), found.certificate, found.file)

    return figure


def _at_level(key: str, level: object) -> dict[str, Callable[[], Figure]]:
    """Return the figures of one report of a mechanism whose level is a parameter."""

    def report() -> Figure:
        return _level(key, Epsilon.of(level))

    return {"epsilon of a report": report, "delta": _no_delta(report)}


def _composed(key: str, item: object, count: int, note: str) -> Figure:
    """Return the pure level of several fresh reports, with the certificate of the composition if there is one."""
    from rropt.accounting import compose

    found = compose(*[item] * count, delta=0, points=2)
    return Figure(f"{_nats(found.epsilon)} ({note})", ("F3",), found.certificate, f"{key}-day")


@dataclass(frozen=True, slots=True)
class Optimum:
    """A certified optimum and the value of the system, both computed on first use."""

    key: str
    solve: Callable[[], Any]
    value: Callable[[], float]
    unit: str
    proof: tuple[str, ...]
    is_most: bool = False

    def figures(self) -> dict[str, Callable[[], Figure]]:
        """Return the figures of the last two columns."""

        @cache
        def solved() -> Any:
            return self.solve()

        def optimum() -> Figure:
            found = solved()
            text = f"{_between((found.lower, found.upper))} {self.unit}, here {_number(self.value())}"
            return Figure(text, self.proof, found.certificate, f"{self.key}-optimum")

        def factor() -> Figure:
            found, value = solved(), self.value()
            ends = sorted((value / float(found.lower), value / float(found.upper)))
            if self.is_most:
                ends = [1 / x for x in reversed(ends)]
            low, high = (max(1.0, x) for x in ends)
            text = (
                _number(low, 4) if _number(low, 4) == _number(high, 4) else f"{_number(low, 4)} to {_number(high, 4)}"
            )
            return Figure(text, self.proof, found.certificate, f"{self.key}-optimum")

        return {"optimum": optimum, "factor lost": factor}


def _variances(key: str, epsilon: object, k: int, value: Callable[[], float], proof: str) -> Optimum:
    """Return the smallest total variance (A-optimality) for k categories with equal proportions."""

    def solve() -> Any:
        from rropt.designs import Problem
        from rropt.designs import solve as solve_problem

        return solve_problem(Problem.kary(k, epsilon=epsilon, objective="a-optimal"))

    return Optimum(key, solve, value, "n x total variance", (proof,))


def _prevalence(key: str, mechanism: Mechanism, prevalence: Fraction, proof: str = "F9") -> Optimum:
    """Return the smallest n Var of an estimated prevalence."""

    def solve() -> Any:
        from rropt.designs import Problem
        from rropt.designs import solve as solve_problem

        return solve_problem(Problem.binary(prevalence, epsilon=mechanism.epsilon))

    def value() -> float:
        p01, p11 = mechanism[1, 0], mechanism[1, 1]
        share = p01 + prevalence * (p11 - p01)
        return float(share * (1 - share) / (p11 - p01) ** 2)

    return Optimum(key, solve, value, "n Var", (proof,))


def _bits_value(true: float, false: float, k: int) -> float:
    """Return n times the total variance of k independent bits at equal proportions."""
    share = false + (true - false) / k
    return k * share * (1 - share) / (true - false) ** 2


def _symmetric(epsilon: float) -> tuple[float, float]:
    """Return Pr(1) at both inputs of symmetric unary encoding, with epsilon/2 for each of two bits."""
    keep = math.exp(epsilon / 2) / (1 + math.exp(epsilon / 2))
    return keep, 1 - keep


def _figure(text: str, *proof: str) -> Callable[[], Figure]:
    return lambda: Figure(text, proof)


_ENDLESS = _figure("infinite", "F3")


def _rappor() -> System:
    from rropt.accounting import panel

    key, f, p, q, h = "rappor", Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), 2
    true, false = (1 - f) * q + f * (p + q) / 2, (1 - f) * p + f * (p + q) / 2
    one = true * (1 - false) / (false * (1 - true))

    def after(reports: int) -> float:
        found = panel("rappor:1/2,1/2,3/4", reports).epsilon
        return h * float(found) if isinstance(found, Epsilon) else h * float(found.upper)

    def report() -> Figure:
        return _parity(key, _twice(_pair_of_bits(true, false)), _number(after(1)), "F2")

    laws = [
        [_ones(10, q, p, share) for share in (1 - f / 2, f / 2)],
        [_ones(10, q, p, share) for share in (f / 2, 1 - f / 2)],
    ]
    counts = [
        [x * y for x, y in zip(a, b, strict=True)]
        for a in zip(*laws[0], strict=True)
        for b in zip(*laws[1], strict=True)
    ]

    return System(
        key,
        "RAPPOR in Chrome (2014)",
        "Erlingsson, Pihur and Korolova, RAPPOR: Randomized aggregatable privacy-preserving ordinal response, CCS 2014",
        "Bloom filter with h = 2 hash functions, memo f = 1/2, instantaneous p = 1/2, q = 3/4. The day has ten reports "
        "(assumed). The optimum is for the basic form (one bit for each of k = 128 categories, h = 1) at its own level "
        "log(77/45).",
        "The limit holds for a value that never changes. Each new value has a memo of its own. Reports of one client "
        "can be linked through the memo.",
        {
            "epsilon of a report": report,
            "of a day": lambda: _parity(key, counts, f"{_number(after(10))} (10 reports)", "F2", "day"),
            "in the limit": lambda: _parity(
                key, _twice(_pair_of_bits(1 - f / 2, f / 2)), f"4 log(3) = {_number(4 * math.log(3))}", "F2", "limit"
            ),
            "delta": _no_delta(report),
            "zCDP": lambda: _pair_zcdp(key, true * (1 - false), false * (1 - true), h),
            "shuffled": lambda: _clones(key, f"log({one**h})", 100_000),
            **_variances(key, f"log({one})", 128, lambda: _bits_value(float(true), float(false), 128), "F7").figures(),
        },
    )


def _pair_of_bits(true: Fraction, false: Fraction) -> list[list[Fraction]]:
    """Return the distributions of two bits at two inputs; bit j is set at input j."""

    def chance(share: Fraction, bit: int) -> Fraction:
        return share if bit else 1 - share

    return [[chance(true, a) * chance(false, b), chance(false, a) * chance(true, b)] for a in (0, 1) for b in (0, 1)]


def _twice(pair: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Return the distributions of two independent outputs at two inputs."""
    return [[x * y for x, y in zip(a, b, strict=True)] for a in pair for b in pair]


def _ones(reports: int, yes: Fraction, no: Fraction, share: Fraction) -> list[Fraction]:
    """Return the distribution of the number of reports equal to 1.

    The probability of such a report is ``yes`` with probability ``share`` and ``no`` otherwise.
    """
    ways = [math.comb(reports, i) for i in range(reports + 1)]
    return [
        c * (share * yes**i * (1 - yes) ** (reports - i) + (1 - share) * no**i * (1 - no) ** (reports - i))
        for i, c in enumerate(ways)
    ]


def _systems() -> list[System]:
    return [
        _rappor(),
        *_apple(),
        *_microsoft(),
        *_attribution(),
        _topics(),
        _prio(),
        *_surveys(),
    ]


def _apple() -> list[System]:
    source = "Differential Privacy Team, Learning with privacy at scale, Apple Machine Learning Journal 1(8), 2017"
    true, false = _symmetric(4)
    c = (math.exp(4) + 1) / (math.exp(4) - 1)
    return [
        System(
            "apple-cms",
            "Apple, count mean sketch (emoji)",
            source,
            "epsilon = 4, one of 65 536 hash functions to m = 1024 buckets, each of 1024 bits is flipped with the "
            "chance 1/(1 + e^2). One donation a day (assumed). The optimum is for the m buckets of one hash function.",
            "Donations are fresh: levels add up from day to day, and there is no limit for a lifetime. Collisions of "
            "the hash function are left out of the variance.",
            {
                **_at_level("apple-cms", 4),
                "of a day": lambda: _composed("apple-cms", 4, 1, "1 donation"),
                "in the limit": _ENDLESS,
                "zCDP": lambda: _zcdp("apple-cms", 2, 2),
                "shuffled": lambda: _clones("apple-cms", 4, 100_000),
                **_variances("apple-cms", 4, 1024, lambda: _bits_value(true, false, 1024), "F7").figures(),
            },
        ),
        System(
            "apple-hcms",
            "Apple, Hadamard count mean sketch (Safari)",
            source,
            "epsilon = 4, m = 32 768 buckets; one bit of the Hadamard transform is sent, and flipped with the chance "
            "1/(1 + e^4). The day has two donations (assumed).",
            "As for the count mean sketch. The factor is the price of sending one bit: the optimum sends more.",
            {
                **_at_level("apple-hcms", 4),
                "of a day": lambda: _composed("apple-hcms", 4, 2, "2 donations"),
                "in the limit": _ENDLESS,
                "zCDP": _hadamard_zcdp,
                "shuffled": lambda: _clones("apple-hcms", 4, 100_000),
                **_variances("apple-hcms", 4, 32_768, lambda: 32_768 * c * c - 1 / 32_768, "F8").figures(),
            },
        ),
    ]


def _hadamard_zcdp() -> Figure:
    """Return rho of a sign at a known index, where two inputs have equal signs at half of the indices.

    The three outputs have the probabilities g/(2 (g + 1)), 1/(2 (g + 1)) and 1/2, so k = g + 3. A smaller k has a
    larger rho.
    """
    return _zcdp("apple-hcms", 4, 1, Epsilon.of(4).gamma_bracket(20).lower + 3)


def _microsoft() -> list[System]:
    source = "Ding, Kulkarni and Yekhanin, Collecting telemetry data privately, NIPS 2017"
    gaps = (
        "The limit is that of the memo, for a value that stays in its bucket. Changes of the memoized response show "
        "that the value changed."
    )
    true, false = _symmetric(1)
    second = true * false / (true - false) ** 2
    k, d = 32, 4

    def one_bit() -> Any:
        from rropt.designs import Problem
        from rropt.designs import solve as solve_problem

        return solve_problem(Problem.binary("1/2", epsilon=1))

    c = (math.e + 1) / (math.e - 1)
    return [
        System(
            "microsoft-1bit",
            "Microsoft, one-bit mean",
            source,
            "epsilon = 1 (an example); a value x in [0, M] is reported as 1 with a chance that "
            "rises linearly from 1/(1 + e) to e/(1 + e). The optimum is for values 0 and M, each of half of the "
            "people, in units of M^2.",
            gaps,
            {
                **_at_level("microsoft-1bit", 1),
                "of a day": lambda: _level("microsoft-1bit", Epsilon.of(1), note=" (memo)"),
                "in the limit": lambda: _level("microsoft-1bit", Epsilon.of(1), note=" (memo)"),
                "zCDP": lambda: _zcdp("microsoft-1bit", 1),
                "shuffled": lambda: _shuffled("microsoft-1bit", 1, 100_000),
                **Optimum("microsoft-1bit", one_bit, lambda: c * c / 4, "n Var", ("F9",)).figures(),
            },
        ),
        System(
            "microsoft-dbitflip",
            "Microsoft, dBitFlip",
            source,
            "epsilon = 1, k = 32 buckets (an example), d = 4 of them drawn for each person; each of the d bits is "
            "flipped with the chance 1/(1 + e^(1/2)).",
            gaps + " A person whose d buckets do not hold the value reveals less.",
            {
                **_at_level("microsoft-dbitflip", 1),
                "of a day": lambda: _level("microsoft-dbitflip", Epsilon.of(1), note=" (memo)"),
                "in the limit": lambda: _level("microsoft-dbitflip", Epsilon.of(1), note=" (memo)"),
                "zCDP": lambda: _zcdp("microsoft-dbitflip", "1/2", 2),
                "shuffled": lambda: _clones("microsoft-dbitflip", 1, 100_000),
                **_variances(
                    "microsoft-dbitflip", 1, k, lambda: k * ((k / d) * (second + 1 / k) - 1 / k**2), "F7"
                ).figures(),
            },
        ),
    ]


def _attribution() -> list[System]:
    chrome = "WICG, Attribution reporting with event-level reports (EVENT.md)"
    android = "Privacy Sandbox on Android, Attribution reporting: noise of event-level reports"
    clicks = "navigation sources: 8 values, 3 windows, 3 reports"
    views = "event sources: one bit, one window, one report"
    both = "navigation sources with two destinations, counted here: 51 choose 3"
    return [
        _source(
            "chrome-navigation",
            "Chrome attribution reporting, clicks",
            chrome,
            2925,
            clicks,
            {"Capacity": _capacity},
        ),
        _source("chrome-event", "Chrome attribution reporting, views", chrome, 3, views, {}),
        _source("android-dual", "Android attribution reporting, clicks to app and web", android, 20_825, both, {}),
    ]


def _source(key: str, name: str, source: str, k: int, what: str, more: dict[str, Callable[[], Figure]]) -> System:
    kept, other = math.exp(14) / (math.exp(14) + k - 1), 1 / (math.exp(14) + k - 1)
    return System(
        key,
        name,
        source,
        f"k-ary randomized response with k = {k:,} ({what}) and epsilon = 14: a random response with the chance "
        f"{100 * k / (k - 1 + math.exp(14)):.3g} %.",
        "The level is of one source. A person has many sources a day, and a level adds up with each; browsers limit "
        "their number by rates, not by a privacy budget. At epsilon = 14 a report is true with a chance of 98 % or "
        "more.",
        {
            **_at_level(key, 14),
            "of a day": lambda: _composed(key, 14, 3, "3 sources, assumed"),
            "in the limit": _ENDLESS,
            "zCDP": lambda: _zcdp(key, 14, 1, k),
            "shuffled": lambda: _by_blanket(key, BlanketReports.of_kary(100_000, Epsilon.of(14), k), "F5"),
            **_variances(key, 14, k, lambda: (1 - 1 / k) / (kept - other) ** 2, "F7").figures(),
        },
        more,
    )


def _capacity() -> Figure:
    """Return the capacity of a report of a navigation source, which is the capacity of the best mechanism."""
    from rropt.designs import Problem, solve

    found = solve(Problem.kary(2925, epsilon=14, objective="mutual-information"))
    bits = [float(x) / math.log(2) for x in (found.lower, found.upper)]
    assert f"{bits[0]:.6f}" == f"{bits[1]:.6f}"
    return Figure(f"{bits[0]:.6f} bits", (), found.certificate, "chrome-navigation-capacity")


def _topics() -> System:
    k = 469
    random_one = Fraction(1, 20) / k
    true_one = Fraction(19, 100) + random_one
    gamma = true_one / random_one
    level = Epsilon.of(f"log({gamma})")
    pair = Mechanism([[5 * true_one, 5 * random_one], [5 * random_one, 5 * true_one], [(k - 10) * random_one] * 2])
    best = 5 * gamma / (5 * gamma + k - 5)

    def report() -> Figure:
        return _parity("topics", pair.matrix, _nats(level))

    def optimum() -> Figure:
        return Figure(
            f"{_number(best)} true topics, here {_number(5 * true_one)}", ("F10",), largest(), "topics-optimum"
        )

    def largest() -> Certificate:
        """Return the certificate of the linear program: the largest 5 a with a <= gamma b and 5 a + (k - 5) b = 1."""
        rows = [
            {"coefficients": [["0", "1"], ["1", as_text(-gamma)]], "relation": "<=", "bound": "0"},
            {"coefficients": [["0", "5"], ["1", str(k - 5)]], "relation": "=", "bound": "1"},
        ]
        problem = {"cost": ["-5", "0"], "signs": ["nonnegative", "nonnegative"], "rows": rows}
        point = [as_text(best / 5), as_text(best / (5 * gamma))]
        claim = {"lower": as_text(-best), "upper": as_text(-best), "point": point}
        multipliers = [["0", as_text(5 * best - 5)], ["1", as_text(-best)]]
        return Certificate.state("optimal-value", problem, claim, {"multipliers": multipliers}).require_accepted()

    return System(
        "topics",
        "Topics API (Chrome)",
        "WICG, The Topics API (README.md): five top topics of a week, 5 % random, taxonomy of 469 topics",
        "One topic for each site and week: with 95 % one of the five top topics, else one of all 469. Input: the set "
        "of five topics. The day has one site (assumed), the same all week.",
        "A new topic each week, and another for each site: levels add up over weeks and over sites that compare notes. "
        "Sites learn only topics that they observed, which this leaves out.",
        {
            "epsilon of a report": report,
            "of a day": lambda: _composed("topics", level, 1, "1 site"),
            "in the limit": _ENDLESS,
            "delta": _no_delta(report),
            "zCDP": lambda: _pair_zcdp("topics", 5 * true_one, 5 * random_one),
            "shuffled": lambda: _clones("topics", level, 100_000),
            "optimum": optimum,
            "factor lost": lambda: Figure("1", ("F10",), largest(), "topics-optimum"),
        },
    )


def _prio() -> System:
    true, false = 0.75, 0.25

    def report() -> Figure:
        return _parity("prio", _pair_of_bits(Fraction(3, 4), Fraction(1, 4)), _nats(Epsilon.of("log(9)")))

    return System(
        "prio",
        "Prio with randomized response (DAP)",
        "IETF draft, Differential privacy mechanisms for DAP (symmetric randomized response on one-hot vectors)",
        "A vector of k = 8 counters with a single 1; each bit is flipped with the chance 1/4 before it is "
        "secret-shared. The draft leaves the level open: log(9) is chosen here. The day has one report (assumed).",
        "One aggregator alone learns nothing from its secret shares. The local level is what is left if both "
        "aggregators work together; the sum that they release has a smaller level, by shuffling.",
        {
            "epsilon of a report": report,
            "of a day": lambda: _composed("prio", "log(9)", 1, "1 report"),
            "in the limit": _ENDLESS,
            "delta": _no_delta(report),
            "zCDP": lambda: _zcdp("prio", "log(3)", 2),
            "shuffled": lambda: _clones("prio", "log(9)", 100_000),
            **_variances("prio", "log(9)", 8, lambda: _bits_value(true, false, 8), "F7").figures(),
        },
    )


def _surveys() -> list[System]:
    rows = (
        (
            "nigeria",
            "Nigeria, contact with armed groups",
            "forced:2/3,1/6,1/6",
            2435,
            Fraction(131, 500),
            "Blair, Imai and Zhou, J. American Statistical Association 110 (2015); R package rr, data nigeria",
            "A die: 1 forces no, 6 forces yes, 2 to 5 ask for the truth.",
        ),
        (
            "crosswise",
            "Crosswise, plagiarism of students",
            "crosswise:1/4",
            310,
            Fraction(2226, 10_000),
            "Jann, Jerke and Krumpal, Public Opinion Quarterly 76 (2012); R package GLMMRR",
            "Same or different as an unrelated question of known proportion 1/4.",
        ),
        (
            "unrelated",
            "Unrelated question, cheating of students",
            "unrelated:1/2,1/12",
            710,
            Fraction(8406, 10_000),
            "Cobo, Rueda and Arcos, R package RRTCS, data HorvitzDataRealSurvey, item copied",
            "A coin decides between the sensitive question and one of known proportion 1/12.",
        ),
        (
            "doping",
            "Doping at the athletics world championships 2011",
            "unrelated:2/3,1/2",
            1202,
            Fraction(436, 1000),
            "Ulrich et al., Doping in two elite athletics competitions, Sports Medicine 48 (2018)",
            "A birthday decides, with the chances 2/3 and 1/3 (assumed), between the sensitive question and whether it "
            "falls in the first half of the year. n is that of one of the two competitions (assumed; 2167 in both).",
        ),
    )
    return [_survey(*row) for row in rows]


def _survey(key: str, name: str, text: str, n: int, prevalence: Fraction, source: str, setting: str) -> System:
    mechanism = named_mechanism(text)

    def report() -> Figure:
        return _parity(key, mechanism.matrix, _nats(mechanism.epsilon))

    def zcdp() -> Figure:
        yes, no = mechanism[1, 1], mechanism[1, 0]
        if yes + no == 1:
            return _zcdp(key, mechanism.epsilon)
        return _zcdp(key, mechanism)

    return System(
        key,
        name,
        source,
        f"{setting} `{text}`, prevalence {_number(prevalence, 4)}, n = {n:,}.",
        "The level supposes that respondents follow the device and that nobody sees its outcome. One question is "
        "counted; several questions of one questionnaire add up.",
        {
            "epsilon of a report": report,
            "of a day": lambda: _composed(key, mechanism.epsilon, 1, "1 question"),
            "in the limit": lambda: _parity(key, mechanism.matrix, f"{_nats(mechanism.epsilon)} (asked once)"),
            "delta": _no_delta(report),
            "zCDP": zcdp,
            "shuffled": lambda: _shuffled(key, mechanism, n),
            **_prevalence(key, mechanism, prevalence).figures(),
        },
    )


SYSTEMS = tuple(_systems())


def gallery_files(systems: Sequence[System] = SYSTEMS) -> dict[str, str]:
    """Return the page and the certificates, by path below ``docs``."""
    files: dict[str, str] = {}
    rows, below = [], []
    for system in systems:
        row = system.row()
        more = {name: make() for name, make in system.more.items()}
        for figure in [*row.values(), *more.values()]:
            if figure.certificate is not None:
                files[f"gallery/{figure.file}.json"] = figure.certificate.require_accepted().file_text
        rows.append(
            f"| [{system.name}](#{_slug(system.name)}) | " + " | ".join(row[name].shown for name in COLUMNS) + " |"
        )
        first = next(one.name for one in systems if one.gaps == system.gaps)
        gaps = system.gaps if first == system.name else f"as for [{first}](#{_slug(first)})."
        below.append(
            f"### {system.name}\n\n* Source: {system.source}.\n* Setting: {system.setting}\n"
            f"* Not guaranteed: {gaps}\n" + "".join(f"* {name}: {x.shown}.\n" for name, x in more.items())
        )
    formulas = "\n".join(f"### {name}\n\n{text}\n" for name, text in FORMULAS.items())
    files["gallery.md"] = "\n".join(
        [
            _HEAD,
            f"| system | {' | '.join(COLUMNS)} |",
            f"|{'---|' * (1 + len(COLUMNS))}",
            *rows,
            "\n## Systems\n",
            "\n".join(below),
            "\n## Formulas\n",
            formulas,
            _END,
        ]
    )
    return files


def _slug(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


_HEAD = """# Gallery of deployed systems and famous surveys

How private are the systems and surveys that people know, and how many respondents would the best mechanism save at the
same level? Each row of the table answers both questions for one of them. Each number links to its certificate or to its
formula.

## What the table shows

* **The level of one report says little about a day.** A report of RAPPOR in Chrome has epsilon = 1.0743, a day 4.2993,
  and a value that never changes 4.3944. Systems with fresh reports have no limit at all.
* **A simple device can lose nothing.** The forced responses of the survey in Nigeria, the crosswise design and the
  doping study are the most precise mechanisms at their level and prevalence. The unrelated question of the cheating
  study needs 4.433 times as many respondents as the best mechanism at its level.
* **Short reports cost people.** The Hadamard sketch sends one bit and needs 14.15 times as many people as the optimum,
  dBitFlip sends four and needs 9.132 times as many.
* **An epsilon of 14 hides little.** The attribution reports of the browsers have this level: a report may change the
  odds by a factor of e^14, more than a million.

## How to read it

* *Epsilon of a report*: a report changes the odds between two true answers by a factor of at most e^epsilon: log(5)
  means at most fivefold. *Of a day* counts the reports in brackets; "assumed" means that the source does not state
  their number. *In the limit* is the level over all time.
* *Shuffled* is the level of one report among n reports that a trusted shuffler has mixed, for delta = 10^-6. Not every
  system has a shuffler.
* *Optimum* is the certified optimum at the same epsilon of one report. *Factor lost* is the ratio to it: the system
  needs so many times more people for the same precision. Two numbers are proved bounds.
* A link such as **design-bracket** opens a certificate; save it, and `rropt check FILE` checks it. A link **F1** to
  **F10** opens the formula by which the figure follows from the certificate.
* Below the table is a paragraph about each system: its source, its setting, and what its level does not guarantee.

## Table
"""

_END = """## How this page is made

`python docs/site/gallery.py` writes this page and its certificates.
"""


def main(words: Sequence[str]) -> int:
    """Write the page and its certificates below a folder."""
    folder = Path(words[0] if words else "docs/reference")
    write_files([(str(folder / name), text.encode()) for name, text in gallery_files().items()])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
