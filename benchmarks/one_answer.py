"""One response at a time beside OpenDP and pure-ldp: ``python benchmarks/one_answer.py``.

k-ary randomized response with ten categories, microseconds for each response; lines of the table of peers.
"""

from __future__ import annotations

import numpy as np
from side_by_side import absent, line, measuring, pairs, seconds

import rropt

N = 10_000
PEERS = {
    "OpenDP": (
        0.25,
        """
import opendp.prelude as dp
dp.enable_features("contrib")
draw = dp.m.make_randomized_response(list(range(10)), 0.25)
""",
    ),
    "pure-ldp": (
        40.0,
        """
import math
from pure_ldp.frequency_oracles.direct_encoding import DEClient
client = DEClient(epsilon=math.log(3), d=10)
draw = lambda x: client.privatise(x + 1)
""",
    ),
}
LOOP = """
from time import process_time
answers = [i % 10 for i in range(10_000)]
def measured():
    start = process_time()
    [draw(x) for x in answers]
    return process_time() - start
"""


def main() -> None:
    """Print a line for each peer."""
    mechanism, answers = rropt.Mechanism("grr:10,1/4"), np.arange(N) % 10
    listed = answers.tolist()
    for name, (asked, code) in PEERS.items():
        with measuring(code + LOOP) as measured:
            if measured is None:
                absent(f"one answer, beside {name}", name, asked)
                continue
            own, peer = pairs(lambda: seconds(lambda: [mechanism.randomize(x) for x in listed]), measured)
            line(f"one answer, beside {name}", own / N * 1e6, peer / N * 1e6, asked, "us")


if __name__ == "__main__":
    main()
