"""Renyi divergence and zCDP of a mechanism, with bounds to any number of digits and certificates.

For a > 1, ``D_a(P, Q) = log(sum P^a Q^(1-a))/(a - 1)``; D_1 is the Kullback-Leibler divergence. A mechanism is rho-zCDP
if ``D_a <= rho a`` for all a > 1 and all pairs of inputs. The least rho is sup D_a/a (``orders``).

**Theorem (k-ary randomized response).** The least rho is the limit at a = 1, ``KL = eps (e^eps - 1)/(e^eps + k - 1)``,
if and only if

    r <= R(eps/2),    r = (k - 2)/(2 e^(eps/2)),    R(t) = (sinh t cosh t - t)/(t cosh t - sinh t).

This is true at every level for k <= 6, and from some level on for k >= 7.

*Proof.* Let u = a - 1/2, s = u^2 and t = eps u.

1. Up to a constant, ``(a - 1) D_a`` is ``log(2 e^(eps/2) cosh t + k - 2)``. It is even in u, and it is zero at s = 1/4.
2. Since a (a - 1) = s - 1/4, D_a/a is the slope of the secant of ``G(s) = log(cosh(eps sqrt s) + r)`` from 1/4 to s.
3. ``G'(s) = (eps^2/2) sinh t/(t (cosh t + r))``, and the derivative of G' in t has the sign of r - R(t).
4. Numerator and denominator of R have power series with only odd powers, starting with t^3. The coefficients of
   t^(2j+1) have the quotient 4^j/(2j), which increases from 2. Hence R increases from R(0) = 2 to infinity (Biernacki
   and Krzyz).
5. By steps 3 and 4, G is convex while R(t) < r, and concave afterwards. If R(eps/2) >= r, the slope of the secant
   decreases from its limit at s = 1/4. Otherwise it first increases, and has one maximum.
6. As eps increases, r decreases and R(eps/2) increases. At eps = 0 their values are (k - 2)/2 and 2. Hence
   ``r = R(eps/2)`` has one root for k >= 7, and none with eps > 0 for k <= 6. QED

All numbers are enclosed in balls (Arb). The precision grows until the requested digits are proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any

from rropt.accounting.curves import rounded_outwards
from rropt.accounting.items import is_level
from rropt.accounting.orders import Exponents, Supremum, supremum
from rropt.checker.limits import MAX_COVER_DIGITS
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, as_text, rational
from rropt.core.exact.brackets import ball, bracket
from rropt.core.exact.numbers import whole_where
from rropt.core.results import Extended, Result, labelled
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.imports import mechanism_of_argument

MAX_DIGITS = 1000
MAX_CATEGORIES = 10**12
_MOST_LISTED = 1000  # inputs of a matrix up to which all pairs of columns are compared
_MAX_ORDER = 10**6
_LEVEL_DIGITS = 60  # decimal digits of the brackets of irrational levels in certificates
_SPARE_DIGITS = 20  # digits of the intervals in a certificate, beyond twice those of its bracket
_MOST_BITS = 1 << 16
Atoms = tuple[tuple[Fraction, Fraction], ...]


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

    LABELS = labelled(
        name="mechanism", words="", order="order", lower="at least", upper="at most", notion="", certificate=""
    )

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
        verdict, problem, claim = self.certificate.check(), self.certificate.problem, self.certificate.claim
        order = None if self.order is None else as_text(self.order)
        if not verdict or "order" not in problem or problem["order"] != order:
            raise FileFormatError(
                f"the record of a divergence is not proved: its certificate is {verdict}, or of another problem; use "
                "the record as it was written"
            )
        written = {end: "infinite" if x is None else as_text(x) for end, x in self._ends().items()}
        proved = () if written == {end: claim[end] for end in written} else ("lower", "upper")
        return proved if _is_name(self.name, problem["mechanism"]) else ("name", *proved)

    def _ends(self) -> dict[str, Fraction | None]:
        return {"lower": self.lower, "upper": self.upper}


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
    a = None if order is None else _order(order)
    digits = _digits(digits)
    k = _categories(mechanism, categories)
    if k is not None:
        level = Epsilon.of(mechanism)
        name = _response_name(as_text(k), level)
        made = certify_zcdp(level, k, digits) if a is None else certify_renyi(level, a, k, digits)
    else:
        given = _given(mechanism)
        name = given.name or "mechanism"
        made = certify_zcdp(given, None, digits) if a is None else certify_renyi(given, a, None, digits)
    notion = "zcdp" if a is None else "renyi"
    if made is not None:
        ends = [None if made.claim[end] == "infinite" else Fraction(made.claim[end]) for end in ("lower", "upper")]
        return RenyiPrivacy(notion, name, a, ends[0], ends[1], made)
    if a is None:
        found = zcdp(mechanism, categories=k, digits=digits)
    else:
        found = renyi_divergence(mechanism, a, categories=k, digits=digits)
    lower, upper = (None, None) if found is None else rounded_outwards(found, digits + 3)
    return RenyiPrivacy(notion, name, a, lower, upper)


def renyi_divergence(
    mechanism: object, order: object, *, categories: int | Fraction | None = None, digits: int = 20
) -> Bracket | None:
    """Return a bracket of the largest Renyi divergence over ordered pairs of inputs; None if it is infinite.

    Args:
        mechanism: a level in nats for k-ary randomized response, or a mechanism, or its text form.
        order: a, rational, from 1 (Kullback-Leibler) to 10^6.
        categories: k, only together with a level (default 2).
        digits: the bracket is narrower than 10^-digits.

    >>> found = renyi_divergence("warner:3/4", 2)
    >>> print(round(float(found.lower), 6), found.gap < 1e-20)
    0.847298 True
    """
    a, digits = _order(order), _digits(digits)
    make = _exponents(mechanism, categories)
    if make is None:
        return None
    bits = 64 + 4 * digits
    while bits <= _MOST_BITS:
        with _precision(bits):
            found = [_divergence(pair, a) for pair in make()]
            ends = Bracket(
                max((one.lower for one in found), default=Fraction(0)),
                max((one.upper for one in found), default=Fraction(0)),
            )
            if ends.gap * 10**digits < 1:
                return ends
        bits *= 2
    raise UnsupportedProblemError("the divergence takes too many digits: ask for fewer digits, or a smaller order")


def zcdp(mechanism: object, *, categories: int | Fraction | None = None, digits: int = 12) -> Bracket | None:
    """Return a bracket of the least rho for which a mechanism is rho-zCDP; None if it is infinite.

    Args:
        mechanism: a level in nats for k-ary randomized response, or a mechanism, or its text form.
        categories: k, only together with a level (default 2).
        digits: the bracket is narrower than 10^-digits.

    >>> found = zcdp(1, categories=10, digits=20)
    >>> print(round(float(found.upper), 15), found.gap < 1e-20)
    0.148132973355075 True
    """
    digits = _digits(digits)
    make = _exponents(mechanism, categories)
    if make is None:
        return None
    with _precision(192 + 10 * digits):
        return supremum(make(), digits).bracket


def zcdp_threshold(categories: int, *, digits: int = 12) -> Bracket:
    """Return a bracket of the least level at which zCDP of k-ary randomized response equals the divergence of order 1.

    The level is 0 for k <= 6; otherwise it is the root of ``(k - 2)/(2 e^(eps/2)) = R(eps/2)``.

    Args:
        categories: k.
        digits: the bracket is narrower than 10^-digits.

    >>> print(round(float(zcdp_threshold(10).upper), 7), zcdp_threshold(6).upper)
    1.3014533 0
    """
    if categories <= 6:
        return Bracket.of(Fraction(0))
    low, high = Fraction(0), Fraction(100)
    while high - low > Fraction(1, 10 ** _digits(digits)):
        middle = (low + high) / 2
        low, high = (low, middle) if _is_limit(Epsilon("rational", middle), categories) else (middle, high)
    return Bracket(low, high)


def certify_renyi(
    mechanism: Mechanism | Epsilon, order: Fraction, categories: int | Fraction | None = None, digits: int = 20
) -> Certificate | None:
    """Return an accepted certificate for a bracket of the Renyi divergence; None if the checker accepts none.

    Args:
        mechanism: a mechanism, or a level for k-ary randomized response.
        order: a, at least 1.
        categories: k, only together with a level.
        digits: the bracket is about as narrow as 10^-digits.

    >>> found = certify_renyi(Epsilon.of(1), Fraction(2), 10)
    >>> print(found.statement, round(float(Fraction(found.claim["upper"])), 12))
    divergence-level 0.296130448363
    """
    subject = _subject(mechanism, categories)
    problem = {"mechanism": subject.written, "order": as_text(order)}

    def made(precision: int) -> tuple[dict[str, str], dict[str, Any]]:
        proof = subject.proof([], precision)
        if subject.below is None or subject.above is None:
            return _INFINITE, proof
        with _precision(64 + 4 * precision):
            found = [
                [_divergence(Exponents.of_atoms(pair), order) for pair in side]
                for side in (subject.below, subject.above)
            ]
        lower = max((one.lower for one in found[0]), default=Fraction(0))
        upper = max((one.upper for one in found[1]), default=Fraction(0))
        return _claimed(lower, upper, digits), proof

    return _accepted(problem, made, digits)


def certify_zcdp(
    mechanism: Mechanism | Epsilon, categories: int | Fraction | None = None, digits: int = 19
) -> Certificate | None:
    """Return an accepted certificate for a bracket of the least rho of zCDP; None if the checker accepts none.

    Args:
        mechanism: a mechanism, or a level for k-ary randomized response.
        categories: k, from 2 to 10^12, only together with a level. If k is not an integer, the certificate is for the
            distributions (g, 1, k - 2)/(g + k - 1) and (1, g, k - 2)/(g + k - 1) with g = exp(epsilon).
        digits: the bracket is about as narrow as 10^-digits.

    >>> found = certify_zcdp(Epsilon.of(1), 10)
    >>> print(round(float(Fraction(found.claim["upper"])), 12))
    0.148132973355
    """
    subject = _subject(mechanism, categories)
    problem = {"mechanism": subject.written, "order": None}
    proved: list[tuple[Supremum, Fraction]] = []

    def made(precision: int) -> tuple[dict[str, str], dict[str, Any]]:
        if subject.below is None or subject.above is None:
            return _INFINITE, subject.proof([], precision)
        if not proved:
            with _precision(192 + 10 * digits):
                found = supremum([Exponents.of_atoms(pair) for pair in subject.above], digits)
                below = [Exponents.of_atoms(pair) for pair in subject.below]
                lower = bracket(below[found.pair].quotient(found.order)).lower if below else Fraction(0)
                proved.append((found, lower))
        found, lower = proved[0]
        orders = [[as_text(order) for order in each] for each in found.orders]
        return _claimed(lower, found.upper, digits), subject.proof(orders, precision)

    return _accepted(problem, made, digits)


_INFINITE = {"lower": "infinite", "upper": "infinite"}


def _claimed(lower: Fraction, upper: Fraction, digits: int) -> dict[str, str]:
    ends = rounded_outwards(Bracket(lower, upper), digits + 2)
    room = Fraction(1, 10 ** (digits + 2))  # room for the rounding of the checker's intervals
    low = max(ends.lower - room, Fraction(0))
    return Bracket(low, ends.upper + room if upper else Fraction(0)).written()


def _accepted(
    problem: dict[str, Any], made: Callable[[int], tuple[dict[str, str], dict[str, Any]]], digits: int
) -> Certificate | None:
    """Return an accepted certificate, with twice the digits in a second attempt; None if both are rejected."""
    for times in (1, 2):
        precision = min(times * (2 * digits + _SPARE_DIGITS), MAX_COVER_DIGITS)
        claim, proof = made(precision)
        if (found := Certificate.accepted_statement("divergence-level", problem, claim, proof)) is not None:
            return found
    return None


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
    return tuple(map(str, named.shape)) == tuple(map(str, shape)) and _subject(named, None).written == written


def _given(mechanism: object) -> Mechanism:
    return mechanism if isinstance(mechanism, Mechanism) else mechanism_of_argument(str(mechanism))


def _response(mechanism: Mechanism) -> tuple[Epsilon, int] | None:
    """Return epsilon and k if a mechanism is k-ary randomized response; else None."""
    k = mechanism.inputs
    if mechanism.shape != (k, k) or not 2 <= k <= _MOST_LISTED:
        return None
    p, q = mechanism[0, 0], mechanism[1, 0]
    if not 0 < q < p or any(mechanism[i, j] != (p if i == j else q) for i in range(k) for j in range(k)):
        return None
    return Epsilon.of_parity(p / q), k


def _categories(mechanism: object, categories: object) -> Fraction | None:
    """Return k for a level (default 2); None for a mechanism, which must not be given with categories."""
    if isinstance(mechanism, Mechanism) or (isinstance(mechanism, str) and not is_level(mechanism)):
        if categories is not None:
            raise InvalidParameterError("categories need a level: a mechanism has its own categories; leave them out")
        return None
    k = 2 if categories is None else categories
    if isinstance(k, bool) or not isinstance(k, (int, Fraction)) or not 2 <= k <= MAX_CATEGORIES:
        raise InvalidParameterError(
            f"the number of categories is out of range: received {shown(categories)}; allowed is 2 to {MAX_CATEGORIES}"
        )
    return Fraction(k)


def _digits(digits: object) -> int:
    return whole_where(digits, 1, MAX_DIGITS, name="`digits`")


def _order(order: object) -> Fraction:
    a = rational(order, name="order")
    if not 1 <= a <= _MAX_ORDER:
        raise InvalidParameterError(f"the order is out of range: received {shown(order)}; allowed is 1 to {_MAX_ORDER}")
    return a


def _precision(bits: int) -> Any:
    from flint import ctx

    return ctx.workprec(bits)


def _divergence(pair: Exponents, order: Fraction) -> Bracket:
    found = pair.at(order)
    return bracket(found.mean if order == 1 else found.psi / ball(order - 1))


def _exponents(mechanism: object, categories: object) -> Callable[[], list[Exponents]] | None:
    """Return a function that builds the pairs at the current precision; None if one of the divergences is infinite."""
    k = _categories(mechanism, categories)
    response = (Epsilon.of(mechanism), k) if k is not None else _response(_given(mechanism))
    if response is None:
        pairs = _pairs(_given(mechanism))
        return None if pairs is None else lambda: [Exponents.of_atoms(pair) for pair in pairs]
    level, size = response
    if level.is_infinite:
        return None
    return lambda: [_response_exponents(level, Fraction(size))] if level != Epsilon.of(0) else []


def _response_exponents(level: Epsilon, k: Fraction) -> Exponents:
    from flint import arb

    e = _level_ball(level)
    size = e.exp() + ball(k - 1)
    rest = k != 2
    return Exponents(
        [e.exp() / size, 1 / size, *([ball(k - 2) / size] if rest else [])], [e, -e, *([arb(0)] if rest else [])]
    )


def _subject(mechanism: Mechanism | Epsilon, categories: int | Fraction | None) -> _Subject:
    if isinstance(mechanism, Epsilon):
        response: tuple[Epsilon, int | Fraction] | None = mechanism, 2 if categories is None else categories
    else:
        response = _response(mechanism)
    if response is None:
        assert isinstance(mechanism, Mechanism)
        rows = [[as_text(entry) for entry in row] for row in mechanism.matrix]
        pairs = _pairs(mechanism)
        return _Subject({"matrix": rows}, pairs, pairs)
    level, k = response
    written = {"kind": "kary", "local": level.to_dict(), "categories": as_text(Fraction(k))}
    local = level.gamma_bracket(_LEVEL_DIGITS)
    below, above = (_response_pair(g, Fraction(k)) for g in local)
    return _Subject(written, below, above, local)


def _response_pair(g: Fraction, k: Fraction) -> tuple[Atoms, ...]:
    size = g + k - 1
    pair = merged_atoms([g / size, 1 / size, (k - 2) / size], [1 / size, g / size, (k - 2) / size])
    return () if pair is None or len(pair) < 2 else (pair,)


def _pairs(mechanism: Mechanism) -> tuple[Atoms, ...] | None:
    """Return the different pairs of distributions in the order of the checker; None if a divergence is infinite."""
    found: dict[Atoms, None] = {}
    columns = mechanism.design_matrix
    seen: set[tuple[Any, Any]] = set()
    for one, other in permutations(columns, 2):
        if (one, other) in seen:
            continue
        seen.add((one, other))
        pair = merged_atoms(one, other)
        if pair is None:
            return None
        found.setdefault(pair)
    return tuple(pair for pair in found if len(pair) > 1)


def merged_atoms(ps: Sequence[Fraction], qs: Sequence[Fraction]) -> Atoms | None:
    """Return the atoms (p, q) of two distributions by increasing odds p/q; None if an atom has q = 0 and p > 0.

    >>> merged_atoms([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [Fraction(1, 3)] * 3)
    ((Fraction(1, 2), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 3)))
    """
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for p, q in zip(ps, qs, strict=True):
        if p:
            if not q:
                return None
            one, other = found.get(p / q, (Fraction(0), Fraction(0)))
            found[p / q] = one + p, other + q
    return tuple(found[odds] for odds in sorted(found))


def _level_ball(level: Epsilon) -> Any:
    return ball(level.times) if level.kind == "rational" else ball(level.times) * ball(level.base).log()


def _is_limit(level: Epsilon, k: int) -> bool:
    """Return whether ``r <= R(eps/2)``, decided with balls; no rational level gives equality."""
    bits = 128
    while bits <= _MOST_BITS:
        with _precision(bits):
            half = _level_ball(level) / 2
            sinh, cosh = half.sinh(), half.cosh()
            apart = (sinh * cosh - half) / (half * cosh - sinh) - (k - 2) / (2 * half.exp())
            if apart > 0:
                return True
            if apart < 0:
                return False
        bits *= 2
    raise UnsupportedProblemError("the threshold of zCDP is not decided: change epsilon a little")
