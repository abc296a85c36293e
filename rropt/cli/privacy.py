"""``rropt privacy``: the exact privacy of a mechanism or a third-party matrix; B(h); the nearest private matrix."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import (
    call_library,
    criterion_of,
    items,
    level_of_specs,
    read_level,
    read_mechanism,
    require_taken,
    whole,
)
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.output import PrintedResult, print_note, print_result, print_rounding, progress_bar, record
from rropt.cli.pending import (
    InputFile,
    certificate_file,
    put_certificates,
    put_derivation,
)
from rropt.core.errors import InvalidParameterError, refuse_given, shown

if TYPE_CHECKING:
    from rropt.core.exact import Epsilon
    from rropt.mechanisms.privacy_findings import LargeFinding
    from rropt.mechanisms.raw_matrices import MatrixAudit
    from rropt.privacy.bound import Judgement, ParityBound
    from rropt.privacy.breach_regions import FamilyPrivacy
    from rropt.privacy.criteria import Criterion

# a level, or the distances for which the smallest one is printed
_LEVEL_OR_DISTANCE = replace(
    options.LEVEL_SPEC,
    help=(
        f"{options.LEVEL_SPEC.help}. Without an E (line; grid:RxC; distances:FILE, a matrix of distances in JSON or "
        "CSV, k x k) the smallest epsilon for each unit of distance is printed"
    ),
)

COMMAND = Command(
    """\
Compute the exact privacy of a mechanism: the parity (largest ratio of two entries of a
row), epsilon = log(parity), and delta.

With a level (--epsilon, --gamma) the command tests whether the mechanism meets it and
prints the worst output and pair of inputs. Without a level it prints delta at the
mechanism's own epsilon: 0, or the mass that no finite epsilon covers. With a criterion
(--level posterior:R1,R2, factor:B or curve:EXPR) it tests whether the mechanism meets the
criterion and, if it does not, prints a breach: a prior, a property Q, an output, and the posterior
of Q. --level takes the other notions too: Renyi, zCDP, Gaussian, several levels, levels by distance
or by pair. --profile prints delta as a function of epsilon.

Floating-point matrices from other programs are audited as they are: parity and epsilon
use the entries as shortest decimals; delta uses columns divided by their sums. A product
of mechanisms {"product": [...]} whose matrix is too large is judged by its factors.

--printed D: the table of a paper, printed with D digits, stands for every matrix that rounds
to it. The answer is then yes, no, or that the rounding decides; both ends of epsilon come
with a matrix that has them. --belief Q: posteriors at the prior Q.

--n N: what all the responses of a survey reveal about one respondent, for each
threat model. Independent responses (dice, a spinner, cards sampled with replacement)
reveal with names what one response reveals. A dealt deck may reveal everything.

--renyi A: the Renyi divergence of order A, and with --renyi zcdp the least rho of
zero-concentrated privacy, between proved bounds, with a certificate. MECHANISM may then be
a level in nats: it stands for binary randomized response or, with -k, k-ary randomized
response.

Without MECHANISM, a criterion prints B(h), the largest parity that it allows. A
mechanism meets a privacy criterion if and only if its parity is at most B(h) (Chai and Nayak
2018, Theorem 3.1). EXPR is a function of the prior probability p with + - * / ^, min, max,
sqrt, exp, log and piecewise(value, condition, ..., otherwise). B(h) is exact if EXPR is
piecewise rational, or if B(h) is a rational limit at p = 0 or p = 1 or a rational value of the
function. Otherwise the command prints rational bounds, proved on subintervals of (0, 1). The
line "posed twice" compares B(h) with its form in SymPy and with cutting planes in CVXPY. "at"
and "places" report where the infimum is attained: for the upper function the prior p of a property
Q; for the lower one the prior p = 1 - q of its complement, where q is the argument of EXPR. With
MECHANISM, --certificate writes the proof of B(h).""",
    epilog="""\
examples:
  rropt privacy warner:3/4 --epsilon "log(3)"
  rropt privacy generalised:1,1/4 --gamma 2 --delta 1/4 --profile
  rropt privacy warner:5/6 --level posterior:1/5,1/2
  rropt privacy grr:3,1/2 --level factor:2 --properties "0;1,2"
  rropt privacy channel.npy --transposed
  rropt privacy table.csv --printed 3 --epsilon 2
  rropt privacy grr:4,1/2 --belief 1/2
  rropt privacy grr:4,1/2 --level renyi:2,1/2
  rropt privacy grr:4,1/2 --level 1,1/20 --level 1/2,1/5
  rropt privacy grr:5,1/2 --level line
  rropt privacy generalised:3/4,2/3 --renyi 2 --certificate divergence.json
  rropt privacy 1 -k 10 --renyi zcdp
  rropt privacy christofides:1/10,3/10,6/10 --n 30 --epsilon "log(6)"
  rropt privacy christofides:1/10,3/10,6/10 --n 30 --cards-without-replacement --view all --belief 1/10,1/2
  rropt privacy --level posterior:1/5,1/2
  rropt privacy warner:5/6 --level "curve:piecewise(1/2, p < 1/5, 1)"
  rropt privacy --level "curve:sqrt(p)" --certificate bound.json
exit status: 0, or 1 when the mechanism is not shown to meet the level or the criterion; 2 bad input,
or the result is printed but its certificate could not be written""",
    arguments=(
        replace(options.MECHANISM, name="mechanism", nargs="?", type=InputFile),
        OneOf((options.EPSILON, options.GAMMA, _LEVEL_OR_DISTANCE)),
        options.DELTA,
        options.TRANSPOSED,
        Option(
            "--printed",
            "D",
            help=(
                "MECHANISM is a file with a table that is printed with D digits after the point: the privacy of every "
                "matrix that rounds to it, with --epsilon also yes, no, or the rounding decides"
            ),
            type=whole(1, 12),
        ),
        Option(
            "--properties",
            "SETS|FILE",
            help=(
                'protect only these properties: sets of inputs counted from 0, for example "0;1,2"; or a file '
                'with such lines, or a JSON file {"properties": [[0], [1, 2]]}'
            ),
            type=InputFile,
        ),
        Option(
            "--n",
            "N",
            help="print the privacy of one of N respondents, who may or may not have a trait",
            type=whole(1),
            dest="respondents",
        ),
        Flag(
            "--cards-without-replacement",
            help="for christofides: a deck of N cards is dealt without replacement",
            goes_with="--n",
        ),
        Option(
            "--view",
            help="which part of the responses an observer sees (default: print each view)",
            choices=("one", "all", "counts", "sum"),
            goes_with="--n",
        ),
        OneOf(
            (
                Option(
                    "--others",
                    "T",
                    help="the observer knows that T of the other respondents have the trait",
                    type=whole(0),
                    goes_with="--n",
                ),
                Option(
                    "--belief",
                    "Q,..",
                    help=(
                        "what an observer believes before a response: prints the largest and least posterior of each "
                        "category, and of any property, at the prior Q. With --n: each other respondent has the trait "
                        "with probability Q, independently; one or several Q"
                    ),
                    type=items,
                ),
            )
        ),
        Option(
            "--renyi",
            "A|zcdp",
            help=(
                "print the Renyi divergence of order A >= 1, the largest over pairs of inputs (A = 1: "
                "Kullback-Leibler); for zcdp the least rho of zero-concentrated privacy: the supremum "
                "over A > 1 of the divergence of order A, divided by A"
            ),
        ),
        Option(
            "-k",
            "K",
            help="number of categories, if MECHANISM is a level",
            type=whole(2, 1000000000000),
            goes_with="--renyi",
        ),
        options.FAST,
        options.CERTIFICATE,
        replace(
            options.DERIVATION,
            help=(
                "with a criterion: write the proof of B(h) or of the breach as half a page to FILE.md or FILE.tex; "
                "parity, delta and Renyi divergences are computed from the matrix, without a proof"
            ),
        ),
        Flag("--profile", help="print the smallest delta at every epsilon: a piecewise linear function of gamma"),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Print parity, epsilon and delta, and whether the mechanism meets a level or a criterion."""
    from rropt.mechanisms.privacy_findings import Finding, LargeFinding
    from rropt.privacy.level_arguments import require_no_delta

    if args.mechanism is None:
        return _print_bound(args)
    if args.belief is not None and args.respondents is None:
        if len(args.belief) > 1:
            raise InvalidParameterError(
                f"--belief is one prior: received {shown(','.join(args.belief))}; give one, or --n with several"
            )
        (args.prior,) = args.belief
        return _print_posteriors(args)
    if args.printed is not None:
        return _print_printed(args)
    if args.renyi is not None:
        return _print_divergence(args)
    if (distances := _distances(args)) is not None:
        return _print_metric(args, distances)
    if _is_of_region(args):
        return _print_level(args)
    criterion = criterion_of(args)
    is_asked = criterion is None and not {"epsilon", "gamma", "level"}.isdisjoint(args.typed)
    if criterion is None:
        refuse_given(args.typed, "use it with --renyi or with a criterion, such as --level factor:2", "certificate")
        refuse_given(args.typed, "use it with a criterion, such as --level factor:2", "fast", "derivation")
    if not is_asked or args.properties is not None:
        require_no_delta(args.delta, "without them, or with --properties")
    if args.respondents is not None:
        return _print_views(args)
    if criterion is None:
        read_level(args)
    found = _audited(args, criterion, is_asked=is_asked)
    if isinstance(found, LargeFinding):
        return _print_large(args, found)
    judgement, is_proved = None, True
    if not isinstance(found, Finding):
        judgement, found = found, found.finding
        is_proved = _certify(args, judgement.bound)
        put_derivation(args, judgement)
    assert isinstance(found, Finding)
    audit, level = found.audit, found.epsilon
    family = None if args.properties is None else _family(args, audit, criterion)
    if judgement is not None:
        _print_rounding(judgement)
    elif family is not None:  # a level is meant for these properties only
        found = Finding.at(audit, level)
    if judgement is not None and not args.fast:
        judgement.bound.compared_twice()
    told = [] if judgement is None else [_criterion_result(judgement, level)]
    if not audit.is_mechanism:
        print_note("rropt: the columns do not sum to exactly 1: audited as they are, then divided by their sums")
    beside = {} if family is None else {"properties": {k: x for k, x in family.to_dict().items() if k != "mechanism"}}
    print_result(
        args, found, *told, *_further_results(args, audit), title="Privacy", mechanism=audit.normalised, **beside
    )
    if family is not None and not args.json:
        print_result(args, family, title="Privacy of these properties")
    if not is_proved:
        return 2
    # then the criterion or level is meant for these properties only
    if family is not None and family.criterion is not None:
        return 0 if family.meets is True else 1
    meets = found.meets is not False if judgement is None else judgement.meets is True
    return 0 if meets else 1


def _audited(args: argparse.Namespace, criterion: Criterion | None, *, is_asked: bool) -> Any:
    """Return what ``rropt.audit_privacy`` finds of the mechanism at the level, under the criterion, or without."""
    from rropt.privacy.exact_audits import audit_privacy

    how: dict[str, Any] = {"transposed": args.transposed, "fast": args.fast}
    if criterion is not None:
        how["level"] = level_of_specs(args)
    elif is_asked:
        how |= {"epsilon": args.epsilon, "delta": args.delta}
    with progress_bar("judging the mechanism"):
        return audit_privacy(args.mechanism, **how)


def _print_large(args: argparse.Namespace, found: LargeFinding) -> int:
    """Print parity, epsilon and delta of a mechanism of factors, whose matrix is not written."""
    from rropt.mechanisms.imports import audit_of_argument

    if args.properties is not None:
        audit_of_argument(args.mechanism)  # properties need the matrix: its size is refused
    is_proved = True
    if criterion_of(args) is not None:
        read_level(args)  # the rounding of B(h) is printed
        is_proved = _certify(args, args.criterion.bound)
    if args.profile:
        found = replace(found, profile=found.mechanism.profile())
    print_result(args, found, title="Privacy", mechanism=found.mechanism)
    if not is_proved:
        return 2
    return 0 if found.asked is None or found.meets else 1


def _criterion_result(judgement: Judgement, level: Epsilon | None) -> PrintedResult:
    """Return the criterion of the request, and whether it is met."""
    from rropt.core.results.twins import named_checks

    gamma = "inf" if level is None else str(level.exact_gamma())
    bound = judgement.bound
    record = {"criterion": bound.with_twins({**bound.asked(), "gamma": gamma}), **judgement.answer()}
    checks = [*named_checks("B(h)", bound.twin_lines()), *named_checks("posterior", judgement.lines())]
    return PrintedResult(record, [("criterion", str(bound.criterion)), bound.line(), *checks])


def _further_results(args: argparse.Namespace, audit: MatrixAudit) -> list[Any]:
    """Return further results about a mechanism: the levels of its questions, and its delta at every epsilon."""
    from rropt.mechanisms import ProductMechanism, question_levels
    from rropt.mechanisms.imports import mechanism_of_argument

    more: list[Any] = []
    mechanism = mechanism_of_argument(args.mechanism) if audit.is_mechanism and not args.transposed else None
    if isinstance(mechanism, ProductMechanism):
        levels = question_levels(mechanism)
        more.append(PrintedResult({"questions": levels.to_dict()}, levels.lines()))
        record(mechanism_read=mechanism.to_dict())  # the matrix of the result does not show the questions
    return [*more, audit.normalised.profile()] if args.profile else more


def _print_views(args: argparse.Namespace) -> int:
    """Print the privacy of one of N respondents under each threat model."""
    from rropt.accounting.threat_models import respondent_privacy

    require_taken(args, "privacy --n", respondent_privacy, beside="mechanism")
    mechanism = read_mechanism(args.mechanism, transposed=args.transposed)
    read_level(args)
    print_rounding(args.criterion)
    args.criterion = None  # here the criterion gives only the level
    first = int((mechanism.name or "").startswith("christofides"))
    found = call_library(respondent_privacy, args, mechanism=mechanism, first=first)
    print_result(args, found, title=f"Privacy of one of {args.respondents} respondents")
    return 0 if found.meets in (None, True) else 1


def _print_posteriors(args: argparse.Namespace) -> int:
    """Print the largest and the least posterior of each category at a prior; exit status 0."""
    from rropt.mechanisms.imports import numbers_of_file
    from rropt.privacy.printed_tables import posteriors

    require_taken(args, "privacy --belief", beside="mechanism belief printed transposed")
    if args.printed is None:
        found = posteriors(read_mechanism(args.mechanism, transposed=args.transposed), args.prior)
    else:
        table = numbers_of_file(args.mechanism, transposed=args.transposed)
        found = posteriors(table, args.prior, printed=args.printed)
    print_result(args, found, title=f"Posteriors at the prior {found.prior}")
    return 0


def _print_printed(args: argparse.Namespace) -> int:
    """Print the privacy of every matrix that rounds to a table; exit status 1 unless each meets the level."""
    from rropt.mechanisms.imports import numbers_of_file
    from rropt.privacy.level_arguments import require_no_delta
    from rropt.privacy.printed_tables import YES, printed_privacy

    require_taken(args, "privacy --printed", beside="mechanism printed epsilon gamma delta level transposed")
    if {"epsilon", "gamma", "level"}.isdisjoint(args.typed):
        require_no_delta(args.delta, "without them")
    read_level(args)
    table = numbers_of_file(args.mechanism, transposed=args.transposed)
    found = printed_privacy(table, args.printed, epsilon=args.epsilon, delta=args.delta)
    print_result(args, found, title="Privacy of a printed table")
    return 0 if found.meets in (None, YES) else 1


def _distances(args: argparse.Namespace) -> str | None:
    """Return the distances that --level names without an epsilon; ``None`` for a level."""
    spec = args.level[0].strip() if len(args.level) == 1 else ""
    kind, mark, rest = (part.strip() for part in spec.partition(":"))
    if kind == "distances" and not os.path.lexists(spec):
        args.pending.reads("--level", rest)
        return rest
    is_named = spec == "line" or (kind == "grid" and mark and ":" not in rest)
    return spec if is_named and not os.path.lexists(spec) else None


def _print_metric(args: argparse.Namespace, distances: str) -> int:
    """Print the smallest epsilon per unit of distance."""
    from rropt.privacy.metric_audits import given_distance, metric_privacy

    require_taken(args, f"privacy --level {distances}", beside="mechanism level")
    mechanism = read_mechanism(args.mechanism, transposed=args.transposed)
    print_result(args, metric_privacy(mechanism, given_distance(distances)), title="Metric privacy")
    return 0


def _is_of_region(args: argparse.Namespace) -> bool:
    """Return whether --level states a level of another kind than one epsilon and delta, or a criterion."""
    level = level_of_specs(args)
    return level is not None and level.criterion is None and not level.is_single


def _print_level(args: argparse.Namespace) -> int:
    """Print whether the mechanism meets a level of any other kind, and what it has in its terms."""
    from rropt.accounting import renyi_privacy
    from rropt.core.exact.display import decimal_outwards
    from rropt.privacy.exact_audits import audit_privacy
    from rropt.privacy.level_arguments import CurvedLevel, LevelOfPairs, MetricLevel
    from rropt.privacy.metric_audits import metric_privacy

    require_taken(args, "privacy --level", beside="mechanism level")
    mechanism, level = read_mechanism(args.mechanism, transposed=args.transposed), level_of_specs(args)
    assert level is not None  # _is_of_region
    found = audit_privacy(mechanism, level=level)
    if isinstance(level, LevelOfPairs):
        print_result(args, found, title="Privacy at a level for each pair")
        return 0 if found.meets else 1
    more = []
    if isinstance(level, CurvedLevel) and level.kind != "gdp":
        own = renyi_privacy(mechanism, level.parameters[0] if level.kind == "renyi" else None)
        low, high = (
            "infinite" if x is None else decimal_outwards(x, up=up) for x, up in ((own.lower, False), (own.upper, True))
        )
        told = low if low == high else f"at least {low}, at most {high}"
        more.append(PrintedResult({"divergence": own.to_dict()}, [(f"its {own.words}", told)]))
    elif isinstance(level, MetricLevel):
        metric = metric_privacy(mechanism, level.distance)
        lines = [line for line in metric.lines() if line[0] != metric.LABELS["mechanism"]]
        more.append(PrintedResult({"metric": metric.to_dict()}, lines))
    print_result(args, found, *more, title="Privacy at a level", mechanism=mechanism)
    return 0 if found.meets else 1


def _print_divergence(args: argparse.Namespace) -> int:
    """Print the Renyi divergence of one order, or zCDP."""
    from rropt.accounting import renyi_privacy

    require_taken(args, "privacy --renyi", beside="mechanism renyi k certificate")
    if os.path.lexists(args.mechanism):
        args.mechanism = read_mechanism(args.mechanism, transposed=args.transposed)
    else:
        refuse_given(args.typed, "only the matrix of a file is transposed", "transposed")
    is_zcdp = args.renyi == "zcdp"
    found = call_library(renyi_privacy, args, order=None if is_zcdp else args.renyi)
    put_certificates(args, found, "the certificate takes more work than the checker does")
    print_result(args, found, title="Zero-concentrated privacy" if is_zcdp else "Privacy by Renyi divergence")
    return 0


def _family(args: argparse.Namespace, audit: MatrixAudit, criterion: Criterion | None) -> FamilyPrivacy:
    """Return the privacy for ``--properties`` under the criterion or level: lower and upper bounds of epsilon."""
    from rropt.privacy.breach_regions import family_privacy
    from rropt.privacy.criteria.named_criteria import level_criterion
    from rropt.privacy.region_files import given_properties

    if criterion is None and args.epsilon is not None:
        criterion = level_criterion(args.epsilon)
    return family_privacy(audit.normalised, given_properties(args.properties, audit.normalised.inputs), criterion)


def _print_rounding(judgement: Judgement) -> None:
    """Print the remark on the level of a criterion if B(h) is rounded down."""
    from rropt.privacy.criterion_region import criterion_level

    if judgement.bound.lower is not None:
        print_rounding(criterion_level(judgement.bound.criterion, judgement.bound))


_NO_PROOF = (
    "no proof of B(h) was found that the checker accepts; the answer does not rest on it; another form of the function "
    "may have one, cut with piecewise or written as a power"
)


def _print_bound(args: argparse.Namespace) -> int:
    """Print B(h), the largest parity that a criterion allows, and where it is attained."""
    from rropt.privacy.bound import parity_bound

    criterion = criterion_of(args)
    if criterion is None:
        raise InvalidParameterError(
            "the mechanism is missing: received none; give a name or a file, or a criterion without one: "
            "--level posterior:R1,R2, --level factor:B, or --level curve:EXPR"
        )
    require_taken(args, "privacy without MECHANISM", beside="level fast certificate derivation")
    bound = parity_bound(criterion, fast=args.fast)
    if bound.kind == "enclosed":
        print_note("rropt: B(h) is enclosed, not exact: value is its lower end, at which privacy holds")
    is_proved = _certify(args, bound)
    put_derivation(args, bound)
    print_result(args, bound, title=f"Criterion: {criterion}")
    return 0 if is_proved else 2


def _certify(args: argparse.Namespace, bound: ParityBound) -> bool:
    """Store the certificate of B(h), if it is requested; return whether nothing is missing."""
    from rropt.privacy.bound_certificate import infimum_certificate

    find = partial(infimum_certificate, bound.criterion, bound)
    return args.certificate is None or certificate_file(args, find, args.certificate, why_not=_NO_PROOF) is not None
