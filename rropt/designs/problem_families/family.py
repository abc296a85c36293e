"""``Family``: the optimum of a family of design problems for all parameters and every gamma, proved at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls, require_flags, require_lists, require_texts
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import proof_of_record
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, as_text, both_texts, rational
from rropt.core.exact.flint_numbers import as_flint
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, Table, html_lines
from rropt.core.results.answer_text import value_text
from rropt.core.results.layout import terminal_width
from rropt.core.results.sequences import SequenceOf
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import visible, with_noun
from rropt.designs.problem_families.candidates import SampledFamily, sampled, values_at
from rropt.designs.problem_families.classes import FamilyProblem
from rropt.designs.problem_families.family_certificates import certify_family, formula_json
from rropt.designs.problem_families.family_files import family_of_text, family_problem
from rropt.designs.problem_families.formula_trees import Tree, quotient_of_tree, text_of_tree, tree_of_quotient
from rropt.designs.problem_families.parts import GAMMA, RowKind
from rropt.designs.problem_families.proofs import DEGREE, FamilyProver, FormulaProof, OpenConditionError
from rropt.designs.problem_families.quotients import RationalFunction
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.plots.figures import Figure

_WHAT = "family of designs"
MOST_CATEGORIES = 1000  # of a mechanism that is written as a matrix
_MOST_DEGREE = 4
_MOST_SHOWN = 8  # categories of a matrix that is printed
_NO_DUAL = "no dual solution was found"
_DIGITS = 20  # of gamma, where exp(epsilon) is irrational


@dataclass(frozen=True, slots=True)
class FamilyFormula:
    """One of the formulas whose least is the optimum, and the mechanism that attains it.

    Attributes:
        problem: the family.
        tree: the formula in the parameters and gamma, as certificates write it.
        rows: the rows of its mechanism, as certificates write them.
    """

    problem: FamilyProblem
    tree: Tree
    rows: tuple[Mapping[str, Any], ...]

    @property
    def value(self) -> str:
        """The formula as text."""
        return text_of_tree(self.tree)

    @property
    def quotient(self) -> RationalFunction:
        """The formula as a rational function of the parameters and u = gamma - 1."""
        return self._quotient(self.tree)

    def _quotient(self, tree: Tree) -> RationalFunction:
        ring = self.problem.ring
        names = {name: ring.name(name) for name in self.problem.names}
        return quotient_of_tree(tree, {**names, GAMMA: ring.name("u") + ring.number(1)}, ring)

    def columns(self) -> list[tuple[RowKind, RationalFunction]]:
        """Return the kinds of rows with their weights."""
        places = {(c.decision, c.classes, c.own): c for c in self.problem.columns}
        found = []
        for row in self.rows:
            key = (int(row["decision"]), tuple(map(int, row["classes"])), int(row["own"]))
            found.append((places[key], self._quotient(row["weight"])))
        return found

    def entries(self) -> list[tuple[str, tuple[str, ...], str]]:
        """Return the mechanism: for each output its name, its probability at each class, and at its own category.

        The probability at a class is that of each of its categories; of an own class, of the other ones. The last
        text is empty for a decision without own categories.
        """
        listed = self.entry_trees()
        return [
            (name, tuple(map(text_of_tree, places)), "" if own is None else text_of_tree(own))
            for name, places, own in listed
        ]

    def entry_trees(self) -> list[tuple[str, tuple[Tree, ...], Tree | None]]:
        """Return the same with the formulas as trees."""
        problem, ring = self.problem, self.problem.ring
        listed = self.columns()
        u, total = ring.name("u"), ring.number(0)
        for _, weight in listed:
            total = total + weight
        found = []
        for h, decision in enumerate(problem.decisions):
            own = [(column, x) for column, x in listed if column.decision == h]
            if not own:
                continue
            count = ring.number(1) if decision.own is None else problem.sizes[decision.own]
            places = [self._sum(own, u + total, count, i) for i in range(len(problem.classes))]
            at_own = None if decision.own is None else self._sum(own, u + total, count, None)
            found.append((decision.name, tuple(places), at_own))
        return found

    def _sum(
        self,
        rows: list[tuple[RowKind, RationalFunction]],
        over: RationalFunction,
        count: RationalFunction,
        i: int | None,
    ) -> Tree:
        ring = self.problem.ring
        gamma = ring.name("u") + ring.number(1)
        total = ring.number(0)
        for column, x in rows:
            is_in = column.own if i is None else column.classes[i]
            total = total + (x * gamma if is_in else x)
        return tree_of_quotient(self.problem.in_gamma(total / (over * count)), (*self.problem.names, GAMMA))

    def __call__(self, gamma: object, **values: object) -> Fraction:
        """Return the value at numbers."""
        return self.quotient(_point(self.problem, values, rational(gamma, name=GAMMA)))

    def __str__(self) -> str:
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """Return the formula for JSON."""
        outputs = [
            {"decision": name, "at": list(places), **({"own": own} if own else {})}
            for name, places, own in self.entries()
        ]
        return {"value": self.value, "mechanism": outputs}


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """An optimal design of one problem of a family.

    Attributes:
        values: the parameters.
        gamma: the level.
        formula: the formula that is the least.
        value: the optimum.
    """

    values: Mapping[str, Fraction]
    gamma: Fraction
    formula: FamilyFormula
    value: Fraction

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the categories: those of their classes, numbered if a class has several."""
        return _labels([(one.name, size) for one, size in zip(self._problem.classes, self._sizes, strict=True)])

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        counts = [1 if d.own is None else self._sizes[d.own] for d in self._problem.decisions]
        used = {column.decision for column, _ in self.formula.columns()}
        named = [(d.name, n) for h, (d, n) in enumerate(zip(self._problem.decisions, counts, strict=True)) if h in used]
        return _labels(named)

    @property
    def _problem(self) -> FamilyProblem:
        return self.formula.problem

    @property
    def _sizes(self) -> list[int]:
        return _sizes_at(self._problem, self.values)

    @property
    def mechanism(self) -> Mechanism:
        """The optimal mechanism as a matrix: a row for each output.

        Raises:
            InvalidParameterError: there are more than 1000 categories.
        """
        problem, sizes = self._problem, self._sizes
        if sum(sizes) > MOST_CATEGORIES:
            raise InvalidParameterError(
                f"a mechanism is written as a matrix up to {with_noun(MOST_CATEGORIES, 'category')}: received "
                f"{sum(sizes)}; read its entries with formula.entries()"
            )
        point = _point(problem, self.values, self.gamma)
        listed = [(column, x(point)) for column, x in self.formula.columns()]
        total = sum((x for _, x in listed), Fraction(0))
        classes = [i for i, n in enumerate(sizes) for _ in range(n)]
        rows = []
        for h, decision in enumerate(problem.decisions):
            own = [(column, x) for column, x in listed if column.decision == h]
            members = [None] if decision.own is None else [j for j, i in enumerate(classes) if i == decision.own]
            for member in members if own else ():
                row = [Fraction(0)] * len(classes)
                for column, x in own:
                    t = x / (len(members) * (total + self.gamma - 1))
                    for j, i in enumerate(classes):
                        is_in = column.own if j == member else column.classes[i]
                        row[j] += t * (self.gamma if is_in else 1)
                rows.append(row)
        return Mechanism(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the design for JSON; the matrix is null if there are too many categories."""
        is_short = sum(self._sizes) <= MOST_CATEGORIES
        matrix = [[as_text(x) for x in row] for row in self.mechanism.matrix] if is_short else None
        return {
            "values": {name: as_text(x) for name, x in self.values.items()},
            "gamma": as_text(self.gamma),
            "formula": self.formula.value,
            "value": as_text(self.value),
            "mechanism": {"matrix": matrix},
        }

    def summary(self) -> str:
        """Return the value and the matrix as text."""
        at = ", ".join(f"{name} = {as_text(x)}" for name, x in {**self.values, GAMMA: self.gamma}.items())
        lines = [f"  at {at}: {both_texts(self.value)} by {self.formula.value}"]
        if sum(self._sizes) <= _MOST_SHOWN:
            rows = [[as_text(x) for x in row] for row in self.mechanism.matrix]
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            label = max(map(len, self.outputs))
            for name, row in zip(self.outputs, rows, strict=True):
                cells = "  ".join(text.rjust(n) for text, n in zip(row, widths, strict=True))
                lines.append(f"    {name.ljust(label)}  {cells}")
        return "\n".join(map(visible, lines))

    def __str__(self) -> str:
        return as_text(self.value)


def _labels(named: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(name if n == 1 else f"{name} {i}" for name, n in named for i in range(n))


def _point(problem: FamilyProblem, values: Mapping[str, object], gamma: Fraction) -> tuple[Any, ...]:
    """Return the values of the parameters and of u, in order."""
    if set(values) != set(problem.names):
        raise InvalidParameterError(
            f"each parameter needs a value: received {', '.join(map(shown, sorted(values))) or 'none'}; allowed are "
            f"{', '.join(problem.names) or 'none'}"
        )
    found = []
    for parameter in problem.parameters:
        value = rational(values[parameter.name], name=parameter.name)
        if not parameter.holds(value):
            raise InvalidParameterError(
                f"{parameter.name} is outside of its range: received {value}; allowed is {parameter}"
            )
        found.append(as_flint(value))
    if gamma < 1:
        raise InvalidParameterError(f"gamma is at least 1: received {gamma}")
    return (*found, as_flint(gamma - 1))


def _sizes_at(problem: FamilyProblem, values: Mapping[str, Fraction]) -> list[int]:
    point = _point(problem, values, Fraction(1))
    found = [size(point) for size in problem.sizes]
    if any(n.denominator > 1 for n in found):
        raise InvalidParameterError(
            f"the sizes of the classes are no whole numbers there: received {', '.join(map(str, found))}"
        )
    return [int(n) for n in found]


class _Formulas(SequenceOf):
    """What a proved family and a conjecture share."""

    __slots__ = ()
    problem: FamilyProblem
    formulas: tuple[FamilyFormula, ...]
    lines: Any
    summary: Any

    ITEMS = "formulas"

    @property
    def extreme(self) -> str:
        """``least`` for costs, ``largest`` for payoffs."""
        return "least" if self.problem.sense == "minimise" else "largest"

    def at(self, gamma: object | None = None, *, epsilon: object | None = None, **values: object) -> FamilyMember:
        """Return the optimal design at numbers.

        Args:
            gamma: the level, a rational number of at least 1.
            epsilon: the level in nats instead; at an irrational exp(epsilon) the design is that of a gamma just below.
            values: the parameters, for example ``k=7, p="1/3"``.

        Raises:
            InvalidParameterError: a value is missing or outside of its range, or the sizes are no whole numbers.
        """
        if (gamma is None) == (epsilon is None):
            raise InvalidParameterError("a level is gamma or epsilon: give one of them")
        level = rational(gamma, name=GAMMA) if epsilon is None else Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower
        point = _point(self.problem, values, level)
        exact = {name: rational(value, name=name) for name, value in values.items()}
        _sizes_at(self.problem, exact)
        pick = min if self.problem.sense == "minimise" else max
        pairs = [(formula.quotient(point), n) for n, formula in enumerate(self.formulas)]
        value, n = pick(pairs, key=lambda pair: pair[0])
        return FamilyMember(exact, level, self.formulas[n], value)

    def where(self, formula: FamilyFormula | int) -> tuple[str, ...]:
        """Return where a formula is the optimum: inequalities, all of which must be true.

        Args:
            formula: the formula, or its place.

        Raises:
            InvalidParameterError: the family has no such formula.
        """
        places = range(len(self.formulas))
        own = self.formulas[formula] if isinstance(formula, int) and formula in places else formula
        if not isinstance(own, FamilyFormula):
            raise InvalidParameterError(
                f"the family has no such formula: received {shown(formula)}; allowed is one of its formulas, or a "
                f"place from 0 to {len(self.formulas) - 1}"
            )
        return tuple(self.problem.sign_text(self._gap(own, other)) for other in self.formulas if other.tree != own.tree)

    def _gap(self, own: FamilyFormula, other: FamilyFormula) -> RationalFunction:
        gap = other.quotient - own.quotient
        return gap if self.problem.sense == "minimise" else -gap

    @property
    def domain(self) -> str:
        """The ranges of the parameters and gamma > 1, as text."""
        return ", ".join([*map(str, self.problem.parameters), "gamma > 1"])

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each formula: the formula, and the outputs of its mechanism."""
        return [
            {"formula": one.value, "outputs": ", ".join(name for name, _, _ in one.entries())} for one in self.formulas
        ]

    def _mechanism_lines(self, formula: FamilyFormula) -> list[str]:
        """Return a line for each output: its probability at its own category, at each class, and elsewhere."""
        lines = []
        for name, places, own in formula.entries():
            groups: dict[str, list[str]] = {own: ["its own category"]} if own else {}
            for text, one in zip(places, self.problem.classes, strict=True):
                groups.setdefault(text, []).append(one.name)
            *first, (last, _) = groups.items()
            parts = [f"{text} at {' and '.join(names)}" for text, names in first]
            lines.append(f"{name}: {', '.join([*parts, f'{last} elsewhere' if parts else last])}")
        return lines

    @staticmethod
    def _wrapped(lines: Sequence[str], width: int | None) -> str:
        """Return lines that fit the width; what goes on is indented further."""
        found = []
        for line in map(visible, lines):
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            found += wrap(
                line,
                terminal_width() if width is None else width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
        return "\n".join(found)

    def _heading(self) -> list[str]:
        what = "cost" if self.problem.sense == "minimise" else "payoff"
        classes = ", ".join(f"{c.name} ({c.size} x {c.share})" for c in self.problem.classes)
        return [
            f"  classes (size x proportion): {classes}",
            f"  for all {self.domain} the {self.extreme} expected {what} is the {self.extreme} of",
        ]

    def as_tables(self) -> list[Table]:
        """Return the formulas with their mechanisms as a table."""
        rows = [(one.value, "; ".join(self._mechanism_lines(one))) for one in self.formulas]
        return [("", ("formula", "mechanism"), rows), ("", None, self.lines())]

    def __str__(self) -> str:
        return str(self.summary())

    def __repr__(self) -> str:
        told = value_text({str(n): one.value for n, one in enumerate(self.formulas)})
        return f"<{type(self).__name__} {told}>"

    def _repr_html_(self) -> str:
        return html_lines(self.lines())


@dataclass(frozen=True, slots=True)
class Family(_Formulas, PosedTwice):
    """The optimum of a family of design problems: the least of a few formulas, for all parameters and every gamma.

    Attributes:
        problem: the family.
        certificate: the certificate of the statement ``family``, accepted by the checker.
        formulas: the formulas with their mechanisms.

    >>> found = family("none-of-these", fast=True)
    >>> for formula in found.formulas[:3]:
    ...     print(formula)
    2/5
    1 - p
    k/(k + gamma)
    >>> print(found.at(k=7, p="1/3", gamma=4))
    28/75
    """

    problem: FamilyProblem
    certificate: Certificate
    formulas: tuple[FamilyFormula, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        claimed = self.certificate.claim["formulas"]
        listed = tuple(FamilyFormula(self.problem, entry["value"], tuple(entry["rows"])) for entry in claimed)
        object.__setattr__(self, "formulas", listed)

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: formulas are texts."""
        record = {
            "problem": self.problem.to_dict(),
            "formulas": [one.to_dict() for one in self.formulas],
            "certificate": self.certificate.to_dict(),
        }
        return self.with_twins(record)

    @classmethod
    def from_proof(cls, problem: FamilyProblem, certificate: Certificate) -> Family:
        """Return the result that a certificate proves, without solving; used to read files.

        Raises:
            FileFormatError: the checker rejects the certificate, or it belongs to another family.
        """
        proof_of_record(certificate, problem.certified(), _WHAT)
        return cls(problem, certificate)

    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each formula."""
        formulas = [(f"formula {n + 1}", one.value) for n, one in enumerate(self.formulas)]
        return [
            ("domain", self.domain),
            (f"the {self.extreme} of", with_noun(len(self.formulas), "formula")),
            *formulas,
            *self.twin_lines(),
            ("certificate", str(self.certificate.check())),
        ]

    def summary(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return the formulas with their mechanisms as text, as the command prints them."""
        text = ["Optimum of a family of designs", *self._heading()]
        for formula in self.formulas:
            text.append(f"    {formula.value}")
            text += [f"      {line}" for line in self._mechanism_lines(formula)]
        text.append(f"  certificate {self.certificate.check()}")
        if self.kept_twins is not None:
            text.append(f"posed twice: {self.kept_twins.line()}")
        return self._wrapped(text, width)

    def cvxpy_twin(self) -> Twin:
        """Return the twin: the linear program at several parameters and levels, beside the formulas.

        Raises:
            RouteDisagreementError: the least of the formulas is not the value of the program at some of them.
        """
        from rropt.convex.designs.problem_families.family import cvxpy_twin

        return cvxpy_twin(self)

    def sympy_twin(self) -> Twin:
        """Return the twin: the mechanism of each formula in the definition, at small sizes.

        Raises:
            RouteDisagreementError: a mechanism is none, is not private, or has another cost than its formula.
        """
        from rropt.symbolic.designs.problem_families.family import sympy_twin

        return sympy_twin(self)

    @clear_calls
    def to_cvxpy(self, gamma: float = 3.0, **values: float) -> Any:
        """Return the linear program of a member of a family; its size does not depend on the sizes of the classes.

        ``costs``, ``cover`` and ``sizes`` are Parameters.

        Args:
            gamma: the level.
            values: the parameters; by default those near the start of their ranges.

        Raises:
            InvalidParameterError: a value has the name of no parameter, or gamma is below 1.
        """
        from rropt.convex.designs.problem_families.family import to_cvxpy

        return to_cvxpy(self, gamma, **values)

    def to_sympy(self) -> Any:
        """Return the optimum as ``Min`` (of payoffs ``Max``) of the formulas in the parameters and ``gamma``."""
        from rropt.symbolic.designs.problem_families.family import to_sympy

        return to_sympy(self)

    def to_latex(self) -> str:
        """Return the theorem in LaTeX: the statement, a table of mechanisms, the duals, and the identities as an
        appendix.

        The packages are amsmath, amssymb and graphicx.
        """
        from rropt.symbolic.designs.problem_families.family import to_latex

        return to_latex(self)

    @clear_calls
    def plot(
        self, name: str | None = None, *, at: Mapping[str, Any] | None = None, size: str = "paper", ax: Any = None
    ) -> Figure:
        """Return a phase diagram: which formula of a family is the optimum, by epsilon and a parameter.

        Args:
            name: the parameter of the upright axis; by default the first one that is no whole number.
            at: the values of the other parameters.
            size, ax: as for ``region``.
        """
        from rropt.plots.draw_families import family

        return family(self, name, at=at, size=size, ax=ax)


@dataclass(frozen=True, slots=True)
class FamilyConjecture(_Formulas, Result):
    """Formulas whose least equals the optimum of a family at many points, without a complete proof.

    Attributes:
        problem: the family.
        degree: the largest degree that was tried.
        formulas: the formulas with their mechanisms; these exist, so that no optimum is above their least.
        points: the number of points at which the least formula equals the optimum.
        open: for each formula without a proof its text, and the condition that is not proved where it is the optimum,
            an inequality in the parameters and gamma.
    """

    problem: FamilyProblem
    degree: int
    formulas: tuple[FamilyFormula, ...] = field(compare=False)
    points: int = field(compare=False)
    open: tuple[tuple[str, str], ...] = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: formulas are texts."""
        return {
            "problem": self.problem.to_dict(),
            "degree": self.degree,
            "formulas": [one.to_dict() for one in self.formulas],
            "points": self.points,
            "open": [list(pair) for pair in self.open],
        }

    @property
    def certificate(self) -> None:
        """None: a conjecture has no certificate."""
        return

    @classmethod
    def recompute(cls, problem: FamilyProblem, degree: int) -> Family | FamilyConjecture:
        """Search again; used to read files."""
        return solve_family(problem, degree=degree)

    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each formula, and for each one that is not proved."""
        formulas = [(f"formula {n + 1}", one.value) for n, one in enumerate(self.formulas)]
        missing = [(f"not proved: {formula}", condition) for formula, condition in self.open]
        return [
            ("domain", self.domain),
            ("conjectured", f"the {self.extreme} of {with_noun(len(self.formulas), 'formula')}"),
            *formulas,
            ("equal to the optimum", f"at {with_noun(self.points, 'point')}, in floating point"),
            *missing,
        ]

    def summary(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return the formulas and the open conditions as text, as the command prints them."""
        text = [f"Conjectured, equal to the optimum at {with_noun(self.points, 'point')}", *self._heading()]
        text += [f"    {formula.value}" for formula in self.formulas]
        for formula, condition in self.open:
            text.append(f"  not proved where {formula} is the {self.extreme}: {condition}")
        return self._wrapped(text, width)


@clear_calls
def family(
    parameters: str | Mapping[str, str],
    classes: Mapping[str, Any] | None = None,
    decisions: Sequence[Any] | None = None,
    *,
    against: Mapping[str, Any] | None = None,
    sense: str = "minimise",
    degree: int = DEGREE,
    fast: bool = False,
) -> Family | FamilyConjecture:
    """Find the optimum of a family of design problems for all parameters and every gamma > 1, with a certificate.

    The categories form classes of alike ones, whose sizes and proportions are formulas in the parameters. The optimum
    of ``sum_j share_j sum_d cost_dj p_dj`` over all mechanisms with ``p_dj <= gamma p_dl`` is the least of a few
    formulas ``(A + B u)/(u + X)``, u = gamma - 1. Each is a mechanism, and a dual in symbols proves it wherever it is
    the least.

    Args:
        parameters: a range for each parameter: ``"2.., whole"`` (whole numbers from 2 on), ``"0..1"`` (between them),
            ``"0.."``; or the name of a family (``rropt design family --help`` lists them), or of a file in TOML.
        classes: for each class the number of its categories and the proportion of each, for example
            ``{"none": ("1", "p"), "brand": ("k", "(1-p)/k")}``. The proportions sum to 1.
        decisions: a name and the costs by class, for example ``("none", {"none": 0, "brand": 1})``, or one cost for
            all. A third entry is the cost at its own category: then the decision stands for one for each category of
            the class of its name.
        against: in place of decisions, the proportions of a second distribution by class: the largest total variation.
        sense: ``"minimise"`` for costs, ``"maximise"`` for payoffs.
        degree: the largest power of each variable in the factor of an identity, at most 4; a larger one proves more,
            and takes longer.
        fast: whether to leave out the comparison with the same problem in SymPy and CVXPY.

    Returns:
        A ``Family``; a ``FamilyConjecture`` if a condition is not proved.

    Raises:
        InvalidParameterError: a part has another form, the proportions do not sum to 1, or a size or a proportion is
            not positive by the coefficients of its formula.

    References:
        Weak duality: the page ``every_level.md`` of the checker. Identities: Polya (1928), Handelman (1988).

    >>> found = family({"k": "2.., whole"}, {"category": ("k", "1/k")}, [("category", 1, 0)], fast=True)
    >>> print(*found.formulas)
    (k - 1)/(k + gamma - 1)
    """
    require_flags(fast=fast)
    require_texts(sense=sense)
    require_lists(classes=classes, decisions=decisions, against=against)
    if isinstance(parameters, str):
        if classes is not None or decisions is not None or against is not None:
            raise InvalidParameterError(
                "a family has a name, or classes and decisions: received both; give one of them"
            )
        problem = family_of_text(parameters)
    elif classes is None:
        raise InvalidParameterError('a family has classes: give them, for example {"category": ("k", "1/k")}')
    else:
        problem = family_problem(parameters, classes, decisions, against=against, sense=sense)
    return solve_family(problem, degree=degree, fast=fast)


def solve_family(problem: FamilyProblem, *, degree: int = DEGREE, fast: bool = True) -> Family | FamilyConjecture:
    """Return the optimum of a family, proved if each condition has an identity.

    Args:
        problem: the family.
        degree: as for ``family``.
        fast: whether to leave out the twins.

    Raises:
        InvalidParameterError: the degree is not an integer from 0 to 4.
    """
    if type(degree) is not int or not 0 <= degree <= _MOST_DEGREE:
        raise InvalidParameterError(f"the degree is an integer from 0 to {_MOST_DEGREE}: received {shown(degree)}")
    sample = sampled(problem)
    prover = FamilyProver(problem, sample, degree)
    proofs: list[FormulaProof] = []
    missing: list[tuple[str, str]] = []
    for number, candidate in enumerate(sample.candidates):
        try:
            proofs.append(prover.prove(number))
        except OpenConditionError as error:
            condition = _NO_DUAL if error.condition is None else problem.condition_text(error.condition)
            missing.append((text_of_tree(formula_json(problem, candidate)["value"]), condition))
    if missing:
        listed = [formula_json(problem, one) for one in sample.candidates]
        formulas = tuple(FamilyFormula(problem, entry["value"], tuple(entry["rows"])) for entry in listed)
        return FamilyConjecture(problem, degree, formulas, _equal_points(problem, sample), tuple(missing))
    certificate = certify_family(problem, sample.candidates, proofs)
    verdict = certificate.check()
    if not verdict:
        raise ArithmeticError(f"internal error: the certificate of a family is {verdict}; please report the problem")
    found = Family(problem, certificate)
    return found if fast else found.compared_twice()


def _equal_points(problem: FamilyProblem, sample: SampledFamily) -> int:
    """Return at how many points the least formula equals the optimum."""
    least = np.array([values_at(problem.in_variables(one.value), sample.points) for one in sample.candidates]).min(
        axis=0
    )
    return int((abs(least - sample.values) <= 1e-6 * np.maximum(1, abs(least))).sum())
