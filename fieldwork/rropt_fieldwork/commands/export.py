"""``rropt export``: a client that draws from a mechanism, as one short file without dependencies."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import mechanism
from rropt.cli.command import Command, Option
from rropt.cli.pending import OutputFile, give_text

COMMAND = Command(
    """\
Write a client of a mechanism in C, JavaScript or Python: the exact sampler with the
cryptographic randomness of the platform, the identity of the mechanism, test vectors at the
thresholds of every draw, and the collector's estimate with its standard error. The file is
also a program: "test" checks the vectors, "draw X N" prints N reports of category X.

MECHANISM is a matrix of at most 4096 entries, k-ary randomized response, a block design of
"rropt design kary --outputs 2^B" (affine, projective, cyclic), local hashing (olh), subset
selection (subset), a unary encoding (oue, sue), or a restricted response, the design with the
largest trace. A client of a design of "rropt design mean" takes a number and reports a number;
it rounds as "rropt randomize" does. Samplers are not constant-time.""",
    epilog="""\
examples:
  rropt export warner:3/4 c --output client.c
  rropt export mechanism.json javascript --output client.mjs
  rropt export pgr:1000000,3 python --output client.py
  rropt export oue:1000,3 c --output client.c""",
    arguments=(
        Option("mechanism", "MECHANISM", help="a file or a named design", type=mechanism),
        options.TRANSPOSED,
        Option(
            "language",
            "LANGUAGE",
            help="language of the client: c, javascript or python",
            choices=("c", "javascript", "python"),
        ),
        Option("--output", "FILE", help="write the client to FILE (default: standard output)", type=OutputFile),
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Write the client program."""
    from rropt_fieldwork.clients import export

    client = export(args.mechanism, args.language)
    give_text(args, client, client.source, "client", "Client")
    return 0
