"""Weighted estimates by group: what they say of themselves, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.proportion_intervals import PROPORTION_INTERVALS, RECOMMENDED
from rropt.estimation.weighted_shares import LONELY, Ends, WeightedShare
from rropt.exact import decimal_text
from rropt.responses.counting import Reading
from rropt.responses.many_groups import first_groups, group_tables, summary_table
from rropt.results import Result, Table, says

_WEIGHTS = {
    "column": "a column of the data",
    "populations": "the inverse of the part that was drawn of each finite population",
    "equal": "none: all respondents weigh 1, and totals are of the sample",
}
_LONELY = {
    "certainty": "nothing but the device: they are taken for all of their strata",
    "average": "as much as the mean of the others",
    "adjust": "the square distance of their one cluster from the mean of all",
}


@dataclass(frozen=True, slots=True)
class Design(Result):
    """How the respondents were drawn.

    Attributes:
        weights: ``column``, ``populations`` (the inverse of their fractions) or ``equal`` (1).
        strata, clusters: how many; clusters ``None``: each respondent is one.
        fractions: the least and the largest part of a stratum that was drawn; ``None``: populations are infinite.
        two_stages: whether respondents were drawn from finite populations within clusters too.
        lonely: what strata with one cluster add to variances.
        lonely_strata: how many there are.
        post_strata: cells whose totals the weights were adjusted to; 0: none.
        shared_labels: whether a label of clusters stands in several strata: it names a cluster of each.
    """

    weights: str
    strata: int
    clusters: int | None
    fractions: tuple[float, float] | None
    two_stages: bool
    lonely: str
    lonely_strata: int
    post_strata: int
    shared_labels: bool

    def __post_init__(self) -> None:
        if self.weights not in _WEIGHTS or self.lonely not in LONELY:
            raise InvalidParameterError(
                f"no such design: received weights {shown(self.weights)} and lonely {shown(self.lonely)}; allowed are "
                f"{', '.join(_WEIGHTS)}; and {', '.join(LONELY)}"
            )

    SAYS = says(method="method", sample="sample", device="the device in the variance")

    @property
    def method(self) -> str:
        """The estimators in words."""
        post = f", residuals from {self.post_strata} post-strata" if self.post_strata else ""
        return (
            "answers debiased by the mechanism's left inverse; shares by Hajek, totals by Horvitz and Thompson; "
            f"variances linearised{post}, over n - 1; intervals of totals by Student's t"
        )

    @property
    def sample(self) -> str:
        """How they were drawn, in words."""
        units = "respondents" if self.clusters is None else f"{self.clusters} clusters"
        parts = [f"weights: {_WEIGHTS[self.weights]}", f"{units} in {self.strata} strat{'um' * (self.strata == 1)}"]
        parts[1] += "a" * (self.strata != 1)
        if self.fractions is not None:
            low, high = (decimal_text(100 * end) for end in self.fractions)
            parts.append(f"{low} % of the population drawn" if low == high else f"{low} to {high} % of a stratum drawn")
        if self.two_stages:
            parts.append("two stages")
        if self.lonely_strata:
            parts.append(f"{self.lonely_strata} strata with one cluster add {_LONELY.get(self.lonely, 'nothing')}")
        return "; ".join(parts)

    @property
    def device(self) -> str:
        """How the randomization stands in the variance, in words."""
        if self.fractions is None:
            return "inside of the variance between clusters: respondents are randomized independently"
        return (
            "whole: the part that the finite population takes from the variance between clusters is given back, since "
            "the device would randomize anew if all were asked; 'shrunk' is without that, as software for plain "
            "answers prints"
        )


@dataclass(frozen=True, slots=True)
class WeightedCategory(Result):
    """One category of a question, or one cell of a table of several, in all groups.

    Attributes:
        name: of its question, and of the category where there are more than two.
        groups: the estimates in each.
    """

    name: str
    groups: tuple[WeightedShare, ...]

    SAYS = says(name="share", groups="")


@dataclass(frozen=True, slots=True)
class WeightedEstimates(Result):
    """Weighted estimates of each question in each group, from one reading of a table.

    Attributes:
        reading: what was read.
        design: how the respondents were drawn.
        by: the columns of the groups; none: all respondents are one group.
        confidence: of the intervals.
        devices: how many different devices were used.
        shares: for each question the share of answer 1, or of each category where there are more than two.
    """

    reading: Reading
    design: Design
    by: tuple[str, ...]
    confidence: Fraction
    devices: int
    shares: tuple[WeightedCategory, ...]

    SAYS = says(devices="devices", confidence="confidence", remarks="")

    def lines(self) -> list[tuple[str, str]]:
        """Return (what, value) pairs: those of the head, and each estimate."""
        said = [(row[0], row[1]) for row in self.as_tables()[0][2]]
        for category in self.shares:
            for one in first_groups(category.groups):
                value = (
                    f"{one.share.value:.6f} (standard error {one.share.standard_error:.6f}), {RECOMMENDED} interval "
                )
                said.append((f"{category.name}, {one.group}", value + _ends(one.recommended, 4)))
            left = len(category.groups) - len(first_groups(category.groups))
            if left:
                said.append((f"{category.name}, ...", f"{left} more groups: --json"))
        return said

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader must be told before using the numbers."""
        remarks = list(self.reading.remarks)
        if self.design.shared_labels:
            remarks.append("labels of clusters stand in several strata: taken for different clusters")
        if self.design.fractions is not None and self.design.clusters is not None and not self.design.two_stages:
            remarks.append(
                "clusters are taken as asked whole; where respondents were drawn within them give their finite "
                "population too (fpc: clusters, rows), or none: then the variance is not too small"
            )
        few = [
            f"{category.name} in {one.group}"
            for category in self.shares
            for one in category.groups
            if one.share.interval is None
        ]
        if few:
            remarks.append(f"no degrees of freedom, hence no intervals: {_few(few)}")
        outside = [
            f"{category.name} in {one.group}"
            for category in self.shares
            for one in category.groups
            if not 0 <= one.share.value <= 1
        ]
        if outside:
            remarks.append(f"estimates outside [0, 1]: {_few(outside)}: they are unbiased only if left as they are")
        missing = sum(each.missing for each in self.reading.questions)
        if missing:
            remarks.append(
                f"{missing} missing answers were left out of their question, as asked for: those who answered are a "
                "domain, and that biases the estimates where it depends on what they would have been"
            )
        return tuple(remarks)

    def as_tables(self) -> list[Table]:
        """Return tables for people: title, header and rows."""
        head: list[tuple[str, ...]] = [
            ("read", self.reading.text()),
            *self.design.lines(),
            ("groups", f"by {', '.join(self.by)}" if self.by else "none: all respondents together"),
            ("devices", str(self.devices)),
            ("confidence", f"{decimal_text(100 * self.confidence)} %, each interval by itself"),
            (f"{RECOMMENDED} interval", f"recommended: {_RECOMMENDED.title}; {_RECOMMENDED.guarantee}"),
        ]
        tables: list[Table] = [("Weighted estimates from randomized answers", None, head)]
        return tables + [table for category in self.shares for table in self._tables(category)]

    def _tables(self, category: WeightedCategory) -> list[Table]:
        shrunk = self.design.fractions is not None
        header = ("group", "n", "df", "share", "standard error", *["shrunk"] * shrunk, "of the device")
        header = (*header, f"{RECOMMENDED} interval", "design effect", "total", "standard error", "t-interval")

        def row(one: WeightedShare) -> tuple[str, ...]:
            share, total = one.share, one.total
            return (
                one.group,
                str(one.n),
                str(one.degrees_of_freedom),
                f"{share.value:.6f}",
                f"{share.standard_error:.6f}",
                *[f"{share.shrunk_variance**0.5:.6f}"] * shrunk,
                f"{max(share.device_variance, 0.0) ** 0.5:.6f}",
                _ends(one.recommended, 4),
                "" if one.design_effect is None else f"{one.design_effect:.3f}",
                f"{total.value:.1f}",
                f"{total.standard_error:.1f}",
                _ends(total.interval, 1),
            )

        groups = category.groups
        numbers: dict[str, Sequence[float]] = {
            "n": [one.n for one in groups],
            "share": [one.share.value for one in groups],
            "standard error": [one.share.standard_error for one in groups],
        }
        return [*summary_table(category.name, numbers), *group_tables(category.name, header, groups, row)]


_RECOMMENDED = PROPORTION_INTERVALS[RECOMMENDED]


def _few(names: list[str]) -> str:
    return "; ".join(names[:3]) + (f", and {len(names) - 3} more" if len(names) > 3 else "")


def _ends(ends: Ends | None, digits: int) -> str:
    return "none" if ends is None else f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}"
