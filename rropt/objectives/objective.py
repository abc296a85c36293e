"""The protocol of objectives, and the registry of their kinds.

To add an objective, write a class with ``@register_objective``. Problems, their JSON, ``rropt design`` and the report
then support it. A way (``rropt.designs.ways``) defines how it is optimized.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import as_text, rational
from rropt.core.exact.numbers import split_list
from rropt.core.mappings import KindRegistry
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population, listed
from rropt.mechanisms.imports import required_mechanism
from rropt.objectives.ray_form import RayForm
from rropt.objectives.traced_numbers import UncertifiedError

if TYPE_CHECKING:
    from rropt.objectives.stated_sums import StatedSum
    from rropt.privacy.region import Region

Rows = tuple[tuple[Fraction, ...], ...]

_MOST_TOLD = 12  # runs of equal proportions in the summary of a problem


class Objective(ABC):
    """A function that is minimized or maximized over a region: a frozen dataclass with its parameters as fields.

    Most problems are solved by the engine, which asks an objective only for its form on rays (``on_rays``). Most other
    methods are for special cases in which a theorem or a formula is better; by default they do not apply. So no other
    module tests the kind of an objective.

    Attributes:
        kind: the name of the kind in files and on the command line.
        sense: whether the objective is minimized or maximized.
        title: the label of its value in tables.
        goal: what a design with this objective is called in summaries; by default the sense and the title.
        form: its JSON, as shown in messages.
        parameters: the names of the parameters that follow the name in a text such as ``c-optimal:1,-1,0``.
        needs: what the first of them is, in words, with an example, in which ``{kind}`` is the name; empty if none is
            needed.
        is_linear: whether the value is a linear function of the mechanism.
        with_few: whether it supports a given number of outputs too, with or without bounds.
        with_ranges: whether the worst case over a polytope of distributions is supported.
        is_total: whether the value is the sum of the variances of all estimated proportions.
        is_of_prevalence: whether the value is n Var of the prevalence, for two inputs.
        is_worst_variance: whether the value is the largest variance of a report given the truth; pi does not matter.
        is_one_contrast: whether it is about the unbiased estimate of one linear function of the proportions.
        prevalence_times: for two inputs, the value divided by n Var of the prevalence; 0 if the ratio is not constant.
        is_on_rays: whether ``on_rays`` returns the objective as a function of rays, which the engine optimizes.
        knows_groups: whether this form serves groups of equal proportions too (``ray_form.CountedForm``).
        takes_zero_shares: whether the form on rays is defined on rows of probability 0; then proportions may be 0 with
            delta > 0.
        has_formulas: whether formulas give its designs for any number of equal proportions (``of_subsets``), also with
            delta > 0, where the truth is revealed with probability delta.
        has_computed_bound: whether for delta > 0 a bound is computed without a certificate, in place of formulas.
        has_logarithms: whether its value has logarithms, which are enclosed.
        is_logarithm: whether its value is the logarithm of a size, so that a difference of values is a ratio of sizes.
        has_decisions: whether its value is the payoff of the best decision at each output (``Payoff``).
        has_subset_dual: whether the projection onto contrasts is the dual of subset selection (D and E).
        has_statement: whether a certificate states it as a sum of quotients (``user_defined.ConvexSum.stated``).
        least_value: a lower bound of the value that needs no proof; None if no such bound is known.
    """

    __slots__ = ()

    kind: ClassVar[str]
    sense: ClassVar[Literal["minimise", "maximise"]]
    title: ClassVar[str]
    goal: ClassVar[str] = ""
    form: ClassVar[str]
    parameters: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[str] = ""
    is_linear: ClassVar[bool] = False
    with_few: ClassVar[bool] = False
    is_on_rays: ClassVar[bool] = False
    knows_groups: ClassVar[bool] = False
    takes_zero_shares: ClassVar[bool] = False
    with_ranges: ClassVar[bool] = False
    is_total: ClassVar[bool] = False
    is_of_prevalence: ClassVar[bool] = False
    is_worst_variance: ClassVar[bool] = False
    is_one_contrast: ClassVar[bool] = False
    prevalence_times: ClassVar[int] = 0
    has_formulas: ClassVar[bool] = False
    has_computed_bound: ClassVar[bool] = False
    has_logarithms: ClassVar[bool] = False
    is_logarithm: ClassVar[bool] = False
    has_decisions: ClassVar[bool] = False
    has_subset_dual: ClassVar[bool] = False
    has_statement: ClassVar[bool] = False
    least_value: ClassVar[Fraction | None] = None

    @abstractmethod
    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the objective at a mechanism and a distribution of exact proportions."""

    @abstractmethod
    def require(self, region: Region) -> None:
        """Raise an error of the ``RroptError`` family unless the objective is defined on a region."""

    @classmethod
    def of_text(cls, text: str) -> Objective:
        """Read the objective from the parameters that follow its name in a text such as ``c-optimal:1,-1,0``.

        Args:
            text: what follows the colon; empty without one.

        Raises:
            InvalidParameterError: a parameter is missing, superfluous or invalid.
        """
        if text and not cls.parameters:
            raise InvalidParameterError(
                f"the objective {cls.kind} has no parameters: received {shown(text)}; write {cls.kind} alone"
            )
        if cls.needs and not text:
            raise cls.without_parameter(text)
        return cls(*[split_list(text)] if text else [])

    @classmethod
    def without_parameter(cls, text: str) -> InvalidParameterError:
        """Return the error of a text that lacks a parameter of the objective."""
        what, _, example = cls.needs.format(kind=cls.kind).partition(", as in ")
        received = shown(text) if text else "the name alone"
        return InvalidParameterError(f"the objective {cls.kind} needs {what}: received {received}; write {example}")

    def sized(self, inputs: int) -> Objective:
        """Return the objective for k categories: the same, unless a parameter is a name such as ``absolute``."""
        return self

    def outputs(self, inputs: int) -> int:
        """Return the number of outputs of the designs; by default the number of categories."""
        return inputs

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the words that describe pi in the summary of a problem; long runs are written as ``10x1/20``."""
        runs = getattr(population, "runs", None) or [(len([*run]), share) for share, run in groupby(population)]
        if len(runs) == 1:
            return ", equal proportions"
        told = [f"{n}x{as_text(share)}" if n > 3 else ", ".join([as_text(share)] * n) for n, share in runs[:_MOST_TOLD]]
        return f", proportions {', '.join(told + ['...'] * (len(runs) > _MOST_TOLD))}"

    def asked_population(self, population: Sequence[Fraction]) -> Sequence[Fraction]:
        """Return the proportions of the categories that were asked for; a reformulation has others."""
        return population

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the objective as a function of rays.

        Args:
            population: pi, positive proportions.
            gamma: an upper bound of exp(epsilon).

        Raises:
            UnsupportedProblemError: the objective has no form on rays (``is_on_rays``).
        """
        raise UnsupportedProblemError(f"{self.title} is not a function of the rays of a region: use another objective")

    def limit(self, region: Region, population: Sequence[Fraction]) -> str | None:
        """Return a sentence that explains why there is no finite optimum over a region at pi; None if there is one."""
        return None

    def restricted(self, kept: Sequence[int]) -> Objective | None:
        """Return the objective on the kept categories if the others have proportion 0; None if they affect it."""
        return None

    def marks(self, inputs: int) -> Sequence[object] | None:
        """Return marks of the categories, equal where it need not distinguish them; None if it distinguishes all.

        Groups of categories with equal marks have the objective that is ``restricted`` to one member of each.
        """
        return None

    def ratios(self, population: Sequence[Fraction]) -> Sequence[Fraction] | None:
        """Return ``pi_j/(pi_j + q_j)`` for a distance between pi and another distribution q; None for others."""
        return None

    def added(self, groups: Sequence[int]) -> Any:
        """Return the objective for groups of categories with equal ratios; only called where there are ``ratios``."""
        raise UnsupportedProblemError(f"{self.title} does not add categories: use another objective")

    def contrast_rows(self, inputs: int) -> Rows | None:
        """Return the contrasts whose variances it adds up; None if every proportion is estimated, or none."""
        return None

    def targets(self, inputs: int) -> Rows:
        """Return the vectors b whose variances are added up, as rows, shape (r, k).

        Raises:
            UnsupportedProblemError: the objective is not a sum of variances.
        """
        raise UnsupportedProblemError(f"{self.title} is not a sum of variances: allowed are a-optimal and c-optimal")

    def constant_value(self, population: Sequence[Fraction]) -> Fraction | None:
        """Return the value of all mechanisms if they have the same one; None otherwise."""
        return None

    def is_zero(self, population: Sequence[Fraction]) -> bool:
        """Return whether the value of every mechanism is 0."""
        return self.constant_value(population) == 0

    def stated(self, population: Sequence[Fraction]) -> StatedSum:
        """Return what a certificate states in place of the objective, with its proof (``has_statement``).

        Raises:
            UncertifiedError: no certificate can state the objective.
        """
        raise UncertifiedError("it has no function of the row")

    def absolute_line(self, population: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
        """Return v with sum 0 if the objective is ``sum_i abs(v.p_i)`` over the rows p_i; None otherwise."""
        return None

    def weight_runs(self) -> Any | None:
        """Return the weights of a trace, or the proportions of a 0/1 loss, stored in runs; None for others."""
        return None

    def best_subsets(self, k: int, gamma: Fraction) -> int:
        """Return the best subset size of subset selection at k equal proportions, by a formula."""
        from rropt.mechanisms.families.memberships import best_subset_size  # loads the families of blocks

        return best_subset_size(k, gamma)

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return the value of a balanced block design at k equal proportions, exact or to 50 digits.

        Args:
            k: the number of categories.
            size: the number of categories in each subset.
            gamma: the odds bound.
            revealed: the probability that the truth is revealed in place of a subset.

        Raises:
            UnsupportedProblemError: there is no formula (``has_formulas``).
        """
        raise UnsupportedProblemError(f"no formula gives {self.title} of subset selection: use another objective")

    def costs(self, population: Sequence[Fraction]) -> Rows:
        """Return the coefficients c of a linear objective ``sum_ij c_ij p_ij``, shape (m, k).

        Raises:
            UnsupportedProblemError: the objective is not linear.
        """
        raise UnsupportedProblemError(f"{self.title} is not linear in the mechanism: allowed are trace and loss")

    def labelled_costs(self, population: Sequence[Fraction]) -> Rows | None:
        """Return costs c, shape (m, k), whose least sum ``c_dj p_dj`` over labelled outputs d is the optimum.

        A maximum is the least sum with the opposite sign. None if the objective is of another form.
        """
        return None

    @property
    def described(self) -> str:
        """The quantity in words, for headings."""
        return self.title.partition(",")[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary for problems and certificates."""
        return {"kind": self.kind, **{field.name: _written(getattr(self, field.name)) for field in fields(self)}}  # type: ignore[arg-type]

    @classmethod
    def from_dict(cls, data: Any) -> Objective:
        """Build the objective from the output of ``to_dict``."""
        names = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        if not isinstance(data, dict) or set(data) != {"kind", *names} or data["kind"] != cls.kind:
            raise InvalidParameterError(f"objective is not of its form: received {shown(data)}; allowed is {cls.form}")
        return cls(**{name: data[name] for name in names})


class LinearObjective(Objective):
    """An objective of the form ``sum_ij c_ij p_ij``."""

    __slots__ = ()

    is_linear: ClassVar[bool] = True
    takes_zero_shares: ClassVar[bool] = True

    @abstractmethod
    def misfit(self, inputs: int, outputs: int) -> str | None:
        """Return why the objective is not defined on mechanisms of a shape, or None."""

    def require(self, region: Region) -> None:
        """Raise an error unless the mechanisms have the objective's shape and are not restricted to a family."""
        misfit = self.misfit(region.inputs, region.outputs)
        if misfit:
            raise InvalidParameterError(misfit)
        if region.family != "all":
            raise UnsupportedProblemError(
                f"objective {self.kind} is defined over all mechanisms: received the family {region.family}; "
                "allowed is the family all"
            )

    def labelled_costs(self, population: Sequence[Fraction]) -> Rows | None:
        """Return the coefficients of the objective, with the opposite sign where it is maximized."""
        sign = 1 if self.sense == "minimise" else -1
        return tuple(tuple(sign * c for c in row) for row in self.costs(population))

    def require_fit(self, mechanism: Mechanism) -> None:
        """Raise ``InvalidParameterError`` unless a mechanism has the objective's shape."""
        mechanism = required_mechanism(mechanism)
        misfit = self.misfit(mechanism.inputs, mechanism.outputs)
        if misfit:
            raise InvalidParameterError(f"the mechanism does not fit: {misfit}; give another mechanism or objective")


def require_informative_region(region: Region) -> None:
    """Raise ``InfeasibleError`` if the outputs cannot depend on the truth."""
    if region.is_uninformative and region.has_divergences:
        raise InfeasibleError(
            "Renyi divergences of 0 leave nothing to estimate: every truth must give the same distribution of outputs; "
            "allow a level above 0"
        )
    if region.is_uninformative:
        raise InfeasibleError(
            "epsilon = 0 with delta = 0 leaves nothing to estimate: every truth must give the same distribution "
            "of answers; allow epsilon > 0 or delta > 0"
        )


class AnyOutputObjective(Objective):
    """An objective over all mechanisms under privacy levels, with an unrestricted output alphabet."""

    __slots__ = ()

    def outputs(self, inputs: int) -> int:
        """Return 0, which means an unrestricted output alphabet."""
        return 0

    def require(self, region: Region) -> None:
        """Raise an error unless the region has levels, any number of outputs, and responses that depend on the truth.

        An objective ``with_few`` also accepts a given number of outputs if delta = 0, with or without bounds on
        entries.
        """
        few = self.with_few and region.outputs and region.form == "parity"
        is_curved = region.has_divergences or region.polygons is not None
        if not (few or ((region.has_rays or is_curved) and not region.outputs)) or region.family != "all":
            raise UnsupportedProblemError(f"objective {self.kind}: received {region}; {self._limit(region)}")
        require_informative_region(region)
        self.require_length(region.inputs)

    def parameter(self) -> Sequence[object] | None:
        """Return the parameter (or a row of it) that has one number for each category; None if there is none."""
        return None

    def require_length(self, inputs: int) -> None:
        """Raise ``InvalidParameterError`` unless the parameter has one number for each input."""
        own = self.parameter()
        if own is not None and len(own) != inputs:
            raise InvalidParameterError(
                f"`{self.parameters[0]}` needs one number per category: received {with_noun(len(own), 'number')} for "
                f"{inputs} "
                "categories"
            )

    def _limit(self, region: Region) -> str:
        """Return the requirement of ``require`` that a region violates, with advice."""
        if region.family != "all":
            return f"allowed is the family all, not {region.family}"
        if region.outputs and not self.with_few:
            return "allowed is any number of outputs; set `outputs` to any"
        if region.outputs:
            less = "set delta to 0" if region.form == "excess" else "give one epsilon"
            return (
                f"a number of outputs is allowed at one epsilon with delta = 0 alone; {less}, or set `outputs` to any"
            )
        return "allowed are privacy levels without bounds on entries; leave out the bounds"


OBJECTIVES: KindRegistry[Objective] = KindRegistry(
    "objective", lambda kinds: f"are {', '.join(known.form for known in kinds.values())}"
)
"""The classes of objectives by kind."""

register_objective = OBJECTIVES.register


def objective_from_dict(data: Any) -> Objective:
    """Build an objective of any registered kind from the output of ``to_dict``.

    Args:
        data: the dictionary; its key ``kind`` names the class.

    Raises:
        InvalidParameterError: no class has this kind, or the class rejects the data.

    >>> objective_from_dict({"kind": "trace", "weights": ["1", "1/2"]}).weights
    (Fraction(1, 1), Fraction(1, 2))
    """
    return OBJECTIVES.from_dict(data)


def objective_of_text(text: str) -> Objective:
    """Build an objective from its name, with its parameters after a colon.

    Args:
        text: the name of a registered kind, such as ``trace``, ``d-optimal`` or ``loss:absolute``,
            ``c-optimal:1,-1,0``, ``total-variation:1/3,1/3,1/3``, ``alpha-divergence:1/2:1/3,1/3,1/3``. ``A`` and
            ``A-optimality`` are ``a-optimal``; so is ``variance``, the total variance of all estimated proportions.

    Raises:
        InvalidParameterError: no objective has this name, or its parameters are invalid.

    >>> print(objective_of_text("c-optimal:1,-1,0").contrast)
    (Fraction(1, 1), Fraction(-1, 1), Fraction(0, 1))
    """
    if not isinstance(text, str):
        raise InvalidParameterError(f"the name of an objective is not a text: received {shown(text)}")
    name, _, rest = text.partition(":")
    plain = name.strip().lower().replace("_", "-").replace(" ", "-").replace("-optimality", "-optimal")
    kind = _SHORT.get(plain, plain if plain in OBJECTIVES else name)
    return OBJECTIVES[one_of(kind, OBJECTIVES, "`objective`")].of_text(rest.strip())


_SHORT = {
    "variance": "a-optimal",
    "a": "a-optimal",
    "c": "c-optimal",
    "d": "d-optimal",
    "e": "e-optimal",
    "mi": "mutual-information",
}


def _written(value: Any) -> Any:
    """Return a parameter as JSON: exact numbers as strings, sequences as lists, other objects by their ``to_dict``."""
    if isinstance(value, tuple):
        return [_written(x) for x in value]
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value if value is None or isinstance(value, (str, bool)) else as_text(value)


def exact_rows(data: object, name: str, what: str) -> Rows:
    """Return a matrix of exact numbers with at least two columns.

    Args:
        data: what the caller gave.
        name: the name of the parameter in messages.
        what: what a row belongs to.

    Raises:
        InvalidParameterError: the rows are no lists of numbers, or they differ in length.
    """
    given = [listed(row) for row in listed(data) or ()]
    if not given or not all(row and len(row) == len(given[0] or ()) >= 2 for row in given):
        raise InvalidParameterError(
            f"{name} is not a matrix: received {shown(data)}; give a row of k >= 2 numbers for each {what}"
        )
    return tuple(
        tuple(rational(x, name=f"{name} of entry ({i}, {j})") for j, x in enumerate(row or ()))
        for i, row in enumerate(given)
    )


def shares_of_inputs(mechanism: Mechanism, population: Sequence[object]) -> tuple[Fraction, ...]:
    """Return a distribution on the inputs of a mechanism as exact numbers.

    Raises:
        InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
    """
    mechanism = required_mechanism(mechanism)
    return exact_population(population, mechanism.inputs)
