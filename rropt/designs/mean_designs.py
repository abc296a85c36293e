"""Randomized response for numbers: the best unbiased reports of a number, for the estimate of a mean.

A respondent has a number x and reports a number z with ``E[z | x] = x``. The mean of the reports estimates the mean of
the numbers, and a report adds the conditional variance ``V(x) = Var(z | x)`` to the variance of the number itself.

* Without proportions the design minimizes the largest V(x): a promise that holds whatever the numbers are
  (``objectives/conditional_variance.py``).
* With proportions pi it minimizes the mean ``sum_j pi_j V(x_j)``, which is the value of the c-optimal design of the
  contrast x less the variance of x.
* For a range [L, H] the design is that of k equally spaced numbers. A respondent rounds x to one of the two neighbours
  at random without bias, which keeps the report private and unbiased: with ``x = (1 - t) x_j + t x_(j+1)`` and the step
  h, ``V(x) = (1 - t) V_j + t V_(j+1) + t (1 - t) h^2``, a concave quadratic in t. A mechanism for the range is one for
  the k numbers, so that the lower bound of these holds for the range.

*For comparison.* With ``A = (gamma + 1)/(gamma - 1)`` and the half range s: the mechanism of Duchi, Jordan and
Wainwright (2018) reports ``c + s A`` or ``c - s A`` and has ``V(x) = s^2 A^2 - (x - c)^2``. *Threshold cards*: a card
between two neighbouring numbers is drawn in proportion to their distance, the respondent answers "is your number above
the card?" by Warner's device with ``p = gamma/(gamma + 1)``, and the report is the card plus or minus s A.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, log, sqrt, tanh
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, RouteDisagreementError, RroptError, shown
from rropt.core.exact import Bracket, Delta, Epsilon, both_texts, decimal_text, rational, rational_where
from rropt.core.exact.display import bracket_text, decimal_outwards
from rropt.core.exact.numbers import dot, exact_confidence
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.results import Table, merged_records, record_of, unverified_lines
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import with_noun
from rropt.designs.known_reports import direct_reports, threshold_cards
from rropt.designs.number_designs import MOST_VALUES, proved_values
from rropt.designs.problem import Problem
from rropt.designs.solution import Solution, found_lines
from rropt.designs.solving import solve
from rropt.designs.writers.bracket_writer import efficient_estimator
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population, required_list
from rropt.mechanisms.displays import decimal_rows
from rropt.objectives import ConditionalVariance, Contrast
from rropt.privacy import PrivacyRegion

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.posing import Form, Posing

_POINTS = (9, 17, 33, 65)  # numbers of a range, in turn, until rounding costs at most 1 % of V
_ENOUGH = Fraction(1, 100)
_MOST_POINTS = 101
_HYBRID = 0.61  # epsilon from which the hybrid mechanism mixes
_FIRST_FORM = "((H - L)/2)^2 (A coth(1/A) - 1) with A = (gamma + 1)/(gamma - 1)"
_SECOND_FORM = (
    "((H - L)/2)^2 ((1 + gamma (gamma + 2) s)/(gamma - 1) - 1) with s = 1/(gamma - (gamma + 1)/2 log(1 + 2/gamma))"
)
_CLOSED_FORM = 1e-8  # relative error of the closed form at small levels, where 1 is subtracted from a number near 1
_MOST_REPORTS = 24  # reports in the table; the file of the mechanism has all of them
_MOST_COMPARED = 20  # numbers whose designs for other criteria are solved for a comparison: a second for 20
_TABLE_DIGITS = 4  # of the probabilities in it; they are private, but a mean of them is not the number
_MOST_COLUMNS = 7  # numbers whose probabilities stand in the table of the reports
_MARGIN = Fraction(1, 20)  # of the range: the margin of error for which n is printed unless another one is given
_CONFIDENCE = Fraction(19, 20)


@dataclass(frozen=True, slots=True)
class MeanDesign(PosedTwice):
    """A certified design of reports of a number.

    Attributes:
        solution: the solved problem: the largest conditional variance, or c-optimality at given proportions.
        margin: the margin of error of the estimated mean for which ``n`` is planned.
        is_range: whether the numbers are a range, of which those of the problem are equally spaced points.
        unverified: for a design read from a file, the keys that the certificate does not prove.
    """

    solution: Solution
    margin: Fraction
    is_range: bool = False
    unverified: tuple[str, ...] = field(default=(), compare=False)
    bound_certificate: ClassVar[None] = None

    @classmethod
    def from_proof(
        cls,
        problem: Problem,
        certificate: Certificate,
        margin: Fraction,
        is_range: bool,
        routes: Mapping[str, Bracket] | None = None,
        skipped: Mapping[str, str] | None = None,
    ) -> MeanDesign:
        """Read a record: return the design that its certificate proves, without solving.

        Raises:
            FileFormatError: the checker rejects the certificate, or it belongs to another problem.
        """
        solution = Solution.from_proof(problem, certificate, routes, skipped)
        return cls(solution, margin, is_range, solution.unverified)

    @property
    def problem(self) -> Problem:
        """The solved problem."""
        return self.solution.problem

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the solved problem."""
        return self.solution.certificate

    @property
    def is_closed(self) -> bool:
        """Whether the design of the problem's numbers counts as optimal."""
        return self.solution.is_closed

    @property
    def inputs(self) -> tuple[Fraction, ...]:
        """The numbers, ascending for a range."""
        (x,) = self.problem.objective.contrast_rows(self.problem.region.inputs) or ((),)
        return x

    @property
    def proportions(self) -> tuple[Fraction, ...] | None:
        """The proportions of the numbers at which the mean variance is minimized; None for the largest variance."""
        return None if self.problem.objective.is_worst_variance else tuple(self.problem.population)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism, with the numbers of its inputs and outputs."""
        made = _valued(self.solution)
        return made.valued(made.input_values, made.output_values, rounds=True) if self.is_range else made

    @property
    def optima(self) -> tuple[Mechanism]:
        """The mechanism, in a tuple."""
        return (self.mechanism,)

    @property
    def variances(self) -> tuple[Fraction, ...]:
        """V_j, the variance of a report given each number."""
        return conditional_variances(self.mechanism)

    @property
    def constant(self) -> Fraction:
        """What the value of the problem contains beside V: the variance of the numbers at the proportions, or 0."""
        return Fraction(0) if self.proportions is None else _variance(self.inputs, self.proportions)

    @property
    def lower(self) -> Fraction:
        """A lower bound of the least V: of the largest conditional variance, or of its mean at the proportions."""
        return self.solution.lower - self.constant

    @property
    def upper(self) -> Fraction:
        """V of the mechanism; of a range, over all of its numbers."""
        return rounded_variance(self.inputs, self.variances) if self.is_range else self.solution.upper - self.constant

    @property
    def value(self) -> Fraction:
        """V of the mechanism."""
        return self.upper

    @property
    def reach(self) -> Fraction:
        """The range of the numbers, ``max x - min x``."""
        return max(self.inputs) - min(self.inputs)

    @property
    def total_variance(self) -> Fraction:
        """The variance of one report, with that of the number itself: at the proportions, else the largest possible."""
        return self.upper + (self.constant if self.proportions is not None else self.reach**2 / 4)

    @property
    def n(self) -> int:
        """The number of respondents for which the margin of error is at most ``margin``, at 95 % confidence."""
        return respondents(self.total_variance, self.margin)

    @property
    def duchi(self) -> Fraction:
        """V of the mechanism of Duchi, Jordan and Wainwright at the same level."""
        middle, gamma = (min(self.inputs) + max(self.inputs)) / 2, _gamma_below(self.problem)
        spread = (self.reach / 2 * (gamma + 1) / (gamma - 1)) ** 2
        return self._summed([spread - (x - middle) ** 2 for x in self.inputs])

    @property
    def cards(self) -> Fraction:
        """V of threshold cards at the same level; of a range ``s^2 (A^2 - 2/3)``, with a uniform threshold."""
        if self.is_range:
            gamma = _gamma_below(self.problem)
            return (self.reach / 2) ** 2 * (((gamma + 1) / (gamma - 1)) ** 2 - Fraction(2, 3))
        return self._summed(conditional_variances(threshold_cards(self.inputs, _gamma_below(self.problem))))

    def _literature(self) -> list[tuple[str, float]]:
        """Return the largest V over a range of the mechanisms of the literature that report any number."""
        if not self.is_range:
            return []
        squared, gamma = float(self.reach / 2) ** 2, float(_gamma_below(self.problem))
        return [(name, squared * value) for name, value in literature_variances(gamma).items()]

    def _saving(self) -> list[tuple[str, str]]:
        """Return a line on how much smaller V is than the smallest one of the literature; empty without a range."""
        others = [*self._literature(), ("Duchi, Jordan and Wainwright", float(self.duchi))]
        if not self.is_range:
            return []
        change = 100 * (float(self.upper) / min(value for _, value in others) - 1)
        told = f"{abs(change):.1f} % {'smaller' if change < 0 else 'larger: give more points'}"
        return [("this V, compared with the smallest of the literature", told)]

    def _summed(self, variances: Sequence[Fraction]) -> Fraction:
        """Return the largest conditional variance over the numbers, or their mean."""
        if self.proportions is not None:
            return dot(self.proportions, variances)
        return rounded_variance(self.inputs, variances) if self.is_range else max(variances)

    @property
    def bracket(self) -> Bracket:
        """The bounds of the least V."""
        return Bracket(self.lower, self.upper)

    @property
    def gap(self) -> Fraction:
        """``upper - lower``."""
        return self.upper - self.lower

    def bracketed(self) -> tuple[str, Bracket, Certificate | None]:
        """Return the name of the bounded quantity, its bounds, and the certificate."""
        return "least added variance V", self.bracket, self.certificate

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt design mean --json``; exact numbers are strings."""
        names: tuple[str, ...] = (
            "value",
            "lower",
            "upper",
            "mechanism",
            "optima",
            "inputs",
            "proportions",
            "variances",
        )
        names += ("total_variance", "margin", "is_range", "n", "duchi", "cards")
        return merged_records(self.solution.to_dict(), record_of({name: getattr(self, name) for name in names}))

    def as_tables(self) -> list[Table]:
        """Return what was found, and the reports with their probabilities."""
        tables: list[Table] = [("", None, found_lines(self.lines()))]
        if self.mechanism.outputs <= _MOST_REPORTS:
            tables.append(self._reports())
        if self.proportions is not None and len(self.inputs) <= _MOST_COMPARED:
            try:
                tables.append(self._comparison())
            except RouteDisagreementError:
                raise
            except RroptError:  # another criterion may fail at an extreme level: then there is no comparison
                return tables
        return tables

    def _comparison(self) -> Table:
        """Return the table of n times the variance of the mean."""
        compared = self.compared()
        least = min(compared.values())
        rows = [(name, decimal_text(v, 5), decimal_text(v / least, 4)) for name, v in compared.items()]
        header = ("reports", "n Var", "respondents relative to the least")
        return "n times the variance of the mean at these proportions", header, rows

    def compared(self) -> dict[str, Fraction]:
        """Return n times the variance of the estimated mean at the proportions, for other reports at the same level.

        They are k-ary randomized response, the mechanism of Duchi, Jordan and Wainwright, threshold cards, the design
        of the least largest V (also as V plus the variance of the numbers, a bound for any design with this V), that of
        equal proportions, and this design. Without proportions there are none.

        >>> shares = ["1/10", "2/10", "4/10", "2/10", "1/10"]
        >>> found = design_mean(1, values=[1, 2, 3, 4, 5], proportions=shares, fast=True)
        >>> [round(float(v), 2) for v in found.compared().values()]
        [27.45, 18.73, 17.18, 17.12, 17.12, 16.59, 16.5]
        """
        if self.proportions is None:
            return {}
        epsilon, x, pi = self.problem.region.one_level().epsilon, self.inputs, self.proportions
        gamma, k = _gamma_below(self.problem), len(x)
        others = {"k-ary randomized response": direct_reports(x, gamma)}
        others["threshold cards"] = threshold_cards(x, gamma)
        worst = design_mean(epsilon, values=x, fast=True)
        others["design of the least largest V"] = worst.mechanism
        even = [Fraction(1, k)] * k
        others["design of equal proportions"] = design_mean(epsilon, values=x, proportions=even, fast=True).mechanism
        added = {name: dot(pi, conditional_variances(made)) for name, made in others.items()}
        krr, cards, least, *rest = added.items()
        promise = ("a design of the least largest V, at most", worst.value)
        listed = [krr, ("Duchi, Jordan and Wainwright", self.duchi), cards, least, promise, *rest]
        return {name: value + self.constant for name, value in [*listed, ("this design", self.value)]}

    def _reports(self) -> Table:
        """Return the table of the reports: the value, and its probability for each number."""
        mechanism, listed = self.mechanism, self._listed
        header = ("report z", *(f"of {mechanism.categories[j]}" for j in listed))
        texts = self._texts(mechanism)
        rows = [(text, *row) for text, row in zip(mechanism.responses, texts, strict=True)]
        more = "" if len(listed) == len(self.inputs) else f" (of {len(listed)} of the {len(self.inputs)} numbers)"
        return f"Reports and their probabilities{more}", header, rows

    @property
    def _listed(self) -> range:
        """The numbers with a column in the table of the reports."""
        k = len(self.inputs)
        return range(0, k, ceil((k - 1) / (_MOST_COLUMNS - 1)) if k > _MOST_COLUMNS else 1)

    def _texts(self, mechanism: Mechanism) -> list[list[str]]:
        return decimal_rows(tuple(tuple(row[j] for j in self._listed) for row in mechanism.matrix), _TABLE_DIGITS)

    def _rounding(self) -> list[tuple[str, str]]:
        """Return a line on the bias of a report that is drawn from the decimals of the table; empty without one."""
        mechanism = self.mechanism
        if len(mechanism.matrix) > _MOST_REPORTS:
            return []
        columns = zip(*self._texts(mechanism), strict=True)
        means = [dot(map(Fraction, column), mechanism.output_values) for column in columns]
        bias = max(abs(mean - mechanism.input_values[j]) for mean, j in zip(means, self._listed, strict=True))
        if not bias:
            return []
        most = decimal_outwards(bias, up=True, digits=2)
        told = f"rounded: reports drawn from them have a bias of up to {most}; the exact numbers are in the JSON"
        return [("probabilities in the table", told)]

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        what = "largest variance added by a report" if self.proportions is None else "mean variance added by a report"
        meaning = "whatever the numbers are" if self.proportions is None else "at these proportions"
        confidence = NormalDist().inv_cdf(float(1 + _CONFIDENCE) / 2)
        own = [line for line in self.solution.lines() if line[0] != self.problem.objective.title]
        unverified = unverified_lines(self.solution)
        more = []
        if self.is_range:
            cost = decimal_text((self.reach / (len(self.inputs) - 1)) ** 2 / 4, 3)
            told = f"to {len(self.inputs)} numbers, at random, without bias; it adds at most {cost} to V"
            more = [("rounding", told)]
            if (known := range_optimum(float(_gamma_below(self.problem)))) is not None:
                value, name = known
                more.append(("V of the continuum", f"{decimal_text(value * float(self.reach / 2) ** 2, 9)}, {name}"))
                if self.solution.kept_twins is not None:  # not with `fast`
                    form: Any = self.range_form()  # a range with a known optimum has one
                    derived = decimal_text(float(form.at()), 9)
                    more.append(("V of the continuum, derived with SymPy", f"{derived}, inside the bounds"))
            else:
                least = range_lower_bound(float(_gamma_below(self.problem))) * float(self.reach / 2) ** 2
                more.append(("V of the continuum", f"at least {decimal_text(least, 9)}, {_SECOND_FORM}"))
        z = self.mechanism.responses
        all_of_them = "; --output FILE writes all of them" if len(z) > _MOST_REPORTS else ""
        more += [("reports", f"{len(z)} numbers from {z[0]} to {z[-1]}{all_of_them}"), *self._rounding()]
        return [
            own[0],
            (f"{what}, V", both_texts(self.value)),
            ("least V of all mechanisms", bracket_text(self.lower, self.upper, minimising=True)),
            ("what it means", f"n reports add V/n to the variance of the mean, {meaning}"),
            *more,
            (
                f"n for a margin of error of {decimal_text(self.margin, 6)}",
                f"{self.n} (95 %; {decimal_text(confidence, 3)}^2 ({decimal_text(self.total_variance, 5)})/margin^2)",
            ),
            ("V of Duchi, Jordan and Wainwright", decimal_text(self.duchi, 7)),
            ("V of threshold cards", decimal_text(self.cards, 7)),
            *((f"V of {name}", decimal_text(value, 7)) for name, value in self._literature()),
            *self._saving(),
            *(line for line in own[1:] if line not in unverified),
            *unverified,
        ]

    def matrices(self) -> Mapping[str, Mechanism]:
        """Return no matrix: the table of the reports has it."""
        return {}

    def remarks(self) -> tuple[str, ...]:
        """Return the warnings about the design."""
        if not self.is_range:
            return ()
        width = self.gap / self.upper
        return () if width <= _ENOUGH else (f"the bracket is {decimal_text(100 * width, 2)} % wide: give more points",)

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.lines())
        return "\n".join(f"{what.ljust(width)}  {value}" for what, value in self.lines())

    def __repr__(self) -> str:
        return f"<MeanDesign V={decimal_text(self.value)} of {len(self.inputs)} numbers>"

    def derivation(self) -> Derivation:
        """Return the proof of a design of reports of a number: of a range its closed form, and the problem of the
        grid.

        Raises:
            RouteDisagreementError: a proof contradicts the design.
        """
        from rropt.twins import mean_derivation

        return mean_derivation(self)

    def range_form(self) -> Form | None:
        """Return the closed form of the least largest variance over the range of a design; None if there is none."""
        from rropt.symbolic.designs.mean_designs import range_form

        return range_form(self)

    def cvxpy_twin(self) -> Twin:
        """Return the twin of the problem of the listed numbers."""
        from rropt.convex.designs.mean_designs import cvxpy_twin

        return cvxpy_twin(self)

    def sympy_twin(self) -> Twin:
        """Return the twin of the problem of the listed numbers, after the definition of V and the form of the range.

        Raises:
            RouteDisagreementError: the mechanism does not have the V that is claimed, or the form is outside the
                bounds.
        """
        from rropt.symbolic.designs.mean_designs import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the program of the listed numbers; its value is V. Of a range it is a lower bound, for the grid
        alone.

        Raises:
            UnsupportedProblemError: there are too many numbers.
        """
        from rropt.convex.designs.mean_designs import to_cvxpy

        return to_cvxpy(self)

    def to_sympy(self) -> Posing:
        """Return the problem of the listed numbers: of a range, those of its grid."""
        from rropt.symbolic.designs.mean_designs import to_sympy

        return to_sympy(self)


def design_mean(
    epsilon: object,
    *,
    values: Sequence[object] | str | None = None,
    range: object = None,  # the option of the command
    points: object = None,
    proportions: Sequence[object] | str | None = None,
    margin: object = None,
    delta: object = 0,
    routes: Iterable[str] | None = None,
    fast: bool = False,
) -> MeanDesign:
    """Return the best unbiased reports of a number at a privacy level.

    Args:
        epsilon: the level in nats.
        values: the numbers that a respondent can have: at least two, and equal ones count once; for example
            ``[1, 2, 3, 4, 5]``.
        range: instead of values: the least and the largest number ``L..H``, or a pair; all numbers between them are
            allowed.
        points: with a range, the number of points of the grid, 2 to 101; by default 9, 17, 33 or 65, so that rounding
            costs at most 1 % of V.
        proportions: the proportions of the values; then the mean variance at these is minimized, in place of the
            largest one.
        margin: the margin of error of the mean for which ``n`` is planned; by default 1/20 of the range.
        delta: 0; other levels are not designed.
        routes: as for ``solve``.
        fast: whether to run one route only, and to leave out the twins.

    Raises:
        InvalidParameterError: the values, the range or the proportions are invalid.
        UnsupportedProblemError: there are too many values, or delta is not 0.

    >>> best = design_mean("log(2)", values=[1, 2, 3, 4, 5], fast=True)
    >>> print(round(float(best.value), 4), best.duchi, best.cards, best.n)
    33.2431 36 133/4 3577
    """
    if Delta.of(delta) != Delta.of(0):
        raise InvalidParameterError(
            f"reports of numbers are designed at delta = 0: received {shown(str(delta))}; leave it out"
        )
    if (values is None) == (range is None):
        raise InvalidParameterError(
            "the numbers are given once: received values and a range, or neither; give values such as 1,2,3,4,5, or a "
            "range such as 0..100"
        )
    if range is not None:
        if proportions is not None:
            raise InvalidParameterError(
                "proportions belong to values: received them beside a range, whose numbers have no proportions; give "
                "values, or leave them out"
            )
        return _over_range(epsilon, _ends(range), points, margin, routes, fast)
    if points is not None:
        raise InvalidParameterError("points belong to a range: received them beside values; leave them out")
    numbers, shares = _numbers(values, proportions)
    wanted = _margin(margin, numbers)
    found = MeanDesign(_solved(epsilon, numbers, shares, routes, fast), wanted)
    return found if fast else found.compared_twice()


def _solved(
    epsilon: object, numbers: Sequence[Fraction], shares: Any, routes: Iterable[str] | None, fast: bool
) -> Solution:
    region = PrivacyRegion(epsilon, inputs=len(numbers), outputs="any")
    if shares is None:
        even = [Fraction(1, len(numbers))] * len(numbers)
        return solve(Problem(region, ConditionalVariance(numbers), even), routes, fast=fast)
    return solve(Problem(region, Contrast(numbers), shares), routes, fast=fast)


def _over_range(
    epsilon: object,
    ends: tuple[Fraction, Fraction],
    points: object,
    margin: object,
    routes: Iterable[str] | None,
    fast: bool,
) -> MeanDesign:
    """Return the design of a range; without a number of points, of the fewest whose rounding costs little."""
    low, high = ends
    sizes: Sequence[int] = _POINTS
    if points is not None:
        within = f"2 <= points <= {_MOST_POINTS}"
        given = rational_where(points, lambda k: k.denominator == 1 and 2 <= k <= _MOST_POINTS, within, name="`points`")
        sizes = (int(given),)
    for k in sizes:
        numbers = [low + (high - low) * Fraction(j, k - 1) for j in range(k)]
        cost = ((high - low) / (k - 1)) ** 2 / 4
        if k != sizes[-1] and cost > _ENOUGH * _least_guess(epsilon, high - low):
            continue
        found = MeanDesign(_solved(epsilon, numbers, None, routes, fast), _margin(margin, numbers), True)
        if k == sizes[-1] or found.gap <= _ENOUGH * found.upper:
            compared = _compared(found, fast)
            return compared if fast else compared.compared_twice()
    raise AssertionError  # the last size returns


def _compared(found: MeanDesign, fast: bool) -> MeanDesign:
    """Return the design of a range if the closed form of the continuum, where there is one, lies in its bracket.

    Unless ``fast`` the form is derived again with SymPy, from its integrals.

    Raises:
        RouteDisagreementError: it does not.
    """
    known = range_optimum(float(_gamma_below(found.problem)))
    if known is not None:
        values = [known[0] * float(found.reach / 2) ** 2]
        if not fast:
            form: Any = found.range_form()  # of a range it is there
            values.append(float(form.at()))
        for value in values:
            room = _CLOSED_FORM * value  # the closed form is computed in floats
            if not float(found.lower) - room <= value <= float(found.upper) + room:
                raise RouteDisagreementError(
                    f"the closed form of the range and the certified bracket disagree: {value!r} against "
                    f"[{float(found.lower)!r}, {float(found.upper)!r}]"
                )
    return found


def _least_guess(epsilon: object, reach: Fraction) -> Fraction:
    """Return about the least V of a range, from the closed form of small levels; it only chooses the grid."""
    gamma = Epsilon.of(epsilon).gamma_bracket(FIRST_BRACKET_DIGITS).lower if epsilon is not None else Fraction(2)
    return reach**2 / 4 * 4 * gamma / (gamma - 1) ** 2 if gamma > 1 else Fraction(0)


def _ends(given: object) -> tuple[Fraction, Fraction]:
    texts = given.split("..") if isinstance(given, str) else list(given) if isinstance(given, (list, tuple)) else []
    if len(texts) != 2:
        raise InvalidParameterError(
            f"the range is no pair of numbers: received {shown(given)}; write the least and the largest number, as in "
            "0..100"
        )
    low, high = (rational(x, name="`range`") for x in texts)
    if low >= high:
        raise InvalidParameterError(f"the range is empty: received {shown(given)}; write the smaller number first")
    return low, high


def _numbers(values: Any, proportions: Any) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...] | None]:
    """Return the different values in their order, and the proportions of each."""
    items = values.split(",") if isinstance(values, str) else required_list(values, "`values`", "numbers: [1, 2, 3]")
    given = [rational(x, name=f"values[{j}]") for j, x in enumerate(items)]
    numbers = tuple(dict.fromkeys(given))
    if not 2 <= len(numbers) <= MOST_VALUES:
        raise InvalidParameterError(
            f"`values` is out of range: received {with_noun(len(numbers), 'different number')}; allowed are 2 to "
            f"{MOST_VALUES}; "
            "round the numbers, or give a range"
        )
    if proportions is None:
        return numbers, None
    shares = exact_population(proportions.split(",") if isinstance(proportions, str) else proportions, len(given))
    exact = [rational(p, name=f"proportions[{j}]") for j, p in enumerate(shares)]
    sums = (sum((p for p, x in zip(exact, given, strict=True) if x == one), Fraction(0)) for one in numbers)
    return numbers, tuple(sums)


def _margin(given: object, numbers: Sequence[Fraction]) -> Fraction:
    if given is None:
        return _MARGIN * (max(numbers) - min(numbers))
    return rational_where(given, lambda m: m > 0, "margin > 0", name="`margin`")


def _gamma_below(problem: Problem) -> Fraction:
    """Return a rational just below exp(epsilon), or exp(epsilon) itself if it is rational."""
    below: Fraction = problem.region.bracket(FIRST_BRACKET_DIGITS).below.gamma
    return below


def _variance(numbers: Sequence[Fraction], shares: Sequence[Fraction]) -> Fraction:
    return dot(shares, [x * x for x in numbers]) - dot(shares, numbers) ** 2


def _valued(solution: Solution) -> Mechanism:
    """Return the mechanism with the numbers of its outputs.

    These are its own, or those with which the certificate proves V, or those of the efficient estimator of the mean.
    Outputs with equal values are one output.
    """
    problem, mechanism = solution.problem, solution.mechanism
    if mechanism.output_values:
        return mechanism
    (x,) = problem.objective.contrast_rows(mechanism.inputs) or ((),)
    (z,) = proved_values(solution.certificate) or efficient_estimator(problem, mechanism)
    rows = dict[Fraction, list[Fraction]]()
    for value, row in zip(z, mechanism.matrix, strict=True):
        if any(row):
            rows[value] = [a + b for a, b in zip(rows.get(value, [Fraction(0)] * len(row)), row, strict=True)]
    values = sorted(rows)
    return Mechanism([rows[value] for value in values]).valued(x, values)


def conditional_variances(mechanism: Mechanism) -> tuple[Fraction, ...]:
    """Return ``V_j = sum_i z_i^2 p_ij - x_j^2`` of a mechanism with the numbers of its inputs and outputs."""
    squares = [z * z for z in mechanism.output_values]
    columns = zip(*mechanism.matrix, strict=True)
    return tuple(dot(column, squares) - x * x for column, x in zip(columns, mechanism.input_values, strict=True))


def rounded_variance(numbers: Sequence[Fraction], variances: Sequence[Fraction]) -> Fraction:
    """Return the largest V(x) over the range of ascending numbers, to whose neighbours x is rounded without bias.

    On each interval ``V(t) = (1 - t) V_j + t V_(j+1) + t (1 - t) h^2``, whose largest value is at
    ``t = 1/2 + (V_(j+1) - V_j)/(2 h^2)``, cut off at 0 and 1.
    """
    most = max(variances)
    for (x, v), (y, w) in pairwise(zip(numbers, variances, strict=True)):
        h = (y - x) ** 2
        t = min(Fraction(1), max(Fraction(0), (1 + (w - v) / h) / 2))
        most = max(most, (1 - t) * v + t * w + t * (1 - t) * h)
    return most


def range_optimum(gamma: float) -> tuple[float, str] | None:
    """Return the least V of the range [-1, 1] and the name of its closed form; None beyond gamma = 4.027025.

    With ``A = (gamma + 1)/(gamma - 1)`` it is ``A coth(1/A) - 1`` while ``(gamma + 1) tanh(1/A) <= 1``, and then
    ``(1 + gamma (gamma + 2) s)/(gamma - 1) - 1`` with ``s = 1/(gamma - (gamma + 1)/2 ln(1 + 2/gamma))`` while
    ``(gamma + 1) ln(1 + 2/gamma) >= gamma - 2`` (docs/explanation/numbers.md has the proofs).
    """
    a = (gamma + 1) / (gamma - 1)
    if (gamma + 1) * tanh(1 / a) <= 1:
        return a / tanh(1 / a) - 1, f"{_FIRST_FORM}, up to epsilon = {_regime_ends()[0]}"
    if (gamma + 1) * log(1 + 2 / gamma) >= gamma - 2:
        return range_lower_bound(gamma), f"{_SECOND_FORM}, from epsilon = {' to '.join(_regime_ends())}"
    return None


@cache
def _regime_ends() -> tuple[str, str]:
    """Return the largest epsilon of both closed forms, to six decimals: roots of their conditions, by bisection."""

    def first(gamma: float) -> float:
        return 1 - (gamma + 1) * tanh((gamma - 1) / (gamma + 1))

    def second(gamma: float) -> float:
        return (gamma + 1) * log(1 + 2 / gamma) - gamma + 2

    found = []
    for slack in (first, second):  # both are positive at gamma = 1.5 and negative at 9
        low, high = 1.5, 9.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if slack(middle) > 0 else (low, middle)
        found.append(f"{log(low):.6f}")
    return found[0], found[1]


def range_lower_bound(gamma: float) -> float:
    """Return the second closed form, a lower bound of V on [-1, 1] also beyond gamma = 4.027025.

    >>> round(range_lower_bound(7.38905609893065), 6)
    0.857353
    """
    s = 1 / (gamma - (gamma + 1) / 2 * log(1 + 2 / gamma))
    return (1 + gamma * (gamma + 2) * s) / (gamma - 1) - 1


def literature_variances(gamma: float) -> dict[str, float]:
    """Return the largest conditional variance over [-1, 1] of mechanisms of the literature, at delta = 0.

    Laplace noise of scale 2/epsilon; with ``h = sqrt(gamma)`` the piecewise mechanism of Wang et al. (2019),
    ``4 h/(3 (h - 1)^2)``; and their hybrid mechanism, which is piecewise with probability 1 - 1/h from epsilon = 0.61
    on, ``(h + 3)/(3 h (h - 1)) + A^2/h``, and Duchi's below; and the best mechanism with the reports -C, 0 and C.

    *Three reports.* Let alpha be the least probability of C, and kappa that of 0. A report is not 0 with a probability
    ``u(x) >= max(2 alpha + abs(x)/C, 1 - gamma kappa)``. At the largest kappa and the least alpha,
    ``1/(C (gamma - 1))``, the largest ``C^2 u(x) - x^2`` is that of two terms. One is ``2 C/(gamma - 1)`` plus the
    largest C x - x^2 over x in [0, 1], which ascends in C; the other is ``C^2 (1 - gamma) + gamma C A``, which is
    concave. C >= A is needed. So the least is A^2, at C = A (no zeros), or the value where both terms are equal.

    >>> [round(value, 4) for value in literature_variances(2.718281828459045).values()]
    [8.0, 5.2236, 4.289, 4.2062]
    """
    h, a = sqrt(gamma), (gamma + 1) / (gamma - 1)
    c = (a + sqrt(a * a + 4 / (gamma - 1))) / 2
    if c < 2:  # the largest C x - x^2 is at x = C/2, inside
        c = (gamma * a - 2 / (gamma - 1)) / (gamma - 3 / 4)
    three = 2 * c / (gamma - 1) + (c - 1 if c >= 2 else c * c / 4)
    return {
        "Laplace noise": 8 / log(gamma) ** 2,
        "the piecewise mechanism": 4 * h / (3 * (h - 1) ** 2),
        "the hybrid mechanism": (h + 3) / (3 * h * (h - 1)) + a * a / h if log(gamma) > _HYBRID else a * a,
        "three outputs -C, 0, C": min(a * a, three),
    }


def respondents(variance: Fraction, margin: Fraction, confidence: object = _CONFIDENCE) -> int:
    """Return the least n with ``z sqrt(variance/n) <= margin`` for the normal quantile z of the confidence."""
    quantile = NormalDist().inv_cdf((1 + float(exact_confidence(confidence))) / 2)
    return max(1, ceil(float(variance) * (quantile / float(margin)) ** 2))
