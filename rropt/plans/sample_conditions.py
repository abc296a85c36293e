"""What a real survey adds to a plan: design effect, clusters, response rate, and regions with estimates of their own.

*Design effect.* A sample with the design effect D needs D times the respondents of a simple random sample. So, in
a large population, n respondents have the precision of ``n/D``, and every interval and test is planned for this
effective number.

*Clusters.* Let m respondents be asked in each cluster, and let rho be the intraclass correlation of the true answers.
The responses of a cluster share its true answers, but not their randomization. With ``kappa = (m - 1) rho``,

    n Var(c . pi) = V + kappa S,    S = sum_j c_j^2 pi_j - (c . pi)^2,

where V is n Var in a simple random sample and S that of a direct question. The design effect of the estimate is
``1 + kappa S/V``. Without a randomizing device it is Kish's ``1 + (m - 1) rho``; a device makes it smaller.

*Regions.* Each of R regions has n respondents. For statements about all regions at once, each has the confidence
``1 - alpha/R``, as the simultaneous intervals of ``rropt estimate --by`` (Bonferroni).

*A finite population.* Of N people, n respond; the correction counts these usable answers, and not the people who are
selected. Let ``S^2 = pi (1 - pi) N/(N - 1)``, and let v be the variance of the device per respondent. Then

    ``Var = D (S^2 (1 - n/N) + v)/n``, or ``Var = ((1 + kappa) S^2 (1 - n/N) + v)/n``:

the design effect D multiplies the variance of a simple random sample without replacement, and clusters widen the part
of sampling alone.

Source: Kish (1965), Survey Sampling, sections 5.4 and 8.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from rropt.core.argument_checks import require_flags
from rropt.core.errors import InvalidParameterError, required
from rropt.core.exact import both_texts, decimal_text, rational_where
from rropt.core.exact.numbers import dot, square_root, whole_where
from rropt.core.results import Result, labelled
from rropt.inference.distributions import two_sided_quantile
from rropt.inference.precision import squares_of, worst_variance
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population

_MOST_REGIONS = 10**6
ONE = Fraction(1)


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Describe the sample of a planned survey: clusters, nonresponse and regions.

    Attributes:
        design_effect: the design effect of the estimate, > 0, as ``rropt estimate`` prints it.
        cluster_size: m, the mean number of respondents in a cluster, at least 1.
        icc: rho, the intraclass correlation of the true answers within clusters, in [0, 1].
        response_rate: the proportion of the selected people who respond, in (0, 1].
        regions: R, the number of regions that each have a sample and an estimate of their own.
        simultaneous: whether intervals and tests hold for all regions at once (Bonferroni).

    Raises:
        InvalidParameterError: a value is out of range, or the effect of the clusters is given twice.
    """

    design_effect: object = None
    cluster_size: object = None
    icc: object = None
    response_rate: object = None
    regions: int | None = None
    simultaneous: bool = False

    def __post_init__(self) -> None:
        require_flags(simultaneous=self.simultaneous)
        for name, is_allowed, allowed in (
            ("design_effect", lambda x: x > 0, "a number > 0"),
            ("cluster_size", lambda x: x >= 1, "a number of at least 1"),
            ("icc", lambda x: 0 <= x <= 1, "0 <= intraclass correlation <= 1"),
            ("response_rate", lambda x: 0 < x <= 1, "0 < response rate <= 1"),
        ):
            if (value := getattr(self, name)) is not None:
                told = "intraclass correlation" if name == "icc" else name.replace("_", " ")
                made = rational_where(value, is_allowed, allowed, name=told)
                object.__setattr__(self, name, made)
        if self.regions is not None:
            object.__setattr__(self, "regions", whole_where(self.regions, 1, _MOST_REGIONS, name="`regions`"))
        if self.icc is not None and self.cluster_size is None:
            raise InvalidParameterError(
                "an intraclass correlation needs the size of the clusters: received it alone; give `cluster_size`, the "
                "mean number of respondents in a cluster"
            )
        if self.icc is not None and self.design_effect is not None:
            raise InvalidParameterError(
                "the effect of the clusters is given twice: received `design_effect` and `icc`; "
                "give the design effect of the estimate, or the correlation of the true answers"
            )
        if self.simultaneous and self.regions is None:
            raise InvalidParameterError(
                "`simultaneous` is about several regions: received it alone; give `regions`, their number"
            )

    @property
    def is_given(self) -> bool:
        """Whether anything is known."""
        return self != SIMPLE_SAMPLE

    @property
    def clustering(self) -> Fraction:
        """Kappa = (m - 1) rho."""
        rho, m = self.icc, self.cluster_size
        return (m - 1) * rho if isinstance(rho, Fraction) and isinstance(m, Fraction) else Fraction(0)

    def effect(self, plain: Fraction, clustered: Fraction) -> Fraction:
        """Return the design effect of an estimate with n Var ``plain``, or ``clustered`` with kappa."""
        if isinstance(self.design_effect, Fraction):
            return self.design_effect
        return clustered / plain if plain else ONE

    def counted(self) -> str:
        """Return what makes an estimate less precise, in words; empty if nothing is known of it."""
        if isinstance(self.design_effect, Fraction):
            return f"a design effect of {decimal_text(self.design_effect, 4)}"
        m, rho = self.cluster_size, self.icc
        if not (self.clustering and isinstance(m, Fraction) and isinstance(rho, Fraction)):
            return ""
        return (
            f"the sampling of clusters of {decimal_text(m, 4)} respondents with the intraclass correlation "
            f"{decimal_text(rho, 4)}"
        )

    def parts(self, sampled: Fraction, device: Fraction) -> tuple[Fraction, Fraction]:
        """Return n times the variances of sampling and of the device, from those of a simple random sample."""
        if isinstance(self.design_effect, Fraction):
            return self.design_effect * sampled, self.design_effect * device
        return (1 + self.clustering) * sampled, device

    def formula(self) -> str:
        """Return the variance of an estimate in a finite population as a formula."""
        scale = "D " if self.design_effect not in (None, ONE) else ""
        wider = "(1 + (m - 1) rho) " if self.clustering else ""
        own = ", D the design effect" * bool(scale) + ", m respondents in a cluster" * bool(wider)
        bracket = f"({wider}S^2 (1 - n/N) + v)"
        return (
            f"Var = {scale}{bracket}/n for n usable answers of N people; S^2 = pi (1 - pi) N/(N - 1) of sampling, v of "
            f"the device{own}"
        )

    def risk(self, alpha: Fraction) -> Fraction:
        """Return alpha for one region, if it is meant for all regions at once."""
        return alpha / self.regions if self.simultaneous and self.regions is not None else alpha

    def sizes(self, n: int, effect: Fraction = ONE) -> SampleSizes | None:
        """Return the sizes of the sample with n respondents; ``None`` if nothing is known of it."""
        if not self.is_given:
            return None
        names = ("cluster_size", "icc", "response_rate")
        own: dict[str, Any] = {name: getattr(self, name) for name in names}
        return SampleSizes(n, effect, **own, regions=self.regions, simultaneous=self.simultaneous)


SIMPLE_SAMPLE = Conditions()


def require_conditions(sample: object) -> None:
    """Raise ``InvalidParameterError`` for a ``sample`` that is no ``Conditions``."""
    required(sample, Conditions, "`sample`", "rropt.plan.Conditions(response_rate='60%')")


@dataclass(frozen=True, slots=True)
class SampleSizes(Result):
    """The sizes of a sample with clusters, nonresponse and regions.

    Attributes:
        n: the number of respondents, of each region if there are several.
        design_effect: that of the estimate.
        cluster_size: the mean number of respondents in a cluster.
        icc: of the true answers within clusters.
        response_rate: the proportion of the selected people who respond.
        regions: the number of regions.
        simultaneous: whether intervals and tests hold for all regions at once.
    """

    n: int
    design_effect: Fraction
    cluster_size: Fraction | None = None
    icc: Fraction | None = None
    response_rate: Fraction | None = None
    regions: int | None = None
    simultaneous: bool = False

    LABELS = labelled(
        n="",
        design_effect="",
        effective_number="",
        cluster_size="",
        icc="",
        clusters="",
        response_rate="",
        selected="",
        regions="",
        simultaneous="",
        total="",
        total_selected="",
    )

    @property
    def effective_number(self) -> Fraction:
        """n/D: the respondents of a simple random sample with the same precision, if the population is large."""
        return self.n / self.design_effect

    @property
    def clusters(self) -> int | None:
        """The number of clusters, of each region."""
        return None if self.cluster_size is None else ceil(self.n / self.cluster_size)

    @property
    def selected(self) -> int | None:
        """The number of people to be selected, of each region."""
        return None if self.response_rate is None else ceil(self.n / self.response_rate)

    @property
    def total(self) -> int | None:
        """The number of respondents of all regions."""
        return None if self.regions is None else self.regions * self.n

    @property
    def total_selected(self) -> int | None:
        """The number of people to be selected in all regions."""
        return None if self.regions is None or self.selected is None else self.regions * self.selected

    def conditions(self) -> Conditions:
        """Return the conditions that gave these sizes."""
        names = ("cluster_size", "icc", "response_rate", "regions", "simultaneous")
        given = {name: getattr(self, name) for name in names}
        is_effect = self.icc is None
        return Conditions(design_effect=self.design_effect if is_effect else None, **given)

    def lines(self, whose: str = "") -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table.

        Args:
            whose: whom the numbers are of, such as ``", each group"``; if there are regions, they are of each of them.
        """
        each = whose if self.regions is None else ", each region"
        found = []
        if self.design_effect != 1 or self.icc is not None:
            effect, rho = decimal_text(self.design_effect), self.icc
            if rho is not None and self.cluster_size is not None:
                kish = 1 + (self.cluster_size - 1) * rho
                effect += f"; {decimal_text(kish)} = 1 + ({self.cluster_size} - 1) {decimal_text(rho)} of true answers"
            found.append(("design effect", effect))
            found.append((f"effective number{each}", decimal_text(self.effective_number)))
        if self.clusters is not None:
            found.append((f"clusters{each}", f"{self.clusters}, of {both_texts(self.cluster_size)} respondents"))
        if self.selected is not None and self.response_rate is not None:
            rate = decimal_text(100 * self.response_rate)
            found.append((f"people to select{each}", f"{self.selected}, if {rate} % respond"))
        if self.regions is not None:
            found.append(("regions", f"{self.regions}, {'all at once' if self.simultaneous else 'each on its own'}"))
            found.append(("respondents of all regions", str(self.total)))
        if self.total_selected is not None:
            found.append(("people to select, all regions", str(self.total_selected)))
        return found


@dataclass(frozen=True, slots=True)
class CategoryPrecision(Result):
    """The precision of the estimated proportion of one category.

    Attributes:
        category: the name of the category, or its number.
        proportion: its assumed proportion; ``None`` for the one with the largest standard error.
        standard_error: the standard error of the estimate.
        margin: the half-width of the normal interval of this category alone.
        margin_at_once: the half-width of the intervals that hold for all categories at once (Bonferroni).
    """

    category: str
    proportion: Fraction | None
    standard_error: float
    margin: float
    margin_at_once: float

    def row(self) -> tuple[str, ...]:
        """Return the cells of a table: the category, its proportion, standard error and margins."""
        share = "worst" if self.proportion is None else decimal_text(self.proportion)
        return self.category, share, *map(decimal_text, (self.standard_error, self.margin, self.margin_at_once))


def category_precisions(
    mechanism: Mechanism, shares: object, n: int, confidence: Fraction, sample: Conditions
) -> tuple[CategoryPrecision, ...]:
    """Return the precision of each category of one question with n respondents.

    Args:
        mechanism: the device.
        shares: the assumed proportions, ``"uniform"``, or ``None``: each category at its worst.
        n: the number of respondents.
        confidence: of the intervals.
        sample: the conditions of the sample.
    """
    k = mechanism.inputs
    given = [Fraction(1, k)] * k if shares == "uniform" else shares
    pi = None if given is None else exact_population(given, k)  # type: ignore[arg-type]
    risk, names = sample.risk(1 - confidence), mechanism.categories or tuple(map(str, range(k)))
    alone, at_once = (float(two_sided_quantile(1 - each)[1]) for each in (risk, risk / k))
    found = []
    for x in range(k):
        unit = tuple(Fraction(int(j == x)) for j in range(k))
        squares = squares_of(mechanism, unit)
        plain, clustered = (clustered_variance(squares, unit, pi, own) for own in (Fraction(0), sample.clustering))
        error = square_root(plain * sample.effect(plain, clustered) / n)
        share = None if pi is None else pi[x]
        found.append(CategoryPrecision(names[x], share, error, alone * error, at_once * error))
    return tuple(found)


def clustered_variance(
    squares: tuple[Fraction, ...], contrast: tuple[Fraction, ...], shares: object, clustering: Fraction
) -> Fraction:
    """Return ``V + kappa S`` of a contrast: at proportions, or the largest one over all of them.

    Both are linear in pi minus a square: ``(v + kappa c^2) . pi - (1 + kappa) (c . pi)^2``.

    Args:
        squares: v, of ``squares_of``.
        contrast: c.
        shares: pi, exact; ``None`` for the worst.
        clustering: kappa.
    """
    scale = 1 + clustering
    scaled = tuple((v + clustering * c * c) / scale for v, c in zip(squares, contrast, strict=True))
    if shares is None:
        return scale * worst_variance(scaled, contrast)
    pi = exact_population(shares, len(contrast))  # type: ignore[arg-type]
    return scale * (dot(scaled, pi) - dot(contrast, pi) ** 2)


def contrast_effect(
    mechanism: Mechanism, contrast: tuple[Fraction, ...], shares: object, sample: Conditions
) -> Fraction:
    """Return the design effect of the estimate of a contrast."""
    if not sample.clustering:
        return sample.effect(ONE, ONE)
    squares = squares_of(mechanism, contrast)
    plain, clustered = (clustered_variance(squares, contrast, shares, k) for k in (Fraction(0), sample.clustering))
    return sample.effect(plain, clustered)
