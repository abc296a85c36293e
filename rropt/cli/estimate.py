"""``rropt estimate``: from the answers of a survey to estimates, standard errors and intervals.

Estimates from randomized answers: the unbiased one and the most likely one inside
[0, 1] (or the simplex), standard errors, and intervals with their guarantees.

example: 831 yes among 2435 answers, a die that forced yes on 1 and no on 6
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
several questions, each told as it is with chance 3/4; of rows: answers.csv --columns q1,q2 instead of --counts
  rropt estimate --counts 50,30,18,2 --mechanism bits:3/4*2 --marginals 1
one question of a file, its answers written out; each question in each region, with tests
  rropt estimate survey.csv --column sick --categories no,yes --mechanism warner:3/4
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --by region
respondents with devices of their own, named in a column of the file
  rropt estimate survey.csv --columns q1,q2 --devices device --certificate proof.json
a complex survey: weights, and districts of which some were drawn; --strata, --fpc, --post-strata beside them
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --weights w --clusters district
710 of 10777 students, an unrelated question with the known share 1/12 of yes:
  rropt estimate --yes 328 --n 710 --mechanism unrelated:1/2,1/12 --population 10777
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rropt.cli.answer_files import (
    note_read,
    print_groups,
    read_one,
    read_record,
    require_answers,
    sampling_of,
)
from rropt.cli.arguments import read_counts, read_mechanism
from rropt.cli.options import declare
from rropt.cli.output import print_result
from rropt.errors import InvalidParameterError
from rropt.exact.written import listed

if TYPE_CHECKING:
    from rropt.estimation import Estimate
    from rropt.mechanisms import Mechanism


_OPTIONS = """
data [DATA]               a file with one row for each respondent: CSV, Parquet, Feather or Excel (.xlsx); - is CSV on
    stdin. With --column one question, with --columns several together, or with --by each of them in each group
ANSWERS
--exclude-missing         leave respondents without an answer out, and say how many
--by A,B,..               columns of groups: each question in each group, with tests of the differences
--devices COLUMN          in the place of --mechanism: the column of DATA that names the mechanism of each respondent,
    such as "bits:crosswise:1/4,crosswise:3/4"
--device-file FILE        JSON with what the names in --devices stand for: {"A": "warner:3/4", "B": {"matrix": [...]}}
--engine NAME             what reads and counts DATA: duckdb (the default), or, of Parquet and plain CSV, polars, or
    pyspark, whose cluster takes addresses and folders too (docs/answers.md)
--weights COLUMN          of a complex survey (docs/answers.md): the weights; shares by Hajek, totals weighted
--strata COLUMN           its strata
--clusters COLUMN         its clusters, numbered within strata
--fpc N[,M]               its finite populations, columns or numbers: how many clusters (or rows) each stratum has, or
    which part of them was drawn, at most 1; after it the same of the rows within each cluster
--post-strata A,B,..      columns to whose cells' known totals the weights were adjusted
--lonely RULE = refuse    what a stratum with one cluster adds to variances: certainty, average or adjust
--marginals K             all tables of K questions in the place of the joint one
--certificate >FILE       of several questions: write the certificate of the most likely distribution
--yes
--n
--counts
--mechanism
--confidence
--population N            the answers about one trait are from a simple random sample without replacement of a
    population of N, or from all of it: the variance of sampling and of the device apart
--dealt                   with --population: christofides with a deck of cards that was dealt
--contrast
--reference P1,..,PK      with more answers than categories: the population at which the unbiased estimator has least
    variance (default: uniform)
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Estimate and print."""
    from rropt.estimation import survey_estimate

    require_answers(args)
    if args.population is not None:
        return _finite(args)
    if args.dealt:
        raise InvalidParameterError("--dealt belongs to a finite population: received no --population; give N")
    if args.by is not None or sampling_of(args) or (args.column is not None and args.devices is not None):
        return print_groups(args)
    if args.column is None and (args.data, args.marginals, args.certificate) != (None, None, None):
        return _several(args)
    contrast = None if args.contrast is None else listed(args.contrast)
    result = survey_estimate(_estimate(args), args.confidence, contrast=contrast)
    print_result(result, title="Estimate from randomized answers", json=args.json, **read_record(args))
    if not args.json:
        note_read(args)
    return 0


def _finite(args: argparse.Namespace) -> int:
    """Estimate the share with a trait in a finite population."""
    from rropt.cli.finite_populations import estimate_population

    if (args.data, args.marginals, args.contrast, args.reference, args.certificate, args.devices) != (None,) * 6:
        raise InvalidParameterError(
            "--population is about one trait: received DATA, --marginals, --contrast, --reference, --certificate or "
            "--devices beside it; give --counts, or --yes and --n"
        )
    return estimate_population(args, list(_counts(args, read_mechanism(args.mechanism))))


def _several(args: argparse.Namespace) -> int:
    """Estimate the joint distribution of several questions."""
    from rropt.cli.joint_answers import print_joint

    if (args.data is None) == (args.counts is None) or args.yes is not None or args.n is not None:
        raise InvalidParameterError(
            "the answers are not given exactly once: give DATA, one column for each question, or --counts C0,..,Cm, "
            "and not both"
        )
    return print_joint(args, None if args.mechanism is None else read_mechanism(args.mechanism))


def _estimate(args: argparse.Namespace) -> Estimate:
    from rropt.estimation import estimate

    mechanism = read_mechanism(args.mechanism)
    counts = _counts(args, mechanism)
    return estimate(mechanism, counts, reference=listed(args.reference) if args.reference else None)


def _counts(args: argparse.Namespace, mechanism: Mechanism) -> tuple[int, ...]:
    if args.column is None:
        return read_counts(args, mechanism)
    if (args.counts, args.yes, args.n, args.marginals, args.certificate) != (None,) * 5:
        raise InvalidParameterError(
            "the answers are not given exactly once: received DATA with --column and --counts, --yes, --n, --marginals "
            "or --certificate beside it; leave these out"
        )
    return read_one(args)
