#!/bin/sh
# dp-accounting 0.6.0: the PLD accountant counts 30 equal randomized responses as one, if they come as one composed event.
#
# SelfComposedDpEvent(event, 30) means that the event happens 30 times; ComposedDpEvent of 30 equal events means the same.
# Expected: the same epsilon in both forms, 46.63 at delta = 1e-6 for 30 answers about one of four categories. Seen: 1.609, the level of
# ONE answer, for the first form, and 46.631 for the second. The RDP accountant counts right in both forms (47.409).
. "$(dirname "$0")/install.sh"
install dp-accounting==0.6.0 numpy==2.4.6 scipy==1.17.1
"$PYTHON" - <<'PYTHON'
import math

import dp_accounting
from dp_accounting.pld.pld_privacy_accountant import PLDAccountant
from dp_accounting.rdp.rdp_privacy_accountant import RdpAccountant

relation = dp_accounting.NeighboringRelation.REPLACE_ONE
answer = dp_accounting.RandomizedResponseDpEvent(noise_parameter=0.5, num_buckets=4)  # truth with 5/8, each other category 1/8
forms = {
    "SelfComposedDpEvent": dp_accounting.SelfComposedDpEvent(answer, 30),
    "ComposedDpEvent": dp_accounting.ComposedDpEvent([answer] * 30),
}
seen = {}
for name, event in forms.items():
    for accountant in (PLDAccountant, RdpAccountant):
        total = accountant(neighboring_relation=relation)
        total.compose(event)
        seen[name, accountant.__name__] = total.get_epsilon(1e-6)
        print(name, accountant.__name__, seen[name, accountant.__name__])


def delta(epsilon, n=30):
    """Return the exact delta of n answers: the law of (first category, second category, others) is trinomial."""
    total = 0.0
    for first in range(n + 1):
        for second in range(n + 1 - first):
            loss = (first - second) * math.log(5)
            if loss > epsilon:
                ways = math.comb(n, first) * math.comb(n - first, second)
                chance = (5 / 8) ** first * (1 / 8) ** second * (1 / 4) ** (n - first - second)
                total += ways * chance * (1 - math.exp(epsilon - loss))
    return total


assert delta(46.62) > 1e-6 > delta(46.64)  # the exact epsilon is 46.629
assert abs(seen["ComposedDpEvent", "PLDAccountant"] - 46.6312) < 1e-3  # its own discretization: at most 30 * 1e-4
assert abs(seen["SelfComposedDpEvent", "PLDAccountant"] - 1.6095) < 1e-3
assert abs(seen["SelfComposedDpEvent", "RdpAccountant"] - seen["ComposedDpEvent", "RdpAccountant"]) < 1e-9
print("seen: the PLD accountant returns the epsilon of one answer for 30")
PYTHON
