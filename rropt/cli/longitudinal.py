"""``rropt longitudinal``: what the reports of one respondent over time reveal.

What one respondent reveals over T waves: per report, per wave, over all of them, and in the
limit of many reports. Fresh reports of MECHANISM are composed. With --memo the true value is
randomized once by the memo, kept, and every report is MECHANISM of what was kept;
rappor:f,p,q is such a pair. A value that changes has a memo for each value: a bare memo then
shows the changes, with the chance printed.

With --budget: the best designs over T waves for a lifetime epsilon: of a constant trait, of
the level in each wave, and with --change of the net change between waves.

examples:
  rropt longitudinal rappor:1/2,1/2,3/4 --waves 10
  rropt longitudinal warner:3/4 --memo warner:2/3 --waves 12
  rropt longitudinal 1/2 --waves 12 --delta 1/1000000
  rropt longitudinal 1/2 --waves 12 --budget 4 --prevalence 1/2 --change 1/10
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call
from rropt.cli.output import print_result

OPTIONS = """
mechanism ~MECHANISM      of each report: a level in nats, a mechanism, or rappor:f,p,q
--waves T:1..1000000 required  waves
--per-wave N:1..1000000 = 1  reports in each wave
--memo ~MECHANISM         what is randomized once and kept: log(q), or a mechanism
--delta D = 0             the slack for which epsilon of fresh reports is wanted
--budget E                a lifetime epsilon for which the best designs are wanted
--prevalence PI           of these designs (default: 1/2)
--change V                variance of a person's change between neighbouring waves, of these designs
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Work out and print."""
    from rropt.survey.accounting import longitudinal

    args.per_wave = int(args.per_wave)
    print_result(args, call(longitudinal, args), title="Reports over time")
    return 0
