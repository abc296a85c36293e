r"""Formulas such as ``answer ~ region + age``: formulaic parses them, and they are never evaluated as Python code.

formulaic splits a formula into terms and factors. By itself it would evaluate the text of a factor as Python code. This
module instead parses a factor into a syntax tree, in which only a few elements are allowed: names of columns, numbers,
``+ - * / **``, and the functions in ``TRANSFORMS``. All other elements are rejected, so a formula from an untrusted
source cannot run code.

Terms are coded as in Patsy. The categorical factors of a term are expanded into all subsets of their reduced codings.
Subsets that an earlier term already spans are omitted. The remaining subsets are merged into as few codings as
possible. With an intercept, a factor with r levels therefore gets r - 1 columns.

``Design`` stores what a formula has learned from the data (levels, and the constants of ``center`` and ``scale``).
``predict`` can therefore code new rows in the same way and reject unknown levels.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, MissingExtraError, shown
from rropt.core.results import Result, labelled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_LETTERS = 10_000  # characters of a formula
MOST_TERMS = 1000
MOST_LEVELS = 1000  # levels of one factor
_MOST_DEPTH = 50  # nested brackets
_MOST_POWER = 10
_MANY_NUMBERS = 10  # with more distinct numbers, a text column is probably numeric with some invalid values

_ELEMENTWISE: dict[str, Any] = {
    "I": lambda x: x,
    "log": np.log,
    "log10": np.log10,
    "log2": np.log2,
    "log1p": np.log1p,
    "exp": np.exp,
    "expm1": np.expm1,
    "sqrt": np.sqrt,
    "abs": np.abs,
}
_STATEFUL = ("center", "scale", "standardize")
TRANSFORMS = (*_ELEMENTWISE, *_STATEFUL, "C")
_OPERATORS: dict[type, Any] = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the data, as formulas use it.

    Attributes:
        numbers: the numbers, NaN where a value is missing; ``None`` for a column of texts.
        codes: for a column of texts, the index of each text in ``levels``, -1 if it is missing; ``None`` for a column
            of numbers.
        levels: the distinct texts.
    """

    numbers: Floats | None
    codes: Ints | None = None
    levels: tuple[str, ...] = ()

    def __len__(self) -> int:
        held = self.numbers if self.numbers is not None else self.codes
        assert held is not None
        return len(held)


@dataclass(frozen=True, slots=True)
class Factor(Result):
    """A factor of a term, with what it learned from the data.

    Attributes:
        text: the text of the factor in the formula.
        levels: the ordered levels of a categorical factor; empty for a numeric factor.
        reference: the level that has no column in a reduced coding.
        constants: means and standard deviations of ``center``, ``scale`` and ``standardize``, in the order of the text.
    """

    text: str
    levels: tuple[str, ...] = ()
    reference: str = ""
    constants: tuple[float, ...] = ()

    LABELS = labelled(text="factor", levels="levels", reference="reference level", constants="")

    def columns_of(self) -> tuple[str, ...]:
        """Return the names of the columns that the factor uses."""
        return columns_of(self.text)


@dataclass(frozen=True, slots=True)
class Term(Result):
    """A term, which is a product of factors, and its coding.

    Attributes:
        factors: the texts of its factors; empty for the intercept.
        codings: consecutive groups of columns; each lists its categorical factors as ``+text`` (all levels) or
            ``-text`` (all levels except the reference).
    """

    factors: tuple[str, ...]
    codings: tuple[tuple[str, ...], ...]

    LABELS = labelled(text="term", factors="", codings="")

    @property
    def text(self) -> str:
        """The text of the term in a formula; 1 for the intercept."""
        return ":".join(self.factors) or "1"


@dataclass(frozen=True, slots=True)
class Design(Result):
    """The covariates of a formula, with what it learned from the data.

    Attributes:
        formula: the right-hand side as it was given.
        terms: the terms, in order.
        factors: the factors of all terms.
    """

    formula: str
    terms: tuple[Term, ...]
    factors: tuple[Factor, ...]

    LABELS = labelled(formula="covariates", terms="", factors="")

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns of X, in the style of statsmodels: ``region[T.north]:age``."""
        return tuple(name for term in self.terms for coding in term.codings for name in self._names(term, coding))

    def columns(self) -> tuple[str, ...]:
        """Return the names of the data columns that the formula uses."""
        return tuple(dict.fromkeys(name for factor in self.factors for name in columns_of(factor.text)))

    def _names(self, term: Term, coding: Sequence[str]) -> list[str]:
        if not term.factors:
            return ["Intercept"]
        coded = {text[1:]: text[0] == "+" for text in coding}
        names = [""]
        for text in reversed(term.factors):
            factor = self.factor(text)
            own = [text]
            if text in coded:
                full = coded[text]
                own = [
                    f"{text}[{level}]" if full else f"{text}[T.{level}]"
                    for level in factor.levels
                    if full or level != factor.reference
                ]
            elif factor.levels:
                continue
            names = [f"{one}:{rest}" if rest else one for rest in names for one in own]
        return names

    def factor(self, text: str) -> Factor:
        """Return the factor with this text."""
        return next(factor for factor in self.factors if factor.text == text)

    def matrix(self, data: Mapping[str, Column], rows: int) -> tuple[Floats, NDArray[np.bool_]]:
        """Return X, shape (rows, columns), and a mask of the rows with a missing value; these rows are NaN.

        Raises:
            InvalidParameterError: a level is unknown to the fit, or a factor has no finite value in some row.
        """
        coded: dict[str, tuple[Ints, None] | tuple[None, Floats]] = {}
        missing = np.zeros(rows, bool)
        for factor in self.factors:
            if factor.levels:
                codes = codes_of(factor, data)
                missing |= codes < 0
                coded[factor.text] = codes, None
            else:
                numbers, _ = _numbers(factor.text, data, rows, factor.constants)
                missing |= np.isnan(numbers)
                coded[factor.text] = None, numbers
        X = np.empty((rows, len(self.names())), np.float64)
        place = 0
        for term in self.terms:
            for coding in term.codings:
                for column in self._columns(term, coding, coded, rows):
                    X[:, place] = column
                    place += 1
        X[missing] = np.nan
        return X, missing

    def _columns(self, term: Term, coding: Sequence[str], coded: Mapping[str, Any], rows: int) -> list[Floats]:
        signs = {text[1:]: text[0] == "+" for text in coding}
        found = [np.ones(rows)]
        for text in reversed(term.factors):
            factor = self.factor(text)
            codes, numbers = coded[text]
            if numbers is not None:
                own = [numbers]
            elif text in signs:
                own = [
                    (codes == place).astype(np.float64)
                    for place, level in enumerate(factor.levels)
                    if signs[text] or level != factor.reference
                ]
            else:
                continue
            found = [one * rest for rest in found for one in own]
        return found


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed formula, before it is applied to data.

    Attributes:
        response: the column of the responses.
        terms: the factors of each term, in order; empty for the intercept.
        text: the right-hand side.
    """

    response: str
    terms: tuple[tuple[str, ...], ...]
    text: str

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns that the covariates use."""
        return tuple(dict.fromkeys(name for term in self.terms for text in term for name in columns_of(text)))


def parse(formula: str) -> Parsed:
    """Parse a formula such as ``answer ~ region * age`` into its response and its terms.

    Raises:
        InvalidParameterError: the text is not a formula, or contains elements other than names, numbers and the
            allowed functions.
        MissingExtraError: formulaic is not installed.
    """
    if not isinstance(formula, str) or len(formula) > MOST_LETTERS:
        raise InvalidParameterError(
            f"the formula is not a text of at most {MOST_LETTERS} letters: received {shown(formula)}; write "
            "answer ~ region + age"
        )
    try:
        from formulaic import Formula
        from formulaic.errors import FormulaParsingError, FormulaSyntaxError
    except ImportError:
        raise MissingExtraError(
            "regressions need formulaic, which is not installed; pip install 'rropt[regression]'"
        ) from None
    if max(_depths(formula), default=0) > _MOST_DEPTH:
        raise InvalidParameterError(
            f"the formula nests too deep: received {shown(formula)}; allowed are {_MOST_DEPTH} brackets in each other"
        )
    try:
        found = Formula(_with_powers(formula))
        sides = [getattr(found, side) for side in ("lhs", "rhs")]
        terms = [[tuple((one.expr, one.eval_method.name) for one in term.factors) for term in side] for side in sides]
    except (FormulaParsingError, FormulaSyntaxError, AttributeError, TypeError, ValueError, RecursionError):
        raise InvalidParameterError(
            f"the formula cannot be read: received {shown(formula)}; allowed is ANSWER ~ TERM + TERM ..., with + - * : "
            "and brackets, such as answer ~ region * age"
        ) from None
    except Exception as error:  # formulaic may raise other exceptions
        raise InvalidParameterError(
            f"the formula cannot be read ({type(error).__name__}): received {shown(formula)}; write answer ~ region + "
            "age"
        ) from None
    left, right = terms
    if len(left) != 1 or len(left[0]) != 1 or left[0][0][1] == "LITERAL" or len(columns_of(left[0][0][0])) != 1:
        raise InvalidParameterError(
            f"the left-hand side is not one column: received {shown(formula)}; allowed is the name of the column "
            "of the responses (in backticks if it contains blanks)"
        )
    response = columns_of(_named(*left[0][0]))
    if _named(*left[0][0]) not in (response[0], f"`{response[0]}`"):
        raise InvalidParameterError(
            f"a transformed response has no device: received {shown(left[0][0][0])} on the left of ~; give the column "
            "as it was answered"
        )
    if not right or len(right) > MOST_TERMS or not formula.partition("~")[2].strip():
        raise InvalidParameterError(
            f"the formula has {len(right)} terms: received {shown(formula)}; allowed are 1 to {MOST_TERMS}, "
            "1 being the intercept"
        )
    listed = tuple(tuple(_named(*one) for one in term if one[1] != "LITERAL") for term in right)
    for term in listed:
        for text in term:
            _read(text)
    text = formula.partition("~")[2].strip()
    return Parsed(response[0], listed, text)


def _named(text: str, method: str) -> str:
    """Return the text of a factor in the syntax of ``_read``, with names in backticks where necessary."""
    if method == "LOOKUP" and not all(part.isidentifier() for part in text.split(".")):
        return f"`{text}`"
    return text


def _depths(text: str) -> list[int]:
    depth, found = 0, []
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        found.append(depth)
    return found


def _with_powers(text: str) -> str:
    """Return the formula with ``^`` replaced by ``**``, since in Python ``^`` is another operator."""
    found, quote = [], ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "`'\"":
            quote = sign
        found.append("**" if sign == "^" and not quote else sign)
    return "".join(found)


_ESCAPED = "rropt_column_{}_"


def _read(text: str) -> tuple[ast.expr, dict[str, str]]:
    """Return the syntax tree of a factor, which contains only allowed operations, and the columns in backticks."""
    quoted: dict[str, str] = {}
    parts = text.split("`")
    if len(parts) % 2 == 0:
        raise _refused(text, "a backtick is open")
    for place in range(1, len(parts), 2):
        name = _ESCAPED.format(place)
        quoted[name], parts[place] = parts[place], name
    try:
        tree = ast.parse("".join(parts).strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refused(text, "it is no expression") from None
    _require_allowed(tree, text, is_top=True)
    return tree, quoted


def _refused(text: str, why: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"a factor of the formula is not allowed ({why}): received {shown(text)}; allowed are columns, numbers, + - * "
        f"/ **, and {', '.join(TRANSFORMS)}; compute other columns before"
    )


def _require_allowed(tree: ast.expr, text: str, *, is_top: bool = False) -> None:
    """Reject syntax trees with elements other than names, numbers, operations and allowed functions."""
    if isinstance(tree, ast.Name) or _dotted(tree):
        return None
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int | float) and not isinstance(tree.value, bool):
        return None
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub | ast.UAdd):
        return _require_allowed(tree.operand, text)
    if isinstance(tree, ast.BinOp):
        if isinstance(tree.op, ast.Pow):
            if not isinstance(tree.right, ast.Constant) or tree.right.value not in range(_MOST_POWER + 1):
                raise _refused(text, f"a power is a whole number from 0 to {_MOST_POWER}")
            return _require_allowed(tree.left, text)
        if type(tree.op) in _OPERATORS:
            _require_allowed(tree.left, text)
            return _require_allowed(tree.right, text)
    if isinstance(tree, ast.Call):
        name = _function(tree)
        if name == "C" and is_top:
            _reference(tree, text)
            if not (isinstance(tree.args[0], ast.Name) or _dotted(tree.args[0])):
                raise _refused(text, "C takes a column")
            return None
        if name in (*_ELEMENTWISE, *_STATEFUL) and len(tree.args) == 1 and not tree.keywords:
            return _require_allowed(tree.args[0], text)
        if name in TRANSFORMS:
            raise _refused(text, f"{name} takes one column" + " and stands alone" * (name == "C"))
    raise _refused(text, "nothing else is computed")


def _function(tree: ast.Call) -> str:
    if isinstance(tree.func, ast.Name):
        return tree.func.id
    name = _dotted(tree.func)
    return name[3:] if name.startswith("np.") else name


def _dotted(tree: ast.expr) -> str:
    """Return a dotted name, such as ``asset.index``; empty if the tree is something else."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute):
        left = _dotted(tree.value)
        return f"{left}.{tree.attr}" if left else ""
    return ""


def _reference(tree: ast.Call, text: str) -> str | None:
    """Return the reference level of ``C(x, Treatment("a"))``; ``None`` means the first level."""
    args = tree.args[1:] + [keyword.value for keyword in tree.keywords]
    if not tree.args or len(args) > 1 or any(keyword.arg != "contr" for keyword in tree.keywords):
        raise _refused(text, 'C takes a column, and Treatment("level") after it')
    if not args:
        return None
    own = args[0]
    if isinstance(own, ast.Name) and own.id == "Treatment":
        return None
    if isinstance(own, ast.Call) and _function(own) in ("Treatment", "contr.treatment"):
        given = own.args + [keyword.value for keyword in own.keywords if keyword.arg in ("reference", "base")]
        if len(given) == 1 and len(own.keywords) + len(own.args) == 1 and isinstance(given[0], ast.Constant):
            value = given[0].value
            if isinstance(value, str | int | float):
                return str(value)
        if not own.args and not own.keywords:
            return None
    raise _refused(text, 'the coding is treatment coding: C(x), or C(x, Treatment("level"))')


def columns_of(text: str) -> tuple[str, ...]:
    """Return the names of the columns that a factor uses."""
    tree, quoted = _read(text)
    found: dict[str, None] = {}

    def visit(node: ast.expr) -> None:
        name = _dotted(node)
        if name:
            found[quoted.get(name, name)] = None
        elif isinstance(node, ast.Call):
            visit(node.args[0])
        elif isinstance(node, ast.BinOp):
            visit(node.left)
            visit(node.right)
        elif isinstance(node, ast.UnaryOp):
            visit(node.operand)

    visit(tree)
    return tuple(found)


def _is_categorical(text: str, data: Mapping[str, Column]) -> bool:
    tree, quoted = _read(text)
    if isinstance(tree, ast.Call) and _function(tree) == "C":
        return True
    name = _dotted(tree)
    return bool(name) and data[quoted.get(name, name)].numbers is None


def _numbers(
    text: str, data: Mapping[str, Column], rows: int, constants: Sequence[float] | None
) -> tuple[Floats, tuple[float, ...]]:
    """Return the values of a factor, NaN where they are missing, and the constants that it learned.

    Raises:
        InvalidParameterError: a column contains texts, or a value is not finite although no column is missing there.
    """
    tree, quoted = _read(text)
    given = None if constants is None else list(constants)
    learned: list[float] = []
    gaps = np.zeros(rows, bool)

    def value(node: ast.expr) -> Floats:
        name = _dotted(node)
        if name:
            column = data[quoted.get(name, name)]
            if column.numbers is None:
                raise InvalidParameterError(
                    f"a column contains texts where numbers are needed: received {shown(quoted.get(name, name))} "
                    f"in {shown(text)}; use it alone, as a factor, or correct the values that are no numbers"
                )
            gaps[:] |= np.isnan(column.numbers)
            return column.numbers
        if isinstance(node, ast.Constant):
            return np.full(rows, float(node.value))  # type: ignore[arg-type]
        if isinstance(node, ast.UnaryOp):
            return -value(node.operand) if isinstance(node.op, ast.USub) else value(node.operand)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Pow):
                return np.asarray(value(node.left) ** int(node.right.value), np.float64)  # type: ignore[attr-defined]
            return np.asarray(_OPERATORS[type(node.op)](value(node.left), value(node.right)), np.float64)
        assert isinstance(node, ast.Call)
        name, inner = _function(node), value(node.args[0])
        if name in _ELEMENTWISE:
            return np.asarray(_ELEMENTWISE[name](inner), np.float64)
        return _moved(inner, name)

    def _moved(inner: Floats, name: str) -> Floats:
        own = inner[np.isfinite(inner)]
        if given is not None:
            mean, spread = given.pop(0), given.pop(0)
        else:
            mean, spread = (float(own.mean()), float(own.std(ddof=1))) if len(own) > 1 else (0.0, 1.0)
            spread = 1.0 if name == "center" else spread
        if not spread > 0:
            raise InvalidParameterError(
                f"a column is constant: received {shown(text)}, which {name} divides by its standard deviation 0; "
                "leave it out"
            )
        learned.extend((mean, spread))
        return (inner - mean) / spread

    with np.errstate(all="ignore"):
        found = np.array(value(tree), np.float64)
    wrong = ~np.isfinite(found) & ~gaps
    if wrong.any():
        raise InvalidParameterError(
            f"a factor has no finite value in {int(wrong.sum())} rows: received {shown(text)}; allowed are values "
            "where it is defined (log of positive numbers, no division by 0)"
        )
    found[gaps] = np.nan
    return found, tuple(learned)


def codes_of(factor: Factor, data: Mapping[str, Column]) -> Ints:
    """Return the index of each row's level in the factor's levels, -1 if it is missing.

    Raises:
        InvalidParameterError: a level is unknown to the fit.
    """
    (name,) = columns_of(factor.text)
    codes, levels = levels_of(data[name])
    places = {level: place for place, level in enumerate(factor.levels)}
    unknown = [place for place, level in enumerate(levels) if level not in places]
    rows = np.isin(codes, unknown) if unknown else np.zeros(len(codes), bool)
    if rows.any():
        listed = ", ".join(factor.levels[:10]) + (", ..." if len(factor.levels) > 10 else "")
        raise InvalidParameterError(
            f"a level is unknown: received {shown(levels[int(codes[rows][0])])} in {shown(name)}, in "
            f"{int(rows.sum())} rows; allowed are the levels of the fit: {shown(listed)}"
        )
    table = np.array([places.get(level, -1) for level in levels] + [-1], np.int64)
    return table[codes]


def levels_of(column: Column) -> tuple[Ints, tuple[str, ...]]:
    """Return a column as a factor: the index of each row's level (-1 if missing), and the ordered levels."""
    if column.codes is not None:
        order = sorted(range(len(column.levels)), key=lambda place: _key(column.levels[place]))
        places = np.empty(len(order) + 1, np.int64)
        places[order], places[-1] = np.arange(len(order)), -1
        return places[column.codes], tuple(column.levels[place] for place in order)
    assert column.numbers is not None
    known = ~np.isnan(column.numbers)
    values, inverse = np.unique(column.numbers[known], return_inverse=True)
    codes = np.full(len(column.numbers), -1)
    codes[known] = inverse
    return codes, tuple(f"{value:.15g}" for value in values.tolist())


def _key(level: str) -> tuple[int, float, str]:
    """Return the sort key of a level: numbers come first, by size, and then texts."""
    try:
        return 0, plain_float(level), level
    except ValueError:
        return 1, 0.0, level


def plain_float(text: str) -> float:
    """Return the number of a text; digits other than ASCII and underscores, which Python reads, are no number.

    Raises:
        ValueError: the text is no number.
    """
    if not text.isascii() or "_" in text:
        raise ValueError
    return float(text)


def design_of(
    parsed: Parsed, data: Mapping[str, Column], used: NDArray[np.bool_], *, thresholds: bool = False
) -> Design:
    """Return the covariates of a formula, with levels and constants that are learned from the used rows.

    Args:
        parsed: the formula.
        data: the columns of the data.
        used: the rows that are part of the fit; levels that occur only in other rows are ignored.
        thresholds: whether the thresholds of an ordinal model replace the intercept.

    Raises:
        InvalidParameterError: a factor has one level or too many, or a value is not finite.
    """
    factors: dict[str, Factor] = {}
    for text in dict.fromkeys(text for term in parsed.terms for text in term):
        factors[text] = _learned(text, data, used)
    listed = (*(((),) if thresholds and () not in parsed.terms else ()), *parsed.terms)
    terms = [Term(term, codings) for term, codings in zip(listed, _codings(listed, factors), strict=True)]
    kept = tuple(term for term in terms if term.codings and (term.factors or not thresholds))
    design = Design(parsed.text, kept, tuple(factors.values()))
    if not design.terms and not thresholds:
        raise InvalidParameterError("the formula has no column: received no term; write 1 for the intercept alone")
    return design


def _learned(text: str, data: Mapping[str, Column], used: NDArray[np.bool_]) -> Factor:
    if not _is_categorical(text, data):
        chosen = {name: _at(data[name], used) for name in columns_of(text)}
        return Factor(text, constants=_numbers(text, chosen, int(used.sum()), None)[1])
    (name,) = columns_of(text)
    codes, levels = levels_of(data[name])
    met = np.unique(codes[used])
    kept = tuple(levels[place] for place in met.tolist() if place >= 0)
    if not 2 <= len(kept) <= MOST_LEVELS:
        raise InvalidParameterError(
            f"a factor has {len(kept)} level{'s' * (len(kept) != 1)}: received {shown(name)}; allowed are 2 to "
            f"{MOST_LEVELS}; leave it out, or join levels"
            + ("; are its values numbers with other texts among them?" if len(kept) > MOST_LEVELS else "")
        )
    tree, _ = _read(text)
    if not isinstance(tree, ast.Call):
        _require_no_numbers(name, codes[used], levels)
    asked = _reference(tree, text) if isinstance(tree, ast.Call) else None
    if asked is not None and asked not in kept:
        raise InvalidParameterError(
            f"the reference is no level: received {shown(asked)} for {shown(name)}; allowed are "
            f"{shown(', '.join(kept[:10]))}"
        )
    return Factor(text, kept, kept[0] if asked is None else asked)


def _require_no_numbers(name: str, codes: Ints, levels: Sequence[str]) -> None:
    """Reject a column that consists mainly of numbers but also has texts, since it is rarely meant as a factor."""
    numbers = np.array([_key(level)[0] == 0 for level in levels], bool)
    known = codes[codes >= 0]
    share = float(numbers[known].mean())
    if numbers.sum() > _MANY_NUMBERS and share > 0.5:
        infinite = [not np.isfinite(plain_float(levels[code])) for code in known.tolist() if numbers[code]]
        wrong = int((~numbers[known]).sum()) or sum(infinite)
        raise InvalidParameterError(
            f"a column of numbers contains other texts: received {wrong} values of {shown(name)} that are no finite "
            f"numbers; correct them, name them as missing, or write C({name}) for a factor"
        )


def _at(column: Column, used: NDArray[np.bool_]) -> Column:
    numbers = None if column.numbers is None else column.numbers[used]
    return Column(numbers, None if column.codes is None else column.codes[used], column.levels)


def _codings(terms: Sequence[tuple[str, ...]], factors: Mapping[str, Factor]) -> list[tuple[tuple[str, ...], ...]]:
    """Return the codings of each term, chosen so that no column is a combination of earlier ones (see the module)."""
    used: dict[frozenset[str], set[frozenset[str]]] = {}
    found = []
    for term in terms:
        kinds = [text for text in term if factors[text].levels]
        numeric = frozenset(text for text in term if not factors[text].levels)
        spanned = used.setdefault(numeric, set())
        subsets = [
            frozenset(chosen) for size in range(len(kinds) + 1) for chosen in combinations(kinds, size)
        ]  # in increasing size
        new = [{text: False for text in kinds if text in one} for one in subsets if one not in spanned]
        spanned.update(subsets)
        while _joined(new):
            pass
        found.append(tuple(tuple(f"{'+' if full else '-'}{text}" for text, full in one.items()) for one in new))
    return found


def _joined(parts: list[dict[str, bool]]) -> bool:
    """Merge two codings that differ by one reduced factor into one with all its levels; return whether it happened."""
    for i, short in enumerate(parts):
        for j, long in enumerate(parts):
            more = [text for text in long if text not in short]
            if (
                i != j
                and len(more) == 1
                and not long[more[0]]
                and all(long.get(t) == full for t, full in short.items())
            ):
                joined = {text: full or text == more[0] for text, full in long.items()}
                parts[j] = joined
                del parts[i]
                return True
    return False
