"""``randomize_table``: a file of true answers becomes a file of responses; ``rropt randomize`` does the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from rropt.core.argument_checks import clear_calls, require_flags, require_texts
from rropt.core.errors import InvalidParameterError, names_of
from rropt.core.files import Target, require_distinct
from rropt.mechanisms import Mechanism, ProductMechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt_fieldwork.randomizing.randomized_tables import RandomizedTable, randomize_file, randomizing_of
from rropt_fieldwork.reading.counting import request_of
from rropt_fieldwork.reading.inputs import files_of
from rropt_fieldwork.reading.table import table_of


def number_of_questions(mechanism: Mechanism, *, of_one: bool, columns: Sequence[str]) -> int:
    """Return the number of questions whose answers a mechanism randomizes: each of a product has a column.

    Args:
        mechanism: the mechanism.
        of_one: whether the whole mechanism is that of one question.
        columns: the names of several columns.

    Raises:
        InvalidParameterError: several columns are named, and the mechanism has one question.
    """
    if isinstance(mechanism, RandomQuestions):
        return mechanism.questions
    if isinstance(mechanism, ProductMechanism) and not of_one:
        return len(mechanism.factors)
    if columns:
        raise InvalidParameterError(
            "`columns` belong to a product, a mechanism of several questions: received them with one question; name "
            "one column, or give a mechanism such as bits:3/4*2"
        )
    return 1


@clear_calls
def randomize_table(
    data: Any,
    mechanism: Mechanism | str,
    output: str,
    *,
    columns: str | Sequence[str] = (),
    categories: Any = None,
    outputs: Sequence[str] | None = None,
    keep: Sequence[str] | Literal["*"] = (),
    keep_anyway: Sequence[str] = (),
    keep_order: bool = False,
    seed: int | None = None,
) -> RandomizedTable:
    """Randomize the true answers of a table, and write the responses to a file, completely or not at all.

    Args:
        data: a table, as for ``estimate_table``, with one row for each person.
        mechanism: the mechanism of one question, or a product with a device for each column; or its text form.
        output: the file of the responses: Parquet if its name ends in .parquet or .pq, otherwise CSV.
        columns: the column of one question, or a list with the column of each question of a product; none for a file
            without a header.
        categories: the true answers as they are written in the data, in the order of the mechanism; ``None``: they are
            the numbers 0, 1, ... If questions differ, a list for each column.
        outputs: the names of the outputs of a single question; ``None``: those of the categories if there are as many.
        keep: other columns to write unchanged; ``"*"`` for all of them. A column that reveals true answers is refused.
        keep_anyway: columns to write unchanged although they reveal true answers.
        keep_order: whether the rows keep their order, which may reveal the true answers.
        seed: the seed of a simulation, which is not for real answers; ``None``: the system's randomness.

    Returns:
        The number of rows, the report on the reading, and remarks on what the kept columns reveal.

    Raises:
        FileFormatError: the table cannot be read, or contains an invalid answer; nothing is written.
        InvalidParameterError: the columns, categories or outputs do not fit the mechanism.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = f"{folder}/responses.csv"
    ...     found = randomize_table({"q": ["no", "yes"]}, "warner:3/4", file, columns="q", categories=["no", "yes"])
    ...     print(found.rows, pathlib.Path(file).read_text().split()[0])
    2 q
    """
    require_flags(keep_order=keep_order)
    require_texts(output=output)
    made = required_mechanism(mechanism)
    named = names_of(columns, "columns")
    is_one = isinstance(columns, str) or (not named and categories is not None)
    questions = number_of_questions(made, of_one=is_one, columns=() if isinstance(columns, str) else named[1:])
    asked = request_of(named, questions=questions, known=made.categories, categories=categories)
    own = None if keep == "*" else names_of(keep, "keep")
    how = randomizing_of(
        made,
        asked,
        outputs=None if outputs is None else names_of(outputs, "outputs"),
        keep=own,
        keep_anyway=names_of(keep_anyway, "keep_anyway"),
        keep_order=keep_order,
        seed=seed,
    )
    rows = table_of(data)
    if (target := Target.of(output)).is_file:
        require_distinct([("`output`", target)], [("`data`", path) for path in files_of(rows.data)])
    return randomize_file(rows, output, how)
