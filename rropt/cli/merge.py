"""``rropt merge``: add the counts of several machines.

Add files of counts that "rropt count" wrote. The command refuses counts of different mechanisms
and a part (shard) that is given twice.

example:
  rropt merge part1.json part2.json --output all.json
"""

from __future__ import annotations

import argparse
import json

from rropt.cli.output import print_result

OPTIONS = """
counts COUNTS...          files that "rropt count" or "rropt merge" wrote
--output >FILE            write the sum to FILE
--json
"""


def run(args: argparse.Namespace) -> int:
    """Merge the counts, print them, and write them."""
    from rropt.survey.aggregates import merge

    found = merge(args.counts)
    if args.output is not None:
        args.pending.put(args.output, json.dumps(found.to_dict()) + "\n", "counts")
    print_result(args, found, title="Counts of responses")
    return 0
