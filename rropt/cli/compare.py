"""``rropt compare``: Blackwell's order between two mechanisms, or among several.

Compare mechanisms in Blackwell's order: A is sufficient for B if B is A randomized again
(B = C A, where C is a garbling). Two mechanisms: is A better, worse, equivalent or
incomparable? Each "yes" comes with C, each "no" with a task at which no post-processing
helps. More mechanisms: the partial order, its equivalence classes and its Hasse diagram.

Exit status for two mechanisms: 0 if A is sufficient for B (better or equivalent), 1 if
not (worse or incomparable); for more than two always 0.

With a product of devices, the words grr and subset stand for k-ary randomized response
and subset selection on all combinations of the questions. The table shows their precision
at equal privacy of the full report, and of each question; exit status 0. To compare the
designs of the literature at one budget, use `rropt compare-designs`.

example: is Warner's design at p = 3/4 better than the forced response of a die?
  rropt compare warner:3/4 forced:2/3,1/6,1/6 --certificate proof
n bits as one of 2^n categories: traces, the loss L, the worst variance of a marginal
  rropt compare bits:3/4*20 grr subset --marginals 1
certificates: PREFIX-1-to-2.json decides whether mechanism 1 is sufficient for mechanism 2
(rule garbling: yes, rule decision: no), PREFIX-2-to-1.json the reverse; of two products that ask
the same questions, each question has its own certificate (1-to-2-question-0.json, ...): A is
sufficient for B if and only if it is sufficient in every question
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.cli.arguments import call_library, read_mechanism, refuse
from rropt.cli.output import named_record, print_json, print_matrices, print_result, print_text
from rropt.cli.pending import certificate_file, put_plot
from rropt.core.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.designs.orders import Comparison, PartialOrder, ProductComparison
    from rropt.mechanisms import Mechanism

    Compared = Comparison | ProductComparison | PartialOrder

OPTIONS = """
mechanisms ~MECHANISM...
--certificates >DIR       write the certificates to DIR/1-to-2.json, ...
| --certificate PREFIX    write the certificates to PREFIX-1-to-2.json, ...
--plot >FILE              write a picture of the order as a graph: FILE.png, FILE.svg or FILE.pdf
--marginals K:1..         for grr and subset: compare marginals of K questions (default: 1)
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Compare, print, and write certificates and graph; status 1 if the first of two mechanisms is not sufficient."""
    from rropt.survey.comparisons.combined_responses import COMBINED

    if any(text in COMBINED for text in args.mechanisms):
        return _precision(args)
    n = len(args.mechanisms)
    refuse(args, "marginals are compared with grr or subset, rropt compare bits:3/4*4 grr subset", "marginals")
    if n < 2:
        raise InvalidParameterError(
            f"there is nothing to compare with: received one mechanism, {shown(args.mechanisms[0])}; allowed are 2 or "
            "more; add another file or name"
        )
    mechanisms = [read_mechanism(text) for text in args.mechanisms]
    result = _compared(args, mechanisms)
    certificates = {
        name: certificate_file(args, answer.certificate, None, f"certificate {name}")
        for name, answer in result.proofs().items()
    }
    if (args.certificates, args.certificate) != (None, None):
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
    if n == 2 and args.plot is None and (products := compare_products(*mechanisms)) is not None:
        return products
    if args.certificate is not None or args.certificates is not None:
        args.pending.expect(*(_path(args, proof_name(i, j)) for i in range(n) for j in range(n) if i != j))
    labels = [text if texts.count(text) == 1 else f"{text} #{i}" for i, text in enumerate(texts, 1)]
    put_plot(args, lambda: partial_order(mechanisms, labels), size="paper")
    return compare(*mechanisms) if n == 2 else partial_order(mechanisms, labels)


def _print(args: argparse.Namespace, result: Compared, mechanisms: list[Mechanism]) -> None:
    """Print which mechanisms are A and B, the summary of the comparison, and the garblings."""
    from rropt.mechanisms.kronecker import size_text

    for letter, text, mechanism in zip("AB", args.mechanisms, mechanisms, strict=True) if len(mechanisms) == 2 else ():
        sizes = f"{size_text(mechanism.outputs)} outputs, {size_text(mechanism.inputs)} inputs"
        print_text(f"{letter} = {text}: {sizes}")
    print_text(result.explain())
    print_matrices(result)


def _precision(args: argparse.Namespace) -> int:
    """Print the precision of a product, compared with designs on all combinations of the true answers."""
    from rropt.survey.comparisons.combined_responses import COMBINED, compare_precision

    others = [text for text in args.mechanisms if text not in COMBINED]
    if len(others) != 1 or (args.certificate, args.certificates, args.plot) != (None, None, None):
        raise InvalidParameterError(
            f"{' and '.join(COMBINED)} go with one product of devices, without certificates and graph: received "
            f"{len(others)} other mechanisms; write rropt compare bits:3/4*4 grr subset"
        )
    print_result(
        args,
        call_library(
            compare_precision,
            args,
            mechanism=read_mechanism(others[0]),
            designs=[name for name in args.mechanisms if name in COMBINED],
        ),
    )
    return 0


def _path(args: argparse.Namespace, name: str) -> str:
    file = f"{name}.json"
    return f"{args.certificate}-{file}" if args.certificates is None else str(Path(args.certificates, file))
