"""From a ``Sample`` to the arrays of ``linearization``: equal respondents are grouped first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rropt.answers.data_columns import Ints, sums_by_index
from rropt.answers.sample_descriptions import SamplingDesign
from rropt.answers.samples import Sample
from rropt.core.errors import InvalidParameterError
from rropt.core.visible import with_noun
from rropt.inference.linearization import Sampled
from rropt.inference.replicates import ReplicatedRows


def drawn(sample: Sample, first: Ints, kind: Ints) -> tuple[Sampled, Ints]:
    """Return the sample of kinds of equal respondents, and the number of respondents of each with a positive weight.

    Args:
        sample: the sample.
        first: the first row of each kind.
        kind: the number of each row's kind. Rows of a kind have the same place in the design.

    Raises:
        InvalidParameterError: the variance cannot be estimated, or finite populations do not fit.
    """
    size, w, count = len(first), sample.weight, np.bincount(kind, minlength=len(first))
    weight, square = sums_by_index(kind, w, size), sums_by_index(kind, w * w, size)
    positive = count if w.min(initial=1.0) > 0 else sums_by_index(kind, w > 0, size).astype(np.int64)
    if sample.replicates is not None and sample.replicate_weights is not None:
        given = np.stack([sums_by_index(kind, own, size) for own in sample.replicate_weights.T], axis=1)
        factors = sample.replicates.factors(sample.replicate_weights, w)
        rows = ReplicatedRows(given, factors, sample.replicates.center == "mean")
        none = np.zeros(size, np.int64)
        units = np.array([float(sample.rows)])
        return Sampled(weight, square, none, None, None, units, np.zeros(1), replicates=rows), positive
    n, stratum = count.astype(np.float64), sample.stratum[first]
    rows_of = units = sums_by_index(stratum, n, int(stratum.max()) + 1)
    cluster = strata = within = None
    if sample.cluster is not None:
        cluster = sample.cluster[first]
        strata = np.zeros(int(cluster.max()) + 1, np.int64)
        strata[cluster] = stratum
        rows_of, units = sums_by_index(cluster, n, len(strata)), sums_by_index(strata, np.ones(len(strata)), len(units))
    fractions = sample.fractions(0, sample.stratum, units)
    if cluster is not None and sample.cluster is not None and sample.stages > 1:
        within = rows_of, sample.fractions(1, sample.cluster, rows_of)
    post = None if sample.post is None else sample.post[first]
    made = Sampled(weight, square, stratum, cluster, post, units, fractions, strata, within, sample.single_psu)
    _require_spread(sample, made)
    if not sample.is_weighted and fractions.all() and (within is None or within[1].all()):
        each = (1 / fractions)[stratum]
        if within is not None:
            each = each / within[1][cluster]
        made = replace(made, weight=weight * each, square=square * each**2)
    return made, positive


def described(sample: Sample, made: Sampled) -> SamplingDesign:
    """Return the description of a sample."""
    column = sample.columns.get("weights") or None
    if sample.replicates is not None:
        return SamplingDesign("column", 1, None, None, False, "refuse", 0, 0, False, column, str(sample.replicates))
    is_whole = bool(made.fractions.all() and (made.within is None or made.within[1].all()))
    weights = "column" if sample.is_weighted else "populations" if is_whole else "equal"
    return SamplingDesign(
        weights,
        len(made.units),
        None if made.strata is None else len(made.strata),
        (float(made.fractions.min()), float(made.fractions.max())) if sample.stages else None,
        made.within is not None,
        sample.single_psu,
        int(made.alone.sum()),
        0 if made.post is None else int(made.post.max()) + 1,
        sample.has_shared_labels,
        column,
    )


def _require_spread(sample: Sample, made: Sampled) -> None:
    """Raise an error for strata or clusters with a single sampling unit, whose variance cannot be estimated."""
    if made.within is not None:
        n, f = made.within
        second = replace(made, units=n, fractions=f)
        if second.alone.any() and made.single_psu in ("refuse", "average"):
            raise InvalidParameterError(
                f"{second.alone.sum()} of {with_noun(len(n), 'cluster')} have one respondent of several: the variance "
                "between respondents cannot be estimated there; leave the second finite population out, or choose "
                "single_psu='certainty' or 'adjust'"
            )
    alone = np.flatnonzero(made.alone)
    if made.single_psu == "average" and len(alone) == len(made.units):
        raise InvalidParameterError(
            f"no stratum has two clusters: received {len(alone)} with one each, of which there is no average; allowed "
            "are certainty and adjust"
        )
    if len(alone) and made.single_psu == "refuse":
        what = "row" if made.cluster is None else "cluster"
        raise InvalidParameterError(
            f"{len(alone)} of {len(made.units)} strata have one {what}, the first is "
            f"{sample.stratum_name(int(alone[0]))}: their variance cannot be estimated; merge each with a similar "
            f"stratum, or choose single_psu='certainty' (the {what} is the whole stratum), 'average' (the mean of the "
            "other strata) or 'adjust' (the squared distance from the overall mean, which is conservative)"
        )
