"""Privacy criteria: which posterior probabilities are a breach, for every prior probability.

The criteria of the literature are available by name, and general ones as expressions in p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, required, shown
from rropt.core.exact import Epsilon, as_text, rational, rational_where
from rropt.privacy.criteria.expressions import (
    ONE,
    PRIOR,
    Expression,
    Extremum,
    Inequality,
    Number,
    Operation,
    Piecewise,
    reflected,
)
from rropt.privacy.criteria.grammar import parse


def rho_to_rho(rho1: object, rho2: object) -> Criterion:
    """Return rho1-to-rho2 privacy (amplification): no posterior crosses from below rho1 to above rho2, or back.

    ``h_u(p) = rho2 for p < rho1, else 1``; ``h_l(p) = rho1 for p > rho2, else 0`` (Evfimievski, Gehrke and Srikant
    2003; Chai and Nayak 2018, Definition 1.1).

    Args:
        rho1: lower probability, exact, 0 < rho1 < rho2.
        rho2: upper probability, exact, rho2 < 1.

    Raises:
        InvalidParameterError: the arguments are not numbers with 0 < rho1 < rho2 < 1.
    """
    low, high = rational(rho1, name="rho1"), rational(rho2, name="rho2")
    if not 0 < low < high < 1:
        raise InvalidParameterError(
            f"rho1 and rho2 are out of range: received rho1 = {shown(rho1)}, rho2 = {shown(rho2)}; "
            "allowed is 0 < rho1 < rho2 < 1"
        )
    return Criterion(
        "rho",
        f"{low}-to-{high} privacy",
        Piecewise(((Number(high), (Inequality("<", PRIOR, Number(low)),)),), ONE),
        Piecewise(((Number(low), (Inequality(">", PRIOR, Number(high)),)),), Number(Fraction(0))),
        (("rho1", low), ("rho2", high)),
    )


def beta_factor(beta: object) -> Criterion:
    """Return beta-factor privacy: posterior / prior lies between 1/beta and beta.

    ``h_u(p) = min(1, beta p)``, ``h_l(p) = p/beta`` (Nayak, Zhang and Sinha 2015; Chai and Nayak 2018, Definition 1.2).

    Args:
        beta: factor > 1, exact.

    Raises:
        InvalidParameterError: beta is not a number > 1.
    """
    exact = _above_one(beta, "beta")
    return Criterion(
        "beta",
        f"{exact}-factor privacy",
        Extremum("min", (ONE, Operation("*", Number(exact), PRIOR))),
        Operation("/", PRIOR, Number(exact)),
        (("beta", exact),),
    )


def differential_local_privacy(epsilon: object) -> Criterion:
    """Return epsilon-DLP (epsilon-LDP, pure local differential privacy) as a criterion on posteriors.

    ``h_u(p) = gamma p / (1 + (gamma - 1) p)`` with gamma = exp(epsilon) (Chai and Nayak 2018, Definition 2.1, (3.5)).

    Args:
        epsilon: level in nats, > 0: any form of ``Epsilon.of``.

    Raises:
        InvalidParameterError: epsilon has another form or is not positive.
    """
    level = Epsilon.of(epsilon)
    if level == Epsilon.of(0):
        raise InvalidParameterError(f"epsilon is out of range: received {shown(epsilon)}; allowed is epsilon > 0")
    up = None if level.gamma is None else odds_bound(level.gamma)
    return Criterion("dlp", f"{level}-differential local privacy", up, level=level)


def level_criterion(epsilon: object) -> Criterion:
    """Return the criterion equivalent to a level: epsilon-DLP, or posterior = prior at epsilon = 0."""
    level = Epsilon.of(epsilon)
    return information_privacy(lower="p", upper="p") if level == Epsilon.of(0) else differential_local_privacy(level)


def bayes_factor(most: object, least: object | None = None) -> Criterion:
    """Return a bound on all Bayes factors: posterior odds / prior odds is at most ``most`` and at least ``least``.

    ``h_u(p) = g p / (1 + (g - 1) p)`` with g = ``most``, and h_l is the same formula with g = ``least`` (Chai and Nayak
    2018, (3.6)).

    Args:
        most: largest Bayes factor, exact, > 1.
        least: smallest Bayes factor, exact, in (0, 1). By default there is only the upper bound, which implies 1/most.

    Raises:
        InvalidParameterError: an argument is out of range.
    """
    high = _above_one(most, "the largest Bayes factor")
    parameters = [("most", high)]
    down, text = None, f"Bayes factors at most {high}"
    if least is not None:
        low = rational(least, name="the smallest Bayes factor")
        if not 0 < low < 1:  # 3 stands for 1/3 rather than for 3 %: no advice about percents
            raise InvalidParameterError(
                f"the smallest Bayes factor is out of range: received {shown(least)}; allowed is 0 < least < 1"
            )
        parameters.append(("least", low))
        down, text = odds_bound(low), f"{text} and at least {low}"
    return Criterion("bayes", text, odds_bound(high), down, tuple(parameters))


def information_privacy(*, lower: str, upper: str) -> Criterion:
    """Return (h_l, h_u)-SIP: every posterior lies between h_l(prior) and h_u(prior).

    Both arguments are keyword-only, because there is no natural order.

    Args:
        lower: h_l, an expression in p with 0 <= h_l(p) <= p.
        upper: h_u, an expression in p with p <= h_u(p) <= 1.

    Raises:
        InvalidParameterError: an expression is not in the grammar. The ranges are checked when the bound is computed.

    Source: Chai and Nayak (2018), Definition 2.2.
    """
    trees = parse(upper, name="the upper function"), parse(lower, name="the lower function")
    return Criterion(
        "sip", f"{_line(lower)} <= posterior <= {_line(upper)}", *trees, (("lower", lower), ("upper", upper))
    )


def canonical_information_privacy(upper: str) -> Criterion:
    """Return h-CSIP: every posterior is at most h(prior), hence at least 1 - h(1 - prior).

    Args:
        upper: h, an expression in p with p <= h(p) <= 1.

    Raises:
        InvalidParameterError: the expression is not in the grammar. The range is checked when the bound is computed.

    Source: Chai and Nayak (2018), Definition 3.1.
    """
    tree = parse(upper, name="the upper function")
    return Criterion("csip", f"posterior <= {_line(upper)}", tree, None, (("upper", upper),))


_FUNCTIONS: dict[str, tuple[Callable[..., Criterion], tuple[str, ...]]] = {
    "rho": (rho_to_rho, ("rho1", "rho2")),
    "beta": (beta_factor, ("beta",)),
    "bayes": (bayes_factor, ("most", "least")),
    "sip": (information_privacy, ("lower", "upper")),
    "csip": (canonical_information_privacy, ("upper",)),
}


def _line(text: str) -> str:
    return " ".join(text.split())


def odds_bound(factor: Fraction) -> Expression:
    """Return ``h_g(p) = g p / (1 + (g - 1) p)``, the largest posterior if the Bayes factor is at most g."""
    below = Operation("+", ONE, Operation("*", Number(factor - 1), PRIOR))
    return Operation("/", Operation("*", Number(factor), PRIOR), below)


def _above_one(value: object, name: str) -> Fraction:
    return rational_where(value, lambda x: x > 1, f"{name} > 1", name=name)


@dataclass(frozen=True, slots=True)
class Criterion:
    """A privacy criterion: ``h_l(p) <= posterior <= h_u(p)`` if the prior probability of a property is p.

    This is the (h_l, h_u)-SIP of Chai and Nayak (2018), Definition 2.2, for all properties, priors and responses. By
    their Lemma 3.1 it is equivalent to h-CSIP (Definition 3.1) with ``h = [h_l * h_u] = min(h_u(p), 1 - h_l(1 - p))``.

    Attributes:
        kind: ``"rho"``, ``"beta"``, ``"dlp"``, ``"bayes"``, ``"sip"`` or ``"csip"``.
        text: the criterion as one line of text.
        up: h_u, a function of the prior p with p <= h_u(p) <= 1, or ``None``: no upper limit.
        down: h_l, with 0 <= h_l(p) <= p, or ``None``: no lower limit.
        parameters: the arguments of its constructor by name: exact values for a named kind, otherwise expressions in p.
        level: epsilon, for ``"dlp"``. If gamma = exp(epsilon) is irrational, ``up`` and ``down`` are ``None``.
    """

    kind: str
    text: str
    up: Expression | None
    down: Expression | None = None
    parameters: tuple[tuple[str, Fraction | str], ...] = ()
    level: Epsilon | None = None

    def canonical(self) -> Expression:
        """Return ``h = [h_l * h_u]``, the minimum of h_u(p) and 1 - h_l(1 - p), for which the criterion is h-CSIP."""
        limits = (self.up, None if self.down is None else reflected(self.down))
        parts = [limit for limit in limits if limit is not None]
        return parts[0] if len(parts) == 1 else Extremum("min", tuple(parts)) if parts else ONE

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary for problem files: the kind and the arguments of its constructor."""
        named = {name: value if isinstance(value, str) else as_text(value) for name, value in self.parameters}
        return {"kind": self.kind, **named, **({} if self.level is None else {"epsilon": self.level.to_dict()})}

    @classmethod
    def from_dict(cls, data: Any) -> Criterion:
        """Build the criterion from the output of ``to_dict``.

        >>> criterion = rho_to_rho("1/5", "1/2")
        >>> Criterion.from_dict(criterion.to_dict()) == criterion
        True
        """
        given = dict(data) if isinstance(data, dict) else {}
        kind = given.pop("kind", None)
        if kind == "dlp" and set(given) == {"epsilon"}:
            return differential_local_privacy(Epsilon.from_dict(given["epsilon"]))
        function, names = _FUNCTIONS.get(kind, (None, ())) if isinstance(kind, str) else (None, ())
        if function is None or set(names) - {"least"} - set(given) or set(given) - set(names):
            raise InvalidParameterError(
                f"criterion is not of the form of a problem: received {shown(data)}; allowed is an object with the "
                f"kind dlp, {', '.join(_FUNCTIONS)}, and its numbers or expressions"
            )
        return function(**given)

    def __str__(self) -> str:
        return self.text


def required_criterion(value: object) -> Criterion:
    """Return the argument if it is a criterion.

    Raises:
        InvalidParameterError: the argument is of another kind, such as the text of a function of p.
    """
    text = shown(value) if isinstance(value, str) else "'min(1, 3*p)'"
    return required(value, Criterion, "the criterion", f"canonical_information_privacy({text}) or rho_to_rho(r1, r2)")


def given_criterion(
    *,
    rho: tuple[object, object] | None = None,
    beta: object | None = None,
    upper: str | None = None,
    lower: str | None = None,
) -> Criterion | None:
    """Return the criterion that is given in one of its forms; ``None`` if no form is given.

    Raises:
        InvalidParameterError: two criteria are given, or ``lower`` without ``upper``.
    """
    given = [name for name, value in (("rho", rho), ("beta", beta), ("upper", upper)) if value is not None]
    if lower is not None and upper is None:
        raise InvalidParameterError("`lower=EXPR` goes with `upper=EXPR`: give both, with `upper=1` for no limit above")
    if len(given) > 1:
        raise InvalidParameterError(f"a criterion is one of rho, beta and upper: received {', '.join(given)}; give one")
    if not given:
        return None
    if rho is not None:
        if not isinstance(rho, (tuple, list)) or len(rho) != 2:
            raise InvalidParameterError(f"rho is not a pair: received {shown(rho)}; allowed is (rho1, rho2)")
        return rho_to_rho(*rho)
    if upper is None:
        return beta_factor(beta)
    return canonical_information_privacy(upper) if lower is None else information_privacy(lower=lower, upper=upper)
