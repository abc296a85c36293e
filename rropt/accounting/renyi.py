"""Renyi divergence and zCDP of a mechanism, with bounds to any number of digits and certificates.

For a > 1, ``D_a(P, Q) = log(sum P^a Q^(1-a))/(a - 1)``; D_1 is the Kullback-Leibler divergence. A mechanism is rho-zCDP
if ``D_a <= rho a`` for all a > 1 and all pairs of inputs. The least rho is sup D_a/a (``orders``).

For k-ary randomized response, the claim ``rropt.zcdp-response`` says at which levels the least rho is the limit at
a = 1.

A level that is not the logarithm of a rational number has two rational pairs of distributions, one below and one above.
The bounds come from these pairs, so that a certificate proves the same numbers.

All numbers are enclosed in balls (Arb).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rropt.accounting.composition_proofs import PLENTY, require_proof
from rropt.accounting.items import kary_chances, mechanism_or_level
from rropt.accounting.loss_pairs import Atoms, merged_atoms
from rropt.accounting.renyi_orders import Exponents, supremum
from rropt.checker.divergence_level import matrix_laws
from rropt.checker.documents import WorkBudget
from rropt.checker.limits import MAX_INTERVAL_DIGITS
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, RroptError, shown
from rropt.core.exact import Bracket, Epsilon, as_text, rational_where
from rropt.core.exact.numbers import plain_integer, whole_where
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.core.results import Extended, Result, labelled
from rropt.mechanisms import Mechanism, named_mechanism

MAX_DIGITS = 1000
MAX_CATEGORIES = 10**12
_MOST_LISTED = 1000  # inputs of a matrix up to which all pairs of columns are compared
_MAX_ORDER = 10**6
_LEVEL_DIGITS = 60  # decimal digits of the brackets of irrational levels in certificates
_SPARE_DIGITS = 20  # digits of the intervals in a certificate, beyond twice those of its bracket


@dataclass(frozen=True, slots=True)
class RenyiPrivacy(Result):
    """The Renyi divergence of a mechanism at one order, or the least rho of zCDP that it satisfies.

    Attributes:
        notion: ``renyi``, the largest divergence at ``order`` over ordered pairs of inputs; or ``zcdp``, the least rho.
        name: the mechanism.
        order: the order a; None for zCDP, which is the supremum over all orders.
        lower, upper: bounds in nats; infinite if an output has probability 0 for one input but not for another.
        certificate: a proof that the value lies between these bounds; None if the checker accepts none.
        unverified: the names of the values that nothing in the file proves, if the result was read from a file.
    """

    notion: str
    name: str
    order: Fraction | None
    lower: Extended
    upper: Extended
    certificate: Certificate | None = None
    unverified: tuple[str, ...] = field(default=(), compare=False)

    LABELS = labelled(name="mechanism", words="", order="order", lower="at least", upper="at most")

    @property
    def words(self) -> str:
        """The name of the bounded quantity."""
        return "least rho of zCDP" if self.notion == "zcdp" else "Renyi divergence"

    def checked(self) -> tuple[str, ...]:
        """Return the names of the values that no certificate in the file proves.

        Raises:
            FileFormatError: the certificate is rejected, or belongs to another problem.
        """
        if self.certificate is None:
            return ("lower", "upper")
        problem, claim = self.certificate.problem, self.certificate.claim
        order = None if self.order is None else as_text(self.order)
        fits = "order" in problem and problem["order"] == order
        require_proof(self.certificate, "a divergence", "another problem", fits=fits)
        ends = {"lower": self.lower, "upper": self.upper}
        written = {end: "infinite" if x is None else as_text(x) for end, x in ends.items()}
        proved = () if written == {end: claim[end] for end in written} else ("lower", "upper")
        return proved if _is_name(self.name, problem["mechanism"]) else ("name", *proved)


@dataclass(frozen=True)
class _Subject:
    """A mechanism in the certificate format, with rational pairs of distributions that bound its divergences.

    ``below`` and ``above`` contain the different pairs for the lower and the upper bound; they are None if a divergence
    is infinite. ``local`` is a bracket of exp(level).
    """

    written: dict[str, Any]
    below: tuple[Atoms, ...] | None
    above: tuple[Atoms, ...] | None
    local: Bracket | None = None

    def proof(self, orders: list[list[str]], precision: int) -> dict[str, Any]:
        """Return the proof of a certificate, with the bracket of the level if there is one."""
        brackets = [] if self.local is None else [self.local.written("below", "above")]
        return {"brackets": brackets, "orders": orders, "digits": str(precision)}


def renyi_privacy(
    mechanism: object,
    order: object | None = None,
    *,
    categories: int | Fraction | None = None,
    digits: int = 12,
) -> RenyiPrivacy:
    """Return the Renyi divergence of a mechanism at an order, or its zCDP if no order is given, with a certificate.

    The divergence ``D_a = log(sum p^a q^(1-a))/(a - 1)`` is maximized over ordered pairs of inputs. For zCDP, the
    result is the supremum of D_a/a.

    Args:
        mechanism: a level in nats for k-ary randomized response, or a mechanism, or its text form.
        order: a, rational, from 1 (Kullback-Leibler) to 10^6; ``None`` for the supremum of D_a/a over all a > 1.
        categories: k, only together with a level (default 2).
        digits: the bracket is narrower than 10^-digits.

    Raises:
        InvalidParameterError: the order, the categories or the digits are out of range.

    References:
        Bun and Steinke (2016), Definition 1.1; Mironov (2017), Definition 4.

    >>> found = renyi_privacy("generalised:3/4,2/3", 2)
    >>> print(round(float(found.lower), 6), bool(found.certificate.check()))
    0.655407 True
    """
    allowed = f"1 to {_MAX_ORDER}"
    a = None if order is None else rational_where(order, lambda a: 1 <= a <= _MAX_ORDER, allowed, name="the order")
    digits = whole_where(digits, 1, MAX_DIGITS, name="`digits`")
    given = mechanism_or_level(mechanism)
    k = _categories(given, categories)
    name = (
        given.name or "mechanism" if isinstance(given, Mechanism) else _response_name(as_text(k or Fraction(2)), given)
    )
    subject = _subject(given, k, digits)
    found = _bounds(subject, a, digits)
    ends, orders = (None, []) if found is None else found
    problem = {"mechanism": subject.written, "order": None if a is None else as_text(a)}
    claim = {"lower": "infinite", "upper": "infinite"} if ends is None else ends.written()
    tries = (subject.proof(orders, min(times * (2 * digits + _SPARE_DIGITS), MAX_INTERVAL_DIGITS)) for times in (1, 2))
    made = (Certificate.accepted("divergence-level", problem, claim, proof) for proof in tries)
    proved = next((one for one in made if one is not None), None)
    lower, upper = (None, None) if ends is None else ends
    return RenyiPrivacy("zcdp" if a is None else "renyi", name, a, lower, upper, proved)


def _bounds(subject: _Subject, order: Fraction | None, digits: int) -> tuple[Bracket, list[list[str]]] | None:
    """Return a bracket of the divergence, or of rho, and the orders that prove rho; None if it is infinite."""
    from flint import ctx

    if subject.below is None or subject.above is None:
        return None
    with ctx.workprec(192 + 10 * digits):
        below, above = ([Exponents(pair) for pair in side] for side in (subject.below, subject.above))
        if order is None:
            found = supremum(above, digits)
            lower = bracket(below[found.pair].quotient(found.order)).lower if below else Fraction(0)
            upper, orders = found.upper, [[as_text(each) for each in own] for own in found.orders]
        else:
            lower = max((_divergence(pair, order).lower for pair in below), default=Fraction(0))
            upper, orders = max((_divergence(pair, order).upper for pair in above), default=Fraction(0)), []
    ends = Bracket(lower, upper).rounded_outwards(digits + 2)
    room = Fraction(1, 10 ** (digits + 2))  # for the rounding of the checker's intervals
    return Bracket(max(ends.lower - room, Fraction(0)), ends.upper + room if upper else Fraction(0)), orders


def _response_name(categories: str, level: Epsilon) -> str:
    return f"{categories}-ary randomized response at {level}"


def _is_name(name: str, written: Mapping[str, Any]) -> bool:
    """Return whether a name is that of the certificate's mechanism, or a label that is not the name of a mechanism."""
    if "-ary randomized response at " in name:
        level = Epsilon.from_dict(written["local"]) if "kind" in written else None
        return level is not None and name == _response_name(written["categories"], level)
    try:
        named = named_mechanism(name)
    except RroptError:
        return True
    shape = (written["categories"],) * 2 if "kind" in written else (len(written["matrix"]), len(written["matrix"][0]))
    return tuple(map(str, named.shape)) == tuple(map(str, shape)) and _subject(named, None, 1).written == written


def _response(mechanism: Mechanism) -> tuple[Epsilon, int] | None:
    """Return epsilon and k if a mechanism is k-ary randomized response; else None."""
    p, q = (kary_chances(mechanism) if mechanism.inputs <= _MOST_LISTED else None) or (Fraction(0), Fraction(0))
    return (Epsilon.of_parity(p / q), mechanism.inputs) if 0 < q < p else None


def _categories(given: Mechanism | Epsilon, categories: object) -> Fraction | None:
    """Return k for a level (default 2); None for a mechanism, which must not be given with categories."""
    if isinstance(given, Mechanism):
        if categories is not None:
            raise InvalidParameterError("categories need a level: a mechanism has its own categories; leave them out")
        return None
    k = plain_integer(2 if categories is None else categories)
    if isinstance(k, bool) or not isinstance(k, (int, Fraction)) or not 2 <= k <= MAX_CATEGORIES:
        raise InvalidParameterError(
            f"the number of categories is out of range: received {shown(categories)}; allowed is 2 to {MAX_CATEGORIES}"
        )
    return Fraction(k)


def _divergence(pair: Exponents, order: Fraction) -> Bracket:
    psi, mean = pair.at(order)
    return bracket(mean if order == 1 else psi / ball(order - 1))


def _subject(mechanism: Mechanism | Epsilon, categories: Fraction | None, digits: int) -> _Subject:
    response: tuple[Epsilon, int | Fraction] | None
    response = (mechanism, categories or 2) if isinstance(mechanism, Epsilon) else _response(mechanism)
    if response is None:
        assert isinstance(mechanism, Mechanism)
        rows = [[as_text(entry) for entry in row] for row in mechanism.matrix]
        pairs: tuple[Atoms, ...] | None = None
        if not any(any(row) and not all(row) for row in mechanism.matrix):  # else a divergence is infinite
            different = zip(*dict.fromkeys(mechanism.design_matrix), strict=True)  # equal inputs have the same pairs
            pairs = tuple(matrix_laws([list(row) for row in different], WorkBudget(PLENTY)) or ())
        return _Subject({"matrix": rows}, pairs, pairs)
    level, k = response
    written = {"kind": "kary", "local": level.to_dict(), "categories": as_text(Fraction(k))}
    local = level.gamma_bracket(max(_LEVEL_DIGITS, 2 * digits))
    below, above = (_response_pair(g, Fraction(k)) for g in local)
    return _Subject(written, below, above, local)


def _response_pair(g: Fraction, k: Fraction) -> tuple[Atoms, ...]:
    size = g + k - 1
    pair = merged_atoms([(g / size, 1 / size), (1 / size, g / size), ((k - 2) / size,) * 2])
    return () if pair is None or len(pair) < 2 else (pair,)
