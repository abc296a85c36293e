"""``rropt minimax``: the best that any mechanism at a level and any estimator of a prevalence can do.

The least worst-case mean squared error of a prevalence: N respondents, one answer each,
over all mechanisms at a level (also such as depend on the answers before) and over all
estimators, biased ones too; the worst case is over all prevalences. The answer is a
bracket of the optimum, proved, with an estimator that has it from the answers of
randomized response (with --delta of the four-answer mechanism: certainly no, no, yes,
certainly yes), and how many times worse the best unbiased estimator is.

Without --delta the estimate from y answers yes is the exact number estimator[0][y] of
--json; with it estimator[a (a + 1)/2 + c][y], a the certain answers, c those of them that
are yes, y the answers yes among the others.

examples:
  rropt minimax --epsilon "log(5)" --n 20 --certificate risk.json
  rropt minimax --gamma 3 --n 10 --json
  rropt minimax --epsilon 1 --delta 1/100 --n 15
source: without randomization the value is 1/(4 (1 + sqrt n)^2) (Hodges and Lehmann 1950)
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call
from rropt.cli.output import note, print_result
from rropt.cli.pending import put_certificates

_LONG = 100  # respondents, with delta a fourth: from there on it takes seconds, and progress is told

OPTIONS = """
LEVEL required
--delta
--n N:1.. required   respondents, from 1 to 300; with --delta to 40
--certificate
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Find, print, and write the certificate."""
    from rropt.designs.minimax_risk import minimax_risk

    is_long = args.n >= (_LONG // 4 if args.delta.value else _LONG)
    progress = (lambda text: note(f"rropt: {text}")) if is_long else None
    found = call(minimax_risk, args, progress=progress)
    put_certificates(args, found)
    print_result(args, found, title="The best worst case")
    return 0
