"""The description of a sampling design, as it is reported with estimates."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.answers.samples import SINGLE_PSU_RULES
from rropt.core.errors import one_of, shown
from rropt.core.exact import decimal_text
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun

_WEIGHTS = {
    "column": "weighted by a column of the data",
    "populations": "weighted by the inverse of the sampled fraction of each finite population",
    "equal": "not weighted: all respondents have weight 1, and totals refer to the sample",
}
_SINGLE_PSU = {
    "certainty": "only the variance due to the device, as in a census of the stratum",
    "average": "the mean contribution of the other strata",
    "adjust": "the squared distance of the cluster from the overall mean",
}


@dataclass(frozen=True, slots=True)
class SamplingDesign(Result):
    """The sampling design, as reported with the estimates.

    Attributes:
        weights: ``column``, ``populations`` (the inverse of their sampled fractions) or ``equal`` (1).
        strata: the number of strata.
        clusters: the number of clusters; ``None`` if each respondent is a cluster.
        fractions: the smallest and the largest sampled fraction of a stratum; ``None``: populations are infinite.
        two_stages: whether the respondents within clusters are sampled from finite populations too.
        single_psu: the rule for strata with a single PSU.
        single_psu_strata: the number of strata with a single PSU.
        post_strata: the number of cells to whose totals the weights were adjusted; 0 without post-strata.
        shared_labels: whether a label of clusters occurs in several strata; it then names a different cluster in each.
        column: the name of the column of weights, if there is one.
        replicates: a description of the replicate weights; ``None`` without them.
    """

    weights: str
    strata: int
    clusters: int | None
    fractions: tuple[float, float] | None
    two_stages: bool
    single_psu: str
    single_psu_strata: int
    post_strata: int
    shared_labels: bool
    column: str | None = None
    replicates: str | None = None

    def __post_init__(self) -> None:
        one_of(self.weights, _WEIGHTS, "`weights`")
        one_of(self.single_psu, SINGLE_PSU_RULES, "`single_psu`")

    LABELS = labelled(method="method", sample="sample", device="the device in the variance")

    @property
    def method(self) -> str:
        """The description of the estimators."""
        if self.replicates is not None:
            return (
                "responses debiased by the mechanism's left inverse; proportions by Hajek, totals by Horvitz and "
                "Thompson; variances between replicates; intervals of totals from those of proportions"
            )
        post = (
            f", residuals from {with_noun(self.post_strata, 'post-stratum', 'post-strata')}" if self.post_strata else ""
        )
        return (
            "responses debiased by the mechanism's left inverse; proportions by Hajek, totals by Horvitz and Thompson; "
            f"variances linearized{post}, over n - 1; intervals of totals from those of proportions"
        )

    @property
    def sample(self) -> str:
        """The description of the sample."""
        units = "respondents" if self.clusters is None else with_noun(self.clusters, "cluster")
        weighted = _WEIGHTS[self.weights] if self.column is None else f"weighted by {shown(self.column)}"
        if self.replicates is not None:
            return f"{weighted}; {self.replicates}"
        parts = [weighted, f"{units} in {with_noun(self.strata, 'stratum', 'strata')}"]
        if self.fractions is not None:
            low, high = (decimal_text(100 * end) for end in self.fractions)
            parts.append(f"{low} % of the population drawn" if low == high else f"{low} to {high} % of a stratum drawn")
        if self.two_stages:
            parts.append("two stages")
        if self.single_psu_strata:
            alone = with_noun(self.single_psu_strata, "stratum with one cluster adds", "strata with one cluster add")
            parts.append(f"{alone} {_SINGLE_PSU.get(self.single_psu, 'nothing')}")
        return "; ".join(parts)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the sampling design, as sentences."""
        told = []
        if self.shared_labels:
            told.append("some labels of clusters occur in several strata: they are treated as different clusters")
        if self.fractions is not None and self.clusters is not None and not self.two_stages:
            told.append(
                "clusters are treated as completely observed; if respondents were sampled within them, give their "
                "finite population too (fpc: clusters, rows), or no finite population: the variance is then not too "
                "small"
            )
        return tuple(told)

    @property
    def device(self) -> str:
        """The description of how the variance includes the randomization."""
        if self.replicates is not None:
            return "included in the variance between replicates, because respondents are randomized independently"
        if self.fractions is None:
            return "included in the variance between clusters, because respondents are randomized independently"
        return (
            "The finite population correction shrinks the sampling error only. 'shrunk' applies it to the device too, "
            "as software without randomized responses does, and is too small"
        )
