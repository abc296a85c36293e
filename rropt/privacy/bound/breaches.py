"""Decide whether a mechanism satisfies a criterion; if not, return an explicit breach.

Theorem 3.1 of Chai and Nayak (2018): P satisfies h-CSIP iff its parity is at most B(h). Let F be the odds ratio on the
boundary h, and suppose that a row i has ``p_ij / p_il = eta > F(p)`` for some prior p. Consider an intruder who is
certain that X is c_j (probability p) or c_l (1-p). At the response d_i, the posterior odds of c_j are
``eta p/(1-p) > h(p)/(1-h(p))``. For the lower function, the property is "not c_j", with prior 1-p.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import ctx, fmpq_poly

from rropt.core.errors import InvalidMechanismError, required
from rropt.core.exact import decimals_apart
from rropt.core.exact.algebraic_numbers import Algebraic, polynomial_sign, quotient_at, simplest_between
from rropt.core.exact.display import with_decimal
from rropt.core.exact.flint_numbers import as_flint
from rropt.core.exact.rational_bounds import Bracket, bracket, to_fraction
from rropt.core.results import Extended
from rropt.core.results.twins import PosedTwice
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import row_extremes
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.privacy_findings import Finding
from rropt.privacy.bound.functions import PRECISION, Rational, odds_ball, value_ball
from rropt.privacy.bound.infima import PARITY_BOUND_DIGITS, Place, odds_ratio
from rropt.privacy.bound.largest_parity import ParityBound, parity_bound
from rropt.privacy.criteria import Criterion

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

# Halvings of the window around the infimum in which the prior of a breach is sought: a distance of 2^-200 is enough.
_BREACH_HALVINGS = 200
_COMPARED_DIGITS = 60  # of a posterior that is compared with its limit


@dataclass(frozen=True, slots=True)
class Breach:
    """A prior, a property and a response whose posterior probability violates the limits.

    Attributes:
        response: i, the observed response d_i.
        property: the inputs of Q, ascending.
        distribution: the intruder's prior alpha, one probability per input.
        prior: alpha(Q).
        posterior: alpha(Q | d_i).
        limit: h_u(prior), which the posterior exceeds, or h_l(prior), which exceeds the posterior; possibly an
            enclosure that does not contain the posterior.
        direction: ``"up"`` if the posterior is too large, ``"down"`` if it is too small.
    """

    response: int
    property: tuple[int, ...]
    distribution: tuple[Algebraic, ...]
    prior: Algebraic
    posterior: Algebraic
    limit: Bracket
    direction: str

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary: prior, property, response, and posterior."""
        posterior = self.posterior
        sign, limit = (">", self.limit.upper) if self.direction == "up" else ("<", self.limit.lower)
        texts = decimals_apart(posterior.near(_COMPARED_DIGITS)[0], limit, 9)
        return [
            ("an intruder's prior", ", ".join(map(str, self.distribution))),
            ("property Q", "X in {" + ", ".join(map(str, self.property)) + "}"),
            ("at response", str(self.response)),
            ("prior of Q", str(self.prior)),
            ("posterior of Q", _with_decimal(posterior, texts[0])),
            ("limit", f"{sign} {texts[1]}"),
        ]

    def mirrored(self) -> Breach:
        """Return the lower breach of a property that this upper breach of its complement implies (epsilon-DLP)."""
        prior, posterior, limit = self.prior.complement, self.posterior.complement, self.limit.complement
        return replace(self, prior=prior, posterior=posterior, limit=limit, direction="down")


def _with_decimal(posterior: Algebraic, decimal: str) -> str:
    """Return a posterior probability as text; its decimal may be another one and a difference."""
    return with_decimal(str(posterior), decimal, None if " " in decimal else posterior.rational)


@dataclass(frozen=True, slots=True)
class Judgement(PosedTwice):
    """Whether a mechanism satisfies a criterion, with a breach if it does not.

    Attributes:
        mechanism: P.
        meets: whether it satisfies the criterion; ``None``: not decided, as its parity lies in the enclosure of B(h).
        parity: the parity of the mechanism, ``None`` if it is infinite.
        bound: B(h).
        breach: an explicit breach if ``meets`` is ``False``.
        finding: of ``rropt.audit_privacy``: parity, epsilon and delta of the numbers as given, at the level of the
            criterion; no part of the file.
    """

    mechanism: Mechanism
    meets: bool | None
    parity: Extended
    bound: ParityBound
    breach: Breach | None
    finding: Finding | None = field(default=None, compare=False, repr=False)

    @classmethod
    def recompute(cls, mechanism: Mechanism, bound: ParityBound) -> Judgement:
        """Judge the mechanism again."""
        return judge(mechanism, bound.criterion, bound, fast=True)

    def answer(self) -> dict[str, Any]:
        """Return the keys of ``to_dict`` that do not belong to B(h)."""
        record, names = self.to_dict(), ("meets", "parity", "breach")
        near = {key: x for key, x in record.get("decimals", {}).items() if key in names}
        return self.with_twins({**{key: record[key] for key in names}, **({"decimals": near} if near else {})})

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary: the answer, and the breach if there is one."""
        answer = {True: "yes", False: "no", None: "not decided: the parity lies inside the enclosure"}[self.meets]
        return [("meets the criterion", answer), *(self.breach.lines() if self.breach else ()), *self.twin_lines()]

    def to_sympy(self) -> Posing:
        """Return the largest posterior of a property with the prior p at an output, with its closed form."""
        from rropt.symbolic.privacy.breaches import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return the posterior of the breach by the formula, with the proof that none is larger.

        Raises:
            RouteDisagreementError: the breach has another posterior, or a prior at which its likelihoods give another
                one.
        """
        from rropt.symbolic.privacy.breaches import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the linear program of the largest posterior of the breached property; its value is that posterior.

        ``var_dict`` has the scaled priors ``v``, their sums ``s`` and the weights ``theta`` of the outputs; the
        Parameter ``prior`` is the probability of Q.

        Raises:
            UnsupportedProblemError: the mechanism has too many entries.
        """
        from rropt.convex.privacy.breaches import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the largest posterior of the breached property, compared with that of the breach."""
        from rropt.convex.privacy.breaches import cvxpy_twin

        return cvxpy_twin(self)


def judge(
    mechanism: Mechanism, criterion: Criterion, bound: ParityBound | None = None, *, fast: bool = False
) -> Judgement:
    """Decide whether a mechanism satisfies a privacy criterion, with an explicit breach if it does not.

    Args:
        mechanism: any mechanism, m outputs and k inputs.
        criterion: any criterion of ``rropt.privacy.criteria``.
        bound: its B(h), if already known.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``judgement.twins``).

    Raises:
        InvalidMechanismError: the mechanism has only one input, so there is nothing to learn.
        InvalidParameterError: as ``parity_bound``.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> breach = judge(Mechanism.binary("5/6", "5/6"), rho_to_rho("1/5", "1/2")).breach
    >>> print(breach.prior, breach.posterior, round(float(breach.posterior), 6))
    2/11 10/19 0.526316

    Source: Chai and Nayak (2018), Theorem 3.1 and the proof of Lemma 3.3.
    """
    mechanism = required_mechanism(mechanism)
    if mechanism.inputs < 2:
        raise InvalidMechanismError(
            f"the mechanism has one input: received shape {mechanism.shape}; a privacy criterion is about at least 2 "
            "categories, one per column, since with one there is nothing to learn"
        )
    known = parity_bound(criterion, fast=True) if bound is None else bound
    required(known, ParityBound, "the bound", "parity_bound(criterion)")
    parity = mechanism.parity()
    meets = known.allows(parity)
    breach = None if meets is not False else _found(mechanism, parity, known)
    judgement = Judgement(mechanism, meets, parity, known, breach)
    return judgement if fast else judgement.compared_twice()


def _found(mechanism: Mechanism, parity: Fraction | None, bound: ParityBound) -> Breach | None:
    for place in bound.places:
        for p in _priors(place):
            limit = _limit_below(place, p, parity)
            if limit is not None:
                return _breach(mechanism, parity, p, limit, place.side)
    return None


def _priors(place: Place) -> Iterator[Algebraic]:
    """Yield priors in the cell of a place that converge to it, rational unless the cell is an irrational point."""
    at, cell = place.at, place.cell
    if cell.is_point or (at.rational is not None and cell.low < at < cell.high) or place.approach == "everywhere":
        yield at
        if cell.is_point:
            return
    for k in range(1, _BREACH_HALVINGS + 1):
        below, above = at.bracket(k // 3 + 2)
        low = max(cell.low, Algebraic.of(below - Fraction(1, 2**k)))
        high = min(cell.high, Algebraic.of(above + Fraction(1, 2**k)))
        yield Algebraic.of(simplest_between(low, high))


def _limit_below(place: Place, p: Algebraic, parity: Fraction | None) -> Bracket | None:
    """Return bounds of h(p) if the odds ratio at p is below the parity, so that p yields a breach; else ``None``."""
    if isinstance(place.leaf, Rational):
        ratio = odds_ratio(place.leaf)
        if ratio is None or polynomial_sign(ratio.below, p) == 0:
            return None
        if parity is not None and not ratio.value(p) < Algebraic.of(parity):
            return None
        return _apart(place.leaf.value(p), _posterior(p, parity))
    with ctx.workprec(PRECISION):
        x = p.ball(PRECISION)
        h = value_ball(place.leaf, x)
        odds = odds_ball(h, x)
        if not odds.is_finite() or (parity is not None and to_fraction(odds.upper()) >= parity):
            return None
        return bracket(h)


def _apart(limit: Algebraic, posterior: Algebraic) -> Bracket:
    digits = PARITY_BOUND_DIGITS
    while not Algebraic.of(limit.bracket(digits).upper) < posterior:  # terminates: the posterior exceeds the limit
        digits *= 2
    return limit.bracket(digits)


def _posterior(p: Algebraic, parity: Fraction | None) -> Algebraic:
    """Return the posterior ``eta p / (eta p + 1 - p)``, which is 1 if eta is infinite."""
    if parity is None:
        return Algebraic.of(1)
    eta = as_flint(parity)
    return quotient_at(fmpq_poly([0, eta]), fmpq_poly([1, eta - 1]), p)


def _breach(mechanism: Mechanism, parity: Fraction | None, p: Algebraic, limit: Bracket, side: str) -> Breach:
    extremes = enumerate(row_extremes(mechanism.matrix))
    i, likely, unlikely = next((i, high, low) for i, (high, low, ratio) in extremes if ratio == parity)
    inputs = range(mechanism.inputs)
    alpha = tuple(p if j == likely else p.complement if j == unlikely else Algebraic.of(0) for j in inputs)
    posterior = _posterior(p, parity)
    if side == "up":
        return Breach(i, (likely,), alpha, p, posterior, limit, "up")
    rest = tuple(j for j in inputs if j != likely)
    return Breach(i, rest, alpha, p.complement, posterior.complement, limit.complement, "down")
