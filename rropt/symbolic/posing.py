"""A problem as SymPy expressions (``Posing``), and its closed form with the domain on which it holds (``Form``).

The posing is the definition of the problem: its variables, its objective and its constraints. It needs no theorem, so
that ``check`` can put any exact design in: all constraints must hold exactly, and the objective must have the value
that is claimed. A closed form is a theorem, or an optimal vertex solved in symbols (``active``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal

import sympy as sp
from flint import ctx, fmpq

from rropt.core.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError, shown
from rropt.core.exact import Epsilon
from rropt.core.exact.display import decimal_text
from rropt.core.mappings import ReadOnlyMapping
from rropt.symbolic import symbols
from rropt.symbolic.balls import number_at
from rropt.symbolic.symbols import exact, sign_of

__all__ = ["Checked", "Form", "Posing", "factored"]

Values = Mapping[sp.Symbol, sp.Expr]

_LONGEST = 20  # characters of a number in a line
_LONGEST_FACTORED = 256  # bits of a number: one of 80 digits takes 0.1 s to be factored, one of 200 digits 20 s


def _number_text(number: sp.Expr) -> str:
    """Return an exact number as text if it is short, else its decimals."""
    is_short = number.is_Rational and number.q == 100  # all its digits are shown
    text = decimal_text(Fraction(number.p, 100), len(str(number.p))) if is_short else str(number)
    return text if len(text) <= _LONGEST and not number.has(sp.Float) else str(sp.N(number, 9))


def factored(expression: sp.Expr) -> sp.Expr:
    """Return a rational function as a product of factors; other expressions, and long numbers, as they are."""
    free = expression.free_symbols
    if not free or not expression.is_rational_function(*free):
        return expression
    longest = max((max(abs(x.p), x.q).bit_length() for x in expression.atoms(sp.Rational)), default=0)
    return sp.factor(expression) if longest <= _LONGEST_FACTORED else expression


def _operand(value: Any) -> Any:
    """Return what an operation with a form has on its other side, as SymPy knows it."""
    return value._sympy_() if hasattr(value, "_sympy_") else value


def _substituted(value: Any) -> sp.Expr:
    """Return what stands in place of a symbol: an expression, or an exact number of any form that rropt accepts."""
    return sp.sympify(value) if hasattr(value, "_sympy_") else exact(value)


@dataclass(frozen=True)
class Form:
    """A closed form of an optimum.

    Attributes:
        value: the optimal value, as an expression in ``gamma``, ``delta`` and ``pi``; products are factored.
        theorem: the theorem with its source, or how the form was derived.
        domain: the condition on the symbols under which this is the optimum, a SymPy relation or ``true``; or a
            function that computes it when it is first read.
        mechanism: an optimal mechanism in the same symbols (rows are outputs), or a function that computes it when it
            is first read; None if the form gives the value alone.
        parameters: the exact values of the symbols in the problem.
        is_sum: whether the value is a sum over blocks, which is not factored, and whose domain takes seconds.
        has_many_conditions: whether the domain takes seconds, because hundreds of polynomials decide it.

    >>> import sympy
    >>> from rropt.symbolic.symbols import gamma
    >>> form = Form((gamma - 1) / (gamma + 1), "an example", sympy.Ge(gamma, 1), parameters={gamma: 3})
    >>> form.at(), form.at(gamma=5), str(form)
    (1/2, 2/3, '(gamma - 1)/(gamma + 1)')

    It is an expression: SymPy takes it for its value, and operations with it are SymPy's.

    >>> form.subs(gamma=3), sympy.simplify(form + 2 / (gamma + 1)), sympy.latex(form * 2) == sympy.latex(2 * form.value)
    (1/2, 1, True)
    """

    value: sp.Expr
    theorem: str
    domain: Any = field(default_factory=lambda: sp.true)  # no attribute of the class: it may be computed later
    mechanism: Any = field(default_factory=lambda: None)  # likewise
    parameters: Values = field(default_factory=dict)
    is_sum: bool = False
    has_many_conditions: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.value if self.is_sum else factored(self.value))
        numbers = {symbol: exact(number) for symbol, number in self.parameters.items()}
        object.__setattr__(self, "parameters", ReadOnlyMapping(numbers))
        later = {}
        for name in ("domain", "mechanism"):
            given = self.__dict__.get(name)
            if callable(given) and not isinstance(given, (bool, sp.Basic)):
                later[name] = given
                object.__delattr__(self, name)
        object.__setattr__(self, "_later", later)

    def __getattr__(self, name: str) -> Any:
        """Compute the domain or the mechanism when it is first read."""
        derived = self.__dict__.get("_later", {}).get(name)
        if derived is None:
            raise AttributeError(f"a form has no attribute {name!r}; form.value, an expression of SymPy, may have it")
        object.__setattr__(self, name, derived())
        return self.__dict__[name]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to copy the form, with its domain."""
        return Form, (
            self.value,
            self.theorem,
            self.domain,
            self.mechanism,
            dict(self.parameters),
            self.is_sum,
            self.has_many_conditions,
        )

    def at(self, **values: Any) -> sp.Expr:
        """Return the value of the form at a level, exactly.

        Args:
            values: values of symbols by their names, for example ``gamma=5`` or ``gamma="3/2"``; ``epsilon`` is
                accepted in place of ``gamma``. Symbols that are not named have their values in the problem.

        Raises:
            InvalidParameterError: the form has no such symbol, or the point is outside the domain of the form.
        """
        return self.value.xreplace(self._point(values))

    def mechanism_at(self, **values: Any) -> sp.ImmutableMatrix:
        """Return the mechanism of the form at a level, exactly; the arguments are those of ``at``.

        Raises:
            UnsupportedProblemError: the form gives the value alone.
        """
        if self.mechanism is None:
            raise UnsupportedProblemError(f"the form gives the value alone: {self.theorem}; solve the problem")
        return self.mechanism.xreplace(self._point(values))

    def _point(self, values: Mapping[str, Any]) -> dict[sp.Symbol, sp.Expr]:
        if not values:
            return dict(self.parameters)
        given = dict(values)
        if "epsilon" in given and "gamma" not in given:
            given["gamma"] = symbols.gamma_of(Epsilon.of(given.pop("epsilon")))
        known = {symbol.name: symbol for symbol in self.parameters}
        if "delta" in given and "delta" not in known and exact(given["delta"]) == 0:
            del given["delta"]  # the form is one of delta = 0
        for name in given:
            if name not in known:
                raise InvalidParameterError(
                    f"the form has no symbol {shown(name)}: allowed are {', '.join(known) or 'none'}"
                )
        point = {**self.parameters, **{known[name]: exact(number) for name, number in given.items()}}
        if not holds(self.domain.xreplace(point)):
            told = ", ".join(f"{symbol} = {number}" for symbol, number in point.items())
            raise InvalidParameterError(
                f"the point is outside the domain of the form: received {told}; the form holds where {self.domain}; "
                "pose the problem at that level, or substitute in form.value"
            )
        return point

    def subs(self, *substitutions: Any, **named: Any) -> sp.Expr:
        """Return the value with other values in place of symbols, as in SymPy; ``at`` also tests the domain.

        Args:
            substitutions: as for ``sympy.Expr.subs``. A symbol is also found by its name, as in ``{"gamma": 3}``.
            named: values of symbols by name, as in ``gamma=3``; ``epsilon`` is accepted in place of ``gamma``.

        Raises:
            InvalidParameterError: the form has no such symbol.

        >>> form = Form((symbols.gamma - 1) / (symbols.gamma + 1), "an example")
        >>> form.subs({"gamma": 3}), form.subs("gamma", 5), form.subs(epsilon="log(2)"), form.subs(symbols.gamma, 7)
        (1/2, 2/3, 1/3, 3/4)
        """
        given = substitutions[0] if len(substitutions) == 1 else [substitutions] if substitutions else {}
        pairs = [*(given.items() if isinstance(given, Mapping) else given), *named.items()]
        if len(substitutions) > 2 or any(not isinstance(pair, (tuple, list)) or len(pair) != 2 for pair in pairs):
            raise InvalidParameterError(
                f"substitutions are not pairs of a symbol and its value: received {shown(substitutions)}; write "
                'form.subs(gamma=3) or form.subs({"gamma": 3})'
            )
        known = {symbol.name: symbol for symbol in {*self.value.free_symbols, *self.parameters}}
        found = []
        for old, new in pairs:
            name = old if isinstance(old, str) else getattr(old, "name", "")
            if name == "epsilon" and name not in known and "gamma" in known:
                found.append((known["gamma"], symbols.gamma_of(Epsilon.of(new))))
            elif name in known or isinstance(old, sp.Basic):
                found.append((known.get(name, old), _substituted(new)))
            else:
                raise InvalidParameterError(
                    f"the form has no symbol {shown(old)}: allowed are {', '.join(sorted(known)) or 'none'}"
                )
        return self.value.subs(found, simultaneous=True)

    @property
    def has_cheap_domain(self) -> bool:
        """Whether the domain is known, or takes little time: delta > 0, logarithms and many rows take seconds."""
        is_rational = not self.is_sum and self.value.is_rational_function(*self.value.free_symbols)
        is_short = is_rational and symbols.delta not in self.parameters and not self.has_many_conditions
        return "domain" in self.__dict__ or is_short

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols of the value."""
        return set(self.value.free_symbols)

    @property
    def where(self) -> str:
        """The domain as a text; ends of an interval of gamma that are long are given in decimals."""
        parts = self.domain.args if isinstance(self.domain, sp.And) else (self.domain,)
        if self.domain == sp.true:
            return "everywhere"
        if all(isinstance(part, sp.Eq) and part.lhs.is_Symbol for part in parts):
            return f"at this level alone: {', '.join(f'{part.lhs} = {_number_text(part.rhs)}' for part in parts)}"
        fixed = [part for part in parts if isinstance(part, sp.Eq) and part.lhs == symbols.delta]
        if fixed and len(fixed) < len(parts):
            rest = sp.And(*(part for part in parts if part not in fixed))
            return f"{Form(self.value, '', rest).where} at delta = {_number_text(fixed[0].rhs)}"
        if any(not isinstance(part, sp.core.relational._Inequality) for part in parts) or any(
            part.lhs != symbols.gamma or part.rhs.free_symbols for part in parts
        ):
            return str(self.domain)
        lower = [f"{_number_text(part.rhs)} {part.rel_op.replace('>', '<')}" for part in parts if ">" in part.rel_op]
        upper = [f"{part.rel_op} {_number_text(part.rhs)}" for part in parts if "<" in part.rel_op]
        if lower and upper:
            return f"{lower[0]} gamma {upper[0]}"
        return f"gamma {parts[0].rel_op} {_number_text(parts[0].rhs)}"

    def diff(self, *by: Any) -> sp.Expr:
        """Return the derivative of the value.

        Args:
            by: as for ``sympy.diff``: symbols and numbers of times. A symbol is also found by its name.

        >>> print(Form(1 / symbols.gamma, "an example").diff("gamma", 2))
        2/gamma**3
        """
        return self.value.diff(*map(self._named, by))

    def evalf(self, digits: int = 15, *, subs: Mapping[Any, Any] | None = None) -> sp.Expr:
        """Return the value as a decimal, at the values ``subs`` of its symbols, as in SymPy."""
        return (self.value if subs is None else self.subs(subs)).evalf(digits)

    def limit(self, symbol: Any, to: Any) -> sp.Expr:
        """Return the limit of the value as a symbol, or the symbol with this name, goes to a number or ``sympy.oo``."""
        return self.value.limit(self._named(symbol), to)

    def simplify(self) -> sp.Expr:
        """Return the value as ``sympy.simplify`` returns it."""
        return sp.simplify(self.value)

    def _named(self, symbol: Any) -> Any:
        """Return the symbol of the form with this name; SymPy alone would read a new symbol, without assumptions."""
        if not isinstance(symbol, str):
            return symbol
        known = {each.name: each for each in {*self.value.free_symbols, *self.parameters}}
        if symbol not in known:
            raise InvalidParameterError(
                f"the form has no symbol {shown(symbol)}: allowed are {', '.join(sorted(known)) or 'none'}"
            )
        return known[symbol]

    def latex(self) -> str:
        """Return the value in LaTeX."""
        return str(sp.latex(self.value))

    def _latex(self, printer: Any, **options: Any) -> str:
        return str(printer._print(self.value, **options))

    def _repr_latex_(self) -> str:
        """Return the value and the domain in LaTeX, as notebooks show them."""
        domain = "" if self.domain == sp.true else rf",\quad {sp.latex(self.domain)}"
        return rf"$\displaystyle {sp.latex(self.value)}{domain}$"

    def _sympy_(self) -> sp.Expr:
        return self.value

    def __float__(self) -> float:
        if names := sorted(symbol.name for symbol in self.value.free_symbols):
            raise TypeError(
                f"the form has no value without those of its symbols, {', '.join(names)}: write form.at() for those of "
                "the problem, or form.subs(gamma=3)"
            )
        return float(self.value)

    def __add__(self, other: Any) -> sp.Expr:
        return self.value + _operand(other)

    def __radd__(self, other: Any) -> sp.Expr:
        return _operand(other) + self.value

    def __sub__(self, other: Any) -> sp.Expr:
        return self.value - _operand(other)

    def __rsub__(self, other: Any) -> sp.Expr:
        return _operand(other) - self.value

    def __mul__(self, other: Any) -> sp.Expr:
        return self.value * _operand(other)

    def __rmul__(self, other: Any) -> sp.Expr:
        return _operand(other) * self.value

    def __truediv__(self, other: Any) -> sp.Expr:
        return self.value / _operand(other)

    def __rtruediv__(self, other: Any) -> sp.Expr:
        return _operand(other) / self.value

    def __pow__(self, other: Any) -> sp.Expr:
        return self.value ** _operand(other)

    def __rpow__(self, other: Any) -> sp.Expr:
        return _operand(other) ** self.value

    def __neg__(self) -> sp.Expr:
        return -self.value

    def __pos__(self) -> sp.Expr:
        return self.value

    def __str__(self) -> str:
        return _text_of(self.value)

    def __repr__(self) -> str:
        return f"<Form {self.value}, where {self.domain}>" if self.domain != sp.true else f"<Form {self.value}>"


@lru_cache(maxsize=16)
def _text_of(expression: sp.Expr) -> str:
    """Return an expression as text: that of a form is the same at all levels of a sweep, and takes milliseconds."""
    return str(expression)


@dataclass(frozen=True)
class Checked:
    """A design put into a posing.

    Attributes:
        value: the objective at the design, exactly.
        failed: the constraints that the design violates.
    """

    value: sp.Expr
    failed: tuple[Any, ...]

    def agrees(self, lower: Fraction, upper: Fraction) -> Literal["equal", "inside"]:
        """Return how the value compares with a certified bracket of the optimum.

        ``equal``: it is rational, and one of the ends. ``inside``: it is between the ends.

        Raises:
            RouteDisagreementError: a constraint fails, or the value is outside the bracket.
        """
        if self.failed:
            raise RouteDisagreementError(f"SymPy finds a constraint that the design violates: {self.failed[0]}")
        return compared(self.value, lower, upper)


def compared(value: sp.Expr, lower: Fraction, upper: Fraction) -> Literal["equal", "inside"]:
    """Return whether an exact value equals an end of a certified bracket, or is inside it.

    Raises:
        RouteDisagreementError: it is outside.
    """
    if value.is_Rational and symbols.as_fraction(value) in (lower, upper):
        return "equal"
    if sign_of(value - exact(lower)) < 0 or sign_of(value - exact(upper)) > 0:
        raise RouteDisagreementError(
            f"SymPy and the certified bracket disagree: {sp.N(value, 20)} against [{decimal_text(lower, 17)}, "
            f"{decimal_text(upper, 17)}]"
        )
    return "inside"


def interval(low: sp.Expr | None, high: sp.Expr | None) -> Any:
    """Return the relation ``low <= gamma <= high``; without a lower end gamma is above 1."""
    lower = sp.Gt(symbols.gamma, 1) if low is None else sp.Ge(symbols.gamma, low)
    return lower if high is None else sp.And(lower, sp.Le(symbols.gamma, high))


def holds(condition: Any) -> bool:
    """Return whether a condition without symbols is true, decided by the signs of its differences.

    Raises:
        ArithmeticError: a side is no real number.
    """
    if condition in (True, False):
        return bool(condition)
    if isinstance(condition, sp.And):
        return all(holds(part) for part in condition.args)
    if isinstance(condition, sp.Or):
        return any(holds(part) for part in condition.args)
    if isinstance(condition, sp.Eq) and isinstance(condition.lhs, sp.MatrixBase):
        return all(sign_of(entry) == 0 for entry in condition.lhs - condition.rhs)
    return sign_of(condition.lhs - condition.rhs) in _SIGNS[type(condition)]


_SIGNS = {sp.Eq: (0,), sp.Ne: (-1, 1), sp.Le: (-1, 0), sp.Lt: (-1,), sp.Ge: (0, 1), sp.Gt: (1,)}
"""The signs of the difference of both sides at which a relation holds."""
_BITS = 512  # of the intervals: a design in fractions is 10^-30 or more away from an irrational bound


def _holds_at(relation: Any, point: Values, near: Mapping[sp.Symbol, Any], known: dict[sp.Expr, Any]) -> bool:
    """Return whether a relation holds at a point: decided by rational numbers and intervals, else by SymPy.

    Args:
        relation: the relation.
        point: the exact values of the symbols.
        near: the same, as rational numbers and intervals of FLINT.
        known: the sums that were computed there.
    """
    if type(relation) in _SIGNS and isinstance(relation.lhs, sp.Expr):
        try:
            difference = number_at(relation.lhs, near, known) - number_at(relation.rhs, near, known)
        except (ArithmeticError, KeyError):  # a division by 0, a function without intervals, a symbol without a value
            return holds(_put_into(relation, point))
        if isinstance(difference, fmpq) or difference > 0 or difference < 0:
            return (difference > 0) - (difference < 0) in _SIGNS[type(relation)]
    return holds(_put_into(relation, point))


def _near(point: Values) -> dict[sp.Symbol, Any]:
    """Return the values of a point as rational numbers and intervals, of those that have one."""
    found = {}
    for symbol, value in point.items():
        with suppress(ArithmeticError):
            found[symbol] = number_at(value, {})
    return found


def _put_into(relation: Any, point: Values) -> Any:
    """Return a relation at a point. Its maxima are decided by signs: SymPy takes ten times as long at powers of e."""
    known = {}
    for each in relation.atoms(sp.Max):
        largest, *others = (part.xreplace(point) for part in each.args)
        for other in others:
            largest = other if sign_of(other - largest) > 0 else largest
        known[each] = largest
    return relation.xreplace({**point, **known})


Found = Form | str


class Posing:
    """A problem as SymPy expressions: its definition, and its closed form if one is known.

    Args:
        variables: the unknowns: the matrix P of symbols (rows are outputs), or a tuple of symbols.
        objective: what is minimized or maximized, an expression in the variables and the parameters.
        constraints: SymPy relations.
        sense: ``"minimise"``, ``"maximise"``, or ``""`` if the problem is no optimization.
        parameters: the exact values of the other symbols in the problem.
        form: the closed form; or the reason why there is none; or a function that returns one of both, which is called
            when it is first needed.
        completed: for objectives with further unknowns (such as the inverse of the information): a function from the
            values of ``variables`` and of the parameters to those of the further unknowns.
        outputs: a function that returns the same problem with another number of outputs, if that number is free.

    >>> import sympy
    >>> x, a = sympy.symbols("x a")
    >>> posing = Posing((x,), x**2, [sympy.Ge(x, a)], "minimise", {a: 2}, form="no theorem gives it")
    >>> posing.check({x: 3}).value, posing.check({x: 1}).failed, posing.form is None, posing.why
    (9, (x >= a,), True, 'no theorem gives it')
    """

    def __init__(
        self,
        variables: sp.ImmutableMatrix | tuple[sp.Symbol, ...],
        objective: sp.Expr,
        constraints: Iterable[Any],
        sense: Literal["minimise", "maximise", ""] = "",
        parameters: Mapping[sp.Symbol, Any] | None = None,
        *,
        form: Found | Callable[[], Found] = "no closed form is known",
        completed: Callable[[Values], Values] | None = None,
        outputs: Callable[[int], Posing] | None = None,
    ) -> None:
        self.variables = variables
        self.objective = objective
        self.constraints = tuple(constraints)
        self.sense = sense
        self.parameters: Values = ReadOnlyMapping({s: exact(number) for s, number in (parameters or {}).items()})
        self._form = form
        self._completed = completed
        self._outputs = outputs

    def derive_form(self, derived: Callable[[], Found]) -> None:
        """Derive the form by a function if no theorem gives one; it is called at the first access."""
        own = self._form

        def both() -> Found:
            found = own() if callable(own) else own
            return found if isinstance(found, Form) else derived()

        self._form = both

    def generalize_form(self, derived: Callable[[], Found]) -> None:
        """Replace the form by that of a function if it returns one; it is called at the first access."""
        own = self._form

        def first() -> Found:
            found = derived()
            return found if isinstance(found, Form) else own() if callable(own) else own

        self._form = first

    @cached_property
    def _found(self) -> Found:
        return self._form() if callable(self._form) else self._form

    @property
    def form(self) -> Form | None:
        """The closed form with its domain; None if none is known, for the reason ``why``."""
        return self._found if isinstance(self._found, Form) else None

    @property
    def why(self) -> str:
        """Why there is no closed form; empty if there is one."""
        return self._found if isinstance(self._found, str) else ""

    def check(self, design: Any, **values: Any) -> Checked:
        """Put a design in: return the objective at it and the constraints that it violates, exactly.

        Args:
            design: a ``Mechanism``, a matrix of exact numbers, or the values of the variables by symbol.
            values: values of the parameters by name, in place of those of the problem.

        Raises:
            InvalidParameterError: the shape of the design is another one, or a parameter is unknown.
            UnsupportedProblemError: the problem has too many entries to be written out.
        """
        if isinstance(design, Mapping):
            return self._checked({symbol: exact(number) for symbol, number in design.items()}, values)
        rows: Sequence[Sequence[Any]] = getattr(design, "matrix", design)
        shape = (len(rows), len(rows[0]))
        wanted: Any = getattr(self.variables, "shape", ())
        if not wanted:
            raise UnsupportedProblemError("the posing is written with indices: a matrix of this size is not put in")
        if self._outputs is not None and len(wanted) == 2 and shape[0] != wanted[0]:
            return self._outputs(len(rows)).check(design, **values)
        if shape != wanted:
            raise InvalidParameterError(f"the design has another shape: received {shape}; allowed is {wanted}")
        entries = (exact(x) for row in rows for x in row)
        return self._checked(dict(zip(self.variables, entries, strict=True)), values)

    def _checked(self, point: dict[sp.Symbol, sp.Expr], values: Mapping[str, Any]) -> Checked:
        known = {symbol.name: symbol for symbol in self.parameters}
        for name in values:
            if name not in known:
                raise InvalidParameterError(
                    f"the problem has no parameter {shown(name)}: allowed are {', '.join(known) or 'none'}"
                )
        point |= {**self.parameters, **{known[name]: exact(number) for name, number in values.items()}}
        if self._completed is not None:
            point |= self._completed(point)
        with ctx.workprec(_BITS):
            near, sums = _near(point), dict[sp.Expr, Any]()
            failed = tuple(one for one in self.constraints if not _holds_at(one, point, near, sums))
        return Checked(self.objective.xreplace(point).doit(), failed)

    def latex(self) -> str:
        """Return the problem in LaTeX: the objective, and its constraints line by line."""
        words = {"minimise": r"\text{minimize } & ", "maximise": r"\text{maximize } & ", "": "& "}
        lines = [words[self.sense] + sp.latex(self.objective)]
        lines += [
            (r"\text{subject to } & " if not i else "& ") + sp.latex(one) for i, one in enumerate(self.constraints)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def __str__(self) -> str:
        form = self.why if self.form is None else f"{self.form}, where {self.form.domain}"
        count = f"{len(tuple(self.variables))} variables, {len(self.constraints)} constraints"
        return f"{self.sense or 'find'} {self.objective} ({count}); closed form: {form}"

    def __repr__(self) -> str:
        return f"<Posing with {len(tuple(self.variables))} variables, {len(self.constraints)} constraints>"
