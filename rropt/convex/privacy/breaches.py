"""The largest posterior probability of a property, as a linear program (Charnes and Cooper, 1962).

Let r be the row of an output, and Q a property with prior probability p. The posterior of Q is ``alpha_Q . r / alpha
. r``, a ratio of linear functions of the prior alpha. With ``v = alpha/(alpha . r)`` and ``s = 1/(alpha . r)`` it is
linear: maximize ``r_Q . v`` subject to ``r . v = 1``, ``sum v = s``, ``v(Q) = p s``, v >= 0. One program has a block
for each output, with ``r_i . v_i = theta_i`` and ``sum theta = 1``: the mean of the posteriors with the weights theta,
so that its value is the largest posterior of all outputs.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.results.twins import Twin

_MOST_ENTRIES = 4000
_DIGITS = 20


class PosteriorQuestion(NamedTuple):
    """A property Q, its prior probability, and the largest posterior that the judgement gives it."""

    members: tuple[int, ...]
    prior: Algebraic
    posterior: Bracket


def question_of(judgement: Any) -> PosteriorQuestion:
    """Return the property and prior of the breach, or the likeliest input of the widest row at prior 1/2."""
    breach, parity = judgement.breach, judgement.parity
    if breach is not None and breach.direction == "up":
        return PosteriorQuestion(breach.property, breach.prior, breach.posterior.bracket(_DIGITS))
    if breach is not None:  # the property is unlikely: its complement is likely
        rest = tuple(j for j in range(judgement.mechanism.inputs) if j not in breach.property)
        return PosteriorQuestion(rest, breach.prior.complement, breach.posterior.complement.bracket(_DIGITS))
    rows = [row for row in judgement.mechanism.matrix if any(row)]
    likely = max(rows, key=lambda row: max(row) / min(row) if min(row) else inf)
    posterior = Fraction(1) if parity is None else parity / (1 + parity)
    return PosteriorQuestion((likely.index(max(likely)),), Algebraic.of(Fraction(1, 2)), Bracket(posterior, posterior))


def to_cvxpy(judgement: Any) -> cp.Problem:
    """Return the linear program of the largest posterior of the breached property; its value is that posterior.

    ``var_dict`` has the scaled priors ``v``, their sums ``s`` and the weights ``theta`` of the outputs; the Parameter
    ``prior`` is the probability of Q.

    Raises:
        UnsupportedProblemError: the mechanism has too many entries.
    """
    m, k = judgement.mechanism.shape
    if m * k > _MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries")
    rows = np.array([[float(x) for x in row] for row in judgement.mechanism.matrix if any(row)])
    rows = rows / rows.max(axis=1, keepdims=True)  # the scale of a row has no influence on posteriors
    question = question_of(judgement)
    v = cp.Variable(rows.shape, nonneg=True, name="v")
    s = cp.Variable(len(rows), nonneg=True, name="s")
    prior = cp.Parameter(nonneg=True, name="prior", value=float(question.prior))
    theta = cp.Variable(len(rows), nonneg=True, name="theta")
    inside = np.isin(np.arange(k), question.members).astype(float)
    given = cp.multiply(rows, v)
    limits = [cp.sum(given, axis=1) == theta, cp.sum(theta) == 1, cp.sum(v, axis=1) == s, v @ inside == prior * s]
    program = cp.Problem(cp.Maximize(cp.sum(given @ inside)), limits)
    return explained(
        program,
        theta="the weight of each output; the largest posterior has all of it",
        v="for each output, its weight times the prior of each input, divided by the probability of the output",
        s="for each output, the sum of v: its weight divided by the probability of the output",
        prior="the prior probability of the property",
    )


def cvxpy_twin(judgement: Any) -> Twin:
    """Return the largest posterior of the breached property, compared with that of the breach."""
    solved, posterior = solve(to_cvxpy(judgement)), question_of(judgement).posterior
    return compare(solved, posterior.lower, posterior.upper, "the largest posterior")
