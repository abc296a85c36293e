"""Writes ``rows.csv``: a two-stage sample with three devices, of which R finds ``figures.csv``.

python make_rows.py && Rscript survey_glm.R
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

DEVICES = {"direct": (1.0, 0.0), "forced:2/3,1/6,1/6": (2 / 3, 1 / 6), "crosswise:1/4": (-1 / 2, 3 / 4)}
FOLDER = Path(__file__).parent


def main() -> None:
    """Write the rows: Pr(Z = 1) = c + d F(-1/2 + x/2 + [g = b])."""
    random = np.random.default_rng(40)
    clusters_of = {"A": 6, "B": 5, "C": 6, "D": 5}
    rows = []
    for h, (stratum, clusters) in enumerate(clusters_of.items()):
        for cluster in range(clusters):
            effect = random.normal(0, 0.6)
            size = int(random.integers(6, 14))
            for _ in range(size):
                x, g = round(float(random.normal()), 3), "ab"[int(random.integers(2))]
                truth = random.random() < 1 / (1 + np.exp(0.5 - 0.5 * x - (g == "b") - effect))
                device = list(DEVICES)[int(random.integers(3))]
                d, c = DEVICES[device]
                z = int(random.random() < c + d * truth)
                post = "mf"[int(random.integers(2))]
                w = round(float(random.uniform(1, 4)) * (1 + h), 3)
                keep = int(random.random() < 0.8)
                rows.append([z, x, g, device, w, stratum, f"{stratum}{cluster}", 3 * clusters, 2 * size, post, keep])
    with (FOLDER / "rows.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["z", "x", "g", "device", "w", "h", "c", "N", "M", "post", "keep"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
