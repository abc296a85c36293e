"""``rropt estimate``: from the answers of a survey to estimates, standard errors and intervals.

Estimate proportions from randomized responses: the unbiased estimate, the maximum
likelihood estimate, standard errors, and intervals with their guarantees.

example: 831 yes among 2435 responses; a die forces yes on 1 and no on 6
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
two questions, each answered truthfully with probability 3/4 (for a file: answers.csv --columns q1,q2)
  rropt estimate --counts 50,30,18,2 --mechanism bits:3/4*2 --marginals 1
one question of a file; two questions in each region, with tests of the differences
  rropt estimate survey.csv --column sick --categories no,yes --mechanism warner:3/4
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --by region
each respondent has a device, named in a column of the file
  rropt estimate survey.csv --columns q1,q2 --devices device --certificate proof.json
a complex survey with weights and sampled districts (see also --strata, --fpc and --post-strata)
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --weights w --clusters district
comparison with a direct question: 300 yes among 2000 respondents
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --direct-yes 300 --direct-n 2000
counts from many machines (rropt count, rropt count --add): the categories above a proportion
  rropt estimate all.json --exceeding 1/100
710 of 10777 students, an unrelated question with the known proportion 1/12 of yes
  rropt estimate --yes 328 --n 710 --mechanism unrelated:1/2,1/12 --population 10777
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import call_library, categories_of, columns_of, count_request, read_counts, read_data, refuse
from rropt.cli.declared import declare, devices_of
from rropt.cli.output import print_note, print_result, print_table, record_mechanisms
from rropt.cli.pending import certificate_file
from rropt.core.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.core.certificates import Certificate
    from rropt.survey import Answers, QuestionsEstimate
    from rropt.survey.tables.counting import Reading

OPTIONS = """
data [DATA]...            file with one row for each respondent: CSV, JSON, Parquet, Feather, Excel (.xlsx), DuckDB or
    SQLite, also compressed (.gz, .zst, .zip); several files with the same columns, or a folder of them; - reads
    standard input. Use --column for one question, --columns for the joint distribution of several questions, and --by
    for each question in each group. Or the name of a question that survey.toml declares (rropt survey)
--survey FILE             declaration of the survey (default: survey.toml, if DATA is the name of a question)
DATA
ANSWERS
--by A,B,.. with DATA     columns that define groups: estimate each question in each group, and test the differences
--devices COLUMN with DATA  column with the mechanism of each respondent, instead of --mechanism, for example
    "bits:crosswise:1/4,crosswise:3/4"
--device-file FILE with --devices  JSON file that defines the names in --devices: {"A": "warner:3/4", "B": {"matrix":
    [...]}}
--engine NAME with DATA   library that reads and counts DATA: duckdb (the default); for Parquet and plain CSV also
    polars, or pyspark, which also accepts addresses and folders of a cluster
--weights COLUMN with DATA  column of the sampling weights of a complex survey; proportions are Hajek
    estimates, totals are weighted sums
--strata COLUMN with DATA  column of the strata
--clusters COLUMN with DATA  column of the clusters (primary sampling units), numbered within strata
--fpc N[,M] with DATA     finite population correction, columns or numbers: the number of clusters (or rows) in each
    stratum, or the sampling fraction (at most 1); then the same for the rows within each cluster
--post-strata A,B,.. with DATA  columns that define post-strata: the weights were calibrated to the known totals of
    their cells
--single-psu RULE = refuse    treatment of a stratum with a single PSU in variances: certainty, average or adjust
--all-intervals           show the intervals of every kind, not only the recommended one
--marginals K:1..         estimate all tables of K questions instead of the joint table
--exceeding THETA         for a file of counts: list the categories whose proportion exceeds THETA; the familywise error
    rate is one minus the confidence level
--likelihood              for a file of counts: also print the maximum likelihood estimate (it does not exist for counts
    of memberships)
--certificate >FILE       for several questions: write the certificate of the maximum likelihood distribution to FILE
--yes
--n
--counts
--mechanism
--confidence
--population N:1..        size N of the finite population. The respondents are a simple random sample without
    replacement, or a census; the variances of sampling and of the device are shown separately
--direct-yes Y:0..        for one yes/no question: number of yes among respondents who were asked directly; prints the
    difference, its test, and the design effect of the device
--direct-n N:1.. with --direct-yes  number of respondents who were asked directly
--direct-column NAME with --column  column with the direct responses of other respondents, instead of --direct-yes and
    --direct-n
--cards-without-replacement with --population  for christofides: the cards were dealt from one deck, without replacement
--contrast
--reference P1,..,PK      for mechanisms with more outputs than categories: the distribution at which the unbiased
    estimator has minimum variance (default: uniform)
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Compute the requested estimate and print it."""
    from rropt.survey.aggregates import is_counts
    from rropt.survey.tables.devices import require_one_device

    declare(args)
    read_data(args)
    if is_counts(args.data):
        return _of_counts(args)
    if args.exceeding is not None or args.likelihood:
        raise InvalidParameterError(
            "--exceeding and --likelihood go with a file of counts; give what rropt count wrote"
        )
    require_one_device(args.mechanism, args.devices)
    is_complex = (args.weights, args.strata, args.clusters, args.fpc, args.post_strata) != (None,) * 5
    is_complex |= args.single_psu != "refuse"
    if (args.devices is not None or args.by is not None or is_complex) and not columns_of(args):
        raise InvalidParameterError(
            "--devices, --by and the options of complex surveys are names of columns: received one without --column or "
            "--columns; give the columns of the questions"
        )
    if args.population is not None:
        _finite(args)
    elif args.by is not None or is_complex or _counted_otherwise(args):
        _groups(args, is_complex)
    elif args.column is None and (args.data, args.marginals, args.certificate) != (None, None, None):
        _estimate_several(args)
    else:
        _one(args)
    return 0


def _of_counts(args: argparse.Namespace) -> int:
    """Estimate from a file of counts."""
    from rropt.survey.aggregates import AggregatedCounts, estimate_counts, heavy_hitters

    refuse(
        args, "a file of counts contains its mechanism", "mechanism", "counts", "yes", "n", "column", "columns", "by"
    )
    refuse(args, "a file of counts is not weighted", "weights", "strata", "clusters", "fpc", "post_strata", "devices")
    counts = AggregatedCounts.load(args.data)
    if args.mechanism is not None:
        raise InvalidParameterError("a file of counts contains its mechanism: received --mechanism too; leave it out")
    found = estimate_counts(counts, confidence=args.confidence, likelihood=args.likelihood)
    more = []
    if args.exceeding is not None:
        more = [heavy_hitters(counts, args.exceeding, level=1 - Fraction(args.confidence))]
    print_result(args, found, *more, title="Estimate from counts")
    return 0


def _counted_otherwise(args: argparse.Namespace) -> bool:
    """Return whether responses to one question need other counts: by device, or as subsets of the categories."""
    from rropt.mechanisms.subsets import Subsets

    if args.devices is not None or args.data is None or Subsets.of(args.mechanism) is None:
        return args.devices is not None and args.column is not None
    if not columns_of(args):
        raise InvalidParameterError(
            "a response is a subset of the categories: received DATA without the name of its column; give --column"
        )
    return True


def _print_estimate(
    args: argparse.Namespace, found: Any, reading: Reading | None, title: str, *, direct: Any = None
) -> None:
    """Print an estimate, the report on the input, and the comparison with the direct question."""
    beside = {} if reading is None else {"read": reading.to_dict()}
    if direct is not None:
        beside["direct"] = direct.to_dict()
    print_result(args, found, title=title, **beside)
    if direct is not None and not args.json:
        for name, header, rows in direct.as_tables():
            print_table(rows, title=name, header=header)
    if reading is not None and not args.json:
        print_note(f"rropt: read {reading.text()}")
        for remark in reading.remarks:
            print_note(f"remark: {remark}")


def _one(args: argparse.Namespace) -> None:
    """Estimate the proportions of one question."""
    from rropt.survey import estimate, survey_estimate
    from rropt.survey.tables import read_answers
    from rropt.survey.tables.counting import labelled_by

    reading: Reading | None = None
    if args.column is None:
        counts = read_counts(args, args.mechanism)
    else:
        refuse(args, "one column of DATA has the answers", "counts", "yes", "n", "marginals", "certificate")
        asked = count_request(args, 1)
        answers, reading = call_library(read_answers, args, asked=asked)
        counts = tuple(answers[0].histogram().tolist())
        args.mechanism = labelled_by(args.mechanism, asked.categories_of(0))
    found = call_library(survey_estimate, args, found=call_library(estimate, args, counts=counts, yes=None, n=None))
    direct = _compare_with_direct(args, counts)
    _print_estimate(
        args, found, reading, "Estimate from randomized responses", **({} if direct is None else {"direct": direct})
    )


def _compare_with_direct(args: argparse.Namespace, counts: tuple[int, ...]) -> Any:
    """Return the comparison with respondents who were asked directly, or ``None`` if there are none."""
    yes, n = args.direct_yes, args.direct_n
    if (yes, n, args.direct_column) == (None, None, None):
        return None
    from rropt.survey import compare_with_direct
    from rropt.survey.comparisons.direct_questions import direct_question
    from rropt.survey.tables import read_answers

    if args.direct_column is not None:
        if yes is not None:
            raise InvalidParameterError("the direct answers are given twice: leave --direct-yes or --direct-column out")
        asked = replace(count_request(args, 1), columns=(args.direct_column,), devices=None)
        answers, _ = call_library(read_answers, args, asked=asked, mechanism=direct_question())
        _, yes = answers[0].histogram().tolist()
        n = sum(answers[0].histogram().tolist())
    if (yes is None) != (n is None):
        raise InvalidParameterError("the direct answers are not complete: give --direct-yes Y with --direct-n N")
    return call_library(compare_with_direct, args, counts=counts, direct_yes=yes, direct_n=n)


def _finite(args: argparse.Namespace) -> None:
    """Estimate a proportion in a finite population, with the two parts of its variance."""
    from rropt.survey import estimate_finite

    refuse(
        args,
        "--population is about one trait, with --counts, or --yes and --n",
        *("data", "marginals", "contrast", "reference", "certificate", "devices"),
    )
    found = call_library(estimate_finite, args, counts=list(read_counts(args, args.mechanism)))
    print_result(args, found, title="Estimate in a finite population")


def _groups(args: argparse.Namespace, is_complex: bool) -> None:
    """Estimate each question in each group."""
    from rropt.survey.tables import estimate_table

    others = ["counts", "yes", "n", "contrast", "certificate", *["marginals"] * (not is_complex)]
    refuse(args, "questions are estimated one by one with --by, --column or a complex survey", *others)
    more = {"columns": columns_of(args), "device_names": devices_of(args), "categories": categories_of(args)}
    print_result(args, call_library(estimate_table, args, **more))


def _estimate_several(args: argparse.Namespace) -> None:
    """Estimate the joint distribution of several questions, or all marginals of some order."""
    from rropt.survey import estimate_questions

    refuse(args, "contrast and reference belong to one question", "contrast", "reference")
    if (args.data is None) == (args.counts is None) or args.yes is not None or args.n is not None:
        raise InvalidParameterError(
            "the responses are not given exactly once: give DATA, one column for each question, or --counts C0,..,Cm, "
            "and not both"
        )
    answers, reading = _answers(args)
    found = call_library(estimate_questions, args, answers=answers)
    if args.certificate is not None:
        _certify(args, found)
    if args.devices is not None:
        record_mechanisms([one.mechanism for one in answers])
    _print_estimate(args, found, reading, "Estimates of several questions from randomized responses")


def _answers(args: argparse.Namespace) -> tuple[list[Answers], Reading | None]:
    """Return the responses by mechanism; without ``--mechanism`` each row names its device."""
    from rropt.mechanisms.questions import product_of
    from rropt.survey import answers_of_counts
    from rropt.survey.tables import read_answers

    product = None if args.mechanism is None else product_of(args.mechanism)
    if args.data is None:
        assert product is not None  # the parser requires DATA with --devices
        return [answers_of_counts(product, args.counts)], None
    asked = count_request(args, None if product is None else len(product.factors))
    devices = devices_of(args)
    found: tuple[list[Answers], Reading] = call_library(
        read_answers, args, asked=asked, mechanism=product, device_names=devices
    )
    return found


def _certify(args: argparse.Namespace, found: QuestionsEstimate) -> None:
    from rropt.survey.estimates.certificate import certify_estimate
    from rropt.survey.questions.joint_likelihood import QUOTIENT_BITS

    joint = found.joint
    if joint is None:
        args.pending.leave_out(
            args.certificate,
            "there is no most likely distribution to certify: the cells are too many; name fewer questions with "
            "--columns",
        )
        return

    def make() -> Certificate:
        made = certify_estimate(joint.groups, joint.population, joint.likelihood_gap, QUOTIENT_BITS)
        return made.require_accepted()

    certificate_file(args, make, args.certificate, "")
