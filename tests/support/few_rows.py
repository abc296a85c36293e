"""Tables of which some rows run in every run, and all with ``make stress``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Test = Callable[..., None]
_ROW = type(pytest.param())


def few_rows(number: int) -> Callable[[Test], Test]:
    """Mark rows of the table below as slow, all but ``number`` of them, which are spread evenly over it.

    It stands above ``@pytest.mark.parametrize``. The first row runs each time; rows that are marked as slow by
    themselves (``pytest.param(..., marks=pytest.mark.slow)``) are not counted. Of several tables each has a line of its
    own, and a case runs each time if none of its rows is slow.
    """

    def marked(test: Test) -> Test:
        *others, table = test.pytestmark  # type: ignore[attr-defined]
        names, rows, *more = table.args
        of_several = isinstance(names, list | tuple) or "," in names
        listed = [
            row if isinstance(row, _ROW) else pytest.param(*row) if of_several else pytest.param(row) for row in rows
        ]
        counted = [i for i, row in enumerate(listed) if all(mark.name != "slow" for mark in row.marks)]
        assert 0 < number < len(counted), f"{number} of {len(counted)} rows"
        slow = {*counted} - {counted[i * len(counted) // number] for i in range(number)}
        found = [
            pytest.param(*row.values, id=row.id, marks=[*row.marks, pytest.mark.slow]) if i in slow else row
            for i, row in enumerate(listed)
        ]
        test.pytestmark = others  # type: ignore[attr-defined]
        marked_again: Test = pytest.mark.parametrize(names, found, *more, **table.kwargs)(test)
        return marked_again

    return marked
