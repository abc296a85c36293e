r"""Formulas such as ``answer ~ region + age``: formulaic splits them into terms, and this module computes the columns.

formulaic could also evaluate the text of a factor as Python code, code an unknown level of new data as the reference
level, and leave out rows with missing values. Therefore this module

* parses each factor into a syntax tree and rejects all but columns, numbers, ``+ - * / **`` and ``FUNCTIONS``. It
  computes the checked tree; no text of the user is evaluated.
* codes levels itself and rejects unknown ones, and marks the rows with a missing value.
* keeps levels and constants (of ``center`` and ``scale``) in ``FormulaDesign``, a record that JSON can hold, so that
  ``predict`` codes new rows in the same way.

A factor with r levels spans a constant and r - 1 contrasts. A term gets columns for those products of constants and
contrasts that no earlier term spans, so that no column is a combination of others (Chambers and Hastie 1992, 2.4.1).
"""

from __future__ import annotations

import ast
import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, product
from math import isfinite, log, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, MissingExtraError, shown
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.normal_form import named_in, normal
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_Constants = dict[str, tuple[float, float]]  # mean and standard deviation by text
_Product = frozenset[tuple[str, bool]]  # its factors: whether each is a number or has all levels, or only contrasts

MOST_LETTERS = 10_000  # characters of a formula
MOST_TERMS = 1000
MOST_LEVELS = 1000  # levels of one factor
_MOST_POWER = 10
_DEEPEST = 300  # levels of brackets and operations of a factor; computing them takes a frame for each
_MANY_NUMBERS = 10  # with more distinct numbers, a text column is probably numeric with some invalid values
_MOST_PRODUCTS = 10**6  # which formulaic forms to expand the powers of a formula
_POWER = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|\^")  # ^, and the quoted parts in which it is no power

_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_ELEMENTWISE: dict[str, Any] = {"I": np.positive}
_ELEMENTWISE |= {name: getattr(np, name) for name in ("log", "log10", "log2", "log1p", "exp", "expm1", "sqrt", "abs")}
FUNCTIONS = (*_ELEMENTWISE, "center", "scale", "standardize")


class DataColumn(NamedTuple):
    """A column of the data, as formulas use it.

    Attributes:
        values: the numbers, or for a column of texts the index of each text in ``levels``; NaN if it is missing.
        levels: the distinct texts, in the order of ``level_key``; empty for a column of numbers.
    """

    values: Floats
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Factor(Result):
    """A factor of a term, with what it learned from the data.

    Attributes:
        text: the text of the factor in the formula.
        levels: the ordered levels of a categorical factor; empty for a numeric factor.
        reference: the level that has no column where an earlier term spans it.
        constants: mean and standard deviation of each ``center`` and ``scale`` in the text.
    """

    text: str
    levels: tuple[str, ...] = ()
    reference: str = ""
    constants: ReadOnlyMapping[str, tuple[float, float]] = field(default_factory=lambda: ReadOnlyMapping({}))

    LABELS = labelled(text="factor", levels="levels", reference="reference level")


@dataclass(frozen=True, slots=True)
class Term(Result):
    """A term, which is a product of factors.

    Attributes:
        factors: the texts of its factors; empty for the intercept.
        names: the names of its columns in X, in the style of statsmodels: ``region[T.north]:age``. It is empty for the
            intercept of an ordinal model, which has thresholds instead.
    """

    factors: tuple[str, ...]
    names: tuple[str, ...]

    LABELS = labelled(text="term")

    @property
    def text(self) -> str:
        """The text of the term in a formula; 1 for the intercept."""
        return ":".join(self.factors) or "1"


@dataclass(frozen=True, slots=True)
class FormulaDesign(Result):
    """The covariates of a formula, with what it learned from the data.

    Attributes:
        formula: the right-hand side as it was given.
        terms: the terms, in order.
        factors: the factors of all terms.
    """

    formula: str
    terms: tuple[Term, ...]
    factors: tuple[Factor, ...]

    LABELS = labelled(formula="covariates")

    def checked(self) -> None:
        """Raise if the terms and factors of a file are not those of a fit; nothing in them is evaluated on data."""
        coded = _coded([term.factors for term in self.terms], self.factors)
        is_wrong = [tuple(coded[term.factors]) != term.names != () for term in self.terms]
        for factor in self.factors:
            read, learned = _read(factor.text), dict(factor.constants)
            if factor.levels:
                is_wrong.append(read.tree is not None or len(set(map(normal, factor.levels))) < len(factor.levels))
                is_wrong.append(factor.reference not in factor.levels)
            elif read.tree is not None:  # constants that were not learned would be learned from new rows
                with np.errstate(all="ignore"):
                    _value(read.tree, dict.fromkeys(read.written, np.ones(1)), learned)
            is_wrong.append(learned.keys() != factor.constants.keys() or (read.is_marked and not factor.levels))
        if any(is_wrong) or len({factor.text for factor in self.factors}) < len(self.factors):
            raise InvalidParameterError(
                f"the terms and factors do not belong together: received {shown(self.formula)}; fit it again"
            )

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns of X."""
        return tuple(name for term in self.terms for name in term.names)

    def matrix(self, data: Mapping[str, DataColumn], rows: int) -> tuple[Floats, NDArray[np.bool_]]:
        """Return X, shape (rows, columns), and a mask of the rows with a missing value; these rows are 0.

        Raises:
            InvalidParameterError: a level is unknown to the fit, or a factor has no finite value in some row.
        """
        missing = np.zeros(rows, bool)
        values: dict[str, Any] = {}
        for factor in self.factors:
            own = values[factor.text] = codes_of(factor, data) if factor.levels else _numbers(factor, data, rows)[0]
            missing |= own < 0 if factor.levels else np.isnan(own)
        coded = _coded([term.factors for term in self.terms], self.factors)
        columns = {name: parts for term in self.terms if term.names for name, parts in coded[term.factors].items()}
        X = np.ones((rows, len(columns)))
        for column, parts in zip(X.T, columns.values(), strict=True):
            for text, level in parts:
                column *= values[text] if level is None else values[text] == level
        X[missing] = 0.0
        return X, missing


def _coded(
    terms: Sequence[tuple[str, ...]], factors: Sequence[Factor]
) -> dict[tuple[str, ...], dict[str, list[tuple[str, int | None]]]]:
    """Return the columns of X by term and by name: for each factor the level whose indicator it multiplies.

    Raises:
        InvalidParameterError: two columns have the same name.
    """
    coded: dict[tuple[str, ...], dict[str, list[tuple[str, int | None]]]] = {term: {} for term in terms}
    names: set[str] = set()
    known = {factor.text: factor for factor in factors}
    spanned: set[_Product] = set()
    for term in terms:
        choices = [[{(text, False)}, set()] if known[text].levels else [{(text, True)}] for text in term]
        found = [one for one in (frozenset().union(*sets) for sets in product(*choices)) if one not in spanned]
        spanned.update(found)
        for text in reversed(term):  # A and A times the contrasts of b span A times all levels of b
            for one in list(found):
                if (text, False) in one and one - {(text, False)} in found:
                    found.remove(one - {(text, False)})
                    found[found.index(one)] = one - {(text, False)} | {(text, True)}
        for one in sorted(found, key=len):
            columns: list[list[tuple[str, int | None, str]]] = [
                [
                    (text, place, f"{text}[{'' if (text, True) in one else 'T.'}{level}]")
                    for place, level in enumerate(known[text].levels)
                    if (text, True) in one or level != known[text].reference
                ]
                or [(text, None, text)]
                for text in term
                if (text, True) in one or (text, False) in one
            ]
            for parts in product(*reversed(columns)):  # the levels of the first factor change first
                name = ":".join(label for _, _, label in reversed(parts)) or "Intercept"
                if name in names:
                    raise InvalidParameterError(
                        f"columns of the formula have equal names: received {shown(name)} twice; rename the column, or "
                        "its levels that contain brackets and colons"
                    )
                names.add(name)
                coded[term][name] = [(text, place) for text, place, _ in parts]
    return coded


def empty_cells(design: FormulaDesign, data: Mapping[str, DataColumn]) -> list[str]:
    """Return the combinations of levels of interacting factors that no row has, such as ``year = 2012, z = c``.

    Args:
        design: the covariates.
        data: the columns of the rows of the fit.
    """
    known = {factor.text: factor for factor in design.factors if factor.levels}
    found: dict[str, None] = {}
    for term in sorted(design.terms, key=lambda one: len(one.factors)):
        own = [known[text] for text in term.factors if text in known]
        if len(own) < 2:
            continue
        met = set(zip(*(codes_of(factor, data).tolist() for factor in own), strict=True))
        names = [_read(factor.text).columns[0] for factor in own]
        for cell in product(*(range(len(factor.levels)) for factor in own)):
            if cell not in met:
                levels = zip(names, own, cell, strict=True)
                found[", ".join(f"{name} = {factor.levels[place]}" for name, factor, place in levels)] = None
    return list(found)


class Parsed(NamedTuple):
    """A parsed formula, before it is applied to data.

    Attributes:
        response: the column of the responses.
        terms: the factors of each term, in order; empty for the intercept.
        text: the right-hand side.
    """

    response: str
    terms: tuple[tuple[str, ...], ...]
    text: str


def columns_of(factors: Iterable[str]) -> list[str]:
    """Return the names of the columns that some factors use."""
    return list(dict.fromkeys(name for text in factors for name in _read(text).columns))


def marked_columns(factors: Iterable[str]) -> set[str]:
    """Return the names of the columns that are marked as factors, ``C(column)``."""
    return {_read(text).columns[0] for text in factors if _read(text).is_marked}


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
    except ImportError:
        raise MissingExtraError(
            "regressions need formulaic, which is not installed; pip install 'rropt[regression]'"
        ) from None
    formula = normal(formula)
    written = _POWER.sub(lambda part: "**" if part[0] == "^" else part[0], formula)
    powers = re.findall(r"\)((?:\s*\*\*\s*\d+)+)", written)
    power = prod(min(int(one), MOST_LETTERS) for each in powers for one in re.findall(r"\d+", each))
    if power > 1 and power * log(written.count("+") + 1) > log(_MOST_PRODUCTS):
        raise InvalidParameterError(
            f"the powers of the formula have too many terms: received {shown(formula)}; write out the products you need"
        )
    try:
        found = Formula(written)
        left, right = (tuple(map(_texts, side)) for side in (found.lhs, found.rhs))
    except Exception:  # formulaic raises exceptions of many kinds
        raise InvalidParameterError(
            f"the formula cannot be read: received {shown(formula)}; allowed is ANSWER ~ TERM + TERM ..., with + - * : "
            "and brackets, such as answer ~ region * age"
            + "; name the groups of a random intercept with `random`"
            * bool(re.search(r"\(\s*1\s*\|", formula))
        ) from None
    if len(left) != 1 or len(left[0]) != 1 or len(_read(left[0][0]).columns) != 1:
        raise InvalidParameterError(
            f"the left-hand side is not one column: received {shown(formula)}; allowed is the name of the column "
            "of the responses (in backticks if it contains blanks)"
        )
    answer = _read(left[0][0])
    if answer.tree is not None:
        raise InvalidParameterError(
            f"a transformed response has no device: received {shown(left[0][0])} on the left of ~; give the "
            "column as it was answered"
        )
    text = formula.partition("~")[2].strip()
    if not 1 <= (terms := len(right) * bool(text)) <= MOST_TERMS:  # formulaic reads nothing as the intercept
        raise InvalidParameterError(
            f"the formula has {terms} terms: received {shown(formula)}; allowed are 1 to {MOST_TERMS}, "
            "1 being the intercept"
        )
    for one in set(chain(*right)):
        _read(one)
    return Parsed(answer.columns[0], right, text)


def _texts(term: Any) -> tuple[str, ...]:
    """Return the texts of the factors of a term of formulaic, without numbers, and with odd names in backticks."""
    kinds = ((str(one.expr), one.eval_method.name) for one in term.factors)
    return tuple(
        f"`{text}`" if kind == "LOOKUP" and not all(part.isidentifier() for part in text.split(".")) else text
        for text, kind in kinds
        if kind != "LITERAL"
    )


class _Read(NamedTuple):
    """A factor as it was read.

    Attributes:
        columns: the columns that it uses.
        written: their names in ``tree``, which are others for names in backticks.
        tree: the expression that it computes; ``None`` for a column as it is.
        is_marked: whether it is ``C(column)``.
        reference: the reference level that ``Treatment`` names.
    """

    columns: tuple[str, ...]
    written: tuple[str, ...]
    tree: ast.expr | None
    is_marked: bool
    reference: str | None


@lru_cache(maxsize=MOST_TERMS)
def _read(text: str) -> _Read:
    """Read a factor, of which only listed elements are allowed."""
    parts = text.split("`")
    quoted = {f"rropt_column_{place}_": parts[place] for place in range(1, len(parts), 2)}
    parts[1::2] = quoted
    columns: dict[str, Any] = defaultdict(lambda: np.ones(1))  # those that the expression uses
    reference = None
    try:
        if len(parts) % 2 == 0:
            raise _NotAllowedError("a backtick is open")
        tree = ast.parse("".join(parts).strip(), mode="eval").body
        if is_marked := isinstance(tree, ast.Call) and _dotted(tree.func) in ("C", "factor"):
            reference, tree = _reference(tree), tree.args[0]
            if not _dotted(tree):
                raise _NotAllowedError("C takes a column, in backticks if its name contains blanks")
        with np.errstate(all="ignore"):
            _value(tree, columns, {})
    except _NotAllowedError as refusal:
        why = str(refusal)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        why = "it is no expression"
    else:
        names = tuple(quoted.get(name, name) for name in columns)
        return _Read(names, tuple(columns), None if _dotted(tree) else tree, is_marked, reference)
    raise InvalidParameterError(
        f"a factor of the formula is not allowed ({why}): received {shown(text)}; allowed are columns, numbers, + - * "
        f"/ **, and {', '.join(FUNCTIONS)}, C; compute other columns before"
    )


class _NotAllowedError(Exception):
    """An expression has an element that is not allowed."""


def _value(node: ast.expr, data: dict[str, Any], constants: _Constants, depth: int = 0) -> Any:
    """Compute an allowed expression; ``center`` and ``scale`` learn the constants that are not known."""
    if depth > _DEEPEST:
        raise _NotAllowedError("it nests too deep")
    if name := _dotted(node):
        return data[name]
    match node:
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return np.float64(number)  # it overflows without an exception
        case ast.UnaryOp(op, operand) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(operand, data, constants, depth + 1))
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            is_wrong = not isinstance(right, ast.Constant) or right.value not in range(_MOST_POWER + 1)
            if isinstance(op, ast.Pow) and is_wrong:
                raise _NotAllowedError(f"a power is a whole number from 0 to {_MOST_POWER}")
            return _OPERATORS[type(op)](*(_value(each, data, constants, depth + 1) for each in (left, right)))
        case ast.Call(func) if (name := _dotted(func).removeprefix("np.")) in (*FUNCTIONS, "C"):
            if name == "C" or len(node.args) != 1 or node.keywords:
                raise _NotAllowedError(f"{name} takes one column" + " and stands alone" * (name == "C"))
            found = _value(node.args[0], data, constants, depth + 1)
            if name in _ELEMENTWISE:
                return _ELEMENTWISE[name](found)
            mean, text = np.mean(found), ast.unparse(node)
            if text not in constants:
                spread = 1.0 if name == "center" else np.sqrt(np.sum((found - mean) ** 2) / (np.size(found) - 1))
                constants[text] = float(mean), float(spread)
            return (found - constants[text][0]) / constants[text][1]
        case ast.Call(ast.Name("Q"), [ast.Constant(str() as column)]):
            raise _NotAllowedError(f"write the name of a column in backticks, `{column}`, instead of Q()")
        case ast.Call(ast.Name(("factor" | "as.factor") as word)):
            raise _NotAllowedError(f"{word} takes one column and stands alone")
        case ast.Compare():
            raise _NotAllowedError(
                "a comparison is no column: write the factor alone, with C(x, Treatment('level')) for its reference, "
                "or make a column of it before (recode)"
            )
    raise _NotAllowedError("nothing else is computed")


def _dotted(tree: ast.expr) -> str:
    """Return a dotted name, such as ``asset.index``; empty if the tree is something else."""
    names = []
    while isinstance(tree, ast.Attribute):
        names.append(tree.attr)
        tree = tree.value
    return ".".join([tree.id, *reversed(names)]) if isinstance(tree, ast.Name) else ""


def _reference(tree: ast.expr) -> str | None:
    """Return the reference level of ``C(x, Treatment("a"))``; ``None`` means the first level."""
    match tree:
        case ast.Call(args=[_], keywords=[]):
            return None
        case ast.Call(
            args=[
                _,
                ast.Call(ast.Name("Treatment"), [ast.Constant(str() | int() | float() as level)], [])
                | ast.Call(ast.Name("Treatment"), [], [ast.keyword("reference", ast.Constant(level))]),
            ],
            keywords=[],
        ):
            return str(level)
    raise _NotAllowedError(
        'the coding is treatment coding: C(x), or C(x, Treatment("level")), whose levels are those of the data; other '
        "levels and their order are declared where the column is made (recode, categories)"
    )


def _numbers(factor: Factor, data: Mapping[str, DataColumn], rows: int) -> tuple[Floats, _Constants]:
    """Return the values of a numeric factor, NaN where they are missing, and the constants that it learned.

    Raises:
        InvalidParameterError: a column contains texts, or a value is not finite although no column is missing there.
    """
    text, read = factor.text, _read(factor.text)
    gaps, learned = np.zeros(rows, bool), dict(factor.constants)
    for name in read.columns:
        if data[name].levels:
            raise InvalidParameterError(
                f"a column contains texts where numbers are needed: received {shown(name)} "
                f"in {shown(text)}; use it alone, as a factor, or correct the values that are no numbers"
            )
        gaps |= np.isnan(data[name].values)
    own = [data[name].values for name in read.columns]
    with np.errstate(all="ignore"):
        values = own[0] if read.tree is None else _value(read.tree, dict(zip(read.written, own, strict=True)), learned)
    found = np.array(np.broadcast_to(values, rows), np.float64)
    if not all(spread > 0 for _, spread in learned.values()):
        raise InvalidParameterError(
            f"a column is constant: received {shown(text)}, which divides by its standard deviation 0; leave it out"
        )
    wrong = ~np.isfinite(found) & ~gaps
    if wrong.any():
        raise InvalidParameterError(
            f"a factor has no finite value in {with_noun(int(wrong.sum()), 'row')}: received {shown(text)}; "
            "allowed are values where it is defined (log of positive numbers, no division by 0)"
        )
    found[gaps] = np.nan
    return found, learned


def codes_of(factor: Factor, data: Mapping[str, DataColumn]) -> Ints:
    """Return the index of each row's level in the factor's levels, -1 if it is missing.

    Raises:
        InvalidParameterError: a level is unknown to the fit.
    """
    (name,) = _read(factor.text).columns
    codes, levels = levels_of(data[name])
    places = {normal(level): place for place, level in enumerate(factor.levels)}
    found = np.array([places.get(normal(level), -2) for level in levels] + [-1], np.int64)[codes]
    rows = found == -2
    if rows.any():
        listed = ", ".join(factor.levels[:10]) + (", ..." if len(factor.levels) > 10 else "")
        raise InvalidParameterError(
            f"a level is unknown: received {shown(levels[int(codes[rows][0])])} in {shown(name)}, in "
            f"{with_noun(int(rows.sum()), 'row')}; allowed are the levels of the fit: {shown(listed)}"
        )
    return found


def levels_of(column: DataColumn) -> tuple[Ints, tuple[str, ...]]:
    """Return a column as a factor: the index of each row's level (-1 if missing), and the ordered levels."""
    if column.levels:
        return np.where(np.isnan(column.values), -1, column.values).astype(np.int64), column.levels
    values, codes = np.unique(column.values, return_inverse=True)  # NaN is last, and once
    values = values[~np.isnan(values)]
    return np.where(np.isnan(column.values), -1, codes), tuple(f"{value:.15g}" for value in values.tolist())


def level_key(level: str) -> tuple[bool, float, str]:
    """Return the sort key of a level: numbers come first, by size, and then texts."""
    number = number_of(level)
    return number is None, number or 0.0, normal(level)


def number_of(text: str) -> float | None:
    """Return the number of a text; digits other than ASCII and underscores, which Python reads, are no number."""
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def design_of(
    parsed: Parsed, data: Mapping[str, DataColumn], used: NDArray[np.bool_], *, thresholds: bool = False
) -> FormulaDesign:
    """Return the covariates of a formula, with levels and constants that are learned from the used rows.

    Args:
        parsed: the formula.
        data: the columns of the data.
        used: the rows that are part of the fit; levels that occur only in other rows are ignored.
        thresholds: whether the thresholds of an ordinal model replace the intercept.

    Raises:
        InvalidParameterError: a factor has one level or too many, or a value is not finite.
    """
    texts = dict.fromkeys(chain(*parsed.terms))
    factors = tuple(_learned(text, data, used) for text in texts)
    listed = ((), *parsed.terms) if thresholds and () not in parsed.terms else parsed.terms
    terms = tuple(
        Term(term, () if thresholds and not term else tuple(columns))
        for term, columns in _coded(listed, factors).items()
    )
    if not thresholds and not any(term.names for term in terms):
        raise InvalidParameterError("the formula has no column: received no term; write 1 for the intercept alone")
    return FormulaDesign(parsed.text, terms, factors)


def _learned(text: str, data: Mapping[str, DataColumn], used: NDArray[np.bool_]) -> Factor:
    read = _read(text)
    if not read.is_marked and (read.tree is not None or not data[read.columns[0]].levels):
        own = {name: DataColumn(data[name].values[used], data[name].levels) for name in read.columns}
        return Factor(text, constants=ReadOnlyMapping(_numbers(Factor(text), own, int(used.sum()))[1]))
    (name,) = read.columns
    codes, levels = levels_of(data[name])
    met = np.unique(codes[used])
    kept = tuple(levels[place] for place in met.tolist() if place >= 0)
    if not 2 <= len(kept) <= MOST_LEVELS:
        raise InvalidParameterError(
            f"a factor has {with_noun(len(kept), 'level')}: received {shown(name)}; allowed are 2 to "
            f"{MOST_LEVELS}; leave it out, or join levels"
            + ("; are its values numbers with other texts among them?" if len(kept) > MOST_LEVELS else "")
        )
    numbers = [number_of(level) for level in levels]
    if not read.is_marked and len(numbers) - numbers.count(None) > _MANY_NUMBERS:  # rarely meant as a factor
        known = codes[used & (codes >= 0)]
        is_number = np.array([one is not None for one in numbers])[known]
        is_finite = np.array([one is not None and isfinite(one) for one in numbers])[known]
        if is_number.mean() > 0.5:
            others = int((~is_number).sum() or (~is_finite).sum())
            plural = f"values of {shown(name)} that are no finite numbers"
            raise InvalidParameterError(
                "a column of numbers contains other texts: received "
                f"{with_noun(others, f'value of {shown(name)} that is no finite number', plural)}; "
                "correct them, name them as missing (`missing`), count header rows (`header_rows`), read the numbers "
                f"of a column with value labels (`codes={name}`), or write C({name}) for a factor"
            )
    reference = kept[0] if read.reference is None else named_in(read.reference, kept)
    if reference is None:
        raise InvalidParameterError(
            f"the reference is no level: received {shown(read.reference)} for {shown(name)}; allowed are "
            f"{shown(', '.join(kept[:10]))}"
        )
    return Factor(text, kept, reference)
