"""Write a certificate of a linear program for Lean: ``python kernels/lean CERTIFICATE --text FILE --export FILE``."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

from .certificates import BadCertificateError, declare_claim
from .library import library
from .terms import exported
from .text import printed

_STACK = 512 * 2**20  # bytes: a list of n items is a term of depth n
_TITLE = """A claim about a linear program, with its proof. Written by rropt (kernels/lean) from the certificate {name}.
To know what is proved, read up to the line "The statement ends here". The theorem `claim`, near the end, proves
`Claim`. `#print axioms Rropt.claim` names the axioms."""


def write(certificate: Path, text: Path | None, export: Path | None) -> None:
    """Write the claim of a certificate and its proof.

    Args:
        certificate: a certificate of a linear program, format ``rropt-certificate/1``.
        text: where to write the text in Lean's syntax, or None.
        export: where to write Lean's export format, or None.

    Raises:
        BadCertificateError: the file is no certificate of a linear program.
    """
    module = library()
    declare_claim(module, certificate.read_text("utf-8"))
    if text is not None:
        text.write_text(printed(module, _TITLE.format(name=certificate.name.replace("-/", ""))), "utf-8")
    if export is not None:
        export.write_text(exported(module), "utf-8")


def main(arguments: list[str]) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python kernels/lean", description=__doc__)
    parser.add_argument("certificate", type=Path)
    parser.add_argument("--text", type=Path, help="write Lean's syntax to this file")
    parser.add_argument("--export", type=Path, help="write Lean's export format (NDJSON) to this file")
    given = parser.parse_args(arguments)
    if given.text is None and given.export is None:
        parser.error("name a file to write: --text FILE or --export FILE")
    sys.set_int_max_str_digits(0)  # the format allows longer numbers than Python reads without this
    try:
        write(given.certificate, given.text, given.export)
    except (BadCertificateError, OSError, UnicodeDecodeError, RecursionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def run(arguments: list[str]) -> int:
    """Run the command in a thread with a stack for deep terms; return its exit status."""
    status = [1]

    def work() -> None:
        status[0] = main(arguments)

    threading.stack_size(_STACK)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return status[0]
