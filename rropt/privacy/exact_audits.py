"""Audits: the exact privacy of a mechanism or a matrix of floats, tests of a level or a criterion, and B(h)."""

from __future__ import annotations

from typing import Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms.imports import audit_of_argument, required_mechanism, stated_mechanism
from rropt.mechanisms.privacy_findings import Finding, LargeFinding
from rropt.mechanisms.raw_matrices import audit
from rropt.privacy.bound import Judgement, ParityBound, judge, parity_bound
from rropt.privacy.criteria import Criterion
from rropt.privacy.criterion_region import criterion_level
from rropt.privacy.level_arguments import given_criterion


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


def bound(
    criterion: Criterion | None = None,
    *,
    rho: tuple[object, object] | None = None,
    beta: object | None = None,
    upper: str | None = None,
    lower: str | None = None,
    fast: bool = False,
) -> ParityBound:
    """Compute B(h), the largest parity that a criterion allows, as ``rropt privacy --criterion`` does.

    Args:
        criterion: the criterion, as an object.
        rho, beta, upper, lower: the criterion in a form of ``rropt.privacy.level``, instead of ``criterion``.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``bound.twins``).

    Raises:
        InvalidParameterError: not exactly one criterion is given.

    Source: Chai and Nayak (2018), Theorem 3.1.

    >>> print(bound(rho=("1/5", "1/2")).value)
    4
    """
    given = given_criterion(rho=rho, beta=beta, upper=upper, lower=lower)
    asked = [one for one in (criterion, given) if one is not None]
    if len(asked) != 1:
        raise InvalidParameterError(
            "the criterion is not given once: give a criterion, or one of rho, beta and upper (with lower)"
        )
    return parity_bound(asked[0], fast=fast)
