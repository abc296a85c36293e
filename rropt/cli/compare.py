"""``rropt compare``: which of several mechanisms is better for every purpose; is one admissible, or optimal?"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.cli import options
from rropt.cli.arguments import (
    call_library,
    items,
    level_of_specs,
    read_criterion_level,
    read_level,
    read_mechanism,
    read_mechanisms,
    require_taken,
    whole,
)
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.output import NotRecorded, named_record, print_json, print_matrices, print_result, print_text
from rropt.cli.pending import (
    InputFile,
    OutputFile,
    OutputFolder,
    PendingFiles,
    certificate_file,
    put_derivation,
    put_plot,
    second_path,
)
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.visible import with_noun

if TYPE_CHECKING:
    from rropt.designs.optimality_judgements import Optimality
    from rropt.designs.orders import Comparison, PartialOrder, ProductComparison
    from rropt.mechanisms import Mechanism

    Compared = Comparison | ProductComparison | PartialOrder

_MOST_COMPARED = 30  # pairs of an order that are compared with SymPy and CVXPY: about a second

COMMAND = Command(
    """\
Compare mechanisms in Blackwell's order: A is sufficient for B if B is A randomized again
(B = C A, where C is a garbling). Two mechanisms: is A better, worse, equivalent or
incomparable? Each "yes" comes with C, each "no" with a task at which no post-processing
helps. More mechanisms: the partial order, its equivalence classes and its Hasse diagram.

Exit status for two mechanisms: 0 if A is sufficient for B (better or equivalent), 1 if
not (worse or incomparable); for more than two always 0.

With a product of devices, the words grr and subset stand for k-ary randomized response
and subset selection on all combinations of the questions, and ask for random questions
(rropt design questions --ask). The table shows their precision at equal privacy of the full
report, and of each question; exit status 0.

--admissible: is one mechanism admissible at a privacy level, that is, is no mechanism at the
level strictly more informative? It is admissible if and only if, after proportional rows are
merged, every row has parity exactly gamma (C1) and exactly two distinct values (C2). If not,
the command prints the reason for each row, and an admissible mechanism that is strictly better,
with the randomization C that leads back (mechanism = C better). Without a level the mechanism's
own parity is used. With a criterion the level is B(h) itself. If B(h) is irrational, no
rational matrix is admissible, and the better mechanism is at a level between the parity and
B(h). Exit status 1: inadmissible.

--objective NAME: is one mechanism optimal at a level, for an objective and proportions? The command
prints its value, the certified optimum, what it loses, and what the certificate proves. Without
a level the mechanism's own is used. Exit status 0: optimal, or the bounds of the optimum do not
decide; 1: not optimal, or not private at the level.""",
    epilog="""\
example: is Warner's design at p = 3/4 better than the forced response of a die?
  rropt compare warner:3/4 forced:2/3,1/6,1/6 --certificate proofs
n bits as one of 2^n categories: traces, the loss L, the worst variance of a marginal
  rropt compare bits:3/4*20 grr subset ask --marginals 1
is a mechanism admissible?
  rropt compare --admissible forced:2/3,1/6,1/6
  rropt compare --admissible warner:3/4 --level posterior:1/5,1/2
is k-ary randomized response optimal for estimation, and for guessing?
  rropt compare grr:4,2/5 --objective a-optimal --epsilon "log(3)"
  rropt compare grr:4,1/2 --objective loss:zero-one
certificates: DIR/1-to-2.json proves whether mechanism 1 is sufficient for mechanism 2, DIR/2-to-1.json
the reverse; of two products that ask the same questions, each pair of different devices has its own
certificate (1-to-2-question-0.json, ...): A is sufficient for B if and only if it is in every question""",
    arguments=(
        Option(
            "mechanisms",
            "MECHANISM",
            help="two or more mechanisms, or one with --admissible or --objective",
            nargs="*",
            type=InputFile,
        ),
        options.TRANSPOSED,
        Option(
            "--plot",
            "FILE",
            help="write a picture of the order as a graph: FILE.svg, FILE.png or FILE.pdf",
            type=OutputFile,
        ),
        Option(
            "--marginals", "K", help="for grr and subset: compare marginals of K questions (default: 1)", type=whole(1)
        ),
        OneOf(
            (
                Flag("--admissible", help="print whether one mechanism is admissible, and if not, what is better"),
                Option(
                    "--objective",
                    "NAME",
                    help=(
                        "print whether one mechanism is optimal, and what it loses: variance for two categories, and "
                        "the names of design kary without files, for example a-optimal"
                    ),
                ),
            )
        ),
        Option(
            "--printed",
            "D",
            help=(
                "each MECHANISM is a file with a table that is printed with D digits after the point: does each "
                "matrix that rounds to A dominate each one that rounds to B? yes, no, or undecided; with --objective, "
                "can a matrix that rounds to it be optimal at the level?"
            ),
            type=whole(1, 12),
        ),
        Option(
            "--proportions",
            "P1,..,PK",
            help="proportions of the categories (default: equal)",
            type=items,
            goes_with="--objective",
        ),
        *options.LEVEL,
        Option("--delta", "D", help="delta in [0, 1], with --epsilon or --gamma (default: 0)"),
        options.PREVALENCE,
        options.FAST,
        Option(
            "--certificate",
            "PATH",
            help=(
                "write the certificate to PATH; of a comparison PATH is a folder, and the files are 1-to-2.json, ..."
            ),
            type=NotRecorded,
        ),
        replace(
            options.DERIVATION,
            help=(
                "write the proof of the order, or of --admissible, as half a page to FILE.md or FILE.tex; products of "
                "devices are compared question by question, without a proof of their own"
            ),
        ),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Compare, print, and write certificates and graph; status 1 if the first of two mechanisms is not sufficient."""
    from rropt.designs.orders import compare
    from rropt.plans.combined_responses import WORDS

    if args.certificate is not None:
        kind = OutputFile if args.admissible or args.objective is not None else OutputFolder
        args.certificate = kind(args.certificate)
        args.pending = PendingFiles(args)
    if args.admissible:
        return _admissible(args)
    if args.objective is not None:
        return _optimum(args)
    if any(text in WORDS for text in args.mechanisms):
        return _precision(args)
    if args.printed is not None:
        return _printed_order(args)
    n = len(args.mechanisms)
    require_taken(
        args, "a comparison of mechanisms", compare, beside="mechanisms certificate derivation plot marginals fast"
    )
    why = "marginals are compared with grr or subset, rropt compare bits:3/4*4 grr subset"
    refuse_given(args.typed, why, "marginals")
    if n < 2:
        received = f"one mechanism, {shown(args.mechanisms[0])}" if n else "none"
        raise InvalidParameterError(
            f"there is nothing to compare with: received {received}; allowed are 2 or more; add another file or name"
        )
    if n > 2:
        refuse_given(args.typed, "an order of several mechanisms has no comparison with SymPy and CVXPY", "fast")
    mechanisms = read_mechanisms(args.mechanisms, transposed=args.transposed)
    result = _compared(args, mechanisms)
    put_derivation(args, result)
    certificates = {
        name: certificate_file(args, answer.certificate, None, f"certificate {name}")
        for name, answer in result.proofs().items()
    }
    if args.certificate is not None:
        for name, certificate in certificates.items():
            if certificate is None:
                args.pending.leave_out(_path(args, name), "the checker accepts no certificate of this size")
            else:
                args.pending.put(_path(args, name), lambda certificate=certificate: certificate.file_text)
    if args.json:
        print_json(named_record(result, result.proved(certificates)))
    else:
        _print(args, result, mechanisms)
        accepted = sum(certificate is not None for certificate in certificates.values())
        print_text(f"certificates: {accepted} of {len(certificates)} accepted by the checker")
    return int(n == 2 and result.relation in ("worse", "incomparable"))


def _compared(args: argparse.Namespace, mechanisms: list[Mechanism]) -> Compared:
    """Return the comparison of two mechanisms, of two products question by question, or the order of several
    mechanisms.
    """
    from rropt.designs.orders import compare, compare_products, partial_order
    from rropt.designs.orders.sufficiency import proof_name

    n, texts = len(mechanisms), args.mechanisms
    if n == 2 and args.plot is None and (products := compare_products(*mechanisms, fast=args.fast)) is not None:
        return products
    if args.certificate is not None:
        args.pending.expect(*(_path(args, proof_name(i, j)) for i in range(n) for j in range(n) if i != j))
    labels = [text if texts.count(text) == 1 else f"{text} #{i}" for i, text in enumerate(texts, 1)]
    put_plot(args, lambda: partial_order(mechanisms, labels), size="paper")
    return compare(*mechanisms, fast=args.fast) if n == 2 else _order(mechanisms, labels, fast=args.fast)


def _print(args: argparse.Namespace, result: Compared, mechanisms: list[Mechanism]) -> None:
    """Print which mechanisms are A and B, the summary of the comparison, and the garblings."""
    from rropt.core.visible import size_text

    for letter, text, mechanism in zip("AB", args.mechanisms, mechanisms, strict=True) if len(mechanisms) == 2 else ():
        sizes = f"{size_text(mechanism.outputs)} outputs, {size_text(mechanism.inputs)} inputs"
        print_text(f"{letter} = {text}: {sizes}")
    print_text(result.explain())
    print_matrices(result.matrices().items())
    for label, twins in result.twin_lines():
        print_text(f"{label}   {twins}")


def _precision(args: argparse.Namespace) -> int:
    """Print the precision of a product, compared with designs on all combinations of the true answers."""
    from rropt.plans.combined_responses import WORDS, compare_precision

    others = [text for text in args.mechanisms if text not in WORDS]
    require_taken(args, "a comparison of products", compare_precision, beside="mechanisms certificate plot")
    if len(others) != 1 or (args.certificate, args.plot) != (None, None):
        raise InvalidParameterError(
            f"{', '.join(WORDS)} go with one product of devices, without certificates and graph: received "
            f"{len(others)} other mechanisms; write rropt compare bits:3/4*4 grr subset"
        )
    print_result(
        args,
        call_library(
            compare_precision,
            args,
            mechanism=read_mechanism(others[0], transposed=args.transposed),
            designs=[name for name in args.mechanisms if name in WORDS],
        ),
    )
    return 0


def _path(args: argparse.Namespace, name: str) -> str:
    return str(Path(args.certificate, f"{name}.json"))


def _admissible(args: argparse.Namespace) -> int:
    """Decide, print, and write the certificate; status 1 if the mechanism is inadmissible."""
    from rropt.designs.orders.admissibility import admissible, admissible_under

    require_taken(
        args,
        "compare --admissible",
        beside="admissible mechanisms epsilon gamma level fast certificate derivation",
    )
    if len(args.mechanisms) != 1:
        raise InvalidParameterError(f"--admissible judges one mechanism: received {len(args.mechanisms)}; give one")
    args.mechanism = read_mechanism(args.mechanisms[0], transposed=args.transposed)
    level = read_criterion_level(args)
    if level is None:
        read_level(args)
        answer = admissible(args.mechanism, args.epsilon, fast=args.fast)
    else:  # the decision is made at B(h) itself
        answer = admissible_under(args.mechanism, level, fast=args.fast)
        args.criterion = replace(level, epsilon=answer.level)
    put_derivation(args, answer)
    second = second_path(args.certificate, "-refutation") if args.certificate and answer.has_halves else None
    if second is not None:
        args.pending.expect(second)
    certificate = certificate_file(args, answer.certificate, args.certificate)
    refutation = (
        certificate_file(args, answer.refutation, second, "second half of the certificate")
        if answer.has_halves
        else None
    )
    below = certificate and f"certificate {certificate.check()}"
    print_result(
        args,
        answer,
        title="Admissibility",
        mechanism=answer.mechanism,
        below=below,
        certificate=certificate and certificate.to_dict(),
        refutation=refutation and refutation.to_dict(),
    )
    if args.certificate is not None and certificate is None:
        return 2  # the requested file does not exist
    return 0 if answer.admissible else 1


def _order(mechanisms: list[Mechanism], labels: list[str], *, fast: bool) -> PartialOrder:
    """Return the partial order, with its twins unless they take seconds."""
    from rropt.designs.orders import partial_order

    order = partial_order(mechanisms, labels)
    return order if fast or len(order.answers) > _MOST_COMPARED else order.compared_twice()


def _optimum(args: argparse.Namespace) -> int:
    """Judge whether a mechanism is optimal, print, and write the certificate; status 1 if it is not."""
    from rropt.designs.optimality_judgements import LESS_PRIVATE, NO, optimality

    require_taken(
        args, "compare --objective", optimality, beside="objective mechanisms proportions certificate printed"
    )
    if len(args.mechanisms) != 1:
        raise InvalidParameterError(f"--objective judges one mechanism: received {len(args.mechanisms)}; give one")
    args.spelled |= {"population": "--proportions"}
    if args.printed is not None:
        return _printed_optimum(args)
    args.mechanism = read_mechanism(args.mechanisms[0], transposed=args.transposed)
    stated = level_of_specs(args)
    if stated is None or stated.is_single or stated.criterion is not None:
        read_level(args)
        args.level = None
    else:
        args.level, args.criterion = stated, None
    found: Optimality = call_library(optimality, args, population=args.proportions)
    certificate = certificate_file(args, lambda: found.solution.certificate, args.certificate)
    print_result(
        args, found, title="Optimality", mechanism=found.mechanism, certificate=certificate and certificate.to_dict()
    )
    return int(found.answer in (NO, LESS_PRIVATE))


def _printed_order(args: argparse.Namespace) -> int:
    """Compare two printed tables and print; status 1 unless each matrix of the first dominates each of the second."""
    from rropt.designs.orders.printed_orders import YES, printed_comparison
    from rropt.mechanisms.imports import numbers_of_file

    require_taken(args, "compare --printed", beside="mechanisms printed transposed")
    if len(args.mechanisms) != 2:
        raise InvalidParameterError(
            f"--printed compares two tables: received {len(args.mechanisms)}; give two files, or one with --objective"
        )
    first, second = (numbers_of_file(each, transposed=args.transposed) for each in args.mechanisms)
    found = printed_comparison(first, second, args.printed)
    for letter, text in zip("AB", args.mechanisms, strict=True) if not args.json else ():
        print_text(f"{letter} = {text}, printed with {with_noun(args.printed, 'digit')}")
    print_result(args, found, title="Order of printed tables")
    return int(found.forward_answer != YES)


def _printed_optimum(args: argparse.Namespace) -> int:
    """Judge whether a printed table can be optimal, print, and write the certificate; status 1 if it cannot."""
    from rropt.designs.optimality_judgements import NO
    from rropt.designs.printed_objectives import printed_optimality
    from rropt.mechanisms.imports import numbers_of_file

    refuse_given(args.typed, "a printed table is judged without delta and twins", "delta", "fast")
    read_level(args)
    if args.epsilon is None:
        raise InvalidParameterError("the level is missing: a printed table has no level of its own; give --epsilon E")
    table = numbers_of_file(args.mechanisms[0], transposed=args.transposed)
    found = call_library(printed_optimality, args, matrix=table, population=args.proportions, transposed=False)
    certificate = certificate_file(args, lambda: found.solution.certificate, args.certificate)
    print_result(args, found, title="Optimality of a printed table", certificate=certificate and certificate.to_dict())
    return int(found.answer == NO)
