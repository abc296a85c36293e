"""One response at a time beside OpenDP and pure-ldp: ``python benchmarks/one_answer.py``.

k-ary randomized response with ten categories, microseconds for each response; lines of the table of peers.
"""

from __future__ import annotations

import json

import numpy as np
from side_by_side import absent, line, of_peer, pairs, seconds

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
import json
from time import process_time
answers = [i % 10 for i in range(10_000)]
[draw(x) for x in answers[:100]]
taken = []
for _ in range(5):
    start = process_time()
    [draw(x) for x in answers]
    taken.append(process_time() - start)
print(json.dumps(sorted(taken)[2]))
"""


def main() -> None:
    """Print a line for each peer."""
    mechanism, answers = rropt.Mechanism("grr:10,1/4"), np.arange(N) % 10
    listed = answers.tolist()
    own, _ = pairs(lambda: seconds(lambda: [mechanism.randomize(x) for x in listed]), lambda: 0.0)
    for name, (asked, code) in PEERS.items():
        told = of_peer(code + LOOP)
        if told is None:
            absent(f"one answer, beside {name}", name, asked)
        else:
            line(f"one answer, beside {name}", own / N * 1e6, json.loads(told) / N * 1e6, asked, "us")


if __name__ == "__main__":
    main()
