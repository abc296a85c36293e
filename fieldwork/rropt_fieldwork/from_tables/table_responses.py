"""``TableResponses``: randomized responses in the columns of a table, which is read when a method estimates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from rropt import Estimates
from rropt.answers import TableReading
from rropt.answers.response_counts import answer_count, answer_counts, require_possible
from rropt.core.argument_checks import (
    clear_calls_beside,
    refuse_false,
    require_flags,
    require_given,
    require_lists,
    require_texts,
)
from rropt.core.errors import InvalidParameterError, names_of, refuse_given, shown
from rropt.core.exact import exact_confidence
from rropt.estimates import estimates_of_counts
from rropt.estimates.table_estimators import estimate_of_counts
from rropt.inference import Estimate
from rropt.mechanisms import Mechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.question_selection import product_of, with_named_cells
from rropt.mechanisms.subsets import Subsets
from rropt_fieldwork.reading.device_columns import answers_by_device, counts_by_device, require_one_device
from rropt_fieldwork.reading.formats import is_counts
from rropt_fieldwork.reading.table import STATED_BY_TABLE, table_of
from rropt_fieldwork.reading.table_arguments import TableArguments, devices_of

_DESIGN = ("weights", "strata", "clusters", "fpc", "post_strata", "single_psu", "replicates")


class TableResponses:
    """Randomized responses in the columns of a table, as ``rropt.Responses`` are those of columns in memory.

    A method that estimates reads the table. The engine that reads it counts equal respondents, so files can be larger
    than the memory, and messages name the lines of the files.

    Args:
        columns: the column of the responses to one question, or a list of the columns of several; empty for a file
            without a header, whose columns are the questions.
        mechanism: the mechanism of all respondents, or its text form such as ``"warner:3/4"``; of several questions a
            product with a device for each. Or a mapping to mechanisms: with ``devices`` from the names in that column,
            else from the columns of arms, each of which a part of the respondents answered. ``None``: the names in the
            column of ``devices`` are names of designs.
        data: the table: what ``rropt_fieldwork.read`` returns, or what it takes. ``read(...)`` states how rows are
            read, and the method ``sampled`` of a table its sampling design.
        categories: the names of the responses in the order of the mechanism's outputs; ``None``: they are the numbers
            0, 1, ... If questions differ, a list for each column, or a mapping from columns to lists.
        devices: the column with the name of each respondent's device.

    Attributes:
        reading: the report on the table, after a method has read it.

    Methods: ``estimate`` chooses what to estimate, as the command does.

    Raises:
        InvalidParameterError: a mechanism is missing, or is given twice.

    >>> rows = {"sick": ["yes", "no", "yes", "no", "no"]}
    >>> TableResponses("sick", "warner:3/4", data=rows, categories=["no", "yes"]).estimate().estimate
    Fraction(3, 10)
    """

    @clear_calls_beside(STATED_BY_TABLE)
    def __init__(
        self,
        columns: str | Sequence[str] = (),
        mechanism: Mechanism | str | Mapping[str, Mechanism | str] | None = None,
        *,
        data: Any,
        categories: Any = None,
        devices: str | None = None,
    ) -> None:
        require_texts(devices=devices)
        require_given(devices=devices, mechanism=mechanism, categories=categories, data=data)
        own = {**devices_of(mechanism, devices), "categories": categories}
        self._state(columns, data, own.pop("mechanism", None), TableArguments(**own))

    @classmethod
    def of_arguments(
        cls, columns: str | Sequence[str], data: Any, mechanism: Mechanism | str | None, whose: TableArguments
    ) -> TableResponses:
        """Return the responses whose categories, devices and sampling design are in a record."""
        made = object.__new__(cls)
        made._state(columns, data, mechanism, whose)
        return made

    def _state(
        self, columns: str | Sequence[str], data: Any, mechanism: Mechanism | str | None, whose: TableArguments
    ) -> None:
        self.reading: TableReading | None = None
        self.table, self.questions = table_of(data), names_of(columns, "columns")
        if is_counts(self.table.data):
            raise InvalidParameterError(
                "a file of counts is no table: give it to `rropt_fieldwork.estimate_counts`, or its counts to "
                "`rropt.estimate`"
            )
        if whose.arms is not None:
            if not isinstance(columns, str):
                raise InvalidParameterError("arms are columns of one question: give its name as `column`")
            whose = whose.with_devices_of_arms(mechanism)
        self._whose = whose.with_sample_of(self.table)
        require_one_device(mechanism, self._whose.devices)
        made = None if mechanism is None else required_mechanism(mechanism)
        self._is_one = isinstance(columns, str)
        self._can_be_one = self._is_one or (len(self.questions) == 1 and _is_of_one_question(made))
        self._random = made if isinstance(made, RandomQuestions) else None  # questions that nobody answers all
        self.mechanism = made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableResponses):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((self.questions, self.mechanism))

    def __repr__(self) -> str:
        return f"<TableResponses to {', '.join(map(shown, self.questions))} in {self.table!r}>"

    def _values(self) -> tuple[Any, ...]:
        return self.questions, self._is_one, self.mechanism, self.table, self._whose

    @clear_calls_beside(STATED_BY_TABLE)
    def estimate(
        self,
        by: str | Sequence[str] = (),
        *,
        marginals: int | None = None,
        joint: bool = False,
        contrast: Sequence[object] | None = None,
        reference: Sequence[object] | None = None,
        population: object = None,
        cards_without_replacement: bool = False,
        test: str | None = None,
        confidence: object = None,
    ) -> Estimates:
        """Estimate proportions, a contrast of them, or the mean of a number.

        Of one question these are its proportions, and of several questions the cells of their joint table. By group,
        and with weights of too many cells, each question is estimated by itself. A mechanism with numbers
        (``rropt.design.mean``) has the mean of the numbers.

        Args:
            by: the columns that define groups; a row with an empty cell in one of them is left out and counted.
            marginals: the number k of questions of each table; all tables of k questions are estimated. 1 for a
                mechanism with numbers: the proportions of the numbers, not their mean.
            joint: whether one column is a table too, with the most likely distribution and its certificate.
            contrast: instead of the proportions, one linear combination of them, shape (k,): of one question, or of the
                cells of the joint table of several, of which the first question varies fastest. Several devices can
                determine it together, although no single one need do so.
            reference: the distribution at which the unbiased estimator has least variance; uniform by default.
            population: the size N of a finite population, from which the respondents were drawn; of one trait.
            cards_without_replacement: with ``population``, whether the cards were dealt from one deck.
            test: with ``by``, the test of the differences: ``"score"`` or ``"exact"``, as for ``estimate_table``.
            confidence: the confidence of the intervals; 0.95 by default.

        Raises:
            FileFormatError: the table cannot be read, or contains invalid responses or weights.
            InvalidParameterError: arguments do not belong together, or a column does not exist.
            InfeasibleError: the devices do not determine the contrast.
        """
        refuse_false(by=by)
        require_flags(joint=joint, cards_without_replacement=cards_without_replacement)
        require_texts(test=test)
        require_lists(reference=reference, contrast=contrast)
        require_given(test=test, marginals=marginals, population=population, confidence=confidence)
        more = {"population": population, "cards_without_replacement": cards_without_replacement}
        more |= {"marginals": marginals, "joint": joint, "test": test}
        return self.chosen(by, contrast=contrast, reference=reference, confidence=confidence, **more)

    def chosen(
        self,
        by: str | Sequence[str] = (),
        *,
        marginals: Any = None,
        joint: Any = False,
        contrast: Sequence[object] | None = None,
        reference: Sequence[object] | None = None,
        population: object = None,
        cards_without_replacement: Any = False,
        test: Any = None,
        confidence: object = None,
    ) -> Estimates:
        """Return what ``estimate`` returns, of arguments whose types are known, as those of the command."""
        made = self.mechanism
        has_numbers = self._random is None and made is not None and bool(made.output_values) and population is None
        is_mean = has_numbers and marginals is None
        if has_numbers and marginals is not None:
            from rropt.estimates.table_estimators import require_one_number

            require_one_number(marginals)
            marginals = None
        asked = {"by": by, "marginals": marginals, "joint": joint, "contrast": contrast, "reference": reference}
        asked |= {"cards_without_replacement": cards_without_replacement, "test": test}
        whose, refuse = self._whose, self._refusing(asked)
        is_complex, by_names = whose.sample.is_complex, names_of(by, "by")
        has_devices = whose.devices is not None
        is_one = self._is_one or (self._can_be_one and marginals is None and not joint)
        level = exact_confidence("0.95" if confidence is None else confidence)
        if not self.questions and (is_complex or has_devices or by_names):
            raise InvalidParameterError(
                "`devices`, `by` and the options of complex surveys are names of columns: received one without "
                "`column` or `columns`; give the columns of the questions"
            )
        if self._random is not None:
            if not is_one and not by_names and not is_complex:
                refuse("questions that are not asked together have no joint estimate", "joint", "contrast", "reference")
                refuse("questions that are not asked together have no devices or test", "devices", "test")
                return self._of_random_questions(self._random, marginals, level)
            made = self._random.question if is_one else self._random.each()
        if made is not None and is_mean:
            more = ("joint", "contrast", "reference", "test", "devices")
            refuse("the mean of a number is estimated; ask for its proportions (`marginals=1`)", *more)
            return self._mean(made, by_names, level)
        if population is not None:
            mine = ("by", *_DESIGN, "marginals", "contrast", "reference", "joint", "devices", "test")
            refuse("`population` is about one trait, with `counts`, `yes` and `n`, or one column (`column`)", *mine)
            if not is_one:
                raise InvalidParameterError("the responses are of one trait: give `column`, that of its responses")
            return self._of_population(made, population, level, is_dealt=cards_without_replacement)
        refuse("cards are dealt to a finite population (`population`)", "cards_without_replacement")
        is_subset = self._is_subset(made)
        is_by_group = bool(by_names) or is_complex
        if contrast is not None and (is_by_group or has_devices):
            if is_subset or self._random is not None:
                refuse("a contrast by group is of questions that everybody answered with one category", "contrast")
            refuse("a contrast by group, or of several devices, has one kind of interval", "marginals", "joint", "test")
            return self._contrast(made, contrast, by_names, level, reference, 1 if is_one else None)
        if is_by_group or is_subset or (is_one and has_devices):
            why = "with `by`, `column` or a complex survey each proportion is estimated by itself"
            refuse(why, "joint", *["marginals"] * (not is_complex))
            order = marginals or (1 if by_names or is_subset or not is_complex else self._joint_order(made))
            return self.each_question(by_names, level, order, reference, test, made=made)
        refuse("a test is of the differences of groups (`by`)", "test")
        if not is_one and (joint or marginals is not None or (contrast, reference) == (None, None)):
            refuse("with `marginals` or `joint` there is no contrast of all cells", "contrast", "reference")
            return self._of_questions(made, marginals, level)
        assert made is not None  # devices of a column have estimates of their own
        if is_one:
            refuse("one column of the data has the answers", "marginals", "joint")
        return self._of_counts(made, level, contrast, reference, is_one=is_one)

    def _refusing(self, asked: Mapping[str, Any]) -> Callable[..., None]:
        """Return the function that refuses arguments, by their names, if they are given."""
        given = {
            name
            for name, one in asked.items()
            if not (one is None or one is False or (isinstance(one, tuple) and not one))
        }
        given |= {name for name in (*_DESIGN, "devices") if getattr(self._whose, name) not in (None, (), "refuse")}
        return partial(refuse_given, given)

    def each_question(self, by: tuple[str, ...], level: Fraction, *goal: Any, made: Any = None) -> Estimates:
        """Return the proportions of each question by itself, by group, of a complex survey, of sets, or of devices.

        Args:
            by, level, goal: the fields of ``GroupGoal`` after the questions, whose types are known.
            made: a mechanism in place of that of the responses.
        """
        from rropt_fieldwork.from_tables.estimating import GroupGoal, estimates_of_table  # which need NumPy

        found, self.reading = estimates_of_table(
            self.table,
            self.mechanism if made is None else made,
            self._whose,
            GroupGoal(self.questions, by, level, *goal),
        )
        return found

    def _is_subset(self, made: Any) -> bool:
        """Return whether a response is a set of categories."""
        if made is None or type(made) is Mechanism or Subsets.of(made) is None:  # a matrix has none
            return False
        if not self.questions:
            raise InvalidParameterError(
                "a response is a subset of the categories: received `data` without the name of its column; give "
                "`column`"
            )
        return True

    def _joint_order(self, made: Any) -> int:
        """Return the number of questions whose joint table a complex survey estimates: all if it has not too many."""
        is_joint = self._random is None and _has_joint_table(made, len(self.questions))
        return len(self.questions) if is_joint else 1

    def _of_counts(
        self, made: Mechanism, level: Fraction, contrast: Any, reference: Sequence[object] | None, *, is_one: bool
    ) -> Estimates:
        """Return the estimate from the counts of one question, or of all cells of several as one question."""
        if is_one:
            device, counts = self._counts(made)
            one_question = estimate_of_counts(device, require_possible(device, counts), reference)
        else:
            one_question = self._of_joint_table(made, reference)
        found = estimates_of_counts(one_question, ", ".join(self.questions), confidence=level, contrast=contrast)
        assert self.reading is not None
        # without groups, each column that was read is a question
        missing = self.reading.left_out or sum(one.missing for one in self.reading.columns)
        return replace(found, missing=(missing,) if missing else ())  # the reading has the remark

    def _counts(self, made: Mechanism) -> tuple[Mechanism, tuple[int, ...]]:
        """Return the device of the only question, and the counts of its outputs."""
        ((device, counts),), self.reading = self._read(counts_by_device, made, 1)
        return device, tuple(counts)

    def _of_joint_table(self, made: Mechanism, reference: Sequence[object] | None) -> Estimate:
        """Return the estimate of all cells of several questions as the categories of one.

        The cells are in the order of counts: the first question varies fastest.
        """
        product = product_of(made)
        (answers,), self.reading = self._read(answers_by_device, product, len(product.factors))
        device = with_named_cells(answers.mechanism)
        counts = tuple(map(int, answers.histogram()))
        return estimate_of_counts(device, require_possible(device, counts), reference)

    def _of_questions(self, made: Mechanism | None, marginals: int | None, level: object) -> Estimates:
        """Return the estimate of the joint distribution of several questions."""
        from rropt.estimates import estimate_questions

        product = None if made is None else product_of(made)
        questions = None if product is None else len(product.factors)
        answers, self.reading = self._read(answers_by_device, product, questions)
        return estimate_questions(answers, marginals=marginals, confidence=level, titles=self.questions)

    def _of_random_questions(self, made: RandomQuestions, marginals: int | None, level: Any) -> Estimates:
        """Return the estimates of random questions."""
        from rropt.estimates.table_estimators import estimate_random_questions
        from rropt_fieldwork.reading.counted_tables import counted

        work = partial(counted, sets=[range(made.questions)], is_limited=False, outputs=[2] * made.questions)
        respondents = self._read(work, made.each(), made.questions)
        found, self.reading = estimate_random_questions(respondents, made, marginals=marginals, confidence=level)
        return found

    def _of_population(self, made: Mechanism | None, population: object, level: Any, *, is_dealt: bool) -> Estimates:
        """Return the estimate of one trait in a finite population."""
        from rropt.estimates.table_estimators import estimates_of_population, finite_population

        assert made is not None  # a column of devices is refused
        made, counts = self._counts(made)
        exact, whole = answer_counts(made, counts), answer_count(population, "population", least=1)
        people = finite_population(made, exact, whole, is_dealt=is_dealt)
        return replace(estimates_of_population(people, made, self.questions[0]), confidence=level)

    def _mean(self, made: Mechanism, by: tuple[str, ...], level: Any) -> Estimates:
        """Return the mean of a number, by group."""
        from rropt.estimates.table_estimators import means_of_groups, require_one_column

        require_one_column(self.questions)
        respondents = self._counted(made, 1, by, sets=[(0,)], outputs=[made.outputs])
        self.reading = respondents.reading
        return means_of_groups(respondents, made, level)

    def _contrast(
        self,
        made: Mechanism | None,
        contrast: Sequence[object],
        by: tuple[str, ...],
        level: Any,
        reference: Sequence[object] | None,
        questions: int | None,
    ) -> Estimates:
        """Return a contrast that the devices determine together, by group, also with weights."""
        from rropt.estimates.table_estimators import contrasts_of_groups

        if questions is None and made is not None:
            questions = len(product_of(made).factors)
        sets = [range(len(self.questions))]
        respondents = self._counted(made, questions, by, sets=sets, is_joint=True)
        self.reading = respondents.reading
        return contrasts_of_groups(respondents, contrast, level, reference)

    def _counted(self, made: Mechanism | None, questions: int | None, by: tuple[str, ...], **how: Any) -> Any:
        """Return the respondents, counted by group and by their responses."""
        from rropt_fieldwork.reading.counted_tables import counted

        whose = self._whose
        request = whose.request(self.table, self.questions, made, questions, by=by, sample=whose.sample)
        folders = () if request.sample.is_complex else None  # in order, on which sums of weights depend
        own: dict[str, Any] = {"weights": whose.weights, "arms": whose.arms, "folders": folders}
        return self.table.found(request.names, partial(counted, request, **how), self.questions, **own)

    def _read(self, work: Callable[..., Any], made: Mechanism | None, questions: int | None) -> Any:
        """Return what a function finds in the table: the responses by device and the report, or what was counted."""
        request = self._whose.request(self.table, self.questions, made, questions)
        return self.table.found(request.names, partial(work, request), self.questions, width=len(request.titles))


@clear_calls_beside(STATED_BY_TABLE)
def estimate_table(
    data: Any,
    columns: str | Sequence[str],
    mechanism: Mechanism | str | Mapping[str, Mechanism | str] | None = None,
    *,
    devices: str | None = None,
    categories: Any = None,
    by: str | Sequence[str] = (),
    confidence: object = "0.95",
    marginals: int = 1,
    reference: Sequence[object] | None = None,
    test: str | None = None,
) -> Estimates:
    """Estimate the proportions of each question in each group, from a table with one row for each respondent.

    Args:
        data: a table: what ``rropt_fieldwork.read`` returns, or what it takes: a path, several paths, a folder of
            files, a table of pandas, Polars or Arrow, a dict of NumPy arrays, a DuckDB relation, or an Ibis table. The
            method ``sampled`` of a table states its sampling design.
        columns: the columns of the questions.
        mechanism: the mechanism of all respondents: a product with a device for each question, or one device for one
            question. With ``devices``, a mapping from the names in that column to devices; ``None``: they are names of
            designs, such as warner:3/4. A mapping without ``devices`` is for a question in several columns, each of
            which a part of the respondents answered: the device of each column. ``columns`` then is a new name, of the
            question.
        devices: the column with the name of each respondent's device.
        categories: the names of the responses in the order of the mechanism's outputs; ``None``: they are the numbers
            0, 1, ... If questions differ, a list for each column, or a mapping from columns to lists.
        by: the columns that define the groups. A row with an empty cell in one of them is left out and counted.
        confidence: the confidence of the intervals.
        marginals: the number of questions of each table in a weighted survey; all such tables are estimated.
        reference: only for responses that are subsets of the categories (``rropt.mechanisms.subsets``): the
            distribution at which the estimates have least variance, constant within the mechanism's groups; ``None``
            for the uniform distribution.
        test: with ``by``, the test of the differences of groups that used one device, which their intervals invert:
            ``"score"`` (Miettinen and Nurminen; the default) or ``"exact"`` (unconditional). Weights and several
            devices have Wald's.

    Raises:
        FileFormatError: the table cannot be read, or contains invalid responses or weights.
        InvalidParameterError: a column does not exist, devices do not fit the data, or nobody answered a question.

    >>> import numpy
    >>> answers = {"same": numpy.array(["no"] * 112 + ["yes"] * 198, object)}
    >>> found = estimate_table(answers, "same", "crosswise:1/4", categories=["no", "yes"])
    >>> print(found.estimate, found.nobs)
    69/310 310
    """
    responses = TableResponses(columns, mechanism, data=data, categories=categories, devices=devices)
    return responses.each_question(names_of(by, "by"), exact_confidence(confidence), marginals, reference, test)


def _is_of_one_question(made: Mechanism | None) -> bool:
    """Return whether a mechanism, or each device of a column, is of one question; that of a column is read later."""
    return made is None or (not isinstance(made, RandomQuestions) and len(product_of(made).factors) == 1)


def _has_joint_table(made: Mechanism | None, questions: int) -> bool:
    """Return whether the joint table of several questions can be estimated with weights."""
    from rropt.estimates.table_estimators import MOST_CELLS

    if made is None:
        return 1 << questions <= MOST_CELLS
    sizes = [one.inputs for one in product_of(made).factors]
    return bool(prod(sizes if len(sizes) == questions else sizes * questions) <= MOST_CELLS)
