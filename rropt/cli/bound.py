"""``rropt bound``: B(h), the largest parity that a privacy criterion allows; and whether a mechanism meets it.

Compute B(h): a mechanism meets a privacy criterion if and only if its parity is at most
B(h) (Chai and Nayak 2018, Theorem 3.1). EXPR is a function of the prior probability p with
+ - * / ^, min, max, sqrt, exp, log and piecewise(value, condition, ..., otherwise).
B(h) is exact if EXPR is piecewise rational, or if B(h) is a rational limit at p = 0 or p = 1
or a rational value of the function. Otherwise the command prints rational bounds, proved on
subintervals of (0, 1). "at" and "places" report where the infimum is attained: for --upper
the prior p of a property Q; for --lower the prior p = 1 - q of its complement, where q is
the argument of EXPR. With --mechanism the command tests whether a mechanism meets the
criterion and, if it does not, prints a breach.

examples: no prior below 1/5 may rise above 1/2
  rropt bound --rho 1/5 1/2
  rropt bound --upper "piecewise(1/2, p < 1/5, 1)" --mechanism warner:5/6
  rropt bound --upper "sqrt(p)" --certificate bound.json
exit status: 0, or 1 when the mechanism does not meet the criterion; 2 bad input, or the
answer is printed and no certificate of it could be written
"""

from __future__ import annotations

import argparse
from functools import partial

from rropt.cli.arguments import read_criterion
from rropt.cli.output import PrintedResult, print_note, print_result
from rropt.cli.pending import certificate_file
from rropt.core.exact.display import extended_text

_WHY_NOT = (
    "no proof of B(h) was found that the checker accepts; the answer does not rest on it; another form of the function "
    "may have one, cut with piecewise or written as a power"
)

OPTIONS = """
CRITERION required
--mechanism MECHANISM     test this mechanism: a file or a named design
--certificate >FILE       write the certificate of B(h) to FILE
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Print B(h), where it is attained, and whether a mechanism meets the criterion."""
    from rropt.privacy.bound import judge, parity_bound
    from rropt.privacy.bound_certificate import infimum_certificate

    criterion = read_criterion(args)
    assert criterion is not None  # the parser requires a criterion
    bound = parity_bound(criterion)
    if bound.kind == "enclosed":
        print_note("rropt: B(h) is enclosed, not exact: value is its lower end, at which privacy holds")
    wanted = args.certificate is not None
    find = partial(infimum_certificate, criterion, bound)
    certificate = certificate_file(args, find, args.certificate, why_not=_WHY_NOT) if wanted else None
    judgement = None if args.mechanism is None else judge(args.mechanism, criterion, bound)
    told = []
    if judgement is not None:
        parity = ("parity of the mechanism", extended_text(judgement.parity, "infinite"))
        told = [PrintedResult(judgement.answer(), [parity, *judgement.lines()])]
    print_result(args, bound, *told, title=f"Criterion: {criterion}")
    if wanted and certificate is None:
        return 2
    return 1 if judgement is not None and judgement.meets is not True else 0
