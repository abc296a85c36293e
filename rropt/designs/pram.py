"""Invariant post-randomization (PRAM): the private mechanism that keeps most records and preserves the expected table.

The module solves ``maximize sum_j pi_j p_jj`` over the private mechanisms P with ``P pi = pi`` exactly, with optional
lower bounds on entries and forbidden cells. It is an exact linear program with a certificate. The input is a
distribution of the categories and a privacy level. The output is the mechanism, which ``randomize`` applies to
microdata, and a matrix for the R package sdcMicro.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls, require_flags, require_given, require_lists
from rropt.core.certificates import Certificate
from rropt.core.certificates.linear_program import certify_infeasible, certify_optimal, problem_of
from rropt.core.certificates.record_proofs import proof_of_record, require_value
from rropt.core.errors import CertificateError, FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Delta, decimal_text, rational
from rropt.core.exact.display import distinguishing_decimal
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.linear import Infeasible, LinearProgram, Optimal, Row, solve
from rropt.core.results import Result, labelled
from rropt.core.results.twins import PosedTwice
from rropt.designs.design_programs import DesignProgram, short_levels, write_program
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.objectives import Trace
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.level_arguments import Level, levels
from rropt.privacy.region import RationalLevels, Region
from rropt.privacy.region_files import load_bounds

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

MAX_CATEGORIES = 60
_MAX_EXCESSES = 2000  # variables k k (k - 1) at delta > 0, or rows of levels by pair: k = 12
_WIDTH = Fraction(1, 10**12)  # relative width of gamma - 1 between the short levels around an irrational one
_UNIT = 2**50  # the entries for sdcMicro are multiples of 1/_UNIT
_STRICTER = tuple(Fraction(1, 10**n) for n in (9, 6, 3))  # relative reductions of the level before rounding

Entry = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PramDesign(PosedTwice):
    """An invariant mechanism that keeps the most records at a privacy level.

    Attributes:
        problem: the region with its bounds, and the distribution pi of the categories as the weights of the trace.
        mechanism: the mechanism: exactly private, with ``P pi = pi`` exactly.
        unchanged: the probability that a record keeps its category, ``sum_j pi_j p_jj``.
        upper: the upper bound of that probability over all such mechanisms; equal to ``unchanged`` if the level is
            rational.
        certificate: the certificate of the linear program at a rational level at or just below the given one.
        bound_certificate: the certificate of ``upper`` at a rational level just above, if the level is irrational.
    """

    problem: Problem
    mechanism: Mechanism
    unchanged: Fraction
    upper: Fraction
    certificate: Certificate
    bound_certificate: Certificate | None = None

    LABELS = labelled(unchanged="records unchanged", upper="at most", epsilon="epsilon")

    @property
    def population(self) -> tuple[Fraction, ...]:
        """The distribution pi of the categories."""
        return weights_of(self.problem)

    @property
    def epsilon(self) -> Any:
        """The smallest epsilon at which the mechanism is private."""
        return self.mechanism.epsilon

    def checked(self) -> None:
        """Check that the fields follow from the certificates.

        Raises:
            FileFormatError: a certificate is rejected or belongs to another program, or a field contradicts it.
        """
        region, levels = self.problem.region, _levels(self.problem)
        ends = [(self.certificate, self.unchanged, "below")]
        if self.bound_certificate is not None:
            ends.append((self.bound_certificate, self.upper, "above"))
        for certificate, value, side in ends:
            asked = problem_of(pram_program(self.problem, levels[side]))
            proof_of_record(certificate, asked, "PRAM design")
            require_value(certificate, -value, "PRAM design")
        if not is_invariant(self.mechanism, self.population) or not region.contains(self.mechanism):
            raise FileFormatError("the record of a PRAM design is of another mechanism: not invariant, or not private")
        if self.problem.objective.value(self.mechanism, ()) != self.unchanged or (
            self.bound_certificate is None and (self.upper != self.unchanged or levels["below"] != levels["above"])
        ):
            raise FileFormatError("the record of a PRAM design contradicts its certificate; use it as it was written")

    def lines(self) -> list[tuple[str, str]]:
        """Return the probability of an unchanged record, its distance from the optimum, and the privacy level."""
        gap = decimal_text(self.upper - self.unchanged, 2)
        best = "the maximum" if self.upper == self.unchanged else f"within {gap} of the maximum"
        pairs = zip(self.population, self.mechanism.matrix, strict=True)
        least = min(row[j] for j, (_, row) in enumerate(pairs))
        return [
            ("records unchanged", f"{distinguishing_decimal(self.unchanged, 9)}, {best}"),
            ("smallest probability to stay unchanged", decimal_text(least, 6)),
            ("privacy", str(self.problem.region)),
            ("invariant", "yes: P pi = pi exactly"),
            *self.twin_lines(),
            ("certificate", str(self.certificate.check())),
        ]

    def remarks(self) -> tuple[str, ...]:
        """Return which categories are released as they are, such as one that is alone in its stratum."""
        rows, names = self.mechanism.matrix, self.mechanism.categories or range(self.mechanism.inputs)
        kept = [str(name) for j, name in enumerate(names) if rows[j][j] == 1]
        if not kept:
            return ()
        listed, whose = (
            ", ".join(kept[:10]) + ", ..." * (len(kept) > 10),
            "category" if len(kept) == 1 else "categories",
        )
        return (
            f"no record of {whose} {listed} is changed: it is released as it is, with probability 1; a category that "
            "is alone in its stratum has no other to change to, so join strata if it needs protection",
        )

    def __str__(self) -> str:
        return f"{Result.__str__(self)}\n{self.mechanism}"

    def to_sympy(self) -> Posing:
        """Return the problem of PRAM in SymPy, with its closed form."""
        from rropt.result_twins import pram_posing

        return pram_posing(self)

    def sympy_twin(self) -> Twin:
        """Return the largest probability of an unchanged record that SymPy proves, compared with the result."""
        from rropt.result_twins import pram_twin

        return pram_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the linear program over the entries ``P``; ``gamma`` and ``delta`` are Parameters.

        Raises:
            UnsupportedProblemError: there are too many entries.
        """
        from rropt.convex.designs.pram import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the largest probability of an unchanged record, compared with its proved bounds."""
        from rropt.convex.designs.pram import cvxpy_twin

        return cvxpy_twin(self)


@clear_calls
def design_pram(
    counts: Sequence[object],
    level: Level,
    *,
    bounds: object = None,
    strata: Sequence[object] | None = None,
    fast: bool = False,
) -> PramDesign:
    """Return the invariant private mechanism that maximizes the probability of an unchanged record.

    ``maximize sum_j pi_j p_jj`` subject to ``P pi = pi``, the columns of P sum to 1, and P is private.

    Args:
        counts: the number of records in each category; or pi, k rational numbers > 0 that sum to 1.
        level: the privacy level; forbidden cells need ``delta > 0`` or levels of pairs.
        bounds: ``"LOW..HIGH"`` or a pair for all entries; or bounds of single entries: the name of a file, or an object
            as in its JSON form (``load_bounds``), such as ``{"diagonal": "1/2", "forbidden": [[0, 2]]}``.
        strata: the stratum of each category, if records may change within their stratum only: the level then holds for
            each two categories of one stratum, and all other transitions are forbidden.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``design.twins``).

    Returns:
        The design with an accepted certificate. At an irrational level, the mechanism is optimal at a rational level
        just below, and ``upper`` is proved at a rational level just above.

    Raises:
        InvalidParameterError: a distribution, a level or a bound is out of range.
        InfeasibleDesignError: no mechanism satisfies the bounds; the error contains a certificate.
        UnsupportedProblemError: there are more than 60 categories, or more than 12 with delta > 0 or levels by pair.

    References:
        Gouweleeuw, Kooiman, Willenborg and de Wolf, Post randomization for statistical disclosure control, J. Official
        Statistics 14 (1998): invariant PRAM.

    >>> from rropt.privacy.level_arguments import given_level
    >>> found = design_pram(["1/2", "1/3", "1/6"], given_level("log(3)", 0, None))
    >>> found.unchanged, bool(found.certificate.check())
    (Fraction(3, 5), True)
    """
    require_flags(fast=fast)
    require_lists(strata=strata)
    require_given(bounds=bounds)
    shares = _shares(counts)
    k = len(shares)
    labels = None if strata is None else _labels(strata, k)
    if labels is not None:
        epsilon, delta = level.one("strata")
        if delta != Delta.of(0):
            raise UnsupportedProblemError(
                f"within strata delta is 0: received {shown(str(delta))}; leave it out, or design each stratum by "
                "itself"
            )
        pairs = [[j, other] for j, other in permutations(range(k), 2) if labels[j] == labels[other]]
        level = levels({"epsilon": epsilon, "pairs": pairs})
    problem = Problem.kary(k, level=level, objective=Trace(shares))
    region = problem.region if bounds is None else load_bounds(bounds, problem.region)
    if region.entry_inequalities:
        raise InvalidParameterError(
            f"inequalities in several entries do not belong to PRAM: received {len(region.entry_inequalities)}; give "
            "bounds of single entries"
        )
    if labels is not None:
        region = _within_strata(region, labels)
    design = solve_pram(Problem(region, problem.objective, problem.population))
    return design if fast else design.compared_twice()


def _labels(strata: Sequence[object], categories: int) -> list[str]:
    """Return the stratum of each category.

    Raises:
        InvalidParameterError: there is not one for each category, or no stratum has two categories.
    """
    labels = list(map(str, required_list(strata, "`strata`", "a list with the stratum of each category")))
    if len(labels) != categories or len(set(labels)) == categories:
        raise InvalidParameterError(
            f"`strata` do not fit the categories: received {shown(','.join(labels))} for {categories} categories; give "
            "the stratum of each category, of which at least two share one, such as north,north,south,south"
        )
    return labels


def _within_strata(region: Region, labels: Sequence[str]) -> Region:
    """Return the region without transitions between strata, and with its bounds within them."""
    k = len(labels)
    least, most = getattr(region, "bounds", None) or ([[0] * k for _ in range(k)], [[1] * k for _ in range(k)])
    low, high = (
        [[ends[i][j] if labels[i] == labels[j] else 0 for j in range(k)] for i in range(k)] for ends in (least, most)
    )
    return BoundedRegion(region.unbounded, low, high)


def solve_pram(problem: Problem) -> PramDesign:
    """Return the PRAM design of a problem whose objective is a trace with the distribution pi as its weights.

    Raises:
        InfeasibleDesignError: no mechanism satisfies the bounds.
        UnsupportedProblemError: there are too many categories.
    """
    region, k = problem.region, problem.region.inputs
    dense = region.form != "parity"
    if k > MAX_CATEGORIES or (dense and k * k * (k - 1) > _MAX_EXCESSES):
        most = "12 with delta > 0 or with levels by pair" if dense else str(MAX_CATEGORIES)
        raise UnsupportedProblemError(f"the categories are too many: received {k}; allowed are {most}; merge some")
    levels = _levels(problem)
    value, mechanism, proof = _optimum(problem, levels["below"])
    bound = (value, None) if levels["below"] == levels["above"] else _optimum(problem, levels["above"])[::2]
    if not region.contains(mechanism) or not is_invariant(mechanism, weights_of(problem)):
        raise CertificateError(
            f"the design is not in its region: {region}; this is an internal error, please report it"
        )
    return PramDesign(problem, mechanism, value, bound[0], proof, bound[1])


def pram_program(problem: Problem, levels: RationalLevels) -> LinearProgram:
    """Return the linear program: first the variables p_ij at ``i k + j``; those of the region, then ``P pi = pi``.

    Args:
        problem: as for ``solve_pram``.
        levels: rational levels whose two endpoints are equal.
    """
    region, pi = problem.region, weights_of(problem)
    k = region.inputs
    pairs = () if region.form == "parity" else tuple((j, other) for j in range(k) for other in range(k) if j != other)
    if (levels_of_pairs := region.pair_levels) is not None:
        pairs = tuple((j, other) for j, other in pairs if levels_of_pairs[j][other] is not None)
    written = write_program(DesignProgram.of(problem, levels, "below", pairs)).program
    kept_rows = (Row("kept", tuple(range(i * k, i * k + k)), pi, "=", pi[i]) for i in range(k))
    return LinearProgram("minimise", written.variables, (*written.rows, *kept_rows))  # of minus the trace


def _optimum(problem: Problem, levels: RationalLevels) -> tuple[Fraction, Mechanism, Certificate]:
    program, k = pram_program(problem, levels), problem.region.inputs
    outcome = solve(program)
    if isinstance(outcome, Infeasible):
        raise InfeasibleDesignError(
            "no invariant mechanism meets the bounds at this level: lower the bounds, forbid fewer cells, or raise "
            "epsilon or delta",
            Certificate.attempt(lambda: certify_infeasible(program, outcome)),
        )
    assert isinstance(outcome, Optimal)  # the objective is at least -1
    matrix = [[outcome.primal[i * k + j] for j in range(k)] for i in range(k)]
    certificate = Certificate.attempt(lambda: certify_optimal(program, outcome))
    return -outcome.value, Mechanism(matrix), certificate


def weights_of(problem: Problem) -> tuple[Fraction, ...]:
    """Return the weights pi of the trace.

    Raises:
        FileFormatError: the problem has another objective, or weights that are not a distribution.
    """
    weights: tuple[Fraction, ...] | None = getattr(problem.objective, "weights", None)
    if problem.objective.kind != "trace" or weights is None or sum(weights) != 1 or min(weights) <= 0:
        raise FileFormatError(
            "the problem is not that of a PRAM design: allowed is the trace with a distribution as its weights"
        )
    return weights


def is_invariant(mechanism: Mechanism, population: Sequence[Fraction]) -> bool:
    """Return whether ``P pi = pi`` exactly."""
    return mechanism.apply(population) == tuple(population)


def sdcmicro_matrix(found: PramDesign, names: Sequence[str] | None = None) -> str:
    """Return an R script that defines the matrix ``pram_matrix`` for ``sdcMicro::pram(..., pd = pram_matrix)``.

    sdcMicro requires that the rows are the true categories and sum to 1 within 2^-52. The entries are multiples of
    2^-50, so these sums are exactly 1 in floating point. The mechanism is computed at a level that is stricter by a
    relative 10^-9 or more, so the rounded matrix is exactly private. It is invariant, and satisfies lower bounds, up to
    this rounding.

    Args:
        found: the design.
        names: the names of the categories, as the levels of the factor in R; by default 0, 1, ....

    Raises:
        InvalidParameterError: the names are not k different texts.
        UnsupportedProblemError: no such rounding is private.
    """
    k = found.mechanism.inputs
    labels = [str(i) for i in range(k)] if names is None else [str(name) for name in names]
    if len(labels) != k or len(set(labels)) < k:
        raise InvalidParameterError(
            f"the names do not fit the categories: received {shown(','.join(labels))}; allowed are {k} different ones"
        )
    rows = ",\n".join("    " + ", ".join(str(x) for x in column) for column in rounded_columns(found))
    written = ", ".join(_r_text(name) for name in labels)
    return (
        "# Invariant post-randomization by rropt: rows are true categories, columns are released ones.\n"
        '# sdcMicro::pram(data, variables = "NAME", pd = pram_matrix); the factor has these levels in this order.\n'
        "pram_matrix <- matrix(\n"
        f"  c(\n{rows}\n  ),\n"
        f"  nrow = {k}, byrow = TRUE\n"
        f") / {_UNIT}\n"
        f"rownames(pram_matrix) <- colnames(pram_matrix) <- c({written})\n"
    )


def rounded_columns(found: PramDesign) -> list[list[int]]:
    """Return the columns of a private mechanism near the design, in multiples of 2^-50 that sum to 1 exactly.

    The design of a slightly stricter level is rounded down. The remainder of each column is added to the entry of the
    most frequent category, or to the diagonal entry if that cell is forbidden.

    Raises:
        UnsupportedProblemError: no attempted rounding is private.
    """
    problem, pi = found.problem, found.population
    inner, bounds = problem.region.unbounded, problem.region.bounds
    largest = pi.index(max(pi))
    for less in _STRICTER:
        levels = _stricter(problem, less)
        outcome = solve(pram_program(problem, levels))
        if not isinstance(outcome, Optimal):
            continue
        k, columns = len(pi), []
        for j in range(k):
            column = [int(outcome.primal[i * k + j] * _UNIT) for i in range(k)]
            column[largest if bounds is None or bounds[1][largest][j] else j] += _UNIT - sum(column)
            columns.append(column)
        if inner.contains(Mechanism([[Fraction(column[i], _UNIT) for column in columns] for i in range(k)])):
            return columns
    raise UnsupportedProblemError(
        "no multiples of 2^-50 near the design are private: take the exact mechanism, and apply it by `rropt randomize`"
    )


def _levels(problem: Problem) -> Mapping[str, RationalLevels]:
    """Return short rational levels at or just below, and at or just above, the level of a problem."""
    levels = problem.region.bracket(FIRST_BRACKET_DIGITS)
    return {"below": short_levels(levels, _WIDTH, "below"), "above": short_levels(levels, _WIDTH)}


def _stricter(problem: Problem, less: Fraction) -> RationalLevels:
    """Return a level with gamma - 1 and delta reduced by a factor."""
    below, part = _levels(problem)["below"], 1 - less
    return below.raised(lambda _, high: 1 + (high - 1) * part, lambda _, high: high * part)


def _shares(counts: Sequence[object]) -> tuple[Fraction, ...]:
    """Check the counts, or the distribution pi, and return pi."""
    given = required_list(counts, "`counts`", "a list of numbers of records, or of their proportions")
    exact = [rational(x, name=f"counts[{j}]") for j, x in enumerate(given)]
    if empty := [j for j, n in enumerate(exact) if n == 0]:
        kept = ",".join(str(n) for n, share in zip(given, exact, strict=True) if share)
        which = f"category {empty[0]}" if len(empty) == 1 else f"categories {', '.join(map(str, empty))}"
        raise InvalidParameterError(
            f"`counts` contain 0: received no records of {which}; leave {'it' if len(empty) == 1 else 'them'} out, "
            f"as in {kept}: an invariant private mechanism releases no record as a category without records"
        )
    total = sum(exact)
    are_counts = all(n.denominator == 1 and 0 < n <= 10**15 for n in exact)
    if len(exact) < 2 or not (are_counts or (min(exact) > 0 and total == 1)):
        raise InvalidParameterError(
            f"`counts` are neither numbers of records nor a distribution: received {shown(','.join(map(str, given)))}; "
            "allowed are two or more integers from 1 to 10^15, or numbers above 0 that sum to 1, such as 1/3; leave "
            "out categories without records"
        )
    return tuple(n / total for n in exact)


def _r_text(name: str) -> str:
    """Return a string literal of R: ASCII, with all other characters as codes."""
    inner = "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{{{ord(c):x}}}" for c in name)
    return f'"{inner}"'
