"""``rropt estimate``: from the answers of a survey to estimates, standard errors and intervals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli.answer_files import (
    add_answers,
    add_groups,
    note_read,
    print_groups,
    read_one,
    read_record,
    require_answers,
)
from rropt.cli.arguments import add_json, add_mechanism, read_mechanism, whole_number
from rropt.cli.output import OutputFile, note, print_json, print_table
from rropt.errors import InvalidParameterError
from rropt.exact.written import listed

if TYPE_CHECKING:
    from fractions import Fraction

    from rropt.estimation import Estimate, Interval
    from rropt.mechanisms import Mechanism

# what the key `covariance` holds, for whoever reads the JSON alone
COVARIANCE_OF = (
    "the unbiased estimate of all categories, A (diag(l) - l l^T) A^T / n, plug-in: l = shares of the answers in the "
    "place of their probabilities"
)

_DESCRIPTION = """\
Estimates from randomized answers: the unbiased one and the most likely one inside
[0, 1] (or the simplex), standard errors, and intervals with their guarantees."""

_EPILOG = """\
example: 831 yes among 2435 answers, a die that forced yes on 1 and no on 6
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
several questions, each told as it is with chance 3/4; of rows: answers.csv --columns q1,q2 instead of --counts
  rropt estimate --counts 50,30,18,2 --mechanism bits:3/4*2 --marginals 1
one question of a file, its answers written out; each question in each region, with tests
  rropt estimate survey.csv --column sick --categories no,yes --mechanism warner:3/4
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --by region
respondents with devices of their own, named in a column of the file
  rropt estimate survey.csv --columns q1,q2 --devices device --certificate proof.json
710 of 10777 students, an unrelated question with the known share 1/12 of yes:
  rropt estimate --yes 328 --n 710 --mechanism unrelated:1/2,1/12 --population 10777"""


def add(estimate: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    estimate.description, estimate.epilog = _DESCRIPTION, _EPILOG
    estimate.add_argument(
        "data",
        metavar="DATA",
        nargs="?",
        help="a file with one row for each respondent: CSV, Parquet, Feather or Excel (.xlsx); - is CSV on stdin. With "
        "--column one question, with --columns several together, or with --by each of them in each group",
    )
    add_answers(estimate)
    add_groups(estimate)
    estimate.add_argument("--marginals", metavar="K", help="all tables of K questions in the place of the joint one")
    estimate.add_argument(
        "--certificate",
        metavar="FILE",
        type=OutputFile,
        help="of several questions: write the certificate of the most likely distribution",
    )
    estimate.add_argument("--yes", metavar="Y", help="number of answers 1, of a mechanism with two answers")
    estimate.add_argument("--n", metavar="N", help="number of answers, beside --yes")
    estimate.add_argument("--counts", metavar="C0,..,Cm", help="how often each answer was given, zeros included")
    add_mechanism(estimate, "--mechanism")
    estimate.add_argument("--confidence", metavar="C", default="0.95", help="of the intervals (default: 0.95)")
    estimate.add_argument(
        "--population",
        metavar="N",
        help="the answers about one trait are from a simple random sample without replacement of a population of N, or "
        "from all of it: the variance of sampling and of the device apart",
    )
    estimate.add_argument(
        "--dealt", action="store_true", help="with --population: christofides with a deck of cards that was dealt"
    )
    estimate.add_argument("--contrast", metavar="C1,..,CK", help="also estimate this linear functional of the shares")
    estimate.add_argument(
        "--reference",
        metavar="P1,..,PK",
        help="with more answers than categories: the population at which the unbiased estimator has least variance "
        "(default: uniform)",
    )
    add_json(estimate)
    estimate.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Estimate and print."""
    from rropt.estimation import confidence_intervals, exact_contrast, unit

    require_answers(args)
    if args.population is not None:
        return _finite(args)
    if args.dealt:
        raise InvalidParameterError("--dealt belongs to a finite population: received no --population; give N")
    if args.by is not None or (args.column is not None and args.devices is not None):
        return print_groups(args)
    if args.column is None and (args.data, args.marginals, args.certificate) != (None, None, None):
        return _several(args)
    result = _estimate(args)
    k = result.mechanism.inputs
    rows = [(name, unit(j, k)) for j, name in enumerate(_names(k)) if name]
    contrast = None
    if args.contrast is not None:
        contrast = exact_contrast(listed(args.contrast), k)
        rows.append((f"contrast {args.contrast}", contrast))
    ends = [confidence_intervals(result, args.confidence, contrast=c) for _, c in rows]
    remarks = [*result.remarks(), *_emptied(rows, ends)]
    if args.json:
        print_json(_record(result, ends, contrast) | {"remarks": remarks} | read_record(args))
        return 0
    for title, table in _tables(result, rows, ends):
        print_table(table, title=title)
    note_read(args)
    for remark in remarks:
        note(f"remark: {remark}")
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


def _names(k: int) -> list[str]:
    """Return what is estimated, per category; of two categories only Pr(X = 1)."""
    return ["", "prevalence"] if k == 2 else [f"category {j}" for j in range(k)]


def _estimate(args: argparse.Namespace) -> Estimate:
    from rropt.estimation import estimate

    mechanism = read_mechanism(args.mechanism)
    counts = _counts(args, mechanism)
    return estimate(mechanism, counts, reference=listed(args.reference) if args.reference else None)


def _counts(args: argparse.Namespace, mechanism: Mechanism) -> tuple[int, ...]:
    from rropt.estimation.counts import binary_counts

    if args.column is not None and (args.counts, args.yes, args.n, args.marginals, args.certificate) == (None,) * 5:
        return read_one(args)
    if args.column is not None or (args.counts is None) == (args.yes is None) or (args.yes is None) != (args.n is None):
        raise InvalidParameterError(
            "the answers are not given exactly once: give --yes Y with --n N, or --counts C0,..,Cm, or DATA with "
            "--column NAME, and nothing beside it"
        )
    if args.counts is None:
        return binary_counts(mechanism, whole_number(args.yes, "yes", 0), whole_number(args.n, "n", 1))
    return tuple(whole_number(text, f"counts[{i}]", 0) for i, text in enumerate(args.counts.split(",")))


def _record(result: Estimate, ends: list[dict[str, Interval]], contrast: tuple[Fraction, ...] | None) -> dict[str, Any]:
    """Return the JSON object: scalars for two categories (Pr(X = 1)), lists otherwise."""
    from rropt.exact import as_text
    from rropt.exact.numbers import finite_float, square_root

    binary = result.mechanism.inputs == 2
    shares = [as_text(share) for share in result.estimate]
    constrained = [as_text(share) for share in result.constrained_estimate]
    decimals = [finite_float(share) for share in result.estimate]
    inside = [float(share) for share in result.constrained_estimate]
    epsilon = result.mechanism.epsilon()
    own = ends if contrast is None else ends[:-1]
    record: dict[str, Any] = {
        "estimate": shares[1] if binary else shares,
        "constrained_estimate": constrained[1] if binary else constrained,
        "standard_error": result.standard_error if binary else list(result.standard_errors),
        "covariance": [[as_text(entry) for entry in row] for row in result.covariance()],
        "covariance_of": COVARIANCE_OF,
        "intervals": _intervals(own[0]) if binary else _interval_lists(own),
        "n": result.n,
        "counts": list(result.counts),
        "decimals": {
            "estimate": decimals[1] if binary else decimals,
            "constrained_estimate": inside[1] if binary else inside,
        },
        "likelihood_gap": as_text(result.likelihood_gap),
        "estimator": _estimator(result),
        "mechanism": {
            "name": result.mechanism.name,
            "epsilon": str(epsilon),
            "epsilon_decimal": None if epsilon.is_infinite else float(epsilon),
        },
    }
    if contrast is not None:
        record["contrast"] = {
            "contrast": [as_text(c) for c in contrast],
            "estimate": as_text(result.value(contrast)),
            "standard_error": square_root(result.variance(contrast)),
            "variance": as_text(result.variance(contrast)),
            "intervals": _intervals(ends[-1]),
        }
    return record


def _intervals(ends: dict[str, Interval]) -> dict[str, Any]:
    from rropt.exact import as_text

    return {
        kind: {
            "lower": as_text(interval.lower),
            "upper": as_text(interval.upper),
            "margin": as_text(interval.margin),
            "decimals": [float(interval.lower), float(interval.upper)],
            "confidence": as_text(interval.confidence),
            "guarantee": interval.guarantee,
        }
        for kind, interval in ends.items()
    }


def _interval_lists(ends: list[dict[str, Interval]]) -> dict[str, list[Any]]:
    """Return for each kind the interval of each category, null where the kind does not apply."""
    texts = [_intervals(one) for one in ends]
    return {kind: [one.get(kind) for one in texts] for kind in {kind: None for one in texts for kind in one}}


def _estimator(result: Estimate) -> str:
    m, k = result.mechanism.shape
    if m == k:
        return "the inverse of the mechanism's matrix times the shares of the answers: unbiased"
    return (
        f"generalised least squares at the reference population ({', '.join(map(str, result.reference))}): unbiased "
        "for every population, of least variance at that one"
    )


def _tables(
    result: Estimate, rows: list[tuple[str, Any]], ends: list[dict[str, Interval]]
) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Return (title, rows) of what people are shown: all of it is computed before any of it is printed."""
    from rropt.estimation import INTERVAL_KINDS
    from rropt.exact import both_texts, decimal_text
    from rropt.exact.numbers import square_root

    epsilon = result.mechanism.epsilon()
    head: list[tuple[str, ...]] = [
        ("mechanism", f"{result.mechanism.name or 'matrix'}, epsilon = {both_texts(epsilon, 6)}"),
        (
            "answers",
            f"n = {result.n}: {', '.join(f'{count} x answer {i}' for i, count in enumerate(result.counts))}",
        ),
        ("estimator", _estimator(result)),
    ]
    tables = [("Estimate from randomized answers", head)]
    shares = dict(zip(_names(result.mechanism.inputs), result.constrained_estimate, strict=True))
    for (name, contrast), intervals in zip(rows, ends, strict=True):
        table: list[tuple[str, ...]] = [("unbiased estimate", both_texts(result.value(contrast)))]
        if name in shares:
            table.append(("most likely in [0, 1]", both_texts(shares[name])))
        variance = result.variance(contrast)
        table.append(
            ("standard error", f"{decimal_text(square_root(variance))} (variance {both_texts(variance)}, plug-in)")
        )
        for kind, interval in intervals.items():
            confidence = f"{decimal_text(100 * interval.confidence)} %"
            table.append((f"{kind} interval, {confidence}", str(interval)))
        tables.append((name, table))
    kinds = {kind: None for intervals in ends for kind in intervals}
    tables.append(
        (
            f"Guarantees of the intervals{', each by itself and not jointly' if len(ends) > 1 else ''}",
            [(kind, INTERVAL_KINDS[kind].guarantee) for kind in kinds],
        )
    )
    return tables


def _emptied(rows: list[tuple[str, Any]], ends: list[dict[str, Interval]]) -> list[str]:
    """Return a remark for each target with intervals that lie outside its possible range."""
    remarks = []
    for (name, _), intervals in zip(rows, ends, strict=True):
        kinds = [kind for kind, interval in intervals.items() if interval.emptied]
        if kinds:
            remarks.append(
                f"{name}: wholly outside the possible range, and replaced by its nearest end: "
                f"{', '.join(kinds)} interval"
                f"{'s' if len(kinds) > 1 else ''}; doubt the mechanism or the answers"
            )
    return remarks
