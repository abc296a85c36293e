"""``rropt read``: what a file is read as, and the same table as plain CSV."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli import options
from rropt.cli.arguments import names
from rropt.cli.command import Command, Option
from rropt.cli.output import print_result
from rropt.cli.pending import InputFile, OutputFile
from rropt_fieldwork.commands.table_reader import read_data, reading, table_of

COMMAND = Command(
    """\
Read a file as other commands read it, and list its columns: the type of the values, how many of
them are different, how many are missing, and the values if they are few. Every command that takes
DATA takes the options of reading on this page. Try them here first. --output writes what was read as
plain CSV: UTF-8, commas, a header, decimal points.""",
    epilog="""\
examples:
  rropt read answers.xlsx --sheet 2
  rropt read answers.csv --recode "age: 0..17, 18..39, 40.." --where "region != 'X'"
  rropt read answers.sav --columns sick,age --output plain.csv""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "file with one row for each respondent: CSV, JSON, Parquet, Feather, Excel (.xlsx), Stata, SPSS, "
                "DuckDB or SQLite, also compressed (.gz, .zst, .zip); several files with the same columns, or a "
                "folder of them; - reads standard input"
            ),
            nargs="+",
            type=InputFile,
        ),
        replace(options.GLOB, is_reading=False),
        *reading(goes_with="", is_own=True),
        Option("--columns", "A,B,..", help="the columns, in this order (default: all)", type=names),
        Option("--output", "FILE", help="write the rows and columns to FILE as plain CSV", type=OutputFile),
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """List the columns of a table, and write the table as plain CSV."""
    from rropt_fieldwork.declaration.listed_tables import list_columns, plain_csv

    read_data(args)
    table = table_of(args)
    found = list_columns(table, args.columns or ())
    if args.output is not None:
        args.pending.put(args.output, plain_csv(table, args.columns or ()), "table")
    print_result(args, found, title="The data")
    return 0
