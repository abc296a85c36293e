"""Groups beside each other: the tables of their estimates and differences, and the data frame of the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rropt.core.exact.display import approximate_text, decimal_text, is_in_full, p_in_words, rounded
from rropt.core.results import Table
from rropt.core.results.markup import required_pandas
from rropt.core.results.result_frames import columns_of, csv_text
from rropt.core.visible import visible
from rropt.inference.differences import Difference, Ends, Test, difference_text
from rropt.inference.interval_kinds import places_of, share_text

_SHOWN_DIFFERENCES = 40  # for one number, the differences with the smallest p are shown; the JSON output has all


class ComparedGroups:
    """The second base of results that compare groups: a data frame with one row for each pair."""

    __slots__ = ()

    @property
    def compared(self) -> Mapping[str, Sequence[Difference]]:
        """The differences of the pairs of groups, by the compared number."""
        raise NotImplementedError

    def asked(self, name: str) -> dict[str, Any]:
        """Return the first columns of a frame for a compared number: its question."""
        return {"question": name}

    def difference_rows(self) -> list[dict[str, Any]]:
        """Return one row for each pair of groups: the difference, its intervals, and p plain and adjusted."""
        return [
            {**self.asked(name), **row}
            for name, differences in self.compared.items()
            for row in rows_of_pairs(differences)
        ]

    def differences_to_frame(self) -> Any:
        """Return the differences of the pairs of groups as a data frame of pandas.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return required_pandas().DataFrame(columns_of(self.difference_rows()))

    def differences_to_csv(self) -> str:
        """Return the rows of ``differences_to_frame`` as CSV."""
        return csv_text(self.difference_rows())


def rows_of_pairs(differences: Iterable[Difference]) -> list[dict[str, Any]]:
    """Return one row for each difference; without a test it has no interval and no p."""
    rows = []
    for one in differences:
        (low, high), (low_all, high_all) = (ends or (None, None) for ends in (one.interval, one.simultaneous))
        p, adjusted = (None, None) if one.interval is None else (one.p, one.adjusted)
        numbers = {"estimate": float(one.estimate), "standard_error": one.standard_error, "low": low, "high": high}
        numbers |= {"low_at_once": low_all, "high_at_once": high_all, "p": p, "p_adjusted": adjusted}
        rows.append({"first": one.first, "second": one.second, **numbers, "method": one.method})
    return rows


def group_table(
    title: str, value: str, groups: Sequence[Any], more: Mapping[str, Callable[[Any], float | Ends | None]]
) -> Table:
    """Return the table of some groups with ``n``, ``estimate`` and ``standard_error``, to one decimal place.

    Args:
        title: its title.
        value: what the estimate is.
        groups: the groups.
        more: the titles of further columns, each with the function that returns its number or interval.
    """
    places = places_of(one.standard_error for one in groups)
    header = ("group", "n", value, "standard error", *more)
    rows = [
        (
            visible(one.group),
            str(one.n),
            rounded(one.estimate, places),
            *(_cell(found, places) for found in (one.standard_error, *(of(one) for of in more.values()))),
        )
        for one in groups
    ]
    return title, header, rows


def _cell(value: float | Ends | None, places: int | None) -> str:
    if value is None:
        return "none"
    return " to ".join(rounded(end, places) for end in (value if isinstance(value, tuple) else (value,)))


def difference_table(name: str, equality: str, differences: Sequence[Difference]) -> Table:
    """Return the table of the differences of one number: those with the smallest p, or all if all are requested.

    Args:
        name: what is compared; empty if there is no other number.
        equality: the test that all groups are equal, as text.
        differences: the differences.
    """
    header = ("groups", "difference", "standard error", "interval", "simultaneous", "p", "p adjusted")
    rows: list[tuple[str, ...]] = []
    places = places_of(difference.standard_error for difference in differences)
    ordered = sorted(range(len(differences)), key=lambda place: differences[place].p)
    for place in sorted(ordered if is_in_full() else ordered[:_SHOWN_DIFFERENCES]):
        one = differences[place]
        rows.append(
            (
                visible(f"{one.first} - {one.second}"),
                share_text(one.estimate, places),
                rounded(one.standard_error, places),
                *(_interval_of_difference(one, ends, places) for ends in (one.interval, one.simultaneous)),
                "none" if one.interval is None else f"{_p(one.p, one.exact)} {one.method}",
                "none" if one.interval is None else _p(one.adjusted, one.exact),
            )
        )
    left = len(differences) - len(rows)
    if left:
        rows.append((f"and {left} with larger p", "", "", "", "", "", ""))
    return f"{f'{name}: ' * bool(name)}differences; all equal: {equality or 'not tested'}", header, rows


def equality_text(equality: float | None, test: Test | None, groups: int) -> str:
    """Return the test that all groups are equal as text; empty without one."""
    if equality is not None:
        return f"p = {_p(equality, True)} ({'exact tests of all pairs, Bonferroni' if groups > 2 else 'exact'})"
    if test is None:
        return ""
    kind, below = ("chi-squared", "") if test.denominator is None else ("F", f" and {test.denominator}")
    on = f"{kind} {_p(test.statistic)} on {test.degrees_of_freedom}{below}, approximate"
    return f"{p_in_words(test.p_value)} ({on})"


def _interval_of_difference(one: Difference, ends: Ends | None, places: int | None) -> str:
    """Return an interval of a difference as text; of estimates outside [0, 1] it may be an end of [-1, 1] alone."""
    if one.method == "score" and ends is not None and ends[0] == ends[1]:
        return "none: no possible difference fits these responses"
    return difference_text(ends, places, one.right_places)


def _p(value: float, is_enclosed: bool = False) -> str:
    """Return a p-value; that of the exact test is the upper end of an enclosure whose width is 1e-4 of it."""
    return approximate_text(value, 4 if is_in_full() else 3) if is_enclosed else decimal_text(value, 3)
