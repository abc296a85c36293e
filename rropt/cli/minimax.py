"""``rropt minimax``: the minimax risk of a prevalence, over all mechanisms at a level and all estimators.

Compute the minimax risk: the smallest worst-case mean squared error of a prevalence, from
N respondents with one response each. The minimum is over all mechanisms at a level
(including adaptive ones) and all estimators (including biased ones); the worst case is over
all prevalences. The command prints a bracket that is computed exactly, an estimator that
attains it from randomized response (with --delta from the four-output mechanism: certainly
no, no, yes, certainly yes), and the ratio for the best unbiased estimator.

--json has the estimator. Without --delta the estimate from y responses "yes" is the exact
number estimator[0][y]. With --delta it is estimator[a (a + 1)/2 + c][y], where a counts
the certain responses, c those of them that are "yes", and y the uncertain "yes".

examples:
  rropt minimax --epsilon "log(5)" --n 20
  rropt minimax --gamma 3 --n 10 --json
  rropt minimax --epsilon 1 --delta 1/100 --n 15
source: without randomization the value is 1/(4 (1 + sqrt n)^2) (Hodges and Lehmann 1950)
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library
from rropt.cli.output import print_note, print_result

# respondents from which the search takes seconds and reports progress; with delta, a quarter of this number
_LONG = 100

OPTIONS = """
LEVEL required
--delta
--n N:1.. required   number of respondents, from 1 to 300; with --delta up to 40
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Find the minimax risk, and print it."""
    from rropt.designs.minimax_risk import minimax_risk

    is_long = args.n >= (_LONG // 4 if args.delta.value else _LONG)
    progress = (lambda text: print_note(f"rropt: {text}")) if is_long else None
    found = call_library(minimax_risk, args, progress=progress)
    print_result(args, found, title="The best worst case")
    return 0
