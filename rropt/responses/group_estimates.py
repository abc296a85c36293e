"""Estimates by group: what they say of themselves, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.estimation.groups import GroupShare, ShareComparison
from rropt.estimation.two_samples import EqualityTest
from rropt.exact import decimal_text
from rropt.responses.counting import Reading
from rropt.responses.many_groups import first_groups, group_tables, summary_table
from rropt.results import Result, Table, says

_SHOWN_DIFFERENCES = 40  # of one share, those with the least p; JSON has all

GUARANTEES = {
    "exact": "Clopper-Pearson, coverage at least nominal for every n and every population",
    "hoeffding": "where no count is binomial: Hoeffding's inequality, coverage at least nominal always",
    "normal": "plug-in normal approximation, no guarantee at any n",
}
SIMULTANEOUS = "Bonferroni: all groups of one share at once, each at 1 - alpha/groups"
TESTS = (
    "exact: unconditional, the greatest p over all common prevalences, enclosed; approximate: normal. Adjusted by Holm"
)


@dataclass(frozen=True, slots=True)
class GroupEstimates(Result):
    """Estimates of each question in each group, from one reading of a table.

    Attributes:
        reading: what was read.
        by: the columns of the groups; none: all respondents are one group.
        confidence: of the intervals.
        devices: how many different devices were used.
        shares: for each question the share of answer 1, or of each category where there are more than two.
    """

    reading: Reading
    by: tuple[str, ...]
    confidence: Fraction
    devices: int
    shares: tuple[ShareComparison, ...]

    SAYS = says(devices="devices", confidence="confidence", remarks="")

    def lines(self) -> list[tuple[str, str]]:
        """Return (what, value) pairs: those of the head, and each estimate."""
        said = [(row[0], row[1]) for row in self.as_tables()[0][2]]
        for share in self.shares:
            for group in first_groups(share.groups):
                kind = group.guaranteed
                value = f"{float(group.estimate):.6f} (standard error {group.standard_error:.6f}), {kind} interval "
                said.append((f"{share.name}, {group.group}", value + _ends(group.intervals[kind])))
            left = len(share.groups) - len(first_groups(share.groups))
            if left:
                said.append((f"{share.name}, ...", f"{left} more groups: --json"))
        return said

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader must be told before using the numbers."""
        remarks = list(self.reading.remarks)
        outside = [
            f"{share.name} in {group.group}"
            for share in self.shares
            for group in share.groups
            if not 0 <= group.estimate <= 1
        ]
        if outside:
            more = f", and {len(outside) - 3} more" if len(outside) > 3 else ""
            remarks.append(
                f"unbiased estimates outside [0, 1]: {'; '.join(outside[:3])}{more}: they are unbiased only if left as "
                "they are"
            )
        missing = sum(each.missing for each in self.reading.questions)
        if missing:
            remarks.append(
                f"{missing} missing answers were left out of their question, as asked for: that biases the estimates "
                "where it depends on what they would have been"
            )
        return tuple(remarks)

    def as_tables(self) -> list[Table]:
        """Return tables for people: title, header and rows."""
        percent = f"{decimal_text(100 * self.confidence)} %"
        head: list[tuple[str, ...]] = [
            ("read", self.reading.text()),
            ("groups", f"by {', '.join(self.by)}" if self.by else "none: all respondents together"),
            ("devices", str(self.devices)),
        ]
        kinds = {kind: None for share in self.shares for group in share.groups for kind in group.intervals}
        head += [(f"{kind} interval, {percent}", GUARANTEES[kind]) for kind in kinds]
        if any(len(share.groups) > 1 for share in self.shares):
            head += [("simultaneous", SIMULTANEOUS), ("tests of differences", TESTS)]
        tables: list[Table] = [("Estimates from randomized answers", None, head)]
        if not self.by:
            return [*tables, _together(self.shares)]
        for share in self.shares:
            numbers: dict[str, Sequence[float]] = {
                "n": [group.n for group in share.groups],
                "estimate": [float(group.estimate) for group in share.groups],
                "standard error": [group.standard_error for group in share.groups],
            }
            tables += summary_table(share.name, numbers)
            tables += group_tables(
                share.name, ("group", *_HEADER), share.groups, lambda group: _row(group.group, group)
            )
            if share.differences:
                tables.append(_difference_table(share))
        return tables


_HEADER = ("n", "estimate", "standard error", "interval", "simultaneous", "normal")


def _row(title: str, share: GroupShare) -> tuple[str, ...]:
    kind = share.guaranteed
    return (
        title,
        str(share.n),
        f"{float(share.estimate):.6f}",
        f"{share.standard_error:.6f}",
        f"{_ends(share.intervals[kind])} {kind}",
        _ends(share.simultaneous[kind]),
        _ends(share.intervals["normal"]),
    )


def _together(shares: Sequence[ShareComparison]) -> Table:
    """Return the shares of all respondents in one table; of one group no interval is simultaneous."""
    rows = [_row(share.name, group) for share in shares for group in share.groups]
    return "All respondents", ("share", *_HEADER[:4], _HEADER[5]), [(*row[:5], row[6]) for row in rows]


def _difference_table(share: ShareComparison) -> Table:
    told = []
    if share.equality is not None:
        told.append(f"p = {share.equality:.4g} (exact tests of all pairs, Bonferroni)")
    if share.chi_squared is not None:
        statistic, freedom, p = share.chi_squared
        told.append(f"p = {p:.4g} (chi-squared {statistic:.4g} on {freedom}, approximate)")
    header = ("groups", "difference", "standard error", "interval", "simultaneous", "p", "p adjusted")
    rows: list[tuple[str, ...]] = []
    ordered = sorted(share.differences, key=lambda difference: difference.test.p)
    chosen = set(map(id, ordered[:_SHOWN_DIFFERENCES]))
    for difference in share.differences:
        if id(difference) in chosen:
            rows.append(
                (
                    f"{difference.first} - {difference.second}",
                    f"{float(difference.estimate):.6f}",
                    f"{difference.standard_error:.6f}",
                    _ends(difference.interval),
                    _ends(difference.simultaneous),
                    f"{difference.test.p:.4g} {_kind(difference.test)}",
                    f"{difference.adjusted:.4g}",
                )
            )
    left = len(share.differences) - len(rows)
    if left:
        rows.append(("...", f"{left} with larger p: --json", "", "", "", "", ""))
    return f"{share.name}: differences; all equal: {', '.join(told) or 'not tested'}", header, rows


def _ends(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.4f} to {ends[1]:.4f}"


def _kind(test: EqualityTest) -> str:
    return "exact" if test.exact else "approximate"
