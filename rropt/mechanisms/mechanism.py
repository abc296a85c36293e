"""The mechanism: the distribution of the response given the truth (local randomizer, channel, transition matrix).

``Mechanism`` is a matrix. A *form* of mechanism is a subclass that defines its ``shape``, its rows, a key in JSON, and
equality. Everything else follows from the rows. A form overrides the methods that its structure makes faster:

* ``ProductMechanism``: the Kronecker product of explicit mechanisms, one for each question;
* ``OrbitMechanism``: rows that are permutations of a few representatives, as in subset selection.

The matrices of forms are written out only on request, with an error if they are too large.
"""

from __future__ import annotations

import hashlib
import json
import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard, cast, overload

from rropt.core.argument_checks import clear_calls
from rropt.core.errors import (
    FileFormatError,
    InvalidMechanismError,
    InvalidParameterError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.exact import Bracket, Epsilon, ExactReal, as_text, both_texts, rational
from rropt.core.exact.display import different_texts
from rropt.core.exact.numbers import float_rows
from rropt.core.files import parse_json
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ENTRY_DIGITS, MAX_MATRIX_ENTRIES
from rropt.core.normal_form import normal
from rropt.core.visible import size_text, with_noun
from rropt.mechanisms.columns import (
    Matrix,
    listed_rows,
    parity_of,
    row_extremes,
    text_rows,
)
from rropt.mechanisms.dichotomies import Dichotomy, worst_of
from rropt.mechanisms.displays import mechanism_text
from rropt.mechanisms.hockey_stick import Excess, gamma_of
from rropt.mechanisms.kronecker import Vector, dense_vector, kronecker_product
from rropt.mechanisms.left_inverse import SetForm, left_inverse, reference_population, set_form
from rropt.mechanisms.matrix_privacy import profile_of, worst_excess
from rropt.mechanisms.named_designs import NamedDesigns
from rropt.mechanisms.profiles import PrivacyProfile, profile_of_pairs
from rropt.mechanisms.rounding import PRINTED, Rounding, exact_matrix, rounded_matrix
from rropt.mechanisms.words import matrix_words

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from rropt.core.random_numbers import RandomSource
    from rropt.plots.figures import Figure


_FLOAT_DIGITS = 15  # a decimal with so many digits is the shortest decimal of its float
_MOST_DECIMALS = 900  # largest matrix for which decimals are computed: every pair of inputs is compared at every level

BESIDE = (
    "name",
    "problem",
    "categories",
    "responses",
    "inputs",
    "outputs",
    "rounding",
    "rounded",
)  # keys of a mechanism's JSON beside that of its form
BETWEEN = "&"  # between the categories of a set; no common table format uses it as a separator of columns
_LONGEST_NAME = 500
_NEIGHBOURS = "neighbours"  # how numbers between those of the inputs are rounded


_SCREENFUL = 144  # largest number of entries that a repr shows
_BRACKET_DIGITS = 20  # decimals of the enclosure of an irrational delta, finer than any application needs


class Mechanism(NamedDesigns):
    """A randomized response mechanism: ``P[i, j] = Pr(Z = d_i | X = c_j)``, every column sums to exactly 1.

    P is the transition probability matrix of Chai and Nayak (2018), so the distribution of the responses is ``lambda =
    P pi``. The row-stochastic *design matrix* of the survey literature (Holohan, Leith and Mason 2016, Definition 1) is
    its transpose, offered as the view ``design_matrix``.

    Args:
        matrix: m rows (outputs) of k entries (inputs), m >= 1, k >= 1: nested sequences, a NumPy array, a sparse matrix
            of SciPy, a value of CVXPY or a data frame. Each entry is a nonnegative number in one of rropt's exact
            forms, and every column sums to 1: exactly if an entry is a fraction, else up to the rounding errors of
            floats (``rounding``).
        transposed: whether the rows of the matrix, or of the file that is named, are inputs and sum to 1.
        name: the printed name, e.g. ``"forced:2/3,1/6,1/6"``.

    Raises:
        InvalidMechanismError: the shape is wrong, an entry is negative, or a column does not sum to 1.
        InvalidParameterError: an entry is not a number.

    Attributes:
        name: the name given at construction, if any.
        rounding: how the exact matrix was chosen for one of decimals (``rropt.mechanisms.rounding``); ``None`` if the
            numbers are as written. Comparisons ignore it.
        categories: the names of the k categories of the sensitive variable; empty if they are numbered.
        responses: the names of the m outputs; empty if they are numbered.
        input_values: the exact numbers that the k categories stand for; empty without numbers.
        output_values: the exact numbers z of the m outputs; empty without numbers. The mean of the reports estimates
            the mean of the numbers if ``sum_i z_i p_ij`` is the number of category j (``valued``).
        rounds: whether a number between two ascending ones of the categories is rounded to one of them at random,
            without bias, before it is randomized.

    Mechanisms are immutable. Two mechanisms of the same form are equal if their data are equal. ``Mechanism(other)``
    writes out the matrix of any form. A class ``Mine(Mechanism, key="mine")`` with ``shape``, ``row``, ``form``,
    ``from_data`` and ``parts`` of its own registers itself as the form with the JSON ``{"mine": ...}``.

    >>> die = Mechanism([["5/6", "1/6"], ["1/6", "5/6"]])
    >>> print(die.parity(), die.epsilon, round(float(die.epsilon), 6))
    5 log(5) 1.609438
    """

    categories: tuple[str, ...]
    name: str | None
    responses: tuple[str, ...]
    input_values: tuple[Fraction, ...]
    output_values: tuple[Fraction, ...]
    rounds: bool
    rounding: Rounding | None
    origin: Mechanism | None = None  # the mechanism whose matrix was written out as a factor of a product

    FORMS: ClassVar[dict[str, Any]] = {}  # from the key in JSON to the class, which registers itself
    _MOST_ENTRIES: ClassVar[int] = MAX_MATRIX_ENTRIES  # of a matrix that is written out
    PARTS: ClassVar[tuple[str, ...]] = ("matrix",)  # the attributes that define a mechanism of the form

    def __init_subclass__(cls, *, key: str | None = None) -> None:
        super().__init_subclass__()
        if key is not None:
            Mechanism.FORMS[key] = cls

    @classmethod
    def made(cls, name: str | None, **parts: Any) -> Self:
        """Build an object of this form from a name and its attributes; ``matrix`` is exact and stochastic."""
        made = object.__new__(cls)
        if cls is Mechanism:
            rows = parts["matrix"]
            m, k = len(rows), len(rows[0])
            parts |= {"shape": (m, k), "outputs": m, "inputs": k, "is_small": m * k <= MAX_MATRIX_ENTRIES}
        beside = {"name": name, "categories": (), "responses": (), "input_values": (), "output_values": ()}
        for attribute, value in {**beside, "rounds": False, "rounding": None, **parts}.items():
            object.__setattr__(made, attribute, value)
        return made

    def __new__(cls, matrix: Any, *, transposed: bool = False, name: str | None = None) -> Mechanism:
        """Build an explicit mechanism from a matrix, or the named design of a text such as ``"warner:3/4"``."""
        if name is not None and not isinstance(name, str):
            raise InvalidParameterError(f"`name` is not a text: received {shown(name)}; allowed is a text")
        if not isinstance(transposed, bool):
            raise InvalidParameterError(
                f"`transposed` is neither true nor false: received {shown(transposed)}; give the matrix first"
            )
        if isinstance(matrix, str):
            of_text = cast(Any, Mechanism)._of_text  # set by `imports`, in a higher layer
            made: Mechanism = of_text(matrix, transposed=transposed)
            return made if name is None else made.named(name)
        if isinstance(matrix, Mechanism):
            if transposed:
                raise InvalidParameterError(
                    "`transposed` is for a matrix: received it with a mechanism, whose rows are outputs; leave it out"
                )
            return Mechanism.made(name, matrix=matrix.matrix, rounding=matrix.rounding)
        rows, rounding = exact_matrix(list(zip(*listed_rows(matrix), strict=True)) if transposed else matrix)
        return Mechanism.made(name, matrix=rows, rounding=rounding)

    @classmethod
    def rounded(
        cls, matrix: Any, *, tolerance: object = PRINTED, zeros: object = 0, transposed: bool = False
    ) -> Mechanism:
        """Return the mechanism of a matrix whose columns miss the sum 1, such as a printed one: an explicit rounding.

        Negative entries become 0, and each column is divided by its sum. ``rounding`` records what was moved. A matrix
        that has to satisfy a privacy level is repaired instead (``rropt.designs.repair``).

        Args:
            matrix: m rows (outputs) of k numbers, as for ``Mechanism``.
            tolerance: the largest difference between a column sum and 1, and the largest size of a negative entry.
            zeros: entries up to this number become 0, for example 1e-9 for the values of a solver.
            transposed: whether the rows of the matrix are inputs.

        Raises:
            InvalidMechanismError: a column sum or an entry is farther away.

        >>> die = Mechanism.rounded([[0.333, 0.5], [0.333, 0.25], [0.333, 0.25]])
        >>> print(die.column(0)[0], die.rounding.remark())
        1/3 columns of decimals miss the sum 1 by up to 0.001 and are divided by their sums; largest change 0.0003
        """
        given = list(zip(*listed_rows(matrix), strict=True)) if transposed else matrix
        rows, rounding = rounded_matrix(given, tolerance, zeros)
        return Mechanism.made(None, matrix=rows, rounding=rounding)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        return len(self.matrix), len(self.matrix[0])

    def row(self, i: int) -> Vector:
        """Return the k probabilities of output i; a form computes no other row."""
        return self.matrix[i]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON: ``form()``, and the names of the mechanism, the categories and the responses, if any."""
        return {**self.form(), **self.names()}

    def names(self) -> dict[str, Any]:
        """Return the part of ``to_dict`` that comparisons ignore: names, and the numbers of inputs and outputs."""
        names = {"categories": self.categories, "responses": self.responses}
        numbers = {"inputs": self.input_values, "outputs": self.output_values}
        names |= {key: tuple(map(as_text, own)) for key, own in numbers.items()}
        named: dict[str, Any] = {"name": self.name} if _is_name(self.name) else {}
        named |= {"rounding": _NEIGHBOURS} if self.rounds else {}
        named |= {} if self.rounding is None else {"rounded": self.rounding.to_dict()}
        return {key: list(given) for key, given in names.items() if given} | named

    def form(self) -> dict[str, Any]:
        """Return ``{"matrix": [["2/3", "1/3"], ...]}`` with outputs as rows, or the probabilities of the subclass."""
        return {"matrix": text_rows(self.matrix)}

    @property
    def identity(self) -> str:
        """SHA-256 of ``form()`` in hexadecimal digits: counts of responses and clients store it.

        >>> Mechanism.warner("3/4").identity == Mechanism.warner("3/4").named("spinner").identity
        True
        """
        written = json.dumps(self.form(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(written.encode()).hexdigest()

    def decimals(self) -> dict[str, Any] | None:
        """Return ``to_dict`` with floats whose shortest decimals are a mechanism that is no less private than this one.

        ``None`` if no such decimals with fifteen digits are found, for large matrices, and for forms without a matrix.
        """
        from rropt.mechanisms.decimals import private_decimals

        if type(self) is not Mechanism or self.outputs * self.inputs > _MOST_DECIMALS:
            return None
        found = private_decimals(self.matrix, _FLOAT_DIGITS)
        if found is None or found[1] > _FLOAT_DIGITS:
            return None
        return {"matrix": [[float(x) for x in row] for row in found[0]]}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        rows, rounding = exact_matrix(data)
        return Mechanism.made(None, matrix=rows, rounding=rounding)

    def parts(self) -> Any:
        """Return the data that define equality of two mechanisms of the same form."""
        return tuple(getattr(self, name) for name in self.PARTS)

    @cached_property
    def matrix(self) -> Matrix:
        """The m rows of k exact probabilities, written out.

        Raises:
            UnsupportedProblemError: the matrix has more than a million entries, or four of two shared values.
        """
        m, k = self.shape
        if m * k > self._MOST_ENTRIES:
            raise UnsupportedProblemError(
                f"the matrix is too large to be written out: received {size_text(m)} outputs and {size_text(k)} "
                f"inputs, {size_text(m * k)} entries; at most {self._MOST_ENTRIES} are; `rropt privacy` "
                "and `rropt compose` work without it, `rropt count` and `rropt estimate` from counts, and "
                "`rropt compare bits:3/4*10 ask` compares the precision of a product of devices"
            )
        return self._written_out()

    def _written_out(self) -> Matrix:
        return tuple(self.row(i) for i in range(self.outputs))

    def named(self, name: str | None) -> Self:
        """Return a copy of the mechanism with another name."""
        return type(self).made(**{**self._attributes(), "name": name})

    def labelled(self, categories: Any = (), responses: Any = ()) -> Self:
        """Return a copy with names of the categories and of the responses, which comparisons and certificates ignore.

        Args:
            categories: k different names in the order of the mechanism; empty for numbers.
            responses: m different names. If they are empty and m = k, each response has the name of the category that
                is likeliest to give it, provided that these categories are unique and different.

        Raises:
            InvalidParameterError: the names do not fit the mechanism, or an output is a set of them and a name contains
                ``&``.

        >>> Mechanism.binary("3/4", "3/4").labelled(["no", "yes"]).to_dict()["categories"]
        ['no', 'yes']
        """
        names = _names(categories, self.inputs, "categories")
        said = _names(responses, self.outputs, "responses") if responses else ()  # m of many sets is not computed
        if not said and self.outputs_are_sets():
            require_names_of_sets(names)
        if names and not said and self.inputs**2 <= MAX_MATRIX_ENTRIES and self.inputs == self.outputs:
            likeliest = [[j for j, p in enumerate(row) if p == most] for row in self.matrix for most in [max(row)]]
            places = [tied[0] for tied in likeliest if len(tied) == 1]
            said = tuple(names[j] for j in places) if len(set(places)) == self.inputs else ()
        return type(self).made(**{**self._attributes(), "categories": names, "responses": said})

    def outputs_are_sets(self) -> bool:
        """Return whether an output is written as a set of categories."""
        return False

    def valued(self, inputs: Sequence[object], outputs: Sequence[object], *, rounds: bool = False) -> Self:
        """Return a copy with numbers of the categories and of the outputs, which comparisons and certificates ignore.

        The categories and the responses get these numbers as names too: a number of at most 15 significant digits is
        written exactly, another one is rounded to 15, or to as many digits as tell all numbers apart.

        Args:
            inputs: k different numbers, in the order of the categories.
            outputs: m different numbers z, one for each output.
            rounds: whether numbers between those of the categories, which ascend, are rounded to their neighbours at
                random without bias.

        Raises:
            InvalidParameterError: the numbers do not fit the mechanism.

        >>> made = Mechanism.warner("3/4").valued([0, 1], ["-1/2", "3/2"])
        >>> made.categories, made.responses, made.output_values
        (('0', '1'), ('-0.5', '1.5'), (Fraction(-1, 2), Fraction(3, 2)))
        """
        both = [
            _numbers(own, *what)
            for own, what in ((inputs, (self.inputs, "inputs")), (outputs, (self.outputs, "outputs")))
        ]
        if rounds and any(x >= y for x, y in pairwise(both[0])):
            raise InvalidParameterError(
                f"numbers to which others are rounded do not ascend: received {shown(list(inputs)[:5])}; list them "
                "from the least to the largest"
            )
        names = [different_texts(own) for own in both]
        values = dict(zip(("input_values", "output_values"), both, strict=True))
        return type(self).made(**{**self.labelled(*names)._attributes(), **values, "rounds": rounds})

    def category(self, j: int) -> str:
        """Return the number of a category with its name, for texts."""
        return f"category {j} ({self.categories[j]})" if self.categories else f"category {j}"

    def in_words(self) -> str:
        """Return the device in words: the probabilities with which true and other answers are reported.

        >>> Mechanism.binary("5/6", "5/6").in_words()
        'true answer reported with 5/6, the other one with 1/6'
        """
        if not self.is_small:
            m, k = self.shape_texts
            return f"one of {m} responses reported for {k} true answers"
        return matrix_words(self.matrix, self.categories, self.responses)

    @property
    def factors(self) -> tuple[Mechanism, ...]:
        """The factors of a product; any other mechanism is its own only factor."""
        return (self,)

    @property
    def shape_texts(self) -> tuple[str, str]:
        """``shape`` as texts; an m with thousands of digits is written as a formula, such as 2^20000."""
        m, k = self.shape
        return str(m), str(k)

    @cached_property
    def outputs(self) -> int:
        """m, the number of possible outputs."""
        return self.shape[0]

    @cached_property
    def inputs(self) -> int:
        """k, the number of categories of the sensitive variable."""
        return self.shape[1]

    @classmethod
    def from_dict(cls, data: Any) -> Mechanism:
        """Build the mechanism, of any form, from the output of ``to_dict``.

        In addition to the form's key, ``data`` may contain ``name``, one line of text, ``categories`` and
        ``responses``, lists of names, ``inputs`` and ``outputs``, the numbers of the categories and of the outputs, and
        ``problem``, the problem that the mechanism solves (``rropt design --output``). The content of ``problem`` is
        ignored.

        Raises:
            FileFormatError: ``data`` is not an object with the key of exactly one form, or has other keys.
        """
        keys = [key for key in data if key not in BESIDE] if isinstance(data, dict) else []
        key = keys[0] if len(keys) == 1 else None
        if not isinstance(key, str) or key not in Mechanism.FORMS:
            others = ", ".join(form for form in Mechanism.FORMS if form != "matrix")
            told = "the result of a command" if "result" in keys else shown(data)
            raise FileFormatError(
                'a mechanism is not of the form {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}: received '
                f"{told}; other forms have the keys {others}"
            )
        made: Mechanism = Mechanism.FORMS[key].from_data(data[key])
        if data.get("inputs") or data.get("outputs"):
            if data.get("rounding") not in (None, _NEIGHBOURS):
                raise FileFormatError(
                    f"the rounding of a mechanism is unknown: received {shown(data['rounding'])}; allowed is "
                    f"{_NEIGHBOURS!r}, or no rounding"
                )
            rounds = data.get("rounding") == _NEIGHBOURS
            made = made.valued(data.get("inputs", ()), data.get("outputs", ()), rounds=rounds)
        if "rounded" in data:
            made = type(made).made(**{**made._attributes(), "rounding": Rounding.from_dict(data["rounded"])})
        if "categories" in data or "responses" in data:
            made = made.labelled(data.get("categories", ()), data.get("responses", ()))
        return made.named(_name_of(data["name"])) if "name" in data else made

    def to_json(self) -> str:
        """Return the JSON text of ``to_dict``."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Mechanism:
        """Build the mechanism from the output of ``to_json``; numbers are read exactly as written."""
        return cls.from_dict(parse_json(text, what="mechanism"))

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the matrix as an array of floats, shape (m, k), for plots and simulation but not for guarantees."""
        return np.array([*float_rows(self.matrix)])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the matrix for ``numpy.asarray`` as floats, or with ``dtype=object`` as exact fractions."""
        if copy is False:
            raise ValueError("a mechanism contains exact fractions and no array: use numpy.asarray(mechanism)")
        if dtype is not None and np.dtype(dtype).kind == "O":
            return np.array(self.matrix, dtype=object)
        return self.to_numpy().astype(float if dtype is None else dtype, copy=False)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Mechanism is immutable: build a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self).made, **self._attributes()), ()

    def _attributes(self) -> dict[str, Any]:
        slots = [slot for cls in type(self).__mro__ for slot in getattr(cls, "__slots__", ())]  # of somebody's form
        return {**vars(self), **{slot: getattr(self, slot) for slot in slots}}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mechanism) or type(other) is not type(self):
            return NotImplemented
        return bool(self.parts() == other.parts())

    def __hash__(self) -> int:
        return hash(self.parts())

    def __repr__(self) -> str:
        if type(self) is Mechanism and self.inputs * self.outputs <= _SCREENFUL:
            return f"Mechanism({text_rows(self.matrix)}{self._named()})"
        return f"<{type(self).__name__} of shape ({', '.join(map(size_text, self.shape))}){self._named()}>"

    def _named(self) -> str:
        return f", name={self.name!r}" if self.name else ""

    @classmethod
    def binary(cls, p00: object, p11: object, *, name: str | None = None) -> Mechanism:
        """Return the generalized binary design (p00, p11) of Holohan, Leith and Mason (2016), equation (2).

        Here ``p00 = Pr(output 0 | truth 0)`` and ``p11 = Pr(output 1 | truth 1)``.
        """
        a, b = (rational(p, name=name_, digits=MAX_ENTRY_DIGITS) for p, name_ in ((p00, "p00"), (p11, "p11")))
        rows = ((a, 1 - b), (1 - a, b))  # its columns sum to 1
        return Mechanism.made(name, matrix=rows if 0 <= min(a, b) <= max(a, b) <= 1 else exact_matrix(rows)[0])

    @property
    def design_matrix(self) -> Matrix:
        """The transpose: rows are inputs and sum to 1 (the survey literature's design matrix)."""
        return tuple(zip(*self.matrix, strict=True))

    @overload
    def __getitem__(self, index: tuple[int, int]) -> Fraction: ...

    @overload
    def __getitem__(self, index: int) -> Vector: ...

    @overload
    def __getitem__(self, index: slice | tuple[slice, slice]) -> Matrix: ...

    @overload
    def __getitem__(self, index: tuple[slice, int] | tuple[int, slice]) -> Vector: ...

    def __getitem__(self, index: Any) -> Any:
        """Return an entry, ``m[i, j]``, or a row, ``m[i]``; negative numbers count from the end.

        Slices select rows and columns as in NumPy: ``m[:, j]`` is a column, ``m[1:]`` a tuple of rows.

        >>> print(*Mechanism.binary("3/4", "2/3")[:, 0])
        3/4 1/4
        """
        i, j = index if isinstance(index, tuple) and len(index) == 2 else (index, None)
        places = [(i, self.outputs), *([(j, self.inputs)] if j is not None else [])]
        places = [(place, size) for place, size in places if not isinstance(place, slice)]
        if any(not hasattr(place, "__index__") for place, _ in places):
            raise TypeError(
                f"a mechanism has entries m[i, j], rows m[i] and columns m[:, j]: received {shown(index)}; give "
                "integers or slices"
            )
        if any(not -size <= place < size for place, size in places):
            raise IndexError(
                f"there is no such entry or row: received {shown(index)}; the shape is ({', '.join(self.shape_texts)})"
            )
        if isinstance(i, slice):
            return self.matrix[i] if j is None else tuple(row[j] for row in self.matrix[i])
        if isinstance(j, slice):
            return self.row(operator.index(i) % self.outputs)[j]
        numbers = [operator.index(place) % size for place, size in places]
        return self.row(numbers[0]) if j is None else self._entry_at(*numbers)

    def _entry_at(self, i: int, j: int) -> Fraction:
        return self.row(i)[j]

    def __iter__(self) -> Iterator[Vector]:
        return iter(self.matrix)

    def __len__(self) -> int:
        return self.outputs

    def __bool__(self) -> bool:
        return True

    def column(self, j: int) -> Vector:
        """Return the distribution of the output given input j, shape (m,)."""
        return tuple(row[j] for row in self.matrix)

    def columns(self) -> Iterator[tuple[Fraction, ...]]:
        """Iterate over the k output distributions."""
        return iter(self.design_matrix)

    @property
    def is_binary(self) -> bool:
        """Whether there are two inputs and two outputs."""
        return self.shape == (2, 2)

    @property
    def p00(self) -> Fraction:
        """Pr(output 0 | truth 0) of a binary design."""
        return self._require_binary()[0][0]

    @property
    def p11(self) -> Fraction:
        """Pr(output 1 | truth 1) of a binary design."""
        return self._require_binary()[1][1]

    def parity(self) -> Fraction | None:
        """Return the parity: the largest ratio of two entries of one row, or ``None`` if it is infinite.

        The parity is ``max over rows i and columns j, l of p_ij / p_il`` with 0/0 = 1 and a/0 infinite. It is the gamma
        for which the mechanism is exactly log(gamma)-locally differentially private (Chai and Nayak 2018, Definition
        1.3). The cost is O(m k).
        """
        return parity_of([parity for *_, parity in row_extremes(self.matrix)])

    @property
    def epsilon(self) -> Epsilon:
        """The exact epsilon of pure local differential privacy: log of the parity, possibly infinite; a number."""
        return Epsilon.of_parity(self.parity())

    @property
    def gamma(self) -> Fraction | float:
        """``exp(epsilon)``, the exact bound of the odds ratio: the parity; ``math.inf`` if epsilon is infinite."""
        parity = self.parity()
        return math.inf if parity is None else parity

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the smallest delta for which the mechanism is (epsilon, delta)-private, exactly.

        ``delta(epsilon) = max over ordered pairs (j, l) of sum_i max(0, p_ij - gamma p_il)`` with gamma = exp(epsilon)
        (for a binary output see Holohan, Leith and Mason 2016, (11)). The result is a ``Fraction`` if gamma is rational
        or the value happens to be rational, and otherwise an ``ExactReal`` with exact comparisons. The cost is O(m k^2)
        in floats, followed by exact arithmetic for the pairs of inputs that may attain the maximum. ``worst_pair``
        returns such a pair.

        >>> Mechanism.binary(1, "1/4").delta("log(2)"), str(Mechanism.binary("3/4", "3/4").delta("1/2"))
        (Fraction(1, 4), '3/4 - 1/4*exp(1/2)')
        """
        return self.worst_pair(epsilon).at(gamma_of(epsilon))

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return rationals ``lower <= delta(epsilon) <= upper``, equal if delta is rational and computed exactly.

        >>> lower, upper = Mechanism.binary("3/4", "3/4").delta_bracket("1/2")
        >>> round(float(lower), 9), upper - lower <= Fraction(1, 10**20)
        (0.337819682, True)
        """
        return ExactReal.of(self.delta(epsilon)).bracket(_BRACKET_DIGITS)

    def worst_pair(self, epsilon: object) -> Excess:
        """Return the two inputs and the set of outputs that attain ``delta(epsilon)``.

        >>> worst = Mechanism.binary(1, "1/4").worst_pair("log(2)")
        >>> worst.pair, worst.outputs
        ((1, 0), (1,))
        """
        pairs, gamma = self._kinds_of_pairs(), gamma_of(epsilon)
        return worst_excess(self.matrix, gamma) if pairs is None else worst_of(pairs, gamma)

    def _kinds_of_pairs(self) -> Iterable[Dichotomy] | None:
        """Return the dichotomy of one pair of inputs of each kind, if a form has formulas for them."""
        return None

    def masses_of_pair(self, one: int, other: int) -> Iterable[tuple[Fraction, Fraction]]:
        """Return the probabilities (p, q) of the outputs under two inputs; a form may merge outputs of equal p/q.

        Args:
            one, other: the inputs of a piece of ``profile``; an explicit matrix takes any two.
        """
        for kind in self._kinds_of_pairs() or ():
            if kind.pair == (one, other):
                return kind.fractions()
        return zip(self.column(one), self.column(other), strict=True)

    def profile(self) -> PrivacyProfile:
        """Return the complete privacy profile delta(epsilon), piecewise linear in gamma, with exact breakpoints.

        If very many pairs of inputs tie within floating-point error, the exact profile would take minutes. An example
        is a GRR of 200 categories with noise in the last digits. Then the result is a proved enclosure, and its
        ``width`` is not 0.
        """
        pairs = self._kinds_of_pairs()
        return profile_of(self.matrix) if pairs is None else profile_of_pairs(pairs)

    def apply(self, population: Sequence[object]) -> Vector:
        """Return the exact distribution of the outputs, ``lambda = P pi``, shape (m,).

        Args:
            population: pi, shape (k,), exact numbers; it need not sum to 1.

        >>> [str(share) for share in Mechanism.binary("3/4", "3/4").apply(["2/3", "1/3"])]
        ['7/12', '5/12']
        """
        pi = dense_vector(population, self.inputs, "the population")
        return kronecker_product([f.matrix for f in self.factors], pi, "the distribution of the answers")

    def adjoint(self, weights: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return ``P^T w`` exactly: for each input the expected weight of its output, shape (k,).

        Args:
            weights: w, shape (m,), exact numbers; or a mapping from output to nonzero weight.

        >>> [str(x) for x in Mechanism.binary("3/4", "3/4").adjoint({1: 1})]
        ['1/4', '3/4']
        """
        w = dense_vector(weights, self.outputs, "the weights")
        return kronecker_product([f.design_matrix for f in self.factors], w, "the expected weight of each input")

    def invert(self, shares: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return ``A l`` with ``A P = I``: the unbiased estimate of pi from the proportions of the outputs.

        A is ``P^-1``. With more outputs than inputs, it is the left inverse of least variance at the uniform
        distribution (``left_inverse``).

        Args:
            shares: l, shape (m,), exact numbers; or a mapping from output to nonzero proportion.

        Raises:
            InfeasibleError: the columns of P are linearly dependent.

        >>> [str(x) for x in Mechanism.binary("3/4", "3/4").invert(["7/12", "5/12"])]
        ['2/3', '1/3']
        """
        inverse = left_inverse(self, reference_population(self, None))
        return kronecker_product([inverse], dense_vector(shares, self.outputs, "the shares"))

    def then(self, other: Mechanism, *, name: str | None = None) -> Mechanism:
        """Return the composition: ``other`` randomizes the output of this mechanism (``other @ self``)."""
        if not isinstance(other, Mechanism):
            raise InvalidMechanismError(f"a mechanism composes with a Mechanism: received {shown(other)}")
        if other.inputs != self.outputs:
            raise InvalidMechanismError(
                f"mechanisms do not compose: the first has {self.outputs} outputs, the second {other.inputs} inputs; "
                "both numbers must be equal"
            )
        columns = self.design_matrix
        rows = [[(i, x) for i, x in enumerate(row) if x] for row in other.matrix]  # merging or splitting is sparse
        product = tuple(tuple(sum((x * column[i] for i, x in row), Fraction(0)) for column in columns) for row in rows)
        return Mechanism(product, name=name)

    @overload
    def __matmul__(self, other: Mechanism) -> Mechanism: ...

    @overload
    def __matmul__(self, other: list[Any] | tuple[Any, ...]) -> Vector: ...

    def __matmul__(self, other: Any) -> Any:
        """Return ``P Q`` with another mechanism, or exactly ``P pi`` with a list of numbers; NumPy multiplies arrays.

        >>> print(*Mechanism.binary("3/4", "3/4") @ ["2/3", "1/3"])
        7/12 5/12
        """
        if isinstance(other, (list, tuple)) and not any(isinstance(x, (list, tuple)) for x in other):
            return self.apply(other)
        return other.then(self) if isinstance(other, Mechanism) else NotImplemented

    @cached_property
    def is_small(self) -> bool:
        """Whether the matrix is small enough to be printed; otherwise its description is printed."""
        return self.inputs * self.outputs <= MAX_MATRIX_ENTRIES

    def __str__(self) -> str:
        return mechanism_text(self) if self.rounding is None else f"{mechanism_text(self)}\n{self.rounding.remark()}"

    @cached_property
    def sets(self) -> SetForm | None:
        """The responses as sets of categories that a left inverse counts in closed form, or ``None``."""
        return set_form(self)

    @property
    def headline(self) -> str:
        """The name, the shape and epsilon in one line."""
        return f"{self.name}: {self._described()}" if self.name else self._described()

    def _described(self) -> str:
        m, k = map(size_text, self.shape)
        return f"{with_noun(m, 'output')}, {with_noun(k, 'input')}, epsilon = {both_texts(self.epsilon)}"

    def _require_binary(self) -> Matrix:
        if not self.is_binary:
            raise InvalidMechanismError(f"p00 and p11 belong to a binary design: this mechanism has shape {self.shape}")
        return self.matrix

    def __ge__(self, other: object) -> Any:
        """Return whether this mechanism is at least as good for every purpose (Blackwell's order, exact).

        As of sets, ``not (a >= b)`` does not mean ``b >= a``. It takes milliseconds up to a dozen categories;
        ``rropt.compare`` has the proof.
        """
        from rropt.designs.orders.sufficiency import at_least

        return at_least(self, other)

    def __le__(self, other: object) -> Any:
        """Return whether the other mechanism is at least as good for every purpose (Blackwell's order, exact)."""
        from rropt.designs.orders.sufficiency import at_most

        return at_most(self, other)

    def _repr_html_(self, headline: str | None = None) -> str:
        """Return ``mechanism_text`` as HTML."""
        from rropt.mechanisms.displays import mechanism_html

        return mechanism_html(self, headline)

    def _repr_latex_(self) -> str | None:
        """Return ``mechanism_latex`` for notebooks that become PDF; ``None`` if the matrix is too large to print."""
        from rropt.mechanisms.displays import notebook_latex

        return notebook_latex(self)

    def _sympy_(self) -> Any:
        """Return the matrix of a mechanism with exact entries, as ``sympy.sympify`` returns it."""
        from rropt.symbolic.symbols import matrix_of

        return matrix_of(self)

    def to_csv(self) -> str:
        """Return the matrix as comma-separated values, one line for each output."""
        from rropt.mechanisms.displays import mechanism_csv

        return mechanism_csv(self)

    def to_latex(self) -> str:
        """Return the matrix as a displayed formula; of a matrix that is too large to print, its description.

        Decimals in place of long fractions are no less private.
        """
        from rropt.mechanisms.displays import mechanism_latex

        return mechanism_latex(self)

    @clear_calls
    def n_var(self, prevalence: object) -> Fraction:
        """Return n Var of the estimated prevalence: its variance per respondent, exactly; also ``Mechanism.n_var``.

        With two outputs it is ``l (1 - l)/(p00 + p11 - 1)^2``, where l is the probability of output 1. With more
        outputs it is ``1/I``, where I is the Fisher information; 0 where I is infinite.

        Args:
            prevalence: pi, the proportion of input 1, exact, in [0, 1].

        Raises:
            InvalidParameterError: the prevalence is outside [0, 1].
            InvalidMechanismError: the mechanism does not have two inputs.
            InfeasibleError: the responses do not depend on the truth.
        """
        from rropt.objectives.estimator_variance import n_var

        return n_var(self, prevalence)

    @clear_calls
    def plot(self, *, size: str = "paper", ax: Any = None) -> Figure:
        """Return a picture of a mechanism: darker cells are more likely outputs (rows) given the truth (columns).

        Args:
            size, ax: as for ``region``.

        Raises:
            InvalidParameterError: too large, or no mechanism.
        """
        from rropt.plots.draw_surveys import heat_map

        return heat_map(self, size=size, ax=ax)

    @clear_calls
    def randomize(self, answers: Any) -> Any:
        """Randomize one answer, or an array or a list of answers, and return what ``Responses`` takes in.

        Args:
            answers: one category, or a list or an array of categories: their numbers 0..k-1, or their names.

        Returns:
            The numbers of a mechanism with numbers, else its labels if it has them, else the codes of the outputs.
        """
        from rropt.mechanisms.sampling import randomized

        return randomized(self, answers)

    @clear_calls
    def simulate(self, answers: Any, *, rng: RandomSource = None) -> Any:
        """Simulate the response to one answer, or to an array or a list of answers, as ``randomize`` returns it.

        NOT FOR REAL ANSWERS: anyone who knows or guesses the seed can undo the randomization.

        Args:
            answers: as for ``randomize``.
            rng: a seed (an integer >= 0), which gives the same responses in each call; a NumPy ``Generator``, which
                goes on; or ``None``: a new seed in each call.
        """
        from rropt.mechanisms.sampling import simulated

        return simulated(self, answers, rng=rng)


Mechanism.FORMS["matrix"] = Mechanism


def require_keys(data: Any, form: str, what: str) -> None:
    """Refuse data of a form of mechanisms that are not an object with the keys of the example ``form``."""
    if not isinstance(data, dict) or set(data) != set(json.loads(form)):
        raise InvalidMechanismError(f"{what} not of the form {form}: received {shown(data)}")


def _is_name(text: object) -> TypeGuard[str]:
    """Return whether a text is a name that a file may have: it is later printed unchanged."""
    return isinstance(text, str) and text.isprintable() and 0 < len(text) <= _LONGEST_NAME


def _name_of(text: object) -> str:
    """Validate the name in a mechanism's file."""
    if not _is_name(text):
        raise FileFormatError(
            f"the name of a mechanism is not one line of text: received {shown(text)}; allowed are 1 to "
            f"{_LONGEST_NAME} printable characters, or no name"
        )
    return text


def _numbers(given: Any, count: int, what: str) -> tuple[Fraction, ...]:
    """Validate the numbers of the inputs or of the outputs."""
    numbers = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    exact = tuple(rational(x, name=f"{what}[{i}]", digits=MAX_ENTRY_DIGITS) for i, x in enumerate(numbers))
    if len(exact) != count or len(set(exact)) != count:
        raise InvalidParameterError(
            f"the numbers of the {what} do not fit the mechanism: received {shown(numbers[:5])}, {len(numbers)} of "
            f"them; allowed are {size_text(count)} different numbers"
        )
    return exact


def require_names_of_sets(names: Iterable[str]) -> None:
    """Raise an error for names of categories that could be read as sets of several categories.

    Raises:
        InvalidParameterError: a name contains ``BETWEEN``.

    >>> require_names_of_sets(["food", "rent and heating"])
    """
    if wrong := [name for name in names if BETWEEN in name]:
        raise InvalidParameterError(
            f"names of categories contain the sign {BETWEEN}: received {shown(', '.join(wrong[:5]))}; a response of "
            f"this mechanism is a set of categories, written with {BETWEEN} between them; write another sign or a word "
            "in these names"
        )


def _names(given: Any, number: int, what: str) -> tuple[str, ...]:
    """Validate the names of categories or of responses, which are printed and written to tables."""
    names = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    fit = len(names) == number and all(isinstance(name, str) and name.isprintable() and name.strip() for name in names)
    if names and not (fit and len(set(map(normal, names))) == number and max(map(len, names)) <= _LONGEST_NAME):
        raise InvalidParameterError(
            f"the names of the {what} do not fit the mechanism: received {shown(names[:5])}, {len(names)} of them; "
            f"allowed are {size_text(number)} different texts of 1 to {_LONGEST_NAME} printable characters"
        )
    return names
