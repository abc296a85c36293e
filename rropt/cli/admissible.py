"""``rropt admissible``: is a mechanism admissible at a privacy level, and if not, what is strictly better?

Decide whether a mechanism is admissible: no mechanism at the same privacy level is
strictly more informative. It is admissible if and only if, after proportional rows are
merged, every row has parity exactly gamma (C1) and exactly two distinct values (C2). If
not, the command prints the reason for each row, and an admissible mechanism that is
strictly better, with the randomization C that leads back (mechanism = C better).

Without a level the mechanism's own parity is used. With a criterion the level is B(h)
itself. If B(h) is irrational, no rational matrix is admissible, and the better mechanism
is at a level between the parity and B(h). Exit status 1: inadmissible; 2: bad input, or
the result is printed and its certificate could not be written.

examples:
  rropt admissible forced:2/3,1/6,1/6
  rropt admissible warner:3/4 --rho 1/5 1/2
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli.arguments import read_criterion_level, read_level
from rropt.cli.output import print_result
from rropt.cli.pending import certificate_file, second_path

_SECOND = "-refutation"  # suffix in the file name of the second half of a certificate

OPTIONS = """
mechanism
LEVEL
--certificate
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Decide, print, and write the certificate; status 1 if the mechanism is inadmissible."""
    from rropt.designs.orders.admissibility import admissible, admissible_under

    level = read_criterion_level(args)
    if level is None:
        read_level(args)
        answer = admissible(args.mechanism, args.epsilon)
    else:  # the decision is made at B(h) itself
        answer = admissible_under(args.mechanism, level)
        args.criterion = replace(level, epsilon=answer.level)
    second = second_path(args.certificate, _SECOND) if args.certificate and answer.has_halves else None
    if second is not None:
        args.pending.expect(second)
    certificate = certificate_file(args, answer.certificate, args.certificate)
    refutation = certificate_file(args, answer.refutation, second, "second half of it") if answer.has_halves else None
    proofs = {"certificate": certificate and certificate.to_dict(), "refutation": refutation and refutation.to_dict()}
    below = certificate and f"certificate {certificate.check()}"
    print_result(args, answer, title="Admissibility", mechanism=answer.mechanism, below=below, **proofs)
    if args.certificate is not None and certificate is None:
        return 2  # the requested file does not exist
    return 0 if answer.admissible else 1
