"""The optimal split of a privacy budget over n independently randomized yes/no questions.

*The devices.* Warner's design with p = x/(x+1) has parity x, its largest likelihood ratio. It is optimal for each
question:

1. Every device W' with parity at most x, with any number of outputs, is a garbling of Warner's design W: each of its
   rows (a, b) is ``s (x, 1) + t (1, x)`` with s, t >= 0. Write W' = G W.
2. Let A be an unbiased estimator from W', so ``A' G W = 1`` and ``A' G = W^-1``. Its conditional mean given the
   responses of W is therefore the unbiased estimator from W.
3. So the covariance from W is no larger, in every direction and for every distribution of the truth.

It remains to choose the parities with ``prod x_l <= gamma``. For one question, this is Holohan, Leith and Mason (2016),
Theorem 2.

*The split.* The objectives are convex in the logarithms of the parities (``splits``). By Jensen's inequality,
the equal split ``x_l = gamma^(1/n)`` is optimal for the joint distribution, and for marginals with equal weights at any
prevalences. For other weights, one multiplier lambda is determined such that the budget is spent. Every question
satisfies ``w x (x+1) = lambda (x-1)^3``; for given lambda this cubic has a root in closed form, but lambda itself has
none. A question of weight 0 gets no budget.

*Exactness.* The parities are rounded down, so their product is at most gamma exactly. The slopes at these parities give
a rational bound on the distance from the optimum (budget_split.md), which the checker recomputes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of, proof_of_record
from rropt.core.errors import FileFormatError, InfeasibleError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bounded, Bracket, Epsilon, both_texts, decimal_text
from rropt.core.exact.display import bracket_text, decimal_outwards
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS, largest_below
from rropt.core.exact.texts import fraction_of
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Table, labelled, merged_records, plain_dict, plain_lines
from rropt.core.results.result_frames import row_with
from rropt.core.results.twins import PosedTwice
from rropt.designs.routes import RouteResult, chosen_routes, listed_routes, require_agreement
from rropt.designs.splits import ROUTES, JointTrace, Objective, Parities, equal_split, split_objective
from rropt.designs.two_inputs import BRACKET_GAP
from rropt.designs.writers.binary import bits_problem, certify_bits
from rropt.mechanisms import Mechanism, ProductMechanism, QuestionLevels, question_levels
from rropt.mechanisms.displays import probability_texts
from rropt.objectives import GreenwoodLoss, greenwood_loss, independent_loss

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

_MOST_EPSILON = 300  # limit of the float search that finds the multiplier
_MOST_RATIO = Fraction(10**60)  # maximal ratio of two weights
_MOST_JOINT = 20  # questions that are answered together: more have more than a million cells
_MOST_DRAWN = (1 << 62) - 1  # clients draw uniform integers of 62 bits
_LONG_BITS = 400  # a bound with a longer denominator is rounded outwards to ...
_DIGITS = 50  # ... this many significant digits


@dataclass(frozen=True, slots=True)
class SplitFound(RouteResult):
    """A split, and the bracket that the slopes at it prove.

    Attributes:
        parities: the parities of Warner's designs; their product is at most the gamma below.
    """

    parities: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class BitsDesign(PosedTwice, Bounded):
    """A certified split of a privacy budget.

    Attributes:
        lower, upper: bounds of the optimum; equal if the optimal parities are rational.
        level: the budget, epsilon of the full report.
        objective: the minimized objective.
        mechanism: the returned design.
        equal_split: the objective of the equal split over all questions, rounded towards privacy in the same way.
        routes: the result of each route, by name.
        certificate: the certificate, accepted by the checker.
        unverified: for a design read from a file, the keys that the certificate does not prove.
    """

    lower: Fraction
    upper: Fraction
    level: Epsilon
    objective: Objective
    mechanism: ProductMechanism
    equal_split: Fraction
    routes: Mapping[str, SplitFound] = field(compare=False)
    certificate: Certificate
    unverified: tuple[str, ...] = field(default=(), compare=False)
    LABELS = labelled(
        level="epsilon of the full report, at most",
        worst_question="epsilon of the worst question",
        loss="loss L: joint variance relative to direct questioning",
        objective="objective",
        value="value of the objective",
        equal_split="value of the equal split",
        equal_ratio="",
        **dict.fromkeys(["epsilon", "parities", "prevalences", "n_variances"], ""),
        **dict.fromkeys(["random_population", "one_question", "best_sets", "optima", "optimal_set"], ""),
    )
    optimal_set: ClassVar[None] = None
    bound_certificate: ClassVar[None] = None

    def bracketed(self) -> tuple[str, Bracket, Certificate]:
        """Return the name of the bounded quantity, its bounds, and the certificate."""
        return "optimum", self.bracket, self.certificate

    @property
    def value(self) -> Fraction:
        """The objective of the returned design."""
        return self.objective.value(self.parities)

    @property
    def parities(self) -> tuple[Fraction, ...]:
        """The parity of each question's design: 1 if the question has weight 0."""
        return tuple(bit.p00 / (1 - bit.p00) for bit in self.mechanism.factors)

    @property
    def optima(self) -> tuple[ProductMechanism]:
        """The optimal design, in a tuple."""
        return (self.mechanism,)

    @property
    def epsilon(self) -> QuestionLevels:
        """The privacy levels: of each question, of the full report, and of inputs that differ in k questions."""
        return question_levels(self.mechanism)

    @property
    def worst_question(self) -> Epsilon:
        """The largest epsilon of a single question."""
        return self.mechanism.differing_epsilon(1)

    @property
    def prevalences(self) -> tuple[Fraction, ...]:
        """The assumed values of Pr(bit l = 1)."""
        return self.objective.prevalences

    @property
    def equal_ratio(self) -> Fraction:
        """The objective of the equal split divided by that of this design."""
        return self.equal_split / self.value

    @property
    def n_variances(self) -> tuple[Fraction | None, ...]:
        """n Var of each estimated prevalence; ``None`` (infinite) if a question gets no budget."""
        pairs = zip(self.prevalences, self.parities, strict=True)
        return tuple(pi * (1 - pi) + x / (x - 1) ** 2 if x > 1 else None for pi, x in pairs)

    @property
    def one_question(self) -> float | None:
        """The objective if each respondent answers one random question at the full level; None for the joint one.

        Question l is asked with probability q_l, and its n Var is ``(pi_l (1 - pi_l) + gamma/(gamma - 1)^2)/q_l``. The
        best q_l are proportional to the roots of the weighted numerators, and the sum is the square of their sum.
        """
        return None if self.objective.is_product else float(sum(map(sqrt, self._weighted_variances(1))) ** 2)

    def _weighted_variances(self, j: int) -> list[float]:
        """Return the weight times n Var of each question, from those who are asked it in a set of j, at the full level.

        All answers of a respondent are kept with probability ``t = (gamma - 1)/(gamma + 2^j - 1)``, otherwise each is a
        fair coin: n Var is ``pi (1 - pi) + (1/t^2 - 1)/4``.
        """
        more = float(self.level.gamma_bracket(FIRST_BRACKET_DIGITS).lower - 1)  # gamma - 1, which may be tiny
        noise = 2.0**j / more * (2 + 2.0**j / more) / 4
        pairs = zip(self.objective.shares, self.prevalences, strict=True)
        return [float(w) * (float(pi * (1 - pi)) + noise) for w, pi in pairs]

    @property
    def best_sets(self) -> tuple[int, float] | None:
        """The best j, and the objective if each respondent answers j random questions by k-ary randomized response.

        A random set of j of the n questions, and randomized response on their 2^j cells at the full level. At the
        prevalences 1/2 and equal weights w the sum is ``w n^2/(4 j) (2^j + gamma - 1)^2/(gamma - 1)^2``. None for other
        problems.
        """
        if (
            self.objective.is_product
            or len(set(self.objective.shares)) > 1
            or set(self.prevalences) != {Fraction(1, 2)}
        ):
            return None
        return self._best_asked()

    def _best_asked(self) -> tuple[int, float]:
        """Return the best J of ``--ask J``, and its objective: every set of J questions is equally likely."""
        n = len(self.prevalences)
        value, size = min((n / j * sum(self._weighted_variances(j)), j) for j in range(1, min(n, _MOST_JOINT) + 1))
        return size, value

    def loss(self) -> Fraction | None:
        """Return L, the trace of the joint covariance divided by that of direct questioning, for independent questions.

        Return ``None`` if L is infinite: a question gets no budget, or the whole population is in one cell.
        """
        try:
            return independent_loss(self.mechanism, self.prevalences)
        except InfeasibleError:
            return None

    @property
    def random_population(self) -> GreenwoodLoss | None:
        """Bounds on the distribution of L if the cell proportions are uniform on the simplex; ``None`` if infinite."""
        return None if 1 in self.parities else greenwood_loss(self.mechanism)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt design questions --json``: exact numbers are strings."""
        routes = {name: each.bracket.to_json() for name, each in self.routes.items()}
        return self.with_twins(merged_records(plain_dict(self), {"routes": routes}))

    @classmethod
    def from_proof(
        cls,
        level: Epsilon,
        objective: Objective,
        equal_split: Fraction,
        certificate: Certificate,
        routes: Mapping[str, Bracket] | None = None,
    ) -> BitsDesign:
        """Return the split that a certificate proves, without solving; used to read files.

        Raises:
            FileFormatError: the checker rejects the certificate, or it belongs to another budget or objective.
        """
        what = "split"
        proof_of_record(certificate, bits_problem(level, objective.certified()), what)
        lower, upper = (fraction_of(part_of(certificate, "claim", end, what)) for end in ("lower", "upper"))
        mechanism = Mechanism.from_dict(part_of(certificate, "claim", "mechanism", what))
        if not isinstance(mechanism, ProductMechanism):
            raise FileFormatError(
                f"the record of a split has no product of devices: received {shown(str(mechanism))}; use the record as "
                "it was written"
            )
        found = {name: SplitFound(ends.lower, ends.upper, ()) for name, ends in (routes or {}).items()}
        unproved = ("equal_split", "equal_ratio") + ("routes",) * (routes is not None)
        return cls(
            lower, upper, level, objective, mechanism, equal_split, ReadOnlyMapping(found), certificate, unproved
        )

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each question: weight, prevalence, probability of the truth, level and n Var."""
        bits = self.mechanism.factors
        columns = zip(self.objective.shares, self.prevalences, bits, self.parities, self.n_variances, strict=True)
        return [
            row_with(
                question=i,
                weight=weight,
                prevalence=prevalence,
                p=bit.matrix[1][1],
                parity=parity,
                epsilon=float(bit.epsilon),
                n_var=variance,
            )
            for i, (weight, prevalence, bit, parity, variance) in enumerate(columns)
        ]

    def as_tables(self) -> list[Table]:
        """Return a table of the questions, and the table of ``lines``."""
        bits = zip(self.mechanism.factors, self.parities, strict=True)
        columns = (
            self.objective.shares,
            self.prevalences,
            [probability_texts(bit)[0] if x > 1 else "1/2: a fair coin, reveals nothing" for bit, x in bits],
            self.parities,
            [bit.epsilon for bit in self.mechanism.factors],
            self.n_variances,
        )
        rows = enumerate(zip(*columns, strict=True))
        header = ("question", "weight", "prevalence", "p00 = p11", "parity", "epsilon", "n Var")
        texts = [(str(i), *(x if isinstance(x, str) else both_texts(x, 6) for x in row)) for i, row in rows]
        return [("Devices", header, texts), ("Several questions", None, self.lines())]

    def _others(self) -> list[tuple[str, str]]:
        """Return lines about designs that ask each respondent some of the questions: the split is not among them."""
        one, sets = self.one_question, self.best_sets
        if one is None or len(self.prevalences) == 1:
            return []
        times = float(self.value) / one
        less = f"{decimal_text(times, 3)} times fewer respondents" if times > 1 else "more respondents than this split"
        if sum(weight > 0 for weight in self.objective.shares) == 1:  # the whole budget is that question's: one design
            less = "as many respondents as this split"
        elif decimal_text(times, 3) == "1":
            less = "about as many respondents as this split"
        found = [("one random question for each", f"{decimal_text(one, 6)}: {less}, and no joint distribution")]
        if sets is not None and sets[0] > 1:
            told = f"{decimal_text(sets[1], 6)}, by randomized response on their {2 ** sets[0]} cells"
            found.append((f"{sets[0]} random questions for each", told))
        size, best = self._best_asked()
        if best < self.value:
            more = f" of more than {size} questions" if size > 1 else ""
            lost = "" if size == len(self.prevalences) else f", if no joint distribution{more} is needed"
            found.append(("recommended", f"--ask {size}{lost}"))
        return found

    def lines(self) -> list[tuple[str, str]]:
        """Return the results as (label, value) pairs."""
        unasked, random = self.parities.count(Fraction(1)), self.random_population
        remark = (
            [("without budget", f"{unasked} of weight 0: their prevalences cannot be estimated")] if unasked else []
        )
        ratio = ("equal split relative to this design", decimal_text(self.equal_ratio, 9))
        own = [*plain_lines(self), ratio, *self._others(), *remark, *(random.lines() if random else ())]
        end = "exact" if self.is_exact else bracket_text(self.lower, self.upper, minimising=True)
        return [*own, ("routes that agree", ", ".join(self.routes)), *self.twin_lines(), ("optimum", end)]

    def to_sympy(self) -> Posing:
        """Return the problem over the odds bounds ``x_l`` of the questions of positive weight.

        Raises:
            UnsupportedProblemError: there are too many questions.
        """
        from rropt.symbolic.designs.bits import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return the form for equal weights, and an enclosure of its own, compared with the design and the proved
        bounds.

        Raises:
            RouteDisagreementError: the design spends more than the budget, its objective is another one than claimed,
                or the enclosure and the proved bounds have no number in common, or the bounds are wide.
        """
        from rropt.symbolic.designs.bits import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the convex program; its value is the objective.

        The variables ``levels`` are those of the questions of positive weight. The Parameters are ``budget``, the bound
        of their sum, ``shift``, and ``weights`` (of the marginals).

        Raises:
            UnsupportedProblemError: there are too many questions.
        """
        from rropt.convex.designs.bits import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the optimum, compared with the proved bounds; its logarithm is minimized, whose size is moderate."""
        from rropt.convex.designs.bits import cvxpy_twin

        return cvxpy_twin(self)


def design_bits(
    epsilon: object,
    *,
    questions: int | None = None,
    weights: Sequence[object] | None = None,
    prevalences: Sequence[object] | None = None,
    objective: str = "marginals",
    routes: Iterable[str] | None = None,
    fast: bool = False,
) -> BitsDesign:
    """Return the optimal devices for n yes/no questions at a privacy level of the full report.

    Args:
        epsilon: the budget: the level for inputs that differ in any number of questions, with delta = 0.
        questions: n; not needed if weights or prevalences are given.
        weights: w_l >= 0, one for each question (``marginals`` only); by default all 1.
        prevalences: Pr(bit l = 1) for independent questions; by default all 1/2, the worst case.
        objective: ``marginals`` or ``joint``.
        routes: ``closed-form`` (equal weights), ``multiplier``; by default all that apply.
        fast: whether to run one route only, unless routes are named, and to leave out the twins: the comparison with
            SymPy and CVXPY (``design.twins``).

    Raises:
        InvalidParameterError: lists have different lengths, a number is out of range, or a name is unknown.
        InfeasibleError: epsilon = 0, where responses are independent of the truth.
        UnsupportedProblemError: there are more than 256 questions, or a weight or level exceeds the range of floats.

    >>> best = design_bits("log(8)", weights=[10, 81])
    >>> print(*best.parities, best.value, best.gap, best.certificate.check())
    2 4 315/4 0 accepted (no devices of 2 questions at this level have a value below upper)
    >>> best = design_bits(3, questions=5, objective="joint")
    >>> print([str(round(float(bit.epsilon), 6)) for bit in best.mechanism.factors[:2]], round(float(best.value), 6))
    ['0.6', '0.6'] 10669.165072
    """
    level = Epsilon.of(epsilon)
    wanted = split_objective(objective, questions, weights, prevalences)
    chosen = _routes(wanted, routes)
    chosen = chosen[:1] if fast and routes is None else chosen
    _require_held(level, wanted)
    digits, before = FIRST_BRACKET_DIGITS, None
    while True:
        gamma = level.gamma_bracket(digits)
        found = {name: _split(wanted, ROUTES[name](wanted, gamma.lower, digits), gamma) for name in chosen}
        best = min(found.values(), key=lambda each: each.gap)
        require_agreement(found, "the split")
        if best.gap <= BRACKET_GAP * min(Fraction(1), best.upper) or 2 * digits > MAX_BRACKET_DIGITS:
            break
        if before is not None and best.gap > before / 2:  # limited by floats: a finer level does not help
            break
        digits, before = 2 * digits, best.gap
    best = _split(wanted, tuple(map(drawable_parity, best.parities)), gamma)
    mechanism = ProductMechanism([Mechanism.binary(x / (x + 1), x / (x + 1)) for x in best.parities])
    everywhere = equal_split(JointTrace(wanted.prevalences), gamma.lower, digits)  # also where a weight is 0
    certificate = Certificate.attempt(lambda: certify_bits(level, gamma, wanted.certified(), mechanism, best.bracket))
    split, routes_found = wanted.value(everywhere), ReadOnlyMapping(found)
    design = BitsDesign(best.lower, best.upper, level, wanted, mechanism, split, routes_found, certificate)
    return design if fast else design.compared_twice()


def proved(objective: Objective, parities: Parities, gamma: Fraction) -> Bracket:
    """Return the bracket of the optimum at gamma that the given parities prove (budget_split.md)."""
    value = objective.value(parities)
    pairs = zip(objective.shares, parities, strict=True)
    slopes = [share * objective.slope(x - 1)[0] if share else Fraction(0) for share, x in pairs]
    steepest = max(slopes)
    decrease = steepest * (gamma / prod(parities, start=Fraction(1)) - 1)
    decrease += sum(((steepest - s) * (x - 1) for s, x in zip(slopes, parities, strict=True)), Fraction(0))
    return Bracket(value - objective.scale(parities) * decrease, value)


def _split(objective: Objective, parities: Parities, gamma: Bracket) -> SplitFound:
    """Return a split with its bracket; long bounds are rounded outwards."""
    ends = proved(objective, parities, gamma.upper)
    lower, upper = (_short(end, up=up) for end, up in zip(ends, (False, True), strict=True))
    return SplitFound(lower, upper, tuple(parities))


def _short(value: Fraction, *, up: bool) -> Fraction:
    long = value.denominator.bit_length() > _LONG_BITS
    return Fraction(decimal_outwards(value, up=up, digits=_DIGITS)) if long else value


def drawable_parity(parity: Fraction) -> Fraction:
    """Return the largest parity a/b up to this one with a short denominator a + b, which clients draw.

    A parity stays as it is if it is too large to be drawn, or if that would cost more than 10^-12 of its distance to 1.
    """
    short = parity if parity >= _MOST_DRAWN else largest_below(parity, _MOST_DRAWN, below=1)
    return short if (parity - short) * 10**12 <= parity - 1 else parity


def _routes(objective: Objective, names: Iterable[str] | None) -> list[str]:
    """Check the names of the routes and return those to run."""
    is_equal = len({x for x in objective.shares if x}) == 1
    fitting = [name for name in ROUTES if is_equal or name != "closed-form"]
    reason = f"different weights, whose split has no closed form; allowed are {', '.join(fitting)}"
    return chosen_routes(listed_routes(names), list(ROUTES), fitting, reason)


def _require_held(epsilon: Epsilon, objective: Objective) -> None:
    """Raise an error if the budget is 0, or if floats cannot find the multiplier."""
    if epsilon == Epsilon.of(0):
        raise InfeasibleError(
            "epsilon = 0 leaves nothing to estimate: every truth must give the same outputs; allow epsilon > 0"
        )
    if not float(epsilon) <= _MOST_EPSILON:
        raise InvalidParameterError(
            f"epsilon is out of range: received {shown(str(epsilon))}; allowed is 0 < epsilon <= {_MOST_EPSILON} (nats)"
        )
    positive = [x for x in objective.shares if x]
    if max(positive) > _MOST_RATIO * min(positive):
        raise UnsupportedProblemError(
            f"the weights differ too much: received a ratio above {decimal_text(_MOST_RATIO)}; give weight 0 to "
            "questions that do not count"
        )
