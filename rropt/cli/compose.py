"""``rropt compose``: the exact privacy of many responses of one respondent.

Compute the privacy of all responses of one respondent together: delta at an epsilon, or the
smallest epsilon for a delta, and the privacy curve. The bounds also hold if the questions are
chosen adaptively. An ITEM is a level in nats (1/2, "log(3)", inf), a level with delta
("1,1/1000"), a mechanism (warner:3/4), or a file with a mechanism; append *N for N copies.
Without --epsilon, --gamma and --delta the command prints the smallest epsilon with delta = 0.

With --delta the certificate proves that delta at the upper bound of epsilon is at most D, and a
second one (FILE-bound) that it is above D at the lower bound.

A level stands for the worst mechanism at that level, binary randomized response (Kairouz, Oh
and Viswanath 2015). A mechanism enters with its own privacy profile. The result is
exact for equal levels and for up to about thirty different ones. Otherwise it lies between
two bounds that differ by at most --tolerance. The line "proof" says which bounds a certificate
proves and how wide they are, or that the result is computed without one.

examples:
  rropt compose "log(3)*100" --delta 1/1000000
  rropt compose warner:3/4*20 grr:5,1/2 "1/2,1/10000*3" --epsilon 4
  rropt compose --table questions.csv --delta 1/100000 --json
A table has a header with a column mechanism, epsilon or gamma, and perhaps question, delta
and count; one question in a row.
"""

from __future__ import annotations

import argparse

from rropt.cli.output import print_note, print_result, record_mechanisms
from rropt.cli.pending import put_certificates, put_plot

OPTIONS = """
items [ITEM]...           levels and mechanisms; write ITEM*N for N of one item
--table FILE              CSV file of the questions of a survey
--epsilon E               print delta at this epsilon (in nats)
| --gamma G               print delta at this odds bound: gamma = exp(epsilon), rational
| --delta D               print the smallest epsilon for this delta in [0, 1]
--tolerance T = 1/1000000000  maximum width of the bounds of delta, where it is not exact
--points N:2..10000 = 33  number of points of the curve
--certificate
--plot >FILE              write a picture of delta against epsilon: FILE.png, FILE.svg or FILE.pdf
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Compose the mechanisms; print the result, and write the certificate and picture."""
    from rropt.accounting import compose

    found = compose(
        *args.items,
        table=args.table,
        epsilon=args.epsilon,
        gamma=args.gamma,
        delta=args.delta,
        tolerance=args.tolerance,
        points=int(args.points),
    )
    put_certificates(args, found)
    put_plot(args, lambda: found, size="paper")
    record_mechanisms([item.mechanism for item in found.items if item.mechanism is not None])
    print_result(args, found, title="Privacy of all responses together")
    if not found.items:
        print_note("rropt: no item was given: nothing is revealed")
    return 0
