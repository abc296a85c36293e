"""Equal and decimal levels beside dp_accounting: ``python benchmarks/compositions.py``.

Both sides compose the same randomized responses. dp_accounting discretizes the privacy loss by 1e-4 (1e-3 for 10 000
responses) and returns an upper bound in floats. rropt returns two bounds in exact arithmetic, with a certificate that
its checker has accepted (no certificate states a level above 1000: 10 000 responses have none). The lines "bound
computed" are of the bounds of decimal levels alone, without certificate and curve. The time asked for them was 0.05 s
on a machine where dp_accounting took 0.057, 0.225, 0.825 and 2.84 s, hence their ratios. The script prints lines of the
table of peers, processor seconds. RROPT_PEER_PYTHON names the Python of an environment with dp_accounting.
"""

from __future__ import annotations

from fractions import Fraction

from side_by_side import absent, line, measuring, pairs, seconds

import rropt
from rropt.accounting.accountant import Accountant
from rropt.accounting.items import read_items
from rropt.core.exact.levels import Epsilon

ASKED = {"1000 times": 0.1, "10000 times": 0.2, "20 decimal": 2.0, "160 decimal": 0.3}
COMPUTED = {"20 decimal": 0.88, "40 decimal": 0.22, "80 decimal": 0.06, "160 decimal": 0.018}
WIDTH = Fraction(1, 10**9)
PEER = """
import math
from time import process_time
from dp_accounting.pld import privacy_loss_distribution as pld

def one(level, width):
    return pld.from_randomized_response(2 / (1 + math.exp(level)), 2, True, width)
def composed(levels, asked, at, width):
    whole = None
    for level, count in levels:
        part = one(level, width).self_compose(count) if count > 1 else one(level, width)
        whole = part if whole is None else whole.compose(part)
    return whole.get_epsilon_for_delta(at) if asked == "delta" else whole.get_delta_for_epsilon(at)
def measured(*question):
    start = process_time()
    value = composed(*question)
    return value, process_time() - start
"""


def cases() -> list[tuple[str, list[str], list[tuple[float, int]], str, str, float]]:
    """Return what is composed, for rropt and in floats, what is asked, and the step of dp_accounting."""
    log3 = 1.0986122886681098
    found = [
        (f"{n} times log 3, delta 1e-6", [f"log(3)*{n}"], [(log3, n)], "delta", "1e-6", step)
        for n, step in ((30, 1e-4), (100, 1e-4), (1000, 1e-4), (10_000, 1e-3))
    ]
    for k in (20, 40, 80, 160):
        levels = [repr(round(0.1 + 0.9 * i / (k - 1), 3)) for i in range(k)]
        at = repr(round(sum(map(float, levels)) / 2, 2))
        name = f"{k} decimal levels, epsilon {at}"
        found.append((name, levels, [(float(level), 1) for level in levels], "epsilon", at, 1e-4))
    return found


def main() -> None:
    """Print the lines of each case."""
    with measuring(PEER) as measured:
        for name, items, levels, asked, at, step in cases():
            most = next((ratio for start, ratio in ASKED.items() if name.startswith(start)), 2.0)
            if measured is None:
                absent(f"compose, {name}", "dp_accounting", most)
                continue
            question = (levels, asked, float(at), step)
            theirs = lambda q=question: measured(*q)[1]  # noqa: E731
            compose = lambda i=items, a={asked: at}: rropt.compose(*i, points=2, **a)  # noqa: E731
            line(f"compose, {name}", *pairs(lambda c=compose: seconds(c), theirs), most)
            found = compose()
            proved = "certified" if found.certificate is not None else "no certificate"
            ends = f"{float(found.lower):.10g} to {float(found.upper):.10g}, {proved}"
            print(f"  rropt {ends}; dp_accounting: {measured(*question)[0]}", flush=True)
            if asked == "epsilon":
                bound = lambda i=items, a=at: Accountant(read_items(i), WIDTH).delta(Epsilon.of(a))  # noqa: E731
                computed = next(ratio for start, ratio in COMPUTED.items() if name.startswith(start))
                line(f"bound computed, {name}", *pairs(lambda b=bound: seconds(b), theirs), computed)


if __name__ == "__main__":
    main()
