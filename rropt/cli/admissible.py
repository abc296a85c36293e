"""``rropt admissible``: is a mechanism admissible at a privacy level, and if not, what is strictly better?

Is no mechanism at the same privacy level strictly more informative? Yes iff every row
has parity exactly gamma (C1) and exactly two distinct values (C2), after proportional
rows are merged. If not: the reasons row by row, and an admissible mechanism that is
strictly better, with the randomization C that leads back (mechanism = C better).
Without a level: the mechanism's own parity. With a criterion it is decided at B(h) itself:
where that is irrational no rational matrix is admissible, and the better one is at a
level between the parity and B(h). Exit status 1: inadmissible; 2: bad input, or the
answer is printed and no certificate of it could be written.

examples:
  rropt admissible forced:2/3,1/6,1/6
  rropt admissible warner:3/4 --rho 1/5 1/2
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rropt.cli.arguments import (
    criterion_record,
    criterion_rows,
    read_criterion_level,
    read_epsilon,
    read_mechanism,
    say_rounding,
)
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_table, print_text, second_path

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.orders import Admissibility


_SECOND = "-refutation"  # in the name of the second half of a certificate


_OPTIONS = """
mechanism
LEVEL
--certificate
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Decide, print, and write the certificate; status 1 if the mechanism is inadmissible."""
    answer = _answer(args)
    if args.certificate is not None and _has_halves(answer):
        args.pending.expect(second_path(args.certificate, _SECOND))
    certificate, refutation = _certificates(answer, args.certificate)
    if args.certificate is not None and certificate:
        args.pending.put(args.certificate, certificate.file_text, "certificate")
        if refutation:
            args.pending.put(second_path(args.certificate, _SECOND), refutation.file_text, "second half of it")
    if args.json:
        proofs = {
            "certificate": certificate and certificate.to_dict(),
            "refutation": refutation and refutation.to_dict(),
        }
        print_json({**answer.to_dict(), **proofs, **criterion_record(args, answer.level)})
    else:
        _print(answer, certificate, criterion_rows(args))
    if args.certificate is not None and certificate is None:
        return 2  # the file that was asked for does not exist
    return 0 if answer.admissible else 1


def _answer(args: argparse.Namespace) -> Admissibility:
    from rropt.orders.admissibility import admissible, admissible_under

    mechanism, level = read_mechanism(args.mechanism), read_criterion_level(args)
    if level is None:
        return admissible(mechanism, read_epsilon(args))
    answer = admissible_under(mechanism, level)
    say_rounding(level)
    return answer


def _certificates(answer: Admissibility, path: str | None) -> tuple[Certificate | None, Certificate | None]:
    """Return the certificate, and the second half that only an uninformative mechanism needs."""
    from rropt.errors import CertificateError

    try:
        return answer.certificate(), answer.refutation() if _has_halves(answer) else None
    except CertificateError as error:
        note(f"rropt: {f'{path} not written' if path else 'no certificate'}: {error}")
        return None, None


def _has_halves(answer: Admissibility) -> bool:
    """Return whether the proof is in two certificates: of an uninformative mechanism only."""
    return answer.merged.mechanism.outputs == 1


def _print(answer: Admissibility, certificate: Certificate | None, criterion: list[tuple[str, str]]) -> None:
    from rropt.mechanisms.decimals import plain_text

    print_text(str(answer.mechanism))
    print_table([*answer.lines(), *criterion], title="Admissibility")
    if answer.domination is not None and answer.kernel is not None:
        print_text(plain_text("strictly better, and admissible (rows are answers)", answer.domination.mechanism.matrix))
        print_text(plain_text("C: mechanism = C better", answer.kernel.matrix))
    if certificate is not None:
        print_text(f"certificate {certificate.check()}")
