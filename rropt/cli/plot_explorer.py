"""``rropt plot explorer``: one interactive page of the designs within a privacy budget.

Write a self-contained HTML page that needs no network. Its controls set epsilon, delta, the
prevalence and the number of respondents. It shows the region of the private designs with the
optimum, n Var of the classical designs, the posterior odds after a report, and the number of
respondents for a required standard error. The page computes exact fractions itself and shows
them next to the decimals. A link stores the setting. The options below are the initial
setting.

examples:
  rropt plot explorer --output explorer.html
  rropt plot explorer --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --output explorer.html

arguments:
--epsilon E: epsilon when the page opens; an irrational exp(epsilon) is rounded down to seven digits
or --gamma G: the same as an odds bound: gamma = exp(epsilon), rational, at most 10^6 (default: 3)
--delta D (default: 0): delta when the page opens, in [0, 1]
--prevalence PI (default: 1/10): prevalence of the sensitive answer when the page opens, in (0, 1)
--n N (default: 1000): number of respondents when the page opens
--output FILE.html: write the page to FILE (default: standard output)
--json
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library, whole
from rropt.cli.pending import PageFile, give_text

TYPES = {"--n": whole(1, 1000000000), "--output": PageFile}


def run(args: argparse.Namespace) -> int:
    """Write the interactive page."""
    from rropt.reports.explorer import explore

    found = call_library(explore, args)
    give_text(args, found, found.page, "page", "Explorer")
    return 0
