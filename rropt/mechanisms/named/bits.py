"""Designs for several bits: products of devices with the name ``bits:``, and RAPPOR.

*Products.* ``bits:`` is followed by the devices of the questions, question 0 first. For example,
``bits:warner:3/4,forced:2/3,1/6,1/6`` has two questions. The numbers after a name are its parameters. A probability a
without a name is a bit that is reported truthfully with probability a (``warner:a``). A device is repeated by ``*`` and
a number after it, or by an integer before it: ``bits:3/4*4`` and ``bits:4,3/4`` are four bits.

*RAPPOR.* A bit is randomized once and stored (permanent step), and every report randomizes the stored bit again. The
parameters are f, p and q.

* The stored bit is 1 with probability ``1 - f/2`` if the true bit is 1, and ``f/2`` if it is 0.
* Each report of it is 1 with probability q if the stored bit is 1, and p if it is 0.
* A value sets h bits of its own (hashes, Bloom filter).

For N reports of one stored bit, the number of ones is sufficient. Its probabilities are
``sum_b Pr(b | x) Binomial(N, r_b)`` with r_1 = q, r_0 = p. Let
``u(x, y) = ((1 - f/2) x^N + f/2 y^N)/(f/2 x^N + (1 - f/2) y^N)`` and q > p. The odds of N ones for truth 1 are
``u(q, p)``, and the odds of no ones for truth 0 are ``u(1 - p, 1 - q)``. The odds are monotone in the number of ones,
so no other number of ones has larger odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, rational
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.binary import binomial
from rropt.mechanisms.named.design import Design, Parameter, probability, require
from rropt.mechanisms.product import ProductMechanism

NAME = "bits"
FORM = "bits:3/4*4, or bits:10,warner:3/4, or bits:warner:3/4,forced:2/3,1/6,1/6"

_MOST_QUESTIONS = 10_000  # the largest number of factors of a product
_MOST_TEXT = 100_000  # characters: ten thousand questions with parameters of usual length


def named_product(rest: str, single: Callable[[str], Mechanism], most_parameters: Callable[[str], int]) -> Mechanism:
    """Return the product of mechanisms for the text after ``bits:``.

    Args:
        rest: the devices, separated by commas.
        single: the mechanism of one name with parameters.
        most_parameters: a function from a name to its largest number of parameters; 0 for an unknown name.

    Raises:
        InvalidParameterError: there is no device, the number of questions is invalid, or as for ``single``.
    """
    if len(rest) > _MOST_TEXT:
        raise InvalidParameterError(
            f"the name of a product is too long: received {len(rest)} characters; allowed are {_MOST_TEXT}; write "
            'equal questions once: bits:warner:3/4*64, or a file {"product": [...]}'
        )
    factors: list[Mechanism] = []
    repeat = 1
    for text, count in _devices(rest, most_parameters):
        if count is None:
            if repeat != 1:
                raise _refused(text, "two numbers of questions follow each other")
            repeat = int(text)
            continue
        device = single(text if ":" in text else f"warner:{text}")
        if len(factors) + count * repeat > _MOST_QUESTIONS:
            raise _refused(rest, f"there are more than {_MOST_QUESTIONS} questions")
        factors += [device] * (count * repeat)
        repeat = 1
    if not factors or repeat != 1:
        raise _refused(rest, "there is no device" if not factors else "no device follows the number of questions")
    return ProductMechanism(factors, name=f"{NAME}:{rest}")


def _devices(rest: str, most_parameters: Callable[[str], int]) -> Iterator[tuple[str, int | None]]:
    """Yield each device and its number of repetitions; yield an integer before a device with ``None``."""
    tokens = [token.strip() for token in rest.split(",")]
    at = 0
    while at < len(tokens):
        text, times = _times(tokens[at])
        at += 1
        if ":" not in text and times is None and _is_count(text):
            yield text, None
            continue
        name, colon, _ = text.partition(":")
        left = most_parameters(name.strip().lower()) - 1 if colon else 0
        while times is None and left > 0 and at < len(tokens) and ":" not in tokens[at]:
            more, times = _times(tokens[at])
            text, left, at = f"{text},{more}", left - 1, at + 1
        yield text, 1 if times is None else times


def _times(token: str) -> tuple[str, int | None]:
    """Return a token without ``*N``, and N (``None`` if there is no ``*``)."""
    text, star, number = token.partition("*")
    if not star:
        return token, None
    if not _is_count(number.strip()) and number.strip() != "1":
        raise _refused(token, f"{shown(number)} is no number of questions")
    return text.strip(), int(number)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 1


def _refused(text: str, wrong: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"the name of a product is not understood: {wrong}: received {shown(text)}; write {FORM}"
    )


_MAX_REPORTS = 200  # the entries are sums of N-th powers; with more reports the stored bit is practically known


def _rappor(
    f: Fraction, p: Fraction = Fraction(0), q: Fraction = Fraction(1), reports: Fraction = Fraction(1)
) -> tuple[tuple[Fraction, ...], ...]:
    digits = max(len(str(chance.denominator)) for chance in (p, q))
    require(
        int(reports) * digits <= 2 * _MAX_REPORTS,
        f"N times the digits of p, q is too large: received {reports} * {digits}; at most {2 * _MAX_REPORTS}",
    )
    zero, one = binomial(int(reports), p), binomial(int(reports), q)
    return tuple(((1 - f / 2) * a + f / 2 * b, f / 2 * a + (1 - f / 2) * b) for a, b in zip(zero, one, strict=True))


RAPPOR = Design(
    name="rappor",
    title="RAPPOR's bit (permanent and instantaneous randomized response), with N reports",
    parameters=(
        Parameter("f", "probability that the stored bit is a fair coin instead of the true bit"),
        Parameter("p", "probability that a report is 1 if the stored bit is 0 (default 0)"),
        Parameter("q", "probability that a report is 1 if the stored bit is 1 (default 1)"),
        Parameter(
            "N", "number of reports of the stored bit", "an integer 1 <= N <= 200, 1 when left out", (1, _MAX_REPORTS)
        ),
    ),
    device="A bit is randomized once and stored; every report randomizes the stored bit again. Only the number of "
    "ones among N reports is released.",
    epsilon="log(max(u(q, p), u(1-p, 1-q))), u(x, y) = ((1-f/2) x^N + f/2 y^N)/(f/2 x^N + (1-f/2) y^N), for q >= p",
    source="Erlingsson, Pihur and Korolova 2014",
    example="1/2,1/2,3/4",
    build=_rappor,
    required=1,
)


@dataclass(frozen=True, slots=True)
class Rappor:
    """RAPPOR over time: the privacy of N reports of one value, and of a value that changes.

    Attributes:
        f, p, q: the probabilities of this module, with p < q.
        hashes: h, the number of bits that a value sets.

    >>> reports = Rappor("1/2", "1/2", "3/4", hashes=2)
    >>> [round(float(reports.epsilon(n)), 4) for n in (1, 10)], str(reports.limit()), round(float(reports.limit()), 4)
    ([1.0743, 4.2993], 'log(81)', 4.3944)
    """

    f: Fraction
    p: Fraction
    q: Fraction
    hashes: int

    def __init__(self, f: object, p: object = 0, q: object = 1, *, hashes: int = 1) -> None:
        for value, symbol in ((f, "f"), (p, "p"), (q, "q")):
            exact = rational(value, name=symbol)
            probability(exact, symbol)
            object.__setattr__(self, symbol, exact)
        require(self.p < self.q, f"p is not below q: received p = {self.p}, q = {self.q}; exchange the two outputs")
        if isinstance(hashes, bool) or not isinstance(hashes, int) or hashes < 1:
            raise InvalidParameterError(
                f"hashes is not a number of bits: received {shown(hashes)}; allowed is 1 or more"
            )
        object.__setattr__(self, "hashes", hashes)

    def bit(self, reports: int = 1) -> Mechanism:
        """Return the mechanism of one bit, whose output is the number of ones in N reports, shape (N + 1, 2)."""
        return RAPPOR(self.f, self.p, self.q, _reports(reports))

    def epsilon(self, reports: int = 1) -> Epsilon:
        """Return the exact epsilon of N reports of one value among values with h bits each.

        Two values without a common bit differ in 2h bits: h change from 0 to 1, and h from 1 to 0. The worst reports
        contain all bits of the first value and no bit of the second: ``h (log u(q, p) + log u(1 - p, 1 - q))``.

        Source: Erlingsson, Pihur and Korolova (2014), Theorem 2 for N = 1.
        """
        rows = self.bit(reports).matrix
        (none_if_0, none_if_1), (all_if_0, all_if_1) = rows[0], rows[-1]
        if not (none_if_1 and all_if_0):
            return Epsilon.of_parity(None)
        return Epsilon.of_parity((all_if_1 / all_if_0 * none_if_0 / none_if_1) ** self.hashes)

    def limit(self) -> Epsilon:
        """Return the exact epsilon of unlimited reports, which is that of the stored bits: ``2h log((2 - f)/f)``."""
        return Epsilon.of_parity(((2 - self.f) / self.f) ** (2 * self.hashes) if self.f else None)

    def histories(self, before: int, after: int) -> Mechanism:
        """Return the mechanism of N reports of one bit and M more reports after the value may have changed.

        A new value is randomized and stored again. The inputs are: bit 0 unchanged, bit 1 unchanged, and after a change
        of the value the bit pairs (0, 0), (0, 1), (1, 0), (1, 1). Output ``t + (N + 1) s`` has t ones among the first
        reports and s among the later ones.
        """
        first, second = self.bit(before), self.bit(after)
        zero, one = ([[x * y for x in binomial(before, r)] for y in binomial(after, r)] for r in (self.p, self.q))
        rows = []
        for s, later in enumerate(second.matrix):
            for t, earlier in enumerate(first.matrix):
                a, b = zero[s][t], one[s][t]
                kept = ((1 - self.f / 2) * a + self.f / 2 * b, self.f / 2 * a + (1 - self.f / 2) * b)
                rows.append((*kept, *(x * y for x in earlier for y in later)))
        return Mechanism(rows, name=f"histories of {before} and {after} reports")

    def change_epsilon(self, before: int, after: int) -> Epsilon:
        """Return the exact epsilon between an unchanged and a changed value, for a bit that is equal in both values.

        The bit reveals nothing about the values, but it reveals that it was randomized again. If f < 1, epsilon grows
        without bound with the number of reports before and after, because two different stored bits exclude an
        unchanged value. Each bit of the filter adds the same amount.
        """
        columns = self.histories(before, after).design_matrix
        pairs = ((columns[0], columns[2]), (columns[1], columns[5]))  # (unchanged, randomized again) for bits 0 and 1
        parities = [Mechanism(list(zip(*pair, strict=True))).parity() for pair in pairs]
        return Epsilon.of_parity(None if None in parities else max(x for x in parities if x is not None))


def _reports(reports: object) -> int:
    if isinstance(reports, bool) or not isinstance(reports, int) or not 1 <= reports <= _MAX_REPORTS:
        raise InvalidParameterError(
            f"there is no such number of reports: received {shown(reports)}; allowed is 1 to {_MAX_REPORTS}"
        )
    return reports
