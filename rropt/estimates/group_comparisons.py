"""The comparison of the groups of a result: in each number their differences, and the test that all are equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.exact import rational
from rropt.core.exact.display import approximate_text, decimal_text, is_in_full, p_in_words
from rropt.core.limits import MAX_ENTRY_DIGITS
from rropt.inference.differences import Difference, Test


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """The comparison of the groups in one number.

    Attributes:
        question, category: the number; ``None`` if the result has one only.
        differences: the difference of each pair of groups; empty if they are not compared.
        test: the test that all groups are equal; ``None`` without one.
        equality: the p-value of the exact test that all groups are equal; ``None`` without one.
    """

    question: str | None
    category: str | None
    differences: Sequence[Difference]
    test: Test | None
    equality: float | None = None

    @property
    def equality_p(self) -> float | None:
        """The p-value of the test that all groups are equal; ``None`` if it was not tested."""
        return self.test.p_value if self.equality is None and self.test is not None else self.equality

    def equality_text(self, groups: int) -> str:
        """Return the test that all groups are equal as text, with their number; empty without one."""
        if self.equality is not None:
            kind = "exact tests of all pairs, Bonferroni" if groups > 2 else "exact"
            return f"p = {approximate_text(self.equality, 4 if is_in_full() else 3)} ({kind})"
        test = self.test
        if test is None:
            return ""
        kind, below = ("chi-squared", "") if test.denominator is None else ("F", f" and {test.denominator}")
        on = f"{kind} {decimal_text(test.statistic, 3)} on {test.degrees_of_freedom}{below}, approximate"
        return f"{p_in_words(test.p_value)} ({on})"

    def difference_records(self, level: Fraction) -> list[dict[str, Any]]:
        """Return the differences for JSON, with their intervals at a confidence."""
        found = []
        for one in self.differences:
            record: dict[str, Any] = {"name": f"{one.first} - {one.second}", "first": one.first, "second": one.second}
            record |= {"question": self.question, "category": self.category, "estimate": one.estimate}
            record |= {"se": one.standard_error, "df": one.degrees_of_freedom, "method": one.method}
            if one.interval is not None:
                record |= {"p_value": one.p, "p_adjusted": one.adjusted, "interval": list(one.interval)}
                record["simultaneous"] = None if one.simultaneous is None else list(one.simultaneous)
            found.append(record)
        return found

    def equality_record(self) -> dict[str, Any] | None:
        """Return the test that all groups are equal for JSON; ``None`` without one."""
        own = {"question": self.question, "category": self.category}
        if self.equality is not None:
            return {**own, "name": "all equal", "exact": True, "p_value": self.equality}
        if self.test is None:
            return None
        record = self.test.to_dict()
        record.pop("decimals", None)
        return own | record


def stored_comparisons(data: Mapping[str, Any]) -> list[GroupComparison]:
    """Return the comparisons of a file, from the records of ``GroupComparison`` with their numbers."""
    found: dict[Any, tuple[list[Difference], list[Mapping[str, Any]]]] = {}
    for one in data.get("differences", ()):
        interval, simultaneous = (one.get(key) and tuple(one[key]) for key in ("interval", "simultaneous"))
        p, adjusted = (1.0, 1.0) if interval is None else (one["p_value"], one["p_adjusted"])
        value = (
            rational(one["estimate"], digits=MAX_ENTRY_DIGITS) if isinstance(one["estimate"], str) else one["estimate"]
        )
        method, df = one["method"], one.get("df")
        made = Difference(
            one["first"], one["second"], value, one["se"], method, interval, simultaneous, p, adjusted, df
        )
        found.setdefault((one.get("question"), one.get("category")), ([], []))[0].append(made)
    for one in data.get("equal", ()):
        found.setdefault((one.get("question"), one.get("category")), ([], []))[1].append(one)
    comparisons = []
    for (question, category), (differences, tests) in found.items():
        test = equality = None
        if tests and tests[0].get("exact"):
            equality = tests[0]["p_value"]
        elif tests:
            test = Test.from_dict(
                {key: value for key, value in tests[0].items() if key not in ("question", "category")}
            )
        comparisons.append(GroupComparison(question, category, tuple(differences), test, equality))
    return comparisons
