"""Designs for k equally frequent categories at one level, beside the certified optimum: precision and costs.

A design has two estimators of the k proportions. *Its own* is the unbiased linear one of its source: of a design whose
responses are sets of categories, it counts the sets that contain each category. *Maximum likelihood* has, for many
respondents, the least variance that any unbiased estimator of the same responses can have: the inverse of the Fisher
information M. n times the sums of the variances are

    own                  (k m (1 - m) + (p - m)(1 - 2 m))/(p - m)^2 - 1/k    (``mechanisms.families.memberships``)
    maximum likelihood   tr M^-1 - 1/k

with p the probability that a response contains the true category, and m that of another one. The two are equal if all
responses contain equally many categories, as in k-ary randomized response and subset selection. No private mechanism
has a smaller sum than the optimum (Ye and Barg 2018 for large n; the certificate proves it for every level).

Parameters are rational and rounded towards privacy, as in ``grr:12,epsilon=3/2``: both sums are the exact ones of the
mechanism that is named.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Epsilon, as_text, both_texts, decimal_text
from rropt.core.exact.display import decimal_outwards
from rropt.core.exact.numbers import whole_where
from rropt.core.results import Result, Table, labelled
from rropt.core.results.result_frames import row_with
from rropt.core.results.sequences import SequenceOf
from rropt.core.visible import size_text
from rropt.designs import optimal_subsets
from rropt.inference import efficient_variances
from rropt.mechanisms import DESIGNS, Mechanism
from rropt.mechanisms.families import (
    Affine,
    AllSubsets,
    BitVectorMechanism,
    BlockMechanism,
    Direct,
    MembershipMechanism,
    next_prime,
    uniform_bound,
)
from rropt.plans import asked_variance
from rropt_fieldwork.clients.exporting import LANGUAGES, export

_MOST_CATEGORIES = 10**5
_MOST_INVERTED = 100  # categories up to which an information matrix is inverted exactly: a second
_MOST_ENTRIES = 2 * 10**6  # of a matrix whose information is computed
_MOST_BITS = 300  # categories up to which the information of bit vectors is summed exactly
_DIGITS = 15  # of gamma - 1, as the names of designs at a level have
_SHORT = 9  # length up to which the table shows an exact number
_MOST_GAMMA = 10**12  # as the named designs have it
_FIELDS = 4  # primes that are tried for an affine design


@dataclass(frozen=True, slots=True)
class KaryDesign(Result):
    """One design for k categories at the level of a comparison.

    Attributes:
        design: the name at the level, such as ``subset:12,2,epsilon=3/2``, which commands and functions read;
            ``optimum`` for the certified one.
        mechanism: the mechanism.
        own: n times the sum of the variances by its own estimator.
        efficient: the same by maximum likelihood; ``None`` where it is not computed.
        efficiency: the lower bound of the optimum divided by ``efficient``, else by ``own``.
        bits: the length of a report.
        client: the size in bytes of the client in the language of the comparison; ``None`` if there is none.
        needed: the least number of respondents that reaches the goal for each proportion by the own estimator;
            ``None`` without a goal.
        needed_efficient: the same by maximum likelihood.
    """

    design: str
    mechanism: Mechanism
    own: Fraction
    efficient: Fraction | None
    efficiency: Fraction
    bits: int
    client: int | None
    needed: int | None
    needed_efficient: int | None

    LABELS = labelled(
        design="design",
        own="n tr Cov, own estimator",
        efficient="n tr Cov, maximum likelihood",
        efficiency="efficiency",
        bits="bits of a report",
        client="client in bytes",
        needed="respondents, own estimator",
        needed_efficient="respondents, maximum likelihood",
    )

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row: both sums of variances, the efficiency, the costs, and the respondents."""
        names = [each.name for each in fields(self) if each.name != "mechanism"]
        return [row_with(**{name: getattr(self, name) for name in names})]

    def row(self) -> tuple[str, ...]:
        """Return the design as a row of a table."""
        counts = (self.bits, self.client, self.needed, self.needed_efficient)
        name = self.design.partition(",epsilon=")[0]
        told = (_number(self.own), "" if self.efficient is None else _number(self.efficient))
        return (name, *told, _number(self.efficiency, 5), *("" if x is None else size_text(x) for x in counts))


def _number(value: Fraction, digits: int = 8) -> str:
    """Return a number of the table: exact if that is short, else marked as rounded."""
    text = as_text(value)
    return text if len(text) <= _SHORT else f"~{decimal_text(value, digits)}"


def _bound_text(value: Fraction) -> str:
    text = _number(value)
    return f"~{decimal_outwards(value, up=False, digits=12)}" if text.startswith("~") else text


@dataclass(frozen=True, slots=True, repr=False)  # results print as ``Result`` says
class KaryComparisonAsked:
    """The question of ``compare_kary_designs``.

    Attributes:
        categories: k.
        epsilon: the level.
        goal: the variance of each proportion for which respondents are computed, or ``None``.
        language: the language of the clients.
    """

    categories: int
    epsilon: Epsilon
    goal: Fraction | None
    language: str


@dataclass(frozen=True, slots=True)
class KaryComparison(KaryComparisonAsked, Result, SequenceOf):
    """Designs for k equally frequent categories at one level, with the certified optimum.

    Attributes:
        gamma: the rational bound of the likelihood ratio of every response, at most exp(epsilon).
        designs: one ``KaryDesign`` for each design; the first one is the optimum.
        bound: the certified lower bound of n times the sum of the variances, over all mechanisms at the level.
        certificate: the accepted certificate of the optimum.
        The other attributes are those of ``KaryComparisonAsked``.
    """

    gamma: Fraction
    designs: tuple[KaryDesign, ...]
    bound: Fraction
    certificate: Certificate

    ITEMS = "designs"
    KEY = "design"
    ANSWER = ("categories", "epsilon", "bound")

    @classmethod
    def recompute(cls, asked: KaryComparisonAsked) -> KaryComparison:
        """Compare the designs again, from the question of a record."""
        return _comparison(asked)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each design."""
        return [row for design in self.designs for row in design.frame_rows()]

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary: the level, the goal, each design, and the bound."""
        found = [("level", f"epsilon = {self.epsilon}"), ("categories", f"{self.categories}, equal proportions")]
        if self.goal is not None:
            found.append(("goal, variance of each proportion", both_texts(self.goal)))
        _, header, rows = self.as_tables()[0]
        assert header is not None
        for name, *cells in rows:
            said = (f"{title} {cell}" for title, cell in zip(header[1:], cells, strict=True) if cell)
            found.append((name, "; ".join(said)))
        return found

    def as_tables(self) -> list[Table]:
        """Return a table of the designs; the last row is the bound."""
        header = ("design", "own", "ML", "efficiency", "bits", "client", "n own", "n ML")
        rows = [design.row() for design in self.designs]
        columns = len(header) if self.goal is not None else -2
        title = f"n tr Cov of designs for {self.categories} equally frequent categories at epsilon = {self.epsilon}"
        return [(title, header[:columns], [row[:columns] for row in rows])]

    @property
    def is_exact(self) -> bool:
        """Whether the optimum is an exact number: the level has a rational gamma, and the bounds agree."""
        return self.bound == self.designs[0].own

    def remarks(self) -> list[str]:
        """Return what the columns are."""
        named = self.designs[1].design
        told = [
            f"no mechanism at the level has n tr Cov below {_bound_text(self.bound)}: the certificate proves it",
            "own: by the unbiased linear estimator of the design; ML: by maximum likelihood, for many respondents",
            f"client: bytes of `rropt export` in {self.language}; commands read the names with the level, {named}",
        ]
        if any(design.client is None for design in self.designs):
            told.append("no client: the probabilities have too many digits; write the level as log of a fraction")
        if any(design.efficient is None for design in self.designs):
            told.append("no ML: the information matrix is too large to be inverted exactly")
        if self.goal is not None:
            told.append("n: respondents for the goal at each category; of a margin by the normal interval")
        return told


def compare_kary_designs(
    categories: int,
    *,
    epsilon: object,
    variance: object | None = None,
    standard_error: object | None = None,
    margin: object | None = None,
    confidence: object | None = None,
    language: str = "javascript",
) -> KaryComparison:
    """Compare designs for k equally frequent categories at one level, as ``rropt cost -k K`` does.

    The designs are the certified optimum (A-optimal), k-ary randomized response (GRR), subset selection, symmetric and
    optimized unary encoding (SUE, OUE), optimized local hashing (OLH), Hadamard response, projective geometry response
    (PGR), and the affine design with the smallest sum of variances.

    Args:
        categories: k, 2 to 10^5.
        epsilon: the level, above 0 and at most log(10^12); exact.
        variance, standard_error, margin: the goal for each proportion, for which respondents are computed; give at most
            one of them. A margin is the half-width of the normal interval.
        confidence: the confidence of that interval, by default 0.95.
        language: the language of the clients whose size is stated: ``"c"``, ``"javascript"`` or ``"python"``.

    Raises:
        InvalidParameterError: a parameter is outside its domain.

    >>> found = compare_kary_designs(12, epsilon="3/2")
    >>> [(one.design.partition(":")[0], round(float(one.efficient), 3)) for one in found[:4]]
    [('optimum', 14.956), ('grr', 18.125), ('subset', 14.956), ('sue', 18.838)]
    >>> round(float(found["oue:12,epsilon=3/2"].own), 3), found["oue:12,epsilon=3/2"].bits
    (19.663, 12)
    """
    k = whole_where(categories, 2, _MOST_CATEGORIES, name="categories")
    if language not in LANGUAGES:
        raise InvalidParameterError(
            f"there is no client in this language: received {shown(language)}; allowed are {', '.join(LANGUAGES)}"
        )
    level = Epsilon.of(epsilon)
    if not Fraction(0) < level <= Epsilon.of_gamma(_MOST_GAMMA):
        raise InvalidParameterError(
            f"epsilon is out of range: received {shown(str(level))}; allowed is 0 < epsilon <= log(10^12), about 27.6"
        )
    goal = asked_variance(variance, standard_error, margin, confidence)
    return _comparison(KaryComparisonAsked(k, level, goal, language))


def _comparison(asked: KaryComparisonAsked) -> KaryComparison:
    k, epsilon = asked.categories, asked.epsilon
    best, certificate = optimal_subsets(k, epsilon)
    assert isinstance(best.mechanism, BlockMechanism)  # subset selection is
    gamma = epsilon.gamma_bracket(_DIGITS).lower
    named = {"optimum": best.mechanism, **_named(k, gamma, epsilon)}
    own = {each.name: getattr(asked, each.name) for each in fields(asked)}
    return KaryComparison(
        **own,
        gamma=gamma,
        designs=tuple(_row(name, mechanism, best.lower, asked) for name, mechanism in named.items()),
        bound=best.lower,
        certificate=certificate,
    )


def _named(k: int, gamma: Fraction, epsilon: Epsilon) -> dict[str, MembershipMechanism]:
    """Return the designs of the literature at a level, by the names that commands read."""
    size = uniform_bound(k, gamma)[1]
    field = _best_affine(k, gamma)
    made: dict[str, MembershipMechanism] = {
        f"grr:{k}": BlockMechanism(Direct(k), gamma),
        f"subset:{k},{size}": BlockMechanism(AllSubsets(k, size), gamma),
        f"sue:{k}": _symmetric(k, epsilon),
        **{f"{name}:{k}": _memberships(name, k, gamma) for name in ("oue", "olh", "hadamard", "pgr")},
        f"affine:{k},{field.q},{field.size}": BlockMechanism(field, gamma),
    }
    return {f"{name},epsilon={epsilon}": mechanism for name, mechanism in made.items()}


def _memberships(name: str, k: int, gamma: Fraction) -> MembershipMechanism:
    made = DESIGNS[name](k, gamma)
    assert isinstance(made, MembershipMechanism)
    return made


def _symmetric(k: int, epsilon: Epsilon) -> BitVectorMechanism:
    """Return symmetric unary encoding: each of the two bits that differ has half the level."""
    root = (epsilon * Fraction(1, 2)).gamma_bracket(_DIGITS).lower
    return BitVectorMechanism(k, root / (root + 1), 1 / (root + 1))


def _best_affine(k: int, gamma: Fraction) -> Affine:
    """Return the affine design of one dimension with the smallest sum of variances, among the next primes from k on."""
    found, q = [], k - 1
    for _ in range(_FIELDS):
        q = next_prime(q + 1)
        near = int(q / (gamma + 1))
        found += [Affine(k, q, s) for s in {min(max(near + x, 1), q - 1) for x in (0, 1)}]
    return min(found, key=lambda design: BlockMechanism(design, gamma).total_variance())


def _row(name: str, mechanism: MembershipMechanism, best: Fraction, asked: KaryComparisonAsked) -> KaryDesign:
    """Return the row of a design, beside the least n times the sum of the variances at the level."""
    k, goal, own = asked.categories, asked.goal, mechanism.total_variance()
    efficient, worst = _efficient(mechanism)
    needed, least = (None if x is None or goal is None else ceil(x / goal) for x in (own / k, worst))
    try:
        client = len(export(mechanism, asked.language).source.encode())
    except UnsupportedProblemError:
        client = None
    ratio = best / (own if efficient is None else efficient)
    return KaryDesign(name, mechanism, own, efficient, ratio, mechanism.output_bits, client, needed, least)


def _efficient(mechanism: MembershipMechanism) -> tuple[Fraction | None, Fraction | None]:
    """Return n times the sum and the largest of the variances by maximum likelihood; ``None`` if it takes too long."""
    k = mechanism.inputs
    if mechanism.is_efficient:
        total = mechanism.total_variance()
        return total, total / k
    if isinstance(mechanism, BitVectorMechanism):
        if k > _MOST_BITS:
            return None, None
        total = mechanism.efficient_variance()
        return total, total / k
    is_inverted = k <= _MOST_INVERTED and k * mechanism.outputs <= _MOST_ENTRIES
    own = efficient_variances(mechanism, (Fraction(1, k),) * k) if is_inverted else None
    return (None, None) if own is None else (sum(own, Fraction(0)), max(own))
