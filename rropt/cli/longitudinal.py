"""``rropt longitudinal``: what the reports of one respondent over time reveal.

Compute what one respondent reveals over T waves: per report, per wave, over all waves, and in
the limit of many reports. Fresh reports of MECHANISM are composed. With --reports kept the
first report is stored and sent again in every wave. With --memo the memo randomizes the true
value once, and every report applies MECHANISM to this stored value; rappor:f,p,q is such a
pair. dbitflip:B,D,LEVEL reports D of B buckets and stores the report. Give an interview of
several questions as a --table.

If the true value changes over time, each value has its own memo or stored report. Without a
second randomization of each report, an observer can then see that a value has changed; the
command prints the probability of this.

With --budget the command prints the best designs over T waves for a lifetime epsilon: for a
constant trait, for the prevalence in each wave, and with --change for the net change between
waves.

examples:
  rropt longitudinal rappor:1/2,1/2,3/4 --waves 10
  rropt longitudinal warner:3/4 --memo warner:2/3 --waves 12
  rropt longitudinal 1/2 --waves 12 --delta 1/1000000
  rropt longitudinal dbitflip:32,4,1 --waves 30 --per-wave 4
  rropt longitudinal --table questions.csv --waves 6 --reports kept
  rropt longitudinal 1/2 --waves 12 --budget 4 --prevalence 1/2 --change 1/10
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library
from rropt.cli.output import print_result, record_mechanisms
from rropt.cli.pending import put_certificates, put_plot

OPTIONS = """
mechanism ~[MECHANISM]    mechanism of each report: a level in nats, a mechanism, rappor:f,p,q or dbitflip:B,D,LEVEL
| --table FILE            CSV file of the questions of one interview, as for rropt compose
--waves T:1..1000000 required  number of waves
--per-wave N:1..1000000 = 1  number of reports in each wave
--memo ~MECHANISM         memoized response, which is randomized once and kept: log(q), or a mechanism
--reports fresh|kept|memo  how the reports of a person depend on each other (default: memo with a memo, kept for
    dbitflip, otherwise fresh)
--delta D = 0             print epsilon for this delta, for fresh or kept reports
--budget E                lifetime epsilon: also print the best designs for it
--prevalence PI           assumed prevalence for these designs (default: 1/2)
--change V                variance of a person's change between consecutive waves, for these designs
--certificate
--plot >FILE              write a picture of epsilon against the number of reports: FILE.png, FILE.svg or FILE.pdf
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Compute the privacy of repeated reports; print it, and write the certificate and picture."""
    from rropt.accounting import longitudinal
    from rropt.accounting.repeated import mechanisms_of_reports

    args.per_wave = int(args.per_wave)
    found = call_library(longitudinal, args)
    put_certificates(args, found)
    put_plot(args, lambda: found, size="paper")
    record_mechanisms(mechanisms_of_reports(args.mechanism, args.table, args.memo))
    print_result(args, found, title="Reports over time")
    return 0
