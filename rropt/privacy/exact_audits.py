"""Audits: the exact privacy of a mechanism or a matrix of floats, and tests of a level or a criterion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import (
    clear_calls,
    require_filled,
    require_flags,
    require_given,
)
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Delta
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import (
    audit_of_argument,
    mechanism_of_argument,
    required_mechanism,
    stated_mechanism,
)
from rropt.mechanisms.privacy_findings import Finding, LargeFinding
from rropt.mechanisms.raw_matrices import MatrixAudit, audit
from rropt.privacy.criteria import Criterion
from rropt.privacy.level_arguments import Level, LevelOfPairs, given_level
from rropt.privacy.level_audits import LevelPrivacy, level_privacy
from rropt.privacy.metric_audits import LevelsPrivacy, levels_privacy

if TYPE_CHECKING:
    from rropt.privacy.bound import Judgement


@clear_calls
def audit_privacy(
    mechanism: Any,
    *,
    epsilon: object | None = None,
    delta: object = 0,
    level: Level | str | None = None,
    transposed: bool = False,
    fast: bool = False,
) -> Finding | LargeFinding | Judgement | LevelPrivacy | LevelsPrivacy:
    """Compute the exact privacy of a mechanism, as ``rropt privacy`` does: parity, epsilon, and delta at a level.

    ``delta(epsilon) = max over inputs j, l of sum_i max(0, p_ij - exp(epsilon) p_il)``.

    Args:
        mechanism: a ``Mechanism``, its text form such as ``"warner:3/4"``, the path of a file, or a matrix (m, k) of
            numbers, whose column sums may differ from 1 by rounding errors.
        epsilon: the level to test; by default the mechanism's own level.
        delta: the delta allowed at the level.
        level: instead of epsilon, a level of ``rropt.privacy``: one level, a criterion such as
            ``posterior("1/5", "1/2")``, or another notion such as ``renyi(2, 1)``; or its text form.
        transposed: whether the rows of a matrix or a file are inputs.
        fast: whether to leave out the twins of a ``Judgement``: the comparison with SymPy and CVXPY.

    Returns:
        A ``Finding`` with ``parity``, ``epsilon``, ``delta`` and, at a level, ``meets``. Under a criterion a
        ``Judgement`` with ``meets`` and an explicit breach, whose ``finding`` is the ``Finding`` at the level of the
        criterion. For a mechanism too large for a matrix, a ``LargeFinding``. At a level for each pair a
        ``LevelsPrivacy``, and at any other level a ``LevelPrivacy``.

    Raises:
        InvalidParameterError: more than one level is given.
        FileFormatError, InvalidMechanismError: as ``load_mechanism``.

    >>> found = audit_privacy("warner:3/4", epsilon="log(2)")
    >>> found.meets, str(found.delta)
    (False, '1/4')
    """
    require_flags(transposed=transposed, fast=fast)
    require_filled(delta=delta)
    require_given(epsilon=epsilon)
    given = None if epsilon is None and level is None else given_level(epsilon, delta, level)
    criterion = None if given is None else given.criterion
    if given is not None and criterion is None and not given.is_single:
        made = _made(mechanism, transposed)
        return levels_privacy(made, given.table) if isinstance(given, LevelOfPairs) else level_privacy(made, given)
    tested, asked = (None, None) if given is None or criterion is not None else given.one("tests of a mechanism")
    try:
        read = audit_of_argument if isinstance(mechanism, str) else audit
        found = read(stated_mechanism(mechanism), transposed=transposed)
    except UnsupportedProblemError:  # the matrix is too large to be written out
        if transposed:
            raise
        large = required_mechanism(mechanism)
        if criterion is not None:  # met if the parity is at most B(h), which is the level of the criterion
            from rropt.privacy.criterion_region import criterion_level

            tested, asked = criterion_level(criterion).epsilon_at(large.parity()), Delta.of(0)
        return LargeFinding.at(large, tested, asked)
    return Finding.at(found, tested, asked) if criterion is None else _judged(found, criterion, fast=fast)


def _made(mechanism: Any, transposed: bool) -> Mechanism:
    """Return the exact mechanism of an argument."""
    if isinstance(mechanism, str):
        return mechanism_of_argument(mechanism, transposed=transposed)
    return (
        audit(stated_mechanism(mechanism), transposed=True).normalised if transposed else required_mechanism(mechanism)
    )


def _judged(found: MatrixAudit, criterion: Criterion, *, fast: bool) -> Judgement:
    """Return whether a matrix meets a criterion, with its finding at the level of the criterion."""
    from rropt.privacy.bound import judge  # only a criterion has B(h), and needs FLINT
    from rropt.privacy.criterion_region import criterion_level

    judgement = judge(found.normalised, criterion, fast=True)
    bound = judgement.bound
    level = None if bound.lower is None else criterion_level(bound.criterion, bound).epsilon
    judgement = replace(judgement, finding=Finding.at(found, level, judged=True))
    return judgement if fast else judgement.compared_twice()
