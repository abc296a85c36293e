r"""Columns of formulas such as ``answer ~ region + age``, whose texts ``formula_texts`` reads.

This module codes levels and rejects unknown ones, and marks the rows with a missing value. It keeps levels and
constants (of ``center`` and ``scale``) in ``FormulaDesign``, a record that JSON can hold, so that ``predict`` codes new
rows in the same way.

A factor with r levels spans a constant and r - 1 contrasts. A term gets columns for those products of constants and
contrasts that no earlier term spans, so that no column is a combination of others (Chambers and Hastie 1992, 2.4.1).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from math import inf, isfinite
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.normal_form import label_form, labelled_in, normal
from rropt.core.results import Result, labelled
from rropt.core.visible import visible, with_noun
from rropt.regression.existence import LevelCell
from rropt.regression.formula_texts import COMPARED, Constants, Parsed, constant, dotted, read_factor, value_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_Product = frozenset[tuple[str, bool]]  # its factors: whether each is a number or has all levels, or only contrasts

MOST_LEVELS = 1000  # levels of one factor
_MOST_CELLS = 5  # empty cells in a message
_MOST_CELLS_MET = 10_000  # combinations of levels that are searched for those without information
_DETERMINED = 1e-7  # relative distance of a column of new rows from the combination that it was in the fit
_INTEGER = re.compile("[+-]?[0-9]{1,1000}")
_MANY_NUMBERS = 10  # with more distinct numbers, a text column is probably numeric with some invalid values


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
        left_out: the columns that are combinations of others in the rows of the fit, by name: the constant and the
            multiples of the columns ``names()`` that give each (as R's ``alias``). They have no coefficient.
        empty_cells: if a column is left out, the combinations of levels that no row of the fit has.
        multiplied: the column of a covariate that is itself a randomized response, which the terms multiply; else "".
    """

    formula: str
    terms: tuple[Term, ...]
    factors: tuple[Factor, ...]
    left_out: ReadOnlyMapping[str, tuple[float, ...]] = field(default_factory=lambda: ReadOnlyMapping({}))
    empty_cells: tuple[str, ...] = ()
    multiplied: str = ""

    LABELS = labelled(formula="covariates", multiplied="randomized covariate")

    def checked(self) -> None:
        """Raise if the terms and factors of a file are not those of a fit; nothing in them is evaluated on data."""
        coded = _coded([term.factors for term in self.terms], self.factors)
        kept = {
            term.factors: [name for name in coded[term.factors] if name not in self.left_out] for term in self.terms
        }
        is_wrong = [tuple(kept[term.factors]) != term.names != () for term in self.terms]
        is_wrong += [not self.left_out.keys() <= set(chain(*coded.values()))]
        is_wrong += [len(own) != len(self.names()) + 1 for own in self.left_out.values()]
        for factor in self.factors:
            read, learned = read_factor(factor.text), dict(factor.constants)
            if factor.levels:
                is_wrong.append(
                    (read.tree is not None) != read.is_condition
                    or len(set(map(label_form, factor.levels))) < len(factor.levels)
                )
                is_wrong.append(factor.reference not in factor.levels)
            elif (
                read.tree is not None and not read.is_condition
            ):  # constants that were not learned would be learned from new rows
                with np.errstate(all="ignore"):
                    value_of(read.tree, dict.fromkeys(read.written, np.ones(1)), learned)
            is_wrong.append(learned.keys() != factor.constants.keys())
            is_wrong.append((read.is_marked or read.is_condition) and not factor.levels)
        if any(is_wrong) or len({factor.text for factor in self.factors}) < len(self.factors):
            raise InvalidParameterError(
                f"the terms and factors do not belong together: received {shown(self.formula)}; fit it again"
            )

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns of X."""
        return tuple(name for term in self.terms for name in term.names)

    def words(self) -> dict[str, str]:
        """Return the names of all columns of X in words: ``region N (against E) x age`` for ``region[T.N]:age``.

        The words are made of the factors and levels, as a level may contain a colon or a bracket itself.
        """
        known = {factor.text: factor for factor in self.factors}
        found = dict[str, str]()
        for columns in _coded([term.factors for term in self.terms], self.factors).values():
            for name, parts in columns.items():
                words = [_part_in_words(known[text], level, label) for text, level, label in reversed(parts)]
                found[name] = visible(" x ".join(words) or name)
        return found

    def matrix(self, data: Mapping[str, DataColumn], rows: int) -> tuple[Floats, NDArray[np.bool_]]:
        """Return X, shape (rows, columns), and a mask of the rows with a missing value; these rows are 0.

        Raises:
            InvalidParameterError: a level is unknown to the fit, or a factor has no finite value in some row.
            UndeterminedError: the linear predictor of a row needs a coefficient that was left out.
        """
        missing = np.zeros(rows, bool)
        values: dict[str, Any] = {}
        for factor in self.factors:
            own = values[factor.text] = codes_of(factor, data) if factor.levels else _numbers(factor, data, rows)[0]
            missing |= own < 0 if factor.levels else np.isnan(own)
        coded = _coded([term.factors for term in self.terms], self.factors)
        columns = {name: parts for term in self.terms for name, parts in coded[term.factors].items()}
        names = self.names()
        X = np.empty((rows, len(names)))
        others: dict[str, Floats] = {}  # the columns that the fit left out
        for place, name in enumerate((*names, *self.left_out)):
            found = np.ones(rows)
            for text, level, _ in columns[name]:
                found *= values[text] if level is None else values[text] == level
            found[missing] = 0.0
            if place < len(names):
                X[:, place] = found
            else:
                others[name] = found
        for name, (shift, *multiples) in self.left_out.items():
            alone, parts = others[name], np.array(multiples)
            size = np.abs(alone) + np.abs(X) @ np.abs(parts) + abs(shift)
            is_other = (np.abs(alone - X @ parts - shift) > _DETERMINED * size) & ~missing
            if is_other.any():
                where = "; ".join(self.empty_cells[:_MOST_CELLS])
                raise UndeterminedError(
                    f"a prediction is not determined: received {with_noun(int(is_other.sum()), 'row')}, the first of "
                    f"them row {int(np.argmax(is_other)) + 1}, that need the coefficient of {shown(name)}, which the "
                    f"fit left out{f' (no row of it has {shown(where)})' * bool(where)}; leave such rows out"
                )
        return X, missing

    def without(self, left_out: Mapping[str, tuple[float, ...]], data: Mapping[str, DataColumn]) -> FormulaDesign:
        """Return the covariates without some columns, which are combinations of others.

        Args:
            left_out: as the attribute.
            data: the columns of the rows of the fit.
        """
        terms = tuple(
            Term(term.factors, tuple(name for name in term.names if name not in left_out)) for term in self.terms
        )
        cells = tuple(_empty_cells(self, data))
        return FormulaDesign(self.formula, terms, self.factors, ReadOnlyMapping(left_out), cells)

    def left_out_notes(self, prefix: str = "") -> list[str]:
        """Return a note on each column that was left out, as text; ``prefix`` stands before its name."""
        found, names = [], ("1", *self.names())
        for name, parts in self.left_out.items():
            own = [(value, each) for value, each in zip(parts, names, strict=True) if value]
            listed = " ".join(
                _part_text(value, each, is_first=not place) for place, (value, each) in enumerate(own[:5])
            )
            equal = f"it equals {listed}{' ...' * (len(own) > 5)}" if own else "it is 0 in every row"
            found.append(f"{prefix}{name} is left out, as the rows of the fit do not determine it: {equal}")
        if self.empty_cells:
            cells, more = self.empty_cells[:_MOST_CELLS], " ..." * (len(self.empty_cells) > _MOST_CELLS)
            found.append(f"no row of the fit has {'; '.join(cells)}{more}: join levels (recode) to have a coefficient")
        return found


class UndeterminedError(InvalidParameterError):
    """A linear predictor needs a coefficient that was left out."""


def _part_text(value: float, name: str, *, is_first: bool) -> str:
    """Return one part of a combination, such as ``- 2 x``."""
    sign = "-" if value < 0 else "+"
    size = f"{abs(value):.6g}"
    own = size if name == "1" else name if size == "1" else f"{size} {name}"
    return f"{'-' * (value < 0)}{own}" if is_first else f"{sign} {own}"


def _part_in_words(factor: Factor, level: int | None, label: str) -> str:
    """Return the label of a factor in the name of a column in words."""
    if level is None:
        return factor.text
    words = f"{column_name(factor.text)} {factor.levels[level]}"
    is_contrast = label == f"{factor.text}[T.{factor.levels[level]}]"  # otherwise all levels have columns
    return f"{words} (against {factor.reference})" if is_contrast else words


def _coded(
    terms: Sequence[tuple[str, ...]], factors: Sequence[Factor]
) -> dict[tuple[str, ...], dict[str, list[tuple[str, int | None, str]]]]:
    """Return the columns of X by term and by name, from the last factor to the first.

    Each factor has its text, the level whose indicator the column multiplies, and its label in the name.

    Raises:
        InvalidParameterError: two columns have the same name.
    """
    coded: dict[tuple[str, ...], dict[str, list[tuple[str, int | None, str]]]] = {term: {} for term in terms}
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
                coded[term][name] = list(parts)
    return coded


def cells_of(design: FormulaDesign, data: Mapping[str, DataColumn]) -> list[list[LevelCell]]:
    """Return the levels of the factors, and then their combinations in each interaction, in the rows of the fit.

    Args:
        design: the covariates.
        data: the columns of the rows of the fit.
    """
    known = {factor.text: factor for factor in design.factors if factor.levels}
    found: dict[tuple[str, ...], list[LevelCell]] = {}
    for term in design.terms:
        own = tuple(text for text in term.factors if text in known)
        if not own or own in found:
            continue
        codes = np.column_stack([codes_of(known[text], data) for text in own])
        met, inverse = np.unique(codes, axis=0, return_inverse=True)
        joined = next((at for at, text in enumerate(own) if len(known[text].levels) > 2), None)  # of two, none is left
        counts = np.bincount(codes[:, joined or 0])
        cells = found[own] = []
        first = known[own[joined or 0]]
        for place, cell in enumerate(met.tolist()[:_MOST_CELLS_MET]):
            levels = [
                f"{column_name(text)} = {shown(known[text].levels[code])}" for text, code in zip(own, cell, strict=True)
            ]
            at = cell[joined or 0]
            other = int(np.argmax(np.where(np.arange(len(counts)) == at, -1, counts)))
            rows = inverse.ravel() == place
            to = "" if joined is None else first.levels[other]
            cells.append(LevelCell(", ".join(levels), column_name(own[joined or 0]), first.levels[at], to, rows))
    alone = [cell for own, cells in found.items() if len(own) == 1 for cell in cells]
    return [alone, *(cells for own, cells in sorted(found.items(), key=lambda one: len(one[0])) if len(own) > 1)]


def column_name(text: str) -> str:
    """Return the column of a factor with levels; of a comparison its text."""
    read = read_factor(text)
    return text if read.is_condition else read.columns[0]


def _empty_cells(design: FormulaDesign, data: Mapping[str, DataColumn]) -> list[str]:
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
        names = [column_name(factor.text) for factor in own]
        for cell in product(*(range(len(factor.levels)) for factor in own)):
            if cell not in met:
                levels = zip(names, own, cell, strict=True)
                found[", ".join(f"{name} = {factor.levels[place]}" for name, factor, place in levels)] = None
    return list(found)


def _numbers(factor: Factor, data: Mapping[str, DataColumn], rows: int) -> tuple[Floats, Constants]:
    """Return the values of a numeric factor, NaN where they are missing, and the constants that it learned.

    Raises:
        InvalidParameterError: a column contains texts, or a value is not finite although no column is missing there.
    """
    text, read = factor.text, read_factor(factor.text)
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
        values = (
            own[0] if read.tree is None else value_of(read.tree, dict(zip(read.written, own, strict=True)), learned)
        )
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
    codes, levels = levels_of(factor_column(factor.text, data))
    places = {label_form(level): place for place, level in enumerate(factor.levels)}
    found = np.array([places.get(label_form(level), -2) for level in levels] + [-1], np.int64)[codes]
    rows = found == -2
    if rows.any():
        listed = ", ".join(factor.levels[:10]) + (", ..." if len(factor.levels) > 10 else "")
        name = read_factor(factor.text).columns[0]
        raise InvalidParameterError(
            f"a level is unknown: received {shown(levels[int(codes[rows][0])])} in {shown(name)}, in "
            f"{with_noun(int(rows.sum()), 'row')}; allowed are the levels of the fit: {shown(listed)}"
        )
    return found


def condition_key(text: str) -> str:
    """Return the name under which data may hold the values of a comparison, in place of computing them."""
    return f"\0{text}"


def factor_column(
    text: str, data: Mapping[str, DataColumn], exact: Mapping[str, NDArray[Any]] = MappingProxyType({})
) -> DataColumn:
    """Return the column of a factor with levels; that of a comparison has the levels False and True.

    Args:
        text: the factor.
        data: the columns of the data.
        exact: the values of columns that are compared otherwise than as doubles: singles, and long integers.

    Raises:
        InvalidParameterError: a comparison orders texts, or compares numbers with a text.
    """
    read = read_factor(text)
    if read.tree is None or not read.is_condition:
        return data[read.columns[0]]
    if (held := data.get(condition_key(text))) is not None:
        return held
    own = {written: (name, data[name]) for written, name in zip(read.written, read.columns, strict=True)}
    values = _compared(read.tree, own, exact, text).astype(np.float64)
    for _, column in own.values():
        values[np.isnan(column.values)] = np.nan
    return DataColumn(values, ("False", "True"))


def _compared(
    tree: ast.expr, own: Mapping[str, tuple[str, DataColumn]], exact: Mapping[str, NDArray[Any]], text: str
) -> NDArray[np.bool_]:
    """Return in which rows a comparison is true; those with a missing value have any value."""
    match tree:
        case ast.BoolOp(op, values):
            reduce = np.logical_and if isinstance(op, ast.And) else np.logical_or
            joined: NDArray[np.bool_] = reduce.reduce([_compared(each, own, exact, text) for each in values])
            return joined
        case ast.UnaryOp(_, value):
            return ~_compared(value, own, exact, text)
        case ast.Compare(left, [op], [right]):
            name, column = own[dotted(left)]
            known, compare = constant(right), COMPARED[type(op)]
            number = exact_number_of(known) if isinstance(known, str) else known
            is_equality = isinstance(op, ast.Eq | ast.NotEq)
            if np.isnan(column.values).all():
                return np.zeros(len(column.values), bool)
            numbers = [exact_number_of(level) for level in column.levels]
            if column.levels and (is_equality or (number is not None and None not in numbers)):
                if is_equality:
                    label = label_form(known) if isinstance(known, str) else None
                    pairs = zip(column.levels, numbers, strict=True)
                    equal = [label_form(level) == label or one == number is not None for level, one in pairs]
                    same = np.array(equal) == isinstance(op, ast.Eq)
                else:
                    same = np.array([bool(compare(one, number)) for one in numbers])
                codes = np.where(np.isnan(column.values), 0, column.values).astype(np.int64)
                of_levels: NDArray[np.bool_] = same[codes]
                return of_levels
            if not column.levels and number is not None:
                read = exact.get(name, column.values)
                if read.dtype != object:
                    number = read.dtype.type(as_float(number))
                found: NDArray[np.bool_] = compare(read, number).astype(bool)
                return found
            what = "texts are not ordered" if column.levels else "a column of numbers is compared with a text"
            raise InvalidParameterError(
                f"{what}: received {shown(text)}; allowed are == and != of texts, and all comparisons of numbers "
                f"(write C({name}) for a factor)"
            )
    raise AssertionError("read_factor allows nothing else")


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


def exact_number_of(text: str) -> int | float | None:
    """Return the number of a text as ``number_of``, and a whole number as an integer of any size."""
    return int(text) if _INTEGER.fullmatch(text) else number_of(text)


def as_float(number: float) -> float:
    """Return a number as a float; an integer beyond all floats is infinite."""
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


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
    read = read_factor(text)
    is_factor = read.is_marked or read.is_condition
    if not is_factor and (read.tree is not None or not data[read.columns[0]].levels):
        own = {name: DataColumn(data[name].values[used], data[name].levels) for name in read.columns}
        return Factor(text, constants=ReadOnlyMapping(_numbers(Factor(text), own, int(used.sum()))[1]))
    name = text if read.is_condition else read.columns[0]
    codes, levels = levels_of(factor_column(text, data))
    met = np.unique(codes[used])
    kept = tuple(levels[place] for place in met.tolist() if place >= 0)
    if read.levels is not None:
        kept = _in_order(kept, read.levels, name, codes[used], levels)
    if not 2 <= len(kept) <= MOST_LEVELS:
        raise InvalidParameterError(
            f"a factor has {with_noun(len(kept), 'level')}: received {shown(name)}"
            + (f", {shown(kept[0])} in every row" if len(kept) == 1 else "")
            + f"; allowed are 2 to {MOST_LEVELS}; leave it out, or join levels (recode)"
            + ("; are its values numbers with other texts among them?" if len(kept) > MOST_LEVELS else "")
        )
    numbers = [number_of(level) for level in levels]
    if not is_factor and len(numbers) - numbers.count(None) > _MANY_NUMBERS:  # rarely meant as a factor
        known = codes[used & (codes >= 0)]
        is_number = np.array([one is not None for one in numbers])[known]
        is_finite = np.array([one is not None and isfinite(one) for one in numbers])[known]
        if is_number.mean() > 0.5:
            others = int((~is_number).sum() or (~is_finite).sum())
            plural = f"values of {shown(name)} that are no finite numbers"
            raise InvalidParameterError(
                "a column of numbers contains other texts: received "
                f"{with_noun(others, f'value of {shown(name)} that is no finite number', plural)}; "
                f"correct them, write C({name}) for a factor, or state `missing`, `header_rows` or `codes` where the "
                "table is read (rropt_fieldwork.read)"
            )
    reference = kept[0] if read.reference is None else labelled_in(read.reference, kept)
    if reference is None:
        raise InvalidParameterError(
            f"the reference is no level: received {shown(read.reference)} for {shown(name)}; allowed are "
            f"{shown(', '.join(kept[:10]))}"
        )
    return Factor(text, kept, reference)


def _in_order(
    kept: tuple[str, ...], named: tuple[str, ...], name: str, codes: Ints, levels: Sequence[str]
) -> tuple[str, ...]:
    """Return the levels of the data in the order of ``C(x, levels=[...])``.

    Raises:
        InvalidParameterError: the data have another level.
    """
    found = {labelled_in(level, named): level for level in kept}
    for level in kept:
        if labelled_in(level, named) is None:
            rows = int((codes == list(levels).index(level)).sum())
            raise InvalidParameterError(
                f"a level is not among those of the formula: received {shown(level)} in {with_noun(rows, 'row')} of "
                f"{shown(name)}; name it in the formula, or join it with another level in the data"
            )
    return tuple(found[level] for level in named if level in found)
