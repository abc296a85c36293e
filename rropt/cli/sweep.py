"""``rropt sweep``: optimal designs at every combination of parameters, as a table with the hashes of certificates."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import whole_number
from rropt.cli.command import Command, Option
from rropt.cli.output import print_note, print_result, progress_bar
from rropt.cli.pending import InputFile, OutputFile, OutputFolder
from rropt.core.visible import with_noun

_MOST_JOBS = 4096

COMMAND = Command(
    """\
Solve a design problem at every combination of parameters. The table has a row for each
combination: the parameters, the optimum with its bounds (exact, and as decimals), the
mechanism, the SHA-256 of the certificate's file, and a remark, which gives the reason if
there is no design.

To resume a run that was interrupted or killed, repeat the command: FILE.unfinished contains
the finished rows until the table is written. The table does not depend on the number of
processes or on interruptions.""",
    epilog="""\
example:
  rropt sweep sweep.toml --output designs.parquet --certificate proofs
sweep.toml:
  problem = "binary"
  [grid]
  epsilon = ["log(2)", "log(3)"]
  delta = [0, 0.1]
  prevalence = ["1/10", "1/4"]
problem = "kary": categories or population, objective (trace, loss, a-optimal), weights,
loss, distance, delta; gamma, renyi, zcdp or gdp instead of epsilon; a parameter has one value
or a list. With epsilon = "all" or "1/2..3" the value is the formula of every piece.
JSON: {"problem": .., "grid": {..}}""",
    arguments=(
        Option("specification", "SPEC", help="the grid: a TOML or JSON file", type=InputFile),
        Option(
            "--output",
            "FILE",
            help="write the table to FILE: Parquet if its name ends in .parquet or .pq, otherwise CSV",
            type=OutputFile,
            required=True,
        ),
        Option("--certificate", "DIR", help="write each certificate to DIR, named by its SHA-256", type=OutputFolder),
        Option(
            "--jobs",
            "N|ADDRESS",
            help=(
                "number of processes on this machine; or the address of a Dask scheduler, whose workers solve; "
                "local:N is a scheduler with N workers on this machine"
            ),
            default="1",
        ),
        options.FAST,
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Solve the problems, write the table, and print a summary."""
    from rropt.core.files import Target
    from rropt.designs.sweep_files import UNFINISHED, read_specification, sweep_to_file
    from rropt.designs.sweeps import workers

    if Target.of(args.output).is_file:
        args.pending.expect(f"{args.output}{UNFINISHED}")  # where the finished rows are
    specification = read_specification(args.specification)
    args.spelled["cluster"] = "--jobs"
    with workers(*_workers(args.jobs)) as jobs, progress_bar("solving") as advance:
        table = sweep_to_file(
            specification,
            args.output,
            certificates=args.certificate,
            jobs=jobs,
            progress=advance,
            fast=args.fast,
        )
    args.pending.is_written(args.output)
    print_result(args, table, title="Sweep")
    print_note(f"rropt: table written to {args.output}")
    if args.certificate is not None and table.unproved:
        print_note(
            f"rropt: {with_noun(table.unproved, 'certificate was', 'certificates were')} not written to "
            f"{args.certificate}; see the remarks"
        )
        return 2
    return 0


def _workers(text: str) -> tuple[int, str, str | None]:
    """Return the number of workers, what they are, and the address of their scheduler."""
    if text.isdecimal():
        return whole_number(text, "--jobs", 1, _MOST_JOBS), "processes", None
    name, mark, number = text.partition(":")
    if name == "local":
        return whole_number(number, "--jobs local", 1, _MOST_JOBS) if mark else 1, "dask", None
    return 1, "dask", text
