"""``rropt audit``: a lower bound on the epsilon of a black box from its responses, with a certificate.

The responses of a black box at two or more inputs, from a file or as counts. A test shows,
at a confidence, that epsilon is at least E. The set of responses and the pair of inputs are
chosen on one part of the samples, and tested on the rest. Samples without any difference
give exactly 0. With --mechanism: how many samples refute the claim.

example: a file with a column of inputs and a column of responses
  rropt audit samples.csv --input x --output y --claim 1 --certificate audit.json
counts of the responses 0 and 1 at two inputs, and the set S of responses that is tested
  rropt audit --counts 750000,250000 --counts 250000,750000 --event 0 --claim "log(3)"
before sampling: how many samples refute a claim of 1 if the box is Warner's device
  rropt audit --mechanism warner:3/4 --claim 1
exit status: 0, or 1 when the claim is refuted; 2 bad input
"""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.arguments import call, read_data, refuse
from rropt.cli.output import print_result
from rropt.core.errors import InvalidParameterError

OPTIONS = """
data [DATA]...            a file with one row for each sample: CSV, JSON, Parquet, Feather, Excel (.xlsx), DuckDB or
    SQLite, also packed (.gz, .zst, .zip); several files with the same columns, or a folder of them; - is standard
    input
DATA
--input NAME with DATA    the column of the inputs
--output NAME with DATA   the column of the responses
--counts C0,..,Cm:0.. repeated  in the place of DATA, once for each input: how often each response was given, zeros
    included; inputs and responses are numbered 0, 1, ...
--claim E                 the level that the box is said to have, in nats: a number, or "log(3)"
--delta D = 0             of the claim: a number in [0, 1]
--pair A,B,..             the first and the second input (default: the best pair on the first part)
--event A,B,..            the set S of responses (default: the best set on the first part)
--confidence C = 0.95     of the bound
--method clopper-pearson|e-value = clopper-pearson  bounds on both chances, for a number of samples that was fixed
    beforehand; or an e-value of pairs
--tests N:1..1000000 = 1  how many pairs and sets are tested, each at (1 - confidence)/N
--explore M               the first part: a proportion below 1, or a number of samples of each input (default: a fifth,
    at most 50000; none where there is nothing to choose)
--seed N:0.. = 0          of the random choice of the first part
--mechanism ~MECHANISM    what the box really does: how many samples refute the claim
--power P with --mechanism  the chance of a refutation (default: 0.9)
--certificate >FILE       write the certificate of the test
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Audit and print."""
    from rropt.survey.audits import audit, samples_needed

    read_data(args)
    if args.mechanism is not None:
        refuse(args, "--mechanism asks for a number of samples before sampling", "data", "counts", "certificate")
        if args.claim is None:
            raise InvalidParameterError("the claim is missing: received --mechanism alone; give --claim E")
        print_result(args, call(samples_needed, args), title="Samples that refute a claim")
        return 0
    more: dict[str, Any] = {"counts": args.counts or None, "tests": int(args.tests), "seed": int(args.seed)}
    found = call(audit, args, **more)
    if args.certificate is not None:
        if found.certificate is None:
            raise InvalidParameterError(
                "there is no certificate: the samples refute no level above 0; leave --certificate out"
            )
        args.pending.put(args.certificate, found.certificate.file_text)
    print_result(args, found, title="Audit of a black box")
    return 1 if found.refuted else 0
