"""``rropt sweep``: grids of design problems, from a specification to a table with the hashes of certificates."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from rropt.cli.arguments import add_json, whole_number
from rropt.cli.output import note, print_result, progress_bar
from rropt.cli.pending import OutputFile, OutputFolder
from rropt.errors import InvalidParameterError, MissingExtraError, shown

_MOST_JOBS = 4096
_IDLE = 20  # seconds after which processes end that a killed run has left

_DESCRIPTION = """\
Solve a design problem at every combination of parameters. The table has a row for each:
the parameters, the optimum with its bounds (exact, and as decimals), the mechanism, the
SHA-256 of the certificate's file, and a remark, which says why where there is no design.
A run that was interrupted or killed is gone on with by the same call: FILE.unfinished
holds what is finished until the table is written. The table does not depend on how many
processes work, nor on interruptions."""

_EPILOG = """\
example:
  rropt sweep sweep.toml --output designs.parquet --certificates proofs
sweep.toml:
  problem = "binary"
  [grid]
  epsilon = ["log(2)", "log(3)"]
  delta = [0, 0.1]
  prevalence = ["1/10", "1/4"]
problem = "kary": categories or population, objective (trace, loss, a-optimal), weights,
loss, distance, delta; gamma in the place of epsilon; a parameter has one value or a list.
JSON: {"problem": .., "grid": {..}}"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument("specification", metavar="SPEC", help="the grid: TOML, or JSON")
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=OutputFile,
        required=True,
        help="the table: Parquet where its name ends in .parquet, otherwise CSV",
    )
    parser.add_argument(
        "--certificates", metavar="FOLDER", type=OutputFolder, help="write each certificate, named by its SHA-256"
    )
    parser.add_argument("--jobs", metavar="N", default="1", help="processes that solve (default: 1)")
    parser.add_argument(
        "--backend",
        choices=("processes", "dask"),
        default="processes",
        help="where they are: on this machine, by joblib (default), or workers of a Dask cluster",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="with --backend dask: of its scheduler (default: a cluster of N workers here)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve, write, and say how many there were."""
    from rropt.solvers.sweep_files import read_specification, sweep_to_file

    jobs = whole_number(args.jobs, "--jobs", 1, _MOST_JOBS)
    if args.cluster is not None and args.backend != "dask":
        raise InvalidParameterError(
            "--cluster is Dask's: received it without --backend dask; add that, or leave it out"
        )
    specification = read_specification(args.specification)
    with _workers(args, jobs) as n_jobs, progress_bar("solving") as advance:
        table = sweep_to_file(specification, args.output, certificates=args.certificates, jobs=n_jobs, progress=advance)
    print_result(table, title="Sweep", json=args.json)
    note(f"rropt: table written to {args.output}")
    return 0


@contextmanager
def _workers(args: argparse.Namespace, jobs: int) -> Iterator[int]:
    """Give how many jobs joblib is to ask for, while its backend is the one of the arguments."""
    import joblib

    if args.backend == "processes":
        with joblib.parallel_config("loky", idle_worker_timeout=_IDLE):
            yield jobs
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError(
            "Dask is not installed: received --backend dask; pip install 'rropt[dask]', or leave --backend out"
        ) from None
    try:
        local = (
            LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) if args.cluster is None else None
        )
        client = Client(args.cluster if local is None else local)
    except (OSError, ValueError) as error:
        raise InvalidParameterError(
            f"--cluster is no scheduler: received {shown(args.cluster)}: {shown(str(error))}; give its address, as "
            "tcp://host:8786"
        ) from None
    with local or nullcontext(), client, joblib.parallel_config("dask"):
        yield -1
