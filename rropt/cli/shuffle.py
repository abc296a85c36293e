"""``rropt shuffle``: the privacy of one report among those that a trusted shuffler mixes."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import call_library, read_mechanism, whole
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import print_result, record
from rropt.cli.pending import InputFile, OutputFile, put_certificates, put_plot
from rropt.core.errors import refuse_given

COMMAND = Command(
    """\
Compute the privacy of one respondent's report among n reports, one from each respondent. A
trusted shuffler removes the senders' names and permutes the reports. The adversary sees the
shuffled reports and knows the true values of all other respondents. MECHANISM is a level in
nats (binary randomized response), a mechanism with two inputs and two outputs, or k-ary
randomized response (grr:5,1/2; or a level with -k). Any other mechanism has the upper bound
of its level, and no lower bound. With --any-mechanism the upper bound holds for every
mechanism at the level, whatever its inputs and outputs.

With --delta the command prints the smallest epsilon after shuffling; with --epsilon it prints
the smallest delta. For binary reports the bounds hold over all neighbouring data sets. For
k-ary reports the upper bound comes from the privacy blanket. The certificate of binary reports
is built only with --certificate, because it takes several times as long. Without MECHANISM,
give both --epsilon and --delta: the command prints the largest local epsilon at which binary
randomized response meets them or, with --any-mechanism, a local epsilon at which every
mechanism meets them.""",
    epilog="""\
examples:
  rropt shuffle 4 --n 1000 --delta 1/1000000
  rropt shuffle warner:3/4 --n 200 --epsilon 1/10
  rropt shuffle 2 -k 3 --n 200 --delta 1/100000
  rropt shuffle 4 --any-mechanism --n 100000 --delta 1/1000000
  rropt shuffle --n 2000 --epsilon 1/2 --delta 1/1000000""",
    arguments=(
        Option("mechanism", "MECHANISM", help="a level in nats, or a mechanism", nargs="?", type=InputFile),
        options.TRANSPOSED,
        Option("--n", "N", help="number of respondents; each sends one report", type=whole(1, 10000000), required=True),
        Option(
            "-k",
            "K",
            help="number of categories of k-ary randomized response, if a level is given",
            type=whole(2, 1000000),
        ),
        Flag("--any-mechanism", help="bound every mechanism at the level"),
        Option("--epsilon", "E", help="print delta after shuffling at this epsilon (in nats)"),
        Option("--gamma", "G", help="print delta after shuffling at this odds bound: gamma = exp(epsilon), rational"),
        Option("--delta", "D", help="print the smallest epsilon after shuffling for this delta"),
        Option(
            "--tolerance",
            "T",
            help="width of the bounds: of epsilon in nats, of delta relative to it",
            default="1/1000000",
        ),
        Option(
            "--points",
            "K",
            help="number of points of the curve of delta (default: none; 17 with --plot)",
            type=whole(0, 1000),
        ),
        options.CERTIFICATE,
        Option(
            "--plot",
            "FILE",
            help="write a picture of delta against epsilon: FILE.svg, FILE.png or FILE.pdf",
            type=OutputFile,
        ),
        options.EXACT,
        options.JSON,
    ),
)


_DRAWN = 17  # number of points of the curve in a picture


def run(args: argparse.Namespace) -> int:
    """Bound epsilon or delta of the shuffled reports and print the bounds."""
    from rropt.accounting import shuffle
    from rropt.accounting.items import is_level

    if args.mechanism is None:
        refuse_given(args.typed, "without a mechanism binary reports or --any-mechanism are asked", "k")
    has_one = args.mechanism is not None and not is_level(args.mechanism)
    if args.transposed and not has_one:
        refuse_given(args.typed, "only the matrix of a file is transposed", "transposed")
    given = read_mechanism(args.mechanism, transposed=True) if args.transposed else args.mechanism
    points = args.points or (_DRAWN if args.plot else 0)
    more = {"mechanism": given, "points": points, "certificate": args.certificate is not None}
    found = call_library(shuffle, args, **more)
    put_certificates(args, found)
    put_plot(args, lambda: found, size="paper")
    record(mechanism_read=[read_mechanism(args.mechanism, transposed=args.transposed).to_dict()] if has_one else [])
    print_result(args, found, title="Privacy after shuffling")
    return 0
