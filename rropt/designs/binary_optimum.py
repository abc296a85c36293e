"""The closed-form optimum of a binary problem, with rational bounds of its level and a certificate."""

from __future__ import annotations

from functools import partial

from rropt.core.certificates import Certificate
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.designs.binary_variance import certify_binary, solve_closed_form
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels


def closed_form_optimum(problem: Problem, *, certify: bool) -> tuple[RationalLevels, Mechanism, Certificate | None]:
    """Return rational levels around the problem's level, the closed-form optimum, and its accepted certificate.

    Args:
        problem: a binary problem that has a closed-form solution.
        certify: whether to write and check a certificate.
    """
    digits = FIRST_BRACKET_DIGITS
    while True:
        levels = problem.region.one_level().bracket(digits)
        found = solve_closed_form(problem, levels)
        if not certify:
            return levels, found.optima[0], None
        made = partial(certify_binary, problem, levels, found)
        certificate = Certificate.attempt(made)
        if not certificate.failure or certificate.is_missing or digits > MAX_BRACKET_DIGITS:
            return levels, found.optima[0], certificate
        digits *= 2  # if the bracket is too wide, its endpoints may leave a tie undecided
