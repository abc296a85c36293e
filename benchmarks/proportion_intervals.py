"""Coverage of intervals of proportions from complex surveys: direct and randomized responses, beside R's svyciprop.

    python benchmarks/proportion_intervals.py [--surveys 20000] [--r 500]

A survey has 3 strata with weights 1, 2 and 4 and prevalences in the ratio 1 : 2 : 3, some clusters in each, 6
respondents in a cluster, weights of respondents between 0.5 and 1.5 times that of the stratum, and an intraclass
correlation of 0.05. The truth is the prevalence of the population from which clusters are drawn. With ``--r`` R
computes the intervals of so many surveys with direct responses too (``Rscript`` and the package ``survey``), and both
coverages are printed.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import tempfile
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np

import rropt
from rropt.inference.linearization import Sampled
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS, proportion_intervals
from rropt.inference.sample_domains import Domains

STRATA, INSIDE, CORRELATION = 3, 6, 0.05
WEIGHTS = np.array([1.0, 2.0, 4.0])
DEVICES = ("direct", "warner:3/4", "forced:2/3,1/6,1/6", "crosswise:1/4")
_R = """
suppressMessages(library(survey))
d <- read.csv(commandArgs(TRUE)[1])
for (number in unique(d$survey)) {
  design <- svydesign(id = ~cluster, strata = ~stratum, weights = ~w, data = d[d$survey == number, ])
  for (method in c("beta", "logit", "likelihood", "asin", "mean")) {
    asked <- function() suppressWarnings(as.numeric(confint(svyciprop(~y, design, method = method))))
    ends <- tryCatch(asked(), error = function(e) c(NA, NA))
    cat(number, method, sprintf("%.10g", ends), "\\n")
  }
}
"""


def drawn(
    rng: np.random.Generator, surveys: int, clusters: int, prevalence: float
) -> tuple[Sampled, np.ndarray, np.ndarray]:
    """Return surveys as domains beside each other, their numbers, and the true answers; the truth is ``prevalence``."""
    ratio = np.array([1.0, 2.0, 3.0])
    means = prevalence * ratio * WEIGHTS.sum() / (ratio * WEIGHTS).sum()
    size = 1 / CORRELATION - 1
    chance = rng.beta(means[:, None] * size, (1 - means[:, None]) * size, (surveys, STRATA, clusters))
    shape = (surveys, STRATA, clusters, INSIDE)
    truth = (rng.random(shape) < chance[..., None]).ravel()
    weight = (WEIGHTS[:, None, None] * rng.uniform(0.5, 1.5, shape)).ravel()
    cluster = np.repeat(np.arange(surveys * STRATA * clusters), INSIDE)
    stratum, group = cluster // clusters, cluster // (clusters * STRATA)
    units, strata = np.full(surveys * STRATA, float(clusters)), np.arange(surveys * STRATA * clusters) // clusters
    return Sampled(weight, weight**2, stratum, cluster, None, units, np.zeros(len(units)), strata), group, truth


def estimates(
    sample: Sampled, group: np.ndarray, answers: np.ndarray, inverse: np.ndarray, surveys: int
) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
    """Return the intervals of the prevalence of each survey, by kind."""
    one, names = np.ones(len(group), np.int64), list(map(str, range(surveys)))
    made = Domains(sample, one, group, answers >= 0, names)
    found = made.means(inverse[1][answers.astype(np.int64)])
    low, high = (np.full(surveys, end) for end in (inverse[1].min(), inverse[1].max()))
    return proportion_intervals(found.value, found.variance, made.n, made.freedom, low, high, Fraction(19, 20))[0]


def simulate(rng: np.random.Generator, surveys: int, clusters: int, prevalence: float, device: str) -> None:
    """Print the coverage of each kind of interval."""
    sample, group, truth = drawn(rng, surveys, clusters, prevalence)
    matrix = np.eye(2) if device == "direct" else np.array(rropt.Mechanism(device).matrix, np.float64)
    answers = rng.random(len(truth)) < matrix[1, truth.astype(np.int64)]
    found = estimates(sample, group, answers, np.linalg.inv(matrix), surveys)
    told = []
    for kind in PROPORTION_INTERVALS:
        ends = np.stack(found[kind], axis=1)
        covered = (ends[:, 0] <= prevalence) & (prevalence <= ends[:, 1])
        width = np.nanmean(np.clip(ends[:, 1], 0, 1) - np.clip(ends[:, 0], 0, 1))
        told.append(f"{100 * covered.mean():5.1f} ({width:.3f})")
    outside = np.mean((found["mean"][0] < 0) | (found["mean"][1] > 1))
    n = len(truth) // surveys
    print(f"| {device} | {n} | {prevalence} | {' | '.join(told)} | {100 * outside:.0f} % |", flush=True)


def beside_r(rng: np.random.Generator, surveys: int, clusters: int, prevalence: float) -> None:
    """Print the coverage of R's intervals and of ours on the same surveys with direct responses."""
    sample, group, truth = drawn(rng, surveys, clusters, prevalence)
    found = estimates(sample, group, truth, np.eye(2), surveys)
    with tempfile.TemporaryDirectory() as folder:
        path, script = Path(folder, "rows.csv"), Path(folder, "r.R")
        script.write_text(_R)
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["survey", "stratum", "cluster", "w", "y"])
            columns = (group, sample.stratum, sample.cluster, sample.weight, truth.astype(int))
            writer.writerows(zip(*(column.tolist() for column in columns), strict=True))
        out = subprocess.run(["Rscript", str(script), str(path)], capture_output=True, text=True, check=True).stdout
    ends: dict[str, list[tuple[float, float, int]]] = {}
    for line in out.splitlines():
        number, method, lower, upper = line.split()
        ends.setdefault(method, []).append(
            (float(lower.replace("NA", "nan")), float(upper.replace("NA", "nan")), int(number))
        )
    for method, listed in ends.items():
        theirs = sum(lower <= prevalence <= upper for lower, upper, _ in listed)
        own = [tuple(float(end[number]) for end in found[method]) for _, _, number in listed]
        mine = sum(lower <= prevalence <= upper for lower, upper in own)
        apart = [
            max(abs(a - lower), abs(b - upper))
            for (a, b), (lower, upper, _) in zip(own, listed, strict=True)
            if np.isfinite(a + b + lower + upper)
        ]
        share = [f"{100 * count / len(listed):.1f} %" for count in (theirs, mine)]
        print(f"| {prevalence} | {method} | {share[0]} | {share[1]} | {max(apart):.1e} of {len(apart)} |", flush=True)


def main() -> None:
    """Simulate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surveys", type=int, default=20_000)
    parser.add_argument("--r", type=int, default=0, help="surveys that R analyses too")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    print(f"| device | n | prevalence | {' | '.join(PROPORTION_INTERVALS)} | mean leaves [0, 1] |")
    for clusters in (4, 12):
        for device in DEVICES:
            for prevalence in (0.02, 0.05, 0.1, 0.2, 0.4):
                simulate(rng, args.surveys, clusters, prevalence, device)
    for prevalence in (0.05, 0.2, 0.4) if args.r else ():
        beside_r(rng, args.r, 4, prevalence)


if __name__ == "__main__":
    main()
