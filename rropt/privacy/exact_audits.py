"""Audits: the exact privacy of a mechanism or a matrix of floats, and tests of a level or a criterion."""

from __future__ import annotations

from typing import Any

from rropt.core.argument_checks import (
    clear_calls,
    require_filled,
    require_flags,
    require_given,
    require_lists,
    require_texts,
)
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms.imports import audit_of_argument, required_mechanism, stated_mechanism
from rropt.mechanisms.privacy_findings import Finding, LargeFinding
from rropt.mechanisms.raw_matrices import audit
from rropt.privacy.bound import Judgement, judge
from rropt.privacy.criteria.named_criteria import given_criterion
from rropt.privacy.criterion_region import criterion_level


@clear_calls
def audit_privacy(
    mechanism: Any,
    *,
    epsilon: object | None = None,
    gamma: object | None = None,
    rho: tuple[object, object] | None = None,
    beta: object | None = None,
    upper: str | None = None,
    lower: str | None = None,
    delta: object = 0,
    transposed: bool = False,
    fast: bool = False,
) -> Finding | LargeFinding | Judgement:
    """Compute the exact privacy of a mechanism, as ``rropt privacy`` does: parity, epsilon, and delta at a level.

    ``delta(epsilon) = max over inputs j, l of sum_i max(0, p_ij - exp(epsilon) p_il)``.

    Args:
        mechanism: a ``Mechanism``, its text form such as ``"warner:3/4"``, the path of a file, or a matrix (m, k) of
            numbers, whose column sums may differ from 1 by rounding errors.
        epsilon, gamma: the level to test, at most one of them; by default the mechanism's own level.
        rho, beta, upper, lower: a criterion instead of a level, as for ``rropt.privacy.level``.
        delta: the delta allowed at the level.
        transposed: whether the rows of a matrix or a file are inputs.
        fast: whether to leave out the twins of a ``Judgement``: the comparison with SymPy and CVXPY.

    Returns:
        A ``Finding`` with ``parity``, ``epsilon``, ``delta`` and, at a level, ``meets``; under a criterion a
        ``Judgement`` with ``meets`` and an explicit breach. For a mechanism too large for a matrix, a ``LargeFinding``.

    Raises:
        InvalidParameterError: more than one level is given.
        FileFormatError, InvalidMechanismError: as ``load_mechanism``.

    >>> found = audit_privacy("warner:3/4", epsilon="log(2)")
    >>> found.meets, str(found.delta)
    (False, '1/4')
    """
    require_flags(transposed=transposed, fast=fast)
    require_texts(upper=upper, lower=lower)
    require_lists(rho=rho)
    require_filled(delta=delta)
    require_given(upper=upper, lower=lower, epsilon=epsilon, gamma=gamma, beta=beta)
    given = [name for name, one in (("epsilon", epsilon), ("gamma", gamma)) if one is not None]
    criterion = given_criterion(rho=rho, beta=beta, upper=upper, lower=lower)
    if len(given) + (criterion is not None) > 1:
        raise InvalidParameterError("more than one level is given: give one of epsilon, gamma, and a criterion")
    level = None if not given else Epsilon.of(epsilon) if gamma is None else Epsilon.of_gamma(gamma)
    asked = Delta.of(delta) if given else None
    try:
        read = audit_of_argument if isinstance(mechanism, str) else audit
        found = read(stated_mechanism(mechanism), transposed=transposed)
    except UnsupportedProblemError:  # the matrix is too large to be written out
        if transposed:
            raise
        large = required_mechanism(mechanism)
        if criterion is not None:  # met if the parity is at most B(h), which is the level of the criterion
            level, asked = criterion_level(criterion).epsilon_at(large.parity()), Delta.of(0)
        return LargeFinding.at(large, level, asked)
    return Finding.at(found, level, asked) if criterion is None else judge(found.normalised, criterion, fast=fast)
